// SPDX-License-Identifier: Apache-2.0
// Functions without generic descriptors that are not about blocks: sums of matrices, systems of few diagonals, colours, rows that are not
// sorted.
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
        unsorted<T>(base);
        colours<T, R>(base, base, 1);
        colours<T, R>(base, !base, (R)0.5);
    }
}

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
    // none of both has elements
    OK(cusparseXcsrgeam2Nnz(h, 8, 8, d.d, 0, o.dev, c.dev, d.d, 0, o.dev, c.dev, d.d, c.dev, &total, buffer.dev));
    CHECK(total == 0);
    OK(cusparseSetMatType(d.d, CUSPARSE_MATRIX_TYPE_HERMITIAN));
    WANT(cusparseXcsrgeam2Nnz(h, 8, 8, d.d, 0, o.dev, c.dev, d.d, 0, o.dev, c.dev, d.d, c.dev, &total, buffer.dev),
         CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED);
}

int main()
{
    OK(cusparseCreate(&h));
    type<float, float>();
    type<double, double>();
    type<C, float>();
    type<Z, double>();
    wrong();
    OK(cusparseDestroy(h));
    return summary() != 0;
}
