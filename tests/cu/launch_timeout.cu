// SPDX-License-Identifier: Apache-2.0
// Kernels that never end: with HEDDLE_LAUNCH_TIMEOUT they end with cudaErrorLaunchTimeout, which stays until the device is
// reset, wherever their threads are when the time is up. Without it an interrupt ends the process. Each case has a process of
// its own.
#include "check.h"
#include <cooperative_groups.h>
#include <csignal>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

namespace cg = cooperative_groups;

enum { GRID = 3, BLOCK = 64 };

__device__ unsigned endless(unsigned x, const int *never)
{
    while (*never == 0) { // not volatile: nobody looks again
        x = x * 1664525u + 1013904223u;
        asm volatile("" : "+r"(x)); // or C++ lets the compiler think that the loop ends
    }
    return x;
}

// In the kernel's own code, all threads.
__global__ void computing(int *p, const int *never)
{
    p[threadIdx.x] = (int)endless(threadIdx.x, never);
}

// One thread of one block, while the others are over or wait.
__global__ void one_thread(int *p, const int *never)
{
    if (blockIdx.x == 1 && threadIdx.x == 37)
        p[0] = (int)endless(1, never);
    __syncthreads();
    p[threadIdx.x + 1] = p[0];
}

__global__ void spinning(int *p, const int *never)
{
    while (*(volatile const int *)never == 0)
        p[1] = 1;
}

__global__ void sleeping(int *p, const int *never)
{
#if __CUDA_ARCH__ >= 700
    while (*(volatile const int *)never == 0)
        __nanosleep(1000);
#endif
    p[1] = 1;
}

__global__ void atomics(int *p, const int *)
{
    while (atomicAdd(p, 0) != -1)
        ;
}

// One block does not come to the barrier of the grid.
__global__ void grid_barrier(int *p, const int *never)
{
    if (blockIdx.x == 1)
        while (*(volatile const int *)never == 0)
            ;
    cg::this_grid().sync();
    p[threadIdx.x] = 1;
}

// Most of the time is spent in functions of the engine that hold locks.
__global__ void allocating(int *p, const int *never)
{
    while (*(volatile const int *)never == 0)
        free(malloc(16));
    p[0] = 1;
}

__global__ void printing(int *p, const int *never)
{
    while (*(volatile const int *)never == 0)
        printf("%d\n", threadIdx.x);
    p[0] = 1;
}

// Blocks that end, but far too many.
__global__ void many_blocks(int *p, const int *)
{
    int x = blockIdx.x;
    for (int i = 0; i < 10000; i++)
        x = x * 3 + (p[x & 63] | 1);
    if (x == 5)
        p[0] = 1;
}

__global__ void fine(int *p, const int *)
{
    p[threadIdx.x] = threadIdx.x;
}

typedef void kernel_fn(int *, const int *);

static const struct row {
    const char *name;
    kernel_fn *kernel;
    unsigned blocks;
} rows[] = {
    {"computing", computing, GRID},   {"one_thread", one_thread, GRID}, {"spinning", spinning, GRID},
    {"sleeping", sleeping, GRID},     {"atomics", atomics, GRID},       {"grid_barrier", grid_barrier, GRID},
    {"allocating", allocating, GRID}, {"printing", printing, GRID},     {"many_blocks", many_blocks, 1u << 30},
};

static void launch(const struct row *r, int *p, int *never)
{
    void *args[] = {&p, &never};
    if (r->kernel == grid_barrier)
        OK(cudaLaunchCooperativeKernel((void *)r->kernel, r->blocks, BLOCK, args, 0, 0));
    else
        OK(cudaLaunchKernel((void *)r->kernel, r->blocks, BLOCK, args, 0, 0));
}

static const struct row *row_of(const char *name)
{
    for (const row &r : rows)
        if (!std::strcmp(r.name, name))
            return &r;
    return nullptr;
}

// In a child: stdout goes nowhere.
static int timed_out(const char *name)
{
    Buffer<int> p(256), never(1);
    int on = 0;
    void *more;
    OK(cudaDeviceGetAttribute(&on, cudaDevAttrKernelExecTimeout, 0));
    EXPECT(on == 1);
    launch(row_of(name), p.p, never.p);
    EXPECT(cudaDeviceSynchronize() == cudaErrorLaunchTimeout);
    EXPECT(cudaGetLastError() == cudaErrorLaunchTimeout);
    EXPECT(cudaMalloc(&more, 16) == cudaErrorLaunchTimeout);
    fine<<<1, 32>>>(p.p, never.p);
    EXPECT(cudaGetLastError() == cudaErrorLaunchTimeout);
    OK(cudaDeviceReset());
    Buffer<int> q(256);
    fine<<<1, 32>>>(q.p, q.p);
    LAUNCHED();
    EXPECT(q.get()[31] == 31);
    return DONE();
}

static void at_interrupt(int)
{
    std::exit(3);
}

// In a child: tells when the kernel runs, and waits for it.
static int waiting(const char *name, bool handled)
{
    Buffer<int> p(256), never(1);
    signal(SIGINT, handled ? at_interrupt : SIG_DFL);
    launch(row_of(name), p.p, never.p);
    if (write(2, "r", 1) == 1)
        cudaDeviceSynchronize();
    return 1;
}

struct child {
    pid_t pid;
    int err; // what it writes to stderr
};

static child start(char **argv, const char *what, const char *name)
{
    int fd[2];
    if (pipe(fd))
        std::exit(2);
    pid_t pid = fork();
    if (!pid) {
        dup2(fd[1], 2);
        close(fd[0]);
        if (!freopen("/dev/null", "w", stdout))
            _exit(127);
        if (!std::strcmp(what, "limit"))
            setenv("HEDDLE_LAUNCH_TIMEOUT", "1", 1);
        else
            unsetenv("HEDDLE_LAUNCH_TIMEOUT");
        execl(argv[0], argv[0], what, name, (char *)nullptr);
        _exit(127);
    }
    close(fd[1]);
    return {pid, fd[0]};
}

static int finish(const child &c, std::string *text)
{
    char buffer[256];
    ssize_t n;
    int status = -1;
    while ((n = read(c.err, buffer, sizeof buffer)) > 0)
        text->append(buffer, (size_t)n);
    close(c.err);
    waitpid(c.pid, &status, 0);
    return status;
}

static void check_limits(char **argv)
{
    std::vector<child> children;
    for (const row &r : rows)
        children.push_back(start(argv, "limit", r.name));
    for (size_t i = 0; i < children.size(); i++) {
        std::string text, kernel = rows[i].name, wanted = "launch timeout, HEDDLE_LAUNCH_TIMEOUT=1, in block (";
        int status = finish(children[i], &text);
        bool told = text.find(wanted) != text.npos && text.find(kernel) != text.npos;
        if (status || !told)
            std::fprintf(stderr, "%s: status %x, %s\n", rows[i].name, status, text.c_str());
        EXPECT(status == 0);
        EXPECT(told);
    }
}

static void check_interrupts(char **argv)
{
    for (const char *what : {"wait", "handler"})
        for (const char *name : {"computing", "spinning", "allocating"}) {
            if (*what == 'h' && *name == 'a')
                continue; // a handler that ends the process while the thread holds the heap's lock would wait for itself
            child c = start(argv, what, name);
            std::string text;
            char ready = 0;
            EXPECT(read(c.err, &ready, 1) == 1 && ready == 'r');
            kill(c.pid, SIGINT);
            int status = finish(c, &text);
            EXPECT(*what == 'w' ? WIFSIGNALED(status) && WTERMSIG(status) == SIGINT
                                : WIFEXITED(status) && WEXITSTATUS(status) == 3);
        }
}

int main(int argc, char **argv)
{
    if (argc > 2)
        return !std::strcmp(argv[1], "limit") ? timed_out(argv[2]) : waiting(argv[2], !std::strcmp(argv[1], "handler"));
    if (on_gpu())
        SKIP("the limit is that of the driver's settings");
    check_limits(argv);
    check_interrupts(argv);
    return DONE();
}
