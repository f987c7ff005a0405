// SPDX-License-Identifier: Apache-2.0
// Races between operations, by happens-before with vector clocks, for racecheck and memcheck: kernels, copies, fills, allocations and frees of
// streams and graphs that touch the same bytes and that nothing orders.
//
//  1. No false report is the first requirement, and a race is told whether or not the two were under way at once: what counts is what the
//     program has ordered, never the time. So an operation has a clock, a number for each line of operations that follow each other: a stream, or a
//     chain of a graph's nodes. It has come behind what its clock knows. It knows what its line has done before, what the program's threads
//     know when they submit it, and what it waits for: events, nodes before it, the legacy stream's rules.
//  2. The program's threads are one: what one of them has waited for all know, as they may tell each other unseen. They learn by waiting for
//     streams, events, contexts, synchronous copies, by queries that succeed, and from host functions, which may tell them when they begin.
//  3. Operations may tell each other by memory. What is released in a kernel (race.h) and read in another by strong accesses orders all of the
//     first before all of the second; what is released to memory of the host tells the program; who reads such memory strongly knows what the program
//     knows; who waits for a value in memory knows all that was submitted. Such an edge comes when operations behind it have their clocks: it is kept
//     by itself (`late`) and added when clocks are compared. All of this is understood too widely on purpose: it loses races and makes none up.
//  4. What an operation has touched is known to the byte: reads, writes, and strong ones of both, which do not race with each other. Two
//     operations of which neither knows the other race where they have touched a byte of one allocation, and one has written it.
//  5. An allocation in stream order, and its free, touch all of it and race with everything.
//  6. What was touched is kept until all that may still come has it behind it: the program knows it, and all that was submitted and is not
//     over. What a later operation of the line has touched in the same way stands for the earlier: who knows the later knows both.
//  7. A program of one stream pays nothing: nothing is kept before there is a second line.
//  8. memcheck asks for 5 alone (order_owned): of a kernel it sees one access at least of each allocation and place, which is enough.
#ifndef HEDDLE_DEVICE_ORDER_ORDER_H
#define HEDDLE_DEVICE_ORDER_ORDER_H
#include "base/process/sanitizer.h"
#include "base/vec.h"
#include "device/device.h"

extern atomic_bool order_wanted; // a tool asks, and there are two lines
extern unsigned order_owned; // memcheck: what is told of memory in stream order, and nothing else; 0: racecheck, all
enum { ORDER_BEFORE_ALLOC = 1, ORDER_AFTER_FREE = 2 };
void order_prepare(void); // asks, before anything else
static inline bool order_on(void)
{
    return __builtin_expect(atomic_load_explicit(&order_wanted, memory_order_relaxed), 0);
}

// ---- clock.c
// A line; NULL where nobody wants to know, which all that follows takes.
struct order_line;
// name: for reports. several: with it, operations may come without order; not so the first of its kind.
struct order_line *order_line_make(const char *name, bool several);
struct order_line *order_line_sum(void); // has no operations of its own
void order_line_free(struct order_line *l);
void order_line_join(struct order_line *l,
                     const struct order_line *from);                // what comes in it is behind all of the other
void order_line_behind(struct order_line *l, const struct op *dep); // and behind this operation; NULL: none

// An operation's place. op->order, set before it is submitted.
struct order;
void order_op(struct order_line *l, struct op *op); // the line's next
struct order *order_retain(struct order *o);
void order_release(struct order *o);
void order_set(struct op *op, struct order *o); // the place of another operation, that it is a part of; NULL: none
void order_end(struct order *o);                // it is over
// A step of a graph, behind the operation `begin` and these steps.
struct order *order_step(struct order_line *l, const struct order *begin, struct order *const *before, size_t n,
                         const struct sanitizer_stack *stack);
void order_line_joins(struct order_line *l, const struct order *step); // what comes in the line is behind it

// The program knows.
void order_told_line(const struct order_line *l);
void order_told_op(const struct op *op);
// The operation, and all behind it, knows what the program knows now; or all that was submitted.
void order_learns(const struct op *op);
void order_learns_all(const struct op *op);

// ---- touch.c: what a kernel touches
struct touch;
struct touch *touch_begin(void); // NULL: there is no memory
struct touch_access {
    uint32_t site, thread, size;
    uint64_t block;
    bool writes, strong; // an atomic is a strong write
};
// By lanes whose threads and addresses follow each other, from the first on.
void touch_access(struct touch *t, const struct touch_access *a, uint64_t address, uint32_t lanes);
// Something is released at the address by a strong store.
void touch_release(struct touch *t, const struct op *op, uint64_t address);
void touch_end(struct touch *t, const struct op *op); // compares, keeps, and frees it

// ---- record.c: of other operations
enum order_kind { ORDER_COPY, ORDER_FILL, ORDER_ALLOC, ORDER_FREE };
struct order_box { // rows that are touched
    const char *at;
    size_t width, height, depth, pitch, slice;
};
// written or read may be NULL.
void order_touched(const struct op *op, enum order_kind kind, const struct order_box *written,
                   const struct order_box *read);
// An operation that is no kernel sets a flag at the address; before it does.
void order_released(const struct op *op, const void *address);
// Memory that the program may read while operations are under way.
bool order_is_host(const void *address);
#endif
