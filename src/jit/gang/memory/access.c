// SPDX-License-Identifier: Apache-2.0
// One load or store of the scalar code: how its address meets memory, the same access at another address, and lane by lane, outlined from the
// hot code. gang/memory/memory.c chooses between these and the forms for neighbours.
#include "jit/gang/memory/access.h"
#include <stdio.h>

static bool is_run(const struct access *a, const struct lanes *n, unsigned len)
{
    for (unsigned l = 0; l < n->width; l++) {
        unsigned first = l / len * len;
        if (a->shape.split && lanes_segment(n, first) != lanes_segment(n, l))
            return false;
        if (a->shape.offset[l] - a->shape.offset[first] != (int64_t)((l - first) * a->size))
            return false;
    }
    return true;
}

static struct pattern find_pattern(struct gang *g, const struct access *a)
{
    struct pattern p = {0};
    if (a->shape.kind != SHAPE_AFFINE || g->width == 1)
        return p;
    // Pairs are less work than lanes one by one, but a gather brings them all.
    unsigned least = a->mask || gather_fits(g, a) ? 4 : 2;
    for (unsigned len = g->width; len >= least && !p.run; len /= 2)
        if (is_run(a, g->lanes, len))
            p.run = len;
    if (p.run || a->shape.split)
        return p;
    int64_t step;
    p.reversed = shape_step(g->lanes, &a->shape, &step) && step == -(int64_t)a->size;
    p.run = p.reversed ? g->width : 0;
    return p;
}

// Within an array that opt/interleave_locals.c has laid out.
static bool is_by_lanes(LLVMValueRef address)
{
    while (LLVMIsAGetElementPtrInst(address))
        address = LLVMGetOperand(address, 0);
    return op_of(address) == OP_FRAME_LANES;
}

struct access access_init(struct gang *g, LLVMValueRef inst, LLVMValueRef mask)
{
    LLVMValueRef address = ir_address(inst);
    struct access a = {.inst = inst, .address = address, .mask = mask, .type = gang_type(g, ir_access_type(inst))};
    a.size = LLVMABISizeOfType(g->v->layout, a.type);
    a.align = LLVMGetAlignment(inst);
    a.shared = ir_space(address) == AS_SHARED;
    a.own = is_by_lanes(address);
    a.shape = gang_shape(g, address);
    if (LLVMGetOrdering(inst) == LLVMAtomicOrderingNotAtomic)
        a.pattern = find_pattern(g, &a);
    return a;
}

struct access access_moved(const struct access *a, int64_t distance)
{
    struct access moved = *a;
    while (moved.align && distance % moved.align)
        moved.align /= 2;
    return moved;
}

void access_mark(struct gang *g, const struct access *a, LLVMValueRef x)
{
    bool global = ir_space(a->address) == AS_GLOBAL; // in PTX what is in one space is in no other
    LLVMSetMetadata(x, g->v->noalias_kind, global ? g->v->both_scopes : g->v->frame_scope);
    if (a->shared)
        LLVMSetMetadata(x, g->v->scope_kind, g->v->shared_scope);
}

// An access of this kind at another address: alignment, ordering, volatility and invariance are kept.
static LLVMValueRef finish_access(struct gang *g, const struct access *a, LLVMValueRef x)
{
    LLVMSetAlignment(x, a->align);
    LLVMSetVolatile(x, LLVMGetVolatile(a->inst));
    access_mark(g, a, x);
    if (LLVMGetOrdering(a->inst) != LLVMAtomicOrderingNotAtomic) {
        LLVMSetOrdering(x, LLVMGetOrdering(a->inst));
        LLVMSetAtomicSingleThread(x, LLVMIsAtomicSingleThread(a->inst));
    }
    if (ir_is_invariant(a->inst) && LLVMIsALoadInst(x) && !a->copied)
        ir_mark_invariant(x);
    return x;
}

LLVMValueRef access_load(struct gang *g, const struct access *a, LLVMTypeRef t, LLVMValueRef p)
{
    return finish_access(g, a, LLVMBuildLoad2(g->b, t, p, ""));
}

void access_store(struct gang *g, const struct access *a, LLVMValueRef x, LLVMValueRef p)
{
    finish_access(g, a, LLVMBuildStore(g->b, x, p));
}

// False: an access of all lanes has no such form.
static bool find_addresses(struct gang *g, const struct access *a, LLVMValueRef pointers, struct lane_addresses *p)
{
    *p = (struct lane_addresses){.lanes = pointers, .offset = a->shape.offset};
    if (pointers)
        return lane_access_fits(g, a);
    if (!lane_access_strided(g, a))
        return false;
    p->base = gang_base(g, a->address, 0, &a->shape);
    return true;
}

LLVMValueRef access_load_lanes(struct gang *g, const struct access *a, uint32_t lanes, LLVMValueRef pointers)
{
    struct lane_addresses p;
    if (lanes == UINT32_MAX && find_addresses(g, a, pointers, &p))
        return lane_access_load(g, a, &p, 0, g->width);
    LLVMValueRef r = LLVMGetPoison(gang_lanes(g, a->type));
    for (unsigned l = 0; l < g->width; l++) {
        if (!(lanes >> l & 1))
            continue;
        LLVMValueRef at = pointers ? gang_lane(g, pointers, l) : gang_lane_value(g, a->address, l);
        r = LLVMBuildInsertElement(g->b, r, access_load(g, a, a->type, at), gang_i64(g, l), "");
    }
    return r;
}

void access_store_lanes(struct gang *g, const struct access *a, uint32_t lanes, LLVMValueRef x, LLVMValueRef pointers)
{
    struct lane_addresses p;
    if (lanes == UINT32_MAX && find_addresses(g, a, pointers, &p)) {
        lane_access_store(g, a, &p, x);
        return;
    }
    for (unsigned l = 0; l < g->width; l++)
        if (lanes >> l & 1)
            access_store(g, a, gang_lane(g, x, l),
                         pointers ? gang_lane(g, pointers, l) : gang_lane_value(g, a->address, l));
}

bool access_is_exact(const struct access *a)
{
    return a->shape.kind == SHAPE_AFFINE && a->shape.wrap.kind == WRAP_NONE && !a->mask;
}

// The sink is aligned as much as any access is. A lane that goes there goes as far past a multiple of the alignment as its own address plus the
// step would: what access_moved promises of addresses around it holds in every lane.
LLVMValueRef access_lane_pointers(struct gang *g, const struct access *a, int64_t step)
{
    LLVMValueRef p = gang_step(g, gang_vector(g, a->address), step);
    if (!a->mask)
        return p;
    int64_t align = a->align, past = align ? (step % align + align) % align : 0;
    LLVMValueRef sink = gang_step(g, gang_sink(g), past);
    return LLVMBuildSelect(g->b, gang_mask_bits(g, a->mask), p, gang_wide(g, sink), "");
}

// The rare paths must not make the hot one save its registers. On AArch64 they are functions that keep all registers,
// one for each kind of access. On x86-64 LLVM would clear the upper halves of vectors in such a function: there it is
// one instruction, or a loop over the lanes, which takes no vector register.
LLVMValueRef access_function(struct gang *g, const struct access *a, const char *kind, LLVMTypeRef type, bool load,
                             bool *made)
{
    struct vectoriser *v = g->v;
    char *t = LLVMPrintTypeToString(a->type), name[96];
    bool global = ir_space(a->address) == AS_GLOBAL; // which finish_access tells of
    snprintf(name, sizeof name, "gang.%s.%s.%u%s%s%s", kind, t, a->align, LLVMGetVolatile(a->inst) ? ".volatile" : "",
             ir_is_invariant(a->inst) && load ? ".invariant" : "", global ? "" : ".space");
    LLVMDisposeMessage(t);
    LLVMValueRef f = LLVMGetNamedFunction(v->module, name);
    *made = f != NULL;
    if (f)
        return f;
    f = LLVMAddFunction(v->module, name, type);
    LLVMSetLinkage(f, LLVMInternalLinkage);
    LLVMSetFunctionCallConv(f, LLVMPreserveAllCallConv);
    ir_add_attribute(f, "noinline");
    ir_add_attribute(f, "nounwind");
    return f;
}

static LLVMValueRef rare_function(struct gang *g, const struct access *a, bool store)
{
    struct vectoriser *v = g->v;
    LLVMTypeRef pointers = gang_lanes(g, v->ptr), data = gang_lanes(g, a->type);
    LLVMTypeRef params[2] = {pointers, data};
    LLVMTypeRef type = LLVMFunctionType(store ? v->void_type : data, params, store ? 2 : 1, 0);
    bool made;
    LLVMValueRef f = access_function(g, a, store ? "scatter" : "gather", type, !store, &made);
    if (made)
        return f;
    LLVMBasicBlockRef back = LLVMGetInsertBlock(g->b);
    LLVMPositionBuilderAtEnd(g->b, LLVMAppendBasicBlockInContext(v->context, f, ""));
    if (store) {
        access_store_lanes(g, a, UINT32_MAX, LLVMGetParam(f, 1), LLVMGetParam(f, 0));
        LLVMBuildRetVoid(g->b);
    } else {
        LLVMBuildRet(g->b, access_load_lanes(g, a, UINT32_MAX, LLVMGetParam(f, 0)));
    }
    LLVMPositionBuilderAtEnd(g->b, back);
    return f;
}

// One lane after the other.
static void loop_outlined(struct gang *g, const struct access *a, struct outlined_access *x, LLVMValueRef pointers,
                          bool store)
{
    LLVMTypeRef t = gang_lanes(g, a->type);
    LLVMValueRef p = lane_spill(g, pointers), m = store ? lane_spill(g, x->value) : gang_alloca(g, t, 16);
    struct lane_loop l;
    lane_loop_begin(g, &l, a->mask);
    l.rare = true;
    if (store)
        access_store(g, a, lane_read(g, &l, a->type, m), lane_read(g, &l, g->v->ptr, p));
    else
        lane_write(g, &l, a->type, m, access_load(g, a, a->type, lane_read(g, &l, g->v->ptr, p)));
    lane_loop_end(g, &l);
    x->value = store ? x->value : lane_reload(g, t, m);
}

static void make_outlined(struct gang *g, struct outlined_access *x, bool store)
{
    struct access moved = access_moved(x->access, x->step);
    const struct access *a = &moved;
    if (g->v->arm) {
        LLVMValueRef f = rare_function(g, a, store), args[2] = {access_lane_pointers(g, a, x->step), x->value};
        LLVMValueRef call = ir_call(g->b, f, args, store ? 2 : 1);
        LLVMSetInstructionCallConv(call, LLVMPreserveAllCallConv);
        x->value = store ? x->value : call;
        return;
    }
    LLVMValueRef exact = gang_step(g, gang_vector(g, a->address), x->step);
    if (!gather_fits(g, a))
        loop_outlined(g, a, x, exact, store);
    else if (store)
        scatter_build(g, a, x->value, exact);
    else
        x->value = gather_build(g, a, exact);
}

void access_outlined(struct gang *g, struct outlined_access *x, unsigned n, bool store)
{
    if (!outlined_make(g, x, n, store))
        for (unsigned i = 0; i < n; i++)
            make_outlined(g, &x[i], store);
}

LLVMValueRef access_on_one_page(struct gang *g, LLVMValueRef pointer, uint64_t bytes)
{
    LLVMValueRef x = LLVMBuildPtrToInt(g->b, pointer, g->v->i64, "");
    x = LLVMBuildAnd(g->b, x, gang_i64(g, TUNE_PAGE - 1), "");
    return LLVMBuildICmp(g->b, LLVMIntULE, x, gang_i64(g, TUNE_PAGE - (int64_t)bytes), "onepage");
}
