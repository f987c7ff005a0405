// SPDX-License-Identifier: Apache-2.0
// Names and properties of the enumerators, from the tables.
#include "ptx/form.h"
#include "ptx/ptx.h"
#include <stdio.h>
#include <string.h>

struct type_row {
    const char *text;
    uint8_t bytes, class;
};
static const struct type_row types[PTX_TYPE_COUNT] = {
    {"none", 0, PTX_CLASS_NONE},
#define TYPE(name, text, bytes, class) {text, bytes, PTX_CLASS_##class},
#include "ptx/type.def"
#undef TYPE
};

struct sreg_row {
    const char *text;
    uint8_t type, vec;
};
static const struct sreg_row sregs[PTX_SREG_COUNT] = {
    {"none", PTX_TYPE_NONE, 1},
#define SREG(name, text, type, vec) {text, PTX_TYPE_##type, vec},
#include "ptx/sreg.def"
#undef SREG
};

const char *ptx_type_name(enum ptx_type t)
{
    return types[t].text;
}

enum ptx_type ptx_type_doubled(enum ptx_type t)
{
    switch (t) {
    case PTX_TYPE_U16:
        return PTX_TYPE_U32;
    case PTX_TYPE_S16:
        return PTX_TYPE_S32;
    case PTX_TYPE_U32:
        return PTX_TYPE_U64;
    case PTX_TYPE_S32:
        return PTX_TYPE_S64;
    default:
        return t;
    }
}

unsigned ptx_type_bytes(enum ptx_type t)
{
    return types[t].bytes;
}

enum ptx_type_class ptx_type_class(enum ptx_type t)
{
    return types[t].class;
}

const char *ptx_sreg_name(enum ptx_sreg s)
{
    return sregs[s].text;
}

uint8_t ptx_sreg_type(unsigned sreg)
{
    return sregs[sreg].type;
}

uint8_t ptx_sreg_vec(unsigned sreg)
{
    return sregs[sreg].vec;
}

unsigned ptx_type_find(const char *s, size_t n)
{
    int w = ptx_word_find(s, n);
    return w >= 0 && ptx_words[w].kind == PTX_SLOT_TYPE ? ptx_words[w].value : PTX_TYPE_NONE;
}

const char *ptx_space_name(unsigned space)
{
    static const char *const names[] = {
        [PTX_SPACE_GENERIC] = "generic", [PTX_SPACE_REG] = "reg",       [PTX_SPACE_SREG] = "sreg",
        [PTX_SPACE_CONST] = "const",     [PTX_SPACE_GLOBAL] = "global", [PTX_SPACE_LOCAL] = "local",
        [PTX_SPACE_PARAM] = "param",     [PTX_SPACE_SHARED] = "shared", [PTX_SPACE_SHARED_CLUSTER] = "shared::cluster",
        [PTX_SPACE_TEX] = "tex"};
    return names[space];
}

const char *ptx_reg_name(const struct ptx_func *f, uint32_t reg, char buf[64])
{
    const struct ptx_reg *r = &f->regs[reg];
    if (r->number < 0)
        return r->name;
    snprintf(buf, 64, "%.48s%d", r->name, r->number);
    return buf;
}

struct ptx_func *ptx_module_func(const struct ptx_module *m, const char *name)
{
    for (uint32_t i = 0; i < m->nfuncs; i++)
        if (!strcmp(m->funcs[i]->name, name))
            return m->funcs[i];
    return NULL;
}

struct ptx_var *ptx_module_var(const struct ptx_module *m, const char *name)
{
    for (uint32_t i = 0; i < m->nvars; i++)
        if (!m->vars[i]->func && !strcmp(m->vars[i]->name, name))
            return m->vars[i];
    return NULL;
}
