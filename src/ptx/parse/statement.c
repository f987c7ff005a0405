// SPDX-License-Identifier: Apache-2.0
// Statements of a function body: directives, labels and instructions.
#include "ptx/parse/parse.h"
#include <string.h>

// .loc FILE LINE COLUMN {, function_name LABEL {+ N}, inlined_at FILE LINE COLUMN}
static bool loc_parse(struct ptx_parser *p)
{
    struct ptx_source_loc s = {0};
    struct ptx_inlined at = {0};
    bool more;
    if (!ptx_advance(p) || !ptx_expect_int(p, UINT32_MAX, &s.file) || !ptx_expect_int(p, UINT32_MAX, &s.line) ||
        !ptx_expect_int(p, UINT32_MAX, &s.column) || !ptx_accept(p, ',', &more))
        return false;
    while (more) {
        if (ptx_is_word(&p->t, "function_name")) {
            struct ptx_token name;
            bool plus;
            if (!ptx_advance(p) || !ptx_expect_name(p, &name) || !ptx_accept(p, '+', &plus) ||
                (plus && !ptx_expect_int(p, UINT32_MAX, &at.label_offset)))
                return false;
            at.label = arena_strndup(&p->m->arena, name.text, name.len);
        } else if (ptx_is_word(&p->t, "inlined_at")) {
            if (!ptx_advance(p) || !ptx_expect_int(p, UINT32_MAX, &at.file) ||
                !ptx_expect_int(p, UINT32_MAX, &at.line) || !ptx_expect_int(p, UINT32_MAX, &at.column))
                return false;
        } else {
            return ptx_parse_error(p, p->t.loc, "function_name or inlined_at is expected");
        }
        if (!ptx_accept(p, ',', &more))
            return false;
    }
    if (at.file) {
        struct ptx_inlined *inlined = arena_dup(&p->m->arena, &at, sizeof at);
        vec_push(&p->inlined, inlined);
        s.inlined = inlined;
    }
    p->source = s;
    return true;
}

static bool directive_parse(struct ptx_parser *p)
{
    struct ptx_var linkage = {0};
    if (ptx_is_dot(&p->t, "reg"))
        return ptx_parse_registers(p);
    if (ptx_is_dot(&p->t, "loc"))
        return loc_parse(p);
    if (ptx_is_dot(&p->t, "pragma"))
        return ptx_parse_pragma(p);
    if (ptx_is_dot(&p->t, "file"))
        return ptx_parse_file(p);
    if (ptx_is_dot(&p->t, "extern")) {
        linkage.is_extern = true;
        if (!ptx_advance(p))
            return false;
    }
    return ptx_parse_variables(p, &linkage);
}

// .branchtargets and .calltargets: a list of names
static bool targets_parse(struct ptx_parser *p, const struct ptx_token *label, bool calls)
{
    size_t mark = p->scratch.len;
    bool more = true;
    if (!ptx_advance(p))
        return false;
    while (more) {
        struct ptx_token name;
        struct ptx_operand o;
        if (!ptx_expect_name(p, &name))
            return false;
        if (calls) {
            struct ptx_symbol *y = ptx_scope_find(p, &name);
            if (!y || y->kind != PTX_SYMBOL_FUNC)
                return ptx_parse_error(p, name.loc, "'%.*s' is not a function", (int)name.len, name.text);
            o = (struct ptx_operand){.kind = PTX_OPERAND_FUNC, .component = -1, .func = y->p, .loc = name.loc};
            o.func->address_taken = true;
        } else {
            ptx_reference_add(p, &name, &o);
        }
        vec_push(&p->scratch, o);
        if (!ptx_accept(p, ',', &more))
            return false;
    }
    struct ptx_symbol *y = ptx_scope_add(p, label, calls ? PTX_SYMBOL_CALLTARGETS : PTX_SYMBOL_TARGETS);
    y->index = (uint32_t)(p->scratch.len - mark);
    y->p = arena_dup(&p->m->arena, p->scratch.data + mark, y->index * sizeof *p->scratch.data);
    p->scratch.len = mark;
    return ptx_expect(p, ';');
}

// .callprototype {(results)} _ {(parameters)} {.noreturn} ;
static bool prototype_parse(struct ptx_parser *p, const struct ptx_token *label)
{
    struct ptx_proto *proto = arena_new(&p->m->arena, struct ptx_proto);
    struct ptx_token underscore;
    proto->name = arena_strndup(&p->m->arena, label->text, label->len);
    if (!ptx_advance(p))
        return false;
    if (ptx_is_punct(&p->t, '(') && !ptx_parse_params(p, false, &proto->rets, &proto->nrets))
        return false;
    if (!ptx_expect_name(p, &underscore))
        return false;
    if (ptx_is_punct(&p->t, '(') && !ptx_parse_params(p, false, &proto->params, &proto->nparams))
        return false;
    while (p->t.kind == PTX_TOKEN_DOT) {
        uint32_t ignored;
        proto->noreturn |= ptx_is_dot(&p->t, "noreturn");
        bool preserve = ptx_is_dot(&p->t, "abi_preserve") || ptx_is_dot(&p->t, "abi_preserve_control");
        if (!preserve && !ptx_is_dot(&p->t, "noreturn"))
            return ptx_parse_error(p, p->t.loc, "unknown directive '.%.*s'", (int)p->t.len, p->t.text);
        if (!ptx_advance(p) || (preserve && !ptx_expect_int(p, UINT32_MAX, &ignored)))
            return false;
    }
    ptx_scope_add(p, label, PTX_SYMBOL_PROTO)->p = proto;
    return ptx_expect(p, ';');
}

static bool label_parse(struct ptx_parser *p)
{
    struct ptx_token name = p->t;
    if (!ptx_advance(p) || !ptx_expect(p, ':'))
        return false;
    if (ptx_scope_find_here(p, &name))
        return ptx_parse_error(p, name.loc, "'%.*s' is already declared", (int)name.len, name.text);
    if (ptx_is_dot(&p->t, "branchtargets"))
        return targets_parse(p, &name, false);
    if (ptx_is_dot(&p->t, "calltargets"))
        return targets_parse(p, &name, true);
    if (ptx_is_dot(&p->t, "callprototype"))
        return prototype_parse(p, &name);
    struct ptx_label label = {arena_strndup(&p->m->arena, name.text, name.len), (uint32_t)p->insns.len};
    ptx_scope_add(p, &name, PTX_SYMBOL_LABEL)->index = (uint32_t)p->labels.len;
    vec_push(&p->labels, label);
    return true;
}

static bool guard_parse(struct ptx_parser *p, struct ptx_insn *i)
{
    struct ptx_token name;
    i->guarded = true;
    if (!ptx_advance(p) || !ptx_accept(p, '!', &i->guard_negated) || !ptx_expect_name(p, &name))
        return false;
    if (!ptx_scope_reg(p, &name, &i->guard))
        return ptx_parse_error(p, name.loc, "unknown register '%.*s'", (int)name.len, name.text);
    return true;
}

// ( a, b, ... )
static bool list_parse(struct ptx_parser *p, struct ptx_operand *o)
{
    size_t mark = p->scratch.len;
    *o = (struct ptx_operand){.kind = PTX_OPERAND_LIST, .component = -1, .loc = p->t.loc};
    if (!ptx_advance(p))
        return false;
    bool more = !ptx_is_punct(&p->t, ')');
    while (more) {
        struct ptx_operand element;
        if (!ptx_parse_operand(p, &element))
            return false;
        vec_push(&p->scratch, element);
        if (!ptx_accept(p, ',', &more))
            return false;
    }
    o->nlist = (uint32_t)(p->scratch.len - mark);
    o->list = arena_dup(&p->m->arena, p->scratch.data + mark, o->nlist * sizeof *o->list);
    p->scratch.len = mark;
    return ptx_expect(p, ')');
}

static bool callee_parse(struct ptx_parser *p, struct ptx_operand *o)
{
    struct ptx_token name;
    if (!ptx_expect_name(p, &name))
        return false;
    *o = (struct ptx_operand){.component = -1, .loc = name.loc};
    if (ptx_scope_reg(p, &name, &o->reg)) {
        o->kind = PTX_OPERAND_REG;
        return true;
    }
    struct ptx_symbol *y = ptx_scope_find(p, &name);
    if (!y || y->kind != PTX_SYMBOL_FUNC)
        return ptx_parse_error(p, name.loc, "'%.*s' is not a declared function", (int)name.len, name.text);
    o->kind = PTX_OPERAND_FUNC;
    o->func = y->p;
    return true;
}

// A variable that holds the addresses of the functions that an indirect call may reach. False: the name is none of such.
static bool table_parse(struct ptx_parser *p, const struct ptx_token *name, struct ptx_operand *o)
{
    const struct ptx_symbol *y = ptx_scope_find(p, name);
    const struct ptx_var *v = y && y->kind == PTX_SYMBOL_VAR ? y->p : NULL;
    size_t mark = p->scratch.len;
    for (uint32_t k = 0; v && k < v->nrelocs; k++) {
        struct ptx_operand target = {.kind = PTX_OPERAND_FUNC, .component = -1, .loc = name->loc};
        target.func = (struct ptx_func *)v->relocs[k].func;
        if (target.func)
            vec_push(&p->scratch, target);
    }
    *o = (struct ptx_operand){.kind = PTX_OPERAND_CALLTARGETS, .component = -1, .loc = name->loc};
    o->nlist = (uint32_t)(p->scratch.len - mark);
    o->list = arena_dup(&p->m->arena, p->scratch.data + mark, o->nlist * sizeof *o->list);
    p->scratch.len = mark;
    return o->nlist > 0;
}

// call {(results),} function {, (arguments)} {, prototype or targets}
static bool call_parse(struct ptx_parser *p, struct ptx_insn *i)
{
    struct ptx_operand o[4] = {{.component = -1}, {.component = -1}, {.component = -1}, {.component = -1}};
    bool more;
    if (ptx_is_punct(&p->t, '(') && (!list_parse(p, &o[0]) || !ptx_expect(p, ',')))
        return false;
    if (!callee_parse(p, &o[1]) || !ptx_accept(p, ',', &more))
        return false;
    if (more && ptx_is_punct(&p->t, '(') && (!list_parse(p, &o[2]) || !ptx_accept(p, ',', &more)))
        return false;
    if (more) {
        struct ptx_token name;
        if (!ptx_expect_name(p, &name) || !(table_parse(p, &name, &o[3]) || ptx_reference_add(p, &name, &o[3])))
            return false;
    }
    i->operands = arena_dup(&p->m->arena, o, sizeof o);
    i->noperands = 4;
    return true;
}

static bool operands_parse(struct ptx_parser *p, struct ptx_insn *i)
{
    size_t mark = p->scratch.len;
    bool more = !ptx_is_punct(&p->t, ';'), labels = i->op == PTX_OP_BRA;
    while (more) {
        struct ptx_operand o;
        if (p->scratch.len - mark == PTX_MAX_OPERANDS)
            return ptx_parse_error(p, p->t.loc, "too many operands");
        if (labels && p->t.kind == PTX_TOKEN_IDENT && !ptx_scope_reg(p, &p->t, &o.reg)) {
            struct ptx_token label = p->t; // which may begin with %, as registers do
            if (!ptx_advance(p) || !ptx_reference_add(p, &label, &o))
                return false;
        } else if (!ptx_parse_operand(p, &o)) {
            return false;
        }
        vec_push(&p->scratch, o);
        if (!ptx_accept(p, ',', &more))
            return false;
        labels |= i->op == PTX_OP_BRX; // behind the index
    }
    i->noperands = (uint32_t)(p->scratch.len - mark);
    i->operands = arena_dup(&p->m->arena, p->scratch.data + mark, i->noperands * sizeof *i->operands);
    p->scratch.len = mark;
    return true;
}

static bool instruction_parse(struct ptx_parser *p, struct ptx_insn *i)
{
    struct ptx_token words[PTX_MAX_WORDS];
    unsigned nwords = 0;
    struct ptx_token op = p->t;
    i->loc = op.loc;
    i->source = p->source;
    i->vec = 1;
    if (op.kind != PTX_TOKEN_IDENT)
        return ptx_parse_error(p, op.loc, "an instruction is expected");
    i->op = (enum ptx_op)ptx_op_find(op.text, op.len);
    if (!i->op)
        return ptx_parse_error(p, op.loc, "unknown instruction '%.*s'", (int)op.len, op.text);
    if (!ptx_advance(p))
        return false;
    while (p->t.kind == PTX_TOKEN_DOT) {
        if (nwords == PTX_MAX_WORDS)
            return ptx_parse_error(p, p->t.loc, "too many modifiers");
        words[nwords++] = p->t;
        if (!ptx_advance(p))
            return false;
    }
    if (i->op == PTX_OP_CALL ? !call_parse(p, i) : !operands_parse(p, i))
        return false;
    if (!ptx_match(p, i, words, nwords))
        return false;
    vec_push(&p->insns, *i);
    return ptx_expect(p, ';');
}

bool ptx_parse_statement(struct ptx_parser *p)
{
    struct ptx_insn i = {0};
    struct ptx_token next;
    if (ptx_is_punct(&p->t, ';'))
        return ptx_advance(p);
    if (p->t.kind == PTX_TOKEN_DOT)
        return directive_parse(p);
    if (p->t.kind == PTX_TOKEN_IDENT) {
        if (!ptx_peek(p, &next))
            return false;
        if (ptx_is_punct(&next, ':'))
            return label_parse(p);
    }
    if (ptx_is_punct(&p->t, '@') && !guard_parse(p, &i))
        return false;
    return instruction_parse(p, &i);
}
