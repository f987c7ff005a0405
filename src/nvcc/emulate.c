// SPDX-License-Identifier: Apache-2.0
// Device emulation (-deviceemu): a CUDA source becomes plain C++ for the host compiler, in one pass. The preprocessor
// runs first; in its output, where macros are gone, two things that C++ lacks are rewritten. Lines stay where they are,
// and the line markers give files and lines, so that debuggers show the source as it was written.
//
//  - A launch. f<<<grid, block>>>(a, 3) becomes
//      ::__heddle_emulation::launch(::__heddle_emulation::config(grid, block), "f", [&](auto &&x0) { f(x0, 3); }, a)
//    Arguments are evaluated once; literals and braces stay in the call, where their type follows from the parameter.
//  - A shared variable, marked by the headers with __heddle_shared__. Blocks run one after another, so that it is a
//    static variable; `extern` ones are the runtime's buffer of dynamic shared memory, by that symbol.
#include "nvcc/driver.h"
#include "base/os.h"
#include "front/source.h"
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SHARED_WORD   "__heddle_shared__"
#define SHARED_SYMBOL "__cudaEmulationShared"

// Behind the string, character or raw string that begins at p.
static const char *literal_end(const char *p)
{
    if (p[0] == '"' || p[0] == '\'')
        return source_skip_literal(p);
    const char *open = strchr(p, '('); // R"name( ... )name"
    if (!open || open - p > 20)
        return p + 2;
    char end[32];
    snprintf(end, sizeof end, ")%.*s\"", (int)(open - p - 2), p + 2);
    const char *at = strstr(open, end);
    return at ? at + strlen(end) : p + strlen(p);
}

static bool literal_begins(const char *text, const char *p)
{
    if (*p == '"')
        return true;
    if (*p == '\'')
        return p == text || !isxdigit((unsigned char)p[-1]); // 1'000 has separators
    return p[0] == 'R' && p[1] == '"' && (p == text || !source_is_word(p[-1]) || strchr("uUL8", p[-1]));
}

// The bracket that closes the one at p; NULL when there is none.
static const char *bracket_close(const char *p)
{
    int depth = 0;
    for (const char *text = p; *p;) {
        if (literal_begins(text, p)) {
            p = literal_end(p);
            continue;
        }
        depth += (*p == '(' || *p == '[' || *p == '{') - (*p == ')' || *p == ']' || *p == '}');
        if (depth == 0)
            return p;
        p++;
    }
    return NULL;
}

static size_t back_blanks(const char *text, size_t at)
{
    while (at && isspace((unsigned char)text[at - 1]))
        at--;
    return at;
}

// Before the bracket that matches the one that ends at `at`.
static size_t back_bracket(const char *text, size_t at, char open, char close)
{
    int depth = 0;
    while (at) {
        char c = text[--at];
        depth += (c == close) - (c == open);
        if (depth == 0)
            return at;
    }
    return 0;
}

// Where the expression that is called begins, in the text that ends with it: name, a::b<int>, p->f, (*f).
static size_t callee_begin(const char *text, size_t end)
{
    size_t at = back_blanks(text, end);
    for (;;) {
        if (at && text[at - 1] == '>')
            at = back_blanks(text, back_bracket(text, at, '<', '>'));
        else if (at && text[at - 1] == ')')
            return back_bracket(text, at, '(', ')');
        else if (at && text[at - 1] == ']')
            at = back_bracket(text, at, '[', ']');
        while (at && source_is_word(text[at - 1]))
            at--;
        size_t before = back_blanks(text, at);
        if (before >= 2 && !strncmp(text + before - 2, "::", 2)) {
            at = before - 2;
            size_t name = back_blanks(text, at);
            if (!name || !(source_is_word(text[name - 1]) || text[name - 1] == '>'))
                return at; // ::f
            at = name;
        } else if (before >= 2 && !strncmp(text + before - 2, "->", 2)) {
            at = back_blanks(text, before - 2);
        } else if (before >= 1 && text[before - 1] == '.') {
            at = back_blanks(text, before - 1);
        } else {
            return at;
        }
    }
}

// The end of the configuration: >>> outside of brackets, with the arguments behind.
static const char *config_end(const char *p)
{
    int depth = 0;
    for (const char *text = p; *p && !(depth == 0 && *p == ';');) {
        if (literal_begins(text, p)) {
            p = literal_end(p);
            continue;
        }
        depth += (*p == '(' || *p == '[' || *p == '{') - (*p == ')' || *p == ']' || *p == '}');
        if (depth == 0 && !strncmp(p, ">>>", 3) && p[3 + strspn(p + 3, " \t\r\n")] == '(')
            return p;
        p++;
    }
    return NULL;
}

// Arguments whose type follows from the parameter: numbers, NULL, braces.
static bool stays_in_call(const char *p, size_t n)
{
    while (n && isspace((unsigned char)*p))
        p++, n--;
    while (n && isspace((unsigned char)p[n - 1]))
        n--;
    if (!n || *p == '{' || *p == '"')
        return true;
    if ((n == 6 && !strncmp(p, "__null", 6)) || (n == 4 && !strncmp(p, "true", 4)) ||
        (n == 5 && !strncmp(p, "false", 5)))
        return true;
    if (*p == '-' || *p == '+')
        p++, n--;
    if (!n || !isdigit((unsigned char)*p))
        return false;
    for (size_t i = 0; i < n; i++)
        if (!source_is_word(p[i]) && p[i] != '.')
            return false;
    return true;
}

// The next argument from p on, to end: its length. Commas within brackets and angles of templates do not count.
static size_t argument_length(const char *p, const char *end)
{
    const char *q = p;
    int depth = 0, angles = 0;
    while (q < end) {
        if (literal_begins(p, q)) {
            q = literal_end(q);
            continue;
        }
        depth += (*q == '(' || *q == '[' || *q == '{') - (*q == ')' || *q == ']' || *q == '}');
        if (*q == '<' && q > p && source_is_word(q[-1]) && memchr(q, '>', (size_t)(end - q)) && q[1] != '<' &&
            q[1] != '=')
            angles++;
        else if (*q == '>' && angles && q[-1] != '-')
            angles--;
        if (*q == ',' && depth == 0 && angles == 0)
            break;
        q++;
    }
    return (size_t)(q - p);
}

static void append_name(struct str *out, const char *p, size_t n)
{
    str_append(out, "\"");
    for (size_t i = 0; i < n; i++)
        if (!isspace((unsigned char)p[i]) && p[i] != '"' && p[i] != '\\')
            str_append_n(out, p + i, 1);
    str_append(out, "\"");
}

// The launch whose <<< stands at p, its callee at the end of out. The place behind it; NULL: it is none.
static const char *launch_write(struct str *out, const char *p)
{
    const char *config = p + 3, *end = config_end(config);
    if (!end)
        return NULL;
    const char *open = end + 3 + strspn(end + 3, " \t\r\n"), *close = bracket_close(open);
    if (!close)
        return NULL;
    size_t begin = callee_begin(out->data, out->len);
    struct str callee = {0}, parameters = {0}, inner = {0}, outer = {0};
    str_append_n(&callee, out->data + begin, out->len - begin);
    out->len = begin;
    out->data[begin] = 0;
    unsigned count = 0;
    for (const char *a = open + 1; a < close;) {
        size_t n = argument_length(a, close);
        str_append(&inner, inner.len ? ", " : "");
        if (stays_in_call(a, n)) {
            str_append_n(&inner, a, n);
        } else {
            str_printf(&parameters, "%sauto &&__heddle_a%u", count ? ", " : "", count);
            str_printf(&inner, "__heddle_a%u", count++);
            str_append(&outer, ", ");
            str_append_n(&outer, a, n);
        }
        a += n + (a + n < close);
    }
    str_append(out, "::__heddle_emulation::launch(::__heddle_emulation::config(");
    str_append_n(out, config, (size_t)(end - config));
    str_append(out, "), ");
    append_name(out, str_text(&callee), callee.len);
    str_printf(out, ", [&](%s) { %s(%s); }%s)", str_text(&parameters), str_text(&callee), str_text(&inner),
               str_text(&outer));
    str_free(&callee);
    str_free(&parameters);
    str_free(&inner);
    str_free(&outer);
    return close + 1;
}

static bool last_word_is(const struct str *out, const char *word)
{
    size_t end = back_blanks(str_text(out), out->len), n = strlen(word);
    return end >= n && !strncmp(out->data + end - n, word, n) && (end == n || !source_is_word(out->data[end - n - 1]));
}

// The declaration of a shared variable from behind its mark on.
static const char *shared_write(struct str *out, const char *p)
{
    const char *next = p + strspn(p, " \t\r\n");
    if (last_word_is(out, "extern") || (!strncmp(next, "extern", 6) && !source_is_word(next[6]))) {
        size_t n = strcspn(p, ";");
        str_append_n(out, p, n);
        str_append(out, " __asm__(\"" SHARED_SYMBOL "\")");
        return p + n;
    }
    if (!last_word_is(out, "static") && !(!strncmp(next, "static", 6) && !source_is_word(next[6])))
        str_append(out, "static");
    return p;
}

// A marker "# N "file" flags" that neither enters nor leaves a file: its parts. False: something else.
static bool marker_read(const char *p, unsigned long *line, const char **file, size_t *n)
{
    char *end;
    if (p[0] != '#' || p[1] != ' ' || !isdigit((unsigned char)p[2]))
        return false;
    *line = strtoul(p + 2, &end, 10);
    if (end[0] != ' ' || end[1] != '"')
        return false;
    *file = end + 1;
    const char *quote = literal_end(*file);
    *n = (size_t)(quote - *file);
    return true;
}

// Compilers put line markers into the middle of a line where a macro of a system header was used. Joined again, a line
// is one line, and what belongs together is found together.
static void lines_join(struct str *out, const char *text)
{
    unsigned long line = 0, number;
    const char *file = "", *name;
    size_t length = 0, n;
    while (*text) {
        size_t size = strcspn(text, "\n");
        size += text[size] == '\n';
        if (marker_read(text, &number, &name, &n)) {
            const char *flags = name + n;
            bool moves = !strncmp(flags, " 1", 2) || !strncmp(flags, " 2", 2);
            bool same = !moves && n == length && !strncmp(name, file, n);
            bool back = same && number + 1 == line && out->len && out->data[out->len - 1] == '\n';
            if (back)
                out->data[out->len - 1] = ' ';
            if (!back && !(same && number == line))
                str_append_n(out, text, size);
            line = number;
            file = name;
            length = n;
        } else {
            str_append_n(out, text, size);
            line++;
        }
        text += size;
    }
}

static void source_rewrite(struct str *out, const char *text)
{
    for (const char *p = text; *p;) {
        const char *from = p;
        if (*p == '#' && (p == text || p[-1] == '\n')) {
            p += strcspn(p, "\n"); // a line marker or pragma
        } else if (literal_begins(text, p)) {
            p = literal_end(p);
        } else if (!strncmp(p, "<<<", 3)) {
            const char *behind = launch_write(out, p);
            if (behind) {
                p = behind;
                continue;
            }
            p += 3;
        } else if (!strncmp(p, SHARED_WORD, strlen(SHARED_WORD)) && !source_is_word(p[strlen(SHARED_WORD)]) &&
                   (p == text || !source_is_word(p[-1]))) {
            p = shared_write(out, p + strlen(SHARED_WORD));
            continue;
        } else {
            p++;
        }
        str_append_n(out, from, (size_t)(p - from));
    }
}

static void add_source(struct driver *d, struct job *j)
{
    const char *std = options_value(&d->options, OPTION_STD);
    bool old = std && (!strcmp(std, "c++03") || !strcmp(std, "c++11") || !strcmp(std, "gnu++11"));
    job_add(j, arena_printf(&d->arena, "-std=%s",
                            old   ? "gnu++14"
                            : std ? std
                                  : "gnu++17")); // launches are generic lambdas
}

static bool preprocess(struct driver *d, const char *source, const char *output)
{
    struct job j = {0};
    job_add(&j, d->host_cc);
    job_add(&j, "-x");
    job_add(&j, "c++");
    job_add(&j, "-E");
    add_source(d, &j);
    job_add(&j, "-D__DEVICE_EMULATION__=1");
    job_add(&j, "-D__CUDACC__=1");
    arguments_add_preprocessor(d, &j);
    job_add(&j, "-include");
    job_add(&j, "cuda_runtime.h");
    arguments_add_includes(d, &j);
    openmp_add_host(d, &j, false);
    arguments_add_dependencies(d, &j, source);
    job_add_files(&j, output, source);
    return job_finish(&j);
}

static bool rewrite(const char *from, const char *to)
{
    if (job_dryrun())
        return true;
    char *text = os_file_read(from, NULL);
    if (!text)
        return nvcc_error("'%s': %s", from, strerror(errno));
    struct str joined = {0}, out = {0};
    lines_join(&joined, text);
    source_rewrite(&out, str_text(&joined));
    str_free(&joined);
    bool ok = job_write_file(to, str_text(&out), out.len);
    str_free(&out);
    free(text);
    return ok;
}

bool emulate_source(struct driver *d, const char *source, const char *output)
{
    if (d->phase == PHASE_PTX || d->phase == PHASE_CUBIN || d->phase == PHASE_FATBIN)
        return nvcc_error("-deviceemu makes host code: there is no %s of it",
                          d->phase == PHASE_PTX ? "PTX" : "device binary");
    if (d->phase == PHASE_PREPROCESS || d->phase == PHASE_DEPS)
        return preprocess(d, source, output);
    const char *stem = driver_stem(d, source);
    const char *plain = job_temp(&d->arena, stem, ".ii"), *made = job_temp(&d->arena, stem, ".emu.ii");
    if (!preprocess(d, source, plain) || !rewrite(plain, made))
        return false;
    struct job j = {0};
    job_add(&j, d->host_cc);
    job_add(&j, "-x");
    job_add(&j, "c++-cpp-output");
    add_source(d, &j);
    arguments_add_warnings(d, &j);
    arguments_add_host(d, &j);
    // What is emulated is device code: where the host has fused operations its compiler uses them, unless that is forbidden.
    if (!options_bool(&d->options, OPTION_FMAD, true))
        job_add(&j, "-ffp-contract=off");
    job_add(&j, "-c");
    job_add_files(&j, output, made);
    return job_finish(&j);
}
