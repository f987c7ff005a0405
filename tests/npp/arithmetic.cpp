// SPDX-License-Identifier: Apache-2.0
// Arithmetic, logic, alpha, thresholds and comparisons against plain loops.
#include "image.h"

static const NppStreamContext C = context();
enum { W = 131, H = 5 }; // chunks and vectors end in the middle of a row

typedef double operation(double, double);
// All forms of a binary operation: with two images, in place, with constants of host and device. `f` is what becomes of (second, first).
template <class T, class Constant>
static void binary(const char *what, int channels, int used, operation *f,
                   NppStatus (*images)(const T *, int, const T *, int, T *, int, NppiSize, int, NppStreamContext),
                   NppStatus (*in_place)(const T *, int, T *, int, NppiSize, int, NppStreamContext),
                   NppStatus (*constant)(const T *, int, Constant, T *, int, NppiSize, int, NppStreamContext),
                   NppStatus (*of_device)(const T *, T *, int, NppiSize, int, NppStreamContext))
{
    T k[4] = {number<T>(), number<T>(), 3, 2}, *kd;
    cudaMalloc((void **)&kd, sizeof k);
    cudaMemcpy(kd, k, sizeof k, cudaMemcpyHostToDevice);
    for (int sf : {0, 1, 3, -1, -4}) {
        image<T> a(W, H, channels), b(W, H, channels), d(W, H, channels, false), e(W, H, channels, false), i(b), ie(a);
        auto g = [&](double x, double y) { return (double)nearest<T>(f(x, y) * std::ldexp(1, -sf)); };
        std::function<double(int, int, int)> both = [&](int x, int y, int c) { return g(b(x, y, c), a(x, y, c)); };
        std::function<double(int, int, int)> with = [&](int x, int y, int c) { return g(a(x, y, c), k[c]); };
        OK(images(a.device, a.step, b.device, b.step, d.device, d.step, d.size(), sf, C));
        compare(what, d, both, 0, used);
        OK(in_place(a.device, a.step, i.device, i.step, i.size(), sf, C));
        compare(what, i, both, 0, used);
        if constexpr (std::is_pointer<Constant>::value)
            OK(constant(a.device, a.step, k, e.device, e.step, e.size(), sf, C));
        else
            OK(constant(a.device, a.step, k[0], e.device, e.step, e.size(), sf, C));
        compare(what, e, with, 0, used);
        OK(of_device(kd, ie.device, ie.step, ie.size(), sf, C));
        compare(what, ie, with, 0, used);
    }
    cudaDeviceSynchronize();
    cudaFree(kd);
}
#define BINARY(Op, T, t, L, channels, used, f)                                                                         \
    binary<T>(#Op " " #t #L, channels, used, f, nppi##Op##_##t##_##L##RSfs_Ctx, nppi##Op##_##t##_##L##IRSfs_Ctx,       \
              nppi##Op##C_##t##_##L##RSfs_Ctx, nppi##Op##DeviceC_##t##_##L##IRSfs_Ctx);
#define TYPE(Op, T, t, f)                                                                                              \
    BINARY(Op, T, t, C1, 1, 1, f)                                                                                      \
    BINARY(Op, T, t, C3, 3, 3, f)                                                                                      \
    BINARY(Op, T, t, AC4, 4, 3, f)
#define TYPES(Op, f) TYPE(Op, Npp8u, 8u, f) TYPE(Op, Npp16u, 16u, f) TYPE(Op, Npp16s, 16s, f)

static void sums()
{
    operation *add = [](double x, double y) { return x + y; };
    operation *sub = [](double x, double y) { return x - y; };
    operation *mul = [](double x, double y) { return x * y; };
    TYPES(Add, add)
    TYPES(Sub, sub)
    TYPES(Mul, mul)
    BINARY(Add, Npp32s, 32s, C1, 1, 1, add)
    BINARY(Sub, Npp32s, 32s, C3, 3, 3, sub)
    BINARY(Add, Npp8u, 8u, C4, 4, 4, add)
}
// Quotients: what is divided by 0 is the type's largest or smallest number; 0 / 0 is not compared, NVIDIA's library has no one answer.
static void quotients()
{
    for (int sf : {0, 1, -2}) {
        image<Npp16s> a(W, H, 3), b(W, H, 3), d(W, H, 3, false);
        for (size_t i = 0; i < a.host.size(); i++)
            if (i % 3)
                a.host[i] = (Npp16s)((int)(draw() % 41) - 20);
        for (size_t i = 0; i < a.host.size(); i++)
            b.host[i] += !a.host[i] && !b.host[i];
        a.put();
        b.put();
        OK(nppiDiv_16s_C3RSfs_Ctx(a.device, a.step, b.device, b.step, d.device, d.step, d.size(), sf, C));
        compare("Div", d, [&](int x, int y, int c) {
            double p = b(x, y, c), q = a(x, y, c);
            return q ? (double)nearest<Npp16s>(p / q * std::ldexp(1, -sf)) : p < 0 ? -32768 : 32767;
        });
    }
    for (int mode = 0; mode < 3; mode++) {
        image<Npp8u> a(W, H, 1), b(W, H, 1), d(W, H, 1, false);
        for (auto &v : a.host)
            v = (Npp8u)(draw() % 9 + 1);
        a.put();
        OK(nppiDiv_Round_8u_C1RSfs_Ctx(a.device, a.step, b.device, b.step, d.device, d.step, d.size(),
                                       (NppRoundMode)mode, 1, C));
        compare("Div_Round", d, [&](int x, int y, int) {
            double v = (double)b(x, y) / a(x, y) / 2;
            return mode == 0 ? std::nearbyint(v) : mode == 1 ? std::floor(v + 0.5) : std::floor(v);
        });
    }
    image<Npp8u> a(W, H, 1), d(W, H, 1, false);
    OK(nppiDivC_8u_C1RSfs_Ctx(a.device, a.step, 7, d.device, d.step, d.size(), 0, C));
    compare("DivC", d, [&](int x, int y, int) { return std::nearbyint(a(x, y) / 7.0); });
    OK(nppiMulCScale_8u_C1R_Ctx(a.device, a.step, 100, d.device, d.step, d.size(), C));
    compare("MulCScale", d, [&](int x, int y, int) { return std::floor(a(x, y) * 100 / 255.0); });
}
static void floats()
{
    image<Npp32f> a(W, H, 3), b(W, H, 3), d(W, H, 3, false);
    Npp32f k[3] = {2.5f, -3, 0.125f};
    OK(nppiAdd_32f_C3R_Ctx(a.device, a.step, b.device, b.step, d.device, d.step, d.size(), C));
    compare("Add32f", d, [&](int x, int y, int c) { return a(x, y, c) + b(x, y, c); });
    OK(nppiSub_32f_C3R_Ctx(a.device, a.step, b.device, b.step, d.device, d.step, d.size(), C));
    compare("Sub32f", d, [&](int x, int y, int c) { return b(x, y, c) - a(x, y, c); });
    OK(nppiMulC_32f_C3R_Ctx(a.device, a.step, k, d.device, d.step, d.size(), C));
    compare("MulC32f", d, [&](int x, int y, int c) { return a(x, y, c) * k[c]; });
    OK(nppiDivC_32f_C3IR_Ctx(k, d.device, d.step, d.size(), C));
    compare("DivC32f", d, [&](int x, int y, int c) { return a(x, y, c) * k[c] / k[c]; }, 1e-6);
    OK(nppiAbs_32f_C3R_Ctx(a.device, a.step, d.device, d.step, d.size(), C));
    compare("Abs32f", d, [&](int x, int y, int c) { return std::fabs(a(x, y, c)); });
    OK(nppiSqrt_32f_C3IR_Ctx(d.device, d.step, d.size(), C));
    compare("Sqrt32f", d, [&](int x, int y, int c) { return std::sqrt(std::fabs(a(x, y, c))); }, 1e-6);
    OK(nppiExp_32f_C3R_Ctx(d.device, d.step, d.device, d.step, d.size(), C));
    compare("Exp32f", d, [&](int x, int y, int c) { return std::exp(std::sqrt(std::fabs(a(x, y, c)))); }, 1e-5);
    OK(nppiLn_32f_C3IR_Ctx(d.device, d.step, d.size(), C));
    compare("Ln32f", d, [&](int x, int y, int c) { return std::sqrt(std::fabs(a(x, y, c))); }, 1e-5);
}
static void unary()
{
    for (int sf : {0, 2, -3}) {
        image<Npp8u> a(W, H, 1), d(W, H, 1, false);
        double k = std::ldexp(1, -sf);
        OK(nppiSqr_8u_C1RSfs_Ctx(a.device, a.step, d.device, d.step, d.size(), sf, C));
        compare("Sqr", d, [&](int x, int y, int) { return (double)nearest<Npp8u>((double)a(x, y) * a(x, y) * k); });
        OK(nppiSqrt_8u_C1RSfs_Ctx(a.device, a.step, d.device, d.step, d.size(), sf, C));
        compare("Sqrt", d, [&](int x, int y, int) { return (double)nearest<Npp8u>(std::sqrt((double)a(x, y)) * k); });
        OK(nppiLn_8u_C1RSfs_Ctx(a.device, a.step, d.device, d.step, d.size(), sf, C));
        compare("Ln", d,
                [&](int x, int y, int) { return (double)nearest<Npp8u>(a(x, y) ? std::log((double)a(x, y)) * k : 0); });
        OK(nppiExp_8u_C1RSfs_Ctx(a.device, a.step, d.device, d.step, d.size(), sf, C));
        compare("Exp", d, [&](int x, int y, int) { return (double)nearest<Npp8u>(std::exp((double)a(x, y)) * k); });
    }
    image<Npp16s> a(W, H, 4), d(W, H, 4, false);
    OK(nppiAbs_16s_AC4R_Ctx(a.device, a.step, d.device, d.step, d.size(), C));
    compare("Abs", d, [&](int x, int y, int c) { return std::min(std::abs((int)a(x, y, c)), 32767); }, 0, 3);
}
static void logic()
{
    image<Npp8u> a(W, H, 4), b(W, H, 4), d(W, H, 4, false);
    Npp8u k[4] = {0x5a, 0xf0, 3, 0xff};
    Npp32u shift[3] = {1, 9, 4};
    OK(nppiAnd_8u_AC4R_Ctx(a.device, a.step, b.device, b.step, d.device, d.step, d.size(), C));
    compare("And", d, [&](int x, int y, int c) { return a(x, y, c) & b(x, y, c); }, 0, 3);
    OK(nppiXorC_8u_C4R_Ctx(a.device, a.step, k, d.device, d.step, d.size(), C));
    compare("XorC", d, [&](int x, int y, int c) { return a(x, y, c) ^ k[c]; });
    OK(nppiNot_8u_C4R_Ctx(a.device, a.step, d.device, d.step, d.size(), C));
    compare("Not", d, [&](int x, int y, int c) { return 255 - a(x, y, c); });
    image<Npp16s> s(W, H, 3), t(W, H, 3, false);
    OK(nppiRShiftC_16s_C3R_Ctx(s.device, s.step, shift, t.device, t.step, t.size(), C));
    compare("RShiftC", t, [&](int x, int y, int c) { return s(x, y, c) >> shift[c]; });
    image<Npp16u> u(W, H, 3), v(W, H, 3, false);
    OK(nppiLShiftC_16u_C3R_Ctx(u.device, u.step, shift, v.device, v.step, v.size(), C));
    compare("LShiftC", v, [&](int x, int y, int c) { return (u(x, y, c) << shift[c]) & 0xffff; });
    OK(nppiAbsDiff_8u_C4R_Ctx(a.device, a.step, b.device, b.step, d.device, d.step, d.size(), C));
    compare("AbsDiff", d, [&](int x, int y, int c) { return std::abs(a(x, y, c) - b(x, y, c)); });
}
static void complex_numbers()
{
    enum { N = 9 };
    Npp16sc a[N], b[N], d[N], *da, *db, *dd, k = {-3, 5};
    for (int i = 0; i < N; i++) {
        a[i] = {(Npp16s)(draw() % 400 - 200), (Npp16s)(draw() % 400 - 200)};
        b[i] = {(Npp16s)(draw() % 400 - 200), (Npp16s)(draw() % 400 - 200)};
    }
    cudaMalloc((void **)&da, sizeof a);
    cudaMalloc((void **)&db, sizeof a);
    cudaMalloc((void **)&dd, sizeof a);
    cudaMemcpy(da, a, sizeof a, cudaMemcpyHostToDevice);
    cudaMemcpy(db, b, sizeof a, cudaMemcpyHostToDevice);
    OK(nppiMul_16sc_C1RSfs_Ctx(da, sizeof a, db, sizeof a, dd, sizeof a, {N, 1}, 3, C));
    cudaDeviceSynchronize();
    cudaMemcpy(d, dd, sizeof a, cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; i++)
        CHECK(d[i].re == nearest<Npp16s>((a[i].re * b[i].re - a[i].im * b[i].im) / 8.0) &&
              d[i].im == nearest<Npp16s>((a[i].re * b[i].im + a[i].im * b[i].re) / 8.0));
    OK(nppiAddC_16sc_C1RSfs_Ctx(da, sizeof a, k, dd, sizeof a, {N, 1}, 1, C));
    cudaDeviceSynchronize();
    cudaMemcpy(d, dd, sizeof a, cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; i++)
        CHECK(d[i].re == nearest<Npp16s>((a[i].re - 3) / 2.0) && d[i].im == nearest<Npp16s>((a[i].im + 5) / 2.0));
    cudaFree(da);
    cudaFree(db);
    cudaFree(dd);
}
static void growing_sums()
{
    image<Npp8u> a(W, H, 1), b(W, H, 1), mask(W, H, 1);
    for (auto &v : mask.host)
        v = draw() % 2 ? 0 : 9;
    mask.put();
    image<Npp32f> s(W, H, 1), t(s), u(s);
    OK(nppiAddSquare_8u32f_C1IR_Ctx(a.device, a.step, s.device, s.step, s.size(), C));
    compare("AddSquare", s, [&](int x, int y, int) { return (float)(s(x, y) + (double)a(x, y) * a(x, y)); }, 1e-6);
    OK(nppiAddProduct_8u32f_C1IMR_Ctx(a.device, a.step, b.device, b.step, mask.device, mask.step, t.device, t.step,
                                      t.size(), C));
    compare(
        "AddProduct", t,
        [&](int x, int y, int) { return mask(x, y) ? (float)(t(x, y) + (double)a(x, y) * b(x, y)) : t(x, y); }, 1e-6);
    OK(nppiAddWeighted_8u32f_C1IR_Ctx(a.device, a.step, u.device, u.step, u.size(), 0.25f, C));
    compare("AddWeighted", u, [&](int x, int y, int) { return a(x, y) * 0.25 + u(x, y) * 0.75; }, 1e-6);
}
static void thresholds()
{
    image<Npp16s> a(W, H, 4), d(W, H, 4, false);
    Npp16s t[3] = {100, -5, 3000}, v[3] = {1, 2, 3}, t2[3] = {200, 5, 9000}, v2[3] = {7, 8, 9};
    OK(nppiThreshold_LT_16s_AC4R_Ctx(a.device, a.step, d.device, d.step, d.size(), t, C));
    compare("LT", d, [&](int x, int y, int c) { return std::max(a(x, y, c), t[c]); }, 0, 3);
    OK(nppiThreshold_GTVal_16s_AC4R_Ctx(a.device, a.step, d.device, d.step, d.size(), t, v, C));
    compare("GTVal", d, [&](int x, int y, int c) { return a(x, y, c) > t[c] ? v[c] : a(x, y, c); }, 0, 3);
    OK(nppiThreshold_LTValGTVal_16s_AC4R_Ctx(a.device, a.step, d.device, d.step, d.size(), t, v, t2, v2, C));
    compare(
        "LTValGTVal", d,
        [&](int x, int y, int c) { return a(x, y, c) < t[c]    ? v[c]
                                          : a(x, y, c) > t2[c] ? v2[c]
                                                               : a(x, y, c); }, 0, 3);
    OK(nppiThreshold_Val_16s_AC4R_Ctx(a.device, a.step, d.device, d.step, d.size(), t, v, NPP_CMP_LESS, C));
    compare("Val", d, [&](int x, int y, int c) { return a(x, y, c) < t[c] ? v[c] : a(x, y, c); }, 0, 3);
    WANT(nppiThreshold_16s_AC4R_Ctx(a.device, a.step, d.device, d.step, d.size(), t, NPP_CMP_EQ, C),
         NPP_NOT_SUPPORTED_MODE_ERROR);
    image<Npp8u> r(W, H, 1, false);
    image<Npp8u> p(W, H, 3), q(p);
    for (size_t i = 0; i < q.host.size(); i += 7)
        q.host[i]++;
    q.put();
    OK(nppiCompare_8u_C3R_Ctx(p.device, p.step, q.device, q.step, r.device, r.step, r.size(), NPP_CMP_EQ, C));
    compare("Compare", r, [&](int x, int y, int) {
        return p(x, y, 0) == q(x, y, 0) && p(x, y, 1) == q(x, y, 1) && p(x, y, 2) == q(x, y, 2) ? 255 : 0;
    });
    OK(nppiCompareC_16s_AC4R_Ctx(a.device, a.step, t, r.device, r.step, r.size(), NPP_CMP_GREATER_EQ, C));
    compare("CompareC", r, [&](int x, int y, int) {
        return a(x, y, 0) >= t[0] && a(x, y, 1) >= t[1] && a(x, y, 2) >= t[2] ? 255 : 0;
    });
}
// NVIDIA's library multiplies by alpha with eight places, so that a colour is up to two away.
static void alpha()
{
    image<Npp8u> a(W, H, 4), b(W, H, 4), d(W, H, 4, false);
    auto over = [&](int x, int y, int c) {
        double p = a(x, y, 3) / 255.0, q = b(x, y, 3) / 255.0;
        return c < 3 ? a(x, y, c) * p + b(x, y, c) * q * (1 - p) : 255 * (p + q * (1 - p));
    };
    OK(nppiAlphaComp_8u_AC4R_Ctx(a.device, a.step, b.device, b.step, d.device, d.step, d.size(), NPPI_OP_ALPHA_OVER,
                                 C));
    compare("AlphaComp", d, over, 2.5);
    OK(nppiAlphaCompC_8u_C4R_Ctx(a.device, a.step, 100, b.device, b.step, 200, d.device, d.step, d.size(),
                                 NPPI_OP_ALPHA_XOR_PREMUL, C));
    compare(
        "AlphaCompC", d,
        [&](int x, int y, int c) { return std::min(255.0, a(x, y, c) * (55 / 255.0) + b(x, y, c) * (155 / 255.0)); },
        3);
    OK(nppiAlphaPremul_8u_AC4R_Ctx(a.device, a.step, d.device, d.step, d.size(), C));
    OK(nppiAlphaPremulC_8u_C4R_Ctx(a.device, a.step, 77, d.device, d.step, d.size(), C));
    compare("AlphaPremulC", d, [&](int x, int y, int c) { return a(x, y, c) * 77 / 255.0; }, 1.5);
}

int main()
{
    sums();
    quotients();
    floats();
    unary();
    logic();
    complex_numbers();
    growing_sums();
    thresholds();
    alpha();
    return summary();
}
