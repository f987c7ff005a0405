// SPDX-License-Identifier: Apache-2.0
// What random kernels that walk through memory stand on (gen_loops.c): their arguments, and the comparison of every array
// that they write with that of the same body run on the host, one thread after the other.
//
// PROGRAM [FIRST [LAST]] runs kernels FIRST to LAST, printing "#i" before each, one line for each that is not right, and "done"; it
// ends with status 1 after the first error of the device, since a fault stays with the context. Runs with NVIDIA's nvcc as well.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

enum { ROW = 16, INPUT = 1 << 18, CELLS = 2048, LIST = 1 << 17 };

struct record {
    uint32_t a, b;
    uint16_t c;
    uint8_t d;
};
struct list {
    unsigned n;
    uint32_t item[LIST];
};
// Inputs are only read, outputs hold ROW elements (or one record) of each thread's own; cells and lists belong to all.
struct args {
    const int8_t *i8;
    const uint8_t *u8;
    const int16_t *i16;
    const uint16_t *u16;
    const int32_t *i32;
    const int64_t *i64;
    const float *f32;
    const double *f64;
    const int *idx, *first;
    const record *in_records;
    uint32_t *rows, *columns, *alias; // alias: the same array as rows, in some runs
    uint8_t *bytes;
    record *records;
    uint64_t *wide, *sums;
    float *floats, *float_cells;
    uint32_t *cells;
    unsigned long long *wide_cells;
    list *list1, *list2;
    uint32_t n, stride;
    int limit;
};
struct context {
    uint32_t x, y, z, bid, g, total, row, col, wide;
};

#ifdef __CUDA_ARCH__
#define ADD(p, v) atomicAdd(p, v)
#define MAX(p, v) atomicMax(p, v)
#define MIN(p, v) atomicMin(p, v)
#define XOR(p, v) atomicXor(p, v)
#define APPEND(l, v)                                                                                                   \
    do {                                                                                                               \
        unsigned p_ = atomicAdd(&(l)->n, 1u);                                                                          \
        if (p_ < LIST)                                                                                                 \
            (l)->item[p_] = (v);                                                                                       \
    } while (0)
#else
#define ADD(p, v) (void)(*(p) += (v))
#define MAX(p, v) (void)(*(p) = std::max<uint32_t>(*(p), v))
#define MIN(p, v) (void)(*(p) = std::min<uint32_t>(*(p), v))
#define XOR(p, v) (void)(*(p) ^= (v))
#define APPEND(l, v)                                                                                                   \
    do {                                                                                                               \
        unsigned p_ = (l)->n++;                                                                                        \
        if (p_ < LIST)                                                                                                 \
            (l)->item[p_] = (v);                                                                                       \
    } while (0)
#endif

static __host__ __device__ inline context place(dim3 t, dim3 b, dim3 n, dim3 g)
{
    context c = {t.x, t.y, t.z, b.y * g.x + b.x, 0, 0, b.y * n.y + t.y, b.x * n.x + t.x, g.x * n.x};
    c.g = n.z == 1 ? c.row * c.wide + c.col : c.bid * (n.x * n.y * n.z) + (t.z * n.y + t.y) * n.x + t.x;
    c.total = g.x * g.y * n.x * n.y * n.z;
    return c;
}

// An array of the host and one of the device.
template <class T> struct both {
    std::vector<T> host;
    T *device;
    size_t n;
    explicit both(size_t count) : host(count), n(count)
    {
        cudaMalloc(&device, n * sizeof(T));
        memset((void *)host.data(), 0, n * sizeof(T));
    }
    both(const both &) = delete;
    ~both()
    {
        cudaFree(device);
    }
    void send()
    {
        cudaMemcpy(device, host.data(), n * sizeof(T), cudaMemcpyHostToDevice);
    }
    bool same(const char *what, const char *kernel)
    {
        std::vector<T> got(n);
        cudaMemcpy((void *)got.data(), device, n * sizeof(T), cudaMemcpyDeviceToHost);
        for (size_t i = 0; i < n; i++) {
            if (!memcmp(&got[i], &host[i], sizeof(T)))
                continue;
            uint64_t x = 0, y = 0;
            memcpy(&x, &got[i], std::min(sizeof(T), sizeof x));
            memcpy(&y, &host[i], std::min(sizeof(T), sizeof y));
            printf("%s: differs: %s[%zu] is %llx, not %llx\n", kernel, what, i, (unsigned long long)x,
                   (unsigned long long)y);
            return false;
        }
        return true;
    }
};

// As sets.
static bool same_list(both<list> &l, const char *what, const char *kernel)
{
    std::vector<list> got(1);
    cudaMemcpy(got.data(), l.device, sizeof(list), cudaMemcpyDeviceToHost);
    list &have = got[0], &want = l.host[0];
    bool same = have.n == want.n;
    if (same && want.n <= LIST) {
        std::sort(have.item, have.item + want.n);
        std::sort(want.item, want.item + want.n);
        same = !memcmp(have.item, want.item, want.n * sizeof *want.item);
    }
    if (!same)
        printf("%s: differs: %s has %u and %u items\n", kernel, what, have.n, want.n);
    return same;
}

struct kernel {
    const char *name;
    void (*device)(args);
    void (*host)(const context &, const args &);
    dim3 grid, block;
    uint32_t seed;
    int limit;
};

static uint32_t random_state;
static uint32_t random_next()
{
    random_state = random_state * 1664525u + 1013904223u;
    return random_state >> 7;
}

// 0 right, 1 wrong, 2 the device has failed.
static int run_kernel(const kernel &k)
{
    size_t threads = (size_t)k.grid.x * k.grid.y * k.block.x * k.block.y * k.block.z;
    both<int8_t> i8(INPUT);
    both<uint8_t> u8(INPUT), bytes(threads * ROW);
    both<int16_t> i16(INPUT);
    both<uint16_t> u16(INPUT);
    both<int32_t> i32(INPUT);
    both<int64_t> i64(INPUT);
    both<float> f32(INPUT), floats(threads * ROW), float_cells(256);
    both<double> f64(INPUT);
    both<int> idx(INPUT), first(threads + 1);
    both<record> in_records(INPUT), records(threads);
    both<uint32_t> rows(threads * ROW), columns(threads * ROW), alias(threads * ROW), cells(CELLS);
    both<uint64_t> wide(threads * ROW), sums(threads * 2);
    both<unsigned long long> wide_cells(64);
    both<list> list1(1), list2(1);
    random_state = k.seed;
    for (int i = 0; i < INPUT; i++) {
        uint32_t r = random_next(), q = random_next();
        i8.host[i] = (int8_t)r, u8.host[i] = (uint8_t)(r >> 8), i16.host[i] = (int16_t)q,
        u16.host[i] = (uint16_t)(q >> 9);
        i32.host[i] = (int32_t)(r * 77 >> q % 28), i64.host[i] = (int64_t)((uint64_t)q << r % 40);
        f32.host[i] = (float)(r % 64), f64.host[i] = (double)(q % 64), idx.host[i] = (int)(r >> 3 & 4095);
        in_records.host[i].a = r * 3, in_records.host[i].b = q * 5;
        in_records.host[i].c = (uint16_t)(r ^ q), in_records.host[i].d = (uint8_t)(r + q);
    }
    for (size_t i = 0; i < threads; i++)
        first.host[i + 1] = first.host[i] + (int)(random_next() % 9);
    for (auto &x : rows.host)
        x = random_next();
    for (auto &x : alias.host)
        x = random_next();
    args a = {}, d = {};
#define ARRAYS(X)                                                                                                      \
    X(i8)                                                                                                              \
    X(u8)                                                                                                              \
    X(i16)                                                                                                             \
    X(u16)                                                                                                             \
    X(i32)                                                                                                             \
    X(i64)                                                                                                             \
    X(f32)                                                                                                             \
    X(f64)                                                                                                             \
    X(idx)                                                                                                             \
    X(first)                                                                                                           \
    X(in_records)                                                                                                      \
    X(rows)                                                                                                            \
    X(columns)                                                                                                         \
    X(alias) X(bytes) X(records) X(wide) X(floats) X(cells) X(float_cells) X(wide_cells) X(sums) X(list1) X(list2)
#define SEND(x) x.send(), a.x = x.host.data(), d.x = x.device;
    ARRAYS(SEND)
    if (k.seed & 16)
        a.alias = a.rows, d.alias = d.rows;
    a.n = d.n = (uint32_t)(k.seed & 32 ? threads * 3 - 5 : threads - threads / 5);
    a.stride = d.stride = k.seed & 64 ? 64 : 33;
    a.limit = d.limit = k.limit;
    for (unsigned by = 0; by < k.grid.y; by++)
        for (unsigned bx = 0; bx < k.grid.x; bx++)
            for (unsigned z = 0; z < k.block.z; z++)
                for (unsigned y = 0; y < k.block.y; y++)
                    for (unsigned x = 0; x < k.block.x; x++)
                        k.host(place(dim3(x, y, z), dim3(bx, by), k.block, k.grid), a);
    k.device<<<k.grid, k.block>>>(d);
    cudaError_t e = cudaGetLastError();
    if (!e)
        e = cudaDeviceSynchronize();
    if (e) {
        printf("%s: error: %s\n", k.name, cudaGetErrorString(e));
        return 2;
    }
    bool same = same_list(list1, "list1", k.name) & same_list(list2, "list2", k.name);
#define SAME(x) same &= x.same(#x, k.name);
    SAME(rows)
    SAME(columns)
    SAME(alias)
    SAME(bytes)
    SAME(records)
    SAME(wide)
    SAME(floats)
    SAME(cells)
    SAME(float_cells)
    SAME(wide_cells)
    SAME(sums)
    return !same;
}

static int run_all(const kernel *kernels, int n, int argc, char **argv)
{
    int status = 0, last = argc > 2 ? atoi(argv[2]) : n - 1;
    for (int i = argc > 1 ? atoi(argv[1]) : 0; i <= last && i < n && status < 2; i++) {
        printf("#%d\n", i);
        fflush(stdout);
        status = std::max(status, run_kernel(kernels[i]));
    }
    if (status < 2)
        printf("done\n");
    return status != 0;
}
