// SPDX-License-Identifier: Apache-2.0
// Conditional nodes: bodies that run once, as long as a condition holds, or one of several; kernels decide.
// (With NVIDIA's compiler: -rdc=true, since its cudaGraphSetConditional is in a library.)
// nvcc: -rdc=true
#include "check.h"

__global__ void decide(cudaGraphConditionalHandle handle, const int *p, int limit)
{
    cudaGraphSetConditional(handle, *p < limit);
}
__global__ void choose(cudaGraphConditionalHandle handle, const int *p)
{
    cudaGraphSetConditional(handle, *p);
}
__global__ void increment(int *p, int by)
{
    *p += by;
}

static cudaGraphNode_t kernel_node(cudaGraph_t g, cudaGraphNode_t after, void *f, void **args)
{
    cudaGraphNodeParams p = {};
    p.type = cudaGraphNodeTypeKernel;
    p.kernel.func = f;
    p.kernel.gridDim = dim3(1);
    p.kernel.blockDim = dim3(1);
    p.kernel.kernelParams = args;
    cudaGraphNode_t node;
    OK(cudaGraphAddNode(&node, g, after ? &after : nullptr, nullptr, after ? 1 : 0, &p));
    return node;
}

static int run(cudaGraph_t g, int *dev, int first, int times = 1)
{
    cudaGraphExec_t exec;
    int result;
    OK(cudaGraphInstantiate(&exec, g, 0));
    for (int i = 0; i < times; i++) {
        OK(cudaMemcpy(dev, &first, sizeof first, cudaMemcpyHostToDevice));
        OK(cudaGraphLaunch(exec, 0));
        OK(cudaDeviceSynchronize());
    }
    OK(cudaMemcpy(&result, dev, sizeof result, cudaMemcpyDeviceToHost));
    OK(cudaGraphExecDestroy(exec));
    return result;
}

static cudaGraphNodeParams conditional(cudaGraphConditionalHandle handle, cudaGraphConditionalNodeType type,
                                       unsigned size)
{
    cudaGraphNodeParams p = {};
    p.type = cudaGraphNodeTypeConditional;
    p.conditional.handle = handle;
    p.conditional.type = type;
    p.conditional.size = size;
    return p;
}

int main()
{
    int *dev, one = 1, ten = 10, hundred = 100, limit = 1000;
    OK(cudaMalloc(&dev, sizeof(int)));
    cudaGraph_t g;
    cudaGraphConditionalHandle handle;
    cudaGraphNode_t first, node;

    // while *dev < 1000: *dev += 10
    OK(cudaGraphCreate(&g, 0));
    OK(cudaGraphConditionalHandleCreate(&handle, g, 1, cudaGraphCondAssignDefault));
    cudaGraphNodeParams p = conditional(handle, cudaGraphCondTypeWhile, 1);
    OK(cudaGraphAddNode(&node, g, nullptr, nullptr, 0, &p));
    cudaGraph_t body = p.conditional.phGraph_out[0];
    void *add_ten[] = {&dev, &ten}, *test[] = {&handle, &dev, &limit};
    first = kernel_node(body, nullptr, (void *)increment, add_ten);
    kernel_node(body, first, (void *)decide, test);
    void *add_one[] = {&dev, &one};
    kernel_node(g, node, (void *)increment, add_one);
    EXPECT(run(g, dev, 5, 3) == 1006);
    EXPECT(run(g, dev, 2000) == 2011); // the body runs once: its condition starts as 1
    OK(cudaGraphDestroy(g));

    // if (*dev < 1000) *dev += 10; else *dev += 100
    OK(cudaGraphCreate(&g, 0));
    OK(cudaGraphConditionalHandleCreate(&handle, g, 0, 0));
    first = kernel_node(g, nullptr, (void *)decide, test);
    p = conditional(handle, cudaGraphCondTypeIf, 2);
    OK(cudaGraphAddNode(&node, g, &first, nullptr, 1, &p));
    void *add_hundred[] = {&dev, &hundred};
    kernel_node(p.conditional.phGraph_out[0], nullptr, (void *)increment, add_ten);
    kernel_node(p.conditional.phGraph_out[1], nullptr, (void *)increment, add_hundred);
    EXPECT(run(g, dev, 5) == 15);
    EXPECT(run(g, dev, 1000) == 1100);
    OK(cudaGraphDestroy(g));

    // one of three, or none
    OK(cudaGraphCreate(&g, 0));
    OK(cudaGraphConditionalHandleCreate(&handle, g, 0, 0));
    void *pick[] = {&handle, &dev};
    first = kernel_node(g, nullptr, (void *)choose, pick);
    p = conditional(handle, cudaGraphCondTypeSwitch, 3);
    OK(cudaGraphAddNode(&node, g, &first, nullptr, 1, &p));
    kernel_node(p.conditional.phGraph_out[0], nullptr, (void *)increment, add_one);
    kernel_node(p.conditional.phGraph_out[1], nullptr, (void *)increment, add_ten);
    kernel_node(p.conditional.phGraph_out[2], nullptr, (void *)increment, add_hundred);
    EXPECT(run(g, dev, 0) == 1);
    EXPECT(run(g, dev, 1) == 11);
    EXPECT(run(g, dev, 2) == 102);
    EXPECT(run(g, dev, 3) == 3);
    OK(cudaGraphDestroy(g));

    // if (1) *dev += 100 in while (*dev < 1000) *dev += 10, by a handle of the outer graph and by one of the body
    for (int of_body = 0; of_body < 2; of_body++) {
        cudaGraphConditionalHandle inner;
        OK(cudaGraphCreate(&g, 0));
        OK(cudaGraphConditionalHandleCreate(&handle, g, 1, cudaGraphCondAssignDefault));
        if (!of_body)
            OK(cudaGraphConditionalHandleCreate(&inner, g, 1, cudaGraphCondAssignDefault));
        p = conditional(handle, cudaGraphCondTypeWhile, 1);
        OK(cudaGraphAddNode(&node, g, nullptr, nullptr, 0, &p));
        body = p.conditional.phGraph_out[0];
        if (of_body)
            OK(cudaGraphConditionalHandleCreate(&inner, body, 1, cudaGraphCondAssignDefault));
        first = kernel_node(body, nullptr, (void *)increment, add_ten);
        p = conditional(inner, cudaGraphCondTypeIf, 1);
        OK(cudaGraphAddNode(&node, body, &first, nullptr, 1, &p));
        kernel_node(p.conditional.phGraph_out[0], nullptr, (void *)increment, add_hundred);
        kernel_node(body, node, (void *)decide, test);
        EXPECT(run(g, dev, 5, 2) == 1105);
        OK(cudaGraphDestroy(g));
    }

    // a handle that no node uses
    cudaGraphExec_t exec;
    OK(cudaGraphCreate(&g, 0));
    OK(cudaGraphConditionalHandleCreate(&handle, g, 0, 0));
    cudaGraphInstantiateParams ip = {};
    EXPECT(cudaGraphInstantiateWithParams(&exec, g, &ip) == cudaErrorInvalidValue);
    EXPECT(ip.result_out == cudaGraphInstantiateConditionalHandleUnused);
    OK(cudaGraphDestroy(g));
    return DONE();
}
