// SPDX-License-Identifier: Apache-2.0
// A program that is started and left alone: it outlives this process, and this process never hears of it again.
#ifndef HEDDLE_BASE_PROCESS_DETACH_H
#define HEDDLE_BASE_PROCESS_DETACH_H
#include <stdbool.h>
#include <stdint.h>

struct detach_limits {
    uint64_t memory;  // bytes of addresses
    uint64_t seconds; // of the processor
};

// Starts the program in a session of its own, with lowest priority, in the root folder, with no open file but /dev/null, no signal
// blocked and these limits. False: it cannot be started. Costs less than a millisecond, whatever the size of the process.
bool process_detach(const char *path, char *const argv[], char *const envp[], const struct detach_limits *limits);
#endif
