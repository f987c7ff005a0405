// SPDX-License-Identifier: Apache-2.0
// Where the functions of a C++ text begin, as far as brackets tell: what is mended of a source is found by places in
// it. Of the branches of a conditional directive each is read as if the others were not there.
#include "nvcc/driver.h"
#include "front/source.h"
#include <ctype.h>
#include <string.h>

#define NESTED 64

struct scope {
    size_t head; // where the statement or declaration that the bracket belongs to begins
    size_t brace;
    bool function;
};

struct outline {
    const char *text;
    struct scope scopes[NESTED];
    unsigned depth, kept[NESTED], conditions;
    size_t head; // the beginning of the declaration that is being read
    bool called; // it has a list in round brackets
    bool other;  // it is a namespace's, a class's or an initialiser's
};

static size_t skip_directive(struct outline *o, size_t at)
{
    const char *p = o->text + at + 1;
    p += strspn(p, " \t");
    if (!strncmp(p, "if", 2)) {
        if (o->conditions < NESTED)
            o->kept[o->conditions] = o->depth;
        o->conditions++;
    } else if (!strncmp(p, "el", 2) && o->conditions && o->conditions <= NESTED) {
        o->depth = o->kept[o->conditions - 1];
    } else if (!strncmp(p, "endif", 5) && o->conditions) {
        o->conditions--;
    }
    for (; *p && *p != '\n'; p++)
        if (*p == '\\' && p[1])
            p++;
    return (size_t)(p - o->text);
}

static size_t skip_literal(const char *text, size_t at)
{
    return (size_t)(source_skip_literal(text + at) - text);
}

static size_t skip_comment(const char *text, size_t at)
{
    return (size_t)(source_skip_comment(text + at) - text);
}

static void declaration_begin(struct outline *o, size_t at)
{
    o->head = at;
    o->called = o->other = false;
}

static size_t read_word(struct outline *o, size_t at)
{
    static const char *const others[] = {"namespace", "class", "struct", "union", "enum", "extern"};
    size_t n = source_word_length(o->text + at);
    o->other |= !o->called && str_is_any(o->text + at, n, others, sizeof others / sizeof others[0]);
    return at + n;
}

// Past what stands in round or square brackets; a lambda's body in them belongs to the function around it.
static size_t skip_round(struct outline *o, size_t at)
{
    int depth = 0;
    while (o->text[at]) {
        char c = o->text[at];
        if (c == '"' || (c == '\'' && !(at && source_is_word(o->text[at - 1])))) {
            at = skip_literal(o->text, at);
            continue;
        }
        if (c == '/' && (o->text[at + 1] == '/' || o->text[at + 1] == '*')) {
            at = skip_comment(o->text, at);
            continue;
        }
        depth += (c == '(' || c == '[') - (c == ')' || c == ']');
        at++;
        if (!depth)
            break;
    }
    return at;
}

bool outline_function(const char *text, size_t place, size_t *head, size_t *brace)
{
    struct outline o = {.text = text};
    bool line_start = true;
    for (size_t at = 0; text[at] && at <= place;) {
        char c = text[at];
        if (line_start && c == '#') {
            at = skip_directive(&o, at);
            if (!o.called)
                declaration_begin(&o, at);
            continue;
        }
        line_start = c == '\n' || (line_start && isspace((unsigned char)c));
        if (c == '/' && (text[at + 1] == '/' || text[at + 1] == '*')) {
            at = skip_comment(text, at);
        } else if (c == '"' || (c == '\'' && !(at && source_is_word(text[at - 1])))) {
            at = skip_literal(text, at);
        } else if (source_is_word(c)) {
            at = read_word(&o, at);
        } else if (c == '(' || c == '[') {
            bool inside = o.depth && o.depth <= NESTED && o.scopes[o.depth - 1].function;
            size_t end = skip_round(&o, at);
            o.called |= c == '(';
            if (inside && place < end)
                break;
            at = end;
        } else if (c == '{') {
            bool within = o.depth && o.depth <= NESTED && o.scopes[o.depth - 1].function;
            if (o.depth < NESTED)
                o.scopes[o.depth] =
                    (struct scope){.head = o.head, .brace = at, .function = within || (o.called && !o.other)};
            o.depth++;
            declaration_begin(&o, ++at);
        } else if (c == '}') {
            o.depth -= o.depth > 0;
            declaration_begin(&o, ++at);
        } else {
            o.other |= c == '=' && !o.called;
            at++;
            if (c == ';')
                declaration_begin(&o, at);
        }
    }
    for (unsigned i = 0; i < o.depth && i < NESTED; i++)
        if (o.scopes[i].function) {
            *head = o.scopes[i].head;
            *brace = o.scopes[i].brace;
            return true;
        }
    return false;
}

size_t outline_body_end(const char *text, size_t brace)
{
    int depth = 0;
    for (size_t at = brace; text[at];) {
        char c = text[at];
        if (c == '/' && (text[at + 1] == '/' || text[at + 1] == '*')) {
            at = skip_comment(text, at);
        } else if (c == '"' || (c == '\'' && !(at && source_is_word(text[at - 1])))) {
            at = skip_literal(text, at);
        } else {
            depth += (c == '{') - (c == '}');
            if (!depth)
                return at;
            at++;
        }
    }
    return 0;
}
