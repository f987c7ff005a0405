// SPDX-License-Identifier: Apache-2.0
// The bench's command line and its table. Each row is checked, then measured; options add JSON, a plot and sweeps.
#include "bench.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char usage[] =
    "bench [option ...] [part of a row's name ...]\n"
    "  --rounds N    at most N rounds a row (30)\n"
    "  --threads N   N threads for every form; times are then of the processor when N is 1, if not --wall\n"
    "  --cpu NAME    (bench/run) every form for another processor, by a name that gcc and LLVM know; HEDDLE_CPU=NAME\n"
    "  --scale P     sizes with the factor 3, 5 or 7 in place of powers of two\n"
    "  --part N      a second, fourth ... of each size; --alone  lines of our figures alone (bench/sanitizer)\n"
    "  --compare OLD what changed since OLD: a file of --json, a build folder, or (bench/run) a commit, which is "
    "built\n"
    "  --json FILE   all figures; --svg FILE  a plot\n"
    "  --limits      memory, multiply-adds and OpenBLAS beside the rows that meet them\n"
    "  --widths      each width of gang against the policy's own\n"
    "  --scaling     from one thread to all; --sizes  from a sixteenth of the grid to all\n"
    "  --libraries   (bench/libraries) cuBLAS, cuFFT, cuSPARSE and cuSOLVER; options of its own\n"
    "  --compile     (bench/compile.c) time to compile by size of input\n"
    "  --times       lines of figures alone; --start  one launch and out\n";

struct options {
    const char *json, *svg, *threads, *compare;
    int rounds, limits, widths, scaling, sizes, times, wall, alone;
    char **names;
};

static int wanted(const struct row *r, char **names)
{
    for (int i = 0; names[i]; i++)
        if (strstr(r->name, names[i]))
            return 1;
    return !names[0];
}

static void print_row(const struct row *r)
{
    const double *t = r->best;
    printf("%-18s", r->name);
    for (int k = 0; k < FORM_COUNT; k++)
        if (t[k] > 0)
            printf(" %10.1f", t[k] * 1e6);
        else
            printf(" %10s", "");
    printf(" %9.2f", t[FORM_OMP] / t[FORM_OURS]);
    if (t[FORM_HAND] > 0)
        printf(" %9.2f", t[FORM_OURS] / t[FORM_HAND]);
    else if (t[FORM_OPENCL] > 0)
        printf(" %9s", "");
    if (t[FORM_OPENCL] > 0)
        printf(" %9.2f", t[FORM_OPENCL] / t[FORM_OURS]);
    printf("\n");
    fflush(stdout);
}

// Geometric mean of one form's times over ours.
static void print_mean(const char *what, const struct row *rows, int count, enum form form)
{
    double sum = 0, least = 1e9;
    const char *which = "";
    int n = 0;
    for (int i = 0; i < count; i++)
        if (rows[i].best[form] > 0 && rows[i].best[FORM_OURS] > 0) {
            double x = rows[i].best[form] / rows[i].best[FORM_OURS];
            sum += log(x);
            n++;
            which = x < least ? rows[i].name : which;
            least = x < least ? x : least;
        }
    if (n)
        printf("%s: geometric mean %.2fx of %d, least %.2fx (%s)\n", what, exp(sum / n), n, least, which);
}

struct launch {
    double idle, launch, finish; // seconds: of a launch on an idle stream, each of a hundred, until one is over
};

static struct launch measure_launch(void)
{
    struct problem p = {0};
    struct launch l = {1e9, 1e9, 1e9};
    bench_clock = CLOCK_MONOTONIC; // what a launch takes is less than a look at all threads' clocks
    bench_quiet();
    empty_cuda(&p);
    bench_sync();
    for (int r = 0; r < 50; r++) {
        double t = bench_now();
        for (int i = 0; i < 100; i++)
            empty_cuda(&p);
        t = (bench_now() - t) / 100;
        l.launch = t < l.launch ? t : l.launch;
        bench_sync();
        for (int i = 0; i < 20; i++) {
            t = bench_now();
            empty_cuda(&p);
            double called = bench_now() - t;
            bench_sync();
            t = bench_now() - t;
            l.idle = called < l.idle ? called : l.idle;
            l.finish = t < l.finish ? t : l.finish;
        }
    }
    printf("launch of an empty kernel: %.0f ns on an idle stream, %.0f ns each of 100; launch to finish: %.0f ns\n",
           l.idle * 1e9, l.launch * 1e9, l.finish * 1e9);
    return l;
}

static struct row *row_find(struct row *rows, int count, const char *name)
{
    for (int i = 0; i < count; i++)
        if (!strcmp(rows[i].name, name))
            return &rows[i];
    return NULL;
}

// The rows that meet a limit, each measured once more in turn with it.
static void measure_limits(struct row *rows, int count, int rounds, FILE *json)
{
    struct row *stream = row_find(rows, count, "saxpy DRAM"),
               *product[2] = {row_find(rows, count, "matmul tiled"), row_find(rows, count, "sgemm")};
    double triad = 0, saxpy = 1e9, blas = 1e9, ours[2] = {1e9, 1e9};
    for (int r = 0; r < rounds; r++) {
        double b = limit_triad(1), t = bench_once(stream->run[FORM_OURS], &stream->p, FORM_OURS, 1);
        triad = b > triad ? b : triad;
        saxpy = t < saxpy ? t : saxpy;
    }
    double bytes = 3.0 * sizeof(float) * stream->p.n / saxpy;
    double fma = limit_fma(rounds < 5 ? 5 : rounds), flops = 2.0 * 1024 * 1024 * 1024;
    printf("triad %.1f GB/s; saxpy DRAM %.1f GB/s, %.2f of it\n", triad * 1e-9, bytes * 1e-9, bytes / triad);
    for (int r = 0; r < rounds && r < 8; r++) {
        double t = blas_once(&product[0]->p);
        blas = t > 0 && t < blas ? t : blas;
        for (int k = 0; k < 2; k++) {
            t = bench_once(product[k]->run[FORM_OURS], &product[k]->p, FORM_OURS, 1);
            ours[k] = t < ours[k] ? t : ours[k];
        }
    }
    printf("multiply-adds %.0f GFLOPS; matmul tiled %.0f, sgemm %.0f", fma * 1e-9, flops / ours[0] * 1e-9,
           flops / ours[1] * 1e-9);
    if (blas < 1e9)
        printf("; OpenBLAS %.0f: matmul tiled %.2f of it, sgemm %.2f", flops / blas * 1e-9, blas / ours[0],
               blas / ours[1]);
    printf("\n");
    if (json)
        fprintf(json,
                ",\n \"limits\": {\"triad\": %.4g, \"saxpy\": %.4g, \"fma\": %.4g, \"openblas\": %.4g, \"matmul\": "
                "%.4g, \"sgemm\": %.4g}",
                triad, bytes, fma, blas < 1e9 ? flops / blas : 0, flops / ours[0], flops / ours[1]);
}

// What the figures are of: the processor, the one that code was made for, threads, sizes.
static void json_machine(FILE *f)
{
    char line[256], processor[256] = "";
    FILE *info = fopen("/proc/cpuinfo", "r");
    while (info && !*processor && fgets(line, sizeof line, info))
        if (sscanf(line, "model name : %255[^\n\"]", processor) != 1)
            sscanf(line, "CPU part : %255[^\n\"]", processor);
    if (info)
        fclose(info);
    const char *cpu = getenv("HEDDLE_CPU"), *threads = getenv("OMP_NUM_THREADS");
    fprintf(f, "{\"machine\": {\"processor\": \"%s\", \"cpu\": \"%s\", \"threads\": %ld, \"scale\": %d},\n ", processor,
            cpu ? cpu : "native", threads ? atol(threads) : sysconf(_SC_NPROCESSORS_ONLN), bench_prime);
}

static void json_rows(FILE *f, const struct row *rows, int count)
{
    static const char *const key[FORM_COUNT] = {"ours", "openmp", "hand", "opencl"};
    fprintf(f, "\"rows\": [");
    for (int i = 0, n = 0; i < count; i++) {
        if (rows[i].best[FORM_OURS] == 0)
            continue;
        fprintf(f, "%s\n  {\"name\": \"%s\"", n++ ? "," : "", rows[i].name);
        for (int k = 0; k < FORM_COUNT; k++)
            if (rows[i].best[k] > 0)
                fprintf(f, ", \"%s\": %.6g", key[k], rows[i].best[k]);
        fprintf(f, "}");
    }
    fprintf(f, "]");
}

// Ours alone, once each, or for 10 ms.
static int run_alone(struct row *rows, int count, const struct options *o)
{
    int bad = 0;
    for (int i = 0; i < count; i++) {
        if (!wanted(&rows[i], o->names))
            continue;
        const struct problem *p = &rows[i].p;
        bench_copied(p->a, bench_extent(p->a));
        bench_copied(p->b, bench_extent(p->b));
        bench_copied(p->c, bench_extent(p->c));
        bench_copied(p->out, sizeof(float) * (unsigned long)rows[i].outputs);
        bad |= row_verify(&rows[i]);
        double t = bench_once(rows[i].run[FORM_OURS], p, FORM_OURS, 1);
        if (t < 1e-2)
            t = bench_once(rows[i].run[FORM_OURS], p, FORM_OURS, (int)(1e-2 / t) + 1);
        printf("%s\t%.9g\n", rows[i].name, t);
        fflush(stdout);
    }
    return bad;
}

static int run_rows(struct row *rows, int count, const struct options *o)
{
    int bad = 0;
    if (!o->times)
        printf("%-18s %10s %10s %10s %10s %9s %9s %9s\n", "microseconds", "ours", "OpenMP", "by hand", "PoCL",
               "omp/ours", "ours/hand", "pocl/ours");
    for (int i = 0; i < count; i++) {
        if (!wanted(&rows[i], o->names))
            continue;
        bad |= row_verify(&rows[i]);
        row_measure(&rows[i], o->rounds, o->times ? 0.25 : 1.5);
        if (o->times)
            printf("%s\t%.9g\t%.9g\n", rows[i].name, rows[i].best[FORM_OURS], rows[i].best[FORM_OMP]);
        else
            print_row(&rows[i]);
    }
    if (o->times && o->limits) {
        double t = 1 / limit_fma(20);
        printf("multiply-adds\t%.9g\t%.9g\n", t, t);
    }
    return bad;
}

static void read_options(struct options *o, int argc, char **argv)
{
    int i = 1;
    for (; i < argc && !strncmp(argv[i], "--", 2); i++) {
        const char *a = argv[i] + 2, *value = i + 1 < argc ? argv[i + 1] : NULL;
        int *flag = !strcmp(a, "limits")    ? &o->limits
                    : !strcmp(a, "widths")  ? &o->widths
                    : !strcmp(a, "scaling") ? &o->scaling
                    : !strcmp(a, "sizes")   ? &o->sizes
                    : !strcmp(a, "times")   ? &o->times
                    : !strcmp(a, "wall")    ? &o->wall
                    : !strcmp(a, "alone")   ? &o->alone
                                            : NULL;
        const char **text = !strcmp(a, "json")      ? &o->json
                            : !strcmp(a, "svg")     ? &o->svg
                            : !strcmp(a, "threads") ? &o->threads
                            : !strcmp(a, "compare") ? &o->compare
                                                    : NULL;
        if (flag)
            *flag = 1;
        else if (!strcmp(a, "start")) { // start-up: one launch and out
            empty_cuda(&(struct problem){0});
            bench_sync();
            exit(0);
        } else if (text && value)
            *text = value, i++;
        else if (!strcmp(a, "rounds") && value)
            o->rounds = atoi(value), i++;
        else if (!strcmp(a, "scale") && value && strspn(value, "357") == 1 && !value[1])
            bench_prime = atoi(value), i++;
        else if (!strcmp(a, "part") && value && atoi(value) > 0)
            bench_part = atoi(value), i++;
        else {
            fputs(usage, stderr);
            exit(2);
        }
    }
    o->names = argv + i;
}

int main(int argc, char **argv)
{
    struct options o = {.rounds = 30};
    read_options(&o, argc, argv);
    setenv("HEDDLE_QUICK", "never", 0); // rows are of optimised code
    if (o.threads && (!getenv("OMP_NUM_THREADS") || strcmp(getenv("OMP_NUM_THREADS"), o.threads))) {
        setenv("OMP_NUM_THREADS", o.threads, 1); // read by libraries before main
        setenv("HEDDLE_THREADS", o.threads, 1);
        setenv("POCL_MAX_PTHREAD_COUNT", o.threads, 1);
        execv("/proc/self/exe", argv);
        return 1;
    }
    if (o.threads && atoi(o.threads) == 1 && !o.wall)
        bench_clock = CLOCK_PROCESS_CPUTIME_ID;
    if (o.widths)
        return sweep_widths(argv[0], o.names, o.rounds < 10 ? 1 : 3);
    if (o.scaling)
        return sweep_threads(argv[0], o.names, o.rounds < 10 ? 1 : o.rounds / 10);
    struct stat found;
    if (o.compare && (stat(o.compare, &found) || S_ISDIR(found.st_mode)))
        return sweep_builds(argv[0], o.compare, o.names, o.rounds < 10 ? 1 : o.rounds / 5);
    FILE *json = o.json ? fopen(o.json, "w") : NULL;
    if (o.json && !json) {
        perror(o.json);
        return 1;
    }
    int count;
    struct row *rows = bench_rows(&count, !o.times && !o.sizes && !o.alone);
    if (o.alone)
        return run_alone(rows, count, &o);
    if (o.sizes) {
        sweep_sizes(rows, count, o.rounds);
        return 0;
    }
    int bad = run_rows(rows, count, &o);
    if (o.times)
        return bad;
    print_mean("against OpenMP", rows, count, FORM_OMP);
    print_mean("against SIMD by hand", rows, count, FORM_HAND);
    print_mean("against PoCL", rows, count, FORM_OPENCL);
    if (o.compare)
        bad |= compare_file(o.compare, rows, count);
    struct launch l = measure_launch();
    if (json) {
        json_machine(json);
        json_rows(json, rows, count);
        fprintf(json, ",\n \"launch\": {\"idle\": %.4g, \"launch\": %.4g, \"finish\": %.4g}", l.idle, l.launch,
                l.finish);
    }
    if (o.limits)
        measure_limits(rows, count, o.rounds, json);
    if (json) {
        fprintf(json, "}\n");
        fclose(json);
    }
    return o.svg ? plot_write(o.svg, rows, count) | bad : bad;
}
