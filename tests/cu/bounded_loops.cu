// SPDX-License-Identifier: Apache-2.0
// Loops that threads leave one by one, and all that are left together when a count runs out: values at either exit, of lanes that left before,
// and of blocks in which some threads never enter.
#include "check.h"

// Steps of Collatz's sequence, at most `limit`.
__global__ void steps(int *out, unsigned *value, int n, int limit)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, k = 0;
    if (i >= n)
        return;
    unsigned x = i + 1;
    while (k < limit) {
        if (x == 1)
            break;
        x = x & 1 ? 3 * x + 1 : x / 2;
        k++;
    }
    out[i] = k;
    value[i] = x;
}

// Points that leave a circle, with a sum of what was seen on the way and a different result at either exit.
__global__ void orbits(int *out, float *sum, int n, int limit, float step)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = 0, y = 0, cx = (i % 16) * step - 2, cy = (i / 16 % 16) * step - 1.25f, s = 0;
    int k = 0, how = -1;
    for (;;) {
        float x2 = x * x, y2 = y * y;
        s += 1;
        if (!(x2 + y2 < 4)) {
            how = k;
            break;
        }
        y = (x + x) * y + cy;
        x = x2 - y2 + cx;
        if (++k == limit)
            break;
    }
    out[i] = how;
    sum[i] = s;
}

static int collatz(unsigned *x, int limit)
{
    int k = 0;
    for (; k < limit && *x != 1; k++)
        *x = *x & 1 ? 3 * *x + 1 : *x / 2;
    return k;
}

int main()
{
    const int n = 1000;
    for (int limit : {0, 1, 2, 3, 7, 50, 51, 1000}) {
        Buffer<int> out(n);
        Buffer<unsigned> value(n);
        steps<<<(n + 95) / 96, 96>>>(out, value, n, limit);
        LAUNCHED();
        std::vector<int> k = out.get();
        std::vector<unsigned> v = value.get();
        bool right = true;
        for (int i = 0; i < n; i++) {
            unsigned x = i + 1;
            int want = collatz(&x, limit);
            right &= k[i] == want && v[i] == x;
        }
        EXPECT(right);
    }
    for (int limit : {1, 2, 3, 64, 65}) {
        Buffer<int> out(256);
        Buffer<float> sum(256);
        orbits<<<1, 256>>>(out, sum, 256, limit, 0.15625f);
        LAUNCHED();
        std::vector<int> k = out.get();
        std::vector<float> s = sum.get();
        bool right = true, some = false;
        for (int i = 0; i < 256; i++) {
            right &= k[i] < limit && s[i] == (k[i] < 0 ? limit : k[i] + 1);
            some |= k[i] >= 0;
            if (i % 16 == 0 && i / 16 == 0) // beside the circle: 0, then c itself, which is outside
                right &= k[i] == (limit > 1 ? 1 : -1);
        }
        EXPECT(right && (some || limit == 1));
    }
    return DONE();
}
