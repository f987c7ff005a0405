// SPDX-License-Identifier: Apache-2.0
// See loaded.h. The names and layout of the descriptor are GDB's: it puts a breakpoint on __jit_debug_register_code
// and reads the list from memory.
#include "jit/debug/loaded.h"
#include "base/env.h"
#include "base/log.h"
#include "base/os.h"
#include "base/xmalloc.h"
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

// perf asks for this name in a folder where anyone can make files. So no link is followed, symbolic or not, and what is
// there must be a file of this user's; other engines of the process write to it as well.
static int perf_map_open(void)
{
    char path[64];
    struct stat st;
    snprintf(path, sizeof path, "/tmp/perf-%ld.map", (long)getpid());
    int fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
    if (fd >= 0 && (fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_nlink != 1 || !os_is_private(fd))) {
        close(fd);
        fd = -1;
    }
    if (fd < 0)
        log_write(LOG_WARN, "%s is not written: it is a link, or not a file of this user's", path);
    return fd;
}

static void perf_map_write(const char *name, const struct load_image *image)
{
    int fd = strcmp(env_get("HEDDLE_PERF_MAP"), "1") ? -1 : perf_map_open();
    if (fd < 0)
        return;
    dprintf(fd, "%llx %zx %s\n", (unsigned long long)(uintptr_t)image->base, image->code_size, name);
    close(fd);
}

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
    perf_map_write(name, image);
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
