// SPDX-License-Identifier: Apache-2.0
// Wrong arguments, and what is refused: the documented status, and nothing else.
// nvcc: -lcufft
#include "reference.h"
#include <cufftXt.h>

static const cufftHandle NONE = 123456;

static void test_library()
{
    int v = 0;
    OK(cufftGetVersion(&v));
    CHECK(v == CUFFT_VERSION);
    OK(cufftGetProperty(MAJOR_VERSION, &v));
    CHECK(v == CUFFT_VER_MAJOR);
    GIVES(cufftGetProperty((libraryPropertyType)9, &v), CUFFT_INVALID_TYPE);
    GIVES(cufftGetProperty(MAJOR_VERSION, NULL), CUFFT_INVALID_VALUE);
}

static void test_handles()
{
    cufftHandle p, q;
    size_t w;
    GIVES(cufftCreate(NULL), CUFFT_INVALID_VALUE);
    OK(cufftDestroy(CUFFT_PLAN_NULL));
    GIVES(cufftDestroy(NONE), CUFFT_INVALID_PLAN);
    GIVES(cufftDestroy(0), CUFFT_INVALID_PLAN);
    OK(cufftCreate(&p));
    OK(cufftCreate(&q));
    CHECK(p != q);
    OK(cufftDestroy(p));
    GIVES(cufftDestroy(p), CUFFT_INVALID_PLAN);
    GIVES(cufftMakePlan1d(p, 8, CUFFT_C2C, 1, &w), CUFFT_INVALID_PLAN);
    OK(cufftMakePlan1d(q, 8, CUFFT_C2C, 1, &w));
    GIVES(cufftMakePlan1d(q, 8, CUFFT_C2C, 1, &w), CUFFT_INVALID_PLAN); // made already
    OK(cufftDestroy(q));
    GIVES(cufftSetStream(q, 0), CUFFT_INVALID_PLAN);
    GIVES(cufftSetWorkArea(q, NULL), CUFFT_INVALID_PLAN);
    GIVES(cufftSetAutoAllocation(q, 1), CUFFT_INVALID_PLAN);
    GIVES(cufftGetSize(q, &w), CUFFT_INVALID_PLAN);
    GIVES(cufftGetSize1d(q, 8, CUFFT_C2C, 1, &w), CUFFT_INVALID_PLAN);
    // Many of them: old handles are not taken for new ones.
    for (int i = 0; i < 300; i++) {
        OK(cufftPlan1d(&p, 4, CUFFT_C2C, 1));
        CHECK(p != q);
        OK(cufftDestroy(p));
        GIVES(cufftExecC2C(p, NULL, NULL, 1), CUFFT_INVALID_PLAN);
    }
}

static void test_plans()
{
    cufftHandle p = -7;
    size_t w;
    int n[4] = {8, 8, 8, 8}, zero[1] = {0};
    GIVES(cufftPlan1d(NULL, 8, CUFFT_C2C, 1), CUFFT_INVALID_VALUE);
    GIVES(cufftPlan1d(&p, 0, CUFFT_C2C, 1), CUFFT_INVALID_SIZE);
    GIVES(cufftPlan1d(&p, -3, CUFFT_C2C, 1), CUFFT_INVALID_SIZE);
    GIVES(cufftPlan1d(&p, 8, CUFFT_C2C, 0), CUFFT_INVALID_SIZE);
    GIVES(cufftPlan1d(&p, 8, (cufftType)99, 1), CUFFT_INVALID_TYPE);
    // as documented; NVIDIA's library makes a plan
    HEDDLE_ONLY(GIVES(cufftPlan2d(&p, 8, 0, CUFFT_C2C), CUFFT_INVALID_SIZE);
                GIVES(cufftPlan3d(&p, 8, 8, -1, CUFFT_C2C), CUFFT_INVALID_SIZE));
    GIVES(cufftPlanMany(&p, 0, n, NULL, 1, 8, NULL, 1, 8, CUFFT_C2C, 1), CUFFT_INVALID_VALUE);
    GIVES(cufftPlanMany(&p, 4, n, NULL, 1, 8, NULL, 1, 8, CUFFT_C2C, 1), CUFFT_INVALID_VALUE);
    GIVES(cufftPlanMany(&p, 1, NULL, NULL, 1, 8, NULL, 1, 8, CUFFT_C2C, 1), CUFFT_INVALID_VALUE);
    GIVES(cufftPlanMany(&p, 1, zero, NULL, 1, 8, NULL, 1, 8, CUFFT_C2C, 1), CUFFT_INVALID_SIZE);
    HEDDLE_ONLY(CHECK(p == -7)); // not written
    OK(cufftCreate(&p));
    GIVES(cufftMakePlan1d(p, 8, CUFFT_C2C, 1, NULL), CUFFT_INVALID_VALUE);
    GIVES(cufftMakePlan1d(p, 0, CUFFT_C2C, 1, &w), CUFFT_INVALID_SIZE);
    GIVES(cufftMakePlan1d(NONE, 0, (cufftType)99, 1, &w), CUFFT_INVALID_TYPE);
    GIVES(cufftMakePlan1d(NONE, 0, CUFFT_C2C, 1, &w), CUFFT_INVALID_PLAN);
    GIVES(cufftGetSize1d(p, 0, CUFFT_C2C, 1, &w), CUFFT_INVALID_SIZE);
    GIVES(cufftGetSize(p, NULL), CUFFT_INVALID_VALUE);
    GIVES(cufftEstimate1d(0, CUFFT_C2C, 1, &w), CUFFT_INVALID_SIZE);
    OK(cufftEstimate2d(64, 64, CUFFT_R2C, &w));
    OK(cufftEstimate3d(4, 4, 4, CUFFT_Z2D, &w));
    OK(cufftEstimateMany(2, n, NULL, 1, 0, NULL, 1, 0, CUFFT_C2C, 3, &w));
    long long big[3] = {1LL << 40, 1LL << 40, 1LL << 40};
    // NVIDIA's library makes a plan
    HEDDLE_ONLY(GIVES(cufftMakePlanMany64(p, 3, big, NULL, 1, 1, NULL, 1, 1, CUFFT_C2C, 1, &w), CUFFT_INVALID_SIZE));
    OK(cufftMakePlan1d(p, 8, CUFFT_C2C, 1, &w)); // after refusals
    OK(cufftDestroy(p));
}

static void test_exec()
{
    cufftHandle p;
    float2 *x;
    OK(cudaMalloc(&x, 4096));
    GIVES(cufftExecC2C(NONE, x, x, CUFFT_FORWARD), CUFFT_INVALID_PLAN);
    OK(cufftCreate(&p));
    GIVES(cufftExecC2C(p, x, x, CUFFT_FORWARD), CUFFT_INVALID_PLAN); // not made
    OK(cufftDestroy(p));
    OK(cufftPlan1d(&p, 16, CUFFT_C2C, 1));
    GIVES(cufftExecC2C(p, x, x, 0), CUFFT_INVALID_VALUE);
    // NVIDIA's library runs a kernel that faults, or that takes the memory for what it is not
    HEDDLE_ONLY(GIVES(cufftExecC2C(p, NULL, x, CUFFT_FORWARD), CUFFT_INVALID_VALUE);
                GIVES(cufftExecC2C(p, x, NULL, CUFFT_FORWARD), CUFFT_INVALID_VALUE);
                GIVES(cufftExecR2C(p, (float *)x, x), CUFFT_INVALID_TYPE);
                GIVES(cufftExecZ2Z(p, (double2 *)x, (double2 *)x, CUFFT_FORWARD), CUFFT_INVALID_TYPE));
    OK(cufftExecC2C(p, x, x, CUFFT_FORWARD));
    OK(cudaDeviceSynchronize());
    OK(cufftDestroy(p));
    GIVES(cufftExecC2C(p, x, x, CUFFT_FORWARD), CUFFT_INVALID_PLAN);
    OK(cudaFree(x));
}

static void test_properties()
{
    cufftHandle p;
    size_t w;
    long long v = -1;
    OK(cufftCreate(&p));
    OK(cufftGetPlanPropertyInt64(p, NVFFT_PLAN_PROPERTY_INT64_PATIENT_JIT, &v));
    CHECK(v == 0);
    OK(cufftSetPlanPropertyInt64(p, NVFFT_PLAN_PROPERTY_INT64_PATIENT_JIT, 1));
    OK(cufftGetPlanPropertyInt64(p, NVFFT_PLAN_PROPERTY_INT64_PATIENT_JIT, &v));
    CHECK(v == 1);
    OK(cufftResetPlanProperty(p, NVFFT_PLAN_PROPERTY_INT64_PATIENT_JIT));
    OK(cufftGetPlanPropertyInt64(p, NVFFT_PLAN_PROPERTY_INT64_PATIENT_JIT, &v));
    CHECK(v == 0);
    GIVES(cufftSetPlanPropertyInt64(p, (cufftProperty)77, 1), CUFFT_INVALID_VALUE);
    GIVES(cufftGetPlanPropertyInt64(p, NVFFT_PLAN_PROPERTY_INT64_PATIENT_JIT, NULL), CUFFT_INVALID_VALUE);
    GIVES(cufftSetPlanPropertyInt64(NONE, NVFFT_PLAN_PROPERTY_INT64_PATIENT_JIT, 1), CUFFT_INVALID_PLAN);
    OK(cufftMakePlan1d(p, 8, CUFFT_C2C, 1, &w));
    GIVES(cufftSetPlanPropertyInt64(p, NVFFT_PLAN_PROPERTY_INT64_PATIENT_JIT, 1), CUFFT_NOT_SUPPORTED);
    OK(cufftDestroy(p));
}

static void test_refused()
{
    cufftHandle p;
    void *routine = NULL;
    int gpus[2] = {0, 99};
    OK(cufftCreate(&p));
    // As the shared library of NVIDIA's: callbacks of this kind are for the static one.
    GIVES(cufftXtSetCallback(p, &routine, CUFFT_CB_LD_COMPLEX, NULL), CUFFT_NOT_IMPLEMENTED);
    GIVES(cufftXtClearCallback(p, CUFFT_CB_LD_COMPLEX), CUFFT_NOT_IMPLEMENTED);
    GIVES(cufftXtSetGPUs(NONE, 2, gpus), CUFFT_INVALID_PLAN);
    GIVES(cufftXtSetGPUs(p, 2, gpus), CUFFT_INVALID_DEVICE);
    GIVES(cufftXtMalloc(NONE, NULL, CUFFT_XT_FORMAT_INPLACE), CUFFT_INVALID_VALUE);
    GIVES(cufftXtExecDescriptorC2C(NONE, NULL, NULL, CUFFT_FORWARD), CUFFT_INVALID_PLAN);
    GIVES(cufftXtSetWorkArea(p, NULL), CUFFT_INVALID_VALUE);
    OK(cufftXtFree(NULL));
    OK(cufftDestroy(p));
}

int main()
{
    test_library();
    test_handles();
    test_plans();
    test_exec();
    test_properties();
    test_refused();
    return test_summary();
}
