// SPDX-License-Identifier: Apache-2.0
// The pipeline: one PTX kernel to one relocatable object, by the passes of pass.def in their order. HEDDLE_DUMP=name prints the
// IR after a pass, HEDDLE_PASSES=-name leaves an optional one out, HEDDLE_LOG=debug tells the time of each.
#include "base/env.h"
#include "jit/ir/ir.h"
#include "base/log.h"
#include "base/os.h"
#include "base/reserve.h"
#include "base/str.h"
#include "jit/host/llvm_memory.h"
#include "jit/host/target.h"
#include "jit/llvm_passes.h"
#include "jit/pass.h"
#include "jit/pass_switch.h"
#include <llvm-c/Analysis.h>
#include <llvm-c/Core.h>
#include <llvm-c/ErrorHandling.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct pass {
    const char *name;
    pass_fn *run;         // NULL: passes of LLVM's own
    const char *pipeline; // these
    pass_when_fn *when;
    bool optional;
} table[] = {
#define PASS(name, function, when, optional, needs, about) {#name, pass_##function, NULL, when_##when, optional},
#define LLVM_PASS(name, pipeline, when, about)             {#name, NULL, pipeline, when_##when, false},
#include "jit/pass.def"
#undef PASS
#undef LLVM_PASS
};

// Code is verified after every pass, LLVM's included: in debug builds, and with HEDDLE_DUMP=verify.
static bool verify_asked(void)
{
#ifndef NDEBUG
    return true;
#else
    return pass_dump_asked("verify");
#endif
}

static bool run_llvm(struct compilation *c, const struct pass *p)
{
    LLVMErrorRef e = LLVMRunPasses(c->module, p->pipeline, c->machine, c->passes);
    if (!e)
        return true;
    char *m = LLVMGetErrorMessage(e);
    diag_fail(c->d, DIAG_INTERNAL, "%s: %s", p->name, m);
    LLVMDisposeErrorMessage(m);
    return false;
}

static bool verify(struct compilation *c, const struct pass *p)
{
    char *message = NULL;
    bool broken = LLVMVerifyModule(c->module, LLVMReturnStatusAction, &message);
    if (broken)
        diag_fail(c->d, DIAG_INTERNAL, "invalid code after '%s': %s", p->name, message);
    if (message)
        LLVMDisposeMessage(message);
    return !broken;
}

static bool run_pass(struct compilation *c, const struct pass *p)
{
    uint64_t started = os_thread_ns();
    bool ok = p->run ? p->run(c) : run_llvm(c, p);
    if (log_on(LOG_DEBUG))
        log_write(LOG_DEBUG, "%s: %s %.2f ms of the processor, %u instructions", c->plan.kernel, p->name,
                  (double)(os_thread_ns() - started) * 1e-6, pass_count_instructions(c->module));
    if (!ok)
        return false;
    if (pass_dump_asked(p->name)) {
        fprintf(stderr, "; after %s\n", p->name);
        LLVMDumpModule(c->module);
    }
    return !verify_asked() || verify(c, p);
}

static bool run_pipeline(struct compilation *c)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        const struct pass *p = &table[i];
        bool off = !p->when(c) || (p->optional && pass_switched_off(p->name));
        if (off && p->optional)
            c->marked = false; // by none
        if (!off && !run_pass(c, p))
            return false;
    }
    return true;
}

static void on_diagnostic(LLVMDiagnosticInfoRef info, void *data)
{
    if (LLVMGetDiagInfoSeverity(info) != LLVMDSError)
        return;
    char *text = LLVMGetDiagInfoDescription(info);
    diag_fail(data, DIAG_INTERNAL, "%s", text);
    LLVMDisposeMessage(text);
}

// LLVM ends the process when its code generator meets something that it cannot do. Here the compilation ends instead: what
// LLVM held is lost, the program goes on with an error.
static _Thread_local jmp_buf *escape;
static _Thread_local char fatal_reason[256];
static pthread_once_t fatal_once = PTHREAD_ONCE_INIT;

static void on_fatal(const char *reason)
{
    if (!escape)
        return;
    snprintf(fatal_reason, sizeof fatal_reason, "%.*s", (int)strcspn(reason, "\n"), reason);
    longjmp(*escape, 1);
}

static void install_fatal(void)
{
    LLVMInstallFatalErrorHandler(on_fatal);
}

// Why a compilation has to be made again.
struct again {
    bool too_large, unstructured;
};

static bool compile_once(const struct ptx_module *m, const struct ptx_func *kernel, const struct jit_options *options,
                         enum structured_how how, struct jit_object *out, struct again *again, struct diag *d)
{
    struct compilation c = {.ptx = m, .kernel = kernel, .options = options, .out = out, .d = d, .how = how};
    *again = (struct again){0};
    // A debugger wants the instructions in the order of the lines, which a scheduler does not keep.
    c.machine = target_machine_create(!options->debug, d);
    if (!c.machine)
        return false;
    c.context = LLVMContextCreate();
    LLVMContextSetDiagnosticHandler(c.context, on_diagnostic, d);
    c.module = LLVMModuleCreateWithNameInContext(kernel->name, c.context);
    c.plan.module = c.module;
    c.plan.kernel = kernel->name;
    c.plan.layout = LLVMCreateTargetDataLayout(c.machine);
    LLVMSetModuleDataLayout(c.module, c.plan.layout);
    char *triple = LLVMGetTargetMachineTriple(c.machine);
    LLVMSetTarget(c.module, triple);
    LLVMDisposeMessage(triple);
    c.passes = LLVMCreatePassBuilderOptions();
    LLVMPassBuilderOptionsSetLoopVectorization(c.passes, 0);
    LLVMPassBuilderOptionsSetSLPVectorization(c.passes, 0);
    LLVMPassBuilderOptionsSetLoopInterleaving(c.passes, 0);
    LLVMPassBuilderOptionsSetVerifyEach(c.passes, verify_asked());
    bool ok = run_pipeline(&c) && !d->errors;
    *again = (struct again){c.too_large, c.unstructured};
    if (c.t.debug)
        LLVMDisposeDIBuilder(c.t.debug);
    vec_free(&c.plan.regions);
    vec_free(&c.plan.slots);
    vec_free(&c.plan.set);
    vec_free(&c.plan.uniform);
    LLVMDisposePassBuilderOptions(c.passes);
    LLVMDisposeTargetData(c.plan.layout);
    LLVMDisposeModule(c.module);
    LLVMContextDispose(c.context);
    LLVMDisposeTargetMachine(c.machine);
    return ok;
}

// LLVM may end it at any point (on_fatal), and so may memory that cannot be had (host/llvm_memory.c).
static bool compile_guarded(const struct ptx_module *m, const struct ptx_func *kernel,
                            const struct jit_options *options, struct jit_object *out, struct diag *d)
{
    jmp_buf here;
    struct jit_options now = *options;
    struct again again;
    enum structured_how how = structured_asked();
    bool ok;
    fatal_reason[0] = 0;
    escape = &here;
    reserve_escape(&here);
    if (!setjmp(here)) {
        while (!(ok = compile_once(m, kernel, &now, how, out, &again, d)) && (again.too_large || again.unstructured)) {
            now.width = again.too_large ? PASS_NARROW : now.width; // a width that is given is never too large
            how = again.unstructured ? STRUCTURED_DISPATCH : how;
        }
    } else {
        escape = NULL;
        reserve_escape(NULL);
        ok = fatal_reason[0] ? diag_fail(d, DIAG_INTERNAL, "LLVM: %s", fatal_reason) : diag_lacks_memory(d);
    }
    escape = NULL;
    reserve_escape(NULL);
    return ok;
}

__attribute__((visibility("default"))) bool heddle_jit_compile(const struct ptx_module *m,
                                                               const struct ptx_func *kernel,
                                                               const struct jit_options *options,
                                                               struct jit_object *out, struct diag *d)
{
    // More than most kernels take: what LLVM held is lost where a compilation escapes, so it should not begin without.
    enum { RESERVE = 32 << 20 };
    struct reserve reserve;
    *out = (struct jit_object){0};
    llvm_memory_opened();
    pthread_once(&fatal_once, install_fatal);
    pass_report();
    if (!reserve_begin(&reserve, RESERVE))
        return diag_lacks_memory(d);
    bool ok = compile_guarded(m, kernel, options, out, d);
    reserve_end(&reserve);
    if (!ok) {
        free(out->data);
        *out = (struct jit_object){0};
    }
    return ok;
}
