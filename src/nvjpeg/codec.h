// SPDX-License-Identifier: Apache-2.0
// The codec: libjpeg-turbo, which is loaded when it is first needed. Its functions run on the thread that calls, and touch no device.
#ifndef HEDDLE_NVJPEG_CODEC_H
#define HEDDLE_NVJPEG_CODEC_H
#include "nvjpeg/header.h"

// Whether there is one; where not, a message on stderr says once what lacks, and everything below answers
// IMPLEMENTATION_NOT_SUPPORTED.
bool codec_found(void);

// ---- decoding
// Where samples lie in the memory that a picture is decoded to. A packed picture has one plane whose elements are `channels` bytes.
struct codec_plane {
    size_t offset, pitch;
    unsigned width, height;
};
struct codec_layout {
    bool packed;
    unsigned channels, planes;
    struct codec_plane plane[NVJPEG_MAX_COMPONENT];
    size_t bytes;
};
// What is wanted of a file.
struct codec_options {
    nvjpegOutputFormat_t format;
    unsigned scale; // 1, 2, 4 or 8: so many times smaller
    bool smooth;    // chroma is interpolated
    bool strict;    // any fault of the file is an error
    bool cmyk;      // four components may become three
};
// JPEG_NOT_SUPPORTED: not of this file. IMPLEMENTATION_NOT_SUPPORTED: of none.
nvjpegStatus_t codec_layout(struct codec_layout *l, const struct jpeg_header *h, const struct codec_options *w);

struct codec_file {
    const unsigned char *data, *tables; // tables: a file of tables that comes first, or NULL
    size_t length, tables_length;
};
// Fills l->bytes bytes at `to`.
nvjpegStatus_t codec_decode(const struct codec_file *f, const struct codec_options *w, const struct codec_layout *l,
                            unsigned char *to);

// ---- encoding
struct codec_settings {
    int quality, restart;
    bool progressive, optimized;
    nvjpegChromaSubsampling_t subsampling;
    bool has_tables;
    unsigned tables[2][JPEG_TABLE_SIZE]; // of the first component and of the others
};
struct codec_segments {
    const unsigned char *data; // a file whose segments of applications and comments are copied; NULL: none
    size_t length;
};
struct codec_source {
    nvjpegInputFormat_t format;
    nvjpegChromaSubsampling_t subsampling; // of YUV
    unsigned width, height;
    nvjpegImage_t image;
};
// *out is to be freed with free().
nvjpegStatus_t codec_encode(const struct codec_source *s, const struct codec_settings *set,
                            const struct codec_segments *segments, unsigned char **out, size_t *length);
#endif
