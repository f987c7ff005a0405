// SPDX-License-Identifier: Apache-2.0
// See race.h. Hazards between the same two instructions are one report, when the launch is over; with --racecheck-report hazard each is one.
#include "device/check/race.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAIRS = 128 };
struct race_pair {
    struct race_hazard first;
    uint32_t block[3];
    uint64_t count;
};
struct race_pairs {
    unsigned n;
    struct race_pair pair[PAIRS];
};

static bool is_write(const struct race_hazard *h, int i)
{
    return h->kind == RACE_WAW || (h->kind == RACE_RAW ? i == 0 : i == 1);
}

static void add_place(struct sanitizer_report *r, const struct check_launch *c, const char *before, uint32_t pc,
                      const char *after)
{
    char line[300] = "";
    if (!jit_code_line((const char *)c->code->start + pc - 1, line, sizeof line))
        line[0] = 0;
    sanitizer_add(r, "T\t%s\t%s\t0x%x\t%s\t%s\n", before, c->kernel, pc, line, after);
}

static struct sanitizer_report *begin(const struct race_hazard *h)
{
    struct sanitizer_report *r = malloc(sizeof *r);
    if (r) {
        r->len = 0;
        sanitizer_add(r, "K\t%s\n", h->in_warp ? "warning" : "hazard");
    }
    return r;
}

static void tell_hazard(const struct check_launch *c, const struct jit_block *b, const struct race_hazard *h)
{
    static const char *const names[] = {"RAW", "WAR", "WAW"};
    struct sanitizer_report *r = begin(h);
    const uint32_t *n = b->launch->block;
    if (!r)
        return;
    sanitizer_add(r, "H\t%s: Potential %s hazard detected at __shared__ 0x%x in block (%u,%u,%u) :\n",
                  h->in_warp ? "Warning" : "Error", names[h->kind], h->address, b->ctaid[0], b->ctaid[1], b->ctaid[2]);
    for (int i = 0; i < 2; i++) {
        char text[64];
        uint32_t t = h->thread[i];
        snprintf(text, sizeof text, "%s Thread (%u,%u,%u)", is_write(h, i) ? "Write" : "Read", t % n[0],
                 t / n[0] % n[1], t / n[0] / n[1]);
        add_place(r, c, text, h->pc[i], "");
    }
    check_report_end(r, c);
}

// Two places are one pair in either order.
static struct race_pair *pair_of(struct race_pairs *p, const struct race_hazard *h)
{
    for (unsigned i = 0; i < p->n; i++) {
        struct race_hazard *f = &p->pair[i].first;
        bool same = f->site[0] == h->site[0] && f->site[1] == h->site[1];
        bool turned = f->site[0] == h->site[1] && f->site[1] == h->site[0];
        if (same || turned) {
            f->in_warp &= h->in_warp;
            return &p->pair[i];
        }
    }
    return p->n < PAIRS ? &p->pair[p->n] : NULL;
}

void race_note(struct check_launch *c, const struct jit_block *b, const struct race_hazard *h)
{
    static pthread_mutex_t making = PTHREAD_MUTEX_INITIALIZER;
    if (!strcmp(c->race_report, "hazard") || !strcmp(c->race_report, "all"))
        tell_hazard(c, b, h);
    if (!strcmp(c->race_report, "hazard"))
        return;
    pthread_mutex_lock(&making);
    if (!c->pairs)
        c->pairs = calloc(1, sizeof *c->pairs);
    struct race_pair *p = c->pairs ? pair_of(c->pairs, h) : NULL;
    if (p && p == &c->pairs->pair[c->pairs->n]) {
        *p = (struct race_pair){.first = *h};
        memcpy(p->block, b->ctaid, sizeof p->block);
        c->pairs->n++;
    }
    if (p)
        p->count++;
    pthread_mutex_unlock(&making);
}

void race_tell(struct check_launch *c)
{
    struct race_pairs *p = c->pairs;
    for (unsigned i = 0; p && i < p->n; i++) {
        const struct race_hazard *h = &p->pair[i].first;
        struct sanitizer_report *r = begin(h);
        char before[80], count[64];
        if (!r)
            break;
        snprintf(before, sizeof before, "%s: Race reported between %s access", h->in_warp ? "Warning" : "Error",
                 is_write(h, 0) ? "Write" : "Read");
        add_place(r, c, before, h->pc[0], "");
        snprintf(before, sizeof before, "and %s access", is_write(h, 1) ? "Write" : "Read");
        snprintf(count, sizeof count, " [%llu hazards]", (unsigned long long)p->pair[i].count);
        add_place(r, c, before, h->pc[1], count);
        check_report_end(r, c);
    }
    free(p);
    c->pairs = NULL;
}
