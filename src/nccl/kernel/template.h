// SPDX-License-Identifier: Apache-2.0
// Reductions of one type. TAG ends the names; T is what lies in memory, A what is computed in; WRAPS is A without overflow that
// C leaves open, WIDE has room for the number of ranks; IS_NAN(x); LOAD and STORE convert. Included by reduce.c for each type, which has no guard for that.

// Without casts: many of these types are one.
static inline A FN(add)(WRAPS a, WRAPS b)
{
    WRAPS sum = a + b;
    return sum;
}

static inline A FN(multiply)(WRAPS a, WRAPS b)
{
    WRAPS product = a * b;
    return product;
}

// One operand more.
static inline void FN(fold)(enum reduce_op op, A *acc, const T *x, size_t n)
{
    switch (op) {
    case REDUCE_SUM:
        for (size_t i = 0; i < n; i++)
            acc[i] = FN(add)(acc[i], LOAD(x[i]));
        break;
    case REDUCE_PROD:
        for (size_t i = 0; i < n; i++)
            acc[i] = FN(multiply)(acc[i], LOAD(x[i]));
        break;
    case REDUCE_MAX: // a NaN is no number, and so never the result where there is one
        for (size_t i = 0; i < n; i++) {
            A v = LOAD(x[i]);
            acc[i] = acc[i] >= v || IS_NAN(v) ? acc[i] : v;
        }
        break;
    default:
        for (size_t i = 0; i < n; i++) {
            A v = LOAD(x[i]);
            acc[i] = acc[i] <= v || IS_NAN(v) ? acc[i] : v;
        }
        break;
    }
}

static inline A FN(factor)(const struct reduction *r)
{
    T bits;
    memcpy(&bits, r->operand_at ? r->operand_at : &r->operand, sizeof bits);
    return LOAD(bits);
}

static inline void FN(end)(const struct reduction *r, A *acc, size_t n)
{
    if (r->end == REDUCE_DIVIDE) {
        WIDE by = r->operand; // there may be more ranks than A can count
        for (size_t i = 0; i < n; i++)
            acc[i] = acc[i] / by;
    } else if (r->end == REDUCE_SCALE) {
        A by = FN(factor)(r);
        for (size_t i = 0; i < n; i++)
            acc[i] = FN(multiply)(acc[i], by);
    }
}

// Two operands of a type that is computed in itself, which is most of what there is: nothing is kept between them.
static inline bool FN(pair)(const struct reduction *r, T *y, const T *a, const T *b, size_t n)
{
    if (r->op != REDUCE_SUM || r->end != REDUCE_PLAIN || !_Generic((T)0, A: true, default: false))
        return false;
    for (size_t i = 0; i < n; i++)
        y[i] = STORE(FN(add)(LOAD(a[i]), LOAD(b[i])));
    return true;
}

static void FN(run)(const struct reduction *r, void *to, const void *const *from, unsigned operands, size_t n)
{
    A acc[BLOCK];
    if (operands == 2 && FN(pair)(r, to, from[0], from[1], n))
        return;
    for (size_t at = 0; at < n; at += BLOCK) {
        size_t m = n - at < BLOCK ? n - at : BLOCK;
        const T *x = (const T *)from[0] + at;
        T *y = (T *)to + at;
        for (size_t i = 0; i < m; i++)
            acc[i] = LOAD(x[i]);
        for (unsigned k = 1; k < operands; k++)
            FN(fold)(r->op, acc, (const T *)from[k] + at, m);
        if (r->end != REDUCE_PLAIN)
            FN(end)(r, acc, m);
        for (size_t i = 0; i < m; i++)
            y[i] = STORE(acc[i]);
    }
}
#undef TAG
#undef T
#undef A
#undef WRAPS
#undef IS_NAN
#undef WIDE
#undef LOAD
#undef STORE
