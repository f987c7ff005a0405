// SPDX-License-Identifier: Apache-2.0
// What algorithms are written with; private to this folder. A plan that has run out of memory does nothing any more (`ok`).
#ifndef HEDDLE_NCCL_PLAN_PLAN_H
#define HEDDLE_NCCL_PLAN_PLAN_H
#include "nccl/comm.h"

// Ranks that talk to each other at most; bytes that are not cut into parts.
enum { PLAN_DIRECT = 16, PLAN_SMALL = 8 << 10 };

struct plan {
    struct flows *f;
    const struct call *call;
    int n, me;
    size_t element, bytes; // of one element, of `count`
    uint32_t what;
    const struct reduction *partial, *whole; // of some ranks, of all of them
    const char *send;
    bool ok;
};

// ---- step.c
int plan_add(struct plan *p, bool out, const int *ends, unsigned n);
void plan_piece(struct plan *p, int flow, const char *at, const char *own, size_t bytes, const struct reduction *r);
int plan_send_to(struct plan *p, int peer, const char *from, size_t bytes);
int plan_recv_from(struct plan *p, int peer, char *to, size_t bytes);
void plan_gate(struct plan *p, int flow, int by, size_t bytes);
void plan_local(struct plan *p, char *to, const char *from, size_t bytes, const struct reduction *r);
unsigned plan_others(const struct plan *p, int *list);
int plan_reduce_all(struct plan *p, char *to, const char *own, size_t bytes);
char *plan_windowed(struct plan *p, int in, int out, size_t bytes);
void plan_through(struct plan *p, int in, int out, char *window, const char *own, size_t bytes);
size_t plan_part_at(const struct plan *p, int i);
size_t plan_part_bytes(const struct plan *p, int i);
int plan_wrap(const struct plan *p, int i);
// ---- algorithms, each for what it is named for
void plan_all_reduce_small(struct plan *p);
void plan_all_reduce_direct(struct plan *p);
void plan_reduce_scatter_direct(struct plan *p);
void plan_reduce_direct(struct plan *p);
void plan_broadcast_direct(struct plan *p);
void plan_all_gather_direct(struct plan *p);
void plan_all_reduce_ring(struct plan *p);
void plan_reduce_scatter_ring(struct plan *p);
void plan_all_gather_ring(struct plan *p);
void plan_broadcast_chain(struct plan *p);
void plan_reduce_chain(struct plan *p);
void plan_all_reduce_tree(struct plan *p);
void plan_reduce_tree(struct plan *p);
void plan_broadcast_tree(struct plan *p);
void plan_all_to_all(struct plan *p);
void plan_gather(struct plan *p);
void plan_scatter(struct plan *p);
void plan_message_out(struct plan *p);
void plan_message_in(struct plan *p);
#endif
