// SPDX-License-Identifier: Apache-2.0
#include "check.h"
#include "base/str.h"
#include "base/vec.h"
#include "base/xmalloc.h"
#include <ctype.h>
#include <regex.h>
#include <stdio.h>
#include <string.h>

enum kind { CHECK, CHECK_NEXT, CHECK_NOT };

struct lines VEC(char *);

struct rule {
    enum kind kind;
    unsigned line; // of the input
    char *pattern;
};

enum { NAMES = 16 };

struct kept {
    char name[32];
    char *value;
};

struct checker {
    const char *file;
    struct lines lines;
    struct VEC(struct rule) rules;
    struct kept kept[NAMES];
    unsigned nkept;
    bool broken;
};

// A copy with runs of blanks as one, none at the ends.
static char *plain(const char *from, size_t n)
{
    char *out = xmalloc(n + 1), *to = out;
    for (size_t i = 0; i < n; i++)
        if (!isspace((unsigned char)from[i]))
            *to++ = from[i];
        else if (to > out && to[-1] != ' ')
            *to++ = ' ';
    while (to > out && to[-1] == ' ')
        to--;
    *to = 0;
    return out;
}

static void read_lines(struct checker *c, const char *text)
{
    for (const char *end; *text; text = *end ? end + 1 : end) {
        end = text + strcspn(text, "\n");
        vec_push(&c->lines, plain(text, (size_t)(end - text)));
    }
}

static bool read_rules(struct checker *c, const char *input)
{
    static const struct {
        const char *word;
        enum kind kind;
    } words[] = {{"CHECK:", CHECK}, {"CHECK-NEXT:", CHECK_NEXT}, {"CHECK-NOT:", CHECK_NOT}};
    unsigned line = 0;
    bool ok = true;
    for (const char *end; *input; input = *end ? end + 1 : end) {
        end = input + strcspn(input, "\n");
        line++;
        const char *p = input + strspn(input, " ;/");
        if (p == input || strncmp(p, "CHECK", 5))
            continue;
        size_t k = 0;
        while (k < 3 && strncmp(p, words[k].word, strlen(words[k].word)))
            k++;
        if (k == 3) {
            fprintf(stderr, "%s:%u: no such check\n", c->file, line);
            ok = false;
            continue;
        }
        p += strlen(words[k].word);
        vec_push(&c->rules, ((struct rule){words[k].kind, line, plain(p, (size_t)(end - p))}));
    }
    return ok;
}

static void append_literal(struct str *out, const char *p, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (strchr("\\^$.|?*+()[]{}", p[i]))
            str_append(out, "\\");
        str_append_n(out, p + i, 1);
    }
}

static struct kept *find_kept(struct checker *c, const char *name, size_t n)
{
    for (unsigned i = 0; i < c->nkept; i++)
        if (str_is(name, n, c->kept[i].name))
            return &c->kept[i];
    return NULL;
}

// A pattern as one extended regular expression, and which of its groups are kept under which names.
enum { GROUPS = 16 };
struct expression {
    struct str text;
    unsigned groups;
    char name[GROUPS + 1][32]; // "": not kept
};

// A part that is a regular expression itself, in brackets, so that what stands beside it does not become part of an alternative.
static bool append_expression(struct expression *e, const char *name, size_t length, const char *p, size_t n)
{
    unsigned own = ++e->groups;
    for (size_t i = 0; i < n; i++) {
        i += p[i] == '\\';
        e->groups += i < n && p[i] == '(';
    }
    if (e->groups > GROUPS)
        return false;
    snprintf(e->name[own], sizeof e->name[own], "%.*s", (int)length, name);
    str_append(&e->text, "(");
    str_append_n(&e->text, p, n);
    str_append(&e->text, ")");
    return true;
}

// False: too many groups, or a name that nothing is kept under.
static bool translate(struct checker *c, const char *p, struct expression *e)
{
    while (*p) {
        const char *end = !strncmp(p, "{{", 2) ? strstr(p, "}}") : !strncmp(p, "[[", 2) ? strstr(p, "]]") : NULL;
        if (!end) {
            append_literal(&e->text, p++, 1);
            continue;
        }
        const char *colon = *p == '[' ? memchr(p, ':', (size_t)(end - p)) : NULL;
        const struct kept *k = *p == '[' && !colon ? find_kept(c, p + 2, (size_t)(end - p) - 2) : NULL;
        bool ok = true;
        if (*p == '{')
            ok = append_expression(e, "", 0, p + 2, (size_t)(end - p) - 2);
        else if (colon)
            ok = append_expression(e, p + 2, (size_t)(colon - p) - 2, colon + 1, (size_t)(end - colon) - 1);
        else if (k)
            append_literal(&e->text, k->value, strlen(k->value));
        else
            ok = false;
        if (!ok)
            return false;
        p = end + 2;
    }
    return true;
}

static void keep(struct checker *c, const char *name, const char *from, size_t n)
{
    struct kept *k = find_kept(c, name, strlen(name));
    if (!k && c->nkept == NAMES)
        return;
    if (!k) {
        k = &c->kept[c->nkept++];
        snprintf(k->name, sizeof k->name, "%s", name);
    } else {
        free(k->value);
    }
    k->value = plain(from, n);
}

// A pattern that is none matches nothing and breaks the whole check.
static bool matches(struct checker *c, const struct rule *r, const char *line)
{
    struct expression e = {0};
    regex_t re;
    regmatch_t m[GROUPS + 1];
    bool ok = translate(c, r->pattern, &e) && !regcomp(&re, str_text(&e.text), REG_EXTENDED);
    if (!ok) {
        fprintf(stderr, "%s:%u: not understood: %s\n", c->file, r->line, r->pattern);
        c->broken = true;
        str_free(&e.text);
        return false;
    }
    bool yes = !regexec(&re, line, GROUPS + 1, m, 0);
    for (unsigned i = 1; yes && i <= e.groups; i++)
        if (*e.name[i] && m[i].rm_so >= 0)
            keep(c, e.name[i], line + m[i].rm_so, (size_t)(m[i].rm_eo - m[i].rm_so));
    regfree(&re);
    str_free(&e.text);
    return yes;
}

static bool fail(const struct checker *c, const struct rule *r, const char *what, size_t at)
{
    fprintf(stderr, "%s:%u: '%s': %s%s%s\n", c->file, r->line, r->pattern, what, at < c->lines.len ? ": " : "",
            at < c->lines.len ? c->lines.data[at] : "");
    return false;
}

// None of the rules CHECK-NOT from `first` to `last` in the lines from `from` to `to`.
static bool none_between(struct checker *c, size_t first, size_t last, size_t from, size_t to)
{
    for (size_t r = first; r < last; r++)
        for (size_t i = from; i < to; i++)
            if (matches(c, &c->rules.data[r], c->lines.data[i]))
                return fail(c, &c->rules.data[r], "is there", i);
    return true;
}

static bool run(struct checker *c)
{
    size_t at = 0, nots = 0; // the line behind the last match; the first CHECK-NOT behind it
    bool any = false;
    for (size_t r = 0; r < c->rules.len; r++) {
        const struct rule *rule = &c->rules.data[r];
        if (rule->kind == CHECK_NOT)
            continue;
        size_t i = at;
        while (rule->kind == CHECK && i < c->lines.len && !matches(c, rule, c->lines.data[i]))
            i++;
        if (i >= c->lines.len || (rule->kind == CHECK_NEXT && !matches(c, rule, c->lines.data[i])))
            return fail(c, rule, rule->kind == CHECK ? "is not there" : "is not in the next line", i);
        if (!none_between(c, nots, r, at, i))
            return false;
        any = true;
        at = i + 1;
        nots = r + 1;
    }
    if (!any)
        fprintf(stderr, "%s: checks nothing that must be there\n", c->file);
    return any && none_between(c, nots, c->rules.len, at, c->lines.len);
}

bool check_text(const char *name, const char *input, const char *text)
{
    struct checker c = {.file = name};
    read_lines(&c, text);
    bool ok = read_rules(&c, input) && run(&c) && !c.broken;
    for (size_t i = 0; i < c.lines.len; i++)
        free(c.lines.data[i]);
    for (size_t i = 0; i < c.rules.len; i++)
        free(c.rules.data[i].pattern);
    for (unsigned i = 0; i < c.nkept; i++)
        free(c.kept[i].value);
    vec_free(&c.lines);
    vec_free(&c.rules);
    return ok;
}
