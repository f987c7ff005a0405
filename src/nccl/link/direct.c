// SPDX-License-Identifier: Apache-2.0
// Ranks of one process: the sender names memory, the receiver reads it where it is. A queue of such names goes each way. What was
// named is needed until the receiver has taken it.
#include "nccl/link/link.h"
#include <stdlib.h>
#include <string.h>

enum { NAMES = 64, SMALL = 64 };

struct lane { // one way. Written by the sender: names and `named`; by the receiver: `taken`, `bytes`
    struct {
        const char *at; // NULL: it is in `copy`
        size_t bytes;
        char copy[SMALL]; // headers: the sender's memory for them does not last
    } names[NAMES];
    _Alignas(64) atomic_uint named;
    _Alignas(64) atomic_uint taken;
    atomic_ullong bytes; // taken of all
};

struct channel {
    uint64_t nonce;
    unsigned number;   // ENGINE_*
    int rank[2];       // the lower one first
    atomic_uint sides; // that have come, and have not gone
    pthread_mutex_t lock;
    struct engine *engine[2]; // NULL: that side is not here, or has gone
    atomic_bool asleep[2];
    atomic_bool gone[2];
    struct lane lane[2]; // from 0, from 1
    struct channel *next;
};

struct direct {
    struct link link;
    struct channel *channel;
    int side;
    size_t offset; // into the name that is being read
};

static struct channel *unclaimed; // comm_lock() is held

static struct channel *channel_make(struct comm *c, unsigned number, int low, int high)
{
    struct channel *ch = aligned_alloc(64, (sizeof *ch + 63) / 64 * 64);
    if (!ch)
        return NULL;
    memset(ch, 0, sizeof *ch);
    ch->nonce = c->nonce;
    ch->number = number;
    ch->rank[0] = low;
    ch->rank[1] = high;
    pthread_mutex_init(&ch->lock, NULL);
    ch->next = unclaimed;
    unclaimed = ch;
    return ch;
}

static struct channel **channel_find(struct comm *c, unsigned number, int low, int high)
{
    struct channel **at = &unclaimed;
    while (*at &&
           ((*at)->nonce != c->nonce || (*at)->number != number || (*at)->rank[0] != low || (*at)->rank[1] != high))
        at = &(*at)->next;
    return at;
}

// The first of both makes the channel, the second takes it off the list. To itself a rank is both: messages go from side 0 to side 0.
static void direct_connect(struct link *l)
{
    struct direct *d = (struct direct *)l;
    struct comm *c = l->engine->comm;
    int low = c->rank < l->peer ? c->rank : l->peer, high = c->rank < l->peer ? l->peer : c->rank;
    comm_lock();
    if (!d->channel) {
        struct channel **at = channel_find(c, l->engine->channel, low, high), *ch = *at;
        if (ch)
            *at = ch->next;
        else if (comm_alive(c->peers[l->peer].token))
            ch = channel_make(c, l->engine->channel, low, high);
        d->channel = ch;
        d->side = c->rank > l->peer;
        if (ch) {
            pthread_mutex_lock(&ch->lock);
            ch->engine[d->side] = l->engine;
            atomic_fetch_add(&ch->sides, low == high ? 2 : 1);
            if (low == high)
                *channel_find(c, l->engine->channel, low, high) = ch->next;
            pthread_mutex_unlock(&ch->lock);
        }
    }
    comm_unlock();
    l->state = d->channel ? LINK_READY : LINK_DEAD;
}

static int out_side(const struct direct *d)
{
    return d->side;
}

static int in_side(const struct direct *d)
{
    return d->channel->rank[0] == d->channel->rank[1] ? 0 : !d->side;
}

// A peer that ended before it came to this link never will.
static bool peer_gone(struct direct *d)
{
    struct channel *ch = d->channel;
    int other = in_side(d);
    if (atomic_load(&ch->gone[other]))
        return true;
    if (atomic_load(&ch->sides) == 2)
        return false;
    comm_lock();
    bool gone = atomic_load(&ch->sides) < 2 && !comm_alive(d->link.engine->comm->peers[d->link.peer].token);
    comm_unlock();
    return gone;
}

static size_t direct_push(struct link *l, const void *from, size_t n)
{
    struct direct *d = (struct direct *)l;
    struct lane *lane = &d->channel->lane[out_side(d)];
    unsigned at = atomic_load_explicit(&lane->named, memory_order_relaxed);
    if (at - atomic_load_explicit(&lane->taken, memory_order_acquire) == NAMES) {
        if (peer_gone(d))
            l->state = LINK_DEAD;
        return 0;
    }
    bool small = n <= SMALL;
    if (small)
        memcpy(lane->names[at % NAMES].copy, from, n);
    lane->names[at % NAMES].at = small ? NULL : from;
    lane->names[at % NAMES].bytes = n;
    atomic_store_explicit(&lane->named, at + 1, memory_order_release);
    return n;
}

static uint64_t direct_drained(struct link *l)
{
    struct direct *d = (struct direct *)l;
    struct lane *lane = &d->channel->lane[out_side(d)];
    uint64_t bytes = atomic_load_explicit(&lane->bytes, memory_order_acquire);
    if (atomic_load(&lane->named) != atomic_load(&lane->taken) && peer_gone(d))
        l->state = LINK_DEAD;
    return bytes;
}

static size_t direct_peek(struct link *l, const char **at)
{
    struct direct *d = (struct direct *)l;
    struct lane *lane = &d->channel->lane[in_side(d)];
    unsigned taken = atomic_load_explicit(&lane->taken, memory_order_relaxed);
    if (atomic_load_explicit(&lane->named, memory_order_acquire) == taken) {
        if (peer_gone(d) && atomic_load(&lane->named) == taken)
            l->state = LINK_DEAD;
        return 0;
    }
    const char *from = lane->names[taken % NAMES].at;
    *at = (from ? from : lane->names[taken % NAMES].copy) + d->offset;
    return lane->names[taken % NAMES].bytes - d->offset;
}

static void direct_consume(struct link *l, size_t n)
{
    struct direct *d = (struct direct *)l;
    struct lane *lane = &d->channel->lane[in_side(d)];
    unsigned taken = atomic_load_explicit(&lane->taken, memory_order_relaxed);
    d->offset += n;
    atomic_fetch_add_explicit(&lane->bytes, n, memory_order_release);
    if (d->offset == lane->names[taken % NAMES].bytes) {
        d->offset = 0;
        atomic_store_explicit(&lane->taken, taken + 1, memory_order_release);
    }
}

static size_t direct_pull(struct link *l, char *to, size_t n)
{
    const char *from;
    size_t m = direct_peek(l, &from);
    m = m < n ? m : n;
    if (m) {
        memcpy(to, from, m);
        direct_consume(l, m);
    }
    return m;
}

// Sleepers set their flag and look again; who has changed something looks at the flag afterwards: one of both sees the other.
static void direct_notify(struct link *l)
{
    struct direct *d = (struct direct *)l;
    struct channel *ch = d->channel;
    int other = in_side(d);
    atomic_thread_fence(memory_order_seq_cst);
    if (!atomic_load_explicit(&ch->asleep[other], memory_order_relaxed) || !atomic_exchange(&ch->asleep[other], false))
        return;
    pthread_mutex_lock(&ch->lock);
    if (ch->engine[other])
        engine_wake(ch->engine[other]);
    pthread_mutex_unlock(&ch->lock);
}

static void direct_arm(struct link *l, bool out)
{
    struct direct *d = (struct direct *)l;
    (void)out;
    atomic_store(&d->channel->asleep[d->side], true);
    atomic_thread_fence(memory_order_seq_cst);
}

static void direct_close(struct link *l)
{
    struct direct *d = (struct direct *)l;
    struct channel *ch = d->channel;
    if (!ch)
        return;
    comm_lock();
    struct channel **at = channel_find(l->engine->comm, ch->number, ch->rank[0], ch->rank[1]);
    pthread_mutex_lock(&ch->lock);
    if (*at == ch)
        *at = ch->next;
    ch->engine[d->side] = NULL;
    atomic_store(&ch->gone[d->side], true);
    unsigned mine = ch->rank[0] == ch->rank[1] ? 2 : 1;
    bool last = atomic_fetch_sub(&ch->sides, mine) == mine;
    if (!last && ch->engine[!d->side])
        engine_wake(ch->engine[!d->side]);
    pthread_mutex_unlock(&ch->lock);
    comm_unlock();
    if (last) {
        pthread_mutex_destroy(&ch->lock);
        free(ch);
    }
}

const struct link_kind link_direct = {
    .name = "memory of the process",
    .bytes = sizeof(struct direct),
    .pads = false,
    .by_address = true,
    .connect = direct_connect,
    .push = direct_push,
    .drained = direct_drained,
    .peek = direct_peek,
    .consume = direct_consume,
    .pull = direct_pull,
    .notify = direct_notify,
    .arm = direct_arm,
    .close = direct_close,
};
