// SPDX-License-Identifier: Apache-2.0
// Dense linear algebra on one thread, in LAPACK's conventions: matrices by columns, pivots from 1 on, results where LAPACK leaves them. Functions
// that return a number return LAPACK's info. Each is one text for all types: la_potrf_S, la_potrf_D, la_potrf_C, la_potrf_Z.
//
// 1. LAPACK of OpenBLAS does the work where it is installed and faster; what it does is written here too, so that nothing is missing
//    where it is not. HEDDLE_BLAS=own leaves it out.
// 2. Memory is taken by la_take and given back by la_release: a part of a native kernel that is left by a fault leaves it to the thread's next part.
// 3. Of a triangle that is stored, the other one is neither read nor written.
#ifndef HEDDLE_CUSOLVER_DENSE_LA_H
#define HEDDLE_CUSOLVER_DENSE_LA_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// ---- memory.c
int la_mark(void);
void *la_take(size_t bytes); // 64-byte aligned, not zeroed. Where there is none, the kernel ends as by a bad address.
void la_release(int mark);   // all that was taken since; 0: everything of this thread

static inline int64_t la_min(int64_t a, int64_t b)
{
    return a < b ? a : b;
}
static inline int64_t la_max(int64_t a, int64_t b)
{
    return a > b ? a : b;
}
// Whether LAPACK's integers can hold it.
static inline bool la_fits(int64_t n)
{
    return n <= INT32_MAX;
}
// Arguments for Fortran.
#define LA_INT(x)  (&(const int){(int)(x)})
#define LA_CHAR(x) (&(const char){(char)(x)})

// How a Jacobi method went.
struct la_jacobi {
    double tolerance; // relative; 0 and below: that of the type
    int most;         // sweeps
    bool sort;
    int sweeps; // executed
    double residual;
    bool converged;
};

#define TEMPLATE "cusolver/dense/prototype.h"
#include "library/number.h"
#undef TEMPLATE
#endif
