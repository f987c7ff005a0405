// SPDX-License-Identifier: Apache-2.0
// Calls between functions: direct, indirect, and those that the engine answers (vprintf, malloc, free, assertions, the
// runtime interface in kernels).
#include "jit/translate/emit.h"
#include "jit/translate/reach/device_call.h"
#include <string.h>

bool tr_call_by_pointer(const struct ptx_var *v)
{
    return v->space == PTX_SPACE_PARAM && v->size != ptx_type_bytes(v->type);
}

unsigned tr_call_parts(const struct ptx_var *v)
{
    return v->space == PTX_SPACE_REG && v->vec > 1 ? v->vec : 1;
}

bool tr_call_returns_value(const struct ptx_proto *p)
{
    return p->nrets == 1 && !tr_call_by_pointer(p->rets[0]) && tr_call_parts(p->rets[0]) == 1;
}

static unsigned count_parts(const struct ptx_proto *p)
{
    unsigned n = 0;
    for (uint32_t i = 0; i < p->nrets; i++)
        n += tr_call_parts(p->rets[i]);
    for (uint32_t i = 0; i < p->nparams; i++)
        n += tr_call_parts(p->params[i]);
    return n;
}

// Part k of what a call hands over or gets for v.
static struct ptx_operand operand_part(const struct ptx_operand *o, const struct ptx_var *v, unsigned k)
{
    struct ptx_operand part = *o;
    if (tr_call_parts(v) > 1 && o->kind == PTX_OPERAND_LIST && k < o->nlist)
        part = o->list[k];
    else if (tr_call_parts(v) > 1)
        part.component = (int8_t)k;
    return part;
}

LLVMTypeRef tr_call_signature(struct translator *t, const struct ptx_proto *p, bool may_exit)
{
    unsigned n = 0;
    LLVMTypeRef *types = arena_array(&t->arena, LLVMTypeRef, count_parts(p) + 1);
    bool direct = tr_call_returns_value(p);
    if (may_exit)
        types[n++] = t->ptr;
    for (uint32_t i = 0; !direct && i < p->nrets; i++)
        for (unsigned k = 0; k < tr_call_parts(p->rets[i]); k++)
            types[n++] = t->ptr;
    for (uint32_t i = 0; i < p->nparams; i++)
        for (unsigned k = 0; k < tr_call_parts(p->params[i]); k++)
            types[n++] = tr_call_by_pointer(p->params[i]) ? t->ptr : tr_type_of(t, p->params[i]->type);
    return LLVMFunctionType(direct ? tr_type_of(t, p->rets[0]->type) : t->void_type, types, n, false);
}

// The value of one argument in the form that parameter v takes it.
static value argument(struct translator *t, const struct ptx_operand *o, const struct ptx_var *v)
{
    if (o->kind != PTX_OPERAND_VAR && tr_call_by_pointer(v)) {
        tr_fail(t, "argument for '%s' must be a variable", v->name ? v->name : "?");
        return LLVMGetUndef(t->ptr);
    }
    if (o->kind != PTX_OPERAND_VAR)
        return tr_get(t, o, v->type);
    value a = tr_var_alloca(t, o->var);
    if (tr_call_by_pointer(v))
        return a;
    LLVMTypeRef own = LLVMGetAllocatedType(a);
    bool array = LLVMGetTypeKind(own) == LLVMArrayTypeKind;
    value x = LLVMBuildLoad2(t->b, array ? tr_type_of(t, v->type) : own, a, "");
    return tr_bits_resize(t, x, tr_type_of(t, v->type), false);
}

static void result(struct translator *t, const struct ptx_operand *o, enum ptx_type ty, value x)
{
    if (o->kind == PTX_OPERAND_VAR) {
        value a = tr_var_alloca(t, o->var);
        LLVMTypeRef own = LLVMGetAllocatedType(a);
        bool array = LLVMGetTypeKind(own) == LLVMArrayTypeKind;
        LLVMBuildStore(t->b, array ? x : tr_bits_resize(t, x, own, false), a);
    } else {
        tr_put(t, o, x, ty);
    }
}

static uint32_t count(const struct ptx_operand *o)
{
    return o->kind == PTX_OPERAND_LIST ? o->nlist : 0;
}

static bool check_counts(struct translator *t, const struct ptx_insn *in, const struct ptx_proto *p)
{
    if (count(&in->operands[0]) > p->nrets || count(&in->operands[2]) != p->nparams)
        return tr_fail(t, "call of '%s' does not match its parameters", p->name ? p->name : "?");
    return true;
}

// One direct call. Results go where the call says; a thread that ended inside goes on to the exit.
static bool call_function(struct translator *t, const struct ptx_insn *in, const struct ptx_func *f)
{
    const struct ptx_proto *p = &f->proto;
    const struct reach_func *rf = reach_find(t->reach, f);
    value *args = arena_array(&t->arena, value, count_parts(p) + 1);
    const struct ptx_operand *rets = &in->operands[0];
    unsigned n = 0;
    if (!check_counts(t, in, p))
        return false;
    if (rf->may_exit)
        args[n++] = t->exit_flag;
    unsigned first = n;
    for (uint32_t i = 0; !tr_call_returns_value(p) && i < p->nrets; i++) {
        bool given = i < count(rets) && rets->list[i].kind == PTX_OPERAND_VAR;
        for (unsigned k = 0; k < tr_call_parts(p->rets[i]); k++)
            args[n++] = given ? tr_var_alloca(t, rets->list[i].var) : tr_new_alloca(t, p->rets[i]);
    }
    for (uint32_t i = 0; i < p->nparams; i++)
        for (unsigned k = 0; k < tr_call_parts(p->params[i]); k++) {
            struct ptx_operand part = operand_part(&in->operands[2].list[i], p->params[i], k);
            args[n++] = argument(t, &part, p->params[i]);
        }
    value fn = map_get_ptr(&t->functions, rf->f);
    value x = LLVMBuildCall2(t->b, LLVMGlobalGetValueType(fn), fn, args, n, "");
    if (tr_call_returns_value(p) && count(rets))
        result(t, &rets->list[0], p->rets[0]->type, x);
    for (uint32_t i = 0; !tr_call_returns_value(p) && i < count(rets); i++) {
        enum ptx_type ty = p->rets[i]->type;
        for (unsigned k = 0; k < tr_call_parts(p->rets[i]); k++, first++) {
            struct ptx_operand part = operand_part(&rets->list[i], p->rets[i], k);
            if (part.kind != PTX_OPERAND_VAR)
                tr_put(t, &part, LLVMBuildLoad2(t->b, tr_type_of(t, ty), args[first], ""), ty);
        }
    }
    if (rf->may_exit) {
        LLVMBasicBlockRef go_on = tr_block_new(t, "");
        value ended = LLVMBuildLoad2(t->b, t->i8, t->exit_flag, "");
        ir_branch(t->b, LLVMBuildICmp(t->b, LLVMIntNE, ended, tr_const_int(t->i8, 0), ""), t->ret_block, go_on, go_on);
    }
    return true;
}

static LLVMTypeRef hook_type(struct translator *t, char c)
{
    return c == 'v' ? t->void_type : c == 'w' ? t->i32 : c == 'l' ? t->i64 : t->ptr;
}

// A parameter of 32 bits (w) or 64.
static struct ptx_var word(char type)
{
    enum ptx_type ty = type == 'w' ? PTX_TYPE_B32 : PTX_TYPE_B64;
    return (struct ptx_var){.space = PTX_SPACE_PARAM, .type = ty, .size = ptx_type_bytes(ty)};
}

static bool call_engine(struct translator *t, const struct ptx_insn *in, const struct engine_call *e)
{
    value args[8];
    unsigned n = (unsigned)strlen(e->args);
    if (count(&in->operands[2]) != n)
        return tr_fail(t, "call of '%s' does not match its parameters", e->name);
    for (unsigned i = 0; i < n; i++) {
        struct ptx_var v = word(e->args[i]);
        args[i] = argument(t, &in->operands[2].list[i], &v);
        if (e->args[i] == 'p')
            args[i] = LLVMBuildIntToPtr(t->b, args[i], t->ptr, "");
    }
    value x = tr_hook(t, hook_type(t, e->ret), e->hook, args, n);
    if (e->ret != 'v' && count(&in->operands[0]))
        result(t, &in->operands[0].list[0], word(e->ret).type, x);
    if (e->ends)
        tr_branch_to_exit(t);
    return true;
}

// A call of the runtime interface: the arguments go to memory, one word each.
static value device_arguments(struct translator *t, const struct ptx_insn *in, const char *types)
{
    unsigned n = (unsigned)strlen(types);
    value words = tr_alloca_at_entry(t, LLVMArrayType2(t->i64, n ? n : 1), "device_args");
    for (unsigned i = 0; i < n; i++) {
        const struct ptx_operand *o = &in->operands[2].list[i];
        struct ptx_var v = word(types[i]);
        value x, at = tr_const_i64(t, i);
        if (types[i] != 's')
            x = tr_bits_resize(t, argument(t, o, &v), t->i64, false);
        else if (o->kind == PTX_OPERAND_VAR)
            x = LLVMBuildPtrToInt(t->b, tr_var_alloca(t, o->var), t->i64, "");
        else
            return tr_fail(t, "a structure must be a variable"), words;
        LLVMBuildStore(t->b, x, LLVMBuildGEP2(t->b, t->i64, words, &at, 1, ""));
    }
    return words;
}

static bool call_device(struct translator *t, const struct ptx_insn *in, int row)
{
    const struct device_call *c = &device_calls[row];
    if (count(&in->operands[2]) != strlen(c->args))
        return tr_fail(t, "call of '%s' does not match its parameters", c->name);
    value args[2] = {tr_const_i32(t, (uint32_t)row), device_arguments(t, in, c->args)};
    LLVMBasicBlockRef again = NULL, wait = NULL, done = NULL;
    if (device_call_waits(row)) {
        again = tr_block_new(t, "poll"), wait = tr_block_new(t, "wait"), done = tr_block_new(t, "waited");
        ir_enter(t->b, again);
    }
    value x = tr_hook(t, t->i64, "device_api", args, 2);
    if (again) {
        ir_branch(t->b, LLVMBuildICmp(t->b, LLVMIntEQ, x, tr_const_i64(t, 0), ""), done, wait, wait);
        tr_op(t, OP_YIELD, NULL, 0);
        ir_jump(t->b, again, done);
    }
    if (count(&in->operands[0])) {
        enum ptx_type ty = word(c->result).type;
        result(t, &in->operands[0].list[0], ty, tr_bits_resize(t, x, tr_type_of(t, ty), false));
    }
    return true;
}

static bool call_direct(struct translator *t, const struct ptx_insn *in, const struct ptx_func *f)
{
    f = ptx_func_resolve(f);
    if (reach_has_code(f))
        return call_function(t, in, f);
    const struct engine_call *e = engine_call_find(f->name);
    if (e)
        return call_engine(t, in, e);
    int row = device_call_find(f->name);
    if (row >= 0)
        return call_device(t, in, row);
    return diag_error(t->d, in->loc.line, in->loc.column, "external function '%s' is not defined", f->name);
}

static bool same_var(const struct ptx_var *a, const struct ptx_var *b)
{
    return tr_call_by_pointer(a) == tr_call_by_pointer(b) && a->size == b->size;
}

static bool same_proto(const struct ptx_proto *a, const struct ptx_proto *b)
{
    if (a->nrets != b->nrets || a->nparams != b->nparams)
        return false;
    bool same = true;
    for (uint32_t i = 0; i < a->nrets; i++)
        same &= same_var(a->rets[i], b->rets[i]);
    for (uint32_t i = 0; i < a->nparams; i++)
        same &= same_var(a->params[i], b->params[i]);
    return same;
}

static bool is_candidate(const struct ptx_operand *targets, const struct ptx_func *f)
{
    if (targets->kind == PTX_OPERAND_PROTO)
        return targets->proto && same_proto(targets->proto, &f->proto);
    for (uint32_t i = 0; i < targets->nlist; i++)
        if (ptx_func_resolve(targets->list[i].func) == f)
            return true;
    return false;
}

// An indirect call: the pointer is compared with each function it may be; none of them is a trap.
static bool call_indirect(struct translator *t, const struct ptx_insn *in)
{
    value p = tr_get(t, &in->operands[1], PTX_TYPE_B64);
    LLVMBasicBlockRef done = tr_block_new(t, "called");
    bool ok = true;
    for (size_t i = 0; i < t->reach->taken.len; i++) {
        const struct ptx_func *f = t->reach->taken.data[i];
        if (!is_candidate(&in->operands[3], f))
            continue;
        struct ptx_operand o = {.kind = PTX_OPERAND_FUNC, .func = (struct ptx_func *)f, .component = -1};
        LLVMBasicBlockRef hit = tr_block_new(t, "hit"), miss = tr_block_new(t, "");
        ir_branch(t->b, LLVMBuildICmp(t->b, LLVMIntEQ, p, tr_get(t, &o, PTX_TYPE_B64), ""), hit, miss, hit);
        ok &= call_function(t, in, f);
        ir_jump(t->b, done, miss);
    }
    tr_hook(t, t->void_type, "trap", NULL, 0);
    tr_branch_to_exit(t);
    LLVMPositionBuilderAtEnd(t->b, done);
    return ok;
}

bool tr_emit_call(struct translator *t, const struct ptx_insn *in)
{
    if (in->operands[1].kind == PTX_OPERAND_FUNC)
        return call_direct(t, in, in->operands[1].func);
    return call_indirect(t, in);
}
