// SPDX-License-Identifier: Apache-2.0
// What stands around the instructions of a random PTX kernel: first values of registers and memory, and the stores of
// what came out; see ptx_program.h. Only what the instructions name has either. More than half of the time of a kernel
// went into what none of them touched.
#include "ptx_program.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void use_register(struct ptx_uses *u, char letter, unsigned n)
{
    uint32_t *set = letter == 'r'   ? &u->words
                    : letter == 'D' ? &u->doubles
                    : letter == 'h' ? &u->halves
                    : letter == 'p' ? &u->predicates
                    : letter == 'm' ? &u->masks
                                    : NULL;
    if (set)
        *set |= 1u << n;
    if (letter == 'f' && u->counters <= n)
        u->counters = n + 1;
}

void ptx_program_find_uses(struct ptx_program *p)
{
    struct str s = {0};
    struct ptx_uses *u = &p->uses;
    *u = (struct ptx_uses){0};
    ptx_code_print(p, &p->body, 0, &s);
    for (const char *t = str_text(&s); (t = strchr(t, '%')) != NULL; t += 2)
        if (t[1] && isdigit((unsigned char)t[2]))
            use_register(u, t[1], (unsigned)atoi(t + 2));
    const char *text = str_text(&s);
    u->local = strstr(text, "%local") || strstr(text, "%glocal");
    u->shared = strstr(text, "%shared") || strstr(text, "%gshared");
    u->slots = strstr(text, "slots") != NULL;
    u->cells = strstr(text, "[cells") != NULL;
    str_free(&s);
}

static void registers(struct str *s)
{
    str_printf(s,
               ".reg .b32 %%r<%d>, %%m<%d>, %%f<%d>, %%t<8>, %%xr, %%l, %%lane, %%gid; .reg .b64 %%D<%d>, %%T<4>, "
               "%%xD, %%in, %%out, %%own, %%cells, %%local, %%shared, %%glocal, %%gshared;\n"
               ".reg .b16 %%h<%d>, %%xh; .reg .pred %%p<%d>, %%xp, %%xq, %%q, %%r;\n",
               WORDS, MASKS, COUNTERS, DOUBLES, HALVES, PREDICATES);
}

static void function(const struct ptx_program *p, unsigned f, struct str *s)
{
    str_printf(s, ".func (.param .b32 ret) f%u (.param .b32 x, .param .b32 y, .param .b64 z)\n{\n", f);
    registers(s);
    str_append(s, "ld.param.b32 %r0, [x]; ld.param.b32 %r1, [y]; ld.param.b64 %in, [z];\n");
    for (unsigned k = 2; k < WORDS; k++)
        str_printf(s, "mov.u32 %%r%u, %u;\n", k, k * 77);
    for (unsigned k = 0; k < DOUBLES; k++)
        str_printf(s, "mov.u64 %%D%u, %u;\n", k, k * 1001);
    for (unsigned k = 0; k < HALVES; k++)
        str_printf(s, "mov.u16 %%h%u, %u;\n", k, k * 99);
    for (unsigned k = 0; k < PREDICATES; k++)
        str_printf(s, "and.b32 %%t0, %%r0, %u; setp.ne.u32 %%p%u, %%t0, 0;\n", 1u << k, k);
    ptx_code_print(p, &p->function[f], 100000 * (f + 1), s);
    str_append(s, "st.param.b32 [ret], %r0; ret;\n}\n");
}

static bool calls(const struct ptx_program *p, unsigned f)
{
    for (size_t i = 0; i < p->body.len; i++)
        if (p->body.data[i].kind == INS_CALL && p->body.data[i].imm == f)
            return true;
    return false;
}

static void variables(const struct ptx_program *p, struct str *s)
{
    if (p->uses.slots)
        str_printf(s, ".shared .align 4 .b32 slots[%u];\n", p->threads < 32 ? 32 : p->threads);
    if (p->uses.cells)
        str_printf(s, ".shared .align 4 .b32 cells[%d];\n", CELLS);
    if (p->uses.shared)
        str_printf(s, ".shared .align 16 .b8 mine[%u];\n", p->threads * OWN);
    if (p->uses.local)
        str_printf(s, ".local .align 16 .b8 loc[%d];\n", OWN);
}

static void indices(const struct ptx_program *p, struct str *s)
{
    str_printf(
        s,
        "ld.param.u64 %%in, [in]; ld.param.u64 %%out, [out]; ld.param.u64 %%own, [own]; ld.param.u64 %%cells, [acc];\n"
        "mov.u32 %%t0, %%tid.x; mov.u32 %%t1, %%tid.y; mov.u32 %%t2, %%tid.z; mov.u32 %%t3, %%ntid.x; mov.u32 %%t4, "
        "%%ntid.y;\n"
        "mad.lo.u32 %%t1, %%t2, %%t4, %%t1; mad.lo.u32 %%l, %%t1, %%t3, %%t0; and.b32 %%lane, %%l, 31;\n"
        "mov.u32 %%t0, %%ctaid.x; mad.lo.u32 %%gid, %%t0, %u, %%l;\n"
        "mul.wide.u32 %%T0, %%gid, %d; add.u64 %%own, %%own, %%T0;\n",
        p->threads, OWN);
    str_printf(s,
               "mov.u32 %%m0, 0xffffffff; and.b32 %%t0, %%l, 0xffffffe0; sub.u32 %%t0, %u, %%t0; setp.lt.u32 %%xq, "
               "%%t0, 32; shl.b32 %%t1, 1, %%t0; sub.u32 %%t1, %%t1, 1; @%%xq mov.u32 "
               "%%m0, %%t1;\n",
               p->threads);
    for (unsigned k = 1; k < MASKS; k++)
        if (p->uses.masks >> k & 1)
            str_printf(s, "mov.u32 %%m%u, 0;\n", k);
    for (unsigned k = 0; k < p->uses.counters; k++)
        str_printf(s, "mov.u32 %%f%u, 0;\n", k);
}

// One loop through a thread's own local and shared memory, `local` and `shared` its instructions for one doubleword at [%T2].
static void each_own(const struct ptx_program *p, const char *label, const char *local, const char *shared,
                     const char *last, struct str *s)
{
    str_printf(s, "mov.u32 %%t0, 0;\n%s: cvt.u64.u32 %%T3, %%t0;\n", label);
    if (p->uses.local)
        str_printf(s, "add.u64 %%T2, %%T3, %%local; %s\n", local);
    if (p->uses.shared)
        str_printf(s, "add.u64 %%T2, %%T3, %%shared; %s\n", shared);
    str_printf(s, "%s add.u32 %%t0, %%t0, 8; setp.lt.u32 %%xq, %%t0, %d; @%%xq bra %s;\n", last, OWN, label);
}

static void fill_memory(const struct ptx_program *p, struct str *s)
{
    const struct ptx_uses *u = &p->uses;
    if (u->local)
        str_append(s, "mov.u64 %local, loc; cvta.local.u64 %glocal, %local;\n");
    if (u->shared)
        str_printf(s,
                   "mul.wide.u32 %%T0, %%l, %d; mov.u64 %%shared, mine; add.u64 %%shared, %%shared, %%T0; "
                   "cvta.shared.u64 %%gshared, %%shared;\n",
                   OWN);
    if (u->local || u->shared) {
        str_append(s, "mov.u64 %T0, 7;\n");
        each_own(p, "FILL", "st.local.u64 [%T2], %T0;", "st.shared.u64 [%T2], %T0;", "add.u64 %T0, %T0, 12345;", s);
    }
    if (u->slots)
        str_append(s, "mov.u32 %t1, slots; mad.lo.u32 %t0, %l, 4, %t1; st.shared.u32 [%t0], %l;\n");
    if (u->cells)
        str_printf(s,
                   "mov.u32 %%t0, %%l;\nCELL: setp.lt.u32 %%xq, %%t0, %d; setp.eq.u32 %%xp, %%t0, 2; "
                   "setp.eq.or.u32 %%xp, %%t0, 5, %%xp; selp.b32 %%t2, 0xffffffff, 0, %%xp;\n"
                   "mov.u32 %%t1, cells; mad.lo.u32 %%t1, %%t0, 4, %%t1; @%%xq st.shared.u32 [%%t1], %%t2;\n",
                   CELLS);
    if (u->cells && p->threads < CELLS)
        str_printf(s, "add.u32 %%t0, %%t0, %u; setp.lt.u32 %%xq, %%t0, %d; @%%xq bra CELL;\n", p->threads, CELLS);
    if (u->slots || u->cells)
        str_append(s, "bar.sync 0;\n");
}

static void fill_registers(const struct ptx_uses *u, struct str *s)
{
    uint32_t words = u->words | u->doubles | u->doubles << 2 | u->halves | u->predicates << 2;
    static const char *const own[WORDS] = {[4] = "%l", [5] = "%gid", [6] = "%tid.y"};
    str_append(s, "mul.wide.u32 %T0, %gid, 4; add.u64 %T0, %T0, %in;\n");
    for (unsigned k = 0; k < WORDS; k++)
        if (words >> k & 1 && own[k])
            str_printf(s, "mov.u32 %%r%u, %s;\n", k, own[k]);
        else if (words >> k & 1)
            str_printf(s, "ld.global.u32 %%r%u, [%%T0+%u];\n", k, k * 256);
    for (unsigned k = 0; k < DOUBLES; k++)
        if (u->doubles >> k & 1)
            str_printf(s, "mov.b64 %%D%u, {%%r%u, %%r%u};\n", k, k, k + 2);
    for (unsigned k = 0; k < HALVES; k++)
        if (u->halves >> k & 1)
            str_printf(s, "cvt.u16.u32 %%h%u, %%r%u;\n", k, k);
    for (unsigned k = 0; k < PREDICATES; k++)
        if (u->predicates >> k & 1)
            str_printf(s, "and.b32 %%t0, %%r%u, %u; setp.ne.u32 %%p%u, %%t0, 0;\n", k + 2, 1 + 2 * k, k);
}

// Stores the registers of one class that are used.
static void store_class(struct str *s, uint32_t used, const char *type, char letter, unsigned at, unsigned size,
                        unsigned n)
{
    if (used)
        str_printf(s, "mul.wide.u32 %%T0, %%gid, %u; add.u64 %%T0, %%T0, %%out;\n", size);
    for (unsigned k = 0; used >> k; k++)
        if (used >> k & 1)
            str_printf(s, "st.global.%s [%%T0+%u], %%%c%u;\n", type, at * n + k * n * size, letter, k);
}

// Halves as one doubleword, predicates as one word: narrow stores take longest to compile where masks do not reach them.
static void store_packed(const struct ptx_uses *u, unsigned n, struct str *s)
{
    if (u->halves) {
        for (unsigned k = 0; k < HALVES; k++)
            if (!(u->halves >> k & 1))
                str_printf(s, "mov.u16 %%h%u, 0;\n", k);
        str_printf(s,
                   "mov.b64 %%T1, {%%h0, %%h1, %%h2, %%h3}; mul.wide.u32 %%T0, %%gid, 8; add.u64 %%T0, %%T0, %%out; "
                   "st.global.b64 [%%T0+%u], %%T1;\n",
                   AT_HALVES * n);
    }
    if (u->predicates) {
        str_append(s, "mov.u32 %t0, 0;\n");
        for (unsigned k = 0; k < PREDICATES; k++)
            if (u->predicates >> k & 1)
                str_printf(s, "selp.u32 %%t1, %u, 0, %%p%u; or.b32 %%t0, %%t0, %%t1;\n", 1u << k, k);
        str_printf(s, "mul.wide.u32 %%T0, %%gid, 4; add.u64 %%T0, %%T0, %%out; st.global.b32 [%%T0+%u], %%t0;\n",
                   AT_PREDICATES * n);
    }
}

static void store_results(const struct ptx_program *p, struct str *s)
{
    const struct ptx_uses *u = &p->uses;
    unsigned n = p->threads * p->grid;
    store_class(s, u->words, "b32", 'r', AT_WORDS, 4, n);
    store_class(s, u->doubles, "b64", 'D', AT_DOUBLES, 8, n);
    store_packed(u, n, s);
    if (!u->local && !u->shared)
        return;
    char step[2][128];
    snprintf(step[0], sizeof step[0], "ld.local.u64 %%T2, [%%T2]; mad.lo.u64 %%T0, %%T0, %llu, %%T2;", OWN_FACTOR);
    snprintf(step[1], sizeof step[1], "ld.shared.u64 %%T2, [%%T2]; mad.lo.u64 %%T1, %%T1, %llu, %%T2;", OWN_FACTOR);
    str_append(s, "mov.u64 %T0, 0; mov.u64 %T1, 0;\n");
    each_own(p, "SUM", step[0], step[1], "", s);
    str_append(s, "mul.wide.u32 %T2, %gid, 8; add.u64 %T2, %T2, %out;\n");
    if (u->local)
        str_printf(s, "st.global.u64 [%%T2+%u], %%T0;\n", AT_OWN * n);
    if (u->shared)
        str_printf(s, "st.global.u64 [%%T2+%u], %%T1;\n", (AT_OWN + 8) * n);
}

void ptx_program_print(const struct ptx_program *p, struct str *s)
{
    str_printf(s, "// grid %u, block %u %u %u\n.version 8.0\n.target sm_90\n.address_size 64\n", p->grid, p->block[0],
               p->block[1], p->block[2]);
    for (unsigned f = 0; f < FUNCTIONS; f++)
        if (calls(p, f))
            function(p, f, s);
    str_append(s, ".visible .entry k(.param .u64 in, .param .u64 out, .param .u64 own, .param .u64 acc)\n{\n");
    registers(s);
    variables(p, s);
    indices(p, s);
    fill_memory(p, s);
    fill_registers(&p->uses, s);
    str_append(s, "// ---\n");
    ptx_code_print(p, &p->body, 0, s);
    str_append(s, "// ---\n");
    store_results(p, s);
    str_append(s, "ret;\n}\n");
}
