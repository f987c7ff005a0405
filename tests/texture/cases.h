// SPDX-License-Identifier: Apache-2.0
// The cases that samplers are compared on: which textures there are, what is in them and where they are read. Plain C
// that gives the same numbers on a GPU, in our kernels and on the host, so that only results need to be kept. Every
// float below comes from exact operations or from one correctly rounded division.
#ifndef TEXTURE_CASES_H
#define TEXTURE_CASES_H
#include <stdint.h>
#include <string.h>
#ifdef __CUDACC__
#define CASE_FN static __host__ __device__ inline
#else
#define CASE_FN static inline
#endif

enum case_geometry { GEO_1D, GEO_2D, GEO_3D, GEO_A1D, GEO_A2D, GEO_CUBE, GEO_ACUBE, GEO_LINEAR, GEO_PITCH2D };
enum case_op { OP_TEX, OP_LEVEL, OP_GRAD, OP_GATHER, OP_FETCH, OP_OFFSET, OP_COUNT };
enum case_type { T_U8, T_U16, T_U32, T_S8, T_S16, T_S32, T_F16, T_F32, T_UNORM8, T_UNORM16, T_SNORM8, T_SNORM16 };
enum case_address { A_WRAP, A_CLAMP, A_MIRROR, A_BORDER };
enum case_flags {
    C_NORMALIZED = 1,
    C_READ_FLOAT = 2,
    C_LINEAR = 4,
    C_SRGB = 8,
    C_SEAMLESS = 16,
    C_MIP_LINEAR = 32,
    C_WILD = 64
};

struct texture_case {
    uint8_t geometry, op, type, channels, address[3], component;
    uint32_t flags;
    uint32_t width, height, depth, levels; // depth: layers where layered; 6 for cubes, 6 * layers
    float bias, min_level, max_level;
};
static const float case_border[4] = {0.3f, -0.7f, 5.0f, 100000.0f};

// What is read in one place.
struct texture_place {
    float x, y, z, level;
    float dx[3], dy[3];
    int32_t layer, ix, iy, iz;
};

CASE_FN uint32_t case_hash(uint32_t a)
{
    a ^= a >> 16;
    a *= 0x7feb352du;
    a ^= a >> 15;
    a *= 0x846ca68bu;
    a ^= a >> 16;
    return a;
}
CASE_FN uint32_t case_random(uint32_t seed, uint32_t i, uint32_t k)
{
    return case_hash(seed * 0x9e3779b9u + case_hash(i * 16u + k + 0x51ed270bu));
}
CASE_FN float case_float(uint32_t u)
{
    float f;
    memcpy(&f, &u, 4);
    return f;
}

// One coordinate in texels, along an axis of n of them: anywhere, near and on edges and centres, on the grid of 1/512,
// far away, and what is no number.
CASE_FN float case_coordinate(uint32_t r, uint32_t q, int n)
{
    uint32_t kind = r & 31;
    r >>= 5;
    if (kind < 12)
        return (float)((int)(r % (uint32_t)(2 * n * 4096)) - n * 2048) * (1.0f / 4096);
    if (kind < 20) {
        int64_t k = (int64_t)(r % (uint32_t)(2 * n + 10)) - 5; // halves of texels
        uint32_t u;
        float f = (float)k * 0.5f;
        int way = (int)(q % 13);
        if (way < 5) {
            memcpy(&u, &f, 4);
            u += (uint32_t)(way - 2); // -0.0 less one is a NaN: also a case
            return case_float(u);
        }
        return f + (float)(way - 9) * (1.0f / 512);
    }
    if (kind < 24)
        return (float)((int)(r % (uint32_t)(2 * n * 512)) - n * 256) * (1.0f / 512);
    if (kind < 28)
        return (float)((int)(r % (uint32_t)(20 * n * 256)) - n * 2560) * (1.0f / 256);
    if (kind < 30)
        return (float)(int)(r * 64u + q) * 7.0f;
    switch (q % 12) {
    case 0:
        return case_float(0x7fc00000u);
    case 1:
        return case_float(0x7f800000u);
    case 2:
        return case_float(0xff800000u);
    case 3:
        return -0.0f;
    case 4:
        return case_float(0x00000001u);
    case 5:
        return case_float(0x80000001u);
    case 6:
        return case_float(0x7f7fffffu);
    case 7:
        return case_float(0xff7fffffu);
    case 8:
        return case_float(0xffc12345u);
    case 9:
        return (float)n;
    case 10:
        return case_float(0x33000000u | (r & 0xffffff)); // tiny
    default:
        return case_float(r << 5 | kind); // any float
    }
}

// One component of a direction. What is not finite is left out: the face that it chooses says nothing.
CASE_FN float case_direction(uint32_t r)
{
    uint32_t kind = r & 15;
    r >>= 4;
    if (kind < 10)
        return (float)((int)(r % 8193) - 4096) * (1.0f / 4096);
    if (kind < 13)
        return (float)((int)(r % 17) - 8) * 0.125f;
    if (kind < 14)
        return (r & 1) ? 1.0f : -1.0f;
    if (kind < 15)
        return (float)((int)(r % 8193) - 4096) * 37.0f;
    return r % 3 == 0 ? -0.0f : r % 3 == 1 ? 0.0f : case_float(0x00000123u);
}

CASE_FN struct texture_place case_place(const struct texture_case *c, uint32_t seed, uint32_t i)
{
    struct texture_place p;
    uint32_t r[16];
    for (uint32_t k = 0; k < 16; k++)
        r[k] = case_random(seed, i, k);
    int layers = c->geometry == GEO_ACUBE ? (int)c->depth / 6 : (int)c->depth;
    if (c->geometry == GEO_CUBE || c->geometry == GEO_ACUBE) {
        p.x = case_direction(r[0]);
        p.y = case_direction(r[1]);
        p.z = case_direction(r[2]);
        if (r[3] % 8 == 0)
            p.y = r[3] & 64 ? p.x : -p.x;
        if (r[4] % 8 == 0)
            p.z = r[4] & 64 ? p.x : -p.x;
    } else {
        p.x = case_coordinate(r[0], r[1], (int)c->width);
        p.y = case_coordinate(r[2], r[3], (int)c->height);
        p.z = case_coordinate(r[4], r[5], (int)c->depth);
        if (c->flags & C_NORMALIZED) {
            p.x /= (float)c->width;
            p.y /= (float)c->height;
            p.z /= (float)c->depth;
        }
    }
    p.layer = (int32_t)(r[6] % (uint32_t)(layers + 4)) - 2;
    if (r[7] % 64 == 0)
        p.layer = (int32_t)r[6];
    uint32_t kind = r[8] & 15;
    if (kind < 10)
        p.level = (float)((int)(r[9] % ((c->levels + 4) * 1024)) - 2048) * (1.0f / 1024);
    else if (kind < 14)
        p.level =
            (float)((int)(r[9] % ((c->levels + 4) * 2)) - 4) * 0.5f + (float)((int)(r[10] % 9) - 4) * (1.0f / 512);
    else
        p.level = (r[9] & 15) == 0   ? case_float(0x7fc00000u)
                  : (r[9] & 15) == 1 ? case_float(0x7f800000u)
                  : (r[9] & 15) == 2 ? case_float(0xff800000u)
                                     : (float)(int)(r[9] >> 24) - 128.0f;
    for (int k = 0; k < 3; k++) {
        // a mantissa of 8 bits times a power of two, as a share of the extent
        uint32_t a = r[11 + k % 2], b = r[13 + k % 2];
        p.dx[k] = (float)((int)((a >> (8 * k)) & 255) - 128) * case_float((127u - 10u + (a >> 4) % 12u) << 23);
        p.dy[k] = (float)((int)((b >> (8 * k)) & 255) - 128) * case_float((127u - 10u + (b >> 4) % 12u) << 23);
        if ((r[15] >> (2 * k)) % 4 == 0)
            p.dx[k] = 0;
        if ((r[15] >> (8 + 2 * k)) % 4 == 0)
            p.dy[k] = 0;
        if (c->flags & C_NORMALIZED) {
            float n = (float)(k == 0 ? c->width : k == 1 ? c->height : c->depth);
            p.dx[k] /= n;
            p.dy[k] /= n;
        }
    }
    int32_t n[3] = {(int32_t)c->width, (int32_t)c->height, (int32_t)c->depth}, at[3];
    for (int k = 0; k < 3; k++) {
        uint32_t q = case_random(seed, i, 16u + (uint32_t)k);
        at[k] = (int32_t)(q % (uint32_t)(n[k] + 8)) - 4;
        if ((q >> 20) % 32 == 0)
            at[k] = (int32_t)case_hash(q);
    }
    p.ix = at[0];
    p.iy = at[1];
    p.iz = at[2];
    return p;
}

static inline unsigned case_type_size(unsigned type)
{
    static const uint8_t size[] = {1, 2, 4, 1, 2, 4, 2, 4, 1, 2, 1, 2};
    return size[type];
}

// Channel number i of the whole texture (all levels one after another).
static inline void case_texel(const struct texture_case *c, uint32_t seed, uint32_t i, void *out)
{
    uint32_t r = case_random(seed ^ 0xabcdef01u, i, 3);
    if (c->type == T_F32) {
        float f = (float)((int)(r >> 7) - (1 << 24)) * (1.0f / (1 << 23));
        if (c->flags & C_WILD) {
            uint32_t q = case_random(seed, i, 5);
            uint32_t u = q % 8 == 0   ? r
                         : q % 8 == 1 ? 0x7f800000u | (r & 0x80000000u)
                         : q % 8 == 2 ? r & 0x807fffffu
                                      : r % 0x60000000u;
            if (q % 64 == 9)
                u = 0x7fc00000u;
            memcpy(out, &u, 4);
        } else {
            memcpy(out, &f, 4);
        }
    } else if (c->type == T_F16) {
        uint16_t h =
            (uint16_t)((r & 0x83ff) | ((r >> 16) % 17 + ((c->flags & C_WILD) && (r & 0x7000) == 0 ? 15 : 0)) << 10);
        memcpy(out, &h, 2);
    } else {
        memcpy(out, &r, case_type_size(c->type));
    }
}

static inline unsigned case_level_size(unsigned n, unsigned level)
{
    return n >> level ? n >> level : 1;
}

// What the four values of a fetch are: 'f', 'u' or 's'.
static inline char case_result(const struct texture_case *c)
{
    if ((c->flags & C_READ_FLOAT) || c->type >= T_F16)
        return 'f';
    return c->type <= T_U32 ? 'u' : 's';
}

static inline struct texture_case case_make(int geometry, int op, int type, int channels, int address, uint32_t flags)
{
    struct texture_case c;
    memset(&c, 0, sizeof c);
    c.geometry = (uint8_t)geometry;
    c.op = (uint8_t)op;
    c.type = (uint8_t)type;
    c.channels = (uint8_t)channels;
    c.address[0] = (uint8_t)(address & 3);
    c.address[1] = (uint8_t)(address & 16 ? (address >> 2) & 3 : address & 3);
    c.address[2] = c.address[0];
    c.flags = flags;
    c.width = 37;
    c.height = geometry == GEO_1D || geometry == GEO_A1D || geometry == GEO_LINEAR ? 1 : 23;
    c.depth = geometry == GEO_3D ? 11 : geometry == GEO_A1D || geometry == GEO_A2D ? 5 : 1;
    if (geometry == GEO_CUBE || geometry == GEO_ACUBE) {
        c.width = c.height = 13;
        c.depth = geometry == GEO_CUBE ? 6 : 18;
    }
    if (geometry == GEO_LINEAR)
        c.width = 1000;
    c.levels = 1;
    c.max_level = 100;
    return c;
}

// Whether two samplers agree to the last bit. What is not compared: mixtures of levels by gradients in two dimensions, of
// which 1 in 5,000 is 1/256 away, and gradients in three, for which a GPU has software.
static inline int case_is_exact(const struct texture_case *c)
{
    int one = c->geometry == GEO_1D || c->geometry == GEO_A1D;
    return c->op != OP_GRAD || one || (c->geometry != GEO_3D && !(c->flags & C_MIP_LINEAR));
}

enum { CASE_MAX = 512 };
// The list of all cases; their number.
static inline unsigned case_list(struct texture_case *out)
{
    unsigned n = 0;
    static const uint8_t formats[][3] = {
        // type, channels, may be read as floats
        {T_U8, 1, 1},     {T_U8, 2, 1},      {T_U8, 4, 1},     {T_U16, 1, 1},    {T_U16, 4, 1}, {T_U32, 1, 0},
        {T_U32, 4, 0},    {T_S8, 1, 1},      {T_S8, 4, 1},     {T_S16, 1, 1},    {T_S16, 2, 1}, {T_S32, 1, 0},
        {T_S32, 2, 0},    {T_F16, 1, 0},     {T_F16, 4, 0},    {T_F32, 1, 0},    {T_F32, 2, 0}, {T_F32, 4, 0},
        {T_UNORM8, 4, 0}, {T_UNORM16, 2, 0}, {T_SNORM8, 1, 0}, {T_SNORM16, 4, 0}};
    enum { FORMATS = sizeof formats / sizeof *formats };
    static const uint8_t geometries[] = {GEO_1D, GEO_2D, GEO_3D, GEO_A1D, GEO_A2D, GEO_CUBE, GEO_ACUBE, GEO_PITCH2D};
    // Every format, in points and, where it gives floats, filtered; with a border.
    for (unsigned f = 0; f < FORMATS; f++) {
        for (unsigned as_float = 0; as_float <= formats[f][2]; as_float++) {
            uint32_t flags = as_float || formats[f][0] >= T_UNORM8 ? C_READ_FLOAT : 0;
            struct texture_case c = case_make(GEO_2D, OP_TEX, formats[f][0], formats[f][1], A_BORDER, flags);
            out[n++] = c;
            if (case_result(&c) == 'f') {
                out[n++] = case_make(GEO_2D, OP_TEX, formats[f][0], formats[f][1], A_CLAMP, flags | C_LINEAR);
                out[n++] = case_make(GEO_2D, OP_TEX, formats[f][0], formats[f][1], A_BORDER, flags | C_LINEAR);
            }
            if (formats[f][0] < T_UNORM8) // those are for arrays
                out[n++] = case_make(GEO_LINEAR, OP_FETCH, formats[f][0], formats[f][1], A_CLAMP, flags);
        }
    }
    // Every geometry, address mode and filter, with and without normalised coordinates.
    for (unsigned g = 0; g < sizeof geometries; g++)
        for (int address = 0; address < 4; address++)
            for (uint32_t flags = 0; flags < 8; flags++) {
                if (flags & C_READ_FLOAT)
                    continue;
                int cube = geometries[g] == GEO_CUBE || geometries[g] == GEO_ACUBE;
                if (cube && (!(flags & C_NORMALIZED) || address == A_BORDER || address == A_MIRROR))
                    continue;
                out[n++] = case_make(geometries[g], OP_TEX, T_F32, 1, address, flags);
                if (flags & C_LINEAR)
                    out[n++] = case_make(geometries[g], OP_TEX, T_U8, 4, address, flags | C_READ_FLOAT);
                if (cube)
                    out[n++] = case_make(geometries[g], OP_TEX, T_F32, 1, address, flags | C_SEAMLESS);
            }
    out[n++] = case_make(GEO_2D, OP_TEX, T_F32, 1, 16 | A_WRAP | A_MIRROR << 2, C_NORMALIZED);
    out[n++] = case_make(GEO_2D, OP_TEX, T_F32, 1, 16 | A_BORDER | A_WRAP << 2, C_NORMALIZED | C_LINEAR);
    // What is in the texels.
    for (uint32_t flags = 0; flags <= C_LINEAR; flags += C_LINEAR) {
        out[n++] = case_make(GEO_2D, OP_TEX, T_F32, 1, A_CLAMP, flags | C_WILD);
        out[n++] = case_make(GEO_2D, OP_TEX, T_F16, 2, A_CLAMP, flags | C_WILD);
        out[n++] = case_make(GEO_2D, OP_TEX, T_U8, 4, A_CLAMP, flags | C_SRGB | C_READ_FLOAT);
        out[n++] = case_make(GEO_2D, OP_TEX, T_U8, 4, A_BORDER, flags | C_SRGB | C_READ_FLOAT);
    }
    // Gathers of each component, and offsets, and integer coordinates.
    for (int address = 0; address < 4; address++) {
        for (int component = 0; component < 4; component++) {
            out[n] = case_make(GEO_2D, OP_GATHER, T_U8, 4, address, C_NORMALIZED | (component & 1 ? C_READ_FLOAT : 0));
            out[n++].component = (uint8_t)component;
        }
        out[n++] = case_make(GEO_2D, OP_GATHER, T_F32, 1, address, C_LINEAR);
        for (int g = GEO_1D; g <= GEO_A2D; g++) {
            if (g != GEO_1D) // such reads of one-dimensional arrays give 0 on a GPU, whatever is in them
                out[n++] = case_make(g, OP_FETCH, T_U16, 1, address, 0);
            out[n++] = case_make(g, OP_OFFSET, T_F32, 1, address, address & 1 ? C_NORMALIZED | C_LINEAR : 0);
        }
    }
    // Levels of detail.
    for (int g = GEO_1D; g <= GEO_ACUBE; g++)
        for (uint32_t k = 0; k < 8; k++) {
            uint32_t flags = C_NORMALIZED | (k & 1 ? C_LINEAR : 0) | (k & 2 ? C_MIP_LINEAR : 0);
            int cube = g == GEO_CUBE || g == GEO_ACUBE;
            if (cube && (k & 4))
                continue;
            out[n] = case_make(g, k & 4 ? OP_GRAD : OP_LEVEL, T_F32, 1, k & 1 ? A_WRAP : A_CLAMP, flags);
            out[n++].levels = cube ? 4 : 6;
        }
    for (int k = 0; k < 4; k++) {
        out[n] = case_make(GEO_2D, k & 1 ? OP_GRAD : OP_LEVEL, T_U8, 4, A_CLAMP,
                           C_NORMALIZED | C_MIP_LINEAR | C_LINEAR | C_READ_FLOAT);
        out[n].levels = 6;
        out[n].bias = k & 2 ? 1.3f : -0.6f;
        out[n].min_level = k & 2 ? 0.7f : 0;
        out[n].max_level = k & 2 ? 3.4f : 4;
        n++;
    }
    out[n] = case_make(GEO_2D, OP_TEX, T_F32, 1, A_CLAMP, C_NORMALIZED | C_MIP_LINEAR | C_LINEAR);
    out[n].levels = 6;
    out[n++].bias = 1.3f;
    return n;
}
#endif
