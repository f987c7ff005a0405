// SPDX-License-Identifier: Apache-2.0
// Which metrics are printed: the rows of sections, or those of --metrics.
#include "base/xmalloc.h"
#include "ncu/ncu.h"
#include <regex.h>
#include <stdlib.h>
#include <string.h>

static const struct section_row {
    const char *section, *title; // of a section; else NULL
    const char *label, *metric;
    bool basic;
} table[] = {
#define SECTION(id, title, basic) {id, title, NULL, NULL, basic},
#define ROW(label, metric)        {NULL, NULL, label, metric, false},
#include "ncu/section.def"
};
enum { TABLE = sizeof table / sizeof *table };

static void add(struct rows *out, const char *section, const char *label, const struct metric *m)
{
    if (m)
        vec_push(out, ((struct row){section, label, m, m->unit}));
}

static bool is_listed(const char *list, const char *section)
{
    for (const char *p = list; *p; p += strcspn(p, ","), p += *p == ',') {
        size_t n = strcspn(p, ",");
        if (strlen(section) == n && !strncmp(p, section, n))
            return true;
    }
    return false;
}

static bool is_wanted(const struct section_row *r)
{
    const char *list = option_value[OPTION_SECTION];
    if (*list)
        return is_listed(list, r->section);
    if (option_given(OPTION_METRICS) && !option_given(OPTION_SET))
        return false;
    return option_is(OPTION_SET, "basic") ? r->basic : !option_is(OPTION_SET, "none");
}

static bool check_sections(void)
{
    const char *list = option_value[OPTION_SECTION];
    for (const char *p = list; *p; p += strcspn(p, ","), p += *p == ',') {
        bool found = false;
        for (size_t i = 0; i < TABLE; i++)
            found |= table[i].section && strlen(table[i].section) == strcspn(p, ",") &&
                     !strncmp(p, table[i].section, strcspn(p, ","));
        if (!found) {
            fprintf(stderr, "==ERROR== Failed to find section '%.*s'; --list-sections has them\n", (int)strcspn(p, ","),
                    p);
            return false;
        }
    }
    return true;
}

// A whole name, one without its suffix, or regex:EXPRESSION.
static bool is_meant(const char *word, const regex_t *re, const char *metric)
{
    size_t n = strlen(word);
    return re ? !regexec(re, metric, 0, NULL, 0)
              : !strncmp(metric, word, n) && (!metric[n] || (metric[n] == '.' && !strchr(word, '.')));
}

static bool add_metric(struct rows *out, const char *word)
{
    regex_t re;
    bool is_regex = !strncmp(word, "regex:", 6), found = false;
    if (is_regex && regcomp(&re, word + 6, REG_EXTENDED | REG_NOSUB)) {
        fprintf(stderr, "==ERROR== '%s' is no regular expression\n", word + 6);
        return false;
    }
    for (size_t i = 0; i < metric_count; i++)
        if (is_meant(word, is_regex ? &re : NULL, metrics[i].name)) {
            add(out, NULL, metrics[i].name, &metrics[i]);
            found = true;
        }
    if (is_regex)
        regfree(&re);
    if (!found)
        fprintf(stderr, "==ERROR== Failed to find metric %s; --query-metrics lists those that are there\n", word);
    return found;
}

bool rows_choose(struct rows *out)
{
    const char *section = NULL;
    if (!check_sections())
        return false;
    for (size_t i = 0; i < TABLE; i++) {
        if (table[i].section)
            section = is_wanted(&table[i]) ? table[i].title : NULL;
        else if (section)
            add(out, section, table[i].label, metric_find(table[i].metric));
    }
    char *list = xstrdup(option_value[OPTION_METRICS]), *rest = list;
    bool ok = true;
    for (char *word; ok && (word = strsep(&rest, ","));)
        ok = !*word || add_metric(out, word);
    free(list);
    return ok;
}

void sections_list(void)
{
    printf("%-30s %-40s %s\n", "Identifier", "Display Name", "Set");
    for (size_t i = 0; i < TABLE; i++)
        if (table[i].section)
            printf("%-30s %-40s %s\n", table[i].section, table[i].title, table[i].basic ? "basic, full" : "full");
}
