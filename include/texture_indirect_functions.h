// SPDX-License-Identifier: Apache-2.0
// Fetches through texture objects: tex1D, tex2D, tex3D, layers, cube maps, levels, gradients, gathers. An instruction
// gives four values of float, int or unsigned; the type asked for takes as many of them as it has elements.
#ifndef __TEXTURE_INDIRECT_FUNCTIONS_H__
#define __TEXTURE_INDIRECT_FUNCTIONS_H__
#include "host_defines.h"
#include "texture_types.h"
#include "vector_types.h"
#if defined(__cplusplus) && defined(__CUDACC__)

// What a type is made of: its element, and the four values that hold it.
template <class __T> struct __heddle_texel;
#define HEDDLE_TEXEL(__E, __F, one, two, four)                                                                         \
    template <> struct __heddle_texel<__E> {                                                                           \
        typedef __F fetched;                                                                                           \
        static __device__ __forceinline__ __E take(__F __v)                                                            \
        {                                                                                                              \
            return (__E)__v.x;                                                                                         \
        }                                                                                                              \
    };                                                                                                                 \
    template <> struct __heddle_texel<one> {                                                                           \
        typedef __F fetched;                                                                                           \
        static __device__ __forceinline__ one take(__F __v)                                                            \
        {                                                                                                              \
            one __r;                                                                                                   \
            __r.x = (__E)__v.x;                                                                                        \
            return __r;                                                                                                \
        }                                                                                                              \
    };                                                                                                                 \
    template <> struct __heddle_texel<two> {                                                                           \
        typedef __F fetched;                                                                                           \
        static __device__ __forceinline__ two take(__F __v)                                                            \
        {                                                                                                              \
            two __r;                                                                                                   \
            __r.x = (__E)__v.x;                                                                                        \
            __r.y = (__E)__v.y;                                                                                        \
            return __r;                                                                                                \
        }                                                                                                              \
    };                                                                                                                 \
    template <> struct __heddle_texel<four> {                                                                          \
        typedef __F fetched;                                                                                           \
        static __device__ __forceinline__ four take(__F __v)                                                           \
        {                                                                                                              \
            four __r;                                                                                                  \
            __r.x = (__E)__v.x;                                                                                        \
            __r.y = (__E)__v.y;                                                                                        \
            __r.z = (__E)__v.z;                                                                                        \
            __r.w = (__E)__v.w;                                                                                        \
            return __r;                                                                                                \
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
    static __device__ __forceinline__ char take(int4 __v)
    {
        return (char)__v.x;
    }
};

#if !defined(__DEVICE_EMULATION__)
#define HEDDLE_UNPAREN(...) __VA_ARGS__
// One instruction in its three result types, then the two forms of the function. ADDRESS is the part behind the
// results, where %4 is the object and %5 ... are the INPUTS.
#define HEDDLE_TEX_TYPE(name, __V, type, reg, op, coordinate, address, parameters, __inputs)                           \
    static __device__ __forceinline__ __V __heddle_##name(__V *, cudaTextureObject_t object,                           \
                                                          HEDDLE_UNPAREN parameters)                                   \
    {                                                                                                                  \
        __V __v;                                                                                                       \
        __asm__ __volatile__(op ".v4." type "." coordinate " {%0, %1, %2, %3}, " address ";"                           \
                             : "=" reg(__v.x), "=" reg(__v.y), "=" reg(__v.z), "=" reg(__v.w)                          \
                             : "l"(object), HEDDLE_UNPAREN __inputs);                                                  \
        return __v;                                                                                                    \
    }
#define HEDDLE_TEX(name, op, coordinate, address, parameters, __names, __inputs)                                       \
    HEDDLE_TEX_TYPE(name, float4, "f32", "f", op, coordinate, address, parameters, __inputs)                           \
    HEDDLE_TEX_TYPE(name, int4, "s32", "r", op, coordinate, address, parameters, __inputs)                             \
    HEDDLE_TEX_TYPE(name, uint4, "u32", "r", op, coordinate, address, parameters, __inputs)                            \
    template <class __T>                                                                                               \
    static __device__ __forceinline__ __T name(cudaTextureObject_t object, HEDDLE_UNPAREN parameters)                  \
    {                                                                                                                  \
        typedef typename __heddle_texel<__T>::fetched fetched;                                                         \
        return __heddle_texel<__T>::take(__heddle_##name((fetched *)0, object, HEDDLE_UNPAREN __names));               \
    }                                                                                                                  \
    template <class __T>                                                                                               \
    static __device__ __forceinline__ void name(__T *result, cudaTextureObject_t object, HEDDLE_UNPAREN parameters)    \
    {                                                                                                                  \
        *result = name<__T>(object, HEDDLE_UNPAREN __names);                                                           \
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

HEDDLE_TEX(tex1DGrad, "tex.grad.1d", "f32", "[%4, {%5}], {%6}, {%7}", (float x, float __dx, float __dy),
           (x, __dx, __dy), ("f"(x), "f"(__dx), "f"(__dy)))
HEDDLE_TEX(tex2DGrad, "tex.grad.2d", "f32", "[%4, {%5, %6}], {%7, %8}, {%9, %10}",
           (float x, float y, float2 __dx, float2 __dy), (x, y, __dx, __dy),
           ("f"(x), "f"(y), "f"(__dx.x), "f"(__dx.y), "f"(__dy.x), "f"(__dy.y)))
HEDDLE_TEX(tex3DGrad, "tex.grad.3d", "f32", "[%4, {%5, %6, %7, %7}], {%8, %9, %10, %10}, {%11, %12, %13, %13}",
           (float x, float y, float z, float4 __dx, float4 __dy), (x, y, z, __dx, __dy),
           ("f"(x), "f"(y), "f"(z), "f"(__dx.x), "f"(__dx.y), "f"(__dx.z), "f"(__dy.x), "f"(__dy.y), "f"(__dy.z)))
HEDDLE_TEX(tex1DLayeredGrad, "tex.grad.a1d", "f32", "[%4, {%5, %6}], {%7}, {%8}",
           (float x, int layer, float __dx, float __dy), (x, layer, __dx, __dy),
           ("r"(layer), "f"(x), "f"(__dx), "f"(__dy)))
HEDDLE_TEX(tex2DLayeredGrad, "tex.grad.a2d", "f32", "[%4, {%5, %6, %7, %7}], {%8, %9}, {%10, %11}",
           (float x, float y, int layer, float2 __dx, float2 __dy), (x, y, layer, __dx, __dy),
           ("r"(layer), "f"(x), "f"(y), "f"(__dx.x), "f"(__dx.y), "f"(__dy.x), "f"(__dy.y)))
HEDDLE_TEX(texCubemapGrad, "tex.grad.cube", "f32", "[%4, {%5, %6, %7, %7}], {%8, %9, %10, %10}, {%11, %12, %13, %13}",
           (float x, float y, float z, float4 __dx, float4 __dy), (x, y, z, __dx, __dy),
           ("f"(x), "f"(y), "f"(z), "f"(__dx.x), "f"(__dx.y), "f"(__dx.z), "f"(__dy.x), "f"(__dy.y), "f"(__dy.z)))
HEDDLE_TEX(texCubemapLayeredGrad, "tex.grad.acube", "f32",
           "[%4, {%5, %6, %7, %8}], {%9, %10, %11, %11}, {%12, %13, %14, %14}",
           (float x, float y, float z, int layer, float4 __dx, float4 __dy), (x, y, z, layer, __dx, __dy),
           ("r"(layer), "f"(x), "f"(y), "f"(z), "f"(__dx.x), "f"(__dx.y), "f"(__dx.z), "f"(__dy.x), "f"(__dy.y),
            "f"(__dy.z)))

// Gathers take one component of the four texels around a place.
HEDDLE_TEX(__heddle_gather_r, "tld4.r.2d", "f32", "[%4, {%5, %6}]", (float x, float y), (x, y), ("f"(x), "f"(y)))
HEDDLE_TEX(__heddle_gather_g, "tld4.g.2d", "f32", "[%4, {%5, %6}]", (float x, float y), (x, y), ("f"(x), "f"(y)))
HEDDLE_TEX(__heddle_gather_b, "tld4.b.2d", "f32", "[%4, {%5, %6}]", (float x, float y), (x, y), ("f"(x), "f"(y)))
HEDDLE_TEX(__heddle_gather_a, "tld4.a.2d", "f32", "[%4, {%5, %6}]", (float x, float y), (x, y), ("f"(x), "f"(y)))
template <class __T>
static __device__ __forceinline__ __T tex2Dgather(cudaTextureObject_t object, float x, float y, int component = 0)
{
    return component == 0   ? __heddle_gather_r<__T>(object, x, y)
           : component == 1 ? __heddle_gather_g<__T>(object, x, y)
           : component == 2 ? __heddle_gather_b<__T>(object, x, y)
                            : __heddle_gather_a<__T>(object, x, y);
}

// Whether the memory was there, for arrays that may be sparse. Ours always is.
#define HEDDLE_TEX_RESIDENT(name, parameters, __names)                                                                 \
    template <class __T>                                                                                               \
    static __device__ __forceinline__ __T name(cudaTextureObject_t object, HEDDLE_UNPAREN parameters,                  \
                                               bool *isResident)                                                       \
    {                                                                                                                  \
        *isResident = true;                                                                                            \
        return name<__T>(object, HEDDLE_UNPAREN __names);                                                              \
    }                                                                                                                  \
    template <class __T>                                                                                               \
    static __device__ __forceinline__ void name(__T *result, cudaTextureObject_t object, HEDDLE_UNPAREN parameters,    \
                                                bool *isResident)                                                      \
    {                                                                                                                  \
        *isResident = true;                                                                                            \
        *result = name<__T>(object, HEDDLE_UNPAREN __names);                                                           \
    }
HEDDLE_TEX_RESIDENT(tex2D, (float x, float y), (x, y))
HEDDLE_TEX_RESIDENT(tex3D, (float x, float y, float z), (x, y, z))
HEDDLE_TEX_RESIDENT(tex2DLayered, (float x, float y, int layer), (x, y, layer))
HEDDLE_TEX_RESIDENT(tex2DLod, (float x, float y, float level), (x, y, level))
HEDDLE_TEX_RESIDENT(tex3DLod, (float x, float y, float z, float level), (x, y, z, level))
HEDDLE_TEX_RESIDENT(tex2DLayeredLod, (float x, float y, int layer, float level), (x, y, layer, level))
HEDDLE_TEX_RESIDENT(tex2DGrad, (float x, float y, float2 __dx, float2 __dy), (x, y, __dx, __dy))
HEDDLE_TEX_RESIDENT(tex3DGrad, (float x, float y, float z, float4 __dx, float4 __dy), (x, y, z, __dx, __dy))
HEDDLE_TEX_RESIDENT(tex2DLayeredGrad, (float x, float y, int layer, float2 __dx, float2 __dy),
                    (x, y, layer, __dx, __dy))
#undef HEDDLE_TEX_RESIDENT
template <class __T>
static __device__ __forceinline__ void tex2Dgather(__T *result, cudaTextureObject_t object, float x, float y,
                                                   int component = 0)
{
    *result = tex2Dgather<__T>(object, x, y, component);
}
template <class __T>
static __device__ __forceinline__ __T tex2Dgather(cudaTextureObject_t object, float x, float y, bool *isResident,
                                                  int component = 0)
{
    *isResident = true;
    return tex2Dgather<__T>(object, x, y, component);
}
#undef HEDDLE_TEX
#undef HEDDLE_TEX_TYPE
#undef HEDDLE_UNPAREN
#endif
#endif
#endif
