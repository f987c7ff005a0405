// SPDX-License-Identifier: Apache-2.0
// The head of a JPEG file (ITU-T T.81, annex B).
#include "nvjpeg/header.h"
#include <string.h>

enum {
    SOI = 0xd8,
    EOI = 0xd9,
    SOS = 0xda,
    DQT = 0xdb,
    APP1 = 0xe1,
    SOF0 = 0xc0,
    SOF15 = 0xcf,
    DHT = 0xc4,
    JPG = 0xc8,
    DAC = 0xcc,
    TEM = 0x01,
    RST0 = 0xd0,
    RST7 = 0xd7
};

static unsigned big(const unsigned char *p)
{
    return (unsigned)p[0] << 8 | p[1];
}

bool jpeg_segment_next(const unsigned char *data, size_t length, size_t *at, unsigned *marker,
                       const unsigned char **content, size_t *size)
{
    size_t i = *at;
    if (!i) {
        if (length < 4 || data[0] != 0xff || data[1] != SOI)
            return false;
        i = 2;
    }
    for (;;) {
        while (i < length && data[i] != 0xff) // bytes that belong to nothing
            i++;
        while (i < length && data[i] == 0xff)
            i++;
        if (i >= length)
            return false;
        *marker = data[i++];
        if (*marker && *marker != TEM && !(*marker >= RST0 && *marker <= RST7))
            break;
    }
    if (*marker == EOI || length - i < 2 || big(data + i) < 2 || big(data + i) > length - i)
        return false;
    *content = data + i + 2;
    *size = big(data + i) - 2;
    *at = i + *size + 2;
    return true;
}

// ---- segments
static nvjpegStatus_t frame(struct jpeg_header *h, unsigned marker, const unsigned char *p, size_t size)
{
    if (h->components || size < 6 || size < 6 + 3 * (size_t)p[5] || !p[5])
        return NVJPEG_STATUS_BAD_JPEG;
    h->encoding = marker <= NVJPEG_ENCODING_LOSSLESS_HUFFMAN ? (nvjpegJpegEncoding_t)marker : NVJPEG_ENCODING_UNKNOWN;
    h->precision = p[0];
    h->height = big(p + 1);
    h->width = big(p + 3);
    if (!h->width)
        return NVJPEG_STATUS_BAD_JPEG;
    if (!h->height || p[5] > NVJPEG_MAX_COMPONENT)
        return NVJPEG_STATUS_JPEG_NOT_SUPPORTED;
    h->components = p[5];
    for (unsigned i = 0; i < h->components; i++) {
        const unsigned char *c = p + 6 + 3 * (size_t)i;
        struct jpeg_component *to = &h->component[i];
        *to = (struct jpeg_component){c[1] >> 4, c[1] & 15, c[2]};
        if (!to->h || to->h > 4 || !to->v || to->v > 4 || to->table >= JPEG_TABLES)
            return NVJPEG_STATUS_BAD_JPEG;
        h->h_most = to->h > h->h_most ? to->h : h->h_most;
        h->v_most = to->v > h->v_most ? to->v : h->v_most;
    }
    return NVJPEG_STATUS_SUCCESS;
}

// Tables are stored in the order of the zigzag.
static void tables(struct jpeg_header *h, const unsigned char *p, size_t size)
{
    static const unsigned char rows[JPEG_TABLE_SIZE] = {0,  1,  8,  16, 9,  2,  3,  10, 17, 24, 32, 25, 18, 11, 4,  5,
                                                        12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6,  7,  14, 21, 28,
                                                        35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51,
                                                        58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63};
    while (size) {
        unsigned wide = p[0] >> 4 ? 2 : 1, number = p[0] & 15;
        if (number >= JPEG_TABLES || size < 1 + (size_t)JPEG_TABLE_SIZE * wide)
            return;
        for (size_t i = 0; i < JPEG_TABLE_SIZE; i++)
            h->table[number][rows[i]] = wide == 2 ? big(p + 1 + 2 * i) : p[1 + i];
        h->has_table[number] = true;
        p += 1 + (size_t)JPEG_TABLE_SIZE * wide;
        size -= 1 + (size_t)JPEG_TABLE_SIZE * wide;
    }
}

// The entry of the first directory of Exif's that tells how the camera was held.
static nvjpegExifOrientation_t orientation(const unsigned char *p, size_t size)
{
    enum { TAG = 0x0112, HEAD = 6, ENTRY = 12 };
    if (size < HEAD + 8 || memcmp(p, "Exif\0\0", HEAD) != 0)
        return NVJPEG_ORIENTATION_UNKNOWN;
    const unsigned char *t = p + HEAD;
    size -= HEAD;
    bool little = t[0] == 'I';
#define WORD(at) (little ? (size_t)t[(at) + 1] << 8 | t[at] : (size_t)t[at] << 8 | t[(at) + 1])
    size_t at = little ? WORD(6) << 16 | WORD(4) : WORD(4) << 16 | WORD(6);
    if (at > size || size - at < 2)
        return NVJPEG_ORIENTATION_UNKNOWN;
    size_t entries = WORD(at);
    at += 2;
    for (size_t i = 0; i < entries && size - at >= ENTRY; i++, at += ENTRY)
        if (WORD(at) == TAG && WORD(at + 8) <= NVJPEG_ORIENTATION_ROTATE_270)
            return (nvjpegExifOrientation_t)WORD(at + 8);
#undef WORD
    return NVJPEG_ORIENTATION_UNKNOWN;
}

// ---- subsampling
static const struct {
    nvjpegChromaSubsampling_t name;
    unsigned h, v;
} subsamplings[] = {
    {NVJPEG_CSS_444, 1, 1}, {NVJPEG_CSS_422, 2, 1}, {NVJPEG_CSS_420, 2, 2},  {NVJPEG_CSS_440, 1, 2},
    {NVJPEG_CSS_411, 4, 1}, {NVJPEG_CSS_410, 4, 2}, {NVJPEG_CSS_410V, 2, 4},
};
enum { SUBSAMPLINGS = sizeof subsamplings / sizeof *subsamplings };

bool jpeg_subsampling_factors(nvjpegChromaSubsampling_t s, unsigned *h, unsigned *v)
{
    for (size_t i = 0; i < SUBSAMPLINGS; i++)
        if (subsamplings[i].name == s) {
            *h = subsamplings[i].h;
            *v = subsamplings[i].v;
            return true;
        }
    return false;
}

static nvjpegChromaSubsampling_t subsampling_of(const struct jpeg_header *h)
{
    const struct jpeg_component *c = h->component;
    if (h->components == 1)
        return NVJPEG_CSS_GRAY;
    if (h->components != 3 || c[1].h != c[2].h || c[1].v != c[2].v)
        return NVJPEG_CSS_UNKNOWN;
    for (size_t i = 0; i < SUBSAMPLINGS; i++)
        if (c[0].h == c[1].h * subsamplings[i].h && c[0].v == c[1].v * subsamplings[i].v)
            return subsamplings[i].name;
    return NVJPEG_CSS_UNKNOWN;
}

unsigned jpeg_component_width(const struct jpeg_header *h, unsigned i)
{
    return (h->width * h->component[i].h + h->h_most - 1) / h->h_most;
}

unsigned jpeg_component_height(const struct jpeg_header *h, unsigned i)
{
    return (h->height * h->component[i].v + h->v_most - 1) / h->v_most;
}

nvjpegStatus_t jpeg_header_parse(struct jpeg_header *h, const unsigned char *data, size_t length)
{
    size_t at = 0, size = 0;
    const unsigned char *content = NULL;
    unsigned marker = 0;
    memset(h, 0, sizeof *h);
    while (jpeg_segment_next(data, length, &at, &marker, &content, &size)) {
        nvjpegStatus_t status = NVJPEG_STATUS_SUCCESS;
        if (marker == SOS) {
            h->subsampling = subsampling_of(h);
            return h->components ? NVJPEG_STATUS_SUCCESS : NVJPEG_STATUS_BAD_JPEG;
        }
        if (marker >= SOF0 && marker <= SOF15 && marker != DHT && marker != JPG && marker != DAC)
            status = frame(h, marker, content, size);
        else if (marker == DQT)
            tables(h, content, size);
        else if (marker == APP1 && !h->orientation)
            h->orientation = orientation(content, size);
        if (status)
            return status;
    }
    return NVJPEG_STATUS_BAD_JPEG;
}
