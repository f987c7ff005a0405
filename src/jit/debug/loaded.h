// SPDX-License-Identifier: Apache-2.0
// What debuggers and messages know of code that was loaded.
#ifndef HEDDLE_JIT_LOADED_H
#define HEDDLE_JIT_LOADED_H
#include "jit/host/load.h"
#include <stdint.h>

// Tells GDB (its JIT interface) and perf (a map file, HEDDLE_PERF_MAP=1) of it. The image must stay until removal.
void *register_add(const char *name, const struct load_image *image);
void register_remove(void *handle);
// The source line of the instruction at pc as "file:line", from the line table that LLVM wrote into the object; false: not known. Not for
// signal handlers.
bool line_find(const struct load_image *image, const void *pc, char *out, size_t size);
// Calls take() for every row of the line table, in its order.
typedef void line_fn(void *data, uint64_t address, const char *file, uint32_t line);
void line_each(const struct load_image *image, line_fn *take, void *data);

// debug/perf.c: what perf is told of code, as HEDDLE_PERF_MAP asks: a map of names, or a file with the code itself.
void perf_write(const char *name, const struct load_image *image);
#endif
