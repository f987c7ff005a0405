// SPDX-License-Identifier: Apache-2.0
// The limit on the time of a kernel, HEDDLE_LAUNCH_TIMEOUT; private to the engine. Without a limit nothing here is called but
// watchdog_seconds().
#ifndef HEDDLE_DEVICE_FAULT_WATCHDOG_H
#define HEDDLE_DEVICE_FAULT_WATCHDOG_H
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

// A block that waits may be ended after so many interrupts: before, one is likely to meet its code, and so tell the line.
enum { WATCH_OVERDUE = 100 };

// A kernel under way. Its memory must live until watch_end().
struct watch {
    atomic_uint expired; // so often its threads were interrupted; 0: it has time left
    uint64_t deadline;   // os_time_ns
    struct watch *next, **back;
};

void watch_begin(struct watch *w);
void watch_end(struct watch *w);
// This thread runs code of the kernel from here on, until it runs code of another one or (NULL) of none.
void watch_thread(const struct watch *w);
#endif
