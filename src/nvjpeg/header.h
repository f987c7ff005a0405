// SPDX-License-Identifier: Apache-2.0
// The head of a JPEG file: what its markers say up to the first scan.
#ifndef HEDDLE_NVJPEG_HEADER_H
#define HEDDLE_NVJPEG_HEADER_H
#include <nvjpeg.h>
#include <stdbool.h>

enum { JPEG_TABLES = 4, JPEG_TABLE_SIZE = 64, JPEG_BLOCK = 8 };

struct jpeg_component {
    unsigned h, v, table; // sampling factors, and the number of its quantisation table
};

struct jpeg_header {
    unsigned width, height, components, precision, h_most, v_most;
    nvjpegJpegEncoding_t encoding;
    struct jpeg_component component[NVJPEG_MAX_COMPONENT];
    nvjpegChromaSubsampling_t subsampling;
    nvjpegExifOrientation_t orientation;
    bool has_table[JPEG_TABLES];
    unsigned table[JPEG_TABLES][JPEG_TABLE_SIZE]; // by rows
};

// BAD_JPEG: the file is broken, or ends before its first scan. JPEG_NOT_SUPPORTED: more components than four, or a
// height that comes later. Every read is within the file.
nvjpegStatus_t jpeg_header_parse(struct jpeg_header *h, const unsigned char *data, size_t length);
unsigned jpeg_component_width(const struct jpeg_header *h, unsigned component);
unsigned jpeg_component_height(const struct jpeg_header *h, unsigned component);
// How many samples of the first component share one of the others, to the right and down. False: none of the known ones, or grey.
bool jpeg_subsampling_factors(nvjpegChromaSubsampling_t s, unsigned *h, unsigned *v);

// A segment before the first scan: its marker, and what follows its length. False: there are no more. *at is 0 first.
bool jpeg_segment_next(const unsigned char *data, size_t length, size_t *at, unsigned *marker,
                       const unsigned char **content, size_t *size);
#endif
