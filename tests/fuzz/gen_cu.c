// SPDX-License-Identifier: Apache-2.0
// Random CUDA kernels over cu_runtime.h, which says what keeps their results free of the schedule.
//
// A statement stands in one of three places. LANE: whatever threads come. WARP: the threads of a mask that is at hand
// in a variable (m0, m1, ...), so collectives may stand there. BLOCK: all threads of the block that have not left, so
// barriers may. A divergent branch or loop in a WARP place takes a ballot of its condition first, which is the mask
// within. A thread that leaves in a BLOCK place is taken out of m0; one that leaves in a LANE place makes the masks
// untrue, so no collective comes after it.
//
// C++ leaves the order of operands open, so a call within an expression must not store to what its neighbours read: a
// function that stores through its pointer is called by a statement alone. A NaN's sign and payload are open too, so a
// float that goes to memory where integers read its bits is made canonical.
#include "gen.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum type { I8, U8, I16, U16, I32, U32, I64, U64, I128, U128, F32, F64, TYPES };
static const char *const type_name[TYPES] = {"i8",  "u8",  "i16",  "u16",  "i32", "u32",
                                             "i64", "u64", "i128", "u128", "f32", "f64"};
enum place { LANE, WARP, BLOCK };
enum { VARS_MAX = 64, FIELDS_MAX = 6, FUNCTIONS_MAX = 4, PARAMETERS_MAX = 3 };

struct function {
    enum type result, parameter[PARAMETERS_MAX];
    unsigned parameters;
    bool warp, record; // has a mask for its first argument; a record for its last one
    bool stores;       // through q
};

struct cu {
    struct gen *g;
    struct str *s;
    unsigned number;         // of the kernel in its file
    enum type var[VARS_MAX]; // v0, v1, ...: what the function under way declares
    unsigned vars, loops_declared, labels;
    enum type field[FIELDS_MAX];
    unsigned fields;
    struct function function[FUNCTIONS_MAX];
    unsigned functions, in_function; // FUNCTIONS_MAX: the kernel itself
    unsigned block[3], threads;
    unsigned loop_depth, depth, mask, masks, tracked_loops;
    bool wide, floats, exits, named, untracked, irregular_only, large, records, memory;
    int budget;
};

static unsigned below(struct cu *c, unsigned n)
{
    return gen_below(c->g, n);
}
static bool chance(struct cu *c, unsigned percent)
{
    return gen_chance(c->g, percent);
}
static void put(struct cu *c, const char *text)
{
    str_append(c->s, text);
}
#define putf(c, ...) str_printf((c)->s, __VA_ARGS__)

static enum type any_type(struct cu *c)
{
    for (;;) {
        enum type t = below(c, TYPES);
        if (chance(c, 35))
            t = U32;
        if ((t == I128 || t == U128) && !c->wide)
            continue;
        if ((t == F32 || t == F64) && !c->floats)
            continue;
        return t;
    }
}
static bool is_float(enum type t)
{
    return t == F32 || t == F64;
}

static void expr(struct cu *c, enum type t, unsigned depth);
static void cond(struct cu *c, unsigned depth);
static void list(struct cu *c, enum place place, unsigned n);

static void constant(struct cu *c, enum type t)
{
    static const char *const reals[] = {"0.0",  "1.0",  "-1.0",  "0.5",   "3.25",      "-0.0",
                                        "1e-3", "1e30", "-7.75", "1e-40", "16777217.0"};
    static const unsigned long long whole[] = {0,
                                               1,
                                               2,
                                               3,
                                               5,
                                               7,
                                               8,
                                               15,
                                               31,
                                               32,
                                               63,
                                               127,
                                               128,
                                               255,
                                               256,
                                               32767,
                                               32768,
                                               65535,
                                               65536,
                                               2147483647,
                                               2147483648,
                                               4294967295,
                                               0x7fffffffffffffff,
                                               0x8000000000000000,
                                               0xffffffffffffffff};
    if (is_float(t))
        putf(c, "((%s)%s)", type_name[t], reals[below(c, sizeof reals / sizeof *reals)]);
    else if (chance(c, 70))
        putf(c, "((%s)%lluull)", type_name[t], whole[below(c, sizeof whole / sizeof *whole)]);
    else
        putf(c, "((%s)%lluull)", type_name[t], (unsigned long long)gen_next(c->g) >> below(c, 60));
}

static void builtin(struct cu *c)
{
    static const char *const names[] = {"tx",  "ty",   "tz",   "l",   "lane", "gid", "bx",
                                        "wid", "A.p0", "A.p1", "ntx", "ty",   "tx",  "tx + ty"};
    put(c, names[below(c, sizeof names / sizeof *names)]);
}

// Whether what is generated now may store through q.
static bool may_store(const struct cu *c)
{
    return c->in_function == FUNCTIONS_MAX || c->function[c->in_function].stores;
}

// A place in memory that belongs to the thread: a field, a local array, or what the pointer q names. `bits` is set where
// integers read the bits of a float.
static enum type memory(struct cu *c, bool store, bool *bits)
{
    static const struct {
        const char *name;
        enum type t;
        unsigned mask;
    } part[] = {{"b", U8, 63}, {"h", U16, 31}, {"w", U32, 15}, {"d", U64, 7}, {"f", F32, 15}};
    unsigned k = c->records ? below(c, 10) : 4 + below(c, 6);
    *bits = k >= 4;
    if (k < 3) {
        unsigned f = below(c, c->fields);
        if (chance(c, 50)) {
            putf(c, "s0.f%u", f);
        } else {
            put(c, "sl[");
            expr(c, U32, 1);
            putf(c, " & 3].f%u", f);
        }
        return c->field[f];
    }
    if (k < 4) {
        put(c, "s0.a[(u32)(");
        expr(c, U32, 1);
        put(c, ") % 3u]");
        return U16;
    }
    unsigned p = below(c, c->floats ? 5 : 4);
    putf(c, "%s%s[", k < 7 || (store && !may_store(c)) ? "la." : "q->", part[p].name);
    if (chance(c, 30))
        putf(c, "%u", below(c, part[p].mask + 1));
    else
        expr(c, U32, 1);
    putf(c, " & %u]", part[p].mask);
    return part[p].t;
}

// Reads as type t.
static void leaf(struct cu *c, enum type t)
{
    unsigned k = below(c, 10);
    if (k < 4 && c->vars) {
        unsigned v = below(c, c->vars);
        for (unsigned i = 0; i < 4 && c->var[v] != t; i++)
            v = below(c, c->vars);
        if (c->var[v] == t)
            putf(c, "v%u", v);
        else
            putf(c, "CV<%s>(v%u)", type_name[t], v);
    } else if (k < 6) {
        putf(c, "CV<%s>((u32)(", type_name[t]);
        builtin(c);
        put(c, "))");
    } else if (k < 7) {
        constant(c, t);
    } else if (k < 8) {
        static const char *const form[] = {"CV<%s>(A.in[(%s%u) & 1023u])", "CV<%s>(((const u8 *)A.in)[(%s%u) & 4095u])",
                                           "CV<%s>(((const uint4 *)A.in)[(%s%u) & 255u].y)",
                                           "CV<%s>(((const u64 *)A.in)[(%s%u) & 511u])"};
        static const char *const index[] = {"gid + ", "l * 3u + ", "tx + ", "ty * 4u + ", "A.p0 + ", "1023u - gid + "};
        char text[64];
        unsigned f = below(c, 8);
        strcpy(text, form[f < 4 ? f : 0]);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        str_printf(c->s, text, type_name[t], index[below(c, 6)], below(c, 64));
#pragma GCC diagnostic pop
    } else if (c->memory) {
        bool bits;
        putf(c, "CV<%s>(", type_name[t]);
        memory(c, false, &bits);
        put(c, ")");
    } else {
        constant(c, t);
    }
}

static void two(struct cu *c, const char *op, enum type t, unsigned depth)
{
    putf(c, "%s<%s>(", op, type_name[t]);
    expr(c, t, depth);
    put(c, ", ");
    expr(c, t, depth);
    put(c, ")");
}

static void call(struct cu *c, unsigned f, unsigned depth)
{
    const struct function *fn = &c->function[f];
    putf(c, "k%u_f%u(A, q", c->number, f);
    if (fn->warp)
        putf(c, ", m%u", c->mask);
    for (unsigned i = 0; i < fn->parameters; i++) {
        put(c, ", ");
        expr(c, fn->parameter[i], depth);
    }
    if (fn->record)
        putf(c, ", %s", chance(c, 50) ? "s0" : "sl[l & 3]");
    put(c, ")");
}

static void float_expr(struct cu *c, enum type t, unsigned depth)
{
    static const char *const binary[] = {"+", "-", "*", "/"};
    const char *suffix = t == F32 ? "f" : "";
    switch (below(c, 9)) {
    case 0:
    case 1:
    case 2:
    case 3:
        put(c, "(");
        expr(c, t, depth);
        putf(c, " %s ", binary[below(c, 4)]);
        expr(c, t, depth);
        put(c, ")");
        return;
    case 4: {
        static const char *const unary[] = {"sqrt", "fabs", "floor", "ceil", "trunc", "rint"};
        putf(c, "%s%s(", unary[below(c, 6)], suffix);
        expr(c, t, depth);
        put(c, ")");
        return;
    }
    case 5:
        putf(c, "fma%s(", suffix);
        expr(c, t, depth);
        put(c, ", ");
        expr(c, t, depth);
        put(c, ", ");
        expr(c, t, depth);
        put(c, ")");
        return;
    case 6:
        two(c, chance(c, 50) ? "MIN" : "MAX", t, depth);
        return;
    case 7:
        put(c, "(-");
        expr(c, t, depth);
        put(c, ")");
        return;
    default: {
        enum type from = any_type(c);
        putf(c, "CV<%s>(", type_name[t]);
        expr(c, from, depth);
        put(c, ")");
    }
    }
}

static void intrinsic(struct cu *c, enum type t, unsigned depth)
{
    static const struct {
        const char *name;
        const char *types;
    } list[] = {{"I_popc", "w"},   {"I_popcll", "d"},   {"I_clz", "w"},     {"I_clzll", "d"},  {"I_ffs", "w"},
                {"I_brev", "w"},   {"I_brevll", "d"},   {"I_umulhi", "ww"}, {"I_mulhi", "ii"}, {"I_umul64hi", "dd"},
                {"I_perm", "www"}, {"I_funnel", "www"}, {"I_sad", "iiw"}};
    unsigned k = below(c, sizeof list / sizeof *list);
    putf(c, "CV<%s>(%s(", type_name[t], list[k].name);
    for (const char *p = list[k].types; *p; p++) {
        expr(c, *p == 'w' ? U32 : *p == 'd' ? U64 : I32, depth);
        put(c, p[1] ? ", " : "))");
    }
}

// A division that only the guard makes safe.
static void guarded(struct cu *c, enum type t, unsigned depth)
{
    static const char *const divisor[] = {"ty",          "(ty & 3u)",      "(tx + ty)",     "tz",         "lane",
                                          "CV<u32>(v0)", "A.in[ty & 15u]", "A.in[l & 63u]", "(A.p0 & 1u)"};
    const char *d = divisor[below(c, 9)];
    if (!c->vars)
        d = divisor[below(c, 3)];
    putf(c, "(%s != 0 ? CV<%s>((u32)(", d, type_name[t]);
    expr(c, U32, depth);
    putf(c, ") %s %s) : ", chance(c, 50) ? "/" : "%", d);
    expr(c, t, depth);
    put(c, ")");
}

static void int_expr(struct cu *c, enum type t, unsigned depth)
{
    static const char *const wrapped[] = {"ADD", "SUB", "MUL", "ADD", "SUB", "MUL", "DIV", "REM", "MIN", "MAX"};
    static const char *const logic[] = {"&", "|", "^"};
    unsigned k = below(c, 20);
    if (k < 8) {
        two(c, wrapped[below(c, (t == I128 || t == U128) && !chance(c, 10) ? 6 : 10)], t, depth);
    } else if (k < 10) {
        putf(c, "%s<%s>(", chance(c, 50) ? "SHL" : "SHR", type_name[t]);
        expr(c, t, depth);
        put(c, ", ");
        expr(c, U32, depth ? depth - 1 : 0);
        put(c, ")");
    } else if (k < 12) {
        putf(c, "((%s)(", type_name[t]);
        expr(c, t, depth);
        putf(c, " %s ", logic[below(c, 3)]);
        expr(c, t, depth);
        put(c, "))");
    } else if (k < 13) {
        putf(c, chance(c, 50) ? "((%s)~" : "NEG<%s>(", type_name[t]);
        expr(c, t, depth);
        put(c, ")");
    } else if (k < 15) {
        intrinsic(c, t, depth);
    } else if (k < 16) {
        guarded(c, t, depth);
    } else if (k < 17) {
        putf(c, "((%s)", type_name[t]);
        cond(c, depth);
        put(c, ")");
    } else if (k < 18 && c->floats) {
        putf(c, "((%s)bits(", type_name[t]);
        expr(c, chance(c, 50) ? F32 : F64, depth);
        put(c, "))");
    } else {
        enum type from = any_type(c);
        putf(c, "CV<%s>(", type_name[t]);
        expr(c, from, depth);
        put(c, ")");
    }
}

static void expr(struct cu *c, enum type t, unsigned depth)
{
    struct gen_unit u = gen_open(c->g);
    if (!depth || chance(c, 20)) {
        leaf(c, t);
    } else if (chance(c, 12)) {
        put(c, "(");
        cond(c, depth - 1);
        put(c, " ? ");
        expr(c, t, depth - 1);
        put(c, " : ");
        expr(c, t, depth - 1);
        put(c, ")");
    } else if (c->functions && c->loop_depth < 2 && chance(c, 8)) {
        unsigned f = below(c, c->functions);
        if (f < c->in_function && !c->function[f].warp && !c->function[f].stores) {
            putf(c, "CV<%s>(", type_name[t]);
            call(c, f, depth - 1);
            put(c, ")");
        } else {
            leaf(c, t);
        }
    } else if (is_float(t)) {
        float_expr(c, t, depth - 1);
    } else {
        int_expr(c, t, depth - 1);
    }
    char one[16];
    snprintf(one, sizeof one, "(%s)1", type_name[t]);
    gen_close(c->g, u, one);
}

static void cond(struct cu *c, unsigned depth)
{
    static const char *const compare[] = {"<", "<=", ">", ">=", "==", "!="};
    struct gen_unit u = gen_open(c->g);
    unsigned k = below(c, 10);
    if (k < 4) {
        enum type t = any_type(c);
        put(c, "(");
        expr(c, t, depth);
        putf(c, " %s ", compare[below(c, 6)]);
        expr(c, t, depth);
        put(c, ")");
    } else if (k < 7) {
        put(c, "((");
        expr(c, U32, depth);
        unsigned mask = 1 + below(c, 7), by = below(c, 6);
        putf(c, " & %uu) %s %uu)", mask, compare[by], below(c, 5));
    } else if (k < 8 && depth) {
        put(c, "(");
        cond(c, depth - 1);
        put(c, chance(c, 50) ? " && " : " || ");
        cond(c, depth - 1);
        put(c, ")");
    } else {
        static const char *const simple[] = {"(lane >= %uu)", "(tx < %uu)",          "((l & %uu) != 0)",
                                             "(ty == %uu)",   "((gid & %uu) == 1u)", "((A.p0 & %uu) != 0)"};
        unsigned s = below(c, 6), n = below(c, 33);
        char text[32];
        snprintf(text, sizeof text, "%s", simple[s]);
        char *at = strchr(text, '%');
        str_append_n(c->s, text, (size_t)(at - text));
        putf(c, "%u%s", n, at + 2);
    }
    gen_close(c->g, u, "(l & 1u)");
}

// ------------------------------------------------------------------------------------------------------ statements

static unsigned new_var(struct cu *c, enum type t)
{
    if (c->vars == VARS_MAX)
        return VARS_MAX - 1;
    c->var[c->vars] = t;
    return c->vars++;
}

static void assign(struct cu *c)
{
    unsigned k = below(c, 20);
    if (k < 12 || !c->vars) {
        unsigned v = c->vars && (chance(c, 70) || c->vars > 10) ? below(c, c->vars) : new_var(c, any_type(c));
        putf(c, "v%u = ", v);
        expr(c, c->var[v], c->large ? 3 : 1 + below(c, 2));
    } else if (k < 16 && c->memory) {
        bool bits;
        enum type t = memory(c, true, &bits);
        bool canonical = is_float(t) && bits;
        put(c, canonical ? " = CANON(" : " = ");
        expr(c, t, 2);
        put(c, canonical ? ")" : "");
    } else if (k < 17 && c->memory) {
        static const char *const copies[] = {"*q = la",         "la = *q",       "s0 = sl[l & 3]",
                                             "sl[tx & 3] = s0", "sl[1] = sl[2]", "sl[v0 != 0] = s0"};
        unsigned copy = below(c, !c->records ? 2 : c->vars ? 6 : 5);
        put(c, copies[copy || may_store(c) ? copy : 1]);
    } else if (k < 18 && c->memory && c->in_function == FUNCTIONS_MAX) {
        static const char *const places[] = {"&la", "&A.own[gid]", "&so[l]"};
        put(c, "q = ");
        cond(c, 1);
        unsigned one = below(c, 3);
        putf(c, " ? %s : %s", places[one], places[below(c, 3)]);
    } else {
        static const char *const ops[] = {"+=", "-=", "^=", "|=", "*="};
        unsigned v = below(c, c->vars);
        if (is_float(c->var[v]) || c->var[v] == I32 || c->var[v] == I64 || c->var[v] == I128 || c->var[v] < I32) {
            putf(c, "v%u = ", v);
            expr(c, c->var[v], 2);
        } else {
            putf(c, "v%u %s ", v, ops[below(c, 5)]);
            expr(c, c->var[v], 2);
        }
    }
    put(c, ";\n");
}

static void guarded_statement(struct cu *c)
{
    static const char *const divisor[] = {"ty", "ty & 3u", "tz + ty", "A.in[ty & 31u] & 7u", "tx & 1u", "lane >> 3"};
    unsigned v = new_var(c, U32), d = below(c, 6);
    putf(c, "if ((%s) != 0) v%u = (u32)(", divisor[d], v);
    expr(c, U32, 1);
    putf(c, ") %s (%s);\n", chance(c, 50) ? "/" : "%", divisor[d]);
}

// One commutative operation a cell: 0 add, 1 xor, 2 min, 3 max, 4 or, 5 and, 6 float, 7 signed max, 8 compare and swap, 9 ticket.
static void atomic(struct cu *c)
{
    static const char *const op[] = {"A_add", "A_xor", "A_min", "A_max", "A_or", "A_and", "A_addf", "A_imax", "A_cas"};
    bool shared = c->in_function == FUNCTIONS_MAX && chance(c, 50), far = !shared && chance(c, 30);
    unsigned k = below(c, far ? 6 : 10);
    const char *base = shared ? "sa" : far ? "A.acc64" : "A.acc";
    if (k == 9) {
        putf(c, "A_ticket(&%s[9], &%s[10], 0u);\n", base, base);
        return;
    }
    putf(c, "%s(&%s[", op[k], base);
    if (k == 0 && chance(c, 60)) {
        put(c, "11u + ((");
        expr(c, U32, 1);
        put(c, ") & 3u)");
    } else {
        putf(c, "%u", k);
    }
    put(c, "], ");
    expr(c, far ? U64 : U32, 1);
    put(c, ");\n");
}

static void branch(struct cu *c, enum place place)
{
    // The condition is the same in the whole block, in the whole warp, or anything.
    unsigned kind = place == LANE ? 2 : place == WARP ? 1 + below(c, 2) : below(c, 3);
    if (kind == 2 && place != LANE && chance(c, 70)) {
        unsigned outer = c->mask, m = ++c->masks, other = ++c->masks;
        putf(c, "{ const bool c%u = ", m);
        cond(c, 2);
        putf(c, ";\nconst u32 m%u = W_ballot(m%u, c%u), m%u = m%u & ~m%u;\nif (c%u) {\n", m, outer, m, other, outer, m,
             m);
        c->mask = m;
        list(c, WARP, 1 + below(c, 3));
        put(c, "} else {\n");
        c->mask = other;
        list(c, WARP, below(c, 3));
        put(c, "} }\n");
        c->mask = outer;
        return;
    }
    put(c, "if (");
    if (kind == 0)
        putf(c, "((A.p0 + bx * %uu) & 1u)", below(c, 2));
    else if (kind == 1 && chance(c, 50))
        putf(c, "((wid + %uu) & 1u)", below(c, 2));
    else if (kind == 1) {
        putf(c, "W_%s(m%u, ", chance(c, 50) ? "any" : "all", c->mask);
        cond(c, 1);
        put(c, ")");
    } else {
        cond(c, 2);
    }
    put(c, ") {\n");
    enum place inner = kind == 0 ? place : kind == 1 ? WARP : LANE;
    list(c, inner, 1 + below(c, 3));
    if (chance(c, 50)) {
        put(c, "} else {\n");
        list(c, inner, 1 + below(c, 3));
    }
    put(c, "}\n");
}

static void loop_body(struct cu *c, enum place place, bool jumps)
{
    list(c, place, 1 + below(c, 3));
    if (jumps && chance(c, 50)) {
        struct gen_unit u = gen_open(c->g);
        put(c, "if (");
        cond(c, 1);
        put(c, chance(c, 60) ? ") break;\n" : ") continue;\n");
        gen_close(c->g, u, "");
        list(c, place, 1);
    }
}

static void loop(struct cu *c, enum place place)
{
    unsigned i = c->loops_declared++, n = 1 + below(c, 4);
    c->loop_depth++;
    if (place != LANE && chance(c, 40)) { // another number of turns in each thread, with a mask
        unsigned outer = c->mask, m = ++c->masks;
        putf(c, "{ u32 m%u = m%u;\nfor (n%u = 0;; n%u++) {\nconst bool c%u = n%u < ((", m, outer, i, i, m, i);
        expr(c, U32, 1);
        putf(c, ") & 3u) && n%u < 4u;\nm%u = W_ballot(m%u, c%u);\nif (!c%u) break;\n", i, m, m, m, m);
        c->mask = m;
        c->tracked_loops++;
        loop_body(c, WARP, false);
        c->tracked_loops--;
        c->mask = outer;
        put(c, "} }\n");
    } else if (place != LANE && chance(c, 70)) {
        c->tracked_loops++;
        if (chance(c, 50))
            putf(c, "for (n%u = 0; n%u < %uu; n%u++) {\n", i, i, n, i);
        else
            putf(c, "for (n%u = 0; n%u < (A.p1 & %uu); n%u++) {\n", i, i, n, i);
        loop_body(c, place, false);
        put(c, "}\n");
        c->tracked_loops--;
    } else if (chance(c, 50)) {
        putf(c, "for (n%u = 0; n%u < ((", i, i);
        expr(c, U32, 2);
        putf(c, ") & 3u) && n%u < %uu; n%u++) {\n", i, n, i);
        loop_body(c, LANE, true);
        put(c, "}\n");
    } else if (chance(c, 50)) {
        putf(c, "n%u = 0;\ndo {\n", i);
        loop_body(c, LANE, true);
        putf(c, "} while (++n%u < %uu && ", i, n);
        cond(c, 2);
        put(c, ");\n");
    } else {
        putf(c, "n%u = 0;\nwhile (n%u++ < %uu) {\nif (!", i, i, n);
        cond(c, 2);
        put(c, ") break;\n");
        loop_body(c, LANE, true);
        put(c, "}\n");
    }
    c->loop_depth--;
}

static void select_case(struct cu *c)
{
    put(c, "switch ((u32)(");
    expr(c, U32, 2);
    putf(c, ") & 7u) {\n");
    for (unsigned k = 0; k < 8; k++) {
        if (chance(c, 45))
            continue;
        struct gen_unit u = gen_open(c->g);
        putf(c, "case %u: {\n", k);
        list(c, LANE, below(c, 3));
        putf(c, "}%s\n", chance(c, 65) ? " break;" : "");
        gen_close(c->g, u, "");
    }
    put(c, "default:;\n");
    if (chance(c, 50))
        list(c, LANE, 1);
    put(c, "}\n");
}

// Jumps from anywhere to anywhere in a run of parts, some of them within loops, arms and cases. `fu` bounds the jumps.
static void jumps(struct cu *c)
{
    unsigned fuel = c->loops_declared++, first = c->labels, n = 3 + below(c, 4), end = first + n;
    c->labels += n + 1;
    c->loop_depth++;
    putf(c, "n%u = 0;\n", fuel);
    for (unsigned k = 0; k < n; k++) {
        unsigned form = below(c, 8), i = 0;
        if (form == 0 || form == 1) {
            i = c->loops_declared++;
            putf(c, form ? "n%u = 0; do {\n" : "for (n%u = 0; n%u < 3u; n%u++) {\n", i, i, i);
        } else if (form == 2) {
            put(c, "if (");
            cond(c, 1);
            put(c, ") {\n");
        } else if (form == 3) {
            put(c, "switch ((u32)(");
            expr(c, U32, 1);
            put(c, ") & 3u) { case 1:\n");
        }
        list(c, LANE, below(c, 2));
        putf(c, "L%u_%u:;\n", c->number, first + k);
        list(c, LANE, 1 + below(c, 2));
        if (form == 3) {
            put(c, "case 2:;\n");
            list(c, LANE, 1);
        }
        for (unsigned j = below(c, 3); j; j--) {
            struct gen_unit u = gen_open(c->g);
            unsigned to = first + below(c, n + 1);
            if (to != end || c->irregular_only) {
                putf(c, "if (n%u < 7u && ", fuel);
                cond(c, 1);
                putf(c, ") { n%u++; goto L%u_%u; }\n", fuel, c->number, to);
            } else {
                put(c, "if (");
                cond(c, 1);
                putf(c, ") goto L%u_%u;\n", c->number, end);
            }
            gen_close(c->g, u, "");
        }
        if (form == 0)
            put(c, "}\n");
        else if (form == 1)
            putf(c, "} while (++n%u < 3u);\n", i);
        else if (form == 2 && chance(c, 50)) {
            put(c, "} else {\n");
            list(c, LANE, 1);
            put(c, "}\n");
        } else if (form == 2 || form == 3)
            put(c, "}\n");
    }
    putf(c, "L%u_%u:;\n", c->number, end);
    c->loop_depth--;
}

static unsigned word_var(struct cu *c)
{
    for (unsigned i = 0; i < 6 && c->vars; i++) {
        unsigned v = below(c, c->vars);
        if (c->var[v] == U32)
            return v;
    }
    return new_var(c, U32);
}

static void collective(struct cu *c)
{
    static const char *const reduce[] = {"W_add", "W_min", "W_max", "W_and", "W_or", "W_xorr", "W_match", "W_matchall"};
    unsigned v = word_var(c), k = below(c, 10), m = c->mask;
    if (k < 2) {
        putf(c, "v%u = W_ballot(m%u, ", v, m);
        cond(c, 2);
        put(c, ");\n");
    } else if (k < 3) {
        putf(c, "W_sync(m%u);\n", m);
    } else if (k < 6) {
        putf(c, "v%u = %s(m%u, ", v, reduce[below(c, 8)], m);
        expr(c, U32, 2);
        put(c, ");\n");
    } else if (k < 8) { // of a lane that is there
        static const enum type types[] = {U32, I32, U64, I64, F32, F64};
        enum type t = types[below(c, c->floats ? 6 : 4)];
        unsigned d = new_var(c, t);
        putf(c, "v%u = W_idx<%s>(m%u, ", d, type_name[t], m);
        expr(c, t, 2);
        putf(c, ", nth(m%u, ", m);
        if (chance(c, 50))
            putf(c, "%u", below(c, 32));
        else
            expr(c, U32, 1);
        put(c, "));\n");
    } else { // by a distance: what comes from a lane that is not there does not count
        unsigned width = 32u >> below(c, 4), by = 1 + below(c, width - 1 ? width - 1 : 1), kind = below(c, 3);
        static const char *const name[] = {"up", "down", "xor"};
        static const char *const from[] = {"lane - %uu", "lane + %uu", "lane ^ %uu"};
        unsigned d = new_var(c, U32);
        putf(c, "{ const u32 from = ");
        char text[32];
        snprintf(text, sizeof text, "%s", from[kind]);
        str_append_n(c->s, text, 7);
        putf(c, "%uu", by);
        putf(c, ", got = W_%s<u32>(m%u, ", name[kind], m);
        expr(c, U32, 2);
        putf(c, ", %uu, %uu);\nif (from < 32u && (m%u >> from & 1u) && from / %uu == lane / %uu) v%u = got; }\n", by,
             width, m, width, width, d);
    }
}

static void exchange(struct cu *c, const char *bar)
{
    unsigned v = word_var(c), k = below(c, 4);
    put(c, "sx[l] = ");
    expr(c, U32, 2);
    putf(c, ";\n%s\nv%u = sx[", bar, v);
    if (k == 0)
        putf(c, "(l + %uu) %% %uu", below(c, 64), c->threads);
    else if (k == 1)
        putf(c, "%uu - l", c->threads - 1);
    else if (k == 2) {
        put(c, "(u32)(");
        expr(c, U32, 1);
        putf(c, ") %% %uu", c->threads);
    } else
        putf(c, "%uu", below(c, c->threads));
    putf(c, "];\n%s\n", bar);
}

static void barrier(struct cu *c)
{
    unsigned warps = c->threads / 32, k = below(c, 12);
    if (k < 3) {
        exchange(c, "B_sync();");
    } else if (k < 5) {
        unsigned v = word_var(c);
        static const char *const form[] = {"B_count", "(u32)B_and", "(u32)B_or"};
        putf(c, "v%u = %s(", v, form[below(c, 3)]);
        cond(c, 2);
        put(c, ");\n");
    } else if (k < 7) {
        putf(c, "B_sync();\nv%u = sa[%u];\nB_sync();\n", word_var(c), below(c, 15));
    } else if (k < 9) { // each arm with barriers of its own; whole warps go one way
        char bar[32];
        snprintf(bar, sizeof bar, "B_bar(%u);", below(c, 3));
        putf(c, "if ((wid + %uu) & 1u) {\n", below(c, 2));
        exchange(c, bar);
        put(c, "} else {\n");
        if (chance(c, 50))
            exchange(c, bar);
        else {
            put(c, "sx[l] = ");
            expr(c, U32, 1);
            putf(c, ";\n%s\n", bar);
            struct gen_unit u = gen_open(c->g);
            unsigned v = word_var(c);
            putf(c, "v%u += sx[(l + 1u) %% %uu];\n", v, c->threads);
            gen_close(c->g, u, "");
            putf(c, "%s\n", bar);
        }
        put(c, "}\n");
    } else if (k < 10 && warps && c->named) { // some warps, with a count
        unsigned n = 1 + below(c, warps), id = 3 + below(c, 10), v = word_var(c);
        putf(c, "if (wid < %uu) {\nsx[l] = ", n);
        expr(c, U32, 2);
        putf(c, ";\nB_barn(%u, %u);\nv%u = sx[(l + %uu) %% %uu];\nB_barn(%u, %u);\n}\nB_sync();\n", id, n * 32, v,
             below(c, 40), n * 32, id, n * 32);
    } else if (k < 11 && warps > 1 && c->named) { // one warp arrives and goes on, another one waits for it
        unsigned id = 3 + below(c, 10), v = word_var(c), from = below(c, warps),
                 to = (from + 1 + below(c, warps - 1)) % warps;
        putf(c, "if (wid == %uu) {\nsx[lane] = ", from);
        expr(c, U32, 2);
        putf(c,
             ";\nB_arrive(%u, 64);\n} else if (wid == %uu) {\nB_barn(%u, 64);\nv%u = sx[lane ^ %uu];\n}\nB_sync();\n",
             id, to, id, v, below(c, 32));
    } else {
        put(c, "B_sync();\n");
    }
}

static void leave(struct cu *c, enum place place)
{
    if (place == BLOCK) {
        put(c, "{ const bool gone = ");
        cond(c, 1);
        put(c, ";\nm0 = W_ballot(m0, !gone);\nif (gone) goto done; }\n");
    } else {
        c->untracked = true;
        put(c, "if (");
        cond(c, 1);
        put(c, ") goto done;\n");
    }
}

static void statement(struct cu *c, enum place place)
{
    struct gen_unit u = gen_open(c->g);
    bool kernel = c->in_function == FUNCTIONS_MAX;
    if (c->untracked && place == WARP)
        place = LANE;
    bool deep = c->depth > 4 || c->budget < 0;
    unsigned k = below(c, 100);
    c->budget--;
    c->depth++;
    if (k < 6 && place != LANE && !c->untracked)
        collective(c);
    else if (k < 12 && place != LANE && !c->untracked)
        collective(c);
    else if (k < 26 && place == BLOCK)
        barrier(c);
    else if (k < 32)
        atomic(c);
    else if (k < 36)
        guarded_statement(c);
    else if (k < 48 && !deep)
        branch(c, c->untracked && place == BLOCK ? LANE : place);
    else if (k < 58 && !deep && c->loop_depth < 3)
        loop(c, c->untracked ? LANE : place);
    else if (k < 63 && !deep)
        select_case(c);
    else if (k < 70 && !deep && c->loop_depth < 2)
        jumps(c);
    else if (k < 73 && kernel && c->exits && (place == BLOCK ? !c->untracked : !c->tracked_loops))
        leave(c, place);
    else if (k < 78 && c->functions) {
        unsigned f = below(c, c->functions);
        const struct function *fn = &c->function[f];
        bool warp = place != LANE && !c->untracked;
        if (f < c->in_function && (!fn->warp || warp) && (!fn->stores || may_store(c))) {
            unsigned v = new_var(c, fn->result);
            putf(c, "v%u = ", v);
            call(c, f, 2);
            put(c, ";\n");
        } else
            assign(c);
    } else
        assign(c);
    c->depth--;
    gen_close(c->g, u, "");
}

static void list(struct cu *c, enum place place, unsigned n)
{
    if (c->budget < 0 && n > 1)
        n = 1;
    for (; n; n--)
        statement(c, place);
}

// ------------------------------------------------------------------------------------------------ functions, kernels

static const char *const indices =
    "const u32 tx = threadIdx.x, ty = threadIdx.y, tz = threadIdx.z, ntx = blockDim.x;\n"
    "const u32 l = tx + blockDim.x * (ty + blockDim.y * tz), lane = l & 31u, wid = l >> 5;\n"
    "const u32 bx = blockIdx.x + gridDim.x * blockIdx.y, gid = bx * (blockDim.x * blockDim.y * blockDim.z) + l;\n";

// The variables come before the text that uses them, which is made first.
static void declarations(struct cu *c, unsigned parameters)
{
    for (unsigned v = parameters; v < c->vars; v++) {
        struct gen_unit u = gen_open(c->g);
        putf(c, "%s v%u = 0;\n", type_name[c->var[v]], v);
        gen_close(c->g, u, "");
    }
    for (unsigned i = 0; i < c->loops_declared; i++) {
        struct gen_unit u = gen_open(c->g);
        putf(c, "u32 n%u = 0;\n", i);
        gen_close(c->g, u, "");
    }
    if (c->memory) {
        put(c, "union buf la;\n");
        struct gen_unit u = gen_open(c->g);
        put(c, "for (u32 i = 0; i < 16u; i++) la.w[i] = i * 77u + l;\n");
        gen_close(c->g, u, "for (u32 i = 0; i < 16u; i++) la.w[i] = 0;\n");
    }
    if (c->records) {
        struct gen_unit u = gen_open(c->g);
        putf(c, "struct k%u_s s0 = {}, sl[4] = {};\n", c->number);
        gen_close(c->g, u, "");
    }
}

// Puts what was appended since `middle` before what was since `start`.
static void rotate(struct str *s, size_t start, size_t middle)
{
    size_t tail = s->len - middle;
    char *copy = malloc(tail + 1);
    memcpy(copy, s->data + middle, tail);
    memmove(s->data + start + tail, s->data + start, middle - start);
    memcpy(s->data + start, copy, tail);
    free(copy);
}

static void begin_scope(struct cu *c, unsigned in)
{
    c->vars = c->loops_declared = 0;
    c->in_function = in;
    c->mask = c->masks = c->loop_depth = c->tracked_loops = 0;
    c->depth = 1;
    c->untracked = false;
}

static void make_function(struct cu *c, unsigned f)
{
    struct function *fn = &c->function[f];
    begin_scope(c, f);
    fn->result = any_type(c);
    fn->parameters = below(c, PARAMETERS_MAX + 1);
    fn->warp = chance(c, 30);
    fn->stores = chance(c, 50);
    fn->record = c->records && chance(c, 40);
    struct gen_unit u = gen_open(c->g);
    putf(c, "DEVICE %s%s k%u_f%u(const struct args &A, union buf *q%s", chance(c, 40) ? "NOINLINE " : "",
         type_name[fn->result], c->number, f, fn->warp ? ", u32 m0" : "");
    for (unsigned i = 0; i < fn->parameters; i++) {
        fn->parameter[i] = any_type(c);
        putf(c, ", %s v%u", type_name[fn->parameter[i]], new_var(c, fn->parameter[i]));
    }
    if (fn->record)
        putf(c, ", struct k%u_s s1", c->number);
    putf(c, ")\n{\n%s", indices);
    size_t start = c->s->len;
    c->budget = 2;
    c->loop_depth = 1;
    if (fn->record)
        put(c, "s0 = s1;\n");
    list(c, fn->warp ? WARP : LANE, 1 + below(c, 2));
    put(c, "return ");
    expr(c, fn->result, 2);
    put(c, ";\n}\n");
    size_t middle = c->s->len;
    declarations(c, fn->parameters);
    rotate(c->s, start, middle);
    gen_close(c->g, u, "");
    c->functions = f + 1;
}

static void shape(struct cu *c)
{
    static const unsigned char shapes[][3] = {{32, 1, 1},  {64, 1, 1}, {33, 1, 1}, {65, 1, 1}, {7, 5, 3},  {5, 13, 1},
                                              {1, 1, 1},   {31, 1, 1}, {16, 2, 1}, {8, 8, 1},  {3, 3, 3},  {96, 1, 1},
                                              {128, 1, 1}, {2, 2, 8},  {4, 16, 1}, {1, 37, 1}, {1, 1, 40}, {17, 3, 2},
                                              {100, 1, 1}, {16, 4, 2}, {8, 4, 1},  {32, 4, 1}, {9, 7, 1}};
    memset(c->block, 0, sizeof c->block);
    unsigned k = below(c, sizeof shapes / sizeof *shapes + 6);
    for (unsigned i = 0; i < 3; i++)
        c->block[i] = k < sizeof shapes / sizeof *shapes ? shapes[k][i] : 1 + below(c, i == 0 ? 20 : 4);
    c->threads = c->block[0] * c->block[1] * c->block[2];
}

static void make_kernel(struct cu *c)
{
    c->wide = chance(c, 40);
    c->floats = chance(c, 50);
    c->exits = chance(c, 50);
    c->named = !c->exits;
    c->irregular_only = chance(c, 50);
    c->large = chance(c, 3);
    c->records = c->large || chance(c, 30);
    c->memory = c->large || chance(c, 50);
    c->functions = c->labels = 0;
    shape(c);
    putf(c, "struct k%u_s {\n", c->number);
    c->fields = 1 + below(c, FIELDS_MAX);
    for (unsigned i = 0; i < c->fields; i++) {
        c->field[i] = any_type(c);
        putf(c, "%s f%u;\n", type_name[c->field[i]], i);
    }
    put(c, "u16 a[3];\n};\n");
    for (unsigned f = 0, n = below(c, c->large ? FUNCTIONS_MAX : 2); f < n; f++)
        make_function(c, f);
    begin_scope(c, FUNCTIONS_MAX);
    putf(c, "GLOBAL void k%u(struct args A)\n{\n%s", c->number, indices);
    putf(c,
         "const u32 nt = %uu, rest = nt - (l & ~31u);\nu32 m0 = rest >= 32u ? ~0u : (1u << rest) - 1u, hh = "
         "gid;\nunion buf *q = &A.own[gid];\n",
         c->threads);
    size_t start = c->s->len;
    putf(c, "SHARED u32 sx[%u], sa[16];\n", c->threads < 32 ? 32 : c->threads);
    if (c->memory)
        putf(c, "SHARED union buf so[%u];\nso[l] = *q;\n", c->threads);
    put(c, "sx[l] = l;\nfor (u32 i = l; i < 16u; i += nt) sa[i] = i == 2u || i == 5u ? ~0u : 0u;\nB_sync();\n{\n");
    c->budget = c->large ? 20 : 1 + (int)below(c, 7);
    unsigned place = below(c, 4);
    list(c, place == 0 ? LANE : place == 1 ? WARP : BLOCK, c->large ? 8 : 2 + below(c, 4));
    put(c, "}\ndone:;\n");
    for (unsigned v = 0; v < c->vars; v++) {
        struct gen_unit u = gen_open(c->g);
        putf(c, "hh = MIX(hh, v%u);\n", v);
        gen_close(c->g, u, "");
    }
    for (unsigned f = 0; f < c->fields && c->records; f++) {
        struct gen_unit u = gen_open(c->g);
        putf(c, "hh = MIX(hh, s0.f%u); hh = MIX(hh, sl[1].f%u); hh = MIX(hh, sl[gid & 3].f%u);\n", f, f, f);
        gen_close(c->g, u, "");
    }
    if (c->memory) {
        struct gen_unit u = gen_open(c->g);
        put(c, "for (u32 i = 0; i < 16u; i++) hh = mix(hh, la.w[i]) + mix(i, q->w[i]);\n");
        gen_close(c->g, u, "");
    }
    put(c, "A.out[gid] = hh;\n}\n");
    size_t middle = c->s->len;
    declarations(c, 0);
    rotate(c->s, start, middle);
}

void gen_cu(struct gen *g, const uint64_t *seeds, unsigned n)
{
    struct str rows = {0};
    gen_reset(g, 0);
    str_append(&g->s, "#ifndef BODY\n#include \"cu_runtime.h\"\n"
                      "#define BODY 1\n#define GLOBAL __global__ static\n#define DEVICE __device__ static\n#define "
                      "NOINLINE __noinline__\n"
                      "namespace dev {\n#include __FILE__\n}\n"
                      "#undef GLOBAL\n#undef DEVICE\n#undef NOINLINE\n#undef SHARED\n"
                      "#define GLOBAL static\n#define DEVICE static\n#define NOINLINE\n#define SHARED static\n"
                      "namespace ref {\n#include __FILE__\n}\n"
                      "static const struct kernel kernels[] = {\n#define BODY_ROWS\n#include __FILE__\n};\n"
                      "int main(int argc, char **argv) { return run_all(kernels, (int)(sizeof kernels / sizeof "
                      "*kernels), argc, argv); }\n"
                      "#elif !defined BODY_ROWS\n");
    for (unsigned i = 0; i < n; i++) {
        struct cu c = {.g = g, .s = &g->s, .number = i};
        g->rng = seeds[i];
        make_kernel(&c);
        unsigned blocks = 1 + below(&c, 3), rows_of = 1 + below(&c, 2);
        unsigned p0 = below(&c, 50), p1 = below(&c, 50);
        str_printf(&rows, "{\"k%u_%llx\", dev::k%u, ref::k%u, dim3(%u, %u), dim3(%u, %u, %u), %uu, %uu},\n", i,
                   (unsigned long long)seeds[i], i, i, blocks, rows_of, c.block[0], c.block[1], c.block[2], p0, p1);
    }
    str_append(&g->s, "#else\n");
    str_append(&g->s, str_text(&rows));
    str_append(&g->s, "#endif\n");
    str_free(&rows);
}
