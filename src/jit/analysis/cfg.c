// SPDX-License-Identifier: Apache-2.0
// See cfg.h. Dominators by Cooper, Harvey and Kennedy's iteration, which needs no more than two or three sweeps over
// the graphs that occur here.
#include "jit/analysis/cfg.h"
#include "base/vec.h"
#include "base/xmalloc.h"
#include <stdlib.h>
#include <string.h>

static void count_edges(struct cfg *c, struct arena *a)
{
    for (unsigned i = 0; i < c->nblocks; i++) {
        struct cfg_block *b = &c->blocks[i];
        LLVMValueRef t = LLVMGetBasicBlockTerminator(b->block);
        b->nsucc = t ? LLVMGetNumSuccessors(t) : 0;
        b->succ = arena_array(a, int, b->nsucc + 1);
        for (unsigned s = 0; s < b->nsucc; s++) {
            b->succ[s] = cfg_index(c, LLVMGetSuccessor(t, s));
            c->blocks[b->succ[s]].npred++;
        }
    }
    for (unsigned i = 0; i < c->nblocks; i++) {
        c->blocks[i].pred = arena_array(a, int, c->blocks[i].npred + 1);
        c->blocks[i].npred = 0;
    }
    for (unsigned i = 0; i < c->nblocks; i++)
        for (unsigned s = 0; s < c->blocks[i].nsucc; s++) {
            struct cfg_block *to = &c->blocks[c->blocks[i].succ[s]];
            to->pred[to->npred++] = (int)i;
        }
}

// Where the edges of a node lead.
struct edges {
    const int *to;
    unsigned n;
};

// By block, along edges or back against them; with room for one node more.
static struct edges *edges_of(const struct cfg *c, struct arena *a, bool back)
{
    struct edges *e = arena_array(a, struct edges, c->nblocks + 1);
    for (unsigned i = 0; i < c->nblocks; i++)
        e[i] = back ? (struct edges){c->blocks[i].pred, c->blocks[i].npred}
                    : (struct edges){c->blocks[i].succ, c->blocks[i].nsucc};
    return e;
}

// What is reached from a node through nodes `inside` (NULL: any), in post-order; how many these are. Depth first with a stack of our
// own: generated functions can be deep.
static unsigned post_order(struct arena *a, const struct edges *e, unsigned nodes, int from, const bool *inside,
                           int *post)
{
    int *stack = arena_array(a, int, nodes + 1);
    unsigned *next = arena_array(a, unsigned, nodes + 1), depth = 0, n = 0;
    bool *seen = arena_array(a, bool, nodes + 1);
    stack[depth++] = from;
    seen[from] = true;
    while (depth) {
        int b = stack[depth - 1];
        if (next[b] == e[b].n) {
            post[n++] = b;
            depth--;
            continue;
        }
        int s = e[b].to[next[b]++];
        if (seen[s] || (inside && !inside[s]))
            continue;
        seen[s] = true;
        stack[depth++] = s;
    }
    return n;
}

static int *reversed(struct arena *a, const int *post, unsigned n)
{
    int *order = arena_array(a, int, n + 1);
    for (unsigned i = 0; i < n; i++)
        order[i] = post[n - 1 - i];
    return order;
}

static int meet(const int *dom, const int *number, int a, int b)
{
    while (a != b) {
        while (number[a] > number[b])
            a = dom[a];
        while (number[b] > number[a])
            b = dom[b];
    }
    return a;
}

// Immediate dominators of nodes in post-order, of which the last is its own; `in`: where their edges come from.
static int *dominators(struct arena *a, const struct edges *in, unsigned nodes, const int *post, unsigned n)
{
    int *dom = arena_array(a, int, nodes + 1), *number = arena_array(a, int, nodes + 1);
    memset(dom, CFG_NONE, sizeof *dom * (nodes + 1));
    for (unsigned k = 0; k < n; k++)
        number[post[k]] = (int)(n - 1 - k);
    dom[post[n - 1]] = post[n - 1];
    for (bool changed = true; changed;) {
        changed = false;
        for (unsigned k = n - 1; k-- > 0;) {
            const struct edges *e = &in[post[k]];
            int d = CFG_NONE;
            for (unsigned i = 0; i < e->n; i++)
                if (dom[e->to[i]] >= 0)
                    d = d < 0 ? e->to[i] : meet(dom, number, d, e->to[i]);
            changed |= d != dom[post[k]];
            dom[post[k]] = d;
        }
    }
    return dom;
}

static void find_dominators(struct cfg *c, struct arena *a)
{
    int *post = arena_array(a, int, c->nblocks + 1);
    c->norder = post_order(a, edges_of(c, a, false), c->nblocks, 0, NULL, post);
    c->order = reversed(a, post, c->norder);
    for (unsigned i = 0; i < c->norder; i++)
        c->blocks[c->order[i]].rpo = (int)i;
    int *dom = dominators(a, edges_of(c, a, true), c->nblocks, post, c->norder);
    for (unsigned i = 0; i < c->nblocks; i++)
        c->blocks[i].idom = i ? dom[i] : CFG_NONE;
}

// Numbers the dominator tree depth first, so that dominance is a comparison. In reverse post-order a block comes after
// its dominator: sizes add up backwards, offsets follow forwards.
static void number_dominators(struct cfg *c, struct arena *a)
{
    int *size = arena_array(a, int, c->nblocks + 1), *next = arena_array(a, int, c->nblocks + 1);
    for (unsigned k = c->norder; k-- > 0;) {
        int b = c->order[k];
        size[b]++;
        if (c->blocks[b].idom >= 0)
            size[c->blocks[b].idom] += size[b];
    }
    for (unsigned i = 0; i < c->nblocks; i++)
        c->blocks[i].dom_first = c->blocks[i].dom_last = CFG_NONE;
    for (unsigned k = 0; k < c->norder; k++) {
        int b = c->order[k], parent = c->blocks[b].idom;
        int first = parent < 0 ? 0 : next[parent];
        if (parent >= 0)
            next[parent] += size[b];
        c->blocks[b].dom_first = first;
        c->blocks[b].dom_last = first + size[b] - 1;
        next[b] = first + 1;
    }
}

// Dominators of the reversed graph, from the end on.
int *cfg_postdominators(const struct cfg *c, struct arena *a, const bool *inside, const bool *leaves)
{
    unsigned end = c->nblocks, nexits = 0;
    struct edges *out = edges_of(c, a, true), *in = edges_of(c, a, false);
    int *exits = arena_array(a, int, end + 1), *post = arena_array(a, int, end + 2);
    for (unsigned i = 0; i < c->norder; i++) {
        int b = c->order[i];
        if (!leaves[b])
            continue;
        int *to = arena_array(a, int, in[b].n + 1);
        exits[nexits++] = b;
        if (in[b].n)
            memcpy(to, in[b].to, in[b].n * sizeof *to);
        to[in[b].n++] = (int)end;
        in[b].to = to;
    }
    out[end] = (struct edges){exits, nexits};
    return dominators(a, in, end + 1, post, post_order(a, out, end + 1, (int)end, inside, post));
}

static void find_postdominators(struct cfg *c, struct arena *a)
{
    bool *inside = arena_array(a, bool, c->nblocks + 1), *leaves = arena_array(a, bool, c->nblocks + 1);
    for (unsigned i = 0; i < c->nblocks; i++) {
        inside[i] = c->blocks[i].rpo >= 0;
        leaves[i] = inside[i] && !c->blocks[i].nsucc;
    }
    int *dom = cfg_postdominators(c, a, inside, leaves);
    for (unsigned i = 0; i < c->nblocks; i++)
        c->blocks[i].ipdom = dom[i] == (int)c->nblocks ? CFG_NONE : dom[i];
}

void cfg_reach(const struct cfg *c, bool back, const bool *through, bool *reached)
{
    struct VEC(int) pending = {0};
    for (unsigned b = 0; b < c->nblocks; b++)
        if (reached[b])
            vec_push(&pending, (int)b);
    while (pending.len) {
        const struct cfg_block *b = &c->blocks[pending.data[--pending.len]];
        for (unsigned i = 0; i < (back ? b->npred : b->nsucc); i++) {
            int to = back ? b->pred[i] : b->succ[i];
            if (reached[to] || (through && !through[to]))
                continue;
            reached[to] = true;
            vec_push(&pending, to);
        }
    }
    vec_free(&pending);
}

// Gives every block that reaches `from` without passing the header to the loop, unless an inner loop has it already.
static void collect_loop(struct cfg *c, struct arena *a, int loop, int from)
{
    bool *through = arena_array(a, bool, c->nblocks + 1), *seen = arena_array(a, bool, c->nblocks + 1);
    for (unsigned i = 0; i < c->nblocks; i++)
        through[i] = c->blocks[i].rpo >= 0 && (int)i != c->loops[loop].header;
    seen[from] = from != c->loops[loop].header;
    cfg_reach(c, true, through, seen);
    seen[c->loops[loop].header] = true;
    // Loops are visited outermost first, so the last one to claim a block is the innermost.
    for (unsigned i = 0; i < c->nblocks; i++)
        if (seen[i])
            c->blocks[i].loop = loop;
}

static void find_loops(struct cfg *c, struct arena *a)
{
    c->loops = arena_array(a, struct cfg_loop, c->norder + 1);
    for (unsigned k = 0; k < c->norder; k++) {
        int h = c->order[k];
        struct cfg_block *head = &c->blocks[h];
        int loop = CFG_NONE;
        for (unsigned p = 0; p < head->npred; p++) {
            int from = head->pred[p];
            if (c->blocks[from].rpo < 0 || c->blocks[from].rpo < head->rpo)
                continue;
            if (!cfg_dominates(c, h, from)) {
                c->irreducible = true;
                continue;
            }
            if (loop < 0) {
                loop = (int)c->nloops++;
                c->loops[loop] = (struct cfg_loop){h, from, head->loop, 1};
                if (head->loop >= 0)
                    c->loops[loop].depth = c->loops[head->loop].depth + 1;
            } else {
                c->loops[loop].latch = CFG_NONE;
            }
            collect_loop(c, a, loop, from);
            head->heads = loop;
        }
    }
}

void cfg_build(struct cfg *c, LLVMValueRef function)
{
    struct arena *a = &c->arena;
    *c = (struct cfg){.function = function, .nblocks = LLVMCountBasicBlocks(function)};
    arena_init(a);
    c->blocks = arena_array(a, struct cfg_block, c->nblocks + 1);
    unsigned n = 0;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        c->blocks[n] = (struct cfg_block){
            b, .rpo = CFG_NONE, .idom = CFG_NONE, .ipdom = CFG_NONE, .loop = CFG_NONE, .heads = CFG_NONE};
        map_put_ptr(&c->index, b, (void *)(uintptr_t)(++n));
    }
    count_edges(c, a);
    find_dominators(c, a);
    number_dominators(c, a);
    find_postdominators(c, a);
    find_loops(c, a);
}

void cfg_fini(struct cfg *c)
{
    map_free(&c->index);
    arena_fini(&c->arena);
}

int cfg_index(const struct cfg *c, LLVMBasicBlockRef block)
{
    return (int)(uintptr_t)map_get_ptr(&c->index, block) - 1;
}

bool cfg_dominates(const struct cfg *c, int a, int b)
{
    int x = c->blocks[b].dom_first;
    return a == b ||
           (x >= 0 && c->blocks[a].dom_first >= 0 && x >= c->blocks[a].dom_first && x <= c->blocks[a].dom_last);
}

bool cfg_postdominates(const struct cfg *c, int a, int b)
{
    while (b >= 0 && b != a)
        b = c->blocks[b].ipdom;
    return a == b;
}

bool cfg_loop_contains(const struct cfg *c, int loop, int block)
{
    int l = c->blocks[block].loop;
    while (l >= 0 && l != loop)
        l = c->loops[l].parent;
    return l == loop;
}

static unsigned depth_of(const struct cfg *c, int block)
{
    return c->blocks[block].loop >= 0 ? c->loops[c->blocks[block].loop].depth : 0;
}

// The successors of a block, those in the fewest loops first, of equals the last: what is gone to first comes last in the order.
static int compare_keys(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static int *outer_first(const struct cfg *c, int block, struct arena *a)
{
    const struct cfg_block *b = &c->blocks[block];
    uint64_t *key = arena_array(a, uint64_t, b->nsucc + 1);
    int *succ = arena_array(a, int, b->nsucc + 1);
    for (unsigned i = 0; i < b->nsucc; i++)
        key[i] = (uint64_t)depth_of(c, b->succ[i]) << 32 | (b->nsucc - 1 - i);
    qsort(key, b->nsucc, sizeof *key, compare_keys);
    for (unsigned i = 0; i < b->nsucc; i++)
        succ[i] = b->succ[b->nsucc - 1 - (uint32_t)key[i]];
    return succ;
}

int *cfg_loops_first(const struct cfg *c, struct arena *a)
{
    struct edges *out = edges_of(c, a, false);
    int *post = arena_array(a, int, c->nblocks + 1);
    for (unsigned i = 0; i < c->norder; i++)
        out[c->order[i]].to = outer_first(c, c->order[i], a);
    return reversed(a, post, post_order(a, out, c->nblocks, 0, NULL, post));
}

bool cfg_walk_all(const struct cfg *c, const LLVMValueRef *from, size_t n, int until, cfg_visit_fn *visit, void *with)
{
    struct VEC(LLVMValueRef) pending = {0};
    bool *seen = xcalloc(c->nblocks + 1, sizeof *seen);
    enum cfg_visit v = CFG_GO_ON;
    for (size_t i = n; i-- > 0;)
        vec_push(&pending, from[i]);
    while (pending.len && v != CFG_FOUND) {
        LLVMValueRef x = pending.data[--pending.len];
        const struct cfg_block *b = &c->blocks[cfg_index(c, LLVMGetInstructionParent(x))];
        for (v = CFG_GO_ON; x && v == CFG_GO_ON; x = LLVMGetNextInstruction(x))
            v = visit(with, x);
        for (unsigned k = 0; k < b->nsucc && v == CFG_GO_ON; k++) {
            if (b->succ[k] == until || seen[b->succ[k]])
                continue;
            seen[b->succ[k]] = true;
            vec_push(&pending, LLVMGetFirstInstruction(c->blocks[b->succ[k]].block));
        }
    }
    vec_free(&pending);
    free(seen);
    return v == CFG_FOUND;
}

bool cfg_walk(const struct cfg *c, LLVMValueRef from, int until, cfg_visit_fn *visit, void *with)
{
    return cfg_walk_all(c, &from, 1, until, visit, with);
}
