// SPDX-License-Identifier: Apache-2.0
// Graphs while memory runs out: built, captured, copied, instantiated, changed and launched; and graphs, modules and tables whose
// bookkeeping is more than the library holds back.
#include "scarce.h"
#include "../driver/common.h"

#define M(call)   MAY(call, CUDA_SUCCESS, CUDA_ERROR_OUT_OF_MEMORY, result_name)
#define END(call) MUST(call, CUDA_SUCCESS, result_name)

static CUfunction put;
static CUdeviceptr words;
static CUevent event;

static void called(void *data)
{
    ++*(int *)data;
}

static CUDA_KERNEL_NODE_PARAMS kernel(void **args)
{
    return (CUDA_KERNEL_NODE_PARAMS){.func = put,
                                     .gridDimX = 1,
                                     .gridDimY = 1,
                                     .gridDimZ = 1,
                                     .blockDimX = 32,
                                     .blockDimY = 1,
                                     .blockDimZ = 1,
                                     .kernelParams = args};
}

// One node of every kind; false: there is no memory for one of them.
static bool nodes_add(CUgraph g, CUgraph child, CUgraphNode *k)
{
    static int calls;
    unsigned value = 1;
    void *args[] = {&words, &value};
    CUgraphNode n[8];
    CUDA_KERNEL_NODE_PARAMS p = kernel(args);
    CUDA_MEMSET_NODE_PARAMS fill = {.dst = words, .value = 2, .elementSize = 4, .width = 8, .height = 1};
    CUDA_MEMCPY3D copy = {.srcMemoryType = CU_MEMORYTYPE_DEVICE,
                          .srcDevice = words,
                          .dstMemoryType = CU_MEMORYTYPE_DEVICE,
                          .dstDevice = words + 128,
                          .WidthInBytes = 64,
                          .Height = 1,
                          .Depth = 1};
    CUDA_HOST_NODE_PARAMS host = {called, &calls};
    CUcontext c;
    OK(cuCtxGetCurrent(&c));
    return M(cuGraphAddKernelNode(k, g, NULL, 0, &p)) && M(cuGraphAddMemsetNode(&n[0], g, k, 1, &fill, c)) &&
           M(cuGraphAddMemcpyNode(&n[1], g, n, 1, &copy, c)) && M(cuGraphAddHostNode(&n[2], g, n, 2, &host)) &&
           M(cuGraphAddChildGraphNode(&n[3], g, n, 3, child)) && M(cuGraphAddEventRecordNode(&n[4], g, n, 4, event)) &&
           M(cuGraphAddEventWaitNode(&n[5], g, n, 5, event)) && M(cuGraphAddEmptyNode(&n[6], g, n, 6));
}

static void runs(CUgraph g, CUgraph other, CUgraphNode k)
{
    CUgraphExec x;
    CUgraphExecUpdateResultInfo info;
    unsigned value = 2;
    void *args[] = {&words, &value};
    CUDA_KERNEL_NODE_PARAMS p = kernel(args);
    if (!M(cuGraphInstantiate(&x, g, 0)))
        return;
    M(cuGraphLaunch(x, NULL));
    M(cuGraphExecKernelNodeSetParams(x, k, &p));
    M(cuGraphLaunch(x, NULL));
    M(cuGraphExecUpdate(x, other, &info));
    M(cuGraphLaunch(x, NULL));
    M(cuCtxSynchronize());
    END(cuGraphExecDestroy(x));
}

static void graphs(void)
{
    CUgraph g, child, copy;
    CUgraphNode k, e;
    if (!M(cuGraphCreate(&child, 0)))
        return;
    M(cuGraphAddEmptyNode(&e, child, NULL, 0));
    if (M(cuGraphCreate(&g, 0))) {
        if (nodes_add(g, child, &k) && M(cuGraphClone(&copy, g))) {
            runs(g, copy, k);
            END(cuGraphDestroy(copy));
        }
        END(cuGraphDestroy(g));
    }
    END(cuGraphDestroy(child));
}

static void captures(void)
{
    CUstream s = NULL, t = NULL;
    CUevent e = NULL;
    CUgraph g = NULL;
    CUgraphExec x;
    unsigned value = 3;
    void *args[] = {&words, &value};
    if (M(cuStreamCreate(&s, 0)) && M(cuStreamCreate(&t, 0)) && M(cuEventCreate(&e, 0)) &&
        M(cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_RELAXED))) {
        bool ok = M(cuLaunchKernel(put, 1, 1, 1, 32, 1, 1, 0, s, args, NULL)) && M(cuEventRecord(e, s)) &&
                  M(cuStreamWaitEvent(t, e, 0)) && M(cuMemsetD32Async(words, 1, 8, t)) && M(cuEventRecord(e, t)) &&
                  M(cuStreamWaitEvent(s, e, 0));
        CUresult r = cuStreamEndCapture(s, &g);
        CHECK(!ok || !r || (scarce_now() && r == CUDA_ERROR_OUT_OF_MEMORY)); // a call that failed may have spoilt it
        if (r)
            g = NULL;
    }
    if (g) {
        if (M(cuGraphInstantiate(&x, g, 0))) {
            M(cuGraphLaunch(x, s));
            M(cuStreamSynchronize(s));
            END(cuGraphExecDestroy(x));
        }
        END(cuGraphDestroy(g));
    }
    if (e)
        END(cuEventDestroy(e));
    if (t)
        END(cuStreamDestroy(t));
    if (s)
        END(cuStreamDestroy(s));
}

// A graph that is there before memory runs out, and whose copies and plans take some 20 MiB.
static CUgraph large;

static void large_graph(void)
{
    CUgraph copy;
    CUgraphExec x;
    if (M(cuGraphClone(&copy, large)))
        END(cuGraphDestroy(copy));
    if (M(cuGraphInstantiate(&x, large, 0))) {
        M(cuGraphLaunch(x, NULL));
        M(cuCtxSynchronize());
        END(cuGraphExecDestroy(x));
    }
}

static void large_make(void)
{
    enum { NODES = 20000 };
    CUgraphNode before, n;
    OK(cuGraphCreate(&large, 0));
    OK(cuGraphAddEmptyNode(&before, large, NULL, 0));
    for (int i = 0; i < NODES; i++, before = n)
        OK(cuGraphAddEmptyNode(&n, large, &before, 1));
}

// A text whose module takes more than the library holds back.
static char *text;

static void large_make_text(void)
{
    enum { KERNELS = 5000 };
    size_t n = sizeof PTX_HEAD;
    text = malloc(n + KERNELS * 64);
    char *p = text + sprintf(text, PTX_HEAD);
    for (int i = 0; i < KERNELS; i++)
        p += sprintf(p, ".visible .entry kernel%d() { ret; }\n", i);
}

static void large_module(void)
{
    CUmodule m;
    CUlibrary l;
    if (M(cuModuleLoadData(&m, text)))
        END(cuModuleUnload(m));
    if (M(cuLibraryLoadData(&l, text, NULL, NULL, 0, NULL, NULL, 0)))
        END(cuLibraryUnload(l));
}

// So many ranges of memory that a table of them is larger than what is held back at first.
static void large_table(void)
{
    enum { RANGES = 60000 };
    static CUdeviceptr p[RANGES];
    int n = 0;
    CUcontext c;
    if (!M(cuInit(0)) || !M(cuCtxCreate(&c, NULL, 0, 0)))
        return;
    while (n < RANGES && M(cuMemAlloc(&p[n], 256)))
        n++;
    while (n)
        END(cuMemFree(p[--n]));
    END(cuCtxDestroy(c));
}

static int failed(void)
{
    return test_failed;
}

int main(void)
{
    static const struct scarce_scenario all[] = {
        {"graphs", graphs, 0},
        {"captures", captures, 0},
        {"a large graph", large_graph, 40},
        {"a large module", large_module, 40},
    };
    static const struct scarce_scenario table = {"a large table", large_table, 0};
    CHECK(scarce_try_first(&table, failed));
    CUcontext c = start();
    CUmodule m;
    OK(cuModuleLoadData(&m, PTX_HEAD PTX_PUT));
    OK(cuModuleGetFunction(&put, m, "put"));
    OK(cuMemAlloc(&words, 256));
    OK(cuEventCreate(&event, 0));
    large_make();
    large_make_text();
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        CHECK(scarce_try(&all[i]));
    OK(cuGraphDestroy(large));
    free(text);
    OK(cuCtxDestroy(c));
    return test_summary();
}
