// SPDX-License-Identifier: Apache-2.0
// An image in memory becomes a file. Colours go to the encoder row by row; planes of YUV are first brought to the size of whole blocks in the
// subsampling of the file, a sample of chroma as the average of what was there for its pixels.
#include "nvjpeg/codec.h"
#include <stdlib.h>
#include <string.h>

#ifdef HEDDLE_HAS_JPEG
#include "nvjpeg/libjpeg.h"

struct work {
    struct jpeg_compress_struct info;
    struct codec_errors errors;
    unsigned char *row, *planes; // an interleaved row; all planes
    unsigned char *out;
    unsigned long length;
};

// ---- colours
static void write_colours(struct work *k, const struct codec_source *s)
{
    struct jpeg_compress_struct *c = &k->info;
    const nvjpegImage_t *image = &s->image;
    bool packed = s->format == NVJPEG_INPUT_RGBI || s->format == NVJPEG_INPUT_BGRI;
    while (c->next_scanline < c->image_height) {
        size_t y = c->next_scanline;
        JSAMPROW row = packed ? image->channel[0] + y * image->pitch[0] : k->row;
        for (unsigned i = 0; !packed && i < 3; i++)
            for (unsigned x = 0; x < s->width; x++)
                k->row[3 * (size_t)x + i] = image->channel[i][y * image->pitch[i] + x];
        codec->jpeg_write_scanlines(c, &row, 1);
    }
}

// ---- planes
// A plane of the program's: its samples stand for h x v pixels each, and are `step` bytes apart.
struct plane {
    const unsigned char *at;
    size_t pitch, step;
    unsigned h, v;
};

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

// The sample of the file for h x v pixels at (x, y): the average of the program's samples, at the edge the nearest ones.
static unsigned char average(const struct plane *p, const struct codec_source *s, unsigned x, unsigned y, unsigned h,
                             unsigned v)
{
    unsigned sum = 0;
    for (unsigned j = 0; j < v; j++)
        for (unsigned i = 0; i < h; i++) {
            unsigned px = least(x + i, s->width - 1) / p->h, py = least(y + j, s->height - 1) / p->v;
            sum += p->at[py * p->pitch + px * p->step];
        }
    return (unsigned char)((sum + h * v / 2) / (h * v));
}

// Row `row` of a component of the file, whose samples stand for h x v pixels. Where the program's do so too, they are copied.
static void row_fill(unsigned char *to, unsigned width, const struct plane *p, const struct codec_source *s,
                     unsigned row, unsigned h, unsigned v)
{
    if (p->h != h || p->v != v) {
        for (unsigned x = 0; x < width; x++)
            to[x] = average(p, s, x * h, row * v, h, v);
        return;
    }
    unsigned last = (s->width - 1) / h;
    const unsigned char *from = p->at + least(row, (s->height - 1) / v) * p->pitch;
    for (unsigned x = 0; x < width; x++)
        to[x] = from[least(x, last) * p->step];
}

static struct plane plane_of(const struct codec_source *s, unsigned i)
{
    unsigned h = 1, v = 1;
    if (i)
        jpeg_subsampling_factors(s->subsampling, &h, &v);
    if (i && s->format == NVJPEG_INPUT_NV12)
        return (struct plane){s->image.channel[1] + (i - 1), s->image.pitch[1], 2, 2, 2};
    return (struct plane){s->image.channel[i], s->image.pitch[i], 1, h, v};
}

static void write_planes(struct work *k, const struct codec_source *s, unsigned h_most, unsigned v_most)
{
    struct jpeg_compress_struct *c = &k->info;
    unsigned across = (s->width + JPEG_BLOCK * h_most - 1) / (JPEG_BLOCK * h_most);
    JSAMPROW rows[3][4 * JPEG_BLOCK];
    JSAMPARRAY list[3] = {rows[0], rows[1], rows[2]};
    for (unsigned top = 0; top < s->height; top += v_most * JPEG_BLOCK) {
        unsigned char *to = k->planes;
        for (unsigned i = 0; i < (unsigned)c->num_components; i++) {
            struct plane p = plane_of(s, i);
            bool grey = s->subsampling == NVJPEG_CSS_GRAY && i;
            unsigned h = h_most / (unsigned)c->comp_info[i].h_samp_factor;
            unsigned v = v_most / (unsigned)c->comp_info[i].v_samp_factor;
            unsigned width = across * (unsigned)c->comp_info[i].h_samp_factor * JPEG_BLOCK;
            unsigned high = (unsigned)c->comp_info[i].v_samp_factor * JPEG_BLOCK;
            for (unsigned y = 0; y < high; y++, to += width) {
                rows[i][y] = to;
                if (grey)
                    memset(to, 128, width);
                else
                    row_fill(to, width, &p, s, top / v + y, h, v);
            }
        }
        codec->jpeg_write_raw_data(c, list, v_most * JPEG_BLOCK);
    }
}

// ---- what is set
static void settings_apply(struct work *k, const struct codec_settings *set, bool planes, unsigned h, unsigned v)
{
    struct jpeg_compress_struct *c = &k->info;
    codec->jpeg_set_defaults(c);
    codec->jpeg_set_colorspace(c, set->subsampling == NVJPEG_CSS_GRAY ? JCS_GRAYSCALE : JCS_YCbCr);
    codec->jpeg_set_quality(c, set->quality, TRUE);
    for (int i = 0; set->has_tables && i < 2; i++)
        codec->jpeg_add_quant_table(c, i, set->tables[i], 100, TRUE);
    for (int i = 0; i < c->num_components; i++) {
        c->comp_info[i].h_samp_factor = i ? 1 : (int)h;
        c->comp_info[i].v_samp_factor = i ? 1 : (int)v;
    }
    c->dct_method = JDCT_ISLOW;
    c->optimize_coding = set->optimized;
    c->restart_interval = (unsigned)set->restart;
    c->raw_data_in = planes;
    if (set->progressive)
        codec->jpeg_simple_progression(c);
}

// Segments of applications and comments, but those that the encoder writes itself.
static void segments_copy(struct work *k, const struct codec_segments *s)
{
    enum { APP0 = 0xe0, APP14 = 0xee, APP15 = 0xef, COM = 0xfe, SOS = 0xda };
    size_t at = 0, size = 0;
    const unsigned char *content = NULL;
    unsigned marker = 0;
    while (s->data && jpeg_segment_next(s->data, s->length, &at, &marker, &content, &size) && marker != SOS) {
        bool kept = (marker > APP0 && marker <= APP15 && marker != APP14) || marker == COM ||
                    (marker == APP0 && (size < 5 || memcmp(content, "JFIF", 5) != 0));
        if (kept)
            codec->jpeg_write_marker(&k->info, (int)marker, content, (unsigned)size);
    }
}

static nvjpegStatus_t encode(struct work *k, const struct codec_source *s, const struct codec_settings *set,
                             const struct codec_segments *segments)
{
    struct jpeg_compress_struct *c = &k->info;
    bool planes = s->format == NVJPEG_INPUT_YUV || s->format == NVJPEG_INPUT_NV12;
    bool blue_first = s->format == NVJPEG_INPUT_BGR || s->format == NVJPEG_INPUT_BGRI;
    unsigned h = 1, v = 1;
    jpeg_subsampling_factors(set->subsampling, &h, &v);
    k->row = malloc(3 * (size_t)s->width);
    k->planes = planes ? malloc(((size_t)s->width + 4 * JPEG_BLOCK) * 3 * 4 * JPEG_BLOCK) : NULL;
    if (!k->row || (planes && !k->planes))
        return NVJPEG_STATUS_ALLOCATOR_FAILURE;
    codec->jpeg_mem_dest(c, &k->out, &k->length);
    c->image_width = s->width;
    c->image_height = s->height;
    c->input_components = 3;
    c->in_color_space = planes ? JCS_YCbCr : blue_first ? JCS_EXT_BGR : JCS_RGB;
    settings_apply(k, set, planes, h, v);
    codec->jpeg_start_compress(c, TRUE);
    segments_copy(k, segments);
    if (planes)
        write_planes(k, s, h, v);
    else
        write_colours(k, s);
    codec->jpeg_finish_compress(c);
    return NVJPEG_STATUS_SUCCESS;
}

nvjpegStatus_t codec_encode(const struct codec_source *s, const struct codec_settings *set,
                            const struct codec_segments *segments, unsigned char **out, size_t *length)
{
    if (!codec_found())
        return NVJPEG_STATUS_IMPLEMENTATION_NOT_SUPPORTED;
    struct work *k = calloc(1, sizeof *k);
    if (!k)
        return NVJPEG_STATUS_ALLOCATOR_FAILURE;
    nvjpegStatus_t status = NVJPEG_STATUS_INTERNAL_ERROR;
    k->info.err = codec_errors_init(&k->errors, false);
    if (!setjmp(k->errors.back)) {
        codec->jpeg_CreateCompress(&k->info, JPEG_LIB_VERSION, sizeof k->info);
        status = encode(k, s, set, segments);
    } else {
        status = NVJPEG_STATUS_INTERNAL_ERROR;
    }
    codec->jpeg_destroy_compress(&k->info);
    // After an error nobody knows whether the encoder has freed that memory already.
    *out = status ? NULL : k->out;
    *length = status ? 0 : k->length;
    free(k->row);
    free(k->planes);
    free(k);
    return status;
}
#else
nvjpegStatus_t codec_encode(const struct codec_source *s, const struct codec_settings *set,
                            const struct codec_segments *segments, unsigned char **out, size_t *length)
{
    (void)s, (void)set, (void)segments;
    *out = NULL;
    *length = 0;
    codec_found();
    return NVJPEG_STATUS_IMPLEMENTATION_NOT_SUPPORTED;
}
#endif
