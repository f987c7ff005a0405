// SPDX-License-Identifier: Apache-2.0
// See hash.h: multiply-and-fold over 8-byte words.
#include "base/hash.h"
#include <stdio.h>
#include <string.h>

static uint64_t fold(uint64_t a, uint64_t b)
{
    unsigned __int128 p = (unsigned __int128)a * b;
    return (uint64_t)p ^ (uint64_t)(p >> 64);
}

uint64_t hash_bytes(const void *data, size_t size, uint64_t seed)
{
    const unsigned char *p = data;
    uint64_t h = seed ^ fold(size ^ 0x9E3779B97F4A7C15ull, 0xD6E8FEB86659FD93ull);
    for (; size >= 8; p += 8, size -= 8) {
        uint64_t w;
        memcpy(&w, p, 8);
        h = fold(h ^ w, 0xA0761D6478BD642Full) + 0xE7037ED1A0B428DBull;
    }
    uint64_t w = 0;
    if (size)
        memcpy(&w, p, size);
    h = fold(h ^ w, 0x8EBC6AF09C88C6E3ull);
    return fold(h ^ (h >> 32), 0x589965CC75374CC3ull);
}

uint64_t hash_text(const char *s)
{
    return hash_bytes(s, strlen(s), 0);
}

void hash128_init(struct hash128 *h)
{
    h->lo = 0x243F6A8885A308D3ull;
    h->hi = 0x13198A2E03707344ull;
}

// hash_bytes() for two seeds at once: each is a chain of multiplications, and the processor has room for both.
static void hash_pair(const void *data, size_t size, uint64_t *first, uint64_t *second)
{
    const unsigned char *p = data;
    uint64_t start = fold(size ^ 0x9E3779B97F4A7C15ull, 0xD6E8FEB86659FD93ull), a = *first ^ start, b = *second ^ start,
             w = 0;
    for (; size >= 8; p += 8, size -= 8) {
        memcpy(&w, p, 8);
        a = fold(a ^ w, 0xA0761D6478BD642Full) + 0xE7037ED1A0B428DBull;
        b = fold(b ^ w, 0xA0761D6478BD642Full) + 0xE7037ED1A0B428DBull;
    }
    w = 0;
    if (size)
        memcpy(&w, p, size);
    a = fold(a ^ w, 0x8EBC6AF09C88C6E3ull);
    b = fold(b ^ w, 0x8EBC6AF09C88C6E3ull);
    *first = fold(a ^ (a >> 32), 0x589965CC75374CC3ull);
    *second = fold(b ^ (b >> 32), 0x589965CC75374CC3ull);
}

void hash128_add(struct hash128 *h, const void *data, size_t size)
{
    uint64_t lo = h->lo, hi = ~h->hi;
    hash_pair(data, size, &lo, &hi);
    h->lo = lo ^ (h->hi * 3);
    h->hi = hi + (lo << 1);
}

void hash128_add_text(struct hash128 *h, const char *s)
{
    hash128_add(h, s, strlen(s) + 1);
}

void hash128_hex(const struct hash128 *h, char out[33])
{
    snprintf(out, 33, "%016llx%016llx", (unsigned long long)h->hi, (unsigned long long)h->lo);
}
