// SPDX-License-Identifier: Apache-2.0
// Products of sparse and dense matrices: formats, operations of both, orders, types, batches, scalars of host and device.
#include "sparse_test.h"

static cusparseHandle_t h;

// A dense matrix in memory, with a leading dimension that is larger than it must be.
template <class T> struct stored {
    cusparseOrder_t order;
    int64_t rows, cols, ld, size;
    stored(int64_t r, int64_t c, cusparseOrder_t o) : order(o), rows(r), cols(c)
    {
        ld = (o == CUSPARSE_ORDER_COL ? r : c) + 2;
        size = ld * (o == CUSPARSE_ORDER_COL ? c : r);
    }
    size_t at(int64_t i, int64_t j) const
    {
        return (size_t)(order == CUSPARSE_ORDER_COL ? i + j * ld : i * ld + j);
    }
};

template <class EX, class EY, class T, class M>
static void product(const std::vector<dense> &d, M &A, cusparseOperation_t op_a, cusparseOperation_t op_b, int64_t n,
                    cusparseOrder_t order_b, cusparseOrder_t order_c, bool device, X alpha, X beta, int batches = 1)
{
    dense a = d[0].op(op_a);
    bool plain = op_b == CUSPARSE_OPERATION_NON_TRANSPOSE;
    stored<EX> b(plain ? a.cols : n, plain ? n : a.cols, order_b);
    stored<EY> c(a.rows, n, order_c);
    std::vector<X> vb = random_vector<EX>((size_t)(b.size * batches)),
                   vc = random_vector<EY>((size_t)(c.size * batches)), want = vc;
    array<EX> db(of_numbers<EX>(vb));
    array<EY> dc(of_numbers<EY>(vc));
    scalars<T> s(alpha, beta);
    for (int batch = 0; batch < batches; batch++) {
        a = d[d.size() > 1 ? (size_t)batch : 0].op(op_a);
        for (int64_t i = 0; i < a.rows; i++)
            for (int64_t j = 0; j < n; j++) {
                X sum = 0;
                for (int64_t k = 0; k < a.cols; k++) {
                    X e = vb[(size_t)(batch * b.size) + (plain ? b.at(k, j) : b.at(j, k))];
                    sum += a.at(i, k) * (op_b == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE ? std::conj(e) : e);
                }
                X &w = want[(size_t)(batch * c.size) + c.at(i, j)];
                w = alpha * sum + beta * w;
            }
    }
    cusparseDnMatDescr_t mb, mc;
    OK(cusparseCreateDnMat(&mb, b.rows, b.cols, b.ld, db.dev, type_of<EX>(), order_b));
    OK(cusparseCreateDnMat(&mc, c.rows, c.cols, c.ld, dc.dev, type_of<EY>(), order_c));
    if (batches > 1) {
        OK(cusparseDnMatSetStridedBatch(mb, batches, b.size));
        OK(cusparseDnMatSetStridedBatch(mc, batches, c.size));
    }
    device_scalars(h, device);
    size_t bytes = 0;
    const cusparseSpMMAlg_t alg = CUSPARSE_SPMM_ALG_DEFAULT;
    const cudaDataType t = type_of<T>();
    const T *pa = s.alpha(device), *pb = s.beta(device);
    if (can_conjugate<EX>(op_a) && can_conjugate<EX>(op_b)) {
        OK(cusparseSpMM_bufferSize(h, op_a, op_b, pa, A.m, mb, pb, mc, t, alg, &bytes));
        array<char> buffer(bytes);
        OK(cusparseSpMM_preprocess(h, op_a, op_b, pa, A.m, mb, pb, mc, t, alg, buffer.dev));
        OK(cusparseSpMM(h, op_a, op_b, pa, A.m, mb, pb, mc, t, alg, buffer.dev));
        CUDA(cudaDeviceSynchronize());
        compare(dc.get(), want, "SpMM");
    } else {
        REFUSED(cusparseSpMM_bufferSize(h, op_a, op_b, pa, A.m, mb, pb, mc, t, alg, &bytes));
        REFUSED(cusparseSpMM(h, op_a, op_b, pa, A.m, mb, pb, mc, t, alg, db.dev));
    }
    OK(cusparseDestroyDnMat(mb));
    OK(cusparseDestroyDnMat(mc));
}

template <class EA, class EX, class EY, class T> static void types()
{
    const cusparseFormat_t formats[] = {CUSPARSE_FORMAT_CSR, CUSPARSE_FORMAT_CSC, CUSPARSE_FORMAT_COO};
    const cusparseOrder_t orders[] = {CUSPARSE_ORDER_COL, CUSPARSE_ORDER_ROW};
    bool whole = std::is_integral<T>::value;
    X alpha(whole ? 3 : 1.5, number<T>::complex ? 0.5 : 0), beta(whole ? 2 : 0.5, number<T>::complex ? -0.25 : 0);
    std::vector<dense> d(1, random_sparse<EA>(19, 13, 25, true));
    int turn = 0;
    for (cusparseFormat_t f : formats)
        for (int base = 0; base < 2; base++) {
            sparse<EA, int, int> narrow(d[0], f, base);
            sparse<EA, int64_t, int64_t> wide(d[0], f, base);
            for (cusparseOperation_t op_a : operations)
                for (cusparseOperation_t op_b : operations) {
                    cusparseOrder_t b = orders[turn & 1], c = orders[turn >> 1 & 1];
                    product<EX, EY, T>(d, narrow, op_a, op_b, 11, b, c, turn & 1, alpha, turn % 3 ? beta : X(0, 0));
                    product<EX, EY, T>(d, wide, op_a, op_b, 3, c, b, turn & 2, alpha, beta);
                    turn++;
                }
        }
}

struct holder {
    cusparseSpMatDescr_t m;
};

static void batches(cusparseFormat_t f)
{
    std::vector<dense> d(3, random_sparse<float>(9, 12, 30));
    sparse<float, int, int> one(d[0], f, 0);
    std::vector<dense> first(1, d[0]);
    // the same A for all: as many, with a stride of 0
    if (f == CUSPARSE_FORMAT_CSR)
        OK(cusparseCsrSetStridedBatch(one.m, 3, 0, 0));
    else
        OK(cusparseCooSetStridedBatch(one.m, 3, 0));
    for (cusparseOperation_t op : operations)
        product<float, float, float>(first, one, op, CUSPARSE_OPERATION_NON_TRANSPOSE, 5, CUSPARSE_ORDER_COL,
                                     CUSPARSE_ORDER_ROW, false, X(2, 0), X(1, 0), 3);
    // each with its own values; the pattern is that of the first
    std::vector<float> v = one.values->get(), values;
    std::vector<int> o = one.offsets->get(), i = one.indices->get(), offsets, indices;
    for (int b = 0; b < 3; b++) {
        for (X &e : d[(size_t)b].e)
            e *= b + 1;
        for (float e : v)
            values.push_back(e * (float)(b + 1));
        offsets.insert(offsets.end(), o.begin(), o.end());
        indices.insert(indices.end(), i.begin(), i.end());
    }
    array<float> dv(values);
    array<int> dof(offsets), di(indices);
    holder A;
    if (f == CUSPARSE_FORMAT_CSR) {
        OK(cusparseCreateCsr(&A.m, 9, 12, one.nnz, dof.dev, di.dev, dv.dev, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                             CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
        OK(cusparseCsrSetStridedBatch(A.m, 3, (int64_t)o.size(), one.nnz));
    } else {
        OK(cusparseCreateCoo(&A.m, 9, 12, one.nnz, dof.dev, di.dev, dv.dev, CUSPARSE_INDEX_32I,
                             CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
        OK(cusparseCooSetStridedBatch(A.m, 3, one.nnz));
    }
    for (cusparseOperation_t op : operations)
        product<float, float, float>(d, A, op, CUSPARSE_OPERATION_TRANSPOSE, 5, CUSPARSE_ORDER_ROW, CUSPARSE_ORDER_COL,
                                     true, X(2, 0), X(1, 0), 3);
    OK(cusparseDestroySpMat(A.m));
}

template <class T> static void blocked_ell()
{
    enum { ROWS = 8, COLS = 12, BLOCK = 4, ELL = 8 };
    dense d(ROWS, COLS);
    std::vector<int> columns = {0, 2, 1, -1};
    std::vector<T> values(ROWS * ELL, number<T>::of(X(0, 0)));
    for (int i = 0; i < ROWS; i++)
        for (int k = 0; k < ELL; k++) {
            int c = columns[(size_t)(i / BLOCK * (ELL / BLOCK) + k / BLOCK)];
            if (c < 0)
                continue;
            X e = random_number<T>();
            d.at(i, c * BLOCK + k % BLOCK) = e;
            values[(size_t)(i * ELL + k)] = number<T>::of(e);
        }
    array<int> dc(columns);
    array<T> dv(values);
    holder A;
    OK(cusparseCreateBlockedEll(&A.m, ROWS, COLS, BLOCK, ELL, dc.dev, dv.dev, CUSPARSE_INDEX_32I,
                                CUSPARSE_INDEX_BASE_ZERO, type_of<T>()));
    std::vector<dense> one(1, d);
    product<T, T, T>(one, A, CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_NON_TRANSPOSE, 6, CUSPARSE_ORDER_COL,
                     CUSPARSE_ORDER_COL, false, X(1.5, 0), X(0.5, 0));
    product<T, T, T>(one, A, CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_TRANSPOSE, 6, CUSPARSE_ORDER_ROW,
                     CUSPARSE_ORDER_ROW, false, X(1.5, 0), X(0, 0));
    OK(cusparseDestroySpMat(A.m));
}

int main()
{
    OK(cusparseCreate(&h));
    types<float, float, float, float>();
    types<double, double, double, double>();
    types<C, C, C, C>();
    types<Z, Z, Z, Z>();
    types<__half, __half, __half, float>();
    types<__half, __half, float, float>();
    types<__nv_bfloat16, __nv_bfloat16, __nv_bfloat16, float>();
    types<int8_t, int8_t, int, int>();
    types<int8_t, int8_t, float, float>();
    batches(CUSPARSE_FORMAT_CSR);
    batches(CUSPARSE_FORMAT_COO);
    blocked_ell<float>();
    blocked_ell<double>();
    std::vector<dense> large(1, random_sparse<double>(200, 300, 40, true)), none(1, dense(0, 4)), empty(1, dense(5, 4));
    sparse<double, int, int> A(large[0], CUSPARSE_FORMAT_CSR, 0), E(empty[0], CUSPARSE_FORMAT_CSR, 0),
        N(none[0], CUSPARSE_FORMAT_CSR, 0);
    for (cusparseOperation_t op : operations) {
        product<double, double, double>(large, A, op, CUSPARSE_OPERATION_NON_TRANSPOSE, 19, CUSPARSE_ORDER_ROW,
                                        CUSPARSE_ORDER_ROW, false, X(1, 0), X(0, 0));
        product<double, double, double>(empty, E, op, CUSPARSE_OPERATION_NON_TRANSPOSE, 3, CUSPARSE_ORDER_ROW,
                                        CUSPARSE_ORDER_ROW, false, X(1, 0), X(2, 0));
        product<double, double, double>(none, N, op, CUSPARSE_OPERATION_NON_TRANSPOSE, 3, CUSPARSE_ORDER_ROW,
                                        CUSPARSE_ORDER_ROW, false, X(1, 0), X(2, 0));
    }
    OK(cusparseDestroy(h));
    return summary() != 0;
}
