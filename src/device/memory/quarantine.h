// SPDX-License-Identifier: Apache-2.0
// Freed ranges of a checked process, the oldest of which go back to the system; private to memory.c, under its lock.
#ifndef HEDDLE_DEVICE_MEMORY_QUARANTINE_H
#define HEDDLE_DEVICE_MEMORY_QUARANTINE_H
#include "device/device.h"

struct quarantined {
    struct memory_range pub;
    char *map;
    size_t map_size;
    int fd, class;
};
// Takes a range. True: *q is now another one, which has to go.
bool quarantine_exchange(struct quarantined *q);
bool quarantine_find(const void *address, struct memory_range *out);
#endif
