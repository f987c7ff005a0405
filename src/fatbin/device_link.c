// SPDX-License-Identifier: Apache-2.0
// See device_link.h.
#include "fatbin/device_link.h"
#include "fatbin/fatbin_write.h"
#include "fatbin/ptx_link.h"
#include "base/os.h"
#include "base/xmalloc.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void device_units_fini(struct device_units *units)
{
    for (size_t i = 0; i < units->len; i++)
        fatbin_fini(&units->data[i].fatbin);
    vec_free(units);
}

bool device_units_split(struct device_units *units, const struct object_fatbin *f, struct diag *diag)
{
    const char *data = f->data;
    enum { ALIGNMENT = 8 }; // the least that compilers give
    for (size_t at = 0; f->size - at >= sizeof(struct fatbin_header);) {
        struct fatbin_header h;
        size_t left = f->size - at;
        memcpy(&h, data + at, sizeof h);
        if (!h.magic) { // the linker's, before one that is aligned further
            at += ALIGNMENT;
            continue;
        }
        if (h.magic != FATBIN_MAGIC)
            return diag_error(diag, 0, 0, "'%s' has a damaged fat binary", f->file);
        size_t size = h.size < left - sizeof h ? (size_t)h.size + sizeof h : left;
        struct device_unit u = {.name = f->file, .data = data + at};
        if (!fatbin_read(data + at, size, &u.fatbin, diag))
            return false;
        vec_push(units, u);
        size = (size + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
        at += size < left ? size : left;
    }
    return true;
}

size_t device_runtime_add(const char *runtime, struct ptx_link_input *inputs, size_t count)
{
    static const struct {
        const char *file, *mark;
    } texts[DEVICE_RUNTIME_TEXTS] = {
        {"copies.ptx", "__cudaCDP2Mem"}, // cpy and set
        {"errors.ptx", "__cudaCDP2GetError"},
        {"calls.ptx", "__cudaCDP2"},
    };
    size_t added = 0;
    for (size_t i = 0; runtime && i < DEVICE_RUNTIME_TEXTS; i++) {
        bool wanted = false;
        char path[4096];
        for (size_t k = 0; k < count && !wanted; k++)
            wanted = strstr(inputs[k].text, texts[i].mark) != NULL;
        snprintf(path, sizeof path, "%s/%s", runtime, texts[i].file);
        char *text = wanted ? os_file_read(path, NULL) : NULL;
        if (text)
            inputs[count + added++] = (struct ptx_link_input){texts[i].file, text};
    }
    return added;
}

// Links the units' PTX for one target into an item; the text is malloc'ed.
static bool target_link(struct device_units *units, unsigned sm, const char *runtime, struct fatbin_item *item,
                        struct diag *diag)
{
    struct ptx_link_input *inputs = xcalloc(units->len + DEVICE_RUNTIME_TEXTS, sizeof *inputs);
    struct str out = {0};
    bool ok = true;
    size_t size;
    for (size_t i = 0; ok && i < units->len; i++) {
        const struct fatbin_entry *e = fatbin_ptx_choose(&units->data[i].fatbin, 0, sm, diag);
        inputs[i].name = units->data[i].name;
        inputs[i].text = e ? fatbin_entry_read(e, &size, diag) : NULL;
        ok = inputs[i].text != NULL;
    }
    size_t count = units->len + (ok ? device_runtime_add(runtime, inputs, units->len) : 0);
    ok = ok && ptx_link(inputs, count, sm, true, &out, diag);
    for (size_t i = 0; i < count; i++)
        free((char *)(uintptr_t)inputs[i].text);
    free(inputs);
    *item = (struct fatbin_item){.ptx = xstrdup(str_text(&out)), .size = out.len, .sm = sm};
    str_free(&out);
    return ok;
}

bool device_link(struct device_units *units, unsigned sm, const char *runtime, struct str *out, struct diag *diag)
{
    struct VEC(struct fatbin_item) items = {0};
    bool ok = true;
    const struct fatbin *first = &units->data[0].fatbin;
    struct fatbin_item item;
    if (sm) {
        ok = target_link(units, sm, runtime, &item, diag);
        vec_push(&items, item);
    }
    for (size_t i = 0; ok && !sm && i < first->entries.len; i++) {
        if (first->entries.data[i].kind != FATBIN_PTX)
            continue;
        ok = target_link(units, first->entries.data[i].sm, runtime, &item, diag);
        vec_push(&items, item);
    }
    if (ok && !items.len)
        ok = diag_error(diag, 0, 0, "'%s' has no PTX", units->data[0].name);
    if (ok)
        fatbin_write(out, items.data, items.len);
    for (size_t i = 0; i < items.len; i++)
        free((char *)(uintptr_t)items.data[i].ptx);
    vec_free(&items);
    return ok;
}
