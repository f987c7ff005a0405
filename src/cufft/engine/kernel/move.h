// SPDX-License-Identifier: Apache-2.0
// Phases that go through lines element by element, in chunks: the ends of what is too long for one part.

struct pair {
    scalar r, i;
};

// One side of a line.
struct side {
    scalar *p;
    ptrdiff_t step, imag;
};

typedef void chunk_fn(const struct fft_phase *ph, struct side in, struct side out, uint64_t k, uint64_t to, bool swap);

ALWAYS struct pair side_get(struct side s, uint64_t k, bool swap)
{
    scalar r = s.p[(ptrdiff_t)k * s.step], i = s.imag ? s.p[(ptrdiff_t)k * s.step + s.imag] : 0;
    return swap ? (struct pair){i, r} : (struct pair){r, i};
}

ALWAYS void side_put(struct side s, uint64_t k, struct pair v, bool swap)
{
    s.p[(ptrdiff_t)k * s.step] = swap ? v.i : v.r;
    if (s.imag)
        s.p[(ptrdiff_t)k * s.step + s.imag] = swap ? v.r : v.i;
}

ALWAYS struct pair pair_mul(struct pair a, scalar wr, scalar wi)
{
    return (struct pair){a.r * wr - a.i * wi, a.r * wi + a.i * wr};
}

static struct pair move_unpack(const struct fft_phase *ph, struct side in, uint64_t k, bool swap)
{
    (void)swap;
    uint64_t h = ph->n / 2;
    double re, im;
    roots_get(ph->twist, k, &re, &im);
    struct pair a = side_get(in, k == h ? 0 : k, false), b = side_get(in, k ? h - k : 0, false);
    struct pair o = {(a.i + b.i) * (scalar)0.5, (b.r - a.r) * (scalar)0.5};
    o = pair_mul(o, (scalar)re, (scalar)im);
    return (struct pair){(a.r + b.r) * (scalar)0.5 + o.r, k % h ? (a.i - b.i) * (scalar)0.5 + o.i : 0};
}

static struct pair move_pack(const struct fft_phase *ph, struct side in, uint64_t k, bool swap)
{
    (void)swap;
    uint64_t h = ph->n / 2;
    double re, im;
    roots_get(ph->twist, k, &re, &im);
    struct pair a = side_get(in, k, false), b = side_get(in, h - k, false);
    if (k == 0)
        a.i = b.i = 0;
    struct pair d = pair_mul((struct pair){a.r - b.r, a.i + b.i}, (scalar)re, (scalar)-im);
    return (struct pair){a.r + b.r - d.i, a.i - b.i + d.r};
}

static struct pair move_real(const struct fft_phase *ph, struct side in, uint64_t k, bool swap)
{
    (void)ph, (void)swap;
    return side_get(in, k, false);
}

static struct pair move_hermitian(const struct fft_phase *ph, struct side in, uint64_t k, bool swap)
{
    (void)swap;
    bool upper = k > ph->n / 2;
    struct pair v = side_get(in, upper ? ph->n - k : k, false);
    return (struct pair){v.r, k == 0 ? 0 : upper ? -v.i : v.i};
}

static struct pair move_factor(const struct fft_phase *ph, struct side in, uint64_t k, bool swap)
{
    const scalar *w = (const scalar *)ph->table + 2 * k;
    return k < ph->n ? pair_mul(side_get(in, k, swap), w[0], w[1]) : (struct pair){0, 0};
}

#define MOVE(NAME)                                                                                                     \
    static void chunk_##NAME(const struct fft_phase *ph, struct side in, struct side out, uint64_t k, uint64_t to,     \
                             bool swap)                                                                                \
    {                                                                                                                  \
        for (; k < to; k++)                                                                                            \
            side_put(out, k, move_##NAME(ph, in, k, swap), swap);                                                      \
    }
MOVE(unpack)
MOVE(pack)
MOVE(real)
MOVE(hermitian)
MOVE(factor)

static bool both_contiguous(struct side in, struct side out)
{
    return in.step == 2 && in.imag == 1 && out.step == 2 && out.imag == 1;
}

// Of contiguous lines, vectors; k = 0 and what is left at the end singly.
static void vectors_pairs(const struct fft_phase *ph, struct side in, struct side out, uint64_t k, uint64_t to,
                          bool swap)
{
    chunk_fn *single = ph->move == MOVE_UNPACK ? chunk_unpack : chunk_pack;
    uint64_t h = ph->n / 2;
    if (both_contiguous(in, out)) {
        if (k == 0)
            single(ph, in, out, k, 1, swap), k = 1;
        for (; k + LANES <= to && k + LANES <= h; k += LANES) {
            cvec a = load_complex(in.p + 2 * k), b = load_reversed(in.p + 2 * (h - k - LANES + 1));
            double re, im;
            roots_get(ph->twist, k, &re, &im);
            cvec w = mul_scalar(((const cvec *)ph->twist_lanes)[1], (scalar)re, (scalar)im);
            if (ph->move == MOVE_UNPACK)
                unpack_pair(&a, &b, w);
            else
                pack_pair(&a, &b, w);
            store_complex(out.p + 2 * k, a);
        }
    }
    single(ph, in, out, k, to, swap);
}

static void vectors_factor(const struct fft_phase *ph, struct side in, struct side out, uint64_t k, uint64_t to,
                           bool swap)
{
    uint64_t end = to < ph->n ? to : ph->n;
    if (both_contiguous(in, out) && k < end) {
        line_mul(out.p + 2 * k, in.p + 2 * k, (const scalar *)ph->table + 2 * k, end - k, swap, swap);
        k = end;
    }
    chunk_factor(ph, in, out, k, to, swap);
}

static void chunk_fill_chirp(const struct fft_phase *ph, struct side in, struct side out, uint64_t k, uint64_t to,
                             bool swap)
{
    (void)in, (void)out, (void)swap;
    scalar *c = (scalar *)ph->table;
    uint64_t whole = 2 * ph->n, square = (uint64_t)((unsigned __int128)k * k % whole);
    for (; k < to; k++) {
        double re, im;
        roots_get(ph->twist, square, &re, &im);
        c[2 * k] = (scalar)re;
        c[2 * k + 1] = (scalar)im;
        square += 2 * k + 1;
        square -= square >= whole ? whole : 0;
    }
}

static void chunk_fill_filter(const struct fft_phase *ph, struct side in, struct side out, uint64_t k, uint64_t to,
                              bool swap)
{
    (void)in, (void)swap;
    const scalar *c = ph->table;
    scalar m = (scalar)ph->span;
    for (; k < to; k++) {
        uint64_t j = k < ph->n ? k : ph->span - k;
        bool within = j < ph->n;
        side_put(out, k, (struct pair){within ? c[2 * j] / m : 0, within ? -c[2 * j + 1] / m : 0}, false);
    }
}

static void chunk_keep(const struct fft_phase *ph, struct side in, struct side out, uint64_t k, uint64_t to, bool swap)
{
    (void)out, (void)swap;
    memcpy((scalar *)ph->table + 2 * k, in.p + 2 * k, (to - k) * 2 * sizeof(scalar));
}

static chunk_fn *const move_table[] = {
    [MOVE_UNPACK] = vectors_pairs,      [MOVE_PACK] = vectors_pairs,          [MOVE_REAL] = chunk_real,
    [MOVE_HERMITIAN] = chunk_hermitian, [MOVE_CHIRP_IN] = vectors_factor,     [MOVE_FILTER] = vectors_factor,
    [MOVE_CHIRP_OUT] = vectors_factor,  [MOVE_FILL_CHIRP] = chunk_fill_chirp, [MOVE_FILL_FILTER] = chunk_fill_filter,
    [MOVE_KEEP] = chunk_keep,
};

static void move_part(const struct fft_phase *ph, char *const buffer[3], bool swap, uint64_t part)
{
    uint64_t chunks = (ph->span + MOVE_CHUNK - 1) / MOVE_CHUNK, from = part % chunks * MOVE_CHUNK;
    uint64_t to = ph->span - from < MOVE_CHUNK ? ph->span : from + MOVE_CHUNK;
    int64_t in_at = ph->in.offset, out_at = ph->out.offset;
    phase_line(ph, part / chunks, 0, &in_at, &out_at);
    struct side in = {(scalar *)buffer[ph->in.buffer] + in_at, ph->in.step, ph->in.imag};
    struct side out = {(scalar *)buffer[ph->out.buffer] + out_at, ph->out.step, ph->out.imag};
    bool factor = ph->move >= MOVE_CHIRP_IN;
    if (ph->done)
        __atomic_store_n(ph->done, 1, __ATOMIC_RELEASE);
    move_table[ph->move](ph, in, out, from, to, swap && factor);
}
