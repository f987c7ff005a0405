// SPDX-License-Identifier: Apache-2.0
// Which values and branches the lanes of a group (a gang, or a warp) agree about: what decides whether they stay
// together.
//
// 1. A value is the same in the group unless it comes from the thread's position, from memory at addresses that differ,
//    from volatile and atomic accesses, or from a choice that the group makes differently. Positions are exact where the
//    block's shape is known: a small tree over tid and constants is computed for every thread (tid.x < 32, tid.x / 32
//    agree).
// 2. A branch on a value that differs divides the group until its lanes meet again, at the branch's nearest
//    post-dominator. Lanes that go where nothing waits any more are gone, not divided: an early return counts for
//    nothing.
// 3. Whether lanes arrive at different *times* is not seen here; waits.c asks again with the loads, barriers and votes that they may
//    make at different times: memory can then change between two lanes' loads of one address, and another barrier tell another thing. What
//    they make together brings all of them one value, whatever happens to them before and behind it.
#include "base/map.h"
#include "base/vec.h"
#include "jit/analysis/fold.h"
#include "jit/ir/dialect.h"
#include "jit/resume/resume.h"
#include <string.h>

enum { TREE_MAX = 24, NOWHERE = -1 };

struct converge {
    struct resume *r;
    const struct cfg *cfg;
    unsigned lanes, threads;
    const struct map *apart; // what the lanes may make at different times, and which may differ by that
    struct map differs;      // values
    bool *waits;             // by block: something that waits can be reached from it
    int *meet;               // by block: nearest post-dominator among the blocks that matter; nblocks: the end
    uint64_t *branches;      // by block
    unsigned *divided; // by block, once asked for: branches behind which lanes reach it separately, or some are gone
    bool *joins, *handled; // by block: lanes of a divided group meet here; its branch has been seen to divide
};

// Trees over the thread's position

enum { CHUNK = 32 };

// Neighbouring threads, and a value of each.
struct threads {
    unsigned first, n;
};

struct values {
    uint64_t x[CHUNK];
};

static bool position_leaf(struct converge *c, LLVMValueRef v, const struct threads *p, struct values *out)
{
    enum heddle_op op = op_of(v);
    const unsigned *block = c->r->plan->block;
    unsigned axis = op_rows[op].variant;
    bool tid = op_rows[op].kinds & IS_TID, ntid = op_rows[op].kinds & IS_NTID;
    for (unsigned i = 0, t = p->first; i < p->n; i++, t++) {
        if (tid)
            out->x[i] = axis == 0 ? t % block[0] : axis == 1 ? t / block[0] % block[1] : t / block[0] / block[1];
        else
            out->x[i] = ntid ? block[axis] : op == OP_LANEID ? t % RESUME_WARP_LANES : t / RESUME_WARP_LANES;
    }
    return tid || ntid || op == OP_LANEID || op == OP_WARPID;
}

static unsigned int_bits(LLVMTypeRef t)
{
    return LLVMGetTypeKind(t) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(t) <= 64 ? LLVMGetIntTypeWidth(t) : 0;
}

// The values of a tree for some threads; false when it is no such tree.
static bool evaluate(struct converge *c, LLVMValueRef v, const struct threads *p, unsigned *budget, struct values *out)
{
    unsigned bits = int_bits(LLVMTypeOf(v));
    if (!bits || !*budget)
        return false;
    --*budget;
    if (LLVMIsAConstantInt(v)) {
        uint64_t x = LLVMConstIntGetZExtValue(v);
        for (unsigned i = 0; i < p->n; i++)
            out->x[i] = x;
        return true;
    }
    if (!LLVMIsAInstruction(v))
        return false;
    LLVMOpcode op = LLVMGetInstructionOpcode(v);
    if (op == LLVMCall)
        return position_leaf(c, v, p, out);
    struct values a, b, d;
    bool binary = (op >= LLVMAdd && op <= LLVMXor) || op == LLVMICmp;
    if (!binary && op != LLVMZExt && op != LLVMSExt && op != LLVMTrunc && op != LLVMSelect)
        return false;
    if (!evaluate(c, LLVMGetOperand(v, 0), p, budget, &a))
        return false;
    unsigned from = int_bits(LLVMTypeOf(LLVMGetOperand(v, 0)));
    if ((binary || op == LLVMSelect) && !evaluate(c, LLVMGetOperand(v, 1), p, budget, &b))
        return false;
    if (op == LLVMSelect && !evaluate(c, LLVMGetOperand(v, 2), p, budget, &d))
        return false;
    LLVMIntPredicate predicate = op == LLVMICmp ? LLVMGetICmpPredicate(v) : LLVMIntEQ;
    for (unsigned i = 0; i < p->n; i++) {
        uint64_t *x = &out->x[i];
        if (op == LLVMICmp)
            *x = fold_compare(predicate, from, a.x[i], b.x[i]);
        else if (op == LLVMSelect)
            *x = a.x[i] ? b.x[i] : d.x[i];
        else if (!binary)
            *x = fold_low(op == LLVMSExt ? (uint64_t)fold_signed(a.x[i], from) : a.x[i], bits);
        else if (!fold_binary(op, bits, a.x[i], b.x[i], x))
            return false;
    }
    return true;
}

bool converge_lanes(struct converge *c, LLVMValueRef condition, unsigned warp, uint32_t *lanes)
{
    struct threads p = {.first = warp * RESUME_WARP_LANES};
    struct values x;
    unsigned budget = TREE_MAX;
    *lanes = 0;
    if (p.first >= c->threads)
        return c->threads != 0;
    p.n = c->threads - p.first < RESUME_WARP_LANES ? c->threads - p.first : RESUME_WARP_LANES;
    if (!evaluate(c, condition, &p, &budget, &x))
        return false;
    for (unsigned l = 0; l < p.n; l++)
        *lanes |= (uint32_t)(x.x[l] & 1) << l;
    return true;
}

static bool same_by_position(struct converge *c, LLVMValueRef v)
{
    struct values x;
    uint64_t first = 0;
    for (struct threads p = {0}; p.first < c->threads; p.first += p.n) {
        unsigned budget = TREE_MAX, left = c->threads - p.first;
        p.n = c->lanes < CHUNK ? c->lanes : CHUNK;
        p.n = p.n < left ? p.n : left;
        if (!evaluate(c, v, &p, &budget, &x))
            return false;
        if (p.first % c->lanes == 0)
            first = x.x[0];
        for (unsigned i = 0; i < p.n; i++)
            if (x.x[i] != first)
                return false;
    }
    return c->threads != 0;
}

// Values

static bool is_full_mask(LLVMValueRef v)
{
    return LLVMIsAConstantInt(v) && LLVMConstIntGetSExtValue(v) == -1;
}

static bool call_differs(struct converge *c, LLVMValueRef v, bool operands_differ)
{
    unsigned kinds = op_rows[op_of(v)].kinds;
    if (kinds & (IS_TID | IS_LANE))
        return !same_by_position(c, v);
    if (kinds & IS_FRAME_LANE)
        return true;
    if (kinds & IS_SREG)
        return operands_differ;
    if (kinds & IS_BARRIER_RED)
        return false;
    if (kinds & IS_AGREED)
        return !is_full_mask(LLVMGetOperand(v, 0));
    return strncmp(call_name(v), "llvm.", 5) || operands_differ;
}

static bool value_differs(struct converge *c, LLVMValueRef v)
{
    return LLVMIsAInstruction(v) && map_get_ptr(&c->differs, v);
}

static bool instruction_differs(struct converge *c, LLVMValueRef i, int block)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    bool operands = false;
    if (op == LLVMPHI) {
        bool same = true;
        for (unsigned k = 0; k < LLVMCountIncoming(i); k++) {
            operands |= value_differs(c, LLVMGetIncomingValue(i, k));
            same &= LLVMGetIncomingValue(i, k) == LLVMGetIncomingValue(i, 0);
        }
        return operands || (c->joins[block] && !same);
    }
    for (int k = 0, n = LLVMGetNumOperands(i); k < n; k++)
        operands |= value_differs(c, LLVMGetOperand(i, (unsigned)k));
    if (LLVMIsALoadInst(i))
        return operands || !access_is_simple(i) || map_get_ptr(c->apart, i);
    if (LLVMIsACallInst(i))
        return call_differs(c, i, operands) || map_get_ptr(c->apart, i);
    return IR_IS(i, LLVMAlloca, LLVMAtomicRMW, LLVMAtomicCmpXchg) ||
           (operands && !(int_bits(LLVMTypeOf(i)) && same_by_position(c, i)));
}

// Where lanes meet

static void find_waiting_blocks(struct converge *c)
{
    for (unsigned b = 0; b < c->cfg->nblocks; b++)
        FOR_INSTRUCTIONS (c->cfg->blocks[b].block, i)
            c->waits[b] |= op_waits(i);
    cfg_reach(c->cfg, true, NULL, c->waits);
}

static unsigned live_successors(const struct converge *c, int block)
{
    unsigned n = 0;
    const struct cfg_block *k = &c->cfg->blocks[block];
    for (unsigned i = 0; i < k->nsucc; i++)
        n += c->waits[k->succ[i]];
    return n;
}

// Post-dominators among the blocks that wait, with one end behind them. An edge to where nothing waits is left out
// unless the end could not be reached otherwise (a loop that is left only to finish).
static void find_meeting_blocks(struct converge *c)
{
    struct arena *a = &c->r->arena;
    unsigned n = c->cfg->nblocks;
    bool *leaves = arena_array(a, bool, n + 1), *reaches = arena_array(a, bool, n + 1);
    for (unsigned b = 0; b < n; b++)
        reaches[b] = leaves[b] = c->waits[b] && !live_successors(c, (int)b);
    cfg_reach(c->cfg, true, c->waits, reaches);
    for (unsigned b = 0; b < n; b++)
        leaves[b] |= c->waits[b] && !reaches[b] && live_successors(c, (int)b) < c->cfg->blocks[b].nsucc;
    c->meet = cfg_postdominators(c->cfg, a, c->waits, leaves);
    for (unsigned b = 0; b < n; b++)
        if (c->meet[b] == NOWHERE)
            c->meet[b] = (int)n;
}

// Branches

uint64_t converge_branch(int block)
{
    uint64_t h = ((uint64_t)block + 1) * 0x9e3779b97f4a7c15ull;
    h = (h ^ (h >> 29)) * 0xbf58476d1ce4e5b9ull;
    return h ^ (h >> 32) ? h ^ (h >> 32) : 1;
}

// A value of a divided loop is seen outside it in the iteration in which each lane left.
static void mark_values_seen_outside(struct converge *c, int block, const bool *inside)
{
    FOR_INSTRUCTIONS (c->cfg->blocks[block].block, i)
        FOR_USES (i, u) {
            LLVMValueRef user = LLVMGetUser(u);
            int at = LLVMIsAInstruction(user) ? cfg_index(c->cfg, LLVMGetInstructionParent(user)) : NOWHERE;
            if (at != NOWHERE && !inside[at])
                map_put_ptr(&c->differs, i, i);
        }
}

// Counts one edge more in every block that control reaches over the edges to `start`, n of them, without going through a block that
// is not in `through`, nor through `stop`.
static void reach_before(struct converge *c, const int *start, unsigned n, const bool *through, int stop,
                         unsigned *count)
{
    unsigned blocks = c->cfg->nblocks;
    bool *inside = xcalloc(blocks + 1, sizeof *inside), *seen = xcalloc(blocks + 1, sizeof *seen);
    for (unsigned b = 0; b < blocks; b++)
        inside[b] = (!through || through[b]) && (int)b != stop;
    for (unsigned i = 0; i < n; i++)
        seen[start[i]] = inside[start[i]];
    cfg_reach(c->cfg, false, inside, seen);
    for (unsigned b = 0; b < blocks; b++)
        count[b] += seen[b];
    free(inside);
    free(seen);
}

// The lanes diverge at the end of this block until they meet. Blocks that both paths reach see lanes of
// both.
static void divide(struct converge *c, int block)
{
    const struct cfg_block *k = &c->cfg->blocks[block];
    c->handled[block] = true;
    if (live_successors(c, block) < 2)
        return;
    unsigned n = c->cfg->nblocks, *count = xcalloc(n + 1, sizeof *count);
    bool *inside = xcalloc(n + 1, sizeof *inside);
    int meet = c->meet[block];
    for (unsigned i = 0; i < k->nsucc; i++)
        reach_before(c, &k->succ[i], 1, c->waits, meet, count);
    for (unsigned b = 0; b < n; b++)
        inside[b] = count[b] != 0;
    for (unsigned b = 0; b < n; b++) {
        if (!inside[b])
            continue;
        c->branches[b] ^= converge_branch(block);
        c->joins[b] |= count[b] > 1;
        if (inside[block])
            mark_values_seen_outside(c, (int)b, inside);
    }
    if (meet < (int)n)
        c->joins[meet] = true;
    free(count);
    free(inside);
}

struct converge *converge_create(struct resume *r, unsigned lanes, const struct map *apart)
{
    struct arena *a = &r->arena;
    unsigned n = r->cfg.nblocks;
    struct converge *c = arena_new(a, struct converge);
    *c = (struct converge){.r = r, .cfg = &r->cfg, .lanes = lanes, .apart = apart};
    c->threads = plan_threads(r->plan);
    c->waits = arena_array(a, bool, n + 1);
    c->branches = arena_array(a, uint64_t, n + 1);
    c->joins = arena_array(a, bool, n + 1);
    c->handled = arena_array(a, bool, n + 1);
    if (lanes == 1)
        return c;
    find_waiting_blocks(c);
    find_meeting_blocks(c);
    for (bool changed = true; changed;) {
        changed = false;
        for (unsigned k = 0; k < r->cfg.norder; k++) {
            int b = r->cfg.order[k];
            FOR_INSTRUCTIONS (r->cfg.blocks[b].block, i)
                if (!map_get_ptr(&c->differs, i) && instruction_differs(c, i, b)) {
                    map_put_ptr(&c->differs, i, i);
                    changed = true;
                }
            LLVMValueRef t = LLVMGetBasicBlockTerminator(r->cfg.blocks[b].block);
            if (!c->handled[b] && r->cfg.blocks[b].nsucc > 1 && value_differs(c, LLVMGetOperand(t, 0))) {
                divide(c, b);
                changed = true;
            }
        }
    }
    return c;
}

void converge_destroy(struct converge *c)
{
    map_free(&c->differs);
}

bool converge_value(const struct converge *c, LLVMValueRef v)
{
    return !LLVMIsAInstruction(v) || !map_get_ptr(&c->differs, v);
}

bool converge_undivided(struct converge *c, int block)
{
    if (!c->divided) { // a branch about which the lanes differ divides them for all that it reaches before its post-dominator
        c->divided = arena_array(&c->r->arena, unsigned, c->cfg->nblocks + 1);
        for (unsigned i = 0; i < c->cfg->norder; i++) {
            const struct cfg_block *b = &c->cfg->blocks[c->cfg->order[i]];
            if (b->nsucc > 1 && !converge_value(c, LLVMGetOperand(LLVMGetBasicBlockTerminator(b->block), 0)))
                reach_before(c, b->succ, b->nsucc, NULL, b->ipdom, c->divided);
        }
    }
    return !c->divided[block];
}

uint64_t converge_branches(const struct converge *c, int block)
{
    return c->branches[block];
}
