// SPDX-License-Identifier: Apache-2.0
// Images turned, mirrored, warped and read by maps: for each pixel of the result the place in the source is computed, and read there with interpolation.
// Pixels whose place is not in the region of the source are left as they are. A pixel that interpolation needs outside of it is its edge.
#include "npp/body.h"
#include "npp/geometry.h"
#include "npp/kernel/move.h"
#include <math.h>
#include <string.h>

enum { BY_MAP = 1, BY_ROTATION = 2 };

static int inside(int i, int low, int n)
{
    return i < low ? low : i >= low + n ? low + n - 1 : i;
}
static void sample(const struct npp_job *j, unsigned plane, double x, double y, double *out)
{
    size_t channels = j->form.planes ? 1 : j->form.channels, pixel = channels * npp_size(j->form.s);
    NppiRect r = j->c.src_roi;
    double wx[NPP_TAPS], wy[NPP_TAPS], v[4];
    int fx, fy, nx = npp_interpolate(j->c.mode, x, &fx, wx), ny = npp_interpolate(j->c.mode, y, &fy, wy);
    for (size_t k = 0; k < channels; k++)
        out[k] = 0;
    for (int b = 0; b < ny; b++)
        for (int a = 0; a < nx; a++) {
            npp_load(
                j->form.s,
                npp_at(&j->c.src[plane], inside(fy + b, r.y, r.height), (size_t)inside(fx + a, r.x, r.width) * pixel),
                v, channels);
            for (size_t k = 0; k < channels; k++)
                out[k] += wx[a] * wy[b] * v[k];
        }
}
// The place in the source of pixel (x, y) of the result. False: it is not in the region.
static bool place(const struct npp_job *j, int x, int y, double *sx, double *sy)
{
    const double *m = j->number, tiny = 1e-7;
    NppiRect r = j->c.src_roi;
    double low = -tiny, right = r.width - 1 + tiny, bottom = r.height - 1 + tiny;
    if (j->list[0] == BY_MAP) {
        enum npp_type t = j->form.s == NT_64f ? NT_64f : NT_32f;
        *sx = npp_get(t, npp_at(&j->c.map[0], y, (size_t)x * npp_size(t)));
        *sy = npp_get(t, npp_at(&j->c.map[1], y, (size_t)x * npp_size(t)));
        return *sx >= r.x && *sy >= r.y && *sx < r.x + r.width && *sy < r.y + r.height;
    }
    double w = m[6] * x + m[7] * y + m[8];
    *sx = (m[0] * x + m[1] * y + m[2]) / w;
    *sy = (m[3] * x + m[4] * y + m[5]) / w;
    if (j->list[0] == BY_ROTATION)
        low = -0.5 - tiny;
    return *sx - r.x >= low && *sy - r.y >= low && *sx - r.x <= right && *sy - r.y <= bottom;
}
static void run_warp(const void *block, uint64_t part)
{
    const struct npp_job *j = block;
    unsigned planes = j->form.planes ? j->form.channels : 1, stored = j->form.planes ? 1 : j->form.channels;
    unsigned used = j->form.planes ? 1 : npp_used(&j->form);
    size_t size = npp_size(j->form.d);
    int from, to;
    npp_part(j, part, &from, &to);
    for (int y = from + j->c.dst_roi.y; y < to + j->c.dst_roi.y; y++)
        for (int x = j->c.dst_roi.x; x < j->c.dst_roi.x + j->c.dst_roi.width; x++) {
            double sx, sy, v[4];
            if (!place(j, x, y, &sx, &sy))
                continue;
            for (unsigned p = 0; p < planes; p++) {
                sample(j, p, sx, sy, v);
                npp_save(j->form.d, v, npp_at(&j->c.dst[p], y, (size_t)x * stored * size), used);
            }
        }
}
static struct library_kernel warp_kernel = LIBRARY_KERNEL("npp_warp", run_warp, struct npp_job);

static NppStatus warp_check(const struct npp_call *c)
{
    int first;
    double w[NPP_TAPS];
    NPP_CHECK(c->src_size.width > 0 && c->src_size.height > 0, NPP_SIZE_ERROR);
    NPP_CHECK(c->src_roi.width >= 0 && c->src_roi.height >= 0 && c->dst_roi.width >= 0 && c->dst_roi.height >= 0,
              NPP_RECTANGLE_ERROR);
    NPP_CHECK(npp_interpolate(c->mode, 0, &first, w), NPP_INTERPOLATION_ERROR);
    return NPP_NO_ERROR;
}
static NppStatus launch(const struct npp_call *c, const double m[9], int how)
{
    static const double taps[] = {
        [NPPI_INTER_NN] = 1, [NPPI_INTER_LINEAR] = 4, [NPPI_INTER_CUBIC] = 16, [NPPI_INTER_LANCZOS] = 36};
    struct npp_job j = npp_job(c);
    j.c.src_roi = npp_intersect(c->src_roi, c->src_size);
    NPP_CHECK(j.c.src_roi.width && j.c.src_roi.height, NPP_WRONG_INTERSECTION_ROI_WARNING);
    memcpy(j.number, m, 9 * sizeof *m);
    j.list[0] = how;
    if (!c->dst_roi.width || !c->dst_roi.height)
        return NPP_NO_ERROR;
    return npp_launch(&warp_kernel, &j, c->dst_roi.height,
                      (20 + 8 * taps[c->mode]) * c->dst_roi.width * c->form->channels);
}

// ---- transforms: nine numbers, the last row of an affine one being 0 0 1
static void transform_get(const struct npp_call *c, unsigned which, double m[9])
{
    static const double last[3] = {0, 0, 1};
    memcpy(m, c->value[which], (size_t)c->taps * 3 * sizeof *m);
    if (c->taps == 2)
        memcpy(m + 6, last, sizeof last);
}
static bool transform_invert(const double m[9], double out[9])
{
    double det = 0, adjoint[9];
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) {
            int r1 = (c + 1) % 3, r2 = (c + 2) % 3, c1 = (r + 1) % 3, c2 = (r + 2) % 3;
            adjoint[r * 3 + c] = m[r1 * 3 + c1] * m[r2 * 3 + c2] - m[r1 * 3 + c2] * m[r2 * 3 + c1];
        }
    for (int i = 0; i < 3; i++)
        det += m[i] * adjoint[i * 3];
    for (int i = 0; i < 9 && det != 0; i++)
        out[i] = adjoint[i] / det;
    return det != 0;
}
static void transform_apply(const double m[9], double x, double y, double out[2])
{
    double w = m[6] * x + m[7] * y + m[8];
    out[0] = (m[0] * x + m[1] * y + m[2]) / w;
    out[1] = (m[3] * x + m[4] * y + m[5]) / w;
}
// The transform of the unit square's corners (0,0) (1,0) (1,1) (0,1) to a quadrangle.
static bool transform_of_square(const double q[4][2], double m[9])
{
    double dx1 = q[1][0] - q[2][0], dx2 = q[3][0] - q[2][0], sx = q[0][0] - q[1][0] + q[2][0] - q[3][0];
    double dy1 = q[1][1] - q[2][1], dy2 = q[3][1] - q[2][1], sy = q[0][1] - q[1][1] + q[2][1] - q[3][1];
    double det = dx1 * dy2 - dx2 * dy1;
    if (det == 0)
        return false;
    double g = (sx * dy2 - dx2 * sy) / det, h = (dx1 * sy - sx * dy1) / det;
    double all[9] = {q[1][0] - q[0][0] + g * q[1][0],
                     q[3][0] - q[0][0] + h * q[3][0],
                     q[0][0],
                     q[1][1] - q[0][1] + g * q[1][1],
                     q[3][1] - q[0][1] + h * q[3][1],
                     q[0][1],
                     g,
                     h,
                     1};
    memcpy(m, all, sizeof all);
    return true;
}
// From one quadrangle to another. An affine transform goes by the first three corners.
static bool transform_between(const double a[4][2], const double b[4][2], bool affine, double m[9])
{
    double p[4][2], q[4][2], from[9], to[9], back[9];
    memcpy(p, a, sizeof p);
    memcpy(q, b, sizeof q);
    for (int i = 0; i < 2 && affine; i++) {
        p[3][i] = p[0][i] + p[2][i] - p[1][i];
        q[3][i] = q[0][i] + q[2][i] - q[1][i];
    }
    if (!transform_of_square(p, from) || !transform_of_square(q, to) || !transform_invert(from, back))
        return false;
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            m[r * 3 + c] = to[r * 3] * back[c] + to[r * 3 + 1] * back[3 + c] + to[r * 3 + 2] * back[6 + c];
    for (int i = 0; i < 9; i++)
        m[i] /= i < 8 ? m[8] : 1;
    m[8] = 1;
    return true;
}
static void corners(NppiRect r, double q[4][2])
{
    double left = r.x, top = r.y, right = r.x + r.width - 1, bottom = r.y + r.height - 1;
    double all[4][2] = {{left, top}, {right, top}, {right, bottom}, {left, bottom}};
    memcpy(q, all, sizeof all);
}

// ---- bodies
NppStatus npp_warp(const struct npp_call *c)
{
    double m[9], back[9];
    NPP_ENTER(c);
    NppStatus s = warp_check(c);
    NPP_CHECK(!s, s);
    transform_get(c, 0, m);
    NPP_CHECK(transform_invert(m, back), NPP_COEFFICIENT_ERROR);
    return launch(c, c->form->argument & WARP_BACK ? m : back, 0);
}
NppStatus npp_warp_quad(const struct npp_call *c)
{
    double m[9];
    NPP_ENTER(c);
    NppStatus s = warp_check(c);
    NPP_CHECK(!s, s);
    NPP_CHECK(transform_between(c->value[1], c->value[0], c->form->argument == 2, m), NPP_QUADRANGLE_ERROR);
    return launch(c, m, 0);
}
static void rotation(const struct npp_call *c, double m[9])
{
    double angle = c->number[0] * M_PI / 180, co = cos(angle), si = sin(angle);
    double all[9] = {co, si, c->number[1], -si, co, c->number[2], 0, 0, 1};
    memcpy(m, all, sizeof all);
}
NppStatus npp_rotate(const struct npp_call *c)
{
    double m[9], back[9];
    NPP_ENTER(c);
    NppStatus s = warp_check(c);
    NPP_CHECK(!s, s);
    rotation(c, m);
    transform_invert(m, back);
    return launch(c, back, BY_ROTATION);
}
NppStatus npp_remap(const struct npp_call *c)
{
    static const double none[9] = {0};
    struct npp_call with = *c;
    NPP_ENTER(c);
    with.dst_roi = (NppiRect){0, 0, c->size.width, c->size.height};
    NPP_CHECK(c->map[0].data && c->map[1].data, NPP_NULL_POINTER_ERROR);
    NppStatus s = warp_check(&with);
    NPP_CHECK(!s, s);
    return launch(&with, none, BY_MAP);
}

static void quad_put(const struct npp_call *c, const double q[4][2])
{
    double (*out)[2] = c->out[0];
    if (!c->form->argument) {
        memcpy(out, q, 8 * sizeof(double));
        return;
    }
    memcpy(out[0], q[0], sizeof out[0]);
    memcpy(out[1], q[0], sizeof out[1]);
    for (int i = 1; i < 4; i++)
        for (int k = 0; k < 2; k++) {
            out[0][k] = fmin(out[0][k], q[i][k]);
            out[1][k] = fmax(out[1][k], q[i][k]);
        }
}
static NppStatus quad_make(const struct npp_call *c, const double m[9])
{
    double q[4][2], out[4][2];
    NPP_CHECK(c->src_roi.width > 0 && c->src_roi.height > 0, NPP_SIZE_ERROR);
    corners(c->src_roi, q);
    for (int i = 0; i < 4; i++)
        transform_apply(m, q[i][0], q[i][1], out[i]);
    quad_put(c, out);
    return NPP_NO_ERROR;
}
NppStatus npp_rotate_quad(const struct npp_call *c)
{
    double m[9];
    NPP_ENTER(c);
    rotation(c, m);
    return quad_make(c, m);
}
NppStatus npp_quad_of_transform(const struct npp_call *c)
{
    double m[9], back[9];
    NPP_ENTER(c);
    transform_get(c, 0, m);
    NPP_CHECK(transform_invert(m, back), NPP_COEFFICIENT_ERROR);
    return quad_make(c, m);
}
NppStatus npp_transform_of_quad(const struct npp_call *c)
{
    double m[9], q[4][2];
    NPP_ENTER(c);
    NPP_CHECK(c->src_roi.width > 1 && c->src_roi.height > 1, NPP_RECTANGLE_ERROR);
    corners(c->src_roi, q);
    NPP_CHECK(transform_between(q, c->value[0], c->taps == 2, m), NPP_QUADRANGLE_ERROR);
    memcpy(c->out[0], m, (size_t)c->taps * 3 * sizeof *m);
    return NPP_NO_ERROR;
}

// ---- mirror: a part is a pair of rows where rows change places, so that it may be done in place
static void pixels_swap(const struct npp_job *j, const char *a, const char *b, char *to_a, char *to_b, size_t pixel,
                        size_t used)
{
    char p[32], q[32];
    (void)j;
    memcpy(p, a, pixel);
    memcpy(q, b, pixel);
    memcpy(to_a, q, used);
    memcpy(to_b, p, used);
}
static void run_mirror(const void *block, uint64_t part)
{
    const struct npp_job *j = block;
    size_t pixel = npp_size(j->form.s) * j->form.channels, used = npp_size(j->form.s) * npp_used(&j->form);
    int from, to, w = j->c.size.width, h = j->c.size.height;
    bool rows = j->c.mode != NPP_VERTICAL_AXIS, columns = j->c.mode != NPP_HORIZONTAL_AXIS;
    npp_part(j, part, &from, &to);
    for (int y = from; y < to; y++) {
        int y2 = rows ? h - 1 - y : y, half = columns && y2 == y ? (w + 1) / 2 : w;
        for (int x = 0; x < half; x++) {
            size_t at = (size_t)x * pixel, other = (size_t)(columns ? w - 1 - x : x) * pixel;
            pixels_swap(j, npp_at(&j->c.src[0], y, at), npp_at(&j->c.src[0], y2, other), npp_at(&j->c.dst[0], y, at),
                        npp_at(&j->c.dst[0], y2, other), pixel, used);
        }
    }
}
static struct library_kernel mirror_kernel = LIBRARY_KERNEL("npp_mirror", run_mirror, struct npp_job);
NppStatus npp_mirror(const struct npp_call *c)
{
    NPP_ENTER(c);
    NPP_CHECK(c->mode >= NPP_HORIZONTAL_AXIS && c->mode <= NPP_BOTH_AXIS, NPP_MIRROR_FLIP_ERROR);
    struct npp_job j = npp_job(c);
    int rows = c->mode != NPP_VERTICAL_AXIS ? (c->size.height + 1) / 2 : c->size.height;
    return npp_launch(&mirror_kernel, &j, rows, 4.0 * (double)npp_row(c->form, c->size.width));
}
