// SPDX-License-Identifier: Apache-2.0
// Resume points: kernels that wait in every way, at each width and many block sizes, against what they must compute.
#include "resume_harness.h"
#include "test.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 1 << 16 };
static uint32_t in[WORDS], in2[WORDS], out[WORDS], aux[1024], want[WORDS];
static const char *current = "";
static unsigned current_width;

struct shape {
    unsigned grid[3], block[3];
    uint32_t n, m;
};

static unsigned block_size(const struct shape *s)
{
    return s->block[0] * s->block[1] * s->block[2];
}

static unsigned total(const struct shape *s)
{
    return s->grid[0] * s->grid[1] * s->grid[2] * block_size(s);
}

static void fill(uint32_t range)
{
    uint32_t x = 12345;
    for (unsigned i = 0; i < WORDS; i++) {
        x = x * 1664525u + 1013904223u;
        in[i] = (x >> 8) % range;
        in2[i] = (x >> 12) % range;
    }
    memset(out, 0, sizeof out);
    memset(want, 0, sizeof want);
    memset(aux, 0, sizeof aux);
}

static void fill_floats(void)
{
    fill(1000);
    for (unsigned i = 0; i < WORDS; i++) {
        ((float *)in)[i] = (float)in[i] * 0.125f;
        ((float *)in2)[i] = (float)in2[i] * 0.25f - 100;
    }
}

// What each kernel computes, in plain loops.

static void want_copy(const struct shape *s)
{
    for (unsigned i = 0; i < total(s) && i < s->n; i++)
        want[i] = in[i] * 3 + i / s->block[0];
}

static void want_reduce(const struct shape *s)
{
    float v[1024];
    for (unsigned b = 0; b < s->grid[0]; b++) {
        memcpy(v, (float *)in + b * s->block[0], s->block[0] * 4);
        for (unsigned k = s->block[0] / 2; k; k >>= 1)
            for (unsigned t = 0; t < k; t++)
                v[t] += v[t + k];
        ((float *)want)[b] = v[0];
    }
}

static void want_matmul(const struct shape *s)
{
    const float *a = (float *)in, *b = (float *)in2;
    for (unsigned y = 0; y < s->n; y++)
        for (unsigned x = 0; x < s->n; x++) {
            float acc = 0;
            for (unsigned k = 0; k < s->n; k++)
                acc = fmaf(a[y * s->n + k], b[k * s->n + x], acc);
            ((float *)want)[y * s->n + x] = acc;
        }
}

static void want_jacobi(const struct shape *s)
{
    unsigned nt = s->block[0];
    for (unsigned b = 0; b < s->grid[0]; b++) {
        float v[1024], u[1024];
        memcpy(v, (float *)in + b * nt, nt * 4);
        for (unsigned k = 0; k < s->m; k++) {
            memcpy(u, v, nt * 4);
            for (unsigned t = 0; t < nt; t++) {
                float l = t ? u[t - 1] : 0, r = t < nt - 1 ? u[t + 1] : 0, sum = l + r;
                v[t] = u[t] * 0.5f + 0.25f * sum;
            }
        }
        memcpy((float *)want + b * nt, v, nt * 4);
    }
}

static void wave(const struct shape *g, bool elsewhere)
{
    enum { W = 49 };
    static uint32_t s[W * W];
    unsigned nt = g->block[0];
    for (unsigned b = 0; b < g->grid[0]; b++) {
        for (unsigned t = 0; t < nt; t++) {
            for (unsigned y = 0; y <= nt; y++)
                s[y * W + t + 1] = in[b * nt + t + y];
            s[(t + 1) * W] = t;
        }
        s[0] = 5;
        for (unsigned d = 0; d < 2 * nt - 1; d++) {
            for (unsigned t = 0; t < nt; t++)
                if (d - t < nt) {
                    uint32_t *c = s + (d - t + 1) * W + t + 1;
                    *c += c[-W - 1] * 3 + c[-W] - c[-1];
                }
            if (elsewhere)
                s[in[d] % (W * W)] = d;
        }
        for (unsigned t = 0; t < nt; t++)
            want[b * nt + t] = s[nt * W + t + 1] ^ s[(t + 1) * W + nt];
    }
}

static void want_wave(const struct shape *s)
{
    wave(s, false);
}

static void want_wave_hit(const struct shape *s)
{
    wave(s, true);
}

static void want_leave(const struct shape *s)
{
    for (unsigned i = 0; i < total(s) && i < s->n; i++) {
        unsigned t = i % s->block[0], o = i - t + (t ^ 1);
        want[i] = in[i] * 2 + (o < s->n ? in[o] * 2 : 1000);
    }
}

static void want_divided_barrier(const struct shape *s)
{
    unsigned nt = s->block[0];
    for (unsigned i = 0; i < total(s); i++)
        for (unsigned k = 0; k < 4; k++) {
            unsigned o = (i % nt + 1) % nt, x = in[i - i % nt + o];
            unsigned v = (x >> k & 1) ? o + k : 100 + o + k;
            want[i] += (in[i] >> k & 1 ? 3 : 5) * v;
        }
}

static void want_barrier_red(const struct shape *s)
{
    unsigned nt = s->block[0];
    for (unsigned b = 0; b < s->grid[0]; b++) {
        unsigned popc = 0, all = 1, any = 0, turns = 0;
        for (unsigned t = 0; t < nt; t++) {
            uint32_t x = in[b * nt + t];
            popc += x & 1;
            all &= x < s->n;
            any |= x == 77;
            turns = (x & 7) > turns ? x & 7 : turns;
        }
        for (unsigned t = 0; t < nt; t++)
            want[b * nt + t] = ((popc * 2 + all) * 2 + any) * 100 + turns;
    }
}

static void want_named(const struct shape *s)
{
    for (unsigned i = 0; i < total(s); i++)
        if (i % 128 >= 64)
            for (unsigned k = 0; k < s->m; k++)
                want[i] += k * 1000 + ((i % 64) ^ 5);
}

static void want_partial(const struct shape *s)
{
    for (unsigned i = 0; i < total(s); i++)
        for (unsigned k = 0; k < 3; k++)
            want[i] += ((i % s->block[0]) ^ 32) * k;
}

static void want_lock(const struct shape *s)
{
    unsigned nt = s->block[0];
    want[0] = total(s) * s->m;
    want[1] = s->grid[0] * nt * (nt - 1) / 2 * s->m;
}

static void want_lock_inside(const struct shape *s)
{
    unsigned nt = s->block[0];
    want[0] = total(s);
    want[1] = s->grid[0] * nt * (nt - 1) / 2;
    want[2] = s->grid[0];
}

static void want_grid_barrier(const struct shape *s)
{
    unsigned n = total(s), nt = s->block[0];
    uint32_t *v = malloc(2 * n * 4), *u = v + n;
    for (unsigned i = 0; i < n; i++)
        v[i] = i;
    for (unsigned k = 0; k < s->m; k++) {
        memcpy(u, v, n * 4);
        memcpy(want + k % 2 * n, u, n * 4);
        for (unsigned i = 0; i < n; i++)
            v[i] = u[(i + nt) % n] + 1;
    }
    memcpy(want + 2 * n, v, n * 4);
    free(v);
}

static void want_token(const struct shape *s)
{
    for (unsigned i = 0; i < total(s); i++)
        want[i] = i * 7;
}

static void want_poll(const struct shape *s)
{
    for (unsigned i = 0; i < total(s); i++)
        want[i] = i / s->block[0] == s->grid[0] - 1 ? 1 : 2;
}

static uint32_t lane_value(const struct shape *s, unsigned i, unsigned lane)
{
    (void)s;
    return in[i - i % 32 + lane];
}

static void want_warp(const struct shape *s)
{
    for (unsigned i = 0; i < total(s); i++) {
        uint32_t x = in[i], l = i % 32, sum = 0, bits = 0, any = 0, all = 1, same = 0, every = 1;
        int32_t min = INT32_MAX;
        for (unsigned k = 0; k < 32; k++) {
            uint32_t y = lane_value(s, i, k);
            sum += y;
            bits |= (y & 1) << k;
            any |= y == 3;
            all &= y < 1000;
            same |= (uint32_t)((y & 3) == (x & 3)) << k;
            every &= y >> 20 == x >> 20;
            min = (int32_t)(y - 50) < min ? (int32_t)(y - 50) : min;
        }
        uint32_t r = sum, seg = l & 24, src = seg | ((l * 7) & 7);
        r = r * 31 + (l >= 3 ? lane_value(s, i, l - 3) : x);
        r = r * 31 + (l + 5 <= 31 ? lane_value(s, i, l + 5) : x);
        r = r * 31 + lane_value(s, i, src);
        r = r * 31 + ((int)l - 2 >= (int)(l & 16));
        r = r * 31 + bits;
        r = r * 31 + any + 2 * all;
        r = r * 31 + same + (every ? 0xffffffffu : 0);
        r = r * 31 + sum + (uint32_t)min;
        want[i] = r;
    }
}

static void want_warp_divided(const struct shape *s)
{
    for (unsigned w = 0; w < total(s) / 32; w++) {
        uint32_t r[32], sum = 0, bits = 0;
        for (unsigned l = 0; l < 16; l++)
            sum += in[w * 32 + l];
        for (unsigned l = 16; l < 32; l++)
            bits |= (in[w * 32 + l] & 1) << l;
        for (unsigned l = 0; l < 32; l++)
            r[l] = l < 16 ? sum : bits + (l & 1 ? in[w * 32 + 17] : 0);
        for (unsigned l = 0; l < 32; l++)
            want[w * 32 + l] = r[l] + r[l ? l - 1 : 0];
    }
}

static void want_warp_sync(const struct shape *s)
{
    for (unsigned i = 0; i < total(s); i++)
        want[i] = i % 32 < 16 ? (i % 32 + 16) * 3 : (i % 32 - 16) * 2;
}

static void want_active(const struct shape *s)
{
    unsigned nt = s->block[0];
    for (unsigned i = 0; i < total(s); i++) {
        uint32_t x = in[i], m = 0, same = 0, first = i - i % nt + i % nt / 32 * 32, end = i - i % nt + nt;
        if (!(x & 1))
            continue;
        for (unsigned l = 0; l < 32 && first + l < end; l++) {
            m |= (in[first + l] & 1) << l;
            same += (in[first + l] & 1) && (in[first + l] & 6) == (x & 6);
        }
        want[i] = (in[first + (unsigned)__builtin_ctz(m)] + (unsigned)__builtin_popcount(m)) * 64 + same;
    }
}

static void want_local(const struct shape *s)
{
    unsigned nt = s->block[0];
    for (unsigned i = 0; i < total(s); i++) {
        uint32_t a[24], x = in[i], r = 0;
        for (unsigned k = 0; k < 24; k++)
            a[k] = x * k;
        a[in[i - i % nt + (i % nt + 1) % nt] % 24] += 5;
        for (unsigned k = 0; k < 24; k++)
            r = r * 3 + a[(k + x) % 24];
        want[i] = r;
    }
}

static void want_types(const struct shape *s)
{
    unsigned nt = s->block[0];
    for (unsigned i = 0; i < total(s); i++) {
        uint32_t x = in[i], t = i % nt, first = i - t;
        uint64_t wide = (uint64_t)x << 33 | t;
        bool flag = x & 4;
        double d = x * 0.5;
        for (unsigned k = 0; k < 5; k++) {
            for (unsigned j = 0; j < (x & 3); j++)
                wide += in[first + (t + j) % nt] + k;
            flag ^= (in[first + (t + 1) % nt] + k) & 1;
            d += flag;
        }
        ((uint64_t *)want)[i] = wide * 2 + flag + (uint64_t)(d * 4);
    }
}

// Sum of the order in which the lanes of each warp got the lock: the total is known.
static bool check_lock_then_warp(const struct shape *s)
{
    uint64_t sum = 0, n = total(s);
    for (unsigned i = 0; i < n; i++) {
        if (out[i] != out[i - i % 32])
            return false;
        sum += i % 32 ? 0 : out[i];
    }
    return sum == n * (n - 1) / 2;
}

static void want_warp_leave(const struct shape *s)
{
    unsigned nt = s->block[0];
    for (unsigned i = 0; i < total(s); i++) {
        unsigned first = i - i % nt + i % nt / 32 * 32, end = i - i % nt + nt;
        uint32_t bits = 0, sum = 0;
        for (unsigned l = 0; l < 32 && first + l < end; l++) {
            uint32_t y = in[first + l];
            if (y % 5 == 0)
                continue;
            bits |= (y >> 1 & 1) << l;
            sum += l >= 24 && (y & 8) ? 0 : y;
        }
        bool gone = in[i] % 5 == 0 || (i % nt % 32 >= 24 && (in[i] & 8));
        want[i] = gone ? 0 : bits * 3 + sum;
    }
}

static void want_deadlock(const struct shape *s)
{
    for (unsigned i = 0; i < total(s); i++)
        want[i] = i % s->block[0] + 1;
}

static void want_rows(const struct shape *s)
{
    for (unsigned i = 0; i < total(s); i++) {
        unsigned x = i % 12, y = i / 12 % 5, row = i - x;
        for (unsigned k = 0; k < 12; k++) {
            want[i] += (in[row + k] + (k > 6 ? y : 0)) * (k + 1);
            if ((k & 3) == y % 4)
                want[i] ^= x;
        }
    }
}

static void want_ring(const struct shape *s)
{
    unsigned warps = s->block[0] / 32;
    for (unsigned b = 0; b < s->grid[0]; b++) {
        uint32_t v[32][32], pass = 0;
        for (unsigned i = 0; i < 1024; i++)
            v[i / 32][i % 32] = i % 32;
        for (unsigned k = 0; k < s->m; k++)
            for (unsigned w = 0; w < warps; w++) {
                uint32_t u[32], sum = 0;
                for (unsigned l = 0; l < 32; l++)
                    u[l] = pass + v[w][l ^ 1];
                for (unsigned l = 0; l < 32; l++)
                    sum += v[w][l] = u[l];
                pass = sum & 0xffff;
            }
        for (unsigned t = 0; t < s->block[0]; t++)
            want[b * s->block[0] + t] = v[t / 32][t % 32];
    }
}

static void want_peel(const struct shape *s)
{
    for (unsigned i = 0; i < total(s); i++) {
        unsigned first = i - i % 32, leader = 32;
        uint32_t same = 0;
        if (!(in[i] & 1))
            continue;
        for (unsigned l = 0; l < 32; l++)
            if ((in[first + l] & 15) == (in[i] & 15)) {
                same |= 1u << l;
                leader = leader == 32 ? l : leader;
            }
        want[i] = same + leader;
    }
}

// Three to the number of threads; the counter hands out every number once; two units of the semaphore for all.
static void want_retry(const struct shape *s)
{
    want[0] = 1;
    for (unsigned i = 0; i < total(s); i++)
        want[0] *= 3;
    out[0] = 1;
}

static void want_take(const struct shape *s)
{
    for (unsigned i = 0; i < s->n; i++)
        want[i] = i * 5;
}

static void want_semaphore(const struct shape *s)
{
    aux[0] = 2;
    want[0] = total(s);
}

static void want_many_locks(const struct shape *s)
{
    unsigned nt = s->block[0];
    for (unsigned b = 0; b < s->grid[0]; b++)
        for (unsigned k = 0; k < s->m; k++)
            for (unsigned t = 0; t < nt; t++) {
                uint32_t sum = 0;
                for (unsigned l = t / 32 * 32; l < t / 32 * 32 + 32 && l < nt; l++)
                    sum += l + k;
                want[0] += t;
                want[1] += t + k;
                want[2] += t % 3 == 0;
                want[3] += t * k;
                want[4] += (t + 1) % nt + k;
                want[5] += 2;
                want[6] += sum;
                want[7] += 3;
            }
}

struct test {
    const char *kernel;
    void (*want)(const struct shape *);
    bool (*check)(const struct shape *);
    uint32_t range; // of the input; 0: floats
    bool uniform;   // the block moves together, with barriers only
    struct shape shapes[6];
};

static const struct test tests[] = {
    {"k_copy",
     want_copy,
     NULL,
     1000,
     true,
     {{{3, 1, 1}, {64, 1, 1}, 150, 0}, {{4, 1, 1}, {37, 1, 1}, 140, 0}, {{2, 1, 1}, {1, 1, 1}, 2, 0}}},
    {"k_reduce",
     want_reduce,
     NULL,
     0,
     true,
     {{{3, 1, 1}, {256, 1, 1}, 0, 0},
      {{2, 1, 1}, {1024, 1, 1}, 0, 0},
      {{2, 1, 1}, {2, 1, 1}, 0, 0},
      {{5, 1, 1}, {16, 1, 1}, 0, 0}}},
    {"k_matmul", want_matmul, NULL, 0, true, {{{4, 4, 1}, {16, 16, 1}, 64, 0}}},
    {"k_jacobi",
     want_jacobi,
     NULL,
     0,
     true,
     {{{3, 1, 1}, {64, 1, 1}, 0, 5},
      {{2, 1, 1}, {37, 1, 1}, 0, 3},
      {{2, 1, 1}, {1000, 1, 1}, 0, 2},
      {{2, 1, 1}, {33, 1, 1}, 0, 0}}},
    {"k_leave",
     want_leave,
     NULL,
     1000,
     false,
     {{{3, 1, 1}, {64, 1, 1}, 150, 0},
      {{3, 1, 1}, {100, 1, 1}, 277, 0},
      {{2, 1, 1}, {256, 1, 1}, 259, 0},
      {{1, 1, 1}, {2, 1, 1}, 0, 0}}},
    {"k_divided_barrier",
     want_divided_barrier,
     NULL,
     16,
     false,
     {{{2, 1, 1}, {64, 1, 1}, 0, 0}, {{2, 1, 1}, {45, 1, 1}, 0, 0}, {{1, 1, 1}, {1, 1, 1}, 0, 0}}},
    {"k_barrier_red",
     want_barrier_red,
     NULL,
     90,
     false,
     {{{3, 1, 1}, {64, 1, 1}, 90, 0}, {{2, 1, 1}, {50, 1, 1}, 80, 0}, {{9, 1, 1}, {1, 1, 1}, 80, 0}}},
    {"k_named", want_named, NULL, 90, false, {{{2, 1, 1}, {128, 1, 1}, 0, 9}}},
    {"k_partial", want_partial, NULL, 90, false, {{{2, 1, 1}, {128, 1, 1}, 0, 64}, {{1, 1, 1}, {256, 1, 1}, 0, 64}}},
    {"k_lock",
     want_lock,
     NULL,
     90,
     false,
     {{{1, 1, 1}, {32, 1, 1}, 0, 3}, {{1, 1, 1}, {100, 1, 1}, 0, 2}, {{4, 1, 1}, {64, 1, 1}, 0, 2}}},
    {"k_lock_inside",
     want_lock_inside,
     NULL,
     90,
     false,
     {{{1, 1, 1}, {32, 1, 1}, 0, 0}, {{3, 1, 1}, {70, 1, 1}, 0, 0}}},
    {"k_grid_barrier",
     want_grid_barrier,
     NULL,
     90,
     false,
     {{{4, 1, 1}, {64, 1, 1}, 0, 5}, {{7, 1, 1}, {33, 1, 1}, 0, 3}, {{1, 1, 1}, {8, 1, 1}, 0, 3}}},
    {"k_token", want_token, NULL, 90, false, {{{3, 1, 1}, {64, 1, 1}, 0, 0}, {{2, 1, 1}, {21, 1, 1}, 0, 0}}},
    {"k_poll", want_poll, NULL, 90, false, {{{3, 1, 1}, {64, 1, 1}, 0, 0}, {{2, 1, 1}, {21, 1, 1}, 0, 0}}},
    {"k_warp", want_warp, NULL, 1000, false, {{{2, 1, 1}, {64, 1, 1}, 0, 0}, {{1, 1, 1}, {1024, 1, 1}, 0, 0}}},
    {"k_warp_divided",
     want_warp_divided,
     NULL,
     1000,
     false,
     {{{2, 1, 1}, {64, 1, 1}, 0, 0}, {{1, 1, 1}, {32, 1, 1}, 0, 0}}},
    {"k_warp_sync", want_warp_sync, NULL, 1000, false, {{{2, 1, 1}, {96, 1, 1}, 0, 0}}},
    {"k_active", want_active, NULL, 1000, false, {{{2, 1, 1}, {64, 1, 1}, 0, 0}, {{2, 1, 1}, {44, 1, 1}, 0, 0}}},
    {"k_local", want_local, NULL, 1000, true, {{{2, 1, 1}, {64, 1, 1}, 0, 0}, {{2, 1, 1}, {19, 1, 1}, 0, 0}}},
    {"k_lock_then_warp", NULL, check_lock_then_warp, 90, false, {{{2, 1, 1}, {64, 1, 1}, 0, 0}}},
    {"k_retry", want_retry, NULL, 1000, false, {{{3, 1, 1}, {45, 1, 1}, 0, 0}}},
    {"k_take", want_take, NULL, 1000, false, {{{3, 1, 1}, {45, 1, 1}, 1000, 0}}},
    {"k_semaphore", want_semaphore, NULL, 1000, false, {{{2, 1, 1}, {45, 1, 1}, 0, 0}}},
    {"k_many_locks", want_many_locks, NULL, 1000, false, {{{2, 1, 1}, {70, 1, 1}, 0, 3}}},
    {"k_warp_leave",
     want_warp_leave,
     NULL,
     1000,
     false,
     {{{2, 1, 1}, {64, 1, 1}, 0, 0}, {{2, 1, 1}, {45, 1, 1}, 0, 0}, {{5, 1, 1}, {7, 1, 1}, 0, 0}}},
    {"k_deadlock", want_deadlock, NULL, 1000, false, {{{2, 1, 1}, {64, 1, 1}, 0, 0}}},
    {"k_wave",
     want_wave,
     NULL,
     1000,
     true,
     {{{3, 1, 1}, {16, 1, 1}, 0, 0},
      {{2, 1, 1}, {32, 1, 1}, 0, 0},
      {{2, 1, 1}, {5, 1, 1}, 0, 0},
      {{2, 1, 1}, {8, 1, 1}, 0, 0},
      {{2, 1, 1}, {48, 1, 1}, 0, 0}}},
    {"k_wave_hit", want_wave_hit, NULL, 1000, true, {{{3, 1, 1}, {16, 1, 1}, 0, 0}, {{2, 1, 1}, {32, 1, 1}, 0, 0}}},
    {"k_rows", want_rows, NULL, 1000, true, {{{4, 1, 1}, {12, 5, 1}, 0, 0}}},
    {"k_ring", want_ring, NULL, 1000, false, {{{2, 1, 1}, {128, 1, 1}, 0, 3}, {{1, 1, 1}, {32, 1, 1}, 0, 2}}},
    {"k_peel", want_peel, NULL, 1000, false, {{{2, 1, 1}, {96, 1, 1}, 0, 0}}},
    {"k_types", want_types, NULL, 1000, true, {{{2, 1, 1}, {64, 1, 1}, 0, 0}, {{2, 1, 1}, {41, 1, 1}, 0, 0}}},
};

static bool equal(const struct test *t, const struct shape *s)
{
    if (t->check)
        return t->check(s);
    for (unsigned i = 0; i < WORDS; i++)
        if (out[i] != want[i]) {
            fprintf(stderr, "%s, width %u, block %u x %u: word %u is %u, not %u\n", current, current_width, s->block[0],
                    s->block[1], i, out[i], want[i]);
            return false;
        }
    return true;
}

static void run_shape(const struct test *t, const struct harness_kernel *k, const struct shape *s)
{
    if (t->range)
        fill(t->range);
    else
        fill_floats();
    if (t->want)
        t->want(s);
    struct harness_params p = {in, in2, out, aux, s->n, s->m};
    uint64_t calls = harness_run(k, s->grid, s->block, &p);
    if (!calls)
        fprintf(stderr, "%s, width %u, block %u: does not end\n", current, current_width, s->block[0]);
    CHECK(calls && equal(t, s));
}

static void run_test(const struct test *t, enum harness_lanes lanes, unsigned width, bool generic)
{
    current = t->kernel;
    current_width = width;
    for (unsigned i = 0; i < 6 && t->shapes[i].block[0]; i++) {
        struct harness_kernel k;
        bool ok = harness_compile(&k, t->kernel, lanes, width, generic ? (unsigned[3]){0, 0, 0} : t->shapes[i].block);
        CHECK(ok);
        if (getenv("RESUME_SHOW"))
            printf("%-20s width %2u%s: %u regions, %u slots, %u raw, %u yields%s%s\n", t->kernel, width,
                   generic ? " any shape" : "", k.regions, k.slots, k.raw_slots, k.yields, k.uniform ? ", uniform" : "",
                   k.variant.may_wait ? ", may wait" : "");
        if (ok)
            run_shape(t, &k, &t->shapes[i]);
        for (unsigned j = i + 1; ok && generic && j < 6 && t->shapes[j].block[0]; j++)
            run_shape(t, &k, &t->shapes[j]);
        harness_destroy(&k);
        if (generic)
            break;
    }
}

// Loads take values from other lanes' registers where a block is one gang and no other store is in the way.
static void test_forward(void)
{
    static const struct {
        const char *kernel;
        unsigned width, block, forwards;
    } rows[] = {{"k_wave", 16, 16, 3},     {"k_wave", 32, 32, 3},  {"k_wave", 32, 9, 3},   {"k_wave", 8, 8, 3},
                {"k_wave", 16, 17, 0},     {"k_wave", 8, 16, 0},   {"k_wave", 1, 1, 0},    {"k_wave_hit", 16, 16, 0},
                {"k_wave_hit", 32, 32, 0}, {"k_leave", 32, 32, 0}, {"k_reduce", 32, 32, 0}};
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct harness_kernel k;
        CHECK(harness_compile(&k, rows[i].kernel, HARNESS_VECTOR, rows[i].width, (unsigned[3]){rows[i].block, 1, 1}));
        CHECK(k.forwards == rows[i].forwards);
        harness_destroy(&k);
    }
}

// Loops that merely contain an atomic do not wait. Those that take numbers from a counter may: another thread may set it back.
static void test_spin(void)
{
    static const struct {
        const char *kernel;
        bool waits;
    } rows[] = {{"k_copy", false},  {"k_lock", true},   {"k_lock_inside", true}, {"k_grid_barrier", true},
                {"k_token", true},  {"k_poll", true},   {"k_reduce", false},     {"k_barrier_red", false},
                {"k_named", false}, {"k_retry", false}, {"k_take", true},        {"k_semaphore", true}};
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct harness_kernel k;
        CHECK(harness_compile(&k, rows[i].kernel, HARNESS_SCALAR, 1, (unsigned[3]){64, 1, 1}));
        CHECK((k.yields != 0) == rows[i].waits);
        harness_destroy(&k);
    }
}

// The configurations that a kernel runs in.
static const struct configuration {
    enum harness_lanes lanes;
    unsigned width;
    bool generic;
} configurations[] = {
    {HARNESS_SCALAR, 1, false},         {HARNESS_SCALAR, 8, true},   {HARNESS_SCALAR, 16, false},
    {HARNESS_VECTOR, 1, false},         {HARNESS_VECTOR, 1, true},   {HARNESS_VECTOR, 8, false},
    {HARNESS_VECTOR, 16, true},         {HARNESS_VECTOR, 32, false}, {HARNESS_VECTOR, 16, false},
    {HARNESS_SCALAR_UNIFORM, 1, false}, // of those that are `uniform`
};

int main(void)
{
    const char *only = getenv("RESUME_ONLY");
    test_spin();
    test_forward();
    for (unsigned i = 0; i < sizeof tests / sizeof *tests; i++) {
        const struct test *t = &tests[i];
        if (only && strcmp(only, t->kernel))
            continue;
        unsigned count = sizeof configurations / sizeof *configurations - !t->uniform;
        for (unsigned k = 0; k < count; k++)
            if (test_takes(i, k, count))
                run_test(t, configurations[k].lanes, configurations[k].width, configurations[k].generic);
    }
    return test_summary();
}
