// SPDX-License-Identifier: Apache-2.0
// Images made larger and smaller. Each row of the result is a weighted sum of rows of the source, of which each pixel is a weighted sum of pixels; what would be
// read outside of the region is its edge.
//
// Where the pixels lie: nppiResize has pixel d at d * n / m of n pixels that become m, less a quarter where there are more than before; nppiResizeSqrPixel puts the middles
// of pixels on each other. NPPI_INTER_SUPER is the mean of what a pixel covers.
#include "npp/body.h"
#include "npp/geometry.h"
#include "npp/kernel/move.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

// One axis: the source of a pixel, (d + before) * scale + after, among n pixels from `low` on.
struct axis {
    double scale, before, after;
    int low, n;
};
static struct axis axis_get(const struct npp_job *j, bool vertical)
{
    int k = vertical ? 5 : 0;
    const double *v = &j->number[k];
    return (struct axis){v[0], v[1], v[2], (int)v[3], (int)v[4]};
}

// The taps of a pixel: those that a mean covers may be many, so that they are told by their weight.
struct taps {
    int first, count;
    double weight[NPP_TAPS]; // of a mean: of the first, of those between, of the last
    bool mean;
};
static struct taps taps_get(const struct axis *a, int mode, int d)
{
    struct taps t = {0};
    if (mode == NPPI_INTER_SUPER) {
        double from = (d + a->before) * a->scale + a->after, to = from + a->scale;
        from = from > 0 ? from : 0;
        to = to < a->n ? to : a->n;
        t.first = (int)floor(from);
        t.count = (int)ceil(to) - t.first;
        t.mean = true;
        double all = to - from;
        t.weight[0] = (t.count > 1 ? t.first + 1 - from : all) / all;
        t.weight[1] = 1 / all;
        t.weight[2] = (to - (t.first + t.count - 1)) / all;
    } else {
        t.count = npp_interpolate(mode, (d + a->before) * a->scale + a->after, &t.first, t.weight);
    }
    return t;
}
static double tap_weight(const struct taps *t, int i)
{
    return !t->mean ? t->weight[i] : !i ? t->weight[0] : i == t->count - 1 ? t->weight[2] : t->weight[1];
}
static int inside(const struct axis *a, int i)
{
    return a->low + (i < 0 ? 0 : i >= a->n ? a->n - 1 : i);
}

// A row of the source's region, from several rows.
static void row_sum(const struct npp_job *j, unsigned plane, const struct axis *x, const struct axis *y,
                    const struct taps *t, double *sum, double *row)
{
    size_t channels = j->form.planes ? 1 : j->form.channels, n = (size_t)x->n * channels,
           at = (size_t)x->low * channels * npp_size(j->form.s);
    for (int i = 0; i < t->count; i++) {
        double w = tap_weight(t, i);
        npp_load(j->form.s, npp_at(&j->c.src[plane], inside(y, t->first + i), at), row, n);
        if (!i)
            for (size_t m = 0; m < n; m++)
                sum[m] = w * row[m];
        else
            for (size_t m = 0; m < n; m++)
                sum[m] += w * row[m];
    }
}
static void pixel_sum(const struct axis *x, const struct taps *t, const double *row, size_t channels, double *out)
{
    for (size_t k = 0; k < channels; k++)
        out[k] = 0;
    for (int i = 0; i < t->count; i++) {
        const double *from = row + (size_t)(inside(x, t->first + i) - x->low) * channels;
        double w = tap_weight(t, i);
        for (size_t k = 0; k < channels; k++)
            out[k] += w * from[k];
    }
}
// What is written: pixels [from, to) of the result's region in this direction.
static void resize_rows(const struct npp_job *j, int from, int to, double *memory)
{
    struct axis x = axis_get(j, false), y = axis_get(j, true);
    size_t channels = j->form.planes ? 1 : j->form.channels, size = npp_size(j->form.d);
    double *sum = memory, *row = memory + (size_t)x.n * channels, out[NPP_CHUNK];
    unsigned char chunk[NPP_CHUNK * 8];
    int width = NPP_CHUNK / (int)channels, left = j->list[1], right = j->list[2];
    unsigned planes = j->form.planes ? j->form.channels : 1;
    struct npp_job to_plane = *j;
    for (unsigned p = 0; p < planes; p++) {
        to_plane.c.dst[0] = j->c.dst[p];
        for (int d = from; d < to; d++) {
            struct taps ty = taps_get(&y, j->c.mode, d);
            row_sum(j, p, &x, &y, &ty, sum, row);
            for (int e = left; e < right; e += width) {
                int n = right - e < width ? right - e : width;
                for (int i = 0; i < n; i++) {
                    struct taps tx = taps_get(&x, j->c.mode, e + i);
                    pixel_sum(&x, &tx, sum, channels, &out[(size_t)i * channels]);
                }
                npp_save(j->form.d, out, chunk, (size_t)n * channels);
                npp_store(&to_plane, j->c.dst_roi.y + d, (size_t)(j->c.dst_roi.x + e) * channels, chunk,
                          (size_t)n * channels, size);
            }
        }
    }
}
static void run_resize(const void *block, uint64_t part)
{
    const struct npp_job *j = block;
    size_t channels = j->form.planes ? 1 : j->form.channels;
    double *memory = malloc(2 * (size_t)j->number[4] * channels * sizeof *memory);
    int from, to;
    if (!memory)
        return;
    npp_part(j, part, &from, &to);
    resize_rows(j, from + j->list[3], to + j->list[3], memory);
    free(memory);
}
static struct library_kernel resize_kernel = LIBRARY_KERNEL("npp_resize", run_resize, struct npp_job);

static NppStatus launch(const struct npp_call *c, struct npp_job *j, const struct axis axes[2], NppiRect written)
{
    for (unsigned i = 0; i < 2; i++) {
        double *v = &j->number[5 * i];
        v[0] = axes[i].scale;
        v[1] = axes[i].before;
        v[2] = axes[i].after;
        v[3] = axes[i].low;
        v[4] = axes[i].n;
    }
    j->list[1] = written.x;
    j->list[2] = written.x + written.width;
    j->list[3] = written.y;
    if (written.width <= 0 || written.height <= 0)
        return NPP_NO_ERROR;
    double taps = c->mode == NPPI_INTER_SUPER ? axes[0].scale : NPP_TAPS,
           rows = c->mode == NPPI_INTER_SUPER ? axes[1].scale : NPP_TAPS;
    double work = (axes[0].n * rows + written.width * (taps + 4)) * c->form->channels;
    return npp_launch(&resize_kernel, j, written.height, work);
}

// The pixels d whose place in the source is one: [*from, *to) of n.
static void reach(const struct axis *a, int n, int *from, int *to)
{
    *from = 0;
    *to = n;
    while (*from < *to && (*from + a->before) * a->scale + a->after < -0.5)
        ++*from;
    while (*from < *to && (*to - 1 + a->before) * a->scale + a->after >= a->n - 0.5)
        --*to;
}
static NppStatus resize_square(const struct npp_call *c, NppiRect src)
{
    NppiRect dst = c->dst_roi, written;
    NPP_CHECK(c->number[0] > 0 && c->number[1] > 0, NPP_RESIZE_FACTOR_ERROR);
    NPP_CHECK(c->mode != NPPI_INTER_SUPER || (c->number[0] < 1 && c->number[1] < 1), NPP_RESIZE_FACTOR_ERROR);
    struct npp_job j = npp_job(c);
    bool mean = c->mode == NPPI_INTER_SUPER;
    struct axis axes[2];
    for (unsigned i = 0; i < 2; i++) {
        double origin = i ? c->dst_roi.y : c->dst_roi.x, start = i ? src.y : src.x;
        axes[i] = (struct axis){1 / c->number[i], origin + (mean ? 0 : 0.5) - c->number[2 + i],
                                (mean ? 0 : -0.5) - start, i ? src.y : src.x, i ? src.height : src.width};
    }
    int to;
    reach(&axes[0], dst.width, &written.x, &to);
    written.width = to - written.x;
    reach(&axes[1], dst.height, &written.y, &to);
    written.height = to - written.y;
    return launch(c, &j, axes, written);
}
NppStatus npp_resize(const struct npp_call *c)
{
    int first;
    double w[NPP_TAPS];
    NPP_ENTER(c);
    NPP_CHECK(c->src_size.width > 0 && c->src_size.height > 0 && c->src_roi.width >= 0 && c->src_roi.height >= 0 &&
                  c->dst_roi.width >= 0 && c->dst_roi.height >= 0,
              NPP_SIZE_ERROR);
    NppiRect src = npp_intersect(c->src_roi, c->src_size);
    NPP_CHECK(src.width && src.height, NPP_WRONG_INTERSECTION_ROI_ERROR);
    NPP_CHECK(c->mode == NPPI_INTER_SUPER || npp_interpolate(c->mode, 0, &first, w), NPP_INTERPOLATION_ERROR);
    if (c->form->argument & RESIZE_SQUARE)
        return resize_square(c, src);
    if (!c->dst_roi.width || !c->dst_roi.height)
        return NPP_NO_ERROR;
    struct npp_job j = npp_job(c);
    struct axis axes[2];
    for (unsigned i = 0; i < 2; i++) {
        double scale = i ? (double)src.height / c->dst_roi.height : (double)src.width / c->dst_roi.width;
        NPP_CHECK(c->mode != NPPI_INTER_SUPER || scale > 1, NPP_RESIZE_FACTOR_ERROR);
        axes[i] = (struct axis){scale, 0, scale < 1 ? -0.25 : 0, i ? src.y : src.x, i ? src.height : src.width};
    }
    return launch(c, &j, axes, (NppiRect){0, 0, c->dst_roi.width, c->dst_roi.height});
}

NppStatus npp_resize_rect(const struct npp_call *c)
{
    NppiRect *out = c->out[0], r = c->src_roi;
    NPP_CHECK(out, NPP_NULL_POINTER_ERROR);
    NPP_CHECK(r.width > 0 && r.height > 0, NPP_SIZE_ERROR);
    NPP_CHECK(c->number[0] > 0 && c->number[1] > 0, NPP_RESIZE_FACTOR_ERROR);
    *out = (NppiRect){(int)floor(r.x * c->number[0] + c->number[2] + 0.5),
                      (int)floor(r.y * c->number[1] + c->number[3] + 0.5), (int)floor(r.width * c->number[0] + 0.5),
                      (int)floor(r.height * c->number[1] + 0.5)};
    return NPP_NO_ERROR;
}
