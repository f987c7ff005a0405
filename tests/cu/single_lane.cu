// SPDX-License-Identifier: Apache-2.0
// Code that one thread of a warp or block runs, named by a constant, with what it reads from before and what lives on behind it.
#include "check.h"

enum { BLOCKS = 3 };

__host__ __device__ static unsigned rotate(unsigned x, int n)
{
    return x << n | x >> (32 - n);
}

// Bytes and words of one thread's own: rounds over a state, taken byte by byte, with a position that is kept.
struct Stream {
    unsigned state[8];
    unsigned char bytes[32];
    int at;
    __host__ __device__ Stream(const unsigned char *key) : at(32)
    {
        for (int i = 0; i < 8; i++)
            state[i] = key[4 * i] | key[4 * i + 1] << 8 | key[4 * i + 2] << 16 | (unsigned)key[4 * i + 3] << 24;
    }
    __host__ __device__ unsigned char next()
    {
        if (at >= 32) {
            for (int r = 0; r < 6; r++)
                for (int i = 0; i < 4; i++) {
                    state[i] += state[i + 4];
                    state[(i + r) & 7] = rotate(state[(i + r) & 7] ^ state[i], 7 + r);
                }
            for (int i = 0; i < 8; i++)
                for (int k = 0; k < 4; k++)
                    bytes[4 * i + k] = state[i] >> 8 * k;
            at = 0;
        }
        return bytes[at++];
    }
};

template <int WHO> __global__ void cipher(const unsigned char *key, unsigned char *text, int n)
{
    int t = threadIdx.y * blockDim.x + threadIdx.x;
    if (t == WHO) {
        Stream s(key + 32 * blockIdx.x);
        for (int i = 0; i < n + (int)blockIdx.x; i++)
            text[256 * blockIdx.x + i] ^= s.next();
    }
}

// What lives on: all types, from a loop that ends early, mixed with the other threads' own.
struct Mixed {
    int i;
    float f;
    double d;
    long long l;
    short s;
    unsigned char c;
    bool b;
};

__host__ __device__ static Mixed mix(int t, const int *in, int who, int n)
{
    Mixed m = {t, t * 0.5f, t * 0.25, t * 3LL, (short)-t, (unsigned char)t, (t & 1) != 0};
    int own = in[t % n];
    const int *p = in;
    if (t == who) {
        int table[5] = {own, 2, own + 4, 8, 16};
        for (int k = 0; k < n; k++) {
            m.i += table[(in[k] + k) % 5];
            table[k % 5] ^= in[k];
            m.f = m.f * 0.5f + table[k % 3];
            if (in[k] == 13)
                break;
            m.d += table[4] % 1000;
            m.l = m.l * 7 + table[0];
            m.b = !m.b;
            p = in + k;
        }
        m.s = (short)table[1];
        m.c = (unsigned char)table[2];
    }
    m.i += *p; // a pointer that differs
    return m;
}

template <int WHO>
__global__ void mixed(const int *in, int *i, float *f, double *d, long long *l, short *s, unsigned char *c, int n)
{
    int t = threadIdx.x, at = blockIdx.x * blockDim.x + t;
    Mixed m = mix(t, in, WHO, n);
    i[at] = m.i + m.b;
    f[at] = m.f;
    d[at] = m.d;
    l[at] = m.l;
    s[at] = m.s;
    c[at] = m.c;
}

// Other tests than equality, inside a loop and behind other conditions; the last thread but some.
__global__ void others(const int *in, int *out, int turns)
{
    int t = threadIdx.x, at = blockIdx.x * blockDim.x + t, sum = 0;
    int list[4] = {in[t], in[t] + 1, 2, 3};
    for (int k = 0; k < turns; k++) {
        if (t < 1) {
            list[(in[k] & 3)] += in[at] + k;
            sum += list[k & 3] / 3;
        } else {
            sum += t;
        }
        if (!(t != 37) && in[t + k] % 3)
            for (int j = 0; j < (in[at] & 7); j++)
                sum = sum * 3 + list[(j + in[j]) & 3];
        if (t > (int)blockDim.x - 2)
            sum ^= list[in[k] & 3] * (k + 1);
    }
    if (at == (int)blockDim.x + 5)
        for (int j = 0; j < 40 && list[j & 3] < 5000; j++) {
            list[j & 3] += in[j];
            sum += list[(j + 1) & 3];
        }
    out[at] = sum;
}

static int host_others(const std::vector<int> &in, int block, int t, int width, int turns)
{
    int at = block * width + t, sum = 0;
    int list[4] = {in[t], in[t] + 1, 2, 3};
    for (int k = 0; k < turns; k++) {
        if (t < 1) {
            list[(in[k] & 3)] += in[at] + k;
            sum += list[k & 3] / 3;
        } else {
            sum += t;
        }
        if (t == 37 && in[t + k] % 3)
            for (int j = 0; j < (in[at] & 7); j++)
                sum = sum * 3 + list[(j + in[j]) & 3];
        if (t > width - 2)
            sum ^= list[in[k] & 3] * (k + 1);
    }
    if (at == width + 5)
        for (int j = 0; j < 40 && list[j & 3] < 5000; j++) {
            list[j & 3] += in[j];
            sum += list[(j + 1) & 3];
        }
    return sum;
}

// Between barriers, with shared memory and a variable that only one thread has set.
__global__ void serial(const int *in, int *out)
{
    __shared__ int cell[100], total;
    int t = threadIdx.x, last;
    cell[t] = in[blockIdx.x * blockDim.x + t];
    __syncthreads();
    if (t == 3) {
        int hist[8] = {0};
        for (int i = 0; i < (int)blockDim.x; i++)
            hist[cell[i] & 7] += cell[i];
        last = hist[t];
        for (int i = 0; i < 8; i++)
            total = i ? total * 5 + hist[i] : hist[i];
    }
    __syncthreads();
    if (t == 3)
        total += last;
    __syncthreads();
    out[blockIdx.x * blockDim.x + t] = total + cell[99 - t];
}

template <int WHO> static void test_cipher(dim3 block)
{
    enum { ROOM = 256, LENGTH = 150 };
    std::vector<unsigned char> key(32 * BLOCKS), text(ROOM * BLOCKS);
    for (unsigned char &x : key)
        x = rand();
    for (unsigned char &x : text)
        x = rand();
    Buffer<unsigned char> dkey(key), dtext(text);
    cipher<WHO><<<BLOCKS, block>>>(dkey, dtext, LENGTH);
    LAUNCHED();
    for (int b = 0; b < BLOCKS && WHO < (int)(block.x * block.y); b++) {
        Stream s(&key[32 * b]);
        for (int i = 0; i < LENGTH + b; i++)
            text[ROOM * b + i] ^= s.next();
    }
    EXPECT(dtext.get() == text);
}

template <int WHO> static void test_mixed(int width)
{
    int n = 20 + WHO % 7, all = BLOCKS * width;
    std::vector<int> in(n);
    for (int &x : in)
        x = rand() % 100;
    in[n - 3] = 13;
    Buffer<int> din(in), i(all);
    Buffer<float> f(all);
    Buffer<double> d(all);
    Buffer<long long> l(all);
    Buffer<short> s(all);
    Buffer<unsigned char> c(all);
    mixed<WHO><<<BLOCKS, width>>>(din, i, f, d, l, s, c, n);
    LAUNCHED();
    auto hi = i.get();
    auto hf = f.get();
    auto hd = d.get();
    auto hl = l.get();
    auto hs = s.get();
    auto hc = c.get();
    for (int at = 0; at < all; at++) {
        Mixed m = mix(at % width, in.data(), WHO, n);
        EXPECT(hi[at] == m.i + m.b && hf[at] == m.f && hd[at] == m.d && hl[at] == m.l && hs[at] == m.s &&
               hc[at] == m.c);
    }
}

static void test_others(int width)
{
    int all = BLOCKS * width, turns = 9;
    std::vector<int> in(all + turns);
    for (int &x : in)
        x = rand() % 1000;
    Buffer<int> din(in), out(all);
    others<<<BLOCKS, width>>>(din, out, turns);
    LAUNCHED();
    auto got = out.get();
    for (int at = 0; at < all; at++)
        EXPECT(got[at] == host_others(in, at / width, at % width, width, turns));
}

static void test_serial()
{
    std::vector<int> in(100 * BLOCKS);
    for (int &x : in)
        x = rand() % 1000;
    Buffer<int> din(in), out(100 * BLOCKS);
    serial<<<BLOCKS, 100>>>(din, out);
    LAUNCHED();
    auto got = out.get();
    for (int b = 0; b < BLOCKS; b++) {
        int hist[8] = {0}, total = 0;
        for (int i = 0; i < 100; i++)
            hist[in[100 * b + i] & 7] += in[100 * b + i];
        for (int i = 0; i < 8; i++)
            total = i ? total * 5 + hist[i] : hist[i];
        for (int t = 0; t < 100; t++)
            EXPECT(got[100 * b + t] == total + hist[3] + in[100 * b + 99 - t]);
    }
}

int main()
{
    srand(3);
    test_cipher<0>(64);
    test_cipher<31>(64);
    test_cipher<45>(64);
    test_cipher<45>(50);
    test_cipher<45>(40); // nobody
    test_cipher<9>(dim3(8, 8));
    test_cipher<20>(dim3(16, 3));
    test_cipher<7>(dim3(5, 3));
    test_mixed<0>(64);
    test_mixed<63>(64);
    test_mixed<17>(40);
    test_mixed<5>(7);
    test_others(64);
    test_others(50);
    test_others(128);
    test_serial();
    return DONE();
}
