// SPDX-License-Identifier: Apache-2.0
// See cube.h. As an H200 does it, to the last bit:
//  1. Code for the GPU multiplies the direction by the approximate reciprocal of its largest component; the hardware
//     takes what comes out as it is, though the largest may be off 1 by the last bit, and finds the face with it.
//  2. Components that are NaN count as 0, and so do denormal ones after the multiplication. A major axis of -0 is
//     positive.
//  3. Gradients are differences between places: the second one is a gradient further, and may be on another face, which
//     is then laid flat beside the first.
//  4. The weight of a tap beyond a corner goes to its neighbours in thirds, rounded for those beside it.
#include "device/texture/cube.h"
#include "device/texture/reciprocal.h"
#include <math.h>

// Faces in the order +x, -x, +y, -y, +z, -z: for each the axis that decides, and those of the place on the face with
// their signs.
static const struct cube_axes {
    uint8_t major, u, v;
    int8_t u_sign, v_sign;
} cube_axes[6] = {{0, 2, 1, -1, -1}, {0, 2, 1, 1, -1}, {1, 0, 2, 1, 1},
                  {1, 0, 2, 1, -1},  {2, 0, 1, 1, -1}, {2, 0, 1, -1, -1}};

static unsigned cube_face(const float *c)
{
    float x = fabsf(c[0]), y = fabsf(c[1]), z = fabsf(c[2]);
    unsigned axis = z >= x && z >= y ? 2 : y >= x ? 1 : 0;
    return 2 * axis + (c[axis] < 0 ? 1 : 0);
}

static float number(float x)
{
    return x != x ? 0 : x;
}

// To the surface of the cube.
static unsigned cube_scale(const float *c, float *s)
{
    float largest = 0;
    for (int k = 0; k < 3; k++)
        if (fabsf(c[k]) > largest)
            largest = fabsf(c[k]);
    float r = reciprocal_approximate(largest);
    for (int k = 0; k < 3; k++)
        s[k] = number(number(c[k]) * r);
    return cube_face(s);
}

// Where a place on another face lies along an axis of this one when the two are laid flat; the far side is infinitely
// far.
static float cube_unfold(unsigned face, unsigned other, const float *s, unsigned axis)
{
    unsigned major = cube_axes[face].major, edge = cube_axes[other].major;
    if (face == other || (edge != axis && edge != major))
        return s[axis];
    if (edge == major)
        return INFINITY;
    float depth = face & 1 ? -s[major] : s[major];
    return copysignf(2 - depth, s[axis]);
}

unsigned cube_project(float *c, float (*d)[3], bool *crosses)
{
    float s[3], end[3], t[3];
    unsigned face = cube_scale(c, s);
    const struct cube_axes *a = &cube_axes[face];
    *crosses = false;
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 3; k++)
            end[k] = c[k] + d[i][k];
        unsigned other = cube_scale(end, t);
        *crosses |= other != face;
        d[i][0] = (cube_unfold(face, other, t, a->u) - s[a->u]) * 0.5f;
        d[i][1] = (cube_unfold(face, other, t, a->v) - s[a->v]) * 0.5f;
    }
    c[0] = (float)a->u_sign * s[a->u];
    c[1] = (float)a->v_sign * s[a->v];
    return face;
}

// The texel of the neighbouring face that lies where this one would, were its face larger.
static void cube_step(struct tap *tap)
{
    int64_t size = tap->level->width, cube = tap->z / 6 * 6;
    const struct cube_axes *a = &cube_axes[tap->z - cube];
    float c[3], n = (float)size;
    c[a->major] = (tap->z - cube) & 1 ? -1 : 1;
    c[a->u] = (float)a->u_sign * ((2 * (float)tap->x + 1) / n - 1);
    c[a->v] = (float)a->v_sign * ((2 * (float)tap->y + 1) / n - 1);
    unsigned face = cube_face(c);
    a = &cube_axes[face];
    float m = fabsf(c[a->major]), u = (float)a->u_sign * c[a->u] / m, v = (float)a->v_sign * c[a->v] / m;
    int64_t x = (int64_t)((u + 1) * 0.5f * n), y = (int64_t)((v + 1) * 0.5f * n);
    tap->x = x < 0 ? 0 : x >= size ? size - 1 : x;
    tap->y = y < 0 ? 0 : y >= size ? size - 1 : y;
    tap->z = cube + face;
}

void cube_seam(struct tap *tap, unsigned n)
{
    int64_t size = tap->level->width;
    int corner = -1;
    for (unsigned i = 0; i < n; i++) {
        bool x = tap[i].x < 0 || tap[i].x >= size, y = tap[i].y < 0 || tap[i].y >= size;
        if (x && y)
            corner = (int)i;
        else if (x || y)
            cube_step(&tap[i]);
    }
    if (corner < 0)
        return;
    // A corner is reached with all four taps, in rows of two.
    int32_t weight = tap[corner].weight, third = (weight + 1) / 3;
    tap[corner ^ 1].weight += third;
    tap[corner ^ 2].weight += third;
    tap[corner ^ 3].weight += weight - 2 * third;
    tap[corner] = tap[corner ^ 3];
    tap[corner].weight = 0;
}
