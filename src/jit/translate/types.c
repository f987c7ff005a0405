// SPDX-License-Identifier: Apache-2.0
// PTX types as LLVM types. A half is carried as its bits (i16) and cast where it is computed with, since PTX moves
// halves through untyped registers all the time.
#include "jit/translate/emit.h"

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
