// SPDX-License-Identifier: Apache-2.0
// Writes the C that derives from the PTX tables (src/ptx/*.def), so that a row is the only place an instruction stands.
// Usage: ptxgen enums > ptx_enums.h; ptxgen forms > ptx_forms.c; ptxgen docs [EMITTERS [LACKS]] > ptx-coverage.md
#include "ptx/form.h"
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct insn_row {
    const char *syntax, *groups; // both NULL and name set: a group for all rows
    int ptx, sm;
    const char *flags, *name, *words;
};
static const struct insn_row insns[] = {
#define GROUP(name, words)                   {NULL, NULL, 0, 0, NULL, name, words},
#define INSN(syntax, groups, ptx, sm, flags) {syntax, groups, ptx, sm, flags, NULL, NULL},
#include "ptx/insn.def"
#undef GROUP
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

struct sreg_row {
    const char *name, *text;
};
static const struct sreg_row sregs[] = {
#define SREG(name, text, type, vec) {#name, text},
#include "ptx/sreg.def"
#undef SREG
};

struct type_row {
    const char *name, *text;
};
static const struct type_row types[] = {
#define TYPE(name, text, bytes, class) {#name, text},
#include "ptx/type.def"
#undef TYPE
};

static const char *const flag_texts[] = {
#define FLAG(name, text) text,
#include "ptx/flag.def"
#undef FLAG
};

// State spaces as suffixes; several spellings may mean one space.
static const struct {
    const char *text, *name;
} spaces[] = {{"const", "CONST"},        {"global", "GLOBAL"},      {"local", "LOCAL"},
              {"param", "PARAM"},        {"shared", "SHARED"},      {"shared::cluster", "SHARED_CLUSTER"},
              {"shared::cta", "SHARED"}, {"param::entry", "PARAM"}, {"param::func", "PARAM"}};

#define COUNT(a) (sizeof(a) / sizeof *(a))

static const char *current_row = "";

static _Noreturn void die(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    fprintf(stderr, "ptxgen: %s: ", current_row);
    vfprintf(stderr, fmt, ap);
    fputc('\n', stderr);
    va_end(ap);
    exit(1);
}

struct names {
    const char *list[1024];
    size_t n;
};

static size_t names_add(struct names *s, const char *name)
{
    for (size_t i = 0; i < s->n; i++)
        if (!strcmp(s->list[i], name))
            return i;
    if (s->n == COUNT(s->list))
        die("too many names");
    s->list[s->n] = name;
    return s->n++;
}

// Suffix words: text, kind and the enumerator of the value.
struct word {
    const char *text, *value;
    int kind;
    size_t canonical; // the word it is another spelling of, or itself
};
static struct word words[1024];
static size_t nwords;
static struct names ops, mod_names;

static size_t word_find(const char *text)
{
    for (size_t i = 0; i < nwords; i++)
        if (!strcmp(words[i].text, text))
            return i;
    return nwords;
}

static char *format(const char *fmt, ...)
{
    char buf[512];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(buf, sizeof buf, fmt, ap);
    va_end(ap);
    return strdup(buf);
}

static void word_add(const char *text, int kind, const char *value)
{
    if (word_find(text) != nwords)
        return;
    size_t canonical = nwords;
    for (size_t i = 0; i < nwords; i++)
        if (words[i].kind == kind && !strcmp(words[i].value, value))
            canonical = words[i].canonical; // of three spellings too the first
    words[nwords] = (struct word){text, value, kind, canonical};
    nwords++;
}

static void collect(void)
{
    for (size_t i = 0; i < COUNT(insns); i++)
        if (insns[i].syntax)
            names_add(&ops, strndup(insns[i].syntax, strcspn(insns[i].syntax, ".{ ")));
    for (size_t i = 0; i < COUNT(types); i++)
        word_add(types[i].text, PTX_SLOT_TYPE, format("PTX_TYPE_%s", types[i].name));
    for (size_t i = 0; i < COUNT(spaces); i++)
        word_add(spaces[i].text, PTX_SLOT_SPACE, format("PTX_SPACE_%s", spaces[i].name));
    word_add("v2", PTX_SLOT_VEC, "2");
    word_add("v4", PTX_SLOT_VEC, "4");
    word_add("v8", PTX_SLOT_VEC, "8");
    for (size_t i = 0; i < COUNT(mods); i++) {
        if (!mods[i].name)
            continue;
        size_t w = word_find(mods[i].text);
        if (w != nwords && words[w].kind != PTX_SLOT_MOD)
            die("modifier %s is also a type or space", mods[i].text);
        names_add(&mod_names, mods[i].name);
        word_add(mods[i].text, PTX_SLOT_MOD, format("PTX_MOD_%s", mods[i].name));
    }
    if (nwords > PTX_SET_WORDS * 64)
        die("%zu words: PTX_SET_WORDS is too small", nwords);
}

// The rows, parsed.
static struct ptx_form forms[COUNT(insns)];
static const struct insn_row *form_rows[COUNT(insns)];
static const char *slot_category[COUNT(insns)][32];
static uint64_t sets[1024][PTX_SET_WORDS];
static size_t nsets;
static struct ptx_shape_row shapes[1024];
static size_t nshapes;
static size_t nforms;

// The words of group `name` for this row ("a b c"), NULL when there is none; *category as given with it.
static char *group_find(const struct insn_row *row, const char *name, char **category)
{
    *category = NULL;
    for (const char *p = row->groups; p && *p;) {
        p += strspn(p, " ;");
        size_t n = strcspn(p, "=:");
        const char *colon = p + strcspn(p, ":");
        const char *end = p + strcspn(p, ";");
        if (!*colon || colon > end)
            die("group without words: %s", p);
        if (n == strlen(name) && !strncmp(p, name, n)) {
            if (p[n] == '=')
                *category = strndup(p + n + 1, (size_t)(colon - (p + n + 1)));
            // "a::b" holds colons too: the group's own one is followed by a space.
            return strndup(colon + 1, (size_t)(end - colon - 1));
        }
        p = end;
    }
    for (size_t i = 0; i < COUNT(insns); i++)
        if (insns[i].name && !strcmp(insns[i].name, name))
            return strdup(insns[i].words);
    return NULL;
}

static bool category_has(const char *category, const char *text)
{
    for (size_t i = 0; i < COUNT(mods); i++)
        if (mods[i].name && !strcmp(mods[i].category, category) && !strcmp(mods[i].text, text))
            return true;
    return false;
}

static const char *category_first(const char *text)
{
    for (size_t i = 0; i < COUNT(mods); i++)
        if (mods[i].name && !strcmp(mods[i].text, text))
            return mods[i].category;
    return NULL;
}

static bool shape_parse(const char *s, struct ptx_shape_row *out)
{
    *out = (struct ptx_shape_row){0, 0, 0};
    if (*s++ != 'm' || !isdigit((unsigned char)*s))
        return false;
    char *end;
    out->m = (uint16_t)strtoul(s, &end, 10);
    if (*end++ != 'n')
        return false;
    if (*end == '*')
        end++;
    else if (isdigit((unsigned char)*end))
        out->n = (uint16_t)strtoul(end, &end, 10);
    else
        return false;
    if (*end == 'k')
        out->k = (uint16_t)strtoul(end + 1, &end, 10);
    return *end == 0;
}

static uint16_t set_add(const uint64_t set[PTX_SET_WORDS])
{
    for (size_t i = 0; i < nsets; i++)
        if (!memcmp(sets[i], set, sizeof sets[i]))
            return (uint16_t)i;
    memcpy(sets[nsets], set, sizeof sets[0]);
    return (uint16_t)nsets++;
}

// One suffix item of the row's syntax.
static void slot_parse(const struct insn_row *row, const char *item, int optional)
{
    struct ptx_form *f = &forms[nforms];
    char *category, *list = group_find(row, item, &category);
    if (!list)
        list = strdup(item);
    struct ptx_slot slot = {.optional = (uint8_t)optional};
    uint64_t set[PTX_SET_WORDS] = {0};
    struct ptx_shape_row shape;
    bool first = true, is_shape = false;
    for (char *save, *w = strtok_r(list, " ", &save); w; w = strtok_r(NULL, " ", &save), first = false) {
        if (shape_parse(w, &shape)) {
            if (first)
                slot.set = (uint16_t)nshapes;
            shapes[nshapes++] = shape;
            is_shape = true;
            continue;
        }
        size_t id = word_find(w);
        if (id == nwords)
            die("unknown word .%s", w);
        id = words[id].canonical;
        if (!first && (words[id].kind != slot.kind || is_shape))
            die("group .%s mixes kinds", item);
        slot.kind = (uint8_t)words[id].kind;
        if (slot.kind == PTX_SLOT_MOD) {
            if (!category)
                category = (char *)category_first(w);
            if (!category_has(category, w))
                die("modifier .%s is not in category %s", w, category);
        }
        set[id / 64] |= 1ull << id % 64;
    }
    if (is_shape) {
        slot.kind = PTX_SLOT_SHAPE;
        shapes[nshapes++] = (struct ptx_shape_row){0, 0, 0};
    } else {
        slot.set = set_add(set);
    }
    if (f->nslots == 32)
        die("too many suffixes");
    for (int i = 0; slot.kind == PTX_SLOT_MOD && i < f->nslots; i++)
        if (slot_category[nforms][i] && !strcmp(slot_category[nforms][i], category))
            die("category %s stands twice", category);
    slot_category[nforms][f->nslots] = slot.kind == PTX_SLOT_MOD ? category : NULL;
    ((struct ptx_slot *)f->slots)[f->nslots++] = slot;
}

static const char *suffixes_parse(const struct insn_row *row, const char *p)
{
    int group = 0, optional = 0;
    while (*p && *p != ' ') {
        if (*p == '{' && !optional) {
            optional = ++group;
            p++;
        } else if (*p == '}' && optional) {
            optional = 0;
            p++;
        } else if (*p == '.') {
            size_t n = 1;
            while (isalnum((unsigned char)p[n]) || p[n] == '_' || p[n] == ':')
                n++;
            slot_parse(row, strndup(p + 1, n - 1), optional);
            p += n;
        } else {
            die("bad suffix at '%s'", p);
        }
    }
    if (optional)
        die("a '{' of the suffixes is not closed");
    return p;
}

// `name`, `name:kind`: fills the spec's type and shape.
static const char *operand_parse(const char *p, struct ptx_spec *s, bool first)
{
    size_t n = strcspn(p, ",:|{}[] ");
    char *name = strndup(p, n);
    p += n;
    if (!strcmp(name, "_"))
        s->kind = PTX_SPEC_SINK;
    bool pred = (name[0] == 'p' || name[0] == 'q') && !name[1];
    s->written = first && s->kind == PTX_SPEC_VALUE && (strchr("dpqfr", name[0]) && (!name[1] || !strcmp(name, "ptr")));
    s->type = pred ? 1 : name[0] == 'd' && !name[1] ? PTX_SPEC_TYPE0 : PTX_SPEC_LAST;
    if (*p != ':')
        return p;
    n = strcspn(++p, ",|{}[] ");
    char *kind = strndup(p, n);
    p += n;
    static const char *const kinds[] = {"one", "imm", "vec", "pack", "many", "any"};
    for (size_t i = 0; i < COUNT(kinds); i++)
        if (!strcmp(kinds[i], kind)) {
            s->shape = (uint8_t)i;
            return p;
        }
    if (!strcmp(kind, "label"))
        s->kind = PTX_SPEC_LABEL;
    else if (!strcmp(kind, "wide"))
        s->type = PTX_SPEC_DOUBLE;
    else if (isdigit((unsigned char)*kind))
        s->type = (uint8_t)(PTX_SPEC_TYPE0 + *kind - '1');
    else {
        size_t t = 0;
        while (t < COUNT(types) && strcmp(types[t].text, kind))
            t++;
        if (t == COUNT(types))
            die("unknown kind of operand :%s", kind);
        s->type = (uint8_t)(t + 1);
    }
    return p;
}

static void operands_parse(const char *p)
{
    struct ptx_form *f = &forms[nforms];
    int group = 0, optional = 0;
    bool negatable = false, minus = false;
    while (*p) {
        if (*p == ' ' || *p == ',') {
            p++;
        } else if (!strncmp(p, "{!}", 3)) {
            negatable = true;
            p += 3;
        } else if (!strncmp(p, "{-}", 3)) {
            minus = true;
            p += 3;
        } else if (*p == '{') {
            optional = ++group;
            p++;
        } else if (*p == '}') {
            optional = 0;
            p++;
        } else {
            struct ptx_spec s = {.optional = (uint8_t)optional, .negatable = negatable, .minus = minus};
            negatable = minus = false;
            if (*p == '[') {
                const char *end = strchr(p, ']');
                s.kind = memchr(p, ',', (size_t)(end - p)) ? PTX_SPEC_REFERENCE : PTX_SPEC_ADDRESS;
                p = end + 1;
            } else {
                p = operand_parse(p, &s, f->nspecs == 0);
            }
            if (!strncmp(p, "{|p}", 4) || !strncmp(p, "{|q}", 4)) {
                s.pair = PTX_PAIR_OPTIONAL;
                p += 4;
            } else if (!strncmp(p, "|p", 2)) {
                s.pair = PTX_PAIR_MUST;
                p += 2;
            }
            if (f->nspecs == 16)
                die("too many operands");
            ((struct ptx_spec *)f->specs)[f->nspecs++] = s;
        }
    }
}

static uint32_t flags_parse(const char *text)
{
    uint32_t flags = 0;
    char *copy = strdup(text);
    for (char *save, *w = strtok_r(copy, " ", &save); w; w = strtok_r(NULL, " ", &save)) {
        size_t i = 0;
        while (i < COUNT(flag_texts) && strcmp(flag_texts[i], w))
            i++;
        if (i == COUNT(flag_texts))
            die("unknown flag %s", w);
        flags |= 1u << i;
    }
    return flags;
}

// Rows of one op stand together in `forms`, in the order of the table.
static void forms_parse(void)
{
    for (size_t op = 0; op < ops.n; op++) {
        for (size_t i = 0; i < COUNT(insns); i++) {
            const struct insn_row *row = &insns[i];
            if (!row->syntax)
                continue;
            size_t n = strcspn(row->syntax, ".{ ");
            if (strlen(ops.list[op]) != n || strncmp(ops.list[op], row->syntax, n))
                continue;
            current_row = row->syntax;
            struct ptx_form *f = &forms[nforms];
            form_rows[nforms] = row;
            *f = (struct ptx_form){.syntax = row->syntax,
                                   .op = (uint16_t)(op + 1),
                                   .ptx = (uint16_t)row->ptx,
                                   .sm = (uint16_t)row->sm,
                                   .flags = flags_parse(row->flags),
                                   .slots = calloc(32, sizeof *f->slots),
                                   .specs = calloc(16, sizeof *f->specs)};
            operands_parse(suffixes_parse(row, row->syntax + n));
            nforms++;
        }
    }
    current_row = "";
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
        printf("    PTX_SREG_%s,\n", sregs[i].name);
    puts("    PTX_SREG_COUNT\n};\n\n#endif");
}

// An open-addressing table of `count` texts: 0 empty, else index + 1.
static void write_hash(const char *name, const char *(*text)(size_t), size_t count)
{
    size_t size = 64;
    while (size < count * 3)
        size *= 2;
    uint16_t *table = calloc(size, sizeof *table);
    for (size_t i = 0; i < count; i++) {
        size_t h = ptx_hash(text(i), strlen(text(i))) & (size - 1);
        while (table[h])
            h = (h + 1) & (size - 1);
        table[h] = (uint16_t)(i + 1);
    }
    printf("static const uint16_t %s_hash[%zu] = {", name, size);
    for (size_t i = 0; i < size; i++)
        printf("%s%u,", i % 24 ? "" : "\n    ", table[i]);
    puts("\n};");
    free(table);
}

static const char *op_text(size_t i)
{
    return ops.list[i];
}
static const char *word_text(size_t i)
{
    return words[i].text;
}
static const char *sreg_text(size_t i)
{
    return sregs[i].text;
}

static void write_form_rows(void)
{
    for (size_t i = 0; i < nforms; i++) {
        const struct ptx_form *f = &forms[i];
        if (f->nslots) {
            printf("static const struct ptx_slot slots%zu[] = {", i);
            for (int j = 0; j < f->nslots; j++)
                printf("{%d, %s%s, %d, %d}, ", f->slots[j].kind, slot_category[i][j] ? "PTX_MODCAT_" : "",
                       slot_category[i][j] ? slot_category[i][j] : "0", f->slots[j].optional, f->slots[j].set);
            puts("};");
        }
        if (f->nspecs) {
            printf("static const struct ptx_spec specs%zu[] = {", i);
            for (int j = 0; j < f->nspecs; j++)
                printf("{%d, %d, %d, %d, %d, %d, %d, %d}, ", f->specs[j].kind, f->specs[j].shape, f->specs[j].type,
                       f->specs[j].optional, f->specs[j].pair, f->specs[j].written, f->specs[j].negatable,
                       f->specs[j].minus);
            puts("};");
        }
    }
    puts("const struct ptx_form ptx_forms[] = {");
    for (size_t i = 0; i < nforms; i++) {
        const struct ptx_form *f = &forms[i];
        printf("    {\"%s\", %d, %d, %d, 0x%x, ", f->syntax, f->op, f->ptx, f->sm, f->flags);
        printf(f->nslots ? "slots%zu, " : "NULL, ", i);
        printf(f->nspecs ? "specs%zu, " : "NULL, ", i);
        printf("%d, %d},\n", f->nslots, f->nspecs);
    }
    printf("};\nconst unsigned ptx_forms_count = %zu;\n", nforms);
    puts("const uint16_t ptx_form_first[PTX_OP_COUNT + 1] = {");
    size_t next = 0;
    for (size_t op = 0; op <= ops.n + 1; op++) {
        while (next < nforms && forms[next].op < op)
            next++;
        printf("%zu,%s", next, op % 16 == 15 ? "\n" : " ");
    }
    puts("};");
}

static void write_forms(void)
{
    puts("// Generated from src/ptx/insn.def and mod.def.");
    puts("#include \"ptx/form.h\"\n#include \"ptx/ptx.h\"\n#include <string.h>\n");
    write_form_rows();
    puts("const struct ptx_word ptx_words[] = {");
    for (size_t i = 0; i < nwords; i++)
        printf("    {\"%s\", %d, %s},\n", words[i].text, words[i].kind, words[i].value);
    puts("};\nstatic const uint16_t canonical[] = {");
    for (size_t i = 0; i < nwords; i++)
        printf("%zu,%s", words[i].canonical, i % 16 == 15 ? "\n" : " ");
    puts("};\nconst uint64_t ptx_sets[][PTX_SET_WORDS] = {");
    for (size_t i = 0; i < nsets; i++) {
        printf("    {");
        for (int j = 0; j < PTX_SET_WORDS; j++)
            printf("0x%llx, ", (unsigned long long)sets[i][j]);
        puts("},");
    }
    puts("};\nconst struct ptx_shape_row ptx_shapes[] = {");
    for (size_t i = 0; i < nshapes; i++)
        printf("    {%d, %d, %d},\n", shapes[i].m, shapes[i].n, shapes[i].k);
    puts("};\nstatic const char *const op_names[] = {\n    \"none\",");
    for (size_t i = 0; i < ops.n; i++)
        printf("    \"%s\",\n", ops.list[i]);
    puts("};\nstatic const char *const mod_names[] = {\n    \"\",");
    for (size_t i = 0; i < mod_names.n; i++)
        for (size_t j = 0; j < COUNT(mods); j++)
            if (mods[j].name && !strcmp(mods[j].name, mod_names.list[i])) {
                printf("    \"%s\",\n", mods[j].text);
                break;
            }
    puts("};");
    write_hash("op", op_text, ops.n);
    write_hash("word", word_text, nwords);
    write_hash("sreg", sreg_text, COUNT(sregs));
    static const char *const finders[][4] = {
        {"unsigned ptx_op_find", "op", "op_names[i]", "i"},
        {"int ptx_word_find", "word", "ptx_words[i - 1].text", "(int)canonical[i - 1]"},
        {"unsigned ptx_sreg_find", "sreg", "ptx_sreg_name(i)", "i"},
    };
    for (size_t i = 0; i < COUNT(finders); i++)
        printf("%s(const char *s, size_t n)\n{\n    enum { MASK = sizeof %s_hash / sizeof *%s_hash - 1 };\n"
               "    for (uint32_t h = ptx_hash(s, n) & MASK;; h = (h + 1) & MASK) {\n        unsigned i = %s_hash[h];\n"
               "        if (!i)\n            return %s;\n        const char *t = %s;\n"
               "        if (!strncmp(t, s, n) && !t[n])\n            return %s;\n    }\n}\n",
               finders[i][0], finders[i][1], finders[i][1], finders[i][1], i == 1 ? "-1" : "0", finders[i][2],
               finders[i][3]);
    puts("const char *ptx_op_name(enum ptx_op op)\n{\n    return op_names[op];\n}");
    puts("const char *ptx_mod_name(unsigned mod)\n{\n    return mod_names[mod];\n}");
}

// The coverage page: every row, and whether the translator has an emitter for its mnemonic. EMITTERS: a file that names
// them, one EMIT(NAME, ...), VALUE(NAME, ...) or NUMBERS(NAME, ...) a line. LACKS: one that names forms that are missing, LACK(NAME, condition,
// "what") or LACK_ANY(condition, "which: what").
static void write_lacks(const char *lacks)
{
    FILE *file = lacks ? fopen(lacks, "r") : NULL;
    char line[1024], name[128], last[640] = "";
    if (!file)
        return;
    puts("\n## Not in every form\n");
    puts("These forms are refused as instructions that do not run are. The message has the text that stands here, and "
         "the instruction.\n");
    while (fgets(line, sizeof line, file)) {
        char *what = strrchr(line, '"');
        bool any = !strncmp(line, "LACK_ANY(", 9);
        if (!what || (!any && sscanf(line, " LACK(%127[A-Z0-9_]", name) != 1))
            continue;
        *what = 0;
        what = strrchr(line, '"') + 1;
        if (any) {
            printf("- %s\n", what);
            continue;
        }
        for (char *c = name; *c; c++)
            *c = (char)tolower((unsigned char)*c);
        char row[640];
        snprintf(row, sizeof row, "- `%.100s`: %.500s", name, what);
        if (strcmp(row, last))
            puts(row);
        strcpy(last, row);
    }
    fclose(file);
}

static void write_docs(const char *emitters, const char *lacks)
{
    static char have[1024];
    size_t count = 0, rows = 0;
    FILE *file = emitters ? fopen(emitters, "r") : NULL;
    char line[1024], name[128];
    while (file && fgets(line, sizeof line, file)) {
        if (sscanf(line, " EMIT(%127[A-Z0-9_]", name) != 1 && sscanf(line, " VALUE(%127[A-Z0-9_]", name) != 1 &&
            sscanf(line, " NUMBERS(%127[A-Z0-9_]", name) != 1)
            continue;
        for (size_t i = 0; i < ops.n; i++)
            if (!strcasecmp(ops.list[i], name))
                have[i] = 1;
    }
    if (file)
        fclose(file);
    for (size_t i = 0; i < ops.n; i++)
        count += have[i] != 0;
    for (size_t i = 0; i < nforms; i++)
        rows += have[forms[i].op - 1] != 0;
    puts("# PTX instructions\n");
    puts("Generated from `src/ptx/insn.def` by the target `ptx_docs`; not to be edited. Every form below is parsed, "
         "checked");
    puts(
        "and printed. *Runs* tells whether the mnemonic can be executed; the list at the end has forms that cannot.\n");
    puts("What cannot is refused when a module is loaded: the JIT log names the instruction, its line and what is "
         "missing. A PTX text");
    puts("that has such an instruction does not load, with CUDA_ERROR_NOT_SUPPORTED (cudaErrorNotSupported). Of a fat "
         "binary, as nvcc");
    puts("makes it, the other kernels run; asking for or launching the one that has it gives that error.\n");
    printf("%zu mnemonics in %zu forms; emitters for %zu mnemonics, which have %zu forms.\n\n", ops.n, nforms, count,
           rows);
    puts("| form | groups | PTX | SM | runs |\n|---|---|---|---|---|");
    for (size_t i = 0; i < nforms; i++) {
        printf("| `");
        for (const char *p = forms[i].syntax; *p; p++)
            printf(*p == '|' ? "\\|" : "%c", *p);
        printf("` | %s | %d.%d | %d | %s |\n", form_rows[i]->groups, forms[i].ptx / 10, forms[i].ptx % 10, forms[i].sm,
               have[forms[i].op - 1] ? "yes" : "no");
    }
    write_lacks(lacks);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    collect();
    if (argc == 2 && !strcmp(what, "enums")) {
        write_enums();
    } else if (argc == 2 && !strcmp(what, "forms")) {
        forms_parse();
        write_forms();
    } else if (!strcmp(what, "docs")) {
        forms_parse();
        write_docs(argc > 2 ? argv[2] : NULL, argc > 3 ? argv[3] : NULL);
    } else {
        fprintf(stderr, "usage: ptxgen enums | forms | docs [EMITTERS [LACKS]]\n");
        return 2;
    }
    return fflush(stdout) || ferror(stdout);
}
