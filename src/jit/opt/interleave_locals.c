// SPDX-License-Identifier: Apache-2.0
// Local arrays by lanes. An array of a thread's own that is indexed at run time stays in memory. Kept whole for each lane,
// as the address of a local variable demands, element i of 16 lanes is 16 addresses, far apart: a gather or a scatter for
// each access, even where all lanes want the same element. But most such arrays are only loaded and stored by their own
// thread, and nobody can tell where they lie. Then the elements of the gang's lanes are put side by side:
//
//     whole:     a[0] a[1] a[2] ... of lane 0, then of lane 1, ...     lane * size + offset
//     by lanes:  a[0] of lanes 0 ... W-1, then a[1] of them, ...       lane * element + offset * W
//
// and an index that is the same in all lanes makes vector accesses.
//
// PTX has integers for addresses, so this looks at the web of everything that is computed from the array's address: sums
// with other values, phis, selections, casts. It must end in loads and stores, tests of alignment and comparisons within
// the array; anything else (a call, a store of the address) and the array stays whole. Then each value of the web
// becomes an offset from the array's start, and each access gets its address by the rule above: heddle.frame.lanes(offset)
// is where the gang has the array, heddle.frame.lane(element) is lane * element.
//
// Elements are as large as the largest access; a smaller one must stay within its element: its offset must be a multiple of
// its own size, to be seen from the arithmetic alone. Loops that fill the array byte by byte, clang's form of `= {0}` for
// PTX, store whole elements instead.
#include "base/map.h"
#include "base/vec.h"
#include "jit/analysis/loops.h"
#include "jit/analysis/low_bits.h"
#include "jit/ir/pass.h"
#include <string.h>

enum { ELEMENT_MAX = 16 };

struct web {
    struct region_plan *plan;
    const struct cfg *cfg;
    LLVMBuilderRef b;
    LLVMTypeRef i64;
    LLVMValueRef array;
    unsigned align;
    uint64_t bytes, element;
    LLVMValueRef start, lane;          // where the gang has it; lane * element
    struct VEC(LLVMValueRef) members;  // addresses: array + something
    struct VEC(LLVMValueRef) accesses; // loads and stores
    struct VEC(LLVMValueRef) tests;    // of low bits, and comparisons
    struct VEC(LLVMValueRef) marks;    // of lifetimes
    struct map offset;                 // member -> its offset; while the web is found, itself
};

static bool is_member(const struct web *w, LLVMValueRef x)
{
    return map_get_ptr(&w->offset, x) != NULL;
}

static bool add_member(struct web *w, LLVMValueRef x)
{
    if (!is_member(w, x)) {
        map_put_ptr(&w->offset, x, x);
        vec_push(&w->members, x);
    }
    return true;
}

static uint64_t access_bytes(const struct web *w, LLVMValueRef access)
{
    return LLVMABISizeOfType(w->plan->layout, ir_access_type(access));
}

static bool add_access(struct web *w, LLVMValueRef x)
{
    uint64_t n = access_bytes(w, x);
    vec_push(&w->accesses, x);
    return LLVMGetOrdering(x) == LLVMAtomicOrderingNotAtomic && n && n <= ELEMENT_MAX && !(n & (n - 1));
}

static bool add_use(struct web *w, LLVMValueRef x, LLVMValueRef of)
{
    int64_t c;
    bool first = LLVMGetOperand(x, 0) == of;
    if (IR_IS(x, LLVMIntToPtr, LLVMAddrSpaceCast, LLVMPHI))
        return add_member(w, x);
    if (IR_IS(x, LLVMPtrToInt, LLVMAdd, LLVMSub, LLVMOr))
        return LLVMTypeOf(x) == w->i64 && (!ir_is_opcode(x, LLVMSub) || first) &&
               (!ir_is_opcode(x, LLVMOr) || LLVMGetIsDisjoint(x)) && add_member(w, x);
    switch (LLVMGetInstructionOpcode(x)) {
    case LLVMLoad:
        return add_access(w, x);
    case LLVMStore:
        return !first && add_access(w, x);
    case LLVMGetElementPtr:
        return LLVMGetNumOperands(x) == 2 && LLVMGetOperand(x, 1) != of && add_member(w, x);
    case LLVMSelect:
        return !first && add_member(w, x);
    case LLVMAnd:
        vec_push(&w->tests, x);
        return value_constant(LLVMGetOperand(x, 1), &c) && c >= 0 && c < (int64_t)w->align;
    case LLVMICmp: // comes once for each side
        for (size_t i = 0; i < w->tests.len; i++)
            if (w->tests.data[i] == x)
                return true;
        vec_push(&w->tests, x);
        return true;
    case LLVMCall:
        vec_push(&w->marks, x);
        return !strncmp(call_name(x), "llvm.lifetime.", 14);
    default:
        return false;
    }
}

// Exactly one part of a sum is an address of the array, and every edge into a phi brings one.
static bool is_sound(const struct web *w, LLVMValueRef x)
{
    if (IR_IS(x, LLVMAdd, LLVMOr, LLVMSub))
        return is_member(w, LLVMGetOperand(x, 0)) != is_member(w, LLVMGetOperand(x, 1));
    bool chooses = LLVMIsASelectInst(x), all = true;
    if (chooses || LLVMIsAICmpInst(x))
        return is_member(w, LLVMGetOperand(x, chooses)) && is_member(w, LLVMGetOperand(x, chooses + 1u));
    for (unsigned i = 0; LLVMIsAPHINode(x) && i < LLVMCountIncoming(x); i++)
        all &= is_member(w, LLVMGetIncomingValue(x, i)) || LLVMIsUndef(LLVMGetIncomingValue(x, i));
    return all;
}

static bool web_find(struct web *w)
{
    add_member(w, w->array);
    for (size_t i = 0; i < w->members.len; i++) {
        LLVMValueRef m = w->members.data[i];
        FOR_USES (m, u)
            if (!add_use(w, LLVMGetUser(u), m))
                return remark_return(false, LLVMGetUser(u),
                                     "an array stays whole: here its address is used otherwise than to load and store");
    }
    for (size_t i = 0; i < w->members.len; i++)
        if (!is_sound(w, w->members.data[i]))
            return false;
    for (size_t i = 0; i < w->tests.len; i++)
        if (!is_sound(w, w->tests.data[i]))
            return false;
    return w->accesses.len > 0;
}

// Whether the offset of an address is a multiple of a power of two.
static bool is_multiple(const struct web *w, LLVMValueRef x, uint64_t of)
{
    return low_zeros(w->plan->layout, x, w->array) >= (unsigned)__builtin_ctzll(of);
}

// Filling

struct fill {
    LLVMValueRef store, counter, next, test;
    uint64_t bytes;
};

// The loop has nothing but the store, its address and the counter.
static bool is_all(LLVMBasicBlockRef b, const struct fill *f)
{
    LLVMValueRef a = ir_address(f->store);
    FOR_INSTRUCTIONS (b, x) {
        bool part_of_address = x == a || (LLVMIsAIntToPtrInst(a) && x == LLVMGetOperand(a, 0));
        if (x != f->store && x != f->counter && x != f->next && x != f->test && !part_of_address &&
            x != LLVMGetBasicBlockTerminator(b))
            return false;
    }
    return true;
}

static bool stays_inside(LLVMBasicBlockRef b, LLVMValueRef x)
{
    FOR_USES (x, u)
        if (LLVMGetInstructionParent(LLVMGetUser(u)) != b)
            return false;
    return true;
}

// for (counter = 0; counter < bytes; counter++) byte[counter] = constant: in one block, which branches to itself.
static bool is_fill(const struct web *w, LLVMValueRef store, struct fill *f)
{
    LLVMBasicBlockRef b = LLVMGetInstructionParent(store);
    int at = cfg_index(w->cfg, b), loop = w->cfg->blocks[at].heads;
    int64_t c;
    bool goes_on;
    *f = (struct fill){.store = store, .counter = LLVMGetFirstInstruction(b)};
    if (loop == CFG_NONE || w->cfg->loops[loop].latch != at || !LLVMIsAPHINode(f->counter) ||
        LLVMTypeOf(f->counter) != w->i64 || !LLVMIsAStoreInst(store) || LLVMGetVolatile(store) ||
        access_bytes(w, store) != 1 || !LLVMIsAConstantInt(LLVMGetOperand(store, 0)))
        return false;
    LLVMValueRef start = loop_start(w->cfg, loop, f->counter);
    f->test = loop_condition(w->cfg, loop, &goes_on);
    f->next = loop_next(w->cfg, loop, f->counter);
    f->bytes = loop_trip_count(w->cfg, loop, (unsigned)w->bytes);
    if (!f->bytes || !f->next || !loop_is_step(f->next, f->counter, &c) || c != 1 || !start || !value_is(start, false))
        return false;
    LLVMValueRef a = ir_address(store), sum = LLVMIsAIntToPtrInst(a) ? LLVMGetOperand(a, 0) : a;
    bool adds = IR_IS(sum, LLVMAdd, LLVMGetElementPtr) &&
                (LLVMGetOperand(sum, 0) == f->counter) != (LLVMGetOperand(sum, 1) == f->counter);
    const LLVMValueRef changed[] = {f->counter, f->next, f->test, sum, a}; // what it is behind the loop will be another
    for (size_t i = 0; i < sizeof changed / sizeof *changed; i++)
        if (!stays_inside(b, changed[i]))
            return false;
    return adds && is_all(b, f);
}

// What the counter is added to.
static LLVMValueRef fill_start(const struct fill *f)
{
    LLVMValueRef a = ir_address(f->store), sum = LLVMIsAIntToPtrInst(a) ? LLVMGetOperand(a, 0) : a;
    return LLVMGetOperand(sum, LLVMGetOperand(sum, 0) == f->counter ? 1 : 0);
}

static void fill_widen(struct web *w, const struct fill *f)
{
    LLVMTypeRef t = LLVMIntTypeInContext(LLVMGetTypeContext(w->i64), (unsigned)w->element * 8);
    LLVMValueRef end = LLVMGetBasicBlockTerminator(LLVMGetInstructionParent(f->store));
    uint64_t byte = LLVMConstIntGetZExtValue(LLVMGetOperand(f->store, 0)) & 255, words[2];
    words[0] = words[1] = byte * 0x0101010101010101u;
    LLVMSetOperand(f->store, 0, LLVMConstIntOfArbitraryPrecision(t, 2, words));
    LLVMSetAlignment(f->store, (unsigned)(w->element < w->align ? w->element : w->align));
    LLVMSetOperand(f->next, 1, LLVMConstInt(w->i64, w->element, 0));
    LLVMPositionBuilderBefore(w->b, end);
    bool again = LLVMGetSuccessor(end, 0) == LLVMGetInstructionParent(f->store);
    LLVMValueRef test =
        LLVMBuildICmp(w->b, again ? LLVMIntULT : LLVMIntUGE, f->next, LLVMConstInt(w->i64, f->bytes, 0), "");
    LLVMSetCondition(end, test);
    LLVMInstructionEraseFromParent(f->test);
}

// Offsets

static LLVMValueRef offset_of(struct web *w, LLVMValueRef x);

// What a member adds to the one it is made of.
static LLVMValueRef sum_offset(struct web *w, LLVMValueRef x)
{
    LLVMValueRef a = LLVMGetOperand(x, 0), b = LLVMGetOperand(x, 1);
    if (!is_member(w, a)) {
        LLVMValueRef swap = a;
        a = b, b = swap;
    }
    a = offset_of(w, a);
    LLVMPositionBuilderBefore(w->b, x);
    if (LLVMGetInstructionOpcode(x) == LLVMSub)
        return LLVMBuildSub(w->b, a, b, "");
    if (LLVMIsAGetElementPtrInst(x)) {
        uint64_t unit = LLVMABISizeOfType(w->plan->layout, LLVMGetGEPSourceElementType(x));
        if (LLVMTypeOf(b) != w->i64)
            b = LLVMBuildSExtOrBitCast(w->b, b, w->i64, "");
        if (unit != 1)
            b = LLVMBuildMul(w->b, b, LLVMConstInt(w->i64, unit, 0), "");
    }
    return LLVMBuildAdd(w->b, a, b, "");
}

static LLVMValueRef offset_of(struct web *w, LLVMValueRef x)
{
    LLVMValueRef r = map_get_ptr(&w->offset, x), a, b;
    if (!r) // no member: an edge into a phi that brings nothing
        return LLVMGetUndef(w->i64);
    if (r != x)
        return r;
    switch (x == w->array ? LLVMAlloca : LLVMGetInstructionOpcode(x)) {
    case LLVMAlloca:
        r = LLVMConstInt(w->i64, 0, 0);
        break;
    case LLVMSelect:
        a = offset_of(w, LLVMGetOperand(x, 1)), b = offset_of(w, LLVMGetOperand(x, 2));
        LLVMPositionBuilderBefore(w->b, x);
        r = LLVMBuildSelect(w->b, LLVMGetOperand(x, 0), a, b, "");
        break;
    case LLVMPHI: // its edges are filled in at the end
        LLVMPositionBuilderBefore(w->b, x);
        r = LLVMBuildPhi(w->b, w->i64, "");
        break;
    case LLVMAdd:
    case LLVMSub:
    case LLVMOr:
    case LLVMGetElementPtr:
        r = sum_offset(w, x);
        break;
    default:
        r = offset_of(w, LLVMGetOperand(x, 0));
    }
    map_put_ptr(&w->offset, x, r);
    return r;
}

static void find_offsets(struct web *w)
{
    for (size_t i = 0; i < w->members.len; i++)
        offset_of(w, w->members.data[i]);
    for (size_t i = 0; i < w->members.len; i++) {
        LLVMValueRef x = w->members.data[i], phi = map_get_ptr(&w->offset, x);
        for (unsigned k = 0; LLVMIsAPHINode(x) && k < LLVMCountIncoming(x); k++) {
            LLVMValueRef v = offset_of(w, LLVMGetIncomingValue(x, k));
            LLVMBasicBlockRef from = LLVMGetIncomingBlock(x, k);
            LLVMAddIncoming(phi, &v, &from, 1);
        }
    }
}

static void rewrite_access(struct web *w, LLVMValueRef x)
{
    LLVMTypeRef i8 = LLVMInt8TypeInContext(LLVMGetTypeContext(w->i64));
    LLVMValueRef at = ir_address(x), o = offset_of(w, at), width = LLVMConstInt(w->i64, w->plan->width, 0),
                 within = NULL;
    LLVMPositionBuilderBefore(w->b, x);
    if (!is_multiple(w, at, w->element)) {
        within = LLVMBuildAnd(w->b, o, LLVMConstInt(w->i64, w->element - 1, 0), "");
        o = LLVMBuildAnd(w->b, o, LLVMConstInt(w->i64, -w->element, 0), "");
    }
    o = LLVMBuildMul(w->b, o, width, "");
    if (within)
        o = LLVMBuildAdd(w->b, o, within, "");
    o = LLVMBuildAdd(w->b, o, w->lane, "");
    LLVMSetOperand(x, LLVMIsAStoreInst(x) ? 1 : 0, LLVMBuildGEP2(w->b, i8, w->start, &o, 1, ""));
}

static LLVMIntPredicate signed_predicate(LLVMIntPredicate p)
{
    return p >= LLVMIntUGT && p <= LLVMIntULE ? p + (LLVMIntSGT - LLVMIntUGT) : p;
}

// Offsets may be negative where addresses are large.
static void rewrite_test(struct web *w, LLVMValueRef x)
{
    LLVMValueRef a = offset_of(w, LLVMGetOperand(x, 0)), r;
    LLVMPositionBuilderBefore(w->b, x);
    if (LLVMIsAICmpInst(x))
        r = LLVMBuildICmp(w->b, signed_predicate(LLVMGetICmpPredicate(x)), a, offset_of(w, LLVMGetOperand(x, 1)), "");
    else
        r = LLVMBuildAnd(w->b, a, LLVMGetOperand(x, 1), "");
    ir_replace(x, r);
}

static void web_rewrite(struct web *w)
{
    LLVMValueRef offset = LLVMConstInt(w->i64, w->plan->lanes_bytes, 0), bytes = LLVMConstInt(w->i64, w->element, 0);
    LLVMPositionBuilderBefore(w->b, w->array);
    w->start = op_build(w->b, OP_FRAME_LANES, &offset, 1);
    w->lane = op_build(w->b, OP_FRAME_LANE, &bytes, 1);
    w->plan->lanes_bytes += (w->bytes + ELEMENT_MAX - 1) / ELEMENT_MAX * ELEMENT_MAX;
    find_offsets(w);
    for (size_t i = 0; i < w->accesses.len; i++)
        rewrite_access(w, w->accesses.data[i]);
    for (size_t i = 0; i < w->tests.len; i++)
        rewrite_test(w, w->tests.data[i]);
    for (size_t i = 0; i < w->marks.len; i++)
        LLVMInstructionEraseFromParent(w->marks.data[i]);
    for (size_t i = 0; i < w->members.len; i++)
        LLVMReplaceAllUsesWith(w->members.data[i], LLVMGetUndef(LLVMTypeOf(w->members.data[i])));
    for (size_t i = 0; i < w->members.len; i++)
        LLVMInstructionEraseFromParent(w->members.data[i]);
}

// The largest access is an element; false: some access may lie across two.
static bool choose_element(struct web *w)
{
    struct fill f;
    w->element = 1;
    for (size_t i = 0; i < w->accesses.len; i++)
        if (!is_fill(w, w->accesses.data[i], &f) && access_bytes(w, w->accesses.data[i]) > w->element)
            w->element = access_bytes(w, w->accesses.data[i]);
    for (size_t i = 0; i < w->accesses.len; i++)
        if (!is_multiple(w, ir_address(w->accesses.data[i]), access_bytes(w, w->accesses.data[i])))
            return remark_return(false, w->accesses.data[i], "an array stays whole: the access may cross its elements");
    return true;
}

static void interleave(struct region_plan *plan, const struct cfg *cfg, LLVMBuilderRef b, LLVMValueRef array)
{
    struct web w = {.plan = plan, .cfg = cfg, .b = b, .array = array, .align = LLVMGetAlignment(array)};
    struct fill f;
    int64_t count;
    w.i64 = LLVMInt64TypeInContext(LLVMGetModuleContext(plan->module));
    if (!value_constant(LLVMGetOperand(array, 0), &count))
        return;
    w.bytes = LLVMABISizeOfType(plan->layout, LLVMGetAllocatedType(array)) * (uint64_t)count;
    if (web_find(&w) && choose_element(&w)) {
        for (size_t i = 0; i < w.accesses.len; i++)
            if (is_fill(&w, w.accesses.data[i], &f) && !(f.bytes % w.element) &&
                is_multiple(&w, fill_start(&f), w.element))
                fill_widen(&w, &f);
        remark(array, "%u bytes are kept element by element for all lanes", (unsigned)w.bytes);
        web_rewrite(&w);
    }
    vec_free(&w.members);
    vec_free(&w.accesses);
    vec_free(&w.tests);
    vec_free(&w.marks);
    map_free(&w.offset);
}

bool pass_interleave_locals(struct compilation *c)
{
    struct VEC(LLVMValueRef) arrays = {0};
    struct cfg cfg;
    if (c->plan.width == 1)
        return remark_return(true, NULL, "one lane: nothing to interleave");
    FOR_FUNCTION (c->t.kernel, x)
        if (LLVMIsAAllocaInst(x))
            vec_push(&arrays, x);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(c->context);
    cfg_build(&cfg, c->t.kernel);
    for (size_t i = 0; i < arrays.len; i++)
        interleave(&c->plan, &cfg, b, arrays.data[i]);
    cfg_fini(&cfg);
    LLVMDisposeBuilder(b);
    vec_free(&arrays);
    return true;
}
