if(TARGET heddle_resume)
  add_custom_command(
    OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/resume_kernels.bc
    COMMAND ${HEDDLE_CLANG} -O1 -Xclang -disable-llvm-passes -std=gnu17 -fwrapv -fno-strict-aliasing -ffp-contract=off
            ${HEDDLE_CLANG_TARGET} -fno-stack-protector -Wall -Wextra -Werror -Wno-infinite-recursion -emit-llvm
            -c ${CMAKE_CURRENT_SOURCE_DIR}/resume_kernels.c -o ${CMAKE_CURRENT_BINARY_DIR}/resume_kernels.bc
    DEPENDS resume_kernels.c resume_dialect.h)
  add_custom_target(resume_kernels DEPENDS ${CMAKE_CURRENT_BINARY_DIR}/resume_kernels.bc)
  heddle_unit_test(resume resume.c LIBS heddle_resume heddle_resume_run)
  target_sources(unit_resume PRIVATE resume_harness.c)
  target_compile_definitions(unit_resume PRIVATE RESUME_KERNELS="${CMAKE_CURRENT_BINARY_DIR}/resume_kernels.bc")
  if(TARGET heddle_vectorise)
    target_link_libraries(unit_resume PRIVATE heddle_vectorise)
    target_compile_definitions(unit_resume PRIVATE RESUME_VECTORISE)
  else()
    target_sources(unit_resume PRIVATE ${CMAKE_SOURCE_DIR}/src/jit/cfg.c)
  endif()
  add_dependencies(unit_resume resume_kernels)
endif()
