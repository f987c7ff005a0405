// SPDX-License-Identifier: Apache-2.0
// Products of sparse matrices, once and with the pattern kept, and of dense matrices at the elements of a sparse one.
#include "sparse_test.h"

static cusparseHandle_t h;
static const cusparseOperation_t N = CUSPARSE_OPERATION_NON_TRANSPOSE;

static dense times(const dense &a, const dense &b, X alpha)
{
    dense c(a.rows, b.cols);
    for (int64_t i = 0; i < a.rows; i++)
        for (int64_t k = 0; k < a.cols; k++)
            for (int64_t j = 0; j < b.cols; j++)
                c.at(i, j) += alpha * a.at(i, k) * b.at(k, j);
    return c;
}

// Where the product has elements, though their sum may be 0.
static dense pattern(const dense &a, const dense &b)
{
    dense p(a.rows, a.cols), q(b.rows, b.cols);
    for (size_t i = 0; i < a.e.size(); i++)
        p.e[i] = a.e[i] != X(0, 0) ? 1 : 0;
    for (size_t i = 0; i < b.e.size(); i++)
        q.e[i] = b.e[i] != X(0, 0) ? 1 : 0;
    return times(p, q, 1);
}

template <class T, class I> struct result {
    int64_t nnz = 0;
    array<I> offsets;
    array<I> *indices = nullptr;
    array<T> *values = nullptr;
    cusparseSpMatDescr_t m;
    result(int64_t rows, int64_t cols, int base) : offsets((size_t)rows + 1)
    {
        cusparseIndexType_t it = sizeof(I) == 8 ? CUSPARSE_INDEX_64I : CUSPARSE_INDEX_32I;
        OK(cusparseCreateCsr(&m, rows, cols, 0, nullptr, nullptr, nullptr, it, it, (cusparseIndexBase_t)base,
                             type_of<T>()));
    }
    void make()
    {
        int64_t r, c;
        OK(cusparseSpMatGetSize(m, &r, &c, &nnz));
        indices = new array<I>((size_t)nnz);
        values = new array<T>((size_t)nnz);
        OK(cusparseCsrSetPointers(m, offsets.dev, indices->dev, values->dev));
    }
    void compare_with(const dense &want, const dense &at, int base, const char *what)
    {
        std::vector<I> o = offsets.get(), i = indices->get(), wi;
        std::vector<X> w;
        bool rows = o[0] == base;
        for (int64_t r = 0; r < want.rows; r++) {
            for (int64_t c = 0; c < want.cols; c++)
                if (at.at(r, c) != X(0, 0)) {
                    w.push_back(want.at(r, c));
                    wi.push_back((I)(c + base));
                }
            rows = rows && o[(size_t)r + 1] == (I)w.size() + base;
        }
        CHECK(rows && i == wi);
        if (nnz == (int64_t)w.size())
            compare(values->get(), w, what);
    }
    ~result()
    {
        OK(cusparseDestroySpMat(m));
        delete indices;
        delete values;
    }
};

template <class T, class S, class I>
static void once(int64_t m, int64_t k, int64_t n, int base, bool device, cusparseSpGEMMAlg_t alg)
{
    dense a = random_sparse<T>(m, k, 20, true), b = random_sparse<T>(k, n, 15);
    sparse<T, I, I> A(a, CUSPARSE_FORMAT_CSR, base), B(b, CUSPARSE_FORMAT_CSR, base);
    result<T, I> C(m, n, base);
    scalars<S> s(X(1.5, number<T>::complex ? 0.5 : 0), X(0, 0));
    device_scalars(h, device);
    const S *alpha = s.alpha(device), *beta = s.beta(device);
    const cudaDataType t = type_of<S>();
    cusparseSpGEMMDescr_t d;
    size_t bytes1 = 0, bytes2 = 0, bytes3 = 0;
    int64_t products = -1, want = 0;
    OK(cusparseSpGEMM_createDescr(&d));
    if (sizeof(T) == 2) { // halves have only the products whose pattern is kept
        REFUSED(cusparseSpGEMM_workEstimation(h, N, N, alpha, A.m, B.m, beta, C.m, t, alg, d, &bytes1, nullptr));
        OK(cusparseSpGEMM_destroyDescr(d));
        return;
    }
    OK(cusparseSpGEMM_workEstimation(h, N, N, alpha, A.m, B.m, beta, C.m, t, alg, d, &bytes1, nullptr));
    array<char> buffer1(bytes1);
    OK(cusparseSpGEMM_workEstimation(h, N, N, alpha, A.m, B.m, beta, C.m, t, alg, d, &bytes1, buffer1.dev));
    OK(cusparseSpGEMM_getNumProducts(d, &products));
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < k; j++)
            for (int64_t q = 0; q < n; q++)
                want += a.at(i, j) != X(0, 0) && b.at(j, q) != X(0, 0);
    CHECK(products == want);
    if (alg == CUSPARSE_SPGEMM_ALG2) {
        OK(cusparseSpGEMM_estimateMemory(h, N, N, alpha, A.m, B.m, beta, C.m, t, alg, d, 0.5f, &bytes3, nullptr,
                                         nullptr));
        array<char> buffer3(bytes3);
        OK(cusparseSpGEMM_estimateMemory(h, N, N, alpha, A.m, B.m, beta, C.m, t, alg, d, 0.5f, &bytes3, buffer3.dev,
                                         &bytes2));
    } else {
        OK(cusparseSpGEMM_compute(h, N, N, alpha, A.m, B.m, beta, C.m, t, alg, d, &bytes2, nullptr));
    }
    array<char> buffer2(bytes2);
    OK(cusparseSpGEMM_compute(h, N, N, alpha, A.m, B.m, beta, C.m, t, alg, d, &bytes2, buffer2.dev));
    C.make();
    OK(cusparseSpGEMM_copy(h, N, N, alpha, A.m, B.m, beta, C.m, t, alg, d));
    C.compare_with(times(a, b, X(1.5, number<T>::complex ? 0.5 : 0)), pattern(a, b), base, "SpGEMM");
    OK(cusparseSpGEMM_destroyDescr(d));
}

template <class T, class S> static void reuse(int base)
{
    const int64_t m = 21, k = 17, n = 700;
    dense a = random_sparse<T>(m, k, 30, true), b = random_sparse<T>(k, n, 40);
    sparse<T, int, int> A(a, CUSPARSE_FORMAT_CSR, base), B(b, CUSPARSE_FORMAT_CSR, base);
    result<T, int> C(m, n, base);
    const cusparseSpGEMMAlg_t alg = CUSPARSE_SPGEMM_DEFAULT;
    cusparseSpGEMMDescr_t d;
    size_t bytes1 = 0, bytes2 = 0, bytes3 = 0, bytes4 = 0, bytes5 = 0;
    OK(cusparseSpGEMM_createDescr(&d));
    OK(cusparseSpGEMMreuse_workEstimation(h, N, N, A.m, B.m, C.m, alg, d, &bytes1, nullptr));
    array<char> *buffer1 = new array<char>(bytes1);
    OK(cusparseSpGEMMreuse_workEstimation(h, N, N, A.m, B.m, C.m, alg, d, &bytes1, buffer1->dev));
    OK(cusparseSpGEMMreuse_nnz(h, N, N, A.m, B.m, C.m, alg, d, &bytes2, nullptr, &bytes3, nullptr, &bytes4, nullptr));
    array<char> *buffer2 = new array<char>(bytes2), *buffer3 = new array<char>(bytes3);
    array<char> buffer4(bytes4);
    OK(cusparseSpGEMMreuse_nnz(h, N, N, A.m, B.m, C.m, alg, d, &bytes2, buffer2->dev, &bytes3, buffer3->dev, &bytes4,
                               buffer4.dev));
    delete buffer1;
    delete buffer2;
    C.make();
    OK(cusparseSpGEMMreuse_copy(h, N, N, A.m, B.m, C.m, alg, d, &bytes5, nullptr));
    array<char> buffer5(bytes5);
    OK(cusparseSpGEMMreuse_copy(h, N, N, A.m, B.m, C.m, alg, d, &bytes5, buffer5.dev));
    CUDA(cudaDeviceSynchronize());
    delete buffer3;
    device_scalars(h, false);
    for (int turn = 0; turn < 2; turn++) {
        S alpha = number<S>::of(X(2, 0)), beta = number<S>::of(X(0, 0));
        OK(cusparseSpGEMMreuse_compute(h, N, N, &alpha, A.m, B.m, &beta, C.m, type_of<S>(), alg, d));
        C.compare_with(times(a, b, 2), pattern(a, b), base, "SpGEMMreuse");
        for (X &e : a.e)
            e = e != X(0, 0) ? random_number<T>() : e;
        std::vector<T> v;
        for (X e : a.e)
            if (e != X(0, 0))
                v.push_back(number<T>::of(e));
        A.values->set(v);
    }
    OK(cusparseSpGEMM_destroyDescr(d));
}

template <class T, class S>
static void sampled(cusparseOperation_t op_a, cusparseOperation_t op_b, int turn, int64_t rows = 13)
{
    const int64_t inner = 9, cols = 37;
    bool pa = op_a == N, pb = op_b == N, by_rows = turn & 1;
    dense a(pa ? rows : inner, pa ? inner : rows), b(pb ? inner : cols, pb ? cols : inner),
        c = random_sparse<T>(rows, cols, 40, true);
    a.e = random_vector<T>(a.e.size());
    b.e = random_vector<T>(b.e.size());
    sparse<T, int, int> C(c, CUSPARSE_FORMAT_CSR, turn >> 1 & 1);
    std::vector<X> columns(b.e.size());
    for (int64_t i = 0; i < b.rows; i++)
        for (int64_t j = 0; j < b.cols; j++)
            columns[(size_t)(by_rows ? i * b.cols + j : i + j * b.rows)] = b.at(i, j);
    array<T> da(of_numbers<T>(a.e)), db(of_numbers<T>(columns));
    cusparseDnMatDescr_t ma, mb;
    OK(cusparseCreateDnMat(&ma, a.rows, a.cols, a.cols, da.dev, type_of<T>(), CUSPARSE_ORDER_ROW));
    OK(cusparseCreateDnMat(&mb, b.rows, b.cols, by_rows ? b.cols : b.rows, db.dev, type_of<T>(),
                           by_rows ? CUSPARSE_ORDER_ROW : CUSPARSE_ORDER_COL));
    X alpha(1.5, number<T>::complex ? 0.5 : 0), beta(turn % 3 ? 0.5 : 0, 0);
    scalars<S> s(alpha, beta);
    device_scalars(h, turn & 1);
    dense product = times(a.op(op_a), b.op(op_b), alpha);
    std::vector<X> want;
    for (size_t i = 0; i < c.e.size(); i++)
        if (c.e[i] != X(0, 0))
            want.push_back(product.e[i] + beta * c.e[i]);
    const S *pal = s.alpha(turn & 1), *pbe = s.beta(turn & 1);
    size_t bytes = 0;
    const cusparseSDDMMAlg_t alg = CUSPARSE_SDDMM_ALG_DEFAULT;
    const cudaDataType t = type_of<S>();
    if (can_conjugate<T>(op_a) && can_conjugate<T>(op_b)) {
        OK(cusparseSDDMM_bufferSize(h, op_a, op_b, pal, ma, mb, pbe, C.m, t, alg, &bytes));
        CHECK(bytes > 0);
        array<char> buffer(bytes);
        WANT(cusparseSDDMM_preprocess(h, op_a, op_b, pal, ma, mb, pbe, C.m, t, alg, nullptr),
             CUSPARSE_STATUS_INVALID_VALUE);
        WANT(cusparseSDDMM(h, op_a, op_b, pal, ma, mb, pbe, C.m, t, alg, nullptr), CUSPARSE_STATUS_INVALID_VALUE);
        OK(cusparseSDDMM_preprocess(h, op_a, op_b, pal, ma, mb, pbe, C.m, t, alg, buffer.dev));
        OK(cusparseSDDMM(h, op_a, op_b, pal, ma, mb, pbe, C.m, t, alg, buffer.dev));
        // NVIDIA's of 13.0 gives other numbers for conjugates.
        if (on_heddle() ||
            (op_a != CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE && op_b != CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE))
            compare(C.values->get(), want, "SDDMM");
    } else {
        REFUSED(cusparseSDDMM_bufferSize(h, op_a, op_b, pal, ma, mb, pbe, C.m, t, alg, &bytes));
        REFUSED(cusparseSDDMM(h, op_a, op_b, pal, ma, mb, pbe, C.m, t, alg, da.dev));
    }
    OK(cusparseDestroyDnMat(ma));
    OK(cusparseDestroyDnMat(mb));
}

template <class T, class S> static void type()
{
    for (int turn = 0; turn < 2; turn++) {
        once<T, S, int>(23, 31, 19, turn, turn, CUSPARSE_SPGEMM_DEFAULT);
        once<T, S, int64_t>(70, 8, 40, turn, !turn, CUSPARSE_SPGEMM_ALG2);
        reuse<T, S>(turn);
    }
    int turn = 0;
    for (cusparseOperation_t op_a : operations)
        for (cusparseOperation_t op_b : operations)
            sampled<T, S>(op_a, op_b, turn++);
}

int main()
{
    OK(cusparseCreate(&h));
    type<float, float>();
    type<double, double>();
    type<C, C>();
    type<Z, Z>();
    type<__half, float>();
    once<float, float, int>(0, 5, 4, 0, false, CUSPARSE_SPGEMM_DEFAULT);
    sampled<double, double>(N, N, 1, 400);
    OK(cusparseDestroy(h));
    return summary() != 0;
}
