// SPDX-License-Identifier: Apache-2.0
// Loops that the gangs of a block go through together.
//
// A region is run gang by gang: the first one to its end, then the next. In a loop that walks through memory in large
// steps, by planes of a volume or by the size of the grid, a gang so reaches one or two lines in every page, and the
// next gang comes back to all of these pages for the lines beside them. The processor's prefetching follows no such
// walk, the translation of addresses begins anew each time, and steps of a power of two put all lines of a walk into
// a few sets of the caches, so that what neighbours share is gone when they come. On a GPU the threads of a block go
// through a loop more or less together. So do gangs here: in a loop that opt/interleave_gangs.c has marked, each makes one
// iteration and stops, the next ones make theirs, then all the next iteration. The order of iterations among gangs is free, since
// nothing in such a loop waits; and whatever a gang does alone, in loops that lanes leave one by one too, stays as it
// is.
//
// How a gang stops: its function returns, and is called again. At a mark (the call of heddle.interleave.point, each copy of the
// loop that the vectoriser made has one) what lives there is written to memory of the gang, the point is noted, and it
// returns INTERLEAVE_STANDS. The function begins with a choice by the point, to where what lives is read back.
//
//  1. What lives is kept in variables (allocas), stored where it is defined and read where it is used; the optimiser
//     makes values of them again. That spares finding out where the values of several paths meet.
//  2. Computed again and not kept is what comes from the thread's number, the parameters and the frame's slots by a few
//     pure operations. Much of it is the same for all gangs and leaves the loop over them. What remains is counters,
//     sums and masks. If that is more than a gang should carry about (TUNE_INTERLEAVE_KEPT_MAX, ..._BLOCK_MAX), the marks are taken out
//     and the loops stay as they are.
//  3. There is one copy of the code: the first call and all later ones are the same in the loop over the gangs, so that
//     the time of compilation hardly grows.
//  4. Memory that lives in the gang's stack frame would be lost. Kernels with local variables in memory get no marks;
//     the vectoriser's own allocas live within one operation, or within a loop that has no mark (gang/memory/running.c).
//  5. A gang that leaves the loop goes on to the end of its region at once and is FINISHED; the sweeps end when all
//     are. Gangs need not make the same number of iterations.
//  6. Before a gang stops it asks for the lines of its next iteration (heddle.interleave.fetch), stores' too. For a gang that walks
//     alone that costs more than it gives (opt/prefetch.c), since it drives out of the caches what it fetched; here
//     it makes up for the prefetching that the processor does not do, and nothing is fetched that no iteration will need.
//  7. Where the mark says when it is worth it, the loop may also run on to its end: its head asks, and the back edge leads
//     to the head too, so that LLVM sees a loop with one entry.
#include "jit/block/block.h"
#include "base/log.h"
#include "base/map.h"
#include "base/str.h"
#include "jit/ir/pass.h"
#include "jit/ir/remat.h"
#include "jit/resume/resume.h"
#include "jit/analysis/liveness.h"
#include <llvm-c/DebugInfo.h>

enum { POINTS_MAX = 8, ALIGN_MAX = 64 };
enum { PARAM_POINT = PARAM_RAW + 1, PARAM_KEPT };

struct point {
    LLVMValueRef mark;
    LLVMBasicBlockRef stop, go; // before and after the mark
    LLVMBasicBlockRef aside;    // where it stops indeed
    LLVMValueRef worth;         // i1: whether it had better
    LLVMValueRef resumed;       // i1, a variable: it goes on from here
    struct VEC(struct live {
        unsigned value;
        uint64_t offset; // where it is kept while the gang stands here
        unsigned align;
    }) live;
};

struct value {
    LLVMValueRef value;
    LLVMValueRef variable; // alloca
    LLVMValueRef entering; // of a phi at a loop's head: another one, for what comes into it
    bool again;            // computed again
};

struct interleave {
    struct block_gen *g;
    LLVMValueRef function;
    LLVMBuilderRef b; // = g->b
    struct cfg cfg;
    struct point points[POINTS_MAX];
    unsigned npoints;
    struct VEC(struct value) values; // those that live across some mark
    uint64_t bytes;
};

// Replaces the requests for the next iteration by the processor's, or takes them and the marks out.
static void settle(struct block_gen *g, LLVMValueRef function, bool interleaved)
{
    FOR_FUNCTION_SAFE (function, x) {
        if (!op_is(x, IS_INTERLEAVE))
            continue;
        if (op_of(x) == OP_INTERLEAVE_FETCH && interleaved) {
            LLVMValueRef a[4] = {LLVMGetOperand(x, 0), LLVMGetOperand(x, 1), block_const(g, 3), block_const(g, 1)};
            LLVMPositionBuilderBefore(g->b, x);
            LLVMValueRef y = ir_intrinsic(g->b, "llvm.prefetch", &g->ptr, 1, a, 4);
            ir_set_metadata(y, "noalias", ir_metadata(x, "noalias"));
        }
        LLVMInstructionEraseFromParent(x);
    }
}

static void find_marks(struct interleave *w)
{
    FOR_FUNCTION (w->function, x) {
        if (op_of(x) != OP_INTERLEAVE_POINT)
            continue;
        if (w->npoints < POINTS_MAX)
            w->points[w->npoints].mark = x;
        w->npoints++;
    }
}

static void move_to_end(struct interleave *w, LLVMValueRef x, LLVMBasicBlockRef block)
{
    LLVMMetadataRef at = LLVMInstructionGetDebugLoc(x);
    LLVMInstructionRemoveFromParent(x);
    LLVMPositionBuilderAtEnd(w->b, block);
    LLVMInsertIntoBuilder(w->b, x);
    LLVMInstructionSetDebugLoc(x, at);
}

static bool is_pure(LLVMValueRef x)
{
    return !IR_IS(x, LLVMPHI, LLVMLoad, LLVMStore, LLVMCall, LLVMAlloca, IR_ATOMICS) && !LLVMIsATerminatorInst(x);
}

// What is computed between the phis and the mark, to ask for memory, and used behind it: computed there once more, so
// that it does not live across the mark.
static void repeat_behind(struct interleave *w, struct point *p)
{
    struct map copies = {0};
    LLVMPositionBuilderBefore(w->b, LLVMGetFirstInstruction(p->go));
    FOR_INSTRUCTIONS (p->stop, x) {
        if (!is_pure(x))
            continue;
        LLVMValueRef copy = LLVMInstructionClone(x);
        for (unsigned i = 0, n = (unsigned)LLVMGetNumOperands(x); i < n; i++) {
            LLVMValueRef o = map_get_ptr(&copies, LLVMGetOperand(x, i));
            if (o)
                LLVMSetOperand(copy, i, o);
        }
        LLVMInsertIntoBuilder(w->b, copy);
        map_put_ptr(&copies, x, copy);
    }
    FOR_INSTRUCTIONS (p->stop, x) {
        LLVMValueRef copy = map_get_ptr(&copies, x);
        struct VEC(LLVMValueRef) users = {0};
        for (LLVMUseRef u = copy ? LLVMGetFirstUse(x) : NULL; u; u = LLVMGetNextUse(u))
            vec_push(&users, LLVMGetUser(u));
        for (size_t k = 0; k < users.len; k++)
            for (unsigned i = 0, n = (unsigned)LLVMGetNumOperands(users.data[k]); i < n; i++) {
                bool phi = LLVMIsAPHINode(users.data[k]) != NULL;
                LLVMBasicBlockRef at =
                    phi ? LLVMGetIncomingBlock(users.data[k], i) : LLVMGetInstructionParent(users.data[k]);
                if (LLVMGetOperand(users.data[k], i) == x && at != p->stop && at != p->aside)
                    LLVMSetOperand(users.data[k], i, copy);
            }
        vec_free(&users);
    }
    map_free(&copies);
}

// What comes before the mark goes to a block of its own, to which all edges lead: phis take their edges along, and those
// behind the mark's block are not touched.
static void part(struct interleave *w, struct point *p)
{
    p->go = LLVMGetInstructionParent(p->mark);
    p->stop = LLVMInsertBasicBlockInContext(w->g->context, p->go, "point");
    for (LLVMUseRef u; (u = LLVMGetFirstUse(LLVMBasicBlockAsValue(p->go)));) {
        LLVMValueRef t = LLVMGetUser(u);
        for (unsigned i = 0; i < LLVMGetNumSuccessors(t); i++)
            if (LLVMGetSuccessor(t, i) == p->go)
                LLVMSetSuccessor(t, i, p->stop);
    }
    for (LLVMValueRef x = LLVMGetFirstInstruction(p->go); x != p->mark; x = LLVMGetFirstInstruction(p->go))
        move_to_end(w, x, p->stop);
    p->worth = LLVMGetOperand(p->mark, 0);
    LLVMInstructionEraseFromParent(p->mark);
    p->aside = LLVMInsertBasicBlockInContext(w->g->context, p->go, "aside");
    FOR_INSTRUCTIONS_SAFE (p->stop, x)
        if (op_of(x) == OP_INTERLEAVE_FETCH)
            move_to_end(w, x, p->aside);
    LLVMPositionBuilderAtEnd(w->b, p->aside);
    LLVMBuildUnreachable(w->b); // until it is known what is kept
    repeat_behind(w, p);
    LLVMPositionBuilderAtEnd(w->b, p->stop);
    LLVMBuildCondBr(w->b, p->worth, p->aside, p->go);
}

// What lives where

struct crossed {
    const struct interleave *w;
    bool point[POINTS_MAX], any;
};

static void lives_at(void *with, unsigned block)
{
    struct crossed *c = with;
    for (unsigned p = 0; p < c->w->npoints; p++)
        if (c->w->points[p].go == c->w->cfg.blocks[block].block)
            c->point[p] = c->any = true;
}

static void find_live(struct interleave *w)
{
    struct liveness l;
    liveness_init(&l, &w->cfg, NULL, NULL); // stretches are blocks
    for (unsigned i = 0; i < w->cfg.norder; i++)
        FOR_INSTRUCTIONS (w->cfg.blocks[w->cfg.order[i]].block, x) {
            struct crossed c = {.w = w};
            if (LLVMGetTypeKind(LLVMTypeOf(x)) != LLVMVoidTypeKind && !LLVMIsAAllocaInst(x))
                liveness_visit(&l, x, lives_at, &c);
            for (unsigned p = 0; p < w->npoints; p++)
                if (c.point[p])
                    vec_push(&w->points[p].live, ((struct live){.value = (unsigned)w->values.len}));
            if (c.any)
                vec_push(&w->values, ((struct value){.value = x}));
        }
    liveness_fini(&l);
}

// Memory that the region does not change before it ends: launch and block, the block's slots, the frame's slots.
static bool is_steady(const struct interleave *w, LLVMValueRef load)
{
    enum { STEADY = 1 << PARAM_LAUNCH | 1 << PARAM_BLOCK | 1 << PARAM_FRAME | 1 << PARAM_NOW };
    return ir_is_invariant(load) ||
           (access_is_simple(load) && block_is_within(w->function, LLVMGetOperand(load, 0), STEADY));
}

static bool is_pure_call(LLVMValueRef x)
{
    static const char *const names[] = {"llvm.smin.", "llvm.smax.", "llvm.umin.", "llvm.umax."};
    return str_begins_any(call_name(x), names, sizeof names / sizeof *names);
}

static enum remat at_resumption(const void *with, LLVMValueRef x)
{
    if (LLVMIsAAllocaInst(x))
        return REMAT_AT_HAND;
    bool never = LLVMIsALoadInst(x)   ? !is_steady(with, x)
                 : LLVMIsACallInst(x) ? !is_pure_call(x)
                                      : IR_IS(x, LLVMPHI, IR_ATOMICS, IR_DIVISIONS, LLVMFDiv, LLVMFRem);
    return never ? REMAT_NEVER : REMAT_AGAIN;
}

// Truth values are kept as integers.
static LLVMTypeRef kept_type(const struct interleave *w, LLVMTypeRef t)
{
    LLVMTypeRef e = type_element(t);
    return type_is_bool(e) ? type_like(e == t ? w->g->i8 : w->g->i32, t) : t;
}

// Decides what is computed again and where the rest is kept.
static bool find_kept(struct interleave *w)
{
    for (size_t i = 0; i < w->values.len; i++) {
        struct value *v = &w->values.data[i];
        LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(v->value));
        v->again = remat_cost(v->value, TUNE_INTERLEAVE_AGAIN_MAX, at_resumption, w) <= TUNE_INTERLEAVE_AGAIN_MAX;
        if (!v->again && (kind == LLVMStructTypeKind || kind == LLVMArrayTypeKind || kind == LLVMTokenTypeKind))
            return false;
    }
    for (unsigned p = 0; p < w->npoints; p++) {
        uint64_t bytes = 0;
        for (size_t i = 0; i < w->points[p].live.len; i++) {
            struct live *l = &w->points[p].live.data[i];
            if (w->values.data[l->value].again)
                continue;
            LLVMTypeRef t = kept_type(w, LLVMTypeOf(w->values.data[l->value].value));
            unsigned align = LLVMABIAlignmentOfType(w->g->plan->layout, t);
            l->align = align < ALIGN_MAX ? align : ALIGN_MAX;
            l->offset = (bytes + l->align - 1) / l->align * l->align;
            bytes = l->offset + LLVMABISizeOfType(w->g->plan->layout, t);
        }
        w->bytes = bytes > w->bytes ? bytes : w->bytes;
    }
    w->bytes = (w->bytes + ALIGN_MAX - 1) / ALIGN_MAX * ALIGN_MAX;
    unsigned most = w->g->plan->listed
                        ? TUNE_INTERLEAVE_LISTED_KEPT_MAX
                        : TUNE_INTERLEAVE_KEPT_MAX; // who waits for a list and then for what it names gains more
    return w->bytes <= most &&
           w->bytes * (plan_threads(w->g->plan) / w->g->width) <= machine_part(FIGURE_L1, TUNE_INTERLEAVE_BLOCK_MAX);
}

// The new function

// The same code as a function with two more parameters.
static void add_parameters(struct interleave *w)
{
    LLVMValueRef old = w->function;
    LLVMTypeRef types[PARAM_KEPT + 1], was = LLVMGlobalGetValueType(old);
    LLVMGetParamTypes(was, types);
    types[PARAM_POINT] = types[PARAM_KEPT] = w->g->ptr;
    LLVMTypeRef type = LLVMFunctionType(LLVMGetReturnType(was), types, PARAM_KEPT + 1, 0);
    w->function = LLVMAddFunction(w->g->module, "heddle.interleaved", type);
    ir_copy_attributes(old, w->function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex);
    for (LLVMBasicBlockRef k; (k = LLVMGetFirstBasicBlock(old));) {
        LLVMRemoveBasicBlockFromParent(k);
        LLVMAppendExistingBasicBlock(w->function, k);
    }
    for (unsigned i = 0; i < PARAM_POINT; i++) {
        ir_copy_attributes(old, w->function, i + 1);
        LLVMReplaceAllUsesWith(LLVMGetParam(old, i), LLVMGetParam(w->function, i));
    }
    if (LLVMGetSubprogram(old))
        LLVMSetSubprogram(w->function, LLVMGetSubprogram(old));
    LLVMDeleteFunction(old);
}

// Whether it stops in every iteration.
static bool always_stops(const struct point *p)
{
    return LLVMIsAConstantInt(p->worth) != NULL;
}

// A phi of a loop that may stay one.
static bool is_header_phi(const struct interleave *w, LLVMValueRef x)
{
    for (unsigned i = 0; i < w->npoints; i++)
        if (LLVMIsAPHINode(x) && LLVMGetInstructionParent(x) == w->points[i].stop)
            return !always_stops(&w->points[i]);
    return false;
}

// Every use of the value reads its variable, its definition writes it.
static void make_variable(struct interleave *w, const struct value *v)
{
    ir_read_variable(w->b, v->value, v->variable, false);
    if (v->entering) // see set_phis
        return;
    LLVMPositionBuilderBefore(w->b, ir_after_phis(LLVMGetNextInstruction(v->value)));
    LLVMBuildStore(w->b, v->value, v->variable);
}

static LLVMValueRef kept_slot(struct interleave *w, const struct live *l)
{
    LLVMValueRef offset = LLVMConstInt(w->g->i64, l->offset, 0);
    return LLVMBuildGEP2(w->b, w->g->i8, LLVMGetParam(w->function, PARAM_KEPT), &offset, 1, "");
}

static void set_point(struct interleave *w, unsigned point)
{
    LLVMBuildStore(w->b, LLVMConstInt(w->g->i8, point, 0), LLVMGetParam(w->function, PARAM_POINT));
}

// What comes into a loop's phis goes through variables, for the back edge as for the others. Those that live
// nowhere else get any value on that edge, where nobody asks for them.
static void set_phis(struct interleave *w, struct point *p, LLVMBasicBlockRef back)
{
    FOR_PHIS_SAFE (p->stop, x) {
        const struct value *v = NULL;
        for (size_t i = 0; i < w->values.len && !v; i++)
            v = w->values.data[i].value == x ? &w->values.data[i] : NULL;
        if (!v) {
            LLVMValueRef nothing = LLVMGetUndef(LLVMTypeOf(x));
            LLVMAddIncoming(x, &nothing, &back, 1);
            continue;
        }
        for (unsigned i = 0; i < LLVMCountIncoming(x); i++) {
            LLVMPositionBuilderBefore(w->b, LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(x, i)));
            LLVMBuildStore(w->b, LLVMGetIncomingValue(x, i), v->entering);
        }
        LLVMPositionBuilderBefore(w->b, ir_after_phis(x));
        LLVMBuildStore(w->b, LLVMBuildLoad2(w->b, LLVMTypeOf(x), v->entering, ""), v->variable);
        LLVMInstructionEraseFromParent(x);
    }
}

// Whether it stops is decided by one test at the loop's head, to which the back edge leads too: so it stays a loop.
static void decide(struct interleave *w, struct point *p, LLVMBasicBlockRef back)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(p->stop);
    if (always_stops(p)) {
        LLVMInstructionEraseFromParent(end);
        LLVMPositionBuilderAtEnd(w->b, p->stop);
        LLVMBuildBr(w->b, p->aside);
        return;
    }
    set_phis(w, p, back);
    FOR_USES (LLVMBasicBlockAsValue(p->stop), u)
        loop_keep(w->g->context, LLVMGetUser(u)); // what it is when gangs go together is not the loop
    LLVMPositionBuilderBefore(w->b, end);
    LLVMValueRef resumed = LLVMBuildLoad2(w->b, w->g->i1, p->resumed, "");
    LLVMBuildStore(w->b, LLVMConstInt(w->g->i1, 0, 0), p->resumed);
    LLVMSetCondition(end, LLVMBuildAnd(w->b, LLVMGetCondition(end), LLVMBuildNot(w->b, resumed, ""), ""));
}

static void stop(struct interleave *w, unsigned point)
{
    struct point *p = &w->points[point];
    LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(p->aside));
    LLVMPositionBuilderAtEnd(w->b, p->aside);
    for (size_t i = 0; i < p->live.len; i++) {
        const struct live *l = &p->live.data[i];
        const struct value *v = &w->values.data[l->value];
        if (v->again)
            continue;
        LLVMTypeRef t = LLVMTypeOf(v->value), kept = kept_type(w, t);
        LLVMValueRef x = LLVMBuildLoad2(w->b, t, v->variable, "");
        if (kept != t)
            x = LLVMGetTypeKind(t) == LLVMVectorTypeKind ? LLVMBuildSExt(w->b, x, kept, "")
                                                         : LLVMBuildZExt(w->b, x, kept, "");
        ir_store(w->b, x, kept_slot(w, l), l->align);
    }
    set_point(w, point + 1);
    LLVMBuildRet(w->b, block_const(w->g, INTERLEAVE_STANDS));
}

static LLVMBasicBlockRef go_on(struct interleave *w, unsigned point)
{
    struct point *p = &w->points[point];
    LLVMBasicBlockRef block = LLVMInsertBasicBlockInContext(w->g->context, p->go, "goes_on");
    struct map done = {0};
    LLVMPositionBuilderAtEnd(w->b, block);
    for (size_t i = 0; i < p->live.len; i++) {
        const struct live *l = &p->live.data[i];
        const struct value *v = &w->values.data[l->value];
        LLVMTypeRef t = LLVMTypeOf(v->value), kept = kept_type(w, t);
        LLVMValueRef x;
        if (v->again) {
            x = remat_build(w->b, v->value, &done, at_resumption, w);
        } else {
            x = ir_load(w->b, kept, kept_slot(w, l), l->align);
            x = kept == t ? x : LLVMBuildICmp(w->b, LLVMIntNE, x, LLVMConstNull(kept), "");
        }
        LLVMBuildStore(w->b, x, v->variable);
        if (v->entering)
            LLVMBuildStore(w->b, x, v->entering);
    }
    if (!always_stops(p))
        LLVMBuildStore(w->b, LLVMConstInt(w->g->i1, 1, 0), p->resumed);
    LLVMBuildBr(w->b, always_stops(p) ? p->go : p->stop);
    map_free(&done);
    return block;
}

static void finish_returns(struct interleave *w)
{
    for (LLVMBasicBlockRef k = LLVMGetFirstBasicBlock(w->function); k; k = LLVMGetNextBasicBlock(k)) {
        LLVMValueRef t = LLVMGetBasicBlockTerminator(k);
        if (!LLVMIsAReturnInst(t))
            continue;
        LLVMPositionBuilderBefore(w->b, t);
        set_point(w, INTERLEAVE_FINISHED);
    }
}

static void build(struct interleave *w)
{
    LLVMBasicBlockRef first = LLVMGetEntryBasicBlock(w->function);
    LLVMBasicBlockRef entry = LLVMInsertBasicBlockInContext(w->g->context, first, "point");
    FOR_INSTRUCTIONS_SAFE (first, x)
        if (LLVMIsAAllocaInst(x))
            move_to_end(w, x, entry);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(w->g->context);
    LLVMPositionBuilderAtEnd(b, entry);
    finish_returns(w);
    // first what is computed again, from definitions that still name each other
    LLVMBasicBlockRef on[POINTS_MAX];
    for (size_t i = 0; i < w->values.len; i++) {
        struct value *v = &w->values.data[i];
        v->variable = LLVMBuildAlloca(b, LLVMTypeOf(v->value), "");
        v->entering = is_header_phi(w, v->value) ? LLVMBuildAlloca(b, LLVMTypeOf(v->value), "") : NULL;
    }
    for (unsigned i = 0; i < w->npoints; i++) {
        w->points[i].resumed = LLVMBuildAlloca(b, w->g->i1, "");
        LLVMBuildStore(b, LLVMConstInt(w->g->i1, 0, 0), w->points[i].resumed);
        on[i] = go_on(w, i);
    }
    for (size_t i = 0; i < w->values.len; i++)
        make_variable(w, &w->values.data[i]);
    for (unsigned i = 0; i < w->npoints; i++)
        stop(w, i);
    for (unsigned i = 0; i < w->npoints; i++)
        decide(w, &w->points[i], on[i]);
    LLVMValueRef point = LLVMBuildLoad2(b, w->g->i8, LLVMGetParam(w->function, PARAM_POINT), "");
    LLVMValueRef choose = LLVMBuildSwitch(b, point, first, w->npoints);
    for (unsigned i = 0; i < w->npoints; i++)
        LLVMAddCase(choose, LLVMConstInt(w->g->i8, i + 1, 0), on[i]);
    LLVMDisposeBuilder(b);
}

// Turns `full` of a region with marked loops into a function that stops in each iteration, if that pays (region.interleaved); else
// the marks are taken out. To be called once for each region.
static void block_interleave(struct block_gen *g, struct region *r)
{
    struct interleave w = {.g = g, .b = g->b, .function = r->full};
    if (r->masked && r->masked != r->full)
        settle(g, r->masked, false);
    if (!r->full)
        return;
    find_marks(&w);
    bool one_frame = g->form == BLOCK_SINGLE && g->plan->gang_frame_bytes;
    bool may = w.npoints && w.npoints <= POINTS_MAX && g->form <= BLOCK_LOOPS && !one_frame &&
               ir_function_size(w.function) <= TUNE_INTERLEAVE_REGION_MAX && g->plan->block[0];
    if (may) {
        for (unsigned i = 0; i < w.npoints; i++)
            part(&w, &w.points[i]);
        cfg_build(&w.cfg, w.function);
        find_live(&w);
        may = find_kept(&w);
        cfg_fini(&w.cfg);
        if (may) {
            add_parameters(&w);
            build(&w);
            r->full = w.function;
            r->interleaved = true;
            r->kept_bytes = w.bytes;
            log_write(LOG_DEBUG, "%s: gangs go through %u loops together, with %u bytes each", g->plan->kernel,
                      w.npoints, (unsigned)w.bytes);
        }
        for (unsigned i = 0; i < w.npoints; i++) {
            if (!may) {
                LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(w.points[i].stop));
                LLVMPositionBuilderAtEnd(w.b, w.points[i].stop);
                LLVMBuildBr(w.b, w.points[i].go);
            }
            vec_free(&w.points[i].live);
        }
        vec_free(&w.values);
    }
    settle(g, r->full, may);
}

bool pass_interleave_regions(struct compilation *c)
{
    struct block_gen g = block_begin(&c->plan, c->d);
    for (size_t r = 0; r < c->plan.regions.len; r++)
        block_interleave(&g, &c->plan.regions.data[r]);
    LLVMDisposeBuilder(g.b);
    return true;
}
