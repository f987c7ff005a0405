// SPDX-License-Identifier: Apache-2.0
// The passes that choose: a width, and how much of LLVM the code gets.
#include "base/log.h"
#include "jit/abi/state.h"
#include "jit/host/proportion.h"
#include "jit/host/target.h"
#include "jit/ir/machine.h"
#include "jit/ir/pass.h"
#include "jit/jit.h"
#include <limits.h>
#include <string.h>

// Warp collectives and warp-synchronous code need the whole warp in one gang; large functions go narrower, since the
// time of code generation grows with the square of the width.
static unsigned choose_width(const struct translate_result *t, const struct jit_options *o)
{
    if (o->width)
        return o->width;
    if (jit_runs_alone(o))
        return 1;
    if (o->check) // errors are told for a warp, as on a GPU
        return 32;
    if (t->warp_collectives || (o->compat && t->volatile_shared))
        return 32;
    unsigned w = target_natural_width();
    return t->instructions > TUNE_PTX_LIMIT && w > PASS_NARROW ? PASS_NARROW : w;
}

bool pass_plan(struct compilation *c)
{
    const struct jit_options *o = c->options;
    c->plan.width = choose_width(&c->t, o);
    memcpy(c->plan.block, o->block, sizeof c->plan.block);
    c->plan.checked = o->checked;
    c->plan.lines = c->t.debug;
    c->plan.inits = o->check & JIT_CHECK_INIT;
    c->plan.races = o->check & JIT_CHECK_RACE;
    c->plan.debug = o->debug;
    c->plan.in_step = !o->debug;
    c->plan.descending = o->descending;
    c->plan.eager = o->compat == JIT_COMPAT_BLOCKS;
    c->plan.debugger = o->stacks && c->plan.width == 1;
    c->plan.stacks = c->plan.debugger || c->fibres;
    c->plan.args_bytes = c->kernel->param_bytes;
    c->plan.shared_static = c->t.shared_static;
    return true;
}

static unsigned count_collectives(LLVMModuleRef m)
{
    unsigned n = 0;
    FOR_MODULE (m, f) {
        enum heddle_op op = op_of_function(f);
        bool matrix = op == OP_RT_MATRIX; // ten shuffles for each lane where the gang is no warp
        bool counts = matrix || (op_rows[op].kinds & IS_EXCHANGE);
        for (LLVMUseRef u = counts ? LLVMGetFirstUse(f) : NULL; u; u = LLVMGetNextUse(u))
            n += matrix ? TUNE_MANY_COLLECTIVES : 1;
    }
    return n;
}

bool pass_narrow(struct compilation *c)
{
    c->collectives = count_collectives(c->module);
    unsigned size = ir_module_size(c->module);
    c->dense = c->collectives * TUNE_COLLECTIVE_WORK >= size;
    c->may_narrow = (!c->options->width || c->narrowed) && c->collectives < TUNE_MANY_COLLECTIVES && c->plan.width > 1;
    if (c->may_narrow && c->plan.width > PASS_NARROW && !c->plan.lockstep && !c->dense && size > TUNE_SCALAR_LIMIT)
        c->plan.width = PASS_NARROW;
    return true;
}

// Instructions, each as often as its vector fills this many bytes.
static unsigned vector_work(const struct compilation *c, uint64_t bytes)
{
    uint64_t n = 0;
    FOR_MODULE (c->module, f)
        FOR_FUNCTION (f, x) {
            LLVMTypeRef t = LLVMTypeOf(LLVMIsAStoreInst(x) ? LLVMGetOperand(x, 0) : x);
            uint64_t size = LLVMGetTypeKind(t) == LLVMVectorTypeKind ? LLVMABISizeOfType(c->plan.layout, t) : 0;
            n += size > bytes ? (size + bytes - 1) / bytes : 1;
        }
    return n < UINT_MAX ? (unsigned)n : UINT_MAX;
}

// Whether at this width the code is more than LLVM handles in reasonable time. A gang that is less than the warp stops at each collective,
// which with many of them is slow, and does not keep lockstep: such kernels are narrowed at another limit, where the time of the code
// generator counts, which goes by registers. Lockstep is a courtesy to programs with data races (compat/), with a budget as any.
// The same limit holds where the warp's gang stays whole: code for some lanes is left out, and a narrower one has it.
static bool is_too_large(struct compilation *c)
{
    bool whole = c->collectives && c->plan.width == RESUME_WARP_LANES && plan_gangs_whole(&c->plan);
    if (!c->dense && !c->plan.lockstep && !whole)
        return ir_module_size(c->module) > TUNE_WIDE_LIMIT;
    // As AVX-512 has them: 32 lanes of 4 bytes are one pair.
    unsigned work = vector_work(c, 2 * machine_figure(FIGURE_VECTOR_BYTES));
    log_write(LOG_DEBUG, "%s: %u pairs of registers at width %u", c->plan.kernel, work, c->plan.width);
    return work > TUNE_HUGE_WORK;
}

// Whether a gang has more to do than its threads would one after the other: the code is mostly what each lane does alone, and so much of
// it that to compile it takes seconds.
static bool is_hopeless(struct compilation *c)
{
    unsigned size = ir_module_size(c->module);
    return size > TUNE_HUGE_CODE && size / c->plan.width > c->region_size;
}

bool pass_fits(struct compilation *c)
{
    if (!c->may_narrow || !(c->plan.width > PASS_NARROW ? is_too_large(c) : is_hopeless(c)))
        return true;
    log_write(LOG_DEBUG, "%s: too large at width %u with %u collectives", c->plan.kernel, c->plan.width,
              c->collectives);
    c->too_large = true;
    return false;
}

// Quick code's machine takes the first instructions that do and keeps values in memory.
static bool go_quick(struct compilation *c)
{
    LLVMTargetMachineRef quick = target_machine_create(false, c->d);
    if (!quick)
        return c->quick = false;
    target_machine_release(c->machine, true);
    c->machine = quick;
    return true;
}

bool pass_measure(struct compilation *c)
{
    enum jit_quick wanted = c->options->quick;
    unsigned n = ir_module_size(c->module), depth = n > TUNE_DEEP_SIZE ? proportion_depth(c->module) : 0;
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
