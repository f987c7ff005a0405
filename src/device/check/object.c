// SPDX-License-Identifier: Apache-2.0
// synccheck: misuse of mbarrier objects in the block's own shared memory. The fields of an object are those of jit/translate/insn/mbarrier.c. What is
// asked comes before the program's change of the object, for all lanes at once: each lane's part is counted here as it will be.
#include "device/check/sync.h"
#include <string.h>

enum { FIELD = 20, COUNT_MOST = (1 << FIELD) - 1, PENDING_AT = FIELD, BYTES_AT = 41 };

// The object at this offset in shared memory; NULL: it is none.
static struct sync_object *find(struct sync_objects *o, uint32_t at)
{
    for (unsigned i = 0; i < o->n; i++)
        if (o->object[i].at == at)
            return &o->object[i];
    return NULL;
}

static void drop(struct sync_objects *o, struct sync_object *x)
{
    if (x)
        *x = o->object[--o->n];
}

static void init(const struct sync_teller *t, struct sync_objects *o, uint32_t at, uint32_t count)
{
    struct sync_object *x = find(o, at);
    if (!count || count > COUNT_MOST) {
        sync_tell(t, "Invalid arguments");
        drop(o, x);
        return;
    }
    if (x)
        sync_tell(t, "Barrier is initialized already");
    else if (o->n < SYNC_OBJECTS)
        x = &o->object[o->n++];
    if (x)
        *x = (struct sync_object){at, count};
    else
        o->many = true;
}

struct state { // of an object while the lanes of a call change it
    uint32_t at, expected, pending;
    int64_t bytes;
};

static void arrive(const struct sync_teller *t, struct state *s, struct sync_object *x, uint32_t n, bool drops)
{
    if (!n || n > s->pending) {
        sync_tell(t, n ? "More arrivals than expected" : "Invalid arguments");
        return;
    }
    s->pending -= n;
    if (drops && x->expected >= n) {
        s->expected -= n;
        x->expected -= n;
    }
    if (!s->pending && !s->bytes)
        s->pending = s->expected;
}

static void use(const struct sync_teller *t, struct sync_objects *o, struct state *s, uint32_t how, uint32_t at,
                uint32_t n)
{
    struct sync_object *x = find(o, at);
    if (!x) {
        if (!o->many)
            sync_tell(t, "Barrier is not initialized");
        return;
    }
    if (s->at != at) {
        uint64_t now;
        memcpy(&now, t->block->shared + at, sizeof now);
        *s = (struct state){at, (uint32_t)now & COUNT_MOST, (uint32_t)(now >> PENDING_AT) & COUNT_MOST,
                            (int64_t)now >> BYTES_AT};
    }
    if (s->expected != x->expected) {
        sync_tell(t, "Barrier was overwritten");
        drop(o, x);
        o->many = true;
    } else if (how == OBJECT_ARRIVE || how == OBJECT_DROP) {
        arrive(t, s, x, n, how == OBJECT_DROP);
    } else if (how == OBJECT_EXPECT) {
        s->bytes += n;
        if (s->bytes > COUNT_MOST)
            sync_tell(t, "More bytes than a barrier counts");
    }
}

void sync_object_note(struct sync_objects *o, const struct object_call *call)
{
    struct jit_block *b = call->block;
    struct state s = {.at = UINT32_MAX};
    if (call->how > OBJECT_TEST)
        return;
    for (uint32_t rest = call->lanes; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest), n = call->number[lane];
        uint64_t at = call->address[lane] - (uint64_t)(uintptr_t)b->shared;
        struct sync_teller t = {check_of(b), b, call->first + lane, call->pc};
        if (at + sizeof(uint64_t) > b->shared_bytes)
            continue; // of another block
        if (call->how == OBJECT_INIT) {
            init(&t, o, (uint32_t)at, n);
        } else if (call->how == OBJECT_END) {
            use(&t, o, &s, call->how, (uint32_t)at, n);
            drop(o, find(o, (uint32_t)at));
        } else {
            use(&t, o, &s, call->how, (uint32_t)at, n);
        }
    }
}
