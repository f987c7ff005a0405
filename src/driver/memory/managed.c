// SPDX-License-Identifier: Apache-2.0
// Managed memory: allocation, advice, prefetches, what is discarded, and to which stream it is attached. There is one memory, so
// advice and prefetches move nothing; what was said is kept, and given back when it is asked for.
//
// Advice is kept by stretches of addresses that do not overlap, in order. A stretch belongs to an allocation (or, with
// id 0, to memory that is not known here); when that is freed, and its addresses are used again, it counts no more.
#include "base/os.h"
#include "driver/context/tell.h"
#include "driver/graph/graph.h"
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGE = 4096 };

struct stretch {
    uintptr_t begin, end;
    uint64_t id;       // of the allocation
    uint64_t accessed; // bit for each device
    bool accessed_host, read_mostly;
    CUmemLocation preferred, prefetched;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct VEC(struct stretch) stretches;

CUresult mem_alloc_managed(CUdeviceptr *address, size_t bytes, unsigned flags)
{
    struct context *c;
    CUresult r = context_enter(&c);
    if (r)
        return r;
    if (!address || !bytes || (flags != CU_MEM_ATTACH_GLOBAL && flags != CU_MEM_ATTACH_HOST))
        return CUDA_ERROR_INVALID_VALUE;
    r = capture_unsafe();
    if (r)
        return r;
    void *p = memory_alloc(MEMORY_MANAGED, bytes, c->device, c, flags);
    check_allocated(p, bytes);
    *address = (CUdeviceptr)(uintptr_t)p;
    if (p)
        tell_memory(c, NULL, p, bytes, MEMORY_MANAGED, true);
    return p ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

// ---- stretches; the lock is held
static void insert(size_t at, struct stretch s)
{
    vec_push(&stretches, s);
    memmove(&stretches.data[at + 1], &stretches.data[at], (stretches.len - 1 - at) * sizeof s);
    stretches.data[at] = s;
}

// The first stretch that ends behind the address.
static size_t first_behind(uintptr_t address)
{
    size_t i = 0;
    while (i < stretches.len && stretches.data[i].end <= address)
        i++;
    return i;
}

// Stretches of other allocations in [begin, end) go, gaps are filled, and both ends become boundaries.
static void cover(uintptr_t begin, uintptr_t end, uint64_t id)
{
    static const struct stretch none = {.preferred = {CU_MEM_LOCATION_TYPE_INVALID, 0},
                                        .prefetched = {CU_MEM_LOCATION_TYPE_INVALID, 0}};
    for (size_t i = first_behind(begin); begin < end; i++) {
        struct stretch *s = i < stretches.len ? &stretches.data[i] : NULL;
        if (!s || s->begin > begin) { // a gap
            struct stretch gap = none;
            gap.begin = begin;
            gap.end = s && s->begin < end ? s->begin : end;
            gap.id = id;
            insert(i, gap);
        } else if (s->begin < begin) {
            struct stretch before = *s;
            before.end = begin;
            s->begin = begin;
            insert(i, before);
            continue;
        } else if (s->end > end) {
            struct stretch part = *s;
            part.end = end;
            s->begin = end;
            insert(i, part);
        }
        s = &stretches.data[i];
        if (s->id != id) {
            uintptr_t b = s->begin, e = s->end;
            *s = none;
            s->begin = b;
            s->end = e;
            s->id = id;
        }
        begin = s->end;
    }
}

// ---- advice and prefetches
static bool location_valid(CUmemLocation location)
{
    return location.type == CU_MEM_LOCATION_TYPE_DEVICE
               ? device_valid(location.id)
               : location.type >= CU_MEM_LOCATION_TYPE_HOST && location.type <= CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT;
}

// Managed memory, or memory that is not known here: the device reads all memory of the host.
static CUresult range_check(CUdeviceptr address, size_t count, uint64_t *id)
{
    struct memory_range range;
    *id = 0;
    if (!address || !count || address + count < address)
        return CUDA_ERROR_INVALID_VALUE;
    bool whole = range_holds((void *)(uintptr_t)address, count, &range);
    if (!range.size)
        return os_is_mapped((void *)(uintptr_t)address, count) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    *id = range.id;
    return whole && range.kind == MEMORY_MANAGED ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

static void apply(struct stretch *s, CUmem_advise advice, CUmemLocation l)
{
    bool host = l.type != CU_MEM_LOCATION_TYPE_DEVICE;
    switch (advice) {
    case CU_MEM_ADVISE_SET_READ_MOSTLY:
    case CU_MEM_ADVISE_UNSET_READ_MOSTLY:
        s->read_mostly = advice == CU_MEM_ADVISE_SET_READ_MOSTLY;
        break;
    case CU_MEM_ADVISE_SET_PREFERRED_LOCATION:
        s->preferred = l;
        break;
    case CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION:
        s->preferred = (CUmemLocation){CU_MEM_LOCATION_TYPE_INVALID, 0};
        break;
    case CU_MEM_ADVISE_SET_ACCESSED_BY:
        s->accessed_host |= host;
        s->accessed |= host ? 0 : 1ull << l.id;
        break;
    case CU_MEM_ADVISE_UNSET_ACCESSED_BY:
        s->accessed_host &= !host;
        s->accessed &= host ? UINT64_MAX : ~(1ull << l.id);
        break;
    }
}

static void pages(CUdeviceptr address, size_t count, uintptr_t *begin, uintptr_t *end)
{
    *begin = (uintptr_t)address / PAGE * PAGE;
    *end = ((uintptr_t)address + count + PAGE - 1) / PAGE * PAGE;
}

CUresult mem_advise(CUdeviceptr address, size_t count, CUmem_advise advice, CUmemLocation location)
{
    struct context *c;
    uint64_t id;
    uintptr_t begin, end;
    CUresult r = context_enter(&c);
    if (r)
        return r;
    bool placed = advice == CU_MEM_ADVISE_SET_PREFERRED_LOCATION || advice == CU_MEM_ADVISE_SET_ACCESSED_BY ||
                  advice == CU_MEM_ADVISE_UNSET_ACCESSED_BY;
    if (advice < CU_MEM_ADVISE_SET_READ_MOSTLY || advice > CU_MEM_ADVISE_UNSET_ACCESSED_BY)
        return CUDA_ERROR_INVALID_VALUE;
    r = range_check(address, count, &id);
    if (r)
        return r;
    if (placed && !location_valid(location))
        return CUDA_ERROR_INVALID_DEVICE;
    pages(address, count, &begin, &end);
    pthread_mutex_lock(&lock);
    cover(begin, end, id);
    for (size_t i = first_behind(begin); i < stretches.len && stretches.data[i].begin < end; i++)
        apply(&stretches.data[i], advice, location);
    pthread_mutex_unlock(&lock);
    return CUDA_SUCCESS;
}

static CUmemLocation location_of(CUdevice device)
{
    if (device == CU_DEVICE_CPU)
        return (CUmemLocation){CU_MEM_LOCATION_TYPE_HOST, 0};
    return (CUmemLocation){CU_MEM_LOCATION_TYPE_DEVICE, device};
}

CUresult mem_advise_device(CUdeviceptr address, size_t count, CUmem_advise advice, CUdevice device)
{
    return mem_advise(address, count, advice, location_of(device));
}

static CUresult enter_uncaptured(CUstream stream, struct stream **s)
{
    CUresult r = stream_enter(stream, s);
    return r ? r : capture_forbid(*s);
}

static void note_prefetch(CUdeviceptr address, size_t count, uint64_t id, CUmemLocation location)
{
    uintptr_t begin, end;
    pages(address, count, &begin, &end);
    pthread_mutex_lock(&lock);
    cover(begin, end, id);
    for (size_t i = first_behind(begin); i < stretches.len && stretches.data[i].begin < end; i++)
        stretches.data[i].prefetched = location;
    pthread_mutex_unlock(&lock);
}

CUresult mem_prefetch(CUdeviceptr address, size_t count, CUmemLocation location, unsigned flags, CUstream stream)
{
    struct stream *s;
    uint64_t id;
    CUresult r = enter_uncaptured(stream, &s);
    if (r)
        return r;
    if (flags)
        return CUDA_ERROR_INVALID_VALUE;
    r = range_check(address, count, &id);
    if (r)
        return r;
    if (!location_valid(location))
        return CUDA_ERROR_INVALID_DEVICE;
    note_prefetch(address, count, id, location);
    return stream_separate(s);
}

// Location i is for the ranges from location_starts[i] on. What is wrong is found before any range is discarded or noted.
static CUresult prefetch_ranges(CUdeviceptr *addresses, size_t *sizes, size_t count, const CUmemLocation *locations,
                                const size_t *location_starts, size_t location_count, unsigned long long flags,
                                CUstream stream, bool discard)
{
    struct stream *s;
    uint64_t id;
    CUresult r = enter_uncaptured(stream, &s);
    if (r)
        return r;
    if (!addresses || !sizes || !count || !locations || !location_starts || !location_count || location_count > count ||
        location_starts[0] || location_starts[location_count - 1] >= count || flags || stream == CU_STREAM_LEGACY)
        return CUDA_ERROR_INVALID_VALUE;
    for (size_t i = 0; i < location_count; i++) {
        if (i && location_starts[i] <= location_starts[i - 1])
            return CUDA_ERROR_INVALID_VALUE;
        if (!location_valid(locations[i]))
            return CUDA_ERROR_INVALID_DEVICE;
    }
    for (size_t i = 0; i < count && !r; i++)
        r = range_check(addresses[i], sizes[i], &id);
    if (!r && discard)
        r = mem_discard_batch(addresses, sizes, count, flags, stream);
    for (size_t i = 0, at = 0; i < count && !r; i++) {
        at += at + 1 < location_count && location_starts[at + 1] == i;
        if (!range_check(addresses[i], sizes[i], &id)) // or it has gone since
            note_prefetch(addresses[i], sizes[i], id, locations[at]);
    }
    return r;
}

CUresult mem_prefetch_batch(CUdeviceptr *addresses, size_t *sizes, size_t count, CUmemLocation *locations,
                            size_t *location_starts, size_t location_count, unsigned long long flags, CUstream stream)
{
    return prefetch_ranges(addresses, sizes, count, locations, location_starts, location_count, flags, stream, false);
}

CUresult mem_discard_and_prefetch_batch(CUdeviceptr *addresses, size_t *sizes, size_t count, CUmemLocation *locations,
                                        size_t *location_starts, size_t location_count, unsigned long long flags,
                                        CUstream stream)
{
    return prefetch_ranges(addresses, sizes, count, locations, location_starts, location_count, flags, stream, true);
}

CUresult mem_prefetch_device(CUdeviceptr address, size_t count, CUdevice device, CUstream stream)
{
    return mem_prefetch(address, count, location_of(device), 0, stream);
}

// ---- what is discarded: its pages go back to the operating system, in the order of the stream
struct discard_op {
    struct op op;
    size_t count;
    struct discarded {
        uintptr_t address;
        size_t bytes;
        uint64_t id; // 0: memory that is not known here, which is left as it is
    } ranges[];
};

static void discard_run(struct op *op)
{
    const struct discard_op *d = (const struct discard_op *)op;
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    for (size_t i = 0; i < d->count; i++) {
        const struct discarded *x = &d->ranges[i];
        uintptr_t from = (x->address + page - 1) / page * page, to = (x->address + x->bytes) / page * page;
        if (x->id && from < to)
            memory_release_pages((void *)from, to - from, x->id);
    }
}

// As on an H200: not in the legacy stream, and a range that is wrong is found before any is discarded.
CUresult mem_discard_batch(CUdeviceptr *addresses, size_t *sizes, size_t count, unsigned long long flags,
                           CUstream stream)
{
    struct stream *s;
    size_t bytes;
    CUresult r = enter_uncaptured(stream, &s);
    if (r)
        return r;
    if (!addresses || !sizes || !count || flags || stream == CU_STREAM_LEGACY)
        return CUDA_ERROR_INVALID_VALUE;
    if (__builtin_mul_overflow(count, sizeof(struct discarded), &bytes) ||
        __builtin_add_overflow(bytes, sizeof(struct discard_op), &bytes))
        return CUDA_ERROR_INVALID_VALUE;
    struct discard_op *d = (struct discard_op *)op_create(bytes, discard_run, NULL);
    if (!d)
        return CUDA_ERROR_OUT_OF_MEMORY;
    d->count = count;
    for (size_t i = 0; i < count && !r; i++) {
        d->ranges[i] = (struct discarded){.address = (uintptr_t)addresses[i], .bytes = sizes[i]};
        r = range_check(addresses[i], sizes[i], &d->ranges[i].id);
    }
    if (!r)
        stream_submit(s, &d->op, NULL);
    op_release(&d->op);
    return r;
}

// ---- what is known of a range
static bool same_location(CUmemLocation a, CUmemLocation b)
{
    return a.type == b.type && a.id == b.id;
}

// What all pages have in common.
static struct stretch common(uintptr_t begin, uintptr_t end, uint64_t id)
{
    static const CUmemLocation invalid = {CU_MEM_LOCATION_TYPE_INVALID, 0};
    struct stretch all = {.begin = begin, .end = end, .preferred = invalid, .prefetched = invalid};
    uintptr_t at = begin;
    bool first = true;
    pthread_mutex_lock(&lock);
    for (size_t i = first_behind(begin); i < stretches.len && at < end; i++) {
        const struct stretch *s = &stretches.data[i];
        if (s->begin > at || s->id != id)
            break;
        if (first)
            all = *s;
        all.read_mostly &= s->read_mostly;
        all.accessed &= s->accessed;
        all.accessed_host &= s->accessed_host;
        all.preferred = same_location(all.preferred, s->preferred) ? all.preferred : invalid;
        all.prefetched = same_location(all.prefetched, s->prefetched) ? all.prefetched : invalid;
        first = false;
        at = s->end;
    }
    pthread_mutex_unlock(&lock);
    if (at < end) // some of it has never been spoken of
        all = (struct stretch){.preferred = invalid, .prefetched = invalid};
    return all;
}

static int device_of(CUmemLocation l)
{
    return l.type == CU_MEM_LOCATION_TYPE_DEVICE ? l.id
           : l.type == CU_MEM_LOCATION_TYPE_HOST ? CU_DEVICE_CPU
                                                 : CU_DEVICE_INVALID;
}

static CUresult range_attribute(const struct stretch *all, int *data, size_t size, CUmem_range_attribute which)
{
    size_t n = size / sizeof *data, k = 0;
    if (!data || !n || size % sizeof *data || (n > 1 && which != CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY))
        return CUDA_ERROR_INVALID_VALUE;
    switch (which) {
    case CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY:
        *data = all->read_mostly;
        return CUDA_SUCCESS;
    case CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION:
        *data = device_of(all->preferred);
        return CUDA_SUCCESS;
    case CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION:
        *data = device_of(all->prefetched);
        return CUDA_SUCCESS;
    case CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY:
        for (int d = 0; d < DEVICE_LIMIT && k < n; d++)
            if (all->accessed >> d & 1)
                data[k++] = d;
        if (all->accessed_host && k < n)
            data[k++] = CU_DEVICE_CPU;
        while (k < n)
            data[k++] = CU_DEVICE_INVALID;
        return CUDA_SUCCESS;
    case CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE:
        *data = (int)all->preferred.type;
        return CUDA_SUCCESS;
    case CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_ID:
        *data = all->preferred.id;
        return CUDA_SUCCESS;
    case CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_TYPE:
        *data = (int)all->prefetched.type;
        return CUDA_SUCCESS;
    case CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_ID:
        *data = all->prefetched.id;
        return CUDA_SUCCESS;
    }
    return CUDA_ERROR_INVALID_VALUE;
}

CUresult mem_range_attributes(void **data, size_t *sizes, CUmem_range_attribute *attributes, size_t n,
                              CUdeviceptr address, size_t count)
{
    struct context *c;
    uint64_t id;
    uintptr_t begin, end;
    CUresult r = context_enter(&c);
    if (r)
        return r;
    if (!data || !sizes || !attributes || !n)
        return CUDA_ERROR_INVALID_VALUE;
    r = range_check(address, count, &id);
    if (r)
        return r;
    pages(address, count, &begin, &end);
    struct stretch all = common(begin, end, id);
    for (size_t i = 0; i < n && !r; i++)
        r = range_attribute(&all, data[i], sizes[i], attributes[i]);
    return r;
}

CUresult mem_range_attribute(void *data, size_t size, CUmem_range_attribute attribute, CUdeviceptr address,
                             size_t count)
{
    return mem_range_attributes(&data, &size, &attribute, 1, address, count);
}

// ---- streams. All memory is coherent with all streams.
CUresult stream_attach(CUstream stream, CUdeviceptr address, size_t length, unsigned flags)
{
    struct stream *s;
    struct memory_range range;
    CUresult r = enter_uncaptured(stream, &s);
    if (r)
        return r;
    if ((flags != CU_MEM_ATTACH_GLOBAL && flags != CU_MEM_ATTACH_HOST && flags != CU_MEM_ATTACH_SINGLE) ||
        (flags == CU_MEM_ATTACH_SINGLE && s->legacy))
        return CUDA_ERROR_INVALID_VALUE;
    if (!memory_find((void *)(uintptr_t)address, &range) || range.kind != MEMORY_MANAGED ||
        (CUdeviceptr)(uintptr_t)range.base != address || (length && length != range.size))
        return CUDA_ERROR_INVALID_VALUE;
    return stream_separate(s);
}
