// SPDX-License-Identifier: Apache-2.0
// The instructions of random PTX kernels as text; see ptx_program.h. What stands around them is in ptx_frame.c.
#include "ptx_program.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char class_letter[] = {'r', 'D', 'h', 'p'};

static void name(struct str *s, int class, int reg)
{
    str_printf(s, "%%%c%d", class_letter[class], reg % ptx_class_size[class]);
}

static void guard(struct str *s, int g)
{
    if (g >= 0)
        str_printf(s, "@%s%%p%d ", g & 1 ? "!" : "", g / 2);
}

static void quiet(struct str *s, char kind, int class, int reg)
{
    static const struct {
        char kind;
        const char *type, *move, *nan;
    } rows[] = {{'f', "f32", "b32", "0x7fffffff"},
                {'F', "f64", "b64", "0x7fffffffffffffff"},
                {'h', "f16", "b16", "0x7fff"},
                {'b', "bf16", "b16", "0x7fff"}};
    for (unsigned i = 0; i < 4; i++) {
        if (rows[i].kind != kind)
            continue;
        str_printf(s, "setp.nan.%s %%xq, ", rows[i].type);
        name(s, class, reg);
        str_append(s, ", ");
        name(s, class, reg);
        str_printf(s, "; @%%xq mov.%s ", rows[i].move);
        name(s, class, reg);
        str_printf(s, ", %s;\n", rows[i].nan);
    }
}

static void operation(const struct ins *i, struct str *s)
{
    const struct op_test *o = i->op;
    bool multiple = ptx_op_multiple(o);
    int dest = ptx_op_class(o, 'd');
    for (int k = 0; k < 2 && ptx_op_quiets(o); k++)
        quiet(s, ptx_op_kind(o), ptx_op_class(o, "ab"[k]), k ? i->b : i->a);
    if (!multiple)
        guard(s, i->guard);
    for (const char *p = ptx_op_text(o); *p;) {
        if (*p != '%') {
            str_append_n(s, p++, 1);
            continue;
        }
        const char *end = p + 1;
        while (isalnum((unsigned char)*end))
            end++;
        size_t n = (size_t)(end - p - 1);
        char letter = (char)tolower((unsigned char)end[-1]);
        int class = p[1] == 'h' ? CLASS_HALF : isupper((unsigned char)p[1]) ? CLASS_DOUBLE : CLASS_WORD;
        if (n == 1 && p[1] == 'p')
            letter = 'd', class = CLASS_PREDICATE;
        if ((n == 1 && (p[1] == 'q' || p[1] == 'r')) || p[1] == 't') {
            str_append_n(s, p, n + 1); // scratch
        } else if (letter == 'd') {
            if (class == dest && !multiple)
                name(s, class, i->d);
            else
                str_printf(s, "%%x%c", class_letter[class]);
        } else {
            name(s, class, letter == 'a' ? i->a : letter == 'b' ? i->b : i->c);
        }
        p = end;
    }
    str_append(s, "\n");
    if (multiple) {
        static const char *const type[] = {"b32", "b64", "b16", "pred"};
        str_printf(s, "mov.%s ", type[dest]);
        name(s, dest, i->d);
        str_printf(s, ", %%x%c;\n", class_letter[dest]);
    }
    quiet(s, ptx_op_kind(o), dest, i->d);
}

static void address(struct str *s, const char *base, int index, unsigned mask, unsigned size)
{
    str_printf(s, "and.b32 %%t6, %%r%d, %u; mul.wide.u32 %%T0, %%t6, %u; add.u64 %%T0, %%T0, %s;\n", index, mask, size,
               base);
}

static void input(const struct ins *i, struct str *s)
{
    static const struct {
        const char *type;
        unsigned size;
    } form[] = {{"u32", 4}, {"u8", 1}, {"s8", 1}, {"u16", 2}, {"u64", 8}, {"v2.u32", 8}, {"v4.u32", 16}};
    unsigned size = form[i->imm].size;
    address(s, "%in", i->a, INPUT * 4 / size - 1, size);
    guard(s, i->guard);
    str_printf(s, "ld.global.%s ", form[i->imm].type);
    if (i->imm == 3)
        str_printf(s, "%%h%d", i->d % HALVES);
    else if (i->imm == 4)
        str_printf(s, "%%D%d", i->d % DOUBLES);
    else if (i->imm < 3)
        str_printf(s, "%%r%d", i->d % WORDS);
    else
        for (int k = 0, n = i->imm == 5 ? 2 : 4; k < n; k++)
            str_printf(s, "%s%%r%d%s", k ? ", " : "{", (i->d + k) % WORDS, k == n - 1 ? "}" : "");
    str_append(s, ", [%T0];\n");
}

static void memory(const struct ins *i, struct str *s)
{
    static const struct {
        const char *type;
        unsigned size;
    } form[] = {{"u8", 1}, {"s16", 2}, {"b32", 4}, {"b64", 8}, {"v2.b32", 8}, {"u16", 2}};
    static const char *const base[] = {"%local", "%shared", "%own"}, *const space[] = {".local", ".shared", ".global"};
    static const char *const generic[] = {"%glocal", "%gshared", "%own"};
    unsigned f = i->imm % 6, size = form[f].size;
    bool store = i->imm >= 6;
    char value[32];
    if (f == 3)
        snprintf(value, sizeof value, "%%D%d", i->d % DOUBLES);
    else if (f == 4)
        snprintf(value, sizeof value, "{%%r%d, %%r%d}", i->d % WORDS, (i->d + 1) % WORDS);
    else if (f == 5)
        snprintf(value, sizeof value, "%%h%d", i->d % HALVES);
    else
        snprintf(value, sizeof value, "%%r%d", i->d % WORDS);
    address(s, i->c ? base[i->b] : generic[i->b], i->a, OWN / size - 1, size);
    guard(s, i->guard);
    const char *type = store && f == 1 ? "b16" : form[f].type;
    if (store && (f == 0 || f == 1 || f == 5))
        type = f ? "b16" : "b8";
    if (store && f == 1) { // from a word: PTX takes the low part of a wider register
        str_printf(s, "st%s.b16 [%%T0], %s;\n", i->c ? space[i->b] : "", value);
    } else if (store) {
        str_printf(s, "st%s.%s [%%T0], %s;\n", i->c ? space[i->b] : "", type, value);
    } else {
        str_printf(s, "ld%s.%s %s, [%%T0];\n", i->c ? space[i->b] : "", type, value);
    }
}

static void move(const struct ins *i, struct str *s)
{
    int d = i->d, a = i->a, b = i->b;
    guard(s, i->guard);
    switch (i->imm) {
    case 0:
        str_printf(s, "mov.b64 %%D%d, {%%r%d, %%r%d};\n", d % DOUBLES, a % WORDS, b % WORDS);
        break;
    case 1:
        str_printf(s, "cvt.u32.u64 %%r%d, %%D%d;\n", d % WORDS, a % DOUBLES);
        break;
    case 2:
        str_printf(s, "mov.b64 {%%t0, %%r%d}, %%D%d;\n", d % WORDS, a % DOUBLES);
        break;
    case 3:
        str_printf(s, "cvt.u16.u32 %%h%d, %%r%d;\n", d % HALVES, a % WORDS);
        break;
    case 4:
        str_printf(s, "cvt.u32.u16 %%r%d, %%h%d;\n", d % WORDS, a % HALVES);
        break;
    case 5:
        str_printf(s, "cvt.s32.s16 %%r%d, %%h%d;\n", d % WORDS, a % HALVES);
        break;
    case 6:
        str_printf(s, "selp.b32 %%r%d, %%r%d, %%r%d, %%p%d;\n", d % WORDS, a % WORDS, b % WORDS, b % PREDICATES);
        break;
    case 7:
        str_printf(s, "setp.ne.s32 %%p%d, %%r%d, %%r%d;\n", d % PREDICATES, a % WORDS, b % WORDS);
        break;
    case 8:
        str_printf(s, "mov.b32 %%r%d, {%%h%d, %%h%d};\n", d % WORDS, a % HALVES, b % HALVES);
        break;
    default:
        str_printf(s, "xor.pred %%p%d, %%p%d, %%p%d;\n", d % PREDICATES, a % PREDICATES, b % PREDICATES);
    }
}

static void vote(const struct ins *i, struct str *s)
{
    static const char *const redux[] = {"add.s32", "min.u32", "max.s32", "and.b32", "or.b32", "xor.b32", "min.s32"};
    static const char *const mode[] = {"", "any", "all", "uni"};
    if (i->imm == 0)
        str_printf(s, "vote.sync.ballot.b32 %%r%d, %%p%d, %%m%d;\n", i->d, i->b, i->a);
    else if (i->imm < 4)
        str_printf(s, "vote.sync.%s.pred %%xq, %%p%d, %%m%d; selp.b32 %%r%d, 1, 0, %%xq;\n", mode[i->imm], i->b, i->a,
                   i->d);
    else if (i->imm == 4)
        str_printf(s, "match.any.sync.b32 %%r%d, %%r%d, %%m%d;\n", i->d, i->c, i->a);
    else if (i->imm == 5)
        str_printf(s, "match.all.sync.b32 %%r%d|%%p%d, %%r%d, %%m%d;\n", i->d, i->b, i->c, i->a);
    else if (i->imm < 13)
        str_printf(s, "redux.sync.%s %%r%d, %%r%d, %%m%d;\n", redux[i->imm - 6], i->d, i->c, i->a);
    else
        str_printf(s, "match.any.sync.b64 %%r%d, %%D%d, %%m%d;\n", i->d, i->c % DOUBLES, i->a);
}

static void shuffle(const struct ins *i, struct str *s)
{
    static const char *const mode[] = {"up", "down", "bfly", "idx"};
    static const char *const op[] = {"sub.u32", "add.u32", "xor.b32"};
    unsigned width = 32u >> (i->imm >> 2), k = i->imm & 3, segments = (32 - width) << 8, c = segments | (k ? 31 : 0);
    char by[16];
    if (i->b < 32)
        snprintf(by, sizeof by, "%d", i->b);
    else
        snprintf(by, sizeof by, "%%t1");
    if (i->b >= 32)
        str_printf(s, "and.b32 %%t1, %%r%d, 31;\n", i->b % WORDS);
    str_printf(s, "shfl.sync.%s.b32 %%t0|%%xq, %%r%d, %s, %u, %%m%d;\n", mode[k], i->c, by, c, i->a);
    if (k < 3)
        str_printf(s, "%s %%t2, %%lane, %s;\n", op[k], by);
    else
        str_printf(s, "and.b32 %%t2, %%lane, %u; and.b32 %%t3, %s, %u; or.b32 %%t2, %%t2, %%t3;\n", segments >> 8, by,
                   31 & ~(segments >> 8));
    str_printf(s,
               "selp.b32 %%t2, %%t2, %%lane, %%xq; shr.u32 %%t2, %%m%d, %%t2; and.b32 %%t2, %%t2, 1; setp.ne.u32 %%xp, "
               "%%t2, 0;\n",
               i->a);
    str_printf(s, "selp.b32 %%r%d, %%t0, 0, %%xp; mov.pred %%p%d, %%xq;\n", i->d, i->b % PREDICATES);
}

static void atomic(const struct ins *i, struct str *s)
{
    static const char *const op[] = {"add.u32", "xor.b32", "min.u32", "max.u32",
                                     "or.b32",  "and.b32", "max.s32", "inc.u32"};
    const char *space = i->b ? "global" : "shared", *base = i->b ? "%cells" : "cells";
    guard(s, i->guard);
    if (i->a & 1)
        str_printf(s, "red.%s.%s [%s+%u], ", space, op[i->imm], base, i->imm * 4);
    else
        str_printf(s, "atom.%s.%s %%t0, [%s+%u], ", space, op[i->imm], base, i->imm * 4);
    if (i->imm == 7)
        str_append(s, "1000;\n");
    else
        str_printf(s, "%%r%d;\n", i->a);
}

static void receive(const struct ptx_program *p, const struct ins *i, struct str *s)
{
    unsigned n = i->imm == 128 ? (unsigned)i->b : p->threads;
    if (i->imm == 128)
        str_printf(s, "and.b32 %%t0, %%r%d, 31; add.u32 %%t0, %%t0, %%l; rem.u32 %%t0, %%t0, %u;\n", i->a, n);
    else if (i->imm % 4 == 0)
        str_printf(s, "add.u32 %%t0, %%l, %u; rem.u32 %%t0, %%t0, %u;\n", i->imm, n);
    else if (i->imm % 4 == 1)
        str_printf(s, "sub.u32 %%t0, %u, %%l;\n", n - 1);
    else if (i->imm % 4 == 2)
        str_printf(s, "rem.u32 %%t0, %%r%d, %u;\n", i->a, n);
    else
        str_printf(s, "mov.u32 %%t0, %u;\n", i->imm % n);
    str_printf(s, "mov.u32 %%t1, slots; mad.lo.u32 %%t0, %%t0, 4, %%t1; ld.shared.u32 %%r%d, [%%t0];\n", i->d);
}

static void one(const struct ptx_program *p, const struct ins *i, unsigned number, struct str *s)
{
    static const char *const special[] = {"%tid.x",  "%tid.y",       "%tid.z",       "%ntid.x", "%ctaid.x",
                                          "%laneid", "%lanemask_lt", "%lanemask_ge", "%ntid.y", "%nctaid.x"};
    switch (i->kind) {
    case INS_OP:
        operation(i, s);
        break;
    case INS_SREG:
        str_printf(s, "mov.u32 %%r%d, %s;\n", i->d, special[i->imm]);
        break;
    case INS_MOVE:
        move(i, s);
        break;
    case INS_CONSTANT:
        str_printf(s, "mov.b64 %%D%d, 0x%llx;\n", i->d, (unsigned long long)i->wide);
        break;
    case INS_INPUT:
        input(i, s);
        break;
    case INS_MEMORY:
        memory(i, s);
        break;
    case INS_ATOMIC:
        atomic(i, s);
        break;
    case INS_LABEL:
        str_printf(s, "L%d:\n", i->label[0]);
        break;
    case INS_BRANCH:
        guard(s, i->guard);
        str_printf(s, "bra L%d;\n", i->label[0]);
        break;
    case INS_FIRST:
        str_printf(s, "setp.ge.u32 %%xq, %%l, %u; @%%xq bra L%d;\n", i->imm, i->label[0]);
        break;
    case INS_JUMP:
        str_printf(s,
                   "setp.lt.u32 %%xq, %%f%d, %u; %s.pred %%xp, %%p%d%s; and.pred %%xq, %%xq, %%xp;\n@%%xq add.u32 "
                   "%%f%d, %%f%d, 1;\n@%%xq bra L%d;\n",
                   i->a, i->imm, i->guard & 1 ? "not" : "mov", i->guard / 2, "", i->a, i->a, i->label[0]);
        break;
    case INS_TABLE:
        str_printf(s, "T%u: .branchtargets ", number);
        for (unsigned k = 0; k < i->imm; k++)
            str_printf(s, "%sL%d", k ? ", " : "", i->label[k]);
        str_printf(s, ";\nrem.u32 %%t0, %%r%d, %u; brx.idx %%t0, T%u;\n", i->a, i->imm, number);
        break;
    case INS_RESET:
        str_printf(s, "mov.u32 %%f%d, 0;\n", i->a);
        break;
    case INS_COUNT:
        str_printf(s, "add.u32 %%f%d, %%f%d, 1; setp.lt.u32 %%xq, %%f%d, %u;\n", i->a, i->a, i->a, i->imm);
        if (i->b >= 0)
            str_printf(s, "and.b32 %%t0, %%r%d, 3; setp.lt.and.u32 %%xq, %%f%d, %%t0, %%xq;\n", i->b, i->a);
        str_printf(s, "@%%xq bra L%d;\n", i->label[0]);
        break;
    case INS_BALLOT:
        str_printf(s, "vote.sync.ballot.b32 %%m%d, %%p%d, %%m%d;\n", i->d, i->b, i->a);
        break;
    case INS_REST:
        str_printf(s, "not.b32 %%t0, %%m%d; and.b32 %%m%d, %%m%d, %%t0;\n", i->b, i->d, i->a);
        break;
    case INS_SURVIVE:
        str_printf(s, "vote.sync.ballot.b32 %%m0, !%%p%d, %%m0;\n", i->b);
        break;
    case INS_VOTE:
        vote(i, s);
        break;
    case INS_SHUFFLE:
        shuffle(i, s);
        break;
    case INS_BARRIER:
        str_printf(s, i->b >= 0 ? "bar.sync %u, %d;\n" : "bar.sync %u;\n", i->imm, i->b);
        break;
    case INS_REDUCE:
        if (i->imm == 0)
            str_printf(s, "bar.red.popc.u32 %%r%d, 0, %%p%d;\n", i->d, i->b);
        else
            str_printf(s, "bar.red.%s.pred %%xq, 0, %%p%d; selp.b32 %%r%d, 1, 0, %%xq;\n", i->imm == 1 ? "and" : "or",
                       i->b, i->d);
        break;
    case INS_SEND:
        str_printf(s, "mov.u32 %%t1, slots; mad.lo.u32 %%t0, %%l, 4, %%t1; st.shared.u32 [%%t0], %%r%d;\n", i->a);
        break;
    case INS_RECEIVE:
        receive(p, i, s);
        break;
    case INS_CELL:
        str_printf(s, "ld.shared.u32 %%r%d, [cells+%u];\n", i->d, i->imm * 4);
        break;
    case INS_EXIT:
        guard(s, i->guard);
        str_append(s, "exit;\n");
        break;
    case INS_CALL:
        str_printf(s,
                   "{ .param .b32 pr; .param .b32 pa; .param .b32 pb; .param .b64 pi; st.param.b32 [pa], %%r%d; "
                   "st.param.b32 [pb], %%r%d; st.param.b64 [pi], %%in;\n"
                   "call (pr), f%u, (pa, pb, pi); ld.param.b32 %%r%d, [pr]; }\n",
                   i->a, i->b, i->imm, i->d);
        break;
    }
}

void ptx_code_print(const struct ptx_program *p, const struct code *c, unsigned number, struct str *s)
{
    for (size_t i = 0; i < c->len; i++)
        one(p, &c->data[i], number + (unsigned)i, s);
}
