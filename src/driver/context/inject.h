// SPDX-License-Identifier: Apache-2.0
// Tools that come into a program without being linked with it: cuInit loads the library that CUDA_INJECTION64_PATH names and calls its
// InitializeInjection(), once.
#ifndef HEDDLE_DRIVER_CONTEXT_INJECT_H
#define HEDDLE_DRIVER_CONTEXT_INJECT_H
#include <stdbool.h>

void inject_at_init(void);
// See struct timeline_access.
void inject_put_off(bool on);
void inject_now(void);
#endif
