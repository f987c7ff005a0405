// SPDX-License-Identifier: Apache-2.0
// Mappings of device memory that was freed, kept for the next allocation of the same size. Private to memory.c, under its lock.
#ifndef HEDDLE_DEVICE_MEMORY_SPARE_H
#define HEDDLE_DEVICE_MEMORY_SPARE_H
#include <stdbool.h>
#include <stddef.h>

// Takes a mapping over, the last page of which is a guard; false: it stays the caller's.
bool spare_give(char *map, size_t size);
char *spare_take(
    size_t size);      // one of exactly this size, accessible but for its guard, with what it held; NULL: there is none
void spare_drop(void); // back to the operating system, all of them
#endif
