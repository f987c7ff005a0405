// SPDX-License-Identifier: Apache-2.0
// nsys export: a report as a database, as JSON, or as a trace that chrome://tracing and ui.perfetto.dev show.
#include "base/os.h"
#include "nsys/nsys.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// ---- tables
static bool rows_write(FILE *out, struct database *d, const char *table, bool lines)
{
    char sql[160];
    const char *between = "";
    snprintf(sql, sizeof sql, "SELECT * FROM \"%s\"", table);
    struct statement *s = statement_make(d, sql);
    if (!s)
        return false;
    int n = statement_columns(s);
    while (statement_next(s)) {
        fputs(lines ? "" : between, out);
        between = ",\n";
        fputc('{', out);
        if (lines) {
            fputs("\"table\": ", out);
            json_text(out, table);
        }
        for (int c = 0; c < n; c++) {
            fputs(c || lines ? ", " : "", out);
            json_text(out, statement_name(s, c));
            fputs(": ", out);
            json_value(out, s, c);
        }
        fputs(lines ? "}\n" : "}", out);
    }
    statement_free(s);
    return true;
}

static bool tables_write(FILE *out, struct database *d, bool lines)
{
    struct statement *s = statement_make(d, "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name");
    const char *between = "{\n";
    bool ok = s != NULL;
    while (ok && statement_next(s)) {
        const char *table = statement_text(s, 0);
        if (!lines) {
            fputs(between, out);
            between = ",\n";
            json_text(out, table);
            fputs(": [\n", out);
        }
        ok = rows_write(out, d, table, lines);
        fputs(lines ? "" : "]", out);
    }
    fputs(lines ? "" : "\n}\n", out);
    if (s)
        statement_free(s);
    return ok;
}

static bool json_export(FILE *out, struct database *d)
{
    return tables_write(out, d, false);
}

static bool jsonlines_export(FILE *out, struct database *d)
{
    return tables_write(out, d, true);
}

// ---- the trace: each process has its threads, and each device its streams
static void event_begin(FILE *out, bool *first, const char *name, const char *category)
{
    fputs(*first ? "" : ",\n", out);
    *first = false;
    fputs("{\"name\": ", out);
    json_text(out, name);
    fprintf(out, ", \"cat\": \"%s\"", category);
}

// Columns: name, category, process, thread, start, end, correlation, then arguments by the columns' names.
static bool slices_write(FILE *out, struct database *d, bool *first, const char *sql)
{
    enum { NAME, CATEGORY, PROCESS, THREAD, START, END, CORRELATION, ARGUMENTS };
    struct statement *s = statement_make(d, sql);
    if (!s)
        return false;
    int n = statement_columns(s);
    while (statement_next(s)) {
        double start = (double)statement_integer(s, START) * 1e-3;
        bool instant = statement_kind(s, END) == VALUE_NULL;
        event_begin(out, first, statement_text(s, NAME), statement_text(s, CATEGORY));
        fprintf(out, ", \"pid\": %lld, \"tid\": %lld, \"ts\": %.3f", (long long)statement_integer(s, PROCESS),
                (long long)statement_integer(s, THREAD), start);
        if (instant)
            fputs(", \"ph\": \"i\", \"s\": \"t\"", out);
        else
            fprintf(out, ", \"ph\": \"X\", \"dur\": %.3f", (double)statement_integer(s, END) * 1e-3 - start);
        fputs(", \"args\": {", out);
        fprintf(out, "\"correlation\": %lld", (long long)statement_integer(s, CORRELATION));
        for (int c = ARGUMENTS; c < n; c++) {
            fputs(", ", out);
            json_text(out, statement_name(s, c));
            fputs(": ", out);
            json_value(out, s, c);
        }
        fputs("}}", out);
    }
    statement_free(s);
    return true;
}

// Columns: what it names ("process_name", "thread_name"), process, thread, name.
static bool names_write(FILE *out, struct database *d, bool *first, const char *sql)
{
    struct statement *s = statement_make(d, sql);
    if (!s)
        return false;
    while (statement_next(s)) {
        event_begin(out, first, statement_text(s, 0), "__metadata");
        fprintf(out, ", \"ph\": \"M\", \"pid\": %lld, \"tid\": %lld, \"args\": {\"name\": ",
                (long long)statement_integer(s, 1), (long long)statement_integer(s, 2));
        json_text(out, statement_text(s, 3));
        fputs("}}", out);
    }
    statement_free(s);
    return true;
}

// An arrow from the call to the work that it submitted. Columns: number, process, thread, time; then the same of the other end.
static bool arrows_write(FILE *out, struct database *d, bool *first, const char *sql)
{
    struct statement *s = statement_make(d, sql);
    if (!s)
        return false;
    while (statement_next(s))
        for (int end = 0; end < 2; end++) {
            event_begin(out, first, "launch", "correlation");
            fprintf(out, ", \"ph\": \"%s\", \"id\": %lld, \"pid\": %lld, \"tid\": %lld, \"ts\": %.3f}",
                    end ? "f\", \"bp\": \"e" : "s", (long long)statement_integer(s, 0),
                    (long long)statement_integer(s, 1 + 3 * end), (long long)statement_integer(s, 2 + 3 * end),
                    (double)statement_integer(s, 3 + 3 * end) * 1e-3);
        }
    statement_free(s);
    return true;
}

static const struct query {
    const char *table, *sql;
    bool (*write)(FILE *, struct database *, bool *, const char *);
} queries[] = {
#define NAMES(table, sql)  {#table, sql, names_write},
#define SLICES(table, sql) {#table, sql, slices_write},
#define ARROWS(table, sql) {#table, sql, arrows_write},
#include "nsys/trace.def"
};

static bool perfetto_export(FILE *out, struct database *d)
{
    bool first = true, ok = true;
    fputs("{\"displayTimeUnit\": \"ns\", \"traceEvents\": [\n", out);
    for (size_t i = 0; i < sizeof queries / sizeof *queries && ok; i++)
        ok = !database_has(d, queries[i].table) || queries[i].write(out, d, &first, queries[i].sql);
    fputs("\n]}\n", out);
    return ok;
}

// ---- the command
static bool sqlite_export(const char *report, const char *path)
{
    size_t size;
    char *data = os_file_read(report, &size);
    bool ok = data && os_file_write(path, data, size);
    if (!ok)
        perror(data ? path : report);
    free(data);
    return ok;
}

static const struct type {
    const char *name, *ending;
    bool (*write)(FILE *, struct database *);
} types[] = {{"sqlite", "sqlite", NULL},
             {"json", "json", json_export},
             {"jsonlines", "jsonl", jsonlines_export},
             {"perfetto", "perfetto.json", perfetto_export},
             {"chrome", "perfetto.json", perfetto_export}};

static const struct type *type_find(const char *name)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (!strcmp(types[i].name, name))
            return &types[i];
    return NULL;
}

static bool export_to(const char *report, const struct type *t, const char *path)
{
    struct database *d = database_open(report, false);
    bool known = d && database_has(d, "META_DATA_CAPTURE");
    if (d && !known)
        fprintf(stderr, "nsys export: %s is no report\n", report);
    if (!known) {
        if (d)
            database_close(d);
        return false;
    }
    bool ok = true;
    if (t->write) {
        bool terminal = !strcmp(path, "-");
        FILE *out = terminal ? stdout : fopen(path, "w");
        ok = out && t->write(out, d) && !ferror(out);
        if (!out)
            perror(path);
        if (out && !terminal)
            ok &= !fclose(out);
    }
    database_close(d);
    return ok && (t->write || sqlite_export(report, path));
}

static const char help[] =
    "Usage: nsys export --type TYPE [options] REPORT\n"
    "  -t, --type sqlite|json|jsonlines|perfetto\n"
    "                                 perfetto, or chrome: what chrome://tracing and ui.perfetto.dev open\n"
    "  -o, --output FILE              default: the report's name with another ending; - is the terminal\n"
    "  -f, --force-overwrite true     a file of that name is replaced\n"
    "  -h, --help                     print this text\n";

static int export_run(const char *report, const struct type *t, const char *output, bool force)
{
    char path[PATH_MAX];
    size_t stem = strlen(report), end = strlen(".nsys-rep");
    stem -= stem > end && !strcmp(report + stem - end, ".nsys-rep") ? end : 0;
    if (output)
        snprintf(path, sizeof path, "%s", output);
    else
        snprintf(path, sizeof path, "%.*s.%s", (int)stem, report, t->ending);
    if (access(report, R_OK)) {
        perror(report);
        return 1;
    }
    if (!force && strcmp(path, "-") != 0 && !access(path, F_OK)) {
        fprintf(stderr, "nsys export: %s is there already; --force-overwrite true replaces it\n", path);
        return 1;
    }
    return !export_to(report, t, path);
}

int export_main(int argc, char **argv)
{
    enum { TYPE, OUTPUT, FORCE, HELP, LAZY, OPTIONS };
    static const struct option_name options[OPTIONS] = {[TYPE] = {'t', "type", true},
                                                        [OUTPUT] = {'o', "output", true},
                                                        [FORCE] = {'f', "force-overwrite", true},
                                                        [HELP] = {'h', "help", false},
                                                        [LAZY] = {'l', "lazy", true}};
    struct option_scan s = {argc, 0, argv};
    const struct type *type = type_find("sqlite");
    const char *output = NULL, *v;
    bool force = false, ok = true;
    for (int i; (i = option_next(&s, options, OPTIONS, "export", &v)) != -1 && ok;) {
        if (i == -2)
            return 2;
        if (i == HELP) {
            fputs(help, stdout);
            return 0;
        }
        if (i == TYPE && !(type = type_find(v)))
            ok = false;
        else if (i == OUTPUT)
            output = v;
        else if (i == FORCE)
            ok = option_bool(v, &force);
        if (!ok)
            fprintf(stderr, "nsys export: --%s: '%s' is not a value that it takes\n", options[i].name, v);
    }
    if (!ok)
        return 2;
    if (s.at + 1 != argc) {
        fprintf(stderr, "nsys export: one report is needed\n%s", help);
        return 2;
    }
    return export_run(argv[s.at], type, output, force);
}
