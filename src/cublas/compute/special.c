// SPDX-License-Identifier: Apache-2.0
// Code for instructions that some processors of an architecture have and others lack, for single types.
#include "cublas/compute/product.h"
#if defined(__aarch64__)
#include <sys/auxv.h>
#elif defined(__x86_64__)
#include <cpuid.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

#if defined(__aarch64__)
// Bits of HWCAP, and of HWCAP2 behind them. The kernel's headers may be older than the processor.
enum { DOTPROD = 1 << 20 };
#define I8MM (1ull << (32 + 13))
#define BF16 (1ull << (32 + 14))
const struct product_special product_specials[] = {
    {"i8mm", PRODUCT_I, I8MM, product_I_i8mm},          {"i8mm", PRODUCT_IF, I8MM, product_IF_i8mm},
    {"dotprod", PRODUCT_I, DOTPROD, product_I_dotprod}, {"dotprod", PRODUCT_IF, DOTPROD, product_IF_dotprod},
    {"bf16", PRODUCT_B, BF16, product_B_bf16},          {0},
};

static uint64_t features(void)
{
    return (uint32_t)getauxval(AT_HWCAP) | (uint64_t)getauxval(AT_HWCAP2) << 32;
}
#elif defined(__x86_64__)
enum { AVX512_VNNI = 1, AVX_VNNI = 2, AVX512_BF16 = 4, AMX = 8 };
const struct product_special product_specials[] = {
    {"amx", PRODUCT_I, AMX, product_I_amx},
    {"amx", PRODUCT_IF, AMX, product_IF_amx},
    {"amx", PRODUCT_B, AMX, product_B_amx},
    {"avx512vnni", PRODUCT_I, AVX512_VNNI, product_I_avx512_vnni},
    {"avx512vnni", PRODUCT_IF, AVX512_VNNI, product_IF_avx512_vnni},
    {"avx512bf16", PRODUCT_B, AVX512_BF16, product_B_avx512_bf16},
    {"avxvnni", PRODUCT_I, AVX_VNNI, product_I_avx_vnni},
    {"avxvnni", PRODUCT_IF, AVX_VNNI, product_IF_avx_vnni},
    {0},
};

// Whether Linux lets the process use tiles, which it has to be asked for.
static bool has_tiles(void)
{
    enum { REQUEST = 0x1023, TILE_DATA = 18 }; // ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA
    return syscall(SYS_arch_prctl, REQUEST, TILE_DATA) == 0;
}

static uint64_t features(void)
{
    enum { BIT_VNNI = 1 << 11, BIT_TILES = 1 << 22 | 1 << 24 | 1 << 25, BIT_AVX_VNNI = 1 << 4, BIT_BF16 = 1 << 5 };
    unsigned a, b, c, d, more, none[3];
    __builtin_cpu_init();
    if (!__get_cpuid_count(7, 0, &a, &b, &c, &d) || !__get_cpuid_count(7, 1, &more, &none[0], &none[1], &none[2]))
        return 0;
    uint64_t f = more & BIT_AVX_VNNI && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? AVX_VNNI : 0;
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512dq"))
        f |= (c & BIT_VNNI ? AVX512_VNNI : 0) | (more & BIT_BF16 ? AVX512_BF16 : 0) |
             ((d & BIT_TILES) == BIT_TILES && has_tiles() ? AMX : 0);
    return f;
}
#else
const struct product_special product_specials[] = {{0}};

static uint64_t features(void)
{
    return 0;
}
#endif

bool product_special_runs(const struct product_special *s)
{
    return (features() & s->needs) == s->needs;
}
