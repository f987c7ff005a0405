// SPDX-License-Identifier: Apache-2.0
// What every emitter stands on: errors, types, blocks, local variables, and where shared memory lies. A half is carried as its bits (i16)
// and cast where it is computed with, since PTX moves halves through untyped registers all the time.
#include "jit/translate/emit.h"
#include <stdio.h>

bool tr_fail(struct translator *t, const char *fmt, ...)
{
    char text[512];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    struct ptx_loc loc = t->in ? t->in->loc : t->f ? t->f->loc : (struct ptx_loc){0, 0};
    return diag_error(t->d, loc.line, loc.column, "%s", text);
}

unsigned tr_type_bits(enum ptx_type ty)
{
    return ty == PTX_TYPE_PRED ? 1 : ptx_type_bytes(ty) * 8;
}

bool tr_type_is_signed(enum ptx_type ty)
{
    return ptx_type_class(ty) == PTX_CLASS_SIGNED;
}

bool tr_type_is_float(enum ptx_type ty)
{
    return ptx_type_class(ty) == PTX_CLASS_FLOAT;
}

LLVMTypeRef tr_type_int(struct translator *t, unsigned bits)
{
    return LLVMIntTypeInContext(t->cx, bits);
}

LLVMTypeRef tr_type_of(struct translator *t, enum ptx_type ty)
{
    if (ty == PTX_TYPE_F32)
        return t->f32;
    if (ty == PTX_TYPE_F64)
        return t->f64;
    unsigned bits = tr_type_bits(ty);
    return tr_type_int(t, bits ? bits : 64); // opaque types are handles of 64 bits
}

value tr_const_int(LLVMTypeRef type, uint64_t v)
{
    return LLVMConstInt(type, v, false);
}

value tr_const_i32(struct translator *t, uint32_t v)
{
    return LLVMConstInt(t->i32, v, false);
}

value tr_const_i64(struct translator *t, uint64_t v)
{
    return LLVMConstInt(t->i64, v, false);
}

value tr_const_f32(struct translator *t, float v)
{
    return LLVMConstReal(t->f32, v);
}

value tr_new_alloca(struct translator *t, const struct ptx_var *v)
{
    bool scalar = v->space != PTX_SPACE_LOCAL && v->size == ptx_type_bytes(v->type);
    LLVMTypeRef type = scalar ? tr_type_of(t, v->type) : LLVMArrayType2(t->i8, v->size ? v->size : 1);
    value a = tr_alloca_at_entry(t, type, v->name);
    LLVMSetAlignment(a, v->align ? v->align : 16);
    return a;
}

value tr_var_alloca(struct translator *t, const struct ptx_var *v)
{
    value a = map_get_ptr(&t->vars, v);
    if (!a)
        map_put_ptr(&t->vars, v, a = tr_new_alloca(t, v));
    return a;
}

LLVMBasicBlockRef tr_block_new(struct translator *t, const char *name)
{
    return LLVMAppendBasicBlockInContext(t->cx, t->fn, name);
}

value tr_alloca_at_entry(struct translator *t, LLVMTypeRef type, const char *name)
{
    return LLVMBuildAlloca(t->allocas, type, name);
}

value tr_shared_own(struct translator *t)
{
    return tr_op(t, OP_SHARED, NULL, 0);
}

value tr_shared_base(struct translator *t)
{
    return t->reach->cluster ? tr_op(t, OP_WINDOW, NULL, 0) : tr_shared_own(t);
}

value tr_shared_address(struct translator *t, uint64_t offset)
{
    value at = tr_const_i64(t, offset);
    if (!t->reach->cluster)
        return at;
    value own = LLVMBuildPtrToInt(t->b, tr_shared_own(t), t->i64, "");
    value own_at = LLVMBuildSub(t->b, own, LLVMBuildPtrToInt(t->b, tr_shared_base(t), t->i64, ""), "");
    return LLVMBuildAdd(t->b, own_at, at, "");
}

value tr_loop(struct translator *t, struct tr_loop *l, value end, uint32_t step)
{
    value counter = tr_alloca_at_entry(t, t->i32, "at");
    LLVMBasicBlockRef body = tr_block_new(t, "");
    *l = (struct tr_loop){tr_block_new(t, ""), tr_block_new(t, "")};
    LLVMBuildStore(t->b, tr_const_i32(t, 0), counter);
    ir_enter(t->b, l->head);
    value at = LLVMBuildLoad2(t->b, t->i32, counter, "");
    LLVMBuildStore(t->b, LLVMBuildAdd(t->b, at, tr_const_i32(t, step), ""), counter);
    ir_branch(t->b, LLVMBuildICmp(t->b, LLVMIntULT, at, end, ""), body, l->done, body);
    return at;
}

void tr_loop_end(struct translator *t, const struct tr_loop *l)
{
    ir_jump(t->b, l->head, l->done);
}

value tr_gep(struct translator *t, value p, value bytes)
{
    return LLVMBuildGEP2(t->b, t->i8, p, &bytes, 1, "");
}

value tr_step(struct translator *t, value p, int64_t bytes)
{
    return bytes ? tr_gep(t, p, tr_const_i64(t, (uint64_t)bytes)) : p;
}

value tr_join(struct translator *t, value *parts, unsigned n, unsigned bits)
{
    LLVMTypeRef whole = tr_type_int(t, n * bits);
    value v = NULL;
    for (unsigned i = 0; i < n; i++) {
        value part = LLVMBuildZExt(t->b, tr_bits_cast(t, parts[i], tr_type_int(t, bits)), whole, "");
        if (i)
            part = LLVMBuildShl(t->b, part, tr_const_int(whole, (uint64_t)bits * i), "");
        v = v ? LLVMBuildOr(t->b, v, part, "") : part;
    }
    return v;
}

value tr_split(struct translator *t, value whole, unsigned i, unsigned bits, LLVMTypeRef type)
{
    return tr_bits_cast(t, tr_part(t, whole, bits * i, tr_type_int(t, bits)), type);
}

value tr_part(struct translator *t, value v, unsigned at, LLVMTypeRef type)
{
    v = at ? LLVMBuildLShr(t->b, v, tr_const_int(LLVMTypeOf(v), at), "") : v;
    return LLVMBuildTrunc(t->b, v, type, "");
}

value tr_image_field(struct translator *t, value handle, LLVMTypeRef type, size_t offset)
{
    value p = LLVMBuildIntToPtr(t->b, handle, LLVMPointerTypeInContext(t->cx, AS_CONST), "");
    value v = ir_load(t->b, type, tr_gep(t, p, tr_const_i64(t, offset)), type == t->i32 || type == t->f32 ? 4 : 8);
    ir_mark_invariant(v);
    ir_set_metadata(v, IR_ENGINE, LLVMMDNodeInContext(t->cx, NULL, 0));
    return v;
}

void tr_mark_scope(struct translator *t, value access)
{
    if (t->out->checked && MOD_OF(t->in, SCOPE) == PTX_MOD_CTA)
        ir_set_metadata(access, IR_BLOCK_SCOPE, LLVMMDNodeInContext(t->cx, NULL, 0));
    unsigned cache = t->out->checked ? MOD_OF(t->in, CACHE) : 0;
    if (LLVMIsAStoreInst(access) && (cache == PTX_MOD_WT || cache == PTX_MOD_CG))
        ir_set_metadata(access, IR_PAST_CACHES, LLVMMDNodeInContext(t->cx, NULL, 0));
}

void tr_tell_object(struct translator *t, enum check_object how, value address, value number)
{
    if (!t->out->checked)
        return;
    value p = address ? LLVMBuildPtrToInt(t->b, address, t->i64, "") : tr_const_i64(t, 0);
    tr_op(t, OP_RT_CHECK_OBJECT, (value[]){tr_const_i32(t, how), p, number ? number : tr_const_i32(t, 0)}, 3);
}

// commit_group, wait_group, wait_all: copies are made at once, so that there is nothing to do.
bool tr_tell_groups(struct translator *t, enum check_object commit, enum check_object wait)
{
    const struct ptx_insn *in = t->in;
    unsigned action = MOD_OF(in, ACTION);
    if (action == PTX_MOD_COMMIT_GROUP)
        tr_tell_object(t, commit, NULL, NULL);
    else if (action == PTX_MOD_WAIT_GROUP)
        tr_tell_object(t, wait, NULL, tr_const_i32(t, (uint32_t)in->operands[0].i));
    else if (action == PTX_MOD_WAIT_ALL)
        tr_tell_object(t, wait, NULL, tr_const_i32(t, (uint32_t)CHECK_EVERY));
    return true;
}
