// SPDX-License-Identifier: Apache-2.0
// From lines to phases. What fits a core's second cache is done in one phase. Longer lines are cut, n = a b: a phase of columns of
// length a, with factors, into the work area, and a phase of rows of length b, which is cut again where that is still too long; every
// phase then reads and writes vectors of neighbours and has many parts. Sizes with a large prime go by Bluestein's convolution.
#include "cufft/engine/plan.h"
#include <math.h>
#include <string.h>

enum {
    // What a part may take of the second cache, which has 1 MiB or more a core on servers of the last ten years, and must
    // hold tables and scratch besides.
    CACHE_BYTES = 512 << 10,
    // Lines as short as this go in lanes even when they are contiguous: a single one would leave lanes idle.
    SHORT_LINE = 128,
    // A line of at least this length is cut into phases when there are few lines, so that all workers have parts of it.
    LONG_LINE = 1 << 15,
    FEW_LINES = 16,
};

uint64_t work_take(struct build *b, uint64_t scalars)
{
    uint64_t at = b->used;
    b->used += (scalars + 15) / 16 * 16;
    if (b->used > b->plan->work)
        b->plan->work = b->used;
    return at;
}

static uint64_t lines_of(const struct axis *a)
{
    uint64_t lines = 1;
    for (unsigned d = 0; d < a->loops; d++)
        lines *= a->loop[d].n;
    return lines;
}

static void phase_add(struct build *b, const struct fft_phase *ph)
{
    if (b->failed || !vec_try_reserve(&b->variant->phases, b->variant->phases.len + 1)) {
        b->failed = true;
        return;
    }
    b->variant->phases.data[b->variant->phases.len++] = *ph;
}

// --- lines and loops ---

static const struct fft_line *line_get(struct build *b, uint64_t n, enum line_mode mode)
{
    struct fft_plan *p = b->plan;
    for (size_t i = 0; i < p->lines.len; i++) {
        enum line_mode had = p->lines.data[i]->mode;
        if (p->lines.data[i]->n == n && (had == mode || (had == LINE_CHAIN && mode == LINE_BLOCK)))
            return p->lines.data[i];
    }
    struct fft_line *l = pool_alloc(&p->pool, sizeof *l);
    if (!l || !p->kernel->line_init(&p->pool, l, n, mode) || !vec_try_reserve(&p->lines, p->lines.len + 1)) {
        b->failed = true;
        return NULL;
    }
    p->lines.data[p->lines.len++] = l;
    return l;
}

static void loop_swap(struct axis *a, unsigned i, unsigned j)
{
    struct fft_loop t = a->loop[i];
    a->loop[i] = a->loop[j];
    a->loop[j] = t;
}

// How good a loop is for the lanes: neighbours in memory, on both sides if possible; then many lines.
static double loop_worth(const struct fft_loop *l, unsigned lanes)
{
    double filled = l->n >= lanes ? 1 : (double)l->n / lanes;
    return filled * (1 + (l->in == 2) + (l->out == 2)) + 1e-6 * (l->n > 1000 ? 1000 : (double)l->n);
}

// Loops of one turn go; loops that continue one another become one; the best one for the lanes comes first.
static void loops_tidy(struct axis *a, unsigned lanes)
{
    unsigned kept = 0;
    for (unsigned d = 0; d < a->loops; d++)
        if (a->loop[d].n != 1)
            a->loop[kept++] = a->loop[d];
    a->loops = kept;
    if (!kept)
        a->loop[a->loops++] = (struct fft_loop){1, 0, 0};
    for (unsigned i = 0; i < a->loops; i++)
        for (unsigned j = 0; j < a->loops; j++) {
            struct fft_loop *in = &a->loop[i], *over = &a->loop[j];
            if (i == j || over->in != in->in * (int64_t)in->n || over->out != in->out * (int64_t)in->n)
                continue;
            in->n *= over->n;
            loop_swap(a, j, --a->loops);
            i = 0, j = (unsigned)-1;
        }
    unsigned best = 0;
    for (unsigned d = 1; d < a->loops; d++)
        if (loop_worth(&a->loop[d], lanes) > loop_worth(&a->loop[best], lanes))
            best = d;
    loop_swap(a, 0, best);
}

static struct fft_phase phase_of(const struct axis *a)
{
    struct fft_phase ph = {
        .real = a->real, .flip = a->flip, .n = a->n, .in = a->in, .out = a->out, .loops = a->loops, .ready = a->ready};
    memcpy(ph.loop, a->loop, sizeof ph.loop);
    return ph;
}

static uint64_t complex_length(const struct axis *a)
{
    return a->real == REAL_FORWARD_EVEN || a->real == REAL_BACKWARD_EVEN ? a->n / 2 : a->n;
}

// --- tables ---

static const void *table_find(struct build *b, enum table_kind kind, uint64_t n, uint64_t m)
{
    struct fft_plan *p = b->plan;
    for (size_t i = 0; i < p->tables.len; i++)
        if (p->tables.data[i].kind == kind && p->tables.data[i].n == n && p->tables.data[i].m == m)
            return p->tables.data[i].data;
    return NULL;
}

static const void *table_add(struct build *b, enum table_kind kind, uint64_t n, uint64_t m, const void *data)
{
    struct fft_plan *p = b->plan;
    if (!data || !vec_try_reserve(&p->tables, p->tables.len + 1)) {
        b->failed = true;
        return NULL;
    }
    p->tables.data[p->tables.len++] = (struct fft_table){kind, n, m, data};
    return data;
}

static const void *real_table(struct build *b, const struct axis *a)
{
    if (a->real != REAL_FORWARD_EVEN && a->real != REAL_BACKWARD_EVEN)
        return NULL;
    const void *t = table_find(b, TABLE_REAL, a->n, 0);
    return t ? t : table_add(b, TABLE_REAL, a->n, 0, b->plan->kernel->roots(&b->plan->pool, a->n, a->n / 2 + 1));
}

static const struct roots *roots_add(struct build *b, uint64_t n)
{
    struct fft_plan *p = b->plan;
    for (size_t i = 0; i < p->roots.len; i++)
        if (p->roots.data[i]->n == n)
            return p->roots.data[i];
    struct roots *r = pool_alloc(&p->pool, sizeof *r);
    if (!r || !vec_try_reserve(&p->roots, p->roots.len + 1) || !roots_init(r, n)) {
        b->failed = true;
        return NULL;
    }
    p->roots.data[p->roots.len++] = r;
    return r;
}

// The factors of elements k < count in the lanes.
static const void *twist_table(struct build *b, const struct roots *whole, uint64_t count)
{
    const void *t = whole ? table_find(b, TABLE_TWIST, whole->n, count) : NULL;
    if (t || !whole)
        return t;
    return table_add(b, TABLE_TWIST, whole->n, count, b->plan->kernel->twist_lanes(&b->plan->pool, whole, count));
}

// --- phases that transform ---

static void transform_add(struct build *b, struct fft_phase *ph, enum phase_kind kind, enum line_mode mode, uint64_t m)
{
    const struct fft_kernel *k = b->plan->kernel;
    size_t vector = 2 * k->lanes * k->scalar;
    ph->kind = kind;
    ph->line = line_get(b, m, mode);
    if (!ph->line)
        return;
    size_t panels = 2 * (kind == PHASE_LANES ? m + 2 : m / k->lanes + 2) * vector;
    if (panels + ph->line->scratch > b->plan->scratch)
        b->plan->scratch = panels + ph->line->scratch;
    ph->parts = kind == PHASE_LANES ? (ph->loop[0].n + k->lanes - 1) / k->lanes : ph->loop[0].n;
    for (unsigned d = 1; d < ph->loops; d++)
        ph->parts *= ph->loop[d].n;
    phase_add(b, ph);
}

static void axis_whole(struct build *b, struct axis *a, enum phase_kind kind, enum line_mode mode)
{
    struct fft_phase ph = phase_of(a);
    ph.table = real_table(b, a);
    transform_add(b, &ph, kind, mode, complex_length(a));
}

// The longest line in lanes.
static uint64_t lanes_limit(const struct fft_kernel *k)
{
    return CACHE_BYTES / (2 * k->lanes * k->scalar);
}

static double first_factor(const struct fft_kernel *k, uint64_t n)
{
    double limit = (double)lanes_limit(k) / 2;
    int levels = 2;
    while (pow((double)n, 1.0 / levels) > limit)
        levels++;
    return pow((double)n, 1.0 / levels);
}

// Long complex lines of a smooth length. Element j of a line is (j / b, j % b); element k of its transform is k % a + a (k / a).
static void axis_cut(struct build *b, const struct axis *a)
{
    const struct fft_kernel *k = b->plan->kernel;
    uint64_t n = a->n, rows = number_split(n, first_factor(k, n), k->lanes), columns = n / rows, used = b->used;
    const struct roots *whole = roots_add(b, n);
    const void *lanes = twist_table(b, whole, rows);
    if (!lanes)
        return;
    // In place where the lines are already in the work area, and go elsewhere.
    bool stays = a->out.buffer == BUFFER_WORK && a->out.offset == a->in.offset;
    bool here = a->in.buffer == BUFFER_WORK && a->in.step == 2 && a->in.imag == 1 && !stays;
    struct fft_place between = {BUFFER_WORK, here ? a->in.offset : (int64_t)work_take(b, 2 * n * lines_of(a)), 2, 1, 0};
    struct axis first = *a, second = *a;
    first.n = rows;
    first.in.step = a->in.step * (int64_t)columns;
    first.out = between;
    first.out.step = 2 * (int64_t)columns;
    first.loops = second.loops = a->loops + 1;
    first.loop[0] = (struct fft_loop){columns, a->in.step, 2};
    second.n = columns;
    second.in = between;
    second.out.step = a->out.step * (int64_t)rows;
    second.loop[0] = (struct fft_loop){rows, 2 * (int64_t)columns, a->out.step};
    uint64_t lines = 1;
    for (unsigned d = 0; d < a->loops; d++) {
        int64_t apart = here ? a->loop[d].in : (int64_t)(2 * n * lines);
        first.loop[d + 1] = (struct fft_loop){a->loop[d].n, a->loop[d].in, apart};
        second.loop[d + 1] = (struct fft_loop){a->loop[d].n, apart, a->loop[d].out};
        lines *= a->loop[d].n;
    }
    struct fft_phase ph = phase_of(&first);
    ph.twist = whole;
    ph.twist_lanes = lanes;
    transform_add(b, &ph, PHASE_LANES, LINE_BLOCK, rows);
    axis_emit(b, &second);
    b->used = used;
}

// --- phases that move ---

static void move_emit(struct build *b, const struct axis *a, enum move_kind move, uint64_t span, const void *table)
{
    struct fft_phase ph = phase_of(a);
    if (move == MOVE_UNPACK || move == MOVE_PACK) {
        ph.twist = roots_add(b, a->n);
        ph.twist_lanes = twist_table(b, ph.twist, 2);
    }
    if (move == MOVE_FILL_CHIRP)
        ph.twist = roots_add(b, 2 * a->n);
    ph.kind = PHASE_MOVE;
    ph.move = move;
    ph.span = span;
    ph.table = table;
    ph.parts = lines_of(a) * ((span + MOVE_CHUNK - 1) / MOVE_CHUNK);
    phase_add(b, &ph);
}

void copy_emit(struct build *b, const struct axis *a, uint64_t span)
{
    move_emit(b, a, MOVE_COPY, span, NULL);
}

// The axis' lines, complex and of length m, in the work area: as output of `to`, as input of `from`, as both of `at`.
static void through_work(struct build *b, const struct axis *a, uint64_t m, struct axis *to, struct axis *at,
                         struct axis *from)
{
    *to = *at = *from = *a;
    struct fft_place z = {BUFFER_WORK, (int64_t)work_take(b, 2 * m * lines_of(a)), 2, 1, a->in.scalar};
    to->out = from->in = at->in = at->out = z;
    at->n = m;
    at->real = REAL_NONE;
    int64_t apart = 2 * (int64_t)m;
    for (unsigned d = 0; d < a->loops; d++) {
        to->loop[d].out = at->loop[d].in = at->loop[d].out = from->loop[d].in = apart;
        apart *= (int64_t)a->loop[d].n;
    }
}

static void axis_long_real(struct build *b, const struct axis *a)
{
    uint64_t used = b->used, half = a->n / 2, m = complex_length(a);
    struct axis to, at, from;
    through_work(b, a, m, &to, &at, &from);
    if (a->real == REAL_FORWARD_EVEN) {
        to.n = m;
        to.real = REAL_NONE;
        axis_emit(b, &to);
        move_emit(b, &from, MOVE_UNPACK, half + 1, NULL);
    } else if (a->real == REAL_BACKWARD_EVEN) {
        move_emit(b, &to, MOVE_PACK, half, NULL);
        from.n = m;
        from.real = REAL_NONE;
        axis_emit(b, &from);
    } else {
        bool forward = a->real == REAL_FORWARD_ODD;
        move_emit(b, &to, forward ? MOVE_REAL : MOVE_HERMITIAN, a->n, NULL);
        axis_emit(b, &at);
        copy_emit(b, &from, forward ? half + 1 : a->n);
    }
    b->used = used;
}

// Memory of the plan that its first execution fills.
static void *table_later(struct build *b, enum table_kind kind, uint64_t n, uint64_t m, uint64_t bytes)
{
    const void *had = table_find(b, kind, n, m);
    if (had)
        return (void *)had;
    void *t = pool_alloc(&b->plan->pool, bytes);
    if (t && kind == TABLE_READY)
        memset(t, 0, bytes);
    return (void *)table_add(b, kind, n, m, t);
}

static void axis_long_bluestein(struct build *b, const struct axis *a)
{
    uint64_t used = b->used, m = number_good_size(2 * a->n - 1), complex = 2 * b->plan->kernel->scalar;
    void *chirp = table_later(b, TABLE_CHIRP, a->n, 0, complex * a->n);
    void *filter = table_later(b, TABLE_FILTER, a->n, m, complex * m);
    unsigned *ready = table_later(b, TABLE_READY, a->n, m, sizeof *ready);
    if (b->failed)
        return;
    struct axis to, at, from;
    through_work(b, a, m, &to, &at, &from);
    // The tables, through the place of the first line.
    struct axis one = at;
    one.loops = 1;
    one.loop[0] = (struct fft_loop){1, 0, 0};
    one.flip = false;
    one.ready = ready;
    one.n = a->n;
    move_emit(b, &one, MOVE_FILL_CHIRP, a->n, chirp);
    move_emit(b, &one, MOVE_FILL_FILTER, m, chirp);
    one.n = m;
    axis_emit(b, &one);
    move_emit(b, &one, MOVE_KEEP, m, filter);
    // The convolution.
    move_emit(b, &to, MOVE_CHIRP_IN, m, chirp);
    if (!b->failed)
        b->variant->phases.data[b->variant->phases.len - 1].done = ready;
    axis_emit(b, &at);
    move_emit(b, &at, MOVE_FILTER, m, filter);
    at.flip = !at.flip;
    axis_emit(b, &at);
    move_emit(b, &from, MOVE_CHIRP_OUT, a->n, chirp);
    b->used = used;
}

// --- the choice ---

static bool place_contiguous(const struct fft_place *p)
{
    return p->step == 2 && p->imag == 1;
}

struct choice {
    bool fits;
    enum phase_kind kind;
    enum line_mode mode;
};

static struct choice choose_smooth(const struct fft_kernel *k, const struct axis *a, uint64_t m, uint64_t lines)
{
    struct choice lanes = {true, PHASE_LANES, LINE_BLOCK}, single = {true, PHASE_SINGLE, LINE_INNER}, cut = {0};
    bool rows = place_contiguous(&a->in) && place_contiguous(&a->out);
    bool lanes_fit = m <= lanes_limit(k), filled = a->loop[0].n >= k->lanes / 2;
    bool single_fits = 2 * m * k->scalar <= CACHE_BYTES / 2;
    bool few = m >= LONG_LINE && lines < FEW_LINES;
    if (m <= SHORT_LINE || (lanes_fit && filled && !rows))
        return lanes;
    return single_fits && !few ? single : cut;
}

static struct choice choose_bluestein(const struct fft_kernel *k, uint64_t m, uint64_t lines)
{
    uint64_t conv = number_good_size(2 * m - 1);
    if (conv <= lanes_limit(k) / 4 && (lines >= k->lanes / 2 || conv < 4 * (uint64_t)k->lanes * k->lanes))
        return (struct choice){true, PHASE_LANES, LINE_BLUE_LANES};
    return (struct choice){2 * conv * k->scalar <= CACHE_BYTES, PHASE_SINGLE, LINE_BLUE_SINGLE};
}

void axis_emit(struct build *b, const struct axis *given)
{
    struct axis a = *given;
    const struct fft_kernel *k = b->plan->kernel;
    if (b->failed)
        return;
    loops_tidy(&a, k->lanes);
    uint64_t m = complex_length(&a), lines = lines_of(&a);
    bool smooth = number_smooth(m);
    struct choice c = smooth ? choose_smooth(k, &a, m, lines) : choose_bluestein(k, m, lines);
    if (c.fits)
        axis_whole(b, &a, c.kind, c.mode);
    else if (a.real)
        axis_long_real(b, &a);
    else if (smooth)
        axis_cut(b, &a);
    else
        axis_long_bluestein(b, &a);
}
