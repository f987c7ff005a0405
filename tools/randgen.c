// SPDX-License-Identifier: Apache-2.0
// Writes heddle/curand/jump_tables.h: what curand_kernel.h needs to skip ahead. A generator whose step is a linear map
// T reaches its state n steps later as p(T), where p is x^n modulo the characteristic polynomial of T; p has few
// coefficients where T^n is a large matrix, and p(T) is made by stepping. The polynomials are found here from the
// generators alone.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

// XORWOW without its counter: 160 bits, coefficients modulo 2.
enum { BITS = 160, WORDS = 5 };
struct bits {
    uint32_t w[WORDS];
};
static struct bits modulus; // the characteristic polynomial without its leading coefficient

static unsigned get(const struct bits *p, int i)
{
    return p->w[i / 32] >> (i % 32) & 1;
}
static void flip(struct bits *p, const struct bits *q)
{
    for (int i = 0; i < WORDS; i++)
        p->w[i] ^= q->w[i];
}
static void times_x(struct bits *p)
{
    unsigned top = get(p, BITS - 1);
    for (int i = WORDS - 1; i > 0; i--)
        p->w[i] = p->w[i] << 1 | p->w[i - 1] >> 31;
    p->w[0] <<= 1;
    if (top)
        flip(p, &modulus);
}
static struct bits multiply(struct bits a, const struct bits *b)
{
    struct bits product = {{0}};
    for (int i = 0; i < BITS; i++) {
        if (get(b, i))
            flip(&product, &a);
        times_x(&a);
    }
    return product;
}
static void xorwow_step(uint32_t v[WORDS])
{
    uint32_t t = v[0] ^ v[0] >> 2;
    memmove(v, v + 1, (WORDS - 1) * sizeof(*v));
    v[4] = v[3] ^ v[3] << 4 ^ t ^ t << 1;
}
// Berlekamp and Massey's algorithm on one bit of the sequence, which has the whole map's polynomial since that is
// irreducible.
static int find_modulus(void)
{
    unsigned char s[2 * BITS], c[2 * BITS + 1] = {1}, b[2 * BITS + 1] = {1}, t[2 * BITS + 1];
    uint32_t v[WORDS] = {1, 2, 3, 4, 5};
    int length = 0, since = 1;
    for (int i = 0; i < 2 * BITS; i++) {
        s[i] = v[4] & 1;
        xorwow_step(v);
    }
    for (int n = 0; n < 2 * BITS; n++) {
        unsigned d = s[n];
        for (int i = 1; i <= length; i++)
            d ^= c[i] & s[n - i];
        if (!d) {
            since++;
            continue;
        }
        memcpy(t, c, sizeof(c));
        for (int i = 0; i + since <= 2 * BITS; i++)
            c[i + since] ^= b[i];
        if (2 * length <= n) {
            length = n + 1 - length;
            memcpy(b, t, sizeof(b));
            since = 1;
        } else {
            since++;
        }
    }
    for (int i = 0; i < BITS; i++)
        modulus.w[i / 32] |= (uint32_t)c[BITS - i] << (i % 32);
    return length;
}
static void print_bits(const struct bits *p)
{
    printf("    {");
    for (int i = 0; i < WORDS; i++)
        printf("%s0x%08xu", i ? ", " : "", (unsigned)p->w[i]);
    printf("},\n");
}
static void print_xorwow(void)
{
    printf("// x^(digit * 16^place) and x^(digit * 16^place * 2^67) modulo XORWOW's polynomial, digits from 1 to 15.\n"
           "HEDDLE_CURAND_TABLE unsigned int heddle_xorwow_jump[2 * 16 * 15][5] = {\n");
    struct bits base = {{2}};
    for (int kind = 0; kind < 2; kind++) {
        struct bits step = base;
        for (int place = 0; place < 16; place++) {
            struct bits p = step;
            for (int digit = 1; digit < 16; digit++) {
                print_bits(&p);
                p = multiply(p, &step);
            }
            step = p;
        }
        for (int i = 0; i < 67; i++)
            base = multiply(base, &base);
    }
    printf("};\n");
}

// MRG32k3a: two recurrences of three terms, x^3 = c2 x^2 + c1 x + c0 modulo a prime.
struct terms {
    uint64_t c[3];
};
static const uint64_t primes[2] = {4294967087u, 4294944443u};
static const struct terms cubes[2] = {{{4294967087u - 810728u, 1403580u, 0}}, {{4294944443u - 1370589u, 0, 527612u}}};

static struct terms terms_multiply(struct terms a, struct terms b, int which)
{
    uint64_t m = primes[which], p[5] = {0};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            p[i + j] = (p[i + j] + a.c[i] * b.c[j] % m) % m;
    for (int i = 4; i > 2; i--)
        for (int j = 0; j < 3; j++)
            p[i - 3 + j] = (p[i - 3 + j] + p[i] * cubes[which].c[j] % m) % m;
    return (struct terms){{p[0], p[1], p[2]}};
}
static void print_mrg(void)
{
    static const int apart[3] = {0, 76, 127};
    printf("// x^(2^bit), x^(2^(76 + bit)) and x^(2^(127 + bit)) modulo MRG32k3a's two polynomials.\n"
           "HEDDLE_CURAND_TABLE unsigned int heddle_mrg_jump[3 * 64][2][3] = {\n");
    for (int kind = 0; kind < 3; kind++) {
        struct terms p[2] = {{{0, 1, 0}}, {{0, 1, 0}}};
        for (int bit = 0; bit < apart[kind] + 64; bit++) {
            if (bit >= apart[kind])
                printf("    {{%uu, %uu, %uu}, {%uu, %uu, %uu}},\n", (unsigned)p[0].c[0], (unsigned)p[0].c[1],
                       (unsigned)p[0].c[2], (unsigned)p[1].c[0], (unsigned)p[1].c[1], (unsigned)p[1].c[2]);
            for (int w = 0; w < 2; w++)
                p[w] = terms_multiply(p[w], p[w], w);
        }
    }
    printf("};\n");
}

int main(void)
{
    if (find_modulus() != BITS) {
        fprintf(stderr, "randgen: XORWOW's polynomial has not the expected degree\n");
        return 1;
    }
    printf("// Made by tools/randgen.c: polynomials that skip ahead.\n"
           "#ifndef HEDDLE_CURAND_JUMP_TABLES_H\n#define HEDDLE_CURAND_JUMP_TABLES_H\n"
           "#if defined(__CUDA_ARCH__)\n#define HEDDLE_CURAND_TABLE static __device__ const\n"
           "#else\n#define HEDDLE_CURAND_TABLE static const\n#endif\n");
    print_xorwow();
    print_mrg();
    printf("#undef HEDDLE_CURAND_TABLE\n#endif\n");
    return fflush(stdout) || ferror(stdout);
}
