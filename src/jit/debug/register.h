// SPDX-License-Identifier: Apache-2.0
// Tells GDB (its JIT interface) and perf (a map file, HEDDLE_PERF_MAP=1) of code that was loaded.
#ifndef HEDDLE_JIT_REGISTER_H
#define HEDDLE_JIT_REGISTER_H
#include "jit/host/load.h"

void *register_add(const char *name, const struct load_image *image); // the image must stay until removal
void register_remove(void *handle);
#endif
