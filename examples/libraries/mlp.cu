// SPDX-License-Identifier: Apache-2.0
// A small network that learns two spirals apart: two hidden layers of tanh, trained by gradient descent with momentum on all points at once. Products of
// matrices are cuBLAS's, the rest is a few kernels. The picture is what it has learnt.
// Options: -lcublas
// Picture: mlp.png
#include "../check.h"
#include "../picture.h"
#include <cmath>
#include <cublas_v2.h>
#include <vector>

constexpr int POINTS = 256, IN = 3, HIDDEN = 32, STEPS = 1500, W = 160; // the third input is 1, and stands for the bias
constexpr float RATE = 0.04f, MOMENTUM = 0.95f;

__global__ void squash(float *x, int n) // the last unit of a layer stays 1
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] = i % HIDDEN == HIDDEN - 1 ? 1 : tanhf(x[i]);
}
__global__ void unsquash(float *gradient, const float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        gradient[i] *= i % HIDDEN == HIDDEN - 1 ? 0 : 1 - x[i] * x[i];
}
__global__ void loss_gradient(const float *out, const float *want, float *gradient, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        gradient[i] = (1 / (1 + expf(-out[i])) - want[i]) / n;
}
__global__ void learn(float *weight, float *speed, const float *gradient, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        weight[i] -= RATE * (speed[i] = MOMENTUM * speed[i] + gradient[i] * 10);
}
#define GRID(n) ((n) + 127) / 128, 128

struct layer {
    int rows, columns; // out, in
    float *weight, *speed, *gradient;
};
static cublasHandle_t blas;
static const float one = 1, zero = 0;

// All matrices by columns: a column is a point.
static void product(cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k, const float *a, int lda,
                    const float *b, int ldb, float *c)
{
    CHECK(cublasSgemm(blas, ta, tb, m, n, k, &one, a, lda, b, ldb, &zero, c, m));
}
static float *memory(size_t n)
{
    float *p;
    CHECK(cudaMallocManaged(&p, n * sizeof *p));
    CHECK(cudaMemset(p, 0, n * sizeof *p));
    CHECK(cudaDeviceSynchronize());
    return p;
}
static void forward(const layer *l, const float *x, float *h1, float *h2, float *out, int n)
{
    product(CUBLAS_OP_N, CUBLAS_OP_N, HIDDEN, n, IN, l[0].weight, HIDDEN, x, IN, h1);
    squash<<<GRID(HIDDEN * n)>>>(h1, HIDDEN * n);
    product(CUBLAS_OP_N, CUBLAS_OP_N, HIDDEN, n, HIDDEN, l[1].weight, HIDDEN, h1, HIDDEN, h2);
    squash<<<GRID(HIDDEN * n)>>>(h2, HIDDEN * n);
    product(CUBLAS_OP_N, CUBLAS_OP_N, 1, n, HIDDEN, l[2].weight, 1, h2, HIDDEN, out);
}

int main()
{
    layer l[3] = {{HIDDEN, IN}, {HIDDEN, HIDDEN}, {1, HIDDEN}};
    unsigned state = 11;
    for (layer &a : l) {
        int n = a.rows * a.columns;
        a.weight = memory(n), a.speed = memory(n), a.gradient = memory(n);
        for (int i = 0; i < n; i++) {
            state = state * 1664525u + 1013904223u;
            a.weight[i] = ((float)(state >> 8) / 8388608.0f - 1) * 1.5f / std::sqrt((float)a.columns);
        }
    }
    const int most = W * W; // points at once: the picture's pixels
    float *x = memory(IN * most), *want = memory(POINTS), *h1 = memory(HIDDEN * most), *h2 = memory(HIDDEN * most),
          *out = memory(most), *g = memory(POINTS), *g1 = memory(HIDDEN * POINTS), *g2 = memory(HIDDEN * POINTS);
    for (int i = 0; i < POINTS; i++) {
        float t = 0.3f + 3.2f * (i / 2) / (POINTS / 2), side = i % 2 ? 1.0f : -1.0f;
        x[IN * i] = side * t * std::cos(t * 1.7f) * 0.7f, x[IN * i + 1] = side * t * std::sin(t * 1.7f) * 0.7f,
               x[IN * i + 2] = 1;
        want[i] = i % 2;
    }
    std::vector<float> points(x, x + IN * POINTS);
    CHECK(cublasCreate(&blas));
    for (int s = 0; s < STEPS; s++) {
        forward(l, x, h1, h2, out, POINTS);
        loss_gradient<<<GRID(POINTS)>>>(out, want, g, POINTS);
        product(CUBLAS_OP_N, CUBLAS_OP_T, 1, HIDDEN, POINTS, g, 1, h2, HIDDEN, l[2].gradient);
        product(CUBLAS_OP_T, CUBLAS_OP_N, HIDDEN, POINTS, 1, l[2].weight, 1, g, 1, g2);
        unsquash<<<GRID(HIDDEN * POINTS)>>>(g2, h2, HIDDEN * POINTS);
        product(CUBLAS_OP_N, CUBLAS_OP_T, HIDDEN, HIDDEN, POINTS, g2, HIDDEN, h1, HIDDEN, l[1].gradient);
        product(CUBLAS_OP_T, CUBLAS_OP_N, HIDDEN, POINTS, HIDDEN, l[1].weight, HIDDEN, g2, HIDDEN, g1);
        unsquash<<<GRID(HIDDEN * POINTS)>>>(g1, h1, HIDDEN * POINTS);
        product(CUBLAS_OP_N, CUBLAS_OP_T, HIDDEN, IN, POINTS, g1, HIDDEN, x, IN, l[0].gradient);
        for (layer &a : l)
            learn<<<GRID(a.rows * a.columns)>>>(a.weight, a.speed, a.gradient, a.rows * a.columns);
    }
    forward(l, x, h1, h2, out, POINTS);
    CHECK(cudaDeviceSynchronize());
    int right = 0;
    double loss = 0;
    for (int i = 0; i < POINTS; i++) {
        right += (out[i] > 0) == (want[i] > 0.5f);
        loss += std::log1p(std::exp(want[i] > 0.5f ? -out[i] : out[i])) / POINTS;
    }
    printf("after %d steps: loss %.3f, %d of %d points right\n", STEPS, loss, right, POINTS);

    for (int i = 0; i < most; i++)
        x[IN * i] = (i % W - W / 2) * 5.2f / W, x[IN * i + 1] = (i / W - W / 2) * 5.2f / W, x[IN * i + 2] = 1;
    forward(l, x, h1, h2, out, most);
    CHECK(cudaDeviceSynchronize());
    std::vector<uint8_t> rgb(3 * most);
    for (int i = 0; i < most; i++) {
        int shade = (int)(15 / (1 + std::exp(-out[i])));
        rgb[3 * i] = (uint8_t)(60 + 11 * shade), rgb[3 * i + 1] = 120, rgb[3 * i + 2] = (uint8_t)(225 - 11 * shade);
    }
    for (int i = 0; i < POINTS; i++) {
        int px = (int)(W / 2 + points[IN * i] * W / 5.2f), py = (int)(W / 2 + points[IN * i + 1] * W / 5.2f);
        memset(&rgb[3 * (py * W + px)], i % 2 ? 255 : 0, 3);
    }
    CHECK(picture_write("mlp.png", rgb.data(), W, W));
    CHECK(cublasDestroy(blas));
    return verdict(right > 250 && loss < 0.15);
}
