// SPDX-License-Identifier: Apache-2.0
// Inputs: what they are is seen from their first bytes, and must be what the caller says. PTX is assembled at once, so that the error
// belongs to the call that adds it; of a fat binary, an object or an archive the text that suits the target best is taken. NVVM IR waits
// for the link.
#include "fatbin/device_link.h"
#include "fatbin/fatbin_write.h"
#include "front/front.h"
#include "front/ptx/assemble.h"
#include "nvjitlink/linker.h"
#include <elf.h>
#include <stdlib.h>
#include <string.h>

enum { EM_DEVICE = 190 }; // the ELF machine of NVIDIA's device code

static nvJitLinkResult fail(struct linker *l, nvJitLinkResult r, const char *what, const char *name)
{
    str_printf(&l->results[LINKER_ERRORS], "%s%s\n", what, name);
    return r;
}

static bool begins(const char *data, size_t size, const char *bytes, size_t n)
{
    return size >= n && !memcmp(data, bytes, n);
}

// What our libnvvm makes with -gen-lto.
static bool is_lto_text(const char *data, size_t size)
{
    return begins(data, size, FRONT_LTO_LINE, sizeof FRONT_LTO_LINE - 1);
}

static bool is_ir(const char *data, size_t size)
{
    return is_lto_text(data, size) || begins(data, size, "BC\xc0\xde", 4) ||
           begins(data, size, "\xde\xc0\x17\x0b", 4) || memmem(data, size, "!nvvmir.version", 15);
}

// What the bytes are; NONE: nothing that is known.
static nvJitLinkInputType type_find(const char *data, size_t size)
{
    Elf64_Ehdr h;
    if (fatbin_is(data, size))
        return NVJITLINK_INPUT_FATBIN;
    if (begins(data, size, "!<arch>\n", 8))
        return NVJITLINK_INPUT_LIBRARY;
    if (begins(data, size, ELFMAG, SELFMAG)) {
        if (size < sizeof h)
            return NVJITLINK_INPUT_NONE;
        memcpy(&h, data, sizeof h);
        return h.e_machine == EM_DEVICE ? NVJITLINK_INPUT_CUBIN : NVJITLINK_INPUT_OBJECT;
    }
    if (is_ir(data, size))
        return NVJITLINK_INPUT_LTOIR;
    return memmem(data, strnlen(data, size), ".version", 8) ? NVJITLINK_INPUT_PTX : NVJITLINK_INPUT_NONE;
}

static nvJitLinkResult text_add(struct linker *l, const char *text, size_t size, const char *name, bool bare)
{
    struct front_ptxas p;
    struct str image = {0}, *errors = &l->results[LINKER_ERRORS], *info = &l->results[LINKER_INFO];
    size = strnlen(text, size);
    char *copy = arena_strndup(&l->arena, text, size);
    bool ok = front_ptxas_read(&p, &l->arena, l->ptxas.data, l->ptxas.len, errors);
    if (ok) {
        struct str said = {0};
        struct front_assembly *a = &p.assembly;
        a->name = name;
        a->text = copy;
        a->size = size;
        a->target = l->target;
        a->complete = false;
        p.verbose |= l->options[LINKER_OPT_VERBOSE] != NULL;
        ok = front_ptxas_run(&p, &image, info, &said);
        str_append(ok ? info : errors, str_text(&said));
        str_free(&said);
    }
    front_ptxas_fini(&p);
    str_free(&image);
    if (!ok) {
        str_printf(errors, "ERROR NVJITLINK_ERROR_PTX_COMPILE: JIT the PTX (%s)\n", name);
        return NVJITLINK_ERROR_PTX_COMPILE;
    }
    vec_push(&l->inputs, ((struct linker_input){.name = name, .text = copy, .size = size, .bare = bare}));
    return NVJITLINK_SUCCESS;
}

static nvJitLinkResult lto_lacks(struct linker *l)
{
    return fail(l, NVJITLINK_ERROR_LTO_NOT_ENABLED, "ERROR 1: LTO-IR input cannot be used without LTO enabled (-lto)",
                "");
}

static nvJitLinkResult ir_add(struct linker *l, const char *data, size_t size, const char *name)
{
    if (!l->options[LINKER_OPT_LTO])
        return lto_lacks(l);
    if (is_lto_text(data, size))
        return text_add(l, data, size, name, false);
    char *copy = arena_alloc(&l->arena, size + 1);
    memcpy(copy, data, size);
    vec_push(&l->inputs, ((struct linker_input){.name = name, .text = copy, .size = size, .ir = true}));
    return NVJITLINK_SUCCESS;
}

// NVVM IR for the target, or for one that is older; NULL: there is none.
static const struct fatbin_entry *ir_find(const struct linker *l, const struct fatbin *f, unsigned object)
{
    const struct fatbin_entry *best = NULL;
    for (size_t i = 0; i < f->entries.len; i++) {
        const struct fatbin_entry *e = &f->entries.data[i];
        if (e->kind == FATBIN_LTO && e->object == object && e->sm <= l->target.sm && (!best || e->sm > best->sm))
            best = e;
    }
    return best;
}

static nvJitLinkResult fatbin_add(struct linker *l, const struct fatbin *f, const char *name, struct diag *d)
{
    nvJitLinkResult r = NVJITLINK_SUCCESS;
    for (unsigned object = f->objects ? 1 : 0; object <= f->objects && !r; object++) {
        size_t size;
        const struct fatbin_entry *ir = l->options[LINKER_OPT_LTO] ? ir_find(l, f, object) : NULL,
                                  *e = ir ? ir : fatbin_ptx_choose(f, object, l->target.sm, d);
        char *text = e ? fatbin_entry_read(e, &size, d) : NULL;
        r = !text ? NVJITLINK_ERROR_INVALID_INPUT
            : ir  ? ir_add(l, text, size, name)
                  : text_add(l, text, size, name, false);
        free(text);
    }
    return r;
}

static nvJitLinkResult image_add(struct linker *l, const char *data, size_t size, const char *name, struct diag *d)
{
    struct fatbin f;
    if (!fatbin_read(data, size, &f, d))
        return NVJITLINK_ERROR_INVALID_INPUT;
    nvJitLinkResult r = fatbin_add(l, &f, name, d);
    fatbin_fini(&f);
    return r;
}

// An object of the host, or an archive of such. One without device code adds nothing.
static nvJitLinkResult objects_add(struct linker *l, const char *data, size_t size, const char *name, struct diag *d)
{
    struct objects o = {.arena = &l->arena, .programs = true};
    struct device_units units = {0};
    bool ok = objects_read_data(&o, name, data, size, d);
    for (size_t i = 0; ok && i < o.fatbins.len; i++)
        ok = device_units_split(&units, &o.fatbins.data[i], d);
    nvJitLinkResult r = ok ? NVJITLINK_SUCCESS : NVJITLINK_ERROR_INVALID_INPUT;
    for (size_t i = 0; i < units.len && !r; i++)
        r = fatbin_add(l, &units.data[i].fatbin, name, d);
    device_units_fini(&units);
    objects_fini(&o);
    return r;
}

// A fat binary with PTX is what images are here (assemble.h), and what NVRTC and libnvvm make for the optimisation at link time, whatever
// the caller calls it.
static bool suits(nvJitLinkInputType said, nvJitLinkInputType found)
{
    return said == found ||
           ((said == NVJITLINK_INPUT_CUBIN || said == NVJITLINK_INPUT_LTOIR) && found == NVJITLINK_INPUT_FATBIN);
}

nvJitLinkResult linker_input_add(struct linker *l, nvJitLinkInputType type, const char *data, size_t size,
                                 const char *name)
{
    static const char *const names[] = {"NONE", "CUBIN", "PTX", "LTOIR", "FATBIN", "OBJECT", "LIBRARY", "INDEX"};
    const char *called = arena_strdup(&l->arena, name && *name ? name : "<unnamed>");
    nvJitLinkInputType found = type_find(data, size);
    struct diag d;
    nvJitLinkResult r;
    if (begins(data, size, "\xed\x43\x4e\x7f", 4))
        return fail(l, NVJITLINK_ERROR_INVALID_INPUT,
                    "LTO-IR of NVIDIA's compiler is not read here, NVVM IR is: ", called);
    if (type == NVJITLINK_INPUT_ANY && !found)
        return fail(l, NVJITLINK_ERROR_UNRECOGNIZED_INPUT, "unrecognized input type: ", called);
    if (type != NVJITLINK_INPUT_ANY && ((unsigned)type > NVJITLINK_INPUT_INDEX || !type))
        return fail(l, NVJITLINK_ERROR_INCORRECT_INPUT_TYPE, "unsupported input type: ", called);
    if (type != NVJITLINK_INPUT_ANY && !suits(type, found)) {
        str_printf(&l->results[LINKER_ERRORS], "ERROR 1: bad input: does not match type NVJITLINK_INPUT_%s: %s\n",
                   names[type], called);
        return NVJITLINK_ERROR_INCORRECT_INPUT_TYPE;
    }
    if (type == NVJITLINK_INPUT_LTOIR && found == NVJITLINK_INPUT_FATBIN && !l->options[LINKER_OPT_LTO])
        return lto_lacks(l);
    diag_init(&d, called);
    switch (found) {
    case NVJITLINK_INPUT_PTX:
        r = text_add(l, data, size, called, true);
        break;
    case NVJITLINK_INPUT_FATBIN:
        r = image_add(l, data, size, called, &d);
        break;
    case NVJITLINK_INPUT_LTOIR:
        r = ir_add(l, data, size, called);
        break;
    case NVJITLINK_INPUT_CUBIN:
        r = fail(l, NVJITLINK_ERROR_INVALID_INPUT, "machine code is not linked here, PTX is: ", called);
        break;
    default: // objects and archives
        r = objects_add(l, data, size, called, &d);
        break;
    }
    str_append(&l->results[LINKER_ERRORS], str_text(&d.text));
    diag_fini(&d);
    return r;
}
