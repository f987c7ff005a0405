// SPDX-License-Identifier: Apache-2.0
// What is known of an image as a whole.
#ifndef HEDDLE_NPP_STATISTICS_H
#define HEDDLE_NPP_STATISTICS_H
#include "npp/core/npp.h"

enum npp_statistic {
    STAT_SUM,
    STAT_MEAN,
    STAT_MEAN_DEVIATION,
    STAT_DEVIATION,
    STAT_MIN,
    STAT_MAX,
    STAT_MIN_MAX,
    STAT_MIN_ABS,
    STAT_NORM_INF,
    STAT_NORM_L1,
    STAT_NORM_L2,
    STAT_NORM_L2_SQUARE,
    STAT_DIFF_INF,
    STAT_DIFF_L1,
    STAT_DIFF_L2,
    STAT_DIFF_L2_SQUARE,
    STAT_REL_INF,
    STAT_REL_L1,
    STAT_REL_L2,
    STAT_DOT,
    STAT_COUNT,
    STAT_QUALITY,
    STAT_ERROR_MAX,
    STAT_ERROR_MEAN,
    STAT_RELATIVE_MAX,
    STAT_RELATIVE_MEAN,
    STAT_MSE,
    STAT_PSNR,
    STAT_SUM_LN
};
// The type of the result where it is neither the source's nor double.
enum npp_result { RESULT_64F = 0, RESULT_S = 1 << 8, RESULT_D = 2 << 8, RESULT_32F = 3 << 8, RESULT_INT = 4 << 8 };

// Bytes of the buffer that statistics need.
enum { NPP_STAT_PARTS = 64, NPP_STAT_VALUES = 5, NPP_STAT_BUFFER = NPP_STAT_PARTS * 4 * NPP_STAT_VALUES * 8 + 64 };
#endif
