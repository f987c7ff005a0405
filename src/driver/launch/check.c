// SPDX-License-Identifier: Apache-2.0
// Whether a kernel may be launched so: shape, clusters, shared memory, residency, each with CUDA's error.
#include "driver/driver.h"
#include <stdarg.h>
#include <stdio.h>

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

CUresult launch_shared_fits(const struct function *f, uint32_t fixed, uint32_t dynamic)
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

CUresult launch_shared_check(struct function *f, const struct launch_request *q)
{
    return launch_shared_fits(f, image_facts(f->module->image, f->info)->shared_static, q->shared);
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
        q->record[0] = a->value.programmaticEvent.event;
        break;
    case CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT:
        q->record[1] = a->value.launchCompletionEvent.event;
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
