// SPDX-License-Identifier: Apache-2.0
// What changed between two runs, row by row and on the whole. Runs of different hours meet different neighbours on a machine: OpenMP's
// form of a row, which is the same in both, shows by how much, and the last column is the change without that.
#include "bench.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

void compare_begin(struct compared *c)
{
    *c = (struct compared){0};
    printf("%-18s %10s %10s %9s %9s %9s\n", "microseconds", "old", "new", "old/new", "of OpenMP", "steady");
}

void compare_row(struct compared *c, const char *name, const double old[2], const double now[2])
{
    if (old[0] <= 0 || now[0] <= 0)
        return;
    double changed = old[0] / now[0], machine = old[1] > 0 && now[1] > 0 ? old[1] / now[1] : 1;
    printf("%-18s %10.1f %10.1f %9.3f %9.3f %9.3f\n", name, old[0] * 1e6, now[0] * 1e6, changed, machine,
           changed / machine);
    c->changed += log(changed);
    c->steady += log(changed / machine);
    c->rows++;
}

void compare_end(const struct compared *c)
{
    if (c->rows)
        printf("geometric mean of %d rows: %.3fx as fast as before, %.3fx with the machine's own change taken out\n",
               c->rows, exp(c->changed / c->rows), exp(c->steady / c->rows));
    else
        printf("no row is in both\n");
}

static double figure(const char *from, const char *end, const char *key)
{
    const char *at = strstr(from, key);
    return at && at < end ? atof(at + strlen(key)) : 0;
}

// Reads what main.c writes: each row is an object on a line of its own.
int compare_file(const char *path, const struct row *rows, int count)
{
    static char text[1 << 16];
    struct compared c;
    FILE *f = fopen(path, "r");
    size_t n = f ? fread(text, 1, sizeof text - 1, f) : 0;
    if (f)
        fclose(f);
    else
        perror(path);
    text[n] = 0;
    compare_begin(&c);
    for (int i = 0; i < count; i++) {
        char key[64];
        snprintf(key, sizeof key, "{\"name\": \"%s\"", rows[i].name);
        const char *at = strstr(text, key), *end = at ? at + strcspn(at, "}") : NULL;
        if (at && rows[i].best[FORM_OURS] > 0)
            compare_row(&c, rows[i].name, (double[]){figure(at, end, "\"ours\": "), figure(at, end, "\"openmp\": ")},
                        rows[i].best);
    }
    compare_end(&c);
    return !c.rows;
}
