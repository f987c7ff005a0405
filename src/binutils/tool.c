// SPDX-License-Identifier: Apache-2.0
// See tool.h.
#include "binutils/tool.h"
#include "base/os.h"
#include "front/ptx/assemble.h"
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILE_DEPTH 8

bool tool_error(const struct tool *t, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    fprintf(stderr, "%s fatal   : ", t->name);
    vfprintf(stderr, fmt, ap);
    fputc('\n', stderr);
    va_end(ap);
    return false;
}

bool tool_has(const struct tool *t, unsigned option)
{
    return t->values[option].len > 0;
}

const char *tool_value(const struct tool *t, unsigned option)
{
    const struct texts *v = &t->values[option];
    return v->len ? v->data[v->len - 1] : NULL;
}

static const struct tool_option *row_find(const struct tool *t, const char *text, bool two, size_t *n)
{
    *n = strcspn(text, "=");
    for (unsigned i = 0; i < t->count; i++)
        if (*n && str_is(text, *n, two ? t->table[i].long_name : t->table[i].short_name))
            return &t->table[i];
    for (unsigned i = 0; i < t->count && !two; i++) {
        const struct tool_option *r = &t->table[i];
        *n = strlen(r->short_name);
        if ((r->kind == TOOL_LEVEL || r->kind == TOOL_JOINED) && !strncmp(r->short_name, text, *n))
            return r;
    }
    return NULL;
}

static void value_store(struct tool *t, unsigned row, const char *value)
{
    if (t->table[row].kind != TOOL_LIST && t->table[row].kind != TOOL_JOINED) {
        vec_push(&t->values[row], arena_strdup(&t->arena, value));
        return;
    }
    char *copy = arena_strdup(&t->arena, value), *save;
    for (char *item = strtok_r(copy, ",", &save); item; item = strtok_r(NULL, ",", &save))
        vec_push(&t->values[row], item);
}

static bool file_read(struct tool *t, const char *path, int depth);

static bool argument_read(struct tool *t, const char *const *argv, int argc, int *i, int depth)
{
    const char *arg = argv[*i];
    if (arg[0] != '-' || !arg[1]) {
        vec_push(&t->inputs, arena_strdup(&t->arena, arg));
        return true;
    }
    bool two = arg[1] == '-';
    size_t n;
    const char *text = arg + 1 + two;
    const struct tool_option *r = row_find(t, text, two, &n);
    if (!r)
        return tool_error(t, "unknown option '%s'", arg);
    if (r->status == TOOL_REFUSED)
        return tool_error(t, "option '%.*s' is not supported: %s", (int)(n + 1 + two), arg, r->help);
    const char *value = text[n] == '=' ? text + n + 1 : text[n] ? text + n : NULL;
    unsigned row = (unsigned)(r - t->table);
    if (r->kind == TOOL_FLAG) {
        vec_push(&t->values[row], "");
        return !value || tool_error(t, "option '%.*s' takes no value", (int)(n + 1 + two), arg);
    }
    if (!value && *i + 1 >= argc)
        return tool_error(t, "option '%s' needs a value", arg);
    value = value ? value : argv[++*i];
    if (row == t->options_file)
        return file_read(t, value, depth);
    value_store(t, row, value);
    return true;
}

static bool file_read(struct tool *t, const char *path, int depth)
{
    char *text = depth < FILE_DEPTH ? os_file_read(path, NULL) : NULL, *save;
    if (!text)
        return tool_error(t, "options file '%s' cannot be read", path);
    struct texts words = {0};
    char *copy = arena_strdup(&t->arena, text);
    free(text);
    for (char *w = strtok_r(copy, " \t\r\n", &save); w; w = strtok_r(NULL, " \t\r\n", &save))
        vec_push(&words, w);
    bool ok = true;
    for (int i = 0; ok && i < (int)words.len; i++)
        ok = argument_read(t, words.data, (int)words.len, &i, depth + 1);
    vec_free(&words);
    return ok;
}

static void help_print(const struct tool *t)
{
    printf("Usage: %s [options] file...\n%s\n\n", t->name, t->about);
    for (unsigned i = 0; i < t->count; i++) {
        const struct tool_option *r = &t->table[i];
        char names[128];
        bool both = *r->short_name;
        snprintf(names, sizeof names, "--%s%s%s%s%s", r->long_name, both ? " (-" : "", both ? r->short_name : "",
                 both ? ")" : "", r->kind == TOOL_FLAG ? "" : " value");
        printf("  %-46s %s%s\n", names,
               r->status == TOOL_REFUSED ? "not supported: "
               : r->status == TOOL_NONE  ? "accepted: "
                                         : "",
               r->help);
    }
}

// False: the program ends with *status (help and version were printed, or an error).
static bool command_read(struct tool *t, int argc, char **argv, int *status)
{
    arena_init(&t->arena);
    t->values = arena_array(&t->arena, struct texts, t->count);
    memset(t->values, 0, t->count * sizeof *t->values);
    *status = 255; // as CUDA's tools end after an error
    for (int i = 1; i < argc; i++)
        if (!argument_read(t, (const char *const *)argv, argc, &i, 0))
            return false;
    if (!tool_has(t, t->help) && !tool_has(t, t->version))
        return true;
    if (tool_has(t, t->help))
        help_print(t);
    else
        front_print_version(t->name, "tool");
    *status = 0;
    return false;
}

static void tool_fini(struct tool *t)
{
    for (unsigned i = 0; i < t->count; i++)
        vec_free(&t->values[i]);
    vec_free(&t->inputs);
    arena_fini(&t->arena);
}

int tool_main(struct tool *t, int argc, char **argv, bool (*run)(struct tool *t))
{
    int status;
    if (command_read(t, argc, argv, &status))
        status = run(t) ? 0 : 255;
    tool_fini(t);
    return status;
}

void tool_print_messages(const struct tool *t, const char *text)
{
    front_print_messages(t->name, text);
}

char *tool_file_read(const struct tool *t, const char *path, size_t *size)
{
    char *data = os_file_read(path, size);
    if (!data)
        tool_error(t, "input file '%s' cannot be read: %s", path, strerror(errno));
    return data;
}

bool tool_file_write(const struct tool *t, const char *path, const void *data, size_t size)
{
    struct stat st;
    bool ok, out = !strcmp(path, "-");
    if (out || (!lstat(path, &st) && !S_ISREG(st.st_mode))) { // written to, never replaced
        FILE *f = out ? stdout : fopen(path, "w");
        ok = f && fwrite(data, 1, size, f) == size && !fflush(f);
        int error = errno;
        if (f && !out)
            ok = !fclose(f) && ok;
        errno = error;
    } else {
        ok = os_file_write(path, data, size);
    }
    return ok || tool_error(t, "'%s' cannot be written: %s", path, strerror(errno));
}
