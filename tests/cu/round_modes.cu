// SPDX-License-Identifier: Apache-2.0
// Functions that take their rounding as an argument, barriers with predicates, byte order, and addresses of kernel
// parameters.
#include "check.h"
#include <cuda_fp16.h>

struct Pair {
    int a, b;
};
enum { MODES = 4 };
struct Results {
    double sum[MODES], difference[MODES], product[MODES], from_ll[MODES], from_ull[MODES];
    long long ll[MODES];
    unsigned long long ull[MODES];
    int i[MODES];
    unsigned int u[MODES];
    int count, parameter;
    bool all, any;
    unsigned long long swapped;
};
__global__ void run(Results *out, double x, double y, double z, long long big, const __grid_constant__ Pair pair)
{
    int count = syncthreads_count(threadIdx.x % 3 == 0);
    bool all = syncthreads_and(threadIdx.x < 40), any = syncthreads_or(threadIdx.x == 39);
    if (threadIdx.x)
        return;
    for (int m = 0; m < MODES; m++) {
        cudaRoundMode mode = (cudaRoundMode)m;
        out->sum[m] = dadd(x, y, mode);
        out->difference[m] = dsub(x, y, mode);
        out->product[m] = dmul(x, x, mode);
        out->from_ll[m] = ll2double(-big, mode);
        out->from_ull[m] = ull2double((unsigned long long)big, mode);
        out->ll[m] = double2ll(-z, mode);
        out->ull[m] = double2ull(z, mode);
        out->i[m] = double2int(-z, mode);
        out->u[m] = double2uint(z, mode);
    }
    out->count = count;
    out->all = all;
    out->any = any;
    out->swapped = __nv_bswap64(big) + __nv_bswap32(1) + __nv_bswap16(1);
    size_t raw = __cvta_generic_to_grid_constant(&pair);
    out->parameter = static_cast<const Pair *>(__cvta_grid_constant_to_generic(raw))->b;
    out->sum[0] += int2double(1) - uint2double(1) + float2double(0.0f);
}

int main()
{
    Buffer<Results> out(1);
    double x = 1 + 0x1p-30, y = 0x1p-60;
    long long big = (1ll << 60) + 1;
    run<<<1, 40>>>(out, x, y, 2.5, big, Pair{5, 7});
    LAUNCHED();
    Results r = out.get()[0];
    double up = std::nextafter(x, 2), down = std::nextafter(x, 0);
    const double sums[] = {x, x, up, x}, differences[] = {x, down, x, down};
    double square = 1 + 0x1p-29, above = std::nextafter(square, 2);
    const double products[] = {square, square, above, square};
    double power = 0x1p60, next = std::nextafter(power, 2e30);
    const double lls[] = {-power, -power, -power, -next}, ulls[] = {power, power, next, power};
    const int down_to[] = {-2, -2, -2, -3};
    const unsigned int up_to[] = {2, 2, 3, 2};
    for (int m = 0; m < MODES; m++) {
        EXPECT(r.sum[m] == sums[m]);
        EXPECT(r.difference[m] == differences[m]);
        EXPECT(r.product[m] == products[m]);
        EXPECT(r.from_ll[m] == lls[m]);
        EXPECT(r.from_ull[m] == ulls[m]);
        EXPECT(r.ll[m] == down_to[m] && r.i[m] == down_to[m]);
        EXPECT(r.ull[m] == up_to[m] && r.u[m] == up_to[m]);
    }
    EXPECT(r.count == 14 && r.all && r.any && r.parameter == 7);
    EXPECT(r.swapped == (0x0100000000000010ull + 0x01000000u + 0x0100u));
    cudaChannelFormatDesc d = cudaCreateChannelDescNV12();
    EXPECT(d.x == 8 && d.y == 8 && d.z == 8 && d.w == 0 && d.f == cudaChannelFormatKindNV12);
    __nv_half_raw h = __half(1.5f);
    EXPECT(h.x == 0x3e00);
    return DONE();
}
