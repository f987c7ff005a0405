# The vectoriser, and the control flow graph that resume.c uses too.
add_library(heddle_vectorise STATIC cfg.c structure.c carry.c prefetch.c width.c align.c shape.c shape_function.c shape_transfer.c shape_builtin.c shape_analyse.c
            vectorise.c gang_function.c gang_value.c gang_mask.c gang_lanes.c gang_edge.c gang_test.c gang_flow.c
            gang_loop.c gang_op.c gang_memory.c gang_masked.c gang_index.c gang_interleave.c gang_atomic.c gang_frame.c gang_sreg.c gang_call.c gang_intrinsic.c
            gang_collective.c gang_image.c)
target_link_libraries(heddle_vectorise PUBLIC heddle_target llvm_c heddle_base)
