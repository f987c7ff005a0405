// SPDX-License-Identifier: Apache-2.0
// The definition of the transforms, in double, and memory as cuFFT lays it out.
#ifndef CUFFT_TEST_REFERENCE_H
#define CUFFT_TEST_REFERENCE_H
#include "../on_heddle.h"
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <cufft.h>
#include <vector>

static int test_passed, test_failed;
#define CHECK(c)                                                                                                       \
    do {                                                                                                               \
        if (c) {                                                                                                       \
            test_passed++;                                                                                             \
        } else {                                                                                                       \
            test_failed++;                                                                                             \
            std::fprintf(stderr, "%s:%d: failed: %s\n", __FILE__, __LINE__, #c);                                       \
        }                                                                                                              \
    } while (0)
#define GIVES(call, wanted)                                                                                            \
    do {                                                                                                               \
        int got_ = (int)(call);                                                                                        \
        if (got_ == (int)(wanted)) {                                                                                   \
            test_passed++;                                                                                             \
        } else {                                                                                                       \
            test_failed++;                                                                                             \
            std::fprintf(stderr, "%s:%d: %s gave %d, wanted %s\n", __FILE__, __LINE__, #call, got_, #wanted);          \
        }                                                                                                              \
    } while (0)
#define OK(call) GIVES(call, 0)

static inline int test_summary()
{
    std::printf("%d passed, %d failed\n", test_passed, test_failed);
    return test_failed != 0 || test_passed == 0;
}

typedef std::complex<double> number;

static inline unsigned draw()
{
    static unsigned long long state = 42;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(state >> 33);
}

static inline double draw_real()
{
    return (double)(float)(draw() % 20001) / 10000 - 1;
}

// One line, by the sum.
static inline void dft_line(number *x, size_t n, size_t step, int sign)
{
    std::vector<number> w(n), y(n);
    for (size_t k = 0; k < n; k++)
        w[k] = std::polar(1.0, sign * 2 * std::acos(-1.0) * (double)k / (double)n);
    for (size_t k = 0; k < n; k++)
        for (size_t j = 0; j < n; j++)
            y[k] += x[j * step] * w[j * k % n];
    for (size_t k = 0; k < n; k++)
        x[k * step] = y[k];
}

// An array [batch][n...], axis by axis.
static inline void dft(std::vector<number> &x, const std::vector<int> &n, int sign)
{
    size_t inner = 1;
    for (size_t a = n.size(); a-- > 0; inner *= (size_t)n[a])
        for (size_t i = 0; i < x.size() / (size_t)n[a]; i++)
            dft_line(&x[i / inner * inner * (size_t)n[a] + i % inner], (size_t)n[a], inner, sign);
}

// One side: element (b, i, j, k) is at b dist + ((i embed[1] + j) embed[2] + k) stride.
struct side {
    bool is_complex;
    int last; // elements of the last axis
    long long stride, dist;
    std::vector<long long> embed;

    size_t at(const std::vector<int> &n, size_t index) const // of the element that has this index in [batch][n...]
    {
        long long place = 0, scale = stride;
        for (size_t a = n.size(); a-- > 0; index /= (size_t)n[a]) {
            place += (long long)(index % (size_t)n[a]) * scale;
            scale *= embed[a];
        }
        return (size_t)(place + (long long)index * dist);
    }
    bool has(const std::vector<int> &n, size_t index) const
    {
        return (int)(index % (size_t)n.back()) < last;
    }
};

static inline side packed_side(const std::vector<int> &n, bool is_complex, bool is_real_transform, bool in_place)
{
    side s;
    s.is_complex = is_complex;
    s.last = is_complex && is_real_transform ? n.back() / 2 + 1 : n.back();
    s.stride = 1;
    s.embed.assign(n.begin(), n.end());
    s.embed.back() = !is_complex && in_place ? 2 * (n.back() / 2 + 1) : s.last;
    s.dist = 1;
    for (size_t i = 0; i < n.size(); i++)
        s.dist *= s.embed[i];
    return s;
}

static inline size_t side_scalars(const side &s, const std::vector<int> &n, int batch)
{
    size_t most = 0, total = (size_t)batch;
    for (size_t i = 0; i < n.size(); i++)
        total *= (size_t)n[i];
    for (size_t i = 0; i < total; i++)
        if (s.has(n, i) && s.at(n, i) > most)
            most = s.at(n, i);
    return (most + 1) * (s.is_complex ? 2 : 1);
}

// The relative error of `got`, one side in memory, against x.
template <class T>
static double side_error(const side &s, const std::vector<int> &n, const std::vector<number> &x, const T *got)
{
    double error = 0, norm = 0;
    for (size_t i = 0; i < x.size(); i++) {
        if (!s.has(n, i))
            continue;
        size_t p = s.at(n, i);
        number g = s.is_complex ? number((double)got[2 * p], (double)got[2 * p + 1]) : number((double)got[p], 0);
        error += std::norm(g - x[i]);
        norm += std::norm(x[i]);
    }
    return norm > 0 ? std::sqrt(error / norm) : std::sqrt(error);
}

template <class T> static void side_fill(const side &s, const std::vector<int> &n, const std::vector<number> &x, T *to)
{
    for (size_t i = 0; i < x.size(); i++) {
        if (!s.has(n, i))
            continue;
        size_t p = s.at(n, i);
        to[s.is_complex ? 2 * p : p] = (T)x[i].real();
        if (s.is_complex)
            to[2 * p + 1] = (T)x[i].imag();
    }
}

static inline bool is_double(cufftType t)
{
    return t == CUFFT_Z2Z || t == CUFFT_D2Z || t == CUFFT_Z2D;
}
static inline bool is_forward_real(cufftType t)
{
    return t == CUFFT_R2C || t == CUFFT_D2Z;
}
static inline bool is_backward_real(cufftType t)
{
    return t == CUFFT_C2R || t == CUFFT_Z2D;
}

static inline cufftResult exec_any(cufftHandle p, cufftType t, void *in, void *out, int direction)
{
    switch (t) {
    case CUFFT_C2C:
        return cufftExecC2C(p, (cufftComplex *)in, (cufftComplex *)out, direction);
    case CUFFT_R2C:
        return cufftExecR2C(p, (cufftReal *)in, (cufftComplex *)out);
    case CUFFT_C2R:
        return cufftExecC2R(p, (cufftComplex *)in, (cufftReal *)out);
    case CUFFT_Z2Z:
        return cufftExecZ2Z(p, (cufftDoubleComplex *)in, (cufftDoubleComplex *)out, direction);
    case CUFFT_D2Z:
        return cufftExecD2Z(p, (cufftDoubleReal *)in, (cufftDoubleComplex *)out);
    default:
        return cufftExecZ2D(p, (cufftDoubleComplex *)in, (cufftDoubleReal *)out);
    }
}

// Runs a plan on random data and gives the error in units of eps log2(n). NULL for `out`: in place.
template <class T>
static double run_plan(cufftHandle p, cufftType t, const std::vector<int> &n, int batch, const side &in,
                       const side &out, bool in_place, int direction, cudaStream_t stream = 0)
{
    size_t total = (size_t)batch;
    for (size_t i = 0; i < n.size(); i++)
        total *= (size_t)n[i];
    std::vector<number> x(total);
    for (size_t i = 0; i < total; i++)
        x[i] = number(draw_real(), is_forward_real(t) || is_backward_real(t) ? 0 : draw_real());
    if (is_backward_real(t))
        dft(x, n, -1);
    size_t a = side_scalars(in, n, batch), b = side_scalars(out, n, batch), room = a > b ? a : b;
    std::vector<T> host(room);
    side_fill(in, n, x, host.data());
    T *from, *to;
    OK(cudaMalloc(&from, room * sizeof(T)));
    OK(cudaMalloc(&to, room * sizeof(T)));
    OK(cudaMemcpyAsync(from, host.data(), room * sizeof(T), cudaMemcpyHostToDevice, stream));
    OK(exec_any(p, t, from, in_place ? from : to, direction));
    OK(cudaMemcpyAsync(host.data(), in_place ? from : to, room * sizeof(T), cudaMemcpyDeviceToHost, stream));
    OK(cudaStreamSynchronize(stream));
    dft(x, n, is_forward_real(t) ? -1 : is_backward_real(t) ? 1 : direction);
    double unit = (sizeof(T) == 8 ? 0x1p-53 : 0x1p-24) * std::log2((double)total + 2);
    double e = side_error(out, n, x, host.data()) / unit;
    OK(cudaFree(from));
    OK(cudaFree(to));
    return e;
}

static inline double run_any(cufftHandle p, cufftType t, const std::vector<int> &n, int batch, const side &in,
                             const side &out, bool in_place, int direction, cudaStream_t stream = 0)
{
    return is_double(t) ? run_plan<double>(p, t, n, batch, in, out, in_place, direction, stream)
                        : run_plan<float>(p, t, n, batch, in, out, in_place, direction, stream);
}

// In units of eps log2(n); the reference in double has some of it. NVIDIA's and ours are below 1 for float.
static const double BOUND = 4;
#endif
