// SPDX-License-Identifier: Apache-2.0
// nsys stats: summaries of a report as a table, CSV or JSON.
#include "nsys/nsys.h"
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { COLUMNS = 32 };

static const struct report {
    const char *name, *title, *table, *sql;
    bool usual;
} reports[] = {
#define REPORT(name, title, table, sql, usual) {#name, title, table, sql, usual},
#include "nsys/report.def"
};
enum { REPORTS = sizeof reports / sizeof *reports };

// ---- cells
struct cell {
    char *text;
    bool number;
};

// 1234567 as 1,234,567, with what stands behind the point.
static void thousands(char *out, const char *number)
{
    size_t sign = *number == '-', digits = strcspn(number + sign, "."), n = 0;
    for (size_t i = 0; i < sign; i++)
        out[n++] = number[i];
    for (size_t i = 0; i < digits; i++) {
        if (i && (digits - i) % 3 == 0)
            out[n++] = ',';
        out[n++] = number[sign + i];
    }
    strcpy(out + n, number + sign + digits);
}

static bool is_deviation(struct statement *s, int column)
{
    return !strncmp(statement_name(s, column), "StdDev", 6);
}

static double real_of(struct statement *s, int column)
{
    double v = statement_real(s, column);
    return is_deviation(s, column) ? sqrt(v > 0 ? v : 0) : v;
}

static struct cell cell_of(struct statement *s, int column, bool pretty)
{
    char plain[400], out[600];
    enum value_kind kind = statement_kind(s, column);
    if (kind == VALUE_INTEGER && !is_deviation(s, column))
        snprintf(plain, sizeof plain, "%lld", (long long)statement_integer(s, column));
    else if (kind == VALUE_INTEGER || kind == VALUE_REAL)
        snprintf(plain, sizeof plain, strstr(statement_name(s, column), "(MB)") ? "%.3f" : "%.1f", real_of(s, column));
    else
        return (struct cell){strdup(statement_text(s, column)), false};
    if (!pretty)
        return (struct cell){strdup(plain), true};
    thousands(out, plain);
    return (struct cell){strdup(out), true};
}

// ---- formats
static void table_write(FILE *out, struct statement *s)
{
    int n = statement_columns(s);
    size_t widths[COLUMNS] = {0}, rows = 0, room = 0;
    struct cell *cells = NULL;
    bool left[COLUMNS] = {0};
    for (int c = 0; c < n; c++)
        widths[c] = strlen(statement_name(s, c));
    while (statement_next(s)) {
        if (rows == room) {
            room = room ? 2 * room : 64;
            struct cell *more = realloc(cells, room * (size_t)n * sizeof *cells);
            if (!more)
                break;
            cells = more;
        }
        for (int c = 0; c < n; c++) {
            struct cell cell = cell_of(s, c, true);
            size_t len = strlen(cell.text);
            widths[c] = len > widths[c] ? len : widths[c];
            left[c] |= !cell.number && *cell.text;
            cells[rows * (size_t)n + (size_t)c] = cell;
        }
        rows++;
    }
    for (int c = 0; c < n; c++)
        fprintf(out, left[c] && c == n - 1 ? "%s%-*s" : "%s%*s", c ? "  " : " ",
                c == n - 1 && left[c] ? 0 : (int)widths[c], statement_name(s, c));
    fputc('\n', out);
    for (int c = 0; c < n; c++) {
        fputs(c ? "  " : " ", out);
        for (size_t i = 0; i < widths[c]; i++)
            fputc('-', out);
    }
    fputc('\n', out);
    for (size_t r = 0; r < rows; r++) {
        for (int c = 0; c < n; c++) {
            struct cell *cell = &cells[r * (size_t)n + (size_t)c];
            fprintf(out, left[c] ? "%s%-*s" : "%s%*s", c ? "  " : " ", c == n - 1 && left[c] ? 0 : (int)widths[c],
                    cell->text);
            free(cell->text);
        }
        fputc('\n', out);
    }
    free(cells);
}

static void csv_text(FILE *out, const char *text)
{
    if (!strpbrk(text, ",\"\n")) {
        fputs(text, out);
        return;
    }
    fputc('"', out);
    for (; *text; text++)
        fprintf(out, *text == '"' ? "\"\"" : "%c", *text);
    fputc('"', out);
}

static void csv_write(FILE *out, struct statement *s)
{
    int n = statement_columns(s);
    for (int c = 0; c < n; c++)
        fprintf(out, "%s%s", c ? "," : "", statement_name(s, c));
    fputc('\n', out);
    while (statement_next(s)) {
        for (int c = 0; c < n; c++) {
            struct cell cell = cell_of(s, c, false);
            fputs(c ? "," : "", out);
            csv_text(out, cell.text);
            free(cell.text);
        }
        fputc('\n', out);
    }
}

static void json_write(FILE *out, struct statement *s)
{
    int n = statement_columns(s);
    const char *between = "[\n";
    while (statement_next(s)) {
        fputs(between, out);
        between = ",\n";
        fputs("  {", out);
        for (int c = 0; c < n; c++) {
            fputs(c ? ", " : "", out);
            json_text(out, statement_name(s, c));
            fputs(": ", out);
            if (is_deviation(s, c))
                fprintf(out, "%.15g", real_of(s, c));
            else
                json_value(out, s, c);
        }
        fputc('}', out);
    }
    fputs(*between == '[' ? "[]\n" : "\n]\n", out);
}

static const struct format {
    const char *name, *ending;
    void (*write)(FILE *, struct statement *);
} formats[] = {{"table", "txt", table_write},
               {"column", "txt", table_write},
               {"csv", "csv", csv_write},
               {"json", "json", json_write}};

// ---- reports
// Tables by name, with | between: one of them is enough, and those that are missing are made empty for the query.
static bool has_data(struct database *d, const char *list)
{
    bool any = false;
    char name[64];
    for (const char *p = list; *p; p += *p == '|') {
        size_t n = strcspn(p, "|");
        snprintf(name, sizeof name, "%.*s", (int)n, p);
        any |= database_has(d, name);
        p += n;
    }
    return any;
}

// The queries name tables that a report may lack.
static bool tables_complete(struct database *d)
{
    static const struct {
        const char *name, *columns;
    } tables[] = {
#define TABLE(name, columns) {#name, columns},
#include "nsys/table.def"
    };
    bool ok = true;
    for (size_t i = 0; i < sizeof tables / sizeof *tables && ok; i++) {
        char sql[2048];
        snprintf(sql, sizeof sql, "CREATE TEMP TABLE %s (%s)", tables[i].name, tables[i].columns);
        ok = database_has(d, tables[i].name) || database_run(d, sql);
    }
    return ok;
}

static FILE *output_open(const struct stats_options *o, const struct report *r, const struct format *f)
{
    char path[PATH_MAX];
    if (!o->output || !strcmp(o->output, "-"))
        return stdout;
    snprintf(path, sizeof path, "%s_%s.%s", o->output, r->name, f->ending);
    FILE *out = fopen(path, "w");
    if (!out)
        perror(path);
    return out;
}

static bool report_run(struct database *d, const char *path, const struct report *r, const struct format *f,
                       const struct stats_options *o)
{
    bool table = f->write == table_write;
    if (!has_data(d, r->table)) {
        if (!o->quiet)
            fprintf(stderr, "SKIPPED: %s does not contain data for %s.\n", path, r->name);
        return true;
    }
    struct statement *s = statement_make(d, r->sql);
    FILE *out = s ? output_open(o, r, f) : NULL;
    if (out && table)
        fprintf(out, "\n ** %s (%s):\n\n", r->title, r->name);
    if (out)
        f->write(out, s);
    if (out && table)
        fputc('\n', out);
    bool ok = out && !ferror(out);
    if (out && out != stdout)
        ok &= !fclose(out);
    if (s)
        statement_free(s);
    return ok;
}

static const struct report *report_find(const char *name, size_t n)
{
    for (int i = 0; i < REPORTS; i++)
        if (strlen(reports[i].name) == n && !strncmp(reports[i].name, name, n))
            return &reports[i];
    return NULL;
}

static const struct format *format_find(const char *name)
{
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (!strcmp(formats[i].name, name))
            return &formats[i];
    return NULL;
}

// "a,b"; false: one of them is unknown.
static bool reports_check(const char *list)
{
    for (const char *p = list; p && *p; p += *p == ',') {
        size_t n = strcspn(p, ",");
        if (!report_find(p, n)) {
            fprintf(stderr, "nsys stats: there is no report %.*s; --help-reports lists them\n", (int)n, p);
            return false;
        }
        p += n;
    }
    return true;
}

int stats_run(const char *path, const struct stats_options *o)
{
    const struct format *f = format_find(o->format ? o->format : "table");
    if (access(path, R_OK)) {
        perror(path);
        return 1;
    }
    struct database *d = database_open(path, false);
    if (!d)
        return 1;
    bool ok = database_has(d, "META_DATA_CAPTURE") || database_has(d, "StringIds");
    if (!ok)
        fprintf(stderr, "nsys stats: %s is no report\n", path);
    ok = ok && tables_complete(d);
    for (int i = 0; i < REPORTS && ok && !o->reports; i++)
        ok = !reports[i].usual || report_run(d, path, &reports[i], f, o);
    for (const char *p = o->reports; p && *p && ok; p += *p == ',') {
        size_t n = strcspn(p, ",");
        ok = report_run(d, path, report_find(p, n), f, o);
        p += n;
    }
    database_close(d);
    return !ok;
}

static const char help[] =
    "Usage: nsys stats [options] REPORT\n"
    "  -r, --report NAME,...      which summaries; --help-reports lists them\n"
    "  -f, --format table|csv|json\n"
    "  -o, --output PREFIX        to files PREFIX_NAME.csv in place of the terminal; - is the terminal\n"
    "  -q, --quiet                nothing is said of reports without data\n"
    "  --help-reports             the summaries that there are\n"
    "  -h, --help                 print this text\n";

static void reports_help(void)
{
    for (int i = 0; i < REPORTS; i++)
        printf("  %-24s %s\n", reports[i].name, reports[i].title);
}

int stats_main(int argc, char **argv)
{
    enum { REPORT_O, FORMAT, OUTPUT, QUIET, HELP, HELP_REPORTS, FORCE_EXPORT, FORCE, OPTIONS };
    static const struct option_name options[OPTIONS] = {[REPORT_O] = {'r', "report", true},
                                                        [FORMAT] = {'f', "format", true},
                                                        [OUTPUT] = {'o', "output", true},
                                                        [QUIET] = {'q', "quiet", false},
                                                        [HELP] = {'h', "help", false},
                                                        [HELP_REPORTS] = {0, "help-reports", false},
                                                        [FORCE_EXPORT] = {0, "force-export", true},
                                                        [FORCE] = {0, "force-overwrite", true}};
    struct option_scan s = {argc, 0, argv};
    struct stats_options o = {0};
    const char *v;
    char all[1024] = "";
    for (int i; (i = option_next(&s, options, OPTIONS, "stats", &v)) != -1;) {
        switch (i) {
        case REPORT_O:
            if (!reports_check(v) || strlen(all) + strlen(v) + 2 > sizeof all)
                return 2;
            strcat(all, *all ? "," : "");
            o.reports = strcat(all, v);
            break;
        case FORMAT:
            if (!format_find(v)) {
                fprintf(stderr, "nsys stats: there is no format %s\n", v);
                return 2;
            }
            o.format = v;
            break;
        case OUTPUT:
            o.output = v;
            break;
        case QUIET:
            o.quiet = true;
            break;
        case HELP:
            fputs(help, stdout);
            return 0;
        case HELP_REPORTS:
            reports_help();
            return 0;
        case -2:
            return 2;
        default:
            break;
        }
    }
    if (s.at + 1 != argc) {
        fprintf(stderr, "nsys stats: one report is needed\n%s", help);
        return 2;
    }
    return stats_run(argv[s.at], &o);
}
