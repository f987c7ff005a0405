// SPDX-License-Identifier: Apache-2.0
// Sections of debug information: DWARF written as data directives. What the JIT reads of them is kept as bytes, with
// the places where the address of a symbol belongs; the rest is skipped.
#include "ptx/parse/parse.h"
#include <string.h>

static bool is_kept(const struct ptx_token *name)
{
    return ptx_is_dot(name, "debug_info") || ptx_is_dot(name, "debug_abbrev") || ptx_is_dot(name, "debug_str");
}

static unsigned data_bytes(const struct ptx_token *t)
{
    return ptx_is_dot(t, "b8") ? 1 : ptx_is_dot(t, "b16") ? 2 : ptx_is_dot(t, "b32") ? 4 : ptx_is_dot(t, "b64") ? 8 : 0;
}

struct section_data {
    struct VEC(uint8_t) bytes;
    struct VEC(struct ptx_section_mark) refs, labels;
};

static void add_mark(struct ptx_parser *p, struct section_data *d, const struct ptx_token *t, bool label)
{
    struct ptx_section_mark m = {arena_strndup(&p->m->arena, t->text, t->len), d->bytes.len};
    if (label)
        vec_push(&d->labels, m);
    else
        vec_push(&d->refs, m);
}

// One value: a number, or a symbol or section {+ N}, or a difference of labels, which is read as 0.
static bool value_parse(struct ptx_parser *p, struct section_data *d, unsigned size)
{
    uint64_t v = 0;
    bool negative;
    if (!ptx_accept(p, '-', &negative))
        return false;
    if (p->t.kind == PTX_TOKEN_IDENT || p->t.kind == PTX_TOKEN_DOT) {
        bool plus, minus;
        const char *end = p->t.text + p->t.len;
        add_mark(p, d, &p->t, false);
        if (!ptx_advance(p))
            return false;
        // Clang 19 writes names of static variables with dots here, which are no names of PTX.
        while (p->t.kind == PTX_TOKEN_DOT && p->t.text - 1 <= end && p->t.text >= end) {
            end = p->t.text + p->t.len;
            if (!ptx_advance(p))
                return false;
        }
        if (!ptx_accept(p, '+', &plus) || !ptx_accept(p, '-', &minus))
            return false;
        if (minus)
            d->refs.len--;
        if (plus && p->t.kind == PTX_TOKEN_INT)
            v = p->t.value;
        if ((plus || minus) && !ptx_advance(p))
            return false;
    } else if (p->t.kind == PTX_TOKEN_INT) {
        v = negative ? -p->t.value : p->t.value;
        if (!ptx_advance(p))
            return false;
    } else {
        return ptx_parse_error(p, p->t.loc, "a number or a name is expected");
    }
    for (unsigned i = 0; i < size; i++)
        vec_push(&d->bytes, (uint8_t)(v >> 8 * i));
    return true;
}

static bool kept_parse(struct ptx_parser *p, struct section_data *d)
{
    while (p->t.kind != PTX_TOKEN_END && !ptx_is_punct(&p->t, '}')) {
        unsigned size = data_bytes(&p->t);
        bool more = true;
        if (!size && p->t.kind == PTX_TOKEN_IDENT) {
            add_mark(p, d, &p->t, true);
            if (!ptx_advance(p) || !ptx_expect(p, ':'))
                return false;
            continue;
        }
        if (!size)
            return ptx_parse_error(p, p->t.loc, "a label, .b8, .b16, .b32 or .b64 is expected");
        if (!ptx_advance(p))
            return false;
        while (more)
            if (!value_parse(p, d, size) || !ptx_accept(p, ',', &more))
                return false;
    }
    return true;
}

static bool skipped_parse(struct ptx_parser *p)
{
    while (p->t.kind != PTX_TOKEN_END && !ptx_is_punct(&p->t, '}')) {
        if (ptx_is_punct(&p->t, '{'))
            return ptx_parse_error(p, p->t.loc, "a section holds no braces");
        if (!ptx_advance(p))
            return false;
    }
    return true;
}

// .section NAME { ... }
bool ptx_parse_section(struct ptx_parser *p)
{
    if (!ptx_advance(p))
        return false;
    struct ptx_token name = p->t;
    struct section_data d = {0};
    bool kept = is_kept(&name);
    while (p->t.kind == PTX_TOKEN_DOT || p->t.kind == PTX_TOKEN_IDENT)
        if (!ptx_advance(p))
            return false;
    bool ok = ptx_expect(p, '{') && (kept ? kept_parse(p, &d) : skipped_parse(p)) && ptx_expect(p, '}');
    if (ok && kept) {
        struct arena *a = &p->m->arena;
        struct ptx_section s = {.name = arena_strndup(a, name.text, name.len),
                                .data = arena_dup(a, d.bytes.data, d.bytes.len),
                                .size = d.bytes.len,
                                .refs = arena_dup(a, d.refs.data, d.refs.len * sizeof *d.refs.data),
                                .nrefs = (uint32_t)d.refs.len,
                                .labels = arena_dup(a, d.labels.data, d.labels.len * sizeof *d.labels.data),
                                .nlabels = (uint32_t)d.labels.len};
        vec_push(&p->sections, s);
    }
    vec_free(&d.bytes);
    vec_free(&d.refs);
    vec_free(&d.labels);
    return ok;
}

// The text at a label of some section, if it ends there.
static const char *label_text(const struct ptx_parser *p, const char *label, uint32_t offset)
{
    for (size_t i = 0; i < p->sections.len; i++) {
        const struct ptx_section *s = &p->sections.data[i];
        for (uint32_t k = 0; k < s->nlabels; k++) {
            uint64_t at = s->labels[k].offset + offset;
            if (!strcmp(s->labels[k].name, label) && at < s->size && memchr(s->data + at, 0, s->size - at))
                return (const char *)s->data + at;
        }
    }
    return NULL;
}

void ptx_inlined_resolve(struct ptx_parser *p)
{
    for (size_t i = 0; i < p->inlined.len; i++) {
        struct ptx_inlined *n = p->inlined.data[i];
        n->function = n->label ? label_text(p, n->label, n->label_offset) : NULL;
    }
}
