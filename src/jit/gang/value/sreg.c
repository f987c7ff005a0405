// SPDX-License-Identifier: Apache-2.0
// Where a thread is: special registers, from the launch and block structures of abi.h. Each is computed at most once,
// in the prologue; constants where the block's shape is known.
#include "jit/gang/gang.h"
#include <stdio.h>
#include <string.h>

typedef LLVMValueRef once_fn(struct gang *g, unsigned variant);

static LLVMValueRef once(struct gang *g, const char *name, unsigned variant, once_fn *compute)
{
    char key[48];
    snprintf(key, sizeof key, "%s.%u", name, variant);
    LLVMValueRef x = map_get_str(&g->once, key);
    if (x)
        return x;
    LLVMBuilderRef back = g->b;
    g->b = g->prologue;
    x = compute(g, variant);
    g->b = back;
    map_put_str(&g->once, arena_strdup(&g->v->scalar.arena, key), x);
    return x;
}

static LLVMValueRef load_field(struct gang *g, LLVMValueRef base, LLVMTypeRef t, size_t offset)
{
    LLVMValueRef x = LLVMBuildLoad2(g->b, t, gang_step(g, base, (int64_t)offset), "");
    ir_mark_invariant(x);
    return x;
}

static LLVMValueRef field(struct gang *g, LLVMValueRef base, LLVMTypeRef t, size_t offset, const char *name)
{
    LLVMValueRef x = map_get_str(&g->once, name);
    if (x)
        return x;
    LLVMBuilderRef back = g->b;
    g->b = g->prologue;
    x = load_field(g, base, t, offset);
    g->b = back;
    map_put_str(&g->once, name, x);
    return x;
}

LLVMValueRef gang_block_field(struct gang *g, LLVMTypeRef t, size_t offset, const char *name)
{
    return field(g, g->block, t, offset, name);
}

LLVMValueRef gang_launch_field(struct gang *g, LLVMTypeRef t, size_t offset, const char *name)
{
    return field(g, g->launch, t, offset, name);
}

// What `once` computes from nothing but the gang.
#define ONCE(name, x)                                                                                                  \
    static LLVMValueRef name(struct gang *g, __attribute__((unused)) unsigned variant)                                 \
    {                                                                                                                  \
        return x;                                                                                                      \
    }
#define BLOCK_FIELD(g, t, f)  gang_block_field(g, (g)->v->t, offsetof(struct jit_block, f), "block." #f)
#define LAUNCH_FIELD(g, t, f) gang_launch_field(g, (g)->v->t, offsetof(struct jit_launch, f), "launch." #f)

LLVMValueRef gang_shared(struct gang *g)
{
    return BLOCK_FIELD(g, ptr, shared);
}

LLVMValueRef gang_sink(struct gang *g)
{
    return BLOCK_FIELD(g, ptr, sink);
}

static LLVMValueRef launch_dimension(struct gang *g, unsigned array, unsigned axis)
{
    static const char *const names[] = {"grid.x",  "grid.y",    "grid.z",    "block.x",  "block.y",
                                        "block.z", "cluster.x", "cluster.y", "cluster.z"};
    static const size_t offset[] = {offsetof(struct jit_launch, grid), offsetof(struct jit_launch, block),
                                    offsetof(struct jit_launch, cluster)};
    return gang_launch_field(g, g->v->i32, offset[array] + 4 * axis, names[3 * array + axis]);
}

static LLVMValueRef ntid(struct gang *g, unsigned axis)
{
    return g->lanes->block[0] ? gang_i32(g, g->lanes->block[axis]) : launch_dimension(g, 1, axis);
}

static LLVMValueRef padded(struct gang *g, unsigned variant)
{
    (void)variant;
    LLVMValueRef n = LLVMBuildMul(g->b, LLVMBuildMul(g->b, ntid(g, 0), ntid(g, 1), ""), ntid(g, 2), "");
    return LLVMBuildAnd(g->b, LLVMBuildAdd(g->b, n, gang_i32(g, 31), ""), gang_i32(g, -32), "");
}

LLVMValueRef gang_hook(struct gang *g, int index)
{
    return LLVMBuildLoad2(g->b, g->v->ptr, gang_step(g, LAUNCH_FIELD(g, ptr, hooks), 8 * index), "hook");
}

LLVMValueRef gang_call_hook(struct gang *g, int index, LLVMTypeRef result, LLVMValueRef *args, unsigned n)
{
    return ir_call_pointer(g->b, result, gang_hook(g, index), args, n);
}

LLVMValueRef gang_threads_padded(struct gang *g)
{
    return once(g, "padded", 0, padded);
}

ONCE(thread_vector, LLVMBuildAdd(g->b, gang_wide(g, g->first_thread), gang_iota(g, g->v->i32), ""))

static LLVMValueRef lane_ids(struct gang *g, unsigned variant)
{
    (void)variant;
    if (g->width == 32)
        return gang_iota(g, g->v->i32);
    LLVMValueRef first = LLVMBuildAnd(g->b, g->first_thread, gang_i32(g, 31), "");
    return LLVMBuildAdd(g->b, gang_wide(g, first), gang_iota(g, g->v->i32), "");
}

LLVMValueRef gang_lane_ids(struct gang *g)
{
    return once(g, "lanes", 0, lane_ids);
}

// Division of small numbers in lanes by way of floats: exact below 2^20, since (n + 1/2) / d is never within the
// rounding error of a whole number.
static LLVMValueRef lane_divide(struct gang *g, LLVMValueRef n, LLVMValueRef d)
{
    if (LLVMIsConstant(d))
        return LLVMBuildUDiv(g->b, n, gang_wide(g, d), "");
    LLVMTypeRef f = gang_lanes(g, g->v->f32);
    LLVMValueRef half = gang_wide(g, LLVMConstReal(g->v->f32, 0.5)), one = LLVMConstReal(g->v->f32, 1.0);
    LLVMValueRef inverse = LLVMBuildFDiv(g->b, one, LLVMBuildUIToFP(g->b, d, g->v->f32, ""), "");
    LLVMValueRef x = LLVMBuildFAdd(g->b, LLVMBuildUIToFP(g->b, n, f, ""), half, "");
    x = LLVMBuildFMul(g->b, x, gang_wide(g, inverse), "");
    return LLVMBuildFPToSI(g->b, x, g->v->mask, "");
}

static LLVMValueRef tid_vector(struct gang *g, unsigned axis)
{
    LLVMValueRef n = once(g, "thread", 0, thread_vector), row = lane_divide(g, n, ntid(g, 0));
    if (axis == 0)
        return LLVMBuildSub(g->b, n, LLVMBuildMul(g->b, row, gang_wide(g, ntid(g, 0)), ""), "");
    LLVMValueRef plane = lane_divide(g, row, ntid(g, 1));
    if (axis == 2)
        return plane;
    return LLVMBuildSub(g->b, row, LLVMBuildMul(g->b, plane, gang_wide(g, ntid(g, 1)), ""), "");
}

// The base of lane 0's coordinate.
static LLVMValueRef tid_base(struct gang *g, unsigned axis)
{
    const unsigned *n = g->lanes->block;
    bool line = n[0] && n[1] == 1 && n[2] == 1;
    LLVMValueRef x = g->first_thread;
    if (line)
        return axis ? gang_i32(g, 0) : x;
    if (axis == 0)
        return LLVMBuildURem(g->b, x, ntid(g, 0), "");
    x = LLVMBuildUDiv(g->b, x, ntid(g, 0), "");
    if (axis == 1)
        return n[2] == 1 ? x : LLVMBuildURem(g->b, x, ntid(g, 1), "");
    return n[2] == 1 ? gang_i32(g, 0) : LLVMBuildUDiv(g->b, x, ntid(g, 1), "");
}

EMIT(tid)
{
    struct shape s = gang_shape(g, call);
    if (s.kind == SHAPE_VARYING)
        gang_set_vector(g, call, once(g, "tid", variant, tid_vector));
    else if (s.align == SHAPE_ALIGN_ZERO)
        gang_set_scalar(g, call, gang_i32(g, 0));
    else
        gang_set_scalar(g, call, once(g, "tid", variant, tid_base));
}

// Not an invariant load: one call may run several blocks, each with its own ctaid.
static LLVMValueRef load_ctaid(struct gang *g, unsigned axis)
{
    LLVMValueRef p = gang_step(g, g->block, (int64_t)(offsetof(struct jit_block, ctaid) + 4 * axis));
    return LLVMBuildLoad2(g->b, g->v->i32, p, "ctaid");
}

static LLVMValueRef ctaid(struct gang *g, unsigned axis)
{
    return once(g, "ctaid", axis, load_ctaid);
}

EMIT(ctaid_next)
{
    LLVMValueRef p = gang_step(g, g->block, (int64_t)offsetof(struct jit_block, follows));
    LLVMValueRef follows = LLVMBuildLoad2(g->b, g->v->i32, p, "follows");
    gang_set_scalar(g, call, LLVMBuildAdd(g->b, ctaid(g, 0), follows, ""));
}

// The first lane's number in its warp, its warp's and the number of warps.
ONCE(lane_base, LLVMBuildAnd(g->b, g->first_thread, gang_i32(g, 31), ""))
ONCE(warp, LLVMBuildLShr(g->b, g->first_thread, gang_i32(g, 5), ""))
ONCE(warps, LLVMBuildLShr(g->b, gang_threads_padded(g), gang_i32(g, 5), ""))

// Bits of the lanes that compare so with one's own.
static LLVMValueRef lanemask(struct gang *g, unsigned predicate)
{
    LLVMValueRef lane = gang_lane_ids(g), one = gang_wide(g, gang_i32(g, 1));
    LLVMValueRef eq = LLVMBuildShl(g->b, one, lane, ""), lt = LLVMBuildSub(g->b, eq, one, "");
    if (predicate == LLVMIntEQ || predicate == LLVMIntULT)
        return predicate == LLVMIntEQ ? eq : lt;
    LLVMValueRef below = predicate == LLVMIntUGE ? lt : LLVMBuildOr(g->b, lt, eq, "");
    return predicate == LLVMIntULE ? below : LLVMBuildNot(g->b, below, "");
}

EMIT(lanemask)
{
    LLVMValueRef x = once(g, "lanemask", variant, lanemask);
    gang_set_result(g, call, g->width == 1 ? gang_lane(g, x, 0) : NULL, x);
}

// An entry of a table that a uniform number names.
static void set_entry(struct gang *g, LLVMValueRef call, LLVMValueRef table, LLVMTypeRef t, unsigned shift,
                      size_t offset, const char *fault)
{
    LLVMValueRef n = LLVMGetOperand(call, 0);
    if (!gang_is_uniform(g, n)) {
        gang_fail(g, call, fault);
        return;
    }
    LLVMValueRef at = LLVMBuildShl(g->b, LLVMBuildZExt(g->b, gang_scalar(g, n), g->v->i64, ""), gang_i64(g, shift), "");
    gang_set_scalar(g, call, load_field(g, gang_gep(g, table, at), t, offset));
}

EMIT(envreg)
{
    set_entry(g, call, g->launch, g->v->i32, 2, offsetof(struct jit_launch, envreg), "envreg with a varying number");
}

EMIT(total_smem_size)
{
    LLVMValueRef a = LAUNCH_FIELD(g, i32, dynamic_shared), b = LAUNCH_FIELD(g, i32, shared_static);
    gang_set_scalar(g, call, LLVMBuildAdd(g->b, a, b, ""));
}

// A launch without clusters has clusters of one block.
static LLVMValueRef cluster_size(struct gang *g, unsigned axis)
{
    return gang_intrinsic2(g, "llvm.umax", launch_dimension(g, 2, axis), gang_i32(g, 1));
}

EMIT(cluster_ctarank)
{
    LLVMValueRef rank = gang_i32(g, 0);
    for (unsigned axis = 3; axis-- > 0;) {
        LLVMValueRef x = LLVMBuildURem(g->b, ctaid(g, axis), cluster_size(g, axis), "");
        rank = LLVMBuildAdd(g->b, LLVMBuildMul(g->b, rank, cluster_size(g, axis), ""), x, "");
    }
    gang_set_scalar(g, call, rank);
}

EMIT(cluster_nctarank)
{
    LLVMValueRef n = LLVMBuildMul(g->b, cluster_size(g, 0), cluster_size(g, 1), "");
    gang_set_scalar(g, call, LLVMBuildMul(g->b, n, cluster_size(g, 2), ""));
}

// Readable from end to end, so that parameters may be read ahead of the branch that wants them.
static LLVMValueRef args_block(struct gang *g)
{
    bool first = !map_get_str(&g->once, "launch.args") && g->v->plan->args_bytes;
    LLVMValueRef x = LAUNCH_FIELD(g, ptr, args);
    struct {
        const char *name;
        uint64_t value;
    } facts[] = {{"dereferenceable", g->v->plan->args_bytes}, {"align", 16}};
    for (unsigned i = 0; first && i < sizeof facts / sizeof *facts; i++) {
        LLVMMetadataRef value = LLVMValueAsMetadata(gang_i64(g, (int64_t)facts[i].value));
        ir_set_metadata(x, facts[i].name,
                        LLVMMetadataAsValue(g->v->context, LLVMMDNodeInContext2(g->v->context, &value, 1)));
    }
    return x;
}

EMIT(global)
{
    set_entry(g, call, LAUNCH_FIELD(g, ptr, globals), g->v->ptr, 3, 0, "address of a variable with a varying number");
}

// Registers that are one scalar for the gang. `never` is the way out of an endless loop (lower/endless.c).
#define SCALAR(name, x)                                                                                                \
    EMIT(name)                                                                                                         \
    {                                                                                                                  \
        gang_set_scalar(g, call, x);                                                                                   \
    }
SCALAR(ntid, ntid(g, variant))
SCALAR(ctaid, ctaid(g, variant))
SCALAR(nctaid, launch_dimension(g, 0, variant))
SCALAR(laneid, g->width == 32 ? gang_i32(g, 0) : once(g, "laneid", 0, lane_base))
SCALAR(warpid, once(g, "warpid", 0, warp))
SCALAR(nwarpid, once(g, "nwarpid", 0, warps))
SCALAR(smid, BLOCK_FIELD(g, i32, smid))
SCALAR(nsmid, LAUNCH_FIELD(g, i32, nsmid))
SCALAR(gridid, LAUNCH_FIELD(g, i64, grid_id))
SCALAR(dynamic_smem_size, LAUNCH_FIELD(g, i32, dynamic_shared))
SCALAR(clusterid, LLVMBuildUDiv(g->b, ctaid(g, variant), cluster_size(g, variant), ""))
SCALAR(nclusterid, LLVMBuildUDiv(g->b, launch_dimension(g, 0, variant), cluster_size(g, variant), ""))
SCALAR(cluster_ctaid, LLVMBuildURem(g->b, ctaid(g, variant), cluster_size(g, variant), ""))
SCALAR(cluster_nctaid, cluster_size(g, variant))
SCALAR(cluster_explicit, LAUNCH_FIELD(g, i32, explicit_cluster))
SCALAR(never, gang_int(g->v->i1, 0))
SCALAR(args, args_block(g))
SCALAR(shared, gang_shared(g))
SCALAR(window, BLOCK_FIELD(g, ptr, window))
