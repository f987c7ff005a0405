// SPDX-License-Identifier: Apache-2.0
// Integer functions and intrinsics: plain C that the compiler turns into the one instruction where there is one.
#include "devmath/devmath.h"

HOT int __nv_abs(int x)
{
    return x < 0 ? (int)(0u - (unsigned)x) : x;
}

HOT long long __nv_llabs(long long x)
{
    return x < 0 ? (long long)(0ull - (unsigned long long)x) : x;
}

HOT int __nv_max(int x, int y)
{
    return x > y ? x : y;
}

HOT int __nv_min(int x, int y)
{
    return x < y ? x : y;
}

HOT unsigned __nv_umax(unsigned x, unsigned y)
{
    return x > y ? x : y;
}

HOT unsigned __nv_umin(unsigned x, unsigned y)
{
    return x < y ? x : y;
}

HOT long long __nv_llmax(long long x, long long y)
{
    return x > y ? x : y;
}

HOT long long __nv_llmin(long long x, long long y)
{
    return x < y ? x : y;
}

HOT unsigned long long __nv_ullmax(unsigned long long x, unsigned long long y)
{
    return x > y ? x : y;
}

HOT unsigned long long __nv_ullmin(unsigned long long x, unsigned long long y)
{
    return x < y ? x : y;
}

// ---- bits ----
INLINE uint32_t reverse32(uint32_t x)
{
#ifdef __clang__
    return __builtin_bitreverse32(x);
#else
    x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
    x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
    x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
    return __builtin_bswap32(x);
#endif
}

HOT int __nv_brev(int x)
{
    return (int)reverse32((uint32_t)x);
}

HOT long long __nv_brevll(long long x)
{
#ifdef __clang__
    return (long long)__builtin_bitreverse64((uint64_t)x);
#else
    return (long long)((uint64_t)reverse32((uint32_t)x) << 32 | reverse32((uint32_t)((uint64_t)x >> 32)));
#endif
}

HOT int __nv_clz(int x)
{
    return x ? __builtin_clz((unsigned)x) : 32;
}

HOT int __nv_clzll(long long x)
{
    return x ? __builtin_clzll((unsigned long long)x) : 64;
}

HOT int __nv_ffs(int x)
{
    return 32 - __nv_clz(x & (int)(0u - (unsigned)x)); // the lowest bit alone
}

HOT int __nv_ffsll(long long x)
{
    return 64 - __nv_clzll(x & (long long)(0ull - (unsigned long long)x));
}

HOT int __nv_popc(unsigned x)
{
    return __builtin_popcount(x);
}

HOT int __nv_popcll(unsigned long long x)
{
    return __builtin_popcountll(x);
}

// Four bytes out of the eight of y:x, each selected by the low three bits of a nibble of s.
HOT int __nv_byte_perm(int x, int y, int s)
{
#if DEVICE
    return (int)__nvvm_prmt((unsigned)x, (unsigned)y, (unsigned)s & 0x7777u);
#else
    uint64_t v = (uint64_t)(uint32_t)y << 32 | (uint32_t)x;
    uint32_t r = 0;
    for (int i = 0; i < 4; i++)
        r |= (uint32_t)(v >> (((uint32_t)s >> (4 * i) & 7u) * 8) & 255u) << (8 * i);
    return (int)r;
#endif
}

// ---- products ----
HOT int __nv_mul24(int x, int y)
{
    int a = (int)((unsigned)x << 8) >> 8, b = (int)((unsigned)y << 8) >> 8;
    return (int)((unsigned)a * (unsigned)b);
}

HOT unsigned __nv_umul24(unsigned x, unsigned y)
{
    return (x & 0xffffffu) * (y & 0xffffffu);
}

HOT int __nv_mulhi(int x, int y)
{
    return (int)((long long)x * y >> 32);
}

HOT unsigned __nv_umulhi(unsigned x, unsigned y)
{
    return (unsigned)((unsigned long long)x * y >> 32);
}

HOT long long __nv_mul64hi(long long x, long long y)
{
#if DEVICE
    return __nvvm_mulhi_ll(x, y);
#else
    return (long long)((__int128)x * y >> 64);
#endif
}

HOT unsigned long long __nv_umul64hi(unsigned long long x, unsigned long long y)
{
    return mulhi_u64(x, y);
}

// ---- differences and averages, without overflow between ----
HOT int __nv_sad(int x, int y, int z)
{
    unsigned d = x > y ? (unsigned)x - (unsigned)y : (unsigned)y - (unsigned)x;
    return (int)(d + (unsigned)z);
}

HOT unsigned __nv_usad(unsigned x, unsigned y, unsigned z)
{
    return (x > y ? x - y : y - x) + z;
}

HOT int __nv_hadd(int x, int y)
{
    return (x & y) + ((x ^ y) >> 1);
}

HOT int __nv_rhadd(int x, int y)
{
    return (x | y) - ((x ^ y) >> 1);
}

HOT int __nv_uhadd(unsigned x, unsigned y)
{
    return (int)((x & y) + ((x ^ y) >> 1));
}

HOT unsigned __nv_urhadd(unsigned x, unsigned y)
{
    return (x | y) - ((x ^ y) >> 1);
}
