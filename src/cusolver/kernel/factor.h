// SPDX-License-Identifier: Apache-2.0
// A template of number.h: factorisations by panels in one type.
//
// A step of the grid's `step` applies panel s = step, which is factored, to what lies right of it. Part 0 takes the next panel, and then factors
// it; the others take groups of columns (of rows, for U) behind that. So a panel is factored while the rest is still being changed, and
// the next step finds it ready. Step -1 factors the first panel.
// What converts one type is nothing for another: NOLINTBEGIN(readability-redundant-casting)
#ifndef HEDDLE_CUSOLVER_KERNEL_FACTOR
#define HEDDLE_CUSOLVER_KERNEL_FACTOR
enum { STEP_FIRST = -1, STEP_SWAPS = -2, PANEL_MOST = 192 };
struct span {
    int64_t first, last;
};
// The columns of a part, 0 the next panel's: from, to; empty where there are none.
static inline struct span span_of(const struct work *w, uint64_t part)
{
    const int64_t next = (w->step + 1) * w->width, end = la_min(w->k, next + w->width); // STEP_FIRST: 0
    const int64_t first = end + ((int64_t)part - 1) * 2 * w->width;
    return part ? (struct span){first, la_min(w->count, first + 2 * w->width)} : (struct span){la_min(next, end), end};
}
// Info of panels before this step; that of the panel which is factored at the same time is not looked at.
static inline bool failed_before(const struct work *w)
{
    const int info = __atomic_load_n(w->info, __ATOMIC_RELAXED);
    return info && info <= (w->step + 1) * w->width;
}
#endif

// Pivots first to last, from 1 on relative to `base`.
static void FN(pivots_get)(const struct work *w, int64_t first, int64_t last, int64_t base, int *to)
{
    for (int64_t i = first; i < last; i++)
        to[i - first] =
            (int)((w->wide ? ((const int64_t *)w->pivots)[i] : (int64_t)((const int *)w->pivots)[i]) - base);
}

static void FN(lu_panel)(const struct work *w, int64_t first, int64_t last)
{
    int pivots[PANEL_MOST];
    T *a = (T *)w->a + first + first * w->lda;
    const int64_t info = FN(la_getrf)(w->m - first, last - first, a, w->lda, w->pivots ? pivots : NULL);
    for (int64_t i = 0; w->pivots && i < last - first; i++)
        if (w->wide)
            ((int64_t *)w->pivots)[first + i] = pivots[i] + first;
        else
            ((int *)w->pivots)[first + i] = (int)(pivots[i] + first);
    if (info && !*w->info)
        __atomic_store_n(w->info, (int)(first + info), __ATOMIC_RELAXED);
}

static void FN(lu_apply)(const struct work *w, struct span s)
{
    int pivots[PANEL_MOST];
    const int64_t row = w->step * w->width, end = la_min(w->k, row + w->width), pb = end - row, n = s.last - s.first;
    T *a = w->a, *l = a + row + row * w->lda, *c = a + row + s.first * w->lda;
    if (w->pivots) {
        FN(pivots_get)(w, row, end, row, pivots);
        FN(la_laswp)(n, c, w->lda, 0, pb, pivots, false);
    }
    FN(la_trsm)('L', 'L', 'N', 'U', pb, n, l, w->lda, c, w->lda);
    FN(la_gemm)('N', 'N', w->m - end, n, pb, (T)-1, l + pb, w->lda, c, w->lda, (T)1, c + pb, w->lda);
}

// The exchanges of later panels, in the columns of panel `part`.
static void FN(lu_swaps)(const struct work *w, int64_t part)
{
    int pivots[PANEL_MOST];
    T *a = (T *)w->a + part * w->width * w->lda;
    for (int64_t row = (part + 1) * w->width; row < w->k; row += w->width) {
        const int64_t end = la_min(w->k, row + w->width);
        FN(pivots_get)(w, row, end, row, pivots);
        FN(la_laswp)(w->width, a + row, w->lda, 0, end - row, pivots, false);
    }
}

RUN(getrf)
{
    if (w->step == STEP_SWAPS) {
        FN(lu_swaps)(w, (int64_t)part);
        return;
    }
    const struct span s = span_of(w, part);
    if (w->step == STEP_FIRST)
        *w->info = 0;
    else if (s.first < s.last)
        FN(lu_apply)(w, s);
    if (!part && s.first < s.last)
        FN(lu_panel)(w, s.first, s.last);
}

// The whole of a small one. pivots of 64 bits are made from the others'.
RUN(getrf_whole)
{
    (void)part;
    int *pivots = w->pivots;
    if (w->wide && w->pivots)
        pivots = la_take((size_t)(w->k + 1) * sizeof(int));
    *w->info = (int)FN(la_getrf)(w->m, w->n, w->a, w->lda, pivots);
    for (int64_t i = 0; w->wide && pivots && i < w->k; i++)
        ((int64_t *)w->pivots)[i] = pivots[i];
}

static void FN(cholesky_panel)(const struct work *w, int64_t first, int64_t last)
{
    T *a = (T *)w->a + first + first * w->lda;
    const int64_t pb = last - first, rest = w->n - last;
    const int64_t info = FN(la_potrf)(w->uplo, pb, a, w->lda);
    if (info) {
        __atomic_store_n(w->info, (int)(first + info), __ATOMIC_RELAXED);
        return;
    }
    if (w->uplo == 'L')
        FN(la_trsm)('R', 'L', 'C', 'N', rest, pb, a, w->lda, a + pb, w->lda);
    else
        FN(la_trsm)('L', 'U', 'C', 'N', pb, rest, a, w->lda, a + pb * w->lda, w->lda);
}

static void FN(cholesky_apply)(const struct work *w, struct span s)
{
    const int64_t row = w->step * w->width, end = la_min(w->k, row + w->width), pb = end - row;
    const int64_t n = s.last - s.first, rest = w->n - s.last;
    T *a = w->a, *c = a + s.first + s.first * w->lda;
    if (w->uplo == 'L') {
        const T *l = a + s.first + row * w->lda;
        FN(la_herk)('L', 'N', n, pb, -1, l, w->lda, c, w->lda);
        FN(la_gemm)('N', 'C', rest, n, pb, (T)-1, l + n, w->lda, l, w->lda, (T)1, c + n, w->lda);
    } else {
        const T *u = a + row + s.first * w->lda;
        FN(la_herk)('U', 'C', n, pb, -1, u, w->lda, c, w->lda);
        FN(la_gemm)('C', 'N', n, rest, pb, (T)-1, u, w->lda, u + n * w->lda, w->lda, (T)1, c + n * w->lda, w->lda);
    }
}

RUN(potrf)
{
    const struct span s = span_of(w, part);
    if (w->step == STEP_FIRST)
        *w->info = 0;
    else if (failed_before(w))
        return;
    else if (s.first < s.last)
        FN(cholesky_apply)(w, s);
    if (!part && s.first < s.last)
        FN(cholesky_panel)(w, s.first, s.last);
}

RUN(potrf_whole)
{
    (void)part;
    *w->info = (int)FN(la_potrf)(w->uplo, w->n, w->a, w->lda);
}

// b: tau, c: a triangle T for each panel
RUN(geqrf)
{
    const struct span s = span_of(w, part);
    T *a = w->a, *t = w->c;
    if (w->step == STEP_FIRST)
        *w->info = 0;
    else if (s.first < s.last) {
        const int64_t row = w->step * w->width, pb = la_min(w->k, row + w->width) - row;
        FN(la_larfb)('L', 'C', w->m - row, s.last - s.first, pb, a + row + row * w->lda, w->lda, t + row * w->width,
                     w->width, a + row + s.first * w->lda, w->lda);
    }
    if (part || s.first >= s.last)
        return;
    T *panel = a + s.first + s.first * w->lda, *tau = (T *)w->b + s.first;
    FN(la_geqrf)(w->m - s.first, s.last - s.first, panel, w->lda, tau);
    if (s.last < w->n)
        FN(la_larft)(w->m - s.first, s.last - s.first, panel, w->lda, tau, t + s.first * w->width, w->width);
}

RUN(geqrf_whole)
{
    (void)part;
    *w->info = 0;
    FN(la_geqrf)(w->m, w->n, w->a, w->lda, w->b);
}
// NOLINTEND(readability-redundant-casting)
