// SPDX-License-Identifier: Apache-2.0
// Every type of node through the one function that adds them all, boxes and symbols, events, memory, attributes, user objects.
#include "check.h"
#include <chrono>
#include <thread>

__device__ int table[8];

__global__ void scale(int *p, int n, int by)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        p[i] *= by;
}
__global__ void store_table(int v)
{
    table[threadIdx.x] = v + threadIdx.x;
}

static int calls;
static void call(void *data)
{
    calls += *(int *)data;
}

struct object {
    int *gone;
    ~object()
    {
        ++*gone;
    }
};

static cudaGraphNode_t add(cudaGraph_t g, cudaGraphNode_t after, cudaGraphNodeParams &p)
{
    cudaGraphNode_t n;
    OK(cudaGraphAddNode(&n, g, after ? &after : nullptr, nullptr, after ? 1 : 0, &p));
    return n;
}

static cudaGraphNodeParams of(cudaGraphNodeType type)
{
    cudaGraphNodeParams p = {};
    p.type = type;
    return p;
}

int main()
{
    enum { W = 20, H = 6 };
    int *dev, host[H][W], back[H][W] = {}, three = 3, five = 5, n = W * H;
    size_t pitch;
    cudaStream_t s;
    cudaEvent_t begin, end;
    OK(cudaStreamCreate(&s));
    OK(cudaEventCreate(&begin));
    OK(cudaEventCreate(&end));
    OK(cudaMallocPitch(&dev, &pitch, W * sizeof(int), H));
    for (int i = 0; i < n; i++)
        host[i / W][i % W] = i;

    // event, allocation, 2D copy in, kernel, 2D copy to pitched memory, 2D copy out, free, host function, event
    cudaGraph_t g;
    OK(cudaGraphCreate(&g, 0));
    cudaGraphNodeParams p = of(cudaGraphNodeTypeEventRecord);
    p.eventRecord.event = begin;
    cudaGraphNode_t at = add(g, nullptr, p), kernel, copy_in;
    p = of(cudaGraphNodeTypeMemAlloc);
    p.alloc.poolProps.allocType = cudaMemAllocationTypePinned;
    p.alloc.poolProps.location.type = cudaMemLocationTypeDevice;
    p.alloc.bytesize = sizeof host;
    at = add(g, at, p);
    int *inner = (int *)p.alloc.dptr;
    EXPECT(inner != nullptr);
    p = of(cudaGraphNodeTypeMemcpy);
    p.memcpy.copyParams.srcPtr = make_cudaPitchedPtr(host, W * sizeof(int), W, H);
    p.memcpy.copyParams.dstPtr = make_cudaPitchedPtr(inner, W * sizeof(int), W, H);
    p.memcpy.copyParams.extent = make_cudaExtent(W * sizeof(int), H, 1);
    p.memcpy.copyParams.kind = cudaMemcpyHostToDevice;
    at = copy_in = add(g, at, p);
    void *args[] = {&inner, &n, &three};
    p = of(cudaGraphNodeTypeKernel);
    p.kernel.func = (void *)scale;
    p.kernel.gridDim = dim3(2);
    p.kernel.blockDim = dim3(64);
    p.kernel.kernelParams = args;
    at = kernel = add(g, at, p);
    p = of(cudaGraphNodeTypeMemset);
    p.memset.dst = dev;
    p.memset.pitch = pitch;
    p.memset.elementSize = 4;
    p.memset.value = 7;
    p.memset.width = W;
    p.memset.height = H;
    at = add(g, at, p);
    p = of(cudaGraphNodeTypeMemcpy); // all but the first column and row
    p.memcpy.copyParams.srcPtr = make_cudaPitchedPtr(inner, W * sizeof(int), W, H);
    p.memcpy.copyParams.srcPos = make_cudaPos(sizeof(int), 1, 0);
    p.memcpy.copyParams.dstPtr = make_cudaPitchedPtr(dev, pitch, W, H);
    p.memcpy.copyParams.dstPos = make_cudaPos(sizeof(int), 1, 0);
    p.memcpy.copyParams.extent = make_cudaExtent((W - 1) * sizeof(int), H - 1, 1);
    p.memcpy.copyParams.kind = cudaMemcpyDeviceToDevice;
    at = add(g, at, p);
    p = of(cudaGraphNodeTypeMemFree);
    p.free.dptr = inner;
    cudaGraphNode_t freed = add(g, at, p);
    p = of(cudaGraphNodeTypeMemcpy);
    p.memcpy.copyParams.srcPtr = make_cudaPitchedPtr(dev, pitch, W, H);
    p.memcpy.copyParams.dstPtr = make_cudaPitchedPtr(back, W * sizeof(int), W, H);
    p.memcpy.copyParams.extent = make_cudaExtent(W * sizeof(int), H, 1);
    p.memcpy.copyParams.kind = cudaMemcpyDeviceToHost;
    at = add(g, at, p);
    p = of(cudaGraphNodeTypeHost);
    p.host.fn = call;
    p.host.userData = &five;
    at = add(g, at, p);
    p = of(cudaGraphNodeTypeEmpty);
    at = add(g, at, p);
    p = of(cudaGraphNodeTypeEventRecord);
    p.eventRecord.event = end;
    at = add(g, at, p);
    cudaGraphNodeType type;
    OK(cudaGraphNodeGetType(freed, &type));
    EXPECT(type == cudaGraphNodeTypeMemFree);

    cudaGraphExec_t x;
    OK(cudaGraphInstantiate(&x, g, 0));
    for (int r = 1; r <= 3; r++) {
        memset(back, 0, sizeof back);
        OK(cudaGraphLaunch(x, s));
        OK(cudaEventSynchronize(end));
        bool right = true;
        for (int i = 0; i < n; i++)
            right &= back[i / W][i % W] == (i / W && i % W ? i * 3 : 7);
        EXPECT(right && calls == 5 * r);
    }
    float ms = -1;
    OK(cudaEventElapsedTime(&ms, begin, end));
    EXPECT(ms >= 0);
    cudaKernelNodeParams k;
    OK(cudaGraphKernelNodeGetParams(kernel, &k));
    EXPECT(k.func == (void *)scale && k.gridDim.x == 2 && k.blockDim.x == 64 && *(int *)k.kernelParams[1] == n &&
           *(int *)k.kernelParams[2] == 3);
    OK(cudaGraphExecDestroy(x));
    OK(cudaGraphDestroy(g));

    // symbols, and changes of single copies
    int from[8] = {}, to[8] = {}, v = 40;
    OK(cudaGraphCreate(&g, 0));
    void *v_args[] = {&v};
    cudaKernelNodeParams q = {};
    q.func = (void *)store_table;
    q.gridDim = dim3(1);
    q.blockDim = dim3(8);
    q.kernelParams = v_args;
    OK(cudaGraphAddKernelNode(&kernel, g, nullptr, 0, &q));
    cudaGraphNode_t read;
    OK(cudaGraphAddMemcpyNodeFromSymbol(&read, g, &kernel, 1, from, table, sizeof from, 0, cudaMemcpyDeviceToHost));
    OK(cudaGraphInstantiate(&x, g, 0));
    OK(cudaGraphLaunch(x, s));
    OK(cudaStreamSynchronize(s));
    EXPECT(from[0] == 40 && from[7] == 47);
    OK(cudaGraphExecMemcpyNodeSetParamsFromSymbol(x, read, to, table, 4 * sizeof(int), 4 * sizeof(int),
                                                  cudaMemcpyDeviceToHost));
    v = 50;
    OK(cudaGraphExecKernelNodeSetParams(x, kernel, &q));
    OK(cudaGraphLaunch(x, s));
    OK(cudaStreamSynchronize(s));
    EXPECT(to[0] == 54 && to[3] == 57 && to[4] == 0 && from[0] == 40);

    // attributes of kernel nodes
    cudaLaunchAttributeValue value = {}, got = {};
    value.priority = -1;
    OK(cudaGraphKernelNodeSetAttribute(kernel, cudaLaunchAttributePriority, &value));
    OK(cudaGraphKernelNodeGetAttribute(kernel, cudaLaunchAttributePriority, &got));
    EXPECT(got.priority == -1);
    cudaGraphNode_t second;
    OK(cudaGraphAddKernelNode(&second, g, &read, 1, &q)); // behind what reads the table
    OK(cudaGraphKernelNodeCopyAttributes(second, kernel));
    OK(cudaGraphKernelNodeGetAttribute(second, cudaLaunchAttributePriority, &got));
    EXPECT(got.priority == -1);
    EXPECT(cudaGraphKernelNodeGetAttribute(read, cudaLaunchAttributePriority, &got) == cudaErrorInvalidValue);

    // a user object lives as long as what was made of the graph
    int gone = 0;
    object *o = new object{&gone};
    cudaUserObject_t u;
    OK(cudaUserObjectCreate(&u, o, 1, cudaUserObjectNoDestructorSync));
    OK(cudaGraphRetainUserObject(g, u, 1, cudaGraphUserObjectMove));
    cudaGraphExec_t y;
    OK(cudaGraphInstantiate(&y, g, 0));
    OK(cudaGraphDestroy(g));
    OK(cudaGraphLaunch(y, s));
    EXPECT(gone == 0);
    OK(cudaGraphExecDestroy(y));
    OK(cudaGraphExecDestroy(x));
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < 100000 && !*(volatile int *)&gone; i++) // called by a thread of the library
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    EXPECT(gone == 1);
    cudaGetLastError();
    return DONE();
}
