// PTX types as LLVM types. A half is carried as its bits (i16) and cast where it is computed with, since PTX moves halves
// through untyped registers all the time.
#include "jit/translate/emit.h"
#include <string.h>

unsigned type_bits(enum ptx_type ty)
{
    return ty == PTX_TYPE_PRED ? 1 : ptx_type_bytes(ty) * 8;
}

bool type_is_signed(enum ptx_type ty)
{
    return ptx_type_class(ty) == PTX_CLASS_SIGNED;
}

bool type_is_float(enum ptx_type ty)
{
    return ptx_type_class(ty) == PTX_CLASS_FLOAT;
}

LLVMTypeRef type_int(struct translator *t, unsigned bits)
{
    return LLVMIntTypeInContext(t->cx, bits);
}

LLVMTypeRef type_of(struct translator *t, enum ptx_type ty)
{
    if (ty == PTX_TYPE_F32)
        return t->f32;
    if (ty == PTX_TYPE_F64)
        return t->f64;
    unsigned bits = type_bits(ty);
    return type_int(t, bits ? bits : 64); // opaque types are handles of 64 bits
}

value const_int(LLVMTypeRef type, uint64_t v)
{
    return LLVMConstInt(type, v, false);
}

value const_i32(struct translator *t, uint32_t v)
{
    return LLVMConstInt(t->i32, v, false);
}

value const_i64(struct translator *t, uint64_t v)
{
    return LLVMConstInt(t->i64, v, false);
}

value const_f32(struct translator *t, float v)
{
    return LLVMConstReal(t->f32, v);
}
