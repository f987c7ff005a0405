// SPDX-License-Identifier: Apache-2.0
// See target.h.
#include "jit/host/target.h"
#include "base/env.h"
#include "base/log.h"
#include "base/xmalloc.h"
#include <llvm-c/Core.h>
#include <llvm-c/Support.h>
#include <llvm-c/Target.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#if defined(__aarch64__)
#include <sys/auxv.h>
#endif

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char *cpu_name, *cpu_features; // as LLVM gets them
static char *known;         // features with a '+' each: the host's, or those found for the processor of HEDDLE_CPU
static char complaint[160]; // of LLVM's about what HEDDLE_CPU names; "": none

// What `make` writes to the standard error output, up to its first newline. LLVM names a processor or a feature that it does not know
// only there, and goes on without it. What other threads write meanwhile is written out afterwards.
static void complaint_find(void (*make)(void))
{
    int file = memfd_create("heddle", MFD_CLOEXEC), real = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0);
    if (file < 0 || real < 0 || dup2(file, STDERR_FILENO) < 0) {
        make();
    } else {
        make();
        dup2(real, STDERR_FILENO);
        char text[4096];
        ssize_t n = pread(file, text, sizeof text - 1, 0);
        text[n > 0 ? n : 0] = 0;
        for (char *line = text, *end; *line; line = end) {
            end = line + strcspn(line, "\n");
            end += *end == '\n';
            if (!strstr(line, " for this target"))
                n = write(real, line, (size_t)(end - line));
            else if (!*complaint)
                snprintf(complaint, sizeof complaint, "%.*s", (int)(strstr(line, " for this target") - line), line);
        }
    }
    if (file >= 0)
        close(file);
    if (real >= 0)
        close(real);
}

static LLVMTargetMachineRef machine_make(bool optimise, char **error)
{
    char *triple = JIT_TRIPLE ? LLVMCreateMessage(JIT_TRIPLE) : LLVMGetDefaultTargetTriple();
    LLVMTargetRef target;
    LLVMTargetMachineRef tm = NULL;
    // Small code model and PIC: the default of JITs is the large model, four instructions for each constant's address.
    if (!LLVMGetTargetFromTriple(triple, &target, error))
        tm = LLVMCreateTargetMachine(target, triple, cpu_name, cpu_features,
                                     optimise ? LLVMCodeGenLevelDefault : LLVMCodeGenLevelNone, LLVMRelocPIC,
                                     LLVMCodeModelSmall);
    LLVMDisposeMessage(triple);
    return tm;
}

static LLVMTargetMachineRef named; // while HEDDLE_CPU is looked at

static void named_make(void)
{
    char *error = NULL;
    named = machine_make(true, &error);
    if (error)
        LLVMDisposeMessage(error);
}

// What the processor of HEDDLE_CPU can do, or LLVM's complaint about it. One that LLVM does not know is not asked for code, which
// would end the process.
static void named_find(void)
{
    struct str found = {0};
    complaint_find(named_make);
    if (named && !*complaint)
        features_find(named, &found);
    if (named)
        LLVMDisposeTargetMachine(named);
    known = xstrdup(str_text(&found));
    str_free(&found);
}

#ifdef JIT_FOR_X86_64
enum { IS_X86 = true };
#else
enum { IS_X86 = false };
#endif

// LLVM takes AVX2's gathers apart on processors where it holds them for slow. Where they pay by our table it is told otherwise.
static void gathers_ask(void)
{
    struct str f = {0};
    unsigned cost = machine_figure(FIGURE_GATHER);
    if (!IS_X86 || !cost || cost > machine_figure(FIGURE_LANE_LOAD) || str_list_has(known, "+avx512vl"))
        return;
    str_printf(&f, "%s,+fast-gather", cpu_features);
    cpu_features = xstrdup(str_text(&f)); // the one before may be `known`
    str_free(&f);
}

static void init(void)
{
#ifdef JIT_FOR_AARCH64
    LLVMInitializeAArch64TargetInfo();
    LLVMInitializeAArch64Target();
    LLVMInitializeAArch64TargetMC();
    LLVMInitializeAArch64AsmPrinter();
    LLVMInitializeAArch64AsmParser();
#else
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
    LLVMInitializeX86AsmParser();
#endif
    // The scheduler compares every pair of accesses in a block of code up to this number, which gang code with its
    // accesses for each lane often passes: with LLVM's 1000, ten seconds for a kernel that needs one. Preparing for code
    // generation begins again at a function's start after every change, up to this number of blocks: with LLVM's 10000,
    // ten seconds for a kernel of two thousand, where all the rest takes four; the code is the same.
    // Before it unrolls a loop, LLVM plays up to this number of iterations through to see what would fall away: with LLVM's 10, a
    // third of the time of saxpy and a twentieth of most kernels, whose code is the same without.
    const char *options[] = {"heddle", "-dag-maps-huge-region=200", "-cgpp-huge-func=100",
                             "-unroll-max-iteration-count-to-analyze=0"};
    LLVMParseCommandLineOptions(4, options, NULL);
    struct str f = {0};
    const char *asked = *env_get("HEDDLE_CPU") ? env_get("HEDDLE_CPU") : JIT_CPU;
    size_t comma = strcspn(asked, ",");
    char *name = *asked ? LLVMCreateMessage(asked) : LLVMGetHostCPUName();
    char *features = *asked ? LLVMCreateMessage(asked[comma] ? asked + comma + 1 : "") : LLVMGetHostCPUFeatures();
    if (*asked)
        name[comma] = 0;
    str_append(&f, features);
#if defined(__aarch64__) && defined(JIT_FOR_AARCH64)
    // The CPU's name implies SVE; a kernel or hypervisor that hides it makes those instructions fault.
    if (!(getauxval(AT_HWCAP) & (1ul << 22)))
        str_append(&f, f.len ? ",-sve,-sve2" : "-sve,-sve2");
#endif
#ifdef JIT_FOR_X86_64
    str_append(&f, f.len ? ",+cx16" : "+cx16"); // 16-byte atomics; only the first processors of 64 bits are without
#endif
    cpu_name = xstrdup(name);
    cpu_features = xstrdup(str_text(&f));
    str_free(&f);
    LLVMDisposeMessage(name);
    LLVMDisposeMessage(features);
    if (*asked)
        named_find();
    else
        known = cpu_features;
    machine_choose(IS_X86 ? ARCHITECTURE_X86 : ARCHITECTURE_ARM, cpu_name, known, !*asked);
    log_write(LOG_DEBUG, "code for %s: %s", cpu_name, machine_about());
    gathers_ask();
}

// What a machine knows of its processor it finds out at the first function, in the time that a small pass takes: one of each kind is kept.
static _Atomic(LLVMTargetMachineRef) kept[2];

void target_machine_release(LLVMTargetMachineRef machine, bool optimise)
{
    machine = atomic_exchange(&kept[optimise], machine);
    if (machine)
        LLVMDisposeTargetMachine(machine);
}

LLVMTargetMachineRef target_machine_create(bool optimise, struct diag *d)
{
    pthread_once(&once, init);
    LLVMTargetMachineRef old = atomic_exchange(&kept[optimise], NULL);
    if (old)
        return old;
    if (*complaint) {
        diag_fail(d, DIAG_PROCESSOR, "HEDDLE_CPU=%s: %s", env_get("HEDDLE_CPU"), complaint);
        return NULL;
    }
    char *error = NULL;
    LLVMTargetMachineRef tm = machine_make(optimise, &error);
    if (!tm)
        diag_fail(d, DIAG_INTERNAL, "LLVM has no target for this machine: %s", error ? error : "");
    // What AArch64 has in place of the quick selection that x86-64 has loses sums of vectors of which one lane is not defined.
    if (tm && !optimise)
        LLVMSetTargetMachineGlobalISel(tm, false);
    if (error)
        LLVMDisposeMessage(error);
    return tm;
}

static bool has(const char *feature)
{
    pthread_once(&once, init);
    return str_list_has(known, feature);
}

unsigned target_figure(enum figure f)
{
    pthread_once(&once, init);
    return machine_figure(f);
}

// 16 lanes of words, where eight such values or more fit into the registers.
unsigned target_natural_width(void)
{
    return target_figure(FIGURE_REGISTERS) * target_figure(FIGURE_VECTOR_BYTES) >= 8 * 16 * 4 ? 16 : 8;
}

// Whether an instruction of this cost is there and takes no longer than what does the same without.
static bool pays(enum figure f, enum figure without)
{
    return target_figure(f) && target_figure(f) <= target_figure(without);
}

#define TARGET(name, parameters, x86, arm, about)                                                                      \
    bool target_##name parameters                                                                                      \
    {                                                                                                                  \
        return IS_X86 ? (x86) : (arm);                                                                                 \
    }
#include "jit/host/target.def"
