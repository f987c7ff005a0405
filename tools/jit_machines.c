// SPDX-License-Identifier: Apache-2.0
// Writes docs/jit/machines.md from src/jit/ir/machine.def: jit_machines FILE.
#include <stdio.h>

#define COUNT(...) (sizeof((int[]){__VA_ARGS__}) / sizeof(int))
#define LIST(...)  __VA_ARGS__

static void figures(FILE *f, const int *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        fprintf(f, " %d |", x[i]);
}

static void head(FILE *f, const char *line)
{
    fprintf(f, "\n|%s|\n|", line);
    for (const char *p = line; *p; p++)
        if (*p == '|')
            fputs("---|", f);
    fputs("---|\n", f);
}

int main(int argc, char **argv)
{
    FILE *f = argc == 2 ? fopen(argv[1], "w") : NULL;
    if (!f)
        return 1;
    fputs("# The machines that the JIT knows\n\n"
          "Written by the build target `jit_machines` from src/jit/ir/machine.def. What may be done on a processor its "
          "features say; what it costs,\nthese figures. A processor is of the first kind of its architecture whose "
          "names and features fit; `HEDDLE_LOG=debug` tells which.\n\n## Kinds\n",
          f);
    head(f, " kind | LLVM's names begin with | features | what it is ");
#define MACHINE(architecture, id, names, needs, about)                                                                 \
    fprintf(f, "| %s | %s | %s | %s |\n", #id, *names ? names : "any", needs, about);
#define FIGURE(name, unit, x86, arm, about, source)
#include "jit/ir/machine.def"
    fputs("\n## Figures\n\nCosts are how often such an instruction can begin; 0: there is none. mca: the throughput "
          "that llvm-mca 22 finds by LLVM's models of\nznver4, skylake-avx512, znver3, skylake, haswell, x86-64, "
          "neoverse-v2, neoverse-v1, neoverse-n1 and cortex-a57.\n",
          f);
    fputs("\n| figure | unit |", f);
#define MACHINE(architecture, id, names, needs, about) fputs(" " #id " |", f);
#define FIGURE(name, unit, x86, arm, about, source)
#include "jit/ir/machine.def"
    fputs(" what it is of | source |\n|---|---|", f);
#define MACHINE(architecture, id, names, needs, about) fputs("---|", f);
#define FIGURE(name, unit, x86, arm, about, source)
#include "jit/ir/machine.def"
    fputs("---|---|\n", f);
#define MACHINE(architecture, id, names, needs, about)
#define FIGURE(name, unit, x86, arm, about, source)                                                                    \
    fprintf(f, "| `%s` | %s |", #name, unit);                                                                          \
    figures(f, (int[]){LIST x86, LIST arm}, COUNT(LIST x86, LIST arm));                                                \
    fprintf(f, " %s | %s |\n", about, source);
#include "jit/ir/machine.def"
    int failed = ferror(f);
    return fclose(f) || failed;
}
