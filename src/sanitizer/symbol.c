// SPDX-License-Identifier: Apache-2.0
// Names of functions: the symbols of a file, those that are not exported too, and C++'s names as their sources have them.
#include "sanitizer/sanitizer.h"
#include "base/tool/demangle.h"
#include "base/os.h"
#include "base/vec.h"
#include "base/xmalloc.h"
#include <dlfcn.h>
#include <elf.h>
#include <stdlib.h>
#include <string.h>

struct file {
    char *path, *data;
    size_t size;
    uint64_t base; // the address that its first segment asks for
    struct file *next;
};

static const void *part(const struct file *f, uint64_t at, uint64_t bytes)
{
    return at <= f->size && bytes <= f->size - at ? f->data + at : NULL;
}

static const Elf64_Ehdr *header(const struct file *f)
{
    const Elf64_Ehdr *h = part(f, 0, sizeof *h);
    return h && !memcmp(h->e_ident, ELFMAG, SELFMAG) && h->e_ident[EI_CLASS] == ELFCLASS64 ? h : NULL;
}

static struct file *open_file(const char *path)
{
    static struct file *files;
    for (struct file *f = files; f; f = f->next)
        if (!strcmp(f->path, path))
            return f;
    struct file *f = xcalloc(1, sizeof *f);
    f->path = xstrdup(path);
    f->data = os_file_read(path, &f->size);
    f->size = f->data ? f->size : 0;
    const Elf64_Ehdr *h = header(f);
    const Elf64_Phdr *p = h ? part(f, h->e_phoff, (uint64_t)h->e_phnum * sizeof *p) : NULL;
    for (unsigned i = 0; p && i < h->e_phnum; i++)
        if (p[i].p_type == PT_LOAD) {
            f->base = p[i].p_vaddr & ~(uint64_t)4095;
            break;
        }
    f->next = files;
    files = f;
    return f;
}

static const char *find_in(const struct file *f, const Elf64_Shdr *table, const Elf64_Shdr *strings, uint64_t address)
{
    const Elf64_Sym *s = part(f, table->sh_offset, table->sh_size);
    const char *names = part(f, strings->sh_offset, strings->sh_size);
    for (size_t i = 0; s && names && i < table->sh_size / sizeof *s; i++)
        if (ELF64_ST_TYPE(s[i].st_info) == STT_FUNC && address - s[i].st_value < s[i].st_size &&
            s[i].st_name < strings->sh_size)
            return names + s[i].st_name;
    return NULL;
}

// A function as its source has it: without the compiler's mark on a part that it split off; inside libcudart functions have names of
// their own (src/runtime/told.c).
static const char *plain_name(const char *name)
{
    static const char *const inner[] = {"rt_call_", "told_"};
    static struct texts kept;
    for (size_t i = 0; i < sizeof inner / sizeof *inner; i++)
        if (!strncmp(name, inner[i], strlen(inner[i])))
            name += strlen(inner[i]);
    const char *split = strstr(name, ".cold");
    if (!split)
        return name;
    vec_push(&kept, strndup(name, (size_t)(split - name)));
    return kept.data[kept.len - 1];
}

const char *symbol_at(const char *path, unsigned long long offset)
{
    const struct file *f = open_file(path);
    const Elf64_Ehdr *h = header(f);
    const Elf64_Shdr *s = h ? part(f, h->e_shoff, (uint64_t)h->e_shnum * sizeof *s) : NULL;
    const char *name = NULL;
    for (unsigned i = 0; s && !name && i < h->e_shnum; i++)
        if ((s[i].sh_type == SHT_SYMTAB || s[i].sh_type == SHT_DYNSYM) && s[i].sh_link < h->e_shnum)
            name = find_in(f, &s[i], &s[s[i].sh_link], offset + f->base);
    return name ? plain_name(name) : NULL;
}

// Without its parameters: up to the parenthesis that the last one closes.
static void cut_parameters(char *name)
{
    int depth = 0;
    for (char *p = name + strlen(name); p-- > name;) {
        depth += *p == ')' ? 1 : *p == '(' ? -1 : 0;
        if (*p == '(' && !depth) {
            *p = 0;
            return;
        }
    }
}

void symbol_append(struct str *s, const char *name)
{
    char *text = option_is(OPTION_DEMANGLE, "no") ? NULL : demangle(name);
    if (text && option_is(OPTION_DEMANGLE, "simple"))
        cut_parameters(text);
    str_append(s, text ? text : name);
    free(text);
}
