// SPDX-License-Identifier: Apache-2.0
// Relocatable device code (-rdc=true, -dc, -dlink). Requirements, and how they are met:
//  1. Device functions and variables of other objects link. An object carries its PTX in the section __nv_relfatbin;
//  the
//     device link collects those of all objects and archives, links the texts into one PTX text (ptx_link), and puts it
//     into one ordinary fat binary. So a driver needs to know nothing of this: it loads one PTX text as ever.
//  2. Each object registers its kernels and variables with the handle of that one fat binary. The compiler made it call
//     __cudaRegisterLinkedBinary__nv_HASH(register, wrapper, module id, callback); the device link makes an object that
//     defines these functions: they register the fat binary once, then call the object's own `register`.
//  3. The registration ends after the last object's. Constructors run in link order and the device link's object stands
//     last, so its own constructor ends it; should it stand elsewhere, each later registration ends it again.
//  4. Several targets: for each that the first object has, the objects' best PTX not above it is linked.
#include "front/ptx/assemble.h"
#include "nvcc/driver.h"
#include "base/os.h"
#include "fatbin/device_link.h"
#include "fatbin/fatbin.h"
#include "fatbin/fatbin_write.h"
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bool text_in(const struct texts *t, const char *text)
{
    for (size_t i = 0; i < t->len; i++)
        if (!strcmp(t->data[i], text))
            return true;
    return false;
}

// The file of -lNAME when it is an archive in one of the library folders.
static const char *archive_find(struct driver *d, const char *name)
{
    const struct texts *dirs = &d->options.values[OPTION_LIBRARY_DIR];
    for (size_t i = 0; i < dirs->len; i++) {
        const char *path = arena_printf(&d->arena, "%s/lib%s.a", dirs->data[i], name);
        if (!access(path, R_OK))
            return path;
    }
    return NULL;
}

// A PTX text takes part like an object's, but registers nothing.
static bool ptx_add(struct objects *o, const char *path)
{
    struct fatbin_item item = {.name = path};
    char *text = os_file_read(path, &item.size);
    if (!text)
        return nvcc_error("'%s' cannot be read", path);
    item.ptx = text;
    item.sm = fatbin_ptx_target(text);
    struct str out = {0};
    fatbin_write(&out, &item, 1);
    vec_push(&o->fatbins, ((struct object_fatbin){path, arena_dup(o->arena, str_text(&out), out.len), out.len, true}));
    str_free(&out);
    free(text);
    return true;
}

// So does an image that holds PTX.
static bool image_add(struct objects *o, const char *path)
{
    size_t size;
    char *data = os_file_read(path, &size);
    if (!data)
        return nvcc_error("'%s' cannot be read", path);
    bool ok = fatbin_is(data, size) || nvcc_error("'%s' has no PTX, and machine code is not linked", path);
    if (ok)
        vec_push(&o->fatbins, ((struct object_fatbin){path, arena_dup(o->arena, data, size), size, true}));
    free(data);
    return ok;
}

static bool inputs_read(struct driver *d, struct objects *o, const struct texts *inputs, struct diag *diag)
{
    for (size_t i = 0; i < inputs->len; i++) {
        const char *path = inputs->data[i];
        if (!strncmp(path, "-l", 2))
            path = archive_find(d, path + 2);
        else if (driver_has_suffix(path, ".ptx")) {
            if (!ptx_add(o, path))
                return false;
            continue;
        } else if (driver_has_suffix(path, ".cubin") || driver_has_suffix(path, ".fatbin")) {
            if (!image_add(o, path))
                return false;
            continue;
        } else if (!driver_has_suffix(path, ".o") && !driver_has_suffix(path, ".a") && !driver_has_suffix(path, ".obj"))
            path = NULL;
        if (path && !objects_read(o, path, diag))
            return false;
    }
    return true;
}

static void stub_write(struct str *s, const char *fatbin, const struct texts *names, const struct texts *defined)
{
    str_printf(s,
               "#include <stdlib.h>\n"
               "void **__cudaRegisterFatBinary(void *);\n"
               "void __cudaRegisterFatBinaryEnd(void **);\n"
               "void __cudaUnregisterFatBinary(void **);\n"
               "__asm__(\".section .nv_fatbin, \\\"a\\\"\\n.balign 8\\nheddle_linked_fatbin:\\n\"\n"
               "        \".incbin \\\"%s\\\"\\n.previous\\n\");\n"
               "extern const char heddle_linked_fatbin[] __attribute__((visibility(\"hidden\")));\n"
               "static struct { unsigned magic, version; const void *data, *more; } wrapper\n"
               "    __attribute__((section(\".nvFatBinSegment\"))) = {0x%x, 1, heddle_linked_fatbin, 0};\n"
               "static void **handle;\n"
               "static volatile int ended;\n"
               "static void finish(void) { __cudaUnregisterFatBinary(handle); }\n"
               "static void enter(void (*registrar)(void **))\n"
               "{\n"
               "    if (!handle) {\n"
               "        handle = __cudaRegisterFatBinary(&wrapper);\n"
               "        atexit(finish);\n"
               "    }\n"
               "    registrar(handle);\n"
               "    if (ended)\n"
               "        __cudaRegisterFatBinaryEnd(handle);\n"
               "}\n"
               "__attribute__((constructor)) static void end(void)\n"
               "{\n"
               "    ended = 1;\n"
               "    if (handle)\n"
               "        __cudaRegisterFatBinaryEnd(handle);\n"
               "}\n",
               fatbin, FATBIN_WRAPPER_MAGIC);
    for (size_t i = 0; i < names->len; i++) {
        bool again = text_in(defined, names->data[i]);
        for (size_t k = 0; k < i; k++)
            again |= !strcmp(names->data[k], names->data[i]);
        if (!again)
            str_printf(s,
                       "__attribute__((visibility(\"hidden\"))) void %s(void (*registrar)(void **), void *wrapper_,\n"
                       "    void *id, void (*callback)(void *)) { (void)wrapper_; (void)id; (void)callback; "
                       "enter(registrar); }\n",
                       names->data[i]);
    }
}

static bool stub_compile(struct driver *d, const struct str *fatbin, const struct objects *o, const char *output)
{
    const char *binary = job_temp(&d->arena, "device_link", ".fatbin"),
               *source = job_temp(&d->arena, "device_link", ".c");
    struct str text = {0};
    struct job j = {0};
    stub_write(&text, binary, &o->wanted, &o->defined);
    bool ok =
        job_write_file(binary, str_text(fatbin), fatbin->len) && job_write_file(source, str_text(&text), text.len);
    str_free(&text);
    job_add(&j, d->toolkit.clangxx);
    job_add(&j, "-x");
    job_add(&j, "c");
    job_add(&j, "-O2");
    job_add(&j, "-fPIC");
    job_add(&j, "-c");
    const char *made = job_output(&d->arena, output);
    job_add_files(&j, made, source);
    ok = ok && job_run(&j) && job_deliver(made, output);
    job_free(&j);
    return ok;
}

// -Xnvlink -v and -res-usage: what the linked kernels need.
static void usage_print(const struct driver *d, const struct str *fatbin, struct diag *diag)
{
    struct fatbin f;
    if (!options_has(&d->options, OPTION_RES_USAGE) && !front_usage_wanted(&d->options.values[OPTION_XNVLINK]))
        return;
    if (!fatbin->len || !fatbin_read(str_text(fatbin), fatbin->len, &f, diag))
        return;
    for (size_t i = 0; i < f.entries.len; i++) {
        size_t size;
        struct str report = {0};
        struct target t = {f.entries.data[i].sm, ""};
        char *ptx = fatbin_entry_read(&f.entries.data[i], &size, diag);
        if (ptx)
            front_usage(&report, ptx, size, &t);
        fputs(str_text(&report), stderr);
        str_free(&report);
        free(ptx);
    }
    fatbin_fini(&f);
}

static bool shared_check(const struct str *image)
{
    struct diag d;
    diag_init(&d, NULL);
    bool ok = front_shared_check_image(image, &d);
    if (!ok)
        front_print_messages("nvlink", str_text(&d.text));
    diag_fini(&d);
    return ok;
}

bool rdc_link(struct driver *d, const struct texts *inputs, const char *given_output, const char **output)
{
    struct objects o = {.arena = &d->arena};
    struct device_units units = {0};
    struct str fatbin = {0};
    struct diag diag;
    diag_init(&diag, "nvcc");
    *output = NULL;
    bool ok = job_dryrun() || inputs_read(d, &o, inputs, &diag);
    size_t open = 0;
    for (size_t i = 0; i < o.wanted.len; i++)
        open += !text_in(&o.defined, o.wanted.data[i]);
    for (size_t i = 0; ok && open && i < o.fatbins.len; i++)
        ok = device_units_split(&units, &o.fatbins.data[i], &diag);
    if (ok && (units.len || given_output)) {
        *output = given_output ? given_output : job_temp(&d->arena, "device_link", ".o");
        ok = (!units.len || (device_link(&units, 0, d->toolkit.devrt, &fatbin, &diag) && shared_check(&fatbin))) &&
             stub_compile(d, &fatbin, &o, *output);
    }
    if (ok)
        usage_print(d, &fatbin, &diag);
    if (diag.text.len)
        fputs(str_text(&diag.text), stderr);
    if (!ok && !job_interrupted())
        nvcc_error("the device code was not linked");
    device_units_fini(&units);
    objects_fini(&o);
    str_free(&fatbin);
    diag_fini(&diag);
    return ok;
}
