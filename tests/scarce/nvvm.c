// SPDX-License-Identifier: Apache-2.0
// libnvvm while memory runs out.
#include "scarce.h"
#include <nvvm.h>
#include <string.h>

#define M(call) MAY(call, NVVM_SUCCESS, NVVM_ERROR_OUT_OF_MEMORY, nvvmGetErrorString)

static const char text[] = "target triple = \"nvptx64-nvidia-cuda\"\n"
                           "define void @k(ptr %p) {\n  store i32 1, ptr %p\n  ret void\n}\n"
                           "!nvvm.annotations = !{!0}\n!0 = !{ptr @k, !\"kernel\", i32 1}\n"
                           "!nvvmir.version = !{!1}\n!1 = !{i32 2, i32 0, i32 3, i32 2}\n";

static void compilation(void)
{
    nvvmProgram p;
    size_t size;
    static char ptx[1 << 16];
    if (!M(nvvmCreateProgram(&p)))
        return;
    if (M(nvvmAddModuleToProgram(p, text, strlen(text), "a")) && M(nvvmCompileProgram(p, 0, NULL)) &&
        M(nvvmGetCompiledResultSize(p, &size)) && size <= sizeof ptx)
        M(nvvmGetCompiledResult(p, ptx));
    M(nvvmDestroyProgram(&p));
}

int main(void)
{
    static const struct scarce_scenario s = {"compilation", compilation, 20};
    CHECK(scarce_try(&s));
    return test_summary();
}
