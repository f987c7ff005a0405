// SPDX-License-Identifier: Apache-2.0
// Hazards that racecheck has found. Those between the same two instructions are one report, when the launch is over; with --racecheck-report hazard each is one.
#include "device/check/race.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAIRS = 128 };
struct race_pair {
    struct race_hazard first;
    uint64_t count;
    char thread[2][100]; // who it was
};
struct race_pairs {
    unsigned n;
    struct race_pair pair[PAIRS];
};

static bool is_write(const struct race_hazard *h, int i)
{
    return h->kind == RACE_WAW || (h->kind == RACE_RAW ? i == 0 : i == 1);
}

static void add_place(struct sanitizer_report *r, const struct check_launch *c, const char *before, uint32_t site,
                      const char *after)
{
    char line[300] = "";
    uint32_t pc = c->site_pc[site];
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

// "thread (x,y,z) in block (x,y,z)"; the block is left out where it is not known.
static void name_thread(char *text, size_t size, const struct jit_launch *l, const struct race_hazard *h, int i,
                        const char *thread)
{
    const uint32_t *n = l->block, *g = l->grid;
    uint32_t t = h->thread[i];
    uint64_t block = h->block[i];
    int len = snprintf(text, size, "%s (%u,%u,%u)", thread, t % n[0], t / n[0] % n[1], t / n[0] / n[1]);
    if (block < (uint64_t)g[0] * g[1] * g[2] && len > 0)
        snprintf(text + len, size - (size_t)len, " in block (%u,%u,%u)", (unsigned)(block % g[0]),
                 (unsigned)(block / g[0] % g[1]), (unsigned)(block / g[0] / g[1]));
}

static void tell_hazard(const struct check_launch *c, const struct jit_block *b, const struct race_hazard *h)
{
    static const char *const names[] = {"RAW", "WAR", "WAW"};
    struct sanitizer_report *r = begin(h);
    const uint32_t *n = b->launch->block;
    if (!r)
        return;
    sanitizer_add(r, "H\t%s: Potential %s hazard detected at %s 0x%llx", h->in_warp ? "Warning" : "Error",
                  names[h->kind], h->global ? "__global__" : "__shared__", (unsigned long long)h->address);
    if (!h->global)
        sanitizer_add(r, " in block (%u,%u,%u)", b->ctaid[0], b->ctaid[1], b->ctaid[2]);
    sanitizer_add(r, " :\n");
    for (int i = 0; i < 2; i++) {
        char text[128], thread[100];
        uint32_t t = h->thread[i];
        if (h->global)
            name_thread(thread, sizeof thread, b->launch, h, i, "Thread");
        else
            snprintf(thread, sizeof thread, "Thread (%u,%u,%u)", t % n[0], t / n[0] % n[1], t / n[0] / n[1]);
        snprintf(text, sizeof text, "%s %s", is_write(h, i) ? "Write" : "Read", thread);
        add_place(r, c, text, h->site[i], "");
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
        name_thread(p->thread[0], sizeof p->thread[0], b->launch, h, 0, "thread");
        name_thread(p->thread[1], sizeof p->thread[1], b->launch, h, 1, "thread");
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
        add_place(r, c, before, h->site[0], "");
        snprintf(before, sizeof before, "and %s access", is_write(h, 1) ? "Write" : "Read");
        snprintf(count, sizeof count, " [%llu hazards]", (unsigned long long)p->pair[i].count);
        add_place(r, c, before, h->site[1], count);
        sanitizer_add(r, "L\tby %s and %s\n", p->pair[i].thread[0], p->pair[i].thread[1]);
        check_report_end(r, c);
    }
    free(p);
    c->pairs = NULL;
}
