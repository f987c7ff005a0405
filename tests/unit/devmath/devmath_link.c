// SPDX-License-Identifier: Apache-2.0
// Every function of the device math library links into device code: a kernel for each is compiled by clang with the
// bitcode, and the PTX must have no external function and no question of __nvvm_reflect left. Where NVIDIA's assembler
// is installed, it must accept it.
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "test.h"

struct function {
    const char *result, *name, *args;
};
static const struct function functions[] = {
#define NV(result, name, args) {#result, #name, #args},
#define NV_OUT                 NV
#include "devmath/devmath.def"
#undef NV
};
#define COUNT (sizeof(functions) / sizeof(functions[0]))

// "(float, int *)" with a name for each parameter, or the names alone.
static void put_params(FILE *f, const char *args, bool types)
{
    char text[256];
    snprintf(text, sizeof(text), "%s", args + 1);
    text[strlen(text) - 1] = 0;
    int i = 0;
    for (char *t = strtok(text, ","); t; t = strtok(NULL, ","), i++)
        fprintf(f, "%s%s a%d", i ? "," : "", types ? t : "", i);
}

static void write_source(const char *path)
{
    FILE *f = fopen(path, "w");
    if (!f)
        return;
    for (size_t i = 0; i < COUNT; i++) {
        const struct function *n = &functions[i];
        bool none = !strcmp(n->result, "void");
        fprintf(f, "extern \"C\" __attribute__((device)) %s __nv_%s%s;\n", n->result, n->name, n->args);
        fprintf(f, "extern \"C\" __attribute__((global)) void k_%s(", n->name);
        if (!none)
            fprintf(f, "%s *r, ", n->result);
        put_params(f, n->args, true);
        fprintf(f, ") { %s__nv_%s(", none ? "" : "*r = ", n->name);
        put_params(f, n->args, false);
        fprintf(f, "); }\n");
    }
    fclose(f);
}

static bool contains(const char *path, const char *word)
{
    char line[4096];
    bool found = false;
    FILE *f = fopen(path, "r");
    while (f && !found && fgets(line, sizeof(line), f))
        found = strstr(line, word) != NULL;
    if (f)
        fclose(f);
    return found;
}

static int run(const char *format, const char *a, const char *b, const char *c)
{
    char command[4096];
    snprintf(command, sizeof(command), format, a, b, c);
    return system(command);
}

static void compile_for(const char *dir, const char *arch, const char *flags)
{
    char source[300], ptx[300], options[600];
    snprintf(source, sizeof(source), "%s/all.cu", dir);
    snprintf(ptx, sizeof(ptx), "%s/all.ptx", dir);
    snprintf(options, sizeof(options), "--cuda-gpu-arch=%s %s", arch, flags);
    CHECK(run(HEDDLE_CLANGXX " -x cuda --cuda-path=/nonexistent -nocudainc -nocudalib -Xclang -target-sdk-version=12.5"
                             " --cuda-device-only -S --cuda-feature=+ptx83 -Xclang -mlink-builtin-bitcode"
                             " -Xclang " HEDDLE_BITCODE " %s %s -o %s",
              options, source, ptx) == 0);
    CHECK(contains(ptx, "k_sinf") && contains(ptx, "k_yn"));
    CHECK(!contains(ptx, ".extern") && !contains(ptx, "__nvvm_reflect"));
    // unoptimised code takes the assembler many seconds and shows it nothing new
    if (!strstr(flags, "-O0") && access("/usr/local/cuda/bin/ptxas", X_OK) == 0)
        CHECK(run("/usr/local/cuda/bin/ptxas -arch=%s %s -o %s.cubin", arch, ptx, ptx) == 0);
}

int main(void)
{
    char dir[] = "/tmp/heddle-devmath-XXXXXX", source[64];
    if (!mkdtemp(dir))
        return 1;
    snprintf(source, sizeof(source), "%s/all.cu", dir);
    write_source(source);
    compile_for(dir, "sm_80", "-O3");
    compile_for(dir, "sm_90", "-O3 -fgpu-flush-denormals-to-zero");
    compile_for(dir, "sm_80", "-O0");
    CHECK(run("rm -r %s%s%s", dir, "", "") == 0);
    return test_summary();
}
