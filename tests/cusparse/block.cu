// SPDX-License-Identifier: Apache-2.0
// Matrices of blocks: triangular systems, products with vectors and dense matrices, conversions between sizes of blocks, and the product of a
// dense matrix with a sparse vector.
#include "legacy_test.h"

TYPED(bsrsv2_bufferSize)
TYPED(bsrsv2_bufferSizeExt)
TYPED(bsrsv2_analysis)
TYPED(bsrsv2_solve)
TYPED(bsrsm2_bufferSize)
TYPED(bsrsm2_bufferSizeExt)
TYPED(bsrsm2_analysis)
TYPED(bsrsm2_solve)
TYPED(bsrmv)
TYPED(bsrxmv)
TYPED(bsrmm)
TYPED(gemvi_bufferSize)
TYPED(gemvi)
TYPED(csr2bsr)
TYPED(bsr2csr)
TYPED(csr2gebsr_bufferSize)
TYPED(csr2gebsr_bufferSizeExt)
TYPED(csr2gebsr)
TYPED(gebsr2csr)
TYPED(gebsr2gebsr_bufferSize)
TYPED(gebsr2gebsr_bufferSizeExt)
TYPED(gebsr2gebsr)
TYPED(gebsr2gebsc_bufferSize)
TYPED(gebsr2gebsc_bufferSizeExt)
TYPED(gebsr2gebsc)

static cusparseHandle_t h;

template <class T> static X scalar_of(double re, double im)
{
    return X(re, number<T>::complex ? im : 0);
}
template <class T> static dense square(int64_t n)
{
    dense d = random_sparse<T>(n, n, 20);
    for (X &e : d.e)
        e *= 0.25;
    for (int64_t i = 0; i < n; i++)
        d.at(i, i) = scalar_of<T>(4, 2);
    return d;
}
static dense times(const dense &a, const dense &b)
{
    dense c(a.rows, b.cols);
    for (int64_t i = 0; i < a.rows; i++)
        for (int64_t k = 0; k < a.cols; k++)
            for (int64_t j = 0; j < b.cols; j++)
                c.at(i, j) += a.at(i, k) * b.at(k, j);
    return c;
}
template <class T> static dense random_dense(int64_t rows, int64_t cols)
{
    dense d(rows, cols);
    d.e = random_vector<T>((size_t)(rows * cols));
    return d;
}
// By columns, with 7 in the gap of the leading dimension.
static std::vector<X> by_columns(const dense &d, int64_t ld)
{
    std::vector<X> v((size_t)(ld * d.cols), X(7, 0));
    for (int64_t i = 0; i < d.rows; i++)
        for (int64_t j = 0; j < d.cols; j++)
            v[(size_t)(i + j * ld)] = d.at(i, j);
    return v;
}

// ---- triangular systems: op(A) op(X) = alpha op(B), where B is made of X. Both triangles are stored.
static void shape(cusparseMatDescr_t d, bool lower, bool unit)
{
    OK(cusparseSetMatFillMode(d, lower ? CUSPARSE_FILL_MODE_LOWER : CUSPARSE_FILL_MODE_UPPER));
    OK(cusparseSetMatDiagType(d, unit ? CUSPARSE_DIAG_TYPE_UNIT : CUSPARSE_DIAG_TYPE_NON_UNIT));
}

template <class T> static void vector(int dim, cusparseOperation_t op, bool lower, bool unit, int turn)
{
    dense d = square<T>(4 * dim * 2);
    block_matrix<T> m(d, dim, dim, turn & 1, turn >> 1 & 1);
    descr de(m.base);
    shape(de.d, lower, unit);
    X alpha = scalar_of<T>(2, 1);
    dense y = random_dense<T>(d.rows, 1), b = times(triangle(d, lower, unit).op(op), y);
    for (X &e : b.e)
        e /= alpha;
    array<T> f(of_numbers<T>(b.e)), x((size_t)d.rows);
    scalars<T> s(alpha, alpha);
    bsrsv2Info_t info;
    OK(cusparseCreateBsrsv2Info(&info));
    int small = 0, at = 0;
    size_t bytes = 0;
    OK(bsrsv2_bufferSize<T>(h, m.dir(), op, m.rows, m.nnz(), de.d, m.v.dev, m.o.dev, m.c.dev, dim, info, &small));
    OK(bsrsv2_bufferSizeExt<T>(h, m.dir(), op, m.rows, m.nnz(), de.d, m.v.dev, m.o.dev, m.c.dev, dim, info, &bytes));
    workspace buffer(bytes > (size_t)small ? bytes : (size_t)small);
    const T *v = m.v.dev;
    OK(bsrsv2_analysis<T>(h, m.dir(), op, m.rows, m.nnz(), de.d, v, m.o.dev, m.c.dev, dim, info, level, buffer.dev));
    OK(cusparseXbsrsv2_zeroPivot(h, info, &at));
    CHECK(at == -1);
    device_scalars(h, turn & 1);
    other_stream o(h);
    cudaGraphExec_t exec = o.capture([&] {
        OK(bsrsv2_solve<T>(h, m.dir(), op, m.rows, m.nnz(), s.alpha(turn & 1), de.d, v, m.o.dev, m.c.dev, dim, info,
                           (const T *)f.dev, x.dev, level, buffer.dev));
    });
    CUDA(cudaGraphLaunch(exec, o.s));
    CUDA(cudaStreamSynchronize(o.s));
    CUDA(cudaGraphExecDestroy(exec));
    compare(x.get(), y.e, "bsrsv2");
    device_scalars(h, false);
    // two diagonal elements are 0: the first, in the second block, is told
    d.at(dim, dim) = d.at(3 * dim, 3 * dim) = X(0, 0);
    m.v.set(of_numbers<T>(m.values(d)));
    OK(bsrsv2_solve<T>(h, m.dir(), op, m.rows, m.nnz(), s.alpha(false), de.d, v, m.o.dev, m.c.dev, dim, info,
                       (const T *)f.dev, x.dev, level, buffer.dev));
    WANT(cusparseXbsrsv2_zeroPivot(h, info, &at), unit ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ZERO_PIVOT);
    CHECK(at == (unit ? -1 : 1 + m.base));
    OK(cusparseDestroyBsrsv2Info(info));
}

template <class T> static void matrix(int dim, bool across, bool lower, int turn)
{
    const cusparseOperation_t op = CUSPARSE_OPERATION_NON_TRANSPOSE;
    const int n = 6;
    dense d = square<T>(5 * dim);
    block_matrix<T> m(d, dim, dim, turn & 1, turn >> 1 & 1);
    descr de(m.base);
    shape(de.d, lower, false);
    X alpha = scalar_of<T>(2, -1);
    dense y = random_dense<T>(d.rows, n), b = times(triangle(d, lower, false).op(op), y);
    for (X &e : b.e)
        e /= alpha;
    cusparseOperation_t op_x = across ? CUSPARSE_OPERATION_TRANSPOSE : CUSPARSE_OPERATION_NON_TRANSPOSE;
    dense by = y.op(op_x), bb = b.op(op_x);
    int ldb = (int)bb.rows + 1, ldx = (int)by.rows + 2, at = 0, small = 0;
    array<T> db(of_numbers<T>(by_columns(bb, ldb))), x(std::vector<T>((size_t)(ldx * by.cols), number<T>::of(7)));
    scalars<T> s(alpha, alpha);
    bsrsm2Info_t info;
    OK(cusparseCreateBsrsm2Info(&info));
    size_t bytes = 0;
    OK(bsrsm2_bufferSize<T>(h, m.dir(), op, op_x, m.rows, n, m.nnz(), de.d, m.v.dev, m.o.dev, m.c.dev, dim, info,
                            &small));
    OK(bsrsm2_bufferSizeExt<T>(h, m.dir(), op, op_x, m.rows, n, m.nnz(), de.d, m.v.dev, m.o.dev, m.c.dev, dim, info,
                               &bytes));
    workspace buffer(bytes > (size_t)small ? bytes : (size_t)small);
    const T *v = m.v.dev, *bv = db.dev;
    OK(bsrsm2_analysis<T>(h, m.dir(), op, op_x, m.rows, n, m.nnz(), de.d, v, m.o.dev, m.c.dev, dim, info, level,
                          buffer.dev));
    device_scalars(h, turn & 1);
    OK(bsrsm2_solve<T>(h, m.dir(), op, op_x, m.rows, n, m.nnz(), s.alpha(turn & 1), de.d, v, m.o.dev, m.c.dev, dim,
                       info, bv, ldb, x.dev, ldx, level, buffer.dev));
    device_scalars(h, false);
    OK(cusparseXbsrsm2_zeroPivot(h, info, &at));
    CHECK(at == -1);
    compare(x.get(), by_columns(by, ldx), "bsrsm2");
    REFUSED(bsrsm2_solve<T>(h, m.dir(), CUSPARSE_OPERATION_TRANSPOSE, op_x, m.rows, n, m.nnz(), s.alpha(false), de.d, v,
                            m.o.dev, m.c.dev, dim, info, bv, ldb, x.dev, ldx, level, buffer.dev));
    OK(cusparseDestroyBsrsm2Info(info));
}

// ---- products
template <class T> static void products(int dim, int turn)
{
    const int n = 5;
    bool device = turn & 1, across = turn & 2, empty = turn & 4;
    dense d = random_sparse<T>(4 * dim, 6 * dim, 15);
    block_matrix<T> m(d, dim, dim, turn >> 1 & 1, turn & 1);
    descr de(m.base);
    X alpha = scalar_of<T>(2, 1), beta = empty ? X(0, 0) : scalar_of<T>(-1, 0.5);
    scalars<T> s(alpha, beta);
    const T *a = s.alpha(device), *bt = s.beta(device), *v = m.v.dev;
    dense b = random_dense<T>(d.cols, n), c = random_dense<T>(d.rows, n), want = times(d, b);
    for (size_t k = 0; k < want.e.size(); k++)
        want.e[k] = alpha * want.e[k] + (empty ? X(0, 0) : beta * c.e[k]);
    for (size_t k = 0; k < c.e.size() && empty; k++)
        c.e[k] = X(NAN, 0); // is not read
    cusparseOperation_t op_b = across ? CUSPARSE_OPERATION_TRANSPOSE : CUSPARSE_OPERATION_NON_TRANSPOSE;
    const cusparseOperation_t plain = CUSPARSE_OPERATION_NON_TRANSPOSE;
    dense bb = b.op(op_b);
    int ldb = (int)bb.rows + 1, ldc = (int)c.rows + 3;
    array<T> db(of_numbers<T>(by_columns(bb, ldb))), dc(of_numbers<T>(by_columns(c, ldc)));
    const T *bv = db.dev;
    device_scalars(h, device);
    OK(bsrmm<T>(h, m.dir(), plain, op_b, m.rows, n, m.cols, m.nnz(), a, de.d, v, m.o.dev, m.c.dev, dim, bv, ldb, bt,
                dc.dev, ldc));
    compare(dc.get(), by_columns(want, ldc), "bsrmm");
    // the first column alone; then only its rows of a mask
    std::vector<X> x, y, first, masked;
    for (int64_t i = 0; i < d.cols; i++)
        x.push_back(b.at(i, 0));
    for (int64_t i = 0; i < d.rows; i++) {
        y.push_back(c.at(i, 0));
        first.push_back(want.at(i, 0));
        masked.push_back(i / dim == 1 || i / dim == 3 || empty ? want.at(i, 0) : c.at(i, 0));
    }
    array<T> dx(of_numbers<T>(x)), dy(of_numbers<T>(y));
    const T *xv = dx.dev;
    OK(bsrmv<T>(h, m.dir(), plain, m.rows, m.cols, m.nnz(), a, de.d, v, m.o.dev, m.c.dev, dim, xv, bt, dy.dev));
    compare(dy.get(), first, "bsrmv");
    dy.set(of_numbers<T>(y));
    array<int> mask(empty ? std::vector<int>{m.base, 2 + m.base, 3 + m.base, 1 + m.base}
                          : std::vector<int>{3 + m.base, 1 + m.base}),
        ends(std::vector<int>(m.offsets.begin() + 1, m.offsets.end()));
    OK(bsrxmv<T>(h, m.dir(), plain, (int)mask.n, m.rows, m.cols, m.nnz(), a, de.d, v, mask.dev, m.o.dev, ends.dev,
                 m.c.dev, dim, xv, bt, dy.dev));
    compare(dy.get(), masked, "bsrxmv");
    WANT(bsrmv<T>(h, m.dir(), CUSPARSE_OPERATION_TRANSPOSE, m.rows, m.cols, m.nnz(), a, de.d, v, m.o.dev, m.c.dev, dim,
                  xv, bt, dy.dev),
         CUSPARSE_STATUS_NOT_SUPPORTED);
    device_scalars(h, false);
}

template <class T> static void sparse_vector(cusparseOperation_t op, int base, bool device)
{
    const int rows = 9, cols = 12, lda = 10;
    dense a = random_dense<T>(rows, cols), o = a.op(op), x(o.cols, 1), y = random_dense<T>(o.rows, 1);
    std::vector<int> indices{6 + base, 1 + base, 4 + base};
    std::vector<X> values = random_vector<T>(3);
    for (size_t k = 0; k < 3; k++)
        x.at(indices[k] - base, 0) = values[k];
    X alpha = scalar_of<T>(2, 1), beta = scalar_of<T>(3, -1);
    dense want = times(o, x);
    for (size_t k = 0; k < want.e.size(); k++)
        want.e[k] = alpha * want.e[k] + beta * y.e[k];
    array<T> da(of_numbers<T>(by_columns(a, lda))), dv(of_numbers<T>(values)), dy(of_numbers<T>(y.e));
    array<int> di(indices);
    scalars<T> s(alpha, beta);
    int bytes = 0;
    OK(gemvi_bufferSize<T>(h, op, rows, cols, 3, &bytes));
    workspace buffer((size_t)bytes);
    device_scalars(h, device);
    OK(gemvi<T>(h, op, rows, cols, s.alpha(device), (const T *)da.dev, lda, 3, (const T *)dv.dev, di.dev,
                s.beta(device), dy.dev, (cusparseIndexBase_t)base, buffer.dev));
    device_scalars(h, false);
    compare(dy.get(), want.e, "gemvi");
}

// ---- conversions
template <class T>
static void same(const array<int> &o, const array<int> &c, const array<T> &v, const block_pattern &p, const dense &d,
                 const char *what)
{
    check(o.get() == p.offsets, what, __FILE__, __LINE__);
    check(c.get() == p.columns, what, __FILE__, __LINE__);
    compare(v.get(), p.values(d), what);
}

template <class T> static void blocks_of(int height, int width, int to_height, int to_width, bool columns, int base)
{
    dense d = random_sparse<T>(22, 31, 6);
    int to_base = !base, total = -1, small = 0;
    size_t bytes = 0;
    block_matrix<T> csr(d, 1, 1, columns, base);
    block_pattern want(d, height, width, columns, to_base);
    descr da(base), dc(to_base);
    cusparseDirection_t dir = csr.dir();
    const T *v = csr.v.dev;
    array<int> o(want.offsets.size()), c(want.columns.size()), total_there(1);
    array<T> out(std::vector<T>(want.columns.size() * (size_t)(height * width), number<T>::of(X(9, 0))));
    OK(csr2gebsr_bufferSize<T>(h, dir, 22, 31, da.d, v, csr.o.dev, csr.c.dev, height, width, &small));
    OK(csr2gebsr_bufferSizeExt<T>(h, dir, 22, 31, da.d, v, csr.o.dev, csr.c.dev, height, width, &bytes));
    workspace buffer(bytes > (size_t)small ? bytes : (size_t)small);
    OK(cusparseXcsr2gebsrNnz(h, dir, 22, 31, da.d, csr.o.dev, csr.c.dev, dc.d, o.dev, height, width, &total,
                             buffer.dev));
    CHECK(total == want.nnz());
    OK(csr2gebsr<T>(h, dir, 22, 31, da.d, v, csr.o.dev, csr.c.dev, dc.d, out.dev, o.dev, c.dev, height, width,
                    buffer.dev));
    same(o, c, out, want, d, "csr2gebsr");
    if (height == width) {
        device_scalars(h, true);
        OK(cusparseXcsr2bsrNnz(h, dir, 22, 31, da.d, csr.o.dev, csr.c.dev, height, dc.d, o.dev, total_there.dev));
        device_scalars(h, false);
        CHECK(total_there.one() == want.nnz());
        out.set(std::vector<T>(out.n));
        OK(csr2bsr<T>(h, dir, 22, 31, da.d, v, csr.o.dev, csr.c.dev, height, dc.d, out.dev, o.dev, c.dev));
        same(o, c, out, want, d, "csr2bsr");
    }
    // to blocks of another size: where one of the first size reaches, there is one of the second
    const T *ov = out.dev;
    dense whole(want.rows * height, want.cols * width), inside = whole;
    want.each([&](size_t, int64_t i, int64_t j) {
        inside.at(i, j) = X(1, 0);
        whole.at(i, j) = i < d.rows && j < d.cols ? d.at(i, j) : X(0, 0);
    });
    block_pattern again(inside, to_height, to_width, columns, base);
    array<int> o2(again.offsets.size()), c2(again.columns.size());
    array<T> out2(std::vector<T>(again.columns.size() * (size_t)(to_height * to_width), number<T>::of(X(9, 0))));
    int mb = want.rows, nb = want.cols, nnzb = want.nnz();
    OK(gebsr2gebsr_bufferSize<T>(h, dir, mb, nb, nnzb, dc.d, ov, o.dev, c.dev, height, width, to_height, to_width,
                                 &small));
    OK(gebsr2gebsr_bufferSizeExt<T>(h, dir, mb, nb, nnzb, dc.d, ov, o.dev, c.dev, height, width, to_height, to_width,
                                    &bytes));
    workspace more(bytes > (size_t)small ? bytes : (size_t)small);
    OK(cusparseXgebsr2gebsrNnz(h, dir, mb, nb, nnzb, dc.d, o.dev, c.dev, height, width, da.d, o2.dev, to_height,
                               to_width, &total, more.dev));
    CHECK(total == again.nnz());
    OK(gebsr2gebsr<T>(h, dir, mb, nb, nnzb, dc.d, ov, o.dev, c.dev, height, width, da.d, out2.dev, o2.dev, c2.dev,
                      to_height, to_width, more.dev));
    same(o2, c2, out2, again, whole, "gebsr2gebsr");
    // back to CSR: zeros within blocks are elements
    block_pattern elements(inside, 1, 1, columns, base);
    array<int> o3(elements.offsets.size()), c3(elements.columns.size());
    array<T> out3(elements.columns.size());
    OK(cusparseXgebsr2csr(h, dir, mb, nb, dc.d, o.dev, c.dev, height, width, da.d, o3.dev, c3.dev));
    CHECK(o3.get() == elements.offsets && c3.get() == elements.columns);
    OK(gebsr2csr<T>(h, dir, mb, nb, dc.d, ov, o.dev, c.dev, height, width, da.d, out3.dev, o3.dev, c3.dev));
    same(o3, c3, out3, elements, whole, "gebsr2csr");
    if (height == width) {
        out3.set(std::vector<T>(out3.n));
        OK(bsr2csr<T>(h, dir, mb, nb, dc.d, ov, o.dev, c.dev, height, da.d, out3.dev, o3.dev, c3.dev));
        same(o3, c3, out3, elements, whole, "bsr2csr");
    }
    // columns of blocks: the pattern of the transposed matrix, with blocks as they are
    block_pattern turned(inside.op(CUSPARSE_OPERATION_TRANSPOSE), width, height, !columns, to_base);
    array<int> o4(turned.offsets.size()), c4(turned.columns.size());
    array<T> out4(out.n);
    OK(gebsr2gebsc_bufferSize<T>(h, mb, nb, nnzb, ov, o.dev, c.dev, height, width, &small));
    OK(gebsr2gebsc_bufferSizeExt<T>(h, mb, nb, nnzb, ov, o.dev, c.dev, height, width, &bytes));
    workspace last(bytes > (size_t)small ? bytes : (size_t)small);
    OK(gebsr2gebsc<T>(h, mb, nb, nnzb, ov, o.dev, c.dev, height, width, out4.dev, c4.dev, o4.dev,
                      CUSPARSE_ACTION_NUMERIC, (cusparseIndexBase_t)to_base, last.dev));
    same(o4, c4, out4, turned, whole.op(CUSPARSE_OPERATION_TRANSPOSE), "gebsr2gebsc");
}

template <class T> static void type()
{
    int turn = 0;
    for (cusparseOperation_t op : operations)
        for (int lower = 0; lower < 2; lower++) {
            vector<T>(turn % 3 + 1, op, lower, false, turn);
            vector<T>(2, op, lower, true, turn + 1);
            matrix<T>(turn % 2 + 2, turn / 2 % 2, lower, turn);
            sparse_vector<T>(op, lower, turn & 1);
            turn++;
        }
    for (turn = 0; turn < 8; turn++)
        products<T>(turn % 3 + 2, turn);
    blocks_of<T>(2, 2, 3, 3, false, 0);
    blocks_of<T>(3, 3, 2, 2, true, 1);
    blocks_of<T>(2, 5, 3, 4, false, 1);
    blocks_of<T>(4, 3, 2, 1, true, 0);
}

static void wrong()
{
    const cusparseStatus_t invalid = CUSPARSE_STATUS_INVALID_VALUE, none = CUSPARSE_STATUS_NOT_INITIALIZED;
    const cusparseDirection_t row = CUSPARSE_DIRECTION_ROW;
    const cusparseOperation_t plain = CUSPARSE_OPERATION_NON_TRANSPOSE;
    dense d = square<float>(6);
    block_matrix<float> m(d, 2, 2, false, 0);
    descr de(0);
    array<float> x(6), y(6);
    array<int> o(8), c(40);
    array<char> buffer(256);
    float one = 1;
    int n = m.nnz(), total, *mo = m.o.dev, *mc = m.c.dev;
    float *v = m.v.dev;
    bsrsv2Info_t info;
    OK(cusparseCreateBsrsv2Info(&info));
    WANT(cusparseSbsrmv(nullptr, row, plain, 3, 3, n, &one, de.d, v, mo, mc, 2, x.dev, &one, y.dev), none);
    WANT(cusparseSbsrmv(h, row, plain, -3, 3, n, &one, de.d, v, mo, mc, 2, x.dev, &one, y.dev), invalid);
    WANT(cusparseSbsrmv(h, row, plain, 3, 3, n, nullptr, de.d, v, mo, mc, 2, x.dev, &one, y.dev), invalid);
    WANT(cusparseSbsrmv(h, row, plain, 3, 3, n, &one, de.d, v, mo, mc, 0, x.dev, &one, y.dev), invalid);
    WANT(cusparseSbsrmv(h, row, plain, 3, 3, n, &one, de.d, v, mo, mc, 2, x.dev, &one, nullptr), invalid);
    WANT(cusparseSbsrmm(h, row, plain, plain, 3, 1, 3, n, &one, de.d, v, mo, mc, 2, x.dev, 5, &one, y.dev, 6), invalid);
    WANT(cusparseSbsrmm(h, row, plain, plain, 3, 1, 3, n, &one, de.d, v, mo, mc, 2, x.dev, 6, &one, y.dev, 5), invalid);
    WANT(cusparseSbsrsv2_solve(h, row, plain, 3, n, &one, de.d, v, mo, mc, 2, nullptr, x.dev, y.dev, level, buffer.dev),
         invalid);
    WANT(cusparseSbsrsv2_solve(h, row, plain, 3, n, &one, de.d, v, mo, mc, 2, info, x.dev, y.dev, level, nullptr),
         invalid);
    WANT(cusparseSbsrsv2_solve(h, row, plain, 3, n, &one, de.d, v, mo, mc, 2, info, x.dev, y.dev, level, buffer.dev),
         invalid); // not analysed
    WANT(cusparseSgemvi(h, plain, 3, 3, &one, v, 2, 1, x.dev, c.dev, &one, y.dev, CUSPARSE_INDEX_BASE_ZERO, buffer.dev),
         invalid);
    WANT(cusparseXcsr2bsrNnz(nullptr, row, 6, 6, de.d, mo, mc, 2, de.d, o.dev, &total), none);
    WANT(cusparseXcsr2bsrNnz(h, row, 6, 6, de.d, mo, mc, 0, de.d, o.dev, &total), invalid);
    WANT(cusparseXcsr2bsrNnz(h, row, 6, 6, nullptr, mo, mc, 2, de.d, o.dev, &total), invalid);
    WANT(cusparseXcsr2bsrNnz(h, row, 6, 6, de.d, mo, mc, 2, de.d, nullptr, &total), invalid);
    OK(cusparseSetMatType(de.d, CUSPARSE_MATRIX_TYPE_TRIANGULAR));
    WANT(cusparseSbsrmv(h, row, plain, 3, 3, n, &one, de.d, v, mo, mc, 2, x.dev, &one, y.dev),
         CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED);
    OK(cusparseDestroyBsrsv2Info(info));
}

int main()
{
    OK(cusparseCreate(&h));
    type<float>();
    type<double>();
    type<C>();
    type<Z>();
    wrong();
    OK(cusparseDestroy(h));
    return summary() != 0;
}
