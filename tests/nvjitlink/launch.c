// SPDX-License-Identifier: Apache-2.0
// What nvJitLink links, loaded and launched: PTX, images, objects, archives, NVVM IR. Usage: launch FOLDER, which has callee.o,
// callee.a and callee.fatbin (run.sh).
#include "../driver/common.h"
#include "common.h"
#include <nvrtc.h>
#include <nvvm.h>

#define TEXT(t) (t), strlen(t) + 1

// IR with the same function, and a kernel that calls it.
#define IR_HEAD                                                                                                        \
    "target triple = \"nvptx64-nvidia-cuda\"\n"                                                                        \
    "target datalayout = \"e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-f32:32:32-"           \
    "f64:64:64-v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64\"\n"
#define IR_VERSION "!nvvmir.version = !{!90}\n!90 = !{i32 2, i32 0, i32 3, i32 1}\n"
static const char ir_callee[] =
    IR_HEAD "define i32 @twice(i32 %a) {\n  %r = shl i32 %a, 1\n  ret i32 %r\n}\n" IR_VERSION;
static const char ir_caller[] =
    IR_HEAD "declare i32 @twice(i32)\ndefine void @k(i32* %p) {\n  %r = call i32 @twice(i32 21)\n"
            "  store i32 %r, i32* %p\n  ret void\n}\n"
            "!nvvm.annotations = !{!0}\n!0 = !{void (i32*)* @k, !\"kernel\", i32 1}\n" IR_VERSION;

// Loads an image and launches k(p); *other: whether it has a kernel of that name.
static int launch(const void *image, bool *other)
{
    CUmodule module = NULL;
    CUfunction function = NULL;
    CUdeviceptr p = 0;
    int value = 0;
    OK(cuModuleLoadData(&module, image));
    *other = !cuModuleGetFunction(&function, module, "other");
    OK(cuModuleGetFunction(&function, module, "k"));
    OK(cuMemAlloc(&p, sizeof value));
    OK(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, (void *[]){&p}, NULL));
    OK(cuMemcpyDtoH(&value, p, sizeof value));
    OK(cuMemFree(p));
    OK(cuModuleUnload(module));
    return value;
}

// Completes the link, whose result is to be right.
static void run(nvJitLinkHandle h, bool ptx, bool with_other)
{
    size_t size = 0;
    bool other = false;
    nvJitLinkResult r = nvJitLinkComplete(h);
    LINK_OK(r);
    if (r) {
        char *log = log_get(h, false);
        fprintf(stderr, "%s", log);
        free(log);
    }
    LINK_OK(ptx ? nvJitLinkGetLinkedPtxSize(h, &size) : nvJitLinkGetLinkedCubinSize(h, &size));
    char *image = malloc(size + 1);
    memset(image, 'X', size + 1);
    LINK_OK(ptx ? nvJitLinkGetLinkedPtx(h, image) : nvJitLinkGetLinkedCubin(h, image));
    CHECK(image[size] == 'X');
    if (ptx)
        CHECK(strlen(image) + 1 == size);
    CHECK(launch(image, &other) == 42);
    CHECK(other == with_other);
    free(image);
    link_destroy(h);
}

static void test_ptx(void)
{
    nvJitLinkHandle h = link_create("-O3", "-maxrregcount=64");
    LINK_OK(nvJitLinkAddData(h, NVJITLINK_INPUT_PTX, TEXT(caller), "caller"));
    LINK_OK(nvJitLinkAddData(h, NVJITLINK_INPUT_ANY, TEXT(callee), "callee"));
    run(h, false, true);
    h = link_create("-kernels-used=k", "-g");
    LINK_OK(nvJitLinkAddData(h, NVJITLINK_INPUT_PTX, TEXT(callee), "callee"));
    LINK_OK(nvJitLinkAddData(h, NVJITLINK_INPUT_PTX, TEXT(caller), "caller"));
    run(h, false, false);
    // Definitions that meet.
    h = link_create(NULL, NULL);
    LINK_OK(nvJitLinkAddData(h, NVJITLINK_INPUT_PTX, TEXT(callee), "one"));
    LINK_OK(nvJitLinkAddData(h, NVJITLINK_INPUT_PTX, TEXT(callee), "two"));
    LINK_EXPECT(nvJitLinkComplete(h), NVJITLINK_ERROR_INTERNAL);
    log_has(h, false, "twice");
    link_destroy(h);
}

// The image of one link is an input of the next.
static void test_image(void)
{
    nvJitLinkHandle h = link_create("-r", NULL);
    size_t size = 0;
    LINK_OK(nvJitLinkAddData(h, NVJITLINK_INPUT_PTX, TEXT(caller), "caller"));
    LINK_OK(nvJitLinkComplete(h));
    LINK_OK(nvJitLinkGetLinkedCubinSize(h, &size));
    char *image = malloc(size);
    LINK_OK(nvJitLinkGetLinkedCubin(h, image));
    link_destroy(h);
    for (int any = 0; any < 2; any++) {
        h = link_create(NULL, NULL);
        LINK_OK(nvJitLinkAddData(h, any ? NVJITLINK_INPUT_ANY : NVJITLINK_INPUT_CUBIN, image, size, "image"));
        LINK_OK(nvJitLinkAddData(h, NVJITLINK_INPUT_PTX, TEXT(callee), "callee"));
        run(h, false, true);
    }
    h = link_create(NULL, NULL);
    LINK_EXPECT(nvJitLinkAddData(h, NVJITLINK_INPUT_PTX, image, size, "image"), NVJITLINK_ERROR_INCORRECT_INPUT_TYPE);
    LINK_EXPECT(nvJitLinkAddData(h, NVJITLINK_INPUT_FATBIN, image, size / 2, "half"), NVJITLINK_ERROR_INVALID_INPUT);
    link_destroy(h);
    free(image);
}

static void test_files(const char *dir)
{
    static const struct {
        const char *name;
        nvJitLinkInputType type, wrong;
    } files[] = {{"callee.o", NVJITLINK_INPUT_OBJECT, NVJITLINK_INPUT_LIBRARY},
                 {"callee.a", NVJITLINK_INPUT_LIBRARY, NVJITLINK_INPUT_OBJECT},
                 {"callee.fatbin", NVJITLINK_INPUT_FATBIN, NVJITLINK_INPUT_PTX}};
    for (size_t i = 0; i < 6; i++) {
        char path[4096];
        nvJitLinkHandle h = link_create(NULL, NULL);
        snprintf(path, sizeof path, "%s/%s", dir, files[i / 2].name);
        LINK_OK(nvJitLinkAddData(h, NVJITLINK_INPUT_PTX, TEXT(caller), "caller"));
        LINK_EXPECT(nvJitLinkAddFile(h, files[i / 2].wrong, path), NVJITLINK_ERROR_INCORRECT_INPUT_TYPE);
        LINK_OK(nvJitLinkAddFile(h, i % 2 ? NVJITLINK_INPUT_ANY : files[i / 2].type, path));
        run(h, false, true);
    }
}

static void test_ir(void)
{
    for (int ptx = 0; ptx < 2; ptx++) {
        nvJitLinkHandle h = link_create("-lto", ptx ? "-ptx" : "-ftz=1");
        LINK_OK(nvJitLinkAddData(h, NVJITLINK_INPUT_LTOIR, TEXT(ir_caller), "caller"));
        LINK_OK(nvJitLinkAddData(h, NVJITLINK_INPUT_ANY, ir_callee, strlen(ir_callee), "callee"));
        run(h, ptx, false);
    }
    nvJitLinkHandle h = link_create("-lto", "-O3"); // IR calls PTX
    LINK_OK(nvJitLinkAddData(h, NVJITLINK_INPUT_LTOIR, TEXT(ir_caller), "caller"));
    LINK_OK(nvJitLinkAddData(h, NVJITLINK_INPUT_PTX, TEXT(callee), "callee"));
    run(h, false, false);
    char made[4096]; // as libnvvm -gen-lto makes it
    snprintf(made, sizeof made, "// link-time code, Heddle\n%s", callee);
    for (int any = 0; any < 2; any++) {
        h = link_create("-lto", any ? "-ptx" : "-O3");
        LINK_OK(nvJitLinkAddData(h, NVJITLINK_INPUT_LTOIR, TEXT(ir_caller), "caller"));
        LINK_OK(nvJitLinkAddData(h, any ? NVJITLINK_INPUT_ANY : NVJITLINK_INPUT_LTOIR, TEXT(made), "made"));
        run(h, any, false);
    }
    h = link_create("-O0", NULL);
    LINK_EXPECT(nvJitLinkAddData(h, NVJITLINK_INPUT_PTX, TEXT(made), "made"), NVJITLINK_ERROR_INCORRECT_INPUT_TYPE);
    LINK_EXPECT(nvJitLinkAddData(h, NVJITLINK_INPUT_LTOIR, TEXT(made), "made"), NVJITLINK_ERROR_LTO_NOT_ENABLED);
    LINK_EXPECT(nvJitLinkAddData(h, NVJITLINK_INPUT_LTOIR, TEXT(ir_caller), "x"), NVJITLINK_ERROR_LTO_NOT_ENABLED);
    log_has(h, false, "without LTO enabled (-lto)");
    LINK_EXPECT(nvJitLinkAddData(h, NVJITLINK_INPUT_LTOIR, "\xed\x43\x4e\x7f....", 8, "theirs"),
                NVJITLINK_ERROR_INVALID_INPUT);
    log_has(h, false, "LTO-IR of NVIDIA's compiler");
    link_destroy(h);
    h = link_create("-lto", NULL);
    LINK_OK(nvJitLinkAddData(h, NVJITLINK_INPUT_LTOIR, TEXT("nonsense !nvvmir.version"), "bad"));
    LINK_EXPECT(nvJitLinkComplete(h), NVJITLINK_ERROR_NVVM_COMPILE);
    log_has(h, false, "bad (1, ");
    link_destroy(h);
}

// What NVRTC makes with -dlto, from malloc; and libnvvm with -gen-lto.
static char *lto_of_source(const char *source, size_t *size)
{
    nvrtcProgram p;
    const char *options[] = {"-arch=sm_75", "-dlto"};
    size_t none = 9;
    CHECK(!nvrtcCreateProgram(&p, source, "callee.cu", 0, NULL, NULL) && !nvrtcCompileProgram(p, 2, options));
    CHECK(!nvrtcGetPTXSize(p, &none) && none <= 1 && !nvrtcGetCUBINSize(p, &none) && !none);
    CHECK(!nvrtcGetLTOIRSize(p, size) && *size);
    char *ir = malloc(*size + 1);
    ir[*size] = 'X';
    CHECK(!nvrtcGetLTOIR(p, ir) && ir[*size] == 'X');
    nvrtcDestroyProgram(&p);
    return ir;
}

static char *lto_of_ir(const char *text, size_t *size)
{
    nvvmProgram p;
    const char *options[] = {"-arch=compute_75", "-gen-lto"};
    CHECK(!nvvmCreateProgram(&p) && !nvvmAddModuleToProgram(p, text, strlen(text), "caller"));
    CHECK(!nvvmCompileProgram(p, 2, options) && !nvvmGetCompiledResultSize(p, size));
    char *ir = malloc(*size);
    CHECK(!nvvmGetCompiledResult(p, ir));
    nvvmDestroyProgram(&p);
    return ir;
}

static void test_compiled_ir(void)
{
    static const char source[] = "extern \"C\" __device__ int twice(int a) { return a << 1; }";
    size_t callee_size, caller_size;
    char *lto_callee = lto_of_source(source, &callee_size), *lto_caller = lto_of_ir(ir_caller, &caller_size);
    for (int ptx = 0; ptx < 2; ptx++) {
        nvJitLinkHandle h = link_create("-lto", ptx ? "-ptx" : "-O3");
        LINK_OK(nvJitLinkAddData(h, NVJITLINK_INPUT_LTOIR, lto_callee, callee_size, "callee"));
        LINK_OK(
            nvJitLinkAddData(h, ptx ? NVJITLINK_INPUT_ANY : NVJITLINK_INPUT_LTOIR, lto_caller, caller_size, "caller"));
        run(h, ptx, false);
    }
    nvJitLinkHandle h = link_create("-O0", NULL);
    LINK_EXPECT(nvJitLinkAddData(h, NVJITLINK_INPUT_LTOIR, lto_callee, callee_size, "x"),
                NVJITLINK_ERROR_LTO_NOT_ENABLED);
    log_has(h, false, "without LTO enabled (-lto)");
    link_destroy(h);
    free(lto_callee);
    free(lto_caller);
}

int main(int argc, char **argv)
{
    start();
    test_ptx();
    test_image();
    if (argc > 1)
        test_files(argv[1]);
    test_ir();
    test_compiled_ir();
    return test_summary();
}
