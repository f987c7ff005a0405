// SPDX-License-Identifier: Apache-2.0
// Where the least and the greatest number of an image are: the first of several, row by row.
#include "npp/body.h"
#include "npp/kernel/move.h"
#include "npp/statistics.h"
#include <math.h>

struct place {
    double v;
    int x, y; // -1: none
};
enum { LEAST, GREATEST, BOTH };

static void place_take(struct place *p, double v, int x, int y, double sign)
{
    if (p->x < 0 || sign * v > sign * p->v)
        *p = (struct place){v, x, y};
}
static void run_extreme(const void *block, uint64_t part)
{
    const struct npp_job *j = block;
    unsigned channels = j->form.channels;
    struct place least[4], greatest[4], *out = (struct place *)j->scratch + part * 8;
    double v[NPP_CHUNK];
    int from, to;
    for (unsigned k = 0; k < 4; k++)
        least[k] = greatest[k] = (struct place){0, -1, -1};
    npp_part(j, part, &from, &to);
    for (int y = from; y < to; y++) {
        const uint8_t *mask = j->form.masked ? npp_at(&j->c.mask, y, 0) : NULL;
        for (size_t i = 0, all = npp_numbers(j, y); i < all; i += NPP_CHUNK) {
            size_t n = all - i < NPP_CHUNK ? all - i : NPP_CHUNK;
            npp_load(j->form.s, npp_at(&j->c.src[0], y, i * npp_size(j->form.s)), v, n);
            for (size_t k = 0; k < n; k++) {
                int x = (int)((i + k) / channels);
                if (mask && !mask[x])
                    continue;
                double w = j->list[2] ? fabs(v[k]) : v[k];
                place_take(&least[k % channels], w, x, y, -1);
                place_take(&greatest[k % channels], w, x, y, 1);
            }
        }
    }
    for (unsigned k = 0; k < 4; k++) {
        out[k] = least[k];
        out[4 + k] = greatest[k];
    }
}
static struct library_kernel extreme_kernel = LIBRARY_KERNEL("npp_extreme", run_extreme, struct npp_job);

static struct place join(const struct npp_job *j, unsigned which, double sign)
{
    const struct place *parts = j->scratch;
    struct place p = {0, -1, -1};
    for (int i = 0; i < j->list[0]; i++)
        if (parts[i * 8 + (int)which].x >= 0)
            place_take(&p, parts[i * 8 + (int)which].v, parts[i * 8 + (int)which].x, parts[i * 8 + (int)which].y, sign);
    p.x = p.x < 0 ? 0 : p.x;
    p.y = p.y < 0 ? 0 : p.y;
    return p;
}
static void put(const struct npp_job *j, unsigned out, unsigned k, const struct place *p)
{
    npp_save(j->form.s, &p->v, (char *)j->c.out[out] + k * npp_size(j->form.s), 1);
}
static void index_put(const struct npp_job *j, unsigned k, const struct place *p)
{
    ((int *)j->c.out[1])[k] = p->x;
    ((int *)j->c.out[2])[k] = p->y;
}
static void signal_index_put(void *out, const struct place *p)
{
    *(int *)out = p->y * NPP_SIGNAL + p->x;
}
static void run_join(const void *block, uint64_t part)
{
    const struct npp_job *j = block;
    unsigned first = j->form.coi ? (unsigned)j->c.coi - 1 : 0, used = j->form.coi ? 1 : npp_used(&j->form);
    (void)part;
    for (unsigned k = 0; k < used; k++) {
        struct place least = join(j, first + k, -1), greatest = join(j, 4 + first + k, 1);
        if (j->list[1] == BOTH) {
            put(j, 0, k, &least);
            put(j, 1, k, &greatest);
            if (j->c.length) {
                signal_index_put(j->c.out[2], &least);
                signal_index_put(j->c.out[3], &greatest);
                continue;
            }
            *(NppiPoint *)j->c.out[2] = (NppiPoint){least.x, least.y};
            *(NppiPoint *)j->c.out[3] = (NppiPoint){greatest.x, greatest.y};
        } else {
            const struct place *p = j->list[1] == LEAST ? &least : &greatest;
            put(j, 0, k, p);
            if (j->c.length)
                signal_index_put(j->c.out[1], p);
            else
                index_put(j, k, p);
        }
    }
}
static struct library_kernel join_kernel = LIBRARY_KERNEL("npp_extreme_end", run_join, struct npp_job);

NppStatus npp_extreme(const struct npp_call *c)
{
    enum { PART = 65536, PARTS = 64 };
    _Static_assert(PARTS * 8 * sizeof(struct place) + 8 <= NPP_STAT_BUFFER, "the buffer is large enough");
    NPP_ENTER(c);
    NPP_CHECK(!c->form->coi || (c->coi >= 1 && c->coi <= c->form->channels), NPP_COI_ERROR);
    NPP_CHECK((c->form->argument & 3) != BOTH || c->out[3], NPP_NULL_POINTER_ERROR);
    struct npp_job j = npp_job(c);
    double work = 4.0 * (double)npp_row(c->form, c->size.width);
    int per = (c->size.height + PARTS - 1) / PARTS;
    if (work * per < PART)
        per = (int)(PART / work) + 1;
    j.rows = c->size.height;
    j.rows_per_part = per;
    j.list[0] = (c->size.height + per - 1) / per;
    j.list[1] = c->form->argument & 3;
    j.list[2] = c->form->argument & 4; // of magnitudes
    j.scratch = (void *)(((uintptr_t)c->buffer + 7) & ~(uintptr_t)7);
    NppStatus s = npp_launch_parts(&extreme_kernel, &j, (uint64_t)j.list[0], work * per);
    return s ? s : npp_launch_parts(&join_kernel, &j, 1, 1000);
}
