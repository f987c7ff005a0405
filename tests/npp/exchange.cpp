// SPDX-License-Identifier: Apache-2.0
// Images that are set, copied, converted and turned.
#include "image.h"

static const NppStreamContext C = context();
enum { W = 131, H = 6 };

template <class T> static image<Npp8u> mask()
{
    image<Npp8u> m(W, H, 1);
    for (auto &v : m.host)
        v = draw() % 2 ? 0 : 200;
    m.put();
    return m;
}
static void set()
{
    Npp16u v[4] = {1, 500, 65535, 7};
    image<Npp16u> d(W, H, 4, false), e(W, H, 3, false), f(W, H, 4, false);
    image<Npp8u> m = mask<Npp8u>();
    OK(nppiSet_16u_AC4R_Ctx(v, d.device, d.step, d.size(), C));
    compare("Set AC4", d, [&](int, int, int c) { return v[c]; }, 0, 3);
    OK(nppiSet_16u_C3MR_Ctx(v, e.device, e.step, e.size(), m.device, m.step, C));
    compare("Set M", e, [&](int x, int y, int c) { return m(x, y) ? v[c] : 77; });
    OK(nppiSet_16u_C4CR_Ctx(9, f.device + 2, f.step, f.size(), C));
    compare("Set C", f, [&](int, int, int c) { return c == 2 ? 9 : 77; });
    image<Npp32f> g(W, H, 1, false);
    OK(nppiSet_32f_C1R_Ctx(1.5f, g.device, g.step, g.size(), C));
    compare("Set", g, [&](int, int, int) { return 1.5; });
}
static void copy()
{
    image<Npp16s> a(W, H, 4), d(W, H, 4, false), e(W, H, 4, false), one(W, H, 1, false), p0(W, H, 1, false), p1(p0),
        p2(p0), p3(p0);
    image<Npp8u> m = mask<Npp8u>();
    OK(nppiCopy_16s_C4R_Ctx(a.device, a.step, d.device, d.step, d.size(), C));
    compare("Copy", d, [&](int x, int y, int c) { return a(x, y, c); });
    OK(nppiCopy_16s_AC4MR_Ctx(a.device, a.step, e.device, e.step, e.size(), m.device, m.step, C));
    compare("Copy AC4M", e, [&](int x, int y, int c) { return m(x, y) ? a(x, y, c) : 77; }, 0, 3);
    OK(nppiCopy_16s_C4C1R_Ctx(a.device + 1, a.step, one.device, one.step, one.size(), C));
    compare("Copy C4C1", one, [&](int x, int y, int) { return a(x, y, 1); });
    Npp16s *planes[4] = {p0.device, p1.device, p2.device, p3.device};
    OK(nppiCopy_16s_C4P4R_Ctx(a.device, a.step, planes, p0.step, a.size(), C));
    compare("Copy C4P4", p3, [&](int x, int y, int) { return a(x, y, 3); });
    image<Npp16s> back(W, H, 4, false);
    OK(nppiCopy_16s_P4C4R_Ctx(planes, p0.step, back.device, back.step, back.size(), C));
    compare("Copy P4C4", back, [&](int x, int y, int c) { return a(x, y, c); });
}
static void borders()
{
    image<Npp8u> a(40, 7, 3), d(51, 13, 3, false);
    Npp8u v[3] = {1, 2, 3};
    auto at = [&](int x, int y, int c, int how) {
        x -= 5;
        y -= 4;
        bool in = x >= 0 && y >= 0 && x < 40 && y < 7;
        if (how == 0 && !in)
            return (int)v[c];
        if (how == 1)
            return (int)a(std::min(std::max(x, 0), 39), std::min(std::max(y, 0), 6), c);
        return (int)a((x + 40) % 40, (y + 7) % 7, c);
    };
    OK(nppiCopyConstBorder_8u_C3R_Ctx(a.device, a.step, a.size(), d.device, d.step, d.size(), 4, 5, v, C));
    compare("ConstBorder", d, [&](int x, int y, int c) { return at(x, y, c, 0); });
    OK(nppiCopyReplicateBorder_8u_C3R_Ctx(a.device, a.step, a.size(), d.device, d.step, d.size(), 4, 5, C));
    compare("ReplicateBorder", d, [&](int x, int y, int c) { return at(x, y, c, 1); });
    OK(nppiCopyWrapBorder_8u_C3R_Ctx(a.device, a.step, a.size(), d.device, d.step, d.size(), 4, 5, C));
    compare("WrapBorder", d, [&](int x, int y, int c) { return at(x, y, c, 2); });
}
static void convert()
{
    image<Npp32f> a(W, H, 3);
    for (size_t i = 0; i < a.host.size(); i += 3)
        a.host[i] = (float)(i % 512) / 2 - 20;
    a.put();
    for (int mode = 0; mode < 3; mode++) {
        image<Npp8u> d(W, H, 3, false);
        OK(nppiConvert_32f8u_C3R_Ctx(a.device, a.step, d.device, d.step, d.size(), (NppRoundMode)mode, C));
        compare("Convert 32f8u", d, [&](int x, int y, int c) {
            double v = a(x, y, c);
            return (double)nearest<Npp8u>(mode == 0   ? std::nearbyint(v)
                                          : mode == 1 ? std::copysign(std::floor(std::fabs(v) + 0.5), v)
                                                      : std::trunc(v));
        });
    }
    image<Npp16s> s(W, H, 1), t(W, H, 1, false);
    image<Npp8u> b(W, H, 1, false);
    image<Npp32f> f(W, H, 1, false);
    OK(nppiConvert_16s8u_C1R_Ctx(s.device, s.step, b.device, b.step, b.size(), C));
    compare("Convert 16s8u", b, [&](int x, int y, int) { return nearest<Npp8u>(s(x, y)); });
    OK(nppiConvert_16s32f_C1R_Ctx(s.device, s.step, f.device, f.step, f.size(), C));
    compare("Convert 16s32f", f, [&](int x, int y, int) { return s(x, y); });
    image<Npp32s> i(W, H, 1);
    OK(nppiConvert_32s16s_C1RSfs_Ctx(i.device, i.step, t.device, t.step, t.size(), NPP_RND_NEAR, 12, C));
    compare("Convert Sfs", t, [&](int x, int y, int) { return nearest<Npp16s>(i(x, y) / 4096.0); });
    image<Npp8u> q(W, H, 1);
    image<Npp16u> r(W, H, 1, false);
    OK(nppiScale_8u16u_C1R_Ctx(q.device, q.step, r.device, r.step, r.size(), C));
    compare("Scale 8u16u", r, [&](int x, int y, int) { return q(x, y) * 257; });
    image<Npp16u> u(W, H, 1);
    OK(nppiScale_16u8u_C1R_Ctx(u.device, u.step, b.device, b.step, b.size(), NPP_ALG_HINT_ACCURATE, C));
    compare("Scale 16u8u", b, [&](int x, int y, int) { return u(x, y) / 257; });
    OK(nppiScale_8u32f_C1R_Ctx(q.device, q.step, f.device, f.step, f.size(), -1, 1, C));
    compare("Scale 8u32f", f, [&](int x, int y, int) { return q(x, y) / 127.5 - 1; }, 1e-6);
}
static void channels()
{
    image<Npp8u> a(W, H, 1), d(W, H, 4, false);
    OK(nppiDup_8u_C1AC4R_Ctx(a.device, a.step, d.device, d.step, d.size(), C));
    compare("Dup", d, [&](int x, int y, int) { return a(x, y); }, 0, 3);
    image<Npp16u> b(W, H, 3), e(W, H, 4, false), t(H, W, 3, false);
    int order[4] = {2, 3, 0, 1};
    OK(nppiSwapChannels_16u_C3C4R_Ctx(b.device, b.step, e.device, e.step, e.size(), order, 99, C));
    compare("Swap C3C4", e, [&](int x, int y, int c) { return order[c] == 3 ? 99 : b(x, y, order[c]); });
    image<Npp16u> i(b);
    int turn[3] = {1, 2, 0};
    OK(nppiSwapChannels_16u_C3IR_Ctx(i.device, i.step, i.size(), turn, C));
    compare("Swap I", i, [&](int x, int y, int c) { return b(x, y, turn[c]); });
    OK(nppiTranspose_16u_C3R_Ctx(b.device, b.step, t.device, t.step, b.size(), C));
    compare("Transpose", t, [&](int x, int y, int c) { return b(y, x, c); });
    image<Npp32f> f(W, H, 1), g(W - 1, H - 1, 1, false);
    OK(nppiCopySubpix_32f_C1R_Ctx(f.device, f.step, g.device, g.step, g.size(), 0.25f, 0.5f, C));
    compare(
        "Subpix", g,
        [&](int x, int y, int) {
            return (f(x, y) * 0.75 + f(x + 1, y) * 0.25) * 0.5 + (f(x, y + 1) * 0.75 + f(x + 1, y + 1) * 0.25) * 0.5;
        },
        1e-5);
}

int main()
{
    set();
    copy();
    borders();
    convert();
    channels();
    return summary();
}
