// SPDX-License-Identifier: Apache-2.0
// What loops with barriers carry: values that change places, old and new ones that live side by side, flags, and values
// that take part only in some turns. Each thread's work is the same as on the host, with a neighbour's value of the turn.
#include "check.h"

struct carried {
    int a, b, c, old, kept;
    bool flag;
};

// One turn; `seen` is what the neighbour put out in its first half.
__host__ __device__ int offered(const carried &s, int turn)
{
    return s.a * 3 + s.b + turn + (s.flag ? 7 : 0);
}
__host__ __device__ void take(carried &s, int seen, int turn)
{
    int a = s.a;
    s.old = s.c;
    s.a = s.b ^ seen;
    s.b = s.c + turn;
    s.c = a - seen;
    s.flag = (s.a & 4) != 0;
    if (turn % 3 == 1)
        s.kept += s.old;
}

__global__ void rotate(const int *in, int *out, int turns)
{
    extern __shared__ int box[];
    int t = threadIdx.x, n = blockDim.x, i = blockIdx.x * n + t;
    carried s = {in[i], in[i] + 1, in[i] * 5, 0, t, (in[i] & 1) != 0};
    for (int turn = 0; turn < turns; turn++) {
        box[t] = offered(s, turn);
        __syncthreads();
        int seen = box[(t + 1) % n];
        __syncthreads();
        take(s, seen, turn);
    }
    out[i] = s.a + 3 * s.b + 5 * s.c + 7 * s.old + 11 * s.kept + s.flag;
}

// The old value is used behind the second barrier, the new one made before it: both live there.
__global__ void side_by_side(const int *in, int *out, int turns)
{
    __shared__ int box[96];
    int t = threadIdx.x, i = blockIdx.x * 96 + t, x = in[i], sum = 0;
    for (int turn = 0; turn < turns; turn++) {
        box[t] = x;
        __syncthreads();
        int next = x + box[95 - t] * (turn & 1 ? 1 : -2);
        __syncthreads();
        sum += x * 2 - next;
        x = next;
    }
    out[i] = sum ^ x;
}

// Sums that only the threads of a shrinking half go on with, in registers across the barriers.
__global__ void halves(const int *in, int *out)
{
    __shared__ int box[128];
    int t = threadIdx.x, mine = in[blockIdx.x * 128 + t], turns = 0;
    for (int half = 64; half; half /= 2) {
        if (t >= half && t < 2 * half)
            box[t - half] = mine;
        __syncthreads();
        if (t < half) {
            mine += box[t];
            turns++;
        }
        __syncthreads();
    }
    out[blockIdx.x * 128 + t] = mine * 8 + turns;
}

// Tiles to the very end of the memory: what is fetched for the block after the last is nowhere.
__global__ void flip(const int *in, int *out, int n)
{
    __shared__ int tile[16][17];
    int x = blockIdx.x * 16, y = blockIdx.y * 16, t = threadIdx.x;
    for (int k = 0; k < 16; k++)
        tile[k][t] = in[(y + k) * n + x + t];
    __syncthreads();
    for (int k = 0; k < 16; k++)
        out[(x + k) * n + y + t] = tile[t][k];
}

static std::vector<int> rotate_host(const std::vector<int> &in, int n, int turns)
{
    std::vector<int> out(in.size()), box(n);
    for (size_t first = 0; first < in.size(); first += n) {
        std::vector<carried> s(n);
        for (int t = 0; t < n; t++) {
            int x = in[first + t];
            s[t] = {x, x + 1, x * 5, 0, t, (x & 1) != 0};
        }
        for (int turn = 0; turn < turns; turn++) {
            for (int t = 0; t < n; t++)
                box[t] = offered(s[t], turn);
            for (int t = 0; t < n; t++)
                take(s[t], box[(t + 1) % n], turn);
        }
        for (int t = 0; t < n; t++)
            out[first + t] = s[t].a + 3 * s[t].b + 5 * s[t].c + 7 * s[t].old + 11 * s[t].kept + s[t].flag;
    }
    return out;
}

static std::vector<int> side_host(const std::vector<int> &in, int turns)
{
    std::vector<int> out(in.size());
    for (size_t first = 0; first < in.size(); first += 96) {
        int x[96], next[96], sum[96] = {};
        for (int t = 0; t < 96; t++)
            x[t] = in[first + t];
        for (int turn = 0; turn < turns; turn++) {
            for (int t = 0; t < 96; t++)
                next[t] = x[t] + x[95 - t] * (turn & 1 ? 1 : -2);
            for (int t = 0; t < 96; t++) {
                sum[t] += x[t] * 2 - next[t];
                x[t] = next[t];
            }
        }
        for (int t = 0; t < 96; t++)
            out[first + t] = sum[t] ^ x[t];
    }
    return out;
}

int main()
{
    std::vector<int> in(1920);
    for (int i = 0; i < 1920; i++)
        in[i] = i * 29 % 61;
    Buffer<int> din(in), out(1920);
    for (int n : {32, 40, 96, 240}) {
        rotate<<<1920 / n, n, n * sizeof(int)>>>(din, out, 7);
        LAUNCHED();
        EXPECT(out.get() == rotate_host(in, n, 7));
    }
    side_by_side<<<20, 96>>>(din, out, 6);
    LAUNCHED();
    EXPECT(out.get() == side_host(in, 6));
    halves<<<15, 128>>>(din, out);
    LAUNCHED();
    std::vector<int> o = out.get();
    for (int b = 0; b < 15; b++) {
        int sum = 0;
        for (int t = 0; t < 128; t++)
            sum += in[b * 128 + t];
        EXPECT(o[b * 128] == sum * 8 + 7);
        EXPECT(o[b * 128 + 127] == in[b * 128 + 127] * 8);
        EXPECT(o[b * 128 + 1] % 8 == 6);
    }
    const int n = 512; // a whole number of pages
    std::vector<int> square(n * n);
    for (int i = 0; i < n * n; i++)
        square[i] = i;
    Buffer<int> from(square), to(n * n);
    flip<<<dim3(n / 16, n / 16), 16>>>(from, to, n);
    LAUNCHED();
    std::vector<int> f = to.get();
    int wrong = 0;
    for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x++)
            wrong += f[x * n + y] != y * n + x;
    EXPECT(wrong == 0);
    return DONE();
}
