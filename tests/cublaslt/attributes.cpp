// SPDX-License-Identifier: Apache-2.0
// Descriptors: sizes and defaults of all attributes, what is set is read again, sizes that do not fit; versions, statuses, the logger.
#include "lt_test.h"
#include <dlfcn.h>

// One way to call the functions of all kinds of descriptors.
struct functions {
    cublasStatus_t (*set)(void *, int, const void *, size_t);
    cublasStatus_t (*get)(void *, int, void *, size_t, size_t *);
};
#define FUNCTIONS(name, Attributes)                                                                                    \
    {[](void *o, int a, const void *b, size_t n) {                                                                     \
         return cublasLt##name##SetAttribute((cublasLt##name##_t)o, (Attributes)a, b, n);                              \
     },                                                                                                                \
     [](void *o, int a, void *b, size_t n, size_t *w) {                                                                \
         return cublasLt##name##GetAttribute((cublasLt##name##_t)o, (Attributes)a, b, n, w);                           \
     }}

struct attribute {
    int number;
    size_t bytes;
    unsigned long long initial;
};

static void check_all(const functions &f, void *object, const std::vector<attribute> &all, int last)
{
    unsigned char buffer[16];
    size_t written;
    int next = 0;
    for (const attribute &a : all) {
        unsigned long long value = 0, other;
        written = 0;
        WANT(f.get(object, a.number, nullptr, 0, &written), CUBLAS_STATUS_SUCCESS);
        CHECK(written == a.bytes);
        written = 0;
        OK(f.get(object, a.number, &value, a.bytes, &written));
        CHECK(written == a.bytes && value == a.initial);
        OK(f.get(object, a.number, &value, a.bytes, nullptr));
        WANT(f.get(object, a.number, nullptr, 0, nullptr), CUBLAS_STATUS_INVALID_VALUE);
        WANT(f.get(object, a.number, nullptr, a.bytes, &written), CUBLAS_STATUS_INVALID_VALUE);
        WANT(f.get(object, a.number, buffer, a.bytes + 1, &written), CUBLAS_STATUS_INVALID_VALUE);
        WANT(f.get(nullptr, a.number, buffer, a.bytes, &written), CUBLAS_STATUS_INVALID_VALUE);
        // any value is kept
        value = 0x1122334455667788ull + (unsigned)a.number;
        other = 0;
        OK(f.set(object, a.number, &value, a.bytes));
        OK(f.get(object, a.number, &other, a.bytes, &written));
        CHECK(!memcmp(&value, &other, a.bytes));
        WANT(f.set(object, a.number, nullptr, a.bytes), CUBLAS_STATUS_INVALID_VALUE);
        WANT(f.set(object, a.number, &value, a.bytes + 1), CUBLAS_STATUS_INVALID_VALUE);
        WANT(f.set(object, a.number, &value, 0), CUBLAS_STATUS_INVALID_VALUE);
        WANT(f.set(nullptr, a.number, &value, a.bytes), CUBLAS_STATUS_INVALID_VALUE);
    }
    // and one did not change another
    for (const attribute &a : all) {
        unsigned long long value = 0x1122334455667788ull + (unsigned)a.number, other = 0;
        OK(f.get(object, a.number, &other, a.bytes, nullptr));
        CHECK(!memcmp(&value, &other, a.bytes));
        next = a.number + 1;
    }
    CHECK(next == last);
    for (int none : {-1, last, last + 100}) {
        WANT(f.get(object, none, nullptr, 0, &written), CUBLAS_STATUS_INVALID_VALUE);
        WANT(f.set(object, none, buffer, 4), CUBLAS_STATUS_INVALID_VALUE);
    }
}

static void layouts()
{
    static const functions f = FUNCTIONS(MatrixLayout, cublasLtMatrixLayoutAttribute_t);
    const std::vector<attribute> all = {{0, 4, CUDA_R_16F}, {1, 4, 0}, {2, 8, 40}, {3, 8, 50}, {4, 8, 44},
                                        {5, 4, 1},          {6, 8, 0}, {7, 8, 0},  {8, 4, 0}};
    cublasLtMatrixLayout_t l = nullptr;
    cublasLtMatrixLayoutOpaque_t own;
    OK(cublasLtMatrixLayoutCreate(&l, CUDA_R_16F, 40, 50, 44));
    check_all(f, l, all, 9);
    OK(cublasLtMatrixLayoutDestroy(l));
    memset(&own, 0xee, sizeof own);
    OK(cublasLtMatrixLayoutInit(&own, CUDA_R_16F, 40, 50, 44));
    check_all(f, &own, all, 9);
    WANT(cublasLtMatrixLayoutCreate(nullptr, CUDA_R_16F, 40, 50, 44), CUBLAS_STATUS_INVALID_VALUE);
    WANT(cublasLtMatrixLayoutInit_internal(&own, sizeof own - 1, CUDA_R_16F, 1, 1, 1), CUBLAS_STATUS_ALLOC_FAILED);
    OK(cublasLtMatrixLayoutInit_internal(&own, sizeof own + 64, CUDA_R_16F, 1, 1, 1));
    WANT(cublasLtMatrixLayoutInit_internal(nullptr, sizeof own, CUDA_R_16F, 1, 1, 1), CUBLAS_STATUS_INVALID_VALUE);
    OK(cublasLtMatrixLayoutDestroy(nullptr));
}

static void descriptors()
{
    static const functions f = FUNCTIONS(MatmulDesc, cublasLtMatmulDescAttributes_t);
    std::vector<attribute> all = {{0, 4, CUBLAS_COMPUTE_64F},
                                  {1, 4, CUDA_R_64F},
                                  {2, 4, 0},
                                  {3, 4, 0},
                                  {4, 4, 0},
                                  {5, 4, 0},
                                  {6, 4, CUBLAS_FILL_MODE_FULL},
                                  {7, 4, CUBLASLT_EPILOGUE_DEFAULT},
                                  {8, 8, 0},
                                  {10, 8, 0},
                                  {11, 8, 0},
                                  {12, 8, 0},
                                  {13, 8, 0},
                                  {14, 8, 0},
                                  {15, 4, 0},
                                  {17, 8, 0},
                                  {18, 8, 0},
                                  {19, 8, 0},
                                  {20, 8, 0},
                                  {21, 8, 0},
                                  {22, 4, 0xffffffff},
                                  {23, 8, 0},
                                  {24, 8, 0},
                                  {25, 1, 0},
                                  {26, 4, 0xffffffff},
                                  {31, 4, 0},
                                  {32, 4, 0},
                                  {33, 4, 0},
                                  {34, 4, 0},
                                  {35, 4, 0},
                                  {36, 8, 0},
                                  {37, 4, 0},
                                  {38, 8, 0}};
    cublasLtMatmulDesc_t d = nullptr;
    cublasLtMatmulDescOpaque_t own;
    OK(cublasLtMatmulDescCreate(&d, CUBLAS_COMPUTE_64F, CUDA_R_64F));
    check_all(f, d, all, 39);
    OK(cublasLtMatmulDescDestroy(d));
    OK(cublasLtMatmulDescInit(&own, CUBLAS_COMPUTE_64F, CUDA_R_64F));
    check_all(f, &own, all, 39);
    WANT(cublasLtMatmulDescCreate(nullptr, CUBLAS_COMPUTE_64F, CUDA_R_64F), CUBLAS_STATUS_INVALID_VALUE);
    WANT(cublasLtMatmulDescInit_internal(&own, 16, CUBLAS_COMPUTE_64F, CUDA_R_64F), CUBLAS_STATUS_ALLOC_FAILED);
    for (int none : {9, 27, 30}) {
        size_t written;
        WANT(cublasLtMatmulDescGetAttribute(&own, (cublasLtMatmulDescAttributes_t)none, nullptr, 0, &written),
             CUBLAS_STATUS_INVALID_VALUE);
    }
    OK(cublasLtMatmulDescDestroy(nullptr));
}

static void others()
{
    static const functions t = FUNCTIONS(MatrixTransformDesc, cublasLtMatrixTransformDescAttributes_t),
                           p = FUNCTIONS(MatmulPreference, cublasLtMatmulPreferenceAttributes_t),
                           e = FUNCTIONS(EmulationDesc, cublasLtEmulationDescAttributes_t);
    cublasLtMatrixTransformDesc_t transform;
    cublasLtMatrixTransformDescOpaque_t own_transform;
    OK(cublasLtMatrixTransformDescCreate(&transform, CUDA_C_32F));
    check_all(t, transform, {{0, 4, CUDA_C_32F}, {1, 4, 0}, {2, 4, 0}, {3, 4, 0}}, 4);
    OK(cublasLtMatrixTransformDescDestroy(transform));
    OK(cublasLtMatrixTransformDescInit(&own_transform, CUDA_R_32F));
    check_all(t, &own_transform, {{0, 4, CUDA_R_32F}, {1, 4, 0}, {2, 4, 0}, {3, 4, 0}}, 4);
    WANT(cublasLtMatrixTransformDescCreate(nullptr, CUDA_C_32F), CUBLAS_STATUS_INVALID_VALUE);
    WANT(cublasLtMatrixTransformDescInit_internal(&own_transform, 8, CUDA_R_32F), CUBLAS_STATUS_ALLOC_FAILED);

    const std::vector<attribute> wishes = {{0, 4, 0},   {1, 8, 0},   {3, 4, 7}, {5, 4, 256},   {6, 4, 256},
                                           {7, 4, 256}, {8, 4, 256}, {9, 4, 0}, {12, 8, ~0ull}};
    cublasLtMatmulPreference_t preference;
    cublasLtMatmulPreferenceOpaque_t own_preference;
    OK(cublasLtMatmulPreferenceCreate(&preference));
    check_all(p, preference, wishes, 13);
    OK(cublasLtMatmulPreferenceDestroy(preference));
    OK(cublasLtMatmulPreferenceInit(&own_preference));
    check_all(p, &own_preference, wishes, 13);
    WANT(cublasLtMatmulPreferenceCreate(nullptr), CUBLAS_STATUS_INVALID_VALUE);
    WANT(cublasLtMatmulPreferenceInit_internal(&own_preference, 8), CUBLAS_STATUS_ALLOC_FAILED);

    const std::vector<attribute> emulated = {{0, 4, 0}, {1, 4, 0xffff}, {2, 4, 0}, {3, 4, 0}, {4, 4, 0}, {5, 8, 0}};
    cublasLtEmulationDesc_t emulation;
    cublasLtEmulationDescOpaque_t own_emulation;
    OK(cublasLtEmulationDescCreate(&emulation));
    check_all(e, emulation, emulated, 6);
    OK(cublasLtEmulationDescDestroy(emulation));
    OK(cublasLtEmulationDescInit(&own_emulation));
    check_all(e, &own_emulation, emulated, 6);
    WANT(cublasLtEmulationDescCreate(nullptr), CUBLAS_STATUS_INVALID_VALUE);
    WANT(cublasLtEmulationDescInit_internal(&own_emulation, 8), CUBLAS_STATUS_ALLOC_FAILED);
}

static void library()
{
    int major = 0, minor = 0, patch = 0;
    OK(cublasLtGetProperty(MAJOR_VERSION, &major));
    OK(cublasLtGetProperty(MINOR_VERSION, &minor));
    OK(cublasLtGetProperty(PATCH_LEVEL, &patch));
    CHECK(cublasLtGetVersion() == (size_t)(major * 10000 + minor * 100 + patch));
    CHECK(cublasLtGetCudartVersion() >= 12000 && cublasLtGetCudartVersion() % 10 == 0);
    WANT(cublasLtGetProperty((libraryPropertyType)9, &major), CUBLAS_STATUS_INVALID_VALUE);
    WANT(cublasLtGetProperty(MAJOR_VERSION, nullptr), CUBLAS_STATUS_INVALID_VALUE);
    CHECK(!strcmp(cublasLtGetStatusName(CUBLAS_STATUS_INVALID_VALUE), "CUBLAS_STATUS_INVALID_VALUE"));
    CHECK(!strcmp(cublasLtGetStatusName(CUBLAS_STATUS_SUCCESS), "CUBLAS_STATUS_SUCCESS"));
    CHECK(strlen(cublasLtGetStatusString(CUBLAS_STATUS_NOT_SUPPORTED)) > 10);
    CHECK(strcmp(cublasLtGetStatusString(CUBLAS_STATUS_NOT_SUPPORTED),
                 cublasLtGetStatusString(CUBLAS_STATUS_ALLOC_FAILED)));
    CHECK(!strcmp(cublasLtGetStatusName((cublasStatus_t)99), "unrecognized status"));
    CHECK(!strcmp(cublasLtGetStatusString((cublasStatus_t)99), "unrecognized status"));
    size_t capacity = 0;
    OK(cublasLtHeuristicsCacheGetCapacity(&capacity));
    CHECK(capacity > 0);
    OK(cublasLtHeuristicsCacheSetCapacity(123));
    OK(cublasLtHeuristicsCacheGetCapacity(&capacity));
    HEDDLE_ONLY(CHECK(capacity == 123)); // NVIDIA's rounds it
    WANT(cublasLtHeuristicsCacheGetCapacity(nullptr), CUBLAS_STATUS_INVALID_VALUE);
    // NVIDIA's header declares it, and its shared library has it not.
    auto disable = (unsigned (*)(unsigned))dlsym(RTLD_DEFAULT, "cublasLtDisableCpuInstructionsSetMask");
    HEDDLE_ONLY(CHECK(disable && disable(5) == 0); CHECK(disable && disable(0) == 5 && disable(0) == 0));
}

static std::string heard;
static int heard_level;
static void hear(int level, const char *name, const char *message)
{
    heard_level = level;
    heard += name;
    CHECK(message && *message);
}

static void logger()
{
    int value;
    OK(cublasLtLoggerSetCallback(hear));
    OK(cublasLtLoggerSetLevel(5));
    OK(cublasLtGetProperty(MAJOR_VERSION, &value));
    cublasLtMatrixLayout_t l;
    OK(cublasLtMatrixLayoutCreate(&l, CUDA_R_32F, 1, 1, 1));
    OK(cublasLtMatrixLayoutDestroy(l));
    HEDDLE_ONLY(CHECK(heard.find("cublasLtMatrixLayoutCreate") != std::string::npos && heard_level == 5));
    WANT(cublasLtLoggerSetLevel(99), CUBLAS_STATUS_INVALID_VALUE);
    WANT(cublasLtLoggerSetLevel(-1), CUBLAS_STATUS_INVALID_VALUE);
    OK(cublasLtLoggerSetLevel(0));
    heard.clear();
    OK(cublasLtGetProperty(MAJOR_VERSION, &value));
    CHECK(heard.empty());
    OK(cublasLtLoggerSetMask(16));
    OK(cublasLtGetProperty(MAJOR_VERSION, &value));
    HEDDLE_ONLY(CHECK(heard == "cublasLtGetProperty"));
    OK(cublasLtLoggerSetMask(0));
    WANT(cublasLtLoggerOpenFile("/nowhere/at/all"), CUBLAS_STATUS_INVALID_VALUE);
    OK(cublasLtLoggerSetFile(nullptr));
    OK(cublasLtLoggerSetCallback(nullptr));
    OK(cublasLtLoggerForceDisable());
}

int main()
{
    layouts();
    descriptors();
    others();
    library();
    logger();
    return summary();
}
