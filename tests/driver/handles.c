// SPDX-License-Identifier: Apache-2.0
// Every function of the table that takes a handle is called with ones that are none: a bit pattern, one that was
// destroyed, a live one of another kind, and where that has no meaning of its own, null. The other arguments are live
// handles, places to write to, and small numbers. No call may succeed, crash or hang.
//
// The calls come from api.def: a function of the same parameters tells their kinds, and the call passes everything as
// 64-bit integers, which the calling conventions of x86-64 and AArch64 allow for integers and pointers.
#include "common.h"
#include <heddle/driver/gl.h>
#include <dlfcn.h>
#include <signal.h>
#include <stdbool.h>
#include <unistd.h>

enum kind {
    NUMBER,
    POINTER,
    ADDRESS,
    CONTEXT, // the first handle
    MODULE,
    FUNCTION,
    LIBRARY,
    KERNEL,
    STREAM,
    EVENT,
    POOL,
    ARRAY,
    MIPMAP,
    TEXTURE,
    SURFACE,
    LINK,
    GRAPH,
    NODE,
    EXEC,
    KINDS,
    END
};
#define KIND(x)                                                                                                        \
    _Generic((x),                                                                                                      \
        CUcontext: CONTEXT,                                                                                            \
        CUmodule: MODULE,                                                                                              \
        CUfunction: FUNCTION,                                                                                          \
        CUlibrary: LIBRARY,                                                                                            \
        CUkernel: KERNEL,                                                                                              \
        CUstream: STREAM,                                                                                              \
        CUevent: EVENT,                                                                                                \
        CUmemoryPool: POOL,                                                                                            \
        CUarray: ARRAY,                                                                                                \
        CUmipmappedArray: MIPMAP,                                                                                      \
        CUtexref: TEXTURE,                                                                                             \
        CUsurfref: SURFACE,                                                                                            \
        CUlinkState: LINK,                                                                                             \
        CUgraph: GRAPH,                                                                                                \
        CUgraphNode: NODE,                                                                                             \
        CUgraphExec: EXEC,                                                                                             \
        CUdeviceptr: ADDRESS,                                                                                          \
        int: NUMBER,                                                                                                   \
        unsigned: NUMBER,                                                                                              \
        size_t: NUMBER,                                                                                                \
        float: NUMBER,                                                                                                 \
        unsigned char: NUMBER,                                                                                         \
        unsigned short: NUMBER,                                                                                        \
        default: POINTER)

// KINDS_OF(a, b, c): the kinds of the arguments, then END.
#define K0()                                                   END
#define K1(a)                                                  KIND(a), END
#define K2(a, b)                                               KIND(a), K1(b)
#define K3(a, b, c)                                            KIND(a), K2(b, c)
#define K4(a, b, c, d)                                         KIND(a), K3(b, c, d)
#define K5(a, b, c, d, e)                                      KIND(a), K4(b, c, d, e)
#define K6(a, b, c, d, e, f)                                   KIND(a), K5(b, c, d, e, f)
#define K7(a, b, c, d, e, f, g)                                KIND(a), K6(b, c, d, e, f, g)
#define K8(a, b, c, d, e, f, g, h)                             KIND(a), K7(b, c, d, e, f, g, h)
#define K9(a, b, c, d, e, f, g, h, i)                          KIND(a), K8(b, c, d, e, f, g, h, i)
#define K10(a, b, c, d, e, f, g, h, i, j)                      KIND(a), K9(b, c, d, e, f, g, h, i, j)
#define K11(a, b, c, d, e, f, g, h, i, j, k)                   KIND(a), K10(b, c, d, e, f, g, h, i, j, k)
#define K12(a, b, c, d, e, f, g, h, i, j, k, l)                KIND(a), K11(b, c, d, e, f, g, h, i, j, k, l)
#define PICK(a, b, c, d, e, f, g, h, i, j, k, l, m, name, ...) name
#define KINDS_OF(...) PICK(_, ##__VA_ARGS__, K12, K11, K10, K9, K8, K7, K6, K5, K4, K3, K2, K1, K0)(__VA_ARGS__)

#pragma GCC diagnostic ignored "-Wunused-parameter"
#define API(name, suffix, since, body, params, args)                                                                   \
    static const unsigned char *kinds_##name##suffix params                                                            \
    {                                                                                                                  \
        static const unsigned char kinds[] = {KINDS_OF args};                                                          \
        return kinds;                                                                                                  \
    }
#define NARROW(name, suffix, since, body, params, args) // types that programs do not see
#include "driver/api.def"

static const struct row {
    const char *name;
    void (*kinds)(void);
} rows[] = {
#define API(name, suffix, since, body, params, args)    {#name #suffix, (void (*)(void))kinds_##name##suffix},
#define NARROW(name, suffix, since, body, params, args) // types that programs do not see
#include "driver/api.def"
};

// What may succeed: null has a meaning of its own (or is what NVIDIA's driver takes it for), for the kind given.
static const struct {
    const char *name;
    enum kind kind;
} null_is_fine[] = {
    {"cuCtxSetCurrent", CONTEXT},    {"cuCtxGetDevice_v2", CONTEXT}, {"cuCtxSynchronize_v2", CONTEXT},
    {"cuCtxGetApiVersion", CONTEXT}, {"cuCtxGetId", CONTEXT},        {"cuMemcpy3DPeer", CONTEXT},
    {"cuCtxRecordEvent", CONTEXT},   {"cuCtxWaitEvent", CONTEXT},    {"cuGraphConditionalHandleCreate", CONTEXT},
};

enum { WORDS = 12, SCRATCH = 1 << 14 };
static uint64_t scratch[WORDS][SCRATCH / 8]; // where pointers point to, afresh for each call
static uint64_t live[KINDS], gone[KINDS];
static const char *volatile now = "";

static void crashed(int signal)
{
    (void)signal;
    static const char text[] = ": crashed or hung\n";
    if (write(2, now, strlen(now)) < 0 || write(2, text, sizeof text - 1) < 0)
        _exit(3);
    _exit(2);
}

static void objects(uint64_t *out)
{
    static const char ptx[] = PTX_HEAD ".global .texref tex0;\n.global .surfref surf0;\n" PTX_EMPTY;
    CUDA_ARRAY3D_DESCRIPTOR d = {16, 8, 0, CU_AD_FORMAT_FLOAT, 1, 0};
    CUmemPoolProps pool = {.allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
                           .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = 0}};
    CUmodule m;
    OK(cuModuleLoadData(&m, ptx));
    out[MODULE] = (uintptr_t)m;
    OK(cuModuleGetFunction((CUfunction *)&out[FUNCTION], m, "empty"));
    OK(cuModuleGetTexRef((CUtexref *)&out[TEXTURE], m, "tex0"));
    OK(cuModuleGetSurfRef((CUsurfref *)&out[SURFACE], m, "surf0"));
    OK(cuLibraryLoadData((CUlibrary *)&out[LIBRARY], ptx, NULL, NULL, 0, NULL, NULL, 0));
    OK(cuLibraryGetKernel((CUkernel *)&out[KERNEL], (CUlibrary)(uintptr_t)out[LIBRARY], "empty"));
    OK(cuStreamCreate((CUstream *)&out[STREAM], 0));
    OK(cuEventCreate((CUevent *)&out[EVENT], 0));
    OK(cuMemPoolCreate((CUmemoryPool *)&out[POOL], &pool));
    OK(cuArray3DCreate((CUarray *)&out[ARRAY], &d));
    OK(cuMipmappedArrayCreate((CUmipmappedArray *)&out[MIPMAP], &d, 2));
    OK(cuLinkCreate(0, NULL, NULL, (CUlinkState *)&out[LINK]));
    OK(cuGraphCreate((CUgraph *)&out[GRAPH], 0));
    OK(cuGraphAddEmptyNode((CUgraphNode *)&out[NODE], (CUgraph)(uintptr_t)out[GRAPH], NULL, 0));
    OK(cuGraphInstantiate((CUgraphExec *)&out[EXEC], (CUgraph)(uintptr_t)out[GRAPH], 0));
    OK(cuMemAlloc((CUdeviceptr *)&out[ADDRESS], 4096));
}

static void destroy(const uint64_t *o)
{
    OK(cuGraphExecDestroy((CUgraphExec)(uintptr_t)o[EXEC]));
    OK(cuGraphDestroy((CUgraph)(uintptr_t)o[GRAPH]));
    OK(cuLinkDestroy((CUlinkState)(uintptr_t)o[LINK]));
    OK(cuMipmappedArrayDestroy((CUmipmappedArray)(uintptr_t)o[MIPMAP]));
    OK(cuArrayDestroy((CUarray)(uintptr_t)o[ARRAY]));
    OK(cuMemPoolDestroy((CUmemoryPool)(uintptr_t)o[POOL]));
    OK(cuEventDestroy((CUevent)(uintptr_t)o[EVENT]));
    OK(cuStreamDestroy((CUstream)(uintptr_t)o[STREAM]));
    OK(cuLibraryUnload((CUlibrary)(uintptr_t)o[LIBRARY]));
    OK(cuModuleUnload((CUmodule)(uintptr_t)o[MODULE]));
    OK(cuMemFree(o[ADDRESS]));
}

// Calls a function with its handle number `which` replaced.
static CUresult call(void (*f)(void), const unsigned char *kinds, int which, uint64_t value)
{
    uint64_t a[WORDS] = {0};
    memset(scratch, 0, sizeof scratch);
    for (int i = 0; kinds[i] != END && i < WORDS; i++)
        a[i] = i == which            ? value
               : kinds[i] == POINTER ? (uintptr_t)scratch[i]
               : kinds[i] == NUMBER  ? 1
                                     : live[kinds[i]];
    return ((CUresult (*)(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t,
                          uint64_t, uint64_t, uint64_t))f)(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9],
                                                           a[10], a[11]);
}

static bool null_may_succeed(const char *name, enum kind kind)
{
    if (kind == STREAM) // the default one
        return true;
    for (size_t i = 0; i < sizeof null_is_fine / sizeof *null_is_fine; i++)
        if (null_is_fine[i].kind == kind && !strcmp(null_is_fine[i].name, name))
            return true;
    return false;
}

static void try(const struct row *row, void (*f)(void), const unsigned char *kinds, int which)
{
    enum kind kind = kinds[which];
    const struct {
        const char *what;
        uint64_t value;
        bool skip;
    } wrong[] = {
        {"null", 0, null_may_succeed(row->name, kind)}, {"a bit pattern", 0x1234560, false},
        {"minus sixteen", (uint64_t)-16, false},        {"a destroyed one", gone[kind], !gone[kind]},
        {"an address", (uintptr_t)scratch, false},      {"another kind", live[kind == EVENT ? MODULE : EVENT], false}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char text[200];
        if (wrong[i].skip)
            continue;
        snprintf(text, sizeof text, "%s, argument %d: %s", row->name, which, wrong[i].what);
        now = text;
        CUresult r = call(f, kinds, which, wrong[i].value);
        now = "";
        CHECK(r != CUDA_SUCCESS);
        if (r == CUDA_SUCCESS)
            fprintf(stderr, "%s: taken\n", text);
    }
}

int main(void)
{
    unsigned functions = 0;
    signal(SIGSEGV, crashed);
    signal(SIGBUS, crashed);
    signal(SIGABRT, crashed);
    signal(SIGALRM, crashed);
    alarm(getenv("HEDDLE_TEST_BRIEF") ? 6000 : 600);
    CUcontext context = start();
    objects(gone);
    destroy(gone);
    objects(live);
    live[CONTEXT] = (uintptr_t)context;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        void (*f)(void) = (void (*)(void))dlsym(RTLD_DEFAULT, rows[i].name);
        const unsigned char *kinds = ((const unsigned char *(*)(void))rows[i].kinds)();
        CHECK(f);
        bool any = false;
        for (int k = 0; f && kinds[k] != END; k++)
            if (kinds[k] >= CONTEXT && kinds[k] < KINDS) {
                try(&rows[i], f, kinds, k);
                any = true;
            }
        functions += any;
    }
    // All of them are as they were.
    OK(cuCtxSynchronize());
    destroy(live);
    OK(cuCtxDestroy(context));
    printf("%u functions with handles\n", functions);
    return test_summary();
}
