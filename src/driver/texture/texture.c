// SPDX-License-Identifier: Apache-2.0
// Texture and surface objects. Handles are addresses of descriptors (device/texture/texture.h); what the program wrote is kept
// beside them, for the functions that give it back.
#include "driver/texture/texture.h"
#include <stdlib.h>

// ---- what kernels read
static const struct {
    enum texel_type type;
    unsigned channels;
} view_formats[] = {
    [CU_RES_VIEW_FORMAT_UINT_1X8] = {TEXEL_U8, 1},    [CU_RES_VIEW_FORMAT_UINT_2X8] = {TEXEL_U8, 2},
    [CU_RES_VIEW_FORMAT_UINT_4X8] = {TEXEL_U8, 4},    [CU_RES_VIEW_FORMAT_SINT_1X8] = {TEXEL_S8, 1},
    [CU_RES_VIEW_FORMAT_SINT_2X8] = {TEXEL_S8, 2},    [CU_RES_VIEW_FORMAT_SINT_4X8] = {TEXEL_S8, 4},
    [CU_RES_VIEW_FORMAT_UINT_1X16] = {TEXEL_U16, 1},  [CU_RES_VIEW_FORMAT_UINT_2X16] = {TEXEL_U16, 2},
    [CU_RES_VIEW_FORMAT_UINT_4X16] = {TEXEL_U16, 4},  [CU_RES_VIEW_FORMAT_SINT_1X16] = {TEXEL_S16, 1},
    [CU_RES_VIEW_FORMAT_SINT_2X16] = {TEXEL_S16, 2},  [CU_RES_VIEW_FORMAT_SINT_4X16] = {TEXEL_S16, 4},
    [CU_RES_VIEW_FORMAT_UINT_1X32] = {TEXEL_U32, 1},  [CU_RES_VIEW_FORMAT_UINT_2X32] = {TEXEL_U32, 2},
    [CU_RES_VIEW_FORMAT_UINT_4X32] = {TEXEL_U32, 4},  [CU_RES_VIEW_FORMAT_SINT_1X32] = {TEXEL_S32, 1},
    [CU_RES_VIEW_FORMAT_SINT_2X32] = {TEXEL_S32, 2},  [CU_RES_VIEW_FORMAT_SINT_4X32] = {TEXEL_S32, 4},
    [CU_RES_VIEW_FORMAT_FLOAT_1X16] = {TEXEL_F16, 1}, [CU_RES_VIEW_FORMAT_FLOAT_2X16] = {TEXEL_F16, 2},
    [CU_RES_VIEW_FORMAT_FLOAT_4X16] = {TEXEL_F16, 4}, [CU_RES_VIEW_FORMAT_FLOAT_1X32] = {TEXEL_F32, 1},
    [CU_RES_VIEW_FORMAT_FLOAT_2X32] = {TEXEL_F32, 2}, [CU_RES_VIEW_FORMAT_FLOAT_4X32] = {TEXEL_F32, 4},
};
enum { VIEW_FORMATS = sizeof view_formats / sizeof *view_formats };

static CUresult resource_array(const struct array_object *a, struct texture *out)
{
    if (!a)
        return CUDA_ERROR_INVALID_VALUE;
    out->kind = TEXTURE_ARRAY;
    out->dims = a->array.dims;
    out->format = a->array.format;
    out->levels = a->array.levels;
    out->flags = (a->array.flags & ARRAY_LAYERED ? TEXTURE_LAYERED : 0) |
                 (a->array.flags & ARRAY_CUBE ? TEXTURE_CUBE : 0) | (a->mipmap ? TEXTURE_MIPMAP : 0);
    memcpy(out->level, a->array.level, sizeof out->level);
    return CUDA_SUCCESS;
}

static void resource_memory(CUdeviceptr address, size_t width, size_t height, size_t pitch, struct texture *out)
{
    out->dims = height > 1 ? 2 : 1;
    out->levels = 1;
    out->level[0] = (struct array_level){.base = (unsigned char *)(uintptr_t)address,
                                         .row_pitch = pitch,
                                         .slice_pitch = pitch * height,
                                         .width = (uint32_t)width,
                                         .height = (uint32_t)height,
                                         .depth = 1};
}

size_t texture_linear_limit(struct texel_format format)
{
    size_t limit = ((size_t)LIMIT_LINEAR << 4) / format.size;
    return limit < LIMIT_LINEAR_SMALL ? limit : LIMIT_LINEAR_SMALL;
}

static CUresult resource_linear(const CUDA_RESOURCE_DESC *d, struct texture *out)
{
    CUdeviceptr address = d->res.linear.devPtr;
    CUresult r = texel_format_of(d->res.linear.format, d->res.linear.numChannels, &out->format);
    if (r)
        return r;
    size_t texels = d->res.linear.sizeInBytes / out->format.size;
    // Differs from CUDA: a texture without a texel is refused.
    if (!address || address % TEXTURE_ALIGN || !texels || texels > texture_linear_limit(out->format))
        return CUDA_ERROR_INVALID_VALUE;
    out->kind = TEXTURE_LINEAR;
    resource_memory(address, texels, 1, texels * out->format.size, out);
    return CUDA_SUCCESS;
}

static CUresult resource_pitch(const CUDA_RESOURCE_DESC *d, struct texture *out)
{
    CUdeviceptr address = d->res.pitch2D.devPtr;
    size_t width = d->res.pitch2D.width, height = d->res.pitch2D.height, pitch = d->res.pitch2D.pitchInBytes;
    CUresult r = texel_format_of(d->res.pitch2D.format, d->res.pitch2D.numChannels, &out->format);
    if (r)
        return r;
    if (!address || address % TEXTURE_ALIGN || pitch % TEXTURE_PITCH_ALIGN || pitch > LIMIT_PITCH_BYTES || !width ||
        width > LIMIT_1D || !height || height > LIMIT_PITCH_HEIGHT)
        return CUDA_ERROR_INVALID_VALUE;
    out->kind = TEXTURE_PITCH2D;
    resource_memory(address, width, height, pitch, out);
    out->dims = 2;
    return CUDA_SUCCESS;
}

static CUresult resource_read(const CUDA_RESOURCE_DESC *d, struct texture *out)
{
    if (d->flags)
        return CUDA_ERROR_INVALID_VALUE;
    switch ((int)d->resType) {
    case CU_RESOURCE_TYPE_ARRAY:
        return resource_array(array_get(d->res.array.hArray), out);
    case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY:
        return resource_array(mipmap_get(d->res.mipmap.hMipmappedArray), out);
    case CU_RESOURCE_TYPE_LINEAR:
        return resource_linear(d, out);
    case CU_RESOURCE_TYPE_PITCH2D:
        return resource_pitch(d, out);
    }
    return CUDA_ERROR_INVALID_VALUE;
}

// A view: another format of the same size, some of the levels, some of the layers.
static CUresult view_apply(const CUDA_RESOURCE_VIEW_DESC *v, struct texture *t)
{
    struct array_level *l = t->level;
    bool slices = t->flags & (TEXTURE_LAYERED | TEXTURE_CUBE);
    if (v->width != l->width || (v->height ? v->height : 1) != l->height)
        return CUDA_ERROR_INVALID_VALUE;
    if (v->lastMipmapLevel < v->firstMipmapLevel || v->lastMipmapLevel >= t->levels)
        return CUDA_ERROR_INVALID_VALUE;
    if (v->lastLayer < v->firstLayer || v->lastLayer >= (slices ? l->depth : 1))
        return CUDA_ERROR_INVALID_VALUE;
    if (v->format != CU_RES_VIEW_FORMAT_NONE) {
        if ((unsigned)v->format > CU_RES_VIEW_FORMAT_UNSIGNED_BC7)
            return CUDA_ERROR_INVALID_VALUE;
        if ((unsigned)v->format >= VIEW_FORMATS) {
            log_write(LOG_WARN, "views of block-compressed textures are not supported");
            return CUDA_ERROR_NOT_SUPPORTED;
        }
        struct texel_format f = texel_format_make(view_formats[v->format].type, view_formats[v->format].channels);
        if (f.size != t->format.size)
            return CUDA_ERROR_INVALID_VALUE;
        t->format = f;
    }
    t->levels = v->lastMipmapLevel - v->firstMipmapLevel + 1;
    memmove(l, l + v->firstMipmapLevel, t->levels * sizeof *l);
    for (uint32_t i = 0; slices && i < t->levels; i++) {
        l[i].base += v->firstLayer * l[i].slice_pitch;
        l[i].depth = v->lastLayer - v->firstLayer + 1;
    }
    return CUDA_SUCCESS;
}

static bool type_is_float(enum texel_type t)
{
    return t >= TEXEL_F16;
}

// Whether values leave the texture as floats.
static bool reads_floats(const struct texture *t)
{
    return type_is_float(t->format.type) || t->flags & TEXTURE_READ_FLOAT;
}

static CUresult sampler_read(const CUDA_TEXTURE_DESC *d, struct texture *t)
{
    const unsigned known = CU_TRSF_READ_AS_INTEGER | CU_TRSF_NORMALIZED_COORDINATES | CU_TRSF_SRGB |
                           CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION | CU_TRSF_SEAMLESS_CUBEMAP;
    for (int i = 0; i < 3; i++) {
        if ((unsigned)d->addressMode[i] > CU_TR_ADDRESS_MODE_BORDER)
            return CUDA_ERROR_INVALID_VALUE;
        t->address[i] = (uint8_t)d->addressMode[i];
    }
    if ((unsigned)d->filterMode > CU_TR_FILTER_MODE_LINEAR ||
        (unsigned)d->mipmapFilterMode > CU_TR_FILTER_MODE_LINEAR || d->flags & ~known)
        return CUDA_ERROR_INVALID_VALUE;
    bool narrow = texel_type_size(t->format.type) < 4 && !type_is_float(t->format.type);
    t->flags |= (d->flags & CU_TRSF_NORMALIZED_COORDINATES ? TEXTURE_NORMALIZED : 0) |
                (narrow && !(d->flags & CU_TRSF_READ_AS_INTEGER) ? TEXTURE_READ_FLOAT : 0) |
                (d->flags & CU_TRSF_SRGB ? TEXTURE_SRGB : 0) |
                (d->flags & CU_TRSF_SEAMLESS_CUBEMAP ? TEXTURE_SEAMLESS : 0);
    if (t->flags & TEXTURE_SEAMLESS && !(t->flags & TEXTURE_CUBE))
        return CUDA_ERROR_INVALID_VALUE;
    for (size_t i = 0; i < sizeof d->reserved / sizeof *d->reserved; i++)
        if (d->reserved[i])
            return CUDA_ERROR_INVALID_VALUE;
    // Integers are not filtered, whatever the descriptor says.
    t->filter = (uint8_t)(reads_floats(t) ? d->filterMode : CU_TR_FILTER_MODE_POINT);
    t->mip_filter = (uint8_t)(reads_floats(t) ? d->mipmapFilterMode : CU_TR_FILTER_MODE_POINT);
    t->anisotropy = (uint8_t)(d->maxAnisotropy > 16 ? 16 : d->maxAnisotropy);
    t->mip_bias = d->mipmapLevelBias;
    t->mip_min = d->minMipmapLevelClamp;
    t->mip_max = d->maxMipmapLevelClamp;
    memcpy(t->border, d->borderColor, sizeof t->border);
    return CUDA_SUCCESS;
}

CUresult texture_describe(const CUDA_RESOURCE_DESC *resource, const CUDA_TEXTURE_DESC *desc,
                          const CUDA_RESOURCE_VIEW_DESC *view, struct texture *out)
{
    memset(out, 0, sizeof *out);
    CUresult r = resource_read(resource, out);
    if (!r && view)
        r = view_apply(view, out);
    if (!r && desc)
        r = sampler_read(desc, out);
    if (r || desc)
        return r;
    if (resource->resType != CU_RESOURCE_TYPE_ARRAY)
        return CUDA_ERROR_INVALID_VALUE;
    out->kind = TEXTURE_SURFACE;
    return CUDA_SUCCESS;
}

CUresult texture_make(struct context *c, const struct texture *t, struct texture **out)
{
    *out = texture_create(t);
    if (!*out) {
        context_wait(c);
        textures_reclaim(c);
        *out = texture_create(t);
    }
    return *out ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

// ---- objects
struct texture_object {
    struct texture_object *next; // in its bucket
    struct context *context;
    struct texture *texture; // its address is the handle
    bool surface;
    CUDA_RESOURCE_DESC resource;
    CUDA_TEXTURE_DESC desc;
    CUDA_RESOURCE_VIEW_DESC view;
};

enum { BUCKETS = 1024 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // of the buckets
static struct texture_object *buckets[BUCKETS];

static struct texture_object **bucket_of(const struct texture *t)
{
    return &buckets[(uintptr_t)t / sizeof(struct texture) % BUCKETS];
}

static void object_add(struct texture_object *o)
{
    struct texture_object **b = bucket_of(o->texture);
    pthread_mutex_lock(&lock);
    o->next = *b;
    *b = o;
    pthread_mutex_unlock(&lock);
}

// A copy of the object, which another thread may destroy; take: it is taken out. NULL: there is none. The caller frees.
static struct texture_object *object_find(uint64_t handle, bool surface, bool take)
{
    struct texture *t = texture_find(handle, surface);
    struct texture_object *found = NULL;
    if (!t)
        return NULL;
    pthread_mutex_lock(&lock);
    for (struct texture_object **p = bucket_of(t); *p && !found; p = &(*p)->next) {
        if ((*p)->texture != t || (*p)->surface != surface)
            continue;
        if (take) {
            found = *p;
            *p = found->next;
        } else {
            found = xcalloc(1, sizeof *found);
            *found = **p;
        }
        break;
    }
    pthread_mutex_unlock(&lock);
    return found;
}

void textures_clear(struct context *c)
{
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < BUCKETS; i++) {
        for (struct texture_object **p = &buckets[i]; *p;) {
            struct texture_object *o = *p;
            if (o->context != c) {
                p = &o->next;
                continue;
            }
            *p = o->next;
            texture_destroy(o->texture);
            free(o);
        }
    }
    pthread_mutex_unlock(&lock);
    textures_reclaim(c);
    vec_free(&c->retired);
}

static CUresult object_create(uint64_t *handle, const CUDA_RESOURCE_DESC *resource, const CUDA_TEXTURE_DESC *desc,
                              const CUDA_RESOURCE_VIEW_DESC *view, bool surface)
{
    struct context *c;
    struct texture described, *t;
    CUresult r = context_enter(&c);
    if (r)
        return r;
    if (!handle || !resource || (!desc && !surface))
        return CUDA_ERROR_INVALID_VALUE;
    r = texture_describe(resource, desc, view, &described);
    r = r ? r : texture_make(c, &described, &t);
    if (r)
        return r;
    struct texture_object *o = xcalloc(1, sizeof *o);
    *o = (struct texture_object){.context = c, .texture = t, .surface = surface, .resource = *resource};
    if (desc)
        o->desc = *desc;
    if (view)
        o->view = *view;
    object_add(o);
    *handle = (uintptr_t)t;
    return CUDA_SUCCESS;
}

static CUresult object_destroy(uint64_t handle, bool surface)
{
    struct context *c;
    CUresult r = context_enter(&c);
    if (r)
        return r;
    struct texture_object *o = object_find(handle, surface, true);
    if (!o) // as NVIDIA's driver has it: what is not there is destroyed
        return CUDA_SUCCESS;
    texture_retire(o->context, o->texture);
    free(o);
    return CUDA_SUCCESS;
}

// One of the descriptions that the object behind a handle was made of.
static CUresult object_part(void *out, uint64_t handle, bool surface, size_t offset, size_t size)
{
    struct context *c;
    CUresult r = context_enter(&c);
    if (r)
        return r;
    struct texture_object *copy = out ? object_find(handle, surface, false) : NULL;
    if (!copy)
        return CUDA_ERROR_INVALID_VALUE;
    memcpy(out, (const char *)copy + offset, size);
    free(copy);
    return CUDA_SUCCESS;
}

_Static_assert(sizeof(CUtexObject) == sizeof(uint64_t) && sizeof(CUsurfObject) == sizeof(uint64_t), "handles");

CUresult texture_object_create(CUtexObject *texture, const CUDA_RESOURCE_DESC *resource, const CUDA_TEXTURE_DESC *desc,
                               const CUDA_RESOURCE_VIEW_DESC *view)
{
    uint64_t handle;
    CUresult r = object_create(texture ? &handle : NULL, resource, desc, view, false);
    if (!r)
        *texture = handle;
    return r;
}

CUresult texture_object_destroy(CUtexObject texture)
{
    return object_destroy(texture, false);
}

CUresult texture_object_resource(CUDA_RESOURCE_DESC *desc, CUtexObject texture)
{
    return object_part(desc, texture, false, offsetof(struct texture_object, resource), sizeof *desc);
}

CUresult texture_object_desc(CUDA_TEXTURE_DESC *desc, CUtexObject texture)
{
    return object_part(desc, texture, false, offsetof(struct texture_object, desc), sizeof *desc);
}

CUresult texture_object_view(CUDA_RESOURCE_VIEW_DESC *desc, CUtexObject texture)
{
    // zeros where there is none
    return object_part(desc, texture, false, offsetof(struct texture_object, view), sizeof *desc);
}

CUresult surface_object_create(CUsurfObject *surface, const CUDA_RESOURCE_DESC *resource)
{
    uint64_t handle;
    CUresult r = object_create(surface ? &handle : NULL, resource, NULL, NULL, true);
    if (!r)
        *surface = handle;
    return r;
}

CUresult surface_object_destroy(CUsurfObject surface)
{
    return object_destroy(surface, true);
}

CUresult surface_object_resource(CUDA_RESOURCE_DESC *desc, CUsurfObject surface)
{
    return object_part(desc, surface, true, offsetof(struct texture_object, resource), sizeof *desc);
}
