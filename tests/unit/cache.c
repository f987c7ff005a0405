// SPDX-License-Identifier: Apache-2.0
// The disk cache of compiled kernels: what is put comes back, what is broken does not, many processes at once agree.
// Each scenario runs in a process of its own, since the cache reads the environment once.
#include "base/os.h"
#include "jit/cache/cache.h"
#include "test.h"
#include <dirent.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char root[] = "/tmp/heddle-test-XXXXXX";

// Key and content number n; the content's length and bytes follow from n.
static struct hash128 key_of(unsigned n)
{
    struct hash128 k;
    hash128_init(&k);
    hash128_add(&k, &n, sizeof n);
    return k;
}

static size_t content_of(unsigned n, char *out)
{
    size_t size = 500 + n * 37 % 1500;
    for (size_t i = 0; i < size; i++)
        out[i] = (char)(n * 31 + i * 7);
    return size;
}

static void put(unsigned n)
{
    char data[2048];
    struct hash128 k = key_of(n);
    cache_put(&k, data, content_of(n, data));
}

// 1: there and right; 0: a miss; -1: there and wrong.
static int get(unsigned n)
{
    char data[2048];
    void *found;
    size_t size, expected = content_of(n, data);
    struct hash128 k = key_of(n);
    if (!cache_get(&k, &found, &size))
        return 0;
    bool right = size == expected && !memcmp(found, data, size);
    free(found);
    return right ? 1 : -1;
}

static void file_of(unsigned n, char *out, size_t size)
{
    char hex[33];
    struct hash128 k = key_of(n);
    hash128_hex(&k, hex);
    snprintf(out, size, "%s/%.2s/%s", cache_dir(), hex, hex);
}

static bool basics(void)
{
    put(1);
    put(2);
    put(1);
    return cache_dir() && get(1) == 1 && get(2) == 1 && get(3) == 0 && *cache_machine();
}

static bool broken_files(void)
{
    char path[4096], other[4096];
    for (unsigned i = 0; i < 300; i++) {
        size_t size;
        put(7);
        file_of(7, path, sizeof path);
        char *bytes = os_file_read(path, &size);
        if (!bytes)
            return false;
        if (i < 200)
            bytes[i * 13 % size] ^= (char)(1 + i % 255);
        else
            size = (i - 200) * size / 100;
        bool written = os_file_write(path, bytes, size);
        free(bytes);
        if (!written || get(7) != 0)
            return false;
    }
    // Another key's file is not this key's.
    put(7);
    put(8);
    file_of(7, path, sizeof path);
    file_of(8, other, sizeof other);
    return !rename(path, other) && get(8) == 0 && get(7) == 0;
}

static bool bounded(void)
{
    for (unsigned n = 0; n < 400; n++) {
        put(n);
        if (get(0) < 0)
            return false;
    }
    uint64_t total = 0;
    char command[4200];
    snprintf(command, sizeof command, "du -sb --apparent-size %s", cache_dir());
    FILE *f = popen(command, "r");
    bool ok = f && fscanf(f, "%lu", &total) == 1;
    if (f)
        pclose(f);
    // Folders count too; between two clean-ups the files may pass the limit a little.
    return ok && total < 100000 + 60 * 2048 + 257 * 4096 && get(399) == 1;
}

static bool disabled(void)
{
    put(1);
    return !cache_dir() && get(1) == 0;
}

static bool their_path(void)
{
    put(1);
    return cache_dir() && strstr(cache_dir(), "theirs") && get(1) == 1;
}

// The folder of HEDDLE_CACHE_DIR, made beforehand; owner 0: not changed.
static bool folder_make(mode_t mode, uid_t owner)
{
    const char *path = getenv("HEDDLE_CACHE_DIR");
    return !mkdir(path, 0700) && !chmod(path, mode) && (!owner || !chown(path, owner, (gid_t)-1));
}

// What another user can have written is not read: a folder of his or one that he can write to is no cache at all.
static bool folder_of_group(void)
{
    return folder_make(0770, 0) && disabled();
}

static bool folder_of_all(void)
{
    return folder_make(01777, 0) && disabled();
}

static bool folder_foreign(void)
{
    return folder_make(0755, 12345) && disabled();
}

static bool folder_own(void)
{
    return folder_make(0755, 0) && basics();
}

// Nor a single file, or the folder that it is in; the next put makes it good again.
static bool files_foreign(void)
{
    char path[4096], sub[4096], copy[4200];
    put(5);
    file_of(5, path, sizeof path);
    snprintf(sub, sizeof sub, "%.*s", (int)(strrchr(path, '/') - path), path);
    snprintf(copy, sizeof copy, "%s.copy", path);
    bool ok = get(5) == 1;
    for (int i = 0; i < 2; i++) { // others can write to the file
        ok = ok && !chmod(path, i ? 0646 : 0664) && get(5) == 0;
        put(5);
        ok = ok && get(5) == 1;
    }
    ok = ok && !chmod(sub, 0777) && get(5) == 0; // or to its folder
    put(5);
    ok = ok && get(5) == 0 && !chmod(sub, 0755) && get(5) == 1;
    ok = ok && !rename(path, copy) && !symlink(copy, path) && get(5) == 0; // a link may lead anywhere
    put(5);
    ok = ok && get(5) == 1 && get(6) == 0;
    ok = ok && !unlink(path) && !mkfifo(path, 0600) && get(5) == 0; // nobody waits for a writer
    put(5);
    ok = ok && get(5) == 1;
    if (geteuid() == 0) {
        ok = ok && !chown(path, 12345, (gid_t)-1) && get(5) == 0;
        put(5);
        ok = ok && get(5) == 1 && !chown(sub, 12345, (gid_t)-1) && get(5) == 0;
    }
    return ok;
}

// One of many processes that put and get the same keys.
static bool crowd(void)
{
    unsigned state = (unsigned)getpid();
    for (int i = 0; i < 600; i++) {
        state = state * 1664525 + 1013904223;
        unsigned n = state >> 16 & 15;
        if (state >> 28 & 1)
            put(n);
        else if (get(n) < 0)
            return false;
    }
    return true;
}

// One that damages files while the crowd works.
static bool vandal(void)
{
    char path[4096];
    for (unsigned i = 0; i < 300; i++) {
        file_of(i % 16, path, sizeof path);
        if (truncate(path, i % 90))
            usleep(100);
    }
    return true;
}

static pid_t start(bool (*scenario)(void), const char *name, const char *value, const char *folder)
{
    pid_t pid = fork();
    if (pid)
        return pid;
    char dir[256];
    snprintf(dir, sizeof dir, "%s/%s", root, folder);
    if (!strcmp(folder, "theirs"))
        setenv("CUDA_CACHE_PATH", dir, 1);
    else
        setenv("HEDDLE_CACHE_DIR", dir, 1);
    if (name)
        setenv(name, value, 1);
    _exit(scenario() ? 0 : 1);
}

static bool finish(pid_t pid)
{
    int status = 1;
    return waitpid(pid, &status, 0) == pid && WIFEXITED(status) && !WEXITSTATUS(status);
}

int main(void)
{
    if (!mkdtemp(root))
        return 1;
    unsetenv("CUDA_CACHE_DISABLE");
    unsetenv("CUDA_CACHE_PATH");
    unsetenv("CUDA_CACHE_MAXSIZE");
    unsetenv("HEDDLE_CACHE");
    unsetenv("HEDDLE_CACHE_DIR");
    CHECK(finish(start(basics, NULL, NULL, "basics")));
    CHECK(finish(start(basics, NULL, NULL, "basics"))); // what a process before this one left
    CHECK(finish(start(broken_files, NULL, NULL, "broken")));
    CHECK(finish(start(bounded, "HEDDLE_CACHE_SIZE", "100000", "bounded")));
    CHECK(finish(start(bounded, "CUDA_CACHE_MAXSIZE", "100000", "bounded2")));
    CHECK(finish(start(disabled, "HEDDLE_CACHE", "0", "off")));
    CHECK(finish(start(disabled, "CUDA_CACHE_DISABLE", "1", "off")));
    CHECK(finish(start(their_path, NULL, NULL, "theirs")));
    CHECK(finish(start(folder_of_group, NULL, NULL, "group")));
    CHECK(finish(start(folder_of_all, NULL, NULL, "all")));
    CHECK(finish(start(folder_own, NULL, NULL, "own")));
    if (geteuid() == 0)
        CHECK(finish(start(folder_foreign, NULL, NULL, "foreign")));
    CHECK(finish(start(files_foreign, NULL, NULL, "files")));
    pid_t pids[9];
    for (int i = 0; i < 8; i++)
        pids[i] = start(crowd, "HEDDLE_CACHE_SIZE", "16000", "crowd");
    pids[8] = start(vandal, NULL, NULL, "crowd");
    for (int i = 0; i < 9; i++)
        CHECK(finish(pids[i]));
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", root);
    CHECK(system(command) == 0);
    return test_summary();
}
