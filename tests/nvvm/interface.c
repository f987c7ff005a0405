// SPDX-License-Identifier: Apache-2.0
// The interface of libnvvm: what it answers, options, messages. Holds for NVIDIA's as well (oracle.sh), but for what stands
// under HEDDLE_ORACLE.
#include "common.h"

static const char module[] = HEAD "define void @k(i32* %p) {\n  store i32 7, i32* %p\n  ret void\n}\n"
                                  "!nvvm.annotations = !{!0}\n!0 = !{void (i32*)* @k, !\"kernel\", i32 1}\n" VERSION;

static void compile(const char *text, const char *option, nvvmResult wanted, const char *in_log, const char *in_ptx)
{
    nvvmProgram p;
    const char *options[] = {option, "-opt=3"};
    NVVM_OK(nvvmCreateProgram(&p));
    NVVM_OK(nvvmAddModuleToProgram(p, text, strlen(text), "m"));
    NVVM_EXPECT(nvvmVerifyProgram(p, option ? 2 : 0, options),
                wanted == NVVM_ERROR_COMPILATION ? NVVM_ERROR_INVALID_IR : wanted);
    NVVM_EXPECT(nvvmCompileProgram(p, option ? 2 : 0, options), wanted);
    char *log = nvvm_log(p), *ptx = nvvm_ptx(p);
    if (strcmp(log, in_log)) {
        fprintf(stderr, "log: '%s' instead of '%s'\n", log, in_log);
        CHECK(!strcmp(log, in_log));
    }
    CHECK(strstr(ptx, in_ptx));
    CHECK(!*in_ptx == !*ptx);
    free(log);
    free(ptx);
    NVVM_OK(nvvmDestroyProgram(&p));
    CHECK(!p);
}

static void handles(void)
{
    nvvmProgram p = NULL, stale;
    size_t size = 9;
    int n[4];
    NVVM_EXPECT(nvvmCreateProgram(NULL), NVVM_ERROR_INVALID_PROGRAM);
    NVVM_EXPECT(nvvmDestroyProgram(&p), NVVM_ERROR_INVALID_PROGRAM);
    NVVM_OK(nvvmVersion(NULL, NULL));
    NVVM_OK(nvvmVersion(&n[0], &n[1]));
    CHECK(n[0] == 2 && n[1] == 0);
    NVVM_OK(nvvmIRVersion(&n[0], &n[1], &n[2], &n[3]));
    CHECK(n[0] == 2 && n[1] == 0 && n[2] == 3 && n[3] == 2);
    CHECK(!strcmp(nvvmGetErrorString(NVVM_ERROR_INVALID_IR), "NVVM_ERROR_INVALID_IR"));
    CHECK(!strcmp(nvvmGetErrorString((nvvmResult)99), "NVVM_ERROR not found"));
    NVVM_OK(nvvmCreateProgram(&p));
    NVVM_OK(nvvmGetProgramLogSize(p, &size));
    CHECK(size == 1);
    NVVM_OK(nvvmGetCompiledResultSize(p, &size));
    CHECK(size == 1);
    NVVM_EXPECT(nvvmCompileProgram(p, 0, NULL), NVVM_ERROR_NO_MODULE_IN_PROGRAM);
    NVVM_EXPECT(nvvmVerifyProgram(p, 0, NULL), NVVM_ERROR_NO_MODULE_IN_PROGRAM);
    NVVM_EXPECT(nvvmAddModuleToProgram(p, NULL, 0, "x"), NVVM_ERROR_INVALID_INPUT);
    stale = p;
    NVVM_OK(nvvmDestroyProgram(&p));
#ifndef HEDDLE_ORACLE
    NVVM_EXPECT(nvvmCompileProgram(stale, 0, NULL), NVVM_ERROR_INVALID_PROGRAM);
    NVVM_EXPECT(nvvmGetProgramLogSize(stale, &size), NVVM_ERROR_INVALID_PROGRAM);
#else
    (void)stale;
#endif
}

static void options(void)
{
    compile(module, NULL, NVVM_SUCCESS, "", ".target sm_75");
    compile(module, "-arch=compute_90a", NVVM_SUCCESS, "", ".target sm_90a");
    compile(module, "-g", NVVM_SUCCESS, "", ".entry k");
    compile(module, "-ftz=1", NVVM_SUCCESS, "", ".entry k");
    compile(module, "-foo", NVVM_ERROR_INVALID_OPTION, "libnvvm : error: -foo is an unsupported option", "");
    compile(module, "-ftz", NVVM_ERROR_INVALID_OPTION, "libnvvm : error: -ftz is an unsupported option", "");
    compile(module, "-fma=2", NVVM_ERROR_INVALID_OPTION, "libnvvm : error: -fma=2 is an unsupported option", "");
    compile(module, "-arch=sm_80", NVVM_ERROR_INVALID_OPTION, "libnvvm : error: -arch=sm_80 is an unsupported option",
            "");
    compile(module, "-arch=compute_20", NVVM_ERROR_INVALID_OPTION,
            "libnvvm : error: -arch=compute_20 is an unsupported option", "");
#ifndef HEDDLE_ORACLE
    compile(module, "-gen-lto", NVVM_SUCCESS, "", "// link-time code, Heddle\n");
    compile(module, "-gen-lto=1", NVVM_ERROR_INVALID_OPTION, "libnvvm : error: -gen-lto=1 is an unsupported option",
            "");
#endif
}

static void bad_modules(void)
{
    compile("define void @k() {\n ret i32 0\n}\n", NULL, NVVM_ERROR_COMPILATION,
            "m (2, 5): parse value doesn't match function result type 'void'", "");
    compile("garbage", NULL, NVVM_ERROR_COMPILATION, "m (1, 0): parse expected top-level entity", "");
    compile(HEAD "define void @k() {\n ret void\n}\n", NULL, NVVM_ERROR_IR_VERSION_MISMATCH,
            "IR version 1.0 incompatible with current version 2.0\nm: error: incompatible IR detected. Possible mix of "
            "compiler/IR from different releases.",
            "");
}

int main(void)
{
    handles();
    options();
    bad_modules();
    return test_summary();
}
