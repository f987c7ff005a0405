// See target.h.
#include "jit/target.h"
#include "base/env.h"
#include "base/str.h"
#include "base/xmalloc.h"
#include <llvm-c/Core.h>
#include <llvm-c/Support.h>
#include <llvm-c/Target.h>
#include <pthread.h>
#include <string.h>
#if defined(__aarch64__)
#include <sys/auxv.h>
#endif

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char *cpu_name, *cpu_features;

static void init(void)
{
    LLVMInitializeNativeTarget();
    LLVMInitializeNativeAsmPrinter();
    LLVMInitializeNativeAsmParser();
    // The scheduler compares every pair of accesses in a block of code up to this number, which gang code with its
    // accesses for each lane often passes: with LLVM's 1000, ten seconds for a kernel that needs one. Preparing for code
    // generation begins again at a function's start after every change, up to this number of blocks: with LLVM's 10000,
    // ten seconds for a kernel of two thousand, where all the rest takes four; the code is the same.
    // Before it unrolls a loop, LLVM plays up to this number of turns through to see what would fall away: with LLVM's 10, a
    // third of the time of saxpy and a twentieth of most kernels, whose code is the same without.
    const char *options[] = {"heddle", "-dag-maps-huge-region=200", "-cgpp-huge-func=100",
                             "-unroll-max-iteration-count-to-analyze=0"};
    LLVMParseCommandLineOptions(4, options, NULL);
    struct str f = {0};
    const char *asked = env_get("HEDDLE_CPU");
    size_t comma = strcspn(asked, ",");
    char *name = *asked ? LLVMCreateMessage(asked) : LLVMGetHostCPUName();
    char *features = *asked ? LLVMCreateMessage(asked[comma] ? asked + comma + 1 : "") : LLVMGetHostCPUFeatures();
    if (*asked)
        name[comma] = 0;
    str_append(&f, features);
#if defined(__aarch64__)
    // The CPU's name implies SVE; a kernel or hypervisor that hides it makes those instructions fault.
    if (!(getauxval(AT_HWCAP) & (1ul << 22)))
        str_append(&f, f.len ? ",-sve,-sve2" : "-sve,-sve2");
#endif
#if defined(__x86_64__)
    str_append(&f, f.len ? ",+cx16" : "+cx16"); // 16-byte atomics; only the first processors of 64 bits are without
#endif
    cpu_name = xstrdup(name);
    cpu_features = xstrdup(str_text(&f));
    str_free(&f);
    LLVMDisposeMessage(name);
    LLVMDisposeMessage(features);
}

LLVMTargetMachineRef target_machine_create(bool optimise, struct diag *d)
{
    pthread_once(&once, init);
    char *triple = LLVMGetDefaultTargetTriple(), *error = NULL;
    LLVMTargetRef target;
    LLVMTargetMachineRef tm = NULL;
    // Small code model and PIC: the default of JITs is the large model, four instructions for each constant's address.
    if (LLVMGetTargetFromTriple(triple, &target, &error))
        diag_error(d, 0, 0, "LLVM has no target for %s: %s", triple, error);
    else
        tm = LLVMCreateTargetMachine(target, triple, cpu_name, cpu_features,
                                     optimise ? LLVMCodeGenLevelDefault : LLVMCodeGenLevelNone, LLVMRelocPIC,
                                     LLVMCodeModelSmall);
    // What AArch64 has in place of the quick selection that x86-64 has loses sums of vectors of which one lane is not defined.
    if (tm && !optimise)
        LLVMSetTargetMachineGlobalISel(tm, false);
    LLVMDisposeMessage(triple);
    if (error)
        LLVMDisposeMessage(error);
    return tm;
}

unsigned target_natural_width(void)
{
    pthread_once(&once, init);
#if defined(__x86_64__)
    return strstr(cpu_features, "+avx512f") ? 16 : 8;
#else
    return 16;
#endif
}

static bool has(const char *feature)
{
    pthread_once(&once, init);
    return strstr(cpu_features, feature) != NULL;
}

bool target_masks_memory(unsigned bytes)
{
    if (bytes == 4 || bytes == 8)
        return has("+avx512vl") || has("+avx2");
    return (bytes == 1 || bytes == 2) && has("+avx512vl") && has("+avx512bw");
}

bool target_stores_lanes(void)
{
    return has("+avx512vl");
}

// AMD's processors take gathers apart, slower than code that does.
bool target_gathers(unsigned bytes)
{
    return (bytes == 4 || bytes == 8) && has("+avx512vl") && strncmp(cpu_name, "znver", 5) != 0;
}

bool target_estimates_rsqrt(void)
{
    return has("+avx512vl");
}

bool target_computes_halves(void)
{
    return has("+avx512fp16") || has("+fullfp16");
}

bool target_packs(void)
{
    return has("+avx512vl");
}

bool target_ranges(void)
{
    return has("+avx512vl") && has("+avx512dq");
}

bool target_selects_minima(void)
{
    return has("+sse2");
}

bool target_has_ternary_logic(void)
{
    return has("+avx512f");
}
