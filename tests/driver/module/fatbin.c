// SPDX-License-Identifier: Apache-2.0
// Fat binaries as module images: plain, behind a wrapper, without PTX, damaged; and files named on the command line,
// each of which must hold a kernel put(p, v).
#include "common.h"
#include "base/str.h"
#include "fatbin/fatbin.h"
#include "fatbin/fatbin_write.h"

static const char text[] = PTX_HEAD PTX_PUT;

static void run(CUmodule m)
{
    CUfunction f;
    CUdeviceptr p;
    unsigned v = 4711;
    OK(cuModuleGetFunction(&f, m, "put"));
    OK(cuMemAlloc(&p, 256));
    void *params[] = {&p, &v};
    OK(cuLaunchKernel(f, 2, 1, 1, 32, 1, 1, 0, 0, params, NULL));
    v = 0;
    OK(cuMemcpyDtoH(&v, p + 252, 4));
    CHECK(v == 4711);
    OK(cuMemFree(p));
    OK(cuModuleUnload(m));
}

static void images(void)
{
    struct str out = {0};
    struct fatbin_item items[] = {{.ptx = text, .size = sizeof text - 1, .sm = 80},
                                  {.ptx = text, .size = sizeof text - 1, .sm = 120}};
    CUmodule m;
    CUlibrary l;
    CUkernel k;
    fatbin_write(&out, items, 2);
    OK(cuModuleLoadData(&m, out.data));
    run(m);
    OK(cuModuleLoadFatBinary(&m, out.data)); // guide: cuModuleLoadFatBinary
    run(m);
    struct fatbin_wrapper w = {FATBIN_WRAPPER_MAGIC, 1, out.data, NULL};
    OK(cuModuleLoadData(&m, &w));
    run(m);
    OK(cuLibraryLoadData(&l, &w, NULL, NULL, 0, NULL, NULL, 0));
    OK(cuLibraryGetKernel(&k, l, "put"));
    OK(cuLibraryUnload(l));
    // machine code only
    struct fatbin_header *h = (struct fatbin_header *)out.data;
    struct fatbin_entry_header *e = (struct fatbin_entry_header *)(h + 1);
    uint64_t whole = h->size;
    h->size = e->header_size + e->size;
    e->kind = FATBIN_ELF;
    char log[300] = "";
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void *values[] = {log, (void *)sizeof log};
    EXPECT(cuModuleLoadDataEx(&m, out.data, 2, options, values), CUDA_ERROR_NO_BINARY_FOR_GPU);
    CHECK(strstr(log, "PTX") != NULL);
    // damaged
    e->kind = FATBIN_PTX;
    e->size = whole * 2;
    EXPECT(cuModuleLoadData(&m, out.data), CUDA_ERROR_INVALID_IMAGE);
    h->size = 7;
    EXPECT(cuModuleLoadData(&m, out.data), CUDA_ERROR_INVALID_IMAGE);
    w.data = NULL;
    EXPECT(cuModuleLoadData(&m, &w), CUDA_ERROR_INVALID_IMAGE);
    str_free(&out);
}

int main(int argc, char **argv)
{
    CUcontext c = start();
    CUmodule m;
    images();
    for (int i = 1; i < argc; i++) {
        OK(cuModuleLoad(&m, argv[i]));
        run(m);
    }
    OK(cuCtxDestroy(c));
    return test_summary();
}
