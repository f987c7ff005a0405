// SPDX-License-Identifier: Apache-2.0
// Functions with types as arguments, and those of half precision: values, and combinations that are not supported.
#include "blas_test.h"
#include <cuda_bf16.h>
#include <cuda_fp16.h>

static cublasHandle_t h;

template <class E> struct half_type;
template <> struct half_type<__half> {
    static const cudaDataType type = CUDA_R_16F;
    static constexpr double eps = 1.0 / 1024;
    static float to(__half e)
    {
        return __half2float(e);
    }
    static __half of(float f)
    {
        return __float2half(f);
    }
};
template <> struct half_type<__nv_bfloat16> {
    static const cudaDataType type = CUDA_R_16BF;
    static constexpr double eps = 1.0 / 128;
    static float to(__nv_bfloat16 e)
    {
        return __bfloat162float(e);
    }
    static __nv_bfloat16 of(float f)
    {
        return __float2bfloat16(f);
    }
};

// Device memory with any type of elements.
template <class E> struct buffer {
    std::vector<E> host;
    E *dev = nullptr;
    explicit buffer(size_t n) : host(n)
    {
        cudaMalloc(&dev, n * sizeof(E));
    }
    buffer(const buffer &) = delete;
    ~buffer()
    {
        cudaFree(dev);
    }
    void push()
    {
        cudaMemcpy(dev, host.data(), host.size() * sizeof(E), cudaMemcpyHostToDevice);
    }
    void pull()
    {
        cudaMemcpy(host.data(), dev, host.size() * sizeof(E), cudaMemcpyDeviceToHost);
    }
};

template <class E> static void fill(buffer<E> &b)
{
    for (E &e : b.host)
        e = half_type<E>::of((float)random_unit());
    b.push();
}

// C of half precision or of float; alpha and beta in the type of the sums.
template <class E, class F, class S>
static void gemm_half(cudaDataType result, cublasComputeType_t compute, double bound)
{
    const int SIZES[][3] = {{3, 5, 7}, {33, 20, 64}, {130, 17, 300}};
    for (auto &s : SIZES)
        for (cublasOperation_t oa : OPERATIONS)
            for (cublasOperation_t ob : OPERATIONS) {
                int m = s[0], n = s[1], k = s[2], lda = oa == CUBLAS_OP_N ? m : k, ldb = ob == CUBLAS_OP_N ? k : n,
                    ldc = m + 1;
                buffer<E> a((size_t)m * k), b((size_t)k * n);
                buffer<F> c((size_t)ldc * n);
                fill(a);
                fill(b);
                for (F &f : c.host)
                    f = F((float)random_unit());
                c.push();
                std::vector<F> before = c.host;
                S alpha = S(0.5f), beta = S(-2.0f);
                OK(cublasGemmEx(h, oa, ob, m, n, k, &alpha, a.dev, half_type<E>::type, lda, b.dev, half_type<E>::type,
                                ldb, &beta, c.dev, result, ldc, compute, CUBLAS_GEMM_DEFAULT));
                c.pull();
                double worst = 0;
                for (int j = 0; j < n; j++)
                    for (int i = 0; i < m; i++) {
                        double sum = 0;
                        for (int p = 0; p < k; p++)
                            sum += (double)half_type<E>::to(
                                       a.host[(size_t)(oa == CUBLAS_OP_N ? i + p * lda : p + i * lda)]) *
                                   (double)half_type<E>::to(
                                       b.host[(size_t)(ob == CUBLAS_OP_N ? p + j * ldb : j + p * ldb)]);
                        double want = 0.5 * sum - 2 * (double)(float)before[(size_t)(i + j * ldc)];
                        worst = std::max(worst, std::fabs((double)(float)c.host[(size_t)(i + j * ldc)] - want) /
                                                    (1 + std::fabs(want)));
                    }
                CHECK(worst <= bound);
            }
}

static void gemm_bytes()
{
    const int m = 36, n = 24, k = 500;
    for (int sums = 0; sums < 2; sums++)
        for (int ta = 0; ta < 2; ta++) {
            buffer<signed char> a((size_t)m * k), b((size_t)k * n);
            buffer<int> c((size_t)m * n);
            buffer<float> f((size_t)m * n);
            for (auto *x : {&a, &b})
                for (signed char &e : x->host)
                    e = (signed char)(random_unit() * 127);
            a.push();
            b.push();
            cublasOperation_t o = ta ? CUBLAS_OP_T : CUBLAS_OP_N;
            int one = 2, zero = 0;
            float onef = 2, zerof = 0;
            if (sums)
                OK(cublasGemmEx(h, o, CUBLAS_OP_N, m, n, k, &onef, a.dev, CUDA_R_8I, ta ? k : m, b.dev, CUDA_R_8I, k,
                                &zerof, f.dev, CUDA_R_32F, m, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
            else
                OK(cublasGemmEx(h, o, CUBLAS_OP_N, m, n, k, &one, a.dev, CUDA_R_8I, ta ? k : m, b.dev, CUDA_R_8I, k,
                                &zero, c.dev, CUDA_R_32I, m, CUBLAS_COMPUTE_32I, CUBLAS_GEMM_DEFAULT));
            c.pull();
            f.pull();
            int wrong = 0;
            for (int j = 0; j < n; j++)
                for (int i = 0; i < m; i++) {
                    int sum = 0;
                    for (int p = 0; p < k; p++)
                        sum += a.host[(size_t)(ta ? p + i * k : i + p * m)] * b.host[(size_t)(p + j * k)];
                    wrong += sums ? f.host[(size_t)(i + j * m)] != 2.0f * (float)sum
                                  : c.host[(size_t)(i + j * m)] != 2 * sum;
                }
            CHECK(wrong == 0);
        }
}

// The documentation does not say with which status: it is printed, for comparing libraries.
static void refused(const char *what, cublasStatus_t s)
{
    CHECK(s == CUBLAS_STATUS_NOT_SUPPORTED || s == CUBLAS_STATUS_INVALID_VALUE);
    printf("%s: refused with %d\n", what, (int)s);
}

template <class E> static void vectors()
{
    const int n = 20000;
    const cudaDataType t = half_type<E>::type;
    const double eps = half_type<E>::eps;
    buffer<E> x(n), y(n);
    fill(x);
    fill(y);
    double dot = 0, squares = 0;
    for (int i = 0; i < n; i++) {
        double a = half_type<E>::to(x.host[(size_t)i]), b = half_type<E>::to(y.host[(size_t)i]);
        dot += a * b;
        squares += a * a;
    }
    E result;
    OK(cublasDotEx(h, n, x.dev, t, 1, y.dev, t, 1, &result, t, CUDA_R_32F));
    CHECK(std::fabs(half_type<E>::to(result) - dot) < eps * (2 + std::fabs(dot)));
    OK(cublasNrm2Ex(h, n, x.dev, t, 1, &result, t, CUDA_R_32F));
    CHECK(std::fabs(half_type<E>::to(result) - std::sqrt(squares)) < eps * std::sqrt(squares));
    refused("AsumEx", cublasAsumEx(h, n, x.dev, t, 1, &result, t, CUDA_R_32F)); // there is none
    float alpha = 0.25f;
    std::vector<E> before = y.host;
    OK(cublasAxpyEx(h, n, &alpha, CUDA_R_32F, x.dev, t, 1, y.dev, t, 1, CUDA_R_32F));
    y.pull();
    int wrong = 0;
    for (size_t i = 0; i < (size_t)n; i++) {
        double want = 0.25 * half_type<E>::to(x.host[i]) + half_type<E>::to(before[i]);
        wrong += std::fabs(half_type<E>::to(y.host[i]) - want) > eps * (0.001 + std::fabs(want));
    }
    CHECK(wrong == 0);
    E a = half_type<E>::of(2.0f);
    float two = 2;
    before = y.host;
    refused("ScalEx", cublasScalEx(h, n, &a, t, y.dev, t, 1, CUDA_R_32F)); // scalars are floats
    OK(cublasScalEx(h, n, &two, CUDA_R_32F, y.dev, t, 1, CUDA_R_32F));
    y.pull();
    wrong = 0;
    for (size_t i = 0; i < (size_t)n; i++)
        wrong += half_type<E>::to(y.host[i]) != 2 * half_type<E>::to(before[i]);
    CHECK(wrong == 0);
    int most = 0;
    OK(cublasIamaxEx(h, n, x.dev, t, 1, &most));
    size_t best = 0;
    for (size_t i = 0; i < (size_t)n; i++)
        if (std::fabs(half_type<E>::to(x.host[i])) > std::fabs(half_type<E>::to(x.host[best])))
            best = i;
    CHECK(most == (int)best + 1);
    OK(cublasCopyEx(h, n, x.dev, t, 1, y.dev, t, 1));
    OK(cublasSwapEx(h, n, x.dev, t, 1, y.dev, t, 1));
    float c = 0.6f, s = 0.8f;
    E ch = half_type<E>::of(c), sh = half_type<E>::of(s);
    OK(cublasRotEx(h, n, x.dev, t, 1, y.dev, t, 1, &ch, &sh, t, CUDA_R_32F));
}

// The letters of a name: A and x, sums, y.
template <class E, class F, class G> static void gemv(G call, double bound)
{
    const int m = 45, n = 30, COUNT = 3;
    for (cublasOperation_t o : {CUBLAS_OP_N, CUBLAS_OP_T}) {
        int nx = o == CUBLAS_OP_N ? n : m, ny = o == CUBLAS_OP_N ? m : n;
        buffer<E> a((size_t)m * n * COUNT), x((size_t)nx * COUNT);
        buffer<F> y((size_t)ny * COUNT);
        fill(a);
        fill(x);
        for (F &f : y.host)
            f = F(1.0f);
        y.push();
        float alpha = 0.5f, beta = 3.0f;
        OK(call(h, o, m, n, &alpha, a.dev, m, (long long)m * n, x.dev, 1, (long long)nx, &beta, y.dev, 1, (long long)ny,
                COUNT));
        y.pull();
        double worst = 0;
        for (int b = 0; b < COUNT; b++)
            for (int i = 0; i < ny; i++) {
                double sum = 0;
                for (int j = 0; j < nx; j++)
                    sum += (double)half_type<E>::to(
                               a.host[(size_t)(b * m * n + (o == CUBLAS_OP_N ? i + j * m : j + i * m))]) *
                           half_type<E>::to(x.host[(size_t)(b * nx + j)]);
                double want = 0.5 * sum + 3;
                worst = std::max(worst,
                                 std::fabs((double)(float)y.host[(size_t)(b * ny + i)] - want) / (1 + std::fabs(want)));
            }
        CHECK(worst <= bound);
    }
}

static void other_types()
{
    // double and complex by their types
    array<double> x(1000), y(1000);
    double dot = 0, alpha = 2, one = 1, zero = 0;
    OK(cublasDotEx(h, 1000, x.dev, CUDA_R_64F, 1, y.dev, CUDA_R_64F, 1, &dot, CUDA_R_64F, CUDA_R_64F));
    wide want = 0;
    for (size_t i = 0; i < 1000; i++)
        want += (wide)x.host[i] * y.host[i];
    CHECK(std::fabs(dot - want) < 1e-12);
    array<cuComplex> u(100), v(100);
    cuComplex conjugated, plain;
    OK(cublasDotcEx(h, 100, u.dev, CUDA_C_32F, 1, v.dev, CUDA_C_32F, 1, &conjugated, CUDA_C_32F, CUDA_C_32F));
    OK(cublasCdotc(h, 100, u.dev, 1, v.dev, 1, &plain));
    CHECK(conjugated.x == plain.x && conjugated.y == plain.y);
    float norm = 0, norm2 = 1;
    OK(cublasNrm2Ex(h, 100, u.dev, CUDA_C_32F, 1, &norm, CUDA_R_32F, CUDA_R_32F));
    OK(cublasScnrm2(h, 100, u.dev, 1, &norm2));
    CHECK(norm == norm2);
    // gemmEx in double agrees with gemm
    array<double> a(60), b(60), c(36), d(36);
    OK(cublasGemmEx(h, CUBLAS_OP_N, CUBLAS_OP_N, 6, 6, 10, &one, a.dev, CUDA_R_64F, 6, b.dev, CUDA_R_64F, 10, &zero,
                    c.dev, CUDA_R_64F, 6, CUBLAS_COMPUTE_64F, CUBLAS_GEMM_DEFAULT));
    OK(cublasDgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, 6, 6, 10, &one, a.dev, 6, b.dev, 10, &zero, d.dev, 6));
    CUDA(cudaMemcpy(c.host.data(), c.dev, 36 * sizeof(double), cudaMemcpyDeviceToHost));
    d.host = c.host;
    CHECK(d.equals(0));
    // the compute type by a type of numbers, as before CUDA 11
    OK(cublasGemmEx(h, CUBLAS_OP_N, CUBLAS_OP_N, 6, 6, 10, &one, a.dev, CUDA_R_64F, 6, b.dev, CUDA_R_64F, 10, &zero,
                    c.dev, CUDA_R_64F, 6, CUDA_R_64F, CUBLAS_GEMM_DEFAULT));
    // what does not go together
    WANT(cublasGemmEx(h, CUBLAS_OP_N, CUBLAS_OP_N, 6, 6, 10, &one, a.dev, CUDA_R_64F, 6, b.dev, CUDA_R_32F, 10, &zero,
                      c.dev, CUDA_R_64F, 6, CUBLAS_COMPUTE_64F, CUBLAS_GEMM_DEFAULT),
         CUBLAS_STATUS_NOT_SUPPORTED);
    WANT(cublasAxpyEx(h, 10, &alpha, CUDA_R_64F, x.dev, CUDA_R_32F, 1, y.dev, CUDA_R_32F, 1, CUDA_R_32F),
         CUBLAS_STATUS_NOT_SUPPORTED);
    WANT(cublasDotEx(h, 10, x.dev, CUDA_R_64F, 1, y.dev, CUDA_R_32F, 1, &dot, CUDA_R_64F, CUDA_R_64F),
         CUBLAS_STATUS_NOT_SUPPORTED);
    // rank k by types
    cuComplex ca = make_cuComplex(1, 0), cz = make_cuComplex(0, 0);
    float fa = 1, fz = 0;
    array<cuComplex> k(50), s1(25), s2(25);
    OK(cublasCsyrkEx(h, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, 5, 10, &ca, k.dev, CUDA_C_32F, 5, &cz, s1.dev, CUDA_C_32F,
                     5));
    OK(cublasCherkEx(h, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, 5, 10, &fa, k.dev, CUDA_C_32F, 5, &fz, s2.dev, CUDA_C_32F,
                     5));
    X sum = 0, herm = 0;
    for (int p = 0; p < 10; p++) {
        sum += k.at((size_t)(3 + p * 5)) * k.at((size_t)(1 + p * 5));
        herm += k.at((size_t)(3 + p * 5)) * std::conj(k.at((size_t)(1 + p * 5)));
    }
    cuComplex got[2];
    CUDA(cudaMemcpy(&got[0], s1.dev + 3 + 1 * 5, sizeof(cuComplex), cudaMemcpyDeviceToHost));
    CUDA(cudaMemcpy(&got[1], s2.dev + 3 + 1 * 5, sizeof(cuComplex), cudaMemcpyDeviceToHost));
    CHECK(std::abs(number<cuComplex>::of(got[0]) - sum) < 1e-5L &&
          std::abs(number<cuComplex>::of(got[1]) - herm) < 1e-5L);
}

// Every number of half precision survives: 1 times itself, and a sum in float is rounded once.
static void rounding()
{
    buffer<__half> x(65536), y(65536);
    for (size_t i = 0; i < 65536; i++) {
        unsigned short bits = (unsigned short)i;
        memcpy(&x.host[i], &bits, 2);
        y.host[i] = __float2half(0.0f);
    }
    x.push();
    y.push();
    float one = 1;
    OK(cublasScalEx(h, 65536, &one, CUDA_R_32F, x.dev, CUDA_R_16F, 1, CUDA_R_32F));
    std::vector<__half> before = x.host;
    x.pull();
    int wrong = 0;
    for (size_t i = 0; i < 65536; i++)
        wrong += memcmp(&before[i], &x.host[i], 2) != 0 && !std::isnan(__half2float(before[i]));
    CHECK(wrong == 0);
    // x + 1 in float, rounded to half, as the conversion function does it
    float third = 1.0f / 3;
    for (size_t i = 0; i < 65536; i++)
        y.host[i] = __float2half(1.0f);
    y.push();
    OK(cublasAxpyEx(h, 65536, &third, CUDA_R_32F, x.dev, CUDA_R_16F, 1, y.dev, CUDA_R_16F, 1, CUDA_R_32F));
    y.pull();
    wrong = 0;
    for (size_t i = 0; i < 65536; i++) {
        float f = __half2float(before[i]);
        __half fused = __float2half(std::fma(third, f, 1.0f)), apart = __float2half(1.0f + third * f);
        wrong += !std::isnan(f) && memcmp(&fused, &y.host[i], 2) != 0 && memcmp(&apart, &y.host[i], 2) != 0;
    }
    CHECK(wrong == 0);
}

int main()
{
    OK(cublasCreate(&h));
    gemm_half<__half, __half, float>(CUDA_R_16F, CUBLAS_COMPUTE_32F, 1.0 / 1024);
    gemm_half<__half, float, float>(CUDA_R_32F, CUBLAS_COMPUTE_32F, 1e-5);
    gemm_half<__half, __half, __half>(CUDA_R_16F, CUBLAS_COMPUTE_16F, 1.0 / 64); // a GPU sums in half precision
    gemm_half<__nv_bfloat16, __nv_bfloat16, float>(CUDA_R_16BF, CUBLAS_COMPUTE_32F, 1.0 / 128);
    gemm_half<__nv_bfloat16, float, float>(CUDA_R_32F, CUBLAS_COMPUTE_32F, 1e-5);
    gemm_bytes();
    vectors<__half>();
    vectors<__nv_bfloat16>();
    gemv<__half, __half>(cublasHSHgemvStridedBatched, 1.0 / 1024);
    gemv<__half, float>(cublasHSSgemvStridedBatched, 1e-5);
    gemv<__nv_bfloat16, __nv_bfloat16>(cublasTSTgemvStridedBatched, 1.0 / 128);
    gemv<__nv_bfloat16, float>(cublasTSSgemvStridedBatched, 1e-5);
    other_types();
    rounding();
    OK(cublasDestroy(h));
    return summary();
}
