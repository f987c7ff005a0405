// SPDX-License-Identifier: Apache-2.0
// The runtime in the tree that this program belongs to, for commands that run kernels.
#ifndef HEDDLE_HEDDLE_RUNTIME_H
#define HEDDLE_HEDDLE_RUNTIME_H
#include <cuda_runtime_api.h>
#include <stdbool.h>

#define RUNTIME_FUNCTIONS(X)                                                                                           \
    X(cudaGetDeviceCount)                                                                                              \
    X(cudaGetDeviceProperties)                                                                                         \
    X(cudaGetErrorString)                                                                                              \
    X(cudaLibraryLoadData)                                                                                             \
    X(cudaLibraryGetKernel)                                                                                            \
    X(cudaMalloc)                                                                                                      \
    X(cudaMemcpy)                                                                                                      \
    X(cudaMemset)                                                                                                      \
    X(cudaLaunchKernel)                                                                                                \
    X(cudaDeviceSynchronize)                                                                                           \
    X(cudaFree)
struct runtime {
#define X(name) __typeof__(name) *name;
    RUNTIME_FUNCTIONS(X)
#undef X
};
extern struct runtime rt;

// The toolkit's folder; NULL: not known.
const char *sdk_folder(void);
// One of its libraries, opened; NULL: dlerror tells why.
void *sdk_library(const char *name);
// Opens libcudart.so.13 and fills rt; false: dlerror tells why.
bool runtime_open(void);
#endif
