// SPDX-License-Identifier: Apache-2.0
// Sections of debug information as text: bytes, and names where the address of a symbol belongs.
#include "ptx/print/print.h"
#include <string.h>

// The name that a symbol of the module has in the text.
static const char *name_of(const struct ptx_printer *p, const char *name)
{
    for (uint32_t i = 0; i < p->m->nvars; i++)
        if (!p->m->vars[i]->func && !strcmp(p->m->vars[i]->name, name))
            return ptx_print_symbol(p, p->m->vars[i], name);
    return name;
}

static void print_section(struct ptx_printer *p, const char *name, const struct ptx_section *s)
{
    enum { ROW = 32, ADDRESS = 8 };
    uint32_t next = 0;
    str_printf(p->out, ".section .%s\n{\n", name);
    for (uint64_t at = 0, column = 0; s && at < s->size;) {
        bool address = next < s->nrefs && s->refs[next].offset == at && s->size - at >= ADDRESS;
        if (address) {
            uint64_t addend;
            memcpy(&addend, s->data + at, ADDRESS);
            str_printf(p->out, "%s.b64 %s", column ? "\n" : "", name_of(p, s->refs[next++].name));
            str_printf(p->out, addend ? "+%llu\n" : "\n", (unsigned long long)addend);
            at += ADDRESS;
            column = 0;
            continue;
        }
        while (next < s->nrefs && s->refs[next].offset <= at) // a mark of four bytes: nobody reads those
            next++;
        str_printf(p->out, "%s%u", column ? "," : ".b8 ", s->data[at++]);
        column = column + 1 == ROW || (next < s->nrefs && s->refs[next].offset == at) ? 0 : column + 1;
        if (!column)
            str_append(p->out, "\n");
    }
    str_append(p->out, "\n}\n");
}

static const struct ptx_section *section(const struct ptx_module *m, const char *name)
{
    for (uint32_t i = 0; i < m->nsections; i++)
        if (!strcmp(m->sections[i].name, name))
            return &m->sections[i];
    return NULL;
}

void ptx_print_sections(struct ptx_printer *p)
{
    static const char *const names[] = {"debug_abbrev", "debug_info", "debug_str"};
    if (!section(p->m, "debug_info"))
        return;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        print_section(p, names[i], section(p->m, names[i]));
}
