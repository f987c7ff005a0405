// SPDX-License-Identifier: Apache-2.0
// CUB's device-wide algorithms on 10^6 elements and on few, against the host.
// nvcc: --extended-lambda
#include "check.h"
#include <algorithm>
#include <cub/cub.cuh>
#include <numeric>

struct Even {
    template <class T> __host__ __device__ bool operator()(const T &a) const
    {
        return ((long long)a & 1) == 0;
    }
};

// Every algorithm is called twice: for the size of its temporary memory, then to work.
static void *space;
static size_t space_size;
#define CUB(name, ...)                                                                                                 \
    do {                                                                                                               \
        size_t n_ = 0;                                                                                                 \
        OK(cub::name(nullptr, n_, __VA_ARGS__));                                                                       \
        if (n_ > space_size) {                                                                                         \
            OK(cudaFree(space));                                                                                       \
            OK(cudaMalloc(&space, space_size = n_));                                                                   \
        }                                                                                                              \
        OK(cudaMemset(space, 0x5a, space_size));                                                                       \
        OK(cub::name(space, n_, __VA_ARGS__));                                                                         \
        OK(cudaDeviceSynchronize());                                                                                   \
    } while (0)

template <class T> static std::vector<T> values(int n, int limit)
{
    unsigned seed = (unsigned)n;
    std::vector<T> v(n);
    for (T &x : v)
        x = (T)(random_next(seed) % limit);
    return v;
}

template <class T> static void reduce_and_scan(int n)
{
    std::vector<T> h = values<T>(n, 64), w(n);
    Buffer<T> in(h), out(n), one(1);
    T s = 0;
    for (int i = 0; i < n; i++)
        w[i] = s += h[i];
    CUB(DeviceReduce::Sum, in.p, one.p, n);
    EXPECT(one.get()[0] == s);
    CUB(DeviceScan::InclusiveSum, in.p, out.p, n);
    EXPECT(out.get() == w);
}

template <class T> static void sort(int n, int limit)
{
    std::vector<T> h = values<T>(n, limit), w = h;
    Buffer<T> in(h), out(n);
    std::sort(w.begin(), w.end());
    CUB(DeviceRadixSort::SortKeys, in.p, out.p, n);
    EXPECT(out.get() == w);
}

static void select_and_count(int n)
{
    std::vector<int> h = values<int>(n, 1000), w;
    Buffer<int> in(h), out(n), count(1), lengths(n), bins(100);
    for (int x : h)
        if (Even()(x))
            w.push_back(x);
    CUB(DeviceSelect::If, in.p, out.p, count.p, n, Even());
    std::vector<int> o = out.get();
    EXPECT(count.get()[0] == (int)w.size());
    o.resize(w.size());
    EXPECT(o == w);

    std::vector<int> counts(100);
    for (int x : h)
        if (x < 100)
            counts[x]++;
    CUB(DeviceHistogram::HistogramEven, in.p, bins.p, 101, 0, 100, n);
    EXPECT(bins.get() == counts);

    std::sort(h.begin(), h.end());
    Buffer<int> sorted(h);
    w = h;
    w.erase(std::unique(w.begin(), w.end()), w.end());
    CUB(
        DeviceReduce::ReduceByKey, sorted.p, out.p, sorted.p, lengths.p, count.p,
        [] __host__ __device__(int a, int b) { return a + b; }, n);
    bool right = count.get()[0] == (int)w.size();
    o = lengths.get();
    for (size_t i = 0; right && i < w.size(); i++)
        right = o[i] ==
                w[i] * (int)(std::upper_bound(h.begin(), h.end(), w[i]) - std::lower_bound(h.begin(), h.end(), w[i]));
    EXPECT(right);
}

int main()
{
    for (int n : {1, 1000, 1000000}) {
        reduce_and_scan<int>(n);
        reduce_and_scan<double>(n);
        sort<unsigned>(n, 1 << 28);
        sort<int>(n, 1000); // in some passes all keys have one digit
        select_and_count(n);
    }
    return DONE();
}
