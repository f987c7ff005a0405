// SPDX-License-Identifier: Apache-2.0
// Warps, put together from the stories of their threads.
//
// 1. A gang may be a part of a warp, its lanes may run one after the other, and code behind a branch may be there several times. So what code
//    tells is kept by thread: the basic blocks of the PTX that it comes to, predicates that hold, addresses.
// 2. From these a warp is run as the guides have it: threads at one block run it together; where their ways part, each side runs up
//    to the nearest block that all ways pass (the immediate post-dominator, count.h), and there they go on together. Functions that are
//    called end behind the call.
// 3. A group goes on when all of its threads have told where they go next. Until then what is told waits in queues. Branches that a predicate
//    decides tell that at once, for both sides, as code may run all of one side before the other tells anything.
// 4. Where a whole group tells something at once, and none of its threads has words in a queue, it is counted without one: the group on top, or
//    one that waits for that. That changes no count: groups that have parted run no instruction together before they meet, all that is counted is
//    a sum or a set (cache.c), and where a group meets others, or returns, it does so by the queues.
#include "base/vec.h"
#include "device/count/count.h"
#include "device/hook/hooks.h"
#include "device/sched/runner.h"
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static bool has_address(uint32_t what)
{
    enum count_kind k = count_kind(what);
    return k == COUNT_ACCESS || k == COUNT_TARGET || k == COUNT_LOCAL;
}

static bool ends_block(uint32_t what)
{
    return count_kind(what) == COUNT_BLOCK || count_kind(what) == COUNT_EXIT;
}

static struct count_group *top_of(struct count_warp *w)
{
    return &w->group[w->depth - 1];
}

static void push_group(struct count_warp *w, uint32_t mask, uint32_t block, uint32_t join)
{
    if (w->depth == w->room) {
        w->room = w->room * 2 + 8;
        w->group = xrealloc(w->group, w->room * sizeof *w->group);
    }
    w->group[w->depth++] = (struct count_group){mask, block, join, false};
}

// ---- what is counted
static void enter_block(struct count_blocks *s, uint32_t block, uint32_t mask)
{
    s->tally->warps[block]++;
    s->tally->threads[block] += (unsigned)__builtin_popcount(mask);
}

static void count_guard(struct count_blocks *s, uint32_t insn, uint32_t mask)
{
    s->tally->insn[insn][COUNT_GUARD_WARPS]++;
    s->tally->insn[insn][COUNT_GUARD_THREADS] += (unsigned)__builtin_popcount(mask);
}

// Threads of a group leave its block, so many of them not to the block behind it.
static void leave_block(struct count_blocks *s, uint32_t block, uint32_t taken, bool parts)
{
    uint32_t last = s->plan->blocks.data[block].end - 1;
    const struct count_insn *c = &s->plan->insns.data[last];
    if (c->op == COUNT_OP_BRANCH)
        s->tally->insn[last][COUNT_DIVERGENT] += parts;
    if (c->in->guarded && count_is_branch(c->in) && taken) {
        s->tally->insn[last][COUNT_GUARD_WARPS]++;
        s->tally->insn[last][COUNT_GUARD_THREADS] += taken;
    }
}

static void note(struct count_blocks *s, struct count_warp *w, uint32_t what, uint32_t mask, const uint64_t *address)
{
    const struct count_plan *p = s->plan;
    uint32_t index = count_index(what);
    if (count_kind(what) == COUNT_GUARD) {
        count_guard(s, index, mask);
        return;
    }
    if (count_kind(what) == COUNT_ACCESS && p->insns.data[index].in->guarded)
        count_guard(s, index, mask);
    struct count_access a = {index, mask, address, count_kind(what)};
    count_memory(s, w, &a);
}

// ---- queues. What they hold in all has an end, beyond which a launch is not counted.
enum { QUEUES_MOST_MIB = 2048 };
static atomic_size_t held;

void count_queues_forget(struct count_blocks *s)
{
    atomic_fetch_sub(&held, s->held);
    s->held = 0;
}

static void grow(struct count_blocks *s, struct count_lane *l)
{
    size_t more = l->cap + 64;
    l->cap += more;
    l->word = xrealloc(l->word, l->cap * sizeof *l->word);
    s->held += more * sizeof *l->word;
    if (atomic_fetch_add(&held, more * sizeof *l->word) >> 20 >= QUEUES_MOST_MIB)
        count_launch_lose(s->launch);
}

static void push_word(struct count_blocks *s, struct count_lane *l, uint64_t word)
{
    if (l->len == l->cap) {
        if (l->head > l->cap / 2) {
            memmove(l->word, l->word + l->head, (l->len - l->head) * sizeof *l->word);
            l->len -= l->head;
            l->head = 0;
        } else {
            grow(s, l);
        }
    }
    l->word[l->len++] = word;
}

static uint32_t head_of(const struct count_warp *w, uint32_t lane)
{
    const struct count_lane *l = &w->lane[lane];
    return l->head < l->len ? (uint32_t)l->word[l->head] : count_word(COUNT_LOCAL, 0);
}

// Takes the first word of a lane, and tells whether the lane still knows where it goes.
static uint64_t take(struct count_warp *w, uint32_t lane)
{
    struct count_lane *l = &w->lane[lane];
    uint32_t what = (uint32_t)l->word[l->head++];
    uint64_t address = has_address(what) ? l->word[l->head++] : 0;
    if (ends_block(what) && !--l->ends)
        w->ready &= ~(1u << lane);
    if (l->head == l->len) {
        l->head = l->len = 0;
        w->queued &= ~(1u << lane);
    }
    return address;
}

// ---- a group goes on
// What its threads tell of the block that they are in, instruction by instruction.
static void run_block(struct count_blocks *s, struct count_warp *w, uint32_t mask)
{
    for (;;) {
        uint32_t least = UINT32_MAX, lanes = 0, what = 0;
        uint64_t address[32];
        FOR_LANES(mask, l)
        {
            uint32_t h = head_of(w, l),
                     order = ends_block(h) ? UINT32_MAX : count_index(h) * 2 + (count_kind(h) == COUNT_TARGET);
            if (order < least)
                lanes = 0, least = order, what = h;
            lanes |= order == least && !ends_block(h) ? 1u << l : 0;
        }
        if (!lanes)
            return;
        FOR_LANES(lanes, l)
        address[l] = take(w, l);
        note(s, w, what, lanes, address);
    }
}

// Lanes of the mask that go where this one goes.
static uint32_t lanes_like(const struct count_warp *w, uint32_t mask, uint32_t what)
{
    uint32_t like = 0;
    FOR_LANES(mask, l)
    like |= head_of(w, l) == what ? 1u << l : 0;
    return like;
}

static void start(struct count_blocks *s, struct count_warp *w, struct count_group *g, uint32_t mask, uint32_t block)
{
    FOR_LANES(mask, l)
    take(w, l);
    g->block = block;
    g->over = false;
    enter_block(s, block, mask);
}

static void part(struct count_blocks *s, struct count_warp *w, uint32_t mask, uint32_t join)
{
    while (mask) {
        uint32_t what = head_of(w, (uint32_t)__builtin_ctz(mask)), like = lanes_like(w, mask, what);
        mask &= ~like;
        if (count_index(what) == join)
            continue;
        push_group(w, like, COUNT_NONE, join);
        start(s, w, top_of(w), like, count_index(what));
    }
}

// All threads of the group have come to the end of their block.
static void go_on(struct count_blocks *s, struct count_warp *w, uint32_t mask)
{
    struct count_group *g = top_of(w);
    const struct count_block *from = g->block == COUNT_NONE ? NULL : &s->plan->blocks.data[g->block];
    uint32_t ends = lanes_like(w, mask, count_word(COUNT_EXIT, 0)), rest = mask & ~ends;
    uint32_t to = rest ? head_of(w, (uint32_t)__builtin_ctz(rest)) : 0, like = rest ? lanes_like(w, rest, to) : 0;
    if (from && !g->over) {
        uint32_t behind = from->next == COUNT_NONE ? 0 : lanes_like(w, rest, count_word(COUNT_BLOCK, from->next));
        leave_block(s, g->block, (unsigned)__builtin_popcount(mask & ~behind), (ends && rest) || like != rest);
        g->over = true;
    }
    FOR_LANES(ends, l)
    take(w, l);
    w->ended |= ends;
    if (!rest)
        return;
    bool called = from && from->after != COUNT_NONE;
    if (like == rest && count_index(to) == g->join) {
        w->depth--;
    } else if (like == rest && (!called || count_index(to) == from->after || g->block == COUNT_NONE)) {
        start(s, w, g, rest, count_index(to));
    } else {
        uint32_t join = called ? from->after : from ? from->join : COUNT_NONE;
        part(s, w, rest, join == COUNT_NONE ? g->join : join);
    }
}

static void run(struct count_blocks *s, struct count_warp *w)
{
    while (w->depth) {
        uint32_t mask = top_of(w)->mask & ~w->ended;
        if (!mask) {
            w->depth--;
        } else if (mask & ~w->ready) {
            return;
        } else {
            run_block(s, w, mask);
            go_on(s, w, mask);
        }
    }
    w->ended = 0;
}

// ---- what code tells
// The group that consists of these lanes, without those that have ended, or NULL. Of several the innermost, which lies above the others; no part of it
// has parted again, as that would lie above it and have other lanes.
static struct count_group *group_of(struct count_warp *w, uint32_t lanes)
{
    for (uint32_t i = w->depth; i-- > 0;) {
        uint32_t mask = w->group[i].mask & ~w->ended;
        if (mask == lanes)
            return &w->group[i];
        if ((mask & lanes) == lanes)
            return NULL;
    }
    return NULL;
}

// A whole group at once, with nothing before it in a queue. False: it has to go there.
static bool note_group(struct count_blocks *s, struct count_warp *w, uint32_t what, uint32_t lanes,
                       const uint64_t *address)
{
    struct count_group *g = w->queued & lanes ? NULL : group_of(w, lanes);
    if (!g || g->over || g->block == COUNT_NONE)
        return false;
    const struct count_block *from = &s->plan->blocks.data[g->block];
    uint32_t to = count_index(what);
    if (count_kind(what) == COUNT_EXIT) {
        leave_block(s, g->block, (unsigned)__builtin_popcount(lanes), false);
        w->ended |= lanes;
        run(s, w);
        return true;
    }
    if (count_kind(what) == COUNT_BLOCK && (to == g->join || from->after != COUNT_NONE))
        return false;
    if (count_kind(what) != COUNT_BLOCK) {
        note(s, w, what, lanes, address);
        return true;
    }
    leave_block(s, g->block, to == from->next ? 0 : (unsigned)__builtin_popcount(lanes), false);
    g->block = to;
    enter_block(s, to, lanes);
    return true;
}

static void queue_block(struct count_blocks *s, struct count_warp *w, uint32_t lanes, uint32_t block)
{
    FOR_LANES(lanes, l)
    {
        push_word(s, &w->lane[l], count_word(COUNT_BLOCK, block));
        w->lane[l].ends++;
    }
    w->queued |= lanes;
    w->ready |= lanes;
}

// The group parts, as part() does it: those who go to where all meet wait there.
static void part_group(struct count_blocks *s, struct count_warp *w, struct count_group *g, uint32_t taken)
{
    const struct count_block *from = &s->plan->blocks.data[g->block];
    uint32_t join = from->join == COUNT_NONE ? g->join : from->join, rest = g->mask & ~w->ended & ~taken;
    const struct {
        uint32_t lanes, to;
    } side[] = {{taken, from->target}, {rest, from->next}};
    leave_block(s, g->block, (unsigned)__builtin_popcount(taken), true);
    g->over = true; // push_group moves it
    for (unsigned i = 0; i < 2; i++) {
        if (side[i].to == join) {
            queue_block(s, w, side[i].lanes, join);
            continue;
        }
        push_group(w, side[i].lanes, side[i].to, join);
        enter_block(s, side[i].to, side[i].lanes);
    }
}

// These lanes branch: the same as if they told the blocks that they go to, which they will do.
static void note_way(struct count_blocks *s, struct count_warp *w, uint32_t insn, uint32_t lanes,
                     const uint64_t *address)
{
    uint32_t block = s->plan->insns.data[insn].block, taken = 0;
    const struct count_block *from = &s->plan->blocks.data[block];
    FOR_LANES(address ? lanes : 0, l) // NULL: nobody takes it, and the compiler knows
    taken |= address[l] & 1 ? 1u << l : 0;
    taken = from->target == from->next ? 0 : taken;
    w->told |= lanes;
    struct count_group *g = w->queued & lanes ? NULL : group_of(w, lanes);
    bool whole = g && !g->over && g->block == block, same = !taken || taken == lanes;
    uint32_t to = taken ? from->target : from->next;
    if (whole && !same) {
        part_group(s, w, g, taken);
    } else if (whole && to != g->join) {
        leave_block(s, block, (unsigned)__builtin_popcount(taken), false);
        g->block = to;
        enter_block(s, to, lanes);
    } else {
        queue_block(s, w, taken, from->target);
        queue_block(s, w, lanes & ~taken, from->next);
        run(s, w);
    }
}

static void note_locals(struct count_blocks *s, struct count_warp *w, uint32_t index, uint32_t lanes,
                        const uint64_t *address)
{
    size_t n = s->plan->locals.len;
    if (!w->local)
        w->local = xcalloc(n * 32, sizeof *w->local);
    FOR_LANES(lanes, l)
    w->local[l * n + index] = address[l];
}

// The first that a warp tells. False: that was all of it, the block in which all of its threads begin.
static bool begin(struct count_blocks *s, struct count_warp *w, uint32_t what, uint32_t lanes)
{
    push_group(w, w->all, COUNT_NONE, COUNT_NONE);
    if (lanes != w->all || count_kind(what) != COUNT_BLOCK)
        return true;
    top_of(w)->block = count_index(what);
    enter_block(s, count_index(what), lanes);
    return false;
}

void hook_count(struct jit_block *b, uint32_t first, uint32_t what, uint32_t lanes, const uint64_t *addresses)
{
    struct count_blocks *s = count_of(b->engine);
    if (!s || first / 32 >= s->nwarps)
        return;
    struct count_warp *w = &s->warp[first / 32];
    uint32_t shift = first % 32;
    lanes = lanes << shift & w->all;
    addresses = addresses ? addresses - shift : NULL; // by lane of the warp
    if (!lanes)
        return;
    if (count_kind(what) == COUNT_LOCAL) {
        note_locals(s, w, count_index(what), lanes, addresses);
        return;
    }
    if (count_kind(what) == COUNT_BULK || count_kind(what) == COUNT_BYTES) {
        FOR_LANES(lanes, l)
        count_bulk(s, first - shift + l, what, addresses ? addresses[l] : 0);
        return;
    }
    if (!w->depth && !begin(s, w, what, lanes))
        return;
    if (count_kind(what) == COUNT_WAY) {
        note_way(s, w, count_index(what), lanes, addresses);
        return;
    }
    if (count_kind(what) == COUNT_BLOCK) {
        uint32_t again = lanes & w->told;
        w->told &= ~again;
        lanes &= ~again;
        if (!lanes)
            return;
    }
    if (note_group(s, w, what, lanes, addresses))
        return;
    FOR_LANES(lanes, l)
    {
        push_word(s, &w->lane[l], what);
        w->lane[l].ends += ends_block(what);
        if (has_address(what))
            push_word(s, &w->lane[l], addresses[l]);
    }
    w->queued |= lanes;
    if (ends_block(what)) {
        w->ready |= lanes;
        run(s, w);
    }
}
