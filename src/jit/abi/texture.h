// SPDX-License-Identifier: Apache-2.0
// Textures and surfaces as they lie in memory: the part of device/texture/texture.h, which tells the whole, that compiled
// kernels read by offset.
#ifndef HEDDLE_JIT_TEXTURE_H
#define HEDDLE_JIT_TEXTURE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// ---- What a channel of a texel is.
enum texel_type {
    TEXEL_U8,
    TEXEL_U16,
    TEXEL_U32,
    TEXEL_S8,
    TEXEL_S16,
    TEXEL_S32,
    TEXEL_F16,
    TEXEL_F32,
    // CU_AD_FORMAT_UNORM_INT8X1 and the like: always read as floats in [0, 1] or [-1, 1]
    TEXEL_UNORM8,
    TEXEL_UNORM16,
    TEXEL_SNORM8,
    TEXEL_SNORM16,
    TEXEL_TYPES
};
static inline uint32_t texel_type_size(enum texel_type t)
{
    static const uint8_t size[TEXEL_TYPES] = {1, 2, 4, 1, 2, 4, 2, 4, 1, 2, 1, 2};
    return size[t];
}

struct texel_format {
    uint8_t type;     // enum texel_type
    uint8_t channels; // 1, 2, 4
    uint16_t size;    // of a texel in bytes
};
static inline struct texel_format texel_format_make(enum texel_type type, unsigned channels)
{
    return (struct texel_format){(uint8_t)type, (uint8_t)channels, (uint16_t)(texel_type_size(type) * channels)};
}

enum { ARRAY_LEVELS = 18 }; // a level for each power of two up to the largest extent, 131072

// One level of detail. Texel (x, y, z) is at base + z * slice_pitch + y * row_pitch + x * size of a texel. Extents that
// the array does not have are 1, never 0. In layered and cube arrays z counts layers, or faces, or 6 * layer + face, in
// CUDA's order of faces (+x, -x, +y, -y, +z, -z), and does not shrink from level to level.
struct array_level {
    unsigned char *base;
    uint64_t row_pitch; // bytes
    uint64_t slice_pitch;
    uint32_t width, height, depth; // texels
    uint32_t reserved;
};

// ---- Texture and surface objects
enum texture_kind {
    TEXTURE_ARRAY,  // mipmapped where levels > 1 or TEXTURE_MIPMAP is set
    TEXTURE_LINEAR, // level[0] is width texels in a row: fetched by index only, 0 outside
    TEXTURE_PITCH2D,
    TEXTURE_SURFACE
};
enum texture_address { ADDRESS_WRAP, ADDRESS_CLAMP, ADDRESS_MIRROR, ADDRESS_BORDER }; // values of CUaddress_mode
enum texture_filter { FILTER_POINT, FILTER_LINEAR };                                  // values of CUfilter_mode

enum texture_flags {
    TEXTURE_NORMALIZED = 1, // coordinates in [0, 1)
    TEXTURE_READ_FLOAT = 2, // 8- and 16-bit integers are read as floats in [0, 1] or [-1, 1]
    TEXTURE_SRGB = 4,       // 8-bit unsigned, read as floats: the first three channels are decoded
    TEXTURE_SEAMLESS = 8,   // cube maps filter across the edges of faces
    TEXTURE_MIPMAP = 16,    // made of a mipmapped array: levels of detail count
    TEXTURE_LAYERED = 32,
    TEXTURE_CUBE = 64,
};

struct texture {
    uint64_t head; // TEXTURE_HEAD | what texture_create chose, or TEXTURE_HEAD_SURFACE; 0 when dead
    // The resource: filled in by the caller.
    uint32_t kind;  // enum texture_kind
    uint32_t flags; // enum texture_flags
    uint32_t dims;  // as in struct array
    struct texel_format format;
    uint32_t levels;
    // The sampler: filled in by the caller; surfaces have none.
    uint8_t address[3]; // enum texture_address
    uint8_t filter;     // enum texture_filter
    uint8_t mip_filter;
    uint8_t anisotropy; // kept, not used
    uint8_t reserved[2];
    float mip_bias, mip_min, mip_max;
    float border[4];
    // What texture_create derives.
    uint32_t load;       // enum texture_load
    uint32_t axis[3];    // enum texture_axis
    uint32_t vectors;    // enum texture_vectors
    uint32_t outside[4]; // the border, as a texel
    struct array_level level[ARRAY_LEVELS];
};

// Which reads the engine does for several lanes at once (device/texture/vector/read.h).
enum texture_vectors { VECTORS_NONE, VECTORS_POINTS, VECTORS_ALL };

#define TEXTURE_HEAD         UINT64_C(0x7e70a5c95e6d0000)
#define TEXTURE_HEAD_SURFACE UINT64_C(0x53a6bd1f2c970000)
// The low bits of a texture's head: what kernels have inlined for it. The general path asks the engine.
enum texture_path { PATH_GENERAL, PATH_POINT, PATH_FETCH };
// How the inlined paths read a texel and what a coordinate means to them.
enum texture_load { LOAD_32X1, LOAD_32X2, LOAD_32X4, LOAD_8X1, LOAD_8X1_FLOAT, LOAD_8X4, LOAD_8X4_FLOAT, LOAD_NONE };
enum texture_axis { AXIS_TEXELS, AXIS_CLAMP, AXIS_WRAP, AXIS_MIRROR }; // the last three with normalised coordinates
#endif
