// SPDX-License-Identifier: Apache-2.0
// Growing arrays: struct VEC(int) v = {0}; vec_push(&v, 3); v.data[0]; v.len; vec_free(&v).
#ifndef HEDDLE_BASE_VEC_H
#define HEDDLE_BASE_VEC_H
#include "base/xmalloc.h"
#include <stdbool.h>
#include <stddef.h>

// Room for n elements; false: there is no memory for it, and nothing has changed.
static inline bool vec_grow(void **data, size_t *cap, size_t n, size_t size)
{
    if (*cap >= n)
        return true;
    size_t more = *cap * 2 > n ? *cap * 2 : n + 8;
    void *p = realloc(*data, more * size);
    if (!p)
        return false;
    *data = p;
    *cap = more;
    return true;
}

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
#define vec_try_reserve(v, n) vec_grow((void **)&(v)->data, &(v)->cap, (n), sizeof *(v)->data)
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

// A list of texts, each owned elsewhere (mostly by an arena): arguments, file names.
struct texts VEC(const char *);
#endif
