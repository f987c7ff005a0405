// SPDX-License-Identifier: Apache-2.0
// Flows are carried out: in passes over all of them, each of which moves a bounded amount on every flow that can move, so that both
// ways of a link and all links are busy. (comm.h tells why that cannot stop.)
#include "nccl/comm.h"
#include "base/os.h"
#include "nccl/link/link.h"
#include <sched.h>
#include <stdlib.h>
#include <string.h>

// What a flow moves in one pass; how long a turn looks for something to move before it sleeps, and from when on it gives its core to
// others meanwhile; how long it lasts at most.
enum { QUANTUM = 512 << 10, SPIN_NS = 50000, YIELD_NS = 5000, TURN_NS = 5000000 };

struct pass {
    struct engine *e;
    struct flows *f;
    bool moved, failed;
};

static size_t padding_of(size_t bytes)
{
    return (FLOW_ALIGN - bytes % FLOW_ALIGN) % FLOW_ALIGN;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static void lost(struct pass *p, const struct end *x, const char *why)
{
    p->failed = true;
    comm_fail(p->e->comm, ncclRemoteError, "rank %d %s", x->peer, why);
}

// Whether it is the flow's turn on the link, and the link is there.
static bool may_go(struct pass *p, const struct flow *f, struct end *x)
{
    struct link *l = x->link;
    if ((f->out ? l->out_over : l->in_over) != x->ticket)
        return false;
    if (l->state == LINK_NEW) {
        l->kind->connect(l);
        p->moved |= l->state == LINK_READY;
    }
    if (l->state == LINK_DEAD)
        lost(p, x, "has ended, or is not reached");
    return l->state == LINK_READY;
}

static void advance(struct flow *f, size_t n)
{
    f->posted += n;
    f->offset += n;
    while (f->piece < f->npieces && f->offset == f->pieces[f->piece].bytes) {
        f->piece++;
        f->offset = 0;
    }
}

// Where the piece under way goes on, and how much lies there side by side, up to n.
static char *place(const struct flow *f, size_t *n)
{
    const struct piece *x = &f->pieces[f->piece];
    *n = least(*n, x->bytes - f->offset);
    if (!x->window)
        return x->at + f->offset;
    size_t at = (f->posted - (f->out ? f->gate_bytes : 0)) % f->window;
    *n = least(*n, f->window - at);
    return x->at + at;
}

static void finish(struct flow *f)
{
    f->over = true;
    for (unsigned i = 0; i < f->nends; i++) {
        struct link *l = f->ends[i].link;
        (*(f->out ? &l->out_over : &l->in_over))++;
    }
}

// ---- out
static bool push_some(struct link *l, const void *from, size_t n, unsigned *done)
{
    size_t k = *done < n ? l->kind->push(l, (const char *)from + *done, n - *done) : 0;
    *done += (unsigned)k;
    return k;
}

static void out_data(struct pass *p, struct flow *f, struct link *l, bool *moved)
{
    size_t n = f->total - f->posted;
    if (f->gate >= 0)
        n = least(n, p->f->list[f->gate].done + f->gate_bytes - f->posted);
    n = l->kind->by_address ? n : least(n, QUANTUM);
    while (n && l->state == LINK_READY) {
        size_t m = n;
        const char *from = place(f, &m);
        size_t k = l->kind->push(l, from, m);
        advance(f, k);
        n -= k;
        *moved |= k;
        if (k < m)
            break;
    }
}

static void step_out(struct pass *p, struct flow *f)
{
    static const char zeros[FLOW_ALIGN];
    struct end *x = f->ends;
    struct link *l = x->link;
    bool moved = false;
    if (!may_go(p, f, x))
        return;
    if (x->header < FLOW_HEADER) {
        struct flow_header h = {f->what, 0, f->total};
        moved |= push_some(l, &h, sizeof h, &x->header);
        if (x->header == FLOW_HEADER)
            f->mark = l->out_bytes + FLOW_HEADER;
    }
    if (x->header == FLOW_HEADER)
        out_data(p, f, l, &moved);
    size_t pad = l->kind->pads ? padding_of(f->total) : 0;
    if (f->posted == f->total && f->padding < pad)
        moved |= push_some(l, zeros, pad, &f->padding);
    if (x->header == FLOW_HEADER) {
        uint64_t drained = l->kind->drained(l), past = drained > f->mark ? drained - f->mark : 0;
        size_t done = least((size_t)past, f->posted);
        moved |= done != f->done;
        f->done = done;
    }
    if (moved)
        l->kind->notify(l);
    p->moved |= moved;
    if (f->done == f->total && f->padding == pad && x->header == FLOW_HEADER) {
        l->out_bytes = f->mark + f->total + pad;
        finish(f);
    } else if (l->state == LINK_DEAD) {
        lost(p, x, "has ended");
    }
}

// ---- in
static bool headers(struct pass *p, struct flow *f)
{
    bool all = true;
    for (unsigned i = 0; i < f->nends; i++) {
        struct end *x = &f->ends[i];
        if (!may_go(p, f, x)) {
            all = false;
            continue;
        }
        while (x->header < FLOW_HEADER) {
            size_t k = x->link->kind->pull(x->link, (char *)&x->seen + x->header, FLOW_HEADER - x->header);
            if (!k)
                break;
            x->header += (unsigned)k;
            p->moved = true;
        }
        if (x->header < FLOW_HEADER) {
            all = false;
            if (x->link->state == LINK_DEAD)
                lost(p, x, "has ended");
        } else if (x->seen.what != f->what || x->seen.bytes != f->total) {
            p->failed = true;
            comm_fail(p->e->comm, ncclInvalidUsage, "rank %d takes part in another operation, or with another size",
                      x->peer);
        }
    }
    return all && !p->failed;
}

static size_t in_limit(const struct pass *p, const struct flow *f)
{
    size_t n = f->total - f->posted;
    if (f->behind < 0 || !f->pieces[f->piece].window)
        return n;
    const struct flow *b = &p->f->list[f->behind];
    size_t sent = b->done > b->gate_bytes ? b->done - b->gate_bytes : 0;
    return least(n, sent + f->window - f->posted);
}

static size_t in_copy(struct flow *f, char *to, size_t n)
{
    if (f->nends)
        return f->ends->link->kind->pull(f->ends->link, to, n);
    memmove(to, f->pieces[f->piece].own + f->offset, n);
    return n;
}

// All operands side by side, as far as all are there.
static size_t in_reduce(struct flow *f, char *to, size_t n)
{
    const struct piece *x = &f->pieces[f->piece];
    const void *from[64];
    unsigned k = 0, ends = f->nends;
    size_t element = reduce_type_bytes(x->reduce->type);
    for (unsigned i = 0; i <= ends && n; i++) {
        if (i == f->own_at)
            from[k++] = x->own + f->offset;
        if (i < ends) {
            const char *at = NULL;
            n = least(n, f->ends[i].link->kind->peek(f->ends[i].link, &at));
            from[k++] = at;
        }
    }
    n -= n % element;
    if (!n)
        return 0;
    reduce_run(x->reduce, to, from, k, n / element);
    for (unsigned i = 0; i < ends; i++)
        f->ends[i].link->kind->consume(f->ends[i].link, n);
    return n;
}

static void in_data(struct pass *p, struct flow *f)
{
    size_t budget = QUANTUM;
    while (budget && f->posted < f->total) {
        size_t n = least(in_limit(p, f), budget);
        char *to = n ? place(f, &n) : NULL;
        size_t k = !n ? 0 : f->pieces[f->piece].reduce ? in_reduce(f, to, n) : in_copy(f, to, n);
        if (!k)
            return;
        advance(f, k);
        f->done = f->posted;
        budget -= k;
        p->moved = true;
        for (unsigned i = 0; i < f->nends; i++)
            f->ends[i].link->kind->notify(f->ends[i].link);
    }
}

// The padding of every end; `header` counts on beyond its size.
static bool in_padding(struct pass *p, struct flow *f)
{
    bool all = true;
    for (unsigned i = 0; i < f->nends; i++) {
        struct end *x = &f->ends[i];
        size_t end = FLOW_HEADER + (x->link->kind->pads ? padding_of(f->total) : 0);
        char nothing[FLOW_ALIGN];
        if (x->header < end) {
            size_t k = x->link->kind->pull(x->link, nothing, end - x->header);
            x->header += (unsigned)k;
            p->moved |= k;
        }
        all &= x->header == end;
    }
    return all;
}

static void step_in(struct pass *p, struct flow *f)
{
    if (!headers(p, f))
        return;
    in_data(p, f);
    bool all = f->posted == f->total && in_padding(p, f);
    for (unsigned i = 0; i < f->nends; i++)
        if (f->ends[i].link->state == LINK_DEAD)
            lost(p, &f->ends[i], "has ended");
    if (all && !p->failed) {
        finish(f);
        p->moved = true;
    }
}

// ---- turns
static bool prelude(struct flows *f)
{
    enum { STEP = 1 << 20 };
    if (f->now == f->npreludes)
        return false;
    const struct prelude *x = &f->preludes[f->now];
    size_t n = least(x->bytes - f->now_bytes, STEP);
    const void *from = x->from + f->now_bytes;
    if (x->copies)
        memcpy(x->to + f->now_bytes, from, n);
    else
        reduce_run(&x->reduce, x->to + f->now_bytes, &from, 1, n / reduce_type_bytes(x->reduce.type));
    f->now_bytes += n;
    if (f->now_bytes == x->bytes) {
        f->now++;
        f->now_bytes = 0;
    }
    return true;
}

void engine_begin(struct engine *e, struct flows *f)
{
    f->now = 0;
    f->now_bytes = 0;
    for (unsigned i = 0; i < f->n; i++) {
        struct flow *x = &f->list[i];
        x->posted = x->done = x->offset = 0;
        x->piece = x->padding = 0;
        x->over = false;
        for (unsigned k = 0; k < x->nends; k++) {
            struct end *end = &x->ends[k];
            end->header = 0;
            end->link = link_get(e, end->peer);
            if (end->link)
                end->ticket = x->out ? end->link->out_tickets++ : end->link->in_tickets++;
            else
                comm_fail(e->comm, ncclSystemError, "out of memory");
        }
    }
}

static bool pass(struct pass *p)
{
    bool left = false;
    p->moved = false;
    if (prelude(p->f)) {
        p->moved = true;
        return true;
    }
    for (unsigned i = 0; i < p->f->n && !p->failed; i++) {
        struct flow *f = &p->f->list[i];
        if (f->over)
            continue;
        if (f->out)
            step_out(p, f);
        else
            step_in(p, f);
        left |= !f->over;
    }
    return left;
}

// Whether a flow has more for its link than that has taken. What waits for another flow is no reason to look at the link.
static bool has_more(const struct flows *f, const struct flow *x)
{
    if (!x->out || x->over || x->ends->link->out_over != x->ends->ticket)
        return false;
    size_t may = x->gate < 0 ? x->total : least(x->total, f->list[x->gate].done + x->gate_bytes);
    return x->ends->header < FLOW_HEADER || x->posted < may || x->posted == x->total;
}

static void arm(struct engine *e, const struct flows *f)
{
    bool accepts = false;
    for (unsigned i = 0; i < f->n; i++)
        for (unsigned k = 0; k < f->list[i].nends && !f->list[i].over; k++) {
            struct link *l = f->list[i].ends[k].link;
            l->wants_out |= has_more(f, &f->list[i]);
            accepts |= l->state == LINK_NEW;
        }
    for (unsigned i = 0; i < f->n; i++)
        for (unsigned k = 0; k < f->list[i].nends && !f->list[i].over; k++) {
            struct link *l = f->list[i].ends[k].link;
            if (l->state == LINK_READY || l->kind == &link_net || l->kind == &link_ucx)
                l->kind->arm(l, l->wants_out);
        }
    for (unsigned i = 0; i < f->n; i++)
        for (unsigned k = 0; k < f->list[i].nends; k++)
            f->list[i].ends[k].link->wants_out = false;
    if (accepts)
        accept_arm(e->comm);
}

enum progress engine_turn(struct engine *e, struct flows *f)
{
    struct pass p = {.e = e, .f = f};
    uint64_t begun = os_time_ns(), moved = begun, now = begun;
    for (bool armed = false;;) {
        if (atomic_load(&e->comm->ending) && e->channel == ENGINE_DATA)
            return PROGRESS_FAILED;
        bool left = pass(&p);
        if (p.failed || (e->channel == ENGINE_DATA && atomic_load(&e->comm->error)))
            return PROGRESS_FAILED;
        if (!left)
            return PROGRESS_DONE;
        now = os_time_ns();
        if (p.moved) {
            moved = now;
            armed = false;
            if (now - begun > TURN_NS)
                return PROGRESS_LATER;
            continue;
        }
        if (armed)
            return PROGRESS_STALLED;
        if (now - moved > SPIN_NS) {
            arm(e, f);
            armed = true;
        } else if (now - moved > YIELD_NS) {
            sched_yield();
        }
    }
}

bool engine_run(struct engine *e, struct flows *f)
{
    engine_begin(e, f);
    for (;;) {
        pthread_mutex_lock(&e->lock);
        e->woken = false;
        pthread_mutex_unlock(&e->lock);
        if (e->comm->closed)
            return false;
        enum progress r = engine_turn(e, f);
        if (r == PROGRESS_DONE || r == PROGRESS_FAILED)
            return r == PROGRESS_DONE;
        pthread_mutex_lock(&e->lock);
        while (r == PROGRESS_STALLED && !e->woken)
            pthread_cond_wait(&e->cond, &e->lock);
        pthread_mutex_unlock(&e->lock);
    }
}

void engine_break(struct engine *e)
{
    for (int i = 0; e->links && i < e->comm->n; i++)
        link_close(e->links[i]);
}
