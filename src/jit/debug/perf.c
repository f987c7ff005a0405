// SPDX-License-Identifier: Apache-2.0
// See loaded.h. HEDDLE_PERF_MAP=1: a text with addresses and names, which is all that `perf report` needs. HEDDLE_PERF_MAP=dump: a file in
// perf's own format (jitdump) with the code and its source lines, from which `perf inject` makes objects that `perf annotate` shows. The
// process maps a page of that file, executable, by which perf finds it in its record.
#include "base/env.h"
#include "base/log.h"
#include "base/os.h"
#include "base/str.h"
#include "jit/debug/loaded.h"
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// A folder where anyone can make files may have one of this name. So no link is followed, symbolic or not, and what is
// there must be a file of this user's; other engines of the process write to the map as well.
static int open_private(const char *path, int flags)
{
    struct stat st;
    int fd = open(path, flags | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
    if (fd >= 0 && (fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_nlink != 1 || !os_is_private(fd))) {
        close(fd);
        fd = -1;
    }
    if (fd < 0)
        log_write(LOG_WARN, "%s is not written: it is a link, or not a file of this user's", path);
    return fd;
}

static void map_write(const char *name, const struct load_image *image)
{
    char path[64];
    snprintf(path, sizeof path, "/tmp/perf-%ld.map", (long)getpid());
    int fd = open_private(path, O_WRONLY | O_APPEND);
    if (fd < 0)
        return;
    dprintf(fd, "%llx %zx %s\n", (unsigned long long)(uintptr_t)image->base, image->code_size, name);
    close(fd);
}

// ---- jitdump, as perf's documentation has it

enum { DUMP_MAGIC = 0x4a695444, DUMP_VERSION = 1, DUMP_LOAD = 0, DUMP_LINES = 2 };

struct dump_head {
    uint32_t magic, version, size, machine, pad, pid;
    uint64_t time, flags;
};
struct dump_record {
    uint32_t id, size;
    uint64_t time;
};
struct dump_load {
    struct dump_record head;
    uint32_t pid, tid;
    uint64_t address, at, size, index;
};
struct dump_lines {
    struct dump_record head;
    uint64_t address, count;
};
struct dump_line {
    uint64_t address;
    uint32_t line, discriminator;
};

static uint64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000ull + (uint64_t)t.tv_nsec;
}

static int dump_open(void)
{
    char path[64];
    struct dump_head h = {DUMP_MAGIC, DUMP_VERSION, sizeof h, 0, 0, (uint32_t)getpid(), now_ns(), 0};
#if defined(__x86_64__)
    h.machine = EM_X86_64;
#else
    h.machine = EM_AARCH64;
#endif
    snprintf(path, sizeof path, "jit-%ld.dump", (long)getpid());
    int fd = open_private(path, O_RDWR | O_TRUNC);
    if (fd < 0)
        return -1;
    bool ok = write(fd, &h, sizeof h) == (ssize_t)sizeof h &&
              mmap(NULL, (size_t)sysconf(_SC_PAGESIZE), PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0) != MAP_FAILED;
    if (ok)
        return fd;
    close(fd);
    return -1;
}

struct lines {
    struct str data;
    uint64_t count;
};

static void line_take(void *data, uint64_t address, const char *file, uint32_t line)
{
    struct lines *l = data;
    struct dump_line row = {address, line, 0};
    str_append_n(&l->data, (const char *)&row, sizeof row);
    str_append_n(&l->data, file, strlen(file) + 1);
    l->count++;
}

static void dump_write(const char *name, const struct load_image *image)
{
    static int fd = -2; // under register.c's lock
    static uint64_t index;
    if (fd == -2)
        fd = dump_open();
    if (fd < 0)
        return;
    uint64_t base = (uint64_t)(uintptr_t)image->base;
    struct lines l = {.count = 0};
    struct str out = {0};
    line_each(image, line_take, &l);
    if (l.count) {
        struct dump_lines r = {{DUMP_LINES, (uint32_t)(sizeof r + l.data.len), now_ns()}, base, l.count};
        str_append_n(&out, (const char *)&r, sizeof r);
        str_append_n(&out, str_text(&l.data), l.data.len);
    }
    size_t text = strlen(name) + 1;
    struct dump_load r = {{DUMP_LOAD, (uint32_t)(sizeof r + text + image->code_size), now_ns()},
                          (uint32_t)getpid(),
                          (uint32_t)syscall(SYS_gettid),
                          base,
                          base,
                          image->code_size,
                          index++};
    str_append_n(&out, (const char *)&r, sizeof r);
    str_append_n(&out, name, text);
    str_append_n(&out, image->base, image->code_size);
    for (size_t at = 0; at < out.len;) {
        ssize_t n = write(fd, str_text(&out) + at, out.len - at);
        if (n <= 0)
            break;
        at += (size_t)n;
    }
    str_free(&out);
    str_free(&l.data);
}

void perf_write(const char *name, const struct load_image *image)
{
    const char *wanted = env_get("HEDDLE_PERF_MAP");
    if (!strcmp(wanted, "1"))
        map_write(name, image);
    else if (!strcmp(wanted, "dump"))
        dump_write(name, image);
}
