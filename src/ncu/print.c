// SPDX-License-Identifier: Apache-2.0
// The pages details and raw, as tables and as CSV.
#include "ncu/ncu.h"
#include <stdlib.h>
#include <string.h>

enum { VALUE_MOST = 64, UNITS_WIDTH = 11, VALUES_WIDTH = 12 };

static void shape_text(const uint32_t n[3], char *out, size_t size)
{
    snprintf(out, size, "(%u, %u, %u)", n[0], n[1], n[2]);
}

static void print_title(const struct launch *l)
{
    char grid[48], block[48];
    shape_text(l->grid, grid, sizeof grid);
    shape_text(l->block, block, sizeof block);
    printf("  %s %sx%s, Context %u, Stream %u, Device %u, CC %u.%u\n", l->name, grid, block, l->context, l->stream,
           l->device, l->capability / 10, l->capability % 10);
}

// ---- tables: columns are as wide as what they hold
struct cells {
    const char *name, *unit;
    char value[3][VALUE_MOST];
};
struct table {
    struct VEC(struct cells) rows;
    unsigned values;
};

static void print_dashes(size_t n)
{
    while (n--)
        putchar('-');
}

static void print_rule(size_t name, size_t unit, size_t value, unsigned values)
{
    printf("    ");
    print_dashes(name);
    putchar(' ');
    print_dashes(unit);
    for (unsigned i = 0; i < values; i++) {
        putchar(' ');
        print_dashes(value);
    }
    putchar('\n');
}

static void print_table(const struct table *t)
{
    static const char *const one[] = {"Metric Value"}, *const three[] = {"Minimum", "Maximum", "Average"};
    const char *const *titles = t->values == 1 ? one : three;
    size_t name = strlen("Metric Name"), unit = UNITS_WIDTH, value = VALUES_WIDTH;
    for (size_t i = 0; i < t->rows.len; i++) {
        const struct cells *c = &t->rows.data[i];
        name = strlen(c->name) > name ? strlen(c->name) : name;
        unit = strlen(c->unit) > unit ? strlen(c->unit) : unit;
        for (unsigned k = 0; k < t->values; k++)
            value = strlen(c->value[k]) > value ? strlen(c->value[k]) : value;
    }
    print_rule(name, unit, value, t->values);
    printf("    %-*s %*s", (int)name, "Metric Name", (int)unit, "Metric Unit");
    for (unsigned k = 0; k < t->values; k++)
        printf(" %*s", (int)value, titles[k]);
    printf("\n");
    print_rule(name, unit, value, t->values);
    for (size_t i = 0; i < t->rows.len; i++) {
        const struct cells *c = &t->rows.data[i];
        printf("    %-*s %*s", (int)name, c->name, (int)unit, c->unit);
        for (unsigned k = 0; k < t->values; k++)
            printf(" %*s", (int)value, c->value[k]);
        printf("\n");
    }
    print_rule(name, unit, value, t->values);
    printf("\n");
}

// One value of a launch; of several launches minimum, maximum and average.
static void fill(struct cells *c, const struct row *r, struct launch *const *l, size_t n)
{
    double least = 0, most = 0, all = 0;
    size_t known = 0;
    bool whole = r->metric->form == FORM_COUNT;
    for (size_t i = 0; i < n; i++) {
        double x = r->metric->value(l[i]);
        if (!metric_known(r->metric, l[i]))
            continue;
        least = !known || x < least ? x : least;
        most = !known || x > most ? x : most;
        all += x;
        known++;
    }
    for (unsigned i = 0; i < 3 && !known; i++)
        snprintf(c->value[i], VALUE_MOST, "n/a");
    if (!known)
        return;
    number_text(least, whole, c->value[0], VALUE_MOST);
    number_text(most, whole, c->value[1], VALUE_MOST);
    number_text(all / (double)known, false, c->value[2], VALUE_MOST);
}

static bool same_section(const struct row *a, const struct row *b)
{
    return a->section == b->section;
}

// spread: how the values of several launches are spread.
static void print_sections(struct launch *const *l, size_t n, const struct rows *rows, bool spread)
{
    for (size_t i = 0; i < rows->len;) {
        struct table t = {.values = spread ? 3 : 1};
        const struct row *first = &rows->data[i];
        printf("    Section: %s\n", first->section ? first->section : "Command line profiler metrics");
        for (; i < rows->len && same_section(&rows->data[i], first); i++) {
            const struct row *r = &rows->data[i];
            struct cells c = {.name = r->label, .unit = r->unit};
            fill(&c, r, l, n);
            vec_push(&t.rows, c);
        }
        print_table(&t);
        vec_free(&t.rows);
    }
}

// ---- CSV
static void put_csv(const char *text, bool last)
{
    putchar('"');
    for (const char *p = text; *p; p++) {
        if (*p == '"')
            putchar('"');
        putchar(*p);
    }
    printf("\"%s", last ? "\n" : ",");
}

static void put_launch_csv(const struct launch *l)
{
    char text[64];
    snprintf(text, sizeof text, "%u", l->id);
    put_csv(text, false);
    snprintf(text, sizeof text, "%ld", l->process);
    put_csv(text, false);
    put_csv("", false);
    put_csv("127.0.0.1", false);
    put_csv(l->name, false);
    snprintf(text, sizeof text, "%u", l->context);
    put_csv(text, false);
    snprintf(text, sizeof text, "%u", l->stream);
    put_csv(text, false);
    shape_text(l->block, text, sizeof text);
    put_csv(text, false);
    shape_text(l->grid, text, sizeof text);
    put_csv(text, false);
    snprintf(text, sizeof text, "%u", l->device);
    put_csv(text, false);
    snprintf(text, sizeof text, "%u.%u", l->capability / 10, l->capability % 10);
    put_csv(text, false);
}

#define LAUNCH_COLUMNS                                                                                                 \
    "\"ID\",\"Process ID\",\"Process Name\",\"Host Name\",\"Kernel Name\",\"Context\",\"Stream\",\"Block Size\","      \
    "\"Grid Size\",\"Device\",\"CC\""

// What is known of a native kernel, which is in no section.
static void rows_of_native(struct rows *out, const struct launch *l)
{
    for (size_t i = 0; i < metric_count; i++)
        if (metric_known(&metrics[i], l))
            vec_push(out, ((struct row){"Native Kernel", metrics[i].name, &metrics[i], metrics[i].unit}));
}

static void print_csv(const struct launches *all, const struct rows *rows)
{
    struct rows native = {0};
    printf(LAUNCH_COLUMNS ",\"Section Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n");
    for (size_t i = 0; i < all->len; i++) {
        native.len = 0;
        if (all->data[i]->native)
            rows_of_native(&native, all->data[i]);
        const struct rows *own = all->data[i]->native ? &native : rows;
        for (size_t k = 0; k < own->len; k++) {
            const struct row *r = &own->data[k];
            char value[VALUE_MOST];
            metric_text(r->metric, all->data[i], value, sizeof value);
            put_launch_csv(all->data[i]);
            put_csv(r->section ? r->section : "Command line profiler metrics", false);
            put_csv(r->label, false);
            put_csv(r->unit, false);
            put_csv(value, true);
        }
    }
    vec_free(&native);
}

// A column for each metric, and a line for the units.
static void print_raw_csv(const struct launches *all, const struct rows *rows)
{
    printf(LAUNCH_COLUMNS);
    for (size_t k = 0; k < rows->len; k++)
        printf(",\"%s\"", rows->data[k].metric->name);
    printf("\n\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\"");
    for (size_t k = 0; k < rows->len; k++)
        printf(",\"%s\"", rows->data[k].unit);
    printf("\n");
    for (size_t i = 0; i < all->len; i++) {
        put_launch_csv(all->data[i]);
        for (size_t k = 0; k < rows->len; k++) {
            char value[VALUE_MOST];
            metric_text(rows->data[k].metric, all->data[i], value, sizeof value);
            put_csv(value, k + 1 == rows->len);
        }
    }
}

// ---- pages
static void rows_of_all(struct rows *out, const struct rows *chosen)
{
    bool some = option_given(OPTION_METRICS) || option_given(OPTION_SECTION);
    for (size_t i = 0; !some && i < metric_count; i++)
        vec_push(out, ((struct row){"Raw", metrics[i].name, &metrics[i], metrics[i].unit}));
    for (size_t i = 0; some && i < chosen->len; i++)
        vec_push(out,
                 ((struct row){"Raw", chosen->data[i].metric->name, chosen->data[i].metric, chosen->data[i].unit}));
}

static void print_raw(const struct launches *all, const struct rows *rows)
{
    if (option_given(OPTION_CSV)) {
        print_raw_csv(all, rows);
        return;
    }
    for (size_t i = 0; i < all->len; i++) {
        print_title(all->data[i]);
        print_sections(&all->data[i], 1, rows, false);
    }
}

static void print_summary(const struct launches *all, const struct rows *rows)
{
    bool *done = calloc(all->len + 1, sizeof *done);
    for (size_t i = 0; done && i < all->len; i++) {
        struct launches same = {0};
        for (size_t k = i; !done[i] && k < all->len; k++)
            if (!strcmp(all->data[k]->kernel, all->data[i]->kernel) || option_is(OPTION_PRINT_SUMMARY, "per-gpu"))
                vec_push(&same, all->data[k]);
        for (size_t k = i; same.len && k < all->len; k++)
            done[k] |=
                !strcmp(all->data[k]->kernel, all->data[i]->kernel) || option_is(OPTION_PRINT_SUMMARY, "per-gpu");
        if (same.len) {
            printf("  %s, Invocations: %zu\n",
                   option_is(OPTION_PRINT_SUMMARY, "per-gpu") ? "Device 0" : all->data[i]->name, same.len);
            print_sections(same.data, same.len, rows, true);
        }
        vec_free(&same);
    }
    free(done);
}

static void print_details(struct launch *l, const struct rows *rows)
{
    struct rows native = {0};
    print_title(l);
    if (l->native) {
        printf("    %s\n", native_note);
        rows_of_native(&native, l);
    }
    print_sections(&l, 1, l->native ? &native : rows, false);
    vec_free(&native);
}

void print_launches(const struct launches *all, const struct rows *rows)
{
    struct rows whole = {0};
    if (option_is(OPTION_PAGE, "source")) {
        print_sources(all);
    } else if (option_is(OPTION_PAGE, "raw")) {
        rows_of_all(&whole, rows);
        print_raw(all, &whole);
        vec_free(&whole);
    } else if (!option_is(OPTION_PRINT_SUMMARY, "none")) {
        print_summary(all, rows);
    } else if (option_given(OPTION_CSV)) {
        print_csv(all, rows);
    } else {
        for (size_t i = 0; i < all->len; i++)
            print_details(all->data[i], rows);
    }
}
