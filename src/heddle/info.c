// SPDX-License-Identifier: Apache-2.0
// heddle info: what device code a program, library, object, fat binary, PTX file or source holds, and which of its kernels will run here, before
// anything runs. The PTX is chosen as the driver chooses it, and its kernels are checked as the driver checks them when it loads a module; nothing is
// compiled.
#include "heddle/info.h"
#include "base/env.h"
#include "base/os.h"
#include "fatbin/device_link.h"
#include "heddle/source.h"
#include "jit/jit.h"
#include "ptx/ptx.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHARED_MOST = 227 * 1024 };

struct account {
    unsigned runs, refused, unlinked;
    bool bad; // something could not be read
};

static unsigned capability(void)
{
    unsigned major = 0, minor = 0;
    return sscanf(env_get("HEDDLE_CC"), "%u.%u", &major, &minor) == 2 ? major * 10 + minor : 90;
}

// The messages, a line each, indented.
static void reasons_print(const struct diag *d)
{
    for (const char *line = str_text(&d->text); *line;) {
        size_t n = strcspn(line, "\n");
        printf("            %.*s\n", (int)n, line);
        line += n + (line[n] == '\n');
    }
}

static void kernel_print(struct account *a, const struct ptx_module *m, const struct ptx_func *f, bool linked)
{
    struct jit_kernel_facts facts;
    struct diag d;
    diag_init(&d, f->name);
    bool ok = linked ? jit_kernel_check(m, f, &d) : jit_function_check(f, false, &d);
    jit_kernel_facts(m, f, &facts);
    if (ok && facts.shared_static > SHARED_MOST)
        ok =
            diag_error(&d, 0, 0, "%u bytes of shared memory; a block has %u at most", facts.shared_static, SHARED_MOST);
    printf("        %-8s %s: %u registers, %u bytes shared, %u local, blocks of up to %u threads\n",
           !ok      ? "REFUSED"
           : linked ? "runs"
                    : "not yet linked",
           f->name, facts.registers, facts.shared_static, facts.local_bytes, facts.max_threads);
    if (!ok)
        reasons_print(&d);
    *(ok ? linked ? &a->runs : &a->unlinked : &a->refused) += 1;
    diag_fini(&d);
}

static void text_print(struct account *a, const char *name, const char *text, size_t size, bool linked)
{
    struct diag d;
    diag_init(&d, name);
    struct ptx_module *m = ptx_module_parse(text, size, &d);
    if (!m || !ptx_module_verify(m, &d)) {
        printf("        REFUSED  the whole module: it is not valid PTX\n");
        reasons_print(&d);
        a->refused++;
    } else {
        for (uint32_t i = 0; i < m->nfuncs; i++)
            if (m->funcs[i]->is_entry && m->funcs[i]->has_body)
                kernel_print(a, m, m->funcs[i], linked);
    }
    if (m)
        ptx_module_destroy(m);
    diag_fini(&d);
}

static void entry_print(const struct fatbin_entry *e, bool taken)
{
    if (e->kind == FATBIN_PTX)
        printf("    PTX %u.%u for compute capability %u.%u, %zu bytes%s\n", e->ptx_major, e->ptx_minor, e->sm / 10,
               e->sm % 10, e->full_size ? e->full_size : e->payload_size, taken ? "; this is what runs" : "");
    else
        printf("    %s for compute capability %u.%u, %zu bytes: not used\n",
               e->kind == FATBIN_LTO ? "code for link-time optimisation" : "machine code of a GPU", e->sm / 10,
               e->sm % 10, e->payload_size);
}

static void fatbin_print(struct account *a, const char *name, const struct fatbin *f, bool linked)
{
    struct diag d;
    diag_init(&d, name);
    for (unsigned object = f->objects ? 1 : 0; object <= f->objects; object++) {
        const struct fatbin_entry *taken = fatbin_ptx_choose(f, object, capability(), &d);
        for (size_t i = 0; i < f->entries.len; i++)
            if (f->entries.data[i].object == object)
                entry_print(&f->entries.data[i], taken == &f->entries.data[i]);
        size_t length;
        char *text = taken ? fatbin_entry_read(taken, &length, &d) : NULL;
        if (text)
            text_print(a, name, text, length, linked && !f->objects);
        else
            printf(
                "        REFUSED  all of it: there is no PTX. Build with PTX (-arch=compute_XX, or nvcc's default)\n");
        a->refused += !text;
        free(text);
    }
    diag_fini(&d);
}

// A program, library, object or archive: false: the file is none, or holds no device code.
static bool program_print(struct account *a, struct arena *arena, const char *path, struct diag *d)
{
    struct objects o = {.arena = arena, .all = true, .programs = true};
    struct device_units units = {0};
    bool ok = objects_read(&o, path, d), any = o.fatbins.len > 0;
    for (size_t i = 0; ok && i < o.fatbins.len; i++) {
        size_t before = units.len;
        ok = device_units_split(&units, &o.fatbins.data[i], d);
        for (size_t k = before; ok && k < units.len; k++)
            fatbin_print(a, path, &units.data[k].fatbin, !o.fatbins.data[i].relocatable);
    }
    if (!ok)
        reasons_print(d);
    a->bad |= !ok;
    device_units_fini(&units);
    objects_fini(&o);
    return any || !ok;
}

static void file_print(struct account *a, const char *path)
{
    struct arena arena = {0};
    struct diag d;
    size_t size;
    diag_init(&d, path);
    printf("%s\n", path);
    char *data = os_file_read(path, &size);
    if (!data) {
        fprintf(stderr, "heddle: %s cannot be read\n", path);
        a->bad = true;
    } else if (fatbin_is(data, size)) {
        struct fatbin f;
        if (fatbin_read(data, size, &f, &d)) {
            fatbin_print(a, path, &f, true);
            fatbin_fini(&f);
        } else {
            reasons_print(&d);
            a->bad = true;
        }
    } else if (size < 4 || memcmp(data, "\177ELF", 4) != 0) {
        if (!program_print(a, &arena, path, &d)) { // no archive: a text
            size_t length;
            char *text = source_ptx(path, &length);
            if (text)
                text_print(a, path, text, length, true);
            a->bad |= !text;
            free(text);
        }
    } else if (!program_print(a, &arena, path, &d)) {
        printf(
            "    no device code: it is in a library that this one loads, or is made while it runs, or there is none\n");
    }
    free(data);
    diag_fini(&d);
    arena_fini(&arena);
}

int info(int argc, char **argv)
{
    struct account a = {0};
    if (!argc || argv[0][0] == '-')
        return INFO_USAGE;
    for (int i = 0; i < argc; i++)
        file_print(&a, argv[i]);
    printf("kernels that run here: %u, refused: %u", a.runs, a.refused);
    if (a.unlinked)
        printf(", to be linked: %u", a.unlinked);
    printf("\n");
    return a.bad ? 2 : a.refused != 0;
}
