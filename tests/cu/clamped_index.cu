// SPDX-License-Identifier: Apache-2.0
// Indices that are held within bounds, at every place of a border, beyond it on both sides, where sums wrap around and under masks; and sums
// that are kept in memory while a row is read, which may be the row itself. Arrays end where the allocation does.
#include "check.h"
#include <vector>

__global__ void box(const int *in, int *out, int n, int radius, int shift)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
    for (int i = -radius; i <= radius; i++)
        sum = sum * 3 + in[min(max((int)((unsigned)x + i + shift), 0), n - 1)];
    out[x] = sum;
}

__global__ void one_side(const int *in, int *out, int n, int shift)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    out[x] = in[max((int)((unsigned)x + shift), 0) % n] + in[n + max(-1, min((int)((unsigned)x + shift), -1))];
}

__global__ void bounded_unsigned(const int *in, int *out, unsigned n, unsigned shift)
{
    unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
    out[x] = in[min(x + shift, n - 1)];
    if (in[min(x, n - 1)] % 3 == 0)
        out[x] += in[min(max(x * 1u, 2u), n - 1)];
}

// The sum is in memory: where `sum` lies in the row, later elements are what was stored.
__global__ void kept_sum(int *row, int *sum, const int *x, int n, int pitch, int sums)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    sum[i * sums] = 0;
    for (int k = 0; k < n; k++)
        sum[i * sums] += row[i * pitch + k] * x[k];
}

static int held(long x, long n)
{
    return (int)(x < 0 ? 0 : x < n ? x : n - 1);
}

static void test_clamps(int n)
{
    enum { THREADS = 512 };
    int *in, *out;
    std::vector<int> a(n), b(THREADS);
    for (int i = 0; i < n; i++)
        a[i] = i * 7 + 1;
    OK(cudaMalloc(&in, n * sizeof(int)));
    OK(cudaMalloc(&out, THREADS * sizeof(int)));
    OK(cudaMemcpy(in, a.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    for (int shift : {0, 1, -5, -70, 300, -600, 2147483647 - 4, 2147483647 - 300, -2147483647 + 4}) {
        bool fine = true;
        box<<<THREADS / 64, 64>>>(in, out, n, 4, shift);
        OK(cudaMemcpy(b.data(), out, sizeof(int) * THREADS, cudaMemcpyDeviceToHost));
        for (int x = 0; x < THREADS; x++) {
            unsigned sum = 0;
            for (int i = -4; i <= 4; i++)
                sum = sum * 3 + (unsigned)a[held((int)((unsigned)x + (unsigned)i + (unsigned)shift), n)];
            fine &= b[x] == (int)sum;
        }
        one_side<<<THREADS / 64, 64>>>(in, out, n, shift);
        OK(cudaMemcpy(b.data(), out, sizeof(int) * THREADS, cudaMemcpyDeviceToHost));
        for (int x = 0; x < THREADS; x++) {
            int at = (int)((unsigned)x + (unsigned)shift), low = at < -1 ? at : -1;
            fine &= b[x] == a[(at < 0 ? 0 : at) % n] + a[n + (low < -1 ? -1 : low)];
        }
        bounded_unsigned<<<THREADS / 64, 64>>>(in, out, n, shift);
        OK(cudaMemcpy(b.data(), out, sizeof(int) * THREADS, cudaMemcpyDeviceToHost));
        for (int x = 0; x < THREADS; x++) {
            unsigned at = (unsigned)x + (unsigned)shift, m = (unsigned)n - 1, y = x < 2 ? 2 : x;
            int r = a[at < m ? at : m] + (a[(unsigned)x < m ? x : m] % 3 == 0 ? a[y < m ? y : m] : 0);
            fine &= b[x] == r;
        }
        EXPECT(fine);
    }
    cudaFree(in);
    cudaFree(out);
}

// place: where in its row a thread's sum is kept, -1: elsewhere.
static void test_sums(int n, int place)
{
    enum { ROWS = 64 };
    int pitch = n + 3, *row, *x, *apart;
    std::vector<int> a(ROWS * pitch), f(n), got(ROWS * pitch), sums(ROWS);
    for (size_t i = 0; i < a.size(); i++)
        a[i] = (int)(i * 2654435761u >> 20);
    for (int k = 0; k < n; k++)
        f[k] = k % 5 - 2;
    OK(cudaMalloc(&row, a.size() * sizeof(int)));
    OK(cudaMalloc(&x, n * sizeof(int)));
    OK(cudaMalloc(&apart, ROWS * sizeof(int)));
    OK(cudaMemcpy(row, a.data(), a.size() * sizeof(int), cudaMemcpyHostToDevice));
    OK(cudaMemcpy(x, f.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    kept_sum<<<1, ROWS>>>(row, place < 0 ? apart : row + place, x, n, pitch, place < 0 ? 1 : pitch);
    OK(cudaMemcpy(got.data(), row, a.size() * sizeof(int), cudaMemcpyDeviceToHost));
    OK(cudaMemcpy(sums.data(), apart, ROWS * sizeof(int), cudaMemcpyDeviceToHost));
    bool fine = true;
    for (int i = 0; i < ROWS; i++) {
        int own = 0, *r = &a[i * pitch], *sum = place < 0 ? &own : r + place;
        *sum = 0;
        for (int k = 0; k < n; k++)
            *sum += r[k] * f[k];
        fine &= place >= 0 || sums[i] == own;
    }
    EXPECT(fine && got == a);
    cudaFree(row);
    cudaFree(x);
    cudaFree(apart);
}

int main()
{
    for (int n : {3, 31, 64, 500, 520, 1000})
        test_clamps(n);
    for (int n : {4, 64, 101})
        for (int place : {-1, 0, 1, 2, 3, n / 2, n - 1, n, n + 2})
            test_sums(n, place);
    return DONE();
}
