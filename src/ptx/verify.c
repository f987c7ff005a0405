// SPDX-License-Identifier: Apache-2.0
// The verifier: operand types against the instruction's, addresses against state spaces, calls against prototypes. It
// reports every error it finds. PTX's rule for registers: the size is that of the type (or larger where the row says
// `wide`), .bN goes with everything of its size, integers with integers of either sign, floats with the same float.
#include "ptx/parse/parse.h"
#include <stdio.h>

struct verifier {
    const struct ptx_module *m;
    const struct ptx_func *f;
    const struct ptx_insn *i;
    struct diag *d;
    bool ok;
};

static void complain(struct verifier *v, struct ptx_loc at, const char *message)
{
    struct str text = {0};
    ptx_insn_print(v->f, v->i, &text);
    if (!at.line)
        at = v->i->loc;
    v->ok = diag_error(v->d, at.line, at.column, "%s in '%.200s'", message, str_text(&text));
    str_free(&text);
}

static bool is_int(enum ptx_type_class c)
{
    return c == PTX_CLASS_UNSIGNED || c == PTX_CLASS_SIGNED;
}

// Whether a register of type `r` can stand where the instruction says `t`.
static bool types_fit(enum ptx_type t, enum ptx_type r, bool wide)
{
    enum ptx_type_class tc = ptx_type_class(t), rc = ptx_type_class(r);
    unsigned tb = ptx_type_bytes(t), rb = ptx_type_bytes(r);
    if (tc == PTX_CLASS_PRED || rc == PTX_CLASS_PRED)
        return tc == rc;
    if (rc == PTX_CLASS_OPAQUE || !rb)
        return false;
    if (!tb)
        return true; // elements smaller than a byte: any register
    if (tb != rb)
        return wide && rb > tb && rc != PTX_CLASS_FLOAT && (tc != PTX_CLASS_FLOAT || rc == PTX_CLASS_BITS);
    if (tc == PTX_CLASS_BITS || rc == PTX_CLASS_BITS)
        return true;
    if (tc == PTX_CLASS_FLOAT && t != PTX_TYPE_F32 && t != PTX_TYPE_F64)
        return true; // packed and half types live in registers of any kind
    return is_int(tc) ? is_int(rc) : tc == rc;
}

static enum ptx_type spec_type(const struct ptx_insn *i, const struct ptx_spec *s)
{
    unsigned n = s->type == PTX_SPEC_LAST ? i->ntypes - 1u : s->type - (unsigned)PTX_SPEC_TYPE0;
    if (s->type < PTX_TYPE_COUNT)
        return (enum ptx_type)s->type;
    if (s->type == PTX_SPEC_DOUBLE)
        return ptx_type_doubled((enum ptx_type)i->types[0]);
    return n < i->ntypes ? (enum ptx_type)i->types[n] : PTX_TYPE_NONE;
}

static void check_register(struct verifier *v, const struct ptx_operand *o, enum ptx_type t, bool wide)
{
    const struct ptx_reg *r = &v->f->regs[o->reg];
    char message[160], name[64];
    bool part = o->component >= PTX_COMPONENT_B0;
    if (part ? !(ptx_forms[v->i->form].flags & PTX_FORM_VIDEO)
             : o->component >= 0 && (r->width == 1 || o->component >= r->width))
        complain(v, o->loc, "the register has no such component");
    else if (o->component < 0 && r->width > 1)
        complain(v, o->loc, "a vector register stands for one value");
    else if (t && !types_fit(t, r->type, wide)) {
        snprintf(message, sizeof message, "register %s of type .%s does not fit .%s", ptx_reg_name(v->f, o->reg, name),
                 ptx_type_name(r->type), ptx_type_name(t));
        complain(v, o->loc, message);
    }
}

static void check_constant(struct verifier *v, const struct ptx_operand *o, enum ptx_type t)
{
    enum ptx_type_class c = ptx_type_class(t);
    unsigned bytes = ptx_type_bytes(t);
    if (o->kind == PTX_OPERAND_F32 && t &&
        (c == PTX_CLASS_PRED || is_int(c) || (bytes && bytes != 4 && t != PTX_TYPE_F64)))
        complain(v, o->loc, "a single-precision constant does not fit");
    else if (o->kind == PTX_OPERAND_F64 && t && (c == PTX_CLASS_PRED || is_int(c)))
        complain(v, o->loc, "a floating-point constant does not fit");
    else if (o->kind == PTX_OPERAND_INT && (t == PTX_TYPE_F32 || t == PTX_TYPE_F64))
        complain(v, o->loc, "an integer constant does not fit a floating-point type");
}

// .u16 takes the low half of a 32-bit one, as the oldest versions of PTX had them.
static bool special_fits(enum ptx_type t, enum ptx_type s)
{
    unsigned tb = ptx_type_bytes(t), sb = ptx_type_bytes(s);
    return tb == sb || (tb == 2 && sb == 4);
}

static void check_value(struct verifier *v, const struct ptx_operand *o, enum ptx_type t, bool wide, bool written)
{
    switch (o->kind) {
    case PTX_OPERAND_REG:
        check_register(v, o, t, wide);
        break;
    case PTX_OPERAND_INT:
    case PTX_OPERAND_F32:
    case PTX_OPERAND_F64:
        if (written)
            complain(v, o->loc, "a constant cannot be written");
        else
            check_constant(v, o, t);
        break;
    case PTX_OPERAND_VAR:
    case PTX_OPERAND_FUNC:
        if (written || (t && ptx_type_bytes(t) != 4 && ptx_type_bytes(t) != 8))
            complain(v, o->loc, "an address does not fit");
        break;
    case PTX_OPERAND_SINK:
        if (!written)
            complain(v, o->loc, "'_' is not a value");
        break;
    case PTX_OPERAND_SREG:
        if (written)
            complain(v, o->loc, "a special register cannot be written");
        else if (t && !special_fits(t, (enum ptx_type)ptx_sreg_type(o->sreg)))
            complain(v, o->loc, "the special register has another size");
        break;
    default:
        complain(v, o->loc, "unexpected operand");
    }
}

static void check_vector(struct verifier *v, const struct ptx_operand *o, const struct ptx_spec *s, enum ptx_type t,
                         bool wide)
{
    enum ptx_type element = s->shape == PTX_SHAPE_VEC ? t : PTX_TYPE_NONE;
    if (s->shape == PTX_SHAPE_VEC && o->nlist != v->i->vec)
        complain(v, o->loc, "wrong number of vector elements");
    if (s->shape == PTX_SHAPE_PACK) {
        static const enum ptx_type bits[] = {
            [1] = PTX_TYPE_B8, [2] = PTX_TYPE_B16, [4] = PTX_TYPE_B32, [8] = PTX_TYPE_B64};
        unsigned bytes = ptx_type_bytes(t);
        unsigned part = v->i->vec > 1 ? bytes : o->nlist ? bytes / o->nlist : 0;
        if ((o->nlist != 2 && o->nlist != 4 && o->nlist != 8) || !part || part > 8 ||
            (v->i->vec > 1 && o->nlist != v->i->vec)) {
            complain(v, o->loc, "wrong number of vector elements");
            return;
        }
        element = bits[part];
    }
    for (uint32_t k = 0; k < o->nlist; k++) {
        const struct ptx_operand *e = &o->list[k];
        bool sink = e->kind == PTX_OPERAND_SINK; // parts of a load or an unpacking may be dropped
        if (e->kind == PTX_OPERAND_VECTOR || e->pair || (sink && s->shape == PTX_SHAPE_MANY && !s->written))
            complain(v, e->loc, "unexpected vector element");
        else if (!sink)
            check_value(v, e, element, wide, s->written);
    }
}

static bool spaces_fit(enum ptx_space insn, enum ptx_space var)
{
    if (insn == PTX_SPACE_SHARED_CLUSTER)
        insn = PTX_SPACE_SHARED;
    return insn == PTX_SPACE_GENERIC || insn == var;
}

static void check_address(struct verifier *v, const struct ptx_operand *o, bool spaced)
{
    const struct ptx_operand *base = &o->list[0];
    if (base->kind == PTX_OPERAND_REG) {
        const struct ptx_reg *r = &v->f->regs[base->reg];
        enum ptx_type_class c = ptx_type_class(r->type);
        unsigned bytes = ptx_type_bytes(r->type);
        if (base->component >= 0)
            check_register(v, base, PTX_TYPE_NONE, false);
        if ((c != PTX_CLASS_BITS && !is_int(c)) || (bytes != 4 && bytes != 8) || (base->component < 0 && r->width > 1))
            complain(v, base->loc, "an address register has 32 or 64 bits and an integer type");
    } else if (base->kind == PTX_OPERAND_VAR && spaced && !spaces_fit(v->i->space, base->var->space)) {
        complain(v, base->loc, "the variable is in another state space");
    }
}

static void check_reference(struct verifier *v, const struct ptx_operand *o)
{
    for (uint32_t k = 0; k < o->nlist; k++) {
        const struct ptx_operand *e = &o->list[k];
        if (e->kind == PTX_OPERAND_VECTOR) {
            for (uint32_t j = 0; j < e->nlist; j++)
                check_value(v, &e->list[j], PTX_TYPE_NONE, true, false);
        } else if (e->kind == PTX_OPERAND_ADDRESS || e->kind == PTX_OPERAND_TEXTURE) {
            complain(v, e->loc, "unexpected bracket");
        } else {
            check_value(v, e, PTX_TYPE_NONE, true, false);
        }
    }
}

static void check_operand(struct verifier *v, const struct ptx_form *f, const struct ptx_spec *s,
                          const struct ptx_operand *o)
{
    enum ptx_type t = s->shape == PTX_SHAPE_ANY || s->shape == PTX_SHAPE_MANY ? PTX_TYPE_NONE : spec_type(v->i, s);
    bool wide = (f->flags & PTX_FORM_WIDE) != 0;
    if (o->pair && o->pair->kind == PTX_OPERAND_REG)
        check_register(v, o->pair, PTX_TYPE_PRED, false);
    if (o->minus && v->i->mods[PTX_MODCAT_PO])
        complain(v, o->loc, "no operand is negated with .po");
    if (o->minus && o == &v->i->operands[3] && v->i->operands[1].minus != v->i->operands[2].minus)
        complain(v, o->loc, "either the product is negated or what is added");
    if (o->negated && v->f->regs[o->reg].type != PTX_TYPE_PRED)
        complain(v, o->loc, "only a predicate can be negated");
    if (o->kind == PTX_OPERAND_ADDRESS) {
        check_address(
            v, o,
            s->kind == PTX_SPEC_ADDRESS && v->i->space2 == PTX_SPACE_GENERIC &&
                (v->i->op == PTX_OP_LD || v->i->op == PTX_OP_ST || v->i->op == PTX_OP_ATOM || v->i->op == PTX_OP_RED));
    } else if (o->kind == PTX_OPERAND_TEXTURE) {
        check_reference(v, o);
    } else if (s->kind == PTX_SPEC_VALUE && o->kind == PTX_OPERAND_VECTOR) {
        check_vector(v, o, s, t, wide);
    } else if (s->kind == PTX_SPEC_VALUE && s->shape != PTX_SHAPE_IMM) {
        bool whole = o->kind == PTX_OPERAND_REG && o->component < 0 && v->f->regs[o->reg].width > 1;
        bool vector = s->shape == PTX_SHAPE_VEC && v->i->vec > 1;
        bool special = o->kind == PTX_OPERAND_SREG && ptx_sreg_vec(o->sreg) > 1;
        if (special && (!vector || v->i->vec != 4))
            complain(v, o->loc, "a whole special register needs .v4");
        else if (vector && !special) // a whole register has become a list
            complain(v, o->loc, "a vector is expected");
        else if ((!whole && !special) || (!vector && s->shape != PTX_SHAPE_MANY && s->shape != PTX_SHAPE_ANY))
            check_value(v, o, t, wide, s->written);
    }
}

// Arguments or results against the callee's parameters.
static void check_arguments(struct verifier *v, const struct ptx_operand *o, struct ptx_var *const *vars, uint32_t n,
                            const char *what)
{
    char message[96];
    uint32_t have = o->kind == PTX_OPERAND_LIST ? o->nlist : 0;
    if (have != n) {
        snprintf(message, sizeof message, "%u %s where the function has %u", have, what, n);
        complain(v, o->loc, message);
        return;
    }
    for (uint32_t k = 0; k < n; k++) {
        const struct ptx_operand *e = &o->list[k];
        uint64_t bytes = 0;
        if (e->kind == PTX_OPERAND_VAR && e->var->space == PTX_SPACE_PARAM)
            bytes = e->var->size;
        else if (e->kind == PTX_OPERAND_REG)
            bytes = ptx_type_bytes(v->f->regs[e->reg].type) * v->f->regs[e->reg].width;
        else if (e->kind == PTX_OPERAND_SINK && o == &v->i->operands[0])
            continue; // a result that nobody wants
        else if (e->kind != PTX_OPERAND_INT && e->kind != PTX_OPERAND_F32 && e->kind != PTX_OPERAND_F64)
            complain(v, e->loc, "an argument is a register, a .param variable or a constant");
        if (bytes && vars[k]->size && bytes != vars[k]->size && !vars[k]->unsized)
            complain(v, e->loc, "the argument's size differs from the parameter's");
    }
}

static void check_call(struct verifier *v)
{
    const struct ptx_operand *o = v->i->operands;
    const struct ptx_proto *proto = NULL;
    if (o[1].kind == PTX_OPERAND_FUNC) {
        proto = &o[1].func->proto;
        if (o[1].func->is_entry)
            complain(v, o[1].loc, "a kernel cannot be called");
    } else if (o[3].kind == PTX_OPERAND_PROTO) {
        proto = o[3].proto;
        check_register(v, &o[1], v->m->address_size == 64 ? PTX_TYPE_B64 : PTX_TYPE_B32, false);
    } else if (o[3].kind == PTX_OPERAND_CALLTARGETS) {
        proto = &o[3].list[0].func->proto;
    }
    if (!proto) {
        complain(v, o[1].loc, "an indirect call needs a prototype or a list of targets");
        return;
    }
    check_arguments(v, &o[0], proto->rets, proto->nrets, "results");
    check_arguments(v, &o[2], proto->params, proto->nparams, "arguments");
}

static void check_insn(struct verifier *v)
{
    const struct ptx_insn *i = v->i;
    const struct ptx_form *f = &ptx_forms[i->form];
    uint8_t spec_of[PTX_MAX_OPERANDS];
    if (i->guarded && (v->f->regs[i->guard].type != PTX_TYPE_PRED || v->f->regs[i->guard].width != 1))
        complain(v, i->loc, "the guard is not a predicate");
    if (i->op == PTX_OP_CALL) {
        check_call(v);
        return;
    }
    if (!ptx_form_operands(f, v->f->regs, i, spec_of)) {
        complain(v, i->loc, "the operands do not fit");
        return;
    }
    for (uint32_t k = 0; k < i->noperands; k++)
        check_operand(v, f, &f->specs[spec_of[k]], &i->operands[k]);
    if (i->op == PTX_OP_BRX && i->operands[1].kind != PTX_OPERAND_LABELS)
        complain(v, i->operands[1].loc, "brx needs a .branchtargets list");
    if (i->op == PTX_OP_BRA && i->operands[0].kind != PTX_OPERAND_LABEL)
        complain(v, i->operands[0].loc, "bra needs a label");
    if (i->op == PTX_OP_MOV && i->vec == 1 && i->operands[0].kind == PTX_OPERAND_VECTOR &&
        i->operands[1].kind == PTX_OPERAND_VECTOR)
        complain(v, i->loc, "mov packs or unpacks, not both");
}

bool ptx_module_verify(const struct ptx_module *m, struct diag *d)
{
    struct verifier v = {.m = m, .d = d, .ok = true};
    for (uint32_t k = 0; k < m->nfuncs; k++) {
        v.f = m->funcs[k];
        for (uint32_t j = 0; j < v.f->ninsns; j++) {
            v.i = &v.f->insns[j];
            check_insn(&v);
        }
    }
    return v.ok;
}
