// SPDX-License-Identifier: Apache-2.0
// nvFatbin: entries are collected, and the fat binary is written when its size is asked for (fatbin_write.h). Images that our own tools
// write are fat binaries with PTX: what they hold becomes entries.
#include "base/arena.h"
#include "base/reserve.h"
#include "base/vec.h"
#include "base/version.h"
#include "fatbin/device_link.h"
#include "fatbin/fatbin_write.h"
#include "front/alive.h"
#include "front/front.h"
#include "front/ptx/assemble.h"
#include <elf.h>
#include <nvFatbin.h>
#include <stdlib.h>
#include <string.h>

// Memory that a call asks for before it begins (reserve_begin): times the length of its texts.
enum { TIMES = 8 };

struct maker {
    struct alive alive; // one call at a time works on a fat binary
    struct arena arena; // names and contents
    struct VEC(struct fatbin_item) items;
    enum fatbin_packing packing;
    bool pack_images, debug;
    struct str image; // empty: to be written
};

// An input, as all calls that add have it.
struct input {
    const char *code, *name, *options;
    size_t size;
    struct target target;
};
typedef nvFatbinResult add_fn(struct maker *m, const struct input *in);

static const char *error_string(nvFatbinResult r)
{
    static const char *const texts[] = {
        NULL,
#define ERROR(name, text) [NVFATBIN_ERROR_##name] = text,
#include "nvfatbin/error.def"
#undef ERROR
    };
    return (unsigned)r < sizeof texts / sizeof *texts ? texts[r] : "unknown error";
}

static nvFatbinResult version_get(unsigned *major, unsigned *minor)
{
    if (!major || !minor)
        return NVFATBIN_ERROR_NULL_POINTER;
    *major = TOOLKIT_MAJOR;
    *minor = TOOLKIT_MINOR;
    return NVFATBIN_SUCCESS;
}

static nvFatbinResult option_read(struct maker *m, const char *text)
{
    enum action { NOTHING, DEBUG, ZSTD, LZ4, RAW, ALL };
    static const struct {
        const char *text;
        enum action action;
    } table[] = {
#define OPT(text, action) {text, action},
#include "nvfatbin/option.def"
#undef OPT
    };
    static const enum fatbin_packing packings[] = {
        [ZSTD] = FATBIN_PACK_ZSTD, [LZ4] = FATBIN_PACK_LZ4, [RAW] = FATBIN_PACK_NONE};
    size_t i = 0, n = sizeof table / sizeof *table;
    while (i < n && strcmp(table[i].text, text) != 0)
        i++;
    if (i == n)
        return NVFATBIN_ERROR_UNRECOGNIZED_OPTION;
    m->debug |= table[i].action == DEBUG;
    m->pack_images |= table[i].action == ALL;
    if (table[i].action >= ZSTD && table[i].action <= RAW)
        m->packing = packings[table[i].action];
    return NVFATBIN_SUCCESS;
}

static void maker_free(struct maker *m)
{
    vec_free(&m->items);
    str_free(&m->image);
    arena_fini(&m->arena);
    free(m);
}

static nvFatbinResult create(nvFatbinHandle *handle, const char **options, size_t count)
{
    if (!handle || (count && !options))
        return NVFATBIN_ERROR_NULL_POINTER;
    if (!reserve_ready())
        return NVFATBIN_ERROR_INTERNAL;
    struct maker *m = xcalloc(1, sizeof *m);
    arena_init(&m->arena);
    m->packing = FATBIN_PACK_ZSTD;
    for (size_t i = 0; i < count; i++) {
        nvFatbinResult r = options[i] ? option_read(m, options[i]) : NVFATBIN_ERROR_NULL_POINTER;
        if (r) {
            maker_free(m);
            return r;
        }
    }
    alive_add(&m->alive);
    *handle = (nvFatbinHandle)m;
    return NVFATBIN_SUCCESS;
}

static nvFatbinResult destroy(nvFatbinHandle *handle)
{
    struct maker *m = handle ? alive_enter(*handle) : NULL;
    if (!m)
        return NVFATBIN_ERROR_NULL_POINTER;
    alive_remove(&m->alive);
    maker_free(m);
    *handle = NULL;
    return NVFATBIN_SUCCESS;
}

// The content is copied.
static void item_add(struct maker *m, const struct input *in, bool elf, bool ir)
{
    char *copy = arena_alloc(&m->arena, in->size + 1);
    memcpy(copy, in->code, in->size);
    struct fatbin_item item = {.elf = elf,
                               .ir = ir,
                               .ptx = copy,
                               .size = in->size,
                               .sm = in->target.sm,
                               .name = in->name && *in->name ? arena_strdup(&m->arena, in->name) : NULL,
                               .debug = m->debug,
                               .packing = elf && !m->pack_images ? FATBIN_PACK_NONE : m->packing};
    vec_push(&m->items, item);
}

// Options are words of the assembler's, with spaces between them.
static bool options_known(struct maker *m, const char *options)
{
    struct texts words = {0};
    struct str message = {0};
    struct front_ptxas p;
    char *save, *copy = arena_strdup(&m->arena, options ? options : "");
    for (char *w = strtok_r(copy, " \t", &save); w; w = strtok_r(NULL, " \t", &save))
        vec_push(&words, w);
    bool ok = front_ptxas_read(&p, &m->arena, words.data, words.len, &message);
    front_ptxas_fini(&p);
    vec_free(&words);
    str_free(&message);
    return ok;
}

static nvFatbinResult text_add(struct maker *m, const struct input *in)
{
    struct input text = *in;
    unsigned major, minor;
    text.size = strnlen(in->code, in->size);
    text.code = arena_strndup(&m->arena, in->code, text.size);
    fatbin_ptx_version(text.code, &major, &minor);
    unsigned sm = fatbin_ptx_target(text.code);
    if (!major)
        return NVFATBIN_ERROR_MISSING_PTX_VERSION;
    if (!sm)
        return NVFATBIN_ERROR_MISSING_PTX_ARCH;
    if (sm > in->target.sm)
        return NVFATBIN_ERROR_PTX_ARCH_MISMATCH;
    if (!options_known(m, in->options))
        return NVFATBIN_ERROR_UNRECOGNIZED_OPTION;
    item_add(m, &text, false, false);
    return NVFATBIN_SUCCESS;
}

static nvFatbinResult entries_add(struct maker *m, const struct fatbin *f, const struct input *in)
{
    struct diag d;
    nvFatbinResult r = NVFATBIN_SUCCESS;
    diag_init(&d, NULL);
    for (size_t i = 0; i < f->entries.len && !r; i++) {
        const struct fatbin_entry *e = &f->entries.data[i];
        struct input one = *in;
        char *content = fatbin_entry_read(e, &one.size, &d);
        if (content) {
            one.code = content;
            one.target.sm = e->sm;
            if (e->kind == FATBIN_PTX)
                one.size = strnlen(content, one.size);
            item_add(m, &one, e->kind == FATBIN_ELF, e->kind == FATBIN_LTO);
        }
        r = content ? NVFATBIN_SUCCESS : NVFATBIN_ERROR_INTERNAL;
        free(content);
    }
    diag_fini(&d);
    return r;
}

// An image of ours. All of it must be for the architecture, or for older ones.
static nvFatbinResult own_image_add(struct maker *m, const struct input *in)
{
    struct diag d;
    struct fatbin f;
    nvFatbinResult r = NVFATBIN_SUCCESS;
    diag_init(&d, NULL);
    bool ok = fatbin_read(in->code, in->size, &f, &d);
    for (size_t i = 0; ok && i < f.entries.len && !r; i++)
        r = f.entries.data[i].sm > in->target.sm ? NVFATBIN_ERROR_ELF_ARCH_MISMATCH : NVFATBIN_SUCCESS;
    r = !ok ? NVFATBIN_ERROR_ELF_SIZE_MISMATCH : r ? r : entries_add(m, &f, in);
    if (ok)
        fatbin_fini(&f);
    diag_fini(&d);
    return r;
}

// Machine code for a GPU: its header says for which, in the lowest byte of the flags, or in the one above it from CUDA 13 on.
static nvFatbinResult image_add(struct maker *m, const struct input *in)
{
    Elf64_Ehdr h;
    if (fatbin_is(in->code, in->size))
        return own_image_add(m, in);
    if (in->size < sizeof h || memcmp(in->code, ELFMAG, SELFMAG) != 0)
        return NVFATBIN_ERROR_ELF_SIZE_MISMATCH;
    memcpy(&h, in->code, sizeof h);
    if (h.e_shoff > in->size || (size_t)h.e_shnum * h.e_shentsize > in->size - h.e_shoff)
        return NVFATBIN_ERROR_ELF_SIZE_MISMATCH;
    if ((h.e_flags & 0xff) != in->target.sm && (h.e_flags >> 8 & 0xff) != in->target.sm)
        return NVFATBIN_ERROR_ELF_ARCH_MISMATCH;
    item_add(m, in, true, false);
    return NVFATBIN_SUCCESS;
}

// NVVM IR as text or bitcode, or the format of NVIDIA's compiler, which is carried as it is.
static nvFatbinResult ir_add(struct maker *m, const struct input *in)
{
    static const char *const heads[] = {"BC\xc0\xde", "\xde\xc0\x17\x0b", "\xed\x43\x4e\x7f"};
    bool known = memmem(in->code, in->size, "!nvvmir.version", 15) != NULL;
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        known |= in->size > 4 && !memcmp(in->code, heads[i], 4);
    if (!known)
        return NVFATBIN_ERROR_INVALID_NVVM;
    item_add(m, in, false, true);
    return NVFATBIN_SUCCESS;
}

static nvFatbinResult object_add(struct maker *m, const struct input *in)
{
    struct objects o = {.arena = &m->arena};
    struct device_units units = {0};
    struct diag d;
    diag_init(&d, NULL);
    bool ok = objects_read_data(&o, "object", in->code, in->size, &d);
    for (size_t i = 0; ok && i < o.fatbins.len; i++)
        ok = device_units_split(&units, &o.fatbins.data[i], &d);
    nvFatbinResult r = ok && units.len ? NVFATBIN_SUCCESS : NVFATBIN_ERROR_MISSING_FATBIN;
    for (size_t i = 0; i < units.len && !r; i++)
        r = entries_add(m, &units.data[i].fatbin, in);
    device_units_fini(&units);
    objects_fini(&o);
    diag_fini(&d);
    return r;
}

// There is no tool that makes one.
static nvFatbinResult index_add(struct maker *m, const struct input *in)
{
    (void)m, (void)in;
    return NVFATBIN_ERROR_INVALID_INDEX;
}

// "80", "90a"
static bool arch_read(struct target *t, const char *arch)
{
    char text[16] = "sm_";
    if (*arch < '0' || *arch > '9' || strlen(arch) > 8)
        return false;
    strcat(text, arch);
    return target_parse(t, text);
}

static nvFatbinResult add(nvFatbinHandle handle, const void *code, size_t size, const char *arch,
                          const char *identifier, const char *options, add_fn *body)
{
    struct reserve reserve;
    struct input in = {.code = code, .size = size, .name = identifier, .options = options};
    struct maker *m = alive_enter(handle);
    nvFatbinResult r = NVFATBIN_ERROR_NULL_POINTER;
    if (!m)
        return r;
    if (code && arch)
        r = !size                          ? NVFATBIN_ERROR_EMPTY_INPUT
            : !arch_read(&in.target, arch) ? NVFATBIN_ERROR_INVALID_ARCH
                                           : NVFATBIN_SUCCESS;
    if (!r && !reserve_begin(&reserve, TIMES * size))
        r = NVFATBIN_ERROR_INTERNAL;
    if (!r) {
        str_free(&m->image);
        r = body(m, &in);
        reserve_end(&reserve);
    }
    alive_leave(&m->alive);
    return r;
}

static nvFatbinResult size_get(nvFatbinHandle handle, size_t *size)
{
    struct maker *m = alive_enter(handle);
    if (!m)
        return NVFATBIN_ERROR_NULL_POINTER;
    if (size) {
        if (!m->image.len)
            fatbin_write(&m->image, m->items.data, m->items.len);
        *size = m->image.len;
    }
    alive_leave(&m->alive);
    return size ? NVFATBIN_SUCCESS : NVFATBIN_ERROR_NULL_POINTER;
}

static nvFatbinResult image_get(nvFatbinHandle handle, void *buffer)
{
    struct maker *m = alive_enter(handle);
    if (!m)
        return NVFATBIN_ERROR_NULL_POINTER;
    nvFatbinResult r = !buffer         ? NVFATBIN_ERROR_NULL_POINTER
                       : !m->image.len ? NVFATBIN_ERROR_INTERNAL
                                       : NVFATBIN_SUCCESS;
    if (!r)
        memcpy(buffer, m->image.data, m->image.len);
    alive_leave(&m->alive);
    return r;
}

// By the version of CUDA 13's library, and that of 12's.
#define ROW(result, name, params, args, call, status)                                                                  \
    __attribute__((visibility("default"))) result name params                                                          \
    {                                                                                                                  \
        return call;                                                                                                   \
    }                                                                                                                  \
    __attribute__((alias(#name), visibility("default"))) result heddle_older_##name params;                            \
    __asm__(".symver " #name ", " #name "@@@libnvfatbin.so.13");                                                       \
    __asm__(".symver heddle_older_" #name ", " #name "@libnvfatbin.so.12");
#include "nvfatbin/api.def"
