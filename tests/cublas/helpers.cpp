// SPDX-License-Identifier: Apache-2.0
// What is set in a handle and read again, transfers, texts and the logger.
#include "blas_test.h"

static int lines, names;
static void note(const char *line)
{
    lines++;
    names += strstr(line, "cublasSscal") != nullptr;
}

int main()
{
    cublasHandle_t h;
    OK(cublasCreate(&h));
    int value = 0, major = 0, minor = 0, patch = 0;
    OK(cublasGetVersion(h, &value));
    OK(cublasGetProperty(MAJOR_VERSION, &major));
    OK(cublasGetProperty(MINOR_VERSION, &minor));
    OK(cublasGetProperty(PATCH_LEVEL, &patch));
    CHECK(value == major * 10000 + minor * 100 + patch);
    WANT(cublasGetProperty((libraryPropertyType)9, &value), CUBLAS_STATUS_INVALID_VALUE);

    cublasPointerMode_t pointer;
    OK(cublasGetPointerMode(h, &pointer));
    CHECK(pointer == CUBLAS_POINTER_MODE_HOST);
    OK(cublasSetPointerMode(h, CUBLAS_POINTER_MODE_DEVICE));
    OK(cublasGetPointerMode(h, &pointer));
    CHECK(pointer == CUBLAS_POINTER_MODE_DEVICE);
    OK(cublasSetPointerMode(h, CUBLAS_POINTER_MODE_HOST));
    cublasAtomicsMode_t atomics;
    OK(cublasSetAtomicsMode(h, CUBLAS_ATOMICS_ALLOWED));
    OK(cublasGetAtomicsMode(h, &atomics));
    CHECK(atomics == CUBLAS_ATOMICS_ALLOWED);
    cublasMath_t math;
    OK(cublasGetMathMode(h, &math));
    CHECK(math == CUBLAS_DEFAULT_MATH);
    OK(cublasSetMathMode(h, CUBLAS_TF32_TENSOR_OP_MATH));
    OK(cublasGetMathMode(h, &math));
    CHECK(math == CUBLAS_TF32_TENSOR_OP_MATH);
    OK(cublasSetMathMode(h, CUBLAS_DEFAULT_MATH));
    OK(cublasSetSmCountTarget(h, 2));
    OK(cublasGetSmCountTarget(h, &value));
    CHECK(value == 2);
    OK(cublasSetSmCountTarget(h, 0));
    cudaStream_t s, got = nullptr;
    CUDA(cudaStreamCreate(&s));
    OK(cublasSetStream(h, s));
    OK(cublasGetStream(h, &got));
    CHECK(got == s);
    CHECK(!strcmp(cublasGetStatusName(CUBLAS_STATUS_INVALID_VALUE), "CUBLAS_STATUS_INVALID_VALUE"));
    CHECK(strlen(cublasGetStatusString(CUBLAS_STATUS_ALLOC_FAILED)) > 5);

    // vectors with steps, matrices with leading dimensions
    float host[60], back[60];
    for (int i = 0; i < 60; i++) {
        host[i] = (float)i;
        back[i] = -1;
    }
    float *dev;
    CUDA(cudaMalloc(&dev, sizeof host));
    CUDA(cudaMemset(dev, 0, sizeof host));
    OK(cublasSetVector(10, sizeof(float), host, 2, dev, 3));
    OK(cublasGetVector(10, sizeof(float), dev, 3, back, 1));
    bool same = true;
    for (int i = 0; i < 10; i++)
        same &= back[i] == (float)(2 * i);
    CHECK(same && back[10] == -1);
    OK(cublasSetMatrix(4, 5, sizeof(float), host, 6, dev, 7));
    OK(cublasGetMatrixAsync(4, 5, sizeof(float), dev, 7, back, 4, s));
    CUDA(cudaStreamSynchronize(s));
    same = true;
    for (int j = 0; j < 5; j++)
        for (int i = 0; i < 4; i++)
            same &= back[i + 4 * j] == (float)(i + 6 * j);
    CHECK(same);
    OK(cublasSetVectorAsync(5, sizeof(float), host, 1, dev, 1, s));
    OK(cublasGetVectorAsync(5, sizeof(float), dev, 1, back, 2, s));
    CUDA(cudaStreamSynchronize(s));
    CHECK(back[8] == 4 && back[0] == 0);
    OK(cublasSetMatrixAsync(2, 2, sizeof(double), host, 2, dev, 2, s));
    OK(cublasSetMatrix_64(2, 2, sizeof(double), host, 2, dev, 2));

    // the logger
    cublasLogCallback callback = nullptr;
    OK(cublasSetLoggerCallback(note));
    OK(cublasGetLoggerCallback(&callback));
    CHECK(callback == note);
    float one = 1;
    OK(cublasSscal(h, 4, &one, dev, 1));
    CHECK(lines > 0);
    CHECK(names > 0);
    OK(cublasSetLoggerCallback(nullptr));
    OK(cublasLoggerConfigure(0, 0, 0, nullptr));
    int before = lines;
    OK(cublasSscal(h, 4, &one, dev, 1));
    CHECK(lines == before);

    // many handles
    cublasHandle_t list[200];
    for (cublasHandle_t &x : list)
        OK(cublasCreate(&x));
    for (cublasHandle_t x : list)
        OK(cublasDestroy(x));
    OK(cublasDestroy(h));
    CUDA(cudaFree(dev));
    CUDA(cudaStreamDestroy(s));
    return summary();
}
