# SPDX-License-Identifier: Apache-2.0
# HEDDLE_SANITIZE=address (with the undefined behaviour sanitizer) or thread: everything is built with gcc's sanitizer, as the
# presets asan and tsan have it. `./dev sanitize` builds and tests. Code that the JIT makes, and LLVM, are not instrumented.
set(HEDDLE_SANITIZE "" CACHE STRING "address or thread: build with that sanitizer")
if(NOT HEDDLE_SANITIZE)
  return()
endif()
if(NOT CMAKE_C_COMPILER_ID STREQUAL GNU)
  message(FATAL_ERROR "sanitizer builds are made with gcc")
endif()
if(HEDDLE_SANITIZE STREQUAL address)
  set(flags -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer -Wno-format-truncation -Wno-clobbered)
  set(runtimes libasan.so libubsan.so)
elseif(HEDDLE_SANITIZE STREQUAL thread)
  # gcc says that it does not see fences; ours orders nothing that another thread of the same process reads.
  set(flags -fsanitize=thread -Wno-tsan)
  set(runtimes libtsan.so)
else()
  message(FATAL_ERROR "HEDDLE_SANITIZE=${HEDDLE_SANITIZE}: address or thread")
endif()
add_compile_options(${flags})
add_link_options(${flags})

# What nvcc links has the sanitizer's library first, as gcc would have it.
set(link)
foreach(r ${runtimes})
  execute_process(COMMAND ${CMAKE_C_COMPILER} -print-file-name=${r} OUTPUT_VARIABLE r OUTPUT_STRIP_TRAILING_WHITESPACE)
  string(APPEND link " -Xlinker --no-as-needed -Xlinker ${r}")
endforeach()
configure_file(${CMAKE_SOURCE_DIR}/tests/sanitize/environment.cmake.in ${CMAKE_BINARY_DIR}/sanitize.cmake @ONLY)
set_property(DIRECTORY PROPERTY TEST_INCLUDE_FILES ${CMAKE_BINARY_DIR}/sanitize.cmake)

# Tests that are left out: `NAMES | REASON`, names as a regular expression.
file(STRINGS ${CMAKE_SOURCE_DIR}/tests/sanitize/${HEDDLE_SANITIZE}.skip left_out REGEX "^[^#]")
set_property(GLOBAL PROPERTY heddle_left_out "${left_out}")

# A test that is left out prints its reason, and ctest shows it as skipped.
function(add_test)
  get_property(rows GLOBAL PROPERTY heddle_left_out)
  foreach(row ${rows})
    string(REGEX MATCH "^([^ ]+) +(.*)$" row "${row}")
    if("${ARGV0}" STREQUAL NAME AND "${ARGV1}" MATCHES "${CMAKE_MATCH_1}")
      _add_test(NAME ${ARGV1} COMMAND sh -c "echo \"left out: $0\"; exit 77" "${CMAKE_MATCH_2}")
      set_tests_properties(${ARGV1} PROPERTIES SKIP_RETURN_CODE 77)
      return()
    endif()
  endforeach()
  _add_test(${ARGV})
endfunction()
