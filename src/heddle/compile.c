// SPDX-License-Identifier: Apache-2.0
// heddle compile: compiles the kernels of a PTX file, or of a source, without running them, past the disk cache, and shows what the passes made of them:
// their times and the instructions before and after each, or the IR behind one.
#include "heddle/compile.h"
#include "base/env.h"
#include "base/vec.h"
#include "heddle/shape.h"
#include "heddle/source.h"
#include "jit/jit.h"
#include "ptx/ptx.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct row {
    const char *name;
    uint64_t ns;
    unsigned before, after;
};

struct command {
    struct jit_watch watch; // first: callbacks get it
    const char *file, *kernel, *output;
    uint32_t block[3];
    unsigned width;
    bool time;
    struct VEC(struct row) rows;
    FILE *ir;
};

static void on_pass(struct jit_watch *w, const char *name, uint64_t ns, unsigned before, unsigned after)
{
    struct command *c = (struct command *)w;
    if (c->rows.len && !strcmp(c->rows.data[0].name, name)) {
        fprintf(stderr, "compiled again, narrower or with its control flow rebuilt\n");
        c->rows.len = 0;
    }
    vec_push(&c->rows, ((struct row){name, ns, before, after}));
}

static void on_ir(struct jit_watch *w, const char *text)
{
    fputs(text, ((struct command *)w)->ir);
}

static void print_times(const struct command *c)
{
    uint64_t all = 0;
    printf("%-24s %10s %10s %10s\n", "pass", "ms", "before", "after");
    for (size_t i = 0; i < c->rows.len; i++) {
        const struct row *r = &c->rows.data[i];
        printf("%-24s %10.3f %10u %10u\n", r->name, (double)r->ns * 1e-6, r->before, r->after);
        all += r->ns;
    }
    printf("%-24s %10.3f\n", "all", (double)all * 1e-6);
}

// The shape that was asked for, else the one that the kernel requires, else 256 threads in a row.
static void choose_block(const struct command *c, const struct ptx_func *f, unsigned block[3])
{
    const uint32_t *from = c->block[0] ? c->block : f->reqntid[0] ? f->reqntid : (const uint32_t[3]){256, 1, 1};
    for (unsigned i = 0; i < 3; i++)
        block[i] = from[i] ? from[i] : 1;
}

static bool write_object(const struct command *c, const struct jit_object *o)
{
    FILE *f = fopen(c->output, "wb");
    bool ok = f && fwrite(o->data, 1, o->size, f) == o->size;
    if ((f && fclose(f)) || !ok) {
        fprintf(stderr, "heddle: %s cannot be written\n", c->output);
        return false;
    }
    return true;
}

static bool compile_kernel(struct command *c, const struct ptx_module *m, const struct ptx_func *f)
{
    struct jit_options o = {.width = c->width, .watch = &c->watch};
    struct jit_object out = {0};
    struct diag d;
    diag_init(&d, c->file);
    jit_options_asked(&o, m->debug);
    choose_block(c, f, o.block);
    c->rows.len = 0;
    c->watch.stopped = false;
    bool ok = jit_compile(m, f, &o, &out, &d) || c->watch.stopped;
    if (ok && !c->watch.stopped)
        printf("%s: width %u, blocks of %ux%ux%u, %zu bytes%s\n", f->name, out.variant.width, o.block[0], o.block[1],
               o.block[2], out.size, out.variant.quick_us ? ", quick code" : "");
    if (ok && c->time)
        print_times(c);
    if (!ok)
        fputs(d.text.len ? str_text(&d.text) : "heddle: not compiled\n", stderr);
    if (ok && c->output && !c->watch.stopped)
        ok = write_object(c, &out);
    free(out.data);
    diag_fini(&d);
    return ok;
}

static bool compile_module(struct command *c, const struct ptx_module *m)
{
    unsigned n = 0;
    for (uint32_t i = 0; i < m->nfuncs; i++)
        n += m->funcs[i]->is_entry && m->funcs[i]->has_body && (!c->kernel || !strcmp(m->funcs[i]->name, c->kernel));
    if (!n || (c->output && n > 1)) {
        fprintf(stderr, n ? "heddle: -o is for one kernel: --kernel names it\n" : "heddle: no such kernel\n");
        return false;
    }
    bool ok = true;
    for (uint32_t i = 0; i < m->nfuncs; i++) {
        const struct ptx_func *f = m->funcs[i];
        if (f->is_entry && f->has_body && (!c->kernel || !strcmp(f->name, c->kernel)))
            ok &= compile_kernel(c, m, f);
    }
    return ok;
}

static bool knows_pass(const char *name)
{
    static const char *const names[] = {
#define PASS(name, function, when, optional, needs, about) #name,
#define LLVM_PASS(name, pipeline, when, about)             #name,
#include "jit/pass.def"
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(names[i], name))
            return true;
    fprintf(stderr, "heddle: '%s' is no pass (docs/jit/passes.md)\n", name);
    return false;
}

// 0: read; else the exit status.
static int read_arguments(struct command *c, int argc, char **argv)
{
    for (int i = 0; i < argc; i++) {
        const char *a = argv[i], *value = i + 1 < argc ? argv[i + 1] : NULL;
        bool takes = true;
        if (!strcmp(a, "--time-passes")) {
            c->time = true;
            takes = false;
        } else if (a[0] != '-') {
            if (c->file)
                return COMPILE_USAGE;
            c->file = a;
            takes = false;
        } else if (!value) {
            return COMPILE_USAGE;
        } else if (!strcmp(a, "--kernel")) {
            c->kernel = value;
        } else if (!strcmp(a, "-o")) {
            c->output = value;
        } else if (!strcmp(a, "--stop-after")) {
            c->watch.stop_after = value;
            if (!knows_pass(value))
                return 2;
        } else if (!strcmp(a, "--block")) {
            if (!shape_read(value, c->block))
                return 2;
        } else if (!strcmp(a, "--width")) {
            c->width = (unsigned)strtoul(value, NULL, 10);
            if (c->width != 1 && c->width != 8 && c->width != 16 && c->width != 32) {
                fprintf(stderr, "heddle: '%s' is no width: 1, 8, 16 or 32\n", value);
                return 2;
            }
        } else {
            return COMPILE_USAGE;
        }
        i += takes;
    }
    return c->file ? 0 : COMPILE_USAGE;
}

int compile(int argc, char **argv)
{
    struct command c = {.watch = {.pass = on_pass, .ir = on_ir}, .ir = stdout};
    c.width = (unsigned)strtoul(env_get("HEDDLE_WIDTH"), NULL, 10);
    int status = read_arguments(&c, argc, argv);
    if (status)
        return status;
    size_t size;
    char *text = source_ptx(c.file, &size);
    if (!text)
        return 1;
    struct diag d;
    diag_init(&d, c.file);
    struct ptx_module *m = ptx_module_parse(text, size, &d);
    bool ok = m && ptx_module_verify(m, &d);
    if (!ok)
        fputs(str_text(&d.text), stderr);
    if (ok && c.watch.stop_after && c.output && !(c.ir = fopen(c.output, "w"))) {
        fprintf(stderr, "heddle: %s cannot be written\n", c.output);
        ok = false;
    }
    ok = ok && compile_module(&c, m);
    if (c.ir && c.ir != stdout)
        ok = !fclose(c.ir) && ok;
    vec_free(&c.rows);
    if (m)
        ptx_module_destroy(m);
    diag_fini(&d);
    free(text);
    return ok ? 0 : 1;
}
