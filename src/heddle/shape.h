// SPDX-License-Identifier: Apache-2.0
#ifndef HEDDLE_HEDDLE_SHAPE_H
#define HEDDLE_HEDDLE_SHAPE_H
#include <stdbool.h>
#include <stdint.h>

// A block's shape from X, X,Y or X,Y,Z, within CUDA's limits; false with a message.
bool shape_read(const char *text, uint32_t block[3]);
#endif
