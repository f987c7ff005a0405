# SPDX-License-Identifier: Apache-2.0
heddle_unit_test(ptx ptx/ptx.c LIBS heddle_ptx)
heddle_unit_test(ptx_verify ptx/ptx_verify.c LIBS heddle_ptx)
heddle_unit_test(ptx_dwarf ptx/ptx_dwarf.c LIBS heddle_ptx)
# Prints what the fuzzer begins with.
file(GLOB seeds ${CMAKE_SOURCE_DIR}/tests/fuzz/seeds/*.ptx)
add_executable(unit_ptx_print ptx/ptx_print.c)
target_link_libraries(unit_ptx_print PRIVATE heddle_ptx heddle_base)
add_test(NAME unit/ptx_print COMMAND unit_ptx_print ${seeds})
