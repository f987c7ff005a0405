// SPDX-License-Identifier: Apache-2.0
// The device engine without a compiler: kernels are C functions with the entry's signature.
#include "device/device.h"
#include "device/hook/hooks.h"
#include "jit/abi/cluster.h"
#include "jit/abi/run.h"
#include "test.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct fault_state faults;

// Code lives as long as the ops that run it, and these a little longer than it takes to wait for them: it is kept to the end.
static struct jit_code *code_for(jit_entry_fn *entry, bool may_wait)
{
    static struct jit_code codes[64];
    static unsigned n;
    struct jit_code *c = &codes[n++];
    c->entry = entry;
    c->variant.width = 1;
    c->variant.may_wait = may_wait;
    c->variant.frame_bytes = 256;
    c->variant.shared_static = 64;
    c->variant.block[0] = c->variant.block[1] = c->variant.block[2] = 1;
    return c;
}

static struct op *submit(struct queue *q, struct jit_code *code, uint32_t blocks, const void *args, size_t size,
                         bool cooperative)
{
    struct launch_desc d = {.code = code,
                            .kernel = "test",
                            .args = args,
                            .args_size = size,
                            .grid = {blocks, 1, 1},
                            .block = {1, 1, 1},
                            .dynamic_shared = 1000,
                            .cooperative = cooperative,
                            .faults = &faults};
    struct op *op = launch_op_create(&d);
    queue_submit(q, op, NULL, 0);
    return op;
}

static uint32_t mark(const struct jit_launch *l, struct jit_block *b, uint64_t count)
{
    atomic_uint *cells = *(atomic_uint *const *)l->args;
    for (uint64_t i = 0; i < count; i++) {
        b->shared[b->shared_bytes - 1] = 1;
        b->frame[255] = 1;
        atomic_fetch_add(&cells[b->linear + i], 1);
    }
    return JIT_DONE;
}

// Short grids one after the other, once the time of a block is known: each is cut into parts for the threads.
static void short_grids(struct queue *q)
{
    enum { BLOCKS = 5000, TIMES = 400 };
    struct jit_code *c = code_for(mark, false);
    atomic_uint *cells = calloc(BLOCKS, sizeof *cells);
    for (int i = 0; i < TIMES; i++) {
        struct op *op = submit(q, c, BLOCKS, &cells, sizeof cells, false);
        if (i % 7 == 0)
            op_wait(op);
        op_release(op);
    }
    queue_wait(q);
    bool right = true;
    for (int i = 0; i < BLOCKS; i++)
        right &= cells[i] == TIMES;
    CHECK(right);
    free(cells);
}

static void grids(struct queue *q)
{
    struct jit_code *c = code_for(mark, false);
    for (uint32_t n = 1; n < 100000; n = n * 3 + 1) {
        atomic_uint *cells = calloc(n, sizeof *cells);
        struct op *op = submit(q, c, n, &cells, sizeof cells, false);
        op_wait(op);
        op_release(op);
        bool right = true;
        for (uint32_t i = 0; i < n; i++)
            right &= cells[i] == 1;
        CHECK(right);
        free(cells);
    }
}

// Every block adds one and waits until all have: only resident blocks can do that.
static uint32_t rendezvous(const struct jit_launch *l, struct jit_block *b, uint64_t count)
{
    atomic_uint *counter = *(atomic_uint *const *)l->args;
    (void)count;
    if (!b->resume) {
        b->resume = 1;
        atomic_fetch_add(counter, 1);
    }
    return atomic_load(counter) < l->grid[0] ? JIT_YIELD : JIT_DONE;
}

// Blocks of a cluster: each leaves its number in the next one's shared memory, and finds its neighbour's after the barrier.
struct ring {
    atomic_uint met, right, leavers; // leavers: so many ranks leave before the barrier
    atomic_uint hangs;               // 1: rank 0 waits although it never arrived for a second phase
};

static uint32_t around(const struct jit_launch *l, struct jit_block *b, uint64_t count)
{
    struct ring *r = *(struct ring *const *)l->args;
    uint32_t n = b->cluster->blocks, next = (b->rank + 1) % n;
    (void)count;
    if (b->resume == 2)
        return JIT_DONE;
    if (!b->resume) {
        if (b->rank >= n - r->leavers)
            return JIT_DONE;
        *(uint64_t *)(b->window + ((size_t)next << JIT_WINDOW_SHIFT)) = b->linear;
        b->resume = 1;
        if (heddle_cluster_step(b, RESUME_CLUSTER_SYNC))
            return JIT_YIELD;
    }
    atomic_fetch_add(&r->met, 1);
    uint64_t from = *(uint64_t *)b->shared, first = b->linear / n * n;
    if (!r->leavers && from == first + (b->rank + n - 1) % n)
        atomic_fetch_add(&r->right, 1);
    if (!r->hangs || b->rank)
        return JIT_DONE;
    // Nobody else will arrive, and the others have not all left: the engine has to end the phase.
    b->resume = 2;
    b->cluster_phase = b->cluster->phase;
    return heddle_cluster_step(b, RESUME_CLUSTER_WAIT) ? JIT_YIELD : JIT_DONE;
}

static void clusters(struct queue *q)
{
    struct jit_code *c = code_for(around, false);
    c->variant.cluster = 1;
    for (uint32_t n = 2; n <= JIT_CLUSTER_MAX; n *= 2)
        for (uint32_t kind = 0; kind < 3; kind++) {
            struct ring r = {0}, *p = &r;
            uint32_t grid = 12 * n;
            r.leavers = kind == 1 ? n / 2 : 0;
            r.hangs = kind == 2;
            struct launch_desc d = {.code = c,
                                    .kernel = "ring",
                                    .args = &p,
                                    .args_size = sizeof p,
                                    .grid = {grid, 1, 1},
                                    .block = {1, 1, 1},
                                    .cluster = {n, 1, 1},
                                    .dynamic_shared = 5000,
                                    .faults = &faults};
            struct op *op = launch_op_create(&d);
            queue_submit(q, op, NULL, 0);
            op_wait(op);
            op_release(op);
            queue_wait(q);
            CHECK(r.met == grid - 12 * r.leavers);
            CHECK(r.leavers || r.right == grid);
        }
}

static uint32_t wild(const struct jit_launch *l, struct jit_block *b, uint64_t count)
{
    (void)l, (void)count;
    int *volatile nowhere = (int *)16;
    if (b->linear <= 7 && b->linear + count > 7)
        *(volatile int *)nowhere = 1;
    return JIT_DONE;
}

static uint32_t past_shared(const struct jit_launch *l, struct jit_block *b, uint64_t count)
{
    (void)l, (void)count;
    *(volatile char *)(b->shared + b->shared_bytes + 128) = 1;
    return JIT_DONE;
}

__attribute__((unused)) static void faulting(struct queue *q)
{
    jit_entry_fn *const kinds[] = {wild, past_shared};
    for (int k = 0; k < 2; k++) {
        struct jit_code *c = code_for(kinds[k], false), *m = code_for(mark, false);
        struct op *op = submit(q, c, 100, NULL, 0, false);
        op_wait(op);
        op_release(op);
        CHECK(faults.fault == FAULT_ILLEGAL_ADDRESS && strstr(faults.message, "kernel 'test'"));
        atomic_uint cell = 0, *cells = &cell;
        op = submit(q, m, 1, &cells, sizeof cells, false); // a lost context runs nothing
        op_wait(op);
        op_release(op);
        CHECK(cell == 0);
        memset(&faults, 0, sizeof faults);
    }
}

static char order[64];
static atomic_uint order_len;
struct letter_op {
    struct op op;
    char letter;
};

static void letter_run(struct op *op)
{
    usleep(200);
    order[atomic_fetch_add(&order_len, 1)] = ((struct letter_op *)op)->letter;
}

static struct op *letter(struct queue *q, char c, struct op *dep, unsigned flags)
{
    struct op *op = op_create(sizeof(struct letter_op), letter_run, NULL);
    op->flags = flags;
    ((struct letter_op *)op)->letter = c;
    queue_submit(q, op, &dep, dep != NULL);
    return op;
}

static void ordering(void)
{
    struct queue *a = queue_create(0), *b = queue_create(0);
    struct op *last = NULL;
    for (int round = 0; round < 20; round++) {
        atomic_store(&order_len, 0);
        struct op *x = letter(a, 'a', NULL, 0), *y = letter(a, 'b', NULL, OP_HOST), *z = letter(b, 'c', y, 0);
        last = letter(a, 'd', z, 0);
        op_wait(last);
        CHECK(order_len == 4 && !memcmp(order, "abcd", 4));
        CHECK(op_done(x) && queue_idle(a) && x->finished_ns <= y->finished_ns);
        op_release(x);
        op_release(y);
        op_release(z);
        op_release(last);
    }
    queue_wait(b);
    queue_destroy(a);
    queue_destroy(b);
}

static void memories(void)
{
    size_t free0, free1, total;
    memory_usage(0, &free0, &total);
    char *p[200];
    struct memory_range r;
    for (int i = 0; i < 200; i++) {
        size_t n = (size_t)(i * i * 37 + 1);
        p[i] = memory_alloc(MEMORY_DEVICE, n, 0, &p, 0);
        CHECK(p[i] && ((uintptr_t)p[i] & 255) == 0);
        memset(p[i], i, n);
        CHECK(memory_find(p[i] + n - 1, &r) && r.base == p[i] && r.size == n && r.kind == MEMORY_DEVICE);
        CHECK(!memory_find(p[i] + n, &r) || r.base != p[i]);
    }
    CHECK(!memory_free(p[5] + 1, MEMORY_DEVICE) && !memory_free(p[5], MEMORY_HOST));
    CHECK(memory_free(p[5], MEMORY_DEVICE) && !memory_free(p[5], MEMORY_DEVICE));
    char buffer[100];
    CHECK(memory_register(buffer, 100, 0, NULL, 0) && !memory_register(buffer + 50, 100, 0, NULL, 0));
    CHECK(memory_unregister(buffer) && !memory_unregister(buffer));
    memory_free_owner(&p);
    memory_usage(0, &free1, &total);
    CHECK(free0 == free1 && !memory_find(p[7], &r));
    CHECK(!memory_alloc(MEMORY_DEVICE, 0, 0, NULL, 0) && !memory_alloc(MEMORY_DEVICE, (size_t)1 << 60, 0, NULL, 0));
}

static void *hammer(void *arg)
{
    struct queue *q = queue_create(0);
    struct jit_code *c = arg;
    for (int i = 0; i < 200; i++) {
        atomic_uint cells[16] = {0}, *pointer = cells;
        struct op *op = submit(q, c, 16, &pointer, sizeof pointer, false);
        op_wait(op);
        op_release(op);
        for (int k = 0; k < 16; k++)
            if (cells[k] != 1)
                return "wrong";
    }
    queue_destroy(q);
    return NULL;
}

static void heap(void)
{
    struct jit_block b = {0};
    uint64_t x = hook_malloc(&b, 0, 100), y = hook_malloc(&b, 0, 5000);
    CHECK(x && y && !(x & 15) && !hook_malloc(&b, 0, 9u << 20) && !hook_malloc(&b, 0, 0));
    memset((void *)(uintptr_t)y, 1, 5000);
    hook_free(&b, 0, x);
    hook_free(&b, 0, y);
    hook_free(&b, 0, 0);
    x = hook_malloc(&b, 0, 7u << 20);
    CHECK(x != 0);
    hook_free(&b, 0, x);
    for (uint64_t alignment = 1; alignment <= 1 << 20; alignment *= 2) {
        x = hook_aligned_malloc(&b, 0, 100, alignment);
        CHECK(x && !(x & 15) && !(x & (alignment - 1)));
        memset((void *)(uintptr_t)x, 1, 100);
        hook_free(&b, 0, x);
    }
    CHECK(!hook_aligned_malloc(&b, 0, 100, 0) && !hook_aligned_malloc(&b, 0, 100, 48) &&
          !hook_aligned_malloc(&b, 0, 0, 64) && !hook_aligned_malloc(&b, 0, 100, 1ull << 63));
}

static void printing(void)
{
    struct jit_block b = {0};
    struct {
        int i;
        double d;
        const char *s;
        long long l;
        int c, w;
        unsigned x;
    } args = {-5, 1.5, "text", 1ll << 40, 'z', 6, 255};
    int saved = dup(1), ends[2];
    char got[200] = {0};
    CHECK(!pipe(ends));
    dup2(ends[1], 1);
    CHECK(hook_vprintf(&b, 0, "%d %.2f %s %lld %c [%*x] 100%%\n", &args) == 6);
    output_flush();
    dup2(saved, 1);
    close(ends[1]);
    CHECK(read(ends[0], got, sizeof got - 1) > 0);
    CHECK(!strcmp(got, "-5 1.50 text 1099511627776 z [    ff] 100%\n"));
}

int main(void)
{
    struct queue *q = queue_create(0);
    memories();
    ordering();
    short_grids(q);
    grids(q);
    for (uint32_t n = 1; n < 200; n = n * 2 + 1) {
        atomic_uint counter = 0, *pointer = &counter;
        struct jit_code *c = code_for(rendezvous, true);
        struct op *op = submit(q, c, n, &pointer, sizeof pointer, true);
        op_wait(op);
        CHECK(counter == n);
        op_release(op);
        queue_wait(q);
    }
    clusters(q);
#ifndef __SANITIZE_THREAD__ // its run time does not survive a jump out of a signal handler
    faulting(q);
#endif
    struct jit_code *c = code_for(mark, false);
    pthread_t t[8];
    for (int i = 0; i < 8; i++)
        pthread_create(&t[i], NULL, hammer, c);
    for (int i = 0; i < 8; i++) {
        void *result;
        pthread_join(t[i], &result);
        CHECK(!result);
    }
    heap();
    printing();
    queue_destroy(q);
    return test_summary();
}
