// SPDX-License-Identifier: Apache-2.0
// The schedules that a launch is run under. Each is one that CUDA allows for every kernel.
#ifndef HEDDLE_DRIVER_EXPLORE_SCHEDULE_H
#define HEDDLE_DRIVER_EXPLORE_SCHEDULE_H
#include "base/str.h"
#include "device/device.h"

enum schedule_order { ORDER_ASCENDING, ORDER_DESCENDING, ORDER_RANDOM };

struct schedule {
    unsigned width;             // lanes a gang; 0: what the policy takes
    enum jit_compat compat;     // where warps and blocks yield
    bool descending;            // of the gangs of a block the last one runs first
    enum schedule_order blocks; // of those from `from` to before `to`; the others in ascending order
    uint64_t from, to;
    uint64_t step, start; // of ORDER_RANDOM
};

// The schedule of this number for a grid of so many blocks (or clusters), simple ones first. The same number is the same schedule.
struct schedule schedule_number(unsigned number, uint64_t blocks);
// Whether it is any other than schedule 0 for this grid and so many threads a block.
bool schedule_differs(const struct schedule *s, uint64_t blocks, unsigned threads);
// What it asks of the engine.
struct launch_order schedule_blocks(const struct schedule *s);
// Makes s simpler by its next part: false when there is none behind *part, which begins at 0.
bool schedule_simplify(struct schedule *s, unsigned *part, uint64_t blocks);
// For people, into an empty text: "a block's last threads first, the blocks one after the other, number 3 before number 2".
void schedule_describe(const struct schedule *s, uint64_t blocks, struct str *out);
#endif
