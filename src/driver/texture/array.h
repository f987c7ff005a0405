// SPDX-License-Identifier: Apache-2.0
// Arrays and what textures, surfaces and copies use of them.
#ifndef HEDDLE_DRIVER_TEXTURE_ARRAY_H
#define HEDDLE_DRIVER_TEXTURE_ARRAY_H
#include "device/texture/texture.h"
#include "driver/driver.h"

// Extents of arrays and textures, as the attributes report them (attribute.def).
enum {
    LIMIT_1D = 131072,
    LIMIT_1D_SURFACE = 32768,
    LIMIT_2D_HEIGHT = 65536,
    LIMIT_3D = 16384,
    LIMIT_3D_FLAT = 8192,  // width and height of a 3D array that is deeper than LIMIT_3D
    LIMIT_3D_DEEP = 32768, // its depth
    LIMIT_LAYERED = 32768, // extents of layered, cube, mipmapped and gather arrays
    LIMIT_LAYERS = 2048,
    LIMIT_CUBE_LAYERS = 2046,     // faces
    LIMIT_LINEAR = 1 << 28,       // texels of 16 bytes of a texture over linear memory
    LIMIT_LINEAR_SMALL = 1 << 30, // of 4 bytes and less
    LIMIT_PITCH_HEIGHT = 65000,
    LIMIT_PITCH_BYTES = 2097120,
    TEXTURE_ALIGN = 256,
    TEXTURE_PITCH_ALIGN = 32
};

// A CUarray or a CUmipmappedArray. The levels of a mipmapped array are arrays that have their memory from it.
struct array_object {
    struct node node; // in its context's list; a level is in none
    CUarray handle;
    struct context *context;
    CUDA_ARRAY3D_DESCRIPTOR desc; // as asked for; of a level: with its own extents
    struct array array;
    void *memory;
    bool mipmap;
    struct array_object *whole;               // of a level, else NULL
    struct array_object *level[ARRAY_LEVELS]; // of a mipmapped array
    struct array_object *slice;               // of a level: its single layers that were asked for; of these, the next
    unsigned index;                           // of a single layer
};
// NULL: not a live handle of that kind.
struct array_object *array_get(CUarray handle);
struct array_object *mipmap_get(CUmipmappedArray handle);
// One layer, or one face, of a level as an array of two dimensions; it goes with the whole.
CUresult array_slice(CUarray *slice, struct array_object *level, unsigned index);
// With the context's work over.
void arrays_clear(struct context *c);

// CUDA_SUCCESS, CUDA_ERROR_INVALID_VALUE for what is no format, or CUDA_ERROR_NOT_SUPPORTED for one that exists in
// CUDA.
CUresult texel_format_of(CUarray_format format, unsigned channels, struct texel_format *out);
#endif
