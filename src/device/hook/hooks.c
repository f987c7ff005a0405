// SPDX-License-Identifier: Apache-2.0
// See hooks.h: the small ones, and the table.
#include "device/hook/hooks.h"
#include "base/os.h"
#include "device/fault/fault.h"
#include "device/memory/halves.h"
#include "device/sched/fibres.h"
#include "device/sched/runner.h"
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static void thread_index(const struct jit_block *b, uint32_t thread, uint32_t out[3])
{
    const uint32_t *n = b->launch->block;
    out[0] = thread % n[0];
    out[1] = thread / n[0] % n[1];
    out[2] = thread / n[0] / n[1];
}

static void hook_assertfail(struct jit_block *b, uint32_t thread, const char *message, const char *file, uint32_t line,
                            const char *function, uint64_t char_size)
{
    char text[1024];
    uint32_t t[3];
    (void)char_size;
    thread_index(b, thread, t);
    int n =
        snprintf(text, sizeof text, "%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` failed.\n", file,
                 line, function ? function : "", b->ctaid[0], b->ctaid[1], b->ctaid[2], t[0], t[1], t[2], message);
    fwrite(text, 1, (size_t)(n < (int)sizeof text ? n : (int)sizeof text - 1), stderr);
    fault_raise(FAULT_ASSERT, thread, __builtin_return_address(0));
}

static void hook_trap(struct jit_block *b, uint32_t thread)
{
    (void)b;
    fault_raise(FAULT_TRAP, thread, __builtin_return_address(0));
}

static void hook_brkpt(struct jit_block *b, uint32_t thread)
{
    (void)b;
    fault_raise(FAULT_TRAP, thread,
                __builtin_return_address(0)); // without a debugger a breakpoint ends the kernel, as on a GPU
}

// The access that the address was taken from is the one that was checked if both are multiples of the same power of two. What
// it is only near to may be no address.
static void hook_misaligned(struct jit_block *b, uint32_t thread, uint64_t low, uint64_t address, uint32_t exact)
{
    struct memory_range r;
    const void *at = (const void *)(uintptr_t)address, *pc = __builtin_return_address(0);
    char near[32];
    (void)b;
    if ((address & -address) != (low & -low))
        fault_raise(FAULT_MISALIGNED, thread, pc);
    if (exact)
        fault_raise_at(FAULT_MISALIGNED, at, thread, pc);
    snprintf(near, sizeof near, "near 0x%llx", (unsigned long long)address);
    fault_raise_detail(FAULT_MISALIGNED, memory_find(at, &r) ? near : "", thread, pc);
}

static void hook_unsupported(struct jit_block *b, uint32_t thread, const char *what)
{
    (void)b;
    fault_raise_detail(FAULT_NOT_SUPPORTED, what, thread, __builtin_return_address(0));
}

static uint32_t atom_half(uint16_t *p, uint32_t v, uint16_t (*add)(uint16_t, uint16_t))
{
    uint16_t old = __atomic_load_n(p, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(p, &old, add(old, (uint16_t)v), true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
    return old;
}

static uint32_t atom_half2(uint32_t *p, uint32_t v, uint16_t (*add)(uint16_t, uint16_t))
{
    uint32_t old = __atomic_load_n(p, __ATOMIC_RELAXED), sum;
    do
        sum = add((uint16_t)old, (uint16_t)v) | (uint32_t)add((uint16_t)(old >> 16), (uint16_t)(v >> 16)) << 16;
    while (!__atomic_compare_exchange_n(p, &old, sum, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    return old;
}

static uint32_t hook_atom_add_f16(struct jit_block *b, uint32_t thread, void *p, uint32_t v)
{
    (void)b, (void)thread;
    return atom_half(p, v, half_sum_f16);
}

static uint32_t hook_atom_add_f16x2(struct jit_block *b, uint32_t thread, void *p, uint32_t v)
{
    (void)b, (void)thread;
    return atom_half2(p, v, half_sum_f16);
}

static uint32_t hook_atom_add_bf16(struct jit_block *b, uint32_t thread, void *p, uint32_t v)
{
    (void)b, (void)thread;
    return atom_half(p, v, half_sum_bf16);
}

static uint32_t hook_atom_add_bf16x2(struct jit_block *b, uint32_t thread, void *p, uint32_t v)
{
    (void)b, (void)thread;
    return atom_half2(p, v, half_sum_bf16);
}

// Local memory is in the block's frame, or in variables on this thread's stack.
static uint32_t hook_isspacep_local(struct jit_block *b, uint32_t thread, uint64_t address)
{
    static _Thread_local char *stack;
    static _Thread_local size_t stack_size;
    const struct resident *r = b->engine;
    (void)thread;
    if (address - (uint64_t)(uintptr_t)b->frame < r->frame_size || stack_holds(r, address) || fibre_holds(address))
        return 1;
    if (!stack) {
        pthread_attr_t a;
        void *base;
        if (!pthread_getattr_np(pthread_self(), &a)) {
            pthread_attr_getstack(&a, &base, &stack_size);
            pthread_attr_destroy(&a);
            stack = base;
        }
    }
    return address - (uint64_t)(uintptr_t)stack < stack_size;
}

static uint64_t hook_clock64(struct jit_block *b, uint32_t thread)
{
    (void)b, (void)thread;
    return os_time_ns(); // one tick a nanosecond: the clock rate that the device reports is 1 GHz
}

// The handle is the address of the word that a conditional node reads.
static void hook_graph_condition(struct jit_block *b, uint32_t thread, uint64_t handle, uint32_t value)
{
    (void)b, (void)thread;
    __atomic_store_n((uint32_t *)(uintptr_t)handle, value, __ATOMIC_SEQ_CST);
}

static uint64_t hook_globaltimer(struct jit_block *b, uint32_t thread)
{
    struct timespec t;
    (void)b, (void)thread;
    clock_gettime(CLOCK_REALTIME, &t);
    return (uint64_t)t.tv_sec * 1000000000ull + (uint64_t)t.tv_nsec;
}

void (*const hooks_table[JIT_HOOK_COUNT])(void) = {
#define HOOK(name, ret, ...) [JIT_HOOK_##name] = (void (*)(void))hook_##name,
#include "jit/abi/hooks.def"
#undef HOOK
};
