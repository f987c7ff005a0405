// SPDX-License-Identifier: Apache-2.0
// A process may end at any moment: while threads compile, launch and wait, while a kernel runs that never ends, from any thread,
// from a handler of signals, in a child. It ends then, with the status that it was given.
#include "common.h"
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

// steps(out, n): out[i] = n steps of a generator from i. spin(p): until *p is not 0.
static const char text[] = PTX_HEAD PTX_PUT
    ".visible .entry steps(.param .u64 o, .param .u32 n) {\n"
    " .reg .pred %p; .reg .b32 %r<8>; .reg .b64 %d<4>;\n"
    " mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x; mad.lo.s32 %r4, %r1, %r2, %r3; mov.u32 %r6, "
    "%r4;\n"
    " ld.param.u64 %d1, [o]; ld.param.u32 %r5, [n];\n"
    "again: mad.lo.s32 %r6, %r6, 1664525, 1013904223; add.s32 %r5, %r5, -1; setp.gt.s32 %p, %r5, 0; @%p bra again;\n"
    " mul.wide.u32 %d2, %r4, 4; add.s64 %d3, %d1, %d2; st.global.u32 [%d3], %r6; ret; }\n"
    ".visible .entry spin(.param .u64 f) {\n"
    " .reg .pred %p; .reg .b32 %r<2>; .reg .b64 %d<2>; ld.param.u64 %d1, [f];\n"
    "wait: ld.acquire.gpu.global.u32 %r1, [%d1]; setp.eq.u32 %p, %r1, 0; @%p bra wait; ret; }\n";

enum { THREADS = 3, BLOCKS = 64, LANES = 128, STATUS = 17, LIMIT_MS = 600000 };
static CUcontext context;
static useconds_t delay;

// Calls fail only before the end; later nobody looks any more.
#define TRY(call)                                                                                                      \
    do {                                                                                                               \
        if (call)                                                                                                      \
            _exit(99);                                                                                                 \
    } while (0)

static void *work(void *unused)
{
    (void)unused;
    TRY(cuCtxSetCurrent(context));
    for (;;) { // compiled anew on every turn
        CUmodule m;
        CUfunction f, g;
        CUdeviceptr p;
        unsigned n = 2000;
        TRY(cuModuleLoadData(&m, text));
        TRY(cuModuleGetFunction(&f, m, "steps"));
        TRY(cuModuleGetFunction(&g, m, "put"));
        TRY(cuMemAlloc(&p, BLOCKS * LANES * sizeof n));
        void *args[] = {&p, &n};
        for (int i = 0; i < 30; i++)
            TRY(cuLaunchKernel(f, BLOCKS, 1, 1, LANES, 1, 1, 0, NULL, args, NULL));
        TRY(cuLaunchKernel(g, BLOCKS, 1, 1, LANES, 1, 1, 0, NULL, args, NULL));
        TRY(cuCtxSynchronize());
        TRY(cuMemFree(p));
        TRY(cuModuleUnload(m));
    }
}

static void *leave(void *unused)
{
    (void)unused;
    usleep(delay);
    exit(STATUS);
}

static void handler(int number)
{
    (void)number;
    exit(STATUS);
}

static void start_thread(void *(*body)(void *))
{
    pthread_t t;
    if (pthread_create(&t, NULL, body, NULL))
        _exit(98);
}

static void busy(void)
{
    for (int i = 0; i < THREADS; i++)
        start_thread(work);
}

static void spin(void)
{
    CUmodule m;
    CUfunction f;
    CUdeviceptr p;
    TRY(cuModuleLoadData(&m, text));
    TRY(cuModuleGetFunction(&f, m, "spin"));
    TRY(cuMemAlloc(&p, 4));
    TRY(cuMemsetD32(p, 0, 1));
    void *args[] = {&p};
    TRY(cuLaunchKernel(f, 4, 1, 1, 64, 1, 1, 0, NULL, args, NULL));
}

static int main_ends(void)
{
    busy();
    usleep(delay);
    return STATUS;
}

static int thread_ends(void)
{
    start_thread(leave);
    work(NULL);
    return 0;
}

static int spin_ends(void)
{
    spin();
    usleep(delay);
    return STATUS;
}

static int spin_thread_ends(void)
{
    spin();
    start_thread(leave);
    cuCtxSynchronize();
    return 0;
}

// The handler runs in one of the threads that work, or in the main one.
static int handler_ends(void)
{
    struct itimerval t = {.it_value = {0, (suseconds_t)delay + 1}};
    signal(SIGALRM, handler);
    busy();
    setitimer(ITIMER_REAL, &t, NULL);
    while (pause())
        ;
    return 0;
}

static int child_ends(void)
{
    busy();
    usleep(delay);
    for (int i = 0; i < 4; i++) {
        int status = -1;
        pid_t child = fork();
        if (!child)
            exit(STATUS);
        if (waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status) != STATUS)
            _exit(97);
    }
    return STATUS;
}

// The main thread is gone; the process goes on until another one ends it.
static int main_thread_gone(void)
{
    start_thread(work);
    start_thread(leave);
    pthread_exit(NULL);
}

static const struct {
    const char *name;
    int (*run)(void);
} ways[] = {{"main", main_ends},
            {"thread", thread_ends},
            {"spin", spin_ends},
            {"spin-thread", spin_thread_ends},
            {"handler", handler_ends},
            {"child", child_ends},
            {"main-gone", main_thread_gone}};
enum { WAYS = sizeof ways / sizeof *ways };

static void passes(const char *name, const char *us, pid_t p)
{
    int status = -1, ms = 0;
    while (!waitpid(p, &status, WNOHANG) && ms < LIMIT_MS) {
        usleep(5000);
        ms += 5;
    }
    if (ms >= LIMIT_MS) {
        kill(p, SIGKILL);
        waitpid(p, &status, 0);
    }
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == STATUS);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != STATUS)
        fprintf(stderr, "%s after %s us: status %#x%s\n", name, us, status, ms >= LIMIT_MS ? ", never ended" : "");
}

int main(int argc, char **argv)
{
    static const char *const times[] = {"0", "3000", "20000", "50000", "90000", "150000"};
    enum { TIMES = sizeof times / sizeof *times };
    if (argc == 3) {
        delay = (useconds_t)atoi(argv[2]);
        context = start();
        for (unsigned i = 0; i < WAYS; i++)
            if (!strcmp(argv[1], ways[i].name))
                return ways[i].run();
        return 96;
    }
    setenv("HEDDLE_CACHE", "0", 1);
    setenv("HEDDLE_QUICK", "always", 1);
    for (unsigned i = 0; i < WAYS; i++) {
        pid_t all[TIMES];
        for (unsigned k = 0; k < TIMES; k++)
            if (!(all[k] = fork())) {
                execl("/proc/self/exe", "ends", ways[i].name, times[k], NULL);
                _exit(95);
            }
        for (unsigned k = 0; k < TIMES; k++)
            passes(ways[i].name, times[k], all[k]);
    }
    return test_summary();
}
