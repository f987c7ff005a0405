// SPDX-License-Identifier: Apache-2.0
// See fuzz_ptx.h.
#include "fuzz_ptx.h"
#include "ptx/ptx.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Noreturn void broken(const char *what, const char *detail)
{
    fprintf(stderr, "broken promise: %s\n%s\n", what, detail);
    abort();
}

// "file:LINE:COLUMN: error: ..."
static bool has_place(const char *message)
{
    const char *p = strchr(message, ':');
    for (int i = 0; i < 2; i++) {
        if (!p || !isdigit((unsigned char)p[1]) || p[1] == '0')
            return false;
        p = strchr(p + 1, ':');
    }
    return p && !strncmp(p, ": error: ", 9);
}

static void check_print(const struct ptx_module *m)
{
    struct str first = {0}, second = {0};
    struct diag d;
    diag_init(&d, "print");
    ptx_module_print(m, &first);
    struct ptx_module *again = ptx_module_parse(str_text(&first), first.len, &d);
    if (!again || !ptx_module_verify(again, &d))
        broken("a printed module is valid", str_text(&d.text));
    ptx_module_print(again, &second);
    if (strcmp(str_text(&first), str_text(&second)))
        broken("printing is a fixed point", str_text(&first));
    struct ptx_module *modules[] = {again};
    struct ptx_module *linked = ptx_module_link(modules, 1, &d);
    if (!linked)
        broken("a module links alone", str_text(&d.text));
    ptx_module_destroy(linked);
    ptx_module_destroy(again);
    str_free(&first);
    str_free(&second);
    diag_fini(&d);
}

bool fuzz_ptx(const char *text, size_t size)
{
    struct diag d;
    diag_init(&d, "fuzz");
    struct ptx_module *m = ptx_module_parse(text, size, &d);
    bool ok = m && ptx_module_verify(m, &d);
    if (ok)
        check_print(m);
    else if (!d.errors || !has_place(str_text(&d.text)))
        broken("an error has line and column", str_text(&d.text));
    ptx_module_destroy(m);
    diag_fini(&d);
    return ok;
}
