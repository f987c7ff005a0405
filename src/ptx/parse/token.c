// SPDX-License-Identifier: Apache-2.0
// The tokens as the parts of the parser take them, and the directives that stand in modules and in functions alike.
#include "ptx/parse/parse.h"
#include <stdio.h>
#include <string.h>

bool ptx_parse_error(struct ptx_parser *p, struct ptx_loc at, const char *fmt, ...)
{
    char text[512];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    return diag_error(p->d, at.line, at.column, "%s", text);
}

bool ptx_advance(struct ptx_parser *p)
{
    if (p->has_next) {
        p->t = p->next;
        p->has_next = false;
        return true;
    }
    return ptx_lexer_next(&p->lex, &p->t);
}

bool ptx_peek(struct ptx_parser *p, struct ptx_token *t)
{
    if (!p->has_next) {
        if (!ptx_lexer_next(&p->lex, &p->next))
            return false;
        p->has_next = true;
    }
    *t = p->next;
    return true;
}

static bool text_is(const struct ptx_token *t, const char *word)
{
    return !strncmp(t->text, word, t->len) && !word[t->len];
}

bool ptx_is_dot(const struct ptx_token *t, const char *word)
{
    return t->kind == PTX_TOKEN_DOT && text_is(t, word);
}

bool ptx_is_word(const struct ptx_token *t, const char *word)
{
    return t->kind == PTX_TOKEN_IDENT && text_is(t, word);
}

bool ptx_accept(struct ptx_parser *p, unsigned c, bool *was)
{
    *was = ptx_is_punct(&p->t, c);
    return !*was || ptx_advance(p);
}

bool ptx_unexpected(struct ptx_parser *p, const char *what)
{
    if (p->t.kind == PTX_TOKEN_END)
        return ptx_parse_error(p, p->t.loc, "%s is expected before the end of the text", what);
    return ptx_parse_error(p, p->t.loc, "%s is expected, not '%s%.*s'", what, p->t.kind == PTX_TOKEN_DOT ? "." : "",
                           (int)(p->t.len < 64 ? p->t.len : 64), p->t.text);
}

bool ptx_expect(struct ptx_parser *p, unsigned c)
{
    char what[4] = {'\'', (char)c, '\'', 0};
    if (!ptx_is_punct(&p->t, c))
        return ptx_unexpected(p, what);
    return ptx_advance(p);
}

bool ptx_expect_name(struct ptx_parser *p, struct ptx_token *name)
{
    if (p->t.kind != PTX_TOKEN_IDENT)
        return ptx_unexpected(p, "a name");
    *name = p->t;
    return ptx_advance(p);
}

bool ptx_expect_int(struct ptx_parser *p, uint64_t limit, uint32_t *out)
{
    if (p->t.kind != PTX_TOKEN_INT)
        return ptx_unexpected(p, "a number");
    if (p->t.value > limit)
        return ptx_parse_error(p, p->t.loc, "number is out of range");
    *out = (uint32_t)p->t.value;
    return ptx_advance(p);
}

// .file N "name" {, time, size}
bool ptx_parse_file(struct ptx_parser *p)
{
    struct ptx_file f;
    bool more;
    if (!ptx_advance(p) || !ptx_expect_int(p, UINT32_MAX, &f.index))
        return false;
    if (p->t.kind != PTX_TOKEN_STRING)
        return ptx_unexpected(p, "a file name");
    f.name = arena_strndup(&p->m->arena, p->t.text, p->t.len);
    vec_push(&p->files, f);
    if (!ptx_advance(p) || !ptx_accept(p, ',', &more))
        return false;
    while (more) {
        uint32_t ignored;
        if (!ptx_expect_int(p, UINT64_MAX, &ignored) || !ptx_accept(p, ',', &more))
            return false;
    }
    return true;
}

// .pragma "text" {, "text"} ;
bool ptx_parse_pragma(struct ptx_parser *p)
{
    bool more = true;
    if (!ptx_advance(p))
        return false;
    while (more) {
        if (p->t.kind != PTX_TOKEN_STRING)
            return ptx_unexpected(p, "a string");
        if (!ptx_advance(p) || !ptx_accept(p, ',', &more))
            return false;
    }
    return ptx_expect(p, ';');
}
