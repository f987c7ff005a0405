// SPDX-License-Identifier: Apache-2.0
// Products of bfloat16 by the processor's own instructions, where there are such: nothing is lost of small numbers, an element's bits do not depend on
// its neighbours, and the error is bounded. Elsewhere the same of the code that is there.
#include "cublas/compute/product.h"
#include "library/half.h"
#include "test.h"
#include <math.h>
#include <string.h>

enum { M = 37, N = 29, K = 600 };
static uint16_t a[M * K], b[K * N];

static float random_of(int least, int most)
{
    float f = ldexpf(1 + (float)(rand() % 128) / 128, least + rand() % (most - least + 1));
    return rand() % 2 ? f : -f;
}

static void run(float *c, int64_t i, int64_t j, int64_t m, int64_t n, bool strict)
{
    static const float one = 1, zero = 0;
    struct product p = {.m = m, .n = n, .k = K, .a = a + i, .lda = M, .b = b + j * K, .ldb = K, .ldc = m};
    p.alpha = &one;
    p.beta = &zero;
    p.c = c;
    p.strict = strict;
    product_run(PRODUCT_B, &p);
}

// Sums of products against double, in which products are exact: each of the K operations errs by less than a unit in the last place of the
// largest sum that there can be, and by less than the least subnormal number.
static void values(bool strict)
{
    float c[M * N];
    int wrong = 0;
    run(c, 0, 0, M, N, strict);
    for (int j = 0; j < N; j++)
        for (int i = 0; i < M; i++) {
            double sum = 0, magnitude = 0;
            for (int d = 0; d < K; d++) {
                double x = (double)bfloat_to_float(a[i + d * M]) * (double)bfloat_to_float(b[d + j * K]);
                sum += x;
                magnitude += fabs(x);
            }
            double error = fabs(c[i + j * M] - sum);
            wrong += isnan(c[i + j * M]) || error > K * (magnitude * 0x1p-24 * (strict ? 1 : 2) + 0x1p-150);
        }
    CHECK(wrong == 0);
}

// Every element alone has the bits that it has in the whole.
static void pieces(void)
{
    float c[M * N], piece[5 * 3];
    int differ = 0;
    run(c, 0, 0, M, N, false);
    for (int j = 0; j + 3 <= N; j += 7)
        for (int i = 0; i + 5 <= M; i += 8) {
            run(piece, i, j, 5, 3, false);
            for (int q = 0; q < 15; q++)
                differ += memcmp(&piece[q], &c[i + q % 5 + (j + q / 5) * M], sizeof(float)) != 0;
        }
    CHECK(differ == 0);
}

static void fill(int least, int most, int zeros)
{
    for (int i = 0; i < M * K; i++)
        a[i] = rand() % 100 < zeros ? 0 : bfloat_of_float(random_of(least, most));
    for (int i = 0; i < K * N; i++)
        b[i] = rand() % 100 < zeros ? 0 : bfloat_of_float(random_of(least, most));
}

static void check(void)
{
    values(false);
    values(true);
    pieces();
}

int main(void)
{
    fill(-10, 3, 10);
    check();
    fill(-63, -60, 50); // sums are subnormal
    check();
    fill(-70, -50, 0); // products are, and the least of them are halves of the least number and less
    check();
    fill(-3, 3, 5); // one row and one column of subnormal numbers among others, by large ones: their products count
    for (int d = 0; d < K; d++)
        a[5 + d * M] = (uint16_t)(rand() % 128);
    for (int d = 0; d < K; d++)
        b[d + 11 * K] = bfloat_of_float(random_of(100, 110));
    check();
    b[3] = 0x7f80; // infinity by a subnormal number is infinity, by a number of each sign NaN at most in one column
    float c[M * N];
    for (int d = 0; d < K; d++)
        a[5 + d * M] = 1;
    run(c, 0, 0, M, N, false);
    CHECK(isinf(c[5]) && c[5] > 0);
    int bad = 0;
    for (int i = M; i < M * N; i++)
        bad += !isfinite(c[i]);
    CHECK(bad == 0);
    return test_summary();
}
