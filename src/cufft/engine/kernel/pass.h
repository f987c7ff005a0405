// SPDX-License-Identifier: Apache-2.0
// Passes over vectors of complex numbers, forwards. Backwards is forwards with real and imaginary parts exchanged before and after:
// what reads and writes the caller's memory does that.
//
// A pass reads and writes through ports. The first one of a chain may read, the last one may write, memory where the lanes lie side
// by side as complex numbers, so that no copy is made.

struct port {
    char *p;
    ptrdiff_t step; // bytes
    bool user;      // interleaved complex numbers, not vectors of parts
    bool swap;      // of a port of the user's
};

ALWAYS struct port port_of(const cvec *p, ptrdiff_t step)
{
    return (struct port){.p = (char *)p, .step = step * (ptrdiff_t)sizeof(cvec)};
}

ALWAYS cvec port_get(const char *p, bool user, bool swap)
{
    return user ? swap_if(load_complex(p), swap) : *(const cvec *)p;
}

ALWAYS void port_put(char *p, cvec v, bool user, bool swap)
{
    if (user)
        store_complex(p, swap_if(v, swap));
    else
        *(cvec *)p = v;
}

ALWAYS cvec add(cvec a, cvec b)
{
    return (cvec){a.r + b.r, a.i + b.i};
}

ALWAYS cvec sub(cvec a, cvec b)
{
    return (cvec){a.r - b.r, a.i - b.i};
}

// -i v
ALWAYS cvec turn(cvec v)
{
    return (cvec){v.i, -v.r};
}

// --- butterflies: x[k] = sum of x[j] exp(-2 pi i j k / R) ---

ALWAYS void butterfly_2(cvec x[2])
{
    cvec a = x[0];
    x[0] = add(a, x[1]);
    x[1] = sub(a, x[1]);
}

ALWAYS void butterfly_4(cvec x[4])
{
    cvec a = add(x[0], x[2]), b = sub(x[0], x[2]), c = add(x[1], x[3]), d = turn(sub(x[1], x[3]));
    x[0] = add(a, c);
    x[1] = add(b, d);
    x[2] = sub(a, c);
    x[3] = sub(b, d);
}

ALWAYS void butterfly_8(cvec x[8])
{
    const scalar h = (scalar)0.707106781186547524400844362104849039;
    cvec e[4] = {x[0], x[2], x[4], x[6]}, o[4] = {x[1], x[3], x[5], x[7]};
    butterfly_4(e);
    butterfly_4(o);
    o[1] = (cvec){(o[1].r + o[1].i) * h, (o[1].i - o[1].r) * h};
    o[2] = turn(o[2]);
    o[3] = (cvec){(o[3].i - o[3].r) * h, -(o[3].r + o[3].i) * h};
    _Pragma("GCC unroll 4") for (int k = 0; k < 4; k++)
    {
        x[k] = add(e[k], o[k]);
        x[k + 4] = sub(e[k], o[k]);
    }
}

// Any odd radix: sums and differences of x[j] and x[R - j] have the cosines and the sines for themselves. wheel: cos, then sin.
ALWAYS void butterfly_odd(cvec *x, const unsigned radix, const scalar *wheel)
{
    const unsigned half = radix / 2;
    cvec plus[FFT_MAX_RADIX / 2], minus[FFT_MAX_RADIX / 2], first = x[0];
    _Pragma("GCC unroll 8") for (unsigned j = 0; j < half; j++)
    {
        plus[j] = add(x[j + 1], x[radix - 1 - j]);
        minus[j] = sub(x[j + 1], x[radix - 1 - j]);
        x[0] = add(x[0], plus[j]);
    }
    _Pragma("GCC unroll 8") for (unsigned k = 1; k <= half; k++)
    {
        cvec a = first, b = {{0}, {0}};
        _Pragma("GCC unroll 8") for (unsigned j = 0; j < half; j++)
        {
            scalar c = wheel[(j + 1) * k % radix], s = wheel[radix + (j + 1) * k % radix];
            a.r += plus[j].r * c;
            a.i += plus[j].i * c;
            b.r += minus[j].r * s;
            b.i += minus[j].i * s;
        }
        b = turn(b);
        x[k] = add(a, b);
        x[radix - k] = sub(a, b);
    }
}

// --- passes ---

// `radix` and the flags are constants where this is called, but for large primes.
#define PASS_BODY(RADIX, BUTTERFLY)                                                                                    \
    const size_t ido = p->ido, l1 = p->l1;                                                                             \
    const ptrdiff_t in_step = in->step, out_step = out->step;                                                          \
    const bool in_swap = in->swap, out_swap = out->swap;                                                               \
    const ptrdiff_t from = in_step * (ptrdiff_t)ido, to = out_step * (ptrdiff_t)(ido * l1);                            \
    for (size_t k = 0; k < l1; k++) {                                                                                  \
        const char *src = in->p + (ptrdiff_t)(k * RADIX) * from;                                                       \
        char *dst = out->p + (ptrdiff_t)(k * ido) * out_step;                                                          \
        const scalar *w = p->twiddle;                                                                                  \
        for (size_t i = 0; i < ido; i++, src += in_step, dst += out_step) {                                            \
            cvec x[RADIX];                                                                                             \
            _Pragma("GCC unroll 16") for (unsigned c = 0; c < RADIX; c++) x[c] =                                       \
                port_get(src + c * from, reads_user, in_swap);                                                         \
            BUTTERFLY;                                                                                                 \
            port_put(dst, x[0], writes_user, out_swap);                                                                \
            if (i == 0) {                                                                                              \
                _Pragma("GCC unroll 16") for (unsigned c = 1; c < RADIX; c++)                                          \
                    port_put(dst + c * to, x[c], writes_user, out_swap);                                               \
                continue;                                                                                              \
            }                                                                                                          \
            _Pragma("GCC unroll 16") for (unsigned c = 1; c < RADIX; c++)                                              \
                port_put(dst + c * to, mul_scalar(x[c], w[2 * c - 2], w[2 * c - 1]), writes_user, out_swap);           \
            w += 2 * (RADIX - 1);                                                                                      \
        }                                                                                                              \
    }

#define PASS_INSIDE(R)                                                                                                 \
    ALWAYS void pass_##R(const struct fft_pass *p, const struct port *in, const struct port *out,                      \
                         const bool reads_user, const bool writes_user)                                                \
    {                                                                                                                  \
        PASS_BODY(R, butterfly_##R(x))                                                                                 \
    }

#define PASS_ODD(R)                                                                                                    \
    ALWAYS void pass_##R(const struct fft_pass *p, const struct port *in, const struct port *out,                      \
                         const bool reads_user, const bool writes_user)                                                \
    {                                                                                                                  \
        scalar wheel[2 * R];                                                                                           \
        memcpy(wheel, p->wheel, sizeof wheel);                                                                         \
        PASS_BODY(R, butterfly_odd(x, R, wheel))                                                                       \
    }

#define PASS_KINDS(R)                                                                                                  \
    static void pass_##R##_inside(const struct fft_pass *p, const struct port *in, const struct port *out)             \
    {                                                                                                                  \
        pass_##R(p, in, out, false, false);                                                                            \
    }                                                                                                                  \
    static void pass_##R##_first(const struct fft_pass *p, const struct port *in, const struct port *out)              \
    {                                                                                                                  \
        pass_##R(p, in, out, true, false);                                                                             \
    }                                                                                                                  \
    static void pass_##R##_last(const struct fft_pass *p, const struct port *in, const struct port *out)               \
    {                                                                                                                  \
        pass_##R(p, in, out, false, true);                                                                             \
    }

PASS_INSIDE(2)
PASS_INSIDE(4)
PASS_INSIDE(8)
PASS_ODD(3)
PASS_ODD(5)
PASS_ODD(7)
PASS_ODD(11)
PASS_ODD(13)
PASS_KINDS(2)
PASS_KINDS(3)
PASS_KINDS(4)
PASS_KINDS(5)
PASS_KINDS(7)
PASS_KINDS(8)
PASS_KINDS(11)
PASS_KINDS(13)

// Primes that are too large to be unrolled.
static void pass_prime(const struct fft_pass *p, const struct port *in, const struct port *out)
{
    const bool reads_user = in->user, writes_user = out->user;
    const unsigned radix = p->radix;
    PASS_BODY(radix, butterfly_odd(x, radix, p->wheel))
}

typedef void pass_fn(const struct fft_pass *p, const struct port *in, const struct port *out);
enum { PASS_INSIDE_KIND, PASS_FIRST_KIND, PASS_LAST_KIND, PASS_KIND_COUNT };
#define PASS_ROW(R) [R] = {pass_##R##_inside, pass_##R##_first, pass_##R##_last}
static pass_fn *const pass_table[14][PASS_KIND_COUNT] = {PASS_ROW(2), PASS_ROW(3), PASS_ROW(4),  PASS_ROW(5),
                                                         PASS_ROW(7), PASS_ROW(8), PASS_ROW(11), PASS_ROW(13)};

static void pass_run(const struct fft_pass *p, const struct port *in, const struct port *out)
{
    int kind = in->user ? PASS_FIRST_KIND : out->user ? PASS_LAST_KIND : PASS_INSIDE_KIND;
    pass_fn *f = p->radix < sizeof pass_table / sizeof *pass_table ? pass_table[p->radix][kind] : pass_prime;
    f(p, in, out);
}

static void port_copy(const struct port *in, const struct port *out, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        cvec v = port_get(in->p + (ptrdiff_t)k * in->step, in->user, in->swap);
        port_put(out->p + (ptrdiff_t)k * out->step, v, out->user, out->swap);
    }
}

// A chain from port to port. t: 2 n vectors that neither port reaches. All of `in` is read before the first of `out` is written.
static void chain_run(const struct fft_chain *c, const struct port *in, const struct port *out, cvec *t)
{
    struct port inside[2] = {port_of(t, 1), port_of(t + c->n, 1)};
    if (c->count < 2 && in->user && (out->user || !c->count)) {
        port_copy(in, &inside[1], c->n);
        in = &inside[1];
    }
    if (!c->count)
        port_copy(in, out, c->n);
    for (unsigned s = 0; s < c->count; s++) {
        const struct port *to = s + 1 == c->count ? out : &inside[s & 1];
        pass_run(&c->pass[s], in, to);
        in = to;
    }
}
