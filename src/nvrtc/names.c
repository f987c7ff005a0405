// SPDX-License-Identifier: Apache-2.0
// See names.h.
#include "nvrtc/names.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME_VARIABLE "__heddle_name_"
#define NAME_FUNCTION "__heddle_named_"
#define NAME_FILE     "__nv_name_map" // as NVRTC calls the place, in messages; expressions are counted from line 2

// An expression is in a function of both sides where the language deduces its type: in the initialiser of a device
// variable clang 19 finds no kernel that is overloaded.
void names_write(struct str *source, const struct program *p)
{
    static const char head[] = "extern \"C\" __device__ __attribute__((used)) auto " NAME_VARIABLE;
    for (size_t i = 0; i < p->expressions.len; i++) {
        const char *e = p->expressions.data[i];
        str_printf(source,
                   "#if __cplusplus >= 201402L\n"
                   "#line %zu \"" NAME_FILE "\"\n"
                   "__host__ __device__ constexpr auto " NAME_FUNCTION "%zu() { return %s; }\n"
                   "#line %zu \"" NAME_FILE "\"\n"
                   "%s%zu = " NAME_FUNCTION "%zu();\n"
                   "#else\n"
                   "#line %zu \"" NAME_FILE "\"\n"
                   "%s%zu = %s;\n"
                   "#endif\n",
                   i + 2, i, e, i + 2, head, i, i, i + 2, head, i, e);
    }
}

void names_explain(struct str *log, const struct program *p, const char *messages)
{
    for (size_t i = 0; i < p->expressions.len; i++) {
        char place[64];
        snprintf(place, sizeof place, NAME_FILE "(%zu): error", i + 2);
        if (strstr(messages, place))
            str_printf(log,
                       NAME_FILE "(%zu): error: Error in parsing name expression for lowered name lookup. Input name "
                                 "expression was: \"%s\"\n",
                       i + 2, p->expressions.data[i]);
    }
}

// The name in "generic(NAME);" or "NAME;".
static char *initialiser_name(const char *text)
{
    text += strspn(text, " ");
    if (!strncmp(text, "generic(", 8))
        text += 8;
    return text_copy(text, strcspn(text, ");\n+ "));
}

// Makes a variable that the name expressions found visible from outside.
static void line_append(struct str *out, const char *line, size_t n, const struct texts *names)
{
    if (!strncmp(line, ".global ", 8) || !strncmp(line, ".const ", 7))
        for (size_t i = 0; i < names->len; i++) {
            const char *at = memmem(line, n, names->data[i], strlen(names->data[i]));
            if (at && at[-1] == ' ' && strchr(";[ ", at[strlen(names->data[i])])) {
                str_append(out, ".visible ");
                break;
            }
        }
    str_append_n(out, line, n);
}

bool names_take(struct program *p, const char *ptx)
{
    for (size_t i = 0; i < p->expressions.len; i++) {
        char variable[64];
        snprintf(variable, sizeof variable, " " NAME_VARIABLE "%zu = ", i);
        const char *at = strstr(ptx, variable);
        if (!at) {
            str_printf(&p->log,
                       "__nv_name_map(%zu): error: Name expression must form address of a __global__ function or the "
                       "address of a __device__/__constant__ variable. Input name expression was: \"%s\"\n",
                       i + 2, p->expressions.data[i]);
            return false;
        }
        vec_push(&p->lowered, initialiser_name(at + strlen(variable)));
    }
    for (const char *line = ptx; *line;) {
        size_t n = strcspn(line, "\n");
        n += line[n] == '\n';
        if (!memmem(line, n, " " NAME_VARIABLE, strlen(" " NAME_VARIABLE)))
            line_append(&p->ptx, line, n, &p->lowered);
        line += n;
    }
    return true;
}
