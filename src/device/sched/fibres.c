// SPDX-License-Identifier: Apache-2.0
// See fibres.h.
#include "device/sched/fibres.h"
#include "base/os.h"
#include "device/fault/fault.h"
#include "jit/abi/run.h"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

// The guard is more than the pages that a function's frame skips without touching them.
enum { STACK_BYTES = 1 << 20, GUARD_BYTES = 64 << 10, STORE_MOST = 1024 };
// How many there are at most. A guard of protected pages makes two mappings of each stack, of which a process has 65,530. Guard markers,
// which Linux has from 6.13 on, make none.
enum { MOST = 16384, MOST_BY_MARKERS = 1 << 19, GUARD_INSTALL = 102 };

// At the top of its stack.
struct fibre {
    ucontext_t here, back;
    struct fault_scope scope;
    heddle_thread_fn *fn;
    struct jit_block *block;
    uint32_t thread, state;
    bool over, faulted;
    struct fibre *next; // in the store
};

struct fibres {
    uint32_t count;
    struct fibre *of[]; // by thread; NULL: it has not begun, or is over
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct fibre *store;
static unsigned stored, existing, most = MOST;
static bool markers;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static _Thread_local struct fibre *running;

static char *low_of(struct fibre *f)
{
    return (char *)(f + 1) - STACK_BYTES;
}

// ---- the store

static void fibre_destroy(struct fibre *f)
{
    munmap(low_of(f) - GUARD_BYTES, GUARD_BYTES + STACK_BYTES);
}

static struct fibre *fibre_create(void)
{
    char *p = mmap(NULL, GUARD_BYTES + STACK_BYTES, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (p == MAP_FAILED)
        return NULL;
    struct fibre *f = (struct fibre *)(p + GUARD_BYTES + STACK_BYTES) - 1;
    if ((markers && !madvise(p, GUARD_BYTES, GUARD_INSTALL)) || !mprotect(p, GUARD_BYTES, PROT_NONE))
        return f;
    fibre_destroy(f);
    return NULL;
}

// Emulators say yes to advice that they do not know, and do nothing: so the kernel is asked to write there.
static bool is_guarded(char *p)
{
    int zeros = open("/dev/zero", O_RDONLY | O_CLOEXEC);
    bool guarded = zeros >= 0 && read(zeros, p, 1) < 0 && errno == EFAULT;
    if (zeros >= 0)
        close(zeros);
    return guarded;
}

static void find_markers(void)
{
    char *p = mmap(NULL, GUARD_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED)
        return;
    markers = !madvise(p, GUARD_BYTES, GUARD_INSTALL) && is_guarded(p);
    if (markers)
        most = MOST_BY_MARKERS;
    munmap(p, GUARD_BYTES);
}

bool fibres_are_many(void)
{
    pthread_once(&once, find_markers);
    pthread_mutex_lock(&lock);
    bool many = existing - stored >= most / 2;
    pthread_mutex_unlock(&lock);
    return many;
}

static struct fibre *fibre_take(void)
{
    pthread_once(&once, find_markers);
    pthread_mutex_lock(&lock);
    struct fibre *f = store;
    bool create = !f && existing < most;
    if (f) {
        store = f->next;
        stored--;
    }
    existing += create;
    pthread_mutex_unlock(&lock);
    if (!create || (f = fibre_create()))
        return f;
    pthread_mutex_lock(&lock);
    existing--;
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void fibre_give(struct fibre *f)
{
    pthread_mutex_lock(&lock);
    bool keep = stored < STORE_MOST;
    if (keep) {
        f->next = store;
        store = f;
        stored++;
    } else {
        existing--;
    }
    pthread_mutex_unlock(&lock);
    if (!keep)
        fibre_destroy(f);
}

// ---- one thread

// Nothing of the system's thread may be known over the switch: it may be another one behind it.
static __attribute__((noinline)) void leave(struct fibre *f)
{
    fault_leave(&f->scope);
    swapcontext(&f->here, &f->back);
}

void fibre_pause(uint32_t state)
{
    struct fibre *f = running;
    char *stack = f->scope.stack; // a fault ends in fibre_main, however deep the thread waited
    f->state = state;
    leave(f);
    fault_enter(&f->scope);
    f->scope.stack = stack;
}

bool fibre_holds(uint64_t address)
{
    return running && address - (uint64_t)(uintptr_t)low_of(running) < STACK_BYTES;
}

static void fibre_main(void)
{
    struct fibre *volatile f = running;
    if (!sigsetjmp(f->scope.jump, 0)) {
        fault_enter(&f->scope);
        f->fn(f->block->launch, f->block, f->thread);
    } else {
        f->faulted = true;
    }
    f->over = true;
    f->state = 0;
    leave(f);
}

static struct fibre *fibre_begin(struct fibres *all, struct jit_block *block, heddle_thread_fn *fn, uint32_t thread)
{
    const struct fault_scope *scope = fault_scope_of_thread();
    struct fibre *f = fibre_take();
    if (!f)
        fault_raise(FAULT_OUT_OF_MEMORY, thread, NULL);
    f->fn = fn;
    f->block = block;
    f->thread = thread;
    f->over = f->faulted = false;
    f->scope.watch = scope->watch;
    f->scope.code = scope->code;
    f->scope.kernel = scope->kernel;
    f->scope.block = block;
    os_context_make(&f->here, low_of(f), (size_t)((char *)f - low_of(f)), fibre_main);
    return all->of[thread] = f;
}

// ---- one block

void fibres_release(struct fibres *all)
{
    for (uint32_t i = 0; all && i < all->count; i++)
        if (all->of[i])
            fibre_give(all->of[i]);
    free(all);
}

static uint32_t *states_of(const struct jit_block *block)
{
    return (uint32_t *)(block->frame + RESUME_BLOCK_BYTES);
}

// As generated code runs a gang of one lane (resume_gang_fn).
static uint32_t run_thread(const struct jit_launch *launch, struct jit_block *block, uint32_t thread)
{
    struct resident *r = block->engine;
    uint32_t *state = states_of(block);
    (void)launch;
    if ((int32_t)state[thread] <= 0)
        return 0;
    struct fibre *f = r->fibres->of[thread], *outer = running;
    block->first_thread = thread;
    if (!f)
        f = fibre_begin(r->fibres, block, r->thread_code, thread);
    const char *low = fault_stack(low_of(f));
    running = f;
    swapcontext(&f->back, &f->here);
    running = outer;
    fault_stack(low);
    if (f->faulted) {
        struct fault_scope met = f->scope;
        fibres_release(r->fibres);
        r->fibres = NULL;
        fault_raise_again(&met);
    }
    state[thread] = f->state;
    if (f->over) {
        r->fibres->of[thread] = NULL;
        fibre_give(f);
    }
    return 1;
}

uint32_t fibres_run(struct resident *r, heddle_thread_fn *fn, uint32_t threads, uint32_t padded, uint32_t flags)
{
    r->thread_code = fn;
    if (!r->block.resume) {
        fibres_release(r->fibres);
        r->fibres = calloc(1, sizeof *r->fibres + threads * sizeof *r->fibres->of);
        if (!r->fibres)
            fault_raise(FAULT_OUT_OF_MEMORY, 0, NULL);
        r->fibres->count = threads;
    }
    uint32_t result = heddle_resume_machine(r->block.launch, &r->block, run_thread, threads, padded, 1, flags);
    if (result == JIT_DONE) {
        fibres_release(r->fibres);
        r->fibres = NULL;
    }
    return result;
}
