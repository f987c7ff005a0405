// SPDX-License-Identifier: Apache-2.0
// See remote.h: one kernel from the standard input to the standard output.
#include "remote.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Given up together with the process.
static void *receive(size_t size)
{
    char *p = malloc(size + 1);
    if (!p || fread(p, 1, size, stdin) != size)
        exit(1);
    p[size] = 0;
    return p;
}

// The functions and variables of the module, in the order of their names.
static bool reorder(struct ptx_module *m, const struct remote_request *r, const char *names)
{
    if (m->nfuncs != r->nfuncs || m->nvars != r->nvars)
        return false;
    for (uint32_t i = 0; i < m->nfuncs; i++, names += strlen(names) + 1) {
        struct ptx_func *f = ptx_module_func(m, names);
        if (!f || f->index < i)
            return false;
        m->funcs[f->index] = m->funcs[i];
        m->funcs[f->index]->index = f->index;
        m->funcs[i] = f;
        f->index = i;
    }
    for (uint32_t i = 0; i < m->nvars; i++, names += strlen(names) + 1) {
        uint32_t j = i; // of several with one name, in functions, the first that is left
        while (j < m->nvars && strcmp(m->vars[j]->name, names))
            j++;
        if (j == m->nvars)
            return false;
        struct ptx_var *v = m->vars[j];
        memmove(m->vars + i + 1, m->vars + i, (j - i) * sizeof *m->vars);
        m->vars[i] = v;
    }
    for (uint32_t i = 0; i < m->nvars; i++)
        m->vars[i]->index = i;
    return true;
}

int main(void)
{
    struct remote_request *r = receive(sizeof *r);
    if (strcmp(r->interface, JIT_INTERFACE))
        return 1;
    char *names = receive(r->names_size), *text = receive(r->text_size);
    struct remote_answer a = {0};
    struct jit_object out = {0};
    struct diag d;
    diag_init(&d, NULL);
    struct ptx_module *m = ptx_module_parse(text, r->text_size, &d);
    struct ptx_func *kernel = m ? ptx_module_func(m, names) : NULL;
    if (m && !reorder(m, r, names + strlen(names) + 1))
        diag_fail(&d, DIAG_INTERNAL, "the module's text has other functions or variables");
    a.ok = kernel && !d.errors && jit_compile(m, kernel, &r->options, &out, &d);
    a.errors = d.errors;
    a.warnings = d.warnings;
    a.cause = d.cause;
    a.size = a.ok ? out.size : d.text.len;
    a.variant = out.variant;
    fwrite(&a, sizeof a, 1, stdout);
    fwrite(a.ok ? out.data : str_text(&d.text), 1, a.size, stdout);
    return fflush(stdout) != 0;
}
