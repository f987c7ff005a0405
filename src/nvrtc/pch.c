// SPDX-License-Identifier: Apache-2.0
// See pch.h.
#include "nvrtc/pch.h"
#include <string.h>

// Behind the directive that begins at p, its continued lines and comments over several lines included.
static const char *directive_end(const char *p)
{
    bool comment = false;
    for (; *p; p++) {
        if (comment) {
            if (p[0] == '*' && p[1] == '/') {
                comment = false;
                p++;
            }
        } else if (p[0] == '/' && p[1] == '*') {
            comment = true;
            p++;
        } else if (p[0] == '\\' && p[1] == '\n') {
            p++;
        } else if (*p == '\n') {
            return p + 1;
        }
    }
    return p;
}

static bool word_is(const char *p, const char *word)
{
    return !strncmp(p, word, strlen(word));
}

size_t pch_prefix(const char *source)
{
    const char *p = source;
    size_t whole = 0;
    int depth = 0;
    while (*p) {
        if (strchr(" \t\r\n\v\f", *p)) {
            p++;
        } else if (p[0] == '/' && p[1] == '/') {
            p = directive_end(p);
        } else if (p[0] == '/' && p[1] == '*') {
            const char *end = strstr(p + 2, "*/");
            if (!end)
                break;
            p = end + 2;
        } else if (*p == '#') {
            const char *word = p + 1 + strspn(p + 1, " \t");
            if (word_is(word, "pragma") && word_is(word + 6 + strspn(word + 6, " \t"), "nv_hdrstop"))
                break;
            depth += word_is(word, "if") - word_is(word, "endif");
            p = directive_end(p);
            if (depth == 0)
                whole = (size_t)(p - source);
        } else {
            break;
        }
    }
    return whole;
}
