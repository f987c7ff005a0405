// SPDX-License-Identifier: Apache-2.0
// The seam between resume/resume.c, which cuts a kernel's scalar code at its resume points, and the vectoriser, which turns each
// piece into code for a gang of W lanes; block/block.c then emits the function that runs whole blocks.
//
// A region is the code of one thread from one resume point to the next: `i32 @KERNEL.region.N()`. It returns the resume
// point that the thread reached, 0 when the thread has finished. Region 0 is the start of the kernel. Besides the scalar
// dialect (docs/dialect.md, without the calls that wait) a region may contain
//   T    heddle.frame.get.<T>(i32 slot)        what this thread stored there before; T names the type: i32, i64, float ...
//   void heddle.frame.set.<T>(i32 slot, T v)
//   ptr  heddle.frame.local(i32 offset)        this thread's local memory that outlives the region; offset is constant
//   ptr  heddle.frame.lanes(i64 offset)        local memory of the whole gang, element by element (opt/interleave_locals.c)
//   i64  heddle.frame.lane(i64 bytes)          this thread's lane in the gang * bytes
//   T    heddle.raw.get.<T>(i32 slot, i32 thread)  the raw slot of any thread of the block (linear index)
//   void heddle.raw.set.<T>(i32 slot, T v)     this thread's raw slot
// and, in a block of one gang that does not wait,
//   void heddle.gang.sync()                    here the other lanes may have changed memory
//   i32  heddle.lane.word.i32(i1 p)            bit l: lane l is active and its p is true
//   T    heddle.lane.shift.<T>(T v, i32 k)     what lane + k has; beyond the gang's ends: anything
//   T    heddle.forward.<T>(ptr p, T v, i32 w) v in lanes of the word w, what is at p in the others (resume/forward_lanes.c)
// A frame slot is stored as its shape allows (once a block when block-uniform, a scalar base a gang when affine, else W
// lanes); a raw slot is always an array of one cell for each thread of the block, of 4 bytes for types of up to 32 bits, else
// of 8 and so readable by plain C code: the counters and operands of barriers, and warp collectives when W < 32.
#ifndef HEDDLE_JIT_REGION_H
#define HEDDLE_JIT_REGION_H
#include "base/diag.h"
#include "base/vec.h"
#include "jit/abi/abi.h"
#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <stdbool.h>

enum region_wait {
    REGION_START,   // region 0
    REGION_BARRIER, // entered when the block's barrier releases the thread (id and count in raw slots when not 0 and
                    // all)
    REGION_WARP,    // entered when every member of the thread's warp mask waits here or at another warp wait, or has
                    // exited
    REGION_ARRIVE,  // bar.arrive: entered at once
    REGION_YIELD,   // entered when the gang is scheduled next; the thread spins
    REGION_YIELD_BLOCK, // entered when the gang is scheduled next, after the other threads of the block
    REGION_CLUSTER      // entered when the cluster's barrier releases the thread; after an arrival: at once
};

// The parameters of a region's gang code. Pointers but for PARAM_FIRST.
enum region_parameter {
    PARAM_LAUNCH, // struct jit_launch
    PARAM_BLOCK,  // struct jit_block
    PARAM_FRAME,  // this gang's frame
    PARAM_FIRST,  // i32: the number of lane 0's thread in the block
    PARAM_NOW,    // block-uniform slots are read here
    PARAM_NEXT,   // and written here
    PARAM_RAW,    // the raw slots; slot s begins at s * threads_padded * 8
    PARAM_MASK    // of masked code: <W x i32> of 0 and -1
};

struct region {
    LLVMValueRef scalar; // i32 ()
    enum region_wait wait;
    unsigned op;      // what is computed when the wait ends: enum resume_op (abi/state.h); for block/block.c
    bool whole;       // all lanes of a gang enter it at once, but for those that have finished (resume/split.c)
    size_t set, nset; // in region_plan.set: the frame slots that it may set
    // filled by the vectoriser, with the parameters of enum region_parameter
    LLVMValueRef full;       // all W lanes run; NULL when it can never be used
    LLVMValueRef masked;     // some lanes run; NULL likewise
    bool next_uniform;       // the result is an i32 for the gang; else <W x i32>, inactive lanes unspecified
    bool next_block_uniform; // and the same for every gang of the block
    // filled by block/interleave.c: `full` may stop at the head of a loop; it then has two more parameters (ptr point, ptr kept),
    // a byte that says where it stopped and memory for what lives there
    bool interleaved;
    bool tells_idle; // filled by block/idle.c: `full` says when neither this gang nor any after it has anything to do
    uint64_t kept_bytes;
};

struct region_plan {
    LLVMModuleRef module;
    LLVMTargetDataRef layout;
    const char *kernel;
    struct VEC(struct region) regions;
    struct VEC(LLVMTypeRef) slots; // frame slots
    struct VEC(unsigned) set;      // lists of slots, one for each region
    unsigned raw_slots;
    uint64_t local_bytes;   // of heddle.frame.local, a thread (16-byte multiple, and one of local_align)
    uint64_t local_align;   // what a variable there asks for; 0: 16 will do
    uint64_t lanes_bytes;   // of heddle.frame.lanes, a thread (16-byte multiple)
    uint64_t args_bytes;    // of the parameter block
    uint32_t shared_static; // shared memory that every block has, in bytes
    bool inits;             // checked for initcheck: shared memory is right where all of it was written
    bool races;             // checked for racecheck: the engine is told how the addresses of a gang lie
    bool lines;             // there are source lines: messages about faults name the threads too
    bool debug;             // -G: regions stay functions of their own
    bool stacks;   // each thread has a stack of its own: one region, in which a wait is a call (resume/keep_stack.c)
    bool debugger; // for a debugger's sake
    struct VEC(struct region_stop {
        enum region_wait wait;
        unsigned op;
    }) stops;        // then: what waits there
    bool lean;       // where threads wait separately, code for some lanes serves all of them too
    bool in_step;    // the lanes of a gang take every step together, as in the vectoriser's code
    unsigned side;   // so many blocks side by side are run as one, at most: what opt/interleave_gangs.c finds useful
    bool by_rows;    // and the gangs of the first row of all of them run before those of the second, each to its end
                     // and block/sweep.c possible
    bool listed;     // a loop that gangs run interleaved reads what a list names (opt/interleave_gangs.c)
    bool descending; // of the gangs of a block the last one runs first
    bool eager;      // a block that spins yields to others at once
    bool lockstep;   // the kernel counts on the lockstep of its warps
    bool privatises; // filled by the vectoriser: additions go through the worker's table (opt/privatise.c)
    struct {
        LLVMAtomicRMWBinOp op;
        LLVMTypeRef type;     // of the vector; NULL: there is no such location
        LLVMValueRef address; // i64 (ptr launch, ptr block)
        uint32_t kind;        // as hook merge has it
        uint64_t params;
    } merged[JIT_MERGED]; // filled by the vectoriser: locations that blocks merge results for (gang/memory/merge.c)
    bool checked;         // alignment of pointer parameters is checked in the code, not assumed
    unsigned nassumed;    // filled by opt/align.c: what launches test
    struct jit_assumption assumed[JIT_ASSUMED_MAX];
    uint32_t grid_max[3]; // the same, so that no thread's number along an axis reaches 2^31 (opt/range.c)
    // the variant
    unsigned width;    // lanes a gang: 1, 8, 16 or 32
    unsigned block[3]; // 0: any shape (tid from a run-time division, all affine facts off but lane order)
    // filled by the vectoriser
    uint64_t gang_frame_bytes; // multiple of gang_frame_align
    uint64_t gang_frame_align; // JIT_FRAME_ALIGN, or more
    uint64_t uniform_bytes;    // size of one uniform buffer
    struct VEC(struct uniform_slot {
        uint64_t offset;  // in the uniform buffers
        LLVMTypeRef type; // NULL: the slot is not there
    }) uniform;           // by frame slot
};

// Threads of a block; 0: any number.
static inline unsigned plan_threads(const struct region_plan *p)
{
    return p->block[0] * p->block[1] * p->block[2];
}

// Whether the gangs of a block stay whole: each region leads all lanes of a gang to one point, where the block waits, yields or goes on
// and nothing is computed for single lanes, and no gang has fewer threads than lanes. By induction from the start no lane is ever apart from
// its gang: a state for each gang says where the block stands (heddle_resume_gangs), and code for some lanes is never called.
static inline bool plan_gangs_whole(const struct region_plan *p)
{
    unsigned threads = plan_threads(p);
    bool whole = p->width > 1 && !p->stacks && threads && threads % p->width == 0;
    for (size_t r = 0; r < p->regions.len; r++) {
        const struct region *x = &p->regions.data[r];
        bool simple = x->wait == REGION_START || x->wait == REGION_BARRIER || x->wait == REGION_YIELD ||
                      x->wait == REGION_YIELD_BLOCK;
        whole &= x->next_uniform && x->op == 0 && simple;
    }
    return whole;
}

// gang/memory/merge.c: where the parts of a block's result lie behind the uniform slots (uniform_next), JIT_MERGED_ROOM bytes for each location: the vector,
// then a word of enum jit_merge.
static inline uint64_t merge_offset(const struct region_plan *p, unsigned number)
{
    return ((p->uniform_bytes + 16 + 63) & ~(uint64_t)63) + (uint64_t)number * JIT_MERGED_ROOM;
}
static inline bool merge_any(const struct region_plan *p)
{
    for (unsigned k = 0; k < JIT_MERGED; k++)
        if (p->merged[k].type)
            return true;
    return false;
}

// Metadata of additions that may be made later (opt/privatise.c); of the second kind, for scattered ones, with a number and the
// parameters that must lead to other memory, a bit for each 8 bytes.
#define PRIVATE_KIND "heddle.private"
#define WINDOW_KIND  "heddle.window"
#define MERGE_KIND   "heddle.merge" // one location for all blocks: as for windows
#endif
