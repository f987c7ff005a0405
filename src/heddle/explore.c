// SPDX-License-Identifier: Apache-2.0
// heddle explore: runs a program with HEDDLE_EXPLORE set, by which its driver runs launches under several schedules
// (src/driver/explore), and ends with a status of its own where a kernel depends on one. The driver writes a byte to a file without a
// name for each of them; every process that the program starts inherits it.
#include "heddle/explore.h"
#include "base/env.h"
#include "base/str.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CANNOT_RUN = 126, NOT_FOUND = 127, DEPENDS = 1, SIGNALLED = 128 }; // as of shells, and of a finding

struct request {
    struct str words; // for HEDDLE_EXPLORE
    const char *status;
    char **program;
};

// The options with a value, and what HEDDLE_EXPLORE calls it; NULL: it is not for the driver.
static const struct option {
    const char *name, *word;
} options[] = {{"--schedules", "schedules"},
               {"--launches", "launches"},
               {"--kernel", "kernel"},
               {"--tolerance", "tolerance"},
               {"--error-exitcode", NULL}};
enum { OPTIONS = sizeof options / sizeof *options };

static bool option_take(struct request *q, const char *name, size_t length, const char *value)
{
    for (unsigned i = 0; i < OPTIONS; i++) {
        if (!str_is(name, length, options[i].name))
            continue;
        if (!value || !*value || strchr(value, ',')) {
            fprintf(stderr, "heddle: explore: %s needs a value\n", options[i].name);
            return false;
        }
        if (options[i].word)
            str_printf(&q->words, "%s=%s,", options[i].word, value);
        else
            q->status = value;
        return true;
    }
    fprintf(stderr, "heddle: explore: '%.*s' is no option of it\n", (int)length, name);
    return false;
}

static bool is_between(const char *text, unsigned long least, unsigned long most)
{
    char *end;
    unsigned long v = strtoul(text, &end, 10);
    return *text >= '0' && *text <= '9' && !*end && v >= least && v <= most;
}

static bool request_parse(struct request *q, int argc, char **argv)
{
    int i = 0;
    for (; i < argc && argv[i][0] == '-'; i++) {
        if (!strcmp(argv[i], "--")) {
            i++;
            break;
        }
        size_t n = strcspn(argv[i], "=");
        const char *value = argv[i][n] ? argv[i] + n + 1 : i + 1 < argc ? argv[i + 1] : NULL;
        if (!option_take(q, argv[i], n, value))
            return false;
        i += !argv[i][n];
    }
    q->program = argv + i;
    if (i >= argc)
        fprintf(stderr, "heddle: explore: no program is given\n");
    else if (q->status && !is_between(q->status, 1, 255))
        fprintf(stderr, "heddle: explore: --error-exitcode %s is not a number from 1 to 255\n", q->status);
    else
        return true;
    return false;
}

// Where the driver writes what it finds: at its end, whichever process does.
static int findings_open(void)
{
    int fd = memfd_create("heddle-explore", 0);
    if (fd >= 0 && fcntl(fd, F_SETFL, O_APPEND) < 0) {
        close(fd);
        fd = -1;
    }
    return fd;
}

static bool environment_set(struct request *q, int fd)
{
    str_printf(&q->words, "fd=%d", fd);
    // A schedule under which a kernel never ends is a finding; so that it is one, there is a limit.
    return !setenv("HEDDLE_EXPLORE", str_text(&q->words), 1) && !setenv("HEDDLE_LAUNCH_TIMEOUT", "60", 0);
}

static int program_wait(pid_t child)
{
    int status;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return CANNOT_RUN;
    return WIFEXITED(status) ? WEXITSTATUS(status) : SIGNALLED + WTERMSIG(status);
}

int explore_program(int argc, char **argv)
{
    struct request q = {0};
    struct stat st = {0};
    int fd = -1, status = EXPLORE_USAGE;
    if (!request_parse(&q, argc, argv))
        goto done;
    status = CANNOT_RUN;
    fd = findings_open();
    if (fd < 0 || !environment_set(&q, fd)) {
        fprintf(stderr, "heddle: explore: %s\n", strerror(errno));
        goto done;
    }
    // What the terminal sends goes to the program; this process waits for what becomes of it.
    signal(SIGINT, SIG_IGN);
    signal(SIGQUIT, SIG_IGN);
    pid_t child = fork();
    if (!child) {
        signal(SIGINT, SIG_DFL);
        signal(SIGQUIT, SIG_DFL);
        execvp(q.program[0], q.program);
        int e = errno;
        fprintf(stderr, "heddle: explore: %s: %s\n", q.program[0], e == ENOENT ? "not found" : strerror(e));
        _exit(e == ENOENT || e == ENOTDIR ? NOT_FOUND : CANNOT_RUN);
    }
    if (child < 0)
        fprintf(stderr, "heddle: explore: %s\n", strerror(errno));
    else
        status = program_wait(child);
    if (!status && !fstat(fd, &st) && st.st_size)
        status = q.status ? atoi(q.status) : DEPENDS;
done:
    if (fd >= 0)
        close(fd);
    str_free(&q.words);
    return status;
}
