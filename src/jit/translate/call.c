// SPDX-License-Identifier: Apache-2.0
// Calls out of the scalar code: functions of the dialect (heddle.*), builtins of src/jit/lib, LLVM's intrinsics.
#include "jit/translate/emit.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static LLVMTypeRef function_type(LLVMTypeRef ret, value *args, unsigned nargs)
{
    LLVMTypeRef types[32];
    for (unsigned i = 0; i < nargs; i++)
        types[i] = LLVMTypeOf(args[i]);
    return LLVMFunctionType(ret, types, nargs, false);
}

value tr_op_typed(struct translator *t, enum heddle_op op, const char *suffix, LLVMTypeRef ret, value *args,
                  unsigned nargs)
{
    value call = op_build_typed(t->b, op, suffix, ret, args, nargs);
    if (t->debug && (op_rows[op].kinds & IS_HOOK) && op != OP_RT_MATRIX) // each end of the kernel keeps its own line
        ir_add_attribute(LLVMGetCalledValue(call), "nomerge");
    return call;
}

value tr_op(struct translator *t, enum heddle_op op, value *args, unsigned nargs)
{
    return tr_op_typed(t, op, "", op_result(t->cx, op), args, nargs);
}

value tr_hook(struct translator *t, LLVMTypeRef ret, const char *hook, value *args, unsigned nargs)
{
    return tr_op_typed(t, OP_RT, hook, ret, args, nargs);
}

value tr_call_lib(struct translator *t, LLVMTypeRef ret, value *args, unsigned nargs, const char *format, ...)
{
    char name[64];
    va_list ap;
    va_start(ap, format);
    vsnprintf(name, sizeof name, format, ap);
    va_end(ap);
    LLVMTypeRef type = function_type(ret, args, nargs);
    value fn = map_get_str(&t->builtins, name);
    if (!fn) {
        fn = LLVMAddFunction(t->mod, name, type);
        map_put_str(&t->builtins, arena_strdup(&t->arena, name), fn);
    }
    return LLVMBuildCall2(t->b, type, fn, args, nargs, "");
}

value tr_call_intrinsic(struct translator *t, const char *name, LLVMTypeRef *overloads, unsigned noverloads,
                        value *args, unsigned nargs)
{
    unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    value fn = LLVMGetIntrinsicDeclaration(t->mod, id, overloads, noverloads);
    LLVMTypeRef type = LLVMIntrinsicGetType(t->cx, id, overloads, noverloads);
    return LLVMBuildCall2(t->b, type, fn, args, nargs, "");
}
