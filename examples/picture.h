// SPDX-License-Identifier: Apache-2.0
// picture_write(NAME, RGB, W, H): a PNG file of 8-bit colours, without any library. Pictures of up to 256 colours have a palette of these, others
// one of 252 with a dither. The data is compressed by matches of a hash table and the fixed Huffman codes of deflate.
#ifndef PICTURE_H
#define PICTURE_H
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct picture_bits {
    uint8_t *data;
    size_t size;
    uint64_t hold;
    int count;
};
static inline void picture_put(struct picture_bits *b, uint32_t value, int bits)
{
    b->hold |= (uint64_t)value << b->count;
    for (b->count += bits; b->count >= 8; b->count -= 8, b->hold >>= 8)
        b->data[b->size++] = (uint8_t)b->hold;
}
// Huffman codes go in with their highest bit first.
static inline void picture_code(struct picture_bits *b, uint32_t code, int bits)
{
    while (bits--)
        picture_put(b, code >> bits & 1, 1);
}
static inline void picture_symbol(struct picture_bits *b, uint32_t s)
{
    if (s < 144)
        picture_code(b, 0x30 + s, 8);
    else if (s < 256)
        picture_code(b, 0x190 + s - 144, 9);
    else if (s < 280)
        picture_code(b, s - 256, 7);
    else
        picture_code(b, 0xc0 + s - 280, 8);
}
// A length of 3 to 257 and a distance of 1 to 32768: a symbol and some bits behind it, by powers of two.
static inline void picture_match(struct picture_bits *b, uint32_t length, uint32_t distance)
{
    uint32_t extra = 0, rest = length - 3, base = distance - 1;
    while (rest >> extra >= 8)
        extra++;
    picture_symbol(b, 257 + (extra ? 4 * extra + (rest >> extra) : rest));
    picture_put(b, rest & ((1u << extra) - 1), (int)extra);
    for (extra = 0; base >> extra >= 4;)
        extra++;
    picture_code(b, extra ? 2 * extra + (base >> extra) : base, 5);
    picture_put(b, base & ((1u << extra) - 1), (int)extra);
}
static inline size_t picture_deflate(const uint8_t *in, size_t n, uint8_t *out)
{
    struct picture_bits b = {out, 2, 0, 0};
    static size_t last[1 << 14]; // where three bytes of this hash stood last, plus one
    uint32_t s1 = 1, s2 = 0;
    memset(last, 0, sizeof last);
    out[0] = 0x78, out[1] = 1;
    picture_put(&b, 3, 3); // one block, with fixed codes
    for (size_t i = 0; i < n;) {
        size_t length = 0, from = 0;
        if (i + 3 <= n) {
            uint32_t h = ((uint32_t)(in[i] << 16 | in[i + 1] << 8 | in[i + 2]) * 2654435761u) >> 18;
            from = last[h];
            last[h] = i + 1;
            if (from && i + 1 - from <= 32768)
                while (length < 257 && i + length < n && in[from - 1 + length] == in[i + length])
                    length++;
        }
        if (length >= 3)
            picture_match(&b, (uint32_t)length, (uint32_t)(i + 1 - from));
        else
            picture_symbol(&b, in[i]), length = 1;
        i += length;
    }
    picture_symbol(&b, 256);
    picture_put(&b, 0, 7);
    for (size_t i = 0; i < n; i++)
        s1 = (s1 + in[i]) % 65521, s2 = (s2 + s1) % 65521;
    const uint8_t sum[4] = {(uint8_t)(s2 >> 8), (uint8_t)s2, (uint8_t)(s1 >> 8), (uint8_t)s1};
    memcpy(out + b.size, sum, 4);
    return b.size + 4;
}
static inline void picture_number(FILE *f, uint32_t v)
{
    for (int i = 24; i >= 0; i -= 8)
        fputc((int)(v >> i & 255), f);
}
static inline uint32_t picture_crc(uint32_t crc, const uint8_t *p, size_t n)
{
    while (n--) {
        crc ^= *p++;
        for (int k = 0; k < 8; k++)
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
    }
    return crc;
}
static inline void picture_chunk(FILE *f, const char *kind, const uint8_t *data, size_t n)
{
    picture_number(f, (uint32_t)n);
    fwrite(kind, 1, 4, f);
    fwrite(data, 1, n, f);
    picture_number(f, ~picture_crc(picture_crc(~0u, (const uint8_t *)kind, 4), data, n));
}
// The colour's number in the palette; 256: it is full.
static inline int picture_colour(uint8_t *palette, int *count, const uint8_t *c)
{
    for (int i = *count; i--;)
        if (!memcmp(palette + 3 * i, c, 3))
            return i;
    if (*count == 256)
        return 256;
    memcpy(palette + 3 * *count, c, 3);
    return (*count)++;
}
static inline int picture_dithered(const uint8_t *c, int x, int y)
{
    static const uint8_t bayer[16] = {0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5};
    int d = bayer[(y & 3) * 4 + (x & 3)], r = (c[0] * 5 * 16 + d * 255) / (255 * 16),
        g = (c[1] * 6 * 16 + d * 255) / (255 * 16), b = (c[2] * 5 * 16 + d * 255) / (255 * 16);
    return (r * 7 + g) * 6 + b;
}
// rgb: H rows of W times three bytes. 0, or 1 with a message on stderr.
static inline int picture_write(const char *name, const uint8_t *rgb, int w, int h)
{
    size_t n = (size_t)h * (size_t)(w + 1);
    uint8_t *raw = (uint8_t *)malloc(n), *packed = (uint8_t *)malloc(n * 2 + 64), palette[768] = {0};
    int colours = 0, full = 0;
    for (int i = 0; i < w * h && !full; i++) {
        int c = picture_colour(palette, &colours, rgb + 3 * i);
        full = c == 256;
        raw[(size_t)(i / w) * (size_t)(w + 1) + 1 + (size_t)(i % w)] = (uint8_t)c;
    }
    for (int i = 0; i < w * h && full; i++)
        raw[(size_t)(i / w) * (size_t)(w + 1) + 1 + (size_t)(i % w)] =
            (uint8_t)picture_dithered(rgb + 3 * i, i % w, i / w);
    for (int i = 0; i < 252 && full; i++) {
        const uint8_t c[3] = {(uint8_t)(i / 42 * 51), (uint8_t)(i / 6 % 7 * 255 / 6), (uint8_t)(i % 6 * 51)};
        memcpy(palette + 3 * i, c, 3);
    }
    for (int y = 0; y < h; y++)
        raw[(size_t)y * (size_t)(w + 1)] = 0;
    FILE *f = fopen(name, "wb");
    if (f) {
        const uint8_t head[13] = {(uint8_t)(w >> 24),
                                  (uint8_t)(w >> 16),
                                  (uint8_t)(w >> 8),
                                  (uint8_t)w,
                                  (uint8_t)(h >> 24),
                                  (uint8_t)(h >> 16),
                                  (uint8_t)(h >> 8),
                                  (uint8_t)h,
                                  8,
                                  3,
                                  0,
                                  0,
                                  0};
        fwrite("\x89PNG\r\n\x1a\n", 1, 8, f);
        picture_chunk(f, "IHDR", head, sizeof head);
        picture_chunk(f, "PLTE", palette, (size_t)(full ? 252 : colours) * 3);
        picture_chunk(f, "IDAT", packed, picture_deflate(raw, n, packed));
        picture_chunk(f, "IEND", packed, 0);
    }
    int bad = !f || ferror(f) || fclose(f);
    if (bad)
        fprintf(stderr, "%s cannot be written\n", name);
    free(raw);
    free(packed);
    return bad;
}
#endif
