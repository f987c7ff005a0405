// SPDX-License-Identifier: Apache-2.0
// Functions without a suffix whose parameters were others in earlier versions: graphs, captures, batches; and which form
// cuGetProcAddress gives for which version.
#define __CUDA_API_VERSION_INTERNAL
#include "common.h"

static const char text[] = PTX_HEAD PTX_PUT;

static void versions(void)
{
    static const struct {
        const char *name;
        int version;
        cuuint64_t flags;
        void *wanted;
    } cases[] = {
        {"cuMemAlloc", 2000, 0, (void *)cuMemAlloc},
        {"cuMemAlloc", 3010, 0, (void *)cuMemAlloc},
        {"cuMemAlloc", 3020, 0, (void *)cuMemAlloc_v2},
        {"cuMemAlloc", 13000, 0, (void *)cuMemAlloc_v2},
        {"cuMemAlloc", 1010, 0, NULL},
        {"cuCtxCreate", 2000, 0, (void *)cuCtxCreate},
        {"cuMemcpyHtoD", 3000, 0, (void *)cuMemcpyHtoD},
        {"cuMemcpyHtoD", 3000, CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM, (void *)cuMemcpyHtoD},
        {"cuMemcpyHtoD", 12000, CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM, (void *)cuMemcpyHtoD_v2_ptds},
        {"cuTexRefSetAddress2D", 3020, 0, (void *)cuTexRefSetAddress2D_v2},
        {"cuStreamBeginCapture", 10000, 0, (void *)cuStreamBeginCapture},
        {"cuStreamBeginCapture", 10000, CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM,
         (void *)cuStreamBeginCapture_ptsz},
        {"cuStreamBeginCapture", 10010, 0, (void *)cuStreamBeginCapture_v2},
        {"cuGraphInstantiate", 10000, 0, (void *)cuGraphInstantiate},
        {"cuGraphInstantiate", 11000, 0, (void *)cuGraphInstantiate_v2},
        {"cuGraphInstantiate", 11040, 0, (void *)cuGraphInstantiateWithFlags},
        {"cuGraphInstantiate", 13000, 0, (void *)cuGraphInstantiateWithFlags},
        {"cuGraphInstantiateWithFlags", 11040, 0, (void *)cuGraphInstantiateWithFlags},
        {"cuMemcpyBatchAsync", 12080, 0, (void *)cuMemcpyBatchAsync},
        {"cuMemcpyBatchAsync", 13000, 0, (void *)cuMemcpyBatchAsync_v2},
        {"cuImportExternalMemory", 10000, 0, (void *)cuImportExternalMemory},
        {"cuWaitExternalSemaphoresAsync", 13000, 2, (void *)cuWaitExternalSemaphoresAsync_ptsz},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        void *got = (void *)1;
        CUdriverProcAddressQueryResult status;
        OK(cuGetProcAddress_v2(cases[i].name, &got, cases[i].version, cases[i].flags, &status));
        CHECK(got == cases[i].wanted);
        CHECK(status == (got ? CU_GET_PROC_ADDRESS_SUCCESS : CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT));
    }
}

static void captures(CUstream s, CUdeviceptr p)
{
    CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_ACTIVE;
    cuuint64_t id = 0;
    CUgraph g;
    CUgraphExec x;
    CUgraphNode bad = BAD(CUgraphNode);
    char log[32] = "?";
    unsigned got = 0;
    OK(cuStreamGetCaptureInfo(s, &status, &id));
    CHECK(status == CU_STREAM_CAPTURE_STATUS_NONE);
    OK(cuStreamBeginCapture(s));
    OK(cuStreamGetCaptureInfo(s, &status, &id));
    CHECK(status == CU_STREAM_CAPTURE_STATUS_ACTIVE && id);
    OK(cuMemsetD32Async(p, 5, 1, s));
    OK(cuStreamEndCapture(s, &g));
    OK(cuGraphInstantiate(&x, g, &bad, log, sizeof log));
    CHECK(!bad && !*log);
    OK(cuGraphLaunch(x, s));
    OK(cuStreamSynchronize(s));
    OK(cuMemcpyDtoH_v2(&got, p, 4));
    CHECK(got == 5);
    OK(cuGraphExecDestroy(x));
    OK(cuGraphInstantiate_v2(&x, g, NULL, NULL, 0));
    OK(cuGraphExecDestroy(x));
    EXPECT(cuGraphInstantiate(&x, NULL, &bad, log, sizeof log), CUDA_ERROR_INVALID_VALUE);
    CHECK(!strcmp(log, "CUDA_ERROR_INVALID_VALUE"));
    EXPECT(cuGraphInstantiate(&x, NULL, &bad, log, 5), CUDA_ERROR_INVALID_VALUE);
    CHECK(!strcmp(log, "CUDA"));
    OK(cuGraphDestroy(g));
}

static unsigned run(CUgraphExec x, CUstream s, CUdeviceptr p)
{
    unsigned got = 0;
    OK(cuGraphLaunch(x, s));
    OK(cuStreamSynchronize(s));
    OK(cuMemcpyDtoH_v2(&got, p, 4));
    return got;
}

static void graphs(CUstream s, CUdeviceptr p)
{
    CUmodule m;
    CUfunction f;
    CUgraph g, other;
    CUgraphExec x;
    CUgraphNode n, extra, bad;
    CUgraphExecUpdateResult result;
    unsigned value = 1;
    CUDA_KERNEL_NODE_PARAMS_v1 k = {NULL, 1, 1, 1, 1, 1, 1, 0, (void *[]){&p, &value}, NULL}, got;
    OK(cuModuleLoadData(&m, text));
    OK(cuModuleGetFunction(&k.func, m, "put"));
    f = k.func;
    OK(cuGraphCreate(&g, 0));
    OK(cuGraphAddKernelNode(&n, g, NULL, 0, &k));
    EXPECT(cuGraphAddKernelNode(&n, g, NULL, 0, NULL), CUDA_ERROR_INVALID_VALUE);
    OK(cuGraphKernelNodeGetParams(n, &got));
    CHECK(got.func == f && got.gridDimX == 1 && *(unsigned *)got.kernelParams[1] == 1);
    EXPECT(cuGraphKernelNodeGetParams(n, NULL), CUDA_ERROR_INVALID_VALUE);
    OK(cuGraphInstantiate(&x, g, NULL, NULL, 0));
    CHECK(run(x, s, p) == 1);
    value = 2;
    OK(cuGraphExecKernelNodeSetParams(x, n, &k));
    CHECK(run(x, s, p) == 2);
    value = 3;
    OK(cuGraphKernelNodeSetParams(n, &k));
    CHECK(run(x, s, p) == 2);
    bad = BAD(CUgraphNode);
    result = CU_GRAPH_EXEC_UPDATE_ERROR;
    OK(cuGraphExecUpdate(x, g, &bad, &result));
    CHECK(!bad && result == CU_GRAPH_EXEC_UPDATE_SUCCESS && run(x, s, p) == 3);
    OK(cuGraphClone(&other, g));
    OK(cuGraphAddEmptyNode(&extra, other, NULL, 0));
    EXPECT(cuGraphExecUpdate(x, other, &bad, &result), CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE);
    CHECK(result == CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED);
    EXPECT(cuGraphExecUpdate(x, g, NULL, &result), CUDA_ERROR_INVALID_VALUE);
    OK(cuGraphExecDestroy(x));
    OK(cuGraphDestroy(g));
    OK(cuGraphDestroy(other));
    OK(cuModuleUnload(m));
}

static void batches(CUstream s, CUdeviceptr p)
{
    unsigned in[3] = {1, 2, 3}, out[3] = {0};
    CUdeviceptr dsts[3] = {p, p + 4, p + 8}, srcs[3];
    size_t sizes[3] = {4, 4, 4}, start[1] = {0}, failed = 9;
    CUmemcpyAttributes attribute = {.srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM};
    for (int i = 0; i < 3; i++)
        srcs[i] = (CUdeviceptr)(uintptr_t)&in[i];
    OK(cuMemcpyBatchAsync(dsts, srcs, sizes, 3, &attribute, start, 1, &failed, s));
    OK(cuStreamSynchronize(s));
    OK(cuMemcpyDtoH_v2(out, p, sizeof out));
    CHECK(out[0] == 1 && out[2] == 3);
    sizes[1] = 0;
    EXPECT(cuMemcpyBatchAsync(dsts, srcs, sizes, 3, &attribute, start, 1, &failed, s), CUDA_ERROR_INVALID_VALUE);
    CHECK(failed == 1);
    EXPECT(cuMemcpyBatchAsync(dsts, srcs, NULL, 3, &attribute, start, 1, &failed, s), CUDA_ERROR_INVALID_VALUE);
    CHECK(failed == SIZE_MAX);
    CUDA_MEMCPY3D_BATCH_OP boxes[2] = {{.srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM}};
    EXPECT(cuMemcpy3DBatchAsync(2, boxes, &failed, 0, s), CUDA_ERROR_INVALID_VALUE);
    CHECK(failed == 0);
    EXPECT(cuMemcpy3DBatchAsync(0, boxes, &failed, 0, s), CUDA_ERROR_INVALID_VALUE);
    CHECK(failed == SIZE_MAX);
}

static void same_parameters(CUstream s, CUdeviceptr p)
{
    static uint64_t page[1024] __attribute__((aligned(4096)));
    CUlinkState link;
    CUstreamBatchMemOpParams op = {0};
    unsigned got = 0;
    OK(cuStreamWriteValue32(s, p, 11, 0));
    OK(cuStreamWaitValue32(s, p, 11, CU_STREAM_WAIT_VALUE_EQ));
    OK(cuStreamWriteValue64(s, p + 8, 12, 0));
    OK(cuStreamWaitValue64(s, p + 8, 12, CU_STREAM_WAIT_VALUE_EQ));
    op.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32;
    op.writeValue.address = p;
    op.writeValue.value = 13;
    OK(cuStreamBatchMemOp(s, 1, &op, 0));
    OK(cuStreamSynchronize(s));
    OK(cuMemcpyDtoH_v2(&got, p, 4));
    CHECK(got == 13);
    OK(cuLinkCreate(0, NULL, NULL, &link));
    OK(cuLinkAddData(link, CU_JIT_INPUT_PTX, (void *)text, sizeof text, "text", 0, NULL, NULL));
    EXPECT(cuLinkAddFile(link, CU_JIT_INPUT_PTX, "/nowhere/at/all", 0, NULL, NULL), CUDA_ERROR_FILE_NOT_FOUND);
    OK(cuLinkDestroy(link));
    OK(cuMemHostRegister(page, sizeof page, 0));
    OK(cuMemHostUnregister(page));
    EXPECT(cuIpcOpenMemHandle(NULL, (CUipcMemHandle){{0}}, 0), CUDA_ERROR_INVALID_VALUE);
}

int main(void)
{
    CUcontext c = start();
    CUstream s;
    CUdeviceptr p;
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    OK(cuMemAlloc_v2(&p, 4096));
    versions();
    captures(s, p);
    graphs(s, p);
    batches(s, p);
    same_parameters(s, p);
    OK(cuCtxDestroy_v2(c));
    return test_summary();
}
