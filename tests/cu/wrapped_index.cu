// SPDX-License-Identifier: Apache-2.0
// Indices of 32 bits that wrap around within a gang, so that neighbouring threads touch memory 2^32 elements apart: single
// loads and stores, several side by side, and whole records, in all threads and in some of them.
#include "check.h"
#include <sys/mman.h>

enum { ROOM = 4096, THREADS = 96, LEAD = 37 };

__host__ __device__ inline float4 mix(float4 a, float4 b, float4 c, float s)
{
    return make_float4(a.x + 2 * b.x - c.x + s, a.y - b.y + 3 * c.y, a.z + b.w, c.z - a.w);
}

__host__ __device__ inline float2 mix(float2 a, float2 b, float2 c, float s)
{
    return make_float2(a.x + 2 * b.y - c.x + s, a.y - b.x + 3 * c.y);
}

__host__ __device__ inline double2 mix(double2 a, double2 b, double2 c, float s)
{
    return make_double2(a.x + 2 * b.y - c.x + s, a.y - b.x + 3 * c.y);
}

template <class T> __host__ __device__ inline T mix(T a, T b, T c, float s)
{
    return (T)(a + 2 * b - c + (T)s);
}

// A compiler takes it that indices at a known distance do not wrap around between each other.
__device__ unsigned unknown(unsigned i)
{
    asm("mov.b32 %0, %0;" : "+r"(i));
    return i;
}

// I: how an index becomes a distance, with its sign or without.
template <class T, class I> __global__ void walk(const T *in, T *out, unsigned first, int some, float s)
{
    unsigned i = first + threadIdx.x;
    if (!some || threadIdx.x % 5 != 2)
        out[(I)i] = mix(in[(I)i], in[(I)unknown(i + 3)], in[(I)unknown(i - 1)], s);
}

static float nth(float *, int i)
{
    return 0.5f * (float)i;
}
static short nth(short *, int i)
{
    return (short)(3 * i);
}
static float2 nth(float2 *, int i)
{
    return make_float2(i, 2.5f * i);
}
static double2 nth(double2 *, int i)
{
    return make_double2(i, 7.5 * i);
}
static float4 nth(float4 *, int i)
{
    return make_float4(i, 1.5f * i, -2 * i, i * i);
}

// Both ends of 2^32 elements, of which nothing is there but some room around the place where an index wraps around.
template <class T> struct Ends {
    char *all;
    T *low, *high; // element 0, and one behind the last
    size_t bytes = ((size_t)sizeof(T) << 32) + 2 * ROOM;
    Ends()
    {
        all = (char *)mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        bool there = all != MAP_FAILED;
        if (there) {
            there = !mprotect(all, 2 * ROOM, PROT_READ | PROT_WRITE);
            there = !mprotect(all + bytes - 2 * ROOM, 2 * ROOM, PROT_READ | PROT_WRITE) && there;
        }
        if (!there)
            SKIP("no room for addresses");
        low = (T *)(all + ROOM);
        high = (T *)(all + bytes - ROOM);
    }
    ~Ends()
    {
        munmap(all, bytes);
    }
    T &at(int i)
    {
        return i < 0 ? high[i] : low[i];
    } // 0: the first index behind the place
};

template <class T, class I> static void walks()
{
    Ends<T> in, out;
    const bool is_signed = (I)-1 < 0;
    const unsigned place = is_signed ? 1u << 31 : 0, first = place - LEAD;
    const size_t base = is_signed ? (size_t)1 << 31 : 0; // elements from low to where the index is 0
    for (int some = 0; some < 2; some++) {
        for (int i = -LEAD - 8; i < THREADS; i++) {
            in.at(i) = nth((T *)NULL, i);
            out.at(i) = nth((T *)NULL, 1000);
        }
        walk<T, I><<<1, THREADS>>>(in.low + base, out.low + base, first, some, 11.0f);
        LAUNCHED();
        for (int i = -LEAD; i < THREADS - LEAD; i++) {
            T expect = mix(in.at(i), in.at(i + 3), in.at(i - 1), 11.0f);
            if (some && (i + LEAD) % 5 == 2)
                expect = nth((T *)NULL, 1000);
            EXPECT(!memcmp(&out.at(i), &expect, sizeof expect));
        }
    }
}

int main()
{
    if (on_gpu())
        SKIP("memory of the host");
    walks<float, unsigned>();
    walks<float, int>();
    walks<short, unsigned>();
    walks<short, int>();
    walks<float2, unsigned>();
    walks<float2, int>();
    walks<double2, unsigned>();
    walks<float4, unsigned>();
    walks<float4, int>();
    return DONE();
}
