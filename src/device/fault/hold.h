// SPDX-License-Identifier: Apache-2.0
// Writes to memory whose pages are being exchanged wait; private to the engine.
#ifndef HEDDLE_DEVICE_FAULT_HOLD_H
#define HEDDLE_DEVICE_FAULT_HOLD_H
#include <signal.h>
#include <stdbool.h>

typedef void hold_handler_fn(int signal, siginfo_t *info, void *context);
void hold_handler(hold_handler_fn *handler); // is the process's for SIGSEGV, and calls hold_waits() first
// Whether all threads of the process can wait.
bool hold_possible(void);
// Between these two the caller makes memory read-only, copies it and puts the copy in its place: threads that write to it meanwhile wait, and
// then write to the copy. One caller at a time.
void hold_begin(void);
void hold_end(void);
// Of the handler of SIGSEGV: the instruction is to run again. It has waited where it must.
bool hold_waits(const siginfo_t *info);
#endif
