// SPDX-License-Identifier: Apache-2.0
// See option.h.
#include "base/tool/option.h"
#include "base/str.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__attribute__((format(printf, 2, 3))) static bool fail(const struct tool_options *o, const char *fmt, ...)
{
    struct str text = {0};
    va_list ap;
    va_start(ap, fmt);
    str_vprintf(&text, fmt, ap);
    va_end(ap);
    o->fail(str_text(&text));
    str_free(&text);
    return false;
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

static const struct tool_option *find(const struct tool_options *o, const char *name, size_t n, bool is_long)
{
    for (size_t i = 0; i < o->n; i++) {
        const struct tool_option *r = &o->rows[i];
        const char *have = r->heading ? "" : is_long ? r->long_name : r->short_name;
        if (n && strlen(have) == n && !strncmp(have, name, n))
            return r;
    }
    return NULL;
}

static bool take(const struct tool_options *o, const struct tool_option *r, const char *value)
{
    if (r->status == TOOL_REFUSED)
        return fail(o, "--%s is not supported: %s", r->long_name, r->help);
    if (r->status != TOOL_FLAG && !in_domain(r->domain, value))
        return fail(o, "--%s does not take '%s'", r->long_name, value);
    if (r->status == TOOL_LIST && o->given[r->option]) {
        struct str both = {0};
        str_printf(&both, "%s,%s", o->value[r->option], value);
        o->value[r->option] = str_text(&both); // lives as long as the program
    } else if (r->status == TOOL_VALUE || r->status == TOOL_LIST) {
        o->value[r->option] = value;
    }
    o->given[r->option] = true;
    return true;
}

int tool_options_parse(const struct tool_options *o, int argc, char **argv)
{
    int i = 1;
    for (size_t k = 0; k < o->n; k++)
        if (!o->rows[k].heading)
            o->value[o->rows[k].option] = o->rows[k].value;
    for (; i < argc && argv[i][0] == '-'; i++) {
        bool is_long = argv[i][1] == '-';
        const char *name = argv[i] + (is_long ? 2 : 1), *value = strchr(name, '=');
        if (!strcmp(argv[i], "--"))
            return i + 1;
        const struct tool_option *r = find(o, name, value ? (size_t)(value - name) : strlen(name), is_long);
        if (!r) {
            fail(o, "'%s' is no option of %s; --help lists them", argv[i], o->tool);
            return -1;
        }
        bool wants = r->status != TOOL_FLAG && r->status != TOOL_REFUSED;
        value = value ? value + 1 : wants && i + 1 < argc ? argv[++i] : NULL;
        if (wants && !value) {
            fail(o, "--%s needs a value", r->long_name);
            return -1;
        }
        if (!take(o, r, value ? value : ""))
            return -1;
    }
    return i;
}

void tool_options_help(const struct tool_options *o)
{
    printf("%s", o->usage);
    for (size_t i = 0; i < o->n; i++) {
        const struct tool_option *r = &o->rows[i];
        char name[96];
        if (r->heading) {
            printf("\n%s:\n", r->heading);
            continue;
        }
        snprintf(name, sizeof name, "%s%s%s--%s", *r->short_name ? "-" : "", r->short_name, *r->short_name ? ", " : "",
                 r->long_name);
        printf("  %-32s %s%s", name, r->status == TOOL_REFUSED ? "not supported: " : "", r->help);
        if (r->status != TOOL_FLAG && r->status != TOOL_REFUSED) {
            if (strchr(r->domain, '|'))
                printf(" (%s)", r->domain);
            if (*r->value && r->value[strlen(r->value) - 1] != ' ') // blanks would be in the brackets
                printf(" [%s]", r->value);
        }
        printf("\n");
    }
}
