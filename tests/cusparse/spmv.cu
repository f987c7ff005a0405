// SPDX-License-Identifier: Apache-2.0
// Products of sparse matrices and vectors: formats, operations, types, index widths, bases, scalars of host and device, empty and long
// rows, and sizes that are cut into several parts.
#include "sparse_test.h"

static cusparseHandle_t h;

template <class EA, class EX, class EY, class T, class M>
static void product(const dense &d, M &A, cusparseOperation_t op, cusparseSpMVAlg_t algorithm, bool device, X alpha,
                    X beta)
{
    dense a = d.op(op);
    std::vector<X> x = random_vector<EX>((size_t)a.cols), y = random_vector<EY>((size_t)a.rows);
    array<EX> dx(of_numbers<EX>(x));
    array<EY> dy(of_numbers<EY>(y));
    if (beta == X(0, 0) && !std::is_integral<EY>::value) // what must not be read
        CUDA(cudaMemset(dy.dev, 0xff, dy.n * sizeof(EY)));
    scalars<T> s(alpha, beta);
    std::vector<X> want((size_t)a.rows);
    for (int64_t i = 0; i < a.rows; i++) {
        X sum = 0;
        for (int64_t j = 0; j < a.cols; j++)
            sum += a.at(i, j) * x[(size_t)j];
        want[(size_t)i] = alpha * sum + beta * y[(size_t)i];
    }
    cusparseDnVecDescr_t vy;
    cusparseConstDnVecDescr_t vx;
    OK(cusparseCreateConstDnVec(&vx, a.cols, dx.dev, type_of<EX>()));
    OK(cusparseCreateDnVec(&vy, a.rows, dy.dev, type_of<EY>()));
    device_scalars(h, device);
    size_t bytes = 0;
    const T *pa = s.alpha(device), *pb = s.beta(device);
    if (can_conjugate<EA>(op)) {
        OK(cusparseSpMV_bufferSize(h, op, pa, A.m, vx, pb, vy, type_of<T>(), algorithm, &bytes));
        array<char> buffer(bytes);
        OK(cusparseSpMV_preprocess(h, op, pa, A.m, vx, pb, vy, type_of<T>(), algorithm, buffer.dev));
        OK(cusparseSpMV(h, op, pa, A.m, vx, pb, vy, type_of<T>(), algorithm, buffer.dev));
        CUDA(cudaDeviceSynchronize());
        compare(dy.get(), want, "SpMV");
    } else {
        REFUSED(cusparseSpMV_bufferSize(h, op, pa, A.m, vx, pb, vy, type_of<T>(), algorithm, &bytes));
        REFUSED(cusparseSpMV(h, op, pa, A.m, vx, pb, vy, type_of<T>(), algorithm, dx.dev));
    }
    OK(cusparseDestroyDnVec(vx));
    OK(cusparseDestroyDnVec(vy));
}

template <class EA, class EX, class EY, class T> static void types(X beta = X(0.5, 0))
{
    const cusparseFormat_t formats[] = {CUSPARSE_FORMAT_CSR, CUSPARSE_FORMAT_CSC, CUSPARSE_FORMAT_COO};
    int turn = 0;
    if (std::is_integral<T>::value)
        beta = X(2, 0);
    X alpha(std::is_integral<T>::value ? 3 : 1.5, number<T>::complex ? 0.5 : 0);
    dense d = random_sparse<EA>(37, 23, 20, true);
    for (cusparseFormat_t f : formats)
        for (int base = 0; base < 2; base++) {
            sparse<EA, int, int> narrow(d, f, base);
            sparse<EA, int64_t, int64_t> wide(d, f, base);
            for (cusparseOperation_t op : operations) {
                product<EA, EX, EY, T>(d, narrow, op, CUSPARSE_SPMV_ALG_DEFAULT, turn & 1, alpha,
                                       turn % 3 ? beta : X(0, 0));
                product<EA, EX, EY, T>(d, wide, op, CUSPARSE_SPMV_ALG_DEFAULT, turn & 2, alpha, beta);
                turn++;
            }
        }
}

// Long rows, and more rows than one part has.
template <class T> static void large(int64_t rows, int64_t cols, unsigned percent)
{
    dense d = random_sparse<T>(rows, cols, percent, true);
    sparse<T, int, int> csr(d, CUSPARSE_FORMAT_CSR, 0), csc(d, CUSPARSE_FORMAT_CSC, 1);
    sparse<T, int64_t, int64_t> coo(d, CUSPARSE_FORMAT_COO, 0);
    for (cusparseOperation_t op : operations) {
        product<T, T, T, T>(d, csr, op, CUSPARSE_SPMV_CSR_ALG2, false, X(2, 0), X(1, 0));
        product<T, T, T, T>(d, csc, op, CUSPARSE_SPMV_ALG_DEFAULT, false, X(2, 0), X(1, 0));
        product<T, T, T, T>(d, coo, op, CUSPARSE_SPMV_COO_ALG2, true, X(2, 0), X(0, 0));
    }
}

struct holder {
    cusparseSpMatDescr_t m;
};

template <class T> static void slices(int base)
{
    enum { ROWS = 21, COLS = 13, SLICE = 4 };
    dense d = random_sparse<T>(ROWS, COLS, 30, true);
    std::vector<int> offsets(1, base), indices;
    std::vector<T> values;
    int64_t nnz = 0;
    for (int s = 0; s < ROWS; s += SLICE) {
        std::vector<std::vector<int>> columns(SLICE);
        size_t width = 0;
        for (int r = 0; r < SLICE; r++) {
            for (int j = 0; j < COLS && s + r < ROWS; j++)
                if (d.at(s + r, j) != X(0, 0))
                    columns[(size_t)r].push_back(j);
            nnz += (int64_t)columns[(size_t)r].size();
            width = columns[(size_t)r].size() > width ? columns[(size_t)r].size() : width;
        }
        for (size_t w = 0; w < width; w++)
            for (int r = 0; r < SLICE; r++) {
                bool there = w < columns[(size_t)r].size();
                indices.push_back(there ? columns[(size_t)r][w] + base : -1);
                values.push_back(there ? number<T>::of(d.at(s + r, columns[(size_t)r][w])) : number<T>::of(X(0, 0)));
            }
        offsets.push_back((int)values.size() + base);
    }
    array<int> o(offsets), i(indices);
    array<T> v(values);
    holder A;
    OK(cusparseCreateSlicedEll(&A.m, ROWS, COLS, nnz, (int64_t)values.size(), SLICE, o.dev, i.dev, v.dev,
                               CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, (cusparseIndexBase_t)base, type_of<T>()));
    product<T, T, T, T>(d, A, CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_SPMV_SELL_ALG1, false, X(1.5, 0), X(0.5, 0));
    product<T, T, T, T>(d, A, CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_SPMV_ALG_DEFAULT, true, X(1.5, 0), X(0, 0));
    OK(cusparseDestroySpMat(A.m));
}

template <class T> static void blocks(cusparseOrder_t order, int base)
{
    enum { BR = 5, BC = 4, R = 3, N = 3 };
    dense d(BR * R, BC * N);
    std::vector<int> offsets(1, base), indices;
    std::vector<T> values;
    for (int i = 0; i < BR; i++) {
        for (int j = 0; j < BC; j++) {
            if (i == 2 || next_random() % 2)
                continue;
            indices.push_back(j + base);
            for (int k = 0; k < R * N; k++) {
                int r = order == CUSPARSE_ORDER_ROW ? k / N : k % R, c = order == CUSPARSE_ORDER_ROW ? k % N : k / R;
                d.at(i * R + r, j * N + c) = random_number<T>();
                values.push_back(number<T>::of(d.at(i * R + r, j * N + c)));
            }
        }
        offsets.push_back((int)indices.size() + base);
    }
    array<int> o(offsets), i(indices);
    array<T> v(values);
    holder A;
    OK(cusparseCreateBsr(&A.m, BR, BC, (int64_t)indices.size(), R, N, o.dev, i.dev, v.dev, CUSPARSE_INDEX_32I,
                         CUSPARSE_INDEX_32I, (cusparseIndexBase_t)base, type_of<T>(), order));
    product<T, T, T, T>(d, A, CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_SPMV_BSR_ALG1, false, X(1.5, 0), X(0.5, 0));
    OK(cusparseDestroySpMat(A.m));
}

static void empty()
{
    dense d(9, 5), none(0, 0);
    sparse<float, int, int> csr(d, CUSPARSE_FORMAT_CSR, 0), csc(d, CUSPARSE_FORMAT_CSC, 1),
        coo(d, CUSPARSE_FORMAT_COO, 0), nothing(none, CUSPARSE_FORMAT_CSR, 0);
    for (cusparseOperation_t op : operations) {
        product<float, float, float, float>(d, csr, op, CUSPARSE_SPMV_ALG_DEFAULT, false, X(1, 0), X(3, 0));
        product<float, float, float, float>(d, csc, op, CUSPARSE_SPMV_ALG_DEFAULT, false, X(1, 0), X(3, 0));
        product<float, float, float, float>(d, coo, op, CUSPARSE_SPMV_ALG_DEFAULT, false, X(1, 0), X(0, 0));
    }
    product<float, float, float, float>(none, nothing, CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_SPMV_ALG_DEFAULT,
                                        false, X(1, 0), X(3, 0));
}

// A captured product replays with what is in memory then.
static void captured()
{
    const int64_t n = 300;
    dense d = random_sparse<float>(n, n, 60);
    sparse<float, int, int> A(d, CUSPARSE_FORMAT_COO, 0);
    std::vector<X> x = random_vector<float>((size_t)n);
    array<float> dx(of_numbers<float>(x)), dy((size_t)n);
    cusparseDnVecDescr_t vx, vy;
    OK(cusparseCreateDnVec(&vx, n, dx.dev, CUDA_R_32F));
    OK(cusparseCreateDnVec(&vy, n, dy.dev, CUDA_R_32F));
    float one = 1, zero = 0;
    device_scalars(h, false);
    cudaStream_t s;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    CUDA(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    OK(cusparseSetStream(h, s));
    const cusparseOperation_t op = CUSPARSE_OPERATION_NON_TRANSPOSE;
    const cusparseSpMVAlg_t alg = CUSPARSE_SPMV_ALG_DEFAULT;
    size_t bytes = 0;
    OK(cusparseSpMV_bufferSize(h, op, &one, A.m, vx, &zero, vy, CUDA_R_32F, alg, &bytes));
    CHECK(bytes > 0);
    array<char> buffer(bytes);
    WANT(cusparseSpMV(h, op, &one, A.m, vx, &zero, vy, CUDA_R_32F, alg, nullptr), CUSPARSE_STATUS_INVALID_VALUE);
    CUDA(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    OK(cusparseSpMV(h, op, &one, A.m, vx, &zero, vy, CUDA_R_32F, alg, buffer.dev));
    CUDA(cudaStreamEndCapture(s, &graph));
    CUDA(cudaGraphInstantiate(&exec, graph, 0));
    for (int turn = 0; turn < 2; turn++) {
        std::vector<X> want((size_t)n);
        for (int64_t i = 0; i < n; i++)
            for (int64_t j = 0; j < n; j++)
                want[(size_t)i] += d.at(i, j) * x[(size_t)j];
        CUDA(cudaMemset(dy.dev, 0, dy.n * sizeof(float)));
        CUDA(cudaGraphLaunch(exec, s));
        CUDA(cudaStreamSynchronize(s));
        compare(dy.get(), want, "a graph's SpMV");
        x = random_vector<float>((size_t)n);
        dx.set(of_numbers<float>(x));
    }
    CUDA(cudaGraphExecDestroy(exec));
    CUDA(cudaGraphDestroy(graph));
    OK(cusparseSetStream(h, 0));
    CUDA(cudaStreamDestroy(s));
    OK(cusparseDestroyDnVec(vx));
    OK(cusparseDestroyDnVec(vy));
}

int main()
{
    OK(cusparseCreate(&h));
    types<float, float, float, float>();
    types<double, double, double, double>();
    types<C, C, C, C>(X(0.5, -0.25));
    types<Z, Z, Z, Z>(X(0.5, -0.25));
    types<__half, __half, __half, float>();
    types<__half, __half, float, float>();
    types<__nv_bfloat16, __nv_bfloat16, __nv_bfloat16, float>();
    types<__nv_bfloat16, __nv_bfloat16, float, float>();
    types<half_complex, half_complex, half_complex, C>(X(0.5, -0.25));
    types<int8_t, int8_t, int, int>();
    types<int8_t, int8_t, float, float>();
    types<float, double, double, double>();
    types<float, C, C, C>(X(0.5, -0.25));
    types<double, Z, Z, Z>(X(0.5, -0.25));
    large<float>(300, 400, 60);
    large<double>(3, 60000, 30);
    large<Z>(400, 350, 40);
    for (int base = 0; base < 2; base++) {
        slices<float>(base);
        slices<Z>(base);
        blocks<double>(CUSPARSE_ORDER_ROW, base);
        blocks<C>(CUSPARSE_ORDER_COL, base);
    }
    empty();
    captured();
    OK(cusparseDestroy(h));
    return summary() != 0;
}
