// SPDX-License-Identifier: Apache-2.0
// A call on another stack, from which it returns: nothing of it is left behind, and it is not continued by another thread. Faults of
// kernels end in a scope that was entered within the call (device/fault/fault.h), so no jump leaves it either.
#include "device/sched/deep.h"
#include "base/os.h"
#include "device/fault/fault.h"
#include <stdatomic.h>
#include <stddef.h>
#include <sys/mman.h>
#include <ucontext.h>

enum { GUARD_BYTES = 64 << 10, ALL_BYTES = GUARD_BYTES + DEEP_STACK + (1 << 20) };

struct call {
    bool (*fn)(void *arg);
    void *arg;
    bool result;
    ucontext_t here, there;
};

static _Thread_local struct call *entered; // between the switch and the first instructions there
static _Atomic(char *) spare;              // one stack is kept

static char *stack_take(void)
{
    char *p = atomic_exchange(&spare, NULL);
    if (p)
        return p;
    p = mmap(NULL, ALL_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (p == MAP_FAILED)
        return NULL;
    if (!mprotect(p, GUARD_BYTES, PROT_NONE))
        return p;
    munmap(p, ALL_BYTES);
    return NULL;
}

static void stack_give(char *p)
{
    char *none = NULL;
    madvise(p + GUARD_BYTES, DEEP_STACK, MADV_DONTNEED); // all but the part that is used in any case
    if (!atomic_compare_exchange_strong(&spare, &none, p))
        munmap(p, ALL_BYTES);
}

static void enter(void)
{
    struct call *c = entered;
    c->result = c->fn(c->arg);
    swapcontext(&c->there, &c->here);
}

bool deep_call(bool (*fn)(void *arg), void *arg)
{
    char *stack = os_stack_room() < DEEP_STACK ? stack_take() : NULL;
    if (!stack)
        return fn(arg);
    struct call c = {.fn = fn, .arg = arg};
    os_context_make(&c.there, stack + GUARD_BYTES, ALL_BYTES - GUARD_BYTES, enter);
    const char *low = fault_stack(stack + GUARD_BYTES);
    entered = &c;
    swapcontext(&c.here, &c.there);
    fault_stack(low);
    stack_give(stack);
    return c.result;
}
