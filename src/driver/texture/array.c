// SPDX-License-Identifier: Apache-2.0
// Arrays, plain and mipmapped: which descriptors there are, and their memory.
#include "driver/texture/array.h"
#include <stdlib.h>

// ---- formats
static const struct {
    CUarray_format format;
    enum texel_type type;
    unsigned channels; // 0: 1, 2 or 4
} formats[] = {
    {CU_AD_FORMAT_UNSIGNED_INT8, TEXEL_U8, 0},
    {CU_AD_FORMAT_UNSIGNED_INT16, TEXEL_U16, 0},
    {CU_AD_FORMAT_UNSIGNED_INT32, TEXEL_U32, 0},
    {CU_AD_FORMAT_SIGNED_INT8, TEXEL_S8, 0},
    {CU_AD_FORMAT_SIGNED_INT16, TEXEL_S16, 0},
    {CU_AD_FORMAT_SIGNED_INT32, TEXEL_S32, 0},
    {CU_AD_FORMAT_HALF, TEXEL_F16, 0},
    {CU_AD_FORMAT_FLOAT, TEXEL_F32, 0},
    {CU_AD_FORMAT_UNORM_INT8X1, TEXEL_UNORM8, 1},
    {CU_AD_FORMAT_UNORM_INT8X2, TEXEL_UNORM8, 2},
    {CU_AD_FORMAT_UNORM_INT8X4, TEXEL_UNORM8, 4},
    {CU_AD_FORMAT_UNORM_INT16X1, TEXEL_UNORM16, 1},
    {CU_AD_FORMAT_UNORM_INT16X2, TEXEL_UNORM16, 2},
    {CU_AD_FORMAT_UNORM_INT16X4, TEXEL_UNORM16, 4},
    {CU_AD_FORMAT_SNORM_INT8X1, TEXEL_SNORM8, 1},
    {CU_AD_FORMAT_SNORM_INT8X2, TEXEL_SNORM8, 2},
    {CU_AD_FORMAT_SNORM_INT8X4, TEXEL_SNORM8, 4},
    {CU_AD_FORMAT_SNORM_INT16X1, TEXEL_SNORM16, 1},
    {CU_AD_FORMAT_SNORM_INT16X2, TEXEL_SNORM16, 2},
    {CU_AD_FORMAT_SNORM_INT16X4, TEXEL_SNORM16, 4},
};

CUresult texel_format_of(CUarray_format format, unsigned channels, struct texel_format *out)
{
    if (format == CU_AD_FORMAT_NV12 || (format >= CU_AD_FORMAT_BC1_UNORM && format <= CU_AD_FORMAT_BC7_UNORM_SRGB)) {
        log_write(LOG_WARN, "arrays of format 0x%x (block-compressed or planar) are not supported", (unsigned)format);
        return CUDA_ERROR_NOT_SUPPORTED;
    }
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        if (formats[i].format != format)
            continue;
        bool fits =
            formats[i].channels ? channels == formats[i].channels : channels == 1 || channels == 2 || channels == 4;
        if (!fits)
            return CUDA_ERROR_INVALID_VALUE;
        *out = texel_format_make(formats[i].type, channels);
        return CUDA_SUCCESS;
    }
    return CUDA_ERROR_INVALID_VALUE;
}

// ---- extents
static bool within(size_t width, size_t width_limit, size_t height, size_t height_limit, size_t depth,
                   size_t depth_limit)
{
    return width <= width_limit && height <= height_limit && depth <= depth_limit;
}

static CUresult extents_check(const CUDA_ARRAY3D_DESCRIPTOR *d, bool mipmap)
{
    bool layered = d->Flags & CUDA_ARRAY3D_LAYERED, cube = d->Flags & CUDA_ARRAY3D_CUBEMAP;
    size_t w = d->Width, h = d->Height, z = d->Depth;
    bool ok;
    if (!w)
        return CUDA_ERROR_INVALID_VALUE;
    if (cube)
        ok = w == h && (layered ? z && z % 6 == 0 : z == 6) &&
             within(w, LIMIT_LAYERED, h, LIMIT_LAYERED, z, LIMIT_CUBE_LAYERS);
    else if (layered)
        ok = z && within(w, LIMIT_LAYERED, h, LIMIT_LAYERED, z, LIMIT_LAYERS);
    else if (z)
        ok = h && (within(w, LIMIT_3D, h, LIMIT_3D, z, LIMIT_3D) ||
                   within(w, LIMIT_3D_FLAT, h, LIMIT_3D_FLAT, z, LIMIT_3D_DEEP));
    else
        ok = within(w, !h && d->Flags & CUDA_ARRAY3D_SURFACE_LDST ? LIMIT_1D_SURFACE : LIMIT_1D, h, LIMIT_2D_HEIGHT, z,
                    0);
    bool narrow = mipmap || d->Flags & CUDA_ARRAY3D_TEXTURE_GATHER;
    if (narrow && !within(w, LIMIT_LAYERED, h, LIMIT_LAYERED, z, LIMIT_3D_DEEP))
        ok = false;
    return ok ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

static CUresult flags_check(const CUDA_ARRAY3D_DESCRIPTOR *d)
{
    const unsigned known = CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_SURFACE_LDST | CUDA_ARRAY3D_CUBEMAP |
                           CUDA_ARRAY3D_TEXTURE_GATHER | CUDA_ARRAY3D_VIDEO_ENCODE_DECODE;
    const unsigned refused = CUDA_ARRAY3D_SPARSE | CUDA_ARRAY3D_DEFERRED_MAPPING;
    if (d->Flags & ~(known | refused)) // the other two are for arrays that come from graphics interfaces
        return CUDA_ERROR_INVALID_VALUE;
    if (d->Flags & refused) {
        log_write(LOG_WARN, "sparse and deferred arrays (flags 0x%x) are not supported", d->Flags);
        return CUDA_ERROR_NOT_SUPPORTED;
    }
    bool plane = d->Height && !d->Depth;
    return d->Flags & CUDA_ARRAY3D_TEXTURE_GATHER && !plane ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

static unsigned level_limit(const CUDA_ARRAY3D_DESCRIPTOR *d)
{
    bool slices = d->Flags & (CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_CUBEMAP);
    size_t most = d->Width > d->Height ? d->Width : d->Height;
    most = !slices && d->Depth > most ? d->Depth : most;
    unsigned n = 1;
    while (most >>= 1)
        n++;
    return n;
}

static void array_describe(const CUDA_ARRAY3D_DESCRIPTOR *d, struct array *a)
{
    bool slices = d->Flags & (CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_CUBEMAP);
    a->dims = d->Depth && !slices ? 3 : d->Height ? 2 : 1;
    a->flags = (d->Flags & CUDA_ARRAY3D_LAYERED ? ARRAY_LAYERED : 0) |
               (d->Flags & CUDA_ARRAY3D_CUBEMAP ? ARRAY_CUBE : 0) |
               (d->Flags & CUDA_ARRAY3D_SURFACE_LDST ? ARRAY_SURFACE : 0) |
               (d->Flags & CUDA_ARRAY3D_TEXTURE_GATHER ? ARRAY_GATHER : 0);
}

// ---- objects
static struct array_object *object_get(const void *handle, bool mipmap)
{
    struct array_object *a = handle_get(handle, HANDLE_ARRAY);
    return a && a->mipmap == mipmap ? a : NULL;
}

struct array_object *array_get(CUarray handle)
{
    return object_get(handle, false);
}

struct array_object *mipmap_get(CUmipmappedArray handle)
{
    return object_get(handle, true);
}

// The memory goes with the object unless it is a level.
static void object_free(struct array_object *a)
{
    for (unsigned i = 0; a->mipmap && i < a->array.levels; i++)
        if (a->level[i])
            object_free(a->level[i]);
    if (a->slice)
        object_free(a->slice);
    handle_take(a->handle, HANDLE_ARRAY);
    if (a->memory)
        memory_free(a->memory, MEMORY_DEVICE);
    free(a);
}

static struct array_object *level_make(struct array_object *whole, unsigned i)
{
    struct array_object *l = xcalloc(1, sizeof *l);
    const struct array_level *at = &whole->array.level[i];
    list_init(&l->node);
    l->context = whole->context;
    l->whole = whole;
    l->desc = whole->desc;
    l->desc.Width = at->width;
    l->desc.Height = whole->desc.Height ? at->height : 0;
    l->desc.Depth = whole->desc.Depth ? at->depth : 0;
    l->array = whole->array;
    l->array.levels = 1;
    l->array.level[0] = *at;
    l->handle = handle_create(HANDLE_ARRAY, l);
    return l;
}

CUresult array_slice(CUarray *slice, struct array_object *level, unsigned index)
{
    const unsigned layers = CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_CUBEMAP;
    struct context *c = level->context;
    CUresult r = CUDA_SUCCESS;
    if (!(level->desc.Flags & layers) || index >= level->array.level[0].depth)
        return CUDA_ERROR_INVALID_VALUE;
    pthread_mutex_lock(&c->lock);
    struct array_object *s = level->slice;
    while (s && s->index != index)
        s = s->slice;
    if (!s) {
        s = xcalloc(1, sizeof *s);
        list_init(&s->node);
        s->context = c;
        s->whole = level->whole;
        s->index = index;
        s->desc = level->desc;
        s->desc.Depth = 0;
        s->desc.Flags &= ~layers;
        s->array = level->array;
        s->array.flags &= ~(unsigned)(ARRAY_LAYERED | ARRAY_CUBE);
        s->array.level[0].base += index * s->array.level[0].slice_pitch;
        s->array.level[0].depth = 1;
        s->handle = handle_create(HANDLE_ARRAY, s);
        if (s->handle) {
            s->slice = level->slice;
            level->slice = s;
        } else {
            free(s);
            r = CUDA_ERROR_OUT_OF_MEMORY;
        }
    }
    pthread_mutex_unlock(&c->lock);
    if (!r)
        *slice = s->handle;
    return r;
}

static CUresult object_make(const CUDA_ARRAY3D_DESCRIPTOR *d, bool mipmap, unsigned levels, struct array_object **out)
{
    struct context *c;
    struct texel_format format;
    CUresult r = context_enter(&c);
    if (r)
        return r;
    if (!d)
        return CUDA_ERROR_INVALID_VALUE;
    r = texel_format_of(d->Format, d->NumChannels, &format);
    r = r ? r : flags_check(d);
    r = r ? r : extents_check(d, mipmap);
    if (r)
        return r;
    struct array_object *a = xcalloc(1, sizeof *a);
    list_init(&a->node);
    a->context = c;
    a->desc = *d;
    a->mipmap = mipmap;
    a->array.format = format;
    a->array.levels = levels;
    array_describe(d, &a->array);
    size_t size = array_layout(&a->array, (uint32_t)d->Width, (uint32_t)d->Height, (uint32_t)d->Depth);
    bool ok = size && (a->memory = memory_alloc(MEMORY_DEVICE, size, c->device, c, 0));
    for (unsigned i = 0; ok && i < levels; i++)
        a->array.level[i].base = (unsigned char *)a->memory + (uintptr_t)a->array.level[i].base;
    ok = ok && (a->handle = handle_create(HANDLE_ARRAY, a));
    for (unsigned i = 0; ok && mipmap && i < levels; i++) {
        a->level[i] = level_make(a, i);
        ok = a->level[i]->handle;
    }
    if (!ok) {
        object_free(a);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    pthread_mutex_lock(&c->lock);
    list_add(&c->arrays, &a->node);
    pthread_mutex_unlock(&c->lock);
    *out = a;
    return CUDA_SUCCESS;
}

void arrays_clear(struct context *c)
{
    while (c->arrays.next != &c->arrays) {
        struct array_object *a = list_at(c->arrays.next, offsetof(struct array_object, node));
        list_remove(&a->node);
        object_free(a);
    }
}

static CUresult object_drop(struct array_object *a)
{
    struct context *c;
    CUresult r = context_enter(&c);
    if (r)
        return r;
    if (a && a->whole) // a level goes with the whole
        return CUDA_SUCCESS;
    if (!a || !handle_take(a->handle, HANDLE_ARRAY))
        return CUDA_ERROR_INVALID_HANDLE;
    a->handle = NULL;
    c = a->context;
    context_wait(c); // what is under way may use it
    pthread_mutex_lock(&c->lock);
    list_remove(&a->node);
    pthread_mutex_unlock(&c->lock);
    object_free(a);
    return context_fault(c);
}

// ---- the interface
CUresult array_create_3d(CUarray *array, const CUDA_ARRAY3D_DESCRIPTOR *desc)
{
    struct array_object *a;
    struct context *c;
    CUresult r = context_enter(&c);
    if (r)
        return r;
    if (!array)
        return CUDA_ERROR_INVALID_VALUE;
    r = object_make(desc, false, 1, &a);
    if (!r)
        *array = a->handle;
    return r;
}

CUresult array_create(CUarray *array, const CUDA_ARRAY_DESCRIPTOR *desc)
{
    if (!desc)
        return array_create_3d(array, NULL);
    CUDA_ARRAY3D_DESCRIPTOR d = {desc->Width, desc->Height, 0, desc->Format, desc->NumChannels, 0};
    return array_create_3d(array, &d);
}

CUresult array_destroy(CUarray array)
{
    return object_drop(array_get(array));
}

static CUresult array_enter(CUarray handle, struct array_object **out)
{
    struct context *c;
    CUresult r = context_enter(&c);
    if (r)
        return r;
    *out = array_get(handle);
    return *out ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

CUresult array_get_descriptor_3d(CUDA_ARRAY3D_DESCRIPTOR *desc, CUarray array)
{
    struct array_object *a;
    CUresult r = array_enter(array, &a);
    if (r)
        return r;
    if (!desc)
        return CUDA_ERROR_INVALID_VALUE;
    *desc = a->desc;
    return CUDA_SUCCESS;
}

CUresult array_get_descriptor(CUDA_ARRAY_DESCRIPTOR *desc, CUarray array)
{
    CUDA_ARRAY3D_DESCRIPTOR d;
    CUresult r = array_get_descriptor_3d(desc ? &d : NULL, array);
    if (r)
        return r;
    *desc = (CUDA_ARRAY_DESCRIPTOR){d.Width, d.Height, d.Format, d.NumChannels};
    return CUDA_SUCCESS;
}

// Only planar formats have planes, and those are not supported.
CUresult array_get_plane(CUarray *plane, CUarray array, unsigned index)
{
    struct array_object *a;
    (void)plane, (void)index;
    CUresult r = array_enter(array, &a);
    return r ? r : CUDA_ERROR_INVALID_VALUE;
}

// What follows is about sparse and deferred arrays only.
CUresult array_memory_requirements(CUDA_ARRAY_MEMORY_REQUIREMENTS *requirements, CUarray array, CUdevice device)
{
    struct array_object *a;
    (void)requirements, (void)device;
    CUresult r = array_enter(array, &a);
    return r ? r : CUDA_ERROR_INVALID_VALUE;
}

CUresult array_sparse_properties(CUDA_ARRAY_SPARSE_PROPERTIES *properties, CUarray array)
{
    struct array_object *a;
    (void)properties;
    CUresult r = array_enter(array, &a);
    return r ? r : CUDA_ERROR_INVALID_VALUE;
}

static CUresult mipmap_enter(CUmipmappedArray handle, struct array_object **out)
{
    struct context *c;
    CUresult r = context_enter(&c);
    if (r)
        return r;
    *out = mipmap_get(handle);
    return *out ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

CUresult mipmap_memory_requirements(CUDA_ARRAY_MEMORY_REQUIREMENTS *requirements, CUmipmappedArray array,
                                    CUdevice device)
{
    struct array_object *a;
    (void)requirements, (void)device;
    CUresult r = mipmap_enter(array, &a);
    return r ? r : CUDA_ERROR_INVALID_VALUE;
}

CUresult mipmap_sparse_properties(CUDA_ARRAY_SPARSE_PROPERTIES *properties, CUmipmappedArray array)
{
    struct array_object *a;
    (void)properties;
    CUresult r = mipmap_enter(array, &a);
    return r ? r : CUDA_ERROR_INVALID_VALUE;
}

// ---- mipmapped arrays
CUresult mipmap_create(CUmipmappedArray *array, const CUDA_ARRAY3D_DESCRIPTOR *desc, unsigned levels)
{
    struct array_object *a;
    struct context *c;
    CUresult r = context_enter(&c);
    if (r)
        return r;
    if (!array || !desc)
        return CUDA_ERROR_INVALID_VALUE;
    unsigned limit = level_limit(desc);
    r = object_make(desc, true, levels < 1 ? 1 : levels > limit ? limit : levels, &a);
    if (!r)
        *array = (CUmipmappedArray)a->handle;
    return r;
}

CUresult mipmap_level(CUarray *level, CUmipmappedArray array, unsigned index)
{
    struct array_object *a;
    CUresult r = mipmap_enter(array, &a);
    if (r)
        return r;
    if (!level || index >= a->array.levels)
        return CUDA_ERROR_INVALID_VALUE;
    *level = a->level[index]->handle;
    return CUDA_SUCCESS;
}

CUresult mipmap_destroy(CUmipmappedArray array)
{
    return object_drop(mipmap_get(array));
}
