// SPDX-License-Identifier: Apache-2.0
// One PTX kernel to one relocatable object, by the passes of pass.def in their order (run.c). HEDDLE_DUMP=name prints the IR after a
// pass, HEDDLE_PASSES=-name leaves an optional one out, HEDDLE_LOG=debug tells the time of each.
#include "base/reserve.h"
#include "jit/host/target.h"
#include "jit/abi/interface.h"
#include "jit/jit.h"
#include "jit/lower/lower.h"
#include "jit/pass_switch.h"
#include "jit/run.h"
#include <llvm-c/ErrorHandling.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

// How a compilation is made, and why it has to be made again.
struct attempt {
    enum structured_how how;
    unsigned width; // of the last attempt
    bool narrowed;  // the width is not the one that was asked for
    bool too_large, unstructured, calls_wait;
    bool fibres;
};

static bool compile_once(const struct ptx_module *m, const struct ptx_func *kernel, const struct jit_options *options,
                         struct attempt *a, struct jit_object *out, struct diag *d)
{
    struct compilation c = {.ptx = m,
                            .kernel = kernel,
                            .options = options,
                            .out = out,
                            .d = d,
                            .how = a->how,
                            .narrowed = a->narrowed,
                            .fibres = a->fibres};
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
    run_begin(&c);
    bool ok = run_passes(&c, NULL, NULL) && !d->errors;
    a->width = c.plan.width;
    a->too_large = c.too_large;
    a->unstructured = c.unstructured;
    a->calls_wait = c.calls_wait;
    if (c.t.debug)
        LLVMDisposeDIBuilder(c.t.debug);
    run_release(&c);
    LLVMDisposeTargetData(c.plan.layout);
    LLVMDisposeModule(c.module);
    LLVMContextDispose(c.context);
    target_machine_release(c.machine, !options->debug && !c.quick);
    return ok;
}

// LLVM may end it at any point (on_fatal), and so may memory that cannot be had (host/llvm_memory.c).
static bool compile_guarded(const struct ptx_module *m, const struct ptx_func *kernel,
                            const struct jit_options *options, struct jit_object *out, struct diag *d)
{
    jmp_buf here;
    struct jit_options now = *options;
    struct attempt a = {.how = structured_asked()};
    bool ok;
    fatal_reason[0] = 0;
    escape = &here;
    reserve_escape(&here);
    if (!setjmp(here)) {
        while (!(ok = compile_once(m, kernel, &now, &a, out, d)) && (a.too_large || a.unstructured || a.calls_wait)) {
            if (a.calls_wait) {
                now.width = 1;
                a.fibres = true;
            }
            if (a.too_large) { // a width that somebody else chose never is
                now.width = a.width > PASS_NARROW ? PASS_NARROW : 1;
                a.narrowed = true;
            }
            a.how = a.unstructured ? STRUCTURED_DISPATCH : a.how;
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

__attribute__((visibility("default"))) const char heddle_jit_interface[] = JIT_INTERFACE;

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
