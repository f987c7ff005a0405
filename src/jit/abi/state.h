// SPDX-License-Identifier: Apache-2.0
// The state word of a thread between two regions, and the part of a block's frame that the scheduler keeps. Read by
// jit/resume and jit/block, which generate code, and by abi/run.c, which schedules.
//
// A region returns the state of its thread: 0 finished, else
//   bits 0-15 resume point, 16-23 what is to be done there (enum resume_op), 24-27 barrier, 28-31 enum resume_kind.
// A thread whose kind is RESUME_RUN may run; it then holds the bare resume point. Waiting states are negative as i32.
#ifndef HEDDLE_JIT_RESUME_STATE_H
#define HEDDLE_JIT_RESUME_STATE_H
#include <stdint.h>

enum { RESUME_POINTS_MAX = 65534, RESUME_START = 65535, RESUME_BARRIERS = 16, RESUME_WARP_LANES = 32 };
enum { RESUME_OP_SHIFT = 16, RESUME_ID_SHIFT = 24, RESUME_KIND_SHIFT = 28, RESUME_POINT_MASK = 0xffff };

enum resume_kind {
    RESUME_RUN = 0,            // or, from a region: a resume point that does not wait
    RESUME_BARRIER = 8,        // op: RESUME_NONE or a reduction; RESUME_COUNTED may be added
    RESUME_WARP = 9,           // op: the collective; members in raw slot RESUME_KEY
    RESUME_GATHER = 10,        // activemask when W < 32: released when the rest of the warp can do nothing
    RESUME_ARRIVE = 11,        // bar.arrive: counted, then goes on
    RESUME_YIELD = 12,         // op: RESUME_NONE, it spins; RESUME_IN_BLOCK, it yields to its block, and moves on
    RESUME_CLUSTER_WAIT = 13,  // barrier.cluster.wait
    RESUME_CLUSTER_SYNC = 14,  // arrive and wait in one
    RESUME_CLUSTER_ARRIVE = 15 // counted, then goes on
};

// What the scheduler computes when it releases a thread; the result goes to raw slot RESUME_RESULT,
// that of a barrier of the whole block to RESUME_BLOCK_RESULT.
enum resume_op {
#define COLLECTIVE(name, agreed, result) RESUME_##name,
#include "jit/abi/collective.def"
    RESUME_IN_BLOCK, // of a yield
    RESUME_OP_MASK = 0x3f,
    RESUME_COUNTED = 0x40 // a barrier for the number of threads in raw slot RESUME_KEY
};

// What occurs in a kernel, so that the scheduler leaves out the rest.
enum resume_flags {
    RESUME_HAS_YIELDS = 1,
    RESUME_HAS_WARPS = 2,
    RESUME_HAS_RESULTS = 4,
    RESUME_HAS_CLUSTERS = 8,
    RESUME_HAS_SPINS = 16,  // yields of loops that spin, besides those within the block
    RESUME_DESCENDING = 32, // not a part: the last warp runs first
    RESUME_EAGER = 64,      // the same: a block that spins yields to others at once
    RESUME_DEBUGGED = 128   // of threads with stacks of their own: for a debugger (device/debug/stacks.h), else fibres
};

// The raw slots that waits use; a plan with raw_slots = 0 has none of these.
enum resume_slot {
    RESUME_KEY,   // member mask of a warp wait, thread count of a barrier
    RESUME_VALUE, // operand: value or predicate
    RESUME_EXTRA, // second operand of shfl: b in the low half, c in the high half
    RESUME_RESULT,
    RESUME_BLOCK_RESULT, // of a barrier of the whole block, in the first cell: warps may read it long after one another
    RESUME_SLOTS
};

// The beginning of the frame of a block that needs the scheduler.
struct resume_block {
    uint32_t live;                        // threads that have not finished
    uint32_t idle;                        // sweeps in a row that brought nothing but yields
    uint32_t sweeps;                      // with a yield, since the entry was called
    uint32_t awake;                       // warps with lanes that may run in the next sweep
    uint32_t arrived[RESUME_BARRIERS];    // threads that wait at the barrier, or arrived and went on
    uint32_t expected[RESUME_BARRIERS];   // 0: the whole block
    uint32_t phase;                       // of the cluster's barrier, as the block last saw it
    uint32_t gathered[RESUME_WARP_LANES]; // by warp: lanes that have arrived at it in this phase
};
enum { RESUME_BLOCK_BYTES = 320 };
#endif
