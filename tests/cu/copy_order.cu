// SPDX-License-Identifier: Apache-2.0
// Batches of copies whose sources are read before the call returns, also of memory that the device could read later.
// widths: 8
#include "check.h"
#include <atomic>

static std::atomic<bool> go;

static void wait_for_go(void *)
{
    while (!go)
        ;
}

int main()
{
    enum { N = 3 };
    cudaStream_t s;
    int *from, *to, got[N];
    OK(cudaStreamCreate(&s));
    OK(cudaMallocHost(&from, N * sizeof *from));
    OK(cudaMalloc(&to, N * sizeof *to));
    for (int boxes = 0; boxes < 2; boxes++) {
        void *dsts[N];
        const void *srcs[N];
        size_t sizes[N], starts[2] = {0, 2};
        cudaMemcpyAttributes attributes[2] = {};
        cudaMemcpy3DBatchOp ops[N] = {};
        attributes[0].srcAccessOrder = cudaMemcpySrcAccessOrderDuringApiCall;
        attributes[1].srcAccessOrder = cudaMemcpySrcAccessOrderStream;
        for (int i = 0; i < N; i++) {
            from[i] = i + 1;
            dsts[i] = to + i;
            srcs[i] = from + i;
            sizes[i] = sizeof *from;
            ops[i].src.type = ops[i].dst.type = cudaMemcpyOperandTypePointer;
            ops[i].src.op.ptr.ptr = from + i;
            ops[i].dst.op.ptr.ptr = to + i;
            ops[i].extent = make_cudaExtent(sizeof *from, 1, 1);
            ops[i].srcAccessOrder = attributes[i / 2].srcAccessOrder;
        }
        go = false;
        OK(cudaLaunchHostFunc(s, wait_for_go, nullptr));
        if (boxes)
            OK(cudaMemcpy3DBatchAsync(N, ops, 0, s));
        else
            OK(cudaMemcpyBatchAsync(dsts, srcs, sizes, N, attributes, starts, 2, s));
        for (int i = 0; i < N; i++)
            from[i] = -1;
        go = true;
        OK(cudaStreamSynchronize(s));
        OK(cudaMemcpy(got, to, sizeof got, cudaMemcpyDeviceToHost));
        EXPECT(got[0] == 1 && got[1] == 2 && got[2] == -1);

        starts[1] = 0; // they rise from 0
        EXPECT(cudaMemcpyBatchAsync(dsts, srcs, sizes, N, attributes, starts, 2, s) == cudaErrorInvalidValue);
        starts[0] = 1;
        EXPECT(cudaMemcpyBatchAsync(dsts, srcs, sizes, N, attributes, starts, 1, s) == cudaErrorInvalidValue);
        starts[0] = 0;
        attributes[0].srcAccessOrder = cudaMemcpySrcAccessOrderInvalid;
        EXPECT(cudaMemcpyBatchAsync(dsts, srcs, sizes, N, attributes, starts, 1, s) == cudaErrorInvalidValue);
        cudaGetLastError();
    }
    return DONE();
}
