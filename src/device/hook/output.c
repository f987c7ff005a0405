// SPDX-License-Identifier: Apache-2.0
// Device printf: formatted when it is called, kept in order, written to stdout when the host synchronises, as CUDA does.
#include "base/str.h"
#include "device/device.h"
#include "device/fault/fault.h"
#include "device/hook/hooks.h"
#include <ctype.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { KEEP_LIMIT = 1 << 20 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct str kept;

static void flush_locked(void)
{
    if (kept.len) {
        fwrite(kept.data, 1, kept.len, stdout);
        kept.len = 0;
    }
    fflush(stdout);
}

static atomic_bool begun, muted;

void output_mute(bool mute)
{
    atomic_store(&muted, mute);
}

bool output_begun(void)
{
    return atomic_load(&begun);
}

void output_flush(void)
{
    if (!output_begun())
        return;
    pthread_mutex_lock(&lock);
    if (kept.len)
        flush_locked();
    pthread_mutex_unlock(&lock);
}

void output_write(const char *text, unsigned size)
{
    if (atomic_load(&muted))
        return;
    pthread_mutex_lock(&lock);
    str_append_n(&kept, text, size);
    if (kept.len > KEEP_LIMIT)
        flush_locked();
    pthread_mutex_unlock(&lock);
}

// Arguments lie in memory as a C compiler places the promoted types: 4 or 8 bytes, naturally aligned.
struct reader {
    const char *at;
};

static uint64_t read_arg(struct reader *r, unsigned bytes)
{
    uint64_t v = 0;
    r->at = (const char *)(((uintptr_t)r->at + bytes - 1) & ~(uintptr_t)(bytes - 1));
    memcpy(&v, r->at, bytes);
    r->at += bytes;
    return v;
}

// One conversion: its text without the length modifier, and how long the argument is.
static void convert(struct str *out, struct reader *r, const char *spec, size_t len, bool is_long, char conversion)
{
    char f[64];
    if (len + 4 > sizeof f)
        return;
    memcpy(f, spec, len);
    f[len] = 0;
    char *end = f + len;
    switch (conversion) {
    case 'd':
    case 'i':
        strcpy(end, is_long ? "lld" : "d");
        if (is_long)
            str_printf(out, f, (long long)read_arg(r, 8));
        else
            str_printf(out, f, (int)read_arg(r, 4));
        break;
    case 'u':
    case 'o':
    case 'x':
    case 'X':
        snprintf(end, 4, is_long ? "ll%c" : "%c", conversion);
        if (is_long)
            str_printf(out, f, (unsigned long long)read_arg(r, 8));
        else
            str_printf(out, f, (unsigned)read_arg(r, 4));
        break;
    case 'c':
        strcpy(end, "c");
        str_printf(out, f, (int)read_arg(r, 4));
        break;
    case 'p':
        strcpy(end, "p");
        str_printf(out, f, (void *)(uintptr_t)read_arg(r, 8));
        break;
    case 's': {
        const char *s = (const char *)(uintptr_t)read_arg(r, 8);
        strcpy(end, "s");
        str_printf(out, f, s ? s : "(null)");
        break;
    }
    default: { // a A e E f F g G
        double v;
        uint64_t bits = read_arg(r, 8);
        memcpy(&v, &bits, 8);
        end[0] = conversion;
        end[1] = 0;
        str_printf(out, f, v);
    }
    }
}

// Copies flags, width and precision, taking '*' from the arguments; returns the place of the length or conversion.
static const char *read_flags(const char *p, char *spec, size_t size, size_t *len, struct reader *r)
{
    while (*p && strchr("-+ #0123456789.*", *p) && *len + 14 < size) {
        if (*p == '*')
            *len += (size_t)snprintf(spec + *len, size - *len, "%d", (int)read_arg(r, 4));
        else
            spec[(*len)++] = *p;
        p++;
    }
    return p;
}

#pragma GCC diagnostic ignored "-Wformat-nonliteral"
static int format_all(struct str *out, const char *format, const void *args)
{
    struct reader r = {args};
    int count = 0;
    for (const char *p = format; *p;) {
        if (*p != '%') {
            size_t n = strcspn(p, "%");
            str_append_n(out, p, n);
            p += n;
            continue;
        }
        if (p[1] == '%') {
            str_append(out, "%");
            p += 2;
            continue;
        }
        char spec[48] = "%";
        size_t len = 1;
        const char *q = read_flags(p + 1, spec, sizeof spec, &len, &r);
        bool is_long = false;
        for (; *q && strchr("hlLjzt", *q); q++)
            is_long |= *q != 'h' && *q != 'L';
        if (!*q || !strchr("diuoxXcpsaAeEfFgG", *q)) { // not a conversion: as it stands
            str_append_n(out, p, (size_t)(q - p) + (*q != 0));
            p = q + (*q != 0);
            continue;
        }
        convert(out, &r, spec, len, is_long, *q);
        count++;
        p = q + 1;
    }
    return count;
}

int32_t hook_vprintf(struct jit_block *b, uint32_t thread, const char *format, const void *args)
{
    if (!atomic_load_explicit(&begun, memory_order_relaxed))
        atomic_store(&begun, true);
    (void)b;
    fault_checkpoint(thread, __builtin_return_address(0));
    if (!format)
        return -1;
    struct str text = {0};
    int n = format_all(&text, format, args);
    output_write(str_text(&text), (unsigned)text.len);
    str_free(&text);
    return n;
}
