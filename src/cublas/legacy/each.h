// SPDX-License-Identifier: Apache-2.0
// The functions of cublas.h, from legacy.def. Who includes this defines
//   ROW(result, name, (parameters), (arguments), call, status)
// and perhaps ROW_VOID(name, (parameters), (arguments), call) for those without a result, and gets the rows, those without a type first. OLD_DO(call) keeps the error of a call; OLD_GET(type, call) also has its result.
#define EACH_CAT_(a, b, c) a##b##c
#define EACH_CAT(a, b, c)  EACH_CAT_(a, b, c)
#ifndef ROW_VOID
#define ROW_VOID(name, params, args, call) ROW(void, name, params, args, call, FULL)
#endif
#define OLD(prefix, name, params, args, call) ROW_VOID(EACH_CAT(cublas, prefix, name), params, args, OLD_DO(call))
#define OLD_RESULT(type, prefix, name, params, args, call)                                                             \
    ROW(type, EACH_CAT(cublas, prefix, name), params, args, OLD_GET(type, call), FULL)
ROW(cublasStatus, cublasInit, (void), (), old_init(), FULL)
ROW(cublasStatus, cublasShutdown, (void), (), old_shutdown(), FULL)
ROW(cublasStatus, cublasGetError, (void), (), old_error(), FULL)
ROW(cublasStatus, cublasGetVersion, (int *version), (version), helper_version(OLD_HANDLE, version), FULL)
ROW(cublasStatus, cublasAlloc, (int n, int elemSize, void **devicePtr), (n, elemSize, devicePtr),
    old_alloc(n, elemSize, devicePtr), FULL)
ROW(cublasStatus, cublasFree, (void *devicePtr), (devicePtr), old_free(devicePtr), FULL)
ROW(cublasStatus, cublasSetKernelStream, (cudaStream_t stream), (stream), helper_set_stream(OLD_HANDLE, stream), FULL)
#define EACH_TABLE "cublas/legacy/legacy.def"
#include "cublas/types.h"
#undef EACH_TABLE
#undef EACH_CAT_
#undef EACH_CAT
#undef OLD
#undef OLD_RESULT
