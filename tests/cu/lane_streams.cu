// SPDX-License-Identifier: Apache-2.0
// Divergent loops in which each thread walks through a list of its own, with all that such a loop may carry in and out; and
// flags that many threads set at once.
#include "check.h"

enum { N = 1000, MEMBERS = 12000 };

// Sum, least, place of the first member above a bound, number of odd ones.
__global__ void walk(const int *first, const int *member, const float *weight, float *sum, int *least, int *found,
                     int *odd, int n)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= n || v % 7 == 3)
        return;
    float s = 0;
    int m = 0x7fffffff, at = -1, o = 0;
    for (int k = first[v]; k < first[v + 1]; k++) {
        int u = member[k];
        s += weight[u];
        m = u < m ? u : m;
        if (u & 1)
            o++;
        if (at < 0 && u > 900)
            at = k;
    }
    sum[v] = s;
    least[v] = m;
    found[v] = at;
    odd[v] = o;
}

// Leaves from the middle, downwards, 64-bit indices; the result is a pointer and a condition.
__global__ void search(const long long *last, const short *data, int *out, int n)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= n)
        return;
    const short *p = data + last[v];
    bool hit = false;
    while (p >= data) {
        if (*p == v % 100) {
            hit = true;
            break;
        }
        p--;
    }
    out[v] = hit ? (int)(p - data) : -1;
}

// Lists of lists, in shared memory what is counted; a divergent start.
__global__ void nested(const int *first, const int *member, unsigned char *mark, int *pairs, int n)
{
    __shared__ int small[64];
    if (threadIdx.x < 64)
        small[threadIdx.x] = threadIdx.x * 3 % 17;
    __syncthreads();
    int v = blockIdx.x * blockDim.x + threadIdx.x, count = 0;
    if (v < n && threadIdx.x % 3)
        for (int k = first[v]; k < first[v + 1]; k++) {
            int u = member[k];
            for (int j = first[u]; j < first[u + 1]; j++)
                if (small[member[j] & 63] > 8) {
                    count += member[j] == v ? 100 : 1;
                    mark[member[j]] = 1;
                }
        }
    if (v < n)
        pairs[v] = count;
}

// One level of a search: writes into what others read, and says that there was something.
__device__ int changed_too;
__global__ void level_of(const int *first, const int *member, int *level, int n, int now, int *changed, double *weight)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v < n && level[v] == now)
        for (int k = first[v]; k < first[v + 1]; k++)
            if (level[member[k]] < 0) {
                level[member[k]] = now + 1;
                weight[member[k]] = (now + 1) * 0.5;
                *changed = 1;
                changed_too = now;
            }
}

// A string for each thread, ended by 0, with a state that goes along.
__global__ void hash(const char *text, const int *start, unsigned *out, unsigned *length, int n)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v < n) {
        unsigned h = 5381, c;
        const char *s = text + start[v];
        for (; (c = (unsigned char)*s); s++)
            h = h * 33 ^ c;
        out[v] = h;
        length[v] = s - (text + start[v]);
    }
}

template <class T> static T *device(const std::vector<T> &v)
{
    T *p;
    OK(cudaMalloc(&p, v.size() * sizeof(T)));
    OK(cudaMemcpy(p, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice));
    return p;
}

template <class T> static std::vector<T> host(const T *p, size_t n)
{
    std::vector<T> v(n);
    OK(cudaMemcpy(v.data(), p, n * sizeof(T), cudaMemcpyDeviceToHost));
    return v;
}

int main()
{
    std::vector<int> first(N + 1), member(MEMBERS);
    std::vector<float> weight(N);
    srand(7);
    for (int i = 0; i <= N; i++)
        first[i] = i ? first[i - 1] + rand() % 23 * (rand() % 5 != 0) : 0;
    for (int &m : member)
        m = rand() % N;
    for (int i = 0; i < N; i++)
        weight[i] = i % 16 * 0.25f;
    EXPECT(first[N] <= MEMBERS);
    int *dfirst = device(first), *dmember = device(member);
    float *dweight = device(weight);
    int blocks = (N + 127) / 128;

    std::vector<int> minus(4 * N, -7);
    float *sum = device(std::vector<float>(N, -7));
    int *ints = device(minus);
    walk<<<blocks, 128>>>(dfirst, dmember, dweight, sum, ints, ints + N, ints + 2 * N, N);
    auto hsum = host(sum, N);
    auto hints = host(ints, 3 * N);
    for (int v = 0; v < N; v++) {
        float s = 0;
        int m = 0x7fffffff, at = -1, o = 0;
        for (int k = first[v]; k < first[v + 1]; k++) {
            s += weight[member[k]];
            m = member[k] < m ? member[k] : m;
            o += member[k] & 1;
            at = at < 0 && member[k] > 900 ? k : at;
        }
        bool skipped = v % 7 == 3;
        EXPECT(hsum[v] == (skipped ? -7 : s));
        EXPECT(hints[v] == (skipped ? -7 : m) && hints[N + v] == (skipped ? -7 : at) &&
               hints[2 * N + v] == (skipped ? -7 : o));
    }

    std::vector<short> data(3000);
    std::vector<long long> last(N);
    for (short &x : data)
        x = rand() % 300;
    for (long long &x : last)
        x = rand() % 3000;
    search<<<blocks, 128>>>(device(last), device(data), ints, N);
    hints = host(ints, N);
    for (int v = 0; v < N; v++) {
        long long p = last[v];
        while (p >= 0 && data[p] != v % 100)
            p--;
        EXPECT(hints[v] == (int)p);
    }

    unsigned char *mark = device(std::vector<unsigned char>(N, 0));
    nested<<<blocks, 128>>>(dfirst, dmember, mark, ints, N);
    hints = host(ints, N);
    auto hmark = host(mark, N);
    std::vector<unsigned char> marked(N, 0);
    for (int v = 0; v < N; v++) {
        int count = 0;
        for (int k = first[v]; v % 128 % 3 && k < first[v + 1]; k++)
            for (int u = member[k], j = first[u]; j < first[u + 1]; j++)
                if ((member[j] & 63) * 3 % 17 > 8) {
                    count += member[j] == v ? 100 : 1;
                    marked[member[j]] = 1;
                }
        EXPECT(hints[v] == count);
    }
    EXPECT(hmark == marked);

    std::vector<int> level(N, -1);
    level[0] = 0;
    for (int x = 0; x < N && !(first[x + 1] - first[x]); x++) { // begin where there is an edge
        level[x] = -1;
        level[x + 1] = 0;
    }
    int *dlevel = device(level), *changed = device(std::vector<int>(1, 0)), again = 1, now = 0;
    double *dreached = device(std::vector<double>(N, 0));
    for (; again; now++) {
        OK(cudaMemset(changed, 0, sizeof(int)));
        level_of<<<blocks, 128>>>(dfirst, dmember, dlevel, N, now, changed, dreached);
        OK(cudaMemcpy(&again, changed, sizeof again, cudaMemcpyDeviceToHost));
        int too;
        OK(cudaMemcpyFromSymbol(&too, changed_too, sizeof too));
        int more = 0;
        for (int v = 0; v < N; v++)
            for (int k = first[v]; level[v] == now && k < first[v + 1]; k++)
                if (level[member[k]] < 0) {
                    level[member[k]] = now + 1;
                    more = 1;
                }
        EXPECT(again == more);
        EXPECT(!again || too == now);
    }
    EXPECT(now > 2);
    EXPECT(host(dlevel, N) == level);
    auto reached = host(dreached, N);
    for (int v = 0; v < N; v++)
        EXPECT(reached[v] == (level[v] > 0 ? level[v] * 0.5 : 0));

    std::vector<char> text;
    std::vector<int> start(N);
    for (int v = 0; v < N; v++) {
        start[v] = (int)text.size();
        for (int i = rand() % 40; i > 0; i--)
            text.push_back('a' + rand() % 26);
        text.push_back(0);
    }
    unsigned *hashes = device(std::vector<unsigned>(2 * N, 0));
    hash<<<blocks, 128>>>(device(text), device(start), hashes, hashes + N, N);
    auto hhash = host(hashes, 2 * N);
    for (int v = 0; v < N; v++) {
        unsigned h = 5381, n = 0;
        for (const char *s = &text[start[v]]; *s; s++, n++)
            h = h * 33 ^ (unsigned char)*s;
        EXPECT(hhash[v] == h && hhash[N + v] == n);
    }
    return DONE();
}
