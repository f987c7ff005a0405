// SPDX-License-Identifier: Apache-2.0
// Reads what src/device/count/write.c has written: lines of fields with tabs between them. The file may come from anybody (--import), so
// that nothing is taken for granted.
#include "base/tool/demangle.h"
#include "base/xmalloc.h"
#include "ncu/ncu.h"
#include <stdlib.h>
#include <string.h>

enum { FIELDS_MOST = 16 + COUNT_FIELDS, FILES_MOST = 1 << 16 };
struct fields {
    char *text[FIELDS_MOST];
    unsigned n;
};

static void split(char *line, struct fields *f)
{
    f->n = 0;
    for (char *p; f->n < FIELDS_MOST && (p = strsep(&line, "\t"));)
        f->text[f->n++] = p;
}

static uint64_t number(const struct fields *f, unsigned i)
{
    return i < f->n ? strtoull(f->text[i], NULL, 10) : 0;
}

static void read_shape(const struct fields *f, uint32_t out[3])
{
    for (unsigned i = 0; i < 3; i++)
        out[i] = (uint32_t)number(f, i + 1);
}

static bool read_insn(struct launch *l, const struct fields *f)
{
    enum {
        FUNCTION = 1,
        LINE,
        FILE_NUMBER,
        SOURCE_LINE,
        CLASS,
        OP,
        PIPE,
        PER_THREAD,
        PRODUCTS,
        BYTES,
        GUARDED,
        WARPS,
        THREADS,
        FIRST
    };
    if (f->n != FIRST + COUNT_FIELDS + 1)
        return false;
    struct insn i = {.function = f->text[FUNCTION],
                     .ptx_line = (uint32_t)number(f, LINE),
                     .file = (uint32_t)number(f, FILE_NUMBER),
                     .line = (uint32_t)number(f, SOURCE_LINE),
                     .class = f->text[CLASS],
                     .op = f->text[OP],
                     .pipe = f->text[PIPE],
                     .per_thread = (uint32_t)number(f, PER_THREAD),
                     .products = (uint32_t)number(f, PRODUCTS),
                     .bytes = (uint32_t)number(f, BYTES),
                     .guarded = number(f, GUARDED),
                     .warps = number(f, WARPS),
                     .threads = number(f, THREADS),
                     .text = f->text[FIRST + COUNT_FIELDS]};
    for (unsigned k = 0; k < COUNT_FIELDS; k++)
        i.field[k] = number(f, FIRST + k);
    vec_push(&l->insns, i);
    return true;
}

static void read_file(struct launch *l, const struct fields *f)
{
    uint64_t n = number(f, 1);
    if (f->n != 3 || n > FILES_MOST)
        return;
    while (l->files.len <= n)
        vec_push(&l->files, NULL);
    l->files.data[n] = f->text[2];
}

static bool read_line(struct launch *l, const struct fields *f)
{
    const char *word = f->text[0];
    if (!strcmp(word, "kernel") && f->n == 2) {
        l->kernel = f->text[1];
    } else if (!strcmp(word, "process")) {
        l->process = (long)number(f, 1);
    } else if (!strcmp(word, "grid")) {
        read_shape(f, l->grid);
    } else if (!strcmp(word, "block")) {
        read_shape(f, l->block);
    } else if (!strcmp(word, "cluster")) {
        read_shape(f, l->cluster);
    } else if (!strcmp(word, "stream")) {
        l->stream = (uint32_t)number(f, 1);
        l->context = (uint32_t)number(f, 2);
        l->device = (uint32_t)number(f, 3);
    } else if (!strcmp(word, "shared")) {
        l->shared_static = (uint32_t)number(f, 1);
        l->shared_dynamic = (uint32_t)number(f, 2);
        l->shared_reserved = (uint32_t)number(f, 3);
    } else if (!strcmp(word, "registers")) {
        l->registers = (uint32_t)number(f, 1);
    } else if (!strcmp(word, "local")) {
        l->local_bytes = (uint32_t)number(f, 1);
    } else if (!strcmp(word, "limits")) {
        for (unsigned i = 0; i < 4; i++)
            l->limit[i] = (int)number(f, i + 1);
    } else if (!strcmp(word, "device")) {
        l->sms = (uint32_t)number(f, 1);
        l->sm_warps = (uint32_t)number(f, 2);
        l->capability = (uint32_t)number(f, 3);
    } else if (!strcmp(word, "native")) {
        l->native = true;
    } else if (!strcmp(word, "caches")) {
        l->l1_sectors = number(f, 1);
        l->l1_hits = number(f, 2);
        l->l2_sectors = number(f, 3);
        l->l2_hits = number(f, 4);
    } else if (!strcmp(word, "file")) {
        read_file(l, f);
    } else if (!strcmp(word, "insn")) {
        return read_insn(l, f);
    }
    return true;
}

struct launch *launch_read(const char *data, size_t size, unsigned id)
{
    struct launch *l = xcalloc(1, sizeof *l);
    struct fields f;
    l->id = id;
    l->size = size;
    l->copy = xmalloc(size + 1);
    l->data = xmalloc(size + 1);
    memcpy(l->copy, data, size);
    memcpy(l->data, data, size);
    l->copy[size] = l->data[size] = 0;
    char *rest = l->data;
    bool ok = !strncmp(data, "heddle-ncu\t2\n", 13);
    for (char *line; ok && (line = strsep(&rest, "\n"));) {
        split(line, &f);
        ok = read_line(l, &f);
    }
    if (!ok || !l->kernel || !launch_threads(l)) {
        launch_free(l);
        return NULL;
    }
    l->name = option_is(OPTION_PRINT_KERNEL_BASE, "mangled") ? xstrdup(l->kernel) : demangle(l->kernel);
    if (option_is(OPTION_PRINT_KERNEL_BASE, "function")) {
        char *whole = l->name;
        l->name = demangle_short(whole);
        free(whole);
    }
    return l;
}

void launch_free(struct launch *l)
{
    vec_free(&l->insns);
    vec_free(&l->files);
    free(l->name);
    free(l->data);
    free(l->copy);
    free(l);
}
