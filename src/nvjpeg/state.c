// SPDX-License-Identifier: Apache-2.0
// States of decodings, and the buffers that are attached to them.
#include "nvjpeg/jpeg.h"
#include <stdlib.h>

nvjpegStatus_t state_create(nvjpegHandle_t h, nvjpegJpegState_t *out)
{
    JPEG_ENTER(h);
    JPEG_CHECK(out);
    nvjpegJpegState_t s = object_new(KIND_STATE, sizeof *s);
    if (!s)
        return NVJPEG_STATUS_ALLOCATOR_FAILURE;
    s->handle = h;
    s->one.device.from = h->device;
    *out = s;
    return NVJPEG_STATUS_SUCCESS;
}

nvjpegStatus_t decoder_state_create(nvjpegHandle_t h, nvjpegJpegDecoder_t d, nvjpegJpegState_t *out)
{
    JPEG_ENTER(h);
    JPEG_CHECK(object_is(d, KIND_DECODER));
    return state_create(h, out);
}

static void batch_fini(nvjpegJpegState_t s)
{
    for (int i = 0; i < s->count; i++)
        slot_fini(&s->batch[i]);
    free(s->batch);
    s->batch = NULL;
    s->count = 0;
}

nvjpegStatus_t state_destroy(nvjpegJpegState_t s)
{
    JPEG_CHECK(object_is(s, KIND_STATE));
    slot_fini(&s->one);
    batch_fini(s);
    if (s->workers)
        cudaStreamDestroy(s->workers);
    free(s->tables);
    object_destroy(s);
    return NVJPEG_STATUS_SUCCESS;
}

nvjpegStatus_t state_attach_pinned(nvjpegJpegState_t s, nvjpegBufferPinned_t b)
{
    JPEG_CHECK(object_is(s, KIND_STATE) && object_is(b, KIND_PINNED));
    s->pinned = b;
    return NVJPEG_STATUS_SUCCESS;
}

nvjpegStatus_t state_attach_device(nvjpegJpegState_t s, nvjpegBufferDevice_t b)
{
    JPEG_CHECK(object_is(s, KIND_STATE) && object_is(b, KIND_DEVICE));
    s->device = b;
    return NVJPEG_STATUS_SUCCESS;
}

// ---- batches
nvjpegStatus_t batch_init(nvjpegHandle_t h, nvjpegJpegState_t s, int count, int threads, nvjpegOutputFormat_t format)
{
    (void)threads; // the workers are the engine's
    JPEG_ENTER(h);
    JPEG_CHECK(object_is(s, KIND_STATE) && count > 0 && (unsigned)format <= NVJPEG_OUTPUT_FORMAT_MAX);
    if (!s->workers && cudaStreamCreateWithFlags(&s->workers, cudaStreamNonBlocking))
        return NVJPEG_STATUS_EXECUTION_FAILED;
    batch_fini(s);
    s->batch = calloc((size_t)count, sizeof *s->batch);
    if (!s->batch)
        return NVJPEG_STATUS_ALLOCATOR_FAILURE;
    for (int i = 0; i < count; i++)
        s->batch[i].device.from = h->device;
    s->count = count;
    s->format = format;
    return NVJPEG_STATUS_SUCCESS;
}

// A hint, which buffers do not need: they grow with the first pictures.
nvjpegStatus_t batch_reserve(nvjpegHandle_t h, nvjpegJpegState_t s, int count, int width, int height,
                             nvjpegChromaSubsampling_t subsampling, nvjpegOutputFormat_t format)
{
    (void)subsampling;
    JPEG_ENTER(h);
    JPEG_CHECK(object_is(s, KIND_STATE) && count > 0 && width > 0 && height > 0);
    JPEG_CHECK((unsigned)format <= NVJPEG_OUTPUT_FORMAT_MAX);
    return NVJPEG_STATUS_SUCCESS;
}

nvjpegStatus_t batch_tables(nvjpegHandle_t h, nvjpegJpegState_t s, const unsigned char *data, size_t length)
{
    JPEG_ENTER(h);
    JPEG_CHECK(object_is(s, KIND_STATE));
    return bytes_copy(&s->tables, &s->tables_length, data, length) ? NVJPEG_STATUS_SUCCESS
                                                                   : NVJPEG_STATUS_ALLOCATOR_FAILURE;
}
