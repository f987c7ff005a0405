// SPDX-License-Identifier: Apache-2.0
// Several devices: each has a slab of a wave equation's grid, and after every step it sends its edges to its neighbours, device to device, ordered by
// events alone. HEDDLE_DEVICES=4 has four devices on any machine.
// Environment: HEDDLE_DEVICES=4
#include "../check.h"
#include <cmath>
#include <utility>
#include <vector>

constexpr int N = 4096, STEPS = 200;
constexpr double PI = 3.14159265358979;

struct slab {
    int cells; // its own; one of each neighbour on either side
    float *before, *now, *next;
    cudaStream_t stream;
    cudaEvent_t stepped, sent;
};

__global__ void step(const float *before, const float *now, float *next, int cells, bool left_wall, bool right_wall)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x + 1;
    if (i > cells)
        return;
    float l = i == 1 && left_wall ? 0 : now[i - 1], r = i == cells && right_wall ? 0 : now[i + 1];
    next[i] = 2 * now[i] - before[i] + 0.25f * (l - 2 * now[i] + r);
}

int main()
{
    int devices = 0, first = 0;
    CHECK(cudaGetDeviceCount(&devices));
    std::vector<slab> all(devices);
    std::vector<double> before(N + 2), now(N + 2), next(N + 2);
    for (int i = 1; i <= N; i++)
        before[i] = now[i] = std::exp(-std::pow((i - N / 3.0) / 40, 2));
    for (int d = 0; d < devices; d++) {
        slab &s = all[d];
        s.cells = N / devices + (d < N % devices);
        CHECK(cudaSetDevice(d));
        for (int other : {d - 1, d + 1})
            if (other >= 0 && other < devices)
                (void)cudaDeviceEnablePeerAccess(other, 0); // copies between devices work without, too
        (void)cudaGetLastError();
        std::vector<float> mine(s.cells + 2);
        for (int i = 0; i < s.cells + 2; i++)
            mine[i] = (float)now[first + i];
        for (float **p : {&s.before, &s.now, &s.next}) {
            CHECK(cudaMalloc(p, mine.size() * sizeof(float)));
            CHECK(cudaMemcpy(*p, mine.data(), mine.size() * sizeof(float), cudaMemcpyHostToDevice));
        }
        CHECK(cudaStreamCreate(&s.stream));
        CHECK(cudaEventCreateWithFlags(&s.stepped, cudaEventDisableTiming));
        CHECK(cudaEventCreateWithFlags(&s.sent, cudaEventDisableTiming));
        first += s.cells;
    }
    for (int t = 0; t < STEPS; t++) {
        for (int d = 0; d < devices; d++) {
            slab &s = all[d];
            CHECK(cudaSetDevice(d));
            for (int other : {d - 1, d + 1})
                if (t && other >= 0 && other < devices)
                    CHECK(cudaStreamWaitEvent(s.stream, all[other].sent, 0)); // its edge has come
            step<<<(s.cells + 255) / 256, 256, 0, s.stream>>>(s.before, s.now, s.next, s.cells, d == 0,
                                                              d == devices - 1);
            CHECK(cudaEventRecord(s.stepped, s.stream));
        }
        for (int d = 0; d < devices; d++) { // what a device sends goes into the neighbour's newest state
            slab &s = all[d];
            CHECK(cudaSetDevice(d));
            if (d)
                CHECK(cudaMemcpyPeerAsync(all[d - 1].next + all[d - 1].cells + 1, d - 1, s.next + 1, d, sizeof(float),
                                          s.stream));
            if (d + 1 < devices)
                CHECK(cudaMemcpyPeerAsync(all[d + 1].next, d + 1, s.next + s.cells, d, sizeof(float), s.stream));
            CHECK(cudaEventRecord(s.sent, s.stream));
        }
        for (slab &s : all) {
            std::swap(s.before, s.now);
            std::swap(s.now, s.next);
        }
        for (int i = 1; i <= N; i++)
            next[i] = 2 * now[i] - before[i] + 0.25 * (now[i - 1] - 2 * now[i] + now[i + 1]);
        before.swap(now);
        now.swap(next);
        now[0] = now[N + 1] = 0;
    }
    double worst = 0;
    first = 0;
    for (int d = 0; d < devices; d++) {
        std::vector<float> mine(all[d].cells);
        CHECK(cudaSetDevice(d));
        CHECK(cudaDeviceSynchronize());
        CHECK(cudaMemcpy(mine.data(), all[d].now + 1, mine.size() * sizeof(float), cudaMemcpyDeviceToHost));
        for (int i = 0; i < all[d].cells; i++)
            worst = std::fmax(worst, std::fabs(mine[i] - now[first + i + 1]));
        first += all[d].cells;
    }
    printf("%d devices, %d steps, largest error %.1e\n", devices, STEPS, worst);
    return verdict(worst < 1e-4);
}
