// SPDX-License-Identifier: Apache-2.0
// See log.h. NVRTC writes "name(line): error: text"; a header that is missing is a catastrophic error in words that
// programs search for, to hand the header in and try again.
#include "nvrtc/log.h"
#include <stdbool.h>
#include <string.h>

void log_add_arguments(struct texts *argv, bool brief)
{
    vec_push(argv, "-fdiagnostics-format=msvc");
    vec_push(argv, "-fno-show-column");
    vec_push(argv, "-fno-diagnostics-show-line-numbers");
    vec_push(argv, "-fno-color-diagnostics");
    vec_push(argv, "-fno-diagnostics-show-option");
    vec_push(argv, "-ferror-limit=100");
    vec_push(argv, "-fno-spell-checking"); // "../name.h" that is missing is no other name
    if (brief)
        vec_push(argv, "-fno-caret-diagnostics");
}

static bool is_count(const char *line, size_t n)
{
    size_t digits = strspn(line, "0123456789");
    return digits && memmem(line, n, " generated when compiling", 25);
}

// "a/../b/./c" without the steps that lead nowhere, as a text of its own.
static void path_simplify(struct str *out, const char *path, size_t n)
{
    for (const char *p = path, *end = path + n; p < end;) {
        size_t step = strcspn(p, "/");
        step = step > (size_t)(end - p) ? (size_t)(end - p) : step;
        const char *slash = out->len ? strrchr(str_text(out), '/') : NULL, *last = slash ? slash + 1 : str_text(out);
        if (step == 2 && !strncmp(p, "..", 2) && out->len && strcmp(last, "..")) {
            out->len = slash ? (size_t)(slash - out->data) : 0;
            out->data[out->len] = 0;
        } else if (step && !(step == 1 && *p == '.')) {
            str_append(out, out->len ? "/" : "");
            str_append_n(out, p, step);
        }
        p += step + 1;
    }
}

// The name by which a file was handed in; NULL: by this one or none.
static const char *header_name(const struct texts *headers, const char *path, size_t n)
{
    const char *name = NULL;
    struct str plain = {0};
    path_simplify(&plain, path, n);
    for (size_t i = 0; i < headers->len && !name; i++) {
        struct str other = {0};
        path_simplify(&other, headers->data[i], strlen(headers->data[i]));
        if (!strcmp(str_text(&other), str_text(&plain)))
            name = headers->data[i];
        str_free(&other);
    }
    str_free(&plain);
    return name;
}

static void append_text(struct str *out, const char *line, size_t n, const char *prefix, const struct texts *headers)
{
    size_t m = prefix ? strlen(prefix) : 0;
    for (const char *end = line + n; line < end;) {
        const char *at = m ? memmem(line, (size_t)(end - line), prefix, m) : NULL;
        str_append_n(out, line, (size_t)((at ? at : end) - line));
        line = at ? at + m : end;
        size_t length = at ? strcspn(line, "(:\n") : 0;
        const char *name = length && line + length < end ? header_name(headers, line, length) : NULL;
        if (name) {
            str_append(out, name);
            line += length;
        }
    }
}

void log_translate(struct str *out, const char *messages, const char *name, const char *prefix,
                   const struct texts *headers)
{
    unsigned errors = 0, catastrophes = 0;
    for (const char *line = messages; *line;) {
        size_t n = strcspn(line, "\n");
        const char *next = line + n + (line[n] == '\n');
        const char *fatal = memmem(line, n, "): fatal error: '", 17);
        const char *missing = fatal ? memmem(fatal, n - (size_t)(fatal - line), "' file not found", 16) : NULL;
        if (missing) {
            append_text(out, line, (size_t)(fatal + 3 - line), prefix, headers);
            str_append(out, "catastrophic error: cannot open source file \"");
            str_append_n(out, fatal + 17, (size_t)(missing - fatal - 17));
            str_append(out, "\"\n");
            catastrophes++;
        } else if (!is_count(line, n)) {
            errors += memmem(line, n, "error: ", 7) != NULL;
            append_text(out, line, n, prefix, headers);
            str_append(out, "\n");
        }
        line = next;
    }
    unsigned all = errors + catastrophes;
    if (all)
        str_printf(out, "\n%u %serror%s detected in the compilation of \"%s\".\n", all, errors ? "" : "catastrophic ",
                   all == 1 ? "" : "s", name);
    if (catastrophes)
        str_append(out, "Compilation terminated.\n");
}
