// SPDX-License-Identifier: Apache-2.0
// The other file of reduce.cu.
__device__ int table[4] = {1, 2, 3, 4};
static __device__ int calls;

__device__ float mix(float x, int k)
{
    float y = x * 2; // MARK mixed
    calls++;
    return y + k; // MARK last
}
