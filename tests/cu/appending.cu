// SPDX-License-Identifier: Apache-2.0
// Threads that take places from one counter and store there: all that pass a test, with several arrays, element sizes and counters;
// every place is taken once, and what stands there belongs together.
// nvcc: -lcuda
#include "check.h"
#include <algorithm>
#include <cuda.h>

enum { N = 5000, SPARE = 64 };
typedef unsigned long long u64;

__global__ void select(int *out, int *count, const int *a, int n, int limit)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int x = a[i];
        if (x > limit) {
            int p = atomicAdd(count, 1);
            out[p] = x;
        }
    }
}
__global__ void everyone(unsigned *out, unsigned *count)
{
    unsigned p = atomicAdd(count, 1u);
    out[p] = blockIdx.x * blockDim.x + threadIdx.x;
}
__global__ void several(float *f, double *d, u64 *l, short *s, float2 *v, u64 *count, const int *a, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        if (a[i] & 1) {
            u64 p = atomicAdd(count, 1ull);
            f[p] = (float)i;
            d[p] = i + 0.5;
            l[p] = (u64)i << 33;
            s[p] = (short)i;
            v[p] = make_float2((float)i, -(float)i);
        }
}
// With room for fewer; what is there already stays.
__global__ void bounded(int *out, unsigned *count, const int *a, int n, unsigned room)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && a[i] % 3 == 0) {
        unsigned p = atomicAdd(count, 1u);
        if (p < room)
            out[p] = i;
    }
}
// Two counters; the place is used for other things too.
__global__ void parted(int *low, int *high, int *counts, int *place, const int *a, int n, int pivot)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    if (a[i] < pivot) {
        int p = atomicAdd(&counts[0], 1);
        low[p] = i;
        place[i] = p;
    } else {
        int p = atomicAdd(&counts[1], 1);
        high[p + 1] = i;
        place[i] = -1 - p;
    }
}
// By steps other than one, and downwards.
__global__ void in_pairs(int *out, int *count, int *down, int *left, const int *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && a[i] % 5 == 0) {
        int p = atomicAdd(count, 2);
        out[p] = i;
        out[p + 1] = -i;
        int q = atomicSub(left, 1);
        down[q - 1] = i;
    }
}
__global__ void in_shared(int *out, int *counts, const int *a, int n)
{
    __shared__ int list[256], taken;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x == 0)
        taken = 0;
    __syncthreads();
    if (i < n && a[i] > 0) {
        int p = atomicAdd(&taken, 1);
        list[p] = i;
    }
    __syncthreads();
    for (int k = threadIdx.x; k < taken; k += blockDim.x)
        out[blockIdx.x * blockDim.x + k] = list[k];
    if (threadIdx.x == 0)
        counts[blockIdx.x] = taken;
}

static std::vector<int> numbers(void)
{
    std::vector<int> a(N);
    unsigned x = 99;
    for (int &e : a)
        e = (int)((x = x * 1664525u + 1013904223u) >> 16) - 30000;
    return a;
}

template <typename T> struct Array {
    T *p;
    size_t n;
    Array(size_t n) : n(n)
    {
        OK(cudaMalloc(&p, n * sizeof(T)));
        OK(cudaMemset(p, 0x55, n * sizeof(T)));
    }
    ~Array()
    {
        OK(cudaFree(p));
    }
    std::vector<T> get() const
    {
        std::vector<T> v(n);
        OK(cudaMemcpy(v.data(), p, n * sizeof(T), cudaMemcpyDeviceToHost));
        return v;
    }
};

static bool untouched(const std::vector<int> &v, size_t from)
{
    for (size_t i = from; i < v.size(); i++)
        if (v[i] != 0x55555555)
            return false;
    return true;
}

static void run(int threads)
{
    int blocks = (N + threads - 1) / threads;
    std::vector<int> a = numbers();
    Array<int> in(N), out(N + SPARE), counts(4), low(N + SPARE), high(N + SPARE), place(N + SPARE), down(N + SPARE);
    OK(cudaMemcpy(in.p, a.data(), N * sizeof(int), cudaMemcpyHostToDevice));
    for (int limit : {-40000, 0, 30000, 40000}) {
        OK(cudaMemset(out.p, 0x55, out.n * sizeof(int)));
        OK(cudaMemset(counts.p, 0, sizeof(int)));
        select<<<blocks, threads>>>(out.p, counts.p, in.p, N, limit);
        std::vector<int> got = out.get(), want;
        for (int e : a)
            if (e > limit)
                want.push_back(e);
        EXPECT(counts.get()[0] == (int)want.size());
        EXPECT(untouched(got, want.size()));
        got.resize(want.size());
        std::sort(got.begin(), got.end());
        std::sort(want.begin(), want.end());
        EXPECT(got == want);
    }
    {
        Array<unsigned> o(blocks * threads + SPARE), c(1);
        OK(cudaMemset(c.p, 0, sizeof(unsigned)));
        everyone<<<blocks, threads>>>(o.p, c.p);
        std::vector<unsigned> got = o.get();
        EXPECT(c.get()[0] == (unsigned)(blocks * threads) && got[blocks * threads] == 0x55555555);
        std::sort(got.begin(), got.begin() + blocks * threads);
        bool all = true;
        for (int i = 0; i < blocks * threads; i++)
            all &= got[i] == (unsigned)i;
        EXPECT(all);
    }
    {
        Array<float> f(N + SPARE);
        Array<double> d(N + SPARE);
        Array<u64> l(N + SPARE), c(1);
        Array<short> s(N + SPARE);
        Array<float2> v(N + SPARE);
        OK(cudaMemset(c.p, 0, sizeof(u64)));
        several<<<(blocks + 1) / 2, threads>>>(f.p, d.p, l.p, s.p, v.p, c.p, in.p, N);
        std::vector<float> gf = f.get();
        std::vector<double> gd = d.get();
        std::vector<u64> gl = l.get();
        std::vector<short> gs = s.get();
        std::vector<float2> gv = v.get();
        u64 odd = 0;
        for (int e : a)
            odd += e & 1;
        EXPECT(c.get()[0] == odd);
        bool together = true;
        std::vector<bool> seen(N);
        for (u64 p = 0; p < odd; p++) {
            int i = (int)gf[p];
            together &= i >= 0 && i < N && !seen[i] && (a[i] & 1) && gd[p] == i + 0.5 && gl[p] == (u64)i << 33 &&
                        gs[p] == (short)i && gv[p].x == (float)i && gv[p].y == -(float)i;
            if (i >= 0 && i < N)
                seen[i] = true;
        }
        EXPECT(together);
        EXPECT(gl[odd] == 0x5555555555555555ull && gs[odd] == 0x5555);
    }
    {
        int third = 0;
        for (int e : a)
            third += e % 3 == 0;
        unsigned room = third / 2;
        OK(cudaMemset(out.p, 0x55, out.n * sizeof(int)));
        OK(cudaMemset(counts.p, 0, sizeof(int)));
        bounded<<<blocks, threads>>>(out.p, (unsigned *)counts.p, in.p, N, room);
        std::vector<int> got = out.get();
        EXPECT(counts.get()[0] == third && untouched(got, room));
        std::sort(got.begin(), got.begin() + room);
        bool right = true;
        for (unsigned i = 0; i < room; i++)
            right &= got[i] >= 0 && got[i] < N && a[got[i]] % 3 == 0 && (!i || got[i] != got[i - 1]);
        EXPECT(right);
    }
    {
        OK(cudaMemset(counts.p, 0, 2 * sizeof(int)));
        parted<<<blocks, threads>>>(low.p, high.p, counts.p, place.p, in.p, N, 1000);
        std::vector<int> gl = low.get(), gh = high.get(), gp = place.get(), c = counts.get();
        bool right = c[0] + c[1] == N;
        for (int i = 0; i < N; i++)
            right &= a[i] < 1000 ? gp[i] >= 0 && gp[i] < c[0] && gl[gp[i]] == i
                                 : gp[i] < 0 && -gp[i] <= c[1] && gh[-gp[i]] == i;
        EXPECT(right);
    }
    {
        int fifth = 0, start[2] = {0, 0};
        for (int e : a)
            fifth += e % 5 == 0;
        start[1] = fifth;
        OK(cudaMemcpy(counts.p, start, sizeof start, cudaMemcpyHostToDevice));
        in_pairs<<<blocks, threads>>>(out.p, counts.p, down.p, counts.p + 1, in.p, N);
        std::vector<int> got = out.get(), gd = down.get(), c = counts.get();
        bool right = c[0] == 2 * fifth && c[1] == 0;
        long sum = 0, sum_down = 0;
        for (int p = 0; p < fifth; p++) {
            right &= got[2 * p] == -got[2 * p + 1] && a[got[2 * p]] % 5 == 0;
            sum += got[2 * p];
            sum_down += gd[p];
        }
        EXPECT(right);
        EXPECT(sum == sum_down);
    }
    if (threads <= 256) {
        Array<int> c(blocks), o(blocks * threads);
        in_shared<<<blocks, threads>>>(o.p, c.p, in.p, N);
        std::vector<int> gc = c.get(), got = o.get();
        bool right = true;
        for (int b = 0; b < blocks; b++) {
            std::vector<int> want, have(got.begin() + b * threads, got.begin() + b * threads + gc[b]);
            for (int i = b * threads; i < N && i < (b + 1) * threads; i++)
                if (a[i] > 0)
                    want.push_back(i);
            std::sort(have.begin(), have.end());
            right &= have == want;
        }
        EXPECT(right);
    }
}

// Counters that wrap around among the threads of a warp: places at both ends of 16 GB of addresses, of which only the ends are there.
static void wrapped(void)
{
    const size_t far = (size_t)16 << 30;
    CUmemAllocationProp what = {};
    CUmemAccessDesc access = {};
    CUmemGenericAllocationHandle end[2];
    CUdeviceptr at;
    size_t grain;
    OK(cudaFree(0));
    what.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    what.location.type = access.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    EXPECT(!cuMemGetAllocationGranularity(&grain, &what, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
    EXPECT(!cuMemAddressReserve(&at, far + 2 * grain, 0, 0, 0));
    for (int i = 0; i < 2; i++) {
        EXPECT(!cuMemCreate(&end[i], 2 * grain, &what, 0));
        EXPECT(!cuMemMap(at + i * far, 2 * grain, 0, end[i], 0));
        EXPECT(!cuMemSetAccess(at + i * far, 2 * grain, &access, 1));
        EXPECT(!cuMemsetD32(at + i * far, 0, 2 * grain / 4));
    }
    Array<int> in(64), count(1);
    std::vector<int> a(64), low(64), high(64);
    for (int kind = 0; kind < 2; kind++) {
        unsigned start = kind ? 0x80000000u - 20 : 0u - 20;
        for (int i = 0; i < 64; i++)
            a[i] = i + 1 + 64 * kind;
        OK(cudaMemcpy(in.p, a.data(), 64 * sizeof(int), cudaMemcpyHostToDevice));
        OK(cudaMemcpy(count.p, &start, sizeof start, cudaMemcpyHostToDevice));
        if (kind)
            select<<<1, 64>>>((int *)(at + far / 2 + grain), count.p, in.p, 64, 0);
        else
            everyone<<<1, 64>>>((unsigned *)(at + grain), (unsigned *)count.p);
        OK(cudaMemcpy(low.data(), (void *)(at + grain), 64 * sizeof(int), cudaMemcpyDeviceToHost));
        OK(cudaMemcpy(high.data(), (void *)(at + far + grain - 80), 20 * sizeof(int), cudaMemcpyDeviceToHost));
        std::vector<int> got(high.begin(), high.begin() + 20);
        got.insert(got.end(), low.begin(), low.begin() + 44);
        std::sort(got.begin(), got.end());
        bool all = true;
        for (int i = 0; i < 64; i++)
            all &= got[i] == (kind ? a[i] : i);
        EXPECT(all);
    }
    for (int i = 0; i < 2; i++) {
        EXPECT(!cuMemUnmap(at + i * far, 2 * grain));
        EXPECT(!cuMemRelease(end[i]));
    }
    EXPECT(!cuMemAddressFree(at, far + 2 * grain));
}

int main()
{
    wrapped();
    run(256);
    run(72);
    return DONE();
}
