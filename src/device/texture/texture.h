// SPDX-License-Identifier: Apache-2.0
// Arrays, textures and surfaces as they lie in memory: what the host side (libcuda) fills in and what kernels read.
//
// A CUDA array is a struct array: a list of levels in plain row-major order, no tiling. A texture or surface object is
// one struct texture that holds everything a fetch needs, the levels included (copied from the array, so that a
// resource view is a choice of levels and layers and a format). Its handle, CUtexObject or CUsurfObject, is its
// address.
//
//  1. Descriptors lie in one reserved range that is never unmapped, so that any bit pattern can be checked on the host
//     (texture_find) and a kernel that uses a destroyed handle reads a dead descriptor, not other memory.
//  2. The first word, `head`, says that the descriptor lives and which path of the sampler serves it. Kernels compare
//     it before anything else; what they do not know goes to the engine, which raises a fault where nothing lives. A
//     handle that is no address at all faults as any other wild access does. In all cases the launch gets a CUDA error.
//  3. A .texref, .samplerref or .surfref variable of a module is 8 bytes in the module's memory that hold a handle, 0
//     while nothing is bound: binding a texture reference is texture_create and a store of the handle there. (So is the
//     variable behind texture<> and surface<> of the headers; texture fetches load the handle when they run.)
//  4. A descriptor does not change while a kernel may use it. To rebind, make another.
#ifndef HEDDLE_DEVICE_TEXTURE_TEXTURE_H
#define HEDDLE_DEVICE_TEXTURE_TEXTURE_H
#include "jit/abi/texture.h"

// ---- CUDA arrays; formats and levels are in jit/abi/texture.h
enum array_flags {
    ARRAY_LAYERED = 1,
    ARRAY_CUBE = 2, // with ARRAY_LAYERED: a layered cube map, depth = 6 * layers
    ARRAY_SURFACE = 4,
    ARRAY_GATHER = 8,
};

struct array {
    uint32_t dims;  // 1, 2, 3; without layers: a layered 1D array has 1, cube maps have 2
    uint32_t flags; // enum array_flags
    struct texel_format format;
    uint32_t levels; // 1 unless mipmapped
    struct array_level level[ARRAY_LEVELS];
};
// How much memory the array needs, and where the levels lie in it: fills level[].row_pitch, slice_pitch and extents
// from width, height, depth of level 0 (0 counts as 1; depth is layers where layered, 6 or 6 * layers for cubes), and
// level[].base as an offset. Every row begins at a multiple of 32 bytes, every level at one of 512. Returns the size, 0
// on overflow.
size_t array_layout(struct array *a, uint32_t width, uint32_t height, uint32_t depth);

// Up to this extent normalised coordinates are cut to 21 fractional bits, up to eight times as much to 22, beyond
// to 23.
enum { FRACTION_EXTENT = 8192 };

// ---- Texture and surface objects: struct texture, in jit/abi/texture.h
// A copy of *t (its head and derived members need not be set) in the reserved range; its address is the handle. NULL:
// too many. Wrap and mirror without normalised coordinates become clamp here, so that callers keep what the program
// asked for.
struct texture *texture_create(const struct texture *t);
void texture_destroy(struct texture *t);
// The live texture or surface object behind a handle, or NULL: for the API, which must refuse any other bit pattern.
struct texture *texture_find(uint64_t handle, bool surface);
#endif
