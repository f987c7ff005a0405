// SPDX-License-Identifier: Apache-2.0
// Random CUDA kernels, many in one program, which our nvcc compiles and which compares with the host itself: of all that the
// language has (gen_cu.c), and of loops through memory (gen_loops.c).
#include "campaign.h"

static bool make_cu(const struct campaign *c, struct gen *g, const uint64_t *seeds, unsigned n, struct str *text)
{
    gen_cu(g, seeds, n);
    return compile_made(c, "k", str_text(&g->s), text);
}

static bool make_loops(const struct campaign *c, struct gen *g, const uint64_t *seeds, unsigned n, struct str *text)
{
    gen_loops(g, seeds, n);
    return compile_made(c, "k", str_text(&g->s), text);
}

static int run(const struct campaign *c, unsigned first, unsigned n, const struct config *config, struct str *text)
{
    return run_made(c, "k", first, n, config, 10 + 3 * n, text);
}

const struct kind kind_cu = {"cu", 30, make_cu, run, "cu", NULL};
const struct kind kind_loops = {"loops", 30, make_loops, run, "cu", NULL};
