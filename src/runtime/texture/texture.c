// SPDX-License-Identifier: Apache-2.0
// Texture and surface objects, in the driver's terms.
#include "runtime/memory/array.h"
#include <string.h>

static cudaError_t resource_convert(const struct cudaResourceDesc *d, CUDA_RESOURCE_DESC *out)
{
    memset(out, 0, sizeof *out);
    if (!d)
        return rt_fail(cudaErrorInvalidValue);
    out->resType = (CUresourcetype)d->resType;
    out->flags = d->flags;
    bool known = true;
    switch (d->resType) {
    case cudaResourceTypeArray:
        out->res.array.hArray = (CUarray)d->res.array.array;
        if (!d->res.array.array)
            return rt_fail(cudaErrorInvalidResourceHandle);
        break;
    case cudaResourceTypeMipmappedArray:
        out->res.mipmap.hMipmappedArray = (CUmipmappedArray)d->res.mipmap.mipmap;
        if (!d->res.mipmap.mipmap)
            return rt_fail(cudaErrorInvalidResourceHandle);
        break;
    case cudaResourceTypeLinear:
        out->res.linear.devPtr = (CUdeviceptr)(uintptr_t)d->res.linear.devPtr;
        out->res.linear.sizeInBytes = d->res.linear.sizeInBytes;
        known = channel_to_format(&d->res.linear.desc, &out->res.linear.format, &out->res.linear.numChannels);
        break;
    case cudaResourceTypePitch2D:
        out->res.pitch2D.devPtr = (CUdeviceptr)(uintptr_t)d->res.pitch2D.devPtr;
        out->res.pitch2D.width = d->res.pitch2D.width;
        out->res.pitch2D.height = d->res.pitch2D.height;
        out->res.pitch2D.pitchInBytes = d->res.pitch2D.pitchInBytes;
        known = channel_to_format(&d->res.pitch2D.desc, &out->res.pitch2D.format, &out->res.pitch2D.numChannels);
        break;
    default:
        return rt_fail(cudaErrorInvalidValue);
    }
    return known ? cudaSuccess : rt_fail(cudaErrorInvalidChannelDescriptor);
}

static void resource_restore(const CUDA_RESOURCE_DESC *d, struct cudaResourceDesc *out)
{
    memset(out, 0, sizeof *out);
    out->resType = (enum cudaResourceType)d->resType;
    out->flags = d->flags;
    switch (out->resType) {
    case cudaResourceTypeArray:
        out->res.array.array = (cudaArray_t)d->res.array.hArray;
        break;
    case cudaResourceTypeMipmappedArray:
        out->res.mipmap.mipmap = (cudaMipmappedArray_t)d->res.mipmap.hMipmappedArray;
        break;
    case cudaResourceTypeLinear:
        out->res.linear.devPtr = (void *)(uintptr_t)d->res.linear.devPtr;
        out->res.linear.sizeInBytes = d->res.linear.sizeInBytes;
        out->res.linear.desc = channel_from_format(d->res.linear.format, d->res.linear.numChannels);
        break;
    case cudaResourceTypePitch2D:
        out->res.pitch2D.devPtr = (void *)(uintptr_t)d->res.pitch2D.devPtr;
        out->res.pitch2D.width = d->res.pitch2D.width;
        out->res.pitch2D.height = d->res.pitch2D.height;
        out->res.pitch2D.pitchInBytes = d->res.pitch2D.pitchInBytes;
        out->res.pitch2D.desc = channel_from_format(d->res.pitch2D.format, d->res.pitch2D.numChannels);
        break;
    }
}

static const struct {
    size_t offset; // of an int in struct cudaTextureDesc
    unsigned flag;
} texture_flags[] = {
    {offsetof(struct cudaTextureDesc, normalizedCoords), CU_TRSF_NORMALIZED_COORDINATES},
    {offsetof(struct cudaTextureDesc, sRGB), CU_TRSF_SRGB},
    {offsetof(struct cudaTextureDesc, disableTrilinearOptimization), CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION},
    {offsetof(struct cudaTextureDesc, seamlessCubemap), CU_TRSF_SEAMLESS_CUBEMAP},
};

static void texture_convert(const struct cudaTextureDesc *d, CUDA_TEXTURE_DESC *out)
{
    memset(out, 0, sizeof *out);
    for (int i = 0; i < 3; i++)
        out->addressMode[i] = (CUaddress_mode)d->addressMode[i];
    out->filterMode = (CUfilter_mode)d->filterMode;
    out->mipmapFilterMode = (CUfilter_mode)d->mipmapFilterMode;
    out->maxAnisotropy = d->maxAnisotropy;
    out->mipmapLevelBias = d->mipmapLevelBias;
    out->minMipmapLevelClamp = d->minMipmapLevelClamp;
    out->maxMipmapLevelClamp = d->maxMipmapLevelClamp;
    memcpy(out->borderColor, d->borderColor, sizeof d->borderColor);
    if (d->readMode == cudaReadModeElementType)
        out->flags |= CU_TRSF_READ_AS_INTEGER;
    for (size_t i = 0; i < sizeof texture_flags / sizeof *texture_flags; i++)
        if (*(const int *)((const char *)d + texture_flags[i].offset))
            out->flags |= texture_flags[i].flag;
}

static void texture_restore(const CUDA_TEXTURE_DESC *d, struct cudaTextureDesc *out)
{
    memset(out, 0, sizeof *out);
    for (int i = 0; i < 3; i++)
        out->addressMode[i] = (enum cudaTextureAddressMode)d->addressMode[i];
    out->filterMode = (enum cudaTextureFilterMode)d->filterMode;
    out->mipmapFilterMode = (enum cudaTextureFilterMode)d->mipmapFilterMode;
    out->maxAnisotropy = d->maxAnisotropy;
    out->mipmapLevelBias = d->mipmapLevelBias;
    out->minMipmapLevelClamp = d->minMipmapLevelClamp;
    out->maxMipmapLevelClamp = d->maxMipmapLevelClamp;
    memcpy(out->borderColor, d->borderColor, sizeof d->borderColor);
    out->readMode = d->flags & CU_TRSF_READ_AS_INTEGER ? cudaReadModeElementType : cudaReadModeNormalizedFloat;
    for (size_t i = 0; i < sizeof texture_flags / sizeof *texture_flags; i++)
        *(int *)((char *)out + texture_flags[i].offset) = (d->flags & texture_flags[i].flag) != 0;
}

static cudaError_t resource_format(const CUDA_RESOURCE_DESC *d, CUarray_format *format)
{
    CUDA_ARRAY3D_DESCRIPTOR desc;
    CUarray array = d->res.array.hArray;
    CUresult r = CUDA_SUCCESS;
    if (d->resType == CU_RESOURCE_TYPE_LINEAR || d->resType == CU_RESOURCE_TYPE_PITCH2D) {
        *format = d->resType == CU_RESOURCE_TYPE_LINEAR ? d->res.linear.format : d->res.pitch2D.format;
        return cudaSuccess;
    }
    if (d->resType == CU_RESOURCE_TYPE_MIPMAPPED_ARRAY)
        r = drv.cuMipmappedArrayGetLevel(&array, d->res.mipmap.hMipmappedArray, 0);
    r = r ? r : drv.cuArray3DGetDescriptor(&desc, array);
    *format = desc.Format;
    return rt_result(r);
}

cudaError_t rt_read_check(CUarray_format format, bool normalized, bool linear)
{
    bool wide = format == CU_AD_FORMAT_UNSIGNED_INT32 || format == CU_AD_FORMAT_SIGNED_INT32;
    bool narrow = format == CU_AD_FORMAT_UNSIGNED_INT8 || format == CU_AD_FORMAT_SIGNED_INT8 ||
                  format == CU_AD_FORMAT_UNSIGNED_INT16 || format == CU_AD_FORMAT_SIGNED_INT16;
    bool plain_float = format == CU_AD_FORMAT_FLOAT || format == CU_AD_FORMAT_HALF;
    if (normalized && (wide || plain_float))
        return rt_fail(cudaErrorInvalidNormSetting);
    return linear && (wide || narrow) && !normalized ? rt_fail(cudaErrorInvalidFilterSetting) : cudaSuccess;
}

_Static_assert(sizeof(struct cudaResourceViewDesc) == sizeof(CUDA_RESOURCE_VIEW_DESC), "resource views");

cudaError_t cudaCreateTextureObject(cudaTextureObject_t *pTexObject, const struct cudaResourceDesc *pResDesc,
                                    const struct cudaTextureDesc *pTexDesc,
                                    const struct cudaResourceViewDesc *pResViewDesc)
{
    CUDA_RESOURCE_DESC resource;
    CUDA_TEXTURE_DESC texture;
    CUtexObject object = 0;
    if (!pTexObject || !pTexDesc)
        return rt_fail(cudaErrorInvalidValue);
    cudaError_t e = rt_enter();
    if (!e)
        e = resource_convert(pResDesc, &resource);
    CUarray_format format;
    if (!e && !pResViewDesc) // a view has a format of its own
        e = resource_format(&resource, &format);
    if (!e && !pResViewDesc)
        e = rt_read_check(format, pTexDesc->readMode == cudaReadModeNormalizedFloat,
                          pTexDesc->filterMode == cudaFilterModeLinear);
    if (e)
        return e;
    texture_convert(pTexDesc, &texture);
    e = rt_result(drv.cuTexObjectCreate(&object, &resource, &texture, (const CUDA_RESOURCE_VIEW_DESC *)pResViewDesc));
    *pTexObject = object;
    return e;
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texObject)
{
    cudaError_t e = rt_enter();
    return e || !texObject ? e : rt_result(drv.cuTexObjectDestroy(texObject));
}

cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *pResDesc, cudaTextureObject_t texObject)
{
    CUDA_RESOURCE_DESC d;
    if (!pResDesc)
        return rt_fail(cudaErrorInvalidValue);
    cudaError_t e = rt_enter();
    if (!e)
        e = rt_result(drv.cuTexObjectGetResourceDesc(&d, texObject));
    if (!e)
        resource_restore(&d, pResDesc);
    return e;
}

cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *pTexDesc, cudaTextureObject_t texObject)
{
    CUDA_TEXTURE_DESC d;
    if (!pTexDesc)
        return rt_fail(cudaErrorInvalidValue);
    cudaError_t e = rt_enter();
    if (!e)
        e = rt_result(drv.cuTexObjectGetTextureDesc(&d, texObject));
    if (!e)
        texture_restore(&d, pTexDesc);
    return e;
}

cudaError_t cudaGetTextureObjectResourceViewDesc(struct cudaResourceViewDesc *pResViewDesc,
                                                 cudaTextureObject_t texObject)
{
    cudaError_t e = rt_enter();
    return e ? e : rt_result(drv.cuTexObjectGetResourceViewDesc((CUDA_RESOURCE_VIEW_DESC *)pResViewDesc, texObject));
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *pSurfObject, const struct cudaResourceDesc *pResDesc)
{
    CUDA_RESOURCE_DESC resource;
    CUsurfObject object = 0;
    if (!pSurfObject)
        return rt_fail(cudaErrorInvalidValue);
    cudaError_t e = rt_enter();
    if (!e)
        e = resource_convert(pResDesc, &resource);
    if (!e)
        e = rt_result(drv.cuSurfObjectCreate(&object, &resource));
    *pSurfObject = object;
    return e;
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surfObject)
{
    cudaError_t e = rt_enter();
    return e || !surfObject ? e : rt_result(drv.cuSurfObjectDestroy(surfObject));
}

cudaError_t cudaGetSurfaceObjectResourceDesc(struct cudaResourceDesc *pResDesc, cudaSurfaceObject_t surfObject)
{
    CUDA_RESOURCE_DESC d;
    if (!pResDesc)
        return rt_fail(cudaErrorInvalidValue);
    cudaError_t e = rt_enter();
    if (!e)
        e = rt_result(drv.cuSurfObjectGetResourceDesc(&d, surfObject));
    if (!e)
        resource_restore(&d, pResDesc);
    return e;
}

cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(size_t *maxWidthInElements,
                                                 const struct cudaChannelFormatDesc *fmtDesc, int device)
{
    CUarray_format format;
    unsigned channels;
    cudaError_t e = rt_device_check(device);
    if (e)
        return e;
    if (!fmtDesc)
        return rt_fail(cudaErrorInvalidValue);
    if (!channel_to_format(fmtDesc, &format, &channels))
        return rt_fail(cudaErrorInvalidChannelDescriptor);
    return rt_result(drv.cuDeviceGetTexture1DLinearMaxWidth(maxWidthInElements, format, channels, device));
}
