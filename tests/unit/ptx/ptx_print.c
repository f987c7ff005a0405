// SPDX-License-Identifier: Apache-2.0
// The printer and the linker: a print parses to the same print, and several modules become one.
#include "base/os.h"
#include "ptx_text.h"
#include "../test.h"
#include <stdlib.h>

static void check_round_trip(const struct ptx_module *m)
{
    struct str first = {0}, second = {0};
    ptx_module_print(m, &first);
    struct ptx_module *again = ptx_load(str_text(&first), NULL);
    CHECK(again != NULL);
    if (again) {
        ptx_module_print(again, &second);
        CHECK(!strcmp(str_text(&first), str_text(&second)));
        CHECK(again->nfuncs == m->nfuncs && again->nvars == m->nvars);
        for (uint32_t i = 0; i < m->nfuncs; i++) {
            const struct ptx_func *f = m->funcs[i], *g = ptx_module_func(again, f->name);
            CHECK(g && g->ninsns == f->ninsns && g->nregs == f->nregs && g->nlabels == f->nlabels &&
                  g->param_bytes == f->param_bytes && g->address_taken == f->address_taken);
            for (uint32_t k = 0; g && k < f->ninsns && k < g->ninsns; k++) {
                const struct ptx_insn *a = &f->insns[k], *b = &g->insns[k];
                CHECK(a->op == b->op && a->form == b->form && !memcmp(a->types, b->types, sizeof a->types) &&
                      !memcmp(a->mods, b->mods, sizeof a->mods) && a->vec == b->vec && a->space == b->space &&
                      a->space2 == b->space2 && a->noperands == b->noperands && a->source.line == b->source.line);
            }
        }
    }
    ptx_module_destroy(again);
    str_free(&first);
    str_free(&second);
}

static void test_seeds(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        char *text = os_file_read(argv[i], NULL);
        struct ptx_module *m = text ? ptx_load(text, NULL) : NULL;
        CHECK(m != NULL);
        if (m)
            check_round_trip(m);
        ptx_module_destroy(m);
        free(text);
    }
}

static void test_insn_text(void)
{
    struct ptx_module *m = ptx_load_body("@!p add.ftz.rn.f32 f1, f2, 0f3F800000;\nst.global.v2.b32 [l1+-8], {b1, -1};\n"
                                         "vote.ballot.sync.b32 b1, !p, -1;",
                                         NULL);
    static const char *const lines[] = {"@!p add.rn.ftz.f32 f1, f2, 0f3F800000;", "st.global.v2.b32 [l1+-8], {b1, -1};",
                                        "vote.sync.ballot.b32 b1, !p, -1;"};
    CHECK(m != NULL);
    for (int i = 0; m && i < 3; i++) {
        struct str out = {0};
        const struct ptx_func *f = ptx_module_func(m, "k");
        ptx_insn_print(f, &f->insns[i], &out);
        CHECK(!strcmp(str_text(&out), lines[i]));
        str_free(&out);
    }
    ptx_module_destroy(m);
}

static struct ptx_module *link_texts(const char *const *texts, size_t n, char *message)
{
    struct ptx_module *modules[4] = {0}, *out = NULL;
    struct diag d;
    bool ok = true;
    diag_init(&d, "link");
    for (size_t i = 0; i < n; i++)
        ok = (modules[i] = ptx_load(texts[i], NULL)) != NULL && ok;
    if (ok)
        out = ptx_module_link(modules, n, &d);
    for (size_t i = 0; i < n; i++)
        ptx_module_destroy(modules[i]);
    snprintf(message, 1024, "%s", str_text(&d.text));
    diag_fini(&d);
    return out;
}

static void test_link(void)
{
    static const char *const texts[] = {
        PTX_HEAD ".extern .func (.param .b32 r) helper(.param .b32 x);\n.extern .global .u32 shared_count;\n"
                 ".global .u32 local_count = 1;\n.weak .global .u32 weak_one = 5;\n.func inner() { ret; }\n.common "
                 ".global .u32 big;\n"
                 ".visible .entry k() { .reg .b32 r; .param .b32 a, b; call (b), helper, (a); call inner;\n"
                 " ld.global.u32 r, [shared_count]; ld.global.u32 r, [local_count]; ret; }",
        PTX_HEAD
        ".visible .global .u32 shared_count = 3;\n.global .u32 local_count = 2;\n.weak .global .u32 weak_one = 6;\n"
        ".common .global .u32 big[4];\n.func inner() { exit; }\n.global .u64 where = local_count;\n"
        ".visible .func (.param .b32 r) helper(.param .b32 x) { call inner; ret; }"};
    char message[1024];
    struct ptx_module *m = link_texts(texts, 2, message);
    CHECK(m != NULL);
    if (!m) {
        fputs(message, stderr);
        return;
    }
    struct diag d;
    diag_init(&d, NULL);
    CHECK(ptx_module_verify(m, &d));
    diag_fini(&d);
    const struct ptx_func *k = ptx_module_func(m, "k"), *helper = ptx_module_func(m, "helper");
    CHECK(k && helper && helper->has_body && k->insns[0].operands[1].func == helper);
    CHECK(k->insns[1].operands[1].func != helper->insns[0].operands[1].func);
    CHECK(k->insns[1].operands[1].func->insns[0].op == PTX_OP_RET);
    CHECK(ptx_module_var(m, "shared_count") && !ptx_module_var(m, "shared_count")->is_extern);
    CHECK(k->insns[2].operands[1].list[0].var == ptx_module_var(m, "shared_count"));
    CHECK(k->insns[3].operands[1].list[0].var->init[0] == 1);
    CHECK(ptx_module_var(m, "where")->relocs[0].var->init[0] == 2);
    CHECK(ptx_module_var(m, "weak_one")->init[0] == 5 && ptx_module_var(m, "big")->size == 16);
    ptx_module_destroy(m);

    static const char *const twice[] = {PTX_HEAD ".visible .func f() { ret; }",
                                        PTX_HEAD ".visible .func f() { exit; }"};
    CHECK(!link_texts(twice, 2, message) && strstr(message, "more than one module"));
    static const char *const mixed[] = {PTX_HEAD ".visible .func f() { ret; }", PTX_HEAD ".visible .global .u32 f;"};
    CHECK(!link_texts(mixed, 2, message) && strstr(message, "'f'"));
}

int main(int argc, char **argv)
{
    test_seeds(argc, argv);
    test_insn_text();
    test_link();
    return test_summary();
}
