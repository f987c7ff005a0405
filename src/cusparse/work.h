// SPDX-License-Identifier: Apache-2.0
// Kinds of work by the types of its arguments; kernel/number.h lists them.
#ifndef HEDDLE_CUSPARSE_WORK_H
#define HEDDLE_CUSPARSE_WORK_H
#include "cusparse/kernel/number.h"
#include "cusparse/sparse.h"

// The place in the list of kinds; mixed: in that of all. -1: there is none.
static inline int work_kind(enum sparse_type a, enum sparse_type x, enum sparse_type y, enum sparse_type t, bool mixed)
{
#define WORK(a, x, y, t) {SPARSE_##a, SPARSE_##x, SPARSE_##y, SPARSE_##t},
    static const unsigned char kinds[][4] = {KINDS(WORK) KINDS_MIXED(WORK)}, plain[][4] = {KINDS(WORK)};
#undef WORK
    int n = mixed ? (int)(sizeof kinds / sizeof *kinds) : (int)(sizeof plain / sizeof *plain);
    for (int i = 0; i < n; i++)
        if (kinds[i][0] == a && kinds[i][1] == x && kinds[i][2] == y && kinds[i][3] == t)
            return i;
    return -1;
}
// Of work in one type: what is computed with is the type itself, or float for halves.
static inline enum sparse_type work_compute(enum sparse_type t)
{
    return t == SPARSE_H || t == SPARSE_B ? SPARSE_S : t == SPARSE_K || t == SPARSE_L ? SPARSE_C : t;
}
static inline int work_one(enum sparse_type t)
{
    return work_kind(t, t, t, work_compute(t), false);
}
#endif
