// SPDX-License-Identifier: Apache-2.0
extern __device__ int offset;         // separable_library.cu
__device__ int twice(int);            // separable_library.cu
__device__ int combine(int a, int b); // separable_part.cu
