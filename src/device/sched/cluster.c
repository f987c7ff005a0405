// SPDX-License-Identifier: Apache-2.0
// Clusters: blocks that run at the same time, may read and write each other's shared memory and meet at a barrier.
//
// 1. A cluster is one unit of work: one thread runs its blocks in turns, each until it waits (resume points make that
//    cheap). So all of them are resident from the first turn to the last and each makes progress, whatever the number of
//    cores; and shared memory keeps what the code generator counts on, that one thread at a time touches it: its atomics are
//    plain operations, across blocks too. Other clusters run on other threads.
// 2. Shared memory of the blocks lies in one reservation of addresses, JIT_WINDOW_SHIFT apart. A shared address is
//    rank << JIT_WINDOW_SHIFT | offset, as on a GPU, and an address of one block means the same in the others. Only what the
//    kernel asked for is accessible; each block's part ends against inaccessible pages.
// 3. A block that can do nothing before the barrier's next phase sleeps (cluster.h). Where all that are not over sleep, the
//    program would hang a GPU: the phase is ended, so that no worker is lost.
// 4. Where every block spins on something for some turns, the cluster is put aside as a whole (launch.c): what it waits for
//    is outside.
#include "device/sched/runner.h"
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { SPIN_TURNS = 8 };

struct cluster {
    struct jit_cluster barrier;
    uint32_t blocks;                         // there is memory for
    struct resident *block[JIT_CLUSTER_MAX]; // [0] is the one that holds this
    char *window;
    size_t window_size, part_size; // part_size: accessible bytes of each block
};

void cluster_destroy(struct cluster *c)
{
    if (!c)
        return;
    for (uint32_t i = 1; i < c->blocks; i++)
        resident_destroy(c->block[i]);
    if (c->window)
        munmap(c->window, c->window_size);
    free(c);
}

// Clusters between two launches: mapping their windows takes longer than a small kernel. No more than there are workers.
static pthread_mutex_t idle_lock = PTHREAD_MUTEX_INITIALIZER;
static struct resident *idle;
static unsigned idle_count;

struct resident *cluster_take(void)
{
    pthread_mutex_lock(&idle_lock);
    struct resident *r = idle;
    if (r) {
        idle = r->next;
        idle_count--;
    }
    pthread_mutex_unlock(&idle_lock);
    return r ? r : resident_create();
}

void cluster_give(struct resident *first)
{
    pthread_mutex_lock(&idle_lock);
    bool room = idle_count < pool_workers();
    if (room) {
        first->next = idle;
        idle = first;
        idle_count++;
    }
    pthread_mutex_unlock(&idle_lock);
    if (!room)
        resident_destroy(first);
}

// Reserves the window for n blocks with `part` bytes each, a multiple of the page size.
static bool window_prepare(struct cluster *c, uint32_t n, size_t part)
{
    size_t size = ((size_t)n << JIT_WINDOW_SHIFT) + (size_t)sysconf(_SC_PAGESIZE);
    if (c->window && c->window_size >= size && c->part_size >= part)
        return true;
    if (c->window)
        munmap(c->window, c->window_size);
    c->window = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (c->window == MAP_FAILED) {
        c->window = NULL;
        return false;
    }
    c->window_size = size;
    c->part_size = part;
    for (uint32_t i = 0; i < n; i++)
        if (mprotect(c->window + ((size_t)i << JIT_WINDOW_SHIFT), part, PROT_READ | PROT_WRITE))
            return false;
    return true;
}

// The number of the block with this rank in the grid, x fastest.
static uint64_t block_number(const struct jit_launch *l, uint64_t cluster, uint32_t rank)
{
    uint64_t at[3], rest = cluster;
    for (int i = 0; i < 3; i++) {
        uint32_t clusters = l->grid[i] / l->cluster[i];
        at[i] = rest % clusters * l->cluster[i] + rank % l->cluster[i];
        rest /= clusters;
        rank /= l->cluster[i];
    }
    return at[0] + l->grid[0] * (at[1] + l->grid[1] * at[2]);
}

bool cluster_prepare(struct resident *first, const struct jit_launch *launch, uint64_t number, uint64_t frame_bytes,
                     uint32_t shared_bytes, uint32_t shared_room)
{
    uint32_t n = launch->cluster[0] * launch->cluster[1] * launch->cluster[2];
    size_t page = (size_t)sysconf(_SC_PAGESIZE), body = shared_room;
    struct cluster *c = first->cluster ? first->cluster : calloc(1, sizeof *c);
    if (!c)
        return false;
    first->cluster = c;
    c->block[0] = first;
    c->blocks = c->blocks ? c->blocks : 1;
    for (; c->blocks < n; c->blocks++)
        if (!(c->block[c->blocks] = resident_create()))
            return false;
    if (!window_prepare(c, n, body ? (body + page - 1) / page * page : page))
        return false;
    c->barrier = (struct jit_cluster){.blocks = n};
    char *window = c->window + c->part_size - body;
    for (uint32_t i = 0; i < n; i++) {
        struct jit_block *b = &c->block[i]->block;
        if (!resident_frame(c->block[i], launch, frame_bytes, shared_bytes))
            return false;
        b->window = window;
        b->shared = window + ((size_t)i << JIT_WINDOW_SHIFT);
        b->cluster = &c->barrier;
        b->rank = i;
        b->linear = block_number(launch, number, i);
    }
    return true;
}

bool cluster_run(struct resident *first, const struct jit_launch *launch, jit_entry_fn *entry,
                 struct jit_block *volatile *now)
{
    struct cluster *c = first->cluster;
    struct jit_cluster *j = &c->barrier;
    uint32_t all = (1u << j->blocks) - 1;
    for (unsigned spins = 0; j->finished != all;) {
        bool moved = false;
        uint32_t phase = j->phase;
        for (uint32_t i = 0; i < j->blocks; i++) {
            if ((j->finished | j->asleep) >> i & 1)
                continue;
            *now = &c->block[i]->block;
            if (entry(launch, &c->block[i]->block, 1) == JIT_DONE) {
                cluster_leave(&c->block[i]->block);
                moved = true;
            }
        }
        if (j->finished != all && (j->finished | j->asleep) == all)
            cluster_next_phase(j);
        spins = moved || j->phase != phase ? 0 : spins + 1;
        if (spins >= SPIN_TURNS)
            return false;
    }
    return true;
}
