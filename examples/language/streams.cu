// SPDX-License-Identifier: Apache-2.0
// Streams: a long array goes through the device in pieces, each in a stream of its own: copy in, kernel, copy out. What is in different streams may
// run at the same time; events order what must be ordered, and a host function is called in the stream's turn.
#include "../check.h"
#include <cmath>

constexpr int N = 1 << 18, PIECES = 8, STREAMS = 3, PIECE = N / PIECES;

__global__ void work(float *x)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = x[i];
    for (int k = 0; k < 50; k++)
        v = 0.5f * (v + x[i] / v); // a square root, by Newton's method
    x[i] = v;
}
static void count_piece(void *counter)
{
    ++*(int *)counter; // of one stream: no two at once
}

int main()
{
    float *host, *device;
    int done[STREAMS] = {0};
    cudaStream_t stream[STREAMS];
    cudaEvent_t start, last[STREAMS];
    CHECK(cudaMallocHost(&host, N * sizeof *host));
    CHECK(cudaMalloc(&device, N * sizeof *device));
    for (int i = 0; i < N; i++)
        host[i] = (float)(i + 1);
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventRecord(start));
    for (int s = 0; s < STREAMS; s++) {
        CHECK(cudaStreamCreateWithFlags(&stream[s], cudaStreamNonBlocking));
        CHECK(cudaEventCreate(&last[s]));
        CHECK(cudaStreamWaitEvent(stream[s], start, 0));
    }
    for (int p = 0; p < PIECES; p++) {
        cudaStream_t s = stream[p % STREAMS];
        float *h = host + p * PIECE, *d = device + p * PIECE;
        CHECK(cudaMemcpyAsync(d, h, PIECE * sizeof *d, cudaMemcpyHostToDevice, s));
        work<<<PIECE / 256, 256, 0, s>>>(d);
        CHECK(cudaMemcpyAsync(h, d, PIECE * sizeof *d, cudaMemcpyDeviceToHost, s));
        CHECK(cudaLaunchHostFunc(s, count_piece, &done[p % STREAMS]));
        CHECK(cudaEventRecord(last[p % STREAMS], s));
    }
    printf("%d pieces are on their way; stream 0 is %s\n", PIECES,
           cudaStreamQuery(stream[0]) == cudaErrorNotReady ? "at work" : "ready");
    int pieces = 0;
    float ms = 0, longest = 0;
    for (int s = 0; s < STREAMS; s++) {
        CHECK(cudaEventSynchronize(last[s]));
        CHECK(cudaEventElapsedTime(&ms, start, last[s]));
        longest = ms > longest ? ms : longest;
        pieces += done[s];
    }
    double worst = 0;
    for (int i = 0; i < N; i++)
        worst = std::fmax(worst, std::fabs(host[i] / std::sqrt(i + 1.0) - 1));
    printf("%d pieces came back after %.2f ms, largest error %.1e\n", pieces, longest, worst);
    for (int s = 0; s < STREAMS; s++)
        CHECK(cudaStreamDestroy(stream[s]));
    CHECK(cudaFree(device));
    CHECK(cudaFreeHost(host));
    return verdict(worst < 1e-6 && pieces == PIECES);
}
