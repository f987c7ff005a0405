// SPDX-License-Identifier: Apache-2.0
// Decodings: a file in one call, a parsed one by phases, and batches, whose files the workers decode side by side.
#include "nvjpeg/jpeg.h"
#include <stdlib.h>

static struct codec_options options_of(nvjpegHandle_t h, const struct nvjpegDecodeParams *p,
                                       nvjpegOutputFormat_t format)
{
    struct codec_options w = p ? p->options : (struct codec_options){.scale = 1};
    w.format = format;
    w.smooth = h->flags & NVJPEG_FLAGS_UPSAMPLING_WITH_INTERPOLATION;
    w.strict = h->flags & NVJPEG_FLAGS_BITSTREAM_STRICT;
    return w;
}

nvjpegStatus_t decode_one(nvjpegHandle_t h, nvjpegJpegState_t s, const unsigned char *data, size_t length,
                          nvjpegOutputFormat_t format, const nvjpegImage_t *image, cudaStream_t stream)
{
    JPEG_ENTER(h);
    JPEG_CHECK(object_is(s, KIND_STATE) && data && image);
    JPEG_NO_CAPTURE(stream);
    struct slot_file f = {.file = {.data = data, .length = length}, .options = options_of(h, NULL, format)};
    nvjpegStatus_t status = jpeg_header_parse(&f.header, data, length);
    if (!status)
        status = slot_prepare(&s->one, &f, NULL, 0);
    if (!status)
        status = slot_decode(&s->one, &f);
    if (!status)
        status = slot_move(&s->one, &s->one.device, h->padding[true], stream);
    return status ? status : slot_write(&s->one, image, stream);
}

// ---- by phases
#define HAVE_DECODER(h, d, s)                                                                                          \
    JPEG_ENTER(h);                                                                                                     \
    JPEG_CHECK(object_is(d, KIND_DECODER) && object_is(s, KIND_STATE))

nvjpegStatus_t decode_host(nvjpegHandle_t h, nvjpegJpegDecoder_t d, nvjpegJpegState_t s, nvjpegDecodeParams_t p,
                           nvjpegJpegStream_t b)
{
    HAVE_DECODER(h, d, s);
    JPEG_CHECK(object_is(p, KIND_PARAMS) && object_is(b, KIND_BITSTREAM) && b->parsed);
    JPEG_CHECK(!s->pinned || object_is(s->pinned, KIND_PINNED));
    struct slot_file f = {.file = {b->data, b->tables, b->length, b->tables_length},
                          .header = b->header,
                          .options = options_of(h, p, p->options.format),
                          .region = p};
    nvjpegStatus_t status = slot_prepare(&s->one, &f, s->pinned ? &s->pinned->memory : NULL, h->padding[false]);
    return status ? status : slot_decode(&s->one, &f);
}

nvjpegStatus_t decode_transfer(nvjpegHandle_t h, nvjpegJpegDecoder_t d, nvjpegJpegState_t s, nvjpegJpegStream_t b,
                               cudaStream_t stream)
{
    HAVE_DECODER(h, d, s);
    JPEG_CHECK(object_is(b, KIND_BITSTREAM) && object_is(s->device, KIND_DEVICE));
    JPEG_NO_CAPTURE(stream);
    return slot_move(&s->one, &s->device->memory, h->padding[true], stream);
}

nvjpegStatus_t decode_device(nvjpegHandle_t h, nvjpegJpegDecoder_t d, nvjpegJpegState_t s, const nvjpegImage_t *image,
                             cudaStream_t stream)
{
    HAVE_DECODER(h, d, s);
    JPEG_NO_CAPTURE(stream);
    return slot_write(&s->one, image, stream);
}

nvjpegStatus_t decode_whole(nvjpegHandle_t h, nvjpegJpegDecoder_t d, nvjpegJpegState_t s, nvjpegJpegStream_t b,
                            const nvjpegImage_t *image, nvjpegDecodeParams_t p, cudaStream_t stream)
{
    JPEG_NO_CAPTURE(stream);
    nvjpegStatus_t status = decode_host(h, d, s, p, b);
    if (!status)
        status = decode_transfer(h, d, s, b, stream);
    return status ? status : decode_device(h, d, s, image, stream);
}

// ---- batches
struct batch_job {
    struct slot *slot;
    struct slot_file file;
    nvjpegStatus_t status;
};
struct batch_run {
    struct native_head head;
    struct batch_job *jobs;
};

static void batch_run(const void *block, uint64_t part)
{
    struct batch_job *j = &((const struct batch_run *)block)->jobs[part];
    j->status = slot_decode(j->slot, &j->file);
}
static struct library_kernel batch_kernel = LIBRARY_KERNEL("nvjpeg_decode", batch_run, struct batch_run);

// The host's phase of all files; the first fault is that of the call.
static nvjpegStatus_t batch_decode_files(nvjpegJpegState_t s, struct batch_job *jobs)
{
    double work = 0;
    for (int i = 0; i < s->count; i++)
        work += (double)s->batch[i].layout.bytes * 20 / s->count;
    struct batch_run block = {.jobs = jobs};
    cudaError_t e = library_launch(&batch_kernel, s->workers, (uint64_t)s->count, work, &block);
    if (!e)
        e = cudaStreamSynchronize(s->workers);
    nvjpegStatus_t status = jpeg_status(e);
    for (int i = 0; i < s->count && !status; i++)
        status = jobs[i].status;
    return status;
}

static nvjpegStatus_t batch_prepare(nvjpegHandle_t h, nvjpegJpegState_t s, struct batch_job *jobs,
                                    const unsigned char *const *data, const size_t *lengths,
                                    const nvjpegDecodeParams_t *params)
{
    nvjpegStatus_t status = NVJPEG_STATUS_SUCCESS;
    for (int i = 0; i < s->count && !status; i++) {
        struct batch_job *j = &jobs[i];
        const struct nvjpegDecodeParams *p = params ? params[i] : NULL;
        JPEG_CHECK(data[i] && (!p || object_is(p, KIND_PARAMS)));
        j->slot = &s->batch[i];
        j->status = NVJPEG_STATUS_EXECUTION_FAILED;
        j->file.file = (struct codec_file){data[i], s->tables, lengths[i], s->tables_length};
        j->file.options = options_of(h, p, s->format);
        j->file.region = p;
        status = jpeg_header_parse(&j->file.header, data[i], lengths[i]);
        if (!status)
            status = slot_prepare(j->slot, &j->file, NULL, 0);
    }
    return status;
}

nvjpegStatus_t batch_decode(nvjpegHandle_t h, nvjpegJpegState_t s, const unsigned char *const *data,
                            const size_t *lengths, const nvjpegImage_t *images, const nvjpegDecodeParams_t *params,
                            cudaStream_t stream)
{
    JPEG_ENTER(h);
    JPEG_CHECK(object_is(s, KIND_STATE) && s->count && data && lengths && images);
    JPEG_NO_CAPTURE(stream);
    struct batch_job *jobs = calloc((size_t)s->count, sizeof *jobs);
    if (!jobs)
        return NVJPEG_STATUS_ALLOCATOR_FAILURE;
    nvjpegStatus_t status = batch_prepare(h, s, jobs, data, lengths, params);
    if (!status)
        status = batch_decode_files(s, jobs);
    for (int i = 0; i < s->count && !status; i++) {
        status = slot_move(&s->batch[i], &s->batch[i].device, h->padding[true], stream);
        if (!status)
            status = slot_write(&s->batch[i], &images[i], stream);
    }
    free(jobs);
    return status;
}
