# SPDX-License-Identifier: Apache-2.0
# Completion of commands and options in bash, fish and zsh, for every program of bin/. The scripts hold no names of options: they ask the program
# for --help, and take what stands at the head of its lines. A shell looks for a file by the program's name, so that each has one.
set(HEDDLE_COMPLETION ${CMAKE_BINARY_DIR}/package/completion)
# Of a usage line: what looks like an option; of lines that are indented: the options they begin with, `--name (-n)`, `-n, --name` or `--name=VALUE`, or a command.
string(CONCAT HEDDLE_WORDS
  "/^ *[Uu]sage:/ { s = $0; while (match(s, /[[ ]-[-a-zA-Z0-9]+/)) { print substr(s, RSTART + 1, RLENGTH - 1); s = substr(s, RSTART + RLENGTH) } next } "
  "/^  +[(]?-[-a-zA-Z0-9_]/ { for (i = 1; i <= NF && $i ~ /^[(]?-[-a-zA-Z0-9_]/; i++) { w = $i; gsub(/[(),]/, \"\", w); sub(/[=[].*/, \"\", w); print w } next } "
  "/^  [a-z]+  / { print $1 }")
set(HEDDLE_COMPLETED nvcc ptxas nvlink fatbinary bin2c cuobjdump nvdisasm nvprune cu++filt compute-sanitizer ncu nsys cuda-gdb)
list(JOIN HEDDLE_COMPLETED " " HEDDLE_COMPLETED_NAMES)
foreach(shell bash fish zsh)
  configure_file(${CMAKE_SOURCE_DIR}/cmake/package/completion.${shell}.in ${HEDDLE_COMPLETION}/completion.${shell} @ONLY)
endforeach()
function(heddle_completion program component)
  install(FILES ${HEDDLE_COMPLETION}/completion.bash DESTINATION share/bash-completion/completions RENAME ${program} COMPONENT ${component})
  install(FILES ${HEDDLE_COMPLETION}/completion.fish DESTINATION share/fish/vendor_completions.d RENAME ${program}.fish COMPONENT ${component})
endfunction()
heddle_completion(heddle runtime)
heddle_completion(nvidia-smi runtime)
foreach(program ${HEDDLE_COMPLETED})
  heddle_completion(${program} toolkit)
endforeach()
install(FILES ${HEDDLE_COMPLETION}/completion.zsh DESTINATION share/zsh/site-functions RENAME _heddle COMPONENT runtime)
