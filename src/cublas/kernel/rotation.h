// SPDX-License-Identifier: Apache-2.0
// A template of number.h: rotations in one type.
// What converts one type is nothing for another: NOLINTBEGIN(readability-redundant-casting)
#ifndef HEDDLE_CUBLAS_ROTM_CHUNK
#define HEDDLE_CUBLAS_ROTM_CHUNK
enum { ROTM_CHUNK = 16384 };
#endif

#if COMPLEX
static void FN(rotg_run)(const void *block, uint64_t part)
{
    const struct rotation *r = block;
    T *a = r->a, *b = r->b, *s = r->s;
    R *c = r->c;
    (void)part;
    double fa = cabs((double _Complex) * a), fb = cabs((double _Complex) * b);
    if (fa == 0) {
        *c = 0;
        *s = 1;
        *a = *b;
        return;
    }
    double norm = hypot(fa, fb);
    double _Complex unit = (double _Complex) * a / fa;
    *c = (R)(fa / norm);
    *s = (T)(unit * conj((double _Complex) * b) / norm);
    *a = (T)(unit * norm);
}
#else
// b becomes z, from which c and s can be had again.
static void FN(rotg_run)(const void *block, uint64_t part)
{
    const struct rotation *r = block;
    T *a = r->a, *b = r->b, *c = r->c, *s = r->s;
    (void)part;
    double fa = (double)*a, fb = (double)*b, roe = fabs(fa) > fabs(fb) ? fa : fb, norm = hypot(fa, fb);
    if (norm == 0) {
        *c = 1;
        *s = 0;
        *a = *b = 0;
        return;
    }
    norm = copysign(norm, roe);
    double dc = fa / norm, ds = fb / norm;
    *c = (T)dc;
    *s = (T)ds;
    *a = (T)norm;
    *b = (T)(fabs(fa) > fabs(fb) ? ds : dc != 0 ? 1 / dc : 1);
}

static void FN(rotm_run)(const void *block, uint64_t part)
{
    const struct rotation *r = block;
    const T *p = r->param ? r->param : (const T *)r->values, flag = p[0];
    if (flag == -2)
        return;
    T h11 = flag == 0 ? 1 : p[1], h21 = flag == 1 ? -1 : p[2], h12 = flag == 1 ? 1 : p[3], h22 = flag == 0 ? 1 : p[4];
    T *x = (T *)r->a + (r->incx < 0 ? (1 - r->n) * r->incx : 0),
      *y = (T *)r->b + (r->incy < 0 ? (1 - r->n) * r->incy : 0);
    int64_t from = (int64_t)part * ROTM_CHUNK, to = blas_min(from + ROTM_CHUNK, r->n);
    for (int64_t i = from; i < to; i++) {
        T u = x[i * r->incx], w = y[i * r->incy];
        x[i * r->incx] = u * h11 + w * h12;
        y[i * r->incy] = u * h21 + w * h22;
    }
}

// The scale factors stay between 1/GAMMA^2 and GAMMA^2; once they are moved there, the matrix has all four numbers.
static void FN(rotmg_run)(const void *block, uint64_t part)
{
    const struct rotation *r = block;
    const T GAMMA = 4096, G2 = GAMMA * GAMMA, RG2 = 1 / G2;
    T *d1 = r->a, *d2 = r->b, *x1 = r->c, *p = r->param, y1 = *(const T *)r->s;
    T flag, h11 = 0, h12 = 0, h21 = 0, h22 = 0;
    (void)part;
    if (*d1 < 0) {
        flag = -1;
        *d1 = *d2 = *x1 = 0;
    } else {
        T p2 = *d2 * y1;
        if (p2 == 0) {
            p[0] = -2;
            return;
        }
        T p1 = *d1 * *x1, q2 = p2 * y1, q1 = p1 * *x1;
        if (ABS1(q1) > ABS1(q2)) {
            h21 = -y1 / *x1;
            h12 = p2 / p1;
            T u = 1 - h12 * h21;
            flag = 0;
            if (u > 0) {
                *d1 /= u;
                *d2 /= u;
                *x1 *= u;
            } else {
                flag = -1;
                h11 = h12 = h21 = h22 = 0;
                *d1 = *d2 = *x1 = 0;
            }
        } else if (q2 < 0) {
            flag = -1;
            *d1 = *d2 = *x1 = 0;
        } else {
            flag = 1;
            h11 = p1 / p2;
            h22 = *x1 / y1;
            T u = 1 + h11 * h22, t = *d2 / u;
            *d2 = *d1 / u;
            *d1 = t;
            *x1 = y1 * u;
        }
        while (*d1 != 0 && (*d1 <= RG2 || *d1 >= G2)) {
            T f = *d1 <= RG2 ? GAMMA : 1 / GAMMA;
            if (flag == 0) {
                h11 = h22 = 1;
            } else if (flag == 1) {
                h21 = -1;
                h12 = 1;
            }
            flag = -1;
            *d1 *= f * f;
            *x1 /= f;
            h11 /= f;
            h12 /= f;
        }
        while (*d2 != 0 && (ABS1(*d2) <= RG2 || ABS1(*d2) >= G2)) {
            T f = ABS1(*d2) <= RG2 ? GAMMA : 1 / GAMMA;
            if (flag == 0) {
                h11 = h22 = 1;
            } else if (flag == 1) {
                h21 = -1;
                h12 = 1;
            }
            flag = -1;
            *d2 *= f * f;
            h21 /= f;
            h22 /= f;
        }
    }
    p[0] = flag;
    if (flag < 0) {
        p[1] = h11;
        p[2] = h21;
        p[3] = h12;
        p[4] = h22;
    } else if (flag == 0) {
        p[2] = h21;
        p[3] = h12;
    } else {
        p[1] = h11;
        p[4] = h22;
    }
}
#endif
// NOLINTEND(readability-redundant-casting)
