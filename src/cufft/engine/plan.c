// SPDX-License-Identifier: Apache-2.0
// Plans: the axes of a transform one after another, the last one first, since that is the real one and the contiguous one. Backwards
// to real numbers it is the last one.
#include "cufft/engine/plan.h"
#include <math.h>
#include <string.h>

// --- layouts ---

// One side in scalars.
struct side {
    int buffer;
    int64_t offset, axis[FFT_MAX_RANK], batch;
    bool complex;
    enum fft_scalar scalar;
};

static uint64_t last_count(const struct fft_desc *d, bool complex_side)
{
    uint64_t n = d->n[d->rank - 1];
    return complex_side && d->kind != FFT_C2C ? n / 2 + 1 : n;
}

// Lines one after another; real ones padded to the length of complex ones, if wanted.
static struct side side_packed(const struct fft_desc *d, int buffer, bool complex, bool padded)
{
    struct side s = {.buffer = buffer, .complex = complex, .scalar = d->scalar};
    int64_t apart = complex ? 2 : 1;
    s.axis[d->rank - 1] = apart;
    apart *= (int64_t)last_count(d, complex);
    if (padded && !complex)
        apart = 2 * (int64_t)last_count(d, true);
    for (int i = d->rank - 2; i >= 0; i--) {
        s.axis[i] = apart;
        apart *= (int64_t)d->n[i];
    }
    s.batch = apart;
    return s;
}

static struct side side_given(const struct fft_desc *d, const struct fft_layout *l, int buffer, bool complex)
{
    struct side s = {.buffer = buffer, .complex = complex, .scalar = d->scalar};
    int64_t apart = l->stride * (complex ? 2 : 1);
    for (int i = d->rank - 1; i >= 0; i--) {
        s.axis[i] = apart;
        apart *= l->embed[i];
    }
    s.batch = l->dist * (complex ? 2 : 1);
    return s;
}

// Whether a line has the same place on both sides, so that it can be replaced while others are still to be read.
static bool same_places(const struct fft_desc *d, const struct side *in, const struct side *out)
{
    bool real = d->kind != FFT_C2C;
    const struct side *r = in->complex ? out : in, *c = in->complex ? in : out;
    int last = d->rank - 1;
    bool single = true;
    for (int i = 0; i < last; i++) {
        if (d->n[i] > 1 && in->axis[i] != out->axis[i])
            return false;
        single &= d->n[i] == 1;
    }
    if (d->batch > 1 && in->batch != out->batch)
        return false;
    if (single && d->batch == 1)
        return true;
    return real ? 2 * r->axis[last] == c->axis[last] : in->axis[last] == out->axis[last];
}

// --- axes ---

static struct fft_place place_of(const struct side *s, int axis)
{
    return (struct fft_place){s->buffer, s->offset, s->axis[axis], s->complex ? 1 : 0, s->scalar};
}

// The loops around one axis. `complex`: whether the last axis has the complex side's count.
static struct axis axis_of(const struct fft_desc *d, const struct side *in, const struct side *out, int axis,
                           bool complex)
{
    struct axis a = {.n = d->n[axis], .in = place_of(in, axis), .out = place_of(out, axis)};
    for (int i = d->rank - 1; i >= 0; i--)
        if (i != axis)
            a.loop[a.loops++] =
                (struct fft_loop){i == d->rank - 1 ? last_count(d, complex) : d->n[i], in->axis[i], out->axis[i]};
    a.loop[a.loops++] = (struct fft_loop){d->batch, in->batch, out->batch};
    return a;
}

// Pairs of real numbers are complex ones.
static void place_pairs(struct fft_place *p)
{
    p->imag = p->step;
    p->step *= 2;
}

static void emit_last(struct build *b, const struct side *in, const struct side *out)
{
    const struct fft_desc *d = &b->plan->desc;
    struct axis a = axis_of(d, in, out, d->rank - 1, true);
    bool even = a.n % 2 == 0;
    if (d->kind == FFT_R2C)
        a.real = even ? REAL_FORWARD_EVEN : REAL_FORWARD_ODD;
    if (d->kind == FFT_C2R)
        a.real = even ? REAL_BACKWARD_EVEN : REAL_BACKWARD_ODD;
    if (a.real && even)
        place_pairs(in->complex ? &a.out : &a.in);
    axis_emit(b, &a);
}

static void emit_others(struct build *b, const struct side *in, const struct side *out)
{
    const struct fft_desc *d = &b->plan->desc;
    for (int i = d->rank - 2; i >= 0; i--) {
        struct axis a = axis_of(d, i == d->rank - 2 ? in : out, out, i, true);
        axis_emit(b, &a);
    }
}

static void emit_transform(struct build *b, const struct side *in, const struct side *out)
{
    const struct fft_desc *d = &b->plan->desc;
    if (d->kind != FFT_C2R) {
        emit_last(b, in, out);
        emit_others(b, out, out);
        return;
    }
    struct side between = *in;
    if (d->rank > 1 && in->buffer != out->buffer) {
        between = side_packed(d, BUFFER_WORK, true, false);
        between.offset = (int64_t)work_take(b, (uint64_t)between.batch * d->batch);
    }
    emit_others(b, in, &between);
    emit_last(b, &between, out);
}

// All elements of one side to the other.
static void emit_copy(struct build *b, const struct side *in, const struct side *out)
{
    const struct fft_desc *d = &b->plan->desc;
    struct axis a = axis_of(d, in, out, d->rank - 1, true);
    copy_emit(b, &a, last_count(d, in->complex));
}

static void build_variant(struct build *b, bool in_place)
{
    const struct fft_desc *d = &b->plan->desc;
    bool in_complex = d->kind != FFT_R2C, out_complex = d->kind != FFT_C2R;
    int out_buffer = in_place ? BUFFER_IN : BUFFER_OUT;
    struct side in =
        d->packed ? side_packed(d, BUFFER_IN, in_complex, in_place) : side_given(d, &d->in, BUFFER_IN, in_complex);
    struct side out =
        d->packed ? side_packed(d, out_buffer, out_complex, in_place) : side_given(d, &d->out, out_buffer, out_complex);
    bool native = d->scalar == FFT_FLOAT || d->scalar == FFT_DOUBLE;
    if (native && (!in_place || same_places(d, &in, &out))) {
        emit_transform(b, &in, &out);
        return;
    }
    // Through the work area, as floats or doubles, packed as in place.
    struct side from = side_packed(d, BUFFER_WORK, in_complex, true),
                to = side_packed(d, BUFFER_WORK, out_complex, true);
    int64_t size = from.batch > to.batch ? from.batch : to.batch;
    from.offset = to.offset = (int64_t)work_take(b, (uint64_t)size * d->batch);
    from.scalar = to.scalar = native ? d->scalar : FFT_FLOAT;
    emit_copy(b, &in, &from);
    emit_transform(b, &from, &to);
    emit_copy(b, &to, &out);
}

struct fft_plan *fft_plan_create(const struct fft_desc *d)
{
    return fft_plan_create_for(d, fft_kernel_choose(d->scalar == FFT_DOUBLE));
}

struct fft_plan *fft_plan_create_for(const struct fft_desc *d, const struct fft_kernel *k)
{
    struct fft_plan *p = calloc(1, sizeof *p);
    if (!p)
        return NULL;
    p->desc = *d;
    p->kernel = k;
    for (int v = 0; v < 2; v++) {
        struct build b = {.plan = p, .variant = &p->variant[v]};
        build_variant(&b, v);
        if (b.failed) {
            fft_plan_destroy(p);
            return NULL;
        }
    }
    return p;
}

void fft_plan_destroy(struct fft_plan *p)
{
    if (!p)
        return;
    for (size_t i = 0; i < p->roots.len; i++)
        roots_fini(p->roots.data[i]);
    vec_free(&p->roots);
    vec_free(&p->tables);
    vec_free(&p->lines);
    for (int v = 0; v < 2; v++)
        vec_free(&p->variant[v].phases);
    pool_fini(&p->pool);
    free(p);
}

// --- running ---

size_t fft_plan_work(const struct fft_plan *p)
{
    return p->work * p->kernel->scalar;
}

size_t fft_plan_scratch(const struct fft_plan *p)
{
    return p->scratch;
}

unsigned fft_plan_phases(const struct fft_plan *p, bool in_place)
{
    return (unsigned)p->variant[in_place].phases.len;
}

uint64_t fft_plan_parts(const struct fft_plan *p, bool in_place, unsigned phase)
{
    return p->variant[in_place].phases.data[phase].parts;
}

double fft_plan_part_operations(const struct fft_plan *p, bool in_place, unsigned phase)
{
    const struct fft_phase *ph = &p->variant[in_place].phases.data[phase];
    if (ph->kind == PHASE_MOVE)
        return 8.0 * (double)(ph->span < MOVE_CHUNK ? ph->span : MOVE_CHUNK);
    const struct fft_line *l = ph->line;
    double n = (double)l->n, m = l->conv ? (double)l->conv->n : 0;
    double operations = l->conv ? 10 * m * log2(m) + 20 * m : 5 * n * log2(n) + 4 * n;
    return ph->kind == PHASE_LANES ? operations * p->kernel->lanes : operations;
}

void fft_plan_run(const struct fft_plan *p, const struct fft_call *c, unsigned phase, uint64_t first, uint64_t count,
                  void *scratch)
{
    const struct fft_phase *ph = &p->variant[c->in == c->out].phases.data[phase];
    char *const buffer[3] = {c->in, c->out, c->work};
    bool backward = p->desc.kind == FFT_C2R || (p->desc.kind == FFT_C2C && c->backward);
    if (ph->kind == PHASE_MOVE && ph->move == MOVE_COPY)
        fft_copy_run(ph, buffer, first, count);
    else
        p->kernel->run(ph, buffer, backward, first, count, scratch);
}

void fft_plan_run_all(const struct fft_plan *p, const struct fft_call *c, void *scratch)
{
    for (unsigned i = 0; i < fft_plan_phases(p, c->in == c->out); i++)
        fft_plan_run(p, c, i, 0, fft_plan_parts(p, c->in == c->out, i), scratch);
}
