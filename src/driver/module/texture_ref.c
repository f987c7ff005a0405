// SPDX-License-Identifier: Apache-2.0
// Texture and surface references, of CUDA 1 to 11: .texref and .surfref variables of a module, to which resources are
// bound by name.
//
// Such a variable holds the handle of a texture or surface. The functions here only note what is asked for; the launch
// that comes next makes the texture and stores its handle, after waiting for kernels that may still read the old one.
#include "driver/texture/texture.h"
#include <stdlib.h>

struct texture_ref {
    struct node node; // in its context's list when no module has it
    CUtexref handle;
    struct context *context;
    struct module *module;   // NULL: from cuTexRefCreate
    const char *name;        // of the variable
    uint64_t *variable;      // NULL: none
    struct texture *texture; // what the variable holds
    pthread_mutex_t lock;
    bool surface, bound, changed;
    CUDA_RESOURCE_DESC resource;
    CUDA_TEXTURE_DESC desc;
    CUarray_format format; // of linear memory; of the array where it overrode
    unsigned channels;
};

static struct texture_ref *ref_new(struct context *c, bool surface)
{
    struct texture_ref *t = xcalloc(1, sizeof *t);
    list_init(&t->node);
    pthread_mutex_init(&t->lock, NULL);
    t->context = c;
    t->surface = surface;
    t->format = CU_AD_FORMAT_FLOAT;
    t->channels = 1;
    for (int i = 0; i < 3; i++)
        t->desc.addressMode[i] = CU_TR_ADDRESS_MODE_CLAMP;
    t->handle = handle_create(HANDLE_TEXTURE, t);
    return t;
}

static void ref_free(struct texture_ref *t)
{
    handle_take(t->handle, HANDLE_TEXTURE);
    if (t->texture)
        texture_retire(t->context, t->texture);
    pthread_mutex_destroy(&t->lock);
    free(t);
}

// ---- in modules
static bool is_reference(const struct ptx_var *v)
{
    return (v->type == PTX_TYPE_TEXREF || v->type == PTX_TYPE_SURFREF) && !v->func && v->space == PTX_SPACE_GLOBAL;
}

CUresult module_refs_make(struct module *m)
{
    const struct ptx_module *ptx = m->image->ptx;
    for (uint32_t i = 0; i < ptx->nvars; i++)
        m->ntextures += is_reference(ptx->vars[i]);
    if (!m->ntextures)
        return CUDA_SUCCESS;
    m->textures = xcalloc(m->ntextures, sizeof(struct texture_ref *));
    m->ntextures = 0;
    for (uint32_t i = 0; i < ptx->nvars; i++) {
        const struct ptx_var *v = ptx->vars[i];
        if (!is_reference(v))
            continue;
        struct texture_ref *t = ref_new(m->context, v->type == PTX_TYPE_SURFREF);
        m->textures[m->ntextures++] = t;
        t->module = m;
        t->name = v->name;
        t->variable = m->globals[i];
        if (!t->handle)
            return CUDA_ERROR_OUT_OF_MEMORY;
    }
    return CUDA_SUCCESS;
}

void module_refs_free(struct module *m)
{
    for (uint32_t i = 0; i < m->ntextures; i++)
        ref_free(m->textures[i]);
    free(m->textures);
    m->textures = NULL;
    m->ntextures = 0;
}

void texture_refs_clear(struct context *c)
{
    while (c->texture_refs.next != &c->texture_refs) {
        struct texture_ref *t = list_at(c->texture_refs.next, offsetof(struct texture_ref, node));
        list_remove(&t->node);
        ref_free(t);
    }
}

// With the reference's lock held. What cannot be used any more, such as an array that was freed, is not bound: only a
// kernel that fetches from it fails.
static CUresult ref_bind(struct texture_ref *t)
{
    struct texture described, *texture = NULL;
    CUresult r = CUDA_SUCCESS;
    if (t->bound && texture_describe(&t->resource, t->surface ? NULL : &t->desc, NULL, &described))
        log_write(LOG_WARN, "what is bound to '%s' cannot be used", t->name);
    else if (t->bound)
        r = texture_make(t->context, &described, &texture);
    if (r)
        return r;
    context_wait(t->context); // kernels under way read the variable
    *t->variable = (uintptr_t)texture;
    if (t->texture)
        texture_retire(t->context, t->texture);
    t->texture = texture;
    t->changed = false;
    return CUDA_SUCCESS;
}

CUresult module_refs_bind_slow(struct module *m)
{
    CUresult r = CUDA_SUCCESS;
    atomic_store(&m->textures_changed, false);
    for (uint32_t i = 0; i < m->ntextures && !r; i++) {
        struct texture_ref *t = m->textures[i];
        pthread_mutex_lock(&t->lock);
        if (t->changed)
            r = ref_bind(t);
        pthread_mutex_unlock(&t->lock);
    }
    if (r)
        atomic_store(&m->textures_changed, true);
    return r;
}

static CUresult module_ref(CUmodule module, const char *name, bool surface, CUtexref *out)
{
    struct module *m = handle_get(module, HANDLE_MODULE);
    if (!m)
        return driver_ready() ? CUDA_ERROR_INVALID_HANDLE : CUDA_ERROR_NOT_INITIALIZED;
    if (!out || !name)
        return CUDA_ERROR_INVALID_VALUE;
    for (uint32_t i = 0; i < m->ntextures; i++)
        if (m->textures[i]->surface == surface && !strcmp(m->textures[i]->name, name)) {
            *out = m->textures[i]->handle;
            return CUDA_SUCCESS;
        }
    return CUDA_ERROR_NOT_FOUND;
}

CUresult module_get_texture_ref(CUtexref *texture, CUmodule module, const char *name)
{
    return module_ref(module, name, false, texture);
}

CUresult module_get_surface_ref(CUsurfref *surface, CUmodule module, const char *name)
{
    return module_ref(module, name, true, (CUtexref *)surface);
}

// ---- what all functions begin and end with
// Locked on success.
static CUresult ref_enter(const void *handle, bool surface, struct texture_ref **out)
{
    struct texture_ref *t = handle_get(handle, HANDLE_TEXTURE);
    if (!t || t->surface != surface)
        return driver_ready() ? CUDA_ERROR_INVALID_HANDLE : CUDA_ERROR_NOT_INITIALIZED;
    pthread_mutex_lock(&t->lock);
    *out = t;
    return CUDA_SUCCESS;
}

static CUresult ref_leave(struct texture_ref *t, CUresult r)
{
    pthread_mutex_unlock(&t->lock);
    return r;
}

// After a change.
static CUresult ref_changed(struct texture_ref *t)
{
    t->changed = true;
    if (t->module)
        atomic_store(&t->module->textures_changed, true);
    return ref_leave(t, CUDA_SUCCESS);
}

CUresult texture_ref_create(CUtexref *texture)
{
    struct context *c;
    CUresult r = context_enter(&c);
    if (r)
        return r;
    if (!texture)
        return CUDA_ERROR_INVALID_VALUE;
    struct texture_ref *t = ref_new(c, false);
    if (!t->handle) {
        ref_free(t);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    pthread_mutex_lock(&c->lock);
    list_add(&c->texture_refs, &t->node);
    pthread_mutex_unlock(&c->lock);
    *texture = t->handle;
    return CUDA_SUCCESS;
}

CUresult texture_ref_destroy(CUtexref texture)
{
    struct texture_ref *t = handle_get(texture, HANDLE_TEXTURE);
    if (!t || t->surface || t->module)
        return driver_ready() ? CUDA_ERROR_INVALID_HANDLE : CUDA_ERROR_NOT_INITIALIZED;
    if (!handle_take(texture, HANDLE_TEXTURE))
        return CUDA_ERROR_INVALID_HANDLE;
    t->handle = NULL;
    pthread_mutex_lock(&t->context->lock);
    list_remove(&t->node);
    pthread_mutex_unlock(&t->context->lock);
    ref_free(t);
    return CUDA_SUCCESS;
}

// ---- what is bound
CUresult texture_ref_set_array(CUtexref texture, CUarray array, unsigned flags)
{
    struct texture_ref *t;
    CUresult r = ref_enter(texture, false, &t);
    if (r)
        return r;
    struct array_object *a = array_get(array);
    if (flags & ~(unsigned)CU_TRSA_OVERRIDE_FORMAT)
        return ref_leave(t, CUDA_ERROR_INVALID_VALUE);
    if (!a)
        return ref_leave(t, CUDA_ERROR_INVALID_HANDLE);
    t->resource = (CUDA_RESOURCE_DESC){.resType = CU_RESOURCE_TYPE_ARRAY, .res.array.hArray = array};
    t->format = a->desc.Format;
    t->channels = a->desc.NumChannels;
    t->bound = true;
    return ref_changed(t);
}

CUresult texture_ref_set_mipmap(CUtexref texture, CUmipmappedArray array, unsigned flags)
{
    struct texture_ref *t;
    CUresult r = ref_enter(texture, false, &t);
    if (r)
        return r;
    struct array_object *a = mipmap_get(array);
    if (flags & ~(unsigned)CU_TRSA_OVERRIDE_FORMAT)
        return ref_leave(t, CUDA_ERROR_INVALID_VALUE);
    if (!a)
        return ref_leave(t, CUDA_ERROR_INVALID_HANDLE);
    t->resource =
        (CUDA_RESOURCE_DESC){.resType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY, .res.mipmap.hMipmappedArray = array};
    t->format = a->desc.Format;
    t->channels = a->desc.NumChannels;
    t->bound = true;
    return ref_changed(t);
}

// The resource holds the aligned address; fetches add what the program gets as the offset.
CUresult texture_ref_set_address(size_t *offset, CUtexref texture, CUdeviceptr address, size_t bytes)
{
    struct texture_ref *t;
    struct texel_format format;
    CUresult r = ref_enter(texture, false, &t);
    if (r)
        return r;
    size_t beyond = address % TEXTURE_ALIGN;
    r = texel_format_of(t->format, t->channels, &format);
    if (!r && ((beyond && !offset) || bytes / format.size > texture_linear_limit(format)))
        r = CUDA_ERROR_INVALID_VALUE;
    if (r)
        return ref_leave(t, r);
    t->resource = (CUDA_RESOURCE_DESC){.resType = CU_RESOURCE_TYPE_LINEAR,
                                       .res.linear = {.devPtr = address - beyond,
                                                      .format = t->format,
                                                      .numChannels = t->channels,
                                                      .sizeInBytes = bytes + beyond}};
    t->bound = address && bytes >= format.size;
    if (offset)
        *offset = beyond;
    return ref_changed(t);
}

CUresult texture_ref_set_address_2d(CUtexref texture, const CUDA_ARRAY_DESCRIPTOR *desc, CUdeviceptr address,
                                    size_t pitch)
{
    struct texture_ref *t;
    struct texture described;
    CUresult r = ref_enter(texture, false, &t);
    if (r)
        return r;
    if (!desc)
        return ref_leave(t, CUDA_ERROR_INVALID_VALUE);
    CUDA_RESOURCE_DESC resource = {.resType = CU_RESOURCE_TYPE_PITCH2D,
                                   .res.pitch2D = {.devPtr = address,
                                                   .format = desc->Format,
                                                   .numChannels = desc->NumChannels,
                                                   .width = desc->Width,
                                                   .height = desc->Height,
                                                   .pitchInBytes = pitch}};
    CUDA_TEXTURE_DESC point = {0};
    if (address)
        r = texture_describe(&resource, &point, NULL, &described);
    if (address && !r && pitch < desc->Width * described.format.size)
        r = CUDA_ERROR_INVALID_VALUE;
    if (r)
        return ref_leave(t, r);
    t->resource = resource;
    t->format = desc->Format;
    t->channels = desc->NumChannels;
    t->bound = address != 0;
    return ref_changed(t);
}

CUresult texture_ref_get_address(CUdeviceptr *address, CUtexref texture)
{
    struct texture_ref *t;
    CUresult r = ref_enter(texture, false, &t);
    if (r)
        return r;
    bool linear = t->bound && t->resource.resType == CU_RESOURCE_TYPE_LINEAR;
    if (!address || !(linear || (t->bound && t->resource.resType == CU_RESOURCE_TYPE_PITCH2D)))
        return ref_leave(t, CUDA_ERROR_INVALID_VALUE);
    *address = linear ? t->resource.res.linear.devPtr : t->resource.res.pitch2D.devPtr;
    return ref_leave(t, CUDA_SUCCESS);
}

CUresult texture_ref_get_array(CUarray *array, CUtexref texture)
{
    struct texture_ref *t;
    CUresult r = ref_enter(texture, false, &t);
    if (r)
        return r;
    if (!array || !t->bound || t->resource.resType != CU_RESOURCE_TYPE_ARRAY)
        return ref_leave(t, CUDA_ERROR_INVALID_VALUE);
    *array = t->resource.res.array.hArray;
    return ref_leave(t, CUDA_SUCCESS);
}

CUresult texture_ref_get_mipmap(CUmipmappedArray *array, CUtexref texture)
{
    struct texture_ref *t;
    CUresult r = ref_enter(texture, false, &t);
    if (r)
        return r;
    if (!array || !t->bound || t->resource.resType != CU_RESOURCE_TYPE_MIPMAPPED_ARRAY)
        return ref_leave(t, CUDA_ERROR_INVALID_VALUE);
    *array = t->resource.res.mipmap.hMipmappedArray;
    return ref_leave(t, CUDA_SUCCESS);
}

CUresult texture_ref_set_format(CUtexref texture, CUarray_format format, int channels)
{
    struct texture_ref *t;
    struct texel_format known;
    CUresult r = ref_enter(texture, false, &t);
    if (r)
        return r;
    r = texel_format_of(format, (unsigned)channels, &known);
    if (r)
        return ref_leave(t, r);
    t->format = format;
    t->channels = (unsigned)channels;
    if (t->bound && t->resource.resType == CU_RESOURCE_TYPE_LINEAR) {
        t->resource.res.linear.format = format;
        t->resource.res.linear.numChannels = t->channels;
    }
    return ref_changed(t);
}

CUresult texture_ref_get_format(CUarray_format *format, int *channels, CUtexref texture)
{
    struct texture_ref *t;
    CUresult r = ref_enter(texture, false, &t);
    if (r)
        return r;
    if (format)
        *format = t->format;
    if (channels)
        *channels = (int)t->channels;
    return ref_leave(t, format || channels ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE);
}

// ---- how it is read
CUresult texture_ref_set_address_mode(CUtexref texture, int dimension, CUaddress_mode mode)
{
    struct texture_ref *t;
    CUresult r = ref_enter(texture, false, &t);
    if (r)
        return r;
    if (dimension < 0 || dimension > 2 || (unsigned)mode > CU_TR_ADDRESS_MODE_BORDER)
        return ref_leave(t, CUDA_ERROR_INVALID_VALUE);
    t->desc.addressMode[dimension] = mode;
    return ref_changed(t);
}

CUresult texture_ref_get_address_mode(CUaddress_mode *mode, CUtexref texture, int dimension)
{
    struct texture_ref *t;
    CUresult r = ref_enter(texture, false, &t);
    if (r)
        return r;
    if (!mode || dimension < 0 || dimension > 2)
        return ref_leave(t, CUDA_ERROR_INVALID_VALUE);
    *mode = t->desc.addressMode[dimension];
    return ref_leave(t, CUDA_SUCCESS);
}

CUresult texture_ref_set_flags(CUtexref texture, unsigned flags)
{
    struct texture_ref *t;
    const unsigned known = CU_TRSF_READ_AS_INTEGER | CU_TRSF_NORMALIZED_COORDINATES | CU_TRSF_SRGB |
                           CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION | CU_TRSF_SEAMLESS_CUBEMAP;
    CUresult r = ref_enter(texture, false, &t);
    if (r)
        return r;
    if (flags & ~known)
        return ref_leave(t, CUDA_ERROR_INVALID_VALUE);
    t->desc.flags = flags;
    return ref_changed(t);
}

static CUresult filter_set(CUtexref texture, CUfilter_mode mode, bool of_levels)
{
    struct texture_ref *t;
    CUresult r = ref_enter(texture, false, &t);
    if (r)
        return r;
    if ((unsigned)mode > CU_TR_FILTER_MODE_LINEAR)
        return ref_leave(t, CUDA_ERROR_INVALID_VALUE);
    *(of_levels ? &t->desc.mipmapFilterMode : &t->desc.filterMode) = mode;
    return ref_changed(t);
}

CUresult texture_ref_set_filter(CUtexref texture, CUfilter_mode mode)
{
    return filter_set(texture, mode, false);
}

CUresult texture_ref_set_mipmap_filter(CUtexref texture, CUfilter_mode mode)
{
    return filter_set(texture, mode, true);
}

CUresult texture_ref_set_bias(CUtexref texture, float bias)
{
    struct texture_ref *t;
    CUresult r = ref_enter(texture, false, &t);
    if (r)
        return r;
    t->desc.mipmapLevelBias = bias;
    return ref_changed(t);
}

CUresult texture_ref_set_clamp(CUtexref texture, float least, float greatest)
{
    struct texture_ref *t;
    CUresult r = ref_enter(texture, false, &t);
    if (r)
        return r;
    t->desc.minMipmapLevelClamp = least;
    t->desc.maxMipmapLevelClamp = greatest;
    return ref_changed(t);
}

CUresult texture_ref_get_clamp(float *least, float *greatest, CUtexref texture)
{
    struct texture_ref *t;
    CUresult r = ref_enter(texture, false, &t);
    if (r)
        return r;
    if (!least || !greatest)
        return ref_leave(t, CUDA_ERROR_INVALID_VALUE);
    *least = t->desc.minMipmapLevelClamp;
    *greatest = t->desc.maxMipmapLevelClamp;
    return ref_leave(t, CUDA_SUCCESS);
}

CUresult texture_ref_set_anisotropy(CUtexref texture, unsigned most)
{
    struct texture_ref *t;
    CUresult r = ref_enter(texture, false, &t);
    if (r)
        return r;
    t->desc.maxAnisotropy = most;
    return ref_changed(t);
}

CUresult texture_ref_set_border(CUtexref texture, float *color)
{
    struct texture_ref *t;
    CUresult r = ref_enter(texture, false, &t);
    if (r)
        return r;
    if (!color)
        return ref_leave(t, CUDA_ERROR_INVALID_VALUE);
    memcpy(t->desc.borderColor, color, sizeof t->desc.borderColor);
    return ref_changed(t);
}

// The functions that give one member back.
#define GETTER(name, type, member)                                                                                     \
    CUresult name(type *out, CUtexref texture)                                                                         \
    {                                                                                                                  \
        struct texture_ref *t;                                                                                         \
        CUresult r = ref_enter(texture, false, &t);                                                                    \
        if (r)                                                                                                         \
            return r;                                                                                                  \
        if (out)                                                                                                       \
            memcpy(out, &t->desc.member, sizeof t->desc.member);                                                       \
        return ref_leave(t, out ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE);                                            \
    }
GETTER(texture_ref_get_filter, CUfilter_mode, filterMode)
GETTER(texture_ref_get_mipmap_filter, CUfilter_mode, mipmapFilterMode)
GETTER(texture_ref_get_flags, unsigned, flags)
GETTER(texture_ref_get_bias, float, mipmapLevelBias)
GETTER(texture_ref_get_anisotropy, int, maxAnisotropy)
GETTER(texture_ref_get_border, float, borderColor)

// ---- surfaces
CUresult surface_ref_set_array(CUsurfref surface, CUarray array, unsigned flags)
{
    struct texture_ref *t;
    CUresult r = ref_enter(surface, true, &t);
    if (r)
        return r;
    struct array_object *a = array_get(array);
    CUDA_RESOURCE_DESC resource = {.resType = CU_RESOURCE_TYPE_ARRAY, .res.array.hArray = array};
    if (!a)
        r = CUDA_ERROR_INVALID_HANDLE;
    else if (flags || !(a->desc.Flags & CUDA_ARRAY3D_SURFACE_LDST))
        r = CUDA_ERROR_INVALID_VALUE;
    if (r)
        return ref_leave(t, r);
    t->resource = resource;
    t->bound = true;
    return ref_changed(t);
}

CUresult surface_ref_get_array(CUarray *array, CUsurfref surface)
{
    struct texture_ref *t;
    CUresult r = ref_enter(surface, true, &t);
    if (r)
        return r;
    if (!array || !t->bound)
        return ref_leave(t, CUDA_ERROR_INVALID_VALUE);
    *array = t->resource.res.array.hArray;
    return ref_leave(t, CUDA_SUCCESS);
}

CUresult texture_ref_check(CUtexref texture)
{
    struct texture_ref *t;
    CUresult r = ref_enter(texture, false, &t);
    return r ? r : ref_leave(t, CUDA_SUCCESS);
}
