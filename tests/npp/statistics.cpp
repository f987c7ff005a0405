// SPDX-License-Identifier: Apache-2.0
// Sums, means, norms, extremes, errors, histograms and integrals.
#include "image.h"

static const NppStreamContext C = context();
enum { W = 203, H = 150 };

struct buffer {
    Npp8u *device = nullptr;
    explicit buffer(size_t bytes)
    {
        cudaMalloc((void **)&device, bytes);
    }
    ~buffer()
    {
        cudaFree(device);
    }
};
template <class T> static double over(const image<T> &a, int c, std::function<double(double)> f)
{
    double sum = 0;
    for (int y = 0; y < a.height; y++)
        for (int x = 0; x < a.width; x++)
            sum += f((double)a(x, y, c));
    return sum;
}
static void sums()
{
    image<Npp8u> a(W, H, 4), m(W, H, 1);
    size_t bytes = 0;
    OK(nppiSumGetBufferHostSize_8u_C4R_Ctx(a.size(), &bytes, C));
    buffer b(bytes);
    result<Npp64f> r(8);
    OK(nppiSum_8u_C4R_Ctx(a.device, a.step, a.size(), b.device, r.device, C));
    for (int c = 0; c < 4; c++)
        CHECK(r[c] == over(a, c, [](double v) { return v; }));
    OK(nppiMeanGetBufferHostSize_8u_AC4R_Ctx(a.size(), &bytes, C));
    buffer b2(bytes);
    OK(nppiMean_8u_AC4R_Ctx(a.device, a.step, a.size(), b2.device, r.device, C));
    for (int c = 0; c < 3; c++)
        CHECK(close_to(r[c], over(a, c, [](double v) { return v; }) / (W * H)));
    image<Npp32f> f(W, H, 1);
    OK(nppiMeanStdDevGetBufferHostSize_32f_C1R_Ctx(f.size(), &bytes, C));
    buffer b3(bytes);
    OK(nppiMean_StdDev_32f_C1R_Ctx(f.device, f.step, f.size(), b3.device, r.device, r.device + 1, C));
    double mean = over(f, 0, [](double v) { return v; }) / (W * H),
           square = over(f, 0, [&](double v) { return (v - mean) * (v - mean); }) / (W * H);
    CHECK(close_to(r[0], mean, 1e-5) && close_to(r[1], std::sqrt(square), 1e-5));
    for (auto &v : m.host)
        v = draw() % 3 ? 255 : 0;
    m.put();
    image<Npp8u> q(W, H, 3);
    OK(nppiMeanGetBufferHostSize_8u_C3CMR_Ctx(q.size(), &bytes, C));
    buffer b4(bytes);
    OK(nppiMean_8u_C3CMR_Ctx(q.device, q.step, m.device, m.step, q.size(), 2, b4.device, r.device, C));
    double sum = 0, n = 0;
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++)
            if (m(x, y)) {
                sum += q(x, y, 1);
                n++;
            }
    CHECK(close_to(r[0], sum / n));
    WANT(nppiMean_8u_C3CMR_Ctx(q.device, q.step, m.device, m.step, q.size(), 4, b4.device, r.device, C), NPP_COI_ERROR);
}
static void extremes()
{
    image<Npp16s> a(W, H, 3);
    a.host[a.at(77, 99, 1)] = -32768;
    a.host[a.at(78, 99, 1)] = -32768;
    for (auto &v : a.host)
        v = v == -32768 && draw() % 2 ? (Npp16s)-32767 : v;
    a.put();
    size_t bytes = 0;
    OK(nppiMinMaxGetBufferHostSize_16s_C3R_Ctx(a.size(), &bytes, C));
    buffer b(bytes);
    result<Npp16s> low(4), high(4);
    result<int> ix(4), iy(4);
    OK(nppiMinMax_16s_C3R_Ctx(a.device, a.step, a.size(), low.device, high.device, b.device, C));
    for (int c = 0; c < 3; c++) {
        double least = 1e9, greatest = -1e9;
        over(a, c, [&](double v) { return least = std::min(least, v), greatest = std::max(greatest, v); });
        CHECK(low[c] == least && high[c] == greatest);
    }
    OK(nppiMaxIndxGetBufferHostSize_16s_C3R_Ctx(a.size(), &bytes, C));
    buffer b2(bytes);
    OK(nppiMaxIndx_16s_C3R_Ctx(a.device, a.step, a.size(), b2.device, high.device, ix.device, iy.device, C));
    for (int c = 0; c < 3; c++)
        CHECK(a(ix[c], iy[c], c) == high[c]);
    image<Npp32f> f(W, H, 1);
    f.host[f.at(200, 149)] = 9000;
    f.host[f.at(3, 120)] = -9000;
    f.put();
    result<Npp32f> fl(2);
    NppiPoint *p;
    cudaMalloc((void **)&p, 2 * sizeof *p);
    OK(nppiMinMaxIndxGetBufferHostSize_32f_C1R_Ctx(f.size(), &bytes, C));
    buffer b3(bytes);
    OK(nppiMinMaxIndx_32f_C1R_Ctx(f.device, f.step, f.size(), fl.device, fl.device + 1, p, p + 1, b3.device, C));
    NppiPoint at[2];
    cudaDeviceSynchronize();
    cudaMemcpy(at, p, sizeof at, cudaMemcpyDeviceToHost);
    CHECK(fl[0] == -9000 && fl[1] == 9000 && at[0].x == 3 && at[0].y == 120 && at[1].x == 200 && at[1].y == 149);
    cudaFree(p);
}
static void norms()
{
    image<Npp16u> a(W, H, 1), b(W, H, 1);
    size_t bytes = 0;
    result<Npp64f> r(8);
    auto pairs = [&](std::function<double(double, double)> f) {
        double sum = 0;
        for (int y = 0; y < H; y++)
            for (int x = 0; x < W; x++)
                sum += f(a(x, y), b(x, y));
        return sum;
    };
    OK(nppiNormRelL2GetBufferHostSize_16u_C1R_Ctx(a.size(), &bytes, C));
    buffer buf(bytes + 65536);
    OK(nppiNorm_L1_16u_C1R_Ctx(a.device, a.step, a.size(), r.device, buf.device, C));
    OK(nppiNorm_L2_16u_C1R_Ctx(a.device, a.step, a.size(), r.device + 1, buf.device, C));
    OK(nppiNorm_Inf_16u_C1R_Ctx(a.device, a.step, a.size(), r.device + 2, buf.device, C));
    OK(nppiNormDiff_L1_16u_C1R_Ctx(a.device, a.step, b.device, b.step, a.size(), r.device + 3, buf.device, C));
    OK(nppiNormDiff_L2_16u_C1R_Ctx(a.device, a.step, b.device, b.step, a.size(), r.device + 4, buf.device, C));
    OK(nppiNormRel_L2_16u_C1R_Ctx(a.device, a.step, b.device, b.step, a.size(), r.device + 5, buf.device, C));
    OK(nppiDotProd_16u64f_C1R_Ctx(a.device, a.step, b.device, b.step, a.size(), r.device + 6, buf.device, C));
    OK(nppiAverageError_16u_C1R_Ctx(a.device, a.step, b.device, b.step, a.size(), r.device + 7, buf.device, C));
    double diff = pairs([](double x, double y) { return std::fabs(x - y); }),
           square = pairs([](double x, double y) { return (x - y) * (x - y); });
    CHECK(close_to(r[0], pairs([](double x, double) { return x; })));
    CHECK(close_to(r[1], std::sqrt(pairs([](double x, double) { return x * x; }))));
    CHECK(r[2] == 65535);
    CHECK(close_to(r[3], diff) && close_to(r[4], std::sqrt(square)));
    CHECK(close_to(r[5], std::sqrt(square / pairs([](double, double y) { return y * y; }))));
    CHECK(close_to(r[6], pairs([](double x, double y) { return x * y; })));
    CHECK(close_to(r[7], diff / (W * H)));
    result<int> count(3);
    image<Npp8u> q(W, H, 3);
    Npp8u low[3] = {3, 100, 0}, high[3] = {9, 200, 255};
    OK(nppiCountInRange_8u_C3R_Ctx(q.device, q.step, q.size(), count.device, low, high, buf.device, C));
    for (int c = 0; c < 3; c++)
        CHECK(count[c] == over(q, c, [&](double v) { return v >= low[c] && v <= high[c]; }));
}
static void histograms()
{
    image<Npp8u> a(W, H, 1);
    enum { LEVELS = 6 };
    Npp32s levels[LEVELS];
    size_t bytes = 0;
    OK(nppiEvenLevelsHost_32s(levels, LEVELS, 0, 250));
    CHECK(levels[1] == 50 && levels[5] == 250);
    OK(nppiHistogramEvenGetBufferSize_8u_C1R_Ctx(a.size(), LEVELS, &bytes, C));
    buffer b(bytes + 65536);
    result<Npp32s> h(LEVELS - 1);
    OK(nppiHistogramEven_8u_C1R_Ctx(a.device, a.step, a.size(), h.device, LEVELS, 0, 250, b.device, C));
    for (int i = 0; i < LEVELS - 1; i++)
        CHECK(h[i] == over(a, 0, [&](double v) { return v >= 50 * i && v < 50 * (i + 1); }));
    // levels that no even distance gives
    Npp32s uneven[8];
    OK(nppiEvenLevelsHost_32s(uneven, 8, 3, 220));
    CHECK(uneven[0] == 3 && uneven[7] == 220);
    result<Npp32s> seven(7);
    OK(nppiHistogramEven_8u_C1R_Ctx(a.device, a.step, a.size(), seven.device, 8, 3, 220, b.device, C));
    for (int i = 0; i < 7; i++)
        CHECK(seven[i] == over(a, 0, [&](double v) { return v >= uneven[i] && v < uneven[i + 1]; }));
    Npp32s own[LEVELS] = {0, 3, 4, 100, 101, 256}, *device;
    cudaMalloc((void **)&device, sizeof own);
    cudaMemcpy(device, own, sizeof own, cudaMemcpyHostToDevice);
    OK(nppiHistogramRange_8u_C1R_Ctx(a.device, a.step, a.size(), h.device, device, LEVELS, b.device, C));
    for (int i = 0; i < LEVELS - 1; i++)
        CHECK(h[i] == over(a, 0, [&](double v) { return v >= own[i] && v < own[i + 1]; }));
    cudaFree(device);
    WANT(nppiHistogramEven_8u_C1R_Ctx(a.device, a.step, a.size(), h.device, 1, 0, 250, b.device, C),
         NPP_HISTOGRAM_NUMBER_OF_LEVELS_ERROR);
    image<Npp32s> sum(W + 1, H + 1, 1, false);
    OK(nppiIntegral_8u32s_C1R_Ctx(a.device, a.step, sum.device, sum.step, a.size(), 5, C));
    std::vector<double> want((W + 1) * (H + 1));
    for (int y = 1; y <= H; y++)
        for (int x = 1; x <= W; x++)
            want[y * (W + 1) + x] = want[(y - 1) * (W + 1) + x] + want[y * (W + 1) + x - 1] -
                                    want[(y - 1) * (W + 1) + x - 1] + a(x - 1, y - 1);
    compare("Integral", sum, [&](int x, int y, int) { return want[y * (W + 1) + x] + 5; });
    image<Npp8u> i(W, H, 1), k(i);
    OK(nppiMaxEvery_8u_C1IR_Ctx(a.device, a.step, i.device, i.step, i.size(), C));
    compare("MaxEvery", i, [&](int x, int y, int) { return std::max(a(x, y), k(x, y)); });
}

int main()
{
    sums();
    extremes();
    norms();
    histograms();
    return summary();
}
