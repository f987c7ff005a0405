// SPDX-License-Identifier: Apache-2.0
// See remote.h. What a process of its own cannot do (passes that someone watches, sections of debug information, which the text of a
// module does not have) is left to the JIT of the emulated machine; and so is everything with HEDDLE_TEST_JIT_INSIDE, for tests of what
// the JIT itself does there.
#include "remote.h"
#include "base/str.h"
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static jit_compile_fn *whole;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void whole_open(void)
{
    void *h = dlopen(REMOTE_WHOLE, RTLD_NOW | RTLD_LOCAL);
    whole = h ? (jit_compile_fn *)dlsym(h, "heddle_jit_compile") : NULL;
}

// Without what tells the loader of the emulated machine which libraries to open.
static char **environment(void)
{
    extern char **environ;
    size_t n = 0, k = 0;
    while (environ[n])
        n++;
    char **e = malloc((n + 1) * sizeof *e);
    for (size_t i = 0; e && i < n; i++)
        if (strncmp(environ[i], "LD_", 3))
            e[k++] = environ[i];
    if (e)
        e[k] = NULL;
    return e;
}

static bool start(pid_t *pid, int *to, int *from)
{
    int in[2], out[2];
    char *argv[] = {REMOTE_COMPILER, NULL}, **e = environment();
    posix_spawn_file_actions_t actions;
    if (!e || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, in))
        return free(e), false;
    if (pipe2(out, O_CLOEXEC))
        return close(in[0]), close(in[1]), free(e), false;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in[0], 0);
    posix_spawn_file_actions_adddup2(&actions, out[1], 1);
    bool ok = !posix_spawn(pid, REMOTE_COMPILER, &actions, NULL, argv, e);
    posix_spawn_file_actions_destroy(&actions);
    free(e);
    close(in[0]);
    close(out[1]);
    if (!ok) {
        close(in[1]);
        close(out[0]);
    }
    *to = in[1];
    *from = out[0];
    return ok;
}

static bool send_all(int fd, const void *data, size_t size)
{
    for (const char *p = data; size;) {
        ssize_t n = send(fd, p, size, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        p += n;
        size -= (size_t)n;
    }
    return true;
}

static bool receive_all(int fd, void *data, size_t size)
{
    for (char *p = data; size;) {
        ssize_t n = read(fd, p, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        p += n;
        size -= (size_t)n;
    }
    return true;
}

static bool receive(int fd, struct jit_object *out, struct diag *d)
{
    struct remote_answer a;
    if (!receive_all(fd, &a, sizeof a))
        return diag_fail(d, DIAG_INTERNAL, "the compiler outside the emulator ended without an answer");
    char *data = malloc(a.size + 1);
    if (!data)
        return diag_lacks_memory(d);
    if (!receive_all(fd, data, a.size)) {
        free(data);
        return diag_fail(d, DIAG_INTERNAL, "the compiler outside the emulator ended in the middle of its answer");
    }
    data[a.size] = 0;
    if (a.ok) {
        *out = (struct jit_object){data, a.size, a.variant};
        return true;
    }
    str_append(&d->text, data);
    d->errors += a.errors;
    d->warnings += a.warnings;
    if (a.cause > d->cause)
        d->cause = a.cause;
    free(data);
    return false;
}

__attribute__((visibility("default"))) bool heddle_jit_compile(const struct ptx_module *m,
                                                               const struct ptx_func *kernel,
                                                               const struct jit_options *options,
                                                               struct jit_object *out, struct diag *d)
{
    *out = (struct jit_object){0};
    if (options->watch || m->nsections || getenv("HEDDLE_TEST_JIT_INSIDE")) {
        pthread_once(&once, whole_open);
        return whole ? whole(m, kernel, options, out, d)
                     : diag_fail(d, DIAG_COMPILER, "%s cannot be opened", REMOTE_WHOLE);
    }
    struct remote_request r = {.abi = JIT_ABI_VERSION, .options = *options};
    struct str text = {0}, names = {0};
    pid_t pid;
    int to, from, status;
    ptx_module_print(m, &text);
    str_append_n(&names, kernel->name, strlen(kernel->name) + 1);
    for (uint32_t i = 0; i < m->nfuncs; i++)
        str_append_n(&names, m->funcs[i]->name, strlen(m->funcs[i]->name) + 1);
    for (uint32_t i = 0; i < m->nvars; i++)
        str_append_n(&names, m->vars[i]->name, strlen(m->vars[i]->name) + 1);
    r.nfuncs = m->nfuncs;
    r.nvars = m->nvars;
    r.names_size = names.len;
    r.text_size = text.len;
    bool ok = start(&pid, &to, &from);
    if (!ok) {
        str_free(&text);
        str_free(&names);
        return diag_fail(d, DIAG_COMPILER, "%s cannot be started", REMOTE_COMPILER);
    }
    ok = send_all(to, &r, sizeof r) && send_all(to, str_text(&names), r.names_size) &&
         send_all(to, str_text(&text), r.text_size);
    str_free(&text);
    str_free(&names);
    close(to);
    ok = ok ? receive(from, out, d) : diag_fail(d, DIAG_INTERNAL, "the compiler outside the emulator does not listen");
    close(from);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    return ok;
}
