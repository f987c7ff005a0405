// SPDX-License-Identifier: Apache-2.0
// Writes docs/jit/tuning.md from src/jit/ir/tuning.def: jit_tuning FILE.
#include <stdio.h>

int main(int argc, char **argv)
{
    FILE *f = argc == 2 ? fopen(argv[1], "w") : NULL;
    if (!f)
        return 1;
    fputs("# The numbers that the JIT is tuned by\n\n"
          "Written by the build target `jit_tuning` from src/jit/ir/tuning.def. A number without a figure in the last "
          "column "
          "has none on record:\nwho changes it measures first.\n\n"
          "| number | value | unit | what it bounds, and why | measured |\n|---|---|---|---|---|\n",
          f);
#define TUNE(name, value, unit, reason, measured)                                                                      \
    fprintf(f, "| `%s` | %d | %s | %s | %s |\n", #name, value, unit, reason, measured);
#include "jit/ir/tuning.def"
    int failed = ferror(f);
    return fclose(f) || failed;
}
