// SPDX-License-Identifier: Apache-2.0
// pass_test NAME FOLDER: runs one pass of src/jit/pass.def over each file of the folder and checks what it leaves (check.h). A file is IR
// of the dialect, or PTX for the pass translate, with lines
//   ; expect: fires     it changes something
//   ; expect: declines  it leaves everything as it was
//   ; expect: partly    it changes something and leaves the rest, as a CHECK-NOT says
//   ; expect: fails     it ends the compilation
//   ; set: width=8 block=64,2,1 ...   the compilation's state (state.c)
//   ; after: NAME ...                 passes that run before, whose state it needs
//   ; cpu: NAME                       a processor to compile for (HEDDLE_CPU), AArch64's beginning with neoverse or cortex; on the other
//                                     architecture the file is passed over
//   ; x86: NAME                       the same on x86-64, and elsewhere the processor at hand
//   ; llvm: N                         the same where LLVM is older than version N
//   ; repeat N ... ; end              what stands between, N times, with $i for the number of the copy, $p and $n for the ones before and behind it
// `@k` is the kernel, `@k.region.N` are regions, `@k.full.N` and `@k.masked.N` their gang code. A folder has at least one file
// where it acts and one where it must not.
#include "check.h"
#include "state.h"
#include "base/os.h"
#include "base/str.h"
#include "base/vec.h"
#include "base/xmalloc.h"
#include <dirent.h>
#include <stdio.h>
#include <llvm-c/Core.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum outcome { FIRES, DECLINES, FAILS, PARTLY, SKIPPED, WRONG };

struct names VEC(char *);

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void find_files(const char *folder, struct names *out)
{
    DIR *d = opendir(folder);
    for (struct dirent *e; d && (e = readdir(d));)
        if (strstr(e->d_name, ".ll") || strstr(e->d_name, ".ptx")) {
            struct str s = {0};
            str_printf(&s, "%s/%s", folder, e->d_name);
            vec_push(out, xstrdup(str_text(&s)));
            str_free(&s);
        }
    if (d)
        closedir(d);
    if (out->len)
        qsort(out->data, out->len, sizeof *out->data, by_name);
}

// The rest of the line that begins with "; word:", or "".
static char *directive(const char *text, const char *word)
{
    char key[32];
    snprintf(key, sizeof key, "%s:", word);
    for (const char *p = text; *p; p += strcspn(p, "\n"), p += *p == '\n') {
        const char *q = p + strspn(p, ";/ ");
        if (q == p || strncmp(q, key, strlen(key)))
            continue;
        q += strlen(key);
        q += strspn(q, " ");
        char *out = xmalloc(strcspn(q, "\n") + 1);
        memcpy(out, q, strcspn(q, "\n"));
        out[strcspn(q, "\n")] = 0;
        return out;
    }
    return xstrdup("");
}

static void append_copy(struct str *out, const char *from, const char *to, unsigned i)
{
    for (const char *p = from; p < to; p++)
        if (p[0] == '$' && p + 1 < to && (p[1] == 'i' || p[1] == 'p' || p[1] == 'n'))
            str_printf(out, "%u", *++p == 'i' ? i : *p == 'n' ? i + 1 : i - 1);
        else
            str_append_n(out, p, 1);
}

static char *repeat(const char *text)
{
    struct str out = {0};
    const char *p = text, *q;
    while ((q = strstr(p, "\n; repeat "))) {
        unsigned n = (unsigned)strtoul(q + 10, NULL, 10);
        const char *from = q + 1 + strcspn(q + 1, "\n"), *to = strstr(from, "\n; end");
        if (!to)
            break;
        str_append_n(&out, p, (size_t)(q - p));
        for (unsigned i = 1; i <= n; i++)
            append_copy(&out, from, to, i);
        p = to + 6;
    }
    str_append(&out, p);
    char *copy = xstrdup(str_text(&out));
    str_free(&out);
    return copy;
}

// Such a process ends with all that it holds; the sanitizer's library asks.
__attribute__((visibility("default"))) int __lsan_is_turned_off(void);
int __lsan_is_turned_off(void)
{
    return 1;
}

// In a process of its own: which processor code is made for is asked once.
static enum outcome run_file(const char *pass, const char *file)
{
    size_t size;
    char *text = os_file_read(file, &size);
    if (!text)
        return WRONG;
    char *expect = directive(text, "expect"), *cpu = directive(text, "cpu");
    unsigned major, minor, patch;
    LLVMGetVersion(&major, &minor, &patch);
    if (major < (unsigned)atoi(directive(text, "llvm")))
        return SKIPPED;
    bool arm = !strncmp(cpu, "neoverse", 8) || !strncmp(cpu, "cortex", 6);
#if defined(__x86_64__)
    if (arm)
        return SKIPPED;
    char *here = directive(text, "x86");
    setenv("HEDDLE_CPU", *cpu ? cpu : *here ? here : "haswell", 1);
#else
    if (*cpu && !arm)
        return SKIPPED;
    if (arm)
        setenv("HEDDLE_CPU", cpu, 1);
    else
        unsetenv("HEDDLE_CPU");
#endif
    setenv("HEDDLE_REMARKS", pass, 1);
    struct state_result r = {0};
    char *input = repeat(text), *set = directive(text, "set"), *after = directive(text, "after");
    if (!state_run(pass, file, input, set, after, &r)) {
        fprintf(stderr, "%s: %s\n", file, str_text(&r.text));
        return WRONG;
    }
    bool partly = !strcmp(expect, "partly") && strstr(text, "CHECK-NOT:");
    enum outcome o = !r.ok ? FAILS : !r.changed ? DECLINES : partly ? PARTLY : FIRES;
    static const char *const words[] = {"fires", "declines", "fails", "partly"};
    bool right = !strcmp(expect, words[o]) && check_text(file, text, str_text(&r.text));
    if (strcmp(expect, words[o]))
        fprintf(stderr, "%s: the pass %s, expected was '%s'\n", file, words[o], expect);
    if (!right || getenv("PASS_TEST_PRINT"))
        fputs(str_text(&r.text), stderr);
    return right ? o : WRONG;
}

// Added to the status of a child that came to its end: sanitizers and libraries exit with small numbers of their own.
enum { ENDED = 64 };

static enum outcome run_apart(const char *pass, const char *file)
{
    fflush(NULL);
    pid_t child = fork();
    if (!child)
        exit(ENDED + (int)run_file(pass, file)); // and not _exit, which does not count for ./dev coverage
    int status;
    if (child < 0 || waitpid(child, &status, 0) < 0 || !WIFEXITED(status) || WEXITSTATUS(status) < ENDED ||
        WEXITSTATUS(status) > ENDED + WRONG) {
        fprintf(stderr, "%s: the process ended early\n", file);
        return WRONG;
    }
    return (enum outcome)(WEXITSTATUS(status) - ENDED);
}

int main(int argc, char **argv)
{
    unsigned count[WRONG + 1] = {0};
    struct names files = {0};
    if (argc != 3)
        return 2;
    if (!state_knows(argv[1])) {
        fprintf(stderr, "'%s' is no pass of src/jit/pass.def\n", argv[1]);
        return 1;
    }
    find_files(argv[2], &files);
    for (size_t i = 0; i < files.len; i++) {
        count[run_apart(argv[1], files.data[i])]++;
        free(files.data[i]);
    }
    printf("%s: fires in %u, partly in %u, declines in %u, fails in %u, passed over %u, wrong %u\n", argv[1],
           count[FIRES], count[PARTLY], count[DECLINES], count[FAILS], count[SKIPPED], count[WRONG]);
    bool both = (count[FIRES] || count[FAILS]) && count[DECLINES] + count[PARTLY] + (count[FIRES] ? count[FAILS] : 0);
    if (!both && !count[WRONG] && !count[SKIPPED])
        fprintf(
            stderr,
            "%s: there must be a file where the pass fires, and another one where it must not (tests/pass/main.c)\n",
            argv[2]);
    vec_free(&files);
    return count[WRONG] || !(both || count[SKIPPED]);
}
