// SPDX-License-Identifier: Apache-2.0
// Source lines of loaded code, from the line table that LLVM wrote into the object.
#ifndef HEDDLE_JIT_LINE_H
#define HEDDLE_JIT_LINE_H
#include "jit/host/load.h"

// The source line of the instruction at pc as "file:line"; false: not known. Not for signal handlers.
bool line_find(const struct load_image *image, const void *pc, char *out, size_t size);
#endif
