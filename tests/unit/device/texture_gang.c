// SPDX-License-Identifier: Apache-2.0
// The samplers for gangs (device/texture/vector): each that this processor runs gives the bits of texture_sample, for every geometry, format,
// filter, address mode and instruction, in random places and at the edges, at all widths and under random masks. Lanes that are not active
// change nothing and read nothing.
#include "../../texture/cases.h"
#include "device/texture/sample.h"
#include "device/texture/vector/gang.h"
#include "test.h"
#include <sys/mman.h>

enum { WIDTH_MAX = 32, WORDS = 10, RESULTS = 4, UNTOUCHED = 0x5a5a5a5a };

static uint32_t state = 2463534242u;

static uint32_t draw(void)
{
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

static uint32_t draw_below(uint32_t n)
{
    return (draw() >> 4) % n;
}

static uint32_t bits_of(float f)
{
    uint32_t u;
    memcpy(&u, &f, 4);
    return u;
}

// ---- Textures
static unsigned char *memory; // that no texture is larger than
enum { MEMORY = 1 << 24 };

// Texels of all sizes that a type has; wild ones have infinities, NaNs and numbers that are far apart.
static void fill(struct texture *t, size_t bytes, bool wild)
{
    struct texture_case c = {.type = t->format.type, .flags = wild ? C_WILD : 0};
    unsigned size = texel_type_size(t->format.type);
    uint32_t seed = draw();
    for (size_t i = 0; i < bytes / size; i++)
        case_texel(&c, seed, (uint32_t)i, memory + i * size);
}

// What is to be read, but for the array behind it.
struct kind {
    enum image_geometry geometry;
    enum texel_type type;
    unsigned channels;
    bool as_float, srgb, mipmap, linear_memory, wild;
    uint32_t extent[3];
};

static bool is_layered(enum image_geometry g)
{
    return g == IMAGE_A1D || g == IMAGE_A2D;
}

static struct texture *make(const struct kind *k, uint32_t sampler)
{
    struct texture t = {.kind = k->linear_memory ? TEXTURE_LINEAR : TEXTURE_ARRAY,
                        .dims = k->geometry == IMAGE_3D ? 3 : 2,
                        .format = texel_format_make(k->type, k->channels),
                        .filter = sampler & 1,
                        .mip_filter = sampler >> 1 & 1,
                        .mip_max = 5.3f,
                        .mip_min = sampler & 8 ? 0.7f : 0,
                        .mip_bias = sampler & 16 ? 0.4f : 0,
                        .border = {0.3f, -0.7f, 5.0f, 100000.0f}};
    bool one = k->geometry == IMAGE_1D || k->geometry == IMAGE_A1D, slices = is_layered(k->geometry);
    struct array a = {
        .dims = t.dims, .format = t.format, .levels = k->mipmap ? 4 : 1, .flags = slices ? ARRAY_LAYERED : 0};
    size_t bytes =
        array_layout(&a, k->extent[0], one ? 0 : k->extent[1], slices || k->geometry == IMAGE_3D ? k->extent[2] : 0);
    if (bytes > MEMORY)
        return NULL;
    t.flags = (sampler & 4 ? TEXTURE_NORMALIZED : 0) | (k->as_float ? TEXTURE_READ_FLOAT : 0) |
              (k->srgb ? TEXTURE_SRGB : 0) | (k->mipmap ? TEXTURE_MIPMAP : 0) | (slices ? TEXTURE_LAYERED : 0);
    t.levels = a.levels;
    for (unsigned i = 0; i < 3; i++)
        t.address[i] = sampler >> (8 + 2 * i) & 3;
    for (unsigned i = 0; i < a.levels; i++) {
        t.level[i] = a.level[i];
        t.level[i].base = memory + (uintptr_t)a.level[i].base;
    }
    fill(&t, bytes, k->wild);
    return texture_create(&t);
}

// ---- Reads
static float coordinate(const struct texture *t, uint32_t n)
{
    float c = case_coordinate(draw(), draw(), (int)n);
    return t->flags & TEXTURE_NORMALIZED ? c / (float)n : c;
}

static uint32_t number(uint32_t n)
{
    uint32_t r = draw();
    return r % 32 == 0 ? draw() : r / 32 % (n + 8) - 4;
}

// One lane's words.
static void place(const struct texture *t, uint32_t op, uint32_t *arg, uint32_t stride)
{
    enum image_geometry g = op >> IMAGE_GEOMETRY_SHIFT & 15;
    enum image_mode mode = op >> IMAGE_MODE_SHIFT & 15;
    uint32_t n[3] = {t->level[0].width, t->level[0].height, t->level[0].depth};
    if (image_layered(g)) {
        *arg = number(n[2]);
        arg += stride;
    }
    for (unsigned k = 0; k < image_axes(g); k++, arg += stride)
        *arg = op & IMAGE_INTEGER ? number(n[k]) : bits_of(coordinate(t, n[k]));
    if (mode == IMAGE_LEVEL) {
        *arg = op & IMAGE_INTEGER    ? draw_below(6)
               : draw_below(16) == 0 ? draw()
                                     : bits_of((float)((int)draw_below(7 * 256) - 256) / 256);
        arg += stride;
    }
    for (unsigned k = 0; mode == IMAGE_GRAD && k < 2 * image_axes(g); k++, arg += stride)
        *arg = bits_of((float)((int)draw_below(1024) - 512) / (float)(64 << draw_below(8)));
    for (unsigned k = 0; (op & IMAGE_OFFSETS) && k < image_axes(g); k++, arg += stride)
        *arg = draw_below(16) - 8;
}

static struct {
    const char *name;
    texture_gang_fn *read;
} gangs[3] = {{"plain", texture_gang_plain}};
static unsigned ngangs = 1;

static void find_gangs(void)
{
#ifdef __x86_64__
    static const char *const names[] = {"", "AVX2", "AVX-512"};
    for (enum image_vector v = IMAGE_VECTOR_32; v <= IMAGE_VECTOR_64; v++) {
        texture_gang_fn *f = texture_gang_choose(v, WIDTH_MAX);
        if (f != gangs[ngangs - 1].read) {
            gangs[ngangs].name = names[v];
            gangs[ngangs++].read = f;
        }
    }
#endif
}

static bool same_row(const struct texture *t, uint32_t op, uint32_t width, uint32_t active, const uint32_t *args,
                     const uint32_t *out)
{
    for (uint32_t lane = 0; lane < width; lane++) {
        uint32_t want[RESULTS] = {UNTOUCHED, UNTOUCHED, UNTOUCHED, UNTOUCHED};
        if (active >> lane & 1)
            texture_sample(t, op, args + lane, width, want);
        for (unsigned i = 0; i < RESULTS; i++)
            if (out[i * width + lane] != want[i]) {
                fprintf(stderr, "lane %u word %u: %08x, not %08x, at %08x %08x %08x %08x\n", lane, i,
                        out[i * width + lane], want[i], args[lane], args[width + lane], args[2 * width + lane],
                        args[3 * width + lane]);
                return false;
            }
    }
    return true;
}

// Whether it is served is the same for all; what is not must be one of the reads that read.h names.
static bool serves(const struct texture *t, const struct kind *k, uint32_t op)
{
    enum image_mode mode = op >> IMAGE_MODE_SHIFT & 15;
    bool numbered = (op & IMAGE_INTEGER) || k->linear_memory, bytes = k->type == TEXEL_U8 || k->type == TEXEL_UNORM8;
    bool whole = !k->as_float && k->type < TEXEL_F16, mixes = k->mipmap && t->mip_filter == FILTER_LINEAR;
    if ((k->srgb && bytes) || (op & IMAGE_OFFSETS) || k->geometry > IMAGE_A2D)
        return false;
    if (numbered)
        return k->geometry != IMAGE_1D || k->linear_memory;
    return mode == IMAGE_GATHER || !whole || (t->filter == FILTER_POINT && !mixes);
}

static bool try_read(const struct texture *t, const struct kind *k, uint32_t op)
{
    static const uint32_t widths[] = {8, 16, 32, 32};
    for (unsigned i = 0; i < ngangs; i++) {
        uint32_t args[WORDS * WIDTH_MAX], out[RESULTS * WIDTH_MAX], width = widths[draw_below(4)], active = draw();
        if (i && gangs[i].read != texture_gang_choose(IMAGE_VECTOR_64, width))
            width = WIDTH_MAX;
        uint32_t all = width == WIDTH_MAX ? UINT32_MAX : (UINT32_C(1) << width) - 1;
        active = draw_below(2) ? all : active & all ? active & all : 1;
        memset(args, 0, sizeof args);
        for (uint32_t lane = 0; lane < width; lane++)
            place(t, op, args + lane, width);
        for (unsigned w = 0; w < RESULTS * width; w++)
            out[w] = active >> w % width & 1 ? 0 : UNTOUCHED;
        if (gangs[i].read(t, op, width, active, args, out) != serves(t, k, op)) {
            fprintf(stderr, "%s: served, or not\n", gangs[i].name);
            return false;
        }
        if (serves(t, k, op) && !same_row(t, op, width, active, args, out)) {
            fprintf(stderr, "%s, width %u\n", gangs[i].name, width);
            return false;
        }
    }
    return true;
}

static void try_kind(const struct kind *k, uint32_t sampler)
{
    struct texture *t = make(k, sampler);
    if (!t) {
        CHECK(false);
        return;
    }
    bool flat = k->geometry == IMAGE_2D || k->geometry == IMAGE_A2D, right = true;
    uint32_t flags = draw_below(32) == 0 ? IMAGE_OFFSETS : 0;
    right &= try_read(t, k, image_op(k->geometry, IMAGE_TEX, 0, flags));
    if (k->mipmap || draw_below(8) == 0) {
        right &= try_read(t, k, image_op(k->geometry, IMAGE_LEVEL, 0, 0));
        if (!k->linear_memory)
            right &= try_read(t, k, image_op(k->geometry, IMAGE_GRAD, 0, 0));
    }
    if (flat && k->geometry <= IMAGE_A2D && !k->linear_memory)
        right &= try_read(t, k, image_op(k->geometry, IMAGE_GATHER, draw_below(4), 0));
    if (draw_below(4) == 0)
        right &= try_read(t, k, image_op(k->geometry, draw_below(2) ? IMAGE_TEX : IMAGE_LEVEL, 0, IMAGE_INTEGER));
    if (!right)
        fprintf(stderr, "geometry %d type %d x %u float %d srgb %d mipmap %d linear %d, %u x %u x %u, sampler %04x\n",
                k->geometry, k->type, k->channels, k->as_float, k->srgb, k->mipmap, k->linear_memory, k->extent[0],
                k->extent[1], k->extent[2], sampler);
    CHECK(right);
    texture_destroy(t);
}

static struct kind kind_of(enum image_geometry g, enum texel_type type, unsigned channels, bool as_float)
{
    static const uint8_t extents[] = {1, 2, 3, 5, 16, 37, 64};
    struct kind k = {.geometry = g, .type = type, .channels = channels};
    k.as_float = as_float && type < TEXEL_F16 && type != TEXEL_U32 && type != TEXEL_S32;
    for (unsigned i = 0; i < 3; i++)
        k.extent[i] = extents[draw_below(i < 2 ? 7 : 5)];
    k.wild = draw_below(4) == 0;
    return k;
}

// Every geometry, format, filter, kind of coordinates and address mode of each axis.
static void all_kinds(void)
{
    unsigned number = 0;
    for (enum image_geometry g = IMAGE_1D; g <= IMAGE_A2D; g++)
        for (enum texel_type type = 0; type < TEXEL_TYPES; type++)
            for (unsigned channels = 1; channels <= 4; channels *= 2)
                for (uint32_t sampler = 0; sampler < 1 << 7; sampler++) {
                    if (!test_takes(number++, 0, 16))
                        continue;
                    struct kind k = kind_of(g, type, channels, sampler >> 6 & 1);
                    uint32_t mode = sampler >> 4 & 3;
                    k.mipmap = draw_below(4) == 0;
                    k.srgb = draw_below(16) == 0;
                    try_kind(&k,
                             (sampler & 15) | draw_below(2) << 4 | (draw_below(2) ? mode * 21 : draw_below(64)) << 8);
                }
}

// Memory that is read by number, and extents whose coordinates have more bits.
static void others(void)
{
    for (enum texel_type type = 0; type < TEXEL_TYPES; type++)
        for (unsigned channels = 1; channels <= 4; channels *= 2) {
            struct kind k = kind_of(IMAGE_1D, type, channels, draw_below(2));
            k.linear_memory = true;
            k.extent[0] = 1000;
            try_kind(&k, 0);
        }
    static const uint32_t large[][2] = {{8191, 3},  {8192, 2},   {8193, 3}, {65536, 2},
                                        {65537, 3}, {131072, 2}, {5, 8193}, {2, 131072}};
    for (unsigned i = 0; i < sizeof large / sizeof *large; i++)
        for (uint32_t sampler = 0; sampler < 32; sampler++) {
            if (!test_takes(sampler, i, 8))
                continue;
            struct kind k = kind_of(IMAGE_2D, sampler & 1 ? TEXEL_F32 : TEXEL_U8, 1, true);
            memcpy(k.extent, large[i], sizeof large[i]);
            try_kind(&k, (sampler & 1) | (sampler >> 1 & 1) << 2 | (sampler >> 3) * 21 << 8);
        }
}

// Values whose sum is near the ends of what floats hold, and weights that are 0 after rounding.
static void exponents(void)
{
    struct kind k = {.geometry = IMAGE_2D, .type = TEXEL_F32, .channels = 1, .extent = {8, 8, 1}};
    for (int e = 1; e < 255; e++) {
        if (!test_takes((size_t)e, 0, 8))
            continue;
        struct texture *t = make(&k, 1);
        bool right = t != NULL;
        for (unsigned i = 0; t && i < 64; i++) {
            uint32_t u = (draw() & 0x807fffff) | (uint32_t)(e - (int)draw_below(e < 40 ? (uint32_t)e : 40)) << 23;
            memcpy(t->level[0].base + i / 8 * t->level[0].row_pitch + i % 8 * 4, &u, 4);
        }
        for (unsigned i = 0; right && i < 8; i++)
            right = try_read(t, &k, image_op(IMAGE_2D, IMAGE_TEX, 0, 0));
        CHECK(right);
        if (t)
            texture_destroy(t);
    }
}

// The lower rows cannot be read, and nothing beyond the last byte can: only lanes that are not active have coordinates there.
static void guarded(void)
{
    enum { ROW = 4096, ROWS = 4 };
    unsigned char *p = mmap(NULL, 2 * ROWS * ROW, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED || mprotect(p, ROWS * ROW, PROT_READ | PROT_WRITE)) {
        CHECK(false);
        return;
    }
    memset(p, 17, ROWS * ROW);
    static const enum texel_type types[] = {TEXEL_F32, TEXEL_U8, TEXEL_F16};
    for (unsigned i = 0; i < 3 * 2 * ngangs; i++) {
        struct texture t = {.kind = TEXTURE_ARRAY,
                            .dims = 2,
                            .format = texel_format_make(types[i % 3], 1),
                            .levels = 1,
                            .flags = TEXTURE_READ_FLOAT,
                            .address = {ADDRESS_CLAMP, ADDRESS_CLAMP, ADDRESS_CLAMP},
                            .filter = i / 3 % 2};
        uint32_t columns = ROW / t.format.size, active = draw() | 1, args[2 * WIDTH_MAX], out[RESULTS * WIDTH_MAX];
        t.level[0] = (struct array_level){.base = p,
                                          .row_pitch = ROW,
                                          .slice_pitch = 2 * ROWS * ROW,
                                          .width = columns,
                                          .height = 2 * ROWS,
                                          .depth = 1};
        struct texture *made = texture_create(&t);
        for (uint32_t lane = 0; lane < WIDTH_MAX; lane++) {
            bool on = active >> lane & 1;
            args[lane] = bits_of((float)columns - 1.25f + (float)draw_below(8));
            args[WIDTH_MAX + lane] =
                bits_of(on ? (float)draw_below(ROWS * 16) / 16 - 0.5f : (float)(ROWS + draw_below(9)));
        }
        CHECK(gangs[i / 6].read(made, image_op(IMAGE_2D, IMAGE_TEX, 0, 0), WIDTH_MAX, active, args, out));
        texture_destroy(made);
    }
    munmap(p, 2 * ROWS * ROW);
}

int main(void)
{
    memory = aligned_alloc(4096, MEMORY);
    if (!memory)
        return 1;
    find_gangs();
    all_kinds();
    others();
    exponents();
    guarded();
    free(memory);
    return test_summary();
}
