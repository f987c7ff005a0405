// SPDX-License-Identifier: Apache-2.0
// bin2c: a file as an array in C.
#define TOOL_DEF "binutils/bin2c.def"
#include "binutils/table.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct type {
    const char *name, *plain, *exact, *suffix;
    unsigned size;
} types[] = {{"char", "unsigned char", "uint8_t", "", 1},
             {"short", "unsigned short", "uint16_t", "", 2},
             {"int", "unsigned int", "uint32_t", "", 4},
             {"longlong", "unsigned long long", "uint64_t", "ULL", 8}};

static bool convert(struct tool *t)
{
    const char *name = tool_value(t, OPT_NAME), *type = tool_value(t, OPT_TYPE);
    const char *align = tool_value(t, OPT_ALIGNMENT), *section = tool_value(t, OPT_SECTION);
    bool exact = tool_has(t, OPT_STDINT);
    const struct type *of = type ? NULL : &types[0];
    for (size_t i = 0; type && i < sizeof types / sizeof types[0]; i++)
        of = strcmp(types[i].name, type) ? of : &types[i];
    if (!of)
        return tool_error(t, "'%s' is no type of elements: char, short, int or longlong", type);
    if (t->inputs.len != 1)
        return tool_error(t, "one input file is expected");
    size_t size;
    char *data = tool_file_read(t, t->inputs.data[0], &size);
    if (!data)
        return false;
    struct str bytes = {0}, out = {0};
    str_append_n(&bytes, data, size);
    free(data);
    for (size_t i = 0; i < t->values[OPT_PADDING].len; i++) {
        char c = (char)strtoul(t->values[OPT_PADDING].data[i], NULL, 0);
        str_append_n(&bytes, &c, 1);
    }
    name = name ? name : "imageBytes";
    str_printf(&out, "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n%s", exact ? "#include <stdint.h>\n\n" : "");
    str_printf(&out, "%s%s%s %s[]", tool_has(t, OPT_STATIC) ? "static " : "", tool_has(t, OPT_CONST) ? "const " : "",
               exact ? of->exact : of->plain, name);
    if (align)
        str_printf(&out, " __attribute__((aligned(%s)))", align);
    if (section)
        str_printf(&out, " __attribute__((section(\"%s\")))", section);
    str_append(&out, " = {");
    for (size_t i = 0; i < bytes.len; i += of->size) {
        uint64_t value = 0; // both machines are little-endian
        memcpy(&value, str_text(&bytes) + i, bytes.len - i < of->size ? bytes.len - i : of->size);
        str_printf(&out, "%s0x%0*llx%s",
                   i % 16 ? ","
                   : i    ? ",\n"
                          : "\n",
                   (int)of->size * 2, (unsigned long long)value, of->suffix);
    }
    str_append(&out, bytes.len ? "\n};\n\n" : "0};\n\n");
    if (tool_has(t, OPT_LENGTH))
        str_printf(&out, "%s %sLength = %zu;\n\n", exact ? "uint32_t" : "unsigned int", name, size);
    str_append(&out, "#ifdef __cplusplus\n}\n#endif\n");
    bool ok = tool_file_write(t, "-", str_text(&out), out.len);
    str_free(&bytes);
    str_free(&out);
    return ok;
}

int main(int argc, char **argv)
{
    struct tool t = TOOL("bin2c", "Writes a file as an array in C, to standard output.");
    return tool_main(&t, argc, argv, convert);
}
