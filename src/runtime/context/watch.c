// SPDX-License-Identifier: Apache-2.0
// See told_watch.h.
#include "runtime/told_watch.h"

static const atomic_uint nobody;
const atomic_uint rt_watch_unknown = 1;
_Atomic(const atomic_uint *) rt_watched = &rt_watch_unknown;
_Atomic(const struct timeline_access *) rt_timeline;

void rt_watch(const struct timeline_access *t)
{
    atomic_store(&rt_timeline, t);
    atomic_store_explicit(&rt_watched, t ? t->wanted : &nobody, memory_order_release);
}

void rt_watch_nobody(void)
{
    const atomic_uint *was = &rt_watch_unknown;
    atomic_compare_exchange_strong(&rt_watched, &was, &nobody);
}
