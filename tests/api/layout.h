// SPDX-License-Identifier: Apache-2.0
// Facts of CUDA 13.0's runtime interface, checked when a file compiles: against our headers always, against NVIDIA's where
// they are installed. Both must hold for binaries of either to work with the other.
#ifndef HEDDLE_TEST_LAYOUT_H
#define HEDDLE_TEST_LAYOUT_H
#include <cuda_runtime_api.h>
#include <library_types.h>
#include <stddef.h>

#define VALUE(expression, value)   _Static_assert((long long)(expression) == (value), #expression);
#define SIZE(type, value)          _Static_assert(sizeof(type) == (value), #type);
#define OFFSET(type, field, value) _Static_assert(offsetof(type, field) == (value), #type "." #field);
#endif
