// SPDX-License-Identifier: Apache-2.0
// See handle.h. Slots are reused in the order in which they were freed, so that a stale handle stays invalid for long.
#include "driver/context/handle.h"
#include <pthread.h>
#include <sys/mman.h>

static struct handle_slot none; // makes every handle invalid before the range is reserved
struct handle_slot *handle_base = &none;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint32_t fresh = 1, free_head, free_tail, free_count;
enum { KEEP_FREE = 1024 };

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>
// What a handle stands for is not lost, though only this memory has its address.
static void sanitizer_root(const void *p, size_t size)
{
    __lsan_register_root_region(p, size);
}
#else
static void sanitizer_root(const void *p, size_t size)
{
    (void)p, (void)size;
}
#endif

bool handles_ready(void)
{
    pthread_mutex_lock(&lock);
    if (handle_base == &none) {
        void *p = mmap(NULL, HANDLE_LIMIT * sizeof(struct handle_slot), PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (p != MAP_FAILED) {
            handle_base = p;
            sanitizer_root(p, HANDLE_LIMIT * sizeof(struct handle_slot));
        }
    }
    bool ok = handle_base != &none;
    pthread_mutex_unlock(&lock);
    return ok;
}

void *handle_create(enum handle_kind kind, void *object)
{
    uint32_t i = 0;
    pthread_mutex_lock(&lock);
    if (free_count > KEEP_FREE || (fresh == HANDLE_LIMIT && free_count)) {
        i = free_head;
        free_head = handle_base[i].next;
        free_count--;
    } else if (fresh < HANDLE_LIMIT) {
        i = fresh++;
    }
    pthread_mutex_unlock(&lock);
    if (!i)
        return NULL;
    atomic_store_explicit(&handle_base[i].object, (uintptr_t)object | (uintptr_t)kind, memory_order_release);
    return &handle_base[i];
}

void *handle_take(const void *handle, enum handle_kind kind)
{
    void *object = handle_get(handle, kind);
    if (!object)
        return NULL;
    struct handle_slot *s = (struct handle_slot *)handle;
    uintptr_t expected = (uintptr_t)object | (uintptr_t)kind;
    if (!atomic_compare_exchange_strong(&s->object, &expected, 0))
        return NULL;
    uint32_t i = (uint32_t)(s - handle_base);
    pthread_mutex_lock(&lock);
    if (free_count++)
        handle_base[free_tail].next = i;
    else
        free_head = i;
    free_tail = i;
    pthread_mutex_unlock(&lock);
    return object;
}
