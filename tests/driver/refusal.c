// SPDX-License-Identifier: Apache-2.0
// What Heddle lacks is refused when a module is loaded, with line, column and instruction in the JIT log: PTX texts
// whole, fat binaries kernel by kernel.
#include "common.h"
#include "base/str.h"
#include "fatbin/fatbin_write.h"

#define HEAD   ".version 8.4\n.target sm_90\n.address_size 64\n"
#define NARROW "cvta.shared.u32 %r0, %r0" // a form of a known instruction
#define MULTI  "multimem.red.relaxed.sys.global.add.u32 [%d0], %r0"

#define KERNEL(name, insn)                                                                                             \
    ".visible .entry " name "(.param .u64 p) { .reg .b32 %r<2>; .reg .b64 %d<2>; .reg .b128 %q<2>;\n"                  \
    " ld.param.u64 %d0, [p];\n  " insn ";\n ret; }\n"

static char errors[1000], infos[1000];
static CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, CU_JIT_INFO_LOG_BUFFER,
                                 CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES};

static void **logs(void)
{
    static void *values[4];
    values[0] = errors;
    values[1] = (void *)sizeof errors;
    values[2] = infos;
    values[3] = (void *)sizeof infos;
    *errors = *infos = 0;
    return values;
}

static bool says(const char *place, const char *insn)
{
    bool ok = strstr(errors, place) && strstr(errors, insn);
    if (!ok)
        fprintf(stderr, "log: %s", errors);
    return ok;
}

static void texts(void)
{
    CUmodule m;
    CUlibrary l;
    EXPECT(cuModuleLoadDataEx(&m, HEAD KERNEL("f", NARROW), 4, options, logs()), CUDA_ERROR_NOT_SUPPORTED);
    CHECK(says(":6:3: ", NARROW));
    EXPECT(cuModuleLoadDataEx(&m, HEAD KERNEL("f", MULTI), 4, options, logs()), CUDA_ERROR_NOT_SUPPORTED);
    CHECK(says(":6:3: ", MULTI));
    EXPECT(cuModuleLoadData(&m, HEAD KERNEL("f", MULTI)), CUDA_ERROR_NOT_SUPPORTED);
    EXPECT(cuLibraryLoadData(&l, HEAD KERNEL("f", MULTI), options, logs(), 4, NULL, NULL, 0), CUDA_ERROR_NOT_SUPPORTED);
    CHECK(says(":6:3: ", MULTI));
    // one of two kernels, then a function that no kernel calls: the text is refused whole, each instruction is named
    EXPECT(cuModuleLoadDataEx(&m, HEAD PTX_EMPTY KERNEL("f", MULTI) KERNEL("g", NARROW), 4, options, logs()),
           CUDA_ERROR_NOT_SUPPORTED);
    CHECK(says(":7:3: ", MULTI) && says(":11:3: ", NARROW));
    EXPECT(cuModuleLoadDataEx(&m, HEAD PTX_EMPTY ".func idle() { .reg .b64 %d0; .reg .b32 %r0;\n" MULTI "; ret; }\n", 4,
                              options, logs()),
           CUDA_ERROR_NOT_SUPPORTED);
    CHECK(says(":6:1: ", MULTI));
    // a function that nobody defines
    EXPECT(cuModuleLoadDataEx(&m, HEAD ".extern .func nowhere();\n.visible .entry f() {\n call nowhere;\n ret; }\n", 4,
                              options, logs()),
           CUDA_ERROR_INVALID_PTX);
    CHECK(says(":6:2: ", "nowhere"));
}

static void linking(void)
{
    static char lacking[] = HEAD KERNEL("f", MULTI),
                caller[] = HEAD ".extern .func other();\n.visible .entry f() {\n call other;\n ret; }\n";
    CUlinkState s;
    void *image;
    size_t size;
    OK(cuLinkCreate(4, options, logs(), &s));
    EXPECT(cuLinkAddData(s, CU_JIT_INPUT_PTX, lacking, sizeof lacking, "one.ptx", 0, NULL, NULL),
           CUDA_ERROR_NOT_SUPPORTED);
    CHECK(says("one.ptx:6:3: ", MULTI));
    OK(cuLinkDestroy(s));
    // an extern function is fine until the link is complete
    OK(cuLinkCreate(4, options, logs(), &s));
    OK(cuLinkAddData(s, CU_JIT_INPUT_PTX, caller, sizeof caller, "two.ptx", 0, NULL, NULL));
    EXPECT(cuLinkComplete(s, &image, &size), CUDA_ERROR_INVALID_PTX);
    CHECK(says("other", "not defined"));
    OK(cuLinkDestroy(s));
}

static void fatbins(void)
{
    static const char mixed[] = HEAD PTX_PUT KERNEL("f", MULTI), none[] = HEAD KERNEL("f", MULTI);
    struct fatbin_item item = {.ptx = mixed, .size = sizeof mixed - 1, .sm = 90};
    struct str image = {0};
    CUmodule m;
    CUlibrary l;
    CUfunction f, all[2];
    CUkernel k;
    CUdeviceptr p;
    unsigned v = 4711;
    fatbin_write(&image, &item, 1);
    OK(cuModuleLoadDataEx(&m, image.data, 4, options, logs()));
    CHECK(!*errors && strstr(infos, "kernel 'f'"));
    EXPECT(cuModuleGetFunction(&f, m, "f"), CUDA_ERROR_NOT_SUPPORTED);
    OK(cuModuleEnumerateFunctions(all, 2, m));
    OK(cuMemAlloc(&p, 128));
    void *params[] = {&p, &v};
    EXPECT(cuLaunchKernel(all[1], 1, 1, 1, 1, 1, 1, 0, 0, params, NULL), CUDA_ERROR_NOT_SUPPORTED);
    OK(cuModuleGetFunction(&f, m, "put")); // the other one runs
    OK(cuLaunchKernel(f, 1, 1, 1, 32, 1, 1, 0, 0, params, NULL));
    v = 0;
    OK(cuMemcpyDtoH(&v, p + 124, 4));
    CHECK(v == 4711);
    OK(cuMemFree(p));
    OK(cuModuleUnload(m));
    OK(cuLibraryLoadData(&l, image.data, NULL, NULL, 0, NULL, NULL, 0));
    OK(cuLibraryGetKernel(&k, l, "put"));
    EXPECT(cuLibraryGetKernel(&k, l, "f"), CUDA_ERROR_NOT_SUPPORTED);
    OK(cuLibraryUnload(l));
    setenv("CUDA_MODULE_LOADING", "EAGER", 1);
    EXPECT(cuModuleLoadDataEx(&m, image.data, 4, options, logs()), CUDA_ERROR_NOT_SUPPORTED);
    CHECK(says(":11:3: ", MULTI));
    unsetenv("CUDA_MODULE_LOADING");
    str_free(&image);
    item = (struct fatbin_item){.ptx = none, .size = sizeof none - 1, .sm = 90};
    fatbin_write(&image, &item, 1);
    EXPECT(cuModuleLoadDataEx(&m, image.data, 4, options, logs()), CUDA_ERROR_NOT_SUPPORTED);
    CHECK(says(":6:3: ", MULTI));
    str_free(&image);
}

int main(void)
{
    CUcontext c = start();
    texts();
    linking();
    fatbins();
    OK(cuCtxDestroy(c));
    return test_summary();
}
