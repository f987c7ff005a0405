# SPDX-License-Identifier: Apache-2.0
# heddle_unit_test(NAME file.c LIBS a b): one test program, found by ctest as unit/NAME. It prints 'N passed, N failed'.
function(heddle_unit_test name source)
  cmake_parse_arguments(T "" "" "LIBS" ${ARGN})
  add_executable(unit_${name} ${source})
  target_link_libraries(unit_${name} PRIVATE ${T_LIBS} heddle_base Threads::Threads m)
  target_include_directories(unit_${name} PRIVATE ${CMAKE_SOURCE_DIR}/tests/unit)
  add_test(NAME unit/${name} COMMAND unit_${name})
  set_tests_properties(unit/${name} PROPERTIES TIMEOUT 900)
endfunction()
