// SPDX-License-Identifier: Apache-2.0
#ifndef HEDDLE_HEDDLE_SOURCE_H
#define HEDDLE_HEDDLE_SOURCE_H
#include <stddef.h>

// The text of a PTX file, or the PTX that the nvcc beside this program makes of a .cu file, with its lines; from malloc. NULL with a
// message.
char *source_ptx(const char *file, size_t *size);
#endif
