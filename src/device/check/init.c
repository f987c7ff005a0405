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

// The lanes' addresses follow each other, from the first one on.
static bool is_one_row(const struct check_init *i)
{
    uint32_t first = (uint32_t)__builtin_ctz(i->lanes), run = i->lanes >> first;
    if (run == 1 || run & (run + 1))
        return false; // one alone, or with holes
    for (uint32_t n = 1; first + n < 32 && run >> n; n++)
        if (i->address[first + n] != i->address[first] + (uint64_t)n * i->size)
            return false;
    return true;
}

// Whether these bytes were read though they are not written; those that are stored are now.
static bool touch(struct allocation *a, const struct check_init *i, uint64_t address, size_t size)
{
    size_t at = (size_t)(address - (uint64_t)(uintptr_t)a->base);
    if (at > a->size || size > a->size - at)
        return false;
    bool missing = i->reads && memchr(a->written + at, 0, size);
    if (i->writes && !(missing && i->lanes & (i->lanes - 1)))
        memset(a->written + at, 1, size);
    return missing;
}

uint32_t check_init_touch(const struct memory_range *r, const struct check_init *i, bool *full)
{
    uint32_t bad = 0;
    pthread_rwlock_rdlock(&lock);
    struct allocation *a = holder(r->base);
    bool tracked = a && a->written, one = tracked && is_one_row(i);
    if (one)
        one = !touch(a, i, i->address[__builtin_ctz(i->lanes)], (size_t)__builtin_popcount(i->lanes) * i->size);
    for (uint32_t rest = tracked && !one ? i->lanes : 0; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        struct check_init mine = *i;
        mine.lanes = 1u << lane;
        bad |= (uint32_t)touch(a, &mine, i->address[lane], i->size) << lane;
    }
    *full &= !tracked || is_full(a);
    pthread_rwlock_unlock(&lock);
    return bad;
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
