// SPDX-License-Identifier: Apache-2.0
// Reads and writes of operands: registers, constants, special registers and addresses.
#include "jit/translate/emit.h"
#include <string.h>

value tr_bits_cast(struct translator *t, value v, LLVMTypeRef to)
{
    return LLVMTypeOf(v) == to ? v : LLVMBuildBitCast(t->b, v, to, "");
}

static unsigned llvm_bits(LLVMTypeRef type)
{
    static const unsigned bits[] = {[LLVMFloatTypeKind] = 32, [LLVMDoubleTypeKind] = 64, [LLVMHalfTypeKind] = 16};
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    return kind == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(type) : kind < sizeof bits / sizeof *bits ? bits[kind] : 0;
}

// A value moved bit by bit into another type: cut off, or extended as asked.
value tr_bits_resize(struct translator *t, value v, LLVMTypeRef to, bool is_signed)
{
    LLVMTypeRef from = LLVMTypeOf(v);
    if (from == to)
        return v;
    unsigned a = llvm_bits(from), b = llvm_bits(to);
    value bits = tr_bits_cast(t, v, tr_type_int(t, a));
    if (a > b)
        bits = LLVMBuildTrunc(t->b, bits, tr_type_int(t, b), "");
    else if (a < b)
        bits = is_signed ? LLVMBuildSExt(t->b, bits, tr_type_int(t, b), "")
                         : LLVMBuildZExt(t->b, bits, tr_type_int(t, b), "");
    return tr_bits_cast(t, bits, to);
}

static value const_bits(struct translator *t, uint64_t bits, enum ptx_type ty)
{
    if (tr_type_bits(ty) == 128) {
        uint64_t words[2] = {bits, (int64_t)bits < 0 ? UINT64_MAX : 0};
        return LLVMConstIntOfArbitraryPrecision(t->i128, 2, words);
    }
    unsigned width = tr_type_bits(ty) ? tr_type_bits(ty) : 64;
    value v = LLVMConstInt(tr_type_int(t, width), width < 64 ? bits & ((1ull << width) - 1) : bits, false);
    return tr_bits_cast(t, v, tr_type_of(t, ty));
}

// A floating constant where ty is wanted: the value for float types, the bits for others.
static value const_float(struct translator *t, const struct ptx_operand *o, enum ptx_type ty)
{
    uint64_t bits = (uint64_t)o->i;
    float f;
    double d;
    if (o->kind == PTX_OPERAND_F32 && ty == PTX_TYPE_F64) {
        memcpy(&f, &bits, sizeof f);
        d = f;
        memcpy(&bits, &d, sizeof d);
    } else if (o->kind == PTX_OPERAND_F64 && tr_type_bits(ty) == 32) {
        memcpy(&d, &bits, sizeof d);
        f = (float)d;
        memcpy(&bits, &f, sizeof f); // of the others const_bits takes no notice
    }
    return const_bits(t, bits, ty);
}

// A parameter of the kernel itself; those of calls are variables of the function that calls.
static bool is_kernel_param(const struct translator *t, const struct ptx_var *v)
{
    return t->f->is_entry && v->space == PTX_SPACE_PARAM && map_get_ptr(&t->kernel_params, v);
}

static value global(struct translator *t, uint32_t number)
{
    value index = tr_const_i32(t, number);
    return tr_op(t, OP_GLOBAL, &index, 1);
}

static value address_of(struct translator *t, value p, int64_t offset)
{
    value a = LLVMBuildPtrToInt(t->b, p, t->i64, "");
    return offset ? LLVMBuildAdd(t->b, a, tr_const_i64(t, (uint64_t)offset), "") : a;
}

// What a variable that is not shared lies at: *offset, in it, becomes one from there.
static value var_base(struct translator *t, const struct ptx_var *v, int64_t *offset)
{
    if (v->space != PTX_SPACE_LOCAL && v->space != PTX_SPACE_PARAM)
        return global(t, v->index);
    if (!is_kernel_param(t, v))
        return tr_var_alloca(t, v);
    *offset += v->offset;
    return tr_op(t, OP_ARGS, NULL, 0);
}

static int64_t shared_offset(struct translator *t, const struct ptx_var *v)
{
    return (int64_t)(uintptr_t)map_get_ptr(&t->reach->shared_at, v) - 1;
}

value tr_var_address(struct translator *t, const struct ptx_var *v, int64_t offset)
{
    if (ptx_space_is_shared(v->space))
        return tr_shared_address(t, (uint64_t)(shared_offset(t, v) + offset));
    value p = var_base(t, v, &offset);
    return address_of(t, p, offset);
}

enum ptx_type tr_operand_type(struct translator *t, const struct ptx_operand *o)
{
    return o->kind == PTX_OPERAND_REG ? t->f->regs[o->reg].type : PTX_TYPE_NONE;
}

static value *reg_slot(struct translator *t, const struct ptx_operand *o)
{
    return &t->regs[t->reg_at[o->reg] + (o->component > 0 ? (unsigned)o->component : 0)];
}

value tr_get_pred(struct translator *t, const struct ptx_operand *o)
{
    value v = tr_get(t, o, PTX_TYPE_PRED);
    return o->negated ? LLVMBuildNot(t->b, v, "") : v;
}

value tr_get(struct translator *t, const struct ptx_operand *o, enum ptx_type ty)
{
    LLVMTypeRef to = tr_type_of(t, ty);
    value v;
    switch (o->kind) {
    case PTX_OPERAND_REG:
        v = LLVMBuildLoad2(t->b, tr_type_of(t, t->f->regs[o->reg].type), *reg_slot(t, o), "");
        return tr_bits_resize(t, v, to, tr_type_is_signed(ty));
    case PTX_OPERAND_SREG:
        return tr_bits_resize(t, tr_sreg_value(t, o->sreg), to, false);
    case PTX_OPERAND_INT:
        if (ty == PTX_TYPE_PRED)
            return LLVMConstInt(t->i1, o->i != 0, false);
        if (ty == PTX_TYPE_F32)
            return LLVMConstReal(t->f32, (double)o->i);
        if (ty == PTX_TYPE_F64)
            return LLVMConstReal(t->f64, (double)o->i);
        return const_bits(t, (uint64_t)o->i, ty);
    case PTX_OPERAND_F32:
    case PTX_OPERAND_F64:
        return const_float(t, o, ty);
    case PTX_OPERAND_VAR:
        // A texture, sampler or surface reference stands for the handle that it holds.
        if (ptx_type_class(o->var->type) == PTX_CLASS_OPAQUE)
            return tr_bits_resize(t, tr_image_field(t, tr_var_address(t, o->var, o->i), t->i64, 0), to, false);
        return tr_bits_resize(t, tr_var_address(t, o->var, o->i), to, false);
    case PTX_OPERAND_FUNC:
        v = global(t, t->m->nvars + ptx_func_resolve(o->func)->index);
        return tr_bits_resize(t, address_of(t, v, 0), to, false);
    case PTX_OPERAND_ADDRESS:
        return tr_get(t, &o->list[0], ty);
    default:
        tr_fail(t, "operand of this kind has no value");
        return LLVMGetUndef(to);
    }
}

bool tr_put(struct translator *t, const struct ptx_operand *o, value v, enum ptx_type ty)
{
    if (o->kind == PTX_OPERAND_SINK)
        return true;
    if (o->kind != PTX_OPERAND_REG)
        return tr_fail(t, "destination is not a register");
    enum ptx_type rt = t->f->regs[o->reg].type;
    LLVMBuildStore(t->b, tr_bits_resize(t, v, tr_type_of(t, rt), tr_type_is_signed(ty)), *reg_slot(t, o));
    return true;
}

static unsigned space_tag(enum ptx_space s)
{
    static const unsigned tags[] = {[PTX_SPACE_GLOBAL] = AS_GLOBAL,
                                    [PTX_SPACE_SHARED] = AS_SHARED,
                                    [PTX_SPACE_SHARED_CLUSTER] = AS_SHARED,
                                    [PTX_SPACE_CONST] = AS_CONST,
                                    [PTX_SPACE_LOCAL] = AS_LOCAL};
    return s < sizeof tags / sizeof *tags ? tags[s] : AS_GENERIC;
}

static value retag(struct translator *t, value p, unsigned as)
{
    if (LLVMGetPointerAddressSpace(LLVMTypeOf(p)) == as)
        return p;
    return LLVMBuildAddrSpaceCast(t->b, p, LLVMPointerTypeInContext(t->cx, as), "");
}

static value var_pointer(struct translator *t, const struct ptx_var *v, int64_t offset, enum ptx_space space)
{
    if (ptx_space_is_shared(v->space))
        return tr_step(t, tr_shared_own(t), offset + shared_offset(t, v));
    value p = var_base(t, v, &offset);
    bool own = v->space == PTX_SPACE_PARAM || v->space == PTX_SPACE_LOCAL;
    return own ? tr_step(t, p, offset) : retag(t, tr_step(t, p, offset), space_tag(space));
}

value tr_address(struct translator *t, const struct ptx_operand *o, enum ptx_space space)
{
    const struct ptx_operand *base = o->kind == PTX_OPERAND_ADDRESS ? &o->list[0] : o;
    int64_t offset = o->kind == PTX_OPERAND_ADDRESS ? o->i : 0;
    unsigned as = space_tag(space);
    LLVMTypeRef type = LLVMPointerTypeInContext(t->cx, as);
    if (base->kind == PTX_OPERAND_VAR)
        return var_pointer(t, base->var, base->i + offset, space);
    if (as == AS_SHARED) {
        // A number that is no address of a variable means the block's own memory.
        value p = base->kind == PTX_OPERAND_INT ? tr_shared_own(t) : tr_shared_base(t);
        // Register plus offset wraps at 32 bits: signed, a register below 0 and an offset come back to where they should.
        value at = tr_get(t, base, PTX_TYPE_S64);
        return tr_step(t, tr_gep(t, p, at), (int32_t)offset);
    }
    value p = LLVMBuildIntToPtr(t->b, tr_get(t, base, PTX_TYPE_U64), type, "");
    return tr_step(t, p, offset);
}

// Only the low bits go to the check. LLVM takes multiples out of them, so that what is left of most accesses is the low
// bits of a pointer that the kernel was given; opt/align.c checks these once.
void tr_check_align(struct translator *t, const struct ptx_operand *o, enum ptx_space space, value p, unsigned bytes)
{
    const struct ptx_operand *base = o->kind == PTX_OPERAND_ADDRESS ? &o->list[0] : o;
    int64_t offset = base->i + (o->kind == PTX_OPERAND_ADDRESS ? o->i : 0);
    if (bytes < 2 || space == PTX_SPACE_PARAM)
        return;
    if (base->kind == PTX_OPERAND_VAR) {
        bool known = base->var->align % bytes == 0 && offset % (int64_t)bytes == 0;
        if (known || base->var->space == PTX_SPACE_PARAM)
            return;
    }
    value at;
    if (base->kind == PTX_OPERAND_REG) // also for shared memory, which begins at a multiple of 128
        at = LLVMBuildAdd(t->b, tr_get(t, base, PTX_TYPE_U64), tr_const_i64(t, (uint64_t)offset), "");
    else
        at = LLVMBuildPtrToInt(t->b, p, t->i64, "");
    value low = LLVMBuildAnd(t->b, at, tr_const_i64(t, bytes - 1), "");
    tr_op(t, OP_RT_MISALIGNED, &low, 1);
}
