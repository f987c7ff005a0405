// SPDX-License-Identifier: Apache-2.0
// Clocks and places, for the files of this folder.
#ifndef HEDDLE_DEVICE_ORDER_CLOCK_H
#define HEDDLE_DEVICE_ORDER_CLOCK_H
#include "device/order/order.h"

// By line: up to where it is known. Lines beyond the end: nothing.
struct order_clock VEC(uint64_t);
enum { ORDER_NAME = 32 };

struct order {
    atomic_uint refs;
    uint32_t line;
    uint64_t time;            // its clock has this at its line
    uint64_t serial;          // in the order in which the program has submitted
    struct order_clock clock; // what it comes behind, and itself
    char name[ORDER_NAME];    // the stream
    struct sanitizer_stack stack;
    bool open; // it may touch memory still
    struct order *prev, *next;
};

// Everything is under this lock.
void order_lock(void);
void order_unlock(void);

void order_clock_join(struct order_clock *c, const struct order_clock *from);
static inline uint64_t order_clock_at(const struct order_clock *c, uint32_t line)
{
    return line < c->len ? c->data[line] : 0;
}
static inline bool order_knows(const struct order_clock *c, const struct order *o)
{
    return order_clock_at(c, o->line) >= o->time;
}
// What the operation knows with all late edges; to be freed.
struct order_clock order_knowledge(const struct order *o);
void order_late(const struct order_clock *known, const struct order *o); // who is behind o knows this too
void order_over(struct order *o);                                        // it touches nothing any more
// What the program knows and all that is open.
struct order_clock order_low(void);
void order_late_drop(const struct order_clock *low); // edges that no comparison needs any more
#endif
