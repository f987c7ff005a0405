// SPDX-License-Identifier: Apache-2.0
// Objects that programs hold, of which every call knows the kind and whether they live; statuses.
#include "nvjpeg/jpeg.h"

void *object_new(enum object_kind kind, size_t size)
{
    struct object *o = library_handle_create(size);
    if (o)
        o->kind = kind;
    return o;
}

bool object_is(const void *object, enum object_kind kind)
{
    return library_handle_alive(object) && ((const struct object *)object)->kind == kind;
}

void object_destroy(void *object)
{
    library_handle_destroy(object);
}

bool jpeg_is_captured(cudaStream_t stream)
{
    enum cudaStreamCaptureStatus now = cudaStreamCaptureStatusNone;
    return !cudaStreamIsCapturing(stream, &now) && now != cudaStreamCaptureStatusNone;
}

nvjpegStatus_t jpeg_status(cudaError_t e)
{
    return e == cudaSuccess                 ? NVJPEG_STATUS_SUCCESS
           : e == cudaErrorMemoryAllocation ? NVJPEG_STATUS_ALLOCATOR_FAILURE
                                            : NVJPEG_STATUS_EXECUTION_FAILED;
}
