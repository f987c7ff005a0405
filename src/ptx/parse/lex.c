// SPDX-License-Identifier: Apache-2.0
// The lexer: one pass over the text, which needs no terminator and may hold any bytes.
#include "ptx/parse/lex.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

void ptx_lexer_init(struct ptx_lexer *x, const char *text, size_t size, struct diag *d)
{
    *x = (struct ptx_lexer){.p = text, .end = text + size, .line_start = text, .line = 1, .d = d, .text = text};
}

// Character classes: names may go on with letters, digits, _ and $; they begin with those save digits, or with %.
enum { C_NAME = 1, C_FIRST = 2, C_DIGIT = 4, C_HEX = 8, C_SPACE = 16 };
static const uint8_t classes[256] = {
    [' '] = C_SPACE,
    ['\t'] = C_SPACE,
    ['\r'] = C_SPACE,
    ['\f'] = C_SPACE,
    ['\v'] = C_SPACE,
    ['0' ... '9'] = C_NAME | C_DIGIT | C_HEX,
    ['a' ... 'f'] = C_NAME | C_FIRST | C_HEX,
    ['A' ... 'F'] = C_NAME | C_FIRST | C_HEX,
    ['g' ... 'z'] = C_NAME | C_FIRST,
    ['G' ... 'Z'] = C_NAME | C_FIRST,
    ['_'] = C_NAME | C_FIRST,
    ['$'] = C_NAME | C_FIRST,
    ['%'] = C_FIRST,
};

static bool is(char c, int class)
{
    return (classes[(uint8_t)c] & class) != 0;
}

static struct ptx_loc here(const struct ptx_lexer *x)
{
    return (struct ptx_loc){x->line, (uint32_t)(x->p - x->line_start) + 1};
}

static bool fail(struct ptx_lexer *x, struct ptx_loc at, const char *message)
{
    return diag_error(x->d, at.line, at.column, "%s", message);
}

static void newline(struct ptx_lexer *x)
{
    x->p++;
    x->line++;
    x->line_start = x->p;
}

static void line_skip(struct ptx_lexer *x)
{
    const char *nl = memchr(x->p, '\n', (size_t)(x->end - x->p));
    x->p = nl ? nl : x->end;
}

// Blanks, comments, and lines that a preprocessor left (# ...).
static bool blanks_skip(struct ptx_lexer *x)
{
    while (x->p < x->end) {
        char c = *x->p;
        if (c == '\n') {
            newline(x);
        } else if (is(c, C_SPACE)) {
            x->p++;
        } else if (c == '#') {
            line_skip(x);
        } else if (c == '/' && x->p + 1 < x->end && x->p[1] == '/') {
            line_skip(x);
        } else if (c == '/' && x->p + 1 < x->end && x->p[1] == '*') {
            struct ptx_loc at = here(x);
            x->p += 2;
            while (x->p < x->end && !(*x->p == '*' && x->p + 1 < x->end && x->p[1] == '/')) {
                if (*x->p == '\n')
                    newline(x);
                else
                    x->p++;
            }
            if (x->p >= x->end)
                return fail(x, at, "comment without end");
            x->p += 2;
        } else if (c == 0 && x->end - x->p == 1) {
            x->p++; // the terminator of a C string, counted in
        } else {
            break;
        }
    }
    return true;
}

// What is known of a text came from the same text; a note that does not fit is not believed, and none leads out of the text.
static bool body_pass(struct ptx_lexer *x)
{
    const struct ptx_body *b = x->known && x->passed < x->known->len ? &x->known->data[x->passed] : NULL;
    size_t size = (size_t)(x->end - x->text);
    if (!b || x->text + b->from != x->p || b->to < b->from || b->to > size || b->line_start > b->to)
        return false;
    x->passed++;
    x->p = x->text + b->to;
    x->line += b->lines;
    if (b->lines)
        x->line_start = x->text + b->line_start;
    x->after_value = false;
    return true;
}

bool ptx_lexer_skip(struct ptx_lexer *x)
{
    if (body_pass(x))
        return true;
    struct ptx_body body = {.from = (uint32_t)(x->p - x->text), .lines = x->line};
    static const uint8_t stops[256] = {['{'] = 1, ['}'] = 1, ['"'] = 1, ['/'] = 1, ['#'] = 1, ['\n'] = 1};
    struct ptx_loc at = here(x);
    unsigned open = 1;
    while (open && x->p < x->end) {
        char c = *x->p;
        if (!stops[(uint8_t)c]) {
            x->p++;
        } else if (c == '{' || c == '}') {
            open += c == '{' ? 1u : -1u;
            x->p++;
        } else if (c == '"') {
            const char *q = memchr(x->p + 1, '"', (size_t)(x->end - x->p - 1));
            x->p = q ? q + 1 : x->end;
        } else if (c == '/' && !(x->p + 1 < x->end && (x->p[1] == '/' || x->p[1] == '*'))) {
            x->p++; // divides
        } else if (!blanks_skip(x)) {
            return false;
        }
    }
    x->after_value = false;
    body.to = (uint32_t)(x->p - x->text);
    body.lines = x->line - body.lines;
    body.line_start = (uint32_t)(x->line_start - x->text);
    if (x->noted)
        vec_push(x->noted, body);
    return !open || fail(x, at, "'}' is expected before the end of the text");
}

static size_t name_length(const char *p, const char *end)
{
    const char *q = p;
    while (q < end && is(*q, C_NAME))
        q++;
    return (size_t)(q - p);
}

// .word, and .word::word
static bool dot_word(struct ptx_lexer *x, struct ptx_token *t)
{
    const char *p = x->p + 1;
    size_t n = name_length(p, x->end);
    while (n && p + n + 2 < x->end && p[n] == ':' && p[n + 1] == ':' && is(p[n + 2], C_NAME))
        n += 2 + name_length(p + n + 2, x->end);
    if (!n)
        return fail(x, t->loc, "a word is expected after '.'");
    t->kind = PTX_TOKEN_DOT;
    t->text = p;
    t->len = (uint32_t)n;
    x->p = p + n;
    return true;
}

static bool float_bits(struct ptx_lexer *x, struct ptx_token *t, enum ptx_token_kind kind, unsigned digits)
{
    const char *p = x->p + 2;
    uint64_t v = 0;
    unsigned n = 0;
    for (; p < x->end && is(*p, C_HEX); p++, n++)
        v = v << 4 | (uint64_t)(*p <= '9' ? *p - '0' : (*p | 32) - 'a' + 10);
    if (n != digits)
        return fail(x, t->loc, digits == 8 ? "0f needs 8 hexadecimal digits" : "0d needs 16 hexadecimal digits");
    t->kind = kind;
    t->value = v;
    x->p = p;
    return true;
}

static bool decimal_float(struct ptx_lexer *x, struct ptx_token *t)
{
    const char *p = x->p;
    while (p < x->end && is(*p, C_DIGIT))
        p++;
    if (p < x->end && *p == '.')
        p++;
    while (p < x->end && is(*p, C_DIGIT))
        p++;
    if (p < x->end && (*p | 32) == 'e') {
        const char *q = p + 1;
        if (q < x->end && (*q == '+' || *q == '-'))
            q++;
        if (q < x->end && is(*q, C_DIGIT)) {
            p = q;
            while (p < x->end && is(*p, C_DIGIT))
                p++;
        }
    }
    char buf[128];
    size_t n = (size_t)(p - x->p);
    if (n >= sizeof buf)
        return fail(x, t->loc, "number too long");
    memcpy(buf, x->p, n);
    buf[n] = 0;
    double v = strtod(buf, NULL);
    memcpy(&t->value, &v, sizeof v);
    t->kind = PTX_TOKEN_F64;
    x->p = p;
    return true;
}

// Where a decimal number goes on as a float: a point or an exponent after its digits.
static bool is_float(const char *p, const char *end)
{
    while (p < end && is(*p, C_DIGIT))
        p++;
    if (p >= end)
        return false;
    if (*p == '.')
        return p + 1 >= end || is(p[1], C_DIGIT) || !is(p[1], C_NAME) || (p[1] | 32) == 'e';
    if ((*p | 32) != 'e' || p + 1 >= end)
        return false;
    p += p[1] == '+' || p[1] == '-' ? 2 : 1;
    return p < end && is(*p, C_DIGIT);
}

// .5, where a constant stands and no word of an instruction: the dot was taken for that of a word.
bool ptx_lexer_fraction(struct ptx_lexer *x, struct ptx_token *t)
{
    const char *dot = t->text - 1;
    x->p = dot;
    if (!decimal_float(x, t))
        return false;
    t->text = dot;
    t->len = (uint32_t)(x->p - dot);
    x->after_value = true;
    return true;
}

static bool number(struct ptx_lexer *x, struct ptx_token *t)
{
    const char *p = x->p, *end = x->end;
    char second = p + 1 < end ? (char)(p[1] | 32) : 0;
    if (*p == '0' && second == 'f')
        return float_bits(x, t, PTX_TOKEN_F32, 8);
    if (*p == '0' && second == 'd')
        return float_bits(x, t, PTX_TOKEN_F64, 16);
    unsigned base = 10;
    if (*p == '0' && second == 'x') {
        base = 16;
        p += 2;
    } else if (*p == '0' && second == 'b') {
        base = 2;
        p += 2;
    } else if (is_float(p, end)) {
        return decimal_float(x, t);
    } else if (*p == '0') {
        base = 8;
    }
    uint64_t v = 0;
    const char *first = p;
    for (; p < end && is(*p, C_HEX); p++) {
        unsigned digit = (unsigned)(*p <= '9' ? *p - '0' : (*p | 32) - 'a' + 10);
        if (digit >= base)
            break;
        if (__builtin_mul_overflow(v, (uint64_t)base, &v) || __builtin_add_overflow(v, (uint64_t)digit, &v))
            return fail(x, t->loc, "integer does not fit 64 bits");
    }
    if (p == first)
        return fail(x, t->loc, "digits are missing");
    t->is_unsigned = v >> 63;
    if (p < end && (*p | 32) == 'u') {
        t->is_unsigned = true;
        p++;
    }
    if (p < end && is(*p, C_NAME))
        return fail(x, t->loc, "bad digit in number");
    t->kind = PTX_TOKEN_INT;
    t->value = v;
    x->p = p;
    return true;
}

static bool string(struct ptx_lexer *x, struct ptx_token *t)
{
    const char *p = x->p + 1;
    while (p < x->end && *p != '"' && *p != '\n')
        p += *p == '\\' && p + 1 < x->end && p[1] != '\n' ? 2 : 1;
    if (p >= x->end || *p != '"')
        return fail(x, t->loc, "string without end");
    t->kind = PTX_TOKEN_STRING;
    t->text = x->p + 1;
    t->len = (uint32_t)(p - t->text);
    x->p = p + 1;
    return true;
}

static bool punctuation(struct ptx_lexer *x, struct ptx_token *t)
{
    static const char singles[] = "{}[]()<>,;:=+-*/%!~&|^?@";
    static const char pairs[][3] = {"<<", ">>", "<=", ">=", "==", "!=", "&&", "||"};
    t->kind = PTX_TOKEN_PUNCT;
    for (size_t i = 0; x->p + 1 < x->end && i < sizeof pairs / sizeof *pairs; i++)
        if (x->p[0] == pairs[i][0] && x->p[1] == pairs[i][1]) {
            t->value = PTX_PUNCT2(x->p[0], x->p[1]);
            x->p += 2;
            return true;
        }
    if (!*x->p || !strchr(singles, *x->p)) {
        if (isprint((unsigned char)*x->p))
            return diag_error(x->d, t->loc.line, t->loc.column, "unexpected character '%c'", *x->p);
        return diag_error(x->d, t->loc.line, t->loc.column, "unexpected byte 0x%02x", (uint8_t)*x->p);
    }
    t->value = (uint8_t)*x->p++;
    return true;
}

static bool name_begins(const struct ptx_lexer *x)
{
    if (*x->p != '%')
        return is(*x->p, C_FIRST);
    return !x->after_value && x->p + 1 < x->end && is(x->p[1], C_NAME);
}

static bool next(struct ptx_lexer *x, struct ptx_token *t)
{
    if (!blanks_skip(x))
        return false;
    *t = (struct ptx_token){.kind = PTX_TOKEN_END, .text = x->p, .loc = here(x)};
    if (x->p >= x->end)
        return true;
    char c = *x->p;
    if (is(c, C_DIGIT)) {
        if (!number(x, t))
            return false;
        t->len = (uint32_t)(x->p - t->text);
        return true;
    }
    if (name_begins(x)) {
        t->kind = PTX_TOKEN_IDENT;
        t->len = (uint32_t)(1 + name_length(x->p + 1, x->end));
        x->p += t->len;
        return true;
    }
    if (c == '.')
        return dot_word(x, t);
    if (c == '"')
        return string(x, t);
    if (!punctuation(x, t))
        return false;
    t->len = (uint32_t)(x->p - t->text);
    return true;
}

bool ptx_lexer_next(struct ptx_lexer *x, struct ptx_token *t)
{
    if (!next(x, t))
        return false;
    x->after_value = t->kind == PTX_TOKEN_INT || t->kind == PTX_TOKEN_F32 || t->kind == PTX_TOKEN_F64 ||
                     (t->kind == PTX_TOKEN_PUNCT && t->value == ')') ||
                     (t->kind == PTX_TOKEN_IDENT && t->text[0] == 'W');
    return true;
}
