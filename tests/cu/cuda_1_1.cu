// SPDX-License-Identifier: Apache-2.0
// The interface of CUDA 1.1, with the names that later versions dropped: kernels, symbols and texture references by
// name, launches in three steps, threads where later ones have devices.
#include "check.h"

extern "C" __global__ void scale(float *p, float by, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        p[i] *= by;
}

__global__ void shift(int *p, int by)
{
    extern __shared__ int tile[];
    tile[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    p[threadIdx.x] = tile[(threadIdx.x + by) % blockDim.x];
}

__constant__ float table[4];
__device__ int counter = 3;

__global__ void use(float *out)
{
    out[threadIdx.x] = table[threadIdx.x] + counter;
}

texture<float, 2> image;
texture<uchar4, 1, cudaReadModeNormalizedFloat> line;

// guide: cudaConfigureCall | cudaSetupArgument (pointer form) | cudaSetupArgument<T> | cudaLaunch by function
// guide: cudaLaunch by name | configure/launch stack | cudaThreadSynchronize
static void launches()
{
    enum { N = 1000 };
    std::vector<float> x(N);
    for (int i = 0; i < N; i++)
        x[i] = (float)i;
    Buffer<float> d(x);
    // by function, with typed arguments
    OK(cudaConfigureCall(dim3((N + 127) / 128), dim3(128)));
    OK(cudaSetupArgument((float *)d, 0));
    OK(cudaSetupArgument(2.0f, 8));
    OK(cudaSetupArgument((int)N, 12));
    OK(cudaLaunch(scale));
    OK(cudaThreadSynchronize());
    // by name
    float *p = d;
    float by = 3;
    int n = N;
    OK(cudaConfigureCall(dim3((N + 127) / 128), dim3(128), 0, 0));
    OK(cudaSetupArgument(&p, sizeof p, 0));
    OK(cudaSetupArgument(&by, sizeof by, 8));
    OK(cudaSetupArgument(&n, sizeof n, 12));
    OK(cudaLaunch("scale"));
    OK(cudaThreadSynchronize());
    std::vector<float> y = d.get();
    for (int i = 0; i < N; i++)
        EXPECT(y[i] == 6.0f * i);
    // a name that C++ changes, and shared memory
    std::vector<int> v(64);
    for (int i = 0; i < 64; i++)
        v[i] = i;
    Buffer<int> dv(v);
    OK(cudaConfigureCall(dim3(1), dim3(64), 64 * sizeof(int), 0));
    OK(cudaSetupArgument((int *)dv, 0));
    OK(cudaSetupArgument(5, 8));
    OK(cudaLaunch("shift"));
    std::vector<int> w = dv.get();
    for (int i = 0; i < 64; i++)
        EXPECT(w[i] == (i + 5) % 64);
    // a configuration and its arguments wait while another kernel is launched
    OK(cudaConfigureCall(dim3(1), dim3(10)));
    OK(cudaSetupArgument((float *)d, 0));
    OK(cudaSetupArgument(0.5f, 8));
    OK(cudaConfigureCall(dim3(1), dim3(64), 64 * sizeof(int), 0));
    OK(cudaSetupArgument((int *)dv, 0));
    OK(cudaSetupArgument(-5 + 64, 8));
    OK(cudaLaunch("shift"));
    use<<<1, 1>>>(d.p + N - 1);
    OK(cudaSetupArgument(10, 12));
    OK(cudaLaunch(scale));
    y = d.get();
    EXPECT(dv.get() == v && y[9] == 27 && y[10] == 60);
    // wrong
    EXPECT(cudaLaunch(scale) == cudaErrorMissingConfiguration);
    EXPECT(cudaSetupArgument(&p, sizeof p, 0) == cudaErrorMissingConfiguration);
    OK(cudaConfigureCall(dim3(1), dim3(1)));
    EXPECT(cudaLaunch("no such kernel") == cudaErrorInvalidDeviceFunction);
    OK(cudaConfigureCall(dim3(1), dim3(1)));
    EXPECT(cudaLaunch((const void *)16) == cudaErrorInvalidDeviceFunction);
    OK(cudaConfigureCall(dim3(1), dim3(1)));
    EXPECT(cudaLaunch((const void *)0) == cudaErrorInvalidDeviceFunction);
    OK(cudaConfigureCall(dim3(1), dim3(1)));
    EXPECT(cudaLaunch(scale) == cudaErrorInvalidValue); // no arguments
    OK(cudaConfigureCall(dim3(1), dim3(1)));
    EXPECT(cudaSetupArgument(&p, sizeof p, 1 << 20) == cudaErrorInvalidValue);
    EXPECT(cudaSetupArgument(&p, sizeof p, 4096 - 7) == cudaErrorInvalidValue);
    EXPECT(cudaSetupArgument((const void *)0, 4, 0) == cudaErrorInvalidValue);
    EXPECT(cudaLaunch(scale) == cudaErrorInvalidValue);
    EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
}

// guide: symbols named by strings
static void symbols()
{
    float t[4] = {10, 20, 30, 40}, back[4] = {0};
    int seven = 7;
    void *p;
    size_t size;
    OK(cudaMemcpyToSymbol("table", t, sizeof t));
    OK(cudaMemcpyToSymbol("counter", &seven, sizeof seven, 0, cudaMemcpyHostToDevice));
    OK(cudaMemcpyFromSymbol(back, "table", sizeof t));
    EXPECT(!memcmp(back, t, sizeof t));
    Buffer<float> out(4);
    use<<<1, 4>>>(out);
    std::vector<float> y = out.get();
    for (int i = 0; i < 4; i++)
        EXPECT(y[i] == t[i] + 7);
    OK(cudaGetSymbolAddress(&p, "counter"));
    OK(cudaMemcpy(&seven, p, sizeof seven, cudaMemcpyDeviceToHost));
    EXPECT(seven == 7);
    OK(cudaGetSymbolSize(&size, "table"));
    EXPECT(size == sizeof t);
    EXPECT(cudaMemcpyToSymbol("none", t, 4) == cudaErrorInvalidSymbol);
    EXPECT(cudaMemcpyToSymbol("", t, 4) == cudaErrorInvalidSymbol);
    EXPECT(cudaMemcpyToSymbol("image", t, 4) == cudaErrorInvalidSymbol); // a texture
    EXPECT(cudaGetSymbolAddress(&p, (const void *)16) == cudaErrorInvalidSymbol);
    EXPECT(cudaGetSymbolAddress(&p, (const void *)0) == cudaErrorInvalidSymbol);
    EXPECT(cudaGetLastError() == cudaErrorInvalidSymbol);
}

// guide: cudaGetTextureReference | cudaBindTexture (high level, both forms)
// guide: cudaBindTextureToArray (low level) | cudaBindTextureToArray (high level, both forms)
// guide: cudaUnbindTexture | cudaGetTextureAlignmentOffset | bind offset for misaligned addresses
static void references()
{
    const textureReference *ref;
    cudaChannelFormatDesc f = cudaCreateChannelDesc<float>();
    size_t offset = 99;
    cudaArray *array;
    OK(cudaGetTextureReference(&ref, "image"));
    EXPECT(ref == &image && ref->addressMode[0] == cudaAddressModeClamp && ref->channelDesc.x == 32);
    EXPECT(line.channelDesc.w == 8 && line.channelDesc.f == cudaChannelFormatKindUnsigned);
    EXPECT(cudaGetTextureReference(&ref, "none") == cudaErrorInvalidTexture);
    EXPECT(cudaGetTextureReference(&ref, "table") == cudaErrorInvalidTexture);
    EXPECT(cudaGetTextureReference((const textureReference **)0, "image") == cudaErrorInvalidValue);
    EXPECT(cudaGetTextureAlignmentOffset(&offset, image) == cudaErrorInvalidTextureBinding);
    OK(cudaMallocArray(&array, &f, 16, 8));
    OK(cudaBindTextureToArray(image, array));
    OK(cudaGetTextureAlignmentOffset(&offset, image));
    EXPECT(offset == 0);
    OK(cudaBindTextureToArray(image, array, f));
    OK(cudaBindTextureToArray(image, array, &f));
    textureReference *low; // the low-level way of the guide
    OK(cudaGetTextureReference(&low, "line"));
    EXPECT(cudaBindTextureToArray(low, array, &f) == cudaErrorInvalidNormSetting);
    OK(cudaGetTextureReference(&low, "image"));
    OK(cudaBindTextureToArray(low, array, &f));
    OK(cudaUnbindTexture(image));
    OK(cudaUnbindTexture(image));
    EXPECT(cudaGetTextureAlignmentOffset(&offset, image) == cudaErrorInvalidTextureBinding);
    OK(cudaFreeArray(array));
    Buffer<uchar4> d(1024);
    OK(cudaBindTexture(&offset, line, d.p));
    EXPECT(offset == 0);
    OK(cudaBindTexture(&offset, line, d.p + 3, 512));
    EXPECT(offset == 3 * sizeof(uchar4));
    OK(cudaGetTextureAlignmentOffset(&offset, line));
    EXPECT(offset == 3 * sizeof(uchar4));
    EXPECT(cudaBindTexture(0, line, d.p + 3, 512) == cudaErrorInvalidValue);
    OK(cudaBindTexture(0, line, d.p, line.channelDesc, 512));
    OK(cudaUnbindTexture(&line));
    f.x = 24;
    EXPECT(cudaBindTexture(0, line, d.p, f, 512) == cudaErrorInvalidChannelDescriptor);
    EXPECT(cudaBindTexture(0, line, 0, 512) == cudaErrorInvalidDevicePointer);
    texture<float, 2> unknown;
    EXPECT(cudaUnbindTexture(unknown) == cudaErrorInvalidTexture);
    cudaChannelFormatDesc wide = cudaCreateChannelDesc<int>();
    EXPECT(cudaBindTexture(0, line, d.p, wide, 512) == cudaErrorInvalidNormSetting);
    image.filterMode = cudaFilterModeLinear;
    EXPECT(cudaBindTexture(0, image, d.p, wide, 512) == cudaErrorInvalidFilterSetting);
    cudaGetLastError();
}

// guide: cudaThreadExit
int main()
{
    int count, device;
    cudaDeviceProp prop;
    OK(cudaGetDeviceCount(&count));
    OK(cudaGetDeviceProperties(&prop, 0));
    OK(cudaChooseDevice(&device, &prop));
    OK(cudaSetDevice(device));
    launches();
    symbols();
    references();
    double x = 1.5;
    OK(cudaSetDoubleForDevice(&x));
    OK(cudaSetDoubleForHost(&x));
    EXPECT(x == 1.5);
    void *gone;
    OK(cudaMalloc(&gone, 64));
    OK(cudaThreadExit());
    EXPECT(cudaFree(gone) == cudaErrorInvalidValue); // it went with all that the thread had
    cudaGetLastError();
    Buffer<float> again(1);
    use<<<1, 1>>>(again);
    EXPECT(again.get()[0] == 3); // and variables are as they were at the start
    return DONE();
}
