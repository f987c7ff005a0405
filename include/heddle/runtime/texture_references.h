// SPDX-License-Identifier: Apache-2.0
// Fetches through texture and surface references. In device code a reference is the handle of what is bound to it, so
// that each function is the one for objects, with the type of the result from the reference.
#ifndef HEDDLE_TEXTURE_REFERENCES_H
#define HEDDLE_TEXTURE_REFERENCES_H
#include "../../cuda_surface_types.h"
#include "../../cuda_texture_types.h"
#include "../../surface_indirect_functions.h"
#include "../../texture_indirect_functions.h"
#if defined(__cplusplus) && defined(__CUDACC__)

// What a fetch gives: an element, or as many floats.
template <class __T, enum cudaTextureReadMode __mode> struct __heddle_fetched {
    typedef __T type;
};
#define HEDDLE_NORMALIZED(scalar, vector)                                                                              \
    template <> struct __heddle_fetched<scalar, cudaReadModeNormalizedFloat> {                                         \
        typedef float type;                                                                                            \
    };                                                                                                                 \
    template <> struct __heddle_fetched<vector##1, cudaReadModeNormalizedFloat> {                                      \
        typedef float1 type;                                                                                           \
    };                                                                                                                 \
    template <> struct __heddle_fetched<vector##2, cudaReadModeNormalizedFloat> {                                      \
        typedef float2 type;                                                                                           \
    };                                                                                                                 \
    template <> struct __heddle_fetched<vector##4, cudaReadModeNormalizedFloat> {                                      \
        typedef float4 type;                                                                                           \
    };
HEDDLE_NORMALIZED(signed char, char)
HEDDLE_NORMALIZED(unsigned char, uchar)
HEDDLE_NORMALIZED(short, short)
HEDDLE_NORMALIZED(unsigned short, ushort)
#undef HEDDLE_NORMALIZED
template <> struct __heddle_fetched<char, cudaReadModeNormalizedFloat> {
    typedef float type;
};

#define HEDDLE_UNPAREN(...) __VA_ARGS__
#if defined(__DEVICE_EMULATION__)
#define HEDDLE_HANDLE(ref) __heddle_emulation::texture_handle(ref)
#else
#define HEDDLE_HANDLE(ref) (*(unsigned long long *)(void *)&(ref))
#endif

#define HEDDLE_TEX(name, kind, parameters, __names)                                                                    \
    template <class __T, enum cudaTextureReadMode __mode>                                                              \
    static __device__ __forceinline__ typename __heddle_fetched<__T, __mode>::type name(                               \
        texture<__T, kind, __mode> __t, HEDDLE_UNPAREN parameters)                                                     \
    {                                                                                                                  \
        return name<typename __heddle_fetched<__T, __mode>::type>(HEDDLE_HANDLE(__t), HEDDLE_UNPAREN __names);         \
    }
HEDDLE_TEX(tex1Dfetch, cudaTextureType1D, (int x), (x))
HEDDLE_TEX(tex1D, cudaTextureType1D, (float x), (x))
HEDDLE_TEX(tex2D, cudaTextureType2D, (float x, float y), (x, y))
HEDDLE_TEX(tex3D, cudaTextureType3D, (float x, float y, float z), (x, y, z))
HEDDLE_TEX(texCubemap, cudaTextureTypeCubemap, (float x, float y, float z), (x, y, z))
HEDDLE_TEX(tex1DLayered, cudaTextureType1DLayered, (float x, int layer), (x, layer))
HEDDLE_TEX(tex2DLayered, cudaTextureType2DLayered, (float x, float y, int layer), (x, y, layer))
HEDDLE_TEX(texCubemapLayered, cudaTextureTypeCubemapLayered, (float x, float y, float z, int layer), (x, y, z, layer))
HEDDLE_TEX(tex1DLod, cudaTextureType1D, (float x, float level), (x, level))
HEDDLE_TEX(tex2DLod, cudaTextureType2D, (float x, float y, float level), (x, y, level))
HEDDLE_TEX(tex3DLod, cudaTextureType3D, (float x, float y, float z, float level), (x, y, z, level))
HEDDLE_TEX(texCubemapLod, cudaTextureTypeCubemap, (float x, float y, float z, float level), (x, y, z, level))
HEDDLE_TEX(tex1DLayeredLod, cudaTextureType1DLayered, (float x, int layer, float level), (x, layer, level))
HEDDLE_TEX(tex2DLayeredLod, cudaTextureType2DLayered, (float x, float y, int layer, float level), (x, y, layer, level))
HEDDLE_TEX(texCubemapLayeredLod, cudaTextureTypeCubemapLayered, (float x, float y, float z, int layer, float level),
           (x, y, z, layer, level))
HEDDLE_TEX(tex1DGrad, cudaTextureType1D, (float x, float __dx, float __dy), (x, __dx, __dy))
HEDDLE_TEX(tex2DGrad, cudaTextureType2D, (float x, float y, float2 __dx, float2 __dy), (x, y, __dx, __dy))
HEDDLE_TEX(tex3DGrad, cudaTextureType3D, (float x, float y, float z, float4 __dx, float4 __dy), (x, y, z, __dx, __dy))
HEDDLE_TEX(tex1DLayeredGrad, cudaTextureType1DLayered, (float x, int layer, float __dx, float __dy),
           (x, layer, __dx, __dy))
HEDDLE_TEX(tex2DLayeredGrad, cudaTextureType2DLayered, (float x, float y, int layer, float2 __dx, float2 __dy),
           (x, y, layer, __dx, __dy))
HEDDLE_TEX(texCubemapGrad, cudaTextureTypeCubemap, (float x, float y, float z, float4 __dx, float4 __dy),
           (x, y, z, __dx, __dy))
HEDDLE_TEX(texCubemapLayeredGrad, cudaTextureTypeCubemapLayered,
           (float x, float y, float z, int layer, float4 __dx, float4 __dy), (x, y, z, layer, __dx, __dy))
#undef HEDDLE_TEX

// A gather gives four values, whatever the texture has.
template <class __T> struct __heddle_four;
#define HEDDLE_FOUR(scalar, vector)                                                                                    \
    template <> struct __heddle_four<scalar> {                                                                         \
        typedef vector##4 type;                                                                                        \
    };                                                                                                                 \
    template <> struct __heddle_four<vector##1> {                                                                      \
        typedef vector##4 type;                                                                                        \
    };                                                                                                                 \
    template <> struct __heddle_four<vector##2> {                                                                      \
        typedef vector##4 type;                                                                                        \
    };                                                                                                                 \
    template <> struct __heddle_four<vector##4> {                                                                      \
        typedef vector##4 type;                                                                                        \
    };
HEDDLE_FOUR(signed char, char)
HEDDLE_FOUR(unsigned char, uchar)
HEDDLE_FOUR(short, short)
HEDDLE_FOUR(unsigned short, ushort)
HEDDLE_FOUR(int, int)
HEDDLE_FOUR(unsigned int, uint)
HEDDLE_FOUR(float, float)
#undef HEDDLE_FOUR
template <class __T, enum cudaTextureReadMode __mode>
static __device__ __forceinline__ typename __heddle_four<typename __heddle_fetched<__T, __mode>::type>::type
tex2Dgather(texture<__T, cudaTextureType2D, __mode> __t, float x, float y, int component = 0)
{
    typedef typename __heddle_four<typename __heddle_fetched<__T, __mode>::type>::type four;
    return tex2Dgather<four>(HEDDLE_HANDLE(__t), x, y, component);
}

#if !defined(__DEVICE_EMULATION__)
#define HEDDLE_SURF(name, kind, parameters, __names)                                                                   \
    template <class __T>                                                                                               \
    static __device__ __forceinline__ __T name##read(surface<void, kind> __s, HEDDLE_UNPAREN parameters,               \
                                                     cudaSurfaceBoundaryMode __mode = cudaBoundaryModeTrap)            \
    {                                                                                                                  \
        return name##read<__T>(HEDDLE_HANDLE(__s), HEDDLE_UNPAREN __names, __mode);                                    \
    }                                                                                                                  \
    template <class __T>                                                                                               \
    static __device__ __forceinline__ void name##read(__T *result, surface<void, kind> __s, HEDDLE_UNPAREN parameters, \
                                                      cudaSurfaceBoundaryMode __mode = cudaBoundaryModeTrap)           \
    {                                                                                                                  \
        *result = name##read<__T>(HEDDLE_HANDLE(__s), HEDDLE_UNPAREN __names, __mode);                                 \
    }                                                                                                                  \
    template <class __T>                                                                                               \
    static __device__ __forceinline__ void name##write(__T value, surface<void, kind> __s, HEDDLE_UNPAREN parameters,  \
                                                       cudaSurfaceBoundaryMode __mode = cudaBoundaryModeTrap)          \
    {                                                                                                                  \
        name##write(value, HEDDLE_HANDLE(__s), HEDDLE_UNPAREN __names, __mode);                                        \
    }
HEDDLE_SURF(surf1D, cudaSurfaceType1D, (int x), (x))
HEDDLE_SURF(surf2D, cudaSurfaceType2D, (int x, int y), (x, y))
HEDDLE_SURF(surf3D, cudaSurfaceType3D, (int x, int y, int z), (x, y, z))
HEDDLE_SURF(surf1DLayered, cudaSurfaceType1DLayered, (int x, int layer), (x, layer))
HEDDLE_SURF(surf2DLayered, cudaSurfaceType2DLayered, (int x, int y, int layer), (x, y, layer))
HEDDLE_SURF(surfCubemap, cudaSurfaceTypeCubemap, (int x, int y, int __face), (x, y, __face))
HEDDLE_SURF(surfCubemapLayered, cudaSurfaceTypeCubemapLayered, (int x, int y, int layerFace), (x, y, layerFace))
#undef HEDDLE_SURF
#endif
#undef HEDDLE_HANDLE
#undef HEDDLE_UNPAREN
#endif
#endif
