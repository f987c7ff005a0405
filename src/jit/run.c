// SPDX-License-Identifier: Apache-2.0
#include "jit/run.h"
#include "base/log.h"
#include "base/os.h"
#include "jit/gang/vectorise.h"
#include "jit/jit.h"
#include "jit/llvm_passes.h"
#include "jit/pass_switch.h"
#include "jit/resume/resume.h"
#include "jit/when.h"
#include <llvm-c/Analysis.h>
#include <stdio.h>
#include <string.h>

static const struct pass {
    const char *name;
    pass_fn *run;         // NULL: passes of LLVM's own
    const char *pipeline; // these
    pass_when_fn *when;
    const char *when_name;
    bool optional;
} table[] = {
#define PASS(name, function, when, optional, needs, about) {#name, pass_##function, NULL, when_##when, #when, optional},
#define LLVM_PASS(name, pipeline, when, about)             {#name, NULL, pipeline, when_##when, #when, false},
#include "jit/pass.def"
#undef PASS
#undef LLVM_PASS
};

static bool verify_asked(void)
{
#ifndef NDEBUG
    return true;
#else
    return pass_dump_asked("verify");
#endif
}

void run_begin(struct compilation *c)
{
    c->verify |= verify_asked();
    c->passes = LLVMCreatePassBuilderOptions();
    LLVMPassBuilderOptionsSetLoopVectorization(c->passes, 0);
    LLVMPassBuilderOptionsSetSLPVectorization(c->passes, 0);
    LLVMPassBuilderOptionsSetLoopInterleaving(c->passes, 0);
    LLVMPassBuilderOptionsSetVerifyEach(c->passes, c->verify);
}

static bool run_llvm(struct compilation *c, const struct pass *p)
{
    LLVMErrorRef e = pass_run_llvm(c, p->pipeline, c->machine, c->passes);
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

static struct jit_watch *watch_of(const struct compilation *c)
{
    return c->options ? c->options->watch : NULL;
}

// The time of a pass and the code that it left, for whoever asked.
static void tell(struct compilation *c, const struct pass *p, uint64_t ns, unsigned before)
{
    struct jit_watch *w = watch_of(c);
    if (!w && !log_on(LOG_DEBUG))
        return;
    unsigned after = ir_module_size(c->module);
    log_write(LOG_DEBUG, "%s: %s %.2f ms of the processor, %u instructions", c->plan.kernel, p->name, (double)ns * 1e-6,
              after);
    if (w && w->pass)
        w->pass(w, p->name, ns, before, after);
}

// Whether the compilation was to end with this pass; then it is shown.
static bool is_stopped(struct compilation *c, const struct pass *p)
{
    struct jit_watch *w = watch_of(c);
    if (!w || !w->stop_after || strcmp(w->stop_after, p->name))
        return false;
    char *text = LLVMPrintModuleToString(c->module);
    w->stopped = true;
    w->ir(w, text);
    LLVMDisposeMessage(text);
    return true;
}

static bool run_pass(struct compilation *c, const struct pass *p)
{
    unsigned before = watch_of(c) ? ir_module_size(c->module) : 0;
    uint64_t started = os_thread_ns();
    remark_begin(p->name, c->plan.kernel, true);
    bool ok = p->run ? p->run(c) : run_llvm(c, p);
    remark_end();
    tell(c, p, os_thread_ns() - started, before);
    if (!ok)
        return false;
    if (pass_dump_asked(p->name)) {
        fprintf(stderr, "; after %s\n", p->name);
        LLVMDumpModule(c->module);
    }
    return !c->verify || verify(c, p);
}

enum { PASSES = sizeof table / sizeof *table };

static size_t find(const char *name, size_t none)
{
    for (size_t i = 0; name && i < PASSES; i++)
        if (!strcmp(table[i].name, name))
            return i;
    return none;
}

static bool is_off(struct compilation *c, const struct pass *p)
{
    bool no = !p->when(c), off = p->optional && pass_switched_off(p->name);
    if (no || off) {
        remark_begin(p->name, c->plan.kernel, p->optional);
        if (off)
            remark(NULL, "does not run: HEDDLE_PASSES leaves it out");
        else
            remark(NULL, "does not run: it is for '%s' (src/jit/when.c)", p->when_name);
        remark_end();
    }
    return no || off;
}

bool run_passes(struct compilation *c, const char *first, const char *last)
{
    for (size_t i = find(first, 0), end = find(last, PASSES - 1); i <= end; i++) {
        const struct pass *p = &table[i];
        if (!is_off(c, p)) {
            if (!run_pass(c, p))
                return false;
        } else if (p->optional) {
            c->marked = false; // it may be one that marks: then nothing is
        }
        if (is_stopped(c, p))
            return false;
    }
    return true;
}

void run_release(struct compilation *c)
{
    resume_release(c->resume);
    vectorise_release(c->vectoriser);
    vec_free(&c->plan.regions);
    vec_free(&c->plan.slots);
    vec_free(&c->plan.set);
    vec_free(&c->plan.uniform);
    vec_free(&c->plan.stops);
    LLVMDisposePassBuilderOptions(c->passes);
}
