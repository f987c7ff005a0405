// SPDX-License-Identifier: Apache-2.0
// The PTX linker: symbols across texts, names kept apart, errors; damaged texts give errors only. And the fat binary
// writer: what it writes, the reader reads.
#include "fatbin/ptx_link.h"
#include "fatbin/fatbin_read.h"
#include "fatbin/fatbin_write.h"
#include "test.h"
#include <stdlib.h>
#include <string.h>

#define HEAD(version, sm) ".version " version "\n.target sm_" sm "\n.address_size 64\n"

static const char caller[] = HEAD("8.5", "75") "// a comment with { and ;\n"
                                               ".extern .func (.param .b32 r) twice (.param .b32 p);\n"
                                               ".extern .global .align 4 .u32 counter;\n"
                                               ".extern .shared .align 4 .b8 buffer[];\n"
                                               ".global .align 1 .b8 text[3] = {104, 105, 0};\n"
                                               ".file 1 \"one.cu\"\n"
                                               ".func helper() { ret; }\n"
                                               ".weak .func both() { ret; }\n"
                                               ".visible .entry k(.param .u64 p)\n{\n"
                                               ".loc 1 7 3, function_name $L__info_string0, inlined_at 1 5 2\n"
                                               " .reg .b32 %r<3>; /* } */\n mov.u32 %r1, text; call helper, ();\n "
                                               "ld.global.u32 %r2, [counter+0];\n ret;\n}\n"
                                               ".section .debug_str { $L__info_string0: .b8 1 }\n";
static const char callee[] = HEAD(
    "8.6", "80") ".file 1 \"two.cu\"\n"
                 ".visible .global .align 4 .u32 counter = 7;\n"
                 ".extern .shared .align 4 .b8 buffer[];\n"
                 ".global .align 1 .b8 text[3] = {1, 2, 3};\n"
                 ".func helper() { ret; }\n"
                 ".weak .func both() { ret; }\n"
                 ".visible .func (.param .b32 r) twice (.param .b32 p)\n{\n.loc 1 2 1\n call helper, ();\n ret;\n}\n";

static char *link_two(const char *a, const char *b, bool complete, struct diag *d)
{
    struct ptx_link_input in[2] = {{"a", a}, {"b", b}};
    struct str out = {0};
    bool ok = ptx_link(in, b ? 2 : 1, 0, complete, &out, d);
    char *text = ok ? strdup(str_text(&out)) : NULL;
    str_free(&out);
    return text;
}

static unsigned count_of(const char *text, const char *what)
{
    unsigned n = 0;
    for (const char *p = text; (p = strstr(p, what)); p += strlen(what))
        n++;
    return n;
}

// The letter of the target stays, where a text has it for that target.
static void check_letters(void)
{
    static const struct {
        const char *a, *b, *line;
    } cases[] = {{HEAD("8.6", "90a"), HEAD("8.6", "80"), ".target sm_90a\n"},
                 {HEAD("8.6", "90"), HEAD("8.6", "90a"), ".target sm_90a\n"},
                 {HEAD("8.8", "100f"), HEAD("8.8", "100"), ".target sm_100f\n"},
                 {HEAD("8.8", "100f"), HEAD("8.8", "100a"), ".target sm_100a\n"},
                 {HEAD("8.8", "90a"), HEAD("8.8", "100"), ".target sm_100\n"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct diag d;
        diag_init(&d, "link");
        char *t = link_two(cases[i].a, cases[i].b, true, &d);
        CHECK(t && strstr(t, cases[i].line));
        free(t);
        diag_fini(&d);
    }
}

static void check_linked(void)
{
    struct diag d;
    diag_init(&d, "link");
    char *t = link_two(caller, callee, true, &d);
    CHECK(t);
    if (t) {
        CHECK(!strncmp(t, ".version 8.6\n.target sm_80\n.address_size 64\n", 41));
        CHECK(count_of(t, ".version") == 1 && count_of(t, ".target") == 1);
        CHECK(!strstr(t, ".section") && !strstr(t, "comment") && !strstr(t, "info_string"));
        CHECK(count_of(t, ".visible .func (.param .b32 r) twice") == 2); // prototype and body
        CHECK(!strstr(t, ".extern .func") && !strstr(t, ".extern .global"));
        CHECK(count_of(t, ".extern .shared") == 1);
        CHECK(count_of(t, "counter = 7") == 1);
        CHECK(strstr(t, "text$0[3] = {104") && strstr(t, "text$1[3] = {1") && strstr(t, "mov.u32 %r1, text$0;"));
        CHECK(count_of(t, ".func helper$0()") == 2 && count_of(t, ".func helper$1()") == 2);
        CHECK(strstr(t, "call helper$0, ()") && strstr(t, "call helper$1, ()"));
        CHECK(count_of(t, ".weak .func both") == 2);
        CHECK(strstr(t, ".file 1 \"one.cu\"") && strstr(t, ".file 2 \"two.cu\""));
        CHECK(strstr(t, ".loc 1 7 3\n") && strstr(t, ".loc 2 2 1\n"));
        CHECK(strstr(t, "twice") < strstr(t, ".entry"));
    }
    free(t);
    t = link_two(callee, NULL, true, &d);
    CHECK(t && strstr(t, ".func helper()") && !strstr(t, "$0"));
    free(t);
    CHECK(!d.errors);
    diag_fini(&d);
}

static void check_errors(void)
{
    struct diag d;
    diag_init(&d, "link");
    char *t = link_two(caller, NULL, true, &d);
    CHECK(!t && strstr(str_text(&d.text), "'twice' is used in 'a' and defined nowhere"));
    free(t);
    t = link_two(caller, NULL, false, &d);
    CHECK(t && strstr(t, ".extern .func"));
    free(t);
    diag_fini(&d);
    diag_init(&d, "link");
    t = link_two(callee, callee, true, &d);
    CHECK(!t && strstr(str_text(&d.text), "is defined in 'a' and in 'b'"));
    free(t);
    t = link_two(HEAD("8.0", "70") ".visible .entry k() { ret;\n", NULL, true, &d);
    CHECK(!t && strstr(str_text(&d.text), "not closed"));
    free(t);
    t = link_two(HEAD("8.0", "70") ".extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b);\n", NULL,
                 true, &d);
    CHECK(t);
    free(t);
    diag_fini(&d);
}

static void check_damage(void)
{
    unsigned seed = 1;
    size_t size = strlen(caller), survived = 0;
    for (int i = 0; i < 20000; i++) {
        char *copy = strdup(caller);
        for (int k = 0; k < 1 + i % 5; k++) {
            seed = seed * 1103515245 + 12345;
            copy[(seed >> 8) % size] = "{}()[];\"./\n$x "[(seed >> 4) % 14];
        }
        struct diag d;
        diag_init(&d, "link");
        char *t = link_two(copy, i % 2 ? callee : copy, true, &d);
        survived += t != NULL;
        if (!t && !d.errors)
            CHECK(!"an error has a message");
        free(t);
        free(copy);
        diag_fini(&d);
    }
    CHECK(survived < 20000);
}

static void check_fatbin(void)
{
    struct str out = {0};
    struct fatbin_item items[] = {{.ptx = callee, .size = strlen(callee), .sm = 80, .name = "two.cu"},
                                  {.ptx = caller, .size = strlen(caller), .sm = 75, .debug = true}};
    fatbin_write(&out, items, 2);
    struct diag d;
    struct fatbin f;
    diag_init(&d, "fatbin");
    CHECK(fatbin_read(out.data, out.len, &f, &d));
    CHECK(f.entries.len == 2);
    if (f.entries.len == 2) {
        const struct fatbin_entry *e = &f.entries.data[0];
        CHECK(e->kind == FATBIN_PTX && e->sm == 80 && e->ptx_major == 8 && e->ptx_minor == 6);
        CHECK(e->name_size == 6 && !memcmp(e->name, "two.cu", 6));
        CHECK(f.entries.data[1].flags & FATBIN_DEBUG);
        size_t size;
        char *text = fatbin_entry_read(e, &size, &d);
        CHECK(text && !strcmp(text, callee));
        free(text);
    }
    fatbin_fini(&f);
    diag_fini(&d);
    str_free(&out);
    CHECK(fatbin_ptx_target(caller) == 75 && fatbin_ptx_target("") == 0);
}

int main(void)
{
    check_letters();
    check_linked();
    check_errors();
    check_damage();
    check_fatbin();
    return test_summary();
}
