// SPDX-License-Identifier: Apache-2.0
// Checks that programs of the libraries' tests count.
#ifndef HEDDLE_TEST_LIBRARY_CHECK_H
#define HEDDLE_TEST_LIBRARY_CHECK_H
#include <cstdio>

static int passed, failed;

static inline void check(bool ok, const char *what, const char *file, int line)
{
    if (ok) {
        passed++;
    } else {
        failed++;
        if (failed < 20)
            printf("%s:%d: %s\n", file, line, what);
    }
}
#define CHECK(c)           check(c, #c, __FILE__, __LINE__)
#define CUDA(call)         CHECK((call) == cudaSuccess)
#define WANT(call, status) CHECK((call) == (status))

static inline int summary()
{
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
#endif
