// SPDX-License-Identifier: Apache-2.0
// See fatbin_write.h. PTX is stored as it is unless asked otherwise: uncompressed entries are read by every loader, and
// the text is small beside the host code that holds it. Both machines that we run on are little-endian, as the format
// is.
#include "fatbin/fatbin_write.h"
#include "base/xmalloc.h"
#include "fatbin/fatbin.h"
#include <lz4.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#define ENTRY_SIZE     80 // of a PTX entry, the name apart
#define ENTRY_VERSION  0x101
#define ELF_MINOR      8  // of machine code, version 1.8
#define OPTIONS_OFFSET 64 // there: the offset of the options' text
#define OPTIONS_TEXT   72
#define ROUND_UP8(n)   (((n) + 7) & ~(size_t)7)

static void zeros_append(struct str *out, size_t n)
{
    static const char zeros[8];
    str_append_n(out, zeros, n);
}

static const char *directive_find(const char *ptx, const char *word)
{
    size_t n = strlen(word);
    for (const char *p = ptx; p; p = strchr(p, '\n')) {
        p += strspn(p, " \t\r\n");
        if (!strncmp(p, word, n) && (p[n] == ' ' || p[n] == '\t'))
            return p + n + strspn(p + n, " \t");
        if (!*p)
            break;
    }
    return NULL;
}

void fatbin_ptx_version(const char *ptx, unsigned *major, unsigned *minor)
{
    const char *p = directive_find(ptx, ".version");
    if (!p || sscanf(p, "%u.%u", major, minor) != 2)
        *major = *minor = 0;
}

unsigned fatbin_ptx_target(const char *ptx)
{
    const char *p = directive_find(ptx, ".target");
    return p && !strncmp(p, "sm_", 3) ? (unsigned)strtoul(p + 3, NULL, 10) : 0;
}

char fatbin_ptx_target_letter(const char *ptx)
{
    const char *p = directive_find(ptx, ".target");
    char letter = p && !strncmp(p, "sm_", 3) ? p[3 + strspn(p + 3, "0123456789")] : 0;
    return letter == 'a' || letter == 'f' ? letter : 0;
}

static bool is_text(const struct fatbin_item *item)
{
    return !item->elf && !item->ir;
}

// The text with its zero, packed, from malloc; NULL: as it is, also where packing gains nothing.
static char *body_pack(const struct fatbin_item *item, size_t *packed)
{
    size_t size = item->size + is_text(item), room;
    if (item->packing == FATBIN_PACK_NONE || size > LZ4_MAX_INPUT_SIZE)
        return NULL;
    bool lz4 = item->packing == FATBIN_PACK_LZ4;
    room = lz4 ? (size_t)LZ4_compressBound((int)size) : ZSTD_compressBound(size);
    char *data = xmalloc(room);
    if (lz4)
        *packed = (size_t)LZ4_compress_default(item->ptx, data, (int)size, (int)room);
    else
        *packed = ZSTD_compress(data, room, item->ptx, size, ZSTD_CLEVEL_DEFAULT);
    if (*packed && !(!lz4 && ZSTD_isError(*packed)) && *packed < size)
        return data;
    free(data);
    return NULL;
}

static void entry_append(struct str *out, const struct fatbin_item *item)
{
    struct {
        struct fatbin_entry_header h;
        uint32_t options[4];
    } e = {.h = {.kind = FATBIN_PTX, .version = ENTRY_VERSION, .options_offset = OPTIONS_OFFSET, .sm = item->sm}};
    size_t head = ENTRY_SIZE;
    if (!is_text(item)) {
        head = sizeof e.h;
        e.h.kind = item->elf ? FATBIN_ELF : FATBIN_LTO;
        e.h.options_offset = 0;
    }
    _Static_assert(sizeof e == ENTRY_SIZE, "layout of the file");
    unsigned major = 1, minor = ELF_MINOR;
    if (is_text(item))
        fatbin_ptx_version(item->ptx, &major, &minor);
    size_t stored = item->size + is_text(item);
    char *packed = body_pack(item, &stored);
    size_t name = item->name ? strlen(item->name) : 0, body = ROUND_UP8(stored);
    e.h.header_size = (uint32_t)(head + (name ? ROUND_UP8(name + 1) : 0));
    e.h.size = body;
    e.h.major = (uint16_t)major;
    e.h.minor = (uint16_t)minor;
    e.h.name_offset = name ? (uint32_t)head : 0;
    e.h.name_size = (uint32_t)name;
    e.h.flags = FATBIN_64BIT | FATBIN_LINUX | (item->debug ? FATBIN_DEBUG : 0);
    if (packed) {
        e.h.flags |= item->packing == FATBIN_PACK_LZ4 ? FATBIN_LZ4 : FATBIN_ZSTD;
        e.h.compressed_size = (uint32_t)stored;
        e.h.full_size = item->size + is_text(item);
    }
    e.options[0] = OPTIONS_TEXT;
    str_append_n(out, (const char *)&e, head);
    if (name) {
        str_append_n(out, item->name, name);
        zeros_append(out, ROUND_UP8(name + 1) - name);
    }
    str_append_n(out, packed ? packed : item->ptx, stored);
    zeros_append(out, body - stored);
    free(packed);
}

void fatbin_write(struct str *out, const struct fatbin_item *items, size_t count)
{
    struct str body = {0};
    for (size_t i = 0; i < count; i++)
        entry_append(&body, &items[i]);
    struct fatbin_header h = {FATBIN_MAGIC, 1, sizeof h, body.len};
    str_append_n(out, (const char *)&h, sizeof h);
    str_append_n(out, str_text(&body), body.len);
    str_free(&body);
}
