// SPDX-License-Identifier: Apache-2.0
// Atomics on global memory of which most change nothing or meet in one place, by many blocks at once: final values, and old
// values that could have been seen.
#include "check.h"
#include <algorithm>

enum { N = 40000, CELLS = 97 };

__global__ void extremes(const int *key, const int *value, int *least, unsigned *most, unsigned long long *far,
                         unsigned *bits, int *all, int *seen)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= N || i % 11 == 4)
        return;
    int k = key[i], v = value[i];
    seen[i] = atomicMin(&least[k], v);
    atomicMax(&most[k], (unsigned)v * 3u);
    atomicMin(&far[k], (unsigned long long)v << 20);
    atomicOr(&bits[k], 1u << (v & 31));
    atomicAnd(&all[k], v | 0xff00);
    atomicMax(&all[CELLS], v); // one place for all
}

__global__ void first_comes(const int *key, int *owner, unsigned long long *owner64, int *won)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= N || i % 3 == 1)
        return;
    int k = key[i];
    int a = atomicCAS(&owner[k], -1, i);
    unsigned long long b = atomicCAS(&owner64[k], ~0ull, (unsigned long long)i << 32);
    if (a == -1)
        atomicAdd(&won[k], 1);
    else if (a != *(volatile int *)&owner[k])
        atomicAdd(&won[k], 1000);
    if (b == ~0ull)
        atomicAdd(&won[CELLS + k], 1);
}

// Neighbours name the same place, or nearly all of them do.
__global__ void in_order(const int *place, float *f, double *d, int *n, unsigned long long *l)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N && i % 13 != 5) {
        int p = place[i];
        atomicAdd(&f[p], 0.5f);
        atomicAdd(&d[p], 0.25);
        atomicAdd(&n[p], i);
        atomicXor((int *)&l[p], i);
        atomicMax(&l[p + N / 50 + 1], (unsigned long long)i << 30);
    }
}

int main()
{
    std::vector<int> key(N), value(N), place(N);
    unsigned seed = 11;
    for (int i = 0; i < N; i++) {
        key[i] = random_next(seed) % CELLS;
        value[i] = random_next(seed) & 0xffffff;
        place[i] = i / 50 + (i % 257 == 0);
    }
    Buffer<int> dkey(key), dvalue(value), dplace(place), seen(N);
    Buffer<int> least(std::vector<int>(CELLS, 0x7fffffff)), all(std::vector<int>(CELLS + 1, -1));
    Buffer<unsigned> most(std::vector<unsigned>(CELLS, 0)), bits(std::vector<unsigned>(CELLS, 0));
    Buffer<unsigned long long> far(std::vector<unsigned long long>(CELLS, ~0ull));
    int blocks = (N + 127) / 128;
    extremes<<<blocks, 128>>>(dkey, dvalue, least, most, far, bits, all, seen);
    LAUNCHED();
    std::vector<int> rl(CELLS, 0x7fffffff), ra(CELLS + 1, -1);
    std::vector<unsigned> rm(CELLS, 0), rb(CELLS, 0);
    for (int i = 0; i < N; i++)
        if (i % 11 != 4) {
            int k = key[i], v = value[i];
            rl[k] = std::min(rl[k], v);
            rm[k] = std::max(rm[k], (unsigned)v * 3u);
            rb[k] |= 1u << (v & 31);
            ra[k] &= v | 0xff00;
            ra[CELLS] = std::max(ra[CELLS], v);
        }
    auto hl = least.get(), ha = all.get(), hs = seen.get();
    auto hm = most.get(), hb = bits.get();
    auto hf = far.get();
    for (int k = 0; k < CELLS; k++)
        EXPECT(hl[k] == rl[k] && hm[k] == rm[k] && hb[k] == rb[k] && ha[k] == ra[k] &&
               hf[k] == (unsigned long long)rl[k] << 20);
    EXPECT(ha[CELLS] == ra[CELLS]);
    for (int i = 0; i < N; i++)
        EXPECT(i % 11 == 4 || (hs[i] >= rl[key[i]] && (value[i] != rl[key[i]] || hs[i] >= value[i])));

    Buffer<int> owner(std::vector<int>(CELLS, -1)), won(std::vector<int>(2 * CELLS, 0));
    Buffer<unsigned long long> owner64(std::vector<unsigned long long>(CELLS, ~0ull));
    first_comes<<<blocks, 128>>>(dkey, owner, owner64, won);
    LAUNCHED();
    auto ho = owner.get(), hw = won.get();
    auto h64 = owner64.get();
    for (int k = 0; k < CELLS; k++) {
        EXPECT(hw[k] == 1 && hw[CELLS + k] == 1);
        EXPECT(ho[k] >= 0 && key[ho[k]] == k && key[h64[k] >> 32] == k);
    }

    const int places = N / 50 + 1;
    Buffer<float> f(std::vector<float>(places, 0));
    Buffer<double> d(std::vector<double>(places, 0));
    Buffer<int> n(std::vector<int>(places, 0));
    Buffer<unsigned long long> l(std::vector<unsigned long long>(2 * places, 0));
    in_order<<<blocks, 128>>>(dplace, f, d, n, l);
    LAUNCHED();
    std::vector<float> rf(places, 0);
    std::vector<int> rn(places, 0);
    std::vector<unsigned long long> rx(2 * places, 0);
    for (int i = 0; i < N; i++)
        if (i % 13 != 5) {
            rf[place[i]] += 0.5f;
            rn[place[i]] += i;
            rx[place[i]] ^= i;
            rx[places + place[i]] = std::max(rx[places + place[i]], (unsigned long long)i << 30);
        }
    auto gf = f.get();
    auto gd = d.get();
    EXPECT(gf == rf);
    EXPECT(n.get() == rn);
    EXPECT(l.get() == rx);
    for (int p = 0; p < places; p++)
        EXPECT(gd[p] == rf[p] * 0.5);
    return DONE();
}
