// SPDX-License-Identifier: Apache-2.0
// nvcc: -arch=sm_80
// __reduce_..._sync: by the whole warp, and by two groups of its lanes apart.
#include "check.h"

enum { RESULTS = 9, LANES = 32 };

__device__ static void all(unsigned mask, unsigned v, unsigned *out)
{
    out[0] = __reduce_add_sync(mask, v);
    out[1] = (unsigned)__reduce_add_sync(mask, (int)v);
    out[2] = __reduce_min_sync(mask, v);
    out[3] = (unsigned)__reduce_min_sync(mask, (int)v);
    out[4] = __reduce_max_sync(mask, v);
    out[5] = (unsigned)__reduce_max_sync(mask, (int)v);
    out[6] = __reduce_and_sync(mask, v);
    out[7] = __reduce_or_sync(mask, v);
    out[8] = __reduce_xor_sync(mask, v);
}

__global__ void whole(const unsigned *in, unsigned *out)
{
    all(~0u, in[threadIdx.x], out + threadIdx.x * RESULTS);
}

__global__ void parts(const unsigned *in, unsigned *out)
{
    if (threadIdx.x % 3 == 0)
        all(0x49249249, in[threadIdx.x], out + threadIdx.x * RESULTS);
    else
        all(~0x49249249u, in[threadIdx.x], out + threadIdx.x * RESULTS);
}

static unsigned wanted(const std::vector<unsigned> &in, unsigned mask, int which)
{
    bool first = true;
    unsigned r = 0;
    for (int i = 0; i < LANES; i++) {
        if (!(mask >> i & 1))
            continue;
        unsigned v = in[i];
        unsigned next[RESULTS] = {
            r + v, r + v, v<r ? v : r, (int)v<(int)r ? v : r, v> r ? v : r, (int)v>(int) r ? v : r,
            r & v, r | v, r ^ v};
        r = first ? v : next[which];
        first = false;
    }
    return r;
}

int main()
{
    std::vector<unsigned> in(LANES);
    for (int i = 0; i < LANES; i++)
        in[i] = (unsigned)(i + 3) * 2654435761u | 0x00100000;
    Buffer<unsigned> din(in), out(LANES * RESULTS);
    whole<<<1, LANES>>>(din, out);
    LAUNCHED();
    std::vector<unsigned> o = out.get();
    for (int i = 0; i < LANES * RESULTS; i++)
        EXPECT(o[i] == wanted(in, ~0u, i % RESULTS));
    parts<<<1, LANES>>>(din, out);
    LAUNCHED();
    o = out.get();
    for (int i = 0; i < LANES * RESULTS; i++)
        EXPECT(o[i] == wanted(in, i / RESULTS % 3 ? ~0x49249249u : 0x49249249u, i % RESULTS));
    return DONE();
}
