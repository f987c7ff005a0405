// SPDX-License-Identifier: Apache-2.0
// Graphs through the driver interface: building, asking, copying, running, changing.
#include "common.h"
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static CUcontext context;
static CUstream stream;
static CUfunction add_fn, put_fn, count_fn;
static CUdeviceptr buffer;

static CUDA_KERNEL_NODE_PARAMS params_of(CUfunction f, unsigned blocks, unsigned threads, void **args)
{
    return (CUDA_KERNEL_NODE_PARAMS){.func = f,
                                     .gridDimX = blocks,
                                     .gridDimY = 1,
                                     .gridDimZ = 1,
                                     .blockDimX = threads,
                                     .blockDimY = 1,
                                     .blockDimZ = 1,
                                     .kernelParams = args};
}

static unsigned word(size_t i)
{
    unsigned v = 0;
    OK(cuStreamSynchronize(stream));
    OK(cuMemcpyDtoH(&v, buffer + i * 4, 4));
    return v;
}

static CUgraphNode put_node(CUgraph g, CUgraphNode *deps, size_t n, size_t at, unsigned value)
{
    CUgraphNode node = NULL;
    CUdeviceptr p = buffer + at * 4;
    void *args[] = {&p, &value};
    CUDA_KERNEL_NODE_PARAMS k = params_of(put_fn, 1, 1, args);
    OK(cuGraphAddKernelNode(&node, g, deps, n, &k));
    return node;
}

// A chain in which every node adds 1 to what the one before left: order is what makes the sum right.
static void test_chain(void)
{
    enum { N = 200 };
    CUgraph g;
    CUgraphExec x;
    CUgraphNode last = NULL;
    CUDA_MEMSET_NODE_PARAMS zero = {.dst = buffer, .elementSize = 4, .width = 1, .height = 1};
    OK(cuGraphCreate(&g, 0));
    OK(cuGraphAddMemsetNode(&last, g, NULL, 0, &zero, context));
    void *args[] = {&buffer};
    CUDA_KERNEL_NODE_PARAMS k = params_of(count_fn, 1, 1, args);
    for (int i = 0; i < N; i++) {
        CUgraphNode n;
        OK(cuGraphAddKernelNode(&n, g, &last, 1, &k));
        last = n;
    }
    OK(cuGraphInstantiate(&x, g, 0));
    for (int i = 0; i < 20; i++)
        OK(cuGraphLaunch(x, stream));
    OK(cuStreamSynchronize(stream));
    CHECK(word(0) == N);
    OK(cuGraphDestroy(g));
    OK(cuGraphLaunch(x, stream)); // what was made of the graph stays
    OK(cuGraphExecDestroy(x));    // and a launch under way outlives it
    OK(cuStreamSynchronize(stream));
    CHECK(word(0) == N);
}

static void test_queries(void)
{
    CUgraph g, clone;
    CUgraphNode a, b, c, found, list[8], to[8];
    CUgraphNodeType type;
    size_t n = 8;
    OK(cuGraphCreate(&g, 0));
    EXPECT(cuGraphCreate(&clone, 1), CUDA_ERROR_INVALID_VALUE);
    OK(cuGraphAddEmptyNode(&a, g, NULL, 0));
    b = put_node(g, &a, 1, 1, 5);
    OK(cuGraphAddEmptyNode(&c, g, NULL, 0));
    OK(cuGraphAddDependencies(g, &b, &c, NULL, 1));
    EXPECT(cuGraphAddDependencies(g, &b, &c, NULL, 1), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuGraphAddDependencies(g, &b, &b, NULL, 1), CUDA_ERROR_INVALID_VALUE);
    OK(cuGraphGetNodes(g, list, &n));
    CHECK(n == 3 && list[0] == a && list[1] == b && list[2] == c && !list[3]);
    n = 0;
    OK(cuGraphGetNodes(g, NULL, &n));
    CHECK(n == 3);
    n = 8;
    OK(cuGraphGetRootNodes(g, list, &n));
    CHECK(n == 1 && list[0] == a);
    n = 8;
    OK(cuGraphGetEdges(g, list, to, NULL, &n));
    CHECK(n == 2 && list[0] == a && to[0] == b && list[1] == b && to[1] == c);
    n = 8;
    OK(cuGraphNodeGetDependencies(c, list, NULL, &n));
    CHECK(n == 1 && list[0] == b);
    n = 8;
    OK(cuGraphNodeGetDependentNodes(a, list, NULL, &n));
    CHECK(n == 1 && list[0] == b);
    OK(cuGraphNodeGetType(b, &type));
    CHECK(type == CU_GRAPH_NODE_TYPE_KERNEL);
    OK(cuGraphClone(&clone, g));
    OK(cuGraphNodeFindInClone(&found, b, clone));
    CHECK(found != b);
    OK(cuGraphNodeGetType(found, &type));
    CHECK(type == CU_GRAPH_NODE_TYPE_KERNEL);
    EXPECT(cuGraphNodeFindInClone(&found, b, g), CUDA_ERROR_INVALID_VALUE);
    OK(cuGraphRemoveDependencies(g, &b, &c, NULL, 1));
    EXPECT(cuGraphRemoveDependencies(g, &b, &c, NULL, 1), CUDA_ERROR_INVALID_VALUE);
    OK(cuGraphDestroyNode(b));
    EXPECT(cuGraphNodeGetType(b, &type), CUDA_ERROR_INVALID_VALUE);
    n = 8;
    OK(cuGraphGetRootNodes(g, list, &n));
    CHECK(n == 2);
    n = 8;
    OK(cuGraphGetNodes(clone, list, &n));
    CHECK(n == 3);
    OK(cuGraphDestroy(g));
    OK(cuGraphDestroy(clone));
    EXPECT(cuGraphDestroy(clone), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuGraphDestroy(BAD(CUgraph)), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuGraphGetNodes(BAD(CUgraph), list, &n), CUDA_ERROR_INVALID_VALUE);
}

static void test_cycle(void)
{
    CUgraph g;
    CUgraphExec x;
    CUgraphNode a, b;
    CUDA_GRAPH_INSTANTIATE_PARAMS p = {0};
    OK(cuGraphCreate(&g, 0));
    OK(cuGraphAddEmptyNode(&a, g, NULL, 0));
    OK(cuGraphAddEmptyNode(&b, g, &a, 1));
    OK(cuGraphAddDependencies(g, &b, &a, NULL, 1));
    EXPECT(cuGraphInstantiateWithParams(&x, g, &p), CUDA_ERROR_INVALID_VALUE);
    CHECK(p.result_out == CUDA_GRAPH_INSTANTIATE_INVALID_STRUCTURE);
    CHECK(p.hErrNode_out == a || p.hErrNode_out == b);
    OK(cuGraphDestroy(g));
}

static void test_params(void)
{
    CUgraph g;
    CUgraphExec x;
    OK(cuGraphCreate(&g, 0));
    CUgraphNode n = put_node(g, NULL, 0, 2, 11);
    CUDA_KERNEL_NODE_PARAMS k, l;
    OK(cuGraphKernelNodeGetParams(n, &k));
    CHECK(k.func == put_fn && k.gridDimX == 1 && *(unsigned *)k.kernelParams[1] == 11);
    OK(cuGraphInstantiate(&x, g, 0));
    unsigned value = 12;
    CUdeviceptr at = buffer + 8;
    void *args[] = {&at, &value};
    l = params_of(put_fn, 1, 1, args);
    OK(cuGraphExecKernelNodeSetParams(x, n, &l));
    OK(cuGraphLaunch(x, stream));
    value = 13; // copied when it was set
    CHECK(word(2) == 12);
    OK(cuGraphKernelNodeSetParams(n, &l)); // does not reach x
    OK(cuGraphLaunch(x, stream));
    CHECK(word(2) == 12);
    l.blockDimX = 5000;
    EXPECT(cuGraphExecKernelNodeSetParams(x, n, &l), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuGraphExecKernelNodeSetParams(x, BAD(CUgraphNode), &k), CUDA_ERROR_INVALID_VALUE);
    unsigned on = 7;
    OK(cuGraphNodeGetEnabled(x, n, &on));
    CHECK(on == 1);
    OK(cuMemsetD32(buffer, 0, 8));
    OK(cuGraphNodeSetEnabled(x, n, 0));
    OK(cuGraphLaunch(x, stream));
    OK(cuStreamSynchronize(stream));
    CHECK(word(2) == 0);
    OK(cuGraphNodeSetEnabled(x, n, 1));
    OK(cuGraphLaunch(x, stream));
    OK(cuStreamSynchronize(stream));
    CHECK(word(2) == 12);
    OK(cuGraphExecDestroy(x));
    OK(cuGraphDestroy(g));
}

// Changes while launches are under way reach only later launches.
static void gate_wait(void *gate)
{
    while (!atomic_load((atomic_int *)gate))
        usleep(100);
}

static void test_changes_under_way(void)
{
    static atomic_int gate;
    CUgraph g;
    CUgraphExec x;
    CUgraphNode host, n;
    CUDA_HOST_NODE_PARAMS h = {gate_wait, &gate};
    atomic_store(&gate, 0);
    OK(cuMemsetD32(buffer, 0, 8));
    OK(cuGraphCreate(&g, 0));
    OK(cuGraphAddHostNode(&host, g, NULL, 0, &h));
    n = put_node(g, &host, 1, 0, 1);
    OK(cuGraphInstantiate(&x, g, 0));
    OK(cuGraphLaunch(x, stream));
    for (unsigned v = 1; v < 4; v++) {
        CUdeviceptr at = buffer + v * 4;
        unsigned value = v + 1;
        void *args[] = {&at, &value};
        CUDA_KERNEL_NODE_PARAMS k = params_of(put_fn, 1, 1, args);
        OK(cuGraphExecKernelNodeSetParams(x, n, &k));
        OK(cuGraphLaunch(x, stream));
    }
    EXPECT(cuStreamQuery(stream), CUDA_ERROR_NOT_READY);
    atomic_store(&gate, 1);
    OK(cuStreamSynchronize(stream));
    for (unsigned v = 0; v < 4; v++)
        CHECK(word(v) == v + 1);
    OK(cuGraphExecDestroy(x));
    OK(cuGraphDestroy(g));
}

static void test_update(void)
{
    CUgraph g, h;
    CUgraphExec x;
    CUgraphExecUpdateResultInfo info;
    CUgraphNode a, e;
    OK(cuGraphCreate(&g, 0));
    a = put_node(g, NULL, 0, 0, 1);
    put_node(g, &a, 1, 1, 2);
    OK(cuGraphInstantiate(&x, g, 0));
    OK(cuGraphCreate(&h, 0));
    a = put_node(h, NULL, 0, 2, 21);
    put_node(h, &a, 1, 3, 22);
    OK(cuMemsetD32(buffer, 0, 8));
    OK(cuGraphExecUpdate(x, h, &info));
    CHECK(info.result == CU_GRAPH_EXEC_UPDATE_SUCCESS);
    OK(cuGraphLaunch(x, stream));
    OK(cuStreamSynchronize(stream));
    CHECK(word(0) == 0 && word(2) == 21 && word(3) == 22);
    OK(cuGraphAddEmptyNode(&e, h, NULL, 0));
    EXPECT(cuGraphExecUpdate(x, h, &info), CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE);
    CHECK(info.result == CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED);
    OK(cuGraphDestroy(h));
    OK(cuGraphCreate(&h, 0));
    OK(cuGraphAddEmptyNode(&a, h, NULL, 0));
    put_node(h, &a, 1, 3, 22);
    EXPECT(cuGraphExecUpdate(x, h, &info), CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE);
    CHECK(info.result == CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED && info.errorNode == a);
    OK(cuGraphDestroy(h));
    OK(cuGraphDestroy(g));
    OK(cuGraphExecDestroy(x));
}

// An update that fails changes nothing, and the graph can be launched as before, also while it is under way.
static void test_update_fails(void)
{
    CUgraph g, h;
    CUgraphExec x;
    CUgraphExecUpdateResultInfo info;
    CUgraphNode a, b;
    CUdeviceptr gone;
    OK(cuMemAlloc(&gone, 64));
    CUDA_MEMSET_NODE_PARAMS p = {.dst = buffer, .elementSize = 4, .value = 7, .width = 1, .height = 1};
    OK(cuGraphCreate(&g, 0));
    OK(cuGraphAddMemsetNode(&a, g, NULL, 0, &p, context));
    put_node(g, &a, 1, 1, 8);
    OK(cuGraphInstantiate(&x, g, 0));
    OK(cuGraphCreate(&h, 0));
    p.dst = gone;
    OK(cuGraphAddMemsetNode(&b, h, NULL, 0, &p, context));
    put_node(h, &b, 1, 1, 9);
    OK(cuMemFree(gone));
    OK(cuMemsetD32(buffer, 0, 8));
    EXPECT(cuGraphExecUpdate(x, h, &info), CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE);
    CHECK(info.result == CU_GRAPH_EXEC_UPDATE_ERROR && info.errorNode == b);
    OK(cuGraphLaunch(x, stream));
    OK(cuStreamSynchronize(stream));
    CHECK(word(0) == 7 && word(1) == 8);
    OK(cuMemsetD32(buffer, 0, 8));
    OK(cuGraphLaunch(x, stream));
    EXPECT(cuGraphExecUpdate(x, h, &info), CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE);
    OK(cuGraphLaunch(x, stream));
    OK(cuStreamSynchronize(stream));
    CHECK(word(0) == 7 && word(1) == 8);
    OK(cuGraphDestroy(h));
    OK(cuGraphDestroy(g));
    OK(cuGraphExecDestroy(x));
}

static void test_child(void)
{
    CUgraph g, child, inside;
    CUgraphExec x;
    CUgraphNode a, c, b, list[4];
    size_t n = 4;
    OK(cuMemsetD32(buffer, 0, 8));
    OK(cuGraphCreate(&child, 0));
    OK(cuGraphCreate(&g, 0));
    void *args[] = {&buffer};
    CUDA_KERNEL_NODE_PARAMS k = params_of(count_fn, 2, 32, args);
    OK(cuGraphAddKernelNode(&a, child, NULL, 0, &k));
    OK(cuGraphAddKernelNode(&b, child, NULL, 0, &k));
    OK(cuGraphAddChildGraphNode(&c, g, NULL, 0, child));
    OK(cuGraphDestroy(child)); // it was copied
    CUdeviceptr from = buffer;
    CUDA_MEMCPY3D copy = {.srcMemoryType = CU_MEMORYTYPE_DEVICE,
                          .srcDevice = from,
                          .dstMemoryType = CU_MEMORYTYPE_DEVICE,
                          .dstDevice = buffer + 4,
                          .WidthInBytes = 4,
                          .Height = 1,
                          .Depth = 1};
    OK(cuGraphAddMemcpyNode(&b, g, &c, 1, &copy, context));
    OK(cuGraphChildGraphNodeGetGraph(c, &inside));
    OK(cuGraphGetNodes(inside, list, &n));
    CHECK(n == 2);
    EXPECT(cuGraphDestroy(inside), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuGraphInstantiate(&x, inside, 0), CUDA_ERROR_NOT_SUPPORTED);
    OK(cuGraphInstantiate(&x, g, 0));
    OK(cuGraphLaunch(x, stream));
    OK(cuStreamSynchronize(stream));
    CHECK(word(1) == 128);
    k.gridDimX = 1; // nodes of the child graph can be set in the whole
    OK(cuGraphExecKernelNodeSetParams(x, list[0], &k));
    OK(cuMemsetD32(buffer, 0, 1));
    OK(cuGraphLaunch(x, stream));
    OK(cuStreamSynchronize(stream));
    CHECK(word(1) == 96);
    OK(cuGraphExecDestroy(x));
    OK(cuGraphDestroy(g));
}

static void test_events(void)
{
    static atomic_int gate;
    CUgraph g;
    CUgraphExec x;
    CUgraphNode r, w, n;
    CUevent done, go;
    CUstream other;
    CUDA_HOST_NODE_PARAMS host = {gate_wait, &gate};
    atomic_store(&gate, 0);
    OK(cuMemsetD32(buffer, 0, 8));
    OK(cuEventCreate(&done, 0));
    OK(cuEventCreate(&go, 0));
    OK(cuStreamCreate(&other, CU_STREAM_NON_BLOCKING));
    OK(cuGraphCreate(&g, 0));
    OK(cuGraphAddEventWaitNode(&w, g, NULL, 0, go));
    n = put_node(g, &w, 1, 0, 9);
    OK(cuGraphAddEventRecordNode(&r, g, &n, 1, done));
    OK(cuGraphInstantiate(&x, g, 0));
    OK(cuLaunchHostFunc(other, host.fn, host.userData));
    OK(cuEventRecord(go, other));
    OK(cuGraphLaunch(x, stream));
    EXPECT(cuEventQuery(done), CUDA_ERROR_NOT_READY);
    usleep(2000);
    EXPECT(cuEventQuery(done), CUDA_ERROR_NOT_READY);
    atomic_store(&gate, 1);
    OK(cuEventSynchronize(done));
    CHECK(word(0) == 9);
    CUevent got;
    OK(cuGraphEventRecordNodeGetEvent(r, &got));
    CHECK(got == done);
    OK(cuGraphLaunch(x, stream)); // go is done: no wait
    OK(cuStreamSynchronize(stream));
    OK(cuEventQuery(done));
    OK(cuGraphExecDestroy(x));
    OK(cuGraphDestroy(g));
    OK(cuEventDestroy(done));
    OK(cuEventDestroy(go));
    OK(cuStreamDestroy(other));
}

static void test_memory_nodes(void)
{
    CUgraph g, bad;
    CUgraphExec x, y;
    CUgraphNode a, s, f;
    CUDA_MEM_ALLOC_NODE_PARAMS p = {.bytesize = 10000};
    p.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    p.poolProps.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    OK(cuGraphCreate(&g, 0));
    OK(cuGraphAddMemAllocNode(&a, g, NULL, 0, &p));
    CHECK(p.dptr != 0);
    CUDA_MEMSET_NODE_PARAMS fill = {.dst = p.dptr, .elementSize = 4, .value = 77, .width = 2500, .height = 1};
    OK(cuGraphAddMemsetNode(&s, g, &a, 1, &fill, context));
    OK(cuGraphInstantiate(&x, g, 0));
    EXPECT(cuMemsetD8(p.dptr, 0, 8), CUDA_ERROR_INVALID_VALUE); // not allocated yet
    EXPECT(cuGraphInstantiate(&y, g, 0), CUDA_ERROR_NOT_SUPPORTED);
    OK(cuGraphLaunch(x, stream));
    OK(cuStreamSynchronize(stream));
    unsigned v = 0;
    OK(cuMemcpyDtoH(&v, p.dptr + 9996, 4));
    CHECK(v == 77);
    EXPECT(cuGraphLaunch(x, stream), CUDA_ERROR_INVALID_VALUE); // not freed yet
    OK(cuMemFree(p.dptr));
    EXPECT(cuMemFree(p.dptr), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemcpyDtoH(&v, p.dptr, 4), CUDA_ERROR_INVALID_VALUE);
    OK(cuGraphLaunch(x, stream));
    OK(cuMemFreeAsync(p.dptr, stream));
    OK(cuGraphExecDestroy(x));
    OK(cuGraphAddMemFreeNode(&f, g, &s, 1, p.dptr));
    EXPECT(cuGraphAddMemFreeNode(&f, g, &s, 1, p.dptr), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuGraphAddMemFreeNode(&f, g, &s, 1, buffer), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuGraphClone(&bad, g), CUDA_ERROR_NOT_SUPPORTED);
    EXPECT(cuGraphDestroyNode(a), CUDA_ERROR_NOT_SUPPORTED);
    OK(cuGraphInstantiate(&x, g, 0));
    OK(cuGraphLaunch(x, stream));
    OK(cuGraphLaunch(x, stream));
    OK(cuStreamSynchronize(stream));
    OK(cuGraphExecDestroy(x));
    OK(cuGraphInstantiate(&y, g, CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH));
    OK(cuGraphExecDestroy(y));
    OK(cuGraphDestroy(g));
    OK(cuDeviceGraphMemTrim(0));
    cuuint64_t used = 1;
    OK(cuDeviceGetGraphMemAttribute(0, CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT, &used));
    CHECK(used == 0);
}

static int destroyed;
static void destroy(void *data)
{
    destroyed += *(int *)data;
}

static void test_user_objects(void)
{
    int one = 1;
    CUuserObject o;
    CUgraph g, clone;
    CUgraphExec x;
    EXPECT(cuUserObjectCreate(&o, &one, destroy, 1, 0), CUDA_ERROR_INVALID_VALUE);
    OK(cuUserObjectCreate(&o, &one, destroy, 1, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
    OK(cuGraphCreate(&g, 0));
    OK(cuGraphRetainUserObject(g, o, 1, CU_GRAPH_USER_OBJECT_MOVE));
    OK(cuGraphClone(&clone, g));
    OK(cuGraphInstantiate(&x, g, 0));
    OK(cuGraphDestroy(g));
    CHECK(destroyed == 0);
    OK(cuGraphExecDestroy(x));
    CHECK(destroyed == 0);
    EXPECT(cuGraphReleaseUserObject(clone, o, 2), CUDA_ERROR_INVALID_VALUE);
    OK(cuGraphReleaseUserObject(clone, o, 1));
    CHECK(destroyed == 1);
    OK(cuGraphDestroy(clone));
    CHECK(destroyed == 1);
}

// Many independent branches that meet: every one runs, once.
static void test_wide(void)
{
    enum { N = 300 };
    CUgraph g;
    CUgraphExec x;
    CUgraphNode root, branch[N], end;
    OK(cuMemsetD32(buffer, 0, 8));
    OK(cuGraphCreate(&g, 0));
    OK(cuGraphAddEmptyNode(&root, g, NULL, 0));
    void *args[] = {&buffer};
    CUDA_KERNEL_NODE_PARAMS k = params_of(count_fn, 4, 32, args);
    for (int i = 0; i < N; i++)
        OK(cuGraphAddKernelNode(&branch[i], g, &root, 1, &k));
    CUDA_MEMCPY3D copy = {.srcMemoryType = CU_MEMORYTYPE_DEVICE,
                          .srcDevice = buffer,
                          .dstMemoryType = CU_MEMORYTYPE_DEVICE,
                          .dstDevice = buffer + 4,
                          .WidthInBytes = 4,
                          .Height = 1,
                          .Depth = 1};
    OK(cuGraphAddMemcpyNode(&end, g, branch, N, &copy, context));
    OK(cuGraphInstantiate(&x, g, 0));
    for (unsigned i = 1; i <= 50; i++) {
        OK(cuGraphLaunch(x, stream));
        OK(cuStreamSynchronize(stream));
        CHECK(word(1) == i * N * 128);
    }
    OK(cuGraphExecDestroy(x));
    OK(cuGraphDestroy(g));
}

// Several threads at once: each captures, changes and launches graphs of its own, and all launch one together.
enum { THREADS = 4, ROUNDS = 20 };
static CUgraphExec together;

static void *thread_main(void *data)
{
    int bad = 0;
    unsigned me = (unsigned)(uintptr_t)data, got[2];
    CUstream s;
    CUdeviceptr p;
    bad += cuCtxSetCurrent(context) || cuStreamCreate(&s, CU_STREAM_NON_BLOCKING) || cuMemAlloc(&p, 4096);
    for (unsigned i = 0; i < ROUNDS; i++) {
        CUgraph g = NULL;
        CUgraphExec x = NULL;
        CUgraphNode node;
        size_t one = 1;
        unsigned v = me * 1000 + i;
        void *args[] = {&p, &v};
        bad += cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_RELAXED) != 0;
        bad += cuLaunchKernel(put_fn, 1, 1, 1, 1, 1, 1, 0, s, args, NULL) != 0;
        bad += cuMemcpyDtoDAsync(p + 4, p, 4, s) || cuStreamEndCapture(s, &g) || cuGraphInstantiate(&x, g, 0);
        bad += cuGraphLaunch(x, s) || cuGraphLaunch(together, s);
        v += 500;
        CUDA_KERNEL_NODE_PARAMS k = params_of(put_fn, 1, 1, args);
        bad += cuGraphGetRootNodes(g, &node, &one) || cuGraphExecKernelNodeSetParams(x, node, &k);
        bad += cuGraphLaunch(x, s) || cuGraphExecDestroy(x) || cuGraphDestroy(g);
        bad += cuMemcpyDtoHAsync(got, p, 8, s) || cuStreamSynchronize(s);
        bad += got[0] != v || got[1] != v;
    }
    bad += cuStreamDestroy(s) || cuMemFree(p);
    return (void *)(uintptr_t)bad;
}

static void test_threads(void)
{
    pthread_t threads[THREADS];
    CUgraph g;
    CUgraphNode n = NULL, next;
    void *args[] = {&buffer}, *bad;
    CUDA_KERNEL_NODE_PARAMS k = params_of(count_fn, 2, 32, args);
    OK(cuMemsetD32(buffer, 0, 8));
    OK(cuGraphCreate(&g, 0));
    for (int i = 0; i < 10; i++) {
        OK(cuGraphAddKernelNode(&next, g, &n, n ? 1 : 0, &k));
        n = i % 3 ? next : NULL;
    }
    OK(cuGraphInstantiate(&together, g, 0));
    for (uintptr_t i = 0; i < THREADS; i++)
        CHECK(!pthread_create(&threads[i], NULL, thread_main, (void *)i));
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], &bad);
        CHECK(!bad);
    }
    OK(cuCtxSynchronize());
    CHECK(word(0) == THREADS * ROUNDS * 10 * 64);
    OK(cuGraphExecDestroy(together));
    OK(cuGraphDestroy(g));
}

// A fault in a node ends the graph, and the context's error stays; what was made is still freed.
static void test_fault(void)
{
    CUcontext other;
    CUmodule m;
    CUfunction bad, put;
    CUdeviceptr p;
    CUgraph g;
    CUgraphExec x;
    CUgraphNode a, b;
    CUevent e;
    unsigned value = 3;
    OK(cuCtxCreate(&other, NULL, 0, 0));
    OK(cuModuleLoadData(&m, PTX_HEAD PTX_BAD PTX_PUT));
    OK(cuModuleGetFunction(&bad, m, "bad"));
    OK(cuModuleGetFunction(&put, m, "put"));
    OK(cuMemAlloc(&p, 64));
    OK(cuEventCreate(&e, 0));
    OK(cuGraphCreate(&g, 0));
    void *args[] = {&p, &value};
    CUDA_KERNEL_NODE_PARAMS k = params_of(bad, 1, 1, NULL), l = params_of(put, 1, 1, args);
    OK(cuGraphAddKernelNode(&a, g, NULL, 0, &k));
    OK(cuGraphAddKernelNode(&b, g, &a, 1, &l));
    OK(cuGraphAddEventRecordNode(&a, g, &b, 1, e));
    OK(cuGraphInstantiate(&x, g, 0));
    OK(cuGraphLaunch(x, NULL));
    cuGraphLaunch(x, NULL); // perhaps the fault is known already
    EXPECT(cuCtxSynchronize(), CUDA_ERROR_ILLEGAL_ADDRESS);
    EXPECT(cuGraphLaunch(x, NULL), CUDA_ERROR_ILLEGAL_ADDRESS);
    EXPECT(cuEventSynchronize(e), CUDA_ERROR_ILLEGAL_ADDRESS);
    OK(cuGraphExecDestroy(x));
    OK(cuGraphDestroy(g));
    OK(cuCtxDestroy(other));
    OK(cuCtxSetCurrent(context));
}

// A graph outlives the module of its kernels: then it cannot be instantiated, and nothing worse happens.
static void test_module_gone(void)
{
    CUmodule m;
    CUfunction f;
    CUgraph g;
    CUgraphExec x;
    CUgraphNode n;
    CUDA_GRAPH_INSTANTIATE_PARAMS p = {0};
    OK(cuModuleLoadData(&m, PTX_HEAD PTX_EMPTY));
    OK(cuModuleGetFunction(&f, m, "empty"));
    OK(cuGraphCreate(&g, 0));
    CUDA_KERNEL_NODE_PARAMS k = params_of(f, 1, 1, NULL);
    OK(cuGraphAddKernelNode(&n, g, NULL, 0, &k));
    OK(cuModuleUnload(m));
    EXPECT(cuGraphInstantiateWithParams(&x, g, &p), CUDA_ERROR_INVALID_HANDLE);
    CHECK(p.hErrNode_out == n && p.result_out == CUDA_GRAPH_INSTANTIATE_ERROR);
    OK(cuGraphDestroy(g));
}

static void test_dot(void)
{
    char path[] = "/tmp/heddle-graph-XXXXXX", text[512] = "";
    int fd = mkstemp(path);
    CUgraph g;
    OK(cuGraphCreate(&g, 0));
    put_node(g, NULL, 0, 0, 1);
    OK(cuGraphDebugDotPrint(g, path, CU_GRAPH_DEBUG_DOT_FLAGS_VERBOSE));
    CHECK(read(fd, text, sizeof text - 1) > 0 && strstr(text, "digraph") && strstr(text, "put"));
    close(fd);
    unlink(path);
    OK(cuGraphDestroy(g));
}

int main(void)
{
    CUmodule m;
    context = start();
    OK(cuModuleLoadData(&m, PTX_HEAD PTX_ADD PTX_PUT PTX_COUNT));
    OK(cuModuleGetFunction(&add_fn, m, "add"));
    OK(cuModuleGetFunction(&put_fn, m, "put"));
    OK(cuModuleGetFunction(&count_fn, m, "count"));
    OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    OK(cuMemAlloc(&buffer, 1 << 16));
    OK(cuMemsetD32(buffer, 0, 1 << 14));
    test_chain();
    test_queries();
    test_cycle();
    test_params();
    test_changes_under_way();
    test_update();
    test_update_fails();
    test_child();
    test_events();
    test_memory_nodes();
    test_user_objects();
    test_wide();
    test_threads();
    test_fault();
    test_module_gone();
    test_dot();
    OK(cuStreamDestroy(stream));
    OK(cuCtxDestroy(context));
    return test_summary();
}
