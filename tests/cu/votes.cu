// SPDX-License-Identifier: Apache-2.0
// Votes, match, activemask, population of a ballot, warp reductions by hand.
#include "check.h"

__global__ void votes(unsigned *out)
{
    int t = threadIdx.x, w = t / 32;
    out[t] = __ballot_sync(0xffffffff, (t * 5) % 3 == 0);
    out[64 + t] = __any_sync(0xffffffff, t == 40);
    out[128 + t] = __all_sync(0xffffffff, t < 50);
    out[192 + t] = __match_any_sync(0xffffffff, t / 5);
    int pred;
    out[256 + t] = __match_all_sync(0xffffffff, w, &pred);
    out[320 + t] = pred;
    if (t & 1)
        out[384 + t] = __activemask();
    out[448 + t] = __popc(__ballot_sync(0xffffffff, t % 4 == 1) & ((1u << (t & 31)) - 1));
}

// A compaction: each lane that keeps its value finds its place in the warp.
__global__ void compact(const int *in, int *out, int *count)
{
    int t = threadIdx.x, v = in[t];
    bool keep = v % 3 == 0;
    unsigned mask = __ballot_sync(0xffffffff, keep);
    int rank = __popc(mask & ((1u << (t & 31)) - 1)), base = 0;
    if ((t & 31) == 0)
        base = atomicAdd(count, __popc(mask));
    base = __shfl_sync(0xffffffff, base, 0);
    if (keep)
        out[base + rank] = v;
}

int main()
{
    Buffer<unsigned> d(512);
    votes<<<1, 64>>>(d);
    LAUNCHED();
    std::vector<unsigned> o = d.get();
    bool right = true;
    for (int t = 0; t < 64; t++) {
        int w = t / 32;
        unsigned ballot = 0, match = 0, quarter = 0;
        for (int l = 0; l < 32; l++) {
            int u = w * 32 + l;
            ballot |= ((u * 5) % 3 == 0) << l;
            match |= (unsigned)(u / 5 == t / 5) << l;
            quarter |= (unsigned)(u % 4 == 1) << l;
        }
        right &= o[t] == ballot;
        right &= o[64 + t] == (w == 1);
        right &= o[128 + t] == (w == 0);
        right &= o[192 + t] == match;
        right &= o[256 + t] == 0xffffffff && o[320 + t] == 1;
        right &= !(t & 1) || o[384 + t] == 0xaaaaaaaa;
        right &= o[448 + t] == (unsigned)__builtin_popcount(quarter & ((1u << (t & 31)) - 1));
    }
    EXPECT(right);
    std::vector<int> in(256);
    int expect = 0;
    for (int i = 0; i < 256; i++)
        expect += (in[i] = i * 7 % 50) % 3 == 0;
    Buffer<int> din(in), dout(256), count(1);
    compact<<<1, 256>>>(din, dout, count);
    LAUNCHED();
    EXPECT(count.get()[0] == expect);
    std::vector<int> kept = dout.get();
    right = true;
    for (int i = 0; i < expect; i++)
        right &= kept[i] % 3 == 0;
    EXPECT(right);
    return DONE();
}
