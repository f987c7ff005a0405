// SPDX-License-Identifier: Apache-2.0
// How a product is cut into tiles. A tile packs its rows of op(A) and its columns of op(B) itself, so that each cut in two costs another copy
// of one of them.
//
// By our own code an element does not depend on the cut (product.h), which may then follow from the number of workers: one tile for one
// worker. By OpenBLAS it does, and the cut follows from sizes alone.
#include "base/env.h"
#include "base/os.h"
#include "cublas/compute/product.h"
#include <math.h>

// What is not cut further: edges, and operations. OpenBLAS packs anew for each tile; by our own code a tile is worth a worker from some
// microseconds on. Measured on two cores with AVX-512, a call with one tile and with two: f32, n = 64, 4.6 and 3.7 us, 96, 14.1 and 8.9; f64
// 9.2 and 6.6, 26.3 and 15.4.
enum { LEAST = 48, LEAST_OWN = 32 };
static const double FLOPS = 4e6, FLOPS_OWN = 1e6;

static int64_t workers(void)
{
    static _Atomic int64_t known;
    if (!known) {
        int64_t asked = env_number("HEDDLE_THREADS");
        known = asked ? asked : os_cpu_count();
    }
    return known;
}

// One of `count` pieces that are about equal: multiples of the tiles of most engines, large ones of all.
static int64_t piece(int64_t size, int64_t count)
{
    enum { LARGE = 480, MULTIPLE = 48, SMALL_MULTIPLE = 16 };
    const int64_t equal = product_pieces(size, count), of = equal >= LARGE ? MULTIPLE : SMALL_MULTIPLE;
    return product_min(size, product_pieces(equal, of) * of);
}

// So many tiles that all the workers of a large machine have some.
static void choose_by_size(int64_t m, int64_t n, int64_t k, int64_t count, int64_t *tm, int64_t *tn)
{
    enum { ANYWHERE = 32 };
    int64_t down = product_pieces(m, PRODUCT_TILE_M), across = product_pieces(n, PRODUCT_TILE_N);
    *tm = piece(m, down);
    *tn = piece(n, across);
    while (product_pieces(m, *tm) * product_pieces(n, *tn) * count < ANYWHERE && (*tm > LEAST || *tn > LEAST) &&
           2.0 * (double)*tm * (double)*tn * (double)k > FLOPS) {
        if (*tn >= *tm)
            *tn = piece(n, across *= 2);
        else
            *tm = piece(m, down *= 2);
    }
}

// What the product would take, in multiply-adds for each step of k, of one worker with nothing else to do: rounds of tiles, which do not end
// at the same time. Packing an element takes as long as 30 multiply-adds (S and D with AVX-512, n = 1024: 6 % of the whole).
static double cost(int64_t tm, int64_t tn, int64_t tiles, int64_t at_once)
{
    const double PACKED = 30, UNEVEN = 0.1;
    const double each = (double)tm * (double)tn + PACKED * (double)(tm + tn);
    return ((double)product_pieces(tiles, at_once) + UNEVEN) * each;
}

// One or two tiles for each worker, in as many rows of tiles as cost least.
static void choose_by_workers(const struct product_tiles *most, enum product_cut cut, int64_t m, int64_t n, int64_t k,
                              int64_t count, int64_t *tm, int64_t *tn)
{
    enum { MULTIPLE = 16, EACH = 2 };
    const int64_t at_once = workers();
    const double enough = 1 + 4.0 * (double)m * (double)n * (double)k * (double)count / FLOPS_OWN;
    double least = 0;
    *tm = most->m;
    *tn = most->n;
    // One tile for each matrix, as the search below would find by some thirty divisions: as long as a launch, for a small product.
    if (at_once == 1 || fmin(enough, (double)(EACH * at_once)) < (double)(count + 1))
        return;
    for (int64_t each = 1; each <= EACH; each++) {
        const int64_t parts = enough < (double)(each * at_once) ? (int64_t)enough : each * at_once;
        const int64_t wanted = at_once == 1 ? 1 : product_pieces(parts, count);
        for (int64_t down = cut == CUT_ROWS ? wanted : 1; down <= wanted; down++) {
            int64_t rows = product_pieces(m, down), columns = product_pieces(n, product_pieces(wanted, down));
            rows = product_min(product_pieces(product_max(rows, LEAST_OWN), MULTIPLE) * MULTIPLE, most->m);
            columns = product_min(product_pieces(product_max(columns, LEAST_OWN), MULTIPLE) * MULTIPLE, most->n);
            double c = cost(rows, columns, product_pieces(m, rows) * product_pieces(n, columns) * count, at_once);
            if (least == 0 || c < least) {
                least = c;
                *tm = rows;
                *tn = columns;
            }
        }
    }
}

struct product_tiles product_tiles_choose(enum product_type type, enum product_cut cut, int64_t m, int64_t n, int64_t k,
                                          int64_t count)
{
    const bool bounded = cut != CUT_ANYWHERE;
    const struct product_tiles most = {.m = bounded ? product_min(m, PRODUCT_TILE_M) : m,
                                       .n = bounded ? product_min(n, PRODUCT_TILE_N) : n};
    int64_t tm = m, tn = n;
    if (product_is_own(type))
        choose_by_workers(&most, cut, m, n, k, count, &tm, &tn);
    else
        choose_by_size(m, n, k, count, &tm, &tn);
    return (struct product_tiles){.m = tm, .n = tn, .column = product_pieces(m, tm), .row = product_pieces(n, tn)};
}
