// SPDX-License-Identifier: Apache-2.0
// The width of kernels that have no need of their own. A vector of AVX-512 has 16 lanes, one of AVX2 8. In wider gangs each operation is
// two or four that do not wait for each other, and an access is two lines side by side: mandelbrot and a convolution from shared
// memory ran 1.45x as fast, Black-Scholes 1.2x, a 3D stencil 2 to 3x. Where that does not pay the cost model says. bench --widths compares.
#include "jit/analysis/loop/cost.h"
#include "jit/ir/pass.h"
#include "jit/host/target.h"

enum { LANES = 32 };

// Whether some loop reads rows of each thread's own whole pieces at a time.
static bool reads_rows(const struct cfg *c, const struct region_plan *plan)
{
    for (unsigned i = 0; i < c->nloops; i++) {
        struct rows rows = rows_find(c, (int)i, plan);
        for (unsigned k = 0; k < rows.n; k++)
            if (rows.of[k].step >= TUNE_ROW_PIECE && rows.of[k].read >= rows.of[k].step)
                return true;
    }
    return false;
}

bool pass_width(struct compilation *k)
{
    struct region_plan *plan = &k->plan;
    unsigned threads = plan_threads(plan);
    struct cfg c;
    if (plan->width != 16 || threads % LANES || !threads || target_figure(FIGURE_VECTOR_BYTES) < 32)
        return remark_return(true, NULL,
                             "%u lanes: not 16 before, or blocks of no whole warps, or a processor without AVX2",
                             plan->width);
    cfg_build(&c, k->t.kernel);
    const struct profile *loops = profile_loops(&c);
    const char *reason = cost_stays_narrow(loops, c.nloops, reads_rows(&c, plan));
    plan->width = reason ? plan->width : LANES;
    remark(NULL, "%u lanes%s%s", plan->width, reason ? ": " : "", reason ? reason : "");
    cfg_fini(&c);
    return true;
}
