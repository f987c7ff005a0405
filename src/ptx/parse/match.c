// SPDX-License-Identifier: Apache-2.0
// Which row of the table an instruction is. Suffixes are tried in the order of the manual first, since nearly every
// text has them so, then in any order that fits: headers and inline assembly write vote.ballot.sync or
// atom.add.release.gpu. Operands choose among rows whose suffixes are the same.
#include "ptx/parse/parse.h"
#include <stdio.h>
#include <string.h>

struct suffix {
    int word; // index into ptx_words; -1: a shape
    struct ptx_shape_row shape;
};

struct matcher {
    const struct suffix *suffixes;
    unsigned n;
    const struct ptx_form *form;
    int8_t slot_word[32]; // which suffix fills the slot; -1: none
    unsigned steps;       // left before the search gives up
};

static bool shape_parse(const struct ptx_token *t, struct ptx_shape_row *out)
{
    const char *p = t->text, *end = t->text + t->len;
    uint16_t *const fields[] = {&out->m, &out->n, &out->k};
    *out = (struct ptx_shape_row){0, 0, 0};
    for (int i = 0; i < 3 && p < end; i++) {
        unsigned v = 0, digits = 0;
        if (*p++ != "mnk"[i])
            return false;
        for (; p < end && *p >= '0' && *p <= '9' && digits < 4; p++, digits++)
            v = v * 10 + (unsigned)(*p - '0');
        if (!digits || !v)
            return false;
        *fields[i] = (uint16_t)v;
    }
    return p == end && out->n;
}

static bool shape_fits(const struct ptx_slot *s, const struct ptx_shape_row *shape)
{
    for (const struct ptx_shape_row *r = &ptx_shapes[s->set]; r->m; r++)
        if (r->m == shape->m && r->k == shape->k && (r->n ? r->n == shape->n : shape->n % 8 == 0 && shape->n <= 256))
            return true;
    return false;
}

static bool slot_fits(const struct ptx_slot *s, const struct suffix *x)
{
    if (s->kind == PTX_SLOT_SHAPE)
        return x->word < 0 && shape_fits(s, &x->shape);
    return x->word >= 0 && (ptx_sets[s->set][x->word / 64] >> x->word % 64 & 1);
}

// From slot `s` and suffix `w` on, in the row's order.
static bool ordered(struct matcher *m, unsigned s, unsigned w)
{
    const struct ptx_form *f = m->form;
    if (s == f->nslots)
        return w == m->n;
    uint8_t group = f->slots[s].optional;
    unsigned n = 1;
    if (group)
        while (s + n < f->nslots && f->slots[s + n].optional == group)
            n++;
    bool fits = w + n <= m->n;
    for (unsigned i = 0; fits && i < n; i++)
        fits = slot_fits(&f->slots[s + i], &m->suffixes[w + i]);
    if (fits && ordered(m, s + n, w + n)) {
        for (unsigned i = 0; i < n; i++)
            m->slot_word[s + i] = (int8_t)(w + i);
        return true;
    }
    return group && ordered(m, s + n, w);
}

static bool complete(const struct matcher *m)
{
    const struct ptx_form *f = m->form;
    for (unsigned s = 0; s < f->nslots; s++) {
        if (m->slot_word[s] < 0 && !f->slots[s].optional)
            return false;
        if (s && f->slots[s].optional && f->slots[s].optional == f->slots[s - 1].optional &&
            (m->slot_word[s] < 0) != (m->slot_word[s - 1] < 0))
            return false;
    }
    return true;
}

// Suffix `w` and those after it, each into some free slot; types keep their order among themselves.
static bool unordered(struct matcher *m, unsigned w, unsigned first_type)
{
    const struct ptx_form *f = m->form;
    if (w == m->n)
        return complete(m);
    const struct suffix *x = &m->suffixes[w];
    bool type = x->word >= 0 && ptx_words[x->word].kind == PTX_SLOT_TYPE;
    for (unsigned s = type ? first_type : 0; s < f->nslots; s++) {
        if (m->slot_word[s] >= 0 || !slot_fits(&f->slots[s], x))
            continue;
        if (!m->steps)
            return false;
        m->steps--;
        m->slot_word[s] = (int8_t)w;
        if (unordered(m, w + 1, type ? s + 1 : first_type))
            return true;
        m->slot_word[s] = -1;
    }
    return false;
}

static bool is_constant(const struct ptx_operand *o)
{
    return o->kind == PTX_OPERAND_INT || o->kind == PTX_OPERAND_F32 || o->kind == PTX_OPERAND_F64;
}

static bool operand_fits(const struct ptx_reg *regs, const struct ptx_spec *s, const struct ptx_operand *o)
{
    if ((o->pair && s->pair == PTX_PAIR_NONE) || (!o->pair && s->pair == PTX_PAIR_MUST) ||
        (o->negated && !s->negatable) || (o->minus && !s->minus))
        return false;
    switch (s->kind) {
    case PTX_SPEC_ADDRESS:
        return o->kind == PTX_OPERAND_ADDRESS || o->kind == PTX_OPERAND_VAR;
    case PTX_SPEC_REFERENCE:
        return o->kind == PTX_OPERAND_TEXTURE;
    case PTX_SPEC_LABEL:
        return o->kind == PTX_OPERAND_LABEL || o->kind == PTX_OPERAND_LABELS;
    case PTX_SPEC_SINK:
        return o->kind == PTX_OPERAND_SINK;
    default:
        break;
    }
    if (o->kind == PTX_OPERAND_ADDRESS)
        return s->shape == PTX_SHAPE_ANY;
    if (o->kind == PTX_OPERAND_TEXTURE || o->kind == PTX_OPERAND_LABEL)
        return false;
    if (s->shape == PTX_SHAPE_IMM)
        return is_constant(o);
    if (o->kind == PTX_OPERAND_VECTOR)
        return s->shape != PTX_SHAPE_ONE;
    if (s->written && o->kind != PTX_OPERAND_REG && o->kind != PTX_OPERAND_SINK)
        return false;
    if (o->kind == PTX_OPERAND_REG && o->component < 0 && s->shape == PTX_SHAPE_ONE && regs[o->reg].width > 1)
        return false;
    if (o->kind == PTX_OPERAND_REG && o->component < 0 && s->shape == PTX_SHAPE_ONE && s->type < PTX_TYPE_COUNT)
        return (regs[o->reg].type == PTX_TYPE_PRED) == (s->type == PTX_TYPE_PRED);
    return true;
}

static bool size_fits(const struct ptx_reg *regs, const struct ptx_spec *s, const struct ptx_operand *o)
{
    return o->kind != PTX_OPERAND_REG || s->shape != PTX_SHAPE_ONE || s->type >= PTX_TYPE_COUNT ||
           ptx_type_bytes(regs[o->reg].type) == ptx_type_bytes(s->type);
}

// From spec `s` and operand `o` on; exact: optional operands have the size that is asked for.
static bool operands_fit(const struct ptx_form *f, const struct ptx_reg *regs, const struct ptx_insn *i, unsigned s,
                         unsigned o, bool exact, uint8_t *spec_of)
{
    if (s == f->nspecs)
        return o == i->noperands;
    uint8_t group = f->specs[s].optional;
    unsigned n = 1;
    if (group)
        while (s + n < f->nspecs && f->specs[s + n].optional == group)
            n++;
    bool fits = o + n <= i->noperands;
    for (unsigned j = 0; fits && j < n; j++)
        fits = operand_fits(regs, &f->specs[s + j], &i->operands[o + j]) &&
               (!exact || !group || size_fits(regs, &f->specs[s + j], &i->operands[o + j]));
    if (fits && operands_fit(f, regs, i, s + n, o + n, exact, spec_of)) {
        for (unsigned j = 0; j < n; j++)
            spec_of[o + j] = (uint8_t)(s + j);
        return true;
    }
    return group && operands_fit(f, regs, i, s + n, o, exact, spec_of);
}

bool ptx_form_operands(const struct ptx_form *f, const struct ptx_reg *regs, const struct ptx_insn *i, uint8_t *spec_of)
{
    // Of a mask of 16 bits and a policy of 64 that are both optional the one at hand is told by its size.
    return operands_fit(f, regs, i, 0, 0, true, spec_of) || operands_fit(f, regs, i, 0, 0, false, spec_of);
}

// Writes the suffixes of the match into the instruction.
static void fill(struct ptx_insn *i, const struct matcher *m)
{
    const struct ptx_form *f = m->form;
    bool spaced = false;
    i->form = (uint16_t)(f - ptx_forms);
    for (unsigned s = 0; s < f->nslots; s++) {
        if (m->slot_word[s] < 0)
            continue;
        const struct suffix *x = &m->suffixes[m->slot_word[s]];
        uint16_t value = x->word >= 0 ? ptx_words[x->word].value : 0;
        switch (f->slots[s].kind) {
        case PTX_SLOT_TYPE:
            if (i->ntypes < PTX_MAX_TYPES)
                i->types[i->ntypes++] = (uint8_t)value;
            break;
        case PTX_SLOT_SPACE:
            if (spaced)
                i->space2 = (enum ptx_space)value;
            else
                i->space = (enum ptx_space)value;
            spaced = true;
            break;
        case PTX_SLOT_VEC:
            i->vec = (uint8_t)value;
            break;
        case PTX_SLOT_SHAPE:
            i->shape[0] = x->shape.m;
            i->shape[1] = x->shape.n;
            i->shape[2] = x->shape.k;
            break;
        default:
            i->mods[f->slots[s].category] = value;
        }
    }
}

// A whole vector register that stands for its parts becomes a list of them.
static void vector_split(struct ptx_parser *p, struct ptx_operand *o)
{
    struct ptx_operand *list = arena_array(&p->m->arena, struct ptx_operand, p->regs.data[o->reg].width);
    o->nlist = p->regs.data[o->reg].width;
    for (uint32_t k = 0; k < o->nlist; k++) {
        list[k] = *o;
        list[k].pair = NULL;
        list[k].nlist = 0;
        list[k].component = (int8_t)k;
    }
    o->kind = PTX_OPERAND_VECTOR;
    o->list = list;
}

// Brings operands into the one shape that the rest of the compiler knows: an element written a[2] becomes an address
// where one is asked for.
static void operands_normalise(struct ptx_parser *p, struct ptx_insn *i, const uint8_t *spec_of)
{
    const struct ptx_form *f = &ptx_forms[i->form];
    for (unsigned k = 0; k < i->noperands && i->op != PTX_OP_CALL; k++) {
        struct ptx_operand *o = &i->operands[k];
        const struct ptx_spec *s = &f->specs[spec_of[k]];
        if (o->kind == PTX_OPERAND_REG && o->component < 0 && p->regs.data[o->reg].width > 1 &&
            p->regs.data[o->reg].width <= 4 &&
            (s->shape == PTX_SHAPE_PACK || s->shape == PTX_SHAPE_MANY || (s->shape == PTX_SHAPE_VEC && i->vec > 1)))
            vector_split(p, o);
        if (s->kind != PTX_SPEC_ADDRESS || o->kind != PTX_OPERAND_VAR)
            continue;
        struct ptx_operand *base = arena_dup(&p->m->arena, o, sizeof *o);
        base->i = 0;
        o->kind = PTX_OPERAND_ADDRESS;
        o->list = base;
        o->nlist = 1;
    }
}

static void opcode_text(const struct ptx_insn *i, const struct ptx_token *words, unsigned n, char *out, size_t size)
{
    size_t at = (size_t)snprintf(out, size, "%s", ptx_op_name(i->op));
    for (unsigned w = 0; w < n && at < size; w++)
        at += (size_t)snprintf(out + at, size - at, ".%.*s", (int)words[w].len, words[w].text);
}

static bool mismatch(struct ptx_parser *p, const struct ptx_insn *i, const struct ptx_token *words, unsigned n,
                     const struct ptx_form *near)
{
    char text[256];
    for (uint32_t o = 0; o < i->noperands; o++)
        if (i->operands[o].kind == PTX_OPERAND_LABEL && i->op != PTX_OP_BRA && i->op != PTX_OP_BRX) {
            const struct ptx_ref *r = &p->refs.data[i->operands[o].label];
            return ptx_parse_error(p, r->loc, "unknown symbol '%.*s'", (int)r->len, r->name);
        }
    opcode_text(i, words, n, text, sizeof text);
    if (near)
        return ptx_parse_error(p, i->loc, "the operands of '%s' do not fit the form '%s'", text, near->syntax);
    return ptx_parse_error(p, i->loc, "'%s' is no form of '%s'", text, ptx_op_name(i->op));
}

// Splits "add.f32" at its dots; returns the number of words, the opcode's first.
static unsigned opcode_split(const char *text, struct ptx_token *words, unsigned max)
{
    unsigned n = 0;
    for (const char *p = text; *p && n < max; n++) {
        size_t len = strcspn(p, ".");
        words[n] = (struct ptx_token){.text = p, .len = (uint32_t)len};
        p += len + (p[len] == '.');
    }
    return n;
}

int ptx_form_find(const char *opcode)
{
    struct ptx_token words[PTX_MAX_WORDS + 1];
    struct suffix suffixes[PTX_MAX_WORDS];
    unsigned n = opcode_split(opcode, words, PTX_MAX_WORDS + 1);
    unsigned op = n ? ptx_op_find(words[0].text, words[0].len) : 0;
    if (!op)
        return -1;
    struct matcher m = {.suffixes = suffixes, .n = n - 1};
    for (unsigned w = 0; w < m.n; w++) {
        suffixes[w].word = ptx_word_find(words[w + 1].text, words[w + 1].len);
        if (suffixes[w].word < 0 && !shape_parse(&words[w + 1], &suffixes[w].shape))
            return -1;
    }
    for (int f = ptx_form_first[op]; f < ptx_form_first[op + 1]; f++) {
        m.form = &ptx_forms[f];
        m.steps = 2000;
        memset(m.slot_word, -1, sizeof m.slot_word);
        if (ordered(&m, 0, 0) || (memset(m.slot_word, -1, sizeof m.slot_word), unordered(&m, 0, 0)))
            return f;
    }
    return -1;
}

bool ptx_match(struct ptx_parser *p, struct ptx_insn *i, const struct ptx_token *words, unsigned nwords)
{
    struct suffix suffixes[PTX_MAX_WORDS];
    uint8_t spec_of[PTX_MAX_OPERANDS];
    for (unsigned w = 0; w < nwords; w++) {
        suffixes[w].word = ptx_word_find(words[w].text, words[w].len);
        if (suffixes[w].word < 0 && !shape_parse(&words[w], &suffixes[w].shape))
            return ptx_parse_error(p, words[w].loc, "unknown modifier '.%.*s'", (int)words[w].len, words[w].text);
    }
    struct matcher m = {.suffixes = suffixes, .n = nwords};
    const struct ptx_form *near = NULL;
    const struct ptx_form *first = &ptx_forms[ptx_form_first[i->op]], *last = &ptx_forms[ptx_form_first[i->op + 1]];
    for (int pass = 0; pass < 2; pass++) {
        for (const struct ptx_form *f = first; f < last; f++) {
            if (nwords > f->nslots)
                continue;
            m.form = f;
            m.steps = 2000;
            memset(m.slot_word, -1, sizeof m.slot_word);
            if (pass ? !unordered(&m, 0, 0) : !ordered(&m, 0, 0))
                continue;
            if (i->op != PTX_OP_CALL && !ptx_form_operands(f, p->regs.data, i, spec_of)) {
                near = near ? near : f;
                continue;
            }
            fill(i, &m);
            operands_normalise(p, i, spec_of);
            return true;
        }
    }
    return mismatch(p, i, words, nwords, near);
}
