// SPDX-License-Identifier: Apache-2.0
// The rows as C++ programmers write them for a CPU: the standard library's algorithms, and with several threads libstdc++'s parallel
// mode where that has one. Sorting pairs is sorting structs: the library has no iterator over two arrays. A scan and a compaction
// that run in parts on several threads, which libstdc++ does not have, are written out with its own serial ones.
#include "thrust.h"
#include <algorithm>
#include <cstring>
#include <numeric>
#include <omp.h>
#include <parallel/algorithm>
#include <parallel/numeric>
#include <vector>

namespace
{
struct pair {
    int key, value;
};
size_t n, length;
int threads, total;
const int *keys, *values;
const unsigned char *bytes;
std::vector<int> a, b, bins(BINS);
std::vector<pair> pairs;

void nothing() {}
void prepare_keys()
{
    std::copy_n(keys, n, a.begin());
}
void prepare_values()
{
    std::copy_n(values, n, a.begin());
}
void prepare_pairs()
{
    pairs.resize(n);
    for (size_t i = 0; i < n; i++)
        pairs[i] = {keys[i], values[i]};
}

void run_sort()
{
    if (threads > 1)
        __gnu_parallel::sort(a.begin(), a.end());
    else
        std::sort(a.begin(), a.end());
}
bool less(const pair &x, const pair &y)
{
    return x.key < y.key;
}
void run_pairs()
{
    if (threads > 1)
        __gnu_parallel::stable_sort(pairs.begin(), pairs.end(), less);
    else
        std::stable_sort(pairs.begin(), pairs.end(), less);
}
void run_reduce()
{
    total = threads > 1 ? __gnu_parallel::accumulate(values, values + n, 0) : std::reduce(values, values + n, 0);
}
void run_scan()
{
    if (threads > 1)
        __gnu_parallel::partial_sum(values, values + n, b.begin());
    else
        std::partial_sum(values, values + n, b.begin());
}

// Each thread compacts a part in its place; the parts are then moved together.
template <class Compact> size_t by_parts(int *to, Compact compact)
{
    std::vector<size_t> counts(threads);
    size_t each = (n + threads - 1) / threads;
#pragma omp parallel num_threads(threads)
    {
        int t = omp_get_thread_num();
        size_t from = std::min(n, t * each), end = std::min(n, from + each);
        counts[t] = compact(from, end) - from;
    }
    size_t sum = counts[0];
    for (int t = 1; t < threads; t++) {
        std::memmove(to + sum, to + std::min(n, t * each), counts[t] * sizeof *to);
        sum += counts[t];
    }
    return sum;
}

void run_unique()
{
    int *p = a.data();
    if (threads > 1) {
        // A part's first number falls away where it is the last one before the part; that is looked at before anything moves.
        std::vector<char> same(threads);
        size_t each = (n + threads - 1) / threads;
        for (int t = 1; t < threads; t++)
            same[t] = t * each < n && p[t * each] == p[t * each - 1];
        length = by_parts(p, [&](size_t from, size_t end) {
            int *last = std::unique(p + from, p + end);
            if (from && from < end && same[from / each])
                last = std::move(p + from + 1, last, p + from);
            return static_cast<size_t>(last - p);
        });
    } else
        length = std::unique(p, p + n) - p;
}
bool is_even(int x)
{
    return x % 2 == 0;
}
void run_copy_if()
{
    int *to = b.data();
    if (threads > 1)
        length = by_parts(to, [&](size_t from, size_t end) {
            return static_cast<size_t>(std::copy_if(keys + from, keys + end, to + from, is_even) - to);
        });
    else
        length = std::copy_if(keys, keys + n, to, is_even) - to;
}
void run_histogram()
{
    std::fill(bins.begin(), bins.end(), 0);
#pragma omp parallel num_threads(threads)
    {
        int own[BINS] = {};
#pragma omp for nowait
        for (size_t i = 0; i < n; i++)
            own[bytes[i]]++;
#pragma omp critical
        for (int i = 0; i < BINS; i++)
            bins[i] += own[i];
    }
}

unsigned long long sum_a()
{
    return checksum_of(a.data(), n);
}
unsigned long long sum_pairs()
{
    unsigned long long sum = 0;
    for (const pair &p : pairs)
        sum = checksum_of(&p.key, 1, sum);
    for (const pair &p : pairs)
        sum = checksum_of(&p.value, 1, sum);
    return sum;
}
unsigned long long sum_total()
{
    return static_cast<unsigned>(total);
}
unsigned long long sum_b()
{
    return checksum_of(b.data(), n);
}
unsigned long long sum_head_a()
{
    return checksum_of(a.data(), length);
}
unsigned long long sum_head_b()
{
    return checksum_of(b.data(), length);
}
unsigned long long sum_bins()
{
    return checksum_of(bins.data(), BINS);
}
} // namespace

void host_fill(const struct input *in, int count)
{
    n = in->n;
    threads = count;
    omp_set_num_threads(count);
    keys = in->keys;
    values = in->values;
    bytes = in->bytes;
    a.assign(n, 0);
    b.assign(n, 0);
}

const struct form host_forms[ROWS] = {
    {prepare_keys, run_sort, sum_a},    {prepare_pairs, run_pairs, sum_pairs},    {nothing, run_reduce, sum_total},
    {nothing, run_scan, sum_b},         {prepare_values, run_unique, sum_head_a}, {nothing, run_copy_if, sum_head_b},
    {nothing, run_histogram, sum_bins},
};
