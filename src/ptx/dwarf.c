// SPDX-License-Identifier: Apache-2.0
// See dwarf.h. Reads the versions 2 to 4 of DWARF that compilers write into PTX. Whatever is out of bounds or unknown
// ends the reading: debug information is never a reason to refuse a text. References between units (ref_addr) count from the set's begin.
#include "ptx/dwarf.h"
#include "ptx/bytes.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { // attributes
    AT_LOCATION = 0x02,
    AT_NAME = 0x03,
    AT_BYTE_SIZE = 0x0b,
    AT_LOW_PC = 0x11,
    AT_UPPER_BOUND = 0x2f,
    AT_ABSTRACT_ORIGIN = 0x31,
    AT_COUNT = 0x37,
    AT_MEMBER_LOCATION = 0x38,
    AT_DECL_LINE = 0x3b,
    AT_ENCODING = 0x3e,
    AT_SPECIFICATION = 0x47,
    AT_TYPE = 0x49,
    AT_LINKAGE_NAME = 0x6e,
    AT_MIPS_LINKAGE_NAME = 0x2007
};
enum { OP_ADDR = 0x03, OP_PLUS_UCONST = 0x23, ADDRESS_BYTES = 8, DEPTH_LIMIT = 64 };

// The n-th section of this name, or NULL.
static const struct ptx_section *section(const struct ptx_module *m, const char *name, unsigned n)
{
    for (uint32_t i = 0; i < m->nsections; i++)
        if (!strcmp(m->sections[i].name, name) && !n--)
            return &m->sections[i];
    return NULL;
}

// The symbol whose address belongs here, or NULL. Marks are in the order of their places.
static const char *symbol_at(const struct ptx_section *s, uint64_t offset)
{
    uint32_t low = 0, high = s->nrefs;
    while (low < high) {
        uint32_t mid = (low + high) / 2;
        if (s->refs[mid].offset < offset)
            low = mid + 1;
        else
            high = mid;
    }
    return low < s->nrefs && s->refs[low].offset == offset ? s->refs[low].name : NULL;
}

struct unit {
    const struct ptx_section *info, *abbreviations, *strings;
    uint64_t start, abbreviation_at;
    uint64_t base; // of this set of sections: what offsets in it begin from
};

// A value as a number, with what else a form may mean.
struct form_value {
    uint64_t number;
    const char *text;
    uint64_t block, block_end; // a block's bytes
    bool reference;            // number is relative to the unit
};

static struct form_value form_read(struct bytes *r, const struct unit *u, uint64_t form)
{
    struct form_value v = {0};
    switch (form) {
    case 0x01: // addr
        v.text = symbol_at(u->info, r->p);
        v.number = bytes_fixed(r, ADDRESS_BYTES);
        break;
    case 0x0b: // data1, flag
    case 0x0c:
        v.number = bytes_fixed(r, 1);
        break;
    case 0x05: // data2
        v.number = bytes_fixed(r, 2);
        break;
    case 0x06: // data4, sec_offset
    case 0x17:
        v.number = bytes_fixed(r, 4);
        break;
    case 0x07: // data8
        v.number = bytes_fixed(r, 8);
        break;
    case 0x08: // string
        v.text = bytes_text(r);
        break;
    case 0x0e: { // strp
        v.number = bytes_fixed(r, 4);
        struct bytes s = {u->strings ? u->strings->data : NULL, v.number, u->strings ? u->strings->size : 0, false};
        v.text = u->strings && v.number < u->strings->size ? bytes_text(&s) : NULL;
        break;
    }
    case 0x0d: // sdata, udata
    case 0x0f:
        v.number = bytes_uleb(r);
        break;
    case 0x11: // ref1, ref2, ref4, ref8, ref_udata
    case 0x12:
    case 0x13:
    case 0x14:
        v.number = bytes_fixed(r, 1u << (form - 0x11));
        v.reference = true;
        break;
    case 0x15:
        v.number = bytes_uleb(r);
        v.reference = true;
        break;
    case 0x10: // ref_addr
        v.number = bytes_fixed(r, 4);
        break;
    case 0x19: // flag_present
        v.number = 1;
        break;
    case 0x03: // blocks
    case 0x04:
    case 0x09:
    case 0x0a:
    case 0x18: {
        uint64_t n = form == 0x0a   ? bytes_fixed(r, 1)
                     : form == 0x03 ? bytes_fixed(r, 2)
                     : form == 0x04 ? bytes_fixed(r, 4)
                                    : bytes_uleb(r);
        v.block = r->p;
        if (n > r->end - r->p)
            r->bad = true;
        else
            v.block_end = r->p += n;
        break;
    }
    default:
        r->bad = true;
    }
    return v;
}

static void location_read(const struct ptx_section *s, const struct form_value *v, struct dwarf_entry *e)
{
    struct bytes r = {s->data, v->block, v->block_end, false};
    if (v->block_end <= v->block || bytes_fixed(&r, 1) != OP_ADDR)
        return;
    const char *symbol = symbol_at(s, r.p);
    e->symbol_offset = bytes_fixed(&r, ADDRESS_BYTES);
    while (r.p < r.end && !r.bad) {
        if (bytes_fixed(&r, 1) != OP_PLUS_UCONST)
            return;
        e->symbol_offset += bytes_uleb(&r);
    }
    e->symbol = r.bad ? NULL : symbol;
}

static void attribute_set(const struct ptx_section *s, const struct unit *u, struct dwarf_entry *e, uint64_t attribute,
                          const struct form_value *v)
{
    uint32_t reference = (uint32_t)(u->base + (v->reference ? u->start + v->number : v->number));
    switch (attribute) {
    case AT_NAME:
        e->name = v->text;
        break;
    case AT_LINKAGE_NAME:
    case AT_MIPS_LINKAGE_NAME:
        e->linkage = v->text;
        break;
    case AT_BYTE_SIZE:
        e->size = v->number;
        break;
    case AT_ENCODING:
        e->encoding = (uint32_t)v->number;
        break;
    case AT_DECL_LINE:
        e->line = (uint32_t)v->number;
        break;
    case AT_UPPER_BOUND:
        e->count = v->block_end ? -1 : (int64_t)v->number + 1;
        break;
    case AT_COUNT:
        e->count = v->block_end ? -1 : (int64_t)v->number;
        break;
    case AT_LOW_PC:
        e->code = true;
        break;
    case AT_TYPE:
        e->type = reference;
        break;
    case AT_ABSTRACT_ORIGIN:
    case AT_SPECIFICATION:
        e->origin = reference;
        break;
    case AT_LOCATION:
        location_read(s, v, e);
        break;
    case AT_MEMBER_LOCATION: {
        struct bytes r = {s->data, v->block, v->block_end, false};
        e->at = v->block_end ? (bytes_fixed(&r, 1) == OP_PLUS_UCONST ? bytes_uleb(&r) : 0) : v->number;
        break;
    }
    default:
        break;
    }
}

// Places a reader at the attributes of an abbreviation.
static bool abbreviation_find(const struct unit *u, uint64_t code, struct bytes *r, uint32_t *tag, bool *children)
{
    *r = (struct bytes){u->abbreviations->data, u->abbreviation_at, u->abbreviations->size, false};
    while (!r->bad && r->p < r->end) {
        uint64_t own = bytes_uleb(r);
        if (!own)
            return false;
        *tag = (uint32_t)bytes_uleb(r);
        *children = bytes_fixed(r, 1);
        if (own == code)
            return !r->bad;
        while (!r->bad) {
            uint64_t attribute = bytes_uleb(r), form = bytes_uleb(r);
            if (!attribute && !form)
                break;
        }
    }
    return false;
}

static bool entries_read(struct dwarf *d, struct bytes *r, const struct unit *u)
{
    int stack[DEPTH_LIMIT];
    unsigned depth = 0;
    while (r->p < r->end && !r->bad) {
        struct dwarf_entry e = {
            .offset = (uint32_t)(u->base + r->p), .count = -1, .parent = depth ? stack[depth - 1] : -1};
        uint64_t code = bytes_uleb(r);
        if (!code) {
            if (depth && !--depth)
                return true;
            continue;
        }
        struct bytes a;
        bool children;
        if (!abbreviation_find(u, code, &a, &e.tag, &children))
            return false;
        for (;;) {
            uint64_t attribute = bytes_uleb(&a), form = bytes_uleb(&a);
            if (a.bad)
                return false;
            if (!attribute && !form)
                break;
            struct form_value v = form_read(r, u, form);
            attribute_set(u->info, u, &e, attribute, &v);
        }
        if (r->bad)
            return false;
        vec_push(&d->entries, e);
        map_put_ptr(&d->by_offset, (void *)((uintptr_t)e.offset + 1), (void *)(uintptr_t)d->entries.len);
        if (children && depth == DEPTH_LIMIT)
            return false;
        if (children)
            stack[depth++] = (int)d->entries.len - 1;
        else if (!depth)
            return true;
    }
    return !r->bad;
}

// The sections of one text; a linked one has several such sets.
static bool set_read(struct dwarf *d, struct unit *u)
{
    const struct ptx_section *info = u->info;
    struct bytes r = {info->data, 0, info->size, false};
    bool ok = u->abbreviations;
    while (ok && r.p + 11 < info->size) {
        u->start = r.p;
        uint64_t length = bytes_fixed(&r, 4), version;
        if (length > info->size - r.p)
            return false;
        struct bytes body = {info->data, r.p, r.p + length, false};
        r.p += length;
        version = bytes_fixed(&body, 2);
        u->abbreviation_at = bytes_fixed(&body, 4);
        ok = version >= 2 && version <= 4 && bytes_fixed(&body, 1) == ADDRESS_BYTES &&
             u->abbreviation_at < u->abbreviations->size && entries_read(d, &body, u);
    }
    return ok;
}

bool dwarf_read(struct dwarf *d, const struct ptx_module *m)
{
    struct unit u = {0};
    bool ok = true;
    *d = (struct dwarf){0};
    for (unsigned n = 0; ok && (u.info = section(m, "debug_info", n)) && u.base + u.info->size < UINT32_MAX; n++) {
        u.abbreviations = section(m, "debug_abbrev", n);
        u.strings = section(m, "debug_str", n);
        ok = set_read(d, &u);
        u.base += u.info->size;
    }
    return d->entries.len;
}

void dwarf_fini(struct dwarf *d)
{
    vec_free(&d->entries);
    map_free(&d->by_offset);
}

const struct dwarf_entry *dwarf_at(const struct dwarf *d, uint32_t offset)
{
    uintptr_t i = (uintptr_t)map_get_ptr(&d->by_offset, (void *)((uintptr_t)offset + 1));
    return i ? &d->entries.data[i - 1] : NULL;
}

static bool is_named(const struct dwarf *d, const struct dwarf_entry *e, const char *name)
{
    for (unsigned depth = 0; e && depth < DEPTH_LIMIT; depth++) {
        if (e->linkage ? !strcmp(e->linkage, name) : e->name && !strcmp(e->name, name))
            return true;
        e = e->origin ? dwarf_at(d, e->origin) : NULL;
    }
    return false;
}

int dwarf_function(const struct dwarf *d, const char *name)
{
    for (size_t i = 0; i < d->entries.len; i++) {
        const struct dwarf_entry *e = &d->entries.data[i];
        if (e->tag == DWARF_SUBPROGRAM && e->code && is_named(d, e, name))
            return (int)i;
    }
    return -1;
}

bool dwarf_is_variable(const struct dwarf *d, int function, int entry)
{
    const struct dwarf_entry *e = &d->entries.data[entry];
    if ((e->tag != DWARF_VARIABLE && e->tag != DWARF_PARAMETER) || !e->symbol || !e->name)
        return false;
    int p = e->parent;
    while (p >= 0 && p != function && d->entries.data[p].tag == DWARF_BLOCK)
        p = d->entries.data[p].parent;
    return p == function;
}

void ptx_base_name(const char *linkage, const char **name, size_t *len)
{
    const char *p = linkage;
    *name = linkage;
    *len = strlen(linkage);
    if (strncmp(p, "_Z", 2))
        return;
    p += 2;
    p += strspn(p, "NKLVRO"); // nested, and qualifiers
    while (isdigit((unsigned char)*p)) {
        char *end;
        unsigned long n = strtoul(p, &end, 10);
        if (!n || n > strlen(end))
            return;
        *name = end;
        *len = n;
        p = end + n;
    }
}
