// SPDX-License-Identifier: Apache-2.0
#include "base/os.h"
#include "base/str.h"
#include "read.h"
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What one source defines and what it uses without defining it. A source in several libraries has several objects.
struct object {
    size_t node;
    struct texts uses;
};
struct objects VEC(struct object);
struct definers VEC(size_t);
struct definition {
    struct definers in;
};
struct reading {
    struct graph *g;
    struct objects objects;
    struct map definitions; // by symbol: struct definition
};

static void define(struct reading *r, const char *symbol, size_t node)
{
    struct definition *d = map_get_str(&r->definitions, symbol);
    if (!d) {
        d = xcalloc(1, sizeof *d);
        map_put_str(&r->definitions, symbol, d);
    }
    for (size_t i = 0; i < d->in.len; i++)
        if (d->in.data[i] == node)
            return;
    vec_push(&d->in, node);
}

// The symbol table of an ELF object of 64 bits, of any processor of this byte order. The bytes stay: names point into them.
static bool read_symbols(struct reading *r, const char *path, size_t node)
{
    size_t size;
    char *bytes = os_file_read(path, &size);
    Elf64_Ehdr *head = (Elf64_Ehdr *)bytes;
    if (!bytes || size < sizeof *head || memcmp(head->e_ident, ELFMAG, SELFMAG) ||
        head->e_ident[EI_CLASS] != ELFCLASS64 || head->e_shoff + head->e_shnum * sizeof(Elf64_Shdr) > size)
        return printf("%s: %s\n", path, bytes ? "no ELF object of 64 bits" : "is not built"), false;
    Elf64_Shdr *sections = (Elf64_Shdr *)(bytes + head->e_shoff);
    struct object object = {.node = node};
    for (size_t s = 0; s < head->e_shnum; s++) {
        if (sections[s].sh_type != SHT_SYMTAB)
            continue;
        const char *texts = bytes + sections[sections[s].sh_link].sh_offset;
        const Elf64_Sym *symbols = (Elf64_Sym *)(bytes + sections[s].sh_offset);
        for (size_t i = 0; i < sections[s].sh_size / sizeof *symbols; i++) {
            const char *name = texts + symbols[i].st_name;
            if (ELF64_ST_BIND(symbols[i].st_info) == STB_LOCAL || !*name)
                continue;
            if (symbols[i].st_shndx != SHN_UNDEF)
                define(r, name, node);
            else
                vec_push(&object.uses, name);
        }
    }
    vec_push(&r->objects, object);
    return true;
}

// The first part of a path: files of one library.
static bool same_layer(const char *a, const char *b)
{
    size_t n = strcspn(a, "/");
    return n == strcspn(b, "/") && !strncmp(a, b, n);
}

static bool has_label(const struct node *n, size_t to, const char *label)
{
    for (size_t e = 0; e < n->edges.len; e++)
        for (size_t l = 0; n->edges.data[e].to == to && l < n->edges.data[e].labels.len; l++)
            if (!strcmp(n->edges.data[e].labels.data[l], label))
                return true;
    return false;
}

// Programs and libraries may have functions of the same name: that of the same layer is meant.
static void link_use(struct reading *r, size_t node, const char *symbol)
{
    struct definition *d = map_get_str(&r->definitions, symbol);
    size_t near = 0;
    for (size_t i = 0; d && i < d->in.len; i++)
        near += same_layer(r->g->nodes.data[d->in.data[i]].name, r->g->nodes.data[node].name);
    for (size_t i = 0; d && i < d->in.len; i++) {
        size_t to = d->in.data[i];
        if (near && !same_layer(r->g->nodes.data[to].name, r->g->nodes.data[node].name))
            continue;
        if (to != node && !has_label(&r->g->nodes.data[node], to, symbol))
            graph_edge(r->g, node, to, symbol);
    }
}

// The text of "key": "text" in a JSON object that begins at p; an empty one where it is missing.
static struct str field(const char *p, const char *end, const char *key)
{
    struct str out = {0}, quoted = {0};
    str_printf(&quoted, "\"%s\": \"", key);
    const char *q = strstr(p, quoted.data);
    for (q = q && q < end ? q + quoted.len : end; q < end && *q != '"'; q++)
        str_append_n(&out, *q == '\\' ? ++q : q, 1);
    str_free(&quoted);
    str_append(&out, "");
    return out;
}

static bool read_command(struct reading *r, const char *root, const char *entry, const char *end)
{
    struct str file = field(entry, end, "file"), folder = field(entry, end, "directory"),
               command = field(entry, end, "command");
    bool good = true;
    const char *out = strstr(str_text(&command), " -o ");
    if (!strncmp(str_text(&file), root, strlen(root))) {
        struct str object = {0};
        if (out)
            str_printf(&object, "%s%s%.*s", out[4] == '/' ? "" : folder.data, out[4] == '/' ? "" : "/",
                       (int)strcspn(out + 4, " "), out + 4);
        good = out && read_symbols(r, object.data, graph_node(r->g, file.data + strlen(root)));
        str_free(&object);
    }
    str_free(&file);
    str_free(&folder);
    str_free(&command);
    return good;
}

bool read_calls(const char *source, const char *build, struct graph *g)
{
    struct reading r = {.g = g};
    struct str path = {0}, root = {0};
    str_printf(&path, "%s/compile_commands.json", build);
    char *full = realpath(source, NULL); // as compile_commands.json has it
    str_printf(&root, "%s/src/", full ? full : source);
    free(full);
    char *text = os_file_read(path.data, NULL);
    bool good = text != NULL;
    if (!text)
        printf("%s: cannot be read\n", path.data);
    for (const char *p = text ? strchr(text, '{') : NULL; p;) {
        const char *next = strstr(p, "\n{"), *end = next ? next : p + strlen(p);
        good &= read_command(&r, root.data, p, end);
        p = next ? next + 1 : NULL;
    }
    for (size_t i = 0; i < r.objects.len; i++)
        for (size_t u = 0; u < r.objects.data[i].uses.len; u++)
            link_use(&r, r.objects.data[i].node, r.objects.data[i].uses.data[u]);
    free(text);
    str_free(&path);
    str_free(&root);
    return good;
}
