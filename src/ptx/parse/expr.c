// SPDX-License-Identifier: Apache-2.0
// Constant expressions: the operators of C over 64-bit integers and doubles, evaluated as they are read. Integer
// arithmetic wraps; division by zero is an error.
#include "ptx/parse/parse.h"
#include <string.h>

double ptx_value_double(const struct ptx_value *v)
{
    double f64;
    float f32;
    uint32_t low = (uint32_t)v->bits;
    switch (v->kind) {
    case PTX_TOKEN_F64:
        memcpy(&f64, &v->bits, sizeof f64);
        return f64;
    case PTX_TOKEN_F32:
        memcpy(&f32, &low, sizeof f32);
        return (double)f32;
    default:
        return v->is_unsigned ? (double)v->bits : (double)(int64_t)v->bits;
    }
}

static void set_double(struct ptx_value *v, double f)
{
    v->kind = PTX_TOKEN_F64;
    v->is_unsigned = false;
    memcpy(&v->bits, &f, sizeof f);
}

static void set_int(struct ptx_value *v, uint64_t bits, bool is_unsigned)
{
    *v = (struct ptx_value){PTX_TOKEN_INT, is_unsigned, bits};
}

static bool is_true(const struct ptx_value *v)
{
    return v->kind == PTX_TOKEN_INT ? v->bits != 0 : ptx_value_double(v) != 0;
}

// Binding strength of a binary operator; 0: none.
static int precedence(const struct ptx_token *t)
{
    if (t->kind != PTX_TOKEN_PUNCT)
        return 0;
    switch (t->value) {
    case PTX_PUNCT2('|', '|'):
        return 1;
    case PTX_PUNCT2('&', '&'):
        return 2;
    case '|':
        return 3;
    case '^':
        return 4;
    case '&':
        return 5;
    case PTX_PUNCT2('=', '='):
    case PTX_PUNCT2('!', '='):
        return 6;
    case '<':
    case '>':
    case PTX_PUNCT2('<', '='):
    case PTX_PUNCT2('>', '='):
        return 7;
    case PTX_PUNCT2('<', '<'):
    case PTX_PUNCT2('>', '>'):
        return 8;
    case '+':
    case '-':
        return 9;
    case '*':
    case '/':
    case '%':
        return 10;
    default:
        return 0;
    }
}

static bool apply_float(struct ptx_parser *p, const struct ptx_token *op, struct ptx_value *a,
                        const struct ptx_value *b)
{
    double x = ptx_value_double(a), y = ptx_value_double(b);
    switch (op->value) {
    case '+':
        set_double(a, x + y);
        return true;
    case '-':
        set_double(a, x - y);
        return true;
    case '*':
        set_double(a, x * y);
        return true;
    case '/':
        set_double(a, x / y);
        return true;
    case '<':
        set_int(a, x < y, false);
        return true;
    case '>':
        set_int(a, x > y, false);
        return true;
    case PTX_PUNCT2('<', '='):
        set_int(a, x <= y, false);
        return true;
    case PTX_PUNCT2('>', '='):
        set_int(a, x >= y, false);
        return true;
    case PTX_PUNCT2('=', '='):
        set_int(a, x == y, false);
        return true;
    case PTX_PUNCT2('!', '='):
        set_int(a, x != y, false);
        return true;
    default:
        return ptx_parse_error(p, op->loc, "operator '%.*s' does not take floating-point constants", (int)op->len,
                               op->text);
    }
}

static bool apply_divide(struct ptx_parser *p, const struct ptx_token *op, struct ptx_value *a, uint64_t y, bool u)
{
    uint64_t x = a->bits;
    bool rem = op->value == '%';
    if (!y)
        return ptx_parse_error(p, op->loc, "division by zero in a constant");
    if (u)
        set_int(a, rem ? x % y : x / y, true);
    else if ((int64_t)y == -1)
        set_int(a, rem ? 0 : 0 - x, false);
    else
        set_int(a, (uint64_t)(rem ? (int64_t)x % (int64_t)y : (int64_t)x / (int64_t)y), false);
    return true;
}

static bool apply_int(struct ptx_parser *p, const struct ptx_token *op, struct ptx_value *a, const struct ptx_value *b)
{
    uint64_t x = a->bits, y = b->bits;
    bool u = a->is_unsigned || b->is_unsigned;
    switch (op->value) {
    case '+':
        set_int(a, x + y, u);
        return true;
    case '-':
        set_int(a, x - y, u);
        return true;
    case '*':
        set_int(a, x * y, u);
        return true;
    case '/':
    case '%':
        return apply_divide(p, op, a, y, u);
    case '&':
        set_int(a, x & y, u);
        return true;
    case '|':
        set_int(a, x | y, u);
        return true;
    case '^':
        set_int(a, x ^ y, u);
        return true;
    case '<':
        set_int(a, u ? x < y : (int64_t)x < (int64_t)y, false);
        return true;
    case '>':
        set_int(a, u ? x > y : (int64_t)x > (int64_t)y, false);
        return true;
    case PTX_PUNCT2('<', '='):
        set_int(a, u ? x <= y : (int64_t)x <= (int64_t)y, false);
        return true;
    case PTX_PUNCT2('>', '='):
        set_int(a, u ? x >= y : (int64_t)x >= (int64_t)y, false);
        return true;
    case PTX_PUNCT2('=', '='):
        set_int(a, x == y, false);
        return true;
    case PTX_PUNCT2('!', '='):
        set_int(a, x != y, false);
        return true;
    case PTX_PUNCT2('<', '<'):
        set_int(a, y < 64 ? x << y : 0, a->is_unsigned);
        return true;
    default: // >>
        if (a->is_unsigned)
            set_int(a, y < 64 ? x >> y : 0, true);
        else
            set_int(a, (uint64_t)((int64_t)x >> (y < 64 ? y : 63)), false);
        return true;
    }
}

static bool apply(struct ptx_parser *p, const struct ptx_token *op, struct ptx_value *a, const struct ptx_value *b)
{
    if (op->value == PTX_PUNCT2('&', '&')) {
        set_int(a, is_true(a) && is_true(b), false);
        return true;
    }
    if (op->value == PTX_PUNCT2('|', '|')) {
        set_int(a, is_true(a) || is_true(b), false);
        return true;
    }
    if (a->kind != PTX_TOKEN_INT || b->kind != PTX_TOKEN_INT)
        return apply_float(p, op, a, b);
    return apply_int(p, op, a, b);
}

static bool parse_binary(struct ptx_parser *p, int lowest, struct ptx_value *v);
static bool parse_unary(struct ptx_parser *p, struct ptx_value *v);

// (.s64) e, (.u64) e, or ( e )
static bool parse_paren(struct ptx_parser *p, struct ptx_value *v)
{
    if (!ptx_advance(p))
        return false;
    bool is_signed = ptx_is_dot(&p->t, "s64");
    if (is_signed || ptx_is_dot(&p->t, "u64")) {
        if (!ptx_advance(p) || !ptx_expect(p, ')') || !parse_unary(p, v))
            return false;
        if (v->kind != PTX_TOKEN_INT)
            return ptx_parse_error(p, p->t.loc, "a floating-point constant cannot be cast");
        v->is_unsigned = !is_signed;
        return true;
    }
    return ptx_expr_parse(p, v) && ptx_expect(p, ')');
}

static void negate(struct ptx_value *v)
{
    if (v->kind == PTX_TOKEN_F32)
        v->bits ^= 1ull << 31;
    else if (v->kind == PTX_TOKEN_F64)
        v->bits ^= 1ull << 63;
    else
        v->bits = 0 - v->bits;
}

static bool parse_operator(struct ptx_parser *p, struct ptx_value *v)
{
    struct ptx_token op = p->t;
    if (!ptx_advance(p) || !parse_unary(p, v))
        return false;
    switch (op.value) {
    case '-':
        negate(v);
        return true;
    case '!':
        set_int(v, !is_true(v), false);
        return true;
    case '~':
        if (v->kind != PTX_TOKEN_INT)
            return ptx_parse_error(p, op.loc, "operator '~' does not take floating-point constants");
        v->bits = ~v->bits;
        v->is_unsigned = true;
        return true;
    default:
        return true;
    }
}

static bool parse_unary(struct ptx_parser *p, struct ptx_value *v)
{
    if (p->depth >= PTX_MAX_DEPTH)
        return ptx_parse_error(p, p->t.loc, "expression nested too deeply");
    p->depth++;
    bool ok;
    if (p->t.kind == PTX_TOKEN_DOT && *p->t.text >= '0' && *p->t.text <= '9' && !p->has_next &&
        !ptx_lexer_fraction(&p->lex, &p->t))
        return false;
    if (p->t.kind == PTX_TOKEN_INT || p->t.kind == PTX_TOKEN_F32 || p->t.kind == PTX_TOKEN_F64) {
        *v = (struct ptx_value){p->t.kind, p->t.is_unsigned, p->t.value};
        ok = ptx_advance(p);
    } else if (ptx_is_word(&p->t, "WARP_SZ")) {
        set_int(v, 32, false);
        ok = ptx_advance(p);
    } else if (ptx_is_punct(&p->t, '(')) {
        ok = parse_paren(p, v);
    } else if (ptx_is_punct(&p->t, '-') || ptx_is_punct(&p->t, '+') || ptx_is_punct(&p->t, '!') ||
               ptx_is_punct(&p->t, '~')) {
        ok = parse_operator(p, v);
    } else {
        ok = ptx_parse_error(p, p->t.loc, "a constant is expected");
    }
    p->depth--;
    return ok;
}

static bool parse_binary(struct ptx_parser *p, int lowest, struct ptx_value *v)
{
    if (!parse_unary(p, v))
        return false;
    for (;;) {
        struct ptx_token op = p->t;
        int strength = precedence(&op);
        if (!strength || strength < lowest)
            return true;
        struct ptx_value b;
        if (!ptx_advance(p) || !parse_binary(p, strength + 1, &b) || !apply(p, &op, v, &b))
            return false;
    }
}

bool ptx_expr_parse(struct ptx_parser *p, struct ptx_value *v)
{
    if (p->depth >= PTX_MAX_DEPTH)
        return ptx_parse_error(p, p->t.loc, "expression nested too deeply");
    p->depth++;
    bool ok = parse_binary(p, 1, v);
    if (ok && ptx_is_punct(&p->t, '?')) {
        struct ptx_value yes, no;
        ok = ptx_advance(p) && ptx_expr_parse(p, &yes) && ptx_expect(p, ':') && ptx_expr_parse(p, &no);
        if (ok)
            *v = is_true(v) ? yes : no;
    }
    p->depth--;
    return ok;
}

bool ptx_expr_parse_uint(struct ptx_parser *p, uint64_t limit, const char *what, uint64_t *out)
{
    struct ptx_loc at = p->t.loc;
    struct ptx_value v;
    if (!ptx_expr_parse(p, &v))
        return false;
    if (v.kind != PTX_TOKEN_INT || (!v.is_unsigned && (int64_t)v.bits < 0) || v.bits > limit)
        return ptx_parse_error(p, at, "%s is out of range", what);
    *out = v.bits;
    return true;
}
