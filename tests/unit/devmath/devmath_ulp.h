// SPDX-License-Identifier: Apache-2.0
// How the tests of the device math library measure: the distance, in units of the last place, between a result and the
// correctly rounded one, which is how CUDA states its bounds. Rows are measured over sampled arguments and printed on
// request.
#ifndef HEDDLE_TEST_DEVMATH_ULP_H
#define HEDDLE_TEST_DEVMATH_ULP_H
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "devmath/devmath.h"
#include "test.h"

// Position of a number in the order of all numbers; both zeros are 0.
static inline int64_t order32(float x)
{
    uint32_t b = as_u32(x);
    return b >> 31 ? -(int64_t)(b & 0x7fffffffu) : (int64_t)b;
}

static inline int64_t order64(double x)
{
    uint64_t b = as_u64(x);
    return b >> 63 ? -(int64_t)(b & 0x7fffffffffffffffull) : (int64_t)b;
}

#define FAR 9.0e18 // the distance between a number and a NaN

static inline double distance32(float got, float want)
{
    if (got != got || want != want)
        return got != got && want != want ? 0.0 : FAR;
    return (double)llabs(order32(got) - order32(want));
}

static inline double distance64(double got, double want)
{
    if (got != got || want != want)
        return got != got && want != want ? 0.0 : FAR;
    __int128 d = (__int128)order64(got) - order64(want);
    return (double)(d < 0 ? -d : d);
}

// A small generator that is the same everywhere.
static uint64_t random_state = 0x9e3779b97f4a7c15ull;
static inline uint64_t random_u64(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state * 0x2545f4914f6cdd1dull;
}

static inline double random_between(double lo, double hi)
{
    return lo + (hi - lo) * (double)(random_u64() >> 11) * 0x1p-53;
}

// The worst distance of one function so far.
struct worst {
    double ulp, x, y;
    double got, want;
};

static inline void worst_add(struct worst *w, double ulp, double x, double y, double got, double want)
{
    if (ulp > w->ulp)
        *w = (struct worst){ulp, x, y, got, want};
}

static bool print_table;

static inline void worst_report(const char *name, double bound, const struct worst *w)
{
    bool good = w->ulp <= bound;
    if (print_table)
        printf("%-16s bound %4g  worst %4g  at %a %a\n", name, bound, w->ulp, w->x, w->y);
    if (!good)
        fprintf(stderr, "%s: %g ulp at %a (%.17g), %a: got %a, should be %a\n", name, w->ulp, w->x, w->x, w->y, w->got,
                w->want);
    CHECK(good);
}
#endif
