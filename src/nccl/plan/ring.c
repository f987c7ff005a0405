// SPDX-License-Identifier: Apache-2.0
// Many ranks: rings and chains for large data, trees for small.
#include "nccl/plan/plan.h"

// Each rank adds its own to what comes and sends it on: after n - 1 steps a part is whole. The same steps again bring it to all.
void plan_all_reduce_ring(struct plan *p)
{
    char *recv = p->call->recv;
    int prev = plan_wrap(p, p->me - 1), next = plan_wrap(p, p->me + 1);
    int in = plan_add(p, false, &prev, 1), out = plan_add(p, true, &next, 1);
    if (p->ok)
        p->f->list[in].own_at = 1; // what comes is of ranks before
    plan_piece(p, out, p->send + plan_part_at(p, p->me), NULL, plan_part_bytes(p, p->me), NULL);
    plan_gate(p, out, in, plan_part_bytes(p, p->me));
    for (int s = 0; s < 2 * (p->n - 1); s++) {
        bool sums = s < p->n - 1;
        int i = plan_wrap(p, sums ? p->me - s - 1 : p->me - (s - (p->n - 1)));
        char *at = recv + plan_part_at(p, i);
        const struct reduction *r = !sums ? NULL : s == p->n - 2 ? p->whole : p->partial;
        plan_piece(p, in, at, sums ? p->send + plan_part_at(p, i) : NULL, plan_part_bytes(p, i), r);
        if (s < 2 * (p->n - 1) - 1)
            plan_piece(p, out, at, NULL, plan_part_bytes(p, i), NULL);
    }
}

// Part i begins at rank i + 1 and is whole at rank i. A rank sends sums when its own part has gone, and that goes as far as the next one's
// window has room: were the windows not larger than a part, all could be full, each waiting for the next. As they are larger, a rank whose
// window is full has sent more of its sums than the one before it, and that cannot be so all around.
void plan_reduce_scatter_ring(struct plan *p)
{
    int prev = plan_wrap(p, p->me - 1), next = plan_wrap(p, p->me + 1);
    int in = plan_add(p, false, &prev, 1), out = plan_send_to(p, next, p->send + (size_t)prev * p->bytes, p->bytes);
    char *window = plan_windowed(p, in, out, (p->bytes / FLOW_ALIGN + 1) * FLOW_ALIGN + FLOW_WINDOW);
    plan_gate(p, out, in, p->bytes);
    for (int s = 0; s < p->n - 2; s++)
        plan_through(p, in, out, window, p->send + (size_t)plan_wrap(p, p->me - s - 2) * p->bytes, p->bytes);
    plan_piece(p, in, p->call->recv, p->send + (size_t)p->me * p->bytes, p->bytes, p->whole);
    if (p->ok)
        p->f->list[in].own_at = 1;
}

void plan_all_gather_ring(struct plan *p)
{
    char *recv = p->call->recv;
    int prev = plan_wrap(p, p->me - 1), next = plan_wrap(p, p->me + 1);
    plan_local(p, recv + (size_t)p->me * p->bytes, p->send, p->bytes, NULL);
    int in = plan_add(p, false, &prev, 1), out = plan_send_to(p, next, p->send, p->bytes);
    plan_gate(p, out, in, p->bytes);
    for (int s = 0; s < p->n - 1; s++) {
        char *at = recv + (size_t)plan_wrap(p, p->me - s - 1) * p->bytes;
        plan_piece(p, in, at, NULL, p->bytes, NULL);
        if (s < p->n - 2)
            plan_piece(p, out, at, NULL, p->bytes, NULL);
    }
}

// A chain that begins at the root, or ends there.
void plan_broadcast_chain(struct plan *p)
{
    int root = p->call->root, next = plan_wrap(p, p->me + 1), in = -1;
    if (p->me == root)
        plan_local(p, p->call->recv, p->send, p->bytes, NULL);
    else
        in = plan_recv_from(p, plan_wrap(p, p->me - 1), p->call->recv, p->bytes);
    if (next == root)
        return;
    int out = plan_send_to(p, next, p->me == root ? p->send : p->call->recv, p->bytes);
    if (in >= 0)
        plan_gate(p, out, in, 0);
}

void plan_reduce_chain(struct plan *p)
{
    int root = p->call->root, first = plan_wrap(p, root + 1), prev = plan_wrap(p, p->me - 1),
        next = plan_wrap(p, p->me + 1);
    if (p->me == first) {
        plan_send_to(p, next, p->send, p->bytes);
        return;
    }
    int in = plan_add(p, false, &prev, 1);
    if (p->ok)
        p->f->list[in].own_at = 1;
    if (p->me == root) {
        plan_piece(p, in, p->call->recv, p->send, p->bytes, p->whole);
        return;
    }
    int out = plan_add(p, true, &next, 1);
    plan_through(p, in, out, plan_windowed(p, in, out, FLOW_WINDOW), p->send, p->bytes);
    plan_gate(p, out, in, 0);
}

// ---- trees
// Numbers as seen from the root; the parent of a rank is that number without its lowest bit.
static int tree_parent(const struct plan *p, int root)
{
    int v = plan_wrap(p, p->me - root);
    return v ? plan_wrap(p, (v & (v - 1)) + root) : -1;
}

static unsigned tree_children(const struct plan *p, int root, int *list)
{
    int v = plan_wrap(p, p->me - root);
    unsigned n = 0;
    for (int bit = 1; v + bit < p->n && !(v & bit); bit *= 2)
        list[n++] = plan_wrap(p, v + bit + root);
    return n;
}

// Sums of the subtree go to the parent. `to` holds them; NULL: this rank's memory for them is scratch.
static int tree_up(struct plan *p, int root, char *to)
{
    int children[32], parent = tree_parent(p, root), in = -1;
    unsigned n = tree_children(p, root, children);
    const char *from = p->send;
    if (n) {
        to = to ? to : flows_scratch(p->f, p->bytes);
        p->ok = p->ok && to;
        in = plan_add(p, false, children, n);
        plan_piece(p, in, to, p->send, p->bytes, parent < 0 ? p->whole : p->partial);
        from = to;
    }
    if (parent >= 0) {
        int out = plan_send_to(p, parent, from, p->bytes);
        if (in >= 0)
            plan_gate(p, out, in, 0);
    }
    return in;
}

static void tree_down(struct plan *p, int root, int summed)
{
    int children[32], parent = tree_parent(p, root);
    unsigned n = tree_children(p, root, children);
    int in = parent >= 0 ? plan_recv_from(p, parent, p->call->recv, p->bytes) : summed;
    for (unsigned i = n; i-- > 0;) { // the largest subtree first
        int out = plan_send_to(p, children[i], parent < 0 && summed < 0 ? p->send : p->call->recv, p->bytes);
        if (in >= 0)
            plan_gate(p, out, in, 0);
    }
}

void plan_all_reduce_tree(struct plan *p)
{
    tree_down(p, 0, tree_up(p, 0, p->call->recv));
}

void plan_reduce_tree(struct plan *p)
{
    tree_up(p, p->call->root, p->me == p->call->root ? p->call->recv : NULL);
}

void plan_broadcast_tree(struct plan *p)
{
    tree_down(p, p->call->root, -1);
    if (p->me == p->call->root)
        plan_local(p, p->call->recv, p->send, p->bytes, NULL);
}
