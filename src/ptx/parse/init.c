// SPDX-License-Identifier: Apache-2.0
// Initialisers of variables: nested braces, numbers, and addresses of variables and functions.
#include "ptx/parse/parse.h"
#include "base/reserve.h"
#include "ptx/sampler.h"
#include <string.h>

// One element that was written: a number, or a symbol's address.
struct element {
    uint64_t index; // flat, in elements of the fundamental type
    struct ptx_value value;
    struct ptx_token symbol; // END: a number
    bool generic;
    uint64_t mask; // 0: the whole address
    int64_t addend;
    struct ptx_loc loc;
};

struct filler {
    struct VEC(struct element) elements;
    const uint64_t *dims; // with the vector length last
    unsigned ndims;
    uint64_t limit; // elements that may be written
};

// symbol {+ n}, generic(symbol) {+ n}
static bool address_parse(struct ptx_parser *p, struct element *e)
{
    e->generic = ptx_is_word(&p->t, "generic");
    if (e->generic) {
        if (!ptx_advance(p) || !ptx_expect(p, '(') || !ptx_expect_name(p, &e->symbol) || !ptx_expect(p, ')'))
            return false;
    } else if (!ptx_expect_name(p, &e->symbol)) {
        return false;
    }
    if (!ptx_is_punct(&p->t, '+') && !ptx_is_punct(&p->t, '-'))
        return true;
    bool minus = p->t.value == '-';
    struct ptx_value v;
    if (!ptx_advance(p) || !ptx_expr_parse(p, &v))
        return false;
    if (v.kind != PTX_TOKEN_INT)
        return ptx_parse_error(p, e->loc, "an offset must be an integer");
    e->addend = (int64_t)(minus ? 0 - v.bits : v.bits);
    return true;
}

static bool element_parse(struct ptx_parser *p, struct element *e)
{
    e->loc = p->t.loc;
    struct ptx_token next;
    if (p->t.kind == PTX_TOKEN_IDENT && !ptx_is_word(&p->t, "WARP_SZ"))
        return address_parse(p, e);
    if (p->t.kind == PTX_TOKEN_INT) {
        if (!ptx_peek(p, &next))
            return false;
        if (ptx_is_punct(&next, '(')) { // 0xff00(symbol): one byte of its address
            e->mask = p->t.value;
            if (!ptx_advance(p) || !ptx_advance(p) || !address_parse(p, e))
                return false;
            return ptx_expect(p, ')');
        }
    }
    return ptx_expr_parse(p, &e->value);
}

// The elements of one dimension, from flat index `base` on. Inner braces may be left out: then values just follow.
static bool level_parse(struct ptx_parser *p, struct filler *f, unsigned level, uint64_t base)
{
    if (p->depth >= PTX_MAX_DEPTH)
        return ptx_parse_error(p, p->t.loc, "initialiser nested too deeply");
    uint64_t stride = 1, at = base;
    for (unsigned i = level + 1; i < f->ndims; i++)
        stride *= f->dims[i];
    uint64_t end = level || f->dims[0] ? base + stride * f->dims[level] : f->limit;
    if (!ptx_expect(p, '{'))
        return false;
    p->depth++;
    bool more = !ptx_is_punct(&p->t, '}'), ok = true;
    while (ok && more && !ptx_is_punct(&p->t, '}')) {
        if (at >= end || at >= f->limit) {
            ok = ptx_parse_error(p, p->t.loc, "too many initial values");
        } else if (ptx_is_punct(&p->t, '{')) {
            if (level + 1 >= f->ndims)
                ok = ptx_parse_error(p, p->t.loc, "too many braces in an initialiser");
            else
                ok = level_parse(p, f, level + 1, at);
            at += stride;
        } else {
            struct element e = {.index = at++};
            ok = element_parse(p, &e);
            vec_push(&f->elements, e);
        }
        ok = ok && ptx_accept(p, ',', &more);
    }
    p->depth--;
    return ok && ptx_expect(p, '}');
}

static bool number_store(struct ptx_parser *p, const struct ptx_var *v, const struct element *e, uint8_t *out)
{
    unsigned bytes = ptx_type_bytes(v->type);
    uint64_t bits = e->value.bits;
    bool is_float = ptx_type_class(v->type) == PTX_CLASS_FLOAT;
    if (e->value.kind == PTX_TOKEN_INT && (v->type == PTX_TYPE_F32 || v->type == PTX_TYPE_F64))
        return ptx_parse_error(p, e->loc, "an integer does not fit type .%s", ptx_type_name(v->type));
    if (is_float && bytes == 8 && e->value.kind != PTX_TOKEN_F64) {
        double f = ptx_value_double(&e->value);
        memcpy(&bits, &f, sizeof f);
    } else if (e->value.kind == PTX_TOKEN_F64 && (v->type == PTX_TYPE_F32 || v->type == PTX_TYPE_B32)) {
        float f = (float)ptx_value_double(&e->value);
        bits = 0;
        memcpy(&bits, &f, sizeof f);
    } else if (e->value.kind == PTX_TOKEN_F64 && bytes != 8) {
        return ptx_parse_error(p, e->loc, "a floating-point constant does not fit type .%s", ptx_type_name(v->type));
    } else if (e->value.kind == PTX_TOKEN_F32 && bytes != 4 && v->type != PTX_TYPE_B64) {
        return ptx_parse_error(p, e->loc, "a single-precision constant does not fit type .%s", ptx_type_name(v->type));
    }
    memcpy(out, &bits, bytes < 8 ? bytes : 8);
    return true;
}

static bool reloc_make(struct ptx_parser *p, const struct ptx_var *v, const struct element *e, struct ptx_reloc *r)
{
    unsigned bytes = ptx_type_bytes(v->type);
    *r = (struct ptx_reloc){
        .offset = e->index * bytes, .size = (uint8_t)bytes, .generic = e->generic, .addend = e->addend};
    if (e->mask) {
        r->shift = (uint8_t)__builtin_ctzll(e->mask);
        if (e->mask >> r->shift != 0xff || r->shift % 8)
            return ptx_parse_error(p, e->loc, "the mask of an address must be one byte");
        if (bytes != 1)
            return ptx_parse_error(p, e->loc, "a byte of an address needs an element of one byte");
    } else if (bytes != 4 && bytes != 8) {
        return ptx_parse_error(p, e->loc, "an address does not fit type .%s", ptx_type_name(v->type));
    }
    return true;
}

static bool reloc_bind(struct ptx_parser *p, struct ptx_reloc *r, const struct ptx_token *name)
{
    struct ptx_symbol *y = ptx_scope_find(p, name);
    if (!y)
        return false;
    if (y->kind == PTX_SYMBOL_VAR)
        r->var = y->p;
    else if (y->kind == PTX_SYMBOL_FUNC)
        ((struct ptx_func *)(r->func = y->p))->address_taken = true;
    return r->var || r->func;
}

static bool elements_store(struct ptx_parser *p, struct ptx_var *v, const struct filler *f)
{
    unsigned bytes = ptx_type_bytes(v->type);
    p->init_bytes += v->size;
    if (p->init_bytes > PTX_MAX_INIT_ALL)
        return ptx_parse_error(p, v->loc, "the module's initial values are too large");
    struct reserve reserve; // a few words of text may ask for much
    if (!reserve_begin(&reserve, v->size))
        return diag_lacks_memory(p->d);
    uint8_t *init = arena_alloc(&p->m->arena, v->size);
    reserve_end(&reserve);
    struct VEC(struct ptx_reloc) relocs = {0};
    struct VEC(struct ptx_token) names = {0};
    bool ok = true;
    for (size_t i = 0; ok && i < f->elements.len; i++) {
        const struct element *e = &f->elements.data[i];
        if (e->symbol.kind == PTX_TOKEN_END) {
            ok = number_store(p, v, e, init + e->index * bytes);
            continue;
        }
        struct ptx_reloc r;
        ok = reloc_make(p, v, e, &r);
        vec_push(&relocs, r);
        vec_push(&names, e->symbol);
    }
    struct ptx_reloc *list = arena_dup(&p->m->arena, relocs.data, relocs.len * sizeof *relocs.data);
    for (size_t i = 0; ok && i < relocs.len; i++)
        if (!reloc_bind(p, &list[i], &names.data[i])) {
            struct ptx_late_reloc late = {&list[i], names.data[i].text, names.data[i].len, names.data[i].loc};
            vec_push(&p->late, late);
        }
    v->init = init;
    v->has_init = true;
    v->relocs = list;
    v->nrelocs = (uint32_t)relocs.len;
    vec_free(&relocs);
    vec_free(&names);
    return ok;
}

// The bits of a sampler's property; the value is at the current token.
static bool sampler_property(struct ptx_parser *p, const struct ptx_token *name, uint64_t *bits)
{
    for (size_t i = 0; i < PTX_SAMPLER_PROPERTIES; i++) {
        const struct ptx_sampler_property *y = &ptx_sampler_properties[i];
        struct ptx_value v;
        if (!ptx_is_word(name, y->name))
            continue;
        for (unsigned k = 0; k < y->values && y->value[k]; k++)
            if (ptx_is_word(&p->t, y->value[k])) {
                *bits |= (uint64_t)y->bits[k] << y->shift;
                return ptx_advance(p);
            }
        if (y->value[0] || !ptx_expr_parse(p, &v))
            return ptx_parse_error(p, p->t.loc, "unknown value of '%s'", y->name);
        *bits |= (uint64_t)(v.bits != 0) << y->shift;
        return true;
    }
    return ptx_parse_error(p, name->loc, "samplers have no such property");
}

// { property = value, ... }. Those of textures and surfaces are dropped: what is bound to them has its own.
static bool opaque_parse(struct ptx_parser *p, struct ptx_var *var)
{
    bool more = true;
    uint64_t bits = PTX_SAMPLER;
    if (!ptx_expect(p, '{'))
        return false;
    while (more) {
        struct ptx_token name;
        struct ptx_value v;
        if (!ptx_expect_name(p, &name) || !ptx_expect(p, '='))
            return false;
        if (var->type == PTX_TYPE_SAMPLERREF) {
            if (!sampler_property(p, &name, &bits))
                return false;
        } else if (p->t.kind == PTX_TOKEN_IDENT ? !ptx_advance(p) : !ptx_expr_parse(p, &v)) {
            return false;
        }
        if (!ptx_accept(p, ',', &more))
            return false;
    }
    if (var->type == PTX_TYPE_SAMPLERREF && var->size == sizeof bits) {
        var->init = arena_dup(&p->m->arena, &bits, sizeof bits);
        var->has_init = true;
    }
    return ptx_expect(p, '}');
}

bool ptx_parse_initialiser(struct ptx_parser *p, struct ptx_var *v, const uint64_t *dims, unsigned ndims)
{
    if (ptx_type_class(v->type) == PTX_CLASS_OPAQUE)
        return opaque_parse(p, v);
    if (v->space != PTX_SPACE_GLOBAL && v->space != PTX_SPACE_CONST)
        return ptx_parse_error(p, p->t.loc, "only .global and .const variables have initial values");
    if (v->size > PTX_MAX_INIT)
        return ptx_parse_error(p, v->loc, "variable '%s' is too large for an initialiser", v->name);
    unsigned bytes = ptx_type_bytes(v->type);
    if (!bytes || bytes > 16)
        return ptx_parse_error(p, v->loc, "type .%s has no initial values", ptx_type_name(v->type));
    uint64_t all[PTX_MAX_DIMS + 1];
    unsigned n = 0;
    for (; n < ndims; n++)
        all[n] = dims[n];
    if (v->vec > 1)
        all[n++] = v->vec;
    struct filler f = {.dims = all, .ndims = n, .limit = v->unsized ? PTX_MAX_INIT / bytes : v->size / bytes};
    bool ok;
    if (ptx_is_punct(&p->t, '{') && n) {
        ok = level_parse(p, &f, 0, 0);
    } else {
        bool brace;
        struct element e = {.index = 0};
        ok = ptx_accept(p, '{', &brace) && element_parse(p, &e) && (!brace || ptx_expect(p, '}'));
        vec_push(&f.elements, e);
    }
    if (ok && v->unsized) {
        uint64_t inner = 1, last = 0;
        for (unsigned i = 1; i < n; i++)
            inner *= all[i];
        for (size_t i = 0; i < f.elements.len; i++)
            last = f.elements.data[i].index + 1 > last ? f.elements.data[i].index + 1 : last;
        if (!inner)
            ok = ptx_parse_error(p, v->loc, "the size of '%s' is missing", v->name);
        else if (__builtin_mul_overflow((last + inner - 1) / inner, inner * bytes, &v->size) || v->size > PTX_MAX_INIT)
            ok = ptx_parse_error(p, v->loc, "variable '%s' is too large for an initialiser", v->name);
        v->unsized = false;
    }
    ok = ok && elements_store(p, v, &f);
    vec_free(&f.elements);
    return ok;
}

bool ptx_late_relocs_resolve(struct ptx_parser *p)
{
    for (size_t i = 0; i < p->late.len; i++) {
        struct ptx_late_reloc *l = &p->late.data[i];
        struct ptx_token name = {.kind = PTX_TOKEN_IDENT, .text = l->name, .len = l->len, .loc = l->loc};
        if (!reloc_bind(p, l->reloc, &name))
            return ptx_parse_error(p, l->loc, "unknown symbol '%.*s'", (int)l->len, l->name);
    }
    return true;
}
