// SPDX-License-Identifier: Apache-2.0
// Reads and writes through surface objects. The first coordinate is in bytes. A value goes by its size, so any type of
// 1, 2, 4, 8 or 16 bytes will do.
#ifndef __SURFACE_INDIRECT_FUNCTIONS_H__
#define __SURFACE_INDIRECT_FUNCTIONS_H__
#include "host_defines.h"
#include "surface_types.h"
#include "vector_types.h"
#if defined(__cplusplus) && defined(__CUDACC__) && !defined(__DEVICE_EMULATION__)
#include <string.h>

template <int __Size> struct __heddle_surface_bits;
template <> struct __heddle_surface_bits<1> {
    typedef unsigned short type;
};
template <> struct __heddle_surface_bits<2> {
    typedef unsigned short type;
};
template <> struct __heddle_surface_bits<4> {
    typedef unsigned int type;
};
template <> struct __heddle_surface_bits<8> {
    typedef uint2 type;
};
template <> struct __heddle_surface_bits<16> {
    typedef uint4 type;
};

#define HEDDLE_UNPAREN(...) __VA_ARGS__
// One size in one way of treating places outside. %-numbers of the address begin behind the N values.
#define HEDDLE_SURF_READ(shape, bits, __mode, outs, values, address, __inputs)                                         \
    __asm__ __volatile__("suld.b." shape "." bits "." __mode " " values ", " address ";"                               \
                         : HEDDLE_UNPAREN outs                                                                         \
                         : "l"(object), HEDDLE_UNPAREN __inputs                                                        \
                         : "memory")
#define HEDDLE_SURF_READ_MODES(shape, bits, outs, values, address, __inputs)                                           \
    if (__mode == cudaBoundaryModeZero)                                                                                \
        HEDDLE_SURF_READ(shape, bits, "zero", outs, values, address, __inputs);                                        \
    else if (__mode == cudaBoundaryModeClamp)                                                                          \
        HEDDLE_SURF_READ(shape, bits, "clamp", outs, values, address, __inputs);                                       \
    else                                                                                                               \
        HEDDLE_SURF_READ(shape, bits, "trap", outs, values, address, __inputs)
#define HEDDLE_SURF_WRITE(shape, bits, __mode, values, address, __inputs)                                              \
    __asm__ __volatile__("sust.b." shape "." bits "." __mode " " address ", " values ";" ::HEDDLE_UNPAREN __inputs     \
                         : "memory")
#define HEDDLE_SURF_WRITE_MODES(shape, bits, values, address, __inputs)                                                \
    if (__mode == cudaBoundaryModeZero)                                                                                \
        HEDDLE_SURF_WRITE(shape, bits, "zero", values, address, __inputs);                                             \
    else if (__mode == cudaBoundaryModeClamp)                                                                          \
        HEDDLE_SURF_WRITE(shape, bits, "clamp", values, address, __inputs);                                            \
    else                                                                                                               \
        HEDDLE_SURF_WRITE(shape, bits, "trap", values, address, __inputs)

// The coordinates are %C0 ... in the texts below, written for values in front (reads: 1, 2 or 4) or behind (writes).
#define HEDDLE_SURFACE(name, shape, parameters, __names, __inputs, __a1, __a2, __a4, w, __v1, __v2, __v4)              \
    template <class __T>                                                                                               \
    static __device__ __forceinline__ __T name##read(cudaSurfaceObject_t object, HEDDLE_UNPAREN parameters,            \
                                                     cudaSurfaceBoundaryMode __mode = cudaBoundaryModeTrap)            \
    {                                                                                                                  \
        typename __heddle_surface_bits<sizeof(__T)>::type bits;                                                        \
        __T value;                                                                                                     \
        unsigned short *__h = (unsigned short *)&bits;                                                                 \
        unsigned int *__r = (unsigned int *)&bits;                                                                     \
        if (sizeof(__T) == 1) {                                                                                        \
            HEDDLE_SURF_READ_MODES(shape, "b8", ("=h"(__h[0])), "{%0}", __a1, __inputs);                               \
        } else if (sizeof(__T) == 2) {                                                                                 \
            HEDDLE_SURF_READ_MODES(shape, "b16", ("=h"(__h[0])), "{%0}", __a1, __inputs);                              \
        } else if (sizeof(__T) == 4) {                                                                                 \
            HEDDLE_SURF_READ_MODES(shape, "b32", ("=r"(__r[0])), "{%0}", __a1, __inputs);                              \
        } else if (sizeof(__T) == 8) {                                                                                 \
            HEDDLE_SURF_READ_MODES(shape, "v2.b32", ("=r"(__r[0]), "=r"(__r[1])), "{%0, %1}", __a2, __inputs);         \
        } else {                                                                                                       \
            HEDDLE_SURF_READ_MODES(shape, "v4.b32", ("=r"(__r[0]), "=r"(__r[1]), "=r"(__r[2]), "=r"(__r[3])),          \
                                   "{%0, %1, %2, %3}", __a4, __inputs);                                                \
        }                                                                                                              \
        memcpy(&value, &bits, sizeof(__T));                                                                            \
        return value;                                                                                                  \
    }                                                                                                                  \
    template <class __T>                                                                                               \
    static __device__ __forceinline__ void name##read(__T *result, cudaSurfaceObject_t object,                         \
                                                      HEDDLE_UNPAREN parameters,                                       \
                                                      cudaSurfaceBoundaryMode __mode = cudaBoundaryModeTrap)           \
    {                                                                                                                  \
        *result = name##read<__T>(object, HEDDLE_UNPAREN __names, __mode);                                             \
    }                                                                                                                  \
    template <class __T>                                                                                               \
    static __device__ __forceinline__ void name##write(__T value, cudaSurfaceObject_t object,                          \
                                                       HEDDLE_UNPAREN parameters,                                      \
                                                       cudaSurfaceBoundaryMode __mode = cudaBoundaryModeTrap)          \
    {                                                                                                                  \
        typename __heddle_surface_bits<sizeof(__T)>::type bits = {};                                                   \
        memcpy(&bits, &value, sizeof(__T));                                                                            \
        unsigned short *__h = (unsigned short *)&bits;                                                                 \
        unsigned int *__r = (unsigned int *)&bits;                                                                     \
        if (sizeof(__T) == 1) {                                                                                        \
            HEDDLE_SURF_WRITE_MODES(shape, "b8", __v1, w, ("l"(object), HEDDLE_UNPAREN __inputs, "h"(__h[0])));        \
        } else if (sizeof(__T) == 2) {                                                                                 \
            HEDDLE_SURF_WRITE_MODES(shape, "b16", __v1, w, ("l"(object), HEDDLE_UNPAREN __inputs, "h"(__h[0])));       \
        } else if (sizeof(__T) == 4) {                                                                                 \
            HEDDLE_SURF_WRITE_MODES(shape, "b32", __v1, w, ("l"(object), HEDDLE_UNPAREN __inputs, "r"(__r[0])));       \
        } else if (sizeof(__T) == 8) {                                                                                 \
            HEDDLE_SURF_WRITE_MODES(shape, "v2.b32", __v2, w,                                                          \
                                    ("l"(object), HEDDLE_UNPAREN __inputs, "r"(__r[0]), "r"(__r[1])));                 \
        } else {                                                                                                       \
            HEDDLE_SURF_WRITE_MODES(                                                                                   \
                shape, "v4.b32", __v4, w,                                                                              \
                ("l"(object), HEDDLE_UNPAREN __inputs, "r"(__r[0]), "r"(__r[1]), "r"(__r[2]), "r"(__r[3])));           \
        }                                                                                                              \
    }

HEDDLE_SURFACE(surf1D, "1d", (int x), (x), ("r"(x)), "[%1, {%2}]", "[%2, {%3}]", "[%4, {%5}]", "[%0, {%1}]", "{%2}",
               "{%2, %3}", "{%2, %3, %4, %5}")
HEDDLE_SURFACE(surf2D, "2d", (int x, int y), (x, y), ("r"(x), "r"(y)), "[%1, {%2, %3}]", "[%2, {%3, %4}]",
               "[%4, {%5, %6}]", "[%0, {%1, %2}]", "{%3}", "{%3, %4}", "{%3, %4, %5, %6}")
HEDDLE_SURFACE(surf3D, "3d", (int x, int y, int z), (x, y, z), ("r"(x), "r"(y), "r"(z)), "[%1, {%2, %3, %4, %4}]",
               "[%2, {%3, %4, %5, %5}]", "[%4, {%5, %6, %7, %7}]", "[%0, {%1, %2, %3, %3}]", "{%4}", "{%4, %5}",
               "{%4, %5, %6, %7}")
HEDDLE_SURFACE(surf1DLayered, "a1d", (int x, int layer), (x, layer), ("r"(layer), "r"(x)), "[%1, {%2, %3}]",
               "[%2, {%3, %4}]", "[%4, {%5, %6}]", "[%0, {%1, %2}]", "{%3}", "{%3, %4}", "{%3, %4, %5, %6}")
HEDDLE_SURFACE(surf2DLayered, "a2d", (int x, int y, int layer), (x, y, layer), ("r"(layer), "r"(x), "r"(y)),
               "[%1, {%2, %3, %4, %4}]", "[%2, {%3, %4, %5, %5}]", "[%4, {%5, %6, %7, %7}]", "[%0, {%1, %2, %3, %3}]",
               "{%4}", "{%4, %5}", "{%4, %5, %6, %7}")
HEDDLE_SURFACE(surfCubemap, "a2d", (int x, int y, int __face), (x, y, __face), ("r"(__face), "r"(x), "r"(y)),
               "[%1, {%2, %3, %4, %4}]", "[%2, {%3, %4, %5, %5}]", "[%4, {%5, %6, %7, %7}]", "[%0, {%1, %2, %3, %3}]",
               "{%4}", "{%4, %5}", "{%4, %5, %6, %7}")
HEDDLE_SURFACE(surfCubemapLayered, "a2d", (int x, int y, int layerFace), (x, y, layerFace),
               ("r"(layerFace), "r"(x), "r"(y)), "[%1, {%2, %3, %4, %4}]", "[%2, {%3, %4, %5, %5}]",
               "[%4, {%5, %6, %7, %7}]", "[%0, {%1, %2, %3, %3}]", "{%4}", "{%4, %5}", "{%4, %5, %6, %7}")
#undef HEDDLE_SURFACE
#undef HEDDLE_SURF_WRITE_MODES
#undef HEDDLE_SURF_WRITE
#undef HEDDLE_SURF_READ_MODES
#undef HEDDLE_SURF_READ
#undef HEDDLE_UNPAREN
#endif
#endif
