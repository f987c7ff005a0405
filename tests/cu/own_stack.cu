// SPDX-License-Identifier: Apache-2.0
// Searches with a stack, a board or a heap in each thread's own memory: loops within loops that threads leave at different times.
#include "check.h"

enum { N = 700, LONGEST = 60 };

struct Root {
    unsigned used;
    signed char board[12];
};

// Queens, from a row on where the first ones stand; the board is local memory that is indexed at run time.
template <class Board> __host__ __device__ bool is_safe(const Board &board, int row)
{
    bool safe = true;
    for (int i = 0; i < row; i++)
        if (board[i] == board[row])
            safe = false;
    int left = board[row], right = board[row];
    for (int i = row - 1; i >= 0; i--) {
        left--, right++;
        if (board[i] == left || board[i] == right)
            safe = false;
    }
    return safe;
}

__host__ __device__ void queens(const Root &root, int size, int first, unsigned long long *solutions,
                                unsigned long long *nodes)
{
    signed char board[16];
    unsigned used = root.used;
    unsigned long long found = 0, seen = 0;
    for (int i = 0; i < size; i++)
        board[i] = i < first ? root.board[i] : -1;
    int row = first;
    do {
        board[row]++;
        if (board[row] == size) {
            board[row] = -1;
        } else if (!(used >> board[row] & 1) && is_safe(board, row)) {
            seen++;
            used |= 1u << board[row];
            if (++row < size)
                continue;
            found++;
        } else {
            continue;
        }
        row--;
        used &= ~(1u << board[row]);
    } while (row >= first);
    *solutions = found;
    *nodes = seen;
}

__global__ void search(const Root *root, int n, int size, int first, unsigned long long *solutions,
                       unsigned long long *nodes)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v < n)
        queens(root[v], size, first, &solutions[v], &nodes[v]);
}

// Turning points of a history on a stack in global memory; pairs of them are taken off and counted.
struct Cycle {
    double count, range, mean;
};

__host__ __device__ int cycles(const double *history, int length, int *stack, Cycle *cycle)
{
    int top = -1, n = 0;
    for (int i = 0; i < length; i++) {
        stack[++top] = i;
        while (top >= 2) {
            double x = fabs(history[stack[top - 1]] - history[stack[top]]);
            double y = fabs(history[stack[top - 2]] - history[stack[top - 1]]);
            if (x < y)
                break;
            double mean = 0.5 * (history[stack[top - 2]] + history[stack[top - 1]]);
            if (top == 2) {
                cycle[n++] = {0.5, y, mean};
                stack[0] = stack[1];
                stack[1] = stack[2];
                top = 1;
            } else {
                cycle[n++] = {1.0, y, mean};
                stack[top - 2] = stack[top];
                top -= 2;
            }
        }
    }
    for (int i = 0; i < top; i++)
        cycle[n++] = {0.5, fabs(history[stack[i]] - history[stack[i + 1]]), (double)stack[i]};
    return n;
}

__global__ void count(const double *history, const int *first, int *stack, Cycle *cycle, int *counted, int n)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= n || v % 11 == 4)
        return;
    int at = first[v];
    counted[v] = cycles(history + at, first[v + 1] - at, stack + at, cycle + at);
}

// A heap, from which all is taken in order: the sum, how often something moved and whether that was even.
struct Order {
    float sum;
    short moved;
    bool even;
};

__host__ __device__ Order take_in_order(float *a, const float *in, int n)
{
    Order r = {0, 0, true};
    int m = 0;
    for (int i = 0; i < n; i++) {
        int k = m++;
        for (; k > 0 && a[(k - 1) / 2] > in[i]; k = (k - 1) / 2, r.moved++)
            a[k] = a[(k - 1) / 2];
        a[k] = in[i];
    }
    while (m) {
        r.sum = fmaf(r.sum, 0.75f, a[0]);
        float x = a[--m];
        int k = 0;
        while (2 * k + 1 < m) {
            int c = 2 * k + 1;
            if (c + 1 < m && a[c + 1] < a[c])
                c++;
            if (a[c] >= x)
                break;
            a[k] = a[c];
            k = c;
            r.moved++;
            r.even = !r.even;
        }
        a[k] = x;
    }
    return r;
}

__global__ void heap(const float *in, const int *first, float *sum, short *moved, unsigned char *even, int n)
{
    __shared__ float cell[64][LONGEST + 1];
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v < n) {
        Order r = take_in_order(cell[threadIdx.x], in + first[v], first[v + 1] - first[v]);
        sum[v] = r.sum;
        moved[v] = r.moved;
        even[v] = r.even;
    }
}

static void test_queens()
{
    enum { SIZE = 8, FIRST = 3 };
    std::vector<Root> roots;
    for (int i = 0; i < SIZE * SIZE * SIZE; i++) {
        Root r = {0, {(signed char)(i / SIZE / SIZE), (signed char)(i / SIZE % SIZE), (signed char)(i % SIZE)}};
        bool legal = true;
        for (int k = 0; k < FIRST; k++) {
            legal &= is_safe(r.board, k) && !(r.used >> r.board[k] & 1);
            r.used |= 1u << r.board[k];
        }
        if (legal)
            roots.push_back(r);
    }
    int n = (int)roots.size();
    Buffer<Root> droots(roots);
    Buffer<unsigned long long> out(2 * n);
    unsigned long long all = 0;
    search<<<(n + 95) / 96, 96>>>(droots, n, SIZE, FIRST, out, out + n);
    LAUNCHED();
    auto got = out.get();
    for (int v = 0; v < n; v++) {
        unsigned long long solutions, nodes;
        queens(roots[v], SIZE, FIRST, &solutions, &nodes);
        EXPECT(got[v] == solutions && got[n + v] == nodes);
        all += got[v];
    }
    EXPECT(all == 92);
}

static void test_cycles(const std::vector<int> &first)
{
    int total = first[N];
    std::vector<double> history(total);
    for (double &x : history)
        x = rand() % 10000 * 0.125;
    Buffer<int> dfirst(first), stack(std::vector<int>(total, -7)), counted(std::vector<int>(N, -7));
    Buffer<Cycle> cycle(std::vector<Cycle>(total, Cycle{-7, -7, -7}));
    Buffer<double> dhistory(history);
    count<<<(N + 127) / 128, 128>>>(dhistory, dfirst, stack, cycle, counted, N);
    LAUNCHED();
    auto hcycle = cycle.get();
    auto hcounted = counted.get(), hstack = stack.get();
    for (int v = 0; v < N; v++) {
        std::vector<int> s(LONGEST, -7);
        std::vector<Cycle> c(LONGEST, Cycle{-7, -7, -7});
        int length = first[v + 1] - first[v];
        EXPECT(hcounted[v] == (v % 11 == 4 ? -7 : cycles(history.data() + first[v], length, s.data(), c.data())));
        for (int i = 0; i < length; i++) {
            const Cycle &x = hcycle[first[v] + i];
            EXPECT(hstack[first[v] + i] == s[i]);
            EXPECT(x.count == c[i].count && x.range == c[i].range && x.mean == c[i].mean);
        }
    }
}

static void test_heap(const std::vector<int> &first)
{
    std::vector<float> in(first[N]);
    for (float &x : in)
        x = rand() % 1000;
    Buffer<int> dfirst(first);
    Buffer<float> din(in), sum(N);
    Buffer<short> moved(N);
    Buffer<unsigned char> even(N);
    heap<<<(N + 63) / 64, 64>>>(din, dfirst, sum, moved, even, N);
    LAUNCHED();
    auto hsum = sum.get();
    auto hmoved = moved.get();
    auto heven = even.get();
    for (int v = 0; v < N; v++) {
        float a[LONGEST];
        Order r = take_in_order(a, in.data() + first[v], first[v + 1] - first[v]);
        EXPECT(hsum[v] == r.sum && hmoved[v] == r.moved && heven[v] == r.even);
    }
}

int main()
{
    std::vector<int> first(N + 1);
    srand(11);
    for (int i = 0; i < N; i++)
        first[i + 1] = first[i] + rand() % LONGEST;
    test_queens();
    test_cycles(first);
    test_heap(first);
    return DONE();
}
