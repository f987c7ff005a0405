// SPDX-License-Identifier: Apache-2.0
// Stores of a part of a floating-point value. From LLVM 20 on clang keeps every value in untyped registers and stores the low byte of
// a float's bits straight from the float's register (st.b8 of a %r that an add.f32 wrote). ptxas, of CUDA 13.0 at least, takes the
// register's type from the instruction that wrote it and turns the store into a conversion: the byte in memory is the number's
// integer value. A move of bits between is what it needs, and costs nothing in machine code (tests/nvcc/codegen.sh).
//
//  1. What is asked is the text alone: a register that an instruction with a floating-point type may have written, in the same
//     function, and a store of fewer bits than the register has. An instruction with such a type that writes integers is taken for
//     one as well; the move does no harm.
//  2. The move is in a scope of its own with the store, so that no declaration changes and a guard (@%p) stays on the store. Nothing
//     else can see the new register, and the bits are the same: the text means what it meant.
//  3. Registers with other names than clang's (%rs, %r, %rd) are declared by an asm statement with types of its author's.
#include "front/front.h"
#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { CLASSES = 3 };
static const unsigned class_bits[CLASSES] = {16, 32, 64};

struct registers { // those of one function that hold floating-point values, a bit each
    struct VEC(uint64_t) bits[CLASSES];
};

struct statement {
    const char *begin, *op, *operands, *end; // end: its semicolon
    size_t op_size;
};

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || (c && strchr("_$%.", c));
}

static const char *skip_blank(const char *p)
{
    for (;;) {
        p += strspn(p, " \t\r\n");
        if (p[0] == '/' && p[1] == '/') {
            p += strcspn(p, "\n");
        } else if (p[0] == '/' && p[1] == '*') {
            const char *end = strstr(p + 2, "*/");
            p = end ? end + 2 : p + strlen(p);
        } else {
            return p;
        }
    }
}

// The next instruction from p on, with its guard; brackets of scopes, labels and directives are passed over. False: no more.
static bool statement_next(const char *p, struct statement *s)
{
    for (;;) {
        p = skip_blank(p);
        if (!*p)
            return false;
        if (*p == '.') { // a directive ends with its line, with a semicolon, or where a body or list begins
            p += strcspn(p, ";{\n");
            p += *p != 0;
            continue;
        }
        if (*p != '@' && !is_word(*p)) {
            p++;
            continue;
        }
        s->begin = p;
        if (*p == '@') {
            p += strcspn(p, " \t\n;");
            p = skip_blank(p);
        }
        s->op = p;
        while (is_word(*p) || (p[0] == ':' && p[1] == ':' && ++p))
            p++;
        s->op_size = (size_t)(p - s->op);
        if (*p == ':') // a label
            continue;
        s->operands = skip_blank(p);
        s->end = s->operands + strcspn(s->operands, ";");
        return *s->end;
    }
}

// The register at p: its class, or -1; *number and the end of its name.
static int register_read(const char *p, unsigned long *number, const char **end)
{
    if (p[0] != '%' || p[1] != 'r')
        return -1;
    int class = p[2] == 's' ? 0 : p[2] == 'd' ? 2 : 1;
    p += class == 1 ? 2 : 3;
    if (!isdigit((unsigned char)*p))
        return -1;
    char *after;
    *number = strtoul(p, &after, 10);
    *end = after;
    return is_word(*after) || *number > 1ul << 28 ? -1 : class;
}

// Bits of the type of an instruction's operation, the last one in its name; 0: none. *is_float: whether a type in it is a
// floating-point one.
static unsigned op_type(const struct statement *s, bool *is_float)
{
    unsigned bits = 0;
    *is_float = false;
    for (const char *p = s->op, *end = s->op + s->op_size; p < end; p++) {
        if (*p != '.')
            continue;
        const char *type = p + 1, *digits = type;
        while (digits < end && isalpha((unsigned char)*digits))
            digits++;
        size_t n = (size_t)(digits - type);
        static const char *const floats[] = {"f", "bf", "tf"}, *const others[] = {"b", "u", "s"};
        if (digits == end || !isdigit((unsigned char)*digits))
            continue;
        if (str_is_any(type, n, floats, 3))
            *is_float = true;
        else if (!str_is_any(type, n, others, 3))
            continue;
        bits = (unsigned)strtoul(digits, NULL, 10);
    }
    return bits;
}

static void registers_add(struct registers *r, const struct statement *s)
{
    bool is_float, vector = *s->operands == '{';
    op_type(s, &is_float);
    if (!is_float)
        return;
    const char *p = s->operands + vector;
    for (;;) { // all of a vector
        unsigned long number;
        const char *end;
        p = skip_blank(p);
        int class = register_read(p, &number, &end);
        if (class >= 0) {
            while (r->bits[class].len <= number / 64)
                vec_push(&r->bits[class], 0);
            r->bits[class].data[number / 64] |= (uint64_t)1 << number % 64;
        }
        p += strcspn(p, ",|};");
        if (!vector && *p != '|')
            return;
        if (*p != ',' && *p != '|')
            return;
        p++;
    }
}

static bool registers_have(const struct registers *r, int class, unsigned long number)
{
    return number / 64 < r->bits[class].len && r->bits[class].data[number / 64] >> number % 64 & 1;
}

// The store with moves before it, if it needs any; false: it stays as it is.
static bool store_mend(struct str *out, const struct registers *r, const struct statement *s)
{
    bool is_float;
    unsigned bits = s->op_size > 3 && !strncmp(s->op, "st.", 3) ? op_type(s, &is_float) : 0;
    if (!bits || is_float || bits > 32)
        return false;
    struct str moves = {0}, text = {0};
    const char *done = s->begin, *p = s->operands + strcspn(s->operands, "];");
    unsigned count = 0;
    while (p < s->end) {
        unsigned long number;
        const char *end = p + 1;
        int class = is_word(p[-1]) ? -1 : register_read(p, &number, &end);
        if (class >= 0 && class_bits[class] > bits && registers_have(r, class, number)) {
            str_printf(&moves, ".reg .b%u %%bits%u; mov.b%u %%bits%u, %.*s; ", class_bits[class], count,
                       class_bits[class], count, (int)(end - p), p);
            str_append_n(&text, done, (size_t)(p - done));
            str_printf(&text, "%%bits%u", count++);
            done = end;
        }
        p = end;
    }
    if (count) {
        str_append_n(&text, done, (size_t)(s->end - done));
        str_printf(out, "{ %s%s; }", str_text(&moves), str_text(&text));
    }
    str_free(&moves);
    str_free(&text);
    return count;
}

// Where the next function begins, from p on: its head; the end of the text if there is none.
static const char *function_next(const char *p)
{
    const char *entry = strstr(p, ".entry "), *function = strstr(p, ".func ");
    if (!entry || (function && function < entry))
        entry = function;
    return entry ? entry : p + strlen(p);
}

void front_stores_mend(const char *ptx, struct str *out)
{
    struct registers r = {0};
    struct statement s;
    const char *done = ptx;
    for (const char *p = function_next(ptx); *p;) {
        const char *next = function_next(p + 1);
        for (unsigned i = 0; i < CLASSES; i++)
            r.bits[i].len = 0;
        for (const char *at = p; statement_next(at, &s) && s.begin < next; at = s.end + 1)
            registers_add(&r, &s);
        for (const char *at = p; statement_next(at, &s) && s.begin < next; at = s.end + 1) {
            struct str mended = {0};
            if (store_mend(&mended, &r, &s)) {
                str_append_n(out, done, (size_t)(s.begin - done));
                str_append(out, str_text(&mended));
                done = s.end + 1;
            }
            str_free(&mended);
        }
        p = next;
    }
    str_append(out, done);
    for (unsigned i = 0; i < CLASSES; i++)
        vec_free(&r.bits[i]);
}
