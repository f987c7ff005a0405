// SPDX-License-Identifier: Apache-2.0
// Memory as the programming guides describe it: linear and pitched memory, symbols, all kinds of copies, page-locked and
// managed memory, the samples of the chapter and the errors.
#include "check.h"
#include <unistd.h>

// guide: cudaMallocPitch sample traversal | pitch must be used to address elements
__global__ void MyKernel2D(float *devPtr, size_t pitch, int width, int height)
{
    for (int r = 0; r < height; ++r) {
        float *row = (float *)((char *)devPtr + r * pitch);
        for (int c = threadIdx.x; c < width; c += blockDim.x)
            row[c] = row[c] * 2 + r;
    }
}

// guide: cudaMalloc3D sample traversal | cudaPitchedPtr
__global__ void MyKernel3D(cudaPitchedPtr devPitchedPtr, int width, int height, int depth)
{
    char *devPtr = (char *)devPitchedPtr.ptr;
    size_t pitch = devPitchedPtr.pitch, slicePitch = pitch * height;
    for (int z = 0; z < depth; ++z) {
        char *slice = devPtr + z * slicePitch;
        for (int y = 0; y < height; ++y) {
            float *row = (float *)(slice + y * pitch);
            for (int x = threadIdx.x; x < width; x += blockDim.x)
                row[x] += 1000 * z + 100 * y;
        }
    }
}

__constant__ float constData[256];
__device__ float devData;
__device__ float *devPointer;
__global__ void Symbols(float *out)
{
    out[threadIdx.x] = constData[threadIdx.x] * devData + devPointer[threadIdx.x];
}

// guide: linear memory in one address space, pointers between allocations
struct Node {
    int value;
    Node *next;
};
__global__ void Walk(Node *n, int *sum)
{
    int s = 0;
    for (; n; n = n->next)
        s += n->value;
    *sum = s;
}

__global__ void Increment(int *p, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        p[i]++;
}

// guide: Matrix struct by value to a kernel | MatMul without shared memory | forward declaration of a __global__ function
struct Matrix {
    int width, height, stride;
    float *elements;
};
__global__ void MatMulKernel(const Matrix, const Matrix, Matrix);
static void MatMul(const Matrix A, const Matrix B, Matrix C)
{
    Matrix d_A = A, d_B = B, d_C = C;
    OK(cudaMalloc(&d_A.elements, A.width * A.height * sizeof(float)));
    OK(cudaMemcpy(d_A.elements, A.elements, A.width * A.height * sizeof(float), cudaMemcpyHostToDevice));
    OK(cudaMalloc(&d_B.elements, B.width * B.height * sizeof(float)));
    OK(cudaMemcpy(d_B.elements, B.elements, B.width * B.height * sizeof(float), cudaMemcpyHostToDevice));
    OK(cudaMalloc(&d_C.elements, C.width * C.height * sizeof(float)));
    dim3 dimBlock(16, 16), dimGrid(B.width / dimBlock.x, A.height / dimBlock.y);
    MatMulKernel<<<dimGrid, dimBlock>>>(d_A, d_B, d_C);
    OK(cudaMemcpy(C.elements, d_C.elements, C.width * C.height * sizeof(float), cudaMemcpyDeviceToHost));
    OK(cudaFree(d_A.elements));
    OK(cudaFree(d_B.elements));
    OK(cudaFree(d_C.elements));
}
__global__ void MatMulKernel(Matrix A, Matrix B, Matrix C)
{
    float Cvalue = 0;
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    for (int e = 0; e < A.width; ++e)
        Cvalue += A.elements[row * A.width + e] * B.elements[e * B.width + col];
    C.elements[row * C.width + col] = Cvalue;
}

// guide: VecAdd sample (host + device) | cudaMalloc | cudaFree | cudaMemcpy
__global__ void VecAdd(float *A, float *B, float *C, int N)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i < N)
        C[i] = A[i] + B[i];
}
static void vec_add()
{
    int N = 1000;
    size_t size = N * sizeof(float);
    float *h_A = (float *)malloc(size), *h_B = (float *)malloc(size), *h_C = (float *)malloc(size);
    for (int i = 0; i < N; i++) {
        h_A[i] = i;
        h_B[i] = 2 * i;
    }
    float *d_A, *d_B, *d_C;
    OK(cudaMalloc(&d_A, size));
    OK(cudaMalloc(&d_B, size));
    OK(cudaMalloc(&d_C, size));
    OK(cudaMemcpy(d_A, h_A, size, cudaMemcpyHostToDevice));
    OK(cudaMemcpy(d_B, h_B, size, cudaMemcpyHostToDevice));
    int threadsPerBlock = 256, blocksPerGrid = (N + threadsPerBlock - 1) / threadsPerBlock;
    VecAdd<<<blocksPerGrid, threadsPerBlock>>>(d_A, d_B, d_C, N);
    OK(cudaMemcpy(h_C, d_C, size, cudaMemcpyDeviceToHost));
    bool right = true;
    for (int i = 0; i < N; i++)
        right &= h_C[i] == 3 * i;
    EXPECT(right);
    OK(cudaFree(d_A));
    OK(cudaFree(d_B));
    OK(cudaFree(d_C));
    free(h_A);
    free(h_B);
    free(h_C);
}

static void pitched()
{
    const int width = 64, height = 48, depth = 7;
    std::vector<float> h(width * height, 1.5f);
    float *devPtr;
    size_t pitch;
    // guide: cudaMallocPitch | cudaMemcpy2D with pitched memory | cudaMemcpy2D | cudaMemcpy2DAsync | cudaMemset2D
    OK(cudaMallocPitch(&devPtr, &pitch, width * sizeof(float), height));
    EXPECT(pitch >= width * sizeof(float));
    OK(cudaMemcpy2D(devPtr, pitch, h.data(), width * 4, width * 4, height, cudaMemcpyHostToDevice));
    MyKernel2D<<<1, 32>>>(devPtr, pitch, width, height);
    OK(cudaMemcpy2DAsync(h.data(), width * 4, devPtr, pitch, width * 4, height, cudaMemcpyDeviceToHost, 0));
    OK(cudaStreamSynchronize(0));
    bool right = true;
    for (int i = 0; i < width * height; i++)
        right &= h[i] == 3 + i / width;
    EXPECT(right);
    OK(cudaMemset2D(devPtr, pitch, 0x7f, 8, 2));
    OK(cudaMemcpy2D(h.data(), width * 4, devPtr, pitch, width * 4, height, cudaMemcpyDeviceToHost));
    unsigned char *bytes = (unsigned char *)h.data();
    EXPECT(bytes[0] == 0x7f && bytes[7] == 0x7f && bytes[8] != 0x7f && bytes[width * 4 + 7] == 0x7f &&
           bytes[2 * width * 4] != 0x7f);
    // A pitch above memPitch was an error in 1.1; today it is taken, and only one below the width is refused.
    // guide: pitch above memPitch is an error
    cudaDeviceProp prop;
    OK(cudaGetDeviceProperties(&prop, 0));
    EXPECT(cudaMemcpy2D(devPtr, prop.memPitch + 1, h.data(), width * 4, width * 4, 1, cudaMemcpyHostToDevice) ==
           cudaSuccess);
    EXPECT(cudaMemcpy2D(devPtr, 4, h.data(), width * 4, width * 4, 2, cudaMemcpyHostToDevice) ==
           cudaErrorInvalidPitchValue);
    cudaGetLastError();
    OK(cudaFree(devPtr));

    // guide: cudaExtent / make_cudaExtent | cudaMemcpy3D
    cudaExtent extent = make_cudaExtent(width * sizeof(float), height, depth);
    cudaPitchedPtr p;
    OK(cudaMalloc3D(&p, extent));
    EXPECT(p.pitch >= extent.width && p.ysize == height);
    OK(cudaMemset3D(p, 0, extent));
    MyKernel3D<<<1, 64>>>(p, width, height, depth);
    std::vector<float> back(width * height * depth);
    cudaMemcpy3DParms parms = {};
    parms.srcPtr = p;
    parms.dstPtr = make_cudaPitchedPtr(back.data(), width * 4, width, height);
    parms.extent = extent;
    parms.kind = cudaMemcpyDeviceToHost;
    OK(cudaMemcpy3D(&parms));
    right = true;
    for (int z = 0; z < depth; z++)
        for (int y = 0; y < height; y++)
            right &= back[(z * height + y) * width + width - 1] == 1000 * z + 100 * y;
    EXPECT(right);
    OK(cudaFree(p.ptr));
}

static void symbols()
{
    // guide: cudaMemcpyToSymbol(constData) | cudaMemcpyFromSymbol(constData) | cudaMemcpyToSymbol(devData)
    // guide: cudaMemcpyToSymbol(devPointer) | cudaGetSymbolAddress | cudaGetSymbolSize | cudaMemcpyToSymbol | cudaMemcpyFromSymbol
    float data[256], again[256], value = 3.14f, *ptr, out[256];
    for (int i = 0; i < 256; i++)
        data[i] = i;
    OK(cudaMemcpyToSymbol(constData, data, sizeof(data)));
    OK(cudaMemcpyFromSymbol(again, constData, sizeof(data)));
    EXPECT(!memcmp(data, again, sizeof data));
    OK(cudaMemcpyToSymbol(devData, &value, sizeof(float)));
    OK(cudaMalloc(&ptr, 256 * sizeof(float)));
    OK(cudaMemcpy(ptr, data, sizeof data, cudaMemcpyHostToDevice));
    OK(cudaMemcpyToSymbol(devPointer, &ptr, sizeof(ptr)));
    Buffer<float> d(256);
    Symbols<<<1, 256>>>(d);
    OK(cudaMemcpy(out, d, sizeof out, cudaMemcpyDeviceToHost));
    EXPECT(out[255] == fmaf(255, value, 255));
    void *address;
    size_t size;
    OK(cudaGetSymbolAddress(&address, constData));
    OK(cudaGetSymbolSize(&size, constData));
    EXPECT(size == sizeof data);
    OK(cudaMemcpy(again, address, sizeof again, cudaMemcpyDeviceToHost));
    EXPECT(!memcmp(data, again, sizeof data));
    // guide: cudaGetSymbolAddress (cudaErrorInvalidSymbol) | cudaGetSymbolSize (cudaErrorInvalidSymbol)
    int none;
    EXPECT(cudaGetSymbolAddress(&address, &none) == cudaErrorInvalidSymbol);
    EXPECT(cudaGetSymbolSize(&size, &none) == cudaErrorInvalidSymbol);
    cudaGetLastError();
    OK(cudaFree(ptr));
}

static void kinds()
{
    // guide: cudaMemcpyHostToHost | cudaMemcpyHostToDevice | cudaMemcpyDeviceToHost | cudaMemcpyDeviceToDevice | cudaMemcpyDefault
    int a[100], b[100], *d, *e;
    for (int i = 0; i < 100; i++)
        a[i] = i * i;
    OK(cudaMalloc(&d, sizeof a));
    OK(cudaMalloc(&e, sizeof a));
    OK(cudaMemcpy(b, a, sizeof a, cudaMemcpyHostToHost));
    EXPECT(!memcmp(a, b, sizeof a));
    OK(cudaMemcpy(d, b, sizeof a, cudaMemcpyHostToDevice));
    OK(cudaMemcpy(e, d, sizeof a, cudaMemcpyDeviceToDevice));
    memset(b, 0, sizeof b);
    OK(cudaMemcpy(b, e, sizeof a, cudaMemcpyDeviceToHost));
    EXPECT(!memcmp(a, b, sizeof a));
    a[5] = -1;
    OK(cudaMemcpy(d, a, sizeof a, cudaMemcpyDefault));
    OK(cudaMemcpy(b, d, sizeof a, cudaMemcpyDefault));
    EXPECT(b[5] == -1);
    // guide: cudaMemset
    OK(cudaMemset(d, 0x11, sizeof a));
    OK(cudaMemcpy(b, d, sizeof a, cudaMemcpyDefault));
    EXPECT(b[99] == 0x11111111);
    // guide: allocations aligned to at least 256 bytes | address space up to 47/48 bit
    EXPECT((size_t)d % 256 == 0 && (size_t)e % 256 == 0 && (size_t)d < (size_t)1 << 48);
    // guide: cudaMalloc (cudaErrorMemoryAllocation)
    void *huge = nullptr;
    EXPECT(cudaMalloc(&huge, (size_t)1 << 55) == cudaErrorMemoryAllocation);
    EXPECT(cudaGetLastError() == cudaErrorMemoryAllocation);
    // guide: cudaFree errors | cudaFree(0) idiom | cudaErrorInvalidDevicePointer from cudaFree (1.1 code)
    OK(cudaFree(d));
    EXPECT(cudaFree(d) == cudaErrorInvalidValue);
    EXPECT(cudaFree(e + 4) == cudaErrorInvalidValue);
    EXPECT(cudaErrorInvalidDevicePointer == 17); // what 1.1 returned has kept its name and number
    cudaGetLastError();
    OK(cudaFree(e));
    OK(cudaFree(0));
    Node nodes[3], *dn[3];
    for (int i = 0; i < 3; i++)
        OK(cudaMalloc(&dn[i], sizeof(Node)));
    for (int i = 0; i < 3; i++) {
        nodes[i] = Node{10 << i, i < 2 ? dn[i + 1] : nullptr};
        OK(cudaMemcpy(dn[i], &nodes[i], sizeof(Node), cudaMemcpyHostToDevice));
    }
    Buffer<int> sum(1);
    Walk<<<1, 1>>>(dn[0], sum);
    LAUNCHED();
    EXPECT(sum.get()[0] == 70);
    for (int i = 0; i < 3; i++)
        OK(cudaFree(dn[i]));
}

static void page_locked()
{
    const int n = 5000;
    int *h, *hd, *d;
    // guide: cudaHostAlloc | mapped page-locked memory | cudaHostGetDevicePointer | cudaFreeHost
    OK(cudaHostAlloc(&h, n * 4, cudaHostAllocMapped | cudaHostAllocPortable | cudaHostAllocWriteCombined));
    unsigned flags;
    OK(cudaHostGetFlags(&flags, h));
    EXPECT(flags & cudaHostAllocMapped);
    for (int i = 0; i < n; i++)
        h[i] = i;
    OK(cudaHostGetDevicePointer(&hd, h, 0));
    Increment<<<(n + 255) / 256, 256>>>(hd, n);
    LAUNCHED();
    EXPECT(h[0] == 1 && h[n - 1] == n);
    OK(cudaFreeHost(h));
    EXPECT(cudaFreeHost(&flags) == cudaErrorInvalidValue);
    cudaGetLastError();
    // guide: cudaMallocHost | asynchronous copies with page-locked memory | cudaMemcpyAsync
    OK(cudaMallocHost(&h, n * 4));
    OK(cudaMalloc(&d, n * 4));
    cudaStream_t s;
    OK(cudaStreamCreate(&s));
    for (int i = 0; i < n; i++)
        h[i] = 7 * i;
    OK(cudaMemcpyAsync(d, h, n * 4, cudaMemcpyHostToDevice, s));
    Increment<<<(n + 255) / 256, 256, 0, s>>>(d, n);
    OK(cudaMemcpyAsync(h, d, n * 4, cudaMemcpyDeviceToHost, s));
    OK(cudaStreamSynchronize(s));
    EXPECT(h[0] == 1 && h[n - 1] == 7 * (n - 1) + 1);
    // Today pageable memory is taken too; the copy is then complete for the host when the call returns.
    // guide: cudaMemcpyAsync refuses pageable memory (1.1)
    std::vector<int> pageable(n, 5);
    OK(cudaMemcpyAsync(d, pageable.data(), n * 4, cudaMemcpyHostToDevice, s));
    OK(cudaMemcpyAsync(h, d, n * 4, cudaMemcpyDeviceToHost, s));
    OK(cudaStreamSynchronize(s));
    EXPECT(h[17] == 5);
    OK(cudaFreeHost(h));
    // guide: cudaHostRegister | cudaHostUnregister | fallback to cudaMallocHost / cudaHostRegister
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    int *mine = (int *)aligned_alloc(page, 8 * page);
    for (int i = 0; i < n; i++)
        mine[i] = -i;
    OK(cudaHostRegister(mine, 8 * page, cudaHostRegisterMapped));
    EXPECT(cudaHostRegister(mine, 8 * page, cudaHostRegisterMapped) == cudaErrorHostMemoryAlreadyRegistered);
    cudaGetLastError();
    OK(cudaHostGetDevicePointer(&hd, mine, 0));
    Increment<<<(n + 255) / 256, 256, 0, s>>>(hd, n);
    OK(cudaStreamSynchronize(s));
    EXPECT(mine[0] == 1 && mine[n - 1] == 2 - n);
    OK(cudaHostUnregister(mine));
    EXPECT(cudaHostUnregister(mine) == cudaErrorHostMemoryNotRegistered);
    cudaGetLastError();
    free(mine);
    OK(cudaStreamDestroy(s));
    OK(cudaFree(d));
    // guide: unified (managed) memory | cudaMallocManaged
    OK(cudaMallocManaged(&h, n * 4));
    for (int i = 0; i < n; i++)
        h[i] = 3 * i;
    Increment<<<(n + 255) / 256, 256>>>(h, n);
    OK(cudaDeviceSynchronize());
    EXPECT(h[n - 1] == 3 * (n - 1) + 1);
    OK(cudaFree(h));
}

int main()
{
    vec_add();
    pitched();
    symbols();
    kinds();
    page_locked();
    const int n = 48;
    std::vector<float> a(n * n), b(n * n), c(n * n);
    for (int i = 0; i < n * n; i++) {
        a[i] = i % 5;
        b[i] = i % 7;
    }
    MatMul(Matrix{n, n, n, a.data()}, Matrix{n, n, n, b.data()}, Matrix{n, n, n, c.data()});
    bool right = true;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float s = 0;
            for (int k = 0; k < n; k++)
                s += a[i * n + k] * b[k * n + j];
            right &= s == c[i * n + j];
        }
    EXPECT(right);
    return DONE();
}
