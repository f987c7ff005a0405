// SPDX-License-Identifier: Apache-2.0
// What is known of a pointer.
#include "driver/graph/graph.h"

// The context of a range; a module's variable is given the current one.
static CUcontext owner_handle(const struct memory_range *r)
{
    struct context *c = range_context(r);
    if (!c && context_peek(&c))
        return NULL;
    return c->handle;
}

static CUresult attribute_of(const struct memory_range *r, CUdeviceptr address, CUpointer_attribute which, void *data)
{
    bool host = r->kind & (MEMORY_HOST | MEMORY_REGISTERED);
    switch (which) {
    case CU_POINTER_ATTRIBUTE_CONTEXT:
        *(CUcontext *)data = owner_handle(r);
        break;
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
        *(unsigned *)data = host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
        break;
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
        *(CUdeviceptr *)data = address;
        break;
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
        if (!host && r->kind != MEMORY_MANAGED)
            return CUDA_ERROR_INVALID_VALUE;
        *(void **)data = (void *)(uintptr_t)address;
        break;
    case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
    case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
    case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
    case CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE:
        *(int *)data = 0;
        break;
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
        *(int *)data = r->kind == MEMORY_MANAGED;
        break;
    case CU_POINTER_ATTRIBUTE_BUFFER_ID:
    case CU_POINTER_ATTRIBUTE_MEMORY_BLOCK_ID:
        *(unsigned long long *)data = r->id;
        break;
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
        *(int *)data = r->device;
        break;
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
    case CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR:
        *(void **)data = r->base;
        break;
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
    case CU_POINTER_ATTRIBUTE_MAPPING_SIZE:
        *(size_t *)data = r->size;
        break;
    case CU_POINTER_ATTRIBUTE_MAPPED:
        *(int *)data = 1;
        break;
    case CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES:
        *(unsigned long long *)data = 0;
        break;
    case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS:
        *(unsigned *)data = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
        break;
    case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE:
        *(CUmemoryPool *)data = NULL;
        break;
    default:
        return CUDA_ERROR_NOT_SUPPORTED;
    }
    return CUDA_SUCCESS;
}

CUresult pointer_get_attribute(void *data, CUpointer_attribute attribute, CUdeviceptr address)
{
    struct memory_range range;
    if (!driver_ready())
        return CUDA_ERROR_NOT_INITIALIZED;
    if (!data || attribute < CU_POINTER_ATTRIBUTE_CONTEXT || attribute > CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE)
        return CUDA_ERROR_INVALID_VALUE;
    if (!memory_find((void *)(uintptr_t)address, &range) || !graph_memory_valid(&range))
        return CUDA_ERROR_INVALID_VALUE;
    return attribute_of(&range, address, attribute, data);
}

// Of a pointer that is not known here every attribute is 0, and that is no error; likewise for an attribute that the
// pointer does not have.
CUresult pointer_get_attributes(unsigned count, CUpointer_attribute *attributes, void **data, CUdeviceptr address)
{
    struct memory_range range;
    if (!driver_ready())
        return CUDA_ERROR_NOT_INITIALIZED;
    if (!count || !attributes || !data)
        return CUDA_ERROR_INVALID_VALUE;
    bool known = memory_find((void *)(uintptr_t)address, &range) && graph_memory_valid(&range);
    for (unsigned i = 0; i < count; i++) {
        if (!data[i] || attributes[i] < CU_POINTER_ATTRIBUTE_CONTEXT ||
            attributes[i] > CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE)
            return CUDA_ERROR_INVALID_VALUE;
        bool number =
            attributes[i] == CU_POINTER_ATTRIBUTE_MEMORY_TYPE || attributes[i] == CU_POINTER_ATTRIBUTE_SYNC_MEMOPS ||
            attributes[i] == CU_POINTER_ATTRIBUTE_IS_MANAGED || attributes[i] == CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL ||
            attributes[i] == CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE ||
            attributes[i] == CU_POINTER_ATTRIBUTE_MAPPED ||
            attributes[i] == CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE ||
            attributes[i] == CU_POINTER_ATTRIBUTE_ACCESS_FLAGS ||
            attributes[i] == CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE;
        memset(data[i], 0, number ? 4 : 8);
        if (attributes[i] == CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL)
            *(int *)data[i] = CU_DEVICE_INVALID;
        if (known)
            attribute_of(&range, address, attributes[i], data[i]);
    }
    return CUDA_SUCCESS;
}

CUresult pointer_set_attribute(const void *value, CUpointer_attribute attribute, CUdeviceptr address)
{
    struct memory_range range;
    if (!driver_ready())
        return CUDA_ERROR_NOT_INITIALIZED;
    if (!value || attribute != CU_POINTER_ATTRIBUTE_SYNC_MEMOPS || !memory_find((void *)(uintptr_t)address, &range))
        return CUDA_ERROR_INVALID_VALUE;
    return CUDA_SUCCESS;
}
