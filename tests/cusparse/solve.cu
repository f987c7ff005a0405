// SPDX-License-Identifier: Apache-2.0
// Triangular systems: both triangles, unit diagonals, operations, formats, several right sides, new values, graphs.
#include "sparse_test.h"

static cusparseHandle_t h;

// A matrix that is full of elements: only the triangle that is named is read.
template <class T> static dense square(int64_t n)
{
    dense d = random_sparse<T>(n, n, 30);
    for (int64_t i = 0; i < n; i++)
        d.at(i, i) = X(4, number<T>::complex ? 2 : 0);
    return d;
}

template <class T, class M> static void attributes(M &A, bool lower, bool unit)
{
    cusparseFillMode_t fill = lower ? CUSPARSE_FILL_MODE_LOWER : CUSPARSE_FILL_MODE_UPPER;
    cusparseDiagType_t diag = unit ? CUSPARSE_DIAG_TYPE_UNIT : CUSPARSE_DIAG_TYPE_NON_UNIT;
    OK(cusparseSpMatSetAttribute(A.m, CUSPARSE_SPMAT_FILL_MODE, &fill, sizeof fill));
    OK(cusparseSpMatSetAttribute(A.m, CUSPARSE_SPMAT_DIAG_TYPE, &diag, sizeof diag));
}

// Right sides are made of solutions.
static std::vector<X> right_side(const dense &a, const std::vector<X> &y, X alpha)
{
    std::vector<X> b((size_t)a.rows);
    for (int64_t i = 0; i < a.rows; i++) {
        for (int64_t j = 0; j < a.cols; j++)
            b[(size_t)i] += a.at(i, j) * y[(size_t)j];
        b[(size_t)i] /= alpha;
    }
    return b;
}

template <class T> static void compare_solution(const std::vector<T> &got, const std::vector<X> &want, const char *what)
{
    double worst = 0, all = 0;
    for (size_t i = 0; i < want.size(); i++) {
        double d = std::abs(number<T>::to(got[i]) - want[i]);
        worst = d > worst || d != d ? (d != d ? 1e9 : d) : worst;
        all = std::abs(want[i]) > all ? std::abs(want[i]) : all;
    }
    check(worst <= bound<T>() * 100 * (1 + all), what, __FILE__, __LINE__);
}

template <class T, class I>
static void vector(cusparseFormat_t f, int base, cusparseOperation_t op, bool lower, bool unit, bool device)
{
    const int64_t n = 24;
    dense d = square<T>(n);
    for (int64_t i = 0; i < n && unit; i++) // with a unit diagonal solutions grow: small elements
        for (int64_t j = 0; j < n; j++)
            d.at(i, j) *= 0.25;
    sparse<T, I, I> A(d, f, base);
    attributes<T>(A, lower, unit);
    X alpha(2, number<T>::complex ? 1 : 0);
    std::vector<X> y = random_vector<T>((size_t)n), b = right_side(triangle(d, lower, unit).op(op), y, alpha);
    array<T> dx(of_numbers<T>(b)), dy((size_t)n);
    scalars<T> s(alpha, alpha);
    cusparseDnVecDescr_t vx, vy;
    OK(cusparseCreateDnVec(&vx, n, dx.dev, type_of<T>()));
    OK(cusparseCreateDnVec(&vy, n, dy.dev, type_of<T>()));
    cusparseSpSVDescr_t descr;
    OK(cusparseSpSV_createDescr(&descr));
    device_scalars(h, device);
    const T *a = s.alpha(device);
    size_t bytes = 0;
    const cusparseSpSVAlg_t alg = CUSPARSE_SPSV_ALG_DEFAULT;
    if (!can_conjugate<T>(op) || f == CUSPARSE_FORMAT_CSC) {
        REFUSED(cusparseSpSV_bufferSize(h, op, a, A.m, vx, vy, type_of<T>(), alg, descr, &bytes));
        REFUSED(cusparseSpSV_solve(h, op, a, A.m, vx, vy, type_of<T>(), alg, descr));
        OK(cusparseSpSV_destroyDescr(descr));
        OK(cusparseDestroyDnVec(vx));
        OK(cusparseDestroyDnVec(vy));
        return;
    }
    OK(cusparseSpSV_bufferSize(h, op, a, A.m, vx, vy, type_of<T>(), alg, descr, &bytes));
    array<char> buffer(bytes);
    OK(cusparseSpSV_analysis(h, op, a, A.m, vx, vy, type_of<T>(), alg, descr, buffer.dev));
    OK(cusparseSpSV_solve(h, op, a, A.m, vx, vy, type_of<T>(), alg, descr));
    compare_solution(dy.get(), y, "SpSV");
    // all values doubled: half the solution; then a diagonal of 8 instead
    std::vector<T> values = A.values->get();
    for (T &e : values)
        e = number<T>::of(number<T>::to(e) * 2.0);
    array<T> twice(values), eight(std::vector<T>((size_t)n, number<T>::of(X(8, 0))));
    dense doubled = d;
    for (X &e : doubled.e)
        e *= 2;
    dx.set(of_numbers<T>(right_side(triangle(doubled, lower, unit).op(op), y, alpha)));
    OK(cusparseSpSV_updateMatrix(h, descr, twice.dev, CUSPARSE_SPSV_UPDATE_GENERAL));
    OK(cusparseSpSV_solve(h, op, a, A.m, vx, vy, type_of<T>(), alg, descr));
    compare_solution(dy.get(), y, "SpSV, new values");
    for (int64_t i = 0; i < n; i++)
        doubled.at(i, i) = X(8, 0);
    if (!unit) { // a unit diagonal has no values that could be new
        dx.set(of_numbers<T>(right_side(triangle(doubled, lower, unit).op(op), y, alpha)));
        OK(cusparseSpSV_updateMatrix(h, descr, eight.dev, CUSPARSE_SPSV_UPDATE_DIAGONAL));
        OK(cusparseSpSV_solve(h, op, a, A.m, vx, vy, type_of<T>(), alg, descr));
        compare_solution(dy.get(), y, "SpSV, a new diagonal");
    }
    OK(cusparseSpSV_destroyDescr(descr));
    OK(cusparseDestroyDnVec(vx));
    OK(cusparseDestroyDnVec(vy));
}

template <class T>
static void matrix(cusparseFormat_t f, cusparseOperation_t op_a, cusparseOperation_t op_b, bool lower, int turn)
{
    const int64_t n = 19, k = 7;
    dense d = square<T>(n);
    sparse<T, int, int> A(d, f, turn & 1);
    attributes<T>(A, lower, false);
    bool b_rows = turn & 1, c_rows = turn & 2, plain = op_b == CUSPARSE_OPERATION_NON_TRANSPOSE;
    int64_t br = plain ? n : k, bc = plain ? k : n, ldb = (b_rows ? bc : br) + 1, ldc = (c_rows ? k : n) + 2;
    std::vector<X> b((size_t)(ldb * (b_rows ? br : bc))), want((size_t)(ldc * (c_rows ? n : k)), X(5, 0));
    for (int64_t j = 0; j < k; j++) {
        std::vector<X> y = random_vector<T>((size_t)n), r = right_side(triangle(d, lower, false).op(op_a), y, X(2, 0));
        for (int64_t i = 0; i < n; i++) {
            int64_t p = plain ? i : j, q = plain ? j : i;
            b[(size_t)(b_rows ? p * ldb + q : p + q * ldb)] = r[(size_t)i];
            want[(size_t)(c_rows ? i * ldc + j : i + j * ldc)] = y[(size_t)i];
        }
    }
    array<T> db(of_numbers<T>(b)), dc(std::vector<T>(want.size(), number<T>::of(X(5, 0))));
    scalars<T> s(X(2, 0), X(2, 0));
    cusparseDnMatDescr_t mb, mc;
    OK(cusparseCreateDnMat(&mb, br, bc, ldb, db.dev, type_of<T>(), b_rows ? CUSPARSE_ORDER_ROW : CUSPARSE_ORDER_COL));
    OK(cusparseCreateDnMat(&mc, n, k, ldc, dc.dev, type_of<T>(), c_rows ? CUSPARSE_ORDER_ROW : CUSPARSE_ORDER_COL));
    cusparseSpSMDescr_t descr;
    OK(cusparseSpSM_createDescr(&descr));
    device_scalars(h, turn & 1);
    const T *a = s.alpha(turn & 1);
    size_t bytes = 0;
    const cusparseSpSMAlg_t alg = CUSPARSE_SPSM_ALG_DEFAULT;
    if (can_conjugate<T>(op_a) && op_b != CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE && f != CUSPARSE_FORMAT_CSC) {
        OK(cusparseSpSM_bufferSize(h, op_a, op_b, a, A.m, mb, mc, type_of<T>(), alg, descr, &bytes));
        array<char> buffer(bytes);
        OK(cusparseSpSM_analysis(h, op_a, op_b, a, A.m, mb, mc, type_of<T>(), alg, descr, buffer.dev));
        OK(cusparseSpSM_solve(h, op_a, op_b, a, A.m, mb, mc, type_of<T>(), alg, descr));
        compare_solution(dc.get(), want, "SpSM");
    } else {
        REFUSED(cusparseSpSM_bufferSize(h, op_a, op_b, a, A.m, mb, mc, type_of<T>(), alg, descr, &bytes));
        REFUSED(cusparseSpSM_solve(h, op_a, op_b, a, A.m, mb, mc, type_of<T>(), alg, descr));
    }
    OK(cusparseSpSM_destroyDescr(descr));
    OK(cusparseDestroyDnMat(mb));
    OK(cusparseDestroyDnMat(mc));
}

template <class T> static void type()
{
    int turn = 0;
    for (cusparseFormat_t f : {CUSPARSE_FORMAT_CSR, CUSPARSE_FORMAT_CSC, CUSPARSE_FORMAT_COO})
        for (cusparseOperation_t op : operations)
            for (int lower = 0; lower < 2; lower++) {
                vector<T, int>(f, turn & 1, op, lower, false, turn & 2);
                vector<T, int64_t>(f, turn >> 1 & 1, op, lower, true, turn & 1);
                matrix<T>(f, op, operations[turn % 3], lower, turn);
                turn++;
            }
}

int main()
{
    OK(cusparseCreate(&h));
    type<float>();
    type<double>();
    type<C>();
    type<Z>();
    OK(cusparseDestroy(h));
    return summary() != 0;
}
