// SPDX-License-Identifier: Apache-2.0
// Functions: .entry and .func with their directives and bodies.
#include "ptx/parse/parse.h"
#include <string.h>

// The object for the name: an earlier declaration's, or a new one.
static struct ptx_func *function_declare(struct ptx_parser *p, const struct ptx_token *name, bool entry)
{
    struct ptx_scope *inner = p->scope;
    p->scope = p->module_scope;
    struct ptx_symbol *y = ptx_scope_find_here(p, name);
    struct ptx_func *f = NULL;
    if (!y) {
        f = arena_new(&p->m->arena, struct ptx_func);
        f->name = arena_strndup(&p->m->arena, name->text, name->len);
        f->loc = name->loc;
        f->is_entry = entry;
        f->is_extern = true;
        f->index = (uint32_t)p->funcs.len;
        vec_push(&p->funcs, f);
        ptx_scope_add(p, name, PTX_SYMBOL_FUNC)->p = f;
    } else if (y->kind == PTX_SYMBOL_FUNC && ((struct ptx_func *)y->p)->is_entry == entry) {
        f = y->p;
    } else {
        ptx_parse_error(p, name->loc, "'%.*s' is already declared", (int)name->len, name->text);
    }
    p->scope = inner;
    return f;
}

static bool number_directive(struct ptx_parser *p, uint32_t *out)
{
    uint64_t v;
    if (!ptx_advance(p) || !ptx_expr_parse_uint(p, UINT32_MAX, "number", &v))
        return false;
    *out = (uint32_t)v;
    return true;
}

// Up to three numbers; those left out are 1.
static bool triple_directive(struct ptx_parser *p, uint32_t out[3])
{
    bool more = true;
    if (!ptx_advance(p))
        return false;
    out[0] = out[1] = out[2] = 1;
    for (int i = 0; more; i++) {
        uint64_t v;
        if (i == 3)
            return ptx_parse_error(p, p->t.loc, "too many dimensions");
        if (!ptx_expr_parse_uint(p, UINT32_MAX, "number", &v) || !ptx_accept(p, ',', &more))
            return false;
        out[i] = (uint32_t)v;
    }
    return true;
}

// The directives between parameters and body.
static bool directives_parse(struct ptx_parser *p, struct ptx_func *f, struct ptx_proto *proto)
{
    static const struct {
        const char *text;
        size_t offset;
        bool triple;
    } table[] = {{"maxntid", offsetof(struct ptx_func, maxntid), true},
                 {"reqntid", offsetof(struct ptx_func, reqntid), true},
                 {"reqnctapercluster", offsetof(struct ptx_func, reqnctapercluster), true},
                 {"minnctapersm", offsetof(struct ptx_func, minnctapersm), false},
                 {"maxnctapersm", offsetof(struct ptx_func, maxnctapersm), false},
                 {"maxnreg", offsetof(struct ptx_func, maxnreg), false},
                 {"maxclusterrank", offsetof(struct ptx_func, maxclusterrank), false}};
    while (p->t.kind == PTX_TOKEN_DOT) {
        size_t i = 0;
        while (i < sizeof table / sizeof *table && !ptx_is_dot(&p->t, table[i].text))
            i++;
        bool ok;
        uint32_t ignored;
        if (i < sizeof table / sizeof *table) {
            uint32_t *field = (uint32_t *)((char *)f + table[i].offset);
            ok = table[i].triple ? triple_directive(p, field) : number_directive(p, field);
        } else if (ptx_is_dot(&p->t, "noreturn")) {
            proto->noreturn = true;
            ok = ptx_advance(p);
        } else if (ptx_is_dot(&p->t, "explicitcluster")) {
            f->explicitcluster = true;
            ok = ptx_advance(p);
        } else if (ptx_is_dot(&p->t, "blocksareclusters")) {
            f->blocksareclusters = true;
            ok = ptx_advance(p);
        } else if (ptx_is_dot(&p->t, "pragma")) {
            ok = ptx_parse_pragma(p);
        } else if (ptx_is_dot(&p->t, "abi_preserve") || ptx_is_dot(&p->t, "abi_preserve_control")) {
            ok = number_directive(p, &ignored);
        } else {
            return ptx_parse_error(p, p->t.loc, "unknown directive '.%.*s'", (int)p->t.len, p->t.text);
        }
        if (!ok)
            return false;
    }
    return true;
}

// Where each parameter of a kernel lies: at the next multiple of its alignment.
static bool params_layout(struct ptx_parser *p, struct ptx_func *f)
{
    uint64_t at = 0;
    f->param_align = 1;
    for (uint32_t i = 0; i < f->proto.nparams; i++) {
        struct ptx_var *v = f->proto.params[i];
        f->param_align = v->align > f->param_align ? v->align : f->param_align;
        at = (at + v->align - 1) / v->align * v->align;
        v->offset = (uint32_t)at;
        at += v->size;
        if (at > PTX_MAX_PARAMS)
            return ptx_parse_error(p, v->loc, "the parameters of '%s' take more than %d bytes", f->name,
                                   PTX_MAX_PARAMS);
    }
    f->param_bytes = (uint32_t)at;
    return true;
}

// Puts what a reference found into the operand that holds it.
static bool reference_patch(struct ptx_parser *p, struct ptx_operand *o)
{
    const struct ptx_ref *r = &p->refs.data[o->label];
    const struct ptx_symbol *y = r->symbol;
    switch (y->kind) {
    case PTX_SYMBOL_LABEL:
        o->label = y->index;
        return true;
    case PTX_SYMBOL_TARGETS:
        o->kind = PTX_OPERAND_LABELS;
        break;
    case PTX_SYMBOL_CALLTARGETS:
        o->kind = PTX_OPERAND_CALLTARGETS;
        break;
    case PTX_SYMBOL_PROTO:
        o->kind = PTX_OPERAND_PROTO;
        o->proto = y->p;
        return true;
    default:
        return ptx_parse_error(p, r->loc, "'%.*s' is not a label", (int)r->len, r->name);
    }
    o->list = arena_dup(&p->m->arena, y->p, y->index * sizeof *o->list);
    o->nlist = y->index;
    for (uint32_t i = 0; o->kind == PTX_OPERAND_LABELS && i < o->nlist; i++) {
        const struct ptx_ref *target = &p->refs.data[o->list[i].label];
        if (target->symbol->kind != PTX_SYMBOL_LABEL)
            return ptx_parse_error(p, target->loc, "'%.*s' is not a label", (int)target->len, target->name);
        o->list[i].label = target->symbol->index;
    }
    return true;
}

static bool body_finish(struct ptx_parser *p, struct ptx_func *f)
{
    struct arena *a = &p->m->arena;
    for (size_t i = 0; i < p->insns.len; i++) {
        struct ptx_insn *n = &p->insns.data[i];
        if (n->op != PTX_OP_BRA && n->op != PTX_OP_BRX && n->op != PTX_OP_CALL)
            continue;
        for (uint32_t j = 0; j < n->noperands; j++)
            if (n->operands[j].kind == PTX_OPERAND_LABEL && !reference_patch(p, &n->operands[j]))
                return false;
    }
    f->regs = arena_dup(a, p->regs.data, p->regs.len * sizeof *p->regs.data);
    f->nregs = (uint32_t)p->regs.len;
    f->insns = arena_dup(a, p->insns.data, p->insns.len * sizeof *p->insns.data);
    f->ninsns = (uint32_t)p->insns.len;
    f->labels = arena_dup(a, p->labels.data, p->labels.len * sizeof *p->labels.data);
    f->nlabels = (uint32_t)p->labels.len;
    f->locals = arena_dup(a, p->locals.data, p->locals.len * sizeof *p->locals.data);
    f->nlocals = (uint32_t)p->locals.len;
    f->has_body = true;
    f->is_extern = false;
    return true;
}

static bool body_parse(struct ptx_parser *p, struct ptx_func *f)
{
    unsigned blocks = 1;
    if (f->has_body || f->alias)
        return ptx_parse_error(p, p->t.loc, "function '%s' is already defined", f->name);
    if (p->outline && !p->has_next)
        return ptx_lexer_skip(&p->lex) && ptx_advance(p);
    if (!ptx_advance(p))
        return false;
    while (blocks) {
        if (p->t.kind == PTX_TOKEN_END)
            return ptx_parse_error(p, p->t.loc, "'}' is expected before the end of the text");
        if (ptx_is_punct(&p->t, '{')) {
            if (++blocks > PTX_MAX_DEPTH)
                return ptx_parse_error(p, p->t.loc, "blocks nested too deeply");
            ptx_scope_open(p);
            if (!ptx_advance(p))
                return false;
        } else if (ptx_is_punct(&p->t, '}')) {
            if (--blocks && !ptx_scope_close(p))
                return false;
            if (!ptx_advance(p))
                return false;
        } else if (!ptx_parse_statement(p)) {
            return false;
        }
    }
    return true;
}

static bool function_parse(struct ptx_parser *p, const struct ptx_var *linkage)
{
    bool entry = ptx_is_dot(&p->t, "entry");
    struct ptx_proto proto = {0};
    struct ptx_token name;
    struct ptx_var attributes = {0};
    if (!ptx_advance(p) || (ptx_is_dot(&p->t, "attribute") && !ptx_parse_attribute(p, &attributes)))
        return false;
    if (!entry && ptx_is_punct(&p->t, '(') && !ptx_parse_params(p, true, &proto.rets, &proto.nrets))
        return false;
    if (!ptx_expect_name(p, &name))
        return false;
    struct ptx_func *f = function_declare(p, &name, entry);
    if (!f)
        return false;
    p->func = f;
    proto.name = f->name;
    if (ptx_is_punct(&p->t, '(') && !ptx_parse_params(p, true, &proto.params, &proto.nparams))
        return false;
    for (uint32_t i = 0; i < proto.nrets; i++)
        proto.rets[i]->func = f;
    if (!directives_parse(p, f, &proto))
        return false;
    if (!f->has_body)
        f->proto = proto;
    f->is_visible |= linkage->is_visible;
    f->is_weak |= linkage->is_weak;
    if (!ptx_is_punct(&p->t, '{'))
        return ptx_expect(p, ';');
    if (linkage->is_extern)
        return ptx_parse_error(p, name.loc, "an external function has no body");
    return (!entry || params_layout(p, f)) && body_parse(p, f) && ptx_scope_close(p) && body_finish(p, f);
}

bool ptx_parse_function(struct ptx_parser *p, const struct ptx_var *linkage)
{
    p->regs.len = p->insns.len = p->labels.len = p->locals.len = p->refs.len = 0;
    p->source = (struct ptx_source_loc){0};
    ptx_scope_open(p);
    bool ok = function_parse(p, linkage);
    p->func = NULL;
    while (ok && p->scope != p->module_scope)
        ok = ptx_scope_close(p);
    return ok;
}
