// SPDX-License-Identifier: Apache-2.0
// Sums in registers, more than a gang's vectors have: products of matrices in which each thread makes a tile of N x N sums, with
// constants, integers, doubles and selections in the loop, and with lengths that no tile divides. All sums are whole numbers.
#include "check.h"

enum { SIDE = 16, DEPTH = 8 };

template <typename T, int N> __global__ void product(const T *a, const T *b, T *c, int n, int depth)
{
    __shared__ T x[SIDE * N][DEPTH], y[DEPTH][SIDE * N];
    int tx = threadIdx.x, ty = threadIdx.y, t = ty * SIDE + tx, row = blockIdx.y * SIDE * N,
        column = blockIdx.x * SIDE * N;
    T sum[N][N];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            sum[i][j] = (T)(tx + i - j);
    for (int k0 = 0; k0 < depth; k0 += DEPTH) {
        for (int i = t; i < SIDE * N * DEPTH; i += SIDE * SIDE) {
            int k = k0 + i % DEPTH, l = k0 + i / (SIDE * N);
            x[i / DEPTH][i % DEPTH] = k < depth ? a[(row + i / DEPTH) * depth + k] : 0;
            y[i / (SIDE * N)][i % (SIDE * N)] = l < depth ? b[l * n + column + i % (SIDE * N)] : 0;
        }
        __syncthreads();
        for (int k = 0; k < DEPTH; k++)
            for (int i = 0; i < N; i++)
                for (int j = 0; j < N; j++)
                    sum[i][j] += x[ty * N + i][k] * y[k][tx + SIDE * j];
        __syncthreads();
    }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            c[(row + ty * N + i) * n + column + tx + SIDE * j] = sum[i][j];
}

// The same sums kept in one thread from beginning to end, with a maximum beside them.
template <int N> __global__ void rows(const float *a, const float *b, float *c, int n, int depth)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    float sum[N], most = -1000.0f;
    for (int i = 0; i < N; i++)
        sum[i] = (float)(i + column % 5);
    for (int k = 0; k < depth; k++) {
        float v = b[k * n + column];
        most = v > most ? v : most;
        for (int i = 0; i < N; i++)
            sum[i] += a[i * depth + k] * v;
    }
    for (int i = 0; i < N; i++)
        c[i * n + column] = sum[i] + most;
}

template <typename T, int N> static void check_product(int blocks, int depth)
{
    const int n = blocks * SIDE * N;
    std::vector<T> a(n * depth), b(depth * n);
    for (int i = 0; i < n * depth; i++)
        a[i] = (T)(i * 7 % 11 - 5), b[i] = (T)(i * 5 % 13 - 6);
    Buffer<T> da(a), db(b), dc(n * n);
    product<T, N><<<dim3(blocks, blocks), dim3(SIDE, SIDE)>>>(da, db, dc, n, depth);
    LAUNCHED();
    std::vector<T> c = dc.get();
    bool right = true;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            T sum = (T)(j % SIDE + i % N - j % (SIDE * N) / SIDE);
            for (int k = 0; k < depth; k++)
                sum += a[i * depth + k] * b[k * n + j];
            right &= c[i * n + j] == sum;
        }
    EXPECT(right);
}

template <int N> static void check_rows(int n, int depth)
{
    std::vector<float> a(N * depth), b(depth * n);
    for (int i = 0; i < N * depth; i++)
        a[i] = (float)(i * 7 % 11 - 5);
    for (int i = 0; i < n * depth; i++)
        b[i] = (float)(i * 5 % 13 - 6);
    Buffer<float> da(a), db(b), dc(N * n);
    rows<N><<<n / 64, 64>>>(da, db, dc, n, depth);
    LAUNCHED();
    std::vector<float> c = dc.get();
    bool right = true;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < n; j++) {
            float sum = (float)(i + j % 5), most = -1000;
            for (int k = 0; k < depth; k++) {
                sum += a[i * depth + k] * b[k * n + j];
                most = b[k * n + j] > most ? b[k * n + j] : most;
            }
            right &= c[i * n + j] == sum + most;
        }
    EXPECT(right);
}

int main()
{
    check_product<float, 4>(2, 40);
    check_product<float, 4>(1, 1);
    check_product<float, 6>(1, 21);
    check_product<int, 4>(1, 24);
    check_product<double, 4>(1, 17);
    check_rows<24>(192, 37);
    check_rows<40>(64, 1);
    return DONE();
}
