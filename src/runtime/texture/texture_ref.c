// SPDX-License-Identifier: Apache-2.0
// Texture and surface references, which CUDA had until version 11. What is bound is set on the driver's reference of
// the same name in the program's module; how it is read is taken from the host's variable when it is bound.
#include "runtime/memory/array.h"

static cudaError_t texture_find(const struct textureReference *texref, struct rt_reference **out, CUtexref *handle)
{
    CUmodule module;
    *out = rt_reference(texref, RT_TEXTURE);
    if (!*out)
        return rt_fail(cudaErrorInvalidTexture);
    cudaError_t e = rt_enter();
    if (!e)
        e = rt_reference_module(*out, &module);
    if (e)
        return e;
    CUresult r = drv.cuModuleGetTexRef(handle, module, rt_reference_name(*out));
    return r == CUDA_ERROR_NOT_FOUND ? rt_fail(cudaErrorInvalidTexture) : rt_result(r);
}

static const struct {
    size_t offset; // of an int in struct textureReference
    unsigned flag;
} flags[] = {
    {offsetof(struct textureReference, normalized), CU_TRSF_NORMALIZED_COORDINATES},
    {offsetof(struct textureReference, sRGB), CU_TRSF_SRGB},
    {offsetof(struct textureReference, disableTrilinearOptimization), CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION},
};

// How it is read.
static cudaError_t texture_sampler(const struct textureReference *t, const struct rt_reference *ref, CUtexref handle,
                                   CUarray_format format)
{
    cudaError_t e = rt_read_check(format, ref->normalized, t->filterMode == cudaFilterModeLinear);
    if (e)
        return e;
    unsigned bits = ref->normalized ? 0 : CU_TRSF_READ_AS_INTEGER;
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (*(const int *)((const char *)t + flags[i].offset))
            bits |= flags[i].flag;
    CUresult r = drv.cuTexRefSetFlags(handle, bits);
    for (int i = 0; i < 3 && !r; i++)
        r = drv.cuTexRefSetAddressMode(handle, i, (CUaddress_mode)t->addressMode[i]);
    r = r ? r : drv.cuTexRefSetFilterMode(handle, (CUfilter_mode)t->filterMode);
    r = r ? r : drv.cuTexRefSetMaxAnisotropy(handle, t->maxAnisotropy);
    r = r ? r : drv.cuTexRefSetMipmapFilterMode(handle, (CUfilter_mode)t->mipmapFilterMode);
    r = r ? r : drv.cuTexRefSetMipmapLevelBias(handle, t->mipmapLevelBias);
    r = r ? r : drv.cuTexRefSetMipmapLevelClamp(handle, t->minMipmapLevelClamp, t->maxMipmapLevelClamp);
    return rt_result(r);
}

// The parts that all ways of binding begin with.
struct binding {
    struct rt_reference *ref;
    CUtexref handle;
    CUarray_format format;
    unsigned channels;
};

static cudaError_t binding_begin(const struct textureReference *texref, const struct cudaChannelFormatDesc *desc,
                                 struct binding *b)
{
    cudaError_t e = texture_find(texref, &b->ref, &b->handle);
    if (e)
        return e;
    if (!desc)
        return rt_fail(cudaErrorInvalidValue);
    if (!channel_to_format(desc, &b->format, &b->channels))
        return rt_fail(cudaErrorInvalidChannelDescriptor);
    return texture_sampler(rt_reference_host(b->ref), b->ref, b->handle, b->format);
}

static cudaError_t binding_end(struct binding *b, CUresult r, size_t offset)
{
    if (r)
        return rt_fail_driver(r);
    b->ref->bound = true;
    b->ref->offset = offset;
    return cudaSuccess;
}

cudaError_t cudaBindTexture(size_t *offset, const struct textureReference *texref, const void *devPtr,
                            const struct cudaChannelFormatDesc *desc, size_t size)
{
    struct binding b;
    size_t beyond = 0, width;
    cudaError_t e = binding_begin(texref, desc, &b);
    if (e)
        return e;
    if (!devPtr)
        return rt_fail(cudaErrorInvalidDevicePointer);
    // A program that does not know the size gives the largest number; a texture holds less.
    CUresult r = drv.cuDeviceGetTexture1DLinearMaxWidth(&width, b.format, b.channels, rt_device());
    size_t limit = r ? size : width * (size_t)(desc->x + desc->y + desc->z + desc->w) / 8;
    r = drv.cuTexRefSetFormat(b.handle, b.format, (int)b.channels);
    r = r ? r : drv.cuTexRefSetAddress(&beyond, b.handle, (CUdeviceptr)(uintptr_t)devPtr, size < limit ? size : limit);
    if (!r && beyond && !offset) { // the program would not know where its data begins
        drv.cuTexRefSetAddress(&beyond, b.handle, 0, 0);
        r = CUDA_ERROR_INVALID_VALUE;
    }
    if (!r && offset)
        *offset = beyond;
    return binding_end(&b, r, beyond);
}

// The texture begins at an aligned address; x is then too small by the offset, which the program adds.
cudaError_t cudaBindTexture2D(size_t *offset, const struct textureReference *texref, const void *devPtr,
                              const struct cudaChannelFormatDesc *desc, size_t width, size_t height, size_t pitch)
{
    struct binding b;
    int align = 0;
    cudaError_t e = binding_begin(texref, desc, &b);
    if (e)
        return e;
    if (!devPtr)
        return rt_fail(cudaErrorInvalidDevicePointer);
    CUresult r = drv.cuDeviceGetAttribute(&align, CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT, rt_device());
    if (r || align <= 0)
        return rt_fail_driver(r);
    size_t beyond = (uintptr_t)devPtr % (size_t)align, element = (size_t)(desc->x + desc->y + desc->z + desc->w) / 8;
    if ((beyond && !offset) || beyond % element)
        return rt_fail(cudaErrorInvalidValue);
    CUDA_ARRAY_DESCRIPTOR d = {width + beyond / element, height, b.format, b.channels};
    r = drv.cuTexRefSetAddress2D(b.handle, &d, (CUdeviceptr)(uintptr_t)devPtr - beyond, pitch);
    if (!r && offset)
        *offset = beyond;
    return binding_end(&b, r, beyond);
}

cudaError_t cudaBindTextureToArray(const struct textureReference *texref, cudaArray_const_t array,
                                   const struct cudaChannelFormatDesc *desc)
{
    struct binding b;
    cudaError_t e = binding_begin(texref, desc, &b);
    if (e)
        return e;
    CUresult r = drv.cuTexRefSetArray(b.handle, (CUarray)(uintptr_t)array, CU_TRSA_OVERRIDE_FORMAT);
    return binding_end(&b, r, 0);
}

cudaError_t cudaBindTextureToMipmappedArray(const struct textureReference *texref,
                                            cudaMipmappedArray_const_t mipmappedArray,
                                            const struct cudaChannelFormatDesc *desc)
{
    struct binding b;
    cudaError_t e = binding_begin(texref, desc, &b);
    if (e)
        return e;
    CUresult r =
        drv.cuTexRefSetMipmappedArray(b.handle, (CUmipmappedArray)(uintptr_t)mipmappedArray, CU_TRSA_OVERRIDE_FORMAT);
    return binding_end(&b, r, 0);
}

cudaError_t cudaUnbindTexture(const struct textureReference *texref)
{
    struct rt_reference *ref;
    CUtexref handle;
    size_t offset;
    cudaError_t e = texture_find(texref, &ref, &handle);
    if (e || !ref->bound)
        return e;
    ref->bound = false;
    return rt_result(drv.cuTexRefSetAddress(&offset, handle, 0, 0));
}

cudaError_t cudaGetTextureAlignmentOffset(size_t *offset, const struct textureReference *texref)
{
    struct rt_reference *ref = rt_reference(texref, RT_TEXTURE);
    if (!ref)
        return rt_fail(cudaErrorInvalidTexture);
    if (!offset)
        return rt_fail(cudaErrorInvalidValue);
    if (!ref->bound)
        return rt_fail(cudaErrorInvalidTextureBinding);
    *offset = ref->offset;
    return cudaSuccess;
}

cudaError_t cudaGetTextureReference(const struct textureReference **texref, const void *symbol)
{
    struct rt_reference *ref = rt_reference(symbol, RT_TEXTURE);
    if (!texref)
        return rt_fail(cudaErrorInvalidValue);
    if (!ref)
        return rt_fail(cudaErrorInvalidTexture);
    *texref = rt_reference_host(ref);
    return cudaSuccess;
}

cudaError_t cudaBindSurfaceToArray(const struct surfaceReference *surfref, cudaArray_const_t array,
                                   const struct cudaChannelFormatDesc *desc)
{
    struct rt_reference *ref = rt_reference(surfref, RT_SURFACE);
    CUmodule module;
    CUsurfref handle;
    if (!ref)
        return rt_fail(cudaErrorInvalidSurface);
    if (!desc)
        return rt_fail(cudaErrorInvalidValue);
    cudaError_t e = rt_enter();
    if (!e)
        e = rt_reference_module(ref, &module);
    if (e)
        return e;
    CUresult r = drv.cuModuleGetSurfRef(&handle, module, rt_reference_name(ref));
    if (r)
        return r == CUDA_ERROR_NOT_FOUND ? rt_fail(cudaErrorInvalidSurface) : rt_fail_driver(r);
    return rt_result(drv.cuSurfRefSetArray(handle, (CUarray)(uintptr_t)array, 0));
}

cudaError_t cudaGetSurfaceReference(const struct surfaceReference **surfref, const void *symbol)
{
    struct rt_reference *ref = rt_reference(symbol, RT_SURFACE);
    if (!surfref)
        return rt_fail(cudaErrorInvalidValue);
    if (!ref)
        return rt_fail(cudaErrorInvalidSurface);
    *surfref = rt_reference_host(ref);
    return cudaSuccess;
}
