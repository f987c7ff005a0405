// SPDX-License-Identifier: Apache-2.0
// What a thread needs to run blocks: shared memory, frame, sink; private to the engine.
#ifndef HEDDLE_DEVICE_SCHED_RUNNER_H
#define HEDDLE_DEVICE_SCHED_RUNNER_H
#include "device/device.h"
#include "jit/abi/cluster.h"

// Memory of one block. Shared memory ends against a guard page, so that an index past its end faults.
struct resident {
    struct jit_block block;
    char *shared_map;
    size_t shared_map_size;
    size_t frame_size;
    struct resident *next;
    struct jit_cluster alone;   // the cluster of a block that is the only one in its own
    struct stack_cell **stacks; // by thread: local memory taken while it runs (stack.c); NULL: none
    struct jit_site *sites;     // of checked code, its own; NULL: none yet (check/check.h)
    struct race_block *race;    // the same: what racecheck, synccheck and initcheck keep of the block
    struct sync_block *sync;
    struct init_block *init;
    struct count_blocks *count;   // of counted code (count/count.h); NULL: none yet
    struct debug_block *debugged; // its threads have stacks of their own (debug/stacks.h); NULL: not now
    struct fibres *fibres;        // the same of code for fibres (fibres.h)
    void *thread_code;            // then: what runs one of them
    struct cluster *cluster;      // the others, where the block has rank 0 in a cluster of several; else NULL
    _Alignas(64) char sink[JIT_SINK_BYTES];
};

// False: out of memory. Reuses what is large enough.
// The room for shared memory is a multiple of its alignment.
bool resident_prepare(struct resident *r, const struct jit_launch *launch, uint64_t frame_bytes, uint32_t shared_bytes,
                      uint32_t shared_room);
bool resident_frame(struct resident *r, const struct jit_launch *launch, uint64_t frame_bytes, uint32_t shared_bytes);
struct resident *resident_create(void);
void resident_destroy(struct resident *r);
struct resident *resident_of_thread(void); // this thread's own; NULL: out of memory
// Around other work on top of a block that uses this thread's own.
struct resident *resident_set_aside(void);
void resident_put_back(struct resident *r);

// ---- memory/sums.c: sums that kernels leave to the worker
bool sums_begin(struct resident *r); // false: out of memory
void sums_flush(struct resident *r); // may fault, as the kernel would
void sums_drop(struct resident *r);  // after a fault
void sums_end(struct resident *r);   // frees the table

// ---- stack.c
enum { STACK_CELL_MOST = 512 << 10 }; // as much as a thread's stack may be
bool stack_holds(const struct resident *r, uint64_t address);
void stacks_free(struct resident *r);

// ---- cluster.c: the blocks of a cluster
// Makes `first` the block of rank 0 of the cluster with this number, and prepares all its blocks. False: out of memory.
bool cluster_prepare(struct resident *first, const struct jit_launch *launch, uint64_t number, uint64_t frame_bytes,
                     uint32_t shared_bytes, uint32_t shared_room);
void cluster_destroy(struct cluster *c);
// A block to prepare, perhaps with the memory of an earlier cluster; NULL: out of memory. cluster_give takes it back.
struct resident *cluster_take(void);
void cluster_give(struct resident *first);
// Runs the blocks in turns until all are over (true), or all wait for something outside the cluster. *now is the block
// under way, for faults.
bool cluster_run(struct resident *first, const struct jit_launch *launch, jit_entry_fn *entry,
                 struct jit_block *volatile *now);
#endif
