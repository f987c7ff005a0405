// SPDX-License-Identifier: Apache-2.0
// Which loops the gangs of a block go through together (block/interleave.c tells why and how): innermost loops without calls
// that wait, in which lanes side by side reach memory side by side, further on by a page or by an amount that is only
// known at run time on each iteration. Such a loop gets a call of heddle.interleave.point(condition) at its head, and before it calls of
// heddle.interleave.fetch that ask for what the iteration will reach. And how many blocks side by side had better go through them
// together (block/sweep.c).
#include "jit/analysis/loop/cost.h"
#include "jit/ir/machine.h"
#include "jit/ir/pass.h"

struct far {
    const struct loop_access *access;
    bool brought; // its lines are in the cache when the iteration comes
    bool passed;  // they are for all gangs but those at the edge of the block
};

struct search {
    LLVMContextRef context;
    LLVMBuilderRef b;
    struct cfg cfg;
    const struct profile *loops;
    int loop;
    struct loop_accesses accesses; // of the loop
    struct VEC(struct far) far;
    unsigned lines, width;
    bool refused, rows;      // rows: the block has more than one
    bool listed, any_listed; // what the walk finds names other addresses that are read; in some marked loop
    // of all marked loops: how far apart threads side by side reach, at least; whether blocks side by side go on so
    unsigned lane_bytes, block_width;
    bool side;
};

static bool is_far(const struct search *s, const struct loop_access *a)
{
    struct linear lane = linear_factor(&s->cfg, &a->at, OP_TID_X);
    if (a->step.lost || lane.lost || lane.n || !lane.plus || lane.plus > TUNE_INTERLEAVE_LANE_MAX ||
        lane.plus < -TUNE_INTERLEAVE_LANE_MAX)
        return false;
    return !cost_is_fetched(&a->step, 0);
}

// Whether the address is made of what one of the far accesses has read.
static bool is_listed(const struct search *s, const struct linear *at)
{
    for (unsigned i = 0; i < at->n; i++)
        for (size_t k = 0; k < s->far.len; k++) {
            LLVMValueRef read = s->far.data[k].access->instruction;
            if (at->term[i].leaf == read || at->term[i].times == read)
                return true;
        }
    return false;
}

// Finds the far accesses; refused: one waits for what the loop has just read, not for the walk.
static void look_at_accesses(struct search *s)
{
    s->far.len = s->lines = 0;
    s->listed = false;
    profile_accesses(&s->cfg, s->loop, &s->accesses);
    for (size_t i = 0; i < s->accesses.len; i++) {
        const struct loop_access *a = &s->accesses.data[i];
        bool listed = a->step.lost && !a->write && is_listed(s, &a->at);
        s->listed |= listed;
        s->refused |= a->step.lost && !listed;
        if (!is_far(s, a))
            continue;
        s->lines += access_is_first(&s->accesses, i);
        vec_push(&s->far, ((struct far){.access = a}));
    }
}

// Values that the loop carries beside its induction variables.
static unsigned count_kept(const struct search *s)
{
    unsigned n = 0;
    FOR_LOOP_PHIS (&s->cfg, s->loop, x)
        n += linear_step(&s->cfg, s->loop, &(struct linear){.n = 1, .term = {{x, NULL, 1}}}).lost;
    return n;
}

static bool is_worth_it(struct search *s)
{
    enum { REFUSED = HAS_ORDERED | HAS_CALL | HAS_ATOMIC_SHOWN | HAS_EXCHANGE | HAS_FENCE | HAS_LOCAL };
    unsigned has = s->loops[s->loop].has | (s->loops[s->cfg.nloops].has & HAS_LOCAL); // in any part of the kernel
    s->refused = !loop_is_innermost(&s->cfg, s->loop) || has & REFUSED;
    if (!s->refused)
        look_at_accesses(s);
    return !s->refused && s->lines && s->far.len <= TUNE_PLANNED_ACCESSES_MAX &&
           cost_interleaves(&s->loops[s->loop], s->lines, count_kept(s), s->listed, s->width);
}

static bool is_zero(const struct linear *x)
{
    return !x->lost && !x->n && !x->plus;
}

// b is what the gang `rows` rows further has for a.
static bool is_row_further(const struct search *s, const struct loop_access *a, const struct loop_access *b, int rows)
{
    struct loop_access there = *a;
    struct linear row = linear_factor(&s->cfg, &a->at, OP_TID_Y);
    there.at = linear_add(&a->at, &row, rows);
    return access_is_near(&there, b, 0);
}

// Whether the access finds its lines in the cache anyway: another access has brought them on the iteration before or is brought
// on this one, or all rows reach the same lines and the first one brings them.
static bool is_brought(const struct search *s, const struct far *f)
{
    const struct loop_access *a = f->access;
    struct linear y = linear_factor(&s->cfg, &a->at, OP_TID_Y);
    struct linear z = linear_factor(&s->cfg, &a->at, OP_TID_Z);
    if (f->brought || (s->rows && is_zero(&y) && is_zero(&z)))
        return true;
    for (size_t k = 0; k < s->far.len; k++) {
        const struct loop_access *b = s->far.data[k].access;
        if (b != a && s->far.data[k].brought && b->write == a->write && access_is_near(a, b, 0))
            return true;
    }
    return false;
}

// Whether the gang a row further, or a row before, brings its lines; and whether nothing is reached beyond them, on one side: the gangs at
// the block's edge find there what no other one brings.
static bool is_passed(const struct search *s, const struct loop_access *a, bool *outermost)
{
    bool further = false, before = false, passed = false;
    for (size_t k = 0; k < s->far.len; k++) {
        const struct far *f = &s->far.data[k];
        const struct loop_access *b = f->access;
        bool on = is_row_further(s, a, b, 1), back = is_row_further(s, a, b, -1);
        further |= on;
        before |= back;
        passed |= b != a && (f->brought || f->passed) && b->write == a->write && (on || back);
    }
    *outermost = !further || !before;
    return passed;
}

// Asks for what the access will reach on the iteration that begins.
static void fetch(struct search *s, const struct loop_access *a)
{
    int latch = s->cfg.loops[s->loop].latch, block = cfg_index(&s->cfg, LLVMGetInstructionParent(a->instruction));
    if (latch == CFG_NONE || !cfg_dominates(&s->cfg, block, latch)) // not in every iteration
        return;
    LLVMTypeRef i64 = LLVMInt64TypeInContext(s->context);
    LLVMTypeRef pointer = LLVMPointerTypeInContext(s->context, 0);
    LLVMValueRef at = LLVMBuildIntToPtr(s->b, linear_build(s->b, i64, &a->at), pointer, "");
    LLVMValueRef args[2] = {at, LLVMConstInt(LLVMInt32TypeInContext(s->context), a->write, 0)};
    op_build(s->b, OP_INTERLEAVE_FETCH, args, 2);
}

static void fetch_all(struct search *s)
{
    for (size_t i = 0; i < s->far.len; i++)
        for (size_t k = 0; k < s->far.len; k++)
            s->far.data[i].brought |= access_is_near(s->far.data[i].access, s->far.data[k].access, 1);
    for (unsigned edge = 0; edge < 2; edge++) // then what gangs at the block's edge find nowhere else
        for (size_t i = 0; i < s->far.len; i++) {
            struct far *f = &s->far.data[i];
            bool outermost, passed = is_passed(s, f->access, &outermost);
            if (!edge)
                f->passed = s->rows && passed;
            if (is_brought(s, f) || f->passed != edge || (edge && !outermost))
                continue;
            fetch(s, f->access);
            f->brought = true;
        }
}

// Whether the block further along x goes on where this one ends.
static void look_beside(struct search *s)
{
    for (size_t i = 0; i < s->far.len; i++) {
        const struct loop_access *a = s->far.data[i].access;
        struct linear lane = linear_factor(&s->cfg, &a->at, OP_TID_X);
        struct linear block = linear_factor(&s->cfg, &a->at, OP_CTAID_X);
        s->side &= !block.lost && !block.n && block.plus == lane.plus * (int64_t)s->block_width;
        unsigned bytes = (unsigned)(lane.plus < 0 ? -lane.plus : lane.plus);
        s->lane_bytes = !s->lane_bytes || bytes < s->lane_bytes ? bytes : s->lane_bytes;
    }
}

// Whether the loop's counter names elements side by side, by what its bound tells how much memory all threads of the grid go through
// together: then that is the condition under which it is worth it. What fits into the caches is summed faster gang by gang (2^17
// floats: 21 to 13 us); loops that write take as long either way.
static LLVMValueRef worth(struct search *s)
{
    LLVMTypeRef i1 = LLVMInt1TypeInContext(s->context);
    LLVMValueRef always = LLVMConstInt(i1, 1, 0);
    bool goes_on;
    LLVMValueRef test = loop_condition(&s->cfg, s->loop, &goes_on);
    if (!test || !LLVMIsAICmpInst(test) || LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(test, 0))) != LLVMIntegerTypeKind)
        return always;
    LLVMValueRef phi = NULL, bound = NULL;
    FOR_LOOP_PHIS (&s->cfg, s->loop, x)
        for (unsigned k = 0; k < 2 && !phi; k++)
            if (loop_next(&s->cfg, s->loop, x) == LLVMGetOperand(test, k)) {
                phi = x;
                bound = LLVMGetOperand(test, 1 - k);
            }
    if (!bound || loop_has(&s->cfg, s->loop, bound))
        return always;
    uint64_t bytes = 0;
    for (size_t i = 0; i < s->far.len; i++) {
        const struct loop_access *a = s->far.data[i].access;
        struct linear lane = linear_factor(&s->cfg, &a->at, OP_TID_X);
        int64_t by = 0;
        for (unsigned k = 0; k < a->at.n; k++)
            by += a->at.term[k].leaf == phi && !a->at.term[k].times ? a->at.term[k].by : 0;
        if (by <= 0 || by != lane.plus || a->write)
            return always;
        bytes += access_is_first(&s->accesses, (size_t)(a - s->accesses.data)) ? (uint64_t)by : 0;
    }
    return LLVMBuildICmp(s->b, LLVMIntUGT, bound,
                         LLVMConstInt(LLVMTypeOf(bound), machine_part(FIGURE_L2, TUNE_INTERLEAVE_CACHED) / bytes, 0),
                         "");
}

static void mark(struct search *s)
{
    LLVMBasicBlockRef header = s->cfg.blocks[s->cfg.loops[s->loop].header].block;
    LLVMPositionBuilderBefore(s->b, ir_after_phis(LLVMGetFirstInstruction(header)));
    s->any_listed |= s->listed;
    fetch_all(s);
    LLVMValueRef condition = worth(s);
    op_build(s->b, OP_INTERLEAVE_POINT, &condition, 1);
    remark(LLVMGetBasicBlockTerminator(header), "gangs run it interleaved: %zu accesses far apart", s->far.len);
}

// Whether a block has nothing that is its own but its number.
static bool is_numbered_only(LLVMValueRef kernel)
{
    enum { POSITIONS = IS_TID | IS_NTID | IS_CTAID | IS_NCTAID | IS_FIXED };
    FOR_FUNCTION (kernel, x) {
        bool known = !LLVMIsACallInst(x) || op_is_harmless(x) || op_is(x, POSITIONS);
        if (!known || IR_IS(x, IR_ATOMICS))
            return false;
    }
    return true;
}

static void tell_why(const struct search *s)
{
    LLVMValueRef at = LLVMGetBasicBlockTerminator(s->cfg.blocks[s->cfg.loops[s->loop].header].block);
    remark(
        at, "stays: %s",
        s->refused
            ? "an outer loop, local variables in memory, a call that waits, an atomic, or an address that was just read"
        : !s->far.len ? "no access goes on far enough while lanes are side by side"
                      : "too much work, or too much to keep, for the lines that an iteration reaches");
}

// Calls `use` for each loop that is worth it.
static void for_loops(struct search *s, void (*use)(struct search *s))
{
    for (s->loop = 0; s->loop < (int)s->cfg.nloops; s->loop++) {
        if (is_worth_it(s))
            use(s);
        else if (use == mark)
            tell_why(s);
    }
}

// Kernels without loops: blocks of several rows, each of which lies elsewhere in memory, read and write short pieces of many rows by
// turns, and the processor's own prefetching begins anew with each. Where all accesses go on from block to block, the first row of
// many blocks comes before the second of any (block/sweep.c), as far as the machine likes (FIGURE_ROW).
static bool goes_by_rows(struct search *s, LLVMValueRef kernel)
{
    bool far = false;
    FOR_FUNCTION (kernel, x) {
        if (!IR_IS(x, LLVMLoad, LLVMStore) || ir_space(ir_address(x)) > AS_GLOBAL)
            continue;
        struct linear at = linear_of(ir_address(x)), lane = linear_factor(&s->cfg, &at, OP_TID_X);
        struct linear block = linear_factor(&s->cfg, &at, OP_CTAID_X), row = linear_factor(&s->cfg, &at, OP_TID_Y);
        if (lane.lost || block.lost || row.lost || lane.n || block.n || lane.plus <= 0 ||
            lane.plus > TUNE_INTERLEAVE_LANE_MAX || block.plus != lane.plus * (int64_t)s->block_width)
            return false;
        s->lane_bytes = s->lane_bytes > lane.plus ? s->lane_bytes : (unsigned)lane.plus;
        far |= row.n || row.plus >= TUNE_STRIDE_FAR || row.plus <= -TUNE_STRIDE_FAR;
    }
    return far;
}

static unsigned count_in_row(struct search *s, const struct region_plan *plan, LLVMValueRef kernel)
{
    unsigned row = machine_figure(FIGURE_ROW);
    if (!row || s->cfg.nloops || !s->rows || plan->block[0] % plan->width || !is_numbered_only(kernel) ||
        !goes_by_rows(s, kernel))
        return 1;
    unsigned n = row / (s->lane_bytes * s->block_width);
    remark(NULL, "rows of %u blocks, one after the other", n ? n : 1);
    return n ? n : 1;
}

// How many blocks side by side make a row of memory that is worth it.
static unsigned count_beside(const struct search *s, LLVMValueRef kernel)
{
    if (!s->lane_bytes || !s->side || !is_numbered_only(kernel))
        return 1;
    unsigned n = TUNE_INTERLEAVE_ROW / (s->lane_bytes * s->block_width);
    return n < 1 ? 1 : n < TUNE_INTERLEAVE_SIDE_MAX ? n : TUNE_INTERLEAVE_SIDE_MAX;
}

bool pass_interleave_gangs(struct compilation *c)
{
    struct region_plan *plan = &c->plan;
    LLVMValueRef kernel = c->t.kernel;
    unsigned threads = plan_threads(plan);
    plan->side = 1;
    if (plan->width == 1 || threads < plan->width)
        return remark_return(true, NULL, "there is one gang, or the code is for any shape");
    struct search s = {.context = c->context, .side = true, .width = plan->width};
    s.b = LLVMCreateBuilderInContext(s.context);
    s.rows = plan->block[1] * plan->block[2] > 1;
    s.block_width = plan->block[0];
    cfg_build(&s.cfg, kernel);
    s.loops = profile_loops(&s.cfg);
    for_loops(&s, look_beside);
    plan->side = s.cfg.nloops ? count_beside(&s, kernel) : count_in_row(&s, plan, kernel);
    plan->by_rows = !s.cfg.nloops && plan->side > 1;
    if (threads / plan->width * plan->side >= TUNE_INTERLEAVE_GANGS_MIN)
        for_loops(&s, mark);
    else
        remark(NULL, "blocks of %u gangs are too few", threads / plan->width);
    plan->listed = s.any_listed;
    vec_free(&s.far);
    vec_free(&s.accesses);
    LLVMDisposeBuilder(s.b);
    cfg_fini(&s.cfg);
    return true;
}
