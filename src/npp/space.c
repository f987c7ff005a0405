// SPDX-License-Identifier: Apache-2.0
// Colour spaces by the formulas of NPP's documentation; components are 0 to 255. Where that is silent, the numbers are those that NVIDIA's library was seen to use: Lab and
// Luv are of linear RGB, by CIE's matrix of Rec. 709.
#include "npp/color.h"
#include <math.h>

static void multiply(const float m[9], const float v[3], float out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = m[i * 3] * v[0] + m[i * 3 + 1] * v[1] + m[i * 3 + 2] * v[2];
}
static const float xyz_of_rgb[9] = {0.412453f, 0.35758f,  0.180423f, 0.212671f, 0.71516f,
                                    0.072169f, 0.019334f, 0.119193f, 0.950227f};
static const float rgb_of_xyz[9] = {3.240479f, -1.53715f, -0.498535f, -0.969256f, 1.875991f,
                                    0.041556f, 0.055648f, -0.204043f, 1.057311f};
static const float ycbcr_of_rgb[9] = {0.257f, 0.504f, 0.098f, -0.148f, -0.291f, 0.439f, 0.439f, -0.368f, -0.071f};
static const float csc_of_rgb[9] = {0.183f, 0.614f, 0.062f, -0.101f, -0.338f, 0.439f, 0.439f, -0.399f, -0.040f};
static const float rgb_of_ycbcr[9] = {1.164f, 0, 1.596f, 1.164f, -0.392f, -0.813f, 1.164f, 2.017f, 0};
static const float rgb_of_csc[9] = {1.164f, 0, 1.793f, 1.164f, -0.213f, -0.534f, 1.164f, 2.115f, 0};
static const float rgb_of_yuv[9] = {1, 0, 1.140f, 1, -0.394f, -0.581f, 1, 2.032f, 0};
static const float rgb_of_hdtv[9] = {1, 0, 1.28033f, 1, -0.21482f, -0.38059f, 1, 2.12798f, 0};

// ---- hue
static void extremes(const float v[3], float *low, float *high)
{
    *low = fminf(v[0], fminf(v[1], v[2]));
    *high = fmaxf(v[0], fmaxf(v[1], v[2]));
}
static float hue(const float v[3], float low, float high)
{
    float d = high - low, h = 0;
    if (d == 0)
        return 0;
    if (high == v[0])
        h = (v[1] - v[2]) / d;
    else if (high == v[1])
        h = 2 + (v[2] - v[0]) / d;
    else
        h = 4 + (v[0] - v[1]) / d;
    h /= 6;
    return (h < 0 ? h + 1 : h) * 255;
}
static void hsv_of(const float v[3], float out[3])
{
    float low, high;
    extremes(v, &low, &high);
    out[0] = hue(v, low, high);
    out[1] = high > 0 ? (high - low) / high * 255 : 0;
    out[2] = high;
}
static void of_hsv(const float v[3], float out[3])
{
    float h = v[0] >= 255 ? 0 : v[0] / 255 * 6, s = v[1] / 255, i = floorf(h), f = h - i;
    float p = v[2] * (1 - s), q = v[2] * (1 - s * f), t = v[2] * (1 - s * (1 - f));
    const float all[6][3] = {{v[2], t, p}, {q, v[2], p}, {p, v[2], t}, {p, q, v[2]}, {t, p, v[2]}, {v[2], p, q}};
    for (int k = 0; k < 3; k++)
        out[k] = all[(int)i % 6][k];
}
static void hls_of(const float v[3], float out[3])
{
    float low, high;
    extremes(v, &low, &high);
    float sum = high + low, d = high - low;
    out[0] = hue(v, low, high);
    out[1] = sum / 2;
    out[2] = d == 0 ? 0 : d / (sum <= 255 ? sum : 510 - sum) * 255;
}
static float hls_part(float low, float high, float h)
{
    h -= floorf(h);
    if (h < 1 / 6.0f)
        return low + (high - low) * 6 * h;
    if (h < 0.5f)
        return high;
    return h < 2 / 3.0f ? low + (high - low) * (2 / 3.0f - h) * 6 : low;
}
static void of_hls(const float v[3], float out[3])
{
    float h = v[0] / 255, l = v[1] / 255, s = v[2] / 255, high = l <= 0.5f ? l * (1 + s) : l + s - l * s,
          low = 2 * l - high;
    out[0] = hls_part(low, high, h + 1 / 3.0f) * 255;
    out[1] = hls_part(low, high, h) * 255;
    out[2] = hls_part(low, high, h - 1 / 3.0f) * 255;
}

// ---- Lab and Luv
enum { L_MOST = 100 };
static const float white_x = 0.950455f, white_z = 1.088753f, white_u = 0.197839f, white_v = 0.468342f;
static float lightness(float y)
{
    return y > 0.008856f ? 116 * cbrtf(y) - 16 : 903.3f * y;
}
static float lightness_back(float l)
{
    float t = (l + 16) / 116;
    return l > 8 ? t * t * t : l / 903.3f;
}
static float lab_part(float t)
{
    return t > 0.008856f ? cbrtf(t) : 7.787f * t + 16 / 116.0f;
}
static float lab_part_back(float t)
{
    return t > 0.206893f ? t * t * t : (t - 16 / 116.0f) / 7.787f;
}
static void lab_of(const float v[3], float out[3])
{
    float xyz[3];
    multiply(xyz_of_rgb, v, xyz);
    float x = lab_part(xyz[0] / 255 / white_x), y = lab_part(xyz[1] / 255), z = lab_part(xyz[2] / 255 / white_z);
    out[0] = lightness(xyz[1] / 255) * 255 / L_MOST;
    out[1] = 500 * (x - y) + 128;
    out[2] = 200 * (y - z) + 128;
}
static void of_lab(const float v[3], float out[3])
{
    float l = v[0] * L_MOST / 255, y = lightness_back(l), fy = lab_part(y);
    float xyz[3] = {lab_part_back(fy + (v[1] - 128) / 500) * white_x * 255, y * 255,
                    lab_part_back(fy - (v[2] - 128) / 200) * white_z * 255};
    multiply(rgb_of_xyz, xyz, out);
}
static void luv_of(const float v[3], float out[3])
{
    float xyz[3];
    multiply(xyz_of_rgb, v, xyz);
    float all = xyz[0] + 15 * xyz[1] + 3 * xyz[2], l = lightness(xyz[1] / 255);
    out[0] = l * 255 / L_MOST;
    out[1] = all > 0 ? (13 * l * (4 * xyz[0] / all - white_u) + 134) * 255 / 354 : 0;
    out[2] = all > 0 ? (13 * l * (9 * xyz[1] / all - white_v) + 140) * 255 / 262 : 0;
}
static void of_luv(const float v[3], float out[3])
{
    float l = v[0] * L_MOST / 255, y = lightness_back(l);
    if (l <= 0) {
        out[0] = out[1] = out[2] = 0;
        return;
    }
    float u = (v[1] * 354 / 255 - 134) / (13 * l) + white_u, w = (v[2] * 262 / 255 - 140) / (13 * l) + white_v;
    float x = 9 * u * y / (4 * w), z = (12 - 3 * u - 20 * w) * y / (4 * w);
    float xyz[3] = {x * 255, y * 255, z * 255};
    multiply(rgb_of_xyz, xyz, out);
}

// ---- what is done to many pixels
// A matrix, of which `before` is taken first and `after` added last.
static void linear(const float m[9], const float before[3], const float after[3], float *restrict a, float *restrict b,
                   float *restrict c, int n)
{
    for (int i = 0; i < n; i++) {
        float x = a[i] - before[0], y = b[i] - before[1], z = c[i] - before[2];
        a[i] = m[0] * x + m[1] * y + m[2] * z + after[0];
        b[i] = m[3] * x + m[4] * y + m[5] * z + after[1];
        c[i] = m[6] * x + m[7] * y + m[8] * z + after[2];
    }
}
// Y and two differences of colours to it, with their factors and offsets.
static void differences(float scale, float blue, float red, float blue_at, float red_at, float *restrict a,
                        float *restrict b, float *restrict c, int n)
{
    for (int i = 0; i < n; i++) {
        float y = 0.299f * a[i] + 0.587f * b[i] + 0.114f * c[i];
        float u = blue * (c[i] - y) + blue_at, v = red * (a[i] - y) + red_at;
        a[i] = y * scale;
        b[i] = u;
        c[i] = v;
    }
}
static void one_by_one(void (*f)(const float[3], float[3]), float *a, float *b, float *c, int n)
{
    for (int i = 0; i < n; i++) {
        float v[3] = {a[i], b[i], c[i]}, out[3];
        f(v, out);
        a[i] = out[0];
        b[i] = out[1];
        c[i] = out[2];
    }
}
static void of_ycc(const float v[3], float out[3])
{
    float y = 1.3584f * v[0], c1 = 2.2179f * (v[1] - 156), c2 = 1.8215f * (v[2] - 137);
    out[0] = y + c2;
    out[1] = y - 0.194f * c1 - 0.509f * c2;
    out[2] = y + c1;
}
static const float none[3] = {0, 0, 0}, chroma[3] = {0, 128, 128}, video[3] = {16, 128, 128};

void npp_color_to(enum npp_color space, float *a, float *b, float *c, int n)
{
    switch (space) {
    case SPACE_YCBCR:
        linear(ycbcr_of_rgb, none, video, a, b, c, n);
        break;
    case SPACE_709CSC:
        linear(csc_of_rgb, none, video, a, b, c, n);
        break;
    case SPACE_XYZ:
        linear(xyz_of_rgb, none, none, a, b, c, n);
        break;
    case SPACE_YCC:
        differences(1 / 1.402f, 111.4f / 255, 135.64f / 255, 156, 137, a, b, c, n);
        break;
    case SPACE_LUV:
        one_by_one(luv_of, a, b, c, n);
        break;
    case SPACE_LAB:
        one_by_one(lab_of, a, b, c, n);
        break;
    case SPACE_HSV:
        one_by_one(hsv_of, a, b, c, n);
        break;
    case SPACE_HLS:
        one_by_one(hls_of, a, b, c, n);
        break;
    default:
        differences(1, 0.492f, 0.877f, 128, 128, a, b, c, n);
    }
}

void npp_color_from(enum npp_color space, float *a, float *b, float *c, int n)
{
    switch (space) {
    case SPACE_YCBCR:
        linear(rgb_of_ycbcr, video, none, a, b, c, n);
        break;
    case SPACE_709CSC:
        linear(rgb_of_csc, video, none, a, b, c, n);
        break;
    case SPACE_709HDTV:
        linear(rgb_of_hdtv, chroma, none, a, b, c, n);
        break;
    case SPACE_XYZ:
        linear(rgb_of_xyz, none, none, a, b, c, n);
        break;
    case SPACE_YCC:
        one_by_one(of_ycc, a, b, c, n);
        break;
    case SPACE_LUV:
        one_by_one(of_luv, a, b, c, n);
        break;
    case SPACE_LAB:
        one_by_one(of_lab, a, b, c, n);
        break;
    case SPACE_HSV:
        one_by_one(of_hsv, a, b, c, n);
        break;
    case SPACE_HLS:
        one_by_one(of_hls, a, b, c, n);
        break;
    default:
        linear(rgb_of_yuv, chroma, none, a, b, c, n);
    }
}
