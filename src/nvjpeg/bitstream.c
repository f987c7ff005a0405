// SPDX-License-Identifier: Apache-2.0
// Files that are parsed, and what they say of themselves.
#include "nvjpeg/jpeg.h"
#include <stdlib.h>
#include <string.h>

bool bytes_copy(unsigned char **copy, size_t *copy_length, const unsigned char *data, size_t length)
{
    unsigned char *c = data ? malloc(length ? length : 1) : NULL;
    if (data && !c)
        return false;
    if (data)
        memcpy(c, data, length);
    free(*copy);
    *copy = c;
    *copy_length = data ? length : 0;
    return true;
}

nvjpegStatus_t bitstream_info(nvjpegHandle_t h, const unsigned char *data, size_t length, int *components,
                              nvjpegChromaSubsampling_t *subsampling, int *widths, int *heights)
{
    struct jpeg_header head;
    JPEG_ENTER(h);
    JPEG_CHECK(data && components && subsampling && widths && heights);
    nvjpegStatus_t status = jpeg_header_parse(&head, data, length);
    if (status)
        return status;
    *components = (int)head.components;
    *subsampling = head.subsampling;
    for (unsigned i = 0; i < NVJPEG_MAX_COMPONENT; i++) {
        widths[i] = i < head.components ? (int)jpeg_component_width(&head, i) : 0;
        heights[i] = i < head.components ? (int)jpeg_component_height(&head, i) : 0;
    }
    return NVJPEG_STATUS_SUCCESS;
}

nvjpegStatus_t bitstream_create(nvjpegHandle_t h, nvjpegJpegStream_t *out)
{
    JPEG_ENTER(h);
    JPEG_CHECK(out);
    *out = object_new(KIND_BITSTREAM, sizeof **out);
    return *out ? NVJPEG_STATUS_SUCCESS : NVJPEG_STATUS_ALLOCATOR_FAILURE;
}

nvjpegStatus_t bitstream_destroy(nvjpegJpegStream_t s)
{
    JPEG_CHECK(object_is(s, KIND_BITSTREAM));
    free(s->copy);
    free(s->tables);
    free(s->metadata);
    object_destroy(s);
    return NVJPEG_STATUS_SUCCESS;
}

// What is kept for other files' metadata: all before the first scan. It is found by reading segments up to its end.
static size_t head_length(const unsigned char *data, size_t length)
{
    size_t at = 0, size = 0;
    const unsigned char *content = NULL;
    unsigned marker = 0;
    enum { SOS = 0xda };
    while (jpeg_segment_next(data, length, &at, &marker, &content, &size) && marker != SOS)
        ;
    return at;
}

nvjpegStatus_t bitstream_parse(nvjpegHandle_t h, const unsigned char *data, size_t length, int metadata, int whole,
                               nvjpegJpegStream_t s)
{
    JPEG_ENTER(h);
    JPEG_CHECK(data && object_is(s, KIND_BITSTREAM));
    s->parsed = false;
    nvjpegStatus_t status = jpeg_header_parse(&s->header, data, length);
    if (status)
        return status;
    size_t copied = 0;
    if (!bytes_copy(&s->copy, &copied, whole ? data : NULL, length) ||
        !bytes_copy(&s->metadata, &s->metadata_length, metadata ? data : NULL,
                    metadata ? head_length(data, length) : 0))
        return NVJPEG_STATUS_ALLOCATOR_FAILURE;
    s->data = whole ? s->copy : data;
    s->length = length;
    s->parsed = true;
    return NVJPEG_STATUS_SUCCESS;
}

nvjpegStatus_t bitstream_tables(nvjpegHandle_t h, const unsigned char *data, size_t length, nvjpegJpegStream_t s)
{
    JPEG_ENTER(h);
    JPEG_CHECK(object_is(s, KIND_BITSTREAM));
    return bytes_copy(&s->tables, &s->tables_length, data, length) ? NVJPEG_STATUS_SUCCESS
                                                                   : NVJPEG_STATUS_ALLOCATOR_FAILURE;
}

// ---- what a file says
#define JPEG_CHECK_PARSED(s) JPEG_CHECK(object_is(s, KIND_BITSTREAM) && (s)->parsed)

nvjpegStatus_t bitstream_encoding(nvjpegJpegStream_t s, nvjpegJpegEncoding_t *encoding)
{
    JPEG_CHECK_PARSED(s);
    JPEG_CHECK(encoding);
    *encoding = s->header.encoding;
    return NVJPEG_STATUS_SUCCESS;
}

nvjpegStatus_t bitstream_frame(nvjpegJpegStream_t s, unsigned *width, unsigned *height)
{
    JPEG_CHECK_PARSED(s);
    JPEG_CHECK(width && height);
    *width = s->header.width;
    *height = s->header.height;
    return NVJPEG_STATUS_SUCCESS;
}

nvjpegStatus_t bitstream_components(nvjpegJpegStream_t s, unsigned *components)
{
    JPEG_CHECK_PARSED(s);
    JPEG_CHECK(components);
    *components = s->header.components;
    return NVJPEG_STATUS_SUCCESS;
}

nvjpegStatus_t bitstream_component(nvjpegJpegStream_t s, unsigned i, unsigned *width, unsigned *height)
{
    JPEG_CHECK_PARSED(s);
    JPEG_CHECK(width && height && i < s->header.components);
    *width = jpeg_component_width(&s->header, i);
    *height = jpeg_component_height(&s->header, i);
    return NVJPEG_STATUS_SUCCESS;
}

nvjpegStatus_t bitstream_orientation(nvjpegJpegStream_t s, nvjpegExifOrientation_t *orientation)
{
    JPEG_CHECK_PARSED(s);
    JPEG_CHECK(orientation);
    *orientation = s->header.orientation;
    return NVJPEG_STATUS_SUCCESS;
}

nvjpegStatus_t bitstream_precision(nvjpegJpegStream_t s, unsigned *precision)
{
    JPEG_CHECK_PARSED(s);
    JPEG_CHECK(precision);
    *precision = s->header.precision;
    return NVJPEG_STATUS_SUCCESS;
}

nvjpegStatus_t bitstream_subsampling(nvjpegJpegStream_t s, nvjpegChromaSubsampling_t *subsampling)
{
    JPEG_CHECK_PARSED(s);
    JPEG_CHECK(subsampling);
    *subsampling = s->header.subsampling;
    return NVJPEG_STATUS_SUCCESS;
}
