// SPDX-License-Identifier: Apache-2.0
// The scheduler of a block whose threads diverge. Part of libcuda: generated code calls it by name (load.c
// knows the names), so that it is compiled once and not with every kernel. Requirements 2, 3, 4, 8 and 9 of
// resume/resume.c are kept here, and what a block does at the barrier of its cluster (cluster.h).
//
// A sweep gives every warp a turn; on its turn a warp runs until its lanes have finished, wait for other warps, or
// yielded. Barriers are looked at after the sweep. A lane that yielded runs again in the next sweep, so that every
// lane, and every warp, runs between two tries of a lock, and before one that yielded to its block goes on. A
// lane at a yield is one that can run: it has arrived at no barrier and at no collective. One that yielded has moved;
// only lanes that spin tell that the block may have to wait for others.
#include "jit/abi/run.h"
#include "jit/abi/cluster.h"
#include <stdbool.h>
#include <string.h>

enum { TURNS_MAX = 64, IDLE_SWEEPS = 2, YIELD_SWEEPS = 256 };

// The state words of a warp are looked at four by four.
typedef uint32_t four __attribute__((vector_size(16)));

struct machine {
    resume_gang_fn *gang;
    const struct jit_launch *launch;
    struct jit_block *block;
    struct resume_block *state;
    uint32_t *thread; // state words
    uint64_t *raw;
    uint32_t threads, padded, width;
    uint32_t flags; // enum resume_flags
};

static inline uint32_t kind_of(uint32_t state)
{
    return state >> RESUME_KIND_SHIFT;
}

static inline uint32_t op_of(uint32_t state)
{
    return state >> RESUME_OP_SHIFT & RESUME_OP_MASK;
}

static inline uint32_t id_of(uint32_t state)
{
    return state >> RESUME_ID_SHIFT & (RESUME_BARRIERS - 1);
}

static inline bool is_counted(uint32_t state)
{
    return state >> RESUME_OP_SHIFT & RESUME_COUNTED;
}

static inline uint64_t *cell(const struct machine *m, enum resume_slot slot, uint32_t thread)
{
    return &m->raw[slot * m->padded + thread];
}

static inline uint32_t *warp_of(const struct machine *m, uint32_t warp)
{
    return m->thread + warp * RESUME_WARP_LANES;
}

#define ALL_BITS     UINT32_MAX
#define KIND_BITS    (UINT32_MAX << RESUME_KIND_SHIFT)
#define BARRIER_BITS (UINT32_MAX << RESUME_ID_SHIFT)

// The lanes of a warp where (state & bits) == value.
static uint32_t lanes_where(const uint32_t *warp, uint32_t bits, uint32_t value)
{
    four found = {0}, lane = {1, 2, 4, 8};
    for (uint32_t i = 0; i < RESUME_WARP_LANES / 4; i++) {
        found |= (four)((((const four *)warp)[i] & bits) == value) & lane;
        lane <<= 4;
    }
    return found[0] | found[1] | found[2] | found[3];
}

// Lets lanes run: those, and those of a mask.
static void release_lanes(uint32_t *warp, uint32_t lanes)
{
    for (uint32_t rest = lanes; rest; rest &= rest - 1)
        warp[__builtin_ctz(rest)] &= RESUME_POINT_MASK;
}

static void release_where(uint32_t *warp, uint32_t bits, uint32_t value)
{
    for (uint32_t i = 0; i < RESUME_WARP_LANES / 4; i++) {
        four s = ((four *)warp)[i], here = (four)((s & bits) == value);
        ((four *)warp)[i] = s & (~here | RESUME_POINT_MASK);
    }
}

static inline uint32_t lanes_of_kind(const uint32_t *warp, uint32_t kind)
{
    return lanes_where(warp, KIND_BITS, kind << RESUME_KIND_SHIFT);
}

// Collectives

struct collective {
    const uint64_t *value, *extra; // by lane
    uint32_t members;              // lanes that take part
    const uint32_t *state;         // where the warp's lanes waited before any was released; NULL: members alone
};

// PTX ISA, shfl.sync. The source lane, or the lane itself and *found = false when it lies outside the segment.
static inline uint32_t shuffle_source(uint32_t op, uint32_t lane, uint64_t extra, bool *found)
{
    uint32_t b = (uint32_t)extra & 31, c = (uint32_t)(extra >> 32), clamp = c & 31, segment = c >> 8 & 31;
    uint32_t max = (lane & segment) | (clamp & ~segment), min = lane & segment, source;
    source = op == RESUME_SHFL_UP     ? lane - b
             : op == RESUME_SHFL_DOWN ? lane + b
             : op == RESUME_SHFL_BFLY ? lane ^ b
                                      : min | (b & ~segment);
    *found = op == RESUME_SHFL_UP ? (int32_t)source >= (int32_t)max : source <= max;
    return *found ? source & 31 : lane;
}

// What a lane gets. As on an H200: from a lane that does not make this shuffle now, being inactive or finished, 0; from one that
// does, its value, be it named in the mask or not.
static inline uint64_t shuffled(uint32_t op, const struct collective *c, uint32_t lane)
{
    bool found;
    uint32_t source = shuffle_source(op, lane, c->extra[lane], &found), here = c->members;
    if (c->state)
        here |= lanes_where(c->state, ALL_BITS, c->state[lane]);
    return here >> source & 1 ? c->value[source] : 0;
}

static inline bool has_source(uint32_t op, const struct collective *c, uint32_t lane)
{
    bool found;
    shuffle_source(op, lane, c->extra[lane], &found);
    return found;
}

static uint32_t ballot(const struct collective *c)
{
    uint32_t set = 0;
    for (uint32_t l = 0; l < RESUME_WARP_LANES; l++)
        set |= (uint32_t)((c->members >> l & 1) && (c->value[l] & 1)) << l;
    return set;
}

static uint32_t match(const struct collective *c, uint32_t lane)
{
    uint32_t same = 0;
    for (uint32_t l = 0; l < RESUME_WARP_LANES; l++)
        same |= (uint32_t)((c->members >> l & 1) && c->value[l] == c->value[lane]) << l;
    return same;
}

static inline uint32_t combined(uint32_t op, uint32_t r, uint32_t x)
{
    switch (op) {
#define COLLECTIVE(name, agreed, result)
#define REDUX(name, value)                                                                                             \
    case RESUME_##name:                                                                                                \
        return value;
#include "jit/abi/collective.def"
    }
    return r;
}

static uint32_t reduce(uint32_t op, const struct collective *c)
{
    uint32_t first = (uint32_t)__builtin_ctz(c->members), r = (uint32_t)c->value[first];
    for (uint32_t l = first + 1; l < RESUME_WARP_LANES; l++)
        r = c->members >> l & 1 ? combined(op, r, (uint32_t)c->value[l]) : r;
    return r;
}

static uint64_t collective_result(uint32_t op, const struct collective *c, uint32_t lane)
{
    switch (op) {
#define COLLECTIVE(name, agreed, result)                                                                               \
    case RESUME_##name:                                                                                                \
        return result;
#include "jit/abi/collective.def"
    }
    return 0;
}

static const bool same_for_all_lanes[RESUME_OP_MASK + 1] = {
#define COLLECTIVE(name, agreed, result) [RESUME_##name] = agreed,
#include "jit/abi/collective.def"
};

static inline void shuffle_lanes(uint32_t op, const struct collective *c, uint64_t *result)
{
    for (uint32_t l = 0; l < RESUME_WARP_LANES; l++)
        result[l] = shuffled(op, c, l);
}

// All lanes of the warp do the same shuffle: the common case. False when it is something else.
static bool shuffle_warp(uint32_t op, const struct collective *c, uint64_t *result)
{
    if (op == RESUME_SHFL_UP) // each a loop of its own, which knows its operation
        shuffle_lanes(RESUME_SHFL_UP, c, result);
    else if (op == RESUME_SHFL_DOWN)
        shuffle_lanes(RESUME_SHFL_DOWN, c, result);
    else if (op == RESUME_SHFL_BFLY)
        shuffle_lanes(RESUME_SHFL_BFLY, c, result);
    else if (op == RESUME_SHFL_IDX)
        shuffle_lanes(RESUME_SHFL_IDX, c, result);
    return op >= RESUME_SHFL_UP && op <= RESUME_SHFL_IDX;
}

// Gives the lanes of a group, who wait for each other, their results and lets them run.
static void release_group(const struct machine *m, uint32_t warp, uint32_t group, const uint32_t *before)
{
    uint32_t first = warp * RESUME_WARP_LANES, *state = m->thread + first, last_op = UINT32_MAX;
    uint32_t one = state[__builtin_ctz(group)];
    uint64_t r = 0, *result = cell(m, RESUME_RESULT, first);
    struct collective c = {cell(m, RESUME_VALUE, first), cell(m, RESUME_EXTRA, first), group, before};
    if (group == UINT32_MAX && lanes_where(state, ALL_BITS, one) == group && shuffle_warp(op_of(one), &c, result)) {
        release_where(state, ALL_BITS, one);
        return;
    }
    for (uint32_t rest = group; rest; rest &= rest - 1) {
        uint32_t l = (uint32_t)__builtin_ctz(rest), op = op_of(state[l]);
        if (op != last_op || !same_for_all_lanes[op])
            r = collective_result(op, &c, l);
        last_op = op;
        result[l] = r;
        state[l] &= RESUME_POINT_MASK;
    }
}

// The lanes among `waiting` that name the members `key`.
static uint32_t same_members(const struct machine *m, uint32_t warp, uint32_t waiting, uint32_t key)
{
    const uint64_t *keys = cell(m, RESUME_KEY, warp * RESUME_WARP_LANES);
    uint32_t differs = 0, group = 0;
    for (uint32_t l = 0; l < RESUME_WARP_LANES; l++)
        differs |= (uint32_t)keys[l] ^ key;
    if (!differs)
        return waiting;
    for (uint32_t rest = waiting; rest; rest &= rest - 1) {
        uint32_t l = (uint32_t)__builtin_ctz(rest);
        if ((uint32_t)keys[l] == key)
            group |= 1u << l;
    }
    return group;
}

// Releases the groups of a warp that are complete; with force, those that are not too. Returns the lanes released.
static uint32_t release_warp(const struct machine *m, uint32_t warp, bool force)
{
    const uint32_t *s = warp_of(m, warp);
    uint32_t waiting = lanes_of_kind(s, RESUME_WARP), released = 0, all = waiting;
    uint32_t before[RESUME_WARP_LANES] __attribute__((aligned(16)));
    uint32_t finished = waiting ? lanes_where(s, ALL_BITS, 0) : 0;
    while (waiting) {
        uint32_t key = (uint32_t)*cell(m, RESUME_KEY, warp * RESUME_WARP_LANES + (uint32_t)__builtin_ctz(waiting));
        uint32_t group = same_members(m, warp, waiting, key);
        if (group != all && waiting == all)
            memcpy(before, s, sizeof before);
        waiting &= ~group;
        if (!force && (key & ~finished & ~group))
            continue;
        release_group(m, warp, group, group == all ? NULL : before);
        released |= group;
    }
    return released;
}

// activemask: the lanes of one resume point that came there together. Of several points the first in the code goes on alone, so that
// lanes which are behind, in another iteration of a loop or in the other arm of a branch, may reach where the others wait, as they
// do on a GPU. With `all` the others go on too: nobody waits for ever for a lane that does not come.
static uint32_t release_gathered(const struct machine *m, uint32_t warp, bool all)
{
    const uint32_t *s = warp_of(m, warp);
    uint32_t waiting = lanes_of_kind(s, RESUME_GATHER), released = 0;
    while (waiting) {
        uint32_t first = s[__builtin_ctz(waiting)];
        for (uint32_t rest = waiting; rest; rest &= rest - 1) {
            uint32_t state = s[__builtin_ctz(rest)];
            first = (state & RESUME_POINT_MASK) < (first & RESUME_POINT_MASK) ? state : first;
        }
        uint32_t group = lanes_where(s, ALL_BITS, first);
        release_group(m, warp, group, NULL);
        released |= group;
        waiting = all ? waiting & ~group : 0;
    }
    return released;
}

// Barriers

static inline uint32_t barrier_state(uint32_t id)
{
    return (uint32_t)RESUME_BARRIER << RESUME_KIND_SHIFT | id << RESUME_ID_SHIFT;
}

static inline uint32_t lanes_at(const uint32_t *warp, uint32_t id)
{
    return lanes_where(warp, BARRIER_BITS, barrier_state(id));
}

static uint32_t barrier_result(uint32_t op, uint32_t count, uint32_t all)
{
    switch (op) {
#define COLLECTIVE(name, agreed, result)
#define RED(name, value)                                                                                               \
    case RESUME_##name:                                                                                                \
        return value;
#include "jit/abi/collective.def"
    }
    return 0;
}

static uint64_t reduction(const struct machine *m, uint32_t op, uint32_t id)
{
    uint32_t count = 0, all = 0;
    for (uint32_t w = 0; w < m->padded / RESUME_WARP_LANES; w++) {
        const uint64_t *value = cell(m, RESUME_VALUE, w * RESUME_WARP_LANES);
        uint32_t here = lanes_at(warp_of(m, w), id), set = 0;
        for (uint32_t l = 0; here && l < RESUME_WARP_LANES; l++)
            set |= (uint32_t)(value[l] & 1) << l;
        all += (uint32_t)__builtin_popcount(here);
        count += (uint32_t)__builtin_popcount(here & set);
    }
    return barrier_result(op, count, all);
}

// Who waits for a result gets it: in the block's cell when the barrier is the whole block's, else each in its own.
static void give_results(const struct machine *m, uint32_t id)
{
    uint32_t done = RESUME_NONE;
    uint64_t result = 0;
    for (uint32_t w = 0; w < m->padded / RESUME_WARP_LANES; w++) {
        const uint32_t *s = warp_of(m, w);
        uint32_t bits = (RESUME_OP_MASK | RESUME_COUNTED) << RESUME_OP_SHIFT;
        for (uint32_t rest = lanes_at(s, id) & ~lanes_where(s, bits, done << RESUME_OP_SHIFT); rest;) {
            uint32_t t = w * RESUME_WARP_LANES + (uint32_t)__builtin_ctz(rest), op = op_of(m->thread[t]);
            bool counted = is_counted(m->thread[t]);
            rest &= rest - 1;
            if (op == RESUME_NONE || op == done)
                continue;
            result = reduction(m, op, id);
            if (!counted) {
                *cell(m, RESUME_BLOCK_RESULT, 0) = result;
                done = op;
                continue;
            }
            *cell(m, RESUME_RESULT, t) = result;
        }
    }
}

static void release_barrier(struct machine *m, uint32_t id)
{
    if (m->flags & RESUME_HAS_RESULTS)
        give_results(m, id);
    for (uint32_t w = 0; w < m->padded / RESUME_WARP_LANES; w++)
        release_where(warp_of(m, w), BARRIER_BITS, barrier_state(id));
    m->state->awake = UINT32_MAX;
    m->state->arrived[id] = 0;
}

static uint32_t lanes_that_exist(const struct machine *m, uint32_t warp)
{
    uint32_t left = m->threads - warp * RESUME_WARP_LANES;
    return left < RESUME_WARP_LANES ? (1u << left) - 1 : UINT32_MAX;
}

// Lanes that have finished, in warps of which others wait at this barrier: a warp counts as a whole.
static uint32_t finished_beside(const struct machine *m, uint32_t id)
{
    uint32_t n = 0;
    for (uint32_t w = 0; w < m->padded / RESUME_WARP_LANES; w++) {
        const uint32_t *s = warp_of(m, w);
        uint32_t here = lanes_at(s, id);
        if (here)
            n += (uint32_t)__builtin_popcount(lanes_where(s, ALL_BITS, 0) & lanes_that_exist(m, w));
    }
    return n;
}

static bool release_barriers(struct machine *m, bool force)
{
    bool any = false;
    uint32_t finished = m->threads - m->state->live;
    for (uint32_t id = 0; id < RESUME_BARRIERS; id++) {
        uint32_t n = m->state->arrived[id], want = m->state->expected[id];
        if (!n)
            continue;
        bool whole = !want || want >= m->threads;
        bool complete = whole ? n + finished >= m->threads : n >= want || n + finished_beside(m, id) >= want;
        if (!complete && !force)
            continue;
        release_barrier(m, id);
        any = true;
    }
    return any;
}

// The cluster's barrier. The lanes of a warp that have arrived in this phase are in `gathered`; a wait of a lane that is
// not there is over, since its phase is.

static inline uint32_t lanes_at_cluster(const uint32_t *warp)
{
    return lanes_of_kind(warp, RESUME_CLUSTER_WAIT) | lanes_of_kind(warp, RESUME_CLUSTER_SYNC);
}

// Lets the lanes go on whose phase is over. True: there were some.
static bool release_cluster(struct machine *m)
{
    bool any = false;
    if (m->state->phase == m->block->cluster->phase)
        return false;
    m->state->phase = m->block->cluster->phase;
    for (uint32_t w = 0; w < m->padded / RESUME_WARP_LANES; w++) {
        uint32_t *s = warp_of(m, w);
        m->state->gathered[w] = 0;
        any |= lanes_at_cluster(s) != 0;
        release_where(s, KIND_BITS, (uint32_t)RESUME_CLUSTER_WAIT << RESUME_KIND_SHIFT);
        release_where(s, KIND_BITS, (uint32_t)RESUME_CLUSTER_SYNC << RESUME_KIND_SHIFT);
    }
    m->state->awake = UINT32_MAX;
    return any;
}

// Tells the cluster when all threads of the block have arrived or finished.
static bool gather_cluster(struct machine *m)
{
    bool some = false;
    for (uint32_t w = 0; w < m->padded / RESUME_WARP_LANES; w++) {
        uint32_t here = m->state->gathered[w];
        if (lanes_that_exist(m, w) & ~(here | lanes_where(warp_of(m, w), ALL_BITS, 0)))
            return false;
        some |= here != 0;
    }
    if (some && m->state->phase == m->block->cluster->phase)
        cluster_arrive(m->block);
    return release_cluster(m);
}

static bool waits_for_cluster(const struct machine *m)
{
    for (uint32_t w = 0; w < m->padded / RESUME_WARP_LANES; w++)
        if (lanes_at_cluster(warp_of(m, w)))
            return true;
    return false;
}

// Lanes that came to the barrier; returns those that may run on at once.
static uint32_t arrive_at_cluster(struct machine *m, uint32_t warp, uint32_t kind, uint32_t lanes)
{
    uint32_t *gathered = &m->state->gathered[warp], again = 0;
    if (kind != RESUME_CLUSTER_WAIT)
        *gathered |= lanes;
    if (kind == RESUME_CLUSTER_ARRIVE)
        again = lanes;
    if (kind == RESUME_CLUSTER_WAIT)
        again = lanes & ~*gathered;
    release_lanes(warp_of(m, warp), again);
    return again;
}

uint32_t heddle_cluster_step(struct jit_block *block, uint32_t kind)
{
    struct jit_cluster *c = block->cluster;
    if (kind != RESUME_CLUSTER_WAIT) {
        block->cluster_phase = c->phase;
        cluster_arrive(block);
    }
    if (kind == RESUME_CLUSTER_ARRIVE || block->cluster_phase != c->phase)
        return 0;
    c->asleep |= 1u << block->rank;
    return 1;
}

// Turns

static void arrive(struct machine *m, uint32_t thread, uint32_t state, uint32_t lanes)
{
    uint32_t id = id_of(state), n = (uint32_t)__builtin_popcount(lanes);
    bool counted = is_counted(state);
    if (counted && thread + 31 - (uint32_t)__builtin_clz(lanes) == m->threads - 1)
        n += m->padded - m->threads; // the block's last warp counts as a whole one
    m->state->arrived[id] += n;
    m->state->expected[id] = counted ? (uint32_t)*cell(m, RESUME_KEY, thread + (uint32_t)__builtin_ctz(lanes)) : 0;
}

// Accounts for the lanes of a warp that ran; returns those that may run on at once.
static uint32_t account(struct machine *m, uint32_t warp, uint32_t ran)
{
    uint32_t first = warp * RESUME_WARP_LANES, again = 0, *s = warp_of(m, warp);
    while (ran) {
        uint32_t state = s[__builtin_ctz(ran)];
        uint32_t same = lanes_where(s, ALL_BITS, state) & ran;
        ran &= ~same;
        if (!state)
            m->state->live -= (uint32_t)__builtin_popcount(same);
        else if (kind_of(state) == RESUME_BARRIER)
            arrive(m, first, state, same);
        else if (kind_of(state) == RESUME_ARRIVE) {
            arrive(m, first, state, same);
            release_lanes(s, same);
            again |= same;
        } else if (kind_of(state) == RESUME_RUN) { // a resume point that does not wait
            again |= same;
        } else if (kind_of(state) >= RESUME_CLUSTER_WAIT) {
            again |= arrive_at_cluster(m, warp, kind_of(state), same);
        }
    }
    return again;
}

enum { TURN_RAN = 1, TURN_MOVED = 2, TURN_YIELDED = 4 };

static inline bool spins(uint32_t state)
{
    return kind_of(state) == RESUME_YIELD && op_of(state) == RESUME_NONE;
}

// Whether some lane that ran is elsewhere than before, or does not spin.
static bool some_moved(const uint32_t *now, const uint32_t *before, uint32_t ran)
{
    for (uint32_t rest = ran; rest; rest &= rest - 1) {
        uint32_t l = (uint32_t)__builtin_ctz(rest);
        if (!spins(now[l]) || (now[l] & RESUME_POINT_MASK) != before[l])
            return true;
    }
    return false;
}

static uint32_t lanes_that_spin(const uint32_t *warp)
{
    return lanes_where(warp, ~(uint32_t)RESUME_POINT_MASK, (uint32_t)RESUME_YIELD << RESUME_KIND_SHIFT);
}

static uint32_t run_warp(struct machine *m, uint32_t warp)
{
    uint32_t result = 0, again = 0, gangs = RESUME_WARP_LANES / m->width, *s = warp_of(m, warp);
    bool yields = m->flags & RESUME_HAS_YIELDS, may_spin = m->flags & RESUME_HAS_SPINS;
    if (yields)
        release_where(s, KIND_BITS, (uint32_t)RESUME_YIELD << RESUME_KIND_SHIFT);
    for (uint32_t turn = 0; turn < TURNS_MAX; turn++) {
        uint32_t ran = 0, before[RESUME_WARP_LANES];
        again = 0;
        if (may_spin)
            memcpy(before, s, sizeof before);
        for (uint32_t k = 0; k < gangs; k++) {
            uint32_t g = m->flags & RESUME_DESCENDING ? gangs - 1 - k : k;
            ran |= m->gang(m->launch, m->block, warp * gangs + g) << (g * m->width);
        }
        if (ran) {
            bool slept = may_spin && lanes_that_spin(s) & ran;
            result |= TURN_RAN | (slept ? TURN_YIELDED : 0) | (!slept || some_moved(s, before, ran) ? TURN_MOVED : 0);
            again = account(m, warp, ran);
        }
        if (m->flags & RESUME_HAS_WARPS) {
            again |= release_warp(m, warp, false);
            if (!again)
                again = release_gathered(m, warp, turn == TURNS_MAX - 1);
        }
        if (!again)
            break;
        result |= TURN_MOVED;
    }
    if (!again && !(yields && lanes_of_kind(s, RESUME_YIELD)))
        m->state->awake &= ~(1u << warp);
    return result;
}

// Nothing can run, nothing will: what a GPU would hang on (requirement 8). False when no thread waits either.
static bool break_deadlock(struct machine *m)
{
    bool any = false;
    for (uint32_t w = 0; w < m->padded / RESUME_WARP_LANES; w++)
        any |= release_warp(m, w, true) != 0;
    m->state->awake = UINT32_MAX;
    if (any || release_barriers(m, true))
        return true;
    if (!(m->flags & RESUME_HAS_CLUSTERS) || !waits_for_cluster(m))
        return false;
    cluster_next_phase(m->block->cluster);
    return release_cluster(m);
}

static void start(struct machine *m)
{
    *m->state = (struct resume_block){.live = m->threads, .awake = UINT32_MAX};
    if (m->flags & RESUME_HAS_CLUSTERS)
        m->state->phase = m->block->cluster->phase;
    for (uint32_t t = 0; t < m->padded; t++)
        m->thread[t] = t < m->threads ? RESUME_START : 0;
}

uint32_t heddle_resume_machine(const struct jit_launch *launch, struct jit_block *block, resume_gang_fn *gang,
                               uint32_t threads, uint32_t padded, uint32_t width, uint32_t flags)
{
    struct resume_block *state = (struct resume_block *)block->frame;
    uint32_t *thread = (uint32_t *)(block->frame + RESUME_BLOCK_BYTES);
    struct machine m = {gang,    launch, block, state, thread, (uint64_t *)(thread + padded),
                        threads, padded, width, flags};
    if (!block->resume)
        start(&m);
    block->resume = 1;
    state->sweeps = 0;
    if (flags & RESUME_HAS_CLUSTERS)
        release_cluster(&m);
    while (state->live) {
        uint32_t result = 0, warps = padded / RESUME_WARP_LANES;
        for (uint32_t k = 0; k < warps; k++) {
            uint32_t w = flags & RESUME_DESCENDING ? warps - 1 - k : k;
            if (state->awake >> w & 1)
                result |= run_warp(&m, w);
        }
        if (release_barriers(&m, false))
            result |= TURN_MOVED;
        if (flags & RESUME_HAS_CLUSTERS && gather_cluster(&m))
            result |= TURN_MOVED;
        if (!result && flags & RESUME_HAS_CLUSTERS && block->cluster->blocks > 1 && waits_for_cluster(&m)) {
            block->cluster->asleep |= 1u << block->rank;
            return JIT_YIELD;
        }
        if (!result && !break_deadlock(&m))
            break;
        state->idle = result & TURN_MOVED ? 0 : state->idle + 1;
        state->sweeps += (result & TURN_YIELDED) != 0;
        bool enough = flags & RESUME_EAGER || state->idle >= IDLE_SWEEPS || state->sweeps >= YIELD_SWEEPS;
        if (result & TURN_YIELDED && state->live && enough) {
            state->idle = 0;
            return JIT_YIELD;
        }
    }
    block->resume = 0;
    return JIT_DONE;
}

// Blocks whose gangs stay whole

// One sweep over the gangs: each runs from where it may until it waits or yields. Returns enum TURN_*.
static uint32_t sweep_gangs(const struct jit_launch *launch, struct jit_block *block, resume_step_fn *step,
                            uint32_t *at, uint32_t gangs, uint32_t flags)
{
    struct resume_block *state = (struct resume_block *)block->frame;
    uint32_t result = 0;
    for (uint32_t k = 0; k < gangs; k++) {
        uint32_t g = flags & RESUME_DESCENDING ? gangs - 1 - k : k, now = at[g];
        if (kind_of(now) == RESUME_YIELD)
            now &= RESUME_POINT_MASK;
        for (uint32_t turn = 0; turn < TURNS_MAX && now && kind_of(now) == RESUME_RUN; turn++) {
            uint32_t from = now;
            now = step(launch, block, g, from);
            bool stood = spins(now) && (now & RESUME_POINT_MASK) == from;
            result |= TURN_RAN | (spins(now) ? TURN_YIELDED : 0) | (stood ? 0 : TURN_MOVED);
            state->live -= !now;
        }
        at[g] = now;
    }
    return result;
}

// Lets go on who waits at barriers: when all that have not finished wait at the same one, or, by force, whoever waits.
static bool release_gangs(uint32_t *at, uint32_t gangs, bool force)
{
    uint32_t where = 0;
    bool any = false;
    for (uint32_t g = 0; g < gangs && !force; g++) {
        uint32_t barrier = at[g] & BARRIER_BITS;
        if (at[g] && (kind_of(at[g]) != RESUME_BARRIER || (where && barrier != where)))
            return false;
        where = at[g] ? barrier : where;
    }
    for (uint32_t g = 0; g < gangs; g++)
        if (kind_of(at[g]) == RESUME_BARRIER) {
            at[g] &= RESUME_POINT_MASK;
            any = true;
        }
    return any;
}

uint32_t heddle_resume_gangs(const struct jit_launch *launch, struct jit_block *block, resume_step_fn *step,
                             uint32_t gangs, uint32_t flags)
{
    struct resume_block *state = (struct resume_block *)block->frame;
    uint32_t *at = (uint32_t *)(block->frame + RESUME_BLOCK_BYTES);
    if (!block->resume) {
        *state = (struct resume_block){.live = gangs};
        for (uint32_t g = 0; g < gangs; g++)
            at[g] = RESUME_START;
    }
    block->resume = 1;
    state->sweeps = 0;
    while (state->live) {
        uint32_t result = sweep_gangs(launch, block, step, at, gangs, flags);
        if (release_gangs(at, gangs, false))
            result |= TURN_MOVED;
        if (!result && !release_gangs(at, gangs, true))
            break;
        state->idle = result & TURN_MOVED ? 0 : state->idle + 1;
        state->sweeps += (result & TURN_YIELDED) != 0;
        bool enough = flags & RESUME_EAGER || state->idle >= IDLE_SWEEPS || state->sweeps >= YIELD_SWEEPS;
        if (result & TURN_YIELDED && state->live && enough) {
            state->idle = 0;
            return JIT_YIELD;
        }
    }
    block->resume = 0;
    return JIT_DONE;
}

void heddle_resume_all(uint64_t *raw, uint32_t threads, uint32_t padded, uint32_t state)
{
    uint32_t words[RESUME_WARP_LANES] __attribute__((aligned(64))), op = op_of(state);
    if (kind_of(state) == RESUME_BARRIER) {
        uint32_t count = 0;
        for (uint32_t t = 0; t < threads; t++)
            count += raw[RESUME_VALUE * padded + t] & 1;
        raw[RESUME_BLOCK_RESULT * padded] = barrier_result(op, count, threads);
        return;
    }
    for (uint32_t w = 0; w < padded / RESUME_WARP_LANES; w++) {
        for (uint32_t l = 0; l < RESUME_WARP_LANES; l++)
            words[l] = w * RESUME_WARP_LANES + l < threads ? state : 0;
        struct machine m = {.thread = words, .raw = raw + w * RESUME_WARP_LANES, .threads = threads, .padded = padded};
        if (kind_of(state) == RESUME_WARP)
            release_warp(&m, 0, true);
        else
            release_gathered(&m, 0, true);
    }
}
