// SPDX-License-Identifier: Apache-2.0
// A program ends while its threads launch, while a kernel runs that never ends, and with calls in the destructors of its variables;
// a child that is forked off ends too. A managed variable means that the library is in use before the program has registered
// all of its code.
// widths: 8
#include "check.h"
#include <atomic>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

__managed__ int counter = 5;
__device__ int plain;

template <int N> __global__ void work(int *p, int turns)
{
    unsigned v = threadIdx.x;
    for (int i = 0; i < turns; i++)
        v = v * 1664525u + N;
    p[blockIdx.x * blockDim.x + threadIdx.x] = v;
}

__global__ void spin(volatile int *flag)
{
    while (!*flag)
        ;
}

// Not even for a moment: nothing that the engine could stop it at.
__global__ void forever(int n)
{
    if (n == 3)
        for (;;)
            ;
}

struct Last {
    int *p = nullptr;
    ~Last()
    {
        if (p) {
            work<9><<<1, 32>>>(p, 3); // not compiled yet
            cudaDeviceSynchronize();
            cudaFree(p);
        }
    }
} last;

static std::atomic<bool> ending; // calls of other threads may fail then

#define CALL(call)                                                                                                     \
    do {                                                                                                               \
        cudaError_t e_ = call;                                                                                         \
        if (e_ && !ending) {                                                                                           \
            std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(e_));                                           \
            _exit(2);                                                                                                  \
        }                                                                                                              \
        while (e_)                                                                                                     \
            pause();                                                                                                   \
    } while (0)

static void *busy(void *)
{
    int *p, three = 3;
    cudaStream_t s;
    CALL(cudaStreamCreate(&s));
    CALL(cudaMalloc(&p, 32 * 128 * sizeof(int)));
    for (;;) {
        work<1><<<32, 128, 0, s>>>(p, 500);
        work<2><<<32, 64, 0, s>>>(p, 500);
        work<3><<<32, 128>>>(p, 500);
        CALL(cudaMemcpyToSymbol(plain, &three, sizeof three));
        CALL(cudaStreamSynchronize(s));
    }
    return nullptr;
}

static void threads()
{
    pthread_t t;
    for (int i = 0; i < 2; i++)
        pthread_create(&t, nullptr, busy, nullptr);
}

static int run(char way, int us)
{
    int status = -1;
    alarm(getenv("HEDDLE_TEST_BRIEF") ? 3000 : 240); // what never ends fails before the test does
    switch (way) {
    case 't': // threads at work
        threads();
        usleep(us);
        ending = true;
        return 0;
    case 's': { // a kernel that never ends
        int *flag;
        OK(cudaMalloc(&flag, sizeof *flag));
        OK(cudaMemset(flag, 0, sizeof *flag));
        spin<<<2, 32>>>(flag);
        usleep(us);
        return 0;
    }
    case 'e': // nor gives way
        forever<<<2, 32>>>(3);
        usleep(us);
        return 0;
    case 'd': // destructors
        OK(cudaMalloc(&last.p, 4096));
        work<1><<<1, 32>>>(last.p, 3);
        usleep(us);
        return 0;
    case 'f': // a child
        threads();
        usleep(us);
        for (int i = 0; i < 3; i++) {
            pid_t child = fork();
            if (!child) { // calls fail there, and come back
                int *p;
                if (!cudaMalloc(&p, 4096))
                    work<8><<<1, 32>>>(p, 3);
                cudaDeviceSynchronize();
                exit(0);
            }
            if (waitpid(child, &status, 0) != child || status)
                _exit(3);
        }
        ending = true;
        return 0;
    }
    return 4;
}

int main(int argc, char **argv)
{
    if (argc > 2)
        return run(argv[1][0], atoi(argv[2]));
    EXPECT(counter == 5);
    if (on_gpu())
        SKIP("kernels that never end, and forks, are a driver's own affair");
    setenv("HEDDLE_CACHE", "0", 1);
    // QEMU fails an assertion of its own where a process forks while another of its threads begins.
    for (const char *way = getenv("HEDDLE_TEST_BRIEF") ? "tsed" : "tsedf"; *way; way++) {
        const char *us[] = {"0", "200", "600", "30000", "100000"};
        const int n = sizeof us / sizeof *us;
        pid_t all[n];
        for (int i = 0; i < n; i++)
            if (!(all[i] = fork())) {
                char name[] = {*way, 0};
                execl(argv[0], argv[0], name, us[i], (char *)nullptr);
                _exit(5);
            }
        for (int i = 0; i < n; i++) {
            int status = -1;
            waitpid(all[i], &status, 0);
            if (status)
                std::fprintf(stderr, "%c after %s us: %#x\n", *way, us[i], status);
            EXPECT(status == 0);
        }
    }
    return DONE();
}
