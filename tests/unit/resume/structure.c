// SPDX-License-Identifier: Apache-2.0
// Structured control flow of graphs that LLVM's passes get wrong or leave as they are, in both ways of making it: the
// result is valid and has the form that the vectoriser asks for. What it computes the fuzzer and
// tests/cu/irregular_flow.cu compare.
#include "jit/lower/lower.h"
#include "jit/run.h"
#include "test.h"
#include <llvm-c/Analysis.h>
#include <llvm-c/IRReader.h>
#include <string.h>

static const struct {
    const char *name, *text;
} graphs[] = {
    {"a block that branches to two entries of a cycle",
     "define i32 @f(i32 %a, i1 %p, i1 %q, i1 %r) {\n"
     "entry:\n br i1 %p, label %c, label %a0\n"
     "a0:\n %x = phi i32 [ %a, %entry ], [ %y, %b ], [ %z, %c ]\n %x1 = add i32 %x, -1\n %e = icmp eq i32 %x1, 0\n"
     " br i1 %e, label %out, label %b\n"
     "b:\n %y = phi i32 [ %x1, %a0 ], [ %z, %c2 ]\n br i1 %q, label %a0, label %c\n"
     "c:\n %z = phi i32 [ 11, %entry ], [ %y, %b ]\n br i1 %r, label %a0, label %c2\n"
     "c2:\n %g = icmp sgt i32 %z, %a\n br i1 %g, label %b, label %out\n"
     "out:\n %s = phi i32 [ %x1, %a0 ], [ %z, %c2 ]\n ret i32 %s\n}\n"},
    {"blocks that cannot be reached lead to others",
     "define i32 @f(i32 %a, i1 %p) {\n"
     "entry:\n br i1 %p, label %one, label %join\n"
     "dead:\n %d = add i32 %a, 5\n br i1 %p, label %one, label %gone\n"
     "gone:\n br label %join\n"
     "one:\n %x = phi i32 [ %a, %entry ], [ %d, %dead ]\n br label %join\n"
     "join:\n %y = phi i32 [ 0, %entry ], [ %x, %one ], [ %d, %gone ]\n ret i32 %y\n}\n"},
    {"an endless loop on a path", "define i32 @f(i32 %a, i1 %p) {\n"
                                  "entry:\n br i1 %p, label %loop, label %on\n"
                                  "loop:\n br label %loop\n"
                                  "on:\n %x = mul i32 %a, 3\n ret i32 %x\n}\n"},
    {"no return at all", "define i32 @f(i32 %a, i1 %p) {\n"
                         "entry:\n br i1 %p, label %one, label %two\n"
                         "one:\n br label %two\n"
                         "two:\n br label %one\n}\n"},
    {"a path that LLVM knows not to occur", "define i32 @f(i32 %a, i1 %p) {\n"
                                            "entry:\n %c = icmp ugt i32 %a, 7\n br i1 %c, label %never, label %on\n"
                                            "never:\n store volatile i32 1, ptr null\n unreachable\n"
                                            "on:\n ret i32 %a\n}\n"},
    {"several edges between two blocks",
     "define i32 @f(i32 %a, i1 %p) {\n"
     "entry:\n switch i32 %a, label %one [ i32 3, label %two\n i32 4, label %two\n i32 5, label %one ]\n"
     "one:\n %x = phi i32 [ 1, %entry ], [ 1, %entry ], [ %y, %two ], [ %y, %two ]\n br i1 %p, label %two, label %out\n"
     "two:\n %y = phi i32 [ 2, %entry ], [ 2, %entry ], [ %x, %one ]\n switch i32 %y, label %out [ i32 7, label %one\n"
     " i32 8, label %one ]\n"
     "out:\n %z = phi i32 [ %x, %one ], [ %y, %two ]\n ret i32 %z\n}\n"},
};

static bool verify(LLVMModuleRef m, const char *what)
{
    char *text = NULL;
    bool bad = LLVMVerifyModule(m, LLVMReturnStatusAction, &text);
    if (bad)
        fprintf(stderr, "%s: %s\n", what, text);
    LLVMDisposeMessage(text);
    return !bad;
}

static LLVMModuleRef parse(LLVMContextRef c, const char *text)
{
    LLVMModuleRef m = NULL;
    char *message = NULL;
    LLVMMemoryBufferRef b = LLVMCreateMemoryBufferWithMemoryRangeCopy(text, strlen(text), "graph");
    if (LLVMParseIRInContext(c, b, &m, &message))
        fprintf(stderr, "%s\n", message);
    return m;
}

static void test_graph(const char *name, const char *text, enum structured_how how)
{
    LLVMContextRef context = LLVMContextCreate();
    LLVMModuleRef m = parse(context, text);
    struct diag d;
    diag_init(&d, name);
    CHECK(m != NULL);
    struct compilation c = {.module = m, .how = how, .verify = true, .d = &d};
    run_begin(&c);
    bool ok = m && run_passes(&c, "prepare", "structured");
    if (!ok)
        fprintf(stderr, "%s, %s: %s\n", name, how == STRUCTURED_LLVM ? "LLVM" : "dispatch", str_text(&d.text));
    CHECK(ok);
    CHECK(m && verify(m, name));
    diag_fini(&d);
    run_release(&c);
    LLVMDisposeModule(m);
    LLVMContextDispose(context);
}

// As it is before anything else has looked at it.
static void test_opened(const char *name, const char *text)
{
    LLVMContextRef c = LLVMContextCreate();
    LLVMModuleRef m = parse(c, text);
    CHECK(m != NULL);
    endless_open(LLVMGetNamedFunction(m, "f"));
    CHECK(verify(m, name));
    LLVMDisposeModule(m);
    LLVMContextDispose(c);
}

int main(void)
{
    for (size_t i = 0; i < sizeof graphs / sizeof *graphs; i++) {
        test_opened(graphs[i].name, graphs[i].text);
        test_graph(graphs[i].name, graphs[i].text, STRUCTURED_LLVM);
        test_graph(graphs[i].name, graphs[i].text, STRUCTURED_DISPATCH);
    }
    return test_summary();
}
