// SPDX-License-Identifier: Apache-2.0
// Products of matrices by the code for each kind of processor that this one can run, of all types, against plain loops. Numbers are small
// integers, so that every sum is exact.
#include "cublas/compute/product.h"
#include "library/half.h"
#include "test.h"
#include <complex.h>
#include <stdlib.h>
#include <string.h>

static const unsigned char SIZES[PRODUCT_TYPES] = {4, 8, 8, 16, 2, 2, 1, 1},
                           SUMS[PRODUCT_TYPES] = {4, 8, 8, 16, 4, 4, 4, 4};

static bool is_complex(enum product_type t)
{
    return t == PRODUCT_C || t == PRODUCT_Z;
}

// Element i of an array of the type gets the number; sums: of the type that sums have.
static void put(enum product_type t, bool sums, void *x, size_t i, double complex v)
{
    switch (sums && t >= PRODUCT_H ? (t == PRODUCT_I ? PRODUCT_I : PRODUCT_S) : t) {
    case PRODUCT_S:
        ((float *)x)[i] = (float)creal(v);
        break;
    case PRODUCT_D:
        ((double *)x)[i] = creal(v);
        break;
    case PRODUCT_C:
        ((float complex *)x)[i] = (float complex)v;
        break;
    case PRODUCT_Z:
        ((double complex *)x)[i] = v;
        break;
    case PRODUCT_H:
        ((uint16_t *)x)[i] = half_of_float((float)creal(v));
        break;
    case PRODUCT_B:
        ((uint16_t *)x)[i] = bfloat_of_float((float)creal(v));
        break;
    default:
        if (sums)
            ((int32_t *)x)[i] = (int32_t)creal(v);
        else
            ((int8_t *)x)[i] = (int8_t)creal(v);
    }
}

static double complex get(enum product_type t, const void *x, size_t i)
{
    return t == PRODUCT_D   ? ((const double *)x)[i]
           : t == PRODUCT_C ? ((const float complex *)x)[i]
           : t == PRODUCT_Z ? ((const double complex *)x)[i]
           : t == PRODUCT_I ? ((const int32_t *)x)[i]
                            : ((const float *)x)[i];
}

struct operand {
    double complex *value;
    void *at;
    int64_t ld;
};

static bool full_range; // of int8, where sums are float without rounding still

static struct operand operand_make(enum product_type t, bool sums, int64_t rows, int64_t columns, int64_t more)
{
    struct operand o = {.ld = rows + more};
    size_t n = (size_t)(o.ld * columns + 1);
    o.value = calloc(n, sizeof *o.value);
    o.at = calloc(n, sums ? SUMS[t] : SIZES[t]);
    for (size_t i = 0; i < n; i++) {
        o.value[i] =
            !sums && full_range ? rand() % 256 - 128 : rand() % 15 - 7 + (is_complex(t) ? (rand() % 9 - 4) * I : 0);
        put(t, sums, o.at, i, o.value[i]);
    }
    return o;
}

static void operand_free(struct operand o)
{
    free(o.value);
    free(o.at);
}

static double complex element(struct operand o, bool transposed, bool conjugated, int64_t i, int64_t j)
{
    double complex v = o.value[transposed ? j + i * o.ld : i + j * o.ld];
    return conjugated ? conj(v) : v;
}

static void product_check(void (*run)(const struct product *), enum product_type t, const int *size, unsigned modes)
{
    struct product p = {.m = size[0], .n = size[1], .k = size[2]};
    p.a_transposed = modes & 1;
    p.b_transposed = modes & 2;
    p.a_conjugated = p.a_transposed && is_complex(t) && modes & 4;
    p.b_conjugated = p.b_transposed && is_complex(t) && modes & 4;
    struct operand a = operand_make(t, false, p.a_transposed ? p.k : p.m, p.a_transposed ? p.m : p.k, 1);
    struct operand b = operand_make(t, false, p.b_transposed ? p.n : p.k, p.b_transposed ? p.k : p.n, 2);
    struct operand c = operand_make(t, true, p.m, p.n, 3);
    double complex alpha = is_complex(t) ? 2 - I : 3, beta = modes & 8 ? 0 : -2;
    char scalars[2][16];
    put(t, true, scalars[0], 0, alpha);
    put(t, true, scalars[1], 0, beta);
    p.a = a.at;
    p.lda = a.ld;
    p.b = b.at;
    p.ldb = b.ld;
    p.c = c.at;
    p.ldc = c.ld;
    p.alpha = scalars[0];
    p.beta = scalars[1];
    run(&p);
    int wrong = 0;
    for (int64_t j = 0; j < p.n; j++)
        for (int64_t i = 0; i < c.ld; i++) { // what lies behind the rows of C stays as it is
            double complex want = c.value[i + j * c.ld], sum = 0;
            for (int64_t d = 0; i < p.m && d < p.k; d++)
                sum +=
                    element(a, p.a_transposed, p.a_conjugated, i, d) * element(b, p.b_transposed, p.b_conjugated, d, j);
            want = i < p.m ? alpha * sum + beta * want : want;
            wrong += get(t, c.at, (size_t)(i + j * c.ld)) != want;
        }
    CHECK(wrong == 0);
    operand_free(a);
    operand_free(b);
    operand_free(c);
}

// An emulator takes minutes for all of them; of these four each mode is on in two and off in two.
static unsigned mode_step(void)
{
    return getenv("HEDDLE_TEST_BRIEF") ? 5 : 1;
}

static void special_check(const struct product_special *special)
{
    static const int sizes[][3] = {{1, 1, 1},    {3, 2, 5},     {8, 8, 8},      {17, 9, 33},   {33, 13, 64},
                                   {16, 40, 31}, {70, 30, 300}, {64, 64, 1100}, {300, 20, 40}, {9, 800, 12}};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (unsigned modes = 0; modes < 16; modes += mode_step()) {
            // The second time with all numbers that a byte can be.
            product_check(special->run, special->type, sizes[s], modes);
            full_range = special->type == PRODUCT_I || (special->type == PRODUCT_IF && sizes[s][2] <= PRODUCT_DEPTH);
            if (full_range && modes < 4)
                product_check(special->run, special->type, sizes[s], modes);
            full_range = false;
        }
}

static void engine_check(const struct engine *e)
{
    static const int sizes[][3] = {{1, 1, 1},    {3, 2, 5},     {8, 8, 8},     {17, 9, 33},  {33, 13, 64},
                                   {50, 40, 60}, {64, 48, 256}, {125, 21, 90}, {70, 30, 300}};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (enum product_type t = 0; t < PRODUCT_TYPES; t++)
            for (unsigned modes = 0; modes < 16; modes += mode_step()) {
                product_check(e->run[t], t, sizes[s], modes);
                if (e->small[t] && sizes[s][2] <= PRODUCT_DEPTH)
                    product_check(e->small[t], t, sizes[s], modes);
            }
}

int main(void)
{
#ifndef ONLY_SPECIALS
    engine_check(&engine_plain);
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        engine_check(&engine_avx2);
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512dq"))
        engine_check(&engine_avx512);
#endif
#else
    (void)engine_check;
#endif
    for (const struct product_special *s = product_specials; s->run; s++)
        if (product_special_runs(s))
            special_check(s);
    return test_summary();
}
