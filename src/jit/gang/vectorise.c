// SPDX-License-Identifier: Apache-2.0
// The vectoriser: scalar regions, each the code of one thread, become gang functions that run W threads at once.
//
// Requirements, which every part relies on.
//
//  1. Structure. Regions have gone through lower/structurise.c: every conditional branch is an if-then (one successor is its
//     immediate post-dominator) or the latch of a loop, which is the loop's only exit and leaves to a block of its own; joins
//     have two predecessors; there is one return; values leave loops through phis (lcssa). Hence the mask after an if or a
//     loop is the mask before it: masks are never OR-ed. Other graphs would give silently wrong code, so analysis/scalar_fn.c checks.
//  2. Shapes. A value is uniform (one scalar), affine (base + constant offset for each lane; with rows shorter than the
//     gang, a base for each row) or varying (a vector). Shapes are found for all regions together, by an optimistic
//     fixpoint; frame slots carry them across resume points. Control flow is divergent where a branch's condition is
//     not uniform; a phi where two sets of lanes meet is varying unless both bring the same value.
//  3. Exactness. All shape arithmetic is modulo the width of the type. PTX extends 32-bit indices to 64 bits without
//     any promise about overflow, so extending base + offset is exact only while no lane wraps around. That is proven from
//     known alignment and range where possible; else the value carries a wrap: the source of the extension and its scale.
//     Memory operations test the source's base (one compare) and take the exact addresses when the test fails; any other
//     use computes the exact vector. Wraps go through phis, selects and slots: their sources are scalars beside the bases.
//  4. Masks are <W x i32> of 0 and -1, NULL for all lanes. Code under a mask runs only when some lane is active; so
//     uniform operations need no mask, and one lane's address makes its page readable for the gang. Inactive lanes may
//     hold poison: conditions are frozen where they become masks, divisors are replaced, no flags are carried over.
//  5. Copies. Where scalars decide that all lanes take a path (an affine index against a bound), the path exists once
//     without masks and once with; loops likewise. Copies are bounded by a multiple of the function's size.
//  6. Blends. Only what lives out of a divergent if or loop is blended, there. What a single lane runs, known when the kernel is
//     compiled, is emitted as scalar code (gang/control/single.c), and so are loops that lanes run one after the other (gang/control/stream.c).
//  7. Frame slots. resume/resume.c gives a frame slot only to a value that the lanes that will read it computed together, so
//     one base may serve them all; W lanes are written under the mask. A slot that is the same for the whole block lives in
//     the uniform buffers when every region's next resume point is block-uniform: gangs then never see each other's.
//  8. Lanes are threads in order: lane l of a gang is thread first_thread + l of the block, x fastest. With a known
//     block shape tid is affine or constant; with an unknown one it is computed, and varying.
//  9. Memory and atomics: see gang/memory/memory.c and gang/memory/atomic.c. Of lanes that store to one location the lowest
//     active one's value stays, as on GPUs. Shared memory (address space 3) is touched by one worker only.
// 10. Collectives come here at W = 32 only, and see the mask that is active where they stand (gang/collective/collective.c); in
//     narrower gangs they are resume points (resume/waits.c).
// 11. Recursive functions get a gang form in which everything varies, with the mask as a parameter.
// 12. A construct without a gang form is reported by name; nothing is guessed.
#include "jit/ir/pass.h"
#include "jit/jit.h"
#include "base/xmalloc.h"
#include "jit/gang/vectorise.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void init_types(struct vectoriser *v)
{
    IR_SET_TYPES(v, v->context);
    v->mask = LLVMVectorType(v->i32, v->scalar.lanes.width);
    v->scope_kind = LLVMGetMDKindIDInContext(v->context, "alias.scope", 11);
    v->noalias_kind = LLVMGetMDKindIDInContext(v->context, "noalias", 7);
    LLVMMetadataRef name[2] = {LLVMMDStringInContext2(v->context, "frame", 5)}, scope[2];
    name[1] = LLVMMDNodeInContext2(v->context, name, 1); // the domain of both
    scope[0] = LLVMMDNodeInContext2(v->context, name, 2);
    name[0] = LLVMMDStringInContext2(v->context, "shared", 6);
    scope[1] = LLVMMDNodeInContext2(v->context, name, 2);
    v->frame_scope = LLVMMetadataAsValue(v->context, LLVMMDNodeInContext2(v->context, scope, 1));
    v->shared_scope = LLVMMetadataAsValue(v->context, LLVMMDNodeInContext2(v->context, scope + 1, 1));
    v->both_scopes = LLVMMetadataAsValue(v->context, LLVMMDNodeInContext2(v->context, scope, 2));
    v->arm = !strncmp(LLVMGetTarget(v->module), "aarch64", 7) || !strncmp(LLVMGetTarget(v->module), "arm64", 5);
}

// Rows that divide the gang make segments, when there are not too many of them.
static unsigned count_segments(const struct lanes *n)
{
    unsigned row = n->block[0];
    if (!row || n->block[1] * n->block[2] == 1 || row >= n->width || n->width % row || n->width / row > SEGMENT_MAX)
        return 1;
    return n->width / row;
}

// The regions, then every function with a body that they reach by calls: those that could not be inlined.
static void collect_callees(struct vectoriser *v, LLVMValueRef function)
{
    FOR_FUNCTION (function, x) {
        LLVMValueRef callee = LLVMGetInstructionOpcode(x) == LLVMCall ? LLVMGetCalledValue(x) : NULL;
        if (!callee || !LLVMIsAFunction(callee) || LLVMIsDeclaration(callee))
            continue;
        unsigned i = 0;
        while (i < v->scalar.nfunctions && v->scalar.functions[i].function != callee)
            i++;
        if (i < v->scalar.nfunctions)
            continue;
        v->scalar.functions[v->scalar.nfunctions++].function = callee;
        collect_callees(v, callee);
    }
}

static unsigned count_functions(LLVMModuleRef m)
{
    unsigned n = 0;
    FOR_MODULE (m, f)
        n++;
    return n;
}

static bool read_functions(struct vectoriser *v)
{
    v->scalar.functions = arena_array(&v->scalar.arena, struct scalar_fn, count_functions(v->module) + 1);
    for (size_t r = 0; r < v->plan->regions.len; r++) {
        v->scalar.functions[v->scalar.nfunctions].function = v->plan->regions.data[r].scalar;
        v->scalar.functions[v->scalar.nfunctions++].is_region = true;
    }
    for (size_t r = 0; r < v->plan->regions.len; r++)
        collect_callees(v, v->plan->regions.data[r].scalar);
    for (unsigned i = 0; i < v->scalar.nfunctions; i++) {
        if (!scalar_fn_init(&v->scalar, &v->scalar.functions[i], v->scalar.functions[i].function))
            return false;
    }
    return true;
}

// Full gangs exist unless the whole block is smaller than one.
static bool has_full_gang(const struct vectoriser *v)
{
    unsigned threads = plan_threads(v->plan);
    return !threads || threads >= v->scalar.lanes.width;
}

// All lanes go from region to region together.
static bool together(const struct region_plan *p)
{
    bool yes = true;
    for (size_t r = 0; r < p->regions.len; r++)
        yes &= p->regions.data[r].next_block_uniform && !(p->regions.data[r].op & RESUME_COUNTED);
    return yes;
}

// Masked gangs exist where the lanes of one may diverge from region to region, and where the block's last gang has fewer
// threads than lanes.
static bool has_masked_gang(struct vectoriser *v)
{
    unsigned threads = plan_threads(v->plan), width = v->scalar.lanes.width;
    bool whole = together(v->plan) || plan_gangs_whole(v->plan);
    return width > 1 && (!whole || !has_full_gang(v) || threads % width || !threads);
}

// Whether a region's result may say that the thread has finished; true when in doubt. What is undefined is never looked at.
static bool may_finish(LLVMValueRef x, unsigned *budget)
{
    if (LLVMIsUndef(x))
        return false;
    if (LLVMIsAConstantInt(x))
        return !LLVMConstIntGetZExtValue(x);
    bool phi = LLVMIsAPHINode(x) != NULL;
    if ((!phi && !LLVMIsASelectInst(x)) || !*budget)
        return true;
    --*budget;
    for (unsigned i = phi ? 0 : 1, n = phi ? LLVMCountIncoming(x) : 3; i < n; i++)
        if (may_finish(phi ? LLVMGetIncomingValue(x, i) : LLVMGetOperand(x, i), budget))
            return true;
    return false;
}

// Whether the lanes of a gang finish all at once: only regions that all of them enter lead to the end, and those lead all of them there.
// Then regions that are entered whole (resume/split.c) are entered by all lanes, and their code for some is never called.
static bool finish_together(const struct region_plan *p)
{
    for (size_t r = 0; r < p->regions.len; r++) {
        const struct region *x = &p->regions.data[r];
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(x->scalar); b; b = LLVMGetNextBasicBlock(b)) {
            LLVMValueRef t = LLVMGetBasicBlockTerminator(b);
            unsigned budget = 256;
            if (LLVMIsAReturnInst(t) && !(x->whole && x->next_uniform) && may_finish(LLVMGetOperand(t, 0), &budget))
                return false;
        }
    }
    return true;
}

// Code of one region for all lanes of a gang and for some.
static bool emit_region(struct vectoriser *v, size_t r, bool full, bool masked)
{
    struct region *region = &v->plan->regions.data[r];
    struct scalar_fn *f = &v->scalar.functions[r];
    char name[512];
    snprintf(name, sizeof name, "%s.full.%zu", v->plan->kernel, r);
    region->full = full ? gang_emit_region(v, f, region, name, false) : NULL;
    snprintf(name, sizeof name, "%s.masked.%zu", v->plan->kernel, r);
    region->masked = masked ? gang_emit_region(v, f, region, name, true) : NULL;
    return (!masked || region->masked) && (!full || region->full);
}

static bool emit_functions(struct vectoriser *v, bool checks)
{
    struct region_plan *p = v->plan;
    for (unsigned i = 0; i < v->scalar.nfunctions; i++)
        if (!v->scalar.functions[i].is_region)
            gang_declare_callee(v, &v->scalar.functions[i]);
    for (unsigned i = 0; i < v->scalar.nfunctions; i++)
        if (!v->scalar.functions[i].is_region && !gang_emit_callee(v, &v->scalar.functions[i]))
            return false;
    for (size_t r = 0; r < p->regions.len; r++) {
        struct region *region = &p->regions.data[r];
        struct scalar_fn *f = &v->scalar.functions[r];
        region->next_uniform = shape_is_uniform(&v->scalar.lanes, &f->result);
        region->next_block_uniform = region->next_uniform && !f->result.gang_varies;
    }
    unsigned threads = plan_threads(p);
    bool masked = has_masked_gang(v), lean = p->lean && p->width > 1 && !together(p);
    // The checks are for programs whose threads do not come together where they should.
    bool whole = !checks && threads && threads % p->width == 0 && finish_together(p);
    for (size_t r = 0; r < p->regions.len; r++) {
        bool some = masked && !(whole && p->regions.data[r].whole);
        if (!emit_region(v, r, has_full_gang(v) && !(some && lean), some))
            return false;
    }
    return true;
}

static void delete_scalar(struct vectoriser *v)
{
    for (size_t r = 0; r < v->plan->regions.len; r++)
        v->plan->regions.data[r].scalar = NULL;
    for (unsigned i = 0; i < v->scalar.nfunctions; i++) {
        LLVMValueRef f = v->scalar.functions[i].function;
        LLVMReplaceAllUsesWith(f, LLVMGetUndef(LLVMTypeOf(f)));
    }
    for (unsigned i = 0; i < v->scalar.nfunctions; i++)
        LLVMDeleteFunction(v->scalar.functions[i].function);
}

void vectorise_release(struct vectoriser *v)
{
    if (!v)
        return;
    for (unsigned i = 0; i < v->scalar.nfunctions; i++)
        scalar_fn_fini(&v->scalar.functions[i]);
    arena_fini(&v->scalar.arena);
    free(v);
}

bool pass_shapes(struct compilation *c)
{
    struct vectoriser *v = c->vectoriser = xcalloc(1, sizeof *v);
    struct region_plan *plan = &c->plan;
    *v = (struct vectoriser){
        .scalar = {.plan = plan, .d = c->d}, .plan = plan, .d = c->d, .module = plan->module, .layout = plan->layout};
    v->context = LLVMGetModuleContext(plan->module);
    v->scalar.lanes.width = plan->width;
    memcpy(v->scalar.lanes.block, plan->block, sizeof v->scalar.lanes.block);
    v->scalar.lanes.segments = count_segments(&v->scalar.lanes);
    arena_init(&v->scalar.arena);
    init_types(v);
    v->scalar.slots = arena_array(&v->scalar.arena, struct frame_slot, plan->slots.len + 1);
    if (!read_functions(v))
        return false;
    shape_analyse(&v->scalar);
    frame_layout(v);
    return true;
}

// Emits full and masked for every region, and gang versions of the (recursive) functions they call; regions must have gone
// through lower/structurise.c. Scalar regions are deleted.
bool pass_vectorise(struct compilation *c)
{
    enum jit_quick quick = c->options->quick;
    c->region_size = ir_module_size(c->module);
    c->plan.lean = quick == JIT_QUICK_ALWAYS || (quick == JIT_QUICK_LARGE && c->region_size > TUNE_LEAN_LIMIT);
    bool ok = emit_functions(c->vectoriser, c->options->check);
    c->calls = c->vectoriser->scalar.nfunctions > c->plan.regions.len;
    if (ok)
        delete_scalar(c->vectoriser);
    vectorise_release(c->vectoriser);
    c->vectoriser = NULL;
    return ok;
}
