// SPDX-License-Identifier: Apache-2.0
// The command line, by option.def.
#include "jit/abi/check.h"
#include "ncu/ncu.h"
#include <stdlib.h>
#include <string.h>

enum status { FLAG, VALUE, LIST, IGNORED, REFUSED };
static const struct option_row {
    const char *heading; // of a part; else NULL
    const char *long_name, *short_name, *value, *domain, *help;
    enum status status;
    int option;
} rows[] = {
#define HEADING(text) {.heading = text},
#define OPT(id, long_name, short_name, status, value, domain, help)                                                    \
    {NULL, long_name, short_name, value, domain, help, status, OPTION_##id},
#include "ncu/option.def"
};
enum { ROWS = sizeof rows / sizeof *rows };

const char *option_value[OPTION_COUNT];
static bool given[OPTION_COUNT];

static bool fail(const char *fmt, const char *a, const char *b)
{
    fprintf(stderr, "==ERROR== ");
    fprintf(stderr, fmt, a, b);
    fprintf(stderr, "\n");
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

static const struct option_row *find(const char *name, size_t n, bool is_long)
{
    for (size_t i = 0; i < ROWS; i++) {
        const char *have = rows[i].heading ? "" : is_long ? rows[i].long_name : rows[i].short_name;
        if (n && strlen(have) == n && !strncmp(have, name, n))
            return &rows[i];
    }
    return NULL;
}

static bool take(const struct option_row *r, const char *value)
{
    if (r->status == REFUSED)
        return fail("--%s is not supported: %s", r->long_name, r->help);
    if (r->status != FLAG && !in_domain(r->domain, value))
        return fail("--%s does not take '%s'", r->long_name, value);
    if (r->status == LIST && *option_value[r->option]) {
        struct str both = {0};
        str_printf(&both, "%s,%s", option_value[r->option], value);
        option_value[r->option] = str_text(&both); // lives as long as the program
    } else if (r->status == VALUE || r->status == LIST) {
        option_value[r->option] = value;
    }
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
        const struct option_row *r = find(name, value ? (size_t)(value - name) : strlen(name), is_long);
        if (!r) {
            fail("'%s' is no option of ncu%s", argv[i], "; --help lists them");
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
    printf("usage: ncu [options] PROGRAM [arguments of the program]\n\n"
           "Runs a CUDA program on the CPU and counts what its kernels do: instructions, accesses to memory, bank "
           "conflicts, divergence. The program need not be built anew; with -lineinfo its lines are told.\n");
    for (size_t i = 0; i < ROWS; i++) {
        const struct option_row *r = &rows[i];
        char name[96];
        if (r->heading) {
            printf("\n%s:\n", r->heading);
            continue;
        }
        snprintf(name, sizeof name, "%s%s%s--%s", *r->short_name ? "-" : "", r->short_name, *r->short_name ? ", " : "",
                 r->long_name);
        printf("  %-32s %s%s", name, r->status == REFUSED ? "not supported: " : "", r->help);
        if (r->status == VALUE || r->status == LIST || r->status == IGNORED) {
            if (strchr(r->domain, '|'))
                printf(" (%s)", r->domain);
            if (*r->value)
                printf(" [%s]", r->value);
        }
        printf("\n");
    }
}

void option_settings(struct str *out, bool wanted, const char *folder)
{
    const char *name = option_value[OPTION_KERNEL_NAME];
    bool regex = !strncmp(name, "regex:", 6);
    str_printf(out, "tools=%u\nskip=%s\ncount=%s\nfolder=%s\napi=no\nleak=no\nbacktrace=no\n", wanted ? JIT_COUNT : 0,
               option_value[OPTION_LAUNCH_SKIP], option_value[OPTION_LAUNCH_COUNT], folder);
    if (*name)
        str_printf(out, "kernels=%s:%s\n", regex ? "base" : "name", regex ? name + 6 : name);
}
