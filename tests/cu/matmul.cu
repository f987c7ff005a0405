// SPDX-License-Identifier: Apache-2.0
// Matrix product, naive and tiled in shared memory, against the host.
#include "check.h"

struct Matrix {
    int width, height, stride;
    float *elements;
};

__global__ void naive(const float *a, const float *b, float *c, int n)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    float s = 0;
    for (int k = 0; k < n; k++)
        s += a[row * n + k] * b[k * n + col];
    c[row * n + col] = s;
}

// guide: __device__ functions taking and returning structs
template <int T> __device__ Matrix sub(Matrix a, int row, int col)
{
    Matrix s;
    s.width = s.height = T;
    s.stride = a.stride;
    s.elements = &a.elements[a.stride * T * row + T * col];
    return s;
}

// guide: MatMul with shared memory tiles | __shared__ 2D arrays inside a loop | __syncthreads around tile loads
template <int T> __global__ void tiled(Matrix a, Matrix b, Matrix c)
{
    int row = threadIdx.y, col = threadIdx.x;
    Matrix cs = sub<T>(c, blockIdx.y, blockIdx.x);
    float value = 0;
    for (int m = 0; m < a.width / T; m++) {
        Matrix as_ = sub<T>(a, blockIdx.y, m), bs_ = sub<T>(b, m, blockIdx.x);
        __shared__ float as[T][T], bs[T][T];
        as[row][col] = as_.elements[row * as_.stride + col];
        bs[row][col] = bs_.elements[row * bs_.stride + col];
        __syncthreads();
        for (int e = 0; e < T; e++)
            value += as[row][e] * bs[e][col];
        __syncthreads();
    }
    cs.elements[row * cs.stride + col] = value;
}

static bool right(const std::vector<float> &c, const std::vector<double> &ref)
{
    for (size_t i = 0; i < c.size(); i++)
        if (std::fabs(c[i] - ref[i]) > 1e-4 * std::fabs(ref[i]) + 1e-4)
            return false;
    return true;
}

int main()
{
    const int n = 64;
    std::vector<float> a(n * n), b(n * n);
    std::vector<double> ref(n * n);
    for (int i = 0; i < n * n; i++) {
        a[i] = (i % 13) * 0.5f - 2;
        b[i] = (i % 7) * 0.25f - 1;
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                ref[i * n + j] += (double)a[i * n + k] * b[k * n + j];
    Buffer<float> da(a), db(b), dc(n * n);
    Matrix ma = {n, n, n, da}, mb = {n, n, n, db}, mc = {n, n, n, dc};
    naive<<<dim3(4, 4), dim3(16, 16)>>>(da, db, dc, n);
    LAUNCHED();
    EXPECT(right(dc.get(), ref));
    OK(cudaMemset(dc, 0, n * n * 4));
    tiled<16><<<dim3(4, 4), dim3(16, 16)>>>(ma, mb, mc);
    LAUNCHED();
    EXPECT(right(dc.get(), ref));
    OK(cudaMemset(dc, 0, n * n * 4));
    tiled<8><<<dim3(8, 8), dim3(8, 8)>>>(ma, mb, mc);
    LAUNCHED();
    EXPECT(right(dc.get(), ref));
    OK(cudaMemset(dc, 0, n * n * 4));
    tiled<32><<<dim3(2, 2), dim3(32, 32)>>>(ma, mb, mc);
    LAUNCHED();
    EXPECT(right(dc.get(), ref));
    return DONE();
}
