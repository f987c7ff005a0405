// SPDX-License-Identifier: Apache-2.0
// What a program wants of decodings.
#include "nvjpeg/jpeg.h"

nvjpegStatus_t params_create(nvjpegHandle_t h, nvjpegDecodeParams_t *out)
{
    JPEG_ENTER(h);
    JPEG_CHECK(out);
    nvjpegDecodeParams_t p = object_new(KIND_PARAMS, sizeof *p);
    if (!p)
        return NVJPEG_STATUS_ALLOCATOR_FAILURE;
    p->options = (struct codec_options){.format = NVJPEG_OUTPUT_UNCHANGED, .scale = 1};
    p->width = p->height = -1;
    *out = p;
    return NVJPEG_STATUS_SUCCESS;
}

nvjpegStatus_t params_destroy(nvjpegDecodeParams_t p)
{
    JPEG_CHECK(object_is(p, KIND_PARAMS));
    object_destroy(p);
    return NVJPEG_STATUS_SUCCESS;
}

nvjpegStatus_t params_format(nvjpegDecodeParams_t p, nvjpegOutputFormat_t format)
{
    JPEG_CHECK(object_is(p, KIND_PARAMS) && (unsigned)format <= NVJPEG_OUTPUT_FORMAT_MAX);
    p->options.format = format;
    return NVJPEG_STATUS_SUCCESS;
}

// Sizes of -1 take the region away.
nvjpegStatus_t params_region(nvjpegDecodeParams_t p, int x, int y, int width, int height)
{
    JPEG_CHECK(object_is(p, KIND_PARAMS) && x >= 0 && y >= 0);
    JPEG_CHECK((width == -1 && height == -1) || (width > 0 && height > 0));
    p->x = x;
    p->y = y;
    p->width = width;
    p->height = height;
    return NVJPEG_STATUS_SUCCESS;
}

nvjpegStatus_t params_cmyk(nvjpegDecodeParams_t p, int allow)
{
    JPEG_CHECK(object_is(p, KIND_PARAMS));
    p->options.cmyk = allow;
    return NVJPEG_STATUS_SUCCESS;
}

nvjpegStatus_t params_scale(nvjpegDecodeParams_t p, nvjpegScaleFactor_t scale)
{
    JPEG_CHECK(object_is(p, KIND_PARAMS) && (unsigned)scale <= NVJPEG_SCALE_1_BY_8);
    p->options.scale = 1u << scale;
    return NVJPEG_STATUS_SUCCESS;
}

// Pictures are not turned.
nvjpegStatus_t params_orientation(nvjpegDecodeParams_t p, nvjpegExifOrientation_t orientation)
{
    JPEG_CHECK(object_is(p, KIND_PARAMS) && (unsigned)orientation <= NVJPEG_ORIENTATION_ROTATE_270);
    return orientation == NVJPEG_ORIENTATION_NORMAL ? NVJPEG_STATUS_SUCCESS
                                                    : NVJPEG_STATUS_IMPLEMENTATION_NOT_SUPPORTED;
}

// ---- 0: such a file can be decoded
static nvjpegStatus_t file_supported(nvjpegJpegStream_t s, nvjpegDecodeParams_t p, int *supported)
{
    struct codec_options all = {.format = NVJPEG_OUTPUT_UNCHANGED, .scale = 1};
    struct codec_layout layout;
    JPEG_CHECK(object_is(s, KIND_BITSTREAM) && s->parsed && supported && (!p || object_is(p, KIND_PARAMS)));
    *supported = codec_layout(&layout, &s->header, p ? &p->options : &all) || !codec_found();
    return NVJPEG_STATUS_SUCCESS;
}

nvjpegStatus_t decoder_supported(nvjpegJpegDecoder_t d, nvjpegJpegStream_t s, nvjpegDecodeParams_t p, int *supported)
{
    JPEG_CHECK(object_is(d, KIND_DECODER));
    return file_supported(s, p, supported);
}

nvjpegStatus_t batch_supported(nvjpegHandle_t h, nvjpegJpegStream_t s, nvjpegDecodeParams_t p, int *supported)
{
    JPEG_ENTER(h);
    return file_supported(s, p, supported);
}
