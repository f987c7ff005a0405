// SPDX-License-Identifier: Apache-2.0
// Declarations: variables of every state space, parameters, registers.
#include "ptx/parse/parse.h"
#include <string.h>

static const struct {
    const char *text;
    enum ptx_space space;
} spaces[] = {{"global", PTX_SPACE_GLOBAL}, {"const", PTX_SPACE_CONST},       {"shared", PTX_SPACE_SHARED},
              {"local", PTX_SPACE_LOCAL},   {"param", PTX_SPACE_PARAM},       {"tex", PTX_SPACE_TEX},
              {"reg", PTX_SPACE_REG},       {"shared::cta", PTX_SPACE_SHARED}};

static bool space_parse(const struct ptx_token *t, enum ptx_space *space)
{
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
        if (ptx_is_dot(t, spaces[i].text)) {
            *space = spaces[i].space;
            return true;
        }
    return false;
}

static uint8_t vector_length(const struct ptx_token *t)
{
    return ptx_is_dot(t, "v2") ? 2 : ptx_is_dot(t, "v4") ? 4 : ptx_is_dot(t, "v8") ? 8 : 0;
}

static bool align_parse(struct ptx_parser *p, uint32_t *align)
{
    struct ptx_loc at = p->t.loc;
    uint64_t v;
    if (!ptx_advance(p) || !ptx_expr_parse_uint(p, PTX_MAX_ALIGN, "alignment", &v))
        return false;
    if (!v || (v & (v - 1)))
        return ptx_parse_error(p, at, "alignment is not a power of two");
    *align = (uint32_t)v;
    return true;
}

// .attribute(.managed, .unified(a, b))
bool ptx_parse_attribute(struct ptx_parser *p, struct ptx_var *v)
{
    if (!ptx_advance(p) || !ptx_expect(p, '('))
        return false;
    for (bool more = true; more;) {
        if (p->t.kind != PTX_TOKEN_DOT)
            return ptx_parse_error(p, p->t.loc, "an attribute is expected");
        bool args;
        if (ptx_is_dot(&p->t, "managed"))
            v->is_managed = true;
        else if (!ptx_is_dot(&p->t, "unified"))
            return ptx_parse_error(p, p->t.loc, "unknown attribute '.%.*s'", (int)p->t.len, p->t.text);
        if (!ptx_advance(p) || !ptx_accept(p, '(', &args))
            return false;
        for (bool next = args; next;) {
            uint64_t id;
            if (!ptx_expr_parse_uint(p, UINT64_MAX, "identifier", &id) || !ptx_accept(p, ',', &next))
                return false;
        }
        if ((args && !ptx_expect(p, ')')) || !ptx_accept(p, ',', &more))
            return false;
    }
    return ptx_expect(p, ')');
}

// .ptr {.space} {.align N}, of kernel parameters
static bool pointer_parse(struct ptx_parser *p, struct ptx_var *v)
{
    v->ptr = true;
    v->ptr_space = PTX_SPACE_GENERIC;
    if (!ptx_advance(p))
        return false;
    while (p->t.kind == PTX_TOKEN_DOT) {
        if (ptx_is_dot(&p->t, "align")) {
            if (!align_parse(p, &v->ptr_align))
                return false;
        } else if (space_parse(&p->t, &v->ptr_space)) {
            if (!ptx_advance(p))
                return false;
        } else {
            return ptx_parse_error(p, p->t.loc, "unexpected '.%.*s' after .ptr", (int)p->t.len, p->t.text);
        }
    }
    return true;
}

// Everything between the space and the first name.
static bool declarator_parse(struct ptx_parser *p, struct ptx_var *v)
{
    v->vec = 1;
    v->type = PTX_TYPE_NONE;
    while (p->t.kind == PTX_TOKEN_DOT) {
        uint8_t vec = vector_length(&p->t);
        if (ptx_is_dot(&p->t, "align")) {
            if (!align_parse(p, &v->align))
                return false;
        } else if (ptx_is_dot(&p->t, "attribute")) {
            if (!ptx_parse_attribute(p, v))
                return false;
        } else if (ptx_is_dot(&p->t, "ptr") && v->space == PTX_SPACE_PARAM) {
            if (!pointer_parse(p, v))
                return false;
        } else if (vec) {
            v->vec = vec;
            if (!ptx_advance(p))
                return false;
        } else {
            v->type = (enum ptx_type)ptx_type_find(p->t.text, p->t.len);
            if (!v->type)
                return ptx_parse_error(p, p->t.loc, "unknown type '.%.*s'", (int)p->t.len, p->t.text);
            if (!ptx_advance(p))
                return false;
        }
    }
    if (!v->type)
        return ptx_parse_error(p, p->t.loc, "a type is expected");
    return true;
}

// [a][b]...; an empty first dimension is 0.
static bool dimensions_parse(struct ptx_parser *p, uint64_t dims[PTX_MAX_DIMS], unsigned *n)
{
    bool more;
    *n = 0;
    if (!ptx_accept(p, '[', &more))
        return false;
    while (more) {
        if (*n == PTX_MAX_DIMS)
            return ptx_parse_error(p, p->t.loc, "too many dimensions");
        struct ptx_loc at = p->t.loc;
        uint64_t size = 0;
        if (!ptx_is_punct(&p->t, ']')) {
            if (!ptx_expr_parse_uint(p, PTX_MAX_VAR, "array size", &size))
                return false;
        } else if (*n) {
            return ptx_parse_error(p, at, "only the first dimension may be left out");
        }
        dims[(*n)++] = size;
        if (!ptx_expect(p, ']') || !ptx_accept(p, '[', &more))
            return false;
    }
    return true;
}

static uint32_t element_bytes(const struct ptx_var *v)
{
    uint32_t n = ptx_type_bytes(v->type);
    if (ptx_type_class(v->type) == PTX_CLASS_OPAQUE)
        n = 8; // a handle
    return n * v->vec;
}

// Size and alignment from the type and the dimensions.
static bool size_set(struct ptx_parser *p, struct ptx_var *v, const uint64_t *dims, unsigned ndims)
{
    uint64_t size = element_bytes(v);
    if (!size)
        return ptx_parse_error(p, v->loc, "a variable cannot have type .%s", ptx_type_name(v->type));
    uint32_t natural = (uint32_t)size;
    v->unsized = ndims && !dims[0];
    for (unsigned i = 0; i < ndims; i++)
        if (__builtin_mul_overflow(size, i || dims[0] ? dims[i] : 1, &size) || size > PTX_MAX_VAR)
            return ptx_parse_error(p, v->loc, "variable '%s' is too large", v->name);
    v->size = v->unsized ? 0 : size;
    if (v->align < natural)
        v->align = natural;
    return true;
}

// One name with its dimensions: fills v, which carries what stood before it.
static bool name_parse(struct ptx_parser *p, struct ptx_var *v, uint64_t *dims, unsigned *ndims, struct ptx_token *name)
{
    if (!ptx_expect_name(p, name))
        return false;
    v->name = arena_strndup(&p->m->arena, name->text, name->len);
    v->loc = name->loc;
    return dimensions_parse(p, dims, ndims) && size_set(p, v, dims, *ndims);
}

// The object that stands for the name: an earlier declaration's where this one completes or repeats it.
static bool variable_declare(struct ptx_parser *p, struct ptx_var *v, const struct ptx_token *name)
{
    struct ptx_symbol *y = ptx_scope_find_here(p, name);
    struct ptx_var *old = y && y->kind == PTX_SYMBOL_VAR ? y->p : NULL;
    if (y && (!old || p->func || old->space != v->space))
        return ptx_parse_error(p, name->loc, "'%s' is already declared", v->name);
    if (old) {
        if (v->is_extern || v->is_weak || v->is_common)
            return true;
        if (!old->is_extern && !old->is_weak && !old->is_common)
            return ptx_parse_error(p, name->loc, "'%s' is already defined", v->name);
        v->index = old->index;
        *old = *v;
        return true;
    }
    struct ptx_var *made = arena_dup(&p->m->arena, v, sizeof *v);
    made->func = p->func;
    ptx_scope_add(p, name, PTX_SYMBOL_VAR)->p = made;
    if (!p->func || v->space == PTX_SPACE_GLOBAL || v->space == PTX_SPACE_CONST || v->space == PTX_SPACE_TEX) {
        made->index = (uint32_t)p->vars.len;
        vec_push(&p->vars, made);
    }
    if (p->func)
        vec_push(&p->locals, made);
    return true;
}

bool ptx_parse_variables(struct ptx_parser *p, const struct ptx_var *linkage)
{
    struct ptx_var base = *linkage;
    if (!space_parse(&p->t, &base.space) || base.space == PTX_SPACE_REG)
        return ptx_parse_error(p, p->t.loc, "unexpected '.%.*s'", (int)p->t.len, p->t.text);
    if (base.space == PTX_SPACE_PARAM && !p->func)
        return ptx_parse_error(p, p->t.loc, ".param variables stand in functions only");
    if (!ptx_advance(p) || !declarator_parse(p, &base))
        return false;
    for (bool more = true; more;) {
        struct ptx_var v = base;
        uint64_t dims[PTX_MAX_DIMS];
        unsigned ndims;
        struct ptx_token name;
        bool init;
        if (!name_parse(p, &v, dims, &ndims, &name) || !ptx_accept(p, '=', &init))
            return false;
        if (init && !ptx_parse_initialiser(p, &v, dims, ndims))
            return false;
        if (v.unsized && !v.is_extern && v.space != PTX_SPACE_PARAM)
            return ptx_parse_error(p, name.loc, "the size of '%s' is missing", v.name);
        if (!variable_declare(p, &v, &name) || !ptx_accept(p, ',', &more))
            return false;
    }
    return ptx_expect(p, ';');
}

bool ptx_parse_registers(struct ptx_parser *p)
{
    struct ptx_var base = {.space = PTX_SPACE_REG};
    if (!ptx_advance(p) || !declarator_parse(p, &base))
        return false;
    for (bool more = true; more;) {
        struct ptx_token name;
        bool range;
        if (!ptx_expect_name(p, &name) || !ptx_accept(p, '<', &range))
            return false;
        if (range ? ptx_scope_find_range(p, &name) : ptx_scope_find_here(p, &name))
            return ptx_parse_error(p, name.loc, "'%.*s' is already declared", (int)name.len, name.text);
        struct ptx_symbol *y = ptx_scope_add(p, &name, range ? PTX_SYMBOL_REG_RANGE : PTX_SYMBOL_REG_LATE);
        y->type = base.type;
        y->width = base.vec;
        if (range) {
            if (p->t.kind != PTX_TOKEN_INT)
                return ptx_parse_error(p, p->t.loc, "a number of registers is expected");
            y->count = p->t.value;
            if (!ptx_advance(p) || !ptx_expect(p, '>'))
                return false;
        }
        if (!ptx_accept(p, ',', &more))
            return false;
    }
    return ptx_expect(p, ';');
}

// One parameter: .param or .reg, with a name that may be left out or _ in prototypes.
static bool parameter_parse(struct ptx_parser *p, bool declare, struct ptx_var *v)
{
    struct ptx_loc at = p->t.loc;
    if (!space_parse(&p->t, &v->space) || (v->space != PTX_SPACE_PARAM && v->space != PTX_SPACE_REG))
        return ptx_parse_error(p, at, ".param or .reg is expected");
    uint64_t dims[PTX_MAX_DIMS];
    unsigned ndims = 0;
    struct ptx_token name = {.kind = PTX_TOKEN_END};
    if (!ptx_advance(p) || !declarator_parse(p, v))
        return false;
    v->name = "_";
    v->loc = at;
    if (p->t.kind == PTX_TOKEN_IDENT) {
        name = p->t;
        v->name = arena_strndup(&p->m->arena, name.text, name.len);
        v->loc = name.loc;
        if (!ptx_advance(p))
            return false;
    }
    if (!dimensions_parse(p, dims, &ndims))
        return false;
    if (v->space == PTX_SPACE_REG && v->type == PTX_TYPE_PRED)
        v->align = 1;
    else if (!size_set(p, v, dims, ndims))
        return false;
    if (!declare || name.kind == PTX_TOKEN_END || !strcmp(v->name, "_"))
        return true;
    if (ptx_scope_find_here(p, &name))
        return ptx_parse_error(p, name.loc, "'%s' is already declared", v->name);
    return true;
}

static void parameter_declare(struct ptx_parser *p, struct ptx_var *v)
{
    struct ptx_token name = {.kind = PTX_TOKEN_IDENT, .text = v->name, .len = (uint32_t)strlen(v->name)};
    if (v->space != PTX_SPACE_REG) {
        ptx_scope_add(p, &name, PTX_SYMBOL_VAR)->p = v;
        return;
    }
    struct ptx_symbol *y = ptx_scope_add(p, &name, PTX_SYMBOL_REG_LATE);
    y->type = v->type;
    y->width = v->vec;
    ptx_scope_reg(p, &name, &v->reg);
}

bool ptx_parse_params(struct ptx_parser *p, bool declare, struct ptx_var ***list, uint32_t *n)
{
    struct VEC(struct ptx_var *) vars = {0};
    bool more, ok = ptx_expect(p, '(');
    more = ok && !ptx_is_punct(&p->t, ')');
    while (ok && more) {
        struct ptx_var *v = arena_new(&p->m->arena, struct ptx_var);
        ok = parameter_parse(p, declare, v) && ptx_accept(p, ',', &more);
        v->offset = (uint32_t)vars.len;
        v->func = p->func;
        if (ok && declare && strcmp(v->name, "_"))
            parameter_declare(p, v);
        vec_push(&vars, v);
    }
    p->lex.after_value = false; // no value ends here: the name that follows results may begin with %
    ok = ok && ptx_expect(p, ')');
    *n = (uint32_t)vars.len;
    *list = arena_dup(&p->m->arena, vars.data, vars.len * sizeof *vars.data);
    vec_free(&vars);
    return ok;
}
