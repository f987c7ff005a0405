// Fetches through texture objects: tex1D, tex2D, tex3D, layers, cube maps, levels, gradients, gathers. An instruction
// gives four values of float, int or unsigned; the type asked for takes as many of them as it has elements.
#ifndef __TEXTURE_INDIRECT_FUNCTIONS_H__
#define __TEXTURE_INDIRECT_FUNCTIONS_H__
#include "host_defines.h"
#include "texture_types.h"
#include "vector_types.h"
#if defined(__cplusplus) && defined(__CUDACC__)

// What a type is made of: its element, and the four values that hold it.
template <class T> struct __heddle_texel;
#define HEDDLE_TEXEL(E, F, one, two, four)                                                                             \
    template <> struct __heddle_texel<E> {                                                                             \
        typedef F fetched;                                                                                             \
        static __device__ __forceinline__ E take(F v)                                                                  \
        {                                                                                                              \
            return (E)v.x;                                                                                             \
        }                                                                                                              \
    };                                                                                                                 \
    template <> struct __heddle_texel<one> {                                                                           \
        typedef F fetched;                                                                                             \
        static __device__ __forceinline__ one take(F v)                                                                \
        {                                                                                                              \
            one r;                                                                                                     \
            r.x = (E)v.x;                                                                                              \
            return r;                                                                                                  \
        }                                                                                                              \
    };                                                                                                                 \
    template <> struct __heddle_texel<two> {                                                                           \
        typedef F fetched;                                                                                             \
        static __device__ __forceinline__ two take(F v)                                                                \
        {                                                                                                              \
            two r;                                                                                                     \
            r.x = (E)v.x;                                                                                              \
            r.y = (E)v.y;                                                                                              \
            return r;                                                                                                  \
        }                                                                                                              \
    };                                                                                                                 \
    template <> struct __heddle_texel<four> {                                                                          \
        typedef F fetched;                                                                                             \
        static __device__ __forceinline__ four take(F v)                                                               \
        {                                                                                                              \
            four r;                                                                                                    \
            r.x = (E)v.x;                                                                                              \
            r.y = (E)v.y;                                                                                              \
            r.z = (E)v.z;                                                                                              \
            r.w = (E)v.w;                                                                                              \
            return r;                                                                                                  \
        }                                                                                                              \
    };
HEDDLE_TEXEL(float, float4, float1, float2, float4)
HEDDLE_TEXEL(int, int4, int1, int2, int4)
HEDDLE_TEXEL(unsigned int, uint4, uint1, uint2, uint4)
HEDDLE_TEXEL(short, int4, short1, short2, short4)
HEDDLE_TEXEL(unsigned short, uint4, ushort1, ushort2, ushort4)
HEDDLE_TEXEL(signed char, int4, char1, char2, char4)
HEDDLE_TEXEL(unsigned char, uint4, uchar1, uchar2, uchar4)
#undef HEDDLE_TEXEL
template <> struct __heddle_texel<char> {
    typedef int4 fetched;
    static __device__ __forceinline__ char take(int4 v)
    {
        return (char)v.x;
    }
};

#if !defined(__DEVICE_EMULATION__)
#define HEDDLE_UNPAREN(...) __VA_ARGS__
// One instruction in its three result types, then the two forms of the function. ADDRESS is the part behind the
// results, where %4 is the object and %5 ... are the INPUTS.
#define HEDDLE_TEX_TYPE(name, V, type, reg, op, coordinate, address, parameters, inputs)                               \
    static __device__ __forceinline__ V __heddle_##name(V *, cudaTextureObject_t object, HEDDLE_UNPAREN parameters)    \
    {                                                                                                                  \
        V v;                                                                                                           \
        __asm__ __volatile__(op ".v4." type "." coordinate " {%0, %1, %2, %3}, " address ";"                           \
                             : "=" reg(v.x), "=" reg(v.y), "=" reg(v.z), "=" reg(v.w)                                  \
                             : "l"(object), HEDDLE_UNPAREN inputs);                                                    \
        return v;                                                                                                      \
    }
#define HEDDLE_TEX(name, op, coordinate, address, parameters, names, inputs)                                           \
    HEDDLE_TEX_TYPE(name, float4, "f32", "f", op, coordinate, address, parameters, inputs)                             \
    HEDDLE_TEX_TYPE(name, int4, "s32", "r", op, coordinate, address, parameters, inputs)                               \
    HEDDLE_TEX_TYPE(name, uint4, "u32", "r", op, coordinate, address, parameters, inputs)                              \
    template <class T> static __device__ __forceinline__ T name(cudaTextureObject_t object, HEDDLE_UNPAREN parameters) \
    {                                                                                                                  \
        typedef typename __heddle_texel<T>::fetched fetched;                                                           \
        return __heddle_texel<T>::take(__heddle_##name((fetched *)0, object, HEDDLE_UNPAREN names));                   \
    }                                                                                                                  \
    template <class T>                                                                                                 \
    static __device__ __forceinline__ void name(T *result, cudaTextureObject_t object, HEDDLE_UNPAREN parameters)      \
    {                                                                                                                  \
        *result = name<T>(object, HEDDLE_UNPAREN names);                                                               \
    }

HEDDLE_TEX(tex1Dfetch, "tex.1d", "s32", "[%4, {%5}]", (int x), (x), ("r"(x)))
HEDDLE_TEX(tex1D, "tex.1d", "f32", "[%4, {%5}]", (float x), (x), ("f"(x)))
HEDDLE_TEX(tex2D, "tex.2d", "f32", "[%4, {%5, %6}]", (float x, float y), (x, y), ("f"(x), "f"(y)))
HEDDLE_TEX(tex3D, "tex.3d", "f32", "[%4, {%5, %6, %7, %7}]", (float x, float y, float z), (x, y, z),
           ("f"(x), "f"(y), "f"(z)))
HEDDLE_TEX(texCubemap, "tex.cube", "f32", "[%4, {%5, %6, %7, %7}]", (float x, float y, float z), (x, y, z),
           ("f"(x), "f"(y), "f"(z)))
HEDDLE_TEX(tex1DLayered, "tex.a1d", "f32", "[%4, {%5, %6}]", (float x, int layer), (x, layer), ("r"(layer), "f"(x)))
HEDDLE_TEX(tex2DLayered, "tex.a2d", "f32", "[%4, {%5, %6, %7, %7}]", (float x, float y, int layer), (x, y, layer),
           ("r"(layer), "f"(x), "f"(y)))
HEDDLE_TEX(texCubemapLayered, "tex.acube", "f32", "[%4, {%5, %6, %7, %8}]", (float x, float y, float z, int layer),
           (x, y, z, layer), ("r"(layer), "f"(x), "f"(y), "f"(z)))

HEDDLE_TEX(tex1DLod, "tex.level.1d", "f32", "[%4, {%5}], %6", (float x, float level), (x, level), ("f"(x), "f"(level)))
HEDDLE_TEX(tex2DLod, "tex.level.2d", "f32", "[%4, {%5, %6}], %7", (float x, float y, float level), (x, y, level),
           ("f"(x), "f"(y), "f"(level)))
HEDDLE_TEX(tex3DLod, "tex.level.3d", "f32", "[%4, {%5, %6, %7, %7}], %8", (float x, float y, float z, float level),
           (x, y, z, level), ("f"(x), "f"(y), "f"(z), "f"(level)))
HEDDLE_TEX(texCubemapLod, "tex.level.cube", "f32", "[%4, {%5, %6, %7, %7}], %8",
           (float x, float y, float z, float level), (x, y, z, level), ("f"(x), "f"(y), "f"(z), "f"(level)))
HEDDLE_TEX(tex1DLayeredLod, "tex.level.a1d", "f32", "[%4, {%5, %6}], %7", (float x, int layer, float level),
           (x, layer, level), ("r"(layer), "f"(x), "f"(level)))
HEDDLE_TEX(tex2DLayeredLod, "tex.level.a2d", "f32", "[%4, {%5, %6, %7, %7}], %8",
           (float x, float y, int layer, float level), (x, y, layer, level), ("r"(layer), "f"(x), "f"(y), "f"(level)))
HEDDLE_TEX(texCubemapLayeredLod, "tex.level.acube", "f32", "[%4, {%5, %6, %7, %8}], %9",
           (float x, float y, float z, int layer, float level), (x, y, z, layer, level),
           ("r"(layer), "f"(x), "f"(y), "f"(z), "f"(level)))

HEDDLE_TEX(tex1DGrad, "tex.grad.1d", "f32", "[%4, {%5}], {%6}, {%7}", (float x, float dx, float dy), (x, dx, dy),
           ("f"(x), "f"(dx), "f"(dy)))
HEDDLE_TEX(tex2DGrad, "tex.grad.2d", "f32", "[%4, {%5, %6}], {%7, %8}, {%9, %10}",
           (float x, float y, float2 dx, float2 dy), (x, y, dx, dy),
           ("f"(x), "f"(y), "f"(dx.x), "f"(dx.y), "f"(dy.x), "f"(dy.y)))
HEDDLE_TEX(tex3DGrad, "tex.grad.3d", "f32", "[%4, {%5, %6, %7, %7}], {%8, %9, %10, %10}, {%11, %12, %13, %13}",
           (float x, float y, float z, float4 dx, float4 dy), (x, y, z, dx, dy),
           ("f"(x), "f"(y), "f"(z), "f"(dx.x), "f"(dx.y), "f"(dx.z), "f"(dy.x), "f"(dy.y), "f"(dy.z)))
HEDDLE_TEX(tex1DLayeredGrad, "tex.grad.a1d", "f32", "[%4, {%5, %6}], {%7}, {%8}",
           (float x, int layer, float dx, float dy), (x, layer, dx, dy), ("r"(layer), "f"(x), "f"(dx), "f"(dy)))
HEDDLE_TEX(tex2DLayeredGrad, "tex.grad.a2d", "f32", "[%4, {%5, %6, %7, %7}], {%8, %9}, {%10, %11}",
           (float x, float y, int layer, float2 dx, float2 dy), (x, y, layer, dx, dy),
           ("r"(layer), "f"(x), "f"(y), "f"(dx.x), "f"(dx.y), "f"(dy.x), "f"(dy.y)))
HEDDLE_TEX(texCubemapGrad, "tex.grad.cube", "f32",
           "[%4, {%5, %6, %7, %7}], {%8, %9, %10, %10}, {%11, %12, %13, %13}",
           (float x, float y, float z, float4 dx, float4 dy), (x, y, z, dx, dy),
           ("f"(x), "f"(y), "f"(z), "f"(dx.x), "f"(dx.y), "f"(dx.z), "f"(dy.x), "f"(dy.y), "f"(dy.z)))
HEDDLE_TEX(texCubemapLayeredGrad, "tex.grad.acube", "f32",
           "[%4, {%5, %6, %7, %8}], {%9, %10, %11, %11}, {%12, %13, %14, %14}",
           (float x, float y, float z, int layer, float4 dx, float4 dy), (x, y, z, layer, dx, dy),
           ("r"(layer), "f"(x), "f"(y), "f"(z), "f"(dx.x), "f"(dx.y), "f"(dx.z), "f"(dy.x), "f"(dy.y), "f"(dy.z)))

// Gathers take one component of the four texels around a place.
HEDDLE_TEX(__heddle_gather_r, "tld4.r.2d", "f32", "[%4, {%5, %6}]", (float x, float y), (x, y), ("f"(x), "f"(y)))
HEDDLE_TEX(__heddle_gather_g, "tld4.g.2d", "f32", "[%4, {%5, %6}]", (float x, float y), (x, y), ("f"(x), "f"(y)))
HEDDLE_TEX(__heddle_gather_b, "tld4.b.2d", "f32", "[%4, {%5, %6}]", (float x, float y), (x, y), ("f"(x), "f"(y)))
HEDDLE_TEX(__heddle_gather_a, "tld4.a.2d", "f32", "[%4, {%5, %6}]", (float x, float y), (x, y), ("f"(x), "f"(y)))
template <class T>
static __device__ __forceinline__ T tex2Dgather(cudaTextureObject_t object, float x, float y, int component = 0)
{
    return component == 0   ? __heddle_gather_r<T>(object, x, y)
           : component == 1 ? __heddle_gather_g<T>(object, x, y)
           : component == 2 ? __heddle_gather_b<T>(object, x, y)
                            : __heddle_gather_a<T>(object, x, y);
}

// Whether the memory was there, for arrays that may be sparse. Ours always is.
#define HEDDLE_TEX_RESIDENT(name, parameters, names)                                                                   \
    template <class T>                                                                                                 \
    static __device__ __forceinline__ T name(cudaTextureObject_t object, HEDDLE_UNPAREN parameters, bool *isResident)  \
    {                                                                                                                  \
        *isResident = true;                                                                                            \
        return name<T>(object, HEDDLE_UNPAREN names);                                                                  \
    }                                                                                                                  \
    template <class T>                                                                                                 \
    static __device__ __forceinline__ void name(T *result, cudaTextureObject_t object, HEDDLE_UNPAREN parameters,      \
                                                bool *isResident)                                                      \
    {                                                                                                                  \
        *isResident = true;                                                                                            \
        *result = name<T>(object, HEDDLE_UNPAREN names);                                                               \
    }
HEDDLE_TEX_RESIDENT(tex2D, (float x, float y), (x, y))
HEDDLE_TEX_RESIDENT(tex3D, (float x, float y, float z), (x, y, z))
HEDDLE_TEX_RESIDENT(tex2DLayered, (float x, float y, int layer), (x, y, layer))
HEDDLE_TEX_RESIDENT(tex2DLod, (float x, float y, float level), (x, y, level))
HEDDLE_TEX_RESIDENT(tex3DLod, (float x, float y, float z, float level), (x, y, z, level))
HEDDLE_TEX_RESIDENT(tex2DLayeredLod, (float x, float y, int layer, float level), (x, y, layer, level))
HEDDLE_TEX_RESIDENT(tex2DGrad, (float x, float y, float2 dx, float2 dy), (x, y, dx, dy))
HEDDLE_TEX_RESIDENT(tex3DGrad, (float x, float y, float z, float4 dx, float4 dy), (x, y, z, dx, dy))
HEDDLE_TEX_RESIDENT(tex2DLayeredGrad, (float x, float y, int layer, float2 dx, float2 dy), (x, y, layer, dx, dy))
#undef HEDDLE_TEX_RESIDENT
template <class T>
static __device__ __forceinline__ void tex2Dgather(T *result, cudaTextureObject_t object, float x, float y,
                                                   int component = 0)
{
    *result = tex2Dgather<T>(object, x, y, component);
}
template <class T>
static __device__ __forceinline__ T tex2Dgather(cudaTextureObject_t object, float x, float y, bool *isResident,
                                                int component = 0)
{
    *isResident = true;
    return tex2Dgather<T>(object, x, y, component);
}
#undef HEDDLE_TEX
#undef HEDDLE_TEX_TYPE
#undef HEDDLE_UNPAREN
#endif
#endif
#endif
