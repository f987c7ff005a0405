// SPDX-License-Identifier: Apache-2.0
// A map from addresses to objects that is read without locks: launches look up their kernel here. Writers hold a lock
// of their own.
#ifndef HEDDLE_RUNTIME_MODULE_REGISTRY_H
#define HEDDLE_RUNTIME_MODULE_REGISTRY_H
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

struct registry_table;
struct registry {
    _Atomic(struct registry_table *) table;
    size_t used; // slots with a key, for writers
};

// The object, or NULL. From any thread, at any time.
void *registry_get(const struct registry *r, const void *key);
// Replaces what was there; false: there is no memory for it. Never frees what a reader may hold: a table that is outgrown
// stays, and all of them together are at most twice the last one.
bool registry_put(struct registry *r, const void *key, void *value);
void registry_remove(struct registry *r, const void *key);
#endif
