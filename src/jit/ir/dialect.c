// SPDX-License-Identifier: Apache-2.0
// See dialect.h.
#include "jit/ir/dialect.h"
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

enum { PREFIX_LENGTH = sizeof OP_PREFIX - 1, SLOTS = 1024, HINTS = 512, NAME_MAX_LENGTH = 64 };

const struct op_row op_rows[OP_COUNT] = {
#define OP(op, name, kinds, shape, emitter, variant, type, about)                                                      \
    [OP_##op] = {OP_PREFIX name, sizeof(OP_PREFIX name) - 1, kinds, RESUME_RUN, RESUME_NONE, variant, type},
#define WAIT(op, name, kinds, wait, resume, shape, emitter, variant, type, about)                                      \
    [OP_##op] = {OP_PREFIX name, sizeof(OP_PREFIX name) - 1, kinds, wait, resume, variant, type},
#include "jit/ir/dialect.def"
};

// Operations by a hash of their names, which is made character by character: a family is found at its last point.
static unsigned char slots[SLOTS];
_Static_assert(OP_COUNT <= 256, "operations are numbers of one byte");

static uint32_t hash_step(uint32_t h, char c)
{
    return (h ^ (unsigned char)c) * 16777619u;
}

static uint32_t slot_of(uint32_t h, unsigned k)
{
    return ((h ^ h >> 15) + k) % SLOTS;
}

static void fill_slots(void)
{
    for (unsigned op = OP_NONE + 1; op < OP_COUNT; op++) {
        uint32_t h = 0, k = 0;
        for (const char *p = op_rows[op].name + PREFIX_LENGTH; *p; p++)
            h = hash_step(h, *p);
        while (slots[slot_of(h, k)])
            k++;
        slots[slot_of(h, k)] = (unsigned char)op;
    }
}

static enum heddle_op find(uint32_t h, const char *name, size_t length)
{
    unsigned char op;
    for (unsigned k = 0; (op = slots[slot_of(h, k)]); k++)
        if (!strncmp(op_rows[op].name, name, length) && !op_rows[op].name[length])
            return (enum heddle_op)op;
    return OP_NONE;
}

enum heddle_op op_of_name(const char *name)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    enum heddle_op family = OP_NONE, op;
    uint32_t h = 0;
    const char *p = name + PREFIX_LENGTH;
    if (strncmp(name, OP_PREFIX, PREFIX_LENGTH))
        return OP_NONE;
    pthread_once(&once, fill_slots);
    for (; *p; p++) {
        h = hash_step(h, *p);
        if (*p == '.' && (op = find(h, name, (size_t)(p + 1 - name))))
            family = op;
    }
    op = find(h, name, (size_t)(p - name));
    return op ? op : family;
}

enum heddle_op op_printf(const char *fmt, ...)
{
    char name[NAME_MAX_LENGTH] = OP_PREFIX;
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(name + PREFIX_LENGTH, sizeof name - PREFIX_LENGTH, fmt, ap);
    va_end(ap);
    return op_of_name(name);
}

// The operation that a function at this address last was. Another one may stand there by now: its name tells, which is compared
// once, unless it is of a family that begins as others do.
static _Atomic unsigned char hints[HINTS];

static bool is_certain(enum heddle_op op, const char *name)
{
    const struct op_row *r = &op_rows[op];
    return r->name[r->length - 1] != '.' ? !strcmp(r->name, name)
                                         : !(r->kinds & IS_HOOK) && !strncmp(r->name, name, r->length);
}

enum heddle_op op_of_function(LLVMValueRef f)
{
    size_t n;
    const char *name = f && LLVMIsAFunction(f) ? LLVMGetValueName2(f, &n) : "";
    if (name[0] != OP_PREFIX[0])
        return OP_NONE;
    _Atomic unsigned char *hint = &hints[((uintptr_t)f >> 4 ^ (uintptr_t)f >> 12) % HINTS];
    enum heddle_op op = atomic_load_explicit(hint, memory_order_relaxed);
    if (op && is_certain(op, name))
        return op;
    op = op_of_name(name);
    atomic_store_explicit(hint, (unsigned char)op, memory_order_relaxed);
    return op;
}

enum heddle_op op_of(LLVMValueRef v)
{
    return LLVMIsACallInst(v) ? op_of_function(LLVMGetCalledValue(v)) : OP_NONE;
}

bool op_is_syncthreads(LLVMValueRef v)
{
    return op_of(v) == OP_BARRIER && LLVMIsNull(LLVMGetOperand(v, 0)) && LLVMIsNull(LLVMGetOperand(v, 1));
}

bool op_is_harmless(LLVMValueRef call)
{
    enum heddle_op op = op_of(call);
    return op == OP_RT_MISALIGNED || (op_rows[op].kinds & IS_MATH) || !strncmp(call_name(call), "llvm.", 5);
}

const char *op_hook(LLVMValueRef call)
{
    return call_name(call) + op_rows[OP_RT].length;
}

LLVMValueRef op_find(LLVMModuleRef m, enum heddle_op op)
{
    return LLVMGetNamedFunction(m, op_rows[op].name);
}

LLVMValueRef op_declare(LLVMModuleRef m, enum heddle_op op, const char *suffix, LLVMTypeRef type)
{
    char name[NAME_MAX_LENGTH];
    snprintf(name, sizeof name, "%s%s", op_rows[op].name, suffix);
    LLVMValueRef f = LLVMGetNamedFunction(m, name);
    unsigned kinds = op_rows[op].kinds;
    if (f)
        return f;
    f = LLVMAddFunction(m, name, type);
    ir_add_attribute(f, "nounwind");
    if (kinds & (IS_PURE | IS_RETURNS))
        ir_add_attribute(f, "willreturn");
    if (kinds & IS_PURE)
        ir_add_attribute(f, "speculatable");
    if (kinds & (IS_PURE | IS_INACCESSIBLE))
        ir_set_memory(f, kinds & IS_PURE ? MEMORY_NONE : MEMORY_INACCESSIBLE);
    if (kinds & IS_CONVERGENT)
        ir_add_attribute(f, "convergent");
    return f;
}

LLVMTypeRef op_result(LLVMContextRef c, enum heddle_op op)
{
    static const unsigned char bits[] = {['b'] = 1, ['h'] = 16, ['w'] = 32, ['l'] = 64};
    static const unsigned char spaces[] = {['g'] = AS_GLOBAL, ['s'] = AS_SHARED, ['a'] = AS_CONST, ['x'] = AS_LOCAL};
    unsigned char t = (unsigned char)op_rows[op].type[0];
    if (t < sizeof bits && bits[t])
        return LLVMIntTypeInContext(c, bits[t]);
    if (t < sizeof spaces && spaces[t])
        return LLVMPointerTypeInContext(c, spaces[t]);
    return t == 'f' ? LLVMFloatTypeInContext(c) : t == 'd' ? LLVMDoubleTypeInContext(c) : LLVMVoidTypeInContext(c);
}

LLVMValueRef op_build_typed(LLVMBuilderRef b, enum heddle_op op, const char *suffix, LLVMTypeRef result,
                            LLVMValueRef *args, unsigned n)
{
    LLVMTypeRef type = ir_function_type(result, args, n);
    return LLVMBuildCall2(b, type, op_declare(ir_module(b), op, suffix, type), args, n, "");
}

LLVMValueRef op_build(LLVMBuilderRef b, enum heddle_op op, LLVMValueRef *args, unsigned n)
{
    return op_build_typed(b, op, "", op_result(LLVMGetModuleContext(ir_module(b)), op), args, n);
}

void op_insert(enum heddle_op op, LLVMValueRef before)
{
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(before)));
    LLVMPositionBuilderBefore(b, before);
    op_build(b, op, NULL, 0);
    LLVMDisposeBuilder(b);
}

LLVMValueRef op_build_thread(LLVMBuilderRef b)
{
    LLVMValueRef lane = op_build(b, OP_LANEID, NULL, 0), warp = op_build(b, OP_WARPID, NULL, 0);
    return LLVMBuildAdd(b, LLVMBuildShl(b, warp, LLVMConstInt(LLVMTypeOf(warp), 5, 0), ""), lane, "thread");
}

void prefetch_emit(LLVMBuilderRef b, LLVMValueRef address, unsigned how)
{
    LLVMTypeRef i32 = LLVMInt32TypeInContext(LLVMGetModuleContext(ir_module(b)));
    op_build(b, OP_PREFETCH, (LLVMValueRef[]){address, LLVMConstInt(i32, how, 0)}, 2);
}
