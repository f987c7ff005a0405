// SPDX-License-Identifier: Apache-2.0
// Loops: what belongs to them, entries, induction variables and trip counts, where they follow from constants and where not.
#include "jit/analysis/loops.h"
#include "test.h"
#include "parse.h"

// An outer loop without a preheader around an inner one with one.
static const char nest[] =
    "define void @f(i32 %n, i1 %c, ptr %p) {\n"
    "entry:\n  %before = add i32 %n, 1\n  br i1 %c, label %outer, label %end\n"
    "outer:\n  %i = phi i32 [ 0, %entry ], [ %i1, %latch ]\n  %q = phi ptr [ %p, %entry ], [ %q1, %latch ]\n"
    "  %first = mul i32 %i, %n\n  br label %inner\n"
    "inner:\n  %k = phi i32 [ 64, %outer ], [ %k1, %inner ]\n  %s = phi i32 [ %i, %outer ], [ %s1, %inner ]\n"
    "  %k1 = lshr i32 %k, 1\n  %s1 = add i32 %s, %n\n  %t = icmp ne i32 %k1, 0\n"
    "  br i1 %t, label %inner, label %latch\n"
    "latch:\n  %i1 = add i32 %i, 3\n  %q1 = getelementptr i8, ptr %q, i64 16\n  %u = icmp sge i32 %i1, 10\n"
    "  br i1 %u, label %end, label %outer\n"
    "end:\n  ret void\n}\n";

static void test_nest(LLVMContextRef context)
{
    LLVMModuleRef m = parse(context, nest);
    LLVMValueRef f = LLVMGetNamedFunction(m, "f");
    struct cfg c;
    cfg_build(&c, f);
    CHECK(c.nloops == 2);
    int inner = c.blocks[cfg_index(&c, LLVMGetInstructionParent(named(f, "k")))].loop;
    int outer = c.loops[inner].parent;
    CHECK(outer == c.blocks[cfg_index(&c, LLVMGetInstructionParent(named(f, "i")))].loop);
    CHECK(loop_has(&c, outer, named(f, "k1")) && loop_has(&c, inner, named(f, "k1")) &&
          !loop_has(&c, inner, named(f, "i1")));
    CHECK(!loop_has(&c, outer, named(f, "before")) && !loop_has(&c, outer, LLVMGetParam(f, 0)) &&
          !loop_has(&c, outer, NULL));
    CHECK(loop_is_innermost(&c, inner) && !loop_is_innermost(&c, outer));
    CHECK(loop_entry(&c, outer) == 0 && loop_preheader(&c, outer) == CFG_NONE);
    CHECK(loop_preheader(&c, inner) == c.loops[outer].header);
    bool goes_on;
    CHECK(loop_condition(&c, inner, &goes_on) == named(f, "t") && goes_on);
    CHECK(loop_condition(&c, outer, &goes_on) == named(f, "u") && !goes_on);
    CHECK(loop_is_variable(&c, inner, named(f, "s")) && !loop_is_variable(&c, outer, named(f, "s")));
    CHECK(!loop_is_variable(&c, inner, named(f, "s1")));
    CHECK(loop_start(&c, inner, named(f, "s")) == named(f, "i") &&
          loop_next(&c, inner, named(f, "s")) == named(f, "s1"));
    int64_t step = 0;
    CHECK(loop_phi_step(named(f, "i"), &step) && step == 3 && loop_phi_step(named(f, "q"), &step) && step == 16);
    CHECK(!loop_phi_step(named(f, "s"), &step) && !loop_phi_step(named(f, "k"), &step));
    CHECK(loop_trip_count(&c, inner, 10) == 7 && loop_trip_count(&c, inner, 7) == 7 &&
          loop_trip_count(&c, inner, 6) == 0);
    CHECK(loop_trip_count(&c, outer, 10) == 4);
    CHECK(loop_rounds(&c, inner, 10) == 7 && loop_rounds(&c, outer, 10) == 4 && loop_rounds(&c, inner, 6) == 0);
    unsigned n = 0;
    FOR_LOOP (&c, inner, x)
        n += x != NULL;
    CHECK(n == 6);
    cfg_fini(&c);
    LLVMDisposeModule(m);
}

// `for (x = START;; x = OP x, BY) while (TEST)`
static unsigned count(LLVMContextRef context, const char *start, const char *next, const char *test, unsigned most)
{
    char text[512];
    snprintf(text, sizeof text,
             "define void @f(i8 %%n) {\nentry:\n  br label %%l\n"
             "l:\n  %%x = phi i8 [ %s, %%entry ], [ %%y, %%l ]\n  %%y = %s\n  %%t = icmp %s\n"
             "  br i1 %%t, label %%l, label %%e\ne:\n  ret void\n}\n",
             start, next, test);
    LLVMModuleRef m = parse(context, text);
    struct cfg c;
    cfg_build(&c, LLVMGetNamedFunction(m, "f"));
    unsigned n = loop_trip_count(&c, 0, most);
    cfg_fini(&c);
    LLVMDisposeModule(m);
    return n;
}

static void test_counts(LLVMContextRef c)
{
    CHECK(count(c, "0", "add i8 %x, 1", "ult i8 %y, 10", 100) == 10);
    CHECK(count(c, "0", "add i8 %x, 1", "ult i8 %x, 10", 100) == 11); // what it was
    CHECK(count(c, "100", "sub i8 %x, 10", "sgt i8 %y, 0", 100) == 10);
    CHECK(count(c, "1", "shl i8 %x, 1", "ult i8 %y, 64", 100) == 6);
    CHECK(count(c, "1", "shl i8 %x, 1", "sgt i8 %y, 0", 100) == 7);   // 128 is negative
    CHECK(count(c, "120", "add i8 %x, 1", "sgt i8 %y, 0", 100) == 8); // wraps around
    CHECK(count(c, "-8", "ashr i8 %x, 1", "ne i8 %y, 0", 300) == 0);  // never ends
    CHECK(count(c, "5", "add i8 %x, 1", "ult i8 %y, 3", 100) == 1);   // once at least
    CHECK(count(c, "14", "add i8 %x, -3\n  %z = add i8 %x, -2", "ne i8 %z, 0", 100) ==
          5); // what it was, and a constant
    CHECK(count(c, "14", "add i8 %x, -3\n  %z = add i8 %y, -2", "ne i8 %z, 0", 100) == 0); // of another value
    CHECK(count(c, "%n", "add i8 %x, 1", "ult i8 %y, 3", 100) == 0);                       // not from constants
    CHECK(count(c, "0", "add i8 %x, %n", "ult i8 %y, 3", 100) == 0);
    CHECK(count(c, "0", "add i8 %x, 1", "ult i8 %y, %n", 100) == 0);
    CHECK(count(c, "0", "add i8 %x, 1", "ult i8 %n, 3", 100) == 0);
    CHECK(count(c, "0", "udiv i8 1, %x", "ult i8 %y, 3", 100) == 0); // the variable divides
}

static bool is_remainder(LLVMContextRef context, const char *start, const char *step)
{
    char text[512];
    snprintf(
        text, sizeof text,
        "define void @f(i32 %%n) {\nentry:\n  %%low = and i32 %%n, 3\n  %%more = add i32 %%low, 1\n  br label %%l\n"
        "l:\n  %%x = phi i32 [ %s, %%entry ], [ %%y, %%l ]\n  %%y = add i32 %%x, %s\n  %%t = icmp ne i32 %%y, 0\n"
        "  br i1 %%t, label %%l, label %%e\ne:\n  ret void\n}\n",
        start, step);
    LLVMModuleRef m = parse(context, text);
    struct cfg c;
    cfg_build(&c, LLVMGetNamedFunction(m, "f"));
    bool is = loop_is_remainder(&c, 0, 4);
    CHECK(!is || !loop_is_remainder(&c, 0, 3));
    cfg_fini(&c);
    LLVMDisposeModule(m);
    return is;
}

int main(void)
{
    LLVMContextRef c = LLVMContextCreate();
    test_nest(c);
    test_counts(c);
    CHECK(is_remainder(c, "%low", "-1") && is_remainder(c, "%more", "-1"));
    CHECK(!is_remainder(c, "%low", "1") && !is_remainder(c, "%n", "-1") && !is_remainder(c, "3", "-1"));
    LLVMContextDispose(c);
    return test_summary();
}
