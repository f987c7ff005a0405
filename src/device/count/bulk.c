// SPDX-License-Identifier: Apache-2.0
// Bulk copies, which one thread asks for: cp.async.bulk, cp.reduce.async.bulk and their tensor forms. They are counted when they are made: what
// a copy takes is known without the rest of its warp, and sums do not depend on the order. Sectors are those of global memory that a copy
// names, each once; they go past the first cache. Code tells which instruction it is (COUNT_BULK), then how many bytes follow at the address
// (COUNT_BYTES); of a tensor the engine knows the rows that lie in it.
#include "device/count/count.h"
#include "device/sched/runner.h"

static struct count_lane *lane_of(const struct count_blocks *s, uint32_t thread)
{
    return thread / 32 < s->nwarps ? &s->warp[thread / 32].lane[thread % 32] : NULL;
}

static void add_row(struct count_blocks *s, const struct count_lane *l, uint64_t address, uint64_t bytes)
{
    uint64_t *f = s->tally->insn[l->bulk.insn];
    f[COUNT_BULK_BYTES] += bytes;
    f[COUNT_BULK_SECTORS] += address ? count_copied(s, address, bytes) : 0;
}

static void end(struct count_blocks *s, struct count_lane *l)
{
    s->tally->insn[l->bulk.insn][COUNT_BULK_COPIES]++;
    l->bulk.insn = COUNT_NONE;
    count_copied_all(s);
}

void count_bulk(struct count_blocks *s, uint32_t thread, uint32_t what, uint64_t number)
{
    struct count_lane *l = lane_of(s, thread);
    if (!l)
        return;
    if (count_kind(what) == COUNT_BULK) {
        l->bulk.insn = count_index(what);
        l->bulk.at = number;
    } else if (l->bulk.insn == count_index(what)) {
        add_row(s, l, l->bulk.at, number);
        end(s, l);
    }
}

void count_bulk_row(const struct jit_block *b, uint32_t thread, uint64_t address, uint64_t bytes)
{
    struct count_blocks *s = count_of(b->engine);
    struct count_lane *l = s ? lane_of(s, thread) : NULL;
    if (l && l->bulk.insn != COUNT_NONE)
        add_row(s, l, address, bytes);
}

void count_bulk_end(const struct jit_block *b, uint32_t thread)
{
    struct count_blocks *s = count_of(b->engine);
    struct count_lane *l = s ? lane_of(s, thread) : NULL;
    if (l && l->bulk.insn != COUNT_NONE)
        end(s, l);
}
