// SPDX-License-Identifier: Apache-2.0
// Launches under several schedules, to find kernels whose results depend on one (HEDDLE_EXPLORE).
#ifndef HEDDLE_DRIVER_EXPLORE_EXPLORE_H
#define HEDDLE_DRIVER_EXPLORE_EXPLORE_H
#include "driver/driver.h"

extern bool explore_wanted;
extern struct explore_asked {
    unsigned schedules, launches; // launches: of each kernel, the first ones
    double tolerance;
    char kernel[256]; // part of the name; "": all
    int fd;           // a byte for each finding goes there; -1: nowhere
} explore_asked;
void explore_begin(void); // asks the environment, once
// Runs the launch to its end, under the schedule that it has anyway and then under others; memory has what the first run left.
// False: it is not one that is explored, and nothing was run.
bool explore_launch(struct function *f, struct stream *s, const struct launch_request *q, const void *args,
                    CUresult *out);
#endif
