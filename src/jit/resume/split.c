// SPDX-License-Identifier: Apache-2.0
// Emits the regions: for each resume point a copy of the code that can be reached from it before the next wait. A value
// that comes from the frame and is also defined in the region goes through an alloca, which mem2reg removes afterwards.
#include "jit/ir/pass.h"
#include "jit/resume/live.h"
#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <string.h>

struct known {
    unsigned region;       // the rest holds in this one
    LLVMValueRef copy;     // of its definition
    LLVMValueRef again;    // computed or loaded at the entry
    LLVMValueRef variable; // the alloca of one that has both
    bool lives_in;
};

struct clone {
    struct resume *r;
    struct live *l;
    LLVMValueRef function;
    LLVMBuilderRef b, entry;         // entry: at the end of the entry block
    LLVMBasicBlockRef *blocks;       // by node; NULL: not in this region
    struct VEC(unsigned) nodes;      // in this region
    struct VEC(LLVMValueRef) pairs;  // instruction, its copy
    struct VEC(LLVMValueRef) locals; // of the kernel, not of what was inlined: where a debugger finds its variables
    struct known *known;             // by value (known_of)
    unsigned *behind;                // by resume point: the node that begins there
    unsigned region;                 // counted from 1
    LLVMValueRef thread;             // linear index, when it was needed
};

static struct known *known_of(struct clone *c, int k)
{
    if (c->known[k].region != c->region)
        c->known[k] = (struct known){.region = c->region};
    return &c->known[k];
}

static void type_suffix(LLVMTypeRef t, char out[16])
{
    LLVMTypeKind k = LLVMGetTypeKind(t);
    if (k == LLVMIntegerTypeKind)
        snprintf(out, 16, "i%u", LLVMGetIntTypeWidth(t));
    else if (k == LLVMPointerTypeKind)
        snprintf(out, 16, LLVMGetPointerAddressSpace(t) ? "p%u" : "ptr", LLVMGetPointerAddressSpace(t));
    else
        strcpy(out, k == LLVMHalfTypeKind     ? "half"
                    : k == LLVMBFloatTypeKind ? "bfloat"
                    : k == LLVMFloatTypeKind  ? "float"
                                              : "double");
}

static LLVMValueRef const_i32(struct clone *c, unsigned v)
{
    return LLVMConstInt(LLVMInt32TypeInContext(c->r->context), v, 0);
}

static LLVMValueRef own_thread(struct clone *c)
{
    if (!c->thread)
        c->thread = op_build_thread(c->entry);
    return c->thread;
}

// A slot that holds a value whole.
static LLVMValueRef get_slot(struct clone *c, enum live_home home, unsigned slot, LLVMTypeRef type)
{
    LLVMTypeRef kept = live_slot_type(c->r->context, type);
    char suffix[16];
    type_suffix(kept, suffix);
    LLVMValueRef a[2] = {const_i32(c, slot), NULL};
    if (home == LIVE_RAW)
        a[1] = own_thread(c);
    bool raw = home == LIVE_RAW;
    LLVMValueRef x = op_build_typed(c->entry, raw ? OP_RAW_GET : OP_FRAME_GET, suffix, kept, a, raw ? 2 : 1);
    return kept == type ? x : LLVMBuildICmp(c->entry, LLVMIntNE, x, LLVMConstNull(kept), "");
}

static void set_slot(struct clone *c, enum live_home home, unsigned slot, LLVMValueRef x)
{
    LLVMTypeRef type = LLVMTypeOf(x), kept = live_slot_type(c->r->context, type);
    char suffix[16];
    type_suffix(kept, suffix);
    LLVMValueRef a[2] = {const_i32(c, slot), kept == type ? x : LLVMBuildZExt(c->b, x, kept, "")};
    op_build_typed(c->b, home == LIVE_RAW ? OP_RAW_SET : OP_FRAME_SET, suffix, LLVMVoidTypeInContext(c->r->context), a,
                   2);
}

// Part i of a value, and a value with part i in its place.
static LLVMValueRef take_part(struct clone *c, LLVMValueRef x, unsigned i)
{
    LLVMTypeRef t = LLVMTypeOf(x);
    switch (LLVMGetTypeKind(t)) {
    case LLVMIntegerTypeKind:
        if (i)
            x = LLVMBuildLShr(c->b, x, LLVMConstInt(t, 64 * i, 0), "");
        return LLVMBuildTrunc(c->b, x, LLVMInt64TypeInContext(c->r->context), "");
    case LLVMVectorTypeKind:
        return LLVMBuildExtractElement(c->b, x, const_i32(c, i), "");
    default:
        return LLVMBuildExtractValue(c->b, x, i, "");
    }
}

static LLVMValueRef put_part(struct clone *c, LLVMValueRef whole, LLVMValueRef x, unsigned i)
{
    LLVMTypeRef t = LLVMTypeOf(whole);
    switch (LLVMGetTypeKind(t)) {
    case LLVMIntegerTypeKind:
        x = LLVMBuildZExt(c->entry, x, t, "");
        return i ? LLVMBuildOr(c->entry, whole, LLVMBuildShl(c->entry, x, LLVMConstInt(t, 64 * i, 0), ""), "") : x;
    case LLVMVectorTypeKind:
        return LLVMBuildInsertElement(c->entry, whole, x, const_i32(c, i), "");
    default:
        return LLVMBuildInsertValue(c->entry, whole, x, i, "");
    }
}

static LLVMValueRef get_parts(struct clone *c, enum live_home home, unsigned *slot, LLVMTypeRef type)
{
    LLVMValueRef whole = LLVMGetPoison(type);
    for (unsigned i = 0; i < live_parts(type); i++) {
        LLVMTypeRef part = live_part_type(c->r->context, type, i);
        if (part == type)
            return get_slot(c, home, (*slot)++, type);
        whole = put_part(c, whole, get_parts(c, home, slot, part), i);
    }
    return whole;
}

static void set_parts(struct clone *c, enum live_home home, unsigned *slot, LLVMValueRef x)
{
    LLVMTypeRef type = LLVMTypeOf(x);
    for (unsigned i = 0; i < live_parts(type); i++)
        if (live_part_type(c->r->context, type, i) == type)
            set_slot(c, home, (*slot)++, x);
        else
            set_parts(c, home, slot, take_part(c, x, i));
}

// The value at the region's entry: computed again, or from the frame.
static LLVMValueRef at_entry(struct clone *c, LLVMValueRef v)
{
    int k = live_index(c->l, v);
    if (k < 0)
        return v;
    if (known_of(c, k)->again)
        return known_of(c, k)->again;
    const struct live_value *value = &c->l->values[k];
    LLVMValueRef x;
    if (value->home == LIVE_LOCAL) {
        LLVMValueRef a = const_i32(c, value->slot);
        x = op_build_typed(c->entry, OP_FRAME_LOCAL, "", LLVMTypeOf(v), &a, 1);
    } else if (value->home == LIVE_FRAME || value->home == LIVE_RAW) {
        x = get_parts(c, value->home, (unsigned[]){value->slot}, LLVMTypeOf(v));
    } else {
        LLVMValueRef operands[LIVE_OPERANDS];
        for (unsigned i = 0; i < ir_operands(v); i++)
            operands[i] = at_entry(c, LLVMGetOperand(v, i));
        x = ir_clone(c->entry, v, operands);
    }
    return known_of(c, k)->again = x;
}

// What an operand becomes in this region; c->b stands where a load may be put.
static LLVMValueRef map_operand(struct clone *c, LLVMValueRef v)
{
    int k = live_index(c->l, v);
    if (k < 0)
        return v;
    const struct live_value *value = &c->l->values[k];
    if (value->home == LIVE_LOCAL)
        return at_entry(c, v);
    if (!known_of(c, k)->lives_in)
        return known_of(c, k)->copy;
    if (value->home == LIVE_AGAIN || !c->blocks[value->node])
        return at_entry(c, v);
    if (!known_of(c, k)->variable) {
        known_of(c, k)->variable = LLVMBuildAlloca(c->entry, LLVMTypeOf(v), "");
        LLVMBuildStore(c->entry, at_entry(c, v), known_of(c, k)->variable);
    }
    return LLVMBuildLoad2(c->b, LLVMTypeOf(v), known_of(c, k)->variable, "");
}

static void find_nodes(struct clone *c, unsigned start)
{
    struct live_nodes pending = {0}, next = {0};
    c->nodes.len = 0;
    vec_push(&pending, start);
    while (pending.len) {
        unsigned n = pending.data[--pending.len];
        if (c->blocks[n])
            continue;
        c->blocks[n] = LLVMAppendBasicBlockInContext(c->r->context, c->function, "");
        vec_push(&c->nodes, n);
        next.len = 0;
        live_successors(c->l, n, &next);
        for (size_t i = next.len; i-- > 0;)
            vec_push(&pending, next.data[i]);
    }
    vec_free(&pending);
    vec_free(&next);
}

static void copy_node(struct clone *c, unsigned n)
{
    const struct live_node *node = &c->l->nodes[n];
    LLVMPositionBuilderAtEnd(c->b, c->blocks[n]);
    for (LLVMValueRef i = node->first; i; i = LLVMGetNextInstruction(i)) {
        LLVMOpcode op = LLVMGetInstructionOpcode(i);
        if (node->point && i == c->r->points.data[node->point - 1].call)
            break; // the end of the node comes in finish_node
        if (op == LLVMRet) {
            LLVMBuildRet(c->b, const_i32(c, 0));
            break;
        }
        int k = live_index(c->l, i);
        if (k >= 0 && c->l->values[k].home == LIVE_LOCAL)
            continue;
        LLVMValueRef x;
        if (op == LLVMPHI) {
            x = LLVMBuildPhi(c->b, LLVMTypeOf(i), "");
        } else {
            x = LLVMInstructionClone(i);
            LLVMInsertIntoBuilder(c->b, x); // which may give it the location of where the builder stands
            LLVMInstructionSetDebugLoc(x, LLVMInstructionGetDebugLoc(i));
        }
        if (k >= 0)
            known_of(c, k)->copy = x;
        vec_push(&c->pairs, i);
        vec_push(&c->pairs, x);
    }
}

static void connect_phi(struct clone *c, LLVMValueRef old, LLVMValueRef phi)
{
    for (unsigned i = 0; i < LLVMCountIncoming(old); i++) {
        int from = cfg_index(&c->r->cfg, LLVMGetIncomingBlock(old, i));
        LLVMBasicBlockRef block = c->blocks[c->l->lives.last[from]];
        if (!block)
            continue;
        LLVMValueRef v = ir_incoming(phi, block); // several edges from one block bring one value
        LLVMPositionBuilderBefore(c->b, LLVMGetBasicBlockTerminator(block));
        v = v ? v : map_operand(c, LLVMGetIncomingValue(old, i));
        LLVMAddIncoming(phi, &v, &block, 1);
    }
}

static void connect(struct clone *c, LLVMValueRef old, LLVMValueRef x)
{
    if (LLVMGetInstructionOpcode(old) == LLVMPHI) {
        connect_phi(c, old, x);
        return;
    }
    LLVMPositionBuilderBefore(c->b, x);
    for (int i = 0, n = LLVMGetNumOperands(old); i < n; i++) {
        LLVMValueRef o = LLVMGetOperand(old, (unsigned)i);
        if (live_index(c->l, o) >= 0)
            LLVMSetOperand(x, (unsigned)i, map_operand(c, o));
    }
    if (!LLVMIsATerminatorInst(old))
        return;
    for (unsigned i = 0; i < LLVMGetNumSuccessors(old); i++) {
        int to = cfg_index(&c->r->cfg, LLVMGetSuccessor(old, i));
        LLVMSetSuccessor(x, i, c->blocks[c->l->lives.first[to]]);
    }
}

// A definition of a value that also comes from the frame goes to its variable.
static void store_variables(struct clone *c)
{
    for (size_t i = 0; i < c->pairs.len; i += 2) {
        int k = live_index(c->l, c->pairs.data[i]);
        if (k < 0 || !known_of(c, k)->variable)
            continue;
        LLVMValueRef at = ir_after_phis(LLVMGetNextInstruction(c->pairs.data[i + 1]));
        LLVMPositionBuilderBefore(c->b, at);
        LLVMBuildStore(c->b, c->pairs.data[i + 1], known_of(c, k)->variable);
    }
}

// At a wait: what this region defined and others need goes to its slot.
static void finish_node(struct clone *c, unsigned n)
{
    unsigned p = c->l->nodes[n].point;
    if (!p)
        return;
    LLVMPositionBuilderAtEnd(c->b, c->blocks[n]);
    for (size_t i = 0; i < c->l->at[p].values.len; i++) {
        const struct live_value *v = &c->l->values[c->l->at[p].values.data[i]];
        if ((v->home == LIVE_FRAME || v->home == LIVE_RAW) && c->blocks[v->node])
            set_parts(c, v->home, (unsigned[]){v->slot}, map_operand(c, v->value));
    }
    LLVMBuildRet(c->b, map_operand(c, LLVMGetOperand(c->r->points.data[p - 1].call, 0)));
}

// -G: later regions know as well where the kernel's own variables lie (debug/debug.c).
static void find_locals(struct clone *c)
{
    FOR_FUNCTION (c->r->kernel, i) {
        if (op_of(i) != OP_RT_LOCALS)
            continue;
        LLVMMetadataRef at = LLVMInstructionGetDebugLoc(i);
        int k = live_index(c->l, LLVMGetOperand(i, 0));
        if (k >= 0 && c->l->values[k].home == LIVE_LOCAL && at && !LLVMDILocationGetInlinedAt(at))
            vec_push(&c->locals, i);
    }
}

static void repeat_locals(struct clone *c)
{
    for (size_t n = 0; n < c->locals.len; n++) {
        LLVMValueRef i = c->locals.data[n];
        LLVMValueRef a[3] = {at_entry(c, LLVMGetOperand(i, 0)), LLVMGetOperand(i, 1), LLVMGetOperand(i, 2)};
        LLVMInstructionSetDebugLoc(op_build(c->entry, OP_RT_LOCALS, a, 3), LLVMInstructionGetDebugLoc(i));
    }
}

// A region may begin where no thread comes: at the case that a table of targets does not have. A function without any way
// out has no structure, so it ends the thread.
static void end_unreachable(struct clone *c, LLVMBasicBlockRef first)
{
    LLVMValueRef i = LLVMGetFirstInstruction(first);
    if (!i || LLVMGetInstructionOpcode(i) != LLVMUnreachable)
        return;
    LLVMInstructionEraseFromParent(i);
    LLVMPositionBuilderAtEnd(c->b, first);
    LLVMBuildRet(c->b, const_i32(c, 0));
}

static void emit_region(struct clone *c, unsigned point)
{
    struct live *l = c->l;
    char name[512];
    snprintf(name, sizeof name, "%s.region.%u", c->r->plan->kernel, point);
    LLVMTypeRef type = LLVMFunctionType(LLVMInt32TypeInContext(c->r->context), NULL, 0, 0);
    c->function = LLVMAddFunction(c->r->plan->module, name, type);
    ir_copy_attributes(c->r->kernel, c->function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex);
    for (size_t i = 0; i < c->nodes.len; i++)
        c->blocks[c->nodes.data[i]] = NULL;
    c->region++;
    c->thread = NULL;
    c->pairs.len = 0;
    unsigned start = 0;
    if (point) {
        for (size_t i = 0; i < l->at[point].values.len; i++)
            known_of(c, (int)l->at[point].values.data[i])->lives_in = true;
        start = c->behind[point];
    }
    LLVMPositionBuilderAtEnd(c->entry, LLVMAppendBasicBlockInContext(c->r->context, c->function, "entry"));
    find_nodes(c, start);
    for (size_t i = 0; i < c->nodes.len; i++)
        copy_node(c, c->nodes.data[i]);
    // phis look for the terminators of other blocks, which waits get only now
    for (size_t i = 0; i < c->nodes.len; i++)
        finish_node(c, c->nodes.data[i]);
    for (size_t i = 0; i < c->pairs.len; i += 2)
        connect(c, c->pairs.data[i], c->pairs.data[i + 1]);
    store_variables(c);
    end_unreachable(c, c->blocks[start]); // what it erases is one of the pairs
    if (point)
        repeat_locals(c);
    LLVMBuildBr(c->entry, c->blocks[start]);
}

// The frame slots that the region sets before it waits.
static void list_set(struct clone *c, struct region *region, bool *listed)
{
    struct region_plan *plan = c->r->plan;
    region->set = plan->set.len;
    for (size_t n = 0; n < c->nodes.len; n++) {
        unsigned p = c->l->nodes[c->nodes.data[n]].point;
        for (size_t i = 0; p && i < c->l->at[p].values.len; i++) {
            const struct live_value *v = &c->l->values[c->l->at[p].values.data[i]];
            if (v->home != LIVE_FRAME || !c->blocks[v->node] || listed[v->slot])
                continue;
            for (unsigned k = 0; k < live_slots(c->r->context, LLVMTypeOf(v->value)); k++) {
                listed[v->slot + k] = true;
                vec_push(&plan->set, v->slot + k);
            }
        }
    }
    region->nset = plan->set.len - region->set;
    for (size_t i = region->set; i < plan->set.len; i++)
        listed[plan->set.data[i]] = false;
}

// Which regions the lanes of a gang enter all at once: the first, and those behind barriers of the whole block where no branch divides
// them. That holds while every barrier of the kernel is such a one: the lanes of a gang then come to the same barriers in the same order, and
// none is over before all threads have come. (Barriers in divided code may meet one another, and so may other waits of a warp.)
static void find_whole(const struct resume *r, bool *whole)
{
    bool all = true;
    for (size_t i = 0; i < r->points.len; i++) {
        const struct resume_point *p = &r->points.data[i];
        bool barrier = p->wait == REGION_BARRIER, arrive = p->wait == REGION_ARRIVE;
        whole[i + 1] = barrier && p->together && !(p->op & RESUME_COUNTED) &&
                       r->block_whole[cfg_index(&r->cfg, LLVMGetInstructionParent(p->call))];
        all &= !arrive && (!barrier || whole[i + 1]);
    }
    whole[0] = true;
    for (size_t i = 0; i < r->points.len && !all; i++)
        whole[i + 1] = false;
}

// Cuts the kernel, a void () function in SSA form, and deletes it. With no resume point: one region, no slots.
bool pass_split(struct compilation *compilation)
{
    struct resume *r = compilation->resume;
    struct live l;
    bool ok = live_build(&l, r);
    struct clone c = {.r = r, .l = &l};
    c.blocks = arena_array(&r->arena, LLVMBasicBlockRef, l.lives.n + 1);
    c.known = arena_array(&r->arena, struct known, l.nvalues + 1);
    c.behind = arena_array(&r->arena, unsigned, r->points.len + 1);
    for (unsigned n = 0; n < l.lives.n; n++)
        c.behind[l.nodes[n].point] = n + 1;
    bool *listed = arena_array(&r->arena, bool, r->plan->slots.len + 1);
    c.b = LLVMCreateBuilderInContext(r->context);
    c.entry = LLVMCreateBuilderInContext(r->context);
    bool *whole = arena_array(&r->arena, bool, r->points.len + 1);
    find_whole(r, whole);
    find_locals(&c);
    for (unsigned p = 0; ok && p <= r->points.len; p++) {
        emit_region(&c, p);
        struct region region = {
            .scalar = c.function, .whole = whole[p], .wait = p ? r->points.data[p - 1].wait : REGION_START};
        region.op = p ? r->points.data[p - 1].op : RESUME_NONE;
        list_set(&c, &region, listed);
        vec_push(&r->plan->regions, region);
    }
    LLVMDisposeBuilder(c.b);
    LLVMDisposeBuilder(c.entry);
    vec_free(&c.nodes);
    vec_free(&c.pairs);
    vec_free(&c.locals);
    live_fini(&l);
    if (ok)
        LLVMDeleteFunction(r->kernel);
    resume_release(r);
    compilation->resume = NULL;
    return ok;
}
