// SPDX-License-Identifier: Apache-2.0
// The order of what kernels launch: stream 0 of a block, streams and events made in kernels, fire and forget, tail launches.
// nvcc: -rdc=true -lcudadevrt
// clang: 22
#include "check.h"

// Adds a mark at the end of a log: log[0] is its length.
__global__ void mark(int *log, int x)
{
    log[1 + atomicAdd(log, 1)] = x;
}

// value = value * 3 + x: shows the order in which it is done.
__global__ void step(long long *value, int x)
{
    *value = *value * 3 + x;
}

__global__ void null_stream(long long *values)
{
    long long *mine = values + blockIdx.x;
    for (int i = 1; i <= 12; i++)
        step<<<1, 1>>>(mine, i % 3);
}

// The threads of a block share stream 0.
__global__ void null_stream_of_all(long long *value)
{
    for (int i = 0; i < 4; i++) {
        if (threadIdx.x == unsigned(i) * 40)
            step<<<1, 1>>>(value, i);
        __syncthreads();
    }
}

__global__ void named_streams(long long *values, cudaError_t *errors)
{
    cudaStream_t s[2];
    for (int i = 0; i < 2; i++)
        errors[i] = cudaStreamCreateWithFlags(&s[i], cudaStreamNonBlocking);
    for (int i = 1; i <= 8; i++) {
        step<<<1, 1, 0, s[0]>>>(values, i % 3);
        step<<<1, 1, 0, s[1]>>>(values + 1, (i + 1) % 3);
    }
    errors[2] = cudaStreamDestroy(s[0]);
    errors[3] = cudaStreamDestroy(s[1]);
    errors[4] = cudaGetLastError();
}

// a after b after a, over two streams.
__global__ void events(long long *value, cudaError_t *errors)
{
    cudaStream_t a, b;
    cudaEvent_t first, second;
    errors[0] = cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
    errors[1] = cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
    errors[2] = cudaEventCreateWithFlags(&first, cudaEventDisableTiming);
    errors[3] = cudaEventCreateWithFlags(&second, cudaEventDisableTiming);
    step<<<1, 1, 0, a>>>(value, 1);
    errors[4] = cudaEventRecord(first, a);
    errors[5] = cudaStreamWaitEvent(b, first, 0);
    step<<<1, 1, 0, b>>>(value, 2);
    errors[6] = cudaEventRecord(second, b);
    errors[7] = cudaStreamWaitEvent(a, second, 0);
    step<<<1, 1, 0, a>>>(value, 0);
    step<<<1, 1, 0, a>>>(value, 2);
    errors[8] = cudaEventDestroy(first);
    errors[9] = cudaEventDestroy(second);
}

__global__ void slow_mark(int *log, int x, int turns)
{
    for (int i = 0; i < turns; i++)
        __nanosleep(1000);
    mark<<<1, 1>>>(log, x);
}

// Tail launches come behind the grid and all its children, in their order.
__global__ void tails(int *log)
{
    mark<<<1, 1, 0, cudaStreamTailLaunch>>>(log, 10);
    mark<<<1, 1, 0, cudaStreamTailLaunch>>>(log, 11);
    slow_mark<<<1, 1, 0, cudaStreamFireAndForget>>>(log, 1, 50);
    slow_mark<<<1, 1>>>(log, 1, 5);
    log[1 + atomicAdd(log, 1)] = 0;
}

// A tail launch of a tail launch comes before the next one of the first grid.
__global__ void tail_inner(int *log, int x)
{
    mark<<<1, 1, 0, cudaStreamTailLaunch>>>(log, x + 1);
    log[1 + atomicAdd(log, 1)] = x;
}

__global__ void tail_outer(int *log)
{
    tail_inner<<<1, 1, 0, cudaStreamTailLaunch>>>(log, 20);
    tail_inner<<<1, 1, 0, cudaStreamTailLaunch>>>(log, 30);
}

__global__ void bump(int *count)
{
    *count = *count * 2 + 1;
}

// A loop without the host: each round launches the next.
__global__ void rounds(int *count, int left)
{
    if (threadIdx.x == 0 && blockIdx.x == 0 && left)
        rounds<<<gridDim, blockDim, 0, cudaStreamTailLaunch>>>(count, left - 1);
    atomicAdd(count, 1);
}

__global__ void scatter(int *hits, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        mark<<<1, 1, 0, cudaStreamFireAndForget>>>(hits, i);
}

int main()
{
    Buffer<long long> values(64);
    Buffer<int> log(1200);
    Buffer<cudaError_t> errors(16);
    auto clear = [&] {
        OK(cudaMemset(values, 0, 64 * sizeof(long long)));
        OK(cudaMemset(log, 0, 1200 * sizeof(int)));
        OK(cudaMemset(errors, 0xff, 16 * sizeof(int)));
    };
    auto none_failed = [&](int n) {
        std::vector<cudaError_t> e = errors.get();
        for (int i = 0; i < n; i++)
            EXPECT(e[i] == cudaSuccess);
    };

    clear();
    null_stream<<<50, 1>>>(values);
    LAUNCHED();
    long long want = 0;
    for (int i = 1; i <= 12; i++)
        want = want * 3 + i % 3;
    for (int b = 0; b < 50; b++)
        EXPECT(values.get()[b] == want);

    clear();
    null_stream_of_all<<<1, 128>>>(values);
    LAUNCHED();
    EXPECT(values.get()[0] == (1 * 3 + 2) * 3 + 3);

    clear();
    named_streams<<<1, 1>>>(values, errors);
    LAUNCHED();
    long long x = 0, y = 0;
    for (int i = 1; i <= 8; i++)
        x = x * 3 + i % 3, y = y * 3 + (i + 1) % 3;
    EXPECT(values.get()[0] == x);
    EXPECT(values.get()[1] == y);
    none_failed(5);

    clear();
    events<<<1, 1>>>(values, errors);
    LAUNCHED();
    EXPECT(values.get()[0] == ((1 * 3 + 2) * 3 + 0) * 3 + 2);
    none_failed(10);

    clear();
    tails<<<1, 1>>>(log);
    LAUNCHED();
    std::vector<int> l = log.get();
    EXPECT(l[0] == 5);
    EXPECT(l[1] + l[2] + l[3] == 2);
    EXPECT(l[4] == 10);
    EXPECT(l[5] == 11);

    clear();
    tail_outer<<<1, 1>>>(log);
    LAUNCHED();
    l = log.get();
    EXPECT(l[0] == 4 && l[1] == 20 && l[2] == 21 && l[3] == 30 && l[4] == 31);

    clear();
    rounds<<<3, 64>>>(log, 40);
    bump<<<1, 1>>>(log); // the stream waits for all of it
    LAUNCHED();
    l = log.get();
    EXPECT(l[0] == 2 * 41 * 3 * 64 + 1);

    clear();
    scatter<<<8, 128>>>(log, 1000);
    LAUNCHED();
    l = log.get();
    std::vector<char> seen(1000);
    EXPECT(l[0] == 1000);
    for (int i = 0; i < 1000; i++)
        seen[l[1 + i]]++;
    for (int i = 0; i < 1000; i++)
        EXPECT(seen[i] == 1);
    return DONE();
}
