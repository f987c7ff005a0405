// SPDX-License-Identifier: Apache-2.0
// Function bodies and instructions as text. Scopes were resolved by the parser, so the text is flat: where two things
// of a function have one name, the later one gets a suffix.
#include "ptx/form.h"
#include "ptx/print/print.h"
#include "base/vec.h"
#include <stdio.h>
#include <string.h>

struct range {
    const char *prefix;
    enum ptx_type type;
    uint8_t width;
    int32_t max;
};

struct names {
    struct ptx_printer *p;
    const struct ptx_func *f;
    struct map used;   // by text; the value counts suffixes given to it
    struct map vars;   // by pointer to ptx_var
    const char **regs; // NULL: as ptx_reg_name says
    const char **labels;
    struct VEC(struct range) ranges;
    struct map range_index; // by prefix: index + 1
};

// The name, or one like it that nothing in the function or the module has.
static const char *unique(struct names *n, const char *name)
{
    uintptr_t count = (uintptr_t)map_get_str(&n->used, name);
    if (!count && !map_get_str(&n->p->module_names, name)) {
        map_put_str(&n->used, name, (void *)1);
        return name;
    }
    for (;; count++) {
        char *other = arena_printf(&n->p->arena, "%s$%zu", name, (size_t)(count ? count : 1));
        if (map_get_str(&n->used, other) || map_get_str(&n->p->module_names, other))
            continue;
        map_put_str(&n->used, arena_strdup(&n->p->arena, name), (void *)(count ? count + 1 : 2));
        map_put_str(&n->used, other, (void *)1);
        return other;
    }
}

static const char *var_name(const void *names, const struct ptx_var *v)
{
    const struct names *n = names;
    if (v->space == PTX_SPACE_REG && strcmp(v->name, "_"))
        return n->regs[v->reg];
    const char *name = map_get_ptr(&n->vars, v);
    return name ? name : ptx_print_symbol(n->p, v, v->name);
}

// Parameters keep their names, which are those of the declaration; they hide names of the module as they did before.
static void params_name(struct names *n, struct ptx_var *const *list, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (list[i]->space == PTX_SPACE_REG)
            continue;
        map_put_ptr(&n->vars, list[i], (void *)list[i]->name);
        if (strcmp(list[i]->name, "_"))
            map_put_str(&n->used, list[i]->name, (void *)1);
    }
}

// A numbered register goes into the range of its prefix unless that has another type.
static bool range_take(struct names *n, const struct ptx_reg *r)
{
    size_t at = (size_t)map_get_str(&n->range_index, r->name);
    if (!at) {
        struct range range = {r->name, r->type, r->width, -1};
        vec_push(&n->ranges, range);
        at = n->ranges.len;
        map_put_str(&n->range_index, r->name, (void *)at);
    }
    struct range *range = &n->ranges.data[at - 1];
    char text[64];
    snprintf(text, sizeof text, "%.48s%d", r->name, r->number);
    if (range->type != r->type || range->width != r->width || map_get_str(&n->used, text))
        return false;
    map_put_str(&n->used, arena_strdup(&n->p->arena, text), (void *)1);
    if (r->number > range->max)
        range->max = r->number;
    return true;
}

static void regs_name(struct names *n)
{
    const struct ptx_func *f = n->f;
    char text[64];
    n->regs = arena_array(&n->p->arena, const char *, f->nregs);
    for (uint32_t i = 0; i < f->nregs; i++) {
        if (f->regs[i].number >= 0 && strlen(f->regs[i].name) < 48 && range_take(n, &f->regs[i]))
            continue;
        n->regs[i] = unique(n, arena_strdup(&n->p->arena, ptx_reg_name(f, i, text)));
    }
}

static void names_init(struct names *n, struct ptx_printer *p, const struct ptx_func *f)
{
    *n = (struct names){.p = p, .f = f};
    params_name(n, f->proto.rets, f->proto.nrets);
    params_name(n, f->proto.params, f->proto.nparams);
    for (uint32_t i = 0; i < f->nlocals; i++)
        map_put_ptr(&n->vars, f->locals[i], (void *)unique(n, f->locals[i]->name));
    regs_name(n);
    n->labels = arena_array(&p->arena, const char *, f->nlabels);
    for (uint32_t i = 0; i < f->nlabels; i++)
        n->labels[i] = unique(n, f->labels[i].name);
}

static void names_fini(struct names *n)
{
    map_free(&n->used);
    map_free(&n->vars);
    map_free(&n->range_index);
    vec_free(&n->ranges);
}

static bool is_param_register(const struct ptx_func *f, uint32_t reg)
{
    for (uint32_t i = 0; i < f->proto.nrets + f->proto.nparams; i++) {
        const struct ptx_var *v = i < f->proto.nrets ? f->proto.rets[i] : f->proto.params[i - f->proto.nrets];
        if (v->space == PTX_SPACE_REG && v->reg == reg)
            return true;
    }
    return false;
}

static void print_register_type(struct str *out, enum ptx_type type, uint8_t width)
{
    str_append(out, "\t.reg ");
    if (width > 1)
        str_printf(out, ".v%u ", width);
    str_printf(out, ".%s ", ptx_type_name(type));
}

static void print_registers(struct names *n)
{
    struct str *out = n->p->out;
    for (size_t i = 0; i < n->ranges.len; i++) {
        const struct range *r = &n->ranges.data[i];
        if (r->max < 0)
            continue;
        print_register_type(out, r->type, r->width);
        str_printf(out, "%s<%d>;\n", r->prefix, r->max + 1);
    }
    for (uint32_t i = 0; i < n->f->nregs; i++) {
        if (!n->regs[i] || is_param_register(n->f, i))
            continue;
        print_register_type(out, n->f->regs[i].type, n->f->regs[i].width);
        str_printf(out, "%s;\n", n->regs[i]);
    }
}

// An instruction printed for a message has no table of names: n->regs and n->labels are NULL then.
static void print_register(const struct names *n, struct str *out, uint32_t reg)
{
    char text[64];
    str_append(out, n->regs && n->regs[reg] ? n->regs[reg] : ptx_reg_name(n->f, reg, text));
}

static void print_operand(const struct names *n, struct str *out, const struct ptx_operand *o);

static void print_list(const struct names *n, struct str *out, const struct ptx_operand *o, char open, char close)
{
    str_append_n(out, &open, 1);
    for (uint32_t i = 0; i < o->nlist; i++) {
        if (i)
            str_append(out, ", ");
        print_operand(n, out, &o->list[i]);
    }
    str_append_n(out, &close, 1);
}

static void print_offset(struct str *out, int64_t i)
{
    if (i)
        str_printf(out, "+%lld", (long long)i);
}

static void print_component(struct str *out, int8_t c)
{
    if (c >= PTX_COMPONENT_H0)
        str_printf(out, ".h%d", c - PTX_COMPONENT_H0);
    else if (c >= PTX_COMPONENT_B0)
        str_printf(out, ".b%d", c - PTX_COMPONENT_B0);
    else if (c >= 0)
        str_printf(out, ".%c", "xyzw"[c]);
}

static void print_operand(const struct names *n, struct str *out, const struct ptx_operand *o)
{
    if (o->negated || o->minus)
        str_append(out, o->negated ? "!" : "-");
    switch (o->kind) {
    case PTX_OPERAND_REG:
        print_register(n, out, o->reg);
        print_component(out, o->component);
        break;
    case PTX_OPERAND_SREG:
        str_append(out, ptx_sreg_name(o->sreg));
        break;
    case PTX_OPERAND_INT:
        str_printf(out, "%lld", (long long)o->i);
        break;
    case PTX_OPERAND_F32:
        str_printf(out, "0f%08X", (unsigned)o->i);
        break;
    case PTX_OPERAND_F64:
        str_printf(out, "0d%016llX", (unsigned long long)o->i);
        break;
    case PTX_OPERAND_VAR:
        str_append(out, var_name(n, o->var));
        print_offset(out, o->i);
        break;
    case PTX_OPERAND_FUNC:
        str_append(out, ptx_print_symbol(n->p, o->func, o->func->name));
        break;
    case PTX_OPERAND_LABEL:
        str_append(out, n->labels ? n->labels[o->label] : n->f->labels[o->label].name);
        break;
    case PTX_OPERAND_ADDRESS:
        str_append(out, "[");
        print_operand(n, out, &o->list[0]);
        print_offset(out, o->i);
        str_append(out, "]");
        break;
    case PTX_OPERAND_VECTOR:
        print_list(n, out, o, '{', '}');
        break;
    case PTX_OPERAND_LIST:
        print_list(n, out, o, '(', ')');
        break;
    case PTX_OPERAND_TEXTURE:
        print_list(n, out, o, '[', ']');
        break;
    case PTX_OPERAND_SINK:
        str_append(out, "_");
        break;
    case PTX_OPERAND_PROTO:
        str_append(out, o->proto->name);
        break;
    case PTX_OPERAND_LABELS:
    case PTX_OPERAND_CALLTARGETS:
        print_list(n, out, o, '{', '}'); // in messages only: a body prints the list's name
        break;
    case PTX_OPERAND_NONE:
        break;
    }
    if (o->pair) {
        str_append(out, "|");
        print_operand(n, out, o->pair);
    }
}

// The suffixes in the order of the instruction's row.
static void print_opcode(struct str *out, const struct ptx_insn *i)
{
    const struct ptx_form *f = &ptx_forms[i->form];
    unsigned type = 0, types = 0, space = 0;
    for (unsigned s = 0; s < f->nslots; s++)
        types += f->slots[s].kind == PTX_SLOT_TYPE;
    str_append(out, ptx_op_name(i->op));
    for (unsigned s = 0; s < f->nslots; s++) {
        const struct ptx_slot *slot = &f->slots[s];
        switch (slot->kind) {
        case PTX_SLOT_TYPE:
            if (type < i->ntypes && (types == i->ntypes || !slot->optional))
                str_printf(out, ".%s", ptx_type_name((enum ptx_type)i->types[type++]));
            break;
        case PTX_SLOT_SPACE: {
            enum ptx_space v = space++ ? i->space2 : i->space;
            if (v != PTX_SPACE_GENERIC) // newer instructions take the long spelling only
                str_printf(out, ".%s%s", ptx_space_name(v), v == PTX_SPACE_SHARED && f->ptx >= 80 ? "::cta" : "");
            break;
        }
        case PTX_SLOT_VEC:
            if (i->vec > 1)
                str_printf(out, ".v%u", i->vec);
            break;
        case PTX_SLOT_SHAPE:
            str_printf(out, ".m%un%u", i->shape[0], i->shape[1]);
            if (i->shape[2])
                str_printf(out, "k%u", i->shape[2]);
            break;
        default:
            if (i->mods[slot->category])
                str_printf(out, ".%s", ptx_mod_name(i->mods[slot->category]));
        }
    }
}

static void print_insn(const struct names *n, struct str *out, const struct ptx_insn *i, const char *list_name)
{
    bool any = false;
    if (i->guarded) {
        str_append(out, i->guard_negated ? "@!" : "@");
        print_register(n, out, i->guard);
        str_append(out, " ");
    }
    print_opcode(out, i);
    for (uint32_t k = 0; k < i->noperands; k++) {
        const struct ptx_operand *o = &i->operands[k];
        if (o->kind == PTX_OPERAND_NONE)
            continue;
        str_append(out, any ? ", " : " ");
        any = true;
        if (list_name &&
            (o->kind == PTX_OPERAND_LABELS || o->kind == PTX_OPERAND_CALLTARGETS || o->kind == PTX_OPERAND_PROTO))
            str_append(out, list_name);
        else
            print_operand(n, out, o);
    }
    str_append(out, ";");
}

void ptx_insn_print(const struct ptx_func *f, const struct ptx_insn *i, struct str *out)
{
    struct ptx_printer p = {.out = out};
    struct names n = {.p = &p, .f = f};
    print_insn(&n, out, i, NULL);
}

// What brx and call need before them: .branchtargets, .calltargets or .callprototype under a fresh name.
static const char *print_lists(struct names *n, const struct ptx_insn *i)
{
    struct str *out = n->p->out;
    for (uint32_t k = 0; k < i->noperands; k++) {
        const struct ptx_operand *o = &i->operands[k];
        if (o->kind != PTX_OPERAND_LABELS && o->kind != PTX_OPERAND_CALLTARGETS && o->kind != PTX_OPERAND_PROTO)
            continue;
        const char *name = unique(n, o->kind == PTX_OPERAND_PROTO ? "$prototype" : "$targets");
        str_printf(out, "%s:\n\t", name);
        if (o->kind == PTX_OPERAND_PROTO) {
            str_append(out, ".callprototype ");
            if (o->proto->nrets)
                ptx_print_params(n->p, o->proto->rets, o->proto->nrets, NULL, NULL);
            str_append(out, " _ ");
            ptx_print_params(n->p, o->proto->params, o->proto->nparams, NULL, NULL);
            str_append(out, o->proto->noreturn ? " .noreturn;\n" : ";\n");
            return name;
        }
        str_append(out, o->kind == PTX_OPERAND_LABELS ? ".branchtargets " : ".calltargets ");
        for (uint32_t j = 0; j < o->nlist; j++) {
            str_append(out, j ? ", " : "");
            print_operand(n, out, &o->list[j]);
        }
        str_append(out, ";\n");
        return name;
    }
    return NULL;
}

void ptx_print_body(struct ptx_printer *p, const struct ptx_func *f)
{
    struct names n;
    struct ptx_source_loc at = {0};
    uint32_t label = 0;
    names_init(&n, p, f);
    ptx_print_head(p, f, var_name, &n);
    str_append(p->out, "\n{\n");
    print_registers(&n);
    for (uint32_t i = 0; i < f->nlocals; i++) {
        str_append(p->out, "\t");
        ptx_print_variable(p, f->locals[i], var_name(&n, f->locals[i]));
    }
    for (uint32_t i = 0; i <= f->ninsns; i++) {
        for (; label < f->nlabels && f->labels[label].insn == i; label++)
            str_printf(p->out, "%s:\n", n.labels[label]);
        if (i == f->ninsns)
            break;
        const struct ptx_insn *insn = &f->insns[i];
        if (insn->source.file != at.file || insn->source.line != at.line || insn->source.column != at.column ||
            insn->source.inlined != at.inlined) {
            at = insn->source;
            str_printf(p->out, "\t.loc %u %u %u", at.file + p->file_base, at.line, at.column);
            if (at.inlined)
                str_printf(p->out, ", inlined_at %u %u %u", at.inlined->file + p->file_base, at.inlined->line,
                           at.inlined->column);
            str_append(p->out, "\n");
        }
        const char *list = print_lists(&n, insn);
        str_append(p->out, "\t");
        print_insn(&n, p->out, insn, list);
        str_append(p->out, "\n");
    }
    str_append(p->out, "}\n");
    names_fini(&n);
}
