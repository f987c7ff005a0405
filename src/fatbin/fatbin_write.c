// See fatbin_write.h. PTX is stored as it is: uncompressed entries are read by every loader, and the text is small
// beside the host code that holds it.
#include "fatbin/fatbin_write.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FATBIN_MAGIC   0xBA55ED50u
#define HEADER_SIZE    16
#define ENTRY_SIZE     80 // of a PTX entry, options and name apart
#define KIND_PTX       1
#define FLAG_64BIT     0x1u
#define FLAG_DEBUG     0x2u
#define FLAG_LINUX     0x10u
#define ENTRY_VERSION  0x101
#define OPTIONS_OFFSET 64 // there: the offset of the options' text
#define OPTIONS_TEXT   72
#define ROUND_UP8(n)   (((n) + 7) & ~(size_t)7)

static void put(unsigned char *at, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; i++)
        at[i] = (unsigned char)(value >> (8 * i));
}

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

static void entry_append(struct str *out, const struct fatbin_item *item)
{
    unsigned char h[ENTRY_SIZE] = {0};
    unsigned major, minor;
    fatbin_ptx_version(item->ptx, &major, &minor);
    size_t name = item->name ? strlen(item->name) : 0;
    size_t head = ENTRY_SIZE + (name ? ROUND_UP8(name + 1) : 0), body = ROUND_UP8(item->size + 1);
    put(h + 0, KIND_PTX, 2);
    put(h + 2, ENTRY_VERSION, 2);
    put(h + 4, head, 4);
    put(h + 8, body, 8);
    put(h + 20, OPTIONS_OFFSET, 4);
    put(h + 24, minor, 2);
    put(h + 26, major, 2);
    put(h + 28, item->sm, 4);
    put(h + 32, name ? ENTRY_SIZE : 0, 4);
    put(h + 36, name, 4);
    put(h + OPTIONS_OFFSET, OPTIONS_TEXT, 4);
    put(h + 40, FLAG_64BIT | FLAG_LINUX | (item->debug ? FLAG_DEBUG : 0), 8);
    str_append_n(out, (const char *)h, sizeof h);
    if (name) {
        str_append_n(out, item->name, name);
        zeros_append(out, ROUND_UP8(name + 1) - name);
    }
    str_append_n(out, item->ptx, item->size);
    zeros_append(out, body - item->size);
}

void fatbin_write(struct str *out, const struct fatbin_item *items, size_t count)
{
    struct str body = {0};
    for (size_t i = 0; i < count; i++)
        entry_append(&body, &items[i]);
    unsigned char h[HEADER_SIZE];
    put(h + 0, FATBIN_MAGIC, 4);
    put(h + 4, 1, 2);
    put(h + 6, HEADER_SIZE, 2);
    put(h + 8, body.len, 8);
    str_append_n(out, (const char *)h, sizeof h);
    str_append_n(out, str_text(&body), body.len);
    str_free(&body);
}
