// SPDX-License-Identifier: Apache-2.0
// Loops that hold more than the registers do. A gang of 16 lanes has four vectors of 16 bytes for each value, so that a loop with 16 sums in
// each thread, as products of matrices have, takes 64 registers of 32: every multiply-add then loads its sum and stores it. Such a
// loop is made again for each slice of the lanes, one after the other, and all of a slice is in registers.
//
//     for (k ...) s<16> = fma(x[k]<16>, y[k]<16>, s<16>)
// becomes
//     for (k ...) s0<4> = fma(x[k]<4>, y[k]<4>, s0<4>);  ...  for (k ...) s3<4> = ...
//
// Conditions. The loop is one block that nothing but itself and one other block lead to, so all of it is here. It writes nothing, calls
// nothing that does, and has no access that is volatile or atomic: what it reads is the same for every slice. Every vector in it holds a
// known run of the gang's lanes, position by position: operations on elements, loads, concatenations and extractions of runs, and
// splats of scalars; nothing goes from one lane to another, or from a lane to a scalar, so that a slice's values depend on that slice and on
// scalars alone, and all slices run equally often. Lanes are threads, between which a loop without a barrier promises no order. Where a
// register of each value is too many still, a slice is made for groups of what the loop carries (slice_group.c), under the same conditions.
//
// Sums that are loaded right before the loop and stored right behind it, as those of the frame are, are so by slices, where a slice's
// stores touch nothing that is loaded for a later one: those loads have the same base and other bytes, and the loop's own are in no
// scope of the stores (LLVM's alias.scope and noalias).
//
// It pays where loads and stores of what registers do not hold take longer than all the rest, and where a slice has enough to do for the
// pipelines while what the loop carries goes through its operations.
#include "base/vec.h"
#include "jit/analysis/address.h"
#include "jit/host/slice.h"

// --- sums that come from memory and go there ---

// Whether every scope of the one is one that the other is not in.
static bool scopes_apart(LLVMValueRef access, LLVMValueRef other)
{
    LLVMValueRef in = ir_metadata(access, "alias.scope"), out = ir_metadata(other, "noalias");
    LLVMValueRef a[8], c[16];
    unsigned na = in ? LLVMGetMDNodeNumOperands(in) : 0, nc = out ? LLVMGetMDNodeNumOperands(out) : 0, found = 0;
    if (!na || na > 8 || nc > 16)
        return false;
    LLVMGetMDNodeOperands(in, a);
    LLVMGetMDNodeOperands(out, c);
    for (unsigned i = 0; i < na; i++)
        for (unsigned k = 0; k < nc; k++)
            if (a[i] == c[k]) {
                found++;
                break;
            }
    return found == na;
}

static int64_t access_bytes(LLVMValueRef value)
{
    return (int64_t)lanes_of(value) * (slice_element_bits(value) / 8);
}

// Loads right before the loop that nothing but a phi reads, which begins with them.
static void loads_find(struct slicer *s)
{
    for (LLVMValueRef x = LLVMGetLastInstruction(s->from); x; x = LLVMGetPreviousInstruction(x)) {
        if (access_may_write(x) && !slice_is_prefetch(x))
            return;
        LLVMUseRef use = LLVMGetFirstUse(x);
        if (!LLVMIsALoadInst(x) || !is_vector(x) || !use || LLVMGetNextUse(use) || !inside(s, LLVMGetUser(use)) ||
            !LLVMIsAPHINode(LLVMGetUser(use)) || ir_incoming(LLVMGetUser(use), s->from) != x || !access_is_simple(x) ||
            slice_element_bits(x) < 8 || s->nloads == MOVED_MAX)
            continue;
        s->load[s->nloads++] = (struct moved){.access = x};
    }
}

// Stores right behind it of what it leaves, to addresses that were there before it.
static void stores_find(struct slicer *s)
{
    FOR_INSTRUCTIONS (s->exit, x) {
        LLVMValueRef value = LLVMIsAStoreInst(x) ? LLVMGetOperand(x, 0) : NULL, p = value ? LLVMGetOperand(x, 1) : NULL;
        bool known = p && (!LLVMIsAInstruction(p) || (!inside(s, p) && LLVMGetInstructionParent(p) != s->exit));
        if (known && is_vector(value) && inside(s, value) && access_is_simple(x) && slice_element_bits(value) >= 8 &&
            s->nstores < MOVED_MAX) {
            s->store[s->nstores++] = (struct moved){.access = x};
            continue;
        }
        if (access_may_write(x) || LLVMIsALoadInst(x) || LLVMIsACallInst(x))
            return;
    }
}

// Whether the loop that begins with what was loaded is the one that leaves what is stored.
static bool goes_together(const struct slicer *s, LLVMValueRef phi, LLVMValueRef value)
{
    for (unsigned g = 0; g < s->groups; g++)
        if (is_left_by(s, phi, g) && is_left_by(s, value, g))
            return true;
    return false;
}

static bool stores_may_move(struct slicer *s)
{
    LLVMValueRef base = NULL;
    for (unsigned i = 0; i < s->nstores + s->nloads; i++) {
        struct moved *m = i < s->nstores ? &s->store[i] : &s->load[i - s->nstores];
        LLVMValueRef of = address_base(ir_address(m->access), &m->at);
        if (base && of != base)
            return false;
        base = of;
    }
    for (unsigned i = 0; i < s->nstores; i++) {
        LLVMValueRef value = LLVMGetOperand(s->store[i].access, 0);
        int64_t bytes = access_bytes(value), at = s->store[i].at;
        for (unsigned k = 0; k < s->nstores; k++) {
            int64_t d = s->store[k].at - at;
            if (k != i && d < bytes && d > -access_bytes(LLVMGetOperand(s->store[k].access, 0)))
                return false;
        }
        for (unsigned k = 0; k < s->nloads; k++) {
            int64_t d = s->load[k].at - at, other = access_bytes(s->load[k].access);
            LLVMValueRef phi = LLVMGetUser(LLVMGetFirstUse(s->load[k].access));
            if (d < bytes && d > -other && (d || other != bytes || !goes_together(s, phi, value)))
                return false;
        }
        FOR_INSTRUCTIONS (s->loop, x)
            if (LLVMIsALoadInst(x) && !scopes_apart(s->store[i].access, x))
                return false;
    }
    return true;
}

// --- making a slice ---

static LLVMTypeRef slice_type(LLVMValueRef x, unsigned n)
{
    return LLVMVectorType(LLVMGetElementType(LLVMTypeOf(x)), n);
}

// Elements [from, from + n) of one or two vectors behind each other.
static LLVMValueRef elements(LLVMBuilderRef b, LLVMValueRef x, LLVMValueRef y, unsigned from, unsigned n)
{
    LLVMValueRef mask[LANES_MAX];
    LLVMTypeRef i32 = LLVMInt32TypeInContext(LLVMGetTypeContext(LLVMTypeOf(x)));
    for (unsigned i = 0; i < n; i++)
        mask[i] = LLVMConstInt(i32, from + i, 0);
    if (!from && n == lanes_of(x))
        return x;
    return LLVMBuildShuffleVector(b, x, y ? y : LLVMGetPoison(LLVMTypeOf(x)), LLVMConstVector(mask, n), "");
}

// The lanes of a run that are in the slice: from `at` of the run on.
static unsigned lanes_in_slice(const struct slicer *s, int first, unsigned n, unsigned *at)
{
    int begin = first > (int)s->first ? first : (int)s->first, end = first + (int)n, last = (int)(s->first + s->lanes);
    end = end < last ? end : last;
    *at = (unsigned)(begin - first);
    return end > begin ? (unsigned)(end - begin) : 0;
}

static LLVMValueRef splat(struct slicer *s, LLVMValueRef scalar, unsigned n)
{
    LLVMTypeRef t = LLVMVectorType(LLVMTypeOf(scalar), n), i32 = LLVMInt32TypeInContext(s->context);
    LLVMValueRef one = LLVMBuildInsertElement(s->b, LLVMGetPoison(t), scalar, LLVMConstInt(i32, 0, 0), "");
    return LLVMBuildShuffleVector(s->b, one, LLVMGetPoison(t), LLVMConstNull(LLVMVectorType(i32, n)), "");
}

// What an operand is in the slice; first: the lane of its first element.
static LLVMValueRef part(struct slicer *s, LLVMValueRef x, int first)
{
    LLVMValueRef made = map_get_ptr(&s->made, x);
    unsigned at, n;
    if (!is_vector(x))
        return made ? made : x;
    n = lanes_in_slice(s, first, lanes_of(x), &at);
    if (inside(s, x) && run_of(s, x)->first == ANY) {
        LLVMValueRef scalar = LLVMGetOperand(LLVMGetOperand(x, 0), 1), of = map_get_ptr(&s->made, scalar);
        return splat(s, of ? of : scalar, n);
    }
    if (made)
        return made;
    if (LLVMIsAConstant(x)) {
        LLVMValueRef each[LANES_MAX];
        for (unsigned i = 0; i < n; i++)
            each[i] = LLVMGetAggregateElement(x, at + i);
        return LLVMConstVector(each, n);
    }
    made = elements(s->before, x, NULL, at, n);
    map_put_ptr(&s->made, x, made);
    return made;
}

static void keep_metadata(LLVMValueRef from, LLVMValueRef to)
{
    static const char *const kinds[] = {"alias.scope", "noalias", "invariant.load"};
    for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (ir_metadata(from, kinds[i]))
            ir_set_metadata(to, kinds[i], ir_metadata(from, kinds[i]));
}

// The address of the slice of an access, and its alignment.
static LLVMValueRef slice_address(struct slicer *s, LLVMBuilderRef b, LLVMValueRef p, LLVMValueRef value,
                                  LLVMValueRef access, unsigned *align)
{
    unsigned bytes = s->first * (slice_element_bits(value) / 8);
    LLVMValueRef offset = LLVMConstInt(LLVMInt64TypeInContext(s->context), bytes, 0);
    *align = LLVMGetAlignment(access);
    while (bytes % *align)
        *align /= 2;
    return bytes ? LLVMBuildGEP2(b, LLVMInt8TypeInContext(s->context), p, &offset, 1, "") : p;
}

static LLVMValueRef slice_load(struct slicer *s, LLVMBuilderRef b, LLVMValueRef load, LLVMValueRef p)
{
    unsigned align;
    p = slice_address(s, b, p, load, load, &align);
    LLVMValueRef x = ir_load(b, slice_type(load, s->lanes), p, align);
    keep_metadata(load, x);
    return x;
}

static void slice_store(struct slicer *s, LLVMValueRef store)
{
    unsigned align;
    LLVMValueRef value = LLVMGetOperand(store, 0), p = LLVMGetOperand(store, 1);
    p = slice_address(s, s->b, p, value, store, &align);
    keep_metadata(store, ir_store(s->b, part(s, value, 0), p, align));
}

static LLVMValueRef slice_shuffle(struct slicer *s, LLVMValueRef x)
{
    LLVMValueRef a = LLVMGetOperand(x, 0), c = LLVMGetOperand(x, 1);
    const struct run *r = run_of(s, x), *ra = run_of(s, a), *rc = run_of(s, c);
    unsigned at, first, from_a, n = lanes_in_slice(s, r->first, r->n, &at);
    int begin = r->first + (int)at;
    if (begin + (int)n <= ra->first + (int)ra->n) { // all from the one
        lanes_in_slice(s, ra->first, ra->n, &first);
        return elements(s->b, part(s, a, ra->first), NULL, (unsigned)(begin - ra->first) - first, n);
    }
    from_a = lanes_in_slice(s, ra->first, ra->n, &first);
    if (!from_a)
        return part(s, c, rc->first);
    return elements(s->b, part(s, a, ra->first), part(s, c, rc->first), 0, n);
}

static LLVMValueRef slice_elements(struct slicer *s, LLVMValueRef x)
{
    const struct run *r = run_of(s, x);
    unsigned at, n = lanes_in_slice(s, r->first, r->n, &at), count = ir_operands(x);
    LLVMValueRef v[OPERANDS];
    for (unsigned i = 0; i < count; i++)
        v[i] = part(s, LLVMGetOperand(x, i), r->first);
    LLVMTypeRef t = slice_type(x, n);
    if (LLVMIsACallInst(x)) {
        size_t length;
        const char *name = LLVMIntrinsicGetName(LLVMGetIntrinsicID(LLVMGetCalledValue(x)), &length);
        return ir_intrinsic(s->b, name, &t, 1, v, count);
    }
    LLVMOpcode op = LLVMGetInstructionOpcode(x);
    if (LLVMIsABinaryOperator(x))
        return LLVMBuildBinOp(s->b, op, v[0], v[1], "");
    if (LLVMIsACastInst(x))
        return LLVMBuildCast(s->b, op, v[0], t, "");
    switch (op) {
    case LLVMFNeg:
        return LLVMBuildFNeg(s->b, v[0], "");
    case LLVMICmp:
        return LLVMBuildICmp(s->b, LLVMGetICmpPredicate(x), v[0], v[1], "");
    case LLVMFCmp:
        return LLVMBuildFCmp(s->b, LLVMGetFCmpPredicate(x), v[0], v[1], "");
    case LLVMSelect:
        return LLVMBuildSelect(s->b, v[0], v[1], v[2], "");
    default:
        return LLVMBuildFreeze(s->b, v[0], "");
    }
}

static LLVMValueRef slice_vector(struct slicer *s, LLVMValueRef x)
{
    const struct run *r = run_of(s, x);
    unsigned at;
    if (!r || r->first == ANY || !lanes_in_slice(s, r->first, r->n, &at))
        return NULL; // made where it is read, or of other slices
    if (LLVMIsALoadInst(x))
        return slice_load(s, s->b, x, part(s, LLVMGetOperand(x, 0), 0));
    if (ir_is_opcode(x, LLVMShuffleVector))
        return slice_shuffle(s, x);
    return slice_elements(s, x);
}

static LLVMValueRef slice_scalar(struct slicer *s, LLVMValueRef x)
{
    LLVMValueRef copy = ir_clone(s->b, x, NULL);
    for (unsigned i = 0; i < ir_operands(x); i++) {
        LLVMValueRef made = map_get_ptr(&s->made, LLVMGetOperand(x, i));
        if (made)
            LLVMSetOperand(copy, i, made);
    }
    return copy;
}

// What a phi is when the slice begins.
static LLVMValueRef slice_start(struct slicer *s, LLVMValueRef phi)
{
    LLVMValueRef start = ir_incoming(phi, s->from);
    for (unsigned i = 0; i < s->nloads; i++)
        if (s->load[i].access == start)
            return slice_load(s, s->before, start, LLVMGetOperand(start, 0));
    return is_vector(phi) ? part(s, start, 0) : start;
}

// What only other groups read.
static void remove_unused(LLVMBasicBlockRef body)
{
    for (LLVMValueRef x = LLVMGetLastInstruction(body), before; x; x = before) {
        before = LLVMGetPreviousInstruction(x);
        if (!LLVMGetFirstUse(x) && !LLVMIsAPHINode(x) && !LLVMIsATerminatorInst(x) && !slice_is_prefetch(x))
            LLVMInstructionEraseFromParent(x);
    }
}

// The loop of one slice, entered from the block where the builder `before` stands; the builder goes on behind it.
static void slice_make(struct slicer *s)
{
    LLVMBasicBlockRef entry = LLVMGetInsertBlock(s->before);
    LLVMBasicBlockRef body = LLVMInsertBasicBlockInContext(s->context, s->loop, "slice");
    LLVMBasicBlockRef behind = LLVMInsertBasicBlockInContext(s->context, s->loop, "sliced");
    LLVMValueRef jump = LLVMBuildBr(s->before, body), end = LLVMGetBasicBlockTerminator(s->loop);
    LLVMPositionBuilderBefore(s->before, jump);
    LLVMPositionBuilderAtEnd(s->b, body);
    map_free(&s->made);
    s->made = (struct map){0};
    FOR_PHIS (s->loop, x) {
        if (!is_in_group(s, x, s->group))
            continue;
        LLVMValueRef start = slice_start(s, x), phi = LLVMBuildPhi(s->b, LLVMTypeOf(start), "");
        LLVMAddIncoming(phi, &start, &entry, 1);
        map_put_ptr(&s->made, x, phi);
    }
    for (LLVMValueRef x = ir_after_phis(LLVMGetFirstInstruction(s->loop)); x != end; x = LLVMGetNextInstruction(x)) {
        if ((slice_is_prefetch(x) && (s->first || s->group)) || !is_in_group(s, x, s->group))
            continue; // one request is enough
        LLVMValueRef made = is_vector(x) ? slice_vector(s, x) : slice_scalar(s, x);
        if (made)
            map_put_ptr(&s->made, x, made);
    }
    LLVMValueRef condition = LLVMGetCondition(end), c = map_get_ptr(&s->made, condition);
    bool again = LLVMGetSuccessor(end, 0) == s->loop;
    LLVMValueRef branch = LLVMBuildCondBr(s->b, c ? c : condition, again ? body : behind, again ? behind : body);
    loop_keep(s->context, branch);
    FOR_PHIS (s->loop, x)
        if (is_in_group(s, x, s->group)) {
            LLVMValueRef next = part(s, ir_incoming(x, s->loop), 0);
            LLVMAddIncoming(map_get_ptr(&s->made, x), &next, &body, 1);
        }
    LLVMPositionBuilderAtEnd(s->b, behind);
    for (unsigned i = 0; i < s->nstores; i++)
        if (is_left_by(s, LLVMGetOperand(s->store[i].access, 0), s->group))
            slice_store(s, s->store[i].access);
}

// --- the loop ---

static bool is_moved(const struct slicer *s, LLVMValueRef x)
{
    for (unsigned i = 0; i < s->nstores; i++)
        if (s->store[i].access == x)
            return true;
    return false;
}

static bool used_behind(const struct slicer *s, LLVMValueRef x)
{
    FOR_USES (x, u)
        if (!inside(s, LLVMGetUser(u)) && !is_moved(s, LLVMGetUser(u)))
            return true;
    return false;
}

// What is read behind the loop, with its slices.
struct left {
    LLVMValueRef x, *parts;
};
struct all_left VEC(struct left);

static void left_join(struct slicer *s, struct left *l, unsigned slices)
{
    for (unsigned n = slices, lanes = s->lanes; is_vector(l->x) && n > 1; n /= 2, lanes *= 2)
        for (unsigned i = 0; i < n / 2; i++)
            l->parts[i] = elements(s->b, l->parts[2 * i], l->parts[2 * i + 1], 0, 2 * lanes);
    LLVMReplaceAllUsesWith(l->x, l->parts[is_vector(l->x) ? 0 : slices - 1]);
}

// All slices, one behind the other, in place of the loop.
static void loop_slice(struct slicer *s, unsigned slices)
{
    struct all_left left = {0};
    LLVMBasicBlockRef *bodies = arena_array(&s->arena, LLVMBasicBlockRef, slices * s->groups);
    LLVMBasicBlockRef begin = LLVMInsertBasicBlockInContext(s->context, s->loop, "slices");
    LLVMValueRef enter = LLVMGetBasicBlockTerminator(s->from);
    for (unsigned i = 0; i < LLVMGetNumSuccessors(enter); i++)
        if (LLVMGetSuccessor(enter, i) == s->loop)
            LLVMSetSuccessor(enter, i, begin);
    FOR_INSTRUCTIONS (s->loop, x)
        if (used_behind(s, x))
            vec_push(&left, ((struct left){x, arena_array(&s->arena, LLVMValueRef, slices)}));
    s->lanes = s->width / slices;
    LLVMPositionBuilderAtEnd(s->before, begin);
    for (unsigned i = 0; i < slices * s->groups; i++) {
        s->first = i / s->groups * s->lanes;
        s->group = i % s->groups;
        slice_make(s);
        for (size_t k = 0; k < left.len; k++)
            if (is_left_by(s, left.data[k].x, s->group) || !is_vector(left.data[k].x))
                left.data[k].parts[i / s->groups] = part(s, left.data[k].x, 0);
        bodies[i] = LLVMGetPreviousBasicBlock(LLVMGetInsertBlock(s->b));
        LLVMPositionBuilderAtEnd(s->before, LLVMGetInsertBlock(s->b));
    }
    for (unsigned i = 0; i < s->nstores; i++)
        LLVMInstructionEraseFromParent(s->store[i].access);
    for (size_t i = 0; i < left.len; i++)
        left_join(s, &left.data[i], slices);
    LLVMBuildBr(s->b, s->exit);
    ir_move_phi_entries(s->exit, s->loop, LLVMGetInsertBlock(s->b), true);
    LLVMDeleteBasicBlock(s->loop);
    for (unsigned i = 0; i < s->nloads; i++)
        LLVMInstructionEraseFromParent(s->load[i].access);
    for (unsigned i = 0; i < slices * s->groups; i++)
        remove_unused(bodies[i]);
    vec_free(&left);
}

static unsigned phis_width(LLVMBasicBlockRef loop)
{
    unsigned width = 0;
    FOR_PHIS (loop, x)
        if (is_vector(x))
            width = lanes_of(x);
    return width;
}

// The only block that leads to this one, but for itself; NULL: there is none such.
static LLVMBasicBlockRef only_entry(LLVMBasicBlockRef block)
{
    LLVMBasicBlockRef from = NULL;
    FOR_USES (LLVMBasicBlockAsValue(block), u) {
        LLVMBasicBlockRef p = LLVMGetInstructionParent(LLVMGetUser(u));
        if (!LLVMIsATerminatorInst(LLVMGetUser(u)) || (from && p != block))
            return NULL;
        from = p == block ? from : p;
    }
    return from;
}

static void consider(struct compilation *c, LLVMBasicBlockRef loop)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(loop);
    if (!LLVMIsABranchInst(end) || !LLVMIsConditional(end))
        return;
    bool again = LLVMGetSuccessor(end, 0) == loop;
    struct slicer s = {.context = c->context,
                       .loop = loop,
                       .exit = LLVMGetSuccessor(end, again),
                       .width = phis_width(loop),
                       .groups = 1};
    if (LLVMGetSuccessor(end, !again) != loop || s.exit == loop || !s.width || s.width > LANES_MAX ||
        !(s.from = only_entry(loop)))
        return;
    arena_init(&s.arena);
    unsigned slices = slice_find(&s) ? slice_choose(&s) : 1;
    if (slices * s.groups > 1) {
        s.b = LLVMCreateBuilderInContext(c->context);
        s.before = LLVMCreateBuilderInContext(c->context);
        loads_find(&s);
        if (only_entry(s.exit) == loop)
            stores_find(&s);
        if (!stores_may_move(&s))
            s.nstores = 0;
        loop_slice(&s, slices);
        LLVMDisposeBuilder(s.b);
        LLVMDisposeBuilder(s.before);
    }
    map_free(&s.runs);
    map_free(&s.made);
    map_free(&s.grouped);
    arena_fini(&s.arena);
}

bool pass_slice_loops(struct compilation *c)
{
    if (!machine_figure(FIGURE_SLICES))
        return remark_return(true, NULL, "stays: not for this kind of processor");
    FOR_DEFINED (c->module, f)
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f), next; b; b = next) {
            next = LLVMGetNextBasicBlock(b);
            consider(c, b);
        }
    return true;
}
