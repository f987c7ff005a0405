// SPDX-License-Identifier: Apache-2.0
// See fault.h. The handlers are process-wide, so they pass on what is not ours: a fault outside kernel code, or on a thread
// that runs none, reaches the handler that was there before.
#include "device/fault/fault.h"
#include "base/log.h"
#include "base/os.h"
#include "device/debug/state.h"
#include "device/fault/hold.h"
#include "device/sched/runner.h"
#include "jit/abi/wrapped.h"
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#endif

enum { SIGNALS = 4, ALT_STACK = 64 << 10 };
static const int signals[SIGNALS] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE};
static struct sigaction before[SIGNALS];
static pthread_once_t once = PTHREAD_ONCE_INIT;
static _Thread_local struct fault_scope *current;
static _Thread_local bool alt_stack_set;
static _Thread_local const char *stack_low; // the lowest address of this thread's stack; NULL: not known

// The frame of a function that keeps a frame pointer: the pointer to its caller's, and where it returns to.
static const char *const *context_frame(void *context)
{
    ucontext_t *u = context;
#if defined(__x86_64__)
    return (const char *const *)u->uc_mcontext.gregs[REG_RBP];
#else
    return (const char *const *)u->uc_mcontext.regs[29];
#endif
}

static const void *context_pc(void *context)
{
    ucontext_t *u = context;
#if defined(__x86_64__)
    const void *pc = (const void *)u->uc_mcontext.gregs[REG_RIP];
    return outlined_contains(pc) ? context_frame(context)[1] - 1 : pc; // the kernel called it
#else
    return (const void *)u->uc_mcontext.pc;
#endif
}

static const char *context_sp(void *context)
{
    ucontext_t *u = context;
#if defined(__x86_64__)
    return (const char *)u->uc_mcontext.gregs[REG_RSP];
#else
    return (const char *)u->uc_mcontext.sp;
#endif
}

// A function that calls itself without end has brought the stack pointer to the end of the stack, or past it by a frame. Other memory
// may lie close below the stack: an address there alone says nothing.
static bool is_overflow(const char *address, const char *sp)
{
    enum { NEAR = 64 << 10, GUARD = 1 << 20 };
    return stack_low && sp < stack_low + NEAR &&
           (sp >= stack_low - GUARD || (address < stack_low && address >= stack_low - GUARD));
}

// Where a thread goes on after a fault in a kernel.
_Noreturn static void land(struct fault_scope *s)
{
    siglongjmp(s->jump, 1);
}

// Lets the thread go on in land() once the handler has returned: the signal is over by then, as nested handlers, masks and
// sanitizers expect. The stack is the part below the code that entered the scope, so that an overflow leaves room too; what lay there is over.
static void go_on(void *context, struct fault_scope *s)
{
    enum { RED_ZONE = 256, ALIGN = 64 };
    ucontext_t *u = context;
    uintptr_t sp = ((uintptr_t)s->stack - RED_ZONE) / ALIGN * ALIGN;
#ifdef __SANITIZE_ADDRESS__
    const char *low = (const char *)((uintptr_t)context_sp(context) / ALIGN * ALIGN);
    if (low < s->stack)
        __asan_unpoison_memory_region(low, (size_t)(s->stack - low));
#endif
#if defined(__x86_64__)
    u->uc_mcontext.gregs[REG_RIP] = (greg_t)(uintptr_t)land;
    u->uc_mcontext.gregs[REG_RSP] = (greg_t)(sp - 8); // as after a call
    u->uc_mcontext.gregs[REG_RDI] = (greg_t)(uintptr_t)s;
    u->uc_mcontext.gregs[REG_EFL] &= ~0x400; // the direction flag
#else
    u->uc_mcontext.pc = (uintptr_t)land;
    u->uc_mcontext.sp = sp;
    u->uc_mcontext.regs[0] = (uintptr_t)s;
#endif
}

static void pass_on(int i, int signal, siginfo_t *info, void *context)
{
    if (before[i].sa_flags & SA_SIGINFO) {
        before[i].sa_sigaction(signal, info, context);
    } else if (before[i].sa_handler != SIG_DFL && before[i].sa_handler != SIG_IGN) {
        before[i].sa_handler(signal);
    } else if (info->si_code > 0) {
        sigaction(signal, &before[i], NULL);      // the instruction runs again and ends the process as it would have
    } else if (before[i].sa_handler == SIG_DFL) { // sent by somebody: no instruction will run again
        sigaction(signal, &before[i], NULL);
        syscall(SYS_tgkill, getpid(), (pid_t)syscall(SYS_gettid), signal); // when this handler is over
    }
}

static void end_at(struct fault_scope *s, enum device_fault fault, const void *address, const void *pc)
{
    s->fault = fault;
    s->address = address;
    s->pc = pc;
    s->thread = -1;
    s->detail[0] = 0;
}

// Where the kernel called a function of the engine that touched memory for it (hook, matrix, texture: with frame pointers, see
// CMakeLists.txt), or one of the C library below that; pc where that is not found. Frames lie between the stack pointer and the code
// that entered the scope, each above the one that it called.
static const void *kernel_pc(const struct fault_scope *s, void *context, const void *pc)
{
    enum { DEEP = 8 };
    const void *at = pc;
    const char *below = context_sp(context);
    const char *const *frame = context_frame(context);
    for (unsigned i = 0; s->code && i < DEEP; i++) {
        if (jit_code_holds(s->code, at))
            return at;
        if ((const char *)frame < below || (const char *)(frame + 2) > s->stack || (uintptr_t)frame % sizeof *frame)
            return pc;
        at = (const void *)((uintptr_t)frame[1] - 1);
        below = (const char *)(frame + 2);
        frame = (const char *const *)frame[0];
    }
    return pc;
}

static void handler(int signal, siginfo_t *info, void *context)
{
    struct fault_scope *s = current;
    int i = 0;
    while (i < SIGNALS - 1 && signals[i] != signal)
        i++;
    if (signal == SIGSEGV && hold_waits(info))
        return;
    if (!s || info->si_code <= 0) { // not in a kernel, or sent by somebody
        pass_on(i, signal, info, context);
        return;
    }
    enum device_fault fault = signal == SIGILL || signal == SIGFPE              ? FAULT_ILLEGAL_INSTRUCTION
                              : signal == SIGBUS && info->si_code == BUS_ADRALN ? FAULT_MISALIGNED
                              : is_overflow(info->si_addr, context_sp(context)) ? FAULT_STACK
                                                                                : FAULT_ILLEGAL_ADDRESS;
    end_at(s, fault, info->si_addr, kernel_pc(s, context, context_pc(context)));
    if (signal == SIGSEGV && info->si_code == SI_KERNEL) { // x86-64 does not tell which
        s->address = NULL;
        strcpy(s->detail, "(none that this processor has)");
    }
    debug_exception(s->fault, s->address, s->pc, -1, s->block, s->kernel, context);
    go_on(context, s);
}

// The kernel has had its time. In its own code a thread holds nothing that others need; in a function that the code calls it
// may, and goes on: the signal comes again.
static void interrupted(int signal, siginfo_t *info, void *context)
{
    struct fault_scope *s = current;
    const void *pc = context_pc(context);
    (void)signal, (void)info;
    if (s && s->watch && atomic_load(&s->watch->expired) && jit_code_holds(s->code, pc)) {
        end_at(s, FAULT_TIMEOUT, NULL, pc);
        go_on(context, s);
    }
}

void fault_interrupt_install(int signal)
{
    struct sigaction a = {.sa_sigaction = interrupted, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART};
    sigemptyset(&a.sa_mask);
    sigaction(signal, &a, NULL);
}

// Emulators keep some for themselves: a handler can be set, but none can be sent.
static bool can_be_sent(int number)
{
    fault_interrupt_install(number);
    if (!syscall(SYS_tgkill, getpid(), (pid_t)syscall(SYS_gettid), number))
        return true;
    signal(number, SIG_DFL);
    return false;
}

// A real-time signal that nobody has a handler for.
int fault_interrupt_choose(void)
{
    for (int number = SIGRTMAX; number > SIGRTMIN; number--) {
        struct sigaction a;
        bool taken = sigaction(number, NULL, &a) || a.sa_flags & SA_SIGINFO || a.sa_handler != SIG_DFL;
        if (!taken && can_be_sent(number))
            return number;
    }
    return SIGRTMIN;
}

static void install(void)
{
    core_prepare();
    for (int i = 0; i < SIGNALS; i++) {
        struct sigaction a = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO | SA_ONSTACK};
        sigemptyset(&a.sa_mask);
        sigaction(signals[i], &a, &before[i]);
    }
    hold_handler(handler);
}

void fault_prepare(void)
{
    pthread_once(&once, install);
}

// A kernel that recurses too deeply leaves no stack for the handler.
static void alt_stack(void)
{
    stack_t now;
    alt_stack_set = true;
    stack_low = os_stack_low();
    if (!sigaltstack(NULL, &now) && !(now.ss_flags & SS_DISABLE))
        return;
    stack_t s = {.ss_size = ALT_STACK};
    s.ss_sp = mmap(NULL, ALT_STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (s.ss_sp != MAP_FAILED)
        sigaltstack(&s, NULL);
}

__attribute__((noinline)) void fault_enter(struct fault_scope *s)
{
    pthread_once(&once, install);
    if (!alt_stack_set)
        alt_stack();
    s->fault = FAULT_NONE;
    s->stack = __builtin_frame_address(0);
    s->outer = current;
    current = s;
    if (s->watch)
        watch_thread(s->watch);
}

void fault_leave(struct fault_scope *s)
{
    current = s->outer;
    if (s->watch)
        watch_thread(current ? current->watch : NULL);
}

const char *fault_stack(const char *low)
{
    if (!alt_stack_set)
        alt_stack();
    const char *before = stack_low;
    stack_low = low;
    return before;
}

_Noreturn static void raise_fault(enum device_fault fault, const void *address, const char *detail, uint32_t thread,
                                  const void *pc)
{
    struct fault_scope *s = current;
    if (!s)
        abort(); // only kernel code calls this
    end_at(s, fault, address, pc ? (const char *)pc - 1 : NULL);
    s->thread = thread == FAULT_THREAD_UNKNOWN ? -1 : (int64_t)thread;
    snprintf(s->detail, sizeof s->detail, "%s", detail);
    debug_exception(fault, address, s->pc, s->thread, s->block, s->kernel, NULL);
    siglongjmp(s->jump, 1);
}

_Noreturn void fault_raise_detail(enum device_fault fault, const char *detail, uint32_t thread, const void *pc)
{
    raise_fault(fault, NULL, detail, thread, pc);
}

_Noreturn void fault_raise_at(enum device_fault fault, const void *address, uint32_t thread, const void *pc)
{
    raise_fault(fault, address, "", thread, pc);
}

_Noreturn void fault_raise(enum device_fault fault, uint32_t thread, const void *pc)
{
    raise_fault(fault, NULL, "", thread, pc);
}

_Noreturn void fault_raise_again(const struct fault_scope *met)
{
    struct fault_scope *s = current;
    s->fault = met->fault;
    s->address = met->address;
    s->pc = met->pc;
    s->thread = met->thread;
    memcpy(s->detail, met->detail, sizeof s->detail);
    siglongjmp(s->jump, 1);
}

const struct fault_scope *fault_scope_of_thread(void)
{
    return current;
}

void fault_checkpoint(uint32_t thread, const void *pc)
{
    if (current && current->watch && atomic_load(&current->watch->expired))
        fault_raise(FAULT_TIMEOUT, thread, pc);
}

static const char *const texts[] = {
    [FAULT_NONE] = "no fault",
    [FAULT_ILLEGAL_ADDRESS] = "access to an illegal address",
    [FAULT_STACK] = "stack overflow",
    [FAULT_MISALIGNED] = "misaligned access",
    [FAULT_TRAP] = "trap",
    [FAULT_ASSERT] = "assertion failed",
    [FAULT_ILLEGAL_INSTRUCTION] = "illegal instruction",
    [FAULT_NOT_SUPPORTED] = "operation that is not supported",
    [FAULT_OUT_OF_MEMORY] = "out of memory",
    [FAULT_TIMEOUT] = "launch timeout",
    [FAULT_CHECKED] = "stopped by compute-sanitizer",
};

// Memory may be short: the text has a fixed size.
struct message {
    char *text;
    size_t size, len;
};

__attribute__((format(printf, 2, 3))) static void add(struct message *m, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(m->text + m->len, m->size - m->len, fmt, ap);
    va_end(ap);
    m->len += n < 0 ? 0 : (size_t)n < m->size - m->len ? (size_t)n : m->size - m->len - 1;
}

// Whether an address lies in a block's shared memory or in what follows it up to the end of its pages and guard, and where.
static bool in_shared(const struct jit_block *block, const char *address, uint64_t *offset)
{
    const struct resident *r = block ? block->engine : NULL;
    *offset = r ? (uint64_t)(address - block->shared) : 0;
    return r && r->shared_map && address >= block->shared && address < r->shared_map + r->shared_map_size;
}

// Local memory is in the block's frame, or in variables on the thread's stack.
static bool in_local(const struct jit_block *block, const struct fault_scope *scope)
{
    const struct resident *r = block ? block->engine : NULL;
    const char *address = scope->address;
    return r && ((address >= block->frame && address < block->frame + r->frame_size) ||
                 (stack_low && address >= stack_low && address < scope->stack));
}

// Where the address of a fault lies, by the allocation that holds it or is next to it.
static void add_near(struct message *m, const struct jit_block *block, const struct fault_scope *scope)
{
    const char *address = scope->address;
    enum { NULL_PAGE = 4096 };
    struct memory_range r;
    uint64_t offset;
    if ((uintptr_t)address < NULL_PAGE) {
        add(m, ": a null pointer");
    } else if (in_shared(block, address, &offset)) {
        bool inside = offset < block->shared_bytes;
        add(m, ": %llu bytes %s the block's shared memory of %u bytes",
            (unsigned long long)(inside ? offset : offset - block->shared_bytes),
            inside ? "inside" : "behind the end of", block->shared_bytes);
    } else if (in_local(block, scope)) {
        add(m, ": in local memory");
    } else if (memory_nearest(address, &r)) {
        const char *base = r.base, *end = base + r.size;
        if (address >= base && address < end)
            add(m, ": %zu bytes inside the allocation of %zu bytes at %p", (size_t)(address - base), r.size, r.base);
        else if (scope->fault != FAULT_MISALIGNED)
            add(m, ": %zu bytes %s the allocation of %zu bytes at %p",
                (size_t)(address < base ? base - address : address - end),
                address < base ? "before" : "behind the end of", r.size, r.base);
    }
}

static void add_index(struct message *m, const uint32_t *n, uint32_t t)
{
    add(m, " (%u,%u,%u)", t % n[0], t / n[0] % n[1], t / n[0] / n[1]);
}

// The thread, or those of the gang in which it is.
static void add_threads(struct message *m, const struct jit_block *block, const struct fault_scope *scope)
{
    const uint32_t *n = block->launch->block;
    uint32_t all = n[0] * n[1] * n[2], width = scope && scope->code ? scope->code->variant.width : 1;
    uint32_t first = scope ? block->first_thread : JIT_NO_THREAD, last = all - 1;
    if (scope && scope->thread >= 0)
        first = last = (uint32_t)scope->thread;
    else if (all == 1)
        first = 0;
    else if (first < all && all - first > width)
        last = first + width - 1;
    if (first >= all)
        return;
    add(m, first == last ? ", thread" : ", threads");
    add_index(m, n, first);
    if (first != last) {
        add(m, " to");
        add_index(m, n, last);
    }
}

// An illegal address is told in any case; a misaligned one where it is known.
static bool has_address(enum device_fault fault, const struct fault_scope *scope)
{
    return scope && !scope->detail[0] &&
           (fault == FAULT_ILLEGAL_ADDRESS || (fault == FAULT_MISALIGNED && scope->address));
}

static void describe(struct message *m, enum device_fault fault, const char *kernel, const struct jit_block *block,
                     const struct fault_scope *scope)
{
    char line[300];
    add(m, "kernel '%.200s': %s", kernel, texts[fault]);
    if (scope && scope->detail[0])
        add(m, " %s", scope->detail);
    else if (has_address(fault, scope))
        add(m, " %s0x%llx", fault == FAULT_MISALIGNED ? "to " : "", (unsigned long long)(uintptr_t)scope->address);
    else if (fault == FAULT_TIMEOUT)
        add(m, ", HEDDLE_LAUNCH_TIMEOUT=%u,", watchdog_seconds());
    if (block) {
        add(m, " in block (%u,%u,%u)", block->ctaid[0], block->ctaid[1], block->ctaid[2]);
        add_threads(m, block, scope);
    }
    if (scope && scope->pc && jit_code_line(scope->pc, line, sizeof line))
        add(m, " at %s", line);
    if (has_address(fault, scope))
        add_near(m, block, scope);
}

void fault_record(struct fault_state *state, enum device_fault fault, const char *kernel, const struct jit_block *block,
                  const struct fault_scope *scope)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&lock);
    if (!atomic_load(&state->fault)) {
        struct message m = {state->message, sizeof state->message, 0};
        describe(&m, fault, kernel, block, scope);
        if (fault != FAULT_CHECKED)
            log_write(fault == FAULT_ASSERT ? LOG_WARN : LOG_ERROR, "%s", state->message);
        atomic_store(&state->fault, fault);
    }
    pthread_mutex_unlock(&lock);
}
