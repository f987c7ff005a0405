// SPDX-License-Identifier: Apache-2.0
// Writes docs/jit/dialect.md from src/jit/ir/dialect.def: jit_dialect FILE.
#include <ctype.h>
#include <stdio.h>
#include <string.h>

static const char *type_of(char c)
{
    switch (c) {
    case 'v':
        return "void";
    case 'b':
        return "i1";
    case 'h':
        return "i16";
    case 'w':
        return "i32";
    case 'l':
        return "i64";
    case 'f':
        return "float";
    case 'd':
        return "double";
    case 'p':
        return "ptr";
    case 'g':
        return "ptr global";
    case 's':
        return "ptr shared";
    case 'a':
        return "ptr const";
    default:
        return "ptr local";
    }
}

static void print_type(FILE *f, const char *type)
{
    if (!*type)
        return;
    fprintf(f, "`%s (", type_of(*type));
    for (const char *p = type + 1; *p; p++)
        fprintf(f, "%s%s", type_of(*p), p[1] ? ", " : "");
    fputs(")`", f);
}

// "IS_PURE | IS_TID" as "pure, tid".
static void print_kinds(FILE *f, const char *kinds)
{
    const char *between = "";
    for (const char *p = kinds; (p = strstr(p, "IS_")); between = ", ") {
        fputs(between, f);
        for (p += 3; isalnum((unsigned char)*p) || *p == '_'; p++)
            fputc(*p == '_' ? ' ' : tolower((unsigned char)*p), f);
    }
}

static void print_row(FILE *f, const char *name, const char *kinds, const char *wait, const char *type,
                      const char *about)
{
    size_t n = strlen(name);
    fprintf(f, "| `heddle.%s%s` | ", name, name[n - 1] == '.' ? "*" : "");
    print_type(f, type);
    fputs(" | ", f);
    print_kinds(f, kinds);
    fputs(" | ", f);
    for (const char *p = wait; *p; p++)
        fputc(*p == '_' ? ' ' : tolower((unsigned char)*p), f);
    fprintf(f, " | %s |\n", about);
}

int main(int argc, char **argv)
{
    FILE *f = argc == 2 ? fopen(argv[1], "w") : NULL;
    if (!f)
        return 1;
    fputs("# The operations of the dialect\n\n"
          "Written by the build target `jit_dialect` from src/jit/ir/dialect.def; [dialect.md](../dialect.md) tells "
          "how they are "
          "used. `*`\nstands for a suffix: a type, a function of the engine. Kinds are what passes ask "
          "(src/jit/ir/dialect.h); the "
          "last but one\ncolumn is what a thread waits for there.\n\n"
          "| operation | type | kinds | waits | what it does |\n|---|---|---|---|---|\n",
          f);
#define OP(op, name, kinds, shape, emitter, variant, type, about) print_row(f, name, #kinds, "", type, about);
#define WAIT(op, name, kinds, wait, resume, shape, emitter, variant, type, about)                                      \
    print_row(f, name, #kinds, &#wait[sizeof "RESUME_" - 1], type, about);
#include "jit/ir/dialect.def"
    int failed = ferror(f);
    return fclose(f) || failed;
}
