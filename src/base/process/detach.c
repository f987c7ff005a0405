// SPDX-License-Identifier: Apache-2.0
// See detach.h. What it must not do, and why it does not:
//
//  1. Copy the process: fork would copy the page tables of gigabytes, and run the program's handlers of pthread_atfork. Both
//     children share memory with this thread, which is stopped until they are gone (CLONE_VM, CLONE_VFORK), as in posix_spawn.
//  2. Be seen by the program: its wait() must not return a child that it has not made, nor its handler of SIGCHLD be called. The
//     first child ends without a signal, and only a call with __WALL sees it; the second one, which becomes the new program, is
//     nobody's child when that ends.
//  3. Keep anything open: a reader of the program's pipe would wait for its end. All files are closed; the session has no terminal.
//  4. Call what is not safe there: between clone and execve there are system calls alone, on memory that was made ready before.
//     Signals are blocked until then, so that no handler of the program's runs in a child.
#include "base/process/detach.h"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { STACK = 32 << 10, FILES = 65536, NICE = 19 };

struct start {
    const char *path;
    char *const *argv, *const *envp;
    const struct detach_limits *limits;
    char *stack; // its end, for the second child
    bool failed; // memory is shared: the children write it
};

static void close_all(void)
{
    struct rlimit most;
#ifdef SYS_close_range
    if (!syscall(SYS_close_range, 3u, ~0u, 0u))
        return;
#endif
    int end = !getrlimit(RLIMIT_NOFILE, &most) && most.rlim_cur < FILES ? (int)most.rlim_cur : FILES;
    for (int i = 3; i < end; i++)
        close(i);
}

static void limit(int what, uint64_t to)
{
    struct rlimit now;
    if (getrlimit((__rlimit_resource_t)what, &now) || (now.rlim_max != RLIM_INFINITY && now.rlim_max < to))
        return;
    now.rlim_cur = now.rlim_max = to;
    setrlimit((__rlimit_resource_t)what, &now);
}

static int become(void *data)
{
    struct start *s = data;
    struct sched_param none = {0};
    sigset_t empty;
    setsid();
    int null = chdir("/") ? -1 : open("/dev/null", O_RDWR);
    bool ok = null >= 0;
    for (int i = 0; i < 3 && ok; i++)
        ok = dup2(null, i) == i;
    if (ok) {
        close_all();
        setpriority(PRIO_PROCESS, 0, NICE);
        sched_setscheduler(0, SCHED_IDLE, &none);
        limit(RLIMIT_AS, s->limits->memory);
        limit(RLIMIT_CPU, s->limits->seconds);
        limit(RLIMIT_CORE, 0);
        sigemptyset(&empty);
        syscall(SYS_rt_sigprocmask, SIG_SETMASK, &empty, NULL, _NSIG / 8);
        execve(s->path, s->argv, s->envp);
    }
    s->failed = true;
    _exit(127);
}

static int leave(void *data)
{
    struct start *s = data;
    if (clone(become, s->stack, CLONE_VM | CLONE_VFORK, s) < 0)
        s->failed = true;
    _exit(0);
}

bool process_detach(const char *path, char *const argv[], char *const envp[], const struct detach_limits *limits)
{
    char *stacks = mmap(NULL, 2 * STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    if (stacks == MAP_FAILED)
        return false;
    struct start s = {path, argv, envp, limits, stacks + STACK, false};
    sigset_t all, old;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    int saved = errno;
    pid_t child = clone(leave, stacks + 2 * STACK, CLONE_VM | CLONE_VFORK, &s);
    if (child < 0)
        s.failed = true;
    while (child > 0 && waitpid(child, NULL, __WALL) < 0 && errno == EINTR)
        ;
    errno = saved;
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    munmap(stacks, 2 * STACK);
    return !s.failed;
}
