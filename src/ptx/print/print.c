// SPDX-License-Identifier: Apache-2.0
// Modules as text: header, declarations, variables. Function bodies are in print_func.c.
#include "ptx/form.h"
#include "ptx/print/print.h"
#include "ptx/sampler.h"
#include "base/xmalloc.h"
#include <string.h>

const char *ptx_print_symbol(const struct ptx_printer *p, const void *symbol, const char *name)
{
    const char *other = p->renames ? map_get_ptr(p->renames, symbol) : NULL;
    return other ? other : name;
}

static bool skipped(const struct ptx_printer *p, const void *symbol)
{
    return p->skips && map_get_ptr(p->skips, symbol);
}

void ptx_print_begin(struct ptx_printer *p)
{
    arena_init(&p->arena);
    p->module_names = (struct map){0};
    for (uint32_t i = 0; i < p->m->nvars; i++)
        if (!p->m->vars[i]->func)
            map_put_str(&p->module_names, ptx_print_symbol(p, p->m->vars[i], p->m->vars[i]->name), p);
    for (uint32_t i = 0; i < p->m->nfuncs; i++)
        map_put_str(&p->module_names, ptx_print_symbol(p, p->m->funcs[i], p->m->funcs[i]->name), p);
}

void ptx_print_end(struct ptx_printer *p)
{
    map_free(&p->module_names);
    arena_fini(&p->arena);
}

void ptx_print_header(struct ptx_printer *p)
{
    const struct ptx_module *m = p->m;
    str_printf(p->out, ".version %u.%u\n.target sm_%u", m->version / 10, m->version % 10, m->target);
    if (m->target_suffix)
        str_append_n(p->out, &m->target_suffix, 1);
    str_printf(p->out, "%s%s\n.address_size %u\n", m->texmode_independent ? ", texmode_independent" : "",
               m->debug ? ", debug" : "", m->address_size);
}

void ptx_print_files(struct ptx_printer *p)
{
    for (uint32_t i = 0; i < p->m->nfiles; i++)
        str_printf(p->out, ".file %u \"%s\"\n", p->m->files[i].index + p->file_base, p->m->files[i].name);
}

static const struct ptx_reloc *reloc_at(const struct ptx_var *v, uint32_t *next, uint64_t offset)
{
    if (*next < v->nrelocs && v->relocs[*next].offset == offset)
        return &v->relocs[(*next)++];
    return NULL;
}

static void print_reloc(struct ptx_printer *p, const struct ptx_reloc *r)
{
    const char *name = r->var ? ptx_print_symbol(p, r->var, r->var->name) : ptx_print_symbol(p, r->func, r->func->name);
    if (r->size == 1)
        str_printf(p->out, "0x%llx(", 0xffull << r->shift);
    str_printf(p->out, r->generic ? "generic(%s)" : "%s", name);
    if (r->addend)
        str_printf(p->out, "+%lld", (long long)r->addend);
    if (r->size == 1)
        str_append(p->out, ")");
}

static void print_element(struct ptx_printer *p, const struct ptx_var *v, uint64_t offset)
{
    uint64_t bits = 0;
    unsigned bytes = ptx_type_bytes(v->type);
    memcpy(&bits, v->init + offset, bytes);
    if (v->type == PTX_TYPE_F32)
        str_printf(p->out, "0f%08llX", (unsigned long long)bits);
    else if (v->type == PTX_TYPE_F64)
        str_printf(p->out, "0d%016llX", (unsigned long long)bits);
    else
        str_printf(p->out, "%llu", (unsigned long long)bits);
}

static void print_sampler(struct ptx_printer *p, const struct ptx_var *v)
{
    uint64_t bits = 0;
    memcpy(&bits, v->init, sizeof bits);
    for (size_t i = 0; i < PTX_SAMPLER_PROPERTIES; i++) {
        const struct ptx_sampler_property *y = &ptx_sampler_properties[i];
        unsigned x = (unsigned)(bits >> y->shift) & (y->values > 2 ? 3 : 1);
        str_printf(p->out, "%s%s = ", i ? ", " : " = {", y->name);
        if (y->value[0])
            str_append(p->out, y->value[x]);
        else
            str_printf(p->out, "%u", x);
    }
    str_append(p->out, "}");
}

// Values up to the last that is not zero.
static void print_init(struct ptx_printer *p, const struct ptx_var *v)
{
    unsigned bytes = ptx_type_bytes(v->type);
    uint64_t n = v->size / bytes, last = 0;
    for (uint64_t i = v->size; i-- > 0;)
        if (v->init[i]) {
            last = i / bytes;
            break;
        }
    for (uint32_t i = 0; i < v->nrelocs; i++)
        last = v->relocs[i].offset / bytes > last ? v->relocs[i].offset / bytes : last;
    uint32_t next = 0;
    str_append(p->out, " = {");
    for (uint64_t i = 0; i <= last && i < n; i++) {
        const struct ptx_reloc *r = reloc_at(v, &next, i * bytes);
        if (i)
            str_append(p->out, ", ");
        if (r)
            print_reloc(p, r);
        else
            print_element(p, v, i * bytes);
    }
    str_append(p->out, "}");
}

static uint32_t natural_align(const struct ptx_var *v)
{
    return ptx_type_bytes(v->type) * v->vec;
}

static void print_type(struct ptx_printer *p, const struct ptx_var *v)
{
    if (v->align != natural_align(v) && v->space != PTX_SPACE_REG)
        str_printf(p->out, " .align %u", v->align);
    if (v->is_managed)
        str_append(p->out, " .attribute(.managed)");
    if (v->vec > 1)
        str_printf(p->out, " .v%u", v->vec);
    str_printf(p->out, " .%s", ptx_type_name(v->type));
}

static void print_extent(struct ptx_printer *p, const struct ptx_var *v)
{
    uint32_t element = natural_align(v);
    if (v->unsized)
        str_append(p->out, "[]");
    else if (element && v->size / element > 1)
        str_printf(p->out, "[%llu]", (unsigned long long)(v->size / element));
}

void ptx_print_variable(struct ptx_printer *p, const struct ptx_var *v, const char *name)
{
    str_printf(p->out, "%s%s%s%s.%s", v->is_extern ? ".extern " : "", v->is_visible ? ".visible " : "",
               v->is_weak ? ".weak " : "", v->is_common ? ".common " : "", ptx_space_name(v->space));
    print_type(p, v);
    str_printf(p->out, " %s", name);
    print_extent(p, v);
    if (v->has_init && v->type == PTX_TYPE_SAMPLERREF)
        print_sampler(p, v);
    else if (v->has_init && v->size)
        print_init(p, v);
    str_append(p->out, ";\n");
}

void ptx_print_params(struct ptx_printer *p, struct ptx_var *const *list, uint32_t n,
                      const char *(*name)(const void *, const struct ptx_var *), const void *names)
{
    str_append(p->out, "(");
    for (uint32_t i = 0; i < n; i++) {
        const struct ptx_var *v = list[i];
        str_printf(p->out, "%s.%s", i ? ", " : "", ptx_space_name(v->space));
        print_type(p, v);
        if (v->ptr) {
            str_append(p->out, " .ptr");
            if (v->ptr_space != PTX_SPACE_GENERIC)
                str_printf(p->out, " .%s", ptx_space_name(v->ptr_space));
            if (v->ptr_align)
                str_printf(p->out, " .align %u", v->ptr_align);
        }
        str_printf(p->out, " %s", name ? name(names, v) : v->name);
        print_extent(p, v);
    }
    str_append(p->out, ")");
}

static void print_triple(struct ptx_printer *p, const char *name, const uint32_t v[3])
{
    if (v[0] || v[1] || v[2])
        str_printf(p->out, " .%s %u, %u, %u", name, v[0], v[1], v[2]);
}

static void print_number(struct ptx_printer *p, const char *name, uint32_t v)
{
    if (v)
        str_printf(p->out, " .%s %u", name, v);
}

void ptx_print_head(struct ptx_printer *p, const struct ptx_func *f,
                    const char *(*name)(const void *, const struct ptx_var *), const void *names)
{
    str_printf(p->out, "%s%s%s.%s ", f->is_extern && !f->alias ? ".extern " : "", f->is_visible ? ".visible " : "",
               f->is_weak ? ".weak " : "", f->is_entry ? "entry" : "func");
    if (f->proto.nrets) {
        ptx_print_params(p, f->proto.rets, f->proto.nrets, name, names);
        str_append(p->out, " ");
    }
    str_append(p->out, ptx_print_symbol(p, f, f->name));
    ptx_print_params(p, f->proto.params, f->proto.nparams, name, names);
    print_triple(p, "maxntid", f->maxntid);
    print_triple(p, "reqntid", f->reqntid);
    print_triple(p, "reqnctapercluster", f->reqnctapercluster);
    print_number(p, "minnctapersm", f->minnctapersm);
    print_number(p, "maxnctapersm", f->maxnctapersm);
    print_number(p, "maxnreg", f->maxnreg);
    print_number(p, "maxclusterrank", f->maxclusterrank);
    if (f->explicitcluster)
        str_append(p->out, " .explicitcluster");
    if (f->blocksareclusters)
        str_append(p->out, " .blocksareclusters");
    if (f->proto.noreturn)
        str_append(p->out, " .noreturn");
}

void ptx_print_declarations(struct ptx_printer *p)
{
    for (uint32_t i = 0; i < p->m->nfuncs; i++) {
        const struct ptx_func *f = p->m->funcs[i];
        if ((f->is_entry && f->has_body && !f->address_taken && !p->linked) || skipped(p, f))
            continue;
        ptx_print_head(p, f, NULL, NULL);
        str_append(p->out, ";\n");
    }
}

void ptx_print_variables(struct ptx_printer *p)
{
    for (uint32_t i = 0; i < p->m->nvars; i++) {
        const struct ptx_var *v = p->m->vars[i];
        if (!v->func && !skipped(p, v))
            ptx_print_variable(p, v, ptx_print_symbol(p, v, v->name));
    }
}

void ptx_print_bodies(struct ptx_printer *p)
{
    for (int entries = 0; entries < 2; entries++)
        for (uint32_t i = 0; i < p->m->nfuncs; i++) {
            const struct ptx_func *f = p->m->funcs[i];
            if (f->has_body && f->is_entry == (entries == 1) && !skipped(p, f))
                ptx_print_body(p, f);
        }
    for (uint32_t i = 0; i < p->m->nfuncs; i++) {
        const struct ptx_func *f = p->m->funcs[i];
        if (f->alias && !skipped(p, f))
            str_printf(p->out, ".alias %s, %s;\n", ptx_print_symbol(p, f, f->name),
                       ptx_print_symbol(p, f->alias, f->alias->name));
    }
}

void ptx_module_print(const struct ptx_module *m, struct str *out)
{
    struct ptx_printer p = {.out = out, .m = m};
    ptx_print_begin(&p);
    ptx_print_header(&p);
    ptx_print_files(&p);
    ptx_print_declarations(&p);
    ptx_print_variables(&p);
    ptx_print_bodies(&p);
    ptx_print_end(&p);
}
