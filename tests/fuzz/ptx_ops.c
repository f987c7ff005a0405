// SPDX-License-Identifier: Apache-2.0
// The arithmetic instructions that random PTX kernels use: those of the unit tests' tables whose result is exact.
#include "ptx_program.h"
#include "translate/ptx_reference.h"
#include <ctype.h>

const unsigned char ptx_class_size[4] = {WORDS, DOUBLES, HALVES, PREDICATES};

// The class under which an operand stands in a text; -1: it does not, -2: under several.
static int class_in(const char *text, char operand)
{
    int found = -1;
    for (const char *p = text; (p = strchr(p, '%')); p++) {
        int class = p[1] == 'h' ? CLASS_HALF : isupper((unsigned char)p[1]) ? CLASS_DOUBLE : CLASS_WORD;
        const char *letter = p + 1 + (class == CLASS_HALF);
        if (tolower((unsigned char)*letter) != operand || isalnum((unsigned char)letter[1]))
            continue;
        if (found >= 0 && found != class)
            return -2;
        found = class;
    }
    return found;
}

int ptx_op_class(const struct op_test *o, char operand)
{
    if (operand != 'd')
        return class_in(o->text, operand);
    return o->result == 'D'   ? CLASS_DOUBLE
           : o->result == 'd' ? CLASS_WORD
           : o->result == 'h' ? CLASS_HALF
                              : CLASS_PREDICATE;
}

bool ptx_op_multiple(const struct op_test *o)
{
    const char *first = strchr(o->text, ';');
    return o->text[0] == '{' || strchr(first + 1, ';');
}

bool ptx_op_quiets(const struct op_test *o)
{
    return o->kind != 'x' && (!strncmp(o->text, "min.", 4) || !strncmp(o->text, "max.", 4));
}

const char *ptx_op_text(const struct op_test *o)
{
    return o->text;
}

char ptx_op_kind(const struct op_test *o)
{
    return o->kind;
}

uint64_t ptx_op_compute(const struct op_test *o, uint64_t a, uint64_t b, uint64_t c)
{
    return o->ref(a, b, c);
}

// Approximations are out, and pairs of halves, whose NaNs are many.
static bool usable(const struct op_test *o)
{
    if (o->kind == 'e' || o->kind == 'H' || strstr(o->text, "approx"))
        return false;
    for (const char *p = "abc"; *p; p++)
        if (class_in(o->text, *p) == -2)
            return false;
    return true;
}

static const struct op_test *list[1024];
static unsigned count;

unsigned ptx_ops(void)
{
    if (!count)
        for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
            for (size_t i = 0; i < tables[t].n; i++)
                if (usable(&tables[t].tests[i]))
                    list[count++] = &tables[t].tests[i];
    return count;
}

const struct op_test *ptx_op(unsigned i)
{
    return list[i];
}
