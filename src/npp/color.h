// SPDX-License-Identifier: Apache-2.0
// Colour spaces, and how their components lie in memory.
#ifndef HEDDLE_NPP_COLOR_H
#define HEDDLE_NPP_COLOR_H
#include "npp/core/npp.h"

// A row's argument: the space, and what else is not RGB to it, pixel by pixel.
enum npp_color {
    SPACE_YUV,
    SPACE_YCBCR,
    SPACE_709CSC,
    SPACE_709HDTV,
    SPACE_XYZ,
    SPACE_YCC,
    SPACE_LUV,
    SPACE_LAB,
    SPACE_HSV,
    SPACE_HLS,
    SPACE_MASK = 255,
    COLOR_FROM = 1 << 8,  // from it to RGB
    COLOR_BGR = 1 << 9,   // the other order of RGB
    COLOR_422 = 1 << 10,  // two pixels have one U and V
    COLOR_420 = 1 << 11,  // four pixels have
    COLOR_SWAP = 1 << 12, // V before U
    COLOR_UYVY = 1 << 13  // of two bytes for a pixel, Y is the second
};
// Pixels of RGB become those of a space, and back: n components each of the first, the second and the third.
void npp_color_to(enum npp_color space, float *a, float *b, float *c, int n);
void npp_color_from(enum npp_color space, float *a, float *b, float *c, int n);
#endif
