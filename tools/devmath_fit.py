# SPDX-License-Identifier: Apache-2.0
# Computes the minimax coefficients in coef.h: Remez exchange on a grid, in 50-digit arithmetic (needs mpmath).
#   python3 tools/devmath_fit.py > src/devmath/coef.h
# Each row of FITS names a polynomial, the function g it approximates, the weight that turns the error of g into the relative
# error of the whole function, the interval, the degree and the precision of the coefficients.
import sys
from mpmath import *

mp.dps = 50
ROOT = {}


def solve_poly(xs, gs, ws, n):
    m = matrix(n + 2, n + 2)
    b = matrix(n + 2, 1)
    for i, (x, g, w) in enumerate(zip(xs, gs, ws)):
        p = mpf(1)
        for k in range(n + 1):
            m[i, k] = p
            p *= x
        m[i, n + 1] = (-1) ** i / w
        b[i] = g
    return lu_solve(m, b)


def remez(g, w, a, b, n, grid=None):
    a, b = mpf(a), mpf(b)
    count = grid or max(160, 14 * (n + 2))
    # the grid never touches the ends or the middle, where g or w may be 0/0
    xs = [(a + b) / 2 - (b - a) / 2 * cos(pi * (i + mpf(1) / 3) / count) for i in range(count)]
    gs = [g(x) for x in xs]
    ws = [abs(w(x)) for x in xs]
    ref = sorted(set(min(range(count), key=lambda j: abs(xs[j] - ((a + b) / 2 - (b - a) / 2 * cos(pi * i / (n + 1)))))
                     for i in range(n + 2)))
    best = None
    for _ in range(12):
        if len(ref) != n + 2:
            break
        sol = solve_poly([xs[i] for i in ref], [gs[i] for i in ref], [ws[i] for i in ref], n)
        c = [sol[k] for k in range(n + 1)]
        err = [ws[i] * (polyval(c[::-1], xs[i]) - gs[i]) for i in range(count)]
        worst = max(abs(e) for e in err)
        if best is None or worst < best[0]:
            best = (worst, c)
        ref2 = [0]
        for i in range(1, count):
            if (err[i] > 0) == (err[ref2[-1]] > 0):
                if abs(err[i]) > abs(err[ref2[-1]]):
                    ref2[-1] = i
            else:
                ref2.append(i)
        while len(ref2) > n + 2:
            if len(ref2) == n + 3:
                ref2.pop(0 if abs(err[ref2[0]]) < abs(err[ref2[-1]]) else -1)
            else:
                k = min(range(len(ref2) - 1), key=lambda j: abs(err[ref2[j]]) + abs(err[ref2[j + 1]]))
                del ref2[k:k + 2]
        if ref2 == ref:
            break
        ref = ref2
    return best


def hexf(x, single):
    if single:
        m, e = frexp(x)
        m = nint(m * 2 ** 24)
        return float(m * mpf(2) ** (int(e) - 24)).hex().replace('0000000p', 'p') + 'f'
    return float(x).hex()


def emit(name, values, single, note):
    text = [hexf(v, single) for v in values]
    print('// %s: %s' % (name, note))
    line = '#define %s' % name
    out = []
    for i, t in enumerate(text):
        piece = ' ' + t + (',' if i + 1 < len(text) else '')
        if len(line) + len(piece) > 116:
            out.append(line + ' \\')
            line = '   '
        line += piece
    out.append(line)
    print('\n'.join(out))


def fit(name, g, w, a, b, n, single=False):
    worst, c = remez(g, w, a, b, n)
    emit(name, c, single, 'degree %d on [%s, %s], error 2^%.1f' % (n, nstr(mpf(a), 5), nstr(mpf(b), 5), float(log(worst, 2))))
    sys.stderr.write('%s %.1f\n' % (name, float(log(worst, 2))))
    sys.stdout.flush()


def rel(f):
    return lambda x: 1 / f(x)


def pair(name, v, note):
    hi = mpf(float(v))
    emit(name + '_HI', [hi], False, note)
    emit(name + '_LO', [v - hi], False, 'the rest of it')


def series(f, k, n=14):
    """Taylor coefficients for use where the closed form cancels."""
    return taylor(f, k, n)


# odd functions f(x) = x + x^3 p(x^2), as functions of z = x^2
def odd(f):
    def g(z):
        x = sqrt(z)
        return (f(x) - x) / (x * z)
    def w(z):
        x = sqrt(z)
        return x * z / f(x)
    return g, w


def elementary():
    h = log(2) / 2
    for name, n, s in (('EXPF_Q', 4, True), ('EXP_Q', 10, False)):
        fit(name, lambda r: (expm1(r) - r) / r ** 2, lambda r: r ** 2 / expm1(r), -h, h, n, s)
    # (e^r - 1) / r, from the minimax coefficients by random steps towards the least error of expf itself, on 3,000,000 arguments
    emit('EXPF_WIDE', [mpf(float.fromhex(c)) for c in ('1', '0x1.00000ep-1', '0x1.5554fep-3', '0x1.5548ecp-5', '0x1.112266p-7',
                                                      '0x1.71f13ep-10', '0x1.9fe6c8p-13')], True,
         'degree 6 on [-0.69322, 0.69322], by search')
    for name, n, s in (('EXP2F_Q', 5, True),):
        fit(name, lambda r: (mpf(2) ** r - 1) / r, lambda r: r / mpf(2) ** r, -0.5, 0.5, n, s)
    fit('LOGF_Q', lambda f: (log1p(f) - f) / f ** 2, lambda f: f ** 2 / log1p(f), -mpf(1) / 3, mpf(1) / 3, 8, True)
    # log((1+s)/(1-s)) = 2 s + s z R(z), z = s^2
    def r(z):
        s = sqrt(z)
        return (2 * atanh(s) - 2 * s) / (s * z)
    top = ((sqrt(2) - 1) / (sqrt(2) + 1)) ** 2 * 1.01
    fit('LOG_R', r, lambda z: z / 2, 0, top, 6)
    fit('LOG_R2', lambda z: (r(z) - mpf(2) / 3) / z, lambda z: z * z / 2, 0, top, 6)
    fit('LOGF_R2', lambda z: (r(z) - mpf(2) / 3) / z, lambda z: z * z / 2, 0, top, 1, True)
    q = (pi / 4 * 1.01) ** 2
    fit('SINF_P', *odd(sin), 0, q, 2, True)
    fit('COSF_P', lambda z: (cos(sqrt(z)) - 1 + z / 2) / z ** 2, lambda z: z ** 2, 0, q, 2, True)
    fit('SIN_P', *odd(sin), 0, q, 5)
    fit('COS_P', lambda z: (cos(sqrt(z)) - 1 + z / 2) / z ** 2, lambda z: z ** 2, 0, q, 5)
    fit('TANF_P', *odd(tan), 0, q, 6, True)
    fit('ATANF_P', *odd(atan), 0, 1, 8, True)
    fit('ATAN_P', *odd(atan), 0, 1, 20)
    fit('ASINF_P', *odd(asin), 0, 0.25, 5, True)
    fit('ASIN_P', *odd(asin), 0, 0.25, 13)
    fit('TANHF_P', *odd(tanh), 0, mpf('0.36'), 4, True)
    fit('TANH_P', *odd(tanh), 0, mpf('0.36'), 10)
    fit('SINHF_P', *odd(sinh), 0, 1, 3, True)
    fit('SINH_P', *odd(sinh), 0, 1, 6)


def error_functions():
    er = lambda z: erf(sqrt(z)) / sqrt(z)
    fit('ERFF_P', lambda z: er(z) - 1, rel(er), 0, 1, 6, True)
    fit('ERF_P', lambda z: er(z) - 1, rel(er), 0, 1, 12)
    lg = lambda x: -log(erfc(x), 2) / x
    fit('ERFF_Q', lg, lambda x: x * erfc(x), 1, 4, 7, True)
    def cx(t, k):
        x = k * (1 + t) / (1 - t)
        if x > 5000:
            v = 1 / x / sqrt(pi) * (1 - 1 / (2 * x * x) + 3 / (4 * x ** 4))
        else:
            mp.dps = 50 + int(x * x / 2) if x < 12 else 50
            if x < 12:
                v = erfc(x) * exp(x * x)
            else:  # continued fraction, converges fast here
                f = x
                for n in range(220, 0, -1):
                    f = x + mpf(n) / 2 / f
                v = 1 / f / sqrt(pi)
            mp.dps = 50
        return +((1 + 2 * x) * v)
    fit('ERFCXF_P', lambda t: cx(t, 3), rel(lambda t: cx(t, 3)), -1, 1, 11, True)
    fit('ERFCX_P', lambda t: cx(t, 4), rel(lambda t: cx(t, 4)), -1, 1, 24)
    ei = lambda z: erfinv(sqrt(z)) / sqrt(z)
    fit('ERFINV_P', ei, rel(ei), 0, mpf('0.3'), 15)
    def solve_erfc(p, y):  # erfc(y) = p, Newton on log erfc
        for _ in range(60):
            e = erfc(y)
            d = (log(e) - log(p)) / (-2 / sqrt(pi) * exp(-y * y) / e)
            y = y - d
            if abs(d) < mpf(10) ** -25:
                break
        return y
    # first guess in the tail: erfcinv(p), s = sqrt(-log p)
    tail = lambda s: solve_erfc(exp(-s * s), s - mpf('0.1')) / s
    fit('ERFCINV_T1', tail, rel(tail), mpf('0.83'), 4, 10)
    fit('ERFCINV_T2', tail, rel(tail), 4, mpf('27.4'), 13)
    # single precision: erfinv(t)/t in v = -log(1 - t^2), from v = 5 on in its root s, less s
    def ratio(v):
        p = -expm1(log1p(-exp(-v)) / 2)
        return (erfinv(1 - p) if p > 0.3 else solve_erfc(p, sqrt(-log(p)) - mpf('0.1'))) / (1 - p)
    low = lambda w: ratio(w + mpf(5) / 2)
    root = lambda c: lambda s: ratio((s + c) ** 2) - (s + c)
    fit('ERFINVF_LOW', low, rel(low), mpf('-2.5'), mpf('2.55'), 9, True)
    fit('ERFINVF_MID', root(3), lambda s: 1 / (s + 3), mpf('-0.78'), mpf('1.12'), 9, True)
    fit('ERFINVF_FAR', root(7), lambda s: 1 / (s + 7), mpf('-3'), mpf('3.2'), 10, True)


def gamma_functions():
    # lgamma(x) = (x-1)(x-2) R(x)
    def R(x):
        return loggamma(x) / ((x - 1) * (x - 2))
    fit('LGAMMA_A', lambda t: R(1 + t), lambda t: 1 / R(1 + t), mpf('-0.5'), mpf('0.1'), 23)
    fit('LGAMMA_B', lambda t: R(mpf('1.5') + t), lambda t: 1 / R(mpf('1.5') + t), mpf('-0.41'), mpf('0.51'), 21)
    fit('LGAMMA_C', lambda t: R(mpf('2.5') + t), lambda t: 1 / R(mpf('2.5') + t), mpf('-0.5'), mpf('0.5'), 17)
    st = lambda z: (loggamma(1 / sqrt(z)) - ((1 / sqrt(z) - mpf(1) / 2) * log(1 / sqrt(z)) - 1 / sqrt(z) + log(2 * pi) / 2)) / sqrt(z)
    def stirling(z):
        mp.dps = 70
        v = st(mpf(z))
        mp.dps = 50
        return v
    fit('STIRLING_P', stirling, rel(stirling), 0, mpf(1) / 64, 7)
    # Lanczos: Gamma(x) = ((x + g - 1/2)/e)^(x - 1/2) L(x), L = N(x) / (x (x+1) ... (x+n-2)), by interpolation at x = 1 ... n
    n, g = 13, mpf('6.024680040776729583740234375')
    mp.dps = 90
    L = lambda x: gamma(x) * exp(x + g - mpf(1) / 2) / (x + g - mpf(1) / 2) ** (x - mpf(1) / 2) / exp(g)
    den = [mpf(1)]
    for k in range(n - 1):
        den = [(den[i - 1] if i > 0 else 0) + (k * den[i] if i < len(den) else 0) for i in range(len(den) + 1)]
    m = matrix(n, n)
    b = matrix(n, 1)
    for i in range(n):
        x = mpf(i + 1)
        for k in range(n):
            m[i, k] = x ** k
        b[i] = L(x) * polyval(den[::-1], x)
    c = lu_solve(m, b)
    num = [c[k] for k in range(n)]
    worst = max(abs(polyval(num[::-1], x) / polyval(den[::-1], x) / L(x) - 1) for x in [mpf(k) / 7 + mpf('0.5') for k in range(1200)])
    mp.dps = 50
    emit('LANCZOS_N', num, False, 'numerator, g = 6.0246..., error 2^%.1f for x > 0.5' % float(log(worst, 2)))
    emit('LANCZOS_D', den, False, 'denominator x (x+1) ... (x+11)')
    sys.stderr.write('LANCZOS %.1f\n' % float(log(worst, 2)))


def bessel_functions():
    def zero(name, f, start):
        z = findroot(f, mpf(start))
        ROOT[name] = z
        pair(name, z, 'a zero')
        return z
    j0 = lambda x: besselj(0, x)
    j1 = lambda x: besselj(1, x)
    y0 = lambda x: bessely(0, x)
    y1 = lambda x: bessely(1, x)
    z = zero('J0_Z1', j0, 2.4)
    f = lambda s, z=z: j0(sqrt(s)) / (s - z * z)
    fit('J0_A', f, rel(f), 0, 16.5, 11)
    z = zero('J0_Z2', j0, 5.52)
    f = lambda t, z=z: j0(z + t) / t
    fit('J0_B', f, rel(f), 4 - z, 8.05 - z, 19)
    z = zero('J1_Z1', j1, 3.83)
    f = lambda s, z=z: j1(sqrt(s)) / sqrt(s) / (s - z * z)
    fit('J1_A', f, rel(f), 0, mpf('20.3'), 11)
    z = zero('J1_Z2', j1, 7.0156)
    f = lambda t, z=z: j1(z + t) / t
    fit('J1_B', f, rel(f), mpf('4.5') - z, 8.05 - z, 19)
    z = zero('Y0_Z1', y0, 0.89)
    f = lambda s, z=z: (y0(sqrt(s)) - 2 / pi * log(sqrt(s) / z) * j0(sqrt(s))) / (s - z * z)
    fit('Y0_A', f, lambda s: mpf(1), 0, 6, 9)
    z = zero('Y0_Z2', y0, 3.957)
    f = lambda t, z=z: y0(z + t) / t
    fit('Y0_B', f, rel(f), mpf('2.4') - z, mpf('5.5') - z, 24)
    z = zero('Y0_Z3', y0, 7.086)
    f = lambda t, z=z: y0(z + t) / t
    fit('Y0_C', f, rel(f), mpf('5.5') - z, 8.05 - z, 17)
    z = zero('Y1_Z1', y1, 2.197)
    f = lambda s, z=z: (y1(sqrt(s)) - 2 / pi * log(sqrt(s) / z) * j1(sqrt(s)) + 2 / pi / sqrt(s) - 2 / pi * sqrt(s) / z ** 2) / sqrt(s) / (s - z * z)
    fit('Y1_A', f, lambda s: mpf(1), 0, 14, 10)
    z = zero('Y1_Z2', y1, 5.43)
    f = lambda t, z=z: y1(z + t) / t
    fit('Y1_B', f, rel(f), mpf('3.7') - z, mpf('7') - z, 21)
    z = zero('Y1_Z3', y1, 8.596)
    f = lambda t, z=z: y1(z + t) / t
    fit('Y1_C', f, rel(f), 7 - z, 8.05 - z, 13)
    # Hankel: J_n = sqrt(2/(pi x)) B(z) cos(x - n pi/2 - pi/4 + A(z)/x), z = 1/x^2
    for n in (0, 1):
        def amp(s, n=n):
            x = 1 / sqrt(s)
            return sqrt((besselj(n, x) ** 2 + bessely(n, x) ** 2) * pi * x / 2)
        def ph(s, n=n):
            x = 1 / sqrt(s)
            c = x - n * pi / 2 - pi / 4
            d = arg(mpc(besselj(n, x), bessely(n, x)) * exp(mpc(0, -c)))
            return d * x
        fit('J%d_AMP' % n, amp, lambda s: mpf(1), mpf('1e-8'), mpf(1) / 64, 10)
        fit('J%d_PHASE' % n, ph, lambda s: mpf(1), mpf('1e-8'), mpf(1) / 64, 10)
    i0 = lambda s: besseli(0, sqrt(s))
    i1 = lambda s: besseli(1, sqrt(s)) / sqrt(s)
    fit('I0_A', i0, rel(i0), 0, 64, 15)
    fit('I1_A', i1, rel(i1), 0, 64, 15)
    # sqrt(x) exp(-x) I_n(x) in 1/x - 1/16, for x > 8
    def big(n):
        def f(t):
            x = 1 / (t + mpf(1) / 16)
            return besseli(n, x) * exp(-x) * sqrt(x)
        return f
    for n in (0, 1):
        fit('I%d_B' % n, big(n), rel(big(n)), mpf('1e-4') - mpf(1) / 16, mpf(1) / 16, 24)


if __name__ == '__main__':
    print('// Coefficients of the polynomials of the device math library; written by tools/devmath_fit.py, lowest power first.')
    print('#ifndef HEDDLE_DEVMATH_COEF_H')
    print('#define HEDDLE_DEVMATH_COEF_H')
    parts = dict(e=elementary, f=error_functions, g=gamma_functions, b=bessel_functions)
    for p in (sys.argv[1] if len(sys.argv) > 1 else 'efgb'):
        parts[p]()
    print('#endif')
