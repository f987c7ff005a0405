// SPDX-License-Identifier: Apache-2.0
// See loaded.h. The names and layout of the descriptor are GDB's: it puts a breakpoint on __jit_debug_register_code
// and reads the list from memory.
#include "jit/debug/loaded.h"
#include "base/xmalloc.h"
#include <pthread.h>
#include <stdlib.h>

enum { JIT_NOACTION, JIT_REGISTER, JIT_UNREGISTER };

struct jit_code_entry {
    struct jit_code_entry *next_entry, *prev_entry;
    const char *symfile_addr;
    uint64_t symfile_size;
};

struct jit_descriptor {
    uint32_t version, action_flag;
    struct jit_code_entry *relevant_entry, *first_entry;
};

#define EXPORT __attribute__((visibility("default"), used))
EXPORT struct jit_descriptor __jit_debug_descriptor = {1, JIT_NOACTION, NULL, NULL};
EXPORT __attribute__((noinline)) void __jit_debug_register_code(void);
void __jit_debug_register_code(void)
{
    __asm__ volatile("" ::: "memory");
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *register_add(const char *name, const struct load_image *image)
{
    struct jit_code_entry *e = xcalloc(1, sizeof *e);
    e->symfile_addr = image->object;
    e->symfile_size = image->object_size;
    pthread_mutex_lock(&lock);
    e->next_entry = __jit_debug_descriptor.first_entry;
    if (e->next_entry)
        e->next_entry->prev_entry = e;
    __jit_debug_descriptor.first_entry = __jit_debug_descriptor.relevant_entry = e;
    __jit_debug_descriptor.action_flag = JIT_REGISTER;
    __jit_debug_register_code();
    perf_write(name, image);
    pthread_mutex_unlock(&lock);
    return e;
}

void register_remove(void *handle)
{
    struct jit_code_entry *e = handle;
    if (!e)
        return;
    pthread_mutex_lock(&lock);
    if (e->prev_entry)
        e->prev_entry->next_entry = e->next_entry;
    else
        __jit_debug_descriptor.first_entry = e->next_entry;
    if (e->next_entry)
        e->next_entry->prev_entry = e->prev_entry;
    __jit_debug_descriptor.relevant_entry = e;
    __jit_debug_descriptor.action_flag = JIT_UNREGISTER;
    __jit_debug_register_code();
    pthread_mutex_unlock(&lock);
    free(e);
}
