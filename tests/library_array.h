// SPDX-License-Identifier: Apache-2.0
// An array in device memory, zeros at first.
#ifndef HEDDLE_TEST_LIBRARY_ARRAY_H
#define HEDDLE_TEST_LIBRARY_ARRAY_H
#include "library_check.h"
#include <vector>
#include <cuda_runtime.h>

template <class T> struct array {
    T *dev = nullptr;
    size_t n;
    explicit array(size_t count) : n(count)
    {
        CUDA(cudaMalloc(&dev, (n ? n : 1) * sizeof(T)));
        CUDA(cudaMemset(dev, 0, (n ? n : 1) * sizeof(T)));
    }
    explicit array(const std::vector<T> &v) : array(v.size())
    {
        set(v);
    }
    array(const array &) = delete;
    ~array()
    {
        cudaFree(dev);
    }
    void set(const std::vector<T> &v)
    {
        if (n)
            CUDA(cudaMemcpy(dev, v.data(), n * sizeof(T), cudaMemcpyHostToDevice));
    }
    std::vector<T> get() const
    {
        std::vector<T> v(n);
        if (n)
            CUDA(cudaMemcpy(v.data(), dev, n * sizeof(T), cudaMemcpyDeviceToHost));
        return v;
    }
    T one() const
    {
        return get()[0];
    }
};
#endif
