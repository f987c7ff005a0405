// SPDX-License-Identifier: Apache-2.0
// Programs of several streams that are right: racecheck may not say a word. streams.cu has the faults.
#include "streams.h"
#include <atomic>
#include <cuda.h>
#include <thread>

// case event --tool racecheck
CASE(event)
{
    streams s;
    int *a = device<int>(N), *b = device<int>(N);
    cudaEvent_t e = new_event();
    fill<<<4, 64, 0, s[0]>>>(a, N);
    cudaEventRecord(e, s[0]);
    cudaStreamWaitEvent(s[1], e, 0);
    twice<<<4, 64, 0, s[1]>>>(b, a, N);
}

// case through_a_third --tool racecheck
CASE(through_a_third)
{
    streams s;
    int *a = device<int>(N), *b = device<int>(N);
    cudaEvent_t e = new_event(), f = new_event();
    fill<<<4, 64, 0, s[0]>>>(a, N);
    cudaEventRecord(e, s[0]);
    cudaStreamWaitEvent(s[2], e, 0);
    cudaEventRecord(f, s[2]);
    cudaStreamWaitEvent(s[1], f, 0);
    twice<<<4, 64, 0, s[1]>>>(b, a, N);
}

// An event that is recorded again: what waits waits for the record before.
// case recorded_again --tool racecheck
CASE(recorded_again)
{
    streams s;
    int *a = device<int>(N), *b = device<int>(N);
    cudaEvent_t e = new_event();
    for (int i = 0; i < 20; i++) {
        fill<<<4, 64, 0, s[i % 2]>>>(a, N);
        cudaEventRecord(e, s[i % 2]);
        cudaStreamWaitEvent(s[1 - i % 2], e, 0);
        twice<<<4, 64, 0, s[1 - i % 2]>>>(b, a, N);
        cudaEventRecord(e, s[1 - i % 2]);
        cudaStreamWaitEvent(s[i % 2], e, 0);
    }
}

// The default stream comes behind streams that it waits for, and they behind it.
// case default_stream --tool racecheck
CASE(default_stream)
{
    cudaStream_t s, t;
    int *a = device<int>(N), *b = device<int>(N), *h = pinned<int>(N);
    cudaStreamCreate(&s);
    cudaStreamCreate(&t);
    cudaMemset(a, 0, N * sizeof *a);
    fill<<<4, 64, 0, s>>>(a, N);
    twice<<<4, 64>>>(b, a, N);
    fill<<<4, 64, 0, t>>>(b, N);
    twice<<<4, 64>>>(a, b, N);
    cudaMemcpyAsync(h, a, N * sizeof *a, cudaMemcpyDeviceToHost, s);
    fill<<<4, 64, 0, cudaStreamPerThread>>>(b, N);
    cudaStreamDestroy(t);
    cudaMemcpy(b, a, N * sizeof *a, cudaMemcpyDeviceToDevice);
}

// case destroyed_stream --tool racecheck
CASE(destroyed_stream) // the default stream waits for its work all the same
{
    cudaStream_t s;
    int *a = device<int>(N), *b = device<int>(N);
    cudaStreamCreate(&s);
    fill<<<4, 64, 0, s>>>(a, N);
    cudaStreamDestroy(s);
    twice<<<4, 64>>>(b, a, N);
}

// ---- what the program waits for
// case synchronized --tool racecheck
CASE(synchronized)
{
    streams s;
    int *a = device<int>(N), *b = device<int>(N), *h = pinned<int>(N);
    cudaEvent_t e = new_event();
    fill<<<4, 64, 0, s[0]>>>(a, N);
    cudaStreamSynchronize(s[0]);
    twice<<<4, 64, 0, s[1]>>>(b, a, N);
    cudaDeviceSynchronize();
    twice<<<4, 64, 0, s[2]>>>(a, b, N);
    cudaEventRecord(e, s[2]);
    cudaEventSynchronize(e);
    cudaMemcpyAsync(h, a, N * sizeof *a, cudaMemcpyDeviceToHost, s[0]);
    cudaFree(b); // waits too
    fill<<<4, 64, 0, s[1]>>>(a, N);
}

// case queried --tool racecheck
CASE(queried)
{
    streams s;
    int *a = device<int>(N), *b = device<int>(N);
    cudaEvent_t e = new_event();
    fill<<<4, 64, 0, s[0]>>>(a, N);
    while (cudaStreamQuery(s[0]) == cudaErrorNotReady)
        ;
    twice<<<4, 64, 0, s[1]>>>(b, a, N);
    cudaEventRecord(e, s[1]);
    while (cudaEventQuery(e) == cudaErrorNotReady)
        ;
    fill<<<4, 64, 0, s[2]>>>(a, N);
}

// case copies_that_wait --tool racecheck
CASE(copies_that_wait)
{
    static int h[N];
    streams s;
    int *a = device<int>(N), *b = device<int>(N);
    cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
    twice<<<4, 64, 0, s[0]>>>(b, a, N);
    cudaMemcpyAsync(h, b, sizeof h, cudaMemcpyDeviceToHost, s[0]); // to memory that is not pinned
    fill<<<4, 64, 0, s[1]>>>(b, N);
}

// case managed --tool racecheck
CASE(managed)
{
    streams s;
    int *m, *b = device<int>(N);
    cudaMallocManaged(&m, N * sizeof *m);
    cudaMemset(m, 0, N * sizeof *m); // of such memory it waits
    fill<<<4, 64, 0, s[0]>>>(m, N);
    cudaStreamSynchronize(s[0]);
    m[0] = 7;
    twice<<<4, 64, 0, s[1]>>>(b, m, N);
    cudaDeviceSynchronize();
    memset(m, 0, N * sizeof *m);
}

// Another thread has waited, and tells this one in a way that nobody sees.
// case other_thread --tool racecheck
CASE(other_thread)
{
    streams s;
    int *a = device<int>(N), *b = device<int>(N);
    std::thread t([&] {
        fill<<<4, 64, 0, s[0]>>>(a, N);
        cudaStreamSynchronize(s[0]);
    });
    t.join();
    twice<<<4, 64, 0, s[1]>>>(b, a, N);
}

static std::atomic<int> told;
// case host_function --tool racecheck
CASE(host_function)
{
    streams s;
    int *a = device<int>(N), *b = device<int>(N);
    fill<<<4, 64, 0, s[0]>>>(a, N);
    cudaLaunchHostFunc(s[0], [](void *) { told = 1; }, nullptr);
    while (!told)
        std::this_thread::yield();
    twice<<<4, 64, 0, s[1]>>>(b, a, N);
    // And a host function that waits for the program.
    cudaLaunchHostFunc(
        s[2],
        [](void *) {
            while (told != 2)
                std::this_thread::yield();
        },
        nullptr);
    fill<<<4, 64, 0, s[2]>>>(b, N);
    cudaStreamSynchronize(s[1]);
    told = 2;
}

// ---- what does not race
// case halves --tool racecheck
CASE(halves)
{
    streams s;
    int *a = device<int>(N), *h = pinned<int>(N);
    fill<<<2, 64, 0, s[0]>>>(a, N / 2);
    fill<<<2, 64, 0, s[1]>>>(a + N / 2, N / 2);
    cudaMemcpyAsync(h, a, N / 2 * sizeof *a, cudaMemcpyDeviceToHost, s[0]);
    cudaMemcpyAsync(h + N / 2, a + N / 2, N / 2 * sizeof *a, cudaMemcpyDeviceToHost, s[1]);
}

__global__ void every_other(char *a, int first)
{
    a[first + 2 * threadIdx.x] = 1;
}
// case bytes --tool racecheck
CASE(bytes)
{
    streams s;
    char *a = device<char>(64);
    every_other<<<1, 32, 0, s[0]>>>(a, 0);
    every_other<<<1, 32, 0, s[1]>>>(a, 1);
}

// case columns --tool racecheck
CASE(columns) // rows of two copies lie between each other
{
    streams s;
    char *a = device<char>(1024), *h = pinned<char>(1024);
    cudaMemcpy2DAsync(a, 64, h, 64, 32, 16, cudaMemcpyHostToDevice, s[0]);
    cudaMemcpy2DAsync(a + 32, 64, h + 32, 64, 32, 16, cudaMemcpyHostToDevice, s[1]);
    cudaMemset2DAsync(a + 32, 64, 0, 32, 16, s[1]);
}

// case readers --tool racecheck
CASE(readers)
{
    streams s;
    int *a = device<int>(N), *b = device<int>(N), *c = device<int>(N), *h = pinned<int>(N);
    cudaMemset(a, 0, N * sizeof *a);
    cudaDeviceSynchronize();
    twice<<<4, 64, 0, s[0]>>>(b, a, N);
    twice<<<4, 64, 0, s[1]>>>(c, a, N);
    cudaMemcpyAsync(h, a, N * sizeof *a, cudaMemcpyDeviceToHost, s[2]);
}

// case atomics --tool racecheck
CASE(atomics)
{
    streams s;
    int *sum = device<int>(1), h;
    cudaMemset(sum, 0, sizeof *sum);
    cudaDeviceSynchronize();
    for (int i = 0; i < 3; i++)
        add_all<<<2, 32, 0, s[i]>>>(sum, 4);
    cudaDeviceSynchronize();
    cudaMemcpy(&h, sum, sizeof h, cudaMemcpyDeviceToHost);
}

// ---- kernels that tell each other
__global__ void produce(int *data, int *flag)
{
    data[threadIdx.x] = threadIdx.x;
    __threadfence();
    __syncthreads();
    if (!threadIdx.x) {
        __threadfence();
        atomicExch(flag, 1);
    }
}
__global__ void consume(int *out, const int *data, int *flag)
{
    if (!threadIdx.x)
        while (!atomicAdd(flag, 0))
            ;
    __syncthreads();
    out[threadIdx.x] = data[threadIdx.x];
}
// case flag --tool racecheck
CASE(flag)
{
    streams s;
    int *data = device<int>(64), *f = device<int>(1), *out = device<int>(64);
    cudaMemset(f, 0, sizeof *f);
    cudaDeviceSynchronize();
    produce<<<1, 64, 0, s[0]>>>(data, f);
    consume<<<1, 64, 0, s[1]>>>(out, data, f);
    fill<<<1, 64, 0, s[1]>>>(data, 64); // behind the consumer, and so behind the producer
}

__global__ void tell_program(int *data, volatile int *flag)
{
    data[threadIdx.x] = threadIdx.x;
    __threadfence_system();
    __syncthreads();
    if (!threadIdx.x) {
        __threadfence_system();
        *flag = 1;
    }
}
// case mapped_flag --tool racecheck
CASE(mapped_flag)
{
    streams s;
    int *data = device<int>(64), *out = device<int>(64), *flag = pinned<int>(1);
    tell_program<<<1, 64, 0, s[0]>>>(data, flag);
    while (!*(volatile int *)flag)
        std::this_thread::yield();
    twice<<<1, 64, 0, s[1]>>>(out, data, 64);
}

__global__ void wait_for_program(int *data, volatile int *flag)
{
    if (!threadIdx.x)
        while (!*flag)
            ;
    __syncthreads();
    data[threadIdx.x] = 1;
}
// case flag_of_the_program --tool racecheck
CASE(flag_of_the_program)
{
    streams s;
    int *data = device<int>(64), *flag = pinned<int>(1);
    fill<<<1, 64, 0, s[0]>>>(data, 64);
    wait_for_program<<<1, 64, 0, s[1]>>>(data, flag);
    cudaStreamSynchronize(s[0]);
    *(volatile int *)flag = 1;
}

__global__ void consume_volatile(int *out, const int *data, volatile int *flag)
{
    if (!threadIdx.x)
        while (!*flag)
            ;
    __syncthreads();
    out[threadIdx.x] = data[threadIdx.x];
}
// The stream sets a flag for a kernel, a kernel one for a stream.
// case values --tool racecheck
CASE(values)
{
    streams s;
    int *data = device<int>(64), *f = device<int>(2), *out = device<int>(64);
    CUresult (*write)(CUstream, CUdeviceptr, cuuint32_t, unsigned),
        (*wait)(CUstream, CUdeviceptr, cuuint32_t, unsigned);
    cudaDriverEntryPointQueryResult found;
    cudaGetDriverEntryPointByVersion("cuStreamWriteValue32", (void **)&write, 12000, cudaEnableDefault, &found);
    cudaGetDriverEntryPointByVersion("cuStreamWaitValue32", (void **)&wait, 12000, cudaEnableDefault, &found);
    cudaMemset(f, 0, 2 * sizeof *f);
    cudaDeviceSynchronize();
    fill<<<1, 64, 0, s[0]>>>(data, 64);
    write(s[0], (CUdeviceptr)f, 1, 0);
    consume_volatile<<<1, 64, 0, s[1]>>>(out, data, f);
    cudaDeviceSynchronize();
    produce<<<1, 64, 0, s[0]>>>(data, f + 1);
    wait(s[2], (CUdeviceptr)(f + 1), 1, CU_STREAM_WAIT_VALUE_GEQ);
    twice<<<1, 64, 0, s[2]>>>(out, data, 64);
}

// ---- graphs
// case captured --tool racecheck
CASE(captured)
{
    streams s;
    int *a = device<int>(N), *b = device<int>(N), *c = device<int>(N);
    cudaEvent_t fork = new_event(), join = new_event();
    cudaGraph_t g;
    cudaGraphExec_t x;
    cudaStreamBeginCapture(s[0], cudaStreamCaptureModeGlobal);
    fill<<<4, 64, 0, s[0]>>>(a, N);
    cudaEventRecord(fork, s[0]);
    cudaStreamWaitEvent(s[1], fork, 0);
    twice<<<4, 64, 0, s[0]>>>(b, a, N);
    twice<<<4, 64, 0, s[1]>>>(c, a, N);
    cudaEventRecord(join, s[1]);
    cudaStreamWaitEvent(s[0], join, 0);
    twice<<<4, 64, 0, s[0]>>>(a, c, N);
    cudaMemsetAsync(b, 0, N * sizeof *b, s[0]);
    cudaStreamEndCapture(s[0], &g);
    cudaGraphInstantiate(&x, g, 0);
    for (int i = 0; i < 3; i++) // launches of one graph follow each other
        cudaGraphLaunch(x, s[i]);
    cudaStreamSynchronize(s[2]);
    fill<<<4, 64, 0, s[1]>>>(c, N);
    cudaGraphLaunch(x, s[1]);
    fill<<<4, 64, 0, s[1]>>>(c, N);
}

// case graph_events --tool racecheck
CASE(graph_events) // an event that a graph records, and one that it waits for
{
    streams s;
    int *a = device<int>(N), *b = device<int>(N);
    cudaEvent_t in = new_event(), out = new_event();
    cudaGraph_t g;
    cudaGraphExec_t x;
    cudaStreamBeginCapture(s[0], cudaStreamCaptureModeRelaxed);
    cudaStreamWaitEvent(s[0], in, cudaEventWaitExternal);
    twice<<<4, 64, 0, s[0]>>>(b, a, N);
    cudaEventRecordWithFlags(out, s[0], cudaEventRecordExternal);
    cudaStreamEndCapture(s[0], &g);
    cudaGraphInstantiate(&x, g, 0);
    for (int i = 0; i < 2; i++) {
        fill<<<4, 64, 0, s[1]>>>(a, N);
        cudaEventRecord(in, s[1]);
        cudaGraphLaunch(x, s[0]);
        cudaStreamWaitEvent(s[1], out, 0);
        cudaMemsetAsync(b, 0, N * sizeof *b, s[1]);
        cudaEventRecord(in, s[1]);
        cudaStreamWaitEvent(s[0], in, 0);
    }
}

// ---- buffers
// case double_buffering --tool racecheck
CASE(double_buffering)
{
    streams s;
    int *h[2] = {pinned<int>(N), pinned<int>(N)}, *a[2] = {device<int>(N), device<int>(N)};
    int *b[2] = {device<int>(N), device<int>(N)};
    cudaEvent_t up[2], done[2], down[2];
    for (int k = 0; k < 2; k++)
        up[k] = new_event(), done[k] = new_event(), down[k] = new_event();
    for (int i = 0; i < 10; i++) {
        int k = i % 2;
        if (i > 1)
            cudaEventSynchronize(down[k]);
        h[k][0] = i;
        cudaMemcpyAsync(a[k], h[k], N * sizeof(int), cudaMemcpyHostToDevice, s[0]);
        cudaEventRecord(up[k], s[0]);
        cudaStreamWaitEvent(s[1], up[k], 0);
        twice<<<4, 64, 0, s[1]>>>(b[k], a[k], N);
        cudaEventRecord(done[k], s[1]);
        cudaStreamWaitEvent(s[2], done[k], 0);
        cudaMemcpyAsync(h[k], b[k], N * sizeof(int), cudaMemcpyDeviceToHost, s[2]);
        cudaEventRecord(down[k], s[2]);
    }
}

// case allocated_in_order --tool racecheck
CASE(allocated_in_order)
{
    streams s;
    int *a, *b = device<int>(N);
    cudaEvent_t e = new_event(), f = new_event();
    for (int i = 0; i < 8; i++) { // the address is the same again
        cudaMallocAsync((void **)&a, N * sizeof *a, s[0]);
        cudaEventRecord(e, s[0]);
        cudaStreamWaitEvent(s[1], e, 0);
        fill<<<4, 64, 0, s[1]>>>(a, N);
        twice<<<4, 64, 0, s[1]>>>(b, a, N);
        cudaEventRecord(f, s[1]);
        cudaStreamWaitEvent(s[0], f, 0);
        cudaFreeAsync(a, s[0]);
    }
}

// case allocated_by_each --tool racecheck
CASE(allocated_by_each) // what one stream has freed another may get
{
    streams s;
    int *a;
    for (int i = 0; i < 24; i++) {
        cudaMallocAsync((void **)&a, 64 * N * sizeof *a, s[i % 3]);
        fill<<<4, 64, 0, s[i % 3]>>>(a, N);
        cudaFreeAsync(a, s[i % 3]);
        if (i % 5 == 4)
            cudaStreamSynchronize(s[i % 3]);
    }
}

// case freed_and_allocated --tool racecheck
CASE(freed_and_allocated) // memory of one address, which is not the same
{
    streams s;
    for (int i = 0; i < 12; i++) {
        int *a = device<int>(64 * N);
        fill<<<4, 64, 0, s[i % 3]>>>(a, N);
        cudaFree(a);
    }
}

// case random_programs --tool racecheck
CASE(random_programs)
{
    for (unsigned seed = 1; seed <= 8; seed++)
        random_program(seed).run(120, 120);
}

// ---- the same under memcheck, which asks for memory in stream order alone
// case ordered_for_memcheck --track-stream-ordered-races all
CASE(ordered_for_memcheck)
{
    streams s;
    int *a, *b = device<int>(N);
    cudaEvent_t e = new_event(), f = new_event();
    cudaMallocAsync((void **)&a, N * sizeof *a, s[0]);
    cudaEventRecord(e, s[0]);
    cudaStreamWaitEvent(s[1], e, 0);
    fill<<<4, 64, 0, s[1]>>>(a, N);
    cudaEventRecord(f, s[1]);
    fill<<<4, 64, 0, s[1]>>>(b, N);
    fill<<<4, 64, 0, s[2]>>>(b, N); // a race, but of other memory
    cudaStreamWaitEvent(s[0], f, 0);
    cudaFreeAsync(a, s[0]);
}

__global__ void own_memory(int *out)
{
    int *p = (int *)malloc(sizeof *p);
    if (!p)
        return;
    *p = threadIdx.x;
    out[threadIdx.x] = *p;
    free(p);
}
// case heap --tool racecheck
CASE(heap) // of the device: what one kernel has freed the other may get
{
    streams s;
    int *a = device<int>(64), *b = device<int>(64);
    for (int i = 0; i < 4; i++) {
        own_memory<<<1, 64, 0, s[0]>>>(a);
        own_memory<<<1, 64, 0, s[1]>>>(b);
    }
}

CASES
