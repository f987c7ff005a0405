// SPDX-License-Identifier: Apache-2.0
// The parser's entry and what stands at module scope. One pass, hand-written; instructions are matched
// against the table in match.c.
#include "ptx/parse/parse.h"
#include "ptx/debug_comment.h"
#include "base/reserve.h"
#include <stdio.h>
#include <string.h>

// .version MAJOR.MINOR
static bool version_parse(struct ptx_parser *p)
{
    unsigned major, minor;
    char text[16] = "";
    if (!ptx_advance(p))
        return false;
    if (p->t.len < sizeof text)
        memcpy(text, p->t.text, p->t.len);
    if (p->t.kind != PTX_TOKEN_F64 || sscanf(text, "%3u.%1u", &major, &minor) != 2)
        return ptx_parse_error(p, p->t.loc, "a version MAJOR.MINOR is expected");
    p->m->version = major * 10 + minor;
    return ptx_advance(p);
}

// .target sm_90a, debug, texmode_independent
static bool target_parse(struct ptx_parser *p)
{
    bool more = true;
    if (!ptx_advance(p))
        return false;
    while (more) {
        struct ptx_token name = p->t;
        char text[40] = "";
        unsigned sm;
        char suffix = 0;
        if (!ptx_expect_name(p, &name))
            return false;
        if (name.len < sizeof text)
            memcpy(text, name.text, name.len);
        if (sscanf(text, "sm_%4u%c", &sm, &suffix) >= 1 || sscanf(text, "compute_%4u%c", &sm, &suffix) >= 1) {
            if (suffix && suffix != 'a' && suffix != 'f')
                return ptx_parse_error(p, name.loc, "unknown target '%s'", text);
            p->m->target = sm;
            p->m->target_suffix = suffix;
        } else if (!strcmp(text, "texmode_independent")) {
            p->m->texmode_independent = true;
        } else if (!strcmp(text, "debug")) {
            p->m->debug = true;
        } else if (strcmp(text, "texmode_unified") && strcmp(text, "map_f64_to_f32")) {
            return ptx_parse_error(p, name.loc, "unknown target '%.*s'", (int)name.len, name.text);
        }
        if (!ptx_accept(p, ',', &more))
            return false;
    }
    return true;
}

static bool address_size_parse(struct ptx_parser *p)
{
    if (!ptx_advance(p))
        return false;
    if (p->t.kind != PTX_TOKEN_INT || (p->t.value != 32 && p->t.value != 64))
        return ptx_parse_error(p, p->t.loc, "the address size is 32 or 64");
    p->m->address_size = (uint32_t)p->t.value;
    return ptx_advance(p);
}

// .alias name, function ;
static bool alias_parse(struct ptx_parser *p)
{
    struct ptx_token a, b;
    if (!ptx_advance(p) || !ptx_expect_name(p, &a) || !ptx_expect(p, ',') || !ptx_expect_name(p, &b))
        return false;
    struct ptx_symbol *from = ptx_scope_find(p, &a), *to = ptx_scope_find(p, &b);
    if (!from || from->kind != PTX_SYMBOL_FUNC)
        return ptx_parse_error(p, a.loc, "'%.*s' is not a declared function", (int)a.len, a.text);
    if (!to || to->kind != PTX_SYMBOL_FUNC)
        return ptx_parse_error(p, b.loc, "'%.*s' is not a declared function", (int)b.len, b.text);
    struct ptx_func *f = from->p, *target = to->p;
    if (f->has_body || f->is_entry || target->is_entry)
        return ptx_parse_error(p, a.loc, "'%s' cannot be an alias", f->name);
    for (struct ptx_func *g = target; g; g = g->alias)
        if (g == f)
            return ptx_parse_error(p, a.loc, "alias '%s' names itself", f->name);
    f->alias = target;
    return ptx_expect(p, ';');
}

static bool item_parse(struct ptx_parser *p)
{
    struct ptx_var linkage = {0};
    if (p->t.kind != PTX_TOKEN_DOT)
        return ptx_unexpected(p, "a directive");
    if (ptx_is_dot(&p->t, "version"))
        return version_parse(p);
    if (ptx_is_dot(&p->t, "target"))
        return target_parse(p);
    if (ptx_is_dot(&p->t, "address_size"))
        return address_size_parse(p);
    if (ptx_is_dot(&p->t, "file"))
        return ptx_parse_file(p);
    if (ptx_is_dot(&p->t, "section"))
        return ptx_parse_section(p);
    if (ptx_is_dot(&p->t, "pragma"))
        return ptx_parse_pragma(p);
    if (ptx_is_dot(&p->t, "alias"))
        return alias_parse(p);
    for (;;) {
        if (ptx_is_dot(&p->t, "visible"))
            linkage.is_visible = true;
        else if (ptx_is_dot(&p->t, "extern"))
            linkage.is_extern = true;
        else if (ptx_is_dot(&p->t, "weak"))
            linkage.is_weak = true;
        else if (ptx_is_dot(&p->t, "common"))
            linkage.is_common = true;
        else
            break;
        if (!ptx_advance(p))
            return false;
    }
    if (ptx_is_dot(&p->t, "entry") || ptx_is_dot(&p->t, "func"))
        return ptx_parse_function(p, &linkage);
    if (p->t.kind != PTX_TOKEN_DOT)
        return ptx_unexpected(p, "a directive");
    if (ptx_is_dot(&p->t, "reg"))
        return ptx_parse_error(p, p->t.loc, "registers are declared in functions only");
    return ptx_parse_variables(p, &linkage);
}

static bool module_parse(struct ptx_parser *p)
{
    if (!ptx_advance(p))
        return false;
    if (!ptx_is_dot(&p->t, "version"))
        return ptx_unexpected(p, ".version");
    while (p->t.kind != PTX_TOKEN_END) {
        if (ptx_is_punct(&p->t, ';')) {
            if (!ptx_advance(p))
                return false;
        } else if (!item_parse(p)) {
            return false;
        }
    }
    if (!p->m->target)
        return ptx_parse_error(p, p->t.loc, ".target is missing");
    return ptx_late_relocs_resolve(p);
}

// Sections within a comment at the text's end (ptx/debug_comment.h). They are no reason to refuse a text.
static void debug_comment_parse(struct ptx_parser *p, const char *text, size_t size)
{
    const char *from = memmem(text, size, PTX_DEBUG_COMMENT, strlen(PTX_DEBUG_COMMENT)), *end = text + size;
    struct diag unheard, *d = p->d;
    if (!from)
        return;
    from += strlen(PTX_DEBUG_COMMENT);
    char *plain = arena_alloc(&p->m->arena, (size_t)(end - from) + 1);
    size_t n = 0;
    for (const char *next; from < end && *from == '/'; from = next) {
        const char *line = memchr(from, '\n', (size_t)(end - from));
        next = line ? line + 1 : end;
        size_t length = (size_t)(next - from) > 2 ? (size_t)(next - from) - 2 : 0;
        memcpy(plain + n, from + 2, length);
        n += length;
    }
    diag_init(&unheard, "");
    p->d = &unheard;
    p->has_next = false;
    ptx_lexer_init(&p->lex, plain, n, &unheard);
    bool ok = ptx_advance(p);
    while (ok && ptx_is_dot(&p->t, "section"))
        ok = ptx_parse_section(p);
    p->m->debug = true;
    p->d = d;
    diag_fini(&unheard);
}

static struct ptx_module *module_read(const char *text, size_t size, bool outline, struct ptx_bodies *bodies,
                                      struct diag *d)
{
    struct ptx_module *m = xcalloc(1, sizeof *m);
    arena_init(&m->arena);
    m->address_size = 32;
    m->outline = outline;
    struct ptx_parser p = {.d = d, .m = m, .outline = outline};
    ptx_lexer_init(&p.lex, text, size, d);
    p.lex.known = bodies && bodies->len ? bodies : NULL;
    p.lex.noted = bodies && !bodies->len ? bodies : NULL;
    ptx_scope_open(&p);
    p.module_scope = p.scope;
    bool ok = module_parse(&p);
    if (ok)
        debug_comment_parse(&p, text, size);
    while (p.scope) {
        struct ptx_scope *s = p.scope;
        p.scope = s->parent;
        free(s->table);
    }
    m->vars = arena_dup(&m->arena, p.vars.data, p.vars.len * sizeof *p.vars.data);
    m->nvars = (uint32_t)p.vars.len;
    m->funcs = arena_dup(&m->arena, p.funcs.data, p.funcs.len * sizeof *p.funcs.data);
    m->nfuncs = (uint32_t)p.funcs.len;
    m->files = arena_dup(&m->arena, p.files.data, p.files.len * sizeof *p.files.data);
    m->nfiles = (uint32_t)p.files.len;
    ptx_inlined_resolve(&p);
    m->sections = arena_dup(&m->arena, p.sections.data, p.sections.len * sizeof *p.sections.data);
    m->nsections = (uint32_t)p.sections.len;
    vec_free(&p.regs);
    vec_free(&p.insns);
    vec_free(&p.labels);
    vec_free(&p.locals);
    vec_free(&p.refs);
    vec_free(&p.vars);
    vec_free(&p.funcs);
    vec_free(&p.files);
    vec_free(&p.sections);
    vec_free(&p.inlined);
    vec_free(&p.scratch);
    vec_free(&p.late);
    if (ok)
        return m;
    ptx_module_destroy(m);
    return NULL;
}

static struct ptx_module *text_parse(const char *text, size_t size, bool outline, struct ptx_bodies *bodies,
                                     struct diag *d)
{
    enum {
        TIMES = 100
    }; // as much as its text a module takes at most while it is read: 36 were measured, and tables double
    struct reserve reserve;
    if (size > UINT32_MAX / 2) {
        diag_error(d, 1, 1, "the text is too large");
        return NULL;
    }
    if (!reserve_begin(&reserve, size * TIMES)) {
        diag_lacks_memory(d);
        return NULL;
    }
    struct ptx_module *m = module_read(text, size, outline, bodies, d);
    reserve_end(&reserve);
    return m;
}

struct ptx_module *ptx_module_parse(const char *text, size_t size, struct diag *d)
{
    return text_parse(text, size, false, NULL, d);
}

struct ptx_module *ptx_module_outline(const char *text, size_t size, struct ptx_bodies *bodies, struct diag *d)
{
    return text_parse(text, size, true, bodies, d);
}

bool ptx_module_matches(const struct ptx_module *outline, const struct ptx_module *m)
{
    bool same = outline->nvars == m->nvars && outline->nfuncs == m->nfuncs;
    for (uint32_t i = 0; same && i < m->nvars; i++)
        same = !strcmp(outline->vars[i]->name, m->vars[i]->name) && outline->vars[i]->size == m->vars[i]->size;
    for (uint32_t i = 0; same && i < m->nfuncs; i++)
        same =
            !strcmp(outline->funcs[i]->name, m->funcs[i]->name) && outline->funcs[i]->has_body == m->funcs[i]->has_body;
    return same;
}

void ptx_module_destroy(struct ptx_module *m)
{
    if (!m)
        return;
    arena_fini(&m->arena);
    free(m);
}
