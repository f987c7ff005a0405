// SPDX-License-Identifier: Apache-2.0
// Checked code, for compute-sanitizer (docs/sanitizer.md): before each access of one-thread code, a call that tells the engine of it.
//
// 1. Every load, store and atomic of LLVM's in the module is an access, whatever instruction it comes from, so that no kind can be
//    forgotten; hooks that touch memory for the program are those of hook_access.def. It runs before anything is folded, merged, widened or
//    moved: what is told is what the program says. Later passes may do with the access what they like, as the call stays. A call may not
//    return, so that no access that could fault is moved in front of it.
// 2. Not told: registers and parameters at constant offsets; what the engine reads for itself (IR_ENGINE, functions of
//    src/jit/lib but for copies, memory of the caller that a by-value parameter is).
// 3. Accesses of one PTX instruction, elements of a vector, are one. They have one base value, which the translator makes anew for
//    each instruction, and follow each other.
// 4. What an address is computed from is told where address_variable() knows it, which holds for every execution: a parameter of the
//    kernel or a variable of the module. It must lead into the same allocation.
// 5. Local variables are compared with their own size, by an offset that is the same for all lanes of a gang.
#include "jit/analysis/address.h"
#include "jit/abi/check.h"
#include "jit/ir/pass.h"
#include "jit/jit.h"
#include "base/vec.h"
#include <string.h>

enum { GROUP_MOST = 32, SAME_DEPTH = 6 };

struct shadow { // of a local variable
    LLVMValueRef variable, shadow;
    uint64_t size;
};

struct checker {
    struct compilation *c;
    LLVMBuilderRef b;
    LLVMTypeRef i32, i64;
    unsigned tools, sites;
    bool kernel; // the function is
    struct VEC(LLVMValueRef) exchanges;
    struct VEC(struct shadow) shadows;
    // The accesses that are one with the last that was told.
    LLVMValueRef call, base;
    uint32_t kind;
    int64_t next;
    uint64_t bytes;
};

static LLVMValueRef word(struct checker *k, uint32_t x)
{
    return LLVMConstInt(k->i32, x, 0);
}

static uint32_t kind_of(LLVMValueRef x)
{
    return LLVMIsALoadInst(x) ? CHECK_READ : LLVMIsAStoreInst(x) ? CHECK_WRITE : CHECK_ATOMIC;
}

static uint32_t order_of(LLVMValueRef x)
{
    LLVMAtomicOrdering o = LLVMIsAAtomicCmpXchgInst(x) ? LLVMGetCmpXchgSuccessOrdering(x) : LLVMGetOrdering(x);
    bool both = o == LLVMAtomicOrderingAcquireRelease || o == LLVMAtomicOrderingSequentiallyConsistent;
    bool strong = o != LLVMAtomicOrderingNotAtomic || LLVMGetVolatile(x) || ir_metadata(x, IR_PAST_CACHES);
    return (strong ? CHECK_STRONG : 0) | (ir_metadata(x, IR_BLOCK_SCOPE) ? CHECK_BLOCK_SCOPE : 0) |
           (both || o == LLVMAtomicOrderingAcquire ? CHECK_ACQUIRE : 0) |
           (both || o == LLVMAtomicOrderingRelease ? CHECK_RELEASE : 0);
}

static uint32_t next_site(struct checker *k)
{
    uint32_t site = k->sites++ % CHECK_SITES;
    return site << CHECK_SITE_AT;
}

static uint32_t align_of(uint64_t bytes)
{
    unsigned log2 = bytes & (bytes - 1) ? 0 : (unsigned)__builtin_ctzll(bytes);
    return log2 << CHECK_ALIGN_AT;
}

// What is stored, up to 64 bits; 0: nothing, or more.
static LLVMValueRef stored_bits(struct checker *k, LLVMValueRef x)
{
    LLVMValueRef zero = LLVMConstInt(k->i64, 0, 0), v = LLVMIsAStoreInst(x) ? LLVMGetOperand(x, 0) : NULL;
    if (!v || !(k->tools & JIT_CHECK_RACE))
        return zero;
    LLVMTypeRef t = LLVMTypeOf(v);
    LLVMTypeKind kind = LLVMGetTypeKind(t);
    if (kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind)
        v = LLVMBuildBitCast(k->b, v, kind == LLVMFloatTypeKind ? k->i32 : k->i64, "");
    else if (kind != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(t) > 64)
        return zero;
    return LLVMTypeOf(v) == k->i64 ? v : LLVMBuildZExt(k->b, v, k->i64, "");
}

static LLVMValueRef number_of(struct checker *k, LLVMValueRef pointer)
{
    return LLVMTypeOf(pointer) == k->i64 ? pointer : LLVMBuildPtrToInt(k->b, pointer, k->i64, "");
}

// Where an address lies in an object, where that is a constant.
static bool constant_offset(LLVMValueRef p, LLVMValueRef object, int64_t *offset)
{
    *offset = 0;
    while (p != object) {
        int64_t n;
        LLVMValueRef base = address_base(p, &n);
        *offset += n;
        if (base == object)
            return true;
        if (IR_IS(base, IR_POINTER_CAST, LLVMAddrSpaceCast)) {
            p = LLVMGetOperand(base, 0);
        } else if (ir_is_opcode(base, LLVMAdd) && LLVMIsAConstantInt(LLVMGetOperand(base, 1))) {
            *offset += LLVMConstIntGetSExtValue(LLVMGetOperand(base, 1));
            p = LLVMGetOperand(base, 0);
        } else {
            return false;
        }
    }
    return true;
}

// An access to a variable of the thread, or to the parameters, of which the object is the whole.
static void tell_local(struct checker *k, LLVMValueRef p, LLVMValueRef object, uint64_t size, uint64_t bytes,
                       uint32_t what)
{
    int64_t at;
    if (!(k->tools & JIT_CHECK_MEMORY) || size > UINT32_MAX)
        return;
    if (constant_offset(p, object, &at) && at >= 0 && (uint64_t)at + bytes <= size)
        return;
    LLVMValueRef offset = LLVMBuildSub(k->b, number_of(k, p), number_of(k, object), "");
    LLVMValueRef args[3] = {offset, word(k, (uint32_t)size), word(k, what | (uint32_t)bytes)};
    op_build(k->b, OP_RT_CHECK_LOCAL, args, 3);
}

// What must lead into the same allocation, or 0.
static LLVMValueRef origin_of(struct checker *k, LLVMValueRef object)
{
    int64_t offset;
    bool known = object && (op_of(object) == OP_GLOBAL || address_parameter(object, &offset));
    return known ? number_of(k, object) : LLVMConstInt(k->i64, 0, 0);
}

static bool is_asked(const struct checker *k, unsigned space)
{
    return (k->tools & JIT_CHECK_MEMORY) || (k->tools & JIT_CHECK_RACE && space != AS_CONST && space != AS_LOCAL) ||
           k->tools & JIT_CHECK_INIT;
}

// Another worker may release between the call before the access and the access itself.
static void tell_acquired(struct checker *k, LLVMValueRef at, LLVMValueRef address, uint32_t what)
{
    LLVMValueRef zero = LLVMConstInt(k->i64, 0, 0);
    what = (what & ~(3u << CHECK_KIND_AT)) | CHECK_ACQUIRED << CHECK_KIND_AT;
    LLVMPositionBuilderBefore(k->b, LLVMGetNextInstruction(at));
    op_build(k->b, OP_RT_CHECK_ACCESS, (LLVMValueRef[]){address, zero, word(k, what), zero}, 4);
}

// Through what the kernel stores to memory that other blocks may have. What the engine knows of these it knows before the launch.
static void note_store(struct jit_stores *s, LLVMValueRef object)
{
    int64_t offset;
    if (op_of(object) == OP_SHARED)
        return;
    if (op_of(object) == OP_GLOBAL) {
        s->variables = 1;
        return;
    }
    if (!object || !address_parameter(object, &offset) || offset < 0 || offset > UINT32_MAX) {
        s->others = 1;
        return;
    }
    for (uint32_t i = 0; i < s->n; i++)
        if (s->offset[i] == offset)
            return;
    if (s->n < JIT_STORES_MAX)
        s->offset[s->n++] = (uint32_t)offset;
    else
        s->others = 1;
}

// Whether the engine has to see all accesses of a site.
static bool is_seen(const struct checker *k, unsigned space, uint32_t how)
{
    bool reads = check_kind(how) == CHECK_READ && !(how & CHECK_STRONG) && space != AS_SHARED;
    return k->tools & JIT_CHECK_RACE && !reads;
}

static void tell(struct checker *k, LLVMValueRef at, LLVMValueRef p, uint64_t bytes, uint32_t how)
{
    LLVMValueRef object = address_variable(p);
    unsigned space = ir_space(p);
    LLVMPositionBuilderBefore(k->b, at);
    LLVMSetCurrentDebugLocation2(k->b, LLVMInstructionGetDebugLoc(at));
    k->call = NULL;
    if (object && LLVMIsAAllocaInst(object)) {
        uint64_t size = LLVMABISizeOfType(k->c->plan.layout, LLVMGetAllocatedType(object));
        tell_local(k, p, object, size, bytes, how | AS_LOCAL << CHECK_SPACE_AT | align_of(bytes));
        return;
    }
    if (op_of(object) == OP_ARGS) {
        tell_local(k, p, object, k->c->plan.args_bytes, bytes, how | AS_CONST << CHECK_SPACE_AT | align_of(bytes));
        return;
    }
    if (check_kind(how) != CHECK_READ && space != AS_SHARED)
        note_store(&k->c->stores, object);
    if (!is_asked(k, space))
        return;
    uint32_t what = (uint32_t)bytes | how | space << CHECK_SPACE_AT | align_of(bytes) | next_site(k);
    what |= is_seen(k, space, how) ? CHECK_ALL : 0;
    LLVMValueRef args[4] = {number_of(k, p), origin_of(k, object), word(k, what), stored_bits(k, at)};
    k->call = op_build(k->b, OP_RT_CHECK_ACCESS, args, 4);
    bool reads = check_kind(how) != CHECK_WRITE;
    if (k->tools & JIT_CHECK_RACE && how & CHECK_STRONG && reads && !(what & CHECK_BLOCK_SCOPE))
        tell_acquired(k, at, args[0], what);
}

// Whether the access goes on where the one told last ends.
static bool goes_on(struct checker *k, LLVMValueRef base, int64_t offset, uint64_t bytes, uint32_t kind)
{
    if (!k->call || k->tools & JIT_CHECK_RACE || base != k->base || kind != k->kind || offset != k->next ||
        k->bytes + bytes > GROUP_MOST)
        return false;
    k->next += (int64_t)bytes;
    k->bytes += bytes;
    uint32_t what = (uint32_t)LLVMConstIntGetZExtValue(LLVMGetOperand(k->call, 2));
    what &= ~(((1u << CHECK_SIZE_BITS) - 1) | 7u << CHECK_ALIGN_AT);
    LLVMSetOperand(k->call, 2, word(k, what | (uint32_t)k->bytes | align_of(k->bytes)));
    return true;
}

// An address that was brought to the beginning of its word: clang makes atomics of bytes and halves of atomics of words.
static bool is_word(LLVMValueRef base)
{
    LLVMValueRef x = ir_is_opcode(base, LLVMIntToPtr) ? LLVMGetOperand(base, 0) : base;
    LLVMValueRef mask = ir_is_opcode(x, LLVMAnd) ? LLVMGetOperand(x, 1) : NULL;
    return mask && LLVMIsAConstantInt(mask) && LLVMConstIntGetSExtValue(mask) == -4;
}

// Whether two values are computed in the same way from the same, a pointer and a number being the same sum in either form.
static bool is_same_value(LLVMValueRef a, LLVMValueRef b, unsigned depth)
{
    while (IR_IS(a, IR_POINTER_CAST, LLVMAddrSpaceCast))
        a = LLVMGetOperand(a, 0);
    while (IR_IS(b, IR_POINTER_CAST, LLVMAddrSpaceCast))
        b = LLVMGetOperand(b, 0);
    if (a == b || !depth || !LLVMIsAInstruction(a) || !LLVMIsAInstruction(b))
        return a == b;
    bool sums = (ir_is_byte_gep(a) || ir_is_opcode(a, LLVMAdd)) && (ir_is_byte_gep(b) || ir_is_opcode(b, LLVMAdd));
    bool pure = IR_IS(a, IR_EXTENSIONS, LLVMSub, LLVMMul, LLVMShl) || (op_of(a) && op_is(a, IS_SREG));
    bool alike = pure && LLVMGetInstructionOpcode(a) == LLVMGetInstructionOpcode(b) && op_of(a) == op_of(b) &&
                 ir_operands(a) == ir_operands(b);
    LLVMValueRef b0 = sums ? LLVMGetOperand(b, 0) : NULL, b1 = sums ? LLVMGetOperand(b, 1) : NULL;
    if (sums)
        return (is_same_value(LLVMGetOperand(a, 0), b0, depth - 1) &&
                is_same_value(LLVMGetOperand(a, 1), b1, depth - 1)) ||
               (is_same_value(LLVMGetOperand(a, 0), b1, depth - 1) &&
                is_same_value(LLVMGetOperand(a, 1), b0, depth - 1));
    for (unsigned i = 0; alike && i < ir_operands(a); i++)
        alike = is_same_value(LLVMGetOperand(a, i), LLVMGetOperand(b, i), depth - 1);
    return alike;
}

// An address less all constants that are added to it, as a pointer or as a number; and their sum.
static LLVMValueRef root_of(LLVMValueRef p, int64_t *offset)
{
    int64_t n;
    *offset = 0;
    for (;;) {
        LLVMValueRef x = address_source(p, &n);
        *offset += n;
        if (ir_is_opcode(x, LLVMAdd) && LLVMIsAConstantInt(LLVMGetOperand(x, 1)))
            *offset += LLVMConstIntGetSExtValue(LLVMGetOperand(x, 1));
        else if (!IR_IS(x, IR_POINTER_CAST, LLVMAddrSpaceCast))
            return x;
        p = LLVMGetOperand(x, 0);
    }
}

// Whether what an atomic makes of a value that was read before shows that it was read too early: a loop that compares and exchanges tries
// once more, a maximum or minimum is not needed or changes nothing.
static bool is_guarded(LLVMValueRef x)
{
    if (LLVMIsAAtomicCmpXchgInst(x))
        return true;
    if (!LLVMIsAAtomicRMWInst(x))
        return false;
    LLVMAtomicRMWBinOp op = LLVMGetAtomicRMWBinOp(x);
    return op == LLVMAtomicRMWBinOpMax || op == LLVMAtomicRMWBinOpMin || op == LLVMAtomicRMWBinOpUMax ||
           op == LLVMAtomicRMWBinOpUMin;
}

// A plain load of what the function also compares and exchanges, or makes a maximum of: the programming guide begins such loops so.
static bool is_first_guess(struct checker *k, LLVMValueRef x)
{
    int64_t at, other;
    LLVMValueRef from = LLVMIsALoadInst(x) ? root_of(ir_address(x), &at) : NULL;
    for (size_t i = 0; from && i < k->exchanges.len; i++) {
        LLVMValueRef p = ir_address(k->exchanges.data[i]);
        // Halves of 128 bits are read by themselves, through whatever pointer.
        if (LLVMGetIntTypeWidth(ir_access_type(k->exchanges.data[i])) == 128 && type_bits(LLVMTypeOf(x)) == 64)
            return true;
        if (is_same_value(from, root_of(p, &other), SAME_DEPTH) && at == other)
            return true;
    }
    return false;
}

// ---- initcheck of local memory
// Whether all that becomes of an address in a variable is loads and stores of it.
static bool is_only_accessed(LLVMValueRef p, unsigned depth)
{
    for (LLVMUseRef u = LLVMGetFirstUse(p); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef x = LLVMGetUser(u);
        bool computed = IR_IS(x, LLVMAdd, LLVMPtrToInt, LLVMIntToPtr, LLVMAddrSpaceCast, LLVMGetElementPtr, LLVMAnd);
        if (LLVMIsALoadInst(x) || op_of(x) == OP_RT_MISALIGNED)
            continue;
        if (LLVMIsAStoreInst(x) ? LLVMGetOperand(x, 0) == p : !computed || !depth || !is_only_accessed(x, depth - 1))
            return false;
    }
    return true;
}

// A byte for each byte of a local variable: whether it was written.
static void add_shadow(struct checker *k, LLVMValueRef variable)
{
    enum { DEPTH = 24 };
    size_t n;
    const char *name = LLVMGetValueName2(variable, &n);
    LLVMTypeRef t = LLVMGetAllocatedType(variable);
    if (strncmp(name, "__local_depot", 13) || !is_only_accessed(variable, DEPTH))
        return;
    struct shadow s = {variable, NULL, LLVMABISizeOfType(k->c->plan.layout, t)};
    LLVMPositionBuilderBefore(k->b, variable);
    s.shadow = LLVMBuildAlloca(k->b, LLVMArrayType2(LLVMInt8TypeInContext(k->c->context), s.size), "written");
    LLVMSetAlignment(s.shadow, 8);
    LLVMValueRef first = variable;
    while (LLVMIsAAllocaInst(first))
        first = LLVMGetNextInstruction(first);
    LLVMPositionBuilderBefore(k->b, first);
    LLVMValueRef zero = LLVMConstInt(LLVMInt8TypeInContext(k->c->context), 0, 0);
    LLVMBuildMemSet(k->b, s.shadow, zero, LLVMConstInt(k->i64, s.size, 0), 8);
    vec_push(&k->shadows, s);
}

// An access to a variable that has a shadow.
static bool shadow_access(struct checker *k, LLVMValueRef x, LLVMValueRef p)
{
    LLVMValueRef variable = address_variable(p);
    const struct shadow *s = NULL;
    uint64_t bytes = LLVMStoreSizeOfType(k->c->plan.layout, ir_access_type(x));
    for (size_t i = 0; i < k->shadows.len; i++)
        if (k->shadows.data[i].variable == variable)
            s = &k->shadows.data[i];
    if (!s || bytes > 16)
        return false;
    LLVMTypeRef t = LLVMIntTypeInContext(k->c->context, (unsigned)bytes * 8);
    LLVMValueRef all = LLVMConstAllOnes(t);
    LLVMPositionBuilderBefore(k->b, x);
    LLVMSetCurrentDebugLocation2(k->b, LLVMInstructionGetDebugLoc(x));
    LLVMValueRef offset = LLVMBuildSub(k->b, number_of(k, p), number_of(k, variable), "");
    LLVMValueRef at = LLVMBuildGEP2(k->b, LLVMInt8TypeInContext(k->c->context), s->shadow, &offset, 1, "");
    if (!LLVMIsALoadInst(x)) {
        ir_store(k->b, all, at, 1);
        return true;
    }
    LLVMValueRef written = LLVMBuildICmp(k->b, LLVMIntEQ, ir_load(k->b, t, at, 1), all, "");
    LLVMValueRef zero = LLVMConstInt(k->i64, 0, 0), bad = LLVMConstAllOnes(k->i64);
    uint32_t what = (uint32_t)bytes | AS_LOCAL << CHECK_SPACE_AT;
    LLVMValueRef args[3] = {LLVMBuildSelect(k->b, written, zero, bad, ""), word(k, (uint32_t)s->size), word(k, what)};
    op_build(k->b, OP_RT_CHECK_LOCAL, args, 3);
    return true;
}

static void check_memory(struct checker *k, LLVMValueRef x)
{
    LLVMValueRef p = ir_address(x);
    int64_t offset;
    if (k->shadows.len && shadow_access(k, x, p))
        return;
    LLVMValueRef base = address_base(p, &offset);
    uint64_t bytes = LLVMStoreSizeOfType(k->c->plan.layout, ir_access_type(x));
    if (LLVMIsAAllocaInst(base) && offset >= 0 &&
        (uint64_t)offset + bytes <= LLVMABISizeOfType(k->c->plan.layout, LLVMGetAllocatedType(base)))
        return; // a register
    if (LLVMIsAArgument(base) || ir_metadata(x, IR_ENGINE))
        return;
    uint32_t kind = kind_of(x);
    if (goes_on(k, base, offset, bytes, kind))
        return;
    bool word_of = bytes == 4 && !offset && is_word(base);
    uint32_t guess = is_first_guess(k, x) ? CHECK_STRONG : 0;
    tell(k, x, p, bytes, kind << CHECK_KIND_AT | order_of(x) | guess | (word_of ? CHECK_WORD | CHECK_STRONG : 0));
    k->base = base;
    k->kind = kind;
    k->next = offset + (int64_t)bytes;
    k->bytes = bytes;
}

// Hooks that access memory for the program. 0 bytes: the engine tells of what they access.
static const struct hook_access {
    const char *name;
    unsigned operand, bytes, kind;
} hook_accesses[] = {
#define HOOK_ACCESS(name, operand, bytes, kind) {#name, operand, bytes, CHECK_##kind},
#define HOOK_ENGINE(name)                       {#name, 0, 0, CHECK_ATOMIC},
#define HOOK_WITHOUT(name)
#include "jit/check/hook_access.def"
};

static void check_hook(struct checker *k, LLVMValueRef call)
{
    const char *name = op_hook(call);
    for (size_t i = 0; i < sizeof hook_accesses / sizeof *hook_accesses; i++) {
        const struct hook_access *h = &hook_accesses[i];
        if (strcmp(h->name, name))
            continue;
        if (h->bytes)
            tell(k, call, LLVMGetOperand(call, h->operand), h->bytes, h->kind << CHECK_KIND_AT | CHECK_STRONG);
        else
            k->c->stores.others = 1;
    }
    k->call = NULL;
}

static void sync(struct checker *k, enum check_sync how, LLVMValueRef number)
{
    LLVMValueRef args[2] = {word(k, how), number};
    op_build(k->b, OP_RT_CHECK_SYNC, args, 2);
}

// A barrier's number, with CHECK_PARTIAL where it is not known to be one of the whole block.
static LLVMValueRef barrier_number(struct checker *k, LLVMValueRef call)
{
    if (!op_is_barrier(call))
        return word(k, 16 | CHECK_PARTIAL); // of the cluster
    LLVMValueRef id = LLVMGetOperand(call, 0);
    LLVMValueRef threads = LLVMGetOperand(call, 1);
    if (LLVMIsNull(threads) && op_of(call) != OP_BARRIER_ARRIVE)
        return id;
    id = LLVMBuildOr(k->b, id, LLVMBuildShl(k->b, threads, word(k, CHECK_THREADS_AT), ""), "");
    return LLVMBuildOr(k->b, id, word(k, CHECK_PARTIAL), "");
}

static void check_wait(struct checker *k, LLVMValueRef x)
{
    enum heddle_op op = op_of(x);
    bool block = op_is(x, IS_BLOCK_WAIT), warp = op_is_collective(x);
    k->call = NULL;
    if ((!block && !warp) || !(k->tools & (JIT_CHECK_RACE | JIT_CHECK_SYNC)))
        return;
    LLVMPositionBuilderBefore(k->b, x);
    LLVMSetCurrentDebugLocation2(k->b, LLVMInstructionGetDebugLoc(x));
    LLVMValueRef number = block ? barrier_number(k, x) : LLVMGetOperand(x, 0);
    if (op != OP_CLUSTER_WAIT)
        sync(k, block ? CHECK_BARRIER_BEFORE : CHECK_WARP_BEFORE, number);
    if (op == OP_BARRIER_ARRIVE || op == OP_CLUSTER_ARRIVE)
        return;
    LLVMPositionBuilderBefore(k->b, LLVMGetNextInstruction(x));
    sync(k, block ? CHECK_BARRIER_AFTER : CHECK_WARP_AFTER, number);
}

static void check_instruction(struct checker *k, LLVMValueRef x)
{
    enum heddle_op op = op_of(x);
    if (ir_address(x)) {
        check_memory(k, x);
    } else if (LLVMIsAFenceInst(x)) {
        k->call = NULL;
        LLVMPositionBuilderBefore(k->b, x);
        LLVMSetCurrentDebugLocation2(k->b, LLVMInstructionGetDebugLoc(x));
        if (k->tools & JIT_CHECK_RACE)
            sync(k, CHECK_FENCE, word(k, ir_metadata(x, IR_BLOCK_SCOPE) != NULL));
    } else if (op == OP_RT_MISALIGNED) { // the engine looks at it with the rest
        if (k->tools & JIT_CHECK_MEMORY)
            LLVMInstructionEraseFromParent(x);
        k->call = NULL;
    } else if (op == OP_RT) {
        check_hook(k, x);
    } else if (op && op_waits(x)) {
        check_wait(k, x);
    } else if (LLVMIsAReturnInst(x) && k->tools & JIT_CHECK_SYNC && k->kernel) {
        LLVMPositionBuilderBefore(k->b, x);
        LLVMSetCurrentDebugLocation2(k->b, LLVMInstructionGetDebugLoc(x));
        sync(k, CHECK_EXIT, word(k, 0));
    }
}

// A function of src/jit/lib that is no copy of the program's memory.
static bool is_engines(LLVMValueRef f)
{
    size_t n;
    const char *name = LLVMGetValueName2(f, &n);
    return !strncmp(name, "heddle_", 7) && strncmp(name, "heddle_copy_", 12);
}

static void check_function(struct compilation *c, LLVMValueRef f)
{
    if (is_engines(f))
        return;
    struct checker k = {.c = c, .b = LLVMCreateBuilderInContext(c->context), .tools = c->options->check};
    k.i32 = LLVMInt32TypeInContext(c->context);
    k.i64 = LLVMInt64TypeInContext(c->context);
    k.sites = c->checked_sites;
    k.kernel = f == c->t.kernel;
    FOR_FUNCTION (f, x)
        if (is_guarded(x))
            vec_push(&k.exchanges, x);
    if (k.tools & JIT_CHECK_INIT)
        FOR_INSTRUCTIONS_SAFE (LLVMGetEntryBasicBlock(f), x)
            if (LLVMIsAAllocaInst(x))
                add_shadow(&k, x);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
        k.call = NULL;
        FOR_INSTRUCTIONS_SAFE (b, x)
            check_instruction(&k, x);
    }
    c->checked_sites = k.sites;
    vec_free(&k.exchanges);
    vec_free(&k.shadows);
    LLVMDisposeBuilder(k.b);
}

bool pass_instrument(struct compilation *c)
{
    return pass_functions(c, check_function);
}
