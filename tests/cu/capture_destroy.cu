// SPDX-License-Identifier: Apache-2.0
// A stream that took part in a capture may be destroyed before the capture ends: what counts is whether its work was joined.
#include <stdio.h>

#define CHECK(x)                                                                                                       \
    do {                                                                                                               \
        if (!(x)) {                                                                                                    \
            printf("FAILED line %d: %s\n", __LINE__, #x);                                                              \
            return 1;                                                                                                  \
        }                                                                                                              \
    } while (0)

__global__ void put(int *p, int value)
{
    p[value] = value;
}

// What the end of a capture says after its second stream was destroyed.
static cudaError_t capture(int *p, bool join, cudaGraph_t *graph)
{
    cudaStream_t first, second;
    cudaEvent_t fork, back;
    cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
    cudaEventCreate(&fork);
    cudaEventCreate(&back);
    cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal);
    put<<<1, 1, 0, first>>>(p, 1);
    cudaEventRecord(fork, first);
    cudaStreamWaitEvent(second, fork, 0);
    put<<<1, 1, 0, second>>>(p, 2);
    cudaEventRecord(back, second);
    if (join)
        cudaStreamWaitEvent(first, back, 0);
    cudaStreamDestroy(second);
    cudaEventDestroy(fork);
    cudaEventDestroy(back);
    put<<<1, 1, 0, first>>>(p, 3);
    cudaError_t e = cudaStreamEndCapture(first, graph);
    cudaStreamDestroy(first);
    return e;
}

int main()
{
    int *p, values[4];
    cudaGraph_t graph = 0;
    cudaGraphExec_t exec;
    size_t nodes = 0;
    CHECK(!cudaMalloc(&p, sizeof values));
    CHECK(!cudaMemset(p, 0, sizeof values));
    CHECK(!capture(p, true, &graph));
    CHECK(!cudaGraphGetNodes(graph, 0, &nodes) && nodes == 3);
    CHECK(!cudaGraphInstantiate(&exec, graph, 0));
    CHECK(!cudaGraphLaunch(exec, 0));
    CHECK(!cudaMemcpy(values, p, sizeof values, cudaMemcpyDeviceToHost));
    CHECK(values[0] == 0 && values[1] == 1 && values[2] == 2 && values[3] == 3);
    CHECK(!cudaGraphExecDestroy(exec) && !cudaGraphDestroy(graph));
    CHECK(capture(p, false, &graph) == cudaErrorStreamCaptureUnjoined);
    cudaGetLastError();
    CHECK(!cudaFree(p));
    printf("PASSED\n");
    return 0;
}
