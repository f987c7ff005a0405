// SPDX-License-Identifier: Apache-2.0
// Guards one after the other, of which the JIT makes one test: in both axes, with values that differ behind them, with a
// test that may only be made behind another one; and loops over the elements of a grid, which some threads do not enter.
#include "check.h"

enum { W = 77, H = 29 };

__global__ void both(int *out, int w, int h, int inner)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < inner)
        return;
    if (y < inner || x >= w - inner)
        return;
    if (y >= h - inner || h < 3)
        return;
    out[y * w + x] += 1 + x + 100 * y;
}

// What is stored tells which guard held.
__global__ void which(int *out, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, r = 7;
    if (x >= 3) {
        r = 8;
        if (y >= 5)
            r = x * y;
    }
    if (x < w && y < h)
        out[y * w + x] = r;
}

// The pointer of those that may not read leads nowhere, the divisor of those that may not divide is 0.
__global__ void needed(int *out, const int *table, int w, int h, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h)
        return;
    int *p = &out[y * w + x];
    *p = -1;
    if (x >= n)
        return;
    if (table[x] != y)
        return;
    if (x == 0)
        return;
    if (y % x == 1)
        return;
    *p = x;
}

__global__ void in_loop(int *out, int w, int h, int limit)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, s = 0;
    for (int i = 0; i < limit; i++) {
        if (x < i)
            continue;
        if (y + i >= h)
            break;
        s += i + x;
    }
    if (x < w)
        if (y < h)
            out[y * w + x] = s;
}

__global__ void strided(const int *in, int *out, int *sum, int n)
{
    int s = 100, last = -1;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        out[i] += 3 * in[i];
        s += in[i];
        last = i;
    }
    sum[2 * (blockIdx.x * blockDim.x + threadIdx.x)] = s;
    sum[2 * (blockIdx.x * blockDim.x + threadIdx.x) + 1] = last;
}

static void check_strided()
{
    const int most = 1000, threads = 3 * 80;
    std::vector<int> h(most);
    for (int i = 0; i < most; i++)
        h[i] = i * i % 91 - 40;
    Buffer<int> in(h), sum(2 * threads);
    for (int n : {0, 1, 13, 32, 79, 80, 81, 160, 239, 240, 241, 300, 480, 777, 1000}) {
        Buffer<int> out(h);
        strided<<<3, 80>>>(in, out, sum, n);
        LAUNCHED();
        auto o = out.get(), s = sum.get();
        for (int i = 0; i < most; i++)
            EXPECT(o[i] == (i < n ? 4 : 1) * h[i]);
        for (int t = 0; t < threads; t++) {
            int expect = 100, last = -1;
            for (int i = t; i < n; i += threads) {
                expect += h[i];
                last = i;
            }
            EXPECT(s[2 * t] == expect && s[2 * t + 1] == last);
        }
    }
}

int main()
{
    check_strided();
    static int expect[W * H], table[W];
    int *out, *t;
    OK(cudaMallocManaged(&out, sizeof expect));
    OK(cudaMallocManaged(&t, 20 * sizeof *t));
    for (dim3 block : {dim3(32, 8), dim3(16, 16), dim3(7, 3)}) {
        dim3 grid((W + block.x - 1) / block.x, (H + block.y - 1) / block.y);
        for (int inner = 0; inner < 3; inner++) {
            for (int i = 0; i < W * H; i++) {
                int x = i % W, y = i / W;
                out[i] = i;
                expect[i] = i + (x >= inner && y >= inner && x < W - inner && y < H - inner ? 1 + x + 100 * y : 0);
            }
            both<<<grid, block>>>(out, W, H, inner);
            LAUNCHED();
            for (int i = 0; i < W * H; i++)
                EXPECT(out[i] == expect[i]);
        }
        which<<<grid, block>>>(out, W, H);
        LAUNCHED();
        for (int i = 0; i < W * H; i++)
            EXPECT(out[i] == (i % W < 3 ? 7 : i / W < 5 ? 8 : i % W * (i / W)));
        for (int i = 0; i < 20; i++)
            t[i] = table[i] = i % 3 ? i : i / 2;
        needed<<<grid, block>>>(out, t, W, H, 20);
        LAUNCHED();
        for (int i = 0; i < W * H; i++) {
            int x = i % W, y = i / W;
            EXPECT(out[i] == (x < 20 && table[x] == y && x && y % x != 1 ? x : -1));
        }
        in_loop<<<grid, block>>>(out, W, H, 12);
        LAUNCHED();
        for (int i = 0; i < W * H; i++) {
            int s = 0;
            for (int k = 0; k < 12; k++) {
                if (i % W < k)
                    continue;
                if (i / W + k >= H)
                    break;
                s += k + i % W;
            }
            EXPECT(out[i] == s);
        }
    }
    OK(cudaFree(out));
    OK(cudaFree(t));
    return DONE();
}
