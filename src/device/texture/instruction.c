// SPDX-License-Identifier: Apache-2.0
// Instructions on textures and surfaces that kernels leave to the engine: see jit/abi/image.h.
#include "jit/abi/image.h"
#include "ptx/sampler.h"
#include "device/fault/fault.h"
#include "device/hook/hooks.h"
#include "device/texture/filter.h"
#include "device/texture/sample.h"
#include "device/texture/vector/gang.h"
#include <string.h>

enum { RESULTS = 4 };
static const char NO_IMAGE[] = "(no texture or surface)";

static uint32_t query(const struct texture *t, enum image_query q, uint32_t level)
{
    const struct array_level *l = &t->level[level < t->levels ? level : 0];
    bool slices = t->flags & (TEXTURE_LAYERED | TEXTURE_CUBE);
    // The formats of OpenCL, by which PTX names channels.
    static const uint16_t types[TEXEL_TYPES] = {0x10da, 0x10db, 0x10dc, 0x10d7, 0x10d8, 0x10d9,
                                                0x10dd, 0x10de, 0x10d2, 0x10d3, 0x10d0, 0x10d1};
    static const uint16_t orders[5] = {0, 0x10b0, 0x10b2, 0, 0x10b5};
    switch (q) {
    case IMAGE_WIDTH:
        return l->width;
    case IMAGE_HEIGHT:
        return t->kind == TEXTURE_SURFACE && t->dims == 1 ? 0 : l->height;
    case IMAGE_DEPTH: // of layers, too; the faces of a cube count for surfaces only
        return t->dims > 2 || (t->flags & TEXTURE_LAYERED) || (slices && t->kind == TEXTURE_SURFACE) ? l->depth : 0;
    case IMAGE_DATA_TYPE:
        return types[t->format.type];
    case IMAGE_ORDER:
        return orders[t->format.channels];
    case IMAGE_NORMALIZED:
        return (t->flags & TEXTURE_NORMALIZED) != 0;
    case IMAGE_UNNORMALIZED:
        return !(t->flags & TEXTURE_NORMALIZED);
    case IMAGE_ARRAY_SIZE:
        return !slices ? 0 : t->flags & TEXTURE_CUBE ? l->depth / 6 : l->depth;
    case IMAGE_LEVELS:
        return t->levels;
    case IMAGE_SAMPLES:
        return 1;
    case IMAGE_FILTER:
        return t->filter;
    case IMAGE_ADDRESS_0:
    case IMAGE_ADDRESS_1:
    case IMAGE_ADDRESS_2:
        return t->address[q - IMAGE_ADDRESS_0];
    default:
        return 0; // the memory layout: one like any other
    }
}

// Where a formatted access to a surface goes; NULL outside, where nothing is read or written. Coordinates are in
// texels.
static unsigned char *surface_texel(const struct texture *s, uint32_t op, const uint32_t *arg, uint32_t stride)
{
    enum image_geometry g = op >> IMAGE_GEOMETRY_SHIFT & 15;
    enum image_boundary boundary = op >> IMAGE_DETAIL_SHIFT & 15;
    const struct array_level *l = &s->level[0];
    uint32_t n[3] = {l->width, l->height, l->depth}, at[3] = {0};
    if (image_layered(g)) {
        at[2] = *arg;
        arg += stride;
    }
    for (unsigned i = 0; i < image_axes(g); i++, arg += stride)
        at[i] = *arg;
    for (unsigned i = 0; i < 3; i++) {
        if (at[i] < n[i])
            continue;
        if (boundary == IMAGE_TRAP)
            fault_raise_detail(FAULT_ILLEGAL_ADDRESS, "(a place outside of a surface)", FAULT_THREAD_UNKNOWN, NULL);
        if (boundary == IMAGE_ZERO)
            return NULL;
        at[i] = (int32_t)at[i] < 0 ? 0 : n[i] - 1;
    }
    return l->base + at[2] * l->slice_pitch + at[1] * l->row_pitch + (uint64_t)at[0] * s->format.size;
}

static void store_formatted(const struct texture *s, uint32_t op, const uint32_t *arg, uint32_t stride)
{
    unsigned char *p = surface_texel(s, op, arg, stride);
    arg += image_words(op) * stride;
    for (unsigned i = 0; p && i < s->format.channels; i++, arg += stride)
        texel_store(s, p, i, *arg);
}

static void load_formatted(const struct texture *s, uint32_t op, const uint32_t *arg, uint32_t stride, uint32_t *out)
{
    const unsigned char *p = surface_texel(s, op, arg, stride);
    for (unsigned i = 0; p && i < s->format.channels; i++)
        out[i] = texel_channel(s, p, i);
}

// A texture with the sampler of a .samplerref, where that was declared with properties.
static const struct texture *with_sampler(const struct texture *t, uint64_t sampler, struct texture *copy)
{
    if (!sampler)
        return t;
    bool unnormalized = sampler >> PTX_SAMPLER_UNNORMALIZED & 1;
    *copy = *t;
    copy->filter = sampler >> PTX_SAMPLER_FILTER & 1;
    copy->flags = unnormalized ? t->flags & ~(uint32_t)TEXTURE_NORMALIZED : t->flags | TEXTURE_NORMALIZED;
    for (unsigned i = 0; i < 3; i++) {
        uint8_t mode = sampler >> (PTX_SAMPLER_ADDRESS * i) & 3;
        copy->address[i] = unnormalized && (mode == ADDRESS_WRAP || mode == ADDRESS_MIRROR) ? ADDRESS_CLAMP : mode;
    }
    return copy;
}

// Of a lane: t, or *copy with the sampler that the instruction names.
static const struct texture *texture_of(const struct texture *t, uint32_t op, const uint32_t *arg, uint32_t stride,
                                        struct texture *copy)
{
    if (!(op & IMAGE_SAMPLER))
        return t;
    const uint32_t *h = arg + image_words(op) * stride;
    uint64_t sampler = h[0] | (uint64_t)h[stride] << 32;
    return with_sampler(t, sampler >> 56 == PTX_SAMPLER >> 56 ? sampler : 0, copy);
}

static bool same_sampler(uint32_t op, const uint32_t *arg, uint32_t stride, uint32_t a, uint32_t b)
{
    const uint32_t *h = arg + image_words(op) * stride;
    return h[a] == h[b] && h[stride + a] == h[stride + b];
}

// The lanes of `rest` that read with the same texture and sampler as the first of them.
static uint32_t same_texture(uint32_t op, uint32_t width, uint32_t rest, const uint64_t *handle, const uint32_t *args)
{
    uint32_t first = (uint32_t)__builtin_ctz(rest), same = 0;
    if ((op & IMAGE_ONE) && !(op & IMAGE_SAMPLER))
        return rest;
    for (; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        if (((op & IMAGE_ONE) || handle[lane] == handle[first]) &&
            (!(op & IMAGE_SAMPLER) || same_sampler(op, args, width, first, lane)))
            same |= rest & -rest;
    }
    return same;
}

// A read of a texture, for sets of lanes.
static void read_texture(uint32_t thread, uint32_t op, uint32_t width, uint32_t active, const uint64_t *handle,
                         const uint32_t *args, uint32_t *out, const void *site)
{
    texture_gang_fn *gang = texture_gang_choose(op >> IMAGE_VECTOR_SHIFT & 3, width);
    while (active) {
        struct texture copy;
        uint32_t first = (uint32_t)__builtin_ctz(active), same = same_texture(op, width, active, handle, args),
                 r[RESULTS];
        const struct texture *t = texture_find(handle[op & IMAGE_ONE ? 0 : first], false);
        if (!t)
            fault_raise_detail(FAULT_ILLEGAL_ADDRESS, NO_IMAGE, thread + first, site);
        t = texture_of(t, op, args + first, width, &copy);
        active &= ~same;
        if (width > 1 && gang(t, op, width, same, args, out))
            continue;
        for (; same; same &= same - 1) {
            uint32_t lane = (uint32_t)__builtin_ctz(same);
            texture_sample(t, op, args + lane, width, r);
            for (unsigned i = 0; i < RESULTS; i++)
                out[i * width + lane] = r[i];
        }
    }
}

void hook_image(struct jit_block *b, uint32_t first, uint32_t op, uint32_t width, uint32_t active,
                const uint64_t *handle, const uint32_t *args, uint32_t *out)
{
    (void)b;
    enum image_mode mode = op >> IMAGE_MODE_SHIFT & 15;
    memset(out, 0, sizeof *out * RESULTS * width);
    if (mode <= IMAGE_GATHER) {
        read_texture(first, op, width, active, handle, args, out, __builtin_return_address(0));
        return;
    }
    bool surface = mode >= IMAGE_SUQ;
    for (; active; active &= active - 1) {
        uint32_t r[RESULTS] = {0}, lane = (uint32_t)__builtin_ctz(active);
        const uint32_t *arg = args + lane;
        const struct texture *t = texture_find(handle[op & IMAGE_ONE ? 0 : lane], surface);
        if (!t || mode == IMAGE_OUTSIDE)
            fault_raise_detail(t && (op >> IMAGE_DETAIL_SHIFT & 1) ? FAULT_MISALIGNED : FAULT_ILLEGAL_ADDRESS,
                               t ? "(a place outside of a surface)" : NO_IMAGE, first + lane,
                               __builtin_return_address(0));
        if (mode == IMAGE_TXQ || mode == IMAGE_SUQ)
            r[0] = query(t, op >> IMAGE_DETAIL_SHIFT & 15, *arg);
        else if (mode == IMAGE_LOAD_P)
            load_formatted(t, op, arg, width, r);
        else
            store_formatted(t, op, arg, width);
        for (unsigned i = 0; i < RESULTS; i++)
            out[i * width + lane] = r[i];
    }
}
