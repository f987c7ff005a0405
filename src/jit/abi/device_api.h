// SPDX-License-Identifier: Apache-2.0
// Numbers of the functions in device_api.def.
#ifndef HEDDLE_JIT_DEVICE_API_H
#define HEDDLE_JIT_DEVICE_API_H

enum device_api {
#define DEVICE_API(name, result, args) DEVICE_API_##name,
#include "jit/abi/device_api.def"
#undef DEVICE_API
    DEVICE_API_COUNT
};
#endif
