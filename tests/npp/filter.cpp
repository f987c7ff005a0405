// SPDX-License-Identifier: Apache-2.0
// Filters and morphology against plain loops, within an image and with borders.
#include "image.h"
#include <algorithm>

static const NppStreamContext C = context();
enum { W = 97, H = 23, EDGE = 4 }; // the region lies EDGE pixels inside, where there is no border

template <class T> struct source {
    image<T> whole;
    explicit source(int channels) : whole(W + 2 * EDGE, H + 2 * EDGE, channels) {}
    T *device() const
    {
        return whole.pixel(EDGE, EDGE);
    }
    double at(int x, int y, int c) const
    {
        return (double)whole(x + EDGE, y + EDGE, c);
    }
    double edge(int x, int y, int c) const // of the whole image as the source, pixels outside repeated
    {
        return (double)whole(std::min(std::max(x, 0), whole.width - 1), std::min(std::max(y, 0), whole.height - 1), c);
    }
};
// What a kernel makes of a pixel: a convolution.
template <class F> static double convolve(F at, const double *k, int w, int h, int ax, int ay, int x, int y, int c)
{
    double sum = 0;
    for (int j = 0; j < h; j++)
        for (int i = 0; i < w; i++)
            sum += k[j * w + i] * at(x + ax - i, y + ay - j, c);
    return sum;
}
template <class T> static T *device_copy(const std::vector<T> &v)
{
    T *p;
    cudaMalloc((void **)&p, v.size() * sizeof(T));
    cudaMemcpy(p, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice);
    return p;
}
#define AT    [&](int p, int q, int k_) { return s.at(p, q, k_); }
#define EDGED [&](int p, int q, int k_) { return s.edge(p, q, k_); }

static void boxes()
{
    source<Npp8u> s(3);
    image<Npp8u> d(W, H, 3, false), e(W + 2 * EDGE, H + 2 * EDGE, 3, false);
    auto window = [&](auto at, int x, int y, int c, int w, int h, int ax, int ay) {
        double sum = 0;
        for (int j = 0; j < h; j++)
            for (int i = 0; i < w; i++)
                sum += at(x - ax + i, y - ay + j, c);
        return std::floor(sum / (w * h));
    };
    OK(nppiFilterBox_8u_C3R_Ctx(s.device(), s.whole.step, d.device, d.step, d.size(), {5, 3}, {1, 2}, C));
    compare("Box", d, [&](int x, int y, int c) { return window(AT, x, y, c, 5, 3, 1, 2); });
    OK(nppiFilterBoxBorder_8u_C3R_Ctx(s.whole.device, s.whole.step, s.whole.size(), {0, 0}, e.device, e.step, e.size(),
                                      {3, 5}, {1, 2}, NPP_BORDER_REPLICATE, C));
    compare("BoxBorder", e, [&](int x, int y, int c) { return window(EDGED, x, y, c, 3, 5, 1, 2); });
    source<Npp16s> t(1);
    image<Npp32f> f(W, H, 1, false);
    OK(nppiSumWindowRow_16s32f_C1R_Ctx(t.device(), t.whole.step, f.device, f.step, f.size(), 5, 2, C));
    compare(
        "SumWindowRow", f,
        [&](int x, int y, int) {
            return t.at(x - 2, y, 0) + t.at(x - 1, y, 0) + t.at(x, y, 0) + t.at(x + 1, y, 0) + t.at(x + 2, y, 0);
        },
        1e-6);
}
static void kernels()
{
    source<Npp8u> s(4);
    image<Npp8u> d(W, H, 4, false);
    std::vector<Npp32s> ki = {1, 2, 3, 4, 5, 6};
    std::vector<Npp32f> kf = {0.125f, 0.25f, 0.0625f, 0.5f, -0.25f, 0.125f};
    Npp32s *di = device_copy(ki);
    Npp32f *df = device_copy(kf);
    double k[6], l[6];
    for (int i = 0; i < 6; i++) {
        k[i] = ki[i];
        l[i] = (double)kf[i];
    }
    OK(nppiFilter_8u_AC4R_Ctx(s.device(), s.whole.step, d.device, d.step, d.size(), di, {3, 2}, {1, 0}, 20, C));
    compare(
        "Filter", d, [&](int x, int y, int c) { return (double)cut<Npp8u>(convolve(AT, k, 3, 2, 1, 0, x, y, c) / 20); },
        0, 3);
    OK(nppiFilter32f_8u_C4R_Ctx(s.device(), s.whole.step, d.device, d.step, d.size(), df, {2, 3}, {0, 2}, C));
    compare("Filter32f", d,
            [&](int x, int y, int c) { return (double)cut<Npp8u>(convolve(AT, l, 2, 3, 0, 2, x, y, c)); });
    OK(nppiFilterRow_8u_C4R_Ctx(s.device(), s.whole.step, d.device, d.step, d.size(), di, 3, 0, 5, C));
    compare("FilterRow", d,
            [&](int x, int y, int c) { return (double)cut<Npp8u>(convolve(AT, k, 3, 1, 0, 0, x, y, c) / 5); });
    OK(nppiFilterColumn32f_8u_C4R_Ctx(s.device(), s.whole.step, d.device, d.step, d.size(), df, 3, 2, C));
    compare("FilterColumn32f", d,
            [&](int x, int y, int c) { return (double)cut<Npp8u>(convolve(AT, l, 1, 3, 0, 2, x, y, c)); });
    WANT(nppiFilter_8u_C4R_Ctx(s.device(), s.whole.step, d.device, d.step, d.size(), di, {0, 2}, {0, 0}, 20, C),
         NPP_MASK_SIZE_ERROR);
    cudaDeviceSynchronize();
    cudaFree(di);
    cudaFree(df);
}
static void fixed()
{
    source<Npp16s> s(1);
    source<Npp32f> f(3);
    source<Npp8u> b(1);
    image<Npp16s> d(W, H, 1, false);
    image<Npp32f> e(W, H, 3, false);
    image<Npp8u> g(W, H, 1, false);
    static const double sobel[9] = {1, 2, 1, 0, 0, 0, -1, -2, -1}, vert[9] = {1, 0, -1, 2, 0, -2, 1, 0, -1},
                        laplace[9] = {-1, -1, -1, -1, 8, -1, -1, -1, -1};
    OK(nppiFilterSobelHoriz_16s_C1R_Ctx(s.device(), s.whole.step, d.device, d.step, d.size(), C));
    compare("SobelHoriz", d,
            [&](int x, int y, int c) { return (double)cut<Npp16s>(convolve(AT, sobel, 3, 3, 1, 1, x, y, c)); });
    OK(nppiFilterSobelVert_32f_C3R_Ctx(f.device(), f.whole.step, e.device, e.step, e.size(), C));
    compare(
        "SobelVert", e,
        [&](int x, int y, int c) {
            return convolve([&](int p, int q, int r) { return f.at(p, q, r); }, vert, 3, 3, 1, 1, x, y, c);
        },
        1e-5);
    OK(nppiFilterLaplace_16s_C1R_Ctx(s.device(), s.whole.step, d.device, d.step, d.size(), NPP_MASK_SIZE_3_X_3, C));
    compare("Laplace", d,
            [&](int x, int y, int c) { return (double)cut<Npp16s>(convolve(AT, laplace, 3, 3, 1, 1, x, y, c)); });
    double gauss[25], all = 0;
    for (int j = 0; j < 5; j++)
        for (int i = 0; i < 5; i++)
            all += gauss[j * 5 + i] = std::exp(-((i - 2) * (i - 2) + (j - 2) * (j - 2)) / (2 * 1.4 * 1.4));
    for (double &v : gauss)
        v /= all;
    OK(nppiFilterGauss_32f_C3R_Ctx(f.device(), f.whole.step, e.device, e.step, e.size(), NPP_MASK_SIZE_5_X_5, C));
    compare(
        "Gauss", e,
        [&](int x, int y, int c) {
            return convolve([&](int p, int q, int r) { return f.at(p, q, r); }, gauss, 5, 5, 2, 2, x, y, c);
        },
        1e-5);
    OK(nppiFilterGauss_8u_C1R_Ctx(b.device(), b.whole.step, g.device, g.step, g.size(), NPP_MASK_SIZE_5_X_5, C));
    compare(
        "Gauss8u", g,
        [&](int x, int y, int c) {
            return std::floor(convolve([&](int p, int q, int r) { return b.at(p, q, r); }, gauss, 5, 5, 2, 2, x, y, c) +
                              1e-7);
        },
        1);
    WANT(nppiFilterLaplace_16s_C1R_Ctx(s.device(), s.whole.step, d.device, d.step, d.size(), NPP_MASK_SIZE_7_X_7, C),
         NPP_MASK_SIZE_ERROR);
}
static void ranks()
{
    source<Npp8u> s(3);
    image<Npp8u> d(W, H, 3, false), e(W + 2 * EDGE, H + 2 * EDGE, 3, false);
    Npp32u bytes = 0;
    OK(nppiFilterMedianGetBufferSize_8u_C3R_Ctx(d.size(), {3, 5}, &bytes, C));
    Npp8u *buffer;
    cudaMalloc((void **)&buffer, bytes + 16);
    auto sorted = [&](auto at, int x, int y, int c, int w, int h, int ax, int ay) {
        std::vector<double> v;
        for (int j = 0; j < h; j++)
            for (int i = 0; i < w; i++)
                v.push_back(at(x - ax + i, y - ay + j, c));
        std::sort(v.begin(), v.end());
        return v;
    };
    OK(nppiFilterMedian_8u_C3R_Ctx(s.device(), s.whole.step, d.device, d.step, d.size(), {3, 5}, {1, 2}, buffer, C));
    compare("Median", d, [&](int x, int y, int c) { return sorted(AT, x, y, c, 3, 5, 1, 2)[7]; });
    OK(nppiFilterMedian_8u_C3R_Ctx(s.device(), s.whole.step, d.device, d.step, d.size(), {3, 3}, {1, 1}, buffer, C));
    compare("Median 3x3", d, [&](int x, int y, int c) { return sorted(AT, x, y, c, 3, 3, 1, 1)[4]; });
    OK(nppiFilterMax_8u_C3R_Ctx(s.device(), s.whole.step, d.device, d.step, d.size(), {4, 3}, {0, 2}, C));
    compare("Max", d, [&](int x, int y, int c) { return sorted(AT, x, y, c, 4, 3, 0, 2).back(); });
    OK(nppiErode3x3_8u_C3R_Ctx(s.device(), s.whole.step, d.device, d.step, d.size(), C));
    compare("Erode3x3", d, [&](int x, int y, int c) { return sorted(AT, x, y, c, 3, 3, 1, 1)[0]; });
    OK(nppiDilate3x3Border_8u_C3R_Ctx(s.whole.device, s.whole.step, s.whole.size(), {0, 0}, e.device, e.step, e.size(),
                                      NPP_BORDER_REPLICATE, C));
    compare("Dilate3x3Border", e, [&](int x, int y, int c) { return sorted(EDGED, x, y, c, 3, 3, 1, 1)[8]; });
    std::vector<Npp8u> mask = {1, 0, 1, 0, 1, 1};
    Npp8u *m = device_copy(mask);
    OK(nppiDilate_8u_C3R_Ctx(s.device(), s.whole.step, d.device, d.step, d.size(), m, {3, 2}, {1, 0}, C));
    compare("Dilate", d, [&](int x, int y, int c) {
        double v = 0;
        for (int i = 0; i < 6; i++)
            v = mask[i] ? std::max(v, s.at(x - 1 + i % 3, y + i / 3, c)) : v;
        return v;
    });
    WANT(nppiDilate3x3Border_8u_C3R_Ctx(s.whole.device, s.whole.step, s.whole.size(), {0, 0}, e.device, e.step,
                                        e.size(), NPP_BORDER_WRAP, C),
         NPP_NOT_SUPPORTED_MODE_ERROR);
    cudaDeviceSynchronize();
    cudaFree(buffer);
    cudaFree(m);
}

int main()
{
    boxes();
    kernels();
    fixed();
    ranks();
    return summary();
}
