// SPDX-License-Identifier: Apache-2.0
// What the fake driver tells a test about the calls it got.
#ifndef HEDDLE_TESTS_FAKE_DRIVER_H
#define HEDDLE_TESTS_FAKE_DRIVER_H
#include <cuda.h>

struct fake_launch {
    const char *kernel;
    unsigned grid[3], block[3], shared, attributes;
    CUstream stream;
    int cooperative, from_buffer;
};

struct fake_state {
    int loads, unloads;      // of libraries
    int resets;              // of primary contexts
    unsigned launches;       // all of them, from any thread
    struct fake_launch last; // of this process; look at it only when one thread launches
    CUstream last_stream;    // of the last copy or fill with a stream
    CUresult next;           // what the next synchronisation answers; sticky ones stay
};

typedef struct fake_state *(*fake_state_fn)(void);
#endif
