// SPDX-License-Identifier: Apache-2.0
// Sums and products of many words, with the carry flag handed from one asm statement to the next. The statements are not
// volatile, as in libraries of large numbers.
#include "check.h"

typedef unsigned int u32;

static __device__ __forceinline__ void add_cc(u32 &r, u32 a, u32 b)
{
    asm("add.cc.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
}
static __device__ __forceinline__ void addc_cc(u32 &r, u32 a, u32 b)
{
    asm("addc.cc.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
}
static __device__ __forceinline__ void addc(u32 &r, u32 a, u32 b)
{
    asm("addc.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
}
static __device__ __forceinline__ void sub_cc(u32 &r, u32 a, u32 b)
{
    asm("sub.cc.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
}
static __device__ __forceinline__ void subc(u32 &r, u32 a, u32 b)
{
    asm("subc.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
}
static __device__ __forceinline__ void mad_lo_cc(u32 &r, u32 a, u32 b, u32 c)
{
    asm("mad.lo.cc.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
}
static __device__ __forceinline__ void madc_hi(u32 &r, u32 a, u32 b, u32 c)
{
    asm("madc.hi.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
}

enum { WORDS = 4, THREADS = 96, TURNS = 9 };

// r = a + b, then the carry; the same sums again with other operands between, and how many carries a loop has seen.
__global__ void sums(const u32 *a, const u32 *b, u32 *out)
{
    int t = threadIdx.x;
    u32 x[WORDS], carry, seen = 0;
    for (int k = 0; k < WORDS; k++)
        x[k] = a[t * WORDS + k];
#pragma unroll
    for (int i = 0; i < TURNS; i++) {
        add_cc(x[0], x[0], b[t * WORDS]);
        for (int k = 1; k < WORDS; k++)
            addc_cc(x[k], x[k], b[t * WORDS + k]);
        addc(carry, 0, 0);
        seen += carry;
    }
    u32 low, borrow;
    sub_cc(low, x[0], b[t * WORDS + 1]);
    subc(borrow, 0, 0);
    for (int k = 0; k < WORDS; k++)
        out[t * (WORDS + 3) + k] = x[k];
    out[t * (WORDS + 3) + WORDS] = seen;
    out[t * (WORDS + 3) + WORDS + 1] = low;
    out[t * (WORDS + 3) + WORDS + 2] = borrow;
}

// Both halves of a * b + c, summed up with the carry of the low half.
__global__ void products(const u32 *a, const u32 *b, u32 *out, int turns)
{
    int t = threadIdx.x;
    u32 low = 0, high = 0;
    for (int i = 0; i < turns; i++) {
        mad_lo_cc(low, a[t], b[i], low);
        madc_hi(high, a[t], b[i], high);
    }
    out[2 * t] = low;
    out[2 * t + 1] = high;
}

static u32 word(u32 i)
{
    i = (i + 1) * 2654435761u;
    return i ^ i >> 13 | (i & 64 ? 0xffff0000u : 0);
}

// clang-format off
// Operands without a comma between them, which NVIDIA's front end lets pass; "a" "b" is one string, and brackets and colons in it are text.
__global__ void without_commas(unsigned *to, unsigned v)
{
    asm volatile("{ .reg .u32 t; add.u32 t, %1, 1; " "st.release.sys.global.u32 [%0], t; } // (:" ::"l"(to) "r"((v)) : "memory");
}
// clang-format on

int main()
{
    std::vector<u32> a(THREADS * WORDS), b(THREADS * WORDS);
    for (u32 i = 0; i < a.size(); i++) {
        a[i] = word(i);
        b[i] = word(i + 1000);
    }
    Buffer<u32> da(a), db(b), sum(THREADS * (WORDS + 3)), product(2 * THREADS);
    sums<<<1, THREADS>>>(da, db, sum);
    LAUNCHED();
    products<<<1, THREADS>>>(da, db, product, TURNS);
    LAUNCHED();
    std::vector<u32> o = sum.get(), p = product.get();
    for (int t = 0; t < THREADS; t++) {
        u32 x[WORDS], seen = 0;
        memcpy(x, &a[t * WORDS], sizeof x);
        for (int i = 0; i < TURNS; i++) {
            unsigned long long c = 0;
            for (int k = 0; k < WORDS; k++, c >>= 32)
                x[k] = (u32)(c += (unsigned long long)x[k] + b[t * WORDS + k]);
            seen += (u32)c;
        }
        const u32 *r = &o[t * (WORDS + 3)], second = b[t * WORDS + 1];
        EXPECT(!memcmp(r, x, sizeof x) && r[WORDS] == seen);
        EXPECT(r[WORDS + 1] == x[0] - second && r[WORDS + 2] == (x[0] < second ? ~0u : 0u));
        unsigned long long sum64 = 0;
        for (int i = 0; i < TURNS; i++)
            sum64 += (unsigned long long)a[t] * b[i];
        EXPECT(p[2 * t] == (u32)sum64 && p[2 * t + 1] == (u32)(sum64 >> 32));
    }
    without_commas<<<1, 1>>>(sum, 6);
    LAUNCHED();
    EXPECT(sum.get()[0] == 7);
    return DONE();
}
