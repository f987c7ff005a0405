// SPDX-License-Identifier: Apache-2.0
// See option.h. An argument is looked up by its whole name first, then by the names that a value may touch, so that
// -lineinfo is the option of that name and -lm a library. Spellings, quotes and backslashes are taken as NVIDIA's
// driver takes them: tests/nvcc/spelling.sh compares the two.
#include "nvcc/option.h"
#include "base/os.h"
#include "base/str.h"
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum option_kind {
    KIND_FLAG,
    KIND_BOOL,
    KIND_VALUE,
    KIND_VALUES,
    KIND_LIST,
    KIND_WORDS,
    KIND_JOINED,
    KIND_LEVEL,
    KIND_SECTION
};
enum option_status { STATUS_DONE, STATUS_PASSED, STATUS_NONE, STATUS_REFUSED, STATUS_OWN };

struct option_row {
    enum option_id id;
    const char *long_name, *short_name;
    enum option_kind kind;
    const char *values;
    enum option_status status;
    const char *help;
};

static const struct option_row option_table[] = {
#define SECTION(title) {OPTION_COUNT, "", "", KIND_SECTION, "", STATUS_OWN, title},
#define OPT(id, long_name, short_name, kind, values, status, help)                                                     \
    {OPTION_##id, long_name, short_name, KIND_##kind, values, STATUS_##status, help},
#include "nvcc/option.def"
#undef OPT
#undef SECTION
};
#define OPTION_ROWS (sizeof option_table / sizeof option_table[0])
#define FILE_DEPTH  8 // option files within option files

static void message_print(const char *kind, const char *fmt, va_list ap)
{
    fprintf(stderr, "nvcc %-8s: ", kind);
    vfprintf(stderr, fmt, ap);
    fputc('\n', stderr);
}

bool nvcc_error(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    message_print("fatal", fmt, ap);
    va_end(ap);
    return false;
}

void nvcc_warning(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    message_print("warning", fmt, ap);
    va_end(ap);
}

bool options_has(const struct options *o, enum option_id id)
{
    return o->values[id].len > 0;
}

const char *options_value(const struct options *o, enum option_id id)
{
    const struct texts *t = &o->values[id];
    return t->len ? t->data[t->len - 1] : NULL;
}

bool options_bool(const struct options *o, enum option_id id, bool absent)
{
    const char *v = options_value(o, id);
    return v ? !strcmp(v, "true") : absent;
}

bool options_lists(const struct options *o, enum option_id id, const char *text)
{
    for (size_t i = 0; i < o->values[id].len; i++)
        if (!strcmp(o->values[id].data[i], text))
            return true;
    return false;
}

// The row for "name" or "name=value" (the length of the name in *n), or one whose short name the text begins with.
static const struct option_row *row_find(const char *text, bool two_dashes, size_t *n)
{
    size_t whole = strcspn(text, "=");
    *n = whole;
    for (size_t i = 0; i < OPTION_ROWS; i++) {
        const struct option_row *r = &option_table[i];
        if (r->kind != KIND_SECTION && whole && str_is(text, whole, two_dashes ? r->long_name : r->short_name))
            return r;
    }
    for (size_t i = 0; i < OPTION_ROWS && !two_dashes; i++) {
        const struct option_row *r = &option_table[i];
        *n = strlen(r->short_name);
        if ((r->kind == KIND_JOINED || r->kind == KIND_LEVEL) && !strncmp(r->short_name, text, *n))
            return r;
    }
    *n = whole;
    for (size_t i = 0; i < OPTION_ROWS && !two_dashes; i++) // as the oldest of guides write them
        if (option_table[i].kind != KIND_SECTION && whole && str_is(text, whole, option_table[i].long_name))
            return &option_table[i];
    return NULL;
}

// Appends the parts of a comma-separated list. A backslash takes the next character as it is; commas within double
// quotes or parentheses do not count.
static void list_add(struct options *o, struct texts *t, const char *value)
{
    char *part = arena_alloc(o->arena, strlen(value) + 1);
    size_t n = 0;
    bool quoted = false;
    int depth = 0;
    for (const char *p = value;; p++) {
        if (!*p || (*p == ',' && !quoted && depth <= 0)) {
            part[n] = 0;
            if (n) {
                vec_push(t, part);
                part = arena_alloc(o->arena, strlen(p) + 1);
            }
            n = 0;
            if (!*p)
                return;
        } else if (*p == '\\' && p[1]) {
            part[n++] = *++p;
        } else {
            quoted ^= *p == '"';
            depth += (*p == '(') - (*p == ')');
            part[n++] = *p;
        }
    }
}

// How double quotes are taken when a text is split into words.
enum quotes {
    QUOTES_SHELL, // as a shell does, and single ones and backslashes too
    QUOTES_OFF,   // they keep a word together and are left away, as in files of options
    QUOTES_ON,    // they keep a word together and stay, as in environment variables
};

static void words_add(struct options *o, struct texts *words, const char *text, enum quotes mode)
{
    for (const char *p = text; *p;) {
        p += strspn(p, " \t\r\n");
        if (!*p)
            break;
        char *word = arena_alloc(o->arena, strlen(p) + 1), quote = 0;
        size_t n = 0;
        for (; *p && (quote || !strchr(" \t\r\n", *p)); p++) {
            if (mode == QUOTES_OFF && *p == '\\' && p[1] == '"')
                p++;
            if (quote ? *p == quote : *p == '"' || (*p == '\'' && mode == QUOTES_SHELL)) {
                quote = quote ? 0 : *p;
                if (mode == QUOTES_ON)
                    word[n++] = *p;
            } else if (*p == '\\' && quote != '\'' && p[1] && (mode != QUOTES_ON || p[1] == ' ')) {
                word[n++] = *++p;
            } else {
                word[n++] = *p;
            }
        }
        word[n] = 0;
        vec_push(words, word);
    }
}

// Options of another tool: NVIDIA's driver pastes the items of the list into a command for a shell.
static void tool_words_add(struct options *o, struct texts *t, const char *value)
{
    struct texts items = {0};
    struct str line = {0};
    list_add(o, &items, value);
    for (size_t i = 0; i < items.len; i++)
        str_printf(&line, "%s ", items.data[i]);
    words_add(o, t, str_text(&line), QUOTES_SHELL);
    str_free(&line);
    vec_free(&items);
}

static bool value_allowed(const char *allowed, const char *value)
{
    size_t n = strlen(value);
    for (const char *p = allowed; *p;) {
        size_t length = strcspn(p, "|");
        if (length == n && !memcmp(p, value, n))
            return true;
        p += length + (p[length] == '|');
    }
    return false;
}

static bool value_check(const struct option_row *r, const char *value)
{
    if (r->kind == KIND_BOOL)
        return !strcmp(value, "true") || !strcmp(value, "false") ||
               nvcc_error("option '--%s' takes true or false, not '%s'", r->long_name, value);
    if (!strcmp(r->values, "#"))
        return (*value && value[strspn(value, "0123456789")] == 0) ||
               nvcc_error("option '--%s' takes a number, not '%s'", r->long_name, value);
    return !*r->values || value_allowed(r->values, value) ||
           nvcc_error("'%s' is no value of option '--%s'; there are: %s", value, r->long_name, r->values);
}

static bool value_store(struct options *o, const struct option_row *r, const char *value)
{
    struct texts *t = &o->values[r->id];
    size_t first = t->len;
    switch (r->kind) {
    case KIND_WORDS:
        tool_words_add(o, t, value);
        break;
    case KIND_LIST:
    case KIND_JOINED:
        list_add(o, t, value);
        break;
    default:
        if (r->kind != KIND_VALUES && t->len && strcmp(t->data[t->len - 1], value))
            nvcc_warning("option '--%s' is given again with another value: the last one counts", r->long_name);
        vec_push(t, arena_strdup(o->arena, value));
    }
    for (size_t i = first; i < t->len; i++)
        if (!value_check(r, t->data[i]))
            return false;
    for (size_t i = first; r->id == OPTION_LIBRARY && i < t->len; i++) // the order among objects counts
        vec_push(&o->inputs, arena_printf(o->arena, "-l%s", t->data[i]));
    return true;
}

static bool text_read(struct options *o, const char *text, enum quotes mode, int depth);

static bool file_read(struct options *o, const char *path, int depth)
{
    char *text = depth < FILE_DEPTH ? os_file_read(path, NULL) : NULL;
    if (!text)
        return nvcc_error("options file '%s' %s", path, depth < FILE_DEPTH ? "cannot be read" : "is nested too deeply");
    bool ok = text_read(o, text, QUOTES_OFF, depth + 1);
    free(text);
    return ok;
}

static bool files_read(struct options *o, const char *list, int depth)
{
    struct texts files = {0};
    bool ok = true;
    list_add(o, &files, list);
    for (size_t i = 0; ok && i < files.len; i++)
        ok = file_read(o, files.data[i], depth);
    vec_free(&files);
    return ok;
}

// Takes the argument at *i, and the next one when that is its value.
static bool argument_read(struct options *o, const char *const *argv, int argc, int *i, int depth)
{
    const char *arg = argv[*i];
    if (arg[0] == '@' && arg[1])
        return file_read(o, arg + 1, depth);
    if (arg[0] != '-' || !arg[1]) {
        vec_push(&o->inputs, arena_strdup(o->arena, arg));
        return true;
    }
    size_t n;
    bool two = arg[1] == '-';
    const char *text = arg + 1 + two;
    const struct option_row *r = row_find(text, two, &n);
    if (!r) {
        vec_push(&o->unknown, arena_strdup(o->arena, arg));
        return true;
    }
    int name = (int)(n + 1 + two);
    if (r->status == STATUS_REFUSED)
        return nvcc_error("option '%.*s' is not supported: %s", name, arg, r->help);
    const char *value = text[n] == '=' ? text + n + 1 : text[n] ? text + n : NULL;
    if (r->kind == KIND_FLAG) {
        if (value)
            return nvcc_error("option '%.*s' takes no value", name, arg);
        vec_push(&o->values[r->id], "");
        return true;
    }
    if (!value) {
        if (*i + 1 >= argc)
            return nvcc_error("option '%s' needs a value", arg);
        value = argv[++*i];
    }
    if (r->id == OPTION_OPTIONS_FILE)
        return files_read(o, value, depth);
    return value_store(o, r, value);
}

static bool text_read(struct options *o, const char *text, enum quotes mode, int depth)
{
    struct texts words = {0};
    bool ok = true;
    words_add(o, &words, text, mode);
    for (int i = 0; ok && i < (int)words.len; i++)
        ok = argument_read(o, words.data, (int)words.len, &i, depth);
    vec_free(&words);
    return ok;
}

static bool unknown_check(const struct options *o)
{
    if (!o->unknown.len || options_has(o, OPTION_FORWARD) || options_has(o, OPTION_FORWARD_ALL) ||
        options_has(o, OPTION_FORWARD_LINKER))
        return true;
    return nvcc_error("unknown option '%s'", o->unknown.data[0]);
}

// Quotes around a path or within it are no part of its name.
static void paths_unquote(struct options *o)
{
    static const enum option_id ids[] = {OPTION_OUTPUT,    OPTION_INCLUDE_DIR, OPTION_SYSTEM_DIR, OPTION_LIBRARY_DIR,
                                         OPTION_DEPS_FILE, OPTION_PRE_INCLUDE, OPTION_CCBIN};
    for (size_t k = 0; k < sizeof ids / sizeof ids[0]; k++) {
        struct texts *t = &o->values[ids[k]];
        for (size_t i = 0; i < t->len; i++) {
            if (!strchr(t->data[i], '"'))
                continue;
            char *copy = arena_strdup(o->arena, t->data[i]), *to = copy;
            for (const char *p = t->data[i]; *p; p++)
                if (*p != '"')
                    *to++ = *p;
            *to = 0;
            t->data[i] = copy;
        }
    }
}

bool options_read(struct options *o, int argc, char **argv)
{
    const char *before = secure_getenv("NVCC_PREPEND_FLAGS"), *after = secure_getenv("NVCC_APPEND_FLAGS");
    if (before && !text_read(o, before, QUOTES_ON, 0))
        return false;
    for (int i = 1; i < argc; i++)
        if (!argument_read(o, (const char *const *)argv, argc, &i, 0))
            return false;
    if (after && !text_read(o, after, QUOTES_ON, 0))
        return false;
    paths_unquote(o);
    return unknown_check(o);
}

static const char *value_text(const struct option_row *r)
{
    static const char *const text[] = {"",           " true|false", " value",     " value",
                                       " value,...", " option,...", " value,...", " value"};
    return text[r->kind];
}

static void names_text(const struct option_row *r, char *out, size_t size)
{
    if (*r->short_name)
        snprintf(out, size, "--%s (-%s)%s", r->long_name, r->short_name, value_text(r));
    else
        snprintf(out, size, "--%s%s", r->long_name, value_text(r));
}

void options_print_help(void)
{
    puts("Usage: nvcc [options] file...\n"
         "Compiles CUDA C++ sources (.cu), C and C++ sources, and links them with objects and libraries.\n"
         "An option's value may follow it, or stand after '='; lists are separated by commas.");
    for (size_t i = 0; i < OPTION_ROWS; i++) {
        const struct option_row *r = &option_table[i];
        if (r->kind == KIND_SECTION) {
            printf("\n%s\n", r->help);
            continue;
        }
        char names[128];
        names_text(r, names, sizeof names);
        bool listed = *r->values && strcmp(r->values, "#");
        printf("  %-52s %s%s%s%s%s\n", names,
               r->status == STATUS_REFUSED ? "not supported: "
               : r->status == STATUS_NONE  ? "accepted: "
                                           : "",
               r->help, listed ? " (" : "", listed ? r->values : "", listed ? ")" : "");
    }
}

void options_print_page(void)
{
    static const char *const status[] = {"done", "passed on", "nothing to do", "refused", "our own"};
    unsigned count[STATUS_OWN + 1] = {0};
    for (size_t i = 0; i < OPTION_ROWS; i++)
        if (option_table[i].kind != KIND_SECTION)
            count[option_table[i].status]++;
    printf("# Options of nvcc\n\n"
           "Made from src/nvcc/option.def by the build target nvcc_options_page; tests/nvcc/options.sh compares the "
           "names with those of "
           "NVIDIA's\nnvcc 13.0 where that is installed: each of them is here.\n\n"
           "- done: the driver does it (%u)\n"
           "- passed on: it becomes options of the front end, the host compiler or the linker (%u)\n"
           "- nothing to do: accepted; the table says why nothing follows from it (%u)\n"
           "- refused: an error that names the option and the reason (%u)\n"
           "- our own: not in NVIDIA's nvcc 13.0 (%u)\n",
           count[STATUS_DONE], count[STATUS_PASSED], count[STATUS_NONE], count[STATUS_REFUSED], count[STATUS_OWN]);
    for (size_t i = 0; i < OPTION_ROWS; i++) {
        const struct option_row *r = &option_table[i];
        if (r->kind == KIND_SECTION) {
            printf("\n## %s\n\n| option | short | value | status | |\n|---|---|---|---|---|\n", r->help);
            continue;
        }
        bool listed = *r->values && strcmp(r->values, "#");
        printf("| `--%s` | ", r->long_name);
        if (*r->short_name)
            printf("`-%s`", r->short_name);
        printf(" | ");
        for (const char *p = listed ? r->values : value_text(r) + !!*value_text(r); *p; p++)
            *p == '|' ? fputs(", ", stdout) : putchar(*p);
        printf(" | %s | %s |\n", status[r->status], r->help);
    }
}

void options_fini(struct options *o)
{
    for (int i = 0; i < OPTION_COUNT; i++)
        vec_free(&o->values[i]);
    vec_free(&o->inputs);
    vec_free(&o->unknown);
}
