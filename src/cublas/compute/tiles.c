// SPDX-License-Identifier: Apache-2.0
// How a product is cut into tiles: as large as packing wants them, unless that leaves too few of them for the workers.
#include "cublas/compute/product.h"

static int64_t ceil_div(int64_t a, int64_t b)
{
    return (a + b - 1) / b;
}

struct product_tiles product_tiles_choose(int64_t m, int64_t n, int64_t k, int64_t count)
{
    enum { MOST_M = 384, MOST_N = 768, LEAST = 48, PARTS = 32 };
    const double FLOPS = 4e6;
    int64_t tm = m < MOST_M ? m : MOST_M, tn = n < MOST_N ? n : MOST_N;
    while (ceil_div(m, tm) * ceil_div(n, tn) * count < PARTS && (tm > LEAST || tn > LEAST) &&
           2.0 * (double)tm * (double)tn * (double)k > FLOPS) {
        if (tn >= tm)
            tn = ceil_div(tn / 2, LEAST) * LEAST;
        else
            tm = ceil_div(tm / 2, LEAST) * LEAST;
    }
    return (struct product_tiles){.m = tm, .n = tn, .column = ceil_div(m, tm), .row = ceil_div(n, tn)};
}
