// SPDX-License-Identifier: Apache-2.0
// Native kernels, as native.h promises them. Such a kernel has a PTX text like any other, of one parameter and no instruction,
// so that modules, functions, launches and graphs know nothing of it: they have its name, the size of its parameter and
// its handle. Where code for a block shape is asked for, code that calls the C function is given.
#include "driver/driver.h" // before all others: it asks cuda.h for the names of drivers

#include "device/count/count.h"
#include "device/fault/fault.h"
#include "driver/native.h"
#include <stdio.h>
#include <stdlib.h>

struct native {
    bool task;
    struct jit_code code[NATIVE_WORKS]; // one for each amount of work: the engine keeps times in them
};

static uint32_t entry(const struct jit_launch *launch, struct jit_block *block, uint64_t count)
{
    const struct native_head *head = (const struct native_head *)launch->args;
    for (uint64_t end = block->linear + count; block->linear < end; block->linear++) {
        block->ctaid[0] = (uint32_t)block->linear; // for messages
        fault_checkpoint(FAULT_THREAD_UNKNOWN, NULL);
        head->run(head, block->linear);
    }
    return JIT_DONE;
}

struct jit_code *native_code(struct native *n, const uint32_t block[3])
{
    return &n->code[(block[0] - 1) % NATIVE_WORKS];
}

static struct native_state *state_of(const void *args)
{
    struct native_head head; // the caller's own block may lie anywhere
    memcpy(&head, args, sizeof head);
    return head.state;
}

void native_retain(const struct kernel_info *k, const void *args)
{
    struct native_state *s = k->native ? state_of(args) : NULL;
    if (s)
        __atomic_fetch_add(&s->refs, 1, __ATOMIC_RELAXED);
}

void native_release(const void *args)
{
    struct native_state *s = state_of(args);
    if (s && __atomic_fetch_sub(&s->refs, 1, __ATOMIC_ACQ_REL) == 1)
        s->release(s);
}

// The engine's words for turns and tasks are those of native.h.
_Static_assert(TASK_OVER == 0 && TASK_AGAIN == 1 && TASK_ASLEEP == 2, "the engine's turns");
_Static_assert(NATIVE_OVER == 0 && NATIVE_AGAIN == 1 && NATIVE_ASLEEP == 2, "a library's");

static enum task_turn task_turn(const void *args, struct op *task)
{
    const struct native_task_head *head = args;
    return (enum task_turn)head->turn(args, (struct native_task *)task);
}

static void task_abandon(const void *args, struct op *task)
{
    ((const struct native_task_head *)args)->abandon(args, (struct native_task *)task);
}

static void native_wake(struct native_task *task)
{
    task_wake((struct op *)task);
}

bool native_is_task(const struct native *n)
{
    return n && n->task;
}

// What it writes nobody sees: all that its arguments lead to.
static void note_written(const struct launch_desc *l)
{
    struct memory_range r;
    uint64_t word;
    for (size_t at = 0; check_wanted && at + sizeof word <= l->args_size; at += sizeof word) {
        memcpy(&word, (const char *)l->args + at, sizeof word);
        if (memory_find((void *)(uintptr_t)word, &r))
            check_written(r.base, r.size);
    }
}

struct op *native_op_create(const struct native *n, const struct launch_desc *l)
{
    if (n)
        note_written(l);
    struct task_desc d = {.name = l->kernel,
                          .code = l->code,
                          .args = l->args,
                          .args_size = l->args_size,
                          .faults = l->faults,
                          .turn = task_turn,
                          .abandon = task_abandon,
                          .done = l->done,
                          .done_data = l->done_data,
                          .drop = l->drop};
    if (!n || !n->task)
        return launch_op_create(l);
    struct op *task = task_op_create(&d);
    if (task && count_wanted)
        task_op_count(task, l->count);
    return task;
}

static void native_bind(struct kernel_info *k, bool task)
{
    struct native *n = xcalloc(1, sizeof *n);
    n->task = task;
    for (unsigned i = 0; i < NATIVE_WORKS; i++) {
        atomic_init(&n->code[i].entry, entry);
        snprintf(n->code[i].name, sizeof n->code[i].name, "%s", k->ptx->name);
    }
    k->native = n;
}

static CUresult kernel_create(CUkernel *kernel, const char *name, size_t bytes, bool task)
{
    enum { TEXT = 512 };
    char text[TEXT];
    CUlibrary library;
    size_t least = task ? sizeof(struct native_task_head) : sizeof(struct native_head);
    if (!kernel || !name || strlen(name) > TEXT / 4 || bytes < least || bytes > PARAM_LIMIT)
        return CUDA_ERROR_INVALID_VALUE;
    snprintf(text, sizeof text,
             ".version 7.0\n.target sm_50\n.address_size 64\n"
             ".visible .entry %s(.param .align 16 .b8 block[%zu])\n{\n    ret;\n}\n",
             name, bytes);
    CUresult r = library_load_data(&library, text, NULL, NULL, 0, NULL, NULL, 0);
    r = r ? r : library_get_kernel(kernel, library, name);
    struct kernel *k = r ? NULL : handle_get(*kernel, HANDLE_KERNEL);
    if (k)
        native_bind(k->info, task);
    return r;
}

// Not CUDA's: see native.h.
__attribute__((visibility("default"))) native_kernel_fn heddleNativeKernel;
CUresult heddleNativeKernel(CUkernel *kernel, const char *name, size_t bytes)
{
    return kernel_create(kernel, name, bytes, false);
}

__attribute__((visibility("default"))) native_task_fn heddleNativeTask;
CUresult heddleNativeTask(CUkernel *kernel, native_wake_fn **wake, const char *name, size_t bytes)
{
    if (!wake)
        return CUDA_ERROR_INVALID_VALUE;
    *wake = native_wake;
    return kernel_create(kernel, name, bytes, true);
}
