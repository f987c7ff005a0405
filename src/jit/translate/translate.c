// SPDX-License-Identifier: Apache-2.0
// The frame of the translation: which functions, their parameters and variables, blocks, guards, one instruction at a
// time. Registers are allocas that mem2reg removes later; the emitters are found through emit.def.
#include "jit/jit.h"
#include "base/str.h"
#include "jit/analysis/cfg.h"
#include "jit/host/target.h"
#include "jit/translate/emit.h"
#include <llvm-c/Analysis.h>
#include <string.h>

static const struct emitter {
    emit_fn *emit;
    value_fn *compute;           // in its place
    const char *types;           // of the destination and the operands
    number_fn *integer, *number; // in their place
    enum heddle_op pairs;
    unsigned n; // operands
} emitters[PTX_OP_COUNT] = {
#define EMIT(op, name)                         [PTX_OP_##op] = {.emit = tr_emit_##name},
#define VALUE(op, name, types)                 [PTX_OP_##op] = {NULL, tr_value_##name, types, NULL, NULL, OP_NONE, 0},
#define NUMBERS(op, n, integer, number, pairs) [PTX_OP_##op] = {NULL, NULL, NULL, integer, number, pairs, n},
#include "jit/translate/emit.def"
};

static enum ptx_type type_named(const struct ptx_insn *in, char name)
{
    return name == 't'   ? in->types[0]
           : name == 's' ? in->types[1]
           : name == 'u' ? PTX_TYPE_U32
           : name == 'f' ? PTX_TYPE_F32
           : name == 'l' ? PTX_TYPE_U64
                         : PTX_TYPE_PRED;
}

static enum ptx_type part_of(enum ptx_type ty)
{
    static const uint8_t of[PTX_TYPE_COUNT] = {[PTX_TYPE_F16X2] = PTX_TYPE_F16,
                                               [PTX_TYPE_BF16X2] = PTX_TYPE_BF16,
                                               [PTX_TYPE_F32X2] = PTX_TYPE_F32,
                                               [PTX_TYPE_U16X2] = PTX_TYPE_U16,
                                               [PTX_TYPE_S16X2] = PTX_TYPE_S16};
    return of[ty] ? of[ty] : ty;
}

// Source operand i of n. Mixed precision (add.f32.f16 and the like) has halves in all but the last one: they are widened here,
// which is exact.
static value number(struct translator *t, const struct ptx_insn *in, unsigned i, unsigned n, enum ptx_type result)
{
    enum ptx_type ty = in->ntypes > 1 && i + 1 < n ? in->types[1] : i == 2 ? result : in->types[0];
    value v = tr_get(t, &in->operands[1 + i], ty);
    return in->ntypes > 1 && i + 1 < n && ty != in->types[0] ? tr_half_get(t, v, ty) : v;
}

// Both parts at once, where the processor computes with halves.
static bool computes_pairs(const struct ptx_insn *in, const struct emitter *e)
{
    return e->pairs && in->types[0] == PTX_TYPE_F16X2 && target_computes_halves() && !MOD_OF(in, FTZ) &&
           !MOD_OF(in, SAT) && !MOD_OF(in, RELU) && !MOD_OF(in, OOBRELU);
}

static bool emit_numbers(struct translator *t, const struct ptx_insn *in, const struct emitter *e)
{
    enum ptx_type ty = in->types[0], part = part_of(ty);
    enum ptx_type result = MOD_OF(in, MUL) == PTX_MOD_WIDE ? ptx_type_doubled(ty) : ty;
    unsigned n = e->n ? e->n : in->noperands - 1, bits = tr_type_bits(part);
    number_fn *fn = tr_type_is_float(part) ? e->number : e->integer;
    value a[3], x[3], out[2];
    for (unsigned i = 0; i < n; i++)
        a[i] = number(t, in, i, n, result);
    if (computes_pairs(in, e))
        return tr_put(t, &in->operands[0], tr_op(t, e->pairs, a, n), ty);
    if (part == ty)
        return tr_put(t, &in->operands[0], fn(t, in, ty, a), result);
    for (unsigned half = 0; half < 2; half++) {
        for (unsigned i = 0; i < n; i++)
            x[i] = tr_split(t, a[i], half, bits, tr_type_of(t, part));
        out[half] = fn(t, in, part, x);
    }
    return tr_put(t, &in->operands[0], tr_join(t, out, 2, bits), ty);
}

static bool emit(struct translator *t, const struct ptx_insn *in)
{
    const struct emitter *e = &emitters[in->op];
    value a[8];
    if (e->emit)
        return e->emit(t, in);
    if (!e->compute)
        return emit_numbers(t, in, e);
    for (unsigned i = 1; e->types[i]; i++) {
        enum ptx_type ty = type_named(in, e->types[i]);
        a[i - 1] = ty == PTX_TYPE_PRED ? tr_get_pred(t, &in->operands[i]) : tr_get(t, &in->operands[i], ty);
    }
    return tr_put(t, &in->operands[0], e->compute(t, in, a), type_named(in, e->types[0]));
}

// Names in PTX have no dots: with one, no function of the program has the name of a function of C, for which LLVM would take it, of a
// builtin or of the dialect.
static value declare(struct translator *t, const struct reach_func *rf)
{
    const struct ptx_func *f = rf->f;
    struct str name = {0};
    str_printf(&name, IR_PREFIX "%s", f->name);
    LLVMTypeRef type =
        f->is_entry ? LLVMFunctionType(t->void_type, NULL, 0, false) : tr_call_signature(t, &f->proto, rf->may_exit);
    value fn = LLVMAddFunction(t->mod, str_text(&name), type);
    str_free(&name);
    ir_add_attribute(fn, "nounwind");
    if (!f->is_entry) {
        LLVMSetLinkage(fn, LLVMInternalLinkage);
        ir_add_attribute(fn, rf->is_call ? "noinline" : "alwaysinline");
    }
    map_put_ptr(&t->functions, f, fn);
    return fn;
}

static int reg_by_name(const struct ptx_func *f, const char *name)
{
    char buf[64];
    for (uint32_t i = 0; i < f->nregs; i++) {
        if (!strcmp(ptx_reg_name(f, i, buf), name))
            return (int)i;
    }
    return -1;
}

// Where a parameter or result of the function lives, or part k of it: its alloca, or the register of that name.
static value param_slot(struct translator *t, const struct ptx_var *v, unsigned k)
{
    if (v->space != PTX_SPACE_REG)
        return tr_var_alloca(t, v);
    int r = reg_by_name(t->f, v->name);
    return r < 0 ? tr_var_alloca(t, v) : t->regs[t->reg_at[r] + k];
}

// An aggregate is the caller's memory; a function that writes to it or takes its address works on a copy.
static bool needs_copy(const struct ptx_func *f, const struct ptx_var *v)
{
    for (uint32_t i = 0; i < f->ninsns; i++) {
        const struct ptx_insn *in = &f->insns[i];
        for (uint32_t k = 0; k < in->noperands; k++) {
            const struct ptx_operand *o = &in->operands[k];
            if (o->kind == PTX_OPERAND_VAR && o->var == v)
                return true;
            if (in->op != PTX_OP_LD && o->kind == PTX_OPERAND_ADDRESS && o->list[0].kind == PTX_OPERAND_VAR &&
                o->list[0].var == v)
                return true;
        }
    }
    return false;
}

static void copy_bytes(struct translator *t, value to, value from, uint64_t size)
{
    for (uint64_t at = 0; at < size;) {
        unsigned n = size - at >= 8 ? 8 : size - at >= 4 ? 4 : size - at >= 2 ? 2 : 1;
        value v = ir_load(t->b, tr_type_int(t, n * 8), tr_step(t, from, (int64_t)at), 1);
        ir_store(t->b, v, tr_step(t, to, (int64_t)at), 1);
        at += n;
    }
}

static void take_params(struct translator *t, bool may_exit)
{
    const struct ptx_proto *p = &t->f->proto;
    unsigned n = 0;
    if (may_exit)
        t->exit_flag = LLVMGetParam(t->fn, n++);
    if (!tr_call_returns_value(p)) {
        for (uint32_t i = 0; i < p->nrets; n += tr_call_parts(p->rets[i++]))
            map_put_ptr(&t->vars, p->rets[i], LLVMGetParam(t->fn, n));
    }
    for (uint32_t i = 0; i < p->nparams; i++) {
        const struct ptx_var *v = p->params[i];
        value arg = LLVMGetParam(t->fn, n++);
        if (!tr_call_by_pointer(v)) {
            LLVMBuildStore(t->b, arg, param_slot(t, v, 0));
            for (unsigned k = 1; k < tr_call_parts(v); k++)
                LLVMBuildStore(t->b, LLVMGetParam(t->fn, n++), param_slot(t, v, k));
        } else if (needs_copy(t->f, v))
            copy_bytes(t, tr_var_alloca(t, v), arg, v->size);
        else
            map_put_ptr(&t->vars, v, arg);
    }
}

static void make_registers(struct translator *t)
{
    uint32_t n = 0;
    t->reg_at = arena_array(&t->arena, uint32_t, t->f->nregs + 1);
    for (uint32_t i = 0; i < t->f->nregs; i++) {
        t->reg_at[i] = n;
        n += t->f->regs[i].width ? t->f->regs[i].width : 1;
    }
    t->regs = arena_array(&t->arena, value, n + 1);
    for (uint32_t i = 0; i < t->f->nregs; i++) {
        char buf[64];
        const char *name = ptx_reg_name(t->f, i, buf);
        uint32_t end = i + 1 < t->f->nregs ? t->reg_at[i + 1] : n;
        for (uint32_t k = t->reg_at[i]; k < end; k++)
            t->regs[k] = tr_alloca_at_entry(t, tr_type_of(t, t->f->regs[i].type), name + (*name == '%'));
    }
}

// A register that may be read before it is written holds anything, but one thing: LLVM lets what is undefined be another value wherever it
// is read, and a branch on it lead nowhere.
static void fill_registers(struct translator *t)
{
    struct cfg cfg;
    struct map first = {0}; // by register: the block, plus one, that writes it before others read it
    uintptr_t none = UINTPTR_MAX, entry = 1;
    uint32_t n = 0;
    cfg_build(&cfg, t->fn);
    LLVMPositionBuilderBefore(t->allocas, LLVMGetBasicBlockTerminator(LLVMGetEntryBasicBlock(t->fn)));
    for (uint32_t i = 0; i < t->f->nregs; i++)
        for (uint32_t k = t->f->regs[i].width ? t->f->regs[i].width : 1; k; k--)
            map_put_ptr(&first, t->regs[n++], (void *)none);
    for (unsigned i = 0; i < cfg.norder; i++)
        FOR_INSTRUCTIONS (cfg.blocks[cfg.order[i]].block, x) {
            bool store = LLVMIsAStoreInst(x);
            value reg = store || LLVMIsALoadInst(x) ? LLVMGetOperand(x, store) : NULL;
            uintptr_t by = reg ? (uintptr_t)map_get_ptr(&first, reg) : 0;
            if (by == none && store)
                map_put_ptr(&first, reg, (void *)(uintptr_t)(cfg.order[i] + 1));
            else if (by && !store && (by == none || !cfg_dominates(&cfg, (int)by - 1, cfg.order[i]))) {
                LLVMBuildStore(t->allocas, LLVMConstNull(LLVMTypeOf(x)), reg);
                map_put_ptr(&first, reg, (void *)entry);
            }
        }
    map_free(&first);
    cfg_fini(&cfg);
}

static void make_blocks(struct translator *t)
{
    t->blocks = arena_array(&t->arena, LLVMBasicBlockRef, t->f->ninsns + 1);
    for (uint32_t i = 0; i < t->f->nlabels; i++) {
        const struct ptx_label *l = &t->f->labels[i];
        if (!t->blocks[l->insn])
            t->blocks[l->insn] = tr_block_new(t, l->name + (*l->name == '$'));
    }
}

static bool emit_insn(struct translator *t, const struct ptx_insn *in)
{
    const char *lack = support_lack(in);
    if (lack)
        return support_refuse(t->f, in, lack, t->d);
    if (!in->guarded)
        return emit(t, in);
    struct ptx_operand guard = {
        .kind = PTX_OPERAND_REG, .reg = in->guard, .component = -1, .negated = in->guard_negated};
    LLVMBasicBlockRef then = tr_block_new(t, ""), after = tr_block_new(t, "");
    value holds = tr_get_pred(t, &guard);
    tr_count_way(t, in, holds);
    ir_branch(t->b, holds, then, after, then);
    tr_count_guard(t, in);
    bool ok = emit(t, in);
    if (!LLVMGetBasicBlockTerminator(LLVMGetInsertBlock(t->b)))
        LLVMBuildBr(t->b, after);
    LLVMPositionBuilderAtEnd(t->b, after);
    return ok;
}

static bool emit_body(struct translator *t)
{
    bool ok = true;
    for (uint32_t i = 0; i <= t->f->ninsns; i++) {
        bool ended = LLVMGetBasicBlockTerminator(LLVMGetInsertBlock(t->b)) != NULL;
        LLVMBasicBlockRef next = i == t->f->ninsns && !t->blocks[i] ? t->ret_block : t->blocks[i];
        if (next) {
            if (!ended)
                LLVMBuildBr(t->b, next);
            LLVMPositionBuilderAtEnd(t->b, next);
        } else if (ended) {
            LLVMPositionBuilderAtEnd(t->b, tr_block_new(t, "dead"));
        }
        if (i == t->f->ninsns)
            break;
        t->in = &t->f->insns[i];
        tr_source_set(t, &t->in->source);
        tr_count_block(t, i);
        ok &= emit_insn(t, t->in);
    }
    t->in = NULL;
    if (t->blocks[t->f->ninsns])
        LLVMBuildBr(t->b, t->ret_block);
    return ok;
}

// One of several results that is a register goes to the caller's memory; one that is a variable is that memory.
static void return_registers(struct translator *t, const struct ptx_proto *p)
{
    unsigned n = t->exit_flag != NULL;
    for (uint32_t i = 0; i < p->nrets; i++)
        for (unsigned k = 0; k < tr_call_parts(p->rets[i]); k++, n++) {
            value to = LLVMGetParam(t->fn, n), from = param_slot(t, p->rets[i], k);
            if (from != to)
                LLVMBuildStore(t->b, LLVMBuildLoad2(t->b, tr_type_of(t, p->rets[i]->type), from, ""), to);
        }
}

static void emit_return(struct translator *t)
{
    const struct ptx_proto *p = &t->f->proto;
    LLVMPositionBuilderAtEnd(t->b, t->ret_block);
    tr_stack_leave(t);
    if (t->f->is_entry)
        tr_count_exit(t);
    if (t->f->is_entry || !tr_call_returns_value(p)) {
        if (!t->f->is_entry)
            return_registers(t, p);
        LLVMBuildRetVoid(t->b);
        return;
    }
    LLVMTypeRef type = tr_type_of(t, p->rets[0]->type);
    LLVMBuildRet(t->b, LLVMBuildLoad2(t->b, type, param_slot(t, p->rets[0], 0), ""));
}

static bool translate_function(struct translator *t, const struct reach_func *rf)
{
    t->f = rf->f;
    t->fn = map_get_ptr(&t->functions, rf->f);
    t->in = NULL;
    t->exit_flag = NULL;
    t->carry = t->matrix = NULL;
    t->vars = (struct map){0};
    LLVMBasicBlockRef entry = tr_block_new(t, "entry"), body = tr_block_new(t, "body");
    LLVMPositionBuilderAtEnd(t->allocas, entry);
    LLVMPositionBuilderAtEnd(t->b, body);
    t->ret_block = tr_block_new(t, "return");
    tr_source_function(t);
    make_registers(t);
    make_blocks(t);
    if (!rf->f->is_entry) {
        take_params(t, rf->may_exit);
    } else if (rf->may_exit) {
        t->exit_flag = tr_alloca_at_entry(t, t->i8, "ended");
        LLVMBuildStore(t->b, tr_const_int(t->i8, 0), t->exit_flag);
    }
    tr_source_locals(t);
    tr_stack_enter(t);
    tr_count_enter(t);
    bool ok = emit_body(t);
    emit_return(t);
    LLVMBuildBr(t->allocas, body);
    if (ok)
        fill_registers(t);
    map_free(&t->vars);
    t->f = NULL;
    return ok;
}

static void init_types(struct translator *t)
{
    IR_SET_TYPES(t, t->cx);
    t->i128 = LLVMInt128TypeInContext(t->cx);
    t->half = LLVMHalfTypeInContext(t->cx);
    t->f64 = LLVMDoubleTypeInContext(t->cx);
}

static bool verify(struct translator *t)
{
    char *message = NULL;
    bool bad = LLVMVerifyModule(t->mod, LLVMReturnStatusAction, &message);
    if (bad)
        diag_error(t->d, 0, 0, "translation made invalid code: %s", message);
    LLVMDisposeMessage(message);
    return !bad;
}

bool translate_kernel(LLVMModuleRef module, const struct ptx_module *m, const struct ptx_func *kernel, unsigned how,
                      struct translate_result *out, struct diag *d)
{
    struct reach r;
    struct count_plan counts = {0};
    reach_init(&r, m, kernel);
    if (how & TRANSLATE_COUNTS)
        count_plan_make(&counts, &r);
    struct translator t = {.mod = module,
                           .cx = LLVMGetModuleContext(module),
                           .m = m,
                           .reach = &r,
                           .counts = how & TRANSLATE_COUNTS ? &counts : NULL,
                           .whole_warps = how & TRANSLATE_WHOLE_WARPS,
                           .out = out,
                           .d = d};
    arena_init(&t.arena);
    init_types(&t);
    t.b = LLVMCreateBuilderInContext(t.cx);
    t.allocas = LLVMCreateBuilderInContext(t.cx);
    *out = (struct translate_result){.shared_static = r.shared_static,
                                     .shared_align = r.shared_align,
                                     .warp_collectives = r.warp_collectives,
                                     .volatile_shared = r.volatile_shared,
                                     .flush_denormals = r.flush_denormals,
                                     .cluster = r.cluster,
                                     .checked = how & TRANSLATE_CHECKED,
                                     .instructions = r.instructions};
    bool ok = true;
    for (uint32_t i = 0; i < kernel->proto.nparams; i++)
        map_put_ptr(&t.kernel_params, kernel->proto.params[i], kernel->proto.params[i]);
    tr_source_begin(&t);
    out->debug = t.debug;
    if (!(how & (TRANSLATE_COUNTS | TRANSLATE_CHECKED)))
        reach_call_waiting(&r);
    if (r.copied > REACH_COPIED_LIMIT)
        ok = diag_unsupported(
            d, kernel->loc.line, kernel->loc.column,
            "kernel '%s' with copies of functions that wait at all their calls: more than %d instructions",
            kernel->name, REACH_COPIED_LIMIT);
    // Callers first: LLVM inlines a function into all its callers when it comes to it. So each copy is the last one, where the other
    // order copies copies, more than in proportion to the depth of the calls.
    for (size_t i = 0; i < r.callers_first.len; i++)
        declare(&t, &r.funcs.data[r.callers_first.data[i]]);
    for (size_t i = 0; ok && i < r.funcs.len; i++)
        ok &= translate_function(&t, &r.funcs.data[i]);
    out->kernel = map_get_ptr(&t.functions, kernel);
    map_free(&t.kernel_params);
    ok = ok && d->errors == 0 && tr_builtins_link(&t) && verify(&t);
    LLVMDisposeBuilder(t.b);
    LLVMDisposeBuilder(t.allocas);
    tr_source_end(&t);
    map_free(&t.functions);
    map_free(&t.builtins);
    arena_fini(&t.arena);
    count_plan_free(&counts);
    reach_fini(&r);
    return ok;
}

bool pass_translate(struct compilation *c)
{
    const struct jit_options *o = c->options;
    bool whole_warps = o->width ? o->width == 32 : !jit_runs_alone(o);
    unsigned how = (whole_warps ? TRANSLATE_WHOLE_WARPS : 0) | (o->check & JIT_COUNT ? TRANSLATE_COUNTS : 0) |
                   (o->check & JIT_CHECK_ANY ? TRANSLATE_CHECKED : 0);
    return translate_kernel(c->module, c->ptx, c->kernel, how, &c->t, c->d);
}
