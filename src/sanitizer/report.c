// SPDX-License-Identifier: Apache-2.0
// A report as it comes from a process, line by line.
#include "sanitizer/sanitizer.h"
#include "base/xmalloc.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static enum level level_of(const char *kind)
{
    return !strcmp(kind, "warning") ? LEVEL_WARN : !strcmp(kind, "info") ? LEVEL_INFO : LEVEL_ERROR;
}

void report_read(struct report *r, const char *text, size_t size)
{
    *r = (struct report){.kind = "error", .text = xmalloc(size + 1)};
    memcpy(r->text, text, size);
    r->text[size] = 0;
    char *rest = r->text;
    for (char *p; (p = strsep(&rest, "\n"));) {
        struct line l = {.letter = *p};
        char *fields = *p ? p + 1 : p, *f;
        fields += *fields == '\t';
        while (l.n < sizeof l.field / sizeof *l.field && (f = strsep(&fields, "\t")))
            l.field[l.n++] = f;
        for (unsigned i = l.n; i < sizeof l.field / sizeof *l.field; i++)
            l.field[i] = "";
        if (l.letter == 'K')
            r->kind = l.field[0];
        else if (l.letter == 'N')
            r->amount = strtoull(l.field[0], NULL, 10);
        else if (l.letter)
            vec_push(&r->lines, l);
    }
    r->level = level_of(r->kind);
}

void report_free(struct report *r)
{
    vec_free(&r->lines);
    free(r->text);
}

static bool is_runtime(const char *name)
{
    return !strncmp(name, "cuda", 4) && isupper((unsigned char)name[4]);
}

const char *report_call(const struct report *r, const struct line *api)
{
    for (size_t i = 0; i < r->lines.len; i++) {
        const struct line *l = &r->lines.data[i];
        const char *name = l->letter == 'F' ? symbol_at(l->field[0], strtoull(l->field[1], NULL, 16) - 1) : NULL;
        if (name && is_runtime(name)) // the runtime tells of what it hands on to the program
            return *api->field[0] ? NULL : name;
    }
    return *api->field[0] ? api->field[0] : NULL;
}
