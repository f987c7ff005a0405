# SPDX-License-Identifier: Apache-2.0
if(TARGET heddle_passes)
  add_custom_command(
    OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/vectorise_kernels.bc
    COMMAND ${HEDDLE_CLANG} -O1 -Xclang -disable-llvm-passes -std=gnu17 -DHEDDLE_BITCODE -fwrapv -fno-strict-aliasing
            -ffp-contract=off -fno-math-errno -fno-stack-protector -Wall -Wextra -Werror -emit-llvm
            -c ${CMAKE_CURRENT_SOURCE_DIR}/vectorise/vectorise_kernels.c -o ${CMAKE_CURRENT_BINARY_DIR}/vectorise_kernels.bc
    DEPENDS vectorise/vectorise_kernels.c vectorise/vectorise_dialect.h)
  # The same kernels natively; by clang, since they use its builtins.
  add_custom_command(
    OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/vectorise_kernels.o
    COMMAND ${HEDDLE_CLANG} -O1 -std=gnu17 -fwrapv -fno-strict-aliasing -ffp-contract=off -fno-math-errno -fPIC
            -c ${CMAKE_CURRENT_SOURCE_DIR}/vectorise/vectorise_kernels.c -o ${CMAKE_CURRENT_BINARY_DIR}/vectorise_kernels.o
    DEPENDS vectorise/vectorise_kernels.c vectorise/vectorise_dialect.h)
  add_custom_target(vectorise_kernels DEPENDS ${CMAKE_CURRENT_BINARY_DIR}/vectorise_kernels.bc)
  heddle_unit_test(vectorise vectorise/vectorise.c LIBS heddle_passes heddle_resume_run llvm_shared)
  target_sources(unit_vectorise PRIVATE vectorise/vectorise_compile.c vectorise/vectorise_reference.c
                 ${CMAKE_CURRENT_BINARY_DIR}/vectorise_kernels.o)
  target_compile_definitions(unit_vectorise PRIVATE VECTORISE_KERNELS="${CMAKE_CURRENT_BINARY_DIR}/vectorise_kernels.bc")
  add_dependencies(unit_vectorise vectorise_kernels)
  heddle_unit_test(masked vectorise/masked.c LIBS heddle_vectorise llvm_shared)
endif()
