// SPDX-License-Identifier: Apache-2.0
// Linear filters: number p of the result is the sum of k[i] * source[p + anchor - i], a convolution, so that a single pixel becomes the kernel. A kernel that
// is a column times a row (a box, Gauss) is applied as those, rows first added up. Results that are integers are cut off, as NVIDIA's are, but for
// two fixed filters that round.
#include "npp/filter.h"
#include "npp/body.h"
#include "npp/kernel/move.h"
#include "npp/kernel/number.h"
#include <string.h>

enum { MOST_TAPS = 256, FIXED_TAPS = 25 };
// How a job says what it does: list[0] columns and list[1] rows of the kernel, list[2] whether it is separable, list[3] the type of the
// kernel's numbers in the device, -1: they stand in `number` (fixed), -2: they are all 1; list[4] whether results are rounded. divisor: number[25].
struct kernel {
    int width, height;
    double k[MOST_TAPS]; // row by row; of a separable one the row, then the column
};

static void fixed_kernel(const struct npp_job *j, struct kernel *k);

static bool kernel_get(const struct npp_job *j, struct kernel *k)
{
    size_t n = j->list[2] ? (size_t)(j->list[0] + j->list[1]) : (size_t)j->list[0] * (size_t)j->list[1];
    k->width = j->list[0];
    k->height = j->list[1];
    if (j->list[3] == -1)
        fixed_kernel(j, k);
    else if (j->list[3] == -2)
        for (size_t i = 0; i < n; i++)
            k->k[i] = 1;
    else if (j->list[2]) { // one line of the program's is both, or one of them
        size_t taps = (size_t)j->c.taps;
        for (size_t i = 0; i < n; i++)
            k->k[i] = 1;
        if (j->list[0] > 1 || j->list[1] == 1)
            npp_load((enum npp_type)j->list[3], j->c.value[0], k->k, taps);
        if (j->list[1] > 1)
            npp_load((enum npp_type)j->list[3], j->c.value[0], k->k + j->list[0], taps);
    } else
        npp_load((enum npp_type)j->list[3], j->c.value[0], k->k, n);
    return true;
}

// The sums of a chunk: n pixels from x on.
static void sum_full(const struct npp_job *j, const struct kernel *k, int y, int x, int n, double *sum, double *row)
{
    size_t channels = j->form.channels, numbers = (size_t)n * channels;
    memset(sum, 0, numbers * sizeof *sum);
    for (int r = 0; r < k->height; r++) {
        npp_neighbours(j, y + j->c.anchor.y - r, x + j->c.anchor.x - (k->width - 1), n + k->width - 1, row);
        for (int i = 0; i < k->width; i++) {
            double factor = k->k[r * k->width + i];
            const double *from = row + (size_t)(k->width - 1 - i) * channels;
            for (size_t m = 0; factor != 0 && m < numbers; m++)
                sum[m] += factor * from[m];
        }
    }
}
static void sum_separable(const struct npp_job *j, const struct kernel *k, int y, int x, int n, double *sum,
                          double *row)
{
    size_t channels = j->form.channels, numbers = (size_t)n * channels, wide = (size_t)(n + k->width - 1) * channels;
    double *rows = row + wide;
    memset(rows, 0, wide * sizeof *rows);
    for (int r = 0; r < k->height; r++) {
        double factor = k->k[k->width + r];
        npp_neighbours(j, y + j->c.anchor.y - r, x + j->c.anchor.x - (k->width - 1), n + k->width - 1, row);
        for (size_t m = 0; m < wide; m++)
            rows[m] += factor * row[m];
    }
    memset(sum, 0, numbers * sizeof *sum);
    for (int i = 0; i < k->width; i++) {
        double factor = k->k[i];
        const double *from = rows + (size_t)(k->width - 1 - i) * channels;
        for (size_t m = 0; m < numbers; m++)
            sum[m] += factor * from[m];
    }
}

static void run_filter(const void *block, uint64_t part)
{
    const struct npp_job *j = block;
    struct kernel k;
    double sum[NPP_CHUNK], row[2 * (NPP_CHUNK + 4 * MOST_TAPS)], divisor = j->number[15];
    unsigned char chunk[NPP_CHUNK * 8];
    int from, to, channels = j->form.channels, width = NPP_CHUNK / channels;
    bool whole = j->form.d < NT_16f;
    kernel_get(j, &k);
    npp_part(j, part, &from, &to);
    for (int y = from; y < to; y++)
        for (int x = 0; x < j->c.size.width; x += width) {
            int n = j->c.size.width - x < width ? j->c.size.width - x : width;
            size_t numbers = (size_t)n * (size_t)channels;
            (j->list[2] ? sum_separable : sum_full)(j, &k, y, x, n, sum, row);
            for (size_t m = 0; m < numbers && divisor != 1; m++)
                sum[m] /= divisor;
            for (size_t m = 0; m < numbers && whole && !j->list[4]; m++)
                sum[m] = trunc(sum[m]);
            npp_save(j->form.d, sum, chunk, numbers);
            npp_store(j, y, (size_t)x * (size_t)channels, chunk, numbers, npp_size(j->form.d));
        }
}
static struct library_kernel filter_kernel = LIBRARY_KERNEL("npp_filter", run_filter, struct npp_job);

static NppStatus filter_launch(const struct npp_call *c, struct npp_job *j, NppiSize size, bool separable, int type)
{
    size_t taps = separable ? (size_t)size.width + (size_t)size.height : (size_t)size.width * (size_t)size.height;
    j->list[0] = size.width;
    j->list[1] = size.height;
    j->list[2] = separable;
    j->list[3] = type;
    NPP_CHECK(taps <= MOST_TAPS && size.width <= MOST_TAPS, NPP_MASK_SIZE_ERROR);
    return npp_launch(&filter_kernel, j, c->size.height, 2.0 * (double)npp_row(c->form, c->size.width) * (double)taps);
}
static int kernel_type(const struct npp_form *f)
{
    return f->argument & LINE_OWN ? (int)f->s : f->argument & LINE_FLOAT ? NT_32f : NT_32s;
}
static NppStatus window_check(NppiSize size, NppiPoint anchor)
{
    NPP_CHECK(size.width > 0 && size.height > 0, NPP_MASK_SIZE_ERROR);
    NPP_CHECK(anchor.x >= 0 && anchor.y >= 0 && anchor.x < size.width && anchor.y < size.height, NPP_ANCHOR_ERROR);
    return NPP_NO_ERROR;
}

NppStatus npp_filter(const struct npp_call *c)
{
    NPP_ENTER(c);
    NppStatus s = window_check(c->window, c->anchor);
    s = s ? s : npp_border_check(c);
    NPP_CHECK(!s, s);
    NPP_CHECK((c->form->argument & (LINE_FLOAT | LINE_OWN)) || c->divisor, NPP_DIVISOR_ERROR);
    struct npp_job j = npp_job(c);
    j.number[15] = c->divisor ? c->divisor : 1;
    return filter_launch(c, &j, c->window, false, kernel_type(c->form));
}

// A row or a column: of a sum of windows the window is one of correlation, as boxes are.
NppStatus npp_filter_line(const struct npp_call *c)
{
    NPP_ENTER(c);
    bool column = c->form->argument & LINE_COLUMN, sum = c->form->argument & LINE_SUM;
    NppiSize size = {column ? 1 : c->taps, column ? c->taps : 1};
    struct npp_job j = npp_job(c);
    j.c.anchor = (NppiPoint){column ? 0 : c->anchor.x, column ? c->anchor.x : 0};
    NppStatus s = window_check(size, j.c.anchor);
    s = s ? s : npp_border_check(c);
    NPP_CHECK(!s, s);
    NPP_CHECK((c->form->argument & (LINE_FLOAT | LINE_OWN | LINE_SUM)) || c->divisor, NPP_DIVISOR_ERROR);
    j.number[15] = c->divisor ? c->divisor : 1;
    if (sum)
        j.c.anchor = (NppiPoint){size.width - 1 - j.c.anchor.x, size.height - 1 - j.c.anchor.y};
    return filter_launch(c, &j, size, true, sum ? -2 : kernel_type(c->form));
}

// A box is a window from the anchor to the left and up, so that its convolution has the opposite anchor.
NppStatus npp_filter_box(const struct npp_call *c)
{
    NPP_ENTER(c);
    NppStatus s = window_check(c->window, c->anchor);
    s = s ? s : npp_border_check(c);
    NPP_CHECK(!s, s);
    struct npp_job j = npp_job(c);
    j.c.anchor = (NppiPoint){c->window.width - 1 - c->anchor.x, c->window.height - 1 - c->anchor.y};
    j.number[15] = (double)c->window.width * c->window.height;
    return filter_launch(c, &j, c->window, true, -2);
}

// One row of the program's, both ways.
NppStatus npp_filter_taps(const struct npp_call *c)
{
    NPP_ENTER(c);
    NppStatus s = npp_border_check(c);
    NPP_CHECK(!s, s);
    NPP_CHECK(c->taps > 0 && c->taps % 2, NPP_MASK_SIZE_ERROR);
    struct npp_job j = npp_job(c);
    j.c.anchor = (NppiPoint){c->taps / 2, c->taps / 2};
    j.number[15] = 1;
    return filter_launch(c, &j, (NppiSize){c->taps, c->taps}, true, NT_32f);
}

// ---- fixed kernels, as what they make of a single pixel
struct fixed {
    double three[9], five[FIXED_TAPS];
};
static const struct fixed fixed[] = {
    [FIXED_PREWITT_HORIZ] = {{1, 1, 1, 0, 0, 0, -1, -1, -1}, {0}},
    [FIXED_PREWITT_VERT] = {{1, 0, -1, 1, 0, -1, 1, 0, -1}, {0}},
    [FIXED_SCHARR_HORIZ] = {{3, 10, 3, 0, 0, 0, -3, -10, -3}, {0}},
    [FIXED_SCHARR_VERT] = {{3, 0, -3, 10, 0, -10, 3, 0, -3}, {0}},
    [FIXED_SOBEL_HORIZ] = {{1, 2, 1, 0, 0, 0, -1, -2, -1},
                           {1, 4, 6, 4, 1, 2, 8, 12, 8, 2, 0, 0, 0, 0, 0, -2, -8, -12, -8, -2, -1, -4, -6, -4, -1}},
    [FIXED_SOBEL_VERT] = {{1, 0, -1, 2, 0, -2, 1, 0, -1},
                          {1, 2, 0, -2, -1, 4, 8, 0, -8, -4, 6, 12, 0, -12, -6, 4, 8, 0, -8, -4, 1, 2, 0, -2, -1}},
    [FIXED_SOBEL_HORIZ_SECOND] = {{1, 2, 1, -2, -4, -2, 1, 2, 1},
                                  {1, 4, 6, 4, 1, 0, 0, 0, 0, 0, -2, -8, -12, -8, -2, 0, 0, 0, 0, 0, 1, 4, 6, 4, 1}},
    [FIXED_SOBEL_VERT_SECOND] = {{1, -2, 1, 2, -4, 2, 1, -2, 1},
                                 {1, 0, -2, 0, 1, 4, 0, -8, 0, 4, 6, 0, -12, 0, 6, 4, 0, -8, 0, 4, 1, 0, -2, 0, 1}},
    [FIXED_SOBEL_CROSS] = {{-1, 0, 1, 0, 0, 0, 1, 0, -1},
                           {-1, -2, 0, 2, 1, -2, -4, 0, 4, 2, 0, 0, 0, 0, 0, 2, 4, 0, -4, -2, 1, 2, 0, -2, -1}},
    [FIXED_ROBERTS_DOWN] = {{0, 0, 0, 0, 1, 0, 0, 0, -1}, {0}},
    [FIXED_ROBERTS_UP] = {{0, 0, 0, 0, 1, 0, -1, 0, 0}, {0}},
    [FIXED_LAPLACE] = {{-1, -1, -1, -1, 8, -1, -1, -1, -1},
                       {-1, -3, -4, -3, -1, -3, 0, 6, 0, -3, -4, 6, 20, 6, -4, -3, 0, 6, 0, -3, -1, -3, -4, -3, -1}},
    [FIXED_HIGH_PASS] = {{-1, -1, -1, -1, 8, -1, -1, -1, -1}, {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 24,
                                                               -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1}},
    [FIXED_SHARPEN] = {{-0.125, -0.125, -0.125, -0.125, 2, -0.125, -0.125, -0.125, -0.125}, {0}},
};
// Gauss of n taps: its sigma is 0.4 + 0.2 n.
static void gauss(double *k, int n)
{
    double sigma = 0.4 + 0.6 * n / 3, all = 0;
    int center = n / 2;
    for (int i = 0; i < n; i++) {
        double x = i - center;
        all += k[i] = exp(-x * x / (2 * sigma * sigma));
    }
    for (int i = 0; i < n; i++)
        k[i] /= all;
}
static void fixed_kernel(const struct npp_job *j, struct kernel *k)
{
    const struct fixed *f = &fixed[j->form.argument];
    if (j->form.argument == FIXED_GAUSS) {
        gauss(k->k, k->width);
        gauss(k->k + k->width, k->height);
    } else {
        memcpy(k->k, k->width == 3 ? f->three : f->five, (size_t)(k->width * k->height) * sizeof *k->k);
    }
}
static NppiSize mask_size(int mode)
{
    static const struct {
        int mode, width, height;
    } sizes[] = {{NPP_MASK_SIZE_1_X_3, 1, 3},     {NPP_MASK_SIZE_1_X_5, 1, 5},    {NPP_MASK_SIZE_3_X_1, 3, 1},
                 {NPP_MASK_SIZE_5_X_1, 5, 1},     {NPP_MASK_SIZE_3_X_3, 3, 3},    {NPP_MASK_SIZE_5_X_5, 5, 5},
                 {NPP_MASK_SIZE_7_X_7, 7, 7},     {NPP_MASK_SIZE_9_X_9, 9, 9},    {NPP_MASK_SIZE_11_X_11, 11, 11},
                 {NPP_MASK_SIZE_13_X_13, 13, 13}, {NPP_MASK_SIZE_15_X_15, 15, 15}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (sizes[i].mode == mode)
            return (NppiSize){sizes[i].width, sizes[i].height};
    return (NppiSize){0, 0};
}
// A function without a size of mask has one of 3 x 3.
static bool has_size(const struct npp_call *c)
{
    switch (c->form->argument) {
    case FIXED_LAPLACE:
    case FIXED_GAUSS:
    case FIXED_HIGH_PASS:
    case FIXED_LOW_PASS:
    case FIXED_SOBEL_HORIZ_SECOND:
    case FIXED_SOBEL_VERT_SECOND:
    case FIXED_SOBEL_CROSS:
        return true;
    default:
        return c->mode != 0;
    }
}
NppStatus npp_filter_fixed(const struct npp_call *c)
{
    NPP_ENTER(c);
    NppStatus s = npp_border_check(c);
    NPP_CHECK(!s, s);
    NppiSize size = has_size(c) ? mask_size(c->mode) : (NppiSize){3, 3};
    int which = c->form->argument;
    NPP_CHECK(size.width && (which == FIXED_GAUSS || (size.width == size.height && size.width <= 5)),
              NPP_MASK_SIZE_ERROR);
    struct npp_job j = npp_job(c);
    j.c.anchor = (NppiPoint){size.width / 2, size.height / 2};
    j.number[15] = which == FIXED_LOW_PASS ? size.width * size.height : 1;
    j.list[4] = which == FIXED_LOW_PASS || which == FIXED_SHARPEN;
    if (which == FIXED_LOW_PASS)
        return filter_launch(c, &j, size, true, -2);
    return filter_launch(c, &j, size, which == FIXED_GAUSS, -1);
}
