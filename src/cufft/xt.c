// SPDX-License-Identifier: Apache-2.0
// The library's version, and what there is of cufftXt.h besides plans: one GPU, no callbacks.
#include "cufft/plan.h"

cufftResult helper_version(int *version)
{
    if (version)
        *version = CUFFT_VERSION;
    return CUFFT_SUCCESS;
}

cufftResult helper_property(libraryPropertyType type, int *value)
{
    static const int numbers[] = {
        [MAJOR_VERSION] = CUFFT_VER_MAJOR, [MINOR_VERSION] = CUFFT_VER_MINOR, [PATCH_LEVEL] = CUFFT_VER_PATCH};
    if (!value)
        return CUFFT_INVALID_VALUE;
    if ((unsigned)type >= sizeof numbers / sizeof *numbers)
        return CUFFT_INVALID_TYPE;
    *value = numbers[type];
    return CUFFT_SUCCESS;
}

// A work area is never larger than it must be, so that all policies have the same one.
cufftResult xt_work_policy(cufftHandle handle, cufftXtWorkAreaPolicy policy, size_t *bytes)
{
    struct plan *p = transform_find(handle);
    if (!p || !p->state)
        return CUFFT_INVALID_PLAN;
    if ((unsigned)policy > CUFFT_WORKAREA_PERFORMANCE || (policy == CUFFT_WORKAREA_USER && !bytes))
        return CUFFT_INVALID_VALUE;
    if (policy == CUFFT_WORKAREA_USER && *bytes < p->work_bytes)
        return CUFFT_INVALID_SIZE;
    if (bytes && policy != CUFFT_WORKAREA_USER)
        *bytes = p->work_bytes;
    return CUFFT_SUCCESS;
}

cufftResult xt_set_work(cufftHandle handle, void **work)
{
    return work ? transform_set_work(handle, work[0]) : CUFFT_INVALID_VALUE;
}

// No descriptor was ever given out.
cufftResult xt_free(cudaLibXtDesc *descriptor)
{
    return descriptor ? CUFFT_INVALID_VALUE : CUFFT_SUCCESS;
}

cufftResult xt_set_gpus(cufftHandle handle, int count, const int *gpus)
{
    enum { MOST = 16 };
    struct plan *p = transform_find(handle);
    int devices = 0;
    if (!p || p->state)
        return CUFFT_INVALID_PLAN;
    if (!gpus || count < 2 || count > MOST)
        return CUFFT_INVALID_VALUE;
    if (cudaGetDeviceCount(&devices))
        return CUFFT_INTERNAL_ERROR;
    for (int i = 0; i < count; i++)
        if (gpus[i] < 0 || gpus[i] >= devices)
            return CUFFT_INVALID_DEVICE;
    return CUFFT_NOT_SUPPORTED;
}

cufftResult xt_refuse(cufftHandle handle)
{
    return transform_find(handle) ? CUFFT_NOT_SUPPORTED : CUFFT_INVALID_PLAN;
}
