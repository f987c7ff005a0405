// SPDX-License-Identifier: Apache-2.0
// Modules, libraries, kernels, the linker; bad images and their messages.
#include "common.h"
#include <unistd.h>

static const char vars[] = PTX_HEAD
    ".visible .global .align 4 .u32 numbers[4] = {1, 2, 3, 4};\n"
    ".visible .const .align 8 .f64 half = 0d3FE0000000000000;\n"
    ".visible .global .align 8 .u64 where = numbers;\n"
    ".visible .global .align 8 .u64 further = generic(numbers) + 8;\n"
    ".visible .global .attribute(.managed) .align 4 .u32 both = 77;\n"
    ".global .align 4 .u32 hidden;\n"
    // bump(): every number grows by 10, read through the address kept in 'where'
    ".visible .entry bump() { .reg .b64 %d<4>; .reg .b32 %r<3>; mov.u32 %r1, %tid.x; mul.wide.u32 %d1, %r1, 4;\n"
    " ld.global.u64 %d2, [where]; add.s64 %d3, %d2, %d1; ld.global.u32 %r2, [%d3]; add.u32 %r2, %r2, 10;\n"
    " st.global.u32 [%d3], %r2; ret; }\n" PTX_EMPTY;

static void variables(void)
{
    CUmodule m;
    CUfunction f, g, all[2];
    CUdeviceptr p, q;
    size_t size;
    unsigned n, v[4];
    unsigned long long a;
    double half;
    OK(cuModuleLoadData(&m, vars));
    OK(cuModuleGetGlobal(&p, &size, m, "numbers"));
    CHECK(size == 16);
    OK(cuMemcpyDtoH(v, p, 16));
    CHECK(v[0] == 1 && v[3] == 4);
    OK(cuModuleGetGlobal(&q, &size, m, "where"));
    OK(cuMemcpyDtoH(&a, q, 8));
    CHECK(a == p);
    OK(cuModuleGetGlobal(&q, &size, m, "further"));
    OK(cuMemcpyDtoH(&a, q, 8));
    CHECK(a == p + 8);
    OK(cuModuleGetGlobal(&q, &size, m, "half"));
    OK(cuMemcpyDtoH(&half, q, 8));
    CHECK(half == 0.5);
    OK(cuModuleGetGlobal(&q, NULL, m, "both"));
    CHECK(*(unsigned *)(uintptr_t)q == 77);
    CUcontext owner = NULL, now;
    OK(cuCtxGetCurrent(&now));
    OK(cuPointerGetAttribute(&owner, CU_POINTER_ATTRIBUTE_CONTEXT, q));
    CHECK(owner == now);
    EXPECT(cuMemFree(q), CUDA_ERROR_INVALID_VALUE); // a variable
    EXPECT(cuMemFree(p), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemFreeAsync(q, 0), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuModuleGetGlobal(&q, &size, m, "absent"), CUDA_ERROR_NOT_FOUND);
    EXPECT(cuModuleGetGlobal(NULL, NULL, m, "half"), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemcpyHtoD(p, v, 17), CUDA_ERROR_INVALID_VALUE);
    OK(cuModuleGetFunction(&f, m, "bump"));
    OK(cuModuleGetFunction(&g, m, "bump"));
    CHECK(f == g);
    EXPECT(cuModuleGetFunction(&g, m, "bumper"), CUDA_ERROR_NOT_FOUND);
    EXPECT(cuModuleGetFunction(&g, BAD(CUmodule), "bump"), CUDA_ERROR_INVALID_HANDLE);
    OK(cuModuleGetFunctionCount(&n, m));
    CHECK(n == 2);
    OK(cuModuleEnumerateFunctions(all, 2, m));
    CHECK(all[0] == f || all[1] == f);
    OK(cuLaunchKernel(f, 1, 1, 1, 4, 1, 1, 0, 0, NULL, NULL));
    OK(cuMemcpyDtoH(v, p, 16));
    CHECK(v[0] == 11 && v[1] == 12 && v[2] == 13 && v[3] == 14);
    OK(cuModuleUnload(m));
    EXPECT(cuModuleUnload(m), CUDA_ERROR_INVALID_HANDLE);
    EXPECT(cuLaunchKernel(f, 1, 1, 1, 4, 1, 1, 0, 0, NULL, NULL), CUDA_ERROR_INVALID_HANDLE);
    EXPECT(cuMemcpyDtoH(v, p, 16), CUDA_ERROR_INVALID_VALUE); // its memory is gone
}

static void bad_images(void)
{
    CUmodule m;
    char errors[512] = "", info[512] = "";
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
                              CU_JIT_INFO_LOG_BUFFER,  CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES,
                              CU_JIT_MAX_REGISTERS,    CU_JIT_OPTIMIZATION_LEVEL};
    void *values[] = {errors, (void *)sizeof errors, info, (void *)sizeof info, (void *)32, (void *)4};
    EXPECT(cuModuleLoadData(&m, NULL), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuModuleLoadData(NULL, vars), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuModuleLoadData(&m, "hello"), CUDA_ERROR_INVALID_IMAGE);
    EXPECT(cuModuleLoadData(&m, ""), CUDA_ERROR_INVALID_IMAGE);
    EXPECT(cuModuleLoadData(&m, "\177ELF...."), CUDA_ERROR_NO_BINARY_FOR_GPU);
    EXPECT(cuModuleLoad(&m, "/no/such/file"), CUDA_ERROR_FILE_NOT_FOUND);
    EXPECT(cuModuleLoadDataEx(&m, PTX_HEAD ".visible .entry f() {\n add.u32 %r1, %r2;\n ret; }\n", 6, options, values),
           CUDA_ERROR_INVALID_PTX);
    CHECK(strstr(errors, ":5:") != NULL); // the line
    CHECK((size_t)values[1] == strlen(errors));
    values[1] = (void *)20;
    EXPECT(cuModuleLoadDataEx(&m, PTX_HEAD ".visible .entry f() {\n add.u32 %r1, %r2;\n ret; }\n", 6, options, values),
           CUDA_ERROR_INVALID_PTX);
    CHECK(strlen(errors) == 19);
    values[1] = (void *)sizeof errors;
    CUresult r =
        cuModuleLoadDataEx(&m, PTX_HEAD ".visible .entry f() {\n frobnicate.u32 %r1;\n ret; }\n", 6, options, values);
    CHECK(r == CUDA_ERROR_INVALID_PTX);
    CHECK(strstr(errors, ":5:") != NULL);
    EXPECT(cuModuleLoadData(&m, PTX_HEAD ".extern .global .u32 elsewhere;\n.visible .entry f() { .reg .b32 %r<2>;\n"
                                         " ld.global.u32 %r1, [elsewhere]; ret; }\n"),
           CUDA_ERROR_INVALID_PTX);
    CUjit_option unknown = (CUjit_option)1000;
    EXPECT(cuModuleLoadDataEx(&m, vars, 1, &unknown, values), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuModuleLoadDataEx(&m, vars, 1, NULL, NULL), CUDA_ERROR_INVALID_VALUE);
    OK(cuModuleLoadDataEx(&m, vars, 6, options, values));
    OK(cuModuleUnload(m));
}

static void libraries(CUcontext context)
{
    CUlibrary l, back;
    CUkernel k, all[1];
    CUfunction f;
    CUmodule m;
    CUcontext other;
    CUdeviceptr p, q, out;
    unsigned n, zero = 0, v;
    size_t size, offset;
    const char *name;
    int limit;
    OK(cuLibraryLoadData(&l, PTX_HEAD ".visible .global .u32 g = 5;\n" PTX_PUT, NULL, NULL, 0, NULL, NULL, 0));
    OK(cuLibraryGetKernelCount(&n, l));
    CHECK(n == 1);
    OK(cuLibraryGetKernel(&k, l, "put"));
    EXPECT(cuLibraryGetKernel(&k, l, "got"), CUDA_ERROR_NOT_FOUND);
    OK(cuLibraryEnumerateKernels(all, 1, l));
    CHECK(all[0] == k);
    OK(cuKernelGetName(&name, k));
    CHECK(!strcmp(name, "put"));
    OK(cuKernelGetLibrary(&back, k));
    CHECK(back == l);
    OK(cuKernelGetParamInfo(k, 1, &offset, &size));
    CHECK(offset == 8 && size == 4);
    EXPECT(cuKernelGetParamInfo(k, 2, &offset, &size), CUDA_ERROR_INVALID_VALUE);
    OK(cuKernelSetAttribute(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 100000, k, 0));
    OK(cuKernelGetFunction(&f, k));
    OK(cuFuncGetAttribute(&limit, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, f));
    CHECK(limit == 100000);
    OK(cuFuncGetModule(&m, f));
    EXPECT(cuModuleUnload(m), CUDA_ERROR_INVALID_HANDLE);
    OK(cuLibraryGetGlobal(&p, &size, l, "g"));
    EXPECT(cuLibraryGetManaged(&q, &size, l, "g"), CUDA_ERROR_NOT_FOUND);
    OK(cuMemAlloc(&out, 4));
    OK(cuMemcpyHtoD(out, &zero, 4));
    v = 1234;
    void *params[] = {&out, &v};
    OK(cuLaunchKernel((CUfunction)k, 1, 1, 1, 1, 1, 1, 0, 0, params, NULL)); // a kernel does for a function
    v = 0;
    OK(cuMemcpyDtoH(&v, out, 4));
    CHECK(v == 1234);
    // another context has variables of its own
    OK(cuCtxCreate(&other, NULL, 0, 0));
    OK(cuLibraryGetGlobal(&q, &size, l, "g"));
    CHECK(p != q);
    EXPECT(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, 0, params, NULL), CUDA_ERROR_INVALID_HANDLE);
    OK(cuCtxDestroy(other));
    OK(cuCtxSetCurrent(context));
    OK(cuLibraryGetModule(&m, l));
    OK(cuLibraryUnload(l));
    EXPECT(cuLibraryUnload(l), CUDA_ERROR_INVALID_HANDLE);
    EXPECT(cuKernelGetFunction(&f, k), CUDA_ERROR_INVALID_HANDLE);
    EXPECT(cuModuleGetGlobal(&q, &size, m, "g"), CUDA_ERROR_INVALID_HANDLE);
    OK(cuMemFree(out));
}

static void linker(void)
{
    static const char caller[] =
        PTX_HEAD ".extern .func (.param .b32 r) twice(.param .b32 a);\n"
                 ".visible .entry run(.param .u64 p) { .reg .b64 %d<2>; .reg .b32 %r<3>; ld.param.u64 %d1, [p];\n"
                 " ld.global.u32 %r1, [%d1]; { .param .b32 x; .param .b32 y; st.param.b32 [x], %r1;\n"
                 " call (y), twice, (x); ld.param.b32 %r2, [y]; } st.global.u32 [%d1], %r2; ret; }\n";
    static const char callee[] =
        PTX_HEAD ".visible .func (.param .b32 r) twice(.param .b32 a) { .reg .b32 %r<3>; ld.param.b32 %r1, [a];\n"
                 " add.u32 %r2, %r1, %r1; st.param.b32 [r], %r2; ret; }\n";
    CUlinkState s;
    CUmodule m;
    CUfunction f;
    CUdeviceptr p;
    void *image;
    size_t size;
    unsigned v = 21;
    OK(cuLinkCreate(0, NULL, NULL, &s));
    OK(cuLinkAddData(s, CU_JIT_INPUT_PTX, (void *)caller, sizeof caller, "caller", 0, NULL, NULL));
    EXPECT(cuLinkAddData(s, CU_JIT_INPUT_PTX, "x", 2, "broken", 0, NULL, NULL), CUDA_ERROR_INVALID_PTX);
    EXPECT(cuLinkAddData(s, CU_JIT_INPUT_LIBRARY, "no archive", 11, "a", 0, NULL, NULL), CUDA_ERROR_NO_BINARY_FOR_GPU);
    EXPECT(cuLinkAddFile(s, CU_JIT_INPUT_PTX, "/no/such/file", 0, NULL, NULL), CUDA_ERROR_FILE_NOT_FOUND);
    OK(cuLinkDestroy(s));
    EXPECT(cuLinkDestroy(s), CUDA_ERROR_INVALID_HANDLE);
    OK(cuLinkCreate(0, NULL, NULL, &s));
    OK(cuLinkAddData(s, CU_JIT_INPUT_PTX, (void *)caller, sizeof caller, "caller", 0, NULL, NULL));
    OK(cuLinkAddData(s, CU_JIT_INPUT_PTX, (void *)callee, sizeof callee, "callee", 0, NULL, NULL));
    OK(cuLinkAddData(s, CU_JIT_INPUT_LIBRARY, "!<arch>\n", 8, "libempty.a", 0, NULL, NULL));
    OK(cuLinkComplete(s, &image, &size));
    OK(cuModuleLoadData(&m, image));
    OK(cuLinkDestroy(s));
    OK(cuModuleGetFunction(&f, m, "run"));
    OK(cuMemAlloc(&p, 4));
    OK(cuMemcpyHtoD(p, &v, 4));
    void *params[] = {&p};
    OK(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, 0, params, NULL));
    OK(cuMemcpyDtoH(&v, p, 4));
    CHECK(v == 42);
    OK(cuMemFree(p));
    OK(cuModuleUnload(m));
}

static void from_file(void)
{
    char path[] = "/tmp/heddle-module-XXXXXX";
    CUmodule m;
    int fd = mkstemp(path);
    CHECK(write(fd, vars, sizeof vars - 1) == (ssize_t)sizeof vars - 1);
    close(fd);
    OK(cuModuleLoad(&m, path));
    OK(cuModuleUnload(m));
    unlink(path);
}

// Static shared memory: the JIT takes what the device has, the linker what ptxas takes, as with CUDA 13.0 on an H200.
static void shared_limits(void)
{
    static const struct {
        unsigned bytes;
        CUresult load, link;
        int dynamic;
    } rows[] = {{49152, CUDA_SUCCESS, CUDA_SUCCESS, 0},
                {49168, CUDA_SUCCESS, CUDA_ERROR_INVALID_SOURCE, 183280},
                {81920, CUDA_SUCCESS, CUDA_ERROR_INVALID_SOURCE, 150528},
                {245760, CUDA_ERROR_INVALID_PTX, CUDA_ERROR_INVALID_SOURCE, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char ptx[512], log[256] = "";
        CUmodule m;
        CUfunction f;
        CUlinkState s;
        void *image;
        size_t size;
        int v = -1;
        CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
        void *values[] = {log, (void *)sizeof log};
        snprintf(ptx, sizeof ptx,
                 PTX_HEAD
                 ".visible .entry k()\n{\n .shared .align 4 .b8 s[%u];\n .reg .b32 %%r<2>;\n mov.u32 %%r1, s;\n"
                 " st.shared.u32 [%%r1+16], %%r1;\n ret;\n}\n",
                 rows[i].bytes);
        EXPECT(cuModuleLoadDataEx(&m, ptx, 2, options, values), rows[i].load);
        CHECK(!rows[i].load ||
              strstr(log, "Entry function 'k' uses too much shared data (0x3c000 bytes, 0x38c00 max)"));
        if (!rows[i].load) {
            OK(cuModuleGetFunction(&f, m, "k"));
            OK(cuFuncGetAttribute(&v, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, f));
            CHECK(v == rows[i].dynamic);
            OK(cuLaunchKernel(f, 1, 1, 1, 32, 1, 1, 0, 0, NULL, NULL));
            EXPECT(cuLaunchKernel(f, 1, 1, 1, 32, 1, 1, 16, 0, NULL, NULL),
                   v ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE);
            OK(cuCtxSynchronize());
            OK(cuModuleUnload(m));
        }
        OK(cuLinkCreate(2, options, values, &s));
        OK(cuLinkAddData(s, CU_JIT_INPUT_PTX, ptx, strlen(ptx) + 1, "x", 0, NULL, NULL));
        EXPECT(cuLinkComplete(s, &image, &size), rows[i].link);
        OK(cuLinkDestroy(s));
    }
}

int main(void)
{
    CUcontext c = start();
    shared_limits();
    variables();
    bad_images();
    libraries(c);
    linker();
    from_file();
    OK(cuCtxDestroy(c));
    return test_summary();
}
