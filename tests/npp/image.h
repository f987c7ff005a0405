// SPDX-License-Identifier: Apache-2.0
// Images for the tests of NPP: rows with room behind them, which no function may touch, and comparisons with plain loops. The programs are right with
// NVIDIA's library too; `away` says how far a number may be from the loop's where that computes with fewer places.
#ifndef HEDDLE_TEST_NPP_IMAGE_H
#define HEDDLE_TEST_NPP_IMAGE_H
#include "../library_check.h"
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <limits>
#include <vector>
#include <cuda_runtime.h>
#include <npp.h>

#define OK(call) WANT(call, NPP_NO_ERROR)

static inline NppStreamContext context(cudaStream_t stream = 0)
{
    NppStreamContext c = {};
    cudaDeviceProp p;
    cudaGetDeviceProperties(&p, 0);
    c.hStream = stream;
    c.nMultiProcessorCount = p.multiProcessorCount;
    c.nMaxThreadsPerMultiProcessor = p.maxThreadsPerMultiProcessor;
    c.nMaxThreadsPerBlock = p.maxThreadsPerBlock;
    c.nSharedMemPerBlock = p.sharedMemPerBlock;
    c.nCudaDevAttrComputeCapabilityMajor = p.major;
    c.nCudaDevAttrComputeCapabilityMinor = p.minor;
    return c;
}

static unsigned seed = 1;
static inline unsigned draw()
{
    seed = seed * 1664525u + 1013904223u;
    return seed >> 8;
}
// Numbers of all sizes of a type.
template <class T> T number()
{
    if (std::is_floating_point<T>::value)
        return (T)((double)(draw() % 20001) / 64 - 150);
    double low = (double)std::numeric_limits<T>::min(), high = (double)std::numeric_limits<T>::max();
    unsigned kind = draw() % 8;
    double v = low + (high - low) * (draw() % 65536) / 65535.0;
    return (T)(kind == 0 ? low : kind == 1 ? high : kind == 2 ? (double)(draw() % 16) : std::floor(v));
}
// The nearest number of a type, ties to even.
template <class T> T nearest(double v)
{
    if (std::is_floating_point<T>::value)
        return (T)v;
    double low = (double)std::numeric_limits<T>::min(), high = (double)std::numeric_limits<T>::max();
    v = std::nearbyint(v);
    return (T)(v != v ? 0 : v < low ? low : v > high ? high : v);
}
template <class T> T cut(double v)
{
    return std::is_floating_point<T>::value ? (T)v : nearest<T>(std::trunc(v));
}

template <class T> struct image {
    int width, height, channels, step;
    std::vector<T> host; // with the room behind rows
    T *device = nullptr;
    image(int w, int h, int c, bool fill = true) : width(w), height(h), channels(c)
    {
        int row = w * c + 5;
        step = row * (int)sizeof(T);
        host.resize((size_t)row * h);
        for (auto &v : host)
            v = fill ? number<T>() : (T)77;
        cudaMalloc((void **)&device, host.size() * sizeof(T));
        put();
    }
    image(const image &o) : image(o.width, o.height, o.channels)
    {
        host = o.host;
        put();
    }
    ~image()
    {
        cudaFree(device);
    }
    void put()
    {
        cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice);
    }
    std::vector<T> get() const
    {
        std::vector<T> v(host.size());
        cudaDeviceSynchronize();
        cudaMemcpy(v.data(), device, v.size() * sizeof(T), cudaMemcpyDeviceToHost);
        return v;
    }
    size_t at(int x, int y, int c = 0) const
    {
        return (size_t)y * (width * channels + 5) + (size_t)(x * channels + c);
    }
    T operator()(int x, int y, int c = 0) const
    {
        return host[at(x, y, c)];
    }
    NppiSize size() const
    {
        return {width, height};
    }
    T *pixel(int x, int y) const
    {
        return device + at(x, y);
    }
};

// Whether the device has what `want` gives for the numbers of a region, and what it had elsewhere.
template <class T>
void compare(const char *what, const image<T> &d, std::function<double(int, int, int)> want, double away = 0,
             int channels = 0, NppiRect where = {0, 0, 0, 0})
{
    std::vector<T> got = d.get();
    NppiRect r = where.width ? where : NppiRect{0, 0, d.width, d.height};
    int n = channels ? channels : d.channels, row = d.width * d.channels + 5, wrong = 0;
    for (size_t i = 0; i < got.size() && wrong < 3; i++) {
        int y = (int)(i / row), x = (int)(i % row) / d.channels, c = (int)(i % row) % d.channels;
        bool in = i % row < (size_t)(d.width * d.channels) && c < n && x >= r.x && y >= r.y && x < r.x + r.width &&
                  y < r.y + r.height;
        double expected = in ? want(x, y, c) : (double)d.host[i], g = (double)got[i];
        double room = in ? away * (std::is_floating_point<T>::value ? 1 + std::fabs(expected) : 1) : 0;
        bool same = (expected != expected && g != g) || std::fabs(g - expected) <= room || g == expected;
        if (!same) {
            wrong++;
            printf("%s: (%d %d %d) is %.9g and not %.9g%s\n", what, x, y, c, g, expected, in ? "" : ", outside");
        }
    }
    CHECK(wrong == 0);
}
// A result in the device's memory.
template <class T> struct result {
    T *device = nullptr;
    int n;
    explicit result(int count = 4) : n(count)
    {
        cudaMalloc((void **)&device, sizeof(T) * count);
    }
    ~result()
    {
        cudaFree(device);
    }
    T operator[](int i) const
    {
        T v;
        cudaDeviceSynchronize();
        cudaMemcpy(&v, device + i, sizeof v, cudaMemcpyDeviceToHost);
        return v;
    }
};
static inline bool close_to(double a, double b, double away = 1e-12)
{
    bool same = a == b || std::fabs(a - b) <= away * (1 + std::fabs(b));
    if (!same)
        printf("%.17g is not %.17g\n", a, b);
    return same;
}
#endif
