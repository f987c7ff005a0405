// SPDX-License-Identifier: Apache-2.0
// Checks that programs of the libraries' tests count. The programs are right with NVIDIA's libraries on a GPU too.
#ifndef HEDDLE_TEST_LIBRARY_CHECK_H
#define HEDDLE_TEST_LIBRARY_CHECK_H
#include "on_heddle.h"
#include <cstdio>

static int passed, failed;

// Not inlined: programs have hundreds of calls, and a fifth of the time of compiling them went there.
__attribute__((noinline, unused)) static void check(bool ok, const char *what, const char *file, int line)
{
    if (ok) {
        passed++;
    } else {
        failed++;
        if (failed < 20) {
            printf("%s:%d: %s\n", file, line, what);
            fflush(stdout); // what comes next may end the program
        }
    }
}
// Says what came in place of the wanted status.
__attribute__((noinline, unused)) static void check_status(int got, int status, const char *call, const char *file,
                                                           int line)
{
    char text[400];
    snprintf(text, sizeof text, "%s gave %d, wanted %d", call, got, status);
    check(got == status, text, file, line);
}
#define CHECK(c)           check(c, #c, __FILE__, __LINE__)
#define CUDA(call)         CHECK((call) == cudaSuccess)
#define WANT(call, status) check_status((int)(call), (int)(status), #call, __FILE__, __LINE__)

static inline int summary()
{
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
#endif
