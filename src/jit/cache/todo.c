// SPDX-License-Identifier: Apache-2.0
// See todo.h.
#include "jit/cache/todo.h"
#include "base/env.h"
#include "base/log.h"
#include "base/os.h"
#include "base/process/detach.h"
#include "base/xmalloc.h"
#include "jit/cache/cache.h"
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

extern char **environ;

// The most pieces that are left, and bytes of a text that is worth to be written; the limits of the process, for which the kernels of
// the largest programs that were tried take a twentieth.
enum { MOST = 256, TEXT_BYTES = 16 << 20, MOST_ENV = 64 };
static const struct detach_limits limits = {.memory = 8ull << 30, .seconds = 600};

struct head {
    struct hash128 text_key;
    uint32_t width, block[3], debug, checked, compat, kernel_bytes;
};

static bool folder(char *out, size_t size)
{
    const char *dir = cache_dir();
    return dir && snprintf(out, size, "%s/todo", dir) < (int)size;
}

static bool file_of(const struct hash128 *key, char *out, size_t size)
{
    char dir[PATH_MAX - 48], hex[33];
    hash128_hex(key, hex);
    return folder(dir, sizeof dir) && snprintf(out, size, "%s/%s", dir, hex) < (int)size;
}

// A tool that watches the process would watch the other one, or wait for it; what is slow there is not what is measured.
static bool watched(void)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    return true;
#else
    const char *preload = secure_getenv("LD_PRELOAD");
    return dlsym(RTLD_DEFAULT, "__asan_init") || dlsym(RTLD_DEFAULT, "__tsan_init") ||
           (preload && (strstr(preload, "vgpreload") || strstr(preload, "libasan") || strstr(preload, "libtsan")));
#endif
}

bool todo_allowed(void)
{
    return !strcmp(env_get("HEDDLE_FINISH"), "1") && !getauxval(AT_SECURE) && cache_dir() && !watched();
}

// The pieces' names, up to MOST; returns how many.
static unsigned names(char out[][33])
{
    char dir[PATH_MAX];
    unsigned n = 0;
    DIR *d = folder(dir, sizeof dir) ? opendir(dir) : NULL;
    for (struct dirent *e; d && n < MOST && (e = readdir(d));)
        if (strlen(e->d_name) == 32 && strspn(e->d_name, "0123456789abcdef") == 32)
            memcpy(out[n++], e->d_name, 33);
    if (d)
        closedir(d);
    return n;
}

unsigned todo_count(bool clear)
{
    static char all[MOST][33];
    char dir[PATH_MAX - 48], path[PATH_MAX];
    unsigned n = names(all);
    for (unsigned i = 0; clear && i < n && folder(dir, sizeof dir); i++) {
        snprintf(path, sizeof path, "%s/%.32s", dir, all[i]);
        unlink(path);
    }
    return n;
}

bool todo_add(const struct todo *t)
{
    char dir[PATH_MAX], path[PATH_MAX];
    size_t name = strlen(t->kernel) + 1, size = sizeof(struct head) + name + t->text_size;
    if (!folder(dir, sizeof dir) || !file_of(&t->key, path, sizeof path) || t->text_size > TEXT_BYTES ||
        name > UINT16_MAX)
        return false;
    if ((mkdir(dir, 0700) && errno != EEXIST) || !os_folder_is_private(dir) || todo_count(false) >= MOST)
        return false;
    if (!access(path, F_OK))
        return true;
    const struct jit_options *o = &t->options;
    struct head h = {t->text_key, o->width,      {o->block[0], o->block[1], o->block[2]}, o->debug, o->checked,
                     o->compat,   (uint32_t)name};
    char *data = malloc(size);
    if (!data)
        return false;
    memcpy(data, &h, sizeof h);
    memcpy(data + sizeof h, t->kernel, name);
    memcpy(data + sizeof h + name, t->text, t->text_size);
    bool ok = cache_file_write(path, &t->key, data, size);
    free(data);
    return ok;
}

// ---- the lock of the process that works: the name of what it is at stands in the file
static int lock_open(void)
{
    char dir[PATH_MAX - 16], path[PATH_MAX];
    if (!folder(dir, sizeof dir) || !os_folder_is_private(dir))
        return -1;
    snprintf(path, sizeof path, "%s/lock", dir);
    int fd = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
    if (fd >= 0 && !os_is_private(fd)) {
        close(fd);
        fd = -1;
    }
    return fd;
}

bool todo_expected(const struct hash128 *key)
{
    char path[PATH_MAX], hex[33], busy[33] = "";
    int fd = todo_allowed() ? lock_open() : -1;
    if (fd < 0 || !file_of(key, path, sizeof path))
        return false;
    hash128_hex(key, hex);
    bool works = flock(fd, LOCK_SH | LOCK_NB) && errno == EWOULDBLOCK; // nobody has it otherwise
    bool at_it = works && pread(fd, busy, 32, 0) == 32 && !strcmp(busy, hex);
    close(fd);
    return works && (at_it || !access(path, F_OK));
}

static bool take(int lock, const char *name, void (*make)(const struct todo *t))
{
    char dir[PATH_MAX - 48], path[PATH_MAX];
    unsigned long long hi, lo;
    struct todo t = {0};
    struct head h;
    void *data;
    size_t size;
    if (!folder(dir, sizeof dir) || sscanf(name, "%16llx%16llx", &hi, &lo) != 2)
        return false;
    snprintf(path, sizeof path, "%s/%.32s", dir, name);
    t.key = (struct hash128){.lo = lo, .hi = hi};
    bool ok = cache_file_read(path, &t.key, &data, &size);
    if (pwrite(lock, name, 32, 0) != 32)
        log_write(LOG_DEBUG, "the lock cannot be written");
    unlink(path);
    if (!ok)
        return false;
    ok = size > sizeof h;
    if (ok) {
        memcpy(&h, data, sizeof h);
        ok = h.kernel_bytes && h.kernel_bytes <= size - sizeof h &&
             !((char *)data)[sizeof h + h.kernel_bytes - 1]; // a name that ends
    }
    if (ok) {
        t.text_key = h.text_key;
        t.kernel = (char *)data + sizeof h;
        t.text = t.kernel + h.kernel_bytes;
        t.text_size = size - sizeof h - h.kernel_bytes;
        t.options = (struct jit_options){.width = h.width,
                                         .block = {h.block[0], h.block[1], h.block[2]},
                                         .debug = h.debug,
                                         .checked = h.checked,
                                         .compat = (enum jit_compat)h.compat};
        make(&t);
    }
    free(data);
    return ok;
}

// Pieces that are added between the last look and the unlocking are found by the look after it.
int todo_run(void (*make)(const struct todo *t))
{
    static char all[MOST][33];
    int made = 0;
    while (names(all)) {
        int fd = lock_open();
        if (fd < 0 || flock(fd, LOCK_EX | LOCK_NB)) {
            if (fd >= 0)
                close(fd);
            return made ? made : -1;
        }
        for (unsigned n; (n = names(all));)
            for (unsigned i = 0; i < n; i++)
                made += take(fd, all[i], make);
        if (ftruncate(fd, 0))
            log_write(LOG_DEBUG, "the lock cannot be written");
        close(fd);
    }
    return made;
}

// ---- the start
#define FOLDER "HEDDLE_CACHE_DIR="
static bool is_passed(const char *variable)
{
    static const char *const names[] = {
        "HEDDLE_", "CUDA_CACHE_", "HOME=", "XDG_CACHE_HOME=", "TMPDIR=", "LD_LIBRARY_PATH="};
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (!strncmp(variable, names[i], strlen(names[i])))
            return strncmp(variable, FOLDER, strlen(FOLDER)) != 0;
    return false;
}

bool todo_start(void)
{
    char dir[PATH_MAX - 32], path[PATH_MAX], folder[PATH_MAX + 32] = FOLDER, *env[MOST_ENV + 2];
    char *const argv[] = {"heddle", "cache", "finish", NULL};
    unsigned n = 0;
    // The process is in another folder: the cache is named from the root.
    if (!os_self_dir((const void *)todo_start, dir, sizeof dir) || !realpath(cache_dir(), folder + strlen(FOLDER)))
        return false;
    snprintf(path, sizeof path, "%s/../bin/heddle", dir);
    if (access(path, X_OK))
        return false;
    env[n++] = folder;
    for (char **e = environ; *e && n <= MOST_ENV; e++)
        if (is_passed(*e))
            env[n++] = *e;
    env[n] = NULL;
    return process_detach(path, argv, env, &limits);
}
