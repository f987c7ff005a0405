// SPDX-License-Identifier: Apache-2.0
// What is known of an image as a whole: sums, means, norms, extremes, errors. Each is up to five values of each pixel that are added up, or of which the
// greatest is kept; a first grid leaves them for each part in the program's buffer, and a second one joins the parts in their order and finishes.
//
// In a part a value has twelve places, number k of a row going to place k % 12: a channel's numbers are always in the same places, whether there are one, two, three or
// four, and a loop over the places is vector code.
#include "npp/statistics.h"
#include "npp/body.h"
#include "npp/kernel/move.h"
#include <math.h>
#include <string.h>

enum { PLACES = 12, MOST = NPP_STAT_VALUES };

// ---- the values of a chunk
struct values {
    double v[MOST][NPP_CHUNK];
};
static unsigned value_count(enum npp_statistic s)
{
    switch (s) {
    case STAT_MEAN_DEVIATION:
    case STAT_DEVIATION:
    case STAT_MIN_MAX:
    case STAT_REL_INF:
    case STAT_REL_L1:
    case STAT_REL_L2:
        return 2;
    case STAT_QUALITY:
        return 5;
    default:
        return 1;
    }
}
static bool keeps_greatest(enum npp_statistic s)
{
    switch (s) {
    case STAT_MIN:
    case STAT_MAX:
    case STAT_MIN_MAX:
    case STAT_MIN_ABS:
    case STAT_NORM_INF:
    case STAT_DIFF_INF:
    case STAT_REL_INF:
    case STAT_ERROR_MAX:
    case STAT_RELATIVE_MAX:
        return true;
    default:
        return false;
    }
}
static double relative(double a, double b)
{
    double most = fmax(fabs(a), fabs(b));
    return most > 0 ? fabs(a - b) / most : 0;
}
// The least is the greatest of the opposite.
#define EACH(expression)                                                                                               \
    for (size_t k = 0; k < n; k++)                                                                                     \
    expression
static void values_single(enum npp_statistic s, const double *a, struct values *o, size_t n)
{
    switch (s) {
    case STAT_SUM:
    case STAT_MEAN:
    case STAT_MAX:
        EACH(o->v[0][k] = a[k]);
        break;
    case STAT_MIN:
        EACH(o->v[0][k] = -a[k]);
        break;
    case STAT_MIN_ABS:
        EACH(o->v[0][k] = -fabs(a[k]));
        break;
    case STAT_NORM_INF:
    case STAT_NORM_L1:
        EACH(o->v[0][k] = fabs(a[k]));
        break;
    case STAT_NORM_L2:
    case STAT_NORM_L2_SQUARE:
        EACH(o->v[0][k] = a[k] * a[k]);
        break;
    case STAT_SUM_LN:
        EACH(o->v[0][k] = log(a[k]));
        break;
    case STAT_MIN_MAX:
        EACH(o->v[0][k] = -a[k]);
        EACH(o->v[1][k] = a[k]);
        break;
    default: // sums and squares
        EACH(o->v[0][k] = a[k]);
        EACH(o->v[1][k] = a[k] * a[k]);
    }
}
static void values_pair(enum npp_statistic s, const double *a, const double *b, struct values *o, size_t n)
{
    switch (s) {
    case STAT_DIFF_INF:
    case STAT_DIFF_L1:
    case STAT_ERROR_MAX:
    case STAT_ERROR_MEAN:
        EACH(o->v[0][k] = fabs(a[k] - b[k]));
        break;
    case STAT_DIFF_L2:
    case STAT_DIFF_L2_SQUARE:
    case STAT_MSE:
    case STAT_PSNR:
        EACH(o->v[0][k] = (a[k] - b[k]) * (a[k] - b[k]));
        break;
    case STAT_REL_INF:
    case STAT_REL_L1:
        EACH(o->v[0][k] = fabs(a[k] - b[k]));
        EACH(o->v[1][k] = fabs(b[k]));
        break;
    case STAT_REL_L2:
        EACH(o->v[0][k] = (a[k] - b[k]) * (a[k] - b[k]));
        EACH(o->v[1][k] = b[k] * b[k]);
        break;
    case STAT_DOT:
        EACH(o->v[0][k] = a[k] * b[k]);
        break;
    case STAT_RELATIVE_MAX:
    case STAT_RELATIVE_MEAN:
        EACH(o->v[0][k] = relative(a[k], b[k]));
        break;
    default:
        EACH(o->v[0][k] = a[k]);
        EACH(o->v[1][k] = b[k]);
        EACH(o->v[2][k] = a[k] * a[k]);
        EACH(o->v[3][k] = b[k] * b[k]);
        EACH(o->v[4][k] = a[k] * b[k]);
    }
}

// Complex numbers: the magnitudes of the numbers and of their difference, as if the second were 0.
static void load(const struct npp_job *j, unsigned which, int y, size_t i, double *to, size_t n)
{
    double pair[2 * NPP_CHUNK];
    const void *from = npp_at(&j->c.src[which], y, i * npp_size(j->form.s));
    if (!npp_is_complex(j->form.s)) {
        npp_load(j->form.s, from, to, n);
        return;
    }
    npp_load(npp_component(j->form.s), from, pair, 2 * n);
    for (size_t k = 0; k < n; k++)
        to[k] = hypot(pair[2 * k], pair[2 * k + 1]);
}
static void load_difference(const struct npp_job *j, int y, size_t i, double *a, double *b, size_t n)
{
    double p[2 * NPP_CHUNK], q[2 * NPP_CHUNK];
    size_t at = i * npp_size(j->form.s);
    bool relative_error = j->list[0] == STAT_RELATIVE_MAX || j->list[0] == STAT_RELATIVE_MEAN;
    load(j, 0, y, i, a, n);
    load(j, 1, y, i, b, n);
    if (!npp_is_complex(j->form.s))
        return;
    npp_load(npp_component(j->form.s), npp_at(&j->c.src[0], y, at), p, 2 * n);
    npp_load(npp_component(j->form.s), npp_at(&j->c.src[1], y, at), q, 2 * n);
    for (size_t k = 0; k < n; k++) {
        double distance = hypot(p[2 * k] - q[2 * k], p[2 * k + 1] - q[2 * k + 1]), most = fmax(a[k], b[k]);
        a[k] = relative_error && most > 0 ? distance / most : distance;
        b[k] = 0;
    }
}

// ---- a part
static void gather(double *place, const double *v, size_t n, bool greatest)
{
    size_t k = 0;
    if (greatest)
        for (; k + PLACES <= n; k += PLACES)
            for (size_t l = 0; l < PLACES; l++)
                place[l] = v[k + l] > place[l] ? v[k + l] : place[l];
    else
        for (; k + PLACES <= n; k += PLACES)
            for (size_t l = 0; l < PLACES; l++)
                place[l] += v[k + l];
    for (; k < n; k++)
        place[k % PLACES] = greatest ? fmax(v[k], place[k % PLACES]) : place[k % PLACES] + v[k];
}
static void hide(const struct npp_job *j, int y, size_t i, struct values *o, unsigned count, size_t n, double nothing)
{
    const uint8_t *mask = npp_at(&j->c.mask, y, 0);
    for (size_t k = 0; k < n; k++)
        if (!mask[(i + k) / j->form.channels])
            for (unsigned m = 0; m < count; m++)
                o->v[m][k] = nothing;
}
static void count_range(const struct npp_job *j, const double *a, double *v, size_t n)
{
    for (size_t k = 0; k < n; k++)
        v[k] = a[k] >= j->number[k % j->form.channels] && a[k] <= j->number[4 + k % j->form.channels];
}
static void run_gather(const void *block, uint64_t part)
{
    const struct npp_job *j = block;
    enum npp_statistic s = (enum npp_statistic)j->list[0];
    unsigned count = value_count(s);
    bool greatest = keeps_greatest(s), pair = j->c.src[1].data != NULL;
    double place[MOST][PLACES], a[NPP_CHUNK], b[NPP_CHUNK], nothing = greatest ? -HUGE_VAL : 0;
    struct values o;
    int from, to;
    for (unsigned m = 0; m < MOST; m++)
        for (unsigned l = 0; l < PLACES; l++)
            place[m][l] = nothing;
    npp_part(j, part, &from, &to);
    for (int y = from; y < to; y++)
        for (size_t i = 0, all = npp_numbers(j, y); i < all; i += NPP_CHUNK) {
            size_t n = all - i < NPP_CHUNK ? all - i : NPP_CHUNK;
            if (pair)
                load_difference(j, y, i, a, b, n);
            else
                load(j, 0, y, i, a, n);
            if (s == STAT_COUNT)
                count_range(j, a, o.v[0], n);
            else if (pair)
                values_pair(s, a, b, &o, n);
            else
                values_single(s, a, &o, n);
            if (j->form.masked)
                hide(j, y, i, &o, count, n, nothing);
            for (unsigned m = 0; m < count; m++)
                gather(place[m], o.v[m], n, greatest);
        }
    double *out = (double *)j->scratch + part * 4 * MOST;
    for (unsigned m = 0; m < MOST; m++)
        for (unsigned k = 0; k < 4; k++)
            out[m * 4 + k] = nothing;
    for (unsigned m = 0; m < count; m++)
        for (unsigned l = 0; l < PLACES; l++) {
            double *to_join = &out[m * 4 + l % j->form.channels];
            *to_join = greatest ? fmax(*to_join, place[m][l]) : *to_join + place[m][l];
        }
}
static struct library_kernel gather_kernel = LIBRARY_KERNEL("npp_statistics", run_gather, struct npp_job);

// ---- the end
static double quality(const double *v, double n)
{
    double x = v[0] / n, y = v[1] / n, xx = (v[2] - n * x * x) / (n - 1), yy = (v[3] - n * y * y) / (n - 1),
           xy = (v[4] - n * x * y) / (n - 1);
    return 4 * xy * x * y / ((xx + yy) * (x * x + y * y));
}
static double deviation(const double *v, double n)
{
    double mean = v[0] / n, square = v[1] / n - mean * mean;
    return square > 0 ? sqrt(square) : 0;
}
static double finish(enum npp_statistic s, const double *v, double n)
{
    switch (s) {
    case STAT_MEAN:
    case STAT_ERROR_MEAN:
    case STAT_RELATIVE_MEAN:
    case STAT_MSE:
        return n > 0 ? v[0] / n : 0;
    case STAT_MEAN_DEVIATION:
        return n > 0 ? v[0] / n : 0;
    case STAT_DEVIATION:
        return n > 1 ? deviation(v, n) * sqrt(n / (n - 1)) : 0;
    case STAT_MIN:
    case STAT_MIN_MAX:
    case STAT_MIN_ABS:
        return -v[0];
    case STAT_NORM_L2:
    case STAT_DIFF_L2:
        return sqrt(v[0]);
    case STAT_REL_INF:
    case STAT_REL_L1:
        return v[0] / v[1];
    case STAT_REL_L2:
        return sqrt(v[0]) / sqrt(v[1]);
    case STAT_QUALITY:
        return quality(v, n);
    case STAT_PSNR:
        return 10 * log10(255.0 * 255.0 / (v[0] / n));
    default:
        return v[0];
    }
}
static void put(const struct npp_job *j, unsigned which, unsigned k, double v)
{
    static const enum npp_type types[] = {NT_64f, NT_none, NT_none, NT_32f, NT_32s};
    int how = j->list[1] >> 8;
    enum npp_type t = how == RESULT_S >> 8 ? j->form.s : how == RESULT_D >> 8 ? j->form.d : types[how];
    v = ldexp(v, -j->c.scale);
    npp_save(t, &v, (char *)j->c.out[which] + k * npp_size(t), 1);
}
// The number of pixels, or of those that the mask shows.
static double pixels(const struct npp_job *j)
{
    double n = (double)j->c.size.width * j->c.size.height;
    if (j->c.length)
        return (double)j->c.length;
    if (!j->form.masked)
        return n;
    n = 0;
    for (int y = 0; y < j->c.size.height; y++) {
        const uint8_t *mask = npp_at(&j->c.mask, y, 0);
        size_t row = 0;
        for (int x = 0; x < j->c.size.width; x++)
            row += mask[x] != 0;
        n += (double)row;
    }
    return n;
}
static void run_finish(const void *block, uint64_t part)
{
    const struct npp_job *j = block;
    enum npp_statistic s = (enum npp_statistic)j->list[0];
    const double *parts = j->scratch;
    bool greatest = keeps_greatest(s);
    unsigned first = j->form.coi ? (unsigned)j->c.coi - 1 : 0, used = j->form.coi ? 1 : npp_used(&j->form);
    double n = pixels(j), all = 0;
    (void)part;
    for (unsigned k = 0; k < used; k++) {
        double v[MOST];
        for (unsigned m = 0; m < MOST; m++) {
            v[m] = greatest ? -HUGE_VAL : 0;
            for (int p = 0; p < j->list[2]; p++) {
                double w = parts[p * 4 * MOST + (int)(m * 4 + first + k)];
                v[m] = greatest ? fmax(v[m], w) : v[m] + w;
            }
        }
        double r = greatest && !(n > 0) ? 0 : finish(s, v, n);
        if (j->list[3]) { // one result for all channels
            all = s == STAT_ERROR_MAX || s == STAT_RELATIVE_MAX ? fmax(all, r) : all + r / used;
            continue;
        }
        put(j, 0, k, r);
        if (s == STAT_MEAN_DEVIATION)
            put(j, 1, k, n > 0 ? deviation(v, n) * (j->c.length && n > 1 ? sqrt(n / (n - 1)) : 1) : 0);
        if (s == STAT_MIN_MAX)
            put(j, 1, k, n > 0 ? v[1] : 0);
    }
    if (j->list[3])
        put(j, 0, 0, s == STAT_PSNR ? 0 : all);
}
static struct library_kernel finish_kernel = LIBRARY_KERNEL("npp_statistics_end", run_finish, struct npp_job);

static NppStatus statistic(const struct npp_call *c, struct npp_job *j)
{
    int rows = c->size.height, per = (rows + NPP_STAT_PARTS - 1) / NPP_STAT_PARTS;
    double work = 4.0 * (double)npp_row(c->form, c->size.width);
    enum { PART = 32768 };
    if (work * per < PART)
        per = (int)(PART / work) + 1;
    j->list[0] = c->form->argument & 255;
    j->list[1] = c->form->argument & ~255;
    j->rows = rows;
    j->rows_per_part = per;
    j->list[2] = (rows + per - 1) / per;
    j->scratch = (void *)(((uintptr_t)c->buffer + 7) & ~(uintptr_t)7);
    NppStatus s = npp_launch_parts(&gather_kernel, j, (uint64_t)j->list[2], work * per);
    return s ? s : npp_launch_parts(&finish_kernel, j, 1, c->form->masked ? (double)c->size.width * rows : 1000);
}
NppStatus npp_statistic(const struct npp_call *c)
{
    NPP_ENTER(c);
    NPP_CHECK(!c->form->coi || (c->coi >= 1 && c->coi <= c->form->channels), NPP_COI_ERROR);
    struct npp_job j = npp_job(c);
    return statistic(c, &j);
}
// All channels have one result.
NppStatus npp_statistic_one(const struct npp_call *c)
{
    NPP_ENTER(c);
    struct npp_job j = npp_job(c);
    j.list[3] = 1;
    return statistic(c, &j);
}
NppStatus npp_count_in_range(const struct npp_call *c)
{
    NPP_ENTER(c);
    struct npp_job j = npp_job(c);
    npp_load(c->form->s, c->value[0], j.number, npp_used(c->form));
    npp_load(c->form->s, c->value[1], j.number + 4, npp_used(c->form));
    for (unsigned k = 0; k < npp_used(c->form); k++)
        NPP_CHECK(j.number[k] <= j.number[4 + k], NPP_RANGE_ERROR);
    return statistic(c, &j);
}
NppStatus npp_buffer(const struct npp_call *c)
{
    NPP_CHECK(c->out[0], NPP_NULL_POINTER_ERROR);
    NPP_CHECK(c->size.width >= 0 && c->size.height >= 0, NPP_SIZE_ERROR);
    *(size_t *)c->out[0] = NPP_STAT_BUFFER;
    return NPP_NO_ERROR;
}
