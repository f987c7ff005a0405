// SPDX-License-Identifier: Apache-2.0
// The least, the greatest and the middle one of a window, and morphology, whose window is a mask. Windows begin at the pixel less the anchor.
#include "npp/body.h"
#include "npp/filter.h"
#include "npp/kernel/move.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 256, SPAN = 96 }; // pixels of a window; numbers at once, a multiple of all channels

// What of the window counts, and what is added to it (gray morphology).
struct window {
    int width, height;
    bool in[MOST];
    double more[MOST];
};
static void window_get(const struct npp_job *j, struct window *w)
{
    int rank = j->form.argument;
    w->width = j->c.window.width;
    w->height = j->c.window.height;
    for (int i = 0; i < w->width * w->height; i++) {
        w->in[i] = true;
        w->more[i] = 0;
        if (rank & RANK_GRAY)
            w->more[i] = npp_get(j->form.s == NT_32f ? NT_32f : NT_32s, (const char *)j->c.value[0] + (size_t)i * 4);
        else if (j->c.value[0])
            w->in[i] = ((const uint8_t *)j->c.value[0])[i] != 0;
    }
    if ((rank & 15) == RANK_MIN)
        for (int i = 0; i < w->width * w->height; i++)
            w->more[i] = -w->more[i];
}

// The extreme of a chunk. Of a mask without any pixel nothing is taken: the result is that of an empty window, 0.
static void extreme(const struct npp_job *j, const struct window *w, int y, int x, int n, double *out, double *row)
{
    size_t channels = j->form.channels, numbers = (size_t)n * channels;
    double sign = (j->form.argument & 15) == RANK_MAX ? 1 : -1;
    bool any = false;
    for (size_t m = 0; m < numbers; m++)
        out[m] = -HUGE_VAL;
    for (int r = 0; r < w->height; r++) {
        npp_neighbours(j, y - j->c.anchor.y + r, x - j->c.anchor.x, n + w->width - 1, row);
        for (int i = 0; i < w->width; i++) {
            if (!w->in[r * w->width + i])
                continue;
            const double *from = row + (size_t)i * channels;
            double more = w->more[r * w->width + i];
            any = true;
            for (size_t m = 0; m < numbers; m++) {
                double v = sign * (from[m] + more);
                out[m] = v > out[m] ? v : out[m];
            }
        }
    }
    for (size_t m = 0; m < numbers; m++)
        out[m] = any ? sign * out[m] : 0;
}

// The middle one of n, which are moved about: the quick search.
static double middle(double *v, int n)
{
    int low = 0, high = n - 1, want = n / 2;
    while (low < high) {
        double pivot = v[(low + high) / 2];
        int i = low, k = high;
        while (i <= k) {
            while (v[i] < pivot)
                i++;
            while (v[k] > pivot)
                k--;
            if (i <= k) {
                double t = v[i];
                v[i++] = v[k];
                v[k--] = t;
            }
        }
        if (want <= k)
            high = k;
        else if (want >= i)
            low = i;
        else
            break;
    }
    return v[want];
}
// Nine rows of numbers, of which the middle one of each nine becomes the fifth row: exchanges that put the middle in its place, whatever the order was.
static void exchange(double *restrict a, double *restrict b, size_t n)
{
    for (size_t m = 0; m < n; m++) {
        double low = a[m] < b[m] ? a[m] : b[m], high = a[m] < b[m] ? b[m] : a[m];
        a[m] = low;
        b[m] = high;
    }
}
static void middle_of_nine(double v[9][SPAN], size_t n)
{
    static const unsigned char pairs[19][2] = {{1, 2}, {4, 5}, {7, 8}, {0, 1}, {3, 4}, {6, 7}, {1, 2},
                                               {4, 5}, {7, 8}, {0, 3}, {5, 8}, {4, 7}, {3, 6}, {1, 4},
                                               {2, 5}, {4, 7}, {4, 2}, {6, 4}, {4, 2}};
    for (unsigned i = 0; i < 19; i++)
        exchange(v[pairs[i][0]], v[pairs[i][1]], n);
}
static void median_nine(const struct npp_job *j, int y, int x, int n, double *out, double *row)
{
    size_t channels = j->form.channels, numbers = (size_t)n * channels;
    double v[9][SPAN];
    for (int r = 0; r < 3; r++) {
        npp_neighbours(j, y - j->c.anchor.y + r, x - j->c.anchor.x, n + 2, row);
        for (size_t i = 0; i < 3; i++)
            memcpy(v[(size_t)r * 3 + i], row + i * channels, numbers * sizeof *row);
    }
    middle_of_nine(v, numbers);
    memcpy(out, v[4], numbers * sizeof *out);
}
static void median(const struct npp_job *j, const struct window *w, int y, int x, int n, double *out, double *rows)
{
    size_t channels = j->form.channels, wide = (size_t)(n + w->width - 1) * channels;
    double v[MOST];
    if (w->width == 3 && w->height == 3) {
        median_nine(j, y, x, n, out, rows);
        return;
    }
    for (int r = 0; r < w->height; r++)
        npp_neighbours(j, y - j->c.anchor.y + r, x - j->c.anchor.x, n + w->width - 1, rows + (size_t)r * wide);
    for (size_t m = 0; m < (size_t)n * channels; m++) {
        int count = 0;
        for (int r = 0; r < w->height; r++)
            for (int i = 0; i < w->width; i++)
                v[count++] = rows[(size_t)r * wide + m + (size_t)i * channels];
        out[m] = middle(v, count);
    }
}

static void run_rank(const void *block, uint64_t part)
{
    const struct npp_job *j = block;
    struct window w;
    double out[SPAN], row[SPAN * 16 + 4 * MOST];
    unsigned char chunk[SPAN * 8];
    int from, to, channels = j->form.channels, width = SPAN / channels;
    bool middle_one = (j->form.argument & 15) == RANK_MEDIAN;
    window_get(j, &w);
    npp_part(j, part, &from, &to);
    for (int y = from; y < to; y++)
        for (int x = 0; x < j->c.size.width; x += width) {
            int n = j->c.size.width - x < width ? j->c.size.width - x : width;
            (middle_one ? median : extreme)(j, &w, y, x, n, out, row);
            npp_save(j->form.d, out, chunk, (size_t)n * (size_t)channels);
            npp_store(j, y, (size_t)x * (size_t)channels, chunk, (size_t)n * (size_t)channels, npp_size(j->form.d));
        }
}
static struct library_kernel rank_kernel = LIBRARY_KERNEL("npp_rank", run_rank, struct npp_job);

static NppStatus rank(const struct npp_call *c)
{
    NppStatus s = npp_border_check(c);
    NPP_CHECK(!s, s);
    NPP_CHECK(c->window.width > 0 && c->window.height > 0 && c->window.width <= MOST && c->window.height <= 16 &&
                  c->window.width * c->window.height <= MOST,
              NPP_MASK_SIZE_ERROR);
    NPP_CHECK(c->anchor.x >= 0 && c->anchor.y >= 0 && c->anchor.x < c->window.width && c->anchor.y < c->window.height,
              NPP_ANCHOR_ERROR);
    struct npp_job j = npp_job(c);
    double taps = (double)c->window.width * c->window.height * ((c->form->argument & 15) == RANK_MEDIAN ? 6 : 2);
    return npp_launch(&rank_kernel, &j, c->size.height, taps * (double)npp_row(c->form, c->size.width));
}
NppStatus npp_filter_rank(const struct npp_call *c)
{
    NPP_ENTER(c);
    return rank(c);
}
NppStatus npp_morph(const struct npp_call *c)
{
    NPP_ENTER(c);
    struct npp_call with = *c;
    if (c->form->argument & RANK_3X3) {
        with.window = (NppiSize){3, 3};
        with.anchor = (NppiPoint){1, 1};
    }
    return rank(&with);
}
// No buffer is needed; a size that is not 0 keeps programs from asking for none.
NppStatus npp_filter_buffer(const struct npp_call *c)
{
    NPP_ENTER(c);
    *(Npp32u *)c->out[0] = 16;
    return NPP_NO_ERROR;
}
