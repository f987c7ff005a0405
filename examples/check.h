// SPDX-License-Identifier: Apache-2.0
// What the examples share: CHECK(call) ends the program where a call of CUDA or of one of its libraries fails, verdict() says whether the result was
// right and gives the exit code.
#ifndef CHECK_H
#define CHECK_H
#include <stdio.h>
#include <stdlib.h>

#define CHECK(call)                                                                                                    \
    do {                                                                                                               \
        int status_ = (int)(call);                                                                                     \
        if (status_) {                                                                                                 \
            fprintf(stderr, "%s:%d: %s gave %d\n", __FILE__, __LINE__, #call, status_);                                \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

static inline int verdict(int right)
{
    puts(right ? "verified" : "WRONG");
    return right ? 0 : 1;
}
#endif
