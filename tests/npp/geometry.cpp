// SPDX-License-Identifier: Apache-2.0
// Images made larger and smaller, turned, mirrored and warped.
#include "image.h"

static const NppStreamContext C = context();

// Weights of interpolation at x: number i of a line.
static double weight(int mode, double x, int i)
{
    double b = std::floor(x), t = x - b;
    if (mode == NPPI_INTER_NN)
        return i == (int)std::floor(x + 0.5);
    if (mode == NPPI_INTER_LINEAR)
        return i == b ? 1 - t : i == b + 1 ? t : 0;
    double w = 1; // the polynomial through four points
    if (i < b - 1 || i > b + 2)
        return 0;
    for (int k = (int)b - 1; k <= b + 2; k++)
        w *= k == i ? 1 : (x - k) / (i - k);
    return w;
}
template <class T> static double sample(const image<T> &a, int mode, double x, double y, int c, NppiRect r)
{
    double sum = 0;
    for (int j = (int)std::floor(y) - 2; j <= std::floor(y) + 3; j++)
        for (int i = (int)std::floor(x) - 2; i <= std::floor(x) + 3; i++) {
            int u = std::min(std::max(i, r.x), r.x + r.width - 1), v = std::min(std::max(j, r.y), r.y + r.height - 1);
            sum += weight(mode, x, i) * weight(mode, y, j) * (double)a(u, v, c);
        }
    return sum;
}
static double place(int d, int from, int to)
{
    double scale = (double)from / to;
    return d * scale - (scale < 1 ? 0.25 : 0);
}
static void resize()
{
    image<Npp8u> a(61, 37, 3);
    for (int mode : {NPPI_INTER_NN, NPPI_INTER_LINEAR, NPPI_INTER_CUBIC})
        for (NppiSize to : {NppiSize{122, 74}, NppiSize{40, 21}, NppiSize{97, 20}}) {
            image<Npp8u> d(to.width, to.height, 3, false);
            NppiRect all = {0, 0, 61, 37}, r = {0, 0, to.width, to.height};
            OK(nppiResize_8u_C3R_Ctx(a.device, a.step, a.size(), all, d.device, d.step, to, r, mode, C));
            compare(
                "Resize", d,
                [&](int x, int y, int c) {
                    return (double)nearest<Npp8u>(
                        sample(a, mode, place(x, 61, to.width), place(y, 37, to.height), c, all));
                },
                mode == NPPI_INTER_NN ? 0 : 1);
        }
    image<Npp8u> d(90, 60, 3, false);
    NppiRect from = {10, 5, 30, 20}, to = {4, 3, 60, 50};
    OK(nppiResize_8u_C3R_Ctx(a.device, a.step, a.size(), from, d.device, d.step, d.size(), to, NPPI_INTER_LINEAR, C));
    compare(
        "Resize ROI", d,
        [&](int x, int y, int c) {
            return (double)nearest<Npp8u>(
                sample(a, NPPI_INTER_LINEAR, 10 + place(x - 4, 30, 60), 5 + place(y - 3, 20, 50), c, from));
        },
        1, 0, to);
    // the mean of what a pixel covers
    image<Npp32f> f(30, 20, 1), g(10, 5, 1, false);
    OK(nppiResize_32f_C1R_Ctx(f.device, f.step, f.size(), {0, 0, 30, 20}, g.device, g.step, g.size(), {0, 0, 10, 5},
                              NPPI_INTER_SUPER, C));
    compare(
        "Resize SUPER", g,
        [&](int x, int y, int) {
            double sum = 0;
            for (int j = 0; j < 4; j++)
                for (int i = 0; i < 3; i++)
                    sum += f(3 * x + i, 4 * y + j);
            return sum / 12;
        },
        1e-4);
    image<Npp32f> wide(5000, 2, 1), few(2, 1, 1, false);
    OK(nppiResize_32f_C1R_Ctx(wide.device, wide.step, wide.size(), {0, 0, 5000, 2}, few.device, few.step, few.size(),
                              {0, 0, 2, 1}, NPPI_INTER_SUPER, C));
    compare(
        "Resize SUPER of many", few,
        [&](int x, int, int) {
            double sum = 0;
            for (int i = 0; i < 5000; i++)
                sum += wide(2500 * x + i % 2500, i / 2500);
            return sum / 5000;
        },
        1e-3);
    // planes
    image<Npp16u> p0(40, 30, 1), p1(p0), p2(40, 30, 1), q0(20, 15, 1, false), q1(q0), q2(q0);
    const Npp16u *in[3] = {p0.device, p1.device, p2.device};
    Npp16u *out[3] = {q0.device, q1.device, q2.device};
    OK(nppiResize_16u_P3R_Ctx(in, p0.step, p0.size(), {0, 0, 40, 30}, out, q0.step, q0.size(), {0, 0, 20, 15},
                              NPPI_INTER_NN, C));
    compare("Resize P3", q2, [&](int x, int y, int) { return p2(2 * x, 2 * y); });
    WANT(nppiResize_8u_C3R_Ctx(a.device, a.step, a.size(), {0, 0, 61, 37}, d.device, d.step, d.size(), {0, 0, 90, 60},
                               77, C),
         NPP_INTERPOLATION_ERROR);
    WANT(nppiResize_8u_C3R_Ctx(a.device, a.step, a.size(), {0, 0, 61, 37}, d.device, d.step, d.size(), {0, 0, 90, 60},
                               NPPI_INTER_SUPER, C),
         NPP_RESIZE_FACTOR_ERROR);
}
static void batch()
{
    image<Npp8u> a(40, 30, 3), b(45, 33, 3), d(20, 15, 3, false), e(20, 15, 3, false);
    NppiResizeBatchCXR list[2] = {{a.device, a.step, d.device, d.step}, {b.device, b.step, e.device, e.step}}, *device;
    cudaMalloc((void **)&device, sizeof list);
    cudaMemcpy(device, list, sizeof list, cudaMemcpyHostToDevice);
    OK(nppiResizeBatch_8u_C3R_Ctx({40, 30}, {0, 0, 40, 30}, {20, 15}, {0, 0, 20, 15}, NPPI_INTER_NN, device, 2, C));
    compare("ResizeBatch", d, [&](int x, int y, int c) { return a(2 * x, 2 * y, c); });
    compare("ResizeBatch", e, [&](int x, int y, int c) { return b(2 * x, 2 * y, c); });
    cudaFree(device);
}
static void square_pixels()
{
    image<Npp32f> a(40, 30, 1), d(60, 30, 1, false);
    NppiRect all = {0, 0, 40, 30};
    OK(nppiResizeSqrPixel_32f_C1R_Ctx(a.device, a.size(), a.step, all, d.device, d.step, {0, 0, 60, 30}, 1.5, 1, 0, 0,
                                      NPPI_INTER_LINEAR, C));
    compare(
        "ResizeSqrPixel", d,
        [&](int x, int y, int) { return sample(a, NPPI_INTER_LINEAR, (x + 0.5) / 1.5 - 0.5, y, 0, all); }, 1e-5);
    NppiRect r;
    OK(nppiGetResizeRect(all, &r, 1.5, 0.5, 0, 0, NPPI_INTER_LINEAR));
    CHECK(r.x == 0 && r.y == 0 && r.width == 60 && r.height == 15);
}
static void warp()
{
    image<Npp32f> a(40, 30, 3);
    NppiRect all = {0, 0, 40, 30};
    const double k[2][3] = {{0.9, 0.2, 1.53}, {-0.1, 1.1, 2.27}}, det = k[0][0] * k[1][1] - k[0][1] * k[1][0];
    for (int mode : {NPPI_INTER_NN, NPPI_INTER_LINEAR, NPPI_INTER_CUBIC}) {
        image<Npp32f> d(40, 30, 3, false), e(40, 30, 3, false);
        OK(nppiWarpAffineBack_32f_C3R_Ctx(a.device, a.size(), a.step, all, d.device, d.step, all, k, mode, C));
        OK(nppiWarpAffine_32f_C3R_Ctx(a.device, a.size(), a.step, all, e.device, e.step, all, k, mode, C));
        auto inside = [](double x, double y) { return x >= 0 && y >= 0 && x <= 39 && y <= 29; };
        compare(
            "WarpAffineBack", d,
            [&](int x, int y, int c) {
                double u = k[0][0] * x + k[0][1] * y + k[0][2], v = k[1][0] * x + k[1][1] * y + k[1][2];
                return inside(u, v) ? sample(a, mode, u, v, c, all) : 77;
            },
            2e-4);
        compare(
            "WarpAffine", e,
            [&](int x, int y, int c) {
                double p = x - k[0][2], q = y - k[1][2], u = (k[1][1] * p - k[0][1] * q) / det,
                       v = (k[0][0] * q - k[1][0] * p) / det;
                return inside(u, v) ? sample(a, mode, u, v, c, all) : 77;
            },
            2e-4);
    }
    const double m[3][3] = {{1, 0.1, 0.5}, {0, 1, 0.25}, {0, 0.01, 1}};
    image<Npp32f> d(40, 30, 3, false);
    OK(nppiWarpPerspectiveBack_32f_C3R_Ctx(a.device, a.size(), a.step, all, d.device, d.step, all, m, NPPI_INTER_LINEAR,
                                           C));
    compare(
        "WarpPerspectiveBack", d,
        [&](int x, int y, int c) {
            double w = 0.01 * y + 1, u = (x + 0.1 * y + 0.5) / w, v = (y + 0.25) / w;
            return u <= 39 && v <= 29 ? sample(a, NPPI_INTER_LINEAR, u, v, c, all) : 77;
        },
        2e-4);
    // the corners' way there and back
    double quad[4][2], bound[2][2], back[2][3], full[3][3];
    OK(nppiGetAffineQuad({1, 2, 6, 6}, quad, k));
    CHECK(close_to(quad[0][0], 0.9 + 0.4 + 1.53) && close_to(quad[2][1], -0.6 + 7.7 + 2.27));
    OK(nppiGetAffineTransform({1, 2, 6, 6}, quad, back));
    for (int i = 0; i < 6; i++)
        CHECK(close_to(back[i / 3][i % 3], k[i / 3][i % 3], 1e-10));
    OK(nppiGetPerspectiveQuad({1, 2, 6, 6}, quad, m));
    OK(nppiGetPerspectiveTransform({1, 2, 6, 6}, quad, full));
    for (int i = 0; i < 9; i++)
        CHECK(close_to(full[i / 3][i % 3], m[i / 3][i % 3], 1e-8));
    OK(nppiGetRotateBound({0, 0, 6, 6}, bound, 30, 0, 4));
    CHECK(close_to(bound[0][1], 1.5) && close_to(bound[1][0], 5 * std::sqrt(3.0) / 2 + 2.5));
    image<Npp8u> s(21, 21, 1), t(21, 21, 1, false);
    OK(nppiRotate_8u_C1R_Ctx(s.device, s.size(), s.step, {0, 0, 21, 21}, t.device, t.step, {0, 0, 21, 21}, 90, 0, 20,
                             NPPI_INTER_NN, C));
    compare("Rotate", t, [&](int x, int y, int) { return s(20 - y, x); });
}
static void maps()
{
    image<Npp8u> a(40, 30, 1), d(33, 17, 1, false);
    image<Npp32f> mx(33, 17, 1), my(33, 17, 1);
    for (int y = 0; y < 17; y++)
        for (int x = 0; x < 33; x++) {
            mx.host[mx.at(x, y)] = (float)(draw() % 3900) / 100 + (x == 5 ? 100 : 0);
            my.host[my.at(x, y)] = (float)(draw() % 2900) / 100;
        }
    mx.put();
    my.put();
    NppiRect all = {0, 0, 40, 30};
    OK(nppiRemap_8u_C1R_Ctx(a.device, a.size(), a.step, all, mx.device, mx.step, my.device, my.step, d.device, d.step,
                            d.size(), NPPI_INTER_LINEAR, C));
    compare(
        "Remap", d,
        [&](int x, int y, int) {
            return x == 5 ? 77 : (double)nearest<Npp8u>(sample(a, NPPI_INTER_LINEAR, mx(x, y), my(x, y), 0, all));
        },
        1);
    for (NppiAxis axis : {NPP_HORIZONTAL_AXIS, NPP_VERTICAL_AXIS, NPP_BOTH_AXIS}) {
        image<Npp16u> p(41, 31, 3), q(41, 31, 3, false), i(p);
        auto want = [&](int x, int y, int c) {
            return p(axis == NPP_HORIZONTAL_AXIS ? x : 40 - x, axis == NPP_VERTICAL_AXIS ? y : 30 - y, c);
        };
        OK(nppiMirror_16u_C3R_Ctx(p.device, p.step, q.device, q.step, q.size(), axis, C));
        compare("Mirror", q, want);
        OK(nppiMirror_16u_C3IR_Ctx(i.device, i.step, i.size(), axis, C));
        compare("Mirror I", i, want);
    }
    image<Npp16u> p(4, 4, 3);
    WANT(nppiMirror_16u_C3IR_Ctx(p.device, p.step, p.size(), (NppiAxis)9, C), NPP_MIRROR_FLIP_ERROR);
}

int main()
{
    resize();
    batch();
    square_pixels();
    warp();
    maps();
    return summary();
}
