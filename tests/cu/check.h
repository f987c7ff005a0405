// SPDX-License-Identifier: Apache-2.0
// Self-checking CUDA programs: OK(call) ends the program at an API error, EXPECT(condition) counts, return DONE() from main.
// The programs are plain CUDA: NVIDIA's compiler and driver take them as well.
#ifndef HEDDLE_TEST_CHECK_H
#define HEDDLE_TEST_CHECK_H
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cmath>
#include <vector>

static int check_passed, check_failed;

#define OK(call)                                                                                                       \
    do {                                                                                                               \
        cudaError_t e_ = (call);                                                                                       \
        if (e_ != cudaSuccess) {                                                                                       \
            std::fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(e_));                \
            std::exit(2);                                                                                              \
        }                                                                                                              \
    } while (0)

#define EXPECT(c)                                                                                                      \
    do {                                                                                                               \
        if (c) {                                                                                                       \
            check_passed++;                                                                                            \
        } else if (check_failed++ < 10) {                                                                              \
            std::fprintf(stderr, "%s:%d: failed: %s\n", __FILE__, __LINE__, #c);                                       \
        }                                                                                                              \
    } while (0)

#define LAUNCHED()                                                                                                     \
    do {                                                                                                               \
        OK(cudaGetLastError());                                                                                        \
        OK(cudaDeviceSynchronize());                                                                                   \
    } while (0)

// What a device cannot show is skipped with the reason.
#define SKIP(reason)                                                                                                   \
    do {                                                                                                               \
        std::printf("skipped: %s\n", reason);                                                                          \
        std::exit(77);                                                                                                 \
    } while (0)

// The device is NVIDIA's, whoever compiled the program.
static inline bool on_gpu()
{
    cudaDeviceProp p;
    OK(cudaGetDeviceProperties(&p, 0));
    return !std::strncmp(p.name, "NVIDIA ", 7) || !std::strncmp(p.name, "Tesla ", 6);
}

// A program in which nothing was expected has not passed.
static inline int DONE()
{
    std::printf("%d passed, %d failed\n", check_passed, check_failed);
    return check_failed != 0 || check_passed == 0;
}

// Device memory that frees itself, with copies to and from vectors.
template <class T> struct Buffer {
    T *p = nullptr;
    size_t n;
    explicit Buffer(size_t count) : n(count)
    {
        OK(cudaMalloc(&p, n * sizeof(T)));
        OK(cudaMemset(p, 0, n * sizeof(T)));
    }
    explicit Buffer(const std::vector<T> &v) : n(v.size())
    {
        OK(cudaMalloc(&p, n * sizeof(T)));
        OK(cudaMemcpy(p, v.data(), n * sizeof(T), cudaMemcpyHostToDevice));
    }
    Buffer(const Buffer &) = delete;
    ~Buffer()
    {
        cudaFree(p);
    }
    std::vector<T> get() const
    {
        std::vector<T> v(n);
        OK(cudaMemcpy(v.data(), p, n * sizeof(T), cudaMemcpyDeviceToHost));
        return v;
    }
    operator T *() const
    {
        return p;
    }
};

static inline unsigned random_next(unsigned &s)
{
    s = s * 1664525u + 1013904223u;
    return s >> 4;
}
#endif
