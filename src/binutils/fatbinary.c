// SPDX-License-Identifier: Apache-2.0
// fatbinary: puts PTX texts and images for several targets into one fat binary.
#include "base/vec.h"
#include "fatbin/fatbin_read.h"
#include "fatbin/fatbin_write.h"
#include "front/front.h"
#define TOOL_DEF "binutils/fatbinary.def"
#include "binutils/table.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct items VEC(struct fatbin_item);

static enum fatbin_packing packing(const struct tool *t, bool elf)
{
    const char *mode = tool_value(t, OPT_COMPRESS_MODE), *on = tool_value(t, OPT_COMPRESS);
    bool all = tool_has(t, OPT_COMPRESS_ALL);
    if ((elf && !all) || (mode && (!strcmp(mode, "none") || !strcmp(mode, "default"))))
        return FATBIN_PACK_NONE;
    if (mode)
        return !strcmp(mode, "size") ? FATBIN_PACK_ZSTD : FATBIN_PACK_LZ4;
    return all || (on && !strcmp(on, "true")) ? FATBIN_PACK_LZ4 : FATBIN_PACK_NONE;
}

static void item_add(struct tool *t, struct items *items, unsigned sm, const char *file, char *data, size_t size,
                     bool elf)
{
    const char *ident = tool_value(t, OPT_IDENT);
    struct fatbin_item item = {.elf = elf,
                               .ptx = data,
                               .size = size,
                               .sm = sm,
                               .name = ident ? ident : file,
                               .debug = tool_has(t, OPT_DEBUG),
                               .packing = packing(t, elf)};
    vec_push(items, item);
}

// An image of ours, which is a fat binary: what it holds goes into the new one.
static bool image_unpack(struct tool *t, struct items *items, const char *file, const char *data, size_t size)
{
    struct diag d;
    struct fatbin f;
    diag_init(&d, file);
    bool ok = fatbin_read(data, size, &f, &d);
    for (size_t i = 0; ok && i < f.entries.len; i++) {
        size_t length;
        char *content = fatbin_entry_read(&f.entries.data[i], &length, &d);
        ok = content != NULL;
        if (ok)
            item_add(t, items, f.entries.data[i].sm, file, content, length, f.entries.data[i].kind != FATBIN_PTX);
    }
    if (ok)
        fatbin_fini(&f);
    else
        tool_print_messages(t, str_text(&d.text));
    diag_fini(&d);
    return ok;
}

static bool file_add(struct tool *t, struct items *items, struct target target, bool elf, const char *file)
{
    size_t size;
    char *data = tool_file_read(t, file, &size);
    if (!data)
        return false;
    if (fatbin_is(data, size)) {
        bool ok = image_unpack(t, items, file, data, size);
        free(data);
        return ok;
    }
    if (elf && memcmp(data, "\177ELF", size < 4 ? size : 4)) {
        free(data);
        return tool_error(t, "'%s' is no device image", file);
    }
    if (!elf && !fatbin_ptx_target(data)) {
        free(data);
        return tool_error(t, "'%s' is no PTX text: it has no .target", file);
    }
    item_add(t, items, target.sm, file, data, elf ? size : strlen(data), elf);
    return true;
}

// "kind=elf,sm=90a,file=NAME" or "profile=compute_80,file=NAME".
static bool image_add(struct tool *t, struct items *items, const char *spec)
{
    char *copy = arena_strdup(&t->arena, spec), *save;
    const char *file = NULL;
    bool elf = true;
    struct target target = {0};
    for (char *word = strtok_r(copy, ",", &save); word; word = strtok_r(NULL, ",", &save)) {
        char *value = strchr(word, '=');
        bool ok = value != NULL;
        if (ok)
            *value++ = 0;
        if (ok && !strcmp(word, "kind")) {
            elf = !strcmp(value, "elf");
            ok = elf || !strcmp(value, "ptx");
        } else if (ok && !strcmp(word, "sm")) {
            ok = target_parse(&target, arena_printf(&t->arena, "sm_%s", value));
        } else if (ok && !strcmp(word, "profile")) {
            elf = !strncmp(value, "sm_", 3);
            ok = target_parse(&target, value);
        } else if (ok && !strcmp(word, "file")) {
            file = value;
        }
        if (!ok)
            return tool_error(t, "'%s' is not understood in image '%s'", word, spec);
    }
    if (!file || !target.sm)
        return tool_error(t, "image '%s' names no %s", spec, file ? "target" : "file");
    return file_add(t, items, target, elf, file);
}

// A C source with the bytes, and the record that the host code registers.
static void source_write(struct str *s, const struct str *fatbin, bool relocatable)
{
    const unsigned char *p = (const unsigned char *)str_text(fatbin);
    str_printf(s,
               "#ifdef __cplusplus\nextern \"C\" {\n#endif\n"
               "static const unsigned long long fatbinData[] __attribute__((section(\"%s\"), used, aligned(8))) = {",
               relocatable ? "__nv_relfatbin" : ".nv_fatbin");
    for (size_t i = 0; i < fatbin->len; i += 8) {
        uint64_t word = 0;
        memcpy(&word, p + i, fatbin->len - i < 8 ? fatbin->len - i : 8);
        str_printf(s, "%s0x%016llxull,", i % 32 ? "" : "\n", (unsigned long long)word);
    }
    str_printf(
        s,
        "\n};\n"
        "static const struct { int magic, version; const unsigned long long *data; void *filename_or_fatbins; }\n"
        "    __fatDeviceText __attribute__((section(\".nvFatBinSegment\"), used, aligned(8))) = {0x%x, 1, fatbinData, "
        "0};\n"
        "#ifdef __cplusplus\n}\n#endif\n",
        FATBIN_WRAPPER_MAGIC);
}

static bool make(struct tool *t)
{
    static const unsigned options[] = {OPT_IMAGE, OPT_IMAGE2, OPT_IMAGE3};
    const char *create = tool_value(t, OPT_CREATE), *embed = tool_value(t, OPT_EMBED);
    struct items items = {0};
    struct str out = {0}, source = {0};
    bool ok = create || embed || tool_error(t, "no output: --create or --embedded-fatbin is needed");
    for (size_t k = 0; k < sizeof options / sizeof options[0]; k++)
        for (size_t i = 0; ok && i < t->values[options[k]].len; i++)
            ok = image_add(t, &items, t->values[options[k]].data[i]);
    if (ok && !items.len)
        ok = tool_error(t, "no images");
    if (ok) {
        fatbin_write(&out, items.data, items.len);
        ok = !create || tool_file_write(t, create, str_text(&out), out.len);
    }
    if (ok && embed) {
        source_write(&source, &out, tool_has(t, OPT_DEVICE_C));
        ok = tool_file_write(t, embed, str_text(&source), source.len);
    }
    for (size_t i = 0; i < items.len; i++)
        free((char *)(uintptr_t)items.data[i].ptx);
    vec_free(&items);
    str_free(&out);
    str_free(&source);
    return ok;
}

int main(int argc, char **argv)
{
    struct tool t = TOOL("fatbinary", "Puts PTX texts and device images into one fat binary.");
    return tool_main(&t, argc, argv, make);
}
