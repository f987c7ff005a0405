// SPDX-License-Identifier: Apache-2.0
// Random CUDA kernels, many in one program, which our nvcc compiles and which compares with the host itself: of all that the
// language has (gen_cu.c), and of loops through memory (gen_loops.c).
#include "campaign.h"
#include <stdio.h>

static bool compile(const struct campaign *c, const struct gen *g, struct str *text)
{
    char source[256], program[256], nvcc[512], include[512];
    snprintf(source, sizeof source, "%s/k.cu", c->work);
    snprintf(program, sizeof program, "%s/k", c->work);
    snprintf(nvcc, sizeof nvcc, c->nvcc ? "%s" : "%s/bin/nvcc", c->nvcc ? c->nvcc : c->sdk);
    snprintf(include, sizeof include, "-I%s", c->runtime);
    FILE *f = fopen(source, "w");
    if (!f)
        return false;
    fputs(str_text(&g->s), f);
    fclose(f);
    const char *argv[] = {nvcc,    "-arch=sm_90", "-fmad=false", "-w",    "-Xcompiler", "-O0",
                          include, source,        "-o",          program, NULL};
    return run_program(argv, NULL, 300, text) == 0;
}

static bool make_cu(const struct campaign *c, struct gen *g, const uint64_t *seeds, unsigned n, struct str *text)
{
    gen_cu(g, seeds, n);
    return compile(c, g, text);
}

static bool make_loops(const struct campaign *c, struct gen *g, const uint64_t *seeds, unsigned n, struct str *text)
{
    gen_loops(g, seeds, n);
    return compile(c, g, text);
}

static int run(const struct campaign *c, unsigned first, unsigned n, const struct config *config, struct str *text)
{
    char program[256], from[16], to[16];
    snprintf(program, sizeof program, "%s/k", c->work);
    snprintf(from, sizeof from, "%u", first);
    snprintf(to, sizeof to, "%u", n - 1);
    const char *argv[] = {program, from, to, NULL};
    return run_program(argv, config, 10 + 3 * n, text);
}

const struct kind kind_cu = {"cu", 30, make_cu, run, "cu", NULL};
const struct kind kind_loops = {"loops", 30, make_loops, run, "cu", NULL};
