// SPDX-License-Identifier: Apache-2.0
// Texture and surface objects and references: what can be made, what is refused, and what is given back. The
// expectations are those of an H200, but where ORACLE says otherwise.
#include "common.h"

#define F     CU_AD_FORMAT_FLOAT
#define VALUE CUDA_ERROR_INVALID_VALUE

static CUarray plane, bytes, cube;
static CUmipmappedArray levels;
static CUdeviceptr memory;

static CUarray array_make(size_t w, size_t h, size_t d, CUarray_format format, unsigned channels, unsigned flags)
{
    CUDA_ARRAY3D_DESCRIPTOR desc = {w, h, d, format, channels, flags};
    CUarray a = NULL;
    OK(cuArray3DCreate(&a, &desc));
    return a;
}

static CUDA_RESOURCE_DESC of_array(CUarray a)
{
    return (CUDA_RESOURCE_DESC){.resType = CU_RESOURCE_TYPE_ARRAY, .res.array.hArray = a};
}

static CUDA_RESOURCE_DESC of_linear(void)
{
    return (CUDA_RESOURCE_DESC){.resType = CU_RESOURCE_TYPE_LINEAR,
                                .res.linear = {.devPtr = memory, .format = F, .numChannels = 1, .sizeInBytes = 1024}};
}

static CUDA_RESOURCE_DESC of_pitch(void)
{
    return (CUDA_RESOURCE_DESC){
        .resType = CU_RESOURCE_TYPE_PITCH2D,
        .res.pitch2D = {
            .devPtr = memory, .format = F, .numChannels = 1, .width = 16, .height = 8, .pitchInBytes = 512}};
}

static const CUDA_TEXTURE_DESC clamp = {
    .addressMode = {CU_TR_ADDRESS_MODE_CLAMP, CU_TR_ADDRESS_MODE_CLAMP, CU_TR_ADDRESS_MODE_CLAMP}};

// A texture of a resource and a descriptor with a change in one of them.
#define TEXTURE(resource, change, result)                                                                              \
    do {                                                                                                               \
        CUDA_RESOURCE_DESC r = resource;                                                                               \
        CUDA_TEXTURE_DESC x = clamp;                                                                                   \
        CUtexObject t_ = 0;                                                                                            \
        (void)&x;                                                                                                      \
        change;                                                                                                        \
        EXPECT(cuTexObjectCreate(&t_, &r, &x, NULL), result);                                                          \
        if (t_)                                                                                                        \
            OK(cuTexObjectDestroy(t_));                                                                                \
    } while (0)
#define ARRAY(change, result)  TEXTURE(of_array(plane), change, result)
#define LINEAR(change, result) TEXTURE(of_linear(), change, result)
#define PITCH(change, result)  TEXTURE(of_pitch(), change, result)

// guide: cuTexObjectCreate (today's replacement of CUtexref)
static void textures(void)
{
    ARRAY(, CUDA_SUCCESS);
    ARRAY(r.res.array.hArray = NULL, VALUE);
    ARRAY(r.resType = (CUresourcetype)9, VALUE);
    ARRAY(r.flags = 1, VALUE);
    ARRAY(x.addressMode[0] = (CUaddress_mode)4, VALUE);
    ARRAY(x.addressMode[1] = (CUaddress_mode)-1, VALUE);
    ARRAY(x.filterMode = (CUfilter_mode)2, VALUE);
    ARRAY(x.mipmapFilterMode = (CUfilter_mode)2, VALUE);
    ARRAY(x.flags = 0x80, VALUE);
    ARRAY(x.reserved[3] = 1, VALUE);
    ARRAY(x.addressMode[0] = CU_TR_ADDRESS_MODE_WRAP, CUDA_SUCCESS);
    ARRAY(x.addressMode[0] = CU_TR_ADDRESS_MODE_BORDER, CUDA_SUCCESS);
    ARRAY(x.filterMode = CU_TR_FILTER_MODE_LINEAR, CUDA_SUCCESS);
    ARRAY(x.flags = CU_TRSF_READ_AS_INTEGER, CUDA_SUCCESS);
    ARRAY(x.flags = CU_TRSF_SRGB, CUDA_SUCCESS);
    ARRAY(x.maxAnisotropy = 17, CUDA_SUCCESS);
    ARRAY(x.flags = CU_TRSF_SEAMLESS_CUBEMAP, VALUE);
    ARRAY((x.flags = CU_TRSF_SEAMLESS_CUBEMAP, r.res.array.hArray = cube), CUDA_SUCCESS);
    ARRAY((x.minMipmapLevelClamp = 5, x.maxMipmapLevelClamp = 1), CUDA_SUCCESS);
    ARRAY((r.res.array.hArray = bytes, x.filterMode = CU_TR_FILTER_MODE_LINEAR), CUDA_SUCCESS);
    LINEAR(, CUDA_SUCCESS);
    LINEAR(r.res.linear.devPtr = memory + 4, VALUE);
    LINEAR(r.res.linear.devPtr = memory + 512, CUDA_SUCCESS);
    LINEAR(r.res.linear.devPtr = 0, VALUE);
    LINEAR(r.res.linear.sizeInBytes = 1023, CUDA_SUCCESS);
    LINEAR(r.res.linear.numChannels = 3, VALUE);
    LINEAR(r.res.linear.format = (CUarray_format)0x77, VALUE);
    PITCH(, CUDA_SUCCESS);
    PITCH(r.res.pitch2D.pitchInBytes = 96, CUDA_SUCCESS);
    PITCH(r.res.pitch2D.pitchInBytes = 80, VALUE);
    PITCH(r.res.pitch2D.pitchInBytes = 2097120, CUDA_SUCCESS);
    PITCH(r.res.pitch2D.pitchInBytes = 2097152, VALUE);
    PITCH(r.res.pitch2D.devPtr = memory + 4, VALUE);
    PITCH(r.res.pitch2D.devPtr = 0, VALUE);
    PITCH((r.res.pitch2D.width = 131073, r.res.pitch2D.pitchInBytes = 131104 * 4), VALUE);
    PITCH(r.res.pitch2D.height = 65000, CUDA_SUCCESS);
    PITCH(r.res.pitch2D.height = 65001, VALUE);
    PITCH(r.res.pitch2D.numChannels = 3, VALUE);
    PITCH(x.filterMode = CU_TR_FILTER_MODE_LINEAR, CUDA_SUCCESS);
    ARRAY((r.resType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY, r.res.mipmap.hMipmappedArray = levels), CUDA_SUCCESS);
    ARRAY((r.resType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY, r.res.mipmap.hMipmappedArray = NULL), VALUE);
#ifndef ORACLE
    ARRAY((r.resType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY, r.res.array.hArray = plane), VALUE); // another kind
    ARRAY(r.res.array.hArray = BAD(CUarray), VALUE);
#endif
    CUtexObject t;
    CUDA_RESOURCE_DESC r = of_array(plane), back;
    CUDA_TEXTURE_DESC x = clamp, xback;
    CUDA_RESOURCE_VIEW_DESC vback;
    x.flags = CU_TRSF_NORMALIZED_COORDINATES;
    x.addressMode[0] = CU_TR_ADDRESS_MODE_BORDER;
    x.borderColor[2] = 3;
    EXPECT(cuTexObjectCreate(NULL, &r, &x, NULL), VALUE);
    EXPECT(cuTexObjectCreate(&t, NULL, &x, NULL), VALUE);
    EXPECT(cuTexObjectCreate(&t, &r, NULL, NULL), VALUE);
    OK(cuTexObjectCreate(&t, &r, &x, NULL));
    OK(cuTexObjectGetResourceDesc(&back, t));
    CHECK(back.resType == CU_RESOURCE_TYPE_ARRAY && back.res.array.hArray == plane);
    OK(cuTexObjectGetTextureDesc(&xback, t));
    CHECK(xback.flags == CU_TRSF_NORMALIZED_COORDINATES && xback.addressMode[2] == CU_TR_ADDRESS_MODE_CLAMP);
#ifndef ORACLE // the colour is not given back there
    CHECK(xback.borderColor[2] == 3);
#endif
    OK(cuTexObjectGetResourceViewDesc(&vback, t));
    EXPECT(cuTexObjectGetResourceDesc(NULL, t), VALUE);
    EXPECT(cuTexObjectGetTextureDesc(NULL, t), VALUE);
    EXPECT(cuTexObjectGetResourceDesc(&back, 0), VALUE);
    EXPECT(cuTexObjectGetResourceDesc(&back, 0x1234560), VALUE);
    OK(cuTexObjectDestroy(t));
    EXPECT(cuTexObjectGetResourceDesc(&back, t), VALUE);
    EXPECT(cuTexObjectGetTextureDesc(&xback, t), VALUE);
    OK(cuTexObjectDestroy(t)); // what is not there is destroyed
    OK(cuTexObjectDestroy(0));
    OK(cuTexObjectDestroy(0x1234560));
}

static void views(void)
{
    CUDA_RESOURCE_DESC r = of_array(plane);
    CUDA_RESOURCE_VIEW_DESC good = {.format = CU_RES_VIEW_FORMAT_FLOAT_1X32, .width = 16, .height = 8}, v, back;
    CUtexObject t;
#define VIEW(change, result)                                                                                           \
    do {                                                                                                               \
        v = good;                                                                                                      \
        t = 0;                                                                                                         \
        change;                                                                                                        \
        EXPECT(cuTexObjectCreate(&t, &r, &clamp, &v), result);                                                         \
        if (t)                                                                                                         \
            OK(cuTexObjectDestroy(t));                                                                                 \
    } while (0)
    VIEW(, CUDA_SUCCESS);
    VIEW(memset(&v, 0, sizeof v), VALUE);
    VIEW(v.width = 8, VALUE);
    VIEW(v.format = CU_RES_VIEW_FORMAT_FLOAT_4X32, VALUE);
    VIEW(v.format = CU_RES_VIEW_FORMAT_UINT_1X32, CUDA_SUCCESS);
    VIEW(v.format = (CUresourceViewFormat)0x99, VALUE);
    VIEW(v.firstMipmapLevel = 1, VALUE);
    VIEW(v.lastLayer = 2, VALUE);
    OK(cuTexObjectCreate(&t, &r, &clamp, &good));
    OK(cuTexObjectGetResourceViewDesc(&back, t));
    CHECK(back.format == good.format && back.width == 16 && back.height == 8 && !back.depth);
    OK(cuTexObjectDestroy(t));
}

static void surfaces(void)
{
    CUDA_RESOURCE_DESC r = of_array(plane), linear = of_linear(), pitch = of_pitch(), back;
    CUDA_RESOURCE_DESC mip = {.resType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY, .res.mipmap.hMipmappedArray = levels};
    CUsurfObject s;
    OK(cuSurfObjectCreate(&s, &r));
    OK(cuSurfObjectGetResourceDesc(&back, s));
    CHECK(back.res.array.hArray == plane);
    EXPECT(cuSurfObjectGetResourceDesc(NULL, s), VALUE);
    EXPECT(cuSurfObjectGetResourceDesc(&back, 0), VALUE);
    OK(cuSurfObjectDestroy(s));
    OK(cuSurfObjectDestroy(s));
    EXPECT(cuSurfObjectCreate(&s, NULL), VALUE);
    EXPECT(cuSurfObjectCreate(&s, &linear), VALUE);
    EXPECT(cuSurfObjectCreate(&s, &pitch), VALUE);
    EXPECT(cuSurfObjectCreate(&s, &mip), VALUE);
    r.res.array.hArray = NULL;
    EXPECT(cuSurfObjectCreate(&s, &r), VALUE);
#ifndef ORACLE
    EXPECT(cuSurfObjectCreate(NULL, &r), VALUE);
#endif
}

// guide: CUtexref | cuTexRefCreate | cuTexRefDestroy | cuTexRefSetArray (CU_TRSA_OVERRIDE_FORMAT)
// guide: cuTexRefSetAddress | cuTexRefSetFormat | cuTexRefSetAddressMode | cuTexRefSetFilterMode
// guide: cuTexRefSetFlags (NORMALIZED_COORDINATES) | cuTexRefGetAddress | cuTexRefGetArray
// guide: cuTexRefGetAddressMode | cuTexRefGetFilterMode | cuTexRefGetFormat | cuTexRefGetFlags
// guide: CU_TRSF_READ_AS_INTEGER
static void references(void)
{
    CUtexref t;
    CUaddress_mode address;
    CUfilter_mode filter;
    CUarray_format format;
    CUarray a;
    CUmipmappedArray m;
    CUdeviceptr p;
    unsigned flags;
    int n;
    float f, g, color[4], border[4] = {1, 2, 3, 4};
    size_t offset;
    EXPECT(cuTexRefCreate(NULL), VALUE);
    OK(cuTexRefCreate(&t));
    // as new
    OK(cuTexRefGetAddressMode(&address, t, 0));
    OK(cuTexRefGetFilterMode(&filter, t));
    OK(cuTexRefGetFlags(&flags, t));
    OK(cuTexRefGetFormat(&format, &n, t));
    CHECK(address == CU_TR_ADDRESS_MODE_CLAMP && filter == CU_TR_FILTER_MODE_POINT && !flags);
    CHECK(format == F && n == 1);
    EXPECT(cuTexRefGetAddress(&p, t), VALUE);
    EXPECT(cuTexRefGetArray(&a, t), VALUE);
    EXPECT(cuTexRefGetMipmappedArray(&m, t), VALUE);
    // linear memory
    OK(cuTexRefSetFormat(t, F, 1));
    EXPECT(cuTexRefSetFormat(t, F, 3), VALUE);
    OK(cuTexRefSetAddress(&offset, t, memory, 1024));
    CHECK(!offset);
    OK(cuTexRefSetAddress(&offset, t, memory + 4, 1024));
    CHECK(offset == 4);
    OK(cuTexRefGetAddress(&p, t));
    CHECK(p == memory);
    EXPECT(cuTexRefSetAddress(NULL, t, memory + 4, 1024), VALUE);
    OK(cuTexRefSetAddress(NULL, t, memory, 1024));
    EXPECT(cuTexRefSetAddress(&offset, t, memory, (size_t)1 << 40), VALUE);
    OK(cuTexRefSetAddress(&offset, t, 0, 0));
    // rows
    CUDA_ARRAY_DESCRIPTOR d = {16, 8, F, 1};
    OK(cuTexRefSetAddress2D(t, &d, memory, 512));
    EXPECT(cuTexRefSetAddress2D(t, &d, memory, 65), VALUE);
    EXPECT(cuTexRefSetAddress2D(t, &d, memory, 32), VALUE);
    EXPECT(cuTexRefSetAddress2D(t, &d, memory + 4, 512), VALUE);
    EXPECT(cuTexRefSetAddress2D(t, NULL, memory, 512), VALUE);
    // arrays
    OK(cuTexRefSetArray(t, plane, CU_TRSA_OVERRIDE_FORMAT));
    OK(cuTexRefGetArray(&a, t));
    CHECK(a == plane);
    EXPECT(cuTexRefSetArray(t, plane, 2), VALUE);
    EXPECT(cuTexRefSetArray(t, NULL, CU_TRSA_OVERRIDE_FORMAT), CUDA_ERROR_INVALID_HANDLE);
    EXPECT(cuTexRefGetAddress(&p, t), VALUE);
    EXPECT(cuTexRefSetMipmappedArray(t, NULL, CU_TRSA_OVERRIDE_FORMAT), CUDA_ERROR_INVALID_HANDLE);
    OK(cuTexRefSetMipmappedArray(t, levels, CU_TRSA_OVERRIDE_FORMAT));
    OK(cuTexRefGetMipmappedArray(&m, t));
    CHECK(m == levels);
    // how it is read
    for (int i = 0; i < 3; i++) {
        OK(cuTexRefSetAddressMode(t, i, (CUaddress_mode)i));
        OK(cuTexRefGetAddressMode(&address, t, i));
        CHECK((int)address == i);
    }
    EXPECT(cuTexRefSetAddressMode(t, 3, CU_TR_ADDRESS_MODE_WRAP), VALUE);
    EXPECT(cuTexRefSetAddressMode(t, -1, CU_TR_ADDRESS_MODE_WRAP), VALUE);
    EXPECT(cuTexRefGetAddressMode(&address, t, 3), VALUE);
    EXPECT(cuTexRefGetAddressMode(NULL, t, 0), VALUE);
    OK(cuTexRefSetFilterMode(t, CU_TR_FILTER_MODE_LINEAR));
    OK(cuTexRefGetFilterMode(&filter, t));
    CHECK(filter == CU_TR_FILTER_MODE_LINEAR);
    EXPECT(cuTexRefGetFilterMode(NULL, t), VALUE);
    OK(cuTexRefSetFlags(t, 3));
    OK(cuTexRefGetFlags(&flags, t));
    CHECK(flags == 3);
    EXPECT(cuTexRefSetFlags(t, 0x80), VALUE);
    EXPECT(cuTexRefGetFlags(NULL, t), VALUE);
    OK(cuTexRefSetMaxAnisotropy(t, 8));
    OK(cuTexRefGetMaxAnisotropy(&n, t));
    CHECK(n == 8);
    OK(cuTexRefSetMipmapFilterMode(t, CU_TR_FILTER_MODE_LINEAR));
    OK(cuTexRefGetMipmapFilterMode(&filter, t));
    CHECK(filter == CU_TR_FILTER_MODE_LINEAR);
    EXPECT(cuTexRefSetMipmapFilterMode(t, (CUfilter_mode)5), VALUE);
    OK(cuTexRefSetMipmapLevelBias(t, 2));
    OK(cuTexRefGetMipmapLevelBias(&f, t));
    CHECK(f == 2);
    OK(cuTexRefSetMipmapLevelClamp(t, 1, 3));
    OK(cuTexRefGetMipmapLevelClamp(&f, &g, t));
    CHECK(f == 1 && g == 3);
    OK(cuTexRefSetBorderColor(t, border));
    OK(cuTexRefGetBorderColor(color, t));
    CHECK(!memcmp(color, border, sizeof color));
    EXPECT(cuTexRefSetBorderColor(t, NULL), VALUE);
    EXPECT(cuTexRefSetAddressMode(NULL, 0, CU_TR_ADDRESS_MODE_WRAP), CUDA_ERROR_INVALID_HANDLE);
    EXPECT(cuTexRefSetFilterMode(NULL, CU_TR_FILTER_MODE_POINT), CUDA_ERROR_INVALID_HANDLE);
    EXPECT(cuTexRefSetArray(NULL, plane, 1), CUDA_ERROR_INVALID_HANDLE);
    EXPECT(cuTexRefSetAddress(&offset, NULL, memory, 4), CUDA_ERROR_INVALID_HANDLE);
    EXPECT(cuTexRefGetArray(&a, NULL), CUDA_ERROR_INVALID_HANDLE);
    OK(cuTexRefDestroy(t));
    EXPECT(cuTexRefDestroy(NULL), CUDA_ERROR_INVALID_HANDLE);
#ifndef ORACLE
    EXPECT(cuTexRefDestroy(t), CUDA_ERROR_INVALID_HANDLE);
    EXPECT(cuTexRefSetFilterMode(t, CU_TR_FILTER_MODE_POINT), CUDA_ERROR_INVALID_HANDLE);
#endif
}

// guide: cuModuleGetTexRef | cuParamSetTexRef (CU_PARAM_TR_DEFAULT)
static void of_modules(void)
{
    static const char ptx[] =
        PTX_HEAD ".global .texref tex0;\n.global .surfref surf0;\n.visible .global .u32 word;\n" PTX_EMPTY;
    CUmodule m;
    CUtexref t, again;
    CUsurfref s;
    CUfunction f;
    CUarray a;
    CUdeviceptr p;
    size_t size;
    OK(cuModuleLoadData(&m, ptx));
    OK(cuModuleGetTexRef(&t, m, "tex0"));
    OK(cuModuleGetTexRef(&again, m, "tex0"));
    CHECK(t == again);
    EXPECT(cuModuleGetTexRef(NULL, m, "tex0"), VALUE);
    EXPECT(cuModuleGetTexRef(&t, m, NULL), VALUE);
    EXPECT(cuModuleGetTexRef(&t, m, "none"), CUDA_ERROR_NOT_FOUND);
    EXPECT(cuModuleGetTexRef(&t, m, "surf0"), CUDA_ERROR_NOT_FOUND);
    EXPECT(cuModuleGetTexRef(&t, m, "word"), CUDA_ERROR_NOT_FOUND);
    EXPECT(cuModuleGetTexRef(&t, NULL, "tex0"), CUDA_ERROR_INVALID_HANDLE);
    EXPECT(cuModuleGetSurfRef(&s, m, "tex0"), CUDA_ERROR_NOT_FOUND);
    EXPECT(cuModuleGetGlobal(&p, &size, m, "tex0"), VALUE);
    OK(cuModuleGetSurfRef(&s, m, "surf0"));
    EXPECT(cuSurfRefGetArray(&a, s), VALUE);
    EXPECT(cuSurfRefSetArray(s, bytes, 0), VALUE); // not made for surfaces
    OK(cuSurfRefSetArray(s, plane, 0));
    OK(cuSurfRefGetArray(&a, s));
    CHECK(a == plane);
    EXPECT(cuSurfRefSetArray(s, plane, 1), VALUE);
    EXPECT(cuSurfRefSetArray(s, NULL, 0), CUDA_ERROR_INVALID_HANDLE);
    EXPECT(cuSurfRefSetArray(NULL, plane, 0), CUDA_ERROR_INVALID_HANDLE);
    OK(cuTexRefSetArray(t, plane, CU_TRSA_OVERRIDE_FORMAT));
    OK(cuModuleGetFunction(&f, m, "empty"));
    OK(cuParamSetTexRef(f, CU_PARAM_TR_DEFAULT, t));
    EXPECT(cuParamSetTexRef(NULL, CU_PARAM_TR_DEFAULT, t), CUDA_ERROR_INVALID_HANDLE);
    EXPECT(cuParamSetTexRef(f, CU_PARAM_TR_DEFAULT, NULL), CUDA_ERROR_INVALID_HANDLE);
    OK(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, 0, NULL, NULL));
    OK(cuTexRefSetAddress(NULL, t, memory, 1024)); // bound anew
    OK(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, 0, NULL, NULL));
    OK(cuCtxSynchronize());
#ifndef ORACLE // an array that was freed is in nobody's way
    a = array_make(16, 8, 0, F, 1, 0);
    OK(cuTexRefSetArray(t, a, CU_TRSA_OVERRIDE_FORMAT));
    OK(cuArrayDestroy(a));
    OK(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, 0, NULL, NULL));
    OK(cuCtxSynchronize());
#endif
    OK(cuModuleUnload(m));
#ifndef ORACLE
    EXPECT(cuTexRefSetFilterMode(t, CU_TR_FILTER_MODE_POINT), CUDA_ERROR_INVALID_HANDLE);
#endif
}

// Kernels that fetch through references, by the launch interface of CUDA 1.1: what is bound, and how it is read, counts
// from the next launch on.
static void fetches(void)
{
    static const char ptx[] = PTX_HEAD
        ".global .texref tex0;\n.global .texref line0;\n.global .surfref surf0;\n"
        ".visible .entry fetch(.param .u64 o, .param .f32 dx) {\n"
        " .reg .f32 %f<10>; .reg .b64 %d<4>; .reg .b32 %r<6>;\n"
        " mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.y; cvt.rn.f32.u32 %f1, %r1; cvt.rn.f32.u32 %f2, %r2;\n"
        " ld.param.f32 %f3, [dx]; add.f32 %f1, %f1, %f3; add.f32 %f2, %f2, 0f3f000000;\n"
        " tex.2d.v4.f32.f32 {%f4, %f5, %f6, %f7}, [tex0, {%f1, %f2}];\n"
        " ld.param.u64 %d1, [o]; mad.lo.u32 %r3, %r2, 16, %r1; mul.wide.u32 %d2, %r3, 4; add.s64 %d3, %d1, %d2;\n"
        " st.global.f32 [%d3], %f4; ret; }\n"
        ".visible .entry pick(.param .u64 o) {\n"
        " .reg .f32 %f<5>; .reg .b64 %d<4>; .reg .b32 %r<6>;\n"
        " mov.u32 %r1, %tid.x; tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [line0, {%r1}];\n"
        " ld.param.u64 %d1, [o]; mul.wide.u32 %d2, %r1, 4; add.s64 %d3, %d1, %d2; st.global.f32 [%d3], %f1; ret; }\n"
        ".visible .entry mark() {\n"
        " .reg .b32 %r<6>; mov.u32 %r1, %tid.x; shl.b32 %r2, %r1, 2; mov.u32 %r3, 1; cvt.rn.f32.u32 %r4, %r1;\n"
        " sust.b.2d.b32.trap [surf0, {%r2, %r3}], {%r4}; ret; }\n";
    CUmodule m;
    CUfunction fetch, pick, mark;
    CUtexref t, l;
    CUsurfref s;
    float x[8][16], y[8][16], dx = 0.5f;
    for (int i = 0; i < 128; i++)
        x[i / 16][i % 16] = (float)(i * i);
    CUDA_MEMCPY2D c = {.srcMemoryType = CU_MEMORYTYPE_HOST,
                       .srcHost = x,
                       .srcPitch = 64,
                       .dstMemoryType = CU_MEMORYTYPE_ARRAY,
                       .dstArray = plane,
                       .WidthInBytes = 64,
                       .Height = 8};
    CUDA_MEMCPY2D back = {.srcMemoryType = CU_MEMORYTYPE_ARRAY,
                          .srcArray = plane,
                          .dstMemoryType = CU_MEMORYTYPE_HOST,
                          .dstHost = y,
                          .dstPitch = 64,
                          .WidthInBytes = 64,
                          .Height = 8};
    OK(cuMemcpy2D(&c));
    OK(cuModuleLoadData(&m, ptx));
    OK(cuModuleGetFunction(&fetch, m, "fetch"));
    OK(cuModuleGetFunction(&pick, m, "pick"));
    OK(cuModuleGetFunction(&mark, m, "mark"));
    OK(cuModuleGetTexRef(&t, m, "tex0"));
    OK(cuModuleGetTexRef(&l, m, "line0"));
    OK(cuModuleGetSurfRef(&s, m, "surf0"));
    OK(cuTexRefSetArray(t, plane, CU_TRSA_OVERRIDE_FORMAT));
    OK(cuFuncSetBlockShape(fetch, 16, 8, 1));
    OK(cuParamSetv(fetch, 0, &memory, 8));
    OK(cuParamSetf(fetch, 8, dx));
    OK(cuParamSetSize(fetch, 12));
    OK(cuParamSetTexRef(fetch, CU_PARAM_TR_DEFAULT, t));
    OK(cuLaunch(fetch));
    OK(cuMemcpyDtoH(y, memory, sizeof y));
    CHECK(!memcmp(x, y, sizeof x));
    OK(cuTexRefSetFilterMode(t, CU_TR_FILTER_MODE_LINEAR));
    OK(cuParamSetf(fetch, 8, 1.0f)); // half-way to the right
    OK(cuLaunchGrid(fetch, 1, 1));
    OK(cuMemcpyDtoH(y, memory, sizeof y));
    for (int i = 0; i < 128; i++)
        CHECK(y[i / 16][i % 16] == (i % 16 == 15 ? x[i / 16][15] : (x[i / 16][i % 16] + x[i / 16][i % 16 + 1]) / 2));
    // linear memory, at two places
    OK(cuMemcpyHtoD(memory + 4096, x, sizeof x));
    for (int at = 0; at < 512; at += 256) {
        void *args[] = {&memory};
        OK(cuTexRefSetAddress(NULL, l, memory + 4096, sizeof x));
        if (at)
            OK(cuTexRefSetAddress(NULL, l, memory + 8192, sizeof x));
        OK(cuMemcpyDtoD(memory + 8192, memory + 4096 + (size_t)at, 256));
        OK(cuLaunchKernel(pick, 1, 1, 1, 64, 1, 1, 0, 0, args, NULL));
        OK(cuMemcpyDtoH(y, memory, 256));
        CHECK(!memcmp(y, (char *)x + at, 256));
    }
    OK(cuSurfRefSetArray(s, plane, 0));
    OK(cuLaunchKernel(mark, 1, 1, 1, 16, 1, 1, 0, 0, NULL, NULL));
    OK(cuMemcpy2D(&back));
    for (int i = 0; i < 16; i++)
        CHECK(y[1][i] == (float)i && y[0][i] == x[0][i] && y[2][i] == x[2][i]);
    OK(cuModuleUnload(m));
}

static void limits(void)
{
    static const struct {
        CUarray_format format;
        unsigned channels;
        size_t width;
    } rows[] = {{F, 1, 1u << 30}, {F, 2, 1u << 29}, {F, 4, 1u << 28}, {CU_AD_FORMAT_UNSIGNED_INT8, 1, 1u << 30}};
    size_t width;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        OK(cuDeviceGetTexture1DLinearMaxWidth(&width, rows[i].format, rows[i].channels, 0));
        CHECK(width == rows[i].width);
    }
    EXPECT(cuDeviceGetTexture1DLinearMaxWidth(&width, F, 3, 0), VALUE);
    EXPECT(cuDeviceGetTexture1DLinearMaxWidth(&width, (CUarray_format)0x77, 1, 0), VALUE);
    EXPECT(cuDeviceGetTexture1DLinearMaxWidth(NULL, F, 1, 0), VALUE);
}

int main(void)
{
    CUDA_ARRAY3D_DESCRIPTOR d = {16, 8, 0, F, 1, 0};
    start();
    plane = array_make(16, 8, 0, F, 1, CUDA_ARRAY3D_SURFACE_LDST);
    bytes = array_make(16, 8, 0, CU_AD_FORMAT_UNSIGNED_INT8, 4, 0);
    cube = array_make(8, 8, 6, F, 1, CUDA_ARRAY3D_CUBEMAP);
    OK(cuMipmappedArrayCreate(&levels, &d, 3));
    OK(cuMemAlloc(&memory, 1 << 20));
    textures();
    views();
    surfaces();
    references();
    of_modules();
    fetches();
    limits();
    return test_summary();
}
