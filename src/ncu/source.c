// SPDX-License-Identifier: Apache-2.0
// The page source: what was counted by line of the program, or of its PTX.
#include "base/os.h"
#include "ncu/ncu.h"
#include <stdlib.h>
#include <string.h>

static const char *file_of(const struct launch *l, const struct insn *i)
{
    return i->file < l->files.len && l->files.data[i->file] ? l->files.data[i->file] : NULL;
}

static struct source_line *line_of(struct source_lines *all, const char *file, uint32_t line, const char *text)
{
    for (size_t i = 0; i < all->len; i++) {
        struct source_line *s = &all->data[i];
        if (s->line == line && (s->file == file || (s->file && file && !strcmp(s->file, file))))
            return s;
    }
    vec_push(all, ((struct source_line){.file = file, .line = line, .text = text}));
    return &all->data[all->len - 1];
}

static int by_place(const void *a, const void *b)
{
    const struct source_line *x = a, *y = b;
    int c = x->file && y->file ? strcmp(x->file, y->file) : 0;
    return c ? c : (x->line > y->line) - (x->line < y->line);
}

void source_lines_of(const struct launch *l, bool ptx, struct source_lines *out)
{
    for (size_t k = 0; k < l->insns.len; k++) {
        const struct insn *i = &l->insns.data[k];
        const char *file = ptx ? NULL : file_of(l, i);
        if (!ptx && (!file || !i->line))
            continue;
        struct source_line *s = line_of(out, file, ptx ? i->ptx_line : i->line, ptx ? i->text : NULL);
        s->warps += (double)i->warps;
        s->threads += (double)i->threads;
        s->on += (double)insn_on(i);
        s->divergent += (double)i->field[COUNT_DIVERGENT];
        s->requests += (double)i->field[COUNT_GLOBAL_REQUESTS];
        s->sectors += (double)i->field[COUNT_GLOBAL_SECTORS];
        s->ideal += (double)i->field[COUNT_GLOBAL_IDEAL];
        s->wavefronts += (double)i->field[COUNT_SHARED_WAVEFRONTS];
        s->wavefronts_ideal += (double)i->field[COUNT_SHARED_IDEAL];
        s->local += (double)i->field[COUNT_LOCAL_SECTORS];
    }
    if (out->len)
        qsort(out->data, out->len, sizeof *out->data, by_place);
}

char *source_text(const char *file, uint32_t line)
{
    static char *text;
    static const char *held;
    size_t size;
    if (!held || strcmp(held, file)) {
        free(text);
        text = os_file_read(file, &size);
        held = file;
    }
    const char *p = text;
    for (uint32_t n = 1; p && n < line; n++) {
        p = strchr(p, '\n');
        p = p ? p + 1 : NULL;
    }
    return p ? strndup(p, strcspn(p, "\n")) : NULL;
}

// ---- printing
static const struct column {
    const char *title;
    size_t offset, less; // less: of what this is the excess over; 0: nothing
} columns[] = {
    {"Instructions Executed", offsetof(struct source_line, warps), 0},
    {"Thread Instructions Executed", offsetof(struct source_line, threads), 0},
    {"Predicated-On Thread Instructions Executed", offsetof(struct source_line, on), 0},
    {"Divergent Branches", offsetof(struct source_line, divergent), 0},
    {"L2 Theoretical Sectors Global", offsetof(struct source_line, sectors), 0},
    {"L2 Theoretical Sectors Global Excessive", offsetof(struct source_line, sectors),
     offsetof(struct source_line, ideal)},
    {"L1 Wavefronts Shared", offsetof(struct source_line, wavefronts), 0},
    {"L1 Wavefronts Shared Excessive", offsetof(struct source_line, wavefronts),
     offsetof(struct source_line, wavefronts_ideal)},
};
enum { COLUMNS = sizeof columns / sizeof *columns, HOT = 5 };

static double cell(const struct source_line *s, const struct column *c)
{
    const char *base = (const char *)s;
    double x = *(const double *)(base + c->offset);
    if (c->less) {
        double y = *(const double *)(base + c->less);
        x = x > y ? x - y : 0;
    }
    return x;
}

static void print_csv(const struct source_lines *all)
{
    printf("\"#\",\"File\",\"Source\"");
    for (size_t k = 0; k < COLUMNS; k++)
        printf(",\"%s\"", columns[k].title);
    printf("\n");
    for (size_t i = 0; i < all->len; i++) {
        const struct source_line *s = &all->data[i];
        char *own = s->file ? source_text(s->file, s->line) : NULL;
        printf("\"%u\",\"%s\",\"", s->line, s->file ? s->file : "");
        for (const char *p = s->text ? s->text : own ? own : ""; *p; p++)
            printf(*p == '"' ? "\"\"" : "%c", *p);
        printf("\"");
        for (size_t k = 0; k < COLUMNS; k++)
            printf(",\"%.0f\"", cell(s, &columns[k]));
        printf("\n");
        free(own);
    }
}

static void print_text(const struct source_lines *all)
{
    static const char *const titles[] = {"Inst",    "Thread Inst", "Pred-On", "Diverg.",
                                         "Sectors", "Excess",      "Wavefr.", "Excess"};
    const char *file = "";
    for (size_t i = 0; i < all->len; i++) {
        const struct source_line *s = &all->data[i];
        const char *here = s->file ? s->file : "PTX";
        if (strcmp(file, here)) {
            printf("    %s\n    %6s", here, "Line");
            for (size_t k = 0; k < COLUMNS; k++)
                printf(" %12s", titles[k]);
            printf("  Source\n");
            file = here;
        }
        char *own = s->file ? source_text(s->file, s->line) : NULL;
        printf("    %6u", s->line);
        for (size_t k = 0; k < COLUMNS; k++)
            printf(" %12.0f", cell(s, &columns[k]));
        printf("  %s\n", s->text ? s->text : own ? own : "");
        free(own);
    }
    printf("\n");
}

// The lines that most was executed on.
static void print_hot(const struct source_lines *all)
{
    double sum = 0;
    for (size_t i = 0; i < all->len; i++)
        sum += all->data[i].warps;
    printf("    Hot spots\n");
    double below = -1;
    for (size_t n = 0; n < HOT && n < all->len; n++) {
        const struct source_line *most = NULL;
        for (size_t i = 0; i < all->len; i++)
            if ((below < 0 || all->data[i].warps < below) && (!most || all->data[i].warps > most->warps))
                most = &all->data[i];
        if (!most || !(most->warps > 0))
            break;
        below = most->warps;
        printf("    %6.2f %%  %s:%u\n", 100 * most->warps / sum, most->file ? most->file : "PTX", most->line);
    }
    printf("\n");
}

static void print_lines(const struct launch *l, bool ptx)
{
    struct source_lines lines = {0};
    source_lines_of(l, ptx, &lines);
    if (!lines.len)
        printf("    No lines of the source: compile with -lineinfo\n\n");
    else if (option_given(OPTION_CSV))
        print_csv(&lines);
    else
        print_text(&lines), print_hot(&lines);
    vec_free(&lines);
}

void print_sources(const struct launches *all)
{
    for (size_t i = 0; i < all->len; i++) {
        const struct launch *l = all->data[i];
        printf("%s%s, %u\n", option_given(OPTION_CSV) ? "" : "  ", l->name, l->id);
        if (l->native && !option_given(OPTION_CSV))
            printf("    %s\n", native_note);
        if (strstr(option_value[OPTION_PRINT_SOURCE], "cuda"))
            print_lines(l, false);
        if (strstr(option_value[OPTION_PRINT_SOURCE], "ptx"))
            print_lines(l, true);
    }
}
