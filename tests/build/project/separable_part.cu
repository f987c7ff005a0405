// SPDX-License-Identifier: Apache-2.0
#include "separable.h"
__device__ int combine(int a, int b)
{
    return twice(a) + b + offset;
}
