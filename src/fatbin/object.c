// SPDX-License-Identifier: Apache-2.0
// See object.h. Objects are ELF, 64 bits, little-endian; every offset is checked against the size of the file.
#include "fatbin/object.h"
#include "base/os.h"
#include <ar.h>
#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RELOCATABLE   "__nv_relfatbin"
#define LINKED        ".nv_fatbin"
#define SYMBOL_PREFIX "__cudaRegisterLinkedBinary"

struct image {
    const char *file;
    const unsigned char *data;
    size_t size;
};

static const void *part(const struct image *m, uint64_t offset, uint64_t size)
{
    return offset <= m->size && size <= m->size - offset ? m->data + offset : NULL;
}

static const char *string_at(const struct image *m, const Elf64_Shdr *table, uint64_t offset)
{
    if (offset >= table->sh_size || !part(m, table->sh_offset, table->sh_size))
        return "";
    const char *s = (const char *)m->data + table->sh_offset + offset;
    return memchr(s, 0, table->sh_size - offset) ? s : "";
}

static void symbols_read(struct objects *o, const struct image *m, const Elf64_Shdr *sections, unsigned count,
                         const Elf64_Shdr *table)
{
    const Elf64_Sym *symbols = part(m, table->sh_offset, table->sh_size);
    if (!symbols || table->sh_link >= count)
        return;
    for (size_t i = 0; i < table->sh_size / sizeof *symbols; i++) {
        Elf64_Sym s;
        memcpy(&s, &symbols[i], sizeof s);
        const char *name = string_at(m, &sections[table->sh_link], s.st_name);
        if (!strncmp(name, SYMBOL_PREFIX, strlen(SYMBOL_PREFIX)))
            vec_push(s.st_shndx == SHN_UNDEF ? &o->wanted : &o->defined, arena_strdup(o->arena, name));
    }
}

static void elf_read(struct objects *o, const struct image *m)
{
    Elf64_Ehdr h;
    if (m->size < sizeof h)
        return;
    memcpy(&h, m->data, sizeof h);
    if (memcmp(h.e_ident, ELFMAG, SELFMAG) || h.e_ident[EI_CLASS] != ELFCLASS64 ||
        (h.e_type != ET_REL && !o->all && !o->programs) || h.e_shentsize != sizeof(Elf64_Shdr) ||
        h.e_shstrndx >= h.e_shnum)
        return;
    const void *raw = part(m, h.e_shoff, (uint64_t)h.e_shnum * sizeof(Elf64_Shdr));
    if (!raw)
        return;
    Elf64_Shdr *sections = arena_dup(o->arena, raw, (size_t)h.e_shnum * sizeof(Elf64_Shdr));
    for (unsigned i = 0; i < h.e_shnum; i++) {
        const Elf64_Shdr *s = &sections[i];
        if (s->sh_type == SHT_SYMTAB)
            symbols_read(o, m, sections, h.e_shnum, s);
        const char *name = string_at(m, &sections[h.e_shstrndx], s->sh_name);
        bool relocatable = !strcmp(name, RELOCATABLE);
        if (s->sh_type != SHT_PROGBITS || !(relocatable || (o->all && !strcmp(name, LINKED))))
            continue;
        const void *data = part(m, s->sh_offset, s->sh_size);
        if (data)
            vec_push(&o->fatbins,
                     ((struct object_fatbin){m->file, arena_dup(o->arena, data, s->sh_size), s->sh_size, relocatable}));
    }
}

static bool archive_read(struct objects *o, const struct image *m, struct diag *d)
{
    for (size_t at = SARMAG; at + sizeof(struct ar_hdr) <= m->size;) {
        struct ar_hdr h;
        memcpy(&h, m->data + at, sizeof h);
        char digits[sizeof h.ar_size + 1] = {0};
        memcpy(digits, h.ar_size, sizeof h.ar_size);
        size_t size = strtoull(digits, NULL, 10);
        at += sizeof h;
        if (memcmp(h.ar_fmag, ARFMAG, sizeof h.ar_fmag) || size > m->size - at)
            return diag_error(d, 0, 0, "'%s' is a damaged archive", m->file);
        int n = (int)strcspn(h.ar_name, "/ ");
        n = n > (int)sizeof h.ar_name ? (int)sizeof h.ar_name : n;
        struct image member = {arena_printf(o->arena, "%s(%.*s)", m->file, n, h.ar_name), m->data + at, size};
        elf_read(o, &member);
        at += size + (size & 1);
    }
    return true;
}

static bool is_passed_over(const struct objects *o, const char *path)
{
    const char *base = strrchr(path, '/');
    return !o->all && !strcmp(base ? base + 1 : path, "libcudadevrt.a");
}

bool objects_read_data(struct objects *o, const char *name, const void *data, size_t size, struct diag *d)
{
    if (is_passed_over(o, name))
        return true;
    struct image m = {arena_strdup(o->arena, name), data, size};
    if (size >= SARMAG && !memcmp(data, ARMAG, SARMAG))
        return archive_read(o, &m, d);
    elf_read(o, &m);
    return true;
}

bool objects_read(struct objects *o, const char *path, struct diag *d)
{
    size_t size;
    if (is_passed_over(o, path))
        return true;
    char *data = os_file_read(path, &size);
    if (!data)
        return diag_error(d, 0, 0, "'%s': %s", path, strerror(errno));
    bool ok = objects_read_data(o, path, data, size, d);
    free(data);
    return ok;
}

void objects_fini(struct objects *o)
{
    vec_free(&o->fatbins);
    vec_free(&o->wanted);
    vec_free(&o->defined);
}
