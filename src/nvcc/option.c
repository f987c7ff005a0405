// See option.h. An argument is looked up by its whole name first, then by the names that a value may touch, so that
// -lineinfo is the option of that name and -lm a library.
#include "nvcc/option.h"
#include "base/os.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum option_kind { KIND_FLAG, KIND_BOOL, KIND_VALUE, KIND_VALUES, KIND_LIST, KIND_JOINED, KIND_LEVEL, KIND_SECTION };

struct option_row {
    enum option_id id;
    const char *long_name, *short_name;
    enum option_kind kind;
    const char *help;
};

static const struct option_row option_table[] = {
#define SECTION(title)                             {OPTION_COUNT, "", "", KIND_SECTION, title},
#define OPT(id, long_name, short_name, kind, help) {OPTION_##id, long_name, short_name, KIND_##kind, help},
#include "nvcc/option.def"
#undef OPT
#undef SECTION
};
#define OPTION_ROWS (sizeof option_table / sizeof option_table[0])
#define FILE_DEPTH  8 // option files within option files

bool nvcc_error(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    fputs("nvcc: error: ", stderr);
    vfprintf(stderr, fmt, ap);
    fputc('\n', stderr);
    va_end(ap);
    return false;
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

static bool name_is(const char *name, const char *text, size_t n)
{
    return strlen(name) == n && !memcmp(name, text, n);
}

// The row for "name" or "name=value" (the length of the name in *n), or one whose short name the text begins with.
static const struct option_row *row_find(const char *text, bool two_dashes, size_t *n)
{
    size_t whole = strcspn(text, "=");
    *n = whole;
    for (size_t i = 0; i < OPTION_ROWS; i++) {
        const struct option_row *r = &option_table[i];
        if (r->kind != KIND_SECTION && (name_is(r->long_name, text, whole) || name_is(r->short_name, text, whole)))
            return r;
    }
    for (size_t i = 0; i < OPTION_ROWS && !two_dashes; i++) {
        const struct option_row *r = &option_table[i];
        *n = strlen(r->short_name);
        if ((r->kind == KIND_JOINED || r->kind == KIND_LEVEL) && !strncmp(r->short_name, text, *n))
            return r;
    }
    return NULL;
}

// Appends the parts of a comma-separated list; "\," is a comma, and commas within quotes or parentheses do not count.
static void list_add(struct options *o, struct texts *t, const char *value, bool split)
{
    char *part = arena_alloc(o->arena, strlen(value) + 1);
    size_t n = 0;
    char quote = 0;
    int depth = 0;
    for (const char *p = value;; p++) {
        if (!*p || (split && *p == ',' && !quote && depth <= 0)) {
            part[n] = 0;
            if (n || !*p) {
                vec_push(t, part);
                part = arena_alloc(o->arena, strlen(p) + 1);
            }
            n = 0;
            if (!*p)
                return;
        } else if (split && *p == '\\' && p[1] == ',') {
            part[n++] = *++p;
        } else {
            if (quote ? *p == quote : *p == '"' || *p == '\'')
                quote = quote ? 0 : *p;
            depth += (*p == '(') - (*p == ')');
            part[n++] = *p;
        }
    }
}

static bool value_store(struct options *o, const struct option_row *r, const char *value)
{
    struct texts *t = &o->values[r->id];
    if (r->kind == KIND_BOOL && strcmp(value, "true") && strcmp(value, "false"))
        return nvcc_error("option '--%s' takes true or false, not '%s'", r->long_name, value);
    if (r->id == OPTION_XCOMPILER || r->id == OPTION_XLINKER || r->id == OPTION_XPTXAS || r->id == OPTION_XARCHIVE) {
        char *copy = arena_strdup(o->arena, value), *save;
        for (char *word = strtok_r(copy, " \t\n", &save); word; word = strtok_r(NULL, " \t\n", &save))
            list_add(o, t, word, true);
        return true;
    }
    size_t first = t->len;
    list_add(o, t, value, r->kind == KIND_LIST || r->kind == KIND_JOINED);
    for (size_t i = first; r->id == OPTION_LIBRARY && i < t->len; i++) // the order among objects counts
        vec_push(&o->inputs, arena_printf(o->arena, "-l%s", t->data[i]));
    return true;
}

static bool text_read(struct options *o, const char *text, int depth);

static bool file_read(struct options *o, const char *path, int depth)
{
    char *text = depth < FILE_DEPTH ? os_file_read(path, NULL) : NULL;
    if (!text)
        return nvcc_error("options file '%s' %s", path, depth < FILE_DEPTH ? "cannot be read" : "is nested too deeply");
    bool ok = text_read(o, text, depth + 1);
    free(text);
    return ok;
}

// Takes the argument at *i, and the next one when that is its value.
static bool argument_read(struct options *o, char **argv, int argc, int *i, int depth)
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
    const char *value = text[n] == '=' ? text + n + 1 : text[n] ? text + n : NULL;
    if (r->kind == KIND_FLAG) {
        if (value)
            return nvcc_error("option '%.*s' takes no value", (int)(n + 1 + two), arg);
        vec_push(&o->values[r->id], "");
        return true;
    }
    if (!value) {
        if (*i + 1 >= argc)
            return nvcc_error("option '%s' needs a value", arg);
        value = argv[++*i];
    }
    if (r->id == OPTION_OPTIONS_FILE)
        return file_read(o, value, depth);
    return value_store(o, r, value);
}

// Splits at white space, as a shell does with quotes and backslashes, and reads the words as arguments.
static bool text_read(struct options *o, const char *text, int depth)
{
    struct VEC(char *) words = {0};
    for (const char *p = text; *p;) {
        p += strspn(p, " \t\r\n");
        if (!*p)
            break;
        char *word = arena_alloc(o->arena, strlen(p) + 1), quote = 0;
        size_t n = 0;
        for (; *p && (quote || !strchr(" \t\r\n", *p)); p++) {
            if (quote ? *p == quote : *p == '"' || *p == '\'')
                quote = quote ? 0 : *p;
            else if (*p == '\\' && quote != '\'' && p[1] && p[1] != ',')
                word[n++] = *++p;
            else
                word[n++] = *p;
        }
        vec_push(&words, word);
    }
    bool ok = true;
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

bool options_read(struct options *o, int argc, char **argv)
{
    const char *before = getenv("NVCC_PREPEND_FLAGS"), *after = getenv("NVCC_APPEND_FLAGS");
    if (before && !text_read(o, before, 0))
        return false;
    for (int i = 1; i < argc; i++)
        if (!argument_read(o, argv, argc, &i, 0))
            return false;
    if (after && !text_read(o, after, 0))
        return false;
    return unknown_check(o);
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
        static const char *const value[] = {"",           " true|false", " value", " value",
                                            " value,...", " value,...",  " value"};
        char names[128];
        if (strcmp(r->long_name, r->short_name))
            snprintf(names, sizeof names, "--%s (-%s)%s", r->long_name, r->short_name, value[r->kind]);
        else
            snprintf(names, sizeof names, "--%s%s", r->long_name, value[r->kind]);
        printf("  %-52s %s\n", names, r->help);
    }
}

void options_fini(struct options *o)
{
    for (int i = 0; i < OPTION_COUNT; i++)
        vec_free(&o->values[i]);
    vec_free(&o->inputs);
    vec_free(&o->unknown);
}
