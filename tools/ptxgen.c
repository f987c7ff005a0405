// Writes the C that derives from the PTX tables (src/ptx/*.def), so that a row is the only place an instruction stands.
// Usage: ptxgen enums > ptx_enums.h
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct insn_row {
    const char *syntax;
};
static const struct insn_row insns[] = {
#define INSN(syntax, where, ptx, sm, flags) {syntax},
#include "ptx/insn.def"
#undef INSN
};

struct mod_row {
    const char *category, *name, *text; // name NULL: the category itself, with its description as text
};
static const struct mod_row mods[] = {
#define CATEGORY(name, about)     {#name, NULL, about},
#define MOD(category, name, text) {#category, #name, text},
#include "ptx/mod.def"
#undef CATEGORY
#undef MOD
};

static const char *const sregs[] = {
#define SREG(name, text, type, vec) #name,
#include "ptx/sreg.def"
#undef SREG
};

#define COUNT(a) (sizeof(a) / sizeof *(a))

struct names {
    const char *list[1024];
    size_t n;
};

static size_t names_add(struct names *s, const char *name)
{
    for (size_t i = 0; i < s->n; i++)
        if (!strcmp(s->list[i], name))
            return i;
    if (s->n == COUNT(s->list)) {
        fprintf(stderr, "ptxgen: too many names\n");
        exit(1);
    }
    s->list[s->n] = name;
    return s->n++;
}

static struct names ops, mod_names;

static void collect(void)
{
    for (size_t i = 0; i < COUNT(insns); i++) {
        size_t n = strcspn(insns[i].syntax, ".{ ");
        char *word = strndup(insns[i].syntax, n);
        names_add(&ops, word);
    }
    for (size_t i = 0; i < COUNT(mods); i++)
        if (mods[i].name)
            names_add(&mod_names, mods[i].name);
}

static void print_upper(const char *s)
{
    for (; *s; s++)
        putchar(toupper((unsigned char)*s));
}

static void write_enums(void)
{
    puts("// Generated from src/ptx/insn.def, mod.def and sreg.def.");
    puts("#ifndef HEDDLE_PTX_ENUMS_H\n#define HEDDLE_PTX_ENUMS_H\n");
    puts("enum ptx_op {\n    PTX_OP_NONE,");
    for (size_t i = 0; i < ops.n; i++) {
        printf("    PTX_OP_");
        print_upper(ops.list[i]);
        puts(",");
    }
    puts("    PTX_OP_COUNT\n};\n\nenum ptx_mod {\n    PTX_MOD_NONE,");
    for (size_t i = 0; i < mod_names.n; i++)
        printf("    PTX_MOD_%s,\n", mod_names.list[i]);
    puts("    PTX_MOD_COUNT\n};\n\nenum ptx_modcat {");
    for (size_t i = 0; i < COUNT(mods); i++)
        if (!mods[i].name)
            printf("    PTX_MODCAT_%s, // %s\n", mods[i].category, mods[i].text);
    puts("    PTX_MOD_CATEGORIES\n};\n\nenum ptx_sreg {\n    PTX_SREG_NONE,");
    for (size_t i = 0; i < COUNT(sregs); i++)
        printf("    PTX_SREG_%s,\n", sregs[i]);
    puts("    PTX_SREG_COUNT\n};\n\n#endif");
}

int main(int argc, char **argv)
{
    collect();
    if (argc == 2 && !strcmp(argv[1], "enums")) {
        write_enums();
        return 0;
    }
    fprintf(stderr, "usage: ptxgen enums\n");
    return 2;
}
