// SPDX-License-Identifier: Apache-2.0
// Incomplete factorisations of CSR and of blocks: against dense ones that keep to the pattern, zero pivots, boosts, graphs, bad arguments.
#include "legacy_test.h"

TYPED(csrilu02_bufferSize)
TYPED(csrilu02_bufferSizeExt)
TYPED(csrilu02_analysis)
TYPED(csrilu02_numericBoost)
TYPED(csrilu02)
TYPED(bsrilu02_bufferSize)
TYPED(bsrilu02_bufferSizeExt)
TYPED(bsrilu02_analysis)
TYPED(bsrilu02_numericBoost)
TYPED(bsrilu02)
TYPED(csric02_bufferSize)
TYPED(csric02_bufferSizeExt)
TYPED(csric02_analysis)
TYPED(csric02)
TYPED(bsric02_bufferSize)
TYPED(bsric02_bufferSizeExt)
TYPED(bsric02_analysis)
TYPED(bsric02)

static cusparseHandle_t h;

// Hermitian, with a large diagonal.
template <class T> static dense definite(int64_t n)
{
    dense a = random_sparse<T>(n, n, 25), d(n, n);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++)
            d.at(i, j) = i == j ? X(40, 0) : a.at(i, j) + std::conj(a.at(j, i));
    return d;
}

// ---- references, column by column: a column's multiples leave the rest of the matrix, where the pattern has elements
static void dense_lu(dense &a, const std::vector<bool> &in, double tol = -1)
{
    for (int64_t k = 0; k < a.rows; k++) {
        if (std::abs(a.at(k, k)) <= tol)
            a.at(k, k) = X(3, 0);
        for (int64_t i = k + 1; i < a.rows; i++) {
            if (!in[(size_t)(i * a.cols + k)])
                continue;
            a.at(i, k) /= a.at(k, k);
            for (int64_t j = k + 1; j < a.cols; j++)
                if (in[(size_t)(i * a.cols + j)])
                    a.at(i, j) -= a.at(i, k) * a.at(k, j);
        }
    }
}

static void dense_cholesky(dense &a, const std::vector<bool> &in)
{
    for (int64_t k = 0; k < a.rows; k++) {
        a.at(k, k) = std::sqrt(a.at(k, k).real());
        for (int64_t i = k + 1; i < a.rows; i++)
            a.at(i, k) = in[(size_t)(i * a.cols + k)] ? a.at(i, k) / a.at(k, k) : X(0, 0);
        for (int64_t j = k + 1; j < a.cols; j++)
            for (int64_t i = j; i < a.rows; i++)
                if (in[(size_t)(i * a.cols + j)])
                    a.at(i, j) -= a.at(i, k) * std::conj(a.at(j, k));
    }
}

template <class T> static std::vector<X> reference(const block_matrix<T> &m, dense d, bool cholesky)
{
    dense was = d;
    std::vector<bool> in = m.inside(d);
    if (cholesky)
        dense_cholesky(d, in);
    else
        dense_lu(d, in);
    for (int64_t i = 0; i < d.rows && cholesky; i++) // the upper triangle stays
        for (int64_t j = i + 1; j < d.cols; j++)
            d.at(i, j) = was.at(i, j);
    return m.values(d);
}

// ---- both factorisations in both formats, behind one face
template <class T> struct factorisation {
    block_matrix<T> m;
    descr d;
    bool blocks, cholesky;
    csrilu02Info_t lu = nullptr;
    bsrilu02Info_t block_lu = nullptr;
    csric02Info_t ic = nullptr;
    bsric02Info_t block_ic = nullptr;
    workspace *buffer = nullptr;

    factorisation(const dense &a, int dim, bool by_columns, int base, bool block, bool chol)
        : m(a, dim, dim, by_columns, base), d(base), blocks(block), cholesky(chol)
    {
        OK(cusparseCreateCsrilu02Info(&lu));
        OK(cusparseCreateBsrilu02Info(&block_lu));
        OK(cusparseCreateCsric02Info(&ic));
        OK(cusparseCreateBsric02Info(&block_ic));
        int n = 0;
        size_t more = 0;
        int *o = m.o.dev, *c = m.c.dev, mb = m.rows, nnz = m.nnz(), b = m.height;
        T *v = m.v.dev;
        OK(blocks     ? cholesky ? bsric02_bufferSize<T>(h, m.dir(), mb, nnz, d.d, v, o, c, b, block_ic, &n)
                                 : bsrilu02_bufferSize<T>(h, m.dir(), mb, nnz, d.d, v, o, c, b, block_lu, &n)
           : cholesky ? csric02_bufferSize<T>(h, mb, nnz, d.d, v, o, c, ic, &n)
                      : csrilu02_bufferSize<T>(h, mb, nnz, d.d, v, o, c, lu, &n));
        OK(blocks     ? cholesky ? bsric02_bufferSizeExt<T>(h, m.dir(), mb, nnz, d.d, v, o, c, b, block_ic, &more)
                                 : bsrilu02_bufferSizeExt<T>(h, m.dir(), mb, nnz, d.d, v, o, c, b, block_lu, &more)
           : cholesky ? csric02_bufferSizeExt<T>(h, mb, nnz, d.d, v, o, c, ic, &more)
                      : csrilu02_bufferSizeExt<T>(h, mb, nnz, d.d, v, o, c, lu, &more));
        buffer = new workspace(more > (size_t)n ? more : (size_t)n);
    }
    factorisation(const factorisation &) = delete;
    ~factorisation()
    {
        OK(cusparseDestroyCsrilu02Info(lu));
        OK(cusparseDestroyBsrilu02Info(block_lu));
        OK(cusparseDestroyCsric02Info(ic));
        OK(cusparseDestroyBsric02Info(block_ic));
        delete buffer;
    }
    cusparseStatus_t analyse()
    {
        int *o = m.o.dev, *c = m.c.dev, mb = m.rows, nnz = m.nnz(), b = m.height;
        T *v = m.v.dev;
        return blocks ? cholesky
                            ? bsric02_analysis<T>(h, m.dir(), mb, nnz, d.d, v, o, c, b, block_ic, level, buffer->dev)
                            : bsrilu02_analysis<T>(h, m.dir(), mb, nnz, d.d, v, o, c, b, block_lu, level, buffer->dev)
               : cholesky ? csric02_analysis<T>(h, mb, nnz, d.d, v, o, c, ic, level, buffer->dev)
                          : csrilu02_analysis<T>(h, mb, nnz, d.d, v, o, c, lu, level, buffer->dev);
    }
    cusparseStatus_t run()
    {
        int *o = m.o.dev, *c = m.c.dev, mb = m.rows, nnz = m.nnz(), b = m.height;
        T *v = m.v.dev;
        return blocks     ? cholesky ? bsric02<T>(h, m.dir(), mb, nnz, d.d, v, o, c, b, block_ic, level, buffer->dev)
                                     : bsrilu02<T>(h, m.dir(), mb, nnz, d.d, v, o, c, b, block_lu, level, buffer->dev)
               : cholesky ? csric02<T>(h, mb, nnz, d.d, v, o, c, ic, level, buffer->dev)
                          : csrilu02<T>(h, mb, nnz, d.d, v, o, c, lu, level, buffer->dev);
    }
    cusparseStatus_t pivot(int *at)
    {
        return blocks     ? cholesky ? cusparseXbsric02_zeroPivot(h, block_ic, at)
                                     : cusparseXbsrilu02_zeroPivot(h, block_lu, at)
               : cholesky ? cusparseXcsric02_zeroPivot(h, ic, at)
                          : cusparseXcsrilu02_zeroPivot(h, lu, at);
    }
    // What the functions of zero pivots say, with the position in memory of the host and of the device.
    void pivot_is(int want)
    {
        cusparseStatus_t status = want < 0 ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ZERO_PIVOT;
        int at = -7;
        array<int> there(1);
        WANT(pivot(&at), status);
        CHECK(at == want);
        device_scalars(h, true);
        WANT(pivot(there.dev), status);
        device_scalars(h, false);
        CHECK(there.one() == want);
    }
};

template <class T> static void factors(int dim, bool by_columns, int base, bool blocks, bool cholesky)
{
    dense a = definite<T>(dim == 3 ? 21 : 24);
    factorisation<T> f(a, dim, by_columns, base, blocks, cholesky);
    OK(f.analyse());
    f.pivot_is(-1);
    OK(f.run());
    compare(f.m.v.get(), reference(f.m, a, cholesky), cholesky ? "incomplete Cholesky" : "incomplete LU");
    f.pivot_is(-1);
    // captured, and run twice with new values
    other_stream s(h);
    cudaGraphExec_t exec = s.capture([&] { OK(f.run()); });
    for (int turn = 0; turn < 2; turn++) {
        for (X &e : a.e)
            e *= 0.5;
        f.m.v.set(of_numbers<T>(f.m.values(a)));
        CUDA(cudaGraphLaunch(exec, s.s));
        CUDA(cudaStreamSynchronize(s.s));
        compare(f.m.v.get(), reference(f.m, a, cholesky), "a factorisation in a graph");
    }
    CUDA(cudaGraphExecDestroy(exec));
}

// A row without a diagonal element, and one whose pivot comes to 0.
template <class T> static void pivots(int dim, int base, bool blocks, bool cholesky)
{
    int row = 2 * dim;
    dense a(5 * dim, 5 * dim);
    for (int64_t i = 0; i < a.rows; i++)
        a.at(i, i) = X(4, 0);
    dense lacks = a, comes = a;
    for (int r = row; r < row + dim; r++)
        lacks.at(r, r) = X(0, 0);
    lacks.at(row, 0) = lacks.at(0, row) = X(1, 0);
    factorisation<T> f(lacks, dim, false, base, blocks, cholesky);
    OK(f.analyse());
    f.pivot_is(2 + base);
    OK(f.run());
    f.pivot_is(2 + base);
    for (int r : {row, 4 * dim}) // 4 - 4 * 4 / 4, twice: the first is told
        comes.at(r, 0) = comes.at(0, r) = X(4, 0);
    factorisation<T> g(comes, dim, false, base, blocks, cholesky);
    OK(g.analyse());
    g.pivot_is(-1);
    OK(g.run());
    g.pivot_is(2 + base);
    if (cholesky && blocks) { // a block that is not positive definite
        comes.at(row, 0) = comes.at(0, row) = X(6, 0);
        g.m.v.set(of_numbers<T>(g.m.values(comes)));
        OK(g.run());
        g.pivot_is(2 + base);
    }
    if (cholesky)
        return;
    // the same with a boost: 0 becomes 3, and what is above the tolerance stays
    for (int device = 0; device < 2; device++) {
        double tol = device ? 0 : 0.5;
        T value = number<T>::of(X(3, 0));
        array<double> there(std::vector<double>{tol});
        array<T> value_there(std::vector<T>{value});
        g.m.v.set(of_numbers<T>(g.m.values(comes)));
        device_scalars(h, device);
        double *t = device ? there.dev : &tol;
        T *v = device ? value_there.dev : &value;
        OK(blocks ? bsrilu02_numericBoost<T>(h, g.block_lu, 1, t, v) : csrilu02_numericBoost<T>(h, g.lu, 1, t, v));
        OK(g.run());
        device_scalars(h, false);
        g.pivot_is(-1);
        dense want = comes;
        dense_lu(want, g.m.inside(want), tol);
        compare(g.m.v.get(), g.m.values(want), "a boost");
    }
    OK(blocks ? bsrilu02_numericBoost<T>(h, g.block_lu, 0, (double *)nullptr, (T *)nullptr)
              : csrilu02_numericBoost<T>(h, g.lu, 0, (double *)nullptr, (T *)nullptr));
    g.m.v.set(of_numbers<T>(g.m.values(comes)));
    OK(g.run());
    g.pivot_is(2 + base);
}

template <class T> static void type()
{
    for (int turn = 0; turn < 4; turn++) {
        factors<T>(1, false, turn & 1, false, turn & 2);
        factors<T>(turn & 1 ? 3 : 2, turn & 1, turn >> 1, true, false);
        factors<T>(turn & 1 ? 2 : 3, turn >> 1, turn & 1, true, true);
        pivots<T>(1, turn & 1, false, turn & 2);
        pivots<T>(2, turn & 1, true, turn & 2);
    }
}

static void wrong()
{
    const cusparseStatus_t invalid = CUSPARSE_STATUS_INVALID_VALUE;
    dense a = definite<float>(8);
    factorisation<float> f(a, 1, false, 0, false, false);
    int n = f.m.rows, nnz = f.m.nnz(), *o = f.m.o.dev, *c = f.m.c.dev, at = 0;
    float *v = f.m.v.dev;
    cusparseMatDescr_t d = f.d.d;
    char *b = f.buffer->dev;
    const cusparseSolvePolicy_t p = CUSPARSE_SOLVE_POLICY_NO_LEVEL;
    WANT(cusparseScsrilu02(h, n, nnz, d, v, o, c, f.lu, p, b), invalid); // not analysed
    OK(cusparseScsrilu02_analysis(h, n, nnz, d, v, o, c, f.lu, p, b));
    WANT(cusparseScsrilu02(h, n, nnz, d, v, o, c, f.lu, level, b), invalid); // no levels were found
    OK(cusparseScsrilu02(h, n, nnz, d, v, o, c, f.lu, p, b));
    WANT(cusparseScsrilu02(nullptr, n, nnz, d, v, o, c, f.lu, p, b), CUSPARSE_STATUS_NOT_INITIALIZED);
    WANT(cusparseScsrilu02(h, -1, nnz, d, v, o, c, f.lu, p, b), invalid);
    WANT(cusparseScsrilu02(h, n, -1, d, v, o, c, f.lu, p, b), invalid);
    WANT(cusparseScsrilu02(h, n, nnz, nullptr, v, o, c, f.lu, p, b), invalid);
    WANT(cusparseScsrilu02(h, n, nnz, d, nullptr, o, c, f.lu, p, b), invalid);
    WANT(cusparseScsrilu02(h, n, nnz, d, v, nullptr, c, f.lu, p, b), invalid);
    WANT(cusparseScsrilu02(h, n, nnz, d, v, o, nullptr, f.lu, p, b), invalid);
    WANT(cusparseScsrilu02(h, n, nnz, d, v, o, c, nullptr, p, b), invalid);
    WANT(cusparseScsrilu02(h, n, nnz, d, v, o, c, f.lu, p, nullptr), invalid);
    WANT(cusparseScsrilu02(h, n, nnz, d, v, o, c, f.lu, p, b + 4), invalid);
    WANT(cusparseScsrilu02_bufferSize(h, n, nnz, d, v, o, c, f.lu, nullptr), invalid);
    WANT(cusparseScsrilu02_analysis(h, n, nnz, d, v, o, c, f.lu, p, nullptr), invalid);
    WANT(cusparseSbsrilu02(h, CUSPARSE_DIRECTION_ROW, n, nnz, d, v, o, c, 0, f.block_lu, p, b), invalid);
    WANT(cusparseXcsrilu02_zeroPivot(nullptr, f.lu, &at), CUSPARSE_STATUS_NOT_INITIALIZED);
    WANT(cusparseXcsrilu02_zeroPivot(h, f.lu, nullptr), invalid);
    WANT(cusparseXcsrilu02_zeroPivot(h, nullptr, &at), invalid);
    WANT(cusparseCreateCsrilu02Info(nullptr), invalid);
    OK(cusparseSetMatType(d, CUSPARSE_MATRIX_TYPE_SYMMETRIC));
    WANT(cusparseScsric02(h, n, nnz, d, v, o, c, f.ic, p, b), CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED);
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
