// SPDX-License-Identifier: Apache-2.0
// Checks of alignment: removes those that another one makes superfluous, takes those out of loops that are the same in every iteration, and
// makes those of kernel parameters assumptions of the plan. translate puts a check before each access: heddle.rt.misaligned(address & (size - 1)). Instcombine takes
// out of the low bits what is a multiple of the size, indices mostly, and what is left is often the low bits of a
// pointer parameter: the same for many accesses, and the same in all lanes. So
//  - a check of nothing (0) goes;
//  - a check of a kernel parameter becomes an assumption of the variant, which launches test; where it does not hold,
//    they take a variant that has the check. In a small kernel even a test that is never true costs: a stencil ran 10 %
//    longer;
//  - what a value gains by adding multiples of the size does not matter: a pointer that runs through a loop in such
//    steps has the low bits that it began with;
//  - a check in a loop whose operand comes from outside, in a block that every iteration runs, goes in front of the loop.
//    Loops are structured here: entered, they run from the header to the latch at least once, so the check is made exactly
//    when the access would be. Only what the kernel did before the fault differs, which no one may read afterwards;
//  - a check behind another one of the same value and at least as many bits goes.
#include "jit/analysis/address.h"
#include "jit/analysis/loops.h"
#include "jit/analysis/low_bits.h"
#include "jit/ir/pass.h"
#include "base/map.h"
#include "base/vec.h"
#include <llvm-c/DebugInfo.h>

struct check {
    LLVMValueRef call, value; // value & bits must be 0
    uint64_t bits;
    int block;
    unsigned rank; // of checks in one block the lower comes first
};

struct align {
    struct region_plan *plan;
    struct cfg cfg;
    LLVMBuilderRef b;
    struct VEC(struct check) checks;
};

// Looks through `zext (x & constant)`.
static void read_operand(struct check *c)
{
    LLVMValueRef x = LLVMGetOperand(c->call, 0);
    if (LLVMIsAZExtInst(x))
        x = LLVMGetOperand(x, 0);
    c->value = x;
    c->bits = UINT64_MAX;
    if (LLVMIsAInstruction(x) && LLVMGetInstructionOpcode(x) == LLVMAnd && LLVMIsAConstantInt(LLVMGetOperand(x, 1))) {
        c->value = LLVMGetOperand(x, 0);
        c->bits = LLVMConstIntGetZExtValue(LLVMGetOperand(x, 1));
    }
}

static bool assume(struct region_plan *p, const struct check *c)
{
    int64_t offset;
    unsigned i = 0;
    if (p->checked || c->bits > UINT8_MAX || !address_parameter(c->value, &offset) || offset < 0 || offset > UINT16_MAX)
        return false;
    while (i < p->nassumed && p->assumed[i].offset != offset)
        i++;
    if (i == JIT_ASSUMED_MAX)
        return false;
    p->assumed[i].offset = (uint32_t)offset;
    p->assumed[i].bits |= (uint32_t)c->bits;
    p->nassumed = i == p->nassumed ? i + 1 : p->nassumed;
    return true;
}

// Does it add nothing to these low bits?
static bool is_multiple(const struct align *a, LLVMValueRef x, uint64_t bits)
{
    return low_zeros(a->plan->layout, x, NULL) >= 64u - (unsigned)__builtin_clzll(bits);
}

struct phis {
    LLVMValueRef phi;
    const struct phis *outer;
};

// A value with the same low bits that x comes from; phis that are being looked at stand for themselves.
static LLVMValueRef low_source(const struct align *a, LLVMValueRef x, uint64_t bits, const struct phis *outer,
                               unsigned depth)
{
    while (ir_is_opcode(x, LLVMAdd) || ir_is_opcode(x, LLVMSub)) {
        if (is_multiple(a, LLVMGetOperand(x, 1), bits))
            x = LLVMGetOperand(x, 0);
        else if (ir_is_opcode(x, LLVMAdd) && is_multiple(a, LLVMGetOperand(x, 0), bits))
            x = LLVMGetOperand(x, 1);
        else
            break;
    }
    if (!LLVMIsAPHINode(x) || !depth)
        return x;
    for (const struct phis *p = outer; p; p = p->outer)
        if (p->phi == x)
            return x;
    struct phis here = {x, outer};
    LLVMValueRef found = NULL;
    for (unsigned i = 0; i < LLVMCountIncoming(x); i++) {
        LLVMValueRef in = LLVMGetIncomingValue(x, i);
        if (LLVMIsUndef(in)) // poison too
            continue;
        in = low_source(a, in, bits, &here, depth - 1);
        if (in == x)
            continue;
        if (found && found != in)
            return x;
        found = in;
    }
    return found ? found : x;
}

static void collect(struct align *a)
{
    for (unsigned k = 0; k < a->cfg.norder; k++) {
        int b = a->cfg.order[k];
        FOR_INSTRUCTIONS_SAFE (a->cfg.blocks[b].block, x) {
            if (op_of(x) != OP_RT_MISALIGNED)
                continue;
            struct check c = {.call = x, .block = b, .rank = (unsigned)a->checks.len};
            read_operand(&c);
            if (c.bits && c.bits <= UINT8_MAX)
                c.value = low_source(a, c.value, c.bits, NULL, 4);
            if (LLVMIsNull(LLVMGetOperand(x, 0)) || assume(a->plan, &c)) {
                remark(x, LLVMIsNull(LLVMGetOperand(x, 0)) ? "the address is aligned" : "launches test the parameter");
                LLVMInstructionEraseFromParent(x);
                continue;
            }
            vec_push(&a->checks, c);
        }
    }
}

// Is the value at hand at the end of the block? What low_source() finds behind a phi that is poison on the other edges may not be;
// nor may what it finds behind the phi by which a value leaves a loop: in the loop the lanes that left before have another.
static bool is_available(struct align *a, LLVMValueRef v, int block)
{
    int at = LLVMIsAInstruction(v) ? cfg_index(&a->cfg, LLVMGetInstructionParent(v)) : CFG_NONE;
    if (at == CFG_NONE)
        return true;
    int loop = a->cfg.blocks[at].loop;
    return cfg_dominates(&a->cfg, at, block) && (loop == CFG_NONE || cfg_loop_contains(&a->cfg, loop, block));
}

// The block that the check may move to, as far out as it can.
static int outermost(struct align *a, const struct check *c)
{
    int block = c->block;
    for (;;) {
        int loop = a->cfg.blocks[block].loop;
        if (loop == CFG_NONE || a->cfg.loops[loop].latch == CFG_NONE || loop_has(&a->cfg, loop, c->value) ||
            !cfg_dominates(&a->cfg, block, a->cfg.loops[loop].latch))
            return block;
        int before = loop_preheader(&a->cfg, loop);
        if (before == CFG_NONE || !is_available(a, c->value, before))
            return block;
        block = before;
    }
}

static void move(struct align *a, struct check *c, int block)
{
    LLVMTypeRef i64 = LLVMTypeOf(LLVMGetOperand(c->call, 0)), t = LLVMTypeOf(c->value);
    LLVMMetadataRef location = LLVMInstructionGetDebugLoc(c->call);
    LLVMValueRef f = LLVMGetCalledValue(c->call);
    LLVMPositionBuilderBefore(a->b, LLVMGetBasicBlockTerminator(a->cfg.blocks[block].block));
    LLVMSetCurrentDebugLocation2(a->b, location);
    LLVMValueRef low = c->bits == UINT64_MAX ? c->value : LLVMBuildAnd(a->b, c->value, LLVMConstInt(t, c->bits, 0), "");
    if (t != i64)
        low = LLVMBuildZExt(a->b, low, i64, "");
    LLVMInstructionEraseFromParent(c->call);
    c->call = ir_call(a->b, f, &low, 1);
    c->block = block;
    c->rank += (unsigned)a->checks.len; // behind those that stood there
}

static bool comes_before(struct align *a, const struct check *x, const struct check *y)
{
    return x->block == y->block ? x->rank < y->rank : cfg_dominates(&a->cfg, x->block, y->block);
}

// Checks of one value are a chain; each is compared with the others.
static void remove_superfluous(struct align *a)
{
    struct map last = {0}; // value -> index of its last check, plus one
    size_t n = a->checks.len, *previous = arena_array(&a->cfg.arena, size_t, n + 1);
    for (size_t i = 0; i < n; i++) {
        struct check *c = &a->checks.data[i];
        previous[i] = (size_t)(uintptr_t)map_get_ptr(&last, c->value);
        map_put_ptr(&last, c->value, (void *)(uintptr_t)(i + 1));
    }
    enum { COMPARED = 64 }; // with so many at most
    for (size_t i = 0; i < n; i++) {
        unsigned left = COMPARED;
        for (size_t k = (size_t)(uintptr_t)map_get_ptr(&last, a->checks.data[i].value); k && left;
             k = previous[k - 1]) {
            struct check *c = &a->checks.data[i], *other = &a->checks.data[k - 1];
            left--;
            if (other == c || !other->call || (c->bits & ~other->bits) || !comes_before(a, other, c))
                continue;
            LLVMInstructionEraseFromParent(c->call);
            c->call = NULL;
            break;
        }
    }
    map_free(&last);
}

static void simplify(struct compilation *k, LLVMValueRef function)
{
    struct align a = {.plan = &k->plan, .b = LLVMCreateBuilderInContext(k->context)};
    cfg_build(&a.cfg, function);
    collect(&a);
    for (size_t i = 0; i < a.checks.len; i++) {
        int to = outermost(&a, &a.checks.data[i]);
        if (to != a.checks.data[i].block) {
            remark(a.checks.data[i].call, "the check goes before the loop");
            move(&a, &a.checks.data[i], to);
        }
    }
    remove_superfluous(&a);
    for (size_t i = 0; i < a.checks.len; i++)
        if (a.checks.data[i].call)
            remark(a.checks.data[i].call, "a check stays: what the address is made of is not known to be aligned");
    vec_free(&a.checks);
    LLVMDisposeBuilder(a.b);
    cfg_fini(&a.cfg);
}

bool pass_align(struct compilation *c)
{
    return pass_functions(c, simplify);
}
