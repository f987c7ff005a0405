// SPDX-License-Identifier: Apache-2.0
// See process.h.
#include "base/reserve.h"
#include "front/process.h"
#include "base/str.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <sys/auxv.h>
#include <sys/wait.h>
#include <time.h>

extern char **environ;

// Variables that would change what a compiler reads; all of them where the process acts for another user, who did not
// set them.
static bool variable_hidden(const char *text)
{
    if (getauxval(AT_SECURE))
        return true;
    static const char *const names[] = {"CPATH=",           "C_INCLUDE_PATH=",       "CPLUS_INCLUDE_PATH=",
                                        "LD_PRELOAD=",      "CCC_OVERRIDE_OPTIONS=", "CLANG_CONFIG_FILE_USER_DIR=",
                                        "GCC_EXEC_PREFIX=", "SOURCE_DATE_EPOCH="};
    return str_begins_any(text, names, sizeof names / sizeof names[0]);
}

static int child_start(pid_t *pid, const struct texts *argv, const char *output)
{
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    sigset_t none, defaults;
    static char plain_path[] = "PATH=/usr/local/bin:/usr/bin:/bin";
    struct VEC(char *) words = {0}, variables = {0};
    for (size_t i = 0; i < argv->len; i++)
        vec_push(&words, (char *)(uintptr_t)argv->data[i]);
    vec_push(&words, NULL);
    for (char **e = environ; e && *e; e++)
        if (!variable_hidden(*e))
            vec_push(&variables, *e);
    if (getauxval(AT_SECURE))
        vec_push(&variables, plain_path);
    vec_push(&variables, NULL);
    sigemptyset(&none);
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    sigaddset(&defaults, SIGCHLD);
    int error = posix_spawn_file_actions_init(&files);
    error = error ? error : posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
    error = error ? error : posix_spawn_file_actions_addopen(&files, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    error = error ? error : posix_spawn_file_actions_adddup2(&files, 1, 2);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    error = error ? error : posix_spawnp(pid, words.data[0], &files, &attributes, words.data, variables.data);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
    vec_free(&words);
    vec_free(&variables);
    return error;
}

int process_run(const struct texts *argv, const char *output, int (*cancelled)(void *, void *), void *payload)
{
    pid_t pid, got;
    int status = 0;
    bool killed = false;
    while ((errno = child_start(&pid, argv, output)))
        if (errno != ENOMEM || !reserve_release())
            return PROCESS_NOT_STARTED;
    while ((got = waitpid(pid, &status, cancelled && !killed ? WNOHANG : 0)) != pid) {
        if (got < 0 && errno != EINTR)
            return killed ? PROCESS_CANCELLED : PROCESS_UNKNOWN;
        if (got == 0 && cancelled(payload, NULL) == 1) {
            kill(pid, SIGKILL);
            killed = true;
        } else if (got == 0) {
            nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
        }
    }
    if (killed)
        return PROCESS_CANCELLED;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
