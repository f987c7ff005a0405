// SPDX-License-Identifier: Apache-2.0
// See cache.h. One file for each key, in DIR/xx/; the least recently used go first when the total passes the limit.
#include "jit/cache/cache.h"
#include "base/env.h"
#include "base/log.h"
#include "base/os.h"
#include "base/cpu/processor.h"
#include "base/str.h"
#include "base/vec.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#if defined(__x86_64__)
#include <cpuid.h>
#else
#include <sys/auxv.h>
#endif

struct file_head {
    char magic[8];
    struct hash128 key;
    uint64_t size, checksum;
    uint64_t ran_us; // rewritten as the code runs: no part of the checksum
};
static const char magic[8] = {'H', 'E', 'D', 'D', 'L', 'E', 'C', '2'};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char dir[PATH_MAX];
static uint64_t limit;
static struct str machine;

// What is kept is run: folders and files that another user could have written are not used at all. The folder itself
// may be a link that the user made, except in /tmp, where anyone can make one.
static bool dir_open(bool nofollow)
{
    char *slash = strrchr(dir, '/');
    if (slash && slash != dir) {
        *slash = 0;
        bool made = os_mkdirs(dir);
        *slash = '/';
        if (!made)
            return false;
    }
    if (mkdir(dir, 0700) && errno != EEXIST)
        return false;
    int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC | (nofollow ? O_NOFOLLOW : 0));
    bool ok = fd >= 0 && os_is_private(fd);
    if (fd >= 0)
        close(fd);
    if (!ok)
        log_write(LOG_WARN,
                  "the disk cache %s is not used: it is not a folder of this user's, or others can write to it", dir);
    return ok;
}

// From the folder down: CUDA's own variables decide where Heddle's are not set.
static void find_dir(void)
{
    const char *disable = secure_getenv("CUDA_CACHE_DISABLE"), *own = env_get("HEDDLE_CACHE_DIR");
    const char *theirs = secure_getenv("CUDA_CACHE_PATH"), *xdg = secure_getenv("XDG_CACHE_HOME"),
               *home = secure_getenv("HOME");
    if ((disable && !strcmp(disable, "1")) || !strcmp(env_get("HEDDLE_CACHE"), "0"))
        return;
    const char *const in[][2] = {{own, ""}, {theirs, "/heddle"}, {xdg, "/heddle"}, {home, "/.cache/heddle"}};
    for (unsigned i = 0; i < sizeof in / sizeof *in && !dir[0]; i++)
        if (in[i][0] && *in[i][0])
            snprintf(dir, sizeof dir, "%s%s", in[i][0], in[i][1]);
    if (!dir[0])
        snprintf(dir, sizeof dir, "/tmp/heddle-cache-%u", (unsigned)geteuid());
    if (!dir_open(!strncmp(dir, "/tmp/", 5)))
        dir[0] = 0;
}

static void describe_cpu(void)
{
#if defined(__x86_64__)
    static const unsigned leaves[][2] = {{1, 0}, {7, 0}, {7, 1}, {0x80000001, 0}};
    for (unsigned i = 0; i < sizeof leaves / sizeof *leaves; i++) {
        unsigned a = 0, b = 0, c = 0, e = 0;
        __get_cpuid_count(leaves[i][0], leaves[i][1], &a, &b, &c, &e);
        if (leaves[i][0] == 1)
            b = 0; // holds the number of the core that asked
        str_printf(&machine, "x86 %x %x %x %x;", a, b, c, e);
        if (leaves[i][0] == 1 && c & bit_OSXSAVE) { // registers that the kernel keeps
            __asm__("xgetbv" : "=a"(a), "=d"(e) : "c"(0));
            str_printf(&machine, "xcr0 %x %x;", a, e);
        }
    }
#else
    // What programs may use. The names of processors, which emulators do not tell, say how code is tuned.
    str_printf(&machine, "aarch64 %lx %lx;", getauxval(AT_HWCAP), getauxval(AT_HWCAP2));
    char *text = os_file_read("/proc/cpuinfo", NULL);
    const char *const fields[] = {"Features", "CPU implementer", "CPU part", "CPU variant"};
    for (unsigned i = 0; text && i < sizeof fields / sizeof *fields; i++) {
        const char *p = strstr(text, fields[i]);
        if (p)
            str_append_n(&machine, p, strcspn(p, "\n"));
    }
    free(text);
#endif
    // What the cost model asks of the processor at hand (jit/ir/machine.c).
    struct os_cache first = os_cache(1), second = os_cache(2);
    str_printf(&machine, "caches %zu %u %zu gathers %d;", first.bytes, first.ways, second.bytes,
               processor_gather_cost() <= 100);
}

static void init(void)
{
    find_dir();
    const char *theirs = secure_getenv("CUDA_CACHE_MAXSIZE");
    limit = theirs && *theirs ? strtoull(theirs, NULL, 10) : env_number("HEDDLE_CACHE_SIZE");
    describe_cpu();
    char lib[PATH_MAX], path[PATH_MAX + 32], state[64];
    if (os_self_dir((const void *)init, lib, sizeof lib)) {
        snprintf(path, sizeof path, "%s/libheddle-jit.so", lib);
        bool found = os_file_state(path, state, sizeof state);
        if (!found) { // a program beside the libraries: the same key
            snprintf(path, sizeof path, "%s/../lib64/libheddle-jit.so", lib);
            found = os_file_state(path, state, sizeof state);
        }
        if (found)
            str_printf(&machine, ";%s", state);
    }
}

const char *cache_machine(void)
{
    pthread_once(&once, init);
    return str_text(&machine);
}

const char *cache_dir(void)
{
    pthread_once(&once, init);
    return dir[0] ? dir : NULL;
}

static bool file_path(const struct hash128 *key, char *out, size_t size, bool make)
{
    char hex[33];
    if (!cache_dir())
        return false;
    hash128_hex(key, hex);
    int n = snprintf(out, size, "%s/%.2s", dir, hex);
    if (n < 0 || (size_t)n + 40 > size)
        return false;
    if ((make && mkdir(out, 0700) && errno != EEXIST) || !os_folder_is_private(out))
        return false;
    snprintf(out + n, size - (size_t)n, "/%s", hex);
    return true;
}

bool cache_file_read(const char *path, const struct hash128 *key, void **data, size_t *size)
{
    size_t n;
    char *text = os_file_read_private(path, &n);
    if (!text)
        return false;
    struct file_head h;
    bool ok = n >= sizeof h;
    if (ok) {
        memcpy(&h, text, sizeof h);
        ok = !memcmp(h.magic, magic, sizeof magic) && !memcmp(&h.key, key, sizeof *key) && h.size == n - sizeof h &&
             h.checksum == hash_bytes(text + sizeof h, n - sizeof h, 1);
    }
    if (!ok) {
        free(text);
        unlink(path);
        return false;
    }
    memmove(text, text + sizeof h, n - sizeof h);
    *data = text;
    *size = n - sizeof h;
    return true;
}

bool cache_get(const struct hash128 *key, void **data, size_t *size)
{
    char path[PATH_MAX];
    if (!file_path(key, path, sizeof path, false) || !cache_file_read(path, key, data, size))
        return false;
    utimensat(AT_FDCWD, path, NULL, 0); // used now
    return true;
}

uint64_t cache_ran(const struct hash128 *key, uint64_t us)
{
    char path[PATH_MAX];
    struct file_head h;
    if (!file_path(key, path, sizeof path, false))
        return us;
    int fd = open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    bool ok = fd >= 0 && os_is_private(fd) && pread(fd, &h, sizeof h, 0) == (ssize_t)sizeof h &&
              !memcmp(h.magic, magic, sizeof magic) && !memcmp(&h.key, key, sizeof *key);
    if (ok) {
        us += h.ran_us;
        if (pwrite(fd, &us, sizeof us, offsetof(struct file_head, ran_us)) < 0)
            log_write(LOG_DEBUG, "%s cannot be written", path);
    }
    if (fd >= 0)
        close(fd);
    return us;
}

struct entry {
    char path[80]; // below dir
    uint64_t size;
    struct timespec used;
};

static int by_age(const void *a, const void *b)
{
    const struct timespec *x = &((const struct entry *)a)->used, *y = &((const struct entry *)b)->used;
    if (x->tv_sec != y->tv_sec)
        return x->tv_sec < y->tv_sec ? -1 : 1;
    return (x->tv_nsec > y->tv_nsec) - (x->tv_nsec < y->tv_nsec);
}

static void evict(void)
{
    struct VEC(struct entry) all = {0};
    uint64_t total = 0;
    for (unsigned i = 0; i < 256; i++) {
        char sub[PATH_MAX + 8];
        snprintf(sub, sizeof sub, "%s/%02x", dir, i);
        DIR *d = opendir(sub);
        for (struct dirent *e; d && (e = readdir(d));) {
            struct entry x;
            struct stat st;
            if (e->d_name[0] == '.' || fstatat(dirfd(d), e->d_name, &st, 0) || strlen(e->d_name) > 70)
                continue;
            snprintf(x.path, sizeof x.path, "%02x/%.70s", i, e->d_name);
            x.size = (uint64_t)st.st_size;
            x.used = st.st_mtim;
            total += x.size;
            vec_push(&all, x);
        }
        if (d)
            closedir(d);
    }
    if (total > limit) {
        qsort(all.data, all.len, sizeof *all.data, by_age);
        for (size_t i = 0; i < all.len && total > limit - limit / 8; i++) {
            char path[PATH_MAX + 96];
            snprintf(path, sizeof path, "%s/%s", dir, all.data[i].path);
            if (!unlink(path))
                total -= all.data[i].size;
        }
    }
    vec_free(&all);
}

bool cache_file_write(const char *path, const struct hash128 *key, const void *data, size_t size)
{
    char *file = malloc(sizeof(struct file_head) + size);
    if (!file)
        return false;
    struct file_head h = {.key = *key, .size = size, .checksum = hash_bytes(data, size, 1)};
    memcpy(h.magic, magic, sizeof magic);
    memcpy(file, &h, sizeof h);
    memcpy(file + sizeof h, data, size);
    bool ok = os_file_write(path, file, sizeof h + size);
    free(file);
    return ok;
}

void cache_put(const struct hash128 *key, const void *data, size_t size)
{
    char path[PATH_MAX];
    if (file_path(key, path, sizeof path, true) && size <= limit && cache_file_write(path, key, data, size) &&
        (key->lo & 15) == 0)
        evict(); // one put in sixteen looks at the whole folder
}
