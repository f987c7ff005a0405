// SPDX-License-Identifier: Apache-2.0
// Sizes: their prime factors, how they are cut in two, and roots of unity.
#ifndef HEDDLE_CUFFT_ENGINE_NUMBER_H
#define HEDDLE_CUFFT_ENGINE_NUMBER_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The largest prime that is a radix. Above it Bluestein's algorithm is cheaper than a pass of p^2 multiplications.
enum { FFT_MAX_RADIX = 31, FFT_MAX_FACTORS = 64 };

bool number_smooth(uint64_t n);
// The radices of a chain of passes for a smooth n: 8, 4 and 2, then odd primes. Gives how many.
unsigned number_radices(uint64_t n, unsigned radix[FFT_MAX_FACTORS]);
// The divisor of a smooth n that is best as the first factor of n = d (n / d): near `want`, both parts multiples of `lanes` where
// that can be had.
uint64_t number_split(uint64_t n, double want, unsigned lanes);
// The smallest product of 2, 3 and 5, with many 2s, that is at least n.
uint64_t number_good_size(uint64_t n);

// exp(-2 pi i m / n), each component rounded once or nearly: angles are brought to the first octant as fractions.
void root_of_unity(uint64_t m, uint64_t n, double *re, double *im);

// The same for many m: a product of two entries of tables of about sqrt(n).
struct roots {
    uint64_t n, mask;
    unsigned shift;
    double *low, *high;
};

bool roots_init(struct roots *r, uint64_t n);
void roots_fini(struct roots *r);
static inline void roots_get(const struct roots *r, uint64_t m, double *re, double *im)
{
    const double *a = r->low + 2 * (m & r->mask), *b = r->high + 2 * (m >> r->shift);
    *re = a[0] * b[0] - a[1] * b[1];
    *im = a[0] * b[1] + a[1] * b[0];
}
#endif
