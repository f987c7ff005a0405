// SPDX-License-Identifier: Apache-2.0
// What compiled kernels and the device engine know of each other: the structures that generated code reads and writes by
// offset. A change here changes JIT_ABI_VERSION, which is part of every cache key.
#ifndef HEDDLE_JIT_ABI_H
#define HEDDLE_JIT_ABI_H
#include "jit/abi/check.h"
#include <stdint.h>

enum { JIT_ABI_VERSION = 59, JIT_SINK_BYTES = 1024, JIT_FRAME_ALIGN = 64 };
// A block's shared memory lies this far (as a power of two) behind that of the block before it in its cluster: an address
// in the shared window is rank << JIT_WINDOW_SHIFT | offset, as on a GPU.
enum { JIT_WINDOW_SHIFT = 24, JIT_CLUSTER_MAX = 16 };

struct jit_block;
// Functions of the engine that kernels call, one call a lane (image: one a gang): hook(block, thread, ...). thread is the linear index in
// the block. The rows of hooks.def give the order of the table.
enum jit_hook {
#define HOOK(name, ret, ...) JIT_HOOK_##name,
#include "jit/abi/hooks.def"
#undef HOOK
    JIT_HOOK_COUNT
};

// One launch; constant while it runs.
struct jit_launch {
    const char *args;           // parameter block, 16-byte aligned, or as a parameter asks for
    void *const *globals;       // by ptx_var.index: the variable; at nvars + ptx_func.index: the function's descriptor
    void (*const *hooks)(void); // by enum jit_hook
    uint32_t grid[3], block[3], cluster[3];
    uint32_t dynamic_shared;
    uint64_t grid_id;
    uint32_t envreg[4]; // %envreg0 ... %envreg3; 1 and 2 hold the address of the grid workspace
    uint32_t nsmid;
    uint32_t shared_static;    // bytes before the dynamic shared memory
    uint32_t explicit_cluster; // the launch or the kernel names a size of clusters
};

// Sums that a worker has not added to memory yet (opt/privatise.c). A cell holds those of one gang for one instruction:
// of as many elements side by side as the gang has lanes, or of one.
enum jit_sum { JIT_SUM_I32 = 1, JIT_SUM_I64, JIT_SUM_F32, JIT_SUM_F64 };
enum { JIT_CELLS = 64, JIT_CELL_BYTES = 128 };
struct jit_cell {
    uint64_t address; // of the first element; 0: the cell is free
    uint32_t lanes;   // elements that something was added to
    uint32_t sum;     // enum jit_sum
    char padding[48];
    _Alignas(64) char value[JIT_CELL_BYTES];
};
// The sums of one instruction whose lanes add to different elements: a copy of the memory from an address on, and behind
// it what inactive lanes add to.
enum { JIT_WINDOWS = 8, JIT_WINDOW_BYTES = 16384, JIT_WINDOW_SPARE = 256 };
struct jit_window {
    uint64_t address;   // 0: the window is free
    char *value;        // NULL until it is first used
    uint64_t refused;   // an address that it may not stand for, for as long as this grid runs
    uint32_t sum, held; // enum jit_sum; of what the window holds the zeros of when it is free
};
// What blocks bring to one location that all of them name, by one instruction: as many parts of the result as a vector has
// elements. Operations other than additions too. In forms of blocks that keep no such thing in registers, `room` holds a block's
// own: the parts, and behind them a word of enum jit_merge.
enum jit_merge_op {
    JIT_MERGE_ADD,
    JIT_MERGE_MIN,
    JIT_MERGE_MAX,
    JIT_MERGE_UMIN,
    JIT_MERGE_UMAX,
    JIT_MERGE_AND,
    JIT_MERGE_OR,
    JIT_MERGE_XOR
};
enum jit_merge { JIT_MERGE_REFUSED, JIT_MERGE_TAKEN };
enum { JIT_MERGED = 4, JIT_MERGED_BYTES = 64, JIT_MERGED_ROOM = 128 };
struct jit_merged {
    uint64_t address; // 0: free
    uint64_t refused; // as a window's
    uint32_t sum, op; // enum jit_sum, enum jit_merge_op
    _Alignas(64) char value[JIT_MERGED_BYTES];
};
struct jit_table {
    _Alignas(64) uint64_t used; // a bit for each cell that is not free
    struct jit_window window[JIT_WINDOWS];
    struct jit_merged merged[JIT_MERGED];
    _Alignas(64) char room[JIT_MERGED * JIT_MERGED_ROOM];
    struct jit_cell cell[JIT_CELLS];
};

// One block as a worker runs it.
struct jit_block {
    const struct jit_launch *launch;
    uint32_t ctaid[3];
    uint32_t smid;
    uint64_t linear; // ctaid as a linear number, x fastest
    char *shared;    // this block's shared memory, 128-byte aligned
    char *frame;     // at least jit_variant.frame_bytes, JIT_FRAME_ALIGN aligned, contents arbitrary when fresh
    char *sink;      // JIT_SINK_BYTES that inactive lanes may write to
    uint32_t resume; // 0: fresh; set and used by generated code only
    uint32_t shared_bytes;
    void *engine;
    char *window; // the shared memory of rank 0 of the block's cluster: where shared addresses count from
    struct jit_cluster *cluster; // the cluster's barrier (cluster.h); only kernels that use one need it
    uint32_t cluster_phase;      // of that barrier when the block arrived; used by the code that runs blocks together
    uint32_t rank;               // in the cluster
    struct jit_table *table;     // this worker's; for variants with `privatises`
    uint32_t more;               // 1: the worker is likely to run the block behind the last one of the call
    uint32_t follows;            // 1: it is likely to run the one behind this; set and used by generated code only
    struct jit_site *sites;      // what is known of the sites of checked code (check.h)
    uint64_t written;            // of code for initcheck: the block whose shared memory is all written, plus 1
    uint32_t first_thread; // of the gang that runs, for messages: code with source lines and code of one lane sets it
};
#define JIT_NO_THREAD UINT32_MAX // nobody has said so

enum jit_result { JIT_DONE = 0, JIT_YIELD = 1 };

// Runs `count` blocks, first block->linear (ctaid is set by the callee from linear), then the following ones. A variant
// with may_wait is called with count 1, so is one with cluster in clusters of several blocks; JIT_YIELD: every thread of the
// block waits for something outside the block, call again later with the same jit_block (frame and shared memory kept).
// Otherwise JIT_DONE.
// Its symbol is the kernel's name with this behind it, which debuggers show as a clone of the kernel.
#define JIT_ENTRY_SUFFIX ".entry"
// The same in code for debuggers, which would take a name like the kernel's for the kernel.
#define JIT_ENTRY_PLAIN "heddle.entry"
typedef uint32_t jit_entry_fn(const struct jit_launch *launch, struct jit_block *block, uint64_t count);

// What a variant counts on: these bits of the parameter at this offset are 0, a pointer is aligned. Kernels have no checks for
// it; a launch with other arguments takes the variant that checks (jit_options.checked).
enum { JIT_ASSUMED_MAX = 16 };
struct jit_assumption {
    uint32_t offset, bits;
};

// Of code for racecheck: through what the kernel stores to global memory, atomics included.
enum { JIT_STORES_MAX = 16 };
struct jit_stores {
    uint32_t n, offset[JIT_STORES_MAX]; // pointers among its arguments
    uint32_t variables;                 // 1: variables of the module too
    uint32_t others;                    // 1: what is not known
};

// What the engine must know of a compiled variant; stored with the code in the cache.
struct jit_variant {
    uint32_t width;
    uint32_t may_wait;    // may return JIT_YIELD
    uint64_t frame_bytes; // a block; for a generic variant: a thread, times threads rounded up to 32, plus frame_fixed
    uint64_t frame_fixed; // generic variants only
    uint32_t shared_static;   // bytes of static shared memory
    uint32_t shared_align;    // what its variables ask for, a power of two; 0: no more than 128
    uint32_t block[3];        // the shape it was compiled for; 0: any
    uint32_t local_bytes;     // local memory a thread
    uint32_t flush_denormals; // run with f32 denormals flushed (FTZ and DAZ)
    uint32_t cluster;         // reaches other blocks of its cluster: run those together (src/device/sched/cluster.c)
    uint32_t stacks; // its threads have stacks of their own: fibres (src/device/sched/fibres.h), or a debugger's
    uint32_t
        privatises; // leaves sums in jit_block.table, which the worker adds to memory before its blocks count as over;
                    // not with may_wait or cluster
    uint32_t calls; // functions that stay calls: it may need as much of a stack as a kernel can have
    uint32_t side;  // so many blocks that follow each other along x are best run by one call
    uint32_t quick_us;    // made without optimising, in this time; 0: optimised
    uint32_t grid_max[3]; // the code counts on no larger grid; 0: on nothing
    uint32_t nassumed;
    struct jit_assumption assumed[JIT_ASSUMED_MAX];
    struct jit_stores stores;
};
#endif
