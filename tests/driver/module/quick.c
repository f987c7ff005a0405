// SPDX-License-Identifier: Apache-2.0
// Quick code first: kernels run at once, optimised code takes over while launches go on, and the disk cache keeps both. Results
// are the same throughout; modules may be unloaded and the process may end, or fork, at any moment of it.
#include "common.h"
#include <stdbool.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { BLOCKS = 64, LANES = 128, TURNS = 2000 };

// steps(out, n): out[i] = n steps of a generator from i. chain(flags, n): the same for block b's first thread, from what block b-1
// has left at flags[b], when it has; the blocks wait for each other.
static const char text[] = PTX_HEAD
    ".visible .entry steps(.param .u64 o, .param .u32 n) {\n"
    " .reg .pred %p; .reg .b32 %r<8>; .reg .b64 %d<4>;\n"
    " mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x; mad.lo.s32 %r4, %r1, %r2, %r3; mov.u32 %r6, "
    "%r4;\n"
    " ld.param.u64 %d1, [o]; ld.param.u32 %r5, [n];\n"
    "again: mad.lo.s32 %r6, %r6, 1664525, 1013904223; add.s32 %r5, %r5, -1; setp.gt.s32 %p, %r5, 0; @%p bra again;\n"
    " mul.wide.u32 %d2, %r4, 4; add.s64 %d3, %d1, %d2; st.global.u32 [%d3], %r6; ret; }\n"
    ".visible .entry chain(.param .u64 f, .param .u32 n) {\n"
    " .reg .pred %p; .reg .b32 %r<8>; .reg .b64 %d<4>;\n"
    " mov.u32 %r1, %ctaid.x; mov.u32 %r3, %tid.x; setp.ne.u32 %p, %r3, 0; @%p bra done;\n"
    " ld.param.u64 %d1, [f]; ld.param.u32 %r5, [n]; mul.wide.u32 %d2, %r1, 4; add.s64 %d3, %d1, %d2;\n"
    "wait: ld.acquire.gpu.global.u32 %r6, [%d3]; setp.eq.u32 %p, %r6, 0; @%p bra wait;\n"
    "again: mad.lo.s32 %r6, %r6, 1664525, 1013904223; add.s32 %r5, %r5, -1; setp.gt.s32 %p, %r5, 0; @%p bra again;\n"
    " or.b32 %r6, %r6, 1; st.release.gpu.global.u32 [%d3+4], %r6;\n"
    "done: ret; }\n";

static unsigned steps(unsigned x, int n)
{
    while (n--)
        x = x * 1664525u + 1013904223u;
    return x;
}

static char folder[] = "/tmp/heddle-quick-XXXXXX";

static int files(void)
{
    char command[128];
    int n = -1;
    snprintf(command, sizeof command, "find %s -type f | wc -l", folder);
    FILE *f = popen(command, "r");
    CHECK(f && fscanf(f, "%d", &n) == 1);
    if (f)
        pclose(f);
    return n;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

struct loaded {
    CUmodule module;
    CUfunction steps, chain;
    CUdeviceptr out;
};

static struct loaded load(void)
{
    struct loaded l;
    OK(cuModuleLoadData(&l.module, text));
    OK(cuModuleGetFunction(&l.steps, l.module, "steps"));
    OK(cuModuleGetFunction(&l.chain, l.module, "chain"));
    OK(cuMemAlloc(&l.out, BLOCKS * LANES * sizeof(unsigned)));
    return l;
}

static void unload(struct loaded *l)
{
    OK(cuMemFree(l->out));
    OK(cuModuleUnload(l->module));
}

// Both kernels once. Returns how many results are wrong.
static int both(struct loaded *l, int n)
{
    static unsigned got[BLOCKS * LANES];
    int wrong = 0;
    void *args[] = {&l->out, &n};
    OK(cuLaunchKernel(l->steps, BLOCKS, 1, 1, LANES, 1, 1, 0, NULL, args, NULL));
    OK(cuMemcpyDtoH(got, l->out, sizeof got));
    for (int i = 0; i < BLOCKS * LANES; i += 37)
        wrong += got[i] != steps((unsigned)i, n);
    OK(cuMemsetD32(l->out, 0, BLOCKS + 1));
    OK(cuMemsetD32(l->out, 1, 1));
    OK(cuLaunchKernel(l->chain, BLOCKS, 1, 1, LANES, 1, 1, 0, NULL, args, NULL));
    OK(cuMemcpyDtoH(got, l->out, sizeof got));
    for (int i = 0; i < BLOCKS; i++)
        wrong += got[i + 1] != (steps(got[i], n) | 1);
    return wrong;
}

static void both_for(struct loaded *l, double seconds)
{
    int wrong = 0;
    for (double end = now() + seconds; now() < end;)
        wrong += both(l, TURNS);
    CHECK(!wrong);
}

// This program again, in a mode and with the cache in a folder, or none; returns its status.
static int again(const char *mode, const char *cache)
{
    pid_t p = fork();
    if (p == 0) {
        setenv("HEDDLE_CACHE", cache ? "1" : "0", 1);
        setenv("HEDDLE_CACHE_DIR", cache ? cache : "/nonexistent", 1);
        execl("/proc/self/exe", "quick", mode, NULL);
        _exit(99);
    }
    int status = -1;
    CHECK(p > 0 && waitpid(p, &status, 0) == p);
    return status;
}

static int mode_run(const char *mode)
{
    CUcontext c = start();
    struct loaded l = load();
    if (!strcmp(mode, "once")) {
        CHECK(!both(&l, TURNS));
    } else if (!strcmp(mode, "unload")) { // while optimised code is made, or before, or after
        for (int i = 0; i < 6; i++) {
            unload(&l);
            l = load();
            both_for(&l, 0.01 * (1 << i));
        }
    } else if (!strcmp(mode, "fork")) {
        both_for(&l, 0.05);
        pid_t p = fork();
        if (p == 0)
            exit(0);
        int status = -1;
        CHECK(waitpid(p, &status, 0) == p && status == 0);
        both_for(&l, 0.05);
    } else { // so does the end
        both_for(&l, atof(mode));
        return test_failed != 0;
    }
    unload(&l);
    OK(cuCtxDestroy(c));
    return test_failed != 0;
}

static void shell(const char *format, const char *a, const char *b)
{
    char command[256];
    snprintf(command, sizeof command, format, a, b);
    CHECK(!system(command));
}

// The cache has quick code only: LLVM is opened when that is to be optimised, and the process ends at moments around it.
static void quick_only(bool is_so)
{
    char other[sizeof folder + 8];
    snprintf(other, sizeof other, "%s-other", folder);
    static const char *const times[] = {"0.01", "0.02", "0.03", "0.04", "0.05", "0.06",
                                        "0.07", "0.08", "0.1",  "0.12", "0.15", "0.2"};
    for (unsigned i = 0; is_so && i < 3 * sizeof times / sizeof *times; i++) {
        shell("cp -r %s %s", folder, other);
        CHECK(again(times[i / 3], other) == 0);
        shell("rm -r %s", other, "");
    }
}

int main(int argc, char **argv)
{
    setenv("HEDDLE_QUICK", "always", 1);
    if (argc > 1)
        return mode_run(argv[1]);
    CHECK(mkdtemp(folder) != NULL);
    setenv("HEDDLE_CACHE_DIR", folder, 1);
    setenv("HEDDLE_CACHE", "1", 1);
    CHECK(again("once", folder) == 0);
    int first = files(); // quick code of both, and more where a busy machine made them long
    CHECK(first >= 2 && first <= 4);
    quick_only(first == 2);
    CUcontext c = start();
    struct loaded l = load();
    double end = now() + 100;
    while (files() < 4 && now() < end)
        both_for(&l, 0.02);
    CHECK(files() == 4); // optimised code too
    both_for(&l, 0.02);
    CHECK(files() == 4);
    unload(&l);
    OK(cuCtxDestroy(c));
    static const char *const modes[] = {"0.001", "0.02", "0.04", "0.08", "0.16", "0.3", "fork", "unload"};
    for (unsigned i = 0; i < sizeof modes / sizeof *modes; i++)
        CHECK(again(modes[i], NULL) == 0);
    shell("rm -rf %s", folder, "");
    return test_summary();
}
