// SPDX-License-Identifier: Apache-2.0
// Every kind of transform in one to three dimensions, in place and out of place, against the definition.
// nvcc: -lcufft
#include "reference.h"

static const cufftType types[] = {CUFFT_C2C, CUFFT_R2C, CUFFT_C2R, CUFFT_Z2Z, CUFFT_D2Z, CUFFT_Z2D};

static void check_plan(cufftHandle p, cufftType t, const std::vector<int> &n, int batch)
{
    bool real = is_forward_real(t) || is_backward_real(t);
    for (int in_place = 0; in_place < 2; in_place++) {
        side in = packed_side(n, !is_forward_real(t), real, in_place),
             out = packed_side(n, !is_backward_real(t), real, in_place);
        double e = run_any(p, t, n, batch, in, out, in_place, CUFFT_FORWARD);
        if (!real)
            e = std::max(e, run_any(p, t, n, batch, in, out, in_place, CUFFT_INVERSE));
        if (!(e < BOUND))
            std::fprintf(stderr, "type %#x, rank %d, first size %d, batch %d, in place %d: %g\n", t, (int)n.size(),
                         n[0], batch, in_place, e);
        CHECK(e < BOUND);
    }
    OK(cufftDestroy(p));
}

int main()
{
    static const int lines[] = {1, 2, 3, 8, 13, 17, 30, 31, 37, 64, 100, 101, 128, 210, 243, 256, 499, 512, 600};
    static const int planes[][2] = {{4, 4}, {5, 7}, {16, 20}, {1, 9}, {33, 32}, {64, 48}};
    static const int cubes[][3] = {{2, 3, 4}, {8, 8, 8}, {5, 1, 6}, {9, 16, 10}};
    for (int t = 0; t < 6; t++) {
        cufftHandle p;
        for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
            int batch = 1 + (int)(i % 3) * 8;
            OK(cufftPlan1d(&p, lines[i], types[t], batch));
            check_plan(p, types[t], std::vector<int>(1, lines[i]), batch);
        }
        for (size_t i = 0; i < sizeof planes / sizeof *planes; i++) {
            OK(cufftPlan2d(&p, planes[i][0], planes[i][1], types[t]));
            check_plan(p, types[t], std::vector<int>(planes[i], planes[i] + 2), 1);
        }
        for (size_t i = 0; i < sizeof cubes / sizeof *cubes; i++) {
            OK(cufftPlan3d(&p, cubes[i][0], cubes[i][1], cubes[i][2], types[t]));
            check_plan(p, types[t], std::vector<int>(cubes[i], cubes[i] + 3), 1);
        }
    }
    return test_summary();
}
