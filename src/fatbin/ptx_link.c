// SPDX-License-Identifier: Apache-2.0
// See ptx_link.h. The texts are taken apart into module-level statements without parsing instructions:
//  1. Comments go; .loc lines keep file, line and column. Debug sections go too, but three of them are kept, those of all texts in one,
//     within a comment at the end (ptx/ptx.h): units of the later texts name their place in it. NVIDIA's assembler takes no text
//     with units of several. Of a text whose units name any other section nothing is kept.
//  2. A statement is a variable, a function or kernel with a body, a declaration, or something else copied as it is.
//  3. Names without linkage that another text has too get the number of their text as a suffix.
//  4. Out come the prototypes of all functions, the variables, then the bodies, so that order never matters.
#include "fatbin/ptx_link.h"
#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"
#include "fatbin/fatbin_write.h"
#include "ptx/debug_comment.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum linkage { LINK_INTERNAL, LINK_VISIBLE, LINK_EXTERN, LINK_WEAK };
enum statement_kind { ST_OTHER, ST_VARIABLE, ST_FUNCTION, ST_ENTRY, ST_FILE };
enum debug_section { DEBUG_ABBREV, DEBUG_INFO, DEBUG_STR, DEBUG_SECTIONS };
static const char *const debug_names[DEBUG_SECTIONS] = {".debug_abbrev", ".debug_info", ".debug_str"};

struct statement {
    enum statement_kind kind;
    enum linkage linkage;
    bool body;               // a function with instructions
    bool shared;             // a variable in shared memory: .extern means that the launch gives its size
    const char *name;        // NULL: none
    const char *start, *end; // its text, ';' or '}' included
    const char *head_end;    // where the body begins
};

struct text {
    const char *name;
    char *clean; // without comments
    struct VEC(struct statement) statements;
    struct map renames; // internal name -> new name
    unsigned file_base; // added to the numbers of .file and .loc
    struct {
        const char *start, *end; // between the braces; NULL: there is none
        uint64_t base;           // bytes of the texts before
    } debug[DEBUG_SECTIONS];
};

struct symbol {
    size_t text; // of the definition; for a declaration only, the first text that has it
    const struct statement *st;
    bool duplicate_name; // in more than one text
    bool declared;       // a kernel that is named before its definition
};

struct linker {
    struct arena arena;
    struct text *texts;
    size_t count;
    struct map symbols; // name -> struct symbol
    struct diag *diag;
    struct str *out;
};

static bool is_name(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$';
}

static char *comments_strip(struct arena *a, const char *text)
{
    char *out = arena_alloc(a, strlen(text) + 1), *o = out;
    for (const char *p = text; *p;) {
        if (p[0] == '/' && p[1] == '/') {
            p += strcspn(p, "\n");
        } else if (p[0] == '/' && p[1] == '*') {
            const char *e = strstr(p + 2, "*/");
            p = e ? e + 2 : p + strlen(p);
            *o++ = ' ';
        } else if (*p == '"') {
            do
                *o++ = *p++;
            while (*p && *p != '"' && *p != '\n');
            if (*p == '"')
                *o++ = *p++;
        } else {
            *o++ = *p++;
        }
    }
    *o = 0;
    return out;
}

static size_t word_length(const char *p)
{
    size_t n = *p == '.' || *p == '%' ? 1 : 0;
    while (is_name(p[n]))
        n++;
    return n;
}

// Reads the directives at the head of a function or variable statement; the name stands behind them.
static bool head_read(struct linker *l, struct statement *st)
{
    for (const char *p = st->start; p < st->end;) {
        size_t n = word_length(p);
        if (*p == '(' && st->kind == ST_FUNCTION && !st->name) { // returned parameters
            p = str_skip_brackets(p);
            if (!p)
                return false;
        } else if (!n) {
            if (st->name || *p == '{' || *p == '=')
                break;
            p++;
        } else {
            if (str_is(p, n, ".visible"))
                st->linkage = LINK_VISIBLE;
            else if (str_is(p, n, ".extern"))
                st->linkage = LINK_EXTERN;
            else if (str_is(p, n, ".weak") || str_is(p, n, ".common"))
                st->linkage = LINK_WEAK;
            else if (str_is(p, n, ".func"))
                st->kind = ST_FUNCTION;
            else if (str_is(p, n, ".entry"))
                st->kind = ST_ENTRY;
            else if (str_is(p, n, ".global") || str_is(p, n, ".const"))
                st->kind = ST_VARIABLE;
            else if (str_is(p, n, ".shared"))
                st->kind = ST_VARIABLE, st->shared = true;
            else if (str_is(p, n, ".attribute"))
                p = str_skip_brackets(strchr(p, '(') ? strchr(p, '(') : p), n = 0;
            else if (st->kind != ST_OTHER && *p != '.' && !isdigit((unsigned char)*p) && !st->name)
                st->name = arena_strndup(&l->arena, p, n);
            if (!p)
                return false;
            p += n;
        }
    }
    return st->kind == ST_OTHER || st->name;
}

// Finds the end of the statement at *p. The directives that end with their line are told by name.
static bool statement_read(struct linker *l, struct text *t, const char **at, struct statement *st)
{
    const char *p = *at;
    size_t n = word_length(p);
    *st = (struct statement){.start = p};
    if (str_is(p, n, ".version") || str_is(p, n, ".target") || str_is(p, n, ".address_size") || str_is(p, n, ".file") ||
        str_is(p, n, ".loc")) {
        st->kind = str_is(p, n, ".file") ? ST_FILE : ST_OTHER;
        st->end = *at = p + strcspn(p, "\n");
        if (st->kind == ST_OTHER)
            st->start = st->end; // the linked text has its own
        return true;
    }
    if (str_is(p, n, ".section")) { // debug information
        const char *name = p + n + strspn(p + n, " \t\r\n"), *open = strchr(p, '{');
        p = open ? str_skip_brackets(open) : NULL;
        if (!p)
            return false;
        for (unsigned i = 0; i < DEBUG_SECTIONS; i++)
            if (str_is(name, word_length(name), debug_names[i])) {
                t->debug[i].start = open + 1;
                t->debug[i].end = p - 1;
            }
        st->start = st->end = *at = p;
        return true;
    }
    bool function = false;
    while (*p && *p != ';') {
        n = word_length(p);
        function |= str_is(p, n, ".func") || str_is(p, n, ".entry");
        if (*p == '{' && function) {
            st->body = true;
            st->head_end = p;
        }
        if (*p == '(' || *p == '{' || *p == '[') {
            p = str_skip_brackets(p);
            if (!p)
                return false;
            if (st->body)
                break;
        } else {
            p += n ? n : 1;
        }
    }
    if (*p == ';' && !st->body)
        p++;
    st->end = *at = p;
    return head_read(l, st);
}

static bool text_split(struct linker *l, struct text *t, const char *source)
{
    t->clean = comments_strip(&l->arena, source);
    for (const char *p = t->clean;;) {
        p += strspn(p, " \t\r\n;");
        if (!*p)
            return true;
        struct statement st;
        if (!statement_read(l, t, &p, &st))
            return diag_error(l->diag, 0, 0, "'%s' is no PTX text: a bracket is not closed, or a name is missing",
                              t->name);
        if (st.start < st.end)
            vec_push(&t->statements, st);
    }
}

static bool is_definition(const struct statement *st)
{
    return st->kind == ST_VARIABLE ? st->linkage != LINK_EXTERN : st->body;
}

// A strong definition beats a weak one, any definition beats a declaration, and the first of equals stays.
static bool symbol_add(struct linker *l, size_t text, const struct statement *st)
{
    struct symbol *s = map_get_str(&l->symbols, st->name);
    if (!s) {
        s = arena_new(&l->arena, struct symbol);
        s->text = text;
        s->st = st;
        s->declared = !st->body;
        map_put_str(&l->symbols, st->name, s);
        return true;
    }
    s->declared |= !st->body;
    if (s->text != text)
        s->duplicate_name = true;
    bool internal = st->linkage == LINK_INTERNAL || s->st->linkage == LINK_INTERNAL;
    if (internal && s->text != text) {
        if (s->st->linkage == LINK_INTERNAL && st->linkage != LINK_INTERNAL) { // the name is the global one's
            s->text = text;
            s->st = st;
        }
        return true;
    }
    if (!is_definition(st) || (is_definition(s->st) && st->linkage == LINK_WEAK))
        return true;
    if (is_definition(s->st) && s->st->linkage != LINK_WEAK)
        return diag_error(l->diag, 0, 0, "'%s' is defined in '%s' and in '%s'", st->name, l->texts[s->text].name,
                          l->texts[text].name);
    s->text = text;
    s->st = st;
    return true;
}

static bool symbols_collect(struct linker *l)
{
    bool ok = true;
    for (size_t i = 0; i < l->count; i++)
        for (size_t k = 0; k < l->texts[i].statements.len; k++)
            if (l->texts[i].statements.data[k].name)
                ok &= symbol_add(l, i, &l->texts[i].statements.data[k]);
    for (size_t i = 0; i < l->count; i++) {
        struct text *t = &l->texts[i];
        for (size_t k = 0; k < t->statements.len; k++) {
            struct statement *st = &t->statements.data[k];
            if (!st->name || st->linkage != LINK_INTERNAL || map_get_str(&t->renames, st->name))
                continue;
            struct symbol *s = map_get_str(&l->symbols, st->name);
            if (s->duplicate_name)
                map_put_str(&t->renames, st->name, arena_printf(&l->arena, "%s$%zu", st->name, i));
        }
    }
    return ok;
}

// ---- debug sections

static bool has_debug(const struct text *t)
{
    return t->debug[DEBUG_INFO].start;
}

// Bytes of the data: .b8 and the like, each with a list of values.
static uint64_t data_bytes(const char *p, const char *end)
{
    uint64_t sum = 0, size = 0;
    while (p < end) {
        size_t n = word_length(p);
        bool data = *p == '.' && p[1] == 'b' && isdigit((unsigned char)p[2]);
        size = data ? strtoul(p + 2, NULL, 10) / 8 : size;
        sum += data || *p == ',' ? size : 0;
        p += n ? n : 1;
    }
    return sum;
}

// Units may name what is kept, and the line table, which PTX makes of .loc.
static bool is_kept_name(const char *p, size_t n)
{
    bool kept = str_is(p, n, ".debug_line");
    for (unsigned i = 0; i < DEBUG_SECTIONS; i++)
        kept |= str_is(p, n, debug_names[i]);
    return kept;
}

static void debug_check(struct text *t)
{
    bool ok = t->debug[DEBUG_INFO].start && t->debug[DEBUG_ABBREV].start;
    for (const char *p = t->debug[DEBUG_INFO].start; ok && p < t->debug[DEBUG_INFO].end;) {
        size_t n = word_length(p);
        ok = strncmp(p, ".debug", 6) || is_kept_name(p, n);
        p += n ? n : 1;
    }
    for (unsigned i = 0; !ok && i < DEBUG_SECTIONS; i++)
        t->debug[i].start = t->debug[i].end = NULL;
}

// Copies text with the renames of its module; .loc lines get the new number of their file.
static void text_append(struct linker *l, const struct text *t, const char *p, const char *end)
{
    char word[4096];
    while (p < end) {
        size_t n = word_length(p);
        if (*p == '"') {
            const char *e = memchr(p + 1, '"', (size_t)(end - p - 1));
            e = e ? e + 1 : end;
            str_append_n(l->out, p, (size_t)(e - p));
            p = e;
        } else if (str_is(p, n, ".loc")) {
            const char *line = p + strcspn(p, "\n,");
            unsigned file = 0;
            int used = 0;
            if (sscanf(p, ".loc %u%n", &file, &used) == 1)
                str_printf(l->out, ".loc %u%.*s", file + t->file_base, (int)(line - p - used), p + used);
            p += strcspn(p, "\n");
        } else if (n && n < sizeof word && *p != '.' && *p != '%' && p[n] != '.' && t->renames.len) {
            memcpy(word, p, n);
            word[n] = 0;
            const char *new = map_get_str(&t->renames, word);
            str_append(l->out, new ? new : word);
            p += n;
        } else {
            n = n ? n : 1;
            str_append_n(l->out, p, n);
            p += n;
        }
    }
}

// One section of one text: names of sections become places in those of all texts.
static void debug_append(struct linker *l, const struct text *t, unsigned section)
{
    const char *p = t->debug[section].start, *end = t->debug[section].end, *from = p;
    while (p < end) {
        size_t n = word_length(p);
        for (unsigned i = 0; i < DEBUG_SECTIONS; i++)
            if (str_is(p, n, debug_names[i]) && t->debug[i].base) {
                text_append(l, t, from, p + n);
                str_printf(l->out, "+%llu", (unsigned long long)t->debug[i].base);
                from = p + n;
            }
        p += n ? n : 1;
    }
    text_append(l, t, from, end);
}

static void debug_write(struct linker *l)
{
    bool any = false;
    uint64_t base[DEBUG_SECTIONS] = {0};
    struct str sections = {0}, *out = l->out;
    for (size_t i = 0; i < l->count; i++) {
        any |= has_debug(&l->texts[i]);
        for (unsigned s = 0; s < DEBUG_SECTIONS; s++) {
            l->texts[i].debug[s].base = base[s];
            base[s] += data_bytes(l->texts[i].debug[s].start, l->texts[i].debug[s].end);
        }
    }
    l->out = &sections;
    for (unsigned s = 0; any && s < DEBUG_SECTIONS; s++) {
        str_printf(l->out, ".section %s\n{\n", debug_names[s]);
        for (size_t i = 0; i < l->count; i++)
            debug_append(l, &l->texts[i], s);
        str_append(l->out, "}\n");
    }
    l->out = out;
    if (any)
        str_append(out, PTX_DEBUG_COMMENT);
    for (const char *p = str_text(&sections); any && *p;) {
        size_t n = strcspn(p, "\n");
        str_printf(out, "//%.*s\n", (int)n, p);
        p += n + (p[n] == '\n');
    }
    str_free(&sections);
}

static const struct symbol *symbol_of(struct linker *l, const struct text *t, const struct statement *st)
{
    return map_get_str(&t->renames, st->name) ? NULL : map_get_str(&l->symbols, st->name);
}

// Whether this statement is the one of its name that goes into the result.
static bool is_chosen(struct linker *l, const struct text *t, const struct statement *st)
{
    const struct symbol *s = symbol_of(l, t, st);
    return !s || s->st == st || (st->linkage == LINK_INTERNAL && is_definition(st));
}

// A kernel whose address is used is declared where that is done.
static bool is_declared(struct linker *l, const struct text *t, const struct statement *st)
{
    const struct symbol *s = symbol_of(l, t, st);
    return s && s->declared;
}

static const char *parameters_end(const struct statement *st)
{
    const char *open = memchr(st->start, '(', (size_t)(st->head_end - st->start));
    return open ? str_skip_brackets(open) : st->head_end;
}

static void prototypes_write(struct linker *l)
{
    for (size_t i = 0; i < l->count; i++) {
        const struct text *t = &l->texts[i];
        for (size_t k = 0; k < t->statements.len; k++) {
            const struct statement *st = &t->statements.data[k];
            if (st->kind == ST_ENTRY && st->body && is_chosen(l, t, st) && is_declared(l, t, st)) {
                text_append(l, t, st->start, parameters_end(st));
                str_append(l->out, ";\n");
            }
            if (st->kind != ST_FUNCTION || !is_chosen(l, t, st) || (st->linkage == LINK_INTERNAL && !st->body))
                continue;
            text_append(l, t, st->start, st->body ? st->head_end : st->end);
            str_append(l->out, st->body ? ";\n" : "\n");
        }
    }
}

static void statements_write(struct linker *l, bool bodies)
{
    for (size_t i = 0; i < l->count; i++) {
        const struct text *t = &l->texts[i];
        for (size_t k = 0; k < t->statements.len; k++) {
            const struct statement *st = &t->statements.data[k];
            bool function = st->kind == ST_FUNCTION || st->kind == ST_ENTRY;
            if (st->kind == ST_FILE || function != bodies || (function && !st->body) ||
                (st->name && !is_chosen(l, t, st)))
                continue;
            text_append(l, t, st->start, st->end);
            str_append(l->out, "\n");
        }
    }
}

static void files_write(struct linker *l)
{
    unsigned base = 0;
    for (size_t i = 0; i < l->count; i++) {
        struct text *t = &l->texts[i];
        unsigned highest = 0;
        t->file_base = base;
        for (size_t k = 0; k < t->statements.len; k++) {
            const struct statement *st = &t->statements.data[k];
            unsigned number;
            int used = 0;
            if (st->kind != ST_FILE || sscanf(st->start, ".file %u%n", &number, &used) != 1)
                continue;
            highest = number > highest ? number : highest;
            str_printf(l->out, ".file %u%.*s\n", number + base, (int)(st->end - st->start) - used, st->start + used);
        }
        base += highest;
    }
}

// Names that drivers resolve themselves.
static bool is_offered(const char *name)
{
    static const char *const offered[] = {"vprintf", "malloc", "free", "__assertfail", "__nvvm_reflect"};
    for (size_t i = 0; i < sizeof offered / sizeof offered[0]; i++)
        if (!strcmp(name, offered[i]))
            return true;
    return !strncmp(name, "cuda", 4) || !strncmp(name, "__cuda", 6);
}

static bool completeness_check(struct linker *l)
{
    bool ok = true;
    for (size_t i = 0; i < l->count; i++)
        for (size_t k = 0; k < l->texts[i].statements.len; k++) {
            const struct statement *st = &l->texts[i].statements.data[k];
            if (!st->name || st->linkage != LINK_EXTERN || st->shared || is_offered(st->name))
                continue;
            const struct symbol *s = map_get_str(&l->symbols, st->name);
            if (s && s->st == st)
                ok = diag_error(l->diag, 0, 0, "'%s' is used in '%s' and defined nowhere", st->name, l->texts[i].name);
        }
    return ok;
}

// The letter of a target whose features a text for that very target uses. 'a' has all of 'f'.
static const char *target_letter(const struct ptx_link_input *inputs, size_t count, unsigned sm)
{
    char letter = 0;
    for (size_t i = 0; i < count && letter != 'a'; i++) {
        char own = fatbin_ptx_target(inputs[i].text) == sm ? fatbin_ptx_target_letter(inputs[i].text) : 0;
        letter = own ? own : letter;
    }
    return letter == 'a' ? "a" : letter ? "f" : "";
}

bool ptx_link(const struct ptx_link_input *inputs, size_t count, unsigned sm, bool complete, struct str *out,
              struct diag *d)
{
    struct linker l = {.count = count, .diag = d, .out = out};
    arena_init(&l.arena);
    l.texts = arena_array(&l.arena, struct text, count);
    unsigned major = 0, minor = 0, highest = 0;
    bool ok = true;
    for (size_t i = 0; ok && i < count; i++) {
        unsigned ma, mi, target = fatbin_ptx_target(inputs[i].text);
        fatbin_ptx_version(inputs[i].text, &ma, &mi);
        if (ma > major || (ma == major && mi > minor))
            major = ma, minor = mi;
        highest = target > highest ? target : highest;
        l.texts[i].name = inputs[i].name;
        ok = text_split(&l, &l.texts[i], inputs[i].text);
        debug_check(&l.texts[i]);
    }
    ok = ok && symbols_collect(&l) && (!complete || completeness_check(&l));
    if (ok) {
        sm = sm ? sm : highest;
        str_printf(out, ".version %u.%u\n.target sm_%u%s\n.address_size 64\n", major, minor, sm,
                   target_letter(inputs, count, sm));
        files_write(&l);
        prototypes_write(&l);
        statements_write(&l, false);
        statements_write(&l, true);
        debug_write(&l);
    }
    for (size_t i = 0; i < count; i++) {
        vec_free(&l.texts[i].statements);
        map_free(&l.texts[i].renames);
    }
    map_free(&l.symbols);
    arena_fini(&l.arena);
    return ok;
}
