// SPDX-License-Identifier: Apache-2.0
// Debug sections of a PTX text: what is kept of them, the variables that the DWARF reader finds, and that it withstands
// any change of any byte.
#include "ptx/dwarf.h"
#include "ptx_text.h"
#include "test.h"

#define ABBREVIATIONS                                                                                                  \
    ".section .debug_abbrev\n{\n.b8 1,17,1,0,0\n"                                                                      \
    ".b8 2,46,1,3,8,17,1,0,0\n.b8 3,52,0,3,8,2,10,73,19,0,0\n.b8 4,36,0,3,8,62,11,11,11,0,0\n.b8 0\n}\n"
// unit; int at 12; f at 19 with x (at memory + 4) and a block-less y (elsewhere)
#define INFO                                                                                                           \
    ".section .debug_info\n{\n.b32 56\n.b8 2,0\n.b32 .debug_abbrev\n.b8 8\n.b8 1\n"                                    \
    ".b8 4,105,110,116,0,5,4\n"                                                                                        \
    ".b8 2,102,0\n.b64 $begin\n"                                                                                       \
    ".b8 3,120,0,11,3\n.b64 memory\n.b8 35,4\n.b32 12\n"                                                               \
    ".b8 3,121,0,1,86\n.b32 12\n"                                                                                      \
    ".b8 0,0\n}\n"
#define STRINGS ".section .debug_str\n{\n$text:\n.b8 97,98,0,99,100,0\n}\n"

static const char text[] =
    PTX_HEAD ".file 1 \"a.cu\"\n.file 2 \"b.h\"\n"
             ".visible .entry f() { .reg .b32 %r<2>;\n .loc 2 7 1, function_name $text+3, "
             "inlined_at 1 20 5\n mov.u32 %r1, 1;\n .loc 1 9 2\n mov.u32 %r1, 2;\n ret; }\n" ABBREVIATIONS INFO STRINGS;

static void finds(const struct ptx_module *m)
{
    struct dwarf d;
    CHECK(dwarf_read(&d, m));
    CHECK(d.entries.len == 5);
    int f = dwarf_function(&d, "f");
    CHECK(f >= 0 && dwarf_function(&d, "g") < 0);
    int variables = 0;
    for (size_t i = 0; i < d.entries.len; i++) {
        const struct dwarf_entry *e = &d.entries.data[i];
        if (!dwarf_is_variable(&d, f, (int)i))
            continue;
        const struct dwarf_entry *t = dwarf_at(&d, e->type);
        variables++;
        CHECK(!strcmp(e->name, "x") && !strcmp(e->symbol, "memory") && e->symbol_offset == 4);
        CHECK(t && t->tag == DWARF_BASE && !strcmp(t->name, "int") && t->size == 4 && t->encoding == 5);
    }
    CHECK(variables == 1);
    dwarf_fini(&d);
}

static void lines(const struct ptx_module *m)
{
    const struct ptx_insn *in = ptx_module_func(m, "f")->insns;
    CHECK(in[0].source.file == 2 && in[0].source.line == 7 && in[0].source.inlined);
    CHECK(in[0].source.inlined && in[0].source.inlined->line == 20 && !strcmp(in[0].source.inlined->function, "cd"));
    CHECK(in[1].source.line == 9 && !in[1].source.inlined);
}

static void withstands(const struct ptx_module *m)
{
    static const uint8_t values[] = {0, 1, 2, 0x7f, 0x80, 0xff};
    for (uint32_t s = 0; s < m->nsections; s++)
        for (uint64_t i = 0; i < m->sections[s].size; i++)
            for (size_t k = 0; k < sizeof values; k++) {
                uint8_t *byte = (uint8_t *)&m->sections[s].data[i], old = *byte;
                struct dwarf d;
                *byte = values[k];
                dwarf_read(&d, m);
                int f = dwarf_function(&d, "f");
                for (size_t e = 0; f >= 0 && e < d.entries.len; e++)
                    dwarf_is_variable(&d, f, (int)e);
                dwarf_fini(&d);
                *byte = old;
            }
    test_passed++;
}

int main(void)
{
    struct ptx_module *m = ptx_load(text, NULL);
    CHECK(m && m->nsections == 3);
    if (m) {
        finds(m);
        lines(m);
        withstands(m);
        finds(m);
    }
    ptx_module_destroy(m);
    char message[1024];
    CHECK(!ptx_load(PTX_HEAD ".section .debug_info { .f32 1 }\n", message) && strstr(message, "t:4:"));
    CHECK((m = ptx_load(PTX_HEAD
                        ".section .debug_info { .b32 a-b\n.b8 -1,2 }\n.section .debug_loc { .b8 1\nx: .b64 y }\n",
                        NULL)) != NULL);
    ptx_module_destroy(m);
    return test_summary();
}
