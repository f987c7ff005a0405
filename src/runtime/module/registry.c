// SPDX-License-Identifier: Apache-2.0
// See registry.h. Open addressing; a slot's key is set once and never changes, its value may.
#include "runtime/module/registry.h"
#include <stdint.h>
#include <stdlib.h>

struct slot {
    _Atomic(const void *) key;
    _Atomic(void *) value;
};

struct registry_table {
    struct registry_table *outgrown; // the table before this one
    size_t mask;
    struct slot slots[];
};

static size_t key_hash(const void *key)
{
    return (size_t)(((uint64_t)(uintptr_t)key * 0x9e3779b97f4a7c15ull) >> 32);
}

// The slot of the key, or the free one where it belongs.
static struct slot *slot_find(struct registry_table *t, const void *key)
{
    for (size_t i = key_hash(key);; i++) {
        struct slot *s = &t->slots[i & t->mask];
        const void *k = atomic_load_explicit(&s->key, memory_order_acquire);
        if (k == key || !k)
            return s;
    }
}

void *registry_get(const struct registry *r, const void *key)
{
    struct registry_table *t = atomic_load_explicit(&r->table, memory_order_acquire);
    if (!t || !key)
        return NULL;
    struct slot *s = slot_find(t, key);
    return atomic_load_explicit(&s->key, memory_order_acquire) ? atomic_load_explicit(&s->value, memory_order_acquire)
                                                               : NULL;
}

static void slot_set(struct slot *s, const void *key, void *value)
{
    atomic_store_explicit(&s->value, value, memory_order_release);
    atomic_store_explicit(&s->key, key, memory_order_release);
}

static struct registry_table *table_grow(struct registry *r, struct registry_table *old)
{
    size_t size = old ? (old->mask + 1) * 2 : 64;
    struct registry_table *t = calloc(1, sizeof *t + size * sizeof *t->slots);
    if (!t)
        return NULL;
    t->mask = size - 1;
    t->outgrown = old;
    r->used = 0;
    for (size_t i = 0; old && i <= old->mask; i++) {
        void *value = atomic_load_explicit(&old->slots[i].value, memory_order_relaxed);
        const void *key = atomic_load_explicit(&old->slots[i].key, memory_order_relaxed);
        if (!key || !value)
            continue;
        slot_set(slot_find(t, key), key, value);
        r->used++;
    }
    atomic_store_explicit(&r->table, t, memory_order_release);
    return t;
}

bool registry_put(struct registry *r, const void *key, void *value)
{
    struct registry_table *t = atomic_load_explicit(&r->table, memory_order_relaxed);
    if (!t || r->used * 2 > t->mask)
        t = table_grow(r, t);
    if (!t)
        return false;
    struct slot *s = slot_find(t, key);
    if (!atomic_load_explicit(&s->key, memory_order_relaxed))
        r->used++;
    slot_set(s, key, value);
    return true;
}

void registry_remove(struct registry *r, const void *key)
{
    struct registry_table *t = atomic_load_explicit(&r->table, memory_order_relaxed);
    struct slot *s = t ? slot_find(t, key) : NULL;
    if (s && atomic_load_explicit(&s->key, memory_order_relaxed))
        slot_set(s, key, NULL);
}
