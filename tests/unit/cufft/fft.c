// SPDX-License-Identifier: Apache-2.0
// The FFT engine with every kernel that this processor can run: all sizes up to some, and sizes of each shape of plan, against the
// definition in long double; ranks, layouts, batches and directions drawn at random against the definition axis by axis; long ones
// by identities. Errors are bounded by eps log2(n), relative to the norm.
#include "cufft/engine/engine.h"
#include "test.h"
#include <complex.h>
#include <math.h>
#include <string.h>

typedef long double real;
typedef long double _Complex number;

static uint64_t seed = 88172645463325252u;

static uint64_t draw(uint64_t below)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed % below;
}

static double draw_scalar(void)
{
    return (double)draw(1 << 20) / (1 << 19) - 1;
}

static char *area(size_t bytes)
{
    return aligned_alloc(64, (bytes + 127) / 64 * 64);
}

// --- the definition ---

// One axis of an array [outer][n][inner], by the sum; w has the n roots of unity.
static void dft_axis(number *x, size_t outer, size_t n, size_t inner, bool backward)
{
    number *w = malloc(n * sizeof *w), *line = malloc(n * sizeof *line);
    for (size_t k = 0; k < n; k++) {
        real a = 2 * acosl(-1) * (real)k / (real)n;
        w[k] = cosl(a) + (backward ? 1 : -1) * sinl(a) * (number)I;
    }
    for (size_t o = 0; o < outer * inner; o++) {
        number *p = x + o / inner * n * inner + o % inner;
        for (size_t k = 0; k < n; k++) {
            number sum = 0;
            for (size_t j = 0, at = 0; j < n; j++, at = at + k >= n ? at + k - n : at + k)
                sum += p[j * inner] * w[at];
            line[k] = sum;
        }
        for (size_t k = 0; k < n; k++)
            p[k * inner] = line[k];
    }
    free(w);
    free(line);
}

static void dft(number *x, const struct fft_desc *d, bool backward)
{
    size_t total = d->batch, outer = d->batch;
    for (int i = 0; i < d->rank; i++)
        total *= d->n[i];
    for (int i = 0; i < d->rank; i++) {
        dft_axis(x, outer, d->n[i], total / outer / d->n[i], backward);
        outer *= d->n[i];
    }
}

// --- memory as a description lays it out ---

struct sides {
    struct fft_layout l;
    bool pairs;
    uint64_t last; // elements of the last axis
};

static struct sides sides_of(const struct fft_desc *d, bool output, bool in_place)
{
    struct sides s = {.l = output ? d->out : d->in, .pairs = d->kind == FFT_C2C || (d->kind == FFT_R2C) == output};
    uint64_t n = d->n[d->rank - 1], half = n / 2 + 1;
    s.last = s.pairs && d->kind != FFT_C2C ? half : n;
    if (d->packed) {
        s.l.stride = 1;
        s.l.dist = (int64_t)(!s.pairs && in_place ? 2 * half : s.last);
        s.l.embed[d->rank - 1] = s.l.dist;
        for (int i = d->rank - 2; i >= 0; i--)
            s.l.dist *= s.l.embed[i] = (int64_t)d->n[i];
    }
    return s;
}

static size_t side_at(const struct fft_desc *d, const struct sides *s, uint64_t batch, const uint64_t at[3])
{
    int64_t i = 0;
    for (int r = 0; r < d->rank; r++)
        i = (r ? i * s->l.embed[r] : 0) + (int64_t)at[r];
    return (size_t)(i * s->l.stride + (int64_t)batch * s->l.dist);
}

static size_t side_elements(const struct fft_desc *d, const struct sides *s)
{
    uint64_t at[3] = {0};
    for (int r = 0; r < d->rank; r++)
        at[r] = (r == d->rank - 1 ? s->last : d->n[r]) - 1;
    return side_at(d, s, d->batch - 1, at) + 1;
}

static void put(const struct fft_desc *d, void *p, size_t i, double v)
{
    if (d->scalar == FFT_DOUBLE)
        ((double *)p)[i] = v;
    else
        ((float *)p)[i] = (float)v;
}

static double get(const struct fft_desc *d, const void *p, size_t i)
{
    return d->scalar == FFT_DOUBLE ? ((const double *)p)[i] : (double)((const float *)p)[i];
}

// Calls f for every element of the logical array, with its index there and its position.
#define FOR_ELEMENTS(d, s, index, place)                                                                               \
    for (uint64_t b_ = 0, index = 0; b_ < (d)->batch; b_++)                                                            \
        for (uint64_t i_ = 0; i_ < ((d)->rank > 2 ? (d)->n[0] : 1); i_++)                                              \
            for (uint64_t j_ = 0; j_ < ((d)->rank > 1 ? (d)->n[(d)->rank - 2] : 1); j_++)                              \
                for (uint64_t k_ = 0, place; k_ < (d)->n[(d)->rank - 1]; k_++, index++)                                \
                    if (place = side_at(d, s, b_,                                                                      \
                                        (d)->rank > 2   ? (uint64_t[3]){i_, j_, k_}                                    \
                                        : (d)->rank > 1 ? (uint64_t[3]){j_, k_}                                        \
                                                        : (uint64_t[3]){k_}),                                          \
                        k_ < (s)->last)

static size_t total_of(const struct fft_desc *d)
{
    size_t total = d->batch;
    for (int i = 0; i < d->rank; i++)
        total *= d->n[i];
    return total;
}

// --- one case ---

static double worst[2];

static void describe(const struct fft_desc *d, const struct fft_kernel *k, bool in_place, bool backward, double error)
{
    fprintf(stderr, "kind %d scalar %d lanes %u %s %s, batch %llu, size", d->kind, d->scalar, k->lanes,
            in_place ? "in place" : "out of place", backward ? "backward" : "forward", (unsigned long long)d->batch);
    for (int i = 0; i < d->rank; i++)
        fprintf(stderr, " %llu", (unsigned long long)d->n[i]);
    fprintf(stderr, ": %g\n", error);
}

// Parts from the last to the first, in runs of three: no order may matter.
static void run_parts(struct fft_plan *p, const struct fft_call *c, void *scratch)
{
    bool in_place = c->in == c->out;
    for (unsigned ph = 0; ph < fft_plan_phases(p, in_place); ph++)
        for (uint64_t left = fft_plan_parts(p, in_place, ph); left;) {
            uint64_t count = left < 3 ? left : 3;
            fft_plan_run(p, c, ph, left -= count, count, scratch);
        }
}

static bool run_case(const struct fft_desc *d, const struct fft_kernel *k, bool in_place, bool backward)
{
    enum { GUARD = 64 };
    if (d->kind != FFT_C2C)
        backward = d->kind == FFT_C2R;
    size_t scalar = d->scalar == FFT_DOUBLE ? 8 : 4, total = total_of(d);
    struct sides in = sides_of(d, false, in_place), out = sides_of(d, true, in_place);
    size_t in_scalars = side_elements(d, &in) * (in.pairs ? 2 : 1),
           out_scalars = side_elements(d, &out) * (out.pairs ? 2 : 1);
    size_t room = (in_scalars > out_scalars ? in_scalars : out_scalars) + 2 * GUARD;
    char *a = calloc(room, scalar), *b = in_place ? a : calloc(room, scalar), *before = calloc(room, scalar);
    number *x = calloc(total, sizeof *x);
    for (size_t i = 0; i < room; i++) {
        put(d, a, i, 7.5);
        put(d, b, i, 7.5);
    }
    // A spectrum that gives real numbers is made of real numbers.
    for (size_t i = 0; i < total; i++)
        x[i] = (float)draw_scalar() + (d->kind == FFT_C2C ? (float)draw_scalar() : 0) * (number)I;
    if (d->kind == FFT_C2R)
        dft(x, d, false);
    FOR_ELEMENTS(d, &in, i, at)
    {
        put(d, a, GUARD + at * (in.pairs ? 2 : 1), (double)creall(x[i]));
        if (in.pairs)
            put(d, a, GUARD + at * 2 + 1, (double)cimagl(x[i]));
    }
    memcpy(before, a, room * scalar);
    dft(x, d, backward);
    struct fft_plan *p = fft_plan_create_for(d, k);
    char *scratch = area(fft_plan_scratch(p)), *work = area(fft_plan_work(p));
    memset(scratch, 0xff, fft_plan_scratch(p));
    memset(work, 0xff, fft_plan_work(p));
    struct fft_call call = {a + GUARD * scalar, b + GUARD * scalar, work, backward};
    run_parts(p, &call, scratch);
    real error = 0, norm = 0;
    FOR_ELEMENTS(d, &out, i, at)
    {
        number got = get(d, b, GUARD + at * (out.pairs ? 2 : 1));
        if (out.pairs)
            got += get(d, b, GUARD + at * 2 + 1) * (number)I;
        number e = got - x[i];
        error += creall(e) * creall(e) + cimagl(e) * cimagl(e);
        norm += creall(x[i]) * creall(x[i]) + cimagl(x[i]) * cimagl(x[i]);
        // What was written is as before no more, for the comparison below.
        put(d, b, GUARD + at * (out.pairs ? 2 : 1), 7.5);
        if (out.pairs)
            put(d, b, GUARD + at * 2 + 1, 7.5);
    }
    double relative = norm ? (double)sqrtl(error / norm) : (double)sqrtl(error);
    double unit = (d->scalar == FFT_DOUBLE ? 0x1p-53 : 0x1p-24) * log2((double)total + 2);
    if (relative / unit > worst[d->scalar])
        worst[d->scalar] = relative / unit;
    bool good = relative < unit, kept = true;
    // Nothing else is written, and out of place nothing of the input.
    if (!in_place) {
        kept = !memcmp(a, before, room * scalar);
        for (size_t i = 0; i < room; i++)
            kept &= get(d, b, i) == 7.5;
    }
    for (size_t i = 0; i < GUARD; i++)
        kept &= get(d, b, i) == 7.5 && get(d, b, room - 1 - i) == 7.5;
    if (!good || !kept)
        describe(d, k, in_place, backward, kept ? relative : -1);
    fft_plan_destroy(p);
    free(scratch);
    free(work);
    free(x);
    free(before);
    if (!in_place)
        free(b);
    free(a);
    return good && kept;
}

static void all_kinds(struct fft_desc *d, const struct fft_kernel *k)
{
    d->scalar = k->scalar == 8 ? FFT_DOUBLE : FFT_FLOAT;
    for (int kind = FFT_C2C; kind <= FFT_C2R; kind++)
        for (int in_place = 0; in_place < 2; in_place++) {
            d->kind = (enum fft_kind)kind;
            CHECK(run_case(d, k, in_place, false));
            if (kind == FFT_C2C)
                CHECK(run_case(d, k, in_place, true));
        }
}

static void test_sizes(const struct fft_kernel *k, unsigned upto)
{
    static const uint64_t sizes[] = {128,  144,  169,  180,  210,  221,  240,  250,  256, 263, 300,
                                     343,  400,  441,  512,  521,  600,  625,  640,  720, 729, 997,
                                     1000, 1001, 1024, 1155, 1331, 1536, 1681, 2048, 2053};
    for (uint64_t n = 1; n <= upto; n++)
        if (test_takes(n, 1, 4))
            all_kinds(&(struct fft_desc){.rank = 1, .n = {n}, .batch = 1 + n % 4 * 6, .packed = true}, k);
    for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (test_takes(i, 0, 13) && (upto > 50 || i % 4 == k->lanes / 2 % 4))
            all_kinds(
                &(struct fft_desc){
                    .rank = 1, .n = {sizes[i]}, .batch = sizes[i] > 1100 ? 1 : 1 + i % 3, .packed = true},
                k);
}

static struct fft_layout draw_layout(const struct fft_desc *d, const struct sides *packed)
{
    struct fft_layout l = {.stride = 1 + (int64_t)draw(3)};
    int64_t size = l.stride;
    for (int i = 0; i < d->rank; i++) {
        l.embed[i] = (int64_t)(i == d->rank - 1 ? packed->last : d->n[i]) + (int64_t)draw(3);
        size *= l.embed[i];
    }
    // One batch after another, or all of them interleaved.
    if (draw(2)) {
        l.dist = size + (int64_t)draw(5);
    } else {
        l.dist = 1;
        l.stride = (int64_t)d->batch;
    }
    return l;
}

static void test_layouts(const struct fft_kernel *k, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        struct fft_desc d = {.rank = 1 + (int)draw(3), .batch = 1 + draw(5)};
        for (int r = 0; r < d.rank; r++)
            d.n[r] = 1 + draw(d.rank == 1 ? 700 : d.rank == 2 ? 40 : 14);
        d.kind = (enum fft_kind)draw(3);
        d.scalar = k->scalar == 8 ? FFT_DOUBLE : FFT_FLOAT;
        d.packed = true;
        struct sides in = sides_of(&d, false, false), out = sides_of(&d, true, false);
        d.packed = draw(3) == 0;
        d.in = draw_layout(&d, &in);
        d.out = draw_layout(&d, &out);
        CHECK(run_case(&d, k, false, draw(2)));
        CHECK(run_case(&d, k, true, draw(2)));
    }
}

// --- long lines: an impulse at j gives the powers of one root; a round trip gives n times what was there ---

static void test_long(const struct fft_kernel *k, uint64_t n, uint64_t batch, enum fft_kind kind)
{
    bool is_double = k->scalar == 8;
    size_t scalars = 2 * (n + 2) * batch;
    enum fft_scalar s = is_double ? FFT_DOUBLE : FFT_FLOAT;
    struct fft_desc d = {.kind = kind, .scalar = s, .rank = 1, .n = {n}, .batch = batch, .packed = true}, back = d;
    back.kind = kind == FFT_C2C ? FFT_C2C : FFT_C2R;
    struct fft_plan *p = fft_plan_create_for(&d, k), *q = fft_plan_create_for(&back, k);
    size_t scratch = fft_plan_scratch(p) > fft_plan_scratch(q) ? fft_plan_scratch(p) : fft_plan_scratch(q);
    size_t work = fft_plan_work(p) > fft_plan_work(q) ? fft_plan_work(p) : fft_plan_work(q);
    char *sc = area(scratch), *wk = area(work);
    void *a = calloc(scalars, k->scalar), *b = calloc(scalars, k->scalar), *c = calloc(scalars, k->scalar);
    uint64_t at = draw(n), per = kind == FFT_C2C ? 2 : 1, out = kind == FFT_C2C ? n : n / 2 + 1;
    put(&d, a, (batch - 1) * n * per + at * per, 1);
    run_parts(p, &(struct fft_call){a, b, wk, false}, sc);
    double unit = (is_double ? 0x1p-53 : 0x1p-24) * log2((double)n), error = 0, norm = 0;
    for (uint64_t i = 0; i < out; i++) {
        double re, im, gr = get(&d, b, 2 * ((batch - 1) * out + i)), gi = get(&d, b, 2 * ((batch - 1) * out + i) + 1);
        root_of_unity((uint64_t)((unsigned __int128)i * at % n), n, &re, &im);
        error += (gr - re) * (gr - re) + (gi - im) * (gi - im);
    }
    CHECK(sqrt(error / (double)out) < unit);
    for (uint64_t i = 0; i < n * per * batch; i++)
        put(&d, a, i, draw_scalar());
    run_parts(p, &(struct fft_call){a, b, wk, false}, sc);
    run_parts(q, &(struct fft_call){b, kind == FFT_R2C ? c : b, wk, true}, sc);
    void *r = kind == FFT_R2C ? c : b;
    error = 0;
    for (uint64_t i = 0; i < n * per * batch; i++) {
        double e = get(&d, r, i) / (double)n - get(&d, a, i);
        error += e * e;
        norm += get(&d, a, i) * get(&d, a, i);
    }
    CHECK(sqrt(error / norm) < 2 * unit);
    if (sqrt(error / norm) >= 2 * unit)
        describe(&d, k, false, false, sqrt(error / norm));
    fft_plan_destroy(p);
    fft_plan_destroy(q);
    free(sc), free(wk), free(a), free(b), free(c);
}

// One line with infinities and NaN leaves its neighbours alone.
static void test_neighbours(const struct fft_kernel *k)
{
    for (uint64_t n = 30; n < 300; n += 67) {
        struct fft_desc d = {.kind = FFT_R2C,
                             .scalar = k->scalar == 8 ? FFT_DOUBLE : FFT_FLOAT,
                             .rank = 1,
                             .n = {n},
                             .batch = 2,
                             .packed = true};
        struct fft_plan *p = fft_plan_create_for(&d, k);
        char *sc = area(fft_plan_scratch(p));
        void *a = calloc(2 * n, k->scalar), *b = calloc(4 * n, k->scalar);
        put(&d, a, 3, NAN);
        put(&d, a, n, 1e-30);
        run_parts(p, &(struct fft_call){a, b, sc, false}, sc);
        bool good = isnan(get(&d, b, 4));
        for (uint64_t i = 0; i <= n / 2; i++)
            good &= fabs(get(&d, b, 2 * (n / 2 + 1 + i)) - 1e-30) < 1e-35;
        CHECK(good);
        fft_plan_destroy(p);
        free(sc), free(a), free(b);
    }
}

// Halves: exact for an impulse, and every value there and back.
static void test_half(enum fft_scalar s)
{
    struct fft_desc d = {.kind = FFT_C2C, .scalar = s, .rank = 1, .n = {1}, .batch = 65536, .packed = true};
    struct fft_plan *p = fft_plan_create(&d);
    uint16_t *a = calloc(65536 * 2, 2), *b = calloc(65536 * 2, 2);
    char *sc = area(fft_plan_scratch(p)), *wk = area(fft_plan_work(p));
    for (unsigned i = 0; i < 65536; i++)
        a[2 * i] = a[2 * i + 1] = (uint16_t)i;
    run_parts(p, &(struct fft_call){a, b, wk, false}, sc);
    bool same = true;
    unsigned infinity = s == FFT_HALF ? 0x7c00 : 0x7f80;
    for (unsigned i = 0; i < 65536; i++)
        same &= (i & 0x7fff) > infinity ? (b[2 * i] & 0x7fff) > infinity : b[2 * i] == i && b[2 * i + 1] == i;
    CHECK(same);
    fft_plan_destroy(p);
    // Four equal numbers: the sum is rounded to nearest even, once.
    d.n[0] = 4, d.batch = 1;
    p = fft_plan_create(&d);
    free(sc), free(wk);
    sc = area(fft_plan_scratch(p)), wk = area(fft_plan_work(p));
    memset(a, 0, 16);
    a[0] = s == FFT_HALF ? 0x3c00 : 0x3f80; // 1
    a[2] = s == FFT_HALF ? 0x1000 : 0x3b80; // 2^-11 and 2^-8: half of the last place
    run_parts(p, &(struct fft_call){a, b, wk, false}, sc);
    CHECK(b[0] == a[0]);
    a[4] = s == FFT_HALF ? 0x0010 : 0x3580; // 2^-20
    run_parts(p, &(struct fft_call){a, a, wk, false}, sc);
    CHECK(a[0] == (s == FFT_HALF ? 0x3c01 : 0x3f81));
    fft_plan_destroy(p);
    free(a), free(b), free(sc), free(wk);
}

static void test_kernel(const struct fft_kernel *k, bool best)
{
    bool brief = getenv("HEDDLE_TEST_BRIEF"); // an emulator's long double is slow
    test_sizes(k, brief ? 20 : best ? 70 : 40);
    test_layouts(k, brief ? 8 : best ? 150 : 60);
    test_neighbours(k);
    static const uint64_t longs[] = {4096, 10007, 16384, 32768, 46189, 65536, 100000, 65537, 131071, 262144};
    for (unsigned i = 0; i < (best ? sizeof longs / sizeof *longs : 5); i++)
        for (int kind = FFT_C2C; kind <= FFT_R2C; kind++)
            if (test_takes(i, 1, 10))
                test_long(k, longs[i], 1 + i % 3, (enum fft_kind)kind);
    if (best && !brief) {
        test_long(k, 10007, 20, FFT_C2C);
        test_long(k, 32768, 20, FFT_R2C);
    }
}

int main(void)
{
    for (int is_double = 0; is_double < 2; is_double++) {
        const struct fft_kernel *best = fft_kernel_choose(is_double),
                                *plain = is_double ? &fft_plain_double : &fft_plain_float;
        test_kernel(best, true);
        if (best != plain)
            test_kernel(plain, false);
#ifdef __x86_64__
        const struct fft_kernel *avx2 = is_double ? &fft_avx2_double : &fft_avx2_float;
        if (best != avx2 && best != plain)
            test_kernel(avx2, false);
#endif
    }
    test_half(FFT_HALF);
    test_half(FFT_BFLOAT);
    printf("largest error in units of eps log2(n): %.2f float, %.2f double\n", worst[0], worst[1]);
    return test_summary();
}
