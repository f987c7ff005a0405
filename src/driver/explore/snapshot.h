// SPDX-License-Identifier: Apache-2.0
// What kernels can write, at one moment: every range of memory that the driver knows of.
#ifndef HEDDLE_DRIVER_EXPLORE_SNAPSHOT_H
#define HEDDLE_DRIVER_EXPLORE_SNAPSHOT_H
#include "device/device.h"

struct snapshot {
    struct piece {
        struct memory_range range;
        char *copy;
    } *pieces;
    size_t n;
};

// False: it would be more than `most` bytes, or there is no memory for it.
bool snapshot_take(struct snapshot *s, size_t most);
// The same ranges as another one's, as they are now.
bool snapshot_like(struct snapshot *s, const struct snapshot *other);
void snapshot_restore(const struct snapshot *s);
void snapshot_free(struct snapshot *s);

struct difference {
    const struct memory_range *range; // NULL: there is none
    size_t offset;                    // of the first word that differs
    size_t bytes;                     // in all ranges
    uint32_t was, is;                 // that word
    bool floats; // each word that differs is a number (f32, or of an f64), by no more than a thousandth
};
// What memory holds now beside what it held then. Words that are numbers and differ by no more than the part `tolerance` are the same.
struct difference snapshot_compare(const struct snapshot *s, double tolerance);
#endif
