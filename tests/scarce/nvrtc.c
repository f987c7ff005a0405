// SPDX-License-Identifier: Apache-2.0
// libnvrtc while memory runs out.
#include "scarce.h"
#include <nvrtc.h>

#define M(call) MAY(call, NVRTC_SUCCESS, NVRTC_ERROR_OUT_OF_MEMORY, nvrtcGetErrorString)

static void interface(void)
{
    static const char *const headers[] = {"#define N 3\n"}, *const names[] = {"n.h"};
    nvrtcProgram p;
    if (!M(nvrtcCreateProgram(&p, "__global__ void k(int *p) { *p = 1; }", "a.cu", 1, headers, names)))
        return;
    M(nvrtcAddNameExpression(p, "k"));
    M(nvrtcDestroyProgram(&p));
}

static void compilation(void)
{
    nvrtcProgram p;
    const char *name;
    size_t size;
    static char ptx[1 << 16];
    if (!M(nvrtcCreateProgram(&p, "__global__ void k(int *p) { *p = 1; }", "a.cu", 0, NULL, NULL)))
        return;
    bool named = M(nvrtcAddNameExpression(p, "k"));
    if (M(nvrtcCompileProgram(p, 0, NULL)) && M(nvrtcGetPTXSize(p, &size)) && size <= sizeof ptx) {
        M(nvrtcGetPTX(p, ptx));
        if (named)
            M(nvrtcGetLoweredName(p, "k", &name));
    }
    M(nvrtcDestroyProgram(&p));
}

int main(void)
{
    static const struct scarce_scenario all[] = {{"interface", interface, 0}, {"compilation", compilation, 12}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        CHECK(scarce_try(&all[i]));
    return test_summary();
}
