// SPDX-License-Identifier: Apache-2.0
// Events.
#include "runtime/runtime.h"

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags)
{
    cudaError_t e = rt_enter();
    if (!e && (!event || flags & ~7u))
        e = rt_fail(cudaErrorInvalidValue);
    return e ? e : rt_result(drv.cuEventCreate((CUevent *)event, flags));
}

cudaError_t cudaEventCreate(cudaEvent_t *event)
{
    return cudaEventCreateWithFlags(event, cudaEventDefault);
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    cudaError_t e = rt_enter();
    return e ? e : rt_result(drv.cuEventRecord((CUevent)event, (CUstream)stream));
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int flags)
{
    cudaError_t e = rt_enter();
    return e ? e : rt_result(drv.cuEventRecordWithFlags((CUevent)event, (CUstream)stream, flags));
}

cudaError_t cudaEventQuery(cudaEvent_t event)
{
    cudaError_t e = rt_enter();
    return e ? e : rt_result(drv.cuEventQuery((CUevent)event));
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    cudaError_t e = rt_enter();
    return e ? e : rt_result(drv.cuEventSynchronize((CUevent)event));
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    cudaError_t e = rt_enter();
    return e ? e : rt_result(drv.cuEventDestroy((CUevent)event));
}

cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t end)
{
    cudaError_t e = rt_enter();
    if (!e && !ms)
        e = rt_fail(cudaErrorInvalidValue);
    return e ? e : rt_result(drv.cuEventElapsedTime(ms, (CUevent)start, (CUevent)end));
}
