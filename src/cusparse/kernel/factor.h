// SPDX-License-Identifier: Apache-2.0
// A template of kind.h: incomplete factorisations without fill-in, of matrices of blocks. A row of blocks is taken as rows of elements
// whose pattern is that of the blocks, so that blocks of 1 x 1 are the same text. Rows are taken from the first on; where[j] is the block
// of the current row in block column j, or -1.
static void FN(boost)(const struct factor *x, EA *pivot)
{
    if (x->boost && *(const double *)scalar_value(&x->tol) >= MAGNITUDE(*pivot))
        *pivot = *(const T *)scalar_value(&x->value);
}

// Row r of row i of blocks: what stands left of the diagonal is eliminated by the rows above, the rest is updated where it has elements.
static void FN(lu_row)(const struct factor *x, int i, int r)
{
    const struct blocks *a = &x->a;
    EA *v = a->values;
    for (int k = blocks_begin(a, i), end = blocks_begin(a, i + 1); k < end; k++) {
        int above = blocks_column(a, k), columns = above < i ? a->width : above == i ? r : 0;
        for (int c = 0; c < columns; c++) {
            int d = x->diagonal[above];
            T l = v[blocks_at(a, k, r, c)] / (d < 0 ? (T)0 : v[blocks_at(a, d, c, c)]);
            v[blocks_at(a, k, r, c)] = l;
            for (int q = d < 0 ? blocks_begin(a, above) : d; q < blocks_begin(a, above + 1); q++) {
                int j = blocks_column(a, q), to = j < above ? -1 : x->where[j];
                for (int e = j == above ? c + 1 : 0; to >= 0 && e < a->width; e++)
                    v[blocks_at(a, to, r, e)] -= l * v[blocks_at(a, q, c, e)];
            }
        }
    }
}

static bool FN(lu_pivot)(const struct factor *x, int i, int r)
{
    int d = x->diagonal[i];
    if (d < 0)
        return false;
    EA *pivot = (EA *)x->a.values + blocks_at(&x->a, d, r, r);
    FN(boost)(x, pivot);
    return *pivot != (T)0;
}

// L of A = L L^H: only the lower triangle is read and written. An element is what is left of A's after the products of the two rows' elements
// further left, by the pivot of its column.
static T FN(ic_rest)(const struct factor *x, T rest, int r, int above, int c)
{
    const struct blocks *a = &x->a;
    const EA *v = a->values;
    for (int q = blocks_begin(a, above); q < blocks_begin(a, above + 1); q++) {
        int j = blocks_column(a, q), to = j > above ? -1 : x->where[j], columns = j < above ? a->width : c;
        for (int e = 0; to >= 0 && e < columns; e++)
            rest -= v[blocks_at(a, to, r, e)] * CONJ(v[blocks_at(a, q, c, e)]);
    }
    return rest;
}

static void FN(ic_row)(const struct factor *x, int i, int r)
{
    const struct blocks *a = &x->a;
    EA *v = a->values;
    for (int k = blocks_begin(a, i), end = blocks_begin(a, i + 1); k < end; k++) {
        int above = blocks_column(a, k), columns = above < i ? a->width : above == i ? r : 0;
        for (int c = 0; c < columns; c++) {
            int d = x->diagonal[above];
            EA *e = v + blocks_at(a, k, r, c);
            *e = FN(ic_rest)(x, *e, r, above, c) / (d < 0 ? (T)0 : v[blocks_at(a, d, c, c)]);
        }
    }
}

static bool FN(ic_pivot)(const struct factor *x, int i, int r)
{
    int d = x->diagonal[i];
    if (d < 0)
        return false;
    EA *pivot = (EA *)x->a.values + blocks_at(&x->a, d, r, r);
    double rest = REAL(FN(ic_rest)(x, *pivot, r, i, r));
    *pivot = sqrt(rest);
    return rest > 0;
}

static void FN(factor_run)(const void *block, uint64_t part)
{
    const struct factor *x = block;
    const struct blocks *a = &x->a;
    int zero = -1;
    (void)part;
    find_diagonal(x);
    for (int j = 0; j < a->rows; j++)
        x->where[j] = -1;
    for (int i = 0; i < a->rows; i++) {
        int begin = blocks_begin(a, i), end = blocks_begin(a, i + 1);
        for (int k = begin; k < end; k++)
            x->where[blocks_column(a, k)] = k;
        for (int r = 0; r < a->height; r++) {
            bool good;
            if (x->cholesky) {
                FN(ic_row)(x, i, r);
                good = FN(ic_pivot)(x, i, r);
            } else {
                FN(lu_row)(x, i, r);
                good = FN(lu_pivot)(x, i, r);
            }
            if (!good && zero < 0)
                zero = i;
        }
        for (int k = begin; k < end; k++)
            x->where[blocks_column(a, k)] = -1;
    }
    x->info->position = zero;
}
