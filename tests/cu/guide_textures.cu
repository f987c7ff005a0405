// SPDX-License-Identifier: Apache-2.0
// Textures as the guides describe them, by objects: the read modes, address modes and filters of the CUDA 1.1 guide's
// chapter 4 and appendix F, each against the formula.
#include "check.h"

template <class T> __global__ void fetch(cudaTextureObject_t t, const int *at, T *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = tex1Dfetch<T>(t, at[i]);
}
template <class T> __global__ void sample1(cudaTextureObject_t t, const float *x, T *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = tex1D<T>(t, x[i]);
}
template <class T> __global__ void sample2(cudaTextureObject_t t, const float *x, const float *y, T *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = tex2D<T>(t, x[i], y[i]);
}

static cudaTextureObject_t over_linear(void *p, cudaChannelFormatDesc desc, size_t bytes,
                                       cudaTextureReadMode mode = cudaReadModeElementType)
{
    cudaResourceDesc r = {};
    r.resType = cudaResourceTypeLinear;
    r.res.linear.devPtr = p;
    r.res.linear.desc = desc;
    r.res.linear.sizeInBytes = bytes;
    cudaTextureDesc d = {};
    d.readMode = mode;
    cudaTextureObject_t t;
    OK(cudaCreateTextureObject(&t, &r, &d, nullptr));
    return t;
}
static cudaTextureObject_t over_array(cudaArray_t a, cudaTextureAddressMode address, cudaTextureFilterMode filter,
                                      bool normalized, cudaTextureReadMode mode = cudaReadModeElementType)
{
    cudaResourceDesc r = {};
    r.resType = cudaResourceTypeArray;
    r.res.array.array = a;
    cudaTextureDesc d = {};
    d.addressMode[0] = d.addressMode[1] = d.addressMode[2] = address;
    d.filterMode = filter;
    d.readMode = mode;
    d.normalizedCoords = normalized;
    cudaTextureObject_t t;
    OK(cudaCreateTextureObject(&t, &r, &d, nullptr));
    return t;
}

// guide: tex1Dfetch<T>(object) all types | texture on linear memory: out of range gives 0 | tex1Dfetch element type
template <class T> static void fetch_type(T (*make)(int))
{
    const int n = 100;
    std::vector<T> v(n);
    std::vector<int> at(n + 8);
    for (int i = 0; i < n; i++)
        v[i] = make(i);
    for (int i = 0; i < n + 8; i++)
        at[i] = (i * 37) % n;
    at[n] = n;
    at[n + 1] = -1;
    at[n + 2] = 1 << 20;
    Buffer<T> d(v), out(n + 8);
    Buffer<int> dat(at);
    // guide: allocations need no texture offset | cudaCreateChannelDesc<T> | cudaChannelFormatDesc / Kind
    cudaTextureObject_t t = over_linear(d, cudaCreateChannelDesc<T>(), n * sizeof(T));
    fetch<T><<<1, n + 8>>>(t, dat, out, n + 8);
    LAUNCHED();
    std::vector<T> o = out.get();
    T zero;
    memset(&zero, 0, sizeof zero);
    bool right = true;
    for (int i = 0; i < n + 8; i++) {
        bool inside = at[i] >= 0 && at[i] < n;
        right &= !memcmp(&o[i], inside ? &v[at[i]] : &zero, sizeof(T));
    }
    EXPECT(right);
    OK(cudaDestroyTextureObject(t));
}
template <class T> static T plain(int i)
{
    return (T)(i * 5 - 7);
}
static uchar4 quad_bytes(int i)
{
    return make_uchar4(i, i + 1, 2 * i, 255 - i);
}
static float2 pair_floats(int i)
{
    return make_float2(i * 0.5f, -i);
}
static float4 quad_floats(int i)
{
    return make_float4(i, i + 0.25f, -i, 1);
}
static short2 pair_shorts(int i)
{
    return make_short2(-i * 300, i * 300);
}
static uint4 quad_uints(int i)
{
    return make_uint4(i, 1u << (i % 32), ~i, 7);
}

// guide: cudaReadModeNormalizedFloat | normalized-float reads of 8/16-bit integers, 1/2/4 components
// guide: tex1Dfetch normalized uchar/char/ushort/short | tex1Dfetch uchar4 -> float4
template <class T> static void normalized_type(double top, bool is_signed)
{
    const int n = 65536;
    int count = sizeof(T) == 1 ? 256 : 65536;
    std::vector<T> v(n);
    std::vector<int> at(n);
    for (int i = 0; i < n; i++) {
        v[i] = (T)(i % count);
        at[i] = i;
    }
    Buffer<T> d(v);
    Buffer<int> dat(at);
    Buffer<float> out(n);
    cudaTextureObject_t t = over_linear(d, cudaCreateChannelDesc<T>(), n * sizeof(T), cudaReadModeNormalizedFloat);
    fetch<float><<<n / 256, 256>>>(t, dat, out, n);
    LAUNCHED();
    std::vector<float> o = out.get();
    bool right = true;
    for (int i = 0; i < n; i++) {
        float want = (float)(v[i] / top);
        want = is_signed && want < -1 ? -1 : want;
        right &= o[i] == want;
    }
    EXPECT(right);
    OK(cudaDestroyTextureObject(t));
}
static void normalized_quads()
{
    const int n = 64;
    std::vector<uchar4> v(n);
    std::vector<short2> w(n);
    std::vector<int> at(n);
    for (int i = 0; i < n; i++) {
        v[i] = make_uchar4(i * 4, 255 - i, i, 128);
        w[i] = make_short2(i * 500 - 16000, 32767 - i);
        at[i] = i;
    }
    Buffer<uchar4> d(v);
    Buffer<short2> e(w);
    Buffer<int> dat(at);
    Buffer<float4> out(n);
    Buffer<float2> out2(n);
    cudaTextureObject_t t = over_linear(d, cudaCreateChannelDesc<uchar4>(), n * 4, cudaReadModeNormalizedFloat);
    cudaTextureObject_t u = over_linear(e, cudaCreateChannelDesc<short2>(), n * 4, cudaReadModeNormalizedFloat);
    fetch<float4><<<1, n>>>(t, dat, out, n);
    fetch<float2><<<1, n>>>(u, dat, out2, n);
    LAUNCHED();
    auto o = out.get();
    auto p = out2.get();
    bool right = true;
    for (int i = 0; i < n; i++) {
        right &= o[i].x == (float)(v[i].x / 255.0) && o[i].y == (float)(v[i].y / 255.0) &&
                 o[i].z == (float)(v[i].z / 255.0) && o[i].w == (float)(128 / 255.0);
        right &= p[i].x == (float)(w[i].x / 32767.0) && p[i].y == (float)(w[i].y / 32767.0);
    }
    EXPECT(right);
}

static double frac(double x)
{
    return x - std::floor(x);
}
static int clampi(int i, int n)
{
    return i < 0 ? 0 : i >= n ? n - 1 : i;
}
// Where a clamped coordinate falls between two texels: the first of them, and the weight of the second in 1/256.
struct Place {
    int texel, weight;
    Place(float x, int n)
    {
        int fixed = (int)std::floor((std::fmin(std::fmax(x, 0.0f), (float)n) - 0.5f) * 256 + 0.5f);
        texel = fixed >> 8;
        weight = fixed & 255;
    }
};
static float linear1(const std::vector<float> &T, float x)
{
    int n = (int)T.size();
    Place p(x, n);
    return ((256 - p.weight) * T[clampi(p.texel, n)] + p.weight * T[clampi(p.texel + 1, n)]) / 256;
}

template <class T> __global__ void of_arrays(cudaTextureObject_t line, cudaTextureObject_t plane, T *out, int w, int n)
{
    int i = threadIdx.x;
    if (i < n)
        out[i] = tex2D<T>(plane, i % w + 0.5f, i / w + 0.5f);
    if (i < w)
        out[n + i] = tex1D<T>(line, i + 0.5f);
}
// guide: tex1D | tex2D | CUDA arrays 1D/2D, 1/2/4 components of 8/16/32 bit | CUDA arrays: opaque layout for texture fetches
template <class T> static void array_type()
{
    const int w = 9, h = 6, n = w * h;
    std::vector<T> v(n), back(n);
    unsigned char *bytes = (unsigned char *)v.data();
    for (size_t i = 0; i < n * sizeof(T); i++)
        bytes[i] = (unsigned char)(i % 4 == 3 ? 0x40 : i * 7 + 1); // also floats that are no NaNs
    cudaChannelFormatDesc desc = cudaCreateChannelDesc<T>();
    cudaArray_t line, plane;
    OK(cudaMallocArray(&line, &desc, w, 0));
    OK(cudaMallocArray(&plane, &desc, w, h));
    OK(cudaMemcpy2DToArray(line, 0, 0, v.data(), w * sizeof(T), w * sizeof(T), 1, cudaMemcpyHostToDevice));
    OK(cudaMemcpy2DToArray(plane, 0, 0, v.data(), w * sizeof(T), w * sizeof(T), h, cudaMemcpyHostToDevice));
    OK(cudaMemcpy2DFromArray(back.data(), w * sizeof(T), plane, 0, 0, w * sizeof(T), h, cudaMemcpyDeviceToHost));
    EXPECT(!memcmp(back.data(), v.data(), n * sizeof(T)));
    cudaTextureObject_t t = over_array(line, cudaAddressModeClamp, cudaFilterModePoint, false);
    cudaTextureObject_t u = over_array(plane, cudaAddressModeClamp, cudaFilterModePoint, false);
    Buffer<T> out(n + w);
    of_arrays<T><<<1, 64>>>(t, u, out, w, n);
    LAUNCHED();
    std::vector<T> o = out.get();
    EXPECT(!memcmp(o.data(), v.data(), n * sizeof(T)) && !memcmp(o.data() + n, v.data(), w * sizeof(T)));
    OK(cudaDestroyTextureObject(t));
    OK(cudaDestroyTextureObject(u));
    OK(cudaFreeArray(line));
    OK(cudaFreeArray(plane));
}

// guide: filterMode point | filterMode linear | addressMode clamp | normalized | cudaMallocArray | cudaFreeArray
static void one_dimension()
{
    const int N = 16, n = 4000;
    std::vector<float> T(N), x(n);
    for (int i = 0; i < N; i++)
        T[i] = (float)(i * i % 23) - 5;
    for (int i = 0; i < n; i++)
        x[i] = -6 + 28.0f * i / n + 1.0f / 1024; // between the steps of the weights
    cudaArray_t a;
    cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
    OK(cudaMallocArray(&a, &desc, N, 0));
    OK(cudaMemcpy2DToArray(a, 0, 0, T.data(), N * 4, N * 4, 1, cudaMemcpyHostToDevice));
    Buffer<float> dx(x), out(n);
    // guide: nearest-point sampling tex(x)=T[floor(x)] | clamp of plain coordinates | texture object: clamp
    cudaTextureObject_t t = over_array(a, cudaAddressModeClamp, cudaFilterModePoint, false);
    sample1<float><<<(n + 127) / 128, 128>>>(t, dx, out, n);
    LAUNCHED();
    auto o = out.get();
    bool right = true;
    for (int i = 0; i < n; i++)
        right &= o[i] == T[clampi((int)std::floor(x[i]), N)];
    EXPECT(right);
    OK(cudaDestroyTextureObject(t));
    // guide: linear filtering 1D | weights in 9-bit fixed point, 8 bits of fraction
    t = over_array(a, cudaAddressModeClamp, cudaFilterModeLinear, false);
    sample1<float><<<(n + 127) / 128, 128>>>(t, dx, out, n);
    LAUNCHED();
    o = out.get();
    double loose = 0;
    right = true;
    for (int i = 0; i < n; i++) {
        right &= o[i] == linear1(T, x[i]);
        float xb = std::fmin(std::fmax(x[i], 0.0f), (float)N) - 0.5f;
        int k = (int)std::floor(xb);
        loose = std::fmax(loose, std::fabs(o[i] - ((1 - frac(xb)) * T[clampi(k, N)] + frac(xb) * T[clampi(k + 1, N)])));
    }
    EXPECT(right); // the weights have 8 bits and no more
    EXPECT(loose > 1e-3);
    OK(cudaDestroyTextureObject(t));
    // guide: clamp of normalized coordinates to 1-1/N | texture object: normalized coordinates
    std::vector<float> y(n);
    for (int i = 0; i < n; i++)
        y[i] = x[i] / N;
    Buffer<float> dy(y);
    t = over_array(a, cudaAddressModeClamp, cudaFilterModePoint, true);
    sample1<float><<<(n + 127) / 128, 128>>>(t, dy, out, n);
    LAUNCHED();
    o = out.get();
    right = true;
    for (int i = 0; i < n; i++)
        right &= o[i] == T[clampi((int)std::floor(y[i] * N), N)];
    EXPECT(right);
    OK(cudaDestroyTextureObject(t));
    // guide: wrap: frac(x) | addressMode wrap (1.25->0.25, -1.25->0.75) | texture object: wrap
    t = over_array(a, cudaAddressModeWrap, cudaFilterModePoint, true);
    y[0] = 1.25f;
    y[1] = -1.25f;
    OK(cudaMemcpy(dy, y.data(), n * 4, cudaMemcpyHostToDevice));
    sample1<float><<<(n + 127) / 128, 128>>>(t, dy, out, n);
    LAUNCHED();
    o = out.get();
    right = o[0] == T[N / 4] && o[1] == T[3 * N / 4];
    for (int i = 0; i < n; i++)
        right &= o[i] == T[clampi((int)std::floor(frac(y[i]) * N), N)];
    EXPECT(right);
    OK(cudaDestroyTextureObject(t));
    // guide: wrap needs normalized coordinates (else clamp)
    t = over_array(a, cudaAddressModeWrap, cudaFilterModePoint, false);
    sample1<float><<<(n + 127) / 128, 128>>>(t, dx, out, n);
    LAUNCHED();
    o = out.get();
    right = true;
    for (int i = 0; i < n; i++)
        right &= o[i] == T[clampi((int)std::floor(x[i]), N)];
    EXPECT(right);
    OK(cudaDestroyTextureObject(t));
    // guide: table lookup TL(x)=tex((N-1)/R x+0.5)
    const float R = 4;
    for (int i = 0; i < n; i++)
        y[i] = (N - 1) / R * (R * i / (n - 1)) + 0.5f;
    OK(cudaMemcpy(dy, y.data(), n * 4, cudaMemcpyHostToDevice));
    t = over_array(a, cudaAddressModeClamp, cudaFilterModeLinear, false);
    sample1<float><<<(n + 127) / 128, 128>>>(t, dy, out, n);
    LAUNCHED();
    o = out.get();
    right = o[0] == T[0] && o[n - 1] == T[N - 1];
    for (int i = 0; i < n; i++)
        right &= o[i] == linear1(T, y[i]);
    EXPECT(right);
    OK(cudaDestroyTextureObject(t));
    OK(cudaFreeArray(a));
}

// guide: bilinear filtering 2D | texture cache locality
static void two_dimensions()
{
    const int N = 13, M = 9, n = 5000;
    std::vector<float> T(N * M), x(n), y(n);
    unsigned seed = 21;
    for (float &t : T)
        t = (float)(random_next(seed) % 100) / 8;
    for (int i = 0; i < n; i++) {
        x[i] = (float)(random_next(seed) % 4800) / 256 - 3 + 1.0f / 1024;
        y[i] = (float)(random_next(seed) % 3600) / 256 - 3 + 1.0f / 1024;
    }
    cudaArray_t a;
    cudaChannelFormatDesc desc = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
    OK(cudaMallocArray(&a, &desc, N, M));
    OK(cudaMemcpy2DToArray(a, 0, 0, T.data(), N * 4, N * 4, M, cudaMemcpyHostToDevice));
    Buffer<float> dx(x), dy(y), out(n);
    for (int linear = 0; linear < 2; linear++) {
        cudaTextureObject_t t =
            over_array(a, cudaAddressModeClamp, linear ? cudaFilterModeLinear : cudaFilterModePoint, false);
        sample2<float><<<(n + 127) / 128, 128>>>(t, dx, dy, out, n);
        LAUNCHED();
        auto o = out.get();
        bool right = true;
        for (int i = 0; i < n; i++) {
            auto at = [&](int p, int q) { return T[clampi(q, M) * N + clampi(p, N)]; };
            if (!linear) {
                right &= o[i] == at((int)std::floor(x[i]), (int)std::floor(y[i]));
                continue;
            }
            // The products of the weights are rounded to 8 bits as well, halves up on the right and down on the left.
            Place p(x[i], N), q(y[i], M);
            int w11 = (p.weight * q.weight + 128) >> 8, w01 = ((256 - p.weight) * q.weight + 127) >> 8;
            int w10 = p.weight - w11, w00 = 256 - p.weight - w01;
            right &= o[i] == (w00 * at(p.texel, q.texel) + w10 * at(p.texel + 1, q.texel) +
                              w01 * at(p.texel, q.texel + 1) + w11 * at(p.texel + 1, q.texel + 1)) /
                                 256;
        }
        EXPECT(right);
        OK(cudaDestroyTextureObject(t));
    }
    OK(cudaFreeArray(a));
}

__global__ void put(int *p, int n, int v)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        p[i] = v * i;
}
// guide: texture sees writes of an earlier launch, not of the same launch
static void writes_between_launches()
{
    const int n = 1000;
    Buffer<int> d(n), out(n), at(n);
    std::vector<int> index(n);
    for (int i = 0; i < n; i++)
        index[i] = n - 1 - i;
    OK(cudaMemcpy(at, index.data(), n * 4, cudaMemcpyHostToDevice));
    cudaTextureObject_t t = over_linear(d, cudaCreateChannelDesc<int>(), n * 4);
    for (int v = 1; v < 4; v++) {
        put<<<(n + 127) / 128, 128>>>(d, n, v);
        fetch<int><<<(n + 127) / 128, 128>>>(t, at, out, n);
        LAUNCHED();
        EXPECT(out.get()[0] == v * (n - 1) && out.get()[n - 1] == 0);
    }
    // guide: no filtering on linear memory
    cudaResourceDesc r = {};
    r.resType = cudaResourceTypeLinear;
    r.res.linear.devPtr = d.p;
    r.res.linear.desc = cudaCreateChannelDesc<float>();
    r.res.linear.sizeInBytes = n * 4;
    cudaTextureDesc linear = {};
    linear.filterMode = cudaFilterModeLinear;
    cudaTextureObject_t filtered = 0;
    OK(cudaCreateTextureObject(&filtered, &r, &linear, nullptr)); // accepted, and fetched as it is
    Buffer<float> f(n);
    fetch<float><<<(n + 127) / 128, 128>>>(filtered, at, f, n);
    LAUNCHED();
    std::vector<float> got = f.get();
    EXPECT(!memcmp(got.data(), out.get().data(), n * sizeof(float)));
    OK(cudaDestroyTextureObject(filtered));
    OK(cudaDestroyTextureObject(t));
}

int main()
{
    fetch_type<float>(plain<float>);
    fetch_type<int>(plain<int>);
    fetch_type<unsigned>(plain<unsigned>);
    fetch_type<short>(plain<short>);
    fetch_type<unsigned short>(plain<unsigned short>);
    fetch_type<signed char>(plain<signed char>);
    fetch_type<unsigned char>(plain<unsigned char>);
    fetch_type<uchar4>(quad_bytes);
    fetch_type<float2>(pair_floats);
    fetch_type<float4>(quad_floats);
    fetch_type<short2>(pair_shorts);
    fetch_type<uint4>(quad_uints);
    normalized_type<unsigned char>(255, false);
    normalized_type<signed char>(127, true);
    normalized_type<unsigned short>(65535, false);
    normalized_type<short>(32767, true);
    normalized_quads();
    array_type<unsigned char>();
    array_type<char2>();
    array_type<uchar4>();
    array_type<short>();
    array_type<ushort2>();
    array_type<short4>();
    array_type<int>();
    array_type<uint2>();
    array_type<int4>();
    array_type<float>();
    array_type<float2>();
    array_type<float4>();
    one_dimension();
    two_dimensions();
    writes_between_launches();
    return DONE();
}
