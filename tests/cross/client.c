// SPDX-License-Identifier: Apache-2.0
// See remote.h. What a process of its own cannot do (passes that someone watches, sections of debug information, which the text of a
// module does not have) is left to the JIT of the emulated machine; and so is everything with HEDDLE_TEST_JIT_INSIDE, for tests of what
// the JIT itself does there.
#include "remote.h"
#include "base/os.h"
#include "base/str.h"
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static jit_compile_fn *whole;
static jit_disassemble_fn *whole_disassemble;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void whole_open(void)
{
    void *h = dlopen(REMOTE_WHOLE, RTLD_NOW | RTLD_LOCAL);
    whole = h ? (jit_compile_fn *)dlsym(h, "heddle_jit_compile") : NULL;
    whole_disassemble = h ? (jit_disassemble_fn *)dlsym(h, "heddle_jit_disassemble") : NULL;
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

// Runs the compiler to its end, with open files for its standard input and output.
static bool run(int in, int out)
{
    char *argv[] = {REMOTE_COMPILER, NULL}, **e = environment();
    posix_spawn_file_actions_t actions;
    pid_t pid;
    int status;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
    bool ok = e && !posix_spawn(&pid, REMOTE_COMPILER, &actions, NULL, argv, e);
    posix_spawn_file_actions_destroy(&actions);
    free(e);
    while (ok && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    return ok;
}

static bool receive(FILE *f, struct jit_object *out, struct diag *d)
{
    struct remote_answer a;
    if (fread(&a, sizeof a, 1, f) != 1)
        return diag_fail(d, DIAG_INTERNAL, "the compiler outside the emulator ended without an answer");
    char *data = malloc(a.size + 1);
    if (!data)
        return diag_lacks_memory(d);
    bool all = fread(data, 1, a.size, f) == a.size;
    data[a.size] = 0;
    if (all && a.ok) {
        *out = (struct jit_object){data, a.size, a.variant};
        return true;
    }
    str_append(&d->text, all ? data : "");
    d->errors += a.errors;
    d->warnings += a.warnings;
    if (a.cause > d->cause)
        d->cause = a.cause;
    free(data);
    return all ? false : diag_fail(d, DIAG_INTERNAL, "the compiler outside the emulator ended in its answer");
}

__attribute__((visibility("default"))) const char heddle_jit_interface[] = JIT_INTERFACE;

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
    struct remote_request r = {.interface = JIT_INTERFACE, .options = *options};
    struct str text = {0}, names = {0};
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
    int in = memfd_create("request", MFD_CLOEXEC), answer = memfd_create("answer", MFD_CLOEXEC);
    FILE *f = answer >= 0 ? fdopen(answer, "r") : NULL;
    bool ok = f && in >= 0 && os_write_all(in, &r, sizeof r) && os_write_all(in, str_text(&names), r.names_size) &&
              os_write_all(in, str_text(&text), r.text_size) && !lseek(in, 0, SEEK_SET) && run(in, answer);
    str_free(&text);
    str_free(&names);
    if (in >= 0)
        close(in);
    ok = ok && !lseek(answer, 0, SEEK_SET) ? receive(f, out, d)
                                           : diag_fail(d, DIAG_COMPILER, "%s cannot be run", REMOTE_COMPILER);
    if (f)
        fclose(f);
    else if (answer >= 0)
        close(answer);
    return ok;
}

__attribute__((visibility("default"))) bool heddle_jit_disassemble(enum jit_machine machine, const void *code,
                                                                   size_t size, jit_listing_fn *take, void *data)
{
    pthread_once(&once, whole_open);
    return whole_disassemble && whole_disassemble(machine, code, size, take, data);
}
