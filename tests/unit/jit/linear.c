// SPDX-License-Identifier: Apache-2.0
// Addresses as sums: terms, steps of loops, factors of special registers, and what is lost or rough.
#include "jit/analysis/linear.h"
#include "test.h"
#include "parse.h"

static const char text[] = "declare i32 @heddle.tid.x()\n"
                           "define void @f(i32 %n, i64 %base, i1 %c) {\n"
                           "entry:\n"
                           "  %tid = call i32 @heddle.tid.x()\n"
                           "  %row = mul i32 %tid, %n\n"
                           "  %row3 = add i32 %row, 3\n"
                           "  %wide = sext i32 %row3 to i64\n"
                           "  %bytes = shl i64 %wide, 2\n"
                           "  %start = add i64 %base, %bytes\n"
                           "  %or = or i64 %start, 1\n"
                           "  %twice = sub i64 %start, %bytes\n"
                           "  br label %loop\n"
                           "loop:\n"
                           "  %i = phi i32 [ %tid, %entry ], [ %i1, %loop ]\n"
                           "  %p = phi i64 [ %start, %entry ], [ %p1, %loop ]\n"
                           "  %x = phi i32 [ 1, %entry ], [ %x1, %loop ]\n"
                           "  %ni = mul i32 %i, %n\n"
                           "  %i1 = add i32 %i, 16\n"
                           "  %p1 = add i64 %p, 64\n"
                           "  %x1 = mul i32 %x, 3\n"
                           "  br i1 %c, label %loop, label %end\n"
                           "end:\n  ret void\n}\n";

// What goes round the loop comes through a phi that is poison on the edge of those who leave.
static const char carried[] = "define void @g(i64 %s, i1 %c) {\n"
                              "entry:\n  br label %loop\n"
                              "loop:\n  %z = phi i64 [ %s, %entry ], [ %z2, %latch ]\n  %z1 = add i64 %z, 8\n"
                              "  br i1 %c, label %latch, label %leave\n"
                              "leave:\n  br label %latch\n"
                              "latch:\n  %z2 = phi i64 [ %z1, %loop ], [ poison, %leave ]\n"
                              "  br i1 %c, label %loop, label %end\n"
                              "end:\n  ret void\n}\n";

static void test_carried(LLVMContextRef context)
{
    LLVMModuleRef m = parse(context, carried);
    LLVMValueRef g = LLVMGetNamedFunction(m, "g");
    struct cfg c;
    cfg_build(&c, g);
    struct linear z = linear_of(named(g, "z")), step = linear_step(&c, 0, &z);
    CHECK(!step.lost && !step.n && step.plus == 8);
    CHECK(ir_only_value(named(g, "z2")) == named(g, "z1") && ir_only_value(named(g, "z")) == named(g, "z"));
    cfg_fini(&c);
    LLVMDisposeModule(m);
}

int main(void)
{
    LLVMContextRef context = LLVMContextCreate();
    LLVMModuleRef m = parse(context, text);
    LLVMValueRef f = LLVMGetNamedFunction(m, "f"), tid = named(f, "tid"), n = LLVMGetParam(f, 0);
    struct cfg c;
    cfg_build(&c, f);
    struct linear l = linear_of(named(f, "start"));
    CHECK(l.n == 2 && l.plus == 12 && !l.lost && !l.rough);
    for (unsigned i = 0; i < l.n; i++) {
        bool product =
            (l.term[i].leaf == tid && l.term[i].times == n) || (l.term[i].leaf == n && l.term[i].times == tid);
        CHECK(product ? l.term[i].by == 4 : l.term[i].leaf == LLVMGetParam(f, 1) && l.term[i].by == 1);
    }
    struct linear factor = linear_factor(&c, &l, OP_TID_X);
    CHECK(factor.n == 1 && factor.term[0].leaf == n && factor.term[0].by == 4 && !factor.plus && !factor.lost);
    CHECK(linear_of(named(f, "or")).rough);
    struct linear base = linear_of(named(f, "twice"));
    CHECK(base.n == 1 && base.term[0].leaf == LLVMGetParam(f, 1) && !base.plus);
    struct linear p = linear_of(named(f, "p")), step = linear_step(&c, 0, &p);
    CHECK(!step.lost && !step.n && step.plus == 64);
    struct linear ni = linear_of(named(f, "ni"));
    step = linear_step(&c, 0, &ni);
    CHECK(!step.lost && step.n == 1 && step.term[0].leaf == n && step.term[0].by == 16 && !step.plus);
    factor = linear_factor(&c, &p, OP_TID_X);
    CHECK(!factor.lost && factor.n == 1 && factor.term[0].by == 4); // what the variable begins with
    struct linear x = linear_of(named(f, "x"));
    CHECK(linear_step(&c, 0, &x).lost);
    struct linear d = linear_add(&l, &l, -1);
    CHECK(!d.n && !d.plus && !d.lost);
    step = linear_step(&c, 0, &l);
    CHECK(!step.n && !step.plus && !step.lost);
    cfg_fini(&c);
    LLVMDisposeModule(m);
    test_carried(context);
    LLVMContextDispose(context);
    return test_summary();
}
