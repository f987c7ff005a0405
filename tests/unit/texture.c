// Arrays and descriptors of textures: layout, handles and what is refused.
#include "device/texture.h"
#include "test.h"

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

int main(void)
{
    layout();
    handles();
    return test_summary();
}
