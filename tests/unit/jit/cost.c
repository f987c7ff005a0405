// SPDX-License-Identifier: Apache-2.0
// What loops do in an iteration, rows of each thread's own, and what the cost model makes of both.
#include "jit/analysis/loop/cost.h"
#include "jit/ir/pass.h"
#include "test.h"
#include "parse.h"

// A loop with a barrier around one that walks through a row of each thread's own, a list's row and what all threads share.
static const char text[] =
    "declare i32 @heddle.tid.x()\ndeclare void @heddle.barrier(i32, i32)\ndeclare float @llvm.fma.f32(float, float, "
    "float)\n"
    "declare void @heddle.rt.misaligned(i64)\ndefine void @other() {\n  ret void\n}\n"
    "define void @f(i64 %base, i64 %list, i32 %n, ptr addrspace(3) %shared) {\n"
    "entry:\n  %tid = call i32 @heddle.tid.x()\n  %wide = zext i32 %tid to i64\n"
    "  %own = mul i64 %wide, 4096\n  %start = add i64 %base, %own\n"
    "  %at = shl i64 %wide, 3\n  %where = add i64 %list, %at\n  %wp = inttoptr i64 %where to ptr addrspace(1)\n"
    "  %named = load i64, ptr addrspace(1) %wp\n  br label %outer\n"
    "outer:\n  %i = phi i32 [ 0, %entry ], [ %i1, %latch ]\n  call void @heddle.barrier(i32 0, i32 0)\n  br label "
    "%inner\n"
    "inner:\n  %k = phi i32 [ 0, %outer ], [ %k1, %inner ]\n  %p = phi i64 [ %start, %outer ], [ %p1, %inner ]\n"
    "  %q = phi i64 [ %named, %outer ], [ %q1, %inner ]\n  %s = phi i64 [ %base, %outer ], [ %s1, %inner ]\n"
    "  %sum = phi float [ 0.0, %outer ], [ %sum1, %inner ]\n"
    "  %pp = inttoptr i64 %p to ptr addrspace(1)\n  %x = load float, ptr addrspace(1) %pp\n"
    "  %pp4 = getelementptr i8, ptr addrspace(1) %pp, i64 4\n  %x4 = load float, ptr addrspace(1) %pp4\n"
    "  %low = and i64 %q, 3\n  call void @heddle.rt.misaligned(i64 %low)\n"
    "  %qp = inttoptr i64 %q to ptr addrspace(1)\n  %y = load float, ptr addrspace(1) %qp\n"
    "  %sp = inttoptr i64 %s to ptr addrspace(1)\n  %z = load float, ptr addrspace(1) %sp\n"
    "  %sh = load float, ptr addrspace(3) %shared\n"
    "  %f1 = call float @llvm.fma.f32(float %x, float %y, float %z)\n  %f2 = fadd float %f1, %sh\n"
    "  %sum1 = fadd float %f2, %x4\n  store float %sum1, ptr addrspace(1) %pp\n"
    "  %p1 = add i64 %p, 8\n  %q1 = add i64 %q, 4\n  %s1 = add i64 %s, 2048\n"
    "  %k1 = add i32 %k, 1\n  %t = icmp ult i32 %k1, %n\n  br i1 %t, label %inner, label %latch\n"
    "latch:\n  %i1 = add i32 %i, 1\n  %u = icmp ult i32 %i1, %n\n  br i1 %u, label %outer, label %end\n"
    "end:\n  %old = atomicrmw add ptr addrspace(1) %wp, i64 2 monotonic\n  call void @other()\n  ret void\n}\n";

static void test_counts(const struct cfg *c, const struct profile *loops, int inner, int outer)
{
    const struct profile *i = &loops[inner], *o = &loops[outer], *k = &loops[c->nloops];
    CHECK(i->floats == 3 && i->loads == 5 && i->global == 4 && i->barriers == 0 && i->carried == 1 && i->has == 0);
    CHECK(i->instructions == 26 && i->operations == 15);
    CHECK(o->barriers == 1 && o->carried == 0 && o->floats == 0 && o->has == HAS_CALL);
    CHECK(k->floats == 3 && k->loads == 6 && k->barriers == 1 && k->carried == 1);
    CHECK(k->has == (HAS_ATOMIC | HAS_ATOMIC_EACH | HAS_ATOMIC_SHOWN | HAS_CALL | HAS_FUNCTION));
}

static void test_rows(const struct cfg *c, int inner, LLVMValueRef f, struct region_plan *plan)
{
    struct rows rows = rows_find(c, inner, plan);
    CHECK(rows.n == 2 && rows.of[0].at == named(f, "p") && rows.of[1].at == named(f, "q"));
    CHECK(rows.of[0].step == 8 && rows.of[0].read == 8 && rows.of[0].written == 4);
    CHECK(rows.of[1].step == 4 && rows.of[1].read == 4 && rows.of[1].written == 0);
    struct profile small = {.operations = 15}, large = {.operations = TUNE_UNROLLED_MAX};
    CHECK(cost_unrolls_rows(&small, &rows, 16) == 8); // up to a line of the row with the larger step
    CHECK(cost_unrolls_rows(&large, &rows, 16) == 1);
    struct rows whole = {1, {{.step = 16, .read = 16, .written = 16}}};
    unsigned ways = machine_figure(FIGURE_WAYS);
    CHECK(cost_unrolls_rows(&small, &whole, ways) == 1 && cost_unrolls_rows(&small, &whole, 2 * ways) == 4);
    whole.of[0].written = 0;
    CHECK(cost_unrolls_rows(&small, &whole, 2 * ways) == 1);
}

static void test_accesses(const struct cfg *c, int inner)
{
    struct loop_accesses a = {0};
    profile_accesses(c, inner, &a);
    CHECK(a.len == 5 && a.data[4].write && !a.data[0].write);
    CHECK(!a.data[3].step.lost && a.data[3].step.plus == 2048);
    CHECK(access_is_first(&a, 0) && !access_is_first(&a, 1) && access_is_first(&a, 2) && !access_is_first(&a, 4));
    CHECK(access_is_near(&a.data[0], &a.data[1], 1) && !access_is_near(&a.data[0], &a.data[1], 9));
    CHECK(!cost_is_fetched(&a.data[3].step, 0) && cost_is_fetched(&a.data[0].step, TUNE_PREFETCH_STREAMS + 1));
    vec_free(&a);
}

static void test_decisions(void)
{
    struct linear lines = {.plus = 2 * TUNE_LINE}, unknown = {.n = 1};
    CHECK(cost_is_fetched(&lines, TUNE_PREFETCH_STREAMS) && !cost_is_fetched(&lines, TUNE_PREFETCH_STREAMS + 1));
    CHECK(!cost_is_fetched(&unknown, 0));
    struct profile p = {.operations = 10, .barriers = 2, .instructions = TUNE_MISS_WORK + 1};
    CHECK(cost_unrolls(&p, TUNE_UNROLLED_BARRIERS_MAX / 2) && !cost_unrolls(&p, TUNE_UNROLLED_BARRIERS_MAX / 2 + 1));
    CHECK(cost_unrolled_most(&p) == TUNE_UNROLLED_MAX / 10 && cost_unrolled_most(&(struct profile){0}) > 0);
    CHECK(!cost_interleaves(&p, 1, 0, false, 16) && cost_interleaves(&p, 1, 0, true, 16) &&
          cost_interleaves(&p, 2, 0, false, 16));
    CHECK(cost_interleaves(&p, 2, 4, false, 16) && !cost_interleaves(&p, 2, 5, false, 16));
    struct profile each = {.instructions = 10, .has = HAS_ATOMIC | HAS_ATOMIC_EACH};
    unsigned room = TUNE_MISS_WORK - 10, lane = machine_figure(FIGURE_LANE_ATOMIC);
    CHECK(cost_interleaves(&each, 1, 0, false, 16) == (16 * lane <= room) && cost_interleaves(&each, 2, 0, false, 16));
}

static bool stays_narrow(const struct profile *k, bool rows)
{
    return cost_stays_narrow(k, 1, rows);
}

// A loop and the kernel around it: what keeps a gang as wide as one vector.
static void test_width(void)
{
    struct profile k[2] = {{.floats = 4}, {.floats = 4, .loads = 2, .instructions = 30}};
    machine_choose(ARCHITECTURE_X86, "cascadelake", "+avx512vl,+avx512dq", false);
    CHECK(!stays_narrow(k, false) && stays_narrow(k, true));
    k[1].barriers = 1;
    CHECK(stays_narrow(k, false));
    k[0].floats = TUNE_WIDTH_BUSY_INNER;
    CHECK(!stays_narrow(k, false));
    k[0].barriers = 1;
    CHECK(stays_narrow(k, false));
    k[1].floats = TUNE_WIDTH_BUSY;
    CHECK(!stays_narrow(k, false));
    k[1].has = HAS_ATOMIC | HAS_ATOMIC_EACH;
    CHECK(stays_narrow(k, false));
    k[1].has = HAS_ATOMIC;
    CHECK(!stays_narrow(k, false));
    k[1].carried = 10;
    CHECK(!stays_narrow(k, false));
    machine_choose(ARCHITECTURE_X86, "haswell", "+avx2",
                   false); // values take twice the registers, of which there are half
    CHECK(stays_narrow(k, false));
    machine_choose(ARCHITECTURE_X86, "cascadelake", "+avx512vl,+avx512dq", false);
    k[1].carried = 11;
    CHECK(stays_narrow(k, false));
    k[1].carried = 34; // in memory already, and the loop waits for results
    k[0].chain = k[0].floats;
    CHECK(!stays_narrow(k, false));
    k[0].chain = 1;
    CHECK(stays_narrow(k, false));
    k[1].carried = 0;
    k[1].has = HAS_LOCAL;
    k[1].local = machine_part(FIGURE_L1, TUNE_WIDTH_LOCAL_MAX) / 32;
    CHECK(!stays_narrow(k, false));
    k[1].local++;
    CHECK(stays_narrow(k, false));
    k[1].local = 0;
    k[1].operations = TUNE_WIDTH_OPERATIONS_MAX + 1;
    CHECK(stays_narrow(k, false));
}

// What makes a wider gang pay between barriers, and beside atomics that lanes make one by one.
static void test_width_busy(void)
{
    struct profile k[2] = {{.floats = 1, .barriers = 1}, {.floats = TUNE_WIDTH_BUSY_BARRIER, .barriers = 1}};
    k[1].chain = TUNE_WIDTH_BUSY_BARRIER;
    CHECK(!stays_narrow(k, false));
    k[1].chain = TUNE_WIDTH_BUSY_BARRIER / 2 - 1;
    CHECK(stays_narrow(k, false));
    k[1].chain = TUNE_WIDTH_BUSY_BARRIER;
    k[1].barriers = 2;
    CHECK(stays_narrow(k, false));
    k[1] = (struct profile){.barriers = 2, .has = HAS_ATOMIC | HAS_ATOMIC_EACH};
    k[0] = (struct profile){.has = HAS_ATOMIC | HAS_ATOMIC_EACH};
    CHECK(!stays_narrow(k, false));
    k[0].barriers = 1;
    CHECK(stays_narrow(k, false));
}

int main(void)
{
    LLVMContextRef context = LLVMContextCreate();
    LLVMModuleRef m = parse(context, text);
    LLVMValueRef f = LLVMGetNamedFunction(m, "f");
    struct region_plan plan = {.width = 16, .block = {256, 1, 1}, .layout = LLVMGetModuleDataLayout(m)};
    struct cfg c;
    cfg_build(&c, f);
    int inner = loop_at(&c, named(f, "x")), outer = c.loops[inner].parent;
    test_counts(&c, profile_loops(&c), inner, outer);
    test_rows(&c, inner, f, &plan);
    test_accesses(&c, inner);
    test_decisions();
    test_width();
    test_width_busy();
    cfg_fini(&c);
    LLVMDisposeModule(m);
    LLVMContextDispose(context);
    return test_summary();
}
