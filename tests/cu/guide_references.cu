// SPDX-License-Identifier: Apache-2.0
// What the CUDA 1.1 guide says of texture references and of the names that are gone since: defaults, two references on one
// texture, the formulas of appendix F, copies to arrays in streams, channels, Direct3D on Linux.
// nvcc: -w -lcuda
#include "check.h"
#include <cuda_d3d9_interop.h>
#include <cudaD3D9.h>

// guide: texture<Type, Dim, ReadMode> | Dim defaults to 1 | ReadMode defaults to cudaReadModeElementType | textureReference struct
texture<float, 1, cudaReadModeElementType> full;
texture<float> defaults; // one dimension, elements as they are
texture<uchar4, 2, cudaReadModeNormalizedFloat> colour;
texture<uchar4, 2> bytes;

__global__ void both(const float *x, float *a, float *b, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        a[i] = tex1D(full, x[i]);
        b[i] = tex1D(defaults, x[i]);
    }
}
__global__ void corner(float4 *f, uchar4 *u)
{
    *f = tex2D(colour, 1.5f, 0.5f);
    *u = tex2D(bytes, 1.5f, 0.5f);
}

static int clampi(int i, int n)
{
    return i < 0 ? 0 : i >= n ? n - 1 : i;
}

// guide: several references on one texture | clamp is the default | Appendix F through texture references
static void two_references()
{
    const int N = 8, n = 2000;
    std::vector<float> T(N), x(n);
    for (int i = 0; i < N; i++)
        T[i] = (float)(i * 7 % 11);
    for (int i = 0; i < n; i++)
        x[i] = -3 + 14.0f * i / n + 1.0f / 1024;
    cudaArray *a;
    cudaChannelFormatDesc f = cudaCreateChannelDesc<float>();
    OK(cudaMallocArray(&a, &f, N, 1));
    OK(cudaMemcpyToArray(a, 0, 0, T.data(), N * 4, cudaMemcpyHostToDevice));
    EXPECT(defaults.normalized == 0 && defaults.filterMode == cudaFilterModePoint &&
           defaults.addressMode[0] == cudaAddressModeClamp);
    full.filterMode = cudaFilterModeLinear;
    full.addressMode[0] = cudaAddressModeClamp;
    OK(cudaBindTextureToArray(full, a));
    OK(cudaBindTextureToArray(defaults, a));
    Buffer<float> dx(x), da(n), db(n);
    both<<<(n + 127) / 128, 128>>>(dx, da, db, n);
    LAUNCHED();
    auto linear = da.get(), point = db.get();
    double worst = 0;
    bool right = true;
    for (int i = 0; i < n; i++) {
        right &= point[i] == T[clampi((int)std::floor(x[i]), N)];
        float xb = std::fmin(std::fmax(x[i], 0), (float)N) - 0.5f;
        double alpha = std::floor((xb - std::floor(xb)) * 256 + 0.5) / 256;
        int k = (int)std::floor(xb);
        worst = std::fmax(worst, std::fabs(linear[i] - ((1 - alpha) * T[clampi(k, N)] + alpha * T[clampi(k + 1, N)])));
    }
    EXPECT(right && worst < 1e-5);
    OK(cudaUnbindTexture(full));
    OK(cudaUnbindTexture(defaults));
    OK(cudaFreeArray(a));
    uchar4 texel[2] = {make_uchar4(1, 2, 3, 4), make_uchar4(255, 0, 51, 102)};
    cudaArray *c;
    cudaChannelFormatDesc u = cudaCreateChannelDesc<uchar4>();
    OK(cudaMallocArray(&c, &u, 2, 1));
    OK(cudaMemcpyToArray(c, 0, 0, texel, sizeof texel, cudaMemcpyHostToDevice));
    OK(cudaBindTextureToArray(colour, c));
    OK(cudaBindTextureToArray(bytes, c));
    Buffer<float4> df(1);
    Buffer<uchar4> du(1);
    corner<<<1, 1>>>(df, du);
    LAUNCHED();
    EXPECT(df.get()[0].x == 1 && df.get()[0].y == 0 && df.get()[0].z == 0.2f && df.get()[0].w == 0.4f);
    EXPECT(du.get()[0].x == 255 && du.get()[0].w == 102);
    OK(cudaFreeArray(c));
}

// guide: cudaMemcpyToArrayAsync | cudaMemcpyFromArrayAsync | cudaMemcpy2DToArrayAsync | cudaMemcpy2DFromArrayAsync
// guide: cudaMemcpyToArray | cudaMemcpyFromArray | cudaMemcpy2DToArray | cudaMemcpy2DFromArray | cudaMemcpyArrayToArray | cudaMemcpy2DArrayToArray
static void copies()
{
    const int w = 20, h = 6;
    cudaArray *a, *b;
    cudaChannelFormatDesc f = cudaCreateChannelDesc<int>();
    cudaStream_t s;
    int *in, *out;
    OK(cudaMallocArray(&a, &f, w, h));
    OK(cudaMallocArray(&b, &f, w, h));
    OK(cudaStreamCreate(&s));
    OK(cudaMallocHost(&in, w * h * 4));
    OK(cudaMallocHost(&out, w * h * 4));
    for (int i = 0; i < w * h; i++)
        in[i] = i * 3;
    OK(cudaMemcpyToArrayAsync(a, 0, 0, in, w * h * 4, cudaMemcpyHostToDevice, s));
    OK(cudaMemcpyFromArrayAsync(out, a, 0, 0, w * h * 4, cudaMemcpyDeviceToHost, s));
    OK(cudaStreamSynchronize(s));
    EXPECT(!memcmp(in, out, w * h * 4));
    OK(cudaMemcpyArrayToArray(b, 0, 0, a, 0, 0, w * h * 4, cudaMemcpyDeviceToDevice));
    memset(out, 0, w * h * 4);
    OK(cudaMemcpyFromArray(out, b, 0, 0, w * h * 4, cudaMemcpyDeviceToHost));
    EXPECT(!memcmp(in, out, w * h * 4));
    OK(cudaMemcpyToArray(b, 0, 0, in, 8, cudaMemcpyHostToDevice));
    OK(cudaMemcpy2DToArrayAsync(b, 4 * 4, 2, in, 16, 16, 2, cudaMemcpyHostToDevice, s));
    OK(cudaMemcpy2DFromArrayAsync(out, 16, b, 4 * 4, 2, 16, 2, cudaMemcpyDeviceToHost, s));
    OK(cudaStreamSynchronize(s));
    EXPECT(out[0] == 0 && out[3] == 9 && out[4] == 12);
    OK(cudaMemcpy2DToArray(b, 0, 5, in, 16, 16, 1, cudaMemcpyHostToDevice));
    OK(cudaMemcpy2DArrayToArray(a, 8, 0, b, 0, 5, 16, 1, cudaMemcpyDeviceToDevice));
    OK(cudaMemcpy2DFromArray(out, 24, a, 0, 0, 24, 1, cudaMemcpyDeviceToHost));
    EXPECT(out[1] == 3 && out[2] == 0 && out[5] == 9);
    OK(cudaFreeHost(in));
    OK(cudaFreeHost(out));
    OK(cudaStreamDestroy(s));
    OK(cudaFreeArray(a));
    OK(cudaFreeArray(b));
}

// guide: cudaCreateChannelDesc(x,y,z,w,f) | cudaGetChannelDesc | 3-component types default to 4-component format
static void channels()
{
    cudaChannelFormatDesc d = cudaCreateChannelDesc(16, 16, 0, 0, cudaChannelFormatKindSigned), got;
    EXPECT(d.x == 16 && d.y == 16 && d.z == 0 && d.w == 0 && d.f == cudaChannelFormatKindSigned);
    cudaArray *a;
    OK(cudaMallocArray(&a, &d, 4, 4));
    OK(cudaGetChannelDesc(&got, a));
    EXPECT(got.x == 16 && got.y == 16 && got.z == 0 && got.f == cudaChannelFormatKindSigned);
    OK(cudaFreeArray(a));
    // The guide of 1.1 made four channels of three-component types; since then there is no array of three, and the error says so.
    cudaChannelFormatDesc three = cudaCreateChannelDesc(8, 8, 8, 0, cudaChannelFormatKindUnsigned);
    EXPECT(cudaMallocArray(&a, &three, 4, 4) == cudaErrorInvalidChannelDescriptor);
    cudaGetLastError();
}

__global__ void object(cudaTextureObject_t t, const float *x, float *out, int n)
{
    if (threadIdx.x < n)
        out[threadIdx.x] = tex1D<float>(t, x[threadIdx.x]);
}

// guide: 16-bit float arrays through the driver API | CU_TR_ADDRESS_MODE_MIRROR
static void halves()
{
    CUDA_ARRAY_DESCRIPTOR d = {4, 0, CU_AD_FORMAT_HALF, 1};
    const unsigned short half[4] = {0x3c00, 0x4000, 0xc200, 0x3800}; // 1, 2, -3, 0.5
    CUarray a;
    EXPECT(cuArrayCreate(&a, &d) == CUDA_SUCCESS && cuMemcpyHtoA(a, 0, half, sizeof half) == CUDA_SUCCESS);
    CUDA_RESOURCE_DESC r = {};
    r.resType = CU_RESOURCE_TYPE_ARRAY;
    r.res.array.hArray = a;
    CUDA_TEXTURE_DESC t = {};
    t.addressMode[0] = t.addressMode[1] = t.addressMode[2] = CU_TR_ADDRESS_MODE_MIRROR;
    t.flags = CU_TRSF_NORMALIZED_COORDINATES;
    CUtexObject o;
    EXPECT(cuTexObjectCreate(&o, &r, &t, nullptr) == CUDA_SUCCESS);
    Buffer<float> x(std::vector<float>{0.125f, 0.625f, 1.125f, -0.125f, 1.875f, 2.375f}), out(6);
    object<<<1, 32>>>(o, x, out, 6);
    LAUNCHED();
    EXPECT(out.get() == (std::vector<float>{1, -3, 0.5f, 1, 1, 2})); // there, and back from the edge
    EXPECT(cuTexObjectDestroy(o) == CUDA_SUCCESS && cuArrayDestroy(a) == CUDA_SUCCESS);
}

__global__ void fetches(float *out)
{
    out[threadIdx.x] = tex1Dfetch(defaults, threadIdx.x);
}

// guide: cudaBindTexture (low level)
static void low_level()
{
    std::vector<float> v(64);
    for (int i = 0; i < 64; i++)
        v[i] = i * 0.5f;
    Buffer<float> d(v), out(64);
    const textureReference *ref;
    size_t offset = 7;
    cudaChannelFormatDesc f = cudaCreateChannelDesc<float>();
    OK(cudaGetTextureReference(&ref, "defaults"));
    OK(cudaBindTexture(&offset, ref, d.p, &f, 64 * sizeof(float)));
    EXPECT(offset == 0);
    fetches<<<1, 64>>>(out);
    LAUNCHED();
    EXPECT(out.get() == v);
    OK(cudaUnbindTexture(ref));
}

// There is no Direct3D on Linux: every function says so.
// guide: cudaD3D9Begin | cudaD3D9End | cudaD3D9RegisterVertexBuffer | cudaD3D9MapVertexBuffer | cudaD3D9UnmapVertexBuffer | cudaD3D9UnregisterVertexBuffer | cudaD3D9GetDevice
// guide: cuD3D9Begin | cuD3D9End | cuD3D9RegisterVertexBuffer | cuD3D9MapVertexBuffer | cuD3D9UnmapVertexBuffer | cuD3D9UnregisterVertexBuffer | cuD3D9GetDevice
static void direct3d()
{
    int device;
    void *pointer;
    CUdeviceptr address;
    size_t size;
    EXPECT(cudaD3D9GetDevice(&device, "display") == cudaErrorNotSupported &&
           cudaD3D9Begin(nullptr) == cudaErrorNotSupported);
    EXPECT(cudaD3D9RegisterVertexBuffer(nullptr) == cudaErrorNotSupported);
    EXPECT(cudaD3D9MapVertexBuffer(&pointer, nullptr) == cudaErrorNotSupported);
    EXPECT(cudaD3D9UnmapVertexBuffer(nullptr) == cudaErrorNotSupported);
    EXPECT(cudaD3D9UnregisterVertexBuffer(nullptr) == cudaErrorNotSupported && cudaD3D9End() == cudaErrorNotSupported);
    EXPECT(cuD3D9GetDevice(&device, "display") == CUDA_ERROR_NOT_SUPPORTED &&
           cuD3D9Begin(nullptr) == CUDA_ERROR_NOT_SUPPORTED);
    EXPECT(cuD3D9RegisterVertexBuffer(nullptr) == CUDA_ERROR_NOT_SUPPORTED);
    EXPECT(cuD3D9MapVertexBuffer(&address, &size, nullptr) == CUDA_ERROR_NOT_SUPPORTED);
    EXPECT(cuD3D9UnmapVertexBuffer(nullptr) == CUDA_ERROR_NOT_SUPPORTED);
    EXPECT(cuD3D9UnregisterVertexBuffer(nullptr) == CUDA_ERROR_NOT_SUPPORTED &&
           cuD3D9End() == CUDA_ERROR_NOT_SUPPORTED);
    cudaGetLastError();
}

int main()
{
    two_references();
    copies();
    channels();
    halves();
    low_level();
    if (!on_gpu()) // NVIDIA's driver for Linux has no such functions
        direct3d();
    return DONE();
}
