// SPDX-License-Identifier: Apache-2.0
// Histograms and integral images.
#include "npp/body.h"
#include "npp/kernel/move.h"
#include "npp/kernel/number.h"
#include "npp/statistics.h"
#include <string.h>

// ---- histograms. A first grid clears the bins, a second one counts: its parts add to the bins by atomic sums, which are exact in any order.
// Even levels are integers.
static double even_level(double low, double high, int levels, int i)
{
    return npp_near(low + (high - low) / (levels - 1) * i);
}
static int bin_even(double v, double low, double high, int levels)
{
    if (!(v >= low && v < high))
        return -1;
    int bin = (int)((v - low) * (levels - 1) / (high - low)); // of levels that are not rounded
    if (v < even_level(low, high, levels, bin))
        return bin - 1;
    return v < even_level(low, high, levels, bin + 1) ? bin : bin + 1;
}
static double level_at(const void *levels, bool real, int i)
{
    return real ? ((const float *)levels)[i] : ((const int32_t *)levels)[i];
}
// The bin [level i, level i + 1).
static int bin_range(double v, const void *levels, bool real, int n)
{
    int low = 0, high = n - 1;
    if (!(v >= level_at(levels, real, 0) && v < level_at(levels, real, n - 1)))
        return -1;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (v >= level_at(levels, real, middle))
            low = middle;
        else
            high = middle;
    }
    return low;
}
static void run_clear(const void *block, uint64_t part)
{
    const struct npp_job *j = block;
    memset(j->c.out[part], 0, (size_t)(j->c.levels[part] - 1) * sizeof(int32_t));
}
static struct library_kernel clear_kernel = LIBRARY_KERNEL("npp_histogram_clear", run_clear, struct npp_job);
static void run_histogram(const void *block, uint64_t part)
{
    const struct npp_job *j = block;
    unsigned channels = j->form.channels, used = npp_used(&j->form);
    bool real = j->form.s == NT_32f;
    double v[NPP_CHUNK];
    int from, to;
    npp_part(j, part, &from, &to);
    for (int y = from; y < to; y++)
        for (size_t i = 0, all = npp_numbers(j, y); i < all; i += NPP_CHUNK) {
            size_t n = all - i < NPP_CHUNK ? all - i : NPP_CHUNK;
            npp_load(j->form.s, npp_at(&j->c.src[0], y, i * npp_size(j->form.s)), v, n);
            for (size_t k = 0; k < n; k++) {
                unsigned m = (unsigned)(k % channels);
                if (m >= used)
                    continue;
                int bin = j->list[0] ? bin_range(v[k], j->c.value[m], real, j->c.levels[m])
                                     : bin_even(v[k], j->c.number[m], j->c.number[4 + m], j->c.levels[m]);
                if (bin >= 0)
                    __atomic_fetch_add((int32_t *)j->c.out[m] + bin, 1, __ATOMIC_RELAXED);
            }
        }
}
static struct library_kernel histogram_kernel = LIBRARY_KERNEL("npp_histogram", run_histogram, struct npp_job);
static NppStatus histogram(const struct npp_call *c, bool range)
{
    struct npp_job j = npp_job(c);
    for (unsigned k = 0; k < npp_used(c->form); k++) {
        NPP_CHECK(c->out[k] && (!range || c->value[k]), NPP_NULL_POINTER_ERROR);
        NPP_CHECK(c->levels[k] >= 2, NPP_HISTOGRAM_NUMBER_OF_LEVELS_ERROR);
        NPP_CHECK(range || c->number[k] < c->number[4 + k], NPP_RANGE_ERROR);
    }
    j.list[0] = range;
    NppStatus s = npp_launch_parts(&clear_kernel, &j, npp_used(c->form), 1000);
    return s ? s : npp_launch(&histogram_kernel, &j, c->size.height, 8.0 * (double)npp_row(c->form, c->size.width));
}
NppStatus npp_histogram_even(const struct npp_call *c)
{
    NPP_ENTER(c);
    return histogram(c, false);
}
NppStatus npp_histogram_range(const struct npp_call *c)
{
    NPP_ENTER(c);
    return histogram(c, true);
}
NppStatus npp_even_levels(const struct npp_call *c)
{
    int32_t *levels = c->out[0];
    int n = c->levels[0];
    NPP_CHECK(levels, NPP_NULL_POINTER_ERROR);
    NPP_CHECK(n >= 2, NPP_HISTOGRAM_NUMBER_OF_LEVELS_ERROR);
    for (int i = 0; i < n; i++)
        levels[i] = (int32_t)even_level(c->number[0], c->number[1], n, i);
    return NPP_NO_ERROR;
}

// ---- integrals: number (x, y) is the sum of all above and to the left, and of the start. First the rows, then down the columns.
static void sum_put(enum npp_type t, struct npp_image *to, int y, int x, double v)
{
    npp_save(t, &v, npp_at(to, y, (size_t)x * npp_size(t)), 1);
}
static void run_rows(const void *block, uint64_t part)
{
    const struct npp_job *j = block;
    struct npp_image sums = j->c.dst[0], squares = j->c.dst[1];
    int from, to;
    npp_part(j, part, &from, &to);
    for (int y = from; y < to; y++) {
        const uint8_t *row = npp_at(&j->c.src[0], y, 0);
        double sum = 0, square = 0;
        for (int x = 0; x < j->c.size.width; x++) {
            sum += row[x];
            square += row[x] * row[x];
            sum_put(j->form.d, &sums, y + 1, x + 1, sum);
            if (j->form.argument)
                sum_put(j->form.e, &squares, y + 1, x + 1, square);
        }
    }
}
static void down(enum npp_type t, struct npp_image image, int from, int to, int height, double start)
{
    double sum[64];
    for (int x = from; x < to; x++) {
        sum[x - from] = start;
        sum_put(t, &image, 0, x, start);
    }
    for (int y = 1; y <= height; y++)
        for (int x = from; x < to; x++) {
            double *s = &sum[x - from];
            *s = x ? *s + npp_get(t, npp_at(&image, y, (size_t)x * npp_size(t))) : start;
            sum_put(t, &image, y, x, *s);
        }
}
static void run_columns(const void *block, uint64_t part)
{
    const struct npp_job *j = block;
    int from, to;
    npp_part(j, part, &from, &to);
    down(j->form.d, j->c.dst[0], from, to, j->c.size.height, j->c.number[0]);
    if (j->form.argument)
        down(j->form.e, j->c.dst[1], from, to, j->c.size.height, j->c.number[1]);
}
static struct library_kernel rows_kernel = LIBRARY_KERNEL("npp_integral_rows", run_rows, struct npp_job);
static struct library_kernel columns_kernel = LIBRARY_KERNEL("npp_integral_columns", run_columns, struct npp_job);
NppStatus npp_integral(const struct npp_call *c)
{
    enum { COLUMNS = 64 };
    NPP_ENTER(c);
    struct npp_job j = npp_job(c);
    NppStatus s = npp_launch(&rows_kernel, &j, c->size.height, 8.0 * c->size.width);
    if (s)
        return s;
    j.rows = c->size.width + 1;
    j.rows_per_part = COLUMNS;
    return npp_launch_parts(&columns_kernel, &j, (uint64_t)(j.rows + COLUMNS - 1) / COLUMNS,
                            8.0 * COLUMNS * c->size.height);
}
