// SPDX-License-Identifier: Apache-2.0
// Device emulation: kernels compiled as plain host code (nvcc -deviceemu), run so that any host debugger serves them.
//
//  1. Each thread of a block is a fiber with a stack of its own, 256 KB and a guard page, on the host thread that
//     launched. It runs until it ends or waits; then the next one runs. So at most one thread runs at any time, a
//     breakpoint stops all, and `threadIdx` in a debugger is that of the code on the screen.
//  2. Blocks run one after another: shared variables are static variables, dynamic shared memory is one buffer.
//  3. A launch is over when it returns; before it begins, the stream's earlier work is waited for.
//  4. A barrier opens when every thread of the block stands at it. When none can run, and some wait where others have
//     ended or wait elsewhere, this is a deadlock: it is told with the place, and the launch fails.
//  5. Exchanges within a warp (shuffles, votes) wait for the lanes of their mask that have not ended.
//  6. Emulated code reads device memory directly, so the driver must be our own: a GPU's is never taken.
#include "runtime/emulate/emulate.h"
#include "runtime/runtime.h"
#include <heddle/emulation/emulation_api.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#define EXPORT        __attribute__((visibility("default")))
#define STACK_BYTES   (256u << 10)
#define SHARED_BYTES  (227u << 10)
#define BLOCK_THREADS 1024
#define WARP          32

enum state { RUNNABLE, AT_BARRIER, IN_EXCHANGE, ENDED };

struct fiber {
    ucontext_t context;
    struct __cudaEmulationThread thread;
    enum state state;
    const char *function, *file; // where it waits
    int line;
    int value;     // given to a barrier, and then its result
    unsigned mask; // of an exchange
    unsigned present;
    unsigned long long given, got[WARP];
};

EXPORT struct __cudaEmulationThread __cudaEmulationNow;
EXPORT char __cudaEmulationShared[SHARED_BYTES] __attribute__((aligned(256)));

static pthread_mutex_t running = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local bool inside; // this host thread runs a kernel

static struct {
    struct fiber *fibers;        // BLOCK_THREADS, from the first launch on
    char *stacks[BLOCK_THREADS]; // kept between launches
    unsigned count, now;
    ucontext_t scheduler;
    const struct __cudaEmulationLaunch *launch;
} engine;

static struct fiber *current(void)
{
    return &engine.fibers[engine.now];
}

static void wait_here(struct fiber *f, enum state state, const char *function, const char *file, int line)
{
    f->state = state;
    f->function = function;
    f->file = file;
    f->line = line;
    swapcontext(&f->context, &engine.scheduler);
}

void __cudaEmulationYield(void)
{
    if (inside)
        wait_here(current(), RUNNABLE, NULL, NULL, 0);
}

int __cudaEmulationBarrier(int value, const char *function, const char *file, int line)
{
    if (!inside) // a device function that the host calls stands alone
        return value != 0;
    struct fiber *f = current();
    f->value = value;
    wait_here(f, AT_BARRIER, function, file, line);
    return f->value;
}

// Completes an exchange when all lanes of its mask that have not ended stand in it.
static bool exchange_complete(struct fiber *any)
{
    unsigned first = (unsigned)(any - engine.fibers) / WARP * WARP, present = 0;
    for (unsigned lane = 0; lane < WARP && first + lane < engine.count; lane++) {
        const struct fiber *f = &engine.fibers[first + lane];
        if (!(any->mask >> lane & 1) || f->state == ENDED)
            continue;
        if (f->state != IN_EXCHANGE || f->mask != any->mask)
            return false;
        present |= 1u << lane;
    }
    unsigned long long all[WARP] = {0};
    for (unsigned lane = 0; lane < WARP; lane++)
        if (present >> lane & 1)
            all[lane] = engine.fibers[first + lane].given;
    for (unsigned lane = 0; lane < WARP; lane++)
        if (present >> lane & 1) {
            struct fiber *f = &engine.fibers[first + lane];
            memcpy(f->got, all, sizeof all);
            f->present = present;
            f->state = RUNNABLE;
        }
    return true;
}

const unsigned long long *__cudaEmulationExchange(unsigned int mask, unsigned long long value, unsigned int *present,
                                                  const char *function, const char *file, int line)
{
    static _Thread_local unsigned long long alone[WARP];
    if (!inside) {
        alone[0] = value;
        *present = 1;
        return alone;
    }
    struct fiber *f = current();
    f->mask = mask | 1u << f->thread.lane;
    f->given = value;
    f->state = IN_EXCHANGE;
    if (!exchange_complete(f))
        wait_here(f, IN_EXCHANGE, function, file, line);
    *present = f->present;
    return f->got;
}

void __cudaEmulationTexture(unsigned long long texture, unsigned int op, const unsigned int *args, unsigned int *out)
{
    if (rt_enter())
        return;
    if (!drv.texture_read || drv.texture_read(texture, op, args, out))
        rt_fail(cudaErrorInvalidTexture);
}

static void fiber_main(void)
{
    engine.launch->call(engine.launch->data);
    current()->state = ENDED;
    swapcontext(&current()->context, &engine.scheduler); // never comes back
}

static char *stack_get(unsigned i)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    if (!engine.stacks[i]) {
        char *p =
            mmap(NULL, STACK_BYTES + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (p == MAP_FAILED)
            return NULL;
        mprotect(p, page, PROT_NONE);
        engine.stacks[i] = p + page;
    }
    return engine.stacks[i];
}

static void fiber_start(unsigned i, uint3 block)
{
    struct fiber *f = &engine.fibers[i];
    const struct __cudaEmulationLaunch *l = engine.launch;
    f->state = RUNNABLE;
    f->thread.threadIdx = (uint3){i % l->block.x, i / l->block.x % l->block.y, i / (l->block.x * l->block.y)};
    f->thread.blockIdx = block;
    f->thread.blockDim = l->block;
    f->thread.gridDim = l->__grid;
    f->thread.lane = i % WARP;
    getcontext(&f->context);
    f->context.uc_stack.ss_sp = engine.stacks[i];
    f->context.uc_stack.ss_size = STACK_BYTES;
    f->context.uc_link = NULL;
    makecontext(&f->context, fiber_main, 0);
}

// All wait: opens the barrier when every thread of the block stands at it.
static bool barrier_open(void)
{
    int count = 0;
    for (unsigned i = 0; i < engine.count; i++) {
        if (engine.fibers[i].state != AT_BARRIER)
            return false;
        count += engine.fibers[i].value != 0;
    }
    for (unsigned i = 0; i < engine.count; i++) {
        engine.fibers[i].value = count;
        engine.fibers[i].state = RUNNABLE;
    }
    return true;
}

static void deadlock_tell(uint3 block)
{
    fprintf(stderr, "deadlock in %s, block (%u,%u,%u): threads wait for others that do not come\n",
            engine.launch->kernel, block.x, block.y, block.z);
    unsigned ended = 0;
    bool told[BLOCK_THREADS] = {0};
    for (unsigned i = 0; i < engine.count; i++) {
        const struct fiber *f = &engine.fibers[i];
        ended += f->state == ENDED;
        if (f->state == ENDED || told[i])
            continue;
        unsigned same = 0;
        for (unsigned k = i; k < engine.count; k++) {
            const struct fiber *g = &engine.fibers[k];
            if (g->state == f->state && g->line == f->line && g->file && !strcmp(g->file, f->file)) {
                told[k] = true;
                same++;
            }
        }
        fprintf(stderr, "  %s:%d: %u thread%s at %s, the first is (%u,%u,%u)\n", f->file, f->line, same,
                same == 1 ? "" : "s", f->function, f->thread.threadIdx.x, f->thread.threadIdx.y, f->thread.threadIdx.z);
    }
    if (ended)
        fprintf(stderr, "  %u thread%s ended before\n", ended, ended == 1 ? " has" : "s have");
}

static bool block_run(uint3 block)
{
    unsigned alive = engine.count;
    for (unsigned i = 0; i < engine.count; i++)
        fiber_start(i, block);
    while (alive) {
        bool ran = false;
        for (unsigned i = 0; i < engine.count; i++) {
            struct fiber *f = &engine.fibers[i];
            if (f->state != RUNNABLE)
                continue;
            ran = true;
            engine.now = i;
            __cudaEmulationNow = f->thread;
            swapcontext(&engine.scheduler, &f->context);
            if (f->state == ENDED)
                alive--;
        }
        // An exchange may have waited for threads that have ended meanwhile.
        for (unsigned i = 0; !ran && i < engine.count; i++)
            ran = engine.fibers[i].state == IN_EXCHANGE && exchange_complete(&engine.fibers[i]);
        if (!ran && alive && !barrier_open()) {
            deadlock_tell(block);
            return false;
        }
    }
    return true;
}

static cudaError_t launch_check(const struct __cudaEmulationLaunch *l)
{
    unsigned long long threads = (unsigned long long)l->block.x * l->block.y * l->block.z;
    if (!threads || threads > BLOCK_THREADS || l->block.z > 64 || !l->__grid.x || !l->__grid.y || !l->__grid.z ||
        l->__grid.y > 65535 || l->__grid.z > 65535)
        return cudaErrorInvalidConfiguration;
    return l->shared > SHARED_BYTES ? cudaErrorInvalidValue : cudaSuccess;
}

cudaError_t __cudaEmulationRun(const struct __cudaEmulationLaunch *l)
{
    cudaError_t e = rt_enter();
    e = e ? e : rt_fail(launch_check(l));
    if (e)
        return e;
    if (inside) // a kernel that launches kernels
        return rt_fail(cudaErrorNotSupported);
    e = l->stream ? cudaStreamSynchronize(l->stream) : cudaDeviceSynchronize();
    if (e)
        return e;
    pthread_mutex_lock(&running);
    if (!engine.fibers)
        engine.fibers = calloc(BLOCK_THREADS, sizeof *engine.fibers);
    e = engine.fibers ? cudaSuccess : cudaErrorMemoryAllocation;
    engine.launch = l;
    engine.count = l->block.x * l->block.y * l->block.z;
    for (unsigned i = 0; !e && i < engine.count; i++)
        e = stack_get(i) ? cudaSuccess : cudaErrorMemoryAllocation;
    inside = true;
    for (unsigned z = 0; !e && z < l->__grid.z; z++)
        for (unsigned y = 0; !e && y < l->__grid.y; y++)
            for (unsigned x = 0; !e && x < l->__grid.x; x++)
                e = block_run((uint3){x, y, z}) ? cudaSuccess : cudaErrorLaunchFailure;
    inside = false;
    memset(&__cudaEmulationNow, 0, sizeof __cudaEmulationNow);
    pthread_mutex_unlock(&running);
    return rt_fail(e);
}
