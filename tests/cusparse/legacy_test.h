// SPDX-License-Identifier: Apache-2.0
// For tests of the functions that are one for each type of numbers: calls by type, descriptors, and dense matrices as blocks; CSR is blocks of
// 1 x 1.
#ifndef HEDDLE_TEST_CUSPARSE_LEGACY_TEST_H
#define HEDDLE_TEST_CUSPARSE_LEGACY_TEST_H
#include "sparse_test.h"

// ---- calls: TYPED(bsrmv) makes bsrmv<T>(...) of cusparseSbsrmv and its like
template <class A> static A passed_on(A a)
{
    return a;
}
static inline cuComplex *passed_on(C *p)
{
    return (cuComplex *)p;
}
static inline const cuComplex *passed_on(const C *p)
{
    return (const cuComplex *)p;
}
static inline cuComplex passed_on(C c)
{
    return {c.real(), c.imag()};
}
static inline cuDoubleComplex *passed_on(Z *p)
{
    return (cuDoubleComplex *)p;
}
static inline const cuDoubleComplex *passed_on(const Z *p)
{
    return (const cuDoubleComplex *)p;
}
static inline cuDoubleComplex passed_on(Z c)
{
    return {c.real(), c.imag()};
}
#define TYPED(name)                                                                                                    \
    template <class T, class... A> static cusparseStatus_t name(A... a)                                                \
    {                                                                                                                  \
        if constexpr (std::is_same<T, float>::value)                                                                   \
            return cusparseS##name(passed_on(a)...);                                                                   \
        else if constexpr (std::is_same<T, double>::value)                                                             \
            return cusparseD##name(passed_on(a)...);                                                                   \
        else if constexpr (std::is_same<T, C>::value)                                                                  \
            return cusparseC##name(passed_on(a)...);                                                                   \
        else                                                                                                           \
            return cusparseZ##name(passed_on(a)...);                                                                   \
    }

// ---- descriptors
struct descr {
    cusparseMatDescr_t d = nullptr;
    explicit descr(int base)
    {
        OK(cusparseCreateMatDescr(&d));
        OK(cusparseSetMatIndexBase(d, (cusparseIndexBase_t)base));
    }
    descr(const descr &) = delete;
    ~descr()
    {
        OK(cusparseDestroyMatDescr(d));
    }
};

// ---- blocks
struct block_pattern {
    int height, width, rows, cols, base;
    bool by_columns;
    std::vector<int> offsets, columns;
    // There is a block where one of its elements is not 0.
    block_pattern(const dense &m, int h, int w, bool c, int b) : height(h), width(w), base(b), by_columns(c)
    {
        rows = (int)((m.rows + h - 1) / h);
        cols = (int)((m.cols + w - 1) / w);
        for (int i = 0; i < rows; i++) {
            offsets.push_back((int)columns.size() + base);
            for (int j = 0; j < cols; j++)
                if (meets(m, i, j))
                    columns.push_back(j + base);
        }
        offsets.push_back((int)columns.size() + base);
    }
    int nnz() const
    {
        return (int)columns.size();
    }
    bool meets(const dense &m, int i, int j) const
    {
        for (int64_t r = (int64_t)i * height; r < (i + 1) * height && r < m.rows; r++)
            for (int64_t c = (int64_t)j * width; c < (j + 1) * width && c < m.cols; c++)
                if (m.at(r, c) != X(0, 0))
                    return true;
        return false;
    }
    // Calls f(place in the values, row, column) for every element of a block, those outside of the matrix too.
    template <class F> void each(F f) const
    {
        for (int i = 0; i < rows; i++)
            for (int k = offsets[(size_t)i] - base; k < offsets[(size_t)i + 1] - base; k++)
                for (int r = 0; r < height; r++)
                    for (int c = 0; c < width; c++)
                        f((size_t)(k * height * width + (by_columns ? c * height + r : r * width + c)),
                          (int64_t)i * height + r, (int64_t)(columns[(size_t)k] - base) * width + c);
    }
    std::vector<X> values(const dense &m) const
    {
        std::vector<X> v(columns.size() * (size_t)(height * width));
        each([&](size_t at, int64_t r, int64_t c) { v[at] = r < m.rows && c < m.cols ? m.at(r, c) : X(0, 0); });
        return v;
    }
    // Whether each element of a matrix of this size is in a block.
    std::vector<bool> inside(const dense &m) const
    {
        std::vector<bool> in((size_t)(m.rows * m.cols));
        each([&](size_t, int64_t r, int64_t c) {
            if (r < m.rows && c < m.cols)
                in[(size_t)(r * m.cols + c)] = true;
        });
        return in;
    }
};
template <class T> struct block_matrix : block_pattern {
    array<int> o, c;
    array<T> v;
    block_matrix(const dense &m, int h, int w, bool by_columns, int base)
        : block_pattern(m, h, w, by_columns, base), o(offsets), c(columns), v(of_numbers<T>(values(m)))
    {
    }
    cusparseDirection_t dir() const
    {
        return by_columns ? CUSPARSE_DIRECTION_COLUMN : CUSPARSE_DIRECTION_ROW;
    }
};
// Memory of the size that a function asked for: nothing is written behind it.
struct workspace {
    array<char> memory;
    char *dev;
    explicit workspace(size_t n) : memory(std::vector<char>(n + 64, 'x')), dev(memory.dev) {}
    ~workspace()
    {
        CUDA(cudaDeviceSynchronize());
        std::vector<char> all = memory.get();
        bool same = true;
        for (size_t k = all.size() - 64; k < all.size(); k++)
            same = same && all[k] == 'x';
        CHECK(same);
    }
};
// A stream that the handle uses for as long as this lives.
struct other_stream {
    cusparseHandle_t h;
    cudaStream_t s;
    explicit other_stream(cusparseHandle_t handle) : h(handle)
    {
        CUDA(cudaStreamCreate(&s));
        OK(cusparseSetStream(h, s));
    }
    ~other_stream()
    {
        OK(cusparseSetStream(h, nullptr));
        CUDA(cudaStreamDestroy(s));
    }
    // Captures what f does, as a graph.
    template <class F> cudaGraphExec_t capture(F f)
    {
        cudaGraph_t graph;
        cudaGraphExec_t exec = nullptr;
        CUDA(cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal));
        f();
        CUDA(cudaStreamEndCapture(s, &graph));
        CUDA(cudaGraphInstantiate(&exec, graph, 0));
        CUDA(cudaGraphDestroy(graph));
        return exec;
    }
};
static const cusparseSolvePolicy_t level = CUSPARSE_SOLVE_POLICY_USE_LEVEL;
#endif
