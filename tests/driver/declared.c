// SPDX-License-Identifier: Apache-2.0
// What CUDA declares and Heddle refuses: a program that uses it compiles as C and as C++, links, and gets CUDA_ERROR_NOT_SUPPORTED.
// declared.sh compiles this file with other compilers and languages.
#include <cuda.h>
#include <cudaTypedefs.h>
#include <stdio.h>
#include <string.h>

static int passed, failed;
static void check(CUresult result, const char *call)
{
    if (result == CUDA_ERROR_NOT_SUPPORTED) {
        passed++;
    } else {
        failed++;
        printf("%s gave %d\n", call, (int)result);
    }
}
#define REFUSED(call) check(call, #call)

static void external(void)
{
    CUexternalMemory memory = 0;
    CUexternalSemaphore semaphore = 0;
    CUDA_EXTERNAL_MEMORY_HANDLE_DESC handle;
    CUDA_EXTERNAL_MEMORY_BUFFER_DESC buffer;
    CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC levels;
    CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC imported;
    CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS signal;
    CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS wait;
    CUdeviceptr address = 0;
    CUmipmappedArray array = 0;
    memset(&handle, 0, sizeof handle);
    memset(&buffer, 0, sizeof buffer);
    memset(&levels, 0, sizeof levels);
    memset(&imported, 0, sizeof imported);
    memset(&signal, 0, sizeof signal);
    memset(&wait, 0, sizeof wait);
    handle.type = CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD;
    handle.handle.fd = 0;
    handle.flags = CUDA_EXTERNAL_MEMORY_DEDICATED;
    levels.arrayDesc.Format = CU_AD_FORMAT_P010;
    imported.type = CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_FD;
    signal.params.fence.value = 1;
    wait.params.keyedMutex.timeoutMs = 1;
    REFUSED(cuImportExternalMemory(&memory, &handle));
    REFUSED(cuExternalMemoryGetMappedBuffer(&address, memory, &buffer));
    REFUSED(cuExternalMemoryGetMappedMipmappedArray(&array, memory, &levels));
    REFUSED(cuDestroyExternalMemory(memory));
    REFUSED(cuImportExternalSemaphore(&semaphore, &imported));
    REFUSED(cuSignalExternalSemaphoresAsync(&semaphore, &signal, 1, 0));
    REFUSED(cuWaitExternalSemaphoresAsync(&semaphore, &wait, 1, 0));
    REFUSED(cuDestroyExternalSemaphore(semaphore));
    REFUSED(cuDeviceGetNvSciSyncAttributes(0, 0, CUDA_NVSCISYNC_ATTR_SIGNAL));
    CUDA_EXT_SEM_SIGNAL_NODE_PARAMS node = {&semaphore, &signal, 1};
    CUgraphNodeParams params;
    CUgraphNode made = 0;
    memset(&params, 0, sizeof params);
    params.type = CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT;
    params.extSemWait.numExtSems = 1;
    REFUSED(cuGraphAddExternalSemaphoresSignalNode(&made, 0, 0, 0, &node));
}

static void memory(void)
{
    CUmemGenericAllocationHandle handle = 0;
    CUmulticastObjectProp properties = {2, 1 << 21, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0};
    CUmemDecompressParams packed;
    CUarrayMapInfo part;
    CUtensorMap map;
    CUmemAllocationProp allocation;
    size_t granularity = 0;
    memset(&packed, 0, sizeof packed);
    memset(&part, 0, sizeof part);
    memset(&allocation, 0, sizeof allocation);
    packed.algo = CU_MEM_DECOMPRESS_ALGORITHM_LZ4;
    part.subresourceType = CU_ARRAY_SPARSE_SUBRESOURCE_TYPE_MIPTAIL;
    part.subresource.miptail.offset = 0;
    allocation.allocFlags.compressionType = CU_MEM_ALLOCATION_COMP_GENERIC;
    REFUSED(cuMulticastGetGranularity(&granularity, &properties, CU_MULTICAST_GRANULARITY_RECOMMENDED));
    REFUSED(cuMulticastCreate(&handle, &properties));
    REFUSED(cuMulticastAddDevice(handle, 0));
    REFUSED(cuMulticastBindMem(handle, 0, handle, 0, 1 << 21, 0));
    REFUSED(cuMulticastBindAddr(handle, 0, 0, 1 << 21, 0));
    REFUSED(cuMulticastUnbind(handle, 0, 0, 1 << 21));
    REFUSED(cuMemBatchDecompressAsync(&packed, 1, 0, 0, 0));
    REFUSED(cuMemMapArrayAsync(&part, 1, 0));
    REFUSED(cuTensorMapEncodeIm2col(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 4, 0, 0, 0, 0, 0, 1, 1, 0,
                                    CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
                                    CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE));
    REFUSED(cuTensorMapEncodeIm2colWide(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 4, 0, 0, 0, 0, 0, 1, 1, 0,
                                        CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_IM2COL_WIDE_MODE_W128,
                                        CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                                        CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE));
}

static void CUDA_CB logged(void *data, CUlogLevel level, char *message, size_t length)
{
    (void)data, (void)level, (void)message, (void)length;
}

static void notified(CUasyncNotificationInfo *info, void *data, CUasyncCallbackHandle handle)
{
    (void)info->info.overBudget.bytesOverBudget, (void)data, (void)handle;
}

static void service(void)
{
    int on = 1, thread = 0;
    size_t size = sizeof on;
    CUprocessState state = CU_PROCESS_STATE_RUNNING;
    CUcheckpointLockArgs lock;
    CUlogsCallbackHandle log = 0;
    CUasyncCallbackHandle async = 0;
    CUlogIterator iterator = 0;
    char text[8];
    memset(&lock, 0, sizeof lock);
    REFUSED(cuCoredumpSetAttributeGlobal(CU_COREDUMP_ENABLE_ON_EXCEPTION, &on, &size));
    REFUSED(cuCoredumpGetAttribute(CU_COREDUMP_GENERATION_FLAGS, &on, &size));
    REFUSED(cuCheckpointProcessGetState(1, &state));
    REFUSED(cuCheckpointProcessLock(1, &lock));
    REFUSED(cuCheckpointProcessGetRestoreThreadId(1, &thread));
    REFUSED(cuLogsRegisterCallback(logged, 0, &log));
    REFUSED(cuLogsUnregisterCallback(log));
    REFUSED(cuLogsCurrent(&iterator, 0));
    REFUSED(cuLogsDumpToMemory(&iterator, text, &size, 0));
    REFUSED(cuDeviceRegisterAsyncNotification(0, notified, 0, &async));
    REFUSED(cuDeviceUnregisterAsyncNotification(0, async));
}

// By the types of cudaTypedefs.h; none of them asks for cuInit.
static void pointers(void)
{
    void *found = 0;
    CUdriverProcAddressQueryResult status;
    CUexternalMemory memory = 0;
    PFN_cuDestroyExternalMemory_v10000 destroy;
    PFN_cuWaitExternalSemaphoresAsync_v10000_ptsz wait = 0;
    PFN_cuGraphAddKernelNode_v10000 add = 0;
    PFN_cuCheckpointProcessLock_v12080 lock = 0;
    PFN_cuMemcpyBatchAsync_v12080 batch = 0;
    (void)wait, (void)add, (void)lock, (void)batch;
    if (!cuGetProcAddress("cuDestroyExternalMemory", &found, 10000, CU_GET_PROC_ADDRESS_DEFAULT, &status) && found) {
        memcpy(&destroy, &found, sizeof destroy);
        REFUSED(destroy(memory));
    } else {
        failed++;
    }
#ifndef __CUDACC__ // what nvcc links for -lcuda is a step on the way to these
    // The form of the default stream that this was compiled for.
    if (!cuGetProcAddress("cuStreamSynchronize", &found, 13000, CU_GET_PROC_ADDRESS_DEFAULT, &status) &&
        found == (void *)cuStreamSynchronize)
        passed++;
    else
        failed++;
#endif
    if (!cuGetProcAddress("cuCheckpointProcessLock", &found, 12070, CU_GET_PROC_ADDRESS_DEFAULT, &status) &&
        status == CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT)
        passed++;
    else
        failed++;
}

int main(void)
{
    external();
    memory();
    service();
    pointers();
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0 || passed < 30;
}
