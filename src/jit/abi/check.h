// SPDX-License-Identifier: Apache-2.0
// What checked code (src/jit/check) tells the engine of an access or of a synchronisation, in one word, and the memory that such code
// looks at before it calls.
#ifndef HEDDLE_JIT_ABI_CHECK_H
#define HEDDLE_JIT_ABI_CHECK_H
#include <stdbool.h>
#include <stdint.h>

// What is checked; a bit for each tool of compute-sanitizer, and one for ncu. Part of every cache key.
enum jit_check {
    JIT_CHECK_MEMORY = 1,
    JIT_CHECK_INIT = 2,
    JIT_CHECK_RACE = 4,
    JIT_CHECK_SYNC = 8,
    JIT_CHECK_ANY = 15,
    JIT_COUNT = 16 // for ncu: nothing is checked, instructions and accesses are counted (count.h)
};

// An access. Alignment as a power of two; the site is the instruction's number in its kernel, as far as the bits go.
enum {
    CHECK_READ,
    CHECK_WRITE,
    CHECK_ATOMIC,
    CHECK_ACQUIRED // behind a strong read or an atomic: what it has acquired
};
enum { CHECK_GENERIC = 0, CHECK_GLOBAL = 1, CHECK_SHARED = 3, CHECK_CONST = 4, CHECK_LOCAL = 5 }; // as in jit/ir/ir.h
enum {
    CHECK_SIZE_BITS = 8,
    CHECK_KIND_AT = 8,
    CHECK_SPACE_AT = 10,    // address space of the dialect
    CHECK_STRONG = 1 << 13, // volatile, relaxed or stronger
    CHECK_ACQUIRE = 1 << 14,
    CHECK_RELEASE = 1 << 15,
    CHECK_ALIGN_AT = 16,
    // The engine sees every access of this site; else no note is needed where it is within what is known of the site.
    CHECK_ALL = 1 << 19,
    CHECK_SITE_AT = 20,
    CHECK_WORD = 1 << 30 // the word around a byte or a half: an atomic of that size is made of such
};
#define CHECK_BLOCK_SCOPE (UINT32_C(1) << 31) // orders within the block alone
static inline uint32_t check_size(uint32_t what)
{
    return what & ((1u << CHECK_SIZE_BITS) - 1);
}
static inline uint32_t check_kind(uint32_t what)
{
    return what >> CHECK_KIND_AT & 3;
}
static inline uint32_t check_space(uint32_t what)
{
    return what >> CHECK_SPACE_AT & 7;
}
static inline uint32_t check_align(uint32_t what)
{
    return 1u << (what >> CHECK_ALIGN_AT & 7);
}
enum { CHECK_SITES = 1024 };
static inline uint32_t check_site(uint32_t what)
{
    return what >> CHECK_SITE_AT & (CHECK_SITES - 1);
}

// How the addresses of a gang's lanes lie: in groups of so many lanes, each of which goes on from one to the next by the size of the access, or
// is one address; from the first lane of a group to that of the next; and the lane where they begin.
enum { CHECK_ROW_STEPS = 1 << 8, CHECK_ROW_FIRST_AT = 16, CHECK_ROW_DELTA_AT = 32 };
static inline uint32_t check_row_lanes(uint64_t row)
{
    return row & (CHECK_ROW_STEPS - 1);
}
static inline bool check_row_steps(uint64_t row)
{
    return row & CHECK_ROW_STEPS;
}
static inline uint32_t check_row_first(uint64_t row)
{
    return row >> CHECK_ROW_FIRST_AT & 31;
}
static inline int64_t check_row_delta(uint64_t row)
{
    return (int64_t)row >> CHECK_ROW_DELTA_AT;
}

// Reads of shared memory that one call tells of, since nothing comes between them that orders: each with its word, and how the lanes lie.
struct jit_told {
    uint64_t address, row;
    uint32_t what, pad;
};
enum { CHECK_TOLD_MOST = 32 };

// What is known to be right for a site: accesses from `first` on that end before `end`. Nothing: first is UINT64_MAX.
struct jit_site {
    uint64_t first, end;
};

// Synchronisation: before a thread waits or is counted, and when it goes on.
enum check_sync {
    CHECK_BARRIER_BEFORE, // the barrier's number; CHECK_PARTIAL with it: not of the whole block
    CHECK_BARRIER_AFTER,
    CHECK_WARP_BEFORE, // the mask
    CHECK_WARP_AFTER,
    CHECK_FENCE, // 1: of the block's scope
    CHECK_EXIT,  // the thread ends
};
enum { CHECK_SAME = 1 << 8 }; // with one of these: the number is the same for all lanes
// Barrier objects and asynchronous copies: the address is that of the object, the number as said here.
enum check_object {
    OBJECT_INIT,   // how many it expects
    OBJECT_END,    // mbarrier.inval
    OBJECT_ARRIVE, // how many
    OBJECT_DROP,   // the same, and of those that follow it expects so many less
    OBJECT_EXPECT, // bytes
    OBJECT_TEST,
    OBJECT_TESTED, // bit 0: it has ended; bit 1: the parity of the phase that was asked for
    // What a thread accesses between begin and end is a copy's, which goes on.
    COPY_BEGIN,
    COPY_COMMIT,
    COPY_WAIT,   // groups that may be left; CHECK_EVERY: copies of no group too
    COPY_ARRIVE, // what was copied is there when the object's phase ends
    LOAD_BEGIN,  // cp.async.bulk to shared memory, the same
    STORE_BEGIN, // from there
    STORE_COMMIT,
    STORE_WAIT, // groups that may be left
    COPY_END,
    PROXY_FENCE
};
enum { CHECK_EVERY = -1 };
enum { CHECK_PARTIAL = 1 << 8, CHECK_THREADS_AT = 16 }; // of a partial one, how many threads it is for
#endif
