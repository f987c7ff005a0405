// SPDX-License-Identifier: Apache-2.0
// Interpolations, as NVIDIA's library was seen to do them: the nearest, linear, cubic, which is the polynomial through four points, and Lanczos of three lobes, whose
// weights are made to add up to 1.
#include "npp/geometry.h"
#include <math.h>

static double sinc(double x)
{
    return x == 0 ? 1 : sin(M_PI * x) / (M_PI * x);
}
static void lanczos(double t, double *w)
{
    double all = 0;
    for (int i = 0; i < 6; i++) {
        double x = t + 2 - i;
        all += w[i] = fabs(x) < 3 ? sinc(x) * sinc(x / 3) : 0;
    }
    for (int i = 0; i < 6; i++)
        w[i] /= all;
}

int npp_interpolate(int mode, double x, int *first, double w[NPP_TAPS])
{
    double base = floor(x), t = x - base;
    switch (mode) {
    case NPPI_INTER_NN:
        *first = (int)floor(x + 0.5);
        w[0] = 1;
        return 1;
    case NPPI_INTER_LINEAR:
        *first = (int)base;
        w[0] = 1 - t;
        w[1] = t;
        return 2;
    case NPPI_INTER_CUBIC:
        *first = (int)base - 1;
        w[0] = -t * (t - 1) * (t - 2) / 6;
        w[1] = (t + 1) * (t - 1) * (t - 2) / 2;
        w[2] = -(t + 1) * t * (t - 2) / 2;
        w[3] = (t + 1) * t * (t - 1) / 6;
        return 4;
    case NPPI_INTER_LANCZOS:
        *first = (int)base - 2;
        lanczos(t, w);
        return 6;
    default:
        return 0;
    }
}

NppiRect npp_intersect(NppiRect r, NppiSize size)
{
    int left = r.x > 0 ? r.x : 0, top = r.y > 0 ? r.y : 0;
    int64_t right = (int64_t)r.x + r.width, bottom = (int64_t)r.y + r.height;
    right = right < size.width ? right : size.width;
    bottom = bottom < size.height ? bottom : size.height;
    return (NppiRect){left, top, right > left ? (int)(right - left) : 0, bottom > top ? (int)(bottom - top) : 0};
}
