// SPDX-License-Identifier: Apache-2.0
// Launches. The checks come first, in CUDA's terms; then one operation is made of code, arguments and shape.
#include "driver/graph/graph.h"
#include "driver/texture/texture.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

// A launch that is refused says why on stderr; the code alone, which is the one that CUDA has for all of it, does not.
__attribute__((format(printf, 3, 4))) static CUresult refuse(CUresult r, const struct function *f, const char *fmt, ...)
{
    char why[200];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(why, sizeof why, fmt, ap);
    va_end(ap);
    log_write(LOG_ERROR, "launch of '%s': %s", f->info->ptx->name, why);
    return r;
}

static CUresult shape_check(const struct function *f, const struct launch_request *q)
{
    static const uint32_t grid_most[3] = {0x7fffffff, MAX_GRID_YZ, MAX_GRID_YZ};
    static const uint32_t block_most[3] = {MAX_BLOCK_THREADS, MAX_BLOCK_THREADS, MAX_BLOCK_Z};
    const struct kernel_info *k = f->info;
    const CUresult bad = CUDA_ERROR_INVALID_VALUE;
    for (int i = 0; i < 3; i++) {
        char axis = (char)('x' + i);
        if (!q->grid[i] || !q->block[i])
            return refuse(bad, f, "the %s is empty: it has 0 in %c", q->grid[i] ? "block" : "grid", axis);
        if (q->grid[i] > grid_most[i])
            return refuse(bad, f, "a grid of %u blocks in %c; the limit is %u", q->grid[i], axis, grid_most[i]);
        if (q->block[i] > block_most[i])
            return refuse(bad, f, "a block of %u threads in %c; the limit is %u", q->block[i], axis, block_most[i]);
    }
    uint32_t threads = q->block[0] * q->block[1] * q->block[2];
    if (threads > MAX_BLOCK_THREADS)
        return refuse(bad, f, "a block of %u threads; the limit is %u", threads, (unsigned)MAX_BLOCK_THREADS);
    if (k->required[0] && memcmp(k->required, q->block, sizeof q->block))
        return refuse(bad, f, "a block of %ux%ux%u threads; the kernel asks for %ux%ux%u", q->block[0], q->block[1],
                      q->block[2], k->required[0], k->required[1], k->required[2]);
    if (threads > k->max_threads)
        return refuse(bad, f, "a block of %u threads; the kernel's launch bounds allow %u", threads, k->max_threads);
    return CUDA_SUCCESS;
}

// A size that the kernel names, at compile time or by its attributes, is the only one; each wrong size is the same error. A size of
// 0 in all directions is none.
CUresult cluster_check(const struct function *f, struct launch_request *q)
{
    uint32_t required[3], blocks = 1, named = 0;
    const CUresult bad = CUDA_ERROR_INVALID_CLUSTER_SIZE;
    for (int i = 0; i < 3; i++) {
        required[i] = (uint32_t)atomic_load_explicit(&f->attributes.cluster[i], memory_order_relaxed);
        named |= required[i];
    }
    if (q->has_cluster && !(q->cluster[0] | q->cluster[1] | q->cluster[2]))
        q->has_cluster = false;
    if (!named && !q->has_cluster)
        return f->info->ptx->explicitcluster ? refuse(bad, f, "the kernel needs a size of clusters") : CUDA_SUCCESS;
    for (int i = 0; i < 3; i++) {
        char axis = (char)('x' + i);
        if (!q->has_cluster)
            q->cluster[i] = required[i];
        if (!q->cluster[i])
            return refuse(bad, f, "a cluster with 0 blocks in %c", axis);
        if (required[i] && q->cluster[i] != required[i])
            return refuse(bad, f, "clusters of %u blocks in %c; the kernel asks for %u", q->cluster[i], axis,
                          required[i]);
        if (q->grid[i] % q->cluster[i])
            return refuse(bad, f, "a grid of %u blocks in %c is no multiple of the cluster's %u", q->grid[i], axis,
                          q->cluster[i]);
        blocks = q->cluster[i] > CLUSTER_LIMIT ? UINT32_MAX / 2 : blocks * q->cluster[i];
        if (blocks > CLUSTER_LIMIT * CLUSTER_LIMIT)
            return refuse(bad, f, "clusters of %u blocks in %c", q->cluster[i], axis);
    }
    uint32_t limit = atomic_load(&f->attributes.any_cluster) ? CLUSTER_LIMIT : CLUSTER_PORTABLE;
    uint32_t own = f->info->ptx->maxclusterrank;
    limit = own && own < limit ? own : limit;
    return blocks > limit ? refuse(bad, f, "clusters of %u blocks; the limit is %u", blocks, limit) : CUDA_SUCCESS;
}

static CUresult shared_check(const struct function *f, uint32_t fixed, uint32_t dynamic)
{
    int asked = atomic_load_explicit(&f->attributes.shared_limit, memory_order_relaxed);
    uint64_t total = (uint64_t)fixed + dynamic;
    if (__builtin_expect(asked < 0 ? total <= shared_most(fixed) : dynamic <= (uint32_t)asked && total <= SHARED_OPTIN,
                         1))
        return CUDA_SUCCESS;
    if (asked >= 0 && dynamic > (uint32_t)asked)
        return refuse(CUDA_ERROR_INVALID_VALUE, f,
                      "%u bytes of dynamic shared memory; the function's attribute allows %d", dynamic, asked);
    return refuse(CUDA_ERROR_INVALID_VALUE, f, "%llu bytes of shared memory; the limit is %u%s",
                  (unsigned long long)total, asked < 0 ? shared_most(fixed) : SHARED_OPTIN,
                  asked < 0 ? ", or what cudaFuncAttributeMaxDynamicSharedMemorySize asks for" : "");
}

CUresult launch_shared_check(struct function *f, const struct launch_request *q)
{
    return shared_check(f, image_facts(f->module->image, f->info)->shared_static, q->shared);
}

static CUresult cooperative_check(const struct function *f, const struct launch_request *q)
{
    int blocks;
    CUresult r = occupancy_blocks(&blocks, f->handle, (int)(q->block[0] * q->block[1] * q->block[2]), q->shared);
    if (r)
        return r;
    uint64_t grid = (uint64_t)q->grid[0] * q->grid[1] * q->grid[2];
    uint64_t most = (uint64_t)blocks * (uint64_t)device_sms();
    return grid > most ? refuse(CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE, f,
                                "a cooperative grid of %llu blocks; %llu can run at once", (unsigned long long)grid,
                                (unsigned long long)most)
                       : CUDA_SUCCESS;
}

// A kernel that names the size of its blocks and clusters itself (.blocksareclusters) is launched with a number of
// clusters, and blocks of 1.
static void shape_complete(const struct function *f, struct launch_request *q)
{
    const struct ptx_func *p = f->info->ptx;
    if (!p->blocksareclusters || !p->reqntid[0] || q->block[0] != 1 || q->block[1] != 1 || q->block[2] != 1)
        return;
    for (int i = 0; i < 3; i++) {
        uint32_t cluster = p->reqnctapercluster[i] ? p->reqnctapercluster[i] : 1;
        q->block[i] = p->reqntid[i] ? p->reqntid[i] : 1;
        q->grid[i] = q->grid[i] > UINT32_MAX / cluster ? UINT32_MAX : q->grid[i] * cluster;
    }
}

CUresult launch_check(struct function *f, struct launch_request *q)
{
    shape_complete(f, q);
    CUresult r = shape_check(f, q);
    r = r ? r : cluster_check(f, q);
    return !r && q->cooperative ? cooperative_check(f, q) : r;
}

// The parameter block from one pointer a parameter, or from a ready-made buffer.
CUresult launch_pack(const struct kernel_info *k, void **params, void **extra, char *args, const void **out)
{
    *out = args;
    if (params && extra)
        return CUDA_ERROR_INVALID_VALUE;
    if (params) {
        for (uint32_t i = 0; i < k->nparams; i++) {
            const struct param *p = &k->params[i];
            if (!params[i])
                return CUDA_ERROR_INVALID_VALUE;
            if (p->size == 8)
                memcpy(args + p->offset, params[i], 8);
            else if (p->size == 4)
                memcpy(args + p->offset, params[i], 4);
            else
                memcpy(args + p->offset, params[i], p->size);
        }
        return CUDA_SUCCESS;
    }
    if (extra) {
        const void *buffer = NULL;
        size_t size = 0;
        for (; *extra != CU_LAUNCH_PARAM_END; extra += 2) {
            if (*extra == CU_LAUNCH_PARAM_BUFFER_POINTER)
                buffer = extra[1];
            else if (*extra == CU_LAUNCH_PARAM_BUFFER_SIZE && extra[1])
                size = *(size_t *)extra[1];
            else
                return CUDA_ERROR_INVALID_VALUE;
        }
        *out = buffer;
        return k->param_bytes && (!buffer || size < k->param_bytes) ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
    }
    return k->nparams ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

static void launch_done(void *module, unsigned n)
{
    module_release(module, n);
}

CUresult launch_op_make(struct function *f, const struct launch_request *q, const void *args, struct op **out)
{
    struct module *m = f->module;
    struct jit_code *code;
    CUresult r = function_code(f, q->grid, q->block, args, &code);
    r = r ? r : shared_check(f, code->variant.shared_static, q->shared);
    r = r ? r : module_refs_bind(m);
    if (r)
        return r;
    struct launch_desc d = {.code = code,
                            .kernel = f->info->ptx->name,
                            .args = args,
                            .args_size = f->info->param_bytes,
                            .globals = m->globals,
                            .grid = {q->grid[0], q->grid[1], q->grid[2]},
                            .block = {q->block[0], q->block[1], q->block[2]},
                            .cluster = {q->cluster[0], q->cluster[1], q->cluster[2]},
                            .dynamic_shared = q->shared,
                            .cooperative = q->cooperative,
                            .faults = &m->faults->state,
                            .done = launch_done,
                            .done_data = m,
                            .drop = f->info->native ? native_release : NULL,
                            .device_api = device_runtime_call,
                            .device_api_data = m};
    atomic_fetch_add_explicit(&m->refs, 1, memory_order_relaxed);
    native_retain(f->info, args);
    *out = native_op_create(f->info->native, &d);
    if (!*out) {
        if (d.drop)
            d.drop(args);
        module_release(m, 1);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    return CUDA_SUCCESS;
}

static CUresult submit(struct function *f, struct stream *s, const struct launch_request *q, const void *args)
{
    struct op *op;
    CUresult r = launch_op_make(f, q, args, &op);
    if (r)
        return r;
    if (__builtin_expect(!driver_launch_blocking(), 1)) {
        stream_give(s, op);
        return r;
    }
    stream_submit(s, op, NULL);
    op_wait(op);
    output_flush();
    op_release(op);
    return context_fault(s->context);
}

static CUresult launch(CUfunction function, CUstream stream, struct launch_request *q, void **params, void **extra)
{
    enum { SMALL = 1024 };
    struct function *f;
    struct stream *s;
    const void *args;
    char few[SMALL], *block = few;
    CUresult r = function_get(function, &f);
    r = r ? r : stream_enter(stream, &s);
    if (r)
        return r;
    if (f->module->context != s->context)
        return CUDA_ERROR_INVALID_HANDLE;
    r = launch_check(f, q);
    bool captured = stream_captured(s);
    r = r || !captured ? r : launch_shared_check(f, q);
    if (__builtin_expect(r != 0, 0))
        return captured ? capture_spoil(s, r) : r;
    if (f->info->param_bytes > SMALL && !(block = malloc(f->info->param_bytes)))
        return CUDA_ERROR_OUT_OF_MEMORY;
    r = launch_pack(f->info, params, extra, block, &args);
    if (!r && captured) {
        r = capture_kernel(s, f, handle_get(function, HANDLE_KERNEL) ? (CUkernel)function : NULL, q, args);
    } else {
        r = r ? r : capture_guard(s);
        r = r ? r : submit(f, s, q, args);
    }
    if (block != few)
        free(block);
    if (!r && q->record)
        r = event_record(q->record, stream);
    return r;
}

CUresult launch_kernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                       unsigned block_y, unsigned block_z, unsigned shared_bytes, CUstream stream, void **params,
                       void **extra)
{
    struct launch_request q = {
        .grid = {grid_x, grid_y, grid_z}, .block = {block_x, block_y, block_z}, .shared = shared_bytes};
    return launch(function, stream, &q, params, extra);
}

CUresult launch_cooperative(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                            unsigned block_y, unsigned block_z, unsigned shared_bytes, CUstream stream, void **params)
{
    struct launch_request q = {.grid = {grid_x, grid_y, grid_z},
                               .block = {block_x, block_y, block_z},
                               .shared = shared_bytes,
                               .cooperative = true};
    return launch(function, stream, &q, params, NULL);
}

// Attributes that are hints to a GPU change nothing here.
CUresult launch_attribute(const CUlaunchAttribute *a, struct launch_request *q)
{
    switch ((int)a->id) {
    case CU_LAUNCH_ATTRIBUTE_COOPERATIVE:
        q->cooperative = a->value.cooperative != 0;
        break;
    case CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION:
        q->cluster[0] = a->value.clusterDim.x;
        q->cluster[1] = a->value.clusterDim.y;
        q->cluster[2] = a->value.clusterDim.z;
        q->has_cluster = true;
        break;
    case CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW:
        return access_policy_check(&a->value.accessPolicyWindow);
    case CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT:
        q->record = a->value.programmaticEvent.event;
        break;
    case CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT:
        q->record = a->value.launchCompletionEvent.event;
        break;
    case CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE:
        return a->value.deviceUpdatableKernelNode.deviceUpdatable ? CUDA_ERROR_NOT_SUPPORTED : CUDA_SUCCESS;
    case CU_LAUNCH_ATTRIBUTE_IGNORE:
    case CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY:
    case CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
    case CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION:
    case CU_LAUNCH_ATTRIBUTE_PRIORITY:
    case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP:
    case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN:
    case CU_LAUNCH_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION:
    case CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
    case CU_LAUNCH_ATTRIBUTE_NVLINK_UTIL_CENTRIC_SCHEDULING:
        break;
    default:
        return CUDA_ERROR_INVALID_VALUE;
    }
    return CUDA_SUCCESS;
}

CUresult launch_kernel_ex(const CUlaunchConfig *config, CUfunction function, void **params, void **extra,
                          CUstream stream)
{
    if (!config || (config->numAttrs && !config->attrs))
        return CUDA_ERROR_INVALID_VALUE;
    struct launch_request q = {.grid = {config->gridDimX, config->gridDimY, config->gridDimZ},
                               .block = {config->blockDimX, config->blockDimY, config->blockDimZ},
                               .shared = config->sharedMemBytes};
    for (unsigned i = 0; i < config->numAttrs; i++) {
        CUresult r = launch_attribute(&config->attrs[i], &q);
        if (r)
            return r;
    }
    q.attributes = config->attrs;
    q.nattributes = config->numAttrs;
    return launch(function, config->hStream ? config->hStream : stream, &q, params, extra);
}

// ---- the old interface: shape and arguments are set on the function
CUresult old_block_shape(CUfunction function, int x, int y, int z)
{
    struct function *f;
    CUresult r = function_get(function, &f);
    if (r)
        return r;
    if (x <= 0 || y <= 0 || z <= 0 || (uint64_t)x * (uint64_t)y > MAX_BLOCK_THREADS || z > MAX_BLOCK_Z ||
        x * y * z > MAX_BLOCK_THREADS)
        return CUDA_ERROR_INVALID_VALUE;
    f->old.block[0] = (uint32_t)x;
    f->old.block[1] = (uint32_t)y;
    f->old.block[2] = (uint32_t)z;
    return CUDA_SUCCESS;
}

CUresult old_shared_size(CUfunction function, unsigned bytes)
{
    struct function *f;
    CUresult r = function_get(function, &f);
    if (r)
        return r;
    if (bytes > SHARED_OPTIN)
        return CUDA_ERROR_INVALID_VALUE;
    f->old.shared = bytes;
    return CUDA_SUCCESS;
}

CUresult old_param_size(CUfunction function, unsigned bytes)
{
    struct function *f;
    CUresult r = function_get(function, &f);
    if (r)
        return r;
    if (bytes > PARAM_LIMIT)
        return CUDA_ERROR_INVALID_VALUE;
    f->old.size = bytes;
    return CUDA_SUCCESS;
}

CUresult old_param_bytes(CUfunction function, int offset, void *data, unsigned bytes)
{
    struct function *f;
    CUresult r = function_get(function, &f);
    if (r)
        return r;
    if (!data || offset < 0 || offset > PARAM_LIMIT || bytes > PARAM_LIMIT - (unsigned)offset)
        return CUDA_ERROR_INVALID_VALUE;
    if (!f->old.args)
        f->old.args = xcalloc(1, PARAM_LIMIT);
    memcpy(f->old.args + offset, data, bytes);
    return CUDA_SUCCESS;
}

CUresult old_param_int(CUfunction function, int offset, unsigned value)
{
    return old_param_bytes(function, offset, &value, sizeof value);
}

CUresult old_param_float(CUfunction function, int offset, float value)
{
    return old_param_bytes(function, offset, &value, sizeof value);
}

// A launch binds all references of its module, so that this only checks.
CUresult old_param_texture(CUfunction function, int unit, CUtexref texture)
{
    struct function *f;
    CUresult r = function_get(function, &f);
    (void)unit;
    return r ? r : texture_ref_check(texture);
}

CUresult old_launch_async(CUfunction function, int width, int height, CUstream stream)
{
    struct function *f;
    CUresult r = function_get(function, &f);
    if (r)
        return r;
    if (width <= 0 || height <= 0)
        return CUDA_ERROR_INVALID_VALUE;
    struct launch_request q = {.grid = {(uint32_t)width, (uint32_t)height, 1}, .shared = f->old.shared};
    memcpy(q.block, f->old.block, sizeof q.block);
    size_t size = f->old.size;
    char none = 0;
    void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, f->old.args ? f->old.args : &none, CU_LAUNCH_PARAM_BUFFER_SIZE,
                     &size, CU_LAUNCH_PARAM_END};
    return launch(function, stream ? stream : CU_STREAM_LEGACY, &q, NULL, extra);
}

CUresult old_launch_grid(CUfunction function, int width, int height)
{
    return old_launch_async(function, width, height, CU_STREAM_LEGACY);
}

CUresult old_launch(CUfunction function)
{
    return old_launch_grid(function, 1, 1);
}
