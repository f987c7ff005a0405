// SPDX-License-Identifier: Apache-2.0
// Comparisons: a pixel of the result is 255 where all channels pass, else 0.
#include "npp/body.h"
#include "npp/kernel/move.h"
#include <math.h>
#include <string.h>

enum { EPSILON = 8 }; // |a - b| <= the number

static bool passes(double a, double b, int how, double epsilon)
{
    switch (how) {
    case NPP_CMP_LESS:
        return a < b;
    case NPP_CMP_LESS_EQ:
        return a <= b;
    case NPP_CMP_EQ:
        return a == b;
    case NPP_CMP_GREATER_EQ:
        return a >= b;
    case NPP_CMP_GREATER:
        return a > b;
    default:
        return fabs(a - b) <= epsilon;
    }
}

static void run_compare(const void *block, uint64_t part)
{
    const struct npp_job *j = block;
    size_t size = npp_size(j->form.s), n = npp_row(&j->form, j->c.size.width);
    unsigned channels = j->form.channels, used = npp_used(&j->form);
    double a[NPP_CHUNK], b[NPP_CHUNK];
    int from, to;
    for (size_t i = 0; i < NPP_CHUNK; i++)
        b[i] = j->number[i % channels];
    npp_part(j, part, &from, &to);
    for (int y = from; y < to; y++) {
        uint8_t *out = npp_at(&j->c.dst[0], y, 0);
        for (size_t i = 0; i < n; i += NPP_CHUNK) {
            size_t count = n - i < NPP_CHUNK ? n - i : NPP_CHUNK;
            npp_load(j->form.s, npp_at(&j->c.src[0], y, i * size), a, count);
            if (j->c.src[1].data)
                npp_load(j->form.s, npp_at(&j->c.src[1], y, i * size), b, count);
            for (size_t k = 0; k < count; k += channels) {
                bool all = true;
                for (unsigned m = 0; m < used; m++)
                    all &= passes(a[k + m], b[k + m], j->list[0], j->c.number[0]);
                *out++ = all ? 255 : 0;
            }
        }
    }
}
static struct library_kernel compare_kernel = LIBRARY_KERNEL("npp_compare", run_compare, struct npp_job);

static NppStatus compare(const struct npp_call *c, int how)
{
    struct npp_job j = npp_job(c);
    j.list[0] = how;
    if (c->value[0])
        npp_load(c->form->s, c->value[0], j.number, npp_used(c->form));
    return npp_launch(&compare_kernel, &j, c->size.height, 2.0 * (double)npp_row(c->form, c->size.width));
}
NppStatus npp_compare(const struct npp_call *c)
{
    NPP_ENTER(c);
    NPP_CHECK(c->mode >= NPP_CMP_LESS && c->mode <= NPP_CMP_GREATER, NPP_BAD_ARGUMENT_ERROR);
    return compare(c, c->mode);
}
NppStatus npp_compare_epsilon(const struct npp_call *c)
{
    NPP_ENTER(c);
    return compare(c, EPSILON);
}
