// SPDX-License-Identifier: Apache-2.0
// Textures that are gone, never were, or whose array is gone: the launch gets an error, and the process goes on. A GPU
// reads some of these as if nothing had happened.
#include "check.h"

__global__ void fetch(cudaTextureObject_t t, float *out)
{
    out[threadIdx.x] = tex2D<float>(t, threadIdx.x + 0.5f, 0.5f);
}

__global__ void store(cudaSurfaceObject_t s, float v)
{
    surf2Dwrite(v, s, threadIdx.x * 4, 0);
}

static cudaArray_t array;

static cudaTextureObject_t texture_new()
{
    cudaChannelFormatDesc d = cudaCreateChannelDesc<float>();
    cudaResourceDesc r = {};
    cudaTextureDesc x = {};
    cudaTextureObject_t t;
    OK(cudaMallocArray(&array, &d, 1024, 64));
    r.resType = cudaResourceTypeArray;
    r.res.array.array = array;
    OK(cudaCreateTextureObject(&t, &r, &x, 0));
    return t;
}

// Runs a kernel on an object that it cannot use.
static void fails(bool surface, unsigned long long object)
{
    float *out;
    OK(cudaMalloc(&out, 32 * sizeof(float)));
    if (surface)
        store<<<1, 32>>>(object, 1);
    else
        fetch<<<1, 32>>>(object, out);
    EXPECT(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
    EXPECT(cudaMalloc(&out, 4) == cudaErrorIllegalAddress); // it stays
    OK(cudaDeviceReset());
    cudaGetLastError();
}

int main()
{
    float *out;
    if (on_gpu())
        SKIP("a GPU reads textures that are gone as if nothing had happened");
    cudaTextureObject_t t = texture_new();
    OK(cudaMalloc(&out, 32 * sizeof(float)));
    fetch<<<1, 32>>>(t, out);
    OK(cudaDestroyTextureObject(t)); // while the kernel may still run
    LAUNCHED();
    OK(cudaFree(out));
    fails(false, t);         // destroyed
    fails(false, 0);         // never made
    fails(false, 0x1234560); // no address
    fails(true, 0);
    t = texture_new();
    fails(true, t); // a texture where a surface is wanted
    t = texture_new();
    OK(cudaFreeArray(array));
    fails(false, t);   // its array is gone
    t = texture_new(); // all is well again
    OK(cudaMalloc(&out, 32 * sizeof(float)));
    fetch<<<1, 32>>>(t, out);
    LAUNCHED();
    OK(cudaDestroyTextureObject(t));
    return DONE();
}
