// SPDX-License-Identifier: Apache-2.0
// An access whose address is not a multiple of its size ends the kernel with cudaErrorMisalignedAddress, which stays. Each
// kind of access is tried in a process of its own: the context is lost afterwards.
#include "check.h"
#include <sys/wait.h>
#include <unistd.h>

__global__ void access(char *p, int kind, int at, int *result)
{
    __shared__ int words[64];
    __shared__ int4 quads[16];
    char *s = (char *)words, *q = (char *)quads;
    int local[4] = {1, 2, 3, 4}, t = threadIdx.x;
    words[t] = t;
    if (t < 16)
        quads[t] = make_int4(t, t, t, t);
    __syncthreads();
    switch (kind) {
    case 0: // all lanes, side by side
        ((int *)(p + at))[t] = t;
        break;
    case 1: // one place for all
        result[t] = *(volatile int *)(p + at);
        break;
    case 2: // one lane among many
        if (t == 37)
            *(short *)(p + at + 2 * t) = 1;
        break;
    case 3: // a gather
        result[t] = *(int *)(p + at + (t * 7 % 64) * 4);
        break;
    case 4: // a stride that is no multiple of the size
        result[t] = *(int *)(p + at * t);
        break;
    case 5: { // vectors must lie on multiples of the whole
        float4 v = ((float4 *)(p + at * 8))[t % 2];
        result[t] = (int)(v.x + v.y + v.z + v.w);
        break;
    }
    case 6:
        atomicAdd((int *)(p + at), 1);
        break;
    case 7:
        atomicCAS((unsigned long long *)(p + at * 4 + 8 * t), 1ull, 2ull);
        break;
    case 8: // shared memory
        result[t] = *(volatile int *)(s + at + 4 * (t % 8));
        break;
    case 9: {
        int4 v = ((int4 *)(q + at * 4))[t % 8];
        result[t] = v.x + v.y + v.z + v.w;
        break;
    }
    case 10: { // local memory
        char *l = (char *)local;
        asm volatile("" : "+l"(l)::"memory");
        result[t] = *(volatile int *)(l + at + 4 * (t % 2));
        break;
    }
    case 11: // in a loop, the same on every turn
        for (int i = 0; i < t % 5; i++)
            ((double *)(p + at * 4))[i] += 1;
        break;
    case 12: // a loop that nobody enters
        for (int i = 0; i < (t > 1000 ? 5 : 0); i++)
            ((double *)(p + 1))[i] += 1;
        result[t] = 1;
        break;
    case 13: // bytes may lie anywhere
        p[at + t] = 1;
        result[t] = p[at + t];
        break;
    }
}

static int run(int kind, int at)
{
    Buffer<char> p(4096);
    Buffer<int> result(64);
    access<<<2, 64>>>(p, kind, at, result);
    cudaError_t e = cudaDeviceSynchronize();
    if (!at || kind >= 12)
        return e != cudaSuccess;
    void *more;
    if (e != cudaErrorMisalignedAddress)
        std::fprintf(stderr, "kind %d: %s\n", kind, cudaGetErrorName(e));
    bool sticky = cudaMalloc(&more, 16) == e && cudaDeviceSynchronize() == e;
    _exit(e != cudaErrorMisalignedAddress || !sticky);
}

int main(int argc, char **argv)
{
    if (argc > 2)
        return run(atoi(argv[1]), atoi(argv[2]));
    pid_t running[14][2]; // all at once: a GPU takes a second for each
    for (int kind = 0; kind < 14; kind++)
        for (int at = 0; at < 2; at++)
            if (!(running[kind][at] = fork())) {
                char k[8], a[8];
                std::snprintf(k, sizeof k, "%d", kind);
                std::snprintf(a, sizeof a, "%d", at);
                execl(argv[0], argv[0], k, a, (char *)nullptr);
                _exit(127);
            }
    for (int kind = 0; kind < 14; kind++)
        for (int at = 0; at < 2; at++) {
            int status = -1;
            waitpid(running[kind][at], &status, 0);
            if (status)
                std::fprintf(stderr, "kind %d at %d\n", kind, at);
            EXPECT(status == 0);
        }
    return DONE();
}
