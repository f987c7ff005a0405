// SPDX-License-Identifier: Apache-2.0
// What a program wants of encodings.
#include "nvjpeg/jpeg.h"
#include <stdlib.h>
#include <string.h>

enum { QUALITY = 70, MOST_RESTART = 65535 }; // of a new object, as documented; what the file's format can say

nvjpegStatus_t settings_create(nvjpegHandle_t h, nvjpegEncoderParams_t *out)
{
    JPEG_ENTER(h);
    JPEG_CHECK(out);
    nvjpegEncoderParams_t p = object_new(KIND_SETTINGS, sizeof *p);
    if (!p)
        return NVJPEG_STATUS_ALLOCATOR_FAILURE;
    p->settings.quality = QUALITY;
    p->settings.subsampling = NVJPEG_CSS_444;
    *out = p;
    return NVJPEG_STATUS_SUCCESS;
}

nvjpegStatus_t settings_destroy(nvjpegEncoderParams_t p)
{
    JPEG_CHECK(object_is(p, KIND_SETTINGS));
    free(p->segments);
    object_destroy(p);
    return NVJPEG_STATUS_SUCCESS;
}

nvjpegStatus_t settings_quality(nvjpegEncoderParams_t p, int quality)
{
    JPEG_CHECK(object_is(p, KIND_SETTINGS) && quality >= 1 && quality <= 100);
    p->settings.quality = quality;
    return NVJPEG_STATUS_SUCCESS;
}

nvjpegStatus_t settings_encoding(nvjpegEncoderParams_t p, nvjpegJpegEncoding_t encoding)
{
    JPEG_CHECK(object_is(p, KIND_SETTINGS));
    JPEG_CHECK(encoding == NVJPEG_ENCODING_BASELINE_DCT || encoding == NVJPEG_ENCODING_PROGRESSIVE_DCT_HUFFMAN);
    p->settings.progressive = encoding == NVJPEG_ENCODING_PROGRESSIVE_DCT_HUFFMAN;
    return NVJPEG_STATUS_SUCCESS;
}

nvjpegStatus_t settings_optimized(nvjpegEncoderParams_t p, int optimized)
{
    JPEG_CHECK(object_is(p, KIND_SETTINGS));
    p->settings.optimized = optimized;
    return NVJPEG_STATUS_SUCCESS;
}

nvjpegStatus_t settings_sampling(nvjpegEncoderParams_t p, nvjpegChromaSubsampling_t subsampling)
{
    unsigned h, v;
    JPEG_CHECK(object_is(p, KIND_SETTINGS));
    JPEG_CHECK(subsampling == NVJPEG_CSS_GRAY || jpeg_subsampling_factors(subsampling, &h, &v));
    p->settings.subsampling = subsampling;
    return NVJPEG_STATUS_SUCCESS;
}

nvjpegStatus_t settings_restart(nvjpegEncoderParams_t p, unsigned interval)
{
    JPEG_CHECK(object_is(p, KIND_SETTINGS) && interval <= MOST_RESTART);
    p->settings.restart = (int)interval;
    return NVJPEG_STATUS_SUCCESS;
}

// ---- from another file
nvjpegStatus_t settings_metadata(nvjpegEncoderState_t s, nvjpegEncoderParams_t p, nvjpegJpegStream_t b)
{
    JPEG_CHECK(object_is(s, KIND_ENCODER) && object_is(p, KIND_SETTINGS) && object_is(b, KIND_BITSTREAM) && b->parsed);
    return bytes_copy(&p->segments, &p->segments_length, b->metadata, b->metadata_length)
               ? NVJPEG_STATUS_SUCCESS
               : NVJPEG_STATUS_ALLOCATOR_FAILURE;
}

nvjpegStatus_t settings_tables(nvjpegEncoderParams_t p, nvjpegJpegStream_t b)
{
    JPEG_CHECK(object_is(p, KIND_SETTINGS) && object_is(b, KIND_BITSTREAM) && b->parsed);
    const struct jpeg_header *h = &b->header;
    unsigned first = h->component[0].table, other = h->component[h->components > 1].table;
    if (!h->has_table[first] || !h->has_table[other])
        return NVJPEG_STATUS_BAD_JPEG;
    memcpy(p->settings.tables[0], h->table[first], sizeof p->settings.tables[0]);
    memcpy(p->settings.tables[1], h->table[other], sizeof p->settings.tables[1]);
    p->settings.has_tables = true;
    return NVJPEG_STATUS_SUCCESS;
}
