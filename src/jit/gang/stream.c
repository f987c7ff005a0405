// Divergent loops in which every lane walks through memory of its own: the neighbours of a node, the row of a sparse matrix,
// the bytes of a string. For a gang such a loop is the worst there is: an access is a gather from as many lines as lanes,
// which costs a processor at least as much as single loads do; it runs as often as the longest list wants; and lanes that
// had nothing to do from the start, the nodes that a search has not reached, are carried along. One lane after the other has
// none of this: what it reads lies side by side, its branches are foreseen as far as its data can be, and lanes that do not
// take part cost nothing. The code around the loop stays as it is, for the gang.
//
// So: when
//  1. some load's address runs through the loop by a small constant step, from a start that differs between lanes,
//  2. few accesses are of the kind that a gang makes at once (side by side in memory over the lanes),
//  3. there is little else to compute for each access: arithmetic is what a gang is good at,
//  4. the loop has plain operations alone, nothing that waits, is volatile or atomic, or speaks of other lanes, and
//  5. the kernel does not count on its warps' lockstep,
// the loop is emitted as the code of one thread inside a loop over the active lanes. That code is made by the same emitters,
// in a gang of one lane whose values are all uniform (struct gang `one`); values from outside come from the gang's vectors
// through memory, and results go back the same way. Threads of a warp may run in any order between two collectives, so
// nothing but time changes.
//
// A breadth-first search took 1960 us in place of 2580 on one thread. With gathers and scatters of 32 places at once two
// threads took as long as one, since each held up the other's lines; now they share the work.
#include "jit/gang/loop.h"
#include <llvm-c/Core.h>
#include <string.h>

enum { STEP_MAX = 64, WORK_MAX = 4, CHAIN_MAX = 8 };

static bool in_loop(struct gang *g, const struct loop *l, int block)
{
    return g->f->cfg.blocks[block].rpo >= 0 && cfg_loop_contains(&g->f->cfg, l->id, block);
}

static bool is_inside(struct gang *g, const struct loop *l, LLVMValueRef x)
{
    LLVMBasicBlockRef b = LLVMGetInstructionParent(x);
    for (unsigned i = 0; i < g->f->cfg.nblocks; i++)
        if (g->f->cfg.blocks[i].block == b)
            return in_loop(g, l, (int)i);
    return false;
}

#define FOR_LOOP(g, l, x)                                                                                              \
    for (unsigned block_ = 0; block_ < (g)->f->cfg.nblocks; block_++)                                                  \
        if (in_loop(g, l, (int)block_))                                                                                \
            for (LLVMValueRef x = LLVMGetFirstInstruction((g)->f->cfg.blocks[block_].block); x;                        \
                 x = LLVMGetNextInstruction(x))

static bool is_simple_type(LLVMTypeRef t)
{
    switch (LLVMGetTypeKind(t)) {
    case LLVMIntegerTypeKind:
        return LLVMGetIntTypeWidth(t) <= 64 && (LLVMGetIntTypeWidth(t) & (LLVMGetIntTypeWidth(t) - 1)) == 0;
    case LLVMHalfTypeKind:
    case LLVMFloatTypeKind:
    case LLVMDoubleTypeKind:
    case LLVMPointerTypeKind:
    case LLVMVoidTypeKind:
        return true;
    default:
        return false;
    }
}

static bool is_simple_call(LLVMValueRef x)
{
    static const char *const known[] = {"heddle.args", "heddle.shared", "heddle.global", "heddle.rt.misaligned"};
    const char *name = call_name(x);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (!strcmp(name, known[i]))
            return true;
    return !strncmp(name, "llvm.", 5) && LLVMGetTypeKind(LLVMTypeOf(x)) != LLVMVoidTypeKind;
}

static bool is_simple(LLVMValueRef x)
{
    switch (LLVMGetInstructionOpcode(x)) {
    case LLVMCall:
        return is_simple_call(x) && is_simple_type(LLVMTypeOf(x));
    case LLVMLoad:
    case LLVMStore:
        return !LLVMGetVolatile(x) && LLVMGetOrdering(x) == LLVMAtomicOrderingNotAtomic && is_simple_type(LLVMTypeOf(x));
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
    case LLVMFence:
    case LLVMAlloca:
    case LLVMExtractValue:
        return false;
    default:
        return is_simple_type(LLVMTypeOf(x));
    }
}

// x + constant, the constant.
static bool is_step(LLVMValueRef x, LLVMValueRef from, int64_t *step)
{
    if (!LLVMIsAInstruction(x))
        return false;
    LLVMOpcode op = LLVMGetInstructionOpcode(x);
    if (op == LLVMGetElementPtr && LLVMGetNumOperands(x) == 2 && type_bits(LLVMGetGEPSourceElementType(x)) == 8)
        return LLVMGetOperand(x, 0) == from && value_constant(LLVMGetOperand(x, 1), step);
    return op == LLVMAdd && LLVMGetOperand(x, 0) == from && value_constant(LLVMGetOperand(x, 1), step);
}

// A phi that has one value on all edges that can have been taken (scalar/carry.c): that value.
static LLVMValueRef only_value(LLVMValueRef x)
{
    LLVMValueRef only = NULL;
    for (unsigned i = 0; LLVMIsAPHINode(x) && i < LLVMCountIncoming(x); i++) {
        LLVMValueRef v = LLVMGetIncomingValue(x, i);
        if (value_is_undef(v))
            continue;
        if (only)
            return x;
        only = v;
    }
    return only ? only : x;
}

bool loop_phi_step(LLVMValueRef phi, int64_t *step)
{
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
        if (is_step(only_value(LLVMGetIncomingValue(phi, i)), phi, step))
            return true;
    return false;
}

// Whether the address is scale * p + anything that stays, where p is a phi of the loop that goes on by a constant; `reach`
// bytes each time round.
static bool runs_on(struct gang *g, const struct loop *l, LLVMValueRef x, unsigned depth, int64_t scale, int64_t *reach)
{
    int64_t c;
    if (!depth || !LLVMIsAInstruction(x) || !is_inside(g, l, x))
        return false;
    LLVMValueRef a = LLVMGetNumOperands(x) ? LLVMGetOperand(x, 0) : NULL;
    switch (LLVMGetInstructionOpcode(x)) {
    case LLVMPHI:
        if (!loop_phi_step(x, &c))
            return false;
        *reach = c * scale;
        return true;
    case LLVMShl:
        return value_constant(LLVMGetOperand(x, 1), &c) && c >= 0 && c < 8 &&
               runs_on(g, l, a, depth - 1, scale << c, reach);
    case LLVMMul:
        return value_constant(LLVMGetOperand(x, 1), &c) && c > -STEP_MAX && c < STEP_MAX &&
               runs_on(g, l, a, depth - 1, scale * c, reach);
    case LLVMSExt:
    case LLVMZExt:
    case LLVMIntToPtr:
    case LLVMAddrSpaceCast:
        return runs_on(g, l, a, depth - 1, scale, reach);
    case LLVMAdd:
    case LLVMGetElementPtr:
        return LLVMGetNumOperands(x) == 2 && (runs_on(g, l, a, depth - 1, scale, reach) ||
                                              runs_on(g, l, LLVMGetOperand(x, 1), depth - 1, scale, reach));
    default:
        return false;
    }
}

#define FOR_HEADER(g, l, x)                                                                                            \
    for (LLVMValueRef x = LLVMGetFirstInstruction((g)->f->cfg.blocks[(l)->header].block); x && LLVMIsAPHINode(x);      \
         x = LLVMGetNextInstruction(x))

// A sum of floats: each turn waits for the one before, whatever else the processor could do.
static bool is_sum(struct gang *g, const struct loop *l)
{
    FOR_HEADER(g, l, x)
    {
        LLVMTypeKind k = LLVMGetTypeKind(LLVMTypeOf(x));
        if ((k == LLVMFloatTypeKind || k == LLVMDoubleTypeKind) && gang_shape(g, x).kind == SHAPE_VARYING)
            return true;
    }
    return false;
}

// What compilers leave of a loop that they have unrolled: a few turns, counted by the low bits of a number. With few
// turns lanes differ by little, and a gang has less to do for each of them.
static bool is_remainder(struct gang *g, const struct loop *l)
{
    enum { UNROLLED_MAX = 8 };
    int64_t step, c;
    FOR_HEADER(g, l, x)
    {
        if (LLVMGetTypeKind(LLVMTypeOf(x)) != LLVMIntegerTypeKind || !loop_phi_step(x, &step) || step != -1)
            continue;
        for (unsigned i = 0; i < LLVMCountIncoming(x); i++) {
            LLVMValueRef v = LLVMGetIncomingValue(x, i);
            if (LLVMIsAInstruction(v) && LLVMGetInstructionOpcode(v) == LLVMAnd && value_constant(LLVMGetOperand(v, 1), &c) &&
                c >= 0 && c < UNROLLED_MAX)
                return true;
        }
    }
    return false;
}

// What is computed beside addresses.
static bool is_work(LLVMValueRef x)
{
    switch (LLVMGetInstructionOpcode(x)) {
    case LLVMPHI:
    case LLVMBr:
    case LLVMGetElementPtr:
        return false;
    case LLVMAdd:
    case LLVMShl:
        return type_bits(LLVMTypeOf(x)) != 64;
    default:
        return !LLVMIsACastInst(x);
    }
}

bool stream_pays(struct gang *g, const struct loop *l)
{
    unsigned apart = 0, together = 0, work = 0;
    bool streams = false;
    if (g->width == 1 || g->v->plan->lockstep)
        return false;
    FOR_LOOP(g, l, x)
    {
        if (!is_simple(x))
            return false;
        LLVMOpcode op = LLVMGetInstructionOpcode(x);
        if (op != LLVMLoad && op != LLVMStore) {
            work += is_work(x) && gang_shape(g, x).kind == SHAPE_VARYING;
            continue;
        }
        LLVMValueRef address = LLVMGetOperand(x, op == LLVMStore);
        struct shape s = gang_shape(g, address);
        apart += s.kind == SHAPE_VARYING;
        together += s.kind == SHAPE_AFFINE && !shape_is_uniform(g->lanes, &s);
        int64_t reach = 0;
        streams |= op == LLVMLoad && s.kind == SHAPE_VARYING && runs_on(g, l, address, CHAIN_MAX, 1, &reach) && reach &&
                   reach >= -STEP_MAX && reach <= STEP_MAX;
    }
    return streams && together < apart && work <= WORK_MAX * apart && !(is_sum(g, l) && is_remainder(g, l));
}

// A value that the loop reads and does not compute.
struct import {
    LLVMValueRef value;
    struct lane_operand operand;
};

struct imports {
    unsigned n, room;
    struct import *of;
};

static void import(struct gang *g, const struct loop *l, struct imports *m, LLVMValueRef x)
{
    if (scalar_fn_index(g->f, x) < 0 || value_is_undef(x) || (LLVMIsAInstruction(x) && is_inside(g, l, x)))
        return;
    for (unsigned i = 0; i < m->n; i++)
        if (m->of[i].value == x)
            return;
    m->of[m->n++] = (struct import){x, lane_operand(g, x)};
}

static unsigned operand_count(LLVMValueRef x)
{
    return LLVMIsAPHINode(x) ? LLVMCountIncoming(x) : (unsigned)LLVMGetNumOperands(x);
}

// Also what the loop does not read itself, but hands on to its exit.
static struct imports import_all(struct gang *g, const struct loop *l)
{
    struct imports m = {0};
    FOR_LOOP(g, l, x)
    m.room += operand_count(x);
    LLVMValueRef exit = LLVMGetFirstInstruction(g->f->cfg.blocks[l->exit].block);
    for (LLVMValueRef x = exit; x && LLVMIsAPHINode(x); x = LLVMGetNextInstruction(x))
        m.room += operand_count(x);
    m.of = arena_array(&g->v->arena, struct import, m.room + 1);
    FOR_LOOP(g, l, x)
    for (unsigned i = 0; i < operand_count(x); i++) {
        LLVMValueRef o = LLVMIsAPHINode(x) ? LLVMGetIncomingValue(x, i) : LLVMGetOperand(x, i);
        if (!LLVMValueIsBasicBlock(o))
            import(g, l, &m, o);
    }
    LLVMBasicBlockRef latch = g->f->cfg.blocks[l->latch].block;
    for (LLVMValueRef x = exit; x && LLVMIsAPHINode(x); x = LLVMGetNextInstruction(x))
        for (unsigned i = 0; i < operand_count(x); i++)
            if (LLVMGetIncomingBlock(x, i) == latch)
                import(g, l, &m, LLVMGetIncomingValue(x, i));
    return m;
}

// The function as one thread sees it: every value is uniform, no branch divergent.
static struct scalar_fn *one_thread(struct gang *g)
{
    if (g->f->one)
        return g->f->one;
    struct scalar_fn *f = arena_dup(&g->v->arena, g->f, sizeof *g->f);
    f->shapes = arena_array(&g->v->arena, struct shape, f->nvalues + 1);
    for (unsigned i = 0; i < f->nvalues; i++)
        f->shapes[i] = shape_uniform(true);
    f->facts = arena_array(&g->v->arena, struct block_facts, f->cfg.nblocks + 1);
    return g->f->one = f;
}

// What lives out of the loop: the phis of its exit, each with the memory that collects it from the lanes.
struct result {
    LLVMValueRef phi, memory;
    LLVMTypeRef cell;
};

static struct result *results_of(struct gang *g, const struct loop *l, unsigned *n)
{
    LLVMValueRef first = LLVMGetFirstInstruction(g->f->cfg.blocks[l->exit].block);
    *n = 0;
    for (LLVMValueRef x = first; x && LLVMIsAPHINode(x); x = LLVMGetNextInstruction(x))
        (*n)++;
    struct result *r = arena_array(&g->v->arena, struct result, *n + 1);
    for (unsigned i = 0; i < *n; i++, first = LLVMGetNextInstruction(first)) {
        r[i].phi = first;
        r[i].cell = type_is_bool(LLVMTypeOf(first)) ? g->v->i32 : gang_type(g, LLVMTypeOf(first));
        r[i].memory = lane_spill(g, LLVMConstNull(LLVMVectorType(r[i].cell, g->width)));
    }
    return r;
}

// The loop for the lane at hand; the builder is then behind it.
static struct edge emit_one(struct gang *g, const struct loop *l, int pre, const struct imports *m, struct lane_loop *at)
{
    static const struct lanes single = {.width = 1, .segments = 1, .block = {1, 1, 1}};
    struct gang one = *g;
    one.f = one_thread(g);
    one.lanes = &single;
    one.width = 1;
    one.values = arena_array(&g->v->arena, struct gang_value, g->f->nvalues + 1);
    one.first_thread = LLVMBuildAdd(g->b, g->first_thread, LLVMBuildTrunc(g->b, at->lane, g->v->i32, ""), "");
    for (unsigned i = 0; i < m->n; i++)
        gang_slot(&one, m->of[i].value)->base[0] = lane_operand_read(g, at, &m->of[i].operand);
    struct edge in = edge_read(&one, pre, l->header), out = loop_emit_uniform(&one, l, &in, NULL);
    g->once = one.once;
    g->loaded = one.loaded;
    g->versions = one.versions;
    g->failed |= one.failed;
    return out;
}

struct edge stream_emit(struct gang *g, const struct loop *l, int pre, LLVMValueRef mask)
{
    struct imports m = import_all(g, l);
    unsigned n;
    struct result *r = results_of(g, l, &n);
    struct lane_loop lanes;
    lane_loop_begin(g, &lanes, mask);
    struct edge one = emit_one(g, l, pre, &m, &lanes);
    for (unsigned i = 0; i < n; i++) {
        LLVMValueRef x = one.incoming[i].base[0];
        lane_write(g, &lanes, r[i].cell, r[i].memory, type_is_bool(LLVMTypeOf(x)) ? LLVMBuildSExt(g->b, x, r[i].cell, "") : x);
    }
    lane_loop_end(g, &lanes);
    struct edge out = {.incoming = arena_array(&g->v->arena, struct gang_value, n + 1)};
    for (unsigned i = 0; i < n; i++)
        out.incoming[i].vector = lane_reload(g, gang_vector_type(g, LLVMTypeOf(r[i].phi)), r[i].memory);
    out.from = LLVMGetInsertBlock(g->b);
    return out;
}
