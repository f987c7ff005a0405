// SPDX-License-Identifier: Apache-2.0
// A kernel as an operation; private to launch.c and to what answers its kernel's calls (hook/device_call.c).
#ifndef HEDDLE_DEVICE_SCHED_LAUNCH_OP_H
#define HEDDLE_DEVICE_SCHED_LAUNCH_OP_H
#include "device/fault/watchdog.h"
#include "device/sched/nested.h"
#include "device/sched/pool.h"
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

struct shares;
struct late;

enum { ARGS_ALIGN = 16 };

struct launch_op {
    struct op op;
    // What every thread that joins reads.
    struct grid_job job;
    struct jit_launch launch;
    struct jit_code *code;
    _Atomic(jit_entry_fn *) entry; // for blocks that wait: they end where they began
    const char *kernel;
    struct fault_state *faults;
    struct shares *shares; // behind the arguments
    uint64_t total;        // blocks; clusters, where those are handed out
    uint64_t frame_bytes;
    uint32_t unit; // blocks in what is handed out
    uint32_t side; // blocks that are best run together
    uint32_t row;  // of these, as many as a team's parts are made of
    uint32_t shared_bytes;
    uint32_t shared_room;  // the same as a multiple of the alignment of its beginning
    atomic_uint threads;   // that it is made for
    atomic_uint parts;     // of a team; 0: handed out by `next`
    atomic_bool published; // set before others can see it
    bool timed;            // a team's threads look at the clock
    bool cooperative;
    bool limited; // HEDDLE_LAUNCH_TIMEOUT is set
    bool ordered; // by `order`
    struct launch_order order;
    // The rest.
    struct late *late; // of the thread that runs it alone, which may still open it to others; NULL: may not
    atomic_ullong started_ns;
    void (*done)(void *data, unsigned n);
    void *done_data;
    void (*drop)(const void *args);
    device_api_fn *device_api;
    void *device_api_data;
    _Atomic(struct nested *) nested;  // what its blocks have launched; NULL: nothing
    struct check_launch *check;       // NULL: it is not checked
    struct count_launch *count;       // NULL: it is not counted
    struct watch watch;               // where `limited`
    _Alignas(ARGS_ALIGN) char args[]; // room for launch.args
};

// The one that this is a part of.
static inline struct launch_op *launch_op_of(const struct jit_launch *l)
{
    return (struct launch_op *)((char *)(uintptr_t)l - offsetof(struct launch_op, launch));
}

// FTZ and DAZ for kernels whose f32 operations all flush; round to nearest for all. Returns what was set before.
static inline uint64_t float_mode(bool flush)
{
#if defined(__x86_64__)
    uint64_t old = _mm_getcsr();
    _mm_setcsr(0x1f80 | (flush ? 0x8040 : 0));
#else
    uint64_t old;
    __asm__ volatile("mrs %0, fpcr" : "=r"(old));
    __asm__ volatile("msr fpcr, %0" ::"r"(flush ? 1ull << 24 : 0ull));
#endif
    return old;
}

static inline uint64_t float_mode_now(void)
{
#if defined(__x86_64__)
    return _mm_getcsr();
#else
    uint64_t now;
    __asm__ volatile("mrs %0, fpcr" : "=r"(now));
    return now;
#endif
}

static inline void float_mode_restore(uint64_t old)
{
#if defined(__x86_64__)
    _mm_setcsr((unsigned)old);
#else
    __asm__ volatile("msr fpcr, %0" ::"r"(old));
#endif
}
#endif
