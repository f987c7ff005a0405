// SPDX-License-Identifier: Apache-2.0
// The matrix product of the CUDA 1.1 programming guide's chapter 6: Mul() on the host, Muld() on the device, blocks of 16 x 16
// threads that each compute one block of the product.
#include <cmath>
#include <cstdio>
#include <vector>

#define BLOCK_SIZE 16

__global__ void Muld(float *, float *, int, int, float *);

// C = A * B, where A is hA high and wA wide and B is wB wide; all of them multiples of BLOCK_SIZE.
void Mul(const float *A, const float *B, int hA, int wA, int wB, float *C)
{
    float *Ad, *Bd, *Cd;
    int size = hA * wA * sizeof(float);
    cudaMalloc((void **)&Ad, size);
    cudaMemcpy(Ad, A, size, cudaMemcpyHostToDevice);
    size = wA * wB * sizeof(float);
    cudaMalloc((void **)&Bd, size);
    cudaMemcpy(Bd, B, size, cudaMemcpyHostToDevice);
    size = hA * wB * sizeof(float);
    cudaMalloc((void **)&Cd, size);
    dim3 dimBlock(BLOCK_SIZE, BLOCK_SIZE), dimGrid(wB / dimBlock.x, hA / dimBlock.y);
    Muld<<<dimGrid, dimBlock>>>(Ad, Bd, wA, wB, Cd);
    cudaMemcpy(C, Cd, size, cudaMemcpyDeviceToHost);
    cudaFree(Ad);
    cudaFree(Bd);
    cudaFree(Cd);
}

__global__ void Muld(float *A, float *B, int wA, int wB, float *C)
{
    int bx = blockIdx.x, by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y;
    int aBegin = wA * BLOCK_SIZE * by, aEnd = aBegin + wA - 1, aStep = BLOCK_SIZE;
    int bBegin = BLOCK_SIZE * bx, bStep = BLOCK_SIZE * wB;
    float Csub = 0;
    for (int a = aBegin, b = bBegin; a <= aEnd; a += aStep, b += bStep) {
        __shared__ float As[BLOCK_SIZE][BLOCK_SIZE];
        __shared__ float Bs[BLOCK_SIZE][BLOCK_SIZE];
        As[ty][tx] = A[a + wA * ty + tx];
        Bs[ty][tx] = B[b + wB * ty + tx];
        __syncthreads();
        for (int k = 0; k < BLOCK_SIZE; ++k)
            Csub += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }
    int c = wB * BLOCK_SIZE * by + BLOCK_SIZE * bx;
    C[c + wB * ty + tx] = Csub;
}

int main()
{
    const int hA = 80, wA = 48, wB = 64;
    std::vector<float> A(hA * wA), B(wA * wB), C(hA * wB);
    for (size_t i = 0; i < A.size(); i++)
        A[i] = (float)(i % 17) - 8;
    for (size_t i = 0; i < B.size(); i++)
        B[i] = (float)(i % 13) / 4;
    Mul(A.data(), B.data(), hA, wA, wB, C.data());
    double worst = 0;
    for (int i = 0; i < hA; i++)
        for (int j = 0; j < wB; j++) {
            double sum = 0;
            for (int k = 0; k < wA; k++)
                sum += (double)A[i * wA + k] * B[k * wB + j];
            worst = std::fmax(worst, std::fabs(sum - C[i * wB + j]));
        }
    std::printf("C = A * B, %d x %d by %d x %d: largest error %g, %s\n", hA, wA, wA, wB, worst,
                worst < 1e-3 ? "PASS" : "FAIL");
    return worst < 1e-3 ? 0 : 1;
}
