// SPDX-License-Identifier: Apache-2.0
// A template of number.h: what is read of factors, in one type.
// What converts one type is nothing for another: NOLINTBEGIN(readability-redundant-casting)
static int FN(zero_pivot)(const struct factor_info *info, double tol)
{
    if (info->object.kind == OBJECT_CSRQR)
        return FN(sparse_qr_singular)(&info->f.FN(qr), tol, NULL);
    const struct FN(sparse_lu) *f = &info->f.FN(lu);
    const bool positive = info->object.kind == OBJECT_CSRCHOL;
    if (positive && info->singular >= 0)
        return info->singular;
    for (int i = 0; i < f->n; i++) {
        const double d = (double)FN(la_abs)(f->u.values[f->u.offsets[i]]);
        if (!((positive ? sqrt(d) : d) > tol))
            return i;
    }
    return -1;
}

// A row of U with its columns in order.
static void FN(put)(T *values, int *cols, int64_t first, int64_t *at, int col, T value)
{
    int64_t e = (*at)++;
    for (; e > first && cols[e - 1] > col; e--) {
        cols[e] = cols[e - 1];
        values[e] = values[e - 1];
    }
    cols[e] = col;
    values[e] = value;
}

// L's diagonal is of ones and is not stored.
static void FN(extract)(const struct factor_info *info, int *P, int *Q, int base_l, T *lv, int *lr, int *lc, int base_u,
                        T *uv, int *ur, int *uc)
{
    const struct FN(sparse_lu) *f = &info->f.FN(lu);
    int64_t l = 0, u = 0;
    for (int i = 0; i < f->n; i++) {
        const int64_t first_l = l, first_u = u;
        lr[i] = (int)l + base_l;
        ur[i] = (int)u + base_u;
        for (int64_t k = f->l.offsets[i]; k < f->l.offsets[i + 1]; k++)
            FN(put)(lv, lc, first_l, &l, f->l.cols[k] + base_l, f->l.values[k]);
        for (int64_t k = f->u.offsets[i]; k < f->u.offsets[i + 1]; k++)
            FN(put)(uv, uc, first_u, &u, f->place[f->u.cols[k]] + base_u, f->u.values[k]);
        P[i] = f->p[i];
        Q[i] = f->q[i];
    }
    lr[f->n] = (int)l + base_l;
    ur[f->n] = (int)u + base_u;
}

static void FN(diagonal)(const struct factor_info *info, R *to)
{
    const struct FN(sparse_lu) *f = &info->f.FN(lu);
    for (int i = 0; i < f->n; i++)
        to[i] = (R)sqrt((double)FN(la_re)(f->u.values[f->u.offsets[i]]));
}

static void FN(counts)(const struct factor_info *info, int *l, int *u)
{
    *l = (int)info->f.FN(lu).l.n;
    *u = (int)info->f.FN(lu).u.n;
}
// NOLINTEND(readability-redundant-casting)
