// SPDX-License-Identifier: Apache-2.0
// The reference: every thread of a block is a fiber that runs the kernel as native code. Fibers take turns; one that
// waits for others passes on. Slow, and right by construction.
#include "vectorise_test.h"
#include "vectorise_dialect.h"
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

enum { STACK = 128 * 1024, RING = 4 };

struct fiber {
    ucontext_t context;
    char *stack;
    bool done;
    u32 sequence; // collectives entered
    u64 posted[RING];
};

static struct {
    const struct case_row *row;
    const struct params *params;
    void (*kernel)(void);
    struct fiber *fibers;
    u32 threads, current, block_x, block_y, barrier_waiting, barrier_round, done;
    ucontext_t scheduler;
    char *shared;
} now;

static void pass_on(void)
{
    swapcontext(&now.fibers[now.current].context, &now.scheduler);
}

static void fiber_main(void)
{
    now.kernel();
    now.fibers[now.current].done = true;
    now.done++;
    pass_on();
}

u32 tid_x(void)
{
    return now.current % now.row->block[0];
}
u32 tid_y(void)
{
    return now.current / now.row->block[0] % now.row->block[1];
}
u32 tid_z(void)
{
    return now.current / (now.row->block[0] * now.row->block[1]);
}
u32 ntid_x(void)
{
    return now.row->block[0];
}
u32 ntid_y(void)
{
    return now.row->block[1];
}
u32 ctaid_x(void)
{
    return now.block_x;
}
u32 ctaid_y(void)
{
    return now.block_y;
}
u32 nctaid_x(void)
{
    return now.row->grid[0];
}
u32 laneid(void)
{
    return now.current % 32;
}
u32 warpid(void)
{
    return now.current / 32;
}
u32 lanemask_lt(void)
{
    return (1u << laneid()) - 1;
}
u32 lanemask_ge(void)
{
    return ~lanemask_lt();
}
const char *args(void)
{
    return (const char *)now.params;
}
char *shared(void)
{
    return now.shared;
}
u32 rt_vprintf(const void *format, const void *values)
{
    return (u32)(uintptr_t)format * 3 + (u32)(uintptr_t)values + now.current;
}

// Finished threads count as arrived.
void barrier(u32 id, u32 threads)
{
    (void)id, (void)threads;
    u32 round = now.barrier_round;
    now.barrier_waiting++;
    while (round == now.barrier_round) {
        if (now.barrier_waiting + now.done == now.threads) {
            now.barrier_waiting = 0;
            now.barrier_round++;
            return;
        }
        pass_on();
    }
}

// Posts a value and waits for those of all members that exist.
static void exchange(u32 mask, u64 mine, u64 out[32])
{
    struct fiber *self = &now.fibers[now.current], *warp = &now.fibers[now.current / 32 * 32];
    u32 n = now.threads - now.current / 32 * 32, s = self->sequence;
    self->posted[s % RING] = mine;
    self->sequence = s + 1;
    for (u32 l = 0; l < 32 && l < n; l++)
        while ((mask >> l & 1) && warp[l].sequence <= s && !warp[l].done)
            pass_on();
    for (u32 l = 0; l < 32; l++)
        out[l] = l < n ? warp[l].posted[s % RING] : 0;
}

// The PTX manual's rule for shfl.
static u32 shuffle(int mode, u32 mask, u32 v, u32 b, u32 c, bool *ok)
{
    u64 all[32];
    exchange(mask, v, all);
    int lane = (int)laneid(), bval = (int)(b & 31), cval = (int)(c & 31), segment = (int)(c >> 8 & 31), j;
    int low = lane & segment, high = low | (cval & ~segment & 31);
    switch (mode) {
    case 0:
        j = lane - bval;
        *ok = j >= high;
        break;
    case 1:
        j = lane + bval;
        *ok = j <= high;
        break;
    case 2:
        j = lane ^ bval;
        *ok = j <= high;
        break;
    default:
        j = low | (bval & ~segment & 31);
        *ok = j <= high;
        break;
    }
    return (u32)all[*ok ? j : lane];
}

#define SHUFFLE(name, mode)                                                                                            \
    u32 shfl_##name(u32 mask, u32 v, u32 b, u32 c)                                                                     \
    {                                                                                                                  \
        bool ok;                                                                                                       \
        return shuffle(mode, mask, v, b, c, &ok);                                                                      \
    }
SHUFFLE(up, 0)
SHUFFLE(down, 1)
SHUFFLE(bfly, 2)
SHUFFLE(idx, 3)
_Bool shfl_pred_up(u32 mask, u32 v, u32 b, u32 c)
{
    bool ok;
    shuffle(0, mask, v, b, c, &ok);
    return ok;
}
_Bool shfl_pred_idx(u32 mask, u32 v, u32 b, u32 c)
{
    bool ok;
    shuffle(3, mask, v, b, c, &ok);
    return ok;
}

#define EACH(l)                                                                                                        \
    for (u32 l = 0; l < 32; l++)                                                                                       \
        if (mask >> l & 1)

u32 ballot(u32 mask, _Bool p)
{
    u64 all[32];
    u32 r = 0;
    exchange(mask, p, all);
    EACH(l)
    r |= (u32)all[l] << l;
    return r;
}
_Bool vote_any(u32 mask, _Bool p)
{
    return ballot(mask, p) != 0;
}
_Bool vote_all(u32 mask, _Bool p)
{
    return ballot(mask, p) == mask;
}
_Bool vote_uni(u32 mask, _Bool p)
{
    u32 r = ballot(mask, p);
    return r == 0 || r == mask;
}
u32 match_any64(u32 mask, u64 v)
{
    u64 all[32];
    u32 r = 0;
    exchange(mask, v, all);
    EACH(l)
    r |= (u32)(all[l] == v) << l;
    return r;
}
u32 match_any(u32 mask, u32 v)
{
    return match_any64(mask, v);
}
u32 match_all(u32 mask, u32 v)
{
    return match_any64(mask, v) == mask ? mask : 0;
}
u32 redux_add(u32 mask, u32 v)
{
    u64 all[32];
    u32 r = 0;
    exchange(mask, v, all);
    EACH(l)
    r += (u32)all[l];
    return r;
}
u32 redux_xor(u32 mask, u32 v)
{
    u64 all[32];
    u32 r = 0;
    exchange(mask, v, all);
    EACH(l)
    r ^= (u32)all[l];
    return r;
}
u32 redux_min(u32 mask, u32 v)
{
    u64 all[32];
    int r = INT32_MAX;
    exchange(mask, v, all);
    EACH(l)
    r = (int)all[l] < r ? (int)all[l] : r;
    return (u32)r;
}
u32 redux_max(u32 mask, u32 v)
{
    u64 all[32];
    u32 r = 0;
    exchange(mask, v, all);
    EACH(l)
    r = (u32)all[l] > r ? (u32)all[l] : r;
    return r;
}
_Bool elect(u32 mask)
{
    u64 all[32];
    exchange(mask, 0, all);
    return laneid() == (u32)__builtin_ctz(mask);
}

static void run_block(void)
{
    now.barrier_waiting = now.done = 0;
    for (u32 t = 0; t < now.threads; t++) {
        struct fiber *f = &now.fibers[t];
        f->done = false;
        f->sequence = 0;
        getcontext(&f->context);
        f->context.uc_stack.ss_sp = f->stack;
        f->context.uc_stack.ss_size = STACK;
        f->context.uc_link = NULL;
        makecontext(&f->context, fiber_main, 0);
    }
    while (now.done < now.threads)
        for (now.current = 0; now.current < now.threads; now.current++)
            if (!now.fibers[now.current].done)
                swapcontext(&now.scheduler, &now.fibers[now.current].context);
}

void reference_run(const struct case_row *row, const struct params *params)
{
    now.row = row;
    now.params = params;
    now.kernel = row->native;
    now.threads = row->block[0] * row->block[1] * row->block[2];
    now.fibers = calloc(now.threads, sizeof *now.fibers);
    now.shared = aligned_alloc(128, TEST_SHARED_BYTES);
    for (u32 t = 0; t < now.threads; t++)
        now.fibers[t].stack = malloc(STACK);
    for (now.block_y = 0; now.block_y < row->grid[1]; now.block_y++)
        for (now.block_x = 0; now.block_x < row->grid[0]; now.block_x++) {
            memset(now.shared, 0x7f, TEST_SHARED_BYTES);
            run_block();
        }
    for (u32 t = 0; t < now.threads; t++)
        free(now.fibers[t].stack);
    free(now.fibers);
    free(now.shared);
}
