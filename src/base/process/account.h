// SPDX-License-Identifier: Apache-2.0
// Where the time of a run went, told on stderr when the process ends (HEDDLE_PROFILE=1). Without that nothing is counted, and a place that
// could count looks at one word.
#ifndef HEDDLE_BASE_PROCESS_ACCOUNT_H
#define HEDDLE_BASE_PROCESS_ACCOUNT_H
#include "base/os.h"

// What is counted, in the order of the report; account.c has the headings.
enum account_kind {
    ACCOUNT_CALL,    // a function of the driver, by its name: time of the thread that called
    ACCOUNT_WAIT,    // what a launch waited for its kernel's code
    ACCOUNT_QUICK,   // quick code that was made of a kernel, whoever waited
    ACCOUNT_COMPILE, // optimised code
    ACCOUNT_LOAD,    // of compiled code from the disk cache
    ACCOUNT_KERNEL,  // grids: amount is blocks, busy what all threads together have spent
    ACCOUNT_COPY,    // amount is bytes
    ACCOUNT_WAKE,    // of a worker: what it cost the thread that did it
    ACCOUNT_KINDS
};

extern bool account_wanted;

// The time, or 0 where nobody wants to know.
static inline uint64_t account_since(void)
{
    return __builtin_expect(account_wanted, 0) ? os_time_ns() : 0;
}
// Once more, for so long: from `since` to now. Where account_wanted only.
void account_add(enum account_kind kind, const char *name, uint64_t since_ns, uint64_t now_ns, uint64_t busy_ns,
                 uint64_t amount);
// The same for what one thread has done until now.
static inline void account_done(enum account_kind kind, const char *name, uint64_t since_ns, uint64_t amount)
{
    if (__builtin_expect(account_wanted, 0)) {
        uint64_t now = os_time_ns();
        account_add(kind, name, since_ns, now, now - since_ns, amount);
    }
}
#endif
