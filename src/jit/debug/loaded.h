// SPDX-License-Identifier: Apache-2.0
// What debuggers and messages know of code that was loaded.
#ifndef HEDDLE_JIT_LOADED_H
#define HEDDLE_JIT_LOADED_H
#include "jit/host/load.h"

// Tells GDB (its JIT interface) and perf (a map file, HEDDLE_PERF_MAP=1) of it. The image must stay until removal.
void *register_add(const char *name, const struct load_image *image);
void register_remove(void *handle);
// The source line of the instruction at pc as "file:line", from the line table that LLVM wrote into the object; false: not known. Not for
// signal handlers.
bool line_find(const struct load_image *image, const void *pc, char *out, size_t size);
#endif
