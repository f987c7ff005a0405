// SPDX-License-Identifier: Apache-2.0
// What the two forms of a row share: one is compiled by our nvcc with CCCL's headers, one by g++.
#ifndef HEDDLE_BENCH_THRUST_H
#define HEDDLE_BENCH_THRUST_H
#include <cstddef>

struct input {
    size_t n;
    const int *keys;            // any int
    const int *values;          // of 0 to 2 in short runs
    const unsigned char *bytes; // of 0 to 255
};

// A row's work on data of its own. prepare() is not timed, run() returns when its result is complete, checksum() tells of all of it.
struct form {
    void (*prepare)();
    void (*run)();
    unsigned long long (*checksum)();
};

enum row_id { ROW_SORT, ROW_SORT_PAIRS, ROW_REDUCE, ROW_SCAN, ROW_UNIQUE, ROW_COPY_IF, ROW_HISTOGRAM, ROWS };

constexpr int BINS = 256;

// The numbers of a result in their order.
inline unsigned long long checksum_of(const int *x, size_t n, unsigned long long sum = 0)
{
    for (size_t i = 0; i < n; i++)
        sum = (sum ^ static_cast<unsigned>(x[i])) * 0x9e3779b97f4a7c15ull;
    return sum;
}

void device_fill(const struct input *); // takes copies
void host_fill(const struct input *, int threads);
extern const struct form device_forms[ROWS], host_forms[ROWS];
#endif
