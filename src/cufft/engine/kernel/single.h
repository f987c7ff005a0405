// SPDX-License-Identifier: Apache-2.0
// One line at a time, contiguous, with its own parts in the lanes.

// Up to LANES complex numbers, the rest zeros.
static cvec load_some(const scalar *p, int count)
{
    scalar t[2 * LANES] = {0};
    memcpy(t, p, sizeof(scalar) * 2 * (size_t)count);
    return load_complex(t);
}

static void store_some(scalar *p, cvec v, int count)
{
    scalar t[2 * LANES];
    store_complex(t, v);
    memcpy(p, t, sizeof(scalar) * 2 * (size_t)count);
}

// A tile between the columns' results, with their factors, and the rows: `count` rows of it, the others zero.
ALWAYS void inner_tile(cvec *to, const cvec *from, const cvec *w, int count, int columns)
{
    vec r[LANES], i[LANES];
    _Pragma("GCC unroll 16") for (int l = 0; l < LANES; l++)
    {
        cvec v = l < count ? mul(from[l], w[l]) : (cvec){{0}, {0}};
        r[l] = v.r;
        i[l] = v.i;
    }
    transpose(r);
    transpose(i);
    _Pragma("GCC unroll 16") for (int l = 0; l < LANES; l++) if (l < columns) to[l] = (cvec){r[l], i[l]};
}

// Block `i` of LANES neighbours of n. The last one begins earlier, so that it is whole: what two blocks have in common is done twice.
static size_t block_start(size_t i, size_t n)
{
    return n >= LANES && (i + 1) * LANES > n ? n - LANES : i * LANES;
}

// n = a b. LANES columns of a at a time; then, by a transposition, LANES rows of b. Both ends are vectors of neighbours.
static void inner_line(const struct fft_line *l, const scalar *in, scalar *out, bool swap, cvec *scratch)
{
    size_t a = l->a.n, b = l->b.n, down = (a + LANES - 1) / LANES, across = (b + LANES - 1) / LANES;
    cvec *x = scratch, *result = x + a, *panel = result + (a > b ? a : b), *rest = panel + down * b;
    const cvec *w = l->twist;
    struct port between = port_of(result, 1);
    for (size_t i = 0; i < across; i++, w += a) {
        size_t j = block_start(i, b);
        struct port from = {(char *)(in + 2 * j), (ptrdiff_t)(2 * b * sizeof(scalar)), true, swap};
        if (b < LANES) {
            for (size_t k = 0; k < a; k++)
                x[k] = swap_if(load_some(in + 2 * k * b, (int)b), swap);
            from = port_of(x, 1);
        }
        chain_run(&l->a, &from, &between, rest);
        for (size_t c = 0; a >= LANES && b >= LANES && c < down; c++) {
            size_t k = block_start(c, a);
            inner_tile(panel + c * b + j, result + k, w + k, LANES, LANES);
        }
        for (size_t c = 0; (a < LANES || b < LANES) && c < down; c++) {
            size_t k = block_start(c, a);
            inner_tile(panel + c * b + j, result + k, w + k, a < LANES ? (int)a : LANES, b < LANES ? (int)b : LANES);
        }
    }
    for (size_t c = 0; c < down; c++) {
        size_t k = block_start(c, a);
        struct port from = port_of(panel + c * b, 1);
        struct port to = {(char *)(out + 2 * k), (ptrdiff_t)(2 * a * sizeof(scalar)), true, swap};
        chain_run(&l->b, &from, a >= LANES ? &to : &between, rest);
        for (size_t j = 0; j < b && a < LANES; j++)
            store_some(out + 2 * j * a, swap_if(result[j], swap), (int)a);
    }
}

// to[k] = from[k] w[k], with parts exchanged before and after.
static void line_mul(scalar *to, const scalar *from, const scalar *w, size_t n, bool before, bool after)
{
    size_t k = 0;
    for (; k + LANES <= n; k += LANES)
        store_complex(to + 2 * k,
                      swap_if(mul(swap_if(load_complex(from + 2 * k), before), load_complex(w + 2 * k)), after));
    if (k < n) {
        int rest = (int)(n - k);
        cvec v = mul(swap_if(load_some(from + 2 * k, rest), before), load_some(w + 2 * k, rest));
        store_some(to + 2 * k, swap_if(v, after), rest);
    }
}

// As lanes_bluestein.
static void bluestein_line(const struct fft_line *l, const scalar *in, scalar *out, bool swap, cvec *scratch)
{
    size_t m = l->conv->n;
    size_t vectors = (m + LANES - 1) / LANES;
    scalar *x = (scalar *)scratch, *y = (scalar *)(scratch + vectors);
    line_mul(x, in, l->chirp, l->n, swap, false);
    memset(x + 2 * l->n, 0, (m - l->n) * 2 * sizeof(scalar));
    inner_line(l->conv, x, y, false, scratch + 2 * vectors);
    line_mul(y, y, l->filter, m, false, false);
    inner_line(l->conv, y, x, true, scratch + 2 * vectors);
    line_mul(out, x, l->chirp, l->n, false, swap);
}

static void single_line(const struct fft_line *l, const scalar *in, scalar *out, bool swap, cvec *scratch)
{
    (l->mode == LINE_INNER ? inner_line : bluestein_line)(l, in, out, swap, scratch);
}

// --- real lines: lanes_unpack and lanes_pack, for one line ---

ALWAYS cvec load_reversed(const scalar *p)
{
    cvec v = load_complex(p);
    return (cvec){SHUFFLE(v.r, v.r, REVERSED), SHUFFLE(v.i, v.i, REVERSED)};
}

ALWAYS void store_reversed(scalar *p, cvec v)
{
    store_complex(p, (cvec){SHUFFLE(v.r, v.r, REVERSED), SHUFFLE(v.i, v.i, REVERSED)});
}

ALWAYS void unpack_pair(cvec *a, cvec *b, cvec w)
{
    cvec e = {(a->r + b->r) * (scalar)0.5, (a->i - b->i) * (scalar)0.5};
    cvec o = mul((cvec){(a->i + b->i) * (scalar)0.5, (b->r - a->r) * (scalar)0.5}, w);
    *a = add(e, o);
    *b = (cvec){e.r - o.r, o.i - e.i};
}

ALWAYS void pack_pair(cvec *a, cvec *b, cvec w)
{
    cvec s = {a->r + b->r, a->i - b->i};
    cvec d = mul((cvec){a->r - b->r, a->i + b->i}, (cvec){w.r, -w.i});
    *a = (cvec){s.r - d.i, s.i + d.r};
    *b = (cvec){s.r + d.i, d.r - s.i};
}

// Pairs k and h - k from 1 on: of `from` to `to`, which may be the same.
static void pairs_line(const scalar *from, scalar *to, size_t h, const scalar *w, const bool pack)
{
    size_t k = 1;
    for (; 2 * (k + LANES) <= h; k += LANES) {
        cvec a = load_complex(from + 2 * k), b = load_reversed(from + 2 * (h - k - LANES + 1)),
             v = load_complex(w + 2 * k);
        if (pack)
            pack_pair(&a, &b, v);
        else
            unpack_pair(&a, &b, v);
        store_complex(to + 2 * k, a);
        store_reversed(to + 2 * (h - k - LANES + 1), b);
    }
    for (; 2 * k <= h; k++) {
        cvec a = load_some(from + 2 * k, 1), b = load_some(from + 2 * (h - k), 1), v = load_some(w + 2 * k, 1);
        if (pack)
            pack_pair(&a, &b, v);
        else
            unpack_pair(&a, &b, v);
        store_some(to + 2 * k, a, 1);
        store_some(to + 2 * (h - k), b, 1);
    }
}

static void unpack_line(const scalar *z, scalar *x, size_t h, const scalar *w)
{
    scalar re = z[0], im = z[1];
    pairs_line(z, x, h, w, false);
    x[0] = re + im;
    x[2 * h] = re - im;
    x[1] = x[2 * h + 1] = 0;
}

static void pack_line(const scalar *x, scalar *z, size_t h, const scalar *w)
{
    scalar first = x[0], last = x[2 * h];
    pairs_line(x, z, h, w, true);
    z[0] = first + last;
    z[1] = first - last;
}

// --- parts ---

static void line_gather(scalar *to, const scalar *from, const struct fft_place *at, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        const scalar *p = from + (ptrdiff_t)k * at->step;
        to[2 * k] = p[0];
        to[2 * k + 1] = at->imag ? p[at->imag] : 0;
    }
}

static void line_scatter(scalar *to, const scalar *from, const struct fft_place *at, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        scalar *p = to + (ptrdiff_t)k * at->step;
        p[0] = from[2 * k];
        if (at->imag)
            p[at->imag] = from[2 * k + 1];
    }
}

static void single_part(const struct fft_phase *ph, char *const buffer[3], bool swap, uint64_t part, void *scratch)
{
    const struct fft_line *l = ph->line;
    int64_t in_at = ph->in.offset, out_at = ph->out.offset;
    phase_line(ph, part, 0, &in_at, &out_at);
    const scalar *in = (const scalar *)buffer[ph->in.buffer] + in_at;
    scalar *out = (scalar *)buffer[ph->out.buffer] + out_at;
    if (part + 1 < ph->parts) {
        int64_t next_in = ph->in.offset, next_out = ph->out.offset;
        phase_line(ph, part + 1, 0, &next_in, &next_out);
        prefetch_line(buffer, &ph->in, next_in, l->n, false);
        prefetch_line(buffer, &ph->out, next_out, l->n, true);
    }
    size_t half = ph->n / 2, vectors = l->n / LANES + 2;
    scalar *x = scratch, *y = (scalar *)((cvec *)scratch + vectors);
    cvec *rest = (cvec *)scratch + 2 * vectors;
    bool backward_real = ph->real == REAL_BACKWARD_EVEN || ph->real == REAL_BACKWARD_ODD;
    size_t reads = backward_real ? half + 1 : l->n, writes = ph->real && !backward_real ? half + 1 : l->n;
    if (!contiguous(&ph->in) || ph->real == REAL_BACKWARD_ODD) {
        line_gather(x, in, &ph->in, reads);
        in = x;
    }
    if (ph->real == REAL_BACKWARD_EVEN) {
        pack_line(in, x, half, ph->table);
        in = x;
    }
    if (ph->real == REAL_BACKWARD_ODD) {
        x[1] = 0;
        for (size_t k = 1; k <= half; k++) {
            x[2 * (l->n - k)] = x[2 * k];
            x[2 * (l->n - k) + 1] = -x[2 * k + 1];
        }
    }
    bool straight = contiguous(&ph->out) && ph->real != REAL_FORWARD_ODD;
    scalar *to = straight && ph->real != REAL_FORWARD_EVEN ? out : y;
    single_line(l, in, to, swap, rest);
    if (ph->real == REAL_FORWARD_EVEN)
        unpack_line(y, straight ? out : y, half, ph->table);
    if (!straight)
        line_scatter(out, y, &ph->out, writes);
}
