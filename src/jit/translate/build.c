// SPDX-License-Identifier: Apache-2.0
// What every emitter stands on: errors, blocks, local variables, and where shared memory lies.
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

value tr_var_alloca(struct translator *t, const struct ptx_var *v)
{
    value a = map_get_ptr(&t->vars, v);
    if (a)
        return a;
    bool scalar = v->space != PTX_SPACE_LOCAL && v->size == ptx_type_bytes(v->type);
    LLVMTypeRef type = scalar ? tr_type_of(t, v->type) : LLVMArrayType2(t->i8, v->size ? v->size : 1);
    a = tr_alloca_at_entry(t, type, v->name);
    LLVMSetAlignment(a, v->align ? v->align : 16);
    map_put_ptr(&t->vars, v, a);
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
    if (!t->reach->cluster)
        return tr_shared_own(t);
    return tr_op(t, OP_WINDOW, NULL, 0);
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

static void mark_invariant(struct translator *t, value load)
{
    unsigned kind = LLVMGetMDKindIDInContext(t->cx, "invariant.load", 14);
    LLVMSetMetadata(load, kind, LLVMMetadataAsValue(t->cx, LLVMMDNodeInContext2(t->cx, NULL, 0)));
}

value tr_image_field(struct translator *t, value handle, LLVMTypeRef type, size_t offset)
{
    value p = LLVMBuildIntToPtr(t->b, handle, LLVMPointerTypeInContext(t->cx, AS_CONST), "");
    value at = tr_const_i64(t, offset);
    value v = LLVMBuildLoad2(t->b, type, LLVMBuildGEP2(t->b, t->i8, p, &at, 1, ""), "");
    LLVMSetAlignment(v, type == t->i32 || type == t->f32 ? 4 : 8);
    mark_invariant(t, v);
    return v;
}
