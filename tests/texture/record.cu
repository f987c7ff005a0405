// SPDX-License-Identifier: Apache-2.0
// Reads textures in every case of cases.h and prints a hash of what was read, or compares it with what is recorded of a
// GPU (h200.txt, made by this program with 16384 places a case).
#include "cases.h"
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CALL(x)                                                                                                        \
    do {                                                                                                               \
        cudaError_t e = (x);                                                                                           \
        if (e != cudaSuccess) {                                                                                        \
            printf("case %u: %s: %s\n", current, #x, cudaGetErrorString(e));                                           \
            return false;                                                                                              \
        }                                                                                                              \
    } while (0)
static unsigned current;

template <class V> struct element;
template <> struct element<float4> {
    typedef float type;
};
template <> struct element<int4> {
    typedef int type;
};
template <> struct element<uint4> {
    typedef unsigned type;
};

#define FETCH(shape, address, ...)                                                                                     \
    static __device__ void fetch_##shape(float4 &v, cudaTextureObject_t t, const texture_place &p)                     \
    {                                                                                                                  \
        asm volatile("tex." #shape ".v4.f32.s32 {%0, %1, %2, %3}, [%4, " address "];"                                  \
                     : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)                                                      \
                     : "l"(t), __VA_ARGS__);                                                                           \
    }                                                                                                                  \
    static __device__ void fetch_##shape(uint4 &v, cudaTextureObject_t t, const texture_place &p)                      \
    {                                                                                                                  \
        asm volatile("tex." #shape ".v4.u32.s32 {%0, %1, %2, %3}, [%4, " address "];"                                  \
                     : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)                                                      \
                     : "l"(t), __VA_ARGS__);                                                                           \
    }                                                                                                                  \
    static __device__ void fetch_##shape(int4 &v, cudaTextureObject_t t, const texture_place &p)                       \
    {                                                                                                                  \
        asm volatile("tex." #shape ".v4.s32.s32 {%0, %1, %2, %3}, [%4, " address "];"                                  \
                     : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)                                                      \
                     : "l"(t), __VA_ARGS__);                                                                           \
    }
FETCH(1d, "{%5}", "r"(p.ix))
FETCH(2d, "{%5, %6}", "r"(p.ix), "r"(p.iy))
FETCH(3d, "{%5, %6, %7, %7}", "r"(p.ix), "r"(p.iy), "r"(p.iz))
FETCH(a1d, "{%5, %6}", "r"(p.layer), "r"(p.ix))
FETCH(a2d, "{%5, %6, %7, %7}", "r"(p.layer), "r"(p.ix), "r"(p.iy))

#define OFFSET(shape, address, ...)                                                                                    \
    static __device__ void offset_##shape(float4 &v, cudaTextureObject_t t, const texture_place &p)                    \
    {                                                                                                                  \
        asm volatile("tex." #shape ".v4.f32.f32 {%0, %1, %2, %3}, [%4, " address ";"                                   \
                     : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)                                                      \
                     : "l"(t), __VA_ARGS__);                                                                           \
    }
OFFSET(1d, "{%5}], {3}", "f"(p.x))
OFFSET(2d, "{%5, %6}], {3, -2}", "f"(p.x), "f"(p.y))
OFFSET(3d, "{%5, %6, %7, %7}], {3, -2, 1, 1}", "f"(p.x), "f"(p.y), "f"(p.z))
OFFSET(a1d, "{%5, %6}], {3}", "r"(p.layer), "f"(p.x))
OFFSET(a2d, "{%5, %6, %7, %7}], {3, -2}", "r"(p.layer), "f"(p.x), "f"(p.y))
template <class V> static __device__ void offset_1d(V &, cudaTextureObject_t, const texture_place &) {}
template <class V> static __device__ void offset_2d(V &, cudaTextureObject_t, const texture_place &) {}
template <class V> static __device__ void offset_3d(V &, cudaTextureObject_t, const texture_place &) {}
template <class V> static __device__ void offset_a1d(V &, cudaTextureObject_t, const texture_place &) {}
template <class V> static __device__ void offset_a2d(V &, cudaTextureObject_t, const texture_place &) {}

template <class V, int OP, int GEO>
__global__ void sample(cudaTextureObject_t t, texture_case c, uint32_t seed, uint32_t n, V *out)
{
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    texture_place p = case_place(&c, seed, i);
    float2 dx2 = make_float2(p.dx[0], p.dx[1]), dy2 = make_float2(p.dy[0], p.dy[1]);
    float4 dx4 = make_float4(p.dx[0], p.dx[1], p.dx[2], 0), dy4 = make_float4(p.dy[0], p.dy[1], p.dy[2], 0);
    V v = V();
    switch (OP * 16 + GEO) {
    case OP_TEX * 16 + GEO_1D:
        v = tex1D<V>(t, p.x);
        break;
    case OP_TEX * 16 + GEO_2D:
    case OP_TEX * 16 + GEO_PITCH2D:
        v = tex2D<V>(t, p.x, p.y);
        break;
    case OP_TEX * 16 + GEO_3D:
        v = tex3D<V>(t, p.x, p.y, p.z);
        break;
    case OP_TEX * 16 + GEO_A1D:
        v = tex1DLayered<V>(t, p.x, p.layer);
        break;
    case OP_TEX * 16 + GEO_A2D:
        v = tex2DLayered<V>(t, p.x, p.y, p.layer);
        break;
    case OP_TEX * 16 + GEO_CUBE:
        v = texCubemap<V>(t, p.x, p.y, p.z);
        break;
    case OP_TEX * 16 + GEO_ACUBE:
        v = texCubemapLayered<V>(t, p.x, p.y, p.z, p.layer);
        break;
    case OP_LEVEL * 16 + GEO_1D:
        v = tex1DLod<V>(t, p.x, p.level);
        break;
    case OP_LEVEL * 16 + GEO_2D:
        v = tex2DLod<V>(t, p.x, p.y, p.level);
        break;
    case OP_LEVEL * 16 + GEO_3D:
        v = tex3DLod<V>(t, p.x, p.y, p.z, p.level);
        break;
    case OP_LEVEL * 16 + GEO_A1D:
        v = tex1DLayeredLod<V>(t, p.x, p.layer, p.level);
        break;
    case OP_LEVEL * 16 + GEO_A2D:
        v = tex2DLayeredLod<V>(t, p.x, p.y, p.layer, p.level);
        break;
    case OP_LEVEL * 16 + GEO_CUBE:
        v = texCubemapLod<V>(t, p.x, p.y, p.z, p.level);
        break;
    case OP_LEVEL * 16 + GEO_ACUBE:
        v = texCubemapLayeredLod<V>(t, p.x, p.y, p.z, p.layer, p.level);
        break;
    case OP_GRAD * 16 + GEO_1D:
        v = tex1DGrad<V>(t, p.x, p.dx[0], p.dy[0]);
        break;
    case OP_GRAD * 16 + GEO_2D:
        v = tex2DGrad<V>(t, p.x, p.y, dx2, dy2);
        break;
    case OP_GRAD * 16 + GEO_3D:
        v = tex3DGrad<V>(t, p.x, p.y, p.z, dx4, dy4);
        break;
    case OP_GRAD * 16 + GEO_A1D:
        v = tex1DLayeredGrad<V>(t, p.x, p.layer, p.dx[0], p.dy[0]);
        break;
    case OP_GRAD * 16 + GEO_A2D:
        v = tex2DLayeredGrad<V>(t, p.x, p.y, p.layer, dx2, dy2);
        break;
    case OP_GATHER * 16 + GEO_2D:
        v = tex2Dgather<V>(t, p.x, p.y, c.component);
        break;
    case OP_FETCH * 16 + GEO_LINEAR:
        v = tex1Dfetch<V>(t, p.ix);
        break;
    case OP_FETCH * 16 + GEO_1D:
        fetch_1d(v, t, p);
        break;
    case OP_FETCH * 16 + GEO_2D:
        fetch_2d(v, t, p);
        break;
    case OP_FETCH * 16 + GEO_3D:
        fetch_3d(v, t, p);
        break;
    case OP_FETCH * 16 + GEO_A1D:
        fetch_a1d(v, t, p);
        break;
    case OP_FETCH * 16 + GEO_A2D:
        fetch_a2d(v, t, p);
        break;
    case OP_OFFSET * 16 + GEO_1D:
        offset_1d(v, t, p);
        break;
    case OP_OFFSET * 16 + GEO_2D:
        offset_2d(v, t, p);
        break;
    case OP_OFFSET * 16 + GEO_3D:
        offset_3d(v, t, p);
        break;
    case OP_OFFSET * 16 + GEO_A1D:
        offset_a1d(v, t, p);
        break;
    case OP_OFFSET * 16 + GEO_A2D:
        offset_a2d(v, t, p);
        break;
    }
    out[i] = v;
}

struct object {
    cudaTextureObject_t texture;
    cudaArray_t array;
    cudaMipmappedArray_t mipmap;
    void *memory;
};

static bool level_fill(cudaArray_t array, const texture_case &c, unsigned level, char *&data)
{
    unsigned w = case_level_size(c.width, level), h = case_level_size(c.height, level);
    unsigned d = c.geometry == GEO_3D ? case_level_size(c.depth, level) : c.depth;
    unsigned texel = case_type_size(c.type) * c.channels;
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(data, w * texel, w, h);
    copy.dstArray = array;
    copy.extent = make_cudaExtent(w, h, d);
    copy.kind = cudaMemcpyHostToDevice;
    CALL(cudaMemcpy3D(&copy));
    data += (size_t)w * h * d * texel;
    return true;
}

static cudaChannelFormatDesc channel_desc(const texture_case &c)
{
    int bits = 8 * (int)case_type_size(c.type);
    cudaChannelFormatDesc d = {bits, c.channels > 1 ? bits : 0, c.channels > 2 ? bits : 0, c.channels > 2 ? bits : 0,
                               c.type <= T_U32   ? cudaChannelFormatKindUnsigned
                               : c.type <= T_S32 ? cudaChannelFormatKindSigned
                                                 : cudaChannelFormatKindFloat};
    int by_channels = c.channels == 4 ? 2 : c.channels - 1;
    if (c.type == T_UNORM8)
        d.f = (cudaChannelFormatKind)(cudaChannelFormatKindUnsignedNormalized8X1 + by_channels);
    if (c.type == T_UNORM16)
        d.f = (cudaChannelFormatKind)(cudaChannelFormatKindUnsignedNormalized16X1 + by_channels);
    if (c.type == T_SNORM8)
        d.f = (cudaChannelFormatKind)(cudaChannelFormatKindSignedNormalized8X1 + by_channels);
    if (c.type == T_SNORM16)
        d.f = (cudaChannelFormatKind)(cudaChannelFormatKindSignedNormalized16X1 + by_channels);
    return d;
}

static bool object_create(const texture_case &c, uint32_t seed, object *o)
{
    unsigned size = case_type_size(c.type), texel = size * c.channels;
    size_t texels = 0;
    for (unsigned l = 0; l < c.levels; l++)
        texels += (size_t)case_level_size(c.width, l) * case_level_size(c.height, l) *
                  (c.geometry == GEO_3D ? case_level_size(c.depth, l) : c.depth);
    std::vector<char> data(texels * texel);
    for (size_t i = 0; i < texels * c.channels; i++)
        case_texel(&c, seed, (uint32_t)i, &data[i * size]);
    cudaChannelFormatDesc channels = channel_desc(c);
    cudaResourceDesc r = {};
    bool one = c.geometry == GEO_1D || c.geometry == GEO_A1D;
    bool flat = c.geometry <= GEO_2D;
    cudaExtent extent = make_cudaExtent(c.width, one ? 0 : c.height, flat ? 0 : c.depth);
    unsigned flags = 0;
    if (c.geometry == GEO_A1D || c.geometry == GEO_A2D || c.geometry == GEO_ACUBE)
        flags |= cudaArrayLayered;
    if (c.geometry == GEO_CUBE || c.geometry == GEO_ACUBE)
        flags |= cudaArrayCubemap;
    if (c.op == OP_GATHER)
        flags |= cudaArrayTextureGather;
    char *from = data.data();
    if (c.geometry == GEO_LINEAR) {
        CALL(cudaMalloc(&o->memory, data.size()));
        CALL(cudaMemcpy(o->memory, from, data.size(), cudaMemcpyHostToDevice));
        r.resType = cudaResourceTypeLinear;
        r.res.linear.devPtr = o->memory;
        r.res.linear.desc = channels;
        r.res.linear.sizeInBytes = data.size();
    } else if (c.geometry == GEO_PITCH2D) {
        size_t pitch;
        CALL(cudaMallocPitch(&o->memory, &pitch, c.width * texel, c.height));
        CALL(cudaMemcpy2D(o->memory, pitch, from, c.width * texel, c.width * texel, c.height, cudaMemcpyHostToDevice));
        r.resType = cudaResourceTypePitch2D;
        r.res.pitch2D.devPtr = o->memory;
        r.res.pitch2D.desc = channels;
        r.res.pitch2D.width = c.width;
        r.res.pitch2D.height = c.height;
        r.res.pitch2D.pitchInBytes = pitch;
    } else if (c.levels > 1) {
        CALL(cudaMallocMipmappedArray(&o->mipmap, &channels, extent, c.levels, flags));
        for (unsigned l = 0; l < c.levels; l++) {
            cudaArray_t level;
            CALL(cudaGetMipmappedArrayLevel(&level, o->mipmap, l));
            if (!level_fill(level, c, l, from))
                return false;
        }
        r.resType = cudaResourceTypeMipmappedArray;
        r.res.mipmap.mipmap = o->mipmap;
    } else {
        CALL(cudaMalloc3DArray(&o->array, &channels, extent, flags));
        if (!level_fill(o->array, c, 0, from))
            return false;
        r.resType = cudaResourceTypeArray;
        r.res.array.array = o->array;
    }
    cudaTextureDesc t = {};
    for (int i = 0; i < 3; i++)
        t.addressMode[i] = (cudaTextureAddressMode)c.address[i];
    t.filterMode = c.flags & C_LINEAR ? cudaFilterModeLinear : cudaFilterModePoint;
    t.mipmapFilterMode = c.flags & C_MIP_LINEAR ? cudaFilterModeLinear : cudaFilterModePoint;
    t.readMode = c.flags & C_READ_FLOAT ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
    t.normalizedCoords = (c.flags & C_NORMALIZED) != 0;
    t.sRGB = (c.flags & C_SRGB) != 0;
    t.seamlessCubemap = (c.flags & C_SEAMLESS) != 0;
    t.mipmapLevelBias = c.bias;
    t.minMipmapLevelClamp = c.min_level;
    t.maxMipmapLevelClamp = c.max_level;
    t.disableTrilinearOptimization = 1;
    memcpy(t.borderColor, case_border, sizeof case_border);
    CALL(cudaCreateTextureObject(&o->texture, &r, &t, NULL));
    return true;
}

static bool object_destroy(object *o)
{
    CALL(cudaDestroyTextureObject(o->texture));
    CALL(cudaFreeArray(o->array));
    CALL(cudaFreeMipmappedArray(o->mipmap));
    CALL(cudaFree(o->memory));
    return true;
}

template <class V, int OP, int GEO>
static void launch(const texture_case &c, cudaTextureObject_t t, uint32_t seed, uint32_t n, void *out)
{
    sample<V, OP, GEO><<<(n + 127) / 128, 128>>>(t, c, seed, n, (V *)out);
}

template <class V>
static bool launch_op(const texture_case &c, cudaTextureObject_t t, uint32_t seed, uint32_t n, void *out)
{
    switch (c.op * 16 + c.geometry) {
#define LAUNCH(op, geo)                                                                                                \
    case op * 16 + geo:                                                                                                \
        launch<V, op, geo>(c, t, seed, n, out);                                                                        \
        return true;
        LAUNCH(OP_TEX, GEO_1D)
        LAUNCH(OP_TEX, GEO_2D)
        LAUNCH(OP_TEX, GEO_3D)
        LAUNCH(OP_TEX, GEO_A1D)
        LAUNCH(OP_TEX, GEO_A2D)
        LAUNCH(OP_TEX, GEO_CUBE)
        LAUNCH(OP_TEX, GEO_ACUBE)
        LAUNCH(OP_TEX, GEO_PITCH2D)
        LAUNCH(OP_LEVEL, GEO_1D)
        LAUNCH(OP_LEVEL, GEO_2D)
        LAUNCH(OP_LEVEL, GEO_3D)
        LAUNCH(OP_LEVEL, GEO_A1D)
        LAUNCH(OP_LEVEL, GEO_A2D)
        LAUNCH(OP_LEVEL, GEO_CUBE)
        LAUNCH(OP_LEVEL, GEO_ACUBE)
        LAUNCH(OP_GRAD, GEO_1D)
        LAUNCH(OP_GRAD, GEO_2D)
        LAUNCH(OP_GRAD, GEO_3D)
        LAUNCH(OP_GRAD, GEO_A1D)
        LAUNCH(OP_GRAD, GEO_A2D)
        LAUNCH(OP_GATHER, GEO_2D)
        LAUNCH(OP_FETCH, GEO_LINEAR)
        LAUNCH(OP_FETCH, GEO_1D)
        LAUNCH(OP_FETCH, GEO_2D)
        LAUNCH(OP_FETCH, GEO_3D)
        LAUNCH(OP_FETCH, GEO_A1D)
        LAUNCH(OP_FETCH, GEO_A2D)
        LAUNCH(OP_OFFSET, GEO_1D)
        LAUNCH(OP_OFFSET, GEO_2D)
        LAUNCH(OP_OFFSET, GEO_3D)
        LAUNCH(OP_OFFSET, GEO_A1D)
        LAUNCH(OP_OFFSET, GEO_A2D)
#undef LAUNCH
    default:
        return false;
    }
}

static uint64_t hash(const std::vector<uint32_t> &words)
{
    uint64_t h = 0;
    for (uint32_t w : words) {
        h = (h ^ w) * 0x100000001b3ull;
        h ^= h >> 29;
    }
    return h;
}

static bool run(const texture_case &c, uint32_t seed, uint32_t n, uint32_t *results)
{
    object o = {};
    void *out;
    if (!object_create(c, seed, &o))
        return false;
    CALL(cudaMalloc(&out, (size_t)n * 16));
    CALL(cudaMemset(out, 0, (size_t)n * 16));
    char kind = case_result(&c);
    bool known = kind == 'f'   ? launch_op<float4>(c, o.texture, seed, n, out)
                 : kind == 'u' ? launch_op<uint4>(c, o.texture, seed, n, out)
                               : launch_op<int4>(c, o.texture, seed, n, out);
    if (!known) {
        printf("case %u: no kernel\n", current);
        return false;
    }
    CALL(cudaGetLastError());
    CALL(cudaDeviceSynchronize());
    CALL(cudaMemcpy(results, out, (size_t)n * 16, cudaMemcpyDeviceToHost));
    CALL(cudaFree(out));
    return object_destroy(&o);
}

// record [FILE|- [COUNT [FIRST LAST]]]: prints "case hash" for each; FILE gets the values.
// check TABLE COUNT: compares with such a list, but for cases in which samplers may differ; with HEDDLE_TEST_BRIEF, which is for
// emulators, one case of five.
static bool check(const char *table, const texture_case *cases, unsigned count, uint32_t n)
{
    FILE *f = fopen(table, "r");
    unsigned exact = 0, wrong = 0, k;
    unsigned long long want;
    bool brief = getenv("HEDDLE_TEST_BRIEF");
    std::vector<uint32_t> results((size_t)n * 4);
    if (!f) {
        printf("cannot read %s\n", table);
        return false;
    }
    while (fscanf(f, "%u %llx", &k, &want) == 2) {
        current = k;
        if (k >= count || !case_is_exact(&cases[k]) || (brief && k % 5))
            continue;
        bool done = run(cases[k], k + 1, n, results.data());
        exact++;
        if (!done || hash(results) != want) {
            printf("case %u differs\n", k);
            wrong++;
        }
    }
    fclose(f);
    printf("%u cases, %u differ\n", exact, wrong);
    return exact > 0 && !wrong;
}

int main(int argc, char **argv)
{
    static texture_case cases[CASE_MAX];
    unsigned count = case_list(cases);
    if (argc > 3 && !strcmp(argv[1], "check"))
        return !check(argv[2], cases, count, (uint32_t)atoi(argv[3]));
    uint32_t n = argc > 2 ? (uint32_t)atoi(argv[2]) : 65536;
    FILE *f = argc > 1 && strcmp(argv[1], "-") ? fopen(argv[1], "wb") : NULL;
    unsigned first = argc > 3 ? (unsigned)atoi(argv[3]) : 0, last = argc > 4 ? (unsigned)atoi(argv[4]) : count;
    std::vector<uint32_t> results((size_t)n * 4);
    bool ok = true;
    for (current = first; current < last && current < count; current++) {
        bool done = run(cases[current], current + 1, n, results.data());
        if (!done)
            cudaGetLastError(); // the next case may still work
        ok = ok && done;
        printf("%u %016llx\n", current, done ? (unsigned long long)hash(results) : 0ull);
        if (f)
            fwrite(results.data(), 16, n, f);
    }
    if (f)
        fclose(f);
    return !ok;
}
