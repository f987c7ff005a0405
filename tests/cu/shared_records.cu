// SPDX-License-Identifier: Apache-2.0
// Atomic additions to members of records in shared memory: all counts of members, orders, gaps, lanes that meet, masks, values
// that come between, and an addition that something else stands in front of.
#include "check.h"

enum { BINS = 11, THREADS = 160 };

struct Five {
    float x, y, z, w, n;
};
struct Seven {
    int a, b, c, gap, d, e, f;
};

__global__ void fives(const int *bin, Five *out, int n)
{
    __shared__ Five s[BINS];
    for (int i = threadIdx.x; i < BINS * 5; i += blockDim.x)
        ((float *)s)[i] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        Five *r = &s[bin[i]];
        float v = i % 8;
        atomicAdd(&r->x, v);
        atomicAdd(&r->y, v * 2);
        atomicAdd(&r->z, v + 1);
        atomicAdd(&r->w, 0.5f);
        atomicAdd(&r->n, 1.0f);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < BINS; i += blockDim.x)
        out[i] = s[i];
}

__global__ void sevens(const int *bin, Seven *out, int *seen)
{
    __shared__ Seven s[BINS];
    for (int i = threadIdx.x; i < BINS * 7; i += blockDim.x)
        ((int *)s)[i] = 0;
    __syncthreads();
    int t = threadIdx.x, b = bin[t];
    if (t % 5 != 2) {
        atomicAdd(&s[b].f, t);
        atomicAdd(&s[b].b, 3);
        atomicAdd(&s[b].a, t * 7);
        atomicAdd(&s[b].d, 1);
        atomicAdd(&s[b].c, -t);
        atomicAdd(&s[b].e, 2);
        atomicAdd(&s[b].e, 2); // once more
    }
    __syncthreads();
    if (t % 3 == 0) {
        atomicAdd(&s[b].a, 1);
        int now = atomicAdd(&s[b].gap, 1); // used: in lane order or not, each number once
        atomicAdd(&s[b].b, now);
        atomicAdd(&s[b].c, 1);
        seen[t] = now;
    }
    __syncthreads();
    for (int i = t; i < BINS; i += blockDim.x)
        out[i] = s[i];
}

int main()
{
    const int n = 1000;
    std::vector<int> bin(n);
    unsigned seed = 3;
    for (int i = 0; i < n; i++)
        bin[i] = i < 40 ? 4 : random_next(seed) % BINS;
    Buffer<int> dbin(bin), seen(THREADS);
    Buffer<Five> f(BINS);
    Buffer<Seven> v(BINS);
    fives<<<1, THREADS>>>(dbin, f, n);
    sevens<<<1, THREADS>>>(dbin, v, seen);
    LAUNCHED();
    std::vector<Five> rf(BINS);
    for (int i = 0; i < n; i++) {
        float x = i % 8;
        Five &r = rf[bin[i]];
        r.x += x, r.y += x * 2, r.z += x + 1, r.w += 0.5f, r.n += 1;
    }
    std::vector<Seven> rv(BINS);
    for (int t = 0; t < THREADS; t++) {
        Seven &r = rv[bin[t]];
        if (t % 5 != 2)
            r.f += t, r.b += 3, r.a += t * 7, r.d += 1, r.c -= t, r.e += 4;
        if (t % 3 == 0)
            r.a += 1, r.b += r.gap++, r.c += 1;
    }
    std::vector<Five> hf = f.get();
    std::vector<Seven> hv = v.get();
    for (int b = 0; b < BINS; b++) {
        EXPECT(hf[b].x == rf[b].x && hf[b].y == rf[b].y && hf[b].z == rf[b].z && hf[b].w == rf[b].w &&
               hf[b].n == rf[b].n);
        EXPECT(hv[b].a == rv[b].a && hv[b].b == rv[b].b && hv[b].c == rv[b].c && hv[b].gap == rv[b].gap);
        EXPECT(hv[b].d == rv[b].d && hv[b].e == rv[b].e && hv[b].f == rv[b].f);
    }
    return DONE();
}
