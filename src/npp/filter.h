// SPDX-License-Identifier: Apache-2.0
// Filters: what is read around a pixel.
#ifndef HEDDLE_NPP_FILTER_H
#define HEDDLE_NPP_FILTER_H
#include "npp/core/npp.h"

enum npp_line {
    LINE_COLUMN = 1,
    LINE_FLOAT = 2,
    LINE_OWN = 4,
    LINE_SUM = 8
}; // how a kernel lies and of which type it is
enum npp_rank { RANK_MIN, RANK_MAX, RANK_MEDIAN, RANK_GRAY = 16, RANK_3X3 = 32 };
enum npp_fixed {
    FIXED_PREWITT_HORIZ,
    FIXED_PREWITT_VERT,
    FIXED_SCHARR_HORIZ,
    FIXED_SCHARR_VERT,
    FIXED_SOBEL_HORIZ,
    FIXED_SOBEL_VERT,
    FIXED_SOBEL_HORIZ_SECOND,
    FIXED_SOBEL_VERT_SECOND,
    FIXED_SOBEL_CROSS,
    FIXED_ROBERTS_DOWN,
    FIXED_ROBERTS_UP,
    FIXED_LAPLACE,
    FIXED_GAUSS,
    FIXED_HIGH_PASS,
    FIXED_LOW_PASS,
    FIXED_SHARPEN
};

// NPP_NO_ERROR, or what is wrong with a border: NVIDIA's library knows pixels that are repeated alone.
NppStatus npp_border_check(const struct npp_call *c);
// Numbers of n pixels of the source's row y, from pixel x on, as doubles; with a border those outside are its edge's.
void npp_neighbours(const struct npp_job *j, int y, int x, int n, double *to);
#endif
