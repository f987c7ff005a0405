// SPDX-License-Identifier: Apache-2.0
// The whole test framework: CHECK(condition), CHECK_RESULT(call, wanted, name_of), then return test_summary() from main.
#ifndef HEDDLE_TEST_H
#define HEDDLE_TEST_H
#include <stdio.h>

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

// A program in which nothing was checked has not passed.
static inline int test_summary(void)
{
    printf("%d passed, %d failed\n", test_passed, test_failed);
    return test_failed != 0 || test_passed == 0;
}
#endif
