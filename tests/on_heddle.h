// SPDX-License-Identifier: Apache-2.0
// Checks of what CUDA leaves open and we promise: they are not for NVIDIA's libraries, with which the programs are right too.
#ifndef HEDDLE_TEST_ON_HEDDLE_H
#define HEDDLE_TEST_ON_HEDDLE_H
#include <cstring>
#include <cuda_runtime.h>

static inline bool on_heddle()
{
    cudaDeviceProp p;
    return cudaGetDeviceProperties(&p, 0) == cudaSuccess && !strncmp(p.name, "Heddle", 6);
}
#define HEDDLE_ONLY(...)                                                                                               \
    do {                                                                                                               \
        if (on_heddle()) {                                                                                             \
            __VA_ARGS__;                                                                                               \
        }                                                                                                              \
    } while (0)
#endif
