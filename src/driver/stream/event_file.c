// SPDX-License-Identifier: Apache-2.0
// Events that processes share: a page of a file without a name holds how often the event was recorded, and which records
// are done. A stream of another process that waits for it looks there from time to time.
#include "driver/graph/graph.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAGIC = 0x48494532, FILE_BYTES = 4096, LOOKS = 100, RECORDS = FILE_BYTES / 8 - 1 };

struct handle { // what CUipcEventHandle holds
    uint32_t magic, pid;
    int32_t fd, pad;
    uint64_t inode;
};
_Static_assert(sizeof(struct handle) <= sizeof(CUipcEventHandle), "it fits");

// Records end in any order, as they may stand in several streams: each has a word of its own, and so a wait for one is
// not over with a later one. Word i holds the last record done of those whose number is i modulo RECORDS.
struct page {
    _Atomic uint64_t recorded, done[RECORDS];
};
_Static_assert(sizeof(struct page) == FILE_BYTES, "the file is the page");

struct event_file {
    atomic_uint refs; // the event, and ops under way
    int fd;
    struct page *page;
};

static struct event_file *file_map(int fd)
{
    void *page = fd < 0 ? MAP_FAILED : mmap(NULL, FILE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (page == MAP_FAILED) {
        if (fd >= 0)
            close(fd);
        return NULL;
    }
    struct event_file *f = xcalloc(1, sizeof *f);
    atomic_init(&f->refs, 1);
    f->fd = fd;
    f->page = page;
    return f;
}

struct event_file *event_file_make(void)
{
    int fd = memfd_create("heddle-event", MFD_CLOEXEC);
    if (fd >= 0 && ftruncate(fd, FILE_BYTES)) {
        close(fd);
        fd = -1;
    }
    return file_map(fd);
}

void event_file_close(struct event_file *f)
{
    if (!f || atomic_fetch_sub(&f->refs, 1) != 1)
        return;
    munmap(f->page, FILE_BYTES);
    close(f->fd);
    free(f);
}

uint64_t event_file_state(struct event_file *f)
{
    return atomic_load(&f->page->recorded);
}

bool event_file_done(struct event_file *f, uint64_t state)
{
    return atomic_load(&f->page->done[state % RECORDS]) >= state;
}

struct file_op {
    struct op op;
    struct event_file *file;
    uint64_t state;
};

static void file_op_destroy(struct op *op)
{
    event_file_close(((struct file_op *)op)->file);
}

static struct op *file_op(struct event_file *f, uint64_t state, void (*run)(struct op *), unsigned flags)
{
    struct file_op *o = (struct file_op *)op_create(sizeof *o, run, file_op_destroy);
    if (!o)
        return NULL;
    o->op.flags = flags;
    atomic_fetch_add(&f->refs, 1);
    o->file = f;
    o->state = state;
    return &o->op;
}

static void record_run(struct op *op)
{
    struct file_op *o = (struct file_op *)op;
    _Atomic uint64_t *word = &o->file->page->done[o->state % RECORDS];
    uint64_t done = atomic_load(word);
    while (done < o->state && !atomic_compare_exchange_weak(word, &done, o->state))
        ;
}

struct op *event_file_record(struct event_file *f)
{
    return file_op(f, atomic_fetch_add(&f->page->recorded, 1) + 1, record_run, 0);
}

static void wait_run(struct op *op)
{
    struct file_op *o = (struct file_op *)op;
    for (int i = 0; i < LOOKS; i++)
        if (event_file_done(o->file, o->state)) {
            op_finish(op);
            return;
        }
    poll_again(op);
}

struct op *event_file_wait(struct event_file *f, uint64_t state)
{
    return file_op(f, state, wait_run, OP_ASYNC);
}

// ---- handles
CUresult event_file_handle(struct event_file *f, CUipcEventHandle *out)
{
    struct stat info;
    if (!out || fstat(f->fd, &info))
        return CUDA_ERROR_INVALID_VALUE;
    struct handle h = {.magic = MAGIC, .pid = (uint32_t)getpid(), .fd = f->fd, .inode = info.st_ino};
    memset(out, 0, sizeof *out);
    memcpy(out, &h, sizeof h);
    return CUDA_SUCCESS;
}

CUresult event_file_open(const CUipcEventHandle *handle, struct event_file **out)
{
    struct handle h;
    struct stat info;
    char path[64];
    memcpy(&h, handle, sizeof h);
    if (h.magic != MAGIC)
        return CUDA_ERROR_INVALID_VALUE;
    if (h.pid == (uint32_t)getpid()) // it is meant for others
        return CUDA_ERROR_INVALID_CONTEXT;
    snprintf(path, sizeof path, "/proc/%u/fd/%d", h.pid, h.fd);
    int fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd >= 0 && (fstat(fd, &info) || (uint64_t)info.st_ino != h.inode || info.st_size != FILE_BYTES)) {
        close(fd);
        fd = -1;
    }
    *out = file_map(fd);
    return *out ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
