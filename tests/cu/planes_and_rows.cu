// SPDX-License-Identifier: Apache-2.0
// Loops that read planes far apart, side by side, and beside them rows of each thread's own that a list names: gangs take turns
// in the loop, and each has to keep where its rows are.
#include "check.h"

enum { THREADS = 512, PLANES = 5, STRIDE = 8192, ROW = 4 * PLANES };

template <class T>
__global__ void sums(const T *planes, const T *rows, const int *which, T *out, int n, long stride, int row)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    const T *r = rows + (long)which[i] * row;
    T s = 0, t = 0;
#pragma unroll 1
    for (int p = 0; p < n; p++) {
        s += planes[p * stride + i];
        t += planes[p * stride + i + stride / 2];
        s += r[0] + r[1] * 2;
        t += r[2] * 4 + r[3] * 8;
        r += 4;
    }
    out[i] = s + t;
}

template <class T> void run()
{
    std::vector<T> planes(STRIDE * (PLANES + 1)), rows(THREADS * ROW);
    std::vector<int> which(THREADS);
    for (size_t i = 0; i < planes.size(); i++)
        planes[i] = (T)(i % 7);
    for (size_t i = 0; i < rows.size(); i++)
        rows[i] = (T)(i * 7 % 1021);
    for (int i = 0; i < THREADS; i++)
        which[i] = (i * 37 + 11) % THREADS;
    Buffer<T> p(planes), r(rows), out(THREADS);
    Buffer<int> w(which);
    sums<T><<<THREADS / 128, 128>>>(p, r, w, out, PLANES, STRIDE, ROW);
    LAUNCHED();
    std::vector<T> got = out.get();
    for (int i = 0; i < THREADS; i++) {
        T want = 0;
        const T *x = &rows[(size_t)which[i] * ROW];
        for (int k = 0; k < PLANES; k++, x += 4)
            want +=
                planes[k * STRIDE + i] + planes[k * STRIDE + i + STRIDE / 2] + x[0] + x[1] * 2 + x[2] * 4 + x[3] * 8;
        EXPECT(got[i] == want);
    }
}

int main()
{
    run<float>();
    run<double>();
    return DONE();
}
