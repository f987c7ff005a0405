// SPDX-License-Identifier: Apache-2.0
// Streams, host functions in them, and capture.
#include "runtime/runtime.h"
#include <stdlib.h>

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *pStream, unsigned int flags)
{
    cudaError_t e = rt_enter();
    if (!e && (!pStream || flags & ~(unsigned)cudaStreamNonBlocking))
        e = rt_fail(cudaErrorInvalidValue);
    return e ? e : rt_result(drv.cuStreamCreate((CUstream *)pStream, flags));
}

cudaError_t cudaStreamCreate(cudaStream_t *pStream)
{
    return cudaStreamCreateWithFlags(pStream, cudaStreamDefault);
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *pStream, unsigned int flags, int priority)
{
    cudaError_t e = rt_enter();
    if (!e && (!pStream || flags & ~(unsigned)cudaStreamNonBlocking))
        e = rt_fail(cudaErrorInvalidValue);
    return e ? e : rt_result(drv.cuStreamCreateWithPriority((CUstream *)pStream, flags, priority));
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    cudaError_t e = rt_enter();
    // The streams that always exist cannot be destroyed.
    if (!e && (!stream || stream == cudaStreamLegacy || stream == cudaStreamPerThread))
        e = rt_fail(cudaErrorInvalidResourceHandle);
    return e ? e : rt_result(drv.cuStreamDestroy((CUstream)stream));
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    cudaError_t e = rt_enter();
    return e ? e : rt_result(drv.cuStreamSynchronize((CUstream)stream));
}

cudaError_t cudaStreamQuery(cudaStream_t stream)
{
    cudaError_t e = rt_enter();
    return e ? e : rt_result(drv.cuStreamQuery((CUstream)stream));
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags)
{
    cudaError_t e = rt_enter();
    return e ? e : rt_result(drv.cuStreamWaitEvent((CUstream)stream, (CUevent)event, flags));
}

cudaError_t cudaStreamGetPriority(cudaStream_t hStream, int *priority)
{
    cudaError_t e = rt_enter();
    return e ? e : rt_result(drv.cuStreamGetPriority((CUstream)hStream, priority));
}

cudaError_t cudaStreamGetFlags(cudaStream_t hStream, unsigned int *flags)
{
    cudaError_t e = rt_enter();
    return e ? e : rt_result(drv.cuStreamGetFlags((CUstream)hStream, flags));
}

cudaError_t cudaStreamGetId(cudaStream_t hStream, unsigned long long *streamId)
{
    cudaError_t e = rt_enter();
    return e ? e : rt_result(drv.cuStreamGetId((CUstream)hStream, streamId));
}

cudaError_t cudaStreamGetDevice(cudaStream_t hStream, int *device)
{
    cudaError_t e = rt_enter();
    return e ? e : rt_result(drv.cuStreamGetDevice((CUstream)hStream, device));
}

cudaError_t cudaStreamCopyAttributes(cudaStream_t dst, cudaStream_t src)
{
    cudaError_t e = rt_enter();
    return e ? e : rt_result(drv.cuStreamCopyAttributes((CUstream)dst, (CUstream)src));
}

_Static_assert(sizeof(cudaLaunchAttributeValue) == sizeof(CUstreamAttrValue), "values of attributes");

cudaError_t cudaStreamGetAttribute(cudaStream_t hStream, cudaLaunchAttributeID attr,
                                   cudaLaunchAttributeValue *value_out)
{
    cudaError_t e = rt_enter();
    return e ? e
             : rt_result(
                   drv.cuStreamGetAttribute((CUstream)hStream, (CUstreamAttrID)attr, (CUstreamAttrValue *)value_out));
}

cudaError_t cudaStreamSetAttribute(cudaStream_t hStream, cudaLaunchAttributeID attr,
                                   const cudaLaunchAttributeValue *value)
{
    cudaError_t e = rt_enter();
    return e ? e
             : rt_result(
                   drv.cuStreamSetAttribute((CUstream)hStream, (CUstreamAttrID)attr, (const CUstreamAttrValue *)value));
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *devPtr, size_t length, unsigned int flags)
{
    cudaError_t e = rt_enter();
    return e ? e
             : rt_result(drv.cuStreamAttachMemAsync((CUstream)stream, (CUdeviceptr)(uintptr_t)devPtr, length, flags));
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t fn, void *userData)
{
    cudaError_t e = rt_enter();
    if (!e && !fn)
        e = rt_fail(cudaErrorInvalidValue);
    return e ? e : rt_result(drv.cuLaunchHostFunc((CUstream)stream, fn, userData));
}

struct callback {
    cudaStreamCallback_t call;
    void *data;
};

static void callback_run(CUstream stream, CUresult status, void *data)
{
    struct callback c = *(struct callback *)data;
    free(data);
    c.call((cudaStream_t)stream, (cudaError_t)status, c.data);
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *userData,
                                  unsigned int flags)
{
    cudaError_t e = rt_enter();
    if (!e && (!callback || flags))
        e = rt_fail(cudaErrorInvalidValue);
    if (e)
        return e;
    struct callback *c = malloc(sizeof *c);
    if (!c)
        return rt_fail(cudaErrorMemoryAllocation);
    *c = (struct callback){callback, userData};
    e = rt_result(drv.cuStreamAddCallback((CUstream)stream, callback_run, c, 0));
    if (e)
        free(c);
    return e;
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode)
{
    cudaError_t e = rt_enter();
    return e ? e : rt_result(drv.cuStreamBeginCapture((CUstream)stream, (CUstreamCaptureMode)mode));
}

cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
                                          const cudaGraphEdgeData *dependencyData, size_t numDependencies,
                                          enum cudaStreamCaptureMode mode)
{
    cudaError_t e = rt_enter();
    return e ? e
             : rt_result(drv.cuStreamBeginCaptureToGraph(
                   (CUstream)stream, (CUgraph)graph, (const CUgraphNode *)dependencies,
                   (const CUgraphEdgeData *)dependencyData, numDependencies, (CUstreamCaptureMode)mode));
}

cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t *dependencies,
                                                const cudaGraphEdgeData *dependencyData, size_t numDependencies,
                                                unsigned int flags)
{
    cudaError_t e = rt_enter();
    return e ? e
             : rt_result(drv.cuStreamUpdateCaptureDependencies((CUstream)stream, (CUgraphNode *)dependencies,
                                                               (const CUgraphEdgeData *)dependencyData, numDependencies,
                                                               flags));
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *pGraph)
{
    cudaError_t e = rt_enter();
    return e ? e : rt_result(drv.cuStreamEndCapture((CUstream)stream, (CUgraph *)pGraph));
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *pCaptureStatus)
{
    CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
    if (!pCaptureStatus)
        return rt_fail(cudaErrorInvalidValue);
    cudaError_t e = rt_enter();
    if (e)
        return e;
    CUresult r = drv.cuStreamIsCapturing((CUstream)stream, &status);
    // A driver without capture captures nothing.
    *pCaptureStatus = (enum cudaStreamCaptureStatus)status;
    return r == CUDA_ERROR_NOT_SUPPORTED ? cudaSuccess : rt_result(r);
}

_Static_assert(sizeof(cudaGraphEdgeData) == sizeof(CUgraphEdgeData), "edges of graphs");

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, enum cudaStreamCaptureStatus *captureStatus_out,
                                     unsigned long long *id_out, cudaGraph_t *graph_out,
                                     const cudaGraphNode_t **dependencies_out, const cudaGraphEdgeData **edgeData_out,
                                     size_t *numDependencies_out)
{
    CUstreamCaptureStatus status;
    cuuint64_t id = 0;
    if (!captureStatus_out)
        return rt_fail(cudaErrorInvalidValue);
    cudaError_t e = rt_enter();
    if (!e)
        e = rt_result(drv.cuStreamGetCaptureInfo((CUstream)stream, &status, &id, (CUgraph *)graph_out,
                                                 (const CUgraphNode **)dependencies_out,
                                                 (const CUgraphEdgeData **)edgeData_out, numDependencies_out));
    if (e)
        return e;
    *captureStatus_out = (enum cudaStreamCaptureStatus)status;
    if (id_out)
        *id_out = id;
    return cudaSuccess;
}

cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode)
{
    if (!mode)
        return rt_fail(cudaErrorInvalidValue);
    CUstreamCaptureMode m = (CUstreamCaptureMode)*mode;
    cudaError_t e = rt_init();
    if (!e)
        e = rt_result(drv.cuThreadExchangeStreamCaptureMode(&m));
    *mode = (enum cudaStreamCaptureMode)m;
    return e;
}
