// SPDX-License-Identifier: Apache-2.0
// Launches. The checks come first (check.c); op.c makes the operation.
#include "driver/explore/explore.h"
#include "driver/graph/graph.h"
#include "driver/texture/texture.h"
#include <stdio.h>
#include <stdlib.h>

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

static CUresult submit(struct function *f, struct stream *s, const struct launch_request *q, const void *args)
{
    struct op *op;
    CUresult r;
    if (__builtin_expect(explore_wanted, 0) && explore_launch(f, s, q, args, &r))
        return r;
    r = launch_op_make(f, q, args, &op);
    if (r)
        return r;
    if (__builtin_expect(!driver_launch_blocking(), 1)) {
        stream_give(s, op);
        return r;
    }
    stream_submit(s, op, NULL);
    op_wait(op);
    order_told_op(op);
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
    for (int i = 0; i < 2 && !r; i++)
        r = q->record[i] && !event_is_of(q->record[i], s) ? CUDA_ERROR_INVALID_HANDLE : CUDA_SUCCESS;
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
    for (int i = 0; i < 2 && !r; i++)
        r = q->record[i] ? event_record(q->record[i], stream) : CUDA_SUCCESS;
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
