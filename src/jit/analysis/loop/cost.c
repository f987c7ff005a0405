// SPDX-License-Identifier: Apache-2.0
#include "jit/analysis/loop/cost.h"
#include "jit/ir/machine.h"
#include "jit/ir/tuning.h"

enum { WARP = 32 };

static unsigned iterations_within(const struct profile *p, unsigned operations)
{
    return p->operations > 0 ? operations / (unsigned)p->operations : operations;
}

unsigned cost_unrolled_most(const struct profile *p)
{
    return iterations_within(p, TUNE_UNROLLED_MAX);
}

unsigned cost_unrolled_lanes_most(const struct profile *p)
{
    return iterations_within(p, TUNE_UNROLLED_LANES_MAX);
}

bool cost_unrolls(const struct profile *p, unsigned iterations)
{
    return iterations <= cost_unrolled_most(p) && p->barriers * iterations <= TUNE_UNROLLED_BARRIERS_MAX;
}

// Rows that are taken piece by piece, and those that are written more lines at once than a set holds: every iteration would bring each
// line there again, and back after it was written.
unsigned cost_unrolls_rows(const struct profile *p, const struct rows *rows, unsigned width)
{
    int64_t step = 0;
    for (unsigned i = 0; i < rows->n; i++) {
        const struct row *r = &rows->of[i];
        if (r->step > TUNE_LINE / 2)
            continue;
        bool piecemeal = r->step < TUNE_ROW_PIECE && r->read >= r->step;
        bool stored =
            r->written >= r->step && (r->step < TUNE_ROW_PIECE || width * rows->n > machine_figure(FIGURE_WAYS));
        step = (piecemeal || stored) && r->step > step ? r->step : step;
    }
    unsigned times = step ? (unsigned)(TUNE_LINE / step) : 1;
    while (times > 1 && !cost_unrolls(p, times))
        times /= 2;
    return times * step >= TUNE_ROW_PIECE ? times : 1;
}

bool cost_is_fetched(const struct linear *step, unsigned rows)
{
    int64_t least = rows > TUNE_PREFETCH_STREAMS ? TUNE_LINE : TUNE_STRIDE_FAR;
    return !step->n && step->plus < least && step->plus > -least;
}

bool cost_interleaves(const struct profile *p, unsigned lines, unsigned kept, bool listed, unsigned width)
{
    unsigned misses = (listed ? 2 : 1) * lines, work = p->instructions;
    if (p->has & HAS_ATOMIC_EACH)
        work += width * machine_figure(FIGURE_LANE_ATOMIC);
    return p->instructions <= TUNE_PLANNED_WORK_MAX && work <= TUNE_MISS_WORK * misses && kept <= 2 * misses;
}

// It does not pay where lanes are taken one by one (atomics, unless much is computed for each), where the values of one gang fill the
// registers, where threads do little between barriers, and where rows at once are more lines than caches and registers like.
const char *cost_stays_narrow(const struct profile *loops, unsigned n, bool rows)
{
    const struct profile *k = &loops[n];
    unsigned vectors = WARP * 4 / machine_figure(FIGURE_VECTOR_BYTES), registers = machine_figure(FIGURE_REGISTERS);
    unsigned inner = 0; // of a loop without barriers, where each counts for many
    for (unsigned i = 0; i < n; i++)
        if (!loops[i].barriers && !(loops[i].has & HAS_YIELD) && loops[i].floats > inner)
            inner = loops[i].floats;
    return k->has & (HAS_LOCAL | HAS_EXCHANGE | HAS_FUNCTION)              ? "local memory, or calls that stay"
           : k->instructions > TUNE_WIDTH_INSTRUCTIONS_MAX                 ? "large code"
           : 8 * k->carried * vectors > TUNE_WIDTH_CARRIED_MAX * registers ? "a loop that carries many values"
           : rows && k->floats <= TUNE_WIDTH_ROW_WORK * k->loads ? "rows of each thread's own with little work"
           : inner >= TUNE_WIDTH_BUSY_INNER                      ? NULL
           : k->has & HAS_ATOMIC_EACH                            ? "atomics, which lanes make one by one"
           : (k->barriers || k->has & HAS_YIELD) && k->floats < TUNE_WIDTH_BUSY ? "little work between barriers"
                                                                                : NULL;
}
