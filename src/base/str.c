// SPDX-License-Identifier: Apache-2.0
// See str.h.
#include "base/str.h"
#include "base/xmalloc.h"
#include <stdio.h>
#include <string.h>

static void reserve(struct str *s, size_t extra)
{
    size_t need = s->len + extra + 1;
    if (need > s->cap) {
        s->cap = need < s->cap * 2 ? s->cap * 2 : need + 32;
        s->data = xrealloc(s->data, s->cap);
    }
}

void str_append_n(struct str *s, const char *text, size_t n)
{
    reserve(s, n);
    memcpy(s->data + s->len, text, n);
    s->len += n;
    s->data[s->len] = 0;
}

void str_append(struct str *s, const char *text)
{
    str_append_n(s, text, strlen(text));
}

void str_vprintf(struct str *s, const char *fmt, va_list ap)
{
    va_list copy;
    va_copy(copy, ap);
    int n = vsnprintf(NULL, 0, fmt, copy);
    va_end(copy);
    reserve(s, (size_t)n);
    vsnprintf(s->data + s->len, (size_t)n + 1, fmt, ap);
    s->len += (size_t)n;
}

void str_printf(struct str *s, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    str_vprintf(s, fmt, ap);
    va_end(ap);
}

void str_append_quoted(struct str *s, const char *text)
{
    str_append(s, "\"");
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            str_append(s, "\\");
        str_append_n(s, text, 1);
    }
    str_append(s, "\"");
}

void str_free(struct str *s)
{
    free(s->data);
    *s = (struct str){0};
}

const char *str_text(const struct str *s)
{
    return s->data ? s->data : "";
}

bool str_list_has(const char *list, const char *word)
{
    size_t n = strlen(word);
    for (const char *p = list; *p; p += strcspn(p, ","), p += *p == ',')
        if (!strncmp(p, word, n) && (p[n] == ',' || !p[n]))
            return true;
    return false;
}

bool str_is(const char *p, size_t n, const char *word)
{
    return strlen(word) == n && !memcmp(p, word, n);
}

bool str_is_any(const char *p, size_t n, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (str_is(p, n, words[i]))
            return true;
    return false;
}

bool str_begins_any(const char *text, const char *const *starts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!strncmp(text, starts[i], strlen(starts[i])))
            return true;
    return false;
}

const char *str_skip_brackets(const char *p)
{
    int depth = 0;
    for (; *p; p++) {
        if (*p == '"') {
            p = strchr(p + 1, '"');
            if (!p)
                return NULL;
        } else if (*p == '{' || *p == '(' || *p == '[') {
            depth++;
        } else if (*p == '}' || *p == ')' || *p == ']') {
            if (--depth == 0)
                return p + 1;
        }
    }
    return NULL;
}
