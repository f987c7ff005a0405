// SPDX-License-Identifier: Apache-2.0
// Additions to global memory that may come later. At the end of a block many kernels add what the block has found to a few
// cells that all blocks share: a sum, a histogram, the centres of clusters. Each such addition takes the cell's line from the
// core that had it last; sixteen cores then spend their time on handing lines round. Instead a worker adds up what its blocks
// bring, in a small table of its own (struct jit_table), and adds the sums to memory when it leaves the grid, or after a
// millisecond.
//
// The same goes for other operations that may be made in any order: minima, maxima, and, or, xor.
//
// Is it right? PTX's red, and atom whose result nobody uses, are relaxed operations: they happen once, at some time, after
// what the same thread did before to the same location and before what it does to it later; nothing else is said of their order
// unless a fence, an operation that releases, a barrier or the end of the kernel says it. So an addition may be put off when
//  1. its thread touches global memory no more: neither reads, which might be of that location, nor writes, nor changes it by
//     another operation; and reaches no barrier, behind which other threads of the block might. More of the same operation may
//     follow, in any order, and others on other members of the same record, or of any record that lies a multiple of a power of two
//     further: where a barrier lies between, of other threads' records too. Additions of different types do not commute: an address may be
//     used as both.
//  2. the kernel has nothing by which one block could learn that another one has come past its additions: no fence, no
//     volatile access, no atomic load or store, no atomic whose result is used, no call of the engine that does not return
//     or prints. (Sums with a ticket for the last block have both a fence and a result.) Nor anything by which a thread of the
//     block could: a store or an atomic that releases, in shared memory too, as the arrival at an mbarrier is one.
//  3. it becomes visible in time: kernels and the host may watch the location. The worker writes the sums before its part of the
//     grid counts as finished and at the latest a millisecond after a block, and the kernel itself, by 2, cannot wait (nor
//     may it be put aside: gang/memory/privatised.c).
// Sums of integers do not depend on the order; of floats they do, and every order is one that a GPU may take.
//
// It pays when the same locations come again in the next block. So the address must be made of the kernel's parameters and the
// thread's position in its block alone, and run through memory lane by lane or be one for all lanes; then a gang finds its
// sums in one cell of the table, and an addition is that of a vector.
//
// Additions to locations that the data name, as a histogram's in global memory, go to windows: copies of the first 16 KB behind
// the address that all threads share, one for each instruction (struct jit_window). What lies further away is added
// as ever. These stand in loops as a rule, with loads behind them, and so 1 is taken further: whatever comes behind may
// touch global memory, and barriers may stand there, if every pointer that it goes through is a parameter of the kernel and
// leads to another allocation than the window's. The engine looks at that when the window is taken (device/memory/sums.c), where
// the parameters are known. Behind a barrier other threads may rely on the addition, and they may have waited at any other
// barrier of the kernel: a producer and a consumer stand in different arms of a branch. So, once a barrier can follow, the
// condition holds for everything behind every barrier of the kernel.
//
// Operations on one location that is the same for all blocks, made of parameters alone, are merged in registers over the gangs of a
// block and then by the worker (gang/memory/merge.c), in loops too, under the same condition as windows. The block computes the address
// before it begins, whether or not a thread comes to the operation.
#include "base/str.h"
#include "base/vec.h"
#include "jit/analysis/address.h"
#include "jit/analysis/loops.h"
#include "jit/analysis/low_bits.h"
#include "jit/ir/pass.h"

enum { DEPTH = 10 };

static bool is_private(LLVMValueRef pointer)
{
    unsigned s = ir_space(pointer);
    return s == AS_SHARED || s == AS_CONST || s == AS_LOCAL;
}

// An operation of which several may be made in any order, and whose result nobody uses.
static bool is_free(LLVMValueRef x)
{
    if (!LLVMIsAAtomicRMWInst(x) || LLVMGetFirstUse(x) || LLVMGetVolatile(x))
        return false;
    LLVMAtomicOrdering order = LLVMGetOrdering(x);
    return reduce_neutral(LLVMGetAtomicRMWBinOp(x), LLVMTypeOf(x)) &&
           (order == LLVMAtomicOrderingMonotonic || order == LLVMAtomicOrderingAcquire);
}

static bool is_addition(LLVMValueRef x)
{
    return is_free(x) &&
           (LLVMGetAtomicRMWBinOp(x) == LLVMAtomicRMWBinOpAdd || LLVMGetAtomicRMWBinOp(x) == LLVMAtomicRMWBinOpFAdd);
}

static bool call_is_harmless(LLVMValueRef x)
{
    static const char *const known[] = {"llvm.assume", "llvm.lifetime."};
    enum heddle_op op = op_of(x);
    LLVMValueRef f = LLVMGetCalledValue(x);
    if (!LLVMIsAFunction(f))
        return false;
    if (op == OP_YIELD_BLOCK || op == OP_WARP_SYNC || op == OP_RT_MISALIGNED || op == OP_PREFETCH)
        return true;
    return (op_rows[op].kinds & (IS_BARRIER | IS_EXCHANGE)) || ir_touches_no_memory(f) ||
           str_begins_any(call_name(x), known, sizeof known / sizeof *known);
}

// Who sees what this writes may rely on what its thread did before.
static bool releases(LLVMValueRef x)
{
    LLVMAtomicOrdering order = LLVMIsAAtomicCmpXchgInst(x) ? LLVMGetCmpXchgSuccessOrdering(x) : LLVMGetOrdering(x);
    return order == LLVMAtomicOrderingRelease || order == LLVMAtomicOrderingAcquireRelease ||
           order == LLVMAtomicOrderingSequentiallyConsistent;
}

// Point 2 above.
static bool tells_others(LLVMValueRef x)
{
    if (ir_address(x) && releases(x))
        return true;
    if (ir_address(x))
        return !is_private(ir_address(x)) && !(IR_IS(x, LLVMLoad, LLVMStore) ? access_is_simple(x) : is_free(x));
    return LLVMIsACallInst(x) ? !call_is_harmless(x) : IR_IS(x, LLVMFence, LLVMInvoke, LLVMCallBr);
}

// The same for all threads of a block, and for a thread, whenever they ask.
static bool is_common(LLVMValueRef call)
{
    return op_is(call, IS_FIXED | IS_NTID | IS_CTAID | IS_NCTAID);
}

static bool is_steady(LLVMValueRef call)
{
    return op_is(call, IS_TID) || is_common(call);
}

// How many low bits of an address are the same each time that a thread comes to it, or that one of the block does.
static unsigned fixed_bits(LLVMTargetDataRef layout, LLVMValueRef x, unsigned depth, bool (*same)(LLVMValueRef call))
{
    if (ir_made_of(x, DEPTH, same))
        return 64;
    if (depth && IR_IS(x, IR_POINTER_CAST, LLVMAddrSpaceCast))
        return fixed_bits(layout, LLVMGetOperand(x, 0), depth - 1, same);
    if (!depth || !ir_is_opcode(x, LLVMAdd))
        return low_zeros(layout, x, NULL);
    unsigned a = fixed_bits(layout, LLVMGetOperand(x, 0), depth - 1, same);
    unsigned b = fixed_bits(layout, LLVMGetOperand(x, 1), depth - 1, same);
    return a < b ? a : b;
}

// What a walk from an operation that is put off asks.
struct reach {
    const struct cfg *cfg;
    LLVMTargetDataRef layout;
    LLVMValueRef put_off;
    bool others;       // the operation is another thread's, the walk that of one behind what synchronises them
    bool parameters;   // what is touched through them counts as quiet
    uint64_t used;     // a bit for each
    bool synchronised; // something that synchronises can follow
};

// Whether what lies so many bytes apart in one record, in two of a loop's, or in those of two threads, is never the same.
static bool is_apart(const struct reach *r, LLVMValueRef record, int64_t bytes)
{
    enum { SIZE = 8 };
    if (bytes < SIZE && bytes > -SIZE)
        return false;
    bool again = r->others || r->cfg->irreducible;
    if (!LLVMIsAInstruction(record) || (!again && loop_at(r->cfg, record) == CFG_NONE))
        return true;
    unsigned bits = fixed_bits(r->layout, record, DEPTH, r->others ? is_common : is_steady);
    uint64_t lap = bits < 64 ? UINT64_C(1) << bits : 0, at = (uint64_t)bytes & (lap - 1);
    return at >= SIZE && lap - at >= SIZE;
}

// Whether two atomics may be reordered: both are of the same kind, or they are made to different members of a record.
static bool commute(const struct reach *r, LLVMValueRef x, LLVMValueRef y)
{
    LLVMAtomicRMWBinOp op = LLVMGetAtomicRMWBinOp(x);
    int64_t a, b;
    if (op == LLVMGetAtomicRMWBinOp(y) && LLVMTypeOf(x) == LLVMTypeOf(y))
        return true;
    LLVMValueRef record = address_base(LLVMGetOperand(x, 0), &a);
    return record == address_base(LLVMGetOperand(y, 0), &b) && is_apart(r, record, a - b);
}

// A call behind which other threads may rely on what this one did before it.
static bool synchronises(LLVMValueRef x)
{
    return op_is_barrier(x) || op_of(x) == OP_WARP_SYNC;
}

// Point 1 above: more of the kind of what is put off may follow.
static bool touches_global(const struct reach *r, LLVMValueRef x)
{
    if (LLVMIsACallInst(x))
        return synchronises(x);
    return IR_IS(x, LLVMLoad, LLVMStore, LLVMAtomicRMW) && !is_private(ir_address(x)) && !ir_is_invariant(x) &&
           !(LLVMIsAAtomicRMWInst(x) && commute(r, r->put_off, x));
}

// The pointer among the kernel's parameters that an address begins with: their bytes before it. -1: it is not so simple.
static int parameter_of(LLVMValueRef address)
{
    LLVMValueRef object = address_object(address);
    int64_t bytes;
    bool is = object && address_parameter(object, &bytes) && bytes >= 0 && bytes % 8 == 0 && bytes < 64 * 8;
    return is ? (int)bytes : -1;
}

static enum cfg_visit find_loud(void *with, LLVMValueRef x)
{
    struct reach *r = with;
    r->synchronised |= synchronises(x);
    if (!touches_global(r, x) || (r->parameters && LLVMIsACallInst(x)))
        return CFG_GO_ON;
    int p = r->parameters ? parameter_of(ir_address(x)) : -1;
    if (p >= 0)
        r->used |= UINT64_C(1) << (p / 8);
    return p >= 0 ? CFG_GO_ON : CFG_FOUND;
}

// Point 1; `used`: the parameters that must lead elsewhere, where that is asked for.
static bool is_last(const struct cfg *c, LLVMTargetDataRef layout, LLVMValueRef x, uint64_t *used)
{
    struct reach r = {.cfg = c, .layout = layout, .put_off = x, .parameters = used};
    struct VEC(LLVMValueRef) from = {0};
    bool quiet = !cfg_walk(c, LLVMGetNextInstruction(x), CFG_NONE, find_loud, &r);
    if (quiet && r.synchronised)
        FOR_FUNCTION (c->function, y)
            if (synchronises(y))
                vec_push(&from, LLVMGetNextInstruction(y));
    r.others = true;
    quiet = quiet && !cfg_walk_all(c, from.data, from.len, CFG_NONE, find_loud, &r);
    vec_free(&from);
    if (used)
        *used = r.used;
    return quiet;
}

// What comes again in the same thread of the next block.
static bool comes_again(LLVMValueRef call)
{
    return op_is(call, IS_FIXED | IS_TID | IS_NTID);
}

// Instructions that are merged, each with its number; those with the same address and operation share one.
struct merges {
    LLVMValueRef first[JIT_MERGED];
    unsigned n;
};

static bool number_of(struct merges *m, LLVMValueRef x, unsigned *number)
{
    for (*number = 0; *number < m->n; ++*number) {
        LLVMValueRef y = m->first[*number];
        if (LLVMGetOperand(x, 0) == LLVMGetOperand(y, 0) && LLVMGetAtomicRMWBinOp(x) == LLVMGetAtomicRMWBinOp(y) &&
            LLVMTypeOf(x) == LLVMTypeOf(y))
            return true;
    }
    if (m->n == JIT_MERGED)
        return false;
    m->first[m->n++] = x;
    return true;
}

static LLVMValueRef note(LLVMContextRef c, unsigned number, uint64_t used)
{
    LLVMTypeRef i64 = LLVMInt64TypeInContext(c);
    LLVMValueRef what[2] = {LLVMConstInt(i64, number, 0), LLVMConstInt(i64, used, 0)};
    return LLVMMDNodeInContext(c, what, 2);
}

// Whether some atomic may be made later at all.
static bool is_any(LLVMValueRef kernel)
{
    bool any = false;
    FOR_FUNCTION (kernel, x) {
        if (tells_others(x))
            return remark_return(
                false, x, "no atomic is aggregated: here other threads may be told of what was done, or look for it");
        any |= is_free(x) && ir_space(LLVMGetOperand(x, 0)) == AS_GLOBAL;
    }
    return any;
}

bool pass_privatise(struct compilation *k)
{
    LLVMContextRef c = k->context;
    struct cfg cfg;
    if (!is_any(k->t.kernel))
        return true;
    cfg_build(&cfg, k->t.kernel);
    unsigned windows = 0, number;
    struct merges merges = {0};
    FOR_FUNCTION (cfg.function, x) {
        uint64_t used;
        if (!is_free(x) || ir_space(LLVMGetOperand(x, 0)) != AS_GLOBAL)
            continue;
        bool merged = ir_made_anywhere(LLVMGetOperand(x, 0), DEPTH, op_is_fixed) &&
                      is_last(&cfg, k->plan.layout, x, &used) && number_of(&merges, x, &number);
        if (merged) {
            ir_set_metadata(x, MERGE_KIND, note(c, number, used));
            remark(x, "merged over the gangs of a block, and over blocks");
        }
        if (!is_addition(x))
            continue;
        if (ir_made_of(LLVMGetOperand(x, 0), DEPTH, comes_again)) {
            if (is_last(&cfg, k->plan.layout, x, NULL)) {
                ir_set_metadata(x, PRIVATE_KIND, LLVMMDNodeInContext(c, NULL, 0)); // where it cannot be merged, too
                if (!merged)
                    remark(x, "aggregated by the worker: each block adds to the same locations");
            } else if (!merged) {
                remark(x, "goes to memory: what follows may look at it");
            }
        } else if (windows < JIT_WINDOWS && is_last(&cfg, k->plan.layout, x, &used)) {
            ir_set_metadata(x, WINDOW_KIND, note(c, windows++, used));
            remark(x, "goes to the worker's copy of the memory that it may reach");
        } else {
            remark(x, windows < JIT_WINDOWS ? "goes to memory: what follows may look at it"
                                            : "goes to memory: there are as many copies as a worker has");
        }
    }
    cfg_fini(&cfg);
    return true;
}
