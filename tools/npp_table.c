// SPDX-License-Identifier: Apache-2.0
// What follows from NPP's table, src/npp/api.def, whose head tells how it is read. Usage:
//     npp_table headers FOLDER    the headers that NVIDIA's names have
//     npp_table stubs LIBRARY     the exported functions of one library, C on stdout
//     npp_table page              docs/generated/npp-coverage.md, on stdout
#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- the table
struct row {
    const char *header, *library, *prefix;              // HEADER
    const char *name, *shape, *forms, *body, *argument; // OP; LACK has no shape
};
static const struct row rows[] = {
#define HEADER(file, library, prefix)          {#file ".h", #library, #prefix, NULL, NULL, NULL, NULL, NULL},
#define OP(name, shape, forms, body, argument) {NULL, NULL, NULL, #name, #shape, forms, #body, #argument},
#define LACK(name, forms)                      {NULL, NULL, NULL, #name, NULL, forms, NULL, NULL},
#include "npp/api.def"
};
enum { ROWS = sizeof rows / sizeof *rows };

static const struct shape {
    const char *name, *words, *in_place;
} shapes[] = {
#define SHAPE(name, words, in_place) {#name, words, in_place},
#include "npp/table/shape.def"
};

// `many` stands in place of `one` where there are several channels.
static const struct word {
    const char *name, *one, *many, *sets, *sets_many, *need;
} words[] = {
#define WORD(name, params, sets, need)                   {#name, params, params, sets, sets, #need},
#define CHANNELS(name, one, sets, many, sets_many, need) {#name, one, many, sets, sets_many, #need},
#include "npp/table/word.def"
};

// ---- text
struct text {
    char *at;
    size_t n, room;
};
static void put(struct text *t, const char *s, size_t n)
{
    if (n > SIZE_MAX / 4)
        exit(1);
    if (t->n + n + 1 > t->room) {
        t->room = 2 * (t->n + n + 64);
        t->at = realloc(t->at, t->room);
        if (!t->at)
            exit(1);
    }
    memcpy(t->at + t->n, s, n);
    t->n += n;
    t->at[t->n] = 0;
}
static void puts_to(struct text *t, const char *s)
{
    put(t, s, strlen(s));
}
static void clear(struct text *t)
{
    t->n = 0;
    put(t, "", 0);
}

static void fail(const char *what, const char *name, const char *form)
{
    fprintf(stderr, "npp_table: %s_%s: %s\n", name, form, what);
    exit(1);
}

// ---- forms
struct form {
    char text[96];
    char type[3][8]; // of the source, of what is written, and a third one
    unsigned types, channels, dst_channels;
    bool alpha, dst_alpha, planes, dst_planes, in_place, masked, scaled, coi, signal;
};

// One layout: C3, AC4, P3 ... False: there is none.
static bool layout(const char **p, unsigned *channels, bool *alpha, bool *planes)
{
    const char *q = *p;
    bool has_alpha = *q == 'A';
    q += has_alpha;
    q += has_alpha && *q == '0';
    if ((*q != 'C' && *q != 'P') || !isdigit((unsigned char)q[1]))
        return false;
    *planes = *q == 'P';
    *channels = (unsigned)(q[1] - '0');
    *alpha = has_alpha && *channels == 4; // AC1: nothing but alpha
    *p = q + 2;
    return true;
}

static const char *form_types(struct form *f, const char *p)
{
    while (isdigit((unsigned char)*p) && f->types < 3) {
        size_t n = strspn(p, "0123456789");
        n += strspn(p + n, "usfc");
        memcpy(f->type[f->types++], p, n < 7 ? n : 7);
        p += n;
    }
    for (unsigned i = f->types ? f->types : 3; i < 3; i++)
        memcpy(f->type[i], f->type[i - 1], sizeof f->type[i]);
    return p;
}

static void form_parse(struct form *f, const char *name, const char *text, bool signal)
{
    *f = (struct form){.signal = signal, .channels = 1};
    snprintf(f->text, sizeof f->text, "%s", text);
    const char *p = form_types(f, text);
    if (!strncmp(p, "_Advanced", 9) || !f->types)
        return;
    p += *p == '_';
    f->in_place = p[0] == 'I' && p[1] == 'P'; // IP3R
    p += f->in_place;
    if (!signal && layout(&p, &f->channels, &f->alpha, &f->planes)) {
        f->dst_channels = f->channels;
        f->dst_alpha = f->alpha;
        f->dst_planes = f->planes;
        layout(&p, &f->dst_channels, &f->dst_alpha, &f->dst_planes);
    } else if (!signal && *p) {
        fail("no channels", name, text);
    }
    f->coi = *p == 'C';
    p += f->coi;
    for (; *p == 'I' || *p == 'M' || *p == 'R'; p++) {
        f->in_place |= *p == 'I';
        f->masked |= *p == 'M';
    }
    f->scaled = !strncmp(p, "Sfs", 3);
    p += f->scaled ? 3 : *p == 's'; // Rs: saturates
    if (*p && *p != '_')
        fail("not a form", name, text);
}

// Calls `each` for every form of a list with braces.
typedef void form_fn(const struct row *r, const char *form, void *data);
static void expand(const struct row *r, const char *text, size_t n, form_fn *each, void *data)
{
    const char *open = memchr(text, '{', n);
    if (!open) {
        char form[96];
        snprintf(form, sizeof form, "%.*s", (int)n, text);
        each(r, form, data);
        return;
    }
    const char *close = memchr(open, '}', n - (size_t)(open - text));
    if (!close)
        fail("no }", r->name, text);
    for (const char *p = open + 1, *end; p <= close; p = end + 1) {
        end = p + strcspn(p, ",}");
        struct text t = {0};
        put(&t, text, (size_t)(open - text));
        put(&t, p, (size_t)(end - p));
        put(&t, close + 1, n - (size_t)(close + 1 - text));
        expand(r, t.at, t.n, each, data);
        free(t.at);
        if (end == close)
            break;
    }
}
static void each_form(const struct row *r, form_fn *each, void *data)
{
    if (!*r->forms)
        each(r, "", data);
    for (const char *p = r->forms; *p; p += strspn(p, " ")) {
        size_t n = strcspn(p, " ");
        expand(r, p, n, each, data);
        p += n;
    }
}

// ---- one function
struct function {
    struct text name, params, args, sets, need, result;
    bool stream;
};

// $S $D $E are the types of Npp, $K that of constants, $L that of levels, $G that of gray masks, $s $d $e the enumerators of ours, $N the number of channels that are computed, $M
// that of those written, $P all channels.
static void substitute(struct text *out, const char *s, const struct form *f)
{
    unsigned n = f->alpha ? 3 : f->channels, m = f->dst_alpha ? 3 : f->dst_channels;
    char number[16];
    for (; *s; s++) {
        if (*s != '$') {
            put(out, s, 1);
            continue;
        }
        switch (*++s) {
        case 'S':
        case 'D':
        case 'E':
            puts_to(out, "Npp");
            puts_to(out, f->type[*s == 'S' ? 0 : *s == 'D' ? 1 : 2]);
            break;
        case 'K': // of a constant: a float for half precision
            puts_to(out, "Npp");
            puts_to(out, !strcmp(f->type[0], "16f") ? "32f" : f->type[0]);
            break;
        case 'G': // of a gray mask
        case 'L': // of a histogram's levels
            puts_to(out, !strcmp(f->type[0], "32f") ? "Npp32f" : "Npp32s");
            break;
        case 's':
        case 'd':
        case 'e':
            puts_to(out, "NT_");
            puts_to(out, f->type[*s == 's' ? 0 : *s == 'd' ? 1 : 2]);
            break;
        case 'N':
        case 'M':
        case 'P':
            snprintf(number, sizeof number, "%u", *s == 'N' ? n : *s == 'M' ? m : f->channels);
            puts_to(out, number);
            break;
        default:
            fail("unknown $", s, f->text);
        }
    }
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

// The names of parameters: the last word of each, before its brackets.
static void names(struct text *out, const char *params)
{
    for (const char *p = params; *p;) {
        size_t n = strcspn(p, ",");
        const char *end = memchr(p, '[', n);
        end = end ? end : p + n;
        while (end > p && !is_word(end[-1]))
            end--;
        const char *start = end;
        while (start > p && is_word(start[-1]))
            start--;
        puts_to(out, out->n ? ", " : "");
        put(out, start, (size_t)(end - start));
        p += n + (p[n] == ',');
    }
}

static const struct word *word_find(const char *name, size_t n)
{
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i].name) == n && !memcmp(words[i].name, name, n))
            return &words[i];
    fprintf(stderr, "npp_table: no word %.*s\n", (int)n, name);
    exit(1);
}

static void add_word(struct function *fn, const struct form *f, const struct word *w)
{
    bool one = (f->alpha ? 3 : f->channels) == 1 || f->coi || f->signal;
    const char *params = one ? w->one : w->many, *sets = one ? w->sets : w->sets_many;
    struct text t = {0};
    put(&t, "", 0);
    substitute(&t, params, f);
    names(&fn->args, t.at);
    puts_to(&fn->params, fn->params.n ? ", " : "");
    puts_to(&fn->params, t.at);
    free(t.at);
    if (*sets) {
        puts_to(&fn->sets, ", ");
        substitute(&fn->sets, sets, f);
    }
    if (strcmp(w->need, "0") != 0) {
        puts_to(&fn->need, fn->need.n ? " | " : "");
        puts_to(&fn->need, w->need);
    }
}

static void function_make(struct function *fn, const struct row *head, const struct row *r, const struct form *f)
{
    const struct shape *s = NULL;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes && !s; i++)
        s = !strcmp(shapes[i].name, r->shape) ? &shapes[i] : NULL;
    if (!s)
        fail("no such shape", r->name, r->shape);
    struct text *all[] = {&fn->name, &fn->params, &fn->args, &fn->sets, &fn->need, &fn->result};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        clear(all[i]);
    fn->stream = true;
    puts_to(&fn->name, head->prefix);
    puts_to(&fn->name, r->name);
    puts_to(&fn->name, *f->text ? "_" : "");
    puts_to(&fn->name, f->text);
    puts_to(&fn->result, "NppStatus");
    bool scaled = false, masked = false;
    const char *p = f->in_place && *s->in_place ? s->in_place : s->words;
    if (f->in_place && !*s->in_place)
        fail("not in place", r->name, f->text);
    for (p += strspn(p, " "); *p; p += strspn(p, " ")) {
        size_t n = strcspn(p, " ");
        const struct word *w = word_find(p, n);
        p += n;
        bool sizes = !strncmp(w->name, "size_out", 8); // a buffer's size is asked for with neither
        scaled |= sizes || !strcmp(w->name, "sfs");
        masked |= sizes || !strcmp(w->name, "mask");
        if ((!strcmp(w->name, "sfs") && !f->scaled) || (!strcmp(w->name, "mask") && !f->masked) ||
            (!strcmp(w->name, "coi") && !f->coi))
            continue;
        if (!strcmp(w->name, "host")) // neither a stream nor work
            fn->stream = false;
        else if (!strcmp(w->name, "pointer")) { // what it gives is memory
            clear(&fn->result);
            substitute(&fn->result, "$S *", f);
        } else if (!strcmp(w->name, "nothing")) {
            clear(&fn->result);
            puts_to(&fn->result, "void");
        } else
            add_word(fn, f, w);
    }
    if ((f->scaled && !scaled) || (f->masked && !masked))
        fail("the shape has no word for the factor or the mask", r->name, f->text);
}

// ---- what is written
struct writer {
    const struct row *head;
    FILE *out;
    struct function fn;
    struct text seen; // names so far, each between two line ends
};

static void header_one(const struct row *r, const char *text, void *data)
{
    struct writer *w = data;
    struct form f;
    form_parse(&f, r->name, text, !strcmp(w->head->prefix, "npps"));
    function_make(&w->fn, w->head, r, &f);
    const char *space = w->fn.result.at[w->fn.result.n - 1] == '*' ? "" : " ";
    if (!w->fn.stream) {
        fprintf(w->out, "%s%s%s(%s);\n", w->fn.result.at, space, w->fn.name.at,
                w->fn.params.n ? w->fn.params.at : "void");
        return;
    }
    fprintf(w->out, "NppStatus %s_Ctx(%s, NppStreamContext nppStreamCtx);\n", w->fn.name.at, w->fn.params.at);
    fprintf(w->out, "HEDDLE_NPP_PLAIN(%s, (%s))\n", w->fn.name.at, w->fn.params.at);
}

static bool headers(const char *folder)
{
    struct writer w = {0};
    for (size_t i = 0; i < ROWS; i++) {
        const struct row *r = &rows[i];
        if (r->header) {
            if (w.out)
                fputs("#if defined(__cplusplus)\n}\n#endif\n#endif\n", w.out);
            if (w.out && (ferror(w.out) | fclose(w.out)))
                return false;
            char path[4096];
            snprintf(path, sizeof path, "%s/%s", folder, r->header);
            w.out = fopen(path, "w");
            if (!w.out)
                return perror(path), false;
            w.head = r;
            fprintf(w.out,
                    "// SPDX-License-Identifier: Apache-2.0\n// Made from a table of Heddle's, src/npp/api.def, by "
                    "tools/npp_table.c.\n"
                    "#ifndef HEDDLE_GENERATED_%.*s_H\n#define HEDDLE_GENERATED_%.*s_H\n#include "
                    "\"nppdefs.h\"\n#include \"heddle/npp/plain.h\"\n"
                    "#if defined(__cplusplus)\nextern \"C\" {\n#endif\n",
                    (int)strlen(r->header) - 2, r->header, (int)strlen(r->header) - 2, r->header);
        } else if (r->shape)
            each_form(r, header_one, &w);
    }
    fputs("#if defined(__cplusplus)\n}\n#endif\n#endif\n", w.out);
    return !(ferror(w.out) | fclose(w.out));
}

static void stub_one(const struct row *r, const char *text, void *data)
{
    struct writer *w = data;
    struct form f;
    form_parse(&f, r->name, text, !strcmp(w->head->prefix, "npps"));
    struct function *fn = &w->fn;
    function_make(fn, w->head, r, &f);
    struct text mark = {0};
    puts_to(&mark, "\n");
    puts_to(&mark, fn->name.at);
    puts_to(&mark, "\n");
    if (strstr(w->seen.at, mark.at))
        fail("is there twice", r->name, text);
    puts_to(&w->seen, mark.at);
    free(mark.at);
    const char *result = fn->result.at, *kind = "NPP_POINTER";
    if (fn->stream)
        kind = "NPP_FUNCTION";
    else if (!strcmp(result, "NppStatus"))
        kind = "NPP_HOST";
    else if (!strcmp(result, "void"))
        kind = "NPP_VOID";
    const char *comma = fn->args.n ? ", " : "";
    fprintf(w->out,
            "%s(%s, %s, (%s), (%s), (%s%sNppStreamContext nppStreamCtx), (%s%snppStreamCtx), "
            "(%s%sheddle_npp_context()), %s,\n",
            kind, fn->result.at, fn->name.at, fn->params.n ? fn->params.at : "void", fn->args.at, fn->params.at, comma,
            fn->args.at, comma, fn->args.at, comma, r->body);
    fprintf(w->out,
            "    (.s = NT_%s, .d = NT_%s, .e = NT_%s, .channels = %u, .dst_channels = %u, .alpha = %d, .dst_alpha = "
            "%d, .planes = %d, "
            ".dst_planes = %d, .in_place = %d, .masked = %d, .scaled = %d, .coi = %d, .need = %s, .argument = %s)%s)\n",
            f.types ? f.type[0] : "none", f.types ? f.type[1] : "none", f.types ? f.type[2] : "none", f.channels,
            f.dst_channels ? f.dst_channels : f.channels, f.alpha, f.dst_alpha, f.planes, f.dst_planes, f.in_place,
            f.masked, f.scaled, f.coi, fn->need.n ? fn->need.at : "0", r->argument, fn->sets.at);
}

static bool stubs(const char *library)
{
    struct writer w = {.out = stdout};
    clear(&w.seen);
    printf("// Made from a table of Heddle's, src/npp/api.def, by tools/npp_table.c.\n#include \"npp/core/stub.h\"\n");
    printf("const struct library library_self = {\"NPP\", \"lib%s.so.13\", NULL, NULL};\n", library);
    for (size_t i = 0; i < ROWS; i++) {
        if (rows[i].header)
            w.head = &rows[i];
        else if (rows[i].shape && !strcmp(w.head->library, library))
            each_form(&rows[i], stub_one, &w);
    }
    return !(fflush(stdout) | ferror(stdout));
}

// ---- the page
struct count {
    unsigned here, lacking;
    struct text lacks;
};
static void count_one(const struct row *r, const char *form, void *data)
{
    struct count *c = data;
    if (r->shape) {
        c->here++;
        return;
    }
    c->lacking++;
    puts_to(&c->lacks, c->lacks.n ? " " : "");
    puts_to(&c->lacks, form);
}

// The number of functions of the rows from i on up to the next header, and with `print` a line for each operation: rows of one name stand
// together.
static struct count header_count(size_t i, const char *prefix, bool print)
{
    struct count all = {0};
    while (++i < ROWS && !rows[i].header) {
        struct count c = {0};
        clear(&c.lacks);
        bool first = true, next;
        for (size_t j = i; j-- > 0 && !rows[j].header;)
            first &= strcmp(rows[j].name, rows[i].name) != 0;
        for (size_t j = i; first && j < ROWS && !rows[j].header; j++)
            if (!strcmp(rows[j].name, rows[i].name))
                each_form(&rows[j], count_one, &c);
        next = first && print;
        if (next && c.lacking)
            printf("- `%s%s`: %u of %u; missing: %s\n", prefix, rows[i].name, c.here, c.here + c.lacking, c.lacks.at);
        else if (next)
            printf("- `%s%s`: %u\n", prefix, rows[i].name, c.here);
        all.here += c.here;
        all.lacking += c.lacking;
        free(c.lacks.at);
    }
    return all;
}

static bool page(void)
{
    unsigned here = 1, all = 1;
    for (size_t i = 0; i < ROWS; i++)
        if (rows[i].header) {
            struct count c = header_count(i, rows[i].prefix, false);
            here += c.here;
            all += c.here + c.lacking;
        }
    printf(
        "# Coverage of NPP (libnppc, libnppial, libnppicc, libnppidei, libnppif, libnppig, libnppim, libnppist, "
        "libnppisu, libnppitc, "
        "libnpps)\n\nGenerated from src/npp/api.def against the functions that the headers of CUDA 13.0 declare; do "
        "not edit.\n\n"
        "Of %u functions, %u are here. Each is exported with and without `_Ctx`. A line has an operation and the "
        "number of "
        "functions (types, channels, variants) that it has.\n\n## nppcore.h, libnppc (1 of 1)\n\n- `nppGetLibVersion`, "
        "and of CUDA 12: "
        "`nppGetGpuNumSMs`, `nppGetMaxThreadsPerBlock`, `nppGetMaxThreadsPerSM`, `nppGetGpuDeviceProperties`, "
        "`nppGetGpuName`, "
        "`nppGetStream`, `nppGetStreamContext`, `nppGetStreamNumSMs`, `nppGetStreamMaxThreadsPerSM`, `nppSetStream`\n",
        all, here);
    for (size_t i = 0; i < ROWS; i++)
        if (rows[i].header) {
            struct count c = header_count(i, rows[i].prefix, false);
            printf("\n## %s, lib%s (%u of %u)\n\n", rows[i].header, rows[i].library, c.here, c.here + c.lacking);
            header_count(i, rows[i].prefix, true);
        }
    return !(fflush(stdout) | ferror(stdout));
}

int main(int argc, char **argv)
{
    if (argc == 3 && !strcmp(argv[1], "headers"))
        return !headers(argv[2]);
    if (argc == 3 && !strcmp(argv[1], "stubs"))
        return !stubs(argv[2]);
    if (argc == 2 && !strcmp(argv[1], "page"))
        return !page();
    fprintf(stderr, "usage: npp_table headers FOLDER | stubs LIBRARY | page\n");
    return 2;
}
