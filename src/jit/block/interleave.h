// SPDX-License-Identifier: Apache-2.0
// Loops that the gangs of a block go through together: block/interleave.c.
#ifndef HEDDLE_JIT_BLOCK_INTERLEAVE_H
#define HEDDLE_JIT_BLOCK_INTERLEAVE_H
#include "jit/block/block.h"

enum {
    INTERLEAVE_FINISHED = 255, // the place of a gang that has reached the end of the region; 0: its start
    INTERLEAVE_STANDS =
        0xffffffffu // what the function of an interleaved region returns when the gang has stopped; no state is that
};
#endif
