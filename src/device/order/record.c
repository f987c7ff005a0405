// SPDX-License-Identifier: Apache-2.0
// See order.h: what operations have touched is compared and kept.
#include "device/order/record.h"
#include "device/order/tell.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { DROP_LEAST = 32, RUNS_MOST = 4 << 20, OWNED_MOST = 4096 };

static struct record *records; // the newest first
static size_t nrecords, drop_at = DROP_LEAST;

// ---- allocations
// In stream order, the newest last: its address may be one that was freed before and whose users are not over.
struct owned {
    const char *base;
    size_t size;
    uint64_t range, id;
};
static pthread_mutex_t owned_lock = PTHREAD_MUTEX_INITIALIZER;
static struct VEC(struct owned) owned;
static const uint64_t OWNED_ID = UINT64_C(1) << 63;

static const struct owned *owned_find(const char *address, uint64_t range)
{
    for (size_t i = owned.len; i-- > 0;) {
        const struct owned *o = &owned.data[i];
        if ((size_t)(address - o->base) < o->size && (!range || range == o->range))
            return o;
    }
    return NULL;
}

uint64_t record_allocation(uint64_t address, struct memory_range *r)
{
    const char *p = (const char *)(uintptr_t)address;
    bool found = memory_find(p, r);
    if (found && r->kind == MEMORY_HEAP) // whose users may have freed it, and others have it
        return 0;
    uint64_t id = found ? r->id : 0;
    pthread_mutex_lock(&owned_lock);
    const struct owned *o = owned_find(p, id);
    if (o) {
        id = o->id;
        if (!found)
            *r = (struct memory_range){.base = (char *)(uintptr_t)o->base, .size = o->size, .kind = MEMORY_DEVICE};
    }
    pthread_mutex_unlock(&owned_lock);
    return found || o ? id : memory_freed(p, r) ? r->id : 0;
}

static void own(const char *base, size_t size)
{
    static uint64_t ids;
    struct memory_range r;
    struct owned o = {base, size, memory_find(base, &r) ? r.id : 0, 0};
    pthread_mutex_lock(&owned_lock);
    o.id = OWNED_ID | ++ids;
    if (owned.len == OWNED_MOST) {
        owned.len /= 2;
        memmove(owned.data, owned.data + owned.len, owned.len * sizeof *owned.data);
    }
    vec_push(&owned, o);
    pthread_mutex_unlock(&owned_lock);
}

// ---- records
struct record *record_new(const struct op *op)
{
    struct record *r = xcalloc(1, sizeof *r);
    r->order = order_retain(op->order);
    return r;
}

static void record_free(struct record *r)
{
    vec_free(&r->reads);
    vec_free(&r->writes);
    vec_free(&r->released);
    order_release(r->order);
    op_release(r->op);
    free(r);
}

static void add_rows(struct runs *out, const struct order_box *b, uint16_t how)
{
    struct memory_range range = {0};
    uint64_t id = 0;
    for (size_t z = 0; b && z < b->depth; z++)
        for (size_t y = 0; y < b->height; y++) {
            uint64_t from = (uint64_t)(uintptr_t)b->at + z * b->slice + y * b->pitch;
            if (!id || from - (uint64_t)(uintptr_t)range.base >= range.size)
                id = record_allocation(from, &range);
            struct run *last = out->len ? &out->data[out->len - 1] : NULL;
            if (id && last && last->to == from && last->id == id)
                last->to += b->width;
            else if (id)
                vec_push(out, ((struct run){.from = from, .to = from + b->width, .id = id, .how = how}));
        }
}

static int by_address(const void *a, const void *b)
{
    const struct run *x = a, *y = b;
    return (x->from > y->from) - (x->from < y->from);
}

void order_touched(const struct op *op, enum order_kind kind, const struct order_box *written,
                   const struct order_box *read)
{
    if (!op->order)
        return;
    struct record *r = record_new(op);
    const struct order_box *all = written ? written : read;
    unsigned event = kind == ORDER_ALLOC ? ORDER_BEFORE_ALLOC : kind == ORDER_FREE ? ORDER_AFTER_FREE : 0;
    r->kind = kind;
    r->bytes = all->width * all->height * all->depth;
    if (kind == ORDER_ALLOC)
        own(written->at, written->width);
    if (!event || !order_owned || order_owned & event)
        add_rows(&r->writes, written, event ? RUN_OWN : RUN_WRITE);
    add_rows(&r->reads, read, RUN_READ);
    if (r->writes.len > 1) // slices may be smaller than rows
        qsort(r->writes.data, r->writes.len, sizeof *r->writes.data, by_address);
    if (r->reads.len > 1)
        qsort(r->reads.data, r->reads.len, sizeof *r->reads.data, by_address);
    record_put(r);
}

bool order_is_host(const void *address)
{
    struct memory_range r;
    return !memory_find(address, &r) || r.kind & (MEMORY_HOST | MEMORY_MANAGED | MEMORY_REGISTERED);
}

void order_released(const struct op *op, const void *address)
{
    if (!op->order)
        return;
    struct record *r = record_new(op);
    vec_push(&r->released, (uint64_t)(uintptr_t)address);
    record_put(r);
    if (order_is_host(address))
        order_told_op(op);
}

// ---- comparison
static bool races(uint16_t a, uint16_t b)
{
    const uint16_t any = RUN_READ | RUN_WRITE, writes = RUN_WRITE | RUN_OWN;
    if (order_owned)
        return (a | b) & RUN_OWN;
    return ((a | b) & writes) || (a & RUN_ATOMIC && b & any) || (b & RUN_ATOMIC && a & any);
}

static void compare_runs(struct told *t, const struct runs *a, const struct runs *b)
{
    for (size_t i = 0, k = 0; i < a->len && k < b->len;) {
        const struct run *x = &a->data[i], *y = &b->data[k];
        uint64_t from = x->from > y->from ? x->from : y->from, to = x->to < y->to ? x->to : y->to;
        if (from < to && x->id == y->id && races(x->how, y->how))
            told_add(t, x, y, from, to);
        if (x->to < y->to)
            i++;
        else
            k++;
    }
}

// Whether the word at the address was read, or exchanged, by a strong access.
static bool is_strong(const struct runs *all, uint64_t address)
{
    size_t lo = 0, hi = all->len;
    while (lo < hi) {
        size_t mid = (lo + hi) / 2;
        if (all->data[mid].to <= address)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < all->len && all->data[lo].from <= address && all->data[lo].how & (RUN_STRONG_READ | RUN_ATOMIC);
}

// Whether one may have read what the other has released.
static bool acquires(const struct record *r, const struct record *from)
{
    bool any = false;
    for (size_t i = 0; from->released_more && i < r->reads.len && !any; i++)
        any = r->reads.data[i].how & RUN_STRONG_READ;
    for (size_t i = 0; from->released_more && i < r->writes.len && !any; i++)
        any = r->writes.data[i].how & RUN_ATOMIC;
    for (size_t i = 0; i < from->released.len && !any; i++)
        any = is_strong(&r->reads, from->released.data[i]) || is_strong(&r->writes, from->released.data[i]);
    return any;
}

static void add_edges(const struct record *r)
{
    for (const struct record *x = records; x; x = x->next) {
        if ((!x->released.len && !r->released.len) || order_knows(&r->order->clock, x->order))
            continue;
        if (acquires(r, x))
            order_late(&x->order->clock, r->order);
        if (acquires(x, r))
            order_late(&r->order->clock, x->order);
    }
}

static void compare(const struct record *r)
{
    struct order_clock mine = order_knowledge(r->order);
    for (const struct record *x = records; x; x = x->next) {
        struct told t = {0};
        if (order_knows(&mine, x->order))
            continue;
        compare_runs(&t, &x->writes, &r->writes);
        compare_runs(&t, &x->writes, &r->reads);
        compare_runs(&t, &x->reads, &r->writes);
        struct order_clock other = {0};
        if (t.len)
            other = order_knowledge(x->order);
        if (t.len && !order_knows(&other, r->order))
            told_send(&t, x, r);
        vec_free(&other);
        vec_free(&t);
    }
    vec_free(&mine);
}

// ---- what is kept
static bool same_runs(const struct runs *a, const struct runs *b)
{
    if (a->len != b->len)
        return false;
    for (size_t i = 0; i < a->len; i++) {
        const struct run *x = &a->data[i], *y = &b->data[i];
        if (x->from != y->from || x->to != y->to || x->id != y->id || x->how != y->how)
            return false;
    }
    return true;
}

static bool stands_for(const struct record *r, const struct record *x)
{
    bool releases = x->released.len || x->released_more;
    return x->order->line == r->order->line && x->order->time <= r->order->time && !releases &&
           same_runs(&r->writes, &x->writes) && same_runs(&r->reads, &x->reads);
}

// Takes what no comparison needs out of the list.
static struct record *drop(const struct record *r)
{
    struct order_clock low = {0};
    struct record *out = NULL;
    bool all = nrecords >= drop_at;
    if (all) {
        low = order_low();
        order_late_drop(&low);
    }
    size_t kept = 0; // of the newest, which come first
    for (struct record **p = &records, *x; (x = *p);) {
        size_t runs = x->reads.len + x->writes.len;
        if ((all && order_knows(&low, x->order)) || stands_for(r, x) || kept + runs > RUNS_MOST) {
            *p = x->next;
            x->next = out;
            out = x;
            nrecords--;
        } else {
            kept += runs;
            p = &x->next;
        }
    }
    if (all)
        drop_at = 2 * nrecords > DROP_LEAST ? 2 * nrecords : DROP_LEAST;
    vec_free(&low);
    return out;
}

void record_put(struct record *r)
{
    struct record *gone = NULL;
    order_lock();
    order_over(r->order);
    add_edges(r);
    compare(r);
    gone = drop(r);
    if (r->reads.len || r->writes.len || r->released.len) {
        r->next = records;
        records = r;
        nrecords++;
    } else {
        r->next = gone;
        gone = r;
    }
    order_unlock();
    while (gone) {
        struct record *next = gone->next;
        record_free(gone);
        gone = next;
    }
}
