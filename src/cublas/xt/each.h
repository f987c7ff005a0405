// SPDX-License-Identifier: Apache-2.0
// The functions of cublasXt.h, from xt.def and here. Who includes this defines
//   ROW(result, name, (parameters), (arguments), call, status)
// and gets the rows, those without a type first. There is no guard: it is read once for each thing that is made of the rows.
#define EACH_CAT_(a, b, c) a##b##c
#define EACH_CAT(a, b, c)  EACH_CAT_(a, b, c)
#define EACH_LIST(...)     __VA_ARGS__
#define XT(name, params, args)                                                                                         \
    ROW(cublasStatus_t, EACH_CAT(cublasXt, P, name), params, args, xt_##name(TYPE, EACH_LIST args), FULL)
#define H cublasXtHandle_t handle
ROW(cublasStatus_t, cublasXtCreate, (cublasXtHandle_t * handle), (handle), xt_create(handle), FULL)
ROW(cublasStatus_t, cublasXtDestroy, (H), (handle), xt_destroy(handle), FULL)
ROW(cublasStatus_t, cublasXtGetNumBoards, (int nbDevices, int deviceId[], int *nbBoards),
    (nbDevices, deviceId, nbBoards), xt_count_boards(nbDevices, deviceId, nbBoards), FULL)
ROW(cublasStatus_t, cublasXtMaxBoards, (int *nbGpuBoards), (nbGpuBoards), xt_most_boards(nbGpuBoards), FULL)
ROW(cublasStatus_t, cublasXtDeviceSelect, (H, int nbDevices, int deviceId[]), (handle, nbDevices, deviceId),
    xt_select(handle, nbDevices, deviceId), FULL)
ROW(cublasStatus_t, cublasXtSetBlockDim, (H, int blockDim), (handle, blockDim), xt_set_block(handle, blockDim), FULL)
ROW(cublasStatus_t, cublasXtGetBlockDim, (H, int *blockDim), (handle, blockDim), xt_get_block(handle, blockDim), FULL)
ROW(cublasStatus_t, cublasXtGetPinningMemMode, (H, cublasXtPinnedMemMode_t *mode), (handle, mode),
    xt_get_pinning(handle, mode), FULL)
ROW(cublasStatus_t, cublasXtSetPinningMemMode, (H, cublasXtPinnedMemMode_t mode), (handle, mode),
    xt_set_pinning(handle, mode), FULL)
ROW(cublasStatus_t, cublasXtSetCpuRoutine, (H, cublasXtBlasOp_t blasOp, cublasXtOpType_t type, void *blasFunctor),
    (handle, blasOp, type, blasFunctor), xt_set_routine(handle, blasOp, type, blasFunctor), FULL)
ROW(cublasStatus_t, cublasXtSetCpuRatio, (H, cublasXtBlasOp_t blasOp, cublasXtOpType_t type, float ratio),
    (handle, blasOp, type, ratio), xt_set_ratio(handle, blasOp, type, ratio), FULL)
#undef H
#define EACH_TABLE "cublas/xt/xt.def"
#include "cublas/types.h"
#undef EACH_TABLE
#undef EACH_CAT_
#undef EACH_CAT
#undef EACH_LIST
#undef XT
