// SPDX-License-Identifier: Apache-2.0
// See source.h.
#include "front/source.h"
#include <ctype.h>
#include <string.h>

bool source_is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

size_t source_word_length(const char *p)
{
    size_t n = 0;
    while (source_is_word(p[n]))
        n++;
    return n;
}

const char *source_skip_literal(const char *p)
{
    char quote = *p++;
    while (*p && *p != quote && *p != '\n')
        p += *p == '\\' && p[1] ? 2 : 1;
    return *p ? p + 1 : p;
}

const char *source_skip_comment(const char *p)
{
    if (p[1] == '/')
        return p + strcspn(p, "\n");
    const char *end = strstr(p + 2, "*/");
    return end ? end + 2 : p + strlen(p);
}
