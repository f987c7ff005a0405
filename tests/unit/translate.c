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
        "cvta.to.global.u64 %rd7, %rd2; add.s64 %rd8, %rd7, %rd5; ld.global.f32 %f1, [%rd8]; ld.global.f32 %f2, [%rd6];\n"
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

int main(void)
{
    run_init();
    vector_add();
    return test_summary();
}
