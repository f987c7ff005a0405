// SPDX-License-Identifier: Apache-2.0
// Liveness: at the start of which stretches a value is wanted, through branches, loops and phis, with blocks cut and whole.
#include "jit/analysis/liveness.h"
#include "test.h"
#include "parse.h"

static const char text[] =
    "declare void @cut()\n"
    "define i32 @f(i32 %n, i1 %c) {\n"
    "entry:\n  %a = add i32 %n, 1\n  %b = add i32 %n, 2\n  %here = add i32 %a, %a\n  call void @cut()\n"
    "  %late = add i32 %n, 3\n  br i1 %c, label %loop, label %other\n"
    "loop:\n  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]\n  %i1 = add i32 %i, %late\n  call void @cut()\n"
    "  %t = icmp slt i32 %i, %n\n  br i1 %t, label %loop, label %end\n"
    "other:\n  call void @cut()\n  br label %end\n"
    "end:\n  %r = phi i32 [ %a, %loop ], [ %b, %other ]\n  ret i32 %r\n"
    "dead:\n  %d = add i32 %b, 4\n  br label %end2\n"
    "end2:\n  ret i32 %d\n}\n";

static bool cuts(const void *with, LLVMValueRef x)
{
    (void)with;
    return LLVMIsACallInst(x);
}

static void note(void *with, unsigned stretch)
{
    unsigned *set = with;
    CHECK(!(*set >> stretch & 1)); // once each
    *set |= 1u << stretch;
}

static unsigned lives(struct liveness *l, LLVMValueRef f, const char *name)
{
    unsigned set = 0;
    liveness_visit(l, named(f, name), note, &set);
    return set;
}

// Stretches: 0 entry, 1 behind its cut, 2 loop, 3 behind its cut, 4 other, 5 behind its cut, 6 end, 7 dead, 8 end2.
static void test_cut(LLVMValueRef f, const struct cfg *c)
{
    struct liveness l;
    liveness_init(&l, c, cuts, NULL);
    CHECK(l.n == 9 && l.first[0] == 0 && l.last[0] == 1 && l.first[1] == 2 && l.last[3] == 6);
    CHECK(liveness_stretch(&l, named(f, "here")) == 0 && liveness_stretch(&l, named(f, "late")) == 1);
    CHECK(l.block[3] == 1 && l.block[6] == 3);
    CHECK(lives(&l, f, "a") == (1u << 1 | 1u << 2 | 1u << 3)); // to the end of the edge from the loop
    CHECK(lives(&l, f, "b") == (1u << 1 | 1u << 4 | 1u << 5)); // what is not reached wants nothing
    CHECK(lives(&l, f, "late") == (1u << 2 | 1u << 3));        // round the loop
    CHECK(lives(&l, f, "i") == 1u << 3 && lives(&l, f, "i1") == 1u << 3);
    CHECK(lives(&l, f, "here") == 0 && lives(&l, f, "t") == 0 && lives(&l, f, "r") == 0);
    liveness_fini(&l);
}

static void test_blocks(LLVMValueRef f, const struct cfg *c)
{
    struct liveness l;
    liveness_init(&l, c, NULL, NULL);
    CHECK(l.n == c->nblocks);
    CHECK(lives(&l, f, "a") == 1u << 1 && lives(&l, f, "b") == 1u << 2 && lives(&l, f, "late") == 1u << 1);
    CHECK(lives(&l, f, "i") == 0 && lives(&l, f, "i1") == 0);
    liveness_fini(&l);
}

int main(void)
{
    LLVMContextRef context = LLVMContextCreate();
    LLVMModuleRef m = parse(context, text);
    LLVMValueRef f = LLVMGetNamedFunction(m, "f");
    struct cfg c;
    cfg_build(&c, f);
    test_cut(f, &c);
    test_blocks(f, &c);
    cfg_fini(&c);
    LLVMDisposeModule(m);
    LLVMContextDispose(context);
    return test_summary();
}
