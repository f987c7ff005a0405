// SPDX-License-Identifier: Apache-2.0
// Compiled kernels on disk. Files are written aside and renamed, carry their key and a checksum, and are checked before
// use: a broken or foreign file is a miss, and so is one that belongs to another user or that others can write to, with
// its folders. Safe under many threads and processes.
#ifndef HEDDLE_JIT_CACHE_H
#define HEDDLE_JIT_CACHE_H
#include "base/hash.h"
#include <stdbool.h>
#include <stddef.h>

bool cache_get(const struct hash128 *key, void **data, size_t *size);     // *data from malloc
void cache_put(const struct hash128 *key, const void *data, size_t size); // failure is silent: the next run compiles
// What code depends on besides its source: this CPU, and the compiler that is installed. Part of every key.
const char *cache_machine(void);
// The folder in use, or NULL when there is none. The text lives as long as the process.
const char *cache_dir(void);
#endif
