// SPDX-License-Identifier: Apache-2.0
// See fatbin_read.h.
#include "fatbin/fatbin_read.h"
#include <lz4.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

// A payload may claim any size; more than this is taken for damage rather than asked of malloc.
#define MAX_FULL_SIZE ((uint64_t)1 << 31)
// And no format makes more of a byte than this: a block of zstd has at least 4 bytes and holds at most 128 KB; of LZ4, a byte of a
// length stands for 255.
#define ZSTD_GROWTH 32768u
#define LZ4_GROWTH  255u
#define MAX_ENTRIES 65536u

bool fatbin_is(const void *data, size_t size)
{
    uint32_t magic;
    if (!data || (size && size < sizeof(struct fatbin_header)))
        return false;
    memcpy(&magic, data, sizeof magic);
    return magic == FATBIN_MAGIC || (!size && magic == FATBIN_WRAPPER_MAGIC);
}

void fatbin_fini(struct fatbin *f)
{
    vec_free(&f->entries);
    f->objects = 0;
}

// Reads the entry at p, of which `left` bytes may be touched, and tells how many it takes.
static bool entry_parse(const char *p, size_t left, struct fatbin_entry *e, size_t *step, struct diag *d)
{
    struct fatbin_entry_header h;
    if (left < sizeof h)
        return diag_error(d, 0, 0, "fat binary: entry header is cut off");
    memcpy(&h, p, sizeof h);
    if (h.header_size < sizeof h || h.header_size > left)
        return diag_error(d, 0, 0, "fat binary: entry header of %u bytes", h.header_size);
    if (h.size > left - h.header_size)
        return diag_error(d, 0, 0, "fat binary: entry of %llu bytes exceeds its container", (unsigned long long)h.size);
    *step = h.header_size + (size_t)h.size;
    bool packed = h.flags & (FATBIN_LZ4 | FATBIN_ZSTD);
    if (h.compressed_size > h.size)
        return diag_error(d, 0, 0, "fat binary: compressed size %u exceeds the payload", h.compressed_size);
    if (packed && h.full_size > MAX_FULL_SIZE)
        return diag_error(d, 0, 0, "fat binary: uncompressed size %llu is not credible",
                          (unsigned long long)h.full_size);
    e->kind = h.kind;
    e->sm = h.sm;
    e->ptx_major = h.major;
    e->ptx_minor = h.minor;
    e->flags = h.flags;
    e->payload = p + h.header_size;
    e->payload_size = packed && h.compressed_size ? h.compressed_size : (size_t)h.size;
    e->full_size = packed ? (size_t)h.full_size : (size_t)h.size;
    if (h.name_size) {
        if (h.name_offset > h.header_size || h.name_size > h.header_size - h.name_offset)
            return diag_error(d, 0, 0, "fat binary: entry name lies outside its header");
        e->name = p + h.name_offset;
        e->name_size = h.name_size;
    }
    return true;
}

// size 0: the header's own size is believed.
static bool image_parse(const void *data, size_t size, unsigned object, struct fatbin *out, struct diag *d)
{
    struct fatbin_header h;
    if (size && size < sizeof h)
        return diag_error(d, 0, 0, "fat binary: %zu bytes are too few", size);
    memcpy(&h, data, sizeof h);
    if (h.magic != FATBIN_MAGIC)
        return diag_error(d, 0, 0, "not a fat binary (first word 0x%08x)", h.magic);
    if (h.version != 1)
        return diag_unsupported(d, 0, 0, "fat binary of version %u", h.version);
    if (h.header_size < sizeof h || (size && h.header_size > size))
        return diag_error(d, 0, 0, "fat binary: header of %u bytes", h.header_size);
    if (size && h.size > size - h.header_size)
        return diag_error(d, 0, 0, "fat binary: %llu bytes announced, %zu there", (unsigned long long)h.size,
                          size - h.header_size);
    const char *p = (const char *)data + h.header_size;
    size_t left = (size_t)h.size;
    while (left) {
        struct fatbin_entry e = {.object = object};
        size_t step = 0;
        if (!entry_parse(p, left, &e, &step, d))
            return false;
        if (out->entries.len == MAX_ENTRIES)
            return diag_error(d, 0, 0, "fat binary: more than %u entries", MAX_ENTRIES);
        vec_push(&out->entries, e);
        p += step;
        left -= step;
    }
    return true;
}

static bool wrapper_parse(const struct fatbin_wrapper *w, struct fatbin *out, struct diag *d)
{
    if (w->version != 1 && w->version != 2)
        return diag_unsupported(d, 0, 0, "fat binary wrapper of version %u", w->version);
    if (!w->data)
        return diag_error(d, 0, 0, "fat binary wrapper without data");
    if (!image_parse(w->data, 0, 0, out, d))
        return false;
    if (w->version == 2 && w->objects)
        for (const void *const *o = w->objects; *o; o++)
            if (!image_parse(*o, 0, ++out->objects, out, d))
                return false;
    return true;
}

bool fatbin_read(const void *data, size_t size, struct fatbin *out, struct diag *d)
{
    *out = (struct fatbin){0};
    if (!data)
        return diag_error(d, 0, 0, "no fat binary (null pointer)");
    uint32_t magic = 0;
    if (!size)
        memcpy(&magic, data, sizeof magic);
    bool ok = magic == FATBIN_WRAPPER_MAGIC ? wrapper_parse(data, out, d) : image_parse(data, size, 0, out, d);
    if (!ok)
        fatbin_fini(out);
    return ok;
}

char *fatbin_entry_read(const struct fatbin_entry *e, size_t *size, struct diag *d)
{
    if (e->full_size > MAX_FULL_SIZE) {
        diag_error(d, 0, 0, "fat binary: entry of %zu bytes is not credible", e->full_size);
        return NULL;
    }
    const char *method = e->flags & FATBIN_ZSTD ? "zstd" : e->flags & FATBIN_LZ4 ? "LZ4" : NULL;
    bool ok = !method || e->full_size / (e->flags & FATBIN_ZSTD ? ZSTD_GROWTH : LZ4_GROWTH) <= e->payload_size;
    char *data = ok ? malloc(e->full_size + 1) : NULL;
    if (ok && !data) {
        diag_lacks_memory(d);
        return NULL;
    }
    if (ok && e->flags & FATBIN_ZSTD)
        ok = ZSTD_decompress(data, e->full_size, e->payload, e->payload_size) == e->full_size;
    else if (ok && e->flags & FATBIN_LZ4)
        ok = e->payload_size <= LZ4_MAX_INPUT_SIZE && e->full_size <= LZ4_MAX_INPUT_SIZE &&
             LZ4_decompress_safe(e->payload, data, (int)e->payload_size, (int)e->full_size) == (int)e->full_size;
    else if (ok)
        memcpy(data, e->payload, e->full_size);
    if (!ok) {
        diag_error(d, 0, 0, "fat binary: %s data of %zu bytes is damaged", method, e->payload_size);
        free(data);
        return NULL;
    }
    data[e->full_size] = 0;
    // A text ends at its first zero: the one stored with it or the padding is no part of it.
    *size = e->kind == FATBIN_PTX ? strlen(data) : e->full_size;
    return data;
}

const struct fatbin_entry *fatbin_ptx_choose(const struct fatbin *f, unsigned object, unsigned capability,
                                             struct diag *d)
{
    const struct fatbin_entry *best = NULL;
    unsigned machine_code = 0;
    for (size_t i = 0; i < f->entries.len; i++) {
        const struct fatbin_entry *e = &f->entries.data[i];
        if (e->object != object)
            continue;
        if (e->kind == FATBIN_ELF)
            machine_code++;
        if (e->kind != FATBIN_PTX)
            continue;
        bool fits = e->sm <= capability, best_fits = best && best->sm <= capability;
        if (!best || (fits && (!best_fits || e->sm > best->sm)) || (!fits && !best_fits && e->sm < best->sm))
            best = e;
    }
    if (!best && machine_code)
        diag_error(d, 0, 0,
                   "the program carries GPU machine code only, no PTX: compile it with code=compute_NN in -gencode, or "
                   "with -arch=sm_NN alone");
    else if (!best)
        diag_error(d, 0, 0, "the fat binary carries no PTX");
    return best;
}
