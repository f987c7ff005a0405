// SPDX-License-Identifier: Apache-2.0
// Sparse and dense vectors: axpby, gather, scatter, rotations, products; both widths of indices, bases, scalars of host and device.
#include "sparse_test.h"

static cusparseHandle_t h;

template <class T, class I> struct pair {
    int64_t size, nnz;
    std::vector<X> x, y;
    std::vector<I> at;
    array<I> indices;
    array<T> values, dense_values;
    cusparseSpVecDescr_t vx;
    cusparseDnVecDescr_t vy;
    static std::vector<I> places(int64_t n, int64_t step, int base)
    {
        std::vector<I> v;
        for (int64_t k = 0; k < n; k++)
            v.push_back((I)(k * step % (n * step) + base));
        return v;
    }
    pair(int64_t n, int64_t step, int base)
        : size(n * step), nnz(n), x(random_vector<T>((size_t)n)), y(random_vector<T>((size_t)(n * step))),
          at(places(n, step, base)), indices(at), values(of_numbers<T>(x)), dense_values(of_numbers<T>(y))
    {
        OK(cusparseCreateSpVec(&vx, size, nnz, indices.dev, values.dev,
                               sizeof(I) == 8 ? CUSPARSE_INDEX_64I : CUSPARSE_INDEX_32I, (cusparseIndexBase_t)base,
                               type_of<T>()));
        OK(cusparseCreateDnVec(&vy, size, dense_values.dev, type_of<T>()));
        for (I &i : at)
            i = (I)(i - base);
    }
    ~pair()
    {
        OK(cusparseDestroySpVec(vx));
        OK(cusparseDestroyDnVec(vy));
    }
};

template <class T, class S, class I> static void all(int64_t n, int base, bool device)
{
    device_scalars(h, device);
    X alpha(1.5, number<T>::complex ? 0.5 : 0), beta(0.5, number<T>::complex ? -0.25 : 0);
    scalars<S> s(alpha, beta), c(X(0.75, 0), alpha);
    {
        pair<T, I> p(n, 3, base);
        std::vector<X> want = p.y;
        for (X &e : want)
            e *= beta;
        for (int64_t k = 0; k < n; k++)
            want[(size_t)p.at[(size_t)k]] += alpha * p.x[(size_t)k];
        OK(cusparseAxpby(h, s.alpha(device), p.vx, s.beta(device), p.vy));
        compare(p.dense_values.get(), want, "axpby");
    }
    {
        pair<T, I> p(n, 3, base);
        std::vector<X> want(p.x), y = p.y;
        for (int64_t k = 0; k < n; k++)
            want[(size_t)k] = p.y[(size_t)p.at[(size_t)k]];
        OK(cusparseGather(h, p.vy, p.vx));
        compare(p.values.get(), want, "gather");
    }
    {
        pair<T, I> p(n, 3, base);
        std::vector<X> want(p.y);
        for (int64_t k = 0; k < n; k++)
            want[(size_t)p.at[(size_t)k]] = p.x[(size_t)k];
        OK(cusparseScatter(h, p.vx, p.vy));
        compare(p.dense_values.get(), want, "scatter");
    }
    {
        pair<T, I> p(n, 3, base);
        std::vector<X> x(p.x), y(p.y);
        for (int64_t k = 0; k < n; k++) {
            X a = p.x[(size_t)k], b = p.y[(size_t)p.at[(size_t)k]];
            x[(size_t)k] = 0.75 * a + alpha * b;
            y[(size_t)p.at[(size_t)k]] = 0.75 * b - alpha * a; // nothing is conjugated
        }
        OK(cusparseRot(h, c.alpha(device), c.beta(device), p.vx, p.vy));
        compare(p.values.get(), x, "rot x");
        compare(p.dense_values.get(), y, "rot y");
    }
    for (cusparseOperation_t op : {CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE}) {
        pair<T, I> p(n, 2, base);
        X want = 0;
        for (int64_t k = 0; k < n; k++)
            want += (op == CUSPARSE_OPERATION_NON_TRANSPOSE ? p.x[(size_t)k] : std::conj(p.x[(size_t)k])) *
                    p.y[(size_t)p.at[(size_t)k]];
        array<S> result(1);
        S host = number<S>::of(X(-1, 0));
        size_t bytes = 0;
        S *to = device ? result.dev : &host;
        if (!can_conjugate<T>(op)) {
            REFUSED(cusparseSpVV_bufferSize(h, op, p.vx, p.vy, to, type_of<S>(), &bytes));
            REFUSED(cusparseSpVV(h, op, p.vx, p.vy, to, type_of<S>(), result.dev));
            continue;
        }
        OK(cusparseSpVV_bufferSize(h, op, p.vx, p.vy, to, type_of<S>(), &bytes));
        array<char> buffer(bytes);
        if (n && !device) { // where there is something to add up, and a result to be brought to the host
            CHECK(bytes > 0);
            WANT(cusparseSpVV(h, op, p.vx, p.vy, to, type_of<S>(), nullptr), CUSPARSE_STATUS_INVALID_VALUE);
        }
        OK(cusparseSpVV(h, op, p.vx, p.vy, to, type_of<S>(), buffer.dev));
        std::vector<S> got(1, host);
        compare(device ? result.get() : got, std::vector<X>(1, want), "SpVV");
    }
}

template <class T, class S> static void type()
{
    for (int turn = 0; turn < 4; turn++) {
        all<T, S, int>(turn ? 37 : 0, turn & 1, turn & 2);
        all<T, S, int64_t>(29, turn & 1, turn & 2);
    }
}

int main()
{
    OK(cusparseCreate(&h));
    type<float, float>();
    type<double, double>();
    type<C, C>();
    type<Z, Z>();
    type<__half, float>();
    type<__nv_bfloat16, float>();
    all<double, double, int>(20001, 0, false);
    OK(cusparseDestroy(h));
    return summary() != 0;
}
