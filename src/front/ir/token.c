// SPDX-License-Identifier: Apache-2.0
// See token.h.
#include "front/ir/token.h"
#include <ctype.h>
#include <string.h>

static bool is_name(char c)
{
    return isalnum((unsigned char)c) || (c && strchr("-$._+", c));
}

static const char *word_end(const char *p, const char *end)
{
    while (p < end && is_name(*p))
        p++;
    return p;
}

// Behind the quote that closes the one at p. A quote inside is written \22.
static const char *quoted_end(const char *p, const char *end)
{
    const char *q = memchr(p + 1, '"', (size_t)(end - p - 1));
    return q ? q + 1 : end;
}

static const char *skip_blanks(const char *p, const char *end)
{
    while (p < end && (isspace((unsigned char)*p) || *p == ';'))
        if (*p++ == ';')
            while (p < end && *p != '\n')
                p++;
    return p;
}

struct ir_token ir_token(const char *p, const char *end)
{
    static const char sigils[] = "@%!$#";
    static const enum ir_kind kinds[] = {IR_GLOBAL, IR_LOCAL, IR_METADATA, IR_COMDAT, IR_GROUP};
    p = skip_blanks(p, end);
    if (p == end || !*p)
        return (struct ir_token){IR_END, p, p};
    const char *sigil = strchr(sigils, *p);
    if (sigil && p + 1 < end && (is_name(p[1]) || p[1] == '"'))
        return (struct ir_token){kinds[sigil - sigils], p, p[1] == '"' ? quoted_end(p + 1, end) : word_end(p + 1, end)};
    if (*p == '"' || (*p == 'c' && p + 1 < end && p[1] == '"'))
        return (struct ir_token){IR_STRING, p, quoted_end(p + (*p == 'c'), end)};
    if (is_name(*p))
        return (struct ir_token){IR_WORD, p, word_end(p, end)};
    return (struct ir_token){IR_MARK, p, p + 1};
}

bool ir_is(struct ir_token t, const char *text)
{
    size_t n = strlen(text);
    return (size_t)(t.end - t.at) == n && !memcmp(t.at, text, n);
}

const char *ir_match(const char *p, const char *end, const char *tokens)
{
    const char *stop = tokens + strlen(tokens);
    for (struct ir_token want; (want = ir_token(tokens, stop)).kind; tokens = want.end) {
        struct ir_token t = ir_token(p, end);
        if (t.end - t.at != want.end - want.at || memcmp(t.at, want.at, (size_t)(t.end - t.at)) != 0)
            return NULL;
        p = t.end;
    }
    return p;
}

struct ir_token ir_find(const char *p, const char *end, const char *text)
{
    struct ir_token t = ir_token(p, end);
    while (t.kind && !ir_is(t, text))
        t = ir_token(t.end, end);
    return t;
}

const char *ir_item_end(const char *p, const char *end)
{
    unsigned depth = 0;
    for (struct ir_token t; (t = ir_token(p, end)).kind; p = t.end) {
        if (t.kind != IR_MARK)
            continue;
        if (!depth && strchr(",])}>", *t.at))
            return t.at;
        depth += strchr("[({<", *t.at) != NULL;
        depth -= strchr("])}>", *t.at) != NULL;
    }
    return end;
}

const char *ir_group_end(const char *p, const char *end)
{
    do
        p = p < end ? ir_item_end(p + 1, end) : end;
    while (p < end && *p == ',');
    return p < end ? p + 1 : end;
}

const char *ir_line_end(const char *p)
{
    return p + strcspn(p, "\n");
}

struct ir_token ir_name(struct ir_token t)
{
    t.at++;
    if (*t.at == '"') {
        t.at++;
        t.end--;
    }
    return t;
}
