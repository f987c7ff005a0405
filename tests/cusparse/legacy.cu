// SPDX-License-Identifier: Apache-2.0
// Functions without generic descriptors that are not about blocks: sums of matrices, systems of few diagonals, elements above a threshold, colours,
// rows that are not sorted.
#include "legacy_test.h"
#include <algorithm>

TYPED(csrgeam2_bufferSizeExt)
TYPED(csrgeam2)
TYPED(gtsv2_bufferSizeExt)
TYPED(gtsv2)
TYPED(gtsv2_nopivot_bufferSizeExt)
TYPED(gtsv2_nopivot)
TYPED(gtsv2StridedBatch_bufferSizeExt)
TYPED(gtsv2StridedBatch)
TYPED(gtsvInterleavedBatch_bufferSizeExt)
TYPED(gtsvInterleavedBatch)
TYPED(gpsvInterleavedBatch_bufferSizeExt)
TYPED(gpsvInterleavedBatch)
TYPED(nnz)
TYPED(nnz_compress)
TYPED(csr2csr_compress)
TYPED(csrcolor)
TYPED(csru2csr_bufferSizeExt)
TYPED(csru2csr)
TYPED(csr2csru)

static cusparseHandle_t h;

// ---- sums
template <class T> static void sums(int base_a, int base_b, int base_c, bool device)
{
    const int m = 17, n = 13;
    dense a = random_sparse<T>(m, n, 25), b = random_sparse<T>(m, n, 35, true), c(m, n), either(m, n);
    X alpha = X(2, number<T>::complex ? 1 : 0), beta = X(-3, 0);
    for (size_t k = 0; k < c.e.size(); k++) {
        c.e[k] = alpha * a.e[k] + beta * b.e[k];
        either.e[k] = a.e[k] != X(0, 0) || b.e[k] != X(0, 0) ? X(1, 0) : X(0, 0);
    }
    block_matrix<T> A(a, 1, 1, false, base_a), B(b, 1, 1, false, base_b);
    block_pattern want(either, 1, 1, false, base_c);
    descr da(base_a), db(base_b), dc(base_c);
    array<int> o(want.offsets.size()), columns(want.columns.size()), there(1);
    array<T> v(want.columns.size());
    scalars<T> s(alpha, beta);
    const T *al = s.alpha(device), *be = s.beta(device), *av = A.v.dev, *bv = B.v.dev;
    device_scalars(h, device);
    size_t bytes = 0;
    int total = -1;
    OK(csrgeam2_bufferSizeExt<T>(h, m, n, al, da.d, A.nnz(), av, A.o.dev, A.c.dev, be, db.d, B.nnz(), bv, B.o.dev,
                                 B.c.dev, dc.d, (const T *)v.dev, o.dev, columns.dev, &bytes));
    workspace buffer(bytes);
    OK(cusparseXcsrgeam2Nnz(h, m, n, da.d, A.nnz(), A.o.dev, A.c.dev, db.d, B.nnz(), B.o.dev, B.c.dev, dc.d, o.dev,
                            device ? there.dev : &total, buffer.dev));
    CHECK((device ? there.one() : total) == want.nnz());
    CHECK(o.get() == want.offsets);
    other_stream stream(h);
    cudaGraphExec_t exec = stream.capture([&] {
        OK(csrgeam2<T>(h, m, n, al, da.d, A.nnz(), av, A.o.dev, A.c.dev, be, db.d, B.nnz(), bv, B.o.dev, B.c.dev, dc.d,
                       v.dev, o.dev, columns.dev, buffer.dev));
    });
    CUDA(cudaGraphLaunch(exec, stream.s));
    CUDA(cudaStreamSynchronize(stream.s));
    CUDA(cudaGraphExecDestroy(exec));
    CHECK(columns.get() == want.columns);
    compare(v.get(), want.values(c), "csrgeam2");
    device_scalars(h, false);
}

// ---- systems: diagonals of one, from the lowest on, and right sides made of solutions
template <class T> struct banded {
    int m, b;
    std::vector<std::vector<X>> diagonals;
    std::vector<X> y, right;
    // hard: the main diagonal is small, so that elimination must pivot; with an odd number of rows the system would be singular
    banded(int rows, int beside, bool hard) : m(rows), b(beside), diagonals((size_t)(2 * beside + 1))
    {
        for (int k = -b; k <= b; k++) {
            std::vector<X> &d = diagonals[(size_t)(k + b)];
            d = random_vector<T>((size_t)m);
            for (int i = 0; i < m; i++)
                d[(size_t)i] = i + k < 0 || i + k >= m ? X(0, 0)
                               : k                     ? d[(size_t)i] * 0.5
                               : hard                  ? X(i % 2 ? 0.25 : 0, 0)
                                                       : X(9, number<T>::complex ? 2 : 0);
        }
        y = random_vector<T>((size_t)m);
        right = times(y);
    }
    std::vector<X> times(const std::vector<X> &x) const
    {
        std::vector<X> r((size_t)m);
        for (int k = -b; k <= b; k++)
            for (int i = std::max(0, -k); i < std::min(m, m - k); i++)
                r[(size_t)i] += diagonals[(size_t)(k + b)][(size_t)i] * x[(size_t)(i + k)];
        return r;
    }
};

// The solution of a badly conditioned system is judged by what it leaves of the right side.
template <class T>
static void solves(const banded<T> &s, const std::vector<T> &got, size_t at, size_t step, const std::vector<X> &right,
                   const char *what)
{
    std::vector<X> x;
    double all = 1, worst = 0;
    for (int i = 0; i < s.m; i++) {
        x.push_back(number<T>::to(got[at + (size_t)i * step]));
        all = std::max(all, std::abs(x.back()));
    }
    std::vector<X> r = s.times(x);
    for (size_t i = 0; i < r.size(); i++) {
        double d = std::abs(r[i] - right[i]);
        worst = d > worst || d != d ? (d != d ? 1e9 : d) : worst;
    }
    check(worst <= 20 * bound<T>() * all, what, __FILE__, __LINE__);
}

template <class T> static void one_system(int m, int n, bool pivot, bool hard)
{
    banded<T> s(m, 1, hard);
    int ldb = m + 2;
    std::vector<std::vector<X>> rights;
    std::vector<X> b((size_t)(ldb * n), X(7, 0));
    for (int c = 0; c < n; c++) {
        rights.push_back(s.times(random_vector<T>((size_t)m)));
        std::copy(rights.back().begin(), rights.back().end(), b.begin() + c * ldb);
    }
    array<T> dl(of_numbers<T>(s.diagonals[0])), d(of_numbers<T>(s.diagonals[1])), du(of_numbers<T>(s.diagonals[2])),
        x(of_numbers<T>(b));
    const T *l = dl.dev, *k = d.dev, *u = du.dev;
    size_t bytes = 0;
    OK(pivot ? gtsv2_bufferSizeExt<T>(h, m, n, l, k, u, (const T *)x.dev, ldb, &bytes)
             : gtsv2_nopivot_bufferSizeExt<T>(h, m, n, l, k, u, (const T *)x.dev, ldb, &bytes));
    workspace buffer(bytes);
    other_stream stream(h);
    cudaGraphExec_t exec = stream.capture([&] {
        OK(pivot ? gtsv2<T>(h, m, n, l, k, u, x.dev, ldb, buffer.dev)
                 : gtsv2_nopivot<T>(h, m, n, l, k, u, x.dev, ldb, buffer.dev));
    });
    CUDA(cudaGraphLaunch(exec, stream.s));
    CUDA(cudaStreamSynchronize(stream.s));
    CUDA(cudaGraphExecDestroy(exec));
    std::vector<T> got = x.get();
    for (int c = 0; c < n; c++) {
        solves(s, got, (size_t)(c * ldb), 1, rights[(size_t)c], pivot ? "gtsv2" : "gtsv2_nopivot");
        CHECK(number<T>::to(got[(size_t)(c * ldb + m)]) == X(7, 0));
    }
    compare(d.get(), s.diagonals[1], "the diagonal of before");
}

// Batches, of `beside` diagonals on either side: one after the other, or interleaved with an algorithm.
template <class T> static void batch(int m, int count, int beside, int algo, bool hard)
{
    bool strided = algo < 0;
    int stride = strided ? m + 3 : count;
    size_t room = (size_t)(strided ? stride * count : m * count);
    std::vector<banded<T>> systems;
    std::vector<std::vector<X>> all((size_t)(2 * beside + 1), std::vector<X>(room));
    std::vector<X> right(room, X(7, 0));
    auto place = [&](int system, int i) { return (size_t)(strided ? system * stride + i : i * count + system); };
    for (int s = 0; s < count; s++) {
        systems.emplace_back(m, beside, hard);
        for (int i = 0; i < m; i++) {
            for (size_t k = 0; k < all.size(); k++)
                all[k][place(s, i)] = systems.back().diagonals[k][(size_t)i];
            right[place(s, i)] = systems.back().right[(size_t)i];
        }
    }
    std::vector<array<T> *> d;
    for (auto &k : all)
        d.push_back(new array<T>(of_numbers<T>(k)));
    array<T> x(of_numbers<T>(right));
    const T *y = x.dev;
    size_t bytes = 0, last = d.size() - 1;
    T *l = d[last / 2 - 1]->dev, *k = d[last / 2]->dev, *u = d[last / 2 + 1]->dev, *w = d[0]->dev, *v = d[last]->dev;
    const T *cl = l, *ck = k, *cu = u, *cw = w, *cv = v;
    OK(strided       ? gtsv2StridedBatch_bufferSizeExt<T>(h, m, cl, ck, cu, y, count, stride, &bytes)
       : beside == 1 ? gtsvInterleavedBatch_bufferSizeExt<T>(h, algo, m, cl, ck, cu, y, count, &bytes)
                     : gpsvInterleavedBatch_bufferSizeExt<T>(h, algo, m, cw, cl, ck, cu, cv, y, count, &bytes));
    workspace buffer(bytes);
    OK(strided       ? gtsv2StridedBatch<T>(h, m, cl, ck, cu, x.dev, count, stride, buffer.dev)
       : beside == 1 ? gtsvInterleavedBatch<T>(h, algo, m, l, k, u, x.dev, count, buffer.dev)
                     : gpsvInterleavedBatch<T>(h, algo, m, w, l, k, u, v, x.dev, count, buffer.dev));
    std::vector<T> got = x.get();
    for (int s = 0; s < count; s++)
        solves(systems[(size_t)s], got, place(s, 0), strided ? 1 : (size_t)count, systems[(size_t)s].right,
               strided       ? "gtsv2StridedBatch"
               : beside == 1 ? "gtsvInterleavedBatch"
                             : "gpsvInterleavedBatch");
    for (array<T> *a : d)
        delete a;
}

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

// ---- rows that are not sorted
template <class T> static void unsorted(int base)
{
    const int m = 12, n = 20;
    dense d = random_sparse<T>(m, n, 40);
    block_matrix<T> a(d, 1, 1, false, base);
    std::vector<T> values = a.v.get(), shuffled = values;
    std::vector<int> columns = a.columns;
    for (int i = 0; i < m; i++) {
        int k = a.offsets[(size_t)i] - base, size = a.offsets[(size_t)i + 1] - a.offsets[(size_t)i];
        for (int e = size - 1; e > 0; e--) {
            int with = (int)(next_random() % (unsigned)(e + 1));
            std::swap(columns[(size_t)(k + e)], columns[(size_t)(k + with)]);
            std::swap(shuffled[(size_t)(k + e)], shuffled[(size_t)(k + with)]);
        }
    }
    a.c.set(columns);
    a.v.set(shuffled);
    descr de(base);
    csru2csrInfo_t info;
    size_t bytes = 0;
    OK(cusparseCreateCsru2csrInfo(&info));
    OK(csru2csr_bufferSizeExt<T>(h, m, n, a.nnz(), a.v.dev, a.o.dev, a.c.dev, info, &bytes));
    workspace buffer(bytes);
    REFUSED(csr2csru<T>(h, m, n, a.nnz(), de.d, a.v.dev, a.o.dev, a.c.dev, info, buffer.dev));
    OK(csru2csr<T>(h, m, n, a.nnz(), de.d, a.v.dev, a.o.dev, a.c.dev, info, buffer.dev));
    CHECK(a.c.get() == a.columns && a.v.get() == values);
    OK(csr2csru<T>(h, m, n, a.nnz(), de.d, a.v.dev, a.o.dev, a.c.dev, info, buffer.dev));
    CHECK(a.c.get() == columns && a.v.get() == shuffled);
    OK(cusparseDestroyCsru2csrInfo(info));
}

// ---- colours: neighbours differ, and the new order goes by colours
template <class T, class R> static void colours(int base, bool device, R fraction)
{
    const int m = 40;
    dense d = random_sparse<T>(m, m, 8);
    for (int i = 0; i < m; i++)
        for (int j = 0; j < i; j++)
            d.at(i, j) = d.at(j, i);
    block_matrix<T> a(d, 1, 1, false, base);
    descr de(base);
    cusparseColorInfo_t info;
    OK(cusparseCreateColorInfo(&info));
    array<int> colors((size_t)m), order((size_t)m), there(1);
    array<R> fraction_there(std::vector<R>{fraction});
    int number = -1;
    device_scalars(h, device);
    OK(csrcolor<T>(h, m, a.nnz(), de.d, (const T *)a.v.dev, a.o.dev, a.c.dev,
                   (const R *)(device ? fraction_there.dev : &fraction), device ? there.dev : &number, colors.dev,
                   order.dev, info));
    number = device ? there.one() : number;
    device_scalars(h, false);
    std::vector<int> color = colors.get(), to = order.get(), used((size_t)m), at((size_t)m, -1);
    bool differ = true, ascend = true;
    int most = 0;
    for (int i = 0; i < m; i++) {
        most = std::max(most, color[(size_t)i] + 1);
        used[(size_t)color[(size_t)i]]++;
        at[(size_t)to[(size_t)i]] = i;
        for (int j = 0; j < m; j++)
            differ = differ && (i == j || d.at(i, j) == X(0, 0) || color[(size_t)i] != color[(size_t)j]);
    }
    for (int i = 0; i + 1 < m; i++)
        ascend = ascend && at[(size_t)i] >= 0 && at[(size_t)i + 1] >= 0 &&
                 color[(size_t)at[(size_t)i]] <= color[(size_t)at[(size_t)i + 1]];
    CHECK(differ && ascend && most == number && std::count(used.begin(), used.end(), 0) == m - number);
    CHECK(fraction < 1 ? number > m / 4 : number < m / 2);
    OK(cusparseDestroyColorInfo(info));
}

template <class T, class R> static void type()
{
    for (int turn = 0; turn < 8; turn++)
        sums<T>(turn & 1, turn >> 1 & 1, turn >> 2, turn & 1);
    for (int n : {0, 1, 3, 70}) {
        one_system<T>(34, n, true, true);
        one_system<T>(20, n, true, false);
        one_system<T>(41, n, false, false);
    }
    batch<T>(19, 21, 1, -1, false);
    batch<T>(23, 18, 1, 0, false);
    batch<T>(24, 18, 1, 1, true);
    batch<T>(26, 5, 1, 2, true);
    batch<T>(21, 18, 2, 0, true);
    for (int base = 0; base < 2; base++) {
        counts<T>(base, base);
        counts<T>(!base, base);
        unsorted<T>(base);
        colours<T, R>(base, base, 1);
        colours<T, R>(base, !base, (R)0.5);
    }
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
    std::vector<X> e((size_t)(lda * n), X(9, 0));
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            e[(size_t)(i + j * lda)] = d.at(i, j);
    array<T> a(of_numbers<T>(e)), limit_there(std::vector<T>{number<T>::of(X(0.75, 0))});
    T limit_here = number<T>::of(X(0.75, 0));
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
    kept<T> k1(above(d, 0.75), !base), k2(above(d, 0.75), !base), k3(above(d, at_percentage(d.e, percentage)), !base),
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
    const cusparseStatus_t invalid = CUSPARSE_STATUS_INVALID_VALUE, none = CUSPARSE_STATUS_NOT_INITIALIZED;
    array<float> a(64), b(64);
    array<int> o(std::vector<int>(9)), c(64);
    array<char> buffer(8192);
    descr d(0);
    float one = 1;
    int total = 0;
    size_t bytes;
    WANT(cusparseSgtsv2(nullptr, 8, 1, a.dev, a.dev, a.dev, b.dev, 8, buffer.dev), none);
    WANT(cusparseSgtsv2(h, 2, 1, a.dev, a.dev, a.dev, b.dev, 8, buffer.dev), invalid);
    WANT(cusparseSgtsv2(h, 8, -1, a.dev, a.dev, a.dev, b.dev, 8, buffer.dev), invalid);
    WANT(cusparseSgtsv2(h, 8, 1, a.dev, a.dev, a.dev, b.dev, 7, buffer.dev), invalid);
    WANT(cusparseSgtsv2(h, 8, 1, nullptr, a.dev, a.dev, b.dev, 8, buffer.dev), invalid);
    WANT(cusparseSgtsv2(h, 8, 1, a.dev, a.dev, a.dev, b.dev, 8, nullptr), invalid);
    WANT(cusparseSgtsv2StridedBatch(h, 8, a.dev, a.dev, a.dev, b.dev, 2, 7, buffer.dev), invalid);
    WANT(cusparseSgtsvInterleavedBatch(h, 3, 8, a.dev, a.dev, a.dev, b.dev, 2, buffer.dev), invalid);
    WANT(cusparseSgpsvInterleavedBatch(h, 1, 8, a.dev, a.dev, a.dev, a.dev, a.dev, b.dev, 2, buffer.dev), invalid);
    WANT(cusparseSgtsv2_bufferSizeExt(h, 8, 1, a.dev, a.dev, a.dev, b.dev, 8, nullptr), invalid);
    WANT(
        cusparseXcsrgeam2Nnz(nullptr, 8, 8, d.d, 0, o.dev, c.dev, d.d, 0, o.dev, c.dev, d.d, o.dev, &total, buffer.dev),
        none);
    WANT(cusparseXcsrgeam2Nnz(h, -8, 8, d.d, 0, o.dev, c.dev, d.d, 0, o.dev, c.dev, d.d, o.dev, &total, buffer.dev),
         invalid);
    WANT(cusparseXcsrgeam2Nnz(h, 8, 8, d.d, 0, nullptr, c.dev, d.d, 0, o.dev, c.dev, d.d, o.dev, &total, buffer.dev),
         invalid);
    WANT(cusparseScsrgeam2_bufferSizeExt(h, 8, 8, &one, nullptr, 0, a.dev, o.dev, c.dev, &one, d.d, 0, a.dev, o.dev,
                                         c.dev, d.d, b.dev, o.dev, c.dev, &bytes),
         invalid);
    WANT(cusparseSnnz(h, CUSPARSE_DIRECTION_ROW, 8, 8, d.d, a.dev, 7, c.dev, &total), invalid);
    WANT(cusparseSnnz(h, CUSPARSE_DIRECTION_ROW, 8, 8, d.d, a.dev, 8, nullptr, &total), invalid);
    WANT(cusparseSpruneDense2csrNnz(h, 8, 8, a.dev, 8, nullptr, d.d, o.dev, &total, buffer.dev), invalid);
    // none of both has elements
    OK(cusparseXcsrgeam2Nnz(h, 8, 8, d.d, 0, o.dev, c.dev, d.d, 0, o.dev, c.dev, d.d, c.dev, &total, buffer.dev));
    CHECK(total == 0);
    OK(cusparseSetMatType(d.d, CUSPARSE_MATRIX_TYPE_HERMITIAN));
    WANT(cusparseSnnz(h, CUSPARSE_DIRECTION_ROW, 8, 8, d.d, a.dev, 8, c.dev, &total),
         CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED);
}

int main()
{
    OK(cusparseCreate(&h));
    type<float, float>();
    type<double, double>();
    type<C, float>();
    type<Z, double>();
    prune<__half>();
    prune<float>();
    prune<double>();
    wrong();
    OK(cusparseDestroy(h));
    return summary() != 0;
}
