// SPDX-License-Identifier: Apache-2.0
// NVVM IR in the dialect of old, with typed pointers and NVVM's own functions, compiled and launched.
#include "../driver/common.h"
#include "common.h"
#include <math.h>

// Compiles the modules (the last one given as lazy by its file) and gives the PTX.
static char *build(const char *const *texts, int count, const char *libdevice, const char *option)
{
    nvvmProgram p;
    const char *options[] = {"-arch=compute_80", option};
    NVVM_OK(nvvmCreateProgram(&p));
    for (int i = 0; i < count; i++)
        NVVM_OK(nvvmAddModuleToProgram(p, texts[i], strlen(texts[i]), "m"));
    char *bytes = NULL;
    if (libdevice) {
        FILE *f = fopen(libdevice, "rb");
        CHECK(f);
        bytes = malloc(8 << 20);
        size_t size = f ? fread(bytes, 1, 8 << 20, f) : 0;
        NVVM_OK(nvvmLazyAddModuleToProgram(p, bytes, size, "libdevice"));
        if (f)
            fclose(f);
    }
    nvvmResult r = nvvmCompileProgram(p, option ? 2 : 1, options);
    if (r) {
        char *log = nvvm_log(p);
        fprintf(stderr, "log: %s\n", log);
        free(log);
    }
    NVVM_OK(r);
    char *ptx = nvvm_ptx(p);
    NVVM_OK(nvvmDestroyProgram(&p));
    free(bytes);
    return ptx;
}

// Launches @k(p) with 32 threads over 128 words, which hold their numbers at first.
static void launch(const char *ptx, unsigned out[128])
{
    CUmodule module;
    CUfunction function;
    CUdeviceptr p;
    for (unsigned i = 0; i < 128; i++)
        out[i] = i;
    OK(cuModuleLoadData(&module, ptx));
    OK(cuModuleGetFunction(&function, module, "k"));
    OK(cuMemAlloc(&p, 512));
    OK(cuMemcpyHtoD(p, out, 512));
    OK(cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, NULL, (void *[]){&p}, NULL));
    OK(cuMemcpyDtoH(out, p, 512));
    OK(cuMemFree(p));
    OK(cuModuleUnload(module));
}

#define KERNEL "!nvvm.annotations = !{!0}\n!0 = !{void (i32*)* @k, !\"kernel\", i32 1}\n" VERSION
#define TID    "  %t = call i32 @\"llvm.nvvm.read.ptx.sreg.tid.x\"()\n  %p = getelementptr i32, i32* %q, i32 %t\n"

// Pointers in every place: structs, arrays, functions, address spaces, constant expressions; names and texts with stars.
static void test_pointers(void)
{
    static const char text[] =
        HEAD "; a comment with i32* in it\n"
             "%pair = type { i32*, i32 (i32)* }\n"
             "@\"a*b\" = internal global [2 x i32 (i32)*] [i32 (i32)* @twice, i32 (i32)* @thrice]\n"
             "@tile = internal addrspace(3) global [32 x i32] undef\n"
             "@word = internal global i8* bitcast ([4 x i8]* @text to i8*)\n"
             "@text = internal global [4 x i8] c\"i8*\\00\"\n"
             "declare i32 @\"llvm.nvvm.read.ptx.sreg.tid.x\"()\n"
             "declare void @llvm.nvvm.barrier0()\n"
             "declare void @llvm.memcpy.p0i8.p0i8.i64(i8* nocapture, i8* nocapture readonly, i64, i1)\n"
             "define internal i32 @twice(i32 %x) noinline {\n  %r = shl i32 %x, 1\n  ret i32 %r\n}\n"
             "define internal i32 @thrice(i32 %x) noinline {\n  %r = mul i32 %x, 3\n  ret i32 %r\n}\n"
             "define void @k(i32* %q) {\n" TID "  %v = load i32, i32* %p, align 4\n"
             "  %s = getelementptr inbounds [32 x i32], [32 x i32] addrspace(3)* @tile, i32 0, i32 %t\n"
             "  store i32 %v, i32 addrspace(3)* %s\n"
             "  call void @llvm.nvvm.barrier0()\n"
             "  %u = xor i32 %t, 1\n"
             "  %s2 = getelementptr inbounds [32 x i32], [32 x i32] addrspace(3)* @tile, i32 0, i32 %u\n"
             "  %g = addrspacecast i32 addrspace(3)* %s2 to i32*\n"
             "  %w = load volatile i32, i32* %g\n"
             "  %odd = and i32 %t, 1\n"
             "  %f = getelementptr [2 x i32 (i32)*], [2 x i32 (i32)*]* @\"a*b\", i32 0, i32 %odd\n"
             "  %fn = load i32 (i32)*, i32 (i32)** %f\n"
             "  %pr = alloca %pair\n"
             "  %pf = getelementptr %pair, %pair* %pr, i32 0, i32 1\n"
             "  store i32 (i32)* %fn, i32 (i32)** %pf\n"
             "  %fn2 = load i32 (i32)*, i32 (i32)** %pf\n"
             "  %r = call i32 %fn2(i32 %w)\n"
             "  %b = load i8*, i8** @word\n"
             "  %star = getelementptr i8, i8* %b, i64 2\n"
             "  %c = load i8, i8* %star\n"
             "  %c32 = zext i8 %c to i32\n"
             "  %sum = add i32 %r, %c32\n"
             "  store i32 %sum, i32* %p\n"
             "  %p8 = bitcast i32* %p to i8*\n"
             "  %d = getelementptr i32, i32* %p, i32 32\n"
             "  %d8 = bitcast i32* %d to i8*\n"
             "  call void @llvm.memcpy.p0i8.p0i8.i64(i8* align 4 %d8, i8* align 4 %p8, i64 4, i1 false)\n"
             "  ret void\n}\n" KERNEL;
    unsigned out[128];
    char *ptx = build((const char *[]){text}, 1, NULL, NULL);
    launch(ptx, out);
    unsigned wrong = 0;
    for (unsigned i = 0; i < 32; i++)
        wrong += out[i] != (i & 1 ? 3 : 2) * (i ^ 1) + '*' || out[32 + i] != out[i];
    CHECK(wrong == 0);
    free(ptx);
}

// Warp functions.
static void test_warp(const char *level)
{
    static const char text[] =
        HEAD "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
             "declare {i32, i1} @llvm.nvvm.shfl.sync.i32(i32, i32, i32, i32, i32)\n"
             "declare {i32, i1} @\"llvm.nvvm.vote.sync\"(i32 %m, i32 %mode, i1 %p)\n"
             "declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)\n"
             "declare {i32, i1} @llvm.nvvm.match.all.sync.i32(i32, i32)\n"
             "declare i32 @llvm.nvvm.atomic.load.inc.32.p0i32(i32*, i32)\n"
             "define void @k(i32* %q) {\n" TID
             "  %up = call {i32, i1} @llvm.nvvm.shfl.sync.i32(i32 -1, i32 1, i32 %t, i32 1, i32 0)\n"
             "  %upv = extractvalue {i32, i1} %up, 0\n"
             "  %upp = extractvalue {i32, i1} %up, 1\n"
             "  %upi = select i1 %upp, i32 1000, i32 0\n"
             "  %a = add i32 %upv, %upi\n"
             "  store i32 %a, i32* %p\n"
             "  %x = call {i32, i1} @llvm.nvvm.shfl.sync.i32(i32 -1, i32 3, i32 %t, i32 4, i32 31)\n"
             "  %xv = extractvalue {i32, i1} %x, 0\n"
             "  %p1 = getelementptr i32, i32* %p, i32 32\n"
             "  store i32 %xv, i32* %p1\n"
             "  %small = icmp ult i32 %t, 5\n"
             "  %b = call {i32, i1} @\"llvm.nvvm.vote.sync\"(i32 -1, i32 3, i1 %small)\n"
             "  %bv = extractvalue {i32, i1} %b, 0\n"
             "  %b2 = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %small)\n"
             "  %bs = add i32 %bv, %b2\n"
             "  %any = call {i32, i1} @\"llvm.nvvm.vote.sync\"(i32 -1, i32 1, i1 %small)\n"
             "  %anyp = extractvalue {i32, i1} %any, 1\n"
             "  %anyi = select i1 %anyp, i32 100, i32 0\n"
             "  %c = add i32 %bs, %anyi\n"
             "  %p2 = getelementptr i32, i32* %p, i32 64\n"
             "  store i32 %c, i32* %p2\n"
             "  %m = call {i32, i1} @llvm.nvvm.match.all.sync.i32(i32 -1, i32 7)\n"
             "  %mp = extractvalue {i32, i1} %m, 1\n"
             "  %mi = zext i1 %mp to i32\n"
             "  %p3 = getelementptr i32, i32* %p, i32 96\n"
             "  store i32 %mi, i32* %p3\n"
             "  ret void\n}\n" KERNEL;
    unsigned out[128], wrong = 0;
    char *ptx = build((const char *[]){text}, 1, NULL, level);
    launch(ptx, out);
    for (unsigned i = 0; i < 32; i++)
        wrong += out[i] != (i ? i - 1 + 1000 : 0) || out[32 + i] != (i ^ 4) || out[64 + i] != 31 + 31 + 100 ||
                 out[96 + i] != 1;
    CHECK(wrong == 0);
    free(ptx);
}

// Inline assembly, and functions that hold it, are not moved or joined.
static void test_convergent(void)
{
    static const char text[] = HEAD "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
                                    "define internal i32 @mask() noinline {\n"
                                    "  %m = call i32 asm sideeffect \"activemask.b32 $0;\", \"=r\"()\n"
                                    "  ret i32 %m\n}\n"
                                    "define void @k(i32* %q) {\n" TID "  %o = and i32 %t, 1\n"
                                    "  %c = icmp eq i32 %o, 0\n"
                                    "  br i1 %c, label %even, label %odd\n"
                                    "even:\n"
                                    "  %m0 = call i32 asm sideeffect \"activemask.b32 $0;\", \"=r\"() nounwind\n"
                                    "  %n0 = call i32 @mask()\n"
                                    "  br label %end\n"
                                    "odd:\n"
                                    "  %m1 = call i32 asm sideeffect \"activemask.b32 $0;\", \"=r\"() nounwind\n"
                                    "  %n1 = call i32 @mask()\n"
                                    "  br label %end\n"
                                    "end:\n"
                                    "  %m = phi i32 [ %m0, %even ], [ %m1, %odd ]\n"
                                    "  %n = phi i32 [ %n0, %even ], [ %n1, %odd ]\n"
                                    "  store i32 %m, i32* %p\n"
                                    "  %p1 = getelementptr i32, i32* %p, i32 32\n"
                                    "  store i32 %n, i32* %p1\n"
                                    "  ret void\n}\n" KERNEL;
    unsigned out[128], wrong = 0;
    char *ptx = build((const char *[]){text}, 1, NULL, NULL);
    launch(ptx, out);
    for (unsigned i = 0; i < 32; i++)
        wrong += out[i] != (i & 1 ? 0xaaaaaaaa : 0x55555555) || out[32 + i] != out[i];
    CHECK(wrong == 0);
    free(ptx);
}

// Two modules that call each other's functions, and the mathematics library for what they need of it.
static void test_linked(const char *libdevice)
{
    static const char one[] = HEAD "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
                                   "declare float @other(float)\n"
                                   "define void @k(i32* %q) {\n" TID "  %f = uitofp i32 %t to float\n"
                                   "  %r = call float @other(float %f)\n"
                                   "  %i = bitcast float %r to i32\n"
                                   "  store i32 %i, i32* %p\n"
                                   "  ret void\n}\n" KERNEL;
    static const char two[] = HEAD "declare float @__nv_expf(float)\n"
                                   "define float @other(float %x) {\n"
                                   "  %y = fmul float %x, 0.125\n"
                                   "  %r = call float @__nv_expf(float %y)\n"
                                   "  ret float %r\n}\n" VERSION;
    unsigned out[128], wrong = 0;
    char *ptx = build((const char *[]){one, two}, 2, libdevice, NULL);
    CHECK(!strstr(ptx, "__nv_sinf"));
    launch(ptx, out);
    for (unsigned i = 0; i < 32; i++) {
        float f, wanted = expf((float)i / 8);
        memcpy(&f, &out[i], 4);
        wrong += !(fabsf(f - wanted) <= 4e-7f * wanted);
    }
    CHECK(wrong == 0);
    free(ptx);
}

static void test_float_modes(void)
{
    static const char text[] = HEAD "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
                                    "define void @k(i32* %q) {\n" TID "  %pf = bitcast i32* %p to float*\n"
                                    "  %f = load float, float* %pf\n"
                                    "  %m = fmul float %f, 1.5\n"
                                    "  %a = fadd float %m, %f\n"
                                    "  %d = fdiv float %a, %m\n"
                                    "  store float %d, float* %pf\n"
                                    "  ret void\n}\n" KERNEL;
    char *exact = build((const char *[]){text}, 1, NULL, "-fma=0"),
         *fused = build((const char *[]){text}, 1, NULL, NULL),
         *flushed = build((const char *[]){text}, 1, NULL, "-ftz=1"),
         *quick = build((const char *[]){text}, 1, NULL, "-prec-div=0");
    CHECK(!strstr(exact, "fma.rn") && strstr(exact, "div.rn.f32"));
    CHECK(strstr(fused, "fma.rn.f32"));
    CHECK(strstr(flushed, "fma.rn.ftz.f32") && strstr(flushed, "div.rn.ftz.f32"));
    CHECK(!strstr(quick, "div.rn") && strstr(quick, "div."));
    free(exact);
    free(fused);
    free(flushed);
    free(quick);
}

// A function that this compiler does not know must not end as a call of nobody.
static void test_unknown(void)
{
    static const char text[] = HEAD "declare i32 @llvm.nvvm.no.such.thing(i32)\n"
                                    "define void @k(i32* %q) {\n"
                                    "  %r = call i32 @llvm.nvvm.no.such.thing(i32 1)\n"
                                    "  store i32 %r, i32* %q\n"
                                    "  ret void\n}\n" KERNEL;
    nvvmProgram p;
    NVVM_OK(nvvmCreateProgram(&p));
    NVVM_OK(nvvmAddModuleToProgram(p, text, strlen(text), "m"));
    NVVM_EXPECT(nvvmCompileProgram(p, 0, NULL), NVVM_ERROR_COMPILATION);
    char *log = nvvm_log(p);
    CHECK(strstr(log, "llvm.nvvm.no.such.thing") || strstr(log, "llvm_nvvm_no_such_thing"));
    free(log);
    NVVM_OK(nvvmDestroyProgram(&p));
}

int main(int argc, char **argv)
{
    CUcontext context;
    OK(cuInit(0));
    OK(cuDevicePrimaryCtxRetain(&context, 0));
    OK(cuCtxSetCurrent(context));
    test_pointers();
    test_warp(NULL);
    test_warp("-opt=0");
    test_convergent();
    test_linked(argc > 1 ? argv[1] : NULL);
    test_float_modes();
    test_unknown();
    return test_summary();
}
