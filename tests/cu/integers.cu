// SPDX-License-Identifier: Apache-2.0
// Integer arithmetic and bit functions against the host, over special and random values, 8 to 64 bits.
#include "check.h"
#include <cstdint>

template <class T> __host__ __device__ inline uint64_t mix(T a, T b)
{
    uint64_t r = 0;
    T d = b == 0 ? 1 : b;
    auto put = [&](uint64_t v) { r = r * 1099511628211ull + v; };
    put((uint64_t)(T)(a + b));
    put((uint64_t)(T)(a - b));
    put((uint64_t)(T)(a * b));
    if (!(d == (T)-1)) {
        put((uint64_t)(T)(a / d));
        put((uint64_t)(T)(a % d));
    }
    put((uint64_t)(T)(a & b));
    put((uint64_t)(T)(a | b));
    put((uint64_t)(T)(a ^ b));
    put((uint64_t)(T)~a);
    put((uint64_t)(T)(a << (b & (sizeof(T) * 8 - 1))));
    put((uint64_t)(T)(a >> (b & (sizeof(T) * 8 - 1))));
    put(a < b);
    put(a == b);
    put((uint64_t)(T)(a > b ? a : b));
    return r;
}

static unsigned ref_brev(unsigned x)
{
    unsigned r = 0;
    for (int i = 0; i < 32; i++)
        r |= (x >> i & 1) << (31 - i);
    return r;
}

__global__ void arith(const uint64_t *a, const uint64_t *b, uint64_t *o, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    uint64_t *r = o + i * 8;
    r[0] = mix((int8_t)a[i], (int8_t)b[i]);
    r[1] = mix((uint8_t)a[i], (uint8_t)b[i]);
    r[2] = mix((int16_t)a[i], (int16_t)b[i]);
    r[3] = mix((uint16_t)a[i], (uint16_t)b[i]);
    r[4] = mix((int32_t)a[i], (int32_t)b[i]);
    r[5] = mix((uint32_t)a[i], (uint32_t)b[i]);
    r[6] = mix((int64_t)a[i], (int64_t)b[i]);
    r[7] = mix((uint64_t)a[i], (uint64_t)b[i]);
}

__global__ void bits(const uint64_t *a, const uint64_t *b, uint64_t *o, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    uint64_t *r = o + i * 16;
    unsigned x = (unsigned)a[i], y = (unsigned)b[i];
    r[0] = __popc(x);
    r[1] = __clz(x);
    r[2] = __ffs(x);
    r[3] = __brev(x);
    r[4] = __popcll(a[i]);
    r[5] = __clzll(a[i]);
    r[6] = __ffsll(a[i]);
    r[7] = __umulhi(x, y);
    r[8] = (uint64_t)(int64_t)__mulhi((int)x, (int)y);
    r[9] = __umul64hi(a[i], b[i]);
    r[10] = __byte_perm(x, y, 0x5241);
    r[11] = __funnelshift_l(x, y, (unsigned)(b[i] >> 32));
    r[12] = __sad((int)x, (int)y, 5);
    r[13] = (uint64_t)(int64_t)__mul24((int)x, (int)y);
    r[14] = (unsigned)__dp4a((int)x, (int)y, 9);
    r[15] = __hadd((int)(x >> 1), (int)(y >> 1));
}

int main()
{
    std::vector<uint64_t> a, b;
    const uint64_t special[] = {0,
                                1,
                                2,
                                0x7f,
                                0x80,
                                0xff,
                                0x7fff,
                                0x8000,
                                0xffff,
                                0x7fffffff,
                                0x80000000,
                                0xffffffff,
                                0x7fffffffffffffffull,
                                0x8000000000000000ull,
                                ~0ull,
                                10,
                                1000003};
    for (uint64_t x : special)
        for (uint64_t y : special) {
            a.push_back(x);
            b.push_back(y);
        }
    unsigned s = 9;
    while (a.size() < 2000) {
        uint64_t x = (uint64_t)random_next(s) << 40 ^ (uint64_t)random_next(s) << 17 ^ random_next(s);
        uint64_t y = (uint64_t)random_next(s) << 38 ^ (uint64_t)random_next(s) << 15 ^ random_next(s);
        a.push_back(x >> (random_next(s) & 63));
        b.push_back(y >> (random_next(s) & 63));
    }
    int n = (int)a.size();
    Buffer<uint64_t> da(a), db(b), dr(n * 8), dbits(n * 16);
    arith<<<(n + 127) / 128, 128>>>(da, db, dr, n);
    bits<<<(n + 127) / 128, 128>>>(da, db, dbits, n);
    LAUNCHED();
    std::vector<uint64_t> r = dr.get(), o = dbits.get();
    int wrong[24] = {};
    for (int i = 0; i < n; i++) {
        uint64_t *p = &r[i * 8], *q = &o[i * 16];
        unsigned x = (unsigned)a[i], y = (unsigned)b[i];
        wrong[0] += p[0] != mix((int8_t)a[i], (int8_t)b[i]);
        wrong[1] += p[1] != mix((uint8_t)a[i], (uint8_t)b[i]);
        wrong[2] += p[2] != mix((int16_t)a[i], (int16_t)b[i]);
        wrong[3] += p[3] != mix((uint16_t)a[i], (uint16_t)b[i]);
        wrong[4] += p[4] != mix((int32_t)a[i], (int32_t)b[i]);
        wrong[5] += p[5] != mix((uint32_t)a[i], (uint32_t)b[i]);
        wrong[6] += p[6] != mix((int64_t)a[i], (int64_t)b[i]);
        wrong[7] += p[7] != mix((uint64_t)a[i], (uint64_t)b[i]);
        wrong[8] += q[0] != (uint64_t)__builtin_popcount(x);
        wrong[9] += q[1] != (uint64_t)(x ? __builtin_clz(x) : 32);
        wrong[10] += q[2] != (uint64_t)__builtin_ffs((int)x);
        wrong[11] += q[3] != ref_brev(x);
        wrong[12] += q[4] != (uint64_t)__builtin_popcountll(a[i]);
        wrong[13] += q[5] != (uint64_t)(a[i] ? __builtin_clzll(a[i]) : 64);
        wrong[14] += q[6] != (uint64_t)__builtin_ffsll((long long)a[i]);
        wrong[15] += q[7] != (uint64_t)x * y >> 32;
        wrong[16] += q[8] != (uint64_t)((int64_t)(int)x * (int)y >> 32);
        wrong[17] += q[9] != (uint64_t)((unsigned __int128)a[i] * b[i] >> 64);
        unsigned char bytes[8];
        std::memcpy(bytes, &x, 4);
        std::memcpy(bytes + 4, &y, 4);
        wrong[18] += q[10] != (bytes[1] | bytes[4] << 8 | bytes[2] << 16 | (unsigned)bytes[5] << 24);
        unsigned k = (unsigned)(b[i] >> 32) & 31;
        wrong[19] += q[11] != (k ? y << k | x >> (32 - k) : y);
        int64_t diff = (int64_t)(int)x - (int)y;
        wrong[20] += q[12] != (unsigned)((unsigned)(diff < 0 ? -diff : diff) + 5);
        int m24 = (int)((unsigned)((int)(x << 8) >> 8) * (unsigned)((int)(y << 8) >> 8));
        wrong[21] += q[13] != (uint64_t)(int64_t)m24;
        int dp = 9;
        for (int k4 = 0; k4 < 4; k4++)
            dp += (signed char)bytes[k4] * (signed char)bytes[4 + k4];
        wrong[22] += q[14] != (unsigned)dp;
        wrong[23] += (int)q[15] != (int)(((int64_t)(x >> 1) + (y >> 1)) >> 1);
    }
    for (int k = 0; k < 24; k++) {
        if (wrong[k])
            std::fprintf(stderr, "row %d: %d wrong\n", k, wrong[k]);
        EXPECT(wrong[k] == 0);
    }
    return DONE();
}
