// SPDX-License-Identifier: Apache-2.0
// How a product is cut into tiles: as large as packing wants them, unless that leaves too few of them for the workers. A tile packs its rows
// of op(A) and its columns of op(B) itself, so that each cut in two costs another copy of one of them.
//
// By our own code an element does not depend on the cut (product.h), which may then follow from the number of the machine's processors. By
// OpenBLAS it does, and the cut follows from sizes alone.
#include "base/os.h"
#include "cublas/compute/product.h"

enum { LEAST = 48 }; // a multiple of the tiles of most engines

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

// As many pieces of about the same size as there are of `most`.
static int64_t piece(int64_t size, int64_t most)
{
    return size <= most ? size : product_pieces(product_pieces(size, product_pieces(size, most)), LEAST) * LEAST;
}

struct product_tiles product_tiles_choose(enum product_type type, int64_t m, int64_t n, int64_t k, int64_t count)
{
    const double FLOPS = 4e6;
    const int64_t parts = parts_wanted(type);
    int64_t tm = piece(m, PRODUCT_TILE_M), tn = piece(n, PRODUCT_TILE_N);
    while (product_pieces(m, tm) * product_pieces(n, tn) * count < parts && (tm > LEAST || tn > LEAST) &&
           2.0 * (double)tm * (double)tn * (double)k > FLOPS) {
        if (tn >= tm)
            tn = product_pieces(tn / 2, LEAST) * LEAST;
        else
            tm = product_pieces(tm / 2, LEAST) * LEAST;
    }
    return (struct product_tiles){.m = tm, .n = tn, .column = product_pieces(m, tm), .row = product_pieces(n, tn)};
}
