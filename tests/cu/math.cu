// SPDX-License-Identifier: Apache-2.0
// Math functions against the host's, within the documented error and a little for the host's own.
#include "check.h"

#define FUNCTIONS(X)                                                                                                   \
    X(sinf, -30, 30, 3)                                                                                                \
    X(cosf, -30, 30, 3)                                                                                                \
    X(tanf, -1.5, 1.5, 5)                                                                                              \
    X(asinf, -1, 1, 5)                                                                                                 \
    X(acosf, -1, 1, 4)                                                                                                 \
    X(atanf, -50, 50, 4)                                                                                               \
    X(sinhf, -10, 10, 4)                                                                                               \
    X(coshf, -10, 10, 4)                                                                                               \
    X(tanhf, -5, 5, 4)                                                                                                 \
    X(asinhf, -100, 100, 5)                                                                                            \
    X(acoshf, 1, 100, 6)                                                                                               \
    X(atanhf, -0.99, 0.99, 5)                                                                                          \
    X(expf, -80, 80, 3)                                                                                                \
    X(exp2f, -100, 100, 3)                                                                                             \
    X(expm1f, -5, 5, 3)                                                                                                \
    X(logf, 1e-3, 1e5, 3)                                                                                              \
    X(log2f, 1e-3, 1e5, 3)                                                                                             \
    X(log10f, 1e-3, 1e5, 4)                                                                                            \
    X(log1pf, -0.9, 100, 3)                                                                                            \
    X(sqrtf, 0, 1e6, 1)                                                                                                \
    X(cbrtf, -1e3, 1e3, 3) X(erff, -3, 3, 4) X(erfcf, -3, 8, 8) X(tgammaf, 0.1, 20, 14) X(lgammaf, 3.5, 30, 8)
#define DOUBLES(X)                                                                                                     \
    X(sin, -30, 30, 3)                                                                                                 \
    X(cos, -30, 30, 3)                                                                                                 \
    X(tan, -1.5, 1.5, 4)                                                                                               \
    X(exp, -300, 300, 3)                                                                                               \
    X(log, 1e-9, 1e9, 3)                                                                                               \
    X(log2, 1e-9, 1e9, 3)                                                                                              \
    X(asin, -1, 1, 4)                                                                                                  \
    X(acos, -1, 1, 4)                                                                                                  \
    X(atan, -40, 40, 4)                                                                                                \
    X(sinh, -20, 20, 4)                                                                                                \
    X(tanh, -5, 5, 4)                                                                                                  \
    X(exp2, -300, 300, 3)                                                                                              \
    X(expm1, -5, 5, 3)                                                                                                 \
    X(log1p, -0.9, 100, 3)                                                                                             \
    X(cbrt, -1e5, 1e5, 3) X(erf, -3, 3, 4) X(erfc, -3, 8, 8) X(tgamma, 0.1, 100, 14) X(sqrt, 0, 1e9, 1)

enum {
#define X(f, lo, hi, ulp) ID_##f,
    FUNCTIONS(X) DOUBLES(X)
#undef X
};

__global__ void run_single(const float *in, float *out, int n, int which)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float x = in[i], r = 0;
    switch (which) {
#define X(f, lo, hi, ulp)                                                                                              \
    case ID_##f:                                                                                                       \
        r = f(x);                                                                                                      \
        break;
        FUNCTIONS(X)
#undef X
    }
    out[i] = r;
}

__global__ void run_double(const double *in, double *out, int n, int which)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double x = in[i], r = 0;
    switch (which) {
#define X(f, lo, hi, ulp)                                                                                              \
    case ID_##f:                                                                                                       \
        r = f(x);                                                                                                      \
        break;
        DOUBLES(X)
#undef X
    }
    out[i] = r;
}

__global__ void run_pow(const float *a, const float *b, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[4 * i] = powf(a[i], b[i]);
        out[4 * i + 1] = atan2f(a[i], b[i]);
        out[4 * i + 2] = hypotf(a[i], b[i]);
        out[4 * i + 3] = fmodf(a[i], b[i]);
    }
}

static double ulp_single(double exact)
{
    float f = (float)std::fabs(exact);
    return (double)std::nextafter(f, INFINITY) - f;
}

int main()
{
    const int n = 2048;
    std::vector<float> in(n);
    std::vector<double> ind(n);
    Buffer<float> din(n), dout(n * 4), dother(n);
    Buffer<double> dind(n), doutd(n);
    struct Host {
        static double sinf64(double x)
        {
            return std::sin(x);
        }
        static double cosf64(double x)
        {
            return std::cos(x);
        }
        static double tanf64(double x)
        {
            return std::tan(x);
        }
        static double asinf64(double x)
        {
            return std::asin(x);
        }
        static double acosf64(double x)
        {
            return std::acos(x);
        }
        static double atanf64(double x)
        {
            return std::atan(x);
        }
        static double sinhf64(double x)
        {
            return std::sinh(x);
        }
        static double coshf64(double x)
        {
            return std::cosh(x);
        }
        static double tanhf64(double x)
        {
            return std::tanh(x);
        }
        static double asinhf64(double x)
        {
            return std::asinh(x);
        }
        static double acoshf64(double x)
        {
            return std::acosh(x);
        }
        static double atanhf64(double x)
        {
            return std::atanh(x);
        }
        static double expf64(double x)
        {
            return std::exp(x);
        }
        static double exp2f64(double x)
        {
            return std::exp2(x);
        }
        static double expm1f64(double x)
        {
            return std::expm1(x);
        }
        static double logf64(double x)
        {
            return std::log(x);
        }
        static double log2f64(double x)
        {
            return std::log2(x);
        }
        static double log10f64(double x)
        {
            return std::log10(x);
        }
        static double log1pf64(double x)
        {
            return std::log1p(x);
        }
        static double sqrtf64(double x)
        {
            return std::sqrt(x);
        }
        static double cbrtf64(double x)
        {
            return std::cbrt(x);
        }
        static double erff64(double x)
        {
            return std::erf(x);
        }
        static double erfcf64(double x)
        {
            return std::erfc(x);
        }
        static double tgammaf64(double x)
        {
            return std::tgamma(x);
        }
        static double lgammaf64(double x)
        {
            return std::lgamma(x);
        }
    };
#define X(f, lo, hi, ulp)                                                                                              \
    {                                                                                                                  \
        for (int i = 0; i < n; i++)                                                                                    \
            in[i] = (float)((lo) + ((hi) - (lo)) * i / (n - 1.0));                                                     \
        OK(cudaMemcpy(din, in.data(), n * 4, cudaMemcpyHostToDevice));                                                 \
        run_single<<<n / 128, 128>>>(din, dout, n, ID_##f);                                                            \
        LAUNCHED();                                                                                                    \
        std::vector<float> o = dout.get();                                                                             \
        double worst = 0;                                                                                              \
        for (int i = 0; i < n; i++) {                                                                                  \
            double exact = Host::f##64((double)in[i]);                                                                 \
            double e = std::fabs(o[i] - exact) / ulp_single(exact);                                                    \
            worst = e > worst || e != e ? e : worst;                                                                   \
        }                                                                                                              \
        if (!(worst <= ulp))                                                                                           \
            std::fprintf(stderr, "%s: %.2f ulp\n", #f, worst);                                                         \
        EXPECT(worst <= ulp);                                                                                          \
    }
    FUNCTIONS(X)
#undef X
#define X(f, lo, hi, ulp)                                                                                              \
    {                                                                                                                  \
        for (int i = 0; i < n; i++)                                                                                    \
            ind[i] = (lo) + ((hi) - (double)(lo)) * i / (n - 1.0);                                                     \
        OK(cudaMemcpy(dind, ind.data(), n * 8, cudaMemcpyHostToDevice));                                               \
        run_double<<<n / 128, 128>>>(dind, doutd, n, ID_##f);                                                          \
        LAUNCHED();                                                                                                    \
        std::vector<double> o = doutd.get();                                                                           \
        double worst = 0;                                                                                              \
        for (int i = 0; i < n; i++) {                                                                                  \
            double exact = std::f(ind[i]), u = std::nextafter(std::fabs(exact), INFINITY) - std::fabs(exact);          \
            double e = std::fabs(o[i] - exact) / u;                                                                    \
            worst = e > worst || e != e ? e : worst;                                                                   \
        }                                                                                                              \
        if (!(worst <= ulp))                                                                                           \
            std::fprintf(stderr, "%s: %.2f ulp\n", #f, worst);                                                         \
        EXPECT(worst <= ulp);                                                                                          \
    }
    DOUBLES(X)
#undef X
    std::vector<float> a(n), b(n);
    unsigned s = 17;
    for (int i = 0; i < n; i++) {
        a[i] = 0.01f + random_next(s) % 10000 / 500.0f;
        b[i] = random_next(s) % 10000 / 1000.0f - 5;
    }
    OK(cudaMemcpy(din, a.data(), n * 4, cudaMemcpyHostToDevice));
    OK(cudaMemcpy(dother, b.data(), n * 4, cudaMemcpyHostToDevice));
    run_pow<<<n / 128, 128>>>(din, dother, dout, n);
    LAUNCHED();
    std::vector<float> o = dout.get();
    double worst[4] = {};
    for (int i = 0; i < n; i++) {
        double x = a[i], y = b[i];
        double exact[4] = {std::pow(x, y), std::atan2(x, y), std::hypot(x, y), std::fmod(x, y)};
        for (int k = 0; k < 4; k++) {
            double e = std::fabs(o[4 * i + k] - exact[k]) / ulp_single(exact[k]);
            worst[k] = e > worst[k] || e != e ? e : worst[k];
        }
    }
    EXPECT(worst[0] <= 5);
    EXPECT(worst[1] <= 4);
    EXPECT(worst[2] <= 4);
    EXPECT(worst[3] <= 0);
    return DONE();
}
