// SPDX-License-Identifier: Apache-2.0
// Kernels whole: memory, control flow, calls, vectors, parameters, errors.
#include "test.h"
#include "translate_run.h"

#define HEAD ".version 8.0\n.target sm_90\n.address_size 64\n"

static void vector_add(void)
{
    static const char text[] = HEAD
        ".visible .entry add(.param .u64 a, .param .u64 b, .param .u64 c, .param .u32 n)\n{\n"
        ".reg .pred %p<2>; .reg .b32 %r<6>; .reg .f32 %f<4>; .reg .b64 %rd<11>;\n"
        "ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [b]; ld.param.u64 %rd3, [c]; ld.param.u32 %r2, [n];\n"
        "mov.u32 %r3, %ctaid.x; mov.u32 %r4, %ntid.x; mov.u32 %r5, %tid.x; mad.lo.s32 %r1, %r3, %r4, %r5;\n"
        "setp.ge.s32 %p1, %r1, %r2; @%p1 bra $L__BB0_2;\n"
        "cvta.to.global.u64 %rd4, %rd1; mul.wide.s32 %rd5, %r1, 4; add.s64 %rd6, %rd4, %rd5;\n"
        "cvta.to.global.u64 %rd7, %rd2; add.s64 %rd8, %rd7, %rd5; ld.global.f32 %f1, [%rd8]; ld.global.f32 %f2, "
        "[%rd6];\n"
        "add.f32 %f3, %f2, %f1; cvta.to.global.u64 %rd9, %rd3; add.s64 %rd10, %rd9, %rd5; st.global.f32 [%rd10], %f3;\n"
        "$L__BB0_2: ret;\n}\n";
    float a[100], b[100], c[100] = {0};
    for (int i = 0; i < 100; i++)
        a[i] = (float)i, b[i] = 2.5f * (float)i;
    struct translate_result r;
    run_fn *fn = run_compile(text, NULL, &r, true);
    CHECK(fn);
    if (!fn)
        return;
    struct {
        void *a, *b, *c;
        int n;
    } args = {a, b, c, 90};
    run_kernel(fn, &args, 100);
    bool ok = true;
    for (int i = 0; i < 100; i++)
        ok &= c[i] == (i < 90 ? 3.5f * (float)i : 0);
    CHECK(ok);
    CHECK(!r.warp_collectives && !r.volatile_shared && !r.flush_denormals && r.shared_static == 0);
}

// Runs one kernel with an output of n words; threads 0 ... n-1.
static bool run_words(const char *text, uint32_t *out, uint32_t n, struct translate_result *r)
{
    run_fn *fn = run_compile(text, NULL, r, true);
    const void *args[1] = {out};
    CHECK(fn);
    if (fn)
        run_kernel(fn, args, n);
    return fn != NULL;
}

#define KERNEL(body)                                                                                                   \
    ".visible .entry k(.param .u64 out)\n{\n.reg .pred %p<4>; .reg .b32 %r<8>; .reg .b64 %rd<8>;\n"                    \
    "mov.u32 %r0, %tid.x; ld.param.u64 %rd0, [out]; mad.wide.u32 %rd0, %r0, 4, %rd0;\n" body "\nret;\n}\n"

static void engine_calls(void)
{
    static const char text[] =
        HEAD ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n"
             ".extern .func (.param .b64 r) malloc(.param .b64 n);\n.extern .func free(.param .b64 p);\n"
             ".extern .func __assertfail(.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d, .param .b64 "
             "e);\n" KERNEL(
                 "{ .param .b64 f; .param .b64 a; .param .b32 r; st.param.b64 [f], 0; st.param.b64 [a], 0;\n"
                 "call.uni (r), vprintf, (f, a); ld.param.b32 %r1, [r]; }\n"
                 "{ .param .b64 n; .param .b64 r; st.param.b64 [n], 64; call.uni (r), malloc, (n); ld.param.b64 %rd1, "
                 "[r]; }\n"
                 "st.u32 [%rd1+60], %r0; ld.u32 %r2, [%rd1+60];\n"
                 "{ .param .b64 p; st.param.b64 [p], %rd1; call.uni free, (p); }\n"
                 "setp.ne.u32 %p1, %r0, 3; @%p1 bra GO;\n"
                 "{ .param .b64 a; .param .b64 b; .param .b32 c; .param .b64 d; .param .b64 e; st.param.b64 [a], 0;\n"
                 "st.param.b64 [b], 0; st.param.b32 [c], 7; st.param.b64 [d], 0; st.param.b64 [e], 1;\n"
                 "call.uni __assertfail, (a, b, c, d, e); }\n"
                 "GO: add.u32 %r3, %r1, %r2; st.global.u32 [%rd0], %r3;");
    uint32_t out[8] = {0};
    struct translate_result r;
    run_state.prints = run_state.asserts = 0;
    if (!run_words(text, out, 8, &r))
        return;
    for (uint32_t i = 0; i < 8; i++)
        CHECK(out[i] == (i == 3 ? 0 : 7 + i));
    CHECK(run_state.prints == 8 && run_state.asserts == 1);
}

static void ends_inside_functions(void)
{
    static const char text[] =
        HEAD ".func leave(.param .b32 x)\n{\n.reg .pred %p1; .reg .b32 %r1; ld.param.b32 %r1, [x]; setp.gt.u32 %p1, "
             "%r1, 4;\n"
             "@%p1 exit; setp.eq.u32 %p1, %r1, 2; @%p1 trap; ret;\n}\n"
             ".func outer(.param .b32 x)\n{\n.reg .b32 %r1; ld.param.b32 %r1, [x];\n"
             "{ .param .b32 y; st.param.b32 [y], %r1; call leave, (y); }\nret;\n}\n" KERNEL(
                 "{ .param .b32 y; st.param.b32 [y], %r0; call outer, (y); }\nst.global.u32 [%rd0], 9;");
    uint32_t out[8] = {0};
    struct translate_result r;
    run_state.traps = 0;
    if (!run_words(text, out, 8, &r))
        return;
    for (uint32_t i = 0; i < 8; i++)
        CHECK(out[i] == (i > 4 || i == 2 ? 0 : 9));
    CHECK(run_state.traps == 1);
}

// Facts that choose how a kernel is compiled.
static void facts(void)
{
    struct translate_result r;
    CHECK(run_compile(
        HEAD ".shared .align 8 .b8 a[12]; .shared .align 16 .b8 b[4]; .extern .shared .align 32 .b8 c[];\n" KERNEL(
            "st.shared.u32 [a], 1; st.shared.u32 [b], 1; mov.u32 %r1, c; st.volatile.shared.u32 [%r1], %r1;"),
        NULL, &r, false));
    CHECK(r.shared_static == 32 && r.volatile_shared && !r.warp_collectives);
    CHECK(run_compile(
        HEAD KERNEL("vote.sync.ballot.b32 %r1, %p1, -1; add.ftz.f32 %r2, %r1, %r1; cvt.rn.f32.s32 %r3, %r2;"), NULL, &r,
        false));
    CHECK(r.warp_collectives && r.flush_denormals);
    CHECK(run_compile(HEAD KERNEL("add.ftz.f32 %r2, %r1, %r1; add.f32 %r3, %r2, %r2;"), NULL, &r, false));
    CHECK(!r.flush_denormals);
    CHECK(run_compile(HEAD KERNEL("LOOP: bra LOOP;"), NULL, &r, false)); // a loop without an exit
}

static bool refused(const char *text, const char *message, bool unsupported)
{
    struct diag d;
    struct translate_result r;
    diag_init(&d, NULL);
    struct ptx_module *m = ptx_module_parse(text, strlen(text), &d);
    LLVMContextRef cx = LLVMContextCreate();
    LLVMModuleRef mod = LLVMModuleCreateWithNameInContext("test", cx);
    bool ok = m && !translate_kernel(mod, m, ptx_module_func(m, "k"), 0, &r, &d) &&
              strstr(str_text(&d.text), message) && (d.cause == DIAG_UNSUPPORTED) == unsupported;
    if (!ok)
        fprintf(stderr, "%s", str_text(&d.text));
    LLVMDisposeModule(mod);
    LLVMContextDispose(cx);
    if (m)
        ptx_module_destroy(m);
    diag_fini(&d);
    return ok;
}

static void refusals(void)
{
    CHECK(refused(HEAD KERNEL("multimem.red.relaxed.sys.global.add.u32 [%rd1], %r1;"),
                  "8:1: not supported: instruction: 'multimem.red.relaxed.sys.global.add.u32 [%rd1], %r1'", true));
    CHECK(refused(HEAD ".extern .func nowhere(.param .b32 x);\n" KERNEL(
                      "{ .param .b32 x; st.param.b32 [x], 1; call nowhere, (x); }"),
                  "external function 'nowhere' is not defined", false));
}

int main(void)
{
    run_init();
    vector_add();
    engine_calls();
    ends_inside_functions();
    facts();
    refusals();
    return test_summary();
}
