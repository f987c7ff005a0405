// SPDX-License-Identifier: Apache-2.0
// Kernels for the test of resume points, in the scalar dialect: one thread each. resume.c says what they must compute.
#include "resume_dialect.h"

#define GI() (ctaid_x() * ntid_x() + tid_x())

void k_copy(void)
{
    u32 i = GI();
    if (i < P->n)
        ((u32 *)P->out)[i] = ((const u32 *)P->in)[i] * 3 + ctaid_x();
}

void k_reduce(void)
{
    SHARED float *s = (SHARED float *)shared();
    u32 t = tid_x();
    s[t] = ((const float *)P->in)[GI()];
    SYNC();
    for (u32 k = ntid_x() / 2; k > 0; k >>= 1) {
        if (t < k)
            s[t] += s[t + k];
        SYNC();
    }
    if (t == 0)
        ((float *)P->out)[ctaid_x()] = s[0];
}

void k_matmul(void)
{
    const float *A = P->in, *B = P->in2;
    float *C = P->out, acc = 0;
    u32 n = P->n, tx = tid_x(), ty = tid_y(), bx = ctaid_x(), by = ctaid_y();
    SHARED float *as = (SHARED float *)shared(), *bs = as + 256;
    for (u32 t = 0; t < n / 16; t++) {
        as[ty * 16 + tx] = A[(by * 16 + ty) * n + t * 16 + tx];
        bs[ty * 16 + tx] = B[(t * 16 + ty) * n + bx * 16 + tx];
        SYNC();
        for (u32 k = 0; k < 16; k++)
            acc = __builtin_fmaf(as[ty * 16 + k], bs[k * 16 + tx], acc);
        SYNC();
    }
    C[(by * 16 + ty) * n + bx * 16 + tx] = acc;
}

void k_jacobi(void)
{
    SHARED float *s = (SHARED float *)shared();
    u32 t = tid_x(), nt = ntid_x(), iters = P->m;
    float v = ((const float *)P->in)[GI()];
    for (u32 k = 0; k < iters; k++) {
        s[t] = v;
        SYNC();
        float l = t > 0 ? s[t - 1] : 0.f, r = t < nt - 1 ? s[t + 1] : 0.f;
        v = v * 0.5f + 0.25f * (l + r);
        SYNC();
    }
    ((float *)P->out)[GI()] = v;
}

// A table along its diagonals, and perhaps a store that may hit any cell.
#define WAVE(elsewhere)                                                                                                \
    SHARED u32 *s = (SHARED u32 *)shared();                                                                            \
    u32 t = tid_x(), nt = ntid_x(), w = 49, i = GI();                                                                  \
    for (u32 y = 0; y <= nt; y++)                                                                                      \
        s[y * w + t + 1] = ((const u32 *)P->in)[i + y];                                                                \
    s[(t + 1) * w] = t;                                                                                                \
    s[0] = 5;                                                                                                          \
    SYNC();                                                                                                            \
    for (u32 d = 0; d < 2 * nt - 1; d++) {                                                                             \
        u32 y = d - t + 1;                                                                                             \
        if (y - 1 < nt) {                                                                                              \
            SHARED u32 *c = s + y * w + t + 1;                                                                         \
            *c += c[-(int)w - 1] * 3 + c[-(int)w] - c[-1];                                                             \
        }                                                                                                              \
        SYNC();                                                                                                        \
        if (elsewhere) {                                                                                               \
            if (t == 0)                                                                                                \
                s[((const u32 *)P->in)[d] % (49 * 49)] = d;                                                            \
            SYNC();                                                                                                    \
        }                                                                                                              \
    }                                                                                                                  \
    ((u32 *)P->out)[i] = s[nt * w + t + 1] ^ s[(t + 1) * w + nt];

void k_wave(void)
{
    WAVE(0)
}

void k_wave_hit(void)
{
    WAVE(1)
}

// Some threads leave before the second barrier.
void k_leave(void)
{
    SHARED u32 *s = (SHARED u32 *)shared();
    u32 t = tid_x(), i = GI();
    s[t] = 1000;
    SYNC();
    if (i >= P->n)
        return;
    s[t] = ((const u32 *)P->in)[i] * 2;
    SYNC();
    u32 a = s[t ^ 1];
    SYNC();
    ((u32 *)P->out)[i] = a + s[t];
}

// Threads reach the barrier in different statements.
void k_divided_barrier(void)
{
    SHARED u32 *s = (SHARED u32 *)shared();
    u32 t = tid_x(), x = ((const u32 *)P->in)[GI()], r = 0;
    for (u32 k = 0; k < 4; k++) {
        if ((x >> k) & 1) {
            s[t] = t + k;
            SYNC();
            r += 3 * s[(t + 1) % ntid_x()];
        } else {
            s[t] = 100 + t + k;
            SYNC();
            r += 5 * s[(t + 1) % ntid_x()];
        }
        SYNC();
    }
    ((u32 *)P->out)[GI()] = r;
}

void k_barrier_red(void)
{
    u32 x = ((const u32 *)P->in)[GI()], r = 0;
    r = barrier_popc(0, 0, x & 1);
    r = r * 2 + barrier_and(0, 0, x < P->n);
    r = r * 2 + barrier_or(0, 0, x == 77);
    u32 turns = 0;
    while (barrier_or(0, 0, turns < (x & 7)))
        turns++;
    ((u32 *)P->out)[GI()] = r * 100 + turns;
}

// Warps 0 and 1 produce, 2 and 3 consume, through two buffers with four named barriers.
void k_named(void)
{
    SHARED u32 *s = (SHARED u32 *)shared();
    u32 t = tid_x(), w = t / 64, l = t % 64, sum = 0;
    for (u32 k = 0; k < P->m; k++) {
        u32 b = k & 1;
        if (w == 0) {
            if (k >= 2)
                barrier(3 + b, 128);
            s[b * 64 + l] = k * 1000 + l;
            barrier_arrive(1 + b, 128);
        } else {
            barrier(1 + b, 128);
            sum += s[b * 64 + (l ^ 5)];
            if (k + 2 < P->m)
                barrier_arrive(3 + b, 128);
        }
    }
    ((u32 *)P->out)[GI()] = sum;
}

// Part of the block synchronises with a count that is not the block's.
void k_partial(void)
{
    SHARED u32 *s = (SHARED u32 *)shared();
    u32 t = tid_x(), w = t / 32, r = 0;
    for (u32 k = 0; k < 3; k++) {
        s[t] = t * k;
        barrier(1 + w / 2, P->m);
        r += s[t ^ 32];
        barrier(1 + w / 2, P->m);
    }
    ((u32 *)P->out)[GI()] = r;
}

// A lock that every thread of the grid wants; what it guards is plain memory.
void k_lock(void)
{
    u32 *lock = P->aux;
    volatile u32 *count = (volatile u32 *)P->out;
    for (u32 k = 0; k < P->m; k++) {
        u32 expected = 0;
        while (!__atomic_compare_exchange_n(lock, &expected, 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
            expected = 0;
        count[0] = count[0] + 1;
        count[1] = count[1] + tid_x();
        __atomic_store_n(lock, 0, __ATOMIC_RELEASE);
    }
}

// The other common form: the critical section inside the loop.
void k_lock_inside(void)
{
    u32 *lock = P->aux;
    u32 *count = P->out;
    u32 done = 0;
    while (!done) {
        if (__atomic_exchange_n(lock, 1, __ATOMIC_ACQUIRE) == 0) {
            count[0] += 1;
            count[1] += tid_x();
            done = 1;
            __atomic_store_n(lock, 0, __ATOMIC_RELEASE);
        }
    }
    SYNC();
    if (tid_x() == 0)
        __atomic_fetch_add(&count[2], 1, __ATOMIC_RELAXED);
}

// A barrier of the whole grid, made of atomics, several times.
void k_grid_barrier(void)
{
    u32 *arrived = P->aux, *data = P->out;
    u32 i = GI(), n = nctaid_x() * ntid_x(), v = i;
    for (u32 k = 0; k < P->m; k++) {
        data[k % 2 * n + i] = v;
        SYNC();
        if (tid_x() == 0) {
            __atomic_fetch_add(arrived, 1, __ATOMIC_RELEASE);
            while (__atomic_load_n(arrived, __ATOMIC_ACQUIRE) < (k + 1) * nctaid_x())
                ;
        }
        SYNC();
        v = data[k % 2 * n + (i + ntid_x()) % n] + 1;
    }
    data[2 * n + i] = v;
}

// Threads pass a token around by a volatile flag: thread t waits for t.
void k_token(void)
{
    volatile u32 *flag = P->aux;
    u32 i = GI();
    while (*flag != i)
        ;
    ((u32 *)P->out)[i] = i * 7;
    *flag = i + 1;
}

// One thread polls, the block learns of it through shared memory.
void k_poll(void)
{
    SHARED u32 *s = (SHARED u32 *)shared();
    volatile u32 *flag = P->aux;
    if (ctaid_x() == nctaid_x() - 1) {
        if (tid_x() == 0)
            *flag = 1;
        ((u32 *)P->out)[GI()] = 1;
        return;
    }
    u32 turns = 0;
    do {
        if (tid_x() == 0)
            s[0] = *flag;
        SYNC();
        turns = s[0];
        SYNC();
    } while (!turns);
    ((u32 *)P->out)[GI()] = 2;
}

// Warp collectives where the warp is whole.
void k_warp(void)
{
    u32 x = ((const u32 *)P->in)[GI()], l = laneid(), sum = x;
    for (u32 k = 16; k > 0; k >>= 1)
        sum += shfl_bfly(FULL, sum, k, 31);
    u32 r = sum;
    r = r * 31 + shfl_up(FULL, x, 3, 0);
    r = r * 31 + shfl_down(FULL, x, 5, 31);
    r = r * 31 + shfl_idx(FULL, x, l * 7, (24 << 8) | 31);
    r = r * 31 + shfl_pred_up(FULL, x, 2, 16 << 8);
    r = r * 31 + ballot(FULL, x & 1);
    r = r * 31 + vote_any(FULL, x == 3) + 2 * vote_all(FULL, x < 1000);
    r = r * 31 + match_any(FULL, x & 3) + match_all(FULL, x >> 20);
    r = r * 31 + redux_add(FULL, x) + redux_min(FULL, x - 50);
    ((u32 *)P->out)[GI()] = r;
}

// Collectives in code that divides the warp.
void k_warp_divided(void)
{
    u32 x = ((const u32 *)P->in)[GI()], l = laneid(), r = 1;
    if (l < 16) {
        for (u32 k = 8; k > 0; k >>= 1)
            x += shfl_bfly(0xffff, x, k, 31);
        r = x;
    } else {
        r = ballot(0xffff0000u, x & 1);
        if (l & 1) {
            r += shfl_idx(0xaaaa0000u, x, 17, 31);
            warp_sync(0xaaaa0000u);
        }
    }
    warp_sync(FULL);
    r += shfl_up(FULL, r, 1, 0);
    ((u32 *)P->out)[GI()] = r;
}

// The halves of a warp exchange data through shared memory, synchronised from both branches.
void k_warp_sync(void)
{
    SHARED u32 *s = (SHARED u32 *)shared() + warpid() * 32;
    u32 l = laneid(), r;
    if (l < 16) {
        s[l] = l * 2;
        warp_sync(FULL);
        r = s[l + 16];
    } else {
        s[l] = l * 3;
        warp_sync(FULL);
        r = s[l - 16];
    }
    ((u32 *)P->out)[GI()] = r;
}

// The active lanes agree on a leader.
void k_active(void)
{
    u32 x = ((const u32 *)P->in)[GI()], r = 0;
    if (x & 1) {
        u32 m = activemask();
        r = shfl_idx(m, x, (u32)__builtin_ctz(m), 31) + (u32)__builtin_popcount(m);
        u32 same = match_any(m, x & 6);
        r = r * 64 + (u32)__builtin_popcount(same);
    }
    ((u32 *)P->out)[GI()] = r;
}

// Local memory with addresses that are computed, across barriers.
void k_local(void)
{
    u32 a[24], t = tid_x(), x = ((const u32 *)P->in)[GI()];
    SHARED u32 *s = (SHARED u32 *)shared();
    for (u32 k = 0; k < 24; k++)
        a[k] = x * k;
    s[t] = x;
    SYNC();
    a[s[(t + 1) % ntid_x()] % 24] += 5;
    SYNC();
    u32 r = 0;
    for (u32 k = 0; k < 24; k++)
        r = r * 3 + a[(k + x) % 24];
    ((u32 *)P->out)[GI()] = r;
}

// A lock taken by lanes of one warp, then a collective of the whole warp: the lanes come back together.
void k_lock_then_warp(void)
{
    u32 *lock = P->aux, *count = (u32 *)P->aux + 1, mine = 0, expected = 0;
    while (!__atomic_compare_exchange_n(lock, &expected, 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
        expected = 0;
    mine = (*count)++;
    __atomic_store_n(lock, 0, __ATOMIC_RELEASE);
    u32 sum = mine;
    for (u32 k = 16; k > 0; k >>= 1)
        sum += shfl_bfly(FULL, sum, k, 31);
    ((u32 *)P->out)[GI()] = sum;
}

// 64-bit and boolean values live across barriers; the barrier is in a loop with an inner loop.
void k_types(void)
{
    SHARED u32 *s = (SHARED u32 *)shared();
    u32 t = tid_x(), x = ((const u32 *)P->in)[GI()];
    u64 wide = (u64)x << 33 | t;
    _Bool flag = x & 4;
    double d = x * 0.5;
    for (u32 k = 0; k < 5; k++) {
        s[t] = x + k;
        SYNC();
        for (u32 j = 0; j < (x & 3); j++)
            wide += s[(t + j) % ntid_x()];
        flag ^= s[(t + 1) % ntid_x()] & 1;
        d += flag;
        SYNC();
    }
    ((u64 *)P->out)[GI()] = wide * 2 + flag + (u64)(d * 4);
}

// Lanes that have finished are not waited for, in partial warps too.
void k_warp_leave(void)
{
    u32 i = GI(), x = ((const u32 *)P->in)[i], l = laneid();
    if (x % 5 == 0)
        return;
    u32 r = ballot(FULL, x & 2);
    if (l >= 24 && (x & 8))
        return;
    r = r * 3 + redux_add(FULL, x);
    ((u32 *)P->out)[i] = r;
}

// Half the threads never come to the barrier, half the lanes never come to the collective: a GPU hangs or does as it
// likes. The others must not be lost.
void k_deadlock(void)
{
    SHARED u32 *s = (SHARED u32 *)shared();
    u32 t = tid_x();
    s[t] = t;
    if (t & 1)
        barrier(1, ntid_x() + 64);
    else
        warp_sync(FULL);
    ((u32 *)P->out)[GI()] = s[t] + 1;
}

// Rows of 12 threads: lanes of a warp lie in three rows. Each row adds up its values.
void k_rows(void)
{
    SHARED u32 *s = (SHARED u32 *)shared();
    u32 x = tid_x(), y = tid_y(), i = (ctaid_x() * 5 + y) * 12 + x, sum = 0;
    s[y * 12 + x] = ((const u32 *)P->in)[i];
    SYNC();
    for (u32 k = 0; k < 12; k++) {
        sum += s[y * 12 + k] * (k + 1);
        if ((k & 3) == y % 4)
            sum ^= x;
        if (k == 6) {
            SYNC();
            s[y * 12 + x] += y;
            SYNC();
        }
    }
    ((u32 *)P->out)[i] = sum;
}

// A ring: a value goes from warp to warp through shared memory with one flag each; within the warp by shuffles.
void k_ring(void)
{
    SHARED u32 *s = (SHARED u32 *)shared();
    volatile SHARED u32 *flag = (volatile SHARED u32 *)s + 64;
    u32 w = warpid(), l = laneid(), warps = ntid_x() / 32, v = l;
    if (l == 0)
        flag[w] = w == 0;
    SYNC();
    for (u32 k = 0; k < P->m; k++) {
        if (l == 0)
            while (flag[w] != 1)
                ;
        warp_sync(FULL);
        v = s[w] * (k != 0 || w != 0) + shfl_bfly(FULL, v, 1, 31);
        u32 sum = redux_add(FULL, v);
        if (l == 0) {
            s[(w + 1) % warps] = sum & 0xffff;
            flag[w] = 0;
            flag[(w + 1) % warps] = 1;
        }
        warp_sync(FULL);
    }
    ((u32 *)P->out)[GI()] = v;
}

// An inner loop with another number of turns in each lane around a collective of those that are still there.
void k_peel(void)
{
    u32 x = ((const u32 *)P->in)[GI()], r = 0, todo = ballot(FULL, x & 1);
    while (todo) {
        u32 leader = (u32)__builtin_ctz(todo);
        u32 key = shfl_idx(FULL, x, leader, 31);
        u32 same = ballot(FULL, (x & 1) && (x & 14) == (key & 14));
        if (same >> laneid() & 1)
            r = same + leader;
        todo &= ~same;
    }
    ((u32 *)P->out)[GI()] = r;
}

// Loops that go on by themselves: no yield.
void k_retry(void)
{
    u32 *p = P->out, old = *p, seen;
    do {
        seen = old;
        __atomic_compare_exchange_n(p, &old, seen * 3, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    } while (old != seen);
}

void k_take(void)
{
    u32 *next = P->aux, i;
    while ((i = __atomic_fetch_add(next, 1, __ATOMIC_RELAXED)) < P->n)
        ((u32 *)P->out)[i] += i * 5;
}

// The same with a test that another thread must make true.
void k_semaphore(void)
{
    volatile u32 *p = P->aux;
    u32 *count = P->out, old;
    for (;;) {
        old = *p;
        if (old == 0)
            continue;
        u32 seen = old;
        if (__atomic_compare_exchange_n((u32 *)p, &seen, old - 1, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            break;
    }
    __atomic_fetch_add(count, 1, __ATOMIC_RELAXED);
    __atomic_fetch_add((u32 *)p, 1, __ATOMIC_RELAXED);
}

// Many waits that lead to the same code: regions must not grow with the square.
#define LOCKED(i, what)                                                                                                \
    {                                                                                                                  \
        u32 expected = 0;                                                                                              \
        while (!__atomic_compare_exchange_n(&lock[i], &expected, 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))            \
            expected = 0;                                                                                              \
        what;                                                                                                          \
        __atomic_store_n(&lock[i], 0, __ATOMIC_RELEASE);                                                               \
    }
void k_many_locks(void)
{
    u32 *lock = P->aux, *count = P->out, t = tid_x();
    SHARED u32 *s = (SHARED u32 *)shared();
    for (u32 k = 0; k < P->m; k++) {
        LOCKED(0, count[0] += t)
        LOCKED(1, count[1] += t + k)
        if (t % 3 == 0)
            LOCKED(2, count[2] += 1)
        LOCKED(3, count[3] += t * k)
        s[t] = t + k;
        SYNC();
        LOCKED(4, count[4] += s[(t + 1) % ntid_x()])
        LOCKED(5, count[5] += 2)
        SYNC();
        u32 sum = redux_add(FULL, t + k);
        LOCKED(6, count[6] += sum)
        LOCKED(7, count[7] += 3)
    }
}
