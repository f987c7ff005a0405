// SPDX-License-Identifier: Apache-2.0
// The rows as CUDA programmers write them, with Thrust and CUB.
#include "thrust.h"
#include <cstdio>
#include <cstdlib>
#include <cub/device/device_histogram.cuh>
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/unique.h>

namespace
{
size_t n;
int *keys, *values, *a, *b, *bins;
unsigned char *bytes;
size_t length; // of a result
int total;

void check(cudaError_t e)
{
    if (e != cudaSuccess) {
        fprintf(stderr, "%s\n", cudaGetErrorString(e));
        exit(1);
    }
}

template <class T> thrust::device_ptr<T> at(T *p)
{
    return thrust::device_pointer_cast(p);
}

template <class T> void renew(T **to, const T *from, size_t count)
{
    check(cudaFree(*to));
    check(cudaMalloc(to, count * sizeof(T)));
    if (from)
        check(cudaMemcpy(*to, from, count * sizeof(T), cudaMemcpyHostToDevice));
}

void copy(int *to, const int *from)
{
    check(cudaMemcpy(to, from, n * sizeof(int), cudaMemcpyDeviceToDevice));
    check(cudaDeviceSynchronize());
}

unsigned long long checksum(const int *x, size_t count, unsigned long long sum = 0)
{
    int *host = static_cast<int *>(malloc(count * sizeof(int)));
    check(cudaMemcpy(host, x, count * sizeof(int), cudaMemcpyDeviceToHost));
    sum = checksum_of(host, count, sum);
    free(host);
    return sum;
}

void nothing() {}
void prepare_keys()
{
    copy(a, keys);
}
void prepare_pairs()
{
    copy(a, keys);
    copy(b, values);
}
void prepare_values()
{
    copy(a, values);
}

void run_sort()
{
    thrust::sort(at(a), at(a) + n);
    check(cudaDeviceSynchronize());
}
void run_pairs()
{
    thrust::sort_by_key(at(a), at(a) + n, at(b));
    check(cudaDeviceSynchronize());
}
void run_reduce()
{
    total = thrust::reduce(at(values), at(values) + n);
}
void run_scan()
{
    thrust::inclusive_scan(at(values), at(values) + n, at(b));
    check(cudaDeviceSynchronize());
}
void run_unique()
{
    length = thrust::unique(at(a), at(a) + n) - at(a);
}

struct is_even {
    __device__ bool operator()(int x) const
    {
        return x % 2 == 0;
    }
};
void run_copy_if()
{
    length = thrust::copy_if(at(keys), at(keys) + n, at(b), is_even()) - at(b);
}

void run_histogram()
{
    static void *scratch;
    static size_t size;
    size_t need = 0;
    check(cub::DeviceHistogram::HistogramEven(nullptr, need, bytes, bins, BINS + 1, 0, BINS, static_cast<int>(n)));
    if (need > size) {
        check(cudaFree(scratch));
        check(cudaMalloc(&scratch, size = need));
    }
    check(cub::DeviceHistogram::HistogramEven(scratch, need, bytes, bins, BINS + 1, 0, BINS, static_cast<int>(n)));
    check(cudaDeviceSynchronize());
}

unsigned long long sum_a()
{
    return checksum(a, n);
}
unsigned long long sum_pairs()
{
    return checksum(b, n, checksum(a, n));
}
unsigned long long sum_total()
{
    return static_cast<unsigned>(total);
}
unsigned long long sum_b()
{
    return checksum(b, n);
}
unsigned long long sum_head_a()
{
    return checksum(a, length);
}
unsigned long long sum_head_b()
{
    return checksum(b, length);
}
unsigned long long sum_bins()
{
    return checksum(bins, BINS);
}
} // namespace

void device_fill(const struct input *in)
{
    n = in->n;
    renew(&keys, in->keys, n);
    renew(&values, in->values, n);
    renew(&bytes, in->bytes, n);
    renew<int>(&a, nullptr, n);
    renew<int>(&b, nullptr, n);
    renew<int>(&bins, nullptr, BINS);
}

const struct form device_forms[ROWS] = {
    {prepare_keys, run_sort, sum_a},    {prepare_pairs, run_pairs, sum_pairs},    {nothing, run_reduce, sum_total},
    {nothing, run_scan, sum_b},         {prepare_values, run_unique, sum_head_a}, {nothing, run_copy_if, sum_head_b},
    {nothing, run_histogram, sum_bins},
};
