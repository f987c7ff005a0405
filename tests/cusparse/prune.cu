// SPDX-License-Identifier: Apache-2.0
// Elements that are not 0 or above a threshold: counted, kept as CSR, from dense matrices and from CSR, by a value and by percentage.
#include "legacy_test.h"
#include <algorithm>

TYPED(nnz)
TYPED(nnz_compress)
TYPED(csr2csr_compress)

static cusparseHandle_t h;

// ---- counts and compression
template <class T> static void counts(bool device, int base)
{
    const int m = 15, n = 11, lda = 17;
    dense d = random_sparse<T>(m, n, 40);
    std::vector<X> e((size_t)(lda * n), X(7, 0));
    std::vector<int> rows((size_t)m), columns((size_t)n);
    int all = 0;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            e[(size_t)(i + j * lda)] = d.at(i, j);
            int one = d.at(i, j) != X(0, 0);
            rows[(size_t)i] += one;
            columns[(size_t)j] += one;
            all += one;
        }
    array<T> a(of_numbers<T>(e));
    array<int> per((size_t)m), per_column((size_t)n), there(1);
    descr de(base);
    int total = -1, *t = device ? there.dev : &total;
    device_scalars(h, device);
    OK(nnz<T>(h, CUSPARSE_DIRECTION_ROW, m, n, de.d, (const T *)a.dev, lda, per.dev, t));
    CHECK((device ? there.one() : total) == all && per.get() == rows);
    OK(nnz<T>(h, CUSPARSE_DIRECTION_COLUMN, m, n, de.d, (const T *)a.dev, lda, per_column.dev, t));
    CHECK((device ? there.one() : total) == all && per_column.get() == columns);
    // what is above 1 is left
    dense left = d;
    for (X &x : left.e)
        x = std::abs(x) > 1 ? x : X(0, 0);
    block_matrix<T> from(d, 1, 1, false, base);
    block_pattern want(left, 1, 1, false, base);
    array<int> o(want.offsets.size()), c(want.columns.size());
    array<T> v(want.columns.size());
    const T *fv = from.v.dev;
    T tol = number<T>::of(X(1, 0));
    OK(nnz_compress<T>(h, m, de.d, fv, from.o.dev, per.dev, t, tol));
    CHECK((device ? there.one() : total) == want.nnz());
    OK(csr2csr_compress<T>(h, m, n, de.d, fv, from.c.dev, from.o.dev, from.nnz(), per.dev, v.dev, c.dev, o.dev, tol));
    CHECK(o.get() == want.offsets && c.get() == want.columns);
    compare(v.get(), want.values(left), "csr2csr_compress");
    WANT(nnz_compress<T>(h, m, de.d, fv, from.o.dev, per.dev, t, number<T>::of(X(-1, 0))),
         CUSPARSE_STATUS_INVALID_VALUE);
    device_scalars(h, false);
}

// ---- pruning, in halves too
template <class T> static void prune();
#define PRUNE(letter, T)                                                                                               \
    template <> void prune<T>()                                                                                        \
    {                                                                                                                  \
        for (int turn = 0; turn < 4; turn++)                                                                           \
            prune_with<T>(turn, cusparse##letter##pruneDense2csr_bufferSizeExt, cusparse##letter##pruneDense2csrNnz,   \
                          cusparse##letter##pruneDense2csr, cusparse##letter##pruneCsr2csr_bufferSizeExt,              \
                          cusparse##letter##pruneCsr2csrNnz, cusparse##letter##pruneCsr2csr,                           \
                          cusparse##letter##pruneDense2csrByPercentage_bufferSizeExt,                                  \
                          cusparse##letter##pruneDense2csrNnzByPercentage,                                             \
                          cusparse##letter##pruneDense2csrByPercentage,                                                \
                          cusparse##letter##pruneCsr2csrByPercentage_bufferSizeExt,                                    \
                          cusparse##letter##pruneCsr2csrNnzByPercentage, cusparse##letter##pruneCsr2csrByPercentage);  \
    }

static dense above(const dense &d, double threshold)
{
    dense left = d;
    for (X &x : left.e)
        x = std::abs(x) > threshold ? x : X(0, 0);
    return left;
}
static double at_percentage(std::vector<X> e, float percentage)
{
    std::sort(e.begin(), e.end(), [](X a, X b) { return std::abs(a) < std::abs(b); });
    int pos = (int)std::ceil((double)e.size() * percentage / 100) - 1;
    return std::abs(e[(size_t)std::max(0, std::min(pos, (int)e.size() - 1))]);
}
template <class T> struct kept {
    block_pattern want;
    dense left;
    array<int> o, c;
    array<T> v;
    kept(const dense &d, int base)
        : want(d, 1, 1, false, base), left(d), o(want.offsets.size()), c(want.columns.size()), v(want.columns.size())
    {
    }
    void same(int total, const char *what)
    {
        check(total == want.nnz() && o.get() == want.offsets && c.get() == want.columns, what, __FILE__, __LINE__);
        compare(v.get(), want.values(left), what);
    }
};

template <class T, class S1, class N1, class F1, class S2, class N2, class F2, class S3, class N3, class F3, class S4,
          class N4, class F4>
static void prune_with(int turn, S1 dense_size, N1 dense_nnz, F1 dense_fill, S2 csr_size, N2 csr_nnz, F2 csr_fill,
                       S3 dense_size_by, N3 dense_nnz_by, F3 dense_fill_by, S4 csr_size_by, N4 csr_nnz_by,
                       F4 csr_fill_by)
{
    const int m = 14, n = 9, lda = 16;
    bool device = turn & 1;
    int base = turn >> 1, total = -1;
    float percentage = turn == 0 ? 0 : turn == 1 ? 35 : turn == 2 ? 80 : 100;
    dense d = random_sparse<T>(m, n, 60);
    for (size_t k = 0; k < d.e.size(); k++) // no magnitude twice
        if (d.e[k] != X(0, 0))
            d.e[k] = X((k & 1 ? -1 : 1) * (double)(k * 53 % 127 + 1) / 8, 0);
    std::vector<X> e((size_t)(lda * n), X(9, 0));
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            e[(size_t)(i + j * lda)] = d.at(i, j);
    array<T> a(of_numbers<T>(e)), limit_there(std::vector<T>{number<T>::of(X(5, 0))});
    T limit_here = number<T>::of(X(5, 0));
    const T *limit = device ? limit_there.dev : &limit_here;
    block_matrix<T> csr(d, 1, 1, false, base);
    descr da(base), dc(!base);
    array<int> there(1);
    int *t = device ? there.dev : &total;
    auto number_of = [&] { return device ? there.one() : total; };
    array<char> buffer(16384);
    size_t bytes = 0;
    pruneInfo_t info;
    OK(cusparseCreatePruneInfo(&info));
    device_scalars(h, device);
    std::vector<X> elements;
    for (X x : d.e)
        if (x != X(0, 0))
            elements.push_back(x);
    kept<T> k1(above(d, 5), !base), k2(above(d, 5), !base), k3(above(d, at_percentage(d.e, percentage)), !base),
        k4(above(d, at_percentage(elements, percentage)), !base);
    OK(dense_size(h, m, n, a.dev, lda, limit, dc.d, k1.v.dev, k1.o.dev, k1.c.dev, &bytes));
    CHECK(bytes <= buffer.n);
    OK(dense_nnz(h, m, n, a.dev, lda, limit, dc.d, k1.o.dev, t, buffer.dev));
    OK(dense_fill(h, m, n, a.dev, lda, limit, dc.d, k1.v.dev, k1.o.dev, k1.c.dev, buffer.dev));
    k1.same(number_of(), "pruneDense2csr");
    OK(csr_size(h, m, n, csr.nnz(), da.d, csr.v.dev, csr.o.dev, csr.c.dev, limit, dc.d, k2.v.dev, k2.o.dev, k2.c.dev,
                &bytes));
    CHECK(bytes <= buffer.n);
    OK(csr_nnz(h, m, n, csr.nnz(), da.d, csr.v.dev, csr.o.dev, csr.c.dev, limit, dc.d, k2.o.dev, t, buffer.dev));
    OK(csr_fill(h, m, n, csr.nnz(), da.d, csr.v.dev, csr.o.dev, csr.c.dev, limit, dc.d, k2.v.dev, k2.o.dev, k2.c.dev,
                buffer.dev));
    k2.same(number_of(), "pruneCsr2csr");
    OK(dense_size_by(h, m, n, a.dev, lda, percentage, dc.d, k3.v.dev, k3.o.dev, k3.c.dev, info, &bytes));
    CHECK(bytes <= buffer.n);
    OK(dense_nnz_by(h, m, n, a.dev, lda, percentage, dc.d, k3.o.dev, t, info, buffer.dev));
    OK(dense_fill_by(h, m, n, a.dev, lda, percentage, dc.d, k3.v.dev, k3.o.dev, k3.c.dev, info, buffer.dev));
    k3.same(number_of(), "pruneDense2csrByPercentage");
    OK(csr_size_by(h, m, n, csr.nnz(), da.d, csr.v.dev, csr.o.dev, csr.c.dev, percentage, dc.d, k4.v.dev, k4.o.dev,
                   k4.c.dev, info, &bytes));
    CHECK(bytes <= buffer.n);
    OK(csr_nnz_by(h, m, n, csr.nnz(), da.d, csr.v.dev, csr.o.dev, csr.c.dev, percentage, dc.d, k4.o.dev, t, info,
                  buffer.dev));
    OK(csr_fill_by(h, m, n, csr.nnz(), da.d, csr.v.dev, csr.o.dev, csr.c.dev, percentage, dc.d, k4.v.dev, k4.o.dev,
                   k4.c.dev, info, buffer.dev));
    k4.same(number_of(), "pruneCsr2csrByPercentage");
    WANT(dense_nnz_by(h, m, n, a.dev, lda, 101.0f, dc.d, k3.o.dev, t, info, buffer.dev), CUSPARSE_STATUS_INVALID_VALUE);
    device_scalars(h, false);
    OK(cusparseDestroyPruneInfo(info));
}
PRUNE(H, __half)
PRUNE(S, float)
PRUNE(D, double)

static void wrong()
{
    const cusparseStatus_t invalid = CUSPARSE_STATUS_INVALID_VALUE;
    const cusparseDirection_t row = CUSPARSE_DIRECTION_ROW;
    array<float> a(64);
    array<int> o(9), c(64);
    array<char> buffer(1024);
    descr d(0);
    float one = 1;
    int total = 0;
    WANT(cusparseSnnz(nullptr, row, 8, 8, d.d, a.dev, 8, c.dev, &total), CUSPARSE_STATUS_NOT_INITIALIZED);
    WANT(cusparseSnnz(h, row, 8, 8, d.d, a.dev, 7, c.dev, &total), invalid);
    WANT(cusparseSnnz(h, row, 8, 8, d.d, a.dev, 8, nullptr, &total), invalid);
    WANT(cusparseSnnz(h, row, 8, 8, d.d, a.dev, 8, c.dev, nullptr), invalid);
    WANT(cusparseSpruneDense2csrNnz(h, 8, 8, a.dev, 8, nullptr, d.d, o.dev, &total, buffer.dev), invalid);
    WANT(cusparseSpruneDense2csrNnz(h, 8, 8, a.dev, 8, &one, d.d, nullptr, &total, buffer.dev), invalid);
    WANT(cusparseSpruneDense2csrNnz(h, 8, 8, a.dev, 8, &one, nullptr, o.dev, &total, buffer.dev), invalid);
    WANT(cusparseSpruneDense2csrNnzByPercentage(h, 8, 8, a.dev, 8, 50, d.d, o.dev, &total, nullptr, buffer.dev),
         invalid);
    OK(cusparseSetMatType(d.d, CUSPARSE_MATRIX_TYPE_HERMITIAN));
    WANT(cusparseSnnz(h, row, 8, 8, d.d, a.dev, 8, c.dev, &total), CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED);
}

template <class T> static void type()
{
    for (int turn = 0; turn < 4; turn++)
        counts<T>(turn & 1, turn >> 1);
}

int main()
{
    OK(cusparseCreate(&h));
    type<float>();
    type<double>();
    type<C>();
    type<Z>();
    prune<__half>();
    prune<float>();
    prune<double>();
    wrong();
    OK(cusparseDestroy(h));
    return summary() != 0;
}
