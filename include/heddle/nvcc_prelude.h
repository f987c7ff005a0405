// SPDX-License-Identifier: Apache-2.0
// What nvcc precompiles: the declarations that every CUDA source begins with.
#include <cuda_runtime.h>
