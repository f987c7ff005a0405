// SPDX-License-Identifier: Apache-2.0
// See load.h. LLVM's own linkers would do, but they need LLVM in the process: with a warm cache a program starts, maps its
// kernels with this file and never opens it. Generated code refers to globals and to the engine through struct jit_launch,
// so relocations are few: to the object's own constants, and calls of libc and libm functions that LLVM chose. Those go
// through stubs, since the libraries may be further away than a branch reaches.
#include "jit/host/load.h"
#include "jit/abi/wrapped.h"
#include "jit/abi/run.h"
#include <errno.h>
#include <dlfcn.h>
#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__aarch64__)
enum { MACHINE = EM_AARCH64, ABSOLUTE = R_AARCH64_ABS64, RELATIVE = R_AARCH64_PREL64 };
#elif defined(__x86_64__)
enum { MACHINE = EM_X86_64, ABSOLUTE = R_X86_64_64, RELATIVE = R_X86_64_PC64 };
#else
#error "Heddle runs on x86-64 and AArch64"
#endif
enum { STUB_BYTES = 16 };

struct loader {
    const char *data;
    size_t size;
    const Elf64_Ehdr *eh;
    Elf64_Shdr *sh; // in the writable copy
    const Elf64_Sym *syms;
    size_t nsyms;
    const char *names;
    size_t names_size;
    char *base;
    size_t *offset; // by section: offset in the image, or SIZE_MAX
    struct table {
        size_t at, bytes, used, cap; // in the image, of a cell, cells
    } got, stubs;
    struct diag *d;
};

// 128-bit division and half-precision conversion come from the compiler's own library, which dlsym does not see.
extern __int128 __divti3(__int128, __int128), __modti3(__int128, __int128);
extern unsigned __int128 __udivti3(unsigned __int128, unsigned __int128),
    __umodti3(unsigned __int128, unsigned __int128);
#if defined(__x86_64__) // called where the processor lacks F16C
extern float __extendhfsf2(_Float16);
extern _Float16 __truncsfhf2(float), __truncdfhf2(double);
#endif

static const struct {
    const char *name;
    void *address;
} builtins[] = {{"__divti3", (void *)__divti3},
                {"__modti3", (void *)__modti3},
                {"__udivti3", (void *)__udivti3},
                {"__umodti3", (void *)__umodti3},
                {"memcpy", (void *)memcpy},
                {"memset", (void *)memset},
                {"memmove", (void *)memmove},
#if defined(__x86_64__)
                {"__extendhfsf2", (void *)__extendhfsf2},
                {"__truncsfhf2", (void *)__truncsfhf2},
                {"__truncdfhf2", (void *)__truncdfhf2},
#endif
#define ENGINE_FUNCTION(name) {#name, (void *)name},
                RESUME_FUNCTIONS(ENGINE_FUNCTION) OUTLINED_FUNCTIONS(ENGINE_FUNCTION)};

static bool bad(struct loader *l, const char *what)
{
    return diag_fail(l->d, DIAG_INTERNAL, "compiled object: %s", what);
}

static bool in_bounds(const struct loader *l, uint64_t at, uint64_t n)
{
    return at <= l->size && n <= l->size - at;
}

static bool read_headers(struct loader *l, char *copy)
{
    l->eh = (const Elf64_Ehdr *)copy;
    if (l->size < sizeof *l->eh || memcmp(copy, ELFMAG, SELFMAG) || l->eh->e_ident[EI_CLASS] != ELFCLASS64 ||
        l->eh->e_type != ET_REL || l->eh->e_machine != MACHINE || l->eh->e_shentsize != sizeof(Elf64_Shdr))
        return bad(l, "not an object of this machine");
    if (!in_bounds(l, l->eh->e_shoff, (uint64_t)l->eh->e_shnum * sizeof(Elf64_Shdr)) || l->eh->e_shoff % 8)
        return bad(l, "section table out of bounds");
    l->sh = (Elf64_Shdr *)(copy + l->eh->e_shoff);
    for (unsigned i = 0; i < l->eh->e_shnum; i++) {
        const Elf64_Shdr *s = &l->sh[i];
        if (s->sh_type != SHT_NOBITS && !in_bounds(l, s->sh_offset, s->sh_size))
            return bad(l, "section out of bounds");
        if (s->sh_addralign > 4096 || s->sh_size > (1ull << 30))
            return bad(l, "section too large");
        if (s->sh_type != SHT_SYMTAB)
            continue;
        if (s->sh_link >= l->eh->e_shnum || s->sh_offset % 8)
            return bad(l, "symbol table");
        l->syms = (const Elf64_Sym *)(l->data + s->sh_offset);
        l->nsyms = s->sh_size / sizeof(Elf64_Sym);
        const Elf64_Shdr *t = &l->sh[s->sh_link];
        l->names = l->data + t->sh_offset;
        l->names_size = t->sh_size;
        if (!l->names_size || l->names[l->names_size - 1])
            return bad(l, "string table");
    }
    return l->syms ? true : bad(l, "no symbols");
}

// Order of sections in the image: code first, then everything that is only read or written by nobody but us.
static int group(const Elf64_Shdr *s)
{
    return !(s->sh_flags & SHF_ALLOC) ? -1 : s->sh_flags & SHF_EXECINSTR ? 0 : 1;
}

static size_t align_up(size_t n, size_t a)
{
    return a > 1 ? (n + a - 1) / a * a : n;
}

static size_t count_relocs(const struct loader *l)
{
    size_t n = 0;
    for (unsigned i = 0; i < l->eh->e_shnum; i++)
        if (l->sh[i].sh_type == SHT_RELA)
            n += l->sh[i].sh_size / sizeof(Elf64_Rela);
    return n;
}

// Lays the sections out, maps memory and copies them in.
static bool lay_out(struct loader *l, struct load_image *out)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), at = 0;
    l->offset = calloc(l->eh->e_shnum + 1u, sizeof *l->offset);
    if (!l->offset)
        return diag_lacks_memory(l->d);
    for (int g = 0; g < 2; g++) {
        for (unsigned i = 0; i < l->eh->e_shnum; i++) {
            if (group(&l->sh[i]) != g)
                continue;
            at = align_up(at, l->sh[i].sh_addralign);
            l->offset[i] = at;
            at += l->sh[i].sh_size;
        }
        if (g == 0) { // stubs belong to the code
            size_t externs = 0;
            for (size_t i = 0; i < l->nsyms; i++)
                externs += l->syms[i].st_shndx == SHN_UNDEF;
            l->stubs = (struct table){at = align_up(at, 16), STUB_BYTES, 0, externs};
            at = align_up(at + externs * STUB_BYTES, page);
            out->code_size = at;
        }
    }
    l->got = (struct table){at = align_up(at, 16), 8, 0, count_relocs(l)};
    at = align_up(at + l->got.cap * 8, page);
    out->size = at ? at : page;
    out->base = mmap(NULL, out->size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (out->base == MAP_FAILED) {
        out->base = NULL;
        return diag_lacks_memory(l->d);
    }
    l->base = out->base;
    for (unsigned i = 0; i < l->eh->e_shnum; i++) {
        if (group(&l->sh[i]) < 0)
            continue;
        l->sh[i].sh_addr = (Elf64_Addr)(l->base + l->offset[i]);
        if (l->sh[i].sh_type != SHT_NOBITS)
            memcpy(l->base + l->offset[i], l->data + l->sh[i].sh_offset, l->sh[i].sh_size);
    }
    return true;
}

static void *extern_address(const char *name)
{
    for (size_t i = 0; i < sizeof builtins / sizeof *builtins; i++)
        if (!strcmp(builtins[i].name, name))
            return builtins[i].address;
    return dlsym(RTLD_DEFAULT, name);
}

static bool symbol_address(struct loader *l, size_t index, char **out, bool *external)
{
    if (index >= l->nsyms)
        return bad(l, "symbol index");
    const Elf64_Sym *s = &l->syms[index];
    *external = false;
    if (s->st_shndx == SHN_ABS) {
        *out = (char *)s->st_value;
        return true;
    }
    if (s->st_shndx == SHN_UNDEF) {
        if (s->st_name >= l->names_size)
            return bad(l, "symbol name");
        *external = true;
        *out = extern_address(l->names + s->st_name);
        return *out || !*(l->names + s->st_name)
                   ? true
                   : diag_fail(l->d, DIAG_INTERNAL, "compiled object: function '%s' is unknown", l->names + s->st_name);
    }
    if (s->st_shndx >= l->eh->e_shnum || group(&l->sh[s->st_shndx]) < 0 || s->st_value > l->sh[s->st_shndx].sh_size)
        return bad(l, "symbol section");
    *out = l->base + l->offset[s->st_shndx] + s->st_value;
    return true;
}

// The cell of a table that holds the target, at `at` in each: one that is there or a new one; NULL: the table is full.
static char *cell_for(struct loader *l, struct table *t, size_t at, char *target)
{
    char *cell = l->base + t->at;
    for (size_t i = 0; i < t->used; i++, cell += t->bytes)
        if (!memcmp(cell + at, &target, 8))
            return cell;
    if (t->used == t->cap)
        return NULL;
    t->used++;
    memcpy(cell + at, &target, 8);
    return cell;
}

// Code that jumps to the address behind it.
static char *stub_for(struct loader *l, char *target)
{
    char *s = cell_for(l, &l->stubs, 8, target);
    if (!s)
        return NULL;
#if defined(__aarch64__)
    memcpy(s, (uint32_t[]){0x58000050, 0xd61f0200}, 8); // ldr x16, .+8; br x16
#else
    memcpy(s, (uint8_t[]){0xff, 0x25, 0x02, 0, 0, 0, 0x90, 0x90}, 8); // jmp *2(%rip): the cell at +8
#endif
    return s;
}

static char *got_for(struct loader *l, char *target)
{
    return cell_for(l, &l->got, 0, target);
}

static bool fits(int64_t v, int bits)
{
    return v >= -(1ll << (bits - 1)) && v < 1ll << (bits - 1);
}

#if defined(__aarch64__)
static void patch(char *at, uint32_t mask, uint32_t value)
{
    uint32_t w;
    memcpy(&w, at, 4);
    w = (w & ~mask) | (value & mask);
    memcpy(at, &w, 4);
}

static bool page_relative(char *at, int64_t to)
{
    int64_t v = ((to & ~0xfffll) - ((int64_t)at & ~0xfffll)) >> 12;
    patch(at, 0x60ffffe0, (uint32_t)((v & 3) << 29 | ((v >> 2) & 0x7ffff) << 5));
    return fits(v, 21);
}

// The low 12 bits, in an access of 1 << shift bytes.
static bool page_offset(char *at, int64_t to, unsigned shift)
{
    patch(at, 0x003ffc00, (uint32_t)((to & 0xfff) >> shift) << 10);
    return true;
}

static bool apply(struct loader *l, char *at, unsigned type, char *target, int64_t addend, bool external)
{
    int64_t to = (int64_t)target + addend, rel = to - (int64_t)at;
    switch (type) {
    case R_AARCH64_PREL32:
        memcpy(at, &rel, 4);
        return fits(rel, 32);
    case R_AARCH64_CALL26:
    case R_AARCH64_JUMP26:
        if (external) {
            char *s = stub_for(l, target);
            if (!s)
                return false;
            rel = s - at;
        }
        patch(at, 0x03ffffff, (uint32_t)(rel >> 2));
        return fits(rel, 28);
    case R_AARCH64_ADR_PREL_PG_HI21:
    case R_AARCH64_ADR_PREL_PG_HI21_NC:
        return page_relative(at, to);
    case R_AARCH64_ADR_PREL_LO21:
        patch(at, 0x60ffffe0, (uint32_t)((rel & 3) << 29 | ((rel >> 2) & 0x7ffff) << 5));
        return fits(rel, 21);
    case R_AARCH64_ADD_ABS_LO12_NC:
    case R_AARCH64_LDST8_ABS_LO12_NC:
        return page_offset(at, to, 0);
    case R_AARCH64_LDST16_ABS_LO12_NC:
        return page_offset(at, to, 1);
    case R_AARCH64_LDST32_ABS_LO12_NC:
        return page_offset(at, to, 2);
    case R_AARCH64_LDST64_ABS_LO12_NC:
        return page_offset(at, to, 3);
    case R_AARCH64_LDST128_ABS_LO12_NC:
        return page_offset(at, to, 4);
    case R_AARCH64_ADR_GOT_PAGE:
    case R_AARCH64_LD64_GOT_LO12_NC: {
        int64_t cell = (int64_t)got_for(l, target + addend);
        return cell && (type == R_AARCH64_ADR_GOT_PAGE ? page_relative(at, cell) : page_offset(at, cell, 3));
    }
    }
    return diag_fail(l->d, DIAG_INTERNAL, "compiled object: relocation type %u", type);
}
#else
static bool apply(struct loader *l, char *at, unsigned type, char *target, int64_t addend, bool external)
{
    switch (type) {
    case R_X86_64_PLT32:
    case R_X86_64_PC32:
        target = external ? stub_for(l, target) : target;
        break;
    case R_X86_64_GOTPCREL:
    case R_X86_64_GOTPCRELX:
    case R_X86_64_REX_GOTPCRELX:
        target = got_for(l, target);
        break;
    default:
        return diag_fail(l->d, DIAG_INTERNAL, "compiled object: relocation type %u", type);
    }
    int64_t rel = target + addend - at;
    memcpy(at, &rel, 4);
    return target && fits(rel, 32);
}
#endif

static bool relocate(struct loader *l)
{
    for (unsigned i = 0; i < l->eh->e_shnum; i++) {
        const Elf64_Shdr *s = &l->sh[i];
        if (s->sh_type != SHT_RELA || s->sh_info >= l->eh->e_shnum || group(&l->sh[s->sh_info]) < 0)
            continue;
        const Elf64_Rela *r = (const Elf64_Rela *)(l->data + s->sh_offset);
        for (size_t k = 0; k < s->sh_size / sizeof *r; k++) {
            char *target = NULL;
            bool external = false;
            unsigned type = ELF64_R_TYPE(r[k].r_info);
            uint64_t room = l->sh[s->sh_info].sh_size;
            bool word = type == ABSOLUTE || type == RELATIVE; // else an instruction's
            if (r[k].r_offset > room || room - r[k].r_offset < (word ? 8 : 4))
                return bad(l, "relocation out of bounds");
            if (!symbol_address(l, ELF64_R_SYM(r[k].r_info), &target, &external))
                return false;
            char *at = l->base + l->offset[s->sh_info] + r[k].r_offset;
            if (word) {
                int64_t to = (int64_t)target + r[k].r_addend - (type == RELATIVE ? (int64_t)at : 0);
                memcpy(at, &to, 8);
            } else if (!apply(l, at, type, target, r[k].r_addend, external)) {
                return l->d->errors ? false : bad(l, "relocation out of range");
            }
        }
    }
    return true;
}

bool load_object(const void *data, size_t size, struct load_image *out, struct diag *d)
{
    struct loader l = {.data = data, .size = size, .d = d};
    *out = (struct load_image){0};
    char *copy = malloc(size ? size : 1);
    if (!copy)
        return diag_lacks_memory(d);
    memcpy(copy, data, size);
    l.data = copy;
    bool ok = read_headers(&l, copy) && lay_out(&l, out) && relocate(&l);
    if (ok && mprotect(out->base, out->code_size, PROT_READ | PROT_EXEC))
        ok = errno == ENOMEM ? diag_lacks_memory(d) : bad(&l, "cannot make memory executable");
    free(l.offset);
    out->object = copy;
    out->object_size = size;
    if (!ok) {
        load_release(out);
        return false;
    }
    __builtin___clear_cache(out->base, out->base + out->code_size);
    return true;
}

void *load_symbol(const struct load_image *image, const char *name)
{
    const Elf64_Ehdr *eh = (const Elf64_Ehdr *)image->object;
    const Elf64_Shdr *sh = (const Elf64_Shdr *)(image->object + eh->e_shoff);
    for (unsigned i = 0; i < eh->e_shnum; i++) {
        if (sh[i].sh_type != SHT_SYMTAB)
            continue;
        const Elf64_Sym *s = (const Elf64_Sym *)(image->object + sh[i].sh_offset);
        const char *names = image->object + sh[sh[i].sh_link].sh_offset;
        for (size_t k = 0; k < sh[i].sh_size / sizeof *s; k++)
            if (s[k].st_shndx && s[k].st_shndx < eh->e_shnum && s[k].st_name < sh[sh[i].sh_link].sh_size &&
                sh[s[k].st_shndx].sh_addr && !strcmp(names + s[k].st_name, name))
                return (char *)sh[s[k].st_shndx].sh_addr + s[k].st_value;
    }
    return NULL;
}

void load_release(struct load_image *image)
{
    if (image->base)
        munmap(image->base, image->size);
    free(image->object);
    *image = (struct load_image){0};
}
