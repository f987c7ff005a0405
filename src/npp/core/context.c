// SPDX-License-Identifier: Apache-2.0
// libnppc: the version, and what CUDA 12 has of the device and of the stream of calls without a context.
#include "library/stub.h"
#include <nppdefs.h>
#include <stdatomic.h>
#include <stdbool.h>

const struct library library_self = {"NPP", "libnppc.so.13", NULL, NULL};

const NppLibraryVersion *nppGetLibVersion(void);
int nppGetGpuNumSMs(void);
int nppGetMaxThreadsPerBlock(void);
int nppGetMaxThreadsPerSM(void);
int nppGetGpuDeviceProperties(int *per_processor, int *per_block, int *processors);
const char *nppGetGpuName(void);
cudaStream_t nppGetStream(void);
NppStatus nppGetStreamContext(NppStreamContext *context);
unsigned nppGetStreamNumSMs(void);
unsigned nppGetStreamMaxThreadsPerSM(void);
NppStatus nppSetStream(cudaStream_t stream);

#define EXPORT(result, name, params)                                                                                   \
    LIBRARY_EXPORT result name params;                                                                                 \
    LIBRARY_ALIAS(result, name, params)

static const NppLibraryVersion version = {13, 0, 1};
EXPORT(const NppLibraryVersion *, nppGetLibVersion, (void))
const NppLibraryVersion *nppGetLibVersion(void)
{
    return &version;
}

static _Atomic(cudaStream_t) current;
EXPORT(NppStatus, nppSetStream, (cudaStream_t stream))
NppStatus nppSetStream(cudaStream_t stream)
{
    atomic_store(&current, stream);
    return NPP_NO_ERROR;
}
EXPORT(cudaStream_t, nppGetStream, (void))
cudaStream_t nppGetStream(void)
{
    return atomic_load(&current);
}

static int attribute(enum cudaDeviceAttr a)
{
    int device = 0, value = 0;
    return cudaGetDevice(&device) || cudaDeviceGetAttribute(&value, a, device) ? 0 : value;
}
EXPORT(int, nppGetGpuNumSMs, (void))
int nppGetGpuNumSMs(void)
{
    return attribute(cudaDevAttrMultiProcessorCount);
}
EXPORT(int, nppGetMaxThreadsPerBlock, (void))
int nppGetMaxThreadsPerBlock(void)
{
    return attribute(cudaDevAttrMaxThreadsPerBlock);
}
EXPORT(int, nppGetMaxThreadsPerSM, (void))
int nppGetMaxThreadsPerSM(void)
{
    return attribute(cudaDevAttrMaxThreadsPerMultiProcessor);
}
EXPORT(unsigned, nppGetStreamNumSMs, (void))
unsigned nppGetStreamNumSMs(void)
{
    return (unsigned)nppGetGpuNumSMs();
}
EXPORT(unsigned, nppGetStreamMaxThreadsPerSM, (void))
unsigned nppGetStreamMaxThreadsPerSM(void)
{
    return (unsigned)nppGetMaxThreadsPerSM();
}
EXPORT(int, nppGetGpuDeviceProperties, (int *per_processor, int *per_block, int *processors))
int nppGetGpuDeviceProperties(int *per_processor, int *per_block, int *processors)
{
    int device = 0;
    *per_processor = nppGetMaxThreadsPerSM();
    *per_block = nppGetMaxThreadsPerBlock();
    *processors = nppGetGpuNumSMs();
    return cudaGetDevice(&device) ? -1 : device;
}
EXPORT(const char *, nppGetGpuName, (void))
const char *nppGetGpuName(void)
{
    static struct cudaDeviceProp properties; // the same text whoever writes it
    int device = 0;
    return cudaGetDevice(&device) || cudaGetDeviceProperties(&properties, device) ? "" : properties.name;
}

EXPORT(NppStatus, nppGetStreamContext, (NppStreamContext * context))
NppStatus nppGetStreamContext(NppStreamContext *context)
{
    int device = 0;
    unsigned flags = 0;
    if (!context)
        return NPP_NULL_POINTER_ERROR;
    *context = (NppStreamContext){.hStream = nppGetStream()};
    if (cudaGetDevice(&device) || (context->hStream && cudaStreamGetFlags(context->hStream, &flags)))
        return NPP_ERROR;
    context->nCudaDeviceId = device;
    context->nMultiProcessorCount = nppGetGpuNumSMs();
    context->nMaxThreadsPerMultiProcessor = nppGetMaxThreadsPerSM();
    context->nMaxThreadsPerBlock = nppGetMaxThreadsPerBlock();
    context->nSharedMemPerBlock = (size_t)attribute(cudaDevAttrMaxSharedMemoryPerBlock);
    context->nCudaDevAttrComputeCapabilityMajor = attribute(cudaDevAttrComputeCapabilityMajor);
    context->nCudaDevAttrComputeCapabilityMinor = attribute(cudaDevAttrComputeCapabilityMinor);
    context->nStreamFlags = flags;
    return NPP_NO_ERROR;
}
