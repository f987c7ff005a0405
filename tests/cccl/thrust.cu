// SPDX-License-Identifier: Apache-2.0
// Thrust with CUDA as its device system: vectors, transformations, sorting by key and by a comparison, scans, and atomics
// of libcu++.
// nvcc: --extended-lambda
#include "check.h"
#include <algorithm>
#include <cuda/atomic>
#include <cuda/barrier>
#include <numeric>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>

struct Pair {
    int key, value;
};

__global__ void barriers(int *out)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> b;
    __shared__ int cells[64];
    int t = threadIdx.x;
    if (t == 0)
        init(&b, blockDim.x);
    __syncthreads();
    cells[t] = t;
    b.arrive_and_wait();
    cuda::atomic_ref<int, cuda::thread_scope_device>(*out).fetch_add(cells[63 - t]);
}

int main()
{
    static_assert(THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_CUDA, "the device system is CUDA");
    enum { N = 1000000 };
    thrust::host_vector<int> h(N);
    unsigned seed = 3;
    long long sum = 0;
    for (int &x : h) {
        x = (int)(random_next(seed) % 5000);
        sum += x;
    }
    thrust::device_vector<int> d = h;
    EXPECT(thrust::reduce(d.begin(), d.end(), 0ll) == sum);
    long long squares = thrust::transform_reduce(
        d.begin(), d.end(), [] __host__ __device__(int x) { return (long long)x * x; }, 0ll, thrust::plus<long long>());
    EXPECT(squares ==
           std::accumulate(h.begin(), h.end(), 0ll, [](long long a, int x) { return a + (long long)x * x; }));

    thrust::device_vector<int> index(N), keys = d;
    thrust::sequence(index.begin(), index.end());
    thrust::stable_sort_by_key(keys.begin(), keys.end(), index.begin());
    std::vector<int> order(N);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return h[a] < h[b]; });
    thrust::host_vector<int> got = index;
    EXPECT(std::equal(order.begin(), order.end(), got.begin()));

    thrust::device_vector<long long> scan(N);
    thrust::exclusive_scan(d.begin(), d.end(), scan.begin(), 5ll);
    thrust::host_vector<long long> s = scan;
    bool right = true;
    long long running = 5;
    for (int i = 0; i < N; i++) {
        right &= s[i] == running;
        running += h[i];
    }
    EXPECT(right);

    thrust::host_vector<Pair> pairs(20000);
    for (int i = 0; i < 20000; i++)
        pairs[i] = {h[i] % 100, i};
    thrust::device_vector<Pair> dp = pairs;
    thrust::stable_sort(dp.begin(), dp.end(), [] __device__(const Pair &a, const Pair &b) { return a.key < b.key; });
    thrust::host_vector<Pair> sorted = dp;
    right = true;
    for (int i = 1; i < 20000; i++)
        right &= sorted[i - 1].key < sorted[i].key ||
                 (sorted[i - 1].key == sorted[i].key && sorted[i - 1].value < sorted[i].value);
    EXPECT(right);

    thrust::device_vector<int> total(1);
    barriers<<<2, 64>>>(thrust::raw_pointer_cast(total.data()));
    LAUNCHED();
    EXPECT(total[0] == 4032);
    return DONE();
}
