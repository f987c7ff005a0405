// SPDX-License-Identifier: Apache-2.0
// Flows: what one rank does in a work, as data. plan/ makes them of calls, engine.c carries them out.
#ifndef HEDDLE_NCCL_FLOW_H
#define HEDDLE_NCCL_FLOW_H
#include "nccl/kernel/reduce.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct link;
struct comm;
struct call;

enum { FLOW_HEADER = 16, FLOW_ALIGN = 16, FLOW_WINDOW = 1 << 20 };

// Before the data of a flow: what it is and how long. Ranks whose calls do not match see it here.
struct flow_header {
    uint32_t what, unused;
    uint64_t bytes;
};

struct end { // the other end
    int peer;
    unsigned ticket; // whose turn it is on the link
    unsigned header; // bytes of it that have gone or come
    struct flow_header seen;
    struct link *link;
};

struct piece {
    char *at;        // out: from where; in: to where
    const char *own; // in: this rank's operand; NULL: none
    size_t bytes;
    const struct reduction *reduce; // NULL: bytes are copied
    bool window;                    // at is a ring, of the flow's window
};

struct flow {
    bool out;
    uint32_t what;
    struct end *ends;       // out: one. in: in the order of ranks; 0: data of this rank alone
    unsigned nends, own_at; // own_at: how many come before the own operand
    struct piece *pieces;
    unsigned npieces, room;
    int gate; // out: not past what that flow has done, and this much. -1: none
    size_t gate_bytes;
    size_t window; // bytes of the ring that pieces with a window have for memory
    int behind; // in: in pieces with a window not further ahead of that flow, less its gate_bytes, than the window is long. -1: none
    // Now.
    size_t total, posted, done; // posted: given to the link; done: over
    unsigned piece;
    size_t offset; // in the piece, of posted
    uint64_t mark; // out: the link's count of bytes where the data ends
    unsigned padding;
    bool over;
};

// Before the flows: data that is copied or multiplied.
struct prelude {
    char *to;
    const char *from;
    size_t bytes;
    struct reduction reduce;
    bool copies;
};

struct flows {
    struct flow *list;
    unsigned n, room;
    struct prelude *preludes;
    unsigned npreludes;
    void **memory; // scratch
    unsigned nmemory;
    unsigned now; // prelude
    size_t now_bytes;
};

// ---- plan/choose.c
// Adds the flows of a call. False: out of memory.
bool plan_call(struct flows *f, const struct comm *c, const struct call *call);
// Each of these ranks gives the same number of bytes and gets all of them, in the order of the list.
bool plan_exchange(struct flows *f, const struct comm *c, const int *ranks, int n, const char *own, char *all,
                   size_t bytes);
void flows_free(struct flows *f);
// ---- flow.c
int flow_add(struct flows *f, bool out, uint32_t what, const int *ends, unsigned nends); // -1: out of memory
bool flow_piece(struct flows *f, int flow, char *at, const char *own, size_t bytes, const struct reduction *r);
bool flow_window(struct flows *f, int flow, char *at, const char *own, size_t bytes, const struct reduction *r);
void *flows_scratch(struct flows *f, size_t bytes);
bool flows_prelude(struct flows *f, char *to, const char *from, size_t bytes, const struct reduction *r);
#endif
