# Resume points. heddle_resume (with LLVM) cuts kernels where they wait and emits the function that runs whole blocks;
# heddle_resume_run is the scheduler that this function calls, part of libcuda.
add_library(heddle_resume_run STATIC resume_run.c)
target_compile_options(heddle_resume_run PRIVATE -O3)
target_link_libraries(heddle_jitcore PUBLIC heddle_resume_run)

add_library(heddle_resume STATIC resume.c resume_live.c resume_clone.c resume_converge.c resume_cut.c collective_split.c spin.c lockstep.c
            block.c block_idle.c block_machine.c)
target_link_libraries(heddle_resume PUBLIC llvm_c heddle_base)
if(TARGET heddle_vectorise)
  target_link_libraries(heddle_resume PUBLIC heddle_vectorise) # cfg.c
endif()
