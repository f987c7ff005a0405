// SPDX-License-Identifier: Apache-2.0
// Which driver a process works on. libcudart asks, and so do the program's own calls of the driver that nvcc links
// (static/cuda_dispatch.c): both get the same library, and contexts of the one are those of the other.
#ifndef HEDDLE_RUNTIME_CONTEXT_CHOOSE_H
#define HEDDLE_RUNTIME_CONTEXT_CHOOSE_H
#include <stdbool.h>

// Opens the driver. In this order: what HEDDLE_DEVICE names; a vendor's libcuda.so.1 that has a device; our own beside this
// library or where nvcc's objects say. NULL: there is none at all, which is said, or there is no memory for it.
void *driver_choose(bool *lacks_memory);

// Whether an open library is our own driver.
bool driver_is_ours(void *library);
#endif
