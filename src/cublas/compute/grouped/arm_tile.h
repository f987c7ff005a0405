// SPDX-License-Identifier: Apache-2.0
// What the files with instructions for groups of elements share on AArch64: tiles of 8 x 8 sums in vectors of 4.
#include "cublas/compute/product.h"
#include <arm_neon.h>
#include <string.h>
#define VECTOR_BYTES 16
#define COMPLEX      0
#define VECTORS      2
#define COLUMNS      8
#define PANEL_TILES  32
#define TALL         32
#define WIDE         96
#define FLIP_B       0
#define INTEGERS     int32x4_t
#define DEPTH_INT8   1024

static inline void note_rows(int32_t *note, const int8_t *panel, int64_t depth)
{
    (void)note, (void)panel, (void)depth;
}
