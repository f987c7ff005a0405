// SPDX-License-Identifier: Apache-2.0
// A long convolution by FFT: both signals are transformed by cuFFT, multiplied by a kernel of our own, and transformed back. Compared with the sum
// that defines it, in a few hundred places.
// Options: -lcufft
// Picture: convolution.svg
#include "../check.h"
#include <cmath>
#include <cufft.h>
#include <vector>

constexpr int N = 6000, TAPS = 401, SIZE = 6400; // N + TAPS - 1 numbers come out; cuFFT likes products of small primes

__global__ void multiply(cufftComplex *a, const cufftComplex *b, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] = make_float2((a[i].x * b[i].x - a[i].y * b[i].y) / SIZE, (a[i].x * b[i].y + a[i].y * b[i].x) / SIZE);
}

static void curve(FILE *f, const std::vector<float> &v, int from, const char *colour)
{
    fprintf(f, "<polyline fill=\"none\" stroke=\"%s\" points=\"", colour);
    for (int i = 0; i < 360; i++)
        fprintf(f, "%d,%.1f ", i, 60 - 40 * v[from + 4 * i]);
    fprintf(f, "\"/>\n");
}
static int draw(const std::vector<float> &noisy, const std::vector<float> &smooth)
{
    FILE *f = fopen("convolution.svg", "w");
    if (!f)
        return 1;
    fprintf(f, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"360\" height=\"120\">\n<rect width=\"360\" "
               "height=\"120\" fill=\"white\"/>\n");
    curve(f, noisy, 1000, "#9ab");
    curve(f, smooth, 1000 + TAPS / 2, "#c33");
    fprintf(f, "</svg>\n");
    return fclose(f);
}

int main()
{
    std::vector<float> signal(SIZE), window(SIZE), got(SIZE);
    unsigned state = 1;
    for (int i = 0; i < N; i++) {
        state = state * 1664525u + 1013904223u;
        signal[i] = std::sin(i * 0.006f) * 0.8f + ((float)(state >> 8) / 16777216.0f - 0.5f);
    }
    double total = 0;
    for (int i = 0; i < TAPS; i++)
        total += window[i] = std::exp(-std::pow((i - TAPS / 2) / 60.0f, 2.0f));
    for (int i = 0; i < TAPS; i++)
        window[i] /= (float)total;

    float *a, *b;
    cufftComplex *fa, *fb;
    const int half = SIZE / 2 + 1;
    CHECK(cudaMalloc(&a, SIZE * sizeof *a));
    CHECK(cudaMalloc(&b, SIZE * sizeof *b));
    CHECK(cudaMalloc(&fa, half * sizeof *fa));
    CHECK(cudaMalloc(&fb, half * sizeof *fb));
    CHECK(cudaMemcpy(a, signal.data(), SIZE * sizeof *a, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(b, window.data(), SIZE * sizeof *b, cudaMemcpyHostToDevice));
    cufftHandle there, back;
    CHECK(cufftPlan1d(&there, SIZE, CUFFT_R2C, 1));
    CHECK(cufftPlan1d(&back, SIZE, CUFFT_C2R, 1));
    CHECK(cufftExecR2C(there, a, fa));
    CHECK(cufftExecR2C(there, b, fb));
    multiply<<<(half + 255) / 256, 256>>>(fa, fb, half);
    CHECK(cudaGetLastError());
    CHECK(cufftExecC2R(back, fa, a));
    CHECK(cudaMemcpy(got.data(), a, SIZE * sizeof *a, cudaMemcpyDeviceToHost));

    double worst = 0;
    for (int i = 0; i < N + TAPS - 1; i += 13) {
        double want = 0;
        for (int k = 0; k < TAPS; k++)
            if (i - k >= 0 && i - k < N)
                want += (double)window[k] * signal[i - k];
        worst = std::fmax(worst, std::fabs(got[i] - want));
    }
    printf("%d numbers, %d taps: largest error %.1e\n", N, TAPS, worst);
    CHECK(draw(signal, got));
    CHECK(cufftDestroy(there));
    CHECK(cufftDestroy(back));
    return verdict(worst < 1e-5);
}
