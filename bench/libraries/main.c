// SPDX-License-Identifier: Apache-2.0
// The command line and the table. A row's forms are compared first, then run by turns, many rounds; the least time of each is kept.
#include "libraries.h"
#include "../clock.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char usage[] =
    "libraries [option ...] [part of a row's name ...]\n"
    "  --threads N   N threads for every form; times are then of the processor when N is 1, if not --wall\n"
    "  --rounds N    at most N rounds a row (40)\n"
    "  --seconds X   about so long a row (2)\n"
    "  --ours        no other form\n";

static const struct topic *const topics[] = {&topic_gemm, &topic_batched, &topic_sparse, &topic_fft, &topic_solver};
enum { TOPICS = sizeof topics / sizeof *topics };

struct options {
    const char *threads;
    int rounds, wall, ours;
    double seconds;
    char **names;
};

int bench_threads(void)
{
    const char *n = getenv("OMP_NUM_THREADS");
    return n ? atoi(n) : (int)sysconf(_SC_NPROCESSORS_ONLN);
}

double form_measure(const struct form *f, void *state, int times)
{
    f->run(state);
    if (f->wait)
        f->wait(state);
    double t = bench_now();
    for (int i = 0; i < times; i++)
        f->run(state);
    if (f->wait)
        f->wait(state);
    t = (bench_now() - t) / times;
    if (f->quiet)
        f->quiet(state);
    return t;
}

static bool wanted(const char *name, char **names)
{
    for (int i = 0; names[i]; i++)
        if (strstr(name, names[i]))
            return true;
    return !names[0];
}

// Not 0: the results differ.
static int compare(const struct row *r, int form, const double *ours)
{
    double theirs[SAMPLES], worst = 0, largest = 0;
    const double unit = r->type == 'D' ? 1.2e-16 : 6e-8;
    peer_sample(form, theirs);
    for (int i = 0; i < SAMPLES; i++) {
        worst = fmax(worst, isfinite(ours[i]) ? fabs(ours[i] - theirs[i]) : INFINITY);
        largest = fmax(largest, fabs(theirs[i]));
    }
    if (worst <= r->topic->tolerance * unit * largest)
        return 0;
    fprintf(stderr, "%s: %s differs by %.2g of %.2g\n", r->name, r->topic->forms[form].name, worst, largest);
    return 1;
}

static int calls_for(double seconds)
{
    const double LEAST = 4e-3; // that a measurement takes
    return seconds < LEAST ? (int)(LEAST / seconds) + 1 : 1;
}

static void print_row(const struct row *r, const double *best)
{
    printf("%-22s %11.1f", r->name, best[0] * 1e6);
    for (int k = 1; k < FORMS; k++) {
        const struct form *f = &r->topic->forms[k];
        double ratio = best[k] > 0 ? best[0] / best[k] : 0;
        if (best[k] > 0)
            printf("   %s %.1f: %.2f%s", f->name, best[k] * 1e6, ratio, ratio > f->most ? " (!)" : "");
    }
    printf("\n");
    fflush(stdout);
}

static int run_row(const struct row *r, const struct options *o)
{
    const struct form *forms = r->topic->forms;
    double best[FORMS] = {0}, sample[SAMPLES], spent = 0;
    bool there[FORMS] = {0};
    void *state = forms[0].open(r);
    if (!state) {
        fprintf(stderr, "%s: cannot be run\n", r->name);
        return 1;
    }
    int bad = 0, calls = 1;
    for (int k = 1; k < FORMS && forms[k].name && !o->ours; k++)
        there[k] = peer_open(r, k);
    best[0] = form_measure(&forms[0], state, 1);
    calls = calls_for(best[0]);
    forms[0].sample(state, sample);
    for (int k = 1; k < FORMS; k++)
        if (there[k]) {
            best[k] = peer_measure(k, 1);
            bad |= compare(r, k, sample);
        }
    for (int i = 0; i < o->rounds && (i < 3 || spent < o->seconds); i++)
        for (int k = 0; k < FORMS; k++) {
            if (k && !there[k])
                continue;
            double t = k ? peer_measure(k, calls) : form_measure(&forms[0], state, calls);
            best[k] = t < best[k] ? t : best[k];
            spent += t * (calls + 1);
            if (!i && !k)
                calls = calls_for(t);
        }
    forms[0].close(state);
    if (!o->ours)
        peer_close();
    print_row(r, best);
    return bad;
}

static void run_handover(const struct options *o)
{
    double least = INFINITY;
    for (int i = 0; i < o->rounds; i++)
        least = fmin(least, handover_seconds(200));
    printf("%-22s %11.2f   goal: 2\n", "kernel and library", least * 1e6);
}

static void read_options(struct options *o, int argc, char **argv)
{
    int i = 1;
    for (; i < argc && !strncmp(argv[i], "--", 2); i++) {
        const char *a = argv[i] + 2, *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (!strcmp(a, "wall"))
            o->wall = 1;
        else if (!strcmp(a, "ours"))
            o->ours = 1;
        else if (!strcmp(a, "threads") && value)
            o->threads = value, i++;
        else if (!strcmp(a, "rounds") && value)
            o->rounds = atoi(value), i++;
        else if (!strcmp(a, "seconds") && value)
            o->seconds = atof(value), i++;
        else {
            fputs(usage, stderr);
            exit(2);
        }
    }
    o->names = argv + i;
}

int main(int argc, char **argv)
{
    struct options o = {.rounds = 40, .seconds = 2};
    read_options(&o, argc, argv);
    setenv("HEDDLE_QUICK", "never", 0);
    if (o.threads && (!getenv("OMP_NUM_THREADS") || strcmp(getenv("OMP_NUM_THREADS"), o.threads))) {
        setenv("OMP_NUM_THREADS", o.threads, 1); // read by libraries before main
        setenv("HEDDLE_THREADS", o.threads, 1);
        execv("/proc/self/exe", argv);
        return 1;
    }
    if (bench_threads() == 1 && !o.wall)
        bench_clock = CLOCK_PROCESS_CPUTIME_ID;
    peer_start();
    printf("microseconds of ours, then of each other form: the time of ours over its own; (!) is beyond the goal\n");
    int bad = 0;
    for (int t = 0; t < TOPICS; t++)
        for (int i = 0; i < topics[t]->count; i++) {
            struct row r = {.topic = topics[t]};
            topics[t]->row(i, &r);
            if (wanted(r.name, o.names))
                bad |= run_row(&r, &o);
        }
    if (fft_plan_most > 0)
        printf("%-22s %11.0f   goal: 50000\n", "longest plan of an FFT", fft_plan_most * 1e6);
    if (wanted("kernel and library", o.names))
        run_handover(&o);
    return bad;
}
