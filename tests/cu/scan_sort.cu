// SPDX-License-Identifier: Apache-2.0
// Prefix sums (work-efficient, in shared memory) and a bitonic sort.
#include "check.h"
#include <algorithm>

__global__ void scan(const int *in, int *out, int n)
{
    extern __shared__ int s[];
    int t = threadIdx.x, offset = 1;
    s[2 * t] = in[2 * t];
    s[2 * t + 1] = in[2 * t + 1];
    for (int d = n >> 1; d > 0; d >>= 1) {
        __syncthreads();
        if (t < d) {
            int a = offset * (2 * t + 1) - 1, b = offset * (2 * t + 2) - 1;
            s[b] += s[a];
        }
        offset *= 2;
    }
    if (t == 0)
        s[n - 1] = 0;
    for (int d = 1; d < n; d *= 2) {
        offset >>= 1;
        __syncthreads();
        if (t < d) {
            int a = offset * (2 * t + 1) - 1, b = offset * (2 * t + 2) - 1, v = s[a];
            s[a] = s[b];
            s[b] += v;
        }
    }
    __syncthreads();
    out[2 * t] = s[2 * t];
    out[2 * t + 1] = s[2 * t + 1];
}

__global__ void bitonic(float *v, int n)
{
    __shared__ float s[512];
    int t = threadIdx.x;
    s[t] = v[t];
    __syncthreads();
    for (int k = 2; k <= n; k *= 2)
        for (int j = k / 2; j > 0; j /= 2) {
            int x = t ^ j;
            if (x > t) {
                bool up = (t & k) == 0;
                if ((s[t] > s[x]) == up) {
                    float h = s[t];
                    s[t] = s[x];
                    s[x] = h;
                }
            }
            __syncthreads();
        }
    v[t] = s[t];
}

int main()
{
    for (int n : {2, 64, 256, 1024}) {
        std::vector<int> in(n);
        for (int i = 0; i < n; i++)
            in[i] = i * 31 % 17;
        Buffer<int> a(in), b(n);
        scan<<<1, n / 2, n * sizeof(int)>>>(a, b, n);
        LAUNCHED();
        std::vector<int> o = b.get();
        int sum = 0;
        bool right = true;
        for (int i = 0; i < n; i++) {
            right &= o[i] == sum;
            sum += in[i];
        }
        EXPECT(right);
    }
    for (int n : {32, 128, 512}) {
        std::vector<float> v(n);
        unsigned s = n;
        for (float &x : v)
            x = (float)(random_next(s) % 1000) - 500;
        Buffer<float> d(v);
        bitonic<<<1, n>>>(d, n);
        LAUNCHED();
        std::sort(v.begin(), v.end());
        EXPECT(d.get() == v);
    }
    return DONE();
}
