// SPDX-License-Identifier: Apache-2.0
// A reader of DWARF's numbers and texts: whatever lies out of bounds is 0 or "" and makes the reader bad.
#ifndef HEDDLE_PTX_BYTES_H
#define HEDDLE_PTX_BYTES_H
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

struct bytes {
    const uint8_t *data;
    uint64_t p, end; // offsets in it
    bool bad;
};

// A number of so many bytes.
static inline uint64_t bytes_fixed(struct bytes *r, unsigned n)
{
    uint64_t v = 0;
    r->bad |= r->end - r->p < n;
    if (r->bad) {
        r->p = r->end;
        return 0;
    }
    for (unsigned i = 0; i < n; i++)
        v |= (uint64_t)r->data[r->p++] << 8 * i;
    return v;
}

// A number of any length, seven bits a byte: LEB128, without a sign and with one.
static inline uint64_t bytes_leb(struct bytes *r, bool sign)
{
    uint64_t v = 0;
    for (unsigned shift = 0; shift < 64;) {
        uint64_t b = bytes_fixed(r, 1);
        v |= (b & 0x7f) << shift;
        shift += 7;
        if (!(b & 0x80))
            return sign && shift < 64 && b & 0x40 ? v | ~0ull << shift : v;
    }
    r->bad = true;
    return 0;
}
static inline uint64_t bytes_uleb(struct bytes *r)
{
    return bytes_leb(r, false);
}

static inline const char *bytes_text(struct bytes *r)
{
    const uint8_t *s = r->data + r->p, *zero = r->p < r->end ? memchr(s, 0, r->end - r->p) : NULL;
    if (!zero) {
        r->bad = true;
        r->p = r->end;
        return "";
    }
    r->p += (uint64_t)(zero - s) + 1;
    return (const char *)s;
}
#endif
