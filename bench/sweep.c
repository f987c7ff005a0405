// SPDX-License-Identifier: Apache-2.0
// Sweeps over what is fixed when a process starts: the bench runs itself with '--times' under each setting, in turn,
// several passes, and compares the least times.
#include "bench.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SETTINGS = 16, ROWS = 64 };

struct sweep {
    char name[ROWS][32];
    double ours[ROWS][SETTINGS], omp[ROWS][SETTINGS];
    int rows;
};

static int sweep_row(struct sweep *s, const char *name)
{
    for (int i = 0; i < s->rows; i++)
        if (!strcmp(s->name[i], name))
            return i;
    if (s->rows == ROWS)
        return ROWS - 1;
    snprintf(s->name[s->rows], sizeof s->name[0], "%.31s", name);
    return s->rows++;
}

static double least(double a, double b)
{
    return a == 0 || b < a ? b : a;
}

// So many processes at once; their mean counts.
static int sweep_run(struct sweep *s, int setting, int processes, const char *self, const char *options, char **names)
{
    char command[4096], line[256];
    double ours[ROWS] = {0}, omp[ROWS] = {0};
    int n = snprintf(command, sizeof command, "for i in $(seq %d); do '%s' --times %s", processes, self, options);
    for (int i = 0; names[i] && n < (int)sizeof command; i++)
        n += snprintf(command + n, sizeof command - (size_t)n, " '%s'", names[i]);
    if (n < (int)sizeof command)
        n += snprintf(command + n, sizeof command - (size_t)n,
                      " & p=\"$p $!\"; done; for i in $p; do wait $i || exit 1; done");
    if (n >= (int)sizeof command)
        return 1;
    FILE *f = popen(command, "r");
    while (f && fgets(line, sizeof line, f)) {
        char *tab = strchr(line, '\t');
        double a, b;
        if (!tab || sscanf(tab, "%lf %lf", &a, &b) != 2)
            continue;
        *tab = 0;
        int r = sweep_row(s, line);
        ours[r] += a / processes;
        omp[r] += b / processes;
    }
    int bad = !f || pclose(f);
    for (int i = 0; i < s->rows; i++)
        if (ours[i] > 0) {
            s->ours[i][setting] = least(s->ours[i][setting], ours[i]);
            s->omp[i][setting] = least(s->omp[i][setting], omp[i]);
        }
    return bad;
}

// Those of this process that the others get.
static void sweep_options(char *out, size_t size)
{
    const char *threads = getenv("OMP_NUM_THREADS");
    char scale[32] = "";
    if (bench_prime)
        snprintf(scale, sizeof scale, " --scale %d", bench_prime);
    snprintf(out, size, "--rounds 12%s%s%s", scale, threads ? " --threads " : "", threads ? threads : "");
}

int sweep_widths(const char *self, char **names, int passes)
{
    static const char *const width[] = {NULL, "8", "16", "32"};
    static struct sweep s;
    char options[64];
    int bad = 0;
    double worst = 0;
    sweep_options(options, sizeof options);
    for (int pass = 0; pass < passes; pass++)
        for (int w = 0; w < 4; w++) {
            if (width[w])
                setenv("HEDDLE_WIDTH", width[w], 1);
            else
                unsetenv("HEDDLE_WIDTH");
            bad |= sweep_run(&s, w, 1, self, options, names);
        }
    printf("%-18s %10s %10s %10s %10s %12s\n", "microseconds", "policy", "8 lanes", "16 lanes", "32 lanes",
           "policy/best");
    for (int i = 0; i < s.rows; i++) {
        double best = fmin(s.ours[i][1], fmin(s.ours[i][2], s.ours[i][3])), x = s.ours[i][0] / best;
        printf("%-18s %10.1f %10.1f %10.1f %10.1f %12.2f\n", s.name[i], s.ours[i][0] * 1e6, s.ours[i][1] * 1e6,
               s.ours[i][2] * 1e6, s.ours[i][3] * 1e6, x);
        worst = x > worst ? x : worst;
    }
    printf("the policy's width against the best one: %.2f at worst\n", worst);
    return bad;
}

// Processors that share cores, power and caches do not all work at the speed of one alone. What the machine itself gains is shown
// by multiply-adds on registers, which share nothing, and by as many processes of one thread, each at the whole problem: the last
// columns are the part of their rate that so many threads reach together.
int sweep_threads(const char *self, char **names, int passes)
{
    static struct sweep s;
    int cores = (int)sysconf(_SC_NPROCESSORS_ONLN), count = 0, bad = 0, number[SETTINGS];
    for (int n = 1; count < SETTINGS - 2 && n < cores; n *= 2)
        number[count++] = n;
    number[count++] = cores;
    unsetenv("OMP_NUM_THREADS");
    for (int pass = 0; pass < passes; pass++)
        for (int k = 0; k <= count; k++) {
            char options[64];
            snprintf(options, sizeof options, "--rounds 12 --limits --threads %d%s", k < count ? number[k] : 1,
                     k < count ? "" : " --wall");
            bad |= sweep_run(&s, k, k < count ? 1 : cores, self, options, names);
        }
    printf("%-18s", "times one thread");
    for (int k = 1; k < count; k++)
        printf("  ours %2d   omp %2d", number[k], number[k]);
    printf("   of %2d processes\n", cores);
    for (int i = 0; i < s.rows; i++) {
        printf("%-18s", s.name[i]);
        for (int k = 1; k < count; k++)
            printf(" %8.2f %8.2f", s.ours[i][0] / s.ours[i][k], s.omp[i][0] / s.omp[i][k]);
        printf(" %8.2f %8.2f\n", s.ours[i][count] / (s.ours[i][count - 1] * cores),
               s.omp[i][count] / (s.omp[i][count - 1] * cores));
    }
    return bad;
}

// The same programs on the libraries of two builds, by turns; rows that differ by more than a thirtieth once more, since noise only
// ever adds to a least time.
int sweep_builds(const char *self, const char *old, char **names, int passes)
{
    static struct sweep s;
    struct compared c;
    char options[64], path[4096], *again[ROWS + 1];
    const char *path_before = getenv("LD_LIBRARY_PATH");
    char *own = strdup(path_before ? path_before : "");
    int bad = 0, differ = 0;
    snprintf(path, sizeof path, "%s/sdk/lib64", old);
    if (access(path, R_OK)) {
        perror(path);
        free(own);
        return 1;
    }
    sweep_options(options, sizeof options);
    for (int stage = 0; stage < 2; stage++) {
        for (int pass = 0; pass < 2 * passes; pass++) {
            setenv("LD_LIBRARY_PATH", pass % 2 ? own : path, 1);
            bad |= sweep_run(&s, pass % 2, 1, self, options, stage ? again : names);
        }
        for (int i = 0; !stage && i < s.rows; i++)
            if (fabs(log(s.ours[i][0] / s.ours[i][1])) > 1.0 / 30)
                again[differ++] = s.name[i];
        again[differ] = NULL;
        if (!differ)
            break;
    }
    free(own);
    compare_begin(&c);
    for (int i = 0; i < s.rows; i++)
        compare_row(&c, s.name[i], (double[]){s.ours[i][0], s.omp[i][0]}, (double[]){s.ours[i][1], s.omp[i][1]});
    compare_end(&c);
    return bad;
}

void sweep_sizes(struct row *rows, int count, int rounds)
{
    printf("%-18s %14s %14s %14s   nanoseconds an element\n", "part of the grid", "1/16", "1/4", "1");
    for (int i = 0; i < count; i++) {
        if (!rows[i].linear)
            continue;
        printf("%-18s", rows[i].name);
        for (int part = 16; part > 0; part /= 4) {
            struct row r = rows[i];
            r.p.n /= part;
            r.run[FORM_OMP] = r.run[FORM_HAND] = r.run[FORM_OPENCL] = NULL;
            row_measure(&r, rounds, 0.5);
            printf(" %14.4f", r.best[FORM_OURS] * 1e9 / r.p.n);
        }
        printf("\n");
    }
}
