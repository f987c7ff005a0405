// SPDX-License-Identifier: Apache-2.0
// The lexer and the parser: numbers, declarations, operands, scopes, functions, and where errors are reported.
#include "ptx/form.h"
#include "ptx/parse/lex.h"
#include "ptx_text.h"
#include "test.h"

static struct ptx_token lex_one(const char *text, bool *ok)
{
    struct diag d;
    struct ptx_lexer x;
    struct ptx_token t;
    diag_init(&d, "t");
    ptx_lexer_init(&x, text, strlen(text), &d);
    *ok = ptx_lexer_next(&x, &t);
    diag_fini(&d);
    return t;
}

static void test_tokens(void)
{
    static const struct {
        const char *text;
        enum ptx_token_kind kind;
        uint64_t value;
    } good[] = {{"0", PTX_TOKEN_INT, 0},
                {"017", PTX_TOKEN_INT, 15},
                {"0x1Fu", PTX_TOKEN_INT, 31},
                {"0b101U", PTX_TOKEN_INT, 5},
                {"18446744073709551615", PTX_TOKEN_INT, UINT64_MAX},
                {"0f3F800000", PTX_TOKEN_F32, 0x3f800000},
                {"0d3FF0000000000000", PTX_TOKEN_F64, 0x3ff0000000000000},
                {"1.5", PTX_TOKEN_F64, 0x3ff8000000000000},
                {"25e-1", PTX_TOKEN_F64, 0x4004000000000000},
                {"2.", PTX_TOKEN_F64, 0x4000000000000000},
                {"<<", PTX_TOKEN_PUNCT, PTX_PUNCT2('<', '<')},
                {"/* a\nb */ // c\n ;", PTX_TOKEN_PUNCT, ';'},
                {"# line 3\n,", PTX_TOKEN_PUNCT, ','}};
    static const char *const bad[] = {"0x",        "0b2",  "09",          "0f3F8", "0d0",   "18446744073709551616",
                                      "/* no end", "\"no", "\"no\nend\"", "`",     "12abc", ". ",
                                      "\x80"};
    bool ok;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        struct ptx_token t = lex_one(good[i].text, &ok);
        CHECK(ok && t.kind == good[i].kind && t.value == good[i].value);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        lex_one(bad[i], &ok);
        CHECK(!ok);
    }
    struct ptx_token t = lex_one("\n\n  .shared::cta.u32", &ok);
    CHECK(t.kind == PTX_TOKEN_DOT && t.len == 11 && t.loc.line == 3 && t.loc.column == 3);
    t = lex_one("%tid.x", &ok);
    CHECK(t.kind == PTX_TOKEN_IDENT && t.len == 4);
    t = lex_one("", &ok);
    CHECK(ok && t.kind == PTX_TOKEN_END);
}

// Each expression as an operand, with its value.
static void test_expressions(void)
{
    static const struct {
        const char *text;
        int64_t value;
    } table[] = {{"1 + 2 * 3", 7},
                 {"(1 + 2) * 3", 9},
                 {"-7 / 2", -3},
                 {"-7 % 3", -1},
                 {"1 << 3 | 1", 9},
                 {"~0", -1},
                 {"!5", 0},
                 {"3 > 2 ? 10 : 20", 10},
                 {"WARP_SZ - 1", 31},
                 {"5 & 6 ^ 1", 5},
                 {"1 == 1 && 0 != 0", 0},
                 {"0 || 2", 1},
                 {"(.u64) -1 >> 63", 1},
                 {"-1 >> 63", -1},
                 {"2 <= 2", 1},
                 {"- - 3", 3},
                 {"1 << 64", 0},
                 {"- 9223372036854775807 - 1", INT64_MIN}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        char body[128];
        snprintf(body, sizeof body, "add.s64 l1, l2, %s;", table[i].text);
        struct ptx_module *m = ptx_load_body(body, NULL);
        CHECK(m && ptx_module_func(m, "k")->insns[0].operands[2].i == table[i].value);
        ptx_module_destroy(m);
    }
}

static void test_variables(void)
{
    struct ptx_module *m =
        ptx_load(PTX_HEAD ".extern .shared .align 16 .b8 dyn[];\n"
                          ".const .align 4 .f32 t[3] = {1.0, 0f40000000};\n"
                          ".visible .global .u32 c = -2;\n"
                          ".global .u64 p[2] = {c, generic(later)+8};\n"
                          ".global .u8 s[2] = {0xff(c), 0xff00(c+4)};\n"
                          ".global .attribute(.managed) .align 16 .s16 mm[2][3] = {{1}, {4, 5, -1}};\n"
                          ".global .v2 .f32 v[2] = {{1.0, 2.0}, {3.0, 4.0}};\n"
                          ".global .u32 open[] = {1, 2, 3};\n"
                          ".global .u32 later[4];\n"
                          ".visible .entry k(.param .u8 a, .param .u64 .ptr .global .align 4 b, .param .align 16 .b8 "
                          "c[20], .param .u16 d)\n"
                          "{ ret; }",
                 NULL);
    CHECK(m != NULL);
    if (!m)
        return;
    struct ptx_var *v = ptx_module_var(m, "dyn");
    CHECK(v && v->unsized && v->is_extern && v->align == 16 && v->space == PTX_SPACE_SHARED);
    v = ptx_module_var(m, "t");
    CHECK(v && v->size == 12 && v->has_init && !memcmp(v->init, "\0\0\x80\x3f\0\0\0\x40\0\0\0", 12));
    v = ptx_module_var(m, "c");
    CHECK(v && v->is_visible && v->size == 4 && !memcmp(v->init, "\xfe\xff\xff\xff", 4));
    v = ptx_module_var(m, "p");
    CHECK(v && v->nrelocs == 2 && v->relocs[0].var == ptx_module_var(m, "c") && !v->relocs[0].generic);
    CHECK(v && v->relocs[1].var == ptx_module_var(m, "later") && v->relocs[1].generic && v->relocs[1].addend == 8 &&
          v->relocs[1].offset == 8 && v->relocs[1].size == 8);
    v = ptx_module_var(m, "s");
    CHECK(v && v->nrelocs == 2 && v->relocs[1].size == 1 && v->relocs[1].shift == 8 && v->relocs[1].addend == 4);
    v = ptx_module_var(m, "mm");
    CHECK(v && v->is_managed && v->align == 16 && v->size == 12 && v->init[0] == 1 && v->init[6] == 4 &&
          v->init[11] == 0xff);
    v = ptx_module_var(m, "v");
    CHECK(v && v->vec == 2 && v->size == 16 && v->align == 8);
    v = ptx_module_var(m, "open");
    CHECK(v && v->size == 12 && !v->unsized);
    struct ptx_func *f = ptx_module_func(m, "k");
    CHECK(f && f->proto.nparams == 4 && f->param_bytes == 38);
    CHECK(f && f->proto.params[1]->offset == 8 && f->proto.params[1]->ptr && f->proto.params[1]->ptr_align == 4);
    CHECK(f && f->proto.params[2]->offset == 16 && f->proto.params[3]->offset == 36);
    ptx_module_destroy(m);
}

// One instruction and what the parser makes of it.
static void test_instructions(void)
{
    struct ptx_module *m = ptx_load_body("mul.wide.s32 l1, s1, -4;\n"
                                         "@!p cvt.rn.f32.s32 f1, s1;\n"
                                         "setp.lt.and.f32 p|q, f1, f2, !q;\n"
                                         "ld.volatile.shared.v4.f32 {f0, f1, f2, f3}, [sv+16];\n"
                                         "atom.add.release.gpu.u32 u1, [l1+-8], 5;\n"
                                         "atom.global.cas.b32 b1, [gv], b2, 0x10;\n"
                                         "vote.ballot.sync.b32 b1, !p, -1;\n"
                                         "ld.global.v4.f32 v, [l1];\n"
                                         "add.f32 f1, v.x, v.a;\n"
                                         "mov.u64 l1, ga[2];\n"
                                         "shfl.sync.up.b32 b1|p, b2, 1, 0, -1;\n"
                                         "mov.u32 u1, %tid.y;\n"
                                         "cp.async.cg.shared.global [sv], [l1], 16, u1;\n"
                                         "ld.global.L2::128B.L1::no_allocate.nc.u32 u1, [l1];\n"
                                         "bar.red.popc.u32 u1, 0, !p;\n"
                                         "tex.2d.v4.f32.f32 {f0, f1, f2, f3}, [l1, {f4, f5}];",
                                         NULL);
    CHECK(m != NULL);
    if (!m)
        return;
    const struct ptx_insn *i = ptx_module_func(m, "k")->insns;
    CHECK(i[0].op == PTX_OP_MUL && i[0].mods[PTX_MODCAT_MUL] == PTX_MOD_WIDE && i[0].types[0] == PTX_TYPE_S32 &&
          i[0].operands[2].kind == PTX_OPERAND_INT && i[0].operands[2].i == -4);
    CHECK(i[1].guarded && i[1].guard_negated && i[1].ntypes == 2 && i[1].types[0] == PTX_TYPE_F32 &&
          i[1].types[1] == PTX_TYPE_S32 && i[1].mods[PTX_MODCAT_ROUND] == PTX_MOD_RN);
    CHECK(i[2].mods[PTX_MODCAT_CMP] == PTX_MOD_LT && i[2].mods[PTX_MODCAT_BOOL] == PTX_MOD_AND &&
          i[2].operands[0].pair && i[2].operands[3].negated);
    CHECK(i[3].vec == 4 && i[3].space == PTX_SPACE_SHARED && i[3].mods[PTX_MODCAT_SEM] == PTX_MOD_VOLATILE &&
          i[3].operands[0].nlist == 4 && i[3].operands[1].i == 16 &&
          i[3].operands[1].list[0].var == ptx_module_var(m, "sv"));
    CHECK(i[4].mods[PTX_MODCAT_OP] == PTX_MOD_ADD && i[4].mods[PTX_MODCAT_SEM] == PTX_MOD_RELEASE &&
          i[4].mods[PTX_MODCAT_SCOPE] == PTX_MOD_GPU && i[4].space == PTX_SPACE_GENERIC && i[4].operands[1].i == -8);
    CHECK(i[5].mods[PTX_MODCAT_OP] == PTX_MOD_CAS && i[5].space == PTX_SPACE_GLOBAL && i[5].noperands == 4);
    CHECK(i[6].mods[PTX_MODCAT_VOTE] == PTX_MOD_BALLOT && i[6].mods[PTX_MODCAT_SYNC] == PTX_MOD_SYNC);
    CHECK(i[7].operands[0].kind == PTX_OPERAND_VECTOR && i[7].operands[0].nlist == 4 && i[7].vec == 4);
    CHECK(i[8].operands[1].component == 0 && i[8].operands[2].component == 3);
    CHECK(i[9].operands[1].kind == PTX_OPERAND_VAR && i[9].operands[1].i == 8);
    CHECK(i[10].mods[PTX_MODCAT_SHFL] == PTX_MOD_UP && i[10].operands[0].pair && i[10].noperands == 5);
    CHECK(i[11].operands[1].sreg == PTX_SREG_TID_Y);
    CHECK(i[12].space == PTX_SPACE_SHARED && i[12].space2 == PTX_SPACE_GLOBAL &&
          i[12].mods[PTX_MODCAT_CACHE] == PTX_MOD_CG);
    CHECK(i[13].mods[PTX_MODCAT_NC] == PTX_MOD_NC && i[13].mods[PTX_MODCAT_PREFETCH] == PTX_MOD_L2__128B);
    CHECK(i[14].mods[PTX_MODCAT_ACTION] == PTX_MOD_RED && i[14].mods[PTX_MODCAT_OP] == PTX_MOD_POPC);
    CHECK(i[15].mods[PTX_MODCAT_GEOM] == PTX_MOD_2D && i[15].operands[1].kind == PTX_OPERAND_TEXTURE);
    CHECK(i[3].loc.line == 9 && i[3].loc.column == 1);
    ptx_module_destroy(m);
}

static void test_functions(void)
{
    struct ptx_module *m = ptx_load(
        PTX_HEAD ".func (.param .b32 r) one(.param .b32 x);\n.func two();\n.visible .func other();\n"
                 ".global .u64 table = two;\n"
                 ".visible .entry k() .maxntid 8, 4 .minnctapersm 2 {\n .reg .b32 r<4>; .reg .b64 rd; .reg .pred p;\n"
                 " .param .b32 a, b; .loc 1 20 3\n call (b), one, (a);\n"
                 " P: .callprototype (.param .b32 _) _ (.param .b32 _);\n mov.u64 rd, other; call (b), rd, (a), P;\n"
                 " T: .branchtargets X, Y;\n brx.idx r1, T;\n"
                 " X: { .reg .b64 r1; Y: mov.u64 r1, 1; bra Y; }\n Y: ret;\n}\n"
                 ".func (.param .b32 r) one(.param .b32 x) { ret; }\n"
                 ".func two() { ret; }\n.alias other, two;",
        NULL);
    CHECK(m != NULL);
    if (!m)
        return;
    const struct ptx_func *k = ptx_module_func(m, "k"), *one = ptx_module_func(m, "one"),
                          *two = ptx_module_func(m, "two");
    CHECK(m->nfuncs == 4 && one->has_body && !one->address_taken && two->address_taken);
    CHECK(ptx_module_func(m, "other")->alias == two && ptx_module_func(m, "other")->address_taken);
    CHECK(k->maxntid[0] == 8 && k->maxntid[1] == 4 && k->maxntid[2] == 1 && k->minnctapersm == 2);
    CHECK(k->insns[0].op == PTX_OP_CALL && k->insns[0].noperands == 4 && k->insns[0].operands[1].func == one &&
          k->insns[0].source.line == 20);
    CHECK(k->insns[2].operands[3].kind == PTX_OPERAND_PROTO && k->insns[2].operands[3].proto->nparams == 1);
    CHECK(k->insns[3].op == PTX_OP_BRX && k->insns[3].operands[1].kind == PTX_OPERAND_LABELS &&
          k->insns[3].operands[1].nlist == 2);
    // Y outside the block is another label than Y inside.
    CHECK(k->nlabels == 3 && k->labels[k->insns[5].operands[0].label].insn == 4 &&
          k->labels[k->insns[3].operands[1].list[1].label].insn == 6);
    CHECK(k->regs[k->insns[4].operands[0].reg].type == PTX_TYPE_B64);
    ptx_module_destroy(m);
}

static void test_opcodes(void)
{
    static const char *const opcodes[] = {
#include "ptx_opcodes.inc"
    };
    for (size_t i = 0; i < sizeof opcodes / sizeof *opcodes; i++) {
        bool found = ptx_form_find(opcodes[i]) >= 0;
        if (!found)
            fprintf(stderr, "%s\n", opcodes[i]);
        CHECK(found);
    }
}

// Texts that must be refused, with the place that the message names.
static void test_errors(void)
{
    static const struct {
        const char *text, *place;
    } table[] = {{"", "t:1:1:"},
                 {".target sm_90", "t:1:1:"},
                 {".version 8", "t:1:10:"},
                 {".version 8.0\n", "t:2:1:"},
                 {".version 8.0\n.target gpu", "t:2:9:"},
                 {PTX_HEAD ".entry k( { }", "t:4:11:"},
                 {PTX_HEAD ".entry k() {", "t:4:13:"},
                 {PTX_HEAD ".entry k() {\n  bra nowhere;\n}", "t:5:7:"},
                 {PTX_HEAD ".entry k() {\n  addd.s32 %r1, 1, 2;\n}", "t:5:3:"},
                 {PTX_HEAD ".entry k() {\n  .reg .b32 r;\n  add.s33 r, 1, 2;\n}", "t:6:6:"},
                 {PTX_HEAD ".entry k() {\n  .reg .b32 r;\n  add.s32 r, q, 2;\n}", "t:6:14:"},
                 {PTX_HEAD ".entry k() {\n  .reg .b32 r;\n  add.s32 r, 2, 3\n}", "t:7:1:"},
                 {PTX_HEAD ".entry k() {\n  .reg .b32 r<4>;\n  mov.b32 r4, 2;\n}", "t:6:11:"},
                 {PTX_HEAD ".global .b8 x[1 << 60];", "t:4:15:"},
                 {PTX_HEAD ".global .b8 x[1 << 35] = {1};", "t:4:13:"},
                 {PTX_HEAD ".global .b8 x[2] = {1, 2, 3};", "t:4:27:"},
                 {PTX_HEAD ".global .u64 x = nosuch;", "t:4:18:"},
                 {PTX_HEAD ".global .align 3 .b8 x;", "t:4:9:"},
                 {PTX_HEAD ".global .u32 x; .global .u32 x;", "t:4:30:"},
                 {PTX_HEAD ".entry k(.param .b8 x[40000]) { }", "t:4:21:"},
                 {PTX_HEAD ".const .u32 x = 1 / 0;", "t:4:19:"},
                 {PTX_HEAD ".alias a, b;", "t:4:8:"},
                 {PTX_HEAD ".reg .b32 r;", "t:4:1:"}};
    char text[1024];
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct ptx_module *m = ptx_load(table[i].text, text);
        CHECK(!m);
        CHECK(!strncmp(text, table[i].place, strlen(table[i].place)));
        if (strncmp(text, table[i].place, strlen(table[i].place)))
            fprintf(stderr, "%s: %s", table[i].place, text);
        ptx_module_destroy(m);
    }
    // Deep nesting ends in a message, not in the stack; huge ranges cost nothing.
    static char deep[1 << 15];
    int n = snprintf(deep, sizeof deep, PTX_HEAD ".const .u32 x = ");
    memset(deep + n, '(', 20000);
    CHECK(!ptx_load(deep, text) && strstr(text, "nested too deeply"));
    memset(deep + n, '-', 20000);
    CHECK(!ptx_load(deep, text) && strstr(text, "nested too deeply"));
    n = snprintf(deep, sizeof deep, PTX_HEAD ".entry k() ");
    memset(deep + n, '{', 20000);
    CHECK(!ptx_load(deep, text) && strstr(text, "nested too deeply"));
    struct ptx_module *m =
        ptx_load(PTX_HEAD ".entry k() { .reg .b32 %r<4000000000>; mov.b32 %r399999999, 1; ret; }", NULL);
    CHECK(m && ptx_module_func(m, "k")->nregs == 1);
    ptx_module_destroy(m);
}

// What stands before bodies is there, bodies are not; the rest of the text is found behind them.
static void test_outline(void)
{
    static const char text[] =
        PTX_HEAD ".global .u32 g = 7;\n.func one();\n.visible .entry k(.param .u64 p, .param .u32 n) .maxntid 8, 4 {\n"
                 " .pragma \"}\"; // }\n # }\n /* } */ { { } } .reg .b32 %r<9>; mov.b32 %r1, 6/2; ret; }\n"
                 ".func one() { ret; }\n.global .u64 last = one;\n";
    static const char own[] = PTX_HEAD ".entry k() { .global .u32 g; ret; }";
    struct diag d;
    diag_init(&d, "t");
    struct ptx_module *m = ptx_load(text, NULL), *o = ptx_module_outline(text, strlen(text), NULL, &d);
    CHECK(m && o && o->outline && !m->outline && ptx_module_matches(o, m));
    const struct ptx_func *k = o ? ptx_module_func(o, "k") : NULL;
    CHECK(k && k->has_body && !k->ninsns && k->param_bytes == 12 && k->maxntid[1] == 4 && ptx_module_var(o, "last"));
    ptx_module_destroy(m);
    ptx_module_destroy(o);
    // Bodies that were noted are passed over unread, and what stands behind them has the same lines. What does not fit is read.
    struct ptx_bodies bodies = {0};
    m = ptx_load(text, NULL);
    ptx_module_destroy(ptx_module_outline(text, strlen(text), &bodies, &d));
    CHECK(bodies.len == 2);
    char *copy = strdup(text);
    memset(copy + bodies.data[0].from, '"', bodies.data[0].to - bodies.data[0].from);
    o = ptx_module_outline(copy, strlen(copy), &bodies, &d);
    CHECK(o && ptx_module_matches(o, m) && ptx_module_func(o, "one")->loc.line == ptx_module_func(m, "one")->loc.line);
    ptx_module_destroy(o);
    free(copy);
    bodies.data[0].to = UINT32_MAX;
    bodies.data[1].from++;
    o = ptx_module_outline(text, strlen(text), &bodies, &d);
    CHECK(o && ptx_module_matches(o, m));
    ptx_module_destroy(o);
    ptx_module_destroy(m);
    vec_free(&bodies);
    m = ptx_load(own, NULL);
    o = ptx_module_outline(own, strlen(own), NULL, &d);
    CHECK(m && o && !ptx_module_matches(o, m));
    ptx_module_destroy(m);
    ptx_module_destroy(o);
    CHECK(!ptx_module_outline(text, strlen(text) - 60, NULL, &d));
    CHECK(strstr(str_text(&d.text), "is expected before the end"));
    diag_fini(&d);
}

int main(void)
{
    test_outline();
    test_tokens();
    test_expressions();
    test_variables();
    test_instructions();
    test_functions();
    test_opcodes();
    test_errors();
    return test_summary();
}
