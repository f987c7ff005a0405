// SPDX-License-Identifier: Apache-2.0
// The verifier: what PTX allows and what it does not. The answers are those of the vendor's assembler.
#include "ptx_text.h"
#include "test.h"

static const char *const good[] = {
    "add.u32 s1, u2, b3;",
    "add.f32 b1, b2, f3;",
    "add.f16 h1, h2, h3;",
    "add.f64 e1, e2, 0f3F800000;",
    "mov.b32 b1, 0f3F800000;",
    "mov.u16 w1, %tid.x;",
    "mov.b32 {h1, _}, b1;",
    "mov.b64 d1, {f1, f2};",
    "mov.v4.f32 v, {f1, f2, f3, f0};",
    "mov.u64 l1, gv+4;",
    "mov.pred p, 1;",
    "ld.global.u8 l1, [l1];",
    "ld.global.s8 h1, [l1];",
    "ld.global.f32 d1, [l1];",
    "ld.shared.u32 u1, [u1];",
    "ld.global.v4.f32 {f1, f2, f3, _}, [l1];",
    "ld.global.acquire.cta.u32 u1, [l1];",
    "st.global.v2.u32 [l1], {u1, 5};",
    "setp.lt.s32 _|q, u1, u2;",
    "setp.eq.b32 p, f1, u2;",
    "setp.and.lt.f32 p, f1, f2, !q;",
    "selp.u32 u1, 1, 2, !p;",
    "and.pred p, q, !p;",
    "shl.b64 d1, d2, u1;",
    "bar.red.popc.u32 u1, 0, 64, !p;",
    "atom.add.u32 _, [l1], 1;",
    "atom.cas.global.b32 b1, [l1], b2, b3;",
    "cvt.u32.u64 l1, l2;",
    "cvt.rn.f16.f32 b1, f1;",
    "cvta.global.u64 l1, gv;",
    "mul.f32.rn f1, f2, f3;",
    "add.u32 u1, u2, 3 > 2 ? 4 : 5;",
    "cp.async.ca.shared.global [sv], [l1], 4, p;",
    "cp.async.bulk.global.shared::cta.bulk_group.cp_mask [l1], [u1], u2, w1;",
    "cp.async.bulk.global.shared::cta.bulk_group.L2::cache_hint.cp_mask [l1], [u1], u2, l2, w1;",
    "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint [u1], [l1], u2, [u2], l2;",
    "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [u1], [l1], u2, [u2], w1;",
    "vadd.s32.s32.s32 s1, s2.b0, s3.h1;",
    "call (pr), ef, (pa);",
    "call (b1), ef, (d1);",
    "{ .reg .u32 u1; add.u32 u1, u1, u2; }",
};

static const char *const bad[] = {
    "add.f32 u1, u2, u3;",
    "add.u32 f1, f2, f3;",
    "add.s64 d1, d2, u3;",
    "add.s32 u1, u2, 5.0;",
    "add.f32 f1, f2, 5;",
    "add.b32 b1, b2, b3;",
    "add.u32 u1, u2;",
    "add.u32 1, u2, u3;",
    "add.rn.rz.f32 f1, f2, f3;",
    "add.ftz.f64 e1, e2, e3;",
    "mov.u32 u1, 0f3F800000;",
    "mov.u64 l1, %tid.x;",
    "mov.u32 u1, %clock64;",
    "mov.u32 %tid.x, u1;",
    "mov.u32 sv, u1;",
    "mov.b64 d1, {b1, h2};",
    "mov.b32 b1, {h1, h2, h3, h0};",
    "mov.u64 l1, {b1, b2};",
    "mov.u32 u1, f1;",
    "mov.pred p, b1;",
    "ld.global.u32 f1, [l1];",
    "ld.global.u64 u1, [l1];",
    "ld.global.f32 e1, [l1];",
    "ld.global.u32 u1, [f1];",
    "ld.global.u32 u1, [sv];",
    "ld.global.v4.f32 {f1, f2, f3}, [l1];",
    "ld.global.v2.f32 f1, [l1];",
    "ld.global.f32 {f1, f2}, [l1];",
    "ld.acquire.u32 u1, [l1];",
    "st.const.u32 [cv], u1;",
    "setp.lt.s32 u1, u1, u2;",
    "setp.lt.b32 p, u1, u2;",
    "setp.lo.s32 p, u1, u2;",
    "setp.num.s32 p, u1, u2;",
    "shl.b32 b1, b2, w1;",
    "@u1 bra L;",
    "bra u1;",
    "bar.sync;",
    "atom.global.add.b32 b1, [l1], 1;",
    "atom.global.inc.s32 u1, [l1], 1;",
    "red.global.exch.b32 [l1], 1;",
    "cvt.f32.s32 f1, s1;",
    "cvt.s32.f32 s1, f1;",
    "cvt.rn.f64.f32 e1, f1;",
    "mul.wide.u32 u1, u1, u2;",
    "mul.u32 u1, u2, u3;",
    "fma.f32 f1, f2, f3, f1;",
    "div.f32 f1, f2, f3;",
    "sin.f32 f1, f2;",
    "lop3.b32 b1, b2, b3, b1, b2;",
    "add.f32 f1, v, f2;",
    "add.f32 f1, f2.x, f2;",
    "call (pr), ef;",
    "call (pr), ef, (pr);",
    "call (pr), l1, (pa);",
    "call (pr), k, (pa);",
    "ret 1;",
};

int main(void)
{
    char text[1024];
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        struct ptx_module *m = ptx_load_body(good[i], text);
        if (!m)
            fprintf(stderr, "%s: %s", good[i], text);
        CHECK(m != NULL);
        ptx_module_destroy(m);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct ptx_module *m = ptx_load_body(bad[i], text);
        if (m)
            fprintf(stderr, "accepted: %s\n", bad[i]);
        CHECK(!m);
        CHECK(strstr(text, "t:6:") == text);
        ptx_module_destroy(m);
    }
    return test_summary();
}
