// SPDX-License-Identifier: Apache-2.0
// Attributes of kernels, of functions in a context and of kernels of a library alike.
#include "driver/driver.h"

// ---- attributes
void attributes_init(struct attributes *a, const struct ptx_func *f)
{
    atomic_init(&a->shared_limit, -1);
    atomic_init(&a->carveout, CU_SHAREDMEM_CARVEOUT_DEFAULT);
    for (int i = 0; i < 3; i++)
        atomic_init(&a->cluster[i], (int)f->reqnctapercluster[i]);
}

CUresult attributes_get(const struct attributes *a, struct image *i, struct kernel_info *k, CUfunction_attribute which,
                        int *value)
{
    const struct jit_kernel_facts *facts = image_facts(i, k);
    int limit = atomic_load(&a->shared_limit);
    switch (which) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
        *value = (int)k->max_threads;
        break;
    case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
        *value = (int)facts->shared_static;
        break;
    case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES:
        *value = (int)i->const_bytes;
        break;
    case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
        *value = (int)facts->local_bytes;
        break;
    case CU_FUNC_ATTRIBUTE_NUM_REGS:
        *value = (int)facts->registers;
        break;
    case CU_FUNC_ATTRIBUTE_PTX_VERSION:
        *value = (int)i->ptx->target;
        break;
    case CU_FUNC_ATTRIBUTE_BINARY_VERSION:
        *value = (int)device_capability();
        break;
    case CU_FUNC_ATTRIBUTE_CACHE_MODE_CA:
        *value = 0;
        break;
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
        *value = limit >= 0 ? limit : (int)(shared_most(facts->shared_static) - facts->shared_static);
        break;
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
        *value = atomic_load(&a->carveout);
        break;
    case CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET:
        *value = k->ptx->explicitcluster;
        break;
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH:
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT:
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH:
        *value = atomic_load(&a->cluster[which - CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH]);
        break;
    case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED:
        *value = atomic_load(&a->any_cluster);
        break;
    case CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
        *value = atomic_load(&a->cluster_policy);
        break;
    default:
        return CUDA_ERROR_INVALID_VALUE;
    }
    return CUDA_SUCCESS;
}

CUresult attributes_set(struct attributes *a, struct image *i, struct kernel_info *k, CUfunction_attribute which,
                        int value)
{
    switch (which) {
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
        if (value < 0 || value + (int64_t)image_facts(i, k)->shared_static > SHARED_OPTIN)
            return CUDA_ERROR_INVALID_VALUE;
        atomic_store(&a->shared_limit, value);
        break;
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
        if (value < -1 || value > 100)
            return CUDA_ERROR_INVALID_VALUE;
        atomic_store(&a->carveout, value);
        break;
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH:
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT:
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH:
        if (value < 0 || k->ptx->reqnctapercluster[0])
            return CUDA_ERROR_INVALID_VALUE;
        atomic_store(&a->cluster[which - CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH], value);
        break;
    case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED:
        atomic_store(&a->any_cluster, value != 0);
        break;
    case CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
        if (value < 0 || value > CU_CLUSTER_SCHEDULING_POLICY_LOAD_BALANCING)
            return CUDA_ERROR_INVALID_VALUE;
        atomic_store(&a->cluster_policy, value);
        break;
    default:
        return CUDA_ERROR_INVALID_VALUE;
    }
    return CUDA_SUCCESS;
}
