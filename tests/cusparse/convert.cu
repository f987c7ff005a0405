// SPDX-License-Identifier: Apache-2.0
// Dense and sparse matrices from each other, orders of elements, sorts.
#include "sparse_test.h"
#include <algorithm>

static cusparseHandle_t h;

// The lines of elements: within one they may come in any order.
template <class I> static std::vector<int64_t> lines_of(cusparseFormat_t f, const std::vector<I> &o, size_t nnz)
{
    std::vector<int64_t> lines(nnz);
    size_t line = 0;
    for (size_t k = 0; k < nnz; k++) {
        while (f != CUSPARSE_FORMAT_COO && (int64_t)k >= (int64_t)o[line + 1] - (int64_t)o[0])
            line++;
        lines[k] = f == CUSPARSE_FORMAT_COO ? (int64_t)o[k] : (int64_t)line;
    }
    return lines;
}

template <class T, class I>
static void there_and_back(cusparseFormat_t f, cusparseOrder_t order, int base, int64_t rows, int64_t cols)
{
    dense d = random_sparse<T>(rows, cols, 30, true);
    int64_t ld = (order == CUSPARSE_ORDER_COL ? rows : cols) + 1, lines = order == CUSPARSE_ORDER_COL ? cols : rows;
    std::vector<X> e((size_t)(ld * lines), X(7, 0));
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < cols; j++)
            e[(size_t)(order == CUSPARSE_ORDER_COL ? i + j * ld : i * ld + j)] = d.at(i, j);
    array<T> from(of_numbers<T>(e)), to(std::vector<T>(e.size(), number<T>::of(X(7, 0))));
    cusparseConstDnMatDescr_t a;
    cusparseDnMatDescr_t b;
    OK(cusparseCreateConstDnMat(&a, rows, cols, ld, from.dev, type_of<T>(), order));
    OK(cusparseCreateDnMat(&b, rows, cols, ld, to.dev, type_of<T>(), order));
    cusparseIndexType_t it = sizeof(I) == 8 ? CUSPARSE_INDEX_64I : CUSPARSE_INDEX_32I;
    cusparseIndexBase_t ib = (cusparseIndexBase_t)base;
    cusparseSpMatDescr_t s;
    sparse<T, I, I> want(d, f, base);
    array<I> offsets((size_t)std::max(std::max(rows, cols) + 1, want.nnz)), indices((size_t)want.nnz);
    array<T> values((size_t)want.nnz);
    if (f == CUSPARSE_FORMAT_CSR)
        OK(cusparseCreateCsr(&s, rows, cols, 0, offsets.dev, nullptr, nullptr, it, it, ib, type_of<T>()));
    else if (f == CUSPARSE_FORMAT_CSC)
        OK(cusparseCreateCsc(&s, rows, cols, 0, offsets.dev, nullptr, nullptr, it, it, ib, type_of<T>()));
    else
        OK(cusparseCreateCoo(&s, rows, cols, 0, nullptr, nullptr, nullptr, it, ib, type_of<T>()));
    size_t bytes = 0;
    OK(cusparseDenseToSparse_bufferSize(h, a, s, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, &bytes));
    array<char> buffer(bytes);
    OK(cusparseDenseToSparse_analysis(h, a, s, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, buffer.dev));
    int64_t r, c, nnz = -1;
    OK(cusparseSpMatGetSize(s, &r, &c, &nnz));
    CHECK(r == rows && c == cols && nnz == want.nnz);
    if (f == CUSPARSE_FORMAT_CSR)
        OK(cusparseCsrSetPointers(s, offsets.dev, indices.dev, values.dev));
    else if (f == CUSPARSE_FORMAT_CSC)
        OK(cusparseCscSetPointers(s, offsets.dev, indices.dev, values.dev));
    else
        OK(cusparseCooSetPointers(s, offsets.dev, indices.dev, values.dev));
    OK(cusparseDenseToSparse_convert(h, a, s, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, buffer.dev));
    std::vector<I> o = offsets.get(), wo = want.offsets->get();
    CHECK(std::equal(wo.begin(), wo.end(), o.begin()));
    std::vector<I> i = indices.get(), wi = want.indices->get();
    std::vector<T> v = values.get(), wv = want.values->get();
    std::vector<int64_t> line = lines_of(f, wo, wi.size());
    std::vector<size_t> by_index(wi.size());
    for (size_t k = 0; k < by_index.size(); k++)
        by_index[k] = k;
    std::sort(by_index.begin(), by_index.end(),
              [&](size_t j, size_t k) { return std::make_pair(line[j], i[j]) < std::make_pair(line[k], i[k]); });
    bool same = true;
    for (size_t k = 0; k < by_index.size(); k++)
        same = same && i[by_index[k]] == wi[k] && !memcmp(&v[by_index[k]], &wv[k], sizeof(T));
    CHECK(same);
    OK(cusparseSparseToDense_bufferSize(h, s, b, CUSPARSE_SPARSETODENSE_ALG_DEFAULT, &bytes));
    array<char> more(bytes);
    if (bytes && !wi.empty())
        WANT(cusparseSparseToDense(h, s, b, CUSPARSE_SPARSETODENSE_ALG_DEFAULT, nullptr),
             CUSPARSE_STATUS_INVALID_VALUE);
    OK(cusparseSparseToDense(h, s, b, CUSPARSE_SPARSETODENSE_ALG_DEFAULT, more.dev));
    CUDA(cudaDeviceSynchronize());
    compare(to.get(), e, "sparse to dense");
    OK(cusparseDestroySpMat(s));
    OK(cusparseDestroyDnMat(a));
    OK(cusparseDestroyDnMat(b));
}

template <class T> static void types()
{
    for (cusparseFormat_t f : {CUSPARSE_FORMAT_CSR, CUSPARSE_FORMAT_CSC, CUSPARSE_FORMAT_COO})
        for (int base = 0; base < 2; base++) {
            there_and_back<T, int>(f, base ? CUSPARSE_ORDER_ROW : CUSPARSE_ORDER_COL, base, 31, 17);
            there_and_back<T, int64_t>(f, base ? CUSPARSE_ORDER_COL : CUSPARSE_ORDER_ROW, base, 140, 9);
            there_and_back<T, int>(f, CUSPARSE_ORDER_ROW, base, 0, 0);
        }
}

template <class T> static void transposed(int base)
{
    dense d = random_sparse<T>(29, 18, 30, true);
    sparse<T, int, int> csr(d, CUSPARSE_FORMAT_CSR, base), csc(d, CUSPARSE_FORMAT_CSC, base);
    array<int> offsets(19), rows((size_t)csr.nnz);
    array<T> values((size_t)csr.nnz);
    size_t bytes = 0;
    OK(cusparseCsr2cscEx2_bufferSize(h, 29, 18, (int)csr.nnz, csr.values->dev, csr.offsets->dev, csr.indices->dev,
                                     values.dev, offsets.dev, rows.dev, type_of<T>(), CUSPARSE_ACTION_NUMERIC,
                                     (cusparseIndexBase_t)base, CUSPARSE_CSR2CSC_ALG_DEFAULT, &bytes));
    array<char> buffer(bytes);
    OK(cusparseCsr2cscEx2(h, 29, 18, (int)csr.nnz, csr.values->dev, csr.offsets->dev, csr.indices->dev, values.dev,
                          offsets.dev, rows.dev, type_of<T>(), CUSPARSE_ACTION_NUMERIC, (cusparseIndexBase_t)base,
                          CUSPARSE_CSR2CSC_ALG_DEFAULT, buffer.dev));
    CHECK(offsets.get() == csc.offsets->get());
    CHECK(rows.get() == csc.indices->get());
    std::vector<T> v = values.get(), w = csc.values->get();
    CHECK(!memcmp(v.data(), w.data(), v.size() * sizeof(T)));
    // rows of COO and offsets of CSR
    sparse<T, int, int> coo(d, CUSPARSE_FORMAT_COO, base);
    array<int> made(30), back((size_t)csr.nnz);
    OK(cusparseXcoo2csr(h, coo.offsets->dev, (int)csr.nnz, 29, made.dev, (cusparseIndexBase_t)base));
    CHECK(made.get() == csr.offsets->get());
    OK(cusparseXcsr2coo(h, csr.offsets->dev, (int)csr.nnz, 29, back.dev, (cusparseIndexBase_t)base));
    CHECK(back.get() == coo.offsets->get());
}

static void sorts(int base)
{
    const int m = 40, n = 60, nnz = 700;
    std::vector<int> rows(nnz), cols(nnz), offsets(1, base);
    for (int k = 0; k < nnz; k++) {
        rows[(size_t)k] = (int)(next_random() % m) + base;
        cols[(size_t)k] = (int)(next_random() % n) + base;
    }
    std::vector<int> by_row(nnz), by_col(nnz);
    for (int k = 0; k < nnz; k++)
        by_row[(size_t)k] = by_col[(size_t)k] = k;
    auto key = [&](const std::vector<int> &a, const std::vector<int> &b) {
        return [&](int i, int j) {
            return std::make_pair(a[(size_t)i], b[(size_t)i]) < std::make_pair(a[(size_t)j], b[(size_t)j]);
        };
    };
    std::stable_sort(by_row.begin(), by_row.end(), key(rows, cols));
    std::stable_sort(by_col.begin(), by_col.end(), key(cols, rows));
    for (int turn = 0; turn < 2; turn++) {
        array<int> r(rows), c(cols), p(nnz);
        size_t bytes = 0;
        OK(cusparseCreateIdentityPermutation(h, nnz, p.dev));
        OK(cusparseXcoosort_bufferSizeExt(h, m, n, nnz, r.dev, c.dev, &bytes));
        array<char> buffer(bytes);
        if (turn)
            OK(cusparseXcoosortByColumn(h, m, n, nnz, r.dev, c.dev, p.dev, buffer.dev));
        else
            OK(cusparseXcoosortByRow(h, m, n, nnz, r.dev, c.dev, p.dev, buffer.dev));
        std::vector<int> want = turn ? by_col : by_row, gr = r.get(), gc = c.get();
        CHECK(p.get() == want);
        bool same = true;
        for (int k = 0; k < nnz; k++)
            same = same && gr[(size_t)k] == rows[(size_t)want[(size_t)k]] &&
                   gc[(size_t)k] == cols[(size_t)want[(size_t)k]];
        CHECK(same);
    }
    // rows of CSR: elements as they came, sorted within the row
    std::vector<int> line(nnz);
    std::vector<int> first(by_row);
    std::stable_sort(first.begin(), first.end(), [](int i, int j) { return i < j; });
    std::stable_sort(first.begin(), first.end(), [&](int i, int j) { return rows[(size_t)i] < rows[(size_t)j]; });
    for (int i = 0, k = 0; i < m; i++) {
        for (; k < nnz && rows[(size_t)first[(size_t)k]] == i + base; k++)
            line[(size_t)k] = cols[(size_t)first[(size_t)k]];
        offsets.push_back(k + base);
    }
    cusparseMatDescr_t d;
    OK(cusparseCreateMatDescr(&d));
    OK(cusparseSetMatIndexBase(d, (cusparseIndexBase_t)base));
    for (int turn = 0; turn < 2; turn++) {
        array<int> o(offsets), c(line), p(nnz);
        size_t bytes = 0;
        OK(cusparseCreateIdentityPermutation(h, nnz, p.dev));
        OK(cusparseXcsrsort_bufferSizeExt(h, m, n, nnz, o.dev, c.dev, &bytes));
        array<char> buffer(bytes);
        if (turn)
            OK(cusparseXcscsort(h, n, m, nnz, d, o.dev, c.dev, on_heddle() ? nullptr : p.dev, buffer.dev));
        else
            OK(cusparseXcsrsort(h, m, n, nnz, d, o.dev, c.dev, p.dev, buffer.dev));
        std::vector<int> got = c.get(), at = p.get();
        bool same = true;
        for (int k = 0; k < nnz; k++)
            same = same && got[(size_t)k] == cols[(size_t)by_row[(size_t)k]] &&
                   (turn || first[(size_t)at[(size_t)k]] == by_row[(size_t)k]);
        CHECK(same);
    }
    OK(cusparseDestroyMatDescr(d));
}

int main()
{
    OK(cusparseCreate(&h));
    types<float>();
    types<double>();
    types<C>();
    types<Z>();
    types<__half>();
    types<__nv_bfloat16>();
    for (int base = 0; base < 2; base++) {
        transposed<float>(base);
        transposed<double>(base);
        transposed<Z>(base);
        sorts(base);
    }
    OK(cusparseDestroy(h));
    return summary() != 0;
}
