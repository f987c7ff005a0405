// SPDX-License-Identifier: Apache-2.0
// The handle, and what is set in it; decoders.
#include "nvjpeg/jpeg.h"

static nvjpegStatus_t version_part(libraryPropertyType type, int *value, int major, int minor, int patch)
{
    const int parts[] = {major, minor, patch};
    JPEG_CHECK(value && (unsigned)type <= PATCH_LEVEL);
    *value = parts[type];
    return NVJPEG_STATUS_SUCCESS;
}

nvjpegStatus_t handle_property(libraryPropertyType type, int *value)
{
    return version_part(type, value, NVJPEG_VER_MAJOR, NVJPEG_VER_MINOR, NVJPEG_VER_PATCH);
}

nvjpegStatus_t handle_cuda_property(libraryPropertyType type, int *value)
{
    return version_part(type, value, CUDART_VERSION / 1000, CUDART_VERSION % 1000 / 10, 0);
}

// There is no hardware for JPEG; files in device memory and lossless ones have back ends of their own, which are not there.
static nvjpegStatus_t backend_check(nvjpegBackend_t backend)
{
    JPEG_CHECK((unsigned)backend <= NVJPEG_BACKEND_LOSSLESS_JPEG);
    if (backend == NVJPEG_BACKEND_HARDWARE || backend == NVJPEG_BACKEND_HARDWARE_DEVICE)
        return NVJPEG_STATUS_ARCH_MISMATCH;
    return backend == NVJPEG_BACKEND_LOSSLESS_JPEG ? NVJPEG_STATUS_IMPLEMENTATION_NOT_SUPPORTED : NVJPEG_STATUS_SUCCESS;
}

static nvjpegStatus_t create(nvjpegBackend_t backend, struct allocator device, struct allocator pinned, unsigned flags,
                             nvjpegHandle_t *out)
{
    JPEG_CHECK(out);
    nvjpegStatus_t status = backend_check(backend);
    if (status)
        return status;
    nvjpegHandle_t h = object_new(KIND_HANDLE, sizeof *h);
    if (!h)
        return NVJPEG_STATUS_ALLOCATOR_FAILURE;
    h->flags = flags;
    h->device = device;
    h->pinned = pinned;
    *out = h;
    return NVJPEG_STATUS_SUCCESS;
}

nvjpegStatus_t handle_create(nvjpegBackend_t backend, const nvjpegDevAllocator_t *device,
                             const nvjpegPinnedAllocator_t *pinned, unsigned flags, nvjpegHandle_t *out)
{
    JPEG_CHECK(!device || (device->dev_malloc && device->dev_free));
    JPEG_CHECK(!pinned || (pinned->pinned_malloc && pinned->pinned_free));
    return create(backend, allocator_device(device), allocator_pinned(pinned), flags, out);
}

nvjpegStatus_t handle_create_v2(nvjpegBackend_t backend, const nvjpegDevAllocatorV2_t *device,
                                const nvjpegPinnedAllocatorV2_t *pinned, unsigned flags, nvjpegHandle_t *out)
{
    JPEG_CHECK(!device || (device->dev_malloc && device->dev_free));
    JPEG_CHECK(!pinned || (pinned->pinned_malloc && pinned->pinned_free));
    return create(backend, allocator_device_v2(device), allocator_pinned_v2(pinned), flags, out);
}

nvjpegStatus_t handle_destroy(nvjpegHandle_t h)
{
    JPEG_ENTER(h);
    object_destroy(h);
    return NVJPEG_STATUS_SUCCESS;
}

nvjpegStatus_t handle_set_padding(nvjpegHandle_t h, bool device, size_t padding)
{
    JPEG_ENTER(h);
    h->padding[device] = padding;
    return NVJPEG_STATUS_SUCCESS;
}

nvjpegStatus_t handle_get_padding(nvjpegHandle_t h, bool device, size_t *padding)
{
    JPEG_ENTER(h);
    JPEG_CHECK(padding);
    *padding = h->padding[device];
    return NVJPEG_STATUS_SUCCESS;
}

nvjpegStatus_t handle_engines(nvjpegHandle_t h, unsigned *engines, unsigned *cores)
{
    JPEG_ENTER(h);
    JPEG_CHECK(engines);
    *engines = 0;
    if (cores)
        *cores = 0;
    return NVJPEG_STATUS_SUCCESS;
}

// ---- decoders, which are all the same
nvjpegStatus_t decoder_create(nvjpegHandle_t h, nvjpegBackend_t backend, nvjpegJpegDecoder_t *out)
{
    JPEG_ENTER(h);
    JPEG_CHECK(out);
    nvjpegStatus_t status = backend_check(backend);
    if (status)
        return status;
    *out = object_new(KIND_DECODER, sizeof **out);
    return *out ? NVJPEG_STATUS_SUCCESS : NVJPEG_STATUS_ALLOCATOR_FAILURE;
}

nvjpegStatus_t decoder_destroy(nvjpegJpegDecoder_t d)
{
    JPEG_CHECK(object_is(d, KIND_DECODER));
    object_destroy(d);
    return NVJPEG_STATUS_SUCCESS;
}
