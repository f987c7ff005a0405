// SPDX-License-Identifier: Apache-2.0
// Functions in their forms of before version 3.2, which programs of that time are linked to: addresses and sizes have 32 bits.
//
// What they allocate lies below 4 GiB, so that nothing is lost; in a context that cuCtxCreate of that time made, variables of modules
// and host memory do too. An answer that has no 32 bits is refused with CUDA_ERROR_INVALID_VALUE and never cut; only how much memory
// there is, which such a program cannot all have, is told as 4 GiB - 1 at most.
#include "driver/entry/narrow.h"

#define COPY(field) .field = from->field
const CUDA_MEMCPY2D *wide_2d(const CUDA_MEMCPY2D_v1 *from, CUDA_MEMCPY2D *to)
{
    if (!from)
        return NULL;
    *to = (CUDA_MEMCPY2D){COPY(srcXInBytes), COPY(srcY),          COPY(srcMemoryType), COPY(srcHost),
                          COPY(srcDevice),   COPY(srcArray),      COPY(srcPitch),      COPY(dstXInBytes),
                          COPY(dstY),        COPY(dstMemoryType), COPY(dstHost),       COPY(dstDevice),
                          COPY(dstArray),    COPY(dstPitch),      COPY(WidthInBytes),  COPY(Height)};
    return to;
}

const CUDA_MEMCPY3D *wide_3d(const CUDA_MEMCPY3D_v1 *from, CUDA_MEMCPY3D *to)
{
    if (!from)
        return NULL;
    *to = (CUDA_MEMCPY3D){
        COPY(srcXInBytes),   COPY(srcY),        COPY(srcZ),         COPY(srcLOD),    COPY(srcMemoryType),
        COPY(srcHost),       COPY(srcDevice),   COPY(srcArray),     COPY(reserved0), COPY(srcPitch),
        COPY(srcHeight),     COPY(dstXInBytes), COPY(dstY),         COPY(dstZ),      COPY(dstLOD),
        COPY(dstMemoryType), COPY(dstHost),     COPY(dstDevice),    COPY(dstArray),  COPY(reserved1),
        COPY(dstPitch),      COPY(dstHeight),   COPY(WidthInBytes), COPY(Height),    COPY(Depth)};
    return to;
}

const CUDA_ARRAY_DESCRIPTOR *wide_array(const CUDA_ARRAY_DESCRIPTOR_v1 *from, CUDA_ARRAY_DESCRIPTOR *to)
{
    if (!from)
        return NULL;
    *to = (CUDA_ARRAY_DESCRIPTOR){COPY(Width), COPY(Height), COPY(Format), COPY(NumChannels)};
    return to;
}

const CUDA_ARRAY3D_DESCRIPTOR *wide_array_3d(const CUDA_ARRAY3D_DESCRIPTOR_v1 *from, CUDA_ARRAY3D_DESCRIPTOR *to)
{
    if (!from)
        return NULL;
    *to =
        (CUDA_ARRAY3D_DESCRIPTOR){COPY(Width), COPY(Height), COPY(Depth), COPY(Format), COPY(NumChannels), COPY(Flags)};
    return to;
}

// An address and a size, where a call gave them and there is a place for them.
static CUresult narrow_pair(CUresult r, CUdeviceptr address, CUdeviceptr_v1 *address_out, size_t size,
                            unsigned *size_out)
{
    if (r)
        return r;
    if ((address_out && address > UINT32_MAX) || (size_out && size > UINT32_MAX)) {
        log_write(LOG_WARN, "memory at 0x%llx, %zu bytes: a call of before CUDA 3.2 has 32 bits for it",
                  (unsigned long long)address, size);
        return CUDA_ERROR_INVALID_VALUE;
    }
    if (address_out)
        *address_out = (CUdeviceptr_v1)address;
    if (size_out)
        *size_out = (unsigned)size;
    return CUDA_SUCCESS;
}

static unsigned at_most(size_t bytes)
{
    return bytes > UINT32_MAX ? UINT32_MAX : (unsigned)bytes;
}

CUresult narrow_total_memory(unsigned *bytes, CUdevice device)
{
    size_t wide = 0;
    CUresult r = device_total_memory(bytes ? &wide : NULL, device);
    if (!r)
        *bytes = at_most(wide);
    return r;
}

CUresult narrow_info(unsigned *free_bytes, unsigned *total)
{
    size_t f, t;
    CUresult r = mem_info(&f, &t);
    if (!r && free_bytes)
        *free_bytes = at_most(f);
    if (!r && total)
        *total = at_most(t);
    return r;
}

CUresult narrow_alloc(CUdeviceptr_v1 *address, unsigned bytes)
{
    CUdeviceptr wide = 0;
    CUresult r = mem_alloc_low(address ? &wide : NULL, bytes);
    return narrow_pair(r, wide, address, 0, NULL);
}

CUresult narrow_alloc_pitch(CUdeviceptr_v1 *address, unsigned *pitch, unsigned width, unsigned height,
                            unsigned element_size)
{
    CUdeviceptr wide = 0;
    size_t row = 0;
    CUresult r = mem_alloc_pitch_low(address ? &wide : NULL, pitch ? &row : NULL, width, height, element_size);
    return narrow_pair(r, wide, address, row, pitch); // a row that fits below 4 GiB has a pitch of 32 bits
}

CUresult narrow_global(CUdeviceptr_v1 *address, unsigned *bytes, CUmodule module, const char *name)
{
    CUdeviceptr wide = 0;
    size_t size = 0;
    CUresult r = module_get_global(address ? &wide : NULL, bytes ? &size : NULL, module, name);
    return narrow_pair(r, wide, address, size, bytes);
}

CUresult narrow_range(CUdeviceptr_v1 *base, unsigned *size, CUdeviceptr_v1 address)
{
    CUdeviceptr wide = 0;
    size_t bytes = 0;
    CUresult r = mem_range(&wide, &bytes, address);
    return narrow_pair(r, wide, base, bytes, size);
}

CUresult narrow_host_pointer(CUdeviceptr_v1 *address, void *pointer, unsigned flags)
{
    CUdeviceptr wide = 0;
    CUresult r = mem_host_device_pointer(address ? &wide : NULL, pointer, flags);
    return narrow_pair(r, wide, address, 0, NULL);
}

CUresult narrow_texture_set(unsigned *offset, CUtexref texture, CUdeviceptr_v1 address, unsigned bytes)
{
    size_t wide = 0;
    CUresult r = texture_ref_set_address(offset ? &wide : NULL, texture, address, bytes);
    return narrow_pair(r, 0, NULL, wide, offset);
}

CUresult narrow_texture_get(CUdeviceptr_v1 *address, CUtexref texture)
{
    CUdeviceptr wide = 0;
    CUresult r = texture_ref_get_address(address ? &wide : NULL, texture);
    return narrow_pair(r, wide, address, 0, NULL);
}

CUresult narrow_array(CUDA_ARRAY_DESCRIPTOR_v1 *desc, CUarray array)
{
    CUDA_ARRAY_DESCRIPTOR wide, *from = &wide;
    CUresult r = array_get_descriptor(desc ? &wide : NULL, array);
    if (!r) // an array has no side of more than 2^17 elements
        *desc =
            (CUDA_ARRAY_DESCRIPTOR_v1){(unsigned)from->Width, (unsigned)from->Height, COPY(Format), COPY(NumChannels)};
    return r;
}

CUresult narrow_array_3d(CUDA_ARRAY3D_DESCRIPTOR_v1 *desc, CUarray array)
{
    CUDA_ARRAY3D_DESCRIPTOR wide, *from = &wide;
    CUresult r = array_get_descriptor_3d(desc ? &wide : NULL, array);
    if (!r)
        *desc = (CUDA_ARRAY3D_DESCRIPTOR_v1){(unsigned)from->Width, (unsigned)from->Height, (unsigned)from->Depth,
                                             COPY(Format),          COPY(NumChannels),      COPY(Flags)};
    return r;
}

CUresult narrow_graphics_pointer(CUdeviceptr_v1 *pointer, unsigned *size, CUgraphicsResource resource)
{
    CUdeviceptr wide = 0;
    size_t bytes = 0;
    CUresult r = graphics_pointer(pointer ? &wide : NULL, size ? &bytes : NULL, resource);
    return narrow_pair(r, wide, pointer, bytes, size);
}

CUresult narrow_gl_map_async(CUdeviceptr_v1 *pointer, unsigned *size, unsigned buffer, CUstream stream)
{
    CUdeviceptr wide = 0;
    size_t bytes = 0;
    CUresult mapped = gl_map(pointer ? &wide : NULL, size ? &bytes : NULL, buffer, LEGACY(stream));
    CUresult r = narrow_pair(mapped, wide, pointer, bytes, size);
    if (r && !mapped)
        gl_unmap(buffer, LEGACY(stream));
    return r;
}

CUresult narrow_gl_map(CUdeviceptr_v1 *pointer, unsigned *size, unsigned buffer)
{
    return narrow_gl_map_async(pointer, size, buffer, CU_STREAM_LEGACY);
}
