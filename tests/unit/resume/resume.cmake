# SPDX-License-Identifier: Apache-2.0
if(TARGET heddle_passes)
  add_custom_command(
    OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/resume_kernels.bc
    COMMAND ${HEDDLE_CLANG} -O1 -Xclang -disable-llvm-passes -std=gnu17 -fwrapv -fno-strict-aliasing -ffp-contract=off
            -fno-stack-protector -Wall -Wextra -Werror -Wno-infinite-recursion -emit-llvm
            -c ${CMAKE_CURRENT_SOURCE_DIR}/resume/resume_kernels.c -o ${CMAKE_CURRENT_BINARY_DIR}/resume_kernels.bc
    DEPENDS resume/resume_kernels.c resume/resume_dialect.h)
  add_custom_target(resume_kernels DEPENDS ${CMAKE_CURRENT_BINARY_DIR}/resume_kernels.bc)
  foreach(name resume resume_fuzz structure_fuzz)
    heddle_unit_test(${name} resume/${name}.c LIBS heddle_passes heddle_resume_run llvm_shared)
    target_sources(unit_${name} PRIVATE resume/resume_harness.c)
    target_compile_definitions(unit_${name} PRIVATE RESUME_KERNELS="${CMAKE_CURRENT_BINARY_DIR}/resume_kernels.bc")
    add_dependencies(unit_${name} resume_kernels)
  endforeach()
  heddle_unit_test(structure resume/structure.c LIBS heddle_passes llvm_shared)
endif()
