// SPDX-License-Identifier: Apache-2.0
// One picture on its way from a file to an image: the phases of decoding.
#include "nvjpeg/jpeg.h"
#include <stdlib.h>
#include <string.h>

// ---- the host's phase
// The part of the picture that is wanted, as a layout. Samples of chroma are those that the region touches.
static nvjpegStatus_t crop(struct codec_layout *l, const struct jpeg_header *h, const struct nvjpegDecodeParams *p)
{
    if (!p || p->width < 0)
        return NVJPEG_STATUS_SUCCESS;
    size_t width = l->plane[0].width, height = l->plane[0].height, right = (size_t)p->x + (size_t)p->width,
           bottom = (size_t)p->y + (size_t)p->height;
    JPEG_CHECK(right <= width && bottom <= height);
    for (unsigned i = 0; i < l->planes; i++) {
        struct codec_plane *c = &l->plane[i];
        size_t across = l->packed ? 1 : h->h_most / h->component[i].h,
               down = l->packed ? 1 : h->v_most / h->component[i].v;
        size_t x = (size_t)p->x / across, y = (size_t)p->y / down;
        c->offset += y * c->pitch + x * l->channels;
        c->width = (unsigned)((right + across - 1) / across - x);
        c->height = (unsigned)((bottom + down - 1) / down - y);
    }
    return NVJPEG_STATUS_SUCCESS;
}

static nvjpegStatus_t host_reserve(struct slot *s, size_t bytes)
{
    if (s->host_size >= bytes)
        return NVJPEG_STATUS_SUCCESS;
    free(s->host);
    s->host = malloc(bytes);
    s->host_size = s->host ? bytes : 0;
    return s->host ? NVJPEG_STATUS_SUCCESS : NVJPEG_STATUS_ALLOCATOR_FAILURE;
}

// Before memory is given up or filled again, what it held has left it.
nvjpegStatus_t slot_prepare(struct slot *s, const struct slot_file *f, struct memory *pinned, size_t padding)
{
    s->phase = SLOT_EMPTY;
    if (s->moved && cudaEventSynchronize(s->moved))
        return NVJPEG_STATUS_EXECUTION_FAILED;
    nvjpegStatus_t status = codec_layout(&s->layout, &f->header, &f->options);
    s->format = f->options.format;
    if (!status)
        status =
            pinned ? jpeg_memory_reserve(pinned, s->layout.bytes, padding, NULL) : host_reserve(s, s->layout.bytes);
    s->samples = pinned ? pinned->at : s->host;
    return status;
}

nvjpegStatus_t slot_decode(struct slot *s, const struct slot_file *f)
{
    nvjpegStatus_t status = codec_decode(&f->file, &f->options, &s->layout, (unsigned char *)(uintptr_t)s->samples);
    if (!status)
        status = crop(&s->layout, &f->header, f->region);
    s->phase = status ? SLOT_EMPTY : SLOT_DECODED;
    return status;
}

// ---- to the device
nvjpegStatus_t slot_move(struct slot *s, struct memory *device, size_t padding, cudaStream_t stream)
{
    JPEG_CHECK(s->phase == SLOT_DECODED);
    nvjpegStatus_t status = jpeg_memory_reserve(device, s->layout.bytes, padding, stream);
    if (!status && !s->moved)
        status = jpeg_status(cudaEventCreateWithFlags(&s->moved, cudaEventDisableTiming));
    if (!status)
        status = jpeg_status(cudaMemcpyAsync(device->at, s->samples, s->layout.bytes, cudaMemcpyHostToDevice, stream));
    if (!status)
        status = jpeg_status(cudaEventRecord(s->moved, stream));
    s->device_samples = device->at;
    s->phase = status ? SLOT_EMPTY : SLOT_MOVED;
    return status;
}

// ---- to the program's image. A part writes some rows.
enum { BAND = 16 };
struct image_write {
    struct native_head head;
    const unsigned char *samples;
    struct codec_layout layout;
    nvjpegOutputFormat_t format;
    nvjpegImage_t image;
};

static const unsigned char *source_row(const struct image_write *w, unsigned plane, size_t y)
{
    const struct codec_plane *p = &w->layout.plane[plane];
    return w->samples + p->offset + y * p->pitch;
}

static unsigned char *image_row(const struct image_write *w, unsigned channel, size_t y)
{
    return w->image.channel[channel] + y * w->image.pitch[channel];
}

static void row_interleaved(const struct image_write *w, size_t y)
{
    memcpy(image_row(w, 0, y), source_row(w, 0, y), (size_t)w->layout.plane[0].width * w->layout.channels);
}

static void row_apart(const struct image_write *w, size_t y)
{
    const unsigned char *from = source_row(w, 0, y);
    for (unsigned c = 0; c < w->layout.channels; c++) {
        unsigned char *to = image_row(w, c, y);
        for (size_t x = 0; x < w->layout.plane[0].width; x++)
            to[x] = from[x * w->layout.channels + c];
    }
}

static void row_planes(const struct image_write *w, size_t y)
{
    for (unsigned i = 0; i < w->layout.planes; i++)
        if (y < w->layout.plane[i].height)
            memcpy(image_row(w, i, y), source_row(w, i, y), w->layout.plane[i].width);
}

static void row_nv12(const struct image_write *w, size_t y)
{
    memcpy(image_row(w, 0, y), source_row(w, 0, y), w->layout.plane[0].width);
    for (unsigned i = 1; i < 3 && y < w->layout.plane[i].height; i++)
        for (size_t x = 0; x < w->layout.plane[i].width; x++)
            image_row(w, 1, y)[2 * x + i - 1] = source_row(w, i, y)[x];
}

// The last pixel of an odd width stands for its neighbour too.
static void row_yuy2(const struct image_write *w, size_t y)
{
    const unsigned char *luma = source_row(w, 0, y);
    size_t last = w->layout.plane[0].width - 1;
    for (size_t x = 0; x < w->layout.plane[1].width; x++) {
        unsigned char *to = image_row(w, 0, y) + 4 * x;
        to[0] = luma[2 * x];
        to[1] = source_row(w, 1, y)[x];
        to[2] = luma[2 * x + 1 <= last ? 2 * x + 1 : last];
        to[3] = source_row(w, 2, y)[x];
    }
}

// How rows of a format are written, and the channels of the image that it needs; 0: one for each plane.
static const struct {
    void (*row)(const struct image_write *w, size_t y);
    unsigned channels;
} formats[NVJPEG_OUTPUT_FORMAT_MAX + 1] = {
    [NVJPEG_OUTPUT_UNCHANGED] = {row_planes, 0}, [NVJPEG_OUTPUT_YUV] = {row_planes, 0},
    [NVJPEG_OUTPUT_Y] = {row_interleaved, 1},    [NVJPEG_OUTPUT_RGB] = {row_apart, 3},
    [NVJPEG_OUTPUT_BGR] = {row_apart, 3},        [NVJPEG_OUTPUT_RGBI] = {row_interleaved, 1},
    [NVJPEG_OUTPUT_BGRI] = {row_interleaved, 1}, [NVJPEG_OUTPUT_NV12] = {row_nv12, 2},
    [NVJPEG_OUTPUT_YUY2] = {row_yuy2, 1},
};

static void write_run(const void *block, uint64_t part)
{
    const struct image_write *w = block;
    size_t end = (part + 1) * BAND, rows = w->layout.plane[0].height;
    for (size_t y = part * BAND; y < (end < rows ? end : rows); y++)
        formats[w->format].row(w, y);
}
static struct library_kernel write_kernel = LIBRARY_KERNEL("nvjpeg_write", write_run, struct image_write);

nvjpegStatus_t slot_write(struct slot *s, const nvjpegImage_t *image, cudaStream_t stream)
{
    JPEG_CHECK(image && s->phase == SLOT_MOVED);
    unsigned needed = formats[s->format].channels ? formats[s->format].channels : s->layout.planes;
    for (unsigned i = 0; i < needed; i++)
        JPEG_CHECK(image->channel[i]);
    struct image_write w = {.samples = s->device_samples, .layout = s->layout, .format = s->format, .image = *image};
    uint64_t parts = (s->layout.plane[0].height + BAND - 1) / BAND;
    return jpeg_status(library_launch(&write_kernel, stream, parts, (double)s->layout.plane[0].pitch * BAND, &w));
}

void slot_fini(struct slot *s)
{
    if (s->moved) {
        cudaEventSynchronize(s->moved);
        cudaEventDestroy(s->moved);
    }
    if (s->device.at)
        cudaDeviceSynchronize();
    jpeg_memory_free(&s->device);
    free(s->host);
    memset(s, 0, sizeof *s);
}
