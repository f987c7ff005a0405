// SPDX-License-Identifier: Apache-2.0
// racecheck: accesses to shared and global memory by two threads, one of them a write, that nothing orders.
//
// 1. No false report is the first requirement. Threads have clocks such that whatever happens before something else has a smaller one than
//    what the other knows of. Two accesses of which the earlier has a clock that the later knows may be ordered and are never
//    told. So a synchronisation that is understood too widely loses hazards and makes none up.
// 2. A thread has three clocks: one that synchronisation of the block moves, by which threads of different warps are compared; one of
//    its warp, which __syncwarp and collectives move as well; and one of the grid, by which threads of different blocks are. Each has
//    two sides: the thread's own clock, and up to where it knows that others have come.
// 3. A barrier of the whole block is one of a row of instances: threads come to them in the same order, so that the k-th arrival of each is
//    at the same one; its clock is the greatest of those who came. Barriers of some threads, and collectives of some lanes, take the
//    greatest clock that ever came to that barrier, which is at least as great. Whoever waits also has what the others know of other
//    blocks, and their fences.
// 4. A release, or a strong store behind a fence, publishes the thread's clock: within the block for all, between blocks at its address, where
//    fence or release have more than the scope of a block. A strong load or an atomic takes what was published, between blocks when
//    it has been made (CHECK_ACQUIRED), as another worker may publish between the check and the access. mbarrier is made of
//    such atomics. A relaxed atomic by itself publishes nothing and orders nothing. What a block has published itself it does not take.
// 5. Strong accesses (atomics, volatile) do not race with each other. Stores of the same value by different threads are no hazard.
// 6. For each word the last write is kept, and the two last reads of different threads: a write that is ordered behind neither of two
//    threads' reads is found, since it can be by only one of them. Two readers of two warps in one interval stand for all of it.
// 7. Global memory is what the device or the device's heap has given; each launch begins anew. Shared memory of clusters is looked at
//    in the same way, and forgotten when a block begins.
// 8. Clocks in cells are short. One that has come to its end orders everything.
#include "device/check/race.h"
#include "device/sched/runner.h"

static bool in_shared(const struct jit_block *b, uint64_t address)
{
    return address - (uint64_t)(uintptr_t)b->shared < b->shared_bytes;
}

static bool in_cluster(const struct jit_block *b, uint64_t address)
{
    return b->cluster->blocks > 1 &&
           (address - (uint64_t)(uintptr_t)b->window) >> JIT_WINDOW_SHIFT < b->cluster->blocks;
}

void race_object(struct check_launch *c, const struct object_call *call)
{
    struct race_block *k = race_block_of(call->block, c);
    if (k)
        flight_note(k, call);
}

// The words of one access, of which the first and the last may be reached in part.
static void access_words(const struct race_lane *l, uint64_t at, uint64_t end)
{
    while (at < end) {
        uint64_t next = (at / RACE_WORD + 1) * RACE_WORD, to = next < end ? next : end, word = at / RACE_WORD;
        uint32_t bytes = ((1u << (to - at)) - 1) << at % RACE_WORD;
        struct race_lane here = *l;
        struct cells m = l->k->shared;
        here.from = at;
        if (l->global) {
            struct race_page *p = grid_page(l->k, at);
            bool writes = check_kind(l->a->what) != CHECK_READ;
            m = (struct cells){grid_plane(p, PLANE_WRITE, writes), grid_plane(p, PLANE_READ, !writes),
                               grid_plane(p, PLANE_OTHER, !writes), grid_plane(p, PLANE_VALUE, writes)};
            word %= PAGE_WORDS;
            if (p->tracked && m.write && m.read && m.other && m.value)
                cell_access(&here, &m, word, bytes);
        } else if (word < l->k->words) {
            cell_access(&here, &m, word, bytes);
        }
        at = to;
    }
}

// What other operations are compared with (order/order.h).
__attribute__((noinline)) static void touch_lanes(struct check_launch *c, const struct race_access *a,
                                                  const uint64_t *address)
{
    const struct jit_block *b = a->block;
    uint32_t size = check_size(a->what);
    if (check_kind(a->what) == CHECK_ACQUIRED || check_space(a->what) == CHECK_SHARED)
        return;
    for (uint32_t rest = a->lanes, lane, n; rest; rest = lane + n < 32 ? rest >> (lane + n) << (lane + n) : 0) {
        lane = (uint32_t)__builtin_ctz(rest);
        for (n = 1; lane + n < 32 && rest >> (lane + n) & 1 && address[lane + n] == address[lane] + n * size; n++)
            ;
        if (!in_shared(b, address[lane]) && !in_cluster(b, address[lane]))
            check_touch(c, b, a->what, a->first + lane, address[lane], n);
    }
}

static void access_lane(struct check_launch *c, struct race_block *k, const struct race_access *a, uint32_t lane)
{
    const struct jit_block *b = a->block;
    uint64_t at = a->address[lane], end = at + check_size(a->what);
    uint32_t first = a->first % RACE_THREADS, thread = (first + lane) % RACE_THREADS;
    bool shared = in_shared(b, at), cluster = b->cluster->blocks > 1;
    bool strong = a->what & CHECK_STRONG, global = !shared || cluster, writes = check_kind(a->what) != CHECK_READ;
    struct race_lane l = {a, k, c, lane, global, at};
    if (!shared && check_space(a->what) == CHECK_SHARED && !in_cluster(b, at))
        return; // out of bounds
    struct clocks *t = &k->clocks[k->one[first / 8] ? first : thread];
    if (strong && race_changes(k, t, thread, a->what)) {
        race_spread(k, first);
        t = &k->clocks[thread];
    }
    if (strong)
        race_acquire(k, t, thread, a->what);
    if (k->copy && !global && (writes ? k->copy != STORE_BEGIN : k->copy == STORE_BEGIN))
        flight_add(k, thread, at - (uint64_t)(uintptr_t)b->shared, check_size(a->what));
    access_words(&l, global ? at : at - (uint64_t)(uintptr_t)b->shared,
                 global ? end : end - (uint64_t)(uintptr_t)b->shared);
    if (strong) {
        race_release(k, t, thread, a->what);
        if (writes && global && !(a->what & CHECK_BLOCK_SCOPE)) {
            race_grid_release(k, t, at, a->what);
            if (c->touch && (a->what & CHECK_RELEASE || t->grid_fenced))
                touch_release(c->touch, c->op, at);
        }
    }
}

static void acquired(struct race_block *k, const struct race_access *a)
{
    uint32_t first = a->first % RACE_THREADS;
    for (uint32_t rest = a->lanes; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        if (in_shared(a->block, a->address[lane]) && a->block->cluster->blocks == 1)
            continue;
        uint32_t clock = grid_published(k->grid, a->address[lane], k->linear);
        if (clock <= race_clocks(k, first, lane)->grid_known)
            continue;
        race_spread(k, first);
        race_grid_acquire(&k->clocks[(first + lane) % RACE_THREADS], clock);
    }
    if (!k->one[first / 8])
        race_join(k, a->block, first);
}

// The lanes that no row holds, one after the other.
static void access_lanes(struct check_launch *c, struct race_block *k, const struct race_access *a, uint32_t lanes)
{
    for (uint32_t rest = lanes; rest; rest &= rest - 1)
        access_lane(c, k, a, (uint32_t)__builtin_ctz(rest));
    if (a->what & CHECK_STRONG && !k->one[a->first % RACE_THREADS / 8])
        race_join(k, a->block, a->first % RACE_THREADS);
}

static void note_site(struct check_launch *c, const struct race_access *a)
{
    uint32_t pc = (uint32_t)((const char *)a->pc - (const char *)c->code->start), site = check_site(a->what);
    if (c->site_pc[site] != pc)
        c->site_pc[site] = pc;
}

void race_access(struct check_launch *c, const struct race_access *a)
{
    struct race_block *k = race_block_of(a->block, c);
    if (!k || (c->stores_known && stores_skip(c, a, a->address[__builtin_ctz(a->lanes)])))
        return;
    note_site(c, a);
    if (__builtin_expect(c->touch != NULL, 0))
        touch_lanes(c, a, a->address);
    if (check_kind(a->what) == CHECK_ACQUIRED)
        acquired(k, a);
    else
        access_lanes(c, k, a, row_find(c, k, a));
}

void race_row(struct check_launch *c, const struct race_access *a, uint64_t address, uint64_t row)
{
    struct race_block *k = race_block_of(a->block, c);
    uint64_t addresses[RACE_LANES];
    struct race_access all = *a;
    if (!k || (c->stores_known && stores_skip(c, a, address)))
        return;
    note_site(c, a);
    bool acquires = check_kind(a->what) == CHECK_ACQUIRED;
    if (__builtin_expect(c->touch != NULL, 0) && !acquires) {
        row_addresses(a, address, row, addresses);
        touch_lanes(c, a, addresses);
    }
    all.lanes = acquires ? a->lanes : row_access(c, k, a, address, row);
    if (!all.lanes)
        return;
    all.address = addresses;
    row_addresses(a, address, row, addresses);
    if (acquires)
        acquired(k, &all);
    else
        access_lanes(c, k, &all, all.lanes);
}

void race_rows(struct check_launch *c, const struct race_access *a, const struct jit_told *told, uint32_t n)
{
    struct race_block *k = race_block_of(a->block, c);
    struct race_access one = *a;
    uint32_t late = k ? row_told(c, k, a, told, n) : 0;
    for (uint32_t i = 0; k && i < n; i++) {
        one.what = told[i].what;
        note_site(c, &one);
        if (late >> i & 1)
            race_row(c, &one, told[i].address, told[i].row);
    }
}
