// SPDX-License-Identifier: Apache-2.0
// How a product is cut into tiles: as large as packing wants them, unless that leaves too few of them for the workers. A tile packs its rows
// of op(A) and its columns of op(B) itself, so that each cut in two costs another copy of one of them.
//
// By our own code an element does not depend on the cut (product.h), which may then follow from the number of the machine's processors. By
// OpenBLAS it does, and the cut follows from sizes alone.
#include "base/os.h"
#include "cublas/compute/product.h"

enum { LEAST = 48 }; // what is not cut further

static int64_t parts_wanted(enum product_type type)
{
    enum { EACH = 2, ANYWHERE = 32 };
    static _Atomic int64_t processors;
    if (!product_is_own(type))
        return ANYWHERE;
    if (!processors)
        processors = os_cpu_count();
    return EACH * processors;
}

// One of `count` pieces that are about equal: multiples of the tiles of most engines, large ones of all.
static int64_t piece(int64_t size, int64_t count)
{
    enum { LARGE = 480, MULTIPLE = 48, SMALL_MULTIPLE = 16 };
    const int64_t equal = product_pieces(size, count), of = equal >= LARGE ? MULTIPLE : SMALL_MULTIPLE;
    return product_min(size, product_pieces(equal, of) * of);
}

struct product_tiles product_tiles_choose(enum product_type type, int64_t m, int64_t n, int64_t k, int64_t count)
{
    const double FLOPS = 4e6;
    const int64_t parts = parts_wanted(type);
    int64_t down = product_pieces(m, PRODUCT_TILE_M), across = product_pieces(n, PRODUCT_TILE_N);
    int64_t tm = piece(m, down), tn = piece(n, across);
    while (product_pieces(m, tm) * product_pieces(n, tn) * count < parts && (tm > LEAST || tn > LEAST) &&
           2.0 * (double)tm * (double)tn * (double)k > FLOPS) {
        if (tn >= tm)
            tn = piece(n, across *= 2);
        else
            tm = piece(m, down *= 2);
    }
    return (struct product_tiles){.m = tm, .n = tn, .column = product_pieces(m, tm), .row = product_pieces(n, tn)};
}
