// SPDX-License-Identifier: Apache-2.0
// What becomes of the sums of a tile: they are scaled, C is added, the epilogue is applied, and D is stored. Column by column, in numbers
// of one kind; rounding to the type of D is the last step.
#include "cublaslt/matmul.h"
#include <math.h>
#include <string.h>

// The largest magnitude so far. Bits of floats that are not negative are in the order of their values, so that the order of parts
// does not matter.
static void keep_largest(float *at, float value)
{
    uint32_t bits, old = __atomic_load_n((uint32_t *)(void *)at, __ATOMIC_RELAXED);
    memcpy(&bits, &value, sizeof bits);
    while (old < bits &&
           !__atomic_compare_exchange_n((uint32_t *)(void *)at, &old, bits, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        continue;
}

static float factor_of(const struct matmul *g, int i)
{
    return g->factor[i] ? *g->factor[i] : 1;
}

static float tangent_S(float x)
{
    return tanhf(x);
}
static double tangent_D(double x)
{
    return tanh(x);
}

#define TEMPLATE "cublaslt/kernel/finish.h"
#include "library/number.h"

// Integers wrap, and have no epilogue.
#define FN(name) name##_I
#define COMPLEX  1
#define INTEGER
#define T       uint32_t
#define KIND    KIND_I
#define CONJ(t) (t)
#include TEMPLATE

void matmul_finish(const struct matmul *g, const struct finish *f)
{
    static void (*const run[KINDS])(const struct matmul *, const struct finish *) = {
        [KIND_S] = finish_S, [KIND_D] = finish_D, [KIND_C] = finish_C, [KIND_Z] = finish_Z, [KIND_I] = finish_I};
    run[g->types.kind](g, f);
}
