// SPDX-License-Identifier: Apache-2.0
// Memory that runs out at an allocation of the test's choice. The program's own malloc, mmap and pthread_create take the place of
// the C library's, for every library of the process. Two ways to fail:
//  - once: the allocation of that number fails, the next one succeeds;
//  - lasting: from there on there is only as much memory as is given back, until the test says that there is enough again.
#ifndef HEDDLE_TEST_SCARCE_H
#define HEDDLE_TEST_SCARCE_H
#include "test.h"
#include <stdbool.h>

enum scarce_way { SCARCE_ONCE, SCARCE_LASTING, SCARCE_WAYS };

// A scenario: calls that may fail for want of memory and for nothing else, with everything given back at its end.
struct scarce_scenario {
    const char *name;
    void (*run)(void);
    long samples; // allocations that are tried, evenly spread; 0: each
};

// Each allocation of the scenario fails in turn, in both ways. False: something was lost.
bool scarce_try(const struct scarce_scenario *s);
// The same for what happens once in a process: each time in a child of this one, which has not used the libraries yet. The
// scenario runs again in the child, with enough memory. failed: did one of its checks fail? False: a child failed.
bool scarce_try_first(const struct scarce_scenario *s, int (*failed)(void));
// Is memory short now? Otherwise every call has to succeed.
bool scarce_now(void);
// Checks the result of a call: success, or while memory is short the error that says so.
#define MAY(call, success, short_of_memory, name_of)                                                                   \
    ({                                                                                                                 \
        __typeof__(success) got_ = (call);                                                                             \
        if (got_ == (success) || (scarce_now() && got_ == (short_of_memory)))                                          \
            test_passed++;                                                                                             \
        else                                                                                                           \
            scarce_wrong(__FILE__, __LINE__, #call, name_of(got_)), test_failed++;                                     \
        got_ == (success);                                                                                             \
    })
// The same for a call that gives something back: it succeeds also then.
#define MUST(call, success, name_of)                                                                                   \
    ({                                                                                                                 \
        __typeof__(success) got_ = (call);                                                                             \
        if (got_ == (success))                                                                                         \
            test_passed++;                                                                                             \
        else                                                                                                           \
            scarce_wrong(__FILE__, __LINE__, #call, name_of(got_)), test_failed++;                                     \
    })
void scarce_wrong(const char *file, int line, const char *call, const char *result);
#endif
