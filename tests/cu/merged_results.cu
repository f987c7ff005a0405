// SPDX-License-Identifier: Apache-2.0
// Atomics of all threads on one place whose results nobody uses: sums, counters, extrema and bits, which blocks may bring together
// before they reach memory; and kernels in which they must be there at once, or must keep their order.
#include "check.h"
#include <climits>

typedef unsigned long long u64;

struct Result {
    int max, min;
    unsigned umax, umin, all, any, odd, count;
    long long lmax, lmin;
    u64 lsum, lany;
    float fsum;
    double dsum;
};

// Few places each, so that every one of them is merged.
__global__ void extrema(int *max, int *min, unsigned *umax, unsigned *umin, const int *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    atomicMax(max, a[i]);
    atomicMin(min, a[i]);
    atomicMax(umax, (unsigned)a[i]);
    atomicMin(umin, (unsigned)a[i]);
}
__global__ void bits(unsigned *all, unsigned *any, unsigned *odd, u64 *lany, const int *a, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        atomicAnd(all, a[i] | 0x10u);
        if (a[i] % 3 == 0)
            atomicOr(any, (unsigned)a[i] & 0xff0u);
        atomicXor(odd, (unsigned)a[i]);
        atomicOr(lany, (u64)(unsigned)a[i] << 20);
    }
}
__global__ void wide(long long *max, long long *min, u64 *sum, double *dsum, const int *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && a[i] % 2) {
        atomicMax(max, (long long)a[i] << 21);
        atomicMin(min, (long long)a[i] << 21);
        atomicAdd(sum, (u64)(unsigned)a[i] << 9);
    }
    if (i < n)
        atomicAdd(dsum, 0.25);
}
__global__ void counters(unsigned *count, float *sum, const int *a, int n, int limit)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && a[i] > limit) {
        atomicAdd(count, 1u);
        atomicAdd(sum, 0.5f);
    }
}
__global__ void record(Result *r, const int *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    atomicMax(&r->max, a[i]);
    atomicMin(&r->min, a[i]);
    atomicAdd(&r->count, 1u);
    atomicAdd(&r->lsum, (u64)i);
    atomicAdd(&r->fsum, 0.5f);
    atomicOr(&r->any, 1u << (a[i] & 31));
}

// Behind barriers that not all threads reach, and in a loop that threads leave one by one.
__global__ void behind_barriers(unsigned *count, int *max, const int *a, int n)
{
    __shared__ int seen[128];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    seen[threadIdx.x] = i < n ? a[i] : 0;
    if (threadIdx.x >= 70)
        return;
    __syncthreads();
    int other = seen[69 - threadIdx.x];
    if (other > 1000)
        atomicAdd(count, 1u);
    __syncthreads();
    for (int k = 0; k <= (int)threadIdx.x; k++)
        atomicMax(max, seen[k]);
}

// What a thread reads back, by this pointer or another one, has its own operation in it.
__global__ void read_back(int *max, const int *same, int *wrong, const int *a)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < 3; k++) {
        atomicMax(max, a[i] + k);
        if (*same < a[i] + k)
            wrong[i] = 1;
    }
}
__global__ void told_by_barrier(int *max, const int *same, int *wrong, const int *a)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicMax(max, a[i]);
    __syncthreads();
    if (*same < a[i ^ 1])
        wrong[i] = 1;
}

// One thread's operations on one place keep their order.
__global__ void in_order(int *p, int *q, unsigned *u)
{
    if (threadIdx.x != 21)
        return;
    atomicMax(p, 100);
    atomicAdd(p, 1);
    atomicAdd(q, 40); // q is p + 1 or p
    atomicMin(q, 30);
    atomicOr(u, 6u);
    atomicAnd(u, 3u);
    atomicXor(u, 1u);
}
__global__ void in_turns(int *p, int n)
{
    if (threadIdx.x == 3)
        for (int i = 0; i < n; i++) {
            atomicMax(p, 15);
            atomicAdd(p, -10);
        }
}
__global__ void written_over(int *p, int *q)
{
    atomicAdd(p, 1);
    if (threadIdx.x == 0 && blockIdx.x == 0)
        *q = 5; // another place, or the same before or behind what others add
}

// Nobody touches it.
__global__ void nobody(int *nowhere, const int *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && a[i] > 1 << 30)
        atomicAdd(nowhere, 1);
}

// From one lane of each warp, and from one thread of the block.
__global__ void from_one_lane(int *max, int *sum, float *fsum, u64 *last, const int *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, x = i < n ? a[i] : INT_MIN, y = i < n ? a[i] : 0;
    for (int d = 16; d; d /= 2) {
        int other = __shfl_xor_sync(~0u, x, d);
        x = other > x ? other : x;
        y += __shfl_down_sync(~0u, y, d);
    }
    if (threadIdx.x % 32 == 0) {
        atomicAdd(sum, y);
        atomicAdd(fsum, 0.5f);
    }
    if (threadIdx.x % 32 == 7)
        atomicMax(max, x);
    if (threadIdx.x == 41)
        atomicAdd(last, 3ull);
}

// The same place by many names in the code.
__global__ void many_places(int *p, int *q, const int *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    for (int k = 0; k < 6; k++)
        if (a[i] >> k & 1)
            atomicAdd(p + k, 1);
    atomicAdd(q, 1);
    atomicAdd(q + 1, 2);
    atomicMax(q + 2, i);
    atomicMax(q + 3, i + 1);
    atomicMin(q + 4, -i);
}

__device__ int device_count;
__global__ void count_on_device(const int *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && a[i] % 5 == 0)
        atomicAdd(&device_count, 1);
}

static Result expected(const std::vector<int> &a)
{
    Result r = {INT_MIN, INT_MAX, 0, UINT_MAX, UINT_MAX, 0, 0, 0, LLONG_MIN, LLONG_MAX, 0, 0, 0, 0};
    for (int x : a) {
        unsigned u = (unsigned)x;
        r.max = x > r.max ? x : r.max;
        r.min = x < r.min ? x : r.min;
        r.umax = u > r.umax ? u : r.umax;
        r.umin = u < r.umin ? u : r.umin;
        r.all &= u | 0x10u;
        r.any |= x % 3 == 0 ? u & 0xff0u : 0;
        r.odd ^= u;
        r.lany |= (u64)u << 20;
        r.dsum += 0.25;
        r.count += x > 5000;
        if (x % 2) {
            long long l = (long long)((u64)(long long)x << 21);
            r.lmax = l > r.lmax ? l : r.lmax;
            r.lmin = l < r.lmin ? l : r.lmin;
            r.lsum += (u64)u << 9;
        }
    }
    return r;
}

static void all_kinds(int n, int threads)
{
    std::vector<int> a(n);
    unsigned x = 12345u + n;
    for (int &e : a)
        e = (int)((x = x * 1664525u + 1013904223u) >> 16) - 30000;
    Result want = expected(a), *r,
           start = {INT_MIN, INT_MAX, 0, UINT_MAX, UINT_MAX, 0, 0, 0, LLONG_MIN, LLONG_MAX, 0, 0, 0, 0};
    int *d, blocks = (n + threads - 1) / threads;
    OK(cudaMalloc(&d, n * sizeof(int)));
    OK(cudaMalloc(&r, sizeof *r));
    OK(cudaMemcpy(d, a.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    OK(cudaMemcpy(r, &start, sizeof start, cudaMemcpyHostToDevice));
    extrema<<<blocks, threads>>>(&r->max, &r->min, &r->umax, &r->umin, d, n);
    bits<<<(blocks + 2) / 3, threads>>>(&r->all, &r->any, &r->odd, &r->lany, d, n);
    wide<<<blocks, threads>>>(&r->lmax, &r->lmin, &r->lsum, &r->dsum, d, n);
    counters<<<blocks, threads>>>(&r->count, &r->fsum, d, n, 5000);
    Result got;
    OK(cudaMemcpy(&got, r, sizeof got, cudaMemcpyDeviceToHost));
    EXPECT(got.max == want.max && got.min == want.min);
    EXPECT(got.umax == want.umax && got.umin == want.umin);
    EXPECT(got.all == want.all && got.any == want.any && got.odd == want.odd && got.lany == want.lany);
    EXPECT(got.lmax == want.lmax && got.lmin == want.lmin && got.lsum == want.lsum && got.dsum == want.dsum);
    EXPECT(got.count == want.count && got.fsum == 0.5f * want.count);
    OK(cudaMemcpy(r, &start, sizeof start, cudaMemcpyHostToDevice));
    record<<<blocks, threads>>>(r, d, n);
    OK(cudaMemcpy(&got, r, sizeof got, cudaMemcpyDeviceToHost));
    unsigned any = 0;
    for (int e : a)
        any |= 1u << (e & 31);
    EXPECT(got.max == want.max && got.min == want.min && got.count == (unsigned)n && got.any == any);
    EXPECT(got.lsum == (u64)n * (n - 1) / 2 && got.fsum == 0.5f * n);
    if (threads % 32 == 0) {
        int total = 0;
        for (int e : a)
            total += e;
        OK(cudaMemcpy(r, &start, sizeof start, cudaMemcpyHostToDevice));
        OK(cudaMemset(&r->min, 0, sizeof(int)));
        from_one_lane<<<blocks, threads>>>(&r->max, &r->min, &r->fsum, &r->lsum, d, n);
        OK(cudaMemcpy(&got, r, sizeof got, cudaMemcpyDeviceToHost));
        EXPECT(got.max == want.max && got.min == total && got.fsum == 0.5f * (blocks * threads / 32));
        EXPECT(got.lsum == (threads > 41 ? 3ull * blocks : 0));
    }
    nobody<<<blocks, threads>>>(NULL, d, n);
    LAUNCHED();
    int zero = 0, count, want_count = 0;
    for (int e : a)
        want_count += e % 5 == 0;
    OK(cudaMemcpyToSymbol(device_count, &zero, sizeof zero));
    count_on_device<<<blocks, threads>>>(d, n);
    OK(cudaMemcpyFromSymbol(&count, device_count, sizeof count));
    EXPECT(count == want_count);
    OK(cudaFree(d));
    OK(cudaFree(r));
}

static void barriers(void)
{
    enum { N = 128 * 40 };
    std::vector<int> a(N);
    for (int i = 0; i < N; i++)
        a[i] = i * 37 % 2003;
    int *d, *max, zero = 0, got_max, want_max = 0;
    unsigned *count, got, want = 0;
    OK(cudaMalloc(&d, N * sizeof(int)));
    OK(cudaMalloc(&max, sizeof *max));
    OK(cudaMalloc(&count, sizeof *count));
    OK(cudaMemcpy(d, a.data(), N * sizeof(int), cudaMemcpyHostToDevice));
    OK(cudaMemcpy(max, &zero, sizeof zero, cudaMemcpyHostToDevice));
    OK(cudaMemcpy(count, &zero, sizeof zero, cudaMemcpyHostToDevice));
    behind_barriers<<<N / 128, 128>>>(count, max, d, N);
    OK(cudaMemcpy(&got, count, sizeof got, cudaMemcpyDeviceToHost));
    OK(cudaMemcpy(&got_max, max, sizeof got_max, cudaMemcpyDeviceToHost));
    for (int i = 0; i < N; i++)
        if (i % 128 < 70) {
            want += a[i] > 1000;
            want_max = a[i] > want_max ? a[i] : want_max;
        }
    EXPECT(got == want);
    EXPECT(got_max == want_max);
    OK(cudaFree(d));
    OK(cudaFree(max));
    OK(cudaFree(count));
}

static void at_once(void)
{
    enum { BLOCKS = 20, THREADS = 64, N = BLOCKS * THREADS };
    std::vector<int> a(N), wrong(N);
    for (int i = 0; i < N; i++)
        a[i] = i + 1;
    int *d, *max, *bad, wrongs = 0;
    OK(cudaMalloc(&d, N * sizeof(int)));
    OK(cudaMalloc(&max, 2 * sizeof(int)));
    OK(cudaMalloc(&bad, N * sizeof(int)));
    OK(cudaMemcpy(d, a.data(), N * sizeof(int), cudaMemcpyHostToDevice));
    OK(cudaMemset(max, 0, 2 * sizeof(int)));
    OK(cudaMemset(bad, 0, N * sizeof(int)));
    read_back<<<BLOCKS, THREADS>>>(max, max, bad, d);
    OK(cudaMemset(max + 1, 0, sizeof(int)));
    told_by_barrier<<<BLOCKS, THREADS>>>(max + 1, max + 1, bad, d);
    OK(cudaMemcpy(wrong.data(), bad, N * sizeof(int), cudaMemcpyDeviceToHost));
    for (int w : wrong)
        wrongs += w;
    EXPECT(wrongs == 0);
    int got[2];
    OK(cudaMemcpy(got, max, sizeof got, cudaMemcpyDeviceToHost));
    EXPECT(got[0] == N + 2 && got[1] == N);
    OK(cudaFree(d));
    OK(cudaFree(max));
    OK(cudaFree(bad));
}

static void order(void)
{
    int *p, got[4];
    unsigned *u;
    OK(cudaMalloc(&p, 4 * sizeof(int)));
    OK(cudaMemset(p, 0, 4 * sizeof(int)));
    u = (unsigned *)(p + 2);
    in_order<<<1, 32>>>(p, p + 1, u);
    OK(cudaMemcpy(got, p, sizeof got, cudaMemcpyDeviceToHost));
    EXPECT(got[0] == 101 && got[1] == 30 && got[2] == 3);
    OK(cudaMemset(p, 0, 4 * sizeof(int)));
    in_order<<<1, 64>>>(p, p, u);
    OK(cudaMemcpy(got, p, sizeof got, cudaMemcpyDeviceToHost));
    EXPECT(got[0] == 30 && got[2] == 3);
    OK(cudaMemset(p, 0, 4 * sizeof(int)));
    in_turns<<<1, 32>>>(p, 3);
    OK(cudaMemcpy(got, p, sizeof got, cudaMemcpyDeviceToHost));
    EXPECT(got[0] == 5);
    OK(cudaMemset(p, 0, 4 * sizeof(int)));
    written_over<<<1, 32>>>(p, p);
    OK(cudaMemcpy(got, p, sizeof got, cudaMemcpyDeviceToHost));
    EXPECT(got[0] >= 5 && got[0] <= 36);
    OK(cudaFree(p));
}

static void places(void)
{
    enum { N = 5000 };
    std::vector<int> a(N);
    int want[6] = {0}, got[11], *d, *p;
    for (int i = 0; i < N; i++) {
        a[i] = i * 7 % 64;
        for (int k = 0; k < 6; k++)
            want[k] += a[i] >> k & 1;
    }
    OK(cudaMalloc(&d, N * sizeof(int)));
    OK(cudaMalloc(&p, sizeof got));
    OK(cudaMemcpy(d, a.data(), N * sizeof(int), cudaMemcpyHostToDevice));
    OK(cudaMemset(p, 0, sizeof got));
    many_places<<<(N + 95) / 96, 96>>>(p, p + 6, d, N);
    OK(cudaMemcpy(got, p, sizeof got, cudaMemcpyDeviceToHost));
    for (int k = 0; k < 6; k++)
        EXPECT(got[k] == want[k]);
    EXPECT(got[6] == N && got[7] == 2 * N && got[8] == N - 1 && got[9] == N && got[10] == 1 - N);
    OK(cudaFree(d));
    OK(cudaFree(p));
}

int main()
{
    all_kinds(10000, 256);
    all_kinds(4099, 100);
    all_kinds(77, 32);
    all_kinds(3000, 8);
    barriers();
    at_once();
    order();
    places();
    return DONE();
}
