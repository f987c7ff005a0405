// SPDX-License-Identifier: Apache-2.0
// Encodings: a kernel in the stream, since the image may be the result of what is queued there; who asks for the file waits.
#include "nvjpeg/jpeg.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_SIZE = 65500 }; // what the encoder takes, to the right and down

nvjpegStatus_t encoder_create(nvjpegHandle_t h, nvjpegEncoderState_t *out, nvjpegEncBackend_t backend,
                              cudaStream_t stream)
{
    (void)stream;
    JPEG_ENTER(h);
    JPEG_CHECK(out && (unsigned)backend <= NVJPEG_ENC_BACKEND_HARDWARE);
    if (backend == NVJPEG_ENC_BACKEND_HARDWARE)
        return NVJPEG_STATUS_ARCH_MISMATCH;
    nvjpegEncoderState_t s = object_new(KIND_ENCODER, sizeof *s);
    if (!s)
        return NVJPEG_STATUS_ALLOCATOR_FAILURE;
    nvjpegStatus_t status = jpeg_status(cudaEventCreateWithFlags(&s->done, cudaEventDisableTiming));
    if (status) {
        object_destroy(s);
        return status;
    }
    *out = s;
    return NVJPEG_STATUS_SUCCESS;
}

nvjpegStatus_t encoder_destroy(nvjpegEncoderState_t s)
{
    JPEG_CHECK(object_is(s, KIND_ENCODER));
    cudaEventSynchronize(s->done);
    cudaEventDestroy(s->done);
    free(s->segments);
    free(s->data);
    object_destroy(s);
    return NVJPEG_STATUS_SUCCESS;
}

// No block is longer than this: 64 coefficients of 16 + 10 bits each, and every byte may have a zero after it.
nvjpegStatus_t encode_bound(nvjpegHandle_t h, nvjpegEncoderParams_t p, int width, int height, size_t *length)
{
    enum { BLOCK_BYTES = 64 * 26 / 8 * 2, HEAD = 2048, SIDE = 32 };
    JPEG_ENTER(h);
    JPEG_CHECK(object_is(p, KIND_SETTINGS) && length && width > 0 && height > 0 && width <= MOST_SIZE &&
               height <= MOST_SIZE);
    size_t across = ((size_t)width + SIDE - 1) / SIDE * (SIDE / JPEG_BLOCK),
           down = ((size_t)height + SIDE - 1) / SIDE * (SIDE / JPEG_BLOCK);
    *length = HEAD + p->segments_length + across * down * 3 * BLOCK_BYTES;
    return NVJPEG_STATUS_SUCCESS;
}

// ---- the work
struct encode {
    struct native_head head;
    nvjpegEncoderState_t state;
};

static void encode_run(const void *block, uint64_t part)
{
    (void)part;
    nvjpegEncoderState_t s = ((const struct encode *)block)->state;
    struct codec_segments segments = {s->segments, s->segments_length};
    s->status = codec_encode(&s->source, &s->settings, &segments, &s->data, &s->length);
}
static struct library_kernel encode_kernel = LIBRARY_KERNEL("nvjpeg_encode", encode_run, struct encode);

static bool is_format(nvjpegInputFormat_t f)
{
    return f == NVJPEG_INPUT_YUV || (f >= NVJPEG_INPUT_RGB && f <= NVJPEG_INPUT_BGRI) || f == NVJPEG_INPUT_NV12;
}

// How many channels of the image hold it.
static unsigned channels_of(nvjpegInputFormat_t f, nvjpegChromaSubsampling_t subsampling)
{
    if (f == NVJPEG_INPUT_RGBI || f == NVJPEG_INPUT_BGRI || (f == NVJPEG_INPUT_YUV && subsampling == NVJPEG_CSS_GRAY))
        return 1;
    return f == NVJPEG_INPUT_NV12 ? 2 : 3;
}

static nvjpegStatus_t source_check(const struct codec_source *s, const struct codec_settings *set)
{
    unsigned h, v;
    bool nv12 = s->format == NVJPEG_INPUT_NV12;
    JPEG_CHECK(is_format(s->format) && s->width && s->height && s->width <= MOST_SIZE && s->height <= MOST_SIZE);
    JPEG_CHECK(s->format != NVJPEG_INPUT_YUV || s->subsampling == NVJPEG_CSS_GRAY ||
               jpeg_subsampling_factors(s->subsampling, &h, &v));
    JPEG_CHECK(!nv12 || (s->subsampling == NVJPEG_CSS_420 && set->subsampling == NVJPEG_CSS_420));
    for (unsigned i = 0; i < channels_of(s->format, s->subsampling); i++)
        JPEG_CHECK(s->image.channel[i]);
    return NVJPEG_STATUS_SUCCESS;
}

nvjpegStatus_t encode_image(nvjpegHandle_t h, nvjpegEncoderState_t s, nvjpegEncoderParams_t p,
                            const nvjpegImage_t *image, nvjpegChromaSubsampling_t subsampling,
                            nvjpegInputFormat_t format, int width, int height, cudaStream_t stream)
{
    JPEG_ENTER(h);
    JPEG_CHECK(object_is(s, KIND_ENCODER) && object_is(p, KIND_SETTINGS) && image && width > 0 && height > 0);
    JPEG_NO_CAPTURE(stream);
    struct codec_source source = {format, subsampling, (unsigned)width, (unsigned)height, *image};
    nvjpegStatus_t status = source_check(&source, &p->settings);
    if (!status && !codec_found())
        status = NVJPEG_STATUS_IMPLEMENTATION_NOT_SUPPORTED;
    if (!status)
        status = jpeg_status(cudaEventSynchronize(s->done)); // one at a time
    if (!status && !bytes_copy(&s->segments, &s->segments_length, p->segments, p->segments_length))
        status = NVJPEG_STATUS_ALLOCATOR_FAILURE;
    if (status)
        return status;
    free(s->data);
    s->data = NULL;
    s->length = 0;
    s->source = source;
    s->settings = p->settings;
    s->status = NVJPEG_STATUS_EXECUTION_FAILED;
    s->used = true;
    struct encode block = {.state = s};
    cudaError_t e = library_launch(&encode_kernel, stream, 1, (double)width * height * 30, &block);
    return jpeg_status(e ? e : cudaEventRecord(s->done, stream));
}

// Colours alone.
nvjpegStatus_t encode_colours(nvjpegHandle_t h, nvjpegEncoderState_t s, nvjpegEncoderParams_t p,
                              const nvjpegImage_t *image, nvjpegInputFormat_t format, int width, int height,
                              cudaStream_t stream)
{
    JPEG_ENTER(h);
    JPEG_CHECK(format >= NVJPEG_INPUT_RGB && format <= NVJPEG_INPUT_BGRI);
    return encode_image(h, s, p, image, NVJPEG_CSS_444, format, width, height, stream);
}

// The result is in host memory, and so is that of a device: a copy in the stream does for both.
nvjpegStatus_t encode_retrieve(nvjpegHandle_t h, nvjpegEncoderState_t s, unsigned char *data, size_t *length,
                               cudaStream_t stream)
{
    JPEG_ENTER(h);
    JPEG_CHECK(object_is(s, KIND_ENCODER) && length && s->used);
    JPEG_NO_CAPTURE(stream);
    nvjpegStatus_t status = jpeg_status(cudaEventSynchronize(s->done));
    if (status || s->status)
        return status ? status : s->status;
    JPEG_CHECK(!data || *length >= s->length);
    if (data) {
        status = jpeg_status(cudaMemcpyAsync(data, s->data, s->length, cudaMemcpyDefault, stream));
        if (!status)
            status = jpeg_status(cudaEventRecord(s->done, stream)); // the file is still needed
    }
    *length = s->length;
    return status;
}
