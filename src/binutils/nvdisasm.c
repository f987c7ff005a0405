// SPDX-License-Identifier: Apache-2.0
// nvdisasm: lists what kernels are made of. Of an image of ours, a fat binary, that is PTX; of compiled code, as the disk cache keeps it, the
// host's instructions. NVIDIA's machine code is refused by name.
#include "fatbin/fatbin_read.h"
#include "front/front.h"
#include "jit/jit.h"
#define TOOL_DEF "binutils/nvdisasm.def"
#include "binutils/table.h"
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EM_CUDA_MACHINE 190

struct object {
    struct tool *t;
    const char *path, *data;
    size_t size;
    Elf64_Ehdr head;
    Elf64_Shdr *sections; // a copy, as the table may lie at any address
    uint64_t base;
    const Elf64_Shdr *section; // being listed, and what of it
    uint64_t from;
    struct diag d;
};

static bool inside(const struct object *o, uint64_t at, uint64_t size)
{
    return at <= o->size && size <= o->size - at;
}

static const char *string_at(const struct object *o, unsigned table, uint64_t offset)
{
    const Elf64_Shdr *s = table < o->head.e_shnum ? &o->sections[table] : NULL;
    if (!s || s->sh_type != SHT_STRTAB || !inside(o, s->sh_offset, s->sh_size) || offset >= s->sh_size)
        return "";
    const char *text = o->data + s->sh_offset + offset;
    return memchr(text, 0, s->sh_size - offset) ? text : "";
}

static bool head_read(struct object *o)
{
    if (o->size < sizeof o->head)
        return false;
    memcpy(&o->head, o->data, sizeof o->head);
    uint64_t bytes = (uint64_t)o->head.e_shnum * sizeof(Elf64_Shdr);
    if (memcmp(o->head.e_ident, ELFMAG, SELFMAG) || o->head.e_ident[EI_CLASS] != ELFCLASS64 ||
        o->head.e_shentsize != sizeof(Elf64_Shdr) || !bytes || !inside(o, o->head.e_shoff, bytes))
        return false;
    o->sections = arena_alloc(&o->t->arena, bytes);
    memcpy(o->sections, o->data + o->head.e_shoff, bytes);
    return true;
}

// ---- relocations, by their place in the section

struct relocation {
    uint64_t at;
    const char *symbol;
    int64_t addend;
};
struct relocations VEC(struct relocation);

static void relocations_read(const struct object *o, unsigned section, struct relocations *out)
{
    for (unsigned i = 1; i < o->head.e_shnum; i++) {
        const Elf64_Shdr *s = &o->sections[i];
        if (s->sh_type != SHT_RELA || s->sh_info != section || !inside(o, s->sh_offset, s->sh_size) ||
            s->sh_link >= o->head.e_shnum)
            continue;
        const Elf64_Shdr *symbols = &o->sections[s->sh_link];
        if (!inside(o, symbols->sh_offset, symbols->sh_size))
            continue;
        for (uint64_t k = 0; k < s->sh_size / sizeof(Elf64_Rela); k++) {
            Elf64_Rela r;
            Elf64_Sym y;
            memcpy(&r, o->data + s->sh_offset + k * sizeof r, sizeof r);
            uint64_t n = ELF64_R_SYM(r.r_info);
            if (n >= symbols->sh_size / sizeof y)
                continue;
            memcpy(&y, o->data + symbols->sh_offset + n * sizeof y, sizeof y);
            const char *name = string_at(o, symbols->sh_link, y.st_name);
            if (!*name && y.st_shndx < o->head.e_shnum)
                name = string_at(o, o->head.e_shstrndx, o->sections[y.st_shndx].sh_name);
            vec_push(out, ((struct relocation){r.r_offset, name, r.r_addend}));
        }
    }
}

struct listing {
    const struct object *o;
    const struct relocations *relocations;
    const uint8_t *code;
    uint64_t from;
};

static void print_instruction(void *data, size_t at, size_t bytes, const char *text)
{
    const struct listing *l = data;
    uint64_t place = l->from + at;
    printf("        /*%04llx*/                   %s ;", (unsigned long long)(l->o->base + place), text);
    for (size_t i = 0; i < l->relocations->len; i++) {
        const struct relocation *r = &l->relocations->data[i];
        if (r->at >= place && r->at < place + bytes)
            printf(" // %s%+lld", r->symbol, (long long)r->addend);
    }
    if (tool_has(l->o->t, OPT_HEX)) {
        printf(" /*");
        for (size_t i = 0; i < bytes; i++)
            printf(" %02x", l->code[at + i]);
        printf(" */");
    }
    putchar('\n');
}

static bool function_list(struct object *o, unsigned section, const char *name, uint64_t from, uint64_t size)
{
    const Elf64_Shdr *s = &o->sections[section];
    const struct texts *only = &o->t->values[OPT_FUNCTION];
    if (only->len && !str_is_any(name, strlen(name), only->data, only->len))
        return true;
    struct relocations relocations = {0};
    relocations_read(o, section, &relocations);
    enum jit_machine machine = o->head.e_machine == EM_X86_64 ? JIT_MACHINE_X86_64 : JIT_MACHINE_AARCH64;
    struct listing l = {o, &relocations, (const uint8_t *)o->data + s->sh_offset + from, from};
    printf("\n.text.%s:\n", name);
    bool ok = jit_disassemble(machine, l.code, size, print_instruction, &l, &o->d);
    vec_free(&relocations);
    return ok;
}

struct function {
    unsigned section;
    uint64_t from, size;
    const char *name;
};

static int by_place(const void *a, const void *b)
{
    const struct function *x = a, *y = b;
    if (x->section != y->section)
        return x->section < y->section ? -1 : 1;
    return x->from < y->from ? -1 : x->from > y->from;
}

static bool functions_list(struct object *o)
{
    struct VEC(struct function) list = {0};
    bool ok = true;
    for (unsigned i = 1; i < o->head.e_shnum; i++) {
        const Elf64_Shdr *s = &o->sections[i];
        if (s->sh_type != SHT_SYMTAB || !inside(o, s->sh_offset, s->sh_size))
            continue;
        for (uint64_t k = 1; k < s->sh_size / sizeof(Elf64_Sym); k++) {
            Elf64_Sym y;
            memcpy(&y, o->data + s->sh_offset + k * sizeof y, sizeof y);
            if (ELF64_ST_TYPE(y.st_info) != STT_FUNC || y.st_shndx >= o->head.e_shnum)
                continue;
            const Elf64_Shdr *code = &o->sections[y.st_shndx];
            bool good = code->sh_type == SHT_PROGBITS && inside(o, code->sh_offset, code->sh_size) &&
                        y.st_value <= code->sh_size && y.st_size <= code->sh_size - y.st_value;
            if (good)
                vec_push(&list,
                         ((struct function){y.st_shndx, y.st_value, y.st_size, string_at(o, s->sh_link, y.st_name)}));
        }
    }
    if (list.len)
        qsort(list.data, list.len, sizeof *list.data, by_place);
    for (size_t i = 0; ok && i < list.len; i++)
        ok = function_list(o, list.data[i].section, list.data[i].name, list.data[i].from, list.data[i].size);
    vec_free(&list);
    return ok;
}

static bool object_list(struct tool *t, const char *path, const char *data, size_t size)
{
    struct object o = {.t = t, .path = path, .data = data, .size = size};
    if (!head_read(&o))
        return tool_error(t, "'%s' is no ELF file of 64 bits with sections", path);
    if (o.head.e_machine == EM_CUDA_MACHINE)
        return tool_error(t, "'%s' is machine code of NVIDIA's, for which there is no disassembler", path);
    if (o.head.e_machine != EM_X86_64 && o.head.e_machine != EM_AARCH64)
        return tool_error(t, "'%s' is code for a processor that is not known (%u)", path, o.head.e_machine);
    const char *base = tool_value(t, OPT_BASE);
    o.base = base ? strtoull(base, NULL, 0) : 0;
    if (!tool_has(t, OPT_CODE)) {
        printf("\t.headerflags\t@\"%s\"\n", o.head.e_machine == EM_X86_64 ? "EM_X86_64" : "EM_AARCH64");
        for (unsigned i = 1; i < o.head.e_shnum; i++)
            printf("\t.section\t%s // %llu bytes\n", string_at(&o, o.head.e_shstrndx, o.sections[i].sh_name),
                   (unsigned long long)o.sections[i].sh_size);
    }
    diag_init(&o.d, path);
    bool ok = functions_list(&o);
    tool_print_messages(t, str_text(&o.d.text));
    diag_fini(&o.d);
    return ok;
}

// An image of ours.
static bool image_list(struct tool *t, const char *path, const char *data, size_t size)
{
    struct diag d;
    struct fatbin f;
    diag_init(&d, path);
    bool ok = fatbin_read(data, size, &f, &d);
    for (size_t i = 0; ok && i < f.entries.len; i++) {
        const struct fatbin_entry *e = &f.entries.data[i];
        size_t n;
        if (e->kind != FATBIN_PTX) {
            ok = tool_error(t, "'%s' is machine code of NVIDIA's for sm_%u, for which there is no disassembler", path,
                            e->sm);
            break;
        }
        char *text = fatbin_entry_read(e, &n, &d);
        ok = text != NULL;
        if (ok)
            printf("// PTX for sm_%u\n%s\n", e->sm, text);
        free(text);
    }
    if (f.entries.len)
        fatbin_fini(&f);
    tool_print_messages(t, str_text(&d.text));
    diag_fini(&d);
    return ok;
}

// A file of the disk cache has the object behind a head of its own.
static bool file_list(struct tool *t, const char *path)
{
    enum { HEAD_MOST = 4096 };
    static const char cached[] = {'H', 'E', 'D', 'D', 'L', 'E', 'C'};
    size_t size;
    char *data = tool_file_read(t, path, &size);
    if (!data)
        return false;
    const char *elf = data;
    if (size >= sizeof cached && !memcmp(data, cached, sizeof cached))
        elf = memmem(data, size < HEAD_MOST ? size : HEAD_MOST, ELFMAG, SELFMAG);
    bool ok = !elf                    ? tool_error(t, "'%s' holds no code", path)
              : fatbin_is(data, size) ? image_list(t, path, data, size)
                                      : object_list(t, path, elf, size - (size_t)(elf - data));
    free(data);
    return ok;
}

static bool run(struct tool *t)
{
    bool ok = t->inputs.len || tool_error(t, "no input file; --help lists the options");
    for (size_t i = 0; ok && i < t->inputs.len; i++)
        ok = file_list(t, t->inputs.data[i]);
    return ok;
}

int main(int argc, char **argv)
{
    struct tool t =
        TOOL("nvdisasm",
             "Lists an image as PTX, and compiled kernels (files of the disk cache, objects) as the instructions of "
             "their processor.");
    return tool_main(&t, argc, argv, run);
}
