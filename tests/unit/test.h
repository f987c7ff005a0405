// SPDX-License-Identifier: Apache-2.0
// The whole test framework: CHECK(condition), CHECK_RESULT(call, wanted, name_of), then return test_summary() from main.
#ifndef HEDDLE_TEST_H
#define HEDDLE_TEST_H
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static int test_passed, test_failed;
#define CHECK(c)                                                                                                       \
    do {                                                                                                               \
        if (c) {                                                                                                       \
            test_passed++;                                                                                             \
        } else {                                                                                                       \
            test_failed++;                                                                                             \
            fprintf(stderr, "%s:%d: failed: %s\n", __FILE__, __LINE__, #c);                                            \
        }                                                                                                              \
    } while (0)

// The result of a call to a library, which name_of has the names of.
#define CHECK_RESULT(call, wanted, name_of)                                                                            \
    do {                                                                                                               \
        __typeof__(wanted) got_ = (call);                                                                              \
        if (got_ == (wanted)) {                                                                                        \
            test_passed++;                                                                                             \
        } else {                                                                                                       \
            test_failed++;                                                                                             \
            fprintf(stderr, "%s:%d: %s gave %s, wanted %s\n", __FILE__, __LINE__, #call, name_of(got_), #wanted);      \
        }                                                                                                              \
    } while (0)

// Whether a case runs in this one of its `count` configurations: it does in all of them, but with HEDDLE_TEST_BRIEF, which is
// for emulators, in one alone, another one from case to case.
static inline bool test_takes(size_t number, unsigned configuration, unsigned count)
{
    return !getenv("HEDDLE_TEST_BRIEF") || number % count == configuration;
}

// A program in which nothing was checked has not passed.
static inline int test_summary(void)
{
    printf("%d passed, %d failed\n", test_passed, test_failed);
    return test_failed != 0 || test_passed == 0;
}
#endif
