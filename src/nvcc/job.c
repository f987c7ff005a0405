// SPDX-License-Identifier: Apache-2.0
// See job.h.
#include "nvcc/job.h"
#include "base/os.h"
#include "base/str.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define RUNNING_MAX 64

static struct {
    bool dryrun, verbose;
    const char *keep_dir, *temp_base, *time_file;
    uint64_t time_began;
    struct str times;
    char temp_dir[PATH_MAX];
    volatile sig_atomic_t signal_number;
    volatile pid_t running[RUNNING_MAX];
} state;

static void signal_take(int number)
{
    state.signal_number = number;
    for (int i = 0; i < RUNNING_MAX; i++)
        if (state.running[i] > 0)
            kill(state.running[i], SIGTERM);
}

void job_init(bool dryrun, bool verbose, const char *keep_dir, const char *temp_base)
{
    setenv("LLVM_DISABLE_SYMBOLIZATION", "1", 0); // or a compiler that dies leaves files of its own behind
    state.temp_base = temp_base;
    state.dryrun = dryrun;
    state.verbose = verbose;
    state.keep_dir = keep_dir;
    setenv("PATH", "/usr/local/bin:/usr/bin:/bin", 0); // the compiler looks for its linker there
    setenv("LLVM_DISABLE_SYMBOLIZATION", "1", 0);      // which leaves files behind where the disk is full
    struct sigaction action = {.sa_handler = signal_take};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGHUP, &action, NULL);
    signal(SIGPIPE, SIG_IGN);
}

static void temp_dir_remove(void)
{
    if (state.temp_dir[0])
        os_folder_remove(state.temp_dir);
    state.temp_dir[0] = 0;
}

void job_time_init(const char *file)
{
    state.time_file = file;
    state.time_began = os_time_ns();
}

static void time_add(const struct job *j)
{
    str_printf(&state.times, "%s , %s , %s , %s , %s , nvcc , %.4f , ms\n", j->source ? j->source : "", j->phase,
               j->source ? j->source : "", "", j->arch ? j->arch : "", (double)(os_time_ns() - j->began) / 1e6);
}

// The columns are those of CUDA's own driver.
static void times_write(void)
{
    struct stat st;
    bool out = !strcmp(state.time_file, "-");
    FILE *f = out ? stdout : fopen(state.time_file, "a");
    if (!f || fstat(fileno(f), &st)) {
        nvcc_error("'%s' cannot be written: %s", state.time_file, strerror(errno));
        return;
    }
    if (out || !st.st_size)
        fputs("source file name , phase name , phase input files , phase output file , arch , tool, metric , unit\n",
              f);
    fprintf(f, "%s , nvcc (driver) ,  ,  ,  , nvcc , %.4f , ms\n", str_text(&state.times),
            (double)(os_time_ns() - state.time_began) / 1e6);
    if (!out)
        fclose(f);
}

void job_fini(void)
{
    if (state.time_file && !state.dryrun)
        times_write();
    str_free(&state.times);
    for (int i = 0; i < RUNNING_MAX; i++)
        if (state.running[i] > 0) {
            kill(state.running[i], SIGKILL);
            waitpid(state.running[i], NULL, 0);
            state.running[i] = 0;
        }
    temp_dir_remove();
    if (state.signal_number) {
        signal(state.signal_number, SIG_DFL);
        raise(state.signal_number);
    }
}

bool job_dryrun(void)
{
    return state.dryrun;
}

bool job_verbose(void)
{
    return state.verbose;
}

bool job_interrupted(void)
{
    return state.signal_number != 0;
}

const char *job_temp(struct arena *a, const char *stem, const char *suffix)
{
    static unsigned serial;
    if (state.keep_dir)
        return arena_printf(a, "%s/%s%s", state.keep_dir, stem, suffix);
    if (!state.temp_dir[0]) {
        const char *base = state.temp_base && *state.temp_base ? state.temp_base : os_temp_base();
        if (state.dryrun) { // a name to print, no folder
            snprintf(state.temp_dir, sizeof state.temp_dir, "%s/nvcc-dryrun", base);
        } else if (!os_temp_dir(state.temp_dir, sizeof state.temp_dir, base, "nvcc")) {
            nvcc_error("no temporary folder in '%s': %s", base, strerror(errno));
            exit(1);
        }
    }
    return arena_printf(a, "%s/%u-%s%s", state.temp_dir, serial++, stem, suffix);
}

void job_add(struct job *j, const char *arg)
{
    vec_push(&j->argv, arg);
}

void job_add_all(struct job *j, const struct texts *args)
{
    for (size_t i = 0; i < args->len; i++)
        job_add(j, args->data[i]);
}

void job_add_files(struct job *j, const char *output, const char *input)
{
    if (output) {
        job_add(j, "-o");
        job_add(j, output);
    }
    job_add(j, input);
}

static void job_print(const struct job *j)
{
    struct str line = {0};
    str_append(&line, "#$");
    for (size_t i = 0; i < j->argv.len; i++) {
        const char *a = j->argv.data[i];
        bool plain = *a && !strpbrk(a, " \t\n\"'\\$`*?[](){}<>|&;#!~");
        str_append(&line, " ");
        if (plain) {
            str_append(&line, a);
            continue;
        }
        str_append(&line, "'");
        for (; *a; a++)
            *a == '\'' ? str_append(&line, "'\\''") : str_append_n(&line, a, 1);
        str_append(&line, "'");
    }
    fprintf(stderr, "%s\n", str_text(&line));
    str_free(&line);
}

static void running_set(pid_t old, pid_t new)
{
    for (int i = 0; i < RUNNING_MAX; i++)
        if (state.running[i] == old) {
            state.running[i] = new;
            return;
        }
}

// Forks with the signals held back, so that the child never runs our handler: a kill right after it must end it.
static pid_t child_fork(sigset_t *old)
{
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, old);
    pid_t pid = fork();
    if (pid)
        sigprocmask(SIG_SETMASK, old, NULL);
    return pid;
}

static void child_begin(const struct job *j, const sigset_t *mask)
{
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    signal(SIGHUP, SIG_DFL);
    signal(SIGPIPE, SIG_DFL);
    sigprocmask(SIG_SETMASK, mask, NULL);
    int fd = j->output ? open(j->output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600) : -1;
    if (fd >= 0)
        dup2(fd, 1);
    if (j->errors_plus_one)
        dup2(j->errors_plus_one - 1, 2);
}

bool job_start(struct job *j)
{
    j->status = 0;
    j->pid = 0;
    if (state.dryrun || state.verbose)
        job_print(j);
    if (state.dryrun)
        return true;
    if (state.signal_number)
        return false;
    if (j->capture && !j->errors_plus_one) // in memory: there may be no room left on disk
        j->errors_plus_one = memfd_create("messages", MFD_CLOEXEC) + 1;
    vec_push(&j->argv, NULL);
    j->argv.len--;
    sigset_t mask;
    pid_t pid = child_fork(&mask);
    if (pid == 0) {
        child_begin(j, &mask);
        execvp(j->argv.data[0], (char **)(uintptr_t)j->argv.data);
        dprintf(2, "nvcc fatal   : '%s' cannot be run: %s\n", j->argv.data[0], strerror(errno));
        _exit(127);
    }
    if (pid < 0)
        return nvcc_error("no process for '%s': %s", j->argv.data[0], strerror(errno));
    j->pid = pid;
    j->began = os_time_ns();
    running_set(0, pid);
    return true;
}

bool job_wait(struct job *j)
{
    if (!j->pid)
        return j->status == 0;
    int status;
    while (waitpid(j->pid, &status, 0) < 0)
        if (errno != EINTR) {
            status = 1 << 8;
            break;
        }
    running_set(j->pid, 0);
    j->pid = 0;
    if (state.time_file && j->phase)
        time_add(j);
    j->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return j->status == 0 && !state.signal_number;
}

void job_kill(struct job *j)
{
    if (!j->pid)
        return;
    kill(j->pid, SIGTERM);
    job_wait(j);
}

bool job_run(struct job *j)
{
    return job_start(j) && job_wait(j);
}

void job_free(struct job *j)
{
    job_kill(j);
    if (j->errors_plus_one)
        close(j->errors_plus_one - 1);
    j->errors_plus_one = 0;
    vec_free(&j->argv);
}

bool job_finish(struct job *j)
{
    bool ok = job_run(j);
    job_free(j);
    return ok;
}

char *job_errors(const struct job *j)
{
    struct stat st;
    int fd = j->errors_plus_one - 1;
    if (fd < 0 || fstat(fd, &st))
        return NULL;
    size_t size = (size_t)st.st_size, done = 0;
    char *text = xmalloc(size + 1);
    for (ssize_t n; done < size && (n = pread(fd, text + done, size - done, (off_t)done)) > 0;)
        done += (size_t)n;
    text[done] = 0;
    return text;
}

void job_print_errors(const struct job *j)
{
    char *text = state.dryrun ? NULL : job_errors(j);
    const char *what = j->phase ? j->phase : j->argv.data[0], *of = j->source ? j->source : "";
    if (!text)
        return;
    const char *io = strstr(text, "IO failure on output stream"), *dump = strstr(text, "Stack dump:");
    if (io || dump || (j->status && !*text)) {
        if (io)
            nvcc_error("%s of '%s': %.*s", what, of, (int)strcspn(io, "\n"), io);
        else
            nvcc_error("%s of '%s' ended with status %d%s%.*s", what, of, j->status, dump ? "; it wrote: " : "",
                       dump ? (int)strcspn(text, "\n") : 0, text);
        if (dump && state.verbose)
            fputs(text, stderr);
    } else {
        fputs(text, stderr);
    }
    free(text);
}

bool job_feed(struct job *j, const char *pipe, const void *data, size_t size)
{
    sigset_t mask;
    pid_t pid = child_fork(&mask);
    if (pid == 0) {
        child_begin(j, &mask);
        int fd = open(pipe, O_WRONLY | O_CLOEXEC);
        _exit(fd >= 0 && os_write_all(fd, data, size) ? 0 : 1);
    }
    if (pid < 0)
        return nvcc_error("no process: %s", strerror(errno));
    j->pid = pid;
    running_set(0, pid);
    return true;
}

void job_remove_file(const char *path)
{
    struct stat st;
    if (!lstat(path, &st) && S_ISREG(st.st_mode))
        unlink(path);
}

bool job_write_file(const char *path, const void *data, size_t size)
{
    if (state.dryrun)
        return true;
    struct stat st;
    bool ok;
    // What is no plain file (/dev/null, a pipe) or is reached by a link (/dev/stdout) is written to, never replaced.
    if (!lstat(path, &st) && !S_ISREG(st.st_mode)) {
        int fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
        ok = fd >= 0 && os_write_all(fd, data, size);
        if (fd >= 0)
            close(fd);
    } else {
        ok = os_file_write(path, data, size);
    }
    return ok || nvcc_error("'%s' cannot be written: %s", path, strerror(errno));
}

const char *job_output(struct arena *a, const char *output)
{
    struct stat st;
    if (!output || state.dryrun || lstat(output, &st) || S_ISREG(st.st_mode))
        return output;
    return job_temp(a, "output", "");
}

bool job_deliver(const char *made, const char *output)
{
    size_t size;
    if (made == output || access(made, F_OK))
        return true;
    char *data = os_file_read(made, &size);
    bool ok = data ? job_write_file(output, data, size) : nvcc_error("'%s': %s", made, strerror(errno));
    free(data);
    return ok;
}
