// SPDX-License-Identifier: Apache-2.0
// The runtime interface as kernels call it (dynamic parallelism): arguments checked and turned into operations of the grid's
// children (device/sched/nested.h). The results are the runtime's, cudaError_t; the last one that is none is kept for each thread.
//
// What a kernel hands over as a place for a result may be any address. It is written to while no lock is held, so that a
// wrong one is the kernel's own fault and nothing else.
#include "driver/driver.h"
#include "base/reserve.h"
#include "device/hook/hooks.h"
#include "device/sched/nested.h"
#include "jit/abi/device_api.h"
#include "../../../include/driver_types.h"

enum { RUNTIME_VERSION = 13000 };

struct call {
    const struct device_thread *t;
    struct module *m;
    const uint64_t *args;
};

static void *pointer(const struct call *c, unsigned i)
{
    return (void *)(uintptr_t)c->args[i];
}

static cudaError_t result_of(enum nested_result r)
{
    return r == NESTED_OK     ? cudaSuccess
           : r == NESTED_FULL ? cudaErrorLaunchPendingCountExceeded
                              : cudaErrorInvalidResourceHandle;
}

static size_t pending_limit(const struct call *c)
{
    return atomic_load(&c->m->context->limits[CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT]);
}

static cudaError_t submit(const struct call *c, uint64_t stream, struct op *op)
{
    if (!op)
        return cudaErrorMemoryAllocation;
    return result_of(nested_submit(c->t->nested, c->t->block, stream, op, pending_limit(c)));
}

// ---- launches
static cudaError_t launch(const struct call *c, const void *function, struct nested_buffer *b, uint64_t stream)
{
    struct function *f = module_descriptor(c->m, (uint64_t)(uintptr_t)function);
    struct op *op;
    if (!f)
        return cudaErrorInvalidDeviceFunction;
    if (b->size < f->info->param_bytes)
        return cudaErrorInvalidValue;
    struct launch_request q = {.shared = b->shared};
    memcpy(q.grid, b->grid, sizeof q.grid);
    memcpy(q.block, b->block, sizeof q.block);
    CUresult r = launch_check(f, &q);
    if (r)
        return r == CUDA_ERROR_INVALID_VALUE ? cudaErrorInvalidConfiguration : (cudaError_t)r;
    r = launch_op_make(f, &q, b->data, &op);
    if (r) // the shape fits, so too much shared memory
        return r == CUDA_ERROR_INVALID_VALUE ? cudaErrorInvalidConfiguration : (cudaError_t)r;
    return submit(c, stream, op);
}

static uint64_t api_GetParameterBuffer(const struct call *c)
{
    size_t alignment = c->args[0], size = c->args[1];
    struct nested_buffer *b = alignment <= 64 && size <= PARAM_LIMIT ? nested_buffer_create(c->t->nested, size) : NULL;
    return b ? (uint64_t)(uintptr_t)b->data : 0;
}

static uint64_t api_GetParameterBufferV2(const struct call *c)
{
    struct function *f = module_descriptor(c->m, c->args[0]);
    struct nested_buffer *b = f ? nested_buffer_create(c->t->nested, f->info->param_bytes) : NULL;
    if (!b) {
        nested_error_set(c->t->nested, c->t->block, c->t->thread,
                         f ? cudaErrorMemoryAllocation : cudaErrorInvalidDeviceFunction);
        return 0;
    }
    b->function = pointer(c, 0);
    memcpy(b->grid, pointer(c, 1), sizeof b->grid);
    memcpy(b->block, pointer(c, 2), sizeof b->block);
    b->shared = (uint32_t)c->args[3];
    return (uint64_t)(uintptr_t)b->data;
}

static cudaError_t api_LaunchDevice(const struct call *c)
{
    struct nested_buffer *b = nested_buffer_find(c->t->nested, pointer(c, 1));
    if (!b)
        return cudaErrorInvalidValue;
    memcpy(b->grid, pointer(c, 2), sizeof b->grid);
    memcpy(b->block, pointer(c, 3), sizeof b->block);
    b->shared = (uint32_t)c->args[4];
    cudaError_t e = launch(c, pointer(c, 0), b, c->args[5]);
    nested_buffer_free(c->t->nested, b);
    return e;
}

static cudaError_t api_LaunchDeviceV2(const struct call *c)
{
    struct nested_buffer *b = nested_buffer_find(c->t->nested, pointer(c, 0));
    if (!b || !b->function)
        return cudaErrorInvalidValue;
    cudaError_t e = launch(c, b->function, b, c->args[1]);
    nested_buffer_free(c->t->nested, b);
    return e;
}

static cudaError_t api_DeviceSynchronize(const struct call *c)
{
    return nested_block_done(c->t->nested, c->t->block) ? cudaSuccess : cudaErrorNotReady;
}

// ---- streams and events
static cudaError_t api_StreamCreateWithFlags(const struct call *c)
{
    cudaStream_t *out = pointer(c, 0);
    if (!out ||
        (uint32_t)c->args[1] > cudaStreamNonBlocking) // every stream of a kernel is one that blocks for no other
        return cudaErrorInvalidValue;
    uint64_t s = nested_stream_create(c->t->nested);
    if (!s)
        return cudaErrorMemoryAllocation;
    *out = (cudaStream_t)(uintptr_t)s;
    return cudaSuccess;
}

static cudaError_t api_StreamDestroy(const struct call *c)
{
    return result_of(nested_stream_destroy(c->t->nested, c->args[0]));
}

static cudaError_t api_StreamWaitEvent(const struct call *c)
{
    return result_of(nested_event_wait(c->t->nested, c->t->block, c->args[0], c->args[1]));
}

static cudaError_t api_EventCreateWithFlags(const struct call *c)
{
    cudaEvent_t *out = pointer(c, 0);
    if (!out || (uint32_t)c->args[1] != cudaEventDisableTiming)
        return cudaErrorInvalidValue;
    uint64_t e = nested_event_create(c->t->nested);
    if (!e)
        return cudaErrorMemoryAllocation;
    *out = (cudaEvent_t)(uintptr_t)e;
    return cudaSuccess;
}

static cudaError_t api_EventRecord(const struct call *c)
{
    return result_of(nested_event_record(c->t->nested, c->t->block, c->args[0], c->args[1]));
}

static cudaError_t api_EventRecordWithFlags(const struct call *c)
{
    return (uint32_t)c->args[2] ? cudaErrorInvalidValue : api_EventRecord(c);
}

static cudaError_t api_EventDestroy(const struct call *c)
{
    return result_of(nested_event_destroy(c->t->nested, c->args[0]));
}

// ---- memory
static cudaError_t api_Malloc(const struct call *c)
{
    void **out = pointer(c, 0);
    if (!out)
        return cudaErrorInvalidValue;
    uint64_t p = c->args[1] ? hook_malloc(NULL, c->t->thread, c->args[1]) : 0;
    if (c->args[1] && !p)
        return cudaErrorMemoryAllocation;
    *out = (void *)(uintptr_t)p;
    return cudaSuccess;
}

static cudaError_t api_Free(const struct call *c)
{
    hook_free(NULL, c->t->thread, c->args[0]);
    return cudaSuccess;
}

// From the first byte to the last there are less than 2^64.
static bool side_fits(const struct transfer *t, size_t pitch, size_t slice)
{
    size_t rows, slices;
    return !__builtin_mul_overflow(t->height - 1, pitch, &rows) &&
           !__builtin_mul_overflow(t->depth - 1, slice, &slices) && !__builtin_add_overflow(rows, slices, &rows) &&
           !__builtin_add_overflow(rows, t->width, &rows);
}

static cudaError_t transfer(const struct call *c, const struct transfer *t, uint64_t stream)
{
    if (!t->width || !t->height || !t->depth)
        return cudaSuccess;
    if (!t->to || !side_fits(t, t->to_pitch, t->to_slice) || (t->from && !side_fits(t, t->from_pitch, t->from_slice)))
        return cudaErrorInvalidValue;
    if ((t->height > 1 || t->depth > 1) && (t->to_pitch < t->width || (t->from && t->from_pitch < t->width)))
        return cudaErrorInvalidPitchValue;
    return submit(c, stream, transfer_op_create(t, &c->m->faults->state));
}

static cudaError_t copy(const struct call *c, const struct transfer *t, uint32_t kind, uint64_t stream)
{
    if (kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault)
        return cudaErrorInvalidMemcpyDirection;
    return t->from || !t->width || !t->height || !t->depth ? transfer(c, t, stream) : cudaErrorInvalidValue;
}

static cudaError_t api_MemcpyAsync(const struct call *c)
{
    size_t n = c->args[2];
    struct transfer t = {pointer(c, 0), pointer(c, 1), n, n, n, n, n, 1, 1, 0};
    return copy(c, &t, (uint32_t)c->args[3], c->args[4]);
}

static cudaError_t api_Memcpy2DAsync(const struct call *c)
{
    size_t to = c->args[1], from = c->args[3], height = c->args[5];
    struct transfer t = {pointer(c, 0), pointer(c, 2), to, to * height, from, from * height, c->args[4], height, 1, 0};
    return copy(c, &t, (uint32_t)c->args[6], c->args[7]);
}

// Between linear memory; there is no way to name an array in a kernel.
static cudaError_t api_Memcpy3DAsync(const struct call *c)
{
    const struct cudaMemcpy3DParms *p = pointer(c, 0);
    if (!p || p->srcArray || p->dstArray)
        return cudaErrorInvalidValue;
    const struct cudaPitchedPtr *d = &p->dstPtr, *s = &p->srcPtr;
    struct transfer t = {.to_pitch = d->pitch,
                         .to_slice = d->pitch * d->ysize,
                         .from_pitch = s->pitch,
                         .from_slice = s->pitch * s->ysize,
                         .width = p->extent.width,
                         .height = p->extent.height,
                         .depth = p->extent.depth};
    if (d->ptr)
        t.to = (char *)d->ptr + p->dstPos.x + p->dstPos.y * t.to_pitch + p->dstPos.z * t.to_slice;
    if (s->ptr)
        t.from = (char *)s->ptr + p->srcPos.x + p->srcPos.y * t.from_pitch + p->srcPos.z * t.from_slice;
    return copy(c, &t, (uint32_t)p->kind, c->args[1]);
}

static cudaError_t api_MemsetAsync(const struct call *c)
{
    size_t n = c->args[2];
    return transfer(c, &(struct transfer){pointer(c, 0), NULL, n, n, 0, 0, n, 1, 1, (int)c->args[1]}, c->args[3]);
}

static cudaError_t api_Memset2DAsync(const struct call *c)
{
    size_t pitch = c->args[1], height = c->args[4];
    struct transfer t = {pointer(c, 0), NULL, pitch, pitch * height, 0, 0, c->args[3], height, 1, (int)c->args[2]};
    return transfer(c, &t, c->args[5]);
}

static cudaError_t api_Memset3DAsync(const struct call *c)
{
    const struct cudaPitchedPtr *p = pointer(c, 0);
    const struct cudaExtent *e = pointer(c, 2);
    struct transfer t = {.to = p->ptr,
                         .to_pitch = p->pitch,
                         .to_slice = p->pitch * p->ysize,
                         .width = e->width,
                         .height = e->height,
                         .depth = e->depth,
                         .value = (int)c->args[1]};
    return transfer(c, &t, c->args[3]);
}

// ---- questions
static cudaError_t api_DeviceGetAttribute(const struct call *c)
{
    return (cudaError_t)device_get_attribute(pointer(c, 0), (CUdevice_attribute)c->args[1], (CUdevice)c->args[2]);
}

static cudaError_t api_DeviceGetLimit(const struct call *c)
{
    size_t *out = pointer(c, 0);
    uint32_t limit = (uint32_t)c->args[1];
    if (!out || limit >= CU_LIMIT_MAX)
        return cudaErrorInvalidValue;
    if (limit == CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH || limit > CU_LIMIT_SHMEM_SIZE)
        return cudaErrorUnsupportedLimit;
    *out = limit == CU_LIMIT_MALLOC_HEAP_SIZE ? heap_limit() : atomic_load(&c->m->context->limits[limit]);
    return cudaSuccess;
}

static cudaError_t answer(const struct call *c, int value)
{
    int *out = pointer(c, 0);
    if (!out)
        return cudaErrorInvalidValue;
    *out = value;
    return cudaSuccess;
}

static cudaError_t api_DeviceGetCacheConfig(const struct call *c)
{
    return answer(c, atomic_load(&c->m->context->cache_config));
}

static cudaError_t api_DeviceGetSharedMemConfig(const struct call *c)
{
    return answer(c, atomic_load(&c->m->context->shared_config));
}

static cudaError_t api_GetDeviceCount(const struct call *c)
{
    return answer(c, device_count());
}

static cudaError_t api_GetDevice(const struct call *c)
{
    return answer(c, c->m->context->device);
}

static cudaError_t api_RuntimeGetVersion(const struct call *c)
{
    return answer(c, RUNTIME_VERSION);
}

static cudaError_t api_FuncGetAttributes(const struct call *c)
{
    struct function *f = module_descriptor(c->m, c->args[1]);
    struct cudaFuncAttributes *out = pointer(c, 0), a = {0};
    int value;
    if (!out || !f)
        return out ? cudaErrorInvalidDeviceFunction : cudaErrorInvalidValue;
#define ATTRIBUTE(field, name)                                                                                         \
    if (!attributes_get(&f->attributes, c->m->image, f->info, CU_FUNC_ATTRIBUTE_##name, &value))                       \
        a.field = (__typeof__(a.field))value;
#include "driver/module/func_attribute.def"
#undef ATTRIBUTE
    *out = a;
    return cudaSuccess;
}

static cudaError_t api_OccupancyMaxActiveBlocksPerMultiprocessor(const struct call *c)
{
    struct function *f = module_descriptor(c->m, c->args[1]);
    int *out = pointer(c, 0), blocks;
    if (!out || !f)
        return out ? cudaErrorInvalidDeviceFunction : cudaErrorInvalidValue;
    CUresult r = occupancy_blocks(&blocks, f->handle, (int)c->args[2], c->args[3]);
    if (!r)
        *out = blocks;
    return (cudaError_t)r;
}

static cudaError_t api_OccupancyMaxActiveBlocksPerMultiprocessorWithFlags(const struct call *c)
{
    return (uint32_t)c->args[4] > CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE
               ? cudaErrorInvalidValue
               : api_OccupancyMaxActiveBlocksPerMultiprocessor(c);
}

// ---- errors
static const struct error_text {
    cudaError_t code;
    const char *name, *text;
} error_texts[] = {
#define ERR(name, text, sticky) {name, #name, text},
#include "base/runtime_error.def"
#undef ERR
};

static const struct error_text *error_find(const struct call *c)
{
    static const struct error_text unknown = {0, "unrecognized error code", "unrecognized error code"};
    for (size_t i = 0; i < sizeof error_texts / sizeof *error_texts; i++)
        if (error_texts[i].code == (cudaError_t)(uint32_t)c->args[0])
            return &error_texts[i];
    return &unknown;
}

static uint64_t api_GetErrorString(const struct call *c)
{
    return (uint64_t)(uintptr_t)error_find(c)->text;
}

static uint64_t api_GetErrorName(const struct call *c)
{
    return (uint64_t)(uintptr_t)error_find(c)->name;
}

static cudaError_t api_PeekAtLastError(const struct call *c)
{
    return (cudaError_t)nested_error_get(c->t->nested, c->t->block, c->t->thread);
}

static cudaError_t api_GetLastError(const struct call *c)
{
    cudaError_t e = api_PeekAtLastError(c);
    nested_error_set(c->t->nested, c->t->block, c->t->thread, cudaSuccess);
    return e;
}

// Functions that answer with something other than an error that is to be kept.
static bool keeps_errors(uint32_t function)
{
    switch (function) {
    case DEVICE_API_GetLastError:
    case DEVICE_API_PeekAtLastError:
    case DEVICE_API_GetErrorString:
    case DEVICE_API_GetErrorName:
    case DEVICE_API_GetParameterBuffer:
    case DEVICE_API_GetParameterBufferV2:
    case DEVICE_API_DeviceSynchronize:
    case DEVICE_API_DeviceGetLimit:
        return false;
    default:
        return true;
    }
}

static uint64_t dispatch(const struct call *c, uint32_t function)
{
    switch ((enum device_api)function) {
#define DEVICE_API(name, result, args)                                                                                 \
    case DEVICE_API_##name:                                                                                            \
        return (uint64_t)api_##name(c);
#include "jit/abi/device_api.def"
#undef DEVICE_API
    case DEVICE_API_COUNT:
        break;
    }
    return cudaErrorNotSupported;
}

uint64_t device_runtime_call(const struct device_thread *t, uint32_t function, const uint64_t *args)
{
    struct call c = {t, t->data, args};
    uint64_t r = keeps_errors(function) && !reserve_ready() ? cudaErrorMemoryAllocation : dispatch(&c, function);
    if (r && keeps_errors(function))
        nested_error_set(t->nested, t->block, t->thread, (uint32_t)r);
    return r;
}
