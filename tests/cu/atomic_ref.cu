// SPDX-License-Identifier: Apache-2.0
// cuda::atomic and cuda::atomic_ref: types of every size, orders and scopes, on device and host.
// nvcc: -std=c++17 -arch=sm_90
#include "check.h"
#include <cuda/atomic>
#include <cuda/std/atomic>

struct Pair {
    int a, b;
};
enum Color { RED, GREEN = 7 };

template <class T> __global__ void count(T *at, int *seen, T step)
{
    cuda::atomic_ref<T, cuda::thread_scope_device> r(*at);
    T old = r.fetch_add(step, cuda::memory_order_relaxed);
    atomicAdd(&seen[(int)(old / step)], 1);
}
template <class T> static void counts(T step)
{
    enum { N = 96 };
    Buffer<T> at(1);
    Buffer<int> seen(N);
    count<T><<<3, N / 3>>>(at, seen, step);
    LAUNCHED();
    bool once = true;
    for (int n : seen.get())
        once &= n == 1;
    EXPECT(once);
    EXPECT(at.get()[0] == (T)(N * step));
}

__global__ void lock(cuda::atomic<int, cuda::thread_scope_device> *lock, int *plain, int rounds)
{
    for (int i = 0; i < rounds; i++) {
        while (lock->exchange(1, cuda::memory_order_acquire) != 0)
            ;
        ++*plain;
        lock->store(0, cuda::memory_order_release);
    }
}

// guide: thread scope system
struct Cells {
    cuda::atomic<int, cuda::thread_scope_block> i;
    cuda::atomic<float, cuda::thread_scope_block> f;
    cuda::atomic<Pair, cuda::thread_scope_block> pair;
    cuda::atomic<Color, cuda::thread_scope_block> color;
    cuda::atomic<bool, cuda::thread_scope_block> flag;
    cuda::atomic<int *, cuda::thread_scope_block> pointer;
    cuda::std::atomic<unsigned> system;
    unsigned short small;
};

__global__ void types(Cells *c, int *base, int *out)
{
    int t = threadIdx.x;
    c->i.fetch_max(t * 3);
    c->i.fetch_min(1000);
    c->f += 0.5f;
    c->f.fetch_max(2.0f);
    Pair old = c->pair.load(), next;
    do {
        next = {old.a + 1, old.b - t};
    } while (!c->pair.compare_exchange_weak(old, next, cuda::memory_order_acq_rel, cuda::memory_order_relaxed));
    c->pointer.fetch_add(2);
    c->system |= 1u << (t & 31);
    c->system.fetch_xor(0);
    cuda::atomic_ref<unsigned short, cuda::thread_scope_block>(c->small).fetch_add(5);
    cuda::atomic_ref<unsigned short, cuda::thread_scope_system> small(c->small);
    unsigned short expected = 60000;
    if (small.compare_exchange_strong(expected, 1))
        out[2] = 1;
    if (t == 0) {
        c->color.store(GREEN);
        c->flag = true;
        out[0] = c->color.load() == GREEN && c->flag.load(cuda::memory_order_acquire);
        cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_device);
        out[1] = c->pair.is_lock_free();
    }
}

// Two blocks hand over a value: what was written before a release is seen after the acquire.
__global__ void hand_over(cuda::atomic<int, cuda::thread_scope_device> *turn, int *data)
{
    if (threadIdx.x)
        return;
    int self = blockIdx.x;
    for (int round = self; round < 20; round += 2) {
        turn->wait(round - 1, cuda::memory_order_acquire);
        while (turn->load(cuda::memory_order_acquire) != round)
            ;
        data[round + 1] = data[round] + round;
        turn->store(round + 1, cuda::memory_order_release);
        turn->notify_all();
    }
}

int main()
{
    counts<int>(1);
    counts<unsigned>(3);
    counts<unsigned long long>(1ull << 33);
    counts<long long>(5);
    counts<float>(0.5f);
    counts<double>(0.25);
    counts<unsigned short>(2);
    counts<unsigned char>(1);

    Buffer<int> locks(1), plain(1);
    lock<<<4, 32>>>((cuda::atomic<int, cuda::thread_scope_device> *)locks.p, plain, 3);
    LAUNCHED();
    EXPECT(plain.get()[0] == 4 * 32 * 3);

    Buffer<int> base(256), out(3);
    Cells *c;
    OK(cudaMallocManaged(&c, sizeof(Cells)));
    memset((void *)c, 0, sizeof(Cells));
    c->pointer.store(base);
    types<<<1, 64>>>(c, base, out);
    LAUNCHED();
    EXPECT(c->i.load() == 189);
    EXPECT(c->f.load() >= 32.0f);
    EXPECT(c->pair.load().a == 64 && c->pair.load().b == -2016);
    EXPECT(c->pointer.load() == base + 128);
    EXPECT(c->system.load() == 0xffffffffu);
    EXPECT(c->small == 320);
    EXPECT(out.get()[0] == 1 && out.get()[1] == 1 && out.get()[2] == 0);
    EXPECT((cuda::atomic_ref<int>::required_alignment == 4));
    OK(cudaFree(c));

    Buffer<int> turn(1), data(21);
    hand_over<<<2, 32>>>((cuda::atomic<int, cuda::thread_scope_device> *)turn.p, data);
    LAUNCHED();
    EXPECT(data.get()[20] == 190);

    // On the host the same objects serve threads of the host.
    cuda::atomic<long long> host(5);
    cuda::atomic_ref<long long> bare(*reinterpret_cast<long long *>(&host));
    EXPECT(host.fetch_add(2) == 5 && host++ == 7 && --host == 7);
    EXPECT(bare.fetch_and(6) == 7 && bare.load() == 6 && bare.exchange(9) == 6);
    long long seen = 1;
    EXPECT(!host.compare_exchange_strong(seen, 2) && seen == 9 && host.fetch_max(20) == 9 && (long long)host == 20);
    cuda::std::atomic_flag flag = {};
    EXPECT(!flag.test_and_set() && flag.test());
    double d = 1.5;
    cuda::atomic_ref<double> dr(d);
    EXPECT(dr.fetch_add(2.0) == 1.5 && d == 3.5);
    return DONE();
}
