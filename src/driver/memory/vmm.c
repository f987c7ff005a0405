// SPDX-License-Identifier: Apache-2.0
// Addresses and memory apart: a program reserves addresses, makes memory, maps one into the other and says who may
// access it. Memory is a file of its own without a name (memfd), so that two mappings of it, also in two processes, are
// the same memory.
//
// Mapped memory becomes known to the rest of the driver when it is accessible, as one range for each run of mappings
// that lie side by side with the same access: a copy may cross from one into the next.
#include "driver/graph/graph.h"
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { GRANULARITY = 2 << 20 };

struct memory {       // what a handle stands for
    unsigned refs;    // the handle as often as it was given out, and mappings
    unsigned handles; // of these, the handle
    CUmemGenericAllocationHandle handle;
    int fd;
    size_t size;
    CUmemAllocationProp prop;
};

struct mapping {
    char *base;
    size_t size;
    struct memory *memory;
    unsigned access; // CUmemAccess_flags
};

struct reservation {
    char *base, *map;
    size_t size, map_size;
    struct VEC(struct mapping) mappings; // in order
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct VEC(struct reservation *) reservations;

static struct memory *memory_get(CUmemGenericAllocationHandle handle)
{
    return handle_get((void *)(uintptr_t)handle, HANDLE_MEMORY);
}

static void memory_drop(struct memory *m)
{
    if (--m->refs)
        return;
    close(m->fd);
    memory_charge(m->prop.location.id, m->size, false);
    free(m);
}

// A handle for memory that has none; the lock is held.
static CUresult handle_give(struct memory *m, CUmemGenericAllocationHandle *out)
{
    if (!m->handles) {
        m->handle = (CUmemGenericAllocationHandle)(uintptr_t)handle_create(HANDLE_MEMORY, m);
        if (!m->handle)
            return CUDA_ERROR_OUT_OF_MEMORY;
    }
    m->handles++;
    m->refs++;
    *out = m->handle;
    return CUDA_SUCCESS;
}

static CUresult prop_check(const CUmemAllocationProp *p)
{
    if (!driver_ready())
        return CUDA_ERROR_NOT_INITIALIZED;
    if (!p || p->type != CU_MEM_ALLOCATION_TYPE_PINNED)
        return CUDA_ERROR_INVALID_VALUE;
    if (p->requestedHandleTypes & ~(unsigned)CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR)
        return CUDA_ERROR_NOT_SUPPORTED;
    if (p->location.type == CU_MEM_LOCATION_TYPE_DEVICE)
        return device_valid(p->location.id) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
    return p->location.type >= CU_MEM_LOCATION_TYPE_HOST && p->location.type <= CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT
               ? CUDA_SUCCESS
               : CUDA_ERROR_INVALID_VALUE;
}

CUresult vmm_granularity(size_t *granularity, const CUmemAllocationProp *properties,
                         CUmemAllocationGranularity_flags option)
{
    CUresult r = prop_check(properties);
    if (r)
        return r;
    if (!granularity || (unsigned)option > CU_MEM_ALLOC_GRANULARITY_RECOMMENDED)
        return CUDA_ERROR_INVALID_VALUE;
    *granularity = GRANULARITY;
    return CUDA_SUCCESS;
}

// ---- memory
static CUresult memory_make(int fd, size_t size, const CUmemAllocationProp *prop, CUmemGenericAllocationHandle *out)
{
    struct memory *m = xcalloc(1, sizeof *m);
    m->fd = fd;
    m->size = size;
    m->prop = *prop;
    pthread_mutex_lock(&lock);
    CUresult r = handle_give(m, out);
    pthread_mutex_unlock(&lock);
    if (r)
        free(m);
    return r;
}

CUresult vmm_create(CUmemGenericAllocationHandle *handle, size_t size, const CUmemAllocationProp *properties,
                    unsigned long long flags)
{
    CUresult r = prop_check(properties);
    if (r)
        return r;
    if (!handle || flags || !size || size % GRANULARITY)
        return CUDA_ERROR_INVALID_VALUE;
    CUmemAllocationProp prop = *properties;
    if (prop.location.type != CU_MEM_LOCATION_TYPE_DEVICE)
        prop.location.id = 0;
    prop.allocFlags.compressionType = CU_MEM_ALLOCATION_COMP_NONE; // a wish, and read back as what there is
    if (!memory_charge(prop.location.id, size, true))
        return CUDA_ERROR_OUT_OF_MEMORY;
    int fd = memfd_create("heddle", MFD_CLOEXEC);
    r = fd < 0 || ftruncate(fd, (off_t)size) ? CUDA_ERROR_OUT_OF_MEMORY : memory_make(fd, size, &prop, handle);
    if (r) {
        if (fd >= 0)
            close(fd);
        memory_charge(prop.location.id, size, false);
    }
    return r;
}

CUresult vmm_release(CUmemGenericAllocationHandle handle)
{
    pthread_mutex_lock(&lock);
    struct memory *m = memory_get(handle);
    if (m) {
        if (!--m->handles)
            handle_take((void *)(uintptr_t)handle, HANDLE_MEMORY);
        memory_drop(m);
    }
    pthread_mutex_unlock(&lock);
    return m ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult vmm_properties(CUmemAllocationProp *properties, CUmemGenericAllocationHandle handle)
{
    pthread_mutex_lock(&lock);
    struct memory *m = memory_get(handle);
    if (m && properties)
        *properties = m->prop;
    pthread_mutex_unlock(&lock);
    return m && properties ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult vmm_export(void *shared, CUmemGenericAllocationHandle handle, CUmemAllocationHandleType type,
                    unsigned long long flags)
{
    CUresult r = CUDA_ERROR_INVALID_VALUE;
    pthread_mutex_lock(&lock);
    struct memory *m = memory_get(handle);
    if (m && shared && !flags && type == CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR &&
        m->prop.requestedHandleTypes & CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR) {
        int fd = fcntl(m->fd, F_DUPFD_CLOEXEC, 0);
        r = fd < 0 ? CUDA_ERROR_OPERATING_SYSTEM : CUDA_SUCCESS;
        if (!r)
            *(int *)shared = fd;
    }
    pthread_mutex_unlock(&lock);
    return r;
}

CUresult vmm_import(CUmemGenericAllocationHandle *handle, void *shared, CUmemAllocationHandleType type)
{
    struct stat info;
    CUmemAllocationProp prop = {.type = CU_MEM_ALLOCATION_TYPE_PINNED, .location = {CU_MEM_LOCATION_TYPE_DEVICE, 0}};
    int fd = (int)(uintptr_t)shared;
    if (!driver_ready())
        return CUDA_ERROR_NOT_INITIALIZED;
    if (!handle || type != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR || fstat(fd, &info) || !info.st_size ||
        info.st_size % GRANULARITY)
        return CUDA_ERROR_INVALID_VALUE;
    fd = fcntl(fd, F_DUPFD_CLOEXEC, 0);
    if (fd < 0)
        return CUDA_ERROR_OPERATING_SYSTEM;
    memory_charge(0, (size_t)info.st_size, true);
    CUresult r = memory_make(fd, (size_t)info.st_size, &prop, handle);
    if (r)
        close(fd);
    return r;
}

// ---- addresses
static struct reservation *reservation_of(const char *p, size_t size)
{
    for (size_t i = 0; i < reservations.len; i++) {
        struct reservation *v = reservations.data[i];
        if (p >= v->base && p < v->base + v->size && size <= (size_t)(v->base + v->size - p))
            return v;
    }
    return NULL;
}

CUresult vmm_reserve(CUdeviceptr *address, size_t size, size_t alignment, CUdeviceptr wish, unsigned long long flags)
{
    size_t align = alignment > GRANULARITY ? alignment : GRANULARITY;
    if (!driver_ready())
        return CUDA_ERROR_NOT_INITIALIZED;
    if (!address || !size || size % GRANULARITY || flags || alignment & (alignment - 1) || size + align < size)
        return CUDA_ERROR_INVALID_VALUE;
    char *map =
        mmap((void *)(uintptr_t)wish, size + align, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (map == MAP_FAILED)
        return CUDA_ERROR_OUT_OF_MEMORY;
    struct reservation *v = xcalloc(1, sizeof *v);
    v->map = map;
    v->map_size = size + align;
    v->base = (char *)(((uintptr_t)map + align - 1) / align * align);
    v->size = size;
    pthread_mutex_lock(&lock);
    vec_push(&reservations, v);
    pthread_mutex_unlock(&lock);
    *address = (CUdeviceptr)(uintptr_t)v->base;
    return CUDA_SUCCESS;
}

CUresult vmm_address_free(CUdeviceptr address, size_t size)
{
    CUresult r = CUDA_ERROR_INVALID_VALUE;
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < reservations.len; i++) {
        struct reservation *v = reservations.data[i];
        if (v->base != (char *)(uintptr_t)address || v->size != size || v->mappings.len)
            continue;
        munmap(v->map, v->map_size);
        vec_free(&v->mappings);
        free(v);
        reservations.data[i] = reservations.data[--reservations.len];
        r = CUDA_SUCCESS;
        break;
    }
    pthread_mutex_unlock(&lock);
    return r;
}

// ---- mappings; the lock is held in the helpers
static struct mapping *mapping_at(struct reservation *v, const char *p)
{
    for (size_t i = 0; v && i < v->mappings.len; i++)
        if (p >= v->mappings.data[i].base && p < v->mappings.data[i].base + v->mappings.data[i].size)
            return &v->mappings.data[i];
    return NULL;
}

// Whether [p, p + size) begins and ends with mappings; holes: whether parts may be without any.
static bool covers(struct reservation *v, char *p, size_t size, bool holes)
{
    char *end = p + size, *at = p;
    for (size_t i = 0; i < v->mappings.len; i++) {
        struct mapping *m = &v->mappings.data[i];
        if (m->base + m->size <= p || m->base >= end)
            continue;
        if (m->base < p || m->base + m->size > end || (!holes && m->base != at))
            return false;
        at = m->base + m->size;
    }
    return holes || at == end;
}

// Tells the rest of the driver what is accessible.
static void publish(struct reservation *v)
{
    memory_free_owner(v);
    for (size_t i = 0; i < v->mappings.len;) {
        struct mapping *first = &v->mappings.data[i];
        size_t size = 0;
        for (; i < v->mappings.len && v->mappings.data[i].base == first->base + size &&
               v->mappings.data[i].access == first->access;
             i++)
            size += v->mappings.data[i].size;
        if (first->access)
            memory_adopt(MEMORY_DEVICE, first->base, size, first->memory->prop.location.id, v,
                         RANGE_MAPPED | (first->access == CU_MEM_ACCESS_FLAGS_PROT_READ ? RANGE_READ_ONLY : 0));
    }
}

static CUresult map(char *p, size_t size, struct memory *m)
{
    struct reservation *v = reservation_of(p, size);
    if (!v || size > m->size)
        return CUDA_ERROR_INVALID_VALUE;
    size_t at = 0;
    for (size_t i = 0; i < v->mappings.len; i++) {
        struct mapping *o = &v->mappings.data[i];
        if (o->base < p + size && p < o->base + o->size)
            return CUDA_ERROR_INVALID_VALUE;
        at = o->base < p ? i + 1 : at;
    }
    if (mmap(p, size, PROT_NONE, MAP_SHARED | MAP_FIXED, m->fd, 0) == MAP_FAILED)
        return CUDA_ERROR_OUT_OF_MEMORY;
    vec_push(&v->mappings, ((struct mapping){0}));
    memmove(&v->mappings.data[at + 1], &v->mappings.data[at], (v->mappings.len - 1 - at) * sizeof *v->mappings.data);
    v->mappings.data[at] = (struct mapping){p, size, m, CU_MEM_ACCESS_FLAGS_PROT_NONE};
    m->refs++;
    return CUDA_SUCCESS;
}

CUresult vmm_map(CUdeviceptr address, size_t size, size_t offset, CUmemGenericAllocationHandle handle,
                 unsigned long long flags)
{
    if (offset)
        return CUDA_ERROR_NOT_SUPPORTED;
    if (flags || !size || size % GRANULARITY || address % GRANULARITY)
        return CUDA_ERROR_INVALID_VALUE;
    pthread_mutex_lock(&lock);
    struct memory *m = memory_get(handle);
    CUresult r = m ? map((char *)(uintptr_t)address, size, m) : CUDA_ERROR_INVALID_VALUE;
    pthread_mutex_unlock(&lock);
    return r;
}

CUresult vmm_unmap(CUdeviceptr address, size_t size)
{
    char *p = (char *)(uintptr_t)address;
    struct context *c;
    if (!context_peek(&c))
        context_wait(c); // work that is under way may still use it
    pthread_mutex_lock(&lock);
    struct reservation *v = reservation_of(p, size);
    CUresult r = CUDA_SUCCESS;
    if (!v || !size || size % GRANULARITY || address % GRANULARITY || !covers(v, p, size, true))
        r = CUDA_ERROR_INVALID_VALUE;
    else if (mmap(p, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) == MAP_FAILED)
        r = CUDA_ERROR_OUT_OF_MEMORY; // for want of mappings: this one stays
    if (!r) {
        size_t kept = 0;
        for (size_t i = 0; i < v->mappings.len; i++) {
            struct mapping *m = &v->mappings.data[i];
            if (m->base >= p && m->base < p + size)
                memory_drop(m->memory);
            else
                v->mappings.data[kept++] = *m;
        }
        v->mappings.len = kept;
        publish(v);
    }
    pthread_mutex_unlock(&lock);
    return r;
}

CUresult vmm_set_access(CUdeviceptr address, size_t size, const CUmemAccessDesc *desc, size_t count)
{
    char *p = (char *)(uintptr_t)address;
    unsigned access = 0;
    if (!desc || !count)
        return CUDA_ERROR_INVALID_VALUE;
    for (size_t i = 0; i < count; i++) {
        if (desc[i].flags != CU_MEM_ACCESS_FLAGS_PROT_NONE && desc[i].flags != CU_MEM_ACCESS_FLAGS_PROT_READ &&
            desc[i].flags != CU_MEM_ACCESS_FLAGS_PROT_READWRITE)
            return CUDA_ERROR_INVALID_VALUE;
        if (desc[i].location.type == CU_MEM_LOCATION_TYPE_DEVICE && !device_valid(desc[i].location.id))
            return CUDA_ERROR_INVALID_DEVICE;
        access |= (unsigned)desc[i].flags; // there is one memory: what one may do, all may
    }
    pthread_mutex_lock(&lock);
    struct reservation *v = reservation_of(p, size);
    bool ok = v && size && covers(v, p, size, false);
    for (size_t i = 0; ok && i < v->mappings.len; i++) {
        struct mapping *m = &v->mappings.data[i];
        if (m->base < p || m->base >= p + size)
            continue;
        m->access = access;
        mprotect(m->base, m->size,
                 access == CU_MEM_ACCESS_FLAGS_PROT_READWRITE ? PROT_READ | PROT_WRITE
                 : access                                     ? PROT_READ
                                                              : PROT_NONE);
    }
    if (ok)
        publish(v);
    pthread_mutex_unlock(&lock);
    return ok ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult vmm_get_access(unsigned long long *flags, const CUmemLocation *location, CUdeviceptr address)
{
    if (!flags || !location)
        return CUDA_ERROR_INVALID_VALUE;
    pthread_mutex_lock(&lock);
    char *p = (char *)(uintptr_t)address;
    struct mapping *m = mapping_at(reservation_of(p, 1), p);
    if (m)
        *flags = m->access;
    pthread_mutex_unlock(&lock);
    struct memory_range range;
    if (!m && memory_find(p, &range) && range.kind == MEMORY_DEVICE) { // allocated as usual
        *flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
        return CUDA_SUCCESS;
    }
    return m ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

void vmm_mapping(const void *address, char **base, size_t *size)
{
    pthread_mutex_lock(&lock);
    struct mapping *m = mapping_at(reservation_of(address, 1), address);
    if (m) {
        *base = m->base;
        *size = m->size;
    }
    pthread_mutex_unlock(&lock);
}

CUresult vmm_retain(CUmemGenericAllocationHandle *handle, void *address)
{
    if (!handle)
        return CUDA_ERROR_INVALID_VALUE;
    pthread_mutex_lock(&lock);
    struct mapping *m = mapping_at(reservation_of(address, 1), address);
    CUresult r = m ? handle_give(m->memory, handle) : CUDA_ERROR_INVALID_VALUE;
    pthread_mutex_unlock(&lock);
    return r;
}
