// SPDX-License-Identifier: Apache-2.0
// See texture.h: the layout of arrays, and the reserved range that holds the descriptors of textures and surfaces.
// Slots are reused in the order in which they were freed, so that a stale handle stays dead for long.
#include "device/texture/texture.h"
#include "device/texture/filter.h"
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>

enum { ROW_ALIGN = 32, LEVEL_ALIGN = 512 };

static uint32_t at_least_one(uint32_t x)
{
    return x ? x : 1;
}

static size_t round_up(size_t x, size_t to)
{
    return (x + to - 1) / to * to;
}

size_t array_layout(struct array *a, uint32_t width, uint32_t height, uint32_t depth)
{
    size_t size = 0;
    bool slices = a->flags & (ARRAY_LAYERED | ARRAY_CUBE);
    for (uint32_t i = 0; i < a->levels; i++) {
        struct array_level *l = &a->level[i];
        *l = (struct array_level){.width = at_least_one(width >> i),
                                  .height = at_least_one(height >> i),
                                  .depth = at_least_one(slices ? depth : depth >> i)};
        l->row_pitch = round_up((size_t)l->width * a->format.size, ROW_ALIGN);
        size_t bytes;
        if (__builtin_mul_overflow(l->row_pitch, (uint64_t)l->height, &l->slice_pitch) ||
            __builtin_mul_overflow(l->slice_pitch, (uint64_t)l->depth, &bytes) || bytes > SIZE_MAX / 4 - size)
            return 0;
        l->base = (unsigned char *)(uintptr_t)size;
        size += round_up(bytes, LEVEL_ALIGN);
    }
    return size;
}

struct slot {
    struct texture texture;
    uint32_t next;
};
enum { SLOTS = 1 << 18, KEEP_FREE = 1024 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct slot *slots; // slot 0 is never given out
static uint32_t fresh = 1, free_head, free_tail, free_count;

// With the lock held; 0: none left.
static uint32_t slot_take(void)
{
    if (!slots) {
        void *p = mmap(NULL, SLOTS * sizeof(struct slot), PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (p == MAP_FAILED)
            return 0;
        __atomic_store_n(&slots, p, __ATOMIC_RELEASE);
    }
    if (free_count > KEEP_FREE || (fresh == SLOTS && free_count)) {
        uint32_t i = free_head;
        free_head = slots[i].next;
        free_count--;
        return i;
    }
    return fresh < SLOTS ? fresh++ : 0;
}

// Wrap and mirror need normalised coordinates; without them they mean clamp.
static uint8_t address_effective(const struct texture *t, int axis)
{
    uint8_t mode = t->address[axis];
    bool repeats = mode == ADDRESS_WRAP || mode == ADDRESS_MIRROR;
    return repeats && !(t->flags & TEXTURE_NORMALIZED) ? ADDRESS_CLAMP : mode;
}

static enum texture_load load_of(const struct texture *t)
{
    bool as_float = t->flags & TEXTURE_READ_FLOAT, plain = t->format.channels != 2;
    switch (t->format.type) {
    case TEXEL_U32:
    case TEXEL_S32:
    case TEXEL_F32:
        return t->format.channels == 1 ? LOAD_32X1 : plain ? LOAD_32X4 : LOAD_32X2;
    case TEXEL_U8:
        if (!plain || (t->flags & TEXTURE_SRGB))
            return LOAD_NONE;
        if (t->format.channels == 1)
            return as_float ? LOAD_8X1_FLOAT : LOAD_8X1;
        return as_float ? LOAD_8X4_FLOAT : LOAD_8X4;
    case TEXEL_UNORM8:
        return !plain ? LOAD_NONE : t->format.channels == 1 ? LOAD_8X1_FLOAT : LOAD_8X4_FLOAT;
    default:
        return LOAD_NONE;
    }
}

static enum texture_axis axis_of(const struct texture *t, int axis)
{
    if (!(t->flags & TEXTURE_NORMALIZED))
        return AXIS_TEXELS;
    return t->address[axis] == ADDRESS_WRAP ? AXIS_WRAP : t->address[axis] == ADDRESS_MIRROR ? AXIS_MIRROR : AXIS_CLAMP;
}

// The paths that kernels have inlined take one level of one or two dimensions without a border, with offsets of 31
// bits, and normalised coordinates with 21 fractional bits: larger extents have more.
static enum texture_path path_of(const struct texture *t)
{
    const struct array_level *l = &t->level[0];
    bool border = t->address[0] == ADDRESS_BORDER || t->address[1] == ADDRESS_BORDER ||
                  (t->dims > 2 && t->address[2] == ADDRESS_BORDER);
    if (t->load == LOAD_NONE || t->levels > 1 || (t->flags & (TEXTURE_LAYERED | TEXTURE_CUBE)) ||
        (uint64_t)l->width * t->format.size > INT32_MAX || l->row_pitch * l->height > INT32_MAX ||
        (t->dims > 2 && l->slice_pitch * l->depth > INT32_MAX))
        return PATH_GENERAL;
    if (t->kind == TEXTURE_LINEAR)
        return PATH_FETCH;
    bool large = (t->flags & TEXTURE_NORMALIZED) && (l->width > FRACTION_EXTENT || l->height > FRACTION_EXTENT ||
                                                     (t->dims > 2 && l->depth > FRACTION_EXTENT));
    return border || large || t->filter == FILTER_LINEAR ? PATH_GENERAL : PATH_POINT;
}

// Which reads vector/read.h serves: offsets from the first level have 31 bits, and extents 17.
static enum texture_vectors vectors_of(const struct texture *t)
{
    enum { LINE_MAX_TEXELS = 1 << 17, NUMBER_MAX = 1 << 30 };
    uint8_t type = t->format.type;
    bool as_float = t->flags & TEXTURE_READ_FLOAT, bytes = type == TEXEL_U8 || type == TEXEL_UNORM8;
    uint32_t most = t->kind == TEXTURE_LINEAR ? NUMBER_MAX : LINE_MAX_TEXELS;
    for (uint32_t i = 0; i < t->levels; i++) {
        const struct array_level *l = &t->level[i];
        uint64_t base = (uintptr_t)l->base - (uintptr_t)t->level[0].base, size = (uint64_t)l->width * t->format.size;
        size = size > l->row_pitch * l->height ? size : l->row_pitch * l->height;
        size = size > l->slice_pitch * l->depth ? size : l->slice_pitch * l->depth;
        if (base > INT32_MAX || size > INT32_MAX - base || (uintptr_t)l->base % 4 || l->width > most ||
            l->height > most || l->depth > most)
            return VECTORS_NONE;
    }
    if ((as_float && (type == TEXEL_U32 || type == TEXEL_S32)) || ((t->flags & TEXTURE_SRGB) && bytes))
        return VECTORS_NONE;
    return as_float || type >= TEXEL_F16 ? VECTORS_ALL : VECTORS_POINTS;
}

// The head.
static uint64_t derive(struct texture *t)
{
    if (t->kind == TEXTURE_SURFACE)
        return TEXTURE_HEAD_SURFACE;
    for (int i = 0; i < 3; i++)
        t->address[i] = address_effective(t, i);
    t->load = load_of(t);
    for (int i = 0; i < 3; i++)
        t->axis[i] = axis_of(t, i);
    texel_border(t, t->outside);
    t->vectors = vectors_of(t);
    return TEXTURE_HEAD | path_of(t);
}

struct texture *texture_create(const struct texture *t)
{
    pthread_mutex_lock(&lock);
    uint32_t i = slot_take();
    pthread_mutex_unlock(&lock);
    if (!i)
        return NULL;
    struct texture *out = &slots[i].texture;
    memcpy((char *)out + sizeof out->head, (const char *)t + sizeof t->head, sizeof *t - sizeof t->head);
    __atomic_store_n(&out->head, derive(out), __ATOMIC_RELEASE);
    return out;
}

void texture_destroy(struct texture *t)
{
    uint32_t i = (uint32_t)((struct slot *)t - slots);
    pthread_mutex_lock(&lock);
    __atomic_store_n(&t->head, 0, __ATOMIC_RELEASE);
    if (free_count++)
        slots[free_tail].next = i;
    else
        free_head = i;
    free_tail = i;
    pthread_mutex_unlock(&lock);
}

struct texture *texture_find(uint64_t handle, bool surface)
{
    struct slot *base = __atomic_load_n(&slots, __ATOMIC_ACQUIRE);
    uint64_t offset = handle - (uintptr_t)base;
    if (!base || offset >= SLOTS * sizeof(struct slot) || offset % sizeof(struct slot))
        return NULL;
    struct texture *t = (struct texture *)(uintptr_t)handle;
    uint64_t head = __atomic_load_n(&t->head, __ATOMIC_ACQUIRE) & ~UINT64_C(0xffff);
    return head == (surface ? TEXTURE_HEAD_SURFACE : TEXTURE_HEAD) ? t : NULL;
}
