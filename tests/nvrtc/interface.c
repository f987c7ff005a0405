// SPDX-License-Identifier: Apache-2.0
// The interface of run-time compilation: results of calls with bad arguments, logs, precompiled headers, the callback.
// OURS marks what NVIDIA's library does otherwise: it follows stale handles, and its compiler has other words.
#include "common.h"
#include <stdbool.h>
#include <unistd.h>

#if defined(HEDDLE_ORACLE)
#define OURS(...)
#else
#define OURS(...) __VA_ARGS__
#endif

static void test_arguments(void)
{
    nvrtcProgram p = NULL;
    OURS(nvrtcProgram stale = (nvrtcProgram)(size_t)0x12340;)
    const char *text[] = {NULL}, *name = NULL;
    int archs[64], n = 0, major = 0, minor = 0;
    size_t size = 9;
    char byte = 1;
    RTC_OK(nvrtcVersion(&major, &minor));
    CHECK(major == 13 && minor == 0);
    RTC_EXPECT(nvrtcVersion(NULL, &minor), NVRTC_ERROR_INVALID_INPUT);
    RTC_OK(nvrtcGetNumSupportedArchs(&n));
    CHECK(n > 10 && n < 64);
    RTC_OK(nvrtcGetSupportedArchs(archs));
    for (int i = 1; i < n; i++)
        CHECK(archs[i - 1] < archs[i]);
    RTC_EXPECT(nvrtcGetSupportedArchs(NULL), NVRTC_ERROR_INVALID_INPUT);
    RTC_EXPECT(nvrtcCreateProgram(NULL, "", NULL, 0, NULL, NULL), NVRTC_ERROR_INVALID_PROGRAM);
    RTC_EXPECT(nvrtcCreateProgram(&p, NULL, NULL, 0, NULL, NULL), NVRTC_ERROR_INVALID_INPUT);
    RTC_EXPECT(nvrtcCreateProgram(&p, "", NULL, 1, NULL, NULL), NVRTC_ERROR_INVALID_INPUT);
    RTC_EXPECT(nvrtcCreateProgram(&p, "", NULL, 1, text, text), NVRTC_ERROR_INVALID_INPUT);
    RTC_EXPECT(nvrtcCreateProgram(&p, "", NULL, -1, NULL, NULL), NVRTC_ERROR_INVALID_INPUT);
    RTC_OK(nvrtcCreateProgram(&p, "__global__ void k() {}", NULL, 0, NULL, NULL));
    RTC_OK(nvrtcGetPTXSize(p, &size));
    CHECK(size == 1);
    RTC_OK(nvrtcGetPTX(p, &byte));
    CHECK(byte == 0);
    RTC_OK(nvrtcGetProgramLogSize(p, &size));
    CHECK(size == 1);
    RTC_EXPECT(nvrtcGetPTX(p, NULL), NVRTC_ERROR_INVALID_INPUT);
    RTC_EXPECT(nvrtcGetPTXSize(p, NULL), NVRTC_ERROR_INVALID_INPUT);
    OURS(RTC_EXPECT(nvrtcGetPTXSize(stale, &size), NVRTC_ERROR_INVALID_PROGRAM);)
    RTC_EXPECT(nvrtcGetLoweredName(p, "k", &name), NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION);
    RTC_EXPECT(nvrtcAddNameExpression(p, NULL), NVRTC_ERROR_INVALID_INPUT);
    RTC_EXPECT(nvrtcCompileProgram(p, -1, NULL), NVRTC_ERROR_INVALID_INPUT);
    OURS(RTC_EXPECT(nvrtcCompileProgram(stale, 0, NULL), NVRTC_ERROR_INVALID_PROGRAM);)
    RTC_OK(nvrtcGetLTOIRSize(p, &size));
    CHECK(size == 0);
    RTC_OK(nvrtcGetOptiXIRSize(p, &size));
    CHECK(size == 0);
    OURS(nvrtcProgram copy = p;)
    RTC_OK(nvrtcDestroyProgram(&p));
    CHECK(p == NULL);
    RTC_EXPECT(nvrtcDestroyProgram(&p), NVRTC_ERROR_INVALID_PROGRAM);
    OURS(RTC_EXPECT(nvrtcDestroyProgram(&copy), NVRTC_ERROR_INVALID_PROGRAM);)
    CHECK(!strcmp(nvrtcGetErrorString(NVRTC_ERROR_CANCELLED), "NVRTC_ERROR_CANCELLED"));
    CHECK(!strcmp(nvrtcGetErrorString((nvrtcResult)99), "NVRTC_ERROR unknown"));
}

static void test_bad_options(void)
{
    static const struct {
        const char *options[2], *message;
    } rows[] = {{{"--bogus"}, "unrecognized option --bogus found"},
                {{"word"}, "unrecognized option word found"},
                {{"-arch=sm_10"}, "invalid value for --gpu-architecture (-arch)"},
                {{"-arch=lto_80"}, "invalid value for --gpu-architecture (-arch)"},
                {{"-std=c++98"}, "invalid value for --std(-std)"},
                {{"-ftz=x"}, "--ftz (-ftz) expects true or false"},
                {{"-G=1"}, "--device-debug (-G) does not accept any argument"},
                {{"--maxrregcount=x"}, "--maxrregcount (-maxrregcount) expects an integer value"},
                {{"--dopt=off"}, "invalid argument for option --dopt (-dopt): off"},
                {{"-jtd=200"}, "must be between [0-101]"},
                {{"-dc", "-dw"}, "Both --device-c (-dc) and --device-w (-dw) specified"},
                {{"-pch", "-use-pch=x"}, "-pch and -use-pch cannot be specified at the same time"},
                OURS({{"--optix-ir"}, "--optix-ir (-optix-ir) is not supported"},
                     {{"-device-float128"}, "--device-float128 (-device-float128) is not supported"},
                     {{"-arch"}, "--gpu-architecture (-arch) expects an argument"})};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        nvrtcProgram p = rtc_compile("", NVRTC_ERROR_INVALID_OPTION, rows[i].options[1] ? 2 : 1, rows[i].options);
        char *log = rtc_log(p);
        CHECK(strstr(log, "nvrtc: error: ") == log && strstr(log, rows[i].message));
        if (!strstr(log, rows[i].message))
            fprintf(stderr, "no '%s' in: %s", rows[i].message, log);
        free(log);
        RTC_OK(nvrtcDestroyProgram(&p));
    }
}

static void test_errors(void)
{
    static const struct {
        const char *source, *expression, *messages[3];
    } rows[] = {
        {"__global__ void k(int *p)\n{\n  *p = no_such_variable;\n}\n",
         NULL,
         {OURS("test.cu(3): error: use of undeclared identifier 'no_such_variable'", ) "  *p = no_such_variable;",
          "1 error detected in the compilation of \"test.cu\"."}},
        {"\n#include \"none.h\"\n",
         NULL,
         {"test.cu(2): catastrophic error: cannot open source file \"none.h\"", "Compilation terminated.",
          "1 catastrophic error detected in the compilation of \"test.cu\"."}},
        {"#include <vector>\n", NULL, {" open source file \"vector\""}},
        {"#include <limits>\n", NULL, {" open source file \"limits\""}},
        {"#include <string.h>\n", NULL, {" open source file \"string.h\""}},
        OURS({"int host(int);\n__global__ void k(int *p) { *p = host(1); }\n", NULL, {"test.cu(2): error: "}}, ){
            "__global__ int k() { return 1; }\n", NULL, {"test.cu(1): error: "}},
        {"__device__ first x;\n__device__ second y;\n", NULL, {"2 errors detected"}},
        {"__global__ void k() {}\n", "other<int>", {"__nv_name_map(2): error: ", "name expression"}},
        {"__device__ int v;\n", "v", {"__nv_name_map(2): error: ", "name expression"}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        nvrtcProgram p = NULL;
        size_t size = 9;
        const char *lowered = NULL;
        RTC_OK(nvrtcCreateProgram(&p, rows[i].source, "test.cu", 0, NULL, NULL));
        if (rows[i].expression)
            RTC_OK(nvrtcAddNameExpression(p, rows[i].expression));
        RTC_EXPECT(nvrtcCompileProgram(p, 0, NULL), NVRTC_ERROR_COMPILATION);
        char *log = rtc_log(p);
        for (int k = 0; k < 3 && rows[i].messages[k]; k++) {
            CHECK(strstr(log, rows[i].messages[k]));
            if (!strstr(log, rows[i].messages[k]))
                fprintf(stderr, "no '%s' in: %s", rows[i].messages[k], log);
        }
        free(log);
        RTC_OK(nvrtcGetPTXSize(p, &size));
        CHECK(size == 1);
        if (rows[i].expression)
            RTC_EXPECT(nvrtcGetLoweredName(p, rows[i].expression, &lowered),
                       NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION);
        RTC_OK(nvrtcDestroyProgram(&p));
    }
    // A warning is in the log of a success, also when the result comes from the disk.
    for (int i = 0; i < 2; i++) {
        nvrtcProgram p = rtc_compile("#warning hello\n", NVRTC_SUCCESS, 0, NULL);
        char *log = rtc_log(p);
        CHECK(strstr(log, "test.cu(1): warning"));
        CHECK(!strstr(log, "generated"));
        free(log);
        RTC_OK(nvrtcDestroyProgram(&p));
    }
}

// Messages about headers in memory name them as they were handed in.
static void test_header_names(void)
{
    const char *names[] = {"a/one.h", "../b/two.h", "../c/three.h"};
    const char *texts[] = {"#include \"../b/two.h\"\n", "\n#include \"../c/three.h\"\n", "\n\n#include \"none.h\"\n"};
    nvrtcProgram p = NULL;
    RTC_OK(nvrtcCreateProgram(&p, "#include \"a/one.h\"\n", "test.cu", 3, texts, names));
    RTC_EXPECT(nvrtcCompileProgram(p, 0, NULL), NVRTC_ERROR_COMPILATION);
    char *log = rtc_log(p);
    static const char wanted[] = "\n../c/three.h(3): catastrophic error: cannot open source file \"none.h\"";
    bool found = strstr(log, wanted) || !strncmp(log, wanted + 1, strlen(wanted + 1));
    CHECK(found && !strstr(log, "__nvrtc__"));
    if (!found)
        fprintf(stderr, "log: %s", log);
    free(log);
    RTC_OK(nvrtcDestroyProgram(&p));
    // A missing header is not taken for one of another name.
    const char *other[] = {"four.h"}, *empty[] = {"\n"};
    RTC_OK(nvrtcCreateProgram(&p, "#include \"../four.h\"\n", "test.cu", 1, empty, other));
    RTC_EXPECT(nvrtcCompileProgram(p, 0, NULL), NVRTC_ERROR_COMPILATION);
    log = rtc_log(p);
    CHECK(strstr(log, "open source file \"../four.h\""));
    free(log);
    RTC_OK(nvrtcDestroyProgram(&p));
}

// Variables of a whole program are no .visible ones; programs that take the text apart count on it.
static void test_variables(void)
{
    static const char source[] = "__device__ float v;\n__constant__ int c;\n__global__ void k() { v = c; }\n";
    const char *options[] = {"-rdc=true"};
    for (int linked = 0; linked < 2; linked++) {
        nvrtcProgram p = rtc_compile(source, NVRTC_SUCCESS, linked, options);
        char *ptx = rtc_ptx(p);
        CHECK(strstr(ptx, linked ? "\n.visible .global .align 4 .f32 v;" : "\n.global .align 4 .f32 v;"));
        CHECK(strstr(ptx, linked ? "\n.visible .const .align 4 .u32 c;" : "\n.const .align 4 .u32 c;"));
        CHECK(strstr(ptx, ".visible .entry _Z1kv("));
        free(ptx);
        RTC_OK(nvrtcDestroyProgram(&p));
    }
}

static void test_pch(void)
{
    static const char source[] =
        "#include \"big.h\"\n#pragma nv_hdrstop\n__global__ void k(int *p) { *p = big() + X; }\n";
    static const char *const names[] = {"big.h"};
    const char *texts[] = {"#pragma once\n__device__ int big() { return 1000; }\n"};
    char dir[] = "/tmp/nvrtc-test-XXXXXX", option[80];
    CHECK(mkdtemp(dir) != NULL);
    snprintf(option, sizeof option, "--pch-dir=%s", dir);
    static const struct {
        const char *option, *message;
        nvrtcResult status;
    } rows[] = {
        {"--create-pch=one.pch", "creating precompiled header file", NVRTC_SUCCESS},
        {"--use-pch=one.pch", "using precompiled header file", NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED},
        {"--pch", "creating precompiled header file", NVRTC_SUCCESS},
        {"--pch", "using precompiled header file", NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED},
    };
    for (int i = 0; i < 5; i++) {
        nvrtcProgram p;
        const char *options[] = {option, i < 4 ? rows[i].option : "--use-pch=one.pch", "-DX=5"};
        if (i == 4) // another header under the same name: the old one does not count
            texts[0] = "#pragma once\n__device__ int big() { return 2000; }\n";
        RTC_OK(nvrtcCreateProgram(&p, source, "pch.cu", 1, texts, names));
        RTC_OK(nvrtcCompileProgram(p, 3, options));
        char *log = rtc_log(p), *ptx = rtc_ptx(p);
        if (i < 4) {
            CHECK(strstr(log, rows[i].message));
            CHECK(!strstr(log, "was not usable"));
            RTC_EXPECT(nvrtcGetPCHCreateStatus(p), rows[i].status);
        }
        CHECK(strstr(ptx, i < 4 ? "1005" : "2005"));
        free(log);
        free(ptx);
        RTC_OK(nvrtcDestroyProgram(&p));
    }
    const char *none[] = {option, "--use-pch=none.pch"};
    nvrtcProgram absent = rtc_compile(source, NVRTC_ERROR_COMPILATION, 2, none);
    RTC_OK(nvrtcDestroyProgram(&absent));
    char command[80];
    snprintf(command, sizeof command, "rm -r %s", dir);
    CHECK(system(command) == 0);
    size_t size = 0;
    RTC_OK(nvrtcSetPCHHeapSize(100));
    RTC_OK(nvrtcGetPCHHeapSize(&size));
    CHECK(size >= 100);
}

static int calls;
static int callback(void *payload, void *reserved)
{
    (void)reserved;
    calls++;
    return *(int *)payload && calls >= *(int *)payload;
}

static void test_flow(void)
{
    nvrtcProgram p = rtc_compile("__global__ void k() {}\n", NVRTC_SUCCESS, 0, NULL);
    const char *no_cache = "--no-cache";
    int when = 0;
    RTC_EXPECT(nvrtcSetFlowCallback(p, NULL, NULL), NVRTC_ERROR_INVALID_INPUT);
    RTC_OK(nvrtcSetFlowCallback(p, callback, &when));
    RTC_OK(nvrtcCompileProgram(p, 1, &no_cache));
    for (when = 1; when <= 3; when += 2) {
        calls = 0;
        RTC_EXPECT(nvrtcCompileProgram(p, 1, &no_cache), NVRTC_ERROR_CANCELLED);
        char *log = rtc_log(p);
        OURS(CHECK(!*log));
        free(log);
    }
    when = 0;
    RTC_OK(nvrtcCompileProgram(p, 1, &no_cache));
    RTC_OK(nvrtcDestroyProgram(&p));
}

static void test_time(void)
{
    char path[] = "/tmp/nvrtc-test-XXXXXX", option[80], trace[80];
    close(mkstemp(path));
    snprintf(option, sizeof option, "-time=%s", path);
    snprintf(trace, sizeof trace, "-fdevice-time-trace=%s", path);
    const char *bad = "-time=/nonexistent/folder/file", *log_option = "--time=-", *options[] = {option, trace};
    nvrtcProgram p = rtc_compile("__global__ void k() {}\n", NVRTC_SUCCESS, 1, &options[0]);
    char text[256] = "";
    FILE *f = fopen(path, "r");
    CHECK(fread(text, 1, sizeof text - 1, f) > 0 && strstr(text, "phase name, metric, unit"));
    fclose(f);
    RTC_OK(nvrtcCompileProgram(p, 1, &options[1]));
    f = fopen(path, "r");
    CHECK(fread(text, 1, sizeof text - 1, f) > 0 && strstr(text, "{\"traceEvents\""));
    fclose(f);
    RTC_OK(nvrtcCompileProgram(p, 1, &log_option));
    char *log = rtc_log(p);
    CHECK(strstr(log, "test.cu, CUDA C++ Frontend, "));
    free(log);
    RTC_EXPECT(nvrtcCompileProgram(p, 1, &bad), NVRTC_ERROR_TIME_FILE_WRITE_FAILED);
    RTC_OK(nvrtcDestroyProgram(&p));
    unlink(path);
}

static void test_usage(void)
{
    const char *real[] = {"-arch=sm_90", "-Xptxas", "-v"},
               *virtual_target[] = {"-arch=compute_90", "--ptxas-options=-v"};
    static const char source[] =
        "extern \"C\" __global__ void k(int *p) { __shared__ int s[8]; s[*p] = 1; *p = s[p[1]]; }\n";
    nvrtcProgram p = rtc_compile(source, NVRTC_SUCCESS, 3, real);
    char *log = rtc_log(p);
    CHECK(strstr(log, "ptxas info    : Compiling entry function 'k' for 'sm_90'\n"));
    CHECK(strstr(log, " bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"));
    CHECK(strstr(log, "ptxas info    : Used ") && strstr(log, " registers, used 0 barriers, 32 bytes smem"));
    free(log);
    RTC_OK(nvrtcDestroyProgram(&p));
    p = rtc_compile(source, NVRTC_SUCCESS, 2, virtual_target);
    log = rtc_log(p);
    CHECK(!*log);
    free(log);
    RTC_OK(nvrtcDestroyProgram(&p));
}

int main(void)
{
    test_arguments();
    test_bad_options();
    test_errors();
    test_header_names();
    test_variables();
    OURS(test_pch();)
    test_flow();
    test_usage();
    OURS(test_time();)
    return test_summary();
}
