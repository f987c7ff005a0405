// SPDX-License-Identifier: Apache-2.0
// Columns of matrices in all orders.
#include "cublaslt/matrix.h"
#include <string.h>

enum { WIDTH = 32 }; // columns of a group of tiles

static int64_t round_up(int64_t x, int64_t to)
{
    return (x + to - 1) / to * to;
}

// Rows of a tile.
static int64_t tile_rows(cublasLtOrder_t order)
{
    return order == CUBLASLT_ORDER_COL4_4R2_8C ? 8 : order == CUBLASLT_ORDER_COL32_2R_4R4 ? 32 : 1;
}

int64_t matrix_least_ld(cublasLtOrder_t order, int64_t rows, int64_t columns)
{
    int64_t least = order == CUBLASLT_ORDER_COL   ? rows
                    : order == CUBLASLT_ORDER_ROW ? columns
                                                  : WIDTH * round_up(rows, tile_rows(order));
    return least > 1 ? least : 1;
}

char *matrix_base(const struct lt_matrix *x, int64_t index)
{
    return x->pointers ? ((char *const *)x->at)[index] : (char *)x->at + index * x->stride * (int64_t)lt_size(x->type);
}

// Where an element lies in its tile of 32 columns: rows r and columns c count from the tile's first.
//   COL32        one row
//   COL4_4R2_8C  8 rows: four even ones, then four odd ones; of these blocks of 8 columns, each as two halves of 4 columns
//   COL32_2R_4R4 32 rows: pairs of rows, those of 8 rows apart side by side
static int64_t in_tile(cublasLtOrder_t order, int64_t r, int64_t c)
{
    if (order == CUBLASLT_ORDER_COL32)
        return c;
    if (order == CUBLASLT_ORDER_COL32_2R_4R4)
        return (((r % 8) / 2 * 4 + r / 8) * 2 + r % 2) * WIDTH + c;
    int64_t block = r % 2 * 4 + c / 8, half = c % 8 / 4, line = half * 4 + r / 2;
    return block * 32 + line * 4 + c % 4;
}

// Of the element in row r and column c of what is stored.
static int64_t offset(const struct lt_matrix *x, int64_t r, int64_t c)
{
    if (matrix_is_plain(x))
        return r + c * x->ld;
    int64_t rows = tile_rows(x->order);
    return c / WIDTH * x->ld + r / rows * rows * WIDTH + in_tile(x->order, r % rows, c % WIDTH);
}

// Elements of one size move between a list and places in the matrix; rs and cs say which way the list runs.
#define MOVE(bytes)                                                                                                    \
    case bytes: {                                                                                                      \
        for (int64_t q = 0; q < n; q++) {                                                                              \
            char *there = base + offset(x, r + q * rs, c + q * cs) * (bytes), *here = list + q * (bytes);              \
            memcpy(out ? there : here, out ? here : there, bytes);                                                     \
        }                                                                                                              \
        break;                                                                                                         \
    }

static void move(const struct lt_matrix *x, char *base, int64_t r, int64_t c, bool across, int64_t n, char *list,
                 bool out)
{
    int64_t rs = !across, cs = across;
    switch (lt_size(x->type)) {
        MOVE(1)
        MOVE(2)
        MOVE(4)
        MOVE(8)
        MOVE(16)
    }
}

void matrix_load(const struct lt_matrix *x, const char *base, int64_t i, int64_t j, int64_t n, enum lt_kind kind,
                 void *to, void *raw)
{
    const void *from = raw;
    if (matrix_is_plain(x) && !x->transposed)
        from = base + offset(x, i, j) * (int64_t)lt_size(x->type);
    else
        move(x, (char *)(uintptr_t)base, x->transposed ? j : i, x->transposed ? i : j, x->transposed, n, raw, false);
    lt_load(kind, x->type, to, from, n);
}

void matrix_store(const struct lt_matrix *x, char *base, int64_t i, int64_t j, int64_t n, enum lt_kind kind,
                  const void *from, void *raw)
{
    if (matrix_is_plain(x) && !x->transposed) {
        lt_store(kind, x->type, base + offset(x, i, j) * (int64_t)lt_size(x->type), from, n);
        return;
    }
    lt_store(kind, x->type, raw, from, n);
    move(x, base, x->transposed ? j : i, x->transposed ? i : j, x->transposed, n, raw, true);
}

void matrix_copy(const struct lt_matrix *x, const char *base, int64_t i, int64_t j, int64_t n, void *to)
{
    size_t size = lt_size(x->type);
    if (matrix_is_plain(x))
        memcpy(to, base + offset(x, i, j) * (int64_t)size, (size_t)n * size);
    else
        move(x, (char *)(uintptr_t)base, i, j, false, n, to, false);
}
