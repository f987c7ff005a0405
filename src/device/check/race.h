// SPDX-License-Identifier: Apache-2.0
// racecheck: what its files share. race.c tells what is a hazard and why none is made up; clock.c moves the threads' clocks, cell.c
// compares and keeps accesses, grid.c has what the blocks of a grid share, hazard.c collects and reports.
#ifndef HEDDLE_DEVICE_CHECK_RACE_H
#define HEDDLE_DEVICE_CHECK_RACE_H
#include "base/vec.h"
#include <stdatomic.h>
#include "device/check/report.h"

enum { RACE_THREADS = 1024, RACE_BARRIERS = 17, RACE_INSTANCES = 4, RACE_WARPS = 32, RACE_WORD = 4, RACE_LANES = 32 };

// A loop over lanes, which the compiler makes vectors of, as wide as the processor's.
#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__) && !defined(__clang__)
#define RACE_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define RACE_WIDE __attribute__((no_sanitize("thread")))
#endif
#define RACE_INLINE static inline __attribute__((always_inline, no_sanitize("thread")))

// ---- hazard.c: hazards by the two places of each
enum race_kind { RACE_RAW, RACE_WAR, RACE_WAW };
struct race_hazard {
    enum race_kind kind;
    bool global, in_warp; // in_warp: both threads are of one warp
    bool in_flight;       // the earlier is an asynchronous copy that nobody has waited for
    uint64_t address;     // global memory: the address; else the offset in the block's shared memory
    // Of the earlier access, and of the later:
    uint32_t thread[2];
    uint64_t block[2];
    uint16_t site[2]; // the instruction, of which there may be several copies
};
void race_note(struct check_launch *c, const struct jit_block *b, const struct race_hazard *h);
// The launch is over: its hazards are told.
void race_tell(struct check_launch *c);

// ---- clocks of a thread (clock.c). Those within the block go on from one block that a worker runs to its next, so that what cells of
// shared memory hold of earlier blocks has happened before.
struct clocks {
    uint32_t at, known;           // within the block: its own clock; what is smaller has happened before
    uint32_t warp;                // the same, within the warp, of which the own clock is what is known
    uint32_t grid, grid_known;    // the same, between blocks
    uint32_t fenced, grid_fenced; // own clocks at the last fence, plus 1; 0: there was none
    uint32_t full;                // collectives of the whole warp
    uint32_t whole[RACE_BARRIERS];
};
enum { GRID_FIRST = 1, GRID_LAST = 255 };

// What those who came to a synchronisation bring.
struct meeting {
    uint32_t at, known, warp, grid, grid_known, fenced, grid_fenced;
};

// Cells of the words of memory: the last write, and the last reads of two different threads; 0: none. A cell is an access:
// bits 0-3 the bytes of the word, 4 strong, 5-9 the warp's clock, 10-19 the thread, 20-29 the site, and from bit 32 on, in shared memory the
// clock, in global memory 12 bits of the clock, 12 of the block's number, 8 of the grid's clock; bits 30 and 31 are two more of the block's number.
struct cells {
    uint64_t *write, *read, *other;
    uint32_t *value; // what the last write stored, where it is known
};
enum { CELL_STRONG = 1 << 4, CELL_WARP_AT = 5, CELL_THREAD_AT = 10, CELL_SITE_AT = 20, CELL_BLOCK_AT = 30 };
enum { CELL_CLOCK_BITS = 12, CELL_BLOCK_BITS = 12, CELL_CLOCK_MOST = (1 << CELL_CLOCK_BITS) - 1, CELL_WARP_MOST = 31 };
enum { CELL_GRID_AT = CELL_CLOCK_BITS + CELL_BLOCK_BITS };

enum { PAGE_WORDS = 1024, PAGE_SHIFT = 12, PAGE_CACHE = 64 };
// The cells of one kind of a page, and values. What nobody has changed yet is one plane for all pages, of zeros.
enum race_plane { PLANE_WRITE, PLANE_READ, PLANE_OTHER, PLANE_VALUE, PLANES };
struct race_page {
    bool tracked; // else nothing is known of this memory
    void *_Atomic plane[PLANES];
};
struct page_ref {
    uint64_t number; // plus 1
    struct race_page *page;
};

// A copy that goes on: bytes of shared memory.
struct flight {
    uint64_t from;
    uint32_t bytes, thread, how, group; // how: COPY_BEGIN, LOAD_BEGIN, STORE_BEGIN
    bool parity;                        // of the object, in the phase at whose end it is there
    uint64_t object;                    // 0: none
};
// The clock of what nobody has waited for; and, in cells of shared memory, that a copy of the other proxy has made the access.
static const uint32_t CELL_IN_FLIGHT = INT32_MAX, CELL_PROXY = 1u << CELL_BLOCK_AT;
// In `other` of shared memory: it and `read` are by two warps, of the same clock.
static const uint32_t CELL_TWO = 1u << 31;

struct race_block {
    const struct jit_launch *launch;
    uint64_t linear;
    uint32_t words, gang; // gang: lanes of one
    uint32_t threads;     // of the block
    uint32_t began;       // the clock that all cells of earlier blocks are no greater than
    uint32_t grid_began;  // the clock that all cells of earlier launches are smaller than
    uint64_t *memory;     // the cells of shared memory
    uint64_t room;        // words that there is memory for
    struct cells shared;
    uint32_t published, publisher,
        published_by_others; // the highest clock, its thread, and the highest one of other threads
    struct meeting instance[RACE_BARRIERS][RACE_INSTANCES], partial[RACE_BARRIERS];
    struct meeting warp_instance[RACE_WARPS][RACE_INSTANCES], warp_partial[RACE_WARPS];
    uint32_t copy;  // what the thread accesses is that of a copy: COPY_BEGIN, LOAD_BEGIN, STORE_BEGIN; 0: its own
    uint32_t proxy; // the highest clock at a proxy fence
    uint64_t copy_object[RACE_LANES];
    struct race_grid *grid;
    bool flew;                                                 // there was a copy
    uint32_t groups[RACE_THREADS], store_groups[RACE_THREADS]; // committed
    struct VEC(struct flight) flights;
    struct page_ref pages[PAGE_CACHE];
    bool one[RACE_THREADS / 8]; // by gang: its first thread's clocks are those of all its threads
    struct clocks clocks[RACE_THREADS];
};

// The block that runs, all new where it is another one than before. NULL: there is no memory for it.
struct race_block *race_block_of(struct jit_block *b, struct check_launch *c);
static inline uint32_t race_larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

// The clocks of a gang's lanes: those of its first thread, or, after race_spread, each its own. race_join: they may be the same again.
void race_spread(struct race_block *k, uint32_t first);
void race_join(struct race_block *k, const struct jit_block *b, uint32_t first);
static inline const struct clocks *race_clocks(const struct race_block *k, uint32_t first, uint32_t lane)
{
    return &k->clocks[(first + (k->one[first / 8] ? 0 : lane)) % RACE_THREADS];
}
// What a strong access does within the block, before it is compared (acquire), and behind.
bool race_changes(const struct race_block *k, const struct clocks *t, uint32_t thread,
                  uint32_t what); // whether it moves them
void race_acquire(struct race_block *k, struct clocks *t, uint32_t thread, uint32_t what);
void race_release(struct race_block *k, struct clocks *t, uint32_t thread, uint32_t what);
// The same between blocks: before the access, and when it has been made.
void race_grid_release(struct race_block *k, struct clocks *t, uint64_t address, uint32_t what);
void race_grid_acquire(struct clocks *t, uint32_t clock);

// ---- cell.c
struct race_lane { // an access of one lane
    const struct race_access *a;
    struct race_block *k;
    struct check_launch *c;
    uint32_t lane;
    bool global;
    uint64_t from; // address, or offset in shared memory
};
void cell_access(const struct race_lane *l, const struct cells *m, uint64_t word, uint32_t bytes);

// ---- row.c: many lanes at once, where they have one clock. The lanes that have to be looked at by themselves.
// Their addresses lie in rows (jit/abi/check.h), and are not in the access:
uint32_t row_access(struct check_launch *c, struct race_block *k, const struct race_access *a, uint64_t address,
                    uint64_t row);
// Reads of shared memory; a bit for each of those that have to be looked at by themselves.
uint32_t row_told(struct check_launch *c, struct race_block *k, const struct race_access *a,
                  const struct jit_told *told, uint32_t n);
void row_addresses(const struct race_access *a, uint64_t address, uint64_t row, uint64_t *addresses);
// They are:
uint32_t row_find(struct check_launch *c, struct race_block *k, const struct race_access *a);

// ---- stores.c: which memory nobody writes in a launch
void stores_begin(struct check_launch *c);
// A read of such memory. The code is told for the site, and does not call for others of it.
bool stores_skip(struct check_launch *c, const struct race_access *a, uint64_t address);

// ---- flight.c
void flight_add(struct race_block *k, uint32_t thread, uint64_t from, uint32_t bytes);
void flight_note(struct race_block *k, const struct object_call *s);

// ---- grid.c
struct race_grid *grid_create(void);
void grid_destroy(struct race_grid *g);
uint32_t grid_first(const struct race_grid *g); // the clock that its blocks begin with
void grid_once(struct race_grid *g);            // clocks are moved: no other launch goes on from it
struct race_page *grid_page(struct race_block *k, uint64_t address);
void *grid_make_plane(struct race_page *p, enum race_plane plane);
static inline bool grid_has_plane(struct race_page *p, enum race_plane plane)
{
    return atomic_load_explicit(&p->plane[plane], memory_order_acquire) != NULL;
}
extern uint64_t grid_zeros[PAGE_WORDS]; // of all planes that nobody has changed
// One plane of a page, to read, or to write.
static inline void *grid_plane(struct race_page *p, enum race_plane plane, bool change)
{
    void *x = atomic_load_explicit(&p->plane[plane], memory_order_acquire);
    return x ? x : change ? grid_make_plane(p, plane) : grid_zeros;
}
void grid_forget(struct race_block *k, uint64_t address, uint64_t bytes); // nobody has accessed it; it is tracked
// What is released at an address, by a block: a clock, plus 1. What others than this block have released there; 0: nothing.
void grid_publish(struct race_grid *g, uint64_t address, uint64_t block, uint32_t clock);
uint32_t grid_published(struct race_grid *g, uint64_t address, uint64_t block);
#endif
