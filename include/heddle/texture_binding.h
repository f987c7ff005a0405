// The C++ forms of binding texture and surface references, with the element type from the reference where none is
// given.
#ifndef HEDDLE_TEXTURE_BINDING_H
#define HEDDLE_TEXTURE_BINDING_H
#include "../cuda_runtime_api.h"
#include "../cuda_surface_types.h"
#include "../cuda_texture_types.h"

#define HEDDLE_BIND template <class T, int dim, enum cudaTextureReadMode mode> static __inline__ __host__ cudaError_t

// Linear memory. All of it that a texture can hold, where no size is given.
HEDDLE_BIND cudaBindTexture(size_t *offset, const texture<T, dim, mode> &tex, const void *devPtr,
                            const struct cudaChannelFormatDesc &desc, size_t size = 0xffffffffu)
{
    return ::cudaBindTexture(offset, &tex, devPtr, &desc, size);
}
HEDDLE_BIND cudaBindTexture(size_t *offset, const texture<T, dim, mode> &tex, const void *devPtr,
                            size_t size = 0xffffffffu)
{
    return ::cudaBindTexture(offset, &tex, devPtr, &tex.channelDesc, size);
}
HEDDLE_BIND cudaBindTexture2D(size_t *offset, const texture<T, dim, mode> &tex, const void *devPtr,
                              const struct cudaChannelFormatDesc &desc, size_t width, size_t height, size_t pitch)
{
    return ::cudaBindTexture2D(offset, &tex, devPtr, &desc, width, height, pitch);
}
HEDDLE_BIND cudaBindTexture2D(size_t *offset, const texture<T, dim, mode> &tex, const void *devPtr, size_t width,
                              size_t height, size_t pitch)
{
    return ::cudaBindTexture2D(offset, &tex, devPtr, &tex.channelDesc, width, height, pitch);
}

// Arrays.
HEDDLE_BIND cudaBindTextureToArray(const texture<T, dim, mode> &tex, cudaArray_const_t array,
                                   const struct cudaChannelFormatDesc &desc)
{
    return ::cudaBindTextureToArray(&tex, array, &desc);
}
HEDDLE_BIND cudaBindTextureToArray(const texture<T, dim, mode> &tex, cudaArray_const_t array)
{
    struct cudaChannelFormatDesc desc;
    cudaError_t e = ::cudaGetChannelDesc(&desc, array);
    return e == cudaSuccess ? ::cudaBindTextureToArray(&tex, array, &desc) : e;
}
// As the guide of CUDA 1.1 writes it.
HEDDLE_BIND cudaBindTextureToArray(const texture<T, dim, mode> &tex, cudaArray_const_t array,
                                   const struct cudaChannelFormatDesc *desc)
{
    return ::cudaBindTextureToArray(&tex, array, desc);
}
static __inline__ __host__ cudaError_t cudaGetTextureReference(struct textureReference **texref, const void *symbol)
{
    return ::cudaGetTextureReference((const struct textureReference **)texref, symbol);
}
HEDDLE_BIND cudaBindTextureToMipmappedArray(const texture<T, dim, mode> &tex, cudaMipmappedArray_const_t mipmappedArray,
                                            const struct cudaChannelFormatDesc &desc)
{
    return ::cudaBindTextureToMipmappedArray(&tex, mipmappedArray, &desc);
}
HEDDLE_BIND cudaBindTextureToMipmappedArray(const texture<T, dim, mode> &tex, cudaMipmappedArray_const_t mipmappedArray)
{
    cudaArray_t level;
    struct cudaChannelFormatDesc desc;
    cudaError_t e = ::cudaGetMipmappedArrayLevel(&level, mipmappedArray, 0);
    if (e == cudaSuccess)
        e = ::cudaGetChannelDesc(&desc, level);
    return e == cudaSuccess ? ::cudaBindTextureToMipmappedArray(&tex, mipmappedArray, &desc) : e;
}
HEDDLE_BIND cudaUnbindTexture(const texture<T, dim, mode> &tex)
{
    return ::cudaUnbindTexture(&tex);
}
HEDDLE_BIND cudaGetTextureAlignmentOffset(size_t *offset, const texture<T, dim, mode> &tex)
{
    return ::cudaGetTextureAlignmentOffset(offset, &tex);
}
#undef HEDDLE_BIND

template <class T, int dim>
static __inline__ __host__ cudaError_t cudaBindSurfaceToArray(const surface<T, dim> &surf, cudaArray_const_t array,
                                                              const struct cudaChannelFormatDesc &desc)
{
    return ::cudaBindSurfaceToArray(&surf, array, &desc);
}
template <class T, int dim>
static __inline__ __host__ cudaError_t cudaBindSurfaceToArray(const surface<T, dim> &surf, cudaArray_const_t array)
{
    struct cudaChannelFormatDesc desc;
    cudaError_t e = ::cudaGetChannelDesc(&desc, array);
    return e == cudaSuccess ? ::cudaBindSurfaceToArray(&surf, array, &desc) : e;
}
#endif
