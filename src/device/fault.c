// See fault.h. The handlers are process-wide, so they pass on what is not ours: a fault outside kernel code, or on a thread
// that runs none, reaches the handler that was there before.
#include "device/fault.h"
#include "base/log.h"
#include "base/str.h"
#include "jit/apart.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

enum { SIGNALS = 4, ALT_STACK = 64 << 10 };
static const int signals[SIGNALS] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE};
static struct sigaction before[SIGNALS];
static pthread_once_t once = PTHREAD_ONCE_INIT;
static _Thread_local struct fault_scope *current;
static _Thread_local bool alt_stack_set;

static const void *context_pc(void *context)
{
    ucontext_t *u = context;
#if defined(__x86_64__)
    const void *pc = (const void *)u->uc_mcontext.gregs[REG_RIP];
    const char *const *frame = (const char *const *)u->uc_mcontext.gregs[REG_RBP];
    return apart_contains(pc) ? frame[1] - 1 : pc; // the kernel called it
#else
    return (const void *)u->uc_mcontext.pc;
#endif
}

// Where a thread goes on after a fault in a kernel.
_Noreturn static void land(struct fault_scope *s)
{
    siglongjmp(s->jump, 1);
}

// Lets the thread go on in land() once the handler has returned: the signal is over by then, as nested handlers, masks and
// sanitizers expect. The stack is the part below the code that entered the scope, so that an overflow leaves room too.
static void go_on(void *context, struct fault_scope *s)
{
    enum { RED_ZONE = 256, ALIGN = 64 };
    ucontext_t *u = context;
    uintptr_t sp = ((uintptr_t)s->stack - RED_ZONE) / ALIGN * ALIGN;
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
    } else {
        sigaction(signal, &before[i], NULL); // the instruction runs again and ends the process as it would have
    }
}

static void handler(int signal, siginfo_t *info, void *context)
{
    struct fault_scope *s = current;
    int i = 0;
    while (i < SIGNALS - 1 && signals[i] != signal)
        i++;
    if (!s || info->si_code <= 0) { // not in a kernel, or sent by somebody
        pass_on(i, signal, info, context);
        return;
    }
    s->fault = signal == SIGILL || signal == SIGFPE                   ? FAULT_ILLEGAL_INSTRUCTION
               : signal == SIGBUS && info->si_code == BUS_ADRALN ? FAULT_MISALIGNED
                                                                      : FAULT_ILLEGAL_ADDRESS;
    s->address = info->si_addr;
    s->pc = context_pc(context);
    s->thread = -1;
    go_on(context, s);
}

static void install(void)
{
    for (int i = 0; i < SIGNALS; i++) {
        struct sigaction a = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO | SA_ONSTACK};
        sigemptyset(&a.sa_mask);
        sigaction(signals[i], &a, &before[i]);
    }
}

// A kernel that recurses too deeply leaves no stack for the handler.
static void alt_stack(void)
{
    stack_t now;
    alt_stack_set = true;
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
}

void fault_leave(struct fault_scope *s)
{
    current = s->outer;
}

_Noreturn void fault_raise(enum device_fault fault, uint32_t thread, const void *pc)
{
    struct fault_scope *s = current;
    if (!s)
        abort(); // only kernel code calls this
    s->fault = fault;
    s->address = NULL;
    s->pc = pc ? (const char *)pc - 1 : NULL;
    s->thread = thread == FAULT_THREAD_UNKNOWN ? -1 : (int64_t)thread;
    siglongjmp(s->jump, 1);
}

static const char *const texts[] = {
    [FAULT_NONE] = "no fault",
    [FAULT_ILLEGAL_ADDRESS] = "access to an illegal address",
    [FAULT_MISALIGNED] = "misaligned access",
    [FAULT_TRAP] = "trap",
    [FAULT_ASSERT] = "assertion failed",
    [FAULT_ILLEGAL_INSTRUCTION] = "illegal instruction",
    [FAULT_NOT_SUPPORTED] = "operation that is not supported",
    [FAULT_OUT_OF_MEMORY] = "out of memory",
};

void fault_record(struct fault_state *state, enum device_fault fault, const char *kernel, const struct jit_block *block,
                  const struct fault_scope *scope)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&lock);
    if (!atomic_load(&state->fault)) {
        struct str text = {0};
        char line[300];
        str_printf(&text, "kernel '%s': %s", kernel, texts[fault]);
        if (scope && scope->address)
            str_printf(&text, " %p", scope->address);
        if (block)
            str_printf(&text, " in block (%u,%u,%u)", block->ctaid[0], block->ctaid[1], block->ctaid[2]);
        if (block && scope && scope->thread >= 0) {
            const uint32_t *n = block->launch->block, t = (uint32_t)scope->thread;
            str_printf(&text, ", thread (%u,%u,%u)", t % n[0], t / n[0] % n[1], t / n[0] / n[1]);
        }
        if (scope && scope->pc && jit_code_line(scope->pc, line, sizeof line))
            str_printf(&text, " at %s", line);
        snprintf(state->message, sizeof state->message, "%s", str_text(&text));
        str_free(&text);
        log_write(LOG_ERROR, "%s", state->message);
        atomic_store(&state->fault, fault);
    }
    pthread_mutex_unlock(&lock);
}
