// SPDX-License-Identifier: Apache-2.0
// Copies of boxes of tensors: loads with swizzles and parts that lie outside, stores, reductions, strides between elements,
// copies to several blocks of a cluster; which descriptions are refused, and which places.
// nvcc: -arch=sm_90 -lcuda
// widths: 1 32
#include "check.h"
#include <cooperative_groups.h>
#include <cuda.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
namespace cg = cooperative_groups;

__device__ unsigned at(const void *p)
{
    return (unsigned)__cvta_generic_to_shared(p);
}
__device__ void arm(void *bar, unsigned bytes)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(at(bar)));
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(at(bar)), "r"(bytes) : "memory");
}
__device__ void wait(void *bar)
{
    asm volatile(
        "{\n.reg .pred p;\nL:\nmbarrier.try_wait.parity.shared::cta.b64 p, [%0], 0;\n@!p bra L;\n}" ::"r"(at(bar))
        : "memory");
}

// Thread 0 loads the box; all copy what came, word by word.
template <int R>
__global__ void load(const __grid_constant__ CUtensorMap map, int x, int y, int z, unsigned bytes, unsigned *out)
{
    extern __shared__ __align__(1024) unsigned char raw[];
    __shared__ __align__(8) unsigned long long bar;
    unsigned *words = (unsigned *)(raw + (1024 - at(raw) % 1024) % 1024);
    if (threadIdx.x == 0) {
        arm(&bar, bytes);
        if (R == 1)
            asm volatile(
                "cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2}], [%3];" ::
                    "r"(at(words)),
                "l"(&map), "r"(x), "r"(at(&bar))
                : "memory");
        if (R == 2)
            asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, "
                         "{%2, %3}], [%4];" ::"r"(at(words)),
                         "l"(&map), "r"(x), "r"(y), "r"(at(&bar))
                         : "memory");
        if (R == 3)
            asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, "
                         "{%2, %3, %4}], [%5];" ::"r"(at(words)),
                         "l"(&map), "r"(x), "r"(y), "r"(z), "r"(at(&bar))
                         : "memory");
    }
    __syncthreads();
    wait(&bar);
    for (unsigned i = threadIdx.x; i < bytes / 4; i += blockDim.x)
        out[i] = words[i];
}

// The box in shared memory counts up; it is stored, or added, at the place.
__global__ void store(const __grid_constant__ CUtensorMap map, int x, int y, unsigned count, unsigned base, int add)
{
    __shared__ __align__(128) unsigned words[1024];
    for (unsigned i = threadIdx.x; i < count; i += blockDim.x)
        words[i] = base + i;
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
        if (add)
            asm volatile(
                "cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group [%0, {%1, %2}], [%3];" ::"l"(
                    &map),
                "r"(x), "r"(y), "r"(at(words))
                : "memory");
        else
            asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%1, %2}], [%3];" ::"l"(&map),
                         "r"(x), "r"(y), "r"(at(words))
                         : "memory");
        asm volatile("cp.async.bulk.commit_group;\n\tcp.async.bulk.wait_group 0;" ::: "memory");
    }
}

// Block 0 of a cluster of 4 loads for the ranks in the mask.
__global__ void __cluster_dims__(4)
    spread(const __grid_constant__ CUtensorMap map, unsigned short mask, unsigned bytes, unsigned *out)
{
    __shared__ __align__(128) unsigned words[256];
    __shared__ __align__(8) unsigned long long bar;
    cg::cluster_group c = cg::this_cluster();
    unsigned r = c.block_rank();
    for (unsigned i = threadIdx.x; i < bytes / 4; i += blockDim.x)
        words[i] = 5;
    if (threadIdx.x == 0)
        arm(&bar, bytes);
    asm volatile("fence.proxy.async;" ::: "memory");
    c.sync();
    if (r == 0 && threadIdx.x == 0)
        asm volatile(
            "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster [%0], "
            "[%1, {%2, %3}], [%4], %5;" ::"r"(at(words)),
            "l"(&map), "r"(4), "r"(2), "r"(at(&bar)), "h"(mask)
            : "memory");
    if (mask >> r & 1)
        wait(&bar);
    for (unsigned i = threadIdx.x; i < bytes / 4; i += blockDim.x)
        out[r * bytes / 4 + i] = words[i];
    c.sync();
}

static const unsigned W = 68, H = 50, D = 6, PITCH = 72; // a tensor of words, rows of 72

struct Map {
    CUtensorMap m;
    CUresult r;
    Map(void *p, unsigned rank, std::vector<cuuint32_t> box, CUtensorMapSwizzle swizzle = CU_TENSOR_MAP_SWIZZLE_NONE,
        std::vector<cuuint32_t> steps = {1, 1, 1})
    {
        cuuint64_t dims[3] = {W, H, D}, strides[2] = {PITCH * 4, PITCH * H * 4};
        r = cuTensorMapEncodeTiled(&m, CU_TENSOR_MAP_DATA_TYPE_UINT32, rank, p, dims, strides, box.data(), steps.data(),
                                   CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                                   CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    }
};

static unsigned element(int x, int y, int z)
{
    bool in = x >= 0 && y >= 0 && z >= 0 && x < (int)W && y < (int)H && z < (int)D;
    return in ? 1u + x + 100 * y + 10000 * z : 0;
}

static void test_loads(unsigned *tensor)
{
    Buffer<unsigned> out(4096);
    struct {
        int rank, x, y, z;
        unsigned box[3], steps[3];
        int swizzle;
    } cases[] = {{1, 4, 0, 0, {64, 1, 1}, {1, 1, 1}, 0},   {1, -8, 0, 0, {16, 1, 1}, {1, 1, 1}, 0},
                 {2, 0, 0, 0, {32, 8, 1}, {1, 1, 1}, 0},   {2, 60, 45, 0, {32, 8, 1}, {1, 1, 1}, 0},
                 {2, -4, -2, 0, {16, 6, 1}, {1, 1, 1}, 0}, {2, 4, 7, 0, {32, 16, 1}, {1, 1, 1}, 3},
                 {2, 56, 3, 0, {32, 9, 1}, {1, 1, 1}, 3},  {2, 4, 1, 0, {16, 16, 1}, {1, 1, 1}, 2},
                 {2, 8, 2, 0, {8, 16, 1}, {1, 1, 1}, 1},   {3, 12, 20, 2, {8, 4, 3}, {1, 1, 1}, 0},
                 {3, 64, 48, 4, {8, 4, 3}, {1, 1, 1}, 0},  {2, 4, 2, 0, {16, 9, 1}, {1, 3, 1}, 0},
                 {2, 4, 2, 0, {16, 9, 1}, {2, 3, 1}, 0}}; // no step in the first dimension
    for (auto &c : cases) {
        Map map(tensor, c.rank, {c.box[0], c.box[1], c.box[2]}, (CUtensorMapSwizzle)c.swizzle,
                {c.steps[0], c.steps[1], c.steps[2]});
        EXPECT(map.r == CUDA_SUCCESS);
        unsigned n[3], bytes = 4;
        for (int i = 0; i < 3; i++) {
            n[i] = i >= c.rank ? 1 : i ? (c.box[i] + c.steps[i] - 1) / c.steps[i] : c.box[i];
            bytes *= n[i];
        }
        if (c.rank == 1)
            load<1><<<1, 64, 9000>>>(map.m, c.x, c.y, c.z, bytes, out.p);
        else if (c.rank == 2)
            load<2><<<1, 64, 9000>>>(map.m, c.x, c.y, c.z, bytes, out.p);
        else
            load<3><<<1, 64, 9000>>>(map.m, c.x, c.y, c.z, bytes, out.p);
        LAUNCHED();
        std::vector<unsigned> got = out.get();
        bool good = true;
        for (unsigned z = 0; z < n[2]; z++)
            for (unsigned y = 0; y < n[1]; y++)
                for (unsigned x = 0; x < n[0]; x++) {
                    unsigned byte = 4 * (x + n[0] * (y + n[1] * z));
                    unsigned place = byte ^ (byte >> 7 & ((1u << c.swizzle) - 1)) << 4;
                    good &= got[place / 4] == element(c.x + x, c.y + y * c.steps[1], c.z + z * c.steps[2]);
                }
        EXPECT(good);
    }
}

static void test_stores()
{
    for (int add = 0; add < 2; add++) {
        std::vector<unsigned> v(PITCH * H, 7);
        Buffer<unsigned> d(v);
        Map map(d.p, 2, {16, 8});
        EXPECT(map.r == CUDA_SUCCESS);
        const int places[][2] = {{4, 3}, {60, 30}, {8, 46}};
        for (auto &p : places) {
            store<<<1, 64>>>(map.m, p[0], p[1], 128, 1000, add);
            for (int i = 0; i < 128; i++) {
                int x = p[0] + i % 16, y = p[1] + i / 16;
                if (x >= 0 && x < (int)W && y >= 0 && y < (int)H)
                    v[y * PITCH + x] = (add ? v[y * PITCH + x] : 0) + 1000 + i;
            }
        }
        LAUNCHED();
        EXPECT(d.get() == v);
    }
}

// Halves and bfloats, added to what is there, or the lesser or greater of both. The numbers of a kernel without subnormals are no others.
template <typename T, int OP>
__global__ void reduce(const __grid_constant__ CUtensorMap map, const unsigned short *in, float *f)
{
    __shared__ __align__(128) unsigned short box[64];
    for (unsigned i = threadIdx.x; i < 64; i += blockDim.x)
        box[i] = in[i];
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (threadIdx.x)
        return;
    asm("add.ftz.f32 %0, %0, %1;" : "+f"(*f) : "f"(1.0f));
#define REDUCE(name)                                                                                                   \
    asm volatile("cp.reduce.async.bulk.tensor.2d.global.shared::cta." name ".tile.bulk_group [%0, {%1, %2}], [%3];\n"  \
                 "cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;" ::"l"(&map),                               \
                 "r"(0), "r"(0), "r"(at(box))                                                                          \
                 : "memory")
    if (OP == 0)
        REDUCE("add");
    else if (OP == 1)
        REDUCE("min");
    else
        REDUCE("max");
}

template <typename T, int OP> static void test_halves(CUtensorMapDataType type, float (*value)(T), T (*narrow)(float))
{
    std::vector<unsigned short> in(64), v(64);
    for (int i = 0; i < 64; i++) {
        in[i] = (unsigned short)(i * 40503u), v[i] = (unsigned short)(i * 30011u + 77);
        if (i % 8 == 1) // subnormals
            in[i] &= 0x807f, v[i] &= 0x807f;
    }
    in[2] = 0x7fff, in[3] = 0x8000, v[3] = 0, in[4] = v[4] = 0xffff;
    Buffer<unsigned short> d(v), from(in);
    Buffer<float> f(1);
    CUtensorMap map;
    cuuint64_t dims[2] = {8, 8}, strides[1] = {16};
    cuuint32_t box[2] = {8, 8}, steps[2] = {1, 1};
    EXPECT(cuTensorMapEncodeTiled(&map, type, 2, d.p, dims, strides, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
                                  CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                                  CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == CUDA_SUCCESS);
    reduce<T, OP><<<1, 32>>>(map, from.p, f.p);
    LAUNCHED();
    std::vector<unsigned short> got = d.get();
    bool good = true;
    for (int i = 0; i < 64; i++) {
        T a, b, w;
        memcpy(&a, &v[i], 2), memcpy(&b, &in[i], 2);
        float x = value(a), y = value(b);
        bool first = y != y || (OP == 1 ? x < y || (x == y && std::signbit(x)) : x > y || (x == y && !std::signbit(x)));
        w = OP == 0 ? narrow(x + y) : x == x && first ? a : b;
        unsigned short bits;
        memcpy(&bits, &w, 2);
        float have = 0;
        memcpy(&w, &got[i], 2), have = value(w);
        good &= (OP == 0 ? x + y != x + y : x != x && y != y) ? have != have : got[i] == bits;
    }
    EXPECT(good);
}

template <int OP> static void test_reductions()
{
    test_halves<__half, OP>(
        CU_TENSOR_MAP_DATA_TYPE_FLOAT16, [](__half h) { return __half2float(h); },
        [](float f) { return __float2half(f); });
    test_halves<__nv_bfloat16, OP>(
        CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, [](__nv_bfloat16 h) { return __bfloat162float(h); },
        [](float f) { return __float2bfloat16(f); });
}

static void test_spread(unsigned *tensor)
{
    Map map(tensor, 2, {16, 8});
    Buffer<unsigned> out(4 * 128);
    spread<<<4, 32>>>(map.m, 0xb, 512, out.p);
    LAUNCHED();
    std::vector<unsigned> got = out.get();
    bool good = true;
    for (int r = 0; r < 4; r++)
        for (int i = 0; i < 128; i++)
            good &= got[r * 128 + i] == (r == 2 ? 5 : element(4 + i % 16, 2 + i / 16, 0));
    EXPECT(good);
}

static void test_refused(unsigned *tensor)
{
    EXPECT(Map(tensor, 2, {16, 8}).r == CUDA_SUCCESS);
    EXPECT(Map(tensor, 0, {16, 8}).r == CUDA_ERROR_INVALID_VALUE);
    EXPECT(Map(tensor, 6, {16, 8, 1, 1, 1, 1}).r == CUDA_ERROR_INVALID_VALUE);
    EXPECT(Map((char *)tensor + 4, 2, {16, 8}).r == CUDA_ERROR_INVALID_VALUE);
    EXPECT(Map(tensor, 2, {257, 8}).r == CUDA_ERROR_INVALID_VALUE);
    EXPECT(Map(tensor, 2, {0, 8}).r == CUDA_ERROR_INVALID_VALUE);
    EXPECT(Map(tensor, 2, {15, 8}).r == CUDA_ERROR_INVALID_VALUE); // 60 bytes
    EXPECT(Map(tensor, 2, {64, 8}, CU_TENSOR_MAP_SWIZZLE_128B).r == CUDA_ERROR_INVALID_VALUE);
    EXPECT(Map(tensor, 2, {16, 8}, CU_TENSOR_MAP_SWIZZLE_NONE, {9, 1}).r == CUDA_ERROR_INVALID_VALUE);
    Map m(tensor, 2, {16, 8});
    EXPECT(cuTensorMapReplaceAddress(&m.m, (char *)tensor + 4) == CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuTensorMapReplaceAddress(&m.m, (char *)tensor + 32) == CUDA_SUCCESS);
}

// The first coordinate is on a multiple of 16 bytes. This ends the work of the device.
static void test_misaligned(unsigned *tensor)
{
    Buffer<unsigned> out(64);
    Map map(tensor, 1, {16, 1, 1});
    load<1><<<1, 64, 9000>>>(map.m, 2, 0, 0, 64, out.p);
    EXPECT(cudaDeviceSynchronize() == cudaErrorIllegalInstruction);
}

int main()
{
    std::vector<unsigned> v(PITCH * H * D);
    for (unsigned z = 0; z < D; z++)
        for (unsigned y = 0; y < H; y++)
            for (unsigned x = 0; x < PITCH; x++)
                v[x + PITCH * (y + H * z)] = x < W ? element(x, y, z) : 99;
    Buffer<unsigned> tensor(v);
    test_loads(tensor.p);
    test_stores();
    test_reductions<0>();
    test_reductions<1>();
    test_reductions<2>();
    test_spread(tensor.p);
    test_refused(tensor.p);
    test_misaligned(tensor.p);
    return DONE();
}
