// SPDX-License-Identifier: Apache-2.0
// How a product is cut into tiles: as large as packing wants them, unless that leaves too few of them for the workers.
#include "cublas/compute/product.h"

struct product_tiles product_tiles_choose(int64_t m, int64_t n, int64_t k, int64_t count)
{
    enum { LEAST = 48, PARTS = 32 };
    const double FLOPS = 4e6;
    int64_t tm = product_min(m, PRODUCT_TILE_M), tn = product_min(n, PRODUCT_TILE_N);
    while (product_pieces(m, tm) * product_pieces(n, tn) * count < PARTS && (tm > LEAST || tn > LEAST) &&
           2.0 * (double)tm * (double)tn * (double)k > FLOPS) {
        if (tn >= tm)
            tn = product_pieces(tn / 2, LEAST) * LEAST;
        else
            tm = product_pieces(tm / 2, LEAST) * LEAST;
    }
    return (struct product_tiles){.m = tm, .n = tn, .column = product_pieces(m, tm), .row = product_pieces(n, tn)};
}
