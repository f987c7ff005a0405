// SPDX-License-Identifier: Apache-2.0
// The C++ forms of binding texture and surface references, with the element type from the reference where none is
// given.
#ifndef HEDDLE_TEXTURE_BINDING_H
#define HEDDLE_TEXTURE_BINDING_H
#include "../../cuda_runtime_api.h"
#include "../../cuda_surface_types.h"
#include "../../cuda_texture_types.h"

#define HEDDLE_BIND                                                                                                    \
    template <class __T, int __dim, enum cudaTextureReadMode __mode> static __inline__ __host__ cudaError_t

// Linear memory. All of it that a texture can hold, where no size is given.
HEDDLE_BIND cudaBindTexture(size_t *offset, const texture<__T, __dim, __mode> &__tex, const void *devPtr,
                            const struct cudaChannelFormatDesc &desc, size_t size = 0xffffffffu)
{
    return ::cudaBindTexture(offset, &__tex, devPtr, &desc, size);
}
HEDDLE_BIND cudaBindTexture(size_t *offset, const texture<__T, __dim, __mode> &__tex, const void *devPtr,
                            size_t size = 0xffffffffu)
{
    return ::cudaBindTexture(offset, &__tex, devPtr, &__tex.channelDesc, size);
}
HEDDLE_BIND cudaBindTexture2D(size_t *offset, const texture<__T, __dim, __mode> &__tex, const void *devPtr,
                              const struct cudaChannelFormatDesc &desc, size_t width, size_t height, size_t pitch)
{
    return ::cudaBindTexture2D(offset, &__tex, devPtr, &desc, width, height, pitch);
}
HEDDLE_BIND cudaBindTexture2D(size_t *offset, const texture<__T, __dim, __mode> &__tex, const void *devPtr,
                              size_t width, size_t height, size_t pitch)
{
    return ::cudaBindTexture2D(offset, &__tex, devPtr, &__tex.channelDesc, width, height, pitch);
}

// Arrays.
HEDDLE_BIND cudaBindTextureToArray(const texture<__T, __dim, __mode> &__tex, cudaArray_const_t array,
                                   const struct cudaChannelFormatDesc &desc)
{
    return ::cudaBindTextureToArray(&__tex, array, &desc);
}
HEDDLE_BIND cudaBindTextureToArray(const texture<__T, __dim, __mode> &__tex, cudaArray_const_t array)
{
    struct cudaChannelFormatDesc desc;
    cudaError_t __e = ::cudaGetChannelDesc(&desc, array);
    return __e == cudaSuccess ? ::cudaBindTextureToArray(&__tex, array, &desc) : __e;
}
// As the guide of CUDA 1.1 writes it.
HEDDLE_BIND cudaBindTextureToArray(const texture<__T, __dim, __mode> &__tex, cudaArray_const_t array,
                                   const struct cudaChannelFormatDesc *desc)
{
    return ::cudaBindTextureToArray(&__tex, array, desc);
}
static __inline__ __host__ cudaError_t cudaGetTextureReference(struct textureReference **__texref, const void *__symbol)
{
    return ::cudaGetTextureReference((const struct textureReference **)__texref, __symbol);
}
HEDDLE_BIND cudaBindTextureToMipmappedArray(const texture<__T, __dim, __mode> &__tex,
                                            cudaMipmappedArray_const_t mipmappedArray,
                                            const struct cudaChannelFormatDesc &desc)
{
    return ::cudaBindTextureToMipmappedArray(&__tex, mipmappedArray, &desc);
}
HEDDLE_BIND cudaBindTextureToMipmappedArray(const texture<__T, __dim, __mode> &__tex,
                                            cudaMipmappedArray_const_t mipmappedArray)
{
    cudaArray_t level;
    struct cudaChannelFormatDesc desc;
    cudaError_t __e = ::cudaGetMipmappedArrayLevel(&level, mipmappedArray, 0);
    if (__e == cudaSuccess)
        __e = ::cudaGetChannelDesc(&desc, level);
    return __e == cudaSuccess ? ::cudaBindTextureToMipmappedArray(&__tex, mipmappedArray, &desc) : __e;
}
HEDDLE_BIND cudaUnbindTexture(const texture<__T, __dim, __mode> &__tex)
{
    return ::cudaUnbindTexture(&__tex);
}
HEDDLE_BIND cudaGetTextureAlignmentOffset(size_t *offset, const texture<__T, __dim, __mode> &__tex)
{
    return ::cudaGetTextureAlignmentOffset(offset, &__tex);
}
#undef HEDDLE_BIND

template <class __T, int __dim>
static __inline__ __host__ cudaError_t cudaBindSurfaceToArray(const surface<__T, __dim> &__surf,
                                                              cudaArray_const_t array,
                                                              const struct cudaChannelFormatDesc &desc)
{
    return ::cudaBindSurfaceToArray(&__surf, array, &desc);
}
template <class __T, int __dim>
static __inline__ __host__ cudaError_t cudaBindSurfaceToArray(const surface<__T, __dim> &__surf,
                                                              cudaArray_const_t array)
{
    struct cudaChannelFormatDesc desc;
    cudaError_t __e = ::cudaGetChannelDesc(&desc, array);
    return __e == cudaSuccess ? ::cudaBindSurfaceToArray(&__surf, array, &desc) : __e;
}
#endif
