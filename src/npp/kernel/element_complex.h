// SPDX-License-Identifier: Apache-2.0
// Products and quotients of one type of complex numbers: T a part's type, W that of products. INTEGER: they are scaled, rounded by ROUND and saturated to LOW and
// HIGH. n counts numbers, not parts.
#define FN_(name, type)  name##_##type
#define FN__(name, type) FN_(name, type)
#define FN(name)         FN__(name, NAME)
#define ARGS             const void *x_, const void *const p_[4], void *d_, size_t n, const struct npp_job *j

#if INTEGER
static inline T FN(scale)(W v, int s)
{
    if (s < 0) {
        double wide = npp_clamp((double)v * ldexp(1, -s), (double)LOW, (double)HIGH);
        return (T)wide;
    }
    v = s > 62 ? 0 : s ? ROUND(v, s) : v;
    return (T)(v<(W)LOW ? (W)LOW : v>(W) HIGH ? (W)HIGH : v);
}
static inline T FN(finish)(double v, int s)
{
    v = v == v ? v * ldexp(1, -s) : 0;
    return (T)npp_near(npp_clamp(v, (double)LOW, (double)HIGH));
}
#else
static inline T FN(scale)(W v, int s)
{
    (void)s;
    return (T)v;
}
static inline T FN(finish)(double v, int s)
{
    (void)s;
    return (T)v;
}
#endif

#define SUM(name, a, op, b)                                                                                            \
    static void FN(name)(ARGS)                                                                                         \
    {                                                                                                                  \
        const T *restrict x = x_, *restrict y = p_[0];                                                                 \
        T *restrict d = d_;                                                                                            \
        int s = j->c.scale;                                                                                            \
        for (size_t i = 0; i < 2 * n; i++)                                                                             \
            d[i] = FN(scale)((W)a[i] op b[i], s);                                                                      \
    }
SUM(add, x, +, y)
SUM(sub, x, -, y)
SUM(sub_reverse, y, -, x)
#undef SUM
static void FN(mul)(ARGS)
{
    const T *restrict x = x_, *restrict y = p_[0];
    T *restrict d = d_;
    int s = j->c.scale;
    for (size_t i = 0; i < 2 * n; i += 2) {
        W a = x[i], b = x[i + 1], c = y[i], e = y[i + 1];
        d[i] = FN(scale)(a * c - b * e, s);
        d[i + 1] = FN(scale)(a * e + b * c, s);
    }
}
static void FN(sqr)(ARGS)
{
    const void *same[4] = {x_, NULL, NULL, NULL};
    (void)p_;
    FN(mul)(x_, same, d_, n, j);
}
static void FN(div)(ARGS)
{
    const T *restrict x = x_, *restrict y = p_[0];
    T *restrict d = d_;
    int s = j->c.scale;
    for (size_t i = 0; i < 2 * n; i += 2) {
        double a = (double)x[i], b = (double)x[i + 1], c = (double)y[i], e = (double)y[i + 1], norm = c * c + e * e;
        d[i] = FN(finish)((a * c + b * e) / norm, s);
        d[i + 1] = FN(finish)((b * c - a * e) / norm, s);
    }
}
#undef FN_
#undef FN__
#undef FN
#undef ARGS
