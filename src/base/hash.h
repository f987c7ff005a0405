// SPDX-License-Identifier: Apache-2.0
// A 128-bit hash for cache keys and checksums, and a 64-bit one for tables. Not for security.
#ifndef HEDDLE_BASE_HASH_H
#define HEDDLE_BASE_HASH_H
#include <stddef.h>
#include <stdint.h>

struct hash128 {
    uint64_t lo, hi;
};

uint64_t hash_bytes(const void *data, size_t size, uint64_t seed);
uint64_t hash_text(const char *s);
void hash128_init(struct hash128 *h);
void hash128_add(struct hash128 *h, const void *data, size_t size);
void hash128_add_text(struct hash128 *h, const char *s); // with its terminator, so that ("ab","c") != ("a","bc")
void hash128_hex(const struct hash128 *h, char out[33]);
#endif
