// SPDX-License-Identifier: Apache-2.0
// Checked accesses (src/jit/check) of a gang: a test whether all lanes are within what is known to be right for the site, and where they
// are not, one call of the engine with the address of each lane. The test is made on the lowest and the highest lane where the addresses are
// affine, since what is right is one range; inactive lanes that lie without only cost the call. Counted code (translate/count.c) calls each time.
#include "jit/abi/check.h"
#include "jit/gang/gang.h"
#include <llvm-c/DebugInfo.h>
#include <stddef.h>

static LLVMValueRef active_lanes(struct gang *g, LLVMValueRef mask)
{
    uint32_t all = g->width == 32 ? UINT32_MAX : (UINT32_C(1) << g->width) - 1;
    return mask && g->width > 1 ? gang_ballot(g, mask) : gang_i32(g, (int32_t)all);
}

// Memory with the value of each lane.
static LLVMValueRef lane_memory(struct gang *g, LLVMValueRef x)
{
    LLVMTypeRef t = LLVMTypeOf(x);
    LLVMValueRef memory = gang_alloca(g, g->width == 1 ? t : gang_lanes(g, t), 16);
    ir_store(g->b, g->width == 1 ? gang_scalar(g, x) : gang_vector(g, x), memory, 4);
    return memory;
}

// The call keeps its line: it is not merged with others.
static void call_engine(struct gang *g, int hook, LLVMValueRef *args, unsigned n)
{
    LLVMValueRef r = gang_call_hook(g, hook, g->v->void_type, args, n);
    LLVMAttributeIndex at = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
    unsigned kind = LLVMGetEnumAttributeKindForName("nomerge", 7);
    LLVMAddCallSiteAttribute(r, at, LLVMCreateEnumAttribute(g->v->context, kind, 0));
}

// A number of 64 bits in all lanes between these two, and a multiple of 2^align; i1, or a mask of the lanes that are not.
struct within {
    LLVMValueRef first, last; // i64
    unsigned align;
};

static LLVMValueRef is_within(struct gang *g, const struct within *w, LLVMValueRef x)
{
    LLVMValueRef ok = LLVMBuildAnd(g->b, LLVMBuildICmp(g->b, LLVMIntUGE, x, w->first, ""),
                                   LLVMBuildICmp(g->b, LLVMIntULE, x, w->last, ""), "");
    if (!w->align)
        return ok;
    LLVMValueRef low = LLVMBuildAnd(g->b, x, gang_i64(g, (INT64_C(1) << w->align) - 1), "");
    return LLVMBuildAnd(g->b, ok, LLVMBuildICmp(g->b, LLVMIntEQ, low, gang_i64(g, 0), ""), "");
}

static bool offsets_aligned(struct gang *g, const struct shape *s, unsigned align)
{
    for (unsigned l = 0; l < g->width; l++)
        if (s->offset[l] & ((INT64_C(1) << align) - 1))
            return false;
    return true;
}

static LLVMValueRef affine_within(struct gang *g, const struct within *w, LLVMValueRef x, const struct shape *s)
{
    unsigned least = 0, most = 0;
    struct within end = *w;
    for (unsigned l = 1; l < g->width; l++) {
        least = s->offset[l] < s->offset[least] ? l : least;
        most = s->offset[l] > s->offset[most] ? l : most;
    }
    LLVMValueRef ok = is_within(g, w, gang_lane_value(g, x, least));
    end.align = 0;
    return least == most ? ok : LLVMBuildAnd(g->b, ok, is_within(g, &end, gang_lane_value(g, x, most)), "");
}

static LLVMValueRef varying_within(struct gang *g, const struct within *w, LLVMValueRef x, LLVMValueRef mask)
{
    LLVMValueRef v = gang_vector(g, x), first = gang_wide(g, w->first), last = gang_wide(g, w->last);
    LLVMValueRef bad = LLVMBuildOr(g->b, LLVMBuildICmp(g->b, LLVMIntULT, v, first, ""),
                                   LLVMBuildICmp(g->b, LLVMIntUGT, v, last, ""), "");
    if (w->align) {
        LLVMValueRef low = LLVMBuildAnd(g->b, v, gang_wide(g, gang_i64(g, (INT64_C(1) << w->align) - 1)), "");
        bad = LLVMBuildOr(g->b, bad, LLVMBuildICmp(g->b, LLVMIntNE, low, LLVMConstNull(LLVMTypeOf(low)), ""), "");
    }
    LLVMValueRef lanes = gang_and(g, mask, gang_mask_of(g, LLVMBuildFreeze(g->b, bad, "")));
    return LLVMBuildNot(g->b, gang_any(g, lanes), "");
}

// i1: all active lanes are.
static LLVMValueRef all_within(struct gang *g, const struct within *w, LLVMValueRef x, LLVMValueRef mask)
{
    struct shape s = gang_shape(g, x);
    LLVMValueRef ok;
    if (gang_is_uniform(g, x))
        ok = is_within(g, w, gang_scalar(g, x));
    else if (s.kind == SHAPE_AFFINE && !s.split && s.wrap.kind == WRAP_NONE && offsets_aligned(g, &s, w->align))
        ok = affine_within(g, w, x, &s);
    else
        return varying_within(g, w, x, mask);
    return LLVMBuildFreeze(g->b, ok, "");
}

// i1: the block's shared memory is, which changes while it runs.
static LLVMValueRef is_all_written(struct gang *g)
{
    LLVMValueRef p = gang_step(g, g->block, offsetof(struct jit_block, written)),
                 linear = gang_step(g, g->block, offsetof(struct jit_block, linear));
    LLVMValueRef one = LLVMBuildAdd(g->b, ir_load(g->b, g->v->i64, linear, 8), gang_i64(g, 1), "");
    return LLVMBuildICmp(g->b, LLVMIntEQ, ir_load(g->b, g->v->i64, p, 8), one, "");
}

// The range that is known for the site: shared memory is the block's own, of which no note is needed.
static struct within known_range(struct gang *g, uint32_t what)
{
    struct within w = {.align = what >> CHECK_ALIGN_AT & 7};
    LLVMValueRef end;
    if (check_space(what) == AS_SHARED) {
        LLVMValueRef bytes = gang_block_field(g, g->v->i32, offsetof(struct jit_block, shared_bytes), "shared.bytes");
        if (g->v->plan->inits)
            bytes = LLVMBuildSelect(g->b, is_all_written(g), bytes, gang_i32(g, 0), "");
        w.first = LLVMBuildPtrToInt(g->b, gang_shared(g), g->v->i64, "");
        end = LLVMBuildAdd(g->b, w.first, LLVMBuildZExt(g->b, bytes, g->v->i64, ""), "");
    } else {
        LLVMValueRef sites = gang_block_field(g, g->v->ptr, offsetof(struct jit_block, sites), "sites");
        LLVMValueRef p = gang_step(g, sites, (int64_t)(check_site(what) * sizeof(struct jit_site)));
        w.first = ir_load(g->b, g->v->i64, p, 8);
        end = ir_load(g->b, g->v->i64, gang_step(g, p, offsetof(struct jit_site, end)), 8);
    }
    w.last = LLVMBuildSub(g->b, end, gang_i64(g, (int64_t)check_size(what)), "");
    return w;
}

static void call_unless(struct gang *g, LLVMValueRef ok, LLVMBasicBlockRef *go_on)
{
    LLVMBasicBlockRef look = gang_block(g, "check");
    *go_on = gang_block(g, "checked");
    gang_branch_likely(g, ok, *go_on, look, look);
}

// ---- racecheck: how the addresses lie is known where they are affine
// Lanes from `first` on, `n` of them, in groups of so many lanes that follow each other or are one; 0: they do not lie so.
static uint64_t row_of(const struct shape *s, unsigned first, unsigned n, unsigned group, int64_t size)
{
    const int64_t *at = s->offset + first;
    int64_t step = group > 1 ? at[1] - at[0] : size, delta = group < n ? at[group] - at[0] : 0;
    if ((step && step != size) || delta != (int32_t)delta)
        return 0;
    for (unsigned l = 0; l < n; l++)
        if (at[l] - at[0] != delta * (l / group) + step * (l % group))
            return 0;
    return (uint64_t)delta << CHECK_ROW_DELTA_AT | (step ? CHECK_ROW_STEPS : 0) | first << CHECK_ROW_FIRST_AT | group;
}

static uint64_t find_row(const struct shape *s, unsigned first, unsigned n, int64_t size)
{
    uint64_t row = 0;
    for (unsigned group = n; !row && group; group /= 2)
        row = row_of(s, first, n, group, size);
    return row;
}

// One call for each row of the block that the gang has lanes in; false: the addresses have to be told one by one.
static bool tell_rows(struct gang *g, uint32_t what, LLVMValueRef address, LLVMValueRef mask, LLVMValueRef value)
{
    enum { CALLS = 2 };
    struct shape s = gang_is_uniform(g, address) ? shape_uniform(true) : gang_shape(g, address);
    unsigned parts = s.kind == SHAPE_AFFINE ? shape_bases(g->lanes, &s) : 0, n = parts ? g->width / parts : 0;
    uint64_t row[CALLS];
    if (!parts || parts > CALLS || s.wrap.kind != WRAP_NONE || !check_size(what) || g->width == 1)
        return false;
    for (unsigned i = 0; i < parts; i++)
        if (!(row[i] = find_row(&s, i * n, n, check_size(what))))
            return false;
    LLVMValueRef lanes = active_lanes(g, mask), values = value ? lane_memory(g, value) : LLVMConstNull(g->v->ptr);
    for (unsigned i = 0; i < parts; i++) {
        uint32_t mine = (n == 32 ? UINT32_MAX : (UINT32_C(1) << n) - 1) << i * n;
        LLVMValueRef args[] = {g->block,
                               g->first_thread,
                               gang_i32(g, (int32_t)what),
                               parts == 1 ? lanes : LLVMBuildAnd(g->b, lanes, gang_i32(g, (int32_t)mine), ""),
                               gang_lane_value(g, address, i * n),
                               gang_i64(g, (int64_t)row[i]),
                               values};
        call_engine(g, JIT_HOOK_check_row, args, 7);
    }
    return true;
}

// Reads of shared memory between which nothing is ordered are told by one call, at the last of them. The call's address is what reports
// name, so that they have to be of one line. How many lanes are there does not change within a block of the scalar code.
static uint64_t told_row(struct gang *g, LLVMValueRef call)
{
    uint32_t what = (uint32_t)LLVMConstIntGetZExtValue(LLVMGetOperand(call, 2));
    LLVMValueRef address = LLVMGetOperand(call, 0);
    if (!g->v->plan->races || check_kind(what) != CHECK_READ || what & CHECK_STRONG ||
        check_space(what) != CHECK_SHARED || g->width == 1)
        return 0;
    struct shape s = gang_is_uniform(g, address) ? shape_uniform(true) : gang_shape(g, address);
    return s.kind == SHAPE_AFFINE && !s.split && s.wrap.kind == WRAP_NONE ? find_row(&s, 0, g->width, check_size(what))
                                                                          : 0;
}

static bool same_line(LLVMValueRef a, LLVMValueRef b)
{
    LLVMMetadataRef x = LLVMInstructionGetDebugLoc(a), y = LLVMInstructionGetDebugLoc(b);
    if (x == y || !x || !y)
        return x == y;
    return LLVMDILocationGetLine(x) == LLVMDILocationGetLine(y) &&
           LLVMDILocationGetScope(x) == LLVMDILocationGetScope(y) &&
           LLVMDILocationGetInlinedAt(x) == LLVMDILocationGetInlinedAt(y);
}

// What may come between: it orders nothing, and writes nothing.
static bool is_between(LLVMValueRef x)
{
    enum heddle_op op = op_of(x);
    if (LLVMIsALoadInst(x))
        return !LLVMGetVolatile(x) && LLVMGetOrdering(x) == LLVMAtomicOrderingNotAtomic;
    if (op == OP_RT_CHECK_ACCESS) {
        uint32_t what = (uint32_t)LLVMConstIntGetZExtValue(LLVMGetOperand(x, 2));
        return check_kind(what) == CHECK_READ && !(what & CHECK_STRONG);
    }
    return op ? op_is(x, IS_PURE) : !LLVMIsACallInst(x) && !ir_address(x) && !LLVMIsAFenceInst(x);
}

static bool goes_on_behind(struct gang *g, LLVMValueRef call)
{
    if (g->ntold + 1 == CHECK_TOLD_MOST)
        return false;
    for (LLVMValueRef x = LLVMGetNextInstruction(call); x && is_between(x); x = LLVMGetNextInstruction(x))
        if (op_of(x) == OP_RT_CHECK_ACCESS && told_row(g, x))
            return same_line(call, x);
    return false;
}

// Puts the read with those that are told together, and tells where it is the last.
static bool tell_together(struct gang *g, LLVMValueRef call, uint32_t what, LLVMValueRef mask)
{
    uint64_t row = told_row(g, call);
    bool more = row && goes_on_behind(g, call);
    if (!row || (!more && !g->ntold))
        return false;
    if (!g->told)
        g->told = gang_alloca(g, LLVMArrayType2(g->v->i64, CHECK_TOLD_MOST * sizeof(struct jit_told) / 8), 16);
    LLVMValueRef at = gang_step(g, g->told, g->ntold++ * (int64_t)sizeof(struct jit_told));
    ir_store(g->b, gang_lane_value(g, LLVMGetOperand(call, 0), 0), at, 8);
    ir_store(g->b, gang_i64(g, (int64_t)row), gang_step(g, at, offsetof(struct jit_told, row)), 8);
    ir_store(g->b, gang_i32(g, (int32_t)what), gang_step(g, at, offsetof(struct jit_told, what)), 4);
    if (more)
        return true;
    LLVMValueRef args[] = {g->block, g->first_thread, active_lanes(g, mask), g->told, gang_i32(g, (int32_t)g->ntold)};
    call_engine(g, JIT_HOOK_check_rows, args, 5);
    g->ntold = 0;
    return true;
}

// heddle.rt.check.access(i64 address, i64 origin, i32 what, i64 stored)
EMIT(check_access)
{
    uint32_t what = (uint32_t)LLVMConstIntGetZExtValue(LLVMGetOperand(call, 2));
    LLVMValueRef address = LLVMGetOperand(call, 0), origin = LLVMGetOperand(call, 1), value = LLVMGetOperand(call, 3);
    LLVMBasicBlockRef go_on = NULL;
    if (tell_together(g, call, what, mask))
        return;
    if (!(what & CHECK_ALL)) {
        struct within w = known_range(g, what);
        call_unless(g, all_within(g, &w, address, mask), &go_on);
    }
    bool valued = what & CHECK_ALL && check_kind(what) == CHECK_WRITE;
    if (g->v->plan->races && tell_rows(g, what, address, mask, valued ? value : NULL)) {
        if (go_on)
            ir_enter(g->b, go_on);
        return;
    }
    bool one = gang_is_uniform(g, origin); // else there may be several, which the engine is not told
    LLVMValueRef args[] = {g->block,
                           g->first_thread,
                           gang_i32(g, (int32_t)what),
                           active_lanes(g, mask),
                           lane_memory(g, address),
                           one ? gang_scalar(g, origin) : gang_i64(g, 0),
                           valued ? lane_memory(g, value) : LLVMConstNull(g->v->ptr)};
    call_engine(g, JIT_HOOK_check_access, args, 7);
    if (go_on)
        ir_enter(g->b, go_on);
}

// heddle.rt.check.local(i64 offset, i32 size, i32 what)
EMIT(check_local)
{
    uint32_t what = (uint32_t)LLVMConstIntGetZExtValue(LLVMGetOperand(call, 2));
    LLVMValueRef offset = LLVMGetOperand(call, 0), size = LLVMGetOperand(call, 1);
    int64_t last = (int64_t)LLVMConstIntGetZExtValue(size) - (int64_t)check_size(what);
    LLVMBasicBlockRef go_on = NULL;
    if (last >= 0) {
        struct within w = {gang_i64(g, 0), gang_i64(g, last), what >> CHECK_ALIGN_AT & 7};
        call_unless(g, all_within(g, &w, offset, mask), &go_on);
    }
    LLVMValueRef args[] = {
        g->block, g->first_thread, gang_i32(g, (int32_t)what), active_lanes(g, mask), lane_memory(g, offset), size};
    call_engine(g, JIT_HOOK_check_local, args, 6);
    if (go_on)
        ir_enter(g->b, go_on);
}

// heddle.rt.check.sync(i32 how, i32 number)
EMIT(check_sync)
{
    LLVMValueRef number = LLVMGetOperand(call, 1);
    uint64_t how = LLVMConstIntGetZExtValue(LLVMGetOperand(call, 0));
    how |= gang_is_uniform(g, number) ? CHECK_SAME : 0;
    LLVMValueRef args[] = {g->block, g->first_thread, gang_i32(g, (int32_t)how), active_lanes(g, mask),
                           lane_memory(g, number)};
    call_engine(g, JIT_HOOK_check_sync, args, 5);
}

// heddle.rt.check.object(i32 how, i64 address, i32 number)
EMIT(check_object)
{
    LLVMValueRef args[] = {g->block,
                           g->first_thread,
                           LLVMGetOperand(call, 0),
                           active_lanes(g, mask),
                           lane_memory(g, LLVMGetOperand(call, 1)),
                           lane_memory(g, LLVMGetOperand(call, 2))};
    call_engine(g, JIT_HOOK_check_object, args, 6);
}

// heddle.rt.count(i32 what, i64 address)
EMIT(count)
{
    LLVMValueRef address = LLVMGetOperand(call, 1);
    bool none = LLVMIsAConstantInt(address) && LLVMIsNull(address);
    LLVMValueRef args[] = {g->block, g->first_thread, LLVMGetOperand(call, 0), active_lanes(g, mask),
                           none ? LLVMConstNull(g->v->ptr) : lane_memory(g, address)};
    call_engine(g, JIT_HOOK_count, args, 5);
}
