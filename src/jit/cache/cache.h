// SPDX-License-Identifier: Apache-2.0
// Compiled kernels on disk. Files are written aside and renamed, carry their key and a checksum, and are checked before
// use: a broken or foreign file is a miss, and so is one that belongs to another user or that others can write to, with
// its folders. Safe under many threads and processes.
#ifndef HEDDLE_JIT_CACHE_H
#define HEDDLE_JIT_CACHE_H
#include "base/hash.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

bool cache_get(const struct hash128 *key, void **data, size_t *size);     // *data from malloc
void cache_put(const struct hash128 *key, const void *data, size_t size); // failure is silent: the next run compiles
// Code has run for so many microseconds in this process: returns how many that makes in all, over the processes that told. Two that
// tell at once may count as one.
uint64_t cache_ran(const struct hash128 *key, uint64_t us);
// Files of the same form, elsewhere below the folder: read as cache_get does, and written; false: it cannot be.
bool cache_file_read(const char *path, const struct hash128 *key, void **data, size_t *size);
bool cache_file_write(const char *path, const struct hash128 *key, const void *data, size_t size);
// What code depends on besides its source: this CPU, and the compiler that is installed. Part of every key.
const char *cache_machine(void);
// The folder in use, or NULL when there is none. The text lives as long as the process.
const char *cache_dir(void);
#endif
