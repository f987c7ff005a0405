// Reads and writes through surface objects. The first coordinate is in bytes. A value goes by its size, so any type of
// 1, 2, 4, 8 or 16 bytes will do.
#ifndef __SURFACE_INDIRECT_FUNCTIONS_H__
#define __SURFACE_INDIRECT_FUNCTIONS_H__
#include "host_defines.h"
#include "surface_types.h"
#include "vector_types.h"
#if defined(__cplusplus) && defined(__CUDACC__) && !defined(__DEVICE_EMULATION__)
#include <string.h>

template <int Size> struct __heddle_surface_bits;
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
#define HEDDLE_SURF_READ(shape, bits, mode, outs, values, address, inputs)                                             \
    __asm__ __volatile__("suld.b." shape "." bits "." mode " " values ", " address ";"                                 \
                         : HEDDLE_UNPAREN outs                                                                         \
                         : "l"(object), HEDDLE_UNPAREN inputs                                                          \
                         : "memory")
#define HEDDLE_SURF_READ_MODES(shape, bits, outs, values, address, inputs)                                             \
    if (mode == cudaBoundaryModeZero)                                                                                  \
        HEDDLE_SURF_READ(shape, bits, "zero", outs, values, address, inputs);                                          \
    else if (mode == cudaBoundaryModeClamp)                                                                            \
        HEDDLE_SURF_READ(shape, bits, "clamp", outs, values, address, inputs);                                         \
    else                                                                                                               \
        HEDDLE_SURF_READ(shape, bits, "trap", outs, values, address, inputs)
#define HEDDLE_SURF_WRITE(shape, bits, mode, values, address, inputs)                                                  \
    __asm__ __volatile__("sust.b." shape "." bits "." mode " " address ", " values ";" ::HEDDLE_UNPAREN inputs         \
                         : "memory")
#define HEDDLE_SURF_WRITE_MODES(shape, bits, values, address, inputs)                                                  \
    if (mode == cudaBoundaryModeZero)                                                                                  \
        HEDDLE_SURF_WRITE(shape, bits, "zero", values, address, inputs);                                               \
    else if (mode == cudaBoundaryModeClamp)                                                                            \
        HEDDLE_SURF_WRITE(shape, bits, "clamp", values, address, inputs);                                              \
    else                                                                                                               \
        HEDDLE_SURF_WRITE(shape, bits, "trap", values, address, inputs)

// The coordinates are %C0 ... in the texts below, written for values in front (reads: 1, 2 or 4) or behind (writes).
#define HEDDLE_SURFACE(name, shape, parameters, names, inputs, a1, a2, a4, w, v1, v2, v4)                              \
    template <class T>                                                                                                 \
    static __device__ __forceinline__ T name##read(cudaSurfaceObject_t object, HEDDLE_UNPAREN parameters,              \
                                                   cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)                \
    {                                                                                                                  \
        typename __heddle_surface_bits<sizeof(T)>::type bits;                                                          \
        T value;                                                                                                       \
        unsigned short *h = (unsigned short *)&bits;                                                                   \
        unsigned int *r = (unsigned int *)&bits;                                                                       \
        if (sizeof(T) == 1) {                                                                                          \
            HEDDLE_SURF_READ_MODES(shape, "b8", ("=h"(h[0])), "{%0}", a1, inputs);                                     \
        } else if (sizeof(T) == 2) {                                                                                   \
            HEDDLE_SURF_READ_MODES(shape, "b16", ("=h"(h[0])), "{%0}", a1, inputs);                                    \
        } else if (sizeof(T) == 4) {                                                                                   \
            HEDDLE_SURF_READ_MODES(shape, "b32", ("=r"(r[0])), "{%0}", a1, inputs);                                    \
        } else if (sizeof(T) == 8) {                                                                                   \
            HEDDLE_SURF_READ_MODES(shape, "v2.b32", ("=r"(r[0]), "=r"(r[1])), "{%0, %1}", a2, inputs);                 \
        } else {                                                                                                       \
            HEDDLE_SURF_READ_MODES(shape, "v4.b32", ("=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])),                  \
                                   "{%0, %1, %2, %3}", a4, inputs);                                                    \
        }                                                                                                              \
        memcpy(&value, &bits, sizeof(T));                                                                              \
        return value;                                                                                                  \
    }                                                                                                                  \
    template <class T>                                                                                                 \
    static __device__ __forceinline__ void name##read(T *result, cudaSurfaceObject_t object,                           \
                                                      HEDDLE_UNPAREN parameters,                                       \
                                                      cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)             \
    {                                                                                                                  \
        *result = name##read<T>(object, HEDDLE_UNPAREN names, mode);                                                   \
    }                                                                                                                  \
    template <class T>                                                                                                 \
    static __device__ __forceinline__ void name##write(T value, cudaSurfaceObject_t object, HEDDLE_UNPAREN parameters, \
                                                       cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)            \
    {                                                                                                                  \
        typename __heddle_surface_bits<sizeof(T)>::type bits = {};                                                     \
        memcpy(&bits, &value, sizeof(T));                                                                              \
        unsigned short *h = (unsigned short *)&bits;                                                                   \
        unsigned int *r = (unsigned int *)&bits;                                                                       \
        if (sizeof(T) == 1) {                                                                                          \
            HEDDLE_SURF_WRITE_MODES(shape, "b8", v1, w, ("l"(object), HEDDLE_UNPAREN inputs, "h"(h[0])));              \
        } else if (sizeof(T) == 2) {                                                                                   \
            HEDDLE_SURF_WRITE_MODES(shape, "b16", v1, w, ("l"(object), HEDDLE_UNPAREN inputs, "h"(h[0])));             \
        } else if (sizeof(T) == 4) {                                                                                   \
            HEDDLE_SURF_WRITE_MODES(shape, "b32", v1, w, ("l"(object), HEDDLE_UNPAREN inputs, "r"(r[0])));             \
        } else if (sizeof(T) == 8) {                                                                                   \
            HEDDLE_SURF_WRITE_MODES(shape, "v2.b32", v2, w,                                                            \
                                    ("l"(object), HEDDLE_UNPAREN inputs, "r"(r[0]), "r"(r[1])));                       \
        } else {                                                                                                       \
            HEDDLE_SURF_WRITE_MODES(shape, "v4.b32", v4, w,                                                            \
                                    ("l"(object), HEDDLE_UNPAREN inputs, "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]))); \
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
HEDDLE_SURFACE(surfCubemap, "a2d", (int x, int y, int face), (x, y, face), ("r"(face), "r"(x), "r"(y)),
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
