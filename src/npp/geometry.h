// SPDX-License-Identifier: Apache-2.0
// Images made larger and smaller, turned and warped.
#ifndef HEDDLE_NPP_GEOMETRY_H
#define HEDDLE_NPP_GEOMETRY_H
#include "npp/core/npp.h"

enum npp_geometry { RESIZE_SQUARE = 1, WARP_BACK = 1 };

// The weights of a line of numbers that is read between them: `weights` begin at number `first`. The number of taps: 1, 2, 4 or 6; 0: there is
// no such interpolation.
enum { NPP_TAPS = 6 };
int npp_interpolate(int mode, double x, int *first, double weights[NPP_TAPS]);
// The part of a rectangle that lies in an image.
NppiRect npp_intersect(NppiRect r, NppiSize size);
#endif
