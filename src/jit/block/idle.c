// SPDX-License-Identifier: Apache-2.0
// Finds gangs that have nothing to do. In the last steps of a tree reduction most threads only go from barrier to
// barrier: `if (tid < k)` is false for them, and for all gangs behind them. A region is searched for a path through it
// that
//   - has no effect but on the block-uniform slots, which every gang writes alike, and
//   - once a gang takes it, all following gangs take too: its conditions are block-uniform, or compare the thread's
//     number with something block-uniform in the direction that stays true as the number grows.
// Where the path is decided, the region then says so in a word behind the uniform slots, and the loop over the gangs
// ends.
#include "jit/analysis/cfg.h"
#include "base/str.h"
#include "jit/block/block.h"
#include "jit/ir/pass.h"
#include <string.h>

enum direction { FIXED, RISES, FALLS, UNKNOWN }; // of a truth value, with the number of the gang's first thread
enum { DEPTH_MAX = 24, FIRST_MAX = 2048, PATH_MAX = 32 };
enum { FIXED_MEMORY = 1 << PARAM_LAUNCH | 1 << PARAM_BLOCK | 1 << PARAM_NOW };

struct search {
    struct block_gen *g;
    LLVMValueRef function, first, next;
    struct cfg cfg;
    bool *quiet; // blocks without an effect
    bool *rest;  // blocks from which only such blocks are reached
    bool found;
};

// The same for all gangs of the block, while the region runs.
static bool is_fixed(struct search *s, LLVMValueRef v, unsigned depth)
{
    if (v == s->first || depth > DEPTH_MAX)
        return false;
    if (!LLVMIsAInstruction(v))
        return true;
    if (IR_IS(v, LLVMPHI, LLVMAlloca, IR_ATOMICS) || (LLVMIsACallInst(v) && !LLVMIsAIntrinsicInst(v)))
        return false;
    if (LLVMIsALoadInst(v) && !ir_is_invariant(v) && !block_is_within(s->function, LLVMGetOperand(v, 0), FIXED_MEMORY))
        return false;
    for (int i = 0, n = LLVMGetNumOperands(v); i < n; i++)
        if (!is_fixed(s, LLVMGetOperand(v, (unsigned)i), depth + 1))
            return false;
    return true;
}

// first + a small constant, perhaps widened: grows with first and does not wrap around.
static bool is_thread(struct search *s, LLVMValueRef v)
{
    for (unsigned i = 0; i < 6; i++) {
        if (v == s->first)
            return true;
        if (!LLVMIsAInstruction(v))
            return false;
        LLVMOpcode op = LLVMGetInstructionOpcode(v);
        if (op == LLVMAdd || op == LLVMOr) {
            LLVMValueRef c = LLVMGetOperand(v, 1);
            bool small =
                LLVMIsAConstantInt(c) && LLVMConstIntGetZExtValue(c) < (op == LLVMAdd ? FIRST_MAX : s->g->width);
            if (!small)
                return false;
        } else if (op != LLVMZExt && op != LLVMSExt && op != LLVMFreeze) {
            return false;
        }
        v = LLVMGetOperand(v, 0);
    }
    return false;
}

static enum direction flip(enum direction d)
{
    return d == RISES ? FALLS : d == FALLS ? RISES : d;
}

static enum direction join(enum direction a, enum direction b)
{
    return a == FIXED ? b : b == FIXED || a == b ? a : UNKNOWN;
}

static enum direction compare_direction(struct search *s, LLVMValueRef v)
{
    LLVMValueRef a = LLVMGetOperand(v, 0), b = LLVMGetOperand(v, 1);
    LLVMIntPredicate p = LLVMGetICmpPredicate(v);
    bool swapped = is_thread(s, b);
    if (!swapped && !is_thread(s, a))
        return UNKNOWN;
    if (!is_fixed(s, swapped ? a : b, 0))
        return UNKNOWN;
    LLVMValueRef other = swapped ? a : b;
    bool is_signed = p >= LLVMIntSGT,
         huge = LLVMIsAConstantInt(other) && LLVMConstIntGetZExtValue(other) >= 2 * FIRST_MAX;
    if (huge && !is_signed)
        return FIXED;
    enum direction d = UNKNOWN;
    if (LLVMIsAConstantInt(other) && LLVMIsNull(other) && (p == LLVMIntEQ || p == LLVMIntNE))
        return p == LLVMIntNE ? RISES : FALLS;
    if (p == LLVMIntUGT || p == LLVMIntUGE || p == LLVMIntSGT || p == LLVMIntSGE)
        d = RISES;
    if (p == LLVMIntULT || p == LLVMIntULE || p == LLVMIntSLT || p == LLVMIntSLE)
        d = FALLS;
    return swapped ? flip(d) : d;
}

static enum direction direction_of(struct search *s, LLVMValueRef v, unsigned depth)
{
    if (depth > 8)
        return UNKNOWN;
    if (is_fixed(s, v, 0))
        return FIXED;
    LLVMValueRef part[2];
    enum logic how = ir_logic(v, part);
    if (how == LOGIC_NOT)
        return flip(direction_of(s, part[0], depth + 1));
    if (how != LOGIC_NONE)
        return join(direction_of(s, part[0], depth + 1), direction_of(s, part[1], depth + 1));
    return LLVMIsAICmpInst(v)     ? compare_direction(s, v)
           : LLVMIsAFreezeInst(v) ? direction_of(s, LLVMGetOperand(v, 0), depth + 1)
                                  : UNKNOWN;
}

static bool is_quiet_instruction(struct search *s, LLVMValueRef i)
{
    static const char *const pure[] = {"llvm.vector.reduce.", "llvm.aarch64.neon.", "llvm.umin",
                                       "llvm.umax",           "llvm.smin",          "llvm.smax",
                                       "llvm.usub.sat",       "llvm.fma",           "llvm.ctpop"};
    if (LLVMIsAStoreInst(i))
        return block_is_within(s->function, LLVMGetOperand(i, 1), 1 << PARAM_NEXT) && !LLVMGetVolatile(i);
    if (LLVMIsACallInst(i))
        return ir_call_only_reads(i) || (str_begins_any(call_name(i), pure, sizeof pure / sizeof *pure) &&
                                         strncmp(call_name(i), "llvm.aarch64.neon.st", 20));
    return !IR_IS(i, IR_ATOMICS) && (!LLVMIsALoadInst(i) || access_is_simple(i));
}

static void find_quiet_blocks(struct search *s)
{
    for (unsigned k = s->cfg.norder;
         k-- > 0;) { // from the ends backwards: a block whose successors are all such, without cycles
        int b = s->cfg.order[k];
        s->quiet[b] = true;
        FOR_INSTRUCTIONS (s->cfg.blocks[b].block, i)
            s->quiet[b] = s->quiet[b] && is_quiet_instruction(s, i);
        bool rest = s->quiet[b];
        for (unsigned i = 0; i < s->cfg.blocks[b].nsucc; i++)
            rest = rest && s->rest[s->cfg.blocks[b].succ[i]];
        s->rest[b] = rest;
    }
}

// Says in the word behind the uniform slots that this branch takes the idle path.
static void tell(struct search *s, LLVMBasicBlockRef block, LLVMValueRef condition, bool when)
{
    struct block_gen *g = s->g;
    LLVMBuilderRef b = g->b;
    LLVMValueRef offset = LLVMConstInt(g->i64, (g->plan->uniform_bytes + 7) & ~(uint64_t)7, 0);
    LLVMPositionBuilderBefore(b, LLVMGetBasicBlockTerminator(block));
    LLVMValueRef idle = when ? condition : LLVMBuildNot(b, condition, "");
    LLVMBuildStore(b, LLVMBuildZExt(b, idle, g->i64, "idle"), LLVMBuildGEP2(b, g->i8, s->next, &offset, 1, ""));
    s->found = true;
}

static void walk(struct search *s, int block, bool rises, unsigned depth)
{
    const struct cfg_block *b = &s->cfg.blocks[block];
    LLVMValueRef t = LLVMGetBasicBlockTerminator(b->block);
    if (depth > PATH_MAX || !s->quiet[block])
        return;
    if (b->nsucc == 1 && s->cfg.blocks[b->succ[0]].npred == 1)
        walk(s, b->succ[0], rises, depth + 1);
    if (b->nsucc != 2 || LLVMGetInstructionOpcode(t) != LLVMBr)
        return;
    enum direction d = direction_of(s, LLVMGetCondition(t), 0);
    bool told = false;
    for (unsigned i = 0; i < 2; i++) {
        enum direction way = i ? flip(d) : d;
        if (way != FIXED && way != RISES)
            continue;
        if (!told && s->rest[b->succ[i]] && (rises || way == RISES)) {
            tell(s, b->block, LLVMGetCondition(t), i == 0);
            told = true;
        } else if (s->cfg.blocks[b->succ[i]].npred == 1) {
            walk(s, b->succ[i], rises || way == RISES, depth + 1);
        }
    }
}

static bool block_find_idle(struct block_gen *g, LLVMValueRef full)
{
    struct search s = {.g = g, .function = full};
    s.first = LLVMGetParam(full, PARAM_FIRST);
    s.next = LLVMGetParam(full, PARAM_NEXT);
    cfg_build(&s.cfg, full);
    s.quiet = arena_array(&s.cfg.arena, bool, s.cfg.nblocks + 1);
    s.rest = arena_array(&s.cfg.arena, bool, s.cfg.nblocks + 1);
    find_quiet_blocks(&s);
    if (!s.rest[0])
        walk(&s, 0, false, 0);
    cfg_fini(&s.cfg);
    return s.found;
}

bool pass_idle(struct compilation *c)
{
    struct block_gen g = block_begin(&c->plan, c->d);
    for (size_t r = 0; r < c->plan.regions.len; r++) {
        struct region *x = &c->plan.regions.data[r];
        x->tells_idle = x->full && !x->interleaved && block_find_idle(&g, x->full);
        if (x->full)
            remark(x->full, x->tells_idle
                                ? "the loop over the gangs ends where the rest have nothing to do"
                                : "all gangs run: no path through it without an effect stays open for the rest");
    }
    LLVMDisposeBuilder(g.b);
    return true;
}
