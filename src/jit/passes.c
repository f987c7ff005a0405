// SPDX-License-Identifier: Apache-2.0
// The rows of pass.def: what each hands to the room that does the work, and when it runs.
#include "base/env.h"
#include "jit/ir/dialect.h"
#include "jit/ir/tuning.h"
#include "base/log.h"
#include "base/str.h"
#include "jit/block/block.h"
#include "jit/compat/compat.h"
#include "jit/compat/lockstep.h"
#include "jit/debug/debug.h"
#include "jit/gang/vectorise.h"
#include "jit/host/absdiff.h"
#include "jit/host/float_select.h"
#include "jit/host/assemble.h"
#include "jit/host/bitselect.h"
#include "jit/host/proportion.h"
#include "jit/host/target.h"
#include "jit/host/width.h"
#include "jit/ir/ir.h"
#include "jit/lower/endless.h"
#include "jit/opt/opt.h"
#include "jit/pass.h"
#include "jit/resume/resume.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// When passes run

static bool runs_alone(const struct jit_options *o)
{
    return o->debug || o->block[0] * o->block[1] * o->block[2] == 1;
}

// Of a name with a point, the part before it asks for it too.
bool pass_dump_asked(const char *name)
{
    const char *list = env_get("HEDDLE_DUMP");
    char group[64];
    snprintf(group, sizeof group, "%.*s", (int)strcspn(name, "."), name);
    return str_list_has(list, name) || str_list_has(list, group) || str_list_has(list, "all");
}

unsigned pass_count_instructions(LLVMModuleRef m)
{
    unsigned n = 0;
    for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f))
        FOR_FUNCTION (f, i)
            n++;
    return n;
}

bool when_always(const struct compilation *c)
{
    (void)c;
    return true;
}

bool when_optimised(const struct compilation *c)
{
    return !c->options->debug;
}

bool when_debugged(const struct compilation *c)
{
    return c->options->debug;
}

bool when_vector(const struct compilation *c)
{
    return c->plan.width > 1 && !c->options->debug;
}

bool when_marked(const struct compilation *c)
{
    return c->marked;
}

// Width 1 is the plain schedule (compat/compat.h).
bool when_compat(const struct compilation *c)
{
    return c->options->compat && c->options->width != 1 && !runs_alone(c->options);
}

// Blocks of a cluster reach each other's shared memory.
bool when_private_blocks(const struct compilation *c)
{
    return !c->options->debug && !c->t.cluster;
}

bool when_free_width(const struct compilation *c)
{
    return !c->options->width && !c->options->debug;
}

bool when_rebuilt(const struct compilation *c)
{
    return c->rebuilt;
}

bool when_llvm_structures(const struct compilation *c)
{
    return c->how == STRUCTURED_LLVM;
}

bool when_dispatch_structures(const struct compilation *c)
{
    return c->how == STRUCTURED_DISPATCH;
}

bool when_has_lines(const struct compilation *c)
{
    return c->t.debug;
}

bool when_code_huge(const struct compilation *c)
{
    return !c->options->debug && c->size == CODE_HUGE;
}

bool when_code_deep(const struct compilation *c)
{
    return !c->options->debug && c->size == CODE_DEEP;
}

bool when_code_quick(const struct compilation *c)
{
    return !c->options->debug && c->size == CODE_QUICK;
}

bool when_code_large(const struct compilation *c)
{
    return !c->options->debug && c->size == CODE_LARGE;
}

bool when_code_usual(const struct compilation *c)
{
    return !c->options->debug && c->size == CODE_USUAL;
}

bool when_ternary_logic(const struct compilation *c)
{
    (void)c;
    return target_has_ternary_logic();
}

// The passes, in the order of the table

static unsigned block_threads(const struct compilation *c)
{
    const unsigned *b = c->options->block;
    return b[0] * b[1] * b[2];
}

bool pass_translate(struct compilation *c)
{
    const struct jit_options *o = c->options;
    bool whole_warps = o->width ? o->width == 32 : !runs_alone(o);
    return translate_kernel(c->module, c->ptx, c->kernel, whole_warps, &c->t, c->d);
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
    return t->instructions > 1500 && w > PASS_NARROW ? PASS_NARROW : w;
}

bool pass_plan(struct compilation *c)
{
    const struct jit_options *o = c->options;
    c->plan.width = choose_width(&c->t, o);
    memcpy(c->plan.block, o->block, sizeof c->plan.block);
    c->plan.checked = o->checked;
    c->plan.lines = c->t.debug;
    c->plan.debug = o->debug;
    c->plan.in_step = !o->debug;
    c->plan.args_bytes = c->kernel->param_bytes;
    c->plan.shared_static = c->t.shared_static;
    return true;
}

bool pass_range(struct compilation *c)
{
    range_mark(&c->plan);
    return true;
}

// Every block leads to the return, also after LLVM has found out what conditions are.
bool pass_endless(struct compilation *c)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f))
            endless_open(f);
    return true;
}

bool pass_merge_guards(struct compilation *c)
{
    c->marked = guard_gather(&c->plan, c->t.kernel);
    return true;
}

bool pass_unroll_halving(struct compilation *c)
{
    c->marked = halving_mark(&c->plan, c->t.kernel);
    return true;
}

bool pass_unroll_lines(struct compilation *c)
{
    c->marked = lines_mark(&c->plan, c->t.kernel);
    return true;
}

bool pass_lines_settle(struct compilation *c)
{
    lines_settle(&c->plan, c->t.kernel);
    return true;
}

bool pass_yields(struct compilation *c)
{
    if (c->options->compat == JIT_COMPAT_EVERYWHERE) {
        compat_yield_everywhere(c->t.kernel);
        return true;
    }
    unsigned yields = compat_insert_yields(c->t.kernel, c->options->block);
    if (yields)
        log_write(LOG_DEBUG, "%s: gangs give way at %u places, since it seems to count on the order of warps",
                  c->plan.kernel, yields);
    return true;
}

bool pass_lockstep(struct compilation *c)
{
    unsigned threads = block_threads(c);
    c->lockstep = c->t.volatile_shared;
    c->plan.lockstep = c->lockstep || (threads > PASS_NARROW && lockstep_assumed(c->t.kernel, threads));
    if (!c->options->width && !c->lockstep && c->plan.lockstep) {
        c->lockstep = true;
        c->plan.width = c->plan.width < threads ? 32 : c->plan.width;
        log_write(LOG_DEBUG, "%s: one gang a warp, since its threads seem to count on lockstep", c->plan.kernel);
    }
    return true;
}

bool pass_privatise(struct compilation *c)
{
    collect_mark(&c->plan, c->t.kernel);
    return true;
}

bool pass_width(struct compilation *c)
{
    c->plan.width = width_of_kernel(c->t.kernel, c->plan.width, block_threads(c));
    return true;
}

bool pass_prefetch(struct compilation *c)
{
    prefetch_mark(&c->plan, c->t.kernel);
    return true;
}

bool pass_interleave_gangs(struct compilation *c)
{
    weave_mark(&c->plan, c->t.kernel);
    return true;
}

bool pass_prefetch_block(struct compilation *c)
{
    ahead_mark(&c->plan, c->t.kernel);
    return true;
}

static unsigned count_collectives(LLVMModuleRef m)
{
    unsigned n = 0;
    for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f)) {
        enum heddle_op op = op_of_function(f);
        bool matrix = op == OP_RT_MATRIX; // a hundred shuffles and more where the gang is no warp
        bool counts = matrix || (op_rows[op].kinds & IS_EXCHANGE);
        for (LLVMUseRef u = counts ? LLVMGetFirstUse(f) : NULL; u; u = LLVMGetNextUse(u))
            n += matrix ? TUNE_MANY_COLLECTIVES : 1;
    }
    return n;
}

bool pass_narrow(struct compilation *c)
{
    c->collectives = count_collectives(c->module);
    c->may_narrow =
        !c->options->width && !c->lockstep && c->collectives < TUNE_MANY_COLLECTIVES && c->plan.width > PASS_NARROW;
    if (c->may_narrow && pass_count_instructions(c->module) > TUNE_SCALAR_LIMIT)
        c->plan.width = PASS_NARROW;
    return true;
}

bool pass_interleave_locals(struct compilation *c)
{
    local_interleave(&c->plan, c->t.kernel);
    return true;
}

bool pass_split(struct compilation *c)
{
    return resume_split(&c->plan, c->t.kernel, c->d);
}

bool pass_reduce(struct compilation *c)
{
    c->rebuilt = structured_reduce(c->module, c->how);
    return true;
}

bool pass_hoist(struct compilation *c)
{
    structured_hoist(c->module);
    return true;
}

bool pass_structured(struct compilation *c)
{
    return structured_check(c->module, c->how, &c->unstructured, c->d);
}

bool pass_vectorise(struct compilation *c)
{
    enum jit_quick quick = c->options->quick;
    c->plan.lean =
        quick == JIT_QUICK_ALWAYS || (quick == JIT_QUICK_LARGE && pass_count_instructions(c->module) > TUNE_LEAN_LIMIT);
    return vectorise_regions(&c->plan, c->d);
}

// Collectives work at every width; only code that counts on lockstep must have its warp in one gang. But a gang that
// is less than the warp stops at each collective, and with very many of them that is the larger code.
bool pass_fits(struct compilation *c)
{
    if (!c->may_narrow || c->plan.width <= PASS_NARROW || pass_count_instructions(c->module) <= TUNE_WIDE_LIMIT)
        return true;
    log_write(LOG_DEBUG, "%s: too large at width %u with %u collectives", c->plan.kernel, c->plan.width,
              c->collectives);
    c->too_large = true;
    return false;
}

bool pass_block(struct compilation *c)
{
    struct str entry = {0};
    str_append(&entry, c->kernel->name);
    str_append(&entry, JIT_ENTRY_SUFFIX);
    bool ok = block_emit(&c->plan, str_text(&entry), &c->out->variant, c->d);
    str_free(&entry);
    return ok;
}

bool pass_debug(struct compilation *c)
{
    debug_finish(&c->plan, c->ptx, c->t.debug);
    return true;
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

bool pass_measure(struct compilation *c)
{
    enum jit_quick wanted = c->options->quick;
    unsigned n = pass_count_instructions(c->module), depth = n > TUNE_DEEP_SIZE ? proportion_depth(c->module) : 0;
    c->quick = wanted == JIT_QUICK_ALWAYS || c->plan.lean || (wanted == JIT_QUICK_LARGE && n > TUNE_QUICK_LIMIT);
    c->size = n > TUNE_HUGE_CODE       ? CODE_HUGE
              : depth > TUNE_DEEP_CODE ? CODE_DEEP
              : c->quick               ? CODE_QUICK
              : n > TUNE_LARGE_CODE    ? CODE_LARGE
                                       : CODE_USUAL;
    log_write(LOG_DEBUG, "%s: %u instructions of gang code, depth %u%s", c->plan.kernel, n, depth,
              c->quick                                        ? ", quick code first"
              : n > TUNE_LARGE_CODE || depth > TUNE_DEEP_CODE ? ", optimised less"
                                                              : "");
    c->out->variant.quick_us = c->quick;
    return !c->quick || go_quick(c);
}

bool pass_cut(struct compilation *c)
{
    proportion_cut(c->module, c->quick ? TUNE_CUT_QUICK : TUNE_CUT_CODE, !c->quick);
    return true;
}

bool pass_assemble(struct compilation *c)
{
    assemble_vectors(c->module);
    return true;
}

bool pass_guard(struct compilation *c)
{
    bitselect_guard(c->module);
    return true;
}

bool pass_absdiff(struct compilation *c)
{
    absdiff_guard(c->module);
    return true;
}

bool pass_float_select(struct compilation *c)
{
    float_select_guard(c->module);
    return true;
}

static void fill_variant(const struct compilation *c, struct jit_variant *v)
{
    v->width = c->plan.width;
    v->shared_static = c->t.shared_static;
    v->flush_denormals = c->t.flush_denormals;
    v->cluster = c->t.cluster;
    v->collects = c->plan.collects;
    memcpy(v->block, c->options->block, sizeof v->block);
    memcpy(v->grid_max, c->plan.grid_max, sizeof v->grid_max);
    v->nassumed = c->plan.nassumed;
    memcpy(v->assumed, c->plan.assumed, sizeof v->assumed);
}

bool pass_object(struct compilation *c)
{
    struct jit_object *out = c->out;
    char *message = NULL;
    LLVMMemoryBufferRef buffer;
    fill_variant(c, &out->variant);
    if (pass_dump_asked("asm")) {
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
    return out->data ? true : diag_lacks_memory(c->d);
}
