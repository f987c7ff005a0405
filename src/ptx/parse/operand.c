// SPDX-License-Identifier: Apache-2.0
// Operands of instructions, in every form the syntax has.
#include "ptx/parse/parse.h"
#include <string.h>

static bool value_parse(struct ptx_parser *p, struct ptx_operand *o)
{
    struct ptx_value v;
    if (!ptx_expr_parse(p, &v))
        return false;
    o->kind = v.kind == PTX_TOKEN_F32 ? PTX_OPERAND_F32 : v.kind == PTX_TOKEN_F64 ? PTX_OPERAND_F64 : PTX_OPERAND_INT;
    o->i = (int64_t)v.bits;
    return true;
}

// + N or - N after a base; nothing: 0.
static bool offset_parse(struct ptx_parser *p, int64_t *out)
{
    struct ptx_value v;
    struct ptx_loc at = p->t.loc;
    bool plus;
    *out = 0;
    if (!ptx_is_punct(&p->t, '-') && !ptx_is_punct(&p->t, '+'))
        return true;
    if (!ptx_accept(p, '+', &plus) || !ptx_expr_parse(p, &v))
        return false;
    if (v.kind != PTX_TOKEN_INT)
        return ptx_parse_error(p, at, "an offset must be an integer");
    *out = (int64_t)v.bits;
    return true;
}

// .x of a vector register, .b0 or .h1 of a video operand
static bool component_parse(struct ptx_parser *p, struct ptx_operand *o)
{
    static const struct {
        const char *text;
        int8_t component;
    } names[] = {{"x", 0},
                 {"y", 1},
                 {"z", 2},
                 {"w", 3},
                 {"r", 0},
                 {"g", 1},
                 {"b", 2},
                 {"a", 3},
                 {"b0", PTX_COMPONENT_B0},
                 {"b1", PTX_COMPONENT_B0 + 1},
                 {"b2", PTX_COMPONENT_B0 + 2},
                 {"b3", PTX_COMPONENT_B0 + 3},
                 {"h0", PTX_COMPONENT_H0},
                 {"h1", PTX_COMPONENT_H0 + 1}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (ptx_is_dot(&p->t, names[i].text)) {
            o->component = names[i].component;
            return ptx_advance(p);
        }
    return ptx_parse_error(p, p->t.loc, "unknown component '.%.*s'", (int)p->t.len, p->t.text);
}

// %tid.x is one special register, %tid another.
static bool special_parse(struct ptx_parser *p, const struct ptx_token *name, struct ptx_operand *o)
{
    char text[64];
    o->kind = PTX_OPERAND_SREG;
    if (p->t.kind == PTX_TOKEN_DOT && name->len + p->t.len + 1 < sizeof text) {
        memcpy(text, name->text, name->len);
        text[name->len] = '.';
        memcpy(text + name->len + 1, p->t.text, p->t.len);
        o->sreg = (enum ptx_sreg)ptx_sreg_find(text, name->len + 1 + p->t.len);
        if (o->sreg)
            return ptx_advance(p);
    }
    o->sreg = (enum ptx_sreg)ptx_sreg_find(name->text, name->len);
    if (!o->sreg)
        return ptx_parse_error(p, name->loc, "unknown register '%.*s'", (int)name->len, name->text);
    return true;
}

// A variable: its address, with an offset in bytes or an index in elements.
static bool variable_parse(struct ptx_parser *p, struct ptx_operand *o, struct ptx_var *v)
{
    bool index;
    o->kind = PTX_OPERAND_VAR;
    o->var = v;
    if (!ptx_accept(p, '[', &index))
        return false;
    if (!index)
        return offset_parse(p, &o->i);
    uint64_t n;
    if (!ptx_expr_parse_uint(p, PTX_MAX_VAR, "index", &n) || !ptx_expect(p, ']'))
        return false;
    o->i = (int64_t)(n * ptx_type_bytes(v->type) * v->vec);
    return true;
}

static bool name_parse(struct ptx_parser *p, struct ptx_operand *o)
{
    struct ptx_token name = p->t;
    if (!ptx_advance(p))
        return false;
    if (name.len == 1 && name.text[0] == '_') {
        o->kind = PTX_OPERAND_SINK;
        return true;
    }
    if (ptx_scope_reg(p, &name, &o->reg)) {
        o->kind = PTX_OPERAND_REG;
        return p->t.kind != PTX_TOKEN_DOT || component_parse(p, o);
    }
    struct ptx_symbol *y = ptx_scope_find(p, &name);
    if (y && y->kind == PTX_SYMBOL_VAR)
        return variable_parse(p, o, y->p);
    if (y && y->kind == PTX_SYMBOL_FUNC) {
        o->kind = PTX_OPERAND_FUNC;
        o->func = y->p;
        o->func->address_taken = true;
        return true;
    }
    if (name.text[0] == '%')
        return special_parse(p, &name, o);
    return ptx_reference_add(p, &name, o);
}

static bool minus_error(struct ptx_parser *p, const struct ptx_operand *o)
{
    return ptx_parse_error(p, o->loc, "unexpected '-'");
}

// Elements up to `close`, into o->list.
static bool elements_parse(struct ptx_parser *p, struct ptx_operand *o, unsigned close)
{
    size_t mark = p->scratch.len;
    if (p->depth >= PTX_MAX_DEPTH)
        return ptx_parse_error(p, p->t.loc, "operand nested too deeply");
    p->depth++;
    for (bool more = true; more;) {
        struct ptx_operand e;
        if (!ptx_parse_operand(p, &e))
            return false;
        if (e.minus)
            return minus_error(p, &e);
        vec_push(&p->scratch, e);
        if (!ptx_accept(p, ',', &more))
            return false;
    }
    p->depth--;
    o->nlist = (uint32_t)(p->scratch.len - mark);
    o->list = arena_dup(&p->m->arena, p->scratch.data + mark, o->nlist * sizeof *o->list);
    p->scratch.len = mark;
    return ptx_expect(p, close);
}

// [base + offset], or [a, b, ...]
static bool bracket_parse(struct ptx_parser *p, struct ptx_operand *o)
{
    struct ptx_operand base;
    if (!ptx_advance(p) || !ptx_parse_operand(p, &base))
        return false;
    if (ptx_is_punct(&p->t, ',')) {
        struct ptx_operand rest = {.component = -1};
        if (!ptx_advance(p) || !elements_parse(p, &rest, ']'))
            return false;
        o->kind = PTX_OPERAND_TEXTURE;
        o->nlist = rest.nlist + 1;
        o->list = arena_array(&p->m->arena, struct ptx_operand, o->nlist);
        o->list[0] = base;
        memcpy(o->list + 1, rest.list, rest.nlist * sizeof *rest.list);
        return true;
    }
    if (base.minus)
        return minus_error(p, &base);
    o->kind = PTX_OPERAND_ADDRESS;
    if (base.kind == PTX_OPERAND_REG && !offset_parse(p, &o->i))
        return false;
    if (base.kind == PTX_OPERAND_VAR) {
        o->i = base.i;
        base.i = 0;
    }
    if (base.kind != PTX_OPERAND_REG && base.kind != PTX_OPERAND_VAR && base.kind != PTX_OPERAND_INT)
        return ptx_parse_error(p, base.loc, "an address is a register, a variable or a number");
    o->list = arena_dup(&p->m->arena, &base, sizeof base);
    o->nlist = 1;
    if (!ptx_expect(p, ']'))
        return false;
    return !ptx_is_dot(&p->t, "unified") || ptx_advance(p);
}

bool ptx_parse_operand(struct ptx_parser *p, struct ptx_operand *o)
{
    struct ptx_token next;
    bool bar;
    *o = (struct ptx_operand){.component = -1, .loc = p->t.loc};
    if (ptx_is_punct(&p->t, '{')) {
        o->kind = PTX_OPERAND_VECTOR;
        return ptx_advance(p) && elements_parse(p, o, '}') && (!ptx_is_punct(&p->t, '|') || ptx_parse_pair(p, o));
    }
    if (ptx_is_punct(&p->t, '['))
        return bracket_parse(p, o);
    if (ptx_is_punct(&p->t, '!')) {
        if (!ptx_peek(p, &next))
            return false;
        if (next.kind != PTX_TOKEN_IDENT || ptx_is_word(&next, "WARP_SZ"))
            return value_parse(p, o);
        o->negated = true;
        if (!ptx_accept(p, '!', &bar) || !name_parse(p, o))
            return false;
        return o->kind == PTX_OPERAND_REG || ptx_parse_error(p, o->loc, "only a predicate can be negated");
    }
    if (ptx_is_punct(&p->t, '-')) {
        if (!ptx_peek(p, &next))
            return false;
        if (next.kind != PTX_TOKEN_IDENT || ptx_is_word(&next, "WARP_SZ"))
            return value_parse(p, o);
        if (!ptx_accept(p, '-', &o->minus) || !name_parse(p, o))
            return false;
        return o->kind == PTX_OPERAND_REG || minus_error(p, o);
    }
    if (p->t.kind != PTX_TOKEN_IDENT || ptx_is_word(&p->t, "WARP_SZ"))
        return value_parse(p, o);
    return name_parse(p, o) && (!ptx_is_punct(&p->t, '|') || ptx_parse_pair(p, o));
}

// d | p
bool ptx_parse_pair(struct ptx_parser *p, struct ptx_operand *o)
{
    struct ptx_operand second = {.component = -1};
    if (o->kind != PTX_OPERAND_REG && o->kind != PTX_OPERAND_SINK && o->kind != PTX_OPERAND_VECTOR)
        return ptx_parse_error(p, p->t.loc, "unexpected '|'");
    if (!ptx_advance(p))
        return false;
    second.loc = p->t.loc;
    if (p->t.kind != PTX_TOKEN_IDENT)
        return ptx_parse_error(p, p->t.loc, "a register is expected after '|'");
    if (!name_parse(p, &second))
        return false;
    if (second.kind != PTX_OPERAND_REG && second.kind != PTX_OPERAND_SINK)
        return ptx_parse_error(p, second.loc, "a register is expected after '|'");
    o->pair = arena_dup(&p->m->arena, &second, sizeof second);
    return true;
}
