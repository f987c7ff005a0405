// SPDX-License-Identifier: Apache-2.0
// Writes docs/jit/passes.md from src/jit/pass.def: jit_passes FILE.
#include <stdio.h>

int main(int argc, char **argv)
{
    FILE *f = argc == 2 ? fopen(argv[1], "w") : NULL;
    if (!f)
        return 1;
    fputs("# The passes of the JIT\n\nIn the order in which they run; written by the build target `jit_passes` from "
          "src/jit/pass.def. "
          "`HEDDLE_DUMP=name` prints the IR\nafter a pass, `HEDDLE_PASSES=-name` leaves out one that is optional, "
          "`HEDDLE_REMARKS=name` has a "
          "pass say where\nit fired or why not, `heddle compile --time-passes` tells the time and the number of "
          "instructions before and after each.\n\n"
          "| pass | runs | optional | needs | what it does |\n|---|---|---|---|---|\n",
          f);
#define PASS(name, function, when, optional, needs, about)                                                             \
    fprintf(f, "| `%s` | %s | %s | %s | %s |\n", #name, #when, (optional) ? "yes" : "", needs, about);
#define LLVM_PASS(name, pipeline, when, about) fprintf(f, "| `%s` | %s | | LLVM | %s |\n", #name, #when, about);
#include "jit/pass.def"
    int failed = ferror(f);
    return fclose(f) || failed;
}
