// SPDX-License-Identifier: Apache-2.0
// The forms of texture and surface instructions that compilers do not write: references by name, samplers of their own,
// queries, formatted accesses, reductions, and the errors of places that are wrong.
#include "common.h"
#include <sys/wait.h>
#include <unistd.h>

#define TEXT_HEAD ".version 7.8\n.target sm_80, texmode_independent\n.address_size 64\n"

static CUarray array_of(CUarray_format format, unsigned channels, const void *data, size_t texel)
{
    CUDA_ARRAY3D_DESCRIPTOR d = {8, 4, 0, format, channels, CUDA_ARRAY3D_SURFACE_LDST};
    CUDA_MEMCPY2D c = {.srcMemoryType = CU_MEMORYTYPE_HOST,
                       .srcHost = data,
                       .srcPitch = 8 * texel,
                       .dstMemoryType = CU_MEMORYTYPE_ARRAY,
                       .WidthInBytes = 8 * texel,
                       .Height = 4};
    CUarray a = NULL;
    OK(cuArray3DCreate(&a, &d));
    c.dstArray = a;
    OK(cuMemcpy2D(&c));
    return a;
}

static CUarray plane(void)
{
    float v[32];
    for (int i = 0; i < 32; i++)
        v[i] = (float)i;
    return array_of(CU_AD_FORMAT_FLOAT, 1, v, 4);
}

static CUresult run(CUmodule m, const char *name, void **args, unsigned threads)
{
    CUfunction f;
    OK(cuModuleGetFunction(&f, m, name));
    OK(cuLaunchKernel(f, 1, 1, 1, threads, 1, 1, 0, 0, args, NULL));
    return cuCtxSynchronize();
}

// A texture reference named in the instruction, one whose handle goes through a register, and one in a function.
static void references(void)
{
    static const char ptx[] = PTX_HEAD
        ".visible .global .texref image;\n"
        ".visible .func (.param .f32 r) look(.param .f32 x) {\n"
        " .reg .f32 %f<6>; ld.param.f32 %f0, [x];\n"
        " tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [image, {%f0, %f0}]; st.param.f32 [r], %f1; ret; }\n"
        ".visible .entry read(.param .u64 out) {\n"
        " .reg .b32 %r<3>; .reg .b64 %d<5>; .reg .f32 %f<14>;\n"
        " mov.u32 %r1, %tid.x; cvt.rn.f32.u32 %f0, %r1; mov.f32 %f1, 0f3FC00000;\n"
        " tex.2d.v4.f32.f32 {%f2, %f3, %f4, %f5}, [image, {%f0, %f1}];\n"
        " mov.u64 %d1, image; tex.base.2d.v4.f32.f32 {%f6, %f7, %f8, %f9}, [%d1, {%f0, %f1}];\n"
        " { .param .f32 a; .param .f32 b; st.param.f32 [a], %f0; call (b), look, (a); ld.param.f32 %f10, [b]; }\n"
        " fma.rn.f32 %f11, %f6, 0f42C80000, %f2; fma.rn.f32 %f12, %f10, 0f461C4000, %f11;\n"
        " ld.param.u64 %d2, [out]; mul.wide.u32 %d3, %r1, 4; add.s64 %d4, %d2, %d3; st.global.f32 [%d4], %f12; ret; "
        "}\n";
    CUmodule m;
    CUtexref t;
    CUarray a = plane();
    CUdeviceptr out;
    float v[32];
    OK(cuModuleLoadData(&m, ptx));
    OK(cuModuleGetTexRef(&t, m, "image"));
    OK(cuTexRefSetArray(t, a, CU_TRSA_OVERRIDE_FORMAT));
    OK(cuMemAlloc(&out, sizeof v));
    OK(run(m, "read", (void *[]){&out}, 32));
    OK(cuMemcpyDtoH(v, out, sizeof v));
    for (int i = 0; i < 32; i++) {
        int x = i < 8 ? i : 7, y = i < 4 ? i : 3;
        CHECK(v[i] == (float)(8 + x) * 101 + 10000.0f * (float)(8 * y + x));
    }
    OK(cuMemFree(out));
    OK(cuModuleUnload(m));
    OK(cuArrayDestroy(a));
}

// Samplers apart from textures.
static void samplers(void)
{
    static const char ptx[] = TEXT_HEAD
        ".visible .global .texref image;\n.global .samplerref plain;\n"
        ".global .samplerref soft = { addr_mode_0 = clamp_to_edge, addr_mode_1 = clamp_to_edge, filter_mode = linear,"
        " force_unnormalized_coords = 1 };\n"
        ".global .samplerref around = { addr_mode_0 = wrap, addr_mode_1 = wrap, filter_mode = nearest };\n"
        ".visible .entry read(.param .u64 out) {\n"
        " .reg .b64 %d<2>; .reg .f32 %f<10>; .reg .b32 %r; .reg .pred %p;\n"
        " ld.param.u64 %d1, [out];\n"
        " tex.2d.v4.f32.f32 {%f0, %f5, %f6, %f7}, [image, plain, {0f40200000, 0f3F000000}]; st.global.f32 [%d1], %f0;\n"
        " tex.2d.v4.f32.f32 {%f0, %f5, %f6, %f7}, [image, soft, {0f40200000, 0f3F800000}]; st.global.f32 [%d1+4], "
        "%f0;\n"
        " tex.2d.v4.f32.f32 {%f0, %f5, %f6, %f7}, [image, around, {0fBE000000, 0f3FA00000}]; st.global.f32 [%d1+8], "
        "%f0;\n"
        " istypep.samplerref %p, soft; selp.b32 %r, 1, 0, %p; st.global.b32 [%d1+12], %r; ret; }\n";
    CUmodule m;
    CUtexref t;
    CUarray a = plane();
    CUdeviceptr out;
    float v[4];
    unsigned word;
    OK(cuModuleLoadData(&m, ptx));
    OK(cuModuleGetTexRef(&t, m, "image"));
    OK(cuTexRefSetArray(t, a, CU_TRSA_OVERRIDE_FORMAT));
    OK(cuMemAlloc(&out, sizeof v));
    OK(run(m, "read", (void *[]){&out}, 1));
    OK(cuMemcpyDtoH(v, out, sizeof v));
    memcpy(&word, &v[3], 4);
    CHECK(v[0] == 2);
    CHECK(v[1] == 6);  // between rows 0 and 1, in the middle of column 2
    CHECK(v[2] == 15); // -1/8 is column 7, 5/4 row 1
    CHECK(word == 1);
    OK(cuMemFree(out));
    OK(cuModuleUnload(m));
    OK(cuArrayDestroy(a));
}

// Surfaces: queries, reductions, formatted loads and stores, of objects and references.
static void surfaces(void)
{
    static const char ptx[] = PTX_HEAD
        ".visible .global .surfref target;\n"
        ".visible .entry query(.param .u64 out, .param .u64 s, .param .u64 t) {\n"
        " .reg .b32 %r<8>; .reg .b64 %d<5>; ld.param.u64 %d1, [out]; ld.param.u64 %d2, [s]; ld.param.u64 %d3, [t];\n"
        " suq.width.b32 %r1, [%d2]; suq.height.b32 %r2, [%d2]; txq.width.b32 %r3, [%d3]; txq.height.b32 %r4, [%d3];\n"
        " suq.width.b32 %r5, [target];\n"
        " st.global.b32 [%d1], %r1; st.global.b32 [%d1+4], %r2; st.global.b32 [%d1+8], %r3; st.global.b32 [%d1+12], "
        "%r4;\n"
        " st.global.b32 [%d1+16], %r5; ret; }\n"
        ".visible .entry reduce(.param .u64 s) {\n"
        " .reg .b32 %r<4>; .reg .b64 %d; ld.param.u64 %d, [s]; mov.u32 %r1, %tid.x;\n"
        " sured.b.add.2d.u32.trap [%d, {8, 1}], %r1; sured.b.max.2d.s32.zero [%d, {12, 1}], %r1;\n"
        " sured.b.min.2d.u32.clamp [%d, {1000, 3}], %r1; sured.b.or.2d.b32.zero [%d, {-4, 0}], %r1;\n"
        " sured.p.add.2d.u32.trap [target, {3, 2}], 1; ret; }\n"
        ".visible .entry format(.param .u64 s, .param .u64 out) {\n"
        " .reg .b32 %r<8>; .reg .b64 %d<3>; ld.param.u64 %d1, [s]; ld.param.u64 %d2, [out];\n"
        " sust.p.2d.v4.b32.trap [%d1, {1, 1}], {300, 20, 1000000, 7}; sust.p.2d.v4.b32.zero [%d1, {8, 0}], {1, 1, 1, "
        "1};\n"
        " suld.p.2d.v4.b32.trap {%r1, %r2, %r3, %r4}, [%d1, {1, 1}];\n"
        " st.global.v4.b32 [%d2], {%r1, %r2, %r3, %r4}; ret; }\n";
    unsigned words[32] = {0}, v[8];
    unsigned char pixels[128] = {0};
    CUarray a = array_of(CU_AD_FORMAT_UNSIGNED_INT32, 1, words, 4),
            b = array_of(CU_AD_FORMAT_UNSIGNED_INT8, 4, pixels, 4);
    CUDA_RESOURCE_DESC r = {.resType = CU_RESOURCE_TYPE_ARRAY};
    CUDA_TEXTURE_DESC d = {.filterMode = CU_TR_FILTER_MODE_POINT, .flags = CU_TRSF_READ_AS_INTEGER};
    CUsurfObject s, s4;
    CUtexObject t;
    CUsurfref ref;
    CUmodule m;
    CUdeviceptr out;
    r.res.array.hArray = a;
    OK(cuSurfObjectCreate(&s, &r));
    OK(cuTexObjectCreate(&t, &r, &d, NULL));
    r.res.array.hArray = b;
    OK(cuSurfObjectCreate(&s4, &r));
    OK(cuModuleLoadData(&m, ptx));
    OK(cuModuleGetSurfRef(&ref, m, "target"));
    OK(cuSurfRefSetArray(ref, a, 0));
    OK(cuMemAlloc(&out, 64));
    OK(run(m, "query", (void *[]){&out, &s, &t}, 1));
    OK(cuMemcpyDtoH(v, out, 20));
    CHECK(v[0] == 8 && v[1] == 4 && v[2] == 8 && v[3] == 4 && v[4] == 8);
    OK(run(m, "reduce", (void *[]){&s}, 33));
    CUDA_MEMCPY2D c = {.srcMemoryType = CU_MEMORYTYPE_ARRAY,
                       .srcArray = a,
                       .dstMemoryType = CU_MEMORYTYPE_HOST,
                       .dstHost = words,
                       .dstPitch = 32,
                       .WidthInBytes = 32,
                       .Height = 4};
    OK(cuMemcpy2D(&c));
    CHECK(words[8 + 2] == 32 * 33 / 2 && words[8 + 3] == 32 && words[16 + 3] == 33 && words[31] == 0 && words[0] == 0);
    OK(run(m, "format", (void *[]){&s4, &out}, 1));
    OK(cuMemcpyDtoH(v, out, 16));
    CHECK(v[0] == 255 && v[1] == 20 && v[2] == 255 && v[3] == 7); // clamped to the format
    OK(cuMemFree(out));
    OK(cuSurfObjectDestroy(s));
    OK(cuSurfObjectDestroy(s4));
    OK(cuTexObjectDestroy(t));
    OK(cuModuleUnload(m));
    OK(cuArrayDestroy(a));
    OK(cuArrayDestroy(b));
}

// Halves, two values, integer coordinates and offsets.
static void forms(void)
{
    static const char ptx[] =
        PTX_HEAD ".visible .entry read(.param .u64 out, .param .u64 t) {\n"
                 " .reg .b32 %r<9>; .reg .b64 %d<3>; .reg .f32 %f<6>; .reg .b16 %h<5>; .reg .pred %p;\n"
                 " ld.param.u64 %d1, [out]; ld.param.u64 %d2, [t];\n"
                 " tex.2d.v4.f16.f32 {%h1, %h2, %h3, %h4}, [%d2, {0f40600000, 0f40200000}]; mov.b32 %r1, {%h1, %h2};\n"
                 " tex.2d.v2.f16x2.f32 {%r2, %r3}, [%d2, {0f40600000, 0f40200000}];\n"
                 " tex.2d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%d2, {3, 2}];\n"
                 " tex.2d.v4.f32.f32 {%f2, %f3, %f4, %f5}|%p, [%d2, {0f40600000, 0f40200000}], {-1, 1};\n"
                 " selp.b32 %r4, 1, 0, %p;\n"
                 " st.global.b32 [%d1], %r1; st.global.b32 [%d1+4], %r2; st.global.f32 [%d1+8], %f1; st.global.f32 "
                 "[%d1+12], %f2;\n"
                 " st.global.b32 [%d1+16], %r4; ret; }\n";
    CUDA_RESOURCE_DESC r = {.resType = CU_RESOURCE_TYPE_ARRAY};
    CUDA_TEXTURE_DESC d = {
        .addressMode = {CU_TR_ADDRESS_MODE_CLAMP, CU_TR_ADDRESS_MODE_CLAMP, CU_TR_ADDRESS_MODE_CLAMP}};
    CUtexObject t;
    CUmodule m;
    CUdeviceptr out;
    unsigned v[5];
    float f[5];
    CUarray a = plane();
    r.res.array.hArray = a;
    OK(cuTexObjectCreate(&t, &r, &d, NULL));
    OK(cuModuleLoadData(&m, ptx));
    OK(cuMemAlloc(&out, sizeof v));
    OK(run(m, "read", (void *[]){&out, &t}, 1));
    OK(cuMemcpyDtoH(v, out, sizeof v));
    memcpy(f, v, sizeof f);
    CHECK(v[0] == 0x4cc0 && v[1] == 0x4cc0); // 19
    CHECK(f[2] == 19 && f[3] == 26 && v[4] == 1);
    OK(cuMemFree(out));
    OK(cuTexObjectDestroy(t));
    OK(cuModuleUnload(m));
    OK(cuArrayDestroy(a));
}

// Each in a process of its own, since the error stays with the context.
static int fault(int which)
{
    static const char ptx[] =
        PTX_HEAD ".visible .entry load(.param .u64 s, .param .u32 x, .param .u32 y) {\n"
                 " .reg .b32 %r<4>; .reg .b64 %d; ld.param.u64 %d, [s]; ld.param.u32 %r1, [x]; ld.param.u32 %r2, [y];\n"
                 " suld.b.2d.b32.trap %r3, [%d, {%r1, %r2}]; ret; }\n"
                 ".visible .entry read(.param .u64 t) {\n"
                 " .reg .b64 %d<2>; .reg .f32 %f<5>; .reg .pred %p; ld.param.u64 %d1, [t];\n"
                 " tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%d1, {0f00000000, 0f00000000}];\n"
                 " setp.eq.f32 %p, %f1, 0f3F800000; @%p trap; ret; }\n";
    CUDA_RESOURCE_DESC r = {.resType = CU_RESOURCE_TYPE_ARRAY};
    CUDA_TEXTURE_DESC d = {0};
    CUsurfObject s;
    CUtexObject t;
    CUmodule m;
    int x = which == 0 ? 32 : which == 1 ? -4 : which == 2 ? 2 : 0, y = which == 3 ? 4 : 0;
    start();
    r.res.array.hArray = plane();
    OK(cuSurfObjectCreate(&s, &r));
    OK(cuTexObjectCreate(&t, &r, &d, NULL));
    OK(cuModuleLoadData(&m, ptx));
    uint64_t none = which == 4 ? 0 : which == 5 ? UINT64_C(0x123456789abc) : s;
    if (which < 4)
        EXPECT(run(m, "load", (void *[]){&s, &x, &y}, 1),
               which == 2 ? CUDA_ERROR_MISALIGNED_ADDRESS : CUDA_ERROR_ILLEGAL_ADDRESS);
    else
        EXPECT(run(m, "read", (void *[]){&none}, 1), CUDA_ERROR_ILLEGAL_ADDRESS);
    if (which == 4) // a texture where a surface should be
        EXPECT(cuCtxSynchronize(), CUDA_ERROR_ILLEGAL_ADDRESS);
    return test_failed != 0;
}

int main(void)
{
    for (int i = 0; i < 7; i++) {
        int status = 1;
        pid_t child = fork();
        if (!child)
            _exit(fault(i));
        CHECK(child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && !WEXITSTATUS(status));
    }
    start();
    references();
    samplers();
    surfaces();
    forms();
    return test_summary();
}
