// SPDX-License-Identifier: Apache-2.0
// See loaded.h. A reader of .debug_line in version 4 of DWARF, which source.c asks LLVM for: a small machine whose
// program makes rows (address, file, line). Addresses are relocated on the way; everything is checked against the
// section's bounds, since the object may come from the disk.
#include "jit/debug/loaded.h"
#include "ptx/bytes.h"
#include <elf.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { VERSION = 4 };
enum { // standard and extended opcodes
    LNS_COPY = 1,
    LNS_ADVANCE_PC,
    LNS_ADVANCE_LINE,
    LNS_SET_FILE,
    LNS_SET_COLUMN,
    LNS_NEGATE_STMT,
    LNS_SET_BASIC_BLOCK,
    LNS_CONST_ADD_PC,
    LNS_FIXED_ADVANCE_PC,
    LNE_END_SEQUENCE = 1,
    LNE_SET_ADDRESS = 2
};

struct object {
    const char *data;
    const Elf64_Ehdr *eh;
    const Elf64_Shdr *sh;
    unsigned line, rela; // sections; 0: none
};

static bool find_sections(const struct load_image *image, struct object *o)
{
    *o = (struct object){.data = image->object, .eh = (const Elf64_Ehdr *)image->object};
    o->sh = (const Elf64_Shdr *)(o->data + o->eh->e_shoff); // load_object has checked all of them
    if (o->eh->e_shstrndx >= o->eh->e_shnum)
        return false;
    const Elf64_Shdr *names = &o->sh[o->eh->e_shstrndx];
    for (unsigned i = 1; i < o->eh->e_shnum; i++)
        if (o->sh[i].sh_name < names->sh_size &&
            !strncmp(o->data + names->sh_offset + o->sh[i].sh_name, ".debug_line", names->sh_size - o->sh[i].sh_name) &&
            !(o->sh[i].sh_flags & SHF_COMPRESSED))
            o->line = i;
    for (unsigned i = 1; i < o->eh->e_shnum && o->line; i++)
        if (o->sh[i].sh_type == SHT_RELA && o->sh[i].sh_info == o->line)
            o->rela = i;
    return o->line;
}

// What the relocation at this offset of .debug_line makes of it: the address of code.
static uint64_t relocated(const struct object *o, uint64_t at, uint64_t plain)
{
    if (!o->rela)
        return plain;
    const Elf64_Shdr *s = &o->sh[o->rela];
    const Elf64_Rela *r = (const Elf64_Rela *)(o->data + s->sh_offset);
    if (s->sh_link >= o->eh->e_shnum)
        return plain;
    const Elf64_Shdr *symbols = &o->sh[s->sh_link];
    const Elf64_Sym *syms = (const Elf64_Sym *)(o->data + symbols->sh_offset);
    for (size_t i = 0; i < s->sh_size / sizeof *r; i++) {
        if (r[i].r_offset != at)
            continue;
        uint64_t n = ELF64_R_SYM(r[i].r_info);
        if (n >= symbols->sh_size / sizeof *syms || syms[n].st_shndx >= o->eh->e_shnum)
            return plain;
        return o->sh[syms[n].st_shndx].sh_addr + syms[n].st_value + (uint64_t)r[i].r_addend;
    }
    return plain;
}

struct unit {
    struct bytes program, directories, files;
    uint8_t unit_bytes, range, opcodes;
    int8_t base;
    uint8_t lengths[256];
};

static bool unit_read(struct bytes *r, struct unit *u)
{
    uint64_t length = bytes_fixed(r, 4);
    if (r->bad || length > r->end - r->p) // also the 64-bit format, which LLVM does not write here
        return false;
    struct bytes h = {r->data, r->p, r->p + length, false};
    r->p += length;
    if (bytes_fixed(&h, 2) != VERSION)
        return false;
    uint64_t header = bytes_fixed(&h, 4);
    if (header > h.end - h.p)
        return false;
    u->program = (struct bytes){h.data, h.p + header, h.end, false};
    u->unit_bytes = (uint8_t)bytes_fixed(&h, 1);
    bytes_fixed(&h, 2); // operations a bundle, default of is_stmt
    u->base = (int8_t)bytes_fixed(&h, 1);
    u->range = (uint8_t)bytes_fixed(&h, 1);
    u->opcodes = (uint8_t)bytes_fixed(&h, 1);
    for (unsigned i = 1; i < u->opcodes; i++)
        u->lengths[i] = (uint8_t)bytes_fixed(&h, 1);
    u->directories = h;
    while (!h.bad && *bytes_text(&h))
        ;
    u->files = h;
    return !h.bad && u->range && u->opcodes > LNS_FIXED_ADVANCE_PC;
}

static void file_text(const struct unit *u, uint64_t file, uint64_t line, char *out, size_t size)
{
    struct bytes r = u->files;
    const char *name = "?", *folder = "";
    uint64_t directory = 0;
    for (uint64_t i = 1; !r.bad; i++) {
        const char *s = bytes_text(&r);
        if (!*s)
            break;
        uint64_t d = bytes_uleb(&r);
        bytes_uleb(&r);
        bytes_uleb(&r);
        if (i == file) {
            name = s;
            directory = d;
            break;
        }
    }
    r = u->directories;
    for (uint64_t i = 1; i <= directory && !r.bad; i++)
        folder = bytes_text(&r);
    snprintf(out, size, "%s%s%s:%llu", folder, *folder && *name != '/' ? "/" : "", name, (unsigned long long)line);
}

struct row {
    uint64_t address, file, line;
};

// What a program brings; ends: behind the last of a sequence. True: enough.
typedef bool row_fn(void *data, const struct row *now, bool ends);

static bool unit_run(const struct object *o, const struct unit *u, row_fn *take, void *data)
{
    const struct row initial = {0, 1, 1};
    struct row now = initial;
    struct bytes r = u->program;
    while (r.p < r.end && !r.bad) {
        uint8_t op = (uint8_t)bytes_fixed(&r, 1);
        bool row = false, ends = false;
        if (op >= u->opcodes) {
            unsigned n = op - u->opcodes;
            now.address += (uint64_t)(n / u->range) * u->unit_bytes;
            now.line = (uint64_t)((int64_t)now.line + u->base + (int)(n % u->range));
            row = true;
        } else if (!op) {
            uint64_t n = bytes_uleb(&r);
            if (!n || n > r.end - r.p)
                return false;
            uint64_t next = r.p + n;
            uint8_t extended = (uint8_t)bytes_fixed(&r, 1);
            if (extended == LNE_SET_ADDRESS && n == 9) {
                uint64_t at = r.p;
                now.address = relocated(o, at, bytes_fixed(&r, 8));
            }
            row = ends = extended == LNE_END_SEQUENCE;
            r.p = next;
        } else {
            row = op == LNS_COPY;
            if (op == LNS_ADVANCE_PC)
                now.address += bytes_uleb(&r) * u->unit_bytes;
            else if (op == LNS_ADVANCE_LINE)
                now.line = (uint64_t)((int64_t)now.line + (int64_t)bytes_leb(&r, true));
            else if (op == LNS_SET_FILE)
                now.file = bytes_uleb(&r);
            else if (op == LNS_CONST_ADD_PC)
                now.address += (uint64_t)((255 - u->opcodes) / u->range) * u->unit_bytes;
            else if (op == LNS_FIXED_ADVANCE_PC)
                now.address += bytes_fixed(&r, 2);
            else
                for (unsigned i = 0; !row && i < u->lengths[op]; i++)
                    bytes_uleb(&r);
        }
        if (row && take(data, &now, ends))
            return true;
        if (ends)
            now = initial;
    }
    return false;
}

// The row in force at pc. Line 0 is code of no line in particular, such as an instruction made of two on different lines: the next row
// that has one is near, or else the one before.
struct search {
    uint64_t pc;
    struct row last, known, found;
    bool inside;
};

static bool search_take(void *data, const struct row *now, bool ends)
{
    struct search *s = data;
    s->inside |= s->last.file && s->pc >= s->last.address && s->pc < now->address;
    if (s->inside && (s->last.line || ends)) {
        s->found = s->last.line ? s->last : s->known;
        return true;
    }
    s->last = *now;
    if (now->line)
        s->known = *now;
    if (ends)
        s->last = s->known = (struct row){0, 0, 0};
    return false;
}

bool line_find(const struct load_image *image, const void *pc, char *out, size_t size)
{
    struct object o;
    if (!find_sections(image, &o))
        return false;
    struct bytes r = {(const uint8_t *)o.data + o.sh[o.line].sh_offset, 0, o.sh[o.line].sh_size, false};
    struct unit u = {.range = 0};
    while (r.p < r.end && unit_read(&r, &u)) {
        struct search s = {.pc = (uint64_t)(uintptr_t)pc};
        if (unit_run(&o, &u, search_take, &s) && s.found.line) {
            file_text(&u, s.found.file, s.found.line, out, size);
            return true;
        }
    }
    return false;
}

struct each {
    const struct unit *unit;
    line_fn *take;
    void *data;
};

static bool each_take(void *data, const struct row *now, bool ends)
{
    struct each *e = data;
    char text[512];
    if (ends || !now->line)
        return false;
    file_text(e->unit, now->file, now->line, text, sizeof text);
    char *colon = strrchr(text, ':');
    if (colon)
        *colon = 0;
    e->take(e->data, now->address, text, (uint32_t)now->line);
    return false;
}

void line_each(const struct load_image *image, line_fn *take, void *data)
{
    struct object o;
    struct unit u = {.range = 0};
    struct each e = {&u, take, data};
    if (!find_sections(image, &o))
        return;
    struct bytes r = {(const uint8_t *)o.data + o.sh[o.line].sh_offset, 0, o.sh[o.line].sh_size, false};
    while (r.p < r.end && unit_read(&r, &u))
        unit_run(&o, &u, each_take, &e);
}
