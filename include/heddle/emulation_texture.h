// Textures in device emulation: the functions for objects over the driver's own sampler, and binding references, whose
// handle lies in the reference itself.
#ifndef HEDDLE_EMULATION_TEXTURE_H
#define HEDDLE_EMULATION_TEXTURE_H
#include "../cuda_texture_types.h"
#include "emulation_api.h"
#include "../texture_indirect_functions.h"
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
template <class T> static inline T fetch(cudaTextureObject_t object, unsigned op, const unsigned *words)
{
    unsigned out[4] = {0, 0, 0, 0};
    typename __heddle_texel<T>::fetched v;
    __cudaEmulationTexture(object, op, words, out);
    memcpy(&v, out, sizeof v);
    return __heddle_texel<T>::take(v);
}
template <class Texture> static inline cudaTextureObject_t texture_handle(const Texture &t)
{
    cudaTextureObject_t object;
    memcpy(&object, t.__cudaReserved, sizeof object);
    return object;
}
} // namespace __heddle_emulation

#define HEDDLE_UNPAREN(...) __VA_ARGS__
#define HEDDLE_EMU_TEX(name, op, parameters, names, values)                                                            \
    template <class T> static inline T name(cudaTextureObject_t object, HEDDLE_UNPAREN parameters)                     \
    {                                                                                                                  \
        using namespace __heddle_emulation;                                                                            \
        const unsigned words[] = {HEDDLE_UNPAREN values};                                                              \
        return fetch<T>(object, op, words);                                                                            \
    }                                                                                                                  \
    template <class T> static inline void name(T *result, cudaTextureObject_t object, HEDDLE_UNPAREN parameters)       \
    {                                                                                                                  \
        *result = name<T>(object, HEDDLE_UNPAREN names);                                                               \
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
HEDDLE_EMU_TEX(tex1DGrad, tex_1d | tex_grad, (float x, float dx, float dy), (x, dx, dy), (word(x), word(dx), word(dy)))
HEDDLE_EMU_TEX(tex2DGrad, tex_2d | tex_grad, (float x, float y, float2 dx, float2 dy), (x, y, dx, dy),
               (word(x), word(y), word(dx.x), word(dx.y), word(dy.x), word(dy.y)))
HEDDLE_EMU_TEX(tex3DGrad, tex_3d | tex_grad, (float x, float y, float z, float4 dx, float4 dy), (x, y, z, dx, dy),
               (word(x), word(y), word(z), word(dx.x), word(dx.y), word(dx.z), word(dy.x), word(dy.y), word(dy.z)))
HEDDLE_EMU_TEX(texCubemapGrad, tex_cube | tex_grad, (float x, float y, float z, float4 dx, float4 dy),
               (x, y, z, dx, dy),
               (word(x), word(y), word(z), word(dx.x), word(dx.y), word(dx.z), word(dy.x), word(dy.y), word(dy.z)))
HEDDLE_EMU_TEX(tex1DLayeredGrad, tex_a1d | tex_grad, (float x, int layer, float dx, float dy), (x, layer, dx, dy),
               (word(layer), word(x), word(dx), word(dy)))
HEDDLE_EMU_TEX(tex2DLayeredGrad, tex_a2d | tex_grad, (float x, float y, int layer, float2 dx, float2 dy),
               (x, y, layer, dx, dy), (word(layer), word(x), word(y), word(dx.x), word(dx.y), word(dy.x), word(dy.y)))
HEDDLE_EMU_TEX(texCubemapLayeredGrad, tex_acube | tex_grad,
               (float x, float y, float z, int layer, float4 dx, float4 dy), (x, y, z, layer, dx, dy),
               (word(layer), word(x), word(y), word(z), word(dx.x), word(dx.y), word(dx.z), word(dy.x), word(dy.y),
                word(dy.z)))
#undef HEDDLE_EMU_TEX
#undef HEDDLE_UNPAREN
template <class T> static inline T tex2Dgather(cudaTextureObject_t object, float x, float y, int component = 0)
{
    using namespace __heddle_emulation;
    const unsigned words[] = {word(x), word(y)};
    return fetch<T>(object, tex_2d | tex_gather | (unsigned)(component & 3) << 8, words);
}

// Binding.
namespace __heddle_emulation
{
template <class T, int dim, enum cudaTextureReadMode mode>
cudaError_t texture_bind(const texture<T, dim, mode> &t, const cudaResourceDesc &resource)
{
    cudaTextureDesc how;
    memset(&how, 0, sizeof how);
    memcpy(how.addressMode, t.addressMode, sizeof how.addressMode);
    how.filterMode = t.filterMode;
    how.readMode = mode;
    how.normalizedCoords = t.normalized;
    how.sRGB = t.sRGB;
    how.maxAnisotropy = t.maxAnisotropy;
    how.mipmapFilterMode = t.mipmapFilterMode;
    how.mipmapLevelBias = t.mipmapLevelBias;
    how.minMipmapLevelClamp = t.minMipmapLevelClamp;
    how.maxMipmapLevelClamp = t.maxMipmapLevelClamp;
    cudaTextureObject_t object = 0, old = texture_handle(t);
    cudaError_t e = cudaCreateTextureObject(&object, &resource, &how, 0);
    if (e == cudaSuccess) {
        memcpy(const_cast<int *>(t.__cudaReserved), &object, sizeof object);
        if (old)
            cudaDestroyTextureObject(old);
    }
    return e;
}
// Textures of linear memory begin at multiples of 512 bytes; what lies before goes to the caller.
static inline cudaError_t texture_offset(size_t *offset, const void *&p)
{
    size_t rest = (size_t)p & 511;
    if (rest && !offset)
        return cudaErrorInvalidValue;
    p = (const char *)p - rest;
    if (offset)
        *offset = rest;
    return cudaSuccess;
}
} // namespace __heddle_emulation
#define HEDDLE_EMU_BIND template <class T, int dim, enum cudaTextureReadMode mode> static inline cudaError_t
HEDDLE_EMU_BIND cudaBindTexture(size_t *offset, const texture<T, dim, mode> &t, const void *p,
                                const cudaChannelFormatDesc &desc, size_t size = 0xffffffffu)
{
    cudaResourceDesc r;
    memset(&r, 0, sizeof r);
    const void *base = p;
    cudaError_t e = __heddle_emulation::texture_offset(offset, base);
    r.resType = cudaResourceTypeLinear;
    r.res.linear.devPtr = const_cast<void *>(base);
    r.res.linear.desc = desc;
    r.res.linear.sizeInBytes =
        (size == 0xffffffffu ? sizeof(T) << 27 : size) + (size_t)((const char *)p - (const char *)base);
    return e == cudaSuccess ? __heddle_emulation::texture_bind(t, r) : e;
}
HEDDLE_EMU_BIND cudaBindTexture(size_t *offset, const texture<T, dim, mode> &t, const void *p,
                                size_t size = 0xffffffffu)
{
    return cudaBindTexture(offset, t, p, t.channelDesc, size);
}
HEDDLE_EMU_BIND cudaBindTexture2D(size_t *offset, const texture<T, dim, mode> &t, const void *p,
                                  const cudaChannelFormatDesc &desc, size_t width, size_t height, size_t pitch)
{
    cudaResourceDesc r;
    memset(&r, 0, sizeof r);
    cudaError_t e = __heddle_emulation::texture_offset(offset, p);
    r.resType = cudaResourceTypePitch2D;
    r.res.pitch2D.devPtr = const_cast<void *>(p);
    r.res.pitch2D.desc = desc;
    r.res.pitch2D.width = width;
    r.res.pitch2D.height = height;
    r.res.pitch2D.pitchInBytes = pitch;
    return e == cudaSuccess ? __heddle_emulation::texture_bind(t, r) : e;
}
HEDDLE_EMU_BIND cudaBindTexture2D(size_t *offset, const texture<T, dim, mode> &t, const void *p, size_t width,
                                  size_t height, size_t pitch)
{
    return cudaBindTexture2D(offset, t, p, t.channelDesc, width, height, pitch);
}
HEDDLE_EMU_BIND cudaBindTextureToArray(const texture<T, dim, mode> &t, cudaArray_const_t array)
{
    cudaResourceDesc r;
    memset(&r, 0, sizeof r);
    r.resType = cudaResourceTypeArray;
    r.res.array.array = const_cast<cudaArray_t>(array);
    return __heddle_emulation::texture_bind(t, r);
}
HEDDLE_EMU_BIND cudaBindTextureToArray(const texture<T, dim, mode> &t, cudaArray_const_t array,
                                       const cudaChannelFormatDesc &)
{
    return cudaBindTextureToArray(t, array);
}
HEDDLE_EMU_BIND cudaUnbindTexture(const texture<T, dim, mode> &t)
{
    cudaTextureObject_t object = __heddle_emulation::texture_handle(t);
    memset(const_cast<int *>(t.__cudaReserved), 0, sizeof object);
    return object ? cudaDestroyTextureObject(object) : cudaSuccess;
}
#undef HEDDLE_EMU_BIND
#include "texture_references.h"
#endif
