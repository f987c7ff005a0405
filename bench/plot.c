// SPDX-License-Identifier: Apache-2.0
// A plot of the table as SVG: for each row, how many times faster ours is than the others, on a logarithmic axis.
#include "bench.h"
#include <math.h>

enum { LEFT = 150, WIDTH = 560, LINE = 22, TOP = 50 };

static const struct {
    enum form form;
    const char *name, *colour;
} series[] = {
    {FORM_OMP, "OpenMP C", "#3b6fb6"},
    {FORM_HAND, "SIMD by hand", "#c8553d"},
    {FORM_OPENCL, "PoCL", "#6a994e"},
};

static double place(double ratio)
{
    double lo = log2(0.25), hi = log2(64), x = (log2(ratio) - lo) / (hi - lo);
    return LEFT + WIDTH * (x < 0 ? 0 : x > 1 ? 1 : x);
}

static void axis(FILE *f, int bottom)
{
    for (double r = 0.25; r <= 64; r *= 2) {
        double x = place(r);
        fprintf(f, "<line x1='%.1f' y1='%d' x2='%.1f' y2='%d' stroke='%s' stroke-width='%s'/>\n", x, TOP - 6, x, bottom,
                r == 1 ? "#333" : "#ddd", r == 1 ? "1.5" : "1");
        fprintf(f, "<text x='%.1f' y='%d' text-anchor='middle'>%gx</text>\n", x, bottom + 16, r);
    }
}

int plot_write(const char *path, const struct row *rows, int count)
{
    FILE *f = fopen(path, "w");
    if (!f) {
        perror(path);
        return 1;
    }
    int shown = 0, kinds = (int)(sizeof series / sizeof *series);
    for (int i = 0; i < count; i++)
        shown += rows[i].best[FORM_OURS] > 0;
    int bottom = TOP + shown * LINE, x = LEFT;
    fprintf(f,
            "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d' font-family='sans-serif' font-size='12'>\n"
            "<rect width='100%%' height='100%%' fill='white'/>\n"
            "<text x='8' y='20' font-size='14'>Times faster than ...</text>\n",
            LEFT + WIDTH + 30, bottom + 30);
    axis(f, bottom);
    for (int k = 0; k < kinds; k++, x += 130) {
        fprintf(f, "<circle cx='%d' cy='16' r='5' fill='%s'/>", x + 40, series[k].colour);
        fprintf(f, "<text x='%d' y='20'>%s</text>\n", x + 50, series[k].name);
    }
    for (int i = 0, y = TOP; i < count; i++) {
        if (rows[i].best[FORM_OURS] == 0)
            continue;
        fprintf(f, "<text x='%d' y='%d' text-anchor='end'>%s</text>\n", LEFT - 8, y + 15, rows[i].name);
        for (int k = 0; k < kinds; k++) {
            double ratio = rows[i].best[series[k].form] / rows[i].best[FORM_OURS];
            if (ratio <= 0)
                continue;
            if (series[k].form == FORM_OMP)
                fprintf(f, "<line x1='%.1f' y1='%d' x2='%.1f' y2='%d' stroke='%s' stroke-width='3' opacity='0.5'/>",
                        place(1), y + 11, place(ratio), y + 11, series[k].colour);
            fprintf(f, "<circle cx='%.1f' cy='%d' r='5' fill='%s'><title>%.2fx</title></circle>\n", place(ratio),
                    y + 11, series[k].colour, ratio);
        }
        y += LINE;
    }
    fprintf(f, "</svg>\n");
    return fclose(f) != 0;
}
