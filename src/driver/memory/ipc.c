// SPDX-License-Identifier: Apache-2.0
// Memory shared with other processes by handles. The memory becomes a file without a name (memfd) when its handle is
// first asked for; a handle says in which process, under which descriptor, and where in it. The other process opens
// that through /proc, so the first one must be alive and belong to the same user, as CUDA wants it too.
#include "driver/graph/graph.h"
#include "driver/native.h"
#include "device/fault/fault.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAGIC = 0x48494d31 };

struct handle { // what CUipcMemHandle holds
    uint32_t magic, pid;
    int32_t fd, device;
    uint64_t inode, offset, size;
};
_Static_assert(sizeof(struct handle) <= sizeof(CUipcMemHandle), "it fits");
_Static_assert(sizeof(struct handle) <= sizeof(CUmemPoolPtrExportData), "it fits");

struct opened {
    struct handle handle;
    unsigned count;
    char *map, *base;
    size_t map_size;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct VEC(struct opened *) all;

static CUresult handle_make(CUdeviceptr address, struct handle *out)
{
    struct context *c;
    struct memory_range range;
    struct handle h = {.magic = MAGIC, .pid = (uint32_t)getpid()};
    CUresult r = context_enter(&c);
    if (r)
        return r;
    if (!memory_find((void *)(uintptr_t)address, &range) || range.kind != MEMORY_DEVICE || !range_context(&range))
        return CUDA_ERROR_INVALID_VALUE;
    context_wait(range_context(&range)); // its pages are exchanged
    fault_prepare();                     // for threads that copy to it meanwhile
    struct memory_file file;
    if (!memory_share(range.base, true, &file)) {
        log_write(LOG_WARN, "memory of less than a page cannot be shared with other processes");
        return CUDA_ERROR_NOT_SUPPORTED;
    }
    h.fd = file.fd;
    h.device = range.device;
    h.inode = file.inode;
    h.offset = file.offset;
    h.size = range.size;
    *out = h;
    return CUDA_SUCCESS;
}

CUresult ipc_get(CUipcMemHandle *handle, CUdeviceptr address)
{
    struct handle h;
    CUresult r = handle ? handle_make(address, &h) : CUDA_ERROR_INVALID_VALUE;
    if (r)
        return r;
    memset(handle, 0, sizeof *handle);
    memcpy(handle, &h, sizeof h);
    return CUDA_SUCCESS;
}

static CUresult file_map(struct opened *o)
{
    char path[64];
    struct stat info;
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t skip = o->handle.offset % page;
    snprintf(path, sizeof path, "/proc/%u/fd/%d", o->handle.pid, o->handle.fd);
    int fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd < 0)
        return CUDA_ERROR_INVALID_VALUE;
    bool same = !fstat(fd, &info) && (uint64_t)info.st_ino == o->handle.inode &&
                o->handle.size <= (uint64_t)info.st_size && o->handle.offset <= (uint64_t)info.st_size - o->handle.size;
    o->map_size = o->handle.size + skip;
    o->map = same ? mmap(NULL, o->map_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)(o->handle.offset - skip))
                  : MAP_FAILED;
    close(fd);
    if (o->map == MAP_FAILED)
        return same ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_ERROR_INVALID_VALUE;
    o->base = o->map + skip;
    return CUDA_SUCCESS;
}

static CUresult handle_open(struct handle h, CUdeviceptr *address)
{
    struct context *c;
    CUresult r = context_enter(&c);
    if (r)
        return r;
    if (!address || h.magic != MAGIC || !h.size)
        return CUDA_ERROR_INVALID_VALUE;
    if (h.pid == (uint32_t)getpid()) // it is meant for others
        return CUDA_ERROR_INVALID_CONTEXT;
    pthread_mutex_lock(&lock);
    struct opened *o = NULL;
    for (size_t i = 0; i < all.len && !o; i++)
        o = memcmp(&all.data[i]->handle, &h, sizeof h) ? NULL : all.data[i];
    if (!o) {
        o = xcalloc(1, sizeof *o);
        o->handle = h;
        r = file_map(o);
        if (!r && !memory_adopt(MEMORY_DEVICE, o->base, h.size, c->device, o, RANGE_MAPPED)) {
            munmap(o->map, o->map_size);
            r = CUDA_ERROR_ALREADY_MAPPED;
        }
        if (r)
            free(o);
        else
            vec_push(&all, o);
    }
    if (!r) {
        o->count++;
        *address = (CUdeviceptr)(uintptr_t)o->base;
    }
    pthread_mutex_unlock(&lock);
    return r;
}

CUresult ipc_open(CUdeviceptr *address, CUipcMemHandle handle, unsigned flags)
{
    struct handle h;
    memcpy(&h, &handle, sizeof h);
    return flags > CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS ? CUDA_ERROR_INVALID_VALUE : handle_open(h, address);
}

CUresult ipc_close(CUdeviceptr address)
{
    struct context *c;
    CUresult r = context_enter(&c);
    if (r)
        return r;
    context_wait(c);
    r = CUDA_ERROR_INVALID_VALUE;
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < all.len && r; i++) {
        struct opened *o = all.data[i];
        if ((CUdeviceptr)(uintptr_t)o->base != address)
            continue;
        r = CUDA_SUCCESS;
        if (--o->count)
            continue;
        memory_free_owner(o);
        munmap(o->map, o->map_size);
        free(o);
        all.data[i] = all.data[--all.len];
    }
    pthread_mutex_unlock(&lock);
    return r;
}

// ---- pointers of pools that processes share. What is exported of a pool is only a sign that it is one; each pointer
// says where its memory is.
CUresult mempool_export_pointer(CUmemPoolPtrExportData *data, CUdeviceptr address)
{
    struct handle h;
    if (!data || !mempool_shared_address(address))
        return CUDA_ERROR_INVALID_VALUE;
    CUresult r = handle_make(address, &h);
    if (r)
        return r;
    memset(data, 0, sizeof *data);
    memcpy(data, &h, sizeof h);
    return CUDA_SUCCESS;
}

CUresult mempool_import_pointer(CUdeviceptr *address, CUmemoryPool pool, CUmemPoolPtrExportData *data)
{
    struct handle h;
    if (!data || !mempool_imported(pool))
        return CUDA_ERROR_INVALID_VALUE;
    memcpy(&h, data, sizeof h);
    return handle_open(h, address);
}

// Not CUDA's: see native.h.
__attribute__((visibility("default"))) native_file_fn heddleNativeFile;
CUresult heddleNativeFile(const void *address, size_t size, struct native_file *out)
{
    struct memory_range range;
    struct memory_file file;
    if (!out || !memory_find(address, &range) || range.kind != MEMORY_DEVICE)
        return CUDA_ERROR_INVALID_VALUE;
    if (size)
        fault_prepare(); // for those who write meanwhile
    bool made = size && range.size <= size ? memory_share((void *)(uintptr_t)address, false, &file)
                                           : memory_file(address, &file);
    if (!made)
        return CUDA_ERROR_NOT_SUPPORTED;
    *out = (struct native_file){file.inode, file.offset, file.left, file.fd};
    return CUDA_SUCCESS;
}
