// SPDX-License-Identifier: Apache-2.0
// FFTW's interface, on memory of the host: plans of every form, in both precisions.
// nvcc: -lcufftw -lcufft
#include "reference.h"
#include <cufftw.h>

template <class T> static void fill(std::vector<T> &v)
{
    for (size_t i = 0; i < v.size(); i++)
        v[i] = (T)draw_real();
}

template <class T> static double error_of(const std::vector<number> &want, const T *got)
{
    double e = 0, n = 0;
    for (size_t i = 0; i < want.size(); i++) {
        e += std::norm(number(got[2 * i], got[2 * i + 1]) - want[i]);
        n += std::norm(want[i]);
    }
    return std::sqrt(e / n);
}

template <class T> static std::vector<number> complex_of(const std::vector<T> &v)
{
    std::vector<number> x(v.size() / 2);
    for (size_t i = 0; i < x.size(); i++)
        x[i] = number(v[2 * i], v[2 * i + 1]);
    return x;
}

static void test_complex()
{
    int n[3] = {6, 5, 8};
    for (int rank = 1; rank <= 3; rank++) {
        std::vector<int> sizes(n, n + rank);
        size_t total = 1;
        for (int i = 0; i < rank; i++)
            total *= (size_t)n[i];
        std::vector<double> a(2 * total), b(2 * total);
        std::vector<float> c(2 * total), d(2 * total);
        fill(a);
        fill(c);
        fftw_complex *in = (fftw_complex *)a.data(), *out = (fftw_complex *)b.data();
        fftwf_complex *fin = (fftwf_complex *)c.data(), *fout = (fftwf_complex *)d.data();
        fftw_plan p = rank == 1   ? fftw_plan_dft_1d(n[0], in, out, FFTW_FORWARD, FFTW_ESTIMATE)
                      : rank == 2 ? fftw_plan_dft_2d(n[0], n[1], in, out, FFTW_FORWARD, FFTW_MEASURE)
                                  : fftw_plan_dft_3d(n[0], n[1], n[2], in, out, FFTW_FORWARD, FFTW_ESTIMATE);
        fftwf_plan q = fftwf_plan_dft(rank, n, fin, fout, FFTW_BACKWARD, FFTW_ESTIMATE);
        CHECK(p && q);
        fftw_execute(p);
        fftwf_execute(q);
        std::vector<number> x = complex_of(a), y = complex_of(c);
        dft(x, sizes, -1);
        dft(y, sizes, 1);
        CHECK(error_of(x, b.data()) < 1e-14);
        CHECK(error_of(y, d.data()) < 1e-6);
        fftw_execute_dft(p, out, in); // other memory
        dft(x, sizes, -1);
        CHECK(error_of(x, a.data()) < 1e-14);
        CHECK(fftw_cost(p) > 0);
        double add = 0, mul = 0, fma = 1;
        fftw_flops(p, &add, &mul, &fma);
        CHECK(add > 0 && mul > 0);
        fftw_destroy_plan(p);
        fftwf_destroy_plan(q);
    }
}

static void test_real()
{
    int n[2] = {7, 12};
    std::vector<double> a(7 * 12), b(2 * 7 * 7), c(7 * 12);
    fill(a);
    fftw_plan p = fftw_plan_dft_r2c_2d(7, 12, a.data(), (fftw_complex *)b.data(), FFTW_ESTIMATE);
    fftw_plan q = fftw_plan_dft_c2r(2, n, (fftw_complex *)b.data(), c.data(), FFTW_ESTIMATE);
    CHECK(p && q);
    fftw_execute(p);
    fftw_execute(q);
    double worst = 0;
    for (size_t i = 0; i < a.size(); i++)
        worst = std::fmax(worst, std::fabs(c[i] / 84 - a[i]));
    CHECK(worst < 1e-14);
    fftw_destroy_plan(p);
    fftw_destroy_plan(q);
    // In place: lines of 12 with room for 14, three batches, without embeddings.
    std::vector<float> v(3 * 7 * 14);
    fill(v);
    std::vector<float> was = v;
    fftwf_plan r = fftwf_plan_many_dft_r2c(2, n, 3, v.data(), NULL, 1, 7 * 14, (fftwf_complex *)v.data(), NULL, 1,
                                           7 * 7, FFTW_ESTIMATE);
    fftwf_plan s = fftwf_plan_many_dft_c2r(2, n, 3, (fftwf_complex *)v.data(), NULL, 1, 7 * 7, v.data(), NULL, 1,
                                           7 * 14, FFTW_ESTIMATE);
    CHECK(r && s);
    fftwf_execute(r);
    fftwf_execute(s);
    worst = 0;
    for (size_t i = 0; i < v.size(); i++)
        if (i % 14 < 12)
            worst = std::fmax(worst, std::fabs(v[i] / 84 - was[i]));
    CHECK(worst < 1e-5);
    fftwf_destroy_plan(r);
    fftwf_destroy_plan(s);
}

// Columns of a matrix, two ways.
static void test_many_and_guru()
{
    enum { ROWS = 9, COLUMNS = 10 };
    std::vector<double> a(2 * ROWS * COLUMNS), b(a.size()), c(a.size());
    fill(a);
    int n[1] = {ROWS};
    fftw_iodim dim = {ROWS, COLUMNS, COLUMNS}, many = {COLUMNS, 1, 1};
    fftw_iodim64 dim64 = {ROWS, COLUMNS, COLUMNS}, many64 = {COLUMNS, 1, 1};
    fftw_complex *in = (fftw_complex *)a.data(), *out = (fftw_complex *)b.data(), *other = (fftw_complex *)c.data();
    fftw_plan p =
        fftw_plan_many_dft(1, n, COLUMNS, in, NULL, COLUMNS, 1, out, NULL, COLUMNS, 1, FFTW_FORWARD, FFTW_ESTIMATE);
    fftw_plan q = fftw_plan_guru_dft(1, &dim, 1, &many, in, other, FFTW_FORWARD, FFTW_ESTIMATE);
    fftw_plan r = fftw_plan_guru64_dft(1, &dim64, 1, &many64, in, other, FFTW_FORWARD, FFTW_ESTIMATE);
    CHECK(p && q && r);
    fftw_execute(p);
    std::vector<number> x = complex_of(a);
    for (int i = 0; i < COLUMNS; i++)
        dft_line(&x[(size_t)i], ROWS, COLUMNS, -1);
    CHECK(error_of(x, b.data()) < 1e-14);
    fftw_execute(q);
    CHECK(b == c);
    std::fill(c.begin(), c.end(), 0);
    fftw_execute(r);
    CHECK(b == c);
    fftw_destroy_plan(p);
    fftw_destroy_plan(q);
    fftw_destroy_plan(r);
}

int main()
{
    test_complex();
    test_real();
    test_many_and_guru();
    fftw_complex x[4];
    CHECK(!fftw_plan_dft_1d(0, x, x, FFTW_FORWARD, FFTW_ESTIMATE));
    HEDDLE_ONLY(CHECK(!fftw_plan_dft_1d(4, x, x, 0, FFTW_ESTIMATE))); // NVIDIA's library makes a plan
    CHECK(!fftw_plan_dft(4, NULL, x, x, FFTW_FORWARD, FFTW_ESTIMATE));
    fftw_execute(NULL);
    fftw_destroy_plan(NULL);
    void *m = fftw_malloc(100);
    CHECK(m && (size_t)m % 16 == 0);
    fftw_free(m);
    fftwf_cleanup();
    return test_summary();
}
