// SPDX-License-Identifier: Apache-2.0
// A program that is left alone: it has no file of ours open, no terminal, low priority and its limits; we have no child, and hear of
// none. What it says of itself it writes to a file.
#include "base/os.h"
#include "base/process/detach.h"
#include "test.h"
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TURNS = 6000, TURN_US = 10000, LIMIT_S = 77 };
// A sanitizer reserves terabytes of addresses before main; that of threads takes no limit at all.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define MEMORY RLIM_INFINITY
#else
#define MEMORY (3ull << 30)
#endif
static const struct detach_limits limits = {.memory = MEMORY, .seconds = LIMIT_S};
static volatile sig_atomic_t called;

static void on_child(int unused)
{
    (void)unused;
    called = 1;
}

// In the other program.
static int tell(const char *path)
{
    struct rlimit cpu, memory;
    int open_files = 0;
    char cwd[64] = "";
    sigset_t mask;
    for (int i = 3; i < 1024; i++)
        open_files += fcntl(i, F_GETFD) >= 0;
    sigprocmask(SIG_SETMASK, NULL, &mask);
    getrlimit(RLIMIT_CPU, &cpu);
    getrlimit(RLIMIT_AS, &memory);
    bool null = !isatty(0) && ttyname(1) == NULL && lseek(2, 0, SEEK_SET) == 0;
    bool ok = !open_files && null && getsid(0) == getpid() && getcwd(cwd, sizeof cwd) && !strcmp(cwd, "/") &&
              sched_getscheduler(0) == SCHED_IDLE && cpu.rlim_max == LIMIT_S && memory.rlim_max == limits.memory &&
              !sigismember(&mask, SIGTERM) && getenv("ONLY") && !getenv("PATH");
    return !os_file_write(path, ok ? "right" : "wrong", 5);
}

int main(int argc, char **argv)
{
    if (argc == 3)
        return tell(argv[2]);
    char path[64], self[4096];
    snprintf(path, sizeof path, "/tmp/heddle-detach-%ld", (long)getpid());
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    CHECK(n > 0);
    self[n > 0 ? n : 0] = 0;
    signal(SIGCHLD, on_child);
    char *const args[] = {self, "tell", path, NULL}, *const env[] = {"ONLY=1", NULL};
    int pipes[2];
    CHECK(!pipe(pipes)); // would be inherited
    bool started = process_detach(self, args, env, &limits);
    if (!started &&
        getenv("HEDDLE_TEST_BRIEF")) { // emulators have no children that end without a signal: then it says so
        CHECK(wait(NULL) < 0 && errno == ECHILD && !called);
        return test_summary();
    }
    CHECK(started);
    CHECK(wait(NULL) < 0 && errno == ECHILD);
    char *said = NULL;
    for (int i = 0; i < TURNS && !(said = os_file_read(path, NULL)); i++)
        usleep(TURN_US);
    CHECK(said && !strcmp(said, "right"));
    CHECK(!called);
    CHECK(!process_detach("/nonexistent/program", args, env, &limits));
    CHECK(wait(NULL) < 0 && errno == ECHILD && !called);
    sigset_t mask;
    sigprocmask(SIG_SETMASK, NULL, &mask);
    CHECK(!sigismember(&mask, SIGTERM));
    free(said);
    unlink(path);
    return test_summary();
}
