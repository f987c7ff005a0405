// SPDX-License-Identifier: Apache-2.0
// Handles and what is set in them, parameters, versions.
#include "cusolver/solver.h"
#include "library/stub.h"

const struct library library_self = {"cuSOLVER", "libcusolver.so.12", NULL, NULL};

void *solver_object_create(enum solver_kind kind)
{
    struct solver_object *o = library_handle_create(SOLVER_OBJECT_BYTES);
    if (o)
        o->kind = kind;
    return o;
}
_Static_assert(sizeof(struct cusolverDnContext) <= SOLVER_OBJECT_BYTES, "an object");

cusolverStatus_t solver_status(cudaError_t e)
{
    return e == cudaSuccess                 ? CUSOLVER_STATUS_SUCCESS
           : e == cudaErrorMemoryAllocation ? CUSOLVER_STATUS_ALLOC_FAILED
           : e == cudaErrorInvalidValue     ? CUSOLVER_STATUS_INVALID_VALUE
                                            : CUSOLVER_STATUS_EXECUTION_FAILED;
}

cusolverStatus_t solver_GetProperty(libraryPropertyType type, int *value)
{
    static const int numbers[] = {CUSOLVER_VER_MAJOR, CUSOLVER_VER_MINOR, CUSOLVER_VER_PATCH};
    SOLVER_CHECK(value && (unsigned)type <= PATCH_LEVEL);
    *value = numbers[type];
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t solver_GetVersion(int *version)
{
    SOLVER_CHECK(version);
    *version = CUSOLVER_VERSION;
    return CUSOLVER_STATUS_SUCCESS;
}

// Makes the device's context, also while a stream is captured.
static bool context_make(void)
{
    enum cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
    cudaThreadExchangeStreamCaptureMode(&mode);
    cudaError_t e = cudaFree(NULL);
    cudaThreadExchangeStreamCaptureMode(&mode);
    return e == cudaSuccess;
}

cusolverStatus_t solver_DnCreate(cusolverDnHandle_t *handle)
{
    SOLVER_CHECK(handle);
    if (!context_make())
        return CUSOLVER_STATUS_NOT_INITIALIZED;
    SOLVER_MAKE(handle, OBJECT_DN);
    (*handle)->deterministic = CUSOLVER_DETERMINISTIC_RESULTS;
    (*handle)->math = CUSOLVER_DEFAULT_MATH;
    library_scratch_init(&(*handle)->scratch);
    return CUSOLVER_STATUS_SUCCESS;
}

// Waits for the device: work under way may use the handle's memory.
cusolverStatus_t solver_DnDestroy(cusolverDnHandle_t h)
{
    DN_ENTER(h);
    cudaDeviceSynchronize();
    library_scratch_fini(&h->scratch);
    library_handle_destroy(h);
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t solver_SpCreate(cusolverSpHandle_t *handle)
{
    SOLVER_CHECK(handle);
    if (!context_make())
        return CUSOLVER_STATUS_NOT_INITIALIZED;
    SOLVER_MAKE(handle, OBJECT_SP);
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t solver_SpDestroy(cusolverSpHandle_t h)
{
    SP_ENTER(h);
    cudaDeviceSynchronize();
    library_handle_destroy(h);
    return CUSOLVER_STATUS_SUCCESS;
}

// ---- settings: what is set is checked, and read again
#define SETTING(enter, Library, Name, handle_type, value_type, field, valid)                                           \
    cusolverStatus_t solver_##Library##Set##Name(handle_type h, value_type value)                                      \
    {                                                                                                                  \
        enter(h);                                                                                                      \
        SOLVER_CHECK(valid);                                                                                           \
        h->field = value;                                                                                              \
        return CUSOLVER_STATUS_SUCCESS;                                                                                \
    }                                                                                                                  \
    cusolverStatus_t solver_##Library##Get##Name(handle_type h, value_type *value)                                     \
    {                                                                                                                  \
        enter(h);                                                                                                      \
        SOLVER_CHECK(value);                                                                                           \
        *value = h->field;                                                                                             \
        return CUSOLVER_STATUS_SUCCESS;                                                                                \
    }
SETTING(DN_ENTER, Dn, Stream, cusolverDnHandle_t, cudaStream_t, stream, true)
SETTING(SP_ENTER, Sp, Stream, cusolverSpHandle_t, cudaStream_t, stream, true)
SETTING(DN_ENTER, Dn, DeterministicMode, cusolverDnHandle_t, cusolverDeterministicMode_t, deterministic,
        value == CUSOLVER_DETERMINISTIC_RESULTS || value == CUSOLVER_ALLOW_NON_DETERMINISTIC_RESULTS)
SETTING(DN_ENTER, Dn, MathMode, cusolverDnHandle_t, cusolverMathMode_t, math,
        value == CUSOLVER_DEFAULT_MATH || value == CUSOLVER_FP32_EMULATED_BF16X9_MATH)
SETTING(DN_ENTER, Dn, EmulationStrategy, cusolverDnHandle_t, cudaEmulationStrategy_t, strategy,
        (unsigned)value <= CUDA_EMULATION_STRATEGY_EAGER)

// ---- parameters of the functions for all types
cusolverStatus_t solver_DnCreateParams(cusolverDnParams_t *params)
{
    SOLVER_MAKE(params, OBJECT_PARAMS);
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t solver_DnDestroyParams(cusolverDnParams_t params)
{
    if (!params)
        return CUSOLVER_STATUS_SUCCESS;
    SOLVER_CHECK(solver_object_is(params, OBJECT_PARAMS));
    library_handle_destroy(params);
    return CUSOLVER_STATUS_SUCCESS;
}

// The algorithm is a hint.
cusolverStatus_t solver_DnSetAdvOptions(cusolverDnParams_t params, cusolverDnFunction_t function,
                                        cusolverAlgMode_t algorithm)
{
    SOLVER_CHECK(solver_object_is(params, OBJECT_PARAMS) && (unsigned)function <= CUSOLVERDN_SYEVBATCHED &&
                 (unsigned)algorithm <= CUSOLVER_ALG_2);
    params->algorithm[function] = algorithm;
    return CUSOLVER_STATUS_SUCCESS;
}
