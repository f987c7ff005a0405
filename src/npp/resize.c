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
// ---- a span: pixels of the result, side by side, and the pixels of the source that they need. The weights are computed once for all rows of a part.
enum { SPAN = 192, ROOM = 2048 }; // numbers of the result, and of the source at once
struct span {
    struct taps taps[SPAN];
    int from, n;     // pixels of the result
    int first, last; // of the source, from the region's edge on
    double sum[ROOM], row[ROOM], out[SPAN];
};
static int within(const struct axis *a, int i)
{
    return i < 0 ? 0 : i >= a->n ? a->n - 1 : i;
}
// As many pixels as there is room for; one at least.
static void span_begin(struct span *s, const struct axis *x, int mode, int from, int right, int channels)
{
    s->from = from;
    for (s->n = 0; from + s->n < right && s->n < SPAN / channels; s->n++) {
        struct taps t = taps_get(x, mode, from + s->n);
        int first = within(x, t.first), last = within(x, t.first + t.count - 1);
        if (s->n && (last - s->first + 1) * channels > ROOM)
            return;
        s->first = s->n ? s->first : first;
        s->last = last;
        s->taps[s->n] = t;
    }
}
// A row of the source, from several rows: pixels [first, last] of the region.
static void row_sum(const struct npp_job *j, unsigned plane, const struct axis *x, const struct axis *y,
                    const struct taps *t, struct span *s, int first, int last)
{
    size_t channels = j->form.planes ? 1 : j->form.channels, n = (size_t)(last - first + 1) * channels;
    size_t at = (size_t)(x->low + first) * channels * npp_size(j->form.s);
    for (int i = 0; i < t->count; i++) {
        double w = tap_weight(t, i);
        npp_load(j->form.s, npp_at(&j->c.src[plane], y->low + within(y, t->first + i), at), s->row, n);
        if (!i)
            for (size_t m = 0; m < n; m++)
                s->sum[m] = w * s->row[m];
        else
            for (size_t m = 0; m < n; m++)
                s->sum[m] += w * s->row[m];
    }
}
// Adds what pixels [first, last] of the source's row, which stand in s->sum, are to a pixel.
static void pixel_add(const struct axis *x, const struct taps *t, const struct span *s, int first, int last,
                      size_t channels, double *out)
{
    for (int i = 0; i < t->count; i++) {
        int at = within(x, t->first + i);
        if (at < first || at > last)
            continue;
        const double *from = s->sum + (size_t)(at - first) * channels;
        double w = tap_weight(t, i);
        for (size_t k = 0; k < channels; k++)
            out[k] += w * from[k];
    }
}
// The same for a pixel whose taps all stand there side by side, as most do.
static inline __attribute__((always_inline)) void pixel_sum(const double *from, const double *w, int count,
                                                            size_t channels, double *out)
{
    for (size_t k = 0; k < channels; k++) {
        double sum = 0;
        for (int i = 0; i < count; i++)
            sum += w[i] * from[(size_t)i * channels + k];
        out[k] = sum;
    }
}
static bool pixel_plain(const struct axis *x, const struct taps *t, const struct span *s, size_t channels, double *out)
{
    if (t->mean || t->first < 0 || t->first + t->count > x->n)
        return false;
    const double *from = s->sum + (size_t)(t->first - s->first) * channels;
    if (channels == 1 && t->count == 2)
        pixel_sum(from, t->weight, 2, 1, out);
    else if (channels == 3 && t->count == 2)
        pixel_sum(from, t->weight, 2, 3, out);
    else if (channels == 4 && t->count == 2)
        pixel_sum(from, t->weight, 2, 4, out);
    else if (channels == 3 && t->count == 4)
        pixel_sum(from, t->weight, 4, 3, out);
    else
        pixel_sum(from, t->weight, t->count, channels, out);
    return true;
}
static void span_row(const struct npp_job *j, unsigned plane, const struct axis *x, const struct axis *y,
                     struct span *s, int d)
{
    size_t channels = j->form.planes ? 1 : j->form.channels;
    struct taps ty = taps_get(y, j->c.mode, d);
    int most = ROOM / (int)channels;
    memset(s->out, 0, sizeof s->out);
    for (int first = s->first; first <= s->last; first += most) { // once, but for a mean of very many
        int last = s->last - first < most ? s->last : first + most - 1;
        row_sum(j, plane, x, y, &ty, s, first, last);
        bool whole = first == s->first && last == s->last;
        for (int i = 0; i < s->n; i++)
            if (!whole || !pixel_plain(x, &s->taps[i], s, channels, &s->out[(size_t)i * channels]))
                pixel_add(x, &s->taps[i], s, first, last, channels, &s->out[(size_t)i * channels]);
    }
}
static void rows_resize(const struct npp_job *j, int from, int to)
{
    struct axis x = axis_get(j, false), y = axis_get(j, true);
    int channels = j->form.planes ? 1 : j->form.channels;
    unsigned planes = j->form.planes ? j->form.channels : 1;
    struct npp_job to_plane = *j;
    struct span s;
    unsigned char chunk[SPAN * 8];
    for (int e = j->list[1]; e < j->list[2]; e += s.n) {
        span_begin(&s, &x, j->c.mode, e, j->list[2], channels);
        size_t numbers = (size_t)s.n * (size_t)channels;
        for (unsigned p = 0; p < planes; p++) {
            to_plane.c.dst[0] = j->c.dst[p];
            for (int d = from + j->list[3]; d < to + j->list[3]; d++) {
                span_row(j, p, &x, &y, &s, d);
                npp_save(j->form.d, s.out, chunk, numbers);
                npp_store(&to_plane, j->c.dst_roi.y + d, (size_t)(j->c.dst_roi.x + e) * (size_t)channels, chunk,
                          numbers, npp_size(j->form.d));
            }
        }
    }
}
// Rows of one image, or of several below each other: the batch's list is the device's.
static void run_resize(const void *block, uint64_t part)
{
    const struct npp_job *j = block;
    const NppiResizeBatchCXR *batch = j->c.value[3];
    int from, to, height = j->list[5];
    npp_part(j, part, &from, &to);
    if (!batch)
        rows_resize(j, from, to);
    for (int end; batch && from < to; from = end) {
        int i = from / height;
        struct npp_job one = *j;
        end = (i + 1) * height < to ? (i + 1) * height : to;
        one.c.src[0] = (struct npp_image){(void *)batch[i].pSrc, batch[i].nSrcStep};
        one.c.dst[0] = (struct npp_image){batch[i].pDst, batch[i].nDstStep};
        rows_resize(&one, from - i * height, end - i * height);
    }
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
    // Several rows for a part, so that the weights of its columns are worth computing.
    double work = (axes[0].n * rows + written.width * taps) * c->form->channels / 8;
    int images = c->value[3] ? c->taps : 1;
    j->list[5] = written.height;
    NPP_CHECK(images <= INT32_MAX / written.height, NPP_SIZE_ERROR);
    return npp_launch(&resize_kernel, j, written.height * images, work);
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

NppStatus npp_resize_batch(const struct npp_call *c)
{
    NPP_CHECK(c->value[3], NPP_NULL_POINTER_ERROR);
    NPP_CHECK(c->taps >= 0, NPP_SIZE_ERROR);
    return c->taps ? npp_resize(c) : NPP_NO_ERROR;
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
