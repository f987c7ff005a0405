# Resume points: cutting kernels where they wait, and the function that runs whole blocks. The scheduler itself is C,
# compiled to bitcode that block.c links into each kernel that needs it.
add_custom_command(
  OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/lib_resume.bc
  COMMAND ${HEDDLE_CLANG} -O2 -std=c17 -ffreestanding -fno-vectorize -fno-slp-vectorize -fno-unroll-loops
          -fno-stack-protector -fno-unwind-tables -fno-asynchronous-unwind-tables -Wall -Wextra -Werror
          -I${CMAKE_SOURCE_DIR}/src -emit-llvm -c ${CMAKE_CURRENT_SOURCE_DIR}/lib_resume.c
          -o ${CMAKE_CURRENT_BINARY_DIR}/lib_resume.bc
  DEPENDS lib_resume.c resume_state.h abi.h hooks.def)
add_custom_command(
  OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/lib_resume_bc.c
  COMMAND ${CMAKE_COMMAND} -DIN=${CMAKE_CURRENT_BINARY_DIR}/lib_resume.bc
          -DOUT=${CMAKE_CURRENT_BINARY_DIR}/lib_resume_bc.c -DNAME=lib_resume_bc
          -P ${CMAKE_CURRENT_SOURCE_DIR}/resume_embed.cmake
  DEPENDS ${CMAKE_CURRENT_BINARY_DIR}/lib_resume.bc resume_embed.cmake)
add_library(heddle_resume STATIC resume.c resume_live.c resume_clone.c resume_converge.c collective_split.c spin.c
            block.c block_machine.c ${CMAKE_CURRENT_BINARY_DIR}/lib_resume_bc.c)
target_link_libraries(heddle_resume PUBLIC llvm_c heddle_base)
if(TARGET heddle_vectorise)
  target_link_libraries(heddle_resume PUBLIC heddle_vectorise) # cfg.c
endif()
