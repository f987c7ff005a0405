// SPDX-License-Identifier: Apache-2.0
// See processor.h. Both forms run by turns on data in the first cache, some microseconds in all, and the least times count: what interrupts
// only ever adds. They are of 16 bytes, since processors wake the upper halves of wide vectors at their first use, and take four times as long
// for them until then. What is measured moves from process to process (0.60 to 1.13 in 600 of them on Emerald Rapids, 0.82 in the middle), and
// code and its key in the cache follow from it: so it is one of two figures, on either side of BETWEEN. Processors with that microcode were
// seen to take nearly twice as long and more.
#include "base/cpu/processor.h"
#include <pthread.h>
#include <stdint.h>
#ifdef __x86_64__
#include <immintrin.h>

enum { TURNS = 24, VECTORS = 32, LANES = 4 };
enum { BETWEEN = 150, QUICK = 60, SLOW = 250 }; // hundredths

static float table[256];
static int32_t place[VECTORS * LANES];

__attribute__((target("avx2"), noinline)) static __m128 gather_all(void)
{
    __m128 sum = _mm_setzero_ps();
    for (unsigned i = 0; i < VECTORS; i++) {
        __m128i at = _mm_loadu_si128((const void *)(place + i * LANES));
        sum = _mm_add_ps(sum, _mm_i32gather_ps(table, at, 4));
    }
    return sum;
}

__attribute__((target("avx2"), noinline)) static __m128 load_all(void)
{
    __m128 sum = _mm_setzero_ps();
    for (unsigned i = 0; i < VECTORS; i++) {
        __m128i at = _mm_loadu_si128((const void *)(place + i * LANES));
        __asm__("" : "+x"(at)); // indices come from arithmetic, not from memory
        uint64_t a = (uint64_t)_mm_cvtsi128_si64(at), b = (uint64_t)_mm_extract_epi64(at, 1);
        __m128 x = _mm_load_ss(table + (uint32_t)a);
        x = _mm_insert_ps(x, _mm_load_ss(table + (a >> 32)), 0x10);
        x = _mm_insert_ps(x, _mm_load_ss(table + (uint32_t)b), 0x20);
        x = _mm_insert_ps(x, _mm_load_ss(table + (b >> 32)), 0x30);
        sum = _mm_add_ps(sum, x);
    }
    return sum;
}

__attribute__((target("avx2"))) static unsigned measure(void)
{
    uint64_t least[2] = {UINT64_MAX, UINT64_MAX};
    volatile float sink;
    for (unsigned i = 0; i < VECTORS * LANES; i++)
        place[i] = (int32_t)(i * 2654435761u >> 24);
    for (unsigned turn = 0; turn < TURNS; turn++)
        for (unsigned k = 0; k < 2; k++) {
            uint64_t from = __rdtsc();
            __m128 sum = k ? load_all() : gather_all();
            sink = _mm_cvtss_f32(sum);
            uint64_t t = __rdtsc() - from;
            least[k] = t < least[k] ? t : least[k];
        }
    (void)sink;
    return least[0] * 100 < least[1] * BETWEEN ? QUICK : SLOW;
}

static unsigned cost;

static void find(void)
{
    __builtin_cpu_init();
    cost = __builtin_cpu_supports("avx2") ? measure() : 0;
}

unsigned processor_gather_cost(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, find);
    return cost;
}
#else
unsigned processor_gather_cost(void)
{
    return 0;
}
#endif
