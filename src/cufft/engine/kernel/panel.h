// SPDX-License-Identifier: Apache-2.0
// Lines between the caller's memory and lanes: a panel is an array of vectors, element k of the lines in vector k.

struct group {
    ptrdiff_t in[LANES], out[LANES]; // of each lane's line, in scalars
    int lanes;                       // that have a line; the others have the last one again
    uint64_t first;                  // of loop 0
};

static struct group group_of(const struct fft_phase *ph, uint64_t part)
{
    const struct fft_loop *l0 = &ph->loop[0];
    uint64_t across = (l0->n + LANES - 1) / LANES;
    struct group g = {.first = part % across * LANES};
    int64_t in = ph->in.offset, out = ph->out.offset;
    phase_line(ph, part / across, 1, &in, &out);
    g.lanes = l0->n - g.first < LANES ? (int)(l0->n - g.first) : LANES;
    for (int l = 0; l < LANES; l++) {
        int64_t i = (int64_t)g.first + (l < g.lanes ? l : g.lanes - 1);
        g.in[l] = in + i * l0->in;
        g.out[l] = out + i * l0->out;
    }
    return g;
}

// Whether the lanes lie side by side, as ports of the user's have them.
static bool side_by_side(const struct group *g, const struct fft_place *at, int64_t apart)
{
    return g->lanes == LANES && at->imag == 1 && apart == 2;
}

static bool contiguous(const struct fft_place *at)
{
    return at->step == 2 && at->imag == 1;
}

// A line that comes next, to the second cache. The processor's own prefetch does not see lines that are read in columns.
static void prefetch_line(char *const buffer[3], const struct fft_place *at, int64_t offset, size_t n, const bool write)
{
    if (!contiguous(at))
        return;
    const char *p = buffer[at->buffer] + offset * (int64_t)sizeof(scalar);
    for (size_t i = 0; i < n * 2 * sizeof(scalar); i += 64) {
        if (write)
            __builtin_prefetch(p + i, 1, 2);
        else
            __builtin_prefetch(p + i, 0, 2);
    }
}

static void load_any(cvec *x, size_t from, size_t to, const scalar *base, const struct group *g,
                     const struct fft_place *at)
{
    for (size_t k = from; k < to; k++) {
        const scalar *p = base + (ptrdiff_t)k * at->step;
        cvec v = {{0}, {0}};
        for (int l = 0; l < g->lanes; l++)
            v.r[l] = p[g->in[l]];
        for (int l = 0; l < g->lanes && at->imag; l++)
            v.i[l] = p[g->in[l] + at->imag];
        x[k] = v;
    }
}

// LANES elements of each line, where a line's elements lie side by side.
ALWAYS void load_tile(cvec *x, const scalar *base, const struct group *g)
{
    vec r[LANES], i[LANES];
    _Pragma("GCC unroll 16") for (int l = 0; l < LANES; l++)
    {
        cvec v = load_complex(base + g->in[l]);
        r[l] = v.r;
        i[l] = v.i;
    }
    transpose(r);
    transpose(i);
    _Pragma("GCC unroll 16") for (int l = 0; l < LANES; l++) x[l] = (cvec){r[l], i[l]};
}

static void swap_panel(cvec *x, size_t n)
{
    for (size_t k = 0; k < n; k++)
        x[k] = (cvec){x[k].i, x[k].r};
}

static void panel_load(cvec *x, size_t n, const scalar *base, const struct group *g, const struct fft_place *at,
                       bool swap)
{
    size_t whole = contiguous(at) ? n - n % LANES : 0;
    for (size_t k = 0; k < whole; k += LANES)
        load_tile(x + k, base + 2 * k, g);
    load_any(x, whole, n, base, g, at);
    if (swap)
        swap_panel(x, n);
}

static void store_any(const cvec *x, size_t from, size_t to, scalar *base, const struct group *g,
                      const struct fft_place *at)
{
    for (size_t k = from; k < to; k++) {
        scalar *p = base + (ptrdiff_t)k * at->step;
        for (int l = 0; l < g->lanes; l++)
            p[g->out[l]] = x[k].r[l];
        for (int l = 0; l < g->lanes && at->imag; l++)
            p[g->out[l] + at->imag] = x[k].i[l];
    }
}

ALWAYS void store_tile(const cvec *x, scalar *base, const struct group *g)
{
    vec r[LANES], i[LANES];
    _Pragma("GCC unroll 16") for (int l = 0; l < LANES; l++)
    {
        r[l] = x[l].r;
        i[l] = x[l].i;
    }
    transpose(r);
    transpose(i);
    _Pragma("GCC unroll 16") for (int l = 0; l < LANES; l++) if (l < g->lanes)
        store_complex(base + g->out[l], (cvec){r[l], i[l]});
}

static void panel_store(cvec *x, size_t n, scalar *base, const struct group *g, const struct fft_place *at, bool swap)
{
    if (swap)
        swap_panel(x, n);
    size_t whole = contiguous(at) ? n - n % LANES : 0;
    for (size_t k = 0; k < whole; k += LANES)
        store_tile(x + k, base + 2 * k, g);
    store_any(x, whole, n, base, g, at);
}
