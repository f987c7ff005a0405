// SPDX-License-Identifier: Apache-2.0
// Every rank talks to every other one.
#include "nccl/plan/plan.h"

void plan_all_reduce_small(struct plan *p)
{
    char *recv = p->call->recv;
    const char *from = p->send;
    if (from == recv) { // it is overwritten while others may still read it
        char *copy = flows_scratch(p->f, p->bytes);
        p->ok = p->ok && copy && flows_prelude(p->f, copy, from, p->bytes, NULL);
        from = copy;
    }
    for (int i = 0; i < p->n; i++)
        if (i != p->me)
            plan_send_to(p, i, from, p->bytes);
    plan_reduce_all(p, recv, from, p->bytes);
}

// To each rank its part of this rank's data.
static void send_parts(struct plan *p)
{
    for (int k = 1; k < p->n; k++) {
        int i = plan_wrap(p, p->me + k);
        if (plan_part_bytes(p, i))
            plan_send_to(p, i, p->send + plan_part_at(p, i), plan_part_bytes(p, i));
    }
}

void plan_all_reduce_direct(struct plan *p)
{
    char *recv = p->call->recv;
    size_t mine = plan_part_at(p, p->me), size = plan_part_bytes(p, p->me);
    int sum = size ? plan_reduce_all(p, recv + mine, p->send + mine, size) : -1;
    send_parts(p);
    for (int k = 1; k < p->n; k++) {
        int i = plan_wrap(p, p->me + k);
        if (size)
            plan_gate(p, plan_send_to(p, i, recv + mine, size), sum, 0);
        if (plan_part_bytes(p, i))
            plan_recv_from(p, i, recv + plan_part_at(p, i), plan_part_bytes(p, i));
    }
}

void plan_reduce_scatter_direct(struct plan *p)
{
    for (int k = 1; k < p->n; k++) {
        int i = plan_wrap(p, p->me + k);
        plan_send_to(p, i, p->send + (size_t)i * p->bytes, p->bytes);
    }
    plan_reduce_all(p, p->call->recv, p->send + (size_t)p->me * p->bytes, p->bytes);
}

void plan_reduce_direct(struct plan *p)
{
    int root = p->call->root;
    size_t mine = plan_part_at(p, p->me), size = plan_part_bytes(p, p->me);
    if (p->bytes <= PLAN_SMALL || p->n == 2) {
        if (p->me == root)
            plan_reduce_all(p, p->call->recv, p->send, p->bytes);
        else
            plan_send_to(p, root, p->send, p->bytes);
        return;
    }
    int list[PLAN_DIRECT], sum = size ? plan_add(p, false, list, plan_others(p, list)) : -1;
    if (sum >= 0)
        p->f->list[sum].own_at = (unsigned)p->me;
    send_parts(p);
    if (p->me == root && size)
        plan_piece(p, sum, p->call->recv + mine, p->send + mine, size, p->whole);
    if (p->me != root && size) {
        int out = plan_add(p, true, &root, 1);
        char *window = plan_windowed(p, sum, out, FLOW_WINDOW);
        p->ok = p->ok && flow_window(p->f, sum, window, p->send + mine, size, p->whole) &&
                flow_window(p->f, out, window, NULL, size, NULL);
        plan_gate(p, out, sum, 0);
    }
    for (int i = 0; i < p->n && p->me == root; i++)
        if (i != root && plan_part_bytes(p, i))
            plan_recv_from(p, i, p->call->recv + plan_part_at(p, i), plan_part_bytes(p, i));
}

// Large: the root gives each rank a part, which that one gives to the others.
void plan_broadcast_direct(struct plan *p)
{
    int root = p->call->root;
    char *recv = p->call->recv;
    bool parts = p->bytes > PLAN_SMALL && p->n > 2;
    if (p->me == root) {
        for (int k = 1; k < p->n; k++) {
            int i = plan_wrap(p, root + k);
            if (!parts)
                plan_send_to(p, i, p->send, p->bytes);
            else if (plan_part_bytes(p, i))
                plan_send_to(p, i, p->send + plan_part_at(p, i), plan_part_bytes(p, i));
        }
        for (int i = 0; i < p->n && parts; i++) // its own part it sends itself
            if (i != root && plan_part_bytes(p, root))
                plan_send_to(p, i, p->send + plan_part_at(p, root), plan_part_bytes(p, root));
        plan_local(p, recv, p->send, p->bytes, NULL);
        return;
    }
    if (!parts) {
        plan_recv_from(p, root, recv, p->bytes);
        return;
    }
    size_t mine = plan_part_at(p, p->me), size = plan_part_bytes(p, p->me);
    int in = size ? plan_recv_from(p, root, recv + mine, size) : -1;
    if (plan_part_bytes(p, root))
        plan_recv_from(p, root, recv + plan_part_at(p, root), plan_part_bytes(p, root));
    for (int i = 0; i < p->n; i++) {
        if (i == root || i == p->me)
            continue;
        if (size)
            plan_gate(p, plan_send_to(p, i, recv + mine, size), in, 0);
        if (plan_part_bytes(p, i))
            plan_recv_from(p, i, recv + plan_part_at(p, i), plan_part_bytes(p, i));
    }
}

void plan_all_gather_direct(struct plan *p)
{
    plan_local(p, p->call->recv + (size_t)p->me * p->bytes, p->send, p->bytes, NULL);
    for (int k = 1; k < p->n; k++) {
        int to = plan_wrap(p, p->me + k), from = plan_wrap(p, p->me - k);
        plan_send_to(p, to, p->send, p->bytes);
        plan_recv_from(p, from, p->call->recv + (size_t)from * p->bytes, p->bytes);
    }
}

// ---- what is one message for each pair
void plan_all_to_all(struct plan *p)
{
    plan_local(p, p->call->recv + (size_t)p->me * p->bytes, p->send + (size_t)p->me * p->bytes, p->bytes, NULL);
    for (int k = 1; k < p->n; k++) {
        int to = plan_wrap(p, p->me + k), from = plan_wrap(p, p->me - k);
        plan_send_to(p, to, p->send + (size_t)to * p->bytes, p->bytes);
        plan_recv_from(p, from, p->call->recv + (size_t)from * p->bytes, p->bytes);
    }
}

void plan_gather(struct plan *p)
{
    if (p->me != p->call->root) {
        plan_send_to(p, p->call->root, p->send, p->bytes);
        return;
    }
    plan_local(p, p->call->recv + (size_t)p->me * p->bytes, p->send, p->bytes, NULL);
    for (int i = 0; i < p->n; i++)
        if (i != p->me)
            plan_recv_from(p, i, p->call->recv + (size_t)i * p->bytes, p->bytes);
}

void plan_scatter(struct plan *p)
{
    if (p->me != p->call->root) {
        plan_recv_from(p, p->call->root, p->call->recv, p->bytes);
        return;
    }
    plan_local(p, p->call->recv, p->send + (size_t)p->me * p->bytes, p->bytes, NULL);
    for (int i = 0; i < p->n; i++)
        if (i != p->me)
            plan_send_to(p, i, p->send + (size_t)i * p->bytes, p->bytes);
}

void plan_message_out(struct plan *p)
{
    plan_send_to(p, p->call->root, p->send, p->bytes);
}

void plan_message_in(struct plan *p)
{
    plan_recv_from(p, p->call->root, p->call->recv, p->bytes);
}
