// SPDX-License-Identifier: Apache-2.0
// The command line, by option.def.
#include "sanitizer/sanitizer.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum status { FLAG, VALUE, IGNORED, REFUSED };
static const struct row {
    const char *heading; // of a part; else NULL
    const char *long_name, *short_name, *value, *domain, *help;
    enum status status;
    int option;
} rows[] = {
#define HEADING(text) {.heading = text},
#define OPT(id, long_name, short_name, status, value, domain, help)                                                    \
    {NULL, long_name, short_name, value, domain, help, status, OPTION_##id},
#include "sanitizer/option.def"
};
enum { ROWS = sizeof rows / sizeof *rows };

const char *option_value[OPTION_COUNT];
static bool given[OPTION_COUNT];

static bool fail(const char *fmt, const char *a, const char *b)
{
    printf("========= Error: ");
    printf(fmt, a, b);
    printf("\n");
    return false;
}

bool option_given(enum option o)
{
    return given[o];
}

bool option_is(enum option o, const char *value)
{
    return !strcmp(option_value[o], value);
}

unsigned long option_number(enum option o)
{
    return strtoul(option_value[o], NULL, 10);
}

static bool in_domain(const char *domain, const char *value)
{
    size_t n = strlen(value);
    if (!*domain)
        return true;
    if (!strcmp(domain, "#"))
        return n && strspn(value, "0123456789") == n;
    for (const char *p = domain; *p; p += strcspn(p, "|"), p += *p == '|')
        if (strcspn(p, "|") == n && !strncmp(p, value, n))
            return true;
    return false;
}

static const struct row *find(const char *name, size_t n, bool is_long)
{
    for (size_t i = 0; i < ROWS; i++) {
        const char *have = rows[i].heading ? "" : is_long ? rows[i].long_name : rows[i].short_name;
        if (n && strlen(have) == n && !strncmp(have, name, n))
            return &rows[i];
    }
    return NULL;
}

static bool take(const struct row *r, const char *value)
{
    if (r->status == REFUSED)
        return fail("--%s is not supported: %s", r->long_name, r->help);
    if (r->status != FLAG && !in_domain(r->domain, value))
        return fail("--%s does not take '%s'", r->long_name, value);
    if (r->status == VALUE)
        option_value[r->option] = value;
    given[r->option] = true;
    return true;
}

int option_parse(int argc, char **argv)
{
    int i = 1;
    for (size_t k = 0; k < ROWS; k++)
        if (!rows[k].heading)
            option_value[rows[k].option] = rows[k].value;
    for (; i < argc && argv[i][0] == '-'; i++) {
        bool is_long = argv[i][1] == '-';
        const char *name = argv[i] + (is_long ? 2 : 1), *value = strchr(name, '=');
        if (!strcmp(argv[i], "--"))
            return i + 1;
        const struct row *r = find(name, value ? (size_t)(value - name) : strlen(name), is_long);
        if (!r) {
            fail("'%s' is no option of compute-sanitizer%s", argv[i], "; --help lists them");
            return -1;
        }
        bool wants = r->status != FLAG && r->status != REFUSED;
        value = value ? value + 1 : wants && i + 1 < argc ? argv[++i] : NULL;
        if (wants && !value) {
            fail("--%s needs a value%s", r->long_name, "");
            return -1;
        }
        if (!take(r, value ? value : ""))
            return -1;
    }
    return i;
}

void option_help(void)
{
    printf("usage: compute-sanitizer [options] PROGRAM [arguments of the program]\n\n"
           "Runs a CUDA program on the CPU and tells of errors of its kernels. The program need not be built anew; "
           "with -lineinfo its lines "
           "are told.\n");
    for (size_t i = 0; i < ROWS; i++) {
        const struct row *r = &rows[i];
        char name[96];
        if (r->heading) {
            printf("\n%s:\n", r->heading);
            continue;
        }
        snprintf(name, sizeof name, "%s%s%s--%s", *r->short_name ? "-" : "", r->short_name, *r->short_name ? ", " : "",
                 r->long_name);
        printf("  %-32s %s%s", name, r->status == REFUSED ? "not supported: " : "", r->help);
        if (r->status == VALUE || r->status == IGNORED) {
            if (strchr(r->domain, '|'))
                printf(" (%s)", r->domain);
            if (*r->value && r->option != OPTION_PREFIX)
                printf(" [%s]", r->value);
        }
        printf("\n");
    }
}

// ---- kernels: key=value, with commas between them
static void add_filter(struct str *out, const char *list, const char *usual)
{
    static const struct {
        const char *key, *kind;
    } keys[] = {{"kernel_name=", "name"}, {"kne=", "name"},           {"kernel_substring=", "substring"},
                {"kns=", "substring"},    {"kernel_regex=", "regex"}, {"kre=", "regex"},
                {"regex:", "regex"}};
    while (*list) {
        const char *kind = usual;
        size_t n = strcmp(usual, "regex") ? strcspn(list, ",") : strlen(list);
        for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
            if (!strncmp(list, keys[i].key, strlen(keys[i].key))) {
                kind = keys[i].kind;
                list += strlen(keys[i].key);
                n -= strlen(keys[i].key);
                break;
            }
        str_printf(out, "%s%s:%.*s", out->len && str_text(out)[out->len - 1] != '=' ? "\t" : "", kind, (int)n, list);
        list += n;
        list += *list == ',';
    }
}

void option_settings(struct str *out, unsigned tools)
{
    const bool memcheck = option_is(OPTION_TOOL, "memcheck");
    str_printf(out, "tools=%u\nskip=%s\ncount=%s\ndestroy=%s\nleak=%s\napi=%s\nracecheck-report=%s\n", tools,
               option_value[OPTION_LAUNCH_SKIP], option_value[OPTION_LAUNCH_COUNT], option_value[OPTION_DESTROY],
               memcheck ? option_value[OPTION_LEAK_CHECK] : "no",
               memcheck ? option_value[OPTION_REPORT_API_ERRORS] : "no", option_value[OPTION_RACECHECK_REPORT]);
    bool host = option_is(OPTION_SHOW_BACKTRACE, "yes") || option_is(OPTION_SHOW_BACKTRACE, "host");
    str_printf(out, "backtrace=%s\n", host || memcheck ? "yes" : "no"); // frames name the calls that fail
    struct str names = {0};
    str_append(&names, "kernels=");
    add_filter(&names, option_value[OPTION_KERNEL_NAME], "name");
    add_filter(&names, option_value[OPTION_KERNEL_REGEX], "regex");
    str_append(&names, "\n");
    str_append(out, str_text(&names));
    str_free(&names);
    names = (struct str){0};
    str_append(&names, "kernels-not=");
    add_filter(&names, option_value[OPTION_KERNEL_NAME_EXCLUDE], "name");
    add_filter(&names, option_value[OPTION_KERNEL_REGEX_EXCLUDE], "regex");
    str_append(&names, "\n");
    str_append(out, str_text(&names));
    str_free(&names);
}
