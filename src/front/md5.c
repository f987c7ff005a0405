// SPDX-License-Identifier: Apache-2.0
// See md5.h.
#include "front/md5.h"
#include <math.h>
#include <string.h>

static uint32_t rotate(uint32_t x, unsigned n)
{
    return x << n | x >> (32 - n);
}

static void block_add(uint32_t state[4], const unsigned char *bytes)
{
    static const unsigned char shifts[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
    uint32_t words[16], a = state[0], b = state[1], c = state[2], d = state[3];
    for (int i = 0; i < 16; i++)
        words[i] = (uint32_t)bytes[4 * i] | (uint32_t)bytes[4 * i + 1] << 8 | (uint32_t)bytes[4 * i + 2] << 16 |
                   (uint32_t)bytes[4 * i + 3] << 24;
    for (unsigned i = 0; i < 64; i++) {
        uint32_t f = i < 16 ? (b & c) | (~b & d) : i < 32 ? (d & b) | (~d & c) : i < 48 ? b ^ c ^ d : c ^ (b | ~d);
        unsigned k = i < 16 ? i : i < 32 ? 5 * i + 1 : i < 48 ? 3 * i + 5 : 7 * i;
        uint32_t constant = (uint32_t)floor(fabs(sin(i + 1)) * 4294967296.0);
        uint32_t next = b + rotate(a + f + words[k % 16] + constant, shifts[i / 16][i % 4]);
        a = d;
        d = c;
        c = b;
        b = next;
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
}

uint64_t md5_low(const char *text)
{
    uint32_t state[4] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
    size_t length = strlen(text), at = 0;
    unsigned char last[128] = {0};
    for (; length - at >= 64; at += 64)
        block_add(state, (const unsigned char *)text + at);
    size_t rest = length - at, size = rest < 56 ? 64 : 128;
    memcpy(last, text + at, rest);
    last[rest] = 0x80;
    for (int i = 0; i < 8; i++)
        last[size - 8 + (size_t)i] = (unsigned char)((uint64_t)length * 8 >> (8 * i));
    for (size_t i = 0; i < size; i += 64)
        block_add(state, last + i);
    return state[0] | (uint64_t)state[1] << 32;
}
