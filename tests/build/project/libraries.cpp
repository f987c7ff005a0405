// SPDX-License-Identifier: Apache-2.0
// One result of each library that the project names (WITH_NAME), for libraries that are linked into the program. Returns 0 when all are right.
#include <cmath>
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

static int wrong;
#define RIGHT(what)                                                                                                    \
    do {                                                                                                               \
        if (!(what)) {                                                                                                 \
            std::printf("wrong: %s\n", #what);                                                                         \
            wrong = 1;                                                                                                 \
        }                                                                                                              \
    } while (0)

template <class T> static T *device(const std::vector<T> &host)
{
    T *d = nullptr;
    RIGHT(!cudaMalloc((void **)&d, host.size() * sizeof(T)));
    RIGHT(!cudaMemcpy(d, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice));
    return d;
}
template <class T> static std::vector<T> host(const T *d, size_t n)
{
    std::vector<T> h(n);
    RIGHT(!cudaMemcpy(h.data(), d, n * sizeof(T), cudaMemcpyDeviceToHost));
    return h;
}

#ifdef WITH_cublas
#include <cublas_v2.h>
static void cublas()
{
    cublasHandle_t h;
    const float one = 1, zero = 0;
    float *a = device<float>({1, 2, 3, 4}), *c = device<float>({0, 0, 0, 0});
    RIGHT(!cublasCreate(&h));
    RIGHT(!cublasSgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, a, 2, a, 2, &zero, c, 2));
    RIGHT((host(c, 4) == std::vector<float>{7, 10, 15, 22}));
    RIGHT(!cublasDestroy(h));
}
#endif

#ifdef WITH_cublasLt
#include <cublasLt.h>
static void cublasLt()
{
    cublasLtHandle_t h;
    cublasLtMatmulDesc_t d;
    cublasLtMatrixLayout_t l;
    const float one = 1, zero = 0;
    float *a = device<float>({1, 2, 3, 4}), *c = device<float>({0, 0, 0, 0});
    RIGHT(!cublasLtCreate(&h));
    RIGHT(!cublasLtMatmulDescCreate(&d, CUBLAS_COMPUTE_32F, CUDA_R_32F));
    RIGHT(!cublasLtMatrixLayoutCreate(&l, CUDA_R_32F, 2, 2, 2));
    RIGHT(!cublasLtMatmul(h, d, &one, a, l, a, l, &zero, c, l, c, l, nullptr, nullptr, 0, 0));
    RIGHT((host(c, 4) == std::vector<float>{7, 10, 15, 22}));
    RIGHT(!cublasLtDestroy(h));
}
#endif

#ifdef WITH_cufft
#include <cufft.h>
static void cufft()
{
    cufftHandle plan;
    float *x = device<float>({1, 0, 2, 0, 3, 0, 4, 0});
    RIGHT(!cufftPlan1d(&plan, 4, CUFFT_C2C, 1));
    RIGHT(!cufftExecC2C(plan, (cufftComplex *)x, (cufftComplex *)x, CUFFT_FORWARD));
    RIGHT((host(x, 8) == std::vector<float>{10, 0, -2, 2, -2, 0, -2, -2}));
    RIGHT(!cufftDestroy(plan));
}
#endif

#ifdef WITH_cufftw
#include <cufftw.h>
static void cufftw()
{
    fftwf_complex x[2] = {{3, 0}, {1, 0}};
    fftwf_plan plan = fftwf_plan_dft_1d(2, x, x, FFTW_FORWARD, FFTW_ESTIMATE);
    fftwf_execute(plan);
    RIGHT(x[0][0] == 4 && x[1][0] == 2);
    fftwf_destroy_plan(plan);
}
#endif

#ifdef WITH_cusparse
#include <cusparse.h>
static void cusparse()
{
    cusparseHandle_t h;
    cusparseSpVecDescr_t x;
    int *at = device<int>({0, 3});
    float *value = device<float>({2, 5}), *y = device<float>({1, 1, 1, 1});
    RIGHT(!cusparseCreate(&h));
    RIGHT(!cusparseCreateSpVec(&x, 4, 2, at, value, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
    cusparseDnVecDescr_t dense;
    RIGHT(!cusparseCreateDnVec(&dense, 4, y, CUDA_R_32F));
    RIGHT(!cusparseScatter(h, x, dense));
    RIGHT((host(y, 4) == std::vector<float>{2, 1, 1, 5}));
    RIGHT(!cusparseDestroy(h));
}
#endif

#ifdef WITH_cusolver
#include <cusolverDn.h>
static void cusolver()
{
    cusolverDnHandle_t h;
    int bytes = 0, *info = device<int>({7});
    float *a = device<float>({4, 2, 2, 5}), *work;
    RIGHT(!cusolverDnCreate(&h));
    RIGHT(!cusolverDnSpotrf_bufferSize(h, CUBLAS_FILL_MODE_LOWER, 2, a, 2, &bytes));
    RIGHT(!cudaMalloc((void **)&work, (size_t)(bytes + 1) * sizeof(float)));
    RIGHT(!cusolverDnSpotrf(h, CUBLAS_FILL_MODE_LOWER, 2, a, 2, work, bytes, info));
    std::vector<float> l = host(a, 4);
    RIGHT(l[0] == 2 && l[1] == 1 && l[3] == 2 && host(info, 1)[0] == 0);
    RIGHT(!cusolverDnDestroy(h));
}
#endif

#ifdef WITH_curand
#include <curand.h>
static void curand()
{
    curandGenerator_t g;
    float *x = device(std::vector<float>(1000, 7));
    RIGHT(!curandCreateGenerator(&g, CURAND_RNG_PSEUDO_PHILOX4_32_10));
    RIGHT(!curandGenerateUniform(g, x, 1000));
    double sum = 0;
    for (float f : host(x, 1000))
        sum += f;
    RIGHT(sum > 450 && sum < 550);
    RIGHT(!curandDestroyGenerator(g));
}
#endif

#ifdef WITH_nvjpeg
#include <nvjpeg.h>
static void nvjpeg()
{
    nvjpegHandle_t h;
    int parts = 0, widths[NVJPEG_MAX_COMPONENT], heights[NVJPEG_MAX_COMPONENT];
    nvjpegChromaSubsampling_t sampling;
    const unsigned char nothing[4] = {1, 2, 3, 4};
    RIGHT(!nvjpegCreateSimple(&h));
    RIGHT(nvjpegGetImageInfo(h, nothing, sizeof nothing, &parts, &sampling, widths, heights) == NVJPEG_STATUS_BAD_JPEG);
    RIGHT(!nvjpegDestroy(h));
}
#endif

#ifdef WITH_nccl
#include <nccl.h>
static void nccl()
{
    ncclComm_t comm;
    const int device_number = 0;
    float *x = device<float>({5, 6});
    RIGHT(!ncclCommInitAll(&comm, 1, &device_number));
    RIGHT(!ncclAllReduce(x, x, 2, ncclFloat, ncclSum, comm, nullptr));
    RIGHT((host(x, 2) == std::vector<float>{5, 6}));
    RIGHT(!ncclCommDestroy(comm));
}
#endif

int main()
{
#ifdef WITH_cublas
    cublas();
#endif
#ifdef WITH_cublasLt
    cublasLt();
#endif
#ifdef WITH_cufft
    cufft();
#endif
#ifdef WITH_cufftw
    cufftw();
#endif
#ifdef WITH_cusparse
    cusparse();
#endif
#ifdef WITH_cusolver
    cusolver();
#endif
#ifdef WITH_curand
    curand();
#endif
#ifdef WITH_nvjpeg
    nvjpeg();
#endif
#ifdef WITH_nccl
    nccl();
#endif
    return wrong;
}
