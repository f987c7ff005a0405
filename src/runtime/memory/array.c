// SPDX-License-Identifier: Apache-2.0
// Arrays: their creation and description, and the copies that name them.
#include "runtime/memory/array.h"
#include <string.h>

// The formats that a channel descriptor can say by bits and kind.
static const struct {
    enum cudaChannelFormatKind kind;
    int bits;
    CUarray_format format;
} plain_formats[] = {
    {cudaChannelFormatKindUnsigned, 8, CU_AD_FORMAT_UNSIGNED_INT8},
    {cudaChannelFormatKindUnsigned, 16, CU_AD_FORMAT_UNSIGNED_INT16},
    {cudaChannelFormatKindUnsigned, 32, CU_AD_FORMAT_UNSIGNED_INT32},
    {cudaChannelFormatKindSigned, 8, CU_AD_FORMAT_SIGNED_INT8},
    {cudaChannelFormatKindSigned, 16, CU_AD_FORMAT_SIGNED_INT16},
    {cudaChannelFormatKindSigned, 32, CU_AD_FORMAT_SIGNED_INT32},
    {cudaChannelFormatKindFloat, 16, CU_AD_FORMAT_HALF},
    {cudaChannelFormatKindFloat, 32, CU_AD_FORMAT_FLOAT},
};

// Those that have a kind of their own: normalised and block-compressed. Bits of x, y, z, w as CUDA states them.
static const struct {
    enum cudaChannelFormatKind kind;
    CUarray_format format;
    unsigned char channels, bits[4];
} special_formats[] = {
    {cudaChannelFormatKindUnsignedNormalized8X1, CU_AD_FORMAT_UNORM_INT8X1, 1, {8}},
    {cudaChannelFormatKindUnsignedNormalized8X2, CU_AD_FORMAT_UNORM_INT8X2, 2, {8, 8}},
    {cudaChannelFormatKindUnsignedNormalized8X4, CU_AD_FORMAT_UNORM_INT8X4, 4, {8, 8, 8, 8}},
    {cudaChannelFormatKindUnsignedNormalized16X1, CU_AD_FORMAT_UNORM_INT16X1, 1, {16}},
    {cudaChannelFormatKindUnsignedNormalized16X2, CU_AD_FORMAT_UNORM_INT16X2, 2, {16, 16}},
    {cudaChannelFormatKindUnsignedNormalized16X4, CU_AD_FORMAT_UNORM_INT16X4, 4, {16, 16, 16, 16}},
    {cudaChannelFormatKindSignedNormalized8X1, CU_AD_FORMAT_SNORM_INT8X1, 1, {8}},
    {cudaChannelFormatKindSignedNormalized8X2, CU_AD_FORMAT_SNORM_INT8X2, 2, {8, 8}},
    {cudaChannelFormatKindSignedNormalized8X4, CU_AD_FORMAT_SNORM_INT8X4, 4, {8, 8, 8, 8}},
    {cudaChannelFormatKindSignedNormalized16X1, CU_AD_FORMAT_SNORM_INT16X1, 1, {16}},
    {cudaChannelFormatKindSignedNormalized16X2, CU_AD_FORMAT_SNORM_INT16X2, 2, {16, 16}},
    {cudaChannelFormatKindSignedNormalized16X4, CU_AD_FORMAT_SNORM_INT16X4, 4, {16, 16, 16, 16}},
    {cudaChannelFormatKindUnsignedBlockCompressed1, CU_AD_FORMAT_BC1_UNORM, 4, {8, 8, 8, 8}},
    {cudaChannelFormatKindUnsignedBlockCompressed1SRGB, CU_AD_FORMAT_BC1_UNORM_SRGB, 4, {8, 8, 8, 8}},
    {cudaChannelFormatKindUnsignedBlockCompressed2, CU_AD_FORMAT_BC2_UNORM, 4, {8, 8, 8, 8}},
    {cudaChannelFormatKindUnsignedBlockCompressed2SRGB, CU_AD_FORMAT_BC2_UNORM_SRGB, 4, {8, 8, 8, 8}},
    {cudaChannelFormatKindUnsignedBlockCompressed3, CU_AD_FORMAT_BC3_UNORM, 4, {8, 8, 8, 8}},
    {cudaChannelFormatKindUnsignedBlockCompressed3SRGB, CU_AD_FORMAT_BC3_UNORM_SRGB, 4, {8, 8, 8, 8}},
    {cudaChannelFormatKindUnsignedBlockCompressed4, CU_AD_FORMAT_BC4_UNORM, 1, {8}},
    {cudaChannelFormatKindSignedBlockCompressed4, CU_AD_FORMAT_BC4_SNORM, 1, {8}},
    {cudaChannelFormatKindUnsignedBlockCompressed5, CU_AD_FORMAT_BC5_UNORM, 2, {8, 8}},
    {cudaChannelFormatKindSignedBlockCompressed5, CU_AD_FORMAT_BC5_SNORM, 2, {8, 8}},
    {cudaChannelFormatKindUnsignedBlockCompressed6H, CU_AD_FORMAT_BC6H_UF16, 3, {16, 16, 16}},
    {cudaChannelFormatKindSignedBlockCompressed6H, CU_AD_FORMAT_BC6H_SF16, 3, {16, 16, 16}},
    {cudaChannelFormatKindUnsignedBlockCompressed7, CU_AD_FORMAT_BC7_UNORM, 4, {8, 8, 8, 8}},
    {cudaChannelFormatKindUnsignedBlockCompressed7SRGB, CU_AD_FORMAT_BC7_UNORM_SRGB, 4, {8, 8, 8, 8}},
};

#define COUNT(a) (sizeof(a) / sizeof *(a))

bool channel_to_format(const struct cudaChannelFormatDesc *desc, CUarray_format *format, unsigned *channels)
{
    for (size_t i = 0; i < COUNT(special_formats); i++)
        if (special_formats[i].kind == desc->f) {
            *format = special_formats[i].format;
            *channels = special_formats[i].channels;
            return true;
        }
    int bits[4] = {desc->x, desc->y, desc->z, desc->w};
    unsigned n = 0;
    while (n < 4 && bits[n])
        n++;
    for (unsigned i = 0; i < 4; i++)
        if (bits[i] != (i < n ? desc->x : 0))
            return false;
    if (n != 1 && n != 2 && n != 4)
        return false;
    for (size_t i = 0; i < COUNT(plain_formats); i++)
        if (plain_formats[i].kind == desc->f && plain_formats[i].bits == desc->x) {
            *format = plain_formats[i].format;
            *channels = n;
            return true;
        }
    return false;
}

struct cudaChannelFormatDesc channel_from_format(CUarray_format format, unsigned channels)
{
    for (size_t i = 0; i < COUNT(special_formats); i++)
        if (special_formats[i].format == format) {
            const unsigned char *b = special_formats[i].bits;
            return (struct cudaChannelFormatDesc){b[0], b[1], b[2], b[3], special_formats[i].kind};
        }
    for (size_t i = 0; i < COUNT(plain_formats); i++)
        if (plain_formats[i].format == format) {
            int b = plain_formats[i].bits;
            return (struct cudaChannelFormatDesc){b, channels > 1 ? b : 0, channels > 2 ? b : 0, channels > 3 ? b : 0,
                                                  plain_formats[i].kind};
        }
    return (struct cudaChannelFormatDesc){0, 0, 0, 0, cudaChannelFormatKindNone};
}

size_t rt_array_element(cudaArray_const_t array, cudaError_t *e)
{
    CUDA_ARRAY3D_DESCRIPTOR d;
    *e = rt_result(drv.cuArray3DGetDescriptor(&d, (CUarray)(uintptr_t)array));
    if (*e)
        return 0;
    struct cudaChannelFormatDesc c = channel_from_format(d.Format, d.NumChannels);
    size_t bits = (size_t)c.x + (size_t)c.y + (size_t)c.z + (size_t)c.w;
    if (!bits)
        *e = rt_fail(cudaErrorInvalidChannelDescriptor);
    return bits / 8;
}

struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, enum cudaChannelFormatKind f)
{
    return (struct cudaChannelFormatDesc){x, y, z, w, f};
}

static cudaError_t descriptor_make(const struct cudaChannelFormatDesc *desc, struct cudaExtent extent, unsigned flags,
                                   CUDA_ARRAY3D_DESCRIPTOR *out)
{
    *out = (CUDA_ARRAY3D_DESCRIPTOR){
        .Width = extent.width, .Height = extent.height, .Depth = extent.depth, .Flags = flags};
    if (!desc)
        return rt_fail(cudaErrorInvalidValue);
    return channel_to_format(desc, &out->Format, &out->NumChannels) ? cudaSuccess
                                                                    : rt_fail(cudaErrorInvalidChannelDescriptor);
}

cudaError_t cudaMalloc3DArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc, struct cudaExtent extent,
                              unsigned int flags)
{
    CUDA_ARRAY3D_DESCRIPTOR d;
    cudaError_t e = rt_enter();
    if (!e)
        e = descriptor_make(desc, extent, flags, &d);
    return e ? e : rt_result(drv.cuArray3DCreate((CUarray *)array, &d));
}

cudaError_t cudaMallocArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc, size_t width, size_t height,
                            unsigned int flags)
{
    return cudaMalloc3DArray(array, desc, (struct cudaExtent){width, height, 0}, flags);
}

cudaError_t cudaFreeArray(cudaArray_t array)
{
    cudaError_t e = rt_enter();
    return e || !array ? e : rt_result(drv.cuArrayDestroy((CUarray)array));
}

cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t *mipmappedArray, const struct cudaChannelFormatDesc *desc,
                                     struct cudaExtent extent, unsigned int numLevels, unsigned int flags)
{
    CUDA_ARRAY3D_DESCRIPTOR d;
    cudaError_t e = rt_enter();
    if (!e)
        e = descriptor_make(desc, extent, flags, &d);
    return e ? e : rt_result(drv.cuMipmappedArrayCreate((CUmipmappedArray *)mipmappedArray, &d, numLevels));
}

cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t mipmappedArray)
{
    cudaError_t e = rt_enter();
    return e || !mipmappedArray ? e : rt_result(drv.cuMipmappedArrayDestroy((CUmipmappedArray)mipmappedArray));
}

cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t *levelArray, cudaMipmappedArray_const_t mipmappedArray,
                                       unsigned int level)
{
    cudaError_t e = rt_enter();
    return e ? e
             : rt_result(drv.cuMipmappedArrayGetLevel((CUarray *)levelArray,
                                                      (CUmipmappedArray)(uintptr_t)mipmappedArray, level));
}

cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *desc, struct cudaExtent *extent, unsigned int *flags,
                             cudaArray_t array)
{
    CUDA_ARRAY3D_DESCRIPTOR d;
    cudaError_t e = rt_enter();
    if (!e)
        e = rt_result(drv.cuArray3DGetDescriptor(&d, (CUarray)array));
    if (e)
        return e;
    if (desc)
        *desc = channel_from_format(d.Format, d.NumChannels);
    if (extent)
        *extent = (struct cudaExtent){d.Width, d.Height, d.Depth};
    if (flags)
        *flags = d.Flags;
    return cudaSuccess;
}

cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *desc, cudaArray_const_t array)
{
    cudaError_t e = cudaArrayGetInfo(desc, NULL, NULL, (cudaArray_t)(uintptr_t)array);
    return !e && !desc ? rt_fail(cudaErrorInvalidValue) : e;
}

cudaError_t cudaArrayGetPlane(cudaArray_t *pPlaneArray, cudaArray_t hArray, unsigned int planeIdx)
{
    cudaError_t e = rt_enter();
    return e ? e : rt_result(drv.cuArrayGetPlane((CUarray *)pPlaneArray, (CUarray)hArray, planeIdx));
}

_Static_assert(sizeof(struct cudaArrayMemoryRequirements) == sizeof(CUDA_ARRAY_MEMORY_REQUIREMENTS), "requirements");

cudaError_t cudaArrayGetMemoryRequirements(struct cudaArrayMemoryRequirements *memoryRequirements, cudaArray_t array,
                                           int device)
{
    cudaError_t e = rt_device_check(device);
    if (!e)
        e = rt_enter();
    return e ? e
             : rt_result(drv.cuArrayGetMemoryRequirements((CUDA_ARRAY_MEMORY_REQUIREMENTS *)memoryRequirements,
                                                          (CUarray)array, device));
}

cudaError_t cudaMipmappedArrayGetMemoryRequirements(struct cudaArrayMemoryRequirements *memoryRequirements,
                                                    cudaMipmappedArray_t mipmap, int device)
{
    cudaError_t e = rt_device_check(device);
    if (!e)
        e = rt_enter();
    return e ? e
             : rt_result(drv.cuMipmappedArrayGetMemoryRequirements((CUDA_ARRAY_MEMORY_REQUIREMENTS *)memoryRequirements,
                                                                   (CUmipmappedArray)mipmap, device));
}

_Static_assert(sizeof(struct cudaArraySparseProperties) == sizeof(CUDA_ARRAY_SPARSE_PROPERTIES), "sparse properties");

cudaError_t cudaArrayGetSparseProperties(struct cudaArraySparseProperties *sparseProperties, cudaArray_t array)
{
    cudaError_t e = rt_enter();
    if (!e && !array)
        return rt_fail(cudaErrorInvalidValue);
    return e ? e
             : rt_result(
                   drv.cuArrayGetSparseProperties((CUDA_ARRAY_SPARSE_PROPERTIES *)sparseProperties, (CUarray)array));
}

cudaError_t cudaMipmappedArrayGetSparseProperties(struct cudaArraySparseProperties *sparseProperties,
                                                  cudaMipmappedArray_t mipmap)
{
    cudaError_t e = rt_enter();
    if (!e && !mipmap)
        return rt_fail(cudaErrorInvalidValue);
    return e ? e
             : rt_result(drv.cuMipmappedArrayGetSparseProperties((CUDA_ARRAY_SPARSE_PROPERTIES *)sparseProperties,
                                                                 (CUmipmappedArray)mipmap));
}
