// SPDX-License-Identifier: Apache-2.0
// See processor.h. Both forms run by turns on data in the first cache, a microsecond in all, and the least times count: what interrupts
// only ever adds. They differ by a factor of two and more either way, far from where noise could decide.
#include "base/cpu/processor.h"
#include <pthread.h>
#include <stdint.h>
#ifdef __x86_64__
#include <immintrin.h>

enum { TURNS = 8, VECTORS = 16, LANES = 8 };

static float table[256];
static int32_t place[VECTORS * LANES];

__attribute__((target("avx2"), noinline)) static __m256 gather_all(void)
{
    __m256 sum = _mm256_setzero_ps();
    for (unsigned i = 0; i < VECTORS; i++) {
        __m256i at = _mm256_loadu_si256((const void *)(place + i * LANES));
        sum = _mm256_add_ps(sum, _mm256_i32gather_ps(table, at, 4));
    }
    return sum;
}

// Four words that two pairs of indices name.
__attribute__((target("avx2"), always_inline)) static inline __m128 load_four(uint64_t a, uint64_t b)
{
    __m128 x = _mm_load_ss(table + (uint32_t)a);
    x = _mm_insert_ps(x, _mm_load_ss(table + (a >> 32)), 0x10);
    x = _mm_insert_ps(x, _mm_load_ss(table + (uint32_t)b), 0x20);
    return _mm_insert_ps(x, _mm_load_ss(table + (b >> 32)), 0x30);
}

__attribute__((target("avx2"), noinline)) static __m256 load_all(void)
{
    __m256 sum = _mm256_setzero_ps();
    for (unsigned i = 0; i < VECTORS; i++) {
        __m256i at = _mm256_loadu_si256((const void *)(place + i * LANES));
        __asm__("" : "+x"(at)); // indices come from arithmetic, not from memory
        __m128i low = _mm256_castsi256_si128(at), high = _mm256_extracti128_si256(at, 1);
        __m128 a = load_four((uint64_t)_mm_cvtsi128_si64(low), (uint64_t)_mm_extract_epi64(low, 1));
        __m128 b = load_four((uint64_t)_mm_cvtsi128_si64(high), (uint64_t)_mm_extract_epi64(high, 1));
        sum = _mm256_add_ps(sum, _mm256_set_m128(b, a));
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
            __m256 sum = k ? load_all() : gather_all();
            sink = _mm256_cvtss_f32(sum);
            uint64_t t = __rdtsc() - from;
            least[k] = t < least[k] ? t : least[k];
        }
    (void)sink;
    return least[1] ? (unsigned)(least[0] * 100 / least[1]) + 1 : 1;
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
