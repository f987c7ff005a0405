// SPDX-License-Identifier: Apache-2.0
// Frees what a loop carries from values that belong only to threads that leave it. Structured control flow brings every `break` to the latch: on the way there phis merge the values of threads
// that break with those of threads that go on,
//
//     if (c) { next = x + 1; } leave = !c; ... join: x' = phi(next, x); latch: if (leave) exit; header: x = phi(0, x')
//
// and the vectoriser would blend x' although the threads with the other value are gone in the next iteration; worse, a counter
// that is the same for all threads in the loop becomes varying. So: when the latch goes back to the header, some edges of the
// loop's body cannot have been taken. What the header's phis take from the latch is rebuilt with poison on those edges. That
// is right for one thread, since it never gets there by such an edge, and the vectoriser blends nothing with poison.
//
// How the edges are found: that the latch goes back is a fact about its condition. A fact about a conjunction, a phi of
// constants or a comparison gives facts about its parts, about the edges into the phi, and about every branch of the loop's
// own blocks (not those of inner loops, which run many times) on the same comparison or its inverse.
#include "base/vec.h"
#include "jit/analysis/cfg.h"
#include "jit/ir/pass.h"

struct fact {
    LLVMValueRef condition;
    bool truth;
};

struct carry {
    struct cfg cfg;
    LLVMBuilderRef b;
    int loop;
    struct VEC(struct fact) facts;
    bool *impossible; // by edge: first_edge[block] + index in pred
    unsigned *first_edge;
    bool *dead;        // by block: cannot have run
    bool *ran;         // by block: has run
    struct map clones; // phi -> its copy
    bool changed;
};

static bool constant_bool(LLVMValueRef v, bool *truth)
{
    *truth = value_is(v, true);
    return LLVMIsAConstantInt(v) != NULL;
}

// 1: the two conditions are equal, -1: one is the inverse of the other, 0: unknown.
static int relation(LLVMValueRef a, LLVMValueRef b)
{
    static const LLVMIntPredicate inverse_int[] = {LLVMIntNE,  LLVMIntEQ,  LLVMIntULE, LLVMIntULT, LLVMIntUGE,
                                                   LLVMIntUGT, LLVMIntSLE, LLVMIntSLT, LLVMIntSGE, LLVMIntSGT};
    if (a == b)
        return 1;
    if (!LLVMIsAInstruction(a) || !LLVMIsAInstruction(b))
        return 0;
    LLVMOpcode op = LLVMGetInstructionOpcode(a);
    if (op != LLVMGetInstructionOpcode(b) || (op != LLVMFCmp && op != LLVMICmp) ||
        LLVMGetOperand(a, 0) != LLVMGetOperand(b, 0) || LLVMGetOperand(a, 1) != LLVMGetOperand(b, 1))
        return 0;
    if (op == LLVMFCmp) {
        LLVMRealPredicate p = LLVMGetFCmpPredicate(a), q = LLVMGetFCmpPredicate(b);
        if (p == LLVMRealPredicateFalse || p == LLVMRealPredicateTrue)
            return 0;
        return p == q ? 1 : (LLVMRealPredicateTrue - p) == q ? -1 : 0; // four bits: less, equal, greater, unordered
    }
    LLVMIntPredicate p = LLVMGetICmpPredicate(a), q = LLVMGetICmpPredicate(b);
    return p == q ? 1 : inverse_int[p - LLVMIntEQ] == q ? -1 : 0;
}

static bool known(const struct carry *c, LLVMValueRef condition, bool *truth)
{
    if (constant_bool(condition, truth))
        return true;
    for (size_t i = 0; i < c->facts.len; i++) {
        int r = relation(c->facts.data[i].condition, condition);
        if (r) {
            *truth = c->facts.data[i].truth == (r > 0);
            return true;
        }
    }
    return false;
}

static void assume(struct carry *c, LLVMValueRef v, bool truth);

// Whether the edge between two blocks is known not to have been taken; NULL: there is no such edge.
static bool *edge_of(const struct carry *c, int block, LLVMBasicBlockRef from)
{
    const struct cfg_block *k = &c->cfg.blocks[block];
    for (unsigned i = 0; i < k->npred; i++)
        if (c->cfg.blocks[k->pred[i]].block == from)
            return &c->impossible[c->first_edge[block] + i];
    return NULL;
}

static void cut(struct carry *c, bool *edge)
{
    c->changed |= !*edge;
    *edge = true;
}

// A phi has this truth: edges that bring the other constant were not taken; when one edge is left, its value is known too.
static void assume_phi(struct carry *c, LLVMValueRef phi, bool truth)
{
    int block = cfg_index(&c->cfg, LLVMGetInstructionParent(phi));
    if (block == CFG_NONE || c->cfg.blocks[block].loop != c->loop || c->cfg.blocks[block].heads == c->loop)
        return;
    LLVMValueRef left = NULL;
    unsigned possible = 0;
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMValueRef v = LLVMGetIncomingValue(phi, i);
        bool t, *edge = edge_of(c, block, LLVMGetIncomingBlock(phi, i));
        if (!edge)
            return;
        if (constant_bool(v, &t) && t != truth)
            cut(c, edge);
        if (*edge)
            continue;
        possible++;
        left = v;
    }
    if (possible == 1 && !LLVMIsConstant(left))
        assume(c, left, truth);
}

static void assume(struct carry *c, LLVMValueRef v, bool truth)
{
    bool already;
    if (!LLVMIsAInstruction(v) || known(c, v, &already))
        return;
    vec_push(&c->facts, ((struct fact){v, truth}));
    c->changed = true;
    LLVMValueRef part[2];
    enum logic how = ir_logic(v, part);
    if (how == (truth ? LOGIC_AND : LOGIC_OR)) {
        assume(c, part[0], truth);
        assume(c, part[1], truth);
    } else if (how == LOGIC_NOT || LLVMIsAFreezeInst(v)) {
        assume(c, LLVMGetOperand(v, 0), truth != (how == LOGIC_NOT));
    } else if (LLVMIsAPHINode(v)) {
        assume_phi(c, v, truth);
    }
}

static void mark_ran(struct carry *c, int block)
{
    c->changed |= !c->ran[block];
    c->ran[block] = true;
}

// A block that has run and has one edge open took it, which tells its condition.
static void propagate_edge(struct carry *c, int n, LLVMValueRef terminator)
{
    const struct cfg_block *k = &c->cfg.blocks[n];
    int open = CFG_NONE;
    for (unsigned s = 0; s < k->nsucc; s++) {
        const bool *edge = edge_of(c, k->succ[s], k->block);
        if (edge && *edge)
            continue;
        if (open != CFG_NONE)
            return;
        open = (int)s;
    }
    if (open == CFG_NONE)
        return;
    if (k->nsucc == 2)
        assume(c, LLVMGetCondition(terminator), open == 0);
    if (cfg_loop_contains(&c->cfg, c->loop, k->succ[open]))
        mark_ran(c, k->succ[open]);
}

// The branch of a block that is known, and blocks that cannot have run, close edges.
static void propagate_block(struct carry *c, int n)
{
    const struct cfg_block *k = &c->cfg.blocks[n];
    LLVMValueRef t = LLVMGetBasicBlockTerminator(k->block);
    bool truth, conditional = LLVMIsABranchInst(t) && LLVMIsConditional(t) && k->succ[0] != k->succ[1];
    if (n != c->cfg.loops[c->loop].header && !c->dead[n]) {
        bool open = false;
        for (unsigned i = 0; i < k->npred; i++)
            open |= !c->impossible[c->first_edge[n] + i];
        if (!open)
            c->dead[n] = c->changed = true;
    }
    for (unsigned s = 0; s < k->nsucc; s++) {
        int to = k->succ[s];
        bool closed = c->dead[n];
        if (conditional && known(c, LLVMGetCondition(t), &truth))
            closed |= truth == (s == 1);
        if (!closed || !cfg_loop_contains(&c->cfg, c->loop, to))
            continue;
        bool *edge = edge_of(c, to, k->block);
        if (edge && to != c->cfg.loops[c->loop].header)
            cut(c, edge);
    }
    if (c->ran[n] && LLVMIsABranchInst(t) && (k->nsucc == 1 || conditional))
        propagate_edge(c, n, t);
}

// What reaches the header from the latch, without the values of edges that cannot have been taken.
static LLVMValueRef strip(struct carry *c, LLVMValueRef v, bool *stripped)
{
    if (!LLVMIsAInstruction(v) || LLVMGetInstructionOpcode(v) != LLVMPHI)
        return v;
    int block = cfg_index(&c->cfg, LLVMGetInstructionParent(v));
    if (block == CFG_NONE || c->cfg.blocks[block].loop != c->loop || c->cfg.blocks[block].heads != CFG_NONE)
        return v;
    LLVMValueRef made = map_get_ptr(&c->clones, v);
    if (made) {
        *stripped |= made != v;
        return made;
    }
    map_put_ptr(&c->clones, v, v);
    LLVMValueRef in[64];
    unsigned n = LLVMCountIncoming(v);
    bool here = false;
    if (n > 64)
        return v;
    for (unsigned i = 0; i < n; i++) {
        const bool *edge = edge_of(c, block, LLVMGetIncomingBlock(v, i));
        bool gone = edge && *edge;
        in[i] = gone ? LLVMGetPoison(LLVMTypeOf(v)) : strip(c, LLVMGetIncomingValue(v, i), &here);
        here |= gone && !LLVMIsPoison(LLVMGetIncomingValue(v, i));
    }
    if (!here)
        return v;
    LLVMPositionBuilderBefore(c->b, v);
    LLVMValueRef phi = LLVMBuildPhi(c->b, LLVMTypeOf(v), "");
    for (unsigned i = 0; i < n; i++) {
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(v, i);
        LLVMAddIncoming(phi, &in[i], &from, 1);
    }
    map_put_ptr(&c->clones, v, phi);
    *stripped = true;
    return phi;
}

static void simplify_loop(struct carry *c)
{
    const struct cfg_loop *l = &c->cfg.loops[c->loop];
    if (l->latch == CFG_NONE)
        return;
    const struct cfg_block *latch = &c->cfg.blocks[l->latch];
    LLVMValueRef t = LLVMGetBasicBlockTerminator(latch->block);
    if (!LLVMIsABranchInst(t) || !LLVMIsConditional(t) || latch->succ[0] == latch->succ[1])
        return;
    assume(c, LLVMGetCondition(t), latch->succ[0] == l->header);
    for (int n = l->latch; n != l->header && n != CFG_NONE; n = c->cfg.blocks[n].idom)
        c->ran[n] = true;
    c->ran[l->header] = true;
    do {
        c->changed = false;
        for (unsigned i = 0; i < c->cfg.norder; i++)
            if (c->cfg.blocks[c->cfg.order[i]].loop == c->loop && c->cfg.order[i] != l->latch)
                propagate_block(c, c->cfg.order[i]);
        for (size_t i = 0; i < c->facts.len; i++)
            if (LLVMGetInstructionOpcode(c->facts.data[i].condition) == LLVMPHI)
                assume_phi(c, c->facts.data[i].condition, c->facts.data[i].truth);
    } while (c->changed);
    FOR_PHIS (c->cfg.blocks[l->header].block, phi)
        for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
            bool stripped = false;
            if (LLVMGetIncomingBlock(phi, i) != latch->block)
                continue;
            LLVMValueRef v = strip(c, LLVMGetIncomingValue(phi, i), &stripped);
            if (stripped) {
                LLVMSetOperand(phi, i, v);
                remark(phi, "what the loop carries here is free of values of threads that leave it");
            }
        }
}

// The function has gone through lower/structurise.c: every loop has one latch, which is its only exit.
static void simplify(struct compilation *k, LLVMValueRef function)
{
    struct carry c = {.b = LLVMCreateBuilderInContext(k->context)};
    cfg_build(&c.cfg, function);
    unsigned edges = 0;
    c.first_edge = arena_array(&c.cfg.arena, unsigned, c.cfg.nblocks + 1);
    for (unsigned i = 0; i < c.cfg.nblocks; i++) {
        c.first_edge[i] = edges;
        edges += c.cfg.blocks[i].npred;
    }
    for (unsigned i = 0; i < c.cfg.nloops; i++) {
        c.loop = (int)i;
        c.impossible = arena_array(&c.cfg.arena, bool, edges + 1);
        c.dead = arena_array(&c.cfg.arena, bool, c.cfg.nblocks + 1);
        c.ran = arena_array(&c.cfg.arena, bool, c.cfg.nblocks + 1);
        c.facts.len = 0;
        simplify_loop(&c);
        map_free(&c.clones);
    }
    vec_free(&c.facts);
    LLVMDisposeBuilder(c.b);
    cfg_fini(&c.cfg);
}

bool pass_loop_carried(struct compilation *c)
{
    return pass_functions(c, simplify);
}
