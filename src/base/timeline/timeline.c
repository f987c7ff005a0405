// SPDX-License-Identifier: Apache-2.0
// See timeline.h. A listener's place is written under a lock and read without one.
#include "base/timeline/timeline.h"
#include "base/os.h"
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

atomic_uint timeline_wanted;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic(struct timeline_sink *) sinks[TIMELINE_SINKS];
static atomic_uint correlations;

// depth: calls that the thread is in. inside: a listener is being told, whose own calls are nobody's business.
static _Thread_local struct {
    uint32_t thread, depth, correlation;
    bool inside;
    uint64_t start; // of the outermost call
} self;

uint64_t timeline_now(void)
{
    return os_time_ns();
}

static uint32_t thread_number(void)
{
    if (!self.thread)
        self.thread = (uint32_t)syscall(SYS_gettid);
    return self.thread;
}

uint32_t timeline_correlation(void)
{
    return self.depth ? self.correlation : 0;
}

static void tell(const struct timeline_event *e)
{
    for (unsigned i = 0; i < TIMELINE_SINKS; i++) {
        struct timeline_sink *s = atomic_load_explicit(&sinks[i], memory_order_acquire);
        if (s && __atomic_load_n(&s->kinds, __ATOMIC_RELAXED) & 1u << e->kind)
            s->event(s, e);
    }
}

void timeline_tell(struct timeline_event *e)
{
    if (!e->start || self.inside)
        return;
    self.inside = true;
    e->thread = thread_number();
    tell(e);
    self.inside = false;
}

void timeline_enter(struct timeline_call *c)
{
    unsigned wanted = atomic_load_explicit(&timeline_wanted, memory_order_relaxed);
    c->told = !self.inside && wanted & TIMELINE_LISTENED && (!self.depth || wanted & TIMELINE_CALLED);
    if (!c->told)
        return;
    c->nested = self.depth++ != 0;
    if (!c->nested)
        self.correlation = atomic_fetch_add_explicit(&correlations, 1, memory_order_relaxed) + 1;
    c->correlation = self.correlation;
    self.inside = true;
    for (unsigned i = 0; i < TIMELINE_SINKS; i++) {
        struct timeline_sink *s = atomic_load_explicit(&sinks[i], memory_order_acquire);
        c->data[i] = 0;
        void (*enter)(struct timeline_sink *, struct timeline_call *) =
            s ? __atomic_load_n(&s->enter, __ATOMIC_ACQUIRE) : NULL;
        if (enter)
            enter(s, c);
    }
    self.inside = false;
    if (!c->nested)
        self.start = c->start = os_time_ns();
}

uint64_t timeline_submitted(void)
{
    return self.depth ? self.start : os_time_ns();
}

void timeline_leave(struct timeline_call *c, int32_t result)
{
    if (!c->told)
        return;
    self.inside = true;
    if (!c->nested && timeline_wants(c->kind)) {
        struct timeline_event e;
        e.kind = c->kind;
        e.correlation = c->correlation;
        e.thread = thread_number();
        e.start = c->start;
        e.end = os_time_ns();
        e.call.number = c->number;
        e.call.result = result;
        e.call.name = c->name;
        tell(&e);
    }
    for (unsigned i = 0; i < TIMELINE_SINKS; i++) {
        struct timeline_sink *s = atomic_load_explicit(&sinks[i], memory_order_acquire);
        void (*leave)(struct timeline_sink *, struct timeline_call *) =
            s ? __atomic_load_n(&s->leave, __ATOMIC_ACQUIRE) : NULL;
        if (leave)
            leave(s, c);
    }
    self.inside = false;
    self.depth--;
}

static uint32_t all_kinds(void)
{
    uint32_t all = 0;
    for (unsigned i = 0; i < TIMELINE_SINKS; i++) {
        struct timeline_sink *s = atomic_load(&sinks[i]);
        all |= s ? s->kinds | TIMELINE_LISTENED | (s->enter ? TIMELINE_CALLED : 0) : 0;
    }
    return all;
}

bool timeline_listen(struct timeline_sink *s, uint32_t kinds)
{
    bool found = false;
    pthread_mutex_lock(&lock);
    for (unsigned i = 0; i < TIMELINE_SINKS; i++)
        found |= atomic_load(&sinks[i]) == s;
    for (unsigned i = 0; i < TIMELINE_SINKS && !found; i++)
        if (!atomic_load(&sinks[i])) {
            s->slot = i;
            atomic_store(&sinks[i], s);
            found = true;
        }
    __atomic_store_n(&s->kinds, found ? kinds : 0, __ATOMIC_RELAXED);
    if (found && !kinds && !s->enter)
        atomic_store(&sinks[s->slot], NULL);
    uint32_t counted = atomic_load(&timeline_wanted) & TIMELINE_COUNTED;
    atomic_store(&timeline_wanted, all_kinds() | counted);
    pthread_mutex_unlock(&lock);
    return found;
}
