// SPDX-License-Identifier: Apache-2.0
// See runner.h.
#include "device/sched/fibres.h"
#include "device/sched/runner.h"
#include "base/os.h"
#include "base/reserve.h"
#include "device/check/report.h"
#include "device/count/count.h"
#include "device/debug/stacks.h"
#include "device/sched/launch_op.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static _Thread_local struct resident *own;

static void at_thread_end(void *r)
{
    resident_destroy(r);
    own = NULL;
}

static struct os_thread_end at_end = {.end = at_thread_end};

struct resident *resident_create(void)
{
    struct resident *r = reserve_alloc(64, (sizeof *r + 63) & ~(size_t)63);
    if (r)
        memset(r, 0, sizeof *r);
    return r;
}

void resident_destroy(struct resident *r)
{
    if (!r)
        return;
    cluster_destroy(r->cluster);
    own_stacks_release(r->debugged);
    fibres_release(r->fibres);
    stacks_free(r);
    if (r->shared_map)
        munmap(r->shared_map, r->shared_map_size);
    free(r->block.frame);
    check_resident_end(r);
    count_resident_end(r);
    sums_end(r);
    free(r);
}

struct resident *resident_of_thread(void)
{
    if (!own && (own = resident_create()))
        os_at_thread_end(&at_end, own);
    return own;
}

struct resident *resident_set_aside(void)
{
    struct resident *r = own;
    own = NULL;
    return r;
}

void resident_put_back(struct resident *r)
{
    resident_destroy(own);
    own = r;
    os_at_thread_end(&at_end, r);
}

bool resident_frame(struct resident *r, const struct jit_launch *launch, uint64_t frame_bytes, uint32_t shared_bytes)
{
    if (r->frame_size < frame_bytes) {
        size_t want = (frame_bytes + 4095) & ~(size_t)4095;
        char *p = reserve_alloc(JIT_FRAME_ALIGN, want);
        if (!p)
            return false;
        free(r->block.frame);
        r->block.frame = p;
        r->frame_size = want;
    }
    if (r->stacks)
        stacks_free(r); // of a block that ended by a fault
    if (r->debugged)
        own_stacks_release(r->debugged); // the same
    r->debugged = NULL;
    fibres_release(r->fibres);
    r->fibres = NULL;
    r->block.launch = launch;
    r->block.shared_bytes = shared_bytes;
    r->block.sink = r->sink;
    r->block.resume = 0;
    r->block.first_thread = JIT_NO_THREAD;
    r->block.engine = r;
    if (__builtin_expect(check_wanted, 0))
        check_resident(r, check_of(&r->block));
    if (__builtin_expect(count_wanted, 0))
        count_resident(r, launch_op_of(launch)->count);
    return true;
}

bool resident_prepare(struct resident *r, const struct jit_launch *launch, uint64_t frame_bytes, uint32_t shared_bytes,
                      uint32_t shared_room)
{
    static _Thread_local size_t page;
    if (!page)
        page = (size_t)sysconf(_SC_PAGESIZE);
    size_t body = shared_room;
    if (!r->shared_map || r->shared_map_size - page < body) {
        size_t want = body < (64u << 10) ? 64u << 10 : (body + page - 1) / page * page;
        char *p = reserve_map(want + page);
        if (!p)
            return false;
        mprotect(p + want, page, PROT_NONE);
        if (r->shared_map)
            munmap(r->shared_map, r->shared_map_size);
        r->shared_map = p;
        r->shared_map_size = want + page;
    }
    if (!resident_frame(r, launch, frame_bytes, shared_bytes))
        return false;
    r->block.shared = r->block.window = r->shared_map + r->shared_map_size - page - body;
    r->alone = (struct jit_cluster){.blocks = 1};
    r->block.cluster = &r->alone;
    r->block.rank = 0;
    return true;
}
