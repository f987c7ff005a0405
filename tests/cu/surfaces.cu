// SPDX-License-Identifier: Apache-2.0
// Surface objects: every shape and size, and what happens outside.
#include "check.h"

template <class T> static cudaArray_t array_of(int w, int h, int d, unsigned flags)
{
    cudaChannelFormatDesc c = cudaCreateChannelDesc<T>();
    cudaArray_t a;
    OK(cudaMalloc3DArray(&a, &c, make_cudaExtent(w, h, d), flags | cudaArraySurfaceLoadStore));
    return a;
}

static cudaSurfaceObject_t surface_of(cudaArray_t a)
{
    cudaResourceDesc r = {};
    r.resType = cudaResourceTypeArray;
    r.res.array.array = a;
    cudaSurfaceObject_t s;
    OK(cudaCreateSurfaceObject(&s, &r));
    return s;
}

template <class T> __device__ T make(int i);
template <> __device__ unsigned char make(int i)
{
    return (unsigned char)i;
}
template <> __device__ short make(int i)
{
    return (short)(-i);
}
template <> __device__ float make(int i)
{
    return i * 0.5f;
}
template <> __device__ float2 make(int i)
{
    return make_float2((float)i, (float)-i);
}
template <> __device__ int4 make(int i)
{
    return make_int4(i, i + 1, i + 2, i + 3);
}

template <class T> __global__ void write2d(cudaSurfaceObject_t s, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h)
        surf2Dwrite(make<T>(x + y * w), s, x * (int)sizeof(T), y);
}
template <class T> __global__ void read2d(cudaSurfaceObject_t s, int w, int h, T *out)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h) {
        T v;
        surf2Dread(&v, s, x * (int)sizeof(T), y);
        out[x + y * w] = v;
    }
}
template <class T> __global__ void expected(T *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = make<T>(i);
}

// What is written is what an array copy and a read find.
template <class T> static void planes()
{
    const int w = 37, h = 11, n = w * h;
    cudaArray_t a = array_of<T>(w, h, 0, 0);
    cudaSurfaceObject_t s = surface_of(a);
    T *out;
    std::vector<T> v(n), r(n), e(n);
    OK(cudaMalloc(&out, n * sizeof(T)));
    dim3 block(16, 4), grid(3, 3);
    write2d<T><<<grid, block>>>(s, w, h);
    read2d<T><<<grid, block>>>(s, w, h, out);
    LAUNCHED();
    OK(cudaMemcpy(r.data(), out, n * sizeof(T), cudaMemcpyDeviceToHost));
    OK(cudaMemcpy2DFromArray(v.data(), w * sizeof(T), a, 0, 0, w * sizeof(T), h, cudaMemcpyDeviceToHost));
    expected<T><<<n / 64 + 1, 64>>>(out, n);
    OK(cudaMemcpy(e.data(), out, n * sizeof(T), cudaMemcpyDeviceToHost));
    EXPECT(!memcmp(v.data(), e.data(), n * sizeof(T)));
    EXPECT(!memcmp(r.data(), e.data(), n * sizeof(T)));
    OK(cudaFree(out));
    OK(cudaDestroySurfaceObject(s));
    OK(cudaFreeArray(a));
}

__global__ void shapes(cudaSurfaceObject_t one, cudaSurfaceObject_t three, cudaSurfaceObject_t layers1,
                       cudaSurfaceObject_t layers2, cudaSurfaceObject_t cube, int *out)
{
    int i = threadIdx.x, x = i % 4 * 4, y = i / 4 % 4, z = i / 16 % 4;
    if (i < 4)
        surf1Dwrite(i + 1, one, x);
    surf3Dwrite(i + 2, three, x, y, z);
    if (i < 16)
        surf1DLayeredwrite(i + 3, layers1, x, y);
    surf2DLayeredwrite(i + 4, layers2, x, y, z);
    surfCubemapwrite(i + 5, cube, x, y, z);
    __syncthreads();
    i = 63 - i;
    x = i % 4 * 4, y = i / 4 % 4, z = i / 16 % 4;
    out[i] = surf1Dread<int>(one, x) * 100000 + surf1DLayeredread<int>(layers1, x, y);
    out[64 + i] = surf3Dread<int>(three, x, y, z);
    out[128 + i] = surf2DLayeredread<int>(layers2, x, y, z);
    out[192 + i] = surfCubemapread<int>(cube, x, y, z);
}

static void all_shapes()
{
    cudaArray_t a[] = {array_of<int>(4, 0, 0, 0), array_of<int>(4, 4, 4, 0), array_of<int>(4, 0, 4, cudaArrayLayered),
                       array_of<int>(4, 4, 4, cudaArrayLayered), array_of<int>(4, 4, 6, cudaArrayCubemap)};
    cudaSurfaceObject_t s[5];
    for (int i = 0; i < 5; i++)
        s[i] = surface_of(a[i]);
    int *out, v[256];
    OK(cudaMalloc(&out, sizeof v));
    shapes<<<1, 64>>>(s[0], s[1], s[2], s[3], s[4], out);
    LAUNCHED();
    OK(cudaMemcpy(v, out, sizeof v, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 64; i++)
        EXPECT(v[i] == (i % 4 + 1) * 100000 + i % 16 + 3 && v[64 + i] == i + 2 && v[128 + i] == i + 4 &&
               v[192 + i] == i + 5);
    OK(cudaFree(out));
    for (int i = 0; i < 5; i++) {
        OK(cudaDestroySurfaceObject(s[i]));
        OK(cudaFreeArray(a[i]));
    }
}

__global__ void outside(cudaSurfaceObject_t s, int *out)
{
    int i = threadIdx.x, x = (i % 8 - 2) * 4, y = i / 8 - 2;
    out[i] = surf2Dread<int>(s, x, y, cudaBoundaryModeClamp);
    out[64 + i] = surf2Dread<int>(s, x, y, cudaBoundaryModeZero);
    __syncthreads();
    surf2Dwrite(1000 + i, s, x, y, cudaBoundaryModeZero);
}

static void boundaries()
{
    cudaArray_t a = array_of<int>(4, 4, 0, 0);
    cudaSurfaceObject_t s = surface_of(a);
    int from[16], v[128], *out;
    for (int i = 0; i < 16; i++)
        from[i] = i + 1;
    OK(cudaMemcpy2DToArray(a, 0, 0, from, 16, 16, 4, cudaMemcpyHostToDevice));
    OK(cudaMalloc(&out, sizeof v));
    outside<<<1, 64>>>(s, out);
    LAUNCHED();
    OK(cudaMemcpy(v, out, sizeof v, cudaMemcpyDeviceToHost));
    OK(cudaMemcpy2DFromArray(from, 16, a, 0, 0, 16, 4, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 64; i++) {
        int x = i % 8 - 2, y = i / 8 - 2, cx = x < 0 ? 0 : x > 3 ? 3 : x, cy = y < 0 ? 0 : y > 3 ? 3 : y;
        bool in = x == cx && y == cy;
        EXPECT(v[i] == cx + 4 * cy + 1);
        EXPECT(v[64 + i] == (in ? x + 4 * y + 1 : 0));
        if (in)
            EXPECT(from[x + 4 * y] == 1000 + i);
    }
    OK(cudaFree(out));
    OK(cudaDestroySurfaceObject(s));
    OK(cudaFreeArray(a));
}

int main()
{
    planes<unsigned char>();
    planes<short>();
    planes<float>();
    planes<float2>();
    planes<int4>();
    all_shapes();
    boundaries();
    return DONE();
}
