// SPDX-License-Identifier: Apache-2.0
// Stacks for kernels with calls. CUDA gives a thread up to 512 KiB (cudaLimitStackSize), whichever thread of the system runs it: a gang
// of 32 lanes has that many times 32. Workers begin with so much; threads of the program that help, and code that waits for
// kernels of its own, go over to a stack that has it.
#ifndef HEDDLE_DEVICE_SCHED_DEEP_H
#define HEDDLE_DEVICE_SCHED_DEEP_H
#include <stdbool.h>

enum { DEEP_STACK = 16 << 20 };

// fn(arg), with that much room where it can be had.
bool deep_call(bool (*fn)(void *arg), void *arg);
#endif
