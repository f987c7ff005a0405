// SPDX-License-Identifier: Apache-2.0
// See gradient.h. The hardware works with small floats of 10 significant bits, and never squares anything. What
// was found by reading textures whose levels are all of one value:
//  1. The length of a vector is its largest component and 11/32 of the next one and 1/4 of the smallest.
//  2. The footprint is the longest of the two gradients and of 11/16 of their sum and of their difference: the axes of
//     the ellipse and its diagonals.
//  3. Components are cut to 10 bits, products are rounded to 10 or 11, sums cut to 8; a table has the logarithms.
//  4. Before, gradients and extents are cut to 10 bits, and their products get 7/8 added in the last place: a
//  multiplier
//     without its lower columns, of which we know no more.
//  5. In three dimensions and for cube maps the GPU's software takes differences of places first.
// Levels that differ, of 65,536 each and by 1/256 or 2/256: in one dimension none for extents of 24, 37, 1023 and 1024
// and 487 for 1000; in two 12 for 1024 x 1024, 5 for 37 x 23 and 592 for 1000 x 600; in three 145; in cube maps 8 to
// 756.
#include "device/texture/gradient.h"
#include <math.h>

enum { BITS = 9, LOG_BITS = 8, LEVELS_FAR = 1 << 24, SCALE_ROUND = 448 };

static const uint8_t logarithms[1 << LOG_BITS] = {
    // of 1 + i / 256, in 1/256
    // clang-format off
    0, 2, 4, 5, 6, 8, 9, 11, 12, 13, 15, 16, 18, 19, 20, 22, 23, 24, 26, 27, 28, 30, 31, 32, 34, 35, 36, 38, 39, 40,
    42, 43, 44, 45, 47, 48, 49, 50, 52, 53, 54, 55, 57, 58, 59, 60, 62, 63, 64, 65, 66, 68, 69, 70, 71, 72, 74, 75,
    76, 77, 78, 79, 81, 82, 83, 84, 85, 86, 88, 89, 90, 91, 92, 93, 94, 95, 97, 98, 99, 100, 101, 102, 103, 104, 105,
    106, 107, 109, 110, 111, 112, 113, 114, 115, 116, 117, 118, 119, 120, 121, 122, 123, 124, 125, 126, 127, 128, 129,
    130, 131, 132, 133, 135, 136, 137, 137, 138, 139, 140, 141, 142, 143, 144, 145, 146, 147, 148, 149, 150, 151, 152,
    153, 154, 155, 156, 157, 158, 159, 160, 161, 162, 162, 163, 164, 165, 166, 167, 168, 169, 170, 171, 172, 173, 173,
    174, 175, 176, 177, 178, 179, 180, 181, 181, 182, 183, 184, 185, 186, 187, 188, 188, 189, 190, 191, 192, 193, 194,
    195, 195, 196, 197, 198, 199, 200, 200, 201, 202, 203, 204, 205, 205, 206, 207, 208, 209, 210, 210, 211, 212, 213,
    214, 214, 215, 216, 217, 218, 218, 219, 220, 221, 222, 222, 223, 224, 225, 226, 226, 227, 228, 229, 229, 230, 231,
    232, 233, 233, 234, 235, 236, 236, 237, 238, 239, 239, 240, 241, 242, 242, 243, 244, 245, 245, 246, 247, 248, 248,
    249, 250, 251, 251, 252, 253, 253, 254, 255, 255
    // clang-format on
};

// m * 2^(e - 9), with m in [512, 1023]; 0 is m = 0.
struct small {
    int64_t m;
    int e;
};

static struct small small_cut(double x)
{
    struct small s = {0, 0};
    if (x > 0) {
        frexp(x, &s.e);
        s.m = (int64_t)ldexp(x, BITS + 1 - s.e);
        s.e--;
    }
    return s;
}

// factor * s / 2^down, of which `drop` bits are rounded away, half up.
static double small_times(struct small s, int factor, int down, int drop)
{
    return ldexp((double)((factor * s.m + (1 << drop >> 1)) >> drop), s.e - BITS - down + drop);
}

static double cut(double x)
{
    return copysign(small_times(small_cut(fabs(x)), 1, 0, 0), x);
}

double gradient_scale(float d, uint32_t n)
{
    struct small s = small_cut(fabs((double)d)), extent = small_cut(n);
    double product = ldexp((double)((s.m * extent.m + SCALE_ROUND) >> BITS), s.e + extent.e - BITS);
    return cut(copysign(product, d));
}

static void order(struct small *a, struct small *b)
{
    struct small t = *a;
    if (b->m && (!a->m || b->e > a->e || (b->e == a->e && b->m > a->m))) {
        *a = *b;
        *b = t;
    }
}

static double length(const double *v, bool diagonal)
{
    struct small a[3];
    for (int k = 0; k < 3; k++)
        a[k] = small_cut(fabs(v[k]));
    order(&a[0], &a[1]);
    order(&a[1], &a[2]);
    order(&a[0], &a[1]);
    if (!diagonal)
        return small_times(a[0], 1, 0, 0) + small_times(a[1], 11, 5, 3) + small_times(a[2], 1, 2, 0);
    struct small first = small_cut(small_times(a[0], 11, 4, 3));
    return small_times(first, 1, 0, 0) + small_times(a[1], 121, 9, 6) + small_times(a[2], 11, 6, 3);
}

int64_t gradient_level(const double *x, const double *y, bool diagonals)
{
    double sum[3], difference[3];
    for (int k = 0; k < 3; k++) {
        double a = cut(x[k]), b = cut(y[k]);
        sum[k] = a + b;
        difference[k] = a - b;
    }
    double longest = fmax(length(x, false), length(y, false));
    if (diagonals)
        longest = fmax(longest, fmax(length(sum, true), length(difference, true)));
    if (!(longest > 0))
        return -LEVELS_FAR;
    if (isinf(longest))
        return LEVELS_FAR;
    int e;
    double m = frexp(longest, &e) * 2 - 1;
    return (int64_t)(e - 1) * 256 + logarithms[(int)ldexp(m, LOG_BITS)];
}
