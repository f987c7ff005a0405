// SPDX-License-Identifier: Apache-2.0
// Kernels for the vectoriser's test, in the scalar dialect; each is the code of one thread. `k_NAME` for each row of
// vectorise_kernels.def.
#include "vectorise_dialect.h"

#define KERNEL(name) void k_##name(void)

KERNEL(saxpy)
{
    int i = GI();
    if (i < N)
        OUT(float)[i] = __builtin_fmaf(P->a, IN(float)[i], IN2(float)[i]);
}

// The addresses as nvcc writes them: mul.wide.u32 and 64-bit adds.
KERNEL(saxpy_u64)
{
    u32 i = (u32)GI();
    if (i < (u32)N) {
        u64 at = (u64)i * 4;
        *(GLOBAL float *)((u64)P->out + at) = *(const GLOBAL float *)((u64)P->in + at) * P->a;
    }
}

KERNEL(nested)
{
    int i = GI(), r;
    if (i >= N)
        return;
    int v = IN(int)[i];
    if (v < 0) {
        if (v < -50) {
            OUT(int)[i] = v * 3;
            return;
        }
        r = -v;
        if (v & 1) {
            r += 7;
        } else {
            if (v == -10) {
                OUT(int)[i] = 99;
                return;
            }
            r -= 2;
        }
    } else if (v > 50) {
        r = v * v;
        if (v & 2)
            r ^= 0x55;
    } else {
        if (v % 3 == 0)
            return;
        r = v + 1000;
    }
    OUT(int)[i] = r + (v >> 1);
}

KERNEL(mandel)
{
    int px = (int)(ctaid_x() * 16 + tid_x()), py = (int)(ctaid_y() * 16 + tid_y()), it = 0, maxit = M;
    float f = 2.5f / (float)N, cx = __builtin_fmaf((float)px, f, -2.0f), cy = __builtin_fmaf((float)py, f, -1.25f);
    float x = 0, y = 0;
    for (;;) {
        float x2 = x * x, y2 = y * y;
        if (!(x2 + y2 < 4.0f))
            break;
        if (!(it < maxit))
            break;
        y = __builtin_fmaf(x + x, y, cy);
        x = x2 - y2 + cx;
        it++;
    }
    OUT(int)[py * N + px] = it;
}

KERNEL(loopsw)
{
    int i = GI(), acc = 0;
    if (i >= N)
        return;
    u32 s = IN(u32)[i];
    for (int k = 0; k < 40; k++) {
        s = s * 1664525u + 1013904223u;
        if ((s >> 28) == 3)
            continue;
        if ((s >> 25) == 77)
            break;
        switch ((s >> 24) & 7) {
        case 0:
            acc += k;
            break;
        case 1:
            acc ^= (int)s; // fall through
        case 2:
            acc -= 3;
            break;
        case 4:
            if (acc & 1)
                continue;
            acc *= 5;
            break;
        case 5:
            if (s >> 31)
                goto done; // fall through
        default:
            acc += IN(int)[(s >> 20) % (u32)N];
        }
        acc += 1;
    }
done:
    OUT(int)[i] = acc;
}

KERNEL(collatz)
{
    int i = GI(), c = 0;
    if (i >= N)
        return;
    u32 v = IN(u32)[i];
    while (v > 1) {
        v = (v & 1) ? v * 3 + 1 : v >> 1;
        c++;
        if (c > 1000)
            break;
    }
    OUT(int)[i] = c;
}

KERNEL(bsrch)
{
    int i = GI();
    if (i >= N)
        return;
    int k = IN2(int)[i], lo = 0, hi = M;
    while (lo < hi) {
        int m = (lo + hi) >> 1;
        if (IN(int)[m] < k)
            lo = m + 1;
        else
            hi = m;
    }
    OUT(int)[i] = (lo < M && IN(int)[lo] == k) ? lo : -1;
}

KERNEL(matmul)
{
    SHARED float *As = SH(float), *Bs = As + 256;
    int tx = (int)tid_x(), ty = (int)tid_y(), bx = (int)ctaid_x(), by = (int)ctaid_y(), n = N;
    float acc = 0;
    for (int t = 0; t < n / 16; t++) {
        As[ty * 16 + tx] = IN(float)[(by * 16 + ty) * n + t * 16 + tx];
        Bs[ty * 16 + tx] = IN2(float)[(t * 16 + ty) * n + bx * 16 + tx];
        SYNC();
        for (int k = 0; k < 16; k++)
            acc = __builtin_fmaf(As[ty * 16 + k], Bs[k * 16 + tx], acc);
        SYNC();
    }
    OUT(float)[(by * 16 + ty) * n + bx * 16 + tx] = acc;
}

// The address forms that nvcc emits: 32-bit shared offsets, mul.wide.u32 and 64-bit adds, the inner loop unrolled.
#define LDS(o) (*(SHARED float *)(shared() + (u64)(u32)(o)))
KERNEL(mmptx)
{
    u32 tx = tid_x(), ty = tid_y(), n = (u32)N, r3 = (ctaid_y() * 16 + ty) * n;
    u32 r6 = ty * 64, r4 = r6 + tx * 4, r5 = 1024 + ty * 64 + tx * 4, r7 = 1024 + tx * 4;
    u32 r39 = tx + r3, r38 = ty * n + tx + ctaid_x() * 16;
    float f = 0;
    for (u32 t = 0; t < n / 16; t++) {
        LDS(r4) = *(const GLOBAL float *)((u64)P->in + (u64)r39 * 4);
        LDS(r5) = *(const GLOBAL float *)((u64)P->in2 + (u64)r38 * 4);
        SYNC();
#pragma unroll
        for (u32 k = 0; k < 16; k++)
            f = __builtin_fmaf(LDS(r6 + 4 * k), LDS(r7 + 64 * k), f);
        SYNC();
        r39 += 16;
        r38 += 16 * n;
    }
    *(GLOBAL float *)((u64)P->out + (u64)(u32)(r3 + ctaid_x() * 16 + tx) * 4) = f;
}

// Pointers that live across the barriers.
KERNEL(mmptr)
{
    u32 tx = tid_x(), ty = tid_y(), n = (u32)N;
    u64 a = (u64)P->in + (u64)((ctaid_y() * 16 + ty) * n + tx) * 4,
        b = (u64)P->in2 + (u64)(ty * n + tx + ctaid_x() * 16) * 4;
    float f = 0;
    for (u32 t = 0; t < n / 16; t++) {
        LDS(ty * 64 + tx * 4) = *(const GLOBAL float *)a;
        LDS(1024 + ty * 64 + tx * 4) = *(const GLOBAL float *)b;
        SYNC();
        for (u32 k = 0; k < 16; k++)
            f = __builtin_fmaf(LDS(ty * 64 + 4 * k), LDS(1024 + tx * 4 + 64 * k), f);
        SYNC();
        a += 64;
        b += 64 * (u64)n;
    }
    OUT(float)[(ctaid_y() * 16 + ty) * n + ctaid_x() * 16 + tx] = f;
}

KERNEL(reduce)
{
    SHARED float *s = SH(float);
    int t = (int)tid_x();
    s[t] = IN(float)[GI()];
    SYNC();
    for (int k = (int)ntid_x() / 2; k > 0; k >>= 1) {
        if (t < k)
            s[t] += s[t + k];
        SYNC();
    }
    if (t == 0)
        OUT(float)[ctaid_x()] = s[0];
}

KERNEL(jacobi)
{
    SHARED float *s = SH(float);
    int t = (int)tid_x(), nt = (int)ntid_x();
    float v = IN(float)[GI()];
    for (int k = 0; k < M; k++) {
        s[t] = v;
        SYNC();
        float l = t > 0 ? s[t - 1] : 0.f, r = t < nt - 1 ? s[t + 1] : 0.f;
        v = v * 0.5f + 0.25f * (l + r);
        SYNC();
    }
    OUT(float)[GI()] = v;
}

KERNEL(mathk)
{
    int i = GI();
    if (i >= N)
        return;
    float v = IN(float)[i], r = __builtin_sqrtf(__builtin_fabsf(v));
    if (v > 0.3f)
        r += __builtin_expf(v) * __builtin_sinf(v);
    else
        r = __builtin_floorf(r * 10.f);
    OUT(float)[i] = r;
}

KERNEL(nest2)
{
    int i = GI(), acc = 0;
    if (i >= N)
        return;
    int a = IN(int)[i] & 31;
    for (int p = 0; p < a; p++) {
        for (int q = 0; q < p + 3; q++) {
            if (((p * q) ^ a) == 12)
                goto out;
            if ((q & a) == 5)
                break;
            acc += p * q + IN(int)[(p + q) % N];
        }
        if (acc > 5000)
            return;
    }
out:
    OUT(int)[i] = acc;
}

KERNEL(barret)
{
    SHARED float *s = SH(float);
    int t = (int)tid_x(), i = GI();
    s[t] = 0;
    SYNC();
    if (i >= N)
        return;
    s[t] = IN(float)[i] * 2;
    SYNC();
    float a = s[t ^ 1];
    SYNC();
    OUT(float)[i] = a + s[t];
}

#define ATOMIC(p, op, x) __atomic_fetch_##op((p), (x), __ATOMIC_RELAXED)

KERNEL(hist)
{
    int i = GI();
    if (i < N)
        ATOMIC(&OUT(u32)[IN(u32)[i] & 63], add, 1u);
}

KERNEL(strided)
{
    int i = GI();
    if (i < N) {
        float a = IN(float)[2 * i], b = IN(float)[2 * i + 1];
        OUT(float)[N - 1 - i] = a * b;
    }
}

KERNEL(gstride)
{
    for (int i = GI(); i < N; i += M)
        OUT(float)[i] = IN(float)[i] * IN(float)[i] + 1.f;
}

KERNEL(ll64)
{
    int i = GI();
    if (i >= N)
        return;
    i64 v = IN(i64)[i], r = 0;
    u8 c = (u8)v;
    short s = (short)(v >> 3);
    while (v > 0 && r < 1000) {
        r += c * (v & 7) + 1;
        v -= s > 0 ? s : 17;
    }
    if (c > 100)
        r = r / (i64)(c - 100 + (v & 1)) + (r % 7);
    OUT(i64)[i] = r;
}

KERNEL(irrk)
{
    int i = GI(), c = 0;
    if (i >= N)
        return;
    int v = IN(int)[i] & 63;
    if (v & 1)
        goto b;
a:
    c += 3;
    v -= 1;
    if (v <= 0 || c > 200)
        goto x;
b:
    c += 5;
    v -= (c & 3);
    if (v > 0 && c < 300)
        goto a;
x:
    OUT(int)[i] = c;
}

KERNEL(tile2d)
{
    int x = (int)(ctaid_x() * ntid_x() + tid_x()), y = (int)(ctaid_y() * ntid_y() + tid_y()), n = N;
    if (x < n && y < n) {
        float r = IN2(float)[y];
        if (r > 0.5f)
            OUT(float)[y * n + x] = IN(float)[y * n + x] * r;
        else
            OUT(float)[y * n + x] = IN2(float)[x] + IN(float)[x * n + y];
    }
}

// Indices that wrap around inside a gang.
KERNEL(wrapk)
{
    u32 i = (u32)GI() - 8u;
    if (i < (u32)N)
        OUT(float)[i] = IN(float)[i] + 1.f;
}

// Several that are tested together, loads and stores, with and without a mask, and of records with a hole between.
KERNEL(wrapmany)
{
    u32 i = (u32)GI() - 8u;
    if (i < (u32)N) {
        float a = IN(float)[i], b = IN(float)[i + 1], c = IN(float)[i + 2];
        float d = IN(float)[i * 4], e = IN(float)[i * 4 + 2];
        OUT(float)[i * 4] = a + b;
        OUT(float)[i * 4 + 1] = b * c;
        OUT(float)[i * 4 + 3] = d - e;
        OUT2(int)[i] = (int)i;
    }
    u32 k = (u32)GI() + 0xfffffff8u; // the same, and back in range for all
    const GLOBAL float *p = (const GLOBAL float *)((u64)P->in + (u64)(k + 8) * 4);
    float x = p[0], y = p[1];
    SH(float)[tid_x()] = x - y;
    SYNC();
    if (i < (u32)N)
        OUT(float)[i * 4 + 2] = SH(float)[tid_x() ^ 1];
}

// As above, with the pointer in a loop.
KERNEL(wraploop)
{
    u32 i = (u32)GI() - 8u;
    u64 p = (u64)P->in + (u64)i * 4;
    if (i < (u32)N) {
        float s = 0;
        for (int k = 0; k < (int)(i & 7) + 1; k++) {
            s += *(const GLOBAL float *)p;
            p += 4;
        }
        OUT(float)[i] = s;
    }
}

// And across barriers.
KERNEL(wrapbar)
{
    u32 i = (u32)GI() - 8u;
    u64 p = (u64)P->in + (u64)i * 4, q = (u64)P->out + (u64)i * 4;
    float s = 0;
    for (int k = 0; k < 3; k++) {
        if (i < (u32)N)
            s += *(const GLOBAL float *)p;
        SH(float)[tid_x()] = s;
        SYNC();
        s += SH(float)[tid_x() ^ 1];
        p += 4;
        SYNC();
    }
    if (i < (u32)N)
        *(GLOBAL float *)q = s;
}

// A signed index whose lanes pass from INT_MAX to INT_MIN; -fwrapv. Only sane lanes touch memory.
KERNEL(wrapsign)
{
    int i = (int)(0x7ffffff0u + (u32)GI());
    i64 at = (i64)i - 0x7ffffff0;
    OUT2(i64)[GI()] = at;
    if (at >= 0 && at < N)
        OUT(float)[at] = IN(float)[at] + 3.f;
    int j = GI() - 5;
    if (j >= 0 && j < N)
        OUT(float)[j + 20] = IN(float)[j + 1];
}

KERNEL(shape3d)
{
    u32 x = tid_x(), y = tid_y(), z = tid_z(), nx = ntid_x(), ny = ntid_y();
    u32 t = (z * ny + y) * nx + x, i = ctaid_x() * 128 + t;
    u32 r = x + 100 * y + 10000 * z + 1000000 * laneid() + 100000000 * warpid();
    if (i < (u32)N) {
        OUT(u32)[i] = r ^ lanemask_lt() ^ lanemask_ge();
        OUT2(u32)[i] = (u32)IN(int)[y * 16 + x] + (u32)IN2(int)[z * 64 + x] * y;
    }
}

KERNEL(locals)
{
    int i = GI(), a[16];
    u8 b[9];
    if (i >= N)
        return;
    for (int k = 0; k < 16; k++)
        a[k] = IN(int)[i + k] * k;
    for (int k = 0; k < 9; k++)
        b[k] = (u8)IN2(int)[i + k];
    int s = 0;
    for (int k = 0; k < 20; k++) {
        int j = (IN(int)[i + k] + k) & 15;
        s += a[j] ^ b[(u32)j % 9];
        a[(j + 3) & 15] += s;
    }
    OUT(int)[i] = s;
}

// Too large for a stack at any width.
KERNEL(biglocal)
{
    int i = GI();
    volatile int a[4096];
    if (i >= N)
        return;
    for (int k = 0; k < 4096; k += 7)
        a[k] = k + i;
    int s = 0;
    for (int k = 0; k < 4096; k += 7)
        s += a[(k * 3 + 7 * (IN(int)[i] & 3)) % 4095 / 7 * 7];
    OUT(int)[i] = s;
}

KERNEL(localbar)
{
    int i = GI(), a[8];
    for (int k = 0; k < 8; k++)
        a[k] = IN(int)[i] + k;
    for (int r = 0; r < 3; r++) {
        SH(int)[tid_x()] = a[(r + i) & 7];
        SYNC();
        a[(i * 3) & 7] += SH(int)[(tid_x() + 1) % ntid_x()];
        SYNC();
    }
    int s = 0;
    for (int k = 0; k < 8; k++)
        s = s * 3 + a[(k + i) & 7];
    OUT(int)[i] = s;
}

// Every operation, with one place for all and a place for each; results do not depend on the order.
KERNEL(atomics)
{
    int i = GI();
    if (i >= N)
        return;
    int v = IN(int)[i];
    GLOBAL int *o = OUT(int);
    GLOBAL u64 *w = OUT2(u64);
    ATOMIC(&o[0], add, v);
    ATOMIC(&o[1], add, 1);
    ATOMIC(&o[2], or, 1 << (v & 15));
    ATOMIC(&o[3], and, ~(1 << (v & 15)));
    ATOMIC(&o[4], xor, v);
    ATOMIC(&o[5], max, v);
    ATOMIC(&o[6], min, v);
    ATOMIC((GLOBAL u32 *)&o[7], max, (u32)v);
    ATOMIC((GLOBAL u32 *)&o[8], min, (u32)v);
    ATOMIC(&o[16 + (v & 31)], sub, v);
    ATOMIC(&o[64 + (v & 31)], xor, v);
    ATOMIC(&w[0], add, (u64)v << 20);
    ATOMIC(&w[1 + (v & 7)], add, 1);
    if (v & 1) {
        ATOMIC(&o[9], add, v);
        ATOMIC(&o[100 + (v & 7)], max, v);
    }
}

KERNEL(atomicfloat)
{
    int i = GI();
    if (i >= N)
        return;
    float v = IN(float)[i];
#ifdef HEDDLE_BITCODE
    __scoped_atomic_fetch_add(&OUT(float)[0], v, __ATOMIC_RELAXED, __MEMORY_SCOPE_SYSTEM);
    if (v > 0.25f)
        __scoped_atomic_fetch_add(&OUT(float)[1 + (IN2(int)[i] & 15)], v, __ATOMIC_RELAXED, __MEMORY_SCOPE_SYSTEM);
#else
    OUT(float)[0] += v;
    if (v > 0.25f)
        OUT(float)[1 + (IN2(int)[i] & 15)] += v;
#endif
}

KERNEL(shist)
{
    int i = GI(), t = (int)tid_x();
    SHARED u32 *h = SH(u32);
    if (t < 64)
        h[t] = 0;
    if (t == 64)
        h[64] = 0;
    SYNC();
    if (i < N) {
        ATOMIC(&h[IN(u32)[i] & 63], add, 1u);
        ATOMIC(&h[64], max, IN(u32)[i]);
    }
    SYNC();
    if (t < 64)
        ATOMIC(&OUT(u32)[t], add, h[t]);
    if (t == 64)
        ATOMIC(&OUT(u32)[64], max, h[64]);
}

KERNEL(cas)
{
    int i = GI();
    if (i >= N)
        return;
    GLOBAL u32 *o = &OUT(u32)[IN(int)[i] & 7];
    u32 old = *o, want;
    do {
        want = old;
        u32 now = want + 3;
        __atomic_compare_exchange_n(o, &old, now, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    } while (old != want);
    u32 zero = 0;
    if (__atomic_compare_exchange_n(&OUT2(u32)[i % 50], &zero, 7u, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ATOMIC(&OUT2(u32)[60], add, 1u);
    SHARED u32 *s = SH(u32);
    u32 expect = 12345;
    __atomic_compare_exchange_n(&s[100 + tid_x()], &expect, 1u, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

// The pair that cmpxchg returns goes through phis.
KERNEL(casloop)
{
    GLOBAL u32 *o = &OUT(u32)[GI() & 3];
    u32 old = *o, want;
    do {
        want = old;
        __atomic_compare_exchange_n(o, &old, want * 3 + 1, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    } while (old != want);
    u32 sum, more = 0;
    if (__builtin_uadd_overflow(IN(u32)[GI()], 0xffffff00u, &sum))
        more = __builtin_umul_overflow(sum, IN2(u32)[GI()], &sum);
    OUT2(u32)[GI()] = sum + more;
}

// Old values: each thread gets a place of its own, and the places are exactly 0 ... N-1.
KERNEL(ticket)
{
    int i = GI();
    if (i >= N)
        return;
    u32 mine = ATOMIC(&OUT2(u32)[0], add, 1u);
    ATOMIC(&OUT(u32)[mine], add, 1u);
    if (IN(int)[i] & 1) {
        u32 k = (u32)IN(int)[i] & 3, at = ATOMIC(&OUT2(u32)[1], add, k);
        for (u32 j = 0; j < k; j++)
            ATOMIC(&OUT(u32)[2000 + at + j], add, 1u);
    }
}

KERNEL(narrow)
{
    int i = GI();
    if (i >= N)
        return;
    u8 a = IN(u8)[i], b = IN2(u8)[i];
    u16 c = IN(u16)[i], d = IN2(u16)[i];
    short e = (short)(c * 3 - d);
    u8 r = (u8)(a + b * 2);
    if (e < 0)
        r = (u8)(r ^ (u8)e);
    if (a > b && (c & 1))
        e = (short)(e >> 2);
    OUT(u8)[i] = r;
    OUT2(short)[i] = e;
}

KERNEL(doubles)
{
    int i = GI();
    if (i >= N)
        return;
    double a = IN(float)[i], b = IN2(float)[i], s = 0;
    for (int k = 0; k < (int)(a * 10); k++)
        s = __builtin_fma(a, b + k, s);
    if (s > 3.0)
        s = __builtin_sqrt(s) / (b + 1.0);
    OUT(double)[i] = s;
    OUT2(i64)[i] = (i64)(s * 1000.0);
}

KERNEL(halves)
{
    int i = GI();
    if (i >= N)
        return;
    _Float16 a = (_Float16)IN(float)[i], b = (_Float16)IN2(float)[i], c = a * b + (_Float16)1.5f;
    if (c > (_Float16)2)
        c = c - a;
    OUT(_Float16)[i] = c;
}

KERNEL(volatiles)
{
    int i = GI();
    volatile SHARED int *s = (volatile SHARED int *)SH(int);
    volatile GLOBAL int *o = (volatile GLOBAL int *)OUT(int);
    s[tid_x()] = IN(int)[i];
    if (IN(int)[i] > 0)
        s[tid_x()] += 5;
    o[i] = s[tid_x()] * 2;
    __atomic_store_n(&OUT2(int)[i], __atomic_load_n(&IN(int)[i], __ATOMIC_ACQUIRE) + 1, __ATOMIC_RELEASE);
}

__attribute__((noinline)) static u32 ackermann(u32 m, u32 n)
{
    if (m == 0)
        return n + 1;
    if (n == 0)
        return ackermann(m - 1, 1);
    return ackermann(m - 1, ackermann(m, n - 1));
}

__attribute__((noinline)) static int fibonacci(int n, _Bool odd)
{
    if (n < 2)
        return odd ? n * 3 : n;
    int a = fibonacci(n - 1, !odd);
    return a + fibonacci(n - 2, odd);
}

KERNEL(recursion)
{
    int i = GI();
    if (i >= N)
        return;
    u32 v = IN(u32)[i];
    OUT(u32)[i] = v & 1 ? ackermann(v >> 1 & 1, v & 3) : 0;
    OUT2(int)[i] = fibonacci((int)(v & 7), v >> 3 & 1);
}

KERNEL(printing)
{
    int i = GI();
    if (i < N && IN(int)[i] > 0)
        OUT(u32)[i] = rt_vprintf((const void *)(u64)i, (const void *)(u64)IN(int)[i]);
}

KERNEL(bits)
{
    int i = GI();
    if (i >= N)
        return;
    u32 a = IN(u32)[i], b = IN2(u32)[i];
    u32 r = (u32)__builtin_popcount(a) + (u32)__builtin_clz(b | 1) * 64 + (u32)__builtin_ctz(b | 0x80000000u) * 4096;
    r ^= __builtin_bitreverse32(a) + __builtin_bswap32(b) + __builtin_rotateleft32(a, b & 31);
    int m = (int)a < (int)b ? (int)a : (int)b;
    u64 w = (u64)a << 32 | b;
    r += (u32)m + (u32)(w * 0x9E3779B97F4A7C15ull >> 40);
    OUT(u32)[i] = r;
    OUT2(u32)[i] = (u32)__builtin_popcountll(w * 3) + (u32)((i64)w >> (a & 63));
}

KERNEL(division)
{
    int i = GI();
    if (i >= N)
        return;
    u32 a = IN(u32)[i], b = IN2(u32)[i] >> (a & 31);
    u32 r = a / 7 + a % 11;
    if (b)
        r += a / b * 3 + a % b;
    if (b > 1)
        r ^= (u32)((int)a / (int)b);
    OUT(u32)[i] = r;
}

// Comparisons that are uniform only because of alignment, and ones that are nearly so.
KERNEL(alignment)
{
    u32 t = tid_x(), r = 0;
    if (t < 32)
        r |= 1;
    if (t < 64)
        r |= 2;
    if (t < 33)
        r |= 4;
    if (t > 31)
        r |= 8;
    if (t >= 65)
        r |= 16;
    if (t / 32 == 1)
        r |= 32;
    if ((t & ~31u) == 96)
        r |= 64;
    if ((int)t / 32 > 2)
        r |= 128;
    if (t == 17)
        r |= 256;
    if ((t & 15) < 8)
        r |= 512;
    if (((t + 1) & 31) == 0)
        r |= 1024;
    OUT(u32)[GI()] = r + (t % 32) * 65536;
    if (t < 32)
        OUT2(u32)[ctaid_x() * 32 + t] = IN(u32)[t] + t / 8 + (t | 3) + ((t ^ 5) << 8);
}

KERNEL(xorneighbour)
{
    u32 t = tid_x();
    SH(int)[t] = IN(int)[GI()];
    SYNC();
    OUT(int)[GI()] = SH(int)[t ^ 1] + 3 * SH(int)[t ^ 4] + 5 * SH(int)[(t & ~3u) | 2] + 7 * SH(int)[63 - t];
}

KERNEL(uniformstore)
{
    int i = GI();
    OUT(int)[ctaid_x()] = (int)ctaid_x() * 5;
    if (IN(int)[i] > 90)
        OUT2(int)[ctaid_x()] = 1;
    if (tid_x() == 5)
        OUT(int)[100 + ctaid_x()] = i;
    if (IN(int)[ctaid_x()] > 0)
        OUT(int)[200 + ctaid_x()] = (int)tid_x() / 64;
}

KERNEL(sharedbyte)
{
    int i = GI(), t = (int)tid_x();
    SHARED u8 *s = SH(u8);
    s[t] = 7;
    SYNC();
    if (i < N && (IN(u8)[i] & 1))
        s[t] = IN(u8)[i];
    if (IN(u8)[i] & 2)
        ((SHARED u16 *)(s + 256))[t] = IN(u16)[i];
    else
        ((SHARED u16 *)(s + 256))[t] = 9;
    SYNC();
    OUT(u8)[i] = s[127 - t];
    OUT2(u16)[i] = ((SHARED u16 *)(s + 256))[t];
}

KERNEL(stencil)
{
    int nx = N, ny = N, x = (int)(ctaid_x() * ntid_x() + tid_x()), y = (int)(ctaid_y() * ntid_y() + tid_y());
    if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1) {
        const GLOBAL float *p = IN(float) + y * nx + x;
        OUT(float)[y * nx + x] = __builtin_fmaf(P->a, p[0], P->b * ((p[-1] + p[1]) + (p[-nx] + p[nx])));
    }
}

// Four floats a thread, through shared memory.
struct four {
    float x, y, z, w;
};
static inline float inverse_root(float x)
{
    u32 i;
    float y;
    __builtin_memcpy(&i, &x, 4);
    i = 0x5f375a86 - (i >> 1);
    __builtin_memcpy(&y, &i, 4);
    y = y * (1.5f - 0.5f * x * y * y);
    return y * (1.5f - 0.5f * x * y * y);
}
KERNEL(nbody)
{
    SHARED struct four *tile = SH(struct four);
    int i = GI(), t = (int)tid_x(), nt = (int)ntid_x();
    float x = IN(struct four)[i].x, y = IN(struct four)[i].y, z = IN(struct four)[i].z, ax = 0, ay = 0, az = 0;
    for (int k = 0; k < N / nt; k++) {
        tile[t].x = IN(struct four)[k * nt + t].x;
        tile[t].y = IN(struct four)[k * nt + t].y;
        tile[t].z = IN(struct four)[k * nt + t].z;
        tile[t].w = IN(struct four)[k * nt + t].w;
        SYNC();
        for (int j = 0; j < nt; j++) {
            float dx = tile[j].x - x, dy = tile[j].y - y, dz = tile[j].z - z;
            float d = __builtin_fmaf(dx, dx, __builtin_fmaf(dy, dy, __builtin_fmaf(dz, dz, P->a)));
            float r = inverse_root(d), s = r * r * r * tile[j].w;
            ax = __builtin_fmaf(dx, s, ax);
            ay = __builtin_fmaf(dy, s, ay);
            az = __builtin_fmaf(dz, s, az);
        }
        SYNC();
    }
    OUT(float)[i] = ax;
    OUT(float)[i + N] = ay;
    OUT(float)[i + 2 * N] = az;
}

// Records of 2, 3 and 4 elements, whole and in part, under masks, with indices that wrap.
struct two {
    int a, b;
};
struct three {
    u8 r, g, b;
};
KERNEL(records)
{
    int i = GI();
    if (i >= N)
        return;
    struct four v = IN(struct four)[i];
    struct two w = IN2(struct two)[i];
    struct three c = IN2(struct three)[i];
    GLOBAL struct four *o = OUT(struct four) + i;
    o->w = v.x + 1;
    o->z = v.y * 2;
    o->y = v.z - 3;
    o->x = v.w;
    GLOBAL struct two *q = OUT2(struct two) + i;
    if (w.a & 1) {
        q->a = w.b;
        q->b = c.r + c.g * 256 + c.b * 65536;
    } else {
        q->b = w.a;
    }
    GLOBAL struct three *d = (GLOBAL struct three *)(OUT2(char) + 65536) + i;
    d->g = c.b;
    d->r = (u8)(c.g + 1);
    d->b = c.r;
}

KERNEL(recordwrap)
{
    u32 i = (u32)GI() - 8u;
    SHARED struct two *s = SH(struct two) + tid_x();
    s->a = (int)i;
    s->b = (int)i * 3;
    if (i < (u32)N) {
        const GLOBAL float *p = (const GLOBAL float *)((u64)P->in + (u64)i * 16);
        float x = p[0], y = p[1], z = p[2], w = p[3];
        GLOBAL float *o = (GLOBAL float *)((u64)P->out + (u64)i * 16);
        o[0] = x + y;
        o[1] = z;
        o[2] = w;
        o[3] = x;
        s->a += 7;
        s->b -= IN2(int)[i];
    }
    SYNC();
    s = SH(struct two) + (tid_x() ^ 1);
    OUT2(int)[GI()] = s->a ^ s->b;
}

KERNEL(warpreduce)
{
    u32 v = IN(u32)[GI()];
    for (u32 d = 16; d > 0; d >>= 1)
        v += shfl_down(FULL, v, d, 31);
    if (laneid() == 0)
        SH(u32)[warpid()] = v;
    SYNC();
    if (tid_x() < 32) {
        v = tid_x() < ntid_x() / 32 ? SH(u32)[tid_x()] : 0;
        v += shfl_bfly(FULL, v, 4, 31);
        v += shfl_bfly(FULL, v, 2, 31);
        v += shfl_bfly(FULL, v, 1, 31);
        if (tid_x() == 0)
            OUT(u32)[ctaid_x()] = v;
    }
}

KERNEL(shuffles)
{
    int i = GI();
    u32 v = IN(u32)[i], r = 0;
    r += shfl_up(FULL, v, 3, 0);
    r = r * 3 + shfl_down(FULL, v, 5, 31);
    r = r * 3 + shfl_bfly(FULL, v, 7, 31);
    r = r * 3 + shfl_idx(FULL, v, 9, 31);
    r = r * 3 + shfl_idx(FULL, v, 2, 0x181f);
    r = r * 3 + shfl_up(FULL, v, 1, 0x1800);
    r = r * 3 + shfl_down(FULL, v, 2, 0x1c1f);
    r = r * 3 + shfl_bfly(FULL, v, 3, 0x1803);
    r = r * 3 + shfl_idx(FULL, v, v, 31);
    r = r * 3 + shfl_idx(FULL, v, v, 0x101f);
    r = r * 3 + shfl_up(FULL, v, ctaid_x() & 7, 0);
    r = r * 3 + shfl_down(FULL, v, ctaid_x() & 7, 0x181f);
    r = r * 3 + shfl_bfly(FULL, v, ctaid_x(), 31);
    r = r * 3 + shfl_up(FULL, v, v & 3, 0);
    r = r * 3 + shfl_idx(FULL, v, ctaid_x(), 31);
    r = r * 3 + shfl_pred_up(FULL, v, 3, 0x1800) + 2u * shfl_pred_idx(FULL, v, v, 0x1807);
    OUT(u32)[i] = r;
}

KERNEL(votes)
{
    int i = GI(), v = IN(int)[i];
    u32 r = ballot(FULL, v > 0);
    r += vote_any(FULL, v > 97) ? 1 : 0;
    r += vote_all(FULL, v > -90) ? 2 : 0;
    r += vote_uni(FULL, v > 95) ? 4 : 0;
    r ^= match_any(FULL, (u32)v & 7);
    r += match_all(FULL, warpid()) + 3 * match_all(FULL, (u32)v);
    r ^= match_any64(FULL, (u64)(v & 3) << 40);
    r += redux_add(FULL, (u32)v) * 3;
    r += redux_min(FULL, (u32)v) * 5;
    r += redux_max(FULL, (u32)v) * 7;
    r ^= redux_xor(FULL, (u32)v);
    OUT(u32)[i] = r;
    OUT2(u32)[i] = elect(FULL) ? 77 : 1;
}

// Halves of the warp, each with its own members, at the same call.
KERNEL(subwarp)
{
    int i = GI(), v = IN(int)[i];
    u32 members = laneid() < 16 ? 0xffffu : 0xffff0000u;
    u32 r = ballot(members, v > 0);
    r += redux_add(members, (u32)v) * 3 + redux_max(members, (u32)v);
    r ^= match_any(members, (u32)v & 3) + match_all(members, laneid() / 16);
    r += vote_any(members, v > 98) ? 1 : 0;
    r += elect(members) ? 1000 : 0;
    OUT(u32)[i] = r;
}

// Where lanes run one by one (the reference) the set of active ones must be told.
#ifdef HEDDLE_BITCODE
#define ACTIVE(set) activemask()
#else
#define ACTIVE(set) (set)
#endif
KERNEL(activity)
{
    int i = GI();
    u32 r = ACTIVE(FULL);
    if (laneid() & 1)
        r = ACTIVE(0xaaaaaaaau) * 3;
    if (laneid() < 7)
        r += ACTIVE(0x7fu);
    OUT(u32)[i] = r;
}
