// SPDX-License-Identifier: Apache-2.0
// The report as one page: for each launch its figures, its kernel's place in the roofline, and the lines of the source by how much
// was executed, how threads parted, and what accesses cost. Drawings are SVG in the page; nothing is fetched.
#include "ncu/ncu.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char head[] =
    "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>ncu</title>\n<style>\n"
    "body{font:14px/1.4 system-ui,sans-serif;margin:1.5em auto;max-width:1200px;padding:0 "
    "1em;color:#222;background:#fff}\n"
    "h2{margin:1.6em 0 .4em;border-bottom:2px solid #888;font-size:1.15em;overflow-wrap:anywhere}\n"
    "table{border-collapse:collapse;margin:.5em 0}td,th{padding:1px 8px;text-align:right;white-space:nowrap}\n"
    "th{border-bottom:1px solid #888;font-weight:600}td.t,th.t{text-align:left}td.s{text-align:left;white-space:pre;"
    "font-family:ui-monospace,monospace}\n.f{display:flex;flex-wrap:wrap;gap:0 2.5em;align-items:flex-start}\n"
    ".w{overflow-x:auto}h3{font-size:1em;margin:.8em 0 .2em}p{margin:.3em 0}\n"
    "svg text{font:11px system-ui,sans-serif;fill:currentColor}\n"
    "@media(prefers-color-scheme:dark){body{background:#1b1b1d;color:#ddd}}\n</style></head><body>\n";

static void put(FILE *f, const char *text)
{
    for (const char *p = text; *p; p++) {
        const char *as = *p == '<' ? "&lt;" : *p == '>' ? "&gt;" : *p == '&' ? "&amp;" : *p == '"' ? "&quot;" : NULL;
        if (as)
            fputs(as, f);
        else
            fputc(*p, f);
    }
}

// ---- roofline. What the device could do at most is not known here: roofs are drawn by ratio, where a multiprocessor of 128 lanes makes an fma
// in each cycle and memory brings so many bytes.
enum { LEFT = 52, TOP = 12, WIDE = 460, HIGH = 230, DECADES_X = 6, DECADES_Y = 5 };
static const double intensity_least = 0.01, ridge = 10;

static double at_x(double intensity)
{
    double x = log10(intensity / intensity_least) / DECADES_X;
    return LEFT + WIDE * (x < 0 ? 0 : x > 1 ? 1 : x);
}

// Part of the highest roof that the intensity allows.
static double at_y(double part)
{
    double y = -log10(part) / DECADES_Y;
    return TOP + HIGH * (y < 0 ? 0 : y > 1 ? 1 : y);
}

static void put_roofline(FILE *f, const struct launch *l)
{
    double intensity = metric_value(l, "heddle__arithmetic_intensity");
    double roof = intensity < ridge ? intensity / ridge : 1;
    fprintf(f, "<div><h3>Roofline</h3><svg width=\"%d\" height=\"%d\" role=\"img\" aria-label=\"roofline\">\n",
            LEFT + WIDE + 20, TOP + HIGH + 40);
    for (int d = 0; d <= DECADES_X; d++) {
        double x = LEFT + WIDE * d / (double)DECADES_X;
        fprintf(f, "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"#8884\"/>", x, TOP, x, TOP + HIGH);
        fprintf(f, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%g</text>\n", x, TOP + HIGH + 15,
                intensity_least * pow(10, d));
    }
    for (int d = 0; d <= DECADES_Y; d++) {
        double y = TOP + HIGH * d / (double)DECADES_Y;
        fprintf(f, "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"#8884\"/>", LEFT, y, LEFT + WIDE, y);
        fprintf(f, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%g %%</text>\n", LEFT - 5, y + 4, 100 * pow(10, -d));
    }
    fprintf(f, "<polyline points=\"%.1f,%.1f %.1f,%.1f %d,%.1f\" fill=\"none\" stroke=\"#36c\" stroke-width=\"2\"/>\n",
            at_x(intensity_least), at_y(intensity_least / ridge), at_x(ridge), at_y(1), LEFT + WIDE, at_y(1));
    if (intensity > 0)
        fprintf(f,
                "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#c33\" stroke-dasharray=\"4 3\"/><circle "
                "cx=\"%.1f\" "
                "cy=\"%.1f\" r=\"5\" fill=\"#c33\"><title>%.3g flop/byte</title></circle>\n",
                at_x(intensity), TOP + HIGH, at_x(intensity), at_y(roof), at_x(intensity), at_y(roof), intensity);
    fprintf(f, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">operations for each byte of sectors</text></svg>\n",
            LEFT + WIDE / 2, TOP + HIGH + 32);
    if (intensity > 0)
        fprintf(f, "<p>%.3g flop/byte: %s.</p></div>\n", intensity,
                intensity < ridge ? "memory is the limit on a device of 10 flop/byte"
                                  : "arithmetic is the limit on a device of 10 flop/byte");
    else
        fprintf(f, "<p>No operations on floating point.</p></div>\n");
}

// ---- bars: parts of a whole
struct bar {
    const char *label, *metric;
};

static void put_bars(FILE *f, const struct launch *l, const char *title, const struct bar *bars, size_t n)
{
    double all = 0, most = 0;
    for (size_t i = 0; i < n; i++) {
        double x = metric_value(l, bars[i].metric);
        all += x;
        most = x > most ? x : most;
    }
    if (!(all > 0))
        return;
    fprintf(f, "<div><h3>%s</h3><svg width=\"420\" height=\"%zu\" role=\"img\" aria-label=\"%s\">\n", title, n * 18 + 4,
            title);
    for (size_t i = 0; i < n; i++) {
        double x = metric_value(l, bars[i].metric);
        char text[64];
        number_text(x, true, text, sizeof text);
        fprintf(f,
                "<text x=\"130\" y=\"%zu\" text-anchor=\"end\">%s</text><rect x=\"136\" y=\"%zu\" width=\"%.1f\" "
                "height=\"13\" "
                "fill=\"#36c\"/><text x=\"%.1f\" y=\"%zu\">%s</text>\n",
                i * 18 + 14, bars[i].label, i * 18 + 3, 180 * x / most, 140 + 180 * x / most, i * 18 + 14, text);
    }
    fputs("</svg></div>\n", f);
}

static void put_charts(FILE *f, const struct launch *l)
{
#define ON(class) "smsp__sass_thread_inst_executed_op_" class "_pred_on.sum"
    static const struct bar classes[] = {
        {"integer", ON("integer")}, {"fp32", ON("fp32")},     {"fp64", ON("fp64")},
        {"fp16", ON("fp16")},       {"bit", ON("bit")},       {"conversion", ON("conversion")},
        {"control", ON("control")}, {"memory", ON("memory")}, {"between threads", ON("inter_thread_communication")},
        {"other", ON("misc")}};
    static const struct bar branches[] = {{"together", "smsp__sass_branch_targets_threads_uniform.sum"},
                                          {"divergent", "smsp__sass_branch_targets_threads_divergent.sum"}};
    static const struct bar global[] = {{"sectors", "memory_l2_theoretical_sectors_global"},
                                        {"as few as hold it", "memory_l2_theoretical_sectors_global_ideal"}};
    static const struct bar shared[] = {{"passes", "memory_l1_wavefronts_shared"},
                                        {"without conflicts", "memory_l1_wavefronts_shared_ideal"}};
    put_bars(f, l, "Thread instructions", classes, sizeof classes / sizeof *classes);
    put_bars(f, l, "Branches", branches, 2);
    put_bars(f, l, "Global memory", global, 2);
    put_bars(f, l, "Shared memory", shared, 2);
}

// ---- lines, the more was executed the darker
static void put_heat(FILE *f, double part, const char *text)
{
    if (part > 0.0005)
        fprintf(f, "<td style=\"background:rgba(220,60,30,%.2f)\">%s</td>", 0.08 + 0.72 * sqrt(part), text);
    else
        fprintf(f, "<td>%s</td>", text);
}

static void put_number(FILE *f, double x, double most)
{
    char text[64];
    number_text(x, true, text, sizeof text);
    put_heat(f, most > 0 ? x / most : 0, x > 0 ? text : "");
}

static double excess(double x, double ideal)
{
    return x > ideal ? x - ideal : 0;
}

struct most {
    double warps, divergent, sectors, passes;
};

static void put_line(FILE *f, const struct source_line *s, const struct most *m)
{
    char *own = s->file ? source_text(s->file, s->line) : NULL, lanes[32] = "";
    if (s->warps > 0)
        snprintf(lanes, sizeof lanes, "%.1f", s->threads / s->warps);
    fprintf(f, "<tr><td>%u</td>", s->line);
    put_number(f, s->warps, m->warps);
    put_heat(f, s->warps > 0 ? 1 - s->threads / s->warps / 32 : 0, lanes);
    put_number(f, s->divergent, m->divergent);
    put_number(f, s->sectors, 0);
    put_number(f, excess(s->sectors, s->ideal), m->sectors);
    put_number(f, s->wavefronts, 0);
    put_number(f, excess(s->wavefronts, s->wavefronts_ideal), m->passes);
    fputs("<td class=\"s\">", f);
    put(f, s->text ? s->text : own ? own : "");
    fputs("</td></tr>\n", f);
    free(own);
}

static void put_lines(FILE *f, const struct launch *l, bool ptx)
{
    struct source_lines lines = {0};
    struct most m = {0};
    const char *file = "";
    source_lines_of(l, ptx, &lines);
    for (size_t i = 0; i < lines.len; i++) {
        const struct source_line *s = &lines.data[i];
        m.warps = fmax(m.warps, s->warps);
        m.divergent = fmax(m.divergent, s->divergent);
        m.sectors = fmax(m.sectors, excess(s->sectors, s->ideal));
        m.passes = fmax(m.passes, excess(s->wavefronts, s->wavefronts_ideal));
    }
    if (!lines.len)
        return;
    fprintf(f, "<details%s><summary>%s</summary><div class=\"w\"><table>\n", ptx ? "" : " open",
            ptx ? "PTX" : "Source");
    for (size_t i = 0; i < lines.len; i++) {
        const char *here = lines.data[i].file ? lines.data[i].file : "PTX";
        if (strcmp(here, file)) {
            fputs("<tr><th class=\"t\" colspan=\"9\">", f);
            put(f, here);
            fputs("</th></tr><tr><th>line</th><th>instructions</th><th>threads of "
                  "32</th><th>divergent</th><th>sectors</th>"
                  "<th>too many</th><th>passes</th><th>conflicts</th><th class=\"t\"></th></tr>\n",
                  f);
            file = here;
        }
        put_line(f, &lines.data[i], &m);
    }
    fputs("</table></div></details>\n", f);
    vec_free(&lines);
}

// ---- figures
static void put_rows(FILE *f, const struct launch *l, const struct rows *rows)
{
    const char *section = NULL;
    fputs("<details><summary>Metrics</summary><div class=\"f\">\n", f);
    for (size_t i = 0; i < rows->len; i++) {
        const struct row *r = &rows->data[i];
        char value[64];
        if (!i || r->section != section) {
            fprintf(f, "%s<div><h3>", i ? "</table></div>\n" : "");
            put(f, r->section ? r->section : "Metrics");
            fputs("</h3><table>\n", f);
        }
        section = r->section;
        metric_text(r->metric, l, value, sizeof value);
        fputs("<tr><td class=\"t\">", f);
        put(f, r->label);
        fprintf(f, "</td><td>%s</td><td class=\"t\">%s</td></tr>\n", value, r->unit);
    }
    fputs(rows->len ? "</table></div></div></details>\n" : "</div></details>\n", f);
}

static void put_launch(FILE *f, const struct launch *l, const struct rows *rows)
{
    fprintf(f, "<h2 id=\"l%u\">%u: ", l->id, l->id);
    put(f, l->name);
    if (l->native) {
        fprintf(f, "</h2><p>%s</p>\n", native_note);
        return;
    }
    fprintf(f, "</h2><p>grid (%u, %u, %u), blocks of (%u, %u, %u), occupancy %.1f %%</p>\n<div class=\"f\">\n",
            l->grid[0], l->grid[1], l->grid[2], l->block[0], l->block[1], l->block[2],
            metric_value(l, "sm__maximum_warps_per_active_cycle_pct"));
    put_roofline(f, l);
    put_charts(f, l);
    fputs("</div>\n", f);
    put_lines(f, l, false);
    put_lines(f, l, true);
    put_rows(f, l, rows);
}

static void put_contents(FILE *f, const struct launches *all)
{
    static const char *const columns[] = {"smsp__inst_executed.sum",
                                          "smsp__thread_inst_executed_per_inst_executed.ratio",
                                          "smsp__sass_average_branch_targets_threads_uniform.pct",
                                          "memory_l2_theoretical_sectors_global",
                                          "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum",
                                          "heddle__arithmetic_intensity"};
    fputs("<div class=\"w\"><table><tr><th></th><th class=\"t\">kernel</th><th>instructions</th><th>threads of "
          "32</th><th>branch "
          "efficiency</th><th>sectors</th><th>bank conflicts</th><th>flop/byte</th></tr>\n",
          f);
    for (size_t i = 0; i < all->len; i++) {
        const struct launch *l = all->data[i];
        fprintf(f, "<tr><td>%u</td><td class=\"t\"><a href=\"#l%u\">", l->id, l->id);
        put(f, l->name);
        fputs("</a></td>", f);
        for (size_t k = 0; k < sizeof columns / sizeof *columns; k++) {
            char value[64];
            metric_text(metric_find(columns[k]), l, value, sizeof value);
            fprintf(f, "<td>%s</td>", value);
        }
        fputs("</tr>\n", f);
    }
    fputs("</table></div>\n", f);
}

bool html_write(const char *path, const struct launches *all, const struct rows *rows)
{
    FILE *f = fopen(path, "we");
    if (f) {
        fputs(head, f);
        fputs("<h1>Kernels, counted</h1>\n<p>Instructions are those of the PTX; docs/ncu.md of Heddle tells what each "
              "metric is.</p>\n",
              f);
        put_contents(f, all);
        for (size_t i = 0; i < all->len; i++)
            put_launch(f, all->data[i], rows);
        fputs("</body></html>\n", f);
    }
    if (!f || fclose(f)) {
        fprintf(stderr, "==ERROR== %s: %s\n", path, strerror(errno));
        return false;
    }
    return true;
}
