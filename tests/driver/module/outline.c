// SPDX-License-Identifier: Apache-2.0
// A large text is parsed whole once; later loads find a note in the disk cache and read its outline only. Everything a
// program can ask for is the same then, and a text that is wrong is refused each time.
#include "common.h"
#include <unistd.h>

enum { MANY = 200, LANES = 64 };

// Kernels with a variable, a table of functions, nested blocks, and braces in comments and strings.
static char *text_make(const char *last)
{
    size_t size = 1 << 20;
    char *text = malloc(size), *p = text;
    p += sprintf(p, PTX_HEAD ".visible .const .u32 factor = 3;\n.func (.param .b32 r) twice(.param .b32 x);\n"
                             ".visible .global .u64 table = twice;\n");
    for (int i = 0; i < MANY; i++)
        p += sprintf(p,
                     ".visible .entry k%d(.param .u64 o, .param .u32 v) .maxntid 64 {\n"
                     " .pragma \"a } brace\"; // } another\n .reg .b32 %%r<8>; .reg .b64 %%d<6>; .param .b32 in, out;\n"
                     " .shared .align 4 .b8 own[%d]; /* } and { */\n"
                     " ld.param.u64 %%d1, [o]; ld.param.u32 %%r1, [v]; mov.u32 %%r2, %%tid.x;\n"
                     " { .reg .b32 t; ld.const.u32 t, [factor]; mad.lo.s32 %%r3, %%r2, t, %%r1; }\n"
                     " st.param.b32 [in], %%r3; call (out), twice, (in); ld.param.b32 %%r4, [out];\n"
                     " add.s32 %%r4, %%r4, %d/1; mul.wide.u32 %%d2, %%r2, 4; add.s64 %%d3, %%d1, %%d2; st.global.u32 "
                     "[%%d3], %%r4;\n"
                     " st.shared.u32 [own], %%r4; ret;\n}\n",
                     i, 16 * i + 16, i);
    p += sprintf(p,
                 ".func (.param .b32 r) twice(.param .b32 x) { .reg .b32 a<3>; ld.param.b32 a1, [x];\n"
                 " add.s32 a2, a1, a1; st.param.b32 [r], a2; ret; }\n%s",
                 last);
    return text;
}

static void check(const char *text, int k)
{
    CUmodule m;
    CUfunction f;
    CUdeviceptr out, var;
    size_t size;
    unsigned count;
    int value, v = 5, got[LANES];
    char name[16];
    void *args[] = {&out, &v};
    OK(cuModuleLoadData(&m, text));
    sprintf(name, "k%d", k);
    OK(cuModuleGetFunction(&f, m, name));
    OK(cuModuleGetFunctionCount(&count, m));
    CHECK(count == MANY);
    OK(cuModuleGetGlobal(&var, &size, m, "factor"));
    CHECK(size == 4);
    OK(cuMemAlloc(&out, sizeof got));
    OK(cuLaunchKernel(f, 1, 1, 1, LANES, 1, 1, 0, NULL, args, NULL));
    OK(cuMemcpyDtoH(got, out, sizeof got));
    int wrong = 0;
    for (int i = 0; i < LANES; i++)
        wrong += got[i] != 2 * (3 * i + v) + k;
    CHECK(!wrong);
    OK(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, f));
    CHECK(value == 16 * k + 16);
    OK(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, f));
    CHECK(value == 64);
    OK(cuMemFree(out));
    OK(cuModuleUnload(m));
}

int main(void)
{
    char folder[] = "/tmp/heddle-outline-XXXXXX", command[64];
    CHECK(mkdtemp(folder) != NULL);
    setenv("HEDDLE_CACHE_DIR", folder, 1);
    setenv("HEDDLE_CACHE", "1", 1);
    CUcontext c = start();
    char *right = text_make(""), *wrong = text_make(".visible .entry bad() { .reg .b32 a; add.f32 a, a; ret; }\n");
    check(right, 7);
    check(right, 7);   // the kernel and the note are in the cache
    check(right, 150); // the kernel is not
    for (int i = 0; i < 3; i++) {
        CUmodule m;
        EXPECT(cuModuleLoadData(&m, wrong), CUDA_ERROR_INVALID_PTX);
    }
    free(right);
    free(wrong);
    OK(cuCtxDestroy(c));
    snprintf(command, sizeof command, "rm -rf %s", folder);
    CHECK(!system(command));
    return test_summary();
}
