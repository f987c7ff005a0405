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

// Of a loop without barriers each iteration counts for many: as much as it computes, or the work around atomics that lanes make one by
// one, of which a wider gang has more for what is done once a gang.
static bool is_busy(const struct profile *loop)
{
    return !loop->barriers && !(loop->has & HAS_YIELD) &&
           (loop->floats >= TUNE_WIDTH_BUSY_INNER || loop->has & HAS_ATOMIC_EACH);
}

// Whether a loop with so many vectors of each value waits for results: what stands in one chain takes longer than all of it would if two
// operations began in each cycle.
static bool waits_for_results(const struct profile *loop, unsigned vectors)
{
    return 2 * TUNE_LATENCY * loop->chain > loop->floats * vectors;
}

// Whether what loops carry would leave the registers. Where it has done so with half as many vectors, and the loop that does most waits for
// results, twice as many that do not wait for each other are a gain all the same.
static bool drives_out(const struct profile *loops, unsigned n, unsigned vectors)
{
    unsigned registers = machine_figure(FIGURE_REGISTERS), carried = loops[n].carried;
    const struct profile *most = &loops[0];
    for (unsigned i = 1; i < n; i++)
        most = loops[i].floats > most->floats ? &loops[i] : most;
    bool out = carried * vectors / 2 > registers && waits_for_results(most, vectors / 2);
    return 8 * carried * vectors > TUNE_WIDTH_CARRIED_MAX * registers && !out;
}

// Whether threads do so much between barriers that twice as many vectors pay: much arithmetic, or some that waits for results.
static bool is_busy_between(const struct profile *k)
{
    return k->floats >= TUNE_WIDTH_BUSY ||
           (k->floats >= TUNE_WIDTH_BUSY_BARRIER * k->barriers && 2 * k->chain >= k->floats);
}

// It does not pay where lanes are taken one by one (atomics, unless much is done for each), where local arrays would leave the first cache,
// where the values of one gang fill the registers, where threads do little between barriers, and where rows at once are more lines than
// caches and registers like.
const char *cost_stays_narrow(const struct profile *loops, unsigned n, bool rows)
{
    const struct profile *k = &loops[n];
    bool busy = false, out = drives_out(loops, n, WARP * 4 / machine_figure(FIGURE_VECTOR_BYTES));
    for (unsigned i = 0; i < n; i++)
        busy |= is_busy(&loops[i]);
    return k->has & (HAS_EXCHANGE | HAS_FUNCTION)                                      ? "exchanges, or calls that stay"
           : (uint64_t)k->local * WARP > machine_part(FIGURE_L1, TUNE_WIDTH_LOCAL_MAX) ? "large local memory"
           : k->operations > TUNE_WIDTH_OPERATIONS_MAX                                 ? "large code"
           : out                                                        ? "a loop that carries many values"
           : rows && k->floats <= TUNE_WIDTH_ROW_WORK * k->loads        ? "rows of each thread's own with little work"
           : busy                                                       ? NULL
           : k->has & HAS_ATOMIC_EACH                                   ? "atomics, which lanes make one by one"
           : (k->barriers || k->has & HAS_YIELD) && !is_busy_between(k) ? "little work between barriers"
                                                                        : NULL;
}
