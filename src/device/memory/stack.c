// SPDX-License-Identifier: Apache-2.0
// Local memory that a thread asks for while it runs: PTX's alloca. Each piece is a cell of the process's heap, in a list of the
// thread, newest first. The list belongs to the block, so that it stays with it when the block is put aside. Kernels and
// functions that use it give back at their end what they took; after a fault the block's memory goes as a whole.
#include "base/reserve.h"
#include "device/fault/fault.h"
#include "device/hook/hooks.h"
#include "device/sched/runner.h"
#include <stdlib.h>
#include <string.h>

struct stack_cell {
    struct stack_cell *before;
    size_t size;
    char *data;
};

enum { THREADS_MAX = 1024, ALIGN_LEAST = 16 };

static struct stack_cell **stack_of(struct jit_block *b, uint32_t thread)
{
    struct resident *r = b->engine;
    if (!r->stacks && (r->stacks = reserve_alloc(_Alignof(void *), THREADS_MAX * sizeof *r->stacks)))
        memset(r->stacks, 0, THREADS_MAX * sizeof *r->stacks);
    if (!r->stacks)
        fault_raise(FAULT_OUT_OF_MEMORY, thread, NULL);
    return &r->stacks[thread];
}

static void pop(struct stack_cell **top)
{
    struct stack_cell *c = *top;
    *top = c->before;
    free(c->data);
    free(c);
}

uint64_t hook_stack_alloc(struct jit_block *b, uint32_t thread, uint64_t size, uint64_t align)
{
    struct stack_cell **top = stack_of(b, thread), *c;
    align = align < ALIGN_LEAST ? ALIGN_LEAST : align;
    uint64_t whole = (size + align - 1) & ~(align - 1);
    c = size <= STACK_CELL_MOST && !(align & (align - 1)) ? reserve_alloc(_Alignof(struct stack_cell), sizeof *c)
                                                          : NULL;
    if (c)
        *c = (struct stack_cell){*top, whole, reserve_alloc(align, whole ? whole : align)};
    if (!c || !c->data) {
        free(c);
        fault_raise(FAULT_STACK, thread, __builtin_return_address(0));
    }
    *top = c;
    return (uint64_t)(uintptr_t)c->data;
}

uint64_t hook_stack_save(struct jit_block *b, uint32_t thread)
{
    return (uint64_t)(uintptr_t)*stack_of(b, thread);
}

void hook_stack_restore(struct jit_block *b, uint32_t thread, uint64_t state)
{
    struct stack_cell **top = stack_of(b, thread);
    while (*top && (uint64_t)(uintptr_t)*top != state)
        pop(top);
}

bool stack_holds(const struct resident *r, uint64_t address)
{
    for (unsigned t = 0; r->stacks && t < THREADS_MAX; t++)
        for (const struct stack_cell *c = r->stacks[t]; c; c = c->before)
            if (address - (uint64_t)(uintptr_t)c->data < c->size)
                return true;
    return false;
}

void stacks_free(struct resident *r)
{
    for (unsigned t = 0; r->stacks && t < THREADS_MAX; t++)
        while (r->stacks[t])
            pop(&r->stacks[t]);
    free(r->stacks);
    r->stacks = NULL;
}
