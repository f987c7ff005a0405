// SPDX-License-Identifier: Apache-2.0
// Occupancy: how many blocks a multiprocessor with the limits that we report would hold.
#include "driver/driver.h"

// A warp's registers lie in one quarter of the multiprocessor.
enum { REGISTER_UNIT = 256, SHARED_UNIT = 128, WARP = 32, QUARTERS = 4 };

static int least(int a, int b)
{
    return a < b ? a : b;
}

void occupancy_limits(const struct jit_kernel_facts *facts, int block_size, size_t shared, struct occupancy_limits *l)
{
    int warps = (block_size + WARP - 1) / WARP;
    int registers = facts->registers > 255 ? 255 : facts->registers ? (int)facts->registers : 1;
    int warp_registers = (registers * WARP + REGISTER_UNIT - 1) / REGISTER_UNIT * REGISTER_UNIT;
    size_t taken = (shared + SHARED_RESERVED + SHARED_UNIT - 1) / SHARED_UNIT * SHARED_UNIT;
    l->blocks = SM_BLOCKS;
    l->warps = SM_THREADS / WARP / warps;
    l->registers = SM_REGISTERS / QUARTERS / warp_registers * QUARTERS / warps;
    l->shared = (int)(SHARED_SM / taken);
}

// 0 when a block of this shape cannot run at all.
static int blocks_of(struct function *f, int block_size, size_t dynamic_shared)
{
    const struct jit_kernel_facts *facts = image_facts(f->module->image, f->info);
    int limit = atomic_load(&f->attributes.shared_limit);
    size_t shared = facts->shared_static + dynamic_shared;
    if (block_size <= 0 || block_size > (int)f->info->max_threads || shared < dynamic_shared || shared > SHARED_OPTIN ||
        (limit < 0 && shared > shared_most(facts->shared_static)) || (limit >= 0 && dynamic_shared > (size_t)limit))
        return 0;
    struct occupancy_limits l;
    occupancy_limits(facts, block_size, shared, &l);
    int blocks = least(least(l.blocks, l.warps), least(l.registers, l.shared));
    return blocks ? blocks : 1; // registers are no limit here: a block that fits otherwise runs
}

CUresult occupancy_blocks_flags(int *blocks, CUfunction function, int block_size, size_t dynamic_shared, unsigned flags)
{
    struct function *f;
    CUresult r = function_get(function, &f);
    r = r ? r : context_fault(f->module->context);
    if (r)
        return r;
    if (!blocks || block_size <= 0 || flags > CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE)
        return CUDA_ERROR_INVALID_VALUE;
    *blocks = blocks_of(f, block_size, dynamic_shared);
    return CUDA_SUCCESS;
}

CUresult occupancy_blocks(int *blocks, CUfunction function, int block_size, size_t dynamic_shared)
{
    return occupancy_blocks_flags(blocks, function, block_size, dynamic_shared, CU_OCCUPANCY_DEFAULT);
}

CUresult occupancy_size_flags(int *min_grid, int *block_size, CUfunction function, CUoccupancyB2DSize shared_of_block,
                              size_t dynamic_shared, int limit, unsigned flags)
{
    struct function *f;
    CUresult r = function_get(function, &f);
    r = r ? r : context_fault(f->module->context);
    if (r)
        return r;
    if (!min_grid || !block_size || limit < 0 || flags > CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE)
        return CUDA_ERROR_INVALID_VALUE;
    int most = (int)f->info->max_threads, best = 0;
    if (limit && limit < most)
        most = limit;
    *min_grid = *block_size = 0;
    // The largest size first: among equals it stays.
    for (int size = (most + WARP - 1) / WARP * WARP; size > 0; size -= WARP) {
        int threads = least(size, most);
        int blocks = blocks_of(f, threads, shared_of_block ? shared_of_block(threads) : dynamic_shared);
        if (blocks * threads > best) {
            best = blocks * threads;
            *block_size = threads;
            *min_grid = blocks * device_sms();
        }
        if (best == SM_THREADS)
            break;
    }
    return *block_size ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult occupancy_size(int *min_grid, int *block_size, CUfunction function, CUoccupancyB2DSize shared_of_block,
                        size_t dynamic_shared, int limit)
{
    return occupancy_size_flags(min_grid, block_size, function, shared_of_block, dynamic_shared, limit,
                                CU_OCCUPANCY_DEFAULT);
}

CUresult occupancy_shared(size_t *dynamic_shared, CUfunction function, int blocks, int block_size)
{
    struct function *f;
    CUresult r = function_get(function, &f);
    r = r ? r : context_fault(f->module->context);
    if (r)
        return r;
    if (!dynamic_shared || blocks <= 0 || block_size <= 0 || block_size > MAX_BLOCK_THREADS)
        return CUDA_ERROR_INVALID_VALUE;
    size_t fixed = image_facts(f->module->image, f->info)->shared_static;
    int limit = atomic_load(&f->attributes.shared_limit);
    size_t most = limit < 0 ? shared_most((uint32_t)fixed) : (size_t)limit + fixed;
    size_t share = (size_t)SHARED_SM / (size_t)blocks / SHARED_UNIT * SHARED_UNIT;
    share = share > SHARED_RESERVED ? share - SHARED_RESERVED : 0;
    if (share > most)
        share = most;
    *dynamic_shared = share > fixed && blocks <= blocks_of(f, block_size, 0) ? share - fixed : 0;
    return CUDA_SUCCESS;
}

// The checks of a launch with this shape; *blocks: in a cluster, 0 where the launch has none. A size that is too large for
// any device is no error where sizes beyond the portable one are allowed.
static CUresult cluster_shape(struct function *f, const CUlaunchConfig *config, uint32_t *blocks)
{
    struct launch_request q = {.grid = {config->gridDimX, config->gridDimY, config->gridDimZ}};
    *blocks = 0;
    for (unsigned i = 0; i < config->numAttrs; i++) {
        CUresult r = config->attrs[i].id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION
                         ? launch_attribute(&config->attrs[i], &q)
                         : CUDA_SUCCESS;
        if (r)
            return r;
    }
    CUresult r = cluster_check(f, &q);
    uint64_t n = (uint64_t)q.cluster[0] * q.cluster[1] * q.cluster[2];
    *blocks = n > UINT16_MAX ? UINT16_MAX : (uint32_t)n;
    return r && atomic_load(&f->attributes.any_cluster) && n > CLUSTER_LIMIT ? CUDA_SUCCESS : r;
}

static CUresult cluster_enter(const int *out, CUfunction function, const CUlaunchConfig *config, struct function **f,
                              uint32_t *blocks)
{
    CUresult r = function_get(function, f);
    if (r)
        return r;
    if (!out || !config || (config->numAttrs && !config->attrs))
        return CUDA_ERROR_INVALID_VALUE;
    return cluster_shape(*f, config, blocks);
}

CUresult occupancy_cluster_size(int *cluster, CUfunction function, const CUlaunchConfig *config)
{
    struct function *f;
    uint32_t blocks;
    CUresult r = cluster_enter(cluster, function, config, &f, &blocks);
    if (!r)
        *cluster = atomic_load(&f->attributes.any_cluster) ? CLUSTER_LIMIT : CLUSTER_PORTABLE;
    return r;
}

CUresult occupancy_clusters(int *clusters, CUfunction function, const CUlaunchConfig *config)
{
    struct function *f;
    uint32_t blocks;
    CUresult r = cluster_enter(clusters, function, config, &f, &blocks);
    if (r)
        return r;
    int threads = (int)(config->blockDimX * config->blockDimY * config->blockDimZ);
    int fit = blocks && blocks <= CLUSTER_LIMIT ? blocks_of(f, threads, config->sharedMemBytes) : 0;
    int held = fit ? fit * device_sms() / (int)blocks : 0;
    *clusters = fit && !held ? 1 : held; // blocks of a cluster that do not fit at once take turns
    return CUDA_SUCCESS;
}
