// SPDX-License-Identifier: Apache-2.0
// What a processor can do that HEDDLE_CPU names. LLVM's C interface tells the features of the host alone, and neither those that a
// name stands for nor those that another one implies. But what matters here is what the code generator does with them, so it is
// asked for that: for each feature a function whose code has a certain instruction if and only if the feature is on.
#include "jit/host/target.h"
#include <llvm-c/Core.h>
#include <llvm-c/IRReader.h>
#include <stdio.h>
#include <string.h>

static const struct probe {
    const char *feature,
        *needs;     // without this one, "" none, it is not there: the question may then cost as much as a kernel
    const char *ir; // a function f and what it calls
    const char *mnemonic, *with; // both in one line of f's code
} probes[] = {
#ifdef JIT_FOR_X86_64
    {"sse2", "", "define double @f(double %a, double %b) { %r = fadd double %a, %b ret double %r }", "addsd", "%xmm"},
    {"sse4.1", "sse2",
     "define <4 x i32> @f(<4 x i32> %a, <4 x i32> %b) {"
     " %r = call <4 x i32> @llvm.umax.v4i32(<4 x i32> %a, <4 x i32> %b) ret <4 x i32> %r }"
     " declare <4 x i32> @llvm.umax.v4i32(<4 x i32>, <4 x i32>)",
     "pmaxud", "%xmm"},
    {"avx2", "sse4.1", "define <8 x i32> @f(<8 x i32> %a, <8 x i32> %b) { %r = add <8 x i32> %a, %b ret <8 x i32> %r }",
     "vpaddd", "%ymm"},
    {"avx512f", "avx2",
     "define <16 x i32> @f(<16 x i32> %a, <16 x i32> %b, <16 x i32> %c) {"
     " %x = and <16 x i32> %a, %b %r = xor <16 x i32> %x, %c ret <16 x i32> %r }",
     "vpternlog", "mm"},
    {"avx512vl", "avx512f",
     "define <4 x i32> @f(<4 x i32> %a, <4 x i32> %b, <4 x i32> %c) {"
     " %x = and <4 x i32> %a, %b %r = xor <4 x i32> %x, %c ret <4 x i32> %r }",
     "vpternlog", "%xmm0"},
    {"avx512bw", "avx512f",
     "define <64 x i8> @f(ptr %p, <64 x i1> %m) {"
     " %r = call <64 x i8> @llvm.masked.load.v64i8.p0(ptr %p, i32 1, <64 x i1> %m, <64 x i8> zeroinitializer)"
     " ret <64 x i8> %r } declare <64 x i8> @llvm.masked.load.v64i8.p0(ptr, i32, <64 x i1>, <64 x i8>)",
     "vmovdqu8", "mm"},
    {"avx512dq", "avx512f",
     "define <8 x double> @f(<8 x i64> %a) { %r = sitofp <8 x i64> %a to <8 x double> ret <8 x double> %r }",
     "vcvtqq2pd", "mm"},
    {"avx512fp16", "avx512bw", "define half @f(half %a, half %b) { %r = fadd half %a, %b ret half %r }", "vaddsh",
     "%xmm"},
#else
    {"fullfp16", "", "define half @f(half %a, half %b) { %r = fadd half %a, %b ret half %r }", "fadd", "h0"},
#endif
    {NULL, NULL, NULL, NULL, NULL},
};

static bool has_line(const char *code, const char *mnemonic, const char *with)
{
    for (const char *at = code; (at = strstr(at, mnemonic)) != NULL; at++) {
        const char *end = at + strcspn(at, "\n"), *found = strstr(at, with);
        if (found && found < end)
            return true;
    }
    return false;
}

static bool probe_try(LLVMTargetMachineRef tm, LLVMContextRef context, const struct probe *p)
{
    LLVMMemoryBufferRef text = LLVMCreateMemoryBufferWithMemoryRangeCopy(p->ir, strlen(p->ir), p->feature), code = NULL;
    LLVMModuleRef m = NULL;
    char *error = NULL;
    bool found = false;
    if (!LLVMParseIRInContext(context, text, &m, &error) &&
        !LLVMTargetMachineEmitToMemoryBuffer(tm, m, LLVMAssemblyFile, &error, &code))
        found = has_line(LLVMGetBufferStart(code), p->mnemonic, p->with);
    if (error)
        LLVMDisposeMessage(error);
    if (code)
        LLVMDisposeMemoryBuffer(code);
    if (m)
        LLVMDisposeModule(m);
    return found;
}

// Without one, LLVM writes an error (a value that has no register, with -sse) and ends the process.
static void keep_still(LLVMDiagnosticInfoRef info, void *none)
{
    (void)info, (void)none;
}

static bool has_feature(const struct str *found, const char *feature)
{
    char name[32];
    snprintf(name, sizeof name, "+%s,", feature);
    return strstr(str_text(found), name) != NULL;
}

void features_find(LLVMTargetMachineRef tm, struct str *out)
{
    LLVMContextRef context = LLVMContextCreate();
    LLVMContextSetDiagnosticHandler(context, keep_still, NULL);
    for (const struct probe *p = probes; p->feature; p++)
        if ((!*p->needs || has_feature(out, p->needs)) && probe_try(tm, context, p)) {
            str_append(out, "+");
            str_append(out, p->feature);
            str_append(out, ",");
        }
    LLVMContextDispose(context);
}
