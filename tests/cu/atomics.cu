// SPDX-License-Identifier: Apache-2.0
// Atomics on global and shared memory: all operations and types, results used and unused.
#include "check.h"

struct Cells {
    int add, sub, min, max, and_, or_, xor_;
    unsigned inc, dec, umax;
    float fadd;
    double dadd;
    unsigned long long ladd, lmax, lcas;
    int exch, cas;
    float fexch;
};

template <class T> __device__ void all(T *c, int i)
{
    atomicAdd(&c->add, i);
    atomicSub(&c->sub, i);
    atomicMin(&c->min, i);
    atomicMax(&c->max, i);
    atomicAnd(&c->and_, ~(1 << (i % 31)));
    atomicOr(&c->or_, 1 << (i % 31));
    atomicXor(&c->xor_, i);
    atomicInc(&c->inc, 6);
    atomicDec(&c->dec, 9);
    atomicMax(&c->umax, (unsigned)i * 2654435761u);
    atomicAdd(&c->fadd, 0.5f);
    atomicAdd(&c->dadd, 0.25);
    atomicAdd(&c->ladd, (unsigned long long)i << 20);
    atomicMax(&c->lmax, (unsigned long long)i << 33);
    atomicExch(&c->exch, i);
    atomicExch(&c->fexch, i + 0.5f); // guide: atomicExch(float)
    int old = c->cas, seen;
    do {
        seen = old;
        old = atomicCAS(&c->cas, seen, seen + 2);
    } while (old != seen);
    unsigned long long lold = atomicAdd(&c->lcas, 0ull), lseen;
    do {
        lseen = lold;
        lold = atomicCAS(&c->lcas, lseen, lseen + 3);
    } while (lold != lseen);
}

// guide: atomicAdd on global memory | atomicSub on global memory | atomicExch on global memory | atomicMin on global memory | atomicMax on global memory | atomicInc (wrap to 0) on global memory
// guide: atomicDec (wrap to val) on global memory | atomicCAS on global memory | atomicAnd on global memory | atomicOr on global memory | atomicXor on global memory
__global__ void global_cells(Cells *c)
{
    all(c, blockIdx.x * blockDim.x + threadIdx.x);
}

// guide: atomicAdd on shared memory | atomicSub on shared memory | atomicExch on shared memory | atomicMin on shared memory | atomicMax on shared memory | atomicInc (wrap to 0) on shared memory
// guide: atomicDec (wrap to val) on shared memory | atomicCAS on shared memory | atomicAnd on shared memory | atomicOr on shared memory | atomicXor on shared memory
__global__ void shared_cells(Cells *out)
{
    __shared__ Cells s;
    if (threadIdx.x == 0)
        s = *out;
    __syncthreads();
    all(&s, threadIdx.x);
    __syncthreads();
    if (threadIdx.x == 0)
        *out = s;
}

// guide: atomic read-modify-writes are serialised, order undefined
// Each thread's ticket is unique.
__global__ void tickets(int *counter, int *seen)
{
    int t = atomicAdd(counter, 1);
    atomicAdd(&seen[t], 1);
}

static Cells fresh()
{
    Cells c = {};
    c.min = 1 << 30;
    c.max = -1;
    c.and_ = -1;
    return c;
}

static void check(const Cells &c, int n)
{
    int x = 0;
    unsigned inc = 0, dec = 0, umax = 0;
    for (int i = 0; i < n; i++) {
        x ^= i;
        inc = inc >= 6 ? 0 : inc + 1;
        dec = dec == 0 || dec > 9 ? 9 : dec - 1;
        unsigned h = (unsigned)i * 2654435761u;
        umax = h > umax ? h : umax;
    }
    EXPECT(c.add == n * (n - 1) / 2 && c.sub == -n * (n - 1) / 2);
    EXPECT(c.min == 0 && c.max == n - 1);
    EXPECT(c.and_ == (int)0x80000000 && c.or_ == 0x7fffffff && c.xor_ == x);
    EXPECT(c.inc == inc && c.dec == dec && c.umax == umax);
    EXPECT(c.fadd == 0.5f * n && c.dadd == 0.25 * n);
    EXPECT(c.ladd == (unsigned long long)(n * (n - 1) / 2) << 20 && c.lmax == (unsigned long long)(n - 1) << 33);
    EXPECT(c.exch >= 0 && c.exch < n && c.cas == 2 * n && c.lcas == 3ull * n);
    EXPECT(c.fexch >= 0.5f && c.fexch < n && c.fexch - 0.5f == (int)c.fexch);
}

int main()
{
    Buffer<Cells> d(std::vector<Cells>{fresh()});
    global_cells<<<5, 100>>>(d);
    LAUNCHED();
    check(d.get()[0], 500);
    Cells c = fresh();
    OK(cudaMemcpy(d, &c, sizeof c, cudaMemcpyHostToDevice));
    shared_cells<<<1, 256>>>(d);
    LAUNCHED();
    check(d.get()[0], 256);
    Buffer<int> counter(1), seen(7 * 160);
    tickets<<<7, 160>>>(counter, seen);
    LAUNCHED();
    bool once = true;
    for (int s : seen.get())
        once &= s == 1;
    EXPECT(once);
    return DONE();
}
