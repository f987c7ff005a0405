// SPDX-License-Identifier: Apache-2.0
// Rebuilds control flow so that it is structured by construction, whatever the graph was. A set S of blocks becomes
//
//     next = where the thread enters S
//     for the blocks of S in order:    if (next == k) { block k; next = number of the successor that it chose }
//     next says by which exit the thread leaves
//
// where the blocks of each cycle stand together in that order and have a loop of their own around them, which runs
// while next is one of theirs.
//
// Order. The strongly connected components of S, in topological order; within one, first a header (an entry of it),
// then the components of what is left without the header, and so on (Bourdoncle's weak topological order). A block's
// position is its number.
//
// Why it is right.
//  1. A thread runs the blocks that it ran before, in the same order: after block k it looks for the one that it chose.
//     An edge leads forward in the order, or back to within a loop that contains both ends: into no component can one
//     get from a later one. So either the position is passed before, or the thread skips to the end of the innermost
//     loop that contains both, for which next is one of its own, and goes round. Each round runs at least one block of
//     each thread that is in it, so nothing is waited for that does not come.
//  2. Values: a phi of S becomes a variable that each predecessor stores to at its end, and that the block loads first
//     of all. Between the two the thread runs nothing else, so the predecessor that it came from stored last. An
//     instruction of S that is used in another block is stored to a variable behind it and loaded before that use: its
//     definition dominates the use, so the thread ran it, and no other definition stores there. What is defined outside
//     of S and used within it dominated the edges by which S is entered, for from each entry of a cycle, and of the
//     whole function, the use can be reached; it does so now. The variables' loads and stores are of the thread's own,
//     so order and number of all other accesses stay.
//  3. Values share variables: the order of blocks makes every variable live in the whole of S, so that each costs a phi at each
//     join. A phi's variable is present in its block and in those that lead there; that of a value with uses in other
//     blocks where the value is defined and wherever it lives at the start of a block, all in the graph as it was. Two that are
//     present in one block are different variables. A block writes to variables of values that are present in it
//     alone, and what it or a later block reads is present in it as well, if it was written by then: so nothing is
//     lost, on the thread's way through the old graph, which is its way through the new one (1).
//  4. Lanes stay together as in the code that structurizecfg makes: within a round of a loop a block runs once, for all
//     lanes that chose it; those that leave the loop, or begin another round, wait at its end. What resume points count
//     on (resume/converge.c) holds.
//  5. A test is left out where it must succeed: when no edge from the part of the loop's body before it leads further,
//     back or out. There control flow is that of all lanes again, and uniform branches stay uniform.
#include "jit/lower/lower.h"
#include "base/graph/scc.h"
#include "base/vec.h"
#include "jit/analysis/liveness.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

struct cycle {
    int first, last; // positions
    bool natural;    // entered at its first block only
};

struct variable {
    LLVMTypeRef type;
    LLVMValueRef alloca;
    unsigned refused; // the last value that cannot have it
};

struct numbers VEC(unsigned);

struct dispatch {
    struct cfg cfg;
    LLVMContextRef context;
    LLVMValueRef function, next; // next: the variable
    LLVMTypeRef i32;
    LLVMBuilderRef b, top;               // top: in front of the entry block's code, for variables
    int *position;                       // by block: in `order`; CFG_NONE: not in S
    struct VEC(int) order;               // positions -> blocks
    struct VEC(struct cycle) cycles;     // by first position, outer before inner ones
    struct VEC(int) exits;               // blocks outside of S; the number of exit i is order.len + i
    struct VEC(LLVMValueRef) exit_slots; // for each exit in turn and each of its phis: the variable
    int *set;                            // by block: the set that is being ordered
    int sets;
    unsigned *number; // by block: its node in that set
    struct liveness lives;
    struct VEC(struct variable) variables;
    struct numbers *present, where; // by block: the variables that are; the blocks where one is that is being chosen
    unsigned chosen, *added;     // for how many values; by block: for which of them it was added to `where`, plus one
    struct map of_phi, of_value; // a phi's variable; that of a value with uses in other blocks
};

// The order

struct component {
    int *blocks;
    unsigned n;
};

struct components VEC(struct component);

// The components of the blocks in `list`, last one first. Nodes are numbered from its end.
static void find_components(struct dispatch *d, const int *list, unsigned n, struct components *out)
{
    int id = ++d->sets;
    uint32_t *first = arena_array(&d->cfg.arena, uint32_t, n + 1);
    struct VEC(uint32_t) edges = {0};
    struct scc scc;
    for (unsigned i = 0; i < n; i++) {
        d->set[list[i]] = id;
        d->number[list[i]] = n - 1 - i;
    }
    for (unsigned v = 0; v < n; v++) {
        const struct cfg_block *k = &d->cfg.blocks[list[n - 1 - v]];
        for (unsigned i = 0; i < k->nsucc; i++)
            if (d->set[k->succ[i]] == id)
                vec_push(&edges, d->number[k->succ[i]]);
        first[v + 1] = (uint32_t)edges.len;
    }
    scc_find(&scc, n, first, edges.data);
    for (unsigned i = 0, end; i < n; i = end) {
        end = i + 1;
        while (end < n && scc.component[scc.order[end]] == scc.component[scc.order[i]])
            end++;
        struct component c = {arena_array(&d->cfg.arena, int, end - i), 0};
        for (unsigned k = i; k < end; k++)
            c.blocks[c.n++] = list[n - 1 - scc.order[k]];
        vec_push(out, c);
    }
    scc_free(&scc);
    vec_free(&edges);
}

static bool has_self_edge(const struct dispatch *d, int b)
{
    for (unsigned i = 0; i < d->cfg.blocks[b].nsucc; i++)
        if (d->cfg.blocks[b].succ[i] == b)
            return true;
    return false;
}

// How many blocks of the component an edge from outside leads to; the first of them in reverse post-order.
static unsigned find_entries(struct dispatch *d, const struct component *c, int *header)
{
    unsigned entries = 0;
    int id = ++d->sets;
    *header = CFG_NONE;
    for (unsigned i = 0; i < c->n; i++)
        d->set[c->blocks[i]] = id;
    for (unsigned i = 0; i < c->n; i++) {
        const struct cfg_block *k = &d->cfg.blocks[c->blocks[i]];
        bool entry = !c->blocks[i]; // the function's
        for (unsigned p = 0; p < k->npred; p++)
            entry |= d->cfg.blocks[k->pred[p]].rpo >= 0 && d->set[k->pred[p]] != id;
        entries += entry;
        if (entry && (*header < 0 || k->rpo < d->cfg.blocks[*header].rpo))
            *header = c->blocks[i];
    }
    return entries;
}

static void remove_block(struct component *c, int block)
{
    unsigned k = 0;
    while (c->blocks[k] != block)
        k++;
    c->blocks[k] = c->blocks[--c->n];
}

static int by_rpo(const void *a, const void *b, void *blocks)
{
    const struct cfg_block *k = blocks;
    return k[*(const int *)a].rpo - k[*(const int *)b].rpo;
}

static void put_in_order(struct dispatch *d, int *list, unsigned n)
{
    struct components found = {0};
    qsort_r(list, n, sizeof *list, by_rpo, d->cfg.blocks);
    find_components(d, list, n, &found);
    for (size_t i = found.len; i-- > 0;) {
        struct component *c = &found.data[i];
        if (c->n == 1 && !has_self_edge(d, c->blocks[0])) {
            vec_push(&d->order, c->blocks[0]);
            continue;
        }
        int header;
        struct cycle cycle = {.first = (int)d->order.len, .natural = find_entries(d, c, &header) == 1};
        size_t at = d->cycles.len;
        vec_push(&d->cycles, cycle);
        vec_push(&d->order, header);
        remove_block(c, header);
        put_in_order(d, c->blocks, c->n);
        d->cycles.data[at].last = (int)d->order.len - 1;
    }
    vec_free(&found);
}

// Variables

static LLVMValueRef variable(struct dispatch *d, LLVMTypeRef type)
{
    LLVMPositionBuilderBefore(d->top, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(d->function)));
    return LLVMBuildAlloca(d->top, type, "");
}

static void add_block(struct dispatch *d, int block)
{
    if (d->added[block] == d->chosen + 1)
        return;
    d->added[block] = d->chosen + 1;
    vec_push(&d->where, (unsigned)block);
}

// (The liveness has no cuts: its stretches are the blocks.)
static void add_stretch(void *with, unsigned stretch)
{
    struct dispatch *d = with;
    add_block(d, d->lives.block[stretch]);
}

// One of the type that is not present in the blocks `where`. It is now.
static LLVMValueRef choose_variable(struct dispatch *d, LLVMTypeRef type)
{
    d->chosen++;
    for (size_t i = 0; i < d->where.len; i++) {
        const struct numbers *here = &d->present[d->where.data[i]];
        for (size_t k = 0; k < here->len; k++)
            d->variables.data[here->data[k]].refused = d->chosen;
    }
    size_t v = 0;
    while (v < d->variables.len && (d->variables.data[v].type != type || d->variables.data[v].refused == d->chosen))
        v++;
    if (v == d->variables.len)
        vec_push(&d->variables, ((struct variable){type, variable(d, type), 0}));
    for (size_t i = 0; i < d->where.len; i++)
        vec_push(&d->present[d->where.data[i]], (unsigned)v);
    d->where.len = 0;
    return d->variables.data[v].alloca;
}

static void choose_for_phis(struct dispatch *d, int block)
{
    const struct cfg_block *k = &d->cfg.blocks[block];
    FOR_PHIS (k->block, p) {
        add_block(d, block);
        for (unsigned i = 0; i < k->npred; i++)
            add_block(d, k->pred[i]);
        map_put_ptr(&d->of_phi, p, choose_variable(d, LLVMTypeOf(p)));
    }
}

// (A phi uses what comes in at the end of the block that it comes from.)
static bool is_used_elsewhere(LLVMValueRef x)
{
    LLVMBasicBlockRef home = LLVMGetInstructionParent(x);
    FOR_USES (x, u) {
        LLVMValueRef user = LLVMGetUser(u);
        bool phi = LLVMIsAPHINode(user);
        if (!phi && LLVMGetInstructionParent(user) != home)
            return true;
        for (unsigned i = 0; phi && i < LLVMCountIncoming(user); i++)
            if (LLVMGetIncomingValue(user, i) == x && LLVMGetIncomingBlock(user, i) != home)
                return true;
    }
    return false;
}

static void choose_for_values(struct dispatch *d, int block)
{
    FOR_INSTRUCTIONS (d->cfg.blocks[block].block, x)
        if (is_used_elsewhere(x)) {
            add_block(d, block);
            liveness_visit(&d->lives, x, add_stretch, d);
            map_put_ptr(&d->of_value, x, choose_variable(d, LLVMTypeOf(x)));
        }
}

// While the graph is as it was.
static void choose_variables(struct dispatch *d)
{
    liveness_init(&d->lives, &d->cfg, NULL, NULL);
    d->present = arena_array(&d->cfg.arena, struct numbers, d->cfg.nblocks + 1);
    d->added = arena_array(&d->cfg.arena, unsigned, d->cfg.nblocks + 1);
    for (size_t p = 0; p < d->order.len; p++)
        choose_for_phis(d, d->order.data[p]);
    for (size_t i = 0; i < d->exits.len; i++)
        choose_for_phis(d, d->exits.data[i]);
    for (size_t p = 0; p < d->order.len; p++)
        choose_for_values(d, d->order.data[p]);
    for (unsigned k = 0; k < d->cfg.nblocks; k++)
        vec_free(&d->present[k]);
    vec_free(&d->where);
    vec_free(&d->variables);
    liveness_fini(&d->lives);
}

static LLVMBasicBlockRef new_block(struct dispatch *d, const char *name)
{
    return LLVMAppendBasicBlockInContext(d->context, d->function, name);
}

static bool is_inside(const struct dispatch *d, LLVMBasicBlockRef b)
{
    int k = cfg_index(&d->cfg, b);
    return k >= 0 && d->position[k] >= 0;
}

static LLVMValueRef position_number(struct dispatch *d, int k)
{
    return LLVMConstInt(d->i32, (unsigned long long)k, 0);
}

// The number of a block of S or of an exit.
static int number_of(struct dispatch *d, int block)
{
    if (d->position[block] >= 0)
        return d->position[block];
    for (size_t i = 0; i < d->exits.len; i++)
        if (d->exits.data[i] == block)
            return (int)(d->order.len + i);
    vec_push(&d->exits, block);
    return (int)(d->order.len + d->exits.len - 1);
}

// Each predecessor within S stores what it brings to the phi.
static void store_incoming(struct dispatch *d, LLVMValueRef phi, LLVMValueRef slot)
{
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, i);
        bool again = false; // several edges from one block bring the same value
        for (unsigned k = 0; k < i; k++)
            again |= LLVMGetIncomingBlock(phi, k) == from;
        if (again || !is_inside(d, from))
            continue;
        LLVMPositionBuilderBefore(d->b, LLVMGetBasicBlockTerminator(from));
        LLVMBuildStore(d->b, LLVMGetIncomingValue(phi, i), slot);
    }
}

// The edges from outside: a block on each sets `next` and the phis' variables, and leads to `head`.
static void enter(struct dispatch *d, int from, LLVMBasicBlockRef head)
{
    LLVMBasicBlockRef block = d->cfg.blocks[from].block;
    LLVMValueRef t = LLVMGetBasicBlockTerminator(block);
    for (unsigned i = 0; i < d->cfg.blocks[from].nsucc; i++) {
        int to = d->cfg.blocks[from].succ[i];
        if (d->position[to] < 0)
            continue;
        LLVMBasicBlockRef stub = new_block(d, "enter");
        LLVMPositionBuilderAtEnd(d->b, stub);
        FOR_PHIS (d->cfg.blocks[to].block, p) {
            LLVMValueRef v = ir_incoming(p, block);
            LLVMBuildStore(d->b, v ? v : LLVMGetPoison(LLVMTypeOf(p)), map_get_ptr(&d->of_phi, p));
        }
        LLVMBuildStore(d->b, position_number(d, d->position[to]), d->next);
        LLVMBuildBr(d->b, head);
        LLVMSetSuccessor(t, i, stub);
    }
}

static void replace_phis(struct dispatch *d, int block)
{
    FOR_PHIS_SAFE (d->cfg.blocks[block].block, p) {
        LLVMPositionBuilderBefore(d->b, ir_after_phis(p));
        LLVMValueRef load = LLVMBuildLoad2(d->b, LLVMTypeOf(p), map_get_ptr(&d->of_phi, p), "");
        LLVMValueRef own = map_get_ptr(&d->of_value, p);
        if (own)
            map_put_ptr(&d->of_value, load, own);
        ir_replace(p, load);
    }
}

// Which successor a block chooses, as a number; its terminator, a branch, goes.
static void set_next(struct dispatch *d, int block)
{
    const struct cfg_block *k = &d->cfg.blocks[block];
    LLVMValueRef t = LLVMGetBasicBlockTerminator(k->block), n;
    LLVMPositionBuilderBefore(d->b, t);
    n = position_number(d, number_of(d, k->succ[k->nsucc - 1]));
    if (k->nsucc == 2)
        n = LLVMBuildSelect(d->b, LLVMGetCondition(t), position_number(d, number_of(d, k->succ[0])), n, "");
    LLVMBuildStore(d->b, n, d->next);
    LLVMInstructionEraseFromParent(t);
}

// Before each use in another block the value is loaded.
static void demote(struct dispatch *d, LLVMValueRef x)
{
    if (!ir_used_elsewhere(x))
        return;
    LLVMValueRef slot = map_get_ptr(&d->of_value, x);
    slot = slot ? slot : variable(d, LLVMTypeOf(x));
    LLVMPositionBuilderBefore(d->b, LLVMGetNextInstruction(x));
    LLVMBuildStore(d->b, x, slot);
    ir_read_variable(d->b, x, slot, true);
}

// Code

struct scope {
    int first, last; // positions
    int far; // lanes that are not waiting for the end of the scope want a position of up to this; INT_MAX: some may wait
};

// What the edges of the blocks from `first` to `last`, all that one item of the scope has, tell of where lanes go.
static void follow_edges(struct dispatch *d, struct scope *s, int first, int last, bool cycle)
{
    for (int p = first; p <= last; p++) {
        const struct cfg_block *k = &d->cfg.blocks[d->order.data[p]];
        for (unsigned i = 0; i < k->nsucc; i++) {
            int to = d->position[k->succ[i]];
            if (cycle && to >= first && to <= last)
                continue;
            if (to <= last || to > s->last)
                s->far = INT_MAX;
            else if (to > s->far)
                s->far = to;
        }
    }
}

static LLVMValueRef wants(struct dispatch *d, int first, int last)
{
    LLVMValueRef n = LLVMBuildLoad2(d->b, d->i32, d->next, "");
    if (first == last)
        return LLVMBuildICmp(d->b, LLVMIntEQ, n, position_number(d, first), "");
    n = LLVMBuildSub(d->b, n, position_number(d, first), "");
    return LLVMBuildICmp(d->b, LLVMIntULE, n, position_number(d, last - first), "");
}

static void emit_positions(struct dispatch *d, struct scope *s, int cycle);

// Emits behind the builder, and leaves it at the end, where all lanes of the scope go on.
static void emit_cycle(struct dispatch *d, int cycle, bool sure)
{
    const struct cycle *c = &d->cycles.data[cycle];
    int wanted = c->natural ? c->first : c->last;
    LLVMBasicBlockRef head = new_block(d, "cycle"), done = new_block(d, "done"), join = sure ? NULL : new_block(d, "");
    if (sure) {
        LLVMBuildBr(d->b, head);
    } else {
        LLVMBasicBlockRef before = new_block(d, "");
        ir_branch(d->b, wants(d, c->first, wanted), before, join, before);
        LLVMBuildBr(d->b, head);
    }
    LLVMPositionBuilderAtEnd(d->b, head);
    struct scope inner = {c->first, c->last, wanted};
    emit_positions(d, &inner, cycle);
    ir_branch(d->b, wants(d, c->first, wanted), head, done, done);
    if (join)
        ir_enter(d->b, join);
}

static void emit_position(struct dispatch *d, int position, bool sure)
{
    LLVMBasicBlockRef block = d->cfg.blocks[d->order.data[position]].block, join = sure ? NULL : new_block(d, "");
    if (sure)
        LLVMBuildBr(d->b, block);
    else
        LLVMBuildCondBr(d->b, wants(d, position, position), block, join);
    LLVMPositionBuilderAtEnd(d->b, block);
    if (join)
        ir_enter(d->b, join);
}

static int cycle_at(const struct dispatch *d, int position, int outer)
{
    for (size_t i = (size_t)outer + 1; i < d->cycles.len && d->cycles.data[i].first <= position; i++)
        if (d->cycles.data[i].first == position)
            return (int)i;
    return CFG_NONE;
}

static void emit_positions(struct dispatch *d, struct scope *s, int cycle)
{
    for (int p = s->first; p <= s->last; p++) {
        int inner = cycle_at(d, p, cycle);
        int last = inner < 0 ? p : d->cycles.data[inner].last;
        bool sure = s->far <= (inner < 0 || d->cycles.data[inner].natural ? p : last);
        if (inner < 0)
            emit_position(d, p, sure);
        else
            emit_cycle(d, inner, sure);
        follow_edges(d, s, p, last, inner >= 0);
        p = last;
    }
}

// An exit's phis get what its predecessors in S have stored.
static void leave_to(struct dispatch *d, int exit, LLVMBasicBlockRef from, const LLVMValueRef *slots)
{
    LLVMBasicBlockRef target = d->cfg.blocks[exit].block;
    FOR_PHIS_SAFE (target, p) {
        LLVMPositionBuilderAtEnd(d->b, from);
        LLVMValueRef left = LLVMBuildLoad2(d->b, LLVMTypeOf(p), *slots++, "");
        LLVMPositionBuilderBefore(d->b, p);
        LLVMValueRef q = LLVMBuildPhi(d->b, LLVMTypeOf(p), "");
        LLVMAddIncoming(q, &left, &from, 1);
        for (unsigned i = 0; i < LLVMCountIncoming(p); i++) {
            LLVMBasicBlockRef in = LLVMGetIncomingBlock(p, i);
            LLVMValueRef v = LLVMGetIncomingValue(p, i);
            if (!is_inside(d, in))
                LLVMAddIncoming(q, &v, &in, 1);
        }
        ir_replace(p, q);
    }
    LLVMPositionBuilderAtEnd(d->b, from);
    LLVMBuildBr(d->b, target);
}

static void emit_exits(struct dispatch *d)
{
    LLVMBasicBlockRef here = LLVMGetInsertBlock(d->b);
    const LLVMValueRef *slots = d->exit_slots.data;
    for (size_t i = 0; i < d->exits.len; i++) {
        LLVMBasicBlockRef leave = new_block(d, "leave"), rest = i + 1 < d->exits.len ? new_block(d, "") : NULL;
        int number = (int)(d->order.len + i);
        unsigned phis = 0;
        FOR_PHIS (d->cfg.blocks[d->exits.data[i]].block, p)
            phis++;
        LLVMPositionBuilderAtEnd(d->b, here);
        if (rest)
            LLVMBuildCondBr(d->b, wants(d, number, number), leave, rest);
        else
            LLVMBuildBr(d->b, leave);
        leave_to(d, d->exits.data[i], leave, slots);
        slots += phis;
        here = rest;
    }
}

static void store_phis(struct dispatch *d, int block, bool exit)
{
    FOR_PHIS (d->cfg.blocks[block].block, p) {
        LLVMValueRef slot = map_get_ptr(&d->of_phi, p);
        store_incoming(d, p, slot);
        if (exit)
            vec_push(&d->exit_slots, slot);
    }
}

// Hints for loops as they were (opt/interleave_gangs.c).
static void drop_hints(LLVMBasicBlockRef block)
{
    FOR_INSTRUCTIONS_SAFE (block, x)
        if (op_is(x, IS_INTERLEAVE))
            LLVMInstructionEraseFromParent(x);
}

// S is what `list` holds.
static void rebuild(struct dispatch *d, int *list, unsigned n)
{
    d->position = arena_array(&d->cfg.arena, int, d->cfg.nblocks + 1);
    memset(d->position, -1, sizeof *d->position * (d->cfg.nblocks + 1));
    put_in_order(d, list, n);
    for (size_t p = 0; p < d->order.len; p++)
        d->position[d->order.data[p]] = (int)p;
    d->next = variable(d, d->i32);
    LLVMBasicBlockRef head = new_block(d, "dispatch");
    for (size_t p = 0; p < d->order.len; p++) {
        const struct cfg_block *k = &d->cfg.blocks[d->order.data[p]];
        drop_hints(k->block);
        for (unsigned i = 0; i < k->nsucc; i++)
            number_of(d, k->succ[i]);
    }
    choose_variables(d);
    for (size_t p = 0; p < d->order.len; p++)
        store_phis(d, d->order.data[p], false);
    for (size_t i = 0; i < d->exits.len; i++)
        store_phis(d, d->exits.data[i], true);
    struct scope all = {0, (int)d->order.len - 1, 0};
    for (unsigned k = 0; k < d->cfg.norder; k++) {
        int from = d->cfg.order[k];
        if (d->position[from] >= 0)
            continue;
        enter(d, from, head);
        for (unsigned i = 0; i < d->cfg.blocks[from].nsucc; i++)
            if (d->position[d->cfg.blocks[from].succ[i]] > all.far)
                all.far = d->position[d->cfg.blocks[from].succ[i]];
    }
    for (size_t p = 0; p < d->order.len; p++)
        replace_phis(d, d->order.data[p]);
    for (size_t p = 0; p < d->order.len; p++)
        set_next(d, d->order.data[p]);
    LLVMPositionBuilderAtEnd(d->b, head);
    emit_positions(d, &all, CFG_NONE);
    emit_exits(d);
    for (size_t p = 0; p < d->order.len; p++)
        FOR_INSTRUCTIONS_SAFE (d->cfg.blocks[d->order.data[p]].block, x)
            demote(d, x);
}

static void begin(struct dispatch *d, LLVMValueRef function)
{
    *d = (struct dispatch){.function = function, .context = LLVMGetModuleContext(LLVMGetGlobalParent(function))};
    d->i32 = LLVMInt32TypeInContext(d->context);
    d->b = LLVMCreateBuilderInContext(d->context);
    d->top = LLVMCreateBuilderInContext(d->context);
    cfg_build(&d->cfg, function);
    d->set = arena_array(&d->cfg.arena, int, d->cfg.nblocks + 1);
    d->number = arena_array(&d->cfg.arena, unsigned, d->cfg.nblocks + 1);
}

static void end(struct dispatch *d)
{
    vec_free(&d->order);
    vec_free(&d->cycles);
    vec_free(&d->exits);
    vec_free(&d->exit_slots);
    map_free(&d->of_phi);
    map_free(&d->of_value);
    LLVMDisposeBuilder(d->b);
    LLVMDisposeBuilder(d->top);
    cfg_fini(&d->cfg);
}

// An entry block with nothing but the allocas, which are all that must stay there.
static void part_entry(LLVMValueRef function)
{
    LLVMContextRef c = LLVMGetModuleContext(LLVMGetGlobalParent(function));
    LLVMBasicBlockRef old = LLVMGetEntryBasicBlock(function), entry = LLVMInsertBasicBlockInContext(c, old, "");
    LLVMBuilderRef b = LLVMCreateBuilderInContext(c);
    LLVMPositionBuilderAtEnd(b, entry);
    LLVMPositionBuilderBefore(b, LLVMBuildBr(b, old));
    FOR_INSTRUCTIONS_SAFE (old, x)
        if (LLVMIsAAllocaInst(x) && LLVMIsAConstant(LLVMGetOperand(x, 0)))
            ir_move(b, x);
    LLVMDisposeBuilder(b);
}

void dispatch_function(LLVMValueRef function)
{
    struct dispatch d;
    part_entry(function);
    begin(&d, function);
    int *list = arena_array(&d.cfg.arena, int, d.cfg.norder + 1);
    unsigned n = 0;
    for (unsigned k = 0; k < d.cfg.norder; k++)
        if (d.cfg.order[k] && d.cfg.blocks[d.cfg.order[k]].nsucc)
            list[n++] = d.cfg.order[k];
    if (n)
        rebuild(&d, list, n);
    end(&d);
}

// The outermost cycle with several entries, or with one within it, less the headers of the cycles around it.
static bool find_irreducible(struct dispatch *d, int *list, unsigned n, struct component *out)
{
    struct components found = {0};
    bool ok = false;
    find_components(d, list, n, &found);
    for (size_t i = 0; i < found.len && !ok; i++) {
        struct component *c = &found.data[i];
        int header;
        if (c->n == 1)
            continue;
        if (find_entries(d, c, &header) > 1) {
            *out = *c;
            ok = true;
            continue;
        }
        remove_block(c, header);
        ok = find_irreducible(d, c->blocks, c->n, out);
    }
    vec_free(&found);
    return ok;
}

bool dispatch_irreducible(LLVMValueRef function)
{
    bool any = false;
    for (bool more = true; more;) {
        struct dispatch d;
        begin(&d, function);
        more = d.cfg.irreducible;
        if (more) {
            struct component c;
            int *list = arena_array(&d.cfg.arena, int, d.cfg.norder + 1);
            memcpy(list, d.cfg.order, sizeof *list * d.cfg.norder);
            more = find_irreducible(&d, list, d.cfg.norder, &c);
            if (more)
                rebuild(&d, c.blocks, c.n);
            any |= more;
        }
        end(&d);
    }
    return any;
}
