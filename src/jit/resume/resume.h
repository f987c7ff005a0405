// SPDX-License-Identifier: Apache-2.0
// What the passes share that cut a kernel at its resume points, as resume/resume.c tells: which calls wait (resume/waits.c), how the
// lanes of a gang stay together (resume/converge.c), where else to cut (resume/cut_regions.c), and the regions (resume/split.c).
#ifndef HEDDLE_JIT_RESUME_H
#define HEDDLE_JIT_RESUME_H
#include "base/arena.h"
#include "jit/analysis/cfg.h"
#include "jit/ir/region.h"
#include "jit/abi/state.h"

// One resume point: a `call void @heddle.resume(i32 state)` in the kernel, once the pass resume_points has run.
struct resume_point {
    LLVMValueRef call;
    enum region_wait wait;
    unsigned op;   // enum resume_op, with RESUME_COUNTED
    bool together; // the lanes of a gang that have not finished wait here and go on here all at once
};

struct decisions;

// Made by the pass waits, released by split.
struct resume {
    struct region_plan *plan;
    LLVMValueRef kernel;
    LLVMContextRef context;
    struct arena arena;
    struct diag *d;
    struct VEC(struct resume_point) points; // points.data[i] is resume point i + 1
    struct map point_index;                 // the call -> resume point
    bool *block_together;                   // by block number: the lanes of a gang enter the block all at once
    bool *block_whole;                      // no branch divides the gang before it
    struct cfg cfg;                         // of the kernel from then on: no pass up to split adds blocks
    struct decisions *decisions;            // resume/waits.c: which calls wait
    struct converge *converge;
    struct map apart; // loads, barriers and votes that the lanes of a gang may make at different times
    struct VEC(
        LLVMValueRef) passed; // barriers of a block of one gang at which nothing waits, where nothing else does either
};

// resume/converge.c: which values and branches the lanes of a group of `lanes` consecutive threads agree about.
struct converge;
// apart: what the lanes may make at different times, and which may differ by that; it has to live as long.
struct converge *converge_create(struct resume *r, unsigned lanes, const struct map *apart);
void converge_destroy(struct converge *c);
bool converge_value(const struct converge *c, LLVMValueRef v);
// The set of branches that divide the group before this block, as a hash; 0: none, the group is whole.
uint64_t converge_branches(const struct converge *c, int block);
// Whether all lanes of the group reach this block at once, none of them on another path, not even to the kernel's end.
bool converge_undivided(struct converge *c, int block);
// The lanes of a warp for which a condition on the thread's position is true; false when it is none, or the shape is
// unknown.
bool converge_lanes(struct converge *c, LLVMValueRef condition, unsigned warp, uint32_t *lanes);
// What the branch at the end of this block contributes to it.
uint64_t converge_branch(int block);

// resume/resume.c: ends what the pass waits began; r may be NULL.
void resume_release(struct resume *r);
#endif
