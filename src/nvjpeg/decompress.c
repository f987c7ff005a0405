// SPDX-License-Identifier: Apache-2.0
// A file becomes samples in memory: rows of pixels for colours, planes as they are stored for everything else.
#include "nvjpeg/codec.h"
#include <stdlib.h>
#include <string.h>

// ---- where samples go
static void layout_packed(struct codec_layout *l, unsigned channels, unsigned width, unsigned height)
{
    l->packed = true;
    l->channels = channels;
    l->planes = 1;
    l->plane[0] = (struct codec_plane){0, (size_t)width * channels, width, height};
    l->bytes = l->plane[0].pitch * height;
}

// Whole blocks of all components of the frame, since that is what the decoder writes.
static void layout_planes(struct codec_layout *l, const struct jpeg_header *h)
{
    unsigned across = (h->width + JPEG_BLOCK * h->h_most - 1) / (JPEG_BLOCK * h->h_most);
    unsigned down = (h->height + JPEG_BLOCK * h->v_most - 1) / (JPEG_BLOCK * h->v_most);
    l->channels = 1;
    l->planes = h->components;
    for (unsigned i = 0; i < h->components; i++) {
        size_t pitch = (size_t)across * h->component[i].h * JPEG_BLOCK;
        l->plane[i] = (struct codec_plane){l->bytes, pitch, jpeg_component_width(h, i), jpeg_component_height(h, i)};
        l->bytes += pitch * down * h->component[i].v * JPEG_BLOCK;
    }
}

static bool is_planar(nvjpegOutputFormat_t f)
{
    return f == NVJPEG_OUTPUT_UNCHANGED || f == NVJPEG_OUTPUT_YUV || f == NVJPEG_OUTPUT_NV12 || f == NVJPEG_OUTPUT_YUY2;
}

static nvjpegStatus_t format_check(const struct jpeg_header *h, const struct codec_options *w)
{
    bool four = h->components == 4, unchanged = w->format == NVJPEG_OUTPUT_UNCHANGED;
    if (w->format == NVJPEG_OUTPUT_UNCHANGEDI_U16 || (is_planar(w->format) && w->scale > 1))
        return NVJPEG_STATUS_IMPLEMENTATION_NOT_SUPPORTED;
    if ((unsigned)w->format > NVJPEG_OUTPUT_FORMAT_MAX)
        return NVJPEG_STATUS_INVALID_PARAMETER;
    bool fits = (h->components != 2 || unchanged) && (!four || unchanged || (!is_planar(w->format) && w->cmyk)) &&
                (w->format != NVJPEG_OUTPUT_NV12 || h->subsampling == NVJPEG_CSS_420) &&
                (w->format != NVJPEG_OUTPUT_YUY2 || h->subsampling == NVJPEG_CSS_422);
    return fits ? NVJPEG_STATUS_SUCCESS : NVJPEG_STATUS_JPEG_NOT_SUPPORTED;
}

nvjpegStatus_t codec_layout(struct codec_layout *l, const struct jpeg_header *h, const struct codec_options *w)
{
    memset(l, 0, sizeof *l);
    nvjpegStatus_t status = format_check(h, w);
    if (status)
        return status;
    bool known = h->encoding == NVJPEG_ENCODING_BASELINE_DCT ||
                 h->encoding == NVJPEG_ENCODING_PROGRESSIVE_DCT_HUFFMAN ||
                 h->encoding == NVJPEG_ENCODING_EXTENDED_SEQUENTIAL_DCT_HUFFMAN;
    if (!known || h->precision != 8)
        return NVJPEG_STATUS_JPEG_NOT_SUPPORTED;
    unsigned width = (h->width + w->scale - 1) / w->scale, height = (h->height + w->scale - 1) / w->scale;
    if (is_planar(w->format))
        layout_planes(l, h);
    else
        layout_packed(l, w->format == NVJPEG_OUTPUT_Y ? 1 : 3, width, height);
    return NVJPEG_STATUS_SUCCESS;
}

#ifdef HEDDLE_HAS_JPEG
#include "nvjpeg/libjpeg.h"

// One decoding, in memory that stays where it is when an error comes back.
struct work {
    struct jpeg_decompress_struct info;
    struct codec_errors errors;
    unsigned char *row; // of four components
};

static nvjpegStatus_t read_planes(struct work *k, const struct codec_layout *l, unsigned char *to)
{
    struct jpeg_decompress_struct *c = &k->info;
    JSAMPROW rows[NVJPEG_MAX_COMPONENT][4 * JPEG_BLOCK];
    JSAMPARRAY planes[NVJPEG_MAX_COMPONENT] = {rows[0], rows[1], rows[2], rows[3]};
    c->raw_data_out = TRUE;
    codec->jpeg_start_decompress(c);
    if ((unsigned)c->num_components != l->planes)
        return NVJPEG_STATUS_BAD_JPEG;
    for (unsigned band = 0; c->output_scanline < c->output_height; band++) {
        for (unsigned i = 0; i < l->planes; i++) {
            unsigned high = (unsigned)c->comp_info[i].v_samp_factor * JPEG_BLOCK;
            for (unsigned y = 0; y < high; y++)
                rows[i][y] = to + l->plane[i].offset + ((size_t)band * high + y) * l->plane[i].pitch;
        }
        if (!codec->jpeg_read_raw_data(c, planes, (unsigned)c->max_v_samp_factor * JPEG_BLOCK))
            return NVJPEG_STATUS_BAD_JPEG;
    }
    return NVJPEG_STATUS_SUCCESS;
}

// Ink to light: files with four components have them inverted, as Adobe does, or not.
static void row_from_cmyk(const unsigned char *from, unsigned char *to, unsigned width, bool inverted, bool blue_first)
{
    for (unsigned x = 0; x < width; x++, from += 4, to += 3) {
        unsigned flip = inverted ? 0 : 255, k = from[3] ^ flip;
        for (unsigned i = 0; i < 3; i++)
            to[blue_first ? 2 - i : i] = (unsigned char)(((from[i] ^ flip) * k + 127) / 255);
    }
}

static nvjpegStatus_t read_rows(struct work *k, const struct codec_options *w, const struct codec_layout *l,
                                unsigned char *to)
{
    struct jpeg_decompress_struct *c = &k->info;
    bool blue_first = w->format == NVJPEG_OUTPUT_BGR || w->format == NVJPEG_OUTPUT_BGRI, four = c->num_components == 4;
    c->out_color_space = four                           ? JCS_CMYK
                         : w->format == NVJPEG_OUTPUT_Y ? JCS_GRAYSCALE
                         : blue_first                   ? JCS_EXT_BGR
                                                        : JCS_RGB;
    c->scale_num = 1;
    c->scale_denom = w->scale;
    codec->jpeg_start_decompress(c);
    if (c->output_width != l->plane[0].width || c->output_height != l->plane[0].height ||
        (unsigned)c->output_components != (four ? 4 : l->channels) || (four && l->channels == 1))
        return NVJPEG_STATUS_JPEG_NOT_SUPPORTED;
    if (four && !(k->row = malloc((size_t)c->output_width * 4)))
        return NVJPEG_STATUS_ALLOCATOR_FAILURE;
    while (c->output_scanline < c->output_height) {
        unsigned char *d = to + c->output_scanline * l->plane[0].pitch;
        JSAMPROW row = four ? k->row : d;
        if (!codec->jpeg_read_scanlines(c, &row, 1))
            return NVJPEG_STATUS_BAD_JPEG;
        if (four)
            row_from_cmyk(k->row, d, c->output_width, c->saw_Adobe_marker, blue_first);
    }
    return NVJPEG_STATUS_SUCCESS;
}

static nvjpegStatus_t decode(struct work *k, const struct codec_file *f, const struct codec_options *w,
                             const struct codec_layout *l, unsigned char *to)
{
    struct jpeg_decompress_struct *c = &k->info;
    if (f->tables) {
        codec->jpeg_mem_src(c, f->tables, f->tables_length);
        codec->jpeg_read_header(c, FALSE);
    }
    codec->jpeg_mem_src(c, f->data, f->length);
    if (codec->jpeg_read_header(c, TRUE) != JPEG_HEADER_OK)
        return NVJPEG_STATUS_BAD_JPEG;
    c->dct_method = JDCT_ISLOW;
    c->do_fancy_upsampling = w->smooth;
    nvjpegStatus_t status = l->packed ? read_rows(k, w, l, to) : read_planes(k, l, to);
    if (!status)
        codec->jpeg_finish_decompress(c);
    return status;
}

nvjpegStatus_t codec_decode(const struct codec_file *f, const struct codec_options *w, const struct codec_layout *l,
                            unsigned char *to)
{
    if (!codec_found())
        return NVJPEG_STATUS_IMPLEMENTATION_NOT_SUPPORTED;
    struct work *k = calloc(1, sizeof *k);
    if (!k)
        return NVJPEG_STATUS_ALLOCATOR_FAILURE;
    nvjpegStatus_t status = NVJPEG_STATUS_BAD_JPEG;
    k->info.err = codec_errors_init(&k->errors, w->strict);
    if (!setjmp(k->errors.back)) {
        codec->jpeg_CreateDecompress(&k->info, JPEG_LIB_VERSION, sizeof k->info);
        status = decode(k, f, w, l, to);
    } else {
        status = NVJPEG_STATUS_BAD_JPEG;
    }
    codec->jpeg_destroy_decompress(&k->info);
    free(k->row);
    free(k);
    return status;
}
#else
nvjpegStatus_t codec_decode(const struct codec_file *f, const struct codec_options *w, const struct codec_layout *l,
                            unsigned char *to)
{
    (void)f, (void)w, (void)l, (void)to;
    codec_found();
    return NVJPEG_STATUS_IMPLEMENTATION_NOT_SUPPORTED;
}
#endif
