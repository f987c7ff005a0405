// SPDX-License-Identifier: Apache-2.0
// See scarce.h.
//
// What is counted: allocations of every library while a scenario runs, on whatever thread. Not counted are those of the
// dynamic loader outside of dlopen: it ends the process itself where it has no memory for thread-local variables. On AArch64
// those inside are not either: there it writes what a library's thread-local variables need without a look at the address.
#include "scarce.h"
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <malloc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *p, size_t size);
void *__libc_memalign(size_t align, size_t size);
void __libc_free(void *p);

#define EXPORT __attribute__((visibility("default")))

static atomic_bool armed, lacking;
static atomic_long number, failing, live, mapped, budget;
static enum scarce_way way;
static _Thread_local bool opening; // inside dlopen
#ifdef __aarch64__
enum { LOADER_LOOKS = 0 };
#else
enum { LOADER_LOOKS = 1 };
#endif
static uintptr_t loader_begin, loader_end;

static int loader_find(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)size, (void)data;
    if (strstr(info->dlpi_name, "/ld-linux"))
        for (int i = 0; i < info->dlpi_phnum; i++)
            if (info->dlpi_phdr[i].p_type == PT_LOAD) {
                uintptr_t at = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
                loader_begin = loader_begin ? loader_begin : at;
                loader_end = at + info->dlpi_phdr[i].p_memsz;
            }
    return 0;
}

static bool counted(const void *caller)
{
    uintptr_t at = (uintptr_t)caller;
    return atomic_load(&armed) && ((LOADER_LOOKS && opening) || at < loader_begin || at >= loader_end);
}

// Does an allocation of this size fail?
static bool fails(const void *caller, size_t size)
{
    if (!counted(caller))
        return false;
    if (atomic_fetch_add(&number, 1) + 1 == atomic_load(&failing)) {
        atomic_store(&budget, 0);
        atomic_store(&lacking, true);
        return true;
    }
    if (!atomic_load(&lacking) || way == SCARCE_ONCE)
        return false;
    if (atomic_fetch_sub(&budget, (long)size) >= (long)size)
        return false;
    atomic_fetch_add(&budget, (long)size);
    return true;
}

static void *made(void *p)
{
    atomic_fetch_add(&live, p != NULL);
    if (!p)
        errno = ENOMEM;
    return p;
}

static void given_back(size_t size)
{
    if (atomic_load(&lacking))
        atomic_fetch_add(&budget, (long)size);
}

#define CALLER __builtin_return_address(0)

EXPORT void *malloc(size_t size)
{
    return made(fails(CALLER, size) ? NULL : __libc_malloc(size));
}

EXPORT void *calloc(size_t n, size_t size)
{
    return made(fails(CALLER, n * size) ? NULL : __libc_calloc(n, size));
}

EXPORT void *realloc(void *p, size_t size)
{
    if (!p)
        return made(fails(CALLER, size) ? NULL : __libc_realloc(p, size));
    size_t before = atomic_load(&lacking) ? malloc_usable_size(p) : 0;
    if (fails(CALLER, size)) {
        errno = ENOMEM;
        return NULL;
    }
    void *q = __libc_realloc(p, size);
    if (q || !size)
        given_back(before);
    atomic_fetch_sub(&live, !q && !size);
    return q;
}

EXPORT void *memalign(size_t align, size_t size)
{
    return made(fails(CALLER, size) ? NULL : __libc_memalign(align, size));
}

EXPORT void *aligned_alloc(size_t align, size_t size)
{
    return made(fails(CALLER, size) ? NULL : __libc_memalign(align, size));
}

EXPORT int posix_memalign(void **out, size_t align, size_t size)
{
    void *p = made(fails(CALLER, size) ? NULL : __libc_memalign(align, size));
    if (p)
        *out = p;
    return p ? 0 : ENOMEM;
}

EXPORT void free(void *p)
{
    int before = errno;
    if (p && atomic_load(&lacking))
        given_back(malloc_usable_size(p));
    atomic_fetch_sub(&live, p != NULL);
    __libc_free(p);
    errno = before;
}

EXPORT void *mmap(void *at, size_t size, int protection, int flags, int file, off_t offset)
{
    static void *(*next)(void *, size_t, int, int, int, off_t);
    if (!next)
        next = (void *(*)(void *, size_t, int, int, int, off_t))dlsym(RTLD_NEXT, "mmap");
    bool fixed = flags & MAP_FIXED; // takes the place of what is there
    if (!fixed && fails(CALLER, size)) {
        errno = ENOMEM;
        return MAP_FAILED;
    }
    void *p = next(at, size, protection, flags, file, offset);
    atomic_fetch_add(&mapped, p != MAP_FAILED && !fixed ? (long)size : 0);
    return p;
}

EXPORT int munmap(void *p, size_t size)
{
    static int (*next)(void *, size_t);
    if (!next)
        next = (int (*)(void *, size_t))dlsym(RTLD_NEXT, "munmap");
    int r = next(p, size);
    if (!r) {
        given_back(size);
        atomic_fetch_sub(&mapped, (long)size);
    }
    return r;
}

EXPORT void *dlopen(const char *name, int flags)
{
    static void *(*next)(const char *, int);
    bool outer = opening;
    if (!next)
        next = (void *(*)(const char *, int))dlsym(RTLD_NEXT, "dlopen");
    opening = true;
    void *p = next(name, flags);
    opening = outer;
    return p;
}

EXPORT int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *data)
{
    static int (*next)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    if (!next)
        next =
            (int (*)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *))dlsym(RTLD_NEXT, "pthread_create");
    return fails(CALLER, 1 << 16) ? EAGAIN : next(thread, attributes, run, data);
}

// ---- scenarios
bool scarce_now(void)
{
    return atomic_load(&lacking);
}

static const char *name_now;

static const char *way_name(void)
{
    return way == SCARCE_ONCE ? "once" : "lasting";
}

void scarce_wrong(const char *file, int line, const char *call, const char *result)
{
    bool before = atomic_exchange(&armed, false);
    fprintf(stderr, "%s:%d: %s: allocation %ld, %s: %s gave %s\n", file, line, name_now, (long)failing, way_name(),
            call, result);
    atomic_store(&armed, before);
}

static long run(const struct scarce_scenario *s, long fail)
{
    atomic_store(&number, 0);
    atomic_store(&failing, fail);
    atomic_store(&armed, true);
    s->run();
    atomic_store(&armed, false);
    atomic_store(&lacking, false);
    return atomic_load(&number);
}

static long files_open(void)
{
    long n = 0;
    DIR *d = opendir("/proc/self/fd");
    while (d && readdir(d))
        n++;
    if (d)
        closedir(d);
    return n;
}

// What the process holds.
struct held {
    long live, mapped;
};

static bool is_less(struct held before)
{
    return atomic_load(&live) <= before.live && atomic_load(&mapped) <= before.mapped;
}

// No more than after some run before. Threads of the library may be about to give back what they have finished with.
static bool was_there(const struct held *before, int n, int ms)
{
    for (int t = 0; t < ms; t++) {
        for (int i = 0; i < n; i++)
            if (is_less(before[i]))
                return true;
        usleep(1000);
    }
    return false;
}

// Some memory stays for the next call that wants it: that of operations, which threads hand to each other in bundles, and the
// reserve, which one run gives up and the next one takes again. So a run may leave more than the one before it, and less of
// the other kind; a loss never lets the process come back to where it was. Runs: more than the bundles of all threads hold.
static bool loses(const struct scarce_scenario *s, long fail)
{
    enum { TIMES = 80, WAIT_MS = 20, LONG_MS = 2000 };
    struct held before[TIMES];
    for (int i = 0; i < TIMES; i++) {
        before[i] = (struct held){atomic_load(&live), atomic_load(&mapped)};
        run(s, fail);
        if (was_there(before, i + 1, i < TIMES - 1 ? WAIT_MS : LONG_MS))
            return false;
    }
    fprintf(stderr, "%s: allocation %ld, %s: %ld blocks and %ld bytes of mappings are lost\n", s->name, fail,
            way_name(), (long)live - before[TIMES - 1].live, (long)mapped - before[TIMES - 1].mapped);
    return true;
}

static void report(const struct scarce_scenario *s, long tried, long all)
{
    printf("%s, %s: %ld of %ld allocations failed\n", s->name, way_name(), tried, all);
    fflush(stdout);
}

// From one allocation that fails to the next. With HEDDLE_TEST_BRIEF, which is for emulators, a seventh of them do.
static long step_of(const struct scarce_scenario *s, long all)
{
    return (s->samples && all > s->samples ? all / s->samples : 1) * (getenv("HEDDLE_TEST_BRIEF") ? 7 : 1);
}

static bool each_fails(const struct scarce_scenario *s)
{
    long all = run(s, 0), files = files_open(), tried = 0;
    bool ok = true;
    for (long i = 1; i <= all; i += step_of(s, all), tried++)
        ok = !loses(s, i) && ok;
    if (files_open() > files) {
        fprintf(stderr, "%s, %s: %ld files are left open\n", s->name, way_name(), files_open() - files);
        ok = false;
    }
    report(s, tried, all);
    return !loses(s, 0) && ok;
}

static void begin(const struct scarce_scenario *s)
{
    name_now = s->name;
    dl_iterate_phdr(loader_find, NULL);
}

bool scarce_try(const struct scarce_scenario *s)
{
    bool ok = true;
    begin(s);
    for (int i = 0; i < 3; i++)
        run(s, 0); // what lives as long as the process
    for (way = 0; way < SCARCE_WAYS; way++)
        ok = each_fails(s) && ok;
    return ok;
}

// How many allocations the scenario makes in a process of its own; -1: it fails.
static long in_child(const struct scarce_scenario *s, long fail, int (*failed)(void))
{
    int ends[2], status;
    long n = -1;
    if (pipe(ends))
        return -1;
    fflush(NULL);
    pid_t child = fork();
    if (!child) {
        n = run(s, fail);
        run(s, 0);
        bool told = !failed() && write(ends[1], &n, sizeof n) == sizeof n;
        fflush(NULL);
        _exit(!told);
    }
    close(ends[1]);
    if (read(ends[0], &n, sizeof n) != sizeof n)
        n = -1;
    close(ends[0]);
    return child > 0 && waitpid(child, &status, 0) == child && !status ? n : -1;
}

bool scarce_try_first(const struct scarce_scenario *s, int (*failed)(void))
{
    bool ok = true;
    begin(s);
    for (way = 0; way < SCARCE_WAYS; way++) {
        long all = in_child(s, 0, failed), tried = 0;
        ok = ok && all > 0;
        for (long i = 1; i <= all; i += step_of(s, all), tried++)
            if (in_child(s, i, failed) < 0) {
                fprintf(stderr, "%s: allocation %ld, %s: the process failed\n", s->name, i, way_name());
                ok = false;
            }
        report(s, tried, all);
    }
    return ok;
}
