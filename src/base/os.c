// SPDX-License-Identifier: Apache-2.0
// See os.h.
#include "base/os.h"
#include "base/reserve.h"
#include "base/str.h"
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static char *fd_read(int fd, size_t *size)
{
    size_t len = 0, cap = 1 << 16;
    struct stat st;
    if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_size > 0)
        cap = (size_t)st.st_size + 1;
    char *data;
    while (!(data = malloc(cap)) && reserve_release())
        ;
    while (data) {
        ssize_t n = read(fd, data + len, cap - len - 1);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0) {
            free(data);
            data = NULL;
        }
        if (n <= 0)
            break;
        len += (size_t)n;
        if (len + 1 == cap) {
            char *more;
            cap *= 2;
            while (!(more = malloc(cap)) && reserve_release())
                ;
            if (more)
                memcpy(more, data, len);
            free(data);
            data = more;
        }
    }
    int saved = errno;
    close(fd);
    errno = saved;
    if (!data)
        return NULL;
    data[len] = 0;
    if (size)
        *size = len;
    return data;
}

char *os_file_read(const char *path, size_t *size)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    return fd < 0 ? NULL : fd_read(fd, size);
}

static bool is_private(const struct stat *st)
{
    return st->st_uid == geteuid() && !(st->st_mode & (S_IWGRP | S_IWOTH));
}

bool os_is_private(int fd)
{
    struct stat st;
    return !fstat(fd, &st) && is_private(&st);
}

// What was opened is what is asked about: a name could have been given to another file in between. A FIFO is not waited
// for.
char *os_file_read_private(const char *path, size_t *size)
{
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0)
        return NULL;
    if (fstat(fd, &st) || !S_ISREG(st.st_mode) || !is_private(&st)) {
        close(fd);
        errno = EPERM;
        return NULL;
    }
    return fd_read(fd, size);
}

bool os_file_is_private(const char *path)
{
    struct stat st;
    return !lstat(path, &st) && S_ISREG(st.st_mode) && is_private(&st);
}

bool os_folder_is_private(const char *path)
{
    struct stat st;
    return !lstat(path, &st) && S_ISDIR(st.st_mode) && is_private(&st);
}

bool os_write_all(int fd, const void *data, size_t size)
{
    for (const char *p = data; size;) {
        ssize_t n = write(fd, p, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        p += n;
        size -= (size_t)n;
    }
    return true;
}

bool os_file_write(const char *path, const void *data, size_t size)
{
    char tmp[PATH_MAX];
    if (snprintf(tmp, sizeof tmp, "%s.%ld.XXXXXX", path, (long)getpid()) >= (int)sizeof tmp)
        return false;
    int fd = mkostemp(tmp, O_CLOEXEC);
    if (fd < 0)
        return false;
    fchmod(fd, 0644);
    bool written = os_write_all(fd, data, size);
    if (close(fd) || !written || rename(tmp, path)) {
        int saved = errno;
        unlink(tmp);
        errno = saved;
        return false;
    }
    return true;
}

bool os_mkdirs(const char *path)
{
    char buf[PATH_MAX];
    if (snprintf(buf, sizeof buf, "%s", path) >= (int)sizeof buf)
        return false;
    for (char *p = buf + 1; *p; p++)
        if (*p == '/') {
            *p = 0;
            if (mkdir(buf, 0755) && errno != EEXIST)
                return false;
            *p = '/';
        }
    return !mkdir(buf, 0755) || errno == EEXIST;
}

bool os_file_state(const char *path, char *out, size_t size)
{
    struct stat st;
    if (stat(path, &st))
        return false;
    snprintf(out, size, "%lld %lld.%09ld", (long long)st.st_size, (long long)st.st_mtim.tv_sec,
             (long)st.st_mtim.tv_nsec);
    return true;
}

const char *os_temp_base(void)
{
    const char *base = secure_getenv("TMPDIR");
    return base && *base ? base : "/tmp";
}

bool os_temp_dir(char *out, size_t size, const char *base, const char *stem)
{
    bool fits = snprintf(out, size, "%s/%s-XXXXXX", base, stem) < (int)size;
    if (fits && mkdtemp(out))
        return true;
    errno = fits ? errno : ENAMETOOLONG;
    out[0] = 0;
    return false;
}

void os_folder_remove(const char *path)
{
    DIR *dir;
    while (!(dir = opendir(path)) && errno == ENOMEM && reserve_release())
        ;
    if (!dir)
        return;
    for (struct dirent *e; (e = readdir(dir));)
        if (strcmp(e->d_name, ".") && strcmp(e->d_name, ".."))
            unlinkat(dirfd(dir), e->d_name, 0);
    closedir(dir);
    rmdir(path);
}

static bool read_line(const char *path, char *line, size_t size)
{
    FILE *f = fopen(path, "r");
    bool ok = f && fgets(line, (int)size, f);
    if (f)
        fclose(f);
    return ok;
}

// Processors' worth of time that one control group grants, rounded up; 0: no limit. Version 2 of them has "quota
// period" or "max period" in one file, version 1 has two files.
static unsigned group_quota(const char *folder)
{
    char path[PATH_MAX + 64], line[64];
    long quota = 0, period = 0;
    snprintf(path, sizeof path, "%s/cpu.max", folder);
    if (read_line(path, line, sizeof line)) {
        if (sscanf(line, "%ld %ld", &quota, &period) != 2)
            return 0;
    } else {
        snprintf(path, sizeof path, "%s/cpu.cfs_quota_us", folder);
        if (read_line(path, line, sizeof line))
            quota = strtol(line, NULL, 10);
        snprintf(path, sizeof path, "%s/cpu.cfs_period_us", folder);
        if (read_line(path, line, sizeof line))
            period = strtol(line, NULL, 10);
    }
    return quota > 0 && period > 0 ? (unsigned)((quota + period - 1) / period) : 0;
}

// The least that this process's group and those around it grant; 0: no limit known. In a container the path that the
// kernel tells may not be there: then the root is the container's own.
static unsigned cpu_quota(void)
{
    char line[PATH_MAX], folder[PATH_MAX + 32];
    unsigned least = 0;
    FILE *f = fopen("/proc/self/cgroup", "r");
    while (f && fgets(line, sizeof line, f)) { // number:controllers:path
        char *controllers = strchr(line, ':'), *path = controllers ? strchr(controllers + 1, ':') : NULL;
        if (!path)
            continue;
        *path++ = 0;
        controllers++;
        path[strcspn(path, "\n")] = 0;
        bool unified = !*controllers;
        if (!unified && !str_list_has(controllers, "cpu"))
            continue;
        const char *root = unified ? "/sys/fs/cgroup" : "/sys/fs/cgroup/cpu";
        for (;;) {
            snprintf(folder, sizeof folder, "%s%s", root, path);
            unsigned quota = group_quota(folder);
            least = quota && (!least || quota < least) ? quota : least;
            char *slash = strrchr(path, '/');
            if (!slash || !path[1])
                break;
            slash[slash == path] = 0; // at last the root
        }
    }
    if (f)
        fclose(f);
    return least;
}

unsigned os_cpu_count(void)
{
    cpu_set_t set;
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    unsigned cpus = n > 0 ? (unsigned)n : 1, quota = cpu_quota();
    if (!sched_getaffinity(0, sizeof set, &set) && CPU_COUNT(&set) > 0)
        cpus = (unsigned)CPU_COUNT(&set);
    return quota && quota < cpus ? quota : cpus;
}

static unsigned long cache_number(unsigned index, const char *what, char *text, size_t size)
{
    char path[96];
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%u/%s", index, what);
    char *all = os_file_read(path, NULL);
    snprintf(text, size, "%s", all ? all : "");
    free(all);
    return strtoul(text, NULL, 10);
}

// What the C library knows, from the processor itself; nothing on AArch64.
static struct os_cache cache_known(unsigned level)
{
    static const int sizes[] = {_SC_LEVEL1_DCACHE_SIZE, _SC_LEVEL2_CACHE_SIZE, _SC_LEVEL3_CACHE_SIZE};
    static const int ways[] = {_SC_LEVEL1_DCACHE_ASSOC, _SC_LEVEL2_CACHE_ASSOC, _SC_LEVEL3_CACHE_ASSOC};
    if (level < 1 || level > sizeof sizes / sizeof *sizes)
        return (struct os_cache){0};
    long size = sysconf(sizes[level - 1]), way = sysconf(ways[level - 1]);
    return size > 0 && way > 0 ? (struct os_cache){(size_t)size, (unsigned)way} : (struct os_cache){0};
}

struct os_cache os_cache(unsigned level)
{
    struct os_cache c = cache_known(level);
    char text[32];
    unsigned long of;
    for (unsigned i = 0; !c.bytes && (of = cache_number(i, "level", text, sizeof text)) != 0; i++) {
        cache_number(i, "type", text, sizeof text);
        if (of != level || !strncmp(text, "Instruction", 11))
            continue;
        c.ways = (unsigned)cache_number(i, "ways_of_associativity", text, sizeof text);
        c.bytes = cache_number(i, "size", text, sizeof text);
        c.bytes <<= strchr(text, 'M') ? 20 : strchr(text, 'K') ? 10 : 0;
    }
    return c;
}

bool os_cpu_idle(void)
{
    unsigned running = 0;
    char *text = os_file_read("/proc/loadavg", NULL);
    bool known = text && sscanf(text, "%*s %*s %*s %u/", &running) == 1;
    free(text);
    return !known || running <= os_cpu_count();
}

uint64_t os_time_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000ull + (uint64_t)t.tv_nsec;
}

struct timespec os_time_after(unsigned ms)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    t.tv_sec += ms / 1000;
    t.tv_nsec += (long)(ms % 1000) * 1000000;
    t.tv_sec += t.tv_nsec / 1000000000;
    t.tv_nsec %= 1000000000;
    return t;
}

bool os_lock_within(pthread_mutex_t *lock, unsigned ms)
{
    struct timespec end = os_time_after(ms);
    return !pthread_mutex_timedlock(lock, &end);
}

uint64_t os_thread_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * 1000000000ull + (uint64_t)t.tv_nsec;
}

bool os_self_dir(const void *address, char *out, size_t size)
{
    Dl_info info;
    struct link_map *map = NULL;
    char real[PATH_MAX];
    if (!dladdr1(address, &info, (void **)&map, RTLD_DL_LINKMAP) || !map)
        return false;
    // The loader knows the program by its argv[0] alone: a word that the caller chose, which may name another file
    // here.
    if (!realpath(*map->l_name ? map->l_name : "/proc/self/exe", real))
        return false;
    char *slash = strrchr(real, '/');
    if (!slash || (size_t)(slash - real) + 1 > size)
        return false;
    memcpy(out, real, (size_t)(slash - real));
    out[slash - real] = 0;
    return true;
}

bool os_at_thread_end(struct os_thread_end *kind, void *thing)
{
    unsigned key = atomic_load_explicit(&kind->key, memory_order_acquire);
    if (!key) {
        pthread_key_t fresh;
        if (pthread_key_create(&fresh, kind->end))
            return false;
        if (atomic_compare_exchange_strong(&kind->key, &key, fresh + 1))
            key = fresh + 1;
        else
            pthread_key_delete(fresh); // another thread was first
    }
    return !pthread_setspecific(key - 1, thing);
}

bool os_library_keep(const void *address)
{
    Dl_info info;
    struct link_map *map = NULL;
    if (!dladdr1(address, &info, (void **)&map, RTLD_DL_LINKMAP) || !map || !*map->l_name)
        return true; // the program itself
    return dlopen(map->l_name, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);
}

static _Thread_local struct {
    bool looked;
    const char *low;
    size_t size;
} stack;

const char *os_stack_low(void)
{
    pthread_attr_t attr;
    void *low;
    if (!stack.looked && !pthread_getattr_np(pthread_self(), &attr)) {
        if (!pthread_attr_getstack(&attr, &low, &stack.size))
            stack.low = low;
        pthread_attr_destroy(&attr);
    }
    stack.looked = true;
    return stack.low;
}

size_t os_stack_room(void)
{
    const char *here = __builtin_frame_address(0), *low = os_stack_low();
    size_t room = (size_t)(here - low);
    return !low ? SIZE_MAX : room < stack.size ? room : 0;
}

// Compilers take getcontext for a setjmp, behind which variables of a function that goes on would be in doubt.
void os_context_make(ucontext_t *c, void *low, size_t size, void (*fn)(void))
{
    getcontext(c);
    c->uc_link = NULL;
    c->uc_stack.ss_sp = low;
    c->uc_stack.ss_size = size;
    makecontext(c, fn, 0);
}

bool os_is_mapped(const void *address, size_t size)
{
    uintptr_t at = (uintptr_t)address, first = at & ~(uintptr_t)(sysconf(_SC_PAGESIZE) - 1);
    return !msync((void *)first, at + size - first, MS_ASYNC) || errno != ENOMEM;
}

// The kernel tells where memory cannot be read, so the text goes through a pipe.
bool os_text_at(const void *address, char *out, size_t size)
{
    int ends[2];
    bool found = false;
    if (!address || !size || pipe2(ends, O_CLOEXEC | O_NONBLOCK))
        return false;
    for (size_t len = 0; len < size && !found; len++) {
        if (write(ends[1], (const char *)address + len, 1) != 1 || read(ends[0], out + len, 1) != 1)
            break;
        found = !out[len];
    }
    close(ends[0]);
    close(ends[1]);
    return found;
}

// The loader tells its reason as a text alone, which is shorter where there is no memory for it.
void *os_library_open(const char *path, char *reason, size_t size, bool *lacks_memory)
{
    errno = 0;
    void *h = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    bool lacks = !h && errno == ENOMEM;
    const char *text = h ? NULL : dlerror();
    // The loader does not always say it: a symbol whose search ran out of memory is "undefined" to it.
    void *probe = h ? NULL : malloc(4096);
    *lacks_memory =
        lacks || (!h && !probe) || (text && (strstr(text, strerror(ENOMEM)) || strstr(text, "out of memory")));
    free(probe);
    if (reason && !h)
        snprintf(reason, size, "%s", text ? text : "?");
    return h;
}
