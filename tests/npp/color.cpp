// SPDX-License-Identifier: Apache-2.0
// Colours by the formulas of the documentation. What is computed is cut off, so that a number that is nearly whole may be one less: NVIDIA's library computes
// with floats.
#include "image.h"
#include <algorithm>

static const NppStreamContext C = context();
enum { W = 66, H = 10 };

struct colour {
    double v[3];
};
static double byte(double v)
{
    return std::trunc(std::min(std::max(v, 0.0), 255.0));
}
static colour to_yuv(double r, double g, double b)
{
    double y = 0.299 * r + 0.587 * g + 0.114 * b;
    return {{y, 0.492 * (b - y) + 128, 0.877 * (r - y) + 128}};
}
static colour from_yuv(double y, double u, double v)
{
    return {{y + 1.140 * (v - 128), y - 0.394 * (u - 128) - 0.581 * (v - 128), y + 2.032 * (u - 128)}};
}
static colour to_ycbcr(double r, double g, double b)
{
    return {{0.257 * r + 0.504 * g + 0.098 * b + 16, -0.148 * r - 0.291 * g + 0.439 * b + 128,
             0.439 * r - 0.368 * g - 0.071 * b + 128}};
}
static colour from_ycbcr(double y, double u, double v)
{
    y = 1.164 * (y - 16);
    return {{y + 1.596 * (v - 128), y - 0.392 * (u - 128) - 0.813 * (v - 128), y + 2.017 * (u - 128)}};
}
static colour to_hsv(double r, double g, double b)
{
    double high = std::max(r, std::max(g, b)), low = std::min(r, std::min(g, b)), d = high - low, h = 0;
    if (d > 0)
        h = (high == r ? (g - b) / d : high == g ? 2 + (b - r) / d : 4 + (r - g) / d) / 6;
    return {{(h < 0 ? h + 1 : h) * 255, high > 0 ? d / high * 255 : 0, high}};
}
static colour to_xyz(double r, double g, double b)
{
    return {{0.412453 * r + 0.35758 * g + 0.180423 * b, 0.212671 * r + 0.71516 * g + 0.072169 * b,
             0.019334 * r + 0.119193 * g + 0.950227 * b}};
}
#define EACH(name, f)                                                                                                  \
    {                                                                                                                  \
        image<Npp8u> a(W, H, 3), d(W, H, 3, false);                                                                    \
        OK(nppi##name##_8u_C3R_Ctx(a.device, a.step, d.device, d.step, d.size(), C));                                  \
        compare(#name, d, [&](int x, int y, int c) { return byte(f(a(x, y, 0), a(x, y, 1), a(x, y, 2)).v[c]); }, 1);   \
        image<Npp8u> b(W, H, 4), e(W, H, 4, false);                                                                    \
        OK(nppi##name##_8u_AC4R_Ctx(b.device, b.step, e.device, e.step, e.size(), C));                                 \
        compare(                                                                                                       \
            #name " AC4", e, [&](int x, int y, int c) { return byte(f(b(x, y, 0), b(x, y, 1), b(x, y, 2)).v[c]); }, 1, \
            3);                                                                                                        \
    }
static void pixels()
{
    EACH(RGBToYUV, to_yuv)
    EACH(YUVToRGB, from_yuv)
    EACH(RGBToYCbCr, to_ycbcr)
    EACH(YCbCrToRGB, from_ycbcr)
    EACH(RGBToHSV, to_hsv)
    EACH(RGBToXYZ, to_xyz)
}
// Spaces whose way back gives the colour again, as well as bytes can tell it.
static void there_and_back()
{
    image<Npp8u> a(W, H, 3), d(W, H, 3, false), e(W, H, 3, false);
    for (auto &v : a.host)
        v = (Npp8u)(60 + draw() % 140);
    a.put();
    OK(nppiRGBToHLS_8u_C3R_Ctx(a.device, a.step, d.device, d.step, d.size(), C));
    OK(nppiHLSToRGB_8u_C3R_Ctx(d.device, d.step, e.device, e.step, e.size(), C));
    compare("HLS", e, [&](int x, int y, int c) { return a(x, y, c); }, 6);
    OK(nppiBGRToLab_8u_C3R_Ctx(a.device, a.step, d.device, d.step, d.size(), C));
    OK(nppiLabToBGR_8u_C3R_Ctx(d.device, d.step, e.device, e.step, e.size(), C));
    compare("Lab", e, [&](int x, int y, int c) { return a(x, y, c); }, 9);
    OK(nppiRGBToLUV_8u_C3R_Ctx(a.device, a.step, d.device, d.step, d.size(), C));
    OK(nppiLUVToRGB_8u_C3R_Ctx(d.device, d.step, e.device, e.step, e.size(), C));
    compare("LUV", e, [&](int x, int y, int c) { return a(x, y, c); }, 12);
    // white and black
    Npp8u known[6] = {255, 255, 255, 0, 0, 0}, lab[6] = {};
    cudaMemcpy(a.device, known, 6, cudaMemcpyHostToDevice);
    OK(nppiBGRToLab_8u_C3R_Ctx(a.device, a.step, d.device, d.step, {2, 1}, C));
    cudaDeviceSynchronize();
    cudaMemcpy(lab, d.device, 6, cudaMemcpyDeviceToHost);
    CHECK(lab[0] >= 254 && std::abs(lab[1] - 128) <= 1 && std::abs(lab[2] - 128) <= 1 && lab[3] == 0);
}
// Chroma that pixels share: the mean of theirs, each of them cut off before.
static void shared()
{
    image<Npp8u> a(W, H, 3), py(W, H, 1, false), pu(W / 2, H / 2, 1, false), pv(pu), hu(W / 2, H, 1, false), hv(hu),
        packed(W, H, 2, false);
    auto mean = [&](auto f, int x, int y, int k, int rows) {
        double sum = 0;
        for (int j = 0; j < rows; j++)
            for (int i = 0; i < 2; i++)
                sum +=
                    byte(f(a(2 * x + i, rows * y + j, 0), a(2 * x + i, rows * y + j, 1), a(2 * x + i, rows * y + j, 2))
                             .v[k]);
        return std::floor(sum / (2 * rows));
    };
    Npp8u *planes[3] = {py.device, pu.device, pv.device}, *wide[3] = {py.device, hu.device, hv.device};
    int steps[3] = {py.step, pu.step, pv.step}, wide_steps[3] = {py.step, hu.step, hv.step};
    OK(nppiRGBToYUV420_8u_C3P3R_Ctx(a.device, a.step, planes, steps, a.size(), C));
    compare("420 Y", py, [&](int x, int y, int) { return byte(to_yuv(a(x, y, 0), a(x, y, 1), a(x, y, 2)).v[0]); }, 1);
    compare("420 U", pu, [&](int x, int y, int) { return mean(to_yuv, x, y, 1, 2); }, 1);
    compare("420 V", pv, [&](int x, int y, int) { return mean(to_yuv, x, y, 2, 2); }, 1);
    OK(nppiRGBToYCbCr422_8u_C3P3R_Ctx(a.device, a.step, wide, wide_steps, a.size(), C));
    compare("422 Cb", hu, [&](int x, int y, int) { return mean(to_ycbcr, x, y, 1, 1); }, 1);
    OK(nppiRGBToCbYCr422_8u_C3C2R_Ctx(a.device, a.step, packed.device, packed.step, a.size(), C));
    compare(
        "CbYCr", packed,
        [&](int x, int y, int c) {
            return c ? byte(to_ycbcr(a(x, y, 0), a(x, y, 1), a(x, y, 2)).v[0]) : mean(to_ycbcr, x / 2, y, 1 + x % 2, 1);
        },
        1);
    // and back
    image<Npp8u> Y(W, H, 1), U(W / 2, H / 2, 1), V(W / 2, H / 2, 1), d(W, H, 3, false), e(W, H, 4, false);
    const Npp8u *in[3] = {Y.device, U.device, V.device}, *nv[2] = {Y.device, nullptr};
    int in_steps[3] = {Y.step, U.step, V.step};
    OK(nppiYUV420ToRGB_8u_P3C3R_Ctx(in, in_steps, d.device, d.step, d.size(), C));
    compare(
        "YUV420ToRGB", d,
        [&](int x, int y, int c) { return byte(from_yuv(Y(x, y), U(x / 2, y / 2), V(x / 2, y / 2)).v[c]); }, 1);
    OK(nppiYCbCr420ToBGR_8u_P3C4R_Ctx(in, in_steps, e.device, e.step, e.size(), 9, C));
    compare(
        "YCbCr420ToBGR", e,
        [&](int x, int y, int c) {
            return c == 3 ? 9 : byte(from_ycbcr(Y(x, y), U(x / 2, y / 2), V(x / 2, y / 2)).v[2 - c]);
        },
        1);
    std::vector<Npp8u> pairs((size_t)Y.step * H / 2);
    for (auto &v : pairs)
        v = (Npp8u)draw();
    Npp8u *chroma;
    cudaMalloc((void **)&chroma, pairs.size());
    cudaMemcpy(chroma, pairs.data(), pairs.size(), cudaMemcpyHostToDevice);
    nv[1] = chroma;
    OK(nppiNV12ToRGB_8u_P2C3R_Ctx(nv, Y.step, d.device, d.step, d.size(), C));
    auto uv = [&](int x, int y, int k) { return pairs[(size_t)(y / 2) * Y.step + (size_t)(x / 2 * 2 + k)]; };
    compare("NV12", d, [&](int x, int y, int c) { return byte(from_yuv(Y(x, y), uv(x, y, 0), uv(x, y, 1)).v[c]); }, 1);
    OK(nppiNV12ToBGR_709CSC_8u_P2C3R_Ctx(nv, Y.step, d.device, d.step, d.size(), C));
    compare(
        "NV12 709CSC", d,
        [&](int x, int y, int c) {
            double l = 1.164 * (Y(x, y) - 16), u = uv(x, y, 0) - 128, v = uv(x, y, 1) - 128;
            return byte(c == 2 ? l + 1.793 * v : c == 1 ? l - 0.534 * v - 0.213 * u : l + 2.115 * u);
        },
        1);
    nv[1] = nullptr;
    WANT(nppiNV12ToRGB_8u_P2C3R_Ctx(nv, Y.step, d.device, d.step, d.size(), C), NPP_NULL_POINTER_ERROR);
    cudaDeviceSynchronize();
    cudaFree(chroma);
}
static void gray()
{
    image<Npp8u> a(W, H, 3), d(W, H, 1, false);
    image<Npp32f> f(W, H, 4), g(W, H, 1, false);
    Npp32f k[4] = {0.1f, 0.25f, 0.5f, 2};
    OK(nppiRGBToGray_8u_C3C1R_Ctx(a.device, a.step, d.device, d.step, d.size(), C));
    compare(
        "RGBToGray", d,
        [&](int x, int y, int) {
            return std::floor(0.299 * a(x, y, 0) + 0.587 * a(x, y, 1) + 0.114 * a(x, y, 2) + 0.5);
        },
        1);
    OK(nppiColorToGray_32f_C4C1R_Ctx(f.device, f.step, g.device, g.step, g.size(), k, C));
    compare(
        "ColorToGray", g,
        [&](int x, int y, int) {
            return k[0] * f(x, y, 0) + k[1] * f(x, y, 1) + k[2] * f(x, y, 2) + k[3] * f(x, y, 3);
        },
        1e-5);
    Npp32f twist[3][4] = {{0.5f, 0.25f, 0.125f, 3.25f}, {-1, 0.25f, 1, 100}, {0, 0, 1.5f, -20.5f}};
    image<Npp8u> e(W, H, 3, false);
    auto twisted = [&](int x, int y, int c) {
        return (double)twist[c][0] * a(x, y, 0) + (double)twist[c][1] * a(x, y, 1) + (double)twist[c][2] * a(x, y, 2) +
               (double)twist[c][3];
    };
    OK(nppiColorTwist32f_8u_C3R_Ctx(a.device, a.step, e.device, e.step, e.size(), twist, C));
    compare(
        "ColorTwist", e, [&](int x, int y, int c) { return std::min(std::max(twisted(x, y, c), 0.0), 255.0); }, 0.999);
    OK(nppiGammaFwd_8u_C3R_Ctx(a.device, a.step, e.device, e.step, e.size(), C));
    compare(
        "GammaFwd", e,
        [&](int x, int y, int c) {
            double v = a(x, y, c) / 255.0;
            return std::floor((v < 0.018 ? 4.5 * v : 1.099 * std::pow(v, 0.45) - 0.099) * 255);
        },
        1);
}

int main()
{
    pixels();
    there_and_back();
    shared();
    gray();
    return summary();
}
