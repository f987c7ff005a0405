# SPDX-License-Identifier: Apache-2.0
# The build type Coverage, as the preset coverage has it: what lies in src/ counts how often each line runs. `./dev coverage` builds,
# tests and prints. Counters are atomic: what threads lose of a count would make other counts, which are derived from it, wrong. A
# process writes them when it exits, forks or execs; what a signal or _exit ends is not counted.
if(NOT CMAKE_BUILD_TYPE STREQUAL Coverage)
  return()
endif()
if(NOT CMAKE_C_COMPILER_ID STREQUAL GNU)
  message(FATAL_ERROR "coverage builds are made with gcc")
endif()
set(CMAKE_C_FLAGS_COVERAGE "-O1 -DNDEBUG --coverage -fprofile-update=atomic -Wno-format-truncation")
add_link_options(--coverage)
# Archives that others link have the counters' library inside, and what is no part of src/ does not count.
execute_process(COMMAND ${CMAKE_C_COMPILER} -print-file-name=libgcov.a OUTPUT_VARIABLE HEDDLE_LIBGCOV OUTPUT_STRIP_TRAILING_WHITESPACE)
set(HEDDLE_HIDE_LIBGCOV --wildcard --localize-symbol=__gcov* --localize-symbol=mangle_path)
set(HEDDLE_NO_COUNTERS -fno-profile-arcs -fno-test-coverage)
