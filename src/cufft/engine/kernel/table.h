// SPDX-License-Identifier: Apache-2.0
// Tables of the kernel's scalars: twiddle factors, chirps, filters.

static void put_root(scalar *to, uint64_t m, uint64_t n)
{
    double re, im;
    root_of_unity(m, n, &re, &im);
    to[0] = (scalar)re;
    to[1] = (scalar)im;
}

static bool pass_init(struct fft_pool *pool, struct fft_pass *p)
{
    unsigned r = p->radix;
    scalar *w = p->twiddle = pool_alloc(pool, sizeof(scalar) * 2 * (r - 1) * p->ido);
    scalar *wheel = p->wheel = pool_alloc(pool, sizeof(scalar) * 2 * r);
    if (!w || !wheel)
        return false;
    uint64_t n = (uint64_t)r * p->ido;
    for (size_t i = 1; i < p->ido; i++)
        for (unsigned c = 1; c < r; c++, w += 2)
            put_root(w, i * c, n);
    for (unsigned i = 0; i < r; i++) {
        scalar root[2];
        put_root(root, i, r);
        wheel[i] = root[0];
        wheel[r + i] = -root[1];
    }
    return true;
}

static bool chain_init(struct fft_pool *pool, struct fft_chain *c, size_t n)
{
    unsigned radix[FFT_MAX_FACTORS];
    c->n = n;
    c->count = number_radices(n, radix);
    size_t l1 = 1;
    for (unsigned s = 0; s < c->count; s++) {
        c->pass[s] = (struct fft_pass){.radix = radix[s], .l1 = l1, .ido = n / l1 / radix[s]};
        l1 *= radix[s];
        if (!pass_init(pool, &c->pass[s]))
            return false;
    }
    return true;
}

static void *table_roots(struct fft_pool *pool, uint64_t n, uint64_t count)
{
    struct roots r = {0};
    scalar *w = pool_alloc(pool, sizeof(scalar) * 2 * count);
    if (!w || !roots_init(&r, n))
        return NULL;
    for (uint64_t k = 0; k < count; k++) {
        double re, im;
        roots_get(&r, k, &re, &im);
        w[2 * k] = (scalar)re;
        w[2 * k + 1] = (scalar)im;
    }
    roots_fini(&r);
    return w;
}

// Factors w^(j l), l a lane, of elements j < n.
static void *table_twist_lanes(struct fft_pool *pool, const struct roots *whole, uint64_t n)
{
    scalar *w = pool_alloc(pool, sizeof(cvec) * n);
    for (uint64_t k = 0; w && k < n; k++)
        for (uint64_t l = 0; l < LANES; l++) {
            double re, im;
            roots_get(whole, k * l % whole->n, &re, &im);
            w[2 * LANES * k + l] = (scalar)re;
            w[2 * LANES * k + LANES + l] = (scalar)im;
        }
    return w;
}

// exp(-pi i k^2 / n)
static void *table_chirp(struct fft_pool *pool, uint64_t n)
{
    struct roots r = {0};
    scalar *c = pool_alloc(pool, sizeof(scalar) * 2 * n);
    if (!c || !roots_init(&r, 2 * n))
        return NULL;
    uint64_t square = 0; // k^2 mod 2 n
    for (uint64_t k = 0; k < n; k++) {
        double re, im;
        roots_get(&r, square, &re, &im);
        c[2 * k] = (scalar)re;
        c[2 * k + 1] = (scalar)im;
        square += 2 * k + 1;
        square -= square >= 2 * n ? 2 * n : 0;
    }
    roots_fini(&r);
    return c;
}

// The chirp's conjugate at k and -k, over m: the inverse transform divides by m.
static void *table_filter(struct fft_pool *pool, const void *chirp, uint64_t n, uint64_t m)
{
    scalar *f = pool_alloc(pool, sizeof(scalar) * 2 * m);
    const scalar *c = chirp;
    if (!f)
        return NULL;
    memset(f, 0, sizeof(scalar) * 2 * m);
    for (uint64_t k = 0; k < n; k++) {
        uint64_t back = k ? m - k : 0;
        f[2 * k] = f[2 * back] = c[2 * k] / (scalar)m;
        f[2 * k + 1] = f[2 * back + 1] = -c[2 * k + 1] / (scalar)m;
    }
    return f;
}

static void *table_block_twist(struct fft_pool *pool, size_t a, size_t b)
{
    scalar *w = pool_alloc(pool, sizeof(scalar) * 2 * a * b);
    for (size_t j = 0; w && j < b; j++)
        for (size_t k = 0; k < a; k++)
            put_root(w + 2 * (j * a + k), j * k, a * b);
    return w;
}

static void *table_inner_twist(struct fft_pool *pool, size_t a, size_t b)
{
    size_t blocks = (b + LANES - 1) / LANES;
    scalar *w = pool_alloc(pool, sizeof(cvec) * blocks * a);
    for (size_t i = 0; w && i < blocks * a * LANES; i++) {
        size_t l = i % LANES, k = i / LANES % a, j = block_start(i / LANES / a, b) + l;
        scalar root[2];
        put_root(root, j * k, a * b);
        w[2 * LANES * (i / LANES) + l] = root[0];
        w[2 * LANES * (i / LANES) + LANES + l] = root[1];
    }
    return w;
}

static bool line_init(struct fft_pool *pool, struct fft_line *l, size_t n, enum line_mode mode);

static bool bluestein_init(struct fft_pool *pool, struct fft_line *l)
{
    bool lanes = l->mode == LINE_BLUE_LANES;
    size_t m = number_good_size(2 * l->n - 1), vectors = (m + LANES - 1) / LANES;
    l->conv = pool_alloc(pool, sizeof *l->conv);
    if (!l->conv || !line_init(pool, l->conv, m, lanes ? LINE_BLOCK : LINE_INNER))
        return false;
    l->chirp = table_chirp(pool, l->n);
    l->filter = l->chirp ? table_filter(pool, l->chirp, l->n, m) : NULL;
    l->scratch = 2 * (lanes ? m : vectors) * sizeof(cvec) + l->conv->scratch;
    // Its transform, by a single line of the same length.
    struct fft_pool temporary = {0};
    struct fft_line once = {0};
    bool done = l->filter && line_init(&temporary, &once, m, LINE_INNER);
    cvec *t = done ? pool_alloc(&temporary, vectors * sizeof(cvec) + once.scratch) : NULL;
    if (t) {
        inner_line(&once, l->filter, (scalar *)t, false, t + vectors);
        memcpy(l->filter, t, sizeof(scalar) * 2 * m);
    }
    pool_fini(&temporary);
    return t != NULL;
}

// `mode` LINE_BLOCK is LINE_CHAIN where a block is not worth while.
static bool line_init(struct fft_pool *pool, struct fft_line *l, size_t n, enum line_mode mode)
{
    *l = (struct fft_line){.n = n, .mode = mode};
    if (mode == LINE_BLUE_LANES || mode == LINE_BLUE_SINGLE)
        return bluestein_init(pool, l);
    size_t a = n;
    if (mode == LINE_BLOCK && 2 * n * sizeof(cvec) > 32768)
        a = number_split(n, sqrt((double)n), 1);
    if (mode == LINE_INNER)
        a = number_split(n, sqrt((double)n), LANES);
    size_t b = n / a, longer = a > b ? a : b;
    if (mode == LINE_BLOCK && (a == 1 || b == 1)) {
        l->mode = LINE_CHAIN;
        a = n, b = 1;
    }
    if (!chain_init(pool, &l->a, a) || !chain_init(pool, &l->b, b))
        return false;
    if (l->mode == LINE_CHAIN) {
        l->scratch = 3 * n * sizeof(cvec);
        return true;
    }
    bool block = l->mode == LINE_BLOCK;
    l->twist = block ? table_block_twist(pool, a, b) : table_inner_twist(pool, a, b);
    size_t panel = block ? a * (b | 1) : a + (a + LANES - 1) / LANES * b;
    l->scratch = (panel + 3 * longer) * sizeof(cvec);
    return l->twist != NULL;
}
