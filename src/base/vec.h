// SPDX-License-Identifier: Apache-2.0
// Growing arrays: struct VEC(int) v = {0}; vec_push(&v, 3); v.data[0]; v.len; vec_free(&v).
#ifndef HEDDLE_BASE_VEC_H
#define HEDDLE_BASE_VEC_H
#include "base/xmalloc.h"
#include <stddef.h>

#define VEC(T)                                                                                                         \
    {                                                                                                                  \
        T *data;                                                                                                       \
        size_t len, cap;                                                                                               \
    }
#define vec_reserve(v, n)                                                                                              \
    do {                                                                                                               \
        if ((v)->cap < (size_t)(n)) {                                                                                  \
            (v)->cap = (v)->cap * 2 > (size_t)(n) ? (v)->cap * 2 : (size_t)(n) + 8;                                    \
            (v)->data = xrealloc((v)->data, (v)->cap * sizeof *(v)->data);                                             \
        }                                                                                                              \
    } while (0)
#define vec_push(v, x)                                                                                                 \
    do {                                                                                                               \
        vec_reserve((v), (v)->len + 1);                                                                                \
        (v)->data[(v)->len++] = (x);                                                                                   \
    } while (0)
#define vec_free(v)                                                                                                    \
    do {                                                                                                               \
        free((v)->data);                                                                                               \
        (v)->data = NULL;                                                                                              \
        (v)->len = (v)->cap = 0;                                                                                       \
    } while (0)
#endif
