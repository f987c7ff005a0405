// SPDX-License-Identifier: Apache-2.0
// Child processes of a library: no signal handlers, no state of the host program changed.
#ifndef HEDDLE_FRONT_PROCESS_H
#define HEDDLE_FRONT_PROCESS_H
#include "base/vec.h"
#include <stdbool.h>

enum { PROCESS_UNKNOWN = -1, PROCESS_NOT_STARTED = -2, PROCESS_CANCELLED = -3 };

// Runs a command with both outputs to a file; the exit status, 128 + signal, or one of the above. PROCESS_UNKNOWN: the
// host program takes away the status of children (it ignores SIGCHLD); the files tell. While it runs, cancelled (may be
// NULL) is asked every few milliseconds; at 1 the child is killed.
int process_run(const struct texts *argv, const char *output, int (*cancelled)(void *, void *), void *payload);
#endif
