// SPDX-License-Identifier: Apache-2.0
// LANES lines at a time, one in each lane.

// The factors between two phases of one long line, for the lines that a group has.
struct twist {
    const struct roots *roots;
    const cvec *lanes;
    uint64_t first;
};

ALWAYS cvec twist_apply(const struct twist *t, cvec v, uint64_t k)
{
    double re, im;
    roots_get(t->roots, t->first * k, &re, &im);
    return mul_scalar(mul(v, t->lanes[k]), (scalar)re, (scalar)im);
}

// From a panel of results to a port: elements from, from + by, ...
static void twist_put(const struct twist *t, const cvec *x, const struct port *out, size_t n, size_t from, size_t by)
{
    for (size_t i = 0; i < n; i++, from += by)
        port_put(out->p + (ptrdiff_t)from * out->step, twist_apply(t, x[i], from), out->user, out->swap);
}

static void lanes_line(const struct fft_line *l, const struct port *in, const struct port *out, const struct twist *t,
                       cvec *scratch);

static void lanes_chain(const struct fft_line *l, const struct port *in, const struct port *out, const struct twist *t,
                        cvec *scratch)
{
    if (!t) {
        chain_run(&l->a, in, out, scratch);
        return;
    }
    struct port result = port_of(scratch + 2 * l->n, 1);
    chain_run(&l->a, in, &result, scratch);
    twist_put(t, scratch + 2 * l->n, out, l->n, 0, 1);
}

// n = a b: b columns of a, factors, a rows of b. The rows of the panel between are an odd number of vectors apart, so that a
// column's elements do not share a set of the cache.
static void lanes_block(const struct fft_line *l, const struct port *in, const struct port *out, const struct twist *t,
                        cvec *scratch)
{
    size_t rows = l->a.n, columns = l->b.n, pitch = columns | 1, longer = rows > columns ? rows : columns;
    cvec *result = scratch + rows * pitch, *rest = result + longer;
    const scalar *w = l->twist;
    struct port between = port_of(result, 1);
    for (size_t j = 0; j < columns; j++, w += 2 * rows) {
        struct port column = {in->p + (ptrdiff_t)j * in->step, in->step * (ptrdiff_t)columns, in->user, in->swap};
        chain_run(&l->a, &column, &between, rest);
        for (size_t k = 0; k < rows; k++)
            scratch[k * pitch + j] = mul_scalar(result[k], w[2 * k], w[2 * k + 1]);
    }
    for (size_t k = 0; k < rows; k++) {
        struct port row = {out->p + (ptrdiff_t)k * out->step, out->step * (ptrdiff_t)rows, out->user, out->swap};
        struct port from = port_of(scratch + k * pitch, 1);
        chain_run(&l->b, &from, t ? &between : &row, rest);
        if (t)
            twist_put(t, result, out, columns, k, rows);
    }
}

// Bluestein: j k = (j^2 + k^2 - (k - j)^2) / 2 makes of the transform a convolution with a chirp, of any length from 2 n - 1 on.
static void lanes_bluestein(const struct fft_line *l, const struct port *in, const struct port *out, cvec *scratch)
{
    size_t m = l->conv->n;
    cvec *x = scratch, *y = x + m, *rest = y + m;
    const scalar *c = l->chirp, *f = l->filter;
    struct port px = port_of(x, 1), py = port_of(y, 1);
    for (size_t k = 0; k < l->n; k++)
        x[k] = mul_scalar(port_get(in->p + (ptrdiff_t)k * in->step, in->user, in->swap), c[2 * k], c[2 * k + 1]);
    memset(x + l->n, 0, (m - l->n) * sizeof *x);
    lanes_line(l->conv, &px, &py, NULL, rest);
    for (size_t k = 0; k < m; k++)
        y[k] = swap_if(mul_scalar(y[k], f[2 * k], f[2 * k + 1]), true);
    lanes_line(l->conv, &py, &px, NULL, rest);
    for (size_t k = 0; k < l->n; k++)
        port_put(out->p + (ptrdiff_t)k * out->step, mul_scalar(swap_if(x[k], true), c[2 * k], c[2 * k + 1]), out->user,
                 out->swap);
}

// From port to port; all is read before the first is written. The scratch is the line's.
static void lanes_line(const struct fft_line *l, const struct port *in, const struct port *out, const struct twist *t,
                       cvec *scratch)
{
    if (l->mode == LINE_CHAIN)
        lanes_chain(l, in, out, t, scratch);
    else if (l->mode == LINE_BLOCK)
        lanes_block(l, in, out, t, scratch);
    else
        lanes_bluestein(l, in, out, scratch);
}

// --- real lines ---

// z: the transform of x[2 j] + i x[2 j + 1]. Out: those of the even and of the odd elements, put together; in place but for [h].
// With e and o for them at k, out[k] = e + w^k o and out[h - k] = conj(e - w^k o).
static void lanes_unpack(cvec *z, size_t h, const scalar *w)
{
    cvec first = z[0];
    for (size_t k = 1; 2 * k <= h; k++) {
        cvec a = z[k], b = z[h - k];
        cvec e = {(a.r + b.r) * (scalar)0.5, (a.i - b.i) * (scalar)0.5};
        cvec o = {(a.i + b.i) * (scalar)0.5, (b.r - a.r) * (scalar)0.5};
        o = mul_scalar(o, w[2 * k], w[2 * k + 1]);
        z[k] = add(e, o);
        z[h - k] = (cvec){e.r - o.r, o.i - e.i};
    }
    z[0] = (cvec){first.r + first.i, first.r * 0};
    z[h] = (cvec){first.r - first.i, first.r * 0};
}

// Its inverse without the factors of one half: with s = x[k] + conj x[h - k], d = (x[k] - conj x[h - k]) conj w^k,
// z[k] = s + i d and z[h - k] = conj(s - i d). Imaginary parts of x[0] and x[h], which have none, are not looked at.
static void lanes_pack(cvec *x, size_t h, const scalar *w)
{
    for (size_t k = 1; 2 * k <= h; k++) {
        cvec a = x[k], b = x[h - k];
        cvec s = {a.r + b.r, a.i - b.i};
        cvec d = mul_scalar((cvec){a.r - b.r, a.i + b.i}, w[2 * k], -w[2 * k + 1]);
        x[k] = (cvec){s.r - d.i, s.i + d.r};
        x[h - k] = (cvec){s.r + d.i, d.r - s.i};
    }
    x[0] = (cvec){x[0].r + x[h].r, x[0].r - x[h].r};
}

static void lanes_hermitian(cvec *x, size_t n)
{
    x[0].i = x[0].i * 0;
    for (size_t k = 1; 2 * k < n; k++)
        x[n - k] = (cvec){x[k].r, -x[k].i};
}

static void lanes_real(const struct fft_phase *ph, const struct group *g, const scalar *in, scalar *out, cvec *x,
                       cvec *scratch)
{
    const struct fft_line *l = ph->line;
    size_t half = ph->n / 2;
    cvec *y = x + l->n + 2;
    bool backward = ph->real == REAL_BACKWARD_EVEN || ph->real == REAL_BACKWARD_ODD;
    panel_load(x, backward ? half + 1 : l->n, in, g, &ph->in, false);
    if (ph->real == REAL_BACKWARD_EVEN)
        lanes_pack(x, half, ph->table);
    if (ph->real == REAL_BACKWARD_ODD)
        lanes_hermitian(x, l->n);
    if (backward)
        swap_panel(x, l->n);
    struct port px = port_of(x, 1), py = port_of(y, 1);
    lanes_line(l, &px, &py, NULL, scratch);
    if (ph->real == REAL_FORWARD_EVEN)
        lanes_unpack(y, half, ph->table);
    panel_store(y, backward ? l->n : half + 1, out, g, &ph->out, backward);
}

static void lanes_part(const struct fft_phase *ph, char *const buffer[3], bool swap, uint64_t part, void *scratch)
{
    struct group g = group_of(ph, part);
    const struct fft_line *l = ph->line;
    if (part + 1 < ph->parts) {
        struct group next = group_of(ph, part + 1);
        for (int i = 0; i < next.lanes; i++) {
            prefetch_line(buffer, &ph->in, next.in[i], l->n, false);
            prefetch_line(buffer, &ph->out, next.out[i], l->n, true);
        }
    }
    scalar *in = (scalar *)buffer[ph->in.buffer], *out = (scalar *)buffer[ph->out.buffer];
    cvec *x = scratch, *y = x + l->n + 2, *rest = y + l->n + 2;
    if (ph->real) {
        lanes_real(ph, &g, in, out, x, rest);
        return;
    }
    struct port from = port_of(x, 1), to = port_of(y, 1);
    bool in_place = side_by_side(&g, &ph->in, ph->loop[0].in), out_place = side_by_side(&g, &ph->out, ph->loop[0].out);
    if (in_place)
        from = (struct port){(char *)(in + g.in[0]), ph->in.step * (ptrdiff_t)sizeof(scalar), true, swap};
    else
        panel_load(x, l->n, in, &g, &ph->in, swap);
    if (out_place)
        to = (struct port){(char *)(out + g.out[0]), ph->out.step * (ptrdiff_t)sizeof(scalar), true, swap};
    struct twist t = {ph->twist, ph->twist_lanes, g.first};
    lanes_line(l, &from, &to, ph->twist ? &t : NULL, rest);
    if (!out_place)
        panel_store(y, l->n, out, &g, &ph->out, swap);
}
