// SPDX-License-Identifier: Apache-2.0
// Products of matrices (device/matrix/multiply.h): every kind of code that this processor runs gives the same bits as sums one by
// one, for random bits in all types and shapes.
#include "device/matrix/matrix.h"
#include "test.h"
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#ifdef __aarch64__
#include <asm/hwcap.h>
#include <sys/auxv.h>
#endif

static uint64_t state = 88172645463325252u;

static uint32_t random_bits(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 16);
}

static float float_of(uint32_t b)
{
    float f;
    memcpy(&f, &b, sizeof f);
    return f;
}

// Element i of consecutive elements, in double: all of these types fit.
static double element(enum matrix_type t, const void *p, unsigned i)
{
    uint16_t h = t == MATRIX_F16 || t == MATRIX_BF16 ? ((const uint16_t *)p)[i] : 0;
    uint8_t b = matrix_element_bytes(t) == 1 ? ((const uint8_t *)p)[i] : 0;
    if (t == MATRIX_E5M2)
        h = (uint16_t)(b << 8), t = MATRIX_F16;
    int e;
    double v;
    switch (t) {
    case MATRIX_F16:
        e = h >> 10 & 31;
        v = e == 31 ? (h & 1023 ? (double)NAN : (double)INFINITY)
            : e     ? ldexp(1024 + (h & 1023), e - 25)
                    : ldexp(h & 1023, -24);
        return h & 0x8000 ? -v : v;
    case MATRIX_BF16:
        return float_of((uint32_t)h << 16);
    case MATRIX_TF32:
        return float_of(((const uint32_t *)p)[i] & 0xffffe000u);
    case MATRIX_F32:
        return ((const float *)p)[i];
    case MATRIX_F64:
        return ((const double *)p)[i];
    case MATRIX_S8:
        return (int8_t)b;
    case MATRIX_U8:
        return b;
    case MATRIX_E4M3:
        e = b >> 3 & 15;
        v = (b & 127) == 127 ? (double)NAN : e ? ldexp(8 + (b & 7), e - 10) : ldexp(b & 7, -9);
        return b & 128 ? -v : v;
    default:
        return ((const int32_t *)p)[i];
    }
}

// Where element (i, j) of A, B or C is among the elements of its fragment.
static unsigned place(const struct matrix_op *o, enum matrix_role role, unsigned i, unsigned j)
{
    enum matrix_type t = role == MATRIX_A ? o->a : role == MATRIX_B ? o->b : o->c;
    unsigned size = matrix_element_bytes(t), p = t == MATRIX_F64 ? 1 : 4 / size;
    if (o->action == MATRIX_WMMA) {
        if (role == MATRIX_B && size == 1)
            return (i / 4 * o->n + j) * 4 + i % 4;
        return i * (role == MATRIX_A ? o->k : o->n) + j;
    }
    unsigned halves = o->m / 8, word, lane, e;
    if (role == MATRIX_A)
        word = j / (4 * p) * halves + i / 8, lane = i % 8 * 4 + j / p % 4, e = j % p;
    else if (role == MATRIX_B)
        word = i / (4 * p), lane = j * 4 + i / p % 4, e = i % p;
    else if (size == 2)
        word = i / 8, lane = i % 8 * 4 + j / 2, e = j % 2;
    else
        word = i / 8 * 2 + j % 2, lane = i % 8 * 4 + j / 2, e = 0;
    return (word * 32 + lane) * p + e;
}

static bool same(const struct matrix_op *o, const void *out, unsigned at, double sum)
{
    double got = element(o->d, out, at);
    if (sum != sum)
        return got != got;
    if (o->d != MATRIX_F16)
        return got == sum && signbit(got) == signbit(sum);
    // rounded to a half: the nearest, and of two the even one
    uint16_t bits = ((const uint16_t *)out)[at], below = (uint16_t)(bits - 1), above = (uint16_t)(bits + 1);
    if (fabs(sum) >= 65520)
        return isinf(got) && (got < 0) == (sum < 0);
    double distance = fabs(got - sum);
    if (isinf(got) || signbit(got) != signbit(sum))
        return false;
    double other = (bits & 0x7fff) == 0x7bff ? (double)INFINITY : fabs(element(MATRIX_F16, &above, 0) - sum);
    if ((bits & 0x7fff) != 0)
        other = fmin(other, fabs(element(MATRIX_F16, &below, 0) - sum));
    return distance < other || (distance == other && !(bits & 1));
}

static bool check(matrix_multiply_fn *multiply, const struct matrix_op *o, const uint32_t *in)
{
    static _Alignas(64) uint32_t out[32 * 32];
    unsigned word = o->a == MATRIX_F64 ? 2 : 1, halves = o->m / 8;
    unsigned chunks = o->k * matrix_element_bytes(o->a) / 16;
    if (o->a == MATRIX_F64)
        chunks = o->k / 4;
    bool mma = o->action == MATRIX_MMA;
    const uint32_t *b = in + 32 * word * (mma ? chunks * halves : matrix_words(o->m * o->k, o->a));
    const uint32_t *c = b + 32 * word * (mma ? chunks : matrix_words(o->k * o->n, o->b));
    memset(out, 0xa5, sizeof out);
    multiply(o, in, out);
    bool ok = true;
    struct matrix_op d = *o;
    d.c = o->d;
    for (unsigned i = 0; i < o->m; i++)
        for (unsigned j = 0; j < o->n; j++) {
            double s = element(o->c, c, place(o, MATRIX_C, i, j));
            float f = (float)s;
            int64_t whole = (int64_t)(o->d == MATRIX_S32 ? s : 0);
            for (unsigned k = 0; k < o->k; k++) {
                double x = element(o->a, in, place(o, MATRIX_A, i, k)), y = element(o->b, b, place(o, MATRIX_B, k, j));
                if (o->d == MATRIX_S32)
                    whole += (int64_t)(x * y);
                else if (o->d == MATRIX_F64)
                    s = fma(x, y, s);
                else
                    f = fmaf((float)x, (float)y, f);
            }
            if (o->d == MATRIX_S32 && o->sat)
                whole = whole > INT32_MAX ? INT32_MAX : whole < INT32_MIN ? INT32_MIN : whole;
            double want = o->d == MATRIX_S32 ? (double)(int32_t)(uint32_t)(uint64_t)whole : o->d == MATRIX_F64 ? s : f;
            ok &= same(o, out, place(&d, MATRIX_C, i, j), want);
        }
    return ok;
}

// Any bits, or numbers near one another so that sums are not all infinite.
static void fill(uint32_t *in, unsigned n, enum matrix_type t, bool any)
{
    for (unsigned i = 0; i < n; i++) {
        in[i] = random_bits();
        if (any)
            continue;
        if (t == MATRIX_F16)
            in[i] = (in[i] & 0xbfffbfffu) | 0x20002000u;
        else if (t == MATRIX_BF16)
            in[i] = (in[i] & 0x83ff83ffu) | 0x3c003c00u;
        else if (t == MATRIX_TF32)
            in[i] = (in[i] & 0x83ffffffu) | 0x3c000000u;
        else if (t == MATRIX_F64 && i % 2)
            in[i] = (in[i] & 0x800fffffu) | 0x3fe00000u;
        else if (t == MATRIX_E4M3 || t == MATRIX_E5M2)
            in[i] &= 0xbfbfbfbfu;
    }
}

static void run(matrix_multiply_fn *multiply, const char *name, struct matrix_op o)
{
    static _Alignas(64) uint32_t in[64 * 32];
    bool ok = true;
    for (int round = 0; round < 20; round++) {
        fill(in, 64 * 32, o.a, round % 2);
        if (o.c == MATRIX_F32 && round % 2 == 0) // C as well
            for (unsigned i = 0; i < 64 * 32; i++)
                if (o.a == MATRIX_F16)
                    in[i] = (in[i] & 0xbfffbfffu) | 0x20002000u;
        ok &= check(multiply, &o, in);
    }
    if (!ok)
        fprintf(stderr, "%s: action %d m%un%uk%u types %d %d %d %d sat %d\n", name, o.action, o.m, o.n, o.k, o.a, o.b,
                o.c, o.d, o.sat);
    CHECK(ok);
}

static void run_all(matrix_multiply_fn *f, const char *name)
{
    static const enum matrix_type sums[][2] = {
        {MATRIX_F32, MATRIX_F32}, {MATRIX_F16, MATRIX_F16}, {MATRIX_F16, MATRIX_F32}};
    for (unsigned i = 0; i < 3; i++) {
        enum matrix_type c = sums[i][0], d = sums[i][1], h = MATRIX_F16;
        run(f, name,
            (struct matrix_op){.action = MATRIX_MMA, .m = 16, .n = 8, .k = 16, .a = h, .b = h, .c = c, .d = d});
        run(f, name, (struct matrix_op){.action = MATRIX_MMA, .m = 16, .n = 8, .k = 8, .a = h, .b = h, .c = c, .d = d});
        run(f, name,
            (struct matrix_op){.action = MATRIX_WMMA, .m = 16, .n = 16, .k = 16, .a = h, .b = h, .c = c, .d = d});
        run(f, name,
            (struct matrix_op){.action = MATRIX_WMMA, .m = 8, .n = 32, .k = 16, .a = h, .b = h, .c = c, .d = d});
    }
    static const enum matrix_type eight[] = {MATRIX_E4M3, MATRIX_E5M2};
    for (unsigned i = 0; i < 4; i++)
        run(f, name,
            (struct matrix_op){.action = MATRIX_MMA,
                               .m = 16,
                               .n = 8,
                               .k = 32,
                               .a = eight[i % 2],
                               .b = eight[i / 2],
                               .c = MATRIX_F32,
                               .d = MATRIX_F32});
    struct matrix_op bf16 = {.a = MATRIX_BF16, .b = MATRIX_BF16, .c = MATRIX_F32, .d = MATRIX_F32, .k = 16};
    struct matrix_op tf32 = {.a = MATRIX_TF32, .b = MATRIX_TF32, .c = MATRIX_F32, .d = MATRIX_F32, .k = 8};
    for (unsigned k = 1; k <= 2; k++) {
        struct matrix_op x = bf16, y = tf32, z = {.a = MATRIX_F64, .b = MATRIX_F64, .c = MATRIX_F64, .d = MATRIX_F64};
        x.m = y.m = 16, x.n = y.n = 8, x.k = 8 * k, y.k = 4 * k;
        run(f, name, x);
        run(f, name, y);
        for (z.m = 8 * k, z.n = 8, z.k = 4; z.k <= (k == 1 ? 4 : 16); z.k *= 2)
            run(f, name, z);
    }
    bf16.action = tf32.action = MATRIX_WMMA;
    bf16.m = tf32.m = bf16.n = tf32.n = 16;
    run(f, name, bf16);
    run(f, name, tf32);
    bf16.m = 8, bf16.n = 32;
    run(f, name, bf16);
    run(f, name,
        (struct matrix_op){.action = MATRIX_WMMA,
                           .m = 8,
                           .n = 8,
                           .k = 4,
                           .a = MATRIX_F64,
                           .b = MATRIX_F64,
                           .c = MATRIX_F64,
                           .d = MATRIX_F64});
    for (unsigned i = 0; i < 8; i++) {
        struct matrix_op o = {.a = i & 1 ? MATRIX_U8 : MATRIX_S8,
                              .b = i & 2 ? MATRIX_U8 : MATRIX_S8,
                              .c = MATRIX_S32,
                              .d = MATRIX_S32,
                              .sat = i & 4};
        o.action = MATRIX_MMA, o.m = 16, o.n = 8, o.k = 32;
        run(f, name, o);
        o.k = 16;
        run(f, name, o);
        o.m = 8;
        run(f, name, o);
        o.action = MATRIX_WMMA, o.m = o.n = 16;
        run(f, name, o);
        o.m = 8, o.n = 32;
        run(f, name, o);
    }
}

int main(void)
{
    run_all(matrix_multiply_plain, "plain");
#ifdef __x86_64__
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("f16c"))
        run_all(matrix_multiply_avx2, "avx2");
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("f16c") &&
        matrix_has_avxvnni())
        run_all(matrix_multiply_avxvnni, "avxvnni");
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq"))
        run_all(matrix_multiply_avx512, "avx512");
    if (__builtin_cpu_supports("avx512vnni") && __builtin_cpu_supports("avx512bw"))
        run_all(matrix_multiply_vnni, "vnni");
#endif
#if defined(__aarch64__) && defined(HWCAP_ASIMDDP)
    if (getauxval(AT_HWCAP) & HWCAP_ASIMDDP)
        run_all(matrix_multiply_dotprod, "dotprod");
#endif
#if defined(__aarch64__) && defined(HWCAP2_I8MM)
    if (getauxval(AT_HWCAP2) & HWCAP2_I8MM && getauxval(AT_HWCAP) & HWCAP_ASIMDFHM)
        run_all(matrix_multiply_i8mm, "i8mm");
#endif
    return test_summary();
}
