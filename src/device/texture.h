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
//  it
//     before anything else; what they do not know goes to texture_sample.c, which raises a fault where nothing lives.
//     A handle that is no address at all faults as any other wild access does. In all cases the launch gets a CUDA
//     error.
//  3. A .texref, .samplerref or .surfref variable of a module is 8 bytes in the module's memory that hold a handle, 0
//  while
//     nothing is bound: binding a texture reference is texture_create and a store of the handle there. (So is the
//     variable behind texture<> and surface<> of the headers; texture fetches load the handle when they run.)
//  4. A descriptor does not change while a kernel may use it. To rebind, make another.
#ifndef HEDDLE_DEVICE_TEXTURE_H
#define HEDDLE_DEVICE_TEXTURE_H
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

// ---- CUDA arrays
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
    float scale[3];   // from coordinates to texels: the extents of level 0, or 1
    uint32_t last[3]; // extents of level 0 less 1
    struct array_level level[ARRAY_LEVELS];
};

#define TEXTURE_HEAD         UINT64_C(0x7e70a5c95e6d0000)
#define TEXTURE_HEAD_SURFACE UINT64_C(0x53a6bd1f2c970000)
// The low 16 bits of a texture's head: the paths that kernels have inlined (see jit/lib/texture.c); 0 is the general
// one.

// A copy of *t (its head and derived members need not be set) in the reserved range; its address is the handle. NULL:
// too many. Wrap and mirror without normalised coordinates become clamp here, so that callers keep what the program
// asked for.
struct texture *texture_create(const struct texture *t);
void texture_destroy(struct texture *t);
// The live texture or surface object behind a handle, or NULL: for the API, which must refuse any other bit pattern.
struct texture *texture_find(uint64_t handle, bool surface);
#endif
