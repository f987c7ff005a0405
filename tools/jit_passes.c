// SPDX-License-Identifier: Apache-2.0
// Writes docs/jit/passes.md from src/jit/pass.def: jit_passes FILE SOURCE... The sources and headers of src/jit, by their paths there,
// tell which file has a pass, and which analyses it includes: the column `needs` has to name these, or a message says so (house/pages
// fails by it).
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { FOUND_MAX = 512 };
struct found {
    char name[64];
    const char *file;
};
static struct found passes[FOUND_MAX], includes[FOUND_MAX];
static unsigned npasses, nincludes;
static bool failed;

// The part of a path behind its last '/', without what follows a '.'.
static void base_name(const char *path, char out[64])
{
    const char *slash = strrchr(path, '/');
    snprintf(out, 64, "%.63s", slash ? slash + 1 : path);
    out[strcspn(out, ".")] = 0;
}

static void read_source(const char *path)
{
    FILE *f = fopen(path, "r");
    char line[512], header[256];
    while (f && fgets(line, sizeof line, f)) {
        struct found x = {.file = path};
        if (npasses < FOUND_MAX && strstr(line, "(struct compilation") &&
            sscanf(line, "bool pass_%63[^(]", x.name) == 1)
            passes[npasses++] = x;
        else if (nincludes < FOUND_MAX && sscanf(line, "#include \"jit/analysis/%255[^\"]", header) == 1) {
            base_name(header, x.name);
            includes[nincludes++] = x;
        }
    }
    if (f)
        fclose(f);
}

static const char *file_of(const char *function)
{
    for (unsigned i = 0; i < npasses; i++)
        if (!strcmp(passes[i].name, function))
            return passes[i].file;
    fprintf(stderr, "pass.def: no source has pass_%s\n", function);
    failed = true;
    return "";
}

static bool is_analysis(const char *name, char **sources, int n)
{
    char base[64];
    for (int i = 0; i < n; i++) {
        base_name(sources[i], base);
        if (!strncmp(sources[i], "analysis/", 9) && strstr(sources[i], ".h") && !strcmp(base, name))
            return true;
    }
    return false;
}

// Each word is an analysis; what they name and the file includes is accounted for.
static void check_needs(const char *file, const char *needs, char **sources, int n)
{
    char word[64];
    for (int length = 0; sscanf(needs, "%63s%n", word, &length) == 1; needs += length) {
        if (!is_analysis(word, sources, n))
            fprintf(stderr, "pass.def: '%s' is no header of src/jit/analysis\n", word);
        for (unsigned i = 0; i < nincludes; i++)
            if (!strcmp(includes[i].name, word) && !strcmp(includes[i].file, file))
                includes[i].name[0] = 0;
    }
}

static bool has_pass(const char *file)
{
    for (unsigned i = 0; i < npasses; i++)
        if (!strcmp(passes[i].file, file))
            return true;
    return false;
}

int main(int argc, char **argv)
{
    FILE *f = argc > 2 ? fopen(argv[1], "w") : NULL;
    const char *file;
    if (!f)
        return 1;
    for (int i = 2; i < argc; i++)
        read_source(argv[i]);
    fputs("# The passes of the JIT\n\nIn the order in which they run; written by the build target `jit_passes` from "
          "src/jit/pass.def. "
          "`HEDDLE_DUMP=name` prints the IR\nafter a pass, `HEDDLE_PASSES=-name` leaves out one that is optional, "
          "`HEDDLE_REMARKS=name` has a "
          "pass say where\nit fired or why not, `heddle compile --time-passes` tells the time and the number of "
          "instructions before and after each.\nThe file is that of src/jit which has the pass (*LLVM*: a pipeline of "
          "llvm_passes.h), when.c tells what *runs* means,\nand what it needs are headers of analysis/.\n\n"
          "| pass | file | runs | optional | needs | what it does |\n|---|---|---|---|---|---|\n",
          f);
#define PASS(name, function, when, optional, needs, about)                                                             \
    file = file_of(#function);                                                                                         \
    check_needs(file, needs, argv + 2, argc - 2);                                                                      \
    fprintf(f, "| `%s` | %s | %s | %s | %s | %s |\n", #name, file, #when, (optional) ? "yes" : "", needs, about);
#define LLVM_PASS(name, pipeline, when, about) fprintf(f, "| `%s` | *LLVM* | %s | | | %s |\n", #name, #when, about);
#include "jit/pass.def"
    for (unsigned i = 0; i < nincludes; i++)
        if (includes[i].name[0] && has_pass(includes[i].file))
            fprintf(stderr, "pass.def: %s includes the analysis '%s', which the needs of its passes do not name\n",
                    includes[i].file, includes[i].name);
    failed |= ferror(f) != 0;
    return fclose(f) || failed;
}
