// SPDX-License-Identifier: Apache-2.0
// Blocks that look back at those before them, as scans and radix sorts do: a warp of lanes together, each thread for a word of its own,
// blocks with a warp of fewer lanes, and threads that have left before.
#include "check.h"

enum { EMPTY, PART = 1 << 30, WHOLE = 2 << 30, VALUE = PART - 1, BLOCKS = 300, BINS = 128 };

__device__ unsigned drawn;

__device__ unsigned draw_block(unsigned *place)
{
    if (threadIdx.x == 0)
        *place = atomicAdd(&drawn, 1u);
    __syncthreads();
    return *place;
}

// The sum of the blocks before, by warp 0: 32 words at once.
__device__ unsigned look_back(volatile unsigned *state, int block, unsigned own, unsigned lane)
{
    if (lane == 0)
        state[block] = block ? PART | own : WHOLE | own;
    unsigned sum = 0;
    for (int at = block - 1; at >= 0; at -= 32) {
        unsigned word, whole;
        do {
            word = at - (int)lane >= 0 ? state[at - lane] : unsigned(WHOLE);
        } while (__any_sync(~0u, (word & ~VALUE) == EMPTY));
        whole = __ballot_sync(~0u, word & WHOLE);
        unsigned x = !whole || lane <= unsigned(__ffs(whole) - 1) ? word & VALUE : 0;
        for (int d = 16; d; d /= 2)
            x += __shfl_xor_sync(~0u, x, d);
        sum += x;
        if (whole)
            break;
    }
    if (lane == 0)
        state[block] = WHOLE | (sum + own);
    return sum;
}

__global__ void scan(const unsigned *in, unsigned *out, volatile unsigned *state, int n)
{
    __shared__ unsigned place, before, s[256];
    unsigned t = threadIdx.x, block = draw_block(&place), size = blockDim.x;
    int i = block * size + t;
    s[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (unsigned d = 1; d < size; d *= 2) {
        unsigned x = t >= d ? s[t - d] : 0;
        __syncthreads();
        s[t] += x;
        __syncthreads();
    }
    if (t < 32) {
        unsigned sum = look_back(state, block, s[size - 1], t);
        if (t == 0)
            before = sum;
    }
    __syncthreads();
    if (i < n)
        out[i] = before + s[t];
}

// Each thread counts one digit, and waits for the blocks before it alone. With `leave` the last threads go first.
__global__ void count_digits(const unsigned *in, unsigned *out, volatile unsigned *state, int each, int leave)
{
    __shared__ unsigned place, bins[BINS];
    unsigned t = threadIdx.x, block = draw_block(&place);
    bins[t] = 0;
    __syncthreads();
    for (int k = 0; k < each; k++)
        atomicAdd(&bins[in[(block * each + k) * BINS + t] % BINS], 1u);
    __syncthreads();
    if (leave && t >= BINS - 5)
        return;
    unsigned own = bins[t], sum = 0, mask = leave ? __activemask() : ~0u;
    state[block * BINS + t] = block ? PART | own : WHOLE | own;
    for (int at = int(block) - 1; at >= 0; at--) {
        unsigned word;
        while (!(word = state[at * BINS + t]))
            ;
        sum += word & VALUE;
        if (!leave)
            mask = __ballot_sync(mask, !(word & WHOLE));
        if (word & WHOLE)
            break;
    }
    state[block * BINS + t] = WHOLE | (sum + own);
    __syncthreads();
    bins[t] = sum;
    __syncthreads();
    out[block * BINS + t] = bins[t];
}

static void draw_anew()
{
    unsigned zero = 0;
    OK(cudaMemcpyToSymbol(drawn, &zero, sizeof zero));
}

static void test_scan(unsigned *in, unsigned *out, unsigned *state, int size)
{
    int n = BLOCKS * size - 7;
    unsigned sum = 0;
    draw_anew();
    OK(cudaMemset(state, 0, BLOCKS * sizeof *state));
    scan<<<BLOCKS, size>>>(in, out, state, n);
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < n; i++) {
        sum += in[i];
        EXPECT(out[i] == sum);
    }
}

static void test_digits(unsigned *in, unsigned *out, unsigned *state, int leave)
{
    unsigned sum[BINS] = {};
    draw_anew();
    OK(cudaMemset(state, 0, BLOCKS * BINS * sizeof *state));
    OK(cudaMemset(out, 0, BLOCKS * BINS * sizeof *out));
    count_digits<<<BLOCKS, BINS>>>(in, out, state, 2, leave);
    OK(cudaDeviceSynchronize());
    for (int b = 0; b < BLOCKS; b++) {
        for (int t = 0; t < BINS - 5 * leave; t++)
            EXPECT(out[b * BINS + t] == sum[t]);
        for (int k = 0; k < 2 * BINS; k++)
            sum[in[b * 2 * BINS + k] % BINS]++;
    }
}

int main()
{
    unsigned *in, *out, *state;
    OK(cudaMallocManaged(&in, BLOCKS * 256 * sizeof *in));
    OK(cudaMallocManaged(&out, BLOCKS * 256 * sizeof *out));
    OK(cudaMallocManaged(&state, BLOCKS * BINS * sizeof *state));
    for (unsigned i = 0; i < BLOCKS * 256; i++)
        in[i] = (i * 2654435761u >> 20) % 1000;
    test_scan(in, out, state, 128);
    test_scan(in, out, state, 256);
    test_scan(in, out, state, 80);
    test_digits(in, out, state, 0);
    test_digits(in, out, state, 1);
    return DONE();
}
