// SPDX-License-Identifier: Apache-2.0
// The table of entry points by name and version; see proc.c.
#ifndef HEDDLE_DRIVER_ENTRY_PROC_H
#define HEDDLE_DRIVER_ENTRY_PROC_H
struct proc_row {
    const char *name;
    int since;
    void *legacy, *per_thread; // the same where stream 0 plays no part
};
extern const struct proc_row proc_rows[];
extern const unsigned proc_count;
#endif
