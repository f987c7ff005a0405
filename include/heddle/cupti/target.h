// SPDX-License-Identifier: Apache-2.0
// CUPTI: the chip.
#ifndef HEDDLE_CUPTI_TARGET_H
#define HEDDLE_CUPTI_TARGET_H
#include "common.h"

typedef struct CUpti_Device_GetChipName_Params {
    size_t structSize;
    void *pPriv;
    size_t deviceIndex;
    const char *pChipName;
} CUpti_Device_GetChipName_Params;

#define CUpti_Device_GetChipName_Params_STRUCT_SIZE                                                                    \
    CUPTI_PROFILER_STRUCT_SIZE(CUpti_Device_GetChipName_Params, pChipName)
#endif
