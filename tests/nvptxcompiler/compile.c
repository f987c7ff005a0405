// SPDX-License-Identifier: Apache-2.0
// nvPTXCompiler, linked as an archive: what it compiles is loaded and launched; options, logs, every error.
#include "../driver/common.h"
#include <nvPTXCompiler.h>

static const char text[] = ".version 8.0\n.target sm_75\n.address_size 64\n"
                           ".visible .entry k(.param .u64 p)\n{\n    .reg .b32 %r<2>; .reg .b64 %rd<2>;\n"
                           "    ld.param.u64 %rd1, [p]; mov.u32 %r1, 42; st.global.u32 [%rd1], %r1; ret;\n}\n"
                           ".visible .entry other() { .reg .f64 %d<2>; mov.f64 %d1, 0d0000000000000000; ret; }\n";

static const char *ptx_name(nvPTXCompileResult r)
{
    static char name[16];
    snprintf(name, sizeof name, "%d", r);
    return name;
}
#define PTX_EXPECT(call, wanted) CHECK_RESULT(call, wanted, ptx_name)
#define PTX_OK(call)             PTX_EXPECT(call, NVPTXCOMPILE_SUCCESS)

static nvPTXCompilerHandle create(const char *ptx)
{
    nvPTXCompilerHandle c = NULL;
    PTX_OK(nvPTXCompilerCreate(&c, strlen(ptx), ptx));
    return c;
}

static void log_has(nvPTXCompilerHandle c, bool info, const char *words)
{
    size_t size = 99;
    PTX_OK(info ? nvPTXCompilerGetInfoLogSize(c, &size) : nvPTXCompilerGetErrorLogSize(c, &size));
    char *log = malloc(size + 1);
    memset(log, 'X', size + 1);
    PTX_OK(info ? nvPTXCompilerGetInfoLog(c, log) : nvPTXCompilerGetErrorLog(c, log));
    CHECK(strnlen(log, size + 1) == size);
    bool found = *words ? strstr(log, words) != NULL : !size;
    if (!found)
        fprintf(stderr, "log '%s' instead of '%s'\n", log, words);
    CHECK(found);
    free(log);
}

// Launches k of the program; *other: whether it has that kernel.
static int run(nvPTXCompilerHandle c, bool *other)
{
    size_t size = 0;
    int value = 0;
    CUmodule module = NULL;
    CUfunction function = NULL;
    CUdeviceptr p = 0;
    PTX_OK(nvPTXCompilerGetCompiledProgramSize(c, &size));
    char *image = malloc(size);
    PTX_OK(nvPTXCompilerGetCompiledProgram(c, image));
    OK(cuModuleLoadData(&module, image));
    *other = !cuModuleGetFunction(&function, module, "other");
    OK(cuModuleGetFunction(&function, module, "k"));
    OK(cuMemAlloc(&p, sizeof value));
    OK(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, (void *[]){&p}, NULL));
    OK(cuMemcpyDtoH(&value, p, sizeof value));
    OK(cuMemFree(p));
    OK(cuModuleUnload(module));
    free(image);
    return value;
}

static void compile(const char *ptx, const char *first, const char *second, nvPTXCompileResult wanted, bool info,
                    const char *words)
{
    const char *options[] = {first, second};
    nvPTXCompilerHandle c = create(ptx);
    size_t size = 99;
    PTX_EXPECT(nvPTXCompilerCompile(c, first ? second ? 2 : 1 : 0, options), wanted);
    log_has(c, info, words);
    if (wanted) {
        PTX_EXPECT(nvPTXCompilerGetCompiledProgramSize(c, &size), NVPTXCOMPILE_ERROR_COMPILER_INVOCATION_INCOMPLETE);
        CHECK(size == 99);
    }
    PTX_OK(nvPTXCompilerDestroy(&c));
    CHECK(!c);
}

static void options(void)
{
    const nvPTXCompileResult fails = NVPTXCOMPILE_ERROR_COMPILATION_FAILURE, good = NVPTXCOMPILE_SUCCESS;
    compile(text, NULL, NULL, good, true, "");
    compile(text, "--gpu-name=sm_90a", "-O3", good, true, "");
    compile(text, "--gpu-name", "sm_80", good, true, "");
    compile(text, "--verbose", NULL, good, true, "Compiling entry function 'k' for 'sm_75'");
    compile(text, "--warn-on-double-precision-use", NULL, good, true, "double precision is used in 'other'");
    compile(text, "--warn-on-double-precision-use", "--disable-warnings", good, true, "");
    compile(text, "--warn-on-double-precision-use", "-Werror", fails, false, "warnings are treated as errors");
    compile(text, "--maxrregcount=32", "--device-debug", good, false, "");
    compile(text, "--nonsense", NULL, fails, false, "Unknown option 'nonsense'");
    compile(text, "", NULL, fails, false, "Unknown option ''");
    compile(text, "nonsense", NULL, fails, false, "Unknown option 'nonsense'");
    compile(text, "--gpu-name", NULL, fails, false, "needs a value");
    compile(text, "--verbose=1", NULL, fails, false, "takes no value");
    compile(text, "--gpu-name=sm_20", NULL, fails, false, "'sm_20' is not defined for option 'gpu-name'");
    compile(text, "--output-file=x", NULL, fails, false, "Unknown option"); // of the tool alone
    compile(text, "--sanitize=memcheck", NULL, fails, false, "is not supported");
}

static void texts(void)
{
    const nvPTXCompileResult fails = NVPTXCOMPILE_ERROR_COMPILATION_FAILURE;
    compile("garbage", NULL, NULL, fails, false, "application ptx input, line 1; error");
    compile(".version 8.0\n.target sm_90\n.address_size 64\n", "--gpu-name=sm_75", NULL, fails, false, "above sm_75");
    compile(".version 99.0\n.target sm_90\n", NULL, NULL, NVPTXCOMPILE_ERROR_UNSUPPORTED_PTX_VERSION, false,
            "Unsupported .version 99.0");
    const char open[] = ".version 8.0\n.target sm_75\n.address_size 64\n.extern .func f();\n"
                        ".visible .entry k() { call f, (); ret; }\n";
    compile(open, NULL, NULL, fails, false, "'f'");
    compile(open, "--compile-only", NULL, NVPTXCOMPILE_SUCCESS, false, "");
    char cut[sizeof text]; // every beginning of the text: an error or none, and nothing else
    for (size_t n = 1; n < sizeof text; n += 3) {
        memcpy(cut, text, n);
        cut[n] = 0;
        nvPTXCompilerHandle c = create(cut);
        nvPTXCompileResult r = nvPTXCompilerCompile(c, 0, NULL);
        CHECK(r == NVPTXCOMPILE_SUCCESS || r == fails);
        PTX_OK(nvPTXCompilerDestroy(&c));
    }
}

static int cancel(void *payload, void *reserved)
{
    CHECK(!reserved);
    return --*(int *)payload == 0;
}

static void handles(void)
{
    nvPTXCompilerHandle c = NULL, stale;
    unsigned major = 0, minor = 9;
    size_t size;
    char byte;
    const nvPTXCompileResult bad = NVPTXCOMPILE_ERROR_INVALID_COMPILER_HANDLE, input = NVPTXCOMPILE_ERROR_INVALID_INPUT;
    PTX_OK(nvPTXCompilerGetVersion(&major, &minor));
    CHECK(major == 9 && minor == 0);
    PTX_EXPECT(nvPTXCompilerGetVersion(NULL, &minor), input);
    PTX_EXPECT(nvPTXCompilerCreate(NULL, 1, "x"), input);
    PTX_EXPECT(nvPTXCompilerCreate(&c, 1, NULL), input);
    PTX_EXPECT(nvPTXCompilerCreate(&c, 0, "x"), input);
    PTX_EXPECT(nvPTXCompilerDestroy(NULL), bad);
    PTX_EXPECT(nvPTXCompilerDestroy(&c), bad);
    c = create(text);
    PTX_EXPECT(nvPTXCompilerCompile(c, 1, NULL), input);
    PTX_EXPECT(nvPTXCompilerCompile(c, -1, NULL), input);
    PTX_EXPECT(nvPTXCompilerGetCompiledProgramSize(c, &size), NVPTXCOMPILE_ERROR_COMPILER_INVOCATION_INCOMPLETE);
    PTX_EXPECT(nvPTXCompilerGetCompiledProgram(c, &byte), NVPTXCOMPILE_ERROR_COMPILER_INVOCATION_INCOMPLETE);
    PTX_EXPECT(nvPTXCompilerGetErrorLogSize(c, NULL), input);
    PTX_EXPECT(nvPTXCompilerGetInfoLog(c, NULL), input);
    PTX_EXPECT(nvPTXCompilerSetFlowCallback(c, NULL, NULL), input);
    for (int calls = 1; calls <= 3; calls++) { // cancelled before the work, after it, not at all
        int left = calls;
        PTX_OK(nvPTXCompilerSetFlowCallback(c, cancel, &left));
        PTX_EXPECT(nvPTXCompilerCompile(c, 0, NULL), calls < 3 ? NVPTXCOMPILE_ERROR_CANCELLED : NVPTXCOMPILE_SUCCESS);
        CHECK(left == (calls < 3 ? 0 : 1));
    }
    stale = c;
    PTX_OK(nvPTXCompilerDestroy(&c));
    PTX_EXPECT(nvPTXCompilerCompile(stale, 0, NULL), bad);
    PTX_EXPECT(nvPTXCompilerGetErrorLogSize(stale, &size), bad);
    PTX_EXPECT(nvPTXCompilerGetInfoLog(stale, &byte), bad);
    PTX_EXPECT(nvPTXCompilerSetFlowCallback(stale, cancel, NULL), bad);
}

static void launches(void)
{
    bool other = false;
    const char *keep[] = {"--entry=k", "--gpu-name=sm_80"};
    nvPTXCompilerHandle c = create(text);
    PTX_OK(nvPTXCompilerCompile(c, 0, NULL));
    CHECK(run(c, &other) == 42 && other);
    PTX_OK(nvPTXCompilerCompile(c, 2, keep)); // once more, for another target and one kernel
    CHECK(run(c, &other) == 42 && !other);
    PTX_OK(nvPTXCompilerDestroy(&c));
}

int main(void)
{
    start();
    handles();
    options();
    texts();
    launches();
    return test_summary();
}
