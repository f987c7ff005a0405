// SPDX-License-Identifier: Apache-2.0
// Options of the driver that are changes of the PTX text: -e, which keeps some kernels, and --source-in-ptx.
#include "base/os.h"
#include "front/front.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ENTRY ".entry "

static const char *line_start(const char *text, const char *p)
{
    while (p > text && p[-1] != '\n')
        p--;
    return p;
}

// Past the body of the function whose name is at p; NULL: it has none, or no end.
static const char *body_end(const char *p)
{
    unsigned depth = 0;
    for (; *p; p++) {
        if (p[0] == '/' && p[1] == '/') {
            p += strcspn(p, "\n") - 1;
        } else if (p[0] == '/' && p[1] == '*') {
            p = strstr(p + 2, "*/");
            if (!p++)
                return NULL;
        } else if (*p == ';' && !depth) {
            return NULL;
        } else if (*p == '{') {
            depth++;
        } else if (*p == '}' && depth && !--depth) {
            return p + 1;
        }
    }
    return NULL;
}

char *front_ptx_select(const char *ptx, const struct texts *kernels, size_t *size)
{
    struct str out = {0};
    const char *done = ptx;
    for (const char *p = ptx; (p = strstr(p, ENTRY)); p++) {
        const char *name = p + strlen(ENTRY), *start = line_start(ptx, p);
        const char *end = body_end(name);
        if (str_is_any(name, strcspn(name, "( \t\n"), kernels->data, kernels->len) || !end)
            continue;
        str_append_n(&out, done, (size_t)(start - done));
        done = end;
    }
    str_append(&out, done);
    *size = out.len;
    return out.data;
}

// ---- source lines
struct source {
    unsigned number;
    char *name, *text;
};
struct sources VEC(struct source);

// ".file 1 "dir" "name"": the number and the path, which may be in one text or in two.
static void file_add(struct sources *all, const char *p)
{
    char parts[2][1024] = {"", ""}, path[2064];
    unsigned number;
    if (sscanf(p, "%u \"%1023[^\"]\" \"%1023[^\"]\"", &number, parts[0], parts[1]) < 2)
        return;
    bool two = parts[1][0] != 0, absolute = parts[two][0] == '/';
    snprintf(path, sizeof path, "%s%s%s", two && !absolute ? parts[0] : "", two && !absolute ? "/" : "", parts[two]);
    vec_push(all, ((struct source){number, xstrdup(path), os_file_read(path, NULL)}));
}

static void line_append(struct str *out, const struct sources *all, unsigned file, unsigned line)
{
    for (size_t i = 0; i < all->len; i++) {
        const struct source *s = &all->data[i];
        const char *p = s->text;
        if (s->number != file || !p)
            continue;
        for (unsigned k = 1; k < line && p; k++) {
            p = strchr(p, '\n');
            p = p ? p + 1 : NULL;
        }
        if (p)
            str_printf(out, "\t// %s:%u %.*s\n", s->name, line, (int)strcspn(p, "\r\n"), p);
        return;
    }
}

char *front_ptx_interleave(const char *ptx, size_t *size)
{
    struct sources all = {0};
    struct str out = {0};
    unsigned last_file = 0, last_line = 0;
    for (const char *p = ptx; (p = strstr(p, ".file")); p++) // they stand at the end
        if (line_start(ptx, p) + strspn(line_start(ptx, p), " \t") == p)
            file_add(&all, p + strlen(".file"));
    for (const char *p = ptx; *p;) {
        size_t n = strcspn(p, "\n") + 1;
        const char *word = p + strspn(p, " \t");
        unsigned file, line;
        if (sscanf(word, ".loc %u %u", &file, &line) == 2 && (file != last_file || line != last_line)) {
            line_append(&out, &all, file, line);
            last_file = file;
            last_line = line;
        }
        n = p[n - 1] ? n : n - 1;
        str_append_n(&out, p, n);
        p += n;
    }
    for (size_t i = 0; i < all.len; i++) {
        free(all.data[i].name);
        free(all.data[i].text);
    }
    vec_free(&all);
    *size = out.len;
    return out.data;
}
