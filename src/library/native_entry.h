// SPDX-License-Identifier: Apache-2.0
// What place.c has found in the driver, for launch.c.
#ifndef HEDDLE_LIBRARY_NATIVE_ENTRY_H
#define HEDDLE_LIBRARY_NATIVE_ENTRY_H
#include "driver/native.h"

extern native_kernel_fn *library_native_kernel; // NULL: the driver is not ours
extern native_task_fn *library_native_task;
extern native_file_fn *library_native_file;
#endif
