// SPDX-License-Identifier: Apache-2.0
// See assemble.h.
#include "front/ptx/assemble.h"
#include "fatbin/fatbin_read.h"
#include "fatbin/fatbin_write.h"
#include "fatbin/ptx_link.h"
#include "jit/jit.h"
#include "ptx/form.h"
#include "ptx/ptx.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool uses_double(const struct ptx_func *f)
{
    for (uint32_t i = 0; i < f->ninsns; i++)
        for (unsigned k = 0; k < f->insns[i].ntypes; k++)
            if (f->insns[i].types[k] == PTX_TYPE_F64)
                return true;
    return false;
}

static void kernels_judge(const struct front_assembly *a, const struct ptx_module *m, struct diag *d)
{
    for (uint32_t i = 0; i < m->nfuncs; i++) {
        const struct ptx_func *f = m->funcs[i];
        if (!f->has_body)
            continue;
        if (a->warn_double && uses_double(f))
            diag_warning(d, f->loc.line, f->loc.column, "double precision is used in '%s'", f->name);
        struct jit_kernel_facts facts;
        if (!a->warn_local || !f->is_entry)
            continue;
        jit_kernel_facts(m, f, &facts);
        if (facts.local_bytes)
            diag_warning(d, f->loc.line, f->loc.column, "local memory is used in '%s'", f->name);
    }
}

// The bytes of all arrays in shared memory that the text names, which is cheap to see: at least those of any kernel.
static uint64_t shared_bytes(const char *text)
{
    uint64_t sum = 0;
    for (const char *p = text; (p = strstr(p, ".shared")); p++) {
        const char *end = p + strcspn(p, ";\n"), *bracket;
        uint64_t bytes = 8; // of a scalar
        for (const char *q = p; (bracket = memchr(q, '[', (size_t)(end - q))); q = bracket + 1) {
            uint64_t n = strtoull(bracket + 1, NULL, 0);
            bytes = n && bytes > UINT32_MAX / n ? UINT32_MAX : bytes * n;
        }
        sum += bytes;
    }
    return sum;
}

enum { SHARED_LIMIT = 48 << 10 };

bool front_shared_check(const char *text, size_t size, struct diag *d)
{
    if (shared_bytes(text) <= SHARED_LIMIT)
        return true;
    struct diag quiet; // what else may be wrong with the text is for others to say
    diag_init(&quiet, NULL);
    struct ptx_module *m = ptx_module_parse(text, size, &quiet);
    bool ok = !m || jit_shared_check(m, SHARED_LIMIT, d);
    ptx_module_destroy(m);
    diag_fini(&quiet);
    return ok;
}

bool front_shared_check_image(const struct str *image, struct diag *d)
{
    struct fatbin f;
    bool ok = true;
    size_t size;
    if (!fatbin_read(str_text(image), image->len, &f, d))
        return false;
    for (size_t i = 0; i < f.entries.len; i++) {
        char *text = f.entries.data[i].kind == FATBIN_PTX ? fatbin_entry_read(&f.entries.data[i], &size, d) : NULL;
        ok &= !text || front_shared_check(text, size, d);
        free(text);
    }
    fatbin_fini(&f);
    return ok;
}

static bool text_check(const struct front_assembly *a, struct target *t, struct diag *d)
{
    struct ptx_module *m = ptx_module_parse(a->text, a->size, d);
    bool ok = m && ptx_module_verify(m, d);
    if (ok) {
        struct target own = {m->target, {m->target_suffix, 0}};
        *t = a->target.sm ? a->target : own;
        if (own.sm > t->sm)
            ok = diag_error(d, 0, 0, "the text is for sm_%u%s, which is above sm_%u%s", own.sm, own.suffix, t->sm,
                            t->suffix);
        kernels_judge(a, m, d);
        ok = ok && (!a->complete || jit_shared_check(m, SHARED_LIMIT, d));
    }
    if (m)
        ptx_module_destroy(m);
    if (ok && a->complete) {
        struct ptx_link_input input = {a->name, a->text};
        struct str out = {0};
        ok = ptx_link(&input, 1, 0, true, &out, d);
        str_free(&out);
    }
    return ok;
}

bool front_assemble(const struct front_assembly *a, struct str *image, struct str *report, struct diag *d)
{
    struct target t = a->target;
    if (!text_check(a, &t, d))
        return false;
    struct fatbin_item item = {.ptx = a->text, .size = a->size, .sm = t.sm, .name = a->name, .debug = a->debug};
    char *selected = NULL, *limited = NULL;
    if (a->kernels && a->kernels->len)
        item.ptx = selected = front_ptx_select(item.ptx, a->kernels, &item.size);
    if (a->registers)
        item.ptx = limited = front_ptx_limit_registers(item.ptx, a->registers, &item.size);
    fatbin_write(image, &item, 1);
    if (report)
        front_usage(report, item.ptx, item.size, &t);
    free(selected);
    free(limited);
    return true;
}

void front_messages(struct str *out, const char *tool, const char *text)
{
    while (*text) {
        size_t n = strcspn(text, "\n");
        char file[1024], kind[32];
        unsigned line, column;
        int message = 0;
        if (sscanf(text, "%1023[^:\n]:%u:%u: %31[a-z]: %n", file, &line, &column, kind, &message) >= 4 && message)
            str_printf(out, "%s %s, line %u; %-8s: %.*s\n", tool, file, line, kind, (int)(n - (size_t)message),
                       text + message);
        else if (sscanf(text, "%1023[^:\n]: %31[a-z]: %n", file, kind, &message) >= 2 && message)
            str_printf(out, "%s %-8s: %.*s\n", tool, kind, (int)(n - (size_t)message), text + message);
        else
            str_printf(out, "%s %.*s\n", tool, (int)n, text);
        text += n + (text[n] == '\n');
    }
}

void front_print_messages(const char *tool, const char *text)
{
    struct str out = {0};
    front_messages(&out, tool, text);
    fputs(str_text(&out), stderr);
    str_free(&out);
}
