// SPDX-License-Identifier: Apache-2.0
// Breadth-first search over a graph in compressed rows, a sparse matrix product and a game of life: irregular memory.
#include "check.h"
#include <queue>

__global__ void expand(const int *rows, const int *cols, int *dist, int level, int *changed, int n)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v < n && dist[v] == level)
        for (int e = rows[v]; e < rows[v + 1]; e++)
            if (dist[cols[e]] < 0) {
                dist[cols[e]] = level + 1;
                *changed = 1;
            }
}

__global__ void spmv(const int *rows, const int *cols, const double *x, double *y, int n)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= n)
        return;
    double s = 0;
    for (int e = rows[v]; e < rows[v + 1]; e++)
        s += x[cols[e]] * (e % 7);
    y[v] = s;
}

__global__ void life(const unsigned char *in, unsigned char *out, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h)
        return;
    int n = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            if (dx || dy)
                n += in[(y + dy + h) % h * w + (x + dx + w) % w];
    out[y * w + x] = n == 3 || (n == 2 && in[y * w + x]);
}

int main()
{
    const int n = 2000;
    std::vector<int> rows{0}, cols;
    unsigned s = 4;
    for (int v = 0; v < n; v++) {
        for (int k = random_next(s) % 6; k > 0; k--)
            cols.push_back((int)(random_next(s) % n));
        rows.push_back((int)cols.size());
    }
    std::vector<int> dist(n, -1), ref(n, -1);
    dist[0] = ref[0] = 0;
    std::queue<int> q;
    q.push(0);
    while (!q.empty()) {
        int v = q.front();
        q.pop();
        for (int e = rows[v]; e < rows[v + 1]; e++)
            if (ref[cols[e]] < 0) {
                ref[cols[e]] = ref[v] + 1;
                q.push(cols[e]);
            }
    }
    Buffer<int> dr(rows), dc(cols), dd(dist), changed(1);
    for (int level = 0, again = 1; again; level++) {
        OK(cudaMemset(changed, 0, 4));
        expand<<<(n + 255) / 256, 256>>>(dr, dc, dd, level, changed, n);
        OK(cudaMemcpy(&again, changed, 4, cudaMemcpyDeviceToHost));
    }
    EXPECT(dd.get() == ref);
    std::vector<double> x(n), y(n);
    for (int i = 0; i < n; i++)
        x[i] = i * 0.5;
    for (int v = 0; v < n; v++)
        for (int e = rows[v]; e < rows[v + 1]; e++)
            y[v] += x[cols[e]] * (e % 7);
    Buffer<double> dx(x), dy(n);
    spmv<<<(n + 99) / 100, 100>>>(dr, dc, dx, dy, n);
    LAUNCHED();
    EXPECT(dy.get() == y);
    const int w = 60, h = 45;
    std::vector<unsigned char> a(w * h), b(w * h);
    for (auto &c : a)
        c = random_next(s) % 3 == 0;
    Buffer<unsigned char> da(a), db(w * h);
    for (int r = 0; r < 6; r++) {
        life<<<dim3(4, 6), dim3(16, 8)>>>(r & 1 ? db : da, r & 1 ? da : db, w, h);
        for (int i = 0; i < w * h; i++) {
            int k = 0;
            for (int dy2 = -1; dy2 <= 1; dy2++)
                for (int dx2 = -1; dx2 <= 1; dx2++)
                    if (dx2 || dy2)
                        k += a[(i / w + dy2 + h) % h * w + (i % w + dx2 + w) % w];
            b[i] = k == 3 || (k == 2 && a[i]);
        }
        a = b;
    }
    LAUNCHED();
    EXPECT(da.get() == a);
    return DONE();
}
