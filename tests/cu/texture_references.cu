// SPDX-License-Identifier: Apache-2.0
// Texture and surface references of CUDA 1 to 11: arrays, linear and pitched memory bound to variables at file scope.
// nvcc: -w
#include "check.h"

enum { W = 32, H = 16, N = 1000 };

texture<float, 1, cudaReadModeElementType> values;
texture<int4, 1> quads;
texture<uchar4, 2, cudaReadModeNormalizedFloat> colours;
texture<float, 2> image;
static texture<float, 3> solid;
texture<unsigned short, cudaTextureType2DLayered> layers;
surface<void, 2> board;

__global__ void linear(float *out, int4 *sums, int n, int offset)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[i] = tex1Dfetch(values, i + offset) * 2;
        int4 q = tex1Dfetch(quads, i);
        sums[i] = make_int4(q.w, q.z, q.y, q.x);
    }
}

__global__ void plane(float *out)
{
    int x = threadIdx.x, y = blockIdx.x;
    out[y * W + x] = tex2D(image, x + 0.5f, y + 0.5f);
}

__global__ void between(float *out)
{
    int x = threadIdx.x, y = blockIdx.x;
    out[y * W + x] = tex2D(image, x + 1.0f, y + 0.5f);
}

__global__ void colour(float4 *out)
{
    int x = threadIdx.x, y = blockIdx.x;
    out[y * W + x] = tex2D(colours, (x + 0.5f) / W, (y + 0.5f) / H);
}

__global__ void volume(float *out)
{
    int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
    out[(z * 4 + y) * 4 + x] = tex3D(solid, x + 0.5f, y + 0.5f, z + 0.5f);
}

__global__ void layer(unsigned short *out)
{
    out[blockIdx.x * 8 + threadIdx.x] = tex2DLayered(layers, threadIdx.x + 0.5f, 0.5f, blockIdx.x);
}

__global__ void paint()
{
    int x = threadIdx.x, y = blockIdx.x;
    float v = surf2Dread<float>(board, x * 4, y), w;
    surf2Dread(&w, board, x * 4, y);
    surf2Dwrite(v + w + x, board, x * 4, y);
}

static std::vector<float> ramp(int n)
{
    std::vector<float> v(n);
    for (int i = 0; i < n; i++)
        v[i] = (float)i;
    return v;
}

static void linear_memory()
{
    Buffer<float> x(ramp(N + 3)), out(N);
    std::vector<int4> q(N);
    for (int i = 0; i < N; i++)
        q[i] = make_int4(i, i + 1, i + 2, i + 3);
    Buffer<int4> dq(q), sums(N);
    size_t offset;
    OK(cudaBindTexture(0, quads, dq.p, N * sizeof(int4)));
    for (int shift = 0; shift <= 3; shift += 3) { // bound anew between launches
        OK(cudaBindTexture(&offset, values, x.p + shift, N * sizeof(float)));
        EXPECT(offset == shift * sizeof(float));
        linear<<<(N + 127) / 128, 128>>>(out, sums, N, (int)(offset / sizeof(float)));
        std::vector<float> y = out.get();
        std::vector<int4> s = sums.get();
        for (int i = 0; i < N; i++)
            EXPECT(y[i] == 2.0f * (i + shift) && s[i].x == i + 3 && s[i].w == i);
    }
    OK(cudaUnbindTexture(values));
    OK(cudaUnbindTexture(quads));
}

static void arrays()
{
    cudaArray *a;
    cudaChannelFormatDesc d = cudaCreateChannelDesc<float>();
    std::vector<float> x = ramp(W * H);
    Buffer<float> out(W * H);
    OK(cudaMallocArray(&a, &d, W, H));
    OK(cudaMemcpyToArray(a, 0, 0, x.data(), x.size() * 4, cudaMemcpyHostToDevice));
    OK(cudaBindTextureToArray(image, a));
    plane<<<H, W>>>(out);
    EXPECT(out.get() == x);
    image.filterMode = cudaFilterModeLinear; // counts from the next binding on
    plane<<<H, W>>>(out);
    EXPECT(out.get() == x);
    OK(cudaBindTextureToArray(image, a, d));
    between<<<H, W>>>(out);
    std::vector<float> y = out.get();
    for (int i = 0; i < W * H; i++)
        EXPECT(y[i] == (i % W == W - 1 ? x[i] : x[i] + 0.5f));
    image.filterMode = cudaFilterModePoint;
    // rows of a pitch
    float *p;
    size_t pitch, offset;
    OK(cudaMallocPitch(&p, &pitch, W * 4, H));
    OK(cudaMemcpy2D(p, pitch, x.data(), W * 4, W * 4, H, cudaMemcpyHostToDevice));
    OK(cudaBindTexture2D(&offset, image, p, d, W, H, pitch));
    EXPECT(offset == 0);
    plane<<<H, W>>>(out);
    EXPECT(out.get() == x);
    OK(cudaUnbindTexture(image));
    OK(cudaFree(p));
    OK(cudaFreeArray(a));
}

static void normalised()
{
    cudaArray *a;
    std::vector<uchar4> x(W * H);
    for (int i = 0; i < W * H; i++)
        x[i] = make_uchar4(i % 256, 255 - i % 256, 128, 0);
    OK(cudaMallocArray(&a, &colours.channelDesc, W, H));
    OK(cudaMemcpyToArray(a, 0, 0, x.data(), x.size() * 4, cudaMemcpyHostToDevice));
    colours.normalized = true;
    colours.addressMode[0] = colours.addressMode[1] = cudaAddressModeWrap;
    OK(cudaBindTextureToArray(colours, a));
    Buffer<float4> out(W * H);
    colour<<<H, W>>>(out);
    std::vector<float4> y = out.get();
    for (int i = 0; i < W * H; i++)
        EXPECT(std::fabs(y[i].x - x[i].x / 255.0f) < 1e-6f && std::fabs(y[i].y - x[i].y / 255.0f) < 1e-6f &&
               y[i].w == 0);
    OK(cudaFreeArray(a));
}

static void solids()
{
    cudaArray *a;
    cudaChannelFormatDesc d = cudaCreateChannelDesc<float>(), s = cudaCreateChannelDesc<unsigned short>();
    std::vector<float> x = ramp(64);
    cudaMemcpy3DParms c = {};
    OK(cudaMalloc3DArray(&a, &d, make_cudaExtent(4, 4, 4)));
    c.srcPtr = make_cudaPitchedPtr(x.data(), 16, 4, 4);
    c.dstArray = a;
    c.extent = make_cudaExtent(4, 4, 4);
    c.kind = cudaMemcpyHostToDevice;
    OK(cudaMemcpy3D(&c));
    OK(cudaBindTextureToArray(solid, a));
    Buffer<float> out(64);
    volume<<<1, dim3(4, 4, 4)>>>(out);
    EXPECT(out.get() == x);
    OK(cudaFreeArray(a));
    std::vector<unsigned short> l(24), m;
    for (int i = 0; i < 24; i++)
        l[i] = (unsigned short)(i * 100);
    OK(cudaMalloc3DArray(&a, &s, make_cudaExtent(8, 1, 3), cudaArrayLayered));
    c = cudaMemcpy3DParms();
    c.srcPtr = make_cudaPitchedPtr(l.data(), 16, 8, 1);
    c.dstArray = a;
    c.extent = make_cudaExtent(8, 1, 3);
    c.kind = cudaMemcpyHostToDevice;
    OK(cudaMemcpy3D(&c));
    OK(cudaBindTextureToArray(layers, a));
    Buffer<unsigned short> o(24);
    layer<<<3, 8>>>(o);
    EXPECT(o.get() == l);
    OK(cudaFreeArray(a));
}

static void surfaces()
{
    cudaArray *a;
    cudaChannelFormatDesc d = cudaCreateChannelDesc<float>();
    std::vector<float> x = ramp(W * H), y(W * H);
    OK(cudaMallocArray(&a, &d, W, H, cudaArraySurfaceLoadStore));
    OK(cudaMemcpyToArray(a, 0, 0, x.data(), x.size() * 4, cudaMemcpyHostToDevice));
    OK(cudaBindSurfaceToArray(board, a));
    paint<<<H, W>>>();
    OK(cudaMemcpyFromArray(y.data(), a, 0, 0, y.size() * 4, cudaMemcpyDeviceToHost));
    for (int i = 0; i < W * H; i++)
        EXPECT(y[i] == 2 * x[i] + i % W);
    const surfaceReference *ref;
    OK(cudaGetSurfaceReference(&ref, &board));
    EXPECT(ref == &board);
    OK(cudaFreeArray(a));
    OK(cudaMallocArray(&a, &d, W, H));
    EXPECT(cudaBindSurfaceToArray(board, a) == cudaErrorInvalidValue); // not made for surfaces
    surface<void, 2> unknown;
    EXPECT(cudaBindSurfaceToArray(unknown, a) == cudaErrorInvalidSurface);
    cudaGetLastError();
    OK(cudaFreeArray(a));
}

int main()
{
    linear_memory();
    arrays();
    normalised();
    solids();
    surfaces();
    return DONE();
}
