// SPDX-License-Identifier: Apache-2.0
// What an operation has touched, as touch.c and record.c hand it on.
#ifndef HEDDLE_DEVICE_ORDER_RECORD_H
#define HEDDLE_DEVICE_ORDER_RECORD_H
#include "device/order/clock.h"

// How bytes were touched; the plain kinds stand for the strong ones of the same bytes too.
enum {
    RUN_READ = 1,
    RUN_WRITE = 2,
    RUN_STRONG_READ = 4,
    RUN_ATOMIC = 8,
    RUN_OWN = 16 // allocated or freed
};
// Bytes that follow each other, of one allocation, touched in one way at one place. Of a kernel: the thread of the first word, and what is added
// to its number for each `per` words.
struct run {
    uint64_t from, to, id, block;
    uint32_t site, thread, step;
    uint16_t per;
    uint16_t how;
};
struct runs VEC(struct run); // sorted, none over another
struct record {
    struct record *next;
    struct op *op;       // a kernel's, retained; NULL: a copy or the like
    struct order *order; // retained
    enum order_kind kind;
    size_t bytes; // of a copy or the like
    struct runs reads, writes;
    struct VEC(uint64_t) released; // addresses
    bool released_more;            // and others
};
struct record *record_new(const struct op *op);
// The allocation that holds the address; 0: none that is known.
uint64_t record_allocation(uint64_t address, struct memory_range *r);
void record_put(struct record *r); // compares and keeps it
#endif
