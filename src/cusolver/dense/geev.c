// SPDX-License-Identifier: Apache-2.0
// Eigenvalues and right eigenvectors of general matrices. Our own code computes in complex doubles for all types: Hessenberg form by
// reflections, Schur form by the QR method with Wilkinson's shifts, then vectors of the triangle, turned back.
#include "cusolver/dense/la.h"

typedef double _Complex number;
struct schur {
    int64_t n;
    number *h, *z; // n x n; A = Z H Z^H
};

static void hessenberg(struct schur *x)
{
    const int64_t n = x->n;
    la_set_Z(n, n, 0, 1, x->z, n);
    for (int64_t k = 0; k + 2 < n; k++) {
        number *v = x->h + (k + 1) + k * n;
        const int64_t r = n - k - 1;
        const number tau = la_larfg_Z(r, v, v + 1, 1), beta = v[0], t = tau;
        v[0] = 1;
        la_larfb_Z('L', 'C', r, n - k - 1, 1, v, n, &t, 1, v + n, n);
        la_larfb_Z('R', 'N', n, r, 1, v, n, &t, 1, x->h + (k + 1) * n, n);
        la_larfb_Z('R', 'N', n, r, 1, v, n, &t, 1, x->z + (k + 1) * n, n);
        v[0] = beta;
        for (int64_t i = 1; i < r; i++)
            v[i] = 0;
    }
}

static number wilkinson(const number *h, int64_t n, int64_t i)
{
    const number a = h[(i - 1) + (i - 1) * n], b = h[(i - 1) + i * n], c = h[i + (i - 1) * n], d = h[i + i * n];
    const number half = (a - d) / 2, root = csqrt(half * half + b * c);
    const number s = creal(half) * creal(root) + cimag(half) * cimag(root) >= 0 ? half + root : half - root;
    return s == 0 ? d : d - b * c / s;
}

// One QR step on rows and columns low to high of H - shift, by rotations.
static void qr_step(struct schur *x, int64_t low, int64_t high, number shift)
{
    const int64_t n = x->n;
    number *h = x->h, p = h[low + low * n] - shift, q = h[(low + 1) + low * n];
    for (int64_t k = low; k < high; k++) {
        if (k > low) {
            p = h[k + (k - 1) * n];
            q = h[(k + 1) + (k - 1) * n];
        }
        const double size = hypot(cabs(p), cabs(q));
        if (size == 0)
            continue;
        const number c = p / size, s = q / size; // [conj c, conj s; -s, c]
        for (int64_t j = k > low ? k - 1 : low; j < n; j++) {
            const number u = h[k + j * n], v = h[(k + 1) + j * n];
            h[k + j * n] = conj(c) * u + conj(s) * v;
            h[(k + 1) + j * n] = -s * u + c * v;
        }
        if (k > low)
            h[(k + 1) + (k - 1) * n] = 0;
        for (int64_t i = 0; i <= la_min(k + 2, high); i++) {
            const number u = h[i + k * n], v = h[i + (k + 1) * n];
            h[i + k * n] = u * c + v * s;
            h[i + (k + 1) * n] = -u * conj(s) + v * conj(c);
        }
        for (int64_t i = 0; i < n; i++) {
            const number u = x->z[i + k * n], v = x->z[i + (k + 1) * n];
            x->z[i + k * n] = u * c + v * s;
            x->z[i + (k + 1) * n] = -u * conj(s) + v * conj(c);
        }
    }
}

// How many eigenvalues are not found.
static int64_t schur_form(struct schur *x)
{
    enum { STEPS = 60, ODD = 10 }; // for one eigenvalue; now and then another shift
    const int64_t n = x->n;
    number *h = x->h;
    hessenberg(x);
    int64_t high = n - 1;
    for (int steps = 0; high > 0;) {
        int64_t low = high;
        while (low > 0) {
            const double near = cabs(h[low + low * n]) + cabs(h[(low - 1) + (low - 1) * n]);
            if (cabs(h[low + (low - 1) * n]) <= 2.3e-16 * near || cabs(h[low + (low - 1) * n]) < 1e-300)
                break;
            low--;
        }
        if (low > 0)
            h[low + (low - 1) * n] = 0;
        if (low == high) {
            high--;
            steps = 0;
            continue;
        }
        if (++steps > STEPS)
            return high + 1;
        const number odd = h[high + high * n] + cabs(h[high + (high - 1) * n]);
        qr_step(x, low, high, steps % ODD ? wilkinson(h, n, high) : odd);
    }
    return 0;
}

// Column k of V: (T - t_kk) y = 0, v = Z y, of norm 1.
static void eigenvector(const struct schur *x, int64_t k, number *y, number *v)
{
    const int64_t n = x->n;
    const number *t = x->h;
    double most = 0;
    for (int64_t i = 0; i <= k; i++)
        most = fmax(most, cabs(t[i + k * n]));
    const double least = 2.3e-16 * fmax(most, cabs(t[0])) + 1e-300;
    for (int64_t i = k; i >= 0; i--) {
        number sum = i == k ? 1 : 0;
        for (int64_t j = i + 1; j <= k; j++)
            sum -= t[i + j * n] * y[j];
        const number d = t[i + i * n] - t[k + k * n];
        y[i] = i == k ? 1 : sum / (cabs(d) > least ? d : (number)least);
    }
    double norm = 0;
    for (int64_t i = 0; i < n; i++) {
        number sum = 0;
        for (int64_t j = 0; j <= k; j++)
            sum += x->z[i + j * n] * y[j];
        v[i] = sum;
        norm += creal(sum) * creal(sum) + cimag(sum) * cimag(sum);
    }
    for (int64_t i = 0; i < n; i++)
        v[i] /= sqrt(norm);
}

#define TEMPLATE "cusolver/dense/geev.h"
#include "library/number.h"
#undef TEMPLATE
