// SPDX-License-Identifier: Apache-2.0
// Code of which LLVM gets parts (jit/host/proportion.c): one block of many instructions, which is cut, many exits one behind the
// other, which get other passes, and many loops one behind the other, whose chain is cut; quick and optimised.
#include "common.h"
#include <stdarg.h>
#include <sys/wait.h>
#include <unistd.h>

enum { STEPS = 4000, EXITS = 400, LOOPS = 200, THREADS = 96, GONE = 0xdead };

static char text[1 << 21];
static size_t used;

__attribute__((format(printf, 1, 2))) static void put(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    used += (size_t)vsnprintf(text + used, sizeof text - used, format, list);
    va_end(list);
}

static uint32_t step(uint32_t x, uint32_t i)
{
    return x * (2 * i + 3) + (x >> 5 ^ i);
}

enum kind { STRAIGHT, WITH_EXITS, IN_LOOPS };

// A loop makes its step three times, in every other thread twice.
static void write_kernel(const char *name, uint32_t steps, enum kind kind)
{
    put(".visible .entry %s(.param .u64 o) {\n.reg .b32 %%x, %%y, %%n; .reg .b64 %%o; .reg .pred %%p;\n"
        "mov.u32 %%x, %%tid.x; ld.param.u64 %%o, [o]; mad.wide.u32 %%o, %%x, 4, %%o;\n",
        name);
    for (uint32_t i = 0; i < steps; i++) {
        if (kind == IN_LOOPS)
            put("mov.u32 %%n, %%tid.x; and.b32 %%n, %%n, 1; L%u:\n", i);
        put("shr.u32 %%y, %%x, 5; xor.b32 %%y, %%y, %u; mad.lo.s32 %%x, %%x, %u, %%y;\n", i, 2 * i + 3);
        if (kind == IN_LOOPS)
            put("add.u32 %%n, %%n, 1; setp.le.u32 %%p, %%n, 2; @%%p bra L%u;\n", i);
        if (kind == WITH_EXITS)
            put("and.b32 %%y, %%x, 1023; setp.eq.u32 %%p, %%y, %u; @%%p exit;\n", i);
    }
    put("st.global.u32 [%%o], %%x; ret; }\n");
}

static void try_kernel(CUmodule module, const char *name, CUdeviceptr memory, uint32_t steps, enum kind kind)
{
    CUfunction kernel = NULL;
    uint32_t got[THREADS] = {0};
    void *arguments[] = {&memory};
    OK(cuMemsetD32(memory, GONE, THREADS));
    OK(cuModuleGetFunction(&kernel, module, name));
    OK(cuLaunchKernel(kernel, 1, 1, 1, THREADS, 1, 1, 0, NULL, arguments, NULL));
    OK(cuMemcpyDtoH(got, memory, sizeof got));
    int gone = 0;
    for (uint32_t t = 0; t < THREADS; t++) {
        uint32_t x = t, want;
        int left = 0;
        for (uint32_t i = 0; i < steps && !left; i++) {
            for (uint32_t n = kind == IN_LOOPS ? t & 1 : 2; n <= 2; n++)
                x = step(x, i);
            left = kind == WITH_EXITS && (x & 1023) == i;
        }
        want = left ? GONE : x;
        gone += left;
        CHECK(got[t] == want);
    }
    CHECK(kind != WITH_EXITS || (gone && gone < THREADS));
}

static int child(const char *quick)
{
    CUmodule module = NULL;
    CUdeviceptr memory = 0;
    setenv("HEDDLE_QUICK", quick, 1);
    start();
    OK(cuMemAlloc(&memory, THREADS * sizeof(uint32_t)));
    OK(cuModuleLoadData(&module, text));
    try_kernel(module, "steps", memory, STEPS, STRAIGHT);
    try_kernel(module, "exits", memory, EXITS, WITH_EXITS);
    try_kernel(module, "loops", memory, LOOPS, IN_LOOPS);
    OK(cuModuleUnload(module));
    return test_summary();
}

int main(void)
{
    static const char *const quick[] = {"always", "never"};
    put(PTX_HEAD);
    write_kernel("steps", STEPS, STRAIGHT);
    write_kernel("exits", EXITS, WITH_EXITS);
    write_kernel("loops", LOOPS, IN_LOOPS);
    for (int i = 0; i < 2; i++) {
        int status = 0;
        pid_t p = fork();
        if (!p)
            _exit(child(quick[i]));
        CHECK(waitpid(p, &status, 0) == p && WIFEXITED(status) && !WEXITSTATUS(status));
    }
    return test_summary();
}
