// SPDX-License-Identifier: Apache-2.0
// What the program has allocated and not freed (leaks), and for initcheck a byte for each of its bytes: whether it was written. Memory that
// others may write unseen has no such bytes: it counts as written.
#include "base/vec.h"
#include "device/check/report.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct allocation {
    const char *base;
    size_t size;
    const void *owner;
    struct sanitizer_stack stack;
    bool heap;
    unsigned char *written; // NULL: all of it
    size_t known;           // so many from the first on are written
};

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static struct VEC(struct allocation) all; // sorted by base

static size_t upper(const char *address)
{
    size_t lo = 0, hi = all.len;
    while (lo < hi) {
        size_t mid = (lo + hi) / 2;
        if (all.data[mid].base <= address)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

static struct allocation *holder(const void *address)
{
    const char *p = address;
    size_t i = upper(p);
    return i && (size_t)(p - all.data[i - 1].base) < all.data[i - 1].size ? &all.data[i - 1] : NULL;
}

void check_allocated(const void *base, size_t size)
{
    struct memory_range r;
    if (!check_wanted || !base)
        return;
    struct allocation a = {.base = base, .size = size};
    if (!memory_find(base, &r))
        return;
    a.owner = r.owner;
    a.heap = r.kind == MEMORY_HEAP;
    if (!a.heap && strcmp(sanitizer_setting("backtrace"), "no"))
        sanitizer_stack_take(&a.stack, 1);
    if (sanitizer_tools() & JIT_CHECK_INIT && r.kind == MEMORY_DEVICE)
        a.written = calloc(1, size);
    pthread_rwlock_wrlock(&lock);
    size_t at = upper(base);
    vec_push(&all, a);
    memmove(&all.data[at + 1], &all.data[at], (all.len - 1 - at) * sizeof a);
    all.data[at] = a;
    pthread_rwlock_unlock(&lock);
}

static void drop(size_t i)
{
    free(all.data[i].written);
    memmove(&all.data[i], &all.data[i + 1], (all.len - 1 - i) * sizeof *all.data);
    all.len--;
}

void check_freed(const void *base)
{
    if (!check_wanted)
        return;
    pthread_rwlock_wrlock(&lock);
    struct allocation *a = holder(base);
    if (a && a->base == base)
        drop((size_t)(a - all.data));
    pthread_rwlock_unlock(&lock);
}

void check_written(const void *base, size_t size)
{
    const char *p = base;
    if (!check_wanted || !(sanitizer_tools() & JIT_CHECK_INIT))
        return;
    pthread_rwlock_rdlock(&lock);
    struct allocation *a = holder(p);
    if (a && a->written) {
        size_t at = (size_t)(p - a->base), room = a->size - at;
        memset(a->written + at, 1, size < room ? size : room);
    }
    pthread_rwlock_unlock(&lock);
}

// All of it is written, as far as was looked. What is once written stays so.
static bool is_full(struct allocation *a)
{
    enum { AT_ONCE = 4096 };
    size_t from = __atomic_load_n(&a->known, __ATOMIC_RELAXED), n = a->size - from < AT_ONCE ? a->size - from : AT_ONCE;
    const unsigned char *zero = memchr(a->written + from, 0, n);
    from = zero ? (size_t)(zero - a->written) : from + n;
    __atomic_store_n(&a->known, from, __ATOMIC_RELAXED);
    return from == a->size;
}

bool check_init_read(const struct memory_range *r, uint64_t address, uint32_t size, bool *full)
{
    pthread_rwlock_rdlock(&lock);
    struct allocation *a = holder(r->base);
    bool tracked = a && a->written, ok = true;
    size_t at = (size_t)(address - (uint64_t)(uintptr_t)r->base);
    if (tracked && at + size <= a->size)
        ok = !memchr(a->written + at, 0, size);
    *full &= !tracked || is_full(a);
    pthread_rwlock_unlock(&lock);
    return ok;
}

void check_init_write(const struct memory_range *r, uint64_t address, uint32_t size, bool *full)
{
    pthread_rwlock_rdlock(&lock);
    struct allocation *a = holder(r->base);
    bool tracked = a && a->written;
    size_t at = (size_t)(address - (uint64_t)(uintptr_t)r->base);
    if (tracked && at + size <= a->size)
        memset(a->written + at, 1, size);
    *full &= !tracked || is_full(a);
    pthread_rwlock_unlock(&lock);
}

// ---- leaks
static void report_leaks(const void *owner, bool any)
{
    if (!check_wanted || strcmp(sanitizer_setting("leak"), "full"))
        return;
    pthread_rwlock_wrlock(&lock);
    for (size_t i = all.len; i-- > 0;) {
        struct allocation *a = &all.data[i];
        if (!any && a->owner != owner)
            continue;
        struct sanitizer_report *r = malloc(sizeof *r);
        if (r) {
            r->len = 0;
            sanitizer_add(r, "K\tleak\nH\tLeaked %zu bytes at 0x%llx%s\n", a->size,
                          (unsigned long long)(uintptr_t)a->base, a->heap ? " on the device heap" : "");
            sanitizer_add_stack(r, "Saved host backtrace up to driver entry point at allocation time", &a->stack);
            sanitizer_add(r, "N\t%zu\n", a->size);
            sanitizer_send(r);
            free(r);
        }
        drop(i);
    }
    pthread_rwlock_unlock(&lock);
}

void check_context_over(const void *owner)
{
    report_leaks(owner, false);
}

// When the library goes: the program's own destructors have run.
__attribute__((destructor)) static void at_end(void)
{
    report_leaks(NULL, true);
}
