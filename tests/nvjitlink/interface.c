// SPDX-License-Identifier: Apache-2.0
// The interface of nvJitLink: what it answers, options, messages. Holds for NVIDIA's as well (oracle.sh), but for what stands under
// HEDDLE_ORACLE.
#include "common.h"

#define TEXT(t) (t), strlen(t) + 1

static void create(uint32_t count, const char *const *options, nvJitLinkResult wanted, const char *words)
{
    nvJitLinkHandle h = NULL;
    size_t size = 99;
    LINK_EXPECT(nvJitLinkCreate(&h, count, (const char **)options), wanted);
    CHECK(h);
    log_has(h, false, words);
    log_has(h, true, "");
    LINK_EXPECT(nvJitLinkGetLinkedCubinSize(h, &size), NVJITLINK_ERROR_INTERNAL);
    CHECK(size == 99);
    link_destroy(h);
}

#define CREATE(wanted, words, ...)                                                                                     \
    create(sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *), (const char *[]){__VA_ARGS__}, wanted, words)

static void options(void)
{
    static const char *const good[] = {"-O0",
                                       "-O3",
                                       "-lto",
                                       "-g",
                                       "-lineinfo",
                                       "-time",
                                       "-verbose",
                                       "-maxrregcount=32",
                                       "-ftz=1",
                                       "-prec-div=0",
                                       "-prec-sqrt=0",
                                       "-fma=0",
                                       "-r",
                                       "-no-cache",
                                       "-kernels-used=k",
                                       "-variables-used=x",
                                       "-Xptxas=-v",
                                       "-Xptxas=-nonsense",
                                       "-split-compile=2",
                                       "-split-compile-extended=2",
                                       "-jump-table-density=101",
                                       "-optimize-unused-variables",
                                       "-arch=sm_80",
                                       "-arch=sm_90a"};
    static const char *const bad[] = {"-foo",   "foo",    "-O",    "-arch", "-maxrregcount", "-ftz", "-kernels-used",
                                      "-opt=3", "-debug", "--lto", "-v",    "-dlink",        ""};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        CREATE(NVJITLINK_SUCCESS, "", "-arch=sm_75", good[i]);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        CREATE(NVJITLINK_ERROR_UNRECOGNIZED_OPTION, "unrecognized option: ", "-arch=sm_75", bad[i]);
    CREATE(NVJITLINK_ERROR_UNRECOGNIZED_OPTION, "unsupported value of -O: 1. Only 0 and 3 are supported.\n",
           "-arch=sm_75", "-O1");
    CREATE(NVJITLINK_ERROR_UNRECOGNIZED_OPTION, "missing option value (-arch=foo)", "-arch=foo");
    CREATE(NVJITLINK_ERROR_UNRECOGNIZED_OPTION, "missing option value (-arch=)", "-arch=");
    CREATE(NVJITLINK_ERROR_UNRECOGNIZED_OPTION, "missing option value (-kernels-used=)", "-arch=sm_75",
           "-kernels-used=");
    CREATE(NVJITLINK_ERROR_UNSUPPORTED_ARCH, "unsupported architecture (compute_20)", "-arch=sm_20");
#ifndef HEDDLE_ORACLE
    CREATE(NVJITLINK_ERROR_MISSING_ARCH, "-arch=sm_NN is needed", "-lto");
#else
    CREATE(NVJITLINK_ERROR_MISSING_ARCH, "", "-lto");
#endif
    CREATE(NVJITLINK_ERROR_INCOMPATIBLE_OPTIONS, "ERROR: -ptx requires -lto\n", "-arch=sm_75", "-ptx");
    CREATE(NVJITLINK_ERROR_INCOMPATIBLE_OPTIONS, "ERROR: virtual arch requires -ptx\n", "-arch=compute_75");
    CREATE(NVJITLINK_SUCCESS, "", "-arch=compute_75", "-lto", "-ptx");
#ifndef HEDDLE_ORACLE
    CREATE(NVJITLINK_ERROR_NULL_INPUT, "", "-arch=sm_75", NULL);
#endif
}

static void handles(void)
{
    nvJitLinkHandle h = NULL, stale;
    const char *arch[] = {"-arch=sm_75"};
    unsigned major = 0, minor = 0;
    size_t size = 99;
    char text[8];
    LINK_OK(nvJitLinkVersion(&major, &minor));
    CHECK(major == 13 && minor == 0);
    LINK_EXPECT(nvJitLinkVersion(NULL, &minor), NVJITLINK_ERROR_NULL_INPUT);
    LINK_EXPECT(nvJitLinkCreate(NULL, 1, arch), NVJITLINK_ERROR_NULL_INPUT);
    LINK_EXPECT(nvJitLinkCreate(&h, 1, NULL), NVJITLINK_ERROR_NULL_INPUT);
    LINK_EXPECT(nvJitLinkCreate(&h, 0, NULL), NVJITLINK_ERROR_NULL_INPUT);
    LINK_EXPECT(nvJitLinkDestroy(NULL), NVJITLINK_ERROR_NULL_INPUT);
    LINK_EXPECT(nvJitLinkDestroy(&h), NVJITLINK_ERROR_NULL_INPUT);
    LINK_EXPECT(nvJitLinkComplete(NULL), NVJITLINK_ERROR_NULL_INPUT);
    LINK_EXPECT(nvJitLinkAddData(NULL, NVJITLINK_INPUT_PTX, TEXT(callee), "a"), NVJITLINK_ERROR_NULL_INPUT);
    LINK_EXPECT(nvJitLinkAddFile(NULL, NVJITLINK_INPUT_PTX, "a"), NVJITLINK_ERROR_NULL_INPUT);
    LINK_EXPECT(nvJitLinkGetErrorLogSize(NULL, &size), NVJITLINK_ERROR_NULL_INPUT);
    h = link_create(NULL, NULL);
    LINK_EXPECT(nvJitLinkGetErrorLogSize(h, NULL), NVJITLINK_ERROR_NULL_INPUT);
    LINK_EXPECT(nvJitLinkGetErrorLog(h, NULL), NVJITLINK_ERROR_NULL_INPUT);
    LINK_EXPECT(nvJitLinkAddFile(h, NVJITLINK_INPUT_PTX, NULL), NVJITLINK_ERROR_NULL_INPUT);
    LINK_EXPECT(nvJitLinkAddData(h, NVJITLINK_INPUT_PTX, callee, 0, "a"), NVJITLINK_ERROR_INVALID_INPUT);
    LINK_EXPECT(nvJitLinkGetLinkedPtxSize(h, &size), NVJITLINK_ERROR_INVALID_INPUT);
    LINK_EXPECT(nvJitLinkGetLinkedCubinSize(h, &size), NVJITLINK_ERROR_INTERNAL);
    LINK_OK(nvJitLinkComplete(h)); // of nothing
    LINK_OK(nvJitLinkGetLinkedCubinSize(h, &size));
    CHECK(size > 0 && size != 99);
    stale = h;
    link_destroy(h);
#ifndef HEDDLE_ORACLE
    LINK_EXPECT(nvJitLinkComplete(stale), NVJITLINK_ERROR_INVALID_INPUT);
    LINK_EXPECT(nvJitLinkDestroy(&stale), NVJITLINK_ERROR_INVALID_INPUT);
    LINK_EXPECT(nvJitLinkGetErrorLog(stale, text), NVJITLINK_ERROR_INVALID_INPUT);
    h = link_create(NULL, NULL);
    LINK_EXPECT(nvJitLinkAddData(h, NVJITLINK_INPUT_PTX, NULL, 5, "a"), NVJITLINK_ERROR_NULL_INPUT);
    link_destroy(h);
    const char *bad[] = {"-foo"}; // a link whose options were refused does nothing
    LINK_EXPECT(nvJitLinkCreate(&h, 1, bad), NVJITLINK_ERROR_UNRECOGNIZED_OPTION);
    LINK_EXPECT(nvJitLinkAddData(h, NVJITLINK_INPUT_PTX, TEXT(callee), "a"), NVJITLINK_ERROR_UNRECOGNIZED_OPTION);
    LINK_EXPECT(nvJitLinkComplete(h), NVJITLINK_ERROR_UNRECOGNIZED_OPTION);
    link_destroy(h);
#else
    (void)stale, (void)text;
#endif
}

static void add(int type, const char *data, size_t size, nvJitLinkResult wanted, const char *words)
{
    nvJitLinkHandle h = link_create(NULL, NULL);
    LINK_EXPECT(nvJitLinkAddData(h, (nvJitLinkInputType)type, data, size, "input"), wanted);
    log_has(h, false, words);
    LINK_OK(nvJitLinkComplete(h)); // what was refused takes no part
    link_destroy(h);
}

static void inputs(void)
{
    static const char garbage[] = "garbage", newer[] = HEAD("90") ".visible .entry q() { ret; }\n",
                      wrong[] = HEAD("75") ".visible .entry q() { nonsense; ret; }\n";
    static const char *const names[] = {"CUBIN", "PTX", "LTOIR", "FATBIN", "OBJECT", "LIBRARY", "INDEX"};
    for (int i = 0; i < 7; i++) {
        char words[64];
        snprintf(words, sizeof words, "does not match type NVJITLINK_INPUT_%s", names[i]);
        add(i + 1, garbage, sizeof garbage, NVJITLINK_ERROR_INCORRECT_INPUT_TYPE, words);
    }
    add(NVJITLINK_INPUT_NONE, TEXT(callee), NVJITLINK_ERROR_INCORRECT_INPUT_TYPE, "unsupported input type: input\n");
    add(8, TEXT(callee), NVJITLINK_ERROR_INCORRECT_INPUT_TYPE, "unsupported input type: input\n");
    add(99, TEXT(callee), NVJITLINK_ERROR_INCORRECT_INPUT_TYPE, "unsupported input type: input\n");
    add(NVJITLINK_INPUT_ANY, garbage, sizeof garbage, NVJITLINK_ERROR_UNRECOGNIZED_INPUT,
        "unrecognized input type: input\n");
    add(NVJITLINK_INPUT_ANY, TEXT(callee), NVJITLINK_SUCCESS, "");
    add(NVJITLINK_INPUT_PTX, callee, strlen(callee), NVJITLINK_SUCCESS, ""); // without its zero
    add(NVJITLINK_INPUT_PTX, TEXT(newer), NVJITLINK_ERROR_PTX_COMPILE,
        "ERROR NVJITLINK_ERROR_PTX_COMPILE: JIT the PTX (input)\n");
    add(NVJITLINK_INPUT_PTX, TEXT(wrong), NVJITLINK_ERROR_PTX_COMPILE, "line 4; error   : ");
    nvJitLinkHandle h = link_create("-Xptxas=-nonsense", NULL);
    LINK_EXPECT(nvJitLinkAddData(h, NVJITLINK_INPUT_PTX, TEXT(callee), "x"), NVJITLINK_ERROR_PTX_COMPILE);
    log_has(h, false, "ptxas fatal   : Unknown option 'nonsense'\n");
    link_destroy(h);
    h = link_create(NULL, NULL);
    LINK_EXPECT(nvJitLinkAddFile(h, NVJITLINK_INPUT_ANY, "/nonexistent"), NVJITLINK_ERROR_INVALID_INPUT);
    log_has(h, false, "no such file: /nonexistent\n");
    link_destroy(h);
}

static void complete(void)
{
    nvJitLinkHandle h = link_create(NULL, NULL);
    size_t size = 0;
    LINK_OK(nvJitLinkAddData(h, NVJITLINK_INPUT_PTX, TEXT(caller), "caller"));
    LINK_EXPECT(nvJitLinkComplete(h), NVJITLINK_ERROR_INTERNAL);
    log_has(h, false, "twice");
    log_has(h, false, ": finish\n");
    link_destroy(h);
    h = link_create("-r", NULL); // names may stay open
    LINK_OK(nvJitLinkAddData(h, NVJITLINK_INPUT_PTX, TEXT(caller), NULL));
    LINK_OK(nvJitLinkComplete(h));
    link_destroy(h);
    h = link_create("-verbose", "-time");
    LINK_OK(nvJitLinkAddData(h, NVJITLINK_INPUT_PTX, TEXT(caller), "caller"));
    LINK_OK(nvJitLinkAddData(h, NVJITLINK_INPUT_PTX, TEXT(callee), "callee"));
    LINK_OK(nvJitLinkComplete(h));
    LINK_EXPECT(nvJitLinkComplete(h), NVJITLINK_ERROR_INTERNAL);
    LINK_EXPECT(nvJitLinkAddData(h, NVJITLINK_INPUT_PTX, TEXT(callee), "late"), NVJITLINK_ERROR_INTERNAL);
    LINK_OK(nvJitLinkGetLinkedCubinSize(h, &size));
    CHECK(size > 100);
    LINK_EXPECT(nvJitLinkGetLinkedCubin(h, NULL), NVJITLINK_ERROR_NULL_INPUT);
    LINK_EXPECT(nvJitLinkGetLinkedPtxSize(h, &size), NVJITLINK_ERROR_INVALID_INPUT);
    log_has(h, true, "Compiling entry function 'k' for 'sm_75'");
    log_has(h, true, "nvJitLinkComplete time to finish: ");
    link_destroy(h);
    h = link_create("-lto", NULL);
    LINK_OK(nvJitLinkAddData(h, NVJITLINK_INPUT_PTX, TEXT(callee), "callee"));
    LINK_EXPECT(nvJitLinkComplete(h), NVJITLINK_ERROR_NVVM_COMPILE);
    log_has(h, false, "NVVM_ERROR_NO_MODULE_IN_PROGRAM");
    link_destroy(h);
    h = link_create("-lto", "-ptx");
    LINK_EXPECT(nvJitLinkGetLinkedPtxSize(h, &size), NVJITLINK_ERROR_INTERNAL);
    LINK_OK(nvJitLinkAddData(h, NVJITLINK_INPUT_PTX, TEXT(callee), "callee"));
    LINK_EXPECT(nvJitLinkComplete(h), NVJITLINK_ERROR_INCORRECT_INPUT_TYPE);
    log_has(h, false, "ERROR: -ptx requires that all inputs have LTOIR\n");
    link_destroy(h);
}

// Damaged inputs of every kind: errors, and nothing else.
static void damaged(void)
{
#ifndef HEDDLE_ORACLE
    char data[512];
    unsigned seed = 1;
    static const struct {
        const char *bytes;
        size_t n;
    } heads[] = {{"\x50\xed\x55\xba\1\0\x10\0", 8}, {"\177ELF\2\1\1", 7},  {"!<arch>\n", 8}, {"BC\xc0\xde", 4},
                 {"\xed\x43\x4e\x7f", 4},           {".version 8.0\n", 13}};
    for (unsigned i = 0; i < 600; i++) {
        size_t size = 1 + i % sizeof data;
        for (size_t k = 0; k < size; k++)
            data[k] = (char)((seed = seed * 1103515245u + 12345u) >> 16);
        size_t n = heads[i % 6].n < size ? heads[i % 6].n : size;
        memcpy(data, heads[i % 6].bytes, n);
        nvJitLinkHandle h = link_create(NULL, NULL);
        nvJitLinkResult r = nvJitLinkAddData(h, NVJITLINK_INPUT_ANY, data, size, "damaged");
        CHECK(r || n == heads[1].n || n == heads[2].n); // an object without device code adds nothing
        link_destroy(h);
    }
#endif
}

int main(void)
{
    options();
    handles();
    inputs();
    complete();
    damaged();
    return test_summary();
}
