// SPDX-License-Identifier: Apache-2.0
// Arrays of each thread's own, indexed at run time: elements of several sizes, one array through types of different sizes,
// pointers that walk and are compared, fills, indices that agree or differ between threads, arrays whose address leaves
// the kernel. Each case is one function, run on the device and on the host.
#include "check.h"

#define BOTH __host__ __device__ __forceinline__

// n is known at run time only, so that no loop is unrolled away.
template <class T> BOTH unsigned list(unsigned i, int n)
{
    T a[24];
    for (int k = 0; k < n; k++)
        a[k] = (T)(i * 7 + k * k);
    for (int k = 1; k < n; k++)
        a[k] = (T)(a[k] + a[k - 1] * (T)3);
    unsigned r = 0;
    for (int k = 0; k < n; k++)
        r = r * 31 + (unsigned)(long long)a[(k * 5 + i) % (unsigned)n];
    return r;
}
BOTH unsigned bytes(unsigned i, int n)
{
    return list<unsigned char>(i, n);
}
BOTH unsigned shorts(unsigned i, int n)
{
    return list<short>(i, n);
}
BOTH unsigned words(unsigned i, int n)
{
    return list<int>(i, n);
}
BOTH unsigned longs(unsigned i, int n)
{
    return list<long long>(i, n);
}
BOTH unsigned doubles(unsigned i, int n)
{
    double a[24];
    for (int k = 0; k < n; k++)
        a[k] = i + 0.25 * k;
    for (int k = 1; k < n; k++)
        a[k] = a[k] * 0.5 + a[(k * 7 + i) % (unsigned)k];
    return (unsigned)(a[n - 1] * 1024) ^ (unsigned)(a[n / 2] * 64);
}

// Words and bytes of the same places.
BOTH unsigned mixed(unsigned i, int n)
{
    union {
        unsigned long long l[12];
        unsigned w[24];
        unsigned short s[48];
        unsigned char b[96];
    } a;
    for (int k = 0; k < n / 2; k++)
        a.l[k] = (i + 1) * 0x0123456789abcdefull + k;
    for (int k = 0; k < n; k++)
        a.b[(k * 13 + i) % (4u * n)] ^= (unsigned char)(k + i);
    for (int k = 0; k < n; k++)
        a.s[(k * 3 + 1) % (2 * n)] += (unsigned short)k;
    unsigned r = 0;
    for (int k = 0; k < n; k++)
        r = r * 17 + a.w[k];
    return r;
}

struct particle {
    float x, y;
    unsigned char kind;
    double mass;
};
BOTH unsigned records(unsigned i, int n)
{
    particle p[12];
    for (int k = 0; k < n / 2; k++)
        p[k] = {(float)(i + k), (float)(i * k), (unsigned char)(i ^ k), k * 0.5};
    for (int k = 0; k + 1 < n / 2; k++) {
        particle &q = p[(k + i) % (unsigned)(n / 2)];
        q.x += p[k + 1].y;
        q.mass += q.kind;
    }
    unsigned r = 0;
    for (int k = 0; k < n / 2; k++)
        r = r * 5 + (unsigned)p[k].x + (unsigned)(p[k].mass * 2) + p[k].kind;
    return r;
}

// Pointers that walk from both ends until they meet; insertion, with a number of steps of each thread's own.
BOTH unsigned ends(unsigned i, int n)
{
    int a[24];
    for (int k = 0; k < n; k++)
        a[k] = (int)((i + 3) * (k + 1) * 2654435761u >> 20);
    for (int *p = a, *q = a + n - 1; p < q; p++, q--) {
        int t = *p;
        *p = *q;
        *q = t;
    }
    for (int *p = a + 1; p != a + n; p++) {
        int v = *p, *q = p;
        for (; q > a && q[-1] > v; q--)
            *q = q[-1];
        *q = v;
    }
    unsigned r = 0;
    for (int k = 0; k < n; k++)
        r = r * 7 + a[k];
    return r;
}

// Counted in an array that starts as zeros, and one that starts as something else; some threads leave early.
BOTH unsigned counts(unsigned i, int n)
{
    unsigned h[64] = {0}, x = i * 2654435761u + 1;
    unsigned char mark[64];
    memset(mark, 0xa5, sizeof mark);
    for (int k = 0; k < 3 * n; k++) {
        x = x * 1664525 + 1013904223;
        h[x >> 26]++;
        if (x >> 24 == i % 256)
            break;
        mark[x >> 20 & 63] = (unsigned char)k;
    }
    unsigned r = 0;
    for (int k = 0; k < 64; k++)
        r = r * 3 + h[(k + i) & 63] + mark[k];
    return r;
}

// One of two arrays, chosen by each thread or by all.
BOTH unsigned either(unsigned i, int n)
{
    int a[24], b[24];
    for (int k = 0; k < n; k++) {
        a[k] = k + i;
        b[k] = k * i;
    }
    unsigned r = 0;
    for (int k = 0; k < n; k++) {
        int *p = (i + k) % 3 ? a : b;
        p[k] += p[n - 1 - k];
        r = r * 3 + p[(k * 5) % n];
    }
    return r;
}

// More than a worker's stack has room for.
BOTH unsigned large(unsigned i, int n)
{
    int a[3000];
    for (int k = 0; k < 125 * n; k++)
        a[k] = k ^ i;
    unsigned r = 0;
    for (int k = 0; k < 125 * n; k += 37)
        r = r * 3 + a[(k * 11 + i) % (125u * n)];
    return r;
}

// Recursive, so that it stays a function and the array must lie where its address says.
__host__ __device__ __noinline__ int sum_of(const int *a, int n)
{
    return n == 1 ? *a * 3 : sum_of(a, n / 2) * 5 + sum_of(a + n / 2, n - n / 2);
}
BOTH unsigned handed_on(unsigned i, int n)
{
    int a[24];
    for (int k = 0; k < n; k++)
        a[k] = i * k;
    return sum_of(a + i % 3, n - 3);
}

#define CASES(X)                                                                                                       \
    X(bytes)                                                                                                           \
    X(shorts) X(words) X(longs) X(doubles) X(mixed) X(records) X(ends) X(counts) X(either) X(large) X(handed_on)

#define KERNEL(name)                                                                                                   \
    __global__ void name##_kernel(unsigned *out, int n)                                                                \
    {                                                                                                                  \
        unsigned i = blockIdx.x * blockDim.x + threadIdx.x;                                                            \
        if (i % 11 != 5)                                                                                               \
            out[i] = name(i, n);                                                                                       \
    }
CASES(KERNEL)

template <class K, class F> void compare(const char *what, K kernel, F host)
{
    for (unsigned threads : {128u, 100u}) {
        unsigned blocks = 5, wrong = 0;
        Buffer<unsigned> d(blocks * threads);
        kernel<<<blocks, threads>>>(d, 24);
        LAUNCHED();
        std::vector<unsigned> o = d.get();
        for (unsigned i = 0; i < o.size(); i++)
            wrong += o[i] != (i % 11 != 5 ? host(i, 24) : 0);
        if (wrong)
            std::fprintf(stderr, "%s: %u of %zu differ with %u threads\n", what, wrong, o.size(), threads);
        EXPECT(!wrong);
    }
}

// Arrays that live across barriers, and one whose address other threads see.
__global__ void across(const int *in, int *out, int n)
{
    __shared__ int box[96];
    int t = threadIdx.x, a[24], seen[24] = {0};
    for (int k = 0; k < n; k++)
        a[k] = in[(t + k) % 96];
    for (int k = 0; k < n; k++) {
        box[t] = a[k] + seen[(k + t) % n];
        __syncthreads();
        seen[k] = box[95 - t];
        if (t & 1)
            a[(k + 1) % n] += seen[k];
        __syncthreads();
    }
    int r = 0;
    for (int k = 0; k < n; k++)
        r = r * 3 + a[k] - seen[(k * 7) % n];
    out[t] = r;
}

static std::vector<int> across_host(const std::vector<int> &in, int n)
{
    static int a[96][24], seen[96][24], box[96];
    memset(seen, 0, sizeof seen);
    for (int t = 0; t < 96; t++)
        for (int k = 0; k < n; k++)
            a[t][k] = in[(t + k) % 96];
    for (int k = 0; k < n; k++) {
        for (int t = 0; t < 96; t++)
            box[t] = a[t][k] + seen[t][(k + t) % n];
        for (int t = 0; t < 96; t++) {
            seen[t][k] = box[95 - t];
            if (t & 1)
                a[t][(k + 1) % n] += seen[t][k];
        }
    }
    std::vector<int> out(96);
    for (int t = 0; t < 96; t++)
        for (int k = 0; k < n; k++)
            out[t] = out[t] * 3 + a[t][k] - seen[t][(k * 7) % n];
    return out;
}

int main()
{
#define COMPARE(name) compare(#name, name##_kernel, [](unsigned i, int n) { return name(i, n); });
    CASES(COMPARE)
    std::vector<int> in(96);
    for (int i = 0; i < 96; i++)
        in[i] = i * i - 40 * i;
    Buffer<int> d(in), o(96);
    across<<<1, 96>>>(d, o, 24);
    LAUNCHED();
    EXPECT(o.get() == across_host(in, 24));
    return DONE();
}
