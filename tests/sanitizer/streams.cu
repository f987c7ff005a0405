// SPDX-License-Identifier: Apache-2.0
// Planted faults for racecheck: races between operations. ordered.cu has programs beside them that are right, memory.cu the words of the lines
// before each case. Whether the two are under way at once does not matter: the reports are the same each time.
#include "streams.h"

// ---- kernels
// case write_read --tool racecheck
// > Error: Race reported between Write access at fill(int*, int)+0x* in streams.h:*
// > and Read access at twice(int*, int const*, int)+0x* in streams.h:* [1024 bytes]
// > by thread (0,0,0) in block (0,0,0) in stream * and thread (0,0,0) in block (0,0,0) in stream *
// > which nothing orders, at 0x* in the allocation at 0x* of size 1024 bytes
// > Saved host backtrace up to driver entry point of the first operation
// > Host Frame: cudaLaunchKernel [0x*] in streams
// > Saved host backtrace up to driver entry point of the second operation
// > Host Frame: cudaLaunchKernel [0x*] in streams
// > RACECHECK SUMMARY: 1 hazard displayed (1 error, 0 warnings)
// errors 1
CASE(write_read)
{
    streams s;
    int *a = device<int>(N), *b = device<int>(N);
    fill<<<4, 64, 0, s[0]>>>(a, N);
    twice<<<4, 64, 0, s[1]>>>(b, a, N);
}

// The reader has long ended when the writer comes, but nobody has waited for it.
// case read_write --tool racecheck
// > Error: Race reported between Read access at twice(int*, int const*, int)+0x* in streams.h:*
// > and Write access at fill(int*, int)+0x* in streams.h:* [1024 bytes]
// errors 1
CASE(read_write)
{
    streams s;
    int *a = device<int>(N), *b = device<int>(N);
    cudaMemset(a, 0, N * sizeof *a);
    cudaDeviceSynchronize();
    twice<<<4, 64, 0, s[0]>>>(b, a, N);
    cudaStreamSynchronize(s[1]);
    fill<<<4, 64, 0, s[1]>>>(a, N);
}

// case write_write --tool racecheck
// > Error: Race reported between Write access at fill(int*, int)+0x* in streams.h:*
// > and Write access at fill(int*, int)+0x* in streams.h:* [4 bytes]
// > by thread (63,0,0) in block (3,0,0) in stream * and thread (0,0,0) in block (0,0,0) in stream *
// errors 1
CASE(write_write) // halves that meet
{
    streams s;
    int *a = device<int>(2 * N);
    fill<<<4, 64, 0, s[0]>>>(a, N);
    fill<<<4, 64, 0, s[1]>>>(a + N - 1, N);
}

__global__ void bytes(char *a, int first, int step)
{
    a[first + threadIdx.x * step] = 1;
}
// case one_byte --tool racecheck
// > Error: Race reported between Write access at bytes(char*, int, int)+0x* in streams.cu:*
// > and Write access at bytes(char*, int, int)+0x* in streams.cu:* [1 bytes]
// errors 1
CASE(one_byte) // of a word whose other bytes each has alone
{
    streams s;
    char *a = device<char>(16);
    bytes<<<1, 4, 0, s[0]>>>(a, 0, 2);
    bytes<<<1, 4, 0, s[1]>>>(a, 2, 3);
}

__global__ void copy_one(int *to, const int *from)
{
    *to = *from;
}
// case plain_beside_atomic --tool racecheck
// > Error: Race reported between Atomic access at add_all(int*, int)+0x* in *
// > and Read access at copy_one(int*, int const*)+0x* in streams.cu:* [4 bytes]
// errors 1
CASE(plain_beside_atomic)
{
    streams s;
    int *sum = device<int>(1), *out = device<int>(1);
    cudaMemset(sum, 0, sizeof *sum);
    cudaDeviceSynchronize();
    add_all<<<1, 32, 0, s[0]>>>(sum, 4);
    copy_one<<<1, 1, 0, s[1]>>>(out, sum);
}

__global__ void begin_and_add(int *sum)
{
    if (!threadIdx.x)
        *sum = 0;
    __syncthreads();
    atomicAdd(sum, 1);
}
// case begun_twice --tool racecheck
// > Error: Race reported between Write access at begin_and_add(int*)+0x* in streams.cu:*
// > and Write access at begin_and_add(int*)+0x* in streams.cu:* [4 bytes]
// errors 1
CASE(begun_twice) // what is stored first is not forgotten for the atomics behind it
{
    streams s;
    int *sum = device<int>(1);
    begin_and_add<<<1, 64, 0, s[0]>>>(sum);
    begin_and_add<<<1, 64, 0, s[1]>>>(sum);
}

// case per_thread_stream --tool racecheck
// > Error: Race reported between Write access at fill(int*, int)+0x* in streams.h:*
// errors 1
CASE(per_thread_stream)
{
    streams s;
    int *a = device<int>(N), *b = device<int>(N);
    fill<<<4, 64, 0, cudaStreamPerThread>>>(a, N);
    twice<<<4, 64, 0, s[1]>>>(b, a, N);
}

// ---- events and waits that are not the right ones
// case early_event --tool racecheck
// > and Read access at twice(int*, int const*, int)+0x* in streams.h:* [1024 bytes]
// errors 1
CASE(early_event)
{
    streams s;
    int *a = device<int>(N), *b = device<int>(N);
    cudaEvent_t e = new_event();
    cudaEventRecord(e, s[0]);
    fill<<<4, 64, 0, s[0]>>>(a, N);
    cudaStreamWaitEvent(s[1], e, 0);
    twice<<<4, 64, 0, s[1]>>>(b, a, N);
}

// case other_waits --tool racecheck
// > and Read access at twice(int*, int const*, int)+0x* in streams.h:* [1024 bytes]
// errors 1
CASE(other_waits)
{
    streams s;
    int *a = device<int>(N), *b = device<int>(N);
    cudaEvent_t e = new_event();
    fill<<<4, 64, 0, s[0]>>>(a, N);
    cudaEventRecord(e, s[0]);
    cudaStreamWaitEvent(s[2], e, 0);
    twice<<<4, 64, 0, s[1]>>>(b, a, N);
}

// case other_stream_synchronized --tool racecheck
// > and Read access at twice(int*, int const*, int)+0x* in streams.h:* [1024 bytes]
// errors 1
CASE(other_stream_synchronized)
{
    streams s;
    int *a = device<int>(N), *b = device<int>(N);
    fill<<<4, 64, 0, s[0]>>>(a, N);
    cudaStreamSynchronize(s[1]);
    twice<<<4, 64, 0, s[1]>>>(b, a, N);
}

// Two buffers, and the event of the other one waited for before this is filled again.
// case wrong_buffer --tool racecheck
// > Error: Race reported between Read access at twice(int*, int const*, int)+0x* in streams.h:*
// > and Write access at fill(int*, int)+0x* in streams.h:* [1024 bytes]
// errors 1
CASE(wrong_buffer)
{
    streams s;
    int *a[2] = {device<int>(N), device<int>(N)}, *b = device<int>(N);
    cudaEvent_t full[2] = {new_event(), new_event()}, empty[2] = {new_event(), new_event()};
    for (int i = 0; i < 6; i++) {
        int k = i % 2;
        if (i > 1)
            cudaStreamWaitEvent(s[0], empty[i == 3 ? 0 : k], 0); // recorded in round 0 last
        fill<<<4, 64, 0, s[0]>>>(a[k], N);
        cudaEventRecord(full[k], s[0]);
        cudaStreamWaitEvent(s[1], full[k], 0);
        twice<<<4, 64, 0, s[1]>>>(b, a[k], N);
        if (i != 2)
            cudaEventRecord(empty[k], s[1]);
    }
}

// ---- copies and fills
// case copy_down --tool racecheck
// > Error: Race reported between Write access at fill(int*, int)+0x* in streams.h:*
// > and Read access of a copy of 1024 bytes [1024 bytes]
// > by thread (0,0,0) in block (0,0,0) in stream * and the copy in stream *
// > Saved host backtrace up to driver entry point of the second operation
// > Host Frame: cudaMemcpyAsync [0x*] in streams
// errors 1
CASE(copy_down)
{
    streams s;
    int *a = device<int>(N), *h = pinned<int>(N);
    fill<<<4, 64, 0, s[0]>>>(a, N);
    cudaMemcpyAsync(h, a, N * sizeof *a, cudaMemcpyDeviceToHost, s[1]);
}

// case copy_up --tool racecheck
// > Error: Race reported between Write access of a copy of 1024 bytes
// > and Read access at twice(int*, int const*, int)+0x* in streams.h:* [1024 bytes]
// errors 1
CASE(copy_up)
{
    streams s;
    int *a = device<int>(N), *b = device<int>(N), *h = pinned<int>(N);
    cudaMemcpyAsync(a, h, N * sizeof *a, cudaMemcpyHostToDevice, s[0]);
    twice<<<4, 64, 0, s[1]>>>(b, a, N);
}

// From memory that is not pinned, which is read at once: what is written is not there yet.
// case copy_up_pageable --tool racecheck
// > Error: Race reported between Write access of a copy of 1024 bytes
// > and Read access at twice(int*, int const*, int)+0x* in streams.h:* [1024 bytes]
// errors 1
CASE(copy_up_pageable)
{
    static int h[N];
    streams s;
    int *a = device<int>(N), *b = device<int>(N);
    cudaMemcpyAsync(a, h, N * sizeof *a, cudaMemcpyHostToDevice, s[0]);
    twice<<<4, 64, 0, s[1]>>>(b, a, N);
}

// case two_copies --tool racecheck
// > Error: Race reported between Write access of a copy of 1024 bytes
// > and Write access of a copy of 1024 bytes [1024 bytes]
// errors 1
CASE(two_copies) // into one buffer of the host
{
    streams s;
    int *a = device<int>(N), *b = device<int>(N), *h = pinned<int>(N);
    cudaMemcpyAsync(h, a, N * sizeof *a, cudaMemcpyDeviceToHost, s[0]);
    cudaMemcpyAsync(h, b, N * sizeof *b, cudaMemcpyDeviceToHost, s[1]);
}

// case source_overwritten --tool racecheck
// > Error: Race reported between Read access of a copy of 1024 bytes
// > and Write access of a copy of 1024 bytes [1024 bytes]
// errors 1
CASE(source_overwritten) // the buffer of the host serves the next copy too soon
{
    streams s;
    int *a = device<int>(N), *b = device<int>(N), *h = pinned<int>(N);
    cudaMemcpyAsync(a, h, N * sizeof *a, cudaMemcpyHostToDevice, s[0]);
    cudaMemcpyAsync(h, b, N * sizeof *b, cudaMemcpyDeviceToHost, s[1]);
}

// case rows --tool racecheck
// > Error: Race reported between Write access at fill(int*, int)+0x* in streams.h:*
// > and Read access of a copy of 64 bytes [32 bytes]
// errors 1
CASE(rows) // every other one of four rows is copied, of which two were written
{
    streams s;
    int *a = device<int>(64), *h = pinned<int>(64);
    fill<<<1, 32, 0, s[0]>>>(a, 24);
    cudaMemcpy2DAsync(h, 16, a, 64, 16, 4, cudaMemcpyDeviceToHost, s[1]);
}

// case fill_beside_kernel --tool racecheck
// > Error: Race reported between Write access of a fill of 1024 bytes
// > and Read access at twice(int*, int const*, int)+0x* in streams.h:* [1024 bytes]
// > Host Frame: cudaMemsetAsync [0x*] in streams
// errors 1
CASE(fill_beside_kernel)
{
    streams s;
    int *a = device<int>(N), *b = device<int>(N);
    cudaMemsetAsync(a, 0, N * sizeof *a, s[0]);
    twice<<<4, 64, 0, s[1]>>>(b, a, N);
}

// A fill does not wait, and such a stream does not wait for the default stream.
// case default_stream --tool racecheck
// > Error: Race reported between Write access of a fill of 1024 bytes
// > and Read access at twice(int*, int const*, int)+0x* in streams.h:* [1024 bytes]
// > by the fill in the default stream and thread (0,0,0) in block (0,0,0) in stream *
// errors 1
CASE(default_stream)
{
    streams s;
    int *a = device<int>(N), *b = device<int>(N);
    cudaMemset(a, 0, N * sizeof *a);
    twice<<<4, 64, 0, s[1]>>>(b, a, N);
}

// ---- memory of the host
// case mapped --tool racecheck
// > Error: Race reported between Write access at fill(int*, int)+0x* in streams.h:*
// > and Read access of a copy of 1024 bytes [1024 bytes]
// errors 1
CASE(mapped) // a kernel writes it, a copy of another stream reads it
{
    streams s;
    int *a = device<int>(N), *h = pinned<int>(N), *d;
    cudaHostGetDevicePointer((void **)&d, h, 0);
    fill<<<4, 64, 0, s[0]>>>(d, N);
    cudaMemcpyAsync(a, h, N * sizeof *a, cudaMemcpyHostToDevice, s[1]);
}

// case managed --tool racecheck
// > Error: Race reported between Write access at fill(int*, int)+0x* in streams.h:*
// > and Read access of a copy of 1024 bytes [1024 bytes]
// errors 1
CASE(managed) // by a synchronous copy, which waits for its own stream alone
{
    static int h[N];
    streams s;
    int *m;
    cudaMallocManaged(&m, N * sizeof *m);
    fill<<<4, 64, 0, s[0]>>>(m, N);
    cudaMemcpy(h, m, N * sizeof *m, cudaMemcpyDeviceToHost);
}

// case registered --tool racecheck
// > Error: Race reported between Write access of a copy of 1024 bytes
// > and Read access at twice(int*, int const*, int)+0x* in streams.h:* [1024 bytes]
// errors 1
CASE(registered)
{
    static int h[N];
    streams s;
    int *a = device<int>(N), *b = device<int>(N);
    cudaHostRegister(h, sizeof h, cudaHostRegisterMapped);
    cudaMemcpyAsync(h, a, N * sizeof *a, cudaMemcpyDeviceToHost, s[0]);
    twice<<<4, 64, 0, s[1]>>>(b, h, N);
    cudaDeviceSynchronize();
    cudaHostUnregister(h);
}

// ---- graphs
static cudaGraphNode_t kernel_node(cudaGraph_t g, void *f, void **args, const cudaGraphNode_t *behind, size_t n)
{
    cudaGraphNode_t node;
    cudaKernelNodeParams p = {};
    p.func = f;
    p.gridDim = dim3(4);
    p.blockDim = dim3(64);
    p.kernelParams = args;
    cudaGraphAddKernelNode(&node, g, behind, n, &p);
    return node;
}

// case graph_branches --tool racecheck
// > Error: Race reported between Write access at fill(int*, int)+0x* in streams.h:*
// > and Read access at twice(int*, int const*, int)+0x* in streams.h:* [1024 bytes]
// > by thread (0,0,0) in block (0,0,0) in branch 1 of a graph and thread (0,0,0) in block (0,0,0) in branch 2 of a graph
// > Host Frame: cudaGraphLaunch [0x*] in streams
// errors 1
CASE(graph_branches)
{
    int *a = device<int>(N), *b = device<int>(N), n = N;
    cudaGraph_t g;
    cudaGraphExec_t x;
    cudaGraphCreate(&g, 0);
    void *write[] = {&a, &n}, *read[] = {&b, &a, &n};
    kernel_node(g, (void *)fill, write, nullptr, 0);
    kernel_node(g, (void *)twice, read, nullptr, 0);
    cudaGraphInstantiate(&x, g, 0);
    cudaGraphLaunch(x, 0);
    cudaGraphLaunch(x, 0); // told once
}

// case captured_branches --tool racecheck
// > Error: Race reported between Write access at fill(int*, int)+0x* in streams.h:*
// > and Write access of a fill of 1024 bytes [1024 bytes]
// errors 1
CASE(captured_branches)
{
    streams s;
    int *a = device<int>(N);
    cudaEvent_t fork = new_event(), join = new_event();
    cudaGraph_t g;
    cudaGraphExec_t x;
    cudaStreamBeginCapture(s[0], cudaStreamCaptureModeGlobal);
    cudaEventRecord(fork, s[0]);
    cudaStreamWaitEvent(s[1], fork, 0);
    fill<<<4, 64, 0, s[0]>>>(a, N);
    cudaMemsetAsync(a, 0, N * sizeof *a, s[1]);
    cudaEventRecord(join, s[1]);
    cudaStreamWaitEvent(s[0], join, 0);
    cudaStreamEndCapture(s[0], &g);
    cudaGraphInstantiate(&x, g, 0);
    cudaGraphLaunch(x, s[0]);
}

// case graph_beside_kernel --tool racecheck
// > Error: Race reported between Write access at fill(int*, int)+0x* in streams.h:*
// > and Read access at twice(int*, int const*, int)+0x* in streams.h:* [1024 bytes]
// errors 1
CASE(graph_beside_kernel)
{
    streams s;
    int *a = device<int>(N), *b = device<int>(N), n = N;
    cudaGraph_t g;
    cudaGraphExec_t x;
    cudaGraphCreate(&g, 0);
    void *write[] = {&a, &n};
    kernel_node(g, (void *)fill, write, nullptr, 0);
    cudaGraphInstantiate(&x, g, 0);
    cudaGraphLaunch(x, s[0]);
    twice<<<4, 64, 0, s[1]>>>(b, a, N);
}

// ---- memory in stream order
// case before_allocation --tool racecheck
// > Error: Race reported between allocation of 1024 bytes
// > and Write access at fill(int*, int)+0x* in streams.h:* [1024 bytes]
// > Host Frame: cudaMallocAsync [0x*] in streams
// errors 1
CASE(before_allocation)
{
    streams s;
    int *a;
    cudaMallocAsync((void **)&a, N * sizeof *a, s[0]);
    fill<<<4, 64, 0, s[1]>>>(a, N);
}

// case after_free --tool racecheck
// > Error: Race reported between Write access at fill(int*, int)+0x* in streams.h:*
// > and free of 1024 bytes [1024 bytes]
// > Host Frame: cudaFreeAsync [0x*] in streams
// errors 1
CASE(after_free)
{
    streams s;
    int *a;
    cudaMallocAsync((void **)&a, N * sizeof *a, s[0]);
    cudaStreamSynchronize(s[0]);
    fill<<<4, 64, 0, s[1]>>>(a, N);
    cudaFreeAsync(a, s[0]);
}

// case freed_then_used --tool racecheck
// > Error: Race reported between free of 1024 bytes
// > and Write access at fill(int*, int)+0x* in streams.h:* [1024 bytes]
// errors 1
CASE(freed_then_used)
{
    streams s;
    int *a;
    cudaEvent_t e = new_event();
    cudaMallocAsync((void **)&a, N * sizeof *a, s[0]);
    cudaEventRecord(e, s[0]);
    cudaStreamWaitEvent(s[1], e, 0);
    cudaFreeAsync(a, s[0]);
    fill<<<4, 64, 0, s[1]>>>(a, N);
}

// ---- programs by chance, one of whose operations waits for nobody
static void planted(unsigned seed)
{
    random_program p(seed);
    if (!p.run(400, 40))
        exit(9); // nothing was planted
}
// case random_3 --tool racecheck
// > Error: Race reported between *
// errors any
CASE(random_3)
{
    planted(3);
}
// case random_14 --tool racecheck
// > Error: Race reported between *
// errors any
CASE(random_14)
{
    planted(14);
}
// case random_15 --tool racecheck
// > Error: Race reported between *
// errors any
CASE(random_15)
{
    planted(15);
}
// case random_92 --tool racecheck
// > Error: Race reported between *
// errors any
CASE(random_92)
{
    planted(92);
}

// ---- the same under memcheck
// case use_before_allocation --track-stream-ordered-races all
// > Stream-ordered race (use before allocation)
// > between allocation of 65536 bytes
// > and Write access at fill(int*, int)+0x* in streams.h:*
// > by the allocation in stream * and thread (*,0,0) in block (*,0,0) in stream *
// > Saved host backtrace up to driver entry point of the first operation
// > Host Frame: cudaMallocAsync [0x*] in streams
// > ERROR SUMMARY: 1 error
// errors 1
CASE(use_before_allocation)
{
    streams s;
    int *a;
    cudaMallocAsync((void **)&a, 64 * N * sizeof *a, s[0]);
    fill<<<64, N, 0, s[1]>>>(a, 64 * N);
}

// case use_after_free --track-stream-ordered-races=use-after-free
// > Stream-ordered race (use after free)
// > between Read access of a copy of 1024 bytes
// > and free of 1024 bytes
// errors 1
CASE(use_after_free)
{
    streams s;
    int *a, *h = pinned<int>(N);
    cudaMallocAsync((void **)&a, N * sizeof *a, s[0]);
    cudaMemcpyAsync(h, a, N * sizeof *a, cudaMemcpyDeviceToHost, s[1]);
    cudaFreeAsync(a, s[0]);
}

// case not_asked_for
CASE(not_asked_for)
{
    streams s;
    int *a;
    cudaMallocAsync((void **)&a, N * sizeof *a, s[0]);
    fill<<<4, 64, 0, s[1]>>>(a, N);
}

CASES
