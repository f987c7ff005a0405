// SPDX-License-Identifier: Apache-2.0
#include "kernel.h"
#include <vector>

int main()
{
    std::vector<float> v(1000);
    for (int i = 0; i < 1000; i++)
        v[i] = float(i);
    if (scale_on_device(v.data(), 3, 1000))
        return 1;
    for (int i = 0; i < 1000; i++)
        if (v[i] != 3.0f * float(i))
            return 2;
    return 0;
}
