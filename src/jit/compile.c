// SPDX-License-Identifier: Apache-2.0
// The pipeline: one PTX kernel to one relocatable object. run_pipeline() lists the passes in order and is the
// architecture of the JIT; HEDDLE_DUMP=name prints the IR after a pass.
#include "base/env.h"
#include "base/log.h"
#include "base/os.h"
#include "base/reserve.h"
#include "base/str.h"
#include "jit/host/absdiff.h"
#include "jit/host/assemble.h"
#include "jit/host/width.h"
#include "jit/host/bitselect.h"
#include "jit/compat/compat.h"
#include "jit/compat/lockstep.h"
#include "jit/debug/debug.h"
#include "jit/block/block.h"
#include "jit/gang/vectorise.h"
#include "jit/gang_passes.h"
#include "jit/opt/opt.h"
#include "jit/resume/resume.h"
#include "jit/jit.h"
#include "jit/host/proportion.h"
#include "jit/ir/region.h"
#include "jit/lower/endless.h"
#include "jit/lower/structurise.h"
#include "jit/host/target.h"
#include "jit/translate/translate.h"
#include <llvm-c/Analysis.h>
#include <llvm-c/Core.h>
#include <llvm-c/ErrorHandling.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Scalar code is brought to SSA form, callees are inlined, loops rotated so that their exits are at the bottom.
static const char pass_a[] =
    "always-inline,globaldce,function(sroa,early-cse,instcombine<no-verify-fixpoint>,simplifycfg,"
    "jump-threading,loop-simplify,loop(loop-rotate),instcombine<no-verify-fixpoint>,simplifycfg)";
// Loops that opt/unroll_halving.c has marked.
static const char pass_unroll[] =
    "function(loop-simplify,lcssa,loop(loop-unroll-full),instcombine<no-verify-fixpoint>,simplifycfg)";
// Loops that opt/unroll_lines.c has marked.
static const char pass_lines[] = "function(simplifycfg,loop-simplify,lcssa,loop-unroll<O2>)";
static const char pass_settle[] = "function(early-cse,instcombine<no-verify-fixpoint>,simplifycfg)";
// The gang code: what of LLVM's O2 pays for it, in a third of the time. O2 combines instructions nine times, which is half of
// its work, numbers values across blocks and widens counters; kernels ran no faster for that. What looks superfluous and is
// not: conditions that are known are found before anything else (Needleman-Wunsch), and masks brought into an order in which
// the second combining sees selections (mandelbrot).
// The passes are in gang_passes.h.

// Instructions: of scalar code that goes narrower at once, of gang code that does when it is seen, of gang code that is
// optimised less and least, of gang code that is quick first: to optimise it takes more than 50 ms. Scalar code of regions that
// will be.
enum { SCALAR_LIMIT = 4000, WIDE_LIMIT = 10000, LARGE = 8000, HUGE_CODE = 100000, QUICK_LIMIT = 750, LEAN_LIMIT = 750 };
enum { NARROW = 8, MANY_COLLECTIVES = 512 };
// Instructions from which on the depth of gang code counts, and the mean depth from which on it is deep: that of 256 exits one
// behind the other, which took 1.8 s to combine. Of 29 kernels of the bench the one with so many instructions has depth 2.
enum { DEEP_SIZE = 2000, DEEP = 150 };
// Instructions of the blocks that are cut for the code generator: of quick code, which has no passes that put them together, and else.
enum { CUT_QUICK = 1024, CUT = 4096 };

struct compilation {
    LLVMContextRef context;
    LLVMModuleRef module;
    LLVMTargetMachineRef machine;
    LLVMPassBuilderOptionsRef passes;
    struct region_plan plan;
    LLVMDIBuilderRef debug; // NULL: the text has no source lines
    struct diag *d;
    uint64_t started;
    enum structured_how how;
    bool too_large;    // the pipeline was left: at this width the code is more than LLVM handles in reasonable time
    bool unstructured; // the pipeline was left: LLVM did not structure the control flow
};

static bool dump_asked(const char *pass)
{
    const char *list = env_get("HEDDLE_DUMP");
    return str_list_has(list, pass) || str_list_has(list, "all");
}

// Code is verified after every pass, LLVM's included: in debug builds, and with HEDDLE_DUMP=verify.
static bool verify_asked(void)
{
#ifndef NDEBUG
    return true;
#else
    return dump_asked("verify");
#endif
}

// After each step: dump and verify when asked.
static bool step_done(struct compilation *c, const char *name)
{
    if (log_on(LOG_DEBUG)) {
        uint64_t now = os_thread_ns();
        log_write(LOG_DEBUG, "%s: %s %.2f ms of the processor", c->plan.kernel, name,
                  (double)(now - c->started) * 1e-6);
        c->started = os_thread_ns();
    }
    if (dump_asked(name)) {
        fprintf(stderr, "; after %s\n", name);
        LLVMDumpModule(c->module);
    }
    char *message = NULL;
    bool broken = verify_asked() && LLVMVerifyModule(c->module, LLVMReturnStatusAction, &message);
    if (broken)
        diag_fail(c->d, DIAG_INTERNAL, "invalid code after '%s': %s", name, message);
    if (message)
        LLVMDisposeMessage(message);
    return !broken;
}

static bool run_passes(struct compilation *c, const char *name, const char *pipeline)
{
    LLVMErrorRef e = LLVMRunPasses(c->module, pipeline, c->machine, c->passes);
    if (e) {
        char *m = LLVMGetErrorMessage(e);
        diag_fail(c->d, DIAG_INTERNAL, "%s: %s", name, m);
        LLVMDisposeErrorMessage(m);
        return false;
    }
    return step_done(c, name);
}

static bool structure_passes(void *c, const char *name, const char *pipeline)
{
    return run_passes(c, name, pipeline);
}

// Every block leads to the return, also after LLVM has found out what conditions are.
static void open_endless_loops(LLVMModuleRef m)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f))
            endless_open(f);
}

static bool runs_alone(const struct jit_options *o)
{
    return o->debug || o->block[0] * o->block[1] * o->block[2] == 1;
}

// Width 1 is the plain schedule (compat/compat.h).
static bool has_compat(const struct jit_options *o)
{
    return o->compat && o->width != 1 && !runs_alone(o);
}

// Warp collectives and warp-synchronous code need the whole warp in one gang; large functions go narrower, since the
// time of code generation grows with the square of the width.
static unsigned choose_width(const struct translate_result *t, const struct jit_options *o)
{
    if (o->width)
        return o->width;
    if (runs_alone(o))
        return 1;
    if (t->warp_collectives || (o->compat && t->volatile_shared))
        return 32;
    unsigned w = target_natural_width();
    return t->instructions > 1500 && w > 8 ? 8 : w;
}

static unsigned count_instructions(LLVMModuleRef m)
{
    unsigned n = 0;
    for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
                n++;
    return n;
}

static unsigned count_collectives(LLVMModuleRef m)
{
    unsigned n = 0;
    for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f)) {
        size_t length;
        const char *name = LLVMGetValueName2(f, &length);
        bool it = !strncmp(name, "heddle.shfl.", 12) || !strncmp(name, "heddle.vote.", 12) ||
                  !strncmp(name, "heddle.match.", 13) || !strncmp(name, "heddle.redux.", 13);
        bool matrix = !strncmp(name, "heddle.rt.matrix.", 17); // a hundred shuffles and more where the gang is no warp
        for (LLVMUseRef u = it || matrix ? LLVMGetFirstUse(f) : NULL; u; u = LLVMGetNextUse(u))
            n += matrix ? MANY_COLLECTIVES : 1;
    }
    return n;
}

// Quick code's machine takes the first instructions that do and keeps values in memory.
static bool go_quick(struct compilation *c)
{
    LLVMTargetMachineRef quick = target_machine_create(false, c->d);
    if (!quick)
        return false;
    LLVMDisposeTargetMachine(c->machine);
    c->machine = quick;
    return true;
}

static bool optimise(struct compilation *c, const struct jit_options *o, struct jit_variant *variant)
{
    if (o->debug)
        return run_passes(c, "optimise", "default<O0>");
    unsigned n = count_instructions(c->module);
    bool quick = o->quick == JIT_QUICK_ALWAYS || c->plan.lean || (o->quick == JIT_QUICK_LARGE && n > QUICK_LIMIT);
    unsigned depth = n > DEEP_SIZE ? proportion_depth(c->module) : 0;
    log_write(LOG_DEBUG, "%s: %u instructions of gang code, depth %u%s", c->plan.kernel, n, depth,
              quick                       ? ", quick code first"
              : n > LARGE || depth > DEEP ? ", optimised less"
                                          : "");
    variant->quick_us = quick;
    if (quick && !go_quick(c))
        return false;
    if (!run_passes(c, "optimise",
                    n > HUGE_CODE  ? GANG_PASSES_HUGE
                    : depth > DEEP ? GANG_PASSES_DEEP
                    : quick        ? GANG_PASSES_QUICK
                    : n > LARGE    ? GANG_PASSES_LARGE
                                   : GANG_PASSES))
        return false;
    proportion_cut(c->module, quick ? CUT_QUICK : CUT, !quick);
    return step_done(c, "cut");
}

static bool emit_object(struct compilation *c, struct jit_object *out)
{
    char *message = NULL;
    LLVMMemoryBufferRef buffer;
    if (dump_asked("asm")) {
        LLVMMemoryBufferRef text;
        if (!LLVMTargetMachineEmitToMemoryBuffer(c->machine, c->module, LLVMAssemblyFile, &message, &text)) {
            fwrite(LLVMGetBufferStart(text), 1, LLVMGetBufferSize(text), stderr);
            LLVMDisposeMemoryBuffer(text);
        }
    }
    if (LLVMTargetMachineEmitToMemoryBuffer(c->machine, c->module, LLVMObjectFile, &message, &buffer)) {
        diag_fail(c->d, DIAG_INTERNAL, "no code: %s", message);
        LLVMDisposeMessage(message);
        return false;
    }
    out->size = LLVMGetBufferSize(buffer);
    out->data = malloc(out->size);
    if (out->data)
        memcpy(out->data, LLVMGetBufferStart(buffer), out->size);
    LLVMDisposeMemoryBuffer(buffer);
    return out->data ? step_done(c, "object") : diag_lacks_memory(c->d);
}

static bool run_pipeline(struct compilation *c, const struct ptx_module *m, const struct ptx_func *kernel,
                         const struct jit_options *o, struct jit_object *out)
{
    struct translate_result t = {0};
    bool whole_warps = o->width ? o->width == 32 : !runs_alone(o);
    bool ok = translate_kernel(c->module, m, kernel, whole_warps, &t, c->d);
    c->debug = t.debug;
    if (!ok || !step_done(c, "translate"))
        return false;
    c->plan.width = choose_width(&t, o);
    memcpy(c->plan.block, o->block, sizeof c->plan.block);
    c->plan.checked = o->checked;
    c->plan.lines = c->debug;
    c->plan.debug = o->debug;
    c->plan.in_step = !o->debug;
    c->plan.args_bytes = kernel->param_bytes;
    c->plan.shared_static = t.shared_static;
    range_mark(&c->plan);
    if (!run_passes(c, "scalar", pass_a))
        return false;
    open_endless_loops(c->module);
    if (c->plan.width > 1 && !o->debug && guard_gather(&c->plan, t.kernel) &&
        !run_passes(c, "guards", "function(simplifycfg)"))
        return false;
    if (!o->debug && halving_mark(&c->plan, t.kernel) && !run_passes(c, "unroll", pass_unroll))
        return false;
    if (!o->debug && lines_mark(&c->plan, t.kernel)) {
        if (!run_passes(c, "lines", pass_lines))
            return false;
        lines_settle(&c->plan, t.kernel);
        if (!run_passes(c, "settle", pass_settle))
            return false;
    }
    bool compat = has_compat(o), lockstep = compat && t.volatile_shared;
    unsigned threads = o->block[0] * o->block[1] * o->block[2], yields = 0;
    if (compat && o->compat == JIT_COMPAT_EVERYWHERE)
        compat_yield_everywhere(t.kernel);
    else if (compat)
        yields = compat_insert_yields(t.kernel, o->block);
    if (yields)
        log_write(LOG_DEBUG, "%s: gangs give way at %u places, since it seems to count on the order of warps",
                  c->plan.kernel, yields);
    c->plan.lockstep = lockstep || (compat && threads > NARROW && lockstep_assumed(t.kernel, threads));
    if (!o->width && !lockstep && c->plan.lockstep) {
        lockstep = true;
        c->plan.width = c->plan.width < threads ? 32 : c->plan.width;
        log_write(LOG_DEBUG, "%s: one gang a warp, since its threads seem to count on lockstep", c->plan.kernel);
    }
    if (!o->debug && !t.cluster)
        collect_mark(&c->plan, t.kernel);
    if (!o->width && !o->debug)
        c->plan.width = width_of_kernel(t.kernel, c->plan.width, threads);
    if (!o->debug) {
        prefetch_mark(&c->plan, t.kernel);
        weave_mark(&c->plan, t.kernel);
        ahead_mark(&c->plan, t.kernel);
    }
    unsigned collectives = count_collectives(c->module);
    bool may_narrow = !o->width && !lockstep && collectives < MANY_COLLECTIVES && c->plan.width > NARROW;
    if (may_narrow && count_instructions(c->module) > SCALAR_LIMIT)
        c->plan.width = NARROW;
    if (!o->debug)
        local_interleave(&c->plan, t.kernel);
    if (!resume_split(&c->plan, t.kernel, c->d) || !step_done(c, "split"))
        return false;
    if (!structured_make(c->module, c->how, structure_passes, c, &c->unstructured, c->d))
        return false;
    c->plan.lean =
        o->quick == JIT_QUICK_ALWAYS || (o->quick == JIT_QUICK_LARGE && count_instructions(c->module) > LEAN_LIMIT);
    if (!vectorise_regions(&c->plan, c->d) || !step_done(c, "vectorise"))
        return false;
    // Collectives work at every width; only code that counts on lockstep must have its warp in one gang. But a gang that
    // is less than the warp stops at each collective, and with very many of them that is the larger code.
    if (may_narrow && c->plan.width > NARROW && count_instructions(c->module) > WIDE_LIMIT) {
        log_write(LOG_DEBUG, "%s: too large at width %u with %u collectives", c->plan.kernel, c->plan.width,
                  collectives);
        c->too_large = true;
        return false;
    }
    struct str entry = {0};
    str_append(&entry, kernel->name);
    str_append(&entry, JIT_ENTRY_SUFFIX);
    ok = block_emit(&c->plan, str_text(&entry), &out->variant, c->d);
    str_free(&entry);
    if (!ok || !step_done(c, "block"))
        return false;
    if (c->debug)
        debug_finish(&c->plan, m, c->debug);
    if (!optimise(c, o, &out->variant))
        return false;
    if (!o->debug)
        assemble_vectors(c->module);
    if (target_has_ternary_logic())
        bitselect_guard(c->module);
    absdiff_guard(c->module);
    if (!step_done(c, "guard"))
        return false;
    out->variant.width = c->plan.width;
    out->variant.shared_static = t.shared_static;
    out->variant.flush_denormals = t.flush_denormals;
    out->variant.cluster = t.cluster;
    out->variant.collects = c->plan.collects;
    memcpy(out->variant.block, o->block, sizeof out->variant.block);
    memcpy(out->variant.grid_max, c->plan.grid_max, sizeof out->variant.grid_max);
    out->variant.nassumed = c->plan.nassumed;
    memcpy(out->variant.assumed, c->plan.assumed, sizeof out->variant.assumed);
    return emit_object(c, out);
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
    struct compilation c = {.d = d, .how = how, .started = os_thread_ns()};
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
    bool ok = run_pipeline(&c, m, kernel, options, out) && !d->errors;
    *again = (struct again){c.too_large, c.unstructured};
    if (c.debug)
        LLVMDisposeDIBuilder(c.debug);
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
            now.width = again.too_large ? NARROW : now.width; // a width that is given is never too large
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
    pthread_once(&fatal_once, install_fatal);
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
