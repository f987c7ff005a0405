// SPDX-License-Identifier: Apache-2.0
// The functions of jit/abi/device_api.def, by the names that PTX texts call them.
#ifndef HEDDLE_JIT_TRANSLATE_DEVICE_CALL_H
#define HEDDLE_JIT_TRANSLATE_DEVICE_CALL_H
#include "ptx/ptx.h"

struct device_call {
    const char *name;
    char result;
    const char *args;
};
extern const struct device_call device_calls[];

// What the engine gives under CUDA's names (engine.def): the row of hooks.def and the shape of the call. NULL: nothing.
struct engine_call {
    const char *name, *hook;
    char ret; // as in hooks.def
    const char *args;
    bool ends; // the thread does not come back
};
const struct engine_call *engine_call_find(const char *name);

// The row, or -1.
int device_call_find(const char *name);
// It ends only when something else has: the thread may be put aside there.
bool device_call_waits(int row);
#endif
