// SPDX-License-Identifier: Apache-2.0
// Runs translated kernels as they stand, one thread at a time: the functions of the dialect are C functions here, found
// by LLVM's own JIT. For tests of the translator alone; nothing waits and nothing is vectorised.
#ifndef HEDDLE_TEST_TRANSLATE_RUN_H
#define HEDDLE_TEST_TRANSLATE_RUN_H
#include "jit/translate/translate.h"
#include <llvm-c/Core.h>
#include <llvm-c/LLJIT.h>
#include <llvm-c/Orc.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <llvm/Config/llvm-config.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What a thread sees; set by run_kernel.
static struct {
    uint32_t tid, ntid, ctaid, nctaid;
    const void *args;
    char shared[65536] __attribute__((aligned(128)));
    void *globals[64];
    int traps, asserts, yields, prints;
} run_state;

static uint32_t rt_tid(void)
{
    return run_state.tid;
}
static uint32_t rt_ntid(void)
{
    return run_state.ntid;
}
static uint32_t rt_ctaid(void)
{
    return run_state.ctaid;
}
static uint32_t rt_nctaid(void)
{
    return run_state.nctaid;
}
static uint32_t rt_zero(void)
{
    return 0;
}
static uint32_t rt_one(void)
{
    return 1;
}
static uint32_t rt_lane(void)
{
    return run_state.tid & 31;
}
static uint32_t rt_lane_bit(void)
{
    return 1u << (run_state.tid & 31);
}
static uint32_t rt_shared_size(void)
{
    return sizeof run_state.shared;
}
static const void *rt_args(void)
{
    return run_state.args;
}
static void *rt_shared(void)
{
    return run_state.shared;
}
static void *rt_global(uint32_t i)
{
    return run_state.globals[i];
}
static uint32_t rt_envreg(uint32_t n)
{
    return 100 + n;
}
static uint16_t rt_fma_f16(uint16_t a, uint16_t b, uint16_t c)
{
    _Float16 x, y, z;
    memcpy(&x, &a, 2), memcpy(&y, &b, 2), memcpy(&z, &c, 2);
    double p = (double)x * (double)y, s = p + (double)z, part = s - p, lost = (p - (s - part)) + ((double)z - part);
    uint64_t u, e;
    memcpy(&u, &s, 8), memcpy(&e, &lost, 8);
    if (lost < 0 || lost > 0) // to odd, so that rounding to a half is the only one
        u = (u + (uint64_t)((int64_t)(u ^ e) >> 63)) | 1;
    memcpy(&s, &u, 8);
    _Float16 r = (_Float16)s;
    memcpy(&a, &r, 2);
    return a;
}
static float rt_rsqrt_estimate(float x)
{
    return (float)(1 / __builtin_sqrt(x) * (1 + 0x1p-15));
}
// Minima and maxima as PTX has them: of a number and a NaN the number, and -0 below +0.
#define RT_EXTREME(name, type, first)                                                                                  \
    static type rt_##name(type x, type y)                                                                              \
    {                                                                                                                  \
        return x != x             ? y                                                                                  \
               : y != y           ? x                                                                                  \
               : x == y           ? ((__builtin_signbit(x) != 0) != first ? x : y)                                     \
               : (x > y) == first ? x                                                                                  \
                                  : y;                                                                                 \
    }
RT_EXTREME(min_f32, float, 0)
RT_EXTREME(max_f32, float, 1)
RT_EXTREME(min_f64, double, 0)
RT_EXTREME(max_f64, double, 1)
// Pairs of halves. A sum of a half and a product of two, rounded to f64 first, gives the same half.
static double rt_half_part(uint32_t pair, int i)
{
    uint16_t bits = (uint16_t)(pair >> 16 * i);
    _Float16 h;
    memcpy(&h, &bits, sizeof h);
    return (double)h;
}
static uint32_t rt_half_bits(double x, int i)
{
    _Float16 h = (_Float16)x;
    uint16_t bits;
    memcpy(&bits, &h, sizeof bits);
    return (uint32_t)bits << 16 * i;
}
#define RT_HALVES(name, expr)                                                                                          \
    static uint32_t rt_halves_##name(uint32_t a, uint32_t b, uint32_t c)                                               \
    {                                                                                                                  \
        uint32_t r = 0;                                                                                                \
        for (int i = 0; i < 2; i++) {                                                                                  \
            double x = rt_half_part(a, i), y = rt_half_part(b, i), z = rt_half_part(c, i);                             \
            (void)z;                                                                                                   \
            r |= rt_half_bits(expr, i);                                                                                \
        }                                                                                                              \
        return r;                                                                                                      \
    }
RT_HALVES(add, x + y)
RT_HALVES(sub, x - y)
RT_HALVES(mul, x *y)
RT_HALVES(fma, x *y + z)
#undef RT_EXTREME
static uint64_t rt_clock(void)
{
    return 0x123456789abcdef0;
}
static void rt_barrier(uint32_t id, uint32_t n)
{
    (void)id, (void)n;
}
static void rt_warp_sync(uint32_t mask)
{
    (void)mask;
}
static void rt_yield(void)
{
    run_state.yields++;
}
static void rt_trap(void)
{
    run_state.traps++;
}
static void rt_misaligned(uint64_t low)
{
    run_state.traps += low != 0;
}
static uint32_t rt_shfl(uint32_t m, uint32_t v, uint32_t b, uint32_t c)
{
    return (void)m, (void)b, (void)c, v;
}
static bool rt_shfl_pred(uint32_t m, uint32_t v, uint32_t b, uint32_t c)
{
    return (void)m, (void)v, (void)b, (void)c, true;
}
static uint32_t rt_ballot(uint32_t m, bool p)
{
    return p ? m & rt_lane_bit() : 0;
}
static bool rt_vote(uint32_t m, bool p)
{
    return (void)m, p;
}
static uint32_t rt_match(uint32_t m, uint64_t v)
{
    return (void)v, m & rt_lane_bit();
}
static uint32_t rt_redux(uint32_t m, uint32_t v)
{
    return (void)m, v;
}
static bool rt_elect(uint32_t m)
{
    return (void)m, true;
}
static uint32_t rt_red_popc(uint32_t i, uint32_t n, bool p)
{
    return (void)i, (void)n, p;
}
static bool rt_red(uint32_t i, uint32_t n, bool p)
{
    return (void)i, (void)n, p;
}
static uint32_t rt_vprintf(const char *f, const void *a)
{
    return (void)f, (void)a, run_state.prints++, 7;
}
static uint64_t rt_malloc(uint64_t n)
{
    return (uint64_t)(uintptr_t)malloc(n);
}
static void rt_free(uint64_t p)
{
    free((void *)(uintptr_t)p);
}
static void rt_assertfail(void *a, void *b, uint32_t c, void *d, uint64_t e)
{
    (void)a, (void)b, (void)c, (void)d, (void)e, run_state.asserts++;
}
static uint32_t rt_isspacep_local(uint64_t a)
{
    return (void)a, 0;
}

static const struct {
    const char *name;
    void *address;
} run_symbols[] = {
#define S(n, f) n, (void *)(uintptr_t)f
    {S("heddle.tid.x", rt_tid)},
    {S("heddle.tid.y", rt_zero)},
    {S("heddle.tid.z", rt_zero)},
    {S("heddle.ntid.x", rt_ntid)},
    {S("heddle.ntid.y", rt_one)},
    {S("heddle.ntid.z", rt_one)},
    {S("heddle.ctaid.x", rt_ctaid)},
    {S("heddle.ctaid.y", rt_zero)},
    {S("heddle.ctaid.z", rt_zero)},
    {S("heddle.nctaid.x", rt_nctaid)},
    {S("heddle.nctaid.y", rt_one)},
    {S("heddle.nctaid.z", rt_one)},
    {S("heddle.laneid", rt_lane)},
    {S("heddle.lanemask_eq", rt_lane_bit)},
    {S("heddle.total_smem_size", rt_shared_size)},
    {S("heddle.args", rt_args)},
    {S("heddle.shared", rt_shared)},
    {S("heddle.global", rt_global)},
    {S("heddle.envreg", rt_envreg)},
    {S("heddle.fma.f16", rt_fma_f16)},
    {S("heddle.rsqrt.estimate", rt_rsqrt_estimate)},
    {S("heddle.min.f32", rt_min_f32)},
    {S("heddle.max.f32", rt_max_f32)},
    {S("heddle.min.f64", rt_min_f64)},
    {S("heddle.max.f64", rt_max_f64)},
    {S("heddle.halves.add", rt_halves_add)},
    {S("heddle.halves.sub", rt_halves_sub)},
    {S("heddle.halves.mul", rt_halves_mul)},
    {S("heddle.halves.fma", rt_halves_fma)},
    {S("heddle.rt.clock64", rt_clock)},
    {S("heddle.barrier", rt_barrier)},
    {S("heddle.warp.sync", rt_warp_sync)},
    {S("heddle.yield", rt_yield)},
    {S("heddle.rt.trap", rt_trap)},
    {S("heddle.rt.brkpt", rt_trap)},
    {S("heddle.rt.misaligned", rt_misaligned)},
    {S("heddle.shfl.up", rt_shfl)},
    {S("heddle.shfl.down", rt_shfl)},
    {S("heddle.shfl.bfly", rt_shfl)},
    {S("heddle.shfl.idx", rt_shfl)},
    {S("heddle.shfl.pred.idx", rt_shfl_pred)},
    {S("heddle.shfl.pred.down", rt_shfl_pred)},
    {S("heddle.vote.ballot", rt_ballot)},
    {S("heddle.vote.any", rt_vote)},
    {S("heddle.vote.all", rt_vote)},
    {S("heddle.vote.uni", rt_vote)},
    {S("heddle.match.any.b32", rt_match)},
    {S("heddle.match.all.b64", rt_match)},
    {S("heddle.redux.add", rt_redux)},
    {S("heddle.redux.min.s32", rt_redux)},
    {S("heddle.elect", rt_elect)},
    {S("heddle.barrier.red.popc", rt_red_popc)},
    {S("heddle.barrier.red.and", rt_red)},
    {S("heddle.barrier.red.or", rt_red)},
    {S("heddle.activemask", rt_lane_bit)},
    {S("heddle.rt.vprintf", rt_vprintf)},
    {S("heddle.rt.malloc", rt_malloc)},
    {S("heddle.rt.free", rt_free)},
    {S("heddle.rt.assertfail", rt_assertfail)},
    {S("heddle.rt.isspacep_local", rt_isspacep_local)},
#undef S
};

static LLVMOrcLLJITRef run_jit;

static void run_init(void)
{
    LLVMInitializeNativeTarget();
    LLVMInitializeNativeAsmPrinter();
    LLVMErrorRef e = LLVMOrcCreateLLJIT(&run_jit, NULL);
    if (e) {
        fprintf(stderr, "%s\n", LLVMGetErrorMessage(e));
        exit(2);
    }
    LLVMOrcJITDylibRef dylib = LLVMOrcLLJITGetMainJITDylib(run_jit);
    enum { N = sizeof run_symbols / sizeof *run_symbols };
    LLVMOrcCSymbolMapPair pairs[N];
    for (size_t i = 0; i < N; i++) {
        pairs[i].Name = LLVMOrcLLJITMangleAndIntern(run_jit, run_symbols[i].name);
        pairs[i].Sym.Address = (LLVMOrcExecutorAddress)(uintptr_t)run_symbols[i].address;
        pairs[i].Sym.Flags = (LLVMJITSymbolFlags){LLVMJITSymbolGenericFlagsExported, 0};
    }
    e = LLVMOrcJITDylibDefine(dylib, LLVMOrcAbsoluteSymbols(pairs, N));
    LLVMOrcDefinitionGeneratorRef process;
    if (!e)
        e = LLVMOrcCreateDynamicLibrarySearchGeneratorForProcess(&process, LLVMOrcLLJITGetGlobalPrefix(run_jit), NULL,
                                                                 NULL);
    if (e) {
        fprintf(stderr, "%s\n", LLVMGetErrorMessage(e));
        exit(2);
    }
    LLVMOrcJITDylibAddGenerator(dylib, process); // memset and the like
}

typedef void run_fn(void);

// Translates and compiles one kernel of the text (the first, where name is NULL). NULL with the messages on stderr.
static run_fn *run_compile(const char *text, const char *name, struct translate_result *result, bool optimise)
{
    static int serial;
    struct diag d;
    diag_init(&d, NULL);
    struct ptx_module *m = ptx_module_parse(text, strlen(text), &d);
    run_fn *fn = NULL;
    if (m && ptx_module_verify(m, &d)) {
        const struct ptx_func *f = name ? ptx_module_func(m, name) : NULL;
        for (uint32_t i = 0; !f && i < m->nfuncs; i++)
            f = m->funcs[i]->is_entry ? m->funcs[i] : NULL;
#if LLVM_VERSION_MAJOR >= 21
        LLVMContextRef cx = LLVMContextCreate();
        LLVMOrcThreadSafeContextRef tsc = LLVMOrcCreateNewThreadSafeContextFromLLVMContext(cx);
#else
        LLVMOrcThreadSafeContextRef tsc = LLVMOrcCreateNewThreadSafeContext();
        LLVMContextRef cx = LLVMOrcThreadSafeContextGetContext(tsc);
#endif
        LLVMModuleRef mod = LLVMModuleCreateWithNameInContext("test", cx);
        LLVMSetDataLayout(mod, LLVMOrcLLJITGetDataLayoutStr(run_jit));
        LLVMSetTarget(mod, LLVMOrcLLJITGetTripleString(run_jit));
        if (f && translate_kernel(mod, m, f, 0, result, &d)) {
            char unique[64];
            snprintf(unique, sizeof unique, "kernel_%d", serial++);
            LLVMSetValueName2(result->kernel, unique, strlen(unique));
            if (getenv("DUMP"))
                LLVMDumpModule(mod);
            LLVMPassBuilderOptionsRef o = LLVMCreatePassBuilderOptions();
            LLVMErrorRef e = LLVMRunPasses(mod,
                                           optimise ? "always-inline,globaldce,function(sroa,early-cse,instcombine<no-"
                                                      "verify-fixpoint>,simplifycfg),default<O2>"
                                                    : "always-inline,globaldce,function(mem2reg)",
                                           NULL, o);
            LLVMDisposePassBuilderOptions(o);
            if (getenv("DUMP"))
                LLVMDumpModule(mod);
            LLVMOrcExecutorAddress a = 0;
            if (!e)
                e = LLVMOrcLLJITAddLLVMIRModule(run_jit, LLVMOrcLLJITGetMainJITDylib(run_jit),
                                                LLVMOrcCreateNewThreadSafeModule(mod, tsc));
            if (!e)
                e = LLVMOrcLLJITLookup(run_jit, &a, unique);
            if (e)
                fprintf(stderr, "%s\n", LLVMGetErrorMessage(e));
            fn = (run_fn *)(uintptr_t)a;
        }
        LLVMOrcDisposeThreadSafeContext(tsc);
    }
    if (!fn)
        fprintf(stderr, "%s", str_text(&d.text));
    if (m)
        ptx_module_destroy(m);
    diag_fini(&d);
    return fn;
}

// Runs threads 0 ... n-1 one after another. Code of a JIT has no marks for a sanitizer to look at.
__attribute__((no_sanitize("undefined"))) static void run_kernel(run_fn *fn, const void *args, uint32_t n)
{
    run_state.args = args;
    run_state.ntid = n;
    run_state.nctaid = 1;
    for (run_state.tid = 0; run_state.tid < n; run_state.tid++)
        fn();
}
#endif
