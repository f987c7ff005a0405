// SPDX-License-Identifier: Apache-2.0
// racecheck: rows of lanes. Nearly all accesses are ordered behind what the cells of their words hold, and the lanes of a gang have one clock and mostly
// words that follow each other, or one word: such rows are compared and kept together, by loops that the compiler makes vectors of. What is not
// ordered is left to cell.c, lane by lane.
#include "device/check/cell.h"
#include "device/sched/runner.h"
#include <string.h>

// Lanes that follow each other, from that of the view on: each has so many words, which follow each other, or all have the same.
struct row {
    uint32_t lanes, shift; // words of a lane, as a power of two
    bool steps;
    const uint64_t *value; // what each stores; NULL: it is not known
};

static inline uint32_t words_of(const struct row *r)
{
    return (r->steps ? r->lanes : 1) << r->shift;
}

// Words that are looked at together, and what is left of a row behind them.
enum { WIDE = 4 };
typedef int64_t words __attribute__((vector_size(WIDE * sizeof(int64_t)), aligned(8), may_alias));
#define EACH_WIDE(i, n) (uint32_t i = 0; i + WIDE <= (n); i += WIDE)
#define EACH_REST(i, n) (uint32_t i = (n) / WIDE * WIDE; i < (n); i++)
#define AT(p, i)        (*(words *)((p) + (i)))

RACE_INLINE bool any(const words *x)
{
    return (*x)[0] | (*x)[1] | (*x)[2] | (*x)[3];
}

// What thread i of a row has in its cells, beside the first thread's; a lane has 2^shift words.
RACE_INLINE int64_t thread_step(uint32_t i, uint32_t shift)
{
    return (int64_t)(i >> shift) << CELL_THREAD_AT;
}
#define STEPS(i, shift)                                                                                                \
    ((words){thread_step((i), shift), thread_step((i) + 1, shift), thread_step((i) + 2, shift),                        \
             thread_step((i) + 3, shift)})

// As before(), for n words, in numbers that compare with their signs.
RACE_INLINE bool all_before_shared(const struct view *v, const uint64_t *cell, uint32_t n, uint32_t shift)
{
    int64_t known = (int64_t)v->known << 32, flight = (int64_t)CELL_IN_FLIGHT << 32, thread = v->low & thread_bits;
    words bad = {0};
    for
        EACH_WIDE(i, n)
        {
            words x = AT(cell, i), late = x >= known;
            words own = (x & (int64_t)thread_bits) == thread + STEPS(i, shift);
            bad |= late & (~own | (x >= flight));
        }
    for
        EACH_REST(i, n)
        {
            int64_t x = (int64_t)cell[i];
            bool own = (x & thread_bits) == thread + thread_step(i, shift);
            bad[0] |= (x >= known) & (!own | (x >= flight));
        }
    return !any(&bad);
}

RACE_INLINE bool all_before_global(const struct view *v, const uint64_t *cell, uint32_t n, uint32_t shift)
{
    const int64_t known = v->known, grid_known = v->grid_known, block = (int64_t)((uint64_t)block_bits << 32);
    const int64_t mine = (int64_t)((uint64_t)v->high << 32 | (v->low & identity)), who = identity;
    words bad = {0};
    for
        EACH_WIDE(i, n)
        {
            words x = AT(cell, i), other_block = ((x ^ mine) & block) != 0;
            words late = (x >> (32 + CELL_GRID_AT) & 0xff) >= grid_known;
            words own = ((x ^ (mine + STEPS(i, shift))) & who) == 0;
            bad |= late & (other_block | (((x >> 32 & CELL_CLOCK_MOST) >= known) & ~own));
        }
    if (any(&bad))
        return false;
    for
        EACH_REST(i, n)
    if (!before(v, cell[i], v->low + (uint32_t)thread_step(i, shift)))
        return false;
    return true;
}

RACE_INLINE void clear(uint64_t *cell, uint32_t n)
{
    for
        EACH_WIDE(i, n)
    AT(cell, i) = (words){0};
    for
        EACH_REST(i, n)
    cell[i] = 0;
}

// ---- shared memory
RACE_INLINE void keep_reads_shared(const struct view *v, const struct cells *m, uint64_t word, uint32_t n,
                                   uint32_t shift)
{
    uint64_t *read = m->read + word, *other = m->other + word;
    const int64_t warps = (int64_t)(RACE_THREADS - 1) / 32 * 32 << CELL_THREAD_AT, now = (int64_t)cell_of(v, 15);
    const int64_t clock = (int64_t)((uint64_t)UINT32_MAX << 32) | CELL_STRONG | 15, threads = thread_bits;
    for
        EACH_WIDE(i, n)
        {
            words last = AT(read, i), mine = now + STEPS(i, shift), differs = last ^ mine;
            words two = ((differs & clock) == 0) & ((differs & warps) != 0) & (int64_t)CELL_TWO;
            words other_thread = (last != 0) & ((differs & threads) != 0);
            AT(other, i) = (other_thread & (last | two)) | (~other_thread & AT(other, i));
            AT(read, i) = mine;
        }
    for
        EACH_REST(i, n)
        {
            int64_t last = (int64_t)read[i], mine = now + thread_step(i, shift), differs = last ^ mine;
            bool two = !(differs & clock) && differs & warps;
            if (last && differs & threads)
                other[i] = (uint64_t)last | (two ? CELL_TWO : 0);
            read[i] = (uint64_t)mine;
        }
}

// Two warps have read all of the words in this interval.
RACE_INLINE bool all_saturated(const struct view *v, const struct cells *m, uint64_t word, uint32_t n)
{
    const uint64_t *other = m->other + word;
    const int64_t now = (int64_t)((uint64_t)v->high << 32 | CELL_TWO | 15),
                  what = (int64_t)((uint64_t)UINT32_MAX << 32 | CELL_TWO | CELL_STRONG | 15);
    words bad = {0};
    for
        EACH_WIDE(i, n)
    bad |= (AT(other, i) ^ now) & what;
    for
        EACH_REST(i, n)
    bad[0] |= ((int64_t)other[i] ^ now) & what;
    return !any(&bad);
}

// ---- global memory, where planes of a page may be missing
RACE_INLINE bool keep_reads_global(const struct view *v, struct race_page *p, uint64_t word, uint32_t n, uint32_t shift)
{
    const int64_t now = (int64_t)cell_of(v, 15), who = (int64_t)(identity | (uint64_t)block_bits << 32);
    uint64_t *read = grid_plane(p, PLANE_READ, true);
    words others = {0};
    if (!read)
        return true;
    read += word;
    for
        EACH_WIDE(i, n)
    others |= (AT(read, i) != 0) & (((AT(read, i) ^ (now + STEPS(i, shift))) & who) != 0);
    for
        EACH_REST(i, n)
    others[0] |= read[i] && ((int64_t)read[i] ^ (now + thread_step(i, shift))) & who;
    uint64_t *other = any(&others) ? grid_plane(p, PLANE_OTHER, true) : NULL;
    for (uint32_t i = 0; other && i < n; i++)
        if (read[i] && ((int64_t)read[i] ^ (now + thread_step(i, shift))) & who && !stays(v, other[word + i], read[i]))
            other[word + i] = read[i];
    for
        EACH_WIDE(i, n)
    AT(read, i) = now + STEPS(i, shift);
    for
        EACH_REST(i, n)
    read[i] = (uint64_t)(now + thread_step(i, shift));
    return true;
}

RACE_INLINE void keep_writes(const struct view *v, const struct cells *m, uint64_t word, const struct row *r)
{
    const int64_t now = (int64_t)cell_of(v, 15);
    uint32_t n = words_of(r), shift = r->shift, *value = m->value + word;
    uint64_t *write = m->write + word;
    for
        EACH_WIDE(i, n)
    AT(write, i) = now + STEPS(i, shift);
    for
        EACH_REST(i, n)
    write[i] = (uint64_t)(now + thread_step(i, shift));
    if (shift < 2 && !r->value)
        memset(value, 0, n * sizeof *value);
    else if (shift == 0)
        for (uint32_t i = 0; i < n; i++)
            value[i] = (uint32_t)r->value[i];
    else if (shift == 1)
        memcpy(value, r->value, n * sizeof *value);
}

// The same word, read by several lanes: the last stands for all, and beside it the last read of another warp where that may still race, else the first.
RACE_INLINE void keep_one(const struct view *v, const struct cells *m, uint64_t word, uint32_t lanes)
{
    uint64_t now = cell_of(v, 15), last = m->read[word], end = now + ((uint64_t)(lanes - 1) << CELL_THREAD_AT);
    bool here = !((last ^ now) >> 32), own = same_block(v, last) && thread_of(last) == thread_of(end);
    if (last == end)
        return;
    if (stays(v, m->other[word], last)) {
        m->read[word] = end;
        return;
    }
    if (!same_warp(v, last) && !before(v, last, v->low))
        m->other[word] = last | (!v->global && here && (last & (CELL_STRONG | 15)) == 15 ? CELL_TWO : 0);
    else if (lanes > 1)
        m->other[word] = now;
    else if (last && !own)
        m->other[word] = last;
    m->read[word] = end;
}

RACE_INLINE bool one_before(const struct view *v, const struct cells *m, uint64_t word)
{
    uint64_t write = m->write[word];
    return before(v, write, v->low) && !((uint32_t)write & CELL_STRONG);
}

// The same words for all lanes, which they read.
RACE_INLINE bool read_one(const struct view *v, const struct cells *m, uint64_t word, const struct row *r)
{
    for (uint32_t i = 0; i < 1u << r->shift; i++)
        if (!one_before(v, m, word + i))
            return false;
    for (uint32_t i = 0; i < 1u << r->shift; i++)
        keep_one(v, m, word + i, r->lanes);
    return true;
}

// ---- one row. False: it has to be looked at lane by lane.
RACE_INLINE bool row_shared(const struct view *v, const struct race_block *k, uint64_t at, const struct row *r,
                            bool writes)
{
    const struct cells *m = &k->shared;
    uint64_t word = at / RACE_WORD;
    uint32_t n = words_of(r);
    if (word + n > k->words)
        return false;
    if (!r->steps)
        return (r->shift == 0 && all_saturated(v, m, word, 1)) || read_one(v, m, word, r);
    if (!writes && all_saturated(v, m, word, n))
        return true;
    if (!all_before_shared(v, m->write + word, n, r->shift))
        return false;
    if (!writes) {
        keep_reads_shared(v, m, word, n, r->shift);
        return true;
    }
    if (!all_before_shared(v, m->read + word, n, r->shift) || !all_before_shared(v, m->other + word, n, r->shift))
        return false;
    keep_writes(v, m, word, r);
    clear(m->read + word, n);
    clear(m->other + word, n);
    return true;
}

// Within one page.
RACE_INLINE bool row_page(const struct view *v, struct race_page *p, uint64_t word, const struct row *r, bool writes)
{
    uint32_t n = words_of(r);
    struct cells m = {grid_plane(p, PLANE_WRITE, writes), grid_plane(p, PLANE_READ, !writes && !r->steps),
                      grid_plane(p, PLANE_OTHER, !writes && !r->steps), grid_plane(p, PLANE_VALUE, writes)};
    if (!m.write || !m.read || !m.other || !m.value)
        return true; // there is no memory for it
    if (!writes && r->steps)
        return all_before_global(v, m.write + word, n, r->shift) && keep_reads_global(v, p, word, n, r->shift);
    if (!writes)
        return read_one(v, &m, word, r);
    if (!all_before_global(v, m.write + word, n, r->shift))
        return false;
    uint64_t *reads[2] = {m.read, m.other};
    for (int i = 0; i < 2; i++)
        if (reads[i] != grid_zeros && !all_before_global(v, reads[i] + word, n, r->shift))
            return false;
    keep_writes(v, &m, word, r);
    for (int i = 0; i < 2; i++)
        if (reads[i] != grid_zeros)
            clear(reads[i] + word, n);
    return true;
}

RACE_INLINE bool row_global(struct view v, struct race_block *k, uint64_t at, struct row r, bool writes)
{
    enum { PAGE = 1 << PAGE_SHIFT };
    uint32_t size = RACE_WORD << r.shift;
    for (uint32_t left = r.lanes; left;) {
        uint32_t room = (uint32_t)(PAGE - at % PAGE) / size;
        r.lanes = r.steps && room < left ? room : left;
        struct race_page *p = grid_page(k, at);
        if (p->tracked && !row_page(&v, p, at / RACE_WORD % PAGE_WORDS, &r, writes))
            return false;
        left -= r.lanes;
        at += r.lanes * size;
        v.low += r.lanes << CELL_THREAD_AT;
        r.value = r.value ? r.value + r.lanes : NULL;
    }
    return true;
}

// The lanes of a gang that have one clock, and no copy under way.
static bool is_row(const struct race_block *k, const struct race_access *a)
{
    uint32_t size = check_size(a->what);
    return k->one[a->first % RACE_THREADS / 8] && !(a->what & CHECK_STRONG) && !k->copy &&
           (size == 4 || size == 8 || size == 16);
}

// What the lanes of an access share. The memory of the view is that of the first of them.
struct rows {
    const struct race_access *a;
    struct race_block *k;
    uint64_t address;
    struct view view; // of lane 0
    uint32_t size;
    bool writes, shared; // shared: of the cluster's blocks
};
RACE_INLINE bool is_global(const struct jit_block *b, uint64_t at)
{
    return at - (uint64_t)(uintptr_t)b->shared >= b->shared_bytes || b->cluster->blocks > 1;
}

RACE_INLINE struct rows begin(struct check_launch *c, struct race_block *k, const struct race_access *a, uint64_t at)
{
    struct race_lane l = {.a = a, .k = k, .c = c, .global = is_global(a->block, at)};
    return (struct rows){a,
                         k,
                         at,
                         view_of(&l),
                         check_size(a->what),
                         check_kind(a->what) != CHECK_READ,
                         check_space(a->what) == CHECK_SHARED};
}

RACE_INLINE bool run(const struct rows *o, uint32_t lane, uint64_t at, const struct row *r)
{
    const struct jit_block *b = o->a->block;
    uint64_t offset = at - (uint64_t)(uintptr_t)b->shared;
    struct view v = o->view;
    v.low += lane << CELL_THREAD_AT;
    if (at & (o->size - 1) || (o->writes && !r->steps && r->lanes > 1) || is_global(b, at) != v.global)
        return false;
    if (!v.global)
        return row_shared(&v, o->k, offset, r, o->writes);
    bool other = (at - (uint64_t)(uintptr_t)b->window) >> JIT_WINDOW_SHIFT < b->cluster->blocks;
    if (offset >= b->shared_bytes && o->shared && !other)
        return false; // out of bounds
    return row_global(v, o->k, at, *r, o->writes);
}

static uint32_t all_lanes(uint32_t n)
{
    return n < RACE_LANES ? (1u << n) - 1 : UINT32_MAX;
}

// ---- lanes that are in no row, where they are ordered all the same
RACE_INLINE void keep_read(const struct view *v, const struct cells *m, uint64_t word)
{
    uint64_t now = cell_of(v, 15), last = m->read[word];
    bool own = same_block(v, last) && thread_of(last) == thread_of(now);
    if (last && !own && !stays(v, m->other[word], last))
        m->other[word] = last;
    m->read[word] = now;
}

// The words of one lane. False: not all is ordered.
RACE_INLINE bool lane_words(const struct view *v, const struct cells *m, uint64_t word, const struct row *r,
                            bool writes)
{
    uint32_t n = 1u << r->shift;
    for (uint32_t i = 0; i < n; i++)
        if (!before(v, m->write[word + i], v->low) ||
            (writes && (!before(v, m->read[word + i], v->low) || !before(v, m->other[word + i], v->low))))
            return false;
    for (uint32_t i = 0; i < n; i++) {
        if (!writes) {
            keep_read(v, m, word + i);
            continue;
        }
        m->write[word + i] = cell_of(v, 15);
        if (m->read[word + i])
            m->read[word + i] = 0;
        if (m->other[word + i])
            m->other[word + i] = 0;
        if (r->shift < 2)
            m->value[word + i] = r->value ? (uint32_t)(*r->value >> i * 32) : 0;
    }
    return true;
}

RACE_INLINE uint32_t each_lane(const struct rows *o, const uint64_t *address, uint32_t lanes)
{
    const struct jit_block *b = o->a->block;
    struct row r = {1, (uint32_t)__builtin_ctz(o->size / RACE_WORD), true, NULL};
    struct cells m = o->k->shared;
    uint32_t left = 0;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        uint64_t at = address[lane], word = (at - (uint64_t)(uintptr_t)b->shared) / RACE_WORD;
        struct view v = o->view;
        v.low += lane << CELL_THREAD_AT;
        r.value = o->a->value ? o->a->value + lane : NULL;
        bool ok = !(at & (o->size - 1)) && is_global(b, at) == v.global && !(v.global && o->shared);
        if (ok && v.global) {
            struct race_page *p = grid_page(o->k, at);
            if (!p->tracked)
                continue;
            m = (struct cells){grid_plane(p, PLANE_WRITE, o->writes), grid_plane(p, PLANE_READ, !o->writes),
                               grid_plane(p, PLANE_OTHER, !o->writes), grid_plane(p, PLANE_VALUE, o->writes)};
            ok = m.write && m.read && m.other && m.value;
            word = at / RACE_WORD % PAGE_WORDS;
        }
        if (!ok || !(v.global || word + (1u << r.shift) <= o->k->words) || !lane_words(&v, &m, word, &r, o->writes))
            left |= 1u << lane;
    }
    return left;
}

void row_addresses(const struct race_access *a, uint64_t address, uint64_t row, uint64_t *addresses)
{
    uint32_t group = check_row_lanes(row), step = check_row_steps(row) ? check_size(a->what) : 0, n = 0;
    uint64_t delta = (uint64_t)check_row_delta(row);
    for (uint32_t lane = check_row_first(row); lane < RACE_LANES; lane += group, address += delta)
        for (n = 0; n < group && lane + n < RACE_LANES; n++)
            addresses[lane + n] = address + n * step;
}

RACE_WIDE uint32_t row_access(struct check_launch *c, struct race_block *k, const struct race_access *a,
                              uint64_t address, uint64_t row)
{
    enum { LEAST = 4 };
    uint64_t addresses[RACE_LANES];
    if (!is_row(k, a))
        return a->lanes;
    struct rows o = begin(c, k, a, address);
    if (check_row_lanes(row) < LEAST) {
        row_addresses(a, address, row, addresses);
        return each_lane(&o, addresses, a->lanes);
    }
    uint32_t group = check_row_lanes(row), size = o.size, left = 0;
    struct row r = {.shift = (uint32_t)__builtin_ctz(size / RACE_WORD), .steps = check_row_steps(row)};
    for (uint32_t lane = check_row_first(row); lane < RACE_LANES;
         lane += group, address += (uint64_t)check_row_delta(row)) {
        uint32_t mine = a->lanes >> lane & all_lanes(group), from = mine ? (uint32_t)__builtin_ctz(mine) : 0;
        r.lanes = (uint32_t)__builtin_popcount(mine);
        if (!mine)
            continue;
        uint64_t at = address + (r.steps ? (uint64_t)from * size : 0);
        r.value = a->value ? a->value + lane + from : NULL;
        if (mine >> from != all_lanes(r.lanes) || !run(&o, lane + from, at, &r))
            left |= mine << lane;
    }
    if (!left)
        return 0;
    row_addresses(a, o.address, row, addresses);
    return each_lane(&o, addresses, left);
}

// One read of shared memory by all lanes of the gang, in words of four bytes.
RACE_INLINE bool told_one(struct view v, const struct race_block *k, uint64_t at, const struct jit_told *t)
{
    uint32_t group = check_row_lanes(t->row), lanes = k->gang;
    struct row r = {.lanes = group, .steps = check_row_steps(t->row)};
    const struct cells *m = &k->shared;
    v.low |= check_site(t->what) << CELL_SITE_AT;
    for (uint32_t lane = 0; lane < lanes; lane += group, at += (uint64_t)check_row_delta(t->row)) {
        uint64_t word = at / RACE_WORD;
        if (at % RACE_WORD || word + words_of(&r) > k->words)
            return false;
        if (r.steps ? !row_shared(&v, k, at, &r, false) : !(all_saturated(&v, m, word, 1) || read_one(&v, m, word, &r)))
            return false;
        v.low += group << CELL_THREAD_AT;
    }
    return true;
}

RACE_WIDE uint32_t row_told(struct check_launch *c, struct race_block *k, const struct race_access *a,
                            const struct jit_told *told, uint32_t n)
{
    enum { LEAST = 4 };
    uint32_t left = n < 32 ? (1u << n) - 1 : UINT32_MAX;
    if (!k->one[a->first % RACE_THREADS / 8] || k->copy || a->block->cluster->blocks > 1 ||
        a->lanes != all_lanes(k->gang))
        return left;
    struct race_lane l = {.a = a, .k = k, .c = c};
    struct view v = view_of(&l);
    for (uint32_t i = 0; i < n; i++) {
        uint64_t at = told[i].address - (uint64_t)(uintptr_t)a->block->shared;
        bool fits = check_size(told[i].what) == RACE_WORD && check_row_lanes(told[i].row) >= LEAST;
        if (fits && told_one(v, k, at, &told[i]))
            left &= ~(1u << i);
    }
    return left;
}

RACE_INLINE bool goes_on(const uint64_t *at, uint32_t n, uint64_t step)
{
    uint64_t other = 0, there = at[0];
    for (uint32_t i = 0; i < n; i++)
        other |= at[i] ^ (there + i * step);
    return !other;
}

// How many of the lanes that follow have addresses that go on by one step.
RACE_INLINE uint32_t run_length(const uint64_t *at, uint32_t most, uint64_t step)
{
    uint32_t n = 1;
    if (goes_on(at, most, step))
        return most;
    for (uint32_t part = 16; part >= 8; part /= 2)
        if (most >= part && goes_on(at, part, step) && (most == part || at[part] != at[0] + part * step))
            return part;
    while (n < most && at[n] == at[0] + n * step)
        n++;
    return n;
}

RACE_WIDE uint32_t row_find(struct check_launch *c, struct race_block *k, const struct race_access *a)
{
    enum { LEAST = 4 };
    uint32_t left = 0, size = check_size(a->what), lane = 0;
    if (!is_row(k, a))
        return a->lanes;
    struct rows o = begin(c, k, a, a->address[__builtin_ctz(a->lanes)]);
    while (lane < RACE_LANES && a->lanes >> lane) {
        lane += (uint32_t)__builtin_ctz(a->lanes >> lane);
        uint32_t holes = ~(a->lanes >> lane), most = holes ? (uint32_t)__builtin_ctz(holes) : RACE_LANES, n = 1;
        most = most < RACE_LANES - lane ? most : RACE_LANES - lane;
        const uint64_t *at = a->address + lane;
        uint64_t step = most > 1 ? at[1] - at[0] : size;
        if (!step || step == size)
            n = run_length(at, most, step);
        struct row r = {n, (uint32_t)__builtin_ctz(size / RACE_WORD), step == size, a->value ? a->value + lane : NULL};
        if (n < LEAST || !run(&o, lane, at[0], &r))
            left |= all_lanes(n) << lane;
        lane += n;
    }
    return left ? each_lane(&o, a->address, left) : 0;
}
