// SPDX-License-Identifier: Apache-2.0
// Gang functions: their parameters, entry and end.
#include "jit/gang/gang.h"
#include <llvm-c/Analysis.h>
#include <stdio.h>

// Those before the mask.
static unsigned standard_params(struct vectoriser *v, LLVMTypeRef *t)
{
    for (unsigned i = 0; i < PARAM_MASK; i++)
        t[i] = i == PARAM_FIRST ? v->i32 : v->ptr;
    return PARAM_MASK;
}

static struct gang begin(struct vectoriser *v, struct scalar_fn *f, LLVMValueRef function)
{
    struct gang g = {.v = v, .f = f, .lanes = &v->scalar.lanes, .width = v->scalar.lanes.width, .function = function};
    g.launch = LLVMGetParam(function, PARAM_LAUNCH);
    g.block = LLVMGetParam(function, PARAM_BLOCK);
    g.frame = LLVMGetParam(function, PARAM_FRAME);
    g.first_thread = LLVMGetParam(function, PARAM_FIRST);
    g.uniform_now = LLVMGetParam(function, PARAM_NOW);
    g.uniform_next = LLVMGetParam(function, PARAM_NEXT);
    g.raw = LLVMGetParam(function, PARAM_RAW);
    g.values = arena_array(&v->scalar.arena, struct gang_value, f->nvalues + 1);
    g.b = LLVMCreateBuilderInContext(v->context);
    g.prologue = LLVMCreateBuilderInContext(v->context);
    LLVMPositionBuilderAtEnd(g.prologue, gang_block(&g, "entry"));
    return g;
}

static void build_return(struct gang *g)
{
    LLVMTypeRef t = LLVMGetReturnType(LLVMGlobalGetValueType(g->function));
    if (LLVMGetTypeKind(t) == LLVMVoidTypeKind)
        LLVMBuildRetVoid(g->b);
    else
        LLVMBuildRet(g->b, g->result ? g->result : LLVMGetPoison(t));
}

static bool finish(struct gang *g, LLVMBasicBlockRef body)
{
    struct vectoriser *v = g->v;
    LLVMBuildBr(g->prologue, body);
    LLVMDisposeBuilder(g->b);
    LLVMDisposeBuilder(g->prologue);
    map_free(&g->once);
    vec_free(&g->loaded);
    if (g->failed)
        return false;
#ifndef NDEBUG
    if (LLVMVerifyFunction(g->function, LLVMReturnStatusAction)) {
        char *message = NULL;
        LLVMVerifyModule(v->module, LLVMReturnStatusAction, &message);
        diag_fail(v->d, DIAG_INTERNAL, "vectoriser made invalid code: %s", message ? message : "");
        LLVMDisposeMessage(message);
        return false;
    }
#endif
    return !v->d->errors;
}

// Block-uniform slots that a region sets on some paths through it must reach the next buffer on the others too.
static void copy_uniform_slots(struct gang *g, const struct region *r)
{
    const struct region_plan *p = g->v->plan;
    for (size_t i = 0; i < r->nset; i++) {
        unsigned k = p->set.data[r->set + i];
        const struct frame_slot *s = &g->v->scalar.slots[k];
        if (!s->in_block)
            continue;
        LLVMTypeRef t = gang_type(g, p->slots.data[k]);
        LLVMValueRef x = LLVMBuildLoad2(g->b, t, gang_step(g, g->uniform_now, (int64_t)s->offset), "");
        LLVMBuildStore(g->b, x, gang_step(g, g->uniform_next, (int64_t)s->offset));
    }
}

LLVMValueRef gang_emit_region(struct vectoriser *v, struct scalar_fn *f, const struct region *region, const char *name,
                              bool masked)
{
    LLVMTypeRef params[PARAM_MASK + 1];
    unsigned n = standard_params(v, params);
    if (masked)
        params[n++] = v->mask;
    LLVMTypeRef result = shape_is_uniform(&v->scalar.lanes, &f->result) ? v->i32 : v->mask;
    LLVMValueRef function = LLVMAddFunction(v->module, name, LLVMFunctionType(result, params, n, 0));
    LLVMSetLinkage(function, LLVMInternalLinkage);
    ir_add_attribute(function, "nounwind");
    struct gang g = begin(v, f, function);
    LLVMBasicBlockRef body = gang_block(&g, "body");
    LLVMPositionBuilderAtEnd(g.b, body);
    LLVMValueRef mask = masked && g.width > 1 ? LLVMGetParam(function, PARAM_MASK) : NULL;
    if (masked) {
        LLVMBasicBlockRef run = gang_block(&g, "run"), idle = gang_block(&g, "idle");
        ir_branch(g.b, gang_any(&g, LLVMGetParam(function, PARAM_MASK)), run, idle, idle);
        LLVMBuildRet(g.b, LLVMConstNull(result));
        LLVMPositionBuilderAtEnd(g.b, run);
    }
    copy_uniform_slots(&g, region);
    gang_emit_sequence(&g, 0, CFG_NONE, mask, CFG_NONE);
    build_return(&g);
    return finish(&g, body) ? function : NULL;
}

void gang_declare_callee(struct vectoriser *v, struct scalar_fn *f)
{
    struct gang g = {.v = v, .width = v->scalar.lanes.width};
    unsigned args = LLVMCountParams(f->function);
    LLVMTypeRef *params = arena_array(&v->scalar.arena, LLVMTypeRef, PARAM_MASK + 1 + args);
    LLVMTypeRef result = LLVMGetReturnType(LLVMGlobalGetValueType(f->function));
    unsigned n = standard_params(v, params);
    params[n++] = v->mask;
    for (unsigned i = 0; i < args; i++) {
        LLVMTypeRef t = LLVMTypeOf(LLVMGetParam(f->function, i));
        params[n++] = g.width == 1 ? gang_type(&g, t) : gang_vector_type(&g, t);
    }
    if (LLVMGetTypeKind(result) != LLVMVoidTypeKind)
        result = g.width == 1 ? gang_type(&g, result) : gang_vector_type(&g, result);
    char name[256];
    size_t len;
    snprintf(name, sizeof name, "%s.gang", LLVMGetValueName2(f->function, &len));
    f->gang_function = LLVMAddFunction(v->module, name, LLVMFunctionType(result, params, n, 0));
    // A frame of many lanes may be larger than the guard of the stack: recursion without end must meet it all the same.
    LLVMAddAttributeAtIndex(f->gang_function, LLVMAttributeFunctionIndex,
                            LLVMCreateStringAttribute(v->context, "probe-stack", 11, "inline-asm", 10));
    LLVMSetLinkage(f->gang_function, LLVMInternalLinkage);
    ir_add_attribute(f->gang_function, "nounwind");
}

bool gang_emit_callee(struct vectoriser *v, struct scalar_fn *f)
{
    struct gang g = begin(v, f, f->gang_function);
    LLVMBasicBlockRef body = gang_block(&g, "body");
    LLVMPositionBuilderAtEnd(g.b, body);
    for (unsigned i = 0; i < LLVMCountParams(f->function); i++) {
        LLVMValueRef x = LLVMGetParam(f->gang_function, PARAM_MASK + 1 + i);
        if (g.width == 1)
            g.values[i].base[0] = x;
        else
            g.values[i].vector = x;
    }
    LLVMValueRef mask = g.width > 1 ? LLVMGetParam(f->gang_function, PARAM_MASK) : NULL;
    gang_emit_sequence(&g, 0, CFG_NONE, mask, CFG_NONE);
    build_return(&g);
    return finish(&g, body);
}
