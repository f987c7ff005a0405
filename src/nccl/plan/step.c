// SPDX-License-Identifier: Apache-2.0
// Steps of which algorithms are made.
#include "nccl/plan/plan.h"

int plan_add(struct plan *p, bool out, const int *ends, unsigned n)
{
    int flow = p->ok ? flow_add(p->f, out, p->what, ends, n) : -1;
    p->ok = flow >= 0;
    return flow;
}

void plan_piece(struct plan *p, int flow, const char *at, const char *own, size_t bytes, const struct reduction *r)
{
    // The address of what is sent is not written through.
    p->ok = p->ok && flow_piece(p->f, flow, (char *)(uintptr_t)at, own, bytes, r);
}

int plan_send_to(struct plan *p, int peer, const char *from, size_t bytes)
{
    int flow = plan_add(p, true, &peer, 1);
    plan_piece(p, flow, from, NULL, bytes, NULL);
    return flow;
}

int plan_recv_from(struct plan *p, int peer, char *to, size_t bytes)
{
    int flow = plan_add(p, false, &peer, 1);
    plan_piece(p, flow, to, NULL, bytes, NULL);
    return flow;
}

void plan_gate(struct plan *p, int flow, int by, size_t bytes)
{
    if (p->ok) {
        p->f->list[flow].gate = by;
        p->f->list[flow].gate_bytes = bytes;
    }
}

// Data that stays with this rank.
void plan_local(struct plan *p, char *to, const char *from, size_t bytes, const struct reduction *r)
{
    if (to == from && (!r || r->end == REDUCE_PLAIN))
        return;
    int flow = plan_add(p, false, NULL, 0);
    plan_piece(p, flow, to, from, bytes, r);
}

unsigned plan_others(const struct plan *p, int *list)
{
    unsigned n = 0;
    for (int i = 0; i < p->n; i++)
        if (i != p->me)
            list[n++] = i;
    return n;
}

// From all other ranks and this one, in the order of ranks.
int plan_reduce_all(struct plan *p, char *to, const char *own, size_t bytes)
{
    int list[PLAN_DIRECT];
    int flow = plan_add(p, false, list, plan_others(p, list));
    if (p->ok)
        p->f->list[flow].own_at = (unsigned)p->me;
    plan_piece(p, flow, to, own, bytes, p->whole);
    return flow;
}

// Sums on their way, in a ring of scratch memory between the flow that makes them and the one that sends them.
char *plan_windowed(struct plan *p, int in, int out, size_t bytes)
{
    char *window = p->ok ? flows_scratch(p->f, bytes) : NULL;
    p->ok = window;
    if (p->ok) {
        p->f->list[in].window = p->f->list[out].window = bytes;
        p->f->list[in].behind = out;
    }
    return window;
}

void plan_through(struct plan *p, int in, int out, char *window, const char *own, size_t bytes)
{
    p->ok = p->ok && flow_window(p->f, in, window, own, bytes, p->partial) &&
            flow_window(p->f, out, window, NULL, bytes, NULL);
}

// The part of rank i: whole lines of the cache.
size_t plan_part_at(const struct plan *p, int i)
{
    size_t line = 64 / p->element, each = (p->call->count + (size_t)p->n - 1) / (size_t)p->n;
    each = (each + line - 1) / line * line;
    size_t at = each * (size_t)i;
    return (at < p->call->count ? at : p->call->count) * p->element;
}

size_t plan_part_bytes(const struct plan *p, int i)
{
    return plan_part_at(p, i + 1) - plan_part_at(p, i);
}

int plan_wrap(const struct plan *p, int i)
{
    return ((i % p->n) + p->n) % p->n;
}
