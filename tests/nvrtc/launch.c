// SPDX-License-Identifier: Apache-2.0
// Kernels compiled at run time and launched: built-in declarations, name expressions, headers in memory, options.
#include "common.h"
#include "../driver/common.h"
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <unistd.h>

// Code by target needs no header.
static void test_target_macros(void)
{
    nvrtcProgram p =
        rtc_compile("__global__ void k(int *p) { NV_IF_ELSE_TARGET(NV_IS_DEVICE, p[0] = 41; , p[0] = 42;) }\n",
                    NVRTC_SUCCESS, 0, NULL);
    char *ptx = rtc_ptx(p);
    CHECK(strstr(ptx, "41") && !strstr(ptx, "42"));
    free(ptx);
    RTC_OK(nvrtcDestroyProgram(&p));
}

static void run_saxpy(const void *image)
{
    enum { N = 1000 };
    CUmodule module;
    CUfunction function;
    CUdeviceptr x, y, out;
    float host_x[N], host_y[N], host_out[N], a = 3;
    size_t n = N;
    for (int i = 0; i < N; i++) {
        host_x[i] = (float)i;
        host_y[i] = (float)(2 * i);
    }
    OK(cuModuleLoadData(&module, image));
    OK(cuModuleGetFunction(&function, module, "saxpy"));
    OK(cuMemAlloc(&x, sizeof host_x));
    OK(cuMemAlloc(&y, sizeof host_y));
    OK(cuMemAlloc(&out, sizeof host_out));
    OK(cuMemcpyHtoD(x, host_x, sizeof host_x));
    OK(cuMemcpyHtoD(y, host_y, sizeof host_y));
    void *args[] = {&a, &x, &y, &out, &n};
    OK(cuLaunchKernel(function, 8, 1, 1, 128, 1, 1, 0, NULL, args, NULL));
    OK(cuMemcpyDtoH(host_out, out, sizeof host_out));
    bool same = true;
    for (int i = 0; i < N; i++)
        same = same && host_out[i] == 3 * host_x[i] + host_y[i];
    CHECK(same);
    OK(cuMemFree(x));
    OK(cuMemFree(y));
    OK(cuMemFree(out));
    OK(cuModuleUnload(module));
}

static const char saxpy[] = "extern \"C\" __global__\n"
                            "void saxpy(float a, float *x, float *y, float *out, size_t n)\n"
                            "{\n"
                            "    size_t tid = blockIdx.x * blockDim.x + threadIdx.x;\n"
                            "    if (tid < n)\n"
                            "        out[tid] = a * x[tid] + y[tid];\n"
                            "}\n";

// guide: NVRTC run-time compilation to PTX
static void test_saxpy(void)
{
    const char *virtual_target[] = {"--gpu-architecture=compute_80", "--fmad=false"};
    const char *real_target[] = {"-arch=sm_90"};
    nvrtcProgram p = rtc_compile(saxpy, NVRTC_SUCCESS, 2, virtual_target);
    char *ptx = rtc_ptx(p);
    size_t size = 9;
    CHECK(strstr(ptx, ".target sm_80"));
    run_saxpy(ptx);
    RTC_OK(nvrtcGetCUBINSize(p, &size));
    CHECK(size == 0);
    free(ptx);
    RTC_OK(nvrtcDestroyProgram(&p));
    p = rtc_compile(saxpy, NVRTC_SUCCESS, 1, real_target);
    RTC_OK(nvrtcGetCUBINSize(p, &size));
    CHECK(size > 0);
    char *image = malloc(size);
    RTC_OK(nvrtcGetCUBIN(p, image));
    run_saxpy(image);
    free(image);
    RTC_OK(nvrtcDestroyProgram(&p));
}

static int run_int(CUmodule module, const char *name, unsigned threads)
{
    CUfunction f;
    CUdeviceptr d;
    int result = -1;
    OK(cuModuleGetFunction(&f, module, name));
    OK(cuMemAlloc(&d, 4096));
    OK(cuMemsetD8(d, 0, 4096));
    void *args[] = {&d};
    OK(cuLaunchKernel(f, 1, 1, 1, threads, 1, 1, 0, NULL, args, NULL));
    OK(cuMemcpyDtoH(&result, d, sizeof result));
    OK(cuMemFree(d));
    return result;
}

static void test_names(void)
{
    static const char source[] =
        "template <class T, int N> __global__ void put(T *p) { *p = T(sizeof(T) * 100 + N); }\n"
        "namespace inner { __device__ int counter = 41; __constant__ float table[8];\n"
        "namespace { __global__ void count(int *p) { *p = ++counter; } } }\n"
        "static __device__ int hidden;\n"
        "static __global__ void quiet(int *p) { *p = hidden + 5; }\n"
        "__global__ void over(int *p) { *p = 1; }\n"
        "__global__ void over(float *p) { *p = 2; }\n";
    static const char *const names[] = {"put<int, 7>",   "put<short, 3>",         "&inner::counter",
                                        "&inner::table", "inner::count",          "&hidden",
                                        "quiet",         "(void (*)(int *))over", "&put<int, 7>"};
    nvrtcProgram p;
    const char *lowered[9] = {0};
    RTC_OK(nvrtcCreateProgram(&p, source, "names.cu", 0, NULL, NULL));
    for (int i = 0; i < 9; i++)
        RTC_OK(nvrtcAddNameExpression(p, names[i]));
    RTC_OK(nvrtcCompileProgram(p, 0, NULL));
    RTC_EXPECT(nvrtcAddNameExpression(p, "quiet"), NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION);
    RTC_EXPECT(nvrtcGetLoweredName(p, "other", &lowered[0]), NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID);
    for (int i = 0; i < 9; i++)
        RTC_OK(nvrtcGetLoweredName(p, names[i], &lowered[i]));
    CHECK(lowered[0] && lowered[8] && !strcmp(lowered[0], lowered[8]));
    char *ptx = rtc_ptx(p);
    CHECK(!strstr(ptx, "__heddle_name"));
    CUmodule module;
    CUdeviceptr address;
    size_t size;
    OK(cuModuleLoadData(&module, ptx));
    CHECK(run_int(module, lowered[0], 1) == 407);
    CHECK((short)run_int(module, lowered[1], 1) == 203);
    CHECK(run_int(module, lowered[4], 1) == 42);
    CHECK(run_int(module, lowered[6], 1) == 5);
    CHECK(run_int(module, lowered[7], 1) == 1);
    OK(cuModuleGetGlobal(&address, &size, module, lowered[2]));
    int value = 0;
    OK(cuMemcpyDtoH(&value, address, sizeof value));
    CHECK(value == 42 && size == 4);
    OK(cuModuleGetGlobal(&address, &size, module, lowered[3]));
    CHECK(size == 32);
    OK(cuModuleGetGlobal(&address, &size, module, lowered[5]));
    OK(cuModuleUnload(module));
    free(ptx);
    RTC_OK(nvrtcDestroyProgram(&p));
}

// Variables of one unit that the program writes, though no host code names them.
static void test_statics(void)
{
    static const char source[] = "#include \"inner.h\"\n"
                                 "static __constant__ int plain = 1;\n"
                                 "static __device__ int list[2] = {1, 1};\n"
                                 "static const __device__ int fixed[2] = {20, 30};\n"
                                 "extern \"C\" __global__ void sum(int *p)\n"
                                 "{ *p = plain + list[0] + list[1] + low::hidden + fixed[1]; }\n";
    static const char header[] = "namespace low { namespace { __constant__ int hidden = 1; } }\n";
    const char *texts[] = {header}, *files[] = {"inner.h"}, *lowered = NULL;
    nvrtcProgram p;
    CUmodule module;
    CUdeviceptr address;
    size_t size;
    RTC_OK(nvrtcCreateProgram(&p, source, "statics.cu", 1, texts, files));
    RTC_OK(nvrtcAddNameExpression(p, "&low::hidden"));
    RTC_OK(nvrtcCompileProgram(p, 1, (const char *const[]){"-std=c++11"}));
    RTC_OK(nvrtcGetLoweredName(p, "&low::hidden", &lowered));
    char *ptx = rtc_ptx(p);
    OK(cuModuleLoadData(&module, ptx));
    CHECK_INT(run_int(module, "sum", 1), 34);
    int values[2] = {200, 3000};
    OK(cuModuleGetGlobal(&address, &size, module, "plain"));
    OK(cuMemcpyHtoD(address, values, 4));
    OK(cuModuleGetGlobal(&address, &size, module, "list"));
    CHECK_INT((int)size, 8);
    OK(cuMemcpyHtoD(address, values, 8));
    OK(cuModuleGetGlobal(&address, &size, module, lowered));
    OK(cuMemcpyHtoD(address, values, 4));
    CHECK_INT(run_int(module, "sum", 1), 3630);
    OK(cuModuleUnload(module));
    free(ptx);
    RTC_OK(nvrtcDestroyProgram(&p));
}

// The carry flag goes from one asm statement to the next, none of them volatile: an addc of constants stays where it is.
static void test_carries(void)
{
    static const char source[] = "static __device__ void add(unsigned &r, unsigned a, unsigned b)\n"
                                 "{ asm(\"add.cc.u32 %0, %1, %2;\" : \"=r\"(r) : \"r\"(a), \"r\"(b)); }\n"
                                 "static __device__ void carry(unsigned &r) { asm(\"addc.u32 %0, %1, %2;\" : \"=r\"(r) "
                                 ": \"r\"(0), \"r\"(0)); }\n"
                                 "extern \"C\" __global__ void carries(int *p)\n"
                                 "{\n"
                                 "    unsigned x = p[1] + 0x60000000u, seen = 0, c;\n"
                                 "    for (int i = 0; i < 8; i++) {\n"
                                 "        add(x, x, 0x60000000u);\n"
                                 "        carry(c);\n"
                                 "        seen = seen * 10 + c;\n"
                                 "    }\n"
                                 "    *p = seen;\n"
                                 "}\n";
    nvrtcProgram p = rtc_compile(source, NVRTC_SUCCESS, 0, NULL);
    CUmodule module;
    char *ptx = rtc_ptx(p);
    OK(cuModuleLoadData(&module, ptx));
    CHECK_INT(run_int(module, "carries", 1), 1001010);
    OK(cuModuleUnload(module));
    free(ptx);
    RTC_OK(nvrtcDestroyProgram(&p));
}

// Sources define types of the C library and names of the C++ one for themselves.
static void test_language(void)
{
    static const char source[] =
        "typedef long long int64_t; typedef unsigned long long uint64_t; typedef int int32_t;\n"
        "#define INT_MAX 77\n#define NAN 5\n"
        "namespace std { template <class T> struct numeric_limits { static const int own = 3; }; }\n"
        "#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n#include <cooperative_groups.h>\n"
        "#include <cooperative_groups/reduce.h>\n#include \"cuda_runtime.h\"\n"
        "#ifndef __CUDACC_RTC__\n#error __CUDACC_RTC__\n#endif\n"
        "#if defined(__NVCC__) || defined(__clang__) || defined(__GNUC__) || defined(__linux__)\n#error host\n#endif\n"
        "#if CUDART_VERSION != 13000 || __CUDA_ARCH__ != 750\n#error versions\n#endif\n"
        "struct pair { int a; __device__ pair(std::initializer_list<int> l) : a(0) { for (int x : l) a += x; } };\n"
        "extern \"C\" __global__ void k(int *out) {\n"
        "    namespace cg = cooperative_groups;\n"
        "    auto tile = cg::tiled_partition<32>(cg::this_thread_block());\n"
        "    int sum = cg::reduce(tile, 1, cg::plus<int>());\n"
        "    half h = __float2half(1.5f);\n"
        "    float f = sinf(0) + cos(0.0f) + pow(2.0, 3) + std::sqrt(16.f) + max(1, 2) + (float)(h * h);\n"
        "    int *heap = new int[2]; heap[0] = 4; int four = *heap; delete[] heap;\n"
        "    int *moved = std::move(out);\n"
        "    assert(f > 0);\n"
        "    atomicAdd(moved + 1, 1); __syncthreads();\n"
        "    clock_t t = clock(); ptrdiff_t d = moved - out; size_t z = sizeof t + d;\n"
        "    if (threadIdx.x == 0)\n"
        "        *out = sum * 1000 + out[1] + (int)f + four + pair{1, 2}.a + INT_MAX + NAN + (z == 0) +\n"
        "               std::numeric_limits<int>::own;\n"
        "}\n";
    nvrtcProgram p = rtc_compile(source, NVRTC_SUCCESS, 0, NULL);
    char *ptx = rtc_ptx(p);
    CUmodule module;
    OK(cuModuleLoadData(&module, ptx));
    CHECK_INT(run_int(module, "k", 32), 32000 + 32 + 17 + 4 + 3 + 77 + 5 + 3);
    OK(cuModuleUnload(module));
    free(ptx);
    RTC_OK(nvrtcDestroyProgram(&p));
}

// What cuda::std has without a C++ library, and with a specialisation of the source's own.
static void test_library(void)
{
    static const char source[] =
        "#include <cuda/std/limits>\n#include <cuda/std/climits>\n#include <cuda/std/cstdint>\n"
        "#include <cuda/std/cstddef>\n#include <cuda/std/cfloat>\n#include <cuda/std/type_traits>\n"
        "#include <cuda/std/utility>\n#include <cuda/std/cmath>\n#include <cuda/std/cassert>\n"
        "#include <curand_kernel.h>\n#include <cuComplex.h>\n#include <cuda_fp8.h>\n"
        "namespace cs = cuda::std;\n"
        "struct own {};\n"
        "namespace cuda { namespace std {\n"
        "template <> class numeric_limits<own> { public: __device__ static int min() { return 5; } };\n}}\n"
        "static_assert(cs::numeric_limits<int>::min() == INT_MIN, \"\");\n"
        "static_assert(cs::numeric_limits<unsigned long long>::max() == ~0ull, \"\");\n"
        "static_assert(cs::numeric_limits<long long>::min() == LLONG_MIN, \"\");\n"
        "static_assert(cs::numeric_limits<signed char>::max() == 127, \"\");\n"
        "static_assert(cs::numeric_limits<char>::min() == CHAR_MIN, \"\");\n"
        "static_assert(cs::numeric_limits<float>::lowest() == -FLT_MAX, \"\");\n"
        "static_assert(cs::numeric_limits<const double>::digits == 53, \"\");\n"
        "static_assert(!cs::numeric_limits<own *>::is_specialized, \"\");\n"
        "static_assert(cs::is_same<cs::remove_cvref_t<const int &>, int>::value, \"\");\n"
        "static_assert(cs::is_same<cs::make_unsigned_t<int>, cs::uint32_t>::value, \"\");\n"
        "static_assert(cs::is_convertible<float, int>::value && !cs::is_integral<float>::value, \"\");\n"
        "static_assert(cs::make_index_sequence<3>::size() == 3, \"\");\n"
        "extern \"C\" __global__ void k(int *out) {\n"
        "    auto p = cs::make_pair(1, 2.0f);\n    int a = 7, b = 30;\n    cs::swap(a, b);\n"
        "    assert(p.second > 1);\n"
        "    *out = (1 / cs::numeric_limits<float>::infinity() == 0) + cs::numeric_limits<own>::min() * 10 +\n"
        "           (int)cs::sqrt(10000.0f * p.second * 2) + a * 100;\n"
        "}\n";
    // Where the SDK has CCCL, its headers would come before ours.
    const char *own = "-I" OWN_HEADERS;
    nvrtcProgram p = rtc_compile(source, NVRTC_SUCCESS, 1, &own);
    char *ptx = rtc_ptx(p);
    CUmodule module;
    OK(cuModuleLoadData(&module, ptx));
    CHECK_INT(run_int(module, "k", 1), 1 + 50 + 200 + 3000);
    OK(cuModuleUnload(module));
    free(ptx);
    RTC_OK(nvrtcDestroyProgram(&p));
}

static void test_headers(void)
{
    static const char source[] = "#include \"a.h\"\n#include <deep/b.h>\n#include \"limits\"\n"
                                 "extern \"C\" __global__ void k(int *p) { *p = A + b() + C + OWN; }\n";
    static const char *const names[] = {"a.h", "deep/b.h", "deep/c.h", "limits"};
    static const char *const texts[] = {"#define A 1\n", "#include \"c.h\"\n__device__ int b() { return 20; }\n",
                                        "#pragma once\n#define C 300\n", "#define OWN 4000\n"};
    static const char *const broken[] = {"#define A 1\n", "#include \"c.h\"\n__device__ int b() { return wrong; }\n",
                                         "#pragma once\n#define C 300\n", "#define OWN 4000\n"};
    nvrtcProgram p;
    RTC_OK(nvrtcCreateProgram(&p, source, "headers.cu", 4, texts, names));
    RTC_OK(nvrtcCompileProgram(p, 0, NULL));
    char *ptx = rtc_ptx(p);
    CUmodule module;
    OK(cuModuleLoadData(&module, ptx));
    CHECK_INT(run_int(module, "k", 1), 4321);
    OK(cuModuleUnload(module));
    free(ptx);
    RTC_OK(nvrtcDestroyProgram(&p));
    RTC_OK(nvrtcCreateProgram(&p, source, "headers.cu", 4, broken, names));
    RTC_EXPECT(nvrtcCompileProgram(p, 0, NULL), NVRTC_ERROR_COMPILATION);
    char *log = rtc_log(p);
    CHECK(strstr(log, "deep/b.h(2): error:") && strstr(log, "'wrong'"));
    CHECK(!strstr(log, "__nvrtc__"));
    free(log);
    RTC_OK(nvrtcDestroyProgram(&p));
}

// A size of clusters that the source names is in the PTX, also of a template.
static void test_clusters(void)
{
    static const char source[] = "template <int N> __global__ void __cluster_dims__(N, 1, 1) size(unsigned *out)\n"
                                 "{\n"
                                 "    unsigned n;\n"
                                 "    asm(\"mov.u32 %0, %%cluster_nctarank;\" : \"=r\"(n));\n"
                                 "    out[blockIdx.x] = n;\n"
                                 "}\n"
                                 "template __global__ void size<4>(unsigned *);\n";
    const char *options[] = {"-arch=compute_90"};
    nvrtcProgram p = rtc_compile(source, NVRTC_SUCCESS, 1, options);
    char *ptx = rtc_ptx(p);
    CUmodule module;
    CUfunction function;
    CUdeviceptr out;
    unsigned got[8] = {0};
    CHECK(strstr(ptx, ".reqnctapercluster 4, 1, 1"));
    CHECK(!strstr(ptx, "heddle_"));
    OK(cuModuleLoadData(&module, ptx));
    OK(cuModuleGetFunction(&function, module, "_Z4sizeILi4EEvPj"));
    OK(cuMemAlloc(&out, sizeof got));
    void *args[] = {&out};
    OK(cuLaunchKernel(function, 8, 1, 1, 1, 1, 1, 0, NULL, args, NULL));
    OK(cuMemcpyDtoH(got, out, sizeof got));
    CHECK(got[0] == 4 && got[7] == 4);
    EXPECT(cuLaunchKernel(function, 6, 1, 1, 1, 1, 1, 0, NULL, args, NULL), CUDA_ERROR_INVALID_CLUSTER_SIZE);
    OK(cuMemFree(out));
    OK(cuModuleUnload(module));
    free(ptx);
    RTC_OK(nvrtcDestroyProgram(&p));
}

static void test_options(void)
{
    static const char source[] = "#ifdef WORDS\nint helper(int x) { return x * VALUE; }\n#else\n"
                                 "__device__ int helper(int x) { return x * VALUE; }\n#endif\n"
                                 "extern \"C\" __global__ void k(int *p) { *p = helper(3); }\n";
    const char *plain[] = {"-DVALUE=7"}, *spaced[] = {"-D", "VALUE=8"}, *both[] = {"--define-macro=VALUE=9", "-UVALUE"};
    const char *words[] = {"-DVALUE=5", "-DWORDS", "-default-device"};
    const char *many[] = {"-DVALUE=6",
                          "-lineinfo",
                          "-use_fast_math",
                          "--ftz=false",
                          "-w",
                          "-std=c++20",
                          "-maxrregcount=32",
                          "--restrict",
                          "-rdc=true",
                          "-Xptxas",
                          "-v",
                          "--no-cache",
                          "-device-int128",
                          "-split-compile=2",
                          "--minimal",
                          "-brief-diag=true",
                          "-Ofc=mid",
                          "-jtd=50",
                          "-opt-info=inline",
                          "-diag-suppress=177,20012"};
    const struct {
        const char **options;
        int count, value;
    } rows[] = {{plain, 1, 21}, {spaced, 2, 24}, {words, 3, 15}, {many, 20, 18}};
    for (int i = 0; i < 4; i++) {
        nvrtcProgram p = rtc_compile(source, NVRTC_SUCCESS, rows[i].count, rows[i].options);
        char *ptx = rtc_ptx(p);
        CUmodule module;
        OK(cuModuleLoadData(&module, ptx));
        CHECK_INT(run_int(module, "k", 1), rows[i].value);
        if (i == 3)
            CHECK(strstr(ptx, ".maxnreg 32") && strstr(ptx, ".loc") && strstr(ptx, "test.cu"));
        OK(cuModuleUnload(module));
        free(ptx);
        RTC_OK(nvrtcDestroyProgram(&p));
    }
    nvrtcProgram p = rtc_compile(source, NVRTC_ERROR_COMPILATION, 2, both);
    RTC_OK(nvrtcDestroyProgram(&p));
}

// The result on disk counts while the headers that it read are the same.
static void test_cache(void)
{
    char dir[] = "/tmp/nvrtc-test-XXXXXX", path[64], include[64];
    CHECK(mkdtemp(dir) != NULL);
    snprintf(path, sizeof path, "%s/value.h", dir);
    snprintf(include, sizeof include, "-I%s", dir);
    const char *options[] = {include};
    for (int i = 0; i < 4; i++) {
        if (i % 2 == 0) {
            FILE *f = fopen(path, "w");
            fprintf(f, "#define VALUE %d\n", 12345 + i);
            fclose(f);
        }
        nvrtcProgram p = rtc_compile("#include \"value.h\"\nextern \"C\" __global__ void k(int *p) { *p = VALUE; }\n",
                                     NVRTC_SUCCESS, 1, options);
        char *ptx = rtc_ptx(p), value[16];
        snprintf(value, sizeof value, "%d", 12345 + i / 2 * 2);
        CHECK(strstr(ptx, value));
        free(ptx);
        RTC_OK(nvrtcDestroyProgram(&p));
    }
    unlink(path);
    rmdir(dir);
}

static void *thread_compile(void *arg)
{
    char source[200];
    for (int i = 0; i < 3; i++) {
        snprintf(source, sizeof source, "extern \"C\" __global__ void k%d(int *p) { *p = %d; }", (int)(intptr_t)arg, i);
        nvrtcProgram p;
        const char *option = "--no-cache";
        if (nvrtcCreateProgram(&p, source, NULL, 0, NULL, NULL) || nvrtcCompileProgram(p, 1, &option) ||
            nvrtcDestroyProgram(&p))
            return (void *)1;
    }
    return NULL;
}

static void test_threads(void)
{
    pthread_t threads[4];
    for (intptr_t i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, thread_compile, (void *)i);
    for (int i = 0; i < 4; i++) {
        void *failed = (void *)1;
        pthread_join(threads[i], &failed);
        CHECK(!failed);
    }
}

int main(void)
{
    CUcontext context = start();
    test_target_macros();
    test_saxpy();
    test_names();
    test_statics();
    test_carries();
    test_language();
    test_library();
    test_headers();
    test_clusters();
    test_options();
    test_cache();
    test_threads();
    OK(cuCtxDestroy(context));
    return test_summary();
}
