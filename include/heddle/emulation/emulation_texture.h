// SPDX-License-Identifier: Apache-2.0
// Textures in device emulation: the functions for objects over the driver's own sampler, and binding references, whose
// handle lies in the reference itself.
#ifndef HEDDLE_EMULATION_TEXTURE_H
#define HEDDLE_EMULATION_TEXTURE_H
#include "../../cuda_texture_types.h"
#include "emulation_api.h"
#include "../../texture_indirect_functions.h"
#include <string.h>

namespace __heddle_emulation
{
enum texture_geometry { tex_1d, tex_2d, tex_3d, tex_a1d, tex_a2d, tex_cube, tex_acube };
enum texture_mode { tex_plain = 0, tex_level = 1 << 4, tex_grad = 2 << 4, tex_gather = 3 << 4, tex_integer = 1 << 12 };
// A word of the arguments.
static inline unsigned word(float x)
{
    unsigned bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}
static inline unsigned word(int x)
{
    return (unsigned)x;
}
template <class __T> static inline __T fetch(cudaTextureObject_t object, unsigned op, const unsigned *words)
{
    unsigned out[4] = {0, 0, 0, 0};
    typename __heddle_texel<__T>::fetched __v;
    __cudaEmulationTexture(object, op, words, out);
    memcpy(&__v, out, sizeof __v);
    return __heddle_texel<__T>::take(__v);
}
template <class __Texture> static inline cudaTextureObject_t texture_handle(const __Texture &__t)
{
    cudaTextureObject_t object;
    memcpy(&object, __t.__cudaReserved, sizeof object);
    return object;
}
} // namespace __heddle_emulation

#define HEDDLE_UNPAREN(...) __VA_ARGS__
#define HEDDLE_EMU_TEX(name, op, parameters, __names, values)                                                          \
    template <class __T> static inline __T name(cudaTextureObject_t object, HEDDLE_UNPAREN parameters)                 \
    {                                                                                                                  \
        using namespace __heddle_emulation;                                                                            \
        const unsigned words[] = {HEDDLE_UNPAREN values};                                                              \
        return fetch<__T>(object, op, words);                                                                          \
    }                                                                                                                  \
    template <class __T> static inline void name(__T *result, cudaTextureObject_t object, HEDDLE_UNPAREN parameters)   \
    {                                                                                                                  \
        *result = name<__T>(object, HEDDLE_UNPAREN __names);                                                           \
    }
HEDDLE_EMU_TEX(tex1Dfetch, tex_1d | tex_integer, (int x), (x), (word(x)))
HEDDLE_EMU_TEX(tex1D, tex_1d, (float x), (x), (word(x)))
HEDDLE_EMU_TEX(tex2D, tex_2d, (float x, float y), (x, y), (word(x), word(y)))
HEDDLE_EMU_TEX(tex3D, tex_3d, (float x, float y, float z), (x, y, z), (word(x), word(y), word(z)))
HEDDLE_EMU_TEX(texCubemap, tex_cube, (float x, float y, float z), (x, y, z), (word(x), word(y), word(z)))
HEDDLE_EMU_TEX(tex1DLayered, tex_a1d, (float x, int layer), (x, layer), (word(layer), word(x)))
HEDDLE_EMU_TEX(tex2DLayered, tex_a2d, (float x, float y, int layer), (x, y, layer), (word(layer), word(x), word(y)))
HEDDLE_EMU_TEX(texCubemapLayered, tex_acube, (float x, float y, float z, int layer), (x, y, z, layer),
               (word(layer), word(x), word(y), word(z)))
HEDDLE_EMU_TEX(tex1DLod, tex_1d | tex_level, (float x, float level), (x, level), (word(x), word(level)))
HEDDLE_EMU_TEX(tex2DLod, tex_2d | tex_level, (float x, float y, float level), (x, y, level),
               (word(x), word(y), word(level)))
HEDDLE_EMU_TEX(tex3DLod, tex_3d | tex_level, (float x, float y, float z, float level), (x, y, z, level),
               (word(x), word(y), word(z), word(level)))
HEDDLE_EMU_TEX(texCubemapLod, tex_cube | tex_level, (float x, float y, float z, float level), (x, y, z, level),
               (word(x), word(y), word(z), word(level)))
HEDDLE_EMU_TEX(tex1DLayeredLod, tex_a1d | tex_level, (float x, int layer, float level), (x, layer, level),
               (word(layer), word(x), word(level)))
HEDDLE_EMU_TEX(tex2DLayeredLod, tex_a2d | tex_level, (float x, float y, int layer, float level), (x, y, layer, level),
               (word(layer), word(x), word(y), word(level)))
HEDDLE_EMU_TEX(texCubemapLayeredLod, tex_acube | tex_level, (float x, float y, float z, int layer, float level),
               (x, y, z, layer, level), (word(layer), word(x), word(y), word(z), word(level)))
HEDDLE_EMU_TEX(tex1DGrad, tex_1d | tex_grad, (float x, float __dx, float __dy), (x, __dx, __dy),
               (word(x), word(__dx), word(__dy)))
HEDDLE_EMU_TEX(tex2DGrad, tex_2d | tex_grad, (float x, float y, float2 __dx, float2 __dy), (x, y, __dx, __dy),
               (word(x), word(y), word(__dx.x), word(__dx.y), word(__dy.x), word(__dy.y)))
HEDDLE_EMU_TEX(tex3DGrad, tex_3d | tex_grad, (float x, float y, float z, float4 __dx, float4 __dy),
               (x, y, z, __dx, __dy),
               (word(x), word(y), word(z), word(__dx.x), word(__dx.y), word(__dx.z), word(__dy.x), word(__dy.y),
                word(__dy.z)))
HEDDLE_EMU_TEX(texCubemapGrad, tex_cube | tex_grad, (float x, float y, float z, float4 __dx, float4 __dy),
               (x, y, z, __dx, __dy),
               (word(x), word(y), word(z), word(__dx.x), word(__dx.y), word(__dx.z), word(__dy.x), word(__dy.y),
                word(__dy.z)))
HEDDLE_EMU_TEX(tex1DLayeredGrad, tex_a1d | tex_grad, (float x, int layer, float __dx, float __dy),
               (x, layer, __dx, __dy), (word(layer), word(x), word(__dx), word(__dy)))
HEDDLE_EMU_TEX(tex2DLayeredGrad, tex_a2d | tex_grad, (float x, float y, int layer, float2 __dx, float2 __dy),
               (x, y, layer, __dx, __dy),
               (word(layer), word(x), word(y), word(__dx.x), word(__dx.y), word(__dy.x), word(__dy.y)))
HEDDLE_EMU_TEX(texCubemapLayeredGrad, tex_acube | tex_grad,
               (float x, float y, float z, int layer, float4 __dx, float4 __dy), (x, y, z, layer, __dx, __dy),
               (word(layer), word(x), word(y), word(z), word(__dx.x), word(__dx.y), word(__dx.z), word(__dy.x),
                word(__dy.y), word(__dy.z)))
#undef HEDDLE_EMU_TEX
#undef HEDDLE_UNPAREN
template <class __T> static inline __T tex2Dgather(cudaTextureObject_t object, float x, float y, int component = 0)
{
    using namespace __heddle_emulation;
    const unsigned words[] = {word(x), word(y)};
    return fetch<__T>(object, tex_2d | tex_gather | (unsigned)(component & 3) << 8, words);
}

// Binding.
namespace __heddle_emulation
{
template <class __T, int __dim, enum cudaTextureReadMode __mode>
cudaError_t texture_bind(const texture<__T, __dim, __mode> &__t, const cudaResourceDesc &resource)
{
    cudaTextureDesc how;
    memset(&how, 0, sizeof how);
    memcpy(how.addressMode, __t.addressMode, sizeof how.addressMode);
    how.filterMode = __t.filterMode;
    how.readMode = __mode;
    how.normalizedCoords = __t.normalized;
    how.sRGB = __t.sRGB;
    how.maxAnisotropy = __t.maxAnisotropy;
    how.mipmapFilterMode = __t.mipmapFilterMode;
    how.mipmapLevelBias = __t.mipmapLevelBias;
    how.minMipmapLevelClamp = __t.minMipmapLevelClamp;
    how.maxMipmapLevelClamp = __t.maxMipmapLevelClamp;
    cudaTextureObject_t object = 0, old = texture_handle(__t);
    cudaError_t __e = cudaCreateTextureObject(&object, &resource, &how, 0);
    if (__e == cudaSuccess) {
        memcpy(const_cast<int *>(__t.__cudaReserved), &object, sizeof object);
        if (old)
            cudaDestroyTextureObject(old);
    }
    return __e;
}
// Textures of linear memory begin at multiples of 512 bytes; what lies before goes to the caller.
static inline cudaError_t texture_offset(size_t *offset, const void *&__p)
{
    size_t rest = (size_t)__p & 511;
    if (rest && !offset)
        return cudaErrorInvalidValue;
    __p = (const char *)__p - rest;
    if (offset)
        *offset = rest;
    return cudaSuccess;
}
} // namespace __heddle_emulation
#define HEDDLE_EMU_BIND template <class __T, int __dim, enum cudaTextureReadMode __mode> static inline cudaError_t
HEDDLE_EMU_BIND cudaBindTexture(size_t *offset, const texture<__T, __dim, __mode> &__t, const void *__p,
                                const cudaChannelFormatDesc &desc, size_t size = 0xffffffffu)
{
    cudaResourceDesc __r;
    memset(&__r, 0, sizeof __r);
    const void *base = __p;
    cudaError_t __e = __heddle_emulation::texture_offset(offset, base);
    __r.resType = cudaResourceTypeLinear;
    __r.res.linear.devPtr = const_cast<void *>(base);
    __r.res.linear.desc = desc;
    __r.res.linear.sizeInBytes =
        (size == 0xffffffffu ? sizeof(__T) << 27 : size) + (size_t)((const char *)__p - (const char *)base);
    return __e == cudaSuccess ? __heddle_emulation::texture_bind(__t, __r) : __e;
}
HEDDLE_EMU_BIND cudaBindTexture(size_t *offset, const texture<__T, __dim, __mode> &__t, const void *__p,
                                size_t size = 0xffffffffu)
{
    return cudaBindTexture(offset, __t, __p, __t.channelDesc, size);
}
HEDDLE_EMU_BIND cudaBindTexture2D(size_t *offset, const texture<__T, __dim, __mode> &__t, const void *__p,
                                  const cudaChannelFormatDesc &desc, size_t width, size_t height, size_t pitch)
{
    cudaResourceDesc __r;
    memset(&__r, 0, sizeof __r);
    cudaError_t __e = __heddle_emulation::texture_offset(offset, __p);
    __r.resType = cudaResourceTypePitch2D;
    __r.res.pitch2D.devPtr = const_cast<void *>(__p);
    __r.res.pitch2D.desc = desc;
    __r.res.pitch2D.width = width;
    __r.res.pitch2D.height = height;
    __r.res.pitch2D.pitchInBytes = pitch;
    return __e == cudaSuccess ? __heddle_emulation::texture_bind(__t, __r) : __e;
}
HEDDLE_EMU_BIND cudaBindTexture2D(size_t *offset, const texture<__T, __dim, __mode> &__t, const void *__p, size_t width,
                                  size_t height, size_t pitch)
{
    return cudaBindTexture2D(offset, __t, __p, __t.channelDesc, width, height, pitch);
}
HEDDLE_EMU_BIND cudaBindTextureToArray(const texture<__T, __dim, __mode> &__t, cudaArray_const_t array)
{
    cudaResourceDesc __r;
    memset(&__r, 0, sizeof __r);
    __r.resType = cudaResourceTypeArray;
    __r.res.array.array = const_cast<cudaArray_t>(array);
    return __heddle_emulation::texture_bind(__t, __r);
}
HEDDLE_EMU_BIND cudaBindTextureToArray(const texture<__T, __dim, __mode> &__t, cudaArray_const_t array,
                                       const cudaChannelFormatDesc &)
{
    return cudaBindTextureToArray(__t, array);
}
HEDDLE_EMU_BIND cudaUnbindTexture(const texture<__T, __dim, __mode> &__t)
{
    cudaTextureObject_t object = __heddle_emulation::texture_handle(__t);
    memset(const_cast<int *>(__t.__cudaReserved), 0, sizeof object);
    return object ? cudaDestroyTextureObject(object) : cudaSuccess;
}
#undef HEDDLE_EMU_BIND
#include "../runtime/texture_references.h"
#endif
