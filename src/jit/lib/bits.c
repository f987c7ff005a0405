// SPDX-License-Identifier: Apache-2.0
// Bit manipulation: prmt, fns, and the copy with zero fill of cp.async.
#include "lib.h"

// The byte of [b:a] that a nibble names; its fourth bit asks for eight copies of the byte's sign.
INLINE(uint32_t) pick(uint64_t ba, uint32_t nibble)
{
    uint32_t byte = (uint32_t)(ba >> ((nibble & 7) * 8)) & 0xff;
    uint32_t sign = byte & 0x80 ? 0xff : 0;
    return nibble & 8 ? sign : byte;
}

INLINE(uint32_t) permute(uint32_t a, uint32_t b, uint32_t selector)
{
    uint64_t ba = (uint64_t)b << 32 | a;
    return pick(ba, selector) | pick(ba, selector >> 4) << 8 | pick(ba, selector >> 8) << 16 |
           pick(ba, selector >> 12) << 24;
}

// Byte i of the result is the larger or smaller of i and k.
INLINE(uint32_t) edge(uint32_t k, bool larger)
{
    uint32_t s = 0;
    for (uint32_t i = 0; i < 4; i++)
        s |= ((i > k) == larger ? i : k) << (4 * i);
    return s;
}

// A form of prmt: which bytes it picks, of c and of its low bits k.
#define PRMT(name, selector)                                                                                           \
    FN(uint32_t) name(uint32_t a, uint32_t b, uint32_t c)                                                              \
    {                                                                                                                  \
        uint32_t k = c & 3;                                                                                            \
        (void)k;                                                                                                       \
        return permute(a, b, selector);                                                                                \
    }
PRMT(heddle_prmt, c)
PRMT(heddle_prmt_f4e, (0x3210 + 0x1111 * k) & 0x7777) // four bytes forward from c, modulo 8
PRMT(heddle_prmt_b4e, k | ((k + 7) & 7) << 4 | ((k + 6) & 7) << 8 | ((k + 5) & 7) << 12) // and backward
PRMT(heddle_prmt_rc8, 0x1111 * k)                                                        // one byte four times
PRMT(heddle_prmt_rc16, k & 1 ? 0x3232 : 0x1010)                                          // one half twice
PRMT(heddle_prmt_ecl, edge(k, true))                                                     // the edge repeated
PRMT(heddle_prmt_ecr, edge(k, false))

// The n-th set bit counted from base: n > 0 upwards with base the first, n < 0 downwards, n == 0 base itself if set.
FN(uint32_t) heddle_fns(uint32_t mask, uint32_t base, uint32_t n)
{
    int32_t offset = (int32_t)n, inc = offset > 0 ? 1 : -1;
    int32_t pos = (int32_t)base, count = 0, goal = offset < 0 ? -offset : offset;
    uint32_t found = 0xffffffff;
    if (!goal)
        return base < 32 && mask >> base & 1 ? base : 0xffffffff;
    for (int32_t i = 0; i < 32; i++) {
        bool set = pos >= 0 && pos < 32 && (mask >> (pos & 31) & 1);
        count += set ? 1 : 0;
        found = set && count == goal && found == 0xffffffff ? (uint32_t)pos : found;
        pos += inc;
    }
    return found;
}

FN(void) heddle_copy_fill(char *to, const char *from, uint32_t size, uint32_t used)
{
    for (uint32_t i = 0; i < size; i++)
        to[i] = i < used ? from[i] : 0;
}

// Sizes and addresses of bulk copies are multiples of 16.
FN(void) heddle_copy_words(uint64_t *to, const uint64_t *from, uint32_t size)
{
    for (uint32_t i = 0; i < size / 8; i++)
        to[i] = from[i];
}
