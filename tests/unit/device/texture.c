// SPDX-License-Identifier: Apache-2.0
// Arrays and descriptors of textures: layout, handles and what is refused; the reciprocal that cube maps need.
#include "device/texture/reciprocal.h"
#include "device/texture/texture.h"
#include "test.h"
#include <string.h>

static void layout(void)
{
    struct array a = {.dims = 2, .format = texel_format_make(TEXEL_U8, 4), .levels = 4};
    size_t size = array_layout(&a, 33, 5, 0);
    CHECK(a.level[0].width == 33 && a.level[0].height == 5 && a.level[0].depth == 1);
    CHECK(a.level[0].row_pitch == 160 && a.level[0].slice_pitch == 800);
    CHECK(a.level[1].width == 16 && a.level[1].height == 2 && a.level[3].height == 1);
    CHECK((uintptr_t)a.level[1].base == 1024 && size == 1024 + 3 * 512);
    struct array cube = {.dims = 2, .flags = ARRAY_CUBE, .format = texel_format_make(TEXEL_F32, 1), .levels = 2};
    CHECK(array_layout(&cube, 8, 8, 6) && cube.level[1].depth == 6 && cube.level[1].width == 4);
    struct array huge = {.dims = 3, .format = texel_format_make(TEXEL_F32, 4), .levels = 1};
    CHECK(!array_layout(&huge, UINT32_MAX, UINT32_MAX, UINT32_MAX));
}

static void handles(void)
{
    struct texture t = {.kind = TEXTURE_ARRAY,
                        .dims = 2,
                        .levels = 1,
                        .address = {ADDRESS_WRAP, ADDRESS_MIRROR, ADDRESS_BORDER},
                        .format = texel_format_make(TEXEL_F32, 1)};
    t.level[0] = (struct array_level){.width = 4, .height = 3, .depth = 1};
    CHECK(!texture_find(0, false) && !texture_find(0x1234, false));
    struct texture *a = texture_create(&t), *b = texture_create(&t);
    CHECK(a && b && a != b);
    CHECK(texture_find((uintptr_t)a, false) == a && !texture_find((uintptr_t)a, true));
    CHECK(!texture_find((uintptr_t)a + 1, false) && !texture_find((uintptr_t)&t, false));
    CHECK(a->address[0] == ADDRESS_CLAMP && a->address[1] == ADDRESS_CLAMP && a->address[2] == ADDRESS_BORDER);
    texture_destroy(a);
    CHECK(!texture_find((uintptr_t)a, false) && texture_find((uintptr_t)b, false) == b);
    struct texture *c = texture_create(&t);
    CHECK(c != a); // a stale handle does not come to life soon
    texture_destroy(b);
    texture_destroy(c);
    t.kind = TEXTURE_SURFACE;
    a = texture_create(&t);
    CHECK(texture_find((uintptr_t)a, true) == a && !texture_find((uintptr_t)a, false));
    texture_destroy(a);
}

static uint32_t reciprocal_bits(uint32_t u)
{
    float f;
    memcpy(&f, &u, 4);
    f = reciprocal_approximate(f);
    memcpy(&u, &f, 4);
    return u;
}

// The hash is that of what an H200 gives.
static void reciprocals(void)
{
    uint64_t h = 0;
    bool scales = true;
    for (uint32_t i = 0; i < 1u << 23; i++) {
        h = (h ^ reciprocal_bits(0x3f800000u | i)) * 0x100000001b3ull;
        h ^= h >> 29;
    }
    CHECK(h == 0xbe182caa4f758485ull);
    for (uint32_t e = 1; e < 253; e++) // beyond, the result is denormal
        scales &= reciprocal_bits(e << 23 | 0x123456) == reciprocal_bits(0x3f923456u) + ((127 - e) << 23);
    CHECK(scales);
    static const uint32_t special[][2] = {
        {0, 0x7f800000u},        {0x80000000u, 0xff800000u}, {1, 0x7f800000u},           {0x7fffff, 0x7f800000u},
        {0x800000, 0x7e800000u}, {0x7f800000u, 0},           {0xff800000u, 0x80000000u}, {0x7fc00000u, 0x7fffffffu},
        {0x7f7fffffu, 0},        {0x7e800000u, 0x800000},    {0x7e800001u, 0},           {0x7e7fffffu, 0x800001}};
    for (size_t i = 0; i < sizeof special / sizeof *special; i++)
        CHECK(reciprocal_bits(special[i][0]) == special[i][1]);
}

int main(void)
{
    layout();
    handles();
    reciprocals();
    return test_summary();
}
