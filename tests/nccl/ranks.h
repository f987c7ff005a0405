// SPDX-License-Identifier: Apache-2.0
// Ranks of a communicator that live in this process, and numbers of all types. Programs are right with NVIDIA's library too.
#ifndef HEDDLE_TEST_NCCL_RANKS_H
#define HEDDLE_TEST_NCCL_RANKS_H
#include "../library_check.h"
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <nccl.h>
#include <vector>

#define NCCL(call) WANT(call, ncclSuccess)

struct Ranks {
    int n;                         // of all
    std::vector<int> rank, device; // of those here
    std::vector<ncclComm_t> comm;
    std::vector<cudaStream_t> stream;
    size_t here() const
    {
        return rank.size();
    }
    void streams()
    {
        stream.resize(here());
        for (size_t i = 0; i < here(); i++) {
            CUDA(cudaSetDevice(device[i]));
            CUDA(cudaStreamCreateWithFlags(&stream[i], cudaStreamNonBlocking));
        }
    }
    void wait()
    {
        for (size_t i = 0; i < here(); i++)
            CUDA(cudaStreamSynchronize(stream[i]));
    }
    void destroy()
    {
        for (size_t i = 0; i < here(); i++) {
            NCCL(ncclCommDestroy(comm[i]));
            CUDA(cudaSetDevice(device[i]));
            CUDA(cudaStreamDestroy(stream[i]));
        }
    }
};

// A type: its size, and how far a sum of small whole numbers may be from the right one, relatively.
struct Type {
    ncclDataType_t id;
    size_t bytes;
    double tolerance;
    bool is_float;
};
static const Type types[] = {
    {ncclInt8, 1, 0, false},       {ncclUint8, 1, 0, false},       {ncclInt32, 4, 0, false},
    {ncclUint32, 4, 0, false},     {ncclInt64, 8, 0, false},       {ncclUint64, 8, 0, false},
    {ncclFloat16, 2, 2e-3, true},  {ncclFloat32, 4, 1e-6, true},   {ncclFloat64, 8, 1e-14, true},
    {ncclBfloat16, 2, 2e-2, true}, {ncclFloat8e4m3, 1, 0.2, true}, {ncclFloat8e5m2, 1, 0.4, true},
};
// NVIDIA's library makes no averages of 8-bit floats.
static inline bool is_reduced(const Type &t, ncclRedOp_t op)
{
    return op != ncclAvg || !t.is_float || t.bytes > 1 || on_heddle();
}

template <typename T> static void put_as(void *p, size_t i, double v)
{
    T x = (T)v;
    memcpy((char *)p + i * sizeof x, &x, sizeof x);
}
template <typename T> static double get_as(const void *p, size_t i)
{
    T x;
    memcpy(&x, (const char *)p + i * sizeof x, sizeof x);
    return (double)(float)x == (double)x ? (double)(float)x : (double)x;
}
template <typename T> static double get_small(const void *p, size_t i)
{
    T x;
    memcpy(&x, (const char *)p + i * sizeof x, sizeof x);
    return (float)x;
}

static void put(const Type &t, void *p, size_t i, double v)
{
    switch (t.id) {
    case ncclInt8:
        put_as<signed char>(p, i, v);
        break;
    case ncclUint8:
        put_as<unsigned char>(p, i, v);
        break;
    case ncclInt32:
        put_as<int>(p, i, v);
        break;
    case ncclUint32:
        put_as<unsigned>(p, i, v);
        break;
    case ncclInt64:
        put_as<long long>(p, i, v);
        break;
    case ncclUint64:
        put_as<unsigned long long>(p, i, v);
        break;
    case ncclFloat16:
        put_as<__half>(p, i, v);
        break;
    case ncclFloat32:
        put_as<float>(p, i, v);
        break;
    case ncclFloat64:
        put_as<double>(p, i, v);
        break;
    case ncclBfloat16:
        put_as<__nv_bfloat16>(p, i, v);
        break;
    case ncclFloat8e4m3:
        put_as<__nv_fp8_e4m3>(p, i, v);
        break;
    default:
        put_as<__nv_fp8_e5m2>(p, i, v);
        break;
    }
}

static double get(const Type &t, const void *p, size_t i)
{
    switch (t.id) {
    case ncclInt8:
        return get_as<signed char>(p, i);
    case ncclUint8:
        return get_as<unsigned char>(p, i);
    case ncclInt32:
        return get_as<int>(p, i);
    case ncclUint32:
        return get_as<unsigned>(p, i);
    case ncclInt64:
        return get_as<long long>(p, i);
    case ncclUint64:
        return get_as<unsigned long long>(p, i);
    case ncclFloat16:
        return get_small<__half>(p, i);
    case ncclFloat32:
        return get_as<float>(p, i);
    case ncclFloat64:
        return get_as<double>(p, i);
    case ncclBfloat16:
        return get_small<__nv_bfloat16>(p, i);
    case ncclFloat8e4m3:
        return get_small<__nv_fp8_e4m3>(p, i);
    default:
        return get_small<__nv_fp8_e5m2>(p, i);
    }
}

// What rank r has at place i; small enough for every type and operation.
static double input(int r, size_t i, ncclRedOp_t op)
{
    return op == ncclProd ? (double)(1 + (i + (size_t)r) % 2) : (double)((i * 7 + (size_t)r * 3) % 5);
}

static double reduced(int n, size_t i, ncclRedOp_t op, bool is_float)
{
    double v = input(0, i, op);
    for (int r = 1; r < n; r++) {
        double x = input(r, i, op);
        v = op == ncclProd ? v * x : op == ncclMax ? (x > v ? x : v) : op == ncclMin ? (x < v ? x : v) : v + x;
    }
    if (op == ncclAvg)
        v = is_float ? v / n : (double)(long long)(v / n);
    return v;
}

static bool close_to(const Type &t, double got, double want)
{
    double d = got > want ? got - want : want - got, size = want < 0 ? -want : want;
    return d <= t.tolerance * (size > 1 ? size : 1);
}

// Memory of a rank's device.
struct Buffer {
    void *at = nullptr;
    size_t bytes;
    int device;
    Buffer(int d, size_t n) : bytes(n), device(d)
    {
        CUDA(cudaSetDevice(d));
        CUDA(cudaMalloc(&at, n ? n : 1));
    }
    Buffer(const Buffer &) = delete;
    ~Buffer()
    {
        cudaSetDevice(device);
        cudaFree(at);
    }
    void set(const std::vector<char> &host)
    {
        CUDA(cudaMemcpy(at, host.data(), host.size(), cudaMemcpyDefault));
    }
    std::vector<char> get() const
    {
        std::vector<char> host(bytes);
        CUDA(cudaMemcpy(host.data(), at, bytes, cudaMemcpyDefault));
        return host;
    }
};
#endif
