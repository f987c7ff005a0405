// SPDX-License-Identifier: Apache-2.0
// Loads and stores of runs of lanes under a mask where the processor has no instructions for it: register by register. Borders of
// a grid that is no multiple of the gang's width are such: most registers have all of their lanes active or none.
//  - All lanes of the register are active: one access.
//  - Some are: a store for each. A load of the whole where it stays within one page, which an active lane reads anyway; a load for
//    each active lane where it does not.
//  - None: nothing is touched.
// So each active lane makes its access at its own address, and no inactive lane writes anything or reads another page than the
// active ones of its register. No lane's address may have wrapped around within its run: callers test that, and make single
// accesses where one has.
//
// One function for each kind of access, which keeps all registers, as those of gang/memory/access.c.
#include "jit/gang/memory/access.h"
#include "jit/ir/tuning.h"
#include <stdio.h>

// Where much is computed for each access the gangs at the border gain little, and what this needs beside the mask takes registers from
// those inside.
static bool is_mostly_memory(const struct access *a)
{
    unsigned instructions = 0, accesses = 0;
    FOR_FUNCTION (LLVMGetBasicBlockParent(LLVMGetInstructionParent(a->inst)), x) {
        instructions++;
        accesses += IR_IS(x, LLVMLoad, LLVMStore) && ir_space(ir_address(x)) <= AS_GLOBAL;
    }
    return instructions <= TUNE_PARTS_WORK_MAX * accesses;
}

bool parts_fit(struct gang *g, const struct access *a)
{
    return g->v->arm && a->mask && a->pattern.run && !a->pattern.reversed && !a->shared && !a->own &&
           access_is_plain(g, a) && is_mostly_memory(a);
}

// Lanes of a run that share a register.
static unsigned part_lanes(const struct access *a)
{
    unsigned n = a->size < 16 ? 16 / (unsigned)a->size : 1;
    return n < a->pattern.run ? n : a->pattern.run;
}

struct part {
    struct gang *g;
    const struct access *a;
    LLVMValueRef function, pointer, mask, x; // of this part; x: what is stored
    unsigned lanes;
};

static LLVMBasicBlockRef block_of(const struct part *p)
{
    return LLVMAppendBasicBlockInContext(p->g->v->context, p->function, "");
}

static LLVMValueRef lane_pointer(const struct part *p, unsigned l)
{
    LLVMValueRef at = gang_i64(p->g, (int64_t)(l * p->a->size));
    return LLVMBuildGEP2(p->g->b, p->g->v->i8, p->pointer, &at, 1, "");
}

// Each active lane for itself; returns what they load, or NULL.
static LLVMValueRef by_lanes(const struct part *p)
{
    struct gang *g = p->g;
    LLVMValueRef r = p->x ? NULL : LLVMGetPoison(LLVMVectorType(p->a->type, p->lanes));
    for (unsigned l = 0; l < p->lanes; l++) {
        LLVMBasicBlockRef from = LLVMGetInsertBlock(g->b), active = block_of(p), next = block_of(p);
        ir_branch(g->b, LLVMBuildIsNotNull(g->b, gang_lane(g, p->mask, l), ""), active, next, active);
        if (p->x) {
            access_store(g, p->a, gang_lane(g, p->x, l), lane_pointer(p, l));
            ir_enter(g->b, next);
            continue;
        }
        LLVMValueRef one = access_load(g, p->a, p->a->type, lane_pointer(p, l));
        LLVMValueRef with = LLVMBuildInsertElement(g->b, r, one, gang_i64(g, l), "");
        ir_enter(g->b, next);
        r = ir_phi(g->b, r, from, with, active);
    }
    return r;
}

// One part; returns what it loads, or NULL.
static LLVMValueRef access_part(const struct part *p)
{
    struct gang *g = p->g;
    LLVMTypeRef t = LLVMVectorType(p->a->type, p->lanes);
    LLVMBasicBlockRef whole = block_of(p), some = block_of(p), done = block_of(p);
    LLVMValueRef at_once = gang_all(g, p->mask);
    if (!p->x) {
        LLVMValueRef near = access_on_one_page(g, p->pointer, p->lanes * p->a->size);
        at_once = LLVMBuildOr(g->b, at_once, LLVMBuildAnd(g->b, gang_any(g, p->mask), near, ""), "");
    }
    ir_branch(g->b, at_once, whole, some, whole);
    LLVMValueRef x = NULL;
    if (p->x)
        access_store(g, p->a, p->x, p->pointer);
    else
        x = access_load(g, p->a, t, p->pointer);
    ir_jump(g->b, done, some);
    LLVMValueRef y = by_lanes(p);
    some = LLVMGetInsertBlock(g->b);
    ir_enter(g->b, done);
    return x ? ir_phi(g->b, x, whole, y, some) : NULL;
}

// Parameters: a pointer for each run, the mask, what is stored.
static void build(struct gang *g, const struct access *a, LLVMValueRef f, bool store)
{
    unsigned runs = g->width / a->pattern.run, n = part_lanes(a);
    LLVMValueRef r[GANG_MAX];
    for (unsigned l = 0; l < g->width; l += n) {
        LLVMValueRef run = LLVMGetParam(f, l / a->pattern.run),
                     at = gang_i64(g, (int64_t)(l % a->pattern.run * a->size));
        struct part p = {.g = g, .a = a, .function = f, .lanes = n};
        p.pointer = LLVMBuildGEP2(g->b, g->v->i8, run, &at, 1, "");
        p.mask = gang_slice(g, LLVMGetParam(f, runs), l, n);
        p.x = store ? gang_slice(g, LLVMGetParam(f, runs + 1), l, n) : NULL;
        r[l / n] = access_part(&p);
    }
    if (store)
        LLVMBuildRetVoid(g->b);
    else
        LLVMBuildRet(g->b, gang_concat(g, r, g->width / n));
}

// `pointer`: of each run. Returns what is loaded where x is NULL.
LLVMValueRef parts_access(struct gang *g, const struct access *a, const LLVMValueRef *pointer, LLVMValueRef x)
{
    unsigned runs = g->width / a->pattern.run;
    LLVMTypeRef types[GANG_MAX + 2], data = gang_lanes(g, a->type);
    LLVMValueRef args[GANG_MAX + 2];
    for (unsigned i = 0; i < runs; i++) {
        types[i] = g->v->ptr;
        args[i] = pointer[i];
    }
    types[runs] = g->v->mask;
    args[runs] = a->mask;
    types[runs + 1] = data;
    args[runs + 1] = x;
    LLVMTypeRef type = LLVMFunctionType(x ? g->v->void_type : data, types, runs + (x ? 2 : 1), 0);
    char kind[32];
    snprintf(kind, sizeof kind, "%s.%u", x ? "store" : "load", a->pattern.run);
    bool made;
    LLVMValueRef f = access_function(g, a, kind, type, !x, &made);
    if (!made) {
        LLVMBasicBlockRef back = LLVMGetInsertBlock(g->b);
        LLVMPositionBuilderAtEnd(g->b, LLVMAppendBasicBlockInContext(g->v->context, f, ""));
        build(g, a, f, x != NULL);
        LLVMPositionBuilderAtEnd(g->b, back);
    }
    LLVMValueRef call = ir_call(g->b, f, args, runs + (x ? 2 : 1));
    LLVMSetInstructionCallConv(call, LLVMPreserveAllCallConv);
    return call;
}
