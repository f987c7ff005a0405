// SPDX-License-Identifier: Apache-2.0
// Algorithms: which flows a call is.
//
// Up to PLAN_DIRECT ranks every rank talks to every other one. What is reduced is cut into a part for each rank, which gets that part from
// all, reduces it in the order of ranks and gives the result to whom it belongs: each byte crosses a link once each way, as in a ring, but in two
// steps. So a result is the same bits on all ranks and for any cut. Small ones are not cut: all send all to all. More ranks
// are a ring for large data and a binomial tree for small. NCCL_ALGO=ring or tree has these for fewer ranks too.
//
// Where memory is sent by its address (link/direct.c) it must not be written before the receiver has taken it. Parts of a buffer that is both
// input and output are written with results, or with sums on their way to a result, that exist only after this rank's own
// contribution was taken. All sent to all has no such order: then a copy is sent.
#include "nccl/plan/plan.h"
#include <stdlib.h>
#include <string.h>

enum { CHAIN = 4 << 10 }; // bytes for each rank from which on a ring is faster than a tree
enum algorithm { ALGORITHM_DIRECT, ALGORITHM_RING, ALGORITHM_TREE };

typedef void plan_fn(struct plan *p);
static const struct {
    plan_fn *by[3]; // enum algorithm
    bool reduces;
} kinds[] = {
    [CALL_REDUCE] = {{plan_reduce_direct, plan_reduce_chain, plan_reduce_tree}, true},
    [CALL_BROADCAST] = {{plan_broadcast_direct, plan_broadcast_chain, plan_broadcast_tree}, false},
    [CALL_ALL_REDUCE] = {{plan_all_reduce_direct, plan_all_reduce_ring, plan_all_reduce_tree}, true},
    [CALL_REDUCE_SCATTER] = {{plan_reduce_scatter_direct, plan_reduce_scatter_ring, plan_reduce_scatter_ring}, true},
    [CALL_ALL_GATHER] = {{plan_all_gather_direct, plan_all_gather_ring, plan_all_gather_ring}, false},
    [CALL_ALL_TO_ALL] = {{plan_all_to_all, plan_all_to_all, plan_all_to_all}, false},
    [CALL_GATHER] = {{plan_gather, plan_gather, plan_gather}, false},
    [CALL_SCATTER] = {{plan_scatter, plan_scatter, plan_scatter}, false},
    [CALL_SEND] = {{plan_message_out, plan_message_out, plan_message_out}, false},
    [CALL_RECV] = {{plan_message_in, plan_message_in, plan_message_in}, false},
};

static enum algorithm choose(const struct plan *p)
{
    const char *wanted = secure_getenv("NCCL_ALGO");
    if (wanted && !strncasecmp(wanted, "ring", 4))
        return ALGORITHM_RING;
    if (wanted && !strncasecmp(wanted, "tree", 4))
        return ALGORITHM_TREE;
    return p->n <= PLAN_DIRECT ? ALGORITHM_DIRECT : p->bytes / (size_t)p->n >= CHAIN ? ALGORITHM_RING : ALGORITHM_TREE;
}

// The reductions, kept with the flows. Sums of the program's own operations are those of inputs that are multiplied before; so
// are averages of floats where sums go from rank to rank, since these may be too large for the type.
static bool reductions(struct plan *p, bool direct)
{
    const struct call *c = p->call;
    struct reduction *r = flows_scratch(p->f, 2 * sizeof *r);
    if (!r)
        return false;
    static const enum reduce_op ops[] = {REDUCE_SUM, REDUCE_PROD, REDUCE_MAX, REDUCE_MIN, REDUCE_SUM};
    bool own = c->op >= ncclNumOps, average = c->op == ncclAvg;
    bool is_float = c->type >= ncclFloat16, scale_first = own || (average && is_float && !direct);
    r[0] = (struct reduction){.type = (int)c->type, .op = own ? REDUCE_SUM : ops[c->op]};
    r[1] = r[0];
    if (average && !scale_first) {
        r[1].end = REDUCE_DIVIDE;
        r[1].operand = (uint64_t)p->n;
    }
    p->partial = &r[0];
    p->whole = &r[1];
    if (!scale_first)
        return true;
    size_t bytes = p->bytes * (c->kind == CALL_REDUCE_SCATTER ? (size_t)p->n : 1);
    struct reduction scale = r[0];
    scale.end = own ? REDUCE_SCALE : REDUCE_DIVIDE;
    scale.operand = own ? c->redop.scalar : (uint64_t)p->n;
    scale.operand_at = own ? c->redop.device : NULL;
    char *scaled = flows_scratch(p->f, bytes);
    p->send = scaled;
    return scaled && flows_prelude(p->f, scaled, c->send, bytes, &scale);
}

// Both ends of a message compute the same number; a wrong one says that ranks do not call the same.
static uint32_t what_of(const struct call *c)
{
    if (c->kind == CALL_SEND || c->kind == CALL_RECV)
        return CALL_SEND;
    bool reduces = kinds[c->kind].reduces;
    uint32_t op = !reduces ? 0 : c->op >= ncclNumOps ? ncclNumOps : c->op, type = reduces ? c->type : 0;
    return (uint32_t)c->kind << 24 | type << 16 | op << 12 | (uint32_t)(c->root & 0xfff);
}

bool plan_call(struct flows *f, const struct comm *c, const struct call *call)
{
    struct plan p = {.f = f, .call = call, .n = c->n, .me = c->rank, .send = call->send, .ok = true};
    p.element = reduce_type_bytes((int)call->type);
    p.bytes = call->count * p.element;
    p.what = what_of(call);
    enum algorithm a = choose(&p);
    bool message = call->kind == CALL_SEND || call->kind == CALL_RECV;
    if (kinds[call->kind].reduces && !reductions(&p, a == ALGORITHM_DIRECT || p.n == 1))
        return false;
    if (p.n == 1 && !message)
        plan_local(&p, call->recv, p.send, p.bytes, kinds[call->kind].reduces ? p.whole : NULL);
    else if (call->kind == CALL_ALL_REDUCE && a == ALGORITHM_DIRECT && p.bytes <= PLAN_SMALL)
        plan_all_reduce_small(&p);
    else
        kinds[call->kind].by[a](&p);
    return p.ok;
}

bool plan_exchange(struct flows *f, const struct comm *c, const int *ranks, int n, const char *own, char *all,
                   size_t bytes)
{
    struct call none = {.type = ncclInt8};
    struct plan p = {.f = f, .call = &none, .n = n, .me = c->rank, .what = UINT32_MAX, .ok = true};
    for (int i = 0; i < n; i++) {
        if (ranks[i] == c->rank) {
            memcpy(all + (size_t)i * bytes, own, bytes);
            continue;
        }
        plan_send_to(&p, ranks[i], own, bytes);
        plan_recv_from(&p, ranks[i], all + (size_t)i * bytes, bytes);
    }
    return p.ok;
}
