// SPDX-License-Identifier: Apache-2.0
// Signals, as long as several rows of what they are cut into.
#include "image.h"

static const NppStreamContext C = context();
enum { N = 40007 };

template <class T> struct line {
    std::vector<T> host;
    T *device = nullptr;
    explicit line(size_t n = N, bool fill = true) : host(n)
    {
        for (auto &v : host)
            v = fill ? number<T>() : (T)77;
        cudaMalloc((void **)&device, n * sizeof(T));
        cudaMemcpy(device, host.data(), n * sizeof(T), cudaMemcpyHostToDevice);
    }
    ~line()
    {
        cudaFree(device);
    }
    std::vector<T> get() const
    {
        std::vector<T> v(host.size());
        cudaDeviceSynchronize();
        cudaMemcpy(v.data(), device, v.size() * sizeof(T), cudaMemcpyDeviceToHost);
        return v;
    }
};
template <class T>
static void same(const char *what, const line<T> &d, std::function<double(size_t)> want, double away = 0, size_t n = N)
{
    std::vector<T> got = d.get();
    bool ok = true;
    for (size_t i = 0; i < got.size() && ok; i++) {
        double w = i < n ? want(i) : (double)d.host[i];
        ok = std::fabs((double)got[i] - w) <= away * (1 + std::fabs(w));
        if (!ok)
            printf("%s: %zu is %.9g and not %.9g\n", what, i, (double)got[i], w);
    }
    CHECK(ok);
}
static void arithmetic()
{
    line<Npp16s> a, b, d(N + 3, false);
    OK(nppsAdd_16s_Sfs_Ctx(a.device, b.device, d.device, N, 1, C));
    same("Add", d, [&](size_t i) { return nearest<Npp16s>((a.host[i] + b.host[i]) / 2.0); });
    OK(nppsMulC_16s_Sfs_Ctx(a.device, 3, d.device, N, 2, C));
    same("MulC", d, [&](size_t i) { return nearest<Npp16s>(a.host[i] * 3 / 4.0); });
    OK(nppsAbs_16s_Ctx(a.device, d.device, N, C));
    same("Abs", d, [&](size_t i) { return std::min(std::abs((int)a.host[i]), 32767); });
    line<Npp32f> f, g(N, false);
    OK(nppsSubCRev_32f_Ctx(f.device, 5, g.device, N, C));
    same("SubCRev", g, [&](size_t i) { return 5 - f.host[i]; });
    line<Npp32f> h;
    OK(nppsSub_32f_Ctx(f.device, h.device, g.device, N, C));
    same("Sub", g, [&](size_t i) { return h.host[i] - f.host[i]; });
    OK(nppsSub_32f_I_Ctx(f.device, g.device, N, C));
    same("Sub I", g, [&](size_t i) { return h.host[i] - f.host[i] - f.host[i]; });
    OK(nppsSubCRev_32f_Ctx(f.device, 5, g.device, N, C));
    OK(nppsMulC_32f_I_Ctx(2, g.device, N, C));
    same("MulC I", g, [&](size_t i) { return 2 * (5 - f.host[i]); });
    OK(nppsArctan_32f_Ctx(f.device, g.device, N, C));
    same("Arctan", g, [&](size_t i) { return std::atan((double)f.host[i]); }, 1e-6);
    line<Npp64f> p, q(N, false);
    OK(nppsSqr_64f_Ctx(p.device, q.device, N, C));
    same("Sqr", q, [&](size_t i) { return p.host[i] * p.host[i]; });
    line<Npp32u> u, v(N, false);
    OK(nppsXorC_32u_Ctx(u.device, 0xf0f0, v.device, N, C));
    same("XorC", v, [&](size_t i) { return u.host[i] ^ 0xf0f0; });
    OK(nppsRShiftC_32u_Ctx(u.device, 5, v.device, N, C));
    same("RShiftC", v, [&](size_t i) { return u.host[i] >> 5; });
    OK(nppsThreshold_GTVal_32f_Ctx(f.device, g.device, N, 10, -1, C));
    same("GTVal", g, [&](size_t i) { return f.host[i] > 10 ? -1 : f.host[i]; });
}
static void moves()
{
    line<Npp64s> d(N + 3, false), e(N, false);
    OK(nppsSet_64s_Ctx(1234567890123ll, d.device, N, C));
    same("Set", d, [&](size_t) { return 1234567890123.0; });
    OK(nppsCopy_64s_Ctx(d.device, e.device, N, C));
    same("Copy", e, [&](size_t) { return 1234567890123.0; });
    OK(nppsZero_64s_Ctx(e.device, N - 1, C));
    same("Zero", e, [&](size_t i) { return i < N - 1 ? 0 : 1234567890123.0; });
    line<Npp32f> f;
    line<Npp16s> s(N, false);
    OK(nppsConvert_32f16s_Sfs_Ctx(f.device, s.device, N, NPP_RND_ZERO, -1, C));
    same("Convert", s, [&](size_t i) { return nearest<Npp16s>(std::trunc(f.host[i] * 2.0)); });
    line<Npp32s> i, t(N, false);
    for (auto &v : i.host)
        v %= 1000;
    cudaMemcpy(i.device, i.host.data(), N * 4, cudaMemcpyHostToDevice);
    size_t bytes = 0;
    OK(nppsIntegralGetBufferSize_32s(N, &bytes));
    Npp8u *buffer;
    cudaMalloc((void **)&buffer, bytes);
    OK(nppsIntegral_32s_Ctx(i.device, t.device, N, buffer, C));
    std::vector<double> sums(N);
    for (size_t k = 0; k < N; k++)
        sums[k] = (k ? sums[k - 1] : 0) + i.host[k];
    same("Integral", t, [&](size_t k) { return sums[k]; });
    cudaFree(buffer);
}
static void statistics()
{
    line<Npp32f> f, g;
    size_t bytes = 0;
    OK(nppsMeanStdDevGetBufferSize_32f_Ctx(N, &bytes, C));
    Npp8u *buffer;
    cudaMalloc((void **)&buffer, bytes + 65536);
    result<Npp32f> r(8);
    result<int> at(2);
    double sum = 0, square = 0, dot = 0, l1 = 0;
    for (size_t i = 0; i < N; i++) {
        sum += f.host[i];
        dot += (double)f.host[i] * g.host[i];
        l1 += std::fabs((double)f.host[i] - g.host[i]);
    }
    for (size_t i = 0; i < N; i++)
        square += (f.host[i] - sum / N) * (f.host[i] - sum / N);
    OK(nppsSum_32f_Ctx(f.device, N, r.device, buffer, C));
    OK(nppsMeanStdDev_32f_Ctx(f.device, N, r.device + 1, r.device + 2, buffer, C));
    OK(nppsDotProd_32f_Ctx(f.device, g.device, N, r.device + 3, buffer, C));
    OK(nppsNormDiff_L1_32f_Ctx(f.device, g.device, N, r.device + 4, buffer, C));
    CHECK(close_to(r[0], sum, 1e-5) && close_to(r[1], sum / N, 1e-5) &&
          close_to(r[2], std::sqrt(square / (N - 1)), 1e-5));
    CHECK(close_to(r[3], dot, 1e-5) && close_to(r[4], l1, 1e-5));
    line<Npp16s> s;
    for (auto &v : s.host)
        v = (Npp16s)(v / 2);
    s.host[33333] = 30000;
    cudaMemcpy(s.device, s.host.data(), N * 2, cudaMemcpyHostToDevice);
    result<Npp16s> m(2);
    OK(nppsMaxIndx_16s_Ctx(s.device, N, m.device, at.device, buffer, C));
    CHECK(m[0] == 30000 && at[0] == 33333);
    cudaFree(buffer);
    Npp16s few[12] = {-3, -2, -1, 0, 1, 2, 3, 4, 5, 6, 7, 8};
    cudaMemcpy(s.device, few, sizeof few, cudaMemcpyHostToDevice);
    cudaMalloc((void **)&buffer, 65536);
    OK(nppsSum_16s_Sfs_Ctx(s.device, 12, m.device, 2, buffer, C));
    CHECK(m[0] == 8); // 30 / 4 is 7.5
    cudaFree(buffer);
}
static void calls()
{
    Npp32f *p = nppsMalloc_32f(100);
    CHECK(p != nullptr);
    WANT(nppsAdd_32f_Ctx(nullptr, p, p, 10, C), NPP_NULL_POINTER_ERROR);
    OK(nppsSet_32f_Ctx(1, p, 100, C));
    cudaDeviceSynchronize();
    nppsFree(p);
    CHECK(nppsMalloc_8u(0) == nullptr);
}

int main()
{
    arithmetic();
    moves();
    statistics();
    calls();
    return summary();
}
