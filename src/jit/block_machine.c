// Emits the gang function that the scheduler (lib_resume.c) drives: it looks at the state words of a gang's lanes and runs
// each resume point that some of them stand at, with those lanes. When all agree, as they mostly do, that is one compare
// and one jump.
#include "jit/block.h"
#include <llvm-c/BitReader.h>
#include <llvm-c/Linker.h>
#include <string.h>

extern const unsigned char lib_resume_bc[];
extern const unsigned lib_resume_bc_size;

static const char *const library_names[] = {"heddle_resume_machine", "heddle_resume_phases", "heddle_resume_all"};

// The code is compiled for whatever the kernel is compiled for.
static void drop_target(LLVMValueRef f)
{
    static const char *const names[] = {"target-cpu", "target-features", "tune-cpu"};
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        LLVMRemoveStringAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, names[i],
                                         (unsigned)strlen(names[i]));
}

bool block_link_library(struct block_gen *g)
{
    LLVMMemoryBufferRef bytes = LLVMCreateMemoryBufferWithMemoryRange((const char *)lib_resume_bc, lib_resume_bc_size,
                                                                      "lib_resume", 0);
    LLVMModuleRef library;
    bool bad = LLVMParseBitcodeInContext2(g->context, bytes, &library);
    LLVMDisposeMemoryBuffer(bytes);
    if (bad)
        return diag_error(g->d, 0, 0, "internal error: the scheduler's code cannot be read");
    LLVMSetTarget(library, LLVMGetTarget(g->module));
    LLVMSetDataLayout(library, LLVMGetDataLayoutStr(g->module));
    for (LLVMValueRef f = LLVMGetFirstFunction(library); f; f = LLVMGetNextFunction(f))
        drop_target(f);
    if (LLVMLinkModules2(g->module, library))
        return diag_error(g->d, 0, 0, "internal error: the scheduler's code cannot be linked");
    for (unsigned i = 0; i < sizeof library_names / sizeof *library_names; i++)
        LLVMSetLinkage(LLVMGetNamedFunction(g->module, library_names[i]), LLVMInternalLinkage);
    return true;
}

LLVMValueRef block_library(struct block_gen *g, const char *name)
{
    return LLVMGetNamedFunction(g->module, name);
}

static LLVMValueRef splat(struct block_gen *g, LLVMValueRef x)
{
    LLVMValueRef poison = LLVMGetPoison(g->vector);
    LLVMValueRef one = LLVMBuildInsertElement(g->b, poison, x, block_const(g, 0), "");
    return LLVMBuildShuffleVector(g->b, one, poison, LLVMConstNull(g->vector), "");
}

static LLVMValueRef build_intrinsic(struct block_gen *g, const char *name, LLVMValueRef v)
{
    LLVMTypeRef type = LLVMTypeOf(v);
    LLVMValueRef f = LLVMGetIntrinsicDeclaration(g->module, LLVMLookupIntrinsicID(name, strlen(name)), &type, 1);
    return LLVMBuildCall2(g->b, LLVMGlobalGetValueType(f), f, &v, 1, "");
}

static LLVMValueRef any(struct block_gen *g, LLVMValueRef bits) // <W x i1>
{
    LLVMValueRef m = LLVMBuildSExt(g->b, bits, g->vector, "");
    return LLVMBuildICmp(g->b, LLVMIntNE, build_intrinsic(g, "llvm.vector.reduce.umax", m), block_const(g, 0), "any");
}

static LLVMValueRef lanes_word(struct block_gen *g, LLVMValueRef bits)
{
    LLVMTypeRef word = LLVMIntTypeInContext(g->context, g->width);
    return LLVMBuildZExtOrBitCast(g->b, LLVMBuildBitCast(g->b, bits, word, ""), g->i32, "");
}

// The state of a lane that may run is its bare resume point, greater than 0.
static LLVMValueRef may_run(struct block_gen *g, LLVMValueRef state)
{
    return LLVMBuildICmp(g->b, LLVMIntSGT, state, LLVMConstNull(LLVMTypeOf(state)), "");
}

static LLVMValueRef result_vector(struct block_gen *g, LLVMValueRef result)
{
    return LLVMGetTypeKind(LLVMTypeOf(result)) == LLVMVectorTypeKind ? result : splat(g, result);
}

struct gang_code {
    LLVMValueRef gang, place, states;
    LLVMBasicBlockRef nothing;
};

static void store_states(struct block_gen *g, const struct gang_code *c, LLVMValueRef states)
{
    LLVMSetAlignment(LLVMBuildStore(g->b, states, c->place), g->width * 4 < 64 ? g->width * 4 : 64);
}

// What the driver wants to know: which lanes ran; in phases, whether any lane is left.
static void build_return(struct block_gen *g, LLVMValueRef states, LLVMValueRef ran)
{
    if (g->form == BLOCK_PHASES) {
        LLVMValueRef left = any(g, LLVMBuildICmp(g->b, LLVMIntNE, states, LLVMConstNull(g->vector), ""));
        LLVMBuildRet(g->b, LLVMBuildZExt(g->b, left, g->i32, ""));
    } else {
        LLVMBuildRet(g->b, ran);
    }
}

static LLVMValueRef build_switch(struct block_gen *g, LLVMValueRef point, LLVMBasicBlockRef *at, LLVMBasicBlockRef never)
{
    unsigned n = (unsigned)g->plan->regions.len;
    LLVMValueRef s = LLVMBuildSwitch(g->b, point, never, n);
    for (unsigned r = 0; r < n; r++) {
        at[r] = block_new(g, "at");
        LLVMAddCase(s, block_const(g, r ? r : RESUME_START), at[r]);
    }
    return s;
}

// All lanes stand at one point.
static void emit_agreed(struct block_gen *g, const struct gang_code *c, LLVMValueRef state)
{
    unsigned n = (unsigned)g->plan->regions.len;
    LLVMBasicBlockRef *at = xcalloc(n, sizeof *at), run = block_new(g, "run");
    LLVMBuildCondBr(g->b, may_run(g, state), run, c->nothing);
    LLVMPositionBuilderAtEnd(g->b, run);
    build_switch(g, state, at, c->nothing);
    uint32_t all = g->width == 32 ? UINT32_MAX : (1u << g->width) - 1;
    for (unsigned r = 0; r < n; r++) {
        LLVMPositionBuilderAtEnd(g->b, at[r]);
        LLVMValueRef next = result_vector(g, block_call_region(g, r, c->gang, NULL));
        store_states(g, c, next);
        build_return(g, next, block_const(g, all));
    }
    free(at);
}

// One point after another; lanes that move on do not run again here.
static void emit_divided(struct block_gen *g, const struct gang_code *c)
{
    unsigned n = (unsigned)g->plan->regions.len;
    LLVMBasicBlockRef *at = xcalloc(n, sizeof *at), before = LLVMGetInsertBlock(g->b);
    LLVMBasicBlockRef head = block_new(g, "divided"), pick = block_new(g, "pick"), done = block_new(g, "divided_done");
    LLVMValueRef first = may_run(g, c->states), zero = LLVMConstNull(g->vector);
    LLVMBuildBr(g->b, head);
    LLVMPositionBuilderAtEnd(g->b, head);
    LLVMValueRef left = LLVMBuildPhi(g->b, LLVMTypeOf(first), "left"), out = LLVMBuildPhi(g->b, g->vector, "out");
    LLVMAddIncoming(left, &first, &before, 1);
    LLVMAddIncoming(out, (LLVMValueRef[]){c->states}, &before, 1);
    LLVMBuildCondBr(g->b, any(g, left), pick, done);
    LLVMPositionBuilderAtEnd(g->b, pick);
    LLVMValueRef candidates = LLVMBuildSelect(g->b, left, c->states, zero, "");
    LLVMValueRef point = build_intrinsic(g, "llvm.vector.reduce.umax", candidates);
    LLVMValueRef here = LLVMBuildICmp(g->b, LLVMIntEQ, candidates, splat(g, point), "here");
    LLVMValueRef rest = LLVMBuildAnd(g->b, left, LLVMBuildNot(g->b, here, ""), "");
    LLVMValueRef mask = LLVMBuildSExt(g->b, here, g->vector, "mask");
    build_switch(g, point, at, c->nothing);
    for (unsigned r = 0; r < n; r++) {
        LLVMPositionBuilderAtEnd(g->b, at[r]);
        LLVMValueRef next = result_vector(g, block_call_region(g, r, c->gang, mask));
        next = LLVMBuildSelect(g->b, here, next, out, "");
        LLVMBasicBlockRef end = LLVMGetInsertBlock(g->b);
        LLVMAddIncoming(left, &rest, &end, 1);
        LLVMAddIncoming(out, &next, &end, 1);
        LLVMBuildBr(g->b, head);
    }
    LLVMPositionBuilderAtEnd(g->b, done);
    store_states(g, c, out);
    build_return(g, out, lanes_word(g, first));
    free(at);
}

static void emit_gang(struct block_gen *g)
{
    LLVMValueRef f = block_function(g, "heddle_resume_gang", g->i32, &g->i32, 1);
    LLVMSetLinkage(f, LLVMInternalLinkage);
    struct gang_code c = {.gang = LLVMGetParam(f, 2), .nothing = block_new(g, "nothing")};
    LLVMValueRef offset = LLVMBuildMul(g->b, LLVMBuildZExt(g->b, c.gang, g->i64, ""),
                                       LLVMConstInt(g->i64, 4 * g->width, 0), "");
    offset = LLVMBuildAdd(g->b, offset, LLVMConstInt(g->i64, RESUME_BLOCK_BYTES, 0), "");
    c.place = LLVMBuildGEP2(g->b, g->i8, g->frame, &offset, 1, "place");
    c.states = LLVMBuildLoad2(g->b, g->vector, c.place, "states");
    LLVMSetAlignment(c.states, g->width * 4 < 64 ? g->width * 4 : 64);
    if (g->form == BLOCK_PHASES)
        c.states = LLVMBuildAnd(g->b, c.states, splat(g, block_const(g, RESUME_POINT_MASK)), "");
    LLVMValueRef state = LLVMBuildExtractElement(g->b, c.states, block_const(g, 0), "");
    LLVMBasicBlockRef agreed = block_new(g, "agreed"), divided = block_new(g, "divided");
    if (g->width > 1) {
        LLVMValueRef differs = LLVMBuildICmp(g->b, LLVMIntNE, c.states, splat(g, state), "");
        LLVMBuildCondBr(g->b, any(g, differs), divided, agreed);
        LLVMPositionBuilderAtEnd(g->b, divided);
        emit_divided(g, &c);
    } else {
        LLVMBuildBr(g->b, agreed);
        LLVMDeleteBasicBlock(divided);
    }
    LLVMPositionBuilderAtEnd(g->b, agreed);
    emit_agreed(g, &c, state);
    LLVMPositionBuilderAtEnd(g->b, c.nothing);
    LLVMBuildRet(g->b, block_const(g, 0));
}

static uint32_t flags(const struct block_gen *g)
{
    uint32_t f = g->yields ? RESUME_HAS_YIELDS : 0;
    for (size_t r = 0; r < g->plan->regions.len; r++) {
        const struct region *x = &g->plan->regions.data[r];
        if (x->wait == REGION_WARP)
            f |= RESUME_HAS_WARPS;
        if (x->wait == REGION_BARRIER && x->op & RESUME_OP_MASK)
            f |= RESUME_HAS_RESULTS;
    }
    return f;
}

void block_emit_machine(struct block_gen *g)
{
    LLVMValueRef a[6] = {g->launch, g->block, g->threads, g->padded, block_const(g, g->width), block_const(g, flags(g))};
    LLVMValueRef f = block_library(g, g->form == BLOCK_PHASES ? "heddle_resume_phases" : "heddle_resume_machine");
    LLVMValueRef result = LLVMBuildCall2(g->b, LLVMGlobalGetValueType(f), f, a, g->form == BLOCK_PHASES ? 5 : 6, "");
    LLVMBuildRet(g->b, g->form == BLOCK_PHASES ? block_const(g, JIT_DONE) : result);
    emit_gang(g);
}
