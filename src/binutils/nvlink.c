// SPDX-License-Identifier: Apache-2.0
// nvlink: links the relocatable device code of objects, archives and images into one image. The compiler driver does
// the same by itself; this is for build systems that call the linker.
#include "base/os.h"
#include "fatbin/device_link.h"
#include "fatbin/fatbin_write.h"
#include "front/ptx/assemble.h"
#include "front/front.h"
#define TOOL_DEF "binutils/nvlink.def"
#include "binutils/table.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SYMBOL_PREFIX "__cudaRegisterLinkedBinary"

// A PTX text or an image takes part as the fat binary of an object does.
static bool image_add(struct tool *t, struct objects *o, const char *path)
{
    size_t size;
    char *data = tool_file_read(t, path, &size);
    if (!data)
        return false;
    struct str out = {0};
    bool ok = true;
    if (fatbin_is(data, size)) {
        str_append_n(&out, data, size);
    } else if (fatbin_ptx_target(data)) {
        struct fatbin_item item = {.ptx = data, .size = strlen(data), .sm = fatbin_ptx_target(data), .name = path};
        fatbin_write(&out, &item, 1);
    } else {
        ok = tool_error(t, "'%s' has no PTX, and machine code is not linked", path);
    }
    if (ok)
        vec_push(&o->fatbins,
                 ((struct object_fatbin){path, arena_dup(o->arena, str_text(&out), out.len), out.len, true}));
    str_free(&out);
    free(data);
    return ok;
}

static bool has_suffix(const char *path, const char *suffix)
{
    size_t n = strlen(path), m = strlen(suffix);
    return n >= m && !strcmp(path + n - m, suffix);
}

static bool inputs_read(struct tool *t, struct objects *o, struct diag *d)
{
    for (size_t i = 0; i < t->inputs.len; i++) {
        const char *path = t->inputs.data[i];
        bool image = has_suffix(path, ".ptx") || has_suffix(path, ".cubin") || has_suffix(path, ".fatbin");
        if (image ? !image_add(t, o, path) : !objects_read(o, path, d))
            return false;
    }
    const struct texts *names = &t->values[OPT_LIBRARY], *dirs = &t->values[OPT_LIBRARY_PATH];
    for (size_t i = 0; i < names->len; i++)
        for (size_t k = 0; k < dirs->len; k++) {
            const char *path = arena_printf(&t->arena, "%s/lib%s.a", dirs->data[k], names->data[i]);
            if (access(path, R_OK))
                continue;
            if (!objects_read(o, path, d))
                return false;
            break;
        }
    return true;
}

// A line for each object that registers itself, as host code that is written for NVIDIA's linker includes it.
static bool names_write(struct tool *t, const struct objects *o)
{
    const char *file = tool_value(t, OPT_REGISTER);
    if (!file)
        return true;
    struct str s = {0};
    for (size_t i = 0; i < o->wanted.len; i++)
        str_printf(&s, "DEFINE_REGISTER_FUNC(%s)\n", o->wanted.data[i] + strlen(SYMBOL_PREFIX));
    bool ok = tool_file_write(t, file, str_text(&s), s.len);
    str_free(&s);
    return ok;
}

static bool result_write(struct tool *t, const struct str *image, const struct target *target, struct diag *d)
{
    struct fatbin f;
    const char *output = tool_value(t, OPT_OUTPUT);
    output = output ? output : "a_dlink.cubin";
    size_t size = 0;
    bool ok = fatbin_read(str_text(image), image->len, &f, d);
    char *ptx = ok && f.entries.len ? fatbin_entry_read(&f.entries.data[0], &size, d) : NULL;
    if (!ok)
        return false;
    if (ptx && tool_has(t, OPT_VERBOSE)) {
        struct str report = {0};
        front_usage(&report, ptx, size, target);
        fputs(str_text(&report), stderr);
        str_free(&report);
    }
    if (tool_has(t, OPT_EMIT_PTX))
        ok = ptx && tool_file_write(t, output, ptx, size);
    else
        ok = tool_file_write(t, output, str_text(image), image->len);
    free(ptx);
    fatbin_fini(&f);
    return ok;
}

// The folder of the device runtime in the toolkit's tree; NULL: not known.
static const char *runtime_dir(struct tool *t)
{
    char self[4096];
    return os_self_dir((const void *)runtime_dir, self, sizeof self)
               ? arena_printf(&t->arena, "%s/../nvvm/cudadevrt", self)
               : NULL;
}

static bool objects_link(struct tool *t)
{
    const char *arch = tool_value(t, OPT_ARCH);
    struct target target = {0};
    if (!t->inputs.len && !tool_has(t, OPT_LIBRARY))
        return tool_error(t, "no input files; --help lists the options");
    if (!arch || !target_parse(&target, arch))
        return tool_error(t, arch ? "'%s' is no target" : "-arch is needed", arch);
    struct objects o = {.arena = &t->arena};
    struct device_units units = {0};
    struct str image = {0};
    struct diag d;
    diag_init(&d, NULL);
    bool ok = inputs_read(t, &o, &d);
    for (size_t i = 0; ok && i < o.fatbins.len; i++)
        ok = device_units_split(&units, &o.fatbins.data[i], &d);
    if (ok && units.len)
        ok = device_link(&units, target.sm, runtime_dir(t), &image, &d) && front_shared_check_image(&image, &d);
    else if (ok)
        fatbin_write(&image, NULL, 0); // nothing to link is no error
    ok = ok && names_write(t, &o) && result_write(t, &image, &target, &d);
    tool_print_messages(t, str_text(&d.text));
    device_units_fini(&units);
    objects_fini(&o);
    str_free(&image);
    diag_fini(&d);
    return ok;
}

int main(int argc, char **argv)
{
    struct tool t = TOOL("nvlink", "Links the relocatable device code of objects, archives, PTX texts and images.");
    return tool_main(&t, argc, argv, objects_link);
}
