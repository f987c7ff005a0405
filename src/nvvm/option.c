// SPDX-License-Identifier: Apache-2.0
// See option.h. The wording of the messages follows libnvvm's, as programs show them.
#include "nvvm/option.h"
#include <stdlib.h>
#include <string.h>

enum kind { FLAG, BOOL, INT, ARCH };
static const struct row {
    const char *name;
    enum kind kind;
} table[] = {
#define OPT(id, name, kind) {name, kind},
#include "nvvm/option.def"
#undef OPT
};

bool nvvm_option_on(const struct nvvm_options *o, enum nvvm_option id, bool absent)
{
    return o->given[id] ? o->values[id] != 0 : absent;
}

static bool value_read(struct nvvm_options *o, size_t id, const char *value)
{
    char *end;
    switch (table[id].kind) {
    case FLAG:
        o->values[id] = 1;
        return !value;
    case BOOL:
        o->values[id] = value && *value == '1';
        return value && (!strcmp(value, "0") || !strcmp(value, "1"));
    case INT:
        o->values[id] = value ? strtol(value, &end, 10) : 0;
        return value && *value && !*end;
    case ARCH:
        return value && !strncmp(value, "compute_", 8) && target_parse(&o->target, value);
    }
    return false;
}

bool nvvm_options_read(struct nvvm_options *o, int count, const char *const *texts, struct str *log)
{
    *o = (struct nvvm_options){.target = {75, ""}};
    for (int i = 0; i < count; i++) {
        const char *text = texts[i] ? texts[i] : "(null)";
        size_t n = strcspn(text, "="), id = 0;
        while (id < NVVM_OPTION_COUNT && !str_is(text, n, table[id].name))
            id++;
        if (id == NVVM_OPTION_COUNT || !value_read(o, id, text[n] ? text + n + 1 : NULL)) {
            str_printf(log, "libnvvm : error: %s is an unsupported option", text);
            return false;
        }
        o->given[id] = true;
    }
    return true;
}
