// SPDX-License-Identifier: Apache-2.0
#include "cufft/engine/number.h"
#include <math.h>
#include <stdlib.h>

// --- factors ---

bool number_smooth(uint64_t n)
{
    for (unsigned p = 2; p <= FFT_MAX_RADIX; p++)
        while (n % p == 0)
            n /= p;
    return n == 1;
}

unsigned number_radices(uint64_t n, unsigned radix[FFT_MAX_FACTORS])
{
    unsigned count = 0;
    for (; n % 8 == 0; n /= 8)
        radix[count++] = 8;
    for (; n % 4 == 0; n /= 4)
        radix[count++] = 4;
    if (n % 2 == 0) {
        radix[count++] = 2;
        n /= 2;
    }
    // 8 and 2 cost more than 4 and 4.
    if (count > 1 && radix[count - 1] == 2 && radix[count - 2] == 8)
        radix[count - 1] = radix[count - 2] = 4;
    for (unsigned p = 3; n > 1; p += 2)
        for (; n % p == 0; n /= p)
            radix[count++] = p;
    return count;
}

// How far a cut is from the wanted one, in factors, and how many lanes are idle in each part.
static double split_cost(uint64_t a, uint64_t b, double want, unsigned lanes)
{
    double off = fabs(log((double)a / want));
    double idle = 0;
    for (int i = 0; i < 2; i++) {
        double n = (double)(i ? b : a), whole = ceil(n / lanes) * lanes;
        idle += whole / n - 1;
    }
    return idle + 0.5 * off;
}

struct split {
    uint64_t n, best;
    double want, cost;
    unsigned lanes, primes;
    uint64_t prime[FFT_MAX_FACTORS];
};

static void split_try(struct split *s, uint64_t d, unsigned at)
{
    double cost = split_cost(d, s->n / d, s->want, s->lanes);
    if (cost < s->cost) {
        s->cost = cost;
        s->best = d;
    }
    for (unsigned i = at; i < s->primes; i++)
        if (i == at || s->prime[i] != s->prime[i - 1])
            split_try(s, d * s->prime[i], i + 1);
}

uint64_t number_split(uint64_t n, double want, unsigned lanes)
{
    struct split s = {.n = n, .best = 1, .want = want, .lanes = lanes, .cost = INFINITY};
    uint64_t rest = n;
    for (unsigned p = 2; p <= FFT_MAX_RADIX; p++)
        for (; rest % p == 0; rest /= p)
            s.prime[s.primes++] = p;
    split_try(&s, 1, 0);
    return s.best;
}

uint64_t number_good_size(uint64_t n)
{
    uint64_t best = 1;
    while (best < n)
        best *= 2;
    uint64_t odd[] = {3, 5, 9, 15, 25, 27, 45, 75, 81, 125, 135, 225};
    for (unsigned i = 0; i < sizeof odd / sizeof *odd; i++) {
        uint64_t size = odd[i];
        while (size < n)
            size *= 2;
        // Three quarters of the work must at least be in powers of 2: 16 or more of them.
        if (size < best && size / odd[i] >= 16)
            best = size;
    }
    return best;
}

// --- roots of unity ---

void root_of_unity(uint64_t m, uint64_t n, double *re, double *im)
{
    // Eighths: an angle of a / (8 n) turns, a < 8 n. Sizes are below 2^60.
    uint64_t a = 8 * (m % n);
    bool lower = a > 4 * n;
    if (lower)
        a = 8 * n - a;
    bool left = a > 2 * n;
    if (left)
        a = 4 * n - a;
    bool steep = a > n;
    if (steep)
        a = 2 * n - a;
    double angle = 2 * 3.141592653589793238462643383279502884 * (double)a / (8 * (double)n);
    double c = cos(angle), s = sin(angle);
    if (steep) {
        double t = c;
        c = s, s = t;
    }
    *re = left ? -c : c;
    *im = lower ? s : -s;
}

bool roots_init(struct roots *r, uint64_t n)
{
    r->n = n;
    r->shift = 1;
    while (((uint64_t)1 << (2 * r->shift)) < n)
        r->shift++;
    r->mask = ((uint64_t)1 << r->shift) - 1;
    uint64_t highs = (n >> r->shift) + 1;
    r->low = malloc(sizeof(double) * 2 * (r->mask + 1));
    r->high = malloc(sizeof(double) * 2 * highs);
    if (!r->low || !r->high) {
        roots_fini(r);
        return false;
    }
    for (uint64_t i = 0; i <= r->mask; i++)
        root_of_unity(i, n, r->low + 2 * i, r->low + 2 * i + 1);
    for (uint64_t i = 0; i < highs; i++)
        root_of_unity(i << r->shift, n, r->high + 2 * i, r->high + 2 * i + 1);
    return true;
}

void roots_fini(struct roots *r)
{
    free(r->low);
    free(r->high);
    r->low = r->high = NULL;
}
