// SPDX-License-Identifier: Apache-2.0
// Resume points: how threads wait. Generated code never blocks; it returns.
//
// A kernel's scalar code is cut at every point where a thread may have to wait for others. The piece from one such
// resume point to the next is a region: a function of one thread that returns which point the thread reached (region.h;
// the state word in abi/state.h). What the rest of the kernel still needs is kept in the block's frame. The
// vectoriser turns a region into code for a gang; block/block.c emits the function that drives the regions of a whole
// block. So a thread's stack is never switched, a block can be put aside at any resume point, and it costs a few loads
// and stores.
//
// Requirements:
//  1. Every wait is a resume point: barriers, those of the cluster too, warp collectives that cannot be executed at
//     once, nanosleep, and the back edges of loops that may spin (resume/spin.c). A loop that can wait and has none
//     would hang the worker; so doubts are decided for the yield. So is a yield within the block (compat/compat.h), at
//     which a thread waits for nothing: it goes on when the other threads of its block have run.
//  2. Threads wait one by one. Lanes of one warp may wait at different points, as on a GPU with independent thread
//     scheduling: a lock taken by one lane and wanted by its neighbours makes progress.
//  3. A barrier releases when as many threads arrived as it expects; finished threads count as arrived. bar.arrive
//     counts and goes on. Barriers with a result get it computed when they release.
//  4. A warp collective runs when every member that has not finished waits for it; operands are published in raw slots
//     and the result is computed when it releases, by the same C code at every width, so that widths 1, 8, 16 and 32
//     agree. At width 32, where the lanes are known to be together, it stays a call and costs no resume point
//     (resume/waits.c).
//  5. What lives across a resume point: a small pure tree over the thread's position, constants and kernel parameters
//     is computed again; anything else gets a slot. An alloca becomes local memory of the thread in the frame.
//  6. A frame slot may be kept once for a gang (or once for the block) when the vectoriser finds its value uniform.
//     That is sound only if the lanes that share it store and load it together. So a value gets a frame slot when it is
//     computed before the first resume point, or when the lanes are together where it is computed and at every resume
//     point that it lives across; otherwise a raw slot, one cell for each thread.
//  7. A slot is stored only by regions that contain the definition of its value: what merely passes through a region
//     stays where it is, and a gang that waits at one point does not disturb what another has there.
//  8. If nothing in a block can run although threads wait (a program that a GPU would hang on), warp waits are released
//     as they stand, then barriers: no worker is lost.
//  9. A block in which nothing but spinning happened returns JIT_YIELD, so that the blocks it waits for can run. So
//     does one that waits for the rest of its cluster: it is called again when the barrier's phase is over (cluster.h).
// 10. The regions together stay in proportion to the kernel (resume/cut_regions.c).
// 11. The cost: nothing for kernels that do not wait; for barriers that the whole block reaches together a loop over
//     the gangs for each region (block/block.c); the scheduler (abi/run.c) only when gangs or lanes really diverge, by gangs where
//     that will do.
#include "jit/resume/resume.h"
#include "jit/ir/pass.h"
#include <stdlib.h>
#include <string.h>

// The markers of an alloca's life that inlining leaves behind do not apply to memory in the frame. Scratch memory of inlined functions
// becomes one: nobody reads there what another has written.
bool pass_lifetimes(struct compilation *c)
{
    LLVMValueRef scratch = NULL;
    FOR_FUNCTION_SAFE (c->t.kernel, i) {
        if (LLVMIsACallInst(i) && !strncmp(call_name(i), "llvm.lifetime.", 14)) {
            LLVMInstructionEraseFromParent(i);
        } else if (LLVMIsAAllocaInst(i) && ir_metadata(i, IR_SCRATCH)) {
            if (scratch)
                ir_replace(i, scratch);
            else
                scratch = i;
        }
    }
    return true;
}

void resume_release(struct resume *r)
{
    if (!r)
        return;
    if (r->converge)
        converge_destroy(r->converge);
    cfg_fini(&r->cfg);
    map_free(&r->point_index);
    map_free(&r->apart);
    vec_free(&r->points);
    vec_free(&r->passed);
    arena_fini(&r->arena);
    free(r);
}
