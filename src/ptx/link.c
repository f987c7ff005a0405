// SPDX-License-Identifier: Apache-2.0
// Linking: one module out of several, as nvlink does for relocatable device code. The modules are printed into one
// text, local names renamed where they clash and all but one definition of a weak symbol left out, and the text is
// parsed.
#include "ptx/print/print.h"
#include "base/xmalloc.h"
#include <stdio.h>
#include <string.h>

struct symbol {
    const void *symbol; // struct ptx_var or struct ptx_func: the chosen definition, or a declaration
    bool is_func, defined, weak, common, entry;
    uint64_t size;
};

struct linker {
    struct ptx_module *const *modules;
    size_t n;
    struct map globals; // by name: struct symbol
    struct map renames, skips;
    struct arena arena;
    struct diag *d;
    bool ok;
};

// Takes the better of two symbols of one name; the other one is not printed.
static void symbol_add(struct linker *l, const char *name, struct ptx_loc loc, struct symbol s)
{
    struct symbol *old = map_get_str(&l->globals, name);
    if (!old) {
        map_put_str(&l->globals, name, arena_dup(&l->arena, &s, sizeof s));
        return;
    }
    // clang declares a kernel of another module, whose address it uses, as a function.
    bool kernel_declared = old->is_func && s.is_func && !(old->defined && s.defined);
    if (old->is_func != s.is_func || (old->entry != s.entry && !kernel_declared)) {
        l->ok = diag_error(l->d, loc.line, loc.column,
                           "'%s' is a function in one module and a variable or kernel in another", name);
        return;
    }
    bool better = s.defined && (!old->defined || (old->weak && !s.weak) || (old->common && !s.common) ||
                                (old->common && s.common && s.size > old->size));
    if (s.defined && old->defined && !s.weak && !old->weak && !s.common && !old->common) {
        l->ok = diag_error(l->d, loc.line, loc.column, "'%s' is defined in more than one module", name);
        return;
    }
    map_put_ptr(&l->skips, better ? old->symbol : s.symbol, l);
    if (better)
        *old = s;
}

static bool is_global(bool is_extern, bool visible, bool weak, bool common)
{
    return is_extern || visible || weak || common;
}

static void symbols_collect(struct linker *l)
{
    for (size_t k = 0; k < l->n; k++) {
        const struct ptx_module *m = l->modules[k];
        for (uint32_t i = 0; i < m->nvars; i++) {
            const struct ptx_var *v = m->vars[i];
            if (!v->func && is_global(v->is_extern, v->is_visible, v->is_weak, v->is_common))
                symbol_add(l, v->name, v->loc,
                           (struct symbol){v, false, !v->is_extern, v->is_weak, v->is_common, false, v->size});
        }
        for (uint32_t i = 0; i < m->nfuncs; i++) {
            const struct ptx_func *f = m->funcs[i];
            bool defined = f->has_body || f->alias;
            if (is_global(!defined, f->is_visible, f->is_weak, false))
                symbol_add(l, f->name, f->loc, (struct symbol){f, true, defined, f->is_weak, false, f->is_entry, 0});
        }
    }
}

static void local_rename(struct linker *l, struct map *taken, size_t module, const void *symbol, const char *name)
{
    const char *other = name;
    for (unsigned n = 0; map_get_str(&l->globals, other) || map_get_str(taken, other); n++)
        other = n ? arena_printf(&l->arena, "%s$m%zu_%u", name, module, n)
                  : arena_printf(&l->arena, "%s$m%zu", name, module);
    map_put_str(taken, other, l);
    if (other != name)
        map_put_ptr(&l->renames, symbol, (void *)other);
}

// Names that belong to one module only must differ from all others.
static void locals_rename(struct linker *l)
{
    struct map taken = {0};
    for (size_t k = 0; k < l->n; k++) {
        const struct ptx_module *m = l->modules[k];
        for (uint32_t i = 0; i < m->nvars; i++) {
            const struct ptx_var *v = m->vars[i];
            if (!v->func && !is_global(v->is_extern, v->is_visible, v->is_weak, v->is_common))
                local_rename(l, &taken, k, v, v->name);
        }
        for (uint32_t i = 0; i < m->nfuncs; i++) {
            const struct ptx_func *f = m->funcs[i];
            if (!is_global(!f->has_body && !f->alias, f->is_visible, f->is_weak, false))
                local_rename(l, &taken, k, f, f->name);
        }
    }
    map_free(&taken);
}

// The sections of all modules one after the other, so that everything is declared before it is used.
static void text_write(struct linker *l, struct str *out)
{
    void (*const sections[])(struct ptx_printer *) = {ptx_print_files, ptx_print_declarations, ptx_print_variables,
                                                      ptx_print_bodies, ptx_print_sections};
    struct ptx_printer *p = xcalloc(l->n, sizeof *p);
    struct ptx_module head = *l->modules[0];
    uint32_t files = 0;
    for (size_t k = 0; k < l->n; k++) {
        const struct ptx_module *m = l->modules[k];
        p[k] = (struct ptx_printer){
            .out = out, .m = m, .renames = &l->renames, .skips = &l->skips, .file_base = files, .linked = true};
        ptx_print_begin(&p[k]);
        for (uint32_t i = 0; i < m->nfiles; i++)
            if (m->files[i].index + p[k].file_base > files)
                files = m->files[i].index + p[k].file_base;
        head.debug |= m->debug;
        if (m->version > head.version)
            head.version = m->version;
        if (m->target > head.target) {
            head.target = m->target;
            head.target_suffix = m->target_suffix;
        }
    }
    struct ptx_printer header = {.out = out, .m = &head};
    ptx_print_header(&header);
    for (size_t s = 0; s < sizeof sections / sizeof *sections; s++)
        for (size_t k = 0; k < l->n; k++)
            sections[s](&p[k]);
    for (size_t k = 0; k < l->n; k++)
        ptx_print_end(&p[k]);
    free(p);
}

struct ptx_module *ptx_module_link(struct ptx_module *const *modules, size_t n, struct diag *d)
{
    struct linker l = {.modules = modules, .n = n, .d = d, .ok = true};
    struct ptx_module *out = NULL;
    if (!n) {
        diag_error(d, 0, 0, "there is nothing to link");
        return NULL;
    }
    arena_init(&l.arena);
    symbols_collect(&l);
    locals_rename(&l);
    if (l.ok) {
        struct str text = {0};
        text_write(&l, &text);
        out = ptx_module_parse(str_text(&text), text.len, d);
        str_free(&text);
    }
    map_free(&l.globals);
    map_free(&l.renames);
    map_free(&l.skips);
    arena_fini(&l.arena);
    return out;
}
