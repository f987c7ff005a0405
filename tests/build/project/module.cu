// SPDX-License-Identifier: Apache-2.0
extern "C" __global__ void answer(int *out)
{
    *out = 42;
}
