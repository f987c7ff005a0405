// SPDX-License-Identifier: Apache-2.0
// Texture objects as the guide's appendix describes them: formats, address modes, filters, layers, cube maps, levels,
// gathers.
#include "check.h"

static cudaTextureObject_t object(const cudaResourceDesc &r, cudaTextureAddressMode address,
                                  cudaTextureFilterMode filter, bool normalized,
                                  cudaTextureReadMode read = cudaReadModeElementType)
{
    cudaTextureDesc d = {};
    for (int i = 0; i < 3; i++)
        d.addressMode[i] = address;
    d.filterMode = filter;
    d.normalizedCoords = normalized;
    d.readMode = read;
    d.maxMipmapLevelClamp = 100;
    d.mipmapFilterMode = cudaFilterModeLinear;
    for (int i = 0; i < 4; i++)
        d.borderColor[i] = 0.5f;
    cudaTextureObject_t t;
    OK(cudaCreateTextureObject(&t, &r, &d, NULL));
    return t;
}

static cudaResourceDesc of(cudaArray_t a)
{
    cudaResourceDesc r = {};
    r.resType = cudaResourceTypeArray;
    r.res.array.array = a;
    return r;
}

template <class T> static cudaArray_t filled(int w, int h, int d, unsigned flags, T (*value)(int, int, int))
{
    std::vector<T> v;
    for (int z = 0; z < (d ? d : 1); z++)
        for (int y = 0; y < (h ? h : 1); y++)
            for (int x = 0; x < w; x++)
                v.push_back(value(x, y, z));
    cudaChannelFormatDesc c = cudaCreateChannelDesc<T>();
    cudaArray_t a;
    OK(cudaMalloc3DArray(&a, &c, make_cudaExtent(w, h, d), flags));
    cudaMemcpy3DParms p = {};
    p.srcPtr = make_cudaPitchedPtr(v.data(), w * sizeof(T), w, h ? h : 1);
    p.dstArray = a;
    p.extent = make_cudaExtent(w, h ? h : 1, d ? d : 1);
    p.kind = cudaMemcpyHostToDevice;
    OK(cudaMemcpy3D(&p));
    return a;
}

enum { N = 256 };
template <class T, class F> __global__ void each(T *out, F f)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N)
        out[i] = f(i);
}
template <class T, class F> static std::vector<T> run(F f)
{
    T *out;
    std::vector<T> v(N);
    OK(cudaMalloc(&out, N * sizeof(T)));
    each<T><<<N / 64, 64>>>(out, f);
    LAUNCHED();
    OK(cudaMemcpy(v.data(), out, N * sizeof(T), cudaMemcpyDeviceToHost));
    OK(cudaFree(out));
    return v;
}

static float plane(int x, int y, int z)
{
    return (float)(x + 10 * y + 100 * z);
}
static uchar4 bytes(int x, int y, int)
{
    return make_uchar4((unsigned char)x, (unsigned char)y, (unsigned char)(x * y), 255);
}
static short shorts(int x, int y, int)
{
    return (short)(-1000 * x + y);
}

struct At2D {
    cudaTextureObject_t t;
    float x0, dx, y;
    __device__ float operator()(int i) const
    {
        return tex2D<float>(t, x0 + dx * i, y);
    }
};

// The guide's rules for coordinates outside: clamp, border, and with normalised coordinates wrap and mirror.
static void addresses()
{
    cudaArray_t a = filled<float>(8, 4, 0, 0, plane);
    cudaTextureObject_t t = object(of(a), cudaAddressModeClamp, cudaFilterModePoint, false);
    std::vector<float> v = run<float>(At2D{t, -4.0f, 0.125f, 2.5f});
    for (int i = 0; i < N; i++) {
        float x = floorf(-4.0f + 0.125f * i);
        EXPECT(v[i] == 20 + (x < 0 ? 0 : x > 7 ? 7 : x));
    }
    OK(cudaDestroyTextureObject(t));
    t = object(of(a), cudaAddressModeBorder, cudaFilterModePoint, false);
    v = run<float>(At2D{t, -4.0f, 0.125f, 2.5f});
    for (int i = 0; i < N; i++) {
        float x = floorf(-4.0f + 0.125f * i);
        EXPECT(v[i] == (x < 0 || x > 7 ? 0.5f : 20 + x));
    }
    OK(cudaDestroyTextureObject(t));
    t = object(of(a), cudaAddressModeWrap, cudaFilterModePoint, true);
    v = run<float>(At2D{t, -2.0f, 1.0f / 64, 0.375f});
    for (int i = 0; i < N; i++)
        EXPECT(v[i] == 10 + (float)((i / 8) % 8));
    OK(cudaDestroyTextureObject(t));
    t = object(of(a), cudaAddressModeMirror, cudaFilterModePoint, true);
    v = run<float>(At2D{t, -1.0f / 128, 1.0f / 64, 0.375f});
    for (int i = 1; i < N; i++) {
        int x = (2 * i - 1) / 16 % 16;
        EXPECT(v[i] == 10 + (float)(x < 8 ? x : 15 - x));
    }
    OK(cudaDestroyTextureObject(t));
    // Wrap without normalised coordinates means clamp.
    t = object(of(a), cudaAddressModeWrap, cudaFilterModePoint, false);
    v = run<float>(At2D{t, 6.5f, 1, 0.5f});
    EXPECT(v[0] == 6 && v[1] == 7 && v[2] == 7 && v[100] == 7);
    OK(cudaDestroyTextureObject(t));
    OK(cudaFreeArray(a));
}

// Linear filtering between texel centres, with fractions of 8 bits.
static void filters()
{
    cudaArray_t a = filled<float>(8, 4, 0, 0, plane);
    cudaTextureObject_t t = object(of(a), cudaAddressModeClamp, cudaFilterModeLinear, false);
    std::vector<float> v = run<float>(At2D{t, 0.5f, 1.0f / 64, 2.0f});
    for (int i = 0; i < N; i++)
        EXPECT(v[i] == 15 + i / 64.0f);
    OK(cudaDestroyTextureObject(t));
    OK(cudaFreeArray(a));
}

struct Pixel {
    cudaTextureObject_t t;
    __device__ uchar4 operator()(int i) const
    {
        return tex2D<uchar4>(t, i % 16 + 0.5f, i / 16 + 0.5f);
    }
};
struct PixelFloat {
    cudaTextureObject_t t;
    __device__ float4 operator()(int i) const
    {
        return tex2D<float4>(t, i % 16 + 0.5f, i / 16 + 0.5f);
    }
};
struct Short {
    cudaTextureObject_t t;
    __device__ short operator()(int i) const
    {
        short s;
        tex2D(&s, t, i % 16 + 0.5f, i / 16 + 0.5f);
        return s;
    }
};

static void formats()
{
    cudaArray_t a = filled<uchar4>(16, 16, 0, 0, bytes), b = filled<short>(16, 16, 0, 0, shorts);
    cudaTextureObject_t t = object(of(a), cudaAddressModeClamp, cudaFilterModePoint, false);
    std::vector<uchar4> v = run<uchar4>(Pixel{t});
    for (int i = 0; i < N; i++)
        EXPECT(v[i].x == i % 16 && v[i].y == i / 16 && v[i].z == (i % 16) * (i / 16) && v[i].w == 255);
    OK(cudaDestroyTextureObject(t));
    t = object(of(a), cudaAddressModeClamp, cudaFilterModePoint, false, cudaReadModeNormalizedFloat);
    std::vector<float4> f = run<float4>(PixelFloat{t});
    for (int i = 0; i < N; i++)
        EXPECT(f[i].x == (float)(i % 16) / 255.0f && f[i].z == (float)((i % 16) * (i / 16)) / 255.0f && f[i].w == 1);
    OK(cudaDestroyTextureObject(t));
    t = object(of(b), cudaAddressModeClamp, cudaFilterModePoint, false);
    std::vector<short> s = run<short>(Short{t});
    for (int i = 0; i < N; i++)
        EXPECT(s[i] == (short)(-1000 * (i % 16) + i / 16));
    OK(cudaDestroyTextureObject(t));
    OK(cudaFreeArray(a));
    OK(cudaFreeArray(b));
}

struct Fetch {
    cudaTextureObject_t t;
    __device__ int2 operator()(int i) const
    {
        return tex1Dfetch<int2>(t, i - 8);
    }
};
struct Pitched {
    cudaTextureObject_t t;
    __device__ float operator()(int i) const
    {
        return tex2D<float>(t, (float)(i % 8), (float)(i / 8));
    }
};

static void memory()
{
    std::vector<int2> from(100);
    for (int i = 0; i < 100; i++)
        from[i] = make_int2(i, -i);
    void *p;
    OK(cudaMalloc(&p, 800));
    OK(cudaMemcpy(p, from.data(), 800, cudaMemcpyHostToDevice));
    cudaResourceDesc r = {};
    r.resType = cudaResourceTypeLinear;
    r.res.linear.devPtr = p;
    r.res.linear.desc = cudaCreateChannelDesc<int2>();
    r.res.linear.sizeInBytes = 800;
    cudaTextureObject_t t = object(r, cudaAddressModeClamp, cudaFilterModePoint, false);
    std::vector<int2> v = run<int2>(Fetch{t});
    for (int i = 0; i < N; i++) {
        bool in = i >= 8 && i < 108;
        EXPECT(v[i].x == (in ? i - 8 : 0) && v[i].y == (in ? 8 - i : 0));
    }
    OK(cudaDestroyTextureObject(t));
    OK(cudaFree(p));
    size_t pitch;
    std::vector<float> rows(8 * 32);
    for (int i = 0; i < 8 * 32; i++)
        rows[i] = (float)i;
    OK(cudaMallocPitch(&p, &pitch, 8 * 4, 32));
    OK(cudaMemcpy2D(p, pitch, rows.data(), 32, 32, 32, cudaMemcpyHostToDevice));
    r = {};
    r.resType = cudaResourceTypePitch2D;
    r.res.pitch2D.devPtr = p;
    r.res.pitch2D.desc = cudaCreateChannelDesc<float>();
    r.res.pitch2D.width = 8;
    r.res.pitch2D.height = 32;
    r.res.pitch2D.pitchInBytes = pitch;
    t = object(r, cudaAddressModeClamp, cudaFilterModePoint, false);
    std::vector<float> f = run<float>(Pitched{t});
    for (int i = 0; i < N; i++)
        EXPECT(f[i] == (float)i);
    OK(cudaDestroyTextureObject(t));
    OK(cudaFree(p));
}

struct Volume {
    cudaTextureObject_t t;
    __device__ float operator()(int i) const
    {
        bool there = false;
        float v = tex3D<float>(t, i % 4 + 0.5f, i / 4 % 4 + 0.5f, i / 16 % 4 + 0.5f, &there);
        return there ? v : -1;
    }
};
struct Layers {
    cudaTextureObject_t one, two;
    __device__ float2 operator()(int i) const
    {
        return make_float2(tex1DLayered<float>(one, i % 4 + 0.5f, i / 4 % 4),
                           tex2DLayered<float>(two, i % 4 + 0.5f, i / 4 % 4 + 0.5f, i / 16 % 4));
    }
};
struct Faces {
    cudaTextureObject_t cube, cubes;
    __device__ float2 operator()(int i) const
    {
        float s = i & 1 ? -1.0f : 1.0f;
        int axis = i / 2 % 3;
        float x = axis == 0 ? s : 0.1f, y = axis == 1 ? s : 0.1f, z = axis == 2 ? s : 0.1f;
        return make_float2(texCubemap<float>(cube, x, y, z), texCubemapLayered<float>(cubes, x, y, z, i / 6 % 2));
    }
};
static float slice(int, int, int z)
{
    return (float)z;
}
static float row(int x, int, int z)
{
    return (float)(x + 10 * z);
}

static void geometries()
{
    cudaArray_t a = filled<float>(4, 4, 4, 0, plane), one = filled<float>(4, 0, 4, cudaArrayLayered, row),
                two = filled<float>(4, 4, 4, cudaArrayLayered, plane),
                cube = filled<float>(4, 4, 6, cudaArrayCubemap, slice),
                cubes = filled<float>(4, 4, 12, cudaArrayCubemap | cudaArrayLayered, slice);
    cudaTextureObject_t t = object(of(a), cudaAddressModeClamp, cudaFilterModePoint, false);
    std::vector<float> v = run<float>(Volume{t});
    for (int i = 0; i < N; i++)
        EXPECT(v[i] == plane(i % 4, i / 4 % 4, i / 16 % 4));
    cudaTextureObject_t t1 = object(of(one), cudaAddressModeClamp, cudaFilterModePoint, false);
    cudaTextureObject_t t2 = object(of(two), cudaAddressModeClamp, cudaFilterModePoint, false);
    std::vector<float2> w = run<float2>(Layers{t1, t2});
    for (int i = 0; i < N; i++)
        EXPECT(w[i].x == (float)(i % 4 + 10 * (i / 4 % 4)) && w[i].y == plane(i % 4, i / 4 % 4, i / 16 % 4));
    cudaTextureObject_t t3 = object(of(cube), cudaAddressModeClamp, cudaFilterModePoint, true);
    cudaTextureObject_t t4 = object(of(cubes), cudaAddressModeClamp, cudaFilterModePoint, true);
    w = run<float2>(Faces{t3, t4});
    for (int i = 0; i < N; i++)
        EXPECT(w[i].x == (float)(i % 6) && w[i].y == (float)(i % 6 + 6 * (i / 6 % 2)));
    cudaTextureObject_t all[] = {t, t1, t2, t3, t4};
    for (cudaTextureObject_t o : all)
        OK(cudaDestroyTextureObject(o));
    cudaArray_t arrays[] = {a, one, two, cube, cubes};
    for (cudaArray_t o : arrays)
        OK(cudaFreeArray(o));
}

struct Levels {
    cudaTextureObject_t t;
    __device__ float2 operator()(int i) const
    {
        float d = exp2f(i / 64.0f) / 64;
        return make_float2(tex2DLod<float>(t, 0.5f, 0.5f, i / 64.0f - 1),
                           tex2DGrad<float>(t, 0.5f, 0.5f, make_float2(d, 0), make_float2(0, d)));
    }
};

// A pyramid whose levels hold their own number. What level gradients choose is only roughly laid down.
static void levels()
{
    cudaMipmappedArray_t m;
    cudaChannelFormatDesc c = cudaCreateChannelDesc<float>();
    OK(cudaMallocMipmappedArray(&m, &c, make_cudaExtent(64, 64, 0), 4));
    for (int l = 0; l < 4; l++) {
        cudaArray_t a;
        OK(cudaGetMipmappedArrayLevel(&a, m, l));
        std::vector<float> v((64 >> l) * (64 >> l), (float)l);
        OK(cudaMemcpy2DToArray(a, 0, 0, v.data(), (64 >> l) * 4, (64 >> l) * 4, 64 >> l, cudaMemcpyHostToDevice));
    }
    cudaResourceDesc r = {};
    r.resType = cudaResourceTypeMipmappedArray;
    r.res.mipmap.mipmap = m;
    cudaTextureObject_t t = object(r, cudaAddressModeClamp, cudaFilterModeLinear, true);
    std::vector<float2> v = run<float2>(Levels{t});
    for (int i = 0; i < N; i++) {
        float lod = i / 64.0f - 1, g = i / 64.0f;
        EXPECT(v[i].x == (lod < 0 ? 0 : lod > 3 ? 3 : lod));
        EXPECT(fabsf(v[i].y - (g > 3 ? 3 : g)) < 0.2f);
    }
    OK(cudaDestroyTextureObject(t));
    OK(cudaFreeMipmappedArray(m));
}

struct Gather {
    cudaTextureObject_t t;
    __device__ uchar4 operator()(int i) const
    {
        uchar4 v;
        tex2Dgather(&v, t, (float)(i % 14 + 1), (float)(i / 14 % 14 + 1), i % 2);
        return v;
    }
};

static void gathers()
{
    cudaArray_t a = filled<uchar4>(16, 16, 0, cudaArrayTextureGather, bytes);
    cudaTextureObject_t t = object(of(a), cudaAddressModeClamp, cudaFilterModePoint, false);
    std::vector<uchar4> v = run<uchar4>(Gather{t});
    for (int i = 0; i < N; i++) {
        int x = i % 14, y = i / 14 % 14;
        if (i % 2)
            EXPECT(v[i].x == y + 1 && v[i].y == y + 1 && v[i].z == y && v[i].w == y);
        else
            EXPECT(v[i].x == x && v[i].y == x + 1 && v[i].z == x + 1 && v[i].w == x);
    }
    OK(cudaDestroyTextureObject(t));
    OK(cudaFreeArray(a));
}

// Every thread its own texture.
struct Many {
    cudaTextureObject_t t[4];
    __device__ float operator()(int i) const
    {
        return i % 5 == 4 ? -1 : tex1D<float>(t[i % 4], 1.5f);
    }
};
static float first(int, int, int)
{
    return 1;
}
static float second(int, int, int)
{
    return 2;
}

static void divergent()
{
    cudaArray_t a = filled<float>(4, 0, 0, 0, first), b = filled<float>(4, 0, 0, 0, second);
    Many m = {{object(of(a), cudaAddressModeClamp, cudaFilterModePoint, false),
               object(of(b), cudaAddressModeClamp, cudaFilterModeLinear, false),
               object(of(a), cudaAddressModeBorder, cudaFilterModePoint, false),
               object(of(b), cudaAddressModeClamp, cudaFilterModePoint, true)}};
    std::vector<float> v = run<float>(m);
    for (int i = 0; i < N; i++)
        EXPECT(v[i] == (i % 5 == 4 ? -1 : i % 2 ? 2 : 1));
    for (cudaTextureObject_t t : m.t)
        OK(cudaDestroyTextureObject(t));
    OK(cudaFreeArray(a));
    OK(cudaFreeArray(b));
}

int main()
{
    addresses();
    filters();
    formats();
    memory();
    geometries();
    levels();
    gathers();
    divergent();
    return DONE();
}
