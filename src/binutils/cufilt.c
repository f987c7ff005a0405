// SPDX-License-Identifier: Apache-2.0
// cu++filt: turns mangled names back into those of the source; names that are arguments, or all in a text on standard input.
#include "base/str.h"
#define TOOL_DEF "binutils/cufilt.def"
#include "binutils/table.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Of the C++ ABI: the name in memory from malloc, or NULL.
char *__cxa_demangle(const char *mangled, char *out, size_t *length, int *status);

enum { NAME_MAX_BYTES = 1 << 16 };

// Where the parameters of a function begin: the last bracket that opens at the outermost level and has only what may stand
// behind parameters behind it. NULL: it is no function.
static char *parameters(char *name)
{
    char *found = NULL;
    int angles = 0, round = 0;
    for (char *p = name; *p; p++) {
        bool op = p > name + 7 && !strncmp(p - 8, "operator", 8);
        if (op && (*p == '<' || *p == '>' || (*p == '-' && p[1] == '>'))) { // operator<, operator->, operator()
            while (p[1] == '<' || p[1] == '>' || p[1] == '=')
                p++;
        } else if (op && *p == '(' && p[1] == ')') {
            p++;
        } else if (*p == '<') {
            angles++;
        } else if (*p == '>' && angles) {
            angles--;
        } else if (*p == '(') {
            if (!round++ && !angles && strncmp(p, "(anonymous namespace)", 21))
                found = p;
        } else if (*p == ')' && round) {
            round--;
        }
    }
    return found;
}

// The result's type ends at the last blank of the outermost level that is no part of an operator's name.
static char *after_result(char *name)
{
    char *from = name;
    int depth = 0;
    for (char *p = name; *p; p++) {
        depth += *p == '<' || *p == '(' ? 1 : 0;
        depth -= (*p == '>' || *p == ')') && depth ? 1 : 0;
        if (!strncmp(p, "operator", 8) && (p == name || !(isalnum((unsigned char)p[-1]) || p[-1] == '_')))
            return from;
        if (*p == ' ' && !depth)
            from = p + 1;
    }
    return from;
}

static void print_name(const struct tool *t, const char *name)
{
    const char *plain = tool_has(t, OPT_UNDERSCORE) && *name == '_' ? name + 1 : name;
    int status = 0;
    char *text =
        !strncmp(plain, "_Z", 2) && strlen(plain) < NAME_MAX_BYTES ? __cxa_demangle(plain, NULL, NULL, &status) : NULL;
    char *from = text;
    if (text && tool_has(t, OPT_NO_PARAMETERS)) {
        char *cut = parameters(text);
        if (cut) {
            *cut = 0;
            from = after_result(text);
        }
    }
    fputs(from ? from : name, stdout);
    free(text);
}

static bool is_name(int c)
{
    return isalnum(c) || c == '_' || c == '$' || c == '.';
}

static void filter(const struct tool *t)
{
    struct str word = {0};
    for (int c; (c = getchar()) != EOF;) {
        if (is_name(c)) {
            char b = (char)c;
            str_append_n(&word, &b, 1);
            continue;
        }
        if (word.len)
            print_name(t, str_text(&word));
        word.len = 0;
        putchar(c);
    }
    if (word.len)
        print_name(t, str_text(&word));
    str_free(&word);
}

static bool run(struct tool *t)
{
    if (!t->inputs.len)
        filter(t);
    for (size_t i = 0; i < t->inputs.len; i++) {
        print_name(t, t->inputs.data[i]);
        putchar('\n');
    }
    return true;
}

int main(int argc, char **argv)
{
    struct tool t =
        TOOL("cu++filt",
             "Turns mangled names of kernels and functions into those of the source: those that are given, or all "
             "in the text on standard input.");
    return tool_main(&t, argc, argv, run);
}
