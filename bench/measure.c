// SPDX-License-Identifier: Apache-2.0
// Runs the forms of a row in turn, many rounds, and keeps the least time of each: one interleaved run, so that the
// noise of the machine falls on all alike. Results are compared before anything is timed.
#include "bench.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const form_name[FORM_COUNT] = {"ours", "OpenMP", "by hand", "OpenCL"};

// One call first that does not count: each form then has its threads awake, and no other's are spinning.
double bench_once(bench_fn *f, const struct problem *p, enum form form, int times)
{
    int wait = form == FORM_OURS;
    if (wait || form == FORM_OPENCL)
        bench_quiet();
    f(p);
    if (wait)
        bench_sync();
    double t = bench_now();
    for (int i = 0; i < times; i++)
        f(p);
    if (wait)
        bench_sync();
    return (bench_now() - t) / times;
}

static double difference(const struct row *r, const float *a, const float *b)
{
    double worst = 0;
    long unequal = 0;
    for (long i = 0; i < r->outputs; i++) {
        unequal += ((const int *)a)[i] != ((const int *)b)[i];
        double e = r->kind == KIND_INT ? 0 : fabs((double)a[i] - b[i]) / (fabs((double)b[i]) + 1e-2);
        worst = e > worst || isnan(e) ? e : worst;
    }
    return r->kind == KIND_INT ? (double)unequal / (double)r->outputs : worst;
}

int row_verify(struct row *r)
{
    size_t bytes = sizeof(float) * (size_t)r->outputs;
    float *start = malloc(bytes), *ref = malloc(bytes);
    int bad = 0;
    memcpy(start, r->p.out, bytes);
    r->run[FORM_OMP](&r->p);
    memcpy(ref, r->p.out, bytes);
    for (int k = 0; k < FORM_COUNT; k++) {
        if (k == FORM_OMP || !r->run[k])
            continue;
        memcpy(r->p.out, start, bytes);
        r->run[k](&r->p);
        bench_sync();
        double e = difference(r, r->p.out, ref);
        if (!(e <= r->tolerance)) {
            fprintf(stderr, "%s: %s is wrong (difference %.2g)\n", r->name, form_name[k], e);
            bad = 1;
        }
    }
    memcpy(r->p.out, start, bytes);
    free(start);
    free(ref);
    return bad;
}

void row_measure(struct row *r, int rounds, double seconds)
{
    double first = bench_once(r->run[FORM_OURS], &r->p, FORM_OURS, 1), spent = 0;
    for (int i = 0; i < 3 && first < 1e-3; i++) // until it is known what the kernel takes
        first = fmin(first, bench_once(r->run[FORM_OURS], &r->p, FORM_OURS, 10));
    int times = first < 1e-3 ? (int)(1e-3 / first) + 1 : 1;
    for (int i = 0; i < rounds && (i < 3 || spent < seconds); i++)
        for (int k = 0; k < FORM_COUNT; k++) {
            if (!r->run[k])
                continue;
            double t = bench_once(r->run[k], &r->p, (enum form)k, times);
            r->best[k] = r->best[k] == 0 || t < r->best[k] ? t : r->best[k];
            spent += t * times;
        }
}
