// SPDX-License-Identifier: Apache-2.0
// The barrier of a cluster: what its blocks, which run by turns on one thread, tell each other. Known to the scheduler
// within a block (abi/run.c) and to the one of the cluster (src/device/sched/cluster.c); generated code only passes it on.
//
// A phase of the barrier is over when every thread of the cluster has arrived or finished. Each block finds out for itself
// whether its own threads have, and says so once a phase; a block that finished stays in for good. What is left to run of a
// block that can do nothing but wait for the end of the phase is put to sleep until then.
#ifndef HEDDLE_JIT_CLUSTER_H
#define HEDDLE_JIT_CLUSTER_H
#include "jit/abi/abi.h"

struct jit_cluster {
    uint32_t blocks;
    uint32_t phase;
    uint32_t complete; // by rank: all threads have arrived or finished
    uint32_t finished; // by rank: the block is over
    uint32_t asleep;   // by rank: waits for the end of the phase
};

static inline void cluster_next_phase(struct jit_cluster *c)
{
    c->phase++;
    c->complete = c->finished;
    c->asleep = 0;
}

static inline void cluster_test(struct jit_cluster *c)
{
    if (c->complete == (1u << c->blocks) - 1)
        cluster_next_phase(c);
}

// All threads of the block have arrived, or finished.
static inline void cluster_arrive(struct jit_block *b)
{
    b->cluster->complete |= 1u << b->rank;
    cluster_test(b->cluster);
}

// The block is over.
static inline void cluster_leave(struct jit_block *b)
{
    struct jit_cluster *c = b->cluster;
    c->finished |= 1u << b->rank;
    c->complete |= c->finished;
    if (c->finished != (1u << c->blocks) - 1)
        cluster_test(c);
}
#endif
