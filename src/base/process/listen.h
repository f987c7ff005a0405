// SPDX-License-Identifier: Apache-2.0
// The other end of sanitizer.h: a tool that starts a program under `heddle run` and hears what its processes report.
#ifndef HEDDLE_BASE_PROCESS_LISTEN_H
#define HEDDLE_BASE_PROCESS_LISTEN_H
#include "base/str.h"
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum { LISTEN_CANNOT_RUN = 126, LISTEN_SIGNALLED = 128 };
struct listener {
    const char *name; // of the tool
    void *data;
    // A process asks what is wanted of it. own: it is the program itself, not one that it has started. The folder lives as long as the
    // program and what it started.
    void (*settings)(void *data, pid_t process, bool own, const char *folder, struct str *out);
    void (*report)(void *data, pid_t process, const char *text, size_t size);
    void (*gone)(void *data, pid_t process); // may be NULL
};
// Runs the program until it and what it started are over; its exit status. -1: there is no socket for it, as errno says.
int listen_program(const struct listener *l, char **argv);
#endif
