// SPDX-License-Identifier: Apache-2.0
// nvprune: leaves out of an object, an archive of objects or a fat binary the device code for other targets than those that are named.
//
// Entries of fat binaries are copied as they are, or left out. In a relocatable object a section that holds one fat binary shrinks: nothing
// in such a file but its table of sections says where sections lie. Where a section holds several, others point into it: each
// stays where it is, and zeros follow it.
#include "fatbin/fatbin.h"
#include "fatbin/fatbin_read.h"
#include "front/front.h"
#define TOOL_DEF "binutils/nvprune.def"
#include "binutils/table.h"
#include <ar.h>
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TARGETS_MAX = 64 };

struct prune {
    struct tool *t;
    const char *path;
    unsigned targets[TARGETS_MAX], count;
    unsigned kept, left_out;
};

static bool target_add(struct prune *p, const char *text)
{
    struct target target;
    if (!target_parse(&target, text))
        return tool_error(p->t, "'%s' is no target", text);
    if (p->count == TARGETS_MAX)
        return tool_error(p->t, "too many targets");
    p->targets[p->count++] = target.sm;
    return true;
}

// "arch=compute_80,code=[sm_80,compute_80]", with or without the brackets.
static bool generate_read(struct prune *p, const char *spec)
{
    const char *code = strstr(spec, "code=");
    char *copy = arena_strdup(&p->t->arena, code ? code + 5 : spec), *save;
    if (!code)
        return tool_error(p->t, "'%s' names no code", spec);
    for (char *c = copy; *c; c++)
        if (strchr("[]\"' ", *c))
            *c = ',';
    for (char *w = strtok_r(copy, ",", &save); w; w = strtok_r(NULL, ",", &save))
        if (!target_add(p, w))
            return false;
    return true;
}

static bool targets_read(struct prune *p)
{
    const struct tool *t = p->t;
    const struct texts *list = &t->values[OPT_CODE], *generate = &t->values[OPT_GENERATE];
    for (size_t i = 0; i < list->len; i++)
        if (!target_add(p, list->data[i]))
            return false;
    for (size_t i = 0; i < generate->len; i++)
        if (!generate_read(p, generate->data[i]))
            return false;
    const char *arch = tool_value(t, OPT_ARCH);
    if (arch && !list->len && !target_add(p, arch))
        return false;
    return p->count || tool_error(t, "no target: -arch or -gencode names one");
}

static bool is_wanted(const struct prune *p, const struct fatbin_entry_header *e)
{
    if (e->kind == FATBIN_ELF && tool_has(p->t, OPT_NO_RELOCATABLE))
        return false;
    for (unsigned i = 0; i < p->count; i++)
        if (p->targets[i] == e->sm)
            return true;
    return false;
}

// One fat binary, of which `size` bytes are there: what is left of it goes to out. Returns its length; 0: it is damaged.
static size_t fatbin_prune(struct prune *p, const char *data, size_t size, struct str *out)
{
    struct fatbin_header h;
    if (size < sizeof h)
        return 0;
    memcpy(&h, data, sizeof h);
    if (h.magic != FATBIN_MAGIC || h.header_size < sizeof h || h.header_size > size || h.size > size - h.header_size)
        return 0;
    size_t at = h.header_size, end = h.header_size + (size_t)h.size, start = out->len;
    str_append_n(out, data, h.header_size);
    while (at < end) {
        struct fatbin_entry_header e;
        if (end - at < sizeof e)
            return 0;
        memcpy(&e, data + at, sizeof e);
        if (e.header_size < sizeof e || e.header_size > end - at || e.size > end - at - e.header_size)
            return 0;
        size_t length = e.header_size + (size_t)e.size;
        bool wanted = is_wanted(p, &e);
        *(wanted ? &p->kept : &p->left_out) += 1;
        if (wanted)
            str_append_n(out, data + at, length);
        at += length;
    }
    h.size = out->len - start - h.header_size;
    memcpy(out->data + start, &h, sizeof h);
    return end;
}

// A section: fat binaries with zeros between them.
static bool section_prune(struct prune *p, const char *data, size_t size, struct str *out)
{
    struct str one = {0};
    unsigned found = 0;
    bool ok = true;
    for (size_t at = 0; at < size && ok;) {
        if (!data[at]) {
            str_append_n(out, data + at++, 1);
            continue;
        }
        one.len = 0;
        size_t length = fatbin_prune(p, data + at, size - at, &one);
        ok = length > 0;
        if (!ok)
            break;
        str_append_n(out, str_text(&one), one.len);
        found++;
        at += length;
        bool last = true;
        for (size_t k = at; k < size && last; k++)
            last = !data[k];
        if (found > 1 || !last) // others have their places behind it
            while (out->len < at)
                str_append_n(out, "", 1);
        else
            at = size;
    }
    str_free(&one);
    return ok || tool_error(p->t, "'%s' has a damaged fat binary", p->path);
}

// ---- objects

struct object {
    const char *data;
    size_t size;
    Elf64_Ehdr head;
    Elf64_Shdr *sections;
};

static bool object_read(struct prune *p, struct object *o)
{
    if (o->size < sizeof o->head)
        return false;
    memcpy(&o->head, o->data, sizeof o->head);
    uint64_t bytes = (uint64_t)o->head.e_shnum * sizeof(Elf64_Shdr);
    if (memcmp(o->head.e_ident, ELFMAG, SELFMAG) || o->head.e_ident[EI_CLASS] != ELFCLASS64 ||
        o->head.e_shentsize != sizeof(Elf64_Shdr) || !bytes || o->head.e_shoff > o->size ||
        bytes > o->size - o->head.e_shoff || o->head.e_shstrndx >= o->head.e_shnum)
        return false;
    o->sections = arena_alloc(&p->t->arena, bytes);
    memcpy(o->sections, o->data + o->head.e_shoff, bytes);
    for (unsigned i = 0; i < o->head.e_shnum; i++) {
        const Elf64_Shdr *s = &o->sections[i];
        if (s->sh_type != SHT_NOBITS && (s->sh_offset > o->size || s->sh_size > o->size - s->sh_offset))
            return false;
    }
    return true;
}

static bool is_fatbin_section(const struct object *o, const Elf64_Shdr *s)
{
    const Elf64_Shdr *names = &o->sections[o->head.e_shstrndx];
    const char *name = o->data + names->sh_offset + s->sh_name;
    bool known =
        names->sh_type == SHT_STRTAB && s->sh_name < names->sh_size && memchr(name, 0, names->sh_size - s->sh_name);
    return known && s->sh_type == SHT_PROGBITS && (!strcmp(name, "__nv_relfatbin") || !strcmp(name, ".nv_fatbin"));
}

static void pad(struct str *out, uint64_t align)
{
    while (align > 1 && out->len % align)
        str_append_n(out, "", 1);
}

static bool object_prune(struct prune *p, const char *data, size_t size, struct str *out)
{
    struct object o = {.data = data, .size = size};
    bool ok = true;
    if (!object_read(p, &o) || o.head.e_type != ET_REL)
        return tool_error(
            p->t, "'%s' is no relocatable object of 64 bits; programs and shared libraries are not pruned", p->path);
    Elf64_Shdr *to = arena_dup(&p->t->arena, o.sections, (size_t)o.head.e_shnum * sizeof *to);
    struct str file = {0}, content = {0};
    str_append_n(&file, (const char *)&o.head, sizeof o.head);
    for (unsigned i = 1; ok && i < o.head.e_shnum; i++) {
        const Elf64_Shdr *s = &o.sections[i];
        uint64_t align = s->sh_addralign && s->sh_addralign <= 4096 ? s->sh_addralign : 1;
        pad(&file, align);
        to[i].sh_offset = file.len;
        if (s->sh_type == SHT_NOBITS)
            continue;
        content.len = 0;
        if (is_fatbin_section(&o, s))
            ok = section_prune(p, data + s->sh_offset, s->sh_size, &content);
        else
            str_append_n(&content, data + s->sh_offset, s->sh_size);
        to[i].sh_size = content.len;
        str_append_n(&file, str_text(&content), content.len);
    }
    pad(&file, 8);
    o.head.e_shoff = file.len;
    str_append_n(&file, (const char *)to, (size_t)o.head.e_shnum * sizeof *to);
    memcpy(file.data, &o.head, sizeof o.head);
    if (ok)
        str_append_n(out, str_text(&file), file.len);
    str_free(&file);
    str_free(&content);
    return ok;
}

// ---- archives. The table of symbols says where members begin: each place is replaced by the member's new one.

struct member {
    size_t at, size, now; // of the header in the old archive, of the content, of the header in the new one
};

static uint32_t big_read(const char *p)
{
    const unsigned char *b = (const unsigned char *)p;
    return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

static void big_write(char *p, uint32_t v)
{
    for (int i = 0; i < 4; i++)
        p[i] = (char)(v >> (24 - 8 * i));
}

static bool symbols_move(char *table, size_t size, const struct member *members, size_t count)
{
    if (size < 4 || big_read(table) > (size - 4) / 4)
        return false;
    for (uint32_t i = 0, n = big_read(table); i < n; i++) {
        uint32_t old = big_read(table + 4 + 4 * (size_t)i);
        size_t k = 0;
        while (k < count && members[k].at != old)
            k++;
        if (k == count || members[k].now > UINT32_MAX)
            return false;
        big_write(table + 4 + 4 * (size_t)i, (uint32_t)members[k].now);
    }
    return true;
}

static bool archive_prune(struct prune *p, const char *data, size_t size, struct str *out)
{
    struct VEC(struct member) members = {0};
    size_t table = 0, table_size = 0;
    bool ok = true;
    str_append_n(out, ARMAG, SARMAG);
    for (size_t at = SARMAG; ok && at + sizeof(struct ar_hdr) <= size;) {
        struct ar_hdr h;
        char digits[sizeof h.ar_size + 1] = {0};
        struct str content = {0};
        memcpy(&h, data + at, sizeof h);
        memcpy(digits, h.ar_size, sizeof h.ar_size);
        size_t length = strtoull(digits, NULL, 10), from = at + sizeof h;
        if (memcmp(h.ar_fmag, ARFMAG, sizeof h.ar_fmag) || length > size - from) {
            ok = tool_error(p->t, "'%s' is a damaged archive", p->path);
            break;
        }
        vec_push(&members, ((struct member){at, length, out->len}));
        bool special = h.ar_name[0] == '/' && (h.ar_name[1] == ' ' || h.ar_name[1] == '/');
        bool object = !special && length > SELFMAG && !memcmp(data + from, ELFMAG, SELFMAG);
        if (object)
            ok = object_prune(p, data + from, length, &content);
        else
            str_append_n(&content, data + from, length);
        if (special && h.ar_name[1] == ' ') {
            table = out->len + sizeof h;
            table_size = length;
        }
        char text[sizeof h.ar_size + 1];
        int n = snprintf(text, sizeof text, "%-10zu", content.len);
        ok = ok && (n == (int)sizeof h.ar_size || tool_error(p->t, "'%s' has a member that is too large", p->path));
        memcpy(h.ar_size, text, sizeof h.ar_size);
        str_append_n(out, (const char *)&h, sizeof h);
        str_append_n(out, str_text(&content), content.len);
        if (out->len & 1)
            str_append_n(out, "\n", 1);
        str_free(&content);
        at = from + length + (length & 1);
    }
    if (ok && table && !symbols_move(out->data + table, table_size, members.data, members.len))
        ok = tool_error(p->t, "'%s' has a damaged table of symbols", p->path);
    vec_free(&members);
    return ok;
}

static bool file_prune(struct prune *p, const char *data, size_t size, struct str *out)
{
    if (size >= SARMAG && !memcmp(data, ARMAG, SARMAG))
        return archive_prune(p, data, size, out);
    if (size >= sizeof(struct fatbin_header) && fatbin_is(data, size))
        return section_prune(p, data, size, out);
    return object_prune(p, data, size, out);
}

static bool run(struct tool *t)
{
    struct prune p = {.t = t};
    const char *output = tool_value(t, OPT_OUTPUT);
    struct str out = {0};
    size_t size;
    if (t->inputs.len != 1)
        return tool_error(t, t->inputs.len ? "one input file only" : "no input file; --help lists the options");
    if (!output)
        return tool_error(t, "no output file: -o names it");
    if (!targets_read(&p))
        return false;
    p.path = t->inputs.data[0];
    char *data = tool_file_read(t, p.path, &size);
    if (!data)
        return false;
    bool ok = file_prune(&p, data, size, &out);
    if (ok && p.left_out && !p.kept)
        fprintf(stderr, "%s warning : '%s' has no device code left\n", t->name, p.path);
    ok = ok && tool_file_write(t, output, str_text(&out), out.len);
    str_free(&out);
    free(data);
    return ok;
}

int main(int argc, char **argv)
{
    struct tool t = TOOL(
        "nvprune", "Leaves out of an object, an archive or a fat binary the device code for other targets than those "
                   "that are named.");
    return tool_main(&t, argc, argv, run);
}
