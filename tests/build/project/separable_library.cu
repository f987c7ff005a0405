// SPDX-License-Identifier: Apache-2.0
#include "separable.h"
__device__ int offset = 5;
__device__ int twice(int x)
{
    return 2 * x;
}
