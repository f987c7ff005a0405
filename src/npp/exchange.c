// SPDX-License-Identifier: Apache-2.0
// Images are set, copied, converted and turned.
#include "library/half.h"
#include "npp/body.h"
#include "npp/kernel/move.h"
#include "npp/kernel/number.h"
#include <string.h>

// ---- set
static void run_set(const void *block, uint64_t part)
{
    const struct npp_job *j = block;
    size_t size = npp_size(j->form.d);
    _Alignas(64) unsigned char chunk[NPP_CHUNK * 16];
    int from, to;
    npp_pattern(chunk, j->value[0], j->form.channels, size);
    npp_part(j, part, &from, &to);
    for (int y = from; y < to; y++)
        for (size_t i = 0, n = npp_numbers(j, y); i < n; i += NPP_CHUNK)
            npp_store(j, y, i, chunk, n - i < NPP_CHUNK ? n - i : NPP_CHUNK, size);
}
static struct library_kernel set_kernel = LIBRARY_KERNEL("npp_set", run_set, struct npp_job);

static void value_get(struct npp_job *j, unsigned n)
{
    const float *f = j->c.value[0];
    for (unsigned i = 0; i < n && j->form.s == NT_16f; i++) {
        uint16_t h = half_of_float(f[i]);
        memcpy(&j->value[0][2 * i], &h, 2);
    }
    if (j->form.s != NT_16f)
        memcpy(j->value[0], j->c.value[0], n * npp_size(j->form.s));
}
NppStatus npp_set(const struct npp_call *c)
{
    NPP_ENTER(c);
    struct npp_job j = npp_job(c);
    value_get(&j, npp_used(c->form));
    return npp_launch(&set_kernel, &j, c->size.height, (double)npp_row(c->form, c->size.width));
}

// ---- channels: numbers of a row are copied from one distance to another
struct lane {
    const char *from;
    char *to;
    size_t from_step, to_step;
};
static void lane_copy(struct lane l, size_t n, size_t size)
{
#define LANES(T)                                                                                                       \
    for (size_t i = 0; i < n; i++)                                                                                     \
    ((T *)l.to)[i * l.to_step] = ((const T *)l.from)[i * l.from_step]
    if (size == 1)
        LANES(uint8_t);
    else if (size == 2)
        LANES(uint16_t);
    else
        LANES(uint32_t);
#undef LANES
}
static void run_lanes(const void *block, uint64_t part)
{
    const struct npp_job *j = block;
    const struct npp_form *f = &j->form;
    size_t size = npp_size(f->s);
    int from, to, lanes = j->list[0];
    npp_part(j, part, &from, &to);
    for (int y = from; y < to; y++)
        for (int k = 0; k < lanes; k++) {
            const struct npp_image *src = &j->c.src[f->planes ? k : 0], *dst = &j->c.dst[f->dst_planes ? k : 0];
            size_t in = f->planes ? 0 : (size_t)k * size, out = f->dst_planes ? 0 : (size_t)k * size;
            struct lane l = {j->list[1] ? (const char *)j->value[0] : npp_at(src, y, in), npp_at(dst, y, out),
                             j->list[1]  ? 0
                             : f->planes ? 1
                                         : f->channels,
                             f->dst_planes ? 1 : f->dst_channels};
            lane_copy(l, (size_t)j->c.size.width, size);
        }
}
static struct library_kernel lanes_kernel = LIBRARY_KERNEL("npp_channels", run_lanes, struct npp_job);
static NppStatus lanes_launch(const struct npp_call *c, int lanes, bool value)
{
    struct npp_job j = npp_job(c);
    j.list[0] = lanes;
    j.list[1] = value;
    if (value)
        value_get(&j, 1);
    return npp_launch(&lanes_kernel, &j, c->size.height, (double)c->size.width * lanes);
}
NppStatus npp_set_channel(const struct npp_call *c)
{
    NPP_ENTER(c);
    return lanes_launch(c, 1, true);
}
// One channel to one channel; the pointers are at them.
NppStatus npp_copy_channel(const struct npp_call *c)
{
    NPP_ENTER(c);
    return lanes_launch(c, 1, false);
}
NppStatus npp_copy_planes(const struct npp_call *c)
{
    NPP_ENTER(c);
    return lanes_launch(c, c->form->channels, false);
}

// ---- copy
static void run_copy(const void *block, uint64_t part)
{
    const struct npp_job *j = block;
    size_t size = npp_size(j->form.s);
    int from, to;
    npp_part(j, part, &from, &to);
    for (int y = from; y < to; y++)
        npp_store(j, y, 0, npp_at(&j->c.src[0], y, 0), npp_numbers(j, y), size);
}
static struct library_kernel copy_kernel = LIBRARY_KERNEL("npp_copy", run_copy, struct npp_job);
NppStatus npp_copy(const struct npp_call *c)
{
    NPP_ENTER(c);
    struct npp_job j = npp_job(c);
    return npp_launch(&copy_kernel, &j, c->size.height, (double)npp_row(c->form, c->size.width));
}

// ---- copies with a border
static int border_at(int i, int size, int mode)
{
    if (i >= 0 && i < size)
        return i;
    if (mode == NPP_BORDER_CONSTANT)
        return -1;
    if (mode == NPP_BORDER_REPLICATE)
        return i < 0 ? 0 : size - 1;
    return (i % size + size) % size;
}
static void run_border(const void *block, uint64_t part)
{
    const struct npp_job *j = block;
    size_t pixel = npp_size(j->form.s) * j->form.channels;
    unsigned channels = j->form.channels;
    int from, to, mode = j->form.argument, width = NPP_CHUNK / (int)channels;
    unsigned char chunk[NPP_CHUNK * 4];
    npp_part(j, part, &from, &to);
    for (int y = from; y < to; y++) {
        int sy = border_at(y - j->c.offset.y, j->c.src_size.height, mode);
        for (int x = 0; x < j->c.size.width; x += width) {
            int n = j->c.size.width - x < width ? j->c.size.width - x : width;
            for (int i = 0; i < n; i++) {
                int sx = border_at(x + i - j->c.offset.x, j->c.src_size.width, mode);
                const void *v = sy < 0 || sx < 0 ? j->value[0] : npp_at(&j->c.src[0], sy, (size_t)sx * pixel);
                memcpy(chunk + (size_t)i * pixel, v, pixel);
            }
            npp_store(j, y, (size_t)x * channels, chunk, (size_t)n * channels, npp_size(j->form.s));
        }
    }
}
static struct library_kernel border_kernel = LIBRARY_KERNEL("npp_copy_border", run_border, struct npp_job);
NppStatus npp_copy_border(const struct npp_call *c)
{
    NPP_ENTER(c);
    NPP_CHECK(c->src_size.width > 0 && c->src_size.height > 0 && c->offset.x >= 0 && c->offset.y >= 0 &&
                  c->src_size.width <= c->size.width - c->offset.x &&
                  c->src_size.height <= c->size.height - c->offset.y,
              NPP_SIZE_ERROR);
    struct npp_job j = npp_job(c);
    if (c->value[0])
        memcpy(j.value[0], c->value[0], npp_used(c->form) * npp_size(c->form->s));
    return npp_launch(&border_kernel, &j, c->size.height, 4.0 * (double)npp_row(c->form, c->size.width));
}

// ---- other types: v * number[0] + number[1], rounded in the call's way, or cut off
static void run_convert(const void *block, uint64_t part)
{
    const struct npp_job *j = block;
    size_t size = npp_size(j->form.s), out = npp_size(j->form.d);
    double v[NPP_CHUNK], factor = j->number[0], offset = j->number[1];
    unsigned char chunk[NPP_CHUNK * 8];
    int from, to;
    npp_part(j, part, &from, &to);
    for (int y = from; y < to; y++)
        for (size_t i = 0, n = npp_numbers(j, y); i < n; i += NPP_CHUNK) {
            size_t count = n - i < NPP_CHUNK ? n - i : NPP_CHUNK;
            npp_load(j->form.s, npp_at(&j->c.src[0], y, i * size), v, count);
            for (size_t k = 0; k < count && j->list[0]; k++)
                v[k] = v[k] * factor + offset;
            if (j->c.round != NPP_RND_NEAR)
                npp_round(v, count, (NppRoundMode)j->c.round);
            npp_save(j->form.d, v, chunk, count);
            npp_store(j, y, i, chunk, count, out);
        }
}
static struct library_kernel convert_kernel = LIBRARY_KERNEL("npp_convert", run_convert, struct npp_job);
NppStatus npp_convert(const struct npp_call *c)
{
    NPP_ENTER(c);
    NPP_CHECK(c->round >= NPP_RND_NEAR && c->round <= NPP_RND_ZERO, NPP_ROUND_MODE_NOT_SUPPORTED_ERROR);
    struct npp_job j = npp_job(c);
    j.number[0] = ldexp(1, -c->scale);
    j.list[0] = c->scale != 0;
    if (c->form->d == NT_16f) // half precision keeps its places behind the point
        j.c.round = NPP_RND_NEAR;
    return npp_launch(&convert_kernel, &j, c->size.height, 2.0 * (double)npp_row(c->form, c->size.width));
}

// ---- scale: the whole range of one type becomes that of the other one, or of the range given; integers are cut off
static void range_of(enum npp_type t, const struct npp_call *c, double *low, double *high)
{
    static const double ranges[][2] = {[NT_8u] = {0, 255},
                                       [NT_16u] = {0, 65535},
                                       [NT_16s] = {-32768, 32767},
                                       [NT_32s] = {-2147483648.0, 2147483647.0}};
    *low = t == NT_32f ? c->number[0] : ranges[t][0];
    *high = t == NT_32f ? c->number[1] : ranges[t][1];
}
NppStatus npp_scale(const struct npp_call *c)
{
    double low, high, to_low, to_high;
    NPP_ENTER(c);
    NPP_CHECK(!c->form->argument || c->number[1] > c->number[0], NPP_SCALE_RANGE_ERROR);
    struct npp_job j = npp_job(c);
    range_of(c->form->s, c, &low, &high);
    range_of(c->form->d, c, &to_low, &to_high);
    j.number[0] = (to_high - to_low) / (high - low);
    j.number[1] = to_low - low * j.number[0];
    j.list[0] = 1;
    j.c.round = npp_size(c->form->d) == 1 ? NPP_RND_ZERO : NPP_RND_NEAR;
    return npp_launch(&convert_kernel, &j, c->size.height, 2.0 * (double)npp_row(c->form, c->size.width));
}

// ---- one channel to several, channels in another order: each channel written is one of the source, a value, or is left as it is
static void run_swap(const void *block, uint64_t part)
{
    const struct npp_job *j = block;
    const struct npp_form *f = &j->form;
    size_t size = npp_size(f->s);
    int from, to;
    npp_part(j, part, &from, &to);
    for (int y = from; y < to; y++) {
        const char *in = npp_at(&j->c.src[0], y, 0);
        char *out = npp_at(&j->c.dst[0], y, 0);
        for (int x = 0; x < j->c.size.width; x++, in += f->channels * size, out += f->dst_channels * size) {
            unsigned char pixel[16];
            memcpy(pixel, in, f->channels * size);
            for (unsigned k = 0; k < f->dst_channels; k++)
                if (j->list[k] >= 0)
                    memcpy(out + k * size, j->list[k] < 4 ? pixel + (size_t)j->list[k] * size : j->value[0], size);
        }
    }
}
static struct library_kernel swap_kernel = LIBRARY_KERNEL("npp_swap_channels", run_swap, struct npp_job);
NppStatus npp_dup(const struct npp_call *c)
{
    NPP_ENTER(c);
    struct npp_job j = npp_job(c);
    j.list[3] = c->form->dst_alpha ? -1 : 0;
    return npp_launch(&swap_kernel, &j, c->size.height, 4.0 * c->size.width);
}
// A C3C4 order has 3 for the value; larger ones leave the channel as it is.
NppStatus npp_swap(const struct npp_call *c)
{
    const int *order = c->value[1];
    NPP_ENTER(c);
    struct npp_job j = npp_job(c);
    unsigned n = c->form->alpha ? 3 : c->form->dst_channels;
    j.list[3] = -1;
    for (unsigned i = 0; i < n; i++) {
        bool value = c->form->argument && order[i] == 3, keep = c->form->argument && order[i] > 3;
        NPP_CHECK(order[i] >= 0 && (value || keep || order[i] < (c->form->alpha ? 3 : c->form->channels)),
                  NPP_CHANNEL_ORDER_ERROR);
        j.list[i] = value ? 4 : keep ? -1 : order[i];
    }
    if (c->form->argument)
        memcpy(j.value[0], c->value[0], npp_size(c->form->s));
    return npp_launch(&swap_kernel, &j, c->size.height, 4.0 * (double)npp_row(c->form, c->size.width));
}

// ---- transpose: tiles that fit a first cache
static void run_transpose(const void *block, uint64_t part)
{
    enum { TILE = 32 };
    const struct npp_job *j = block;
    size_t pixel = npp_size(j->form.s) * j->form.channels;
    int from, to;
    npp_part(j, part, &from, &to);
    for (int x0 = 0; x0 < j->c.size.width; x0 += TILE)
        for (int y = from; y < to; y++)
            for (int x = x0; x < x0 + TILE && x < j->c.size.width; x++)
                memcpy(npp_at(&j->c.dst[0], x, (size_t)y * pixel), npp_at(&j->c.src[0], y, (size_t)x * pixel), pixel);
}
static struct library_kernel transpose_kernel = LIBRARY_KERNEL("npp_transpose", run_transpose, struct npp_job);
NppStatus npp_transpose(const struct npp_call *c)
{
    NPP_ENTER(c);
    struct npp_job j = npp_job(c);
    return npp_launch(&transpose_kernel, &j, c->size.height, 4.0 * (double)npp_row(c->form, c->size.width));
}

// ---- copies between pixels: each is the bilinear mean of four
static void run_subpixel(const void *block, uint64_t part)
{
    const struct npp_job *j = block;
    size_t size = npp_size(j->form.s);
    unsigned channels = j->form.channels;
    double dx = j->c.number[0], dy = j->c.number[1], a[NPP_CHUNK + 4], b[NPP_CHUNK + 4];
    unsigned char chunk[NPP_CHUNK * 8];
    int from, to;
    npp_part(j, part, &from, &to);
    for (int y = from; y < to; y++)
        for (size_t i = 0, n = npp_numbers(j, y); i < n; i += NPP_CHUNK) {
            size_t count = n - i < NPP_CHUNK ? n - i : NPP_CHUNK, more = count + (dx != 0 ? channels : 0);
            npp_load(j->form.s, npp_at(&j->c.src[0], y, i * size), a, more);
            npp_load(j->form.s, npp_at(&j->c.src[0], y + (dy != 0), i * size), b, more);
            for (size_t k = 0; k < more; k++)
                a[k] = a[k] * (1 - dy) + b[k] * dy;
            for (size_t k = 0; k < count && dx != 0; k++)
                a[k] = a[k] * (1 - dx) + a[k + channels] * dx;
            npp_save(j->form.d, a, chunk, count);
            npp_store(j, y, i, chunk, count, size);
        }
}
static struct library_kernel subpixel_kernel = LIBRARY_KERNEL("npp_copy_subpixel", run_subpixel, struct npp_job);
NppStatus npp_copy_subpixel(const struct npp_call *c)
{
    NPP_ENTER(c);
    struct npp_job j = npp_job(c);
    return npp_launch(&subpixel_kernel, &j, c->size.height, 4.0 * (double)npp_row(c->form, c->size.width));
}
