// SPDX-License-Identifier: Apache-2.0
// What a program wants of decodings.
#include "nvjpeg/jpeg.h"

nvjpegStatus_t params_create(nvjpegHandle_t h, nvjpegDecodeParams_t *out)
{
    HAVE_HANDLE(h);
    HAVE(out);
    nvjpegDecodeParams_t p = object_new(KIND_PARAMS, sizeof *p);
    if (!p)
        return NVJPEG_STATUS_ALLOCATOR_FAILURE;
    p->wish = (struct codec_wish){.format = NVJPEG_OUTPUT_UNCHANGED, .scale = 1};
    p->width = p->height = -1;
    *out = p;
    return NVJPEG_STATUS_SUCCESS;
}

nvjpegStatus_t params_destroy(nvjpegDecodeParams_t p)
{
    HAVE(object_is(p, KIND_PARAMS));
    object_destroy(p);
    return NVJPEG_STATUS_SUCCESS;
}

nvjpegStatus_t params_format(nvjpegDecodeParams_t p, nvjpegOutputFormat_t format)
{
    HAVE(object_is(p, KIND_PARAMS) && (unsigned)format <= NVJPEG_OUTPUT_FORMAT_MAX);
    p->wish.format = format;
    return NVJPEG_STATUS_SUCCESS;
}

// Sizes of -1 take the region away.
nvjpegStatus_t params_region(nvjpegDecodeParams_t p, int x, int y, int width, int height)
{
    HAVE(object_is(p, KIND_PARAMS) && x >= 0 && y >= 0);
    HAVE((width == -1 && height == -1) || (width > 0 && height > 0));
    p->x = x;
    p->y = y;
    p->width = width;
    p->height = height;
    return NVJPEG_STATUS_SUCCESS;
}

nvjpegStatus_t params_cmyk(nvjpegDecodeParams_t p, int allow)
{
    HAVE(object_is(p, KIND_PARAMS));
    p->wish.cmyk = allow;
    return NVJPEG_STATUS_SUCCESS;
}

nvjpegStatus_t params_scale(nvjpegDecodeParams_t p, nvjpegScaleFactor_t scale)
{
    HAVE(object_is(p, KIND_PARAMS) && (unsigned)scale <= NVJPEG_SCALE_1_BY_8);
    p->wish.scale = 1u << scale;
    return NVJPEG_STATUS_SUCCESS;
}

// Pictures are not turned.
nvjpegStatus_t params_orientation(nvjpegDecodeParams_t p, nvjpegExifOrientation_t orientation)
{
    HAVE(object_is(p, KIND_PARAMS) && (unsigned)orientation <= NVJPEG_ORIENTATION_ROTATE_270);
    return orientation == NVJPEG_ORIENTATION_NORMAL ? NVJPEG_STATUS_SUCCESS
                                                    : NVJPEG_STATUS_IMPLEMENTATION_NOT_SUPPORTED;
}

// ---- 0: such a file can be decoded
nvjpegStatus_t decoder_supported(nvjpegJpegDecoder_t d, nvjpegJpegStream_t s, nvjpegDecodeParams_t p, int *supported)
{
    struct codec_wish all = {.format = NVJPEG_OUTPUT_UNCHANGED, .scale = 1};
    struct codec_layout layout;
    HAVE(object_is(d, KIND_DECODER) && object_is(s, KIND_BITSTREAM) && s->parsed && supported);
    HAVE(!p || object_is(p, KIND_PARAMS));
    *supported = codec_layout(&layout, &s->header, p ? &p->wish : &all) || !codec_found();
    return NVJPEG_STATUS_SUCCESS;
}

nvjpegStatus_t batch_supported(nvjpegHandle_t h, nvjpegJpegStream_t s, nvjpegDecodeParams_t p, int *supported)
{
    struct nvjpegJpegDecoder *d = NULL;
    nvjpegStatus_t status = decoder_create(h, NVJPEG_BACKEND_DEFAULT, &d);
    if (status)
        return status;
    status = decoder_supported(d, s, p, supported);
    decoder_destroy(d);
    return status;
}
