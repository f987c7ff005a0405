// SPDX-License-Identifier: Apache-2.0
// Images with alpha laid over each other, and sums that grow in place.
#include "npp/body.h"
#include "npp/kernel/move.h"
#include <string.h>

static double range_of(enum npp_type t)
{
    static const double most[] = {[NT_8u] = 255,           [NT_8s] = 127,           [NT_16u] = 65535, [NT_16s] = 32767,
                                  [NT_32u] = 4294967295.0, [NT_32s] = 2147483647.0, [NT_32f] = 1};
    return most[t];
}

// How much of both sources is in the result, by their alphas p and q: of colours that carry their alpha the operations are the same
// less that factor.
struct share {
    double a, b, alpha;
};
static struct share share_of(int op, double p, double q)
{
    bool carried = op >= NPPI_OP_ALPHA_OVER_PREMUL && op <= NPPI_OP_ALPHA_PLUS_PREMUL;
    double fp = carried ? 1 : p, fq = carried ? 1 : q;
    switch (op) {
    case NPPI_OP_ALPHA_OVER:
    case NPPI_OP_ALPHA_OVER_PREMUL:
        return (struct share){fp, fq * (1 - p), p + q * (1 - p)};
    case NPPI_OP_ALPHA_IN:
    case NPPI_OP_ALPHA_IN_PREMUL:
        return (struct share){fp * q, 0, p * q};
    case NPPI_OP_ALPHA_OUT:
    case NPPI_OP_ALPHA_OUT_PREMUL:
        return (struct share){fp * (1 - q), 0, p * (1 - q)};
    case NPPI_OP_ALPHA_ATOP:
    case NPPI_OP_ALPHA_ATOP_PREMUL:
        return (struct share){fp * q, fq * (1 - p), q};
    case NPPI_OP_ALPHA_XOR:
    case NPPI_OP_ALPHA_XOR_PREMUL:
        return (struct share){fp * (1 - q), fq * (1 - p), p + q - 2 * p * q};
    case NPPI_OP_ALPHA_PLUS:
    case NPPI_OP_ALPHA_PLUS_PREMUL:
        return (struct share){fp, fq, p + q};
    default:
        return (struct share){p, 0, p};
    }
}

// Each pixel has its alpha (AC4, AC1), or both images have one (list[0]).
static void run_compose(const void *block, uint64_t part)
{
    const struct npp_job *j = block;
    size_t size = npp_size(j->form.s);
    unsigned channels = j->form.channels, colours = j->list[0] ? npp_used(&j->form) : channels - 1;
    double a[NPP_CHUNK], b[NPP_CHUNK] = {0}, most = range_of(j->form.s);
    unsigned char chunk[NPP_CHUNK * 8];
    int from, to, op = j->list[1];
    bool both = j->c.src[1].data != NULL;
    npp_part(j, part, &from, &to);
    for (int y = from; y < to; y++)
        for (size_t i = 0, n = npp_numbers(j, y); i < n; i += NPP_CHUNK) {
            size_t count = n - i < NPP_CHUNK ? n - i : NPP_CHUNK;
            npp_load(j->form.s, npp_at(&j->c.src[0], y, i * size), a, count);
            if (both)
                npp_load(j->form.s, npp_at(&j->c.src[1], y, i * size), b, count);
            for (size_t k = 0; k < count; k += channels) {
                double p = (j->list[0] ? j->c.number[0] : a[k + channels - 1]) / most;
                double q = (j->list[0] ? j->c.number[1] : b[k + channels - 1]) / most;
                struct share s = share_of(op, p, q);
                for (unsigned m = 0; m < colours; m++)
                    a[k + m] = a[k + m] * s.a + b[k + m] * s.b;
                if (!j->list[0])
                    a[k + channels - 1] = s.alpha * most;
            }
            npp_save(j->form.s, a, chunk, count);
            npp_store(j, y, i, chunk, count, size);
        }
}
static struct library_kernel compose_kernel = LIBRARY_KERNEL("npp_compose", run_compose, struct npp_job);
static NppStatus compose(const struct npp_call *c, int op)
{
    struct npp_job j = npp_job(c);
    j.list[0] = c->form->argument;
    j.list[1] = op;
    if (!c->form->argument) // alpha is written too
        j.form.dst_alpha = false;
    return npp_launch(&compose_kernel, &j, c->size.height, 4.0 * (double)npp_row(c->form, c->size.width));
}
NppStatus npp_compose(const struct npp_call *c)
{
    NPP_ENTER(c);
    NPP_CHECK(c->mode >= NPPI_OP_ALPHA_OVER && c->mode <= NPPI_OP_ALPHA_PREMUL, NPP_BAD_ARGUMENT_ERROR);
    return compose(c, c->mode);
}
NppStatus npp_premultiply(const struct npp_call *c)
{
    NPP_ENTER(c);
    return compose(c, NPPI_OP_ALPHA_PREMUL);
}

// ---- sums that grow
static void run_accumulate(const void *block, uint64_t part)
{
    const struct npp_job *j = block;
    size_t size = npp_size(j->form.s), out = npp_size(j->form.d);
    double a[NPP_CHUNK], b[NPP_CHUNK], sum[NPP_CHUNK], weight = j->c.number[0];
    unsigned char chunk[NPP_CHUNK * 8];
    int from, to;
    npp_part(j, part, &from, &to);
    for (int y = from; y < to; y++)
        for (size_t i = 0, n = npp_numbers(j, y); i < n; i += NPP_CHUNK) {
            size_t count = n - i < NPP_CHUNK ? n - i : NPP_CHUNK;
            const struct npp_image *second = &j->c.src[j->form.argument == ACCUMULATE_PRODUCT];
            npp_load(j->form.s, npp_at(&j->c.src[0], y, i * size), a, count);
            npp_load(j->form.s, npp_at(second, y, i * size), b, count);
            npp_load(j->form.d, npp_at(&j->c.src[2], y, i * out), sum, count);
            for (size_t k = 0; k < count; k++)
                sum[k] = j->form.argument == ACCUMULATE_WEIGHTED ? a[k] * weight + sum[k] * (1 - weight)
                                                                 : sum[k] + a[k] * b[k];
            npp_save(j->form.d, sum, chunk, count);
            npp_store(j, y, i, chunk, count, out);
        }
}
static struct library_kernel accumulate_kernel = LIBRARY_KERNEL("npp_accumulate", run_accumulate, struct npp_job);
NppStatus npp_accumulate(const struct npp_call *c)
{
    NPP_ENTER(c);
    struct npp_job j = npp_job(c);
    return npp_launch(&accumulate_kernel, &j, c->size.height, 4.0 * c->size.width);
}
