// SPDX-License-Identifier: Apache-2.0
// Images in other colour spaces. A component is somewhere in memory by its own rule, whether pixels are packed, in planes, two bytes each or share their
// chroma; what is computed is cut off and saturated, and chroma that several pixels share is the mean of theirs, cut off too.
#include "npp/color.h"
#include "npp/body.h"
#include "npp/kernel/move.h"
#include "npp/kernel/number.h"
#include <string.h>

// Where component k of pixel (x, y) is: at[k] + (y >> down[k]) * row[k] + (x >> across[k]) * step[k].
struct view {
    uint8_t *at[4];
    ptrdiff_t row[4];
    int step[4], across[4], down[4];
};
static uint8_t *component(const struct view *v, int k, int x, int y)
{
    return v->at[k] + (ptrdiff_t)(y >> v->down[k]) * v->row[k] + (ptrdiff_t)(x >> v->across[k]) * v->step[k];
}

// Packed, or in planes: of RGB, and of other spaces that have all components for each pixel.
static struct view view_plain(const struct npp_image *images, bool planes, int channels, bool reverse)
{
    struct view v = {0};
    for (int k = 0; k < 4; k++) {
        int place = reverse && k < 3 ? 2 - k : k;
        const struct npp_image *i = &images[planes ? place : 0];
        v.at[k] = (uint8_t *)i->data + (planes ? 0 : place);
        v.row[k] = i->step;
        v.step[k] = planes ? 1 : channels;
    }
    return v;
}
// Shared chroma: three planes, a plane and one of pairs, or four bytes for two pixels.
static struct view view_shared(const struct npp_image *images, bool planes, int channels, int how)
{
    struct view v = view_plain(images, planes, channels, false);
    int first = how & COLOR_SWAP ? 1 : 0;
    if (planes && channels == 2)
        for (int k = 1; k < 3; k++) {
            v.at[k] = (uint8_t *)images[1].data + ((k - 1) ^ first);
            v.row[k] = images[1].step;
            v.step[k] = 2;
        }
    else if (planes && first) {
        struct view w = v;
        v.at[1] = w.at[2];
        v.at[2] = w.at[1];
        v.row[1] = w.row[2];
        v.row[2] = w.row[1];
    } else if (!planes) {
        int chroma = how & COLOR_UYVY ? 0 : 1;
        v.at[0] = (uint8_t *)images[0].data + 1 - chroma;
        v.step[0] = 2;
        for (int k = 1; k < 3; k++) {
            v.at[k] = (uint8_t *)images[0].data + chroma + 2 * ((k - 1) ^ first);
            v.step[k] = 4;
        }
    }
    for (int k = 1; k < 3; k++) {
        v.across[k] = 1;
        v.down[k] = how & COLOR_420 ? 1 : 0;
    }
    return v;
}
static void views(const struct npp_job *j, struct view *src, struct view *dst)
{
    const struct npp_form *f = &j->form;
    int how = f->argument;
    bool shared = how & (COLOR_422 | COLOR_420), from = how & COLOR_FROM, reverse = how & COLOR_BGR;
    *src = shared && from ? view_shared(j->c.src, f->planes, f->channels, how)
                          : view_plain(j->c.src, f->planes, f->channels, reverse && !from);
    *dst = shared && !from ? view_shared(j->c.dst, f->dst_planes, f->dst_channels, how)
                           : view_plain(j->c.dst, f->dst_planes, f->dst_channels, reverse && from);
}

// ---- rows. A span of pixels is read, converted and cut off; two rows of it where those share their chroma.
enum { SPAN = 256 };
struct span {
    float v[3][SPAN];
    uint8_t p[2][3][SPAN];
};
static void span_convert(const struct npp_job *j, const struct view *src, struct span *s, int row, int x, int y, int n)
{
    int how = j->form.argument;
    for (int k = 0; k < 3; k++) {
        const uint8_t *at = component(src, k, 0, y);
        int across = src->across[k], step = src->step[k];
        for (int i = 0; i < n; i++)
            s->v[k][i] = at[(ptrdiff_t)((x + i) >> across) * step];
    }
    (how & COLOR_FROM ? npp_color_from : npp_color_to)((enum npp_color)(how & SPACE_MASK), s->v[0], s->v[1], s->v[2],
                                                       n);
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < n; i++)
            s->p[row][k][i] = (uint8_t)npp_clampf(s->v[k][i], 0, 255);
}
// The mean of what a block of the span has: two pixels, or four of two rows. At the image's edge there may be fewer.
static void chroma_put(const struct view *dst, const struct span *s, int k, int x, int y, int n, int rows)
{
    for (int i = 0; i < n; i += 2) {
        int count = i + 1 < n ? 2 : 1, sum = 0;
        for (int r = 0; r < rows; r++)
            sum += s->p[r][k][i] + (count == 2 ? s->p[r][k][i + 1] : 0);
        *component(dst, k, x + i, y) = (uint8_t)(sum / (count * rows));
    }
}
static void component_put(const struct view *dst, const uint8_t *from, int k, int x, int y, int n)
{
    uint8_t *at = component(dst, k, x, y);
    int step = dst->step[k];
    for (int i = 0; i < n; i++)
        at[(ptrdiff_t)i * step] = from[i];
}
static void alpha_put(const struct view *src, const struct view *dst, int x, int y, int n, int alpha)
{
    for (int i = 0; i < n && alpha >= 0; i++)
        *component(dst, 3, x + i, y) = alpha < 256 ? (uint8_t)alpha : *component(src, 3, x + i, y);
}
static void rows_convert(const struct npp_job *j, const struct view *src, const struct view *dst, int y, int rows)
{
    struct span s;
    for (int x = 0; x < j->c.size.width; x += SPAN) {
        int n = j->c.size.width - x < SPAN ? j->c.size.width - x : SPAN;
        for (int r = 0; r < rows; r++) {
            span_convert(j, src, &s, r, x, y + r, n);
            component_put(dst, s.p[r][0], 0, x, y + r, n);
            alpha_put(src, dst, x, y + r, n, j->list[0]);
        }
        for (int k = 1; k < 3; k++)
            if (dst->across[k])
                chroma_put(dst, &s, k, x, y, n, rows);
            else
                component_put(dst, s.p[0][k], k, x, y, n);
    }
}
static void run_color(const void *block, uint64_t part)
{
    const struct npp_job *j = block;
    struct view src, dst;
    int from, to;
    views(j, &src, &dst);
    npp_part(j, part, &from, &to);
    for (int y = from; y < to; y++) {
        int first = y << dst.down[1], left = j->c.size.height - first;
        rows_convert(j, &src, &dst, first, dst.down[1] && left > 1 ? 2 : 1);
    }
}
static struct library_kernel color_kernel = LIBRARY_KERNEL("npp_color", run_color, struct npp_job);

// What becomes of a fourth channel: -1 it is left as it is, 0 to 255 a value, 256 a copy.
static int alpha_of(const struct npp_call *c)
{
    const struct npp_form *f = c->form;
    if (c->value[0])
        return *(const uint8_t *)c->value[0];
    if (f->dst_channels == 4 && f->channels == 4)
        return f->alpha && f->dst_planes ? 256 : -1;
    return f->dst_channels == 4 && !f->dst_alpha ? 255 : -1;
}
NppStatus npp_color(const struct npp_call *c)
{
    NPP_ENTER(c);
    struct npp_job j = npp_job(c);
    j.list[0] = alpha_of(c);
    int rows =
        c->form->argument & COLOR_420 && !(c->form->argument & COLOR_FROM) ? (c->size.height + 1) / 2 : c->size.height;
    return npp_launch(&color_kernel, &j, rows, 20.0 * c->size.width);
}

// ---- gray: a weighted sum, rounded up from the half on
static void run_gray(const void *block, uint64_t part)
{
    const struct npp_job *j = block;
    unsigned channels = j->form.channels, used = npp_used(&j->form);
    double v[NPP_CHUNK], out[NPP_CHUNK];
    int from, to, width = NPP_CHUNK / (int)channels;
    bool whole = j->form.s < NT_16f;
    npp_part(j, part, &from, &to);
    for (int y = from; y < to; y++)
        for (int x = 0; x < j->c.size.width; x += width) {
            int n = j->c.size.width - x < width ? j->c.size.width - x : width;
            npp_load(j->form.s, npp_at(&j->c.src[0], y, (size_t)x * channels * npp_size(j->form.s)), v,
                     (size_t)n * channels);
            for (int i = 0; i < n; i++) {
                double sum = 0;
                for (unsigned k = 0; k < used; k++)
                    sum += j->number[k] * v[(unsigned)i * channels + k];
                out[i] = whole ? floor(sum + 0.5) : sum;
            }
            npp_save(j->form.d, out, npp_at(&j->c.dst[0], y, (size_t)x * npp_size(j->form.d)), (size_t)n);
        }
}
static struct library_kernel gray_kernel = LIBRARY_KERNEL("npp_gray", run_gray, struct npp_job);
NppStatus npp_gray(const struct npp_call *c)
{
    static const float standard[3] = {0.299f, 0.587f, 0.114f};
    NPP_ENTER(c);
    struct npp_job j = npp_job(c);
    const float *k = c->value[0] ? c->value[0] : standard;
    for (unsigned i = 0; i < npp_used(c->form) && (c->value[0] || i < 3); i++)
        j.number[i] = (double)k[i];
    return npp_launch(&gray_kernel, &j, c->size.height, 4.0 * (double)npp_row(c->form, c->size.width));
}

// ---- twist: each channel is a sum of all and a constant. One channel alone has the first number of a row, two have two. Of four channels the last is copied,
// unless the constants are an array of their own (list[0]).
struct twist {
    float m[4][4], constant[4];
};
static void twist_numbers(const struct npp_job *j, const struct twist *t, unsigned used, const double *v, double *out)
{
    unsigned twisted = used == 4 && !j->list[0] ? 3 : used;
    out[3] = v[3];
    for (unsigned i = 0; i < twisted; i++) {
        double sum = j->list[0] ? (double)t->constant[i] : (double)t->m[i][3];
        for (unsigned k = 0; k < twisted; k++)
            sum += (double)t->m[i][k] * v[k];
        out[i] = sum;
    }
}
static void run_twist(const void *block, uint64_t part)
{
    const struct npp_job *j = block;
    const struct npp_form *f = &j->form;
    struct twist t;
    size_t size = npp_size(f->s);
    unsigned used = f->planes ? f->channels : npp_used(f);
    int from, to;
    memcpy(&t, j->value, sizeof t);
    npp_part(j, part, &from, &to);
    for (int y = from; y < to; y++)
        for (int x = 0; x < j->c.size.width; x++) {
            double v[4] = {0}, out[4] = {0};
            for (unsigned k = 0; k < used; k++)
                v[k] = npp_get(f->s, f->planes ? npp_at(&j->c.src[k], y, (size_t)x * size)
                                               : npp_at(&j->c.src[0], y, ((size_t)x * f->channels + k) * size));
            twist_numbers(j, &t, used, v, out);
            if (f->s < NT_16f)
                npp_round(out, used, NPP_RND_ZERO);
            for (unsigned k = 0; k < used; k++)
                npp_save(f->s, &out[k],
                         f->planes ? npp_at(&j->c.dst[k], y, (size_t)x * size)
                                   : npp_at(&j->c.dst[0], y, ((size_t)x * f->channels + k) * size),
                         1);
        }
}
static struct library_kernel twist_kernel = LIBRARY_KERNEL("npp_twist", run_twist, struct npp_job);
NppStatus npp_twist(const struct npp_call *c)
{
    struct twist t = {0};
    NPP_ENTER(c);
    struct npp_job j = npp_job(c);
    j.list[0] = c->value[1] != NULL;
    memcpy(t.m, c->value[0], (c->value[1] ? 16 : 12) * sizeof(float));
    if (c->value[1])
        memcpy(t.constant, c->value[1], sizeof t.constant);
    _Static_assert(sizeof t <= sizeof j.value, "a twist fits");
    memcpy(j.value, &t, sizeof t);
    return npp_launch(&twist_kernel, &j, c->size.height, 30.0 * c->size.width);
}

// ---- gamma of Rec. 709, of bytes
static void run_gamma(const void *block, uint64_t part)
{
    const struct npp_job *j = block;
    uint8_t table[256];
    int from, to;
    bool inverse = j->form.argument;
    for (int i = 0; i < 256; i++) {
        double x = i / 255.0, forward = x < 0.018 ? 4.5 * x : 1.099 * pow(x, 0.45) - 0.099;
        double back = x <= 0.0812 ? x / 4.5 : pow((x + 0.099) / 1.099, 1 / 0.45);
        table[i] = (uint8_t)((inverse ? back : forward) * 255);
    }
    npp_part(j, part, &from, &to);
    for (int y = from; y < to; y++)
        for (unsigned p = 0; p < (j->form.planes ? j->form.channels : 1u); p++) {
            const uint8_t *in = npp_at(&j->c.src[p], y, 0);
            uint8_t *out = npp_at(&j->c.dst[p], y, 0);
            size_t n = npp_row(&j->form, j->c.size.width);
            for (size_t i = 0; i < n; i++)
                if (!j->form.alpha || i % 4 != 3)
                    out[i] = table[in[i]];
        }
}
static struct library_kernel gamma_kernel = LIBRARY_KERNEL("npp_gamma", run_gamma, struct npp_job);
NppStatus npp_gamma(const struct npp_call *c)
{
    NPP_ENTER(c);
    struct npp_job j = npp_job(c);
    return npp_launch(&gamma_kernel, &j, c->size.height, 2.0 * (double)npp_row(c->form, c->size.width));
}
