// SPDX-License-Identifier: Apache-2.0
// cuobjdump: lists and writes out the device code of programs, libraries, objects, archives, fat binaries and images,
// ours and those of NVIDIA's compiler.
#include "base/os.h"
#include "base/xmalloc.h"
#include "fatbin/device_link.h"
#include "front/front.h"
#define TOOL_DEF "binutils/cuobjdump.def"
#include "binutils/table.h"
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EM_CUDA_MACHINE 190

struct dump {
    struct tool *t;
    const char *stem; // of the file at hand
    unsigned ptx, elf, shown;
    struct diag d;
};

// ---- machine code: what its ELF header and sections tell
// The table of sections, from malloc, as it may lie at any address; NULL: there is none.
static Elf64_Shdr *sections_of(const char *data, size_t size, Elf64_Ehdr *h)
{
    if (size < sizeof *h)
        return NULL;
    memcpy(h, data, sizeof *h);
    if (memcmp(h->e_ident, ELFMAG, SELFMAG) || h->e_ident[EI_CLASS] != ELFCLASS64 ||
        h->e_shentsize != sizeof(Elf64_Shdr) || h->e_shoff > size ||
        (uint64_t)h->e_shnum * sizeof(Elf64_Shdr) > size - h->e_shoff || h->e_shstrndx >= h->e_shnum)
        return NULL;
    size_t bytes = (size_t)h->e_shnum * sizeof(Elf64_Shdr);
    return memcpy(xmalloc(bytes), data + h->e_shoff, bytes);
}

static const char *string_at(const char *data, size_t size, const Elf64_Shdr *table, uint32_t offset)
{
    if (table->sh_offset > size || table->sh_size > size - table->sh_offset || offset >= table->sh_size)
        return "";
    const char *s = data + table->sh_offset + offset;
    return memchr(s, 0, table->sh_size - offset) ? s : "";
}

static void elf_print(const char *data, size_t size)
{
    Elf64_Ehdr h;
    Elf64_Shdr *s = sections_of(data, size, &h);
    if (!s) {
        puts("(no ELF file of 64 bits)");
        return;
    }
    printf("\n64bit elf: type=%u, abi=%u, machine=%u, version=%u, flags=0x%x\n", h.e_type, h.e_ident[EI_ABIVERSION],
           h.e_machine, h.e_version, h.e_flags);
    printf("Sections:\nIndex Offset   Size     Type     Name\n");
    for (unsigned i = 1; i < h.e_shnum; i++)
        printf("%5u %8llx %8llx %8x %s\n", i, (unsigned long long)s[i].sh_offset, (unsigned long long)s[i].sh_size,
               s[i].sh_type, string_at(data, size, &s[h.e_shstrndx], s[i].sh_name));
    free(s);
}

static void symbols_print(const char *data, size_t size)
{
    Elf64_Ehdr h;
    Elf64_Shdr *s = sections_of(data, size, &h);
    puts("symbols:");
    for (unsigned i = 0; s && i < h.e_shnum; i++) {
        if (s[i].sh_type != SHT_SYMTAB || s[i].sh_link >= h.e_shnum || s[i].sh_offset > size ||
            s[i].sh_size > size - s[i].sh_offset)
            continue;
        for (size_t k = 1; k < s[i].sh_size / sizeof(Elf64_Sym); k++) {
            Elf64_Sym y;
            memcpy(&y, data + s[i].sh_offset + k * sizeof y, sizeof y);
            static const char *const type[] = {"NOTYPE", "OBJECT", "FUNC", "SECTION", "FILE"};
            static const char *const bind[] = {"LOCAL", "GLOBAL", "WEAK"};
            unsigned tp = ELF64_ST_TYPE(y.st_info), b = ELF64_ST_BIND(y.st_info);
            printf("STT_%-8s STB_%-6s %s\n", tp < 5 ? type[tp] : "OTHER", b < 3 ? bind[b] : "OTHER",
                   string_at(data, size, &s[s[i].sh_link], y.st_name));
        }
    }
    free(s);
}

// ---- PTX
// All of the text, or the kernels that -fun names.
static void ptx_print(const struct dump *p, const char *text)
{
    const struct texts *names = &p->t->values[OPT_FUNCTION];
    if (!names->len) {
        printf("\n%s\n", text);
        return;
    }
    for (const char *q = text; (q = strstr(q, ".entry ")); q++) {
        const char *name = q + strlen(".entry "), *start = q, *end = strstr(q, "\n}");
        while (start > text && start[-1] != '\n')
            start--;
        if (end && str_is_any(name, strcspn(name, "( \t\n"), names->data, names->len))
            printf("\n%.*s\n", (int)(end + 2 - start), start);
    }
}

static void entry_head(const struct fatbin_entry *e, const char *kind)
{
    printf("\nFatbin %s code:\n================\narch = sm_%u\ncode version = [%u,%u]\nhost = %s\ncompile_size = %s\n",
           kind, e->sm, e->ptx_major, e->ptx_minor, e->flags & FATBIN_LINUX ? "linux" : "unknown",
           e->flags & FATBIN_64BIT ? "64bit" : "32bit");
    if (e->flags & FATBIN_DEBUG)
        puts("has debug info");
    if (e->flags & (FATBIN_LZ4 | FATBIN_ZSTD))
        puts("compressed");
    if (e->name)
        printf("identifier = %.*s\n", (int)e->name_size, e->name);
}

// The name of an image among those of its file, and whether an option that lists or extracts means it.
static const char *entry_name(struct dump *p, const struct fatbin_entry *e, bool ptx)
{
    return arena_printf(&p->t->arena, "%s.%u.sm_%u.%s", p->stem, ptx ? p->ptx : p->elf, e->sm, ptx ? "ptx" : "cubin");
}

static bool entry_extract(struct dump *p, const char *name, const char *part, const char *data, size_t size)
{
    if (!part || (strcmp(part, "all") && !strstr(name, part)))
        return true;
    printf("Extracting file: %s\n", name);
    return tool_file_write(p->t, name, data, size);
}

static bool entry_show(struct dump *p, const struct fatbin_entry *e)
{
    struct tool *t = p->t;
    const char *arch = tool_value(t, OPT_ARCH);
    struct target target = {e->sm, ""};
    struct target only;
    bool ptx = e->kind == FATBIN_PTX, ok = true;
    if (arch && (!target_parse(&only, arch) || only.sm != e->sm))
        return true;
    p->shown++;
    *(ptx ? &p->ptx : &p->elf) += 1;
    const char *name = entry_name(p, e, ptx);
    size_t size;
    char *data = fatbin_entry_read(e, &size, &p->d);
    if (!data)
        return false;
    bool listing = tool_has(t, OPT_LIST_PTX) || tool_has(t, OPT_LIST_ELF) || tool_has(t, OPT_EXTRACT_PTX) ||
                   tool_has(t, OPT_EXTRACT_ELF);
    if (listing) {
        if (tool_has(t, ptx ? OPT_LIST_PTX : OPT_LIST_ELF))
            printf("%s file %4u: %s\n", ptx ? "PTX" : "ELF", ptx ? p->ptx : p->elf, name);
        ok = entry_extract(p, name, tool_value(t, ptx ? OPT_EXTRACT_PTX : OPT_EXTRACT_ELF), data, size);
    } else if (ptx) {
        entry_head(e, "ptx");
        if (tool_has(t, OPT_DUMP_PTX))
            ptx_print(p, data);
        if (tool_has(t, OPT_USAGE)) {
            struct str report = {0};
            front_usage(&report, data, size, &target);
            printf("\n%s", str_text(&report));
            str_free(&report);
        }
    } else {
        entry_head(e, e->kind == FATBIN_ELF ? "elf" : "lto");
        if (tool_has(t, OPT_DUMP_ELF) && e->kind == FATBIN_ELF)
            elf_print(data, size);
        if (tool_has(t, OPT_DUMP_SYMBOLS) && e->kind == FATBIN_ELF)
            symbols_print(data, size);
    }
    free(data);
    return ok;
}

static bool units_show(struct dump *p, const struct object_fatbin *f)
{
    struct device_units units = {0};
    bool ok = device_units_split(&units, f, &p->d);
    for (size_t i = 0; ok && i < units.len; i++)
        for (size_t k = 0; ok && k < units.data[i].fatbin.entries.len; k++)
            ok = entry_show(p, &units.data[i].fatbin.entries.data[k]);
    device_units_fini(&units);
    return ok;
}

// A file of machine code alone, as NVIDIA's assembler makes it: shown as the one image of a fat binary.
static bool cubin_show(struct dump *p, const char *data, size_t size)
{
    Elf64_Ehdr h;
    memcpy(&h, data, sizeof h);
    // The target is in the second byte of the flags; before ABI version 8 it was in the first.
    unsigned sm = h.e_ident[EI_ABIVERSION] >= 8 ? (h.e_flags >> 8) & 0xff : h.e_flags & 0xff;
    struct fatbin_entry e = {.kind = FATBIN_ELF,
                             .sm = sm,
                             .ptx_major = 1,
                             .ptx_minor = h.e_ident[EI_ABIVERSION],
                             .flags = FATBIN_64BIT | FATBIN_LINUX,
                             .payload = data,
                             .payload_size = size,
                             .full_size = size};
    return entry_show(p, &e);
}

static bool file_show(struct tool *t, const char *path)
{
    struct dump p = {.t = t};
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path, *dot = strrchr(base, '.');
    p.stem = arena_strndup(&t->arena, base, dot && dot != base ? (size_t)(dot - base) : strlen(base));
    size_t size;
    char *data = tool_file_read(t, path, &size);
    if (!data)
        return false;
    diag_init(&p.d, path);
    struct objects o = {.arena = &t->arena, .all = true};
    Elf64_Ehdr h;
    bool elf = size >= sizeof h && !memcmp(data, ELFMAG, SELFMAG), ok;
    if (elf)
        memcpy(&h, data, sizeof h);
    if (fatbin_is(data, size)) {
        struct object_fatbin f = {path, data, size, false};
        ok = units_show(&p, &f);
    } else if (elf && h.e_machine == EM_CUDA_MACHINE) {
        ok = cubin_show(&p, data, size);
    } else {
        ok = objects_read(&o, path, &p.d);
        for (size_t i = 0; ok && i < o.fatbins.len; i++)
            ok = units_show(&p, &o.fatbins.data[i]);
    }
    tool_print_messages(t, str_text(&p.d.text));
    if (ok && !p.shown)
        printf("%s info    : '%s' has no device code%s\n", t->name, path,
               tool_has(t, OPT_ARCH) ? " for that target" : "");
    objects_fini(&o);
    diag_fini(&p.d);
    free(data);
    return ok;
}

static bool files_show(struct tool *t)
{
    bool ok = t->inputs.len || tool_error(t, "no input file; --help lists the options");
    for (size_t i = 0; ok && i < t->inputs.len; i++)
        ok = file_show(t, t->inputs.data[i]);
    return ok;
}

int main(int argc, char **argv)
{
    struct tool t = TOOL("cuobjdump", "Lists and writes out the device code of programs, libraries, objects, archives, "
                                      "fat binaries and images.");
    return tool_main(&t, argc, argv, files_show);
}
