// SPDX-License-Identifier: Apache-2.0
// The instructions on textures and surfaces that are not inlined into kernels: one call to the engine for a gang. The
// word `op` says which instruction it is; the words of args follow in this order: coordinates as PTX lists them (layers
// first), then the level, or the two gradients (as many words each as there are coordinates without the layer), then
// the offsets, then the values of a store.
#ifndef HEDDLE_JIT_IMAGE_H
#define HEDDLE_JIT_IMAGE_H
#include <stdint.h>

enum image_geometry {
    IMAGE_1D,
    IMAGE_2D,
    IMAGE_3D,
    IMAGE_A1D,
    IMAGE_A2D,
    IMAGE_CUBE,
    IMAGE_ACUBE,
    IMAGE_2DMS,
    IMAGE_A2DMS
};
enum image_mode {
    IMAGE_TEX,
    IMAGE_LEVEL,
    IMAGE_GRAD,
    IMAGE_GATHER,
    IMAGE_TXQ, // the queries of a texture: one argument, a level
    IMAGE_SUQ,
    IMAGE_LOAD_P,  // suld.p
    IMAGE_STORE_P, // sust.p
    IMAGE_OUTSIDE, // an access to a surface that the inlined path does not serve: raises the fault
};
enum image_query {
    IMAGE_WIDTH,
    IMAGE_HEIGHT,
    IMAGE_DEPTH,
    IMAGE_DATA_TYPE,
    IMAGE_ORDER,
    IMAGE_NORMALIZED,
    IMAGE_ARRAY_SIZE,
    IMAGE_LEVELS,
    IMAGE_SAMPLES,
    IMAGE_FILTER,
    IMAGE_ADDRESS_0,
    IMAGE_ADDRESS_1,
    IMAGE_ADDRESS_2,
    IMAGE_UNNORMALIZED,
    IMAGE_LAYOUT
};
// Bytes of a vector: 16, 32 or 64.
enum image_vector { IMAGE_VECTOR_16, IMAGE_VECTOR_32, IMAGE_VECTOR_64 };
enum image_boundary { IMAGE_TRAP, IMAGE_CLAMP, IMAGE_ZERO };

// Fields of the word.
enum {
    IMAGE_GEOMETRY_SHIFT = 0, // 4 bits
    IMAGE_MODE_SHIFT = 4,     // 4 bits
    IMAGE_DETAIL_SHIFT = 8,   // 4 bits: the component of a gather, the query, the boundary
    IMAGE_INTEGER = 1 << 12,  // integer coordinates
    IMAGE_OFFSETS = 1 << 13,
    IMAGE_SAMPLER = 1 << 14, // two more words at the end: the handle of the sampler
    IMAGE_ONE = 1 << 15,     // one handle for all lanes
    IMAGE_VECTOR_SHIFT = 16, // 2 bits: enum image_vector, which the kernel was compiled for
};
static inline uint32_t image_op(enum image_geometry g, enum image_mode m, uint32_t detail, uint32_t flags)
{
    return (uint32_t)g << IMAGE_GEOMETRY_SHIFT | (uint32_t)m << IMAGE_MODE_SHIFT | detail << IMAGE_DETAIL_SHIFT | flags;
}
// Coordinates without the layer.
static inline unsigned image_axes(enum image_geometry g)
{
    static const unsigned char axes[] = {1, 2, 3, 1, 2, 3, 3, 2, 2};
    return axes[g];
}
static inline int image_layered(enum image_geometry g)
{
    return g == IMAGE_A1D || g == IMAGE_A2D || g == IMAGE_ACUBE || g == IMAGE_A2DMS;
}
// The words of args before a store's values and the sampler's handle.
static inline unsigned image_words(uint32_t op)
{
    enum image_geometry g = (enum image_geometry)(op >> IMAGE_GEOMETRY_SHIFT & 15);
    enum image_mode m = (enum image_mode)(op >> IMAGE_MODE_SHIFT & 15);
    unsigned n = image_axes(g);
    return n + (image_layered(g) ? 1 : 0) +
           (m == IMAGE_LEVEL  ? 1
            : m == IMAGE_GRAD ? 2 * n
                              : 0) +
           (op & IMAGE_OFFSETS ? n : 0);
}
#endif
