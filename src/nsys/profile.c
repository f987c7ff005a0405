// SPDX-License-Identifier: Apache-2.0
// nsys profile: runs a program with the library that writes what it does, and makes a report of it, however the program ends.
#include "base/os.h"
#include "nsys/nsys.h"
#include "nsys/trace.h"
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum option {
    O_OUTPUT,
    O_TRACE,
    O_STATS,
    O_FORCE,
    O_RANGE,
    O_RANGE_END,
    O_ENV,
    O_SHOW,
    O_WORKERS,
    O_HELP,
    O_SAMPLE,
    O_CPUCTXSW,
    O_MEMORY,
    O_GRAPH,
    O_BACKTRACE,
    O_WAIT,
    OPTIONS
};
static const struct option_name options[OPTIONS] = {
    [O_OUTPUT] = {'o', "output", true},
    [O_TRACE] = {'t', "trace", true},
    [O_STATS] = {0, "stats", true},
    [O_FORCE] = {'f', "force-overwrite", true},
    [O_RANGE] = {'c', "capture-range", true},
    [O_RANGE_END] = {0, "capture-range-end", true},
    [O_ENV] = {'e', "env-var", true},
    [O_SHOW] = {'w', "show-output", true},
    [O_WORKERS] = {0, "worker-threads", true},
    [O_HELP] = {'h', "help", false},
    // These change nothing: there are no samples of the host's code, and what they choose is always there.
    [O_SAMPLE] = {'s', "sample", true},
    [O_CPUCTXSW] = {0, "cpuctxsw", true},
    [O_MEMORY] = {0, "cuda-memory-usage", true},
    [O_GRAPH] = {0, "cuda-graph-trace", true},
    [O_BACKTRACE] = {'b', "backtrace", true},
    [O_WAIT] = {0, "wait", true},
};

static const char help[] =
    "Usage: nsys profile [options] program [arguments]\n"
    "Runs a program and writes its timeline to a report.\n"
    "  -o, --output FILE              the report, without its ending .nsys-rep; default: report1, report2, ...\n"
    "                                 %p the program's number, %h the machine's name, %q{NAME} a variable of the "
    "environment\n"
    "  -t, --trace LIST               of cuda, nvtx, osrt (nothing is traced of it) or none; default: cuda,nvtx\n"
    "  -f, --force-overwrite true     a report of that name is replaced\n"
    "  --stats true                   summaries are printed at the end\n"
    "  -c, --capture-range none|cudaProfilerApi   only between cudaProfilerStart() and cudaProfilerStop()\n"
    "  -e, --env-var A=B,C=D          variables for the program\n"
    "  -w, --show-output false        what the program prints is thrown away\n"
    "  --worker-threads false         which thread ran what part of a grid is left out\n"
    "  -s, --sample, -b, --backtrace, --cpuctxsw, --cuda-memory-usage, --cuda-graph-trace, --wait\n"
    "                                 accepted: the host's code is not sampled, and the rest is always in the report\n"
    "  -h, --help                     print this text\n";

struct profile {
    const char *output;
    uint32_t kinds;
    bool stats, force, show, workers;
    char path[PATH_MAX], folder[PATH_MAX];
};

static int bad(const char *option, const char *value)
{
    fprintf(stderr, "nsys profile: --%s: '%s' is not a value that it takes\n", option, value);
    return 2;
}

static bool trace_read(const char *list, uint32_t *kinds)
{
    uint32_t cuda = (1u << TIMELINE_KINDS) - 1, all = 0;
    for (const char *p = list; *p; p += *p == ',') {
        size_t n = strcspn(p, ",");
        if (n == 4 && !strncmp(p, "cuda", n))
            all |= cuda;
        else if (n == 4 && !strncmp(p, "nvtx", n))
            all |= TRACE_NVTX;
        else if (!(n == 4 && (!strncmp(p, "osrt", n) || !strncmp(p, "none", n))))
            return false;
        p += n;
    }
    *kinds = all | (*kinds & TRACE_RANGE);
    return true;
}

static bool env_read(const char *list)
{
    char *copy = strdup(list), *state = NULL;
    for (char *word = strtok_r(copy, ",", &state); word; word = strtok_r(NULL, ",", &state)) {
        char *value = strchr(word, '=');
        if (!value || value == word) {
            free(copy);
            return false;
        }
        *value = 0;
        setenv(word, value + 1, 1);
    }
    free(copy);
    return true;
}

// -1: go on; else the exit status.
static int options_read(struct profile *p, struct option_scan *s)
{
    const char *v;
    bool ignored;
    for (int o; (o = option_next(s, options, OPTIONS, "profile", &v)) != -1;) {
        bool ok = true;
        switch (o) {
        case O_OUTPUT:
            p->output = v;
            break;
        case O_TRACE:
            ok = trace_read(v, &p->kinds);
            break;
        case O_STATS:
            ok = option_bool(v, &p->stats);
            break;
        case O_FORCE:
            ok = option_bool(v, &p->force);
            break;
        case O_RANGE:
            ok = !strcmp(v, "none") || !strcmp(v, "cudaProfilerApi");
            p->kinds = !strcmp(v, "none") ? p->kinds & ~TRACE_RANGE : p->kinds | TRACE_RANGE;
            break;
        case O_RANGE_END:
            ok = !strcmp(v, "none") || !strcmp(v, "stop") || !strncmp(v, "repeat", 6);
            break;
        case O_ENV:
            ok = env_read(v);
            break;
        case O_SHOW:
            ok = option_bool(v, &p->show);
            break;
        case O_WORKERS:
            ok = option_bool(v, &p->workers);
            break;
        case O_MEMORY:
            ok = option_bool(v, &ignored);
            break;
        case O_HELP:
            fputs(help, stdout);
            return 0;
        case -2:
            return 2;
        default:
            break;
        }
        if (!ok)
            return bad(options[o].name, v);
    }
    return -1;
}

// ---- where it goes
static bool append(char *to, size_t size, const char *text, size_t len)
{
    size_t n = strlen(to);
    if (n + len + 1 > size)
        return false;
    memcpy(to + n, text, len);
    to[n + len] = 0;
    return true;
}

static bool path_expand(struct profile *p, long pid)
{
    char one[256];
    p->path[0] = 0;
    for (const char *f = p->output; *f; f++) {
        const char *text = one;
        if (f[0] == '%' && f[1] == 'p') {
            snprintf(one, sizeof one, "%ld", pid);
        } else if (f[0] == '%' && f[1] == 'h') {
            gethostname(one, sizeof one);
        } else if (f[0] == '%' && f[1] == '%') {
            strcpy(one, "%");
        } else if (f[0] == '%' && f[1] == 'q' && f[2] == '{' && strchr(f, '}')) {
            snprintf(one, sizeof one, "%.*s", (int)(strchr(f, '}') - f - 3), f + 3);
            const char *value = secure_getenv(one);
            text = value ? value : "";
            f = strchr(f, '}') - 1;
        } else {
            if (!append(p->path, sizeof p->path, f, 1))
                return false;
            continue;
        }
        f++;
        if (!append(p->path, sizeof p->path, text, strlen(text)))
            return false;
    }
    size_t n = strlen(p->path), end = strlen(".nsys-rep");
    return (n > end && !strcmp(p->path + n - end, ".nsys-rep")) || append(p->path, sizeof p->path, ".nsys-rep", end);
}

// The report's name; false: there is a file of that name, or no room for it.
static bool path_choose(struct profile *p, long pid)
{
    if (!p->output) {
        for (int i = 1; i < 100000; i++) {
            snprintf(p->path, sizeof p->path, "report%d.nsys-rep", i);
            if (p->force || access(p->path, F_OK))
                return true;
        }
        return false;
    }
    if (!path_expand(p, pid))
        return false;
    if (!p->force && !access(p->path, F_OK)) {
        fprintf(stderr, "nsys profile: %s is there already; --force-overwrite true replaces it\n", p->path);
        return false;
    }
    return true;
}

// ---- the program
static bool environment_set(const struct profile *p)
{
    char dir[PATH_MAX - 64], library[PATH_MAX], kinds[16];
    ssize_t n = readlink("/proc/self/exe", dir, sizeof dir - 1);
    dir[n > 0 ? n : 0] = 0;
    char *slash = strrchr(dir, '/');
    if (!slash)
        return false;
    *slash = 0;
    snprintf(library, sizeof library, "%s/../lib64/libheddle-nsys.so", dir);
    if (access(library, R_OK)) {
        fprintf(stderr, "nsys profile: %s is missing\n", library);
        return false;
    }
    uint32_t wanted = p->workers ? p->kinds : p->kinds & ~(1u << TIMELINE_PART);
    snprintf(kinds, sizeof kinds, "%x", wanted);
    setenv(TRACE_FOLDER, p->folder, 1);
    setenv(TRACE_KINDS, kinds, 1);
    if (wanted & ((1u << TIMELINE_KINDS) - 1))
        setenv("CUDA_INJECTION64_PATH", library, 1);
    if (wanted & TRACE_NVTX)
        setenv("NVTX_INJECTION64_PATH", library, 1);
    return true;
}

static int child_run(char **argv, bool show)
{
    if (!show && (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr)))
        return 127;
    execvp(argv[0], argv);
    fprintf(stderr, "nsys profile: %s: %s\n", argv[0], strerror(errno));
    return 127;
}

// The program's exit status, as a shell has it.
static int program_run(char **argv, bool show, pid_t *pid)
{
    int status = 0;
    fflush(stdout);
    *pid = fork();
    if (*pid < 0) {
        fprintf(stderr, "nsys profile: %s\n", strerror(errno));
        return 127;
    }
    if (!*pid)
        _exit(child_run(argv, show));
    signal(SIGINT, SIG_IGN); // the program gets them too, and the report is written when it has ended
    signal(SIGQUIT, SIG_IGN);
    while (waitpid(*pid, &status, 0) < 0 && errno == EINTR)
        ;
    if (!WIFSIGNALED(status))
        return WEXITSTATUS(status);
    fprintf(stderr, "nsys profile: the program was ended by signal %d (%s)\n", WTERMSIG(status),
            strsignal(WTERMSIG(status)));
    return 128 + WTERMSIG(status);
}

static int report_write(struct profile *p, pid_t pid, int status)
{
    uint64_t events = 0;
    if (!path_choose(p, pid))
        return status ? status : 1;
    if (p->force)
        unlink(p->path);
    if (!import_traces(p->folder, p->path, &events)) {
        fprintf(stderr, "nsys profile: no report was written\n");
        return status ? status : 1;
    }
    if (!events)
        fprintf(stderr,
                "nsys profile: there is nothing in the report: the program made no call of CUDA that was traced\n");
    fprintf(stderr, "Generated:\n\t%s\n", p->path);
    struct stats_options o = {0};
    if (p->stats)
        stats_run(p->path, &o);
    return status;
}

int profile_main(int argc, char **argv)
{
    struct profile p = {.show = true, .workers = true};
    struct option_scan s = {argc, 0, argv};
    trace_read("cuda,nvtx", &p.kinds);
    int r = options_read(&p, &s);
    if (r >= 0)
        return r;
    if (s.at == argc) {
        fprintf(stderr, "nsys profile: which program?\n%s", help);
        return 2;
    }
    // What would keep the report from being written is told before the program has run.
    if (!database_is_there() || !path_choose(&p, 0))
        return 1;
    if (!os_temp_dir(p.folder, sizeof p.folder, os_temp_base(), "nsys")) {
        fprintf(stderr, "nsys profile: %s: %s\n", os_temp_base(), strerror(errno));
        return 1;
    }
    pid_t pid = 0;
    r = environment_set(&p) ? program_run(argv + s.at, p.show, &pid) : 1;
    if (pid > 0)
        r = report_write(&p, pid, r);
    os_folder_remove(p.folder);
    return r;
}
