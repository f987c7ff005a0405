// SPDX-License-Identifier: Apache-2.0
// See snapshot.h.
#include "driver/explore/snapshot.h"
#include "base/vec.h"
#include "driver/driver.h"
#include <math.h>

struct pieces VEC(struct piece);

static void add_range(const struct memory_range *r, void *data)
{
    struct pieces *list = data;
    if (range_read_only(r))
        return;
    struct piece p = {.range = *r};
    vec_push(list, p);
}

static bool fill(struct snapshot *s)
{
    for (size_t i = 0; i < s->n; i++) {
        struct piece *p = &s->pieces[i];
        p->copy = malloc(p->range.size);
        if (!p->copy) {
            snapshot_free(s);
            return false;
        }
        bulk_copy(p->copy, p->range.base, p->range.size);
    }
    return true;
}

bool snapshot_take(struct snapshot *s, size_t most)
{
    struct pieces list = {0};
    size_t bytes = 0;
    memory_each(add_range, &list);
    *s = (struct snapshot){list.data, list.len};
    for (size_t i = 0; i < s->n; i++)
        bytes += s->pieces[i].range.size;
    if (bytes > most) {
        snapshot_free(s);
        return false;
    }
    return fill(s);
}

bool snapshot_like(struct snapshot *s, const struct snapshot *other)
{
    *s = (struct snapshot){xcalloc(other->n + 1, sizeof *s->pieces), other->n};
    for (size_t i = 0; i < s->n; i++)
        s->pieces[i].range = other->pieces[i].range;
    return fill(s);
}

// Pages that are as they were are not written, so that memory that nobody uses stays none.
void snapshot_restore(const struct snapshot *s)
{
    enum { UNIT = 4096 };
    for (size_t i = 0; i < s->n; i++) {
        const struct piece *p = &s->pieces[i];
        for (size_t at = 0; at < p->range.size; at += UNIT) {
            size_t n = p->range.size - at < UNIT ? p->range.size - at : UNIT;
            if (memcmp(p->range.base + at, p->copy + at, n))
                memcpy(p->range.base + at, p->copy + at, n);
        }
    }
}

void snapshot_free(struct snapshot *s)
{
    for (size_t i = 0; i < s->n; i++)
        free(s->pieces[i].copy);
    free(s->pieces);
    *s = (struct snapshot){0};
}

static bool near(double a, double b, double part)
{
    return isnormal(a) && isnormal(b) && fabs(a - b) <= part * fmax(fabs(a), fabs(b));
}

// Whether the words at this offset of two copies are floats, or parts of doubles, that are near each other.
static bool words_near(const char *a, const char *b, size_t at, size_t size, double part)
{
    float x, y;
    double v, w;
    memcpy(&x, a + at, 4);
    memcpy(&y, b + at, 4);
    if (near(x, y, part))
        return true;
    size_t pair = at & ~(size_t)7;
    if (pair + 8 > size)
        return false;
    memcpy(&v, a + pair, 8);
    memcpy(&w, b + pair, 8);
    return near(v, w, part);
}

static void compare_word(struct difference *d, const struct piece *p, size_t at, double tolerance)
{
    const char *was = p->copy, *is = p->range.base;
    size_t n = p->range.size - at < 4 ? p->range.size - at : 4;
    if (!memcmp(was + at, is + at, n) || (n == 4 && tolerance > 0 && words_near(was, is, at, p->range.size, tolerance)))
        return;
    if (!d->range) {
        d->range = &p->range;
        d->offset = at;
        memcpy(&d->was, was + at, n);
        memcpy(&d->is, is + at, n);
        d->floats = true;
    }
    for (size_t k = 0; k < n; k++)
        d->bytes += was[at + k] != is[at + k];
    d->floats = d->floats && n == 4 && words_near(was, is, at, p->range.size, 1e-3);
}

struct difference snapshot_compare(const struct snapshot *s, double tolerance)
{
    enum { UNIT = 4096 };
    struct difference d = {0};
    for (size_t i = 0; i < s->n; i++) {
        const struct piece *p = &s->pieces[i];
        for (size_t at = 0; at < p->range.size; at += UNIT) {
            size_t n = p->range.size - at < UNIT ? p->range.size - at : UNIT;
            bool same = !memcmp(p->range.base + at, p->copy + at, n);
            for (size_t k = 0; k < n && !same; k += 4)
                compare_word(&d, p, at + k, tolerance);
        }
    }
    return d;
}
