// SPDX-License-Identifier: Apache-2.0
// Races between two operations, collected by the two places of each, and their reports.
#ifndef HEDDLE_DEVICE_ORDER_TELL_H
#define HEDDLE_DEVICE_ORDER_TELL_H
#include "device/order/record.h"

struct told_pair {
    struct run a, b; // the first
    uint64_t at, bytes;
};
struct told VEC(struct told_pair);
void told_add(struct told *t, const struct run *a, const struct run *b, uint64_t from, uint64_t to);
// a's runs are those of x. Pairs of places that were told before are not told again.
void told_send(const struct told *t, const struct record *x, const struct record *y);
#endif
