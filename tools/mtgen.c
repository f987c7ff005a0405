// SPDX-License-Identifier: Apache-2.0
// Writes the polynomials by which libcurand finds the sequences of MT19937: sequence k begins k * 2^2048 steps after
// the seed, and x^n modulo the characteristic polynomial says which words of the seed's own sequence add up to the
// state n steps later. With g = x^(2^2048) the file holds g^0 to g^63 and then g^0, g^64, ... g^(127 * 64), as 624
// words of 32 coefficients each, the lowest first.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEGREE = 19937, WORDS = 312, TERMS_MAX = 1024, N = 624, M = 397, STEPS = 64, LEAPS = 128 };

struct poly {
    uint64_t w[WORDS];
};
static int terms[TERMS_MAX], term_count; // of the characteristic polynomial, without the leading one

static unsigned get(const uint64_t *w, int i)
{
    return w[i / 64] >> (i % 64) & 1;
}
// to ^= word * x^at
static void add_word(uint64_t *to, uint64_t word, int at)
{
    to[at / 64] ^= word << (at % 64);
    if (at % 64)
        to[at / 64 + 1] ^= word >> (64 - at % 64);
}
// Berlekamp and Massey's algorithm on the lowest bit of the words, whose polynomial is the whole map's. The first word
// has 31 bits that the next ones do not depend on, and is left out.
static int find_terms(void)
{
    enum { SPAN = WORDS + 1 };
    static uint64_t c[2 * SPAN], b[2 * SPAN], t[2 * SPAN], recent[SPAN];
    static uint32_t x[2 * DEGREE + N + 1];
    int length = 0, since = 1;
    for (int i = 0; i < N; i++)
        x[i] = i ? 1812433253u * (x[i - 1] ^ x[i - 1] >> 30) + (uint32_t)i : 5489;
    for (int i = N; i <= 2 * DEGREE + N; i++) {
        uint32_t y = (x[i - N] & 0x80000000u) | (x[i - N + 1] & 0x7fffffffu);
        x[i] = x[i - N + M] ^ y >> 1 ^ (y & 1 ? 0x9908b0dfu : 0);
    }
    c[0] = b[0] = 1;
    for (int n = 0; n < 2 * DEGREE; n++) {
        uint64_t sum = 0;
        for (int i = SPAN - 1; i > 0; i--)
            recent[i] = recent[i] << 1 | recent[i - 1] >> 63;
        recent[0] = recent[0] << 1 | (x[n + 1] & 1);
        for (int i = 0; i < SPAN; i++)
            sum ^= recent[i] & c[i];
        for (int half = 32; half; half /= 2)
            sum ^= sum >> half;
        if (!(sum & 1)) {
            since++;
            continue;
        }
        memcpy(t, c, sizeof(c));
        for (int i = 0; i < SPAN && i * 64 + since < DEGREE + 64; i++)
            add_word(c, b[i], i * 64 + since);
        if (2 * length <= n) {
            length = n + 1 - length;
            memcpy(b, t, sizeof(b));
            since = 1;
        } else {
            since++;
        }
    }
    for (int i = 1; i <= DEGREE; i++)
        if (get(c, i) && term_count < TERMS_MAX)
            terms[term_count++] = DEGREE - i;
    return length;
}
// The 2 * WORDS words of a modulo the characteristic polynomial. No term is within 64 of the leading one.
static struct poly reduce(uint64_t *a)
{
    struct poly r;
    for (int i = 2 * WORDS - 1; i >= DEGREE / 64; i--) {
        uint64_t high = i == DEGREE / 64 ? a[i] >> (DEGREE % 64) << (DEGREE % 64) : a[i];
        a[i] ^= high;
        for (int k = 0; high && k < term_count; k++) {
            int at = i * 64 - DEGREE + terms[k];
            if (at >= 0)
                add_word(a, high, at);
            else
                a[0] ^= high >> -at;
        }
    }
    memcpy(r.w, a, sizeof(r.w));
    return r;
}
static struct poly multiply(const struct poly *p, const struct poly *q)
{
    uint64_t a[2 * WORDS + 1] = {0};
    for (int shift = 63; shift >= 0; shift--) {
        for (int i = 2 * WORDS; i > 0; i--)
            a[i] = a[i] << 1 | a[i - 1] >> 63;
        a[0] <<= 1;
        for (int i = 0; i < WORDS; i++)
            if (p->w[i] >> shift & 1)
                for (int k = 0; k < WORDS; k++)
                    a[i + k] ^= q->w[k];
    }
    return reduce(a);
}
static struct poly square(const struct poly *p)
{
    uint64_t a[2 * WORDS + 1] = {0};
    for (int i = 0; i < DEGREE; i++)
        if (get(p->w, i))
            a[i / 32] |= 1ull << (i % 32 * 2);
    return reduce(a);
}
static void print(const struct poly *p)
{
    for (int i = 0; i < WORDS; i++) {
        uint32_t halves[2] = {(uint32_t)p->w[i], (uint32_t)(p->w[i] >> 32)};
        fwrite(halves, sizeof(halves), 1, stdout);
    }
}
int main(void)
{
    if (find_terms() != DEGREE || terms[0] > DEGREE - 64) {
        fprintf(stderr, "mtgen: MT19937's polynomial is not the expected one\n");
        return 1;
    }
    struct poly one = {{1}}, g = {{2}};
    for (int i = 0; i < 2048; i++)
        g = square(&g);
    for (int kind = 0; kind < 2; kind++) {
        struct poly p = one;
        for (int i = 0; i < (kind ? LEAPS : STEPS); i++) {
            print(&p);
            p = multiply(&p, &g);
        }
        g = p; // g^64
    }
    return fflush(stdout) || ferror(stdout);
}
